// real: MengRao/SPSC_Queue 133c9300767015e250c091311c81299a678d5288: (headers)
// One thread pushes numbers into the ring, another one takes them out.
#include <cassert>
#include <cstdint>
#include <thread>

#include "SPSCQueue.h"

int main() {
    SPSCQueue<int, 2> queue;
    std::thread producer([&] {
        for (int k = 1; k <= VALUES; ++k)
            queue.blockPush([k](int *slot) { *slot = k; });
    });
    std::thread consumer([&] {
        for (int k = 1; k <= VALUES; ++k) {
            int value = 0;
            while (!queue.tryPop([&](int *slot) { value = *slot; })) {
            }
            assert(value == k);
        }
    });
    producer.join();
    consumer.join();
}
