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
using ArrayTuple = std::tuple<int, int, bool, int>;                            // sort, arity, weak, values
using PatternTuple = std::tuple<int, int, int, int, std::int64_t, int>;        // kind, array, i, j, number, reader
using ComparisonTuple = std::tuple<int, PatternTuple, PatternTuple>;
using ConditionTuple = std::vector<std::vector<ComparisonTuple>>;
using UniversalTuple = std::tuple<Ints, std::vector<Ints>, ConditionTuple>;
using RuleTuple = std::tuple<int, std::vector<ComparisonTuple>, std::vector<UniversalTuple>>;
using CaseTuple = std::tuple<ConditionTuple, PatternTuple>;
using UpdateTuple = std::tuple<int, Ints, Ints, std::vector<CaseTuple>>;
using TransitionTuple = std::tuple<int, int, std::tuple<bool, bool, bool>, std::vector<RuleTuple>, std::vector<UpdateTuple>>;
using PropertyTuple = std::tuple<int, ConditionTuple>;
using LiteralTuple = std::tuple<int, std::uint32_t, std::uint32_t, std::int64_t>;
using CellTuple = std::tuple<int, int, int, std::vector<States>>;  // array, i, j, and for each value the states
using NumbersTuple = std::tuple<int, int, int, std::vector<std::int64_t>>;   // array, i, j, and in each state the number
using CubeTuple = std::tuple<int, std::vector<LiteralTuple>, std::vector<Ints>, std::vector<std::uint32_t>>;
using HintTuple = std::tuple<int, int, Ints, int, Ints, Ints>;                // transition, rule, arguments, node, places, times

Pattern pattern(const PatternTuple& t) {
    const auto& [kind, array, i, j, number, reader] = t;
    return {Pattern::Kind(kind), array, i, j, number, reader};
}

Conjunction conjunction(const std::vector<ComparisonTuple>& tuples) {
    Conjunction found;
    for (const auto& [relation, left, right] : tuples) found.push_back({Relation(relation), pattern(left), pattern(right)});
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
    for (const auto& [sort, arity, weak, values] : arrays) system.arrays.push_back({Sort(sort), arity, weak, values});
    for (const PropertyTuple& t : unsafe) system.unsafe.push_back(property(t));
    for (const PropertyTuple& t : invariants) system.invariants.push_back(property(t));
    for (const TransitionTuple& t : transitions) system.transitions.push_back(transition(t));
    return system;
}

Term term(std::uint32_t raw) {
    const int i = raw >> 4 & 15, j = raw & 15, array = raw >> 8 & 0xfff;
    switch (raw >> 30) {
        case Term::READ: return Term::read(raw >> 24 & 63, raw >> 20 & 15, array, i, j);
        case Term::ZERO: return Term::zero(Sort(array));
        default: return Term::cell(array, i, j);
    }
}

CubeTuple cube_tuple(const Cube& cube) {
    std::vector<LiteralTuple> literals;
    for (const Literal& l : cube.literals) literals.emplace_back(int(l.kind), l.a.raw(), l.b.raw(), l.c);
    return {cube.processes, literals, cube.chains, cube.fenced};
}

Cube make_cube(const CubeTuple& tuple) {
    const auto& [processes, literals, chains, fenced] = tuple;
    Cube cube;
    cube.processes = processes;
    for (const auto& [kind, a, b, c] : literals) cube.literals.push_back({Literal::Kind(kind), term(a), term(b), c});
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
                     return Term::cell(array, i < 0 ? Term::NONE : i, j < 0 ? Term::NONE : j).raw();
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
