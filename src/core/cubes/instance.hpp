// Patterns and conditions with processes put in: literals, and the choices between them.
#pragma once

#include <functional>
#include <optional>
#include <stdexcept>

#include "cube.hpp"

namespace xgen::cubes {

// What a pattern is, once its processes are known: a term plus an offset (numbers are offsets of zero), or one value.
struct Operand {
    Sort sort;
    bool constant = false;
    Term term;
    std::int64_t offset = 0;  // of a constant: the set with its value alone
};

struct TooLarge : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class Instance {
public:
    static constexpr int NOW = -1;

    // `processes` are at hand; weak cells are read at the time `reading`, or from memory as it is.
    Instance(const System& system, int processes, int reading)
        : system_(system), processes_(processes), reading_(reading), places_(256, -1) {}

    void bind(int variable, int process) { places_.at(variable) = process; }
    int process(int variable) const { return variable < 0 ? -1 - variable : places_.at(variable); }

    Operand operand(const Pattern& pattern) const;
    // Adds what the comparison says; false if it cannot hold.
    bool add(Relation relation, const Operand& a, const Operand& b, Literals& out) const;
    bool add(const Comparison& comparison, Literals& out) const {
        return add(comparison.relation, operand(comparison.left), operand(comparison.right), out);
    }
    // The disjuncts of a condition that can hold.
    std::vector<Literals> alternatives(const Condition& condition) const;
    // A literal in which terms have become operands.
    bool add(const Literal& literal, const std::function<Operand(Term)>& substitute, Literals& out) const;

    Operand plain(Term term) const;

private:
    const System& system_;
    int processes_, reading_;
    Places places_;
};

// All ways to take one alternative of each choice such that everything together can hold.
class Choices {
public:
    Choices(const System& system, int processes) : system_(system), processes_(processes) {}

    // False if there is no alternative.
    bool add(std::vector<Literals>&& alternatives);
    // Calls `sink` with each combination; it says whether to go on.
    void each(const Literals& literals, const std::function<bool(const Literals&)>& sink) const;

private:
    bool from(std::size_t n, const Literals& literals, const std::function<bool(const Literals&)>& sink) const;

    const System& system_;
    int processes_;
    std::vector<std::vector<Literals>> choices_;
};

}  // namespace xgen::cubes
