"""What threads do at the instructions of the headers, and what is refused."""

from __future__ import annotations

import pytest

import xgen
from tests.hip.kernels import program
from tests.ptx.kernels import kind
from xgen.program import automaton as xcfa
from xgen.program.rewrite import parts

CELLS = ".global .align 4 .u32 x;\n.global .align 8 .u64 w;"
AGENT = "%s, 4"


def kernel(body: str) -> str:
    registers = ".reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %d<9>;"
    return f".version 8.0\n.target sm_90\n{CELLS}\n.visible .entry k()\n{{\n{registers}\n{body}\nret;\n}}\n"


def check(body: str, final: str | None = None, launch: str = "k<<<2,1>>>()") -> str:
    return kind(xgen.check(program(kernel(body), launch, final), xgen.model("hip"), liveness=True))


UPDATES = [
    ("fetch_add.u32", 0xFFFFFFFF, 2, 1),
    ("fetch_sub.u32", 1, 2, 0xFFFFFFFF),
    ("fetch_and.u32", 12, 10, 8),
    ("fetch_or.u32", 12, 10, 14),
    ("fetch_xor.u32", 12, 10, 6),
    ("exchange.u32", 12, 10, 10),
    ("fetch_min.s32", -1, 2, -1),
    ("fetch_min.u32", -1, 2, 2),
    ("fetch_max.s32", -1, 2, 2),
    ("fetch_max.u32", -1, 2, -1),
    ("fetch_inc.u32", 4, 5, 5),
    ("fetch_inc.u32", 5, 5, 0),
    ("fetch_dec.u32", 0, 5, 5),
    ("fetch_dec.u32", 9, 5, 5),
    ("fetch_dec.u32", 3, 5, 2),
    ("fetch_add.f32", 0x3F800000, 0x3F800000, 0x40000000),
]


@pytest.mark.parametrize(("operation", "before", "given", "after"), UPDATES)
def test_updates(operation: str, before: int, given: int, after: int) -> None:
    body = f"""
        st.u32 [x], {before};
        xgen.{operation} %r1, [x], {given}, 5, 4;
        setp.eq.s32 %p1, %r1, {before};
        @%p1 bra $SAME;
        trap;
$SAME:  ld.u32 %r2, [x];
        setp.eq.s32 %p2, %r2, {after};
        @%p2 bra $END;
        trap;
$END:"""
    assert check(body, launch="k<<<1,1>>>()") == "safe"
    assert check(body.replace(f"%r2, {after};", f"%r2, {after ^ 1};"), launch="k<<<1,1>>>()") == "exit"


def test_accesses_of_eight_bytes() -> None:
    body = """
        xgen.store.b64 [w], 0x100000002, 3, 4;
        xgen.load.b64 %d1, [w], 2, 4;
        xgen.cas.b64 %d2, [w], 0x100000002, 7, 4, 2, 4;
        setp.ne.s64 %p1, %d1, %d2;
        @%p1 trap;"""
    assert check(body, "w == 7", "k<<<1,1>>>()") == "safe"
    assert check(body, "w == 8", "k<<<1,1>>>()") == "final"


def events(body: str) -> list[tuple[str, ...]]:
    """The orders and tags of the accesses and fences of a thread of the second block."""
    made = program(kernel(body), "k<<<2,1>>>()")
    kinds = (xcfa.Load, xcfa.Store, xcfa.StoreExclusive, xcfa.Rmw, xcfa.Fence)
    found = []
    for step in parts((made.processes[1],), kinds):
        if isinstance(step, xcfa.Rmw):
            assert step.read_tags == step.write_tags
            found.append((*step.orders, *step.read_tags))
        elif isinstance(step, xcfa.Fence):
            found.append((step.tag or "", *step.tags))
        elif isinstance(step, kinds):
            found.append((step.order or "", *step.tags))
    return found


