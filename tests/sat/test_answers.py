"""What a verdict by satisfiability says: inputs, ends of threads, bounds, what goes wrong, what is refused."""

from __future__ import annotations

from typing import Any

import pytest

import xgen
from xgen.engine.sat import decide, replay, solving
from xgen.errors import InternalError, LimitError, UnsupportedError, UsageError
from xgen.executions.result import Result

HEAD = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
pthread_mutex_t m, n;
int x, y;
atomic_int a, b;
"""
IDLE = "void *g(void *p) { return p; }"
SAME = "void *g(void *p) { return f(p); }"
START = "int main() { pthread_t p, q; pthread_create(&p, 0, f, 0); pthread_create(&q, 0, g, 0);"
JOIN = "pthread_join(p, 0); pthread_join(q, 0);"


def by_sat(text: str, model: str = "rc11", **options: Any) -> Result:
    program = xgen.parse(HEAD + text, "c", any_input=True, **options)
    return xgen.check(program, xgen.model(model), engine="sat")


INPUTS: list[tuple[str, str]] = [
    ("int v = __VERIFIER_nondet_int(); assert(v * 7 + 3 != 1000000);", "violation"),
    ("int v = __VERIFIER_nondet_int(); assert(v % 7 < 7);", "safe"),
    ("int v = __VERIFIER_nondet_int(); assert(v % 7 < 6);", "violation"),
    ("int v = __VERIFIER_nondet_uchar(); assert(v >= 0 && v <= 255);", "safe"),
    ("int v = __VERIFIER_nondet_uchar(); assert(v < 255);", "violation"),
    ("unsigned long v = __VERIFIER_nondet_ulong(); assert(v / 3 <= 6148914691236517205ul);", "safe"),
    ("unsigned long v = __VERIFIER_nondet_ulong(); assert(v / 3 < 6148914691236517205ul);", "violation"),
    ("unsigned long v = __VERIFIER_nondet_ulong(); assert(v + 1 > v);", "violation"),
    ("int v = __VERIFIER_nondet_int(); int w = v; if (v > w) assert(0);", "safe"),
    ("int v = __VERIFIER_nondet_int(); int t[3] = {1, 2, 3}; if (v >= 0 && v < 3) assert(t[v] == v + 1);", "safe"),
    ("int v = __VERIFIER_nondet_int(); int t[3] = {1, 2, 3}; if (v >= 0 && v <= 3) x = t[v];", "violation"),
    ("int v = __VERIFIER_nondet_int(); if (v != 0) x = 10 / (v - 5);", "violation"),
    ("int v = __VERIFIER_nondet_int(); assert((v << 1) / 2 == v);", "violation"),
    ("int v = __VERIFIER_nondet_int(); assert(((v ^ 5) ^ 5) == v && (v & 0xff) < 256);", "safe"),
]


@pytest.mark.parametrize(("text", "verdict"), INPUTS, ids=[text[-40:] for text, _ in INPUTS])
def test_inputs_of_a_whole_type(text: str, verdict: str) -> None:
    assert by_sat(f"int main() {{ {text} }}").verdict == verdict


def test_the_inputs_of_a_violation_are_told() -> None:
    found = by_sat("int main() {\n int v = __VERIFIER_nondet_int();\n assert(v != 123456789); }")
    assert found.warnings == ("note: main gets 123456789 at line 13",)
    wide = by_sat(
        "int main() {\n unsigned long v = __VERIFIER_nondet_ulong();\n assert(v != 18446744073709551615ul); }"
    )
    assert wide.warnings == ("note: main gets -1 (without a sign 18446744073709551615) at line 13",)


def test_a_range_is_one_here_too() -> None:
    text = "int main() { int v = __VERIFIER_nondet_int(); assert(v != 5); }"
    assert by_sat(text, nondet=(0, 4)).verdict == "safe"
    assert by_sat(text, nondet=(0, 5)).verdict == "violation"


ENDS: list[tuple[str, str, str | None]] = [
    # two mutexes, in two orders
    (
        "void *f(void *p) { pthread_mutex_lock(&m); pthread_mutex_lock(&n); pthread_mutex_unlock(&n);"
        "pthread_mutex_unlock(&m); return p; }"
        "void *g(void *p) { pthread_mutex_lock(&n); pthread_mutex_lock(&m); pthread_mutex_unlock(&m);"
        f"pthread_mutex_unlock(&n); return p; }} {START} {JOIN} }}",
        "violation",
        "deadlock",
    ),
    # in one
    (
        "void *f(void *p) { pthread_mutex_lock(&m); pthread_mutex_lock(&n); x++; pthread_mutex_unlock(&n);"
        f"pthread_mutex_unlock(&m); return p; }} {SAME} {START} {JOIN} }}",
        "safe",
        None,
    ),
    # a thread that ends with a mutex
    (
        f"void *f(void *p) {{ pthread_mutex_lock(&m); return p; }} {SAME} {START} {JOIN} }}",
        "violation",
        "deadlock",
    ),
    (
        f"void *f(void *p) {{ pthread_mutex_unlock(&m); return p; }} {IDLE} {START} {JOIN} }}",
        "violation",
        "unlock",
    ),
    # nobody writes what they wait for
    ("int main() { while (!atomic_load(&a)); }", "vacuous", None),
    ("int main() { int *p = &x; int k; x = k; }", "violation", "uninitialised"),
    (f"void *f(void *p) {{ x = 1; return p; }} {SAME} {START} }}", "violation", "race"),
    (
        f"void *f(void *p) {{ x = 1; return p; }} void *g(void *p) {{ y = 1; return p; }} {START} {JOIN} x = 2; }}",
        "safe",
        None,
    ),
    # a loop that writes, with inputs
    ("int main() { int v = __VERIFIER_nondet_int(); while (v > 0) { x = x + 1; v--; } }", "safe-within-bound", None),
    (
        "int main() { int v = __VERIFIER_nondet_int(); while (v > 0) { x++; v--; assert(x < 3); } }",
        "violation",
        "assertion",
    ),
    ("int main() { for (int i = 0; i < 30; i++) x = x + i; assert(x == 435); }", "safe", None),
    ("int main() { x = 2147483647; x++; assert(x > 0); }", "violation", "assertion"),
]


@pytest.mark.parametrize(("text", "verdict", "kind"), ENDS)
def test_what_goes_wrong(text: str, verdict: str, kind: str | None) -> None:
    found = by_sat(text)
    assert found.verdict == verdict
    assert (found.witness.violations[0].kind if found.witness else None) == kind
    if "nondet" not in text:
        program = xgen.parse(HEAD + text, "c")
        assert xgen.check(program, xgen.model("rc11")).verdict == verdict


def test_a_bound_says_where_it_stops() -> None:
    text = "int main() {\n int v = __VERIFIER_nondet_int();\n while (v > 0) {\n x = x + 1;\n v--; } }"
    found = by_sat(text)
    assert (found.verdict, found.exhaustive, found.cut) == ("safe-within-bound", False, True)
    assert found.warnings == ("the bound on rounds stops a thread at line 14: --unroll N allows N rounds",)
    two = by_sat(text, unroll=2)
    assert two.verdict == "safe-within-bound"
    assert by_sat(text.replace("} }", "assert(x < 3); } }"), unroll=2).verdict == "safe-within-bound"
    assert by_sat(text.replace("} }", "assert(x < 3); } }"), unroll=3).verdict == "violation"
    assert by_sat(text.replace("} }", "assert(x < 9); } }"), unroll=10).verdict == "violation"


def test_overflow_where_it_is_asked_for() -> None:
    text = "int main() { int v = __VERIFIER_nondet_int(); x = v + 1; }"
    assert by_sat(text).verdict == "safe"
    found = by_sat(text, overflow=True)
    assert found.witness is not None
    assert found.witness.violations[0].kind == "overflow"


def test_updates_are_what_they_are() -> None:
    """Of each kind, beside another thread that adds one."""
    for update in ("fetch_add(&a, 3)", "fetch_sub(&a, 3)", "fetch_and(&a, 6)", "fetch_or(&a, 6)", "fetch_xor(&a, 6)",
                   "exchange(&a, 9)"):  # fmt: skip
        text = (
            f"void *f(void *p) {{ b = atomic_{update}; return p; }}"
            f"void *g(void *p) {{ atomic_fetch_add(&a, 1); return p; }} {START} {JOIN}"
        )
        program = xgen.parse(f"{HEAD}{text} }}", "c")
        states = [o.state for o in xgen.check(program, xgen.model("rc11"), all_states=True).outcomes]
        values = {(int(state["a"]), int(state["b"])) for state in states}
        for a, b in sorted(values)[:1]:
            assert by_sat(f"{text} assert(!(a == {a} && b == {b})); }}").verdict == "violation", update
        among = " || ".join(f"(a == {a} && b == {b})" for a, b in values)
        assert by_sat(f"{text} assert({among}); }}").verdict == "safe", update


REFUSED: list[tuple[str, str, str, dict[str, Any]]] = [
    ("int main() {\n while (pthread_mutex_trylock(&m)); }", "rc11", "loops that try to lock a mutex", {}),
    (
        "pthread_barrier_t z; int main() {\n pthread_barrier_init(&z, 0, 1); pthread_barrier_wait(&z); }",
        "rc11",
        "barriers",
        {},
    ),
    (
        f"void *f(void *p) {{ x = 1; return p; }} void *g(void *p) {{ a = 1; return p; }} {START}\n"
        "if (a) { pthread_join(p, 0); } x = 2; }",
        "rc11",
        "joins that some ways go around",
        {},
    ),
    ("double d; int main() {\n d = __VERIFIER_nondet_int() / 2.0; a = d; }", "rc11", "floating point numbers", {}),
    ("int main() {\n a = 1; }", "lkmm", "a recursion of the constraint", {"map": "none"}),
    ("int main() {\n free(malloc(4)); }", "arm8", "allocated objects under models such as arm8", {"map": "armv8"}),
]


@pytest.mark.parametrize(("text", "model", "what", "options"), REFUSED, ids=[what for _, _, what, _ in REFUSED])
def test_refused_by_name_and_place(text: str, model: str, what: str, options: dict[str, Any]) -> None:
    with pytest.raises(UnsupportedError, match="--engine sat does not know") as raised:
        by_sat(text, model, **options)
    assert what in raised.value.message
    assert raised.value.position is not None
    assert raised.value.hint


def test_other_refusals() -> None:
    litmus = "X86 SB\n{}\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\nforall (x=1)"
    with pytest.raises(UnsupportedError, match="does not know conditions on final states yet"):
        xgen.check(xgen.parse(litmus, "litmus"), xgen.model("tso"), engine="sat")
    blocks = "var x : int process p { atomic { 1 -> x; 2 -> x; } }"
    with pytest.raises(UnsupportedError, match="does not know atomic blocks yet"):
        xgen.check(xgen.parse(blocks), xgen.model("sc"), engine="sat")
    odd = 'model "odd"\norder = po | rf | mo | fr\norder acyclic as sc\n'
    odd += "less = order \\ (rf ; po)\nless irreflexive as odd"
    with pytest.raises(UnsupportedError, match="what `odd` of odd takes out of a relation"):
        xgen.check(xgen.parse("var x : int process p { 1 -> x; }"), xgen.parse_model(odd), engine="sat")
    with pytest.raises(UsageError, match="explores no executions"):
        xgen.check(xgen.load("mp"), xgen.model("sc"), engine="sat", max_depth=3)


def test_without_the_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pysat.solvers", None)
    with pytest.raises(UsageError, match="`--engine sat` needs python-sat") as raised:
        by_sat("int main() {}")
    assert "pip install 'python-sat" in str(raised.value.hint)


def test_what_the_core_does_not_confirm_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """An encoding that forgets what the model asks, or what an update is, is found out."""
    text = (
        f"void *f(void *p) {{ a = 1; x = b; return p; }} void *g(void *p) {{ b = 1; y = a; return p; }} {START} {JOIN}"
    )
    text += " assert(x || y); }"
    assert by_sat(text).verdict == "safe"
    monkeypatch.setattr(solving.Graph, "failures", lambda *_: [])
    with pytest.raises(InternalError, match=r"the core does not confirm .* the model forbids it"):
        by_sat(text)


def test_a_way_that_the_program_does_not_have(monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine runs each thread: it writes something else than the solver was told."""
    text = "int main() { int v = __VERIFIER_nondet_int(); x = v + 1; assert(x != 8); }"
    assert by_sat(text).verdict == "violation"
    real = replay.Replay._value
    monkeypatch.setattr(replay.Replay, "_value", lambda self, event: real(self, event) + (event.thread >= 0))
    with pytest.raises(InternalError, match=r"does not go the way|is not written there"):
        by_sat(text)


