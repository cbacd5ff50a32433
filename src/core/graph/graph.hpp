// An execution graph. Events have slots, numbered in the order in which they were added; initial writes come first.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <type_traits>
#include <vector>

#include "bits.hpp"
#include "code/machine.hpp"

namespace xgen {

enum class EventKind : std::uint8_t { READ, WRITE, FENCE, CHOICE };

// Whether a thread waits in a loop behind an event, where that depends on values that are not known yet.
enum class Wait : std::uint8_t {
    NO,       // it does not depend on such values
    OPEN,     // neither is assumed
    GOES_ON,  // it is assumed not to
    WAITS,    // it is assumed to
};

struct Event {
    EventKind kind = EventKind::WRITE;
    bool canonical : 1 = true;   // a choice: the first of its options was taken
    bool update : 1 = false;     // a write of an update of several parts: what it has read is no data dependency of it
    bool rmw = false;            // the read or the write of a read-modify-write that writes
    // These share a byte, so that records are small: graphs are copied.
    bool exclusive : 1 = false;  // of a load: stores exclusive may pair with it (see partner)
    bool picks : 1 = false;      // a choice: what depends on it picks by what it depends on; the read of an update that picks
    Wait wait : 2 = Wait::NO;
    std::uint8_t part : 4 = 0;   // of an access to several cells: which of its events, in its order (see Graph::siblings)

    std::int32_t thread = -1;    // -1: initial write
    std::int32_t index = 0;      // in its thread, choices counted
    std::int32_t pc = -1;        // its instruction
    std::int32_t event_class = 0;
    std::int32_t cell = -1;      // of reads and writes
    std::int32_t object = -1;    // that is allocated and freed: of reads, writes, and the events that do that
    std::int32_t rf = -1;        // of reads: the slot of the write (-1 while a revisit is being built)
    std::int32_t partner = -1;   // of a store exclusive, or an update of several parts: the index of the load it pairs with
    std::int32_t block = 0;      // the atomic block that it is in: 1 + the index of the block's first event; 0: none
    std::int64_t value = 0;      // read, written or chosen
    std::int64_t expected = 0;   // of the read of a CAS or LOCK; of an early choice, see Machine::run
};

static_assert(sizeof(Event) == 56);

// One field of all slots. The fields of a slot are next to each other in one record; the records, in one buffer.
template <class T>
class Column {
public:
    static_assert(std::is_trivially_copyable_v<T>);

    T& operator[](std::size_t slot) { return *reinterpret_cast<T*>(base_ + slot * stride_); }
    const T& operator[](std::size_t slot) const { return *reinterpret_cast<const T*>(base_ + slot * stride_); }

private:
    template <int W>
    friend class Graph;
    std::byte* base_ = nullptr;
    std::size_t stride_ = 0;
};

template <int W>
class Graph {
public:
    using Bits = Row<W>;

    // One entry per slot.
    Column<Event> events;
    Column<ThreadState> states;          // of the event's thread, after the event
    Column<Bits> prefix;                 // the events (base order u rf)+ before this one, initial writes left out
    Column<Bits> readers;                // of a write
    Column<Bits> mo_before;
    Column<Bits> known_after;            // only with `partly`: the writes that are known to come later; see mo_after
    Column<std::int32_t> mo_previous, mo_next;  // -1 at the ends
    Column<Bits> po_before;              // program order across starts and joins; only with `forks`
    Column<Bits> addr, data, ctrl;       // dependencies, on choices too; data of a read: what it picks by; only with `tracking`
    // Per thread, per cell, per class set.
    std::vector<std::int32_t> starts;    // the slot of the event that started the thread, or -1
    std::vector<Bits> thread_bits;       // without choices
    std::vector<Bits> cell_bits;         // reads and writes
    std::vector<Bits> mo_bits;           // per cell, not with `partly`: the writes that have their place in modification order
    std::vector<std::int32_t> mo_last;   // per cell
    std::vector<Bits> class_bits;
    Bits visible;                        // all but choices, and events that are known but not added yet
    std::int32_t cells = 0;              // slots 0 .. cells-1 are the initial writes
    std::int32_t stride = 0;             // locals per thread
    bool tracking = false;               // dependencies
    bool forks = false;                  // threads start and join each other
    bool partly = false;                 // modification order is known in part (see order.hpp); else it is total

