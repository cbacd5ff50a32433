"""Kernels in PTX: message passing, scopes, fences, updates, shared memory, loops, calls."""

from __future__ import annotations

import re
from random import Random

import pytest

import xgen
from tests.ptx.kernels import check, kernel, kind, program
from xgen.errors import ProgramError, UnsupportedError, XgenError

FLAGS = ".global .align 4 .u32 msg;\n.global .align 4 .u32 flag;"

MP = """
    mov.u32 %r1, %ctaid.x;
    setp.ne.s32 %p1, %r1, 0;
    @%p1 bra $READER;
    st.global.u32 [msg], 42;
    st.release.SCOPE.global.u32 [flag], 1;
    ret;
$READER:
    ld.acquire.SCOPE.global.u32 %r2, [flag];
    setp.eq.s32 %p2, %r2, 0;
    @%p2 bra $READER;
    ld.global.u32 %r3, [msg];
    st.global.u32 [got], %r3;
"""


@pytest.mark.parametrize(("scope", "expected"), [("gpu", "safe"), ("sys", "safe"), ("cta", "assertion")])
def test_a_message_is_passed_within_the_scope(scope: str, expected: str) -> None:
    text = kernel(MP.replace("SCOPE", scope), FLAGS + ".global .align 4 .u32 got;")
    result = check(text, "k<<<2,1>>>()", "got == 42")
    assert (result.verdict == "safe") == (expected == "safe")
    assert [p.name for p in program(text, "k<<<2,1>>>()").processes] == ["b0t0", "b1t0"]


DEKKER = """
    mov.u32 %r1, %ctaid.x;
    mul.wide.u32 %d1, %r1, 4;
    mov.u64 %d2, want;
    add.s64 %d3, %d2, %d1;
    st.relaxed.gpu.u32 [%d3], 1;
    FENCE;
    sub.s32 %r2, 1, %r1;
    mul.wide.u32 %d4, %r2, 4;
    add.s64 %d5, %d2, %d4;
    ld.relaxed.gpu.u32 %r3, [%d5];
    ld.param.u64 %d6, [out];
    add.s64 %d7, %d6, %d1;
    st.global.u32 [%d7], %r3;
"""


@pytest.mark.parametrize(
    ("fence", "verdict", "executions"),
    [("fence.sc.gpu", "safe", 4), ("membar.gl", "safe", 4), ("fence.acq_rel.gpu", "violation", None)],
)
def test_stores_before_loads_need_a_full_fence(fence: str, verdict: str, executions: int | None) -> None:
    text = kernel(DEKKER.replace("FENCE", fence), ".global .align 4 .u32 want[2];", "out")
    result = check(text, "k<<<2,1>>>(out[2])", "out[0] == 1 || out[1] == 1")
    assert result.verdict == verdict
    assert executions is None or result.executions == executions


REDUCE = """
    .shared .align 4 .b8 part[8];
    .shared .align 4 .u32 last;
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %ctaid.x;
    mad.lo.s32 %r3, %r2, 2, %r1;
    ld.param.u64 %d1, [in];
    mul.wide.u32 %d2, %r3, 4;
    add.s64 %d3, %d1, %d2;
    ld.global.u32 %r4, [%d3];
    shl.b32 %r5, %r1, 2;
    mov.u32 %r6, part;
    add.s32 %r7, %r6, %r5;
    st.shared.u32 [%r7], %r4;
    bar.sync 0;
    setp.ne.s32 %p1, %r1, 0;
    @%p1 bra $TOGETHER;
    ld.shared.u32 %r8, [part];
    ld.shared.u32 %r9, [part+4];
    add.s32 %r10, %r8, %r9;
    ld.param.u64 %d4, [sums];
    mul.wide.u32 %d5, %r2, 4;
    add.s64 %d6, %d4, %d5;
    st.relaxed.gpu.u32 [%d6], %r10;
    BEFORE
    atom.global.inc.u32 %r11, [arrived], 1;
    setp.eq.s32 %p2, %r11, 1;
    selp.u32 %r12, 1, 0, %p2;
    st.shared.u32 [last], %r12;
$TOGETHER:
    bar.sync 0;
    ld.shared.u32 %r13, [last];
    setp.eq.s32 %p3, %r13, 0;
    or.pred %p4, %p3, %p1;
    @%p4 bra $END;
    BEHIND
    mov.u32 %r14, 0;
    mov.u32 %r15, 0;
    mov.u64 %d7, %d4;
$LOOP:
    ld.relaxed.gpu.u32 %r16, [%d7];
    add.s32 %r14, %r14, %r16;
    add.s64 %d7, %d7, 4;
    add.s32 %r15, %r15, 1;
    setp.lt.s32 %p5, %r15, 2;
    @%p5 bra $LOOP;
    ld.param.u64 %d8, [out];
    st.global.u32 [%d8], %r14;
$END:
"""


