"""Models that speak of dependencies and allow load buffering: what depends on what, and nothing out of thin air."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import xgen
from xgen.engine.sat.dependencies import taint, thin_air
from xgen.errors import InternalError, UnsupportedError

PROGRAMS = Path(__file__).parents[2] / "programs"
HEAD = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\natomic_int x, y, z, t[2]; int a, b;\n"
RELAXED = "memory_order_relaxed"


def load(place: str) -> str:
    return f"atomic_load_explicit(&{place}, {RELAXED})"


def store(place: str, value: str) -> str:
    return f"atomic_store_explicit(&{place}, {value}, {RELAXED});"


def program(*threads: str, after: str) -> str:
    bodies = "".join(f"void *f{n}(void *p) {{ {thread} return p; }}\n" for n, thread in enumerate(threads))
    starts = "".join(f"pthread_create(&t{n}, 0, f{n}, 0); " for n in range(len(threads)))
    joins = "".join(f"pthread_join(t{n}, 0); " for n in range(len(threads)))
    names = ", ".join(f"t{n}" for n in range(len(threads)))
    return f"{HEAD}{bodies}int main() {{ pthread_t {names}; {starts}{joins}{after} }}"


def both(text: str, model: str, **options: Any) -> tuple[str, str]:
    read, under = xgen.parse(text, "c", **options), xgen.model(model)
    return xgen.check(read, under, engine="sat").verdict, xgen.check(read, under).verdict


FIRST = f"int r = {load('x')}; a = r; "
BOUND = store("y", "(r & 0) + 1")
SECOND = f"int r = {load('y')}; b = r; "
SHAPES = [
    # what the second thread writes x by, whether it may be read before
    (store("x", "1"), "violation"),
    (store("x", "r"), "safe"),
    (store("x", "(r & 0) + 1"), "safe"),
    (f"if (r) {store('x', '1')}", "safe"),
    (f"if (r) z = 1; {store('x', '1')}", "safe"),
    (f"int s = 1; if (r) s = 2; {store('x', 's')}", "safe"),
    (f"int s = {load('t[r & 1]')}; {store('x', '1')}", "safe"),
    (f"int s = {load('t[r & 1]')}; {store('x', 's + 1')}", "safe"),
    (f"atomic_fetch_add_explicit(&x, r, {RELAXED});", "safe"),
    (f"atomic_exchange_explicit(&x, 1, {RELAXED});", "violation"),
    (f"int e = 0; atomic_compare_exchange_strong_explicit(&x, &e, 1, {RELAXED}, {RELAXED});", "violation"),
    (f"int s = r; if (z) s = 1; {store('x', 's')}", "safe"),
]


@pytest.mark.parametrize(("written", "verdict"), SHAPES)
def test_load_buffering(written: str, verdict: str) -> None:
    text = program(FIRST + BOUND, SECOND + written, after="assert(!(a == 1 && b == 1));")
    assert both(text, "arm8") == (verdict, verdict)


def test_what_is_read_may_go_around() -> None:
    """Under a model without dependencies, too: but nothing comes out of thin air."""
    free = program(FIRST + store("y", "1"), SECOND + store("x", "1"), after="assert(!(a == 1 && b == 1));")
    thin = program(FIRST + store("y", "r"), SECOND + store("x", "r"), after="x = y = 1; assert(!a && !b);")
    first = f"a = atomic_fetch_or(&x, {load('y')});"
    update = program(first, SECOND + store("y", load("x")), after="x = y = 1; assert(!b);")
    assert both(free, "coherence") == ("violation", "violation")
    assert both(thin, "coherence", map="none") == ("safe", "safe")
    assert both(update, "coherence", map="none") == ("safe", "safe")
    with pytest.raises(UnsupportedError, match="not seen to be coherent"):
        xgen.check(xgen.parse(free, "c"), xgen.model("any"), engine="sat")


def test_who_is_started_and_joined_needs_who_starts_and_joins_him() -> None:
    """A thread that is started on the way of a value does not make this value; nor does what comes behind a join."""
    head = f"{HEAD}void *f(void *p) {{ {store('y', '1')} return p; }}\n"
    other = f"void *g(void *p) {{ if ({load('y')}) {store('x', '1')} return p; }}\n"
    started = f"pthread_create(&q, 0, g, 0); if ({load('x')}) pthread_create(&p, 0, f, 0), a = 1;"
    started += " pthread_join(q, 0); x = y = 1;"
    text = f"{head}{other}int main() {{ pthread_t p, q; {started} assert(!a); }}"
    assert both(text, "coherence", map="none") == ("safe", "safe")
    waits = f"void *h(void *p) {{ while (!{load('x')}); return p; }}\n"
    joined = (
        f"pthread_create(&q, 0, g, 0); pthread_create(&p, 0, h, 0); pthread_join(p, 0); {store('y', '1')} assert(0);"
    )
    text = f"{head}{other}{waits}int main() {{ pthread_t p, q; {joined} }}"
    sat, explorer = both(text, "coherence", map="none")
    assert (sat, explorer) == ("vacuous", "vacuous")


def test_an_address_that_is_not_accessed_orders_nothing() -> None:
    """What is behind an access needs its address; not where the thread has taken another way."""
    around = f"int s = {load('z')}; if (s) {store('t[r & 1]', '5')} {store('x', '1')} t[0] = s;"
    for taken, verdict in (("0", "violation"), ("1", "safe")):
        after = f"assert(!(a == 1 && b == 1 && t[0] == {taken}));"
        text = program(FIRST + store("y", "r"), SECOND + around, store("z", "1"), after=after)
        for model in ("arm8", "riscv", "power"):
            read, under = xgen.parse(text, "c", map="none"), xgen.model(model)
            assert xgen.check(read, under, engine="sat").verdict == verdict, (taken, model)
            assert xgen.check(read, under).verdict == verdict, (taken, model)


LEFT_OUT = program(
    f"int s = {load('x')}; int r = s & 1; while (!{load('z')}) r = {load('t[0]')} | 1; {store('y', 'r')} a = s;",
    f"int r = {load('y')}; b = r; {store('x', 'r * 3')}",
    f"{store('t[0]', '1')} {store('z', '1')}",
    after="assert(!(a == 3 && b == 1));",
)
"""What is written depends on the last round of a loop, and would depend on what is before it without this round."""


def test_a_round_is_left_out_only_if_nothing_depends_on_more_then(monkeypatch: pytest.MonkeyPatch) -> None:
    read, under = xgen.parse(LEFT_OUT, "c", unroll=3), xgen.model("arm8")
    assert xgen.check(read, under, engine="sat").verdict == "violation"
    assert xgen.check(read, under).verdict == "violation"
    monkeypatch.setattr("xgen.engine.sat.unroll.lost", lambda *_: taint.FALSE)
    assert xgen.check(read, under, engine="sat").verdict == "safe"


def test_rounds_that_only_wait_need_no_bound() -> None:
    """Also where dependencies count: the verdict is exhaustive."""
    text = program(
        f"while (!{load('x')}); a = {load('y')};", f"{store('y', '1')} {store('x', '1')}", after="assert(a);"
    )
    found = xgen.check(xgen.parse(text, "c"), xgen.model("arm8"), engine="sat")
    assert found.verdict == "violation"
    fenced = text.replace(store("x", "1"), f"atomic_thread_fence(memory_order_release); {store('x', '1')}")
    fenced = fenced.replace("; a =", "; atomic_thread_fence(memory_order_acquire); a =")
    found = xgen.check(xgen.parse(fenced, "c"), xgen.model("arm8"), engine="sat")
    assert (found.verdict, found.exhaustive) == ("safe", True)
    path = PROGRAMS / "peterson_fenced.xcfa"  # a local that is read in each round, and nobody asks for in the end
    assert xgen.check(xgen.load(path), xgen.model("arm8"), engine="sat").verdict == "safe"


def test_values_out_of_thin_air_are_clauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where these clauses are missing, the replay sees that no order of events is left."""
    text = program(
        *(f"{read}if (r) {store(to, '1')}" for read, to in ((FIRST, "y"), (SECOND, "x"))),
        after="x = y = 1; assert(!a);",
    )
    read, under = xgen.parse(text, "c", map="none"), xgen.model("coherence")

    monkeypatch.setattr(thin_air.ThinAir, "failures", lambda *_: [])
    with pytest.raises(InternalError, match="out of nothing"):
        xgen.check(read, under, engine="sat")


