// real: mpoeter/xenium 3f08ceac00f54d0992c053de81743b3937aaf543: (headers)
// One thread stores a pair, another one loads it.
#include <cassert>
#include <thread>

#include "xenium/seqlock.hpp"

struct Pair {
    long a, b;
};

int main() {
    xenium::seqlock<Pair> lock(Pair{0, 0});
    std::thread writer([&] { lock.store({1, 1}); });
    std::thread reader([&] {
        const Pair seen = lock.load();
        assert(seen.a == seen.b);
    });
    writer.join();
    reader.join();
}
