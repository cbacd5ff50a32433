"""`mbarrier` that counts bytes as well: `expect_tx`, `complete_tx`."""

from __future__ import annotations

from random import Random

import pytest

from tests.ptx.kernels import check, kernel, kind
from tests.ptx.test_barriers import answered, drawn, written

MOST = (1 << 20) - 1
FIRST = ".shared .align 8 .b64 bar; mbarrier.init.shared.b64 [bar], COUNT;"


class Barrier:
    """An mbarrier as the PTX ISA says ("Phase of the mbarrier object", "expect-tx", "complete-tx", "arrive-on")."""

    def __init__(self, count: int) -> None:
        self.expected = self.pending = count
        self.bytes = self.phase = 0

    def arrive(self, count: int, drops: bool = False) -> bool:
        """Whether it may arrive so often."""
        if count > self.pending:
            return False
        self.pending -= count
        self.expected -= count if drops else 0
        self.complete()
        return True

    def count(self, number: int) -> bool:
        self.bytes += number
        return abs(self.bytes) <= MOST

    def complete(self) -> None:
        if self.pending == self.bytes == 0:
            self.phase += 1
            self.pending = self.expected


def sequence(rng: Random) -> tuple[str, list[int] | None]:
    """A thread at a barrier, and what it sees: after each operation whether phases of both parities are over, None
    where it does what it may not."""
    barrier = Barrier(rng.randint(1, 3))
    lines = [FIRST.replace("COUNT", str(barrier.pending))]
    seen: list[int] = []
    for number in range(rng.randint(2, 6)):
        what = rng.choice(("arrive", "arrive", "expect", "complete", "complete", "both", "drop", "dropboth"))
        size = rng.choice((0, 4, 4, 8, MOST))
        if what in ("arrive", "drop"):
            count = rng.choice((1, 1, 2))
            word = "arrive_drop" if what == "drop" else "arrive"
            lines.append(f"mbarrier.{word}.shared.b64 _, [bar], {count};")
            right = barrier.arrive(count, what == "drop")
        elif what in ("expect", "complete"):
            lines.append(f"mbarrier.{what}_tx.relaxed.cta.shared::cta.b64 [bar], {size};")
            right = barrier.count(size if what == "expect" else -size)
            if right and what == "complete":
                barrier.complete()
        else:
            word = "arrive_drop" if what == "dropboth" else "arrive"
            lines.append(f"mbarrier.{word}.expect_tx.release.cta.shared::cta.b64 _, [bar], {size};")
            right = barrier.pending > 0 and barrier.count(size) and barrier.arrive(1, what == "dropboth")
        if not right:
            return "\n".join(lines), None
        if barrier.expected == 0:
            break
        lines.append("mbarrier.test_wait.parity.shared.b64 %p1, [bar], 0; selp.u32 %r2, 1, 0, %p1;")
        lines.append(f"st.global.u32 [%d1+{4 * number}], %r2;")
        seen.append(barrier.phase % 2)
    return "\n".join(lines), seen


@pytest.mark.parametrize(
    "seeds",
    [pytest.param(range(25), id="fast"), pytest.param(range(25, 120), id="slow", marks=pytest.mark.slow)],
)
def test_a_phase_needs_arrivals_and_bytes(seeds: range) -> None:
    wrong = 0
    for seed in seeds:
        lines, seen = sequence(Random(seed))
        text = kernel(f"ld.param.u64 %d1, [out]; {lines}", parameters="out")
        final = " && ".join(["0 == 0", *(f"out[{n}] == {value}" for n, value in enumerate(seen or ()))])
        expected = "safe" if seen is not None else "barrier"
        assert kind(check(text, "k<<<1,1>>>(out[6])", final, "cuda")) == expected, lines
        wrong += seen is None
    assert len(seeds) / 10 < wrong < len(seeds) * 9 / 10


def with_bytes(rng: Random, text: str) -> str | None:
    """A kernel of `test_barriers` in which some relaxed arrivals are bytes that come; None where there is none."""
    relaxed = "mbarrier.arrive.relaxed.cta.shared.b64 _, [bar];"
    count = text.count(relaxed)
    arrivals = text.count("mbarrier.arrive.")
    changed = min(rng.randint(1, count), arrivals - 1) if count else 0
    if not changed:
        return None
    text = text.replace(relaxed, "mbarrier.complete_tx.relaxed.cta.shared.b64 [bar], 4;", changed)
    first = f"mbarrier.init.shared.b64 [bar], {arrivals}"
    assert first in text
    expects = f"mbarrier.init.shared.b64 [bar], {arrivals - changed}; @%p1 mbarrier.expect_tx.shared.b64 [bar]"
    return text.replace(first, f"{expects}, {4 * changed}")


@pytest.mark.parametrize(
    "seeds",
    [pytest.param(range(12), id="fast"), pytest.param(range(12, 60), id="slow", marks=pytest.mark.slow)],
)
def test_bytes_that_come_order_what_a_relaxed_arrival_does(seeds: range) -> None:
    compared = 0
    for seed in seeds:
        bodies = drawn(Random(seed))
        changed = with_bytes(Random(seed), written(bodies, False))
        if changed is not None:
            expected = answered(written(bodies, True), len(bodies))
            assert answered(changed, len(bodies)) == expected, (seed, bodies)
            compared += 1
    assert compared > len(seeds) / 8


REMOTE = """.shared .align 8 .b64 bar; .shared .align 4 .u32 s; mov.u32 %r1, %cluster_ctarank; mov.u32 %r2, bar;
mov.u32 %r3, s; setp.ne.u32 %p1, %r1, 0; @%p1 bra $O;
mbarrier.init.shared.b64 [bar], 1; mbarrier.expect_tx.relaxed.cta.shared.b64 [bar], 4;
barrier.cluster.arrive; barrier.cluster.wait;
$W: mbarrier.test_wait.parity.acquire.SCOPE.shared.b64 %p2, [bar], 0; @!%p2 bra $W; ld.shared.u32 %r5, [s];
ld.param.u64 %d1, [out]; st.global.u32 [%d1], %r5; ret;
$O: barrier.cluster.arrive; barrier.cluster.wait; mapa.shared::cluster.u32 %r2, %r2, 0;
mapa.shared::cluster.u32 %r3, %r3, 0; st.shared::cluster.u32 [%r3], 9;
mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%r2], BYTES;
ARRIVE.shared::cluster.b64 _, [%r2];"""


@pytest.mark.parametrize(
    ("arrive", "scope", "size", "expected"),
    [
        ("mbarrier.arrive.release.cluster", "cluster", 4, "safe"),
        ("mbarrier.arrive.release.cluster", "cta", 4, "race"),
        ("mbarrier.arrive.release.cta", "cluster", 4, "race"),
        ("mbarrier.arrive.relaxed.cluster", "cluster", 4, "race"),
        ("mbarrier.arrive.release.cluster", "cluster", 8, "await"),
    ],
)
def test_a_barrier_of_another_block(arrive: str, scope: str, size: int, expected: str) -> None:
    body = REMOTE.replace("ARRIVE", arrive).replace("SCOPE", scope).replace("BYTES", str(size))
    text = kernel(body, parameters="out")
    assert kind(check(text, "k<<<2,1,cluster(2)>>>(out[1])", "out == 9", "cuda")) == expected
