// What threads see: of the executions in which reads read the same (Partition::VALUES), or in which each read leaves its
// thread in the same state as far as that matters (SEEN), one is visited.
//
// An option of a read is then what it makes of its thread, its *observation*, not the write that it reads from. The thread
// goes on; the read stays out of the graph, until one write only is left that gives it this observation. That some choice of
// writes is consistent is looked for on the way (Classes::possible), and at the end, with modification order (Orders).
//
// The options are the observations of the values that are there, and what makes none of these (LATER). So each class is
// reached in one way, whichever writes its reads read from. Where the text shows that there is one observation only, nothing
// is decided: of a value that nobody looks at, of a compare-and-swap that succeeds, of a loop that waits for one value. For
// an observation after which the thread is blocked is left out where that matters to nobody else (Settings::alone).
//
// What a thread makes of a value can only be told when all else that it computes with is known: reads are decided in that
// order. With load buffering there may be none; then the value itself is the observation.
#pragma once

#include "resolve.hpp"

namespace xgen {

// Calls f(set) for the sets of a thread's taint after an event from which it goes on.
template <int W>
template <class F>
bool Resolver<W>::any_that_matters(int slot, F&& f) const {
    const ThreadState& state = graph_.states[slot];
    const int thread = graph_.events[slot].thread, locals = task_.code.threads[thread].locals;
    if (state.status == Status::BLOCKED) return false;
    for (std::int32_t local : is_error(state.status) ? task_.settings.shown[thread] : task_.settings.matters[state.pc])
        if (f(local)) return true;
    return stands(state.status) && (f(Taint::data(locals)) || f(Taint::compared(locals)));
}

// What the thread of a read makes of a value, in words; `open` where that depends on what is not known. An update goes on to
// behind its write. None where the value is not possible.
template <int W>
View Resolver<W>::look(int read, std::int64_t value) {
    View view;
    const Event& event = graph_.events[read];
    const Instruction& i = task_.code.instructions[event.pc];
    const bool compares = i.op == Op::RMW && may_fail(task_.code.rmws[i.c].kind), knows = knows_operands(read);
    if (compares && knows && Machine::writes(task_.code.rmws[i.c].kind, value, event.expected) != event.rmw) return view;
    // What was assumed of the event may turn out to be wrong for one value, and right for another one.
    const bool assumed = event.wait == Wait::GOES_ON || event.wait == Wait::WAITS;
    const bool undecided = (compares && !knows) || (assumed && depends_on_others(read));
    const int write = event.rmw ? update_of(read) : -1;
    trial_.add_copies(graph_, read, 1);
    if (write >= 0) trial_.add_copies(graph_, write, 1);
    const bool unknown = ahead_.unknown.test(read);
    if (unknown) set_known(read);
    graph_.events[read].value = value;
    graph_.events[read].rf = -1;
    int last = read;
    threads_.follow(&view.trail);
    view.possible = run_past(read);
    if (view.possible && write >= 0 && graph_.states[read].writing) {
        last = write;
        graph_.events[write].value = graph_.states[read].b;
        view.words.push_back(graph_.states[read].b);
        view.possible = run_past(write);
    }
    threads_.follow(nullptr);
    view.status = graph_.states[last].status;
    view.pc = graph_.states[last].pc;
    const std::uint64_t* others = unknown_of(event.thread);
    const TaintSets taint{graph_.taint_of(last), W};
    view.open = undecided || view.status == Status::OPEN || view.trail.risky || any_that_matters(last, [&](int set) {
        const std::uint64_t own = taint[set][word_of(event.index)] & bit_of(event.index);
        return own && taint.meets(set, others);
    });
    view.mixed = any_that_matters(last, [&](int set) { return taint.meets(set, others); });
    append_view(task_, graph_, last, view.words);
    if (unknown) set_unknown(read);
    for (; trial_.size() > 0; trial_.remove_last()) graph_.restore_last(trial_);
    return view;
}

// Whether a thread makes the same of two values, whatever else is not known.
template <int W>
typename Resolver<W>::Alike Resolver<W>::compare(const View& one, const View& other) {
    if (one.status == Status::OPEN || other.status == Status::OPEN) return Alike::OPEN;
    if (one.status != other.status || one.pc != other.pc) return Alike::NO;
    if (one.open || other.open) return Alike::OPEN;
    if ((one.mixed || other.mixed) && one.trail.turns != other.trail.turns) return Alike::OPEN;
    return one.words == other.words ? Alike::YES : Alike::NO;
}

// Whether nobody looks at what a read of unknown value reads.
template <int W>
bool Resolver<W>::is_idle(int read) {
    const Event& event = graph_.events[read];
    if (event.rmw || task_.code.undefined[event.cell] || graph_.states[read].status == Status::OPEN) return false;
    const Instruction& i = task_.code.instructions[event.pc];
    if (i.op == Op::RMW) return false;
    const TaintSets taint{graph_.taint_of(read), W};
    if (any_that_matters(read, [&](int set) { return (taint[set][word_of(event.index)] & bit_of(event.index)) != 0; }))
        return false;
    Trail trail;
    trial_.add_copies(graph_, read, 1);
    threads_.follow(&trail);
    run_past(read);
    threads_.follow(nullptr);
    graph_.restore_last(trial_);
    trial_.remove_last();
    return !trail.risky;
}

// Whether a write's value is known, and it is one: the initial write of some cells gives none.
template <int W>
bool Resolver<W>::has_value(int write) const {
    return !unknown_sources(write).any() && !(write < graph_.cells && task_.code.undefined[write]);
}

// Whether a read whose observation is known makes the same of a value.
template <int W>
typename Resolver<W>::Alike Resolver<W>::accepts(int read, std::int64_t value) {
    Domain& domain = domains_[read];
    if (domain.any || std::ranges::count(domain.yes, value)) return Alike::YES;
    if (domain.exact || std::ranges::count(domain.no, value)) return Alike::NO;
    const View one = look(read, value);
    const Alike alike = one.possible ? compare(one, look(read, domain.yes[0])) : Alike::NO;
    if (domain.lasting) (alike == Alike::YES ? domain.yes : domain.no).push_back(value);
    return alike;
}

// Whether the read of an update cannot read from a write because another update does, or because it is its own.
template <int W>
bool Resolver<W>::is_taken(int read, int write) const {
    if (!graph_.events[read].rmw) return false;
    return write == update_of(read) || graph_.mo_next[write] >= 0;
}

// The writes that a read whose observation is known may read from; `open`: others may come, or do behind the bound.
template <int W>
Choice<W> Resolver<W>::domain_of(int read) {
    Choice<W> choice{read, {}, may_come(read)};
    graph_.cell_bits[graph_.events[read].cell].each([&](int w) {
        if (graph_.events[w].kind != EventKind::WRITE || is_taken(read, w)) return;
        if (unknown_sources(w).any()) {
            choice.open = true;
        } else if (has_value(w)) {
            const Alike alike = accepts(read, graph_.events[w].value);
            if (alike == Alike::YES) choice.writes.set(w);
            choice.open = choice.open || alike == Alike::OPEN;
        }
    });
    choice.open = choice.open || may_come_beyond(read);
    return choice;
}

// What may be in a cell at any time, as far as the text says.
template <int W>
const Written& Resolver<W>::held_in(int cell) {
    if (held_.empty()) {
        const Code& code = task_.code;
        held_.resize(code.cells.size());
        for (std::size_t c = 0; c < held_.size(); ++c)
            if (!code.undefined[c]) held_[c].add({false, {code.cells[c]}});
        for (const WrittenAt& written : code.written) {
            if (written.everywhere)
                for (Written& held : held_) held.add(written.what);
            for (std::int32_t c : written.cells) held_[c].add(written.what);
        }
    }
    return held_[cell];
}

// Adds a value to the options of a read, to those with the same observation if there are any. False where what its thread
// makes of it is open.
template <int W>
bool Resolver<W>::add_option(int read, std::int64_t value, bool exact) {
    const Domain& domain = domains_[read];
    if (std::ranges::count(domain.never, value)) return true;
    for (const Option& option : found_)
        if (std::ranges::count(option.values, value)) return true;
    work_ += work::VIEW;
    const bool seen = task_.settings.partition == Partition::SEEN;
    View view = look(read, value);
    if (!view.possible) return true;
    if (seen && view.open && !exact) return false;
    if (seen && view.status == Status::BLOCKED && task_.settings.alone[graph_.events[read].thread]) return true;
    if (exact || !seen || graph_.events[read].rmw) {
        found_.push_back({false, true, {value}, {}});
        return true;
    }
    for (std::int64_t never : domain.never) {
        const Alike alike = compare(look(read, never), view);
        if (alike != Alike::NO) return alike == Alike::YES;
    }
    for (Option& option : found_) {
        const Alike alike = compare(option.view, view);
        if (alike == Alike::YES) option.values.push_back(value);
        if (alike != Alike::NO) return alike == Alike::YES;
    }
    found_.push_back({false, false, {value}, std::move(view)});
    return true;
}

// Finds the options of an open read in found_. `exact`: values, even where what a thread makes of them is not known.
template <int W>
typename Resolver<W>::Offer Resolver<W>::find_options(int read, bool exact) {
    const Event& event = graph_.events[read];
    Offer offer;
    Bits here = graph_.cell_bits[event.cell] - excluded_[read];
    if (task_.plan.coherent) here -= barred(read);
    bool comes = may_come(read), nothing = false;
    std::vector<std::int64_t> values;
    here.each([&](int w) {
        if (graph_.events[w].kind != EventKind::WRITE || is_taken(read, w)) return;
        if (has_value(w))
            values.push_back(graph_.events[w].value);
        else if (w < graph_.cells)
            nothing = true;
        else
            comes = comes || !depends(unknown_sources(w), read);
    });
    found_.clear();
    const bool seen = task_.settings.partition == Partition::SEEN;
    const bool fresh = domains_[read].never.empty();
    if (!nothing && fresh && !exact) {
        if (seen && is_idle(read)) found_.push_back({true, true, {}, {}});
        else if (is_success(read)) found_.push_back({false, true, {event.expected}, {}});
        else if (const Written& held = held_in(event.cell); !held.any && !task_.code.undefined[event.cell]) {
            for (std::int64_t value : held.values) offer.open = offer.open || !add_option(read, value, exact);
            if (found_.size() != 1) found_.clear();
        }
        if (offer.open) return offer;
        offer.forced = !found_.empty();
    }
    if (offer.forced) {
        const bool any = found_[0].any ? !values.empty() : std::ranges::any_of(values, [&](std::int64_t value) {
            return std::ranges::count(found_[0].values, value) > 0;
        });
        if (!any && !comes) found_.clear();
        return offer;
    }
    found_.clear();
    for (std::int64_t value : values) offer.open = offer.open || !add_option(read, value, exact);
    if (offer.open) return offer;
    if (nothing) found_.push_back({false, true, {}, {}});
    offer.later = comes && may_differ(read, exact);
    return offer;
}

// Whether an update is known to have read what it compares with.
template <int W>
bool Resolver<W>::is_success(int read) const {
    const Event& event = graph_.events[read];
    const Instruction& i = task_.code.instructions[event.pc];
    if (i.op != Op::RMW || !event.rmw || task_.code.undefined[event.cell]) return false;
    const RmwKind kind = task_.code.rmws[i.c].kind;
    return (kind == RmwKind::CAS || kind == RmwKind::LOCK) && knows_operands(read);
}

// Whether some value that the cell of a read may hold makes something else of its thread than the options that were found.
template <int W>
bool Resolver<W>::may_differ(int read, bool exact) {
    const Written& held = held_in(graph_.events[read].cell);
    if (held.any) return true;
    const std::size_t options = found_.size();
    bool more = false;
    for (std::int64_t value : held.values) more = more || !add_option(read, value, exact) || found_.size() > options;
    found_.resize(options);
    return more;
}

// Opens the decision of what is seen next; false where there is none, or where some read can see nothing.
template <int W>
bool Resolver<W>::decide_observation() {
    int chosen = -1;
    Offer taken;
    std::vector<Option> options;
    int served = 0;  // reads that may read from what is there
    bool waiting = ahead_.late.any();
    for (const bool exact : {false, true}) {
        bool open = false;
        Bits rest = ahead_.open;
        served = 0;
        for (int r; (r = rest.first()) >= 0; rest.reset(r)) {
            const Offer offer = find_options(r, exact);
            open = open || offer.open;
            served += offer.open || !found_.empty();
            waiting = waiting || (!offer.open && found_.empty());
            if (offer.open) continue;
            if (found_.empty() && (offer.forced || !offer.later) && !may_come_beyond(r)) return false;
            if (found_.empty() || (chosen >= 0 && !offer.forced && (offer.later || !taken.later))) continue;
            chosen = r;
            taken = offer;
            std::swap(options, found_);
            if (offer.forced) break;
        }
        if (chosen >= 0 || !open || !task_.plan.buffering) break;
    }
    if (waiting && !is_grounded({})) return false;
    if (chosen < 0) return detach() ? decide_joining() : decide_waiting();
    taken.later = taken.later && (served > 1 || may_go_on()) && may_wait(chosen);
    Decision<W>& decision = open_decision(Kind::OBSERVED, -1, chosen);
    decision.excluded = excluded_[chosen];
    decision.never = static_cast<std::int32_t>(domains_[chosen].never.size());
    decision.seen = std::move(options);
    for (std::size_t k = 0; k < decision.seen.size(); ++k) decision.options.push_back(static_cast<std::int32_t>(k));
    if (taken.later) decision.options.push_back(LATER);
    decision.end = static_cast<std::int64_t>(decision.options.size()) - 1;
    return true;
}

// Whether an open read may read from none of the writes that are there, as far as their values are known.
template <int W>
bool Resolver<W>::may_wait(int read) {
    bool known = true;
    graph_.cell_bits[graph_.events[read].cell].each([&](int w) {
        known = known && (graph_.events[w].kind != EventKind::WRITE || !unknown_sources(w).any());
    });
    return !known || is_grounded({}, read);
}

// Whether something may come while no open read reads from what is there: from an update that is detached, a thread that may
// not wait after all, or behind the bound.
template <int W>
bool Resolver<W>::may_go_on() const {
    bool any = !cut_.empty();
    ahead_.updates.each([&](int write) { any = any || replaces(kind_of(write)); });
    for (int t : late_) {
        const int last = graph_.last(t);
        any = any || (last >= 0 && graph_.events[last].wait == Wait::OPEN);
    }
    return any;
}

// A read has been decided to have an observation, or none of those that there are. False where that cannot be.
template <int W>
bool Resolver<W>::observe(const Decision<W>& decision) {
    const int read = decision.slot;
    Domain& domain = domains_[read];
    if (decision.option == LATER) {
        for (const Option& option : decision.seen)
            domain.never.insert(domain.never.end(), option.values.begin(), option.values.end());
        graph_.cell_bits[graph_.events[read].cell].each([&](int w) {
            if (graph_.events[w].kind != EventKind::WRITE || unknown_sources(w).any()) return;
            if (!has_value(w) || std::ranges::count(domain.never, graph_.events[w].value)) excluded_[read].set(w);
        });
        ahead_.late.set(read);
        return true;
    }
    const Option& option = decision.seen[decision.option];
    save(read);
    Event& event = graph_.events[read];
    event.rf = option.any || !option.values.empty() ? -1 : event.cell;  // the initial write, which gives no value
    event.value = option.values.empty() ? 0 : option.values[0];
    if (option.any) event.value = graph_.events[event.cell].value;
    domain.any = option.any;
    domain.exact = option.exact;
    domain.lasting = !depends_on_others(read);
    domain.yes = option.values;
    domain.no.clear();
    ahead_.open.reset(read);
    ahead_.late.reset(read);
    ahead_.observed.set(read);
    if (event.rmw && !graph_.visible.test(update_of(read))) {
        ahead_.updates.reset(update_of(read));
        ahead_.joining.set(update_of(read));
    }
    set_known(read);
    return rerun(read);
}

// Whether a thread that stands at an update which may fail is blocked if it does, and that matters to nobody.
template <int W>
bool Resolver<W>::waits_if_it_fails(int thread) {
    if (task_.settings.partition != Partition::SEEN || !task_.settings.alone[thread]) return false;
    Event event = threads_.next_event(graph_, thread, threads_.state_of(graph_, thread));
    const RmwCode& rmw = task_.code.rmws[task_.code.instructions[event.pc].c];
    const Written& held = held_in(event.cell);
    if (held.any || task_.code.undefined[event.cell]) return false;
    event.rmw = false;
    event.event_class = rmw.failed_class;
    const int read = add_known(event);
    const bool waits = knows_operands(read) && std::ranges::all_of(held.values, [&](std::int64_t value) {
        const View view = look(read, value);
        return !view.possible || view.status == Status::BLOCKED;
    });
    ahead_.drop(read);
    remove_known();
    return waits;
}

// Makes room for what is known of an event that has been added.
template <int W>
void Resolver<W>::add_domain(int slot) {
    domains_.resize(slot);
    domains_.emplace_back();
}

// Looks at the reads of which the observation is known. Where of one a single write is left, that is decided next; false
// where they cannot all read from something.
template <int W>
bool Resolver<W>::settle_observed() {
    choices_.clear();
    for (Bits rest = ahead_.observed; rest.any();) {
        const int read = rest.first();
        rest.reset(read);
        Choice<W> choice = domain_of(read);
        if (graph_.events[read].rf == graph_.events[read].cell && domains_[read].yes.empty() && !domains_[read].any)
            choice = {read, Bits::single(graph_.events[read].cell), false};
        if (!choice.open && !choice.writes.any()) return false;
        choices_.push_back(choice);
    }
    for (const Choice<W>& choice : choices_) {
        const int write = choice.writes.first();
        if (choice.open || !(choice.writes == Bits::single(write))) continue;
        Decision<W>& decision = open_decision(Kind::SOURCE, -1, choice.read);
        decision.excluded = excluded_[choice.read];
        decision.options = {write};
        decision.end = 0;
        return true;
    }
    return choices_.empty() || classes_->possible(graph_, choices_);
}

// What was seen last turns out to be nothing that can be read: the graph does not count.
template <int W>
void Resolver<W>::discount() {
    int n = depth_ - 1;
    while (n >= 0 && (decisions_[n].kind == Kind::JOINING || decisions_[n].kind == Kind::SOURCE)) --n;
    if (n >= 0 && decisions_[n].kind == Kind::OBSERVED && decisions_[n].options.size() > 1) --findings_->counters.explored;
}

}  // namespace xgen
