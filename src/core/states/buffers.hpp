// Store buffers of bounded length, laid out in the words of a state.
//
// SC has none. Under TSO each process has one queue of `room` stores; under PSO one for each cell. CAM is TSO with at
// most one store to each cell in a queue: a later one waits until the earlier one is in memory.
//
// With fences between stores, under PSO, each process counts those that its next store is behind, and each of its stores has
// the number that it is behind: stores behind none reach memory, and when there are no more of these, all numbers go down.
#pragma once

#include <algorithm>

#include "packing.hpp"

namespace xgen::states {

enum class Order : std::uint8_t { SC, TSO, PSO, CAM };

class Buffers {
public:
    Buffers(Order order, int room, int processes, int cells, int offset, bool fenced)
        : order_(order),
          room_(order == Order::CAM ? cells : room),
          processes_(processes),
          cells_(cells),
          offset_(offset),
          fenced_(fenced && order == Order::PSO),
          width_(order != Order::PSO || fenced ? 2 : 1) {}

    int queues() const { return order_ == Order::SC ? 0 : order_ == Order::PSO ? processes_ * cells_ : processes_; }
    int words() const { return queues() * stride() + (fenced_ ? processes_ : 0); }
    int process_of(int queue) const { return order_ == Order::PSO ? queue / cells_ : queue; }
    // The ranges of the words, where stored values have the given one.
    Ranges ranges(std::pair<Word, Word> values) const {
        const auto first = std::min(values.first, 0), last = std::max(values.second, 0);  // what is not used is 0
        Ranges found;
        for (int queue = 0; queue < queues(); ++queue) {
            found.emplace_back(0, room_);
            for (int n = 0; n < room_; ++n) {
                if (width_ == 2) found.emplace_back(0, fenced_ ? room_ * cells_ : cells_);
                found.emplace_back(first, last);
            }
        }
        if (fenced_) found.insert(found.end(), static_cast<std::size_t>(processes_), {0, room_ * cells_});
        return found;
    }
    bool is_empty(const Word* state, int queue) const { return at(state, queue)[0] == 0; }

    // What a process reads of its own stores: true and the newest one of the cell, or false.
    bool newest(const Word* state, int process, int cell, Word& value) const {
        if (order_ == Order::SC) return false;
        const Word* queue = at(state, queue_of(process, cell));
        if (order_ == Order::PSO) {
            if (queue[0]) value = queue[width_ * queue[0]];
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
        if (fenced_) queue[2 * n - 1] = *behind(state, process);
        else if (width_ == 2) queue[2 * n - 1] = cell;
        queue[width_ * n] = value;
    }
    // Whether the oldest store of a queue can become visible; and doing that.
    bool flushes(const Word* state, int queue) const { return !is_empty(state, queue) && (!fenced_ || at(state, queue)[1] == 0); }
    void flush(Word* state, int queue) const {
        Word* q = at(state, queue);
        state[order_ == Order::PSO ? queue % cells_ : q[1]] = q[width_];
        const int used = 1 + width_ * q[0];
        std::copy(q + 1 + width_, q + used, q + 1);
        std::fill(q + used - width_, q + used, 0);
        --q[0];
        if (fenced_) pass(state, process_of(queue));
    }
    // A fence between stores: those after it are behind one more, if there are any before it that the last is not before.
    void fence(Word* state, int process) const {
        if (fenced_ && has_behind(state, process, *behind(state, process))) ++*behind(state, process);
    }
    // Whether an update of a cell can be carried out in memory: not before stores to the cell, nor before those that a fence
    // keeps before it.
    bool is_clear(const Word* state, int process, int cell) const {
        return is_empty(state, queue_of(process, cell)) && (!fenced_ || *behind(state, process) == 0);
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
            found.emplace_back(order_ == Order::PSO ? queue % cells_ : q[2 * n - 1], q[width_ * n]);
        }
        return found;
    }

private:
    int stride() const { return 1 + width_ * room_; }
    Word* behind(Word* state, int process) const { return state + offset_ + queues() * stride() + process; }
    const Word* behind(const Word* state, int process) const { return state + offset_ + queues() * stride() + process; }
    // Whether a process has stores that are behind so many fences.
    bool has_behind(const Word* state, int process, Word fences) const {
        for (int cell = 0; cell < cells_; ++cell) {
            const Word* q = at(state, queue_of(process, cell));
            for (Word n = 1; n <= q[0]; ++n)
                if (q[2 * n - 1] == fences) return true;
        }
        return false;
    }
    // The first fence goes, if no stores are before it any more.
    void pass(Word* state, int process) const {
        if (*behind(state, process) == 0 || has_behind(state, process, 0)) return;
        --*behind(state, process);
        for (int cell = 0; cell < cells_; ++cell) {
            Word* q = at(state, queue_of(process, cell));
            for (Word n = 1; n <= q[0]; ++n) --q[2 * n - 1];
        }
    }
    int queue_of(int process, int cell) const { return order_ == Order::PSO ? process * cells_ + cell : process; }
    Word* at(Word* state, int queue) const { return state + offset_ + queue * stride(); }
    const Word* at(const Word* state, int queue) const { return state + offset_ + queue * stride(); }

    Order order_;
    int room_, processes_, cells_, offset_;
    bool fenced_;
    int width_;  // words of a store: a cell or a number of fences, and the value; under PSO without fences the value
};

}  // namespace xgen::states
