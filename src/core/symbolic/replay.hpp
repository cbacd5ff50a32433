// Runs a way through symbolic states step by step: the execution that it stands for.
//
// A thread stands at a moment, 0 before the first store reached the memory, n after the nth. It reads its own newest store
// where that comes later, or moves to the first moment from there on at which the memory has the value. The rounds of a
// loop by which a state was accelerated are run as often as it takes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "prove.hpp"

namespace xgen::symbolic {

class Replay {
public:
    static constexpr std::size_t MAX_EVENTS = 16'000;
    static constexpr int ATTEMPTS = 1000;

    explicit Replay(Automata& automata);

    // The execution at the end of the way; none where that takes too many events.
    // `racing`: threads that then do their next event, or (-1, -1).
    std::optional<Trace> find(const std::vector<Prover::Step>& path, bool deadlock, std::pair<int, int> racing);

private:
    struct Write {
        std::int32_t slot, moment;  // when it reached the memory
        int thread;
    };

    void reset();
    // A value that a thread stores into its buffer; thread -1: that reaches the memory.
    struct Stored {
        int thread;
        std::int32_t cell;
        std::int64_t value;
        bool operator==(const Stored&) const = default;
    };

    bool play(const std::vector<Prover::Step>& path, int from, int to);
    bool play(const Move& move);
    bool begin(const Move& move);
    bool step(const Move& move);
    bool enter(int thread);
    bool read(int thread, std::int32_t cell, const Move& move, bool at_once, std::int32_t& source);
    bool read_in_block(int thread, std::int32_t cell, const Move& move, bool first, std::int32_t& source);
    bool is_fresh(int thread, const std::vector<Write>& order, std::size_t place) const;
    bool go(int thread, std::int32_t node, std::vector<Automata::Stand>& stands, const Automata::Stand& from);
    std::int32_t add(int thread, EventKind kind, std::int32_t event_class, std::int32_t cell, std::int64_t value);
    void commit(int thread, std::int32_t slot);
    bool commit(const Move& move);
    bool commit_block(const Move& move);
    std::vector<std::int32_t> waiting_in(int thread, std::int32_t block) const;
    void pledge(int thread, std::int32_t cell);
    Ideals::Pledge pledge_of(std::int32_t slot) const {
        const auto found = pledges_.find(slot);
        return found == pledges_.end() ? Ideals::FREE : found->second;
    }
    bool drained(int thread) const;
    void end(bool deadlock, std::pair<int, int> racing);
    void perform(int thread);
    void block(int thread);
    std::int64_t value(std::int32_t slot) const {
        return slot < static_cast<std::int32_t>(code_.cells.size()) ? automata_.first(slot) : trace_.events[slot].event.value;
    }

    Automata& automata_;
    const Code& code_;
    Trace trace_;
    std::vector<Automata::Stand> stands_;
    std::vector<std::int32_t> at_;                       // the moment of each thread
    std::vector<std::int32_t> last_, started_, loaded_;  // per thread: slots of its last event, its start, its last load exclusive
    std::vector<std::vector<Write>> writes_;             // per cell, in the order of memory
    std::vector<std::vector<std::vector<std::int32_t>>> buffers_;  // per thread and cell
    std::map<std::int32_t, Ideals::Pledge> pledges_;               // of slots of stores in buffers
    std::vector<Move> block_moves_;                                // the stores of a block, until all are there
    std::vector<std::int32_t> counts_;
    std::int32_t now_ = 0;
    bool retry_ = false;                        // a block is to be at a later moment
    std::int32_t committed_ = 0;                // the block of the last store that reached the memory
    std::int32_t blocks_ = 0, block_ = 0;       // atomic blocks so far; that of the present event, 0: none
    std::vector<std::int32_t> block_of_;        // per thread: the last one that it was in
    std::vector<std::int32_t> in_block_;        // per slot
    std::vector<std::int32_t> earliest_;        // per block: the moments before that one have been tried
    std::vector<int> rounds_;                   // per step of the way: how often its loop is run again
    std::vector<std::vector<Stored>> stored_;   // per step of the way
    int place_ = 0;                             // the step
    Stored missing_{-1, -1, 0};
};

}  // namespace xgen::symbolic
