// real: mpoeter/xenium 3f08ceac00f54d0992c053de81743b3937aaf543: (headers)
// A bounded queue for many: a thread pushes, main pops once.
#include <cassert>
#include <thread>

#include "xenium/nikolaev_bounded_queue.hpp"

int main() {
    xenium::nikolaev_bounded_queue<int> queue(2);
    std::thread first([&] { assert(queue.try_push(1)); });
    int value = 0;
    if (queue.try_pop(value))
        assert(value == 1);
    first.join();
}
