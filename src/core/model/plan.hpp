// A memory model as the engine evaluates it; src/xgen/memory/plans/plan.py makes it from the algebra.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace xgen {

// Work: about the nanoseconds of what is computed, on a usual core. It depends on the graphs only, not on the machine, nor on
// who computes it, nor how wide its rows are.
namespace work {
constexpr std::int64_t GRAPH = 180;          // of a graph that is visited, and of a dead end
constexpr std::int64_t STEP = 10, NODE = 6;  // of a new event, besides those that it is related to; of each local node
constexpr std::int64_t MORE = 32;            // of it, for each 64 events that there are
constexpr std::int64_t ROW = 6;              // of a node that is computed as a whole
constexpr std::int64_t BOUND_ROW = 4;        // of the bounds of one
constexpr std::int64_t BOUNDS = 1200;        // of the bounds of all nodes, besides
constexpr std::int64_t LETTER = 20;          // of an event in a comparison of a graph with a renamed one
constexpr std::int64_t VIEW = 100;           // of what a thread makes of a value that a read may read
constexpr std::int64_t SET = 30;             // of writes that may come first, and each write that may be next
}  // namespace work

// What a node computes from its arguments a, b, c. Sets first.
#define XGEN_NODES(X)                                                                                     \
    X(CLASS)      /* the events whose class is in class set a                                          */ \
    X(BOUND)      /* the events that binder a is bound to: one node, or a thread's, or a variable's    */ \
    X(DOMAIN)     /* of relation a                                                                     */ \
    X(RANGE)      /* of relation a                                                                     */ \
    X(SET_UNION)  /* a | b                                                                             */ \
    X(SET_INTERSECT)                                                                                      \
    X(SET_DIFFERENCE)                                                                                     \
    X(REC_SET)    /* variable a of the recursions: what it holds at the moment                         */ \
    X(FIX_SET)    /* variable b, once recursion a has been computed; a = -1: it has been               */ \
    X(PO)                                                                                                 \
    X(RF)                                                                                                 \
    X(MO)                                                                                                 \
    X(FR)                                                                                                 \
    X(ECO)        /* (rf | mo | fr)^+                                                                  */ \
    X(LOC)                                                                                                \
    X(INT)                                                                                                \
    X(EXT)                                                                                                \
    X(ID)                                                                                                 \
    X(RMW)        /* from the read to the write of a read-modify-write                                 */ \
    X(SI)         /* from each event of an access of several parts to the others                       */ \
    X(BLOCK)      /* all pairs of events of one atomic block (global)                                  */ \
    X(OBJ)        /* all pairs of events of one allocated object (global)                              */ \
    X(ADDR)                                                                                               \
    X(DATA)                                                                                               \
    X(CTRL)                                                                                               \
    X(PICK_ADDR)  /* by way of a prediction, which picks by what was read                              */ \
    X(PICK_DATA)                                                                                          \
    X(PICK_CTRL)                                                                                          \
    X(EMPTY)      /* no pairs                                                                          */ \
    X(UNION)                                                                                              \
    X(INTERSECT)                                                                                          \
    X(DIFFERENCE)                                                                                         \
    X(SEQUENCE)   /* a ; b                                                                             */ \
    X(INVERSE)                                                                                            \
    X(PLUS)       /* transitive closure                                                                */ \
    X(OPTIONAL)   /* a | id                                                                            */ \
    X(CROSS)      /* set a * set b                                                                     */ \
    X(IDENTITY)   /* [set a]                                                                           */ \
    X(RESTRICT)   /* the pairs of relation a from set b to set c                                       */ \
    X(REC)        /* as REC_SET                                                                        */ \
    X(FIX)        /* as FIX_SET                                                                        */

enum class NodeOp : std::uint8_t {
#define XGEN_NODE(name) name,
    XGEN_NODES(XGEN_NODE)
#undef XGEN_NODE
};

struct Node {
    NodeOp op;
    std::int32_t a = -1, b = -1, c = -1;
    std::int32_t kept = -1;   // (local nodes) the number of its matrix, which is kept from graph to graph; -1: it is not
    std::int32_t given = -1;  // (of flags) the number of the same relation's matrix among those kept in situ, or -1
};

enum class Property : std::uint8_t { ACYCLIC, IRREFLEXIVE, EMPTY };
enum class Over : std::uint8_t { NODES, THREADS, VARIABLES };

// One quantifier of a check: for each value of binder `binder`, evaluate `nodes`.
struct Loop {
    Over over = Over::NODES;
    std::int32_t binder = 0;
    std::int32_t domain = -1;  // a set node, of NODES
    std::vector<std::int32_t> nodes;
};

// A recursion x0 = body0, x1 = body1, ...: the variables start empty; the bodies are computed one after the other, each
// with the new values of the variables before it, round by round until no variable gets what it did not have.
struct Recursion {
    struct Equation {
        std::int32_t variable;            // a node, REC_SET or REC
        std::int32_t body;                // a node
        std::vector<std::int32_t> nodes;  // what has to be computed anew for the body, the body last
    };
    std::vector<Equation> equations;
};