HERE = ("workgroup.a0.w1", "agent.a0")


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("ld.u32 %r1, [x]; st.u32 [x], %r1;", [("", *HERE), ("", *HERE)]),
        ("ld.volatile.u32 %r1, [x]; st.volatile.u32 [x], %r1;", [("", *HERE), ("", *HERE)]),
        ("xgen.store.b32 [x], 1, 3, 4;", [("release", "agent", *HERE)]),
        ("xgen.store.b32 [x], 1, 5, 5;", [("seq_cst", "system", *HERE)]),
        ("xgen.store.b32 [x], 1, 0, 1;", [("relaxed", "singlethread", *HERE)]),
        (
            "xgen.store.b32 [x], 1, 0, 3; xgen.load.b32 %r1, [x], 1, 3;",
            [("relaxed", "workgroup", *HERE), ("acquire", "workgroup", *HERE)],
        ),
        ("xgen.fetch_add.u32 %r1, [x], 1, 4, 4;", [("acq_rel", "agent", *HERE)] * 2),
        ("xgen.fetch_add.u32 %r1, [x], 1, 3, 5;", [("release", "system", *HERE)] * 2),
        ("xgen.cas.b32 %r1, [x], 1, 2, 4, 0, 3;", [("acq_rel", "relaxed", "workgroup", *HERE)]),
        ("xgen.fence _, 3, 4;", [("release", "agent", *HERE)]),
        ("xgen.fence _, 5, 3;", [("seq_cst", "workgroup", *HERE)]),
        ("xgen.fence _, 0, 3;", []),
        ("xgen.fence _, 5, 1;", []),
    ],
)
def test_what_events_bear(instruction: str, expected: list[tuple[str, ...]]) -> None:
    assert sorted(events(instruction)) == sorted(expected)


REFUSED = [
    ("xgen.load.b32 %r1, [x], 3, 4;", "the order release makes no sense for a load"),
    ("xgen.store.b32 [x], 1, 2, 4;", "the order acquire makes no sense for a store"),
    ("xgen.cas.b32 %r1, [x], 0, 1, 5, 3, 4;", "the order release makes no sense for a failure"),
    ("xgen.load.b32 %r1, [x], 9, 4;", "there is no order 9"),
    ("xgen.load.b32 %r1, [x], 2, 2;", "the scope of a wavefront is not supported"),
    ("xgen.load.b32 %r1, [x], 2, 6;", "there is no scope 6"),
    ("xgen.fence _, 5, 0;", "the scope of this fence is not supported"),
    ("xgen.fence _, 5, 2;", "the scope of a wavefront is not supported"),
    ("ld.u32 %r1, [x]; st.u32 [x], 1; xgen.load.b32 %r2, [x], %r1, 4;", "an order that is not known where it is used"),
    ("ld.u32 %r1, [x]; st.u32 [x], 1; xgen.load.b32 %r2, [x], 2, %r1;", "a scope that is not known where it is used"),
    ("xgen.fetch_max.f32 %r1, [x], 1, 0, 4;", "an atomic `max` of floating point numbers is not supported"),
    ("st.relaxed.sys.u32 [x], 1;", "the instruction `st.relaxed.sys.u32` is not supported in HIP"),
    ("st.u32 [x], 1; ld.acquire.sys.u32 %r1, [x];", "the instruction `ld.acquire.sys.u32` is not supported in HIP"),
    ("atom.add.u32 %r1, [x], 1;", "the instruction `atom.add.u32` is not supported in HIP"),
    ("fence.sc.sys;", "the instruction `fence.sc.sys` is not supported in HIP"),
    ("membar.gl;", "the instruction `membar.gl` is not supported in HIP"),
    ("bar.sync 1;", "the instruction `bar.sync` is not supported"),
    ("bar.warp.sync -1;", "the instruction `bar.warp.sync` is not supported"),
    ("shfl.sync.idx.b32 %r1, %r2, 0, 31, 1;", "the instruction `shfl.sync.idx.b32` is not supported"),
    ("activemask.b32 %r1;", "the instruction `activemask.b32` is not supported"),
    ("cp.async.wait_all;", "the instruction `cp.async.wait_all` is not supported"),
    ("xgen.fetch_nand.u32 %r1, [x], 1, 0, 4;", "the instruction `xgen.fetch_nand.u32` is not supported"),
]


@pytest.mark.parametrize(("body", "message"), REFUSED, ids=[body for body, _ in REFUSED])
def test_what_is_refused(body: str, message: str) -> None:
    with pytest.raises(xgen.UnsupportedError) as caught:
        program(kernel(body), "k<<<1,1>>>()")
    assert caught.value.message.startswith(message)
    assert caught.value.line == 8


MESSAGE = """
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %tid.x;
    add.u32 %r1, %r1, %r2;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra $READ;
    st.u32 [w], 42;
    xgen.store.b32 [x], 1, WRITES;
    ret;
$READ:
    xgen.load.b32 %r3, [x], READS;
    setp.eq.u32 %p2, %r3, 0;
    @%p2 bra $END;
    ld.u32 %r4, [w];
$END:"""


