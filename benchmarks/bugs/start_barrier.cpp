// A thread waits until it is let go, and reads what was written before.
#include <cassert>
#include <thread>

#include "barrier.h"

int main() {
    atomic_queue::Barrier barrier;
    int ready = 0;
    std::thread other([&] {
        barrier.wait();
        assert(ready == 1);
    });
    ready = 1;
    barrier.release(1);
    other.join();
}
