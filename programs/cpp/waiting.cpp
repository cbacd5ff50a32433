// A gate that opens once: threads sleep until it does (wait and notify of std::atomic).
//
// verdict rc11: safe

#include <atomic>
#include <cassert>
#include <thread>

#ifdef UNSAFE
constexpr auto RELEASE = std::memory_order_relaxed;
#else
constexpr auto RELEASE = std::memory_order_release;
#endif

int main() {
    std::atomic<int> open{0};
    int value = 0;
    std::thread guest([&] {
        open.wait(0, std::memory_order_acquire);
        assert(value == 5);
    });
    value = 5;
    open.store(1, RELEASE);
    open.notify_all();
    guest.join();
}
