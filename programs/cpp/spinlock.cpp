// A lock to spin at, held by a guard, and a counter that it protects.
//
// verdict rc11-c20: safe, 2 executions

#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

#ifdef UNSAFE
constexpr auto RELEASE = std::memory_order_relaxed;
#else
constexpr auto RELEASE = std::memory_order_release;
#endif

class SpinLock {
public:
    void lock() {
        while (held_.exchange(true, std::memory_order_acquire))
            while (held_.load(std::memory_order_relaxed)) {
            }
    }
    void unlock() { held_.store(false, RELEASE); }

private:
    std::atomic<bool> held_{false};
};

#ifndef THREADS
#define THREADS 2
#endif

int main() {
    SpinLock lock;
    int counter = 0;
    std::vector<std::thread> threads;
    for (int k = 0; k < THREADS; ++k)
        threads.emplace_back([&] {
            std::lock_guard guard(lock);
            ++counter;
        });
    for (auto &thread : threads)
        thread.join();
    assert(counter == THREADS);
}