@pytest.mark.parametrize(
    ("before", "behind", "verdict"),
    [("membar.gl;", "membar.gl;", "safe"), ("", "membar.gl;", "violation"), ("membar.gl;", "", "violation")],
)
def test_the_last_block_sums_up(before: str, behind: str, verdict: str) -> None:
    """With a fence before the ticket and one behind it; the loop of known length is unrolled."""
    body = REDUCE.replace("BEFORE", before).replace("BEHIND", behind)
    text = kernel(body, ".global .align 4 .u32 arrived;", "in sums out")
    result = check(text, "k<<<2,2>>>(in[4]={1,2,3,4}, sums[2], out[1])", "out == 10")
    assert result.verdict == verdict


COUNTING = """
$AGAIN:
    ld.relaxed.gpu.u32 %r1, [n];
    add.s32 %r2, %r1, 1;
    atom.relaxed.gpu.global.cas.b32 %r3, [n], %r1, %r2;
    setp.ne.s32 %p1, %r3, %r1;
    @%p1 bra $AGAIN;
"""


def test_a_loop_of_unknown_length_stays_one() -> None:
    text = kernel(COUNTING, ".global .align 4 .u32 n;")
    assert kind(check(text, "k<<<2,1>>>()", "n == 2")) == "safe"
    assert kind(check(text, "k<<<2,1>>>()", "n == 1")) == "final"


UPDATES = """
    mov.u64 %d1, x;
    atom.add.s32 %r1, [%d1], 5;
    red.global.max.s32 [%d1], -3;
    atom.global.min.u32 %r2, [%d1], -1;
    atom.dec.u32 %r3, [%d1], 9;
    atom.inc.u32 %r4, [%d1], 4;
    atom.xor.b32 %r5, [%d1], 0xff;
    atom.exch.b32 %r6, [%d1], 77;
    st.global.u32 [y], %r1;
    st.global.u32 [y+4], %r2;
    st.global.u32 [y+8], %r3;
    st.global.u32 [y+12], %r4;
    st.global.u32 [y+16], %r5;
    st.global.u32 [y+20], %r6;
"""


def test_what_updates_give_and_write() -> None:
    text = kernel(UPDATES, ".global .align 4 .u32 x = 0xfffffffc;\n.global .align 4 .u32 y[6];")
    wanted = "y[0] == -4 && y[1] == 1 && y[2] == 1 && y[3] == 0 && y[4] == 1 && y[5] == 254 && x == 77"
    assert kind(check(text, "k<<<1,1>>>()", wanted)) == "safe"


CALLS = """
.func (.param .b32 result) twice(.param .b32 given)
{
    .reg .b32 %r<4>;
    ld.param.b32 %r1, [given];
    add.s32 %r2, %r1, %r1;
    st.param.b32 [result], %r2;
    ret;
}
.func (.param .b32 result) apply(.param .b64 which, .param .align 4 .b8 pair[8])
{
    .reg .b32 %r<4>;
    .reg .b64 %d<2>;
    ld.param.b64 %d1, [which];
    ld.param.b32 %r1, [pair+4];
    { .param .b32 p0; st.param.b32 [p0], %r1; .param .b32 back;
    shape : .callprototype (.param .b32 _) _ (.param .b32 _);
    call (back), %d1, (p0), shape;
    ld.param.b32 %r2, [back]; }
    st.param.b32 [result], %r2;
    ret;
}
"""
CALLING = """
    .local .align 8 .b8 depot[16];
    .reg .b64 %SP;
    mov.u64 %SP, depot;
    cvta.local.u64 %SP, %SP;
    ld.volatile.global.u32 %r1, [x];
    st.u32 [%SP], %r1;
    st.u8 [%SP+1], 1;
    ld.u32 %r2, [%SP];
    { .param .b64 a; st.param.b64 [a], twice; .param .align 4 .b8 b[8];
    st.param.b32 [b+0], 7; st.param.b32 [b+4], %r2; .param .b32 c;
    call.uni (c), apply, (a, b);
    ld.param.b32 %r3, [c+0]; }
    st.volatile.global.u32 [x], %r3;
"""


