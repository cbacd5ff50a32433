// real: preshing/cpp11-on-multicore 41ac9c73dfa32e2fbc0af6668358092fafdfcae4: (headers)
// A thread writes twice under the lock of the writer, another one reads both under that of the reader.
#include <cassert>
#include <thread>

#include "rwlock.h"

int main() {
    NonRecursiveRWLock lock;
    int a = 0, b = 0;
    std::thread writer([&] {
        WriteLockGuard<NonRecursiveRWLock> guard(lock);
        a = 1;
        b = 1;
    });
    {
        ReadLockGuard<NonRecursiveRWLock> guard(lock);
        assert(a == b);
    }
    writer.join();
}
