// real: mpoeter/xenium 3f08ceac00f54d0992c053de81743b3937aaf543: (headers)
// Two readers' copies: one thread updates, another one reads.
#include <cassert>
#include <thread>

#include "xenium/left_right.hpp"

struct Pair {
    int a, b;
};

int main() {
    xenium::left_right<Pair> both(Pair{0, 0});
    std::thread writer([&] {
        both.update([](Pair &pair) {
            pair.a = 1;
            pair.b = 1;
        });
    });
    both.read([](const Pair &pair) {
        assert(pair.a == pair.b);
        return 0;
    });
    writer.join();
}
