// One thread stores a pair, another one loads it: both halves are of the same pair.
#include <cassert>
#include <thread>

#include <xenium/seqlock.hpp>

struct Pair {
    long one, two;
};

int main() {
    xenium::seqlock<Pair> shared(Pair{1, 1});
    std::thread writer([&] { shared.store(Pair{2, 2}); });
    Pair seen = shared.load();
    assert(seen.one == seen.two);
    writer.join();
}
