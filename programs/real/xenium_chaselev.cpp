// real: mpoeter/xenium 3f08ceac00f54d0992c053de81743b3937aaf543: (headers)
// Its owner pops once what it has pushed, a thief steals twice.
#include <cassert>
#include <thread>

#include "xenium/chase_work_stealing_deque.hpp"

int main() {
    xenium::chase_work_stealing_deque<int, xenium::policy::capacity<4>> deque;
    int items[2], *popped = nullptr, *stolen[2] = {nullptr, nullptr};
    deque.try_push(&items[0]);
    deque.try_push(&items[1]);
    std::thread thief([&] {
        if (!deque.try_steal(stolen[0]))
            stolen[0] = nullptr;
        if (!deque.try_steal(stolen[1]))
            stolen[1] = nullptr;
    });
    if (!deque.try_pop(popped))
        popped = nullptr;
    thief.join();
    assert(!popped || (popped != stolen[0] && popped != stolen[1]));
    assert(!stolen[0] || stolen[0] != stolen[1]);
}
