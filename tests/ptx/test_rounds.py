"""`--unroll N`: a bound on the rounds of loops."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import xgen
from tests.ptx.kernels import kernel
from xgen import Result

CELLS = "".join(f".global .align 4 .u32 {name};" for name in ("x", "y", "cut"))
LAUNCH = "// xgen: launch k<<<2,1>>>()\n// xgen: final x == 0 || 0 == 0 || y == 0 || cut == 0\n"


def explored(folder: Path, body: str, unroll: int | None = None) -> Result:
    path = folder / "k.ptx"
    path.write_text(LAUNCH + kernel(body, CELLS), encoding="utf-8")
    options = {} if unroll is None else {"unroll": unroll}
    return xgen.check(xgen.load(path, **options), "ptx", all_states=True, trace_limit=0)


def states(result: Result) -> set[tuple[int, ...]]:
    """The values of x and y where nobody was cut."""
    assert result.stopped is None
    found = ({name: int(each.state[name]) for name in ("x", "y", "cut")} for each in result.outcomes)
    return {(each["x"], each["y"]) for each in found if not each["cut"]}


def round_of(rng: Random) -> str:
    """What each round does, at the end of which `%p1` says whether there is one more."""
    cell, other = rng.sample(("x", "y"), 2)
    does = rng.choice((
        f"atom.relaxed.gpu.global.add.u32 %r1, [{cell}], 1;",
        f"ld.relaxed.gpu.global.u32 %r1, [{cell}]; st.relaxed.gpu.global.u32 [{other}], 2;",
        f"atom.relaxed.gpu.global.exch.b32 %r1, [{cell}], 3; st.relaxed.gpu.global.u32 [{other}], 1;",
    ))  # fmt: skip
    return f"{does} setp.{rng.choice(('lt', 'gt'))}.u32 %p1, %r1, {rng.randint(1, 2)};"


@pytest.mark.parametrize("seeds", [range(12), pytest.param(range(12, 150), marks=pytest.mark.slow)])
def test_what_is_bounded_is_what_is_written_out(tmp_path: Path, seeds: range) -> None:
    """A thread that would start one round more does not come to an end."""
    compared = 0
    for seed in seeds:
        rng = Random(seed)
        rounds, first, second = rng.randint(1, 2), round_of(rng), round_of(rng)
        choose = "mov.u32 %r9, %ctaid.x; setp.ne.u32 %p2, %r9, 0; @%p2 bra $B;"
        loops = f"{choose} $L: {first} @%p1 bra $L; ret; $B: $M: {second} @%p1 bra $M;"
        out = [f"{each} @!%p1 ret;" * rounds + "st.global.u32 [cut], 1; ret;" for each in (first, second)]
        expected = states(explored(tmp_path, f"{choose} {out[0]} $B: {out[1]}"))
        if expected:  # a bound that leaves nothing is raised
            assert states(explored(tmp_path, loops, rounds)) == expected, (loops, rounds)
            compared += 1
    assert compared > len(seeds) / 3


def test_loops_that_are_known_are_not_bounded(tmp_path: Path) -> None:
    body = "mov.u32 %r1, 0; $L: add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 9; @%p1 bra $L; st.global.u32 [x], %r1;"
    assert states(explored(tmp_path, body, 1)) == {(9, 0)}


def test_what_is_cut_is_told(tmp_path: Path) -> None:
    """The third round fails, which a bound of two does not see."""
    body = """$L: atom.relaxed.gpu.global.add.u32 %r1, [x], 1; setp.gt.u32 %p2, %r1, 1; @%p2 trap;
    ld.relaxed.gpu.global.u32 %r2, [y]; setp.eq.u32 %p1, %r2, 0; @%p1 bra $L;"""
    body = f"mov.u32 %r9, %ctaid.x; setp.ne.u32 %p3, %r9, 0; @%p3 bra $O; {body} ret; $O: st.volatile.u32 [y], 1;"
    two, three = explored(tmp_path, body, 2), explored(tmp_path, body, 3)
    assert (two.violations, two.exhaustive) == (0, False)
    assert three.violations > 0
