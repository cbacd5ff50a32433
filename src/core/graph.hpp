// An execution graph. Events have slots, numbered in the order in which they were added; initial writes come first.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "bits.hpp"
#include "machine.hpp"

namespace xgen {

enum class EventKind : std::uint8_t { READ, WRITE, FENCE, CHOICE };

struct Event {
    EventKind kind = EventKind::WRITE;
    bool canonical = true;       // a choice: the first of its options was taken
    bool rmw = false;            // the read or the write of a read-modify-write that writes
    std::int32_t thread = -1;    // -1: initial write
    std::int32_t index = 0;      // in its thread, choices counted
    std::int32_t pc = -1;        // its instruction
    std::int32_t event_class = 0;
    std::int32_t cell = -1;      // of reads and writes
    std::int32_t rf = -1;        // of reads: the slot of the write (-1 while a revisit is being built)
    std::int64_t value = 0;      // read, written or chosen
    std::int64_t expected = 0;   // of the read of a CAS or LOCK
    std::int32_t partner = -1;   // of the write of a store exclusive: the index of the load that it pairs with
    bool exclusive = false;      // of a load: such writes may pair with it
    std::int32_t block = 0;      // the atomic block that it is in: 1 + the index of the block's first event; 0: none
};

template <int W>
class Graph {
public:
    using Bits = Row<W>;

    // Structure: one entry per slot.
    std::vector<Event> events;
    std::vector<ThreadState> states;     // of the event's thread, after the event
    std::vector<std::int64_t> locals;    // likewise, `stride` values per slot
    std::vector<Bits> prefix;            // the events (base order u rf)+ before this one, initial writes left out
    std::vector<Bits> po_before;         // program order across starts and joins; empty where there are none
    std::vector<Bits> readers;           // of a write
    std::vector<Bits> mo_before, mo_after;
    std::vector<std::int32_t> mo_previous, mo_next;  // -1 at the ends
    std::vector<Bits> addr, data, ctrl;              // dependencies, on choices too; empty where they are not tracked
    std::vector<std::uint64_t> taints;               // of the event's thread, after the event; likewise
    // Per thread, per cell, per class set.
    std::vector<std::vector<std::int32_t>> threads;  // slots in program order, choices too
    std::vector<std::int32_t> starts;                // the slot of the event that started the thread, or -1
    std::vector<Bits> thread_bits;                   // without choices
    std::vector<Bits> cell_bits;                     // reads and writes
    std::vector<std::int32_t> mo_last;               // per cell
    std::vector<Bits> class_bits;
    Bits visible;                                    // all but choices, and events that are known but not added yet
    std::int32_t cells = 0;                          // slots 0 .. cells-1 are the initial writes
    std::int32_t stride = 0;
    bool tracking = false;                           // dependencies
    bool forks = false;                              // threads start and join each other

    int size() const { return static_cast<int>(events.size()); }
    Bits initial() const { return Bits::below(cells); }
    // Whether a write may be put right after this one: not between a write and the RMW that follows it atomically.
    bool is_place(int write) const { return mo_next[write] < 0 || !events[mo_next[write]].rmw; }
    // How many events a thread has, choices counted.
    int length(int thread) const { return static_cast<int>(threads[thread].size()); }
    // The last event, or -1.
    int last(int thread) const { return at(thread, length(thread) - 1); }
    // The event of a thread with this index, or -1.
    int at(int thread, int index) const {
        const auto& line = threads[thread];
        return index >= 0 && index < static_cast<int>(line.size()) ? line[index] : -1;
    }
    std::size_t taint_words() const { return static_cast<std::size_t>(Taint::sets(stride)) * W; }
    std::uint64_t* taint_of(int slot) { return taints.data() + slot * taint_words(); }
    const std::uint64_t* taint_of(int slot) const { return taints.data() + slot * taint_words(); }
    std::int64_t* locals_of(int slot) { return locals.data() + static_cast<std::size_t>(slot) * stride; }
    const std::int64_t* locals_of(int slot) const { return locals.data() + static_cast<std::size_t>(slot) * stride; }

