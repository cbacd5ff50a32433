// A sequence lock: readers read again where the number has changed, or is odd.
//
// verdict rc11-c20: safe, 11 executions

#include <atomic>
#include <cassert>
#include <thread>

class Pair {
public:
    void write(int value) {
        const unsigned number = number_.load(std::memory_order_relaxed);
        number_.store(number + 1, std::memory_order_relaxed);
#ifndef UNSAFE
        std::atomic_thread_fence(std::memory_order_release);
#endif
        first_.store(value, std::memory_order_relaxed);
        second_.store(value, std::memory_order_relaxed);
        number_.store(number + 2, std::memory_order_release);
    }

    bool read(int &first, int &second) const {
        const unsigned number = number_.load(std::memory_order_acquire);
        if (number % 2)
            return false;
        first = first_.load(std::memory_order_relaxed);
        second = second_.load(std::memory_order_relaxed);
        std::atomic_thread_fence(std::memory_order_acquire);
        return number_.load(std::memory_order_relaxed) == number;
    }

private:
    std::atomic<unsigned> number_{0};
    std::atomic<int> first_{0}, second_{0};
};

int main() {
    Pair pair;
    std::thread writer([&pair] { pair.write(1); });
    int first, second;
    if (pair.read(first, second))
        assert(first == second);
    writer.join();
}
