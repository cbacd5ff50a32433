"""C programs in which threads wait for ever, and like ones in which none does: who waits, at which line."""

from __future__ import annotations

import pytest
from c.running import HEAD, load, model, threads

import xgen

GRAB = "while (atomic_exchange(&{0}, 1)) {{}}"
LOCKS = "atomic_int a, b; int n;"
ASK = "if (atomic_load(&asked)) atomic_store(&told, 1);"
REPLY = "while (!atomic_load(&asked)) {} atomic_store(&told, 1);"
HEAR = "atomic_store(&asked, 1); while (!atomic_load(&told)) {}"
ENTER = "in{0} = 1; while (in{1}) {{}} in{0} = 0;"


def pair(first: str, second: str) -> str:
    grab = [GRAB.format(lock) for lock in (first, second)]
    return "\n".join([*grab, "n++;", f"atomic_store(&{second}, 0); atomic_store(&{first}, 0);"])


PROGRAMS = {
    # name: (the program, lines of what waits in the execution that is shown; none: nobody waits)
    "locks in two orders": (threads(pair("a", "b"), pair("b", "a"), before=LOCKS), 2),
    "locks in one order": (threads(pair("a", "b"), pair("a", "b"), before=LOCKS), 0),
    "who asks too early is not heard": (threads(ASK, HEAR, before="atomic_int asked, told;"), 1),
    "who waits to be asked hears it": (threads(REPLY, HEAR, before="atomic_int asked, told;"), 0),
    "it waits for what it does itself": (threads("while (!x) {} x = 1;", before="atomic_int x;"), 1),
    "it does it before": (threads("x = 1; while (!x) {}", before="atomic_int x;"), 0),
    "both want to enter": (threads(ENTER.format(0, 1), ENTER.format(1, 0), before="atomic_bool in0, in1;"), 2),
    "one gives way": (
        threads(ENTER.format(0, 1), "in1 = 1; if (!in0) n++; in1 = 0;", before="atomic_bool in0, in1; int n;"), 0
    ),
}  # fmt: skip


@pytest.mark.parametrize("mcm", ["sc", "tso", "rc11"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_who_waits_for_ever(name: str, mcm: str) -> None:
    text, waiting = PROGRAMS[name]
    options = {"map": "x86"} if mcm == "tso" else {}
    result = xgen.check(load(HEAD + text, **options), model(mcm), liveness=True)
    found = [] if result.witness is None else [v for v in result.witness.violations if v.kind == "await"]
    loops = [v for v in found if "loop" in v.message]
    assert (result.verdict, len(loops)) == ("violation" if waiting else "safe", waiting)
    assert all("while" in text.splitlines()[v.position.line - HEAD.count("\n") - 1] for v in loops)


def test_rounds_that_write_are_cut_by_the_bound() -> None:
    """Two threads enter again and again; in some execution both want to, in the first or in the second round."""
    again = "while (1) {{ {} }}"
    text = threads(again.format(ENTER.format(0, 1)), again.format(ENTER.format(1, 0)), before="atomic_bool in0, in1;")
    result = xgen.check(load(HEAD + text, unroll=2), model("rc11"), liveness=True)
    assert result.verdict == "violation"
    polite = text.replace("in1 = 1; while (in0) {}", "in1 = 1; while (in0) { in1 = 0; while (in0) {} in1 = 1; }")
    assert polite != text
    result = xgen.check(load(HEAD + polite, unroll=1), model("rc11"), liveness=True)
    assert result.verdict == "vacuous"


@pytest.mark.parametrize(("other", "warned"), [("trylock(&b)", True), ("lock(&b)", False)])
def test_tries_that_are_left_out(other: str, warned: bool) -> None:
    """What --liveness says of threads that give a mutex back and try again does not cover that they do so for ever."""
    text = (
        "pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;"
        "void *p(void *u) { for (;;) { pthread_mutex_lock(&a); if (!pthread_mutex_OTHER) break;"
        "  pthread_mutex_unlock(&a); } pthread_mutex_unlock(&b); pthread_mutex_unlock(&a); return 0; }"
        "int main(void) { pthread_t t, s; pthread_create(&t, 0, p, 0); pthread_create(&s, 0, p, 0);"
        "  pthread_join(t, 0); pthread_join(s, 0); }"
    ).replace("OTHER", other)
    result = xgen.check(load("#include <pthread.h>\n" + text), model("rc11"), liveness=True)
    assert result.verdict == ("safe-within-bound" if warned else "safe")
    assert len(result.left_out) == warned
