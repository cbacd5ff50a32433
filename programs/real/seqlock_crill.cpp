// real: crill-dev/crill 940e51310d448e243bf0cffec420b5e8977e6036: (headers)
// A thread stores two bytes at once; another one tries to load them, once.
#include <cassert>
#include <thread>

#include "crill/seqlock_object.h"

struct Pair {
    char a, b;
};

int main() {
    crill::seqlock_object<Pair> object(Pair{0, 0});
    std::thread writer([&] { object.store(Pair{1, 1}); });
    Pair seen;
    if (object.try_load(seen))
        assert(seen.a == seen.b);
    writer.join();
}
