// Conjunctions of literals, and what follows from them.
//
// Values of enumerations and processes are sets (64 bits), equal terms are one class, numbers are bounds on
// differences. Complete for what is a conjunction of these, but for integers that have to differ from one another.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "system.hpp"

namespace xgen::cubes {

using Mask = std::uint64_t;

constexpr int MAX_PROCESSES = 12;
constexpr int OTHER_BIT = 63;
constexpr Mask OTHER = Mask(1) << OTHER_BIT;  // among processes: any that the cube does not speak of

// Tables as in system.hpp. LE: a - b <= c, DIFFER: a - b != c.
#define XGEN_TERMS(X) X(CELL) X(READ) X(HIDDEN) X(ZERO)
#define XGEN_LITERALS(X) X(IN) X(EQ) X(NE) X(LE) X(DIFFER)
#define XGEN_NAME(name) name,

// A cell now, a cell as a process reads it at an earlier time, or a value that nothing else is known of.
class Term {
public:
    enum Kind : std::uint32_t { XGEN_TERMS(XGEN_NAME) };
    static constexpr int NONE = 15;

    Term() = default;
    static Term cell(int array, int i, int j) { return Term(bits(CELL, 0, NONE, array, i, j)); }
    static Term read(int time, int reader, int array, int i, int j) { return Term(bits(READ, time, reader, array, i, j)); }
    static Term hidden(int array, int number) { return Term(bits(HIDDEN, number, NONE, array, NONE, NONE)); }
    static Term zero(Sort sort) { return Term(bits(ZERO, 0, NONE, int(sort), NONE, NONE)); }  // the number 0

    Kind kind() const { return Kind(bits_ >> 30); }
    int time() const { return (bits_ >> 24) & 63; }
    int reader() const { return (bits_ >> 20) & 15; }
    int array() const { return (bits_ >> 8) & 0xfff; }
    int i() const { return (bits_ >> 4) & 15; }
    int j() const { return bits_ & 15; }
    Term now() const { return cell(array(), i(), j()); }
    std::uint32_t raw() const { return bits_; }
    auto operator<=>(const Term&) const = default;

private:
    explicit Term(std::uint32_t b) : bits_(b) {}
    static std::uint32_t bits(Kind kind, int time, int reader, int array, int i, int j) {
        return std::uint32_t(kind) << 30 | std::uint32_t(time) << 24 | std::uint32_t(reader) << 20 | std::uint32_t(array) << 8 |
               std::uint32_t(i) << 4 | std::uint32_t(j);
    }
    std::uint32_t bits_ = 0;
};

struct Literal {
    enum Kind : std::uint8_t { XGEN_LITERALS(XGEN_NAME) };
    Kind kind;
    Term a, b;
    std::int64_t c = 0;  // IN: a mask

    static Literal in(Term a, Mask mask) { return {IN, a, a, std::int64_t(mask)}; }
    Mask mask() const { return Mask(c); }
    bool binary() const { return kind != IN; }
    auto operator<=>(const Literal&) const = default;
};

#undef XGEN_NAME

using Literals = std::vector<Literal>;

// Bounds of reals say in their last bit whether they are strict: 2c is `<= c`, 2c - 1 is `< c`.
std::int64_t add_bounds(std::int64_t a, std::int64_t b, Sort sort);

// The closure of a conjunction.
class Facts {
public:
    // `processes` are in the cube; `all`: there are no others.
    Facts(const System& system, const Literals& literals, int processes, bool all);

    bool consistent() const { return consistent_; }
    bool implies(const Literal& literal) const;
    // The same conjunction in a form that depends little on how it came about; hidden terms are gone.
    Literals literals() const;
    // All bounds that follow.
    Literals bounds() const;

    static Mask domain(const System& system, Term term, int processes, bool all);

private:
    static constexpr std::int64_t UNBOUNDED = std::int64_t(1) << 60;

    Sort sort(Term term) const { return term.kind() == Term::ZERO ? Sort(term.array()) : system_.arrays[term.array()].sort; }
    int find(Term term) const;  // -1: nothing is known of it
    int root(int n) const { return class_[n]; }
    std::int64_t bound(int a, int b) const { return bounds_[a * numbers_.size() + b]; }
    std::int64_t& bound(int a, int b) { return bounds_[a * numbers_.size() + b]; }
    int number(Term term) const;

    void close_classes(const Literals& literals);
    void merge(int a, int b);
    void close_bounds(const Literals& literals);
    void shortest();
    bool propagate();
    bool assignable() const;
    void emit_classes(Literals& out) const;
    void emit_bounds(Literals& out) const;

    const System& system_;
    int processes_;
    bool all_;
    bool consistent_ = true;
    std::vector<Term> terms_;            // that have values or processes; sorted
    std::vector<int> class_;             // of each term: its least member
    std::vector<Mask> masks_;            // of each class
    std::vector<std::pair<int, int>> different_;  // classes
    std::vector<Term> numbers_;          // sorted
    std::vector<std::int64_t> bounds_;   // of differences, row by row
    std::vector<Literal> differ_;
};

}  // namespace xgen::cubes
