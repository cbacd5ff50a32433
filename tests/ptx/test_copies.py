"""Copies in the background: `cp.async`, and waiting for them."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

import xgen
from tests.ptx.kernels import check, kernel, kind, program
from xgen.errors import UnsupportedError
from xgen.records import replace

SHARED = ".shared .align 16 .b32 s[8]; mov.u32 %r1, %tid.x; setp.ne.s32 %p1, %r1, 0; ld.param.u64 %d1, [in];"
FIRST, SECOND = (f"cp.async.ca.shared.global [s+{at}], [%d1+{at}], 4; cp.async.commit_group;" for at in (0, 4))
OUT = "ld.param.u64 %d2, [out]; st.global.u32 [%d2], %r2; st.global.u32 [%d2+4], %r3;"
READ = "ld.shared.u32 %r2, [s]; ld.shared.u32 %r3, [s+4];"

ONE = [
    (f"{FIRST} {SECOND} cp.async.wait_group 0; {READ}", "safe"),
    (f"{FIRST} {SECOND} cp.async.wait_all; {READ}", "safe"),
    (f"{FIRST} cp.async.ca.shared.global [s+4], [%d1+4], 4; cp.async.wait_all; {READ}", "safe"),
    (f"{FIRST} cp.async.ca.shared.global [s+4], [%d1+4], 4; cp.async.wait_group 0; {READ}", "undefined"),
    (f"{FIRST} {SECOND} cp.async.wait_group 1; {READ}", "undefined"),
    (f"{FIRST} {SECOND} cp.async.wait_group 1; ld.shared.u32 %r2, [s]; mov.u32 %r3, 2;", "safe"),
    (f"{FIRST} {SECOND} cp.async.wait_group 2; ld.shared.u32 %r2, [s]; mov.u32 %r3, 2;", "undefined"),
    (f"{FIRST} {SECOND} cp.async.commit_group; cp.async.wait_group 1; {READ}", "safe"),
    (f"{FIRST} {SECOND} {READ}", "undefined"),
    (f"{FIRST} {SECOND} cp.async.wait_all; st.global.u32 [%d1], 9; {READ}", "safe"),
    (f"{FIRST} {SECOND} st.global.u32 [%d1], 9; cp.async.wait_all; {READ}", "undefined"),
    (f"st.global.u32 [%d1], 1; {FIRST} {SECOND} cp.async.wait_all; {READ}", "safe"),
    (f"st.shared.u32 [s], 7; {FIRST} {SECOND} cp.async.wait_all; {READ}", "safe"),
    (f"{FIRST} {FIRST} {SECOND} cp.async.wait_all; {READ}", "undefined"),
    (f"{FIRST} cp.async.wait_all; {FIRST} {SECOND} cp.async.wait_all; {READ}", "safe"),
    ("cp.async.cg.shared.global [s], [%d1], 16; cp.async.wait_all; ld.shared.v2.u32 {%r2, %r3}, [s];", "safe"),
    ("cp.async.cg.shared.global.L2::128B [s], [%d1], 16, 8; cp.async.wait_all; " + READ, "safe"),
    ("cp.async.ca.shared.global [s], [%d1+4], 8; cp.async.wait_all; " + READ, "bad-address"),
    ("cp.async.ca.shared.global [s], [%d1+16], 4; cp.async.wait_all; " + READ, "out-of-bounds"),
    ("cp.async.ca.shared.global [s+32], [%d1], 4; cp.async.wait_all; " + READ, "out-of-bounds"),
]


@pytest.mark.parametrize(("body", "expected"), ONE, ids=[str(n) for n in range(len(ONE))])
def test_a_thread_waits_for_its_copies(body: str, expected: str) -> None:
    text = kernel(f"{SHARED} {body} {OUT}", parameters="in out")
    assert kind(check(text, "k<<<1,1>>>(in[4]={1,2,3,4}, out[2])", "out[0] == 1 && out[1] == 2", "cuda")) == expected


def test_what_is_not_read_is_0() -> None:
    body = f"""{SHARED} st.shared.u32 [s+8], 5; cp.async.ca.shared.global [s], [%d1], 16, 8; cp.async.wait_all;
    ld.shared.u32 %r2, [s+8]; ld.shared.u32 %r3, [s+4]; {OUT}"""
    text = kernel(body, parameters="in out")
    assert kind(check(text, "k<<<1,1>>>(in[4]={1,2,3,4}, out[2])", "out[0] == 0 && out[1] == 2", "cuda")) == "safe"


def test_a_copy_in_a_loop_is_waited_for() -> None:
    loop = f"""{SHARED} mov.u32 %r4, 0;
    $L: st.global.u32 [%d1], %r4; {FIRST} WAIT ld.shared.u32 %r2, [s]; add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, 3;
    @%p2 bra $L; mov.u32 %r3, 0; {OUT}"""
    for wait, expected in (("cp.async.wait_all;", "safe"), ("", "undefined")):
        text = kernel(loop.replace("WAIT", wait), parameters="in out")
        assert kind(check(text, "k<<<1,1>>>(in[4], out[2])", "out[0] == 2", "cuda")) == expected


TWO = f"""{SHARED} @%p1 bra $OTHER; BEFORE {FIRST} WAIT bar.sync 0; ret;
$OTHER: AFTER bar.sync 0; ld.shared.u32 %r2, [s]; mov.u32 %r3, 0; {OUT}"""


@pytest.mark.parametrize(
    ("wait", "before", "after", "expected"),
    [
        ("cp.async.wait_all;", "", "", "safe"),
        ("", "", "", "race"),
        ("cp.async.wait_all;", "", "st.global.u32 [%d1], 5;", "race"),
        ("cp.async.wait_all;", "bar.sync 1;", "st.global.u32 [%d1], 1; bar.sync 1;", "safe"),
        ("cp.async.wait_all;", "", "st.shared.u32 [s], 1;", "race"),
        ("cp.async.wait_all;", "", "st.shared.u32 [s+4], 1;", "safe"),
    ],
)
def test_others_read_what_was_copied(wait: str, before: str, after: str, expected: str) -> None:
    text = kernel(TWO.replace("WAIT", wait).replace("BEFORE", before).replace("AFTER", after), parameters="in out")
    launch = "k<<<1,2>>>(in[4]={1,2,3,4}, out[2])"
    assert kind(check(text, launch, "out[0] == 1", "cuda")) == expected
    found = check(text, launch, "out[0] == 1", "ptx")
    assert found.verdict == "safe" if expected == "safe" else found.verdict in ("safe", "violation")


def test_a_copy_may_be_late_or_early() -> None:
    """Under `ptx`, who does not wait may read what was there, or what is copied."""
    text = kernel(f"{SHARED} st.shared.u32 [s], 7; {FIRST} ld.shared.u32 %r2, [s]; mov.u32 %r3, 0; {OUT}", "", "in out")
    launch = "k<<<1,1>>>(in[4]={1,2,3,4}, out[2])"
    assert kind(check(text, launch, "out[0] == 1 || out[0] == 7")) == "safe"
    for value in (1, 7):
        assert kind(check(text, launch, f"out[0] == {value}")) == "final"


BAR = ".shared .align 8 .b64 bar;"
BOTH = "cp.async.ca.shared.global [s], [%d1], 4; cp.async.ca.shared.global [s+4], [%d1+4], 4;"
ARRIVE = "mbarrier.arrive.shared.b64 _, [bar];"
AWAIT = "$W: mbarrier.test_wait.parity.shared.b64 %p2, [bar], 0; @!%p2 bra $W;"
BEHIND = "cp.async.mbarrier.arrive.shared::cta.b64 [bar];"
COUNTED = "cp.async.mbarrier.arrive.noinc.shared.b64 [bar];"


@pytest.mark.parametrize(
    ("body", "count", "expected"),
    [
        (BOTH + COUNTED + AWAIT + READ, 1, "safe"),
        (BOTH + BEHIND + ARRIVE + AWAIT + READ, 1, "safe"),
        (BOTH + BEHIND + AWAIT + READ, 1, "await"),
        (BOTH + COUNTED + ARRIVE + AWAIT + READ, 2, "safe"),
        (BOTH + COUNTED + AWAIT + READ, 2, "await"),
        (BOTH + COUNTED + READ + AWAIT, 1, "undefined"),
        (COUNTED + BOTH + AWAIT + READ, 1, "undefined"),
        (BOTH + ARRIVE + AWAIT + READ, 1, "undefined"),
        (BOTH + COUNTED + AWAIT + "st.global.u32 [%d1], 9;" + READ, 1, "safe"),
        (BOTH + COUNTED + "st.global.u32 [%d1], 9;" + AWAIT + READ, 1, "undefined"),
        (FIRST + COUNTED + SECOND + "cp.async.wait_all;" + AWAIT + READ, 1, "safe"),
        (FIRST + COUNTED + SECOND + AWAIT + READ, 1, "undefined"),
        ("mbarrier.inval.shared.b64 [bar];" + BOTH + BEHIND + ARRIVE + AWAIT + READ, 1, "barrier"),
        ("mbarrier.inval.shared.b64 [bar];" + BOTH + COUNTED + AWAIT + READ, 1, "barrier"),
    ],
)
def test_an_arrival_behind_copies(body: str, count: int, expected: str) -> None:
    """PTX ISA, cp.async.mbarrier.arrive: it is triggered when all copies before it are over; without .noinc, the phase
    needs one arrival more, so that this one counts nothing."""
    text = kernel(f"{BAR}{SHARED} mbarrier.init.shared.b64 [bar], {count}; {body} {OUT}", parameters="in out")
    assert kind(check(text, "k<<<1,1>>>(in[4]={1,2,3,4}, out[2])", "out[0] == 1 && out[1] == 2", "cuda")) == expected


def test_an_arrival_may_be_late() -> None:
    """The thread does not wait for it: who looks behind it may not see it."""
    text = kernel(
        f"""{BAR}{SHARED} mbarrier.init.shared.b64 [bar], 1; {BOTH} {COUNTED}
        mbarrier.test_wait.parity.shared.b64 %p2, [bar], 0; selp.u32 %r2, 1, 0, %p2; mov.u32 %r3, 0; {OUT}""",
        parameters="in out",
    )
    assert kind(check(text, "k<<<1,1>>>(in[4], out[2])", "out[0] == 0 || out[0] == 1")) == "safe"
    for value in (0, 1):
        assert kind(check(text, "k<<<1,1>>>(in[4], out[2])", f"out[0] == {value}")) == "final"


REFUSED = [
    ("cp.async.mbarrier.arrive.shared::cluster.b64 [s];", "the instruction `cp.async.mbarrier.arrive.shared::cluster"),
    ("cp.async.bulk.commit_group;", "the instruction `cp.async.bulk.commit_group`"),
    ("cp.async.ca.shared.global [s], [%d1], 4, %p1;", "the predicate `%p1` is no number"),
    ("cp.async.ca.shared.global [s], [%d1], 4, 2;", "the instruction `cp.async.ca.shared.global`"),
]


TELLS = f"""{BAR}{SHARED} @!%p1 mbarrier.init.shared.b64 [bar], COUNT; bar.sync 0; @%p1 bra $OTHER; DOES ret;
$OTHER: {AWAIT} ld.shared.u32 %r2, [s]; mov.u32 %r3, 0; {OUT}"""


@pytest.mark.parametrize(
    ("does", "count", "expected"),
    [
        (f"st.shared.u32 [s], 1; {ARRIVE}", 1, "safe"),
        (f"st.shared.u32 [s], 1; {COUNTED}", 1, "race"),
        (f"st.shared.u32 [s], 1; {COUNTED} {ARRIVE}", 2, "safe"),
        (f"st.shared.u32 [s], 1; membar.cta; {COUNTED}", 1, "safe"),
        (f"{FIRST} {COUNTED}", 1, "safe"),
        (f"st.shared.u32 [s+4], 2; {FIRST} {COUNTED}", 1, "safe"),
    ],
)
def test_an_arrival_behind_copies_tells_of_these_only(does: str, count: int, expected: str) -> None:
    """PTX ISA, mbarrier.test_wait: what is not a copy is seen where it comes before an mbarrier.arrive with release."""
    text = kernel(TELLS.replace("DOES", does).replace("COUNT", str(count)), parameters="in out")
    assert kind(check(text, "k<<<1,2>>>(in[4]={1,2,3,4}, out[2])", "out[0] == 1", "cuda")) == expected


@pytest.mark.parametrize(("body", "message"), REFUSED, ids=lambda value: value.split(";")[0][:40])
def test_what_is_refused(body: str, message: str) -> None:
    with pytest.raises(UnsupportedError, match=message):
        program(kernel(f"{SHARED} {body}", parameters="in"), "k<<<1,1>>>(in[4])")


Body = list[tuple[str, int]]
"""What a thread does: an instruction with a number each."""


def drawn(rng: Random) -> list[Body]:
    """Two threads, which copy once or twice, access the same two cells, and meet."""
    meets, bodies = rng.randint(0, 2), []
    for thread in range(2):
        body: Body = []
        for _ in range(rng.randint(1, 3)):
            body.append((rng.choice(("load", "load", "store", "source")), thread ^ (rng.random() < 0.15)))
        for _ in range(rng.randint(1, 2) if thread == 0 else rng.randint(0, 1)):
            at = rng.randint(0, len(body))
            behind = [("commit", 0), (("wait", rng.choice((0, 0, 1))) if rng.random() < 0.8 else ("all", 0))]
            body[at:at] = [("copy", thread ^ (rng.random() < 0.15)), *(behind if rng.random() < 0.8 else behind[:1])]
        for _ in range(meets):
            body.insert(rng.randint(0, len(body)), ("meet", 0))
        bodies.append(body)
    return bodies


def drawn_with_arrivals(rng: Random) -> list[Body]:
    """Two threads, of which one copies and arrives behind that, and the other one may arrive and wait.

    What is neither a copy nor a wait stands behind the arrival, which does not tell of it; a thread that helps would.
    """
    copying: Body = [("copy", 0), ("signal", 0)]
    for what, cell in (("copy", 1), ("await", 0)):
        if rng.random() < 0.3:
            copying.insert(rng.randint(0, len(copying)), (what, cell))
    for what, cell in (("load", 0), ("store", 0), ("source", 0), ("source", 1), ("load", 1)):
        if rng.random() < 0.3:
            copying.insert(rng.randint(copying.index(("signal", 0)) + 1, len(copying)), (what, cell))
    other: Body = [("load", rng.choice((0, 0, 1)))]
    for what, cell in (("store", 1), ("store", 0), ("source", 0), ("arrive", 0)):
        if rng.random() < 0.3:
            other.insert(rng.randint(0, len(other)), (what, cell))
    if rng.random() < 0.8:
        other.insert(rng.randint(0, len(other)), ("await", 0))
    return [copying, other]


def written(bodies: list[Body], helped: bool) -> tuple[str, int]:
    """The threads as a kernel, and how many it has. `helped`: each copy is by another thread, which is told to begin,
    and says when it is over, by flags."""
    parts, helpers, reads = [], list[str](), 0
    for thread, body in enumerate(bodies):
        lines, groups, open_, begun = list[str](), list[list[int]](), list[int](), list[int]()
        for what, number in body:
            cell = 4 * number
            if what == "copy" and helped:
                flag = 8 * len(helpers)
                lines.append(f"st.release.cta.shared.u32 [flags+{flag}], 1;")
                open_.append(flag)
                begun.append(flag)
                helpers.append(f"""$B{flag}: ld.acquire.cta.shared.u32 %r2, [flags+{flag}]; setp.eq.u32 %p2, %r2, 0;
                @%p2 bra $B{flag}; ld.global.u32 %r3, [g+{cell}]; st.shared.u32 [s+{cell}], %r3;
                st.release.cta.shared.u32 [flags+{flag + 4}], 1;""")
            elif what == "copy":
                lines.append(f"cp.async.ca.shared.global [s+{cell}], [g+{cell}], 4;")
            elif what in ("commit", "wait", "all"):
                if what != "wait":
                    groups.append(open_)
                    open_ = []
                over = groups[: max(0, len(groups) - number)] if what != "commit" else []
                for flag in (flag for group in over for flag in group) if helped else ():
                    lines.append(f"""$E{flag}: ld.acquire.cta.shared.u32 %r2, [flags+{flag + 4}];
                    setp.eq.u32 %p2, %r2, 0; @%p2 bra $E{flag};""")
                for group in over:
                    group.clear()
                name = {"commit": "commit_group", "wait": f"wait_group {number}", "all": "wait_all"}[what]
                lines += [] if helped else [f"cp.async.{name};"]
            elif what == "signal" and helped:
                flag = 8 * len(helpers)
                lines.append(f"st.release.cta.shared.u32 [flags+{flag}], 1;")
                waits = "".join(
                    f"""$S{flag}{at}: ld.acquire.cta.shared.u32 %r2, [flags+{at}]; setp.eq.u32 %p2, %r2, 0;
                    @%p2 bra $S{flag}{at};\n"""
                    for at in (flag, *(each + 4 for each in begun))
                )
                helpers.append(f"{waits} {ARRIVE}")
            elif what in ("signal", "arrive"):
                lines.append(COUNTED if what == "signal" else ARRIVE)
            elif what == "await":
                lines.append(AWAIT.replace("$W", f"$W{thread}{len(lines)}"))
            elif what == "meet":
                lines.append("bar.sync 0, 2;")
            elif what == "load":
                lines.append(f"ld.shared.u32 %r4, [s+{cell}]; st.global.u32 [res+{4 * reads}], %r4;")
                reads += 1
            else:
                place = f".shared.u32 [s+{cell}]" if what == "store" else f".global.u32 [g+{cell}]"
                lines.append(f"st{place}, {5 + thread};")
        parts.append("\n".join(lines))
    dispatch, bodies_ = "", ""
    for number, part in enumerate(parts + helpers):
        dispatch += f"setp.eq.u32 %p1, %r1, {number}; @%p1 bra $T{number};\n"
        bodies_ += f"$T{number}: {part} ret;\n"
    first = ".shared .align 4 .b32 s[2]; .shared .align 4 .b32 flags[16]; mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 0;"
    arrivals = sum(what in ("signal", "arrive") for body in bodies for what, _ in body)
    first += f"{BAR} @%p1 mbarrier.init.shared.b64 [bar], {arrivals};" if arrivals else ""
    zeros = "".join(f" @%p1 st.shared.u32 [flags+{4 * n}], 0;" for n in range(2 * len(helpers)))
    start = f"{first} @%p1 st.shared.u32 [s], 3; @%p1 st.shared.u32 [s+4], 4; {zeros} bar.sync 1;\n"
    cells = ".global .align 4 .u32 g[2] = {1, 2};\n.global .align 4 .u32 res[8];"
    return kernel(start + dispatch + "ret;\n" + bodies_, cells), len(parts + helpers)


def answered(text: str, threads: int) -> set[tuple[int, ...]] | None:
    """The final states of what was read; None: there is a race."""
    final = " || ".join(["0 == 0", *(f"res[{n}] == 0" for n in range(8))])
    made = program(text, f"k<<<1,{threads}>>>()", final, warp=1)
    result = xgen.check(replace(made, requirement=None), "cuda", all_states=True, liveness=False)
    if result.verdict == "violation":
        return None
    return {tuple(int(each.state[f"res[{n}]"]) for n in range(8)) for each in result.outcomes}


def agreed(draw: Callable[[Random], list[Body]], seeds: range) -> int:
    """Sees that threads answer as those that are helped do; how many have no race."""
    safe = 0
    for seed in seeds:
        bodies = draw(Random(seed))
        found, expected = (answered(*written(bodies, helped)) for helped in (False, True))
        assert found == expected, (seed, bodies)
        safe += found is not None
    return safe


@pytest.mark.parametrize(
    "seeds",
    [
        pytest.param(range(25), id="fast"),
        pytest.param(range(25, 400), id="slow", marks=pytest.mark.slow),
    ],
)
def test_as_if_by_another_thread(seeds: range) -> None:
    """A copy is as what another thread does that is started there, and waited for where the thread waits for copies."""
    assert len(seeds) / 8 < agreed(drawn, seeds) < len(seeds) * 7 / 8


@pytest.mark.parametrize(
    "seeds", [pytest.param(range(12), id="fast"), pytest.param(range(12, 200), id="slow", marks=pytest.mark.slow)]
)
def test_arrivals_as_if_by_another_thread(seeds: range) -> None:
    """An arrival behind copies is as that of another thread, which is started there and waits for those of copies."""
    assert len(seeds) / 10 < agreed(drawn_with_arrivals, seeds) < len(seeds) * 9 / 10
