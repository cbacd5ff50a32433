#include "stores.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace xgen::symbolic {

namespace {

using Tokens = std::vector<Ideals::Token>;

// Whether no other thread accesses the cell.
bool is_own(const Automata& automata, int thread, std::int32_t cell) {
    for (int t = 0; t < automata.threads(); ++t)
        for (const Control& node : automata.nodes[t])
            if (t != thread && node.cell == cell) return false;
    return true;
}

bool is_mark(Ideals::Token t) { return Ideals::kind(t) == Ideals::MARK; }

}  // namespace

Stores::Stores(const Automata& automata, Ideals& ideals, int first, bool apart) : ideals_(ideals) {
    const std::size_t cells = automata.code().cells.size();
    slots_.assign(automata.threads(), std::vector<int>(cells, -1));
    const bool there = automata.settings().memory == Memory::PSO;
    for (int t = 0; t < automata.threads() && there; ++t) {
        std::set<std::int32_t> written, needed;
        for (const Control& node : automata.nodes[t]) {
            if (node.act == Act::WRITE) written.insert(node.cell);
            if (node.block != 0 || node.exclusive) needed.insert(node.cell);
        }
        for (std::int32_t cell : written) {
            if (!needed.count(cell) && is_own(automata, t, cell)) continue;
            slots_[t][cell] = first;
            buffers_.push_back({t, cell, first++});
        }
    }
    first_family_ = first;
    for (int t = 0; t < automata.threads() && there && !apart; ++t) find_families(automata, t);
}

// The cells of each way through a block that only stores.
void Stores::find_families(const Automata& automata, int thread) {
    const auto& nodes = automata.nodes[thread];
    std::set<std::pair<std::int32_t, std::vector<std::int32_t>>> seen;
    std::vector<std::pair<std::int32_t, std::vector<std::int32_t>>> open;
    auto go = [&](std::int32_t n, const std::vector<std::int32_t>& cells) {
        if (seen.emplace(n, cells).second) open.emplace_back(n, cells);
    };
    for (std::size_t n = 0; n < nodes.size(); ++n)
        if (nodes[n].block == 1) go(static_cast<std::int32_t>(n), {});
    std::set<std::vector<std::int32_t>> found;
    while (!open.empty()) {
        auto [n, cells] = open.back();
        open.pop_back();
        const Control& node = nodes[n];
        if (node.act == Act::READ || node.act == Act::UPDATE) continue;
        if (node.act == Act::WRITE) {
            const auto at = std::lower_bound(cells.begin(), cells.end(), node.cell);
            if (at == cells.end() || *at != node.cell) cells.insert(at, node.cell);
        }
        for (const Control::Edge& edge : node.edges)
            for (std::int32_t next : edge.next) {
                if (nodes[next].block == 2) {
                    go(next, cells);
                } else if (cells.size() > 1) {
                    found.insert(cells);
                }
            }
    }
    for (const auto& cells : found)
        families_.push_back({thread, first_family_ + static_cast<int>(families_.size()), cells});
}

bool Stores::drained(const std::int32_t* state, int thread) const {
    return std::none_of(buffers_.begin(), buffers_.end(),
                        [&](const Buffer& b) { return b.thread == thread && state[b.slot] != 0; });
}

// ---- what was stored last, and exclusive pairs ----

int Stores::newest_slot(const std::int32_t* state, int thread, std::int32_t cell) const {
    const int slot = slot_of(thread, cell);
    const Ideals::Token last = ideals_.words[state[slot]].back();
    return is_mark(last) ? families_[Ideals::index(last)].slot : slot;
}

std::int64_t Stores::newest(const std::int32_t* state, int thread, std::int32_t cell) const {
    const Ideals::Token last = ideals_.words[state[newest_slot(state, thread, cell)]].back();
    return ideals_.value_of(Ideals::index(last), cell);
}

void Stores::reserve(std::vector<std::int32_t>& state, int thread, std::int32_t cell) const {
    const int slot = newest_slot(state.data(), thread, cell);
    Tokens word = ideals_.words[state[slot]];
    word.back() = Ideals::token(Ideals::LETTER, ideals_.with_pledge(Ideals::index(word.back()), cell, Ideals::RESERVED));
    state[slot] = ideals_.words.number(word);
}

