// Threads that wait in loops. Part of threads.hpp.
//
// A thread that comes back to where it was, with the same locals as far as they matter, and has written nothing since, is
// waiting: it is blocked there, because a later execution in which it goes on is one in which it had not gone round. To be
// sure of that, what follows must depend on no read that it would not depend on after this round as well: to drop a round
// must not add a dependency. So each local that matters may depend, before the round, only on what it depends on after it.
//
// Where a round reads such a local anew, it never does. Then two rounds are looked at: if the first is dropped, the second
// starts from what the thread depended on before both. That is right if nothing in the second, and nothing after it,
// depends on anything new then; so the second is run again to see.
//
// A round may lock mutexes and unlock them again, and write nothing between. Without it, who locks after it locks after who
// locked before it; nobody else sees that it has been, as long as mutexes are only locked and unlocked, or whoever finds one
// held when he tries it is in such a round himself (src/xgen/lowering/analysis/undone.py): all of these are left out at once.
#pragma once

#include "threads.hpp"

namespace xgen {

// A thread where it stands after an event, to be compared with where it has stood before.
template <int W>
struct Threads<W>::Stand {
    const Graph<W>& graph;
    int slot;                      // of the event
    const ThreadState& state;      // after it
    const std::uint64_t* unknown;  // see run_on
    int thread = -1;
    bool choice = false;           // it stands at a choice; the same then takes that it has had no event since
    // The locals that matter, but for the one that has the number of an atomic block: `live` from 1 on; null: all.
    const std::vector<std::int32_t>* live = nullptr;
    int count = 0;
    int block = -1;                // the local that has the number of an atomic block, -1: there is none

