"""Barriers of a part of a block, barriers at which a thread arrives and goes on, and `mbarrier`."""

from __future__ import annotations

from random import Random

import pytest

import xgen
from tests.ptx.kernels import check, kernel, kind, program
from xgen.errors import UnsupportedError
from xgen.records import replace

SHARED = ".shared .align 4 .u32 s; .shared .align 8 .b64 bar; mov.u32 %r1, %tid.x;"

PRODUCER = f"""{SHARED}
    setp.ne.s32 %p1, %r1, 0;
    @%p1 bra $CONSUMER;
    st.shared.u32 [s], 7;
    ARRIVE;
    ret;
$CONSUMER:
    setp.ne.s32 %p2, %r1, 1;
    @%p2 bra $END;
    SYNC;
    ld.shared.u32 %r2, [s];
    ld.param.u64 %d1, [out];
    st.global.u32 [%d1], %r2;
$END:
"""
"""The example of the PTX ISA's text on `bar.arrive`: who produces does not wait, who consumes does."""


@pytest.mark.parametrize(
    ("arrive", "sync", "expected"),
    [
        ("bar.arrive 0, 2", "bar.sync 0, 2", "safe"),
        ("barrier.cta.arrive.aligned 5, 2", "barrier.cta.sync 5, 2", "safe"),
        ("bar.sync 1, 2", "barrier.sync.aligned 1, 2", "safe"),
        ("bar.sync 1, 2", "bar.arrive 1, 2", "uninitialised"),
        ("bar.arrive 1, 2", "bar.sync 2, 1", "uninitialised"),
        ("bar.sync 1, 1", "bar.sync 2, 1", "uninitialised"),
        ("bar.sync 1, 2", "bar.sync 2, 2", "barrier"),
        ("nanosleep.u32 1", "bar.sync 0", "uninitialised"),
    ],
)
@pytest.mark.parametrize("threads", [2, 3])
def test_a_producer_and_a_consumer(arrive: str, sync: str, expected: str, threads: int) -> None:
    """What does not order is a read of what has no value, and under `cuda` a race; where all threads are to meet, some
    wait for ever, and where others do, that is known beforehand."""
    text = kernel(PRODUCER.replace("ARRIVE", arrive).replace("SYNC", sync), parameters="out")
    if expected == "barrier" and threads == 2:
        expected = "await"
    for model, told in (("ptx", expected), ("cuda", "race" if expected == "uninitialised" else expected)):
        assert kind(check(text, f"k<<<1,{threads}>>>(out[1])", "out[0] == 7", model, warp=1)) == told


ROUNDS = f"""{SHARED}
    setp.eq.s32 %p1, %r1, 2;
    @%p1 bra $END;
    xor.b32 %r2, %r1, 1;
    mul.wide.u32 %d3, %r1, 4;
    mov.u64 %d2, cells;
    add.u64 %d4, %d2, %d3;
    mul.wide.u32 %d5, %r2, 4;
    add.u64 %d6, %d2, %d5;
    st.global.u32 [%d4], %r1;
    bar.sync 1, 2;
    ld.global.u32 %r3, [%d6];
    SECOND;
    st.global.u32 [%d4], %r3;
$END:
    bar.sync 0;
"""


@pytest.mark.parametrize(("second", "expected"), [("bar.sync 1, 2", "safe"), ("", "race")])
def test_two_of_three_threads_meet_again(second: str, expected: str) -> None:
    text = kernel(ROUNDS.replace("SECOND", second), ".global .align 4 .u32 cells[2];")
    final = "cells[0] == 1 && cells[1] == 0"
    assert kind(check(text, "k<<<1,3>>>()", final, "cuda", warp=1)) == expected


