// real: cameron314/readerwriterqueue 131af2c479c6ba36142ee9805e9f60fc4adfa22c: (headers)
// One thread puts numbers into a queue of growing blocks, another one takes them out.
#include <cassert>
#include <thread>

#include "readerwriterqueue.h"

int main() {
    moodycamel::ReaderWriterQueue<int> queue(2);
    std::thread producer([&] {
        for (int k = 1; k <= VALUES; ++k)
            queue.enqueue(k);
    });
    std::thread consumer([&] {
        int next = 1;
        for (int tries = 0; tries < VALUES; ++tries) {
            int value = 0;
            if (queue.try_dequeue(value)) {
                assert(value == next);
                ++next;
            }
        }
    });
    producer.join();
    consumer.join();
}
