// The Python module xgen._core; src/xgen/_core.pyi describes it.

#include <nanobind/nanobind.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/set.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <variant>

#include "cubes/bindings.hpp"
#include "symbolic/bindings.hpp"
#include "model/given.hpp"
#include "search/pool.hpp"
#include "states/bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace xgen;

namespace {

using Ints = std::vector<std::int32_t>;
using InstructionTuple = std::tuple<Op, std::uint8_t, std::int32_t, std::int32_t, std::int32_t, std::int32_t>;
using RmwTuple = std::tuple<RmwKind, std::int32_t, std::int32_t, std::int32_t, std::int32_t, std::int32_t, std::int32_t,
                            bool, std::int32_t, bool>;
using PlaceTuple = std::tuple<std::int64_t, std::int32_t, std::int32_t>;  // address, width, cell
using ThreadTuple = std::tuple<std::int32_t, std::int32_t, std::int32_t, std::vector<std::int64_t>, std::int32_t, std::int32_t>;
using NodeTuple = std::tuple<NodeOp, std::int32_t, std::int32_t, std::int32_t, bool>;
using EquationTuple = std::tuple<std::int32_t, std::int32_t, Ints>;  // of a recursion: variable, body, nodes
using WalkCheckTuple = std::tuple<std::int32_t, std::vector<std::pair<std::int32_t, std::int32_t>>>;  // walks, ends
using WalkStepTuple = std::tuple<std::int32_t, std::int32_t, bool, bool, Ints>;  // as Walks::Step
using WalksTuple = std::tuple<Property, std::int32_t, std::int32_t, std::vector<std::vector<WalkStepTuple>>>;  // node, number, steps
using StepCheckTuple = std::tuple<Property, std::int32_t, std::int32_t>;  // node, number of the constraint
using EventPlanTuple = std::tuple<Ints, std::vector<StepCheckTuple>, std::vector<WalkCheckTuple>>;  // local nodes, checks, walks
using LoopTuple = std::tuple<Over, std::int32_t, std::int32_t, Ints>;  // binder, domain, nodes
using OneTuple = std::tuple<Property, std::int32_t, std::vector<LoopTuple>, bool, Ints>;  // node, loops, negated, columns
using JunctionTuple = std::tuple<bool, Ints>;  // whether all of these conditions, or one
// What an instruction may write: to these cells, or any, these values, or any.
using WrittenTuple = std::tuple<std::optional<Ints>, std::optional<std::vector<std::int64_t>>>;
// Of an event: kind, thread, class, cell, object, block, whether it is of an update that writes, the index of its partner, which part it is.
using EventTuple =
    std::tuple<EventKind, std::int32_t, std::int32_t, std::int32_t, std::int32_t, std::int32_t, bool, std::int32_t, std::uint8_t>;
using CheckTuple = std::tuple<std::int32_t, std::int32_t>;  // condition, number of the constraint

Code make_code(const std::vector<InstructionTuple>& instructions, std::vector<std::int64_t> constants,
               std::vector<Ints> targets, const std::vector<RmwTuple>& rmws, const std::vector<ThreadTuple>& threads,
               std::vector<std::int64_t> cells, const std::vector<PlaceTuple>& places, std::vector<bool> undefined,
               Ints objects, std::vector<Ints> live, std::vector<WrittenTuple> written, std::vector<Ints> groups) {
    Code code;
    code.groups = std::move(groups);
    code.objects = std::move(objects);
    for (auto& [where, values] : written)
        code.written.push_back({!where, std::move(where).value_or(Ints()),
                                {!values, std::move(values).value_or(std::vector<std::int64_t>())}});
    for (const auto& [address, width, cell] : places) code.places.push_back({address, width, cell});
    code.undefined = std::move(undefined);
    code.live = std::move(live);
    for (const auto& [op, part, dst, a, b, c] : instructions) code.instructions.push_back({op, part, dst, a, b, c});
    for (const auto& [kind, address, operand, expected, read, failed, write, picks, bits, pair] : rmws)
        code.rmws.push_back({kind, address, operand, expected, read, failed, write, picks, bits, pair});
    for (const auto& [entry, locals, temporaries, initial, reservation, block] : threads)
        code.threads.push_back({entry, locals, temporaries, initial, reservation, block});
    std::int32_t assertions = 0;
    for (Instruction& i : code.instructions) {
        if (i.op == Op::ASSERT) i.b = i.b ? NOTED_ASSERTION : i.c ? OTHER_ASSERTION : assertions++ % NOTED_ASSERTION;
        code.forks |= i.op == Op::START || i.op == Op::JOIN || i.op == Op::MEET;
        code.predicts |= i.op == Op::PREDICT;
        code.gathers |= i.op == Op::GATHER;
        if (i.op == Op::START) code.threads[i.a].waits = true;
    }
    code.constants = std::move(constants);
    code.targets = std::move(targets);
    code.cells = std::move(cells);
    return code;
}

EventPlan make_event_plan(const EventPlanTuple& given) {
    const auto& [local, checks, walks] = given;
    EventPlan step;
    step.local = local;
    for (const auto& [property, node, number] : checks) step.checks.push_back({property, node, number});
    for (const auto& [number, ends] : walks) step.walks.push_back({number, ends});
    return step;
}

Condition make_condition(const std::variant<OneTuple, JunctionTuple>& given) {
    Condition condition;
    if (const auto* junction = std::get_if<JunctionTuple>(&given)) {
        condition.kind = std::get<0>(*junction) ? Condition::Kind::ALL : Condition::Kind::ONE;
        condition.parts = std::get<1>(*junction);
        return condition;
    }
    const auto& [property, node, loops, negated, columns] = std::get<OneTuple>(given);
    condition.property = property;
    condition.node = node;
    condition.negated = negated;
    for (const auto& [over, binder, domain, nodes] : loops) condition.loops.push_back({over, binder, domain, nodes});
    condition.columns = columns;
    return condition;
}

Checks make_checks(const std::vector<NodeTuple>& nodes, const std::vector<EventPlanTuple>& steps, Ints whole,
                     const std::vector<std::variant<OneTuple, JunctionTuple>>& conditions, const std::vector<CheckTuple>& whole_checks,
                     std::int32_t binders, const std::vector<std::vector<EquationTuple>>& recursions,
                     const std::vector<WalksTuple>& walks, bool extensible) {
    Checks checks;
    for (const auto& [property, node, number, states] : walks) {
        Walks& made = checks.walks.emplace_back(Walks{property, node, number, {}});
        for (const auto& steps : states) {
            auto& out = made.states.emplace_back();
            for (const auto& [leaf, set, backwards, transitive, to] : steps)
                out.push_back({leaf, set, backwards, transitive, to});
        }
    }
    checks.extensible = extensible;
    for (const auto& [op, a, b, c, kept] : nodes)
        checks.nodes.push_back({op, a, b, c, kept ? checks.kept++ : -1});
    for (const auto& [condition, number] : whole_checks) checks.whole_checks.push_back({condition, number});
    for (const auto& step : steps) checks.steps.push_back(make_event_plan(step));
    checks.global = std::move(whole);
    for (const auto& condition : conditions) checks.conditions.push_back(make_condition(condition));
    checks.binders = binders;
    for (const auto& equations : recursions) {
        Recursion& recursion = checks.recursions.emplace_back();
        for (const auto& [variable, body, parts] : equations) recursion.equations.push_back({variable, body, parts});
    }
    find_kept(checks);
    return checks;
}

// A pool, and what it has found once that is asked for.
class Exploration {
public:
    Exploration(const Code& code, const Plan& plan, const Settings& settings, int workers, const Ints& path,
                const Ints& rest)
        : pool(code, plan, settings, workers, {path, rest}) {}

