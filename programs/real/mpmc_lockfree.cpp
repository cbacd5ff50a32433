// real: DNedic/lockfree 26b5fd1e58ef9bf02a44b8593fa7a56375ced90c: (headers)
// Two threads push a number each, main pops twice.
#include <cassert>
#include <thread>

#include "lockfree.hpp"

int main() {
    lockfree::mpmc::Queue<int, 4> queue;
    std::thread first([&] { queue.Push(1); });
    std::thread second([&] { queue.Push(2); });
    int a = 0, b = 0;
    const bool one = queue.Pop(a), other = queue.Pop(b);
    first.join();
    second.join();
    assert(!one || a == 1 || a == 2);
    assert(!one || !other || a + b == 3);
}
