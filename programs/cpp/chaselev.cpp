// The deque of Chase and Lev: its owner takes at one end, thieves at the other one.
//
// verdict rc11-c20: safe, 13 executions

#include <atomic>
#include <cassert>
#include <thread>

#ifdef UNSAFE
constexpr auto FENCE = std::memory_order_acq_rel;
#else
constexpr auto FENCE = std::memory_order_seq_cst;
#endif

class Deque {
public:
    void push(int value) {
        const long at = bottom_.load(std::memory_order_relaxed);
        items_[at % Size].store(value, std::memory_order_relaxed);
        bottom_.store(at + 1, std::memory_order_release);
    }

    int take() {
        const long at = bottom_.load(std::memory_order_relaxed) - 1;
        bottom_.store(at, std::memory_order_relaxed);
        std::atomic_thread_fence(FENCE);
        long top = top_.load(std::memory_order_relaxed);
        if (top > at) {
            bottom_.store(at + 1, std::memory_order_relaxed);
            return 0;
        }
        int value = items_[at % Size].load(std::memory_order_relaxed);
        if (top == at) {
            if (!top_.compare_exchange_strong(top, top + 1, std::memory_order_seq_cst, std::memory_order_relaxed))
                value = 0;
            bottom_.store(at + 1, std::memory_order_relaxed);
        }
        return value;
    }

    int steal() {
        long top = top_.load(std::memory_order_acquire);
        std::atomic_thread_fence(FENCE);
        if (top >= bottom_.load(std::memory_order_acquire))
            return 0;
        const int value = items_[top % Size].load(std::memory_order_relaxed);
        const bool mine = top_.compare_exchange_strong(top, top + 1, std::memory_order_seq_cst, std::memory_order_relaxed);
        return mine ? value : 0;
    }

private:
    static constexpr long Size = 4;
    std::atomic<long> top_{0}, bottom_{0};
    std::atomic<int> items_[Size] = {};
};

int main() {
    Deque deque;
    deque.push(1);
    deque.push(2);
    int stolen[2];
    std::thread thief([&] {
        stolen[0] = deque.steal();
        stolen[1] = deque.steal();
    });
    const int taken = deque.take();
    thief.join();
    assert(taken == 0 || (taken != stolen[0] && taken != stolen[1]));
}
