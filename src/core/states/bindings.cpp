// The part of the module _core that searches explicit states for fair cycles; src/xgen/engine/explicit/states.py calls it.

#include "bindings.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "emptiness.hpp"
#include "turns.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace xgen::states {

namespace {

using CodeTuple = std::vector<std::tuple<Op, std::int32_t, std::int32_t>>;
using TargetTuple = std::tuple<bool, int, int, CodeTuple, std::pair<int, int>>;
using EffectTuple = std::tuple<Effect::Kind, std::vector<TargetTuple>, CodeTuple>;
using TransitionTuple = std::tuple<int, std::pair<int, int>, CodeTuple, std::vector<EffectTuple>, std::tuple<bool, bool, bool, bool, bool>,
                                   std::tuple<int, int, int>>;
using ProcessTuple = std::tuple<int, std::vector<bool>, std::vector<CodeTuple>>;
using EdgeTuple = std::tuple<std::uint64_t, std::uint64_t, std::int32_t, std::uint64_t>;

Formula formula(const CodeTuple& code) {
    Formula found;
    for (const auto& [op, a, b] : code) found.push_back({op, a, b});
    return found;
}

Target make_target(const TargetTuple& given) {
    const auto& [shared, first, size, index, range] = given;
    return {shared, first, size, formula(index), range.first, range.second};
}

System make_system(int cells, std::vector<Word> initial, Ranges ranges, const std::vector<ProcessTuple>& processes,
                   const std::vector<TransitionTuple>& transitions, const std::vector<CodeTuple>& propositions, Order order, int room,
                   bool fair, bool strict, int first_mark) {
    System system{cells, std::move(initial), std::move(ranges), {}, {}, {}, order, room, fair, strict, first_mark};
    for (const auto& [place, committed, asserts] : processes) {
        Process process{place, {committed.begin(), committed.end()}, {}};
        for (const CodeTuple& code : asserts) process.asserts.push_back(formula(code));
        system.processes.push_back(std::move(process));
    }
    for (const auto& [process, ends, guard, effects, stores, partner] : transitions) {
        const auto [other, from, to] = partner;
        const auto [atomic, fences, direct, together, watches] = stores;
        Transition t{process, ends.first, ends.second, formula(guard), {}, atomic, fences, direct, together, watches, other, from, to};
        for (const auto& [kind, target, value] : effects)
            t.effects.push_back({kind, target.empty() ? Target{} : make_target(target.front()), formula(value)});
        system.transitions.push_back(std::move(t));
    }
    for (const CodeTuple& code : propositions) system.propositions.push_back(formula(code));
    return system;
}

Automaton make_automaton(const std::vector<std::vector<EdgeTuple>>& states, int marks) {
    Automaton automaton;
    automaton.marks = marks;
    for (const auto& edges : states) {
        automaton.edges.emplace_back();
        for (const auto& [holds, fails, to, edge_marks] : edges) automaton.edges.back().push_back({holds, fails, to, edge_marks});
    }
    return automaton;
}

nb::list listed(const std::vector<turns::Turn>& found) {
    nb::list list;
    for (const turns::Turn& t : found) list.append(nb::make_tuple(t.thread, t.pc, t.cell, t.reads, t.writes, t.read, t.written));
    return list;
}

nb::list moments(const std::vector<Emptiness::Moment>& found) {
    nb::list list;
    for (const Emptiness::Moment& m : found) list.append(nb::make_tuple(Step::Kind(m.step.kind), static_cast<int>(m.step.number), m.state));
    return list;
}

}  // namespace

