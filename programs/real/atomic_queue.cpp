// real: max0x7ba/atomic_queue 137772366df6d0ebeb702123c59ac9aaf09fdc78: (headers)
// Queues of atomic elements, and of others with a state each: one thread pushes, another one pops.
#include <cassert>
#include <thread>

#include "atomic_queue/atomic_queue.h"

struct Pair {
    int a, b;
};

#ifdef PAIRS
using Queue = atomic_queue::AtomicQueue2<Pair, 2>;
Pair made(int k) { return {k, k}; }
bool is(Pair pair, int k) { return pair.a == k && pair.b == k; }
#else
using Queue = atomic_queue::AtomicQueue<int, 2>;
int made(int k) { return k; }
bool is(int value, int k) { return value == k; }
#endif

int main() {
    Queue queue;
    std::thread producer([&] {
        for (int k = 1; k <= VALUES; ++k)
            queue.push(made(k));
    });
    std::thread consumer([&] {
        for (int k = 1; k <= VALUES; ++k)
            assert(is(queue.pop(), k));
    });
    producer.join();
    consumer.join();
}