    Graph() = default;
    Graph(const Graph& other) { *this = other; }
    Graph& operator=(const Graph& other);

    int size() const { return size_; }
    int thread_count() const { return static_cast<int>(lengths_.size()); }
    Bits initial() const { return Bits::below(cells); }
    // The writes that come after one in modification order, as far as is known. Where that is total they are no rows of their
    // own: to append a write would be to change those of all before it.
    Bits mo_after(int write) const {
        if (partly) return known_after[write];
        Bits result = mo_bits[events[write].cell] - mo_before[write];
        result.reset(write);
        return result;
    }
    // Whether a write may be put right after this one: not between a write and the RMW that follows it atomically.
    bool is_place(int write) const { return mo_next[write] < 0 || !events[mo_next[write]].rmw; }
    // Whether a write is that of an update that writes what it has read.
    bool is_silent(int write) const {
        const Event& event = events[write];
        return event.rmw && event.kind == EventKind::WRITE && events[at(event.thread, event.index - 1)].value == event.value;
    }
    // Whether a write is a store exclusive of what its load has read.
    bool writes_again(int write) const {
        const Event& event = events[write];
        const int load = event.kind == EventKind::WRITE && !event.update && event.part == 0 ? at(event.thread, event.partner) : -1;
        return load >= 0 && events[load].cell == event.cell && events[load].value == event.value && events[load].rf >= 0;
    }
    // The write from which a silent update has its value, or -1 of what is none.
    int given_by(int write) const {
        if (is_silent(write)) return mo_previous[write];
        return writes_again(write) ? events[at(events[write].thread, events[write].partner)].rf : -1;
    }
    // The write itself, or the one that gave it its value by way of silent updates. With load buffering, store exclusives may
    // have their values from each other, round in a circle: then the first of these stands for all.
    int origin(int write) const {
        for (int steps = 0; steps < size_; ++steps) {
            const int before = given_by(write);
            if (before < 0) return write;
            write = before;
        }
        int first = write;
        for (int w = given_by(write); w != write; w = given_by(w)) first = std::min(first, w);
        return first;
    }
    // How many events a thread has, choices counted.
    int length(int thread) const { return lengths_[thread]; }
    // The slots of a thread's events in program order, choices too: length(thread) of them.
    const std::int32_t* line(int thread) const { return lines_.data() + static_cast<std::size_t>(thread) * longest_; }
    // The last event, or -1.
    int last(int thread) const {
        const int count = lengths_[thread];
        return count > 0 ? line(thread)[count - 1] : -1;
    }
    // The event of a thread with this index, or -1.
    int at(int thread, int index) const {
        return index >= 0 && index < lengths_[thread] ? line(thread)[index] : -1;
    }
    // The event of a thread that comes next behind an index, or before it (`step` -1), choices left out; -1: none does.
    int next_to(int thread, int index, int step) const {
        int slot = at(thread, index + step);
        while (slot >= 0 && events[slot].kind == EventKind::CHOICE) slot = at(thread, events[slot].index + step);
        return slot;
    }
    // The events of an access of several parts, the event itself among them: so many as there are.
    Bits siblings(int slot) const {
        Bits result = Bits::single(slot);
        const Event& event = events[slot];
        if (event.thread < 0) return result;
        for (int other = slot, part = event.part; part > 0; --part) {
            other = next_to(event.thread, events[other].index, -1);
            if (other < 0) break;
            result.set(other);
        }
        for (int other = slot, part = event.part + 1;; ++part) {
            other = next_to(event.thread, events[other].index, 1);
            if (other < 0 || events[other].kind != event.kind || events[other].part != part) break;
            result.set(other);
        }
        return result;
    }
    // Of the event's thread, after the event: `stride` locals, and what they depend on (a Taint, with `tracking`).
    std::int64_t* locals_of(int slot) { return reinterpret_cast<std::int64_t*>(record(slot) + locals_at_); }
    const std::int64_t* locals_of(int slot) const {
        return reinterpret_cast<const std::int64_t*>(record(slot) + locals_at_);
    }
    std::size_t taint_words() const { return static_cast<std::size_t>(Taint::sets(stride)) * W; }
    std::uint64_t* taint_of(int slot) { return reinterpret_cast<std::uint64_t*>(record(slot) + taints_at_); }
    const std::uint64_t* taint_of(int slot) const {
        return reinterpret_cast<const std::uint64_t*>(record(slot) + taints_at_);
    }
    // The events of its thread that a set of an event's taint has.
    Bits depended_on(int slot, int set) const {
        Bits result;
        const auto words = TaintSets{taint_of(slot), W}[set];
        const std::int32_t* events_of = line(events[slot].thread);
        for (int k = 0; k < W; ++k)
            for (std::uint64_t rest = words[k]; rest; rest &= rest - 1)
                result.set(events_of[WORD * k + std::countr_zero(rest)]);
        return result;
    }

