// real: mpoeter/xenium 3f08ceac00f54d0992c053de81743b3937aaf543: (headers)
// A bounded queue for many: two threads push, main pops once.
#include <cassert>
#include <thread>

#include "xenium/vyukov_bounded_queue.hpp"

int main() {
    xenium::vyukov_bounded_queue<int> queue(2);
    std::thread first([&] { assert(queue.try_push(1)); });
    std::thread second([&] { assert(queue.try_push(2)); });
    int value = 0;
    if (queue.try_pop(value))
        assert(value == 1 || value == 2);
    first.join();
    second.join();
}
