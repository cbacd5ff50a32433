"""Litmus tests under models: states, counts and verdicts."""

from __future__ import annotations

import pytest

import xgen
from tests.litmus.reading import read
from xgen.analyses.suite.litmus import LitmusResult, run_litmus
from xgen.errors import XgenError

SB = """X86 SB
{ x=0; y=0; }
 P0          | P1          ;
 MOV [x],$1  | MOV [y],$1  ;
 MOV EAX,[y] | MOV EAX,[x] ;
"""


def run(text: str, model: str) -> LitmusResult:
    return run_litmus(read(text), xgen.model(model))


def test_states_of_store_buffering() -> None:
    result = run(SB + "exists (0:EAX=0 /\\ 1:EAX=0)", "tso")
    assert result.states == (
        ("0:EAX=0; 1:EAX=0;", 1),
        ("0:EAX=0; 1:EAX=1;", 1),
        ("0:EAX=1; 1:EAX=0;", 1),
        ("0:EAX=1; 1:EAX=1;", 1),
    )
    assert (result.verdict, result.observation, result.positive, result.negative) == ("Ok", "Sometimes", 1, 3)
    assert (result.kind, result.condition) == ("Allowed", "exists (0:EAX=0 /\\ 1:EAX=0)")


@pytest.mark.parametrize(
    ("question", "model", "verdict", "observation", "witnesses"),
    [
        ("exists (0:EAX=0 /\\ 1:EAX=0)", "sc", "No", "Never", (0, 3)),
        ("~exists (0:EAX=0 /\\ 1:EAX=0)", "sc", "Ok", "Never", (3, 0)),
        ("~exists (0:EAX=0 /\\ 1:EAX=0)", "tso", "No", "Sometimes", (3, 1)),
        ("forall (0:EAX=1 \\/ 1:EAX=1)", "sc", "Ok", "Always", (3, 0)),
        ("forall (0:EAX=1 \\/ 1:EAX=1)", "tso", "No", "Sometimes", (3, 1)),
        ("filter (0:EAX=0) forall (1:EAX=1)", "sc", "Ok", "Always", (1, 0)),
        ("exists (0:EAX=1:EAX)", "sc", "Ok", "Sometimes", (1, 2)),
        ("forall (x=1 /\\ y=1)", "sc", "Ok", "Always", (3, 0)),
    ],
)
def test_verdicts(question: str, model: str, verdict: str, observation: str, witnesses: tuple[int, int]) -> None:
    result = run(SB + question, model)
    assert (result.verdict, result.observation, result.witnesses) == (verdict, observation, witnesses)


def test_only_what_is_asked_for_is_listed() -> None:
    assert run(SB + "exists (0:EAX=0)", "tso").states == (("0:EAX=0;", 2), ("0:EAX=1;", 2))
    assert run(SB + "exists (true)", "tso").states == (("", 4),)
    assert run(SB + "locations [y;] filter (0:EAX=1) exists (x=1)", "sc").states == (("[x]=1; [y]=1;", 2),)


def test_addresses_and_arrays() -> None:
    text = "X86 T\n{int t[2]={1,x}; 0:EBX=t[1];}\nP0 ;\nMOV EAX,[EBX] ;\nMOV [EBX],$7 ;\n"
    result = run(text + "locations [t; 0:EBX;] forall (0:EAX=x /\\ t[1]=7 /\\ t={1,7})", "tso")
    assert result.states == (("0:EAX=x; 0:EBX=t[1]; t={1,7}; t[1]=7;", 1),)
    assert result.verdict == "Ok"


def test_waiting_loops_need_no_bound() -> None:
    text = """X86 spin
{}
 P0         | P1            ;
 MOV [x],$1 | l: CMP [y],$1 ;
 MOV [y],$1 | JNE l         ;
            | MOV EAX,[x]   ;
forall (1:EAX=1)"""
    result = run(text, "tso")
    assert (result.verdict, result.states) == ("Ok", (("1:EAX=1;", 1),))


def test_locked_instructions_are_atomic() -> None:
    text = "X86 inc\n{}\nP0 | P1 ;\nLOCK INC [x] | LOCK ADD [x],$2 ;\nforall (x=3)"
    assert run(text, "tso").states == (("[x]=3;", 2),)
    assert run(text.replace("LOCK ", ""), "tso").states == (("[x]=1;", 1), ("[x]=2;", 1), ("[x]=3;", 2))


def test_access_to_what_is_no_address() -> None:
    with pytest.raises(XgenError) as error:
        run("X86 T\n{}\nP0 ;\nMOV EAX,[EBX] ;\nexists (0:EAX=0)", "tso")
    assert (error.value.line, error.value.message[:15]) == (4, "in an execution")


RACE = """C race
{ }
P0 (int* x, atomic_int* y) {
  *x = 1;
  atomic_store_explicit(y, 1, memory_order_release);
}
P1 (int* x, atomic_int* y) {
  int r0 = atomic_load_explicit(y, memory_order_acquire);
  int r1 = *x;
}
%s
"""


@pytest.mark.parametrize(
    ("question", "verdict", "flags", "violations"),
    [
        ("exists (1:r1=0)", "Undef", ("data_race",), 2),
        ("filter (1:r0=1) exists (1:r1=0)", "No", (), 0),
        ("filter (1:r0=1) exists (1:r1=1)", "Ok", (), 0),
        ("filter (1:r0=1) ~exists (1:r1=0)", "Ok", (), 0),
        ("filter (1:r0=1) forall (1:r1=0)", "No", (), 1),
        ("filter (1:r0=0) exists (1:r1=0)", "Undef", ("data_race",), 2),
        ("filter (1:r1=1) exists (1:r0=1)", "Undef", ("data_race",), 1),
        ("filter (1:r1=7) exists (1:r0=1)", "No", (), 0),
    ],
)
def test_what_the_filter_leaves_out_does_not_count(
    question: str, verdict: str, flags: tuple[str, ...], violations: int
) -> None:
    """The reader that does not see the flag races, in two executions; the filter may leave these out."""
    result = run(RACE % question, "rc11")
    assert (result.verdict, result.flags) == (verdict, flags)
    checked = xgen.check(read(RACE % question).program, xgen.model("rc11"), all_states=True)
    assert (checked.verdict, checked.violations) == ("violation" if violations else "safe", violations)
    assert tuple(checked.flags) == flags
    if violations:
        assert checked.witness is not None
        assert bool(flags) == any(violation.kind == "race" for violation in checked.witness.violations)


def test_who_does_not_end_passes_no_filter() -> None:
    """Where a thread waits for ever there is no final state that a filter lets pass: its race does not count."""
    text = RACE.replace("int r1 = *x;", "int r1 = *x; while (atomic_load_explicit(y, memory_order_relaxed) == 1) { }")
    result = run(text % "filter (1:r0=7) exists (1:r1=1)", "rc11")
    assert (result.verdict, result.flags) == ("No", ())
    filtered = read(text % "filter (1:r0=7) exists (1:r1=1)").program
    assert xgen.check(filtered, xgen.model("rc11"), all_states=True).violations == 0
    unfiltered = run(text % "exists (1:r1=1)", "rc11")
    assert (unfiltered.verdict, unfiltered.flags) == ("Undef", ("data_race",))