    // Makes the graph an empty one.
    void reset(int thread_count, int cell_count, int class_set_count, int stride_, bool tracking_, bool forks_,
               bool partly_);
    // The same, for the threads of another graph, and with records like its own.
    template <int V>
    void reset_like(const Graph<V>& other, int cell_count, int class_set_count) {
        reset(other.thread_count(), cell_count, class_set_count, other.stride, other.tracking, other.forks, other.partly);
    }

    // Adds an event as the last one, of its thread too, but nothing sees it yet (see show); reads-from and modification
    // order come separately. `before` is its prefix without those. Returns its slot.
    int add(const Event& e, const Bits& before) {
#ifdef XGEN_ASSERT
        if (size_ >= WORD * W) std::abort();  // no row has a bit for it
#endif
        return append(e, before);
    }
    // The same of a graph that is a stack of records: it may have more than rows have bits.
    int append(const Event& e, const Bits& before) {
        const int slot = open_slot(e.thread);
        events[slot] = e;
        states[slot] = {};
        prefix[slot] = before;
        mo_previous[slot] = mo_next[slot] = -1;
        return slot;
    }
    // Adds copies of events of another graph of this kind, which are next to each other there.
    void add_copies(const Graph& other, int first, int count) {
        if (size_ + count > capacity_) reserve(std::max({size_ + count, 2 * size_, other.capacity_}));
        std::memcpy(record(size_), other.record(first), count * record_size_);
        for (int k = 0; k < count; ++k) lengthen(events[size_].thread);
    }
    // Makes an event of this graph what it was when another graph got the copy that is the last event there.
    void restore_last(const Graph& other) {
        const Event& event = other.events[other.size_ - 1];
        std::memcpy(record(at(event.thread, event.index)), other.record(other.size_ - 1), record_size_);
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
        const std::int32_t thread = events[--size_].thread;
        if (thread >= 0) --lengths_[thread];
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
        mo_bits[cell].set(write);
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
        if (next >= 0) mo_after(write).each([&](int w) { mo_before[w].set(write); });
    }
    void remove_mo(int write) {
        int previous = mo_previous[write], next = mo_next[write];
        mo_next[previous] = next;
        if (next >= 0)
            mo_previous[next] = previous;
        else
            mo_last[events[write].cell] = previous;
        if (next >= 0) mo_after(write).each([&](int w) { mo_before[w].reset(write); });
        mo_bits[events[write].cell].reset(write);
        mo_before[write] = {};
        mo_previous[write] = mo_next[write] = -1;
    }

private:
    template <int V>
    friend class Graph;

    std::byte* record(int slot) { return records_.get() + static_cast<std::size_t>(slot) * record_size_; }
    const std::byte* record(int slot) const { return records_.get() + static_cast<std::size_t>(slot) * record_size_; }
    int open_slot(std::int32_t thread);
    void lay_out();
    void reserve(int slots);
    void lengthen(std::int32_t thread);
    void widen_lines();

