// Something is made once, by whoever comes first, and others find it: a static local, and a flag.
//
// verdict rc11-c20: safe, 2 executions

#include <atomic>
#include <cassert>
#include <thread>

#ifdef UNSAFE
constexpr auto ACQUIRE = std::memory_order_relaxed;
#else
constexpr auto ACQUIRE = std::memory_order_acquire;
#endif

struct Settings {
    int size = 4;
};

Settings &settings() {
    static Settings made;
    return made;
}

std::atomic<const Settings *> published{nullptr};

int main() {
    std::thread maker([] {
        settings().size = 8;
        published.store(&settings(), std::memory_order_release);
    });
    if (const Settings *found = published.load(ACQUIRE))
        assert(found->size == 8);
    maker.join();
}
