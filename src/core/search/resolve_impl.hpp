// Decisions, applied and taken back. Part of resolve.hpp.
#pragma once

#include "resolve.hpp"

#include "resolve_decisions_impl.hpp"
#include "resolve_threads_impl.hpp"

namespace xgen {

template <int W, int V>
Ahead<W> resized_ahead(const Ahead<V>& a) {
    return {resized<W>(a.joining), resized<W>(a.open), resized<W>(a.late), resized<W>(a.updates),
            resized<W>(a.observed), resized<W>(a.unknown)};
}

inline bool predicts_cells(const Code& code) {
    return std::ranges::any_of(code.instructions, [](const Instruction& i) { return i.op == Op::PREDICT && i.c == OF_CELL; });
}

// ---- the search ----

template <int W>
Resolver<W>::Resolver(const Task& task, const Sharing& sharing, WorkerFindings& findings)
    : Runner(task, sharing, findings), threads_(task), checker_(task), recorder_(task), aims_(predicts_cells(task.code)) {
    if (checker_.begin(graph_, kept_, threads_.stride()) >= 0) return;  // there is no execution
    if (task.plan.classes) classes_.emplace(task);
    observes_ = classes_ && task.settings.partition != Partition::RF;
    if (const ThreadState* endless = threads_.start()) {
        halt_at(*endless);
        return;
    }
    const int threads = graph_.thread_count();
    saved_.reset_like(graph_, 0, 0);
    trial_.reset_like(graph_, 0, 0);
    excluded_.resize(graph_.size());
    foreseen_.resize(graph_.size(), -1);
    needs_.resize(aims_ ? graph_.size() : 0);
    saved_at_.resize(graph_.size());
    unknown_.assign(static_cast<std::size_t>(threads) * W, 0);
    for (int t = 0; t < threads; ++t) stepped_.push_back(t);
    find_stopping();
    find_compared();
    find_together();
    find_outcomes();
    written_.resize(task.code.instructions.size());
    arrived_ = true;
    ++findings_->counters.explored;
}

template <int W>
template <int V>
Resolver<W>::Resolver(const Resolver<V>& o)
    : Runner(o), threads_(o.threads_), checker_(o.checker_), recorder_(o.recorder_), graph_(resized_graph<V, W>(o.graph_)), kept_(resized_kept<V, W>(o.kept_)),
      ahead_(resized_ahead<W>(o.ahead_)), excluded_(resized_rows<V, W>(o.excluded_)),
      aims_(o.aims_), needs_(resized_rows<V, W>(o.needs_)), foreseen_(o.foreseen_),
      unknown_(resized_sets<V, W>(o.unknown_)), depth_(o.depth_), saved_(resized_graph<V, W>(o.saved_)),
      saved_at_(o.saved_at_), needed_(o.needed_), stepped_(o.stepped_), stopping_(o.stopping_), compared_(o.compared_), together_(o.together_), outcomes_(o.outcomes_), held_(o.held_), written_(o.written_) {
    full_ = false;
    trial_.reset_like(graph_, 0, 0);
    for (const auto& d : o.domains_) domains_.push_back({d.any, d.exact, d.lasting, d.yes, d.no, d.never});
    if (o.classes_) classes_.emplace(*o.classes_);
    observes_ = o.observes_;
    for (int i = 0; i < depth_; ++i) {
        const Decision<V>& d = o.decisions_[i];
        decisions_.push_back({static_cast<Kind>(d.kind), d.thread, d.slot, d.options, d.next, d.end, d.taken, d.option,
                              d.size, d.saved, d.outer, d.joined, d.known, resized_ahead<W>(d.ahead), resized<W>(d.excluded), d.branches,
                              d.seen, d.never, d.last});
    }
}

template <int W>
std::unique_ptr<Runner> Resolver<W>::widened() const {
    if constexpr (wider(W) > 0)
        return std::make_unique<Resolver<wider(W)>>(*this);
    else
        return nullptr;
}

template <int W>
Halt Resolver<W>::run(double seconds) {
    findings_->counters.held = 1;
    return run_steps(seconds, interval_of(W), [&] {
        if (classes_ && classes_->orders().busy()) {
            if (classes_->orders().step(threads_, recorder_, *findings_)) end();
        } else if (!arrived_) {
            if (depth_ == 0)
                halt(Halt::DONE);
            else if (!advance())
                --depth_;
        } else if (!descend() && !halted()) {
            if (full_) return false;
            arrived_ = false;
            if (refused_) {
                ++findings_->counters.refused;
                discount();
            } else if (ahead_.any()) {
                ++findings_->counters.dead_ends;
            } else if (classes_) {
                classes_->open(graph_, threads_, ahead_.observed, choices_);
            } else if (recorder_.finish(graph_, &kept_, threads_, *findings_)) {
                end();
            }
        }
        return true;
    });
}

// Nothing is explored behind an execution with a violation, or with an access that cannot be followed.
template <int W>
void Resolver<W>::end() {
    halt(Halt::VIOLATION);
    for (int t = 0; t < graph_.thread_count(); ++t)
        if (threads_.is_started(graph_, t)) halt_at(threads_.state_of(graph_, t));
}

template <int W>
bool Resolver<W>::descend() {
    full_ = !run_ahead() || !has_room();
    if (full_ || halted() || !decide()) return false;
    arrived_ = false;
    return true;
}

template <int W>
bool Resolver<W>::advance() {
    Decision<W>& decision = top();
    arrived_ = refused_ = false;
    if (decision.taken) take_back(decision);
    while (!arrived_ && decision.any()) {
        decision.take();
        needed_ = keeps_ || decision.any() ? decision.saved : decision.outer;
        arrived_ = apply(decision);
        if (arrived_) continue;
        if (observes_ && (decision.kind == Kind::JOINING || decision.kind == Kind::SOURCE)) discount();
        take_back(decision);
    }
    decision.branches += arrived_;
    return arrived_;
}

//----------------------------------------------------------------------------------------------------------------------
// apply: takes the option of a decision.
//
// Output  false where it is inconsistent, or where what is known by it refutes what was assumed before.
// Before  The graph is as it was when the decision was opened; needed_ says what take_back() will ask for.
// After   true: the graph has it, the threads that learn a value have run again over their known events, and `stepped_` has
//         those that may run further. false: some of that; take_back() makes it good.
//----------------------------------------------------------------------------------------------------------------------
template <int W>
bool Resolver<W>::apply(Decision<W>& decision) {
    const int slot = decision.slot, option = static_cast<int>(decision.option);
    bool good = true;
    if (decision.thread >= 0) stepped_.push_back(decision.thread);
    switch (decision.kind) {
    case Kind::CHOICE: choose(decision.thread, decision.option); break;
    case Kind::OUTCOME: {
        const int read = graph_.size();
        extend(decision.thread, option == 1);
        good = observes_ || !ahead_.open.test(read) || may_be_served(read);
        break;
    }
    case Kind::WAITING:
        save(slot);
        graph_.events[slot].wait = option == 0 ? Wait::GOES_ON : Wait::WAITS;
        run_from(slot);
        return true;
    case Kind::JOINING:
        if (!classes_) {
            good = join(decision, slot);
            break;
        }
        // Nothing is decided: one look at the model will do for all that join here.
        return join(decision, slot, ahead_.joining == Bits::single(slot));
    case Kind::PLACE:
        graph_.insert_mo(slot, option);
        good = join(decision, slot);
        break;
    case Kind::SOURCE: {
        if (option == LATER) {
            excluded_[slot] |= graph_.cell_bits[graph_.events[slot].cell];
            ahead_.late.set(slot);
            return true;
        }
        save(slot);
        graph_.set_rf(slot, option);
        good = join_source(decision, slot) && !(aims_ && decides_itself(slot));
        if (observes_) return good && !(task_.plan.buffering && is_from_thin_air(task_, graph_));  // nothing is decided
        break;
    }
    case Kind::OBSERVED: {
        const bool is_new = observe(decision) && !classes_->is_another(graph_, threads_, ahead_.observed);
        findings_->counters.explored += is_new && decision.options.size() > 1;  // if anything was decided
        return is_new;
    }
    }
    if (classes_) {
        good = good && (decision.kind != Kind::SOURCE || learn(slot)) && !classes_->is_another(graph_, threads_, ahead_.observed);
        findings_->counters.explored += good;
        return good;
    }
    findings_->counters.explored += good;
    return good && (decision.kind != Kind::SOURCE || learn(slot)) && !any_waits_in_vain();
}

//----------------------------------------------------------------------------------------------------------------------
// take_back: makes the graph what it was before the option of a decision was taken.
//
// Before  The option was taken with apply(), and all that was decided above it has been taken back.
// After   The edges and events are those of before. So is what each event's thread was like after it (its value, state and
//         locals), but only if the decision has options left, or one below it has: see below.
//
// Restoring is lazy. An event that changes in place is saved to `saved_` first (save), and a decision knows by `saved`, the
// height of that stack when it was opened, what is to be restored for it. But once the last option has been taken, nobody
// looks at the graph as it was before this decision: the next to look is the last decision below that has options left
// (`outer` is the height of the stack there, -1 where there is none). So needed_, the height from which on saved records
// will be restored, is this decision's own while it has options, then its outer's; an event that has a record at or above
// needed_ is not saved again, for that record is the one that will be restored last, and is the older one.
//
//     decisions   D1 (options left)   D2 (last option)      D3 (last option)
//     saved_      |.................|..........................................    top
//                 ^ D1.saved        what changes above goes here once, whoever changes it: needed_ = D1.saved
//----------------------------------------------------------------------------------------------------------------------
template <int W>
void Resolver<W>::take_back(Decision<W>& decision) {
    const int slot = decision.slot, option = static_cast<int>(decision.option);
    decision.taken = false;
    stepped_.clear();
    while (graph_.size() > decision.size) remove_known();
    while (saved_.size() > decision.saved) {
        graph_.restore_last(saved_);
        saved_.remove_last();
    }
    const bool update = decision.kind == Kind::SOURCE && graph_.events[slot].rmw && decision.ahead.updates.test(update_of(slot));
    if (decision.joined == 2) leave(update_of(slot));
    if (decision.joined >= 1) leave(slot);
    decision.joined = 0;
    if (classes_) classes_->take_back(graph_, decision.known);
    if (observes_) classes_->go_back(decision.last);
    if (decision.kind == Kind::PLACE) graph_.remove_mo(slot);
    if (decision.kind == Kind::OBSERVED) {
        excluded_[slot] = decision.excluded;
        domains_[slot].never.resize(decision.never);
    } else if (decision.kind == Kind::SOURCE && option == LATER) {
        excluded_[slot] = decision.excluded;
    } else if (decision.kind == Kind::SOURCE) {
        if (update && !classes_) graph_.remove_mo(update_of(slot));
        graph_.readers[option].reset(slot);
    }
    (decision.ahead.unknown - ahead_.unknown).each([&](int read) { set_unknown(read); });
    ahead_ = decision.ahead;
}

// A known event becomes a part of the graph, if that is consistent; else it does not. Before another one joins, only
// what its own pairs decide need be checked (`whole` is false).
template <int W>
bool Resolver<W>::join(Decision<W>& decision, int slot, bool whole) {
    const Bits present = graph_.visible;
    checker_.show(graph_, slot);
    if (classes_ ? !classes_->join(graph_, slot, whole) : checker_.step(graph_, kept_, slot, present, whole) >= 0) {
        checker_.hide(graph_, slot);
        return false;
    }
    ahead_.drop(slot);
    ++decision.joined;
    return true;
}

// A read that has a write to read from; with it the write of an RMW, right after that one, unless it is detached.
template <int W>
bool Resolver<W>::join_source(Decision<W>& decision, int read) {
    if (!graph_.events[read].rmw) return join(decision, read);
    const int source = graph_.events[read].rf, write = update_of(read);
    if (classes_ && !classes_->join_behind(graph_, source, write)) return false;
    if (graph_.visible.test(write)) return join(decision, read);
    if (!classes_) graph_.insert_mo(write, source);
    return join(decision, read, false) && join(decision, write);
}

// Keeps an event as it is, unless it will be restored as it was before.
template <int W>
void Resolver<W>::save(int slot) {
    if (needed_ < 0) return;
    const int at = saved_at_[slot];
    const Event& event = graph_.events[slot];
    if (at >= needed_ && at < saved_.size() && saved_.events[at].thread == event.thread &&
        saved_.events[at].index == event.index)
        return;
    saved_at_[slot] = saved_.size();
    saved_.add_copies(graph_, slot, 1);
}

template <int W>
void Resolver<W>::leave(int slot) {
    if (!classes_) checker_.withdraw(graph_, kept_, slot);
    checker_.hide(graph_, slot);
}

// ---- parts ----

template <int W>
std::unique_ptr<Runner> Resolver<W>::split() {
    for (int n = 0; n < depth_; ++n) {
        if (!decisions_[n].any()) continue;
        std::unique_ptr<Runner> part(new Resolver(*this, n));
        decisions_[n].drop();
        return part;
    }
    return nullptr;
}

template <int W>
Resolver<W>::Resolver(const Resolver& whole, int decision) : Resolver(whole) {
    halt_ = Halt::BUDGET;
    arrived_ = false;
    for (int n = depth_ - 1; n >= decision; --n)
        if (decisions_[n].taken) take_back(decisions_[n]);
    stepped_.clear();
    saved_.reset_like(graph_, 0, 0);
    decisions_ = {decisions_[decision]};
    decisions_[0].saved = 0;
    decisions_[0].outer = -1;
    depth_ = 1;
}

template <int W>
Interval Resolver<W>::left() const {
    Interval left;
    for (int n = 0; n < depth_; ++n)
        if (!add_level(left, decisions_[n].branches, decisions_[n].any())) return left;
    if (arrived_) left.rest.push_back(static_cast<std::int32_t>(left.path.size()));
    return left;
}

template <int W>
int Resolver<W>::take_branches(int count, bool alone) {
    if (arrived_ ? !descend() : depth_ == 0) return 0;
    int taken = 0;
    while (taken < count && !halted() && advance()) ++taken;
    if (alone) top().drop();
    return taken;
}

template <int W>
bool Resolver<W>::step(Random& random, Probe& probe) {
    keeps_ = true;
    if (arrived_ ? !descend() : depth_ == 0) return false;
    const Decision<W> before = top();
    const std::int64_t explored = findings_->counters.explored;
    int count = 0;
    while (!halted() && advance()) ++count;
    if (count == 0 || halted()) return false;
    const std::int64_t graphs = findings_->counters.explored - explored;
    top() = before;
    take_branches(probe.go(random, count, graphs) + 1, true);
    findings_->counters.explored = explored + graphs;
    return true;
}

}  // namespace xgen
