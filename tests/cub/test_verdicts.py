"""The shipped systems have the verdicts that their headers say, and small changes of the question agree with them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cub.shipped import FILES, claims, system
from xgen.analyses.parameterised.prove_system import prove_system
from xgen.errors import Source
from xgen.frontends.cub import read_cub
from xgen.systems.parameterised import System

CLAIMS = claims()
SAFE = [(name, model) for name, model, verdict in CLAIMS if verdict == "safe"]
LARGE = 400
"""Cubes that are enough for all shipped systems but those that have no end, and one that counts."""


def test_every_header_has_a_verdict() -> None:
    assert {name for name, _, _ in CLAIMS} | {"german"} == {file.stem for file in FILES}
    assert len(CLAIMS) >= 38


@pytest.mark.parametrize(("name", "model", "verdict"), CLAIMS)
def test_verdict(name: str, model: str, verdict: str) -> None:
    proof = prove_system(system(name), model, max_cubes=1000)
    assert proof.verdict == verdict
    assert proof.replayed == (verdict == "violation")
    assert (proof.witness is not None) == (verdict == "violation")


ENDLESS = ("ticket", "bakery")
"""Those whose numbers grow."""
CUBES = {
    ("flags_fenced", "tso"): 8,
    ("fast_fenced", "tso"): 15,
    ("linux_spinlock", "tso"): 10,
    ("barrier", "tso"): 20,
    ("commit", "tso"): 18,
    ("arbiter", "tso"): 347,
    ("xchg", "tso"): 7,
    ("iriw", "tso"): 15,
    ("peterson_fenced", "tso"): 22,
    ("burns_fenced", "tso"): 56,
}


@pytest.mark.parametrize(("name", "model"), CUBES)
def test_number_of_cubes(name: str, model: str) -> None:
    assert prove_system(system(name), model).cubes == CUBES[name, model]


def test_unknown_says_what_grows() -> None:
    proof = prove_system(system("ticket"), "tso", max_cubes=300)
    assert proof.verdict == "unknown"
    assert proof.reason is not None
    assert proof.reason.startswith("more than 300 cubes; the cube that keeps growing is At[#1] = ")
    assert "lead to one another by leave, take, enter; `--brab 2`" in proof.reason


def test_unknown_says_that_processes_become_more() -> None:
    proof = prove_system(read_cub(Source("x.cub", PARTS)), "sc", max_cubes=40)
    assert proof.reason is not None
    assert "cubes speak of more and more processes; one of " in proof.reason


def test_unknown_without_numbers_shows_the_last_cube() -> None:
    proof = prove_system(system("german"), "sc", max_cubes=20)
    assert proof.reason is not None
    assert "the last of 20 cubes is " in proof.reason


PARTS = """array S[proc] : bool
array T[proc] : bool
const N[proc,proc] : bool
init (p) { S[p] = False && T[p] = False }
unsafe (p) { S[p] = True && T[p] = True }
transition pass (p q) requires { S[q] = True && N[p,q] = True } { S[p] := True }
"""


@pytest.mark.parametrize(("name", "model"), [c for c in SAFE if c[0] not in ("counted_barrier", "arbiter")])
def test_two_processes_are_safe_where_any_number_is(name: str, model: str) -> None:
    found = system(name)
    if found.processes is None:
        assert prove_system(found, model, processes=2).verdict == "safe"


@pytest.mark.parametrize("name", [name for name, model in SAFE if model == "tso"])
def test_sc_is_safe_where_tso_is(name: str) -> None:
    assert (name, "sc") in SAFE


@pytest.mark.parametrize(("name", "model", "verdict"), [c for c in CLAIMS if c[0] not in (*ENDLESS, "counted_barrier")])
def test_order_of_transitions_does_not_matter(name: str, model: str, verdict: str) -> None:
    def turned(found: System) -> System:
        return replace(found, transitions=found.transitions[::-1])

    assert prove_system(turned(system(name)), model).verdict == verdict


def test_cubes_show_whole_numbers() -> None:
    text = "var X : int init () { X = 0 } unsafe () { X = -1 } transition t () { X := X + 123456789012 }"
    proof = prove_system(read_cub(Source("x.cub", text)), "sc", max_cubes=2)
    assert proof.search is not None
    assert str(proof.search.node(1).cube) == "X <= -123456789013 && -123456789013 <= X"


COUNTER = """var N : int
array S[proc] : bool
init (p) { N = 0 && S[p] = False }
invariant () { N < 0 }
unsafe (p) { S[p] = True && N >= 0 }
transition up () { N := N + 1 }
transition raise (p) requires { N < 0 } { S[p] := True }
"""


def test_several_cubes_cover_one_together() -> None:
    """Each step back from N >= 0 asks for one less; what is more than in the cube before is in the invariant."""
    proof = prove_system(read_cub(Source("x.cub", COUNTER)), "sc", max_cubes=50)
    assert (proof.verdict, proof.cubes) == ("safe", 2)


NAMED = """var V : proc
array S[proc] : bool
init (p) { S[p] = False }
unsafe (p) { S[p] = True }
transition t (p) requires { V <> p } { S[p] := True }
"""


def test_a_cell_may_hold_a_process_that_does_nothing() -> None:
    """With one process V is that process; with two it can be the other one."""
    found = read_cub(Source("x.cub", NAMED))
    proof = prove_system(found, "sc")
    assert proof.verdict == "violation"
    assert proof.trace is not None
    assert proof.trace.processes == 2
    assert prove_system(found, "sc", processes=1).verdict == "safe"


GROWING = """var N : int
array S[proc] : bool
array T[proc] : bool
init (p) { N = 0 && S[p] = False && T[p] = False }
unsafe (p) { S[p] = True && N = 5 }
unsafe (p q r) { T[p] = True && T[q] = True && T[r] = True }
transition up () { N := N + 1 }
transition raise (p) requires { N < 0 } { S[p] := True }
transition turn (p) { T[p] := True }
"""


def test_cubes_of_growing_numbers_do_not_keep_out_others() -> None:
    """The cubes of one process have no end; the violation takes three."""
    proof = prove_system(read_cub(Source("x.cub", GROWING)), "sc", max_cubes=200)
    assert proof.verdict == "violation"
    assert proof.trace is not None
    assert proof.trace.processes == 3


MORE = """type t = A | B
array S[proc] : t
init (p) { S[p] = A }
unsafe (p q r) { S[p] = B }
transition b (p) requires { S[p] = A } { S[p] := B }
"""


def test_a_run_has_as_many_processes_as_the_unsafe_states_speak_of() -> None:
    """Only one does something; there have to be three."""
    proof = prove_system(read_cub(Source("x.cub", MORE)), "sc")
    assert proof.verdict == "violation"
    assert proof.trace is not None
    assert proof.trace.processes == 3
    assert prove_system(read_cub(Source("x.cub", MORE)), "sc", processes=2).verdict == "safe"
