#include "ideals.hpp"

namespace xgen::symbolic {

// ---- snapshots ----

std::int32_t Ideals::snapshot(std::int32_t memory, std::int32_t seen) {
    return snapshots_.get(memory, seen, [&] {
        std::vector<std::int64_t> shown;
        for (std::int32_t cell : cells[seen]) {
            shown.push_back(cell);
            const auto& values = memories[memory];
            shown.push_back(cell < static_cast<std::int32_t>(values.size()) ? values[cell] : FRESH);
        }
        return letters.number(shown);
    });
}

std::int32_t Ideals::with_value(std::int32_t letter, std::int64_t cell, std::int64_t value) {
    std::vector<std::int64_t> all = letters[letter];
    std::size_t at = 0;
    while (at < all.size() && all[at] < cell) at += 2;
    if (at == all.size() || all[at] != cell) all.insert(all.begin() + static_cast<std::ptrdiff_t>(at), 2, cell);
    all[at + 1] = value;
    return letters.number(all);
}

std::int32_t Ideals::stored_to(std::int32_t memory, std::int32_t cell) {
    std::vector<std::int64_t> found = memories[memory];
    found.resize(2 * count, FRESH);
    found[freshness(cell)] = STALE;
    return memories.number(found);
}

bool Ideals::find(std::int32_t letter, std::int64_t cell, std::int64_t& value) const {
    const auto& shown = letters[letter];
    for (std::size_t k = 0; k < shown.size(); k += 2) {
        if (shown[k] != cell) continue;
        value = shown[k + 1];
        return true;
    }
    return false;
}

// ---- products ----

// Whether a set of letters takes in another atom that is next to it.
bool Ideals::absorbs(Token many, Token other) const {
    if (kind(many) != MANY || kind(other) == MARK) return false;
    const auto& set = sets[index(many)];
    if (kind(other) == LETTER) return std::binary_search(set.begin(), set.end(), index(other));
    const auto& inner = sets[index(other)];
    return std::includes(set.begin(), set.end(), inner.begin(), inner.end());
}

// Adds an atom or a mark in normal form.
void Ideals::push(Tokens& word, Token t, bool stutters) const {
    while (!word.empty() && kind(word.back()) != MARK && absorbs(t, word.back())) word.pop_back();
    if (!word.empty() && kind(t) != MARK) {
        if (absorbs(word.back(), t)) return;
        if (stutters && word.back() == t) return;
    }
    word.push_back(t);
}

// Whether each atom of the small product finds its place in the large one.
bool Ideals::matches(const Token* small, const Token* small_end, const Token* large, const Token* large_end) const {
    for (; small != small_end; ++small) {
        while (large != large_end && *large != *small && !absorbs(*large, *small)) ++large;
        if (large == large_end) return false;
        if (kind(*large) == LETTER) ++large;
    }
    return true;
}

// All letters of some atoms, in any number and order.
Ideals::Token Ideals::star(const Token* begin, const Token* end) {
    std::vector<std::int32_t> all;
    for (; begin != end; ++begin) {
        if (kind(*begin) == LETTER) {
            all.push_back(index(*begin));
        } else {
            const auto& set = sets[index(*begin)];
            all.insert(all.end(), set.begin(), set.end());
        }
    }
    return many(std::move(all));
}

void Ideals::widen(Tokens& to, const Token* begin, const Token* end, int atoms, bool stutters) {
    if (end - begin > atoms) {
        const Token* rest = end - (atoms - 1);
        push(to, star(begin, rest), stutters);
        begin = rest;
    }
    for (; begin != end; ++begin) push(to, *begin, stutters);
}

std::uint64_t Ideals::letters_of(std::int32_t word) {
    if (letters_of_.size() < words.size()) letters_of_.resize(words.size(), ~0ULL);
    std::uint64_t& all = letters_of_[word];
    if (all != ~0ULL) return all;
    all = 0;
    auto add = [&](int what, std::int32_t n) { all |= 1ULL << (stir(static_cast<std::uint64_t>(4 * n + what)) & 63); };
    for (Token t : words[word]) {
        if (kind(t) != MANY) {
            add(kind(t), index(t));
        } else {
            for (std::int32_t letter : sets[index(t)]) add(LETTER, letter);
        }
    }
    return all;
}

// ---- pasts ----

// Normal form: nothing is shown of a cell before the thread's own mark of it, nor of `hidden`, nor (where `seen` is given)
// of cells that are not in it; snapshots that show nothing are left out, and marks of cells that do not matter.
std::int32_t Ideals::normal(const Tokens& past, const std::vector<std::int32_t>* seen, std::int64_t hidden) {
    std::vector<std::int64_t> marked{hidden};
    auto matters = [&](std::int64_t cell) { return !seen || std::binary_search(seen->begin(), seen->end(), cell); };
    auto strip = [&](std::int32_t letter) {
        std::vector<std::int64_t> left;
        const auto& shown = letters[letter];
        for (std::size_t k = 0; k < shown.size(); k += 2) {
            const std::int64_t cell = shown[k] < count ? shown[k] : shown[k] - count;
            if (!matters(shown[k]) || std::find(marked.begin(), marked.end(), cell) != marked.end()) continue;
            left.push_back(shown[k]);
            left.push_back(shown[k + 1]);
        }
        return letters.number(left);
    };
    Tokens backwards;
    for (auto t = past.rbegin(); t != past.rend(); ++t) {
        if (kind(*t) == MARK) {
            const std::int64_t cell = marks[index(*t)][0];
            if (!matters(cell) || std::find(marked.begin(), marked.end(), cell) != marked.end()) continue;
            marked.push_back(cell);
            const std::int64_t value = marks[index(*t)][1], fresh = marks[index(*t)][2];
            const bool told = fresh == 0 || matters(freshness(static_cast<std::int32_t>(cell)));
            backwards.push_back(told ? *t : token(MARK, marks.number({cell, value, 0})));
        } else if (kind(*t) == LETTER) {
            const std::int32_t left = strip(index(*t));
            if (left != 0) backwards.push_back(token(LETTER, left));
        } else {
            std::vector<std::int32_t> left;
            for (std::int32_t letter : std::vector<std::int32_t>(sets[index(*t)])) left.push_back(strip(letter));
            std::sort(left.begin(), left.end());
            left.erase(std::unique(left.begin(), left.end()), left.end());
            if (!left.empty() && left[0] == 0) left.erase(left.begin());
            if (left.size() == 1) backwards.push_back(token(LETTER, left[0]));  // a snapshot again is nothing new
            if (left.size() > 1) backwards.push_back(token(MANY, sets.number(left)));
        }
    }
    Tokens word;
    for (auto t = backwards.rbegin(); t != backwards.rend(); ++t) push(word, *t, true);
    return words.number(word);
}

std::int32_t Ideals::append(std::int32_t past, std::int32_t letter) {
    if (letter == 0) return past;
    return append_.get(past, letter, [&] {
        Tokens word = words[past];
        push(word, token(LETTER, letter), true);
        return words.number(word);
    });
}

std::int32_t Ideals::mark(std::int32_t past, std::int64_t cell, std::int64_t value, std::int64_t fresh) {
    const std::int32_t number = marks.number({cell, value, fresh});
    return mark_.get(past, number, [&] {
        Tokens word = words[past];
        word.push_back(token(MARK, number));
        return normal(word, nullptr, -1);
    });
}

Ideals::Token Ideals::staled(Token t, std::int32_t cell) {
    if (kind(t) == MARK) {
        const std::vector<std::int64_t> own = marks[index(t)];
        return own[0] == cell && own[2] == FRESH ? token(MARK, marks.number({own[0], own[1], STALE})) : t;
    }
    auto after = [&](std::int32_t letter) {
        std::vector<std::int64_t> shown = letters[letter];
        for (std::size_t k = 0; k < shown.size(); k += 2)
            if (shown[k] == freshness(cell)) shown[k + 1] = STALE;
        return letters.number(shown);
    };
    if (kind(t) == LETTER) return token(LETTER, after(index(t)));
    std::vector<std::int32_t> all;
    for (std::int32_t letter : std::vector<std::int32_t>(sets[index(t)])) all.push_back(after(letter));
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all.size() == 1 ? token(LETTER, all[0]) : token(MANY, sets.number(all));
}

std::int32_t Ideals::stale(std::int32_t past, std::int32_t cell) {
    if (past == 0) return 0;
    return stale_.get(past, cell, [&] {
        Tokens word;
        for (Token t : Tokens(words[past])) push(word, staled(t, cell), true);
        return words.number(word);
    });
}

std::int32_t Ideals::prepend(std::int32_t letter, std::int32_t past) {
    if (letter == 0) return past;
    return prepend_.get(letter, past, [&] {
        Tokens word{token(LETTER, letter)};
        for (Token t : words[past]) push(word, t, true);
        return normal(word, nullptr, -1);
    });
}

const std::vector<std::int64_t>* Ideals::own(std::int32_t past, std::int32_t cell) const {
    for (Token t : words[past])
        if (kind(t) == MARK && marks[index(t)][0] == cell) return &marks[index(t)];
    return nullptr;
}

std::int32_t Ideals::restrict_to(std::int32_t past, std::int32_t seen) {
    if (past == 0 || seen == 0) return 0;
    return restrict_.get(past, seen, [&] { return normal(words[past], &cells[seen], -1); });
}

std::int32_t Ideals::hide(std::int32_t past, std::int32_t cell) {
    if (past == 0) return 0;
    return hide_.get(past, cell, [&] {
        Tokens word;
        for (Token t : words[past])
            if (kind(t) != MARK || marks[index(t)][0] != cell) word.push_back(t);
        return normal(word, nullptr, cell);
    });
}

std::int32_t Ideals::from(std::int32_t past, int place) {
    return from_.get(past, place, [&] {
        const Tokens& word = words[past];
        return words.number(Tokens(word.begin() + place, word.end()));
    });
}

// The last snapshots are of no use where now shows the same. Neither are marks at the start, with nothing before them,
// where what comes next shows all their values.
std::int32_t Ideals::trim(std::int32_t past, std::int32_t memory) {
    if (past == 0) return 0;
    return trim_.get(past, memory, [&] {
        Tokens word = words[past];
        const auto& now = memories[memory];
        auto is_now = [&](std::int32_t letter) {
            const auto& shown = letters[letter];
            for (std::size_t k = 0; k < shown.size(); k += 2)
                if ((shown[k] < count ? now[shown[k]] : FRESH) != shown[k + 1]) return false;
            return true;
        };
        while (!word.empty() && kind(word.back()) == LETTER && is_now(index(word.back()))) word.pop_back();
        std::size_t first = 0;
        while (first < word.size() && kind(word[first]) == MARK) ++first;
        if (first < word.size() && kind(word[first]) == MANY) return words.number(word);
        for (std::size_t k = 0; k < first; ++k) {
            const auto& own = marks[index(word[k])];
            std::int64_t value = 0, fresh = FRESH;
            if (first == word.size()) {
                value = now[own[0]];
            } else if (!find(index(word[first]), own[0], value)) {
                return words.number(word);
            } else {
                find(index(word[first]), freshness(static_cast<std::int32_t>(own[0])), fresh);
            }
            if (value != own[1] || (own[2] != 0 && fresh != own[2])) return words.number(word);
        }
        word.erase(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(first));
        return words.number(word);
    });
}

bool Ideals::past_within(std::int32_t small, std::int32_t large) {
    if (small == large || small == 0) return true;
    if (large == 0) return false;
    return past_within_.get(small, large, [&]() -> std::int32_t {
        const Tokens &s = words[small], &l = words[large];
        auto ends = [&](const Tokens& word) {
            std::vector<std::size_t> at;
            for (std::size_t k = 0; k < word.size(); ++k)
                if (kind(word[k]) == MARK) at.push_back(k);
            at.push_back(word.size());
            return at;
        };
        const auto of_s = ends(s), of_l = ends(l);
        if (of_s.size() > of_l.size()) return false;
        const std::size_t more = of_l.size() - of_s.size();
        for (std::size_t k = 0; k < of_s.size(); ++k) {
            const bool at_end = k + 1 == of_s.size();
            if (!at_end && s[of_s[k]] != l[of_l[k + more]]) return false;
            const Token* begin_s = s.data() + (k == 0 ? 0 : of_s[k - 1] + 1);
            const Token* begin_l = l.data() + (k + more == 0 ? 0 : of_l[k + more - 1] + 1);
            if (!matches(begin_s, s.data() + of_s[k], begin_l, l.data() + of_l[k + more])) return false;
        }
        return true;
    });
}

std::int32_t Ideals::widen_past(std::int32_t past, int atoms) {
    const Tokens before = words[past];
    Tokens word;
    const Token *at = before.data(), *end = at + before.size();
    while (true) {
        const Token* stop = std::find_if(at, end, [](Token t) { return kind(t) == MARK; });
        widen(word, at, stop, atoms, true);
        if (stop == end) break;
        word.push_back(*stop);
        at = stop + 1;
    }
    return words.number(word);
}

std::int32_t Ideals::repeat_past(std::int32_t first, std::int32_t second, int part, const std::vector<std::int32_t>& stored) {
    const Tokens a = words[first], b = words[second];
    if (b.size() <= a.size()) return -1;
    const std::size_t more = b.size() - a.size();
    std::size_t end = 0;  // of the part, in the first word
    for (int marks_left = part; end < a.size() && (kind(a[end]) != MARK || marks_left > 0); ++end)
        marks_left -= kind(a[end]) == MARK;
    if (!std::equal(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(end), b.begin())) return -1;
    if (!std::equal(a.begin() + static_cast<std::ptrdiff_t>(end), a.end(), b.begin() + static_cast<std::ptrdiff_t>(end + more))) return -1;
    for (std::size_t k = end; k < end + more; ++k)
        if (kind(b[k]) == MARK) return -1;
    std::size_t begin = end;
    while (begin > 0 && kind(a[begin - 1]) != MARK) --begin;
    Tokens word(b.begin(), b.begin() + static_cast<std::ptrdiff_t>(begin));
    // What came in earlier rounds is stale for those of its cells that others store to in each.
    Tokens earlier(b.begin() + static_cast<std::ptrdiff_t>(end), b.begin() + static_cast<std::ptrdiff_t>(end + more));
    for (Token& t : earlier)
        for (std::int32_t cell : stored) t = staled(t, cell);
    for (std::size_t k = begin; k < end; ++k) push(word, b[k], true);
    push(word, star(earlier.data(), earlier.data() + more), true);
    for (std::size_t k = end; k < b.size(); ++k) push(word, b[k], true);
    return normal(word, nullptr, -1);
}

// ---- buffers ----

Ideals::Pledge Ideals::pledge_of(std::int32_t letter, std::int32_t cell) const {
    const std::size_t at = where(letter, cell) + 1;
    return at < letters[letter].size() ? static_cast<Pledge>(letters[letter][at]) : FREE;
}

std::int32_t Ideals::with_pledge(std::int32_t letter, std::int32_t cell, Pledge pledge) {
    std::vector<std::int64_t> changed = letters[letter];
    const std::size_t at = where(letter, cell) + 1;
    if (at == changed.size()) changed.push_back(pledge);
    changed[at] = pledge;
    return letters.number(changed);
}

std::vector<std::int32_t> Ideals::letters_in(Token t) const {
    return kind(t) == LETTER ? std::vector<std::int32_t>{index(t)} : sets[index(t)];
}

Ideals::Token Ideals::many(std::vector<std::int32_t> all) {
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return token(MANY, sets.number(all));
}

std::int32_t Ideals::buffer_of(const Tokens& all, bool runs) {
    Tokens word;
    for (std::size_t k = 0; k < all.size(); ++k) {
        const bool always = k + 1 == all.size() || (runs && kind(all[k + 1]) == MARK);
        if (kind(all[k]) == MARK || always) {
            word.push_back(all[k]);
        } else {
            push(word, all[k], false);
        }
    }
    return words.number(word);
}

std::int32_t Ideals::behind(std::int32_t word, Token t, bool runs) {
    return put_.get(word, t, [&] {
        Tokens all = words[word];
        all.push_back(t);
        return buffer_of(all, runs);
    });
}

std::int32_t Ideals::put(std::int32_t word, std::int32_t letter, bool runs) { return behind(word, token(LETTER, letter), runs); }

bool Ideals::buffer_within(std::int32_t small, std::int32_t large, bool runs) {
    if (small == large) return true;
    if (small == 0 || large == 0) return false;
    return buffer_within_.get(small, large, [&]() -> std::int32_t {
        const Tokens &s = words[small], &l = words[large];
        auto is_mark = [](Token t) { return kind(t) == MARK; };
        const Token *at_s = s.data(), *at_l = l.data();
        const Token *const end_s = at_s + s.size(), *const end_l = at_l + l.size();
        while (true) {
            const Token *stop_s = std::find_if(at_s, end_s, is_mark), *stop_l = std::find_if(at_l, end_l, is_mark);
            const bool ends = stop_s == end_s;
            if (ends != (stop_l == end_l) || (!ends && *stop_s != *stop_l)) return false;
            const bool always = runs || ends;  // the last one is there
            if (always && (at_s == stop_s) != (at_l == stop_l)) return false;
            const bool last = always && at_s != stop_s;
            if (last && stop_s[-1] != stop_l[-1]) return false;
            if (!matches(at_s, stop_s - last, at_l, stop_l - last)) return false;
            if (ends) return true;
            at_s = stop_s + 1;
            at_l = stop_l + 1;
        }
    });
}

std::int32_t Ideals::widen_buffer(std::int32_t buffer, int atoms) {
    const Tokens before = words[buffer];
    if (before.empty()) return buffer;
    Tokens word;
    widen(word, before.data(), before.data() + before.size() - 1, atoms, false);
    word.push_back(before.back());
    return words.number(word);
}

std::int32_t Ideals::repeat_buffer(std::int32_t first, std::int32_t second, bool runs) {
    const Tokens a = words[first], b = words[second];
    if (a.empty() || b.size() <= a.size() || a.back() != b.back()) return -1;
    if (!std::equal(a.begin(), a.end() - 1, b.begin())) return -1;
    Tokens word;
    const Token *middle = b.data() + a.size() - 1, *end = b.data() + b.size() - 1;
    if (std::any_of(middle, end, [](Token t) { return kind(t) == MARK; })) return -1;
    for (const Token* t = b.data(); t != middle; ++t) word.push_back(*t);
    if (middle != end) word.push_back(star(middle, end));
    word.push_back(b.back());
    return buffer_of(word, runs);
}

}  // namespace xgen::symbolic
