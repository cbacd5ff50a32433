// Processes with guarded steps over shared cells, each behind its store buffer: what a state is, and what follows it.
//
// A state is a row of words: the shared cells, for each process its place and its locals, and the buffers. A process reads
// its own stores before memory.
#pragma once

#include <string>

#include "buffers.hpp"

namespace xgen::states {

struct Target {
    bool shared = false;
    int first = 0;      // the cell, or the word of the state
    int size = 1;       // of the array
    Formula index;      // empty: the first one
    int low = 0, high = 0;  // values are wrapped into this range; one of all 32 bits must not be left
};

// What a step does, for Python as well. ASSUME: it cannot be taken where the value does not hold; ASSERT: something goes
// wrong there. CLEAR: it waits for the process' own stores to the cell, and to those before the last fence between stores.
// RESERVE: a load exclusive of the cell; RELEASE: the end of what is reserved; EXCLUSIVE: an ASSIGN of a cell, which has to
// be reserved.
#define XGEN_EFFECTS(X) X(ASSIGN) X(ASSUME) X(ASSERT) X(CLEAR) X(RESERVE) X(RELEASE) X(EXCLUSIVE)

struct Effect {
    enum Kind : std::uint8_t {
#define XGEN_NAME(name) name,
        XGEN_EFFECTS(XGEN_NAME)
#undef XGEN_NAME
    };
    Kind kind = ASSIGN;
    Target target;
    Formula value;
};

struct Transition {
    int process = 0;
    int from = 0, to = 0;
    Formula guard;  // empty: true
    std::vector<Effect> effects;
    bool atomic = false;    // waits until the process' own stores are in memory, and stores to memory at once
    bool fences = false;    // keeps the process' stores before it before those after it
    bool direct = false;    // stores to memory at once, each as soon as its cell is clear
    bool together = false;  // its stores reach memory together
    bool watches = false;   // it is doubtful where it reads a store of the process that is not in memory
    int partner = -1;       // of a handshake: the process that moves as well, from and to where
    int partner_from = 0, partner_to = 0;
};

struct Process {
    int place = 0;  // the word of the state
    std::vector<char> committed;  // per place: while one stands there, only such processes move
    std::vector<Formula> asserts;  // per place: what has to hold there; empty: nothing
};

// A step: of a process by one of its transitions, or of a queue that flushes. STAND: nothing can move any more.
#define XGEN_STEPS(X) X(MOVE) X(FLUSH) X(STAND)

struct Step {
    enum Kind : std::uint32_t {
#define XGEN_NAME(name) name,
        XGEN_STEPS(XGEN_NAME)
#undef XGEN_NAME
    };
    Kind kind : 2 = STAND;
    std::uint32_t number : 30 = 0;  // of the transition or the queue
    std::int32_t to = -1;           // the number of the state that it leads to
};

struct System {
    int cells = 0;
    std::vector<Word> initial;  // without buffers
    Ranges ranges;  // of the words of `initial`
    std::vector<Process> processes;
    std::vector<Transition> transitions;
    std::vector<Formula> propositions;
    Order order = Order::SC;
    int room = 0;
    bool fair = true;     // to processes; buffers always are
    bool strict = false;  // without steps that are doubtful
    int first_mark = 0;

    Buffers::Features features() const {
        Buffers::Features found;
        for (const Transition& t : transitions) {
            found.fences |= t.fences;
            found.groups |= t.together && order != Order::SC;
            for (const Effect& e : t.effects) found.exclusives |= e.kind == Effect::RESERVE || e.kind == Effect::EXCLUSIVE;
        }
        return found;
    }

    // Whether something may go wrong in some step, or where a process stands.
    bool can_fail() const {
        for (const Process& p : processes)
            for (const Formula& claim : p.asserts)
                if (!claim.empty()) return true;
        for (const Transition& t : transitions) {
            if (states::can_fail(t.guard)) return true;
            for (const Effect& e : t.effects)
                if (e.kind == Effect::ASSERT || states::can_fail(e.value) || can_miss(e.target)) return true;
        }
        return false;
    }
    // Whether an index may be out of range.
    static bool can_miss(const Target& target) {
        if (target.index.empty()) return false;
        const Instruction& only = target.index.front();
        return target.index.size() > 1 || only.op != Op::CONSTANT || only.a < 0 || only.a >= target.size;
    }
};

class Successors {
public:
    explicit Successors(const System& system)
        : system_(system),
          buffers_(system.order, system.room, static_cast<int>(system.processes.size()), system.cells, static_cast<int>(system.initial.size()),
                   system.features()),
          by_process_(system.processes.size()) {
        for (std::size_t n = 0; n < system.transitions.size(); ++n) {
            const Transition& t = system.transitions[n];
            by_process_[t.process].push_back(static_cast<int>(n));
            const std::uint64_t moving = 1ULL << t.process | (t.partner < 0 ? 0 : 1ULL << t.partner);
            movers_.push_back(system.fair ? moving << system.first_mark : 0);
        }
    }

    int words() const { return static_cast<int>(system_.initial.size()) + buffers_.words(); }
    const Buffers& buffers() const { return buffers_; }
    // Of all words of a state.
    Ranges ranges() const {
        Ranges all = system_.ranges;
        std::pair<Word, Word> stored{0, 0};
        for (int c = 0; c < system_.cells; ++c) {
            stored.first = std::min(stored.first, all[c].first);
            stored.second = std::max(stored.second, all[c].second);
        }
        const Ranges more = buffers_.ranges(stored);
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }
    // Of fairness: one for each process, unless they need not be fair, and one for each queue.
    int marks() const { return fair() + buffers_.queues(); }
    // The mark of what moves in a step.
    std::uint64_t marks(Step step) const {
        if (step.kind == Step::MOVE) return movers_[step.number];
        return step.kind == Step::FLUSH ? 1ULL << (system_.first_mark + fair() + static_cast<int>(step.number)) : 0;
    }

    // What follows a state: steps, and the states that they lead to, behind those that are there.
    // False: something goes wrong; `fault` and `culprit`, a transition or a process, say what.
    bool of(const Word* state, std::vector<Step>& steps, std::vector<Word>& after);
    // Which propositions hold; of memory, not of buffers.
    std::uint64_t propositions(const Word* state);

    Fault fault = Fault::NONE;
    int culprit = -1;
    bool waited = false;       // some process had to wait for room in its buffer
    bool doubtful = false;     // some step is: it may be none of the model
    std::uint64_t rested = 0;  // the marks of what could not move, which all steps have

private:
    int fair() const { return system_.fair ? static_cast<int>(system_.processes.size()) : 0; }
    std::int64_t value(const Formula& code, const Word* state, int process);
    bool holds_asserts(const Word* state);
    std::int64_t index(const Target& target, const Word* state, int process);
    bool may_start(const Word* state, const Transition& t);
    bool move(const Word* state, int number, std::vector<Word>& after);
    bool carry_out(const Effect& effect, const Transition& t);
    bool assign(const Effect& effect, const Transition& t, int place);
    bool put(const Transition& t, const Buffers::Store& store);
    bool put_together(const Transition& t);
    bool write(const Transition& t, const Buffers::Store& store);

    const System& system_;
    Buffers buffers_;
    std::vector<std::vector<int>> by_process_;
    std::vector<std::uint64_t> movers_;  // per transition
    std::vector<std::int64_t> stack_;
    std::vector<Word> next_;
    std::vector<Buffers::Store> group_;
    bool forwarded_ = false;  // a process has read a store of its own that is not in memory
    bool held_ = false;       // by what other processes have reserved: for a while only
};

}  // namespace xgen::states
