// Treiber's stack: the head is exchanged for a node that points to it. What is popped is not thrown away here.
//
// verdict rc11-c20: safe, 4 executions

#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

class Stack {
public:
    void push(int value) {
        Node *node = new Node{value, head_.load(std::memory_order_relaxed)};
        while (!head_.compare_exchange_weak(node->next, node, std::memory_order_release, std::memory_order_relaxed)) {
        }
    }

    bool pop(int &value) {
        Node *node = head_.load(std::memory_order_acquire);
        while (node && !head_.compare_exchange_weak(node, node->next, std::memory_order_acquire)) {
        }
        if (!node)
            return false;
        value = node->value;
#ifdef UNSAFE
        delete node;
#endif
        return true;
    }

private:
    struct Node {
        int value;
        Node *next;
    };
    std::atomic<Node *> head_{nullptr};
};

int main() {
    Stack stack;
    stack.push(1);
    stack.push(2);
    int popped[2] = {0, 0};
    std::vector<std::thread> threads;
    for (int k = 0; k < 2; ++k)
        threads.emplace_back([&stack, &popped, k] {
            const bool found = stack.pop(popped[k]);
            assert(found);
        });
    for (auto &thread : threads)
        thread.join();
    assert(popped[0] + popped[1] == 3);
}
