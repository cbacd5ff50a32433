"""The oracle itself: known counts, small cases worked out by hand, and machines that define sc and TSO otherwise."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from oracle import models
from oracle.buffers import machines
from oracle.compare import describe, differences
from oracle.enumerate import Execution, TooManyError, executions
from oracle.expressions import Binary, Conditional, Const, Expr, Local, Operator
from oracle.programs import (
    Assert,
    Assign,
    Assume,
    Block,
    Choice,
    Fence,
    Goto,
    Havoc,
    If,
    Indexed,
    Load,
    Program,
    Rmw,
    RmwOperation,
    Store,
    StoreExclusive,
    Thread,
    Variable,
    While,
)
from oracle.shrink import shrink
from oracle.strategies import DEFAULT, LOOPS, Features, random_program
from xgen.memory.algebra import Model

A, B = Local("a"), Local("b")
LOCALS = (Variable("a"), Variable("b"), Variable("c", "bool"))


def program(*bodies: Block, joined: bool = True) -> Program:
    """A program over x and y, with the locals a, b and c in each thread."""
    threads = tuple(Thread(f"P{number}", LOCALS, body) for number, body in enumerate(bodies))
    return Program((Variable("x"), Variable("y")), threads, joined)


def litmus(*threads: str) -> Program:
    """A program of accesses: `Wx1` stores 1 to x, `Rx` loads x into a local of its own, `F` is a fence."""
    bodies = []
    shared = sorted({access[1] for thread in threads for access in thread.split() if access != "F"})
    for thread in threads:
        body: list[Load | Store | Fence] = []
        for number, access in enumerate(thread.split()):
            if access == "F":
                body.append(Fence())
            elif access[0] == "W":
                body.append(Store(access[1], Const(int(access[2:]))))
            else:
                body.append(Load(f"r{number}", access[1]))
        bodies.append((tuple(body), tuple(Variable(s.local) for s in body if isinstance(s, Load))))
    return Program(
        tuple(Variable(name) for name in shared),
        tuple(Thread(f"P{number}", variables, body) for number, (body, variables) in enumerate(bodies)),
    )


def equal(local: Expr, value: int) -> Expr:
    """A comparison."""
    return Binary("=", local, Const(value))


def run(program: Program, model: Model | None = None, max_depth: int | None = None) -> list[Execution]:
    """All executions, which are seen to be different ones."""
    found = list(executions(program, model or models.any_execution(), max_depth))
    assert len(found) == len(set(found))
    return found


def reads(execution: Execution) -> tuple[object, ...]:
    """The values read, thread by thread."""
    return tuple(event.value for trace in execution.threads for event in trace.events if event.kind == "R")


def ends(found: list[Execution]) -> Counter[tuple[str, ...]]:
    """How often the threads ended how."""
    return Counter(tuple(trace.end for trace in execution.threads) for execution in found)


# Shapes of the literature, and the number of their executions under sc, tso, ra and coherence. The counts for CoRR and
# its kin, for SB, MP, LB, 2+2W and IRIW are those that GenMC's tests have.
SHAPES = {
    "SB": ("Wx1 Ry | Wy1 Rx", 3, 4, 4, 4),
    "SB+fences": ("Wx1 F Ry | Wy1 F Rx", 3, 3, 4, 4),
    "SB+fence": ("Wx1 F Ry | Wy1 Rx", 3, 4, 4, 4),
    "MP": ("Wx1 Wy1 | Ry Rx", 3, 3, 3, 4),
    "LB": ("Rx Wy1 | Ry Wx1", 3, 3, 3, 3),
    "S": ("Wx2 Wy1 | Ry Wx1", 3, 3, 3, 4),
    "R": ("Wx1 Wy1 | Wy2 Rx", 3, 4, 4, 4),
    "2+2W": ("Wx1 Wy2 | Wy1 Wx2", 3, 3, 4, 4),
    "WRC": ("Wx1 | Rx Wy1 | Ry Rx", 7, 7, 7, 8),
    "IRIW": ("Wx1 | Wy1 | Rx Ry | Ry Rx", 15, 15, 16, 16),
    "CoRR": ("Wx1 Wx2 | Rx Rx", 6, 6, 6, 6),
    "CoRR1": ("Wx1 Wx2 | Rx Rx | Rx Rx", 36, 36, 36, 36),
    "CoRR2": ("Wx1 | Wx2 | Rx Rx | Rx Rx", 72, 72, 72, 72),
    "CoWW": ("Wx1 Wx2", 1, 1, 1, 1),
    "CoWR": ("Wx1 Rx | Wx2", 3, 3, 3, 3),
    "CoRW": ("Rx Wx1 | Wx2", 3, 3, 3, 3),
    "readers(4)": ("Wx1 | Rx | Rx | Rx | Rx", 16, 16, 16, 16),
    "coherence(4)": ("Wx1 | Wx2 | Wx3 | Wx4", 24, 24, 24, 24),
    "same value": ("Wx1 Wx1 | Rx", 3, 3, 3, 3),
    "one thread": ("Wx1 Rx Wy1 Ry", 1, 1, 1, 1),
    "nothing": ("", 1, 1, 1, 1),
}
MODELS = (models.sc(), models.tso(), models.release_acquire(), models.coherence())


@pytest.mark.parametrize("name", SHAPES)
def test_known_counts(name: str) -> None:
    text, *counts = SHAPES[name]
    shape = litmus(*text.split("|"))
    assert [len(run(shape, model)) for model in MODELS] == counts


def test_unconstrained_executions_by_hand() -> None:
    """One writer of 1 and 2, one reader: 3 sources, 2 orders, but nothing keeps the orders apart."""
    found = run(litmus("Wx1 Wx2", "Rx"))
    assert len(found) == 6
    assert Counter(map(reads, found)) == {(0,): 2, (1,): 2, (2,): 2}


def test_cycles_in_po_and_rf_only_with_load_buffering() -> None:
    shape = litmus("Rx Wy1", "Ry Wx1")
    every = list(executions(shape, models.any_execution(), load_buffering=True))
    assert sorted(map(reads, every)) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert sorted(map(reads, run(shape))) == [(0, 0), (0, 1), (1, 0)]


def test_values_that_take_several_writes_to_come_about() -> None:
    step = (Load("a", "x"), Store("x", Binary("+", A, Const(1))))
    found = run(program(step * 2, step), models.sc())
    assert max(event.value or 0 for e in found for trace in e.threads for event in trace.events) == 3
    assert set(found) == machines.sc_executions(program(step * 2, step))


def test_out_of_thin_air_values_do_not_appear() -> None:
    copies = program((Load("a", "x"), Store("y", A)), (Load("a", "y"), Store("x", A)))
    assert {reads(e) for e in executions(copies, models.any_execution(), load_buffering=True)} == {(0, 0)}


def test_load_buffering_is_stopped_by_dependencies() -> None:
    """Nothing, a fence, data, control and a decision between expressions, on both sides of load buffering."""
    one = Binary("+", Binary("-", A, A), Const(1))
    sides: dict[str, Block] = {
        "nothing": (Store("y", Const(1)),),
        "fence": (Fence(), Store("y", Const(1))),
        "data": (Store("y", one),),
        "control": (If(equal(A, 0), (Fence(),)), Store("y", Const(1))),
        "decision": (Store("y", Conditional(equal(A, 0), Const(1), Const(1))),),
    }
    for name, side in sides.items():
        lb = program((Load("a", "x"), *side), (Load("a", "y"), Store("x", one)))
        both = (1, 1) in {reads(e) for e in executions(lb, models.no_thin_air(), load_buffering=True)}
        assert both is (name in ("nothing", "fence")), name
    fenced = program((Load("a", "x"), *sides["fence"]), (Load("a", "y"), Store("x", one)))
    assert (1, 1) not in {reads(e) for e in executions(fenced, models.arm(), load_buffering=True)}


@pytest.mark.parametrize(
    ("side", "buffered"),
    [
        ((Load("a", "x", exclusive=True), StoreExclusive("b", "x", A), Store("y", Binary("+", B, Const(1)))), True),
        (
            (Load("a", "x", exclusive=True), StoreExclusive("b", "x", A), Assume(equal(B, 0)), Store("y", Const(1))),
            True,
        ),
        ((Load("a", "x", exclusive=True), StoreExclusive("b", "x", A), Store("y", A)), False),
        ((Load("a", "x"), StoreExclusive("b", Indexed("t", 2, A), A), Store("y", B)), True),
        ((Load("a", "x"), StoreExclusive("b", "x", Binary("/", A, A)), Store("y", B)), False),
        ((Load("a", "x"), Load("b", Indexed("t", 2, A)), Store("y", Const(1))), False),
        ((Load("a", "x"), Store(Indexed("t", 2, A), A), Store("y", Const(1))), False),
        ((Load("a", "x"), Store("y", Const(1)), Load("b", Indexed("t", 2, A))), True),
        ((Load("a", "x"), Choice(((Load("b", Indexed("t", 2, A)),), ())), Store("y", Const(1))), True),
        ((Load("a", "x"), Choice(((Load("b", Indexed("t", 2, A)),),)), Store("y", Const(1))), False),
        ((Load("a", "x"), Choice(((Assume(equal(A, 0)),), ())), Store("y", Const(1))), False),
    ],
)
def test_what_depends_on_itself(side: Block, buffered: bool) -> None:
    """The success of a store exclusive depends on no value, its failure on no address; what follows an access does.

    The other thread copies y to x: does the load of x see what comes after it?
    """
    lb = program(side, (Load("a", "y"), Store("x", A)))
    lb = replace(lb, shared=(*lb.shared, Variable("t", size=2)))
    found = executions(lb, models.any_execution(), load_buffering=True)
    assert ((1, 1) in {(reads(e)[0], reads(e)[-1]) for e in found}) == buffered


def depends(*body: Block) -> list[tuple[list[int], list[int]]]:
    """Data and control dependencies of each event of a thread whose reads see 0."""
    (found,) = run(program(*body))
    return [(sorted(d.data), sorted(d.ctrl)) for d in found.threads[0].dependencies]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ((Load("a", "y"), Store("x", A)), [([], []), ([0], [])]),
        ((Load("a", "y"), Load("a", "y"), Store("x", A)), [([], []), ([], []), ([1], [])]),
        ((Load("a", "y"), Assign("b", A), Assign("a", Const(1)), Store("x", A)), [([], []), ([], [])]),
        ((Load("a", "y"), Assign("b", A), Store("x", Binary("*", B, Const(0)))), [([], []), ([0], [])]),
        ((Load("a", "y"), Assume(equal(A, 0)), Fence(), Load("b", "y")), [([], []), ([], [0]), ([], [0])]),
        ((Load("a", "y"), Assert(equal(A, 0)), Fence()), [([], []), ([], [0])]),
        ((Load("a", "y"), Havoc("b", A, A), Store("x", B)), [([], []), ([], [0])]),
        ((Load("a", "y"), Store("x", Binary("/", Const(0), Binary("+", A, Const(1))))), [([], []), ([0], [0])]),
        (
            (Load("a", "y"), Load("b", "y"), Store("x", Conditional(equal(A, 0), Const(1), B))),
            [([], []), ([], []), ([0, 1], [])],
        ),
        (
            (Load("a", "y"), Load("b", "y"), Choice(((Assume(equal(A, 1)), Assume(equal(B, 1))), ())), Fence()),
            [([], []), ([], []), ([], [0])],
        ),
        ((Load("a", "y"), Rmw("b", "fetch_add", "x", (A,)), Store("y", B)), [([], []), ([], []), ([0], []), ([1], [])]),
    ],
)
def test_dependencies(body: Block, expected: object) -> None:
    """A local is overwritten; guards that are looked at count, whether they hold or not."""
    assert depends(body) == expected


# --- Read-modify-writes ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("threads", "count"), [(1, 1), (2, 2), (3, 6), (4, 24)])
def test_updates_come_in_any_order(threads: int, count: int) -> None:
    for model in MODELS:
        assert len(run(program(*[(Rmw("a", "fetch_add", "x", (Const(1),)),)] * threads), model)) == count


def test_nothing_comes_between_the_halves_of_an_update() -> None:
    found = run(program((Rmw("a", "exchange", "x", (Const(5),)),), (Store("x", Const(3)),)))
    assert Counter(map(reads, found)) == {(0,): 1, (3,): 1}


def test_a_cas_that_fails_is_a_read() -> None:
    cas = Rmw("a", "cas", "x", (Const(0), Const(5)), ("acq_rel", "acquire"))
    first, second = sorted(run(program((cas,), (Store("x", Const(3)),)), models.sc()), key=reads)
    assert [event.tags for event in first.threads[0].events] == [{"acq_rel", "rmw"}] * 2
    assert [event.tags for event in second.threads[0].events] == [{"acquire", "failed"}]
    assert ends(run(program((cas,)), max_depth=1)) == {("bounded",): 1}


@pytest.mark.parametrize(
    ("operation", "old", "argument", "new"),
    [
        ("exchange", 3, 5, 5), ("fetch_add", 3, 5, 8), ("fetch_sub", 3, 5, -2), ("fetch_and", 6, -5, 2),
        ("fetch_or", 6, -7, -1), ("fetch_xor", 6, 3, 5), ("fetch_add", 2**63 - 1, 1, None),
    ],
)  # fmt: skip
def test_updates(operation: RmwOperation, old: int, argument: int, new: int | None) -> None:
    """The values that are written; what does not fit ends the thread after its read."""
    (found,) = run(program((Store("x", Const(old)), Rmw(None, operation, "x", (Const(argument),)))), models.sc())
    assert [event.value for event in found.threads[0].events] == ([old, old] if new is None else [old, old, new])
    assert found.violates is (new is None)


# --- How threads end ------------------------------------------------------------------------------------------------


def test_blocked() -> None:
    found = run(program((Load("a", "x"), Assume(equal(A, 1)), Store("y", Const(1))), (Store("x", Const(1)),)))
    assert ends(found) == {("blocked", "ended"): 1, ("ended", "ended"): 1}
    assert [len(e.threads[0].events) for e in found if e.kind == "blocked"] == [1]


def test_a_location_that_no_edge_leaves_blocks() -> None:
    assert ends(run(program((Goto("stuck"), Store("x", Const(1)))))) == {("blocked",): 1}


def test_errors_stop_their_thread_only() -> None:
    found = run(program((Assert(equal(A, 1)), Store("x", Const(1))), (Load("a", "x"), Goto("error")), (Goto("final"),)))
    assert ends(found) == {("error", "error", "ended"): 1}
    assert [len(trace.events) for trace in found[0].threads] == [0, 1, 0]
    assert found[0].violates
    assert found[0].kind == "complete"


@pytest.mark.parametrize(
    ("left", "op", "right", "value"),
    [
        (7, "/", 2, 3), (-7, "/", 2, -4), (7, "/", -2, -3), (-7, "/", -2, 4), (1, "/", 0, None),
        (-7, "mod", 2, 1), (-7, "mod", -2, 1), (-7, "rem", 2, 1), (-7, "rem", -2, -1), (1, "rem", 0, None),
        (2**62, "+", 2**62, None), (2**62, "-", -(2**62), None), (-(2**62), "-", 2**62, -(2**63)),
        (2**32, "*", 2**31, None), (-(2**63), "/", -1, None), (-(2**63), "mod", -1, 0),
    ],
)  # fmt: skip
def test_arithmetic(left: int, op: Operator, right: int, value: int | None) -> None:
    """Euclidean division; overflow and division by zero are errors of the thread, before its event."""
    found = run(program((Store("x", Binary(op, Const(left), Const(right))),)), max_depth=0 if value is None else 1)
    assert ends(found) == {("error" if value is None else "ended",): 1}
    assert [event.value for event in found[0].threads[0].events] == ([] if value is None else [value])


def test_a_bound_cuts_at_the_event_that_exceeds_it() -> None:
    body = (Store("x", Const(1)), Fence(), Goto("error"))
    assert ends(run(program(body), max_depth=1)) == {("bounded",): 1}
    assert ends(run(program(body), max_depth=2)) == {("error",): 1}
    assert ends(run(program(body), max_depth=0)) == {("bounded",): 1}


def test_loops_run_up_to_the_bound() -> None:
    """A thread waits for x = 1, reading up to three times: 0, 1 | 0 0, 1 | 0 0 0."""
    spin = program((While(equal(A, 0), (Load("a", "x"),)), Store("y", Const(1))), (Store("x", Const(1)),))
    found = run(spin, models.sc(), max_depth=3)
    assert Counter((reads(e), e.kind) for e in found) == {
        ((1,), "complete"): 1,
        ((0, 1), "complete"): 1,
        ((0, 0, 1), "bounded"): 1,
        ((0, 0, 0), "bounded"): 1,
    }
    with pytest.raises(ValueError, match="bound"):
        run(spin)


# --- Choices --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "choices"),
    [
        ((Havoc("a", Const(0), Const(2)),), [((0, 0),), ((0, 1),), ((0, 2),)]),
        ((Fence(), Havoc("c")), [((1, False),), ((1, True),)]),
        ((Choice(((), (Fence(),))),), [((0, 0),), ((0, 1),)]),
        ((Choice(((Assume(equal(A, 0)),), (Assume(equal(A, 1)),))),), [()]),
        ((Choice(((Assign("a", Const(1)), Assume(equal(A, 1))), (Assume(equal(A, 0)),))),), [((0, 0),), ((0, 1),)]),
        ((If(equal(A, 0), (Fence(),)),), [()]),
    ],
)
def test_choices(body: Block, choices: list[object]) -> None:
    found = run(program(body))
    assert sorted(e.threads[0].choices for e in found) == choices
    assert {e.kind for e in found} == {"complete"}


def test_no_enabled_edge_and_an_empty_range_block() -> None:
    assert ends(run(program((Choice(((Assume(equal(A, 1)),), (Assume(equal(A, 2)),))),)))) == {("blocked",): 1}
    assert ends(run(program((Havoc("a", Const(1), Const(0)),)))) == {("blocked",): 1}


def test_an_assume_after_an_event_blocks_its_edge_but_does_not_disable_it() -> None:
    choice = Choice(((Load("a", "x"), Assume(equal(A, 1))), (Fence(),)))
    assert ends(run(program((choice,)))) == {("blocked",): 1, ("ended",): 1}


def test_an_assume_after_a_choice_blocks_its_edge_but_does_not_disable_it() -> None:
    choice = Choice(((Havoc("a", Const(0), Const(1)), Assume(equal(A, 1))), (Fence(),)))
    assert ends(run(program((choice,)))) == {("blocked",): 1, ("ended",): 2}


def test_statements_on_edges_of_their_own_disable_nothing() -> None:
    choice = Choice(((Assign("a", Const(0)), Assume(equal(A, 1))), (Fence(),)))
    assert ends(run(program((choice,), joined=True))) == {("ended",): 1}
    assert ends(run(program((choice,), joined=False))) == {("blocked",): 1, ("ended",): 1}


def test_executions_that_differ_in_choices_alone() -> None:
    found = run(program((Havoc("a", Const(0), Const(1)), Load("b", "x")), (Store("x", Const(1)),)), models.sc())
    assert len(found) == 4
    assert sorted(Counter(e.seen_from_outside() for e in found).values()) == [2, 2]


# --- Text -----------------------------------------------------------------------------------------------------------


def test_text() -> None:
    text = program((Load("a", "x", "acq"), If(equal(A, 1), (Store("y", A),)), Fence("mfence"), Havoc("c")))
    expected = """\
