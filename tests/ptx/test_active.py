"""`activemask`: any lanes that do it at the same time, of which the thread is one."""

from __future__ import annotations

import pytest

import xgen
from tests.ptx.kernels import check, kernel, kind, program
from xgen.errors import UnsupportedError

PUT = "ld.param.u64 %d1, [out]; mul.wide.u32 %d2, %r1, 4; add.u64 %d1, %d1, %d2; st.global.u32 [%d1], %r3;"


def masks(body: str, lanes: int) -> set[tuple[int, ...]]:
    """What the lanes have in the end."""
    read = program(kernel(f"mov.u32 %r1, %tid.x; {body}", parameters="out"), f"k<<<1,{lanes}>>>(out[{lanes}])")
    result = xgen.check(read, xgen.model("cuda"), all_states=True, liveness=True)
    assert result.verdict == "safe"
    cells = [f"out[{lane}]" if lanes > 1 else "out" for lane in range(lanes)]
    return {tuple(outcome.state.get(cell, 0) for cell in cells) for outcome in result.outcomes}


def partitions(lanes: list[int]) -> set[tuple[tuple[int, int], ...]]:
    """All ways to take lanes apart, as pairs of a lane and the mask of those with it."""
    if not lanes:
        return {()}
    first, *rest = lanes
    found = set()
    for some in range(1 << len(rest)):
        together = [first, *(lane for index, lane in enumerate(rest) if some >> index & 1)]
        mask = sum(1 << lane for lane in together)
        for others in partitions([lane for lane in rest if lane not in together]):
            found.add(tuple(sorted((*((lane, mask) for lane in together), *others))))
    return found


@pytest.mark.parametrize("lanes", [1, 2, 3])
def test_any_lanes_that_come_there(lanes: int) -> None:
    wanted = {tuple(mask for _, mask in each) for each in partitions(list(range(lanes)))}
    assert masks(f"activemask.b32 %r3; {PUT}", lanes) == wanted


def test_those_who_come_elsewhere_are_not_active() -> None:
    """Nor are those that do it at another place; nor one that does it when it has waited for another one to go on."""
    apart = f"setp.eq.u32 %p1, %r1, 1; @%p1 bra $E; activemask.b32 %r3; {PUT} $E:"
    assert masks(apart, 3) == {(1, 0, 4), (5, 0, 5)}
    two = f"setp.eq.u32 %p1, %r1, 1; @%p1 bra $N; activemask.b32 %r3; bra $B; $N: activemask.b32 %r3; $B: {PUT}"
    assert masks(two, 2) == {(1, 2)}
    declared = ".shared .align 4 .u32 flag;"
    waits = """mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 0; @!%p1 bra $W; st.volatile.shared.u32 [flag], 0;
    bar.warp.sync 3; bra $A; $W: bar.warp.sync 3; $L: ld.volatile.shared.u32 %r2, [flag]; setp.eq.u32 %p2, %r2, 0;
    @%p2 bra $L; $A: activemask.b32 %r3; @%p1 st.volatile.shared.u32 [flag], 1; setp.ne.u32 %p3, %r3, 3;
    @%p3 bra $E; trap; $E:"""
    assert kind(check(kernel(waits, declared), "k<<<1,2>>>()")) == "safe"


AGGREGATED = """mov.u32 %r1, %tid.x; MASK brev.b32 %r4, %r3; clz.b32 %r4, %r4; popc.b32 %r5, %r3;
setp.eq.u32 %p1, %r1, %r4; @!%p1 bra $N; atom.global.add.u32 %r6, [count], %r5; $N: mov.u32 %r9, %lanemask_lt;
and.b32 %r8, %r3, %r9; popc.b32 %r8, %r8; shfl.sync.idx.b32 %r6, %r6, %r4, 31, %r3; add.u32 %r6, %r6, %r8;
ld.param.u64 %d1, [out]; mul.wide.u32 %d2, %r6, 4; add.u64 %d1, %d1, %d2; st.global.u32 [%d1], 1;"""


@pytest.mark.parametrize(("mask", "told"), [("activemask.b32 %r3;", "safe"), ("mov.u32 %r3, 3;", "await")])
def test_updates_of_the_active_lanes_are_one(mask: str, told: str) -> None:
    """Right where one of the lanes does not come, as it is wrong to name all lanes."""
    text = kernel(AGGREGATED.replace("MASK", mask), ".global .align 4 .u32 count;", "out")
    launch = "k<<<1,2>>>(out[2])"
    assert kind(check(text, launch, "count == 2 && out[0] == 1 && out[1] == 1", "cuda")) == "safe"
    one = text.replace("mov.u32 %r1, %tid.x;", "mov.u32 %r1, %tid.x; setp.eq.u32 %p2, %r1, 1; @%p2 bra $E;")
    one = one.replace("ret;", "$E: ret;")
    assert kind(check(one, launch, "count == 1 && out[0] == 1 && out[1] == 0", "cuda")) == told


def test_all_lanes_are_not_for_certain_active() -> None:
    body = "activemask.b32 %r3; setp.eq.u32 %p1, %r3, 3; @%p1 bra $E; trap; $E:"
    assert kind(check(kernel(body), "k<<<1,2>>>()")) == "exit"


def test_a_warp_of_many_lanes_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="the active lanes") as caught:
        program(kernel("activemask.b32 %r3;"), "k<<<1,8>>>()")
    assert "--warp 4" in (caught.value.hint or "")
