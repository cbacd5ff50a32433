// real: hogliux/farbot 0416705394720c12f0d02e55c144e4f69bb06912: (headers)
// A thread replaces an object of two numbers; the one that must not wait reads both.
#include <array>
#include <cassert>
#include <thread>

#include "farbot/RealtimeObject.hpp"

struct Pair {
    int a, b;
};

int main() {
    using Object = farbot::RealtimeObject<Pair, farbot::RealtimeObjectOptions::nonRealtimeMutatable>;
    Object object(Pair{0, 0});
    std::thread other([&] { object.nonRealtimeReplace(Pair{1, 1}); });
    {
        Object::ScopedAccess<farbot::ThreadType::realtime> seen(object);
        assert(seen->a == seen->b);
    }
    other.join();
}
