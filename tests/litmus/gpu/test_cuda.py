"""Data races of PTX: the model `cuda`, by hand and against brute force."""

from __future__ import annotations

import re
from random import Random

import pytest

import xgen
from tests.litmus.gpu.ptx_oracle import Test, draw, outcomes
from tests.litmus.gpu.test_ptx import written
from tests.litmus.reading import read
from xgen.analyses.suite.litmus import run_litmus
from xgen.memory.library import load_model

MODEL = load_model("cuda")


def flagged(text: str) -> bool:
    """Whether a test has a data race."""
    result = run_litmus(read(text), MODEL)
    assert result.stopped is None
    assert set(result.flags) <= {"data_race"}
    return result.flags == ("data_race",)


READS = "bne r0, 1, LC; ld.weak r1, x; LC:"
ONCE, ADDS = "atom.relaxed.gpu.add r0, y, 1", "atom.relaxed.gpu.add r0, x, 1"
UPDATED = (f"0 0: fence.sc.gpu; {ONCE}", f"1 0: fence.sc.gpu; {ONCE}; bne r0, 1, LC; st.weak y, 0; LC:")
TABLE = [
    # what is there at first races with nothing
    (("0 0: ld.weak r0, x",), False),
    (("0 0: st.weak x, 1",), False),
    # two threads and a location
    (("0 0: ld.weak r0, x", "1 0: ld.weak r0, x"), False),
    (("0 0: st.weak x, 1", "1 0: ld.weak r0, x"), True),
    (("0 0: st.weak x, 1", "0 0: st.weak x, 1"), True),
    (("0 0: st.weak x, 1", "1 0: st.weak y, 1"), False),
    (("0 0: st.relaxed.gpu x, 1", "1 0: ld.relaxed.gpu r0, x"), False),
    (("0 0: st.relaxed.gpu x, 1", "1 0: ld.weak r0, x"), True),
    # scopes: each has to be in the other's
    (("0 0: st.relaxed.cta x, 1", "0 0: ld.relaxed.cta r0, x"), False),
    (("0 0: st.relaxed.cta x, 1", "1 0: ld.relaxed.gpu r0, x"), True),
    (("0 0: st.relaxed.gpu x, 1", "1 0: ld.relaxed.cta r0, x"), True),
    (("0 0: st.relaxed.gpu x, 1", "1 1: ld.relaxed.sys r0, x"), True),
    (("0 0: st.relaxed.sys x, 1", "1 1: ld.relaxed.sys r0, x"), False),
    # a message: by release and acquire, by fences, with one of them missing, in a scope that is too small
    (("0 0: st.weak x, 1; st.release.gpu y, 1", f"1 0: ld.acquire.gpu r0, y; {READS}"), False),
    (("0 0: st.weak x, 1; st.release.gpu y, 1", "1 0: ld.acquire.gpu r0, y; ld.weak r1, x"), True),
    (("0 0: st.weak x, 1; fence.acq_rel.gpu; st.relaxed.gpu y, 1", f"1 0: ld.acquire.gpu r0, y; {READS}"), False),
    (("0 0: st.weak x, 1; fence.acq_rel.cta; st.relaxed.gpu y, 1", f"1 0: ld.acquire.gpu r0, y; {READS}"), True),
    (("0 0: st.weak x, 1; st.relaxed.gpu y, 1", f"1 0: ld.acquire.gpu r0, y; {READS}"), True),
    (("0 0: st.weak x, 1; st.release.gpu y, 1", f"1 0: ld.relaxed.gpu r0, y; {READS}"), True),
    (("0 0: st.weak x, 1; st.release.cta y, 1", f"1 0: ld.acquire.gpu r0, y; {READS}"), True),
    # barriers order threads of a block
    (("0 0: st.weak x, 1; bar.cta.sync 0", "0 0: bar.cta.sync 0; ld.weak r0, x"), False),
    (("0 0: st.weak x, 1; bar.cta.sync 0", "1 0: bar.cta.sync 0; ld.weak r0, x"), True),
    # updates: atomic beside each other in scope, and beside what is weak not
    ((f"0 0: {ADDS}", f"1 0: {ADDS}"), False),
    ((f"0 0: {ADDS}", "1 0: ld.weak r0, x"), True),
    ((f"0 0: {ADDS}", "1 0: atom.relaxed.cta.add r0, x, 1"), True),
    # who has seen an update, and then writes there, does so behind it, with a fence between or without
    (UPDATED, False),
    ((f"0 0: {ONCE}", f"1 0: {ONCE}; fence.sc.gpu; st.weak y, 0"), True),
]  # fmt: skip


@pytest.mark.parametrize(("columns", "expected"), TABLE)
def test_by_hand(columns: tuple[str, ...], expected: bool) -> None:
    assert flagged(written(*columns)) is expected


def test_other_addresses_of_a_location() -> None:
    """Two names of a location are two ways to memory: strong accesses by both are not morally strong."""
    init = "x=0; a aliases x;"
    for one, other, race in (("x", "x", False), ("x", "a", True), ("a", "a", False)):
        columns = (f"0 0: st.relaxed.gpu {one}, 1", f"1 0: ld.relaxed.gpu r0, {other}")
        assert flagged(written(*columns, init=init)) is race


def test_states_are_those_of_ptx() -> None:
    """The questions of races are all that is added."""
    ptx = load_model("ptx")
    assert [each.sentence for each in MODEL.constraints[:-2]] == [each.sentence for each in ptx.constraints]
    assert [each.condition for each in MODEL.constraints[:-2]] == [each.condition for each in ptx.constraints]
    assert all(each.flag for each in MODEL.constraints[-2:])
    header = re.compile(r"expects[^\n]*\n[^\n]*\n")
    assert header.findall(MODEL.source.text) == header.findall(ptx.source.text) != []


@pytest.mark.parametrize(
    ("right", "wrong", "columns"),
    [
        ("own * own", "A * A", TABLE[0][0]),
        ("rmw ; cause", "{}", UPDATED),
        ("cause | rmw ; cause", "base | rmw ; base", UPDATED),
    ],
)
def test_races_that_are_none(right: str, wrong: str, columns: tuple[str, ...]) -> None:
    """Definitions that are nearly the ISA's find races where it has none."""
    assert right in MODEL.source.text
    text = MODEL.source.text.replace(right, wrong)
    assert run_litmus(read(written(*columns)), xgen.parse_model(text)).flags == ("data_race",)
    assert not flagged(written(*columns))


def compare(drawn: Test) -> bool:
    """Whether there is a race, which there is by brute force as well."""
    result = run_litmus(read(drawn.text), MODEL)
    expected, race = outcomes(drawn)
    assert result.stopped is None
    assert len(result.states) == len(expected)
    assert (result.flags == ("data_race",)) is race, drawn.text
    return race


@pytest.mark.parametrize(
    "seeds",
    [
        pytest.param(range(12), id="fast"),
        pytest.param(range(12, 100), id="slow", marks=pytest.mark.slow),
        pytest.param(range(100, 3000), id="long", marks=pytest.mark.long),
    ],
)
def test_against_brute_force(seeds: range) -> None:
    found = [compare(draw(Random(seed))) for seed in seeds]
    assert True in found
    assert False in found
