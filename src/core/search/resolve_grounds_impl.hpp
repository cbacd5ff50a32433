// What reads wait for. Part of resolve_impl.hpp.
//
// In every execution that the search looks for, events can be put in an order in which each comes after what it reads from
// and after what it needs: all that precedes it in program order where the model makes po | rf acyclic, else the reads that it
// depends on. So a graph leads to none if there is no such order of its events, whatever threads may yet write: if two reads
// wait for what the other's thread does next, say. That is found by going on with events that need no others than those
// before, until there are none. A read that waits may read from what a thread may yet write once all of that thread's events
// are there. Where the model has coherence, the events of each cell have such an order of their own: each comes after what
// precedes it there in its thread. So have those of several cells that are only ever written together, by writes of several
// parts that have one order (Plan::whole): a read comes after the write that it reads from, and a write after those that its
// thread has read from or done before, which coherence puts before it in some part, and so in all.
#pragma once

#include <numeric>

#include "resolve.hpp"

namespace xgen {

// Whether an instruction reads a part of what an update of several parts reads.
inline bool starts_update(const Instruction& i) { return i.op == Op::LOAD && i.b == 1; }

//----------------------------------------------------------------------------------------------------------------------
// is_grounded: whether each event of the graph may come after what it needs.
//
// Input   settled: open reads that can read a value that is known. later: -1, or an open read, not of these, which is to read
//         from none of the writes that are there. beyond: threads that the bound has stopped may write as well.
// Before  late_ and cut_ are known (see decide()); all writes but those of updates have joined.
// Output  false only if the graph leads to no execution.
//----------------------------------------------------------------------------------------------------------------------
template <int W>
bool Resolver<W>::is_grounded(const Bits& settled, int later, bool beyond) {
    if (!task_.plan.buffering) return is_grounded_by_po(later, beyond);
    if (!is_grounded_by_dependencies(settled, later, beyond)) return false;
    if (!task_.plan.coherent) return true;
    Bits waiting = ahead_.late;
    if (later >= 0) waiting.set(later);
    for (int r, last = -1; (r = waiting.first()) >= 0; waiting.reset(r)) {
        const int cell = together_[graph_.events[r].cell];
        if (cell != last && compared_[cell] && !is_grounded_by_po(later, beyond, cell)) return false;
        last = cell;
    }
    return true;
}

// Finds the cells of which an update may fail: of others, the order of their events alone hardly tells anything.
template <int W>
void Resolver<W>::find_compared() {
    const Code& code = task_.code;
    compared_.assign(code.cells.size(), false);
    for (const Instruction& i : code.instructions) {
        const bool parted = starts_update(i);
        if (!parted && (i.op != Op::RMW || !may_fail(code.rmws[i.c].kind))) continue;
        const std::int32_t address = parted ? i.a : code.rmws[i.c].address;
        if (address >= 0)
            compared_.assign(code.cells.size(), true);
        else
            compared_[code.constants[~address]] = true;
    }
}

// Finds the cells that are only ever written together; each of the others is alone.
template <int W>
void Resolver<W>::find_together() {
    const Code& code = task_.code;
    const std::size_t cells = code.cells.size();
    together_.resize(cells);
    std::iota(together_.begin(), together_.end(), 0);
    if (!task_.plan.whole) return;
    std::vector<std::vector<std::int32_t>> written(cells);  // by cell: those that the first write to it writes
    std::vector<bool> apart(cells);                         // another write writes others with it, or it is not known
    std::vector<std::int32_t> whole;
    auto finish = [&] {
        for (const std::int32_t c : whole) {
            if (written[c].empty()) written[c] = whole;
            if (written[c] != whole) apart[c] = true;
        }
        whole.clear();
    };
    for (std::size_t pc = 0; pc < code.instructions.size(); ++pc) {
        const Instruction& i = code.instructions[pc];
        const bool stores = i.op == Op::STORE && i.a < 0;
        if (stores && i.part == 0) finish();
        if (stores && i.part == whole.size()) {
            whole.push_back(code.constants[~i.a]);
        } else if (code.written[pc].everywhere) {
            apart.assign(cells, true);
        } else {
            for (const std::int32_t c : code.written[pc].cells) apart[c] = true;
        }
    }
    finish();
    for (std::size_t c = 0; c < cells; ++c) {
        auto differs = [&](std::int32_t d) { return apart[d] || written[d] != written[c]; };
        if (!written[c].empty() && std::ranges::none_of(written[c], differs)) together_[c] = written[c].front();
    }
}

// Finds the choices behind one of which an update of several parts reads, with nothing but computations before it.
template <int W>
void Resolver<W>::find_outcomes() {
    const std::vector<Instruction>& instructions = task_.code.instructions;
    auto leads_to_update = [&](std::int32_t pc) {
        for (std::size_t steps = 0; steps < instructions.size(); ++steps) {
            const Instruction& i = instructions[pc];
            const OpKind kind = operation(i.op).kind;
            if (kind != OpKind::JUMP && kind != OpKind::COMPUTE && i.op != Op::PREDICT) return starts_update(i);
            pc = kind == OpKind::JUMP ? i.c : pc + 1;
        }
        return false;
    };
    outcomes_.assign(instructions.size(), false);
    for (std::size_t pc = 0; pc < instructions.size(); ++pc)
        if (instructions[pc].op == Op::CHOOSE)
            outcomes_[pc] = std::ranges::any_of(task_.code.targets[instructions[pc].c], leads_to_update);
}

// The same for events of the cells that are written together with one only; -1: of all.
template <int W>
bool Resolver<W>::is_grounded_by_po(int later, bool beyond, int cell) {
    const int threads = graph_.thread_count();
    done_.assign(threads, 0);
    for (bool changed = true; changed;) {
        changed = false;
        bool all = true;
        for (int t = 0; t < threads; ++t) {
            const int before = done_[t];
            while (!is_done_with(t) && follows(graph_.line(t)[done_[t]], later, beyond, cell)) ++done_[t];
            changed = changed || done_[t] > before;
            all = all && is_done_with(t);
        }
        if (all) return true;
    }
    return false;
}

// Whether an event has been put in order (see done_).
template <int W>
bool Resolver<W>::is_done(int slot) const {
    const Event& event = graph_.events[slot];
    return event.thread < 0 || done_[event.thread] > event.index;
}

// Whether an event may come next: the first of its thread that does not come before. It may if it is of another cell.
template <int W>
bool Resolver<W>::follows(int slot, int later, bool beyond, int cell) const {
    const Event& event = graph_.events[slot];
    if (cell >= 0 && (event.cell < 0 || together_[event.cell] != cell)) return true;
    const Instruction& i = task_.code.instructions[event.pc];
    if (event.index == 0 && graph_.starts[event.thread] >= 0 && !is_done(graph_.starts[event.thread])) return false;
    if (i.op == Op::JOIN) return is_done_with(i.a);
    if (i.op == Op::MEET)
        return std::ranges::all_of(task_.code.groups[i.a], [&](int t) { return done_[t] >= threads_.comes(graph_, t, i); });
    if (event.kind != EventKind::READ) return true;
    if (!ahead_.open.test(slot)) return event.rf < 0 || is_done(event.rf);
    if (slot != later && any_source(slot, [&](int w, const Bits&) { return is_done(w); })) return true;
    bool any = false;
    ahead_.updates.each([&](int w) { any = any || (is_done(w) && may_read_update(slot, w)); });
    auto writes = [&](int t) {
        const int other = joined_by(t);
        return is_done_with(t) && may_meet(t, beyond, cell < 0) && (other < 0 || ((cell >= 0 || is_done_with(other)) && may_end(other, beyond))) &&
               may_write(t, threads_.state_of(graph_, t), slot);
    };
    return any || std::ranges::any_of(late_, writes) || (beyond && std::ranges::any_of(cut_, writes));
}

// The thread that one waits for the end of; -1: it does not.
template <int W>
int Resolver<W>::joined_by(int thread) const {
    const ThreadState& state = threads_.state_of(graph_, thread);
    const Instruction& i = task_.code.instructions[state.pc];
    return state.status == Status::EVENT && i.op == Op::JOIN ? i.a : -1;
}

// Whether a thread stands where it meets others.
template <int W>
bool Resolver<W>::is_at_meet(int thread) const {
    const ThreadState& state = threads_.state_of(graph_, thread);
    return stands(state.status) && meets(task_.code.instructions[state.pc]);
}

// Whether a thread may yet pass what it stands at, as far as it meets others there: each of these has come, or may yet do so.
// `in_order`: what they do before has been put in order, too (see done_).
template <int W>
bool Resolver<W>::may_meet(int thread, bool beyond, bool in_order) const {
    if (!is_at_meet(thread)) return true;
    const Instruction& i = task_.code.instructions[threads_.state_of(graph_, thread).pc];
    return std::ranges::all_of(task_.code.groups[i.a], [&](int t) {
        const int index = threads_.comes(graph_, t, i);
        if (index >= 0) return !in_order || done_[t] >= index;
        return (!in_order || is_done_with(t)) &&
               (std::ranges::count(late_, t) > 0 || (beyond && std::ranges::count(cut_, t) > 0));
    });
}

// Whether a thread has ended, or may yet do so.
template <int W>
bool Resolver<W>::may_end(int thread, bool beyond) const {
    return threads_.state_of(graph_, thread).status == Status::ENDED || std::ranges::count(late_, thread) > 0 ||
           (beyond && std::ranges::count(cut_, thread) > 0);
}

template <int W>
bool Resolver<W>::is_grounded_by_dependencies(const Bits& settled, int later, bool beyond) const {
    Bits left = ahead_.unknown - settled;  // the reads that have not been put in order
    auto among = [&](const Bits& reads) { return reads.meets(left); };
    auto comes = [&](int read) {
        if (!ahead_.open.test(read)) return graph_.events[read].rf < 0 || !among(unknown_sources(graph_.events[read].rf));
        if (read != later && any_source(read, [&](int, const Bits& unknown) { return !among(unknown); })) return true;
        bool any = false;
        ahead_.updates.each([&](int w) { any = any || (!among(unknown_sources(w)) && may_read_update(read, w)); });
        auto writes = [&](int t) {
            const int other = joined_by(t);
            return (other < 0 || may_end(other, beyond)) && may_meet(t, beyond, false) && !among(needed_by(t)) &&
                   may_write(t, threads_.state_of(graph_, t), read);
        };
        return any || std::ranges::any_of(late_, writes) || (beyond && std::ranges::any_of(cut_, writes));
    };
    // Those that wait for what comes later are looked at once the others are in order, which most often are at once.
    Bits late = ahead_.late;
    if (later >= 0) late.set(later);
    for (bool changed = true; changed && left.any();) {
        changed = false;
        auto look = [&](int read) {
            if (!comes(read)) return;
            left.reset(read);
            changed = true;
        };
        (left - late).each(look);
        (left & late).each(look);
    }
    return !left.any();
}

// The reads of unknown value without which a thread does not go on.
template <int W>
Row<W> Resolver<W>::needed_by(int thread) const {
    for (int t = thread, n = 0; n <= graph_.thread_count(); t = joined_by(t), ++n) {
        const int last = graph_.last(t);
        if (threads_.state_of(graph_, t).status == Status::OPEN)
            return last >= 0 && graph_.events[last].wait == Wait::OPEN ? Bits() : waited_for(t);
        if (is_at_meet(t)) return needed_to_meet(t);
        if (joined_by(t) < 0) break;
    }
    return {};
}

// The same of one that meets others: these have to come there.
template <int W>
Row<W> Resolver<W>::needed_to_meet(int thread) const {
    Bits reads;
    std::vector<std::int32_t> awaited{thread};  // with those that these wait for
    auto add = [&](int t) {
        if (std::ranges::count(awaited, t) == 0) awaited.push_back(t);
    };
    for (std::size_t n = 0; n < awaited.size(); ++n) {
        const int t = awaited[n], last = graph_.last(t);
        const ThreadState& state = threads_.state_of(graph_, t);
        const Instruction& i = task_.code.instructions[state.pc];
        if (state.status == Status::OPEN && (last < 0 || graph_.events[last].wait != Wait::OPEN)) reads |= waited_for(t);
        if (joined_by(t) >= 0) add(joined_by(t));
        if (!is_at_meet(t)) continue;
        for (const std::int32_t other : task_.code.groups[i.a])
            if (threads_.comes(graph_, other, i) < 0) add(other);
    }
    return reads;
}

}  // namespace xgen
