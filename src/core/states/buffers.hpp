// Store buffers of bounded length, laid out in the words of a state.
//
// SC has none. Under TSO each process has one queue of `room` stores; under PSO one for each cell. CAM is TSO with at
// most one store to each cell in a queue: a later one waits until the earlier one is in memory.
//
// With fences between stores, under PSO, each process counts those that its next store is behind, and each of its stores has
// the number that it is behind: stores behind none reach memory, and when there are no more of these, all numbers go down.
//
// Stores of one atomic block are a *group* and reach memory together; a process numbers its groups from the oldest one on.
//
// A load exclusive *reserves* its cell. A reservation starts where what was read is in memory, at once or when it gets there;
// a store of another process that gets there later ends it. The store exclusive in a buffer has a *claim* to its cell, which
// starts likewise: from then on, until it is in memory itself, no other process' store to the cell can get there.
#pragma once

#include <algorithm>

#include "packing.hpp"

namespace xgen::states {

enum class Order : std::uint8_t { SC, TSO, PSO, CAM };

class Buffers {
public:
    // What there is in a system besides plain stores.
    struct Features {
        bool fences = false, groups = false, exclusives = false;
    };
    struct Store {
        int cell;
        Word value;
        Word read = PLAIN;  // of a store exclusive: where in the queue what was read is, from 1; 0: it is in memory
    };
    static constexpr Word PLAIN = -1;

    Buffers(Order order, int room, int processes, int cells, int offset, Features features)
        : order_(order), room_(order == Order::CAM ? cells : room), processes_(processes), cells_(cells), offset_(offset) {
        features_ = features;
        features_.fences &= order == Order::PSO;
        // The words of a store are, as far as they are needed: the cell, the number of fences, of the group, the claim, the value.
        cell_ = width_;
        width_ += order != Order::PSO;
        behind_ = width_;
        width_ += features_.fences;
        group_ = width_;
        width_ += features.groups;
        claim_ = width_;
        width_ += features.exclusives + 1;
    }

    int queues() const { return order_ == Order::SC ? 0 : order_ == Order::PSO ? processes_ * cells_ : processes_; }
    int words() const { return queues() * stride() + processes_ * (features_.fences + 2 * features_.exclusives); }
    int process_of(int queue) const { return order_ == Order::PSO ? queue / cells_ : queue; }
    // The ranges of the words, where stored values have the given one.
    Ranges ranges(std::pair<Word, Word> values) const {
        const auto first = std::min(values.first, 0), last = std::max(values.second, 0);  // what is not used is 0
        const int all = order_ == Order::PSO ? room_ * cells_ : room_;
        Ranges found;
        for (int queue = 0; queue < queues(); ++queue) {
            found.emplace_back(0, room_);
            for (int n = 0; n < room_; ++n) {
                if (order_ != Order::PSO) found.emplace_back(0, cells_);
                if (features_.fences) found.emplace_back(0, all);
                if (features_.groups) found.emplace_back(0, all);
                if (features_.exclusives) found.emplace_back(0, room_);
                found.emplace_back(first, last);
            }
        }
        if (features_.fences) found.insert(found.end(), static_cast<std::size_t>(processes_), {0, all});
        for (int p = 0; features_.exclusives && p < processes_; ++p) {
            found.emplace_back(0, cells_);
            found.emplace_back(0, room_);
        }
        return found;
    }
    bool is_empty(const Word* state, int queue) const { return at(state, queue)[0] == 0; }

