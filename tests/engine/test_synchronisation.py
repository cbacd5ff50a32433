"""What starting and joining threads, mutexes and updates mean under each shipped model (docs/models.md).

Each shape asks for one final state, and lists the models that allow it. The verdicts are worked out by hand: for tso
from Intel's manual, for pso from SPARC's, for ra and rc11 from C11 (7.26.4, 7.26.5), where starting, joining and
mutexes synchronise and do nothing else, for lkmm from its spin_lock. For processors they are system calls, full
barriers.
"""

from __future__ import annotations

import pytest

import xgen
from xgen.program.printer import print_program

MODELS = "sc tso pso ra rc11 lkmm weak weak-a9 nofence arm8 arm power riscv coherence any"
WEAKEST = {"lkmm": "once"}
"""The ordering of an access of which nothing is said, where it is not relaxed."""

START = "p: 1 -> x; start c; r <- y | c: skip | q: 1 -> y; fence; r <- x"
JOIN = "p: 1 -> x; join c; r <- y | c: skip | q: 1 -> y; fence; r <- x"
LOCKED = "p: 1 -> x; lock(m); unlock(m); r <- y | q: 1 -> y; lock({0}); unlock({0}); r <- x"
READER = "r <- y; fence; s <- x"
BOTH_SEE_0 = {"p:r": 0, "q:r": 0}
STALE = {"q:r": 1, "q:s": 0}

SHAPES: dict[str, tuple[str, dict[str, int], str]] = {
    # name: (the threads, a final state, the models that allow it)
    "SB across a start": (START, BOTH_SEE_0, "ra rc11 nofence coherence any"),
    "SB across a join": (JOIN, BOTH_SEE_0, "ra rc11 nofence coherence any"),
    "SB across two mutexes": (LOCKED.format("n"), BOTH_SEE_0, "ra rc11 lkmm nofence coherence any"),
    "SB across one mutex": (LOCKED.format("m"), BOTH_SEE_0, "nofence coherence any"),
    "MP in a critical section": (
        "p: lock(m); 1 -> x; 1 -> y; unlock(m) | q: lock(m); r <- y; s <- x; unlock(m)", STALE, "nofence coherence any",
    ),
    "a started thread sees what comes before": ("p: 1 -> x; start c | c: r <- x", {"c:r": 0}, "any"),
    "who joins a thread sees what it did": ("p: join c; r <- x | c: 1 -> x", {"p:r": 0}, "any"),
    # The order that a start brings goes on only if what carries it on does so by itself.
    "MP by a started thread": (
        f"p: 1 -> x; start c | c: 1 -> y | q: {READER}", STALE, "rc11 nofence coherence any",
    ),
    "MP by a started thread, released": (
        f"p: 1 -> x; start c | c: 1 -> y @ release | q: {READER}", STALE, "nofence coherence any",
    ),
    "MP by a started thread, with the starter's fence": (
        f"p: 1 -> x; fence @ release; start c | c: 1 -> y | q: {READER}", STALE, "rc11 nofence coherence any",
    ),
    "MP by who joins a thread": (
        f"p: join c; 1 -> y | c: 1 -> x | q: {READER}", STALE, "rc11 nofence coherence any",
    ),
    "MP by who joins the reader, with its fence": (
        "p: 1 -> x; fence @ release; 1 -> y | c: s <- y | q: join c; fence @ acquire; r <- x", {"c:s": 1, "q:r": 0},
        "rc11 nofence coherence any",
    ),
    "a release sequence does not go on in a started thread": (
        f"p: 1 -> x; 1 -> y @ release; start c | c: 2 -> y | q: {READER}", {"q:r": 2, "q:s": 0},
        "rc11 nofence coherence any",
    ),
    # Updates
    "SB across updates": (
        "p: 1 -> x; exchange(a, 1); r <- y | q: 1 -> y; exchange(b, 1); r <- x", BOTH_SEE_0,
        "pso ra rc11 lkmm weak weak-a9 nofence arm8 arm power riscv coherence any",
    ),
    "SB across updates that fail": (
        "p: 1 -> x; cas(a, 7, 8); r <- y | q: 1 -> y; cas(b, 7, 8); r <- x", BOTH_SEE_0,
        "pso ra rc11 lkmm weak weak-a9 nofence arm8 arm power riscv coherence any",
    ),
    "SB across additions that fail": (
        "p: 1 -> x; add_unless(a, 1, 0); r <- y | q: 1 -> y; add_unless(b, 1, 0); r <- x", BOTH_SEE_0,
        "pso ra rc11 lkmm weak weak-a9 nofence arm8 arm power riscv coherence any",
    ),
    "SB across stbar and updates that fail": (
        "p: 1 -> x; fence stbar; cas(a, 7, 8); r <- y | q: 1 -> y; fence stbar; cas(b, 7, 8); r <- x", BOTH_SEE_0,
        "nofence coherence any",
    ),
    "SB of updates": (
        "p: exchange(x, 1); r <- y | q: exchange(y, 1); r <- x", BOTH_SEE_0,
        "ra rc11 lkmm weak weak-a9 nofence arm8 arm power riscv coherence any",
    ),
    "SB, reading by updates that fail": (
        "p: 1 -> x; r <- cas(y, 7, 8) | q: 1 -> y; r <- cas(x, 7, 8)", BOTH_SEE_0,
        "pso ra rc11 lkmm weak weak-a9 nofence arm8 arm power riscv coherence any",
    ),
    "SB, an own store read by an update that fails": (
        "p: 1 -> x; s <- cas(x, 7, 8); r <- y | q: 1 -> y; s <- cas(y, 7, 8); r <- x", BOTH_SEE_0,
        "ra rc11 lkmm weak weak-a9 nofence arm8 arm power riscv coherence any",
    ),
}  # fmt: skip


