"""What data races lack: against all sets of orders, by the definition of happens-before; and what checks add."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from oracle import races
from oracle.compare import key_of_execution
from oracle.enumerate import Execution as Key
from oracle.enumerate import Place
from oracle.strategies import DEFAULT, random_shape

import xgen
from xgen.analyses.missing import steps_of, with_missing
from xgen.analyses.trial import tried
from xgen.engine.problem import problem
from xgen.executions.execution import Execution, Violation
from xgen.executions.missing import Missing

RC11 = xgen.model("rc11")
C11 = (None, None, "relaxed", "acquire", "release", "seq_cst")
FEATURES = replace(DEFAULT, orders=C11, fence_tags=("acquire", "release", "acq_rel", None))
ATOMS = {
    ("W", "relaxed"): "release",
    ("W", "acquire"): "acq_rel",
    ("R", "relaxed"): "acquire",
    ("R", "release"): "acq_rel",
}
"""What a write, or a read, can be made that is too weak."""


def witness(text: str, language: str = "xcfa", model: xgen.Model = RC11, **options: int) -> Execution:
    found = xgen.check(xgen.parse(text, language), model, **options).witness
    assert found is not None
    return found


def race_of(execution: Execution) -> Violation:
    return next(violation for violation in execution.violations if violation.kind == "race")


def lacks(execution: Execution) -> Missing:
    missing = race_of(execution).missing
    assert missing is not None
    return missing


def orders(execution: Execution) -> list[tuple[str, str]]:
    """The orders that are missing, each with the event's label."""
    labels = {event.id: event.label for event in execution.events}
    return [(labels[event], order) for event, order in lacks(execution).orders]


# ---- against the definition


def place_of(name: str) -> Place:
    thread, _, index = name.partition(":")
    return int(thread), int(index)


def with_orders(key: Key, changes: dict[Place, str]) -> Key:
    """The execution with other orders at some events, and at the other event of an update."""
    threads = []
    for number, trace in enumerate(key.threads):
        events = list(trace.events)
        for place, event in enumerate(events):
            order = changes.get((number, place))
            if order is not None:
                events[place] = event._replace(tags=event.tags - set(C11) | {order})
        threads.append(trace._replace(events=tuple(events)))
    return key._replace(threads=tuple(threads))


def least(execution: Execution, race: tuple[Place, Place], most: int = 4) -> int | None:
    """How many orders it takes, tried one set after the other; None: no set of so many does it."""
    key = key_of_execution(execution)
    atoms = [
        ((t, n), ATOMS[event.kind, order])
        for t, trace in enumerate(key.threads)
        for n, event in enumerate(trace.events)
        for order in event.tags
        if (event.kind, order) in ATOMS
    ]
    for size in range(most + 1):
        for chosen in itertools.combinations(atoms, size):
            changed = with_orders(key, dict(chosen))
            before = races._happens_before(changed, races._events(changed))
            if race[1] in before[race[0]] or race[0] in before[race[1]]:
                return size
    return None


def cost(execution: Execution) -> int:
    """So many steps stronger are the missing orders: an update that gets both is two."""
    tags = {event.id: event.tags for event in execution.events}
    return sum(1 + (order == "acq_rel" and "relaxed" in tags[event]) for event, order in lacks(execution).orders)


def agrees(execution: Execution) -> str:
    """Whether what is missing is what the definition says; which kind of answer it was."""
    race = race_of(execution)
    places = (place_of(race.events[0]), place_of(race.events[1]))
    expected = least(execution, places)
    if race.missing is None or not race.missing.path:
        assert expected is None
        return "none"
    assert cost(execution) == expected
    path = [place_of(name) for name in race.missing.path]
    assert {path[0], path[-1]} == set(places)
    known = set(execution.po) | set(execution.rf)
    for name, a, b in steps_of(execution, race.missing):
        one, other = execution.events[a], execution.events[b]
        if name == "po":
            assert (one.thread, one.index < other.index) == (other.thread, True)
        elif name == "rf":
            assert (a, b) in known
        else:
            assert name == "sw"
    return "way"


