"""XCFA programs on machines with bounded buffers, against the explorer, which shares no code with them."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

import pytest
from oracle.buffers.fair import random_race, random_threads, to_xcfa
from oracle.generators.calls import random_calls
from oracle.strategies import DEFAULT, PLAIN, random_program

import xgen
from xgen.analyses.ltl import check_formula
from xgen.engine.explicit.states import Order
from xgen.engine.explicit.unfold import unfold
from xgen.errors import UnsupportedError

LIMIT = 20_000
"""States of a program that is compared: larger ones are passed over."""
MACHINES: tuple[Order, ...] = ("sc", "tso", "pso")
TAGS = (None, "mfence", "lfence", "seq_cst")
FEATURES = {
    "plain": replace(PLAIN, fences=15, fence_tags=TAGS),
    "arrays": replace(PLAIN, arrays=40, fence_tags=TAGS),
    "updates": replace(PLAIN, rmws=30, fence_tags=TAGS),
    "mutexes": replace(PLAIN, mutexes=40, fence_tags=TAGS),
    "stores": replace(PLAIN, events=(3, 5), fences=35, fence_tags=("sfence", "stbar", "release", None)),
    "updates and fences": replace(PLAIN, events=(3, 5), rmws=25, fences=25, fence_tags=("sfence", "stbar", None)),
    "exclusives": replace(PLAIN, events=(3, 5), exclusives=50, rmws=5),
    "exclusives of one variable": replace(PLAIN, events=(3, 4), exclusives=60, variables=1),
    "blocks": replace(PLAIN, atomics=45, fences=15, rmws=10, fence_tags=("mfence", "sfence", "stbar", "lfence")),
    "blocks and exclusives": replace(PLAIN, atomics=35, exclusives=30, fences=10, fence_tags=TAGS),
    "blocks with branches": replace(DEFAULT, atomics=35, exclusives=10),
    "choices of values": replace(DEFAULT, havocs=40),
    "choices of values in blocks": replace(PLAIN, havocs=25, atomics=40, rmws=10),
}
CALLS_OF = replace(PLAIN, threads=(1, 2, 2), events=(1, 3), fence_tags=TAGS)
CALLING = {
    "calls": CALLS_OF,
    "calls and choices of values": replace(CALLS_OF, havocs=25, branches=15),
    "calls with updates": replace(CALLS_OF, rmws=20, fences=10, choices=10),
}
"""Of programs that call procedures."""


def spelled(state: dict[str, int | bool]) -> str:
    return " & ".join(f"{name} = {int(value)}" for name, value in state.items())


def difference(text: str, memory: Order) -> str | None:
    """What is said differently of the final states of a program: what is so for ever, once all have ended.

    `passed over`: the machine does not run it, or it has too many states or delayed stores.
    """
    program = xgen.parse(text)
    result = xgen.check(program, xgen.model(memory), all_states=True, timeout=5)
    if result.verdict == "interrupted":
        return None
    try:
        system = unfold(program, memory)
    except UnsupportedError:
        return "passed over"
    outcomes = [spelled(dict(outcome.state)) for outcome in result.outcomes]
    whole = " | ".join(f"({outcome})" for outcome in outcomes) or "false"
    found = check_formula(system, f"G (ended(all) -> F G ({whole}))", memory, 8, limit=LIMIT)
    if found.verdict == "interrupted":
        return "passed over"
    wrong = {violation.kind for violation in result.witness.violations} if result.witness else set()
    if wrong == {"deadlock"} and found.verdict != "error":  # formulas say that by `F ended(all)`
        ends = check_formula(system, "F ended(all)", memory, 8, limit=LIMIT).verdict
        return None if ends == "fails" else f"check: deadlock, ltl: {ends}"
    if result.verdict == "violation" or found.verdict == "error":
        same = (result.verdict == "violation") == (found.verdict == "error")
        return None if same else f"check: {result.verdict}, ltl: {found.verdict}"
    if found.verdict == "holds-within-bound":
        return "passed over"
    if found.verdict != "holds":
        return f"{found.verdict}: a final state that check does not have"
    for outcome in outcomes[:6]:
        if check_formula(system, f"!F G (ended(all) & {outcome})", memory, 8, limit=LIMIT).verdict == "holds":
            return f"{outcome} is not there"
    return None


def drawn(seed: int, kind: str) -> str:
    """The program of a seed."""
    if kind in CALLING:
        return random_calls(Random(seed), CALLING[kind])
    return str(random_program(Random(seed), FEATURES[kind]))


@pytest.mark.sweep
@pytest.mark.parametrize("memory", MACHINES)
@pytest.mark.parametrize("kind", [*FEATURES, *CALLING])
@pytest.mark.parametrize("seeds", [range(14), pytest.param(range(14, 40), marks=pytest.mark.slow)], ids=str)
def test_final_states(seeds: range, kind: str, memory: Order) -> None:
    compared = 0
    for seed in seeds:
        text = drawn(seed, kind)
        found = difference(text, memory)
        assert found in (None, "passed over"), f"{found}\n{text}under {memory}"
        compared += found is None
    assert compared >= 1


@pytest.mark.parametrize("memory", MACHINES)
def test_who_waits_for_ever(memory: Order) -> None:
    """`F ended(all)` and `check --liveness` say the same of programs that end but for threads that only wait."""
    compared = hanging = 0
    for seed in range(60):
        text = to_xcfa((random_race if seed % 2 else random_threads)(Random(seed)))
        program = xgen.parse(text)
        try:
            system = unfold(program, memory)
        except UnsupportedError:
            continue
        expected = xgen.check(program, xgen.model(memory), liveness=True).verdict
        found = check_formula(system, "F ended(all)", memory, 8)
        assert found.verdict == ("fails" if expected == "violation" else "holds"), f"{text}under {memory}"
        compared += 1
        hanging += expected == "violation"
    assert compared >= 20
    assert hanging >= 5


@pytest.mark.parametrize("memory", MACHINES)
def test_who_waits_for_ever_beside_atomic_blocks(memory: Order) -> None:
    """The same, where some stores are parts of blocks."""
    verdicts = []
    for seed in range(30):
        rng = Random(seed)

        def in_block(store: re.Match[str], rng: Random = rng) -> str:
            more = rng.choice((f"{rng.choice((0, 1, 2))} -> {rng.choice('xy')}", f"more <- {rng.choice('xy')}"))
            return f"{{ atomic-begin ; {store[1]} ; {more} ; atomic-end }}" if rng.random() < 0.5 else store[0]

        text = to_xcfa((random_race if seed % 2 else random_threads)(rng))
        text = re.sub(r"\{ (\d+ -> \w+) \}", in_block, text).replace(" {\n", " {\n  var more : int\n")
        text += "".join(f"var {name} : int\n" for name in "xy" if f"var {name} :" not in text)
        expected = xgen.check(xgen.parse(text), xgen.model(memory), liveness=True).verdict
        found = check_formula(unfold(xgen.parse(text), memory), "F ended(all)", memory, 8)
        verdicts.append(found.verdict)
        if found.verdict == "interrupted" and memory != "sc":  # it fails only with what is doubtful
            continue
        assert found.verdict == ("fails" if expected == "violation" else "holds"), f"{text}under {memory}"
    assert verdicts.count("interrupted") <= 3
    assert min(verdicts.count("holds"), verdicts.count("fails")) >= 3


def test_an_assertion_that_does_not_hold() -> None:
    result = check_formula(unfold(xgen.load("programs/peterson.xcfa"), "tso"), "G true", "tso")
    assert result.verdict == "error"
    assert result.reason is not None
    assert result.reason.startswith("an assertion of p")


@pytest.mark.parametrize(
    ("condition", "verdict"),
    [("a * a * a > 0", "holds"), ("(a * a) * (a * a) > 0", "interrupted"), ("a * a - a * a * 2 < 0", "holds")],
)
def test_values_between_may_need_more_than_32_bits(condition: str, verdict: str) -> None:
    program = xgen.parse(
        "var x : int process p { var a : int init loc L loc M final loc N "
        f"L -> M {{ a := 65536 }} M -> N {{ assume({condition}) ; 1 -> x }} }}"
    )
    result = xgen.ltl(program, "F x = 1", "sc")
    assert result.verdict == verdict
    if verdict == "interrupted":
        assert str(result.reason).startswith("a value needs more than 32 bits: p, M -> N {")


def test_first_values_that_do_not_fit() -> None:
    program = xgen.parse("var x : int (99999999999) process p { init loc L final loc M L -> M { 1 -> x } }")
    with pytest.raises(UnsupportedError, match="`xgen ltl` does not run numbers of more than 32 bits"):
        xgen.ltl(program, "F x = 1")


def verdict(text: str, formula: str, memory: Order = "tso") -> str:
    return xgen.ltl(xgen.parse(text), formula, memory).verdict


def test_where_processes_end() -> None:
    """At final locations, even if edges leave them; else where no edge leads on. As in `xgen check`."""
    text = "var x : int process p { init loc L final loc M loc N L -> M { 1 -> x } M -> N { 2 -> x } }"
    assert verdict(text, "F ended(p)") == "holds"
    assert verdict(text, "F x = 2") == "fails"
    text = "var x : int process p { init loc L loc M L -> M { 1 -> x } }"
    assert verdict(text, "F ended(p)") == "holds"
    text = "var x : int process p { init loc L loc M final loc N L -> M { 1 -> x } L -> N { 2 -> x } }"
    assert verdict(text, "F ended(p)") == "fails"


@pytest.mark.parametrize("memory", MACHINES)
def test_a_choice_among_no_values(memory: Order) -> None:
    """The process stands still; what it did before is done."""
    text = "var x : int process p { var a : int init loc L final loc M L -> M { STEPS havoc a in 2 .. 1 ; 2 -> x } }"
    stored = text.replace("STEPS", "1 -> x ;")
    assert verdict(stored, "F x = 1", memory) == "holds"
    assert verdict(stored, "F ended(p)", memory) == "fails"
    assert verdict(text.replace("STEPS", "atomic-begin ; assert a /= 0 ; atomic-end ;"), "G true", memory) == "error"
    inside = text.replace("STEPS", "atomic-begin ; 1 -> x ;").replace("2 -> x", "atomic-end")
    assert verdict(inside, "F x = 1", memory) == "holds"


STARTED = """
var x : int var y : int
process r { var a : int init loc L final loc M
  L -> M { 1 -> x ; start p ; start p ; join p ; a <- y ; assert(a = 1) } }
