// What a thread's state depends on: sets of its own events, by their index in program order, some words each. One set per
// local, then those of the branches taken so far, and of the address and the data of the event where it stands.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace xgen {

struct Taint {
    std::uint64_t* words = nullptr;  // null: dependencies are not tracked

    static int sets(int locals) { return locals + 4; }
    static int control(int locals) { return locals; }
    static int address(int locals) { return locals + 1; }
    static int data(int locals) { return locals + 2; }
    static int compared(int locals) { return locals + 3; }  // by an RMW that picks, or is a pair
};

// Sets that are next to each other, of `size` words each, by their number. Word: std::uint64_t, const or not.
template <class Word>
struct TaintSets {
    Word* words;
    int size;

    Word* operator[](int number) const { return words + static_cast<std::ptrdiff_t>(number) * size; }
    void clear(int number) const { std::fill_n((*this)[number], size, 0); }
    void add(int to, int from) const {
        for (int k = 0; k < size; ++k) (*this)[to][k] |= (*this)[from][k];
    }
    bool meets(int number, const std::uint64_t* other) const {
        std::uint64_t any = 0;
        for (int k = 0; k < size; ++k) any |= (*this)[number][k] & other[k];
        return any != 0;
    }
};

template <class Word>
TaintSets(Word*, int) -> TaintSets<Word>;

}  // namespace xgen
