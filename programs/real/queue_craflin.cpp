// real: craflin/LockFreeQueue 2d9f743bc79724a75ba35c8085f005ca5990da79: (headers)
// A thread pushes a number, another one takes it if it is there.
#include <cassert>
#include <new>
#include <thread>

#include "LockFreeQueueCpp11.h"

int main() {
    LockFreeQueueCpp11<int> queue(2);
    std::thread producer([&] { assert(queue.push(7)); });
    int value = 0;
    if (queue.pop(value))
        assert(value == 7);
    producer.join();
}