process p { var b : int init loc L final loc M
  L -> M { b <- x ; assert(b = 1) ; 1 -> y } }
"""


@pytest.mark.parametrize("memory", MACHINES)
def test_start_and_join(memory: Order) -> None:
    """What a process does comes after its start, and its stores are in memory for who waits for its end."""
    assert xgen.check(xgen.parse(STARTED), xgen.model(memory)).verdict == "safe"
    assert verdict(STARTED, "F ended(all) & G (p:b = 1 -> x = 1)", memory) == "holds"
    assert verdict(STARTED.replace("join p ;", ""), "F ended(all)", memory) == "error"
    assert verdict(STARTED.replace("start p", "skip"), "F ended(all)", memory) == "error"


CALLS = """
var x : int var y : int
process p {
  var s : int
  int procedure f(a : int) {
    var b : int (7)
    init loc L loc M final loc N
    L -> M { a + b -> x }
    M -> N { b := b + 1 ; return a + b } }
  procedure g() { init loc L loc M L -> M { havoc s in 1 .. 2 } }
  main procedure m() {
    var c : int init loc A loc D loc E final loc B
    A -> D { c := call f(3) ; c -> y ; c := call f(c) }
    D -> E { c -> y ; call g() }
    E -> B { c := s } } }
process q { var d : int init loc L final loc M L -> M { d <- y ; d <- x } }
"""


@pytest.mark.parametrize("memory", MACHINES)
def test_calls(memory: Order) -> None:
    """Each call has variables of its own, with their first values; a procedure without a value gives 0."""
    assert difference(CALLS, memory) is None
    assert verdict(CALLS, "F (y = 11 & F y = 19) & F (x = 10 & F x = 18) & F ended(all)", memory) == "holds"
    assert verdict(CALLS, "F (ended(p) & p:c = 1)", memory) == "fails"
    ends = CALLS.replace("M -> N {", "L -> N { } M -> N {").replace("c -> y ; c := call f(c)", "c -> y")
    assert difference(ends, memory) is None
    assert verdict(ends, "F y = 11", memory) == "fails"
    assert verdict(ends, "F (y = 11 | (ended(p) & y = 0))", memory) == "holds"


def test_returns() -> None:
    text = "var x : int process p { init loc L loc M L -> M { 1 -> x ; return } M -> L { 2 -> x } }"
    assert verdict(text, "F (ended(p) & x = 1) & G x < 2") == "holds"


def test_calls_that_are_refused() -> None:
    text = "process p { procedure f() { init loc L loc M L -> M { call f() } } main procedure m() { init loc L loc M\n"
    with pytest.raises(UnsupportedError, match="`xgen ltl` does not run procedures that call themselves"):
        unfold(xgen.parse("var x : int " + text + "L -> M { call f() } } }"), "sc")


HANDED = """
var x : int var y : int var z : int
process p { var a : int init loc L final loc M L -> M { 1 -> x ; 1 -> y FENCE } }
process q { var b : int var c : int init loc L final loc M L -> M { b <- y ; c <- x } }
"""


@pytest.mark.parametrize(
    ("fence", "verdict_"),
    [("", "fails"), ("fence[sfence] ;", "holds"), ("fence[lfence] ;", "fails"), ("fence ;", "holds")],
)
def test_fences_between_stores(fence: str, verdict_: str) -> None:
    """Under pso, a store behind such a fence is not in memory before those in front of it."""
    text = HANDED.replace("FENCE", "").replace("; 1 -> y", f"; {fence} 1 -> y")
    assert verdict(text, "G (q:b = 1 -> F q:c = 1) & G (y = 1 -> x = 1)", "pso") == verdict_


@pytest.mark.parametrize(("between", "expected"), [("", "fails"), ("fence[stbar] ;", "holds")])
def test_updates_under_pso(between: str, expected: str) -> None:
    """They come before stores to other cells, unless a fence stands between, and after stores to their own."""
    text = HANDED.replace("FENCE", "").replace("; 1 -> y", f"; {between} a <- exchange(y, 1)")
    assert verdict(text, "G (y = 1 -> x = 1)", "pso") == expected
    assert verdict(text.replace("1 -> x", "5 -> y"), "G y < 5 & F y = 1", "pso") == "fails"
    assert verdict(text.replace("1 -> x", "5 -> y"), "F (y = 5 & F y = 1) & F p:a = 5", "pso") == "holds"


RESERVED = """
var x : int
process p { var a : int var s : int (1) init loc L final loc M
  L -> M { a <- load_exclusive(x) ; s <- store_exclusive(x, a + 1) } }
