// Downward-closed sets of words, as products of atoms: what buffers hold.
//
// An atom is one letter, which may be missing, or a set of letters in any number and order (`{a, b}*`). Products of
// atoms are the ideals of the subword order; inclusion is a greedy match from left to right (P. A. Abdulla, A. Collomb-
// Annichini, A. Bouajjani, B. Jonsson, Using Forward Reachability Analysis for Verification of Lossy Channel Systems,
// FMSD 25, 2004).
//
// Two kinds of words are made of them here. A *past* is what a thread may still read: snapshots of the memory, and marks
// of its own stores between them; it stands at the start of its past, the end is now. To read a snapshot twice is nothing
// new, so that `a a = a`. Of a cell that a load exclusive may read, a snapshot also shows whether another thread has stored
// to it since: that is shown as one more cell. A *buffer* holds the values of one thread's stores to one cell, oldest first;
// the last one is always there. What a load exclusive has read of a buffer is pledged. There are marks where stores of a
// block wait, and another word for what these are: *runs* of letters, with separators between (see stores.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tables.hpp"

namespace xgen::symbolic {

// The kinds of atoms, for Python as well.
#define XGEN_ATOMS(X) X(LETTER) X(MANY) X(MARK)

// Memories, sets of cells, snapshots, pasts and buffers by number. Number 0 of pasts and buffers is the empty one.
class Ideals {
public:
    using Token = std::int32_t;
#define XGEN_NAME(name) name,
    enum Kind { XGEN_ATOMS(XGEN_NAME) };
#undef XGEN_NAME
    static Kind kind(Token t) { return static_cast<Kind>(t & 3); }
    static std::int32_t index(Token t) { return t >> 2; }
    static Token token(Kind kind, std::int32_t index) { return index << 2 | kind; }

    Numbered<std::int64_t> memories;        // a value per cell; in the middle of a block, then whether each is FRESH or STALE
    Numbered<std::int32_t> cells;           // sorted
    Numbered<std::int64_t> letters;         // of pasts: cell, value, cell, value, ...; of buffers: a value, and a pledge;
                                            // of runs: cell, value, pledge, cell, value, pledge, ...
    Numbered<std::int64_t> marks;           // cell, value, and of cells for loads exclusive FRESH or STALE, else 0
    Numbered<std::int32_t> sets;            // of letters, sorted
    Numbered<Token> words;                  // pasts and buffers

    // How many cells there are; the cell that says whether another thread has stored to one.
    std::int32_t count = 1;
    std::int32_t freshness(std::int32_t cell) const { return count + cell; }
    static constexpr std::int64_t FRESH = 1, STALE = 2;

    // The memory as far as the cells go.
    std::int32_t snapshot(std::int32_t memory, std::int32_t seen);
    // A letter of cells and their values with one more, or another one.
    std::int32_t with_value(std::int32_t letter, std::int64_t cell, std::int64_t value);
    // The memory that a block has found, once it has stored to the cell.
    std::int32_t stored_to(std::int32_t memory, std::int32_t cell);

    // --- pasts ---
    std::int32_t append(std::int32_t past, std::int32_t letter);
    // The thread's own store comes: an older mark of the cell is forgotten, and nothing before it shows the cell.
    std::int32_t mark(std::int32_t past, std::int64_t cell, std::int64_t value, std::int64_t fresh);
    // Another thread has stored to the cell since all of that.
    std::int32_t stale(std::int32_t past, std::int32_t cell);
    // With a snapshot before it.
    std::int32_t prepend(std::int32_t letter, std::int32_t past);
    // Whether a snapshot shows the cell, and as what.
    bool find(std::int32_t letter, std::int64_t cell, std::int64_t& value) const;
    // The thread's own store to the cell that is still to come in its past; null: there is none.
    const std::vector<std::int64_t>* own(std::int32_t past, std::int32_t cell) const;
    // What is left of the past where only these cells matter.
    std::int32_t restrict_to(std::int32_t past, std::int32_t seen);
    // Without the cell.
    std::int32_t hide(std::int32_t past, std::int32_t cell);
    // Without what shows nothing that now does not show.
    std::int32_t trim(std::int32_t past, std::int32_t memory);
    // Calls use(value, place, stale): each value of the cell that can be read, and the first place where it is. `now` is the
    // value in memory, at the place behind the last one. Of a load exclusive, whether another thread has stored since.
    static constexpr int FORWARDED = -1;
    template <class F>
    void each_value(std::int32_t past, std::int32_t cell, std::int64_t now, bool exclusive, F&& use) const;
    // What is left of the past for a thread that has moved to a place.
    std::int32_t from(std::int32_t past, int place);

    // --- buffers ---
    // RESERVED: a load exclusive has read the value. TAKEN: and the store exclusive comes behind it.
    enum Pledge : std::int64_t { FREE, RESERVED, TAKEN };
    static constexpr Token SEPARATOR = MARK;
    // What a letter of a buffer or a run says of the cell.
    std::int64_t value_of(std::int32_t letter, std::int32_t cell) const { return letters[letter][where(letter, cell)]; }
    Pledge pledge_of(std::int32_t letter, std::int32_t cell) const;
    std::int32_t with_pledge(std::int32_t letter, std::int32_t cell, Pledge pledge);
    std::vector<std::int32_t> letters_in(Token t) const;
    Token many(std::vector<std::int32_t> letters);
    // In normal form. `runs`: of a family, else of a buffer.
    std::int32_t buffer_of(const std::vector<Token>& word, bool runs);
    std::int32_t behind(std::int32_t word, Token t, bool runs);
    std::int32_t put(std::int32_t word, std::int32_t letter, bool runs);
    // Calls use(letter, word, whether it was the last of the buffer or of its run): each letter that can come next, and what
    // is left then. Those before the first mark.
    template <class F>
    void each_first(std::int32_t word, bool runs, F&& use);

