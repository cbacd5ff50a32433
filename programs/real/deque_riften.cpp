// real: ConorWilliams/ConcurrentDeque 1552c895c60b2ca8986abd3f3e4fd38847687d25: (headers)
// The owner pops, a thief steals. Items are no atomics.
#include <cassert>
#include <thread>

#include "riften/deque.hpp"

int main() {
    riften::Deque<int> deque(4);
    deque.emplace(1);
    deque.emplace(2);
    int stolen = 0;
    std::thread thief([&] { stolen = deque.steal().value_or(0); });
#ifdef MORE
    deque.emplace(3);
#endif
    const int popped = deque.pop().value_or(0);
    const int again = deque.pop().value_or(0);
    thief.join();
    assert(!stolen || (stolen != popped && stolen != again));
}
