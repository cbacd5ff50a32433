// What is to be decided next, and which options there are. Part of resolve_impl.hpp.
#pragma once

#include "resolve.hpp"
#include "resolve_grounds_impl.hpp"
#include "resolve_threads_impl.hpp"

namespace xgen {

// Calls f for each instruction that may be run from one on.
template <class F>
void each_reachable(const Code& code, std::int32_t pc, F&& f) {
    std::vector<bool> seen(code.instructions.size());
    std::vector<std::int32_t> left{pc};
    while (!left.empty()) {
        const std::int32_t at = left.back();
        left.pop_back();
        if (seen[at]) continue;
        seen[at] = true;
        const Instruction& i = code.instructions[at];
        f(at, i);
        const OpKind kind = operation(i.op).kind;
        if (i.op == Op::CHOOSE) left.insert(left.end(), code.targets[i.c].begin(), code.targets[i.c].end());
        if (kind == OpKind::JUMP || kind == OpKind::BRANCH) left.push_back(i.c);
        if (kind != OpKind::END && kind != OpKind::JUMP && i.op != Op::CHOOSE) left.push_back(at + 1);
    }
}

// Finds the threads that may stop at a choice, at a value that is not known, at an RMW that may fail, or for others.
template <int W>
void Resolver<W>::find_stopping() {
    const Code& code = task_.code;
    auto stops = [&](const Instruction& i) {
        const Operation role = operation(i.op);
        switch (role.kind) {
        case OpKind::BRANCH:
        case OpKind::TEST:
        case OpKind::CHOICE: return true;
        case OpKind::COMPUTE: return i.decides() || role.place != 0;
        case OpKind::END: return i.op == Op::CUT;
        case OpKind::JUMP: return false;
        case OpKind::EVENT: break;
        }
        if (i.op == Op::RMW) return code.rmws[i.c].address >= 0 || may_fail(code.rmws[i.c].kind);
        return i.op == Op::JOIN || i.op == Op::MEET || i.op == Op::UNLOCK || (role.place != 0 && i.a >= 0);
    };
    for (int t = 0; t < graph_.thread_count(); ++t) {
        bool any = code.threads[t].waits || task_.settings.max_depth >= 0;
        each_reachable(code, code.threads[t].entry,
                       [&](std::int32_t at, const Instruction& i) { any |= stops(i) || !code.live[at].empty(); });
        if (any) stopping_.push_back(t);
    }
}

// Opens the next decision of a graph whose threads have run ahead; false where everything is decided, or where some
// read can no longer read from anything.
template <int W>
bool Resolver<W>::decide() {
    if (cannot_be_served(ahead_.late)) return false;
    for (int t : stopping_)
        if (decide_thread(t, threads_.state_of(graph_, t))) return true;
    find_late();
    if (ahead_.joining.any()) return decide_joining();
    if (observes_) {
        const int depth = depth_;
        refused_ = !settle_observed();
        if (refused_ || depth_ > depth) return !refused_;
        note_cuts();
        return decide_observation();
    }
    note_cuts();
    for (int t : updating_) {
        const bool parted = threads_.state_of(graph_, t).status == Status::CHOICE;
        if (parted ? knows_all(t) : knows_next(t, graph_.length(t))) return decide_outcome(t);
    }
    return decide_read();
}

// Finds the threads that may yet do writes which are not known, and those that the bound has stopped.
template <int W>
void Resolver<W>::find_late() {
    late_.clear();
    cut_.clear();
    updating_.clear();
    for (int t : stopping_) {
        const ThreadState& state = threads_.state_of(graph_, t);
        if (state.status == Status::ENDED) continue;
        const bool goes_on = stands(state.status) && threads_.is_started(graph_, t) && threads_.within_bound(state);
        if (goes_on && (task_.code.instructions[state.pc].op == Op::RMW || is_outcome(state))) updating_.push_back(t);
        if (goes_on || state.status == Status::OPEN || waits(t, state))
            late_.push_back(t);
        else if (stands(state.status) || state.status == Status::CUT)
            cut_.push_back(t);
    }
}

// Opens a decision of the place in modification order of the first write that joins. A fence needs none, nor where classes are
// explored a write.
template <int W>
bool Resolver<W>::decide_joining() {
    const int e = ahead_.joining.first();
    const Event& event = graph_.events[e];
    const bool joins = event.kind == EventKind::FENCE || classes_;
    Decision<W>& decision = open_decision(joins ? Kind::JOINING : Kind::PLACE, -1, e);
    if (joins) {
        decision.end = 0;
        return true;
    }
    const auto [last, first] = places_of(e);
    for (int place = last; place >= 0; place = place == first ? -1 : graph_.mo_previous[place])
        if (is_place(place)) decision.options.push_back(place);
    decision.end = static_cast<std::int64_t>(decision.options.size()) - 1;
    return true;
}

// The mo-last and the mo-first write that coherence lets a known read read from, or a known write be put after: of the others,
// each would be refused. -1: there is none, or no first one.
template <int W>
std::pair<int, int> Resolver<W>::places_of(int slot) const {
    const Event& event = graph_.events[slot];
    if (!task_.plan.keeps_coherence()) return {graph_.mo_last[event.cell], -1};
    int before = -1, after = -1;  // the accesses of its thread that are next to it
    (graph_.cell_bits[event.cell] & graph_.thread_bits[event.thread]).each([&](int e) {
        const int index = graph_.events[e].index;
        if (index < event.index && (before < 0 || index > graph_.events[before].index)) before = e;
        if (index > event.index && (after < 0 || index < graph_.events[after].index)) after = e;
    });
    auto reads = [&](int e) { return e >= 0 && graph_.events[e].kind == EventKind::READ; };
    auto accessed = [&](int e) { return reads(e) ? graph_.events[e].rf : e; };
    const int last = accessed(after);
    return {last < 0 ? graph_.mo_last[event.cell] : reads(slot) && reads(after) ? last : graph_.mo_previous[last],
            accessed(before)};
}

template <int W>
void Resolver<W>::leave_out_incoherent(Decision<W>& decision) const {
    const auto [last, first] = places_of(decision.slot);
    std::erase_if(decision.options, [&, last = last, first = first](int w) {
        return w != LATER && (last < 0 || (w != last && !graph_.mo_before[last].test(w)) ||
                              (first >= 0 && w != first && !graph_.mo_before[w].test(first)));
    });
}

// Opens a decision of the place where a thread stands, if there is one. Whether an update fails is decided later, but of
// what threads see: who tries again until it does not would else fail without end before anything is read.
template <int W>
bool Resolver<W>::decide_thread(int thread, const ThreadState& state) {
    const Instruction& i = task_.code.instructions[state.pc];
    if (!threads_.is_started(graph_, thread) || !threads_.within_bound(state)) return false;
    if (state.status == Status::CHOICE) {
        if (i.op == Op::GATHER || (!observes_ && is_outcome(state))) return false;
        decide_choice(thread, state);
        return true;
    }
    return observes_ && state.status == Status::EVENT && i.op == Op::RMW && decide_outcome(thread);
}

template <int W>
void Resolver<W>::decide_choice(int thread, const ThreadState& state) {
    const bool chooses = task_.code.instructions[state.pc].op == Op::CHOOSE;
    Decision<W>& decision = open_decision(Kind::CHOICE, thread, -1);
    decision.next = chooses ? 0 : state.a;
    decision.end = state.b;
    if (chooses) decision.end = state.expected > 0 ? 1 : std::ssize(threads_.enabled(graph_, thread)) - 1;
}

// Whether a thread stands at the choice of whether an update of several parts fails.
template <int W>
bool Resolver<W>::is_outcome(const ThreadState& state) const {
    return state.status == Status::CHOICE && outcomes_[state.pc];
}

// Whether all is known that a thread has read.
template <int W>
bool Resolver<W>::knows_all(int thread) const {
    const std::uint64_t* unknown = unknown_of(thread);
    return std::all_of(unknown, unknown + W, [](std::uint64_t word) { return word == 0; });
}

// Opens a decision of whether the update fails at which a thread stands.
template <int W>
bool Resolver<W>::decide_outcome(int thread) {
    const ThreadState& state = threads_.state_of(graph_, thread);
    if (state.status == Status::CHOICE) {
        decide_choice(thread, state);
        return true;
    }
    const bool waits = observes_ && waits_if_it_fails(thread);
    Decision<W>& decision = open_decision(Kind::OUTCOME, thread, -1);
    if (waits) decision.options = {0};
    decision.end = waits ? 0 : 1;
    return true;
}

template <int W>
Decision<W>& Resolver<W>::open_decision(Kind kind, int thread, int slot) {
    if (depth_ == static_cast<int>(decisions_.size())) decisions_.emplace_back();
    Decision<W>& decision = decisions_[depth_];
    decision.outer = -1;
    if (depth_ > 0) decision.outer = top().any() ? top().saved : top().outer;
    ++depth_;
    decision.kind = kind;
    decision.thread = thread;
    decision.slot = slot;
    decision.options.clear();
    decision.next = 0;
    decision.taken = false;
    decision.branches = 0;
    decision.size = graph_.size();
    decision.saved = saved_.size();
    decision.joined = 0;
    decision.known = classes_ ? classes_->mark() : 0;
    if (observes_) decision.last = classes_->last();
    decision.ahead = ahead_;
    return decision;
}

// Takes the first open read that can only read from what is there already, or else the first that can read from that; what
// comes behind a read of its thread that waits is taken last, for it goes on with nothing. The read may wait for what comes
// later if that may come first (is_grounded). Where all wait, it is decided whether an update fails of which it is not known
// what it compares with; else some updates are detached, or else it is decided whether a thread goes on that may be waiting.
template <int W>
bool Resolver<W>::decide_read() {
    int chosen = -1, least = 4;  // of 0 to 3, the rank of the chosen one
    bool waiting = ahead_.late.any();  // some read is known to wait for what comes later
    Bits settled;                      // can read a value that is known
    Bits rest = ahead_.open;
    for (int r; (r = rest.first()) >= 0; rest.reset(r)) {
        const bool later = may_come(r);
        const int behind = is_behind(r, ahead_.late) ? 2 : 0;
        if (later && later + behind >= least) {  // it is not chosen, whatever it can read from
            bool any = false;
            const bool known = any_source(r, [&](int, const Bits& unknown) {
                any = true;
                return !unknown.any();
            });
            if (known) settled.set(r);
            waiting = waiting || !any;
            continue;
        }
        find_sources(r);
        if (sources_.empty() && !later) return false;
        waiting = waiting || sources_.empty();
        if (sources_.empty()) continue;
        const bool forced = !later && sources_.size() == 1;
        const int rank = forced ? 0 : later + behind;
        if (rank >= least) continue;
        least = rank;
        chosen = r;
        if (later) sources_.push_back(LATER);
        std::swap(sources_, chosen_sources_);
        if (rank == 0) break;
    }
    if (waiting && !is_grounded(settled)) return false;
    if (chosen < 0 && !updating_.empty()) return decide_outcome(updating_[0]);
    if (chosen < 0) return detach() ? decide_joining() : decide_waiting();
    if (chosen_sources_.back() == LATER && !is_grounded(settled, chosen)) chosen_sources_.pop_back();
    Decision<W>& decision = open_decision(Kind::SOURCE, -1, chosen);
    decision.excluded = excluded_[chosen];
    std::swap(decision.options, chosen_sources_);
    if (!classes_) leave_out_incoherent(decision);
    decision.end = static_cast<std::int64_t>(decision.options.size()) - 1;
    return true;
}

// Whether one of some open reads can read neither from a write that there is, in the graph or known, nor from what a thread may
// yet write, be it beyond the bound. Threads need not have run as far as they can. Not asked of what threads see.
template <int W>
bool Resolver<W>::cannot_be_served(const Bits& reads) const {
    if (observes_) return false;
    auto writes = [&](int thread, int read) {
        const ThreadState& state = threads_.state_of(graph_, thread);
        const bool goes_on = stands(state.status) || state.status == Status::OPEN || state.status == Status::CUT;
        return goes_on && may_write(thread, state, read);
    };
    bool cannot = false;
    reads.each([&](int read) {
        if (cannot || any_source(read, [](int, const Bits&) { return true; })) return;
        const int own = graph_.events[read].rmw ? update_of(read) : -1;
        bool any = false;
        (ahead_.joining | ahead_.updates).each([&](int e) {
            const Event& event = graph_.events[e];
            any = any || (event.kind == EventKind::WRITE && event.cell == graph_.events[read].cell && e != own);
        });
        for (int t = 0; t < graph_.thread_count() && !any; ++t) any = writes(t, read);
        cannot = !any;
    });
    return cannot;
}

// Whether an open read of an RMW of which it has been decided whether it fails may still read from something, be it from what is
// written beyond the bound. Threads need not have run as far as they can.
template <int W>
bool Resolver<W>::may_be_served(int read) {
    if (cannot_be_served(Bits::single(read))) return false;
    find_late();
    if (has_rivals(read)) return false;
    const bool known = any_source(read, [](int, const Bits&) { return true; });
    return (known && !ahead_.late.any()) || is_grounded({}, -1, true);
}

// Whether more updates than one can read only from what is there, and that is not enough for all of them: no two read from the
// same write.
template <int W>
bool Resolver<W>::has_rivals(int read) {
    const Event& event = graph_.events[read];
    auto waits = [&](int r) { return may_come(r) || may_come_beyond(r); };
    if (!event.rmw || waits(read)) return false;
    Bits places;
    int updates = 0;
    ahead_.open.each([&](int r) {
        const Event& other = graph_.events[r];
        if (!other.rmw || other.cell != event.cell || waits(r)) return;
        ++updates;
        find_sources(r);
        for (const std::int32_t w : sources_) places.set(w);
    });
    return updates > places.count();
}

// Whether a read comes after one of some others in its thread.
template <int W>
bool Resolver<W>::is_behind(int read, const Bits& reads) const {
    const Event& event = graph_.events[read];
    bool any = false;
    reads.each([&](int other) {
        any = any || (graph_.events[other].thread == event.thread && graph_.events[other].index < event.index);
    });
    return any;
}

// Each open read waits for what comes later. One of them, at least, reads from what depends on none of them: from what a
// thread does that goes on, or from an update that writes the same whatever it reads. The latter are detached here: they join
// on their own, as stores do, before it is known what they read, which is then the write before them in modification order.
// False where there are none.
template <int W>
bool Resolver<W>::detach() {
    Bits wanted;
    ahead_.updates.each([&](int write) {
        if (!replaces(kind_of(write))) return;
        ahead_.open.each([&](int read) {
            if (may_read_update(read, write)) wanted.set(write);
        });
    });
    ahead_.updates -= wanted;
    ahead_.joining |= wanted;
    return wanted.any();
}

template <int W>
bool Resolver<W>::decide_waiting() {
    for (int t : late_) {
        const int slot = graph_.last(t);
        if (slot < 0 || graph_.events[slot].wait != Wait::OPEN) continue;
        Decision<W>& decision = open_decision(Kind::WAITING, t, slot);
        decision.end = observes_ && task_.settings.partition == Partition::SEEN && task_.settings.alone[t] ? 0 : 1;
        return true;
    }
    return false;
}

// Where a thread that the bound has stopped may write what some read waits for, executions are missing that the bound
// cut, even if no whole execution shows it. An execution that goes beyond the bound leaves the search where each open read
// reads from what is not there: from what comes later, or, one at least, from what such a thread would write.
template <int W>
void Resolver<W>::note_cuts() {
    bool noticed = false;
    for (int t : cut_) {
        const ThreadState& state = threads_.state_of(graph_, t);
        if (findings_->cuts.count(state.pc)) continue;
        bool any = false;
        ahead_.open.each([&](int read) { any = any || may_write(t, state, read) || may_come_behind(read); });
        if (!any) continue;
        if (!noticed) {
            bool all = true;
            ahead_.open.each([&](int read) { all = all && (may_come(read) || may_come_beyond(read)); });
            if (!all || !is_grounded({}, -1, true)) return;
            noticed = true;
        }
        findings_->cuts.insert(state.pc);
    }
}

// Whether a thread that waits for others, one that the bound has stopped perhaps, may write what a read reads: to start it, to
// end, or to come where they meet.
template <int W>
bool Resolver<W>::may_come_behind(int read) const {
    return std::ranges::any_of(late_, [&](int t) {
        const ThreadState& state = threads_.state_of(graph_, t);
        return waits(t, state) && may_write(t, state, read);
    });
}

// Finds the writes of the graph that an open read can read from, the mo-last one first.
template <int W>
void Resolver<W>::find_sources(int read) {
    sources_.clear();
    any_source(read, [&](int w, const Bits&) {
        sources_.push_back(w);
        return false;
    });
}

// Whether f(write, unknown) says so of any of them; `unknown`: the reads of unknown value from which its value is computed.
template <int W>
template <class F>
bool Resolver<W>::any_source(int read, F&& f) const {
    const Event& event = graph_.events[read];
    const Instruction& i = task_.code.instructions[event.pc];
    const bool compares = i.op == Op::RMW && may_fail(task_.code.rmws[i.c].kind) && knows_operands(read);
    const Bits& excluded = excluded_[read];
    const int detached = event.rmw && graph_.visible.test(update_of(read)) ? update_of(read) : -1;
    auto serves = [&](int w) {
        if (excluded.test(w)) return false;
        if (detached >= 0 && !classes_ ? graph_.mo_next[w] != detached : w == detached || (event.rmw && !is_place(w)))
            return false;
        const Bits unknown = unknown_sources(w);
        if (unknown.any() ? depends(unknown, read)
                          : compares && Machine::writes(task_.code.rmws[i.c].kind, graph_.events[w].value,
                                                        event.expected) != event.rmw)
            return false;
        return f(w, unknown);
    };
    if (classes_) {
        Bits rest = graph_.cell_bits[event.cell];
        if (task_.plan.coherent) rest -= barred(read);
        for (int w; (w = rest.first()) >= 0; rest.reset(w))
            if (graph_.events[w].kind == EventKind::WRITE && serves(w)) return true;
        return false;
    }
    const int bar = task_.plan.coherent ? bar_of(read) : -1;
    for (int w = graph_.mo_last[event.cell]; w >= 0 && w != bar; w = graph_.mo_previous[w])
        if (serves(w)) return true;
    return false;
}

// Whether a thread has not been started yet, or waits for the end of another.
template <int W>
bool Resolver<W>::waits(int thread, const ThreadState& state) const {
    return !threads_.is_started(graph_, thread) || (stands(state.status) && !threads_.may_step(graph_, thread, state));
}

// The last write of its cell, in modification order, such that coherence forbids an open read to read from it or an earlier
// one, because of reads before it in its thread that are open as well; -1: there is none. A read that has taken what comes
// later reads from a write after what its thread has seen before it, if it has left that out, and so does what comes after
// it; the write of an update comes after what the update reads.
template <int W>
int Resolver<W>::bar_of(int read) const {
    int bar = -1;
    each_seen(read, [&](int seen) {
        if (bar < 0 || graph_.mo_before[seen].test(bar)) bar = seen;
    });
    return bar;
}

// The same where modification order is known in part: all these writes.
template <int W>
Row<W> Resolver<W>::barred(int read) const {
    Bits all;
    each_seen(read, [&](int seen) {
        all |= graph_.mo_before[seen];
        all.set(seen);
    });
    return all;
}

template <int W>
template <class F>
void Resolver<W>::each_seen(int read, F&& f) const {
    const Event& event = graph_.events[read];
    const Bits ahead = ahead_.late | ahead_.updates;
    if (event.index == 0 || !ahead.any()) return;
    int seen = event.cell;
    const std::int32_t* line = graph_.line(event.thread);
    for (int k = 0; k < event.index; ++k) {
        const int before = line[k];
        const Event& other = graph_.events[before];
        if (other.cell != event.cell) continue;
        if (ahead.test(before) && (other.kind == EventKind::WRITE || excluded_[before].test(seen))) f(seen);
        if (graph_.visible.test(before)) seen = other.kind == EventKind::READ ? other.rf : before;
    }
}

// Whether a write that is not in the graph yet may be one for an open read to read from.
template <int W>
bool Resolver<W>::may_come(int read) const {
    Bits rest = ahead_.updates;
    for (int w; (w = rest.first()) >= 0; rest.reset(w))
        if (may_read_update(read, w)) return true;
    for (int t : late_) {
        const ThreadState& state = threads_.state_of(graph_, t);
        if (!may_write(t, state, read)) continue;
        const int last = graph_.last(t);
        const bool undecided = last >= 0 && graph_.events[last].wait == Wait::OPEN;
        if (undecided || state.status != Status::OPEN || !depends(waited_for(t), read)) return true;
    }
    return false;
}

// Whether a thread that the bound has stopped may write what an open read reads.
template <int W>
bool Resolver<W>::may_come_beyond(int read) const {
    return std::ranges::any_of(cut_, [&](int t) { return may_write(t, threads_.state_of(graph_, t), read); });
}

// Whether an open read may read from what an update writes that is not in the graph yet.
template <int W>
bool Resolver<W>::may_read_update(int read, int write) const {
    const Event &event = graph_.events[read], &other = graph_.events[write];
    if (other.cell != event.cell || read == read_of(write) || depends(unknown_sources(write), read)) return false;
    if (task_.plan.coherent && other.thread == event.thread && other.index > event.index) return false;
    const bool known = replaces(kind_of(write)) && !graph_.data[write].meets(ahead_.unknown);
    return may_be_read(known ? Written{false, {other.value}} : task_.code.written[other.pc].what, read);
}

// Whether what a thread does from now on may be what an open read reads from. By coherence, that is not what comes after
// the read in its own thread.
template <int W>
bool Resolver<W>::may_write(int thread, const ThreadState& state, int read) const {
    const Event& event = graph_.events[read];
    if (task_.plan.coherent && event.thread == thread) return false;
    const int last = graph_.last(thread);
    const bool foreseen = state.status == Status::OPEN && last >= 0 && foreseen_[last] >= 0;
    return may_be_read(written_from(foreseen ? foreseen_[last] : state.pc)[event.cell], read);
}

// Whether a thread is blocked, waiting, after a round in which it has read what is overwritten. That is a detour, as where
// reads are revisited (explore_waiting_impl.hpp): it stays blocked, so that the execution is not complete, and no write can
// make good for what is overwritten, so that it is not stuck. What other threads do wrong, another execution shows, with the
// round taken away, and added again behind all else.
template <int W>
bool Resolver<W>::any_waits_in_vain() const {
    if (task_.settings.detours.empty() || classes_) return false;
    for (int t = 0; t < graph_.thread_count(); ++t)
        if (waits_in_vain(t)) return true;
    return false;
}

template <int W>
bool Resolver<W>::waits_in_vain(int thread) const {
    const ThreadState& state = threads_.state_of(graph_, thread);
    if (state.status != Status::BLOCKED || state.round < 0) return false;
    bool overtaken = false;
    for (int k = state.round; k < graph_.length(thread); ++k) {
        const Event& event = graph_.events[graph_.at(thread, k)];
        if (event.kind == EventKind::WRITE || task_.code.instructions[event.pc].op == Op::MEET) return false;
        if (event.kind != EventKind::READ) continue;
        if (!task_.settings.detours[event.cell]) return false;
        if (event.rf < 0 || overtaken) continue;
        for (int w = graph_.mo_next[event.rf]; w >= 0 && !overtaken; w = graph_.mo_next[w])
            overtaken = !graph_.events[w].rmw && graph_.events[w].partner < 0;  // it is not known what updates write
    }
    return overtaken;
}

// Whether some of what may be written is what an open read can read: anything, but where it is assumed of an RMW whether
// it fails.
template <int W>
bool Resolver<W>::may_be_read(const Written& written, int read) const {
    if (written.any) return true;
    const Event& event = graph_.events[read];
    const Instruction& i = task_.code.instructions[event.pc];
    if (i.op != Op::RMW || !may_fail(task_.code.rmws[i.c].kind) || !knows_operands(read)) return !written.nothing();
    return std::any_of(written.values.begin(), written.values.end(), [&](std::int64_t value) {
        return Machine::writes(task_.code.rmws[i.c].kind, value, event.expected) == event.rmw;
    });
}

// The reads of unknown value that an OPEN thread waits for.
template <int W>
Row<W> Resolver<W>::waited_for(int thread) const {
    return graph_.depended_on(graph_.last(thread), Taint::address(task_.code.threads[thread].locals));
}

// The reads of unknown value from which a write's value is computed; that of an RMW as well, but for those that write the same
// whatever they read.
template <int W>
Row<W> Resolver<W>::unknown_sources(int write) const {
    const Event& event = graph_.events[write];
    Bits result = graph_.data[write] & ahead_.unknown;
    if (event.rmw && !replaces(kind_of(write)) && ahead_.unknown.test(read_of(write))) result.set(read_of(write));
    return result;
}

// Whether reads of unknown value depend on an open read: are it, or read what is computed from it.
template <int W>
bool Resolver<W>::depends(Bits reads, int read) const {
    Bits seen = reads;
    for (int r; (r = reads.first()) >= 0;) {
        if (r == read) return true;
        reads.reset(r);
        if (graph_.events[r].rf < 0) continue;
        const Bits more = unknown_sources(graph_.events[r].rf) - seen;
        seen |= more;
        reads |= more;
    }
    return false;
}

// What may be written from an instruction on, by cell.
template <int W>
const std::vector<Written>& Resolver<W>::written_from(std::int32_t pc) const {
    const Code& code = task_.code;
    std::vector<Written>& cells = written_[pc];
    if (!cells.empty()) return cells;
    cells.resize(code.cells.size());
    each_reachable(code, pc, [&](std::int32_t at, const Instruction&) {
        const WrittenAt& written = code.written[at];
        if (written.everywhere)
            for (Written& cell : cells) cell.add(written.what);
        for (std::int32_t cell : written.cells) cells[cell].add(written.what);
    });
    return cells;
}

}  // namespace xgen
