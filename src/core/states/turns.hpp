// Runs of a program's code in which threads take turns, as they do under sequential consistency, and the fair cycles of
// these runs in which somebody writes: threads that undo each other's work for ever.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "code/machine.hpp"

namespace xgen::turns {

// What a thread does in a turn: at an instruction, on a cell (-1: none); what it reads and writes there, or has chosen.
struct Turn {
    int thread = 0;
    std::int32_t pc = 0, cell = -1;
    bool reads = false, writes = false;
    std::int64_t read = 0, written = 0;
};

class Turns {
public:
    // `counts`: by instruction, whether a write of it makes a round one that changes something. `takes`: by instruction,
    // whether an update that writes takes a mutex there. At most 64 threads, and none of: accesses of several parts,
    // exclusive ones, atomic blocks, predictions, barriers.
    Turns(const Code& code, std::vector<bool> counts, std::vector<bool> takes);

    // Goes on until so many states are there; whether there are more.
    bool explore(std::size_t limit);
    // Looks for a fair cycle among the states that there are, and for the shortest way to one.
    bool find();

    std::size_t states() const { return parents_.size(); }
    // Words that a state takes.
    int width() const { return width_; }
    bool complete() const { return complete_; }  // nothing was left out that threads may do
    bool wrong() const { return wrong_; }        // a thread comes to an error
    const std::vector<Turn>& prefix() const { return prefix_; }
    const std::vector<Turn>& cycle() const { return cycle_; }
    // Where each thread stands in the cycle's first state: its status, and its instruction.
    std::vector<std::pair<Status, std::int32_t>> standing() const;

private:
    using Word = std::int64_t;
    struct Edge {
        std::int32_t from, to, thread;
        bool counts;
        std::int64_t choice;
    };
    // A thread's words: these, then its locals.
    enum : int { PC, STATUS, STARTED, A, B, EXPECTED, LOCALS };

    const Word* at(std::int32_t state) const { return words_.data() + static_cast<std::size_t>(state) * width_; }
    ThreadState load(const Word* state, int thread) const;
    void save(Word* state, int thread, ThreadState& now) const;
    bool settles(const Word* state, int thread);
    void start();
    bool able(const Word* state, int thread) const;
    void expand(std::int32_t state);
    bool take(const Word* from, int thread, std::int64_t choice, Turn& turn);
    bool access(int thread, ThreadState& now, Turn& turn);
    std::int32_t number(std::int32_t parent);
    void parts(const std::vector<std::int32_t>& members, std::vector<std::vector<std::int32_t>>& found);
    void look_at(const std::vector<std::int32_t>& part, std::vector<std::vector<std::int32_t>>& left);
    void show();
    template <class F>
    std::int32_t lead(std::int32_t from, F&& wanted, std::vector<std::int32_t>& way) const;
    std::vector<Turn> turns(const std::vector<std::int32_t>& edges);

    const Code& code_;
    std::vector<bool> counts_, takes_;
    Machine machine_;
    int width_ = 0, cells_ = 0, owners_ = -1, written_ = -1;  // where these words start; -1: nobody needs them
    std::vector<int> threads_;
    std::vector<Word> words_, next_;
    std::vector<Edge> edges_;
    std::vector<std::size_t> first_;       // by state that was looked at: its first edge; then the number of edges
    std::vector<std::int32_t> parents_;    // the edge by which a state was found, -1
    std::vector<std::uint64_t> enabled_;   // the threads that can take a turn
    std::vector<std::int32_t> table_;      // states by their words, open addressing
    bool complete_ = true, wrong_ = false;

    // Of the search for parts: of which set a state is now, its number in this search, the least number that it leads back
    // to, and whether it is on the stack.
    std::vector<std::int32_t> member_, index_, low_;
    std::vector<bool> stacked_;
    std::int32_t sets_ = 0;
    std::vector<std::int32_t> best_;       // the part with a cycle
    std::uint64_t steps_ = 0;              // who takes turns there
    std::vector<Turn> prefix_, cycle_;
    std::int32_t entry_ = -1;
};

}  // namespace xgen::turns