    // --- both ---
    int atoms(std::int32_t word) const {
        return static_cast<int>(std::count_if(words[word].begin(), words[word].end(), [](Token t) { return kind(t) != MARK; }));
    }
    int parts(std::int32_t word) const { return static_cast<int>(words[word].size()); }
    // Its letters and marks as a set of 64: within those of each word that it is within.
    std::uint64_t letters_of(std::int32_t word);
    // The same set or a larger one: may do at least as much. Of pasts: the larger one may have more at its start.
    bool past_within(std::int32_t small, std::int32_t large);
    bool buffer_within(std::int32_t small, std::int32_t large, bool runs);
    // With at most `atoms` atoms between marks, the oldest ones made one.
    std::int32_t widen_past(std::int32_t past, int atoms);
    std::int32_t widen_buffer(std::int32_t buffer, int atoms);
    // Where the second word is the first one with more at the end of one part, this may come any number of times. `part`:
    // how many marks are before it; of buffers, it is all but the last value. -1: it is not, or there is nothing more.
    // `stored`: the cells that other threads store to on the way.
    std::int32_t repeat_past(std::int32_t first, std::int32_t second, int part, const std::vector<std::int32_t>& stored);
    std::int32_t repeat_buffer(std::int32_t first, std::int32_t second, bool runs);

private:
    using Tokens = std::vector<Token>;
    std::size_t where(std::int32_t letter, std::int32_t cell) const {
        std::size_t at = 0;
        if (letters[letter].size() > 2)
            while (letters[letter][at++] != cell) at += 2;
        return at;
    }
    bool absorbs(Token many, Token other) const;
    void push(Tokens& word, Token t, bool stutters) const;
    bool matches(const Token* small, const Token* small_end, const Token* large, const Token* large_end) const;
    Token staled(Token t, std::int32_t cell);
    std::int32_t normal(const Tokens& past, const std::vector<std::int32_t>* seen, std::int64_t hidden);
    Token star(const Token* begin, const Token* end);
    void widen(Tokens& to, const Token* begin, const Token* end, int atoms, bool stutters);

    std::vector<std::uint64_t> letters_of_;  // ~0: not known yet
    Memo snapshots_, append_, mark_, stale_, prepend_, restrict_, hide_, trim_, from_, put_, past_within_, buffer_within_;
};

template <class F>
void Ideals::each_value(std::int32_t past, std::int32_t cell, std::int64_t now, bool exclusive, F&& use) const {
    const Tokens& word = words[past];
    std::vector<std::pair<std::int64_t, bool>> seen;
    auto is_new = [&](std::int64_t value, bool stale) {
        if (std::find(seen.begin(), seen.end(), std::pair(value, stale)) != seen.end()) return false;
        seen.emplace_back(value, stale);
        return true;
    };
    int from = 0;
    const int size = static_cast<int>(word.size());
    for (int k = 0; k < size; ++k) {
        if (kind(word[k]) != MARK || marks[index(word[k])][0] != cell) continue;
        from = k + 1;
        const auto& own = marks[index(word[k])];
        seen.emplace_back(own[1], exclusive && own[2] == STALE);
        use(own[1], FORWARDED, seen[0].second);
    }
    for (int k = from; k < size; ++k) {
        if (kind(word[k]) == MARK) continue;
        auto read = [&](std::int32_t letter) {
            std::int64_t value = 0, fresh = 0;
            if (!find(letter, cell, value)) return;
            const bool stale = exclusive && find(letter, freshness(cell), fresh) && fresh == STALE;
            if (is_new(value, stale)) use(value, k, stale);
        };
        if (kind(word[k]) == LETTER) {
            read(index(word[k]));
        } else {
            for (std::int32_t letter : sets[index(word[k])]) read(letter);
        }
    }
    if (is_new(now, false)) use(now, size, false);
}

template <class F>
void Ideals::each_first(std::int32_t number, bool runs, F&& use) {
    const Tokens word = words[number];
    const auto mark = std::find_if(word.begin(), word.end(), [](Token t) { return kind(t) == MARK; });
    const std::size_t end = static_cast<std::size_t>(mark - word.begin());
    const bool always = end > 0 && (runs || end == word.size());  // the last one is there
    std::vector<std::int32_t> seen;
    auto left = [&](std::size_t from) { return words.number(Tokens(word.begin() + static_cast<std::ptrdiff_t>(from), word.end())); };
    auto take = [&](std::int32_t letter, std::size_t rest) {
        for (std::int32_t s : seen)
            if (s == letter) return;
        seen.push_back(letter);
        use(letter, left(rest), false);
    };
    for (std::size_t k = 0; k < end - always; ++k) {
        if (kind(word[k]) == LETTER) {
            take(index(word[k]), k + 1);
        } else {
            for (std::int32_t letter : std::vector<std::int32_t>(sets[index(word[k])])) take(letter, k);
        }
    }
    if (always) use(index(word[end - 1]), left(std::min(end + 1, word.size())), true);
}

}  // namespace xgen::symbolic
