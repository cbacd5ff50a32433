// Several workers that explore one program: each has its own search and counts for itself; a worker that has nothing
// left takes a subtree from one that is busy. What they find together does not depend on how they shared it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "runner.hpp"

namespace xgen {

class Pool {
public:
    // Explores an interval of the search.
    Pool(Code code, Plan plan, const Settings& settings, int workers, const Interval& interval);
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    // Explores for about `seconds`, or until there is a reason to halt. A worker that has done `most` work in all pauses;
    // of one worker, this does not depend on how its time is divided.
    Halt run(double seconds, std::int64_t most = std::numeric_limits<std::int64_t>::max());

    // Instead of run(): how many branches there are at the graph; UNCERTIFIED may then be the reason to halt.
    int branches();
    Halt reason() const { return halt_; }

    // Instead of run(), of one worker: random probes from the empty graph, one after the other; what is found is what
    // the last one has found.
    void begin_probe(std::uint64_t seed);
    // Goes on with it, for about `seconds`; BUDGET: it is not at its end.
    Halt go_on(double seconds);
    const Probe& probe() const { return probe_; }

    // Of one worker, between two runs: what is left of its search (see Runner::left), and whether that can be said.
    Interval left() const;
    bool settled() const { return !workers_[0]->runner || workers_[0]->runner->settled(); }

    // What all workers have found so far. Not to be called during run().
    Counters counters() const;
    Findings findings() const;
    std::size_t outcome_count() const { return workers_[0]->findings.outcomes.size(); }  // of one worker
    std::vector<Trace> take_traces();
    std::int64_t work_done() const;  // see model/plan.hpp
    // The execution that shows a violation, or null.
    const Trace* witness() const;
    // What the worker that halted the run has found.
    const WorkerFindings& halted() const { return workers_[halted_]->findings; }

private:
    using Clock = std::chrono::steady_clock;
    struct Worker {
        explicit Worker(const Task& task) : findings(task) {}
        WorkerFindings findings;
        std::unique_ptr<Runner> runner;  // null: it has nothing to do
    };

    void work(int number, Clock::time_point deadline);
    bool find_work(Worker& worker, Clock::time_point deadline);
    void share(Worker& worker);
    void stop(int number, Halt halt);
    std::vector<Outcomes::Move> moves() const;

    Task task_;  // not changed once there are workers
    Sharing sharing_;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::vector<std::unique_ptr<Runner>> waiting_;      // subtrees that nobody explores yet
    std::mutex mutex_;                                   // of waiting_, active_, halt_, halted_, failure_
    std::condition_variable changed_;
    std::optional<Random> random_;                      // of a probe that goes on
    Probe probe_;
    int active_ = 1;                                     // subtrees that are not done
    Halt halt_ = Halt::BUDGET;
    int halted_ = 0;
    std::exception_ptr failure_;
};

}  // namespace xgen
