// What a symbolic state is: final, a deadlock, a race, a dead end.
#include <algorithm>
#include <map>
#include <set>

#include "space.hpp"

namespace xgen::symbolic {

// Whether what is next is possible, at now. An atomic block of which others have seen nothing is only if it comes to its end,
// or to something that they see, or runs on. `broken`: the thread's reservation is.
bool Space::can_go_on(const std::int32_t* state, int thread, std::int32_t at, bool broken, Blocked& blocked) const {
    const Control& n = automata_.nodes[thread][at];
    if (n.act == Act::STUCK) return false;
    if (n.act != Act::READ && n.act != Act::UPDATE) return !(n.act == Act::WRITE && n.exclusive && broken);
    const Control::Edge* edge = n.edge(value(state, n.cell));
    if (!edge || n.block == 0 || edge->writes) return edge != nullptr;
    const auto [known, added] = blocked.try_emplace({at, broken}, false);
    if (!added) return !known->second;  // in a round, or known
    const bool goes = std::any_of(edge->next.begin(), edge->next.end(), [&](std::int32_t next) {
        return automata_.nodes[thread][next].block != 2 || can_go_on(state, thread, next, broken && !n.exclusive, blocked);
    });
    return !(known->second = !goes);
}

// Before an atomic block it is asked how that goes on, so that nobody stands inside of one as long as others have seen nothing
// of it. Where they have, a load does not go back.
bool Space::stands_for_ever(const std::int32_t* state, int thread) const {
    const Control& n = node(state, thread);
    if (n.block == 2 && !n.seen_in_block) return false;
    if (n.block == 2 && n.act != Act::WRITE) return !n.edge(value(state, n.cell));
    Blocked blocked;
    auto goes = [&](std::int32_t at) {
        return at == Control::OTHERWISE || can_go_on(state, thread, at, state[flags()] >> thread & 1, blocked);
    };
    const auto& others = automata_.siblings[n.siblings];
    return !goes(state[thread]) && std::none_of(others.begin(), others.end(), goes);
}

bool Space::is_deadlock(const std::int32_t* state, bool of_mutexes) const {
    for (const Stores::Buffer& buffer : stores_.buffers())
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
            if (of_mutexes ? n.edge(value(state, n.cell)) || !n.locks : !stands_for_ever(state, t)) return false;
            one_should = true;
            break;
        case Act::WRITE:
            if (of_mutexes || !n.exclusive || !stands_for_ever(state, t)) return false;
            one_should = true;
            break;
        default: return false;
        }
    }
    return one_should;
}

bool Space::is_final(const std::int32_t* state) const {
    for (const Stores::Buffer& buffer : stores_.buffers())
        if (state[buffer.slot] != 0) return false;
    for (int t = 0; t < threads_; ++t) {
        const Act act = node(state, t).act;
        if (act != Act::ENDED && act != Act::IDLE) return false;
    }
    return true;
}

std::pair<int, int> Space::race(const std::int32_t* state) const {
    const bool past = blocks_ && state[block()] & PAST;
    auto accesses = [&](const Control& n) {
        if (past && n.block == 2) return false;  // not what comes next, but what came then
        return n.act == Act::READ || n.act == Act::WRITE || n.act == Act::UPDATE;
    };
    for (int a = 0; a < threads_; ++a) {
        const Control& first = node(state, a);
        if (!accesses(first)) continue;
        for (int b = a + 1; b < threads_; ++b) {
            const Control& second = node(state, b);
            if (!accesses(second) || first.cell != second.cell || (!first.plain && !second.plain)) continue;
            if (first.act != Act::READ || second.act != Act::READ) return {a, b};
        }
    }
    return {-1, -1};
}

const Control* Space::find(const std::int32_t* state, Act act) const {
    for (int t = 0; t < threads_; ++t)
        if (node(state, t).act == act) return &node(state, t);
    return nullptr;
}

// The threads whose next event is a load of an object that is freed; or an allocation and a load of the object.
std::pair<int, int> Space::misusing(const Successor& s) const {
    const std::int32_t* state = s.state.data();
    const auto& all = ideals_.cells[state[gone()]];
    for (int t = 0; t < threads_; ++t)
        if (node(state, t).block == 2) return {-1, -1};
    for (int t = 0; t < threads_; ++t) {
        const Control& n = node(state, t);
        if (n.object < 0 || (n.act != Act::READ && n.act != Act::UPDATE)) continue;
        if (std::binary_search(all.begin(), all.end(), n.object)) return {t, -1};
        for (int other = 0; other < threads_; ++other) {
            const Control& allocation = node(state, other);
            if (other != t && allocation.act == Act::ALLOC && allocation.object == n.object) return {other, t};
        }
    }
    return {-1, -1};
}

std::optional<std::vector<Move>> Space::drain(const State& state) {
    Successor start;
    start.state = state;
    stores_.lose(start.state);
    std::set<State> seen{start.state};
    std::vector<Successor> open{start};
    while (!open.empty()) {
        const Successor at = std::move(open.back());
        open.pop_back();
        const auto firsts = stores_.firsts(at.state.data());
        if (firsts.empty()) return at.moves;
        for (const Stores::First& first : firsts) {
            if (!can_commit(at.state.data(), first)) continue;
            Successor s = at;
            commit(s, first);
            if (seen.insert(s.state).second) open.push_back(std::move(s));
        }
    }
    return std::nullopt;
}

}  // namespace xgen::symbolic
