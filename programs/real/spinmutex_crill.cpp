// real: crill-dev/crill 940e51310d448e243bf0cffec420b5e8977e6036: (headers)
// Two threads count under a spin lock, one of which only tries.
#include <cassert>
#include <mutex>
#include <thread>

#include "crill/spin_mutex.h"

int main() {
    crill::spin_mutex lock;
    int count = 0, other = 0;
    std::thread second([&] {
        if (lock.try_lock()) {
            count++;
            other = 1;
            lock.unlock();
        }
    });
    if (lock.try_lock()) {
        count++;
        lock.unlock();
    }
    second.join();
    assert(count >= 1 && count <= 2 && other <= 1);
}