var x : int
var y : int

main process P0 {
    var a : int
    var b : int
    var c : bool
    init loc L0
    final loc L1
    loc L2
    loc L3
    L0 -> L2 { a <- x @acq }
    L2 -> L3 { assume (a = 1); a -> y }
    L2 -> L3 { assume (not (a = 1)) }
    L3 -> L1 { fence[mfence]; havoc c }
}
"""
    assert str(text) == expected


# --- Random programs ------------------------------------------------------------------------------------------------


def counts_for_tso(fence: Fence) -> bool:
    """TSO gives a meaning to mfence alone."""
    return fence.tag == "mfence"


@pytest.mark.parametrize("seeds", [range(40), pytest.param(range(40, 6000), marks=pytest.mark.long)], ids=str)
@pytest.mark.parametrize("features", [DEFAULT, replace(DEFAULT, rmws=35)], ids=["plain", "rmw"])
def test_enumeration_against_machines(features: Features, seeds: range) -> None:
    """Sequential consistency and x86-TSO, as constraints and as machines, give the same executions."""
    compared = [check_against_machines(random_program(Random(seed), features)) for seed in seeds]
    assert sum(compared) >= 0.6 * len(compared)


def check_against_machines(program: Program) -> bool:
    """Compare the executions of a program, unless there are very many; whether it did."""
    try:
        sc = list(executions(program, models.sc(), limit=1000))
        tso = list(executions(program, models.tso(models.tagged("mfence")), limit=1000))
    except TooManyError:
        return False
    assert differences(machines.sc_executions(program), sc) is None, program
    assert differences(machines.tso_executions(program, counts_for_tso), tso) is None, program
    return True


def test_random_programs_have_everything() -> None:
    """Each kind of end, of statement and of text comes up; a seed always gives the same program."""
    texts = [str(random_program(Random(seed), features)) for seed in range(300) for features in (DEFAULT, LOOPS)]
    for word in ("fence[mfence]", "assume", "assert", "havoc", ":=", "error loc", "procedure", "bool", "@", "skip"):
        assert any(word in text for text in texts) is (word != "@"), word
    assert "@acq" in "".join(str(random_program(Random(s), Features(orders=("acq",)))) for s in range(20))
    assert str(random_program(Random(7))) == texts[14]


# --- Reports --------------------------------------------------------------------------------------------------------


def test_differences_are_shown() -> None:
    shape = litmus("Wx1", "Rx")
    first, second = sorted(run(shape), key=reads)
    assert differences([first, second], [second, first]) is None
    report = differences([first, second], [second, second]) or ""
    assert report.split("\n") == [
        "2 executions expected, 2 found",
        "missing: 1",
        "  1 x",
        "    thread 0: W x = 1 -> ended",
        "    thread 1: R x = 0 from init x -> ended",
        "    mo init x 0:0",
        "twice, or too often: 1",
        "  1 x",
        "    thread 0: W x = 1 -> ended",
        "    thread 1: R x = 1 from 0:0 -> ended",
        "    mo init x 0:0",
    ]
    assert "extra: 1" in (differences([first], [first, second]) or "")


def test_choices_are_shown() -> None:
    found = run(program((Havoc("a", Const(3), Const(3)),)))
    assert describe(found[0]) == ["  thread 0:  -> ended (chose 3 after 0)"]


def test_shrinking_leaves_what_matters() -> None:
    body = (Load("a", "x"), If(equal(A, 0), (Choice(((Store("y", B),), (Fence(),))), Fence())), Assume(equal(A, 0)))
    small = shrink(program((Fence(),), body), lambda p: "-> y" in str(p))
    assert [thread.body for thread in small.threads] == [(Store("y", B),)]
