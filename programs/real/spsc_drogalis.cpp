// real: drogalis/SPSC-Queue c959bd4f7204dd73c4e75a2b00c3459c3a5e9a96: (headers)
// One thread pushes numbers into the ring, another one pops them.
#include <cassert>
#include <thread>

#include "dro/spsc-queue.hpp"

int main() {
    dro::SPSCQueue<int> queue(2);
    std::thread producer([&] {
        for (int k = 1; k <= VALUES; ++k)
            queue.push(k);
    });
    std::thread consumer([&] {
        for (int k = 1; k <= VALUES; ++k) {
            int value = 0;
            queue.pop(value);
            assert(value == k);
        }
    });
    producer.join();
    consumer.join();
}