def test_calls_and_local_memory() -> None:
    """A byte of a number that is not known is changed in local memory; a function is called by a pointer."""
    text = kernel(CALLING, CALLS + ".global .align 4 .u32 x = 0x00ff0005;")
    assert kind(check(text, "k<<<1,1>>>()", "x == 0x01fe020a")) == "safe"


INLINE = """
    { .reg .pred p; .reg .b32 v;
    LAB_WAIT: ld.acquire.gpu.b32 v, [flag]; setp.ne.u32 p, v, 0; @p bra.uni DONE; bra.uni LAB_WAIT; DONE: }
    { .reg .pred p; .reg .b64 v;
    LAB_WAIT: ld.acquire.gpu.b64 v, [wide]; setp.ne.u64 p, v, 0; @p bra DONE; bra LAB_WAIT; DONE: }
"""


def test_names_in_scopes_are_of_the_scope() -> None:
    text = kernel(INLINE, ".global .align 4 .u32 flag = 1;\n.global .align 8 .u64 wide = 2;")
    assert kind(check(text, "k<<<1,1>>>()")) == "safe"
    waiting = text.replace("wide = 2", "wide")
    assert kind(check(waiting, "k<<<1,1>>>()")) == "await"


OUT = [
    ("ld.param.u64 %d1, [out]; st.global.u32 [%d1+8], 1;", "out-of-bounds"),
    ("ld.param.u64 %d1, [out]; st.global.u64 [%d1+4], 1;", "out-of-bounds"),
    ("ld.param.u64 %d1, [out]; st.global.u16 [%d1+1], 1;", "bad-address"),
    ("st.global.u32 [0], 1;", "bad-address"),
    (".shared .align 4 .b8 s[8]; st.shared.u32 [s+8], 1;", "out-of-bounds"),
    (".shared .align 4 .b8 s[8]; ld.shared.u32 %r1, [s+4];", "uninitialised"),
    ("ld.param.u64 %d1, [out]; st.global.u32 [%d1], %r9;", "uninitialised"),
    (".local .align 4 .b8 l[8]; ld.local.u32 %r1, [l]; st.local.u32 [l+4], %r1;", "safe"),
    (".local .align 4 .b8 l[8]; ld.local.u32 %r1, [l+8];", "out-of-bounds"),
    ("trap;", "exit"),
    ("mov.u32 %r1, 0; div.s32 %r2, 7, %r1; ld.param.u64 %d1, [out]; st.global.u32 [%d1], %r2;", "division-by-zero"),
    ("ld.volatile.u32 %r1, [zero]; div.s32 %r2, 7, %r1; st.volatile.u32 [zero], %r1;", "division-by-zero"),
]


@pytest.mark.parametrize(("body", "expected"), OUT, ids=lambda value: value[-20:])
def test_violations_of_a_thread(body: str, expected: str) -> None:
    text = kernel(body, ".global .align 4 .u32 zero;", "out")
    assert kind(check(text, "k<<<1,1>>>(out[2])")) == expected


REFUSED = [
    ("add.ftz.f32 %r1, %r2, %r3;", "the instruction `add.ftz.f32` is not supported"),
    ("add.rz.f32 %r1, %r2, %r3;", "the instruction `add.rz.f32` is not supported"),
    ("ex2.approx.f32 %r1, %r2;", "the instruction `ex2.approx.f32` is not supported"),
    ("add.cc.u32 %r1, %r2, %r3;", "the instruction `add.cc.u32` is not supported"),
    ("add.sat.s32 %r1, %r2, %r3;", "the instruction `add.sat.s32` is not supported"),
    ("fence.proxy.async;", "the instruction `fence.proxy.async` is not supported"),
    ("atom.max.f32 %r1, [x], 0f3F800000;", "the instruction `atom.max.f32` is not supported"),
    ("ld.mmio.relaxed.sys.u32 %r1, [x];", "the instruction `ld.mmio.relaxed.sys.u32` is not supported"),
    ("multimem.ld_reduce.u32 %r1, [x];", "the instruction `multimem.ld_reduce.u32` is not supported"),
    ("st.volatile.u32 [x], 1; ld.global.nc.u32 %r1, [x];", "a load from memory that does not change"),
    ("mov.u32 %r1, %clock; setp.gt.u32 %p1, %r1, 9; @%p1 bra $L; $L:", "what a clock says decides something here"),
    ("brx.idx %r1, table;", "the instruction `brx.idx` is not supported"),
    ("call other, ();", "a call of `other` is not supported"),
    ("st.u32 [x], 1; st.u16 [x], 1;", "accesses of 2 and 4 bytes to the same bytes"),
]


