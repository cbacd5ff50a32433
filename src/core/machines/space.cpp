#include "space.hpp"

#include <set>

namespace xgen {

Space::Space(Automata& automata, Ideals& ideals, int most)
    : automata_(automata), ideals_(ideals), threads_(automata.threads()), most_(most) {
    const Memory memory = automata.settings().memory;
    bool stores_fenced = false;
    std::vector<std::set<std::int32_t>> written(threads_);
    for (int t = 0; t < threads_; ++t)
        for (const Control& node : automata.nodes[t]) {
            stores_fenced |= node.act == Act::FENCE && node.strength == Strength::STORES;
            if (node.act == Act::WRITE) written[t].insert(node.cell);
        }
    pasts_ = memory == Memory::TSO || (memory == Memory::PSO && stores_fenced);
    size_ = threads_ + 2 + (pasts_ ? threads_ : 0);
    slots_.assign(threads_, std::vector<int>(automata.code().cells.size(), -1));
    for (int t = 0; t < threads_ && memory == Memory::PSO; ++t)
        for (std::int32_t cell : written[t]) {
            slots_[t][cell] = size_;
            buffers_.push_back({t, cell, size_++});
        }
    for (int t = 0; t < threads_; ++t) {
        auto& all = seen_.emplace_back();
        for (const Control& node : automata.nodes[t]) all.push_back(ideals.cells.number(automata.seen[node.seen]));
    }
}

const std::vector<Space::Successor>& Space::initial() {
    found_.clear();
    Successor start;
    start.state.assign(size_, 0);
    std::vector<std::int64_t> first;
    for (std::size_t cell = 0; cell < automata_.code().cells.size(); ++cell)
        first.push_back(automata_.first(static_cast<std::int32_t>(cell)));
    start.state[memory()] = ideals_.memories.number(first);
    std::vector<Successor> all{start};
    for (int t = 0; t < threads_; ++t) {
        std::vector<Successor> longer;
        for (const Successor& s : all)
            for (std::int32_t node : automata_.initial[t]) {
                longer.push_back(s);
                longer.back().state[t] = node;
                longer.back().moves.push_back({Move::BEGIN, static_cast<std::int16_t>(t), node, -1, 0});
            }
        all.swap(longer);
    }
    for (Successor& s : all) finish(std::move(s));
    return found_;
}

const std::vector<Space::Successor>& Space::successors(const std::int32_t* state) {
    found_.clear();
    Successor before;
    before.state.assign(state, state + size_);
    auto use = [&](Successor&& s) { finish(std::move(s)); };
    for (int t = 0; t < threads_; ++t) {
        if (node(state, t).block != 2) continue;
        step(before, t, use);
        return found_;
    }
    for (int t = 0; t < threads_; ++t) step(before, t, use);
    for (const Buffer& buffer : buffers_) commit(before, buffer, use);
    return found_;
}

// Lets those threads go first that may; what is left is found.
void Space::finish(Successor&& start) {
    open_.push_back(std::move(start));
    while (!open_.empty()) {
        Successor s = std::move(open_.back());
        open_.pop_back();
        tidy(s);
        int first = -1;
        for (int t = 0; t < threads_; ++t) {
            if (node(s.state.data(), t).act == Act::ERROR) s.failed = t;
            if (first < 0 && can_go_first(s, t)) first = t;
        }
        if (s.failed >= 0 || first < 0) {
            found_.push_back(std::move(s));
        } else {
            step(s, first, [&](Successor&& next) { open_.push_back(std::move(next)); });
        }
    }
}

bool Space::can_go_first(const Successor& s, int thread) const {
    const Control& n = node(s.state.data(), thread);
    if (!n.eager) return false;
    for (int t = 0; t < threads_; ++t)
        if (node(s.state.data(), t).block == 2) return false;
    if (n.act == Act::FENCE) return n.strength == Strength::NONE || drained(s.state.data(), thread);
    // A load of a cell that is the thread's own: its last store, wherever that is.
    std::int64_t v = value(s.state.data(), n.cell);
    if (pasts_)
        for (Ideals::Token t : ideals_.words[s.state[past(thread)]]) {
            if (Ideals::kind(t) != Ideals::MARK || ideals_.marks[Ideals::index(t)][0] != n.cell) continue;
            v = ideals_.marks[Ideals::index(t)][1];
        }
    const int slot = slot_of(thread, n.cell);
    if (slot >= 0 && s.state[slot] != 0) v = ideals_.last(s.state[slot]);
    return n.edge(v) != nullptr;
}

bool Space::drained(const std::int32_t* state, int thread) const {
    for (const Buffer& buffer : buffers_)
        if (buffer.thread == thread && state[buffer.slot] != 0) return false;
    return true;
}

// ---- steps ----

template <class Use>
void Space::advance(const Successor& before, int thread, const Control::Edge& edge, Use&& use) {
    for (std::int32_t next : edge.next) {
        Successor s = before;
        s.state[thread] = next;
        s.moves.push_back({Move::STEP, static_cast<std::int16_t>(thread), next, -1, edge.value});
        use(std::move(s));
    }
}

template <class Use>
void Space::step(const Successor& before, int thread, Use&& use) {
    const Control& n = node(before.state.data(), thread);
    switch (n.act) {
    case Act::READ: return read(before, thread, use);
    case Act::UPDATE: return update(before, thread, use);
    case Act::WRITE: {
        const Control::Edge& edge = n.edges[0];
        if (n.exclusive && before.state[flags()] >> thread & 1) return;
        Successor s = before;
        const int slot = slot_of(thread, n.cell);
        if (slot >= 0) {
            if (most_ >= 0 && ideals_.atoms(s.state[slot]) > most_) {
                left_out_ = true;
                return;
            }
            s.state[slot] = ideals_.put(s.state[slot], edge.written);
            if (pasts_) s.state[past(thread)] = ideals_.hide(s.state[past(thread)], n.cell);
            return advance(s, thread, edge, use);
        }
        to_memory(s, thread, n.cell, edge.written, true);
        return advance(s, thread, edge, [&](Successor&& next) {
            next.moves.back().cell = n.cell;
            use(std::move(next));
        });
    }
    case Act::FENCE:
    case Act::START:
    case Act::JOIN: {
        if (n.strength != Strength::NONE && !drained(before.state.data(), thread)) return;
        if (n.act == Act::JOIN) {
            const Control& other = node(before.state.data(), n.thread);
            if (other.act != Act::ENDED || !drained(before.state.data(), n.thread)) return;
        }
        Successor s = before;
        if (n.strength == Strength::FULL) forget(s, thread);
        const bool starts = n.act == Act::START && node(before.state.data(), n.thread).act == Act::IDLE;
        if (!starts) return advance(s, thread, n.edges[0], use);
        for (std::int32_t first : automata_.begin[n.thread])
            advance(s, thread, n.edges[0], [&](Successor&& next) {
                next.state[n.thread] = first;
                next.moves.push_back({Move::BEGIN, static_cast<std::int16_t>(n.thread), first, -1, 0});
                use(std::move(next));
            });
        return;
    }
    default: return;
    }
}

template <class Use>
void Space::read(const Successor& before, int thread, Use&& use) {
    const std::int32_t* state = before.state.data();
    const Control& n = node(state, thread);
    const int slot = slot_of(thread, n.cell);
    if (slot >= 0 && state[slot] != 0) {
        const Control::Edge* edge = n.edge(ideals_.last(state[slot]));
        if (edge) advance(before, thread, *edge, use);
        return;
    }
    const std::int64_t now = value(state, n.cell);
    if (!pasts_) {
        const Control::Edge* edge = n.edge(now);
        if (!edge) return;
        if (!n.exclusive) return advance(before, thread, *edge, use);
        Successor s = before;
        s.state[flags()] &= ~(1 << thread);
        return advance(s, thread, *edge, use);
    }
    const std::int32_t old = state[past(thread)];
    ideals_.each_value(old, n.cell, now, [&](std::int64_t v, int place) {
        const Control::Edge* edge = n.edge(v);
        if (!edge) return;
        Successor s = before;
        if (place != Ideals::FORWARDED) {
            s.state[past(thread)] = ideals_.from(old, place);
            const bool at_now = place == static_cast<int>(ideals_.words[old].size());
            if (place > 0 || at_now) s.cut_pasts |= 1ULL << (thread & 63);
        }
        advance(s, thread, *edge, use);
    });
}

// An update that writes sees now, and so does one that fails if it is more than a load. Its cell's earlier stores are in
// memory then; all of the thread's where it is a full fence.
template <class Use>
void Space::update(const Successor& before, int thread, Use&& use) {
    const std::int32_t* state = before.state.data();
    const Control& n = node(state, thread);
    const int slot = slot_of(thread, n.cell);
    const bool waits = slot >= 0 && state[slot] != 0, all_stored = drained(state, thread);
    const std::int64_t now = value(state, n.cell);
    auto at_once = [&](const Control::Edge& edge) { return edge.writes || edge.strength != Strength::NONE; };
    const Control::Edge* edge = n.edge(now);
    if (edge && at_once(*edge) && !waits && (edge->strength != Strength::FULL || all_stored)) {
        Successor s = before;
        forget(s, thread);
        if (edge->writes) to_memory(s, thread, n.cell, edge->written, false);
        advance(s, thread, *edge, use);
    }
    // As a mere load
    auto load = [&](std::int64_t v, auto&& change) {
        const Control::Edge* plain = n.edge(v);
        if (!plain || at_once(*plain)) return;
        Successor s = before;
        change(s);
        advance(s, thread, *plain, use);
    };
    if (waits) return load(ideals_.last(state[slot]), [](Successor&) {});
    if (!pasts_) return load(now, [](Successor&) {});
    const std::int32_t old = state[past(thread)];
    ideals_.each_value(old, n.cell, now, [&](std::int64_t v, int place) {
        load(v, [&](Successor& s) {
            if (place == Ideals::FORWARDED) return;
            s.state[past(thread)] = ideals_.from(old, place);
            const bool at_now = place == static_cast<int>(ideals_.words[old].size());
            if (place > 0 || at_now) s.cut_pasts |= 1ULL << (thread & 63);
        });
    });
}

template <class Use>
void Space::commit(const Successor& before, const Buffer& buffer, Use&& use) {
    if (before.state[buffer.slot] == 0) return;
    ideals_.each_first(before.state[buffer.slot], [&](std::int64_t v, std::int32_t rest, bool last) {
        Successor s = before;
        s.state[buffer.slot] = rest;
        s.cut_buffers |= 1ULL << (buffer.slot & 63);
        to_memory(s, buffer.thread, buffer.cell, v, true);
        const auto kind = last ? Move::COMMIT_LAST : Move::COMMIT;
        s.moves.push_back({kind, static_cast<std::int16_t>(buffer.thread), 0, buffer.cell, v});
        use(std::move(s));
    });
}

// A store reaches the memory. For the other threads what was there before is past; for the thread itself too, and then its
// mark, unless it sees the store at once.
void Space::to_memory(Successor& s, int thread, std::int32_t cell, std::int64_t v, bool marks) {
    if (!automata_.add(cell, v)) failed_ = true;
    if (!automata_.knows(cell, v)) grew_ = true;
    const std::int32_t old = s.state[memory()];
    std::vector<std::int64_t> now = ideals_.memories[old];
    now[cell] = v;
    s.state[memory()] = ideals_.memories.number(now);
    for (int t = 0; t < threads_; ++t)
        if (t != thread && node(s.state.data(), t).reserved == cell) s.state[flags()] |= 1 << t;
    if (!pasts_) return;
    for (int t = 0; t < threads_; ++t) {
        if (t == thread && !marks) continue;
        const std::int32_t snapshot = ideals_.snapshot(old, seen_[t][s.state[t]]);
        if (most_ < 0 || ideals_.atoms(s.state[past(t)]) < most_)
            s.state[past(t)] = ideals_.append(s.state[past(t)], snapshot);
        else if (snapshot != 0)
            left_out_ = true;
        if (t == thread) s.state[past(t)] = ideals_.mark(s.state[past(t)], cell, v);
    }
}

void Space::forget(Successor& s, int thread) {
    if (!pasts_) return;
    s.state[past(thread)] = 0;
    s.cut_pasts |= 1ULL << (thread & 63);
}

// Pasts as far as they matter.
void Space::tidy(Successor& s) {
    for (int t = 0; pasts_ && t < threads_; ++t) {
        std::int32_t& own = s.state[past(t)];
        if (own == 0) continue;
        own = ideals_.restrict_to(own, seen_[t][s.state[t]]);
        if (own == 0) continue;
        for (const Buffer& buffer : buffers_)
            if (buffer.thread == t && s.state[buffer.slot] != 0) own = ideals_.hide(own, buffer.cell);
        own = ideals_.trim(own, s.state[memory()]);
    }
    for (int t = 0; t < threads_; ++t)
        if (s.state[flags()] >> t & 1 && node(s.state.data(), t).reserved < 0) s.state[flags()] &= ~(1 << t);
}

// ---- what a state is ----

bool Space::is_deadlock(const std::int32_t* state, bool of_mutexes) const {
    for (const Buffer& buffer : buffers_)
        if (state[buffer.slot] != 0) return false;
    bool one_should = false;
    for (int t = 0; t < threads_; ++t) {
        const Control& n = node(state, t);
        switch (n.act) {
        case Act::ENDED:
        case Act::IDLE: break;
        case Act::STUCK:
            if (of_mutexes) return false;
            one_should = true;
            break;
        case Act::JOIN:
            if (node(state, n.thread).act == Act::ENDED) return false;
            one_should |= !of_mutexes;
            break;
        case Act::READ:
        case Act::UPDATE:
            if (n.edge(value(state, n.cell)) || (of_mutexes && !n.locks)) return false;
            one_should = true;
            break;
        default: return false;
        }
    }
    return one_should;
}

bool Space::is_final(const std::int32_t* state) const {
    for (const Buffer& buffer : buffers_)
        if (state[buffer.slot] != 0) return false;
    for (int t = 0; t < threads_; ++t) {
        const Act act = node(state, t).act;
        if (act != Act::ENDED && act != Act::IDLE) return false;
    }
    return true;
}

const Control* Space::find(const std::int32_t* state, Act act) const {
    for (int t = 0; t < threads_; ++t)
        if (node(state, t).act == act) return &node(state, t);
    return nullptr;
}

}  // namespace xgen
