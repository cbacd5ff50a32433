// Its owner pushes a job and pops, a thief steals: the job is complete, and just one of them gets it.
#include <array>
#include <cassert>
#include <iostream>
#include <thread>

namespace std {
struct Quiet {
    Quiet &operator<<(const char *) { return *this; }
} quiet;
const char *quiet_end = "";
}  // namespace std
#define cerr quiet
#define endl quiet_end
#include <parlay/internal/work_stealing_deque.h>

struct Job {
    int value;
};

int main() {
    parlay::internal::Deque<Job> deque;
    Job job{0}, *stolen = nullptr;
    std::thread thief([&] {
        stolen = deque.pop_top().first;
        if (stolen)
            assert(stolen->value == 1);
    });
    job.value = 1;
    deque.push_bottom(&job);
    Job *popped = deque.pop_bottom();
    thief.join();
    assert(!popped != !stolen);
}