    Stand(const Task& task, const Graph<W>& graph_, int slot_, const std::uint64_t* unknown_)
        : graph(graph_), slot(slot_), state(graph_.states[slot_]), unknown(unknown_), thread(graph_.events[slot_].thread),
          choice(state.status == Status::CHOICE), block(task.code.threads[thread].block) {
        if (!choice) live = &task.code.live[state.pc];
        count = choice ? task.code.threads[thread].locals : static_cast<int>(live->size()) - 1;
    }
    // Calls f(local) for each local that matters, as long as it says true; whether it always has.
    template <class F>
    bool all_locals(F&& f) const {
        for (int k = 0; k < count; ++k)
            if (const int local = live ? (*live)[k + 1] : k; local != block && !f(local)) return false;
        return true;
    }
};

//----------------------------------------------------------------------------------------------------------------------
// settle: says of a thread that has been run on whether it waits where it stands.
//
// Input   slot: its last event. unknown: see run_on.
// Output  false where what was assumed of it is refuted by what is known.
// Before  graph.states[slot] says where it stands, as if it did not wait.
// After   Where that is known, the state's status and round say it. Where it is not, what has been assumed holds; where
//         nothing has, the thread is OPEN, event.wait too, and the address of its taint has the reads that it takes.
//----------------------------------------------------------------------------------------------------------------------
template <int W>
bool Threads<W>::settle(Graph<W>& graph, int slot, const std::uint64_t* unknown) {
    Event& event = graph.events[slot];
    ThreadState& state = graph.states[slot];
    Waiting found{state.status, state.round, {}};
    const bool loops = state.status == Status::CHOICE ||
                       (state.status == Status::EVENT && !state.writing && task_.settings.waiting &&
                        !task_.code.live[state.pc].empty());
    if (loops) found = waiting(Stand(task_, graph, slot, unknown));
    const bool known = found.status != Status::OPEN || state.status == Status::OPEN;
    bool good = true;
    if (known) {
        if (event.wait == Wait::GOES_ON) good = found.status != Status::BLOCKED || state.status == Status::BLOCKED;
        if (event.wait == Wait::WAITS) good = found.status == Status::BLOCKED;
        if (event.wait == Wait::OPEN) event.wait = Wait::NO;
        state.status = found.status;
        state.round = found.round;
        return good;
    }
    if (event.wait == Wait::GOES_ON) return true;
    if (event.wait == Wait::WAITS) {
        state.status = Status::BLOCKED;
        state.round = found.round;
        return true;
    }
    event.wait = Wait::OPEN;
    state.status = Status::OPEN;
    const int address = Taint::address(task_.code.threads[event.thread].locals);
    std::copy_n(found.open.word, W, TaintSets{graph.taint_of(slot), W}[address]);
    return true;
}

//----------------------------------------------------------------------------------------------------------------------
// waiting: whether a thread has come back to where it was, and to drop a round adds no dependency.
//
// Output  BLOCKED: it waits. OPEN: it does if locals of which the values are not known are the same; `open` says which
//         reads that takes. Else the status that it has. round: where the last round starts.
// Before  The thread stands at an event or a choice that may be in a loop.
//----------------------------------------------------------------------------------------------------------------------
template <int W>
typename Threads<W>::Waiting Threads<W>::waiting(const Stand& stand) const {
    const Graph<W>& graph = stand.graph;
    const bool dependent = task_.plan.dependent;
    std::vector<int> heads;  // the rounds that could be dropped but for dependencies, the last one first
    std::vector<Bits> opens;
    Bits pending;
    std::vector<std::int32_t> held;  // the mutexes of which the last round has the unlock, seen so far, and not the lock
    for (int k = graph.events[stand.slot].index; k >= 0 && static_cast<int>(heads.size()) < stand.count + 2; --k) {
        const Event& event = graph.events[graph.line(stand.thread)[k]];
        if (!stand.choice && task_.settings.locking && passes_lock(event, held)) continue;
        if (stand.choice ? event.kind != EventKind::CHOICE : changes(stand, graph.line(stand.thread)[k], pending)) break;
        if (event.kind == EventKind::WRITE) continue;  // the state before it is in the middle of an update
        if (!held.empty()) continue;
        Bits open = pending;
        if (!is_as_before(stand, k, open)) continue;
        bool drops = !dependent || depends_as_before(stand, k);
        for (std::size_t n = heads.size(); n > 0 && !drops; --n) {
            drops = depends_as_without(stand, k, heads[n - 1]);
            if (drops) open |= opens[n - 1];
        }
        if (drops && task_.settings.in_order && !stand.choice) by_chance_ |= !is_decided(stand, k);
        if (drops) return {open.any() ? Status::OPEN : Status::BLOCKED, heads.empty() ? k : heads[0], open};
        heads.push_back(k);
        opens.push_back(open);
    }
    return {stand.state.status, -1, {}};
}

// Whether a write is an unlock, or the lock that goes before one that has been passed: rounds are looked at backwards.
template <int W>
bool Threads<W>::passes_lock(const Event& event, std::vector<std::int32_t>& held) const {
    if (task_.plan.ahead || task_.plan.classes || task_.settings.in_order || event.kind != EventKind::WRITE) return false;
    const Op op = task_.code.instructions[event.pc].op;
    const auto found = std::ranges::find(held, event.cell);
    if (op == Op::UNLOCK && found == held.end()) {
        held.push_back(event.cell);
        return true;
    }
    if (op != Op::RMW || found == held.end()) return false;
    held.erase(found);
    return true;
}

// Whether an event changes something, so that a thread which has it in a loop does not only wait. An update that writes what
// it has read, such as a test-and-set that fails, does not: without it, what reads from it reads the same from the write
// before. A model may see that (Settings::silent; src/xgen/memory/statics/silent.py); then it has to be the update at which
// the thread stands, of a cell of which nobody makes anything else (src/xgen/lowering/analysis/spinning.py); a store
// exclusive with its load is one as well. Where it is not known what it reads or writes, it is taken not to change anything,
// and `open` gets the reads that this takes.
template <int W>
bool Threads<W>::changes(const Stand& stand, int slot, Bits& open) const {
    const Graph<W>& graph = stand.graph;
    const Event& event = graph.events[slot];
    if (event.kind == EventKind::FENCE)  // who meets others is past that, which these see
        return event.object >= 0 || task_.code.instructions[event.pc].op == Op::MEET;
    if (event.kind != EventKind::WRITE) return false;
    const int read = event.rmw ? event.index - 1 : event.partner;
    if (read < 0 || event.update) return true;
    const bool spins = stand.live && (*stand.live)[0] == SPINS &&
                       graph.events[graph.at(event.thread, read)].pc == stand.state.pc;
    if (!spins && (!task_.settings.silent || !event.rmw)) return true;
    if (!task_.plan.ahead) return !graph.is_silent(slot);
    Bits unknown;
    if (stand.unknown) unknown = Bits::of(stand.unknown);
    Bits reads = Bits::single(read);
    graph.data[slot].each([&](int e) { reads.set(graph.events[e].index); });
    if (!(reads & unknown).any()) return !graph.is_silent(slot) && !graph.writes_again(slot);
    open |= reads & unknown;
    return false;
}

// Whether the thread stood before its event `index` where it stands now, with the same values in the locals that matter.
// The number of an atomic block is no matter where it has just started. Of locals of which the values are not known, now
// or then, `open` gets the reads that they depend on; but what has got no value since is the same, whatever it is.
template <int W>
bool Threads<W>::is_as_before(const Stand& stand, int index, Bits& open) const {
    if (state_before(stand.graph, stand.thread, index).pc != stand.state.pc) return false;
    const std::int64_t *now = stand.graph.locals_of(stand.slot), *then = locals_before(stand.graph, stand.thread, index);
    const int block = stand.block;
    if (block >= 0 && now[block] != then[block] && (now[block] != stand.state.index + 1 || then[block] != index + 1))
        return false;
    if (!stand.unknown) {
        if (stand.choice && block < 0) return std::equal(now, now + stand.count, then);
        return stand.all_locals([&](int local) { return now[local] == then[local]; });
    }
    const TaintSets after{stand.graph.taint_of(stand.slot), W}, before{taint_before(stand.graph, stand.thread, index), W};
    const std::vector<bool>* assigned = nullptr;
    return stand.all_locals([&](int local) {
        Bits unknown;
        for (int k = 0; k < W; ++k) unknown.add(k, (after[local][k] | before[local][k]) & stand.unknown[k]);
        if (!unknown.any()) return now[local] == then[local];
        if (!assigned) assigned = &assigned_since(stand, index);
        if ((*assigned)[local]) open |= unknown;
        return true;
    });
}

// Whether all that the thread's way and its locals depended on before its event `head` they depend on now as well.
template <int W>
bool Threads<W>::depends_as_before(const Stand& stand, int head) const {
    const TaintSets after{stand.graph.taint_of(stand.slot), W}, before{taint_before(stand.graph, stand.thread, head), W};
    auto grows = [&](int set) {
        for (int k = 0; k < W; ++k)
            if (before[set][k] & ~after[set][k]) return false;
        return true;
    };
    return grows(Taint::control(task_.code.threads[stand.thread].locals)) && stand.all_locals(grows);
}

// Whether it is decided that a thread is where it was before its event `head`, by what it has read since in an order that the
// model has for all: locals that matter have nothing of other reads of the round, which might have read something else in an
// execution with load buffering, so that the thread would have gone on (explore_order_impl.hpp).
template <int W>
bool Threads<W>::is_decided(const Stand& stand, int head) const {
    const TaintSets after{stand.graph.taint_of(stand.slot), W};
    const std::uint64_t* control = after[Taint::control(task_.code.threads[stand.thread].locals)];
    Bits reads;
    for (int k = head; k <= stand.graph.events[stand.slot].index; ++k)
        if (stand.graph.events[stand.graph.line(stand.thread)[k]].kind == EventKind::READ) reads.set(k);
    reads -= Bits::of(control);
    return stand.all_locals([&](int local) { return !reads.meets(Bits::of(after[local])); });
}

// Goes over the thread's events from `second` on once more. Each set of the taint is of two parts: what there is, and what
// there would be if the events from `first` to `second` had not been. Asks good(event) before each event; false where one
// was not.
template <int W>
template <class F>
bool Threads<W>::again(const Stand& stand, int first, int second, F&& good) const {
    constexpr int V = 2 * W;
    const Graph<W>& graph = stand.graph;
    const int thread = stand.thread, sets = Taint::sets(task_.code.threads[thread].locals);
    if (!doubled_) doubled_.emplace(task_.code, V);
    assigned_.assign(task_.code.registers(), false);
    doubled_->watch(&assigned_);
    doubled_taint_.resize(static_cast<std::size_t>(sets) * V);
    doubled_unknown_.assign(V, 0);
    if (stand.unknown) std::copy_n(stand.unknown, W, doubled_unknown_.begin());
    const TaintSets there{taint_before(graph, thread, second), W}, would_be{taint_before(graph, thread, first), W};
    const TaintSets doubled{doubled_taint_.data(), V};
    for (int n = 0; n < sets; ++n) {
        std::copy_n(there[n], W, doubled[n]);
        std::copy_n(would_be[n], W, doubled[n] + W);
    }
    const int last = graph.events[stand.slot].index;
    for (int k = second; k <= last; ++k) {
        const int e = graph.line(thread)[k], next = graph.at(thread, k + 1);
        const Event& event = graph.events[e];
        if (!good(event)) return false;
        ThreadState state = state_before(graph, thread, k);
        const std::int64_t* before = locals_before(graph, thread, k);
        doubled_locals_.assign(before, before + stride_);
        const Instruction& i = task_.code.instructions[event.pc];
        const bool exclusive = i.op == Op::LOADX || i.op == Op::STOREX;
        if ((event.kind == EventKind::READ || i.op == Op::HAVOC || i.op == Op::PREDICT || i.op == Op::STOREX) && i.dst >= 0)
            assigned_[i.dst] = true;
        if (exclusive) assigned_[task_.code.threads[thread].reservation] = true;
        if (exclusive) assigned_[task_.code.threads[thread].reservation + 1] = true;
        const bool chosen = next >= 0 && graph.events[next].kind == EventKind::CHOICE;
        pass<V>(*doubled_, event, pc_after(graph, e), state, doubled_locals_.data(), doubled_taint_.data(),
                stand.unknown ? doubled_unknown_.data() : nullptr, chosen ? graph.events[next].expected : 0);
    }
    return true;
}

// Whether a set of the doubled taint would have what it does not have.
template <int W>
bool Threads<W>::adds(int set) const {
    const std::uint64_t* words = TaintSets{doubled_taint_.data(), 2 * W}[set];
    for (int k = 0; k < W; ++k)
        if (words[W + k] & ~words[k]) return true;
    return false;
}

// Whether the thread's events from `second` on, and its locals after them, would depend on nothing new if those from
// `first` to `second` had not been.
template <int W>
bool Threads<W>::depends_as_without(const Stand& stand, int first, int second) const {
    const int own = task_.code.threads[stand.thread].locals;
    const bool good = again(stand, first, second, [&](const Event& event) {
        const bool addressed = event.kind != EventKind::FENCE || event.object >= 0;
        if (adds(Taint::control(own)) || (addressed && adds(Taint::address(own)))) return false;
        return event.kind != EventKind::CHOICE || !adds(Taint::data(own));
    });
    return good && !adds(Taint::control(own)) && stand.all_locals([&](int local) { return !adds(local); });
}

// The registers that get a value from the thread's event `head` on, to where it stands.
template <int W>
const std::vector<bool>& Threads<W>::assigned_since(const Stand& stand, int head) const {
    again(stand, head, head, [](const Event&) { return true; });
    return assigned_;
}

}  // namespace xgen