process q { var a : int var s : int (1) init loc L final loc M
  L -> M { a <- load_exclusive(x) ; s <- store_exclusive(x, a + 1) } }
"""


@pytest.mark.parametrize("memory", MACHINES)
def test_exclusives(memory: Order) -> None:
    """Where both succeed, neither has come between; each may fail in any case."""
    assert difference(RESERVED, memory) is None
    assert verdict(RESERVED, "G (ended(all) & p:s = 0 & q:s = 0 -> F x = 2)", memory) == "holds"
    assert verdict(RESERVED, "F x = 1", memory) == "fails"
    assert verdict(RESERVED, "G !(ended(all) & x = 2)", memory) == "fails"


CROSSED = """
var x : int var y : int
process p { var a : int var s : int (1) init loc L final loc M
  L -> M { a <- load_exclusive(x) ; 2 -> y ; s <- store_exclusive(x, 1) } }
process q { var a : int var s : int (1) init loc L final loc M
  L -> M { a <- load_exclusive(y) ; 2 -> x ; s <- store_exclusive(y, 1) } }
"""


@pytest.mark.parametrize("memory", MACHINES)
def test_stores_that_would_wait_for_each_other(memory: Order) -> None:
    """Each process' plain store would have to reach memory after the other's exclusive one, which is behind one."""
    both = "ended(all) & p:s = 0 & q:s = 0"
    assert verdict(CROSSED, f"G !({both} & p:a = 0 & q:a = 0)", memory) == ("fails" if memory == "pso" else "holds")
    assert difference(CROSSED, memory) is None


FOR_EVER = """
var x : int
process p { var a : int var s : int init loc L L -> L { a <- load_exclusive(x) ; s <- store_exclusive(x, 1) } }
process q { var a : int init loc L final loc M L -> M { 5 -> x } }
"""


@pytest.mark.parametrize("memory", MACHINES)
def test_no_store_waits_for_ever_for_what_others_have_reserved(memory: Order) -> None:
    assert verdict(FOR_EVER, "F x = 5", memory).startswith("holds")
    assert verdict(FOR_EVER.replace("5 -> x", "a <- exchange(x, 5)"), "F x = 5", memory).startswith("holds")


LOCKED = """
var x : int var m : synthetic
process p { var a : int init loc L final loc M L -> M { lock(m) ; a <- x ; a + 1 -> x ; unlock(m) } }
process q { var a : int init loc L final loc M L -> M { lock(m) ; a <- x ; a + 1 -> x ; unlock(m) } }
"""


@pytest.mark.parametrize("memory", MACHINES)
def test_mutexes(memory: Order) -> None:
    """A mutex is 0 where it is free, else the number of the process that holds it, from 1."""
    assert verdict(LOCKED, "F (ended(all) & x = 2 & m = 0) & F m = 1 & F m = 2 & G m < 3", memory) == "holds"
    assert verdict(LOCKED.replace("lock(m) ; a", "a", 1), "F ended(all)", memory) == "error"
    assert verdict(LOCKED.replace("; unlock(m)", ""), "F ended(all)", memory) == "fails"
    assert verdict(LOCKED, "G (m = 1 -> F m = 0)", memory) == "holds"


HEAD = "var x : int var m : synthetic process p { var a : int init loc L loc M final loc N "


@pytest.mark.parametrize(
    ("statement", "memory", "what"),
    [
        ("havoc a in 0 .. 5000", "sc", "`havoc` without known bounds, or of more than 1000 values"),
        ("a := a / 2", "sc", "`/`"),
        ("a := 99999999999", "sc", "numbers of more than 32 bits"),
        ("a <- fetch_max(x, 1)", "sc", "`fetch_max`"),
    ],
)
def test_what_is_not_run(statement: str, memory: Order, what: str) -> None:
    head = HEAD.replace("var m : synthetic ", "")
    program = xgen.parse(head + f"\nL -> M {{ {statement} }} M -> N }}")
    with pytest.raises(UnsupportedError, match="`xgen ltl` does not run") as caught:
        unfold(program, memory)
    assert caught.value.message == f"`xgen ltl` does not run {what}"
    assert caught.value.line == (1 if statement.startswith("lock") else 2)
    assert caught.value.hint is not None


def test_any_number_of_processes_is_not_one() -> None:
    with pytest.raises(UnsupportedError, match="`p` stands for any number of processes"):
        unfold(xgen.load("programs/any/spinlock.xcfa"), "sc")


def test_values_of_more_than_32_bits() -> None:
    text = "var x : int process p { var a : int init loc L L -> L { a := a * 2 + 1; a -> x } }"
    result = check_formula(unfold(xgen.parse(text), "sc"), "G true", "sc")
    assert (result.verdict, result.complete) == ("interrupted", False)
    assert result.reason == "a value needs more than 32 bits: p, L -> L { a := a * 2 + 1; a -> x }"


def test_from_python() -> None:
    assert xgen.ltl(xgen.load("programs/peterson.xcfa"), "F ended(all)").verdict == "holds"
    assert xgen.ltl("programs/peterson.xcfa", "F ended(all)").verdict == "holds"
    result = xgen.ltl("programs/dve/lamport.dve", "G F P_1@CS", "tso", buffer=1, fair=False)
    assert (result.verdict, result.memory, result.buffer) == ("fails", "tso", 1)
    with pytest.raises(xgen.UsageError):
        xgen.ltl("programs/c/mcs.txt", "G true")
