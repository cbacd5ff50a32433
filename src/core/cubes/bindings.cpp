// The part of the module _core that proves systems of any number of processes; src/xgen/engine/cubes.py calls it.

#include "bindings.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "instance.hpp"
#include "search.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace xgen::cubes {

namespace {

using Ints = std::vector<int>;
using ArrayTuple = std::tuple<Sort, int, bool, int>;                           // sort, arity, weak, values
using PatternTuple = std::tuple<Pattern::Kind, int, int, int, std::int64_t, int, Sort>;  // kind, array, i, j, number, reader, sort
using ComparisonTuple = std::tuple<Relation, PatternTuple, PatternTuple>;
using ConditionTuple = std::vector<std::vector<ComparisonTuple>>;
using UniversalTuple = std::tuple<Ints, std::vector<Ints>, ConditionTuple>;
using RuleTuple = std::tuple<int, std::vector<ComparisonTuple>, std::vector<UniversalTuple>>;
using CaseTuple = std::tuple<ConditionTuple, PatternTuple>;
using UpdateTuple = std::tuple<int, Ints, Ints, std::vector<CaseTuple>>;
using TransitionTuple = std::tuple<int, int, std::tuple<bool, bool, bool>, std::vector<RuleTuple>, std::vector<UpdateTuple>>;
using PropertyTuple = std::tuple<int, ConditionTuple>;
using TermTuple = std::tuple<Term::Kind, int, int, int, int, int>;  // time, reader, array, i, j; -1: it has none
using LiteralTuple = std::tuple<Literal::Kind, TermTuple, TermTuple, std::int64_t>;
using CellTuple = std::tuple<int, int, int, std::vector<States>>;  // array, i, j, and for each value the states
using NumbersTuple = std::tuple<int, int, int, std::vector<std::int64_t>>;   // array, i, j, and in each state the number
using CubeTuple = std::tuple<int, std::vector<LiteralTuple>, std::vector<Ints>, std::vector<std::uint32_t>>;
using HintTuple = std::tuple<int, int, Ints, int, Ints, Ints>;                // transition, rule, arguments, node, places, times

Pattern pattern(const PatternTuple& t) {
    const auto& [kind, array, i, j, number, reader, sort] = t;
    return {kind, array, i, j, number, reader, sort};
}

Conjunction conjunction(const std::vector<ComparisonTuple>& tuples) {
    Conjunction found;
    for (const auto& [relation, left, right] : tuples) found.push_back({relation, pattern(left), pattern(right)});
    return found;
}

Condition condition(const ConditionTuple& tuples) {
    Condition found;
    for (const auto& tuple : tuples) found.push_back(conjunction(tuple));
    return found;
}

Rule rule(const RuleTuple& tuple) {
    const auto& [parameters, literals, universals] = tuple;
    Rule found{parameters, conjunction(literals), {}};
    for (const auto& [variables, apart, body] : universals) found.universals.push_back({variables, apart, condition(body)});
    return found;
}

Transition transition(const TransitionTuple& tuple) {
    const auto& [parameters, actor, weak, rules, updates] = tuple;
    const auto& [reads, writes, fence] = weak;
    Transition found{parameters, actor, reads, writes, fence, {}, {}};
    for (const RuleTuple& r : rules) found.rules.push_back(rule(r));
    for (const auto& [array, index, fresh, cases] : updates) {
        Update update{array, index, fresh, {}};
        for (const auto& [when, value] : cases) update.cases.push_back({condition(when), pattern(value)});
        found.updates.push_back(std::move(update));
    }
    return found;
}

System make_system(const std::vector<ArrayTuple>& arrays, const std::tuple<int, int, bool, bool>& shape, const PropertyTuple& init,
                   const std::vector<PropertyTuple>& unsafe, const std::vector<PropertyTuple>& invariants,
                   const std::vector<TransitionTuple>& transitions) {
    const auto property = [](const PropertyTuple& t) { return Property{std::get<0>(t), condition(std::get<1>(t))}; };
    const auto& [processes, fixed, ordered, lagging] = shape;
    System system{{}, processes, fixed, ordered, lagging, property(init), {}, {}, {}};
    for (const auto& [sort, arity, weak, values] : arrays) system.arrays.push_back({sort, arity, weak, values});
    for (const PropertyTuple& t : unsafe) system.unsafe.push_back(property(t));
    for (const PropertyTuple& t : invariants) system.invariants.push_back(property(t));
    for (const TransitionTuple& t : transitions) system.transitions.push_back(transition(t));
    return system;
}

int index(int place) { return place < 0 ? Term::NONE : place; }

// Of a term of a cube, which none is that is HIDDEN.
TermTuple term_tuple(Term t) {
    const auto place = [](int i) { return i == Term::NONE ? -1 : i; };
    const bool read = t.kind() == Term::READ;
    return {t.kind(), read ? t.time() : -1, read ? t.reader() : -1, t.array(), place(t.i()), place(t.j())};
}

Term term(const TermTuple& tuple) {
    const auto& [kind, time, reader, array, i, j] = tuple;
    switch (kind) {
        case Term::READ: return Term::read(time, reader, array, index(i), index(j));
        case Term::ZERO: return Term::zero(Sort(array));
        default: return Term::cell(array, index(i), index(j));
    }
}

CubeTuple cube_tuple(const Cube& cube) {
    std::vector<LiteralTuple> literals;
    for (const Literal& l : cube.literals) literals.emplace_back(l.kind, term_tuple(l.a), term_tuple(l.b), l.c);
    return {cube.processes, literals, cube.chains, cube.fenced};
}

Cube make_cube(const CubeTuple& tuple) {
    const auto& [processes, literals, chains, fenced] = tuple;
    Cube cube;
    cube.processes = processes;
    for (const auto& [kind, a, b, c] : literals) cube.literals.push_back({kind, term(a), term(b), c});
    cube.chains = chains;
    cube.fenced = fenced;
    return cube;
}

std::vector<HintTuple> hint_tuples(const std::vector<Hint>& hints) {
    const auto row = [](const Hint::Row& r) { return Ints(r.begin(), std::find(r.begin(), r.end(), -1)); };
    std::vector<HintTuple> tuples;
    for (const Hint& h : hints) tuples.emplace_back(h.transition, h.rule, row(h.arguments), h.node, row(h.places), Ints(h.times.begin(), h.times.end()));
    return tuples;
}

nb::tuple node_tuple(const Node& node) {
    const Origin& o = node.origin;
    return nb::make_tuple(node.kind, cube_tuple(node.cube), node.parent, nb::make_tuple(o.transition, o.rule, o.from, o.arguments, o.to.processes),
                          hint_tuples(node.covers));
}

}  // namespace