// A condition: a check of one node (or the opposite), or all / one of other conditions.
struct Condition {
    enum class Kind : std::uint8_t { CHECK, ALL, ONE } kind = Kind::CHECK;
    Property property = Property::ACYCLIC;
    std::int32_t node = -1;
    bool negated = false;
    std::vector<Loop> loops;                // outermost first
    std::vector<std::int32_t> parts;        // of ALL and ONE: indices of conditions
    // Of the check that a relation is empty, for each event class: the class set of the events that its events may be related
    // to, -1 where there are none, or where these are looked at from the other end. Empty: that is not known.
    std::vector<std::int32_t> columns;
};

struct Constraint {
    std::int32_t condition = -1;
    std::int32_t number = 0;  // of the model's constraint
};

// A check of a local node.
struct StepCheck {
    Property property = Property::ACYCLIC;
    std::int32_t node = -1;
    std::int32_t number = 0;  // of the model's constraint
};

// The closed walks of a relation that is not local: closed paths of events, and of states of an automaton which says what
// pairs of local relations follow each other in it. src/xgen/memory/plans/walks.py makes it.
struct Walks {
    struct Step {
        std::int32_t node;   // of a local relation
        std::int32_t set;    // a class set that the event is in from which it leads
        bool backwards;      // by its inverse
        bool transitive;     // the relation is
        std::vector<std::int32_t> states;  // to these
    };
    Property property = Property::ACYCLIC;
    std::int32_t node = -1;    // of the relation, which is not computed
    std::int32_t number = 0;   // of the model's constraint
    // The steps of each; those of the last one are all of them, and lead back to it: what closes no walk there closes none.
    std::vector<std::vector<Step>> states;
};

// That a new event closes no walk: no path leads from it, in the first state of a pair, to itself, in the second one.
struct WalkCheck {
    std::int32_t walks = -1;
    std::vector<std::pair<std::int32_t, std::int32_t>> ends;
};

// A flag that is raised where a relation has any pair: each of `all_of` has it, and none of `none_of`.
struct PairFlag {
    std::int32_t condition = -1;
    std::int32_t number = 0;  // of the model's constraint
    std::vector<std::int32_t> all_of, none_of;
};

// What is computed and checked for a new event of one class.
struct EventPlan {
    std::vector<std::int32_t> local;    // the local nodes to which such events can add pairs
    std::vector<StepCheck> checks;      // those that they can break
    std::vector<WalkCheck> walks;       // likewise
    std::vector<std::int32_t> growing;  // of the local nodes: those that what is kept is made of
    std::vector<std::int32_t> kept;     // of these: those that are kept
};

// What is evaluated together: nodes in an order in which arguments come first.
//
// steps   by classes of events. Of a local node a new event adds only pairs that it is part of, so that one step computes its
//         row and column; constraints that are checks of local nodes only are broken by a new event's pairs
// global  the nodes that are computed as a whole whenever the graph has changed (those of no loop)
// walks         of constraints on other relations that a new event's pairs break
// whole_checks  the constraints that no step checks
// pair_flags    of flags: those of them for which pairs are looked for
struct Checks {
    std::vector<Node> nodes;
    std::vector<Recursion> recursions;
    std::vector<Walks> walks;
    std::vector<EventPlan> steps;
    std::vector<std::int32_t> global;
    std::vector<Condition> conditions;
    std::vector<Constraint> whole_checks;
    std::vector<PairFlag> pair_flags;
    bool extensible = false;  // an event that nothing comes after (in po, mo, or by reading from it) breaks no constraint
    std::int32_t kept = 0;    // matrices
    std::vector<bool> forwards;  // of each: its rows are used, not its columns alone
    std::int32_t binders = 0;
};

// Says of the kept relations which rows are used, and which nodes a step needs for them: fills in `forwards`, `growing` and
// `kept`.
void find_kept(Checks& checks);

// Finds the flags for which it is enough to look for pairs, and which of their relations `in_situ` keeps: fills in `pair_flags`
// and `given`, and takes them from `whole_checks`.
void find_pair_flags(Checks& flags, const Checks& in_situ);

struct Plan {
    std::vector<std::vector<std::int32_t>> class_sets;  // for each event class: the class sets it is in
    std::int32_t class_set_count = 0;
    std::vector<std::int32_t> class_steps;  // for each event class, the number of its step in the checks
    bool tracking = false;   // dependencies are tracked
    bool dependent = false;  // they decide which executions there are
    bool ahead = false;      // threads run ahead of their reads (resolve.hpp)
    bool coherent = false;   // po of one location | rf | mo | fr is acyclic
    bool classes = false;    // of executions with the same reads-from are explored (classes.hpp); `final` has all constraints
    bool buffering = false;  // executions with a cycle in po | rf are explored, but for those of dependencies and rf
    bool whole = false;      // two writes of several parts have the same order in each part
    Checks in_situ;  // checked on every graph
    Checks final;    // checked on whole executions; all its nodes are global
    Checks flags;    // on whole executions that `final` allows; those that fail are counted
    std::int32_t constraints = 0;  // of the model, flags included
    // Kept relations of `in_situ`, by node: what a thread does is in an order that the model has for all, whatever is read.
    std::vector<std::int32_t> order;

    // Whether each graph on the way is coherent: then nobody has to try what is not. Where constraints are checked at the end,
    // all is built.
    bool keeps_coherence() const { return coherent && final.whole_checks.empty(); }
};

}  // namespace xgen
