#include "space.hpp"

#include <algorithm>

namespace xgen::symbolic {

namespace {

bool has_pasts(const Automata& automata) {
    auto fences_stores = [](const Control& n) { return n.act == Act::FENCE && n.strength == Strength::STORES; };
    auto some_fence = [&](const auto& nodes) { return std::any_of(nodes.begin(), nodes.end(), fences_stores); };
    const Memory memory = automata.settings().memory;
    const bool fenced = std::any_of(automata.nodes.begin(), automata.nodes.end(), some_fence);
    return memory == Memory::TSO || (memory == Memory::PSO && fenced);
}

bool any_node(const Automata& automata, bool (*is)(const Control&)) {
    for (const auto& nodes : automata.nodes)
        if (std::any_of(nodes.begin(), nodes.end(), is)) return true;
    return false;
}

}  // namespace

Space::Space(Automata& automata, Ideals& ideals, int most, bool strict, bool apart)
    : automata_(automata), ideals_(ideals), threads_(automata.threads()), most_(most), strict_(strict), apart_(apart),
      blocks_(automata.settings().memory != Memory::SC && any_node(automata, [](const Control& n) { return n.block != 0; })),
      holds_(automata.settings().memory == Memory::PSO &&
             any_node(automata, [](const Control& n) { return n.exclusive && n.act == Act::WRITE; })),
      lifetimes_(automata.has_lifetimes()), pasts_(symbolic::has_pasts(automata)),
      stores_(automata, ideals, fixed() + (pasts_ ? threads_ : 0), apart) {
    size_ = fixed() + (pasts_ ? threads_ : 0) + stores_.slots();
    for (int t = 0; t < threads_; ++t) {
        auto& all = seen_.emplace_back();
        auto& later = ahead_.emplace_back();
        for (const Control& node : automata.nodes[t]) {
            all.push_back(ideals.cells.number(automata.seen[node.seen]));
            later.push_back(ideals.cells.number(automata.seen[node.ahead]));
        }
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
                longer.back().moves.push_back({Move::BEGIN, 0, static_cast<std::int16_t>(t), node, -1, 0});
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
    for (const Stores::First& first : stores_.firsts(state)) {
        if (!can_commit(state, first)) continue;
        Successor s = before;
        commit(s, first);
        use(std::move(s));
    }
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
            const Control& n = node(s.state.data(), t);
            if (n.act == Act::ERROR) s.failed = t;
            if (n.act == Act::LOST) {
                s.lost = n.why;
                s.lost_at = n.pc;
            }
            if (first < 0 && can_go_first(s, t)) first = t;
        }
        if (lifetimes_) s.misusing = misusing(s);
        const bool wrong = s.failed >= 0 || s.misused || s.misusing.first >= 0;
        if (wrong && !drain(s.state)) continue;
        if (wrong || s.lost != Lost::NONE || first < 0) {
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
    if (n.act == Act::FENCE || n.act == Act::FREE) return n.strength == Strength::NONE || stores_.drained(s.state.data(), thread);
    // A load of a cell that is the thread's own: its last store, wherever that is.
    std::int64_t v = value(s.state.data(), n.cell);
    if (pasts_)
        for (Ideals::Token t : ideals_.words[s.state[past(thread)]]) {
            if (Ideals::kind(t) != Ideals::MARK || ideals_.marks[Ideals::index(t)][0] != n.cell) continue;
            v = ideals_.marks[Ideals::index(t)][1];
        }
    if (stores_.holds_back(s.state.data(), thread, n.cell)) v = stores_.newest(s.state.data(), thread, n.cell);
    return n.edge(v) != nullptr;
}

// ---- steps ----

template <class Use>
void Space::advance(const Successor& before, int thread, const Control::Edge& edge, Use&& use) {
    const Control& n = node(before.state.data(), thread);
    for (std::int32_t next : edge.next) {
        Successor s = before;
        s.state[thread] = next;
        s.moves.push_back({Move::STEP, 0, static_cast<std::int16_t>(thread), next, -1, edge.value});
        s.moves.back().fresh = n.exclusive && !(s.state[flags()] >> thread & 1);
        if (lifetimes_ && n.object >= 0) touch(s, n);
        if (blocks_ && n.block != 0) {
            s.moves.back().block = static_cast<std::uint8_t>(s.state[block()]);
            if (node(s.state.data(), thread).block != 2 && !end_block(s, thread)) continue;
        }
        use(std::move(s));
    }
}

template <class Use>
void Space::step(const Successor& before, int thread, Use&& use) {
    const Control& n = node(before.state.data(), thread);
    switch (n.act) {
    case Act::READ: return blocks_ && n.block != 0 ? read_in_block(before, thread, use) : read(before, thread, use);
    case Act::UPDATE: return update(before, thread, use);
    case Act::WRITE: return write(before, thread, use);
    case Act::FENCE:
    case Act::ALLOC:
    case Act::FREE:
    case Act::START:
    case Act::JOIN: return fence(before, thread, use);
    default: return;
    }
}

// Something is done with an object.
void Space::touch(Successor& s, const Control& n) const {
    std::vector<std::int32_t> all = ideals_.cells[s.state[gone()]];
    const std::int32_t freed = n.object, used = ideals_.count + n.object;
    s.misused |= std::binary_search(all.begin(), all.end(), n.act == Act::ALLOC ? used : freed);
    auto put = [&](std::int32_t what) {
        const auto at = std::lower_bound(all.begin(), all.end(), what);
        if (at == all.end() || *at != what) all.insert(at, what);
    };
    if (n.act == Act::FREE) put(freed);
    if (n.act != Act::ALLOC) put(used);
    s.state[gone()] = ideals_.cells.number(all);
}

// A store goes into a buffer, or to memory at once where it is in a block. What a block stores into buffers is kept as its
// pin until its end.
template <class Use>
void Space::write(const Successor& before, int thread, Use&& use) {
    const Control& n = node(before.state.data(), thread);
    const Control::Edge& edge = n.edges[0];
    const bool in_block = blocks_ && n.block != 0, has_buffer = stores_.slot_of(thread, n.cell) >= 0;
    const std::int32_t how = in_block ? before.state[block()] : 0;
    if (how & PAST) return;
    if (has_buffer && !(how & (READ | WROTE | FENCED))) {
        pair(before, thread, [&](Successor&& s) {
            if (in_block) {
                s.state[block()] |= PENDING;
                s.state[pin()] = ideals_.with_value(s.state[pin()], n.cell, edge.written);
            } else if (!put(s, thread, {n.cell, edge.written})) {
                return;
            }
            advance(s, thread, edge, use);
        });
        if (!in_block) return;
    }
    if (how & PENDING || stores_.holds_back(before.state.data(), thread, n.cell)) return;
    if (waits(before.state.data(), thread, n.cell) || (n.exclusive && before.state[flags()] >> thread & 1)) return;
    Successor s = before;
    if (in_block) s.state[block()] |= WROTE;
    to_memory(s, thread, n.cell, edge.written, how & READ ? Own::NONE : how & WROTE ? Own::MARK : Own::PAST_AND_MARK);
    advance(s, thread, edge, [&](Successor&& next) {
        next.moves.back().cell = n.cell;
        use(std::move(next));
    });
}

// What a store exclusive that goes into a buffer asks of what is there already, and of other threads.
template <class Use>
void Space::pair(const Successor& before, int thread, Use&& use) {
    const Control& n = node(before.state.data(), thread);
    if (!n.exclusive) return use(Successor(before));
    const bool broken = before.state[flags()] >> thread & 1 || waits(before.state.data(), thread, n.cell);
    for (const Stores::Pairing& pairing : stores_.pairings(before.state.data(), thread, n.cell)) {
        if (!pairing.pledged && broken) continue;
        Successor s = before;
        for (const auto& [slot, word] : pairing.taken) s.state[slot] = word;
        if (!pairing.pledged) hold(s, stores_.slot_of(thread, n.cell), true);
        use(std::move(s));
    }
}

bool Space::put(Successor& s, int thread, const std::vector<std::int64_t>& stores) {
    if (!stores_.put(s.state, thread, stores, most_)) {
        left_out_ = true;
        return false;
    }
    for (std::size_t k = 0; k < stores.size() && pasts_; k += 2)
        s.state[past(thread)] = ideals_.hide(s.state[past(thread)], static_cast<std::int32_t>(stores[k]));
    return true;
}

template <class Use>
void Space::fence(const Successor& before, int thread, Use&& use) {
    const Control& n = node(before.state.data(), thread);
    if (n.strength != Strength::NONE && !stores_.drained(before.state.data(), thread)) return;
    if (n.act == Act::JOIN) {
        const Control& other = node(before.state.data(), n.thread);
        if (other.act != Act::ENDED || !stores_.drained(before.state.data(), n.thread)) return;
    }
    Successor s = before;
    if (blocks_ && n.block != 0 && n.strength == Strength::STORES) {
        if (s.state[block()] & PENDING || (s.state[block()] & PAST && !doubt())) return;
        s.state[block()] |= FENCED;
    }
    if (n.strength == Strength::FULL && !be_now(s, thread)) return;
    const bool starts = n.act == Act::START && node(before.state.data(), n.thread).act == Act::IDLE;
    if (!starts) return advance(s, thread, n.edges[0], use);
    for (std::int32_t first : automata_.begin[n.thread])
        advance(s, thread, n.edges[0], [&](Successor&& next) {
            next.state[n.thread] = first;
            next.moves.push_back({Move::BEGIN, 0, static_cast<std::int16_t>(n.thread), first, -1, 0});
            use(std::move(next));
        });
}

// The thread goes to now. False: it is in an atomic block that is at another moment.
bool Space::be_now(Successor& s, int thread) {
    const bool in_block = blocks_ && node(s.state.data(), thread).block != 0;
    if (in_block && s.state[block()] & (PAST | PENDING)) return false;
    forget(s, thread);
    if (in_block) s.state[block()] |= READ;
    return true;
}

bool Space::doubt() {
    doubtful_ |= !strict_;
    return !strict_;
}

// The load exclusive where the thread stands is done.
void Space::reserve(Successor& s, int thread, bool broken) const {
    if (!node(s.state.data(), thread).exclusive) return;
    s.state[flags()] &= ~(1 << thread);
    if (broken) s.state[flags()] |= 1 << thread;
}

// Whether a store of the thread cannot reach the cell yet: another thread holds it.
bool Space::waits(const std::int32_t* state, int thread, std::int32_t cell) const {
    if (!holds_) return false;
    const auto& all = ideals_.cells[state[held()]];
    return std::any_of(all.begin(), all.end(), [&](std::int32_t slot) {
        const auto& buffers = stores_.buffers();
        const Stores::Buffer& buffer = buffers[slot - buffers[0].slot];
        return buffer.cell == cell && buffer.thread != thread;
    });
}

void Space::hold(Successor& s, int slot, bool now) {
    if (!holds_) return;
    std::vector<std::int32_t> all = ideals_.cells[s.state[held()]];
    std::erase(all, slot);
    if (now) all.insert(std::upper_bound(all.begin(), all.end(), slot), slot);
    s.state[held()] = ideals_.cells.number(all);
}

template <class Use>
void Space::read(const Successor& before, int thread, Use&& use) {
    const std::int32_t* state = before.state.data();
    const Control& n = node(state, thread);
    if (stores_.holds_back(state, thread, n.cell)) {
        const Control::Edge* edge = n.edge(stores_.newest(state, thread, n.cell));
        if (!edge) return;
        Successor s = before;
        if (n.exclusive) stores_.reserve(s.state, thread, n.cell);
        reserve(s, thread, false);
        return advance(s, thread, *edge, use);
    }
    const std::int64_t now = value(state, n.cell);
    if (!pasts_) {
        const Control::Edge* edge = n.edge(now);
        if (!edge) return;
        Successor s = before;
        reserve(s, thread, false);
        return advance(s, thread, *edge, use);
    }
    const std::int32_t old = state[past(thread)];
    ideals_.each_value(old, n.cell, now, n.exclusive, [&](std::int64_t v, int place, bool stale) {
        const Control::Edge* edge = n.edge(v);
        if (!edge) return;
        Successor s = before;
        if (place != Ideals::FORWARDED) {
            s.state[past(thread)] = ideals_.from(old, place);
            const bool at_now = place == static_cast<int>(ideals_.words[old].size());
            if (place > 0 || at_now) s.cut_pasts |= 1ULL << (thread & 63);
        }
        reserve(s, thread, stale);
        advance(s, thread, *edge, use);
    });
}

// ---- atomic blocks ----

// Each moment at which the block where the thread loads may be.
template <class Use>
void Space::at_a_moment(const Successor& before, int thread, Use&& use) {
    const std::int32_t how = before.state[block()];
    if (how & PENDING) return;
    if (how & (PAST | READ)) return use(Successor(before));
    Successor now = before;
    be_now(now, thread);
    use(std::move(now));
    if (how & WROTE || !pasts_ || before.state[past(thread)] == 0 || (how & FENCED && !doubt())) return;
    const std::int32_t old = before.state[past(thread)];
    const std::vector<Ideals::Token> word = ideals_.words[old];
    auto be_at = [&](std::int32_t letter, int rest) {
        Successor s = before;
        s.state[block()] |= PAST;
        s.state[pin()] = letter;
        s.state[past(thread)] = ideals_.from(old, rest);
        s.cut_pasts |= 1ULL << (thread & 63);
        use(std::move(s));
    };
    if (Ideals::kind(word[0]) == Ideals::MARK) be_at(0, 0);
    for (int k = 0; k < static_cast<int>(word.size()); ++k) {
        if (Ideals::kind(word[k]) == Ideals::LETTER) be_at(Ideals::index(word[k]), k + 1);
        if (Ideals::kind(word[k]) != Ideals::MANY) continue;
        for (std::int32_t letter : std::vector<std::int32_t>(ideals_.sets[Ideals::index(word[k])])) be_at(letter, k);
    }
}

template <class Use>
void Space::read_in_block(const Successor& before, int thread, Use&& use) {
    const Control& n = node(before.state.data(), thread);
    at_a_moment(before, thread, [&](Successor&& s) {
        const bool waiting = stores_.holds_back(s.state.data(), thread, n.cell);
        std::int64_t v = value(s.state.data(), n.cell), fresh = Ideals::FRESH;
        const bool in_past = s.state[block()] & PAST;
        const auto* own = in_past ? ideals_.own(s.state[past(thread)], n.cell) : nullptr;
        if (waiting) {
            v = stores_.newest(s.state.data(), thread, n.cell);
            if (!doubt()) return;
        } else if (own) {
            v = (*own)[1];
            fresh = (*own)[2];
            if (!doubt()) return;
        } else if (in_past) {
            if (!ideals_.find(s.state[pin()], n.cell, v)) return;
            ideals_.find(s.state[pin()], ideals_.freshness(n.cell), fresh);
        }
        const Control::Edge* edge = n.edge(v);
        if (!edge || edge->writes || edge->strength != Strength::NONE) return;
        if (waiting && n.exclusive) stores_.reserve(s.state, thread, n.cell);
        reserve(s, thread, n.exclusive && fresh == Ideals::STALE);
        advance(s, thread, *edge, use);
    });
}

// The block is over: its thread stands at its moment, or behind; what it stores may wait. False: that is left out.
bool Space::end_block(Successor& s, int thread) {
    const std::int32_t how = s.state[block()];
    if (how & PAST) s.state[past(thread)] = ideals_.prepend(s.state[pin()], s.state[past(thread)]);
    const std::vector<std::int64_t> stores = how & PENDING ? ideals_.letters[s.state[pin()]] : std::vector<std::int64_t>{};
    s.state[block()] = s.state[pin()] = s.state[before()] = 0;
    s.parted |= apart_ && stores.size() > 2;
    return put(s, thread, stores);
}

// An update that writes sees now, and so does one that fails if it is more than a load. Its cell's earlier stores are in
// memory then; all of the thread's where it is a full fence.
template <class Use>
void Space::update(const Successor& before, int thread, Use&& use) {
    const std::int32_t* state = before.state.data();
    const Control& n = node(state, thread);
    const bool own = stores_.holds_back(state, thread, n.cell), all_stored = stores_.drained(state, thread);
    const std::int64_t now = value(state, n.cell);
    const bool in_block = blocks_ && n.block != 0;
    auto at_once = [&](const Control::Edge& edge) { return edge.writes || edge.strength != Strength::NONE; };
    const Control::Edge* edge = n.edge(now);
    const bool goes = edge && at_once(*edge) && !own && (edge->strength != Strength::FULL || all_stored);
    if (goes && !(edge->writes && waits(state, thread, n.cell))) {
        Successor s = before;
        if (be_now(s, thread)) {
            if (edge->writes) to_memory(s, thread, n.cell, edge->written, Own::NONE);
            if (edge->writes && in_block) s.state[block()] |= WROTE;
            advance(s, thread, *edge, [&](Successor&& next) {
                if (edge->writes) next.moves.back().cell = n.cell;
                use(std::move(next));
            });
        }
    }
    if (in_block) return read_in_block(before, thread, use);
    // As a mere load
    auto load = [&](std::int64_t v, auto&& change) {
        const Control::Edge* plain = n.edge(v);
        if (!plain || at_once(*plain)) return;
        Successor s = before;
        change(s);
        advance(s, thread, *plain, use);
    };
    if (own) return load(stores_.newest(state, thread, n.cell), [](Successor&) {});
    if (!pasts_) return load(now, [](Successor&) {});
    const std::int32_t old = state[past(thread)];
    ideals_.each_value(old, n.cell, now, false, [&](std::int64_t v, int place, bool) {
        load(v, [&](Successor& s) {
            if (place == Ideals::FORWARDED) return;
            s.state[past(thread)] = ideals_.from(old, place);
            const bool at_now = place == static_cast<int>(ideals_.words[old].size());
            if (place > 0 || at_now) s.cut_pasts |= 1ULL << (thread & 63);
        });
    });
}

bool Space::can_commit(const std::int32_t* state, const Stores::First& first) const {
    return std::none_of(first.stores.begin(), first.stores.end(),
                        [&](const Stores::Entry& e) { return waits(state, first.thread, e.cell); });
}

// What was in a buffer reaches the memory. The stores of a block do so at one moment.
void Space::commit(Successor& s, const Stores::First& first) {
    const int thread = first.thread;
    const bool of_block = first.stores.size() > 1;
    for (const auto& [slot, word] : first.rest) {
        s.state[slot] = word;
        s.cut_buffers |= 1ULL << (slot & 63);
    }
    for (const Stores::Entry& e : first.stores) {
        hold(s, stores_.slot_of(thread, e.cell), e.pledge == Ideals::TAKEN);
        const bool begins = e.pledge == Ideals::RESERVED && node(s.state.data(), thread).reserved == e.cell;
        if (begins) s.state[flags()] &= ~(1 << thread);
    }
    if (of_block) s.state[block()] = WROTE;
    for (const Stores::Entry& e : first.stores) {
        to_memory(s, thread, e.cell, e.value, &e == &first.stores[0] ? Own::PAST_AND_MARK : Own::MARK);
        const auto kind = of_block ? first.last ? Move::COMMIT_LAST_BLOCK : Move::COMMIT_BLOCK
                          : first.last ? Move::COMMIT_LAST : Move::COMMIT;
        s.moves.push_back({kind, 0, static_cast<std::int16_t>(thread), static_cast<std::int32_t>(first.stores.size()), e.cell,
                           e.value, false, e.pledge});
    }
    if (of_block) s.state[block()] = s.state[before()] = 0;
}

// A store reaches the memory. For the other threads what was there before (in an atomic block: before its first store) is
// past; for the thread itself as `own` says: its mark follows, unless it sees the store at once.
void Space::to_memory(Successor& s, int thread, std::int32_t cell, std::int64_t v, Own own) {
    if (!automata_.add(cell, v)) failed_ = true;
    if (!automata_.knows(cell, v)) grew_ = true;
    const std::int32_t old = s.state[memory()];
    std::vector<std::int64_t> now = ideals_.memories[old];
    now[cell] = v;
    s.state[memory()] = ideals_.memories.number(now);
    for (int t = 0; t < threads_; ++t)
        if (t != thread && node(s.state.data(), t).reserved == cell) s.state[flags()] |= 1 << t;
    if (!pasts_) return;
    std::int32_t past_memory = old;
    if (blocks_ && s.state[block()] != 0) {
        if (s.state[before()] == 0) s.state[before()] = old;
        past_memory = s.state[before()];
    }
    bool told_others = false;
    for (int t = 0; t < threads_; ++t) {
        const auto& seen = ideals_.cells[seen_[t][s.state[t]]];
        const bool told = std::binary_search(seen.begin(), seen.end(), ideals_.freshness(cell));
        std::int32_t& word = s.state[past(t)];
        if (t != thread || own == Own::PAST_AND_MARK) append(s, t, past_memory);
        if (t != thread && told) word = ideals_.stale(word, cell);
        told_others |= t != thread && told;
        if (t == thread && own != Own::NONE) word = ideals_.mark(word, cell, v, told ? Ideals::FRESH : 0);
    }
    if (blocks_ && s.state[block()] != 0 && told_others) s.state[before()] = ideals_.stored_to(past_memory, cell);
}

void Space::append(Successor& s, int thread, std::int32_t memory) {
    const std::int32_t snapshot = ideals_.snapshot(memory, seen_[thread][s.state[thread]]);
    std::int32_t& word = s.state[past(thread)];
    if (most_ < 0 || ideals_.atoms(word) < most_)
        word = ideals_.append(word, snapshot);
    else if (snapshot != 0)
        left_out_ = true;
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
        for (const Stores::Buffer& buffer : stores_.buffers())
            if (buffer.thread == t && s.state[buffer.slot] != 0) own = ideals_.hide(own, buffer.cell);
        const bool in_past = blocks_ && s.state[block()] & PAST && node(s.state.data(), t).block == 2;
        if (!in_past) own = ideals_.trim(own, s.state[memory()]);
    }
    for (int t = 0; t < threads_; ++t)
        if (s.state[flags()] >> t & 1 && node(s.state.data(), t).reserved < 0) s.state[flags()] &= ~(1 << t);
    if (!lifetimes_ || s.state[gone()] == 0) return;
    std::vector<std::int32_t> matter;
    for (std::int32_t what : ideals_.cells[s.state[gone()]])
        for (int t = 0; t < threads_; ++t) {
            const auto& ahead = ideals_.cells[ahead_[t][s.state[t]]];
            if (!std::binary_search(ahead.begin(), ahead.end(), what)) continue;
            matter.push_back(what);
            break;
        }
    s.state[gone()] = ideals_.cells.number(matter);
}

}  // namespace xgen::symbolic