def racy(program: xgen.Program) -> Iterator[Execution]:
    """The executions of a program that have races, with what these lack; of many the first ones."""
    result = xgen.check(program, RC11, all_states=True, trace_limit=40)
    model = problem(program, RC11).model
    for execution in result.traces:
        if any(violation.kind == "race" for violation in execution.violations):
            yield with_missing(execution, model)


@pytest.mark.parametrize("seeds", [range(30), pytest.param(range(30, 4000), marks=pytest.mark.long)], ids=str)
def test_the_fewest_orders_are_those_of_the_definition(seeds: range) -> None:
    met = {"none": 0, "way": 0}
    for seed in seeds:
        program = random_shape(Random(seed), ("fence", "exchange", "mutex"), FEATURES)
        for execution in racy(xgen.parse(str(program))):
            met[agrees(execution)] += 1
    assert min(met.values()) > len(seeds) // 10


STEPS = (
    ("{value} -> f @ {order}", ("relaxed", "release")),
    ("a <- f @ {order}", ("relaxed", "acquire")),
    ("a <- exchange(f, {value}) @ {order}", ("relaxed", "acquire", "release")),
    ("fence {order}", ("acquire", "release", "acq_rel")),
    ("{value} -> d", ("",)),
    ("b <- d", ("",)),
)


def chain(rng: Random) -> str:
    """Threads that hand something over by stores, updates, loads and fences of one variable."""
    lines = ["var f : int var d : int"]
    for name in "pqr"[: rng.choice((2, 3, 3))]:
        drawn = [rng.choice(STEPS) for _ in range(rng.randint(2, 5))]
        body = "; ".join(step.format(value=rng.randint(1, 9), order=rng.choice(words)) for step, words in drawn)
        lines.append(f"process {name} {{ var a : int var b : int init loc A final loc E A -> E {{ {body} }} }}")
    return "\n".join(lines)


@pytest.mark.parametrize("seeds", [range(40), pytest.param(range(40, 4000), marks=pytest.mark.long)], ids=str)
def test_chains_of_updates_and_fences(seeds: range) -> None:
    """Release sequences and fences are on many of the ways."""
    met, by_other_means = {"none": 0, "way": 0}, 0
    for seed in seeds:
        for execution in racy(xgen.parse(chain(Random(seed)))):
            met[agrees(execution)] += 1
            missing = race_of(execution).missing
            by_other_means += missing is not None and any(name == "sw" for name, *_ in steps_of(execution, missing))
    assert min(met.values()) > len(seeds)
    assert by_other_means > len(seeds) // 4


# ---- the programs that are shipped

SAFE_WITH = {
    "clh": ("release", 35),
    "double_checked": ("acquire", 23),
    "mcs": ("release", 45),
    "mpmc": ("release", 33),
    "msqueue": ("release", 32),
    "publication": ("release", 24),
    "rwlock": ("release", 27),
    "spsc": ("release", 28),
    "ticketlock": ("release", 31),
    "treiber": ("release", 30),
    "ttas": ("acquire", 30),
}
"""The order that these programs lack, and its line."""
MUTUAL_EXCLUSION = {"bakery": (40, 35), "burns": (30, 38), "dekker": (), "dijkstra": (41, 36), "peterson": (33, 30),
                    "szymanski": (47, 25)}  # fmt: skip
"""Those that need seq_cst; the lines of a release and an acquire that are missing first."""


def of_shipped(name: str) -> tuple[Execution, xgen.Program]:
    program = xgen.load(f"{name}_us.c")
    found = xgen.check(program, RC11).witness
    assert found is not None
    return found, program


@pytest.mark.parametrize("name", SAFE_WITH)
def test_shipped_programs_that_lack_one_order(name: str) -> None:
    found, program = of_shipped(name)
    ((event, order),) = lacks(found).orders
    lines = {event.id: event.position.line for event in found.events if event.position}
    assert (order, lines[event]) == SAFE_WITH[name]
    assert lacks(tried(found, program, RC11)).trial == "safe"
    assert race_of(found).hint is None