RED = f"""{SHARED}
    ld.param.u64 %d1, [in];
    mul.wide.u32 %d2, %r1, 4;
    add.u64 %d3, %d1, %d2;
    ld.volatile.global.u32 %r2, [%d3];
    st.volatile.global.u32 [%d3], %r2;
    setp.ne.s32 %p1, %r2, 0;
    RED
    ld.param.u64 %d4, [out];
    add.u64 %d5, %d4, %d2;
    st.global.u32 [%d5], %r3;
"""


@pytest.mark.parametrize(
    ("red", "given", "expected"),
    [
        ("barrier.cta.red.popc.aligned.u32 %r3, 0, %p1;", "5,0,1", 2),
        ("bar.red.popc.u32 %r3, 0, !%p1;", "5,0,1", 1),
        ("bar.red.and.pred %p2, 0, %p1; selp.u32 %r3, 1, 0, %p2;", "1,1,0", 0),
        ("bar.red.and.pred %p2, 0, 3, %p1; selp.u32 %r3, 1, 0, %p2;", "1,1,2", 1),
        ("bar.red.or.pred %p2, 0, %p1; selp.u32 %r3, 1, 0, %p2;", "0,1,0", 1),
        ("bar.red.or.pred %p2, 0, %p1; selp.u32 %r3, 1, 0, %p2;", "0,0,0", 0),
    ],
)
def test_barriers_that_count(red: str, given: str, expected: int) -> None:
    text = kernel(RED.replace("RED", red), parameters="in out")
    final = " && ".join(f"out[{n}] == {expected}" for n in range(3))
    assert kind(check(text, f"k<<<1,3>>>(in[3]={{{given}}}, out[3])", final, warp=1)) == "safe"


def test_a_barrier_that_counts_orders() -> None:
    body = f"""{SHARED} setp.eq.s32 %p1, %r1, 0; @%p1 st.global.u32 [x], 1; RED @%p1 bra $E; ld.global.u32 %r2, [x];
    ld.param.u64 %d1, [out]; st.global.u32 [%d1], %r2; $E: """
    for red, expected in (("bar.red.or.pred %p2, 0, %p1;", "safe"), ("", "race")):
        text = kernel(body.replace("RED", red), ".global .align 4 .u32 x;", "out")
        assert kind(check(text, "k<<<1,2>>>(out[1])", "out[0] == 1", "cuda")) == expected


WAIT = "$W: mbarrier.try_wait.shared::cta.b64 %p2, [bar], %d2; @!%p2 bra $W;"
PARITY = "$W: mbarrier.test_wait.parity.acquire.cta.shared.b64 %p2, [bar], 0; @!%p2 bra $W;"

MESSAGE = f"""{SHARED}
    setp.ne.s32 %p1, %r1, 0;
    @%p1 bra $MEET;
    mbarrier.init.shared.b64 [bar], 2;
$MEET:
    INIT
    @!%p1 st.shared.u32 [s], 7;
    ARRIVE
    @!%p1 bra $END;
    WAIT
    ld.shared.u32 %r2, [s];
    ld.param.u64 %d1, [out];
    st.global.u32 [%d1], %r2;
$END:
"""
ARRIVE = "mbarrier.arrive.shared.b64 %d2, [bar];"


