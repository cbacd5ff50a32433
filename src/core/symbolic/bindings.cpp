// The part of the Python module that is about machines with store buffers; src/xgen/_core.pyi describes it.

#include "bindings.hpp"

#include <chrono>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "prove.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace xgen::symbolic {

namespace {

// Calls a function that asks now and then whether to stop: when so many seconds are over, or after Ctrl-C, which is then
// raised.
template <class Call>
auto stoppable(std::optional<double> left, Call&& call) {
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::milliseconds BETWEEN(50);
    const auto start = Clock::now();
    auto next = start + BETWEEN;
    bool raised = false;
    auto stop = [&] {
        const auto now = Clock::now();
        if (raised || now < next) return raised;
        next = now + BETWEEN;
        if (left && std::chrono::duration<double>(now - start).count() > *left) return true;
        nb::gil_scoped_acquire held;
        raised = PyErr_CheckSignals() != 0;
        return raised;
    };
    auto result = [&] {
        nb::gil_scoped_release released;
        return call(stop);
    }();
    if (raised) throw nb::python_error();
    return result;
}

nb::list make_word(const std::vector<Prover::Atom>& word) {
    nb::list atoms;
    for (const Prover::Atom& atom : word) atoms.append(nb::make_tuple(atom.kind, atom.letters));
    return atoms;
}

nb::list make_invariant(const Prover& prover) {
    nb::list states;
    for (const Prover::Covering& c : prover.invariant()) {
        nb::list pasts, buffers;
        for (const auto& past : c.pasts) pasts.append(make_word(past));
        for (const auto& [thread, cell, word] : c.buffers) buffers.append(nb::make_tuple(thread, cell, make_word(word)));
        nb::list families;
        for (const auto& [thread, cells, word] : c.families) families.append(nb::make_tuple(thread, cells, make_word(word)));
        states.append(nb::make_tuple(c.nodes, c.memory, pasts, buffers, c.broken, c.block, c.pin, c.before, c.held, c.gone, families));
    }
    return states;
}

nb::list make_automata(const Automata& automata) {
    nb::list threads;
    for (int t = 0; t < automata.threads(); ++t) {
        nb::list nodes;
        for (const Control& n : automata.nodes[t]) {
            nb::list edges;
            for (const Control::Edge& e : n.edges)
                edges.append(nb::make_tuple(e.value, e.writes ? std::optional(e.written) : std::nullopt, e.strength, e.next));
            nodes.append(nb::make_tuple(n.act, n.pc, n.cell, n.thread, n.strength, n.block, edges, n.exclusive, n.reserved,
                                        n.object));
        }
        threads.append(nb::make_tuple(automata.initial[t], automata.begin[t], nodes));
    }
    return threads;
}

}  // namespace

