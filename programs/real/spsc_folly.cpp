// real: cameron314/readerwriterqueue 131af2c479c6ba36142ee9805e9f60fc4adfa22c: (headers)
// folly's ProducerConsumerQueue, of which there is a copy: one thread writes, another one reads.
#include <cassert>
#include <thread>

#include "ProducerConsumerQueue.h"

int main() {
    folly::ProducerConsumerQueue<int> queue(3);
    std::thread producer([&] {
        for (int k = 1; k <= VALUES; ++k)
            while (!queue.enqueue(k)) {
            }
    });
    std::thread consumer([&] {
        for (int k = 1; k <= VALUES; ++k) {
            int value = 0;
            while (!queue.try_dequeue(value)) {
            }
            assert(value == k);
        }
    });
    producer.join();
    consumer.join();
}