def program(threads: str, order: str) -> xgen.Program:
    """The program of a shape: `name: statements`, separated by bars. An access without an order gets this one."""
    lines = [f"var {name} : int" for name in "abxy"] + [f"var {name} : synthetic" for name in "mn"]
    for thread in threads.split(" | "):
        name, _, body = thread.partition(": ")
        statements = [s if "@" in s or not any(c in s for c in "(<>") else f"{s} @ {order}" for s in body.split("; ")]
        statements = [s.replace(f") @ {order}", ")") if "lock(" in s else s for s in statements]
        lines.append(f"process {name} {{ var r : int var s : int init loc L final loc E")
        lines.append(f"  L -> E {{ {'; '.join(statements)} }} }}")
    return xgen.parse("\n".join(lines))


@pytest.mark.sweep
@pytest.mark.parametrize("model", MODELS.split())
@pytest.mark.parametrize("name", SHAPES)
def test_shape(name: str, model: str) -> None:
    threads, wanted, allowing = SHAPES[name]
    result = xgen.check(program(threads, WEAKEST.get(model, "relaxed")), xgen.model(model), all_states=True)
    found = any(wanted.items() <= outcome.state.items() for outcome in result.outcomes)
    assert result.executions > 0
    assert found == (model in allowing.split())


@pytest.mark.parametrize("model", ["rc11", "ra"])
@pytest.mark.parametrize("threads", [START, JOIN])
def test_store_buffering_has_four_executions(threads: str, model: str) -> None:
    result = xgen.check(program(threads, "relaxed"), xgen.model(model), all_states=True)
    assert (result.executions, result.duplicates) == (4, 0)


def test_the_kernel_marks_updates_that_fail_and_mutexes() -> None:
    """No plain access, and so no race: the reads of a cas that fails, of a lock that is taken, of one that waits."""
    first, second = "p: 1 -> x; cas(a, 7, 8)", "q: exchange(a, 1); lock(m); cas(x, 7, 8); unlock(m)"
    threads = f"{first} | {second} | t: lock(m); 2 -> x; unlock(m)"
    result = xgen.check(program(threads, "once"), xgen.model("lkmm"), all_states=True)
    assert (result.executions > 0, result.blocked > 0, result.flags) == (True, True, {})


@pytest.mark.parametrize("reads", ["a <- y @ once b <- x @ once", "b <- x @ once a <- y @ once"])
@pytest.mark.parametrize("end", ["assert not (a = 1 and b = 0)", "assert a = 5", ""])
def test_a_section_in_which_an_assertion_fails_goes_on(reads: str, end: str) -> None:
    """It is no shorter than with its unlock: a grace period waits for it."""
    text = f"""
    var x : int  var y : int
    process p {{ var a : int var b : int init loc A loc B loc C final loc E
      A -> B {{ fence[rcu-lock] {reads} }}  B -> C {{ {end} }}  C -> E {{ fence[rcu-unlock] }} }}
    process q {{ init loc A final loc E  A -> E {{ 1 -> x @ once fence[sync-rcu] 1 -> y @ once }} }}
    """
    result = xgen.check(xgen.parse(text), xgen.model("lkmm"), all_states=True)
    assert (result.executions, result.duplicates) == (3, 0)
    assert result.violations == (3 if end == "assert a = 5" else 0)
    assert not result.demoted


STARTS_LATER = """var x : int var y : int
main process m { var r : int init loc A final loc B A -> B { 1 -> x @ once start t @ later r <- y @ once } }
process t { init loc A final loc B A -> B { skip } }
process p { var s : int init loc A final loc B A -> B { 1 -> y @ once fence[mb] s <- x @ once } }
"""


@pytest.mark.parametrize(
    ("text", "both"),
    [(STARTS_LATER, True), (STARTS_LATER.replace(" @ later", ""), False)],
    ids=["later", "as a task is woken"],
)
def test_a_start_that_is_no_barrier(text: str, both: bool) -> None:
    """SB across a start: that of the kernel's callbacks, which call_rcu makes, orders nothing."""
    parsed = xgen.parse(text)
    result = xgen.check(parsed, xgen.model("lkmm"), all_states=True)
    assert any(outcome.state["m:r"] == outcome.state["p:s"] == 0 for outcome in result.outcomes) == both
    assert xgen.parse(print_program(parsed)) == parsed
    assert ("@ later" in print_program(parsed)) == both
    assert xgen.check(parsed, xgen.model("tso"), all_states=True).executions == 3
