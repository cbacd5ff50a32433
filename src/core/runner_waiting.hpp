// Threads that wait in loops. Part of runner.hpp.
//
// A thread that comes back to where it was, with the same locals as far as they matter, and has written nothing since, is
// waiting: it is blocked there, because a later execution in which it goes on is one in which it had not gone round. To be
// sure of that, what follows must depend on no read that it would not depend on after this round as well: to drop a round
// must not add a dependency. So each local that matters may depend, before the round, only on what it depends on after it.
//
// Where a round reads such a local anew, it never does. Then two rounds are looked at: if the first is dropped, the second
// starts from what the thread depended on before both. That is right if nothing in the second, and nothing after it,
// depends on anything new then; so the second is run again to see.
#pragma once

#include "runner.hpp"

namespace xgen {

// Whether the thread waits: BLOCKED; or does if locals of which the values are not known yet are the same: OPEN, and `open`
// says which reads that takes; else its status stays. At a choice, it must not have had any event since.
template <int W>
Status Runner<W>::waiting(const Graph<W>& graph, int slot, const ThreadState& state, const std::uint64_t* unknown,
                          Bits& open) const {
    const bool choice = state.status == Status::CHOICE;
    if (!choice && (state.status != Status::EVENT || state.writing)) return state.status;
    const int thread = graph.events[slot].thread;
    const auto& live = search_->code.live[state.pc];
    if (!choice && (live.empty() || !search_->settings.waiting)) return state.status;
    const std::int64_t *now = graph.locals_of(slot), *then;
    const int count = choice ? search_->code.threads[thread].locals : static_cast<int>(live.size()) - 1;
    // The number of an atomic block is no matter where it has just started.
    const int block = search_->code.threads[thread].block;
    auto same_block = [&](int index) {
        if (block < 0 || now[block] == then[block]) return true;
        return now[block] == state.index + 1 && then[block] == index + 1;
    };
    // Adds to `open` what a local depends on; whether it is unknown.
    auto is_unknown = [&](const std::uint64_t* words, int local) {
        bool any = false;
        for (int k = 0; unknown && k < W; ++k) {
            const std::uint64_t part = words[static_cast<std::size_t>(local) * W + k] & unknown[k];
            open.word[k] |= part;
            any |= part != 0;
        }
        return any;
    };
    // What has got no value since is the same, whatever it is.
    auto same = [&](int index) {
        if (!unknown && choice && block < 0) return std::equal(now, now + count, then);
        const std::uint64_t* before = unknown ? taint_before(graph, thread, index) : nullptr;
        const std::vector<bool>* assigned = nullptr;
        for (int k = 0; k < count; ++k) {
            const int local = choice ? k : live[k + 1];
            if (local == block) continue;
            const Bits others = open;
            const bool open_now = unknown && is_unknown(graph.taint_of(slot), local);
            const bool open_then = unknown && is_unknown(before, local);
            if (!open_now && !open_then && now[local] != then[local]) return false;
            if (!open_now && !open_then) continue;
            if (!assigned) assigned = &assigned_since(graph, slot, index, unknown);
            if (!(*assigned)[local]) open = others;
        }
        return true;
    };
    const bool dependent = search_->plan.dependent;
    std::vector<int> locals, heads;
    std::vector<Bits> opens;
    for (int k = graph.events[slot].index; k >= 0 && static_cast<int>(heads.size()) < count + 2; --k) {
        const Event& event = graph.events[graph.line(thread)[k]];
        if (choice ? event.kind != EventKind::CHOICE : changes(graph, graph.line(thread)[k])) break;
        if (event.kind == EventKind::WRITE) continue;  // the state before it is in the middle of an update
        open = {};
        if (state_before(graph, thread, k, then).pc != state.pc || !same_block(k) || !same(k)) continue;
        if (dependent && heads.empty())
            for (int n = 0; n < count; ++n)
                if (const int local = choice ? n : live[n + 1]; local != block) locals.push_back(local);
        bool drops = !dependent || depends_as_before(graph, slot, k, locals);
        for (std::size_t n = heads.size(); n > 0 && !drops; --n) {
            drops = depends_as_without(graph, slot, k, heads[n - 1], locals, unknown);
            if (drops) open |= opens[n - 1];
        }
        if (drops) return open.any() ? Status::OPEN : Status::BLOCKED;
        heads.push_back(k);
        opens.push_back(open);
    }
    return state.status;
}

// Whether an event changes something, so that a thread which has it in a loop does not only wait. An update that writes what
// it has read, such as a test-and-set that fails, does not: without it, what reads from it reads the same from the write
// before. (Where threads run ahead, it is not always known what it has read.)
template <int W>
bool Runner<W>::changes(const Graph<W>& graph, int slot) const {
    const Event& event = graph.events[slot];
    if (event.kind == EventKind::WRITE) return search_->plan.ahead || !graph.is_silent(slot);
    return event.kind == EventKind::FENCE && event.object >= 0;
}

// Whether all that the thread's locals depended on before its event `head` they depend on after the one in `slot` as well.
template <int W>
bool Runner<W>::depends_as_before(const Graph<W>& graph, int slot, int head, const std::vector<int>& locals) const {
    const std::uint64_t *before = taint_before(graph, graph.events[slot].thread, head), *after = graph.taint_of(slot);
    for (int local : locals)
        for (std::size_t k = 0, first = static_cast<std::size_t>(local) * W; k < W; ++k)
            if (before[first + k] & ~after[first + k]) return false;
    return true;
}

// Goes over the thread's events from `second` to the one in `slot` once more. Each set of the taint is of two parts: what
// there is, and what there would be if the events from `first` to `second` had not been. Asks good(event) before each
// event; false where one was not.
template <int W>
template <class F>
bool Runner<W>::again(const Graph<W>& graph, int slot, int first, int second, const std::uint64_t* unknown,
                      F&& good) const {
    constexpr int V = 2 * W;
    const int thread = graph.events[slot].thread, sets = Taint::sets(search_->code.threads[thread].locals);
    if (!doubled_) doubled_.emplace(search_->code, V);
    doubled_->watch(&assigned_);
    doubled_taint_.resize(static_cast<std::size_t>(sets) * V);
    doubled_unknown_.assign(V, 0);
    if (unknown) std::copy_n(unknown, W, doubled_unknown_.begin());
    const std::uint64_t *there = taint_before(graph, thread, second), *would_be = taint_before(graph, thread, first);
    for (int n = 0; n < sets; ++n) {
        std::uint64_t* set = doubled_taint_.data() + static_cast<std::size_t>(n) * V;
        std::copy_n(there + static_cast<std::size_t>(n) * W, W, set);
        std::copy_n(would_be + static_cast<std::size_t>(n) * W, W, set + W);
    }
    const int last = graph.events[slot].index;
    for (int k = second; k <= last; ++k) {
        const int e = graph.line(thread)[k], next = graph.at(thread, k + 1);
        const Event& event = graph.events[e];
        if (!good(event)) return false;
        const std::int64_t* before;
        ThreadState state = state_before(graph, thread, k, before);
        doubled_locals_.assign(before, before + stride_);
        const Instruction& i = search_->code.instructions[event.pc];
        const bool exclusive = i.op == Op::LOADX || i.op == Op::STOREX;
        if ((event.kind == EventKind::READ || i.op == Op::HAVOC || i.op == Op::STOREX) && i.dst >= 0) assigned_[i.dst] = true;
        if (exclusive) assigned_[search_->code.threads[thread].reservation] = true;
        if (exclusive) assigned_[search_->code.threads[thread].reservation + 1] = true;
        const bool chosen = next >= 0 && graph.events[next].kind == EventKind::CHOICE;
        pass<V>(*doubled_, event, pc_after(graph, e), state, doubled_locals_.data(), doubled_taint_.data(),
                unknown ? doubled_unknown_.data() : nullptr, chosen ? graph.events[next].expected : 0);
    }
    return true;
}

// Whether a set of the doubled taint would have what it does not have.
template <int W>
bool Runner<W>::adds(int set) const {
    const std::uint64_t* words = doubled_taint_.data() + static_cast<std::size_t>(set) * 2 * W;
    for (int k = 0; k < W; ++k)
        if (words[W + k] & ~words[k]) return true;
    return false;
}

// Whether the thread's events from `second` to the one in `slot`, and its locals after them, would depend on nothing new if
// those from `first` to `second` had not been.
template <int W>
bool Runner<W>::depends_as_without(const Graph<W>& graph, int slot, int first, int second, const std::vector<int>& locals,
                                   const std::uint64_t* unknown) const {
    const int own = search_->code.threads[graph.events[slot].thread].locals;
    assigned_.assign(search_->code.registers(), false);
    const bool good = again(graph, slot, first, second, unknown, [&](const Event& event) {
        if (adds(Taint::control(own)) || (event.kind != EventKind::FENCE && adds(Taint::address(own)))) return false;
        return event.kind != EventKind::CHOICE || !adds(Taint::data(own));
    });
    return good && !adds(Taint::control(own)) && std::none_of(locals.begin(), locals.end(), [&](int l) { return adds(l); });
}

// The registers that get a value from the thread's event `head` on, to where it stands after the one in `slot`.
template <int W>
const std::vector<bool>& Runner<W>::assigned_since(const Graph<W>& graph, int slot, int head,
                                                   const std::uint64_t* unknown) const {
    assigned_.assign(search_->code.registers(), false);
    again(graph, slot, head, head, unknown, [](const Event&) { return true; });
    return assigned_;
}

// Says of a thread that has been run on from the event in `slot` whether it waits there. Where that is not known, what has
// been assumed holds; and what has been assumed is refuted by what is known.
template <int W>
void Runner<W>::settle(Graph<W>& graph, int slot, const std::uint64_t* unknown) {
    Event& event = graph.events[slot];
    ThreadState& state = graph.states[slot];
    Bits open;
    const Status status = waiting(graph, slot, state, unknown, open);
    const bool undecided = status == Status::OPEN && state.status != Status::OPEN;
    if (!undecided) {
        if (event.wait == Wait::GOES_ON) refuted_ |= status == Status::BLOCKED && state.status != Status::BLOCKED;
        if (event.wait == Wait::WAITS) refuted_ |= status != Status::BLOCKED;
        if (event.wait == Wait::OPEN) event.wait = Wait::NO;
        state.status = status;
        return;
    }
    if (event.wait == Wait::GOES_ON) return;
    if (event.wait == Wait::WAITS) {
        state.status = Status::BLOCKED;
        return;
    }
    event.wait = Wait::OPEN;
    state.status = status;
    const int address = Taint::address(search_->code.threads[event.thread].locals);
    std::copy_n(open.word, W, graph.taint_of(slot) + static_cast<std::size_t>(address) * W);
}

}  // namespace xgen
