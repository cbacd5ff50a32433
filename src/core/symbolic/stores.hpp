// What threads have still to store under PSO, as parts of a symbolic state: buffers, and stores of blocks that wait in
// several of them. What only one thread accesses, and not in blocks or exclusively, needs no buffer: nobody can tell.
//
// A block that only stores, to several cells, may reach the memory later than what comes behind it, but as a whole. In each
// of its buffers there is a mark where it is. Blocks of a thread with the same cells are a *family*, whose word has what they
// store: a run of letters for each mark, the last letter of which is always there. Of blocks with nothing between, in any
// of their buffers, one that is not the last may be lost as a single store may: it reaches the memory together with the next
// one. They are one run. What is before a mark in a buffer may be lost as well; no block with another one behind it that
// stores to other cells is, nor one with a single store in between.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "automata.hpp"
#include "ideals.hpp"

namespace xgen::symbolic {

class Stores {
public:
    struct Buffer {
        int thread, cell, slot;  // the slot is its place in the state
    };
    struct Family {
        int thread, slot;
        std::vector<std::int32_t> cells;  // sorted
    };
    using Changes = std::vector<std::pair<int, std::int32_t>>;  // slots, and what is in them then
    struct Entry {
        std::int32_t cell;
        std::int64_t value;
        Ideals::Pledge pledge;
    };
    // What may reach the memory next: several stores are those of a block.
    struct First {
        int thread;
        std::vector<Entry> stores;
        bool last;  // of the buffer, or of the run
        Changes rest;
    };
    // What a store exclusive may be paired with: it is in the buffer, or (not pledged) it is in memory.
    struct Pairing {
        bool pledged;
        Changes taken;
    };

    // The slots begin at `first`. `apart`: stores of a block are taken for single ones.
    Stores(const Automata& automata, Ideals& ideals, int first, bool apart);

    const std::vector<Buffer>& buffers() const { return buffers_; }
    const std::vector<Family>& families() const { return families_; }
    int slots() const { return static_cast<int>(buffers_.size() + families_.size()); }
    // Where the buffer is in the state, -1: there is none.
    int slot_of(int thread, std::int32_t cell) const { return slots_[thread][cell]; }
    bool holds_back(const std::int32_t* state, int thread, std::int32_t cell) const {
        return slot_of(thread, cell) >= 0 && state[slot_of(thread, cell)] != 0;
    }
    // Whether all that the thread has stored is in memory.
    bool drained(const std::int32_t* state, int thread) const;
    // The value that the thread has stored to the cell last, of what is not in memory yet.
    std::int64_t newest(const std::int32_t* state, int thread, std::int32_t cell) const;
    // A load exclusive has read that.
    void reserve(std::vector<std::int32_t>& state, int thread, std::int32_t cell) const;
    std::vector<Pairing> pairings(const std::int32_t* state, int thread, std::int32_t cell) const;
    // The thread stores: cell, value, cell, value, ... False: there is more than `most` in a buffer (-1: no limit).
    bool put(std::vector<std::int32_t>& state, int thread, const std::vector<std::int64_t>& stores, int most) const;
    std::vector<First> firsts(const std::int32_t* state) const;
    // Without all that may be lost.
    void lose(std::vector<std::int32_t>& state) const;

private:
    // An atom of a buffer, or of a run that is marked there.
    struct Place {
        int slot;
        std::size_t at;
        Ideals::Token token;
        bool always;  // it cannot be lost
    };
    int newest_slot(const std::int32_t* state, int thread, std::int32_t cell) const;
    std::vector<Place> line(const std::int32_t* state, int thread, std::int32_t cell) const;
    Changes take(const std::int32_t* state, std::int32_t cell, const std::vector<Place>& line, std::size_t from,
                 std::int32_t letter) const;
    void find_families(const Automata& automata, int thread);
    bool is_run(int slot) const { return slot >= first_family_; }

    Ideals& ideals_;
    std::vector<Buffer> buffers_;
    std::vector<Family> families_;
    std::vector<std::vector<int>> slots_;
    int first_family_;
};

}  // namespace xgen::symbolic