    std::unique_ptr<std::byte[]> records_;
    std::size_t record_size_ = 0, locals_at_ = 0, taints_at_ = 0;
    std::int32_t size_ = 0, capacity_ = 0;
    std::vector<std::int32_t> lengths_;  // per thread
    std::vector<std::int32_t> lines_;    // `longest_` slots per thread
    std::int32_t longest_ = 0;
};

template <int W>
void Graph<W>::reset(int thread_count, int cell_count, int class_set_count, int stride_, bool tracking_, bool forks_,
                     bool partly_) {
    lengths_.assign(thread_count, 0);
    lines_.resize(static_cast<std::size_t>(thread_count) * longest_);
    starts.assign(thread_count, -1);
    thread_bits.assign(thread_count, {});
    cell_bits.assign(cell_count, {});
    mo_bits.assign(cell_count, {});
    mo_last.assign(cell_count, -1);
    class_bits.assign(class_set_count, {});
    visible = {};
    cells = cell_count;
    size_ = 0;
    if (record_size_ != 0 && stride == stride_ && tracking == tracking_ && forks == forks_ && partly == partly_) return;
    stride = stride_;
    tracking = tracking_;
    forks = forks_;
    partly = partly_;
    lay_out();
}

// Says where the fields are in a record.
template <int W>
void Graph<W>::lay_out() {
    std::size_t size = 0;
    auto place = [&](auto& column, bool there) {
        using Field = std::remove_reference_t<decltype(column[0])>;
        static_assert(alignof(Field) <= alignof(std::int64_t));
        size = (size + alignof(Field) - 1) / alignof(Field) * alignof(Field);
        column.base_ = records_ ? records_.get() + size : nullptr;
        if (there) size += sizeof(Field);
    };
    place(events, true);
    place(states, true);
    place(mo_previous, true);
    place(mo_next, true);
    for (auto* column : {&prefix, &readers, &mo_before}) place(*column, true);
    place(known_after, partly);
    place(po_before, forks);
    for (auto* column : {&addr, &data, &ctrl}) place(*column, tracking);
    locals_at_ = size;
    taints_at_ = size += stride * sizeof(std::int64_t);
    if (tracking) size += taint_words() * sizeof(std::uint64_t);
    if (size != record_size_) {
        record_size_ = size;
        capacity_ = 0;
    }
    for (auto* column : {&prefix, &readers, &mo_before, &known_after, &po_before, &addr, &data, &ctrl}) column->stride_ = size;
    mo_previous.stride_ = mo_next.stride_ = events.stride_ = states.stride_ = size;
}

template <int W>
void Graph<W>::reserve(int slots) {
    capacity_ = slots;
    auto larger = std::make_unique_for_overwrite<std::byte[]>(capacity_ * record_size_);
    if (size_ > 0) std::memcpy(larger.get(), records_.get(), size_ * record_size_);
    records_ = std::move(larger);
    lay_out();
}

// Makes the next slot the last one of a thread.
template <int W>
void Graph<W>::lengthen(std::int32_t thread) {
    if (thread >= 0) {
        if (lengths_[thread] == longest_) widen_lines();
        lines_[static_cast<std::size_t>(thread) * longest_ + lengths_[thread]++] = size_;
    }
    ++size_;
}

// Room for longer threads.
template <int W>
void Graph<W>::widen_lines() {
    const std::int32_t longer = std::max(4, 2 * longest_);
    std::vector<std::int32_t> lines(lengths_.size() * longer);
    for (int t = 0; t < thread_count(); ++t) std::copy_n(line(t), lengths_[t], lines.data() + static_cast<std::size_t>(t) * longer);
    lines_ = std::move(lines);
    longest_ = longer;
}

template <int W>
int Graph<W>::open_slot(std::int32_t thread) {
    if (size_ == capacity_) reserve(std::max(16, 2 * size_));
    std::memset(record(size_), 0, record_size_);
    lengthen(thread);
    return size_ - 1;
}

template <int W>
Graph<W>& Graph<W>::operator=(const Graph& o) {
    if (this == &o) return *this;
    starts = o.starts;
    thread_bits = o.thread_bits;
    cell_bits = o.cell_bits;
    mo_bits = o.mo_bits;
    mo_last = o.mo_last;
    class_bits = o.class_bits;
    visible = o.visible;
    cells = o.cells;
    lengths_ = o.lengths_;
    lines_ = o.lines_;
    longest_ = o.longest_;
    if (record_size_ != o.record_size_ || stride != o.stride || tracking != o.tracking || forks != o.forks ||
        partly != o.partly) {
        stride = o.stride;
        tracking = o.tracking;
        forks = o.forks;
        partly = o.partly;
        lay_out();
    }
    size_ = 0;
    if (capacity_ < o.size_) reserve(o.capacity_);
    size_ = o.size_;
    if (size_ > 0) std::memcpy(record(0), o.record(0), size_ * record_size_);
    return *this;
}

}  // namespace xgen
