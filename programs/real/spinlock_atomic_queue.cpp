// real: max0x7ba/atomic_queue 137772366df6d0ebeb702123c59ac9aaf09fdc78: (headers)
// Locks to spin at, around an increment by each of two threads.
#include <cassert>
#include <thread>

#include "atomic_queue/spinlock.h"

int main() {
    LOCK lock;
    int counter = 0;
    auto add = [&] {
        LOCK::scoped_lock guard(lock);
        ++counter;
    };
    std::thread first(add), second(add);
    first.join();
    second.join();
    assert(counter == 2);
}
