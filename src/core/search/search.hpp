// What a search is given (Task) and what it gathers (WorkerFindings), whatever the width of its graphs.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "findings.hpp"
#include "graph/trace.hpp"
#include "leaks.hpp"
#include "model/plan.hpp"

namespace xgen {

// With a bound, a thread that makes so many choices without an event between is cut, so that the run ends.
constexpr std::int32_t CHOICES = 1000;

struct Trace;

// What is explored as one. `rf`: executions with the same events and the same reads-from; `values`: those in which each read
// reads the same; `seen`: those in which each read leaves its thread in the same state, as far as that matters (observe_impl.hpp).
enum class Partition : std::uint8_t { RF, VALUES, SEEN };

struct Settings {
    std::int32_t max_depth = -1;       // events per thread, and then CHOICES in a row; -1: no bound
    bool all_states = false;           // go on after a violation
    bool waiting = true;               // a thread that waits in a loop is blocked; else the loop is unrolled
    bool locking = false;              // mutexes are only locked and unlocked: no thread looks whether one is held
    bool silent = false;               // nobody sees that an update is left out that writes what it has read
    // The model allows load buffering, and the search revisits: it halts where executions may be missed.
    bool in_order = false;
    bool liveness = false;             // an execution in which threads wait for ever is a violation
    std::int64_t trace_limit = 0;      // executions to keep
    bool stream = false;               // pause whenever so many are kept
    std::int64_t outcome_limit = 0;    // different outcomes to keep
    std::int64_t outcome_pause = std::numeric_limits<std::int64_t>::max();  // so many different outcomes: pause
    std::int64_t graph_pause = std::numeric_limits<std::int64_t>::max();    // so many graphs: pause
    std::int64_t duplicate_limit = 0;  // executions to compare with each other
    std::vector<std::vector<std::int32_t>> shown;  // per thread: the locals that outcomes list
    std::vector<std::int32_t> shown_cells;         // the cells that outcomes list
    // classes: renamings of threads and cells that leave the program as it is, each the image of every thread, then of every
    // cell: all of them, or none; the first is the identity, the next `generators` make all of them.
    std::vector<std::vector<std::int32_t>> renamings;
    std::int32_t generators = 0;
    Partition partition = Partition::RF;
    // Not of classes: groups of threads that do the same up to names, each in ascending order; and by cell whether it goes
    // with one of these threads: none where there are no groups.
    std::vector<std::vector<std::int32_t>> like;
    std::vector<bool> moved;
    bool names_counted = false;  // what is visited counts for all executions that differ from it by these names
    // By cell: whether executions are left out in which a thread waits by a read of it that does not read the last write, where
    // what is explored is reached without them (explore_waiting_impl.hpp); none: nothing is left out.
    std::vector<bool> detours;
    std::vector<std::vector<std::int32_t>> matters;  // `seen`: per instruction where a thread may stop, the locals that matter
    std::vector<bool> alone;                       // per thread: it does not matter to others if it is blocked for ever
    std::vector<std::int32_t> undefined;           // flags, by constraint: an execution that raises one is a violation
    std::vector<std::int32_t> demanded;            // flags: so is one that raises one, if it is not blocked, or is stuck
    // Of the calls of a client (calls.hpp), which outcomes tell behind all else: the cells of their results; whether program
    // order and reads-from may not be a cycle; whether all accesses have one order, which is all that the model asks for; and by
    // event class whether it releases, and acquires: none where that tells nothing.
    std::vector<std::int32_t> call_ends;
    bool call_leads = false, call_total = false;
    std::vector<bool> releases, acquires;
    Leaks leaks;  // a complete execution at the end of which nothing leads to some memory is a violation
    std::function<Judgement(const std::vector<std::int64_t>&)> judge;  // of outcomes: asked once for each; null: all count
    bool filtered = false;  // the judge leaves outcomes out: so does it executions that have none
    std::function<bool(const Trace&)> lasting;  // whether the rounds of a stuck execution can go on; null: they can

    // Values per outcome.
    std::size_t outcome_width() const {
        std::size_t width = shown_cells.size() + call_ends.size();
        for (const auto& locals : shown) width += locals.size();
        return width;
    }
};

// A set of hashes.
class HashSet {
public:
    HashSet() : table_(1024, 0) {}
    // False where it was in the set.
    bool insert(std::uint64_t hash);
    template <class F>
    void each(F&& f) const {
        for (std::uint64_t hash : table_)
            if (hash) f(hash);
    }

private:
    std::vector<std::uint64_t> table_;  // open addressing; 0: free
    std::size_t size_ = 0;
};

enum class Halt : std::uint8_t {
    BUDGET,       // the time given is up; run() goes on from here
    SHARE,        // another worker wants a subtree; run() goes on from here
    DONE,         // all explored
    VIOLATION,    // `witness` shows it
    UNCERTIFIED,  // the in-situ constraint `culprit` forbids a maximal step: completeness is not certified
    RUNAWAY,      // the thread at instruction `culprit` runs on and on without an event
    MIXED,        // the thread at instruction `culprit` accesses a part of a cell, or more than one, in an execution where
                  // threads run ahead; with a culprit below 0, a thread accesses the cell ~culprit of those that are not there
    UNLIKE,       // executions may be missed where threads that do the same are not told apart (like.hpp)
    TOO_LARGE,    // an execution has more events than the widest graph
    BUFFERING,    // a read might read from a write that comes after it in po u rf (explore_order_impl.hpp)
};

// A part of a search, in its order, depth first: `path` says which branch was taken at the start, which at the graph that it
// leads to, and so on; `rest`, ascending, at which levels the branches after that belong to the part. The level path.size()
// stands for all that follows the graph at the path's end. The whole is {{}, {0}}.
struct Interval {
    std::vector<std::int32_t> path, rest;
};

// What the workers of a pool tell each other.
struct Sharing {
    std::atomic<int> wanted = 0;      // subtrees, by workers that have nothing to do
    std::atomic<bool> stop = false;   // the run is over
    std::int64_t work = std::numeric_limits<std::int64_t>::max();  // a worker that has done so much pauses
};

// What is to be explored: the same for all workers.
struct Task {
    Code code;
    Plan plan;
    Settings settings;
};

// What one worker has found, with what it is at.
struct WorkerFindings : Findings {
    explicit WorkerFindings(const Task& task) : Findings(task.settings.outcome_width()) {}
    // Counts the outcome that is left to be counted.
    void settle(const Settings& settings) { outcomes_complete &= outcomes.settle(settings.outcome_limit); }

    std::vector<Trace> traces;
    bool paused = false;  // there are as many as are kept at a time
    Trace witness;        // of a violation; without ends: there is none
    std::int32_t culprit = -1;
    HashSet seen;                // executions
    std::int64_t evaluated = 0;  // the work of what was

    // All that was done (model/plan.hpp).
    std::int64_t done() const { return evaluated + work::GRAPH * (counters.explored + counters.dead_ends); }
};

}  // namespace xgen
