// real: rigtorp/Seqlock b00d8b021875eb3ae5c57bd0412c6c2b0265fd11: (headers)
// One thread stores a pair, another one loads it. The pair is no atomic: by the standard, this is a race.
#include <cassert>
#include <thread>

#include "rigtorp/Seqlock.h"

struct Pair {
    long a, b;
};

int main() {
    rigtorp::Seqlock<Pair> lock;
    lock.store({0, 0});
    std::thread writer([&] { lock.store({1, 1}); });
    const Pair seen = lock.load();
    assert(seen.a == seen.b);
    writer.join();
}