@pytest.mark.parametrize(
    ("arrive", "wait", "expected"),
    [
        (ARRIVE, WAIT, "safe"),
        (ARRIVE, PARITY, "safe"),
        ("mbarrier.arrive_drop.release.cta.shared::cta.b64 %d2, [bar];", WAIT, "safe"),
        ("mbarrier.arrive.release.cluster.shared.b64 _, [bar], 1;", PARITY, "safe"),
        ("mbarrier.arrive.relaxed.cta.shared.b64 %d2, [bar];", WAIT, "race"),
        (ARRIVE, WAIT.replace("try_wait", "try_wait.relaxed.cta"), "race"),
        (ARRIVE, "mbarrier.test_wait.shared.b64 %p2, [bar], %d2;", "race"),
        (ARRIVE, "mbarrier.test_wait.shared.b64 %p2, [bar], %d2; @!%p2 bra $END;", "safe"),
        (ARRIVE, "mbarrier.test_wait.shared.b64 %p2, [bar], %d2; @%p2 bra $END;", "race"),
        (ARRIVE, PARITY.replace("0;", "1;"), "await"),
        (ARRIVE, "", "race"),
        ("mbarrier.arrive.shared.b64 %d2, [bar], 3;", WAIT, "barrier"),
        ("mbarrier.arrive.noComplete.shared.b64 %d2, [bar], 1;", WAIT, "barrier"),
        (ARRIVE + ARRIVE + ARRIVE, WAIT, "await"),
        ("@!%p1 " + ARRIVE + "mov.u64 %d2, 0;", WAIT, "await"),
    ],
)
def test_a_message_by_an_mbarrier(arrive: str, wait: str, expected: str) -> None:
    final = "out[0] == 7" if "@!%p2 bra $END" not in wait and "@%p2 bra $END" not in wait else "true"
    text = kernel(MESSAGE.replace("INIT", "bar.sync 0;").replace("ARRIVE", arrive).replace("WAIT", wait), "", "out")
    assert kind(check(text, "k<<<1,2>>>(out[1])", final, "cuda")) == expected


def test_an_mbarrier_is_made_before_others_use_it() -> None:
    text = kernel(MESSAGE.replace("INIT", "").replace("ARRIVE", ARRIVE).replace("WAIT", WAIT), "", "out")
    assert kind(check(text, "k<<<1,2>>>(out[1])", None, "cuda")) in ("uninitialised", "race")


PHASES = f"""{SHARED}
    setp.ne.s32 %p1, %r1, 0;
    @!%p1 mbarrier.init.shared.b64 [bar], 2;
    @!%p1 mbarrier.init.shared.b64 [other], 2;
    .shared .align 8 .b64 other;
    bar.sync 0;
    mov.u32 %r4, 0;
$AGAIN:
    @%p1 bra $CONSUMER;
    st.shared.u32 [s], %r4;
    mbarrier.arrive.shared.b64 _, [bar];
    mbarrier.arrive.shared.b64 _, [other];
    and.b32 %r5, %r4, 1;
$W: mbarrier.test_wait.parity.shared.b64 %p2, [other], %r5;
    @!%p2 bra $W;
    bra $NEXT;
$CONSUMER:
    mbarrier.arrive.shared.b64 %d2, [bar];
$V: mbarrier.try_wait.shared.b64 %p2, [bar], %d2, 100;
    @!%p2 bra $V;
    ld.shared.u32 %r2, [s];
    mul.wide.u32 %d3, %r4, 4;
    ld.param.u64 %d1, [out];
    add.u64 %d4, %d1, %d3;
    st.global.u32 [%d4], %r2;
    BACK
$NEXT:
    add.u32 %r4, %r4, 1;
    setp.lt.u32 %p3, %r4, 3;
    @%p3 bra $AGAIN;
"""


@pytest.mark.parametrize(
    ("back", "expected"),
    [
        ("mbarrier.arrive.shared.b64 _, [other];", "safe"),
        ("mbarrier.arrive.relaxed.cta.shared.b64 _, [other];", "race"),
    ],
)
def test_phases_follow_each_other(back: str, expected: str) -> None:
    """One place, which a producer fills and a consumer empties, with a barrier for each."""
    text = kernel(PHASES.replace("BACK", back), "", "out")
    assert kind(check(text, "k<<<1,2>>>(out[3])", "out[0] == 0 && out[1] == 1 && out[2] == 2", "cuda")) == expected


