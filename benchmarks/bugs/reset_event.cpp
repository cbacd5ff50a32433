// An event is waited for, and is gone then. (As where the system has no futex.)
#include <cppcoro/config.hpp>
#undef CPPCORO_OS_LINUX
#define CPPCORO_OS_LINUX 0
#include <thread>

#include "lightweight_manual_reset_event.cpp"

int main() {
    auto *event = new cppcoro::detail::lightweight_manual_reset_event(false);
    std::thread other([=] { event->set(); });
    event->wait();
    delete event;
    other.join();
}
