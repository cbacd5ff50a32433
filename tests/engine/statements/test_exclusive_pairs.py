"""Pairs of exclusive accesses with nothing between are updates: the executions are those of the pairs."""

from __future__ import annotations

import re
from random import Random

import pytest
from oracle.against import expected_executions
from oracle.compare import differences, key_of_execution
from oracle.enumerate import TooManyError
from oracle.expressions import Binary, Const, Expr, Local
from oracle.generators.buffering import buffering_program
from oracle.programs import (
    Assume,
    Block,
    Choice,
    Fence,
    Load,
    Program,
    Statement,
    Store,
    StoreExclusive,
    Thread,
    Variable,
)

import xgen
from xgen.engine.graphs.options import Options
from xgen.engine.graphs.run import Run
from xgen.engine.problem import Problem, problem
from xgen.frontends.mapping import MAPPINGS, compiled
from xgen.lowering.pairs import with_updates
from xgen.program import automaton as xcfa
from xgen.program.rewrite import parts
from xgen.records import replace

MACHINES = {"armv8": "arm8", "armv7": "arm", "power": "power", "riscv": "riscv"}
PAIR = "r <- load_exclusive(x); s <- store_exclusive(x, {}); assume s = 0"
FENCED = PAIR.replace("; s <-", "; fence; s <-")


