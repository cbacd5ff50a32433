// One thread pushes a pair, two others pop one each of the two that there are.
#include <cassert>
#include <thread>

#include "atomic_queue/atomic_queue.h"

struct Pair {
    int a, b;
};

int main() {
    atomic_queue::AtomicQueue2<Pair, 2> queue;
    std::thread producer([&] { queue.push(Pair{1, 1}); });
    Pair got = queue.pop();
    assert(got.a == 1 && got.b == 1);
    producer.join();
}
