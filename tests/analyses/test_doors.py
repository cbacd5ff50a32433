"""One question, one answer: `litmus`, `check`, `explain` and `compare` say the same of a test, under every model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import xgen
from xgen.analyses.compare.compare import Pair
from xgen.analyses.explain import condition, explain
from xgen.analyses.suite.litmus import run_litmus
from xgen.errors import Source
from xgen.frontends.litmus import load_litmus, read_litmus
from xgen.frontends.litmus.test import FinalCondition, LitmusTest
from xgen.resources import shipped

SUITE = sorted(shipped("litmus").rglob("*.litmus"))

LOST_UPDATE = """AArch64 lost-update
{ 0:X1=x; 1:X1=x }
 P0            | P1            ;
 LDXR W0,[X1]  | LDXR W0,[X1]  ;
 ADD W0,W0,#1  | ADD W0,W0,#1  ;
 STXR W2,W0,[X1] | STXR W2,W0,[X1] ;
exists (0:X2=0 /\\ 1:X2=0 /\\ [x]=1)
"""
BROKEN_BLOCK = """C two-reads
{ x=0 }
P0(int *x) { int r0 = atomic_load_explicit(x, memory_order_relaxed);
  int r1 = atomic_load_explicit(x, memory_order_relaxed); }
P1(int *x) { atomic_store_explicit(x, 1, memory_order_relaxed); }
exists (0:r0=1 /\\ 0:r1=0)
"""


def reachable(test: LitmusTest, model: xgen.Model) -> set[bool]:
    """Whether an execution with the final state that the test is about exists, as each of the doors says."""
    seen = run_litmus(test, model)
    bare = replace(test, question=replace(test.question, quantifier="exists"))
    against = replace(test, question=replace(test.question, quantifier="~exists"))
    checked = xgen.check(replace(test.program, requirement=FinalCondition(against)), model)
    every = xgen.check(replace(test.program, requirement=FinalCondition(against)), model, all_states=True)
    explained = explain(condition(bare, model))
    assert every.violations == seen.positive
    assert not Pair(seen, run_litmus(bare, model)).differs
    return {
        seen.positive > 0,
        checked.verdict == "violation",
        every.verdict == "violation",
        {"allowed": True, "forbidden": False, "impossible": False}[explained.answer],
    }


@pytest.mark.sweep
@pytest.mark.parametrize("path", SUITE[::9], ids=lambda path: path.stem)
def test_the_suite_under_its_own_model(path: Path) -> None:
    test = load_litmus(path)
    assert len(reachable(test, xgen.model(test.model))) == 1


@pytest.mark.parametrize("path", SUITE[4::18], ids=lambda path: path.stem)
def test_the_suite_under_sc(path: Path) -> None:
    assert len(reachable(load_litmus(path), xgen.model("sc"))) == 1


@pytest.mark.parametrize("model", ["sc", "tso", "pso", "weak", "coherence", "arm8", "power", "riscv"])
def test_a_lost_update(model: str) -> None:
    assert reachable(read_litmus(Source("lost.litmus", LOST_UPDATE)), xgen.model(model)) == {False}


@pytest.mark.parametrize(("model", "possible"), [("sc", False), ("coherence", False), ("weak-a9", True)])
def test_reads_of_one_location(model: str, possible: bool) -> None:
    assert reachable(read_litmus(Source("reads.litmus", BROKEN_BLOCK)), xgen.model(model)) == {possible}


def test_an_atomic_block_is_named_as_the_reason() -> None:
    program = xgen.parse("""
        var x : int
        process p { var a : int var b : int init loc A loc B loc C loc D final loc E
          A -> B { atomic-begin } B -> C { a <- x } C -> D { b <- x } D -> E { atomic-end } }
        process q { init loc A final loc B A -> B { 1 -> x } }
    """)
    from xgen.analyses.explain import final_values

    found = explain(final_values(program, xgen.model("sc"), "p:a=0 p:b=1"))
    assert found.answer == "forbidden"
    assert "atomic_blocks" in [finding.constraint.name for finding in found.findings if not finding.holds]
