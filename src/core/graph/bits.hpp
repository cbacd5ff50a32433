// Sets of events as bits, of a width fixed when compiled: one row of a relation's matrix.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace xgen {

// How many events a word of a row stands for; and rows of more words than MOST_DENSE are kept in blocks (wide_bits.hpp).
#ifdef XGEN_NARROW
constexpr int WORD = 8, MOST_DENSE = 1;  // so that small graphs reach all widths, and rows in blocks
#else
constexpr int WORD = 64, MOST_DENSE = 4;
#endif

// Where an event is in the words of a row.
constexpr int word_of(int event) { return event / WORD; }
constexpr std::uint64_t bit_of(int event) { return 1ULL << (event % WORD); }

template <int W>
struct Row {
    std::uint64_t word[W] = {};

    static Row single(int i) {
        Row r;
        r.set(i);
        return r;
    }
    // The events 0 .. n-1.
    static Row below(int n) {
        Row r;
        for (int k = 0; k < W; ++k) {
            int rest = n - WORD * k;
            r.word[k] = rest >= WORD ? ~0ULL >> (64 - WORD) : rest > 0 ? (1ULL << rest) - 1 : 0;
        }
        return r;
    }
    // Those of W words.
    static Row of(const std::uint64_t* words) {
        Row r;
        std::copy_n(words, W, r.word);
        return r;
    }

    void set(int i) { word[W == 1 ? 0 : word_of(i)] |= bit_of(i); }
    void reset(int i) { word[W == 1 ? 0 : word_of(i)] &= ~bit_of(i); }
    bool test(int i) const { return (word[W == 1 ? 0 : word_of(i)] & bit_of(i)) != 0; }
    // Adds members in word k.
    void add(int k, std::uint64_t members) { word[k] |= members; }

    bool any() const {
        std::uint64_t all = 0;
        for (int k = 0; k < W; ++k) all |= word[k];
        return all != 0;
    }
    bool meets(const Row& o) const {
        std::uint64_t all = 0;
        for (int k = 0; k < W; ++k) all |= word[k] & o.word[k];
        return all != 0;
    }
    Row& operator|=(const Row& o) {
        for (int k = 0; k < W; ++k) word[k] |= o.word[k];
        return *this;
    }
    Row& operator&=(const Row& o) {
        for (int k = 0; k < W; ++k) word[k] &= o.word[k];
        return *this;
    }
    Row& operator-=(const Row& o) {
        for (int k = 0; k < W; ++k) word[k] &= ~o.word[k];
        return *this;
    }
    friend Row operator|(Row a, const Row& b) { return a |= b; }
    friend Row operator&(Row a, const Row& b) { return a &= b; }
    friend Row operator-(Row a, const Row& b) { return a -= b; }
    friend bool operator==(const Row&, const Row&) = default;
    bool is_within(const Row& o) const { return !(*this - o).any(); }
    // Becomes a & b.
    void set_to_common(const Row& a, const Row& b) { *this = a & b; }

    // Calls f(i) for each member, in ascending order.
    template <class F>
    void each(F&& f) const {
        for (int k = 0; k < W; ++k)
            for (std::uint64_t rest = word[k]; rest; rest &= rest - 1) f(WORD * k + std::countr_zero(rest));
    }
    int last() const {
        for (int k = W - 1; k >= 0; --k)
            if (word[k]) return WORD * k + 63 - std::countl_zero(word[k]);
        return -1;
    }
    int count() const {
        int all = 0;
        for (int k = 0; k < W; ++k) all += std::popcount(word[k]);
        return all;
    }
    int first() const {
        for (int k = 0; k < W; ++k)
            if (word[k]) return WORD * k + std::countr_zero(word[k]);
        return -1;
    }
};

// Where the members of a set go when it closes up, so that its members become 0, 1, ...
template <int W>
class Closing {
public:
    // `size`: all members are below.
    void set(const Row<W>& members, int size) {
        place_.assign(size, -1);
        runs_.clear();
        int next = 0, last = -2;
        members.each([&](int i) {
            place_[i] = next;
            if (i != last + 1) runs_.push_back({{}, i, 0, i - next});
            runs_.back().members.set(i);
            ++runs_.back().count;
            last = i;
            ++next;
        });
        first_moved_ = !runs_.empty() && runs_[0].distance == 0 ? 1 : 0;
        staying_ = first_moved_ ? runs_[0].members : Row<W>{};
        moving_ = members - staying_;
        for (Run& run : runs_) {
            run.first_word = word_of(run.first);
            run.last_word = word_of(run.first + run.count - 1);
        }
    }
    // Calls f(first, count) for each run of members without a gap.
    template <class F>
    void each_run(F&& f) const {
        for (const Run& run : runs_) f(run.first, run.count);
    }
    // The new place of a member, -1 for others.
    int operator[](int i) const { return place_[i]; }
    // The new places of the members in a row.
    Row<W> operator()(const Row<W>& row) const {
        Row<W> result;
        move(row, result);
        return result;
    }
    // The same, into another row.
    void move(const Row<W>& row, Row<W>& result) const {
        if constexpr (W == 1) {
            std::uint64_t word = 0;
            for (const Run& run : runs_) word |= (row.word[0] & run.members.word[0]) >> run.distance;
            result.word[0] = word;
        } else {
            result.set_to_common(row, staying_);
            if (!row.meets(moving_)) return;
            for (std::size_t r = first_moved_; r < runs_.size(); ++r) {
                const Run& run = runs_[r];
                for (int k = run.first_word; k <= run.last_word; ++k)
                    if (const std::uint64_t part = row.word[k] & run.members.word[k]) move(part, k, run, result);
            }
        }
    }
    // The same, in place; most rows of a large graph have only members that keep their places.
    void close_up(Row<W>& row) const {
        if (W > 1 && row.is_within(staying_)) return;
        const Row<W> before = row;
        move(before, row);
    }

private:
    struct Run {
        Row<W> members;
        int first, count;
        int distance;  // to the new places
        int first_word = 0, last_word = 0;
    };
    // Adds some members in word k of a row, all of one run, to another row at their new places.
    static void move(std::uint64_t part, int k, const Run& run, Row<W>& to) {
        const int word = k - run.distance / WORD, bits = run.distance % WORD;
        to.add(word, part >> bits);
        if (const std::uint64_t below = part & ((1ULL << bits) - 1)) to.add(word - 1, below << (WORD - bits));
    }
    std::vector<std::int32_t> place_;
    std::vector<Run> runs_;
    std::size_t first_moved_ = 0;  // the first run that does not keep its place
    Row<W> staying_, moving_;      // the members that do, and the others
};

// Mixes the bits of a number well.
inline std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

// The same set at another width.
template <int V, int W>
Row<V> resized(const Row<W>& row) {
    Row<V> r;
    for (int k = 0; k < V && k < W; ++k)
        if (row.word[k]) r.add(k, row.word[k]);
    return r;
}

}  // namespace xgen

#include "wide_bits.hpp"
