// Jobs of several classes, run by threads that take the next one; the sum is kept in what the threads share.
//
// verdict rc11-c20: safe, 9 executions

#include <atomic>
#include <cassert>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#ifdef UNSAFE
using Sum = int;
#else
using Sum = std::atomic<int>;
#endif

struct Job {
    virtual ~Job() = default;
    virtual void run(Sum &sum) const = 0;
};

struct Add : Job {
    explicit Add(int by) : by_(by) {}
    void run(Sum &sum) const override { sum += by_; }
    int by_;
};

struct Call : Job {
    explicit Call(std::function<int()> what) : what_(std::move(what)) {}
    void run(Sum &sum) const override { sum += what_(); }
    std::function<int()> what_;
};

int main() {
    std::vector<std::unique_ptr<Job>> jobs;
    jobs.push_back(std::make_unique<Add>(1));
    jobs.push_back(std::make_unique<Call>([] { return 2; }));
    std::atomic<std::size_t> next{0};
    auto sum = std::make_shared<Sum>(0);
    std::vector<std::thread> threads;
    for (int k = 0; k < 2; ++k)
        threads.emplace_back([&jobs, &next, sum] { jobs[next.fetch_add(1, std::memory_order_relaxed)]->run(*sum); });
    for (auto &thread : threads)
        thread.join();
    assert(*sum == 3);
}