@pytest.fixture(autouse=True)
def found_out_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether there is load buffering; not only where threads that run ahead are not done soon."""
    monkeypatch.setattr("xgen.engine.graphs.run.AHEAD", 0)


def process(*edges: str) -> xgen.Program:
    made = [edge if "->  " in edge else f"A ->  B {{ {edge} }}" for edge in edges]
    text = ["var x : int var y : int", "process p { var r : int var s : int init loc A loc F final loc B", *made, "}"]
    return xgen.parse("\n".join(text), "xcfa")


TABLE = {
    "an exchange": ([PAIR.format("1")], 1, 0),
    "what it writes is made of what it reads": ([PAIR.format("r + 1")], 1, 0),
    "another function of it": ([PAIR.format("1 - r")], 0, 1),
    "a fence between": ([FENCED.format("1")], 0, 1),
    "another cell": ([PAIR.replace("exclusive(x, ", "exclusive(y, ").format("1")], 0, 1),
    "one that may fail": ([PAIR.replace("s = 0", "true").format("1")], 0, 1),
    "one that may fail, and one that may not": (
        [PAIR.format("1") + "; r <- load_exclusive(x); s <- store_exclusive(x, 2)"],
        0,
        2,
    ),
    "its status is read": ([PAIR.format("1") + "; s -> y"], 0, 1),
    "no load": ([PAIR.format("1") + "; s <- store_exclusive(x, 2); assume s = 0"], 0, 2),
    "two, one of which has a fence in it": ([PAIR.format("1") + "; " + FENCED.format("2")], 1, 1),
    "a compare-exchange": (
        [
            "A ->  F { r <- load_exclusive(x) }",
            "F ->  B { assume r = 1; s <- store_exclusive(x, 2); assume s = 0 }",
            "F ->  B { assume r /= 1 }",
        ],
        1,
        0,
    ),
    "it writes what it has read": (
        [
            "A ->  F { r <- load_exclusive(x) }",
            "F ->  B { assume r = 1; s <- store_exclusive(x, r); assume s = 0 }",
            "F ->  B { assume r /= 1 }",
        ],
        0,
        1,
    ),
    "another way leads there": (
        [
            "A ->  F { r <- load_exclusive(x) }",
            "A ->  F { r <- y }",
            "F ->  B { assume r = 1; s <- store_exclusive(x, 2); assume s = 0 }",
            "F ->  B { assume r /= 1 }",
        ],
        0,
        1,
    ),
    "both ways may be open": (
        [
            "A ->  F { r <- load_exclusive(x) }",
            "F ->  B { assume r = 1; s <- store_exclusive(x, 2); assume s = 0 }",
            "F ->  B { assume r /= 2 }",
        ],
        0,
        1,
    ),
}


@pytest.mark.parametrize("name", TABLE)
def test_which_pairs_are_updates(name: str) -> None:
    edges, updates, stores = TABLE[name]
    made = with_updates(process(*edges))
    assert [sum(1 for _ in parts(made, (kind,))) for kind in (xcfa.Rmw, xcfa.StoreExclusive)] == [updates, stores]


def joins(asked: Problem) -> bool:
    return any(rmw.pair for rmw in asked.code.rmws)


def test_under_which_models_they_are() -> None:
    """Those that say that nobody writes between, and which executions are asked for, not what another model demands."""
    asked = process(PAIR.format("1"))
    for name in MACHINES.values():
        model = xgen.load_model(name)
        assert joins(problem(asked, model, private=True))
        may_fail = process(*TABLE["a compare-exchange"][0])
        assert joins(problem(may_fail, model, private=True)) == (name in ("arm8", "riscv"))
        assert not joins(problem(asked, model))
        assert not joins(problem(asked, model, private=True, reference=xgen.load_model("sc")))
        one = xgen.parse_model(f'model "{name}" "another"\na = (po & loc) | rf | mo | fr\na acyclic as coherence')
        assert not joins(problem(asked, one, private=True))
    assert not joins(problem(asked, xgen.load_model("weak"), private=True))


def random_pairs(rng: Random) -> Program:
    """Each thread reads what the one before it writes; most accesses are those of pairs, some of which are not next to
    each other."""
    cells = "xy" if rng.random() < 0.8 else "xyz"
    pick = rng.choice

    def value() -> Expr:
        return pick((Const(1), Const(2), Local("a"), Local("b"), Binary("+", Local("a"), Const(1))))

    def pair(cell: str) -> Block:
        load = Load("a", cell, order=pick((None, None, "acquire")), exclusive=True)
        store = StoreExclusive("s", cell, value(), order=pick((None, None, "release")))
        succeeds = Assume(Binary("=", Local("s"), Const(0)))
        if rng.random() < 0.3:
            wanted = pick((Local("b"), Const(0), Const(1)))
            fails: Block = (Assume(Binary("/=", Local("a"), wanted)),)
            return (load, Choice(((Assume(Binary("=", Local("a"), wanted)), store, succeeds), fails)))
        return (load, *([Fence(None)] if rng.random() < 0.05 else []), store, succeeds)

    threads = []
    for number, cell in enumerate(cells):
        following = cells[(number + 1) % len(cells)]
        body: list[Statement] = []
        body += pair(cell) if rng.random() < 0.6 else [Load("b", cell, order=pick((None, "acquire")))]
        if rng.random() < 0.3:
            body.append(Store(pick(cells), value()))
        body += pair(following) if rng.random() < 0.6 else [Store(following, value(), order=pick((None, "release")))]
        if rng.random() < 0.3:
            body += pick(([Fence(None)], [Load("b", following)], pair(cell), [Store(cell, Local("b"))]))
        threads.append(Thread(f"p{number}", tuple(map(Variable, "abs")), tuple(body)))
    return Program(tuple(map(Variable, cells)), tuple(threads), joined=True)


def with_procedures(program: xgen.Program) -> xgen.Program:
    """The program as those are that are read from C."""

    def made(process: xcfa.Process) -> xcfa.Process:
        main = xcfa.Procedure("run", True, (), (), process.locations, process.edges)
        return replace(process, locations=(), edges=(), procedures=(main,))

    return replace(program, processes=tuple(map(made, program.processes)))


def both(text: str, machine: str, monkeypatch: pytest.MonkeyPatch) -> list[Run]:
    """What is explored with pairs as updates, and as they are."""
    model = xgen.load_model(MACHINES[machine])
    asked = compiled(with_procedures(xgen.parse(text, "xcfa")), MAPPINGS[machine])
    options = Options(all_states=True, in_order=True, timeout=60.0)
    runs = [Run(problem(asked, model, private=True), options)]
    with monkeypatch.context() as context:
        context.setattr("xgen.engine.problem.are_updates", lambda _: False)
        runs.append(Run(problem(asked, model, private=True), options))
    assert not joins(runs[1].problem)
    for run in runs:
        run.finish()
    return runs


DEPENDENCIES = {
    "what it writes is made of what it reads": (
        ["r <- wrap(fetch_add(x, 1), 32); s <- x; s - s + 1 -> y", "r <- y; fence @ seq_cst; 5 -> x"],
        {"armv8": 4, "power": 4},
    ),
    "what it writes is not": (
        ["r <- exchange(x, 1); s <- x; s - s + 1 -> y", "r <- y; fence @ seq_cst; 5 -> x"],
        {"armv8": 5},
    ),
    "what it expects decides only whether it writes": (
        ["r <- z; t <- cas(x, r, 1); s <- x; u <- w[s]", "1 -> w[1]; fence @ seq_cst; 0 -> z"],
        {"armv8": 3, "riscv": 2},
    ),
    "whether it has succeeded decides what follows": (
        ["r <- cas(x, 0, 1); 1 -> y", "r <- y; fence @ seq_cst; s <- x"],
        {"armv8": 4, "riscv": 3},
    ),
    "what it has read decides what follows": (
        ["r <- cas(x, 5, 1); 1 -> y", "r <- y; fence @ seq_cst; 5 -> x"],
        {"armv8": 3, "riscv": 3, "power": 3},
    ),
}
"""Two threads, and how many executions there are: where a dependency were another one, there would be more or less."""


@pytest.mark.parametrize("name", DEPENDENCIES)
def test_dependencies_are_those_of_the_pair(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    bodies, machines = DEPENDENCIES[name]
    text = ["var x : int var y : int var z : int (7) var w : int[2]"]
    for number, body in enumerate(bodies):
        text.append(f"process p{number} {{ var r : int var s : int var t : int var u : int init loc A final loc B")
        text.append(f"A -> B {{ {body} }} }}")
    for machine, executions in machines.items():
        runs = both("\n".join(text), machine, monkeypatch)
        assert [run.core.counters["executions"] for run in runs] == [executions] * 2, machine


ROUNDS = [0, pytest.param(1000, marks=pytest.mark.slow)]


@pytest.mark.parametrize("start", ROUNDS)
@pytest.mark.parametrize("machine", MACHINES)
def test_random_pairs_have_the_executions_of_the_oracle(machine: str, start: int) -> None:
    model = xgen.load_model(MACHINES[machine])
    compared = joined = 0
    for seed in range(start, start + (12 if start == 0 else 80)):
        made = random_pairs(Random(seed))
        try:
            expected = [e for e in expected_executions(made, model, limit=1500) if e.kind == "complete"]
        except TooManyError:
            continue
        asked = xgen.parse(str(made), "xcfa")
        found = xgen.check(asked, model, all_states=True, trace_limit=4 * len(expected) + 50, classes="off").traces
        complete = (e for e in map(key_of_execution, found) if e.kind == "complete")
        assert (different := differences(expected, complete)) is None, f"{made}\n{different}"
        compared += 1
        joined += joins(problem(asked, model, private=True))
    assert compared > 8
    assert joined > compared / 2


@pytest.mark.parametrize("start", ROUNDS)
@pytest.mark.parametrize("machine", MACHINES)
def test_random_updates_have_the_executions_of_their_pairs(
    machine: str, start: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where it can be found out whether there is load buffering, and where threads run ahead."""
    found: set[tuple[bool, bool]] = set()
    for seed in range(start, start + (25 if start == 0 else 80)):
        text = re.sub(r"fetch_add\(\w, 1\)", r"wrap(\g<0>, 32)", buffering_program(Random(seed)))
        runs = both(text, machine, monkeypatch)
        for name in ("executions", "violations"):
            assert runs[0].core.counters[name] == runs[1].core.counters[name], text
        outcomes = [[(o.state, o.count) for o in run.outcomes()] for run in runs]
        assert outcomes[0] == outcomes[1], text
        found.add((runs[0].buffers, runs[0].unbuffered))
    assert found >= ({(True, False), (False, True)} if machine in ("armv8", "riscv") else {(False, False)})