// The buffer with the runs that are marked in it.
std::vector<Stores::Place> Stores::line(const std::int32_t* state, int thread, std::int32_t cell) const {
    const int slot = slot_of(thread, cell);
    const Tokens& word = ideals_.words[state[slot]];
    std::map<std::int32_t, std::size_t> next;  // where the next run of a family begins
    std::vector<Place> all;
    for (std::size_t k = 0; k < word.size(); ++k) {
        if (!is_mark(word[k])) {
            all.push_back({slot, k, word[k], k + 1 == word.size()});
            continue;
        }
        const Family& family = families_[Ideals::index(word[k])];
        const Tokens& runs = ideals_.words[state[family.slot]];
        std::size_t& at = next[Ideals::index(word[k])];
        for (; at < runs.size() && !is_mark(runs[at]); ++at)
            all.push_back({family.slot, at, runs[at], at + 1 == runs.size() || is_mark(runs[at + 1])});
        ++at;
    }
    return all;
}

// What is pledged may be anywhere in the buffer, and each such letter may be the newest one that is really there, unless
// there is always one behind it.
std::vector<Stores::Pairing> Stores::pairings(const std::int32_t* state, int thread, std::int32_t cell) const {
    if (!holds_back(state, thread, cell)) return {{false, {}}};
    const std::vector<Place> all = line(state, thread, cell);
    std::vector<Pairing> found;
    for (std::size_t k = all.size(); k-- > 0;) {
        for (std::int32_t letter : ideals_.letters_in(all[k].token)) {
            if (ideals_.pledge_of(letter, cell) != Ideals::RESERVED) continue;
            found.push_back({true, take(state, cell, all, k, letter)});
            if (all[k].always) return found;
        }
    }
    found.push_back({false, take(state, cell, all, all.size(), -1)});
    return found;
}

// The store exclusive follows on the letter there (from all.size(): on what is in memory): from there on, the cell is held.
Stores::Changes Stores::take(const std::int32_t* state, std::int32_t cell, const std::vector<Place>& all, std::size_t from,
                               std::int32_t letter) const {
    std::map<int, std::map<std::size_t, Tokens>> instead;
    for (std::size_t k = from == all.size() ? 0 : from; k < all.size(); ++k) {
        const Ideals::Token t = all[k].token;
        Tokens& tokens = instead[all[k].slot][all[k].at];
        std::vector<std::int32_t> taken;  // what has no reservation of its own
        for (std::int32_t one : ideals_.letters_in(t))
            if (ideals_.pledge_of(one, cell) != Ideals::RESERVED)
                taken.push_back(ideals_.with_pledge(one, cell, Ideals::TAKEN));
        if (k == from) {
            if (Ideals::kind(t) == Ideals::MANY) tokens.push_back(t);
            tokens.push_back(Ideals::token(Ideals::LETTER, ideals_.with_pledge(letter, cell, Ideals::TAKEN)));
            if (Ideals::kind(t) == Ideals::LETTER) continue;
        }
        if (taken.empty()) continue;
        tokens.push_back(Ideals::kind(t) == Ideals::LETTER ? Ideals::token(Ideals::LETTER, taken[0]) : ideals_.many(taken));
    }
    Changes changes;
    for (const auto& [slot, places] : instead) {
        const Tokens& word = ideals_.words[state[slot]];
        Tokens changed;
        for (std::size_t k = 0; k < word.size(); ++k) {
            const auto at = places.find(k);
            if (at == places.end()) {
                changed.push_back(word[k]);
            } else {
                changed.insert(changed.end(), at->second.begin(), at->second.end());
            }
        }
        changes.emplace_back(slot, ideals_.buffer_of(changed, is_run(slot)));
    }
    return changes;
}

// ---- into the buffers, and out of them ----

