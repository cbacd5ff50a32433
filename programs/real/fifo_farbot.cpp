// real: hogliux/farbot 0416705394720c12f0d02e55c144e4f69bb06912: (headers)
// One thread pushes, one takes: a queue for one of each; two push and one takes: one for many that push.
#include <array>
#include <cassert>
#include <cstdint>
#include <limits>
#include <thread>

#include "farbot/fifo.hpp"

using farbot::fifo_options::concurrency;
constexpr auto FAILS = farbot::fifo_options::full_empty_failure_mode::return_false_on_full_or_empty;

int main() {
#ifdef MANY
    farbot::fifo<int, concurrency::single, concurrency::multiple, FAILS, FAILS, 2> queue(2);  // of two threads at most
    std::thread second([&] { assert(queue.push(2)); });
#else
    farbot::fifo<int, concurrency::single, concurrency::single> queue(2);
#endif
    std::thread first([&] { assert(queue.push(1)); });
    int value = 0;
    if (queue.pop(value))
        assert(value == 1 || value == 2);
    first.join();
#ifdef MANY
    second.join();
#endif
}