@pytest.mark.parametrize("kind", ["addr", "data", "control"])
def test_the_replay_knows_dependencies_by_itself(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An execution that lacks one in the encoding is not confirmed."""
    written = {
        "addr": f"int s = {load('t[r & 1]')}; {store('x', '1')}",
        "data": store("x", "r"),
        "control": f"if (r) {store('x', '1')}",
    }
    text = program(FIRST + BOUND, SECOND + written[kind], after="assert(!(a == 1 && b == 1));")
    read, under = xgen.parse(text, "c"), xgen.model("arm8")
    monkeypatch.setattr("xgen.engine.sat.computing.joined", lambda *_: {})
    monkeypatch.setattr(thin_air.ThinAir, "failures", lambda *_: [])
    monkeypatch.setattr("xgen.engine.sat.accesses.Dependencies", lambda *_: taint.INDEPENDENT)
    with pytest.raises(InternalError, match=r"the model forbids it|out of nothing"):
        xgen.check(read, under, engine="sat")


WAITING = ("spinlock", "ticket", "peterson.", "peterson_us", "mp", "cow", "sb_", "double", "tickets", "ttas")
SHIPPED = [path for path in sorted(PROGRAMS.glob("*.xcfa")) if path.name.startswith(WAITING)]


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_programs(path: Path) -> None:
    read = xgen.load(path)
    for model in ("arm8", "riscv", "arm"):
        under = xgen.model(model)
        assert xgen.check(read, under, engine="sat").verdict == xgen.check(read, under).verdict, model


ALL = [(path, model) for path in sorted(PROGRAMS.glob("c/*.c")) for model in ("arm8", "power", "riscv")]


@pytest.mark.slow
@pytest.mark.parametrize(("path", "model"), ALL, ids=[f"{path.name}-{model}" for path, model in ALL])
def test_all_shipped_programs(path: Path, model: str) -> None:
    read, under = xgen.load(path, map={"arm8": "armv8"}.get(model, model)), xgen.model(model)
    try:
        found = xgen.check(read, under, engine="sat", timeout=15).verdict
    except UnsupportedError as refused:
        assert "--engine sat does not know" in refused.message  # noqa: PT017
        return
    wanted = xgen.check(read, under, timeout=15).verdict
    assert "interrupted" in (found, wanted) or found == wanted


RECURSIVE = """model "own"
fence = po(A -> F) ; po(F -> A)
rec steps = data(R -> A) | ctrl(R -> A) | rf & ext | others ; steps
and others = addr | addr ; po | fence | steps ; others
per_location = (po & loc) | rf | mo | fr
per_location acyclic as coherence
steps acyclic as order
"""


def test_a_relation_that_is_defined_by_itself() -> None:
    """Why a pair is in it goes back to the round in which it came."""
    own = xgen.parse_model(RECURSIVE)
    verdicts = set()
    for written, _ in SHAPES:
        text = program(FIRST + BOUND, SECOND + written, after="assert(!(a == 1 && b == 1));")
        read = xgen.parse(text, "c", map="none")
        found = xgen.check(read, own, engine="sat").verdict
        assert found == xgen.check(read, own).verdict, written
        verdicts.add(found)
    assert verdicts == {"safe", "violation"}
    sets = RECURSIVE + "rec seen = domain(rf) | range([seen] ; data)\nless = [seen] & rf\nless empty as odd\n"
    with pytest.raises(UnsupportedError, match="does not know a recursion of the constraint `odd`"):
        xgen.check(read, xgen.parse_model(sets), engine="sat")


def thread(draw: random.Random, number: int, buffers: bool) -> tuple[list[str], list[str]]:
    """The lines of a thread, and the variables that it reads into; `buffers`: it reads one variable, then writes."""
    lines: list[str] = []
    read: list[str] = []
    for step in range(2 if buffers else draw.choice([2, 3])):
        name, place = f"r{number}{step}", draw.choice("xy")
        if read and draw.random() < 0.2:
            place = f"t[{read[-1]} & 1]"
        value = draw.choice(["1", "2", *(f"{other} + 1" for other in read), *read])
        kinds = ["load"] if step == 0 else ["store", "if", "add", "cas", "exchange", "choice"]
        kind = draw.choice(kinds if buffers else ["load", "store", "if", "add", "cas", "fence"])
        order = draw.choice([RELAXED, RELAXED, "memory_order_acq_rel"])
        if kind == "load":
            lines.append(f"{name} = {load(place)};")
        elif kind == "store":
            lines.append(store(place, value))
        elif kind == "if":
            lines.append(f"if ({read[-1] if read else 1}) {{ {store(place, value)} }}")
        elif kind == "choice":
            lines.append(f"int c = 1; if ({read[-1]}) c = {value}; {store(place, 'c')}")
        elif kind == "add":
            lines.append(f"{name} = atomic_fetch_add_explicit(&{place}, {value}, {order});")
        elif kind == "exchange":
            lines.append(f"{name} = atomic_exchange_explicit(&{place}, {value}, {order});")
        elif kind == "cas":
            cas = f"atomic_compare_exchange_strong_explicit(&{place}, &e, {value}, {order}, {RELAXED})"
            lines.append(f"{{ int e = {draw.choice('01')}; {name} = {cas}; }}")
        else:
            lines.append("atomic_thread_fence(memory_order_seq_cst);")
        if kind in ("load", "add", "exchange", "cas"):
            read.append(name)
    return lines, read


def texts(seed: int) -> tuple[str, list[str]]:
    """A program without its last assertion, and the variables that this may speak of; of each second seed both threads
    read before they write."""
    draw = random.Random(seed)
    threads = [thread(draw, number, buffers=seed % 2 == 0) for number in range(2)]
    text = HEAD + "".join(f"int {name.upper()} = 7;\n" for _, read in threads for name in read)
    for number, (lines, read) in enumerate(threads):
        own = "".join(f"int {name} = 7; " for name in read)
        kept = " ".join(f"{name.upper()} = {name};" for name in read)
        text += f"void *f{number}(void *p) {{ {own}{' '.join(lines)} {kept} return p; }}\n"
    text += "int main() { pthread_t p, q; pthread_create(&p, 0, f0, 0); pthread_create(&q, 0, f1, 0);\n"
    names = [name.upper() for _, read in threads for name in read]
    return f"{text}pthread_join(p, 0); pthread_join(q, 0);\n", [*names, "x", "y", "t[0]", "t[1]"]


@pytest.mark.parametrize("seed", [0, 1, 2, 4, 6, 8, 10])
@pytest.mark.parametrize("mapped", [False, True])
def test_outcomes_one_by_one(seed: int, mapped: bool) -> None:
    """Of a random program, each final state that the explorer finds is found, and no other one."""
    text, names = texts(seed)
    models = [("arm8", {"map": "armv8"})] if mapped else [("arm8", {})]
    if mapped:
        models += [("power", {"map": "power"}), ("riscv", {"map": "riscv"}), ("arm", {"map": "armv7"})]
    for model, options in models:
        under = xgen.model(model)
        found = xgen.check(xgen.parse(text + "}", "c", **options), under, all_states=True)
        states = [" && ".join(f"{n} == {int(o.state[n])}" for n in names if n in o.state) for o in found.outcomes]
        for state in states[:4]:
            asserting = xgen.parse(f"{text} assert(!({state})); }}", "c", **options)
            assert xgen.check(asserting, under, engine="sat").verdict == "violation", (model, state)
        among = " || ".join(f"({state})" for state in states)
        every = xgen.parse(f"{text} assert({among}); }}", "c", **options)
        assert xgen.check(every, under, engine="sat").verdict == "safe", model


def dividing(seed: int, divisors: str) -> str:
    """Two processes that read, choose by a quotient or a remainder of what they have read, and write."""
    draw, text = random.Random(seed), "var x : int\nvar y : int\n"
    for number, (read, to) in enumerate(("xy", "yx")):
        dividend, operator = draw.choice(["r", "(r + 1)"]), draw.choice(["/", "mod"])
        test = f"{dividend} {operator} {draw.choice(divisors)} = {draw.choice([0, 1])}"
        other = draw.choice([f"not ({test})", "true"])
        ways = "".join(
            f"  B -> C {{ assume {condition}\n {draw.choice(['1', '2', 'r', 'r + 1'])} -> {to} }}\n"
            for condition in (test, other)
        )
        text += f"process p{number} {{\n  var r : int\n  init loc A\n  loc B\n  loc C\n  final loc D\n"
        text += f"  A -> B {{ r <- {read} }}\n{ways}  C -> D {{ assert not (r {draw.choice(['=', '>'])} 1) }}\n}}\n"
    return text


def test_choices_that_divide_by_constants() -> None:
    """A divisor that is a positive constant stops no thread, so that it decides nothing."""
    under, verdicts = xgen.model("arm8"), set()
    for seed in range(12):
        read = xgen.parse(dividing(seed, "123"), "xcfa")
        found = xgen.check(read, under, engine="sat").verdict
        assert found == xgen.check(read, under).verdict, seed
        verdicts.add(found)
    assert verdicts == {"safe", "violation"}
    with pytest.raises(UnsupportedError, match="choices of several conditions"):
        xgen.check(xgen.parse(dividing(0, "r"), "xcfa"), under, engine="sat")