bool Stores::put(std::vector<std::int32_t>& state, int thread, const std::vector<std::int64_t>& stores, int most) const {
    std::vector<std::int32_t> cells;
    for (std::size_t k = 0; k < stores.size(); k += 2) cells.push_back(static_cast<std::int32_t>(stores[k]));
    for (std::int32_t cell : cells)
        if (most >= 0 && ideals_.parts(state[slot_of(thread, cell)]) > most) return false;
    const auto family = std::find_if(families_.begin(), families_.end(),
                                     [&](const Family& f) { return f.thread == thread && f.cells == cells; });
    if (family == families_.end()) {
        for (std::size_t k = 0; k < stores.size(); k += 2) {
            std::int32_t& word = state[slot_of(thread, cells[k / 2])];
            word = ideals_.put(word, ideals_.letters.number({stores[k + 1]}), false);
        }
        return true;
    }
    if (most >= 0 && ideals_.atoms(state[family->slot]) > most) return false;
    const Ideals::Token mark = Ideals::token(Ideals::MARK, static_cast<std::int32_t>(family - families_.begin()));
    const bool goes_on = std::all_of(cells.begin(), cells.end(), [&](std::int32_t cell) {
        const Tokens& word = ideals_.words[state[slot_of(thread, cell)]];
        return !word.empty() && word.back() == mark;
    });
    std::vector<std::int64_t> letter;
    for (std::size_t k = 0; k < stores.size(); k += 2) letter.insert(letter.end(), {stores[k], stores[k + 1], Ideals::FREE});
    std::int32_t& runs = state[family->slot];
    if (!goes_on && runs != 0) runs = ideals_.behind(runs, Ideals::SEPARATOR, true);
    runs = ideals_.put(runs, ideals_.letters.number(letter), true);
    for (std::int32_t cell : goes_on ? std::vector<std::int32_t>{} : cells) {
        std::int32_t& word = state[slot_of(thread, cell)];
        word = ideals_.behind(word, mark, false);
    }
    return true;
}

std::vector<Stores::First> Stores::firsts(const std::int32_t* state) const {
    std::vector<First> found;
    for (const Buffer& b : buffers_)
        ideals_.each_first(state[b.slot], false, [&](std::int32_t letter, std::int32_t rest, bool last) {
            const Entry entry{b.cell, ideals_.value_of(letter, b.cell), ideals_.pledge_of(letter, b.cell)};
            found.push_back({b.thread, {entry}, last, {{b.slot, rest}}});
        });
    for (std::size_t f = 0; f < families_.size(); ++f) {
        const Family& family = families_[f];
        if (state[family.slot] == 0) continue;
        Changes from, behind;  // what is left in the buffers, with the mark and without
        for (std::int32_t cell : family.cells) {
            const int slot = slot_of(family.thread, cell);
            const Tokens& word = ideals_.words[state[slot]];
            const auto mark = std::find_if(word.begin(), word.end(), is_mark);
            if (mark == word.end() || Ideals::index(*mark) != static_cast<std::int32_t>(f)) break;
            const Tokens with(mark, word.end()), without(mark + 1, word.end());
            from.emplace_back(slot, ideals_.words.number(with));
            behind.emplace_back(slot, ideals_.words.number(without));
        }
        if (from.size() < family.cells.size()) continue;
        ideals_.each_first(state[family.slot], true, [&](std::int32_t letter, std::int32_t rest, bool last) {
            First first{family.thread, {}, last, last ? behind : from};
            first.rest.emplace_back(family.slot, rest);
            for (std::int32_t cell : family.cells)
                first.stores.push_back({cell, ideals_.value_of(letter, cell), ideals_.pledge_of(letter, cell)});
            found.push_back(std::move(first));
        });
    }
    return found;
}

void Stores::lose(std::vector<std::int32_t>& state) const {
    auto shorten = [&](int slot) {
        const Tokens word = ideals_.words[state[slot]];
        Tokens left;
        for (std::size_t k = 0; k < word.size(); ++k) {
            const bool always = k + 1 == word.size() || (is_run(slot) && is_mark(word[k + 1]));
            if (always || is_mark(word[k])) left.push_back(word[k]);
        }
        state[slot] = ideals_.words.number(left);
    };
    for (const Buffer& b : buffers_) shorten(b.slot);
    for (const Family& f : families_) shorten(f.slot);
}

}  // namespace xgen::symbolic
