"""Locks that are taken by updates which are tried again: the rounds that are left out under `hip`."""

from __future__ import annotations

from random import Random

import pytest

import xgen
from tests.hip.kernels import program
from tests.ptx.locks import left_out, random_lock, states
from xgen import Result

ORDERS = {"relaxed": 0, "acquire": 2, "release": 3, "acq_rel": 4, "seq_cst": 5}
CELLS = "\n".join(f".global .align 4 .u32 {name};" for name in ("lock", "data", "seen[8]"))
TAKE = "$L0: xgen.exchange.u32 %r1, [lock], 1, 2, 4; setp.ne.s32 %p1, %r1, 0; @%p1 bra $L0;"


def kernel(body: str) -> str:
    registers = ".reg .pred %p<9>; .reg .b32 %r<40>;"
    return f".version 8.0\n.target sm_90\n{CELLS}\n.visible .entry k()\n{{\n{registers}\n{body}\nret;\n}}\n"


def spins(text: str) -> int:
    """Of how many updates rounds are left out."""
    return left_out(program(text, "k<<<2,1>>>()"), "hip")


@pytest.mark.parametrize(
    ("give", "count"),
    [
        ("xgen.exchange.u32 %r4, [lock], 0, 3, 4;", 2),
        ("xgen.exchange.u32 %r4, [lock], 0, 5, 5;", 2),
        ("xgen.exchange.u32 %r4, [lock], 0, 3, 3;", 0),
        ("xgen.exchange.u32 %r4, [lock], 0, 3, 1;", 0),
        ("xgen.exchange.u32 %r4, [lock], 0, 3, 4; st.u32 [seen], %r4;", 0),
        ("st.u32 [lock], 0; xgen.exchange.u32 %r4, [lock], 0, 3, 4;", 0),
    ],
    ids=["blind", "of the system", "of the block", "of the thread", "looked at", "not atomic"],
)
def test_what_is_left_out(give: str, count: int) -> None:
    """Only where all accesses are in each other's scope, and nothing is made of what the failed tries have written."""
    assert spins(kernel(f"{TAKE} {give}")) == count


def random_kernel(rng: Random) -> str:
    """A lock that is taken, given back, given away and overwritten in some way by two blocks."""
    accesses = [
        "xgen.store.b32 [data], {n}, 0, 4;",
        "xgen.load.b32 %r{r}, [data], 0, 4; xgen.store.b32 [seen+{at}], %r{r}, 0, 4;",
        "st.u32 [data], {n};",
        "xgen.fence _, 4, 4;",
        "xgen.fence _, 5, 4;",
        "xgen.exchange.u32 %r30, [lock], {n}, {order}, {scope};",
        "xgen.{change}.u32 %r31, [lock], 1, 0, {scope};",
        "xgen.store.b32 [lock], {n}, {way}, 4;",
    ]
    take = "$L{k}: xgen.{change}.u32 %r1, [lock], 1, {order}, {scope}; setp.ne.s32 %p1, %r1, {no}; @%p1 bra $L{k};"

    def words(thread: int, k: int) -> dict[str, object]:
        return {
            "order": ORDERS[rng.choice(("relaxed", "relaxed", "acquire", "release", "acq_rel", "seq_cst"))],
            "scope": rng.choice((4, 4, 5)),
            "change": rng.choice(("exchange", "fetch_or", "fetch_or")),
            "r": 2 + k + 8 * thread,
            "way": ORDERS[rng.choice(("relaxed", "release", "seq_cst"))],
            "at": 4 * (4 * thread + k),
            "n": rng.choice((0, 0, 1, 1, 2)),
            "k": f"{thread}{k}",
            "no": rng.choice((0, 0, 2)),
        }

    return kernel(random_lock(rng, accesses, take, words))


def explored(text: str, **options: object) -> Result:
    found = program(text, "k<<<2,1>>>()")
    result = xgen.check(found, xgen.model("hip"), all_states=True, trace_limit=0, timeout=60, **options)
    assert (result.stopped, result.duplicates) == (None, 0)
    return result


def compared(seed: int) -> bool:
    """Whether rounds were left out of a random kernel: the final states are those of up to two rounds."""
    text = random_kernel(Random(seed))
    if not spins(text):
        return False
    waiting = explored(text)
    assert waiting.exhaustive
    all_rounds = explored(text, unroll=True, max_depth=14)
    assert states(waiting) == states(all_rounds)
    assert waiting.verdict == all_rounds.verdict or all_rounds.verdict != "violation"
    return True


@pytest.mark.parametrize(
    "seeds", [pytest.param(range(10), id="fast"), pytest.param(range(10, 300), id="long", marks=pytest.mark.long)]
)
def test_no_outcome_is_lost(seeds: range) -> None:
    assert sum(map(compared, seeds)) >= len(seeds) // 4