    void reset(int thread_count, int cell_count, int class_set_count, int stride_, bool tracking_, bool forks_) {
        events.clear();
        states.clear();
        locals.clear();
        prefix.clear();
        readers.clear();
        mo_before.clear();
        mo_after.clear();
        mo_previous.clear();
        mo_next.clear();
        addr.clear();
        data.clear();
        ctrl.clear();
        taints.clear();
        threads.resize(thread_count);
        for (auto& t : threads) t.clear();
        thread_bits.assign(thread_count, {});
        cell_bits.assign(cell_count, {});
        mo_last.assign(cell_count, -1);
        class_bits.assign(class_set_count, {});
        visible = {};
        cells = cell_count;
        stride = stride_;
        tracking = tracking_;
        forks = forks_;
        po_before.clear();
        starts.assign(thread_count, -1);
    }

    // Adds an event as the last one, of its thread too, but nothing sees it yet (see show); reads-from and modification
    // order come separately. `before` is its prefix without those. Returns its slot.
    int add(const Event& e, const Bits& before) {
        int slot = size();
        events.push_back(e);
        states.emplace_back();
        locals.resize(locals.size() + stride);
        readers.emplace_back();
        mo_before.emplace_back();
        mo_after.emplace_back();
        mo_previous.push_back(-1);
        mo_next.push_back(-1);
        prefix.push_back(before);
        if (forks) po_before.emplace_back();
        if (tracking) {
            addr.emplace_back();
            data.emplace_back();
            ctrl.emplace_back();
            taints.resize(taints.size() + taint_words());
        }
        if (e.thread >= 0) threads[e.thread].push_back(slot);
        return slot;
    }

    // The model and the other events see the event in this slot from now on; it is not a choice.
    void show(int slot, const std::vector<std::int32_t>& class_sets) {
        const Event& e = events[slot];
        visible.set(slot);
        if (e.thread >= 0) thread_bits[e.thread].set(slot);
        if (e.cell >= 0) cell_bits[e.cell].set(slot);
        for (int k : class_sets) class_bits[k].set(slot);
    }
    void hide(int slot, const std::vector<std::int32_t>& class_sets) {
        const Event& e = events[slot];
        visible.reset(slot);
        if (e.thread >= 0) thread_bits[e.thread].reset(slot);
        if (e.cell >= 0) cell_bits[e.cell].reset(slot);
        for (int k : class_sets) class_bits[k].reset(slot);
    }

    // Takes back the last event, which is hidden; its reads-from and place in modification order must have been taken back.
    void remove_last() {
        const Event& e = events.back();
        if (e.thread >= 0) threads[e.thread].pop_back();
        events.pop_back();
        states.pop_back();
        locals.resize(locals.size() - stride);
        prefix.pop_back();
        if (forks) po_before.pop_back();
        if (tracking) {
            addr.pop_back();
            data.pop_back();
            ctrl.pop_back();
            taints.resize(taints.size() - taint_words());
        }
        readers.pop_back();
        mo_before.pop_back();
        mo_after.pop_back();
        mo_previous.pop_back();
        mo_next.pop_back();
    }

    void set_rf(int read, int write) {
        events[read].rf = write;
        events[read].value = events[write].value;
        readers[write].set(read);
        prefix[read] |= prefix[write];
        if (write >= cells) prefix[read].set(write);
    }
    // The read is about to be removed or gets another prefix.
    void clear_rf(int read) {
        readers[events[read].rf].reset(read);
        events[read].rf = -1;
    }

    // Puts a write right after another in modification order (place -1: it is the initial write).
    void insert_mo(int write, int place) {
        std::int32_t cell = events[write].cell;
        if (place < 0) {
            mo_last[cell] = write;
            return;
        }
        int next = mo_next[place];
        mo_previous[write] = place;
        mo_next[write] = next;
        mo_next[place] = write;
        if (next >= 0)
            mo_previous[next] = write;
        else
            mo_last[cell] = write;
        mo_before[write] = mo_before[place];
        mo_before[write].set(place);
        mo_after[write] = mo_after[place];
        mo_before[write].each([&](int w) { mo_after[w].set(write); });
        mo_after[write].each([&](int w) { mo_before[w].set(write); });
    }
    void remove_mo(int write) {
        int previous = mo_previous[write], next = mo_next[write];
        mo_next[previous] = next;
        if (next >= 0)
            mo_previous[next] = previous;
        else
            mo_last[events[write].cell] = previous;
        mo_before[write].each([&](int w) { mo_after[w].reset(write); });
        mo_after[write].each([&](int w) { mo_before[w].reset(write); });
        mo_before[write] = {};
        mo_after[write] = {};
        mo_previous[write] = mo_next[write] = -1;
    }
};

}  // namespace xgen
