"""Litmus tests under .cat models, which are read for the architecture of the test."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.litmus.reading import read
from xgen.analyses.litmus import LitmusResult, run_litmus
from xgen.analyses.suites import run_suite
from xgen.errors import ModelError, Source
from xgen.memory.cat import read_cat

TSO = """"TSO"
include "cos.cat"
acyclic po-loc | rf | fr | co as coherence
empty rmw & (fre; coe) as atomic
let ppo = po \\ (W * R)
let implied = po & ((W & X) * R | W * (R & X))
acyclic ppo | implied | fencerel(MFENCE) | rfe | fr | co as tso
"""

C11 = """C "release and acquire, and a race is undefined"
include "cos.cat"
let sw = [REL | ACQ_REL | SC]; (rf; [RMW])*; rf; [ACQ | ACQ_REL | SC]
let hb = (po | sw)+
irreflexive hb; (co | fr | rf)+? as coherent
empty [RMW] & (fr; co) as atomic
acyclic po | rf as no-thin-air
undefined_unless empty ((W * M) | (M * W)) & loc & ext \\ (A * A) \\ hb \\ hb^-1 \\ (IW * _) \\ (_ * IW) as race
"""

X86_SB = """X86 SB
{ x=0; y=0; }
 P0          | P1          ;
 MOV [x],$1  | MOV [y],$1  ;
 %s
 MOV EAX,[y] | MOV EAX,[x] ;
exists (0:EAX=0 /\\ 1:EAX=0)
"""

MESSAGE = """C message
{ }
P0 (int* x, atomic_int* y) {
  *x = 1;
  atomic_store_explicit(y, 1, memory_order_%s);
}
P1 (atomic_int* y) {
  int r = atomic_fetch_add_explicit(y, 1, memory_order_relaxed);
}
P2 (int* x, atomic_int* y) {
  int r1 = atomic_load_explicit(y, memory_order_acquire);
  int r2 = 1;
  if (r1 == 2) {
    r2 = *x;
  }
}
exists (1:r=1 /\\ 2:r1=2 /\\ 2:r2=0)
"""

INCREMENTS = """C increments
{ }
P0 (atomic_int* x) { int r = atomic_fetch_add_explicit(x, 1, memory_order_relaxed); }
P1 (atomic_int* x) { int r = atomic_fetch_add_explicit(x, 1, memory_order_relaxed); }
P2 (atomic_int* x) { int r = atomic_fetch_add_explicit(x, 1, memory_order_relaxed); }
forall ([x]=3)
"""


def run(text: str, model: str) -> LitmusResult:
    test = read(text)
    return run_litmus(test, read_cat(Source("m.cat", model), test.arch))


@pytest.mark.parametrize(
    ("between", "verdict"),
    [("", "Ok"), ("MFENCE | MFENCE ;", "No"), ("MFENCE | ;", "Ok"), ("XCHG [z],EBX | XCHG [w],EBX ;", "No")],
)
def test_store_buffering(between: str, verdict: str) -> None:
    """Fences forbid it, and so do exchanges of other variables, which order what is around them."""
    assert run(X86_SB % between, TSO).verdict == verdict


def test_an_update_of_c_carries_on_a_release_sequence() -> None:
    """A relaxed update between release and acquire synchronizes: the update is a read and a write in one."""
    released = run(MESSAGE % "release", C11)
    assert (released.verdict, released.observation, released.flags) == ("No", "Never", ())
    relaxed = run(MESSAGE % "relaxed", C11)
    assert (relaxed.verdict, relaxed.observation, relaxed.flags) == ("Undef", "Sometimes", ("race",))


def test_updates_of_c_come_one_after_the_other() -> None:
    """Three increments have six orders."""
    result = run(INCREMENTS, C11)
    assert (result.verdict, result.states) == ("Ok", (("[x]=3;", 6),))


def test_a_suite_of_two_architectures(tmp_path: Path) -> None:
    """The model's names are those of each test's architecture; a model for C is of no use to others."""
    (tmp_path / "sb.litmus").write_text(X86_SB % "")
    (tmp_path / "increments.litmus").write_text(INCREMENTS)
    (tmp_path / "any.cat").write_text("acyclic po | rf as hb\nempty try [MFENCE] with 0 as fenceless\n")
    (tmp_path / "c.cat").write_text(C11)
    paths = [str(tmp_path / "sb.litmus"), str(tmp_path / "increments.litmus")]
    assert [r.verdict for r in run_suite(paths, str(tmp_path / "any.cat"))] == ["Ok", "Ok"]
    of_c = list(run_suite(paths, str(tmp_path / "c.cat")))
    assert [r.verdict for r in of_c] == [None, "Ok"]
    assert of_c[0].error == "1:1: this is a model for C, not for X86"


def test_a_model_that_is_of_no_use(tmp_path: Path) -> None:
    """It is said once, and is no test's fault."""
    (tmp_path / "m.cat").write_text("acyclic nothing")
    (tmp_path / "sb.litmus").write_text(X86_SB % "")
    with pytest.raises(ModelError, match="`nothing` is not defined"):
        list(run_suite([str(tmp_path / "sb.litmus")], str(tmp_path / "m.cat")))
