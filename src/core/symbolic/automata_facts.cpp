// What is made of the raw states of automata: as few states as do the same, and what each may still do.
#include <algorithm>
#include <set>

#include "automata.hpp"

namespace xgen::symbolic {

// ---- partition refinement ----

void Automata::minimise() {
    const std::size_t count = raw_.size();
    std::vector<std::int32_t>& classes = class_of_;
    classes.assign(count, 0);
    auto describe_alone = [&](const Raw& raw) {
        const Control& n = raw.node;
        std::vector<std::int64_t> d{raw.thread, static_cast<std::int64_t>(n.act), n.cell, n.thread,
                                    static_cast<std::int64_t>(n.strength), n.block, n.exclusive, n.reserved, n.shown, n.locks, n.plain,
                                    n.object, n.seen_in_block};
        if (n.act == Act::ERROR || n.act == Act::CUT || n.act == Act::LOST) d.push_back(n.pc);
        return d;
    };
    auto siblings_of = [&](const Raw& raw) {
        std::vector<std::int32_t> all;
        for (std::int32_t place : groups_[may_wait(raw.at) ? raw.at.group : 0])
            all.push_back(place == Control::OTHERWISE ? place : classes[there_.at(place)]);
        std::sort(all.begin(), all.end());
        all.erase(std::unique(all.begin(), all.end()), all.end());
        return all;
    };
    std::size_t classes_before = 0;
    for (bool first = true;; first = false) {
        std::unordered_map<std::vector<std::int64_t>, std::int32_t, HashVector> numbers;
        std::vector<std::int32_t> next(count);
        for (std::size_t n = 0; n < count; ++n) {
            pulse();
            std::vector<std::int64_t> d = first ? describe_alone(raw_[n]) : std::vector<std::int64_t>{classes[n]};
            for (const Control::Edge& e : raw_[n].node.edges) {
                d.insert(d.end(), {e.value, e.writes, e.writes ? e.written : 0, static_cast<std::int64_t>(e.strength)});
                if (first) continue;
                std::vector<std::int64_t> to;
                for (std::int32_t target : e.next) to.push_back(classes[target]);
                std::sort(to.begin(), to.end());
                to.erase(std::unique(to.begin(), to.end()), to.end());
                d.push_back(static_cast<std::int64_t>(to.size()));
                d.insert(d.end(), to.begin(), to.end());
            }
            if (!first) {
                const std::vector<std::int32_t> others = siblings_of(raw_[n]);
                d.insert(d.end(), others.begin(), others.end());
            }
            next[n] = numbers.try_emplace(std::move(d), static_cast<std::int32_t>(numbers.size())).first->second;
        }
        classes.swap(next);
        if (numbers.size() == classes_before) break;
        classes_before = numbers.size();
    }
    // Numbers per thread, in the order of the first raw state of each class.
    const std::size_t threads_count = code_.threads.size();
    nodes.assign(threads_count, {});
    std::vector<std::int32_t> number_of(classes_before, -1);
    for (std::size_t n = 0; n < count; ++n) {
        std::int32_t& number = number_of[classes[n]];
        if (number >= 0) continue;
        auto& all = nodes[raw_[n].thread];
        number = static_cast<std::int32_t>(all.size());
        all.push_back(raw_[n].node);
    }
    for (std::int32_t& c : classes) c = number_of[c];
    auto rename = [&](std::vector<std::int32_t>& list) {
        for (std::int32_t& n : list) n = classes[n];
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
    };
    for (auto& all : nodes)
        for (Control& node : all)
            for (Control::Edge& e : node.edges) rename(e.next);
    for (const Raw& raw : raw_) nodes[raw.thread][classes[&raw - raw_.data()]].siblings = siblings.number(siblings_of(raw));
    initial = raw_initial_;
    begin = raw_begin_;
    for (auto& list : initial) rename(list);
    for (auto& list : begin) rename(list);
}

// ---- what can be read, and what may move first ----

// A block with one event is none.
void Automata::find_blocks() {
    for (auto& all : nodes)
        for (Control& node : all) {
            bool alone = node.block == 1;
            for (const Control::Edge& e : node.edges)
                for (std::int32_t next : e.next) alone = alone && all[next].block != 2;
            if (alone) node.block = 0;
        }
}

void Automata::find_seen() {
    for (auto& all : nodes) {
        std::vector<std::set<std::int32_t>> sets(all.size());
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t k = all.size(); k-- > 0;) {
                pulse();
                const Control& node = all[k];
                std::set<std::int32_t> now = sets[k];
                if (node.act == Act::READ) now.insert(node.cell);
                if (node.act == Act::READ && node.exclusive)
                    now.insert(static_cast<std::int32_t>(code_.cells.size()) + node.cell);
                for (const Control::Edge& e : node.edges) {
                    const bool fails = node.act == Act::UPDATE && !e.writes && e.strength == Strength::NONE;
                    if (fails) now.insert(node.cell);
                    if (node.strength == Strength::FULL || (node.act == Act::UPDATE && !fails)) continue;
                    for (std::int32_t next : e.next) now.insert(sets[next].begin(), sets[next].end());
                }
                if (now.size() == sets[k].size()) continue;
                sets[k] = std::move(now);
                changed = true;
            }
        }
        for (std::size_t k = 0; k < all.size(); ++k)
            all[k].seen = seen.number(std::vector<std::int32_t>(sets[k].begin(), sets[k].end()));
    }
}