def test_what_has_been_dropped_is_not_waited_for() -> None:
    body = f"""{SHARED} mbarrier.init.shared.b64 [bar], 3; mbarrier.arrive_drop.shared.b64 %d2, [bar];
    mbarrier.pending_count.b64 %r2, %d2; mbarrier.arrive.shared.b64 _, [bar], 2;
    mbarrier.arrive.shared.b64 %d3, [bar]; mbarrier.pending_count.b64 %r3, %d3;
    mbarrier.arrive.shared.b64 _, [bar]; mbarrier.test_wait.shared.b64 %p1, [bar], %d3; selp.u32 %r4, 1, 0, %p1;
    ld.param.u64 %d1, [out]; st.global.u32 [%d1], %r2; st.global.u32 [%d1+4], %r3; st.global.u32 [%d1+8], %r4;"""
    final = "out[0] == 3 && out[1] == 2 && out[2] == 1"
    assert kind(check(kernel(body, parameters="out"), "k<<<1,1>>>(out[3])", final)) == "safe"


@pytest.mark.parametrize("body", ["mbarrier.inval.shared.b64 [bar];", "mbarrier.init.shared.b64 [bar], 0;"])
def test_what_is_no_mbarrier(body: str) -> None:
    text = kernel(f"{SHARED} mbarrier.init.shared.b64 [bar], 1; {body} mbarrier.arrive.shared.b64 %d1, [bar];")
    assert kind(check(text, "k<<<1,1>>>()")) == "barrier"


REFUSED = [
    ("bar.sync 0, 2; bar.arrive 0, 2;", "a thread that comes to a barrier in several ways"),
    ("bar.sync 1, 1;", "more threads come to this barrier than it waits for"),
    ("bar.arrive 1, 2; bar.arrive 1, 2;", "a thread that arrives at a barrier again"),
    ("mov.u32 %r2, 0; bar.arrive 1;", "operands are not supported here"),
    ("barrier.cluster.wait.release;", "the instruction `barrier.cluster.wait.release` is not supported"),
    ("mbarrier.init.shared.b64 [bar], 1; ld.shared.u64 %d1, [bar];", "an access to memory where an `mbarrier` is"),
    ("mbarrier.expect_tx.release.cta.shared.b64 [bar], 8;", "the instruction `mbarrier.expect_tx"),
    ("mbarrier.test_wait.expect_tx.shared.b64 %p1, [bar], 8;", "the instruction `mbarrier.test_wait.expect_tx"),
    ("mbarrier.arrive.shared::cluster.b64 %d1, [bar];", "the instruction `mbarrier.arrive.shared::cluster"),
    ("mbarrier.arrive.acquire.cta.shared.b64 %d1, [bar];", "the instruction `mbarrier.arrive.acquire"),
    (
        "ld.volatile.u32 %r2, [x]; st.volatile.u32 [x], %r2; mbarrier.init.shared.b64 [bar], %r2;",
        "a number of arrivals",
    ),
]


@pytest.mark.parametrize(("body", "message"), REFUSED, ids=lambda value: value.split(";")[0][:40])
def test_what_is_refused(body: str, message: str) -> None:
    with pytest.raises(UnsupportedError, match=message):
        program(kernel(f"{SHARED} {body}", ".global .align 4 .u32 x;"), "k<<<1,2>>>()", warp=1)


def drawn(rng: Random) -> list[list[tuple[str, int]]]:
    """Two or three threads with a phase, at which each arrives, or waits as well, and accesses before and behind it."""
    bodies = []
    for thread in range(rng.choice((2, 2, 3))):
        body = [
            (rng.choice(("load", "store")), rng.choice((thread, thread, 0, 1, 2))) for _ in range(rng.randint(1, 2))
        ]
        at = rng.randint(0, len(body))
        body[at:at] = [(rng.choice(("arrive", "arrive", "arrive", "relaxed")), 0)]
        if rng.random() < 0.7:
            waits = rng.choice(("wait", "wait", "wait", "wait-relaxed", "test", "test"))
            body.insert(rng.randint(at + 1, len(body)), (waits, 0))
        bodies.append(body)
    return bodies


