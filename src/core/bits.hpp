// Sets of events as bits, of a width fixed when compiled: one row of a relation's matrix.
#pragma once

#include <bit>
#include <cstdint>

namespace xgen {

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
            int rest = n - 64 * k;
            r.word[k] = rest >= 64 ? ~0ULL : rest > 0 ? (1ULL << rest) - 1 : 0;
        }
        return r;
    }

    void set(int i) { word[W == 1 ? 0 : i >> 6] |= 1ULL << (i & 63); }
    void reset(int i) { word[W == 1 ? 0 : i >> 6] &= ~(1ULL << (i & 63)); }
    bool test(int i) const { return word[W == 1 ? 0 : i >> 6] >> (i & 63) & 1; }

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

    // Calls f(i) for each member, in ascending order.
    template <class F>
    void each(F&& f) const {
        for (int k = 0; k < W; ++k)
            for (std::uint64_t rest = word[k]; rest; rest &= rest - 1) f(64 * k + std::countr_zero(rest));
    }
    int first() const {
        for (int k = 0; k < W; ++k)
            if (word[k]) return 64 * k + std::countr_zero(word[k]);
        return -1;
    }
};

// The same set at another width.
template <int V, int W>
Row<V> resized(const Row<W>& row) {
    Row<V> r;
    for (int k = 0; k < V && k < W; ++k) r.word[k] = row.word[k];
    return r;
}

}  // namespace xgen
