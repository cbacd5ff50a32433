"""Masks of lanes that are computed, as by a vote of values that are read."""

from __future__ import annotations

from random import Random

import pytest

from tests.ptx.kernels import check, kernel, kind, program
from xgen.errors import UnsupportedError

BODY = """.shared .align 4 .b32 s[8]; mov.u32 %r1, %tid.x; mul.wide.u32 %d2, %r1, 4; ld.param.u64 %d1, [in];
add.u64 %d1, %d1, %d2; ld.volatile.global.u32 %r2, [%d1]; st.volatile.global.u32 [%d1], %r2;
ld.volatile.global.u32 %r3, [%d1]; and.b32 %r4, %r3, 1; setp.ne.u32 %p1, %r4, 0;
vote.sync.ballot.b32 %r5, %p1, 0xffffffff; @!%p1 bra $E; OPERATION
ld.param.u64 %d3, [out]; add.u64 %d3, %d3, %d2; st.global.u32 [%d3], %r6; $E:"""


def expected(operation: str, values: list[int]) -> list[int]:
    """What each lane with an odd number has of the others with one: by the ISA's text; 0 where a lane takes no part."""
    odd = [lane for lane, value in enumerate(values) if value & 1]
    found = [0] * len(values)
    for lane in odd:
        if operation == "sum":
            found[lane] = sum(values[each] for each in odd)
        elif operation == "first":
            found[lane] = values[odd[0]]
        elif operation == "equal":
            found[lane] = sum(1 << each for each in odd if values[each] == values[lane])
        else:
            found[lane] = int(all(values[each] > 2 for each in odd))
    return found


OPERATIONS = {
    "sum": "redux.sync.add.s32 %r6, %r3, %r5;",
    "first": "brev.b32 %r7, %r5; clz.b32 %r8, %r7; brev.b32 %r7, %r5; clz.b32 %r7, %r7; "
    "shfl.sync.idx.b32 %r6, %r3, %r7, 31, %r5;",
    "equal": "match.any.sync.b32 %r6, %r3, %r5;",
    "all": "setp.gt.u32 %p2, %r3, 2; vote.sync.all.pred %p3, %p2, %r5; selp.u32 %r6, 1, 0, %p3;",
}


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("full", [False, True])
def test_lanes_that_a_vote_names(operation: str, full: bool) -> None:
    """The lanes that are not there may be named as well."""
    rng = Random(operation)
    for lanes in (2, 2) if operation == "first" else (2, 3):
        values = [rng.randint(1, 4) for _ in range(lanes)]
        does = OPERATIONS[operation]
        if full:
            does = f"or.b32 %r5, %r5, {~((1 << lanes) - 1) & 0xFFFFFFFF};" + does
            does = does.replace("brev.b32 %r7, %r5", f"and.b32 %r9, %r5, {(1 << lanes) - 1}; brev.b32 %r7, %r9")
        text = kernel(BODY.replace("OPERATION", does), parameters="in out")
        launch = f"k<<<1,{lanes}>>>(in[{lanes}]={{{','.join(map(str, values))}}}, out[{lanes}])"
        final = " && ".join(f"out[{lane}] == {value}" for lane, value in enumerate(expected(operation, values)))
        assert kind(check(text, launch, final, "cuda", warp=4)) == "safe", values
        wrong = final.replace(f"out[0] == {expected(operation, values)[0]}", "out[0] == 77")
        assert kind(check(text, launch, wrong, "cuda", warp=4)) == "final"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("", "safe"),
        ("or.b32 %r5, %r5, 12;", "safe"),
        ("or.b32 %r5, %r5, 0xfffffffc;", "safe"),
        ("or.b32 %r5, %r5, 4;", "barrier"),
        ("mov.u32 %r5, 1; ld.volatile.shared.u32 %r5, [s];", "barrier"),
        ("or.b32 %r5, %r5, 16;", "barrier"),
        ("xor.b32 %r5, %r5, 1;", "barrier"),
        ("setp.eq.u32 %p4, %r1, 0; @%p4 and.b32 %r5, %r5, 1;", "await"),
    ],
)
def test_masks_that_are_wrong(change: str, told: str) -> None:
    """Of lanes without the own one, of some that are not there, and masks that differ, so that one waits for ever. All
    lanes of the warp may be named, or all 32."""
    first = "st.volatile.shared.u32 [s], 0;" if "shared" in change else ""
    text = kernel(BODY.replace("OPERATION", f"{first}{change} bar.warp.sync %r5; mov.u32 %r6, 1;"), parameters="in out")
    launch = "k<<<1,2>>>(in[2]={1,3}, out[2])"
    assert kind(check(text, launch, "out[0] == 1 && out[1] == 1", "ptx", warp=4)) == told


def test_a_barrier_of_these_lanes_orders() -> None:
    """As one of lanes that are known does; without it there is a race."""
    does = "mul.wide.u32 %d4, %r1, 4; mov.u64 %d5, s; add.u64 %d4, %d4, %d5; st.shared.u32 [%d4], %r3; BARRIER "
    does += "xor.b32 %r7, %r1, 1; mul.wide.u32 %d4, %r7, 4; add.u64 %d4, %d4, %d5; ld.shared.u32 %r6, [%d4];"
    for barrier, told in (("bar.warp.sync %r5;", "safe"), ("", "race")):
        text = kernel(BODY.replace("OPERATION", does.replace("BARRIER", barrier)), parameters="in out")
        launch = "k<<<1,2>>>(in[2]={1,3}, out[2])"
        assert kind(check(text, launch, "out[0] == 3 && out[1] == 1", "cuda", warp=4)) == told


def test_a_predicate_says_who_takes_part() -> None:
    text = kernel(
        BODY.replace("@!%p1 bra $E;", "mov.u32 %r6, 0;").replace("OPERATION", "@%p1 redux.sync.add.s32 %r6, %r3, %r5;"),
        parameters="in out",
    )
    for values, out in (([1, 3], [4, 4]), ([2, 3], [0, 3]), ([2, 2], [0, 0])):
        launch = f"k<<<1,2>>>(in[2]={{{values[0]},{values[1]}}}, out[2])"
        assert kind(check(text, launch, f"out[0] == {out[0]} && out[1] == {out[1]}", "cuda", warp=2)) == "safe"


def test_a_loop_whose_end_is_not_known_is_refused() -> None:
    loop = """mov.u32 %r6, 0; $L: setp.gt.u32 %p1, %r3, 0; vote.sync.ballot.b32 %r5, %p1, 0xffffffff;
    setp.eq.u32 %p2, %r5, 0; @%p2 bra $E; @!%p1 bra $N; redux.sync.add.s32 %r7, %r3, %r5; sub.u32 %r3, %r3, 1;
    $N: bra $L; $E:"""
    text = kernel(BODY[: BODY.index("vote")] + loop, parameters="in out")
    with pytest.raises(UnsupportedError, match="where a thread may come in so many states"):
        program(text, "k<<<1,2>>>(in[2]={1,2}, out[2])", warp=2)


def test_a_warp_of_many_lanes_is_refused() -> None:
    text = kernel(BODY.replace("OPERATION", "bar.warp.sync %r5;"), parameters="in out")
    with pytest.raises(UnsupportedError, match="a mask of lanes that is computed") as caught:
        program(text, "k<<<1,8>>>(in[8], out[8])")
    assert "--warp 4" in (caught.value.hint or "")
