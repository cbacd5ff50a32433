// Store buffers of bounded length, laid out in the words of a state.
//
// SC has none. Under TSO each process has one queue of `room` stores; under PSO one for each cell. CAM is TSO with at
// most one store to each cell in a queue: a later one waits until the earlier one is in memory.
#pragma once

#include <algorithm>

#include "packing.hpp"

namespace xgen::states {

enum class Order : std::uint8_t { SC, TSO, PSO, CAM };

class Buffers {
public:
    Buffers(Order order, int room, int processes, int cells, int offset)
        : order_(order), room_(order == Order::CAM ? cells : room), processes_(processes), cells_(cells), offset_(offset) {}

    int queues() const { return order_ == Order::SC ? 0 : order_ == Order::PSO ? processes_ * cells_ : processes_; }
    int words() const { return queues() * stride(); }
    int process_of(int queue) const { return order_ == Order::PSO ? queue / cells_ : queue; }
    // The ranges of the words, where stored values have the given one.
    Ranges ranges(std::pair<Word, Word> values) const {
        const auto first = std::min(values.first, 0), last = std::max(values.second, 0);  // what is not used is 0
        Ranges found;
        for (int queue = 0; queue < queues(); ++queue) {
            found.emplace_back(0, room_);
            for (int n = 0; n < room_; ++n) {
                if (order_ != Order::PSO) found.emplace_back(0, cells_);
                found.emplace_back(first, last);
            }
        }
        return found;
    }
    bool is_empty(const Word* state, int queue) const { return at(state, queue)[0] == 0; }

    // What a process reads of its own stores: true and the newest one of the cell, or false.
    bool newest(const Word* state, int process, int cell, Word& value) const {
        if (order_ == Order::SC) return false;
        const Word* queue = at(state, queue_of(process, cell));
        if (order_ == Order::PSO) {
            if (queue[0]) value = queue[queue[0]];
            return queue[0] > 0;
        }
        for (Word n = queue[0]; n > 0; --n) {
            if (queue[2 * n - 1] != cell) continue;
            value = queue[2 * n];
            return true;
        }
        return false;
    }
    // Whether the queue takes another store to the cell.
    bool takes(const Word* state, int process, int cell) const {
        const Word* queue = at(state, queue_of(process, cell));
        if (order_ == Order::CAM)
            for (Word n = queue[0]; n > 0; --n)
                if (queue[2 * n - 1] == cell) return false;
        return queue[0] < room_;
    }
    // A store of a process: into its queue, or under SC to memory, the first words of the state.
    void store(Word* state, int process, int cell, Word value) const {
        if (order_ == Order::SC) {
            state[cell] = value;
            return;
        }
        Word* queue = at(state, queue_of(process, cell));
        const Word n = ++queue[0];
        if (order_ == Order::PSO) {
            queue[n] = value;
            return;
        }
        queue[2 * n - 1] = cell;
        queue[2 * n] = value;
    }
    // The oldest store of a queue that is not empty becomes visible.
    void flush(Word* state, int queue) const {
        Word* q = at(state, queue);
        const int width = order_ == Order::PSO ? 1 : 2;
        if (order_ == Order::PSO) state[queue % cells_] = q[1];
        else state[q[1]] = q[2];
        const int used = 1 + width * q[0];
        std::copy(q + 1 + width, q + used, q + 1);
        std::fill(q + used - width, q + used, 0);
        --q[0];
    }
    bool is_drained(const Word* state, int process) const {
        for (int queue = 0; queue < queues(); ++queue)
            if (process_of(queue) == process && !is_empty(state, queue)) return false;
        return true;
    }
    // The stores of a queue, the oldest one first: cells and values.
    std::vector<std::pair<int, Word>> stores(const Word* state, int queue) const {
        std::vector<std::pair<int, Word>> found;
        const Word* q = at(state, queue);
        for (Word n = 1; n <= q[0]; ++n) {
            if (order_ == Order::PSO) found.emplace_back(queue % cells_, q[n]);
            else found.emplace_back(q[2 * n - 1], q[2 * n]);
        }
        return found;
    }

private:
    int stride() const { return order_ == Order::PSO ? 1 + room_ : 1 + 2 * room_; }
    int queue_of(int process, int cell) const { return order_ == Order::PSO ? process * cells_ + cell : process; }
    Word* at(Word* state, int queue) const { return state + offset_ + queue * stride(); }
    const Word* at(const Word* state, int queue) const { return state + offset_ + queue * stride(); }

    Order order_;
    int room_, processes_, cells_, offset_;
};

}  // namespace xgen::states