def test_fewer_rounds_where_there_are_many_events(monkeypatch: pytest.MonkeyPatch) -> None:
    loop = "while (v > 0) { a++; v--; "
    text = f"int main() {{ int v = __VERIFIER_nondet_int(); {loop * 2} {'}' * 2} }}"
    events = []
    for rounds in (((3, 400),), ((3, 15), (2, 1000))):
        monkeypatch.setattr(decide, "ROUNDS", rounds)
        found = by_sat(text)
        assert (found.verdict, found.exhaustive) == ("safe-within-bound", False)
        assert found.sat is not None
        events.append(found.sat.events)
    assert events[0] > events[1]
    monkeypatch.setattr(decide, "ROUNDS", ((3, 15),))
    with pytest.raises(LimitError, match="more than 15 events are too many"):
        by_sat(text)


def test_like_threads_in_one_order_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "OFTEN", 10**6)  # so that the answers are many
    twice = "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);"
    text = f"void *f(void *p) {{ for (int i = 0; i < 2; i++) {{ {twice} }} return p; }}"
    start = "int main() { pthread_t t[3]; for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, f, 0);"
    start += "for (int i = 0; i < 3; i++) pthread_join(t[i], 0);"
    answers = {}
    for asserted in ("x == 6", "x != 6"):
        program = xgen.parse(f"{HEAD}{text}{start} assert({asserted}); }}", "c")
        for symmetry in (True, False):
            found = xgen.check(program, xgen.model("sc"), engine="sat", symmetry=symmetry)
            assert found.sat is not None
            answers[asserted, symmetry] = found.sat.answers
            assert found.verdict == ("safe" if asserted == "x == 6" else "violation")
    assert answers["x == 6", True] < answers["x == 6", False]


