// A ring for one producer and one consumer, each of which keeps the other's index as it saw it last.
//
// verdict rc11-c20: safe, 1 execution

#include <atomic>
#include <cassert>
#include <cstddef>
#include <thread>

#ifdef UNSAFE
constexpr auto RELEASE = std::memory_order_relaxed;
#else
constexpr auto RELEASE = std::memory_order_release;
#endif

template <typename T, std::size_t Capacity> class Ring {
public:
    bool try_push(T value) {
        const std::size_t at = tail_.load(std::memory_order_relaxed);
        const std::size_t next = (at + 1) % Slots;
        if (next == head_seen_) {
            head_seen_ = head_.load(std::memory_order_acquire);
            if (next == head_seen_)
                return false;
        }
        slots_[at] = value;
        tail_.store(next, RELEASE);
        return true;
    }

    bool try_pop(T &value) {
        const std::size_t at = head_.load(std::memory_order_relaxed);
        if (at == tail_seen_) {
            tail_seen_ = tail_.load(std::memory_order_acquire);
            if (at == tail_seen_)
                return false;
        }
        value = slots_[at];
        head_.store((at + 1) % Slots, std::memory_order_release);
        return true;
    }

private:
    static constexpr std::size_t Slots = Capacity + 1;
    T slots_[Slots];
    alignas(64) std::atomic<std::size_t> head_{0};
    alignas(64) std::size_t tail_seen_ = 0;
    alignas(64) std::atomic<std::size_t> tail_{0};
    alignas(64) std::size_t head_seen_ = 0;
};

constexpr int VALUES = 2;

int main() {
    Ring<int, 1> ring;
    std::thread producer([&ring] {
        for (int k = 1; k <= VALUES; ++k)
            while (!ring.try_push(k)) {
            }
    });
    std::thread consumer([&ring] {
        for (int k = 1; k <= VALUES; ++k) {
            int value = 0;
            while (!ring.try_pop(value)) {
            }
            assert(value == k);
        }
    });
    producer.join();
    consumer.join();
}