@pytest.mark.parametrize("name", MUTUAL_EXCLUSION)
def test_shipped_programs_that_no_acquire_or_release_helps(name: str) -> None:
    found, program = of_shipped(name)
    lines = {event.id: event.position.line for event in found.events if event.position}
    assert tuple(lines[event] for event, _ in lacks(found).orders) == MUTUAL_EXCLUSION[name]
    assert [order for _, order in lacks(found).orders] == ["release", "acquire"][: len(MUTUAL_EXCLUSION[name])]
    asked = lacks(tried(found, program, RC11))
    assert asked.trial == "acq_rel"
    assert (asked.left is not None) == bool(asked.orders)


# ---- what is said of what

MP = """
var d : int var f : int
process p { init loc A final loc E A -> E { 1 -> d; %s } }
process q { var a : int var b : int init loc A loc B final loc E
  A -> B { %s } B -> E { assume a /= 0; %s b <- d } B -> E { assume a = 0 } }
"""


@pytest.mark.parametrize(
    ("store", "load", "after", "expected"),
    [
        ("1 -> f @ relaxed", "a <- f @ relaxed", "", [("W f = 1 relaxed", "release"), ("R f = 1 relaxed", "acquire")]),
        ("1 -> f @ release", "a <- f @ relaxed", "", [("R f = 1 relaxed", "acquire")]),
        ("1 -> f @ relaxed", "a <- f @ acquire", "", [("W f = 1 relaxed", "release")]),
        ("1 -> f @ relaxed", "a <- f @ relaxed", "fence acquire;", [("W f = 1 relaxed", "release")]),
        ("fence release; 1 -> f @ relaxed", "a <- f @ relaxed", "", [("R f = 1 relaxed", "acquire")]),
        ("fence; 1 -> f @ relaxed", "a <- f @ seq_cst", "", None),
    ],
)
def test_each_side(store: str, load: str, after: str, expected: list[tuple[str, str]] | None) -> None:
    text = MP % (store, load, after)
    if expected is None:
        assert xgen.check(xgen.parse(text), RC11).witness is None
        return
    found = witness(text)
    assert orders(found) == expected
    assert lacks(tried(found, xgen.parse(text), RC11)).trial == "safe"


def test_an_update_in_between_keeps_the_release() -> None:
    """What r reads was written by q's update of what p has stored: it is enough that p releases, and r acquires."""
    text = """
    var d : int var f : int
    process p { init loc A final loc E A -> E { 1 -> d; 1 -> f @ relaxed } }
    process q { var a : int init loc A loc B final loc E
      A -> B { a <- fetch_add(f, 1) @ relaxed } B -> E { assume a = 1 } B -> E { assume a = 0 } }
    process r { var a : int var b : int init loc A loc B final loc E
      A -> B { a <- f @ acquire } B -> E { assume a = 2; b <- d } B -> E { assume a /= 2 } }
    """
    found = witness(text)
    assert orders(found) == [("W f = 1 relaxed", "release")]
    assert [name for name, _, _ in steps_of(found, lacks(found))] == ["po", "sw", "po"]


def test_of_a_compare_exchange_that_fails_it_is_the_order_of_failure() -> None:
    text = """
    #include <pthread.h>
    #include <stdatomic.h>
    int data; atomic_int flag;
    void *w(void *p) { data = 1; atomic_store_explicit(&flag, 1, memory_order_release); return 0; }
    void *r(void *p) {
      int none = 0;
      if (!atomic_compare_exchange_KIND_explicit(&flag, &none, 2, memory_order_acq_rel, memory_order_relaxed))
        if (none == 1) data = 2;
      return 0;
    }
    int main(void) { pthread_t a, b; pthread_create(&a, 0, w, 0); pthread_create(&b, 0, r, 0); return 0; }
    """
    for kind in ("strong", "weak"):
        program = xgen.parse(text.replace("KIND", kind), "c", "cas.c")
        found = xgen.check(program, RC11).witness
        assert found is not None
        ((event, order),) = lacks(found).orders
        assert (order, next(e.kind for e in found.events if e.id == event)) == ("acquire", "R")
        assert lacks(tried(found, program, RC11)).trial == "safe"


