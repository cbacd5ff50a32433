// Lets workers in and out; who closes it waits until all are out, and is alone until it opens again.
//
// Going in and out costs a worker a write to a place of its own. Nobody may be inside and wait for another worker.
#pragma once

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

namespace xgen::states {

class Gate {
public:
    explicit Gate(int workers) : inside_(workers) {}

    // While it lives, its worker is inside.
    class Pass {
    public:
        Pass(Gate& gate, int worker) : gate_(gate), worker_(worker) { gate_.enter(worker_); }
        Pass(const Pass&) = delete;
        Pass& operator=(const Pass&) = delete;
        ~Pass() { gate_.inside_[worker_].flag.store(false, std::memory_order_release); }

    private:
        Gate& gate_;
        int worker_;
    };

    // While it lives, nobody else is inside.
    class Closed {
    public:
        explicit Closed(Gate& gate) : gate_(gate), turn_(gate.closing_) {
            gate_.closed_.store(true);
            for (const Worker& worker : gate_.inside_)
                while (worker.flag.load()) std::this_thread::yield();
        }
        Closed(const Closed&) = delete;
        Closed& operator=(const Closed&) = delete;
        ~Closed() {
            gate_.closed_.store(false);
            gate_.closed_.notify_all();
        }

    private:
        Gate& gate_;
        std::lock_guard<std::mutex> turn_;
    };

private:
    struct alignas(64) Worker {
        std::atomic<bool> flag{false};
    };

    // Either sees that the gate is closed, or is seen by who closes it: both write before they read.
    void enter(int worker) {
        for (;;) {
            inside_[worker].flag.store(true);
            if (!closed_.load()) return;
            inside_[worker].flag.store(false);
            closed_.wait(true);
        }
    }

    std::vector<Worker> inside_;
    std::atomic<bool> closed_{false};
    std::mutex closing_;
};

}  // namespace xgen::states
