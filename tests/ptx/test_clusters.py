"""Clusters of blocks: their scope, their barrier, and the shared memory of other blocks."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

import xgen
from tests.litmus.gpu.ptx_oracle import Instr, Test, draw
from tests.litmus.reading import read as read_litmus
from tests.ptx.kernels import check, kernel, kind, program
from tests.ptx.test_round_trip import ptx_of, replaced, states_of
from xgen.errors import ProgramError
from xgen.records import replace

SHARED = ".shared .align 4 .u32 s; .global .align 4 .u32 x;"
TWO = "k<<<2,1,cluster(2)>>>(out[1])"
HAND_OVER = """mov.u32 %r1, %cluster_ctarank; mov.u32 %r2, s; setp.ne.u32 %p1, %r1, 0; @%p1 bra $O;
st.shared.u32 [s], 7; FIRST ret;
$O: SECOND mapa.shared::cluster.u32 %r3, %r2, 0; ld.shared::cluster.u32 %r4, [%r3];
ld.param.u64 %d1, [out]; st.global.u32 [%d1], %r4;"""
ARRIVE, WAIT, RELAXED = "barrier.cluster.arrive;", "barrier.cluster.wait;", "barrier.cluster.arrive.relaxed.aligned;"
LOOKS = "ld.volatile.global.u32 %r9, [x];"


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (ARRIVE + WAIT, ARRIVE + WAIT, "safe"),
        ("barrier.cluster.arrive.release; barrier.cluster.wait.acquire.aligned;", ARRIVE + WAIT, "safe"),
        (ARRIVE + WAIT, RELAXED + WAIT, "safe"),
        (RELAXED + WAIT, ARRIVE + WAIT, "race"),
        (ARRIVE + LOOKS + WAIT, ARRIVE + WAIT, "safe"),
        (ARRIVE + WAIT, ARRIVE + LOOKS + WAIT, "safe"),
        (ARRIVE, ARRIVE + WAIT, "safe"),
        (ARRIVE + LOOKS, RELAXED + LOOKS + WAIT, "safe"),
        (RELAXED + LOOKS + WAIT, ARRIVE + WAIT, "race"),
        ("", ARRIVE + WAIT, "race"),
        (ARRIVE + WAIT, "", "race"),
        (ARRIVE + ARRIVE, ARRIVE + WAIT, "barrier"),
        (WAIT, ARRIVE + WAIT, "barrier"),
        ("bar.sync 0;", "bar.sync 0;", "race"),
    ],
)
def test_the_barrier_of_a_cluster(first: str, second: str, expected: str) -> None:
    """PTX ISA, barrier.cluster: an arrival releases unless it is relaxed, and a wait acquires; each thread arrives once
    before it waits."""
    text = kernel(HAND_OVER.replace("FIRST", first).replace("SECOND", second), SHARED, "out")
    assert kind(check(text, TWO, "out == 7", "cuda")) == expected
    found = kind(check(text, TWO, "out == 7", "ptx"))
    assert found == expected if expected != "race" else found in ("uninitialised", "await")


def test_a_thread_may_wait_for_another_one_between_arrival_and_wait() -> None:
    """It has arrived, so that the other one passes, and sets what it waits for."""
    text = kernel(
        """mov.u32 %r1, %cluster_ctarank; setp.ne.u32 %p1, %r1, 0; @%p1 bra $O; ARRIVES
        $L: ld.acquire.cluster.global.u32 %r2, [x]; setp.eq.u32 %p2, %r2, 0; @%p2 bra $L; AFTER
        barrier.cluster.wait; ret;
        $O: barrier.cluster.arrive; barrier.cluster.wait; st.release.cluster.global.u32 [x], 1;""",
        ".global .align 4 .u32 x;",
    )
    for arrives, after, expected in ((ARRIVE, "", "safe"), ("", ARRIVE, "await")):
        made = text.replace("ARRIVES", arrives).replace("AFTER", after)
        assert kind(check(made, "k<<<2,1,cluster(2)>>>()")) == expected


@pytest.mark.parametrize("comes", [0, 1, 2])
def test_nobody_waits_for_a_thread_that_has_returned(comes: int) -> None:
    """PTX ISA, barrier.cluster.wait: the thread waits for all threads of the cluster that have not exited. What these
    have done before is not ordered by that."""
    once = ARRIVE + WAIT
    text = kernel(
        f"""mov.u32 %r1, %cluster_ctarank; setp.eq.u32 %p1, %r1, 1; @%p1 bra $O; setp.eq.u32 %p1, %r1, 2; @%p1 bra $U;
        {once} {once} {once} st.global.u32 [x], 1; ret;
        $O: {comes * once} exit;
        $U: {once} {once} {once} ld.global.u32 %r2, [x];""",
        ".global .align 4 .u32 x;",
    )
    assert kind(check(text, "k<<<3,1,cluster(3)>>>()", None, "cuda")) == "race"
    ordered = text.replace("[x], 1; ret;", f"[x], 1; {once} ret;").replace("ld.global.u32", f"{once} ld.global.u32")
    assert kind(check(ordered, "k<<<3,1,cluster(3)>>>()", None, "cuda")) == "safe"


def test_a_loop_whose_rounds_are_not_known() -> None:
    """All threads leave it at once, so that nobody has to say that he has come to the rounds that are left."""
    text = kernel(
        f"""mov.u32 %r1, %cluster_ctarank; setp.ne.u32 %p1, %r1, 0; @%p1 bra $L; st.relaxed.gpu.global.u32 [x], 1;
        $L: {ARRIVE}{WAIT} ld.relaxed.gpu.global.u32 %r2, [x]; setp.eq.u32 %p2, %r2, 0; @%p2 bra $L;""",
        ".global .align 4 .u32 x;",
    )
    result = check(text, "k<<<4,1,cluster(4)>>>()")
    assert (result.verdict, result.executions, result.blocked) == ("safe", 1, 0)


@pytest.mark.parametrize(
    ("scopes", "launch", "expected"),
    [
        (("cluster", "cluster"), "k<<<2,1,cluster(2)>>>()", "safe"),
        (("cta", "cluster"), "k<<<2,1,cluster(2)>>>()", "race"),
        (("cluster", "cluster"), "k<<<2,1>>>()", "race"),
        (("cluster", "gpu"), "k<<<2,1,cluster(2)>>>()", "safe"),
        (("cluster", "cluster"), "k<<<2,1,64,cluster(1)>>>()", "race"),
        (("gpu", "gpu"), "k<<<2,1>>>()", "safe"),
    ],
)
def test_the_scope_of_a_cluster(scopes: tuple[str, str], launch: str, expected: str) -> None:
    text = kernel(
        f"""mov.u32 %r1, %ctaid.x; setp.ne.u32 %p1, %r1, 0; @%p1 bra $O;
        st.global.u32 [x], 1; st.release.{scopes[0]}.global.u32 [y], 1; ret;
        $O: ld.acquire.{scopes[1]}.global.u32 %r2, [y]; setp.ne.u32 %p2, %r2, 0; @%p2 ld.global.u32 %r3, [x];""",
        ".global .align 4 .u32 x; .global .align 4 .u32 y;",
    )
    assert kind(check(text, launch, model="cuda")) == expected


NUMBERS = """mov.u32 %r1, %REGISTER; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ctaid.y; mad.lo.u32 %r4, %r3, 4, %r2;
mul.wide.u32 %d2, %r4, 4; ld.param.u64 %d1, [out]; add.u64 %d1, %d1, %d2; st.global.u32 [%d1], %r1;"""


@pytest.mark.parametrize(
    ("register", "expected"),
    [
        ("cluster_ctarank", [0, 1, 0, 1, 2, 3, 2, 3]),
        ("cluster_nctarank", [4] * 8),
        ("clusterid.x", [0, 0, 1, 1, 0, 0, 1, 1]),
        ("clusterid.y", [0] * 8),
        ("nclusterid.x", [2] * 8),
        ("cluster_ctaid.x", [0, 1, 0, 1, 0, 1, 0, 1]),
        ("cluster_ctaid.y", [0, 0, 0, 0, 1, 1, 1, 1]),
        ("cluster_nctaid.y", [2] * 8),
        ("is_explicit_cluster", [1] * 8),
    ],
)
def test_where_a_block_is_in_its_cluster(register: str, expected: list[int]) -> None:
    text = kernel(NUMBERS.replace("REGISTER", register), parameters="out")
    final = " && ".join(f"out[{index}] == {value}" for index, value in enumerate(expected))
    assert kind(check(text, "k<<<dim3(4,2),1,cluster(2,2)>>>(out[8])", final)) == "safe"


def test_the_kernel_says_how_many_blocks_a_cluster_has() -> None:
    text = kernel(NUMBERS.replace("REGISTER", "cluster_nctarank"), parameters="out")
    text = text.replace("\n{", " .explicitcluster .reqnctapercluster 2, 1, 1\n{", 1)
    assert kind(check(text, "k<<<2,1>>>(out[2])", "out[0] == 2 && out[1] == 2")) == "safe"
    with pytest.raises(ProgramError, match="a cluster has 2x1x1 blocks, and the launch 4x1x1"):
        program(text, "k<<<4,1,cluster(4)>>>(out[2])")
    with pytest.raises(ProgramError, match="a grid of 3x1x1 blocks does not consist of clusters of 2x1x1"):
        program(text, "k<<<3,1>>>(out[2])")


OTHERS = f"""mov.u32 %r1, %cluster_ctarank; cvta.shared.u64 %d2, s; CODE {ARRIVE} {WAIT}"""


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("mapa.u64 %d3, %d2, 1; st.u32 [%d3], 1;", "race"),
        ("xor.b32 %r2, %r1, 1; mapa.u64 %d3, %d2, %r2; st.u32 [%d3], 1;", "safe"),
        ("xor.b32 %r2, %r1, 1; mapa.u64 %d3, %d2, %r2; st.shared::cluster.u32 [%d3], 1;", "safe"),
        ("xor.b32 %r2, %r1, 1; mapa.u64 %d3, %d2, %r2; st.shared.u32 [%d3], 1;", "out-of-bounds"),
        ("mapa.u64 %d3, %d2, 1; red.relaxed.cluster.shared::cluster.add.u32 [%d3], 1;", "uninitialised"),
        ("mapa.u64 %d3, %d2, 2;", "out-of-bounds"),
        ("mapa.u64 %d3, %d2, %r1; setp.ne.u64 %p1, %d3, %d2; @%p1 trap;", "safe"),
        ("mapa.u64 %d3, %d2, 1; getctarank.u64 %r3, %d3; setp.ne.u32 %p1, %r3, 1; @%p1 trap;", "safe"),
        ("mapa.u64 %d3, %d2, 1; isspacep.shared::cluster %p1, %d3; @!%p1 trap;", "safe"),
        (
            "mapa.u64 %d3, %d2, 0; isspacep.shared %p1, %d3; setp.ne.u32 %p2, %r1, 0; @%p2 bra $E; @!%p1 trap; $E:",
            "safe",
        ),
        ("mapa.u64 %d3, %d2, 0; isspacep.shared::cta %p1, %d3; @!%p1 trap;", "exit"),
        ("mov.u64 %d3, x; mapa.u64 %d4, %d3, 0;", "out-of-bounds"),
        ("ld.volatile.global.u32 %r2, [x]; mapa.u64 %d3, %d2, %r2; getctarank.u64 %r3, %d3; TELLS", "safe"),
        (
            "ld.volatile.global.u32 %r2, [x]; mapa.u64 %d3, %d2, %r2; isspacep.shared::cluster %p1, %d3; @!%p1 trap;",
            "safe",
        ),
        ("ld.volatile.global.u32 %r2, [x]; add.u32 %r2, %r2, 2; mapa.u64 %d3, %d2, %r2;", "out-of-bounds"),
    ],
)
def test_the_shared_memory_of_other_blocks(code: str, expected: str) -> None:
    code = code.replace("TELLS", "setp.ne.u32 %p1, %r3, %r2; @%p1 trap; st.volatile.global.u32 [x], %r1;")
    text = kernel(OTHERS.replace("CODE", code), SHARED)
    assert kind(check(text, "k<<<2,1,cluster(2)>>>()", model="cuda")) == expected


def test_two_clusters_share_no_memory() -> None:
    """An address of another cluster, handed over, leads nowhere."""
    text = kernel(
        """mov.u32 %r1, %ctaid.x; setp.ne.u32 %p1, %r1, 0; cvta.shared.u64 %d2, s; add.u64 %d2, %d2, 1048576;
        @!%p1 st.u32 [%d2], 1;""",
        SHARED,
    )
    assert kind(check(text, "k<<<2,1>>>()")) == "out-of-bounds"
    assert kind(check(text, "k<<<2,1,cluster(2)>>>()")) == "safe"


# ---- against what shares no code with clusters


def drawn(seed: int) -> Test:
    """A test of one GPU or two without proxies, other names and barriers."""
    test = draw(Random(seed))
    threads = []
    for place, body in test.threads:
        kept = tuple(each for each in body if each.what not in ("proxy", "bar") and each.name in ("", "x", "y"))
        known = {each.register for each in kept}
        threads.append((place, tuple(replaced(each, known) for each in kept)))
    return Test(tuple(threads), {name: told for name, told in test.names.items() if name in ("x", "y")})


def as_clusters(test: Test) -> tuple[str, str]:
    """The test as a kernel, in which each GPU is a cluster, and the system is a GPU; and its launch."""
    count, dispatch, parts = Counter[tuple[int, int]](), [], []
    for number, ((block, gpu), body) in enumerate(test.threads):
        own = (2 * gpu + block, count[gpu, block])
        count[gpu, block] += 1
        dispatch.append(f"setp.eq.s32 %p1, %r30, {own[0]}; setp.eq.and.s32 %p2, %r31, {own[1]}, %p1;")
        dispatch.append(f"@%p2 bra $T{number};")
        parts.append(f"$T{number}:")
        parts += [ptx_of(_narrower(each)) for each in body]
        for at, (_, register) in [(n, r) for n, r in enumerate(test.registers) if r[0] == number]:
            parts.append(f"st.global.u32 [res+{4 * at}], %{register};")
        parts.append("ret;")
    body = "\n".join(["mov.u32 %r30, %ctaid.x; mov.u32 %r31, %tid.x;", *dispatch, "ret;", *parts])
    names = "\n".join(f".global .align 4 .u32 {name};" for name in test.locations)
    text = kernel(body, f"{names}\n.global .align 4 .u32 res[{len(test.registers) + 1}];")
    return text, f"k<<<4,{max(count.values())},cluster(2)>>>()"


def _narrower(instr: Instr) -> Instr:
    scope = {"gpu": "cluster", "sys": "gpu"}.get(instr.scope, instr.scope)
    return Instr(instr.what, instr.order, scope, *(getattr(instr, each) for each in REST))


REST = ("proxy", "name", "register", "value", "expected", "instance")


@pytest.mark.parametrize(
    "seeds",
    [
        pytest.param(range(25), id="fast"),
        pytest.param(range(25, 60), id="slow", marks=pytest.mark.slow),
        pytest.param(range(60, 6000), id="long", marks=pytest.mark.long),
    ],
)
def test_a_cluster_is_to_a_gpu_what_a_gpu_is_to_a_system(seeds: range) -> None:
    several = 0
    for seed in seeds:
        test = drawn(seed)
        expected = states_of(
            read_litmus(test.text).program, [f"P{n}:{register}" for n, register in test.registers] + test.locations
        )
        text, launch = as_clusters(test)
        cells = [f"res[{number}]" for number in range(len(test.registers))] + test.locations
        final = " || ".join(["0 == 0", *(f"{name} == 0" for name in cells)])
        assert states_of(program(text, launch, final), cells) == expected, text
        several += len({place for place, _ in test.threads}) > 1
    assert several > len(seeds) / 3


def bodies_of(rng: Random) -> list[list[tuple[str, int]]]:
    """Two or three blocks that arrive, and most of which wait, once or twice, with accesses before, between, behind."""
    bodies = []
    count = rng.choice((2, 2, 3))
    for thread in range(count):
        body: list[tuple[str, int]] = []
        for phase in range(rng.choice((1, 1, 2)) if count == 2 else 1):
            part = [
                (rng.choice(("load", "store")), rng.choice((thread, thread, 0, 1, 2))) for _ in range(rng.randint(1, 2))
            ]
            at = rng.randint(0, len(part))
            part[at:at] = [(rng.choice(("arrive", "arrive", "arrive", "relaxed")), phase)]
            waits = rng.random() < 0.8
            if waits:
                part.insert(rng.randint(at + 1, len(part)), ("wait", phase))
            body += part
            if not waits:
                break
        bodies.append(body)
    return bodies


def counted(bodies: list[list[tuple[str, int]]], barrier: bool) -> str:
    """These blocks as a kernel: with the barrier of their cluster, or with a counter of those who have arrived, or have
    returned, which orders nothing."""
    parts, reads, count = [], 0, len(bodies)
    for thread, body in enumerate(bodies):
        lines = []
        for number, (what, cell) in enumerate(body):
            if what in ("arrive", "relaxed"):
                order = "relaxed" if what == "relaxed" else "release"
                counts = f"atom.{order}.cluster.global.add.u32 %r5, [count+{4 * cell}], 1;"
                lines.append(f"barrier.cluster.arrive.{order};" if barrier else counts)
            elif what == "wait":
                label = f"$W{thread}_{number}"
                waits = (
                    f"{label}: ld.relaxed.cluster.global.u32 %r5, [count+{4 * cell}]; setp.ne.u32 %p2, %r5, {count};"
                )
                waits += f" @%p2 bra {label}; ld.acquire.cluster.global.u32 %r6, [count+{4 * cell}];"
                lines.append("barrier.cluster.wait;" if barrier else waits)
            elif what == "load":
                lines.append(f"ld.global.u32 %r4, [s+{4 * cell}]; st.global.u32 [res+{4 * reads}], %r4;")
                reads += 1
            else:
                lines.append(f"st.global.u32 [s+{4 * cell}], {5 + thread};")
        missed = {0, 1} - {phase for what, phase in body if what in ("arrive", "relaxed")}
        lines += (
            f"atom.relaxed.cluster.global.add.u32 %r5, [count+{4 * phase}], 1;" for phase in missed if not barrier
        )
        parts.append("\n".join(lines))
    dispatch = "".join(f"setp.eq.u32 %p1, %r1, {n}; @%p1 bra $T{n};\n" for n in range(count))
    threads = "".join(f"$T{n}: {part} ret;\n" for n, part in enumerate(parts))
    cells = ".global .align 4 .u32 res[8]; .global .align 4 .u32 s[3]; .global .align 4 .u32 count[2];"
    return kernel(f"mov.u32 %r1, %ctaid.x; {dispatch}ret;\n{threads}", cells)


def answered(text: str, blocks: int, model: str) -> set[tuple[int, ...]] | None:
    """The final states of what was read; None: there is a race."""
    final = " || ".join(["0 == 0", *(f"res[{n}] == 0" for n in range(8)), *(f"s[{n}] == 0" for n in range(3))])
    made = program(text, f"k<<<{blocks},1,cluster({blocks})>>>()", final)
    result = xgen.check(replace(made, requirement=None), model, all_states=True, liveness=False)
    if result.verdict == "violation":
        return None
    listed = [*(f"res[{n}]" for n in range(8)), *(f"s[{n}]" for n in range(3))]
    return {tuple(int(each.state[name]) for name in listed) for each in result.outcomes}


@pytest.mark.parametrize(
    "seeds",
    [
        pytest.param(range(5), id="fast"),
        pytest.param(range(5, 14), id="slow", marks=pytest.mark.slow),
        pytest.param(range(14, 1200), id="long", marks=pytest.mark.long),
    ],
)
def test_the_barrier_is_a_counter(seeds: range) -> None:
    """It orders what a counter of those who have come orders, which is read by an acquire where it is full."""
    safe = 0
    for seed in seeds:
        bodies = bodies_of(Random(seed))
        for model in ("ptx", "cuda"):
            found, expected = (answered(counted(bodies, each), len(bodies), model) for each in (True, False))
            assert found == expected, (seed, bodies)
            safe += found is not None
    assert len(seeds) / 2 < safe < 2 * len(seeds)


@pytest.mark.parametrize(("launch", "expected"), [("k<<<2,1,cluster(2)>>>()", "safe"), ("k<<<2,1>>>()", "await")])
def test_blocks_of_a_cluster_begin_together(launch: str, expected: str) -> None:
    """Also where a block that has not begun may never begin."""
    text = kernel(
        """mov.u32 %r1, %ctaid.x; setp.ne.u32 %p1, %r1, 0; @%p1 bra $O;
        $L: ld.acquire.gpu.global.u32 %r2, [x]; setp.eq.u32 %p2, %r2, 0; @%p2 bra $L; ret;
        $O: st.release.gpu.global.u32 [x], 1;""",
        ".global .align 4 .u32 x;",
    )
    assert kind(xgen.check(program(text, launch), "ptx", liveness=True, schedule="obe")) == expected
    assert kind(xgen.check(program(text, launch), "ptx", liveness=True)) == "safe"