def test_accesses_that_are_not_atomic_have_the_hint_of_before() -> None:
    """Where no atomic variable is shared there is no order to be missing, and where a plain one hands over, none."""
    plain = "var d : int process p { init loc A final loc E A -> E { 1 -> d } }"
    race = race_of(witness(plain + plain.partition("int ")[2].replace("process p", "process q")))
    assert race.missing is None
    assert "no memory order" in str(race.hint)
    handed = race_of(witness(MP % ("1 -> f", "a <- f", "")))
    assert handed.missing is None
    assert "no memory order" in str(handed.hint)


def test_models_that_do_not_say_what_synchronises_have_no_words() -> None:
    found = xgen.check(xgen.load("dekker_us.c"), xgen.model("sc"))
    assert found.witness is None
    relaxed = xgen.parse(
        """
        #include <pthread.h>
        #include <stdatomic.h>
        int data; atomic_int flag;
        void *w(void *p) { data = 1; atomic_store_explicit(&flag, 1, memory_order_relaxed); return 0; }
        int main(void) { pthread_t a; pthread_create(&a, 0, w, 0); atomic_load(&flag); data = 2; return 0; }
        """,
        "c",
        "sc.c",
    )
    result = xgen.check(relaxed, xgen.model("sc"))
    assert result.witness is not None
    assert race_of(result.witness).missing is None
    assert race_of(result.witness).hint is not None


BOTH = """
var d : int var e : int var f : int var g : int
process p { init loc A final loc E A -> E { 1 -> d; 1 -> f @ relaxed; 1 -> e; 1 -> g @ %s } }
process q { var a : int var b : int init loc A loc B loc C loc D final loc E
  A -> B { a <- f @ acquire } B -> C { assume a = 1; b <- d } B -> C { assume a = 0 }
  C -> D { a <- g @ acquire } D -> E { assume a = 1; b <- e; %s } D -> E { assume a = 0 } }
"""


def test_what_else_goes_wrong() -> None:
    """Another race that needs another order; an assertion that fails whatever the orders; one that seq_cst keeps."""
    first = xgen.parse(BOTH % ("relaxed", ""))
    asked = lacks(tried(witness(BOTH % ("relaxed", "")), first, RC11))
    assert (asked.trial, str(asked.left).partition(" at ")[0]) == ("others", "data race on e")
    wrong = BOTH % ("release", "assert b = 2")
    asked = lacks(tried(witness(wrong), xgen.parse(wrong), RC11))
    assert (asked.trial, str(asked.left).partition(" at ")[0]) == ("seq_cst", "assertion violated")


def test_within_a_bound_and_out_of_time() -> None:
    text = MP % ("1 -> f @ relaxed", "a <- f @ acquire", "") + (
        "process w { init loc A final loc E A -> A { 1 -> g @ relaxed } A -> E { } }"
    )
    text = text.replace("var f : int", "var f : int var g : int")
    program, found = xgen.parse(text), witness(text, max_depth=4)
    assert lacks(tried(found, program, RC11, max_depth=4)).trial == "safe-within-bound"
    assert lacks(tried(found, program, RC11, max_depth=4, timeout=0.0)).trial is None
    assert lacks(tried(found, program, RC11)).trial is None  # it comes to no end


SIZES = """
#include <pthread.h>
#include <stdatomic.h>
union { int i; char c[4]; } u; int x; atomic_int f;
void *t(void *a) { u.c[1] = 1; x = u.i; atomic_store_explicit(&f, 1, memory_order_relaxed); return a; }
int main(void) { pthread_t p; pthread_create(&p, 0, t, 0);
  if (atomic_load_explicit(&f, memory_order_relaxed)) return x == 7;
  pthread_join(p, 0); return 0; }
"""


def test_beside_accesses_of_several_sizes() -> None:
    found = xgen.check(xgen.parse(SIZES, "c"), RC11).witness
    assert found is not None
    assert lacks(tried(found, xgen.parse(SIZES, "c"), RC11)).trial == "safe"
