// One thread stores two pairs, another one loads meanwhile, from a lock that keeps two: both halves are of one pair.
#include <cassert>
#include <thread>

#include <xenium/seqlock.hpp>

struct Pair {
    long one, two;
};

int main() {
    xenium::seqlock<Pair, xenium::policy::slots<2>> shared(Pair{1, 1});
    std::thread writer([&] {
        shared.store(Pair{2, 2});
        shared.store(Pair{3, 3});
    });
    Pair seen = shared.load();
    assert(seen.one == seen.two);
    writer.join();
}
