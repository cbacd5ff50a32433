// One thread pushes a number, another one pops it.
#include <cassert>
#include <thread>

#include "lockfree.hpp"

int main() {
    lockfree::mpmc::Queue<int, 4> queue;
    std::thread producer([&] { queue.Push(7); });
    int got = 0;
    if (queue.Pop(got))
        assert(got == 7);
    producer.join();
}