@pytest.mark.parametrize(
    ("writes", "reads", "launch", "expected"),
    [
        ((3, 4), (2, 4), "k<<<2,1>>>()", "safe"),
        ((3, 5), (2, 4), "k<<<2,1>>>()", "safe"),
        ((5, 4), (5, 5), "k<<<2,1>>>()", "safe"),
        ((3, 3), (2, 4), "k<<<2,1>>>()", "race"),
        ((3, 4), (2, 3), "k<<<2,1>>>()", "race"),
        ((0, 4), (2, 4), "k<<<2,1>>>()", "race"),
        ((3, 4), (0, 4), "k<<<2,1>>>()", "race"),
        ((3, 3), (2, 3), "k<<<1,2>>>()", "safe"),
        ((3, 3), (2, 5), "k<<<1,2>>>()", "safe"),
        ((3, 1), (2, 4), "k<<<1,2>>>()", "race"),
    ],
)
def test_a_message(writes: tuple[int, int], reads: tuple[int, int], launch: str, expected: str) -> None:
    """Which orders and scopes hand it over, within a block and between two."""
    body = MESSAGE.replace("WRITES", f"{writes[0]}, {writes[1]}").replace("READS", f"{reads[0]}, {reads[1]}")
    assert check(body, launch=launch) == expected


SWAP = """
    mov.u32 %r1, %tid.x;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra $OTHER;
    st.u32 [x], 1;
    BARRIER
    bra $END;
$OTHER:
    BARRIER
    ld.u32 %r2, [x];
$END:"""


def test_barriers() -> None:
    assert check(SWAP.replace("BARRIER", "bar.sync 0;"), launch="k<<<1,2>>>()") == "safe"
    assert check(SWAP.replace("BARRIER", "xgen.fence _, 5, 4;"), launch="k<<<1,2>>>()") == "race"
    alone = SWAP.replace("BARRIER", "bar.sync 0;", 1).replace("BARRIER", "").replace("ld.u32 %r2, [x];", "")
    assert check(alone, launch="k<<<1,2>>>()") == "await"


STORES = """
    mov.u32 %r1, %ctaid.x;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra $OTHER;
    xgen.store.b32 [x], 1, FIRST;
    xgen.load.b64 %d1, [w], SECOND;
    st.u64 [a], %d1;
    ret;
$OTHER:
    xgen.store.b64 [w], 1, FIRST;
    xgen.load.b32 %r2, [x], SECOND;
    st.u32 [b], %r2;
"""


@pytest.mark.parametrize(
    ("first", "second", "expected"), [("5, 4", "5, 4", "safe"), ("3, 4", "2, 4", "final"), ("5, 4", "2, 4", "final")]
)
def test_stores_before_loads(first: str, second: str, expected: str) -> None:
    text = STORES.replace("FIRST", first).replace("SECOND", second)
    cells = f"{CELLS}\n.global .align 8 .u64 a;\n.global .align 4 .u32 b;"
    made = program(kernel(text).replace(CELLS, cells), "k<<<2,1>>>()", "a == 1 || b == 1")
    assert kind(xgen.check(made, xgen.model("hip"))) == expected


SPIN = "$TAKE: xgen.exchange.u32 %r1, [x], 1, 2, 4; setp.ne.s32 %p1, %r1, 0; @%p1 bra $TAKE;"
COUNT = "ld.u64 %d1, [w]; add.s64 %d2, %d1, 1; st.u64 [w], %d2;"


@pytest.mark.parametrize("give", ["xgen.exchange.u32 %r4, [x], 0, 3, 4;", "xgen.store.b32 [x], 0, 3, 4;"])
def test_a_lock_taken_by_exchanges_has_an_end(give: str) -> None:
    body = f"{SPIN} {COUNT} {give}"
    other = body.replace("exchange.u32 %r1, [x], 1, 2, 4", "cas.b32 %r1, [x], 0, 1, 2, 0, 4")
    for blocks, count in ((2, 2), (3, 6)):
        for text in (body, other):
            made = program(kernel(text), f"k<<<{blocks},1>>>()", f"w == {blocks}")
            found = xgen.check(made, xgen.model("hip"), all_states=True, timeout=30)
            assert (found.verdict, found.executions) == ("safe", count)
    assert check(f"{SPIN} {COUNT} {give.replace(', 3, 4;', ', 0, 4;')}") == "race"
    assert check(f"{SPIN} {COUNT}") == "await"
