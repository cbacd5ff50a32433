// The threads of a program as finite automata.
//
// A thread stands at an event, or has come to its end; what it computes between two events, and what it chooses there, is
// part of the step before. Its automaton has a state for each place and each valuation of the locals that it can come to
// when loads return any value that the cell is known to have; states that do the same for ever are one (partition
// refinement).
//
// A load, or an update that writes nothing, which returns a value with which the thread would be blocked at once (an
// `assume` behind it) is no step: the thread waits. Likewise a choice that leads there.
//
// Where deadlocks are looked for, a node also says what else its thread could do in its place: the *siblings*. A choice among
// the edges of a location is one with the event that comes next, so the thread stands for ever only if none of them can go on.
// The end of an edge is a step, and so are a value that is chosen, and an edge that starts with a lock or a join: who is there
// does not go back. But who could go there can go on, or is as stuck there.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "code/machine.hpp"
#include "tables.hpp"

namespace xgen::symbolic {

enum class Memory : std::uint8_t { SC, TSO, PSO };

// What an event of some class waits for, and what it does to the past of its thread.
enum class Strength : std::uint8_t {
    NONE,    // nothing
    STORES,  // of a fence: all earlier stores are in memory; of an update: those to its cell, and it sees what is there now
    FULL,    // all earlier stores are in memory, and it and later loads see what is there now
};

enum class Act : std::uint8_t {
    READ,
    WRITE,
    UPDATE,   // a read that writes or not, depending on the value
    FENCE,
    ALLOC,    // an object
    FREE,     // likewise
    START,
    JOIN,
    IDLE,     // waits for its start
    ENDED,
    STUCK,    // blocked for good
    ENDLESS,  // runs on without events
    ERROR,
    CUT,      // at a call that is nested too deep
    LOST,     // where the machine does not know how to go on: see `why`
};

inline bool is_access(Act act) { return act == Act::READ || act == Act::WRITE || act == Act::UPDATE; }

// Why a thread is LOST.
enum class Lost : std::uint8_t {
    NONE,
    RUNAWAY,  // in a loop without any event that runs on and on
    MIXED,    // at an address inside a cell, or of a cell of another width
    WAITING,  // in an atomic block, where it waits for the end of another thread
};

// What a cell holds whose first value may not be read. No program stores it.
inline constexpr std::int64_t NOTHING = std::numeric_limits<std::int64_t>::min() + 0x6e6f7468696e67;

struct Control {
    struct Edge {
        std::int64_t value = 0;  // that is read
        bool writes = false;
        std::int64_t written = 0;
        Strength strength = Strength::NONE;  // of an update
        std::vector<std::int32_t> next;      // nodes, one for each choice
    };

    Act act = Act::STUCK;
    std::int32_t pc = 0;
    std::int32_t cell = -1;      // of READ, WRITE, UPDATE
    std::int32_t object = -1;    // of READ, WRITE, UPDATE, ALLOC, FREE: the first cell of the allocated object, -1: none
    std::int32_t thread = -1;    // of START, JOIN
    Strength strength = Strength::NONE;  // of FENCE, START, JOIN
    std::int8_t block = 0;       // 1: the first event of an atomic block, 2: a later one, before which the others stand still
    bool exclusive = false;      // a load or store exclusive
    std::int32_t reserved = -1;  // the cell that the last load exclusive has reserved
    bool eager = false;          // moving first, where it can move, loses nothing
    bool locks = false;          // an update that takes a mutex
    bool plain = false;          // an access that is not atomic
    bool seen_in_block = false;  // where `block` is 2: others have seen something of the block (told where deadlocks matter)
    std::int32_t siblings = 0;   // the number of a set of nodes; OTHERWISE among them: something that is always possible
    Lost why = Lost::NONE;
    std::int32_t seen = 0;       // the number of a set of cells: those that may be read before the next full fence
    std::int32_t ahead = 0;      // likewise: objects that may be accessed or freed from here on, and behind the cells those
                                 // that may be allocated
    std::int32_t shown = 0;      // of ENDED: the number of the locals that outcomes list
    std::vector<Edge> edges;     // by value; one for acts that read nothing

    static constexpr std::int32_t OTHERWISE = -1;

    const Edge* edge(std::int64_t value) const;
};

struct MachineSettings {
    Memory memory = Memory::SC;
    std::vector<Strength> strengths;               // per event class
    std::vector<std::vector<std::int32_t>> shown;  // locals that outcomes list, per thread; empty: outcomes are not asked for
    bool observe = false;
    std::vector<bool> plain;    // per event class: it is an access that is not atomic; empty: data races are no matter
    std::vector<Act> lifetimes;  // per event class of an OBJECT: ALLOC, FREE, or FENCE where it does not matter
    bool eager = true;  // some threads move first, where that loses nothing; else all interleavings are explored
    bool deadlocks = false;  // all of them matter, not only those of mutexes
};

// What a step that takes long throws when it is to stop.
struct Stopped {};

// Asks now and then whether to stop.
class Pulse {
public:
    std::function<bool()> stop;
    void operator()() {
        if (++count_ % 256 == 0 && stop && stop()) throw Stopped{};
    }

private:
    std::uint32_t count_ = 0;
};

class Automata {
public:
    enum class Fault : std::uint8_t { NONE, VALUES, LOCALS, RUNAWAY, MIXED, WAITING, OPERATION };
    static constexpr int KNOWN = 64;              // values of a cell that are taken to be possible before they are met,
    static constexpr std::size_t SMALL = 20'000;  // as long as there are no more states than these
    static constexpr int MAX_VALUES = 4096;      // of a cell, or from the first to the last of a havoc
    static constexpr std::size_t MAX_NODES = 200'000;