@pytest.mark.parametrize(("body", "message"), REFUSED, ids=lambda value: value.split(";")[0][:30])
def test_what_is_refused_is_told_with_its_line(body: str, message: str) -> None:
    text = kernel(body, ".global .align 4 .u32 x;")
    with pytest.raises(UnsupportedError) as caught:
        program(text, "k<<<1,1>>>()")
    assert message in caught.value.message
    assert caught.value.line == 7


@pytest.mark.parametrize(
    ("launch", "final", "message"),
    [
        ("other<<<1,1>>>(out[2])", None, "there is no kernel `other`"),
        ("k<<<1,1>>>()", None, "the kernel `k` takes 1 argument, not 0"),
        ("k<<<1,1>>>(&nowhere)", None, "there is no buffer and no global variable `nowhere`"),
        ("k<<<1,1>>>(out[2])", "in == 1", "there is no buffer and no global variable `in`"),
    ],
)
def test_launches_that_do_not_fit(launch: str, final: str | None, message: str) -> None:
    text = kernel("", ".global .align 4 .u32 x;", "out")
    with pytest.raises(ProgramError) as caught:
        program(text, launch, final)
    assert caught.value.message == message


MEETING = """
    .shared .align 4 .b8 part[LANES4];
    mov.u32 %r1, %tid.x;
    shl.b32 %r2, %r1, 2;
    mov.u32 %r3, part;
    add.s32 %r4, %r3, %r2;
    st.shared.u32 [%r4], %r1;
    mov.u32 %r5, LANES2;
$ROUND:
    BARRIER;
    setp.ge.u32 %p1, %r1, %r5;
    shl.b32 %r6, %r5, 2;
    add.s32 %r7, %r4, %r6;
    @%p1 bra $BEHIND;
    ld.shared.u32 %r8, [%r7];
    ld.shared.u32 %r9, [%r4];
    add.s32 %r10, %r8, %r9;
    st.shared.u32 [%r4], %r10;
$BEHIND:
    shr.u32 %r5, %r5, 1;
    setp.ne.u32 %p2, %r5, 0;
    @%p2 bra $ROUND;
    setp.ne.u32 %p3, %r1, 0;
    @%p3 bra $END;
    ld.shared.u32 %r11, [part];
    st.global.u32 [sum], %r11;
$END:
"""