def written(bodies: list[list[tuple[str, int]]], counted: bool) -> str:
    """The threads as a kernel: with an `mbarrier`, or (`counted`) an atomic counter of those who have arrived."""
    parts, reads, count = [], 0, len(bodies)
    for thread, body in enumerate(bodies):
        lines = []
        for number, (what, cell) in enumerate(body):
            order = "relaxed" if what == "relaxed" else "release"
            if what in ("arrive", "relaxed"):
                counts = f"atom.{order}.cta.shared.add.u32 %r5, [count], 1;"
                lines.append(counts if counted else f"mbarrier.arrive.{order}.cta.shared.b64 _, [bar];")
            elif what in ("wait", "wait-relaxed", "test"):
                how, label = ("relaxed" if what == "wait-relaxed" else "acquire"), f"$W{thread}_{number}"
                test = f"mbarrier.test_wait.parity.{how}.cta.shared.b64 %p2, [bar], 0;"
                if counted:
                    test = f"""ld.relaxed.cta.shared.u32 %r5, [count]; setp.eq.u32 %p2, %r5, {count};
                    @!%p2 bra $N{label[1:]}; ld.{how}.cta.shared.u32 %r6, [count]; $N{label[1:]}:"""
                behind = f"@!%p2 bra {label};"
                if what == "test":  # who sees that it is over goes on, who does not ends
                    behind = "@!%p2 bra $END;"
                lines.append(f"{label}: {test} {behind}")
            elif what == "load":
                lines.append(f"ld.shared.u32 %r4, [s+{4 * cell}]; st.global.u32 [res+{4 * reads}], %r4;")
                reads += 1
            else:
                lines.append(f"st.shared.u32 [s+{4 * cell}], {5 + thread};")
        parts.append("\n".join(lines))
    first = f""".shared .align 4 .b32 s[3]; .shared .align 4 .b32 count; .shared .align 8 .b64 bar; mov.u32 %r1, %tid.x;
    setp.eq.u32 %p1, %r1, 0; @%p1 st.shared.u32 [s], 1; @%p1 st.shared.u32 [s+4], 2; @%p1 st.shared.u32 [s+8], 3;
    @%p1 st.shared.u32 [count], 0; @%p1 mbarrier.init.shared.b64 [bar], {count}; bar.sync 1;\n"""
    dispatch = "".join(f"setp.eq.u32 %p1, %r1, {n}; @%p1 bra $T{n};\n" for n in range(count))
    threads = "".join(f"$T{n}: {part} ret;\n" for n, part in enumerate(parts))
    return kernel(f"{first}{dispatch}ret;\n{threads}$END:\n", ".global .align 4 .u32 res[8];")


def answered(text: str, threads: int) -> set[tuple[int, ...]] | None:
    """The final states of what was read; None: there is a race."""
    final = " || ".join(["0 == 0", *(f"res[{n}] == 0" for n in range(8))])
    made = program(text, f"k<<<1,{threads}>>>()", final, warp=1)
    result = xgen.check(replace(made, requirement=None), "cuda", all_states=True, liveness=False)
    if result.verdict == "violation":
        return None
    return {tuple(int(each.state[f"res[{n}]"]) for n in range(8)) for each in result.outcomes}


@pytest.mark.parametrize(
    "seeds",
    [pytest.param(range(25), id="fast"), pytest.param(range(25, 400), id="slow", marks=pytest.mark.slow)],
)
def test_an_mbarrier_is_a_counter(seeds: range) -> None:
    """A phase orders what a counter of those who have come orders, which is read by an acquire where it is full."""
    safe = 0
    for seed in seeds:
        bodies = drawn(Random(seed))
        found, expected = (answered(written(bodies, counted), len(bodies)) for counted in (False, True))
        assert found == expected, (seed, bodies)
        safe += found is not None
    assert len(seeds) / 10 < safe < len(seeds) * 9 / 10