NESTED = "int f(int n) { return atomic_load(&a) ? n : f(n + 1) + 1; } void *g(void *p) { f(0); return p; }"
ENDS: list[tuple[str, str, str]] = [
    ("xcfa", "1 -> x; assume a = 1; 2 -> x;", "blocked"),
    ("xcfa", "1 -> x; havoc a in 3 .. 2; 2 -> x;", "blocked"),
    ("xcfa", "init loc A loc B final loc C A -> B { 1 -> x } A -> C { assume a = 1 }", "blocked"),
    ("xcfa", "1 -> x; havoc a in 2 .. 3;", "ended"),
    ("c", f"{NESTED} int main() {{ pthread_t t; pthread_create(&t, 0, g, 0); b = 1; assert(0); }}", "bounded"),
]


@pytest.mark.parametrize(("language", "text", "end"), ENDS)
def test_how_the_threads_beside_a_violation_end(language: str, text: str, end: str) -> None:
    """As in the explorer's executions."""
    other = "process q { var r : int r <- x; assert r = 0; }"
    text = f"var x : int process p {{ var a : int {text} }} {other}" if language == "xcfa" else HEAD + text
    program = xgen.parse(text, language)
    for options in ({}, {"engine": "sat"}):
        witness = xgen.check(program, xgen.model("sc"), **options).witness
        assert witness is not None
        assert witness.ends[0 if language == "xcfa" else 1] == end


def test_who_has_no_answer_is_told_of_the_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there are many executions, and the solver knows the program, the model and the other options."""
    monkeypatch.setattr("xgen.analyses.check.check.MANY", 100)
    program = xgen.parse(
        "var x : int process p[7] { var r : int r <- x; r + 1 -> x; r <- x; assert r < 90; r + 1 -> x; }"
    )
    told = "note: a solver may have an answer where there are so many executions: --engine sat (docs/sat.md)"
    assert told in xgen.check(program, xgen.model("sc"), timeout=0.5).warnings
    for model, options in (("any", {}), ("sc", {"classes": "off"}), ("sc", {"max_depth": 30})):
        assert told not in xgen.check(program, xgen.model(model), timeout=0.5, **options).warnings
