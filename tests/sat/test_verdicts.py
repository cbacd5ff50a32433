"""Verdicts by satisfiability, against those of the explorer."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from llvm.compiling import compiles

import xgen
from xgen.engine.sat import solving
from xgen.errors import TooLongError
from xgen.executions.result import Result

MODELS = ("sc", "tso", "rc11")
PROGRAMS = Path(__file__).parents[2] / "programs"
LARGE = {"bakery", "burns", "dekker", "dijkstra", "szymanski", "peterson_2rounds", "msqueue", "treiber", "chase_lev"}
"""The beginnings of the names of those that take seconds."""


def verdicts(program: xgen.Program, model: str) -> tuple[str, str]:
    under = xgen.model(model)
    return xgen.check(program, under, engine="sat").verdict, xgen.check(program, under).verdict


SMALL = [path for path in sorted(PROGRAMS.glob("*.xcfa")) if not path.stem.startswith(tuple(LARGE))]


@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.stem)
def test_shipped_programs(path: Path) -> None:
    program = xgen.load(path)
    for model in MODELS:
        found, wanted = verdicts(program, model)
        assert found == wanted, model


ALL = [
    *((path, model, {}) for path in sorted(PROGRAMS.glob("*.xcfa")) for model in MODELS),
    *((path, model, {}) for path in sorted(PROGRAMS.glob("c/*.c")) for model in ("sc", "rc11")),
    *((path, "tso", {"map": "x86"}) for path in sorted(PROGRAMS.glob("c/*.c"))),
]


@pytest.mark.slow
@pytest.mark.parametrize(("path", "model", "options"), ALL, ids=[f"{path.name}-{model}" for path, model, _ in ALL])
def test_all_shipped_programs(path: Path, model: str, options: dict[str, str]) -> None:
    """Where the explorer needs a bound, there is only one of the two answers."""
    program, under = xgen.load(path, **options), xgen.model(model)
    found = xgen.check(program, under, engine="sat", timeout=15).verdict
    try:
        wanted = xgen.check(program, under, timeout=10).verdict
    except TooLongError:  # the explorer says so itself where it is fast enough
        wanted = "interrupted"
    assert "interrupted" in (found, wanted) or found == wanted


CPP = ("chaselev", "monitor", "publication", "seqlock", "spinlock", "spsc", "treiber")
"""The beginnings of the names of those that do not take long."""
COMPILED = [path for path in sorted(PROGRAMS.glob("cpp/*.cpp")) if path.stem.removesuffix("_us") in CPP]


@compiles
@pytest.mark.slow
@pytest.mark.parametrize("path", COMPILED, ids=lambda path: path.stem)
def test_shipped_programs_in_cpp(path: Path) -> None:
    found, wanted = verdicts(xgen.load(path), "rc11-c20")
    assert found == wanted


@compiles
@pytest.mark.parametrize("seed", [300, 307])
def test_programs_that_clang_has_read(seed: int) -> None:
    """IR has its blocks in another order than the text has its statements."""
    text, names = texts(seed)
    for value in range(3):
        program = xgen.parse(f"{text} assert({names[-1]} != {value}); }}", "c", clang=True)
        found, wanted = verdicts(program, "rc11")
        assert found == wanted


PLACES = [
    (
        "init loc A loc C final loc F loc B loc D loc E A -> B { b <- y; } B -> D { assume a /= 1; b <- x; }"
        "C -> F { b <- x; } E -> F { a := b + 1; } B -> E { a := b + 1; } E -> F { assert a /= 0; }"
        "D -> E { assume a /= 1; b <- x; } C -> E { assume b /= 1; b <- x; }",
        "violation",
    ),
    (
        "init loc A loc D final loc F loc B loc E loc C A -> B { b := a + 2; } D -> E { 2 -> y; } C -> F { b <- x; }"
        "E -> F { assert a /= 2; } B -> E { a <- x; } E -> A { a <- x; assume a = 0; } B -> C { a := b + 1; }"
        "E -> F { assume a = 1; } A -> D { 2 -> y; } D -> F { b := a + 2; }",
        "violation",
    ),
    ("init loc A loc C loc B final loc D A -> B { a <- x; } B -> C { a := a + 1; } C -> D { assert a < 4; }", "safe"),
]


@pytest.mark.parametrize(("places", "verdict"), PLACES)
def test_the_order_in_which_a_program_is_written(places: str, verdict: str) -> None:
    """No way is lost, whichever place is named before which."""
    text = f"var x : int var y : int process p {{ var a : int var b : int {places} }} process q {{ 2 -> x; }}"
    program = xgen.parse(text)
    assert xgen.check(program, xgen.model("sc"), engine="sat").verdict == verdict
    assert xgen.check(program, xgen.model("sc"), max_depth=30).verdict == verdict


def thread(draw: random.Random, number: int) -> tuple[list[str], list[str]]:
    """The lines of a thread, and the variables that it reads into."""
    lines: list[str] = []
    read: list[str] = []
    for _ in range(draw.choice([2, 3])):
        variable, name = draw.choice("xy"), f"r{number}{len(read)}"
        order = draw.choice(["relaxed", "acquire", "seq_cst"])
        put = draw.choice(["relaxed", "release", "seq_cst"])
        value = draw.choice(["1", "2", *(f"{other} + 1" for other in read)])
        kind = draw.choice(["load", "load", "store", "store", "add", "cas", "fence"])
        if kind in ("load", "add", "cas"):
            read.append(name)
        if kind == "load":
            lines.append(f"{name} = atomic_load_explicit(&{variable}, memory_order_{order});")
        elif kind == "store":
            lines.append(f"atomic_store_explicit(&{variable}, {value}, memory_order_{put});")
        elif kind == "add":
            lines.append(f"{name} = atomic_fetch_add_explicit(&{variable}, 1, memory_order_acq_rel);")
        elif kind == "cas":
            lines.append(
                f"{{ int e = {draw.choice('01')}; {name} = atomic_compare_exchange_strong(&{variable}, &e, 2); }}"
            )
        else:
            lines.append(f"atomic_thread_fence(memory_order_{draw.choice(['seq_cst', 'acq_rel'])});")
        if read and draw.random() < 0.2:
            lines[-1] = f"if ({read[-1] if kind in ('store', 'fence') else '1'}) {{ {lines[-1]} }}"
    return lines, read


def texts(seed: int) -> tuple[str, list[str]]:
    """A program without its last assertion, and the variables that this may speak of."""
    draw = random.Random(seed)
    threads = [thread(draw, number) for number in range(2)]
    read = [name for _, names in threads for name in names]
    text = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\natomic_int x, y;\n"
    text += "".join(f"int {name} = 7;\n" for name in read)
    for number, (lines, _) in enumerate(threads):
        text += f"void *t{number}(void *a) {{ {' '.join(lines)} return a; }}\n"
    text += "int main() { pthread_t p, q; pthread_create(&p, 0, t0, 0); pthread_create(&q, 0, t1, 0);\n"
    return text + "pthread_join(p, 0); pthread_join(q, 0);\n", [*read, "x", "y"]


@pytest.mark.parametrize("seed", [0, 1, 2, 3, 4, 7])
def test_outcomes_one_by_one(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a random program, each final state that the explorer finds is found, and no other one. Of some, a constraint
    is said in clauses as soon as an answer breaks it."""
    monkeypatch.setattr(solving, "OFTEN", 1 + seed % 2 * 2)
    text, names = texts(seed)
    seen = set()
    for model in MODELS:
        under, options = xgen.model(model), {"map": "none"} if model == "tso" else {}
        program = xgen.parse(text + "}", "c", **options)
        outcomes = [outcome.state for outcome in xgen.check(program, under, all_states=True).outcomes]
        states = [" && ".join(f"{name} == {int(state[name])}" for name in names if name in state) for state in outcomes]
        assert all(states)
        for state in states[:5]:
            asserting = xgen.parse(f"{text} assert(!({state})); }}", "c", **options)
            assert xgen.check(asserting, under, engine="sat").verdict == "violation", (model, state)
        among = " || ".join(f"({state})" for state in states)
        every = xgen.parse(f"{text} assert({among}); }}", "c", **options)
        assert xgen.check(every, under, engine="sat").verdict == "safe", model
        seen.add(len(states))
    assert max(seen) > 1


@pytest.mark.parametrize("name", ["peterson", "peterson_us", "cow2r"])
@pytest.mark.parametrize("model", ["sc", "tso"])
def test_one_order_of_all_events(name: str, model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Clauses for a relation without cycles: the verdict stays, and no answer breaks the constraint any more."""
    program, under = xgen.load(PROGRAMS / f"{name}.xcfa"), xgen.model(model)
    lazy, eager = Answers(), Answers()
    for answers, often in ((lazy, 10**6), (eager, 1)):
        monkeypatch.setattr(solving, "OFTEN", often)
        answers.found = xgen.check(program, under, engine="sat")
    assert eager.found.verdict == lazy.found.verdict
    assert eager.answers <= lazy.answers or eager.answers < 10


class Answers:
    """What a check has found, and the answers of the solver that it took."""

    found: Result

    @property
    def answers(self) -> int:
        """Those of the solver."""
        assert self.found.sat is not None
        return self.found.sat.answers