void bind(nb::module_& m) {
    nb::enum_<Order>(m, "StoreOrder")
        .value("SC", Order::SC)
        .value("TSO", Order::TSO)
        .value("PSO", Order::PSO)
        .value("CAM", Order::CAM);
    auto ops = nb::enum_<Op>(m, "StateOp");
#define XGEN_NAME(name) ops.value(#name, Op::name);
    XGEN_STATE_OPS(XGEN_NAME)
#undef XGEN_NAME
    auto effects = nb::enum_<Effect::Kind>(m, "StateEffect");
#define XGEN_NAME(name) effects.value(#name, Effect::name);
    XGEN_EFFECTS(XGEN_NAME)
#undef XGEN_NAME
    auto steps = nb::enum_<Step::Kind>(m, "StateStep");
#define XGEN_NAME(name) steps.value(#name, Step::name);
    XGEN_STEPS(XGEN_NAME)
#undef XGEN_NAME
    nb::enum_<Fault>(m, "StateFault")
        .value("NONE", Fault::NONE)
        .value("INDEX", Fault::INDEX)
        .value("DIVISION", Fault::DIVISION)
        .value("ASSERTION", Fault::ASSERTION)
        .value("RANGE", Fault::RANGE);
    nb::enum_<Emptiness::End>(m, "EmptinessEnd")
        .value("BUDGET", Emptiness::End::BUDGET)
        .value("EMPTY", Emptiness::End::EMPTY)
        .value("ACCEPTED", Emptiness::End::ACCEPTED)
        .value("FAULT", Emptiness::End::FAULT)
        .value("STATES", Emptiness::End::STATES);
    nb::class_<Emptiness>(m, "Emptiness")
        .def(
            "__init__",
            [](Emptiness* self, int cells, std::vector<Word> initial, Ranges ranges, const std::vector<ProcessTuple>& processes,
               const std::vector<TransitionTuple>& transitions, const std::vector<CodeTuple>& propositions, Order order, int room,
               bool fair, bool strict, const std::vector<std::vector<EdgeTuple>>& automaton, int marks, int workers) {
                new (self) Emptiness(
                    make_system(cells, std::move(initial), std::move(ranges), processes, transitions, propositions, order, room, fair, strict, marks),
                    make_automaton(automaton, marks), workers);
            },
            "cells"_a, "initial"_a, "ranges"_a, "processes"_a, "transitions"_a, "propositions"_a, "order"_a, "room"_a, "fair"_a, "strict"_a, "automaton"_a, "marks"_a,
            "workers"_a)
        .def("run", &Emptiness::run, "seconds"_a, "limit"_a, nb::call_guard<nb::gil_scoped_release>())
        .def_prop_ro("end", &Emptiness::end)
        .def_prop_ro("states", &Emptiness::states)
        .def_prop_ro("product", &Emptiness::product)
        .def_prop_ro("transitions", &Emptiness::transitions)
        .def_prop_ro("waited", [](const Emptiness& e) { return e.waited(); })
        .def_prop_ro("doubtful", [](const Emptiness& e) { return e.doubtful(); })
        .def_prop_ro("fault", [](const Emptiness& e) { return e.fault(); })
        .def_prop_ro("culprit", [](const Emptiness& e) { return e.culprit(); })
        .def_prop_ro("prefix", [](const Emptiness& e) { return moments(e.prefix()); })
        .def_prop_ro("cycle", [](const Emptiness& e) { return moments(e.cycle()); })
        .def(
            "stores",
            [](const Emptiness& e, const std::vector<Word>& state) {
                nb::list queues;
                const Buffers& buffers = e.buffers();
                for (int q = 0; q < buffers.queues(); ++q)
                    queues.append(nb::make_tuple(buffers.process_of(q), buffers.stores(state.data(), q)));
                return queues;
            },
            "state"_a);
    nb::class_<turns::Turns>(m, "Turns")
        .def(nb::init<const xgen::Code&, std::vector<bool>, std::vector<bool>>(), "code"_a, "counts"_a, "takes"_a, nb::keep_alive<1, 2>())
        .def("explore", &turns::Turns::explore, "limit"_a, nb::call_guard<nb::gil_scoped_release>())
        .def("find", &turns::Turns::find, nb::call_guard<nb::gil_scoped_release>())
        .def_prop_ro("states", &turns::Turns::states)
        .def_prop_ro("width", &turns::Turns::width)
        .def_prop_ro("complete", &turns::Turns::complete)
        .def_prop_ro("wrong", &turns::Turns::wrong)
        .def_prop_ro("prefix", [](const turns::Turns& t) { return listed(t.prefix()); })
        .def_prop_ro("cycle", [](const turns::Turns& t) { return listed(t.cycle()); })
        .def_prop_ro("standing", &turns::Turns::standing);
}

}  // namespace xgen::states
