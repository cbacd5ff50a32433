// A parameterised system as the search sees it: transitions of any number of processes over cells
// (src/xgen/systems/parameterised.py).
#pragma once

#include <cstdint>
#include <vector>

namespace xgen::cubes {

// What Python names as well is a table of X(name), from which bindings.cpp makes an enumeration.
#define XGEN_SORTS(X) X(ENUM) X(ABSTRACT) X(INT) X(REAL) X(PROC)
#define XGEN_PATTERNS(X) X(CELL) X(PROCESS) X(VALUE) X(NUMBER) X(ANY)
#define XGEN_RELATIONS(X) X(EQ) X(NE) X(LT) X(LE)
#define XGEN_NAME(name) name,

enum class Sort : std::uint8_t { XGEN_SORTS(XGEN_NAME) };
enum class Relation : std::uint8_t { XGEN_RELATIONS(XGEN_NAME) };

struct Array {
    Sort sort;
    int arity;
    bool weak;
    int values;  // of an enumeration
};

// A term before its processes are known: `i`, `j`, `reader` are process variables, or -1 - k for the fixed process k.
struct Pattern {
    enum Kind : std::uint8_t { XGEN_PATTERNS(XGEN_NAME) };
    static constexpr int NONE = 127;
    Kind kind;
    int array;                // CELL; else the process, or the number of the constructor
    int i = NONE, j = NONE;
    std::int64_t number = 0;  // NUMBER, and the offset of a CELL
    int reader = NONE;
    Sort sort = Sort::INT;    // NUMBER
};

#undef XGEN_NAME

struct Comparison {
    Relation relation;
    Pattern left, right;
};

using Conjunction = std::vector<Comparison>;
using Condition = std::vector<Conjunction>;  // one of them holds

struct Universal {
    std::vector<int> variables;
    std::vector<std::vector<int>> apart;  // for each variable: the processes that it is not
    Condition condition;
};

struct Rule {
    int parameters;
    Conjunction literals;
    std::vector<Universal> universals;
};

struct Case {
    Condition condition;
    Pattern value;
};

struct Update {
    int array;
    std::vector<int> index;
    std::vector<int> fresh;  // the variables of the index that stand for all processes
    std::vector<Case> cases;
};

struct Transition {
    int parameters;
    int actor;  // -1: nobody in particular
    bool reads, writes, fence;  // of weak cells
    std::vector<Rule> rules;
    std::vector<Update> updates;
};

struct Property {
    int parameters;
    Condition condition;
};

struct System {
    std::vector<Array> arrays;
    int processes;  // 0: any number
    int fixed;      // the first so many have names, and are in each cube
    bool ordered;
    bool lagging;   // reads of weak cells may be older than the memory is: TSO, not SC
    Property init;
    std::vector<Property> unsafe, invariants;
    std::vector<Transition> transitions;
};

}  // namespace xgen::cubes
