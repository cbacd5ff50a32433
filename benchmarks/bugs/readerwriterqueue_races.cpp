// One thread puts two numbers in, another one takes them out if they are there.
#include <cassert>
#include <thread>

#include "readerwriterqueue.h"

int main() {
    moodycamel::ReaderWriterQueue<int> queue(2);
    std::thread producer([&] {
        queue.enqueue(1);
        queue.enqueue(2);
    });
    int got = 0;
    if (queue.try_dequeue(got))
        assert(got == 1);
    producer.join();
}
