// A queue for many producers and consumers: each cell has a turn, which says whether it is full and in which round.
//
// verdict rc11-c20: safe, 2 executions

#include <atomic>
#include <cassert>
#include <cstddef>
#include <thread>
#include <vector>

#ifdef UNSAFE
constexpr auto RELEASE = std::memory_order_relaxed;
#else
constexpr auto RELEASE = std::memory_order_release;
#endif

template <typename T> class Queue {
public:
    explicit Queue(std::size_t capacity) : cells_(capacity) {}

    void push(T value) {
        const std::size_t ticket = tail_.fetch_add(1, std::memory_order_relaxed);
        Cell &cell = cells_[ticket % cells_.size()];
        while (cell.turn.load(std::memory_order_acquire) != 2 * (ticket / cells_.size())) {
        }
        cell.value = value;
        cell.turn.store(2 * (ticket / cells_.size()) + 1, RELEASE);
    }

    T pop() {
        const std::size_t ticket = head_.fetch_add(1, std::memory_order_relaxed);
        Cell &cell = cells_[ticket % cells_.size()];
        while (cell.turn.load(std::memory_order_acquire) != 2 * (ticket / cells_.size()) + 1) {
        }
        T value = cell.value;
        cell.turn.store(2 * (ticket / cells_.size()) + 2, std::memory_order_release);
        return value;
    }

private:
    struct Cell {
        std::atomic<std::size_t> turn{0};
        T value;
    };
    std::vector<Cell> cells_;
    std::atomic<std::size_t> head_{0}, tail_{0};
};

int main() {
    Queue<int> queue(2);
    std::vector<std::thread> producers;
    for (int k = 1; k <= 2; ++k)
        producers.emplace_back([&queue, k] { queue.push(k); });
    int sum = 0;
    std::thread consumer([&] {
        sum += queue.pop();
        sum += queue.pop();
    });
    for (auto &producer : producers)
        producer.join();
    consumer.join();
    assert(sum == 3);
}