void bind(nb::module_& m) {
    nb::register_exception_translator(
        [](const std::exception_ptr& p, void*) {
            try {
                std::rethrow_exception(p);
            } catch (const TooLarge& e) {
                PyErr_SetString(PyExc_OverflowError, e.what());
            }
        });
    auto sorts = nb::enum_<Sort>(m, "CubeSort");
#define XGEN_NAME(name) sorts.value(#name, Sort::name);
    XGEN_SORTS(XGEN_NAME)
#undef XGEN_NAME
    auto patterns = nb::enum_<Pattern::Kind>(m, "CubePattern");
#define XGEN_NAME(name) patterns.value(#name, Pattern::Kind::name);
    XGEN_PATTERNS(XGEN_NAME)
#undef XGEN_NAME
    auto relations = nb::enum_<Relation>(m, "CubeRelation");
#define XGEN_NAME(name) relations.value(#name, Relation::name);
    XGEN_RELATIONS(XGEN_NAME)
#undef XGEN_NAME
    auto terms = nb::enum_<Term::Kind>(m, "CubeTerm");
#define XGEN_NAME(name) terms.value(#name, Term::Kind::name);
    XGEN_TERMS(XGEN_NAME)
#undef XGEN_NAME
    auto literals = nb::enum_<Literal::Kind>(m, "CubeLiteral");
#define XGEN_NAME(name) literals.value(#name, Literal::Kind::name);
    XGEN_LITERALS(XGEN_NAME)
#undef XGEN_NAME
    m.attr("CUBE_NONE") = Pattern::NONE;
    m.attr("CUBE_OTHER") = OTHER_BIT;
    nb::enum_<End>(m, "SearchEnd").value("SAFE", End::SAFE).value("REACHED", End::REACHED).value("TIME", End::TIME).value("CUBES", End::CUBES);
    nb::enum_<NodeKind>(m, "NodeKind")
        .value("UNSAFE", NodeKind::UNSAFE)
        .value("INVARIANT", NodeKind::INVARIANT)
        .value("FOUND", NodeKind::FOUND)
        .value("APPROXIMATION", NodeKind::APPROXIMATION);
    nb::class_<System>(m, "CubeSystem")
        .def("__init__", [](System* self, const std::vector<ArrayTuple>& arrays, const std::tuple<int, int, bool, bool>& shape,
                            const PropertyTuple& init, const std::vector<PropertyTuple>& unsafe, const std::vector<PropertyTuple>& invariants,
                            const std::vector<TransitionTuple>& transitions) {
                 new (self) System(make_system(arrays, shape, init, unsafe, invariants, transitions));
             }, "arrays"_a, "shape"_a, "init"_a, "unsafe"_a, "invariants"_a, "transitions"_a);
    nb::class_<Search>(m, "CubeSearch")
        .def("__init__", [](Search* self, const System& system, int processes, const std::vector<CellTuple>& values,
                            const std::vector<NumbersTuple>& numbers, const std::vector<CubeTuple>& bad) {
                 const auto raw = [](int array, int i, int j) {
                     return Term::cell(array, index(i), index(j)).raw();
                 };
                 std::map<std::uint32_t, std::vector<States>> states;
                 for (const auto& [array, i, j, sets] : values) states[raw(array, i, j)] = sets;
                 std::map<std::uint32_t, std::vector<std::int64_t>> counts;
                 for (const auto& [array, i, j, held] : numbers) counts[raw(array, i, j)] = held;
                 std::vector<Cube> cubes;
                 for (const CubeTuple& tuple : bad) cubes.push_back(make_cube(tuple));
                 new (self) Search(system, Instances(processes, std::move(states), std::move(counts), std::move(cubes)));
             }, "system"_a, "processes"_a, "values"_a, "numbers"_a, "bad"_a)
        .def("run", &Search::run, "seconds"_a, "max_cubes"_a, nb::call_guard<nb::gil_scoped_release>())
        .def_prop_ro("reached", &Search::reached)
        .def_prop_ro("images", &Search::images)
        .def_prop_ro("covered", &Search::covered)
        .def_prop_ro("unsafe", [](const Search& self) { return hint_tuples(self.unsafe()); })
        .def("__len__", [](const Search& self) { return self.nodes().size(); })
        .def("node", [](const Search& self, std::size_t n) { return node_tuple(self.nodes().at(n)); }, "number"_a);
}

}  // namespace xgen::cubes
