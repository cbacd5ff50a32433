// Its owner pops once from a deque of two, a thief steals twice: nobody gets what another one got.
#include <cassert>
#include <thread>

#include <xenium/chase_work_stealing_deque.hpp>

int main() {
    xenium::chase_work_stealing_deque<int> deque;
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