void bind(nb::module_& m) {
    nb::enum_<Memory>(m, "Memory").value("SC", Memory::SC).value("TSO", Memory::TSO).value("PSO", Memory::PSO);
    nb::enum_<Strength>(m, "Strength")
        .value("NONE", Strength::NONE)
        .value("STORES", Strength::STORES)
        .value("FULL", Strength::FULL);
    nb::enum_<Act>(m, "Act")
        .value("READ", Act::READ)
        .value("WRITE", Act::WRITE)
        .value("UPDATE", Act::UPDATE)
        .value("FENCE", Act::FENCE)
        .value("ALLOC", Act::ALLOC)
        .value("FREE", Act::FREE)
        .value("START", Act::START)
        .value("JOIN", Act::JOIN)
        .value("IDLE", Act::IDLE)
        .value("ENDED", Act::ENDED)
        .value("STUCK", Act::STUCK)
        .value("ENDLESS", Act::ENDLESS)
        .value("ERROR", Act::ERROR)
        .value("CUT", Act::CUT)
        .value("LOST", Act::LOST);
    nb::enum_<Prover::End>(m, "ProofEnd")
        .value("BUDGET", Prover::End::BUDGET)
        .value("SAFE", Prover::End::SAFE)
        .value("VIOLATION", Prover::End::VIOLATION)
        .value("DEADLOCK", Prover::End::DEADLOCK)
        .value("STATES", Prover::End::STATES)
        .value("FAULT", Prover::End::FAULT);
    nb::enum_<Automata::Fault>(m, "ProofFault")
        .value("NONE", Automata::Fault::NONE)
        .value("VALUES", Automata::Fault::VALUES)
        .value("LOCALS", Automata::Fault::LOCALS)
        .value("RUNAWAY", Automata::Fault::RUNAWAY)
        .value("MIXED", Automata::Fault::MIXED)
        .value("WAITING", Automata::Fault::WAITING)
        .value("OPERATION", Automata::Fault::OPERATION);
    auto atoms = nb::enum_<Ideals::Kind>(m, "AtomKind");
#define XGEN_NAME(name) atoms.value(#name, Ideals::name);
    XGEN_ATOMS(XGEN_NAME)
#undef XGEN_NAME
    m.attr("NOTHING") = NOTHING;
    m.attr("MAX_VALUES") = Automata::MAX_VALUES;
    nb::class_<Prover>(m, "Prover")
        .def(
            "__init__",
            [](Prover* self, const Code& code, Memory memory, std::vector<Strength> strengths,
               std::optional<std::vector<std::vector<std::int32_t>>> shown, std::vector<bool> plain, std::vector<Act> lifetimes, bool deadlocks, int widening, int most, bool strict, bool largest, bool eager) {
                MachineSettings settings{memory, std::move(strengths), {}, shown.has_value(), std::move(plain), std::move(lifetimes), eager, deadlocks};
                if (shown) settings.shown = std::move(*shown);
                new (self) Prover(code, std::move(settings), {deadlocks, widening, most, strict, largest});
            },
            "code"_a, "memory"_a, "strengths"_a, "shown"_a.none(), "plain"_a, "lifetimes"_a, "deadlocks"_a, "widening"_a, "most"_a, "strict"_a, "largest"_a, "eager"_a, nb::keep_alive<1, 2>())
        .def(
            "run",
            [](Prover& p, double seconds, std::int64_t limit, std::optional<double> left) {
                return stoppable(left, [&](std::function<bool()> stop) { return p.run(seconds, limit, std::move(stop)); });
            },
            "seconds"_a, "limit"_a, "left"_a.none())
        .def_prop_ro("stored", &Prover::stored)
        .def_prop_ro("visited", &Prover::visited)
        .def_prop_ro("accelerated", &Prover::accelerated)
        .def_prop_ro("atoms", &Prover::atoms)
        .def_prop_ro("racing", &Prover::racing)
        .def_prop_ro("exact", &Prover::exact)
        .def_prop_ro("cut", &Prover::cut)
        .def_prop_ro("veiled", [](const Prover& p) { return p.automata().veiled(); })
        .def_prop_ro("fault",
                     [](const Prover& p) {
                         const Automata& a = p.automata();
                         return nb::make_tuple(a.fault, a.fault_thread, a.fault_item);
                     })
        .def_prop_ro("growing", &Prover::growing)
        .def_prop_ro("local_states",
                     [](const Prover& p) {
                         std::vector<std::size_t> counts;
                         for (const auto& nodes : p.automata().nodes) counts.push_back(nodes.size());
                         return counts;
                     })
        .def_prop_ro("values", [](const Prover& p) { return p.automata().values; })
        .def_prop_ro("outcomes", &Prover::outcomes)
        .def_prop_ro("automata", [](const Prover& p) { return make_automata(p.automata()); })
        .def_prop_ro("invariant", [](const Prover& p) { return make_invariant(p); })
        .def_prop_ro("left_out", &Prover::left_out)
        .def_prop_ro("doubtful", &Prover::doubtful)
        .def(
            "witness",
            [](Prover& p, bool deadlock, std::int32_t state, std::optional<double> left) {
                return stoppable(left, [&](std::function<bool()> stop) { return p.witness(deadlock, state, std::move(stop)); });
            },
            "deadlock"_a, "state"_a, "left"_a.none());
}

}  // namespace xgen::symbolic
