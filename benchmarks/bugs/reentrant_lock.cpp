// Two threads take a lock that its owner may take again, and count under it.
#include <cassert>
#include <thread>

#include <cds/sync/spinlock.h>

int main() {
    cds::sync::reentrant_spin32 lock;
    int count = 0;
    auto add = [&] {
        lock.lock();
        count++;
        lock.unlock();
    };
    std::thread other(add);
    add();
    other.join();
    assert(count == 2);
}
