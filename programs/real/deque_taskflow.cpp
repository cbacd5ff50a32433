// real: taskflow/work-stealing-queue 8972d5aa76c7cd9f77db1cb10157c4b8e5913632: (headers)
// The owner pops, a thief steals.
#include <cassert>
#include <cstdint>
#include <thread>

#include "wsq.hpp"

int main() {
    WorkStealingQueue<int> queue(4);
    queue.push(1);
    queue.push(2);
    int stolen = 0, second = 0;
    std::thread thief([&] {
        stolen = queue.steal().value_or(0);
        second = queue.steal().value_or(0);
    });
    const int popped = queue.pop().value_or(0);
    thief.join();
    assert(!popped || (popped != stolen && popped != second));
}
