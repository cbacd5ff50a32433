// Memory that nothing leads to when a program ends.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "graph/graph.hpp"

namespace xgen {

// What of a program's memory there is to look at; the front ends say which of it stays (program/automaton.py).
struct Leaks {
    // Some bytes of a block as they are at first, and the cells among them, which executions write: at which byte each is, and
    // of how many.
    struct Cell {
        std::int32_t cell, place, width;
    };
    struct Span {
        std::vector<std::uint8_t> bytes;
        std::vector<Cell> cells;
    };
    struct Block {
        std::int64_t address = 0, size = 0;
        bool root = false;                 // it is there until the end, and does not leak
        bool silent = false;               // it is the library's own: what it leads to may leak, it does not
        std::int32_t object = -1;          // the first of its cells, if it is allocated or freed by events
        std::int32_t first = 0;            // how often it is allocated before there are events
        std::vector<std::int32_t> leads;   // the blocks to which bytes lead that are in no span
        std::vector<Span> spans;
    };

    std::vector<Block> blocks;             // by their addresses, ascending; none: nobody asks
    std::vector<std::int8_t> lifetimes;    // by event class: 1, it allocates; -1, it frees
    std::int32_t unless = -1;              // a cell: of an execution in which it is not 0 at the end nothing is said

    bool asked() const { return !blocks.empty(); }
    // The block that an address is in, or right behind; -1: in none. What is kept in the highest 16 bits is a tag.
    std::int32_t at(std::int64_t address) const {
        address &= (std::int64_t{1} << 48) - 1;
        auto behind = std::ranges::upper_bound(blocks, address, {}, &Block::address);
        if (behind == blocks.begin()) return -1;
        --behind;
        return address - behind->address <= behind->size ? static_cast<std::int32_t>(behind - blocks.begin()) : -1;
    }
};

// Looks at one execution after the other.
class LeakFinder {
public:
    explicit LeakFinder(const Leaks& leaks) : leaks_(leaks) {}

    // The blocks that are there at the end of a complete execution and that nothing leads to: of those to which only others of
    // these lead, none, and one of each circle.
    template <int W>
    std::vector<std::int32_t> look(const Graph<W>& graph) {
        if (leaks_.unless >= 0 && value(graph, leaks_.unless) != 0) return {};
        const auto count = static_cast<std::int32_t>(leaks_.blocks.size());
        const std::vector<bool> there = still_there(graph);
        std::vector<bool> reached(count, false);
        for (std::int32_t b = 0; b < count; ++b)
            if (leaks_.blocks[b].root && there[b]) follow(graph, b, there, reached);
        std::vector<std::int32_t> found;
        std::vector<bool> covered(count, false);
        for (std::int32_t b = 0; b < count; ++b) {
            if (!there[b] || reached[b] || covered[b] || leaks_.blocks[b].silent) continue;
            std::vector<bool> behind(count, false);
            follow(graph, b, there, behind);
            std::erase_if(found, [&](std::int32_t other) { return behind[other]; });
            found.push_back(b);
            for (std::int32_t other = 0; other < count; ++other) covered[other] = covered[other] || behind[other];
        }
        return found;
    }

private:
    template <int W>
    static std::int64_t value(const Graph<W>& graph, std::int32_t cell) {
        return graph.events[graph.mo_last[cell]].value;
    }

    // By block: whether it was allocated more often than it was freed.
    template <int W>
    std::vector<bool> still_there(const Graph<W>& graph) const {
        std::vector<std::int32_t> by_object(graph.cells, 0);
        for (int s = graph.cells; s < graph.size(); ++s) {
            const Event& event = graph.events[s];
            if (event.kind == EventKind::FENCE && event.object >= 0)
                by_object[event.object] += leaks_.lifetimes[event.event_class];
        }
        std::vector<bool> there;
        for (const Leaks::Block& block : leaks_.blocks)
            there.push_back(block.first + (block.object < 0 ? 0 : by_object[block.object]) > 0);
        return there;
    }

    // Marks what a block leads to, which is there, and the block itself.
    template <int W>
    void follow(const Graph<W>& graph, std::int32_t block, const std::vector<bool>& there, std::vector<bool>& marked) {
        marked[block] = true;
        std::vector<std::int32_t> todo{block};
        auto lead = [&](std::int32_t to) {
            if (to < 0 || marked[to] || !there[to]) return;
            marked[to] = true;
            todo.push_back(to);
        };
        while (!todo.empty()) {
            const Leaks::Block& from = leaks_.blocks[todo.back()];
            todo.pop_back();
            for (std::int32_t to : from.leads) lead(to);
            for (const Leaks::Span& span : from.spans) {
                bytes_ = span.bytes;
                for (const auto& [cell, place, width] : span.cells) put(value(graph, cell), place, width);
                for (std::size_t place = 0; place + 8 <= bytes_.size(); ++place) lead(leaks_.at(word(place)));
            }
        }
    }

    void put(std::int64_t value, std::int32_t place, std::int32_t width) {
        for (std::int32_t k = 0; k < width; ++k)
            bytes_[place + k] = static_cast<std::uint8_t>(static_cast<std::uint64_t>(value) >> 8 * k);
    }

    std::int64_t word(std::size_t place) const {
        std::uint64_t word = 0;
        for (std::size_t k = 8; k-- > 0;) word = word << 8 | bytes_[place + k];
        return static_cast<std::int64_t>(word);
    }

    const Leaks& leaks_;
    std::vector<std::uint8_t> bytes_;  // of the span that is looked at
};

}  // namespace xgen