    Halt run(double seconds, std::optional<std::int64_t> work) {
        findings_.reset();
        return pool.run(seconds, work.value_or(std::numeric_limits<std::int64_t>::max()));
    }
    void begin_probe(std::uint64_t seed) {
        findings_.reset();
        pool.begin_probe(seed);
    }
    Halt go_on(double seconds) {
        findings_.reset();
        return pool.go_on(seconds);
    }
    // What was found so far; it stays as it is.
    std::shared_ptr<Findings> findings() {
        if (!findings_) findings_ = std::make_shared<Findings>(pool.findings());
        return findings_;
    }

    Pool pool;

private:
    std::shared_ptr<Findings> findings_;
};

nb::dict make_counters(const Counters& c) {
    nb::dict d;
#define XGEN_COUNTER(rule, name) d[#name] = c.name;
    XGEN_COUNTERS(XGEN_COUNTER)
#undef XGEN_COUNTER
    return d;
}

using Numbers = std::map<std::string, std::int64_t>;

Counters read_counters(const Numbers& numbers) {
    Counters c;
#define XGEN_COUNTER(rule, name) c.name = numbers.at(#name);
    XGEN_COUNTERS(XGEN_COUNTER)
#undef XGEN_COUNTER
    return c;
}

void bind_enums(nb::module_& m) {
    auto op = nb::enum_<Op>(m, "Op");
#define XGEN_OP(name, ...) op.value(#name, Op::name);
    XGEN_OPS(XGEN_OP)
#undef XGEN_OP
    // By identity, which is what they are compared by: Python's own asks for the name's, in Python, millions of times.
    op.attr("__hash__") = nb::handle(reinterpret_cast<PyObject*>(&PyBaseObject_Type)).attr("__hash__");
    auto real = nb::enum_<Real>(m, "Real");
#define XGEN_REAL(name, ...) real.value(#name, Real::name);
    XGEN_REALS(XGEN_REAL)
#undef XGEN_REAL
    nb::enum_<OpKind>(m, "OpKind")
        .value("COMPUTE", OpKind::COMPUTE)
        .value("TEST", OpKind::TEST)
        .value("JUMP", OpKind::JUMP)
        .value("BRANCH", OpKind::BRANCH)
        .value("CHOICE", OpKind::CHOICE)
        .value("EVENT", OpKind::EVENT)
        .value("END", OpKind::END);
    nb::enum_<RmwKind>(m, "RmwKind")
        .value("EXCHANGE", RmwKind::EXCHANGE)
        .value("ADD", RmwKind::ADD)
        .value("SUB", RmwKind::SUB)
        .value("AND", RmwKind::AND)
        .value("ANDNOT", RmwKind::ANDNOT)
        .value("OR", RmwKind::OR)
        .value("XOR", RmwKind::XOR)
        .value("MIN", RmwKind::MIN)
        .value("MAX", RmwKind::MAX)
        .value("UMIN", RmwKind::UMIN)
        .value("UMAX", RmwKind::UMAX)
        .value("REAL_ADD32", RmwKind::REAL_ADD32)
        .value("REAL_ADD64", RmwKind::REAL_ADD64)
        .value("CAS", RmwKind::CAS)
        .value("ADD_UNLESS", RmwKind::ADD_UNLESS)
        .value("LOCK", RmwKind::LOCK);
    auto node = nb::enum_<NodeOp>(m, "NodeOp");
#define XGEN_NODE(name) node.value(#name, NodeOp::name);
    XGEN_NODES(XGEN_NODE)
#undef XGEN_NODE
    nb::enum_<Property>(m, "Property")
        .value("ACYCLIC", Property::ACYCLIC)
        .value("IRREFLEXIVE", Property::IRREFLEXIVE)
        .value("EMPTY", Property::EMPTY);
    nb::enum_<Over>(m, "Over")
        .value("NODES", Over::NODES)
        .value("THREADS", Over::THREADS)
        .value("VARIABLES", Over::VARIABLES);
    nb::enum_<EventKind>(m, "EventKind")
        .value("READ", EventKind::READ)
        .value("WRITE", EventKind::WRITE)
        .value("FENCE", EventKind::FENCE);
    nb::enum_<Status>(m, "Status")
        .value("EVENT", Status::EVENT)
        .value("CHOICE", Status::CHOICE)
        .value("ENDED", Status::ENDED)
        .value("BLOCKED", Status::BLOCKED)
        .value("OPEN", Status::OPEN)
        .value("CUT", Status::CUT)
        .value("ASSERTION", Status::ASSERTION)
        .value("FAILED", Status::FAILED)
        .value("OVERFLOWED", Status::OVERFLOWED)
        .value("DIVISION", Status::DIVISION)
        .value("UNDEFINED", Status::UNDEFINED)
        .value("RANGE", Status::RANGE)
        .value("MIXED", Status::MIXED)
        .value("RUNAWAY", Status::RUNAWAY)
        .value("UNSTARTED", Status::UNSTARTED);
    nb::enum_<Judgement>(m, "Judgement")
        .value("COUNTS", Judgement::COUNTS)
        .value("FORBIDDEN", Judgement::FORBIDDEN)
        .value("LEFT_OUT", Judgement::LEFT_OUT);
    nb::enum_<Partition>(m, "Partition")
        .value("RF", Partition::RF)
        .value("VALUES", Partition::VALUES)
        .value("SEEN", Partition::SEEN);
    nb::enum_<Halt>(m, "Halt")
        .value("BUDGET", Halt::BUDGET)
        .value("DONE", Halt::DONE)
        .value("VIOLATION", Halt::VIOLATION)
        .value("UNCERTIFIED", Halt::UNCERTIFIED)
        .value("RUNAWAY", Halt::RUNAWAY)
        .value("MIXED", Halt::MIXED)
        .value("UNLIKE", Halt::UNLIKE)
        .value("TOO_LARGE", Halt::TOO_LARGE)
        .value("BUFFERING", Halt::BUFFERING);
}

// The table of operations: by the operation, the fields of an instruction that it reads as operands, whether it writes
// dst, and its kind.
nb::dict operations() {
    nb::dict table;
    auto add = [&](Op op) {
        const Operation role = operation(op);
        std::vector<std::string> reads;
        for (auto [operand, name] : {std::pair(Operation::A, "a"), std::pair(Operation::B, "b"),
                                     std::pair(Operation::C, "c"), std::pair(Operation::DST, "dst")})
            if (role.reads & operand) reads.push_back(name);
        table[nb::cast(op)] = nb::make_tuple(reads, role.writes != 0, role.kind);
    };
#define XGEN_OP(name, ...) add(Op::name);
    XGEN_OPS(XGEN_OP)
#undef XGEN_OP
    return table;
}

void bind_input(nb::module_& m) {
    m.attr("OPERATIONS") = operations();
    nb::class_<Code>(m, "Code").def(
        "__init__",
        [](Code* self, const std::vector<InstructionTuple>& instructions, std::vector<std::int64_t> constants,
           std::vector<Ints> targets, const std::vector<RmwTuple>& rmws, const std::vector<ThreadTuple>& threads,
           std::vector<std::int64_t> cells, const std::vector<PlaceTuple>& places, std::vector<bool> undefined,
           Ints objects, std::vector<Ints> live, std::vector<WrittenTuple> written, std::vector<Ints> groups) {
            new (self) Code(make_code(instructions, std::move(constants), std::move(targets), rmws, threads,
                                      std::move(cells), places, std::move(undefined), std::move(objects),
                                      std::move(live), std::move(written), std::move(groups)));
        },
        "instructions"_a, "constants"_a, "targets"_a, "rmws"_a, "threads"_a, "cells"_a, "places"_a, "undefined"_a,
        "objects"_a, "live"_a, "written"_a, "groups"_a = std::vector<Ints>());
    nb::class_<Checks>(m, "Checks")
        .def(
            "__init__",
            [](Checks* self, const std::vector<NodeTuple>& nodes, const std::vector<EventPlanTuple>& steps, Ints whole,
               const std::vector<std::variant<OneTuple, JunctionTuple>>& conditions, const std::vector<CheckTuple>& whole_checks, std::int32_t binders,
               const std::vector<std::vector<EquationTuple>>& recursions, const std::vector<WalksTuple>& walks,
               bool extensible) {
                new (self) Checks(make_checks(nodes, steps, std::move(whole), conditions, whole_checks, binders, recursions,
                                              walks, extensible));
            },
            "nodes"_a, "steps"_a, "whole"_a, "conditions"_a, "whole_checks"_a, "binders"_a, "recursions"_a,
            "walks"_a, "extensible"_a);
    nb::class_<Plan>(m, "Plan").def(
        "__init__",
        [](Plan* self, std::vector<Ints> class_sets, std::int32_t class_set_count, Ints class_steps, bool tracking,
           bool dependent, bool ahead, bool coherent, bool classes, bool buffering, bool whole, Checks in_situ, Checks final, Checks flags,
           std::int32_t constraints, Ints order) {
            new (self) Plan{std::move(class_sets), class_set_count, std::move(class_steps),
                            tracking,              dependent,       ahead,
                            coherent,              classes,         buffering,
                            whole,                 std::move(in_situ), std::move(final),
                            std::move(flags),      constraints,     std::move(order)};
            std::erase_if(self->order, [&](std::int32_t n) { return self->in_situ.nodes[n].kept < 0; });
            find_pair_flags(self->flags, self->in_situ);
        },
        "class_sets"_a, "class_set_count"_a, "class_steps"_a, "tracking"_a, "dependent"_a, "ahead"_a, "coherent"_a, "classes"_a, "buffering"_a, "whole"_a, "in_situ"_a, "final"_a, "flags"_a,
        "constraints"_a, "order"_a = Ints());
}

Given make_given(int threads, int cells, const std::vector<EventTuple>& events) {
    Given given;
    given.threads = threads;
    given.cells = cells;
    for (const auto& [kind, thread, event_class, cell, object, block, rmw, partner, part] : events) {
        Event& event = given.events.emplace_back();
        event.kind = kind;
        event.thread = thread;
        event.event_class = event_class;
        event.cell = cell;
        event.object = object;
        event.block = block;
        event.rmw = rmw;
        event.partner = partner;
        event.part = part;
    }
    return given;
}

void bind_given(nb::module_& m) {
    using Pairs_ = std::vector<Given::Pair>;
    m.attr("LARGEST") = LARGEST;
    m.attr("NOTED_ASSERTION") = NOTED_ASSERTION;
    m.attr("WHOLE_OBJECT") = WHOLE_OBJECT;
    m.attr("NO_CELL") = NO_CELL;
    m.def(
        "failing",
        [](const Plan& plan, int threads, int cells, const std::vector<EventTuple>& events, Pairs_ rf,
           std::vector<Ints> mo, Pairs_ addr, Pairs_ data, Pairs_ ctrl, Pairs_ forks) {
            if (events.size() > LARGEST) throw std::length_error("the graph is too large");
            Given given = make_given(threads, cells, events);
            given.rf = std::move(rf);
            given.mo = std::move(mo);
            given.addr = std::move(addr);
            given.data = std::move(data);
            given.ctrl = std::move(ctrl);
            given.forks = std::move(forks);
            return failing(plan, given);
        },
        "plan"_a, "threads"_a, "cells"_a, "events"_a, "rf"_a, "mo"_a, "addr"_a, "data"_a, "ctrl"_a, "forks"_a);
}

// An event of a trace is a named tuple: the events of a trace cross the border at once, not field by field.
#define XGEN_TRACE_FIELDS(X) \
    X(slot, slot) X(number, event.index) X(kind, event.kind) X(thread, event.thread) X(pc, event.pc) \
    X(event_class, event.event_class) X(cell, event.cell) X(object, event.object) X(rf, event.rf) \
    X(value, event.value) X(block, event.block) X(part, event.part)

nb::handle make_trace_event() {
#define XGEN_FIELD(name, field) {#name, nullptr},
    static PyStructSequence_Field fields[] = {XGEN_TRACE_FIELDS(XGEN_FIELD){nullptr, nullptr}};
#undef XGEN_FIELD
    static PyStructSequence_Desc described = {"xgen._core.TraceEvent", nullptr, fields, std::size(fields) - 1};
    return nb::handle(reinterpret_cast<PyObject*>(PyStructSequence_NewType(&described)));
}

// Thread by thread in program order, initial writes first.
nb::list make_trace_events(const Trace& trace, nb::handle row) {
    std::vector<const Trace::Item*> items;
    for (const Trace::Item& item : trace.events) items.push_back(&item);
    std::ranges::sort(items, {}, [](const Trace::Item* item) { return std::pair(item->event.thread, item->event.index); });
    nb::list events;
    for (const Trace::Item* item : items) {
        const nb::object event = nb::steal(PyStructSequence_New(reinterpret_cast<PyTypeObject*>(row.ptr())));
        Py_ssize_t place = 0;
        auto put = [&](auto value) { PyStructSequence_SetItem(event.ptr(), place++, nb::cast(value).release().ptr()); };
#define XGEN_FIELD(name, field) put(item->field);
        XGEN_TRACE_FIELDS(XGEN_FIELD)
#undef XGEN_FIELD
        events.append(event);
    }
    return events;
}
#undef XGEN_TRACE_FIELDS

void bind_traces(nb::module_& m) {
#define XGEN_COUNTER(rule, name) #name,
    m.attr("COUNTERS") = std::vector<const char*>{XGEN_COUNTERS(XGEN_COUNTER)};
#undef XGEN_COUNTER
    const nb::handle row = make_trace_event();
    m.attr("TraceEvent") = row;
    nb::class_<Trace>(m, "Trace")
        .def_prop_ro("events", [row](const Trace& self) { return make_trace_events(self, row); })
        .def_ro("mo", &Trace::mo)
        .def_prop_ro("ends",
                     [](const Trace& self) {
                         std::vector<std::tuple<Status, std::int32_t>> ends;
                         for (const ThreadState& end : self.ends) ends.emplace_back(end.status, end.pc);
                         return ends;
                     })
        .def_ro("locals", &Trace::locals)
        .def_ro("rmw", &Trace::rmw)
        .def_ro("forks", &Trace::forks)
        .def_ro("addr", &Trace::addr)
        .def_ro("data", &Trace::data)
        .def_ro("ctrl", &Trace::ctrl)
        .def_ro("pick_addr", &Trace::pick_addr)
        .def_ro("pick_data", &Trace::pick_data)
        .def_ro("pick_ctrl", &Trace::pick_ctrl)
        .def_ro("decided", &Trace::decided)
        .def_ro("rounds", &Trace::rounds)
        .def_ro("deadlock", &Trace::deadlock)
        .def_ro("flags", &Trace::flags)
        .def_ro("gathered", &Trace::gathered)
        .def_ro("leaked", &Trace::leaked)
        .def_ro("calls", &Trace::calls)
        .def_ro("depth", &Trace::depth)
        .def_ro("hash", &Trace::hash);
}

nb::bytes as_bytes(const std::uint8_t* data, std::size_t size) { return nb::bytes(reinterpret_cast<const char*>(data), size); }

void add_packed(Outcomes& outcomes, const nb::bytes& packed) {
    if (!outcomes.add(reinterpret_cast<const std::uint8_t*>(packed.c_str()), packed.size()))
        throw std::invalid_argument("these are no outcomes");
}

nb::bytes packed(const Outcomes& outcomes) {
    const auto all = outcomes.packed();
    return as_bytes(all.data(), all.size());
}

// Rows as make_rows() has them.
void add_rows(Outcomes& outcomes, const std::vector<std::tuple<nb::bytes, std::int64_t, std::int64_t>>& rows) {
    std::vector<std::uint8_t> all;
    for (const auto& [state, count, violations] : rows) {
        const auto* bytes = reinterpret_cast<const std::uint8_t*>(state.c_str());
        all.insert(all.end(), bytes, bytes + state.size());
        Outcomes::append(all, count);
        Outcomes::append(all, violations);
    }
    add_packed(outcomes, as_bytes(all.data(), all.size()));
}

nb::list make_rows(const Outcomes& outcomes, std::size_t first, std::size_t count) {
    const auto& order = outcomes.sorted();
    nb::list rows;
    for (std::size_t k = first; k < std::min(first + count, order.size()); ++k) {
        const auto [data, size] = outcomes.bytes(order[k]);
        const Outcomes::Entry& entry = outcomes.entry(order[k]);
        rows.append(nb::make_tuple(as_bytes(data, size), entry.count, entry.violations));
    }
    return rows;
}

// For pickle: the width of the outcomes, and all fields, one after the other.
nb::tuple state_of(const Findings& f) {
    nb::list fields;
    fields.append(f.outcomes.width());
    fields.append(make_counters(f.counters));
#define XGEN_FINDING(rule, type, name, nothing) fields.append(nb::cast(f.name));
    XGEN_FINDINGS(XGEN_FINDING)
#undef XGEN_FINDING
    fields.append(packed(f.outcomes));
    return nb::tuple(fields);
}

void restore(Findings* self, const nb::tuple& state) {
    std::size_t place = 0;
    new (self) Findings(nb::cast<std::size_t>(state[place++]));
    self->counters = read_counters(nb::cast<Numbers>(state[place++]));
#define XGEN_FINDING(rule, type, name, nothing) self->name = nb::cast<type>(state[place++]);
    XGEN_FINDINGS(XGEN_FINDING)
#undef XGEN_FINDING
    add_packed(self->outcomes, nb::cast<nb::bytes>(state[place]));
}

void bind_findings(nb::module_& m) {
#define XGEN_FINDING(rule, type, name, nothing) #name,
    m.attr("FINDINGS") = std::vector<const char*>{XGEN_FINDINGS(XGEN_FINDING)};
#undef XGEN_FINDING
    nb::class_<Outcomes>(m, "Outcomes")
        .def(nb::init<std::size_t>(), "width"_a)
        .def("merge", add_packed, "packed"_a)
        .def("add", add_rows, "rows"_a)
        .def("rows", make_rows, "first"_a, "count"_a)
        .def("clear", &Outcomes::clear)
        .def_prop_ro("packed", packed)
        .def_prop_ro("memory", &Outcomes::memory)
        .def("__len__", &Outcomes::size);
    nb::class_<Findings>(m, "Findings")
        .def(nb::init<std::size_t>(), "width"_a)
        .def("merge", &Findings::merge, "other"_a)
        .def_prop_rw(
            "counters", [](const Findings& self) { return make_counters(self.counters); },
            [](Findings& self, const Numbers& counters) { self.counters = read_counters(counters); })
#define XGEN_FINDING(rule, type, name, nothing) .def_rw(#name, &Findings::name)
        XGEN_FINDINGS(XGEN_FINDING)
#undef XGEN_FINDING
        .def_ro("outcomes", &Findings::outcomes)
        .def("__getstate__", state_of)
        .def("__setstate__", restore);
    m.def(
        "together",
        [](const std::vector<Numbers>& each) {
            Counters all;
            for (const Numbers& one : each) all.merge(read_counters(one));
            return make_counters(all);
        },
        "counters"_a);
    m.def(
        "outcome_values",
        [](const nb::bytes& state) {
            std::vector<std::int64_t> values;
            const auto* byte = reinterpret_cast<const std::uint8_t*>(state.c_str());
            for (const auto* end = byte + state.size(); byte < end;) values.push_back(Outcomes::take(byte));
            return values;
        },
        "state"_a);
}

// address, size, root, silent, object, first, leads; spans: bytes, and cells with place and width
using LeakCell = std::tuple<std::int32_t, std::int32_t, std::int32_t>;
using LeakBlock = std::tuple<std::int64_t, std::int64_t, bool, bool, std::int32_t, std::int32_t, Ints,
                             std::vector<std::pair<nb::bytes, std::vector<LeakCell>>>>;

void look_for_leaks(Settings& settings, const std::vector<LeakBlock>& blocks, std::vector<std::int8_t> lifetimes,
                    std::int32_t unless) {
    settings.leaks = {{}, std::move(lifetimes), unless};
    for (const auto& [address, size, root, silent, object, first, leads, spans] : blocks) {
        Leaks::Block& block =
            settings.leaks.blocks.emplace_back(Leaks::Block{address, size, root, silent, object, first, leads, {}});
        for (const auto& [bytes, cells] : spans) {
            const auto* start = reinterpret_cast<const std::uint8_t*>(bytes.c_str());
            Leaks::Span& span = block.spans.emplace_back(Leaks::Span{{start, start + bytes.size()}, {}});
            for (const auto& [cell, place, width] : cells) span.cells.push_back({cell, place, width});
        }
    }
}

void bind_exploration(nb::module_& m) {
    nb::class_<Settings>(m, "Settings")
        .def(nb::init<>())
#define XGEN_FIELD(name) .def_rw(#name, &Settings::name)
        XGEN_FIELD(max_depth) XGEN_FIELD(all_states) XGEN_FIELD(waiting) XGEN_FIELD(locking) XGEN_FIELD(silent) XGEN_FIELD(in_order) XGEN_FIELD(liveness) XGEN_FIELD(trace_limit)
            XGEN_FIELD(stream) XGEN_FIELD(outcome_limit) XGEN_FIELD(outcome_pause) XGEN_FIELD(graph_pause) XGEN_FIELD(duplicate_limit) XGEN_FIELD(shown)
                XGEN_FIELD(shown_cells) XGEN_FIELD(renamings) XGEN_FIELD(generators) XGEN_FIELD(like) XGEN_FIELD(moved) XGEN_FIELD(names_counted) XGEN_FIELD(detours) XGEN_FIELD(partition) XGEN_FIELD(matters) XGEN_FIELD(alone) XGEN_FIELD(undefined) XGEN_FIELD(demanded)
                    XGEN_FIELD(call_ends) XGEN_FIELD(call_leads) XGEN_FIELD(call_total) XGEN_FIELD(releases) XGEN_FIELD(acquires)
#undef XGEN_FIELD
        .def("look_for_leaks", look_for_leaks, "blocks"_a, "lifetimes"_a, "unless"_a)
        .def_rw("judge", &Settings::judge, nb::arg().none())
        .def_rw("filtered", &Settings::filtered)
        .def_rw("lasting", &Settings::lasting, nb::arg().none());
    nb::class_<Exploration>(m, "Exploration")
        .def(nb::init<const Code&, const Plan&, const Settings&, int, const Ints&, const Ints&>(), "code"_a, "plan"_a,
             "settings"_a, "workers"_a, "path"_a, "rest"_a)
        .def_prop_ro("left",
                     [](Exploration& self) {
                         const Interval left = self.pool.left();
                         return std::pair(left.path, left.rest);
                     })
        .def_prop_ro("settled", [](Exploration& self) { return self.pool.settled(); })
        .def("run", &Exploration::run, "seconds"_a, "work"_a = nb::none(), nb::call_guard<nb::gil_scoped_release>())
        .def("branches", [](Exploration& self) { return self.pool.branches(); })
        .def("begin_probe", &Exploration::begin_probe, "seed"_a)
        .def("go_on", &Exploration::go_on, "seconds"_a, nb::call_guard<nb::gil_scoped_release>())
        .def_prop_ro("probe",
                     [](Exploration& self) {
                         const Probe& probe = self.pool.probe();
                         return std::tuple(probe.branches, probe.taken, probe.graphs);
                     })
        .def_prop_ro("reason", [](Exploration& self) { return self.pool.reason(); })
        .def_prop_ro("counters", [](Exploration& self) { return make_counters(self.pool.counters()); })
        .def_prop_ro("findings", &Exploration::findings)
        .def_prop_ro("culprit", [](Exploration& self) { return self.pool.halted().culprit; })
        .def_prop_ro("work", [](Exploration& self) { return self.pool.work_done(); })
        .def_prop_ro("outcome_count", [](Exploration& self) { return self.pool.outcome_count(); })
        .def_prop_ro("witness",
                     [](Exploration& self) -> std::optional<Trace> {
                         const Trace* witness = self.pool.witness();
                         return witness ? std::optional(*witness) : std::nullopt;
                     })
        .def("take_traces", [](Exploration& self) { return self.pool.take_traces(); });
}

}  // namespace

NB_MODULE(_core, m) {
    m.doc() = "The exploration engine.";
    nb::set_leak_warnings(false);  // the command line ends without a last look for garbage
    bind_enums(m);
    bind_input(m);
    bind_given(m);
    bind_traces(m);
    bind_findings(m);
    bind_exploration(m);
    // Enumerations take long to make, and a check needs none of these: they are made when one of them is asked for.
    m.def("real", &computed, nb::arg("operation"), nb::arg("a"), nb::arg("b"));
    m.def("__getattr__", [](nb::str name) {
        nb::module_ core = nb::module_::import_("xgen._core");
        nb::dict names = core.attr("__dict__");
        const std::string wanted = name.c_str();
        if (!wanted.starts_with("__") && !names.contains("StateOp")) {
            cubes::bind(core);
            symbolic::bind(core);
            states::bind(core);
        }
        if (!names.contains(name))
            throw nb::attribute_error(("module 'xgen._core' has no attribute '" + wanted + "'").c_str());
        return nb::object(names[name]);
    });
}
