// real: anthonywilliams/ccia_code_samples 6e7ae1d66dbd2e8f1ad18a5cf5c6d25a37b92388: (headers)
// Structures of "C++ Concurrency in Action": a spin lock, a stack without locks.
#include <cassert>
#include <mutex>
#include <thread>

#ifdef SPIN
#include "listing_5.1.cpp"
int main() {
    spinlock_mutex lock;
    int count = 0;
    std::thread other([&] {
        std::lock_guard<spinlock_mutex> guard(lock);
        count++;
    });
    {
        std::lock_guard<spinlock_mutex> guard(lock);
        count++;
    }
    other.join();
    assert(count == 2);
}
#endif

#ifdef STACK
#include "listing_7.3.cpp"
int main() {
    static lock_free_stack<int> stack;  // its head is not initialised otherwise
    std::thread other([&] { stack.push(1); });
    stack.push(2);
    auto found = stack.pop();
    assert(found && (*found == 1 || *found == 2));
    other.join();
}
#endif
