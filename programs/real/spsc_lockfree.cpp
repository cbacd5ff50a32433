// real: DNedic/lockfree 26b5fd1e58ef9bf02a44b8593fa7a56375ced90c: (headers)
// One thread pushes numbers, another one pops them.
#include <cassert>
#include <thread>

#include "lockfree.hpp"

int main() {
    lockfree::spsc::Queue<int, 3> queue;
    std::thread producer([&] {
        for (int k = 1; k <= VALUES; ++k)
            while (!queue.Push(k)) {
            }
    });
    std::thread consumer([&] {
        for (int k = 1; k <= VALUES; ++k) {
            int value = 0;
            while (!queue.Pop(value)) {
            }
            assert(value == k);
        }
    });
    producer.join();
    consumer.join();
}
