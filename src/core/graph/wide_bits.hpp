// Rows of many words. Part of bits.hpp.
//
// Large graphs have rows that are mostly empty: what a thread did long ago is related to little that happens now. So a row
// of many words knows in which blocks of words it may have members, and looks at no others.
#pragma once

#include "bits.hpp"

namespace xgen {

template <int W>
    requires(W > MOST_DENSE)
struct Row<W> {
    static constexpr int BLOCK = WORD == 64 ? 4 : W > 64 ? W / 64 : 1;  // words, so that a few instructions do for each
    static_assert(W % BLOCK == 0 && W / BLOCK <= 64);

    std::uint64_t used = 0;  // by block: 0, its words are; what is empty may be 1
    std::uint64_t word[W] = {};

    static Row single(int i) {
        Row r;
        r.set(i);
        return r;
    }
    static Row below(int n) {
        Row r;
        for (int k = 0; WORD * k < n; ++k) {
            const int rest = n - WORD * k;
            r.word[k] = rest >= WORD ? ~0ULL >> (64 - WORD) : (1ULL << rest) - 1;
            r.used |= block_of(k);
        }
        return r;
    }
    static Row of(const std::uint64_t* words) {
        Row r;
        for (int k = 0; k < W; ++k) {
            r.word[k] = words[k];
            if (words[k]) r.used |= block_of(k);
        }
        return r;
    }

    void set(int i) { add(word_of(i), bit_of(i)); }
    void reset(int i) { word[word_of(i)] &= ~bit_of(i); }
    bool test(int i) const { return (word[word_of(i)] & bit_of(i)) != 0; }
    // Adds members in word k.
    void add(int k, std::uint64_t members) {
        word[k] |= members;
        used |= block_of(k);
    }

    bool any() const {
        for (std::uint64_t rest = used; rest; rest &= rest - 1)
            if (any_in(first_of(rest))) return true;
        return false;
    }
    bool meets(const Row& o) const {
        for (std::uint64_t rest = used & o.used; rest; rest &= rest - 1) {
            const int first = first_of(rest);
            std::uint64_t all = 0;
            for (int k = first; k < first + BLOCK; ++k) all |= word[k] & o.word[k];
            if (all) return true;
        }
        return false;
    }
    Row& operator|=(const Row& o) {
        used |= o.used;
        each_block(o.used, [&](int first) {
            for (int k = first; k < first + BLOCK; ++k) word[k] |= o.word[k];
        });
        return *this;
    }
    Row& operator&=(const Row& o) {
        each_block(used & ~o.used, [&](int first) {
            for (int k = first; k < first + BLOCK; ++k) word[k] = 0;
        });
        used &= o.used;
        each_block(used, [&](int first) {
            for (int k = first; k < first + BLOCK; ++k) word[k] &= o.word[k];
            if (!any_in(first)) used &= ~block_of(first);
        });
        return *this;
    }
    Row& operator-=(const Row& o) {
        each_block(used & o.used, [&](int first) {
            for (int k = first; k < first + BLOCK; ++k) word[k] &= ~o.word[k];
            if (!any_in(first)) used &= ~block_of(first);
        });
        return *this;
    }
    friend Row operator|(Row a, const Row& b) { return a |= b; }
    friend Row operator&(Row a, const Row& b) { return a &= b; }
    friend Row operator-(Row a, const Row& b) { return a -= b; }
    friend bool operator==(const Row& a, const Row& b) {
        for (std::uint64_t rest = a.used | b.used; rest; rest &= rest - 1) {
            const int first = first_of(rest);
            for (int k = first; k < first + BLOCK; ++k)
                if (a.word[k] != b.word[k]) return false;
        }
        return true;
    }

    bool is_within(const Row& o) const {
        for (std::uint64_t rest = used; rest; rest &= rest - 1) {
            const int first = first_of(rest);
            std::uint64_t more = 0;
            for (int k = first; k < first + BLOCK; ++k) more |= word[k] & ~o.word[k];
            if (more) return false;
        }
        return true;
    }
    void set_to_common(const Row& a, const Row& b) {
        const std::uint64_t common = a.used & b.used;
        each_block(used & ~common, [&](int first) {
            for (int k = first; k < first + BLOCK; ++k) word[k] = 0;
        });
        each_block(common, [&](int first) {
            for (int k = first; k < first + BLOCK; ++k) word[k] = a.word[k] & b.word[k];
        });
        used = common;
    }

    template <class F>
    void each(F&& f) const {
        each_block(used, [&](int first) {
            for (int k = first; k < first + BLOCK; ++k)
                for (std::uint64_t rest = word[k]; rest; rest &= rest - 1) f(WORD * k + std::countr_zero(rest));
        });
    }
    int last() const {
        for (std::uint64_t rest = used; rest;) {
            const int block = 63 - std::countl_zero(rest);
            for (int k = BLOCK * (block + 1) - 1; k >= BLOCK * block; --k)
                if (word[k]) return WORD * k + 63 - std::countl_zero(word[k]);
            rest &= ~(1ULL << block);
        }
        return -1;
    }
    int count() const {
        int all = 0;
        each_block(used, [&](int first) {
            for (int k = first; k < first + BLOCK; ++k) all += std::popcount(word[k]);
        });
        return all;
    }
    int first() const {
        for (std::uint64_t rest = used; rest; rest &= rest - 1)
            for (int k = first_of(rest), end = k + BLOCK; k < end; ++k)
                if (word[k]) return WORD * k + std::countr_zero(word[k]);
        return -1;
    }

private:
    static constexpr std::uint64_t block_of(int k) { return 1ULL << (k / BLOCK); }
    static int first_of(std::uint64_t blocks) { return BLOCK * std::countr_zero(blocks); }
    // Calls f with the first word of each of some blocks.
    template <class F>
    static void each_block(std::uint64_t blocks, F&& f) {
        for (; blocks; blocks &= blocks - 1) f(first_of(blocks));
    }
    bool any_in(int first) const {
        std::uint64_t all = 0;
        for (int k = first; k < first + BLOCK; ++k) all |= word[k];
        return all != 0;
    }
};

}  // namespace xgen
