// A thread puts one in and takes one out, in a queue that has one already: main gets one, too.
#include <cassert>
#include <thread>

#include <xenium/ramalhete_queue.hpp>
#include <xenium/reclamation/lock_free_ref_count.hpp>

int main() {
    xenium::ramalhete_queue<int *, xenium::policy::reclaimer<xenium::reclamation::lock_free_ref_count<>>,
                            xenium::policy::entries_per_node<4>>
        queue;
    int items[2], *got = nullptr;
    queue.push(&items[0]);
    std::thread other([&] {
        int *mine = nullptr;
        queue.push(&items[1]);
        assert(queue.try_pop(mine));
    });
    assert(queue.try_pop(got));
    other.join();
}
