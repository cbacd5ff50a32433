// A slot behind a mutex: whoever takes waits until somebody has put.
//
// verdict rc11-c20: safe, 2 executions

#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

class Slot {
public:
    void put(int value) {
        {
#ifndef UNSAFE
            std::lock_guard guard(mutex_);
#endif
            value_ = value;
            full_ = true;
        }
        filled_.notify_one();
    }

    int take() {
        std::unique_lock guard(mutex_);
        filled_.wait(guard, [this] { return full_; });
        full_ = false;
        return value_;
    }

private:
    std::mutex mutex_;
    std::condition_variable filled_;
    bool full_ = false;
    int value_ = 0;
};

int main() {
    Slot slot;
    std::thread producer([&slot] { slot.put(7); });
    assert(slot.take() == 7);
    producer.join();
}
