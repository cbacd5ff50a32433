// One thread pushes the address of what it has written, another one pops it and looks there.
#include <cassert>
#include <thread>

#include "atomic_queue/atomic_queue.h"

int main() {
    atomic_queue::AtomicQueue<int *, 2, nullptr, true, true, false, true> queue;
    int value = 0;
    std::thread producer([&] {
        value = 1;
        queue.push(&value);
    });
    assert(*queue.pop() == 1);
    producer.join();
}
