// What drives a search: its clock, why it halts, how it is shared and how it goes to one graph. What a graph is and how
// it grows is the matter of the two searches, Explorer (explore.hpp) and Resolver (resolve.hpp). Each of them has
// Threads, which run the program, a Checker, which asks the model, and a Recorder, which keeps whole executions.
#pragma once

#include <chrono>
#include <limits>
#include <memory>
#include <vector>

#include "search.hpp"
#include "probe.hpp"

namespace xgen {

class Runner {
public:
    virtual ~Runner() = default;
    Runner& operator=(const Runner&) = delete;

    // Explores for about `seconds`, or until there is a reason to halt.
    virtual Halt run(double seconds) = 0;
    // Hands over a subtree that this search has not begun, as near to the root as can be; null where there is none.
    virtual std::unique_ptr<Runner> split() = 0;
    // The same search with wider graphs, or null where there are none.
    virtual std::unique_ptr<Runner> widened() const = 0;

    // The work since it was asked for last; it is the same in all, however a search was shared.
    virtual std::int64_t take_work() = 0;

    // Whether the next event needs wider graphs; then run() has returned BUDGET.
    bool full() const { return full_; }
    // From now on the search counts there.
    void attach(WorkerFindings& findings) { findings_ = &findings; }
    // Before run(): goes to an interval of the search, and leaves out the rest. False where there is no such branch.
    bool enter(const Interval& interval);
    // What is left of the search: exactly one interval; without any `rest`, nothing is. Only where it is settled.
    virtual Interval left() const = 0;
    // Whether all that was found of the graphs that have been left is counted: no violation is being confirmed, say.
    virtual bool settled() const { return confirming_ < 0; }
    // How many branches there are from here; after that the search is of no more use. 0: the graph is whole, or leads
    // nowhere.
    int branches() { return take_branches(std::numeric_limits<int>::max(), false); }
    Halt reason() const { return halt_; }  // to halt, BUDGET: there is none
    // Instead of run(): looks at all branches from here, and takes one of them at random; the others are left out. False
    // where there is none, and where one has a violation that ends the search, which is then taken; run() does the rest.
    // It is also false where the graph is full.
    virtual bool step(Random& random, Probe& probe) = 0;

protected:
    Runner(const Task& task, const Sharing& sharing, WorkerFindings& findings)
        : task_(task), sharing_(sharing), findings_(&findings) {}
    Runner(const Runner&) = default;

    // Takes branches of the graph where the search is, one after the other, up to `count`; returns how many there were.
    // The last one taken stays. `alone`: the search leaves out those that have not been taken.
    virtual int take_branches(int count, bool alone) = 0;
    // After these: the graph that the last branch leads to is done.
    virtual void turn_back() { arrived_ = false; }

    // Calls step() until there is a reason to stop. The clock, the work, and what other workers want, are looked at every
    // `interval` steps.
    template <class Step>
    Halt run_steps(double seconds, int interval, Step&& step);
    void halt(Halt why) { halt_ = why; }
    bool halted() const { return halt_ != Halt::BUDGET; }
    // Halts where the thread runs on and on, or accesses a part of a cell.
    void halt_at(const ThreadState& state);

    const Task& task_;
    const Sharing& sharing_;
    WorkerFindings* findings_;
    Halt halt_ = Halt::BUDGET;
    bool arrived_ = false;          // the search is at a new consistent graph
    bool full_ = false;
    int ticks_ = 1;                 // steps since the clock was looked at, in all runs
    std::int64_t confirming_ = -1;  // >= 0: a violation was found, steps left for reaching a whole execution
};

// The branches that a step of a search has taken, as an interval has them: adds those of one frame, or decision, of which
// `taken` were. False where none was: what is left begins there.
inline bool add_level(Interval& interval, std::int32_t taken, bool has_options) {
    if (taken == 0 || has_options) interval.rest.push_back(static_cast<std::int32_t>(interval.path.size()));
    if (taken > 0) interval.path.push_back(taken - 1);
    return taken > 0;
}

// A search at the narrowest width that holds `events` events, or null where there is none.
std::unique_ptr<Runner> make_runner(const Task& task, const Sharing& sharing, WorkerFindings& findings, int events);

// One of this width (widths_impl.hpp).
template <int W>
std::unique_ptr<Runner> make_runner_of_width(const Task& task, const Sharing& sharing, WorkerFindings& findings);

// The next width of graphs, in words; 0 where there is none.
constexpr int wider(int width) { return width < 4 ? 2 * width : width < 256 ? 4 * width : 0; }
// At this width: steps between two looks at the clock.
constexpr int interval_of(int width) { return width <= 4 ? 64 : 1; }

template <class Step>
Halt Runner::run_steps(double seconds, int interval, Step&& step) {
    using Clock = std::chrono::steady_clock;
    const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    findings_->paused = false;
    for (; !halted(); ++ticks_) {
        if (ticks_ >= interval) {
            ticks_ = 0;
            findings_->evaluated += take_work();
            if (findings_->done() >= sharing_.work) return Halt::BUDGET;
            if (sharing_.stop.load(std::memory_order_relaxed) || Clock::now() > deadline) return Halt::BUDGET;
            if (sharing_.wanted.load(std::memory_order_relaxed) > 0) return Halt::SHARE;
        }
        if (confirming_ >= 0 && confirming_-- == 0)
            halt(Halt::VIOLATION);
        else if (!step())
            return Halt::BUDGET;
        if ((findings_->paused || findings_->counters.explored >= task_.settings.graph_pause) && !halted())
            return Halt::BUDGET;
    }
    return halt_;
}

}  // namespace xgen
