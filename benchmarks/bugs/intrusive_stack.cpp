// Two threads take one each from a stack of two.
#include <cassert>
#include <thread>

#include <taskflow/core/freelist.hpp>

struct Node {
    Node *next = nullptr;
};

int main() {
    tf::AtomicIntrusiveStack<Node *, &Node::next> stack;
    Node nodes[2], *first = nullptr;
    stack.push(&nodes[0]);
    stack.push(&nodes[1]);
    std::thread other([&] { first = stack.pop(); });
    Node *second = stack.pop();
    other.join();
    assert(first && second && first != second);
}