    Automata(const Code& code, MachineSettings settings);

    // Builds the automata anew for the values that are known. False: see `fault`. Throws Stopped as `pulse` does, and is to
    // be called again then.
    bool build();
    Pulse pulse;
    // A cell has that value. False where there are too many.
    bool add(std::int32_t cell, std::int64_t value);
    // Whether the automata are built for it.
    bool knows(std::int32_t cell, std::int64_t value) const;
    // An access in an atomic block that may be at the same time as what another thread does, as data races and objects go,
    // where states do not tell: its instruction, -1: there is none.
    std::int32_t veiled() const { return veiled_; }
    // Whether objects are allocated or freed.
    bool has_lifetimes() const { return lifetimes_; }

    const Code& code() const { return code_; }
    const MachineSettings& settings() const { return settings_; }
    int threads() const { return static_cast<int>(nodes.size()); }

    std::vector<std::vector<Control>> nodes;              // per thread
    std::vector<std::vector<std::int32_t>> initial;    // per thread: where it may stand first
    std::vector<std::vector<std::int32_t>> begin;      // likewise once it has been started
    std::vector<std::vector<std::int64_t>> values;     // per cell, sorted: those that it was seen to have
    Numbered<std::int32_t> seen;                       // sets of cells
    Numbered<std::int32_t> siblings;                   // sets of nodes of a thread
    Numbered<std::int64_t> shown;                      // values of locals

    Fault fault = Fault::NONE;
    std::int32_t fault_thread = -1, fault_item = -1;  // VALUES: the cell; LOCALS: the thread and its local; else the instruction

    // `held`: the mutexes in cells to which its last store was a lock's, sorted.
    struct Stand {
        ThreadState state;
        std::vector<std::int64_t> locals;
        std::vector<std::int32_t> held = {};
        std::int32_t group = 0;  // the number of a set of places: its siblings
    };
    // The node of a thread that stands somewhere, -1 where there is none.
    std::int32_t node_of(int thread, const Stand& at) const;
    // Where the thread may stand after it has run from from.state.pc on: one for each way of its choices.
    bool run(int thread, const Stand& from, std::vector<Stand>& stands);
    // What the cell holds at first.
    std::int64_t first(std::int32_t cell) const { return code_.undefined[cell] ? NOTHING : code_.cells[cell]; }
    // A thread has come to where it is LOST.
    void lose(Lost why, std::int32_t pc);
    // Where it may stand after its event, with the value that it reads. `writes`: an update does.
    bool step(int thread, const Stand& from, std::int64_t value, bool writes, std::int64_t& written, std::vector<Stand>& stands);
    bool is_waiting(const ThreadState& state) const;

private:
    struct Raw {
        int thread;
        Stand at;
        Control node;
    };

    bool build(bool all);
    bool make();
    // Where a thread chooses among edges, or has chosen a value. `next`: where it may go from there without any event, and
    // does not come back from; `stands`: what it may do at once.
    struct Spot {
        std::vector<std::size_t> next, stands;
    };
    void group(int thread, const std::vector<Spot>& spots, std::vector<Stand>& stands);
    bool may_wait(const Stand& at) const;
    std::vector<std::int64_t> place_of(int thread, const Stand& at) const;
    std::vector<std::int64_t> key(int thread, const Stand& at) const;
    void hold(const Instruction& i, std::int32_t cell, bool writes, Stand& next) const;
    void describe_event(Raw& raw);
    std::int32_t intern(int thread, const Stand& at);
    void describe(Raw& raw);
    bool connect(std::int32_t n, std::int64_t value);
    bool expect(std::int32_t cell, std::int64_t value);
    bool targets(std::int32_t from, const std::vector<Stand>& stands, bool visible, std::vector<std::int32_t>& next);
    void minimise();
    void find_blocks();
    void find_seen();
    void find_ahead();
    void find_veiled();
    void find_eager();
    void name_local();

    const Code& code_;
    MachineSettings settings_;
    Machine machine_;
    std::vector<Raw> raw_;
    std::unordered_map<std::vector<std::int64_t>, std::int32_t, HashVector> numbers_;
    Numbered<std::int64_t> places_;                         // of stands that have siblings, or are some
    Numbered<std::int32_t> groups_;                         // sets of places
    std::unordered_map<std::int32_t, std::int32_t> there_;  // per place: the first raw state there
    std::vector<std::int32_t> class_of_;                    // per raw state: its node
    std::vector<std::vector<std::int32_t>> readers_;        // per cell: raw states that read it
    std::vector<std::vector<std::int32_t>> raw_initial_, raw_begin_;
    std::vector<std::vector<std::int64_t>> expected_;       // per cell, sorted: the values, and some that may be written
    bool all_ = false;                                      // all that may be written are expected
    // Per instruction: where its piece of code starts, in which no event or choice is passed over. Who is in another piece, or
    // in an earlier place, has come to the end of an edge.
    std::vector<std::int32_t> piece_;
    std::vector<bool> unlocked_;                            // per cell: it may be a mutex in a cell that is unlocked
    bool lifetimes_ = false;
    std::int32_t veiled_ = -1;
};

}  // namespace xgen::symbolic
