// real: rigtorp/MPMCQueue b9808ede08f26fa9df4df4e081d19cace8f6c6ea: (headers)
// Two threads push a number each, a third one takes both.
#include <cassert>
#include <thread>

#include "rigtorp/MPMCQueue.h"

int main() {
    rigtorp::MPMCQueue<int> queue(2);
    std::thread first([&] { queue.push(1); });
    std::thread second([&] { queue.push(2); });
    int a = 0, b = 0;
    std::thread consumer([&] {
        queue.pop(a);
        queue.pop(b);
    });
    first.join();
    second.join();
    consumer.join();
    assert(a + b == 3 && a != b);
}