    // What a process reads of its own stores: true and the newest one of the cell, or false.
    bool newest(const Word* state, int process, int cell, Word& value) const {
        if (order_ == Order::SC) return false;
        const Word* queue = at(state, queue_of(process, cell));
        const Word n = place_of_newest(queue, cell);
        if (n > 0) value = queue[width_ * n];
        return n > 0;
    }
    // Whether the queues take more stores, to these cells.
    bool takes(const Word* state, int process, int cell) const {
        const Word* queue = at(state, queue_of(process, cell));
        if (order_ == Order::CAM && place_of_newest(queue, cell) > 0) return false;
        return queue[0] < room_;
    }
    bool takes(const Word* state, int process, const std::vector<Store>& group) const {
        for (const Store& store : group)
            if (!takes(state, process, store.cell)) return false;
        return order_ == Order::PSO || at(state, process)[0] + static_cast<Word>(group.size()) <= room_;
    }
    // Whether they ever do.
    bool fits(const std::vector<Store>& group) const { return order_ == Order::PSO || static_cast<int>(group.size()) <= room_; }
    // A store of a process into its queue; of the group with this number, 0 is none.
    void store(Word* state, int process, const Store& store, Word group = 0) const {
        Word* queue = at(state, queue_of(process, store.cell));
        const Word n = ++queue[0];
        Word* words = queue + width_ * (n - 1) + 1;
        if (order_ != Order::PSO) words[cell_] = store.cell;
        if (features_.fences) words[behind_] = *behind(state, process);
        if (features_.groups) words[group_] = group;
        if (features_.exclusives) words[claim_] = store.read == PLAIN ? 0 : n - store.read;
        words[width_ - 1] = store.value;
    }
    // Stores of a process that reach memory together, to different cells.
    void store(Word* state, int process, const std::vector<Store>& group) const {
        Word number = 1;
        if (group.size() > 1)
            each_store(state, process, [&](const Word* words) { number = std::max(number, words[group_] + 1); });
        for (const Store& one : group) store(state, process, one, group.size() > 1 ? number : 0);
    }
    // A value gets into memory, the first words of the state.
    void to_memory(Word* state, int process, int cell, Word value) const {
        state[cell] = value;
        for (int p = 0; features_.exclusives && p < processes_; ++p) {
            Word* reserved = reservation(state, p);
            if (p != process && reserved[0] == cell + 1 && reserved[1] == 0) reserved[0] = 0;
        }
    }
    // Whether the oldest store of a queue can become visible; and doing that.
    bool flushes(const Word* state, int queue) const {
        if (is_empty(state, queue) || (features_.fences && at(state, queue)[1 + behind_] != 0)) return false;
        if (!features_.groups && !features_.exclusives) return true;
        bool ready = true;
        each_flushed(state, queue, [&](int other, Word n, bool at_head) {
            ready &= at_head && !is_claimed(state, process_of(queue), cell_of(state, other, n));
        });
        return ready;
    }
    void flush(Word* state, int queue) const {
        const int process = process_of(queue);
        const Word group = features_.groups ? at(state, queue)[1 + group_] : 0;
        if (group == 0) {
            flush_one(state, queue);
        } else {
            const auto [first, end] = own(process);
            for (int other = first; other < end; ++other)
                while (!is_empty(state, other) && at(state, other)[1 + group_] == group) flush_one(state, other);
            each_store(state, process, [&](Word* words) { words[group_] -= words[group_] > group; });
        }
        if (features_.fences) pass(state, process);
    }
    // A fence between stores: those after it are behind one more, if there are any before it that the last is not before.
    void fence(Word* state, int process) const {
        if (features_.fences && has_behind(state, process, *behind(state, process))) ++*behind(state, process);
    }
    // Whether an update of a cell can be carried out in memory: not before stores to the cell, nor before those that a fence
    // keeps before it.
    bool is_clear(const Word* state, int process, int cell) const {
        return order_ == Order::SC || (is_empty(state, queue_of(process, cell)) && (!features_.fences || *behind(state, process) == 0));
    }
    bool is_drained(const Word* state, int process) const {
        const auto [first, end] = own(process);
        for (int queue = first; queue < end; ++queue)
            if (!is_empty(state, queue)) return false;
        return true;
    }
    // The stores of a queue, the oldest one first: cells and values.
    std::vector<std::pair<int, Word>> stores(const Word* state, int queue) const {
        std::vector<std::pair<int, Word>> found;
        const Word* q = at(state, queue);
        for (Word n = 1; n <= q[0]; ++n) found.emplace_back(cell_of(state, queue, n), q[width_ * n]);
        return found;
    }

    // ---- Exclusive accesses ----

