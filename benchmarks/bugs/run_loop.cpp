// A loop runs until another thread ends it, and is gone then.
#include <thread>

#include <stdexec/execution.hpp>

int main() {
    auto *loop = new stdexec::run_loop;
    std::thread other([=] { loop->finish(); });
    loop->run();
    delete loop;
    other.join();
}