// What a thread may still do with objects that are allocated or freed: accesses, and behind the cells allocations.
void Automata::find_ahead() {
    const auto cells = static_cast<std::int32_t>(code_.cells.size());
    std::set<std::int32_t> mortal;
    for (const auto& all : nodes)
        for (const Control& node : all)
            if (node.act == Act::FREE) mortal.insert(node.object);
    for (std::size_t t = 0; t < nodes.size(); ++t) {
        auto& all = nodes[t];
        std::vector<std::set<std::int32_t>> sets(all.size());
        for (std::size_t k = 0; k < all.size(); ++k) {
            const Control& node = all[k];
            if (node.act == Act::ALLOC) sets[k].insert(cells + node.object);
            if (node.act != Act::ALLOC && mortal.count(node.object)) sets[k].insert(node.object);
        }
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t k = all.size(); k-- > 0;) {
                pulse();
                const std::size_t before = sets[k].size();
                for (const Control::Edge& e : all[k].edges)
                    for (std::int32_t next : e.next) sets[k].insert(sets[next].begin(), sets[next].end());
                for (std::int32_t next : all[k].act == Act::IDLE ? begin[t] : std::vector<std::int32_t>{})
                    sets[k].insert(sets[next].begin(), sets[next].end());
                changed |= sets[k].size() != before;
            }
        }
        for (std::size_t k = 0; k < all.size(); ++k)
            all[k].ahead = seen.number(std::vector<std::int32_t>(sets[k].begin(), sets[k].end()));
    }
}

// Data races and misuses of objects show where both events are next. In an atomic block what is next depends on what it has
// read, at a moment when the other thread was elsewhere.
void Automata::find_veiled() {
    veiled_ = -1;
    auto harms = [](const Control& a, const Control& b) {
        if (a.object >= 0 && a.object == b.object && (!is_access(a.act) || !is_access(b.act))) return true;
        const bool writes = a.act != Act::READ || b.act != Act::READ;
        return is_access(a.act) && is_access(b.act) && a.cell == b.cell && writes && (a.plain || b.plain);
    };
    for (std::size_t t = 0; t < nodes.size(); ++t)
        for (const Control& node : nodes[t]) {
            pulse();
            if (node.block == 0 || (!is_access(node.act) && node.object < 0)) continue;
            for (std::size_t other = 0; other < nodes.size() && veiled_ < 0; ++other) {
                const auto& all = nodes[other];
                if (other != t && std::any_of(all.begin(), all.end(), [&](const Control& n) { return harms(node, n); }))
                    veiled_ = node.pc;
            }
        }
}

// A fence, a free, or a load of a cell that no other thread writes, may come first: what others do then commutes with it, or
// leaves more to read, and who accesses the object later is as wrong as who does it at the same time. Not a load of what may
// be freed. Not where a thread could go on like that for ever, and the others would never move.
void Automata::find_eager() {
    if (!settings_.eager) return;
    std::vector<std::set<int>> writers(code_.cells.size());
    for (int t = 0; t < threads(); ++t)
        for (const Control& node : nodes[t])
            for (const Control::Edge& e : node.edges)
                if (e.writes) writers[node.cell].insert(t);
    for (int t = 0; t < threads(); ++t) {
        auto& all = nodes[t];
        auto is_own = [&](std::int32_t cell) { return writers[cell].empty() || (writers[cell].size() == 1 && *writers[cell].begin() == t); };
        for (Control& node : all)
            node.eager = node.block == 0 && !node.exclusive &&
                         (node.act == Act::FENCE || node.act == Act::FREE ||
                          (node.act == Act::READ && node.object < 0 && is_own(node.cell)));
        std::vector<bool> ends(all.size());
        for (std::size_t k = 0; k < all.size(); ++k) ends[k] = !all[k].eager;
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t k = 0; k < all.size(); ++k) {
                pulse();
                if (ends[k]) continue;
                bool all_end = true;
                for (const Control::Edge& e : all[k].edges)
                    for (std::int32_t next : e.next) all_end = all_end && ends[next];
                if (!all_end) continue;
                ends[k] = changed = true;
            }
        }
        for (std::size_t k = 0; k < all.size(); ++k) all[k].eager = all[k].eager && ends[k];
    }
}

}  // namespace xgen::symbolic