    // A load exclusive of a process has read the newest value of a cell.
    void reserve(Word* state, int process, int cell) const {
        Word* reserved = reservation(state, process);
        reserved[0] = cell + 1;
        reserved[1] = order_ == Order::SC ? 0 : place_of_newest(at(state, queue_of(process, cell)), cell);
    }
    void release(Word* state, int process) const { reservation(state, process)[0] = reservation(state, process)[1] = 0; }
    bool has_reserved(const Word* state, int process, int cell) const { return reservation(state, process)[0] == cell + 1; }
    Word what_was_read(const Word* state, int process) const { return reservation(state, process)[1]; }
    // Whether another process has a claim to the cell that has started.
    bool is_claimed(const Word* state, int process, int cell) const {
        bool found = false;
        for (int queue = 0; features_.exclusives && queue < queues(); ++queue) {
            if (process_of(queue) == process || (order_ == Order::PSO && queue % cells_ != cell)) continue;
            for (Word n = 1; n <= at(state, queue)[0]; ++n) found |= has_started(state, queue, n) && cell_of(state, queue, n) == cell;
        }
        return found;
    }
    bool has_claims(const Word* state) const { return features_.exclusives && claims(state, 0) + claims(state, 1) > 0; }
    // Whether all stores can reach memory. Those that start no claim can go first: none of the others needs them to stay.
    bool can_drain(std::vector<Word> state) const {
        for (bool moved = true; moved && has_claims(state.data());) {
            moved = false;
            for (int queue = 0; queue < queues(); ++queue) {
                if (!flushes(state.data(), queue) || starts_claims(state.data(), queue)) continue;
                flush(state.data(), queue);
                moved = true;
            }
        }
        if (!has_claims(state.data())) return true;
        for (int queue = 0; queue < queues(); ++queue) {
            if (!flushes(state.data(), queue)) continue;
            std::vector<Word> after = state;
            flush(after.data(), queue);
            if (can_drain(std::move(after))) return true;
        }
        return false;
    }
    // Whether, once a queue has flushed, all stores can still reach memory.
    bool can_flush(const Word* state, int queue) const {
        if (!starts_claims(state, queue)) return true;
        std::vector<Word> after(state, state + offset_ + words());
        flush(after.data(), queue);
        return can_drain(std::move(after));
    }

private:
    bool starts_claims(const Word* state, int queue) const {
        if (!features_.exclusives || claims(state, 0) == 0) return false;
        std::vector<Word> after(state, state + offset_ + words());
        flush(after.data(), queue);
        return claims(after.data(), 0) < claims(state, 0);
    }
    int stride() const { return 1 + width_ * room_; }
    Word* behind(Word* state, int process) const { return state + offset_ + queues() * stride() + process; }
    const Word* behind(const Word* state, int process) const { return state + offset_ + queues() * stride() + process; }
    // The cell, from 1, and the place in the queue of what was read; 0: it is in memory.
    Word* reservation(Word* state, int process) const { return state + reserved(process); }
    const Word* reservation(const Word* state, int process) const { return state + reserved(process); }
    int reserved(int process) const { return offset_ + queues() * stride() + (features_.fences ? processes_ : 0) + 2 * process; }
    int cell_of(const Word* state, int queue, Word n) const {
        return order_ == Order::PSO ? queue % cells_ : at(state, queue)[width_ * (n - 1) + 1 + cell_];
    }
    Word place_of_newest(const Word* queue, int cell) const {
        Word n = queue[0];
        while (order_ != Order::PSO && n > 0 && queue[width_ * (n - 1) + 1 + cell_] != cell) --n;
        return n;
    }
    // A claim is how many places a store is behind what was read; as many as there are, once that is in memory.
    bool has_started(const Word* state, int queue, Word n) const { return at(state, queue)[width_ * (n - 1) + 1 + claim_] == n; }
    int claims(const Word* state, int started) const {
        int found = 0;
        for (int queue = 0; queue < queues(); ++queue)
            for (Word n = 1; n <= at(state, queue)[0]; ++n)
                found += at(state, queue)[width_ * (n - 1) + 1 + claim_] != 0 && has_started(state, queue, n) == (started != 0);
        return found;
    }
    // The queues of a process: the first one, and the one behind the last.
    std::pair<int, int> own(int process) const {
        if (order_ == Order::PSO) return {process * cells_, (process + 1) * cells_};
        return {process, process + (order_ != Order::SC)};
    }
    // The stores of a process.
    template <class State, class Use>
    void each_store(State* state, int process, Use&& use) const {
        const auto [first, end] = own(process);
        for (int queue = first; queue < end; ++queue)
            for (Word n = 1; n <= at(state, queue)[0]; ++n) use(at(state, queue) + width_ * (n - 1) + 1);
    }
    // The stores that become visible with the oldest one of a queue: where they are, and whether none is before them but such.
    template <class Use>
    void each_flushed(const Word* state, int queue, Use&& use) const {
        const Word group = features_.groups ? at(state, queue)[1 + group_] : 0;
        if (group == 0) return use(queue, 1, true);
        const auto [first, end] = own(process_of(queue));
        for (int other = first; other < end; ++other) {
            bool at_head = true;
            for (Word n = 1; n <= at(state, other)[0]; ++n) {
                const Word* words = at(state, other) + width_ * (n - 1) + 1;
                if (words[group_] == group) use(other, n, at_head && (!features_.fences || words[behind_] == 0));
                else at_head = false;
            }
        }
    }
    void flush_one(Word* state, int queue) const {
        Word* q = at(state, queue);
        const int process = process_of(queue), cell = cell_of(state, queue, 1);
        to_memory(state, process, cell, q[width_]);
        const int used = 1 + width_ * q[0];
        std::copy(q + 1 + width_, q + used, q + 1);
        std::fill(q + used - width_, q + used, 0);
        --q[0];
        if (!features_.exclusives) return;
        for (Word n = 1; n <= q[0]; ++n) {
            Word& claim = q[width_ * (n - 1) + 1 + claim_];
            claim = std::min(claim, n);
        }
        Word* mine = reservation(state, process);
        if (mine[0] != 0 && queue_of(process, mine[0] - 1) == queue && mine[1] > 0) --mine[1];
    }
    // Whether a process has stores that are behind so many fences.
    bool has_behind(const Word* state, int process, Word fences) const {
        bool found = false;
        each_store(state, process, [&](const Word* words) { found |= words[behind_] == fences; });
        return found;
    }
    // The first fence goes, if no stores are before it any more.
    void pass(Word* state, int process) const {
        if (*behind(state, process) == 0 || has_behind(state, process, 0)) return;
        --*behind(state, process);
        each_store(state, process, [&](Word* words) { --words[behind_]; });
    }
    int queue_of(int process, int cell) const { return order_ == Order::PSO ? process * cells_ + cell : process; }
    Word* at(Word* state, int queue) const { return state + offset_ + queue * stride(); }
    const Word* at(const Word* state, int queue) const { return state + offset_ + queue * stride(); }

    Order order_;
    int room_, processes_, cells_, offset_;
    Features features_;
    int width_ = 0;  // words of a store
    int cell_ = 0, behind_ = 0, group_ = 0, claim_ = 0;  // which of them that is
};

}  // namespace xgen::states