@pytest.mark.parametrize(
    ("barrier", "lanes", "expected"),
    [
        ("bar.sync 0", 16, "safe"),
        ("bar.warp.sync 0xffff", 16, "safe"),
        ("bar.warp.sync -1", 16, "safe"),
        ("barrier.sync.aligned 3, 4", 4, "safe"),
        ("barrier.sync 0", 4, "safe"),
        ("mov.u32 %r20, 0", 2, "race"),
        ("membar.cta", 2, "race"),
    ],
)
def test_lanes_meet(barrier: str, lanes: int, expected: str) -> None:
    """Many lanes cost little; each of their rounds is one in which all meet."""
    body = MEETING.replace("BARRIER", barrier).replace("LANES4", str(4 * lanes)).replace("LANES2", str(lanes // 2))
    text = kernel(body, ".global .align 4 .u32 sum;")
    result = check(text, f"k<<<1,{lanes}>>>()", f"sum == {lanes * (lanes - 1) // 2}", "cuda")
    assert kind(result) == expected


def test_who_does_not_come_to_a_barrier() -> None:
    body = "mov.u32 %r1, %tid.x; setp.ne.u32 %p1, %r1, 0; @%p1 bra $W; bar.sync 0; st.volatile.u32 [x], 1; ret;\n"
    body += "$W: ld.volatile.u32 %r2, [x]; setp.eq.u32 %p2, %r2, 0; @%p2 bra $W;"
    result = check(kernel(body, ".global .align 4 .u32 x;"), "k<<<1,2>>>()")
    assert kind(result) == "await"
    assert result.witness is not None
    assert "b0t1 does not come to the barrier" in {each.location for each in result.witness.violations}


UNTIL = """
$AGAIN:
    bar.sync 0;
    ld.volatile.global.u32 %r1, [n];
    bar.sync 0;
    mov.u32 %r2, %tid.x;
    setp.ne.u32 %p1, %r2, 0;
    @%p1 bra $LOOK;
    add.u32 %r3, %r1, 1;
    st.volatile.global.u32 [n], %r3;
$LOOK:
    setp.lt.u32 %p2, %r1, 2;
    @%p2 bra $AGAIN;
"""


def test_barriers_in_a_loop_of_unknown_length() -> None:
    text = kernel(UNTIL, ".global .align 4 .u32 n;")
    assert kind(check(text, "k<<<1,2>>>()", "n == 3")) == "safe"
    assert kind(check(text.replace("bar.sync 0;\n    mov", "mov"), "k<<<1,2>>>()", "n == 3", "cuda")) != "safe"


SHUFFLES = [
    ("down", 2, 0x1F, [2, 3, None, None], [1, 1, 1, 1]),
    ("down", 1, 0x1C03, [1, 2, 3, 3], [1, 1, 1, 0]),
    ("up", 1, 0, [0, 0, 1, 2], [0, 1, 1, 1]),
    ("up", 1, 0x1E00, [0, 0, 2, 2], [0, 1, 0, 1]),
    ("bfly", 3, 0x1F, [3, 2, 1, 0], [1, 1, 1, 1]),
    ("idx", 1, 0x1F, [1, 1, 1, 1], [1, 1, 1, 1]),
    ("idx", 1, 0x1E1F, [1, 1, 3, 3], [1, 1, 1, 1]),
]


@pytest.mark.parametrize(("mode", "b", "c", "values", "inside"), SHUFFLES)
def test_shuffles(mode: str, b: int, c: int, values: list[int | None], inside: list[int]) -> None:
    """What each of four lanes gets of another one, and whether that is in its part. A lane that is not there gives
    nothing, which matters only where it is used."""
    for lane, (value, known) in enumerate(zip(values, inside, strict=True)):
        body = f"""
            mov.u32 %r1, %tid.x;
            ld.volatile.u32 %r2, [zero];
            add.u32 %r2, %r1, %r2;
            shfl.sync.{mode}.b32 %r3|%p1, %r2, {b}, {c}, 15;
            setp.ne.u32 %p2, %r1, {lane};
            @%p2 bra $END;
            selp.u32 %r4, 1, 0, %p1;
            st.global.u32 [is], %r4;
            st.global.u32 [got], %r3;
            st.volatile.u32 [zero], 0;
$END:"""
        text = kernel(body, ".global .align 4 .u32 zero;\n.global .align 4 .u32 got;\n.global .align 4 .u32 is;")
        result = check(text, "k<<<1,4>>>()", f"got == {value} && is == {known}" if value is not None else None)
        assert kind(result) == ("safe" if value is not None else "uninitialised")


@pytest.mark.parametrize(("mode", "b", "c", "values", "inside"), SHUFFLES)
def test_shuffles_from_a_lane_that_is_read(
    mode: str, b: int, c: int, values: list[int | None], inside: list[int]
) -> None:
    """As where it is known, or the part of the warp; also with bits that do not count (of a lane, bits 4 to 0 do)."""
    for lane, (value, known) in enumerate(zip(values, inside, strict=True)):
        body = f"""
            mov.u32 %r1, %tid.x;
            ld.volatile.u32 %r5, [from];
            ld.volatile.u32 %r6, [from+4];
            shfl.sync.{mode}.b32 %r3|%p1, %r1, {b if lane == 3 else "%r5"}, {c if lane == 0 else "%r6"}, 15;
            setp.ne.u32 %p2, %r1, {lane};
            @%p2 bra $END;
            selp.u32 %r4, 1, 0, %p1;
            st.global.u32 [is], %r4;
            st.global.u32 [got], %r3;
            st.volatile.u32 [from], {b + 64};
            st.volatile.u32 [from+4], {c};
$END:"""
        cells = (f"from[2] = {{{b + 64}, {c}}}", "got", "is")
        text = kernel(body, "\n".join(f".global .align 4 .u32 {cell};" for cell in cells))
        result = check(text, "k<<<1,4>>>()", f"got == {value} && is == {known}" if value is not None else None)
        assert kind(result) == ("safe" if value is not None else "uninitialised")


LEADER = """
    mov.u32 %r1, %tid.x;
    ld.volatile.u32 %r2, [who];
    setp.ne.s32 %p1, %r1, %r2;
    @%p1 bra $MEET;
    atom.add.u32 %r3, [sum], 2;
$MEET:
    shfl.sync.idx.b32 %r4, %r3, FROM, 31, 3;
    setp.eq.s32 %p2, %r2, 1;
    @%p2 st.volatile.u32 [got], %r4;
    st.volatile.u32 [who], 1;
"""


@pytest.mark.parametrize(("source", "expected"), [("%r2", "safe"), ("1", "safe"), ("0", "uninitialised")])
def test_the_leader_says_what_it_has_got(source: str, expected: str) -> None:
    """Who leads is read, and nobody else has a value."""
    text = kernel(LEADER.replace("FROM", source), "\n".join(f".global .align 4 .u32 {n};" for n in ("sum", "got")))
    text = text.replace("\n.visible", "\n.global .align 4 .u32 who = 1;\n.visible")
    assert kind(check(text, "k<<<1,2>>>()", "sum == 2 && got == 0")) == expected


@pytest.mark.parametrize("seed", range(8))
def test_lanes_that_are_read_are_those_that_are_known(seed: int) -> None:
    """Of two shuffles in each of two or three lanes, of which one may have no value."""
    rng = Random(seed)
    lanes, modes = rng.choice((2, 3)), [rng.choice(("up", "down", "bfly", "idx")) for _ in range(2)]
    distances = [rng.randrange(lanes) for _ in range(2)]
    without = rng.choice((lanes, lanes, rng.randrange(lanes)))

    def text(*given: object) -> str:
        first, second = (
            f"shfl.sync.{mode}.b32 %r{n + 3}|%p{n}, %r{n + 2}, {each}, {0 if mode == 'up' else 31}, {(1 << lanes) - 1};"
            for n, (mode, each) in enumerate(zip(modes, given, strict=True))
        )
        body = f"""mov.u32 %r1, %tid.x; ld.volatile.u32 %r7, [from]; ld.volatile.u32 %r8, [from+4];
            setp.ne.u32 %p2, %r1, {without}; @%p2 add.u32 %r2, %r1, 5; {first} {second}
            mul.wide.u32 %d1, %r1, 4; mov.u64 %d2, got; add.u64 %d3, %d1, %d2;
            @%p1 st.global.u32 [%d3], %r4;
            st.volatile.u32 [from], {distances[0]}; st.volatile.u32 [from+4], {distances[1]};"""
        start = ", ".join(str(each) for each in distances)
        declared = f".global .align 4 .u32 from[2] = {{{start}}};\n.global .align 4 .u32 got[{lanes}];"
        return kernel(body, declared)

    found = [check(text(*given), f"k<<<1,{lanes}>>>()") for given in (distances, ("%r7", "%r8"))]
    assert kind(found[0]) == kind(found[1])
    states = [
        {tuple(sorted((k, v) for k, v in outcome.state.items() if v and "got" in k)) for outcome in result.outcomes}
        for result in found
    ]
    assert states[0] == states[1] or kind(found[0]) != "safe"


VOTES = [
    ("vote.sync.ballot.b32 %r3, %p1, 7;", "5"),
    ("vote.sync.any.pred %p3, %p1, 7; selp.u32 %r3, 1, 0, %p3;", "1"),
    ("vote.sync.all.pred %p3, %p1, 7; selp.u32 %r3, 1, 0, %p3;", "0"),
    ("vote.sync.uni.pred %p3, %p1, 7; selp.u32 %r3, 1, 0, %p3;", "0"),
    ("vote.sync.all.pred %p3, !%p1, 7; selp.u32 %r3, 1, 0, %p3;", "0"),
    ("redux.sync.add.s32 %r3, %r2, 7;", "6"),
    ("redux.sync.max.u32 %r3, %r2, 7;", "3"),
    ("redux.sync.xor.b32 %r3, %r2, 7;", "0"),
    ("and.b32 %r5, %r2, 1; match.any.sync.b32 %r3, %r5, 7; and.b32 %r3, %r3, 2; shr.u32 %r3, %r3, 1;", "%r4"),
    ("mov.u64 %d1, 8; mov.u32 %r5, %tid.x; mad.wide.u32 %d1, %r5, 0, %d1; match.any.sync.b64 %r3, %d1, 7;", "7"),
]


@pytest.mark.parametrize(("instruction", "wanted"), VOTES, ids=lambda value: value[:20])
def test_votes(instruction: str, wanted: str) -> None:
    """Of three lanes with the numbers 1, 2, 3, of which the first and the last are odd."""
    body = f"""
        mov.u32 %r1, %tid.x;
        ld.volatile.u32 %r2, [one];
        add.u32 %r2, %r1, %r2;
        and.b32 %r4, %r2, 1;
        setp.ne.u32 %p1, %r4, 0;
        xor.b32 %r4, %r4, 1;
        {instruction}
        setp.eq.u32 %p2, %r3, {wanted};
        @%p2 bra $END;
        trap;
$END:   st.volatile.u32 [one], 1;"""
    assert kind(check(kernel(body, ".global .align 4 .u32 one = 1;"), "k<<<1,3>>>()")) == "safe"


def test_what_lanes_tell_orders_nothing() -> None:
    """A shuffle is no barrier: what another lane has stored before may not be seen behind it."""
    body = """
        mov.u32 %r1, %tid.x;
        setp.ne.u32 %p1, %r1, 0;
        @%p1 bra $MEET;
        st.shared.u32 [s], 1;
$MEET:  ORDER
        @!%p1 bra $END;
        ld.shared.u32 %r2, [s];
        st.global.u32 [got], %r2;
$END:"""
    for order, expected in (("shfl.sync.bfly.b32 %r3, %r1, 1, 31, 3;", "race"), ("bar.warp.sync 3;", "safe")):
        text = kernel(".shared .align 4 .u32 s;" + body.replace("ORDER", order), ".global .align 4 .u32 got;")
        assert kind(check(text, "k<<<1,2>>>()", None, "cuda")) == expected


def test_vectors_are_one_access_or_several() -> None:
    body = """
        mov.u32 %r1, %ctaid.x;
        setp.ne.u32 %p1, %r1, 0;
        @%p1 bra $READ;
        st.volatile.global.v2.u32 [slot], {42, 1};
        ret;
$READ:  ld.volatile.global.v2.u32 {%r2, %r3}, [slot];
        setp.eq.u32 %p2, %r3, 0;
        @%p2 bra $READ;
        st.global.u32 [got], %r2;"""
    text = kernel(body, ".global .align 8 .b8 slot[8];\n.global .align 4 .u32 got;")
    for vectors, verdict in (("whole", "safe"), ("parts", "violation")):
        made = program(text, "k<<<2,1>>>()", "got == 42", vectors=vectors)  # type: ignore[arg-type]
        assert xgen.check(made, xgen.model("ptx")).verdict == verdict
        assert len(made.remarks) == 1
    others = text.replace("[got], %r2;", "[got], %r2; ld.volatile.u32 %r4, [slot];")
    assert xgen.check(program(others, "k<<<2,1>>>()", "got == 42"), xgen.model("ptx")).verdict == "violation"


def test_a_lane_that_does_not_shuffle_keeps_others_waiting() -> None:
    body = """
        mov.u32 %r1, %tid.x;
        setp.eq.u32 %p1, %r1, 0;
        @%p1 bra $END;
        shfl.sync.idx.b32 %r2, %r1, 0, 31, 3;
$END:"""
    result = check(kernel(body), "k<<<1,2>>>()")
    assert kind(result) == "await"


def test_sixteen_lanes_shuffle() -> None:
    steps = "".join(
        f"shfl.sync.down.b32 %r3, %r2, {distance}, 31, 0xffff; add.u32 %r2, %r2, %r3;\n" for distance in (8, 4, 2, 1)
    )
    body = f"mov.u32 %r1, %tid.x; mov.u32 %r2, %r1;\n{steps} setp.ne.u32 %p1, %r1, 0; @%p1 bra $END;\n"
    text = kernel(f"{body} st.global.u32 [sum], %r2;\n$END:", ".global .align 4 .u32 sum;")
    assert kind(check(text, "k<<<1,16>>>()", "sum == 120")) == "safe"


def test_constants_of_cuda_itself_are_not_listed() -> None:
    """They have cells where a thread writes to an address that may be any."""
    declared = "".join(
        f".global .align 4 .u32 {name} = {value};\n" for name, value in (("x", 0), ("y", 3), (CONSTANT, 5))
    )
    body = """
        ld.relaxed.gpu.global.u32 %r1, [x];
        mov.u64 %d1, x;
        st.relaxed.gpu.u64 [p], 0;
        ld.relaxed.gpu.u64 %d2, [p];
        add.u64 %d1, %d1, %d2;
        st.u32 [%d1], 1;
    """
    declared += ".global .align 8 .u64 p = 0;\n"
    read = program(kernel(body, declared), "k<<<1,1>>>()")
    assert {variable.name: variable.shown for variable in read.variables} == {
        "x": True,
        "y": True,
        "limit": False,
        "p": True,
    }
    (outcome,) = xgen.check(read, xgen.model("ptx"), all_states=True).outcomes
    assert outcome.state == {"x": 1, "y": 3, "p": 0}


CONSTANT = "_ZN4cuda3std5limitE"


BUFFERED = """
    mov.u32 %r1, %ctaid.x;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra $OTHER;
    ld.relaxed.gpu.u64 %d1, [x];
    mov.u64 %d2, cells;
    add.u64 %d3, %d1, %d2;
    BETWEEN
    st.relaxed.gpu.u32 [%d3], 7;
    st.relaxed.gpu.u32 [y], 1;
    ret;
$OTHER:
    ld.relaxed.gpu.u32 %r2, [y];
    cvt.u64.u32 %d4, %r2;
    shl.b64 %d5, %d4, 2;
    st.relaxed.gpu.u64 [x], %d5;
"""


@pytest.mark.parametrize(
    "between",
    [
        "",
        "atom.relaxed.gpu.cas.b32 %r9, [c], 0, 1;",
        "mov.u64 %d6, own; add.u64 %d6, %d6, %d1; st.shared.u32 [%d6], 1;",
        "st.shared.u32 [own], 0; st.shared.u32 [own+4], 0;"
        " mov.u64 %d6, own; add.u64 %d6, %d6, %d1; ld.shared.u32 %r9, [%d6];",
    ],
)
def test_a_store_may_come_before_one_whose_address_is_not_known(between: str) -> None:
    """Beside a compare-and-swap as well, whose outcome is predicted, and beside shared memory at such an address."""
    cells = ".global .align 8 .u64 x;\n.global .align 4 .u32 y;\n.global .align 4 .u32 cells[2];\n.shared .u32 own[2];"
    text = kernel(BUFFERED.replace("BETWEEN", between), f"{cells}\n.global .align 4 .u32 c;")
    assert kind(check(text, "k<<<2,1>>>()", "cells[1] != 7")) == "final"


def test_a_thread_that_comes_to_a_barrier_too_often_is_cut() -> None:
    body = "mov.u32 %r1, 0;\n$AGAIN: bar.sync 0; add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, N; @%p1 bra $AGAIN;"
    for count, verdict in ((100, "safe"), (200, "vacuous")):
        assert check(kernel(body.replace("N", str(count))), "k<<<1,2>>>()").verdict == verdict


TOKEN = re.compile(r"[%\w.$]+|[^\s\w]")
OTHERS = ("", "0", "-1", "{", "}", ";", "[", "]", "%p1", "_", "!", ".", "|", "9" * 20, ".param", "%d1", "@", ":")


@pytest.mark.parametrize("seed", range(3))
def test_any_text_is_read_or_refused(seed: int) -> None:
    """Texts in which a word or two are others: no error but those of inputs."""
    reduce = kernel(REDUCE.replace("BEFORE", "").replace("BEHIND", ""), ".global .align 4 .u32 arrived;", "in sums out")
    calling = kernel(CALLING, CALLS + ".global .align 4 .u32 x = 0x00ff0005;")
    rng, read = Random(seed), 0
    for number in range(60):
        text, launch = (reduce, "k<<<2,2>>>(in[4], sums[2], out[1])") if number % 2 else (calling, "k<<<1,1>>>()")
        for _ in range(rng.choice((1, 1, 2))):
            places = [found.span() for found in TOKEN.finditer(text)]
            (start, end), other = rng.choice(places), rng.choice(places)
            word = text[slice(*other)] if rng.random() < 0.5 else rng.choice(OTHERS)
            text = text[:start] + word + text[end:]
        try:
            program(text, launch)
        except XgenError:
            continue
        read += 1
    assert read > 5


@pytest.mark.parametrize("value", [0, 1, 127, 128, 200, 255])
def test_small_numbers_have_the_sign_that_the_access_says(value: int) -> None:
    """A byte that the thread does not know, loaded in each way, changed, and stored again."""
    body = """
        ld.volatile.global.u8 %h1, [b];
        ld.volatile.global.s8 %h2, [b];
        ld.volatile.global.s8 %r1, [b];
        cvt.s32.s16 %r2, %h1;
        cvt.s32.s16 %r3, %h2;
        cvt.s32.s8 %r4, %h1;
        cvt.u32.u8 %r5, %r1;
        add.s16 %h3, %h1, 1;
        st.volatile.global.u8 [b], %h3;
        setp.lt.s16 %p1, %h2, 0;
        selp.u32 %r6, 1, 0, %p1;
        st.global.u32 [y], %r1;
        st.global.u32 [y+4], %r2;
        st.global.u32 [y+8], %r3;
        st.global.u32 [y+12], %r4;
        st.global.u32 [y+16], %r5;
        st.global.u32 [y+20], %r6;
    """
    signed, more = value - 256 * (value > 127), (value + 1) % 256
    wanted = (signed, value, signed, signed, value, int(value > 127))
    final = " && ".join(f"y[{at}] == {number}" for at, number in enumerate(wanted))
    text = kernel(body, f".global .align 1 .u8 b = {value};\n.global .align 4 .u32 y[6];")
    assert kind(check(text, "k<<<1,1>>>()", f"{final} && (b & 255) == {more}")) == "safe"
