"""Locks that are taken by updates which are tried again: rounds that are left out, and what is read of them."""

from __future__ import annotations

from random import Random

import pytest

import xgen
from tests.ptx.kernels import check, kernel, program
from tests.ptx.locks import left_out, random_lock, states
from xgen import Result

SHARED = ".global .align 4 .u32 lock;\n.global .align 4 .u32 data;\n.global .align 4 .u32 seen;"
TAKE = "$TAKE: atom.exch.b32 %r1, [lock], 1; setp.ne.s32 %p1, %r1, 0; @%p1 bra $TAKE;"
COUNT = "ld.global.u32 %r2, [data]; add.s32 %r3, %r2, 1; st.global.u32 [data], %r3;"
GIVE = {
    "exchange": "atom.exch.b32 %r4, [lock], 0;",
    "release": "atom.release.sys.exch.b32 %r4, [lock], 0;",
    "store": "st.relaxed.gpu.u32 [lock], 0;",
}


def explored(text: str, blocks: int, final: str | None = None, model: str = "cuda", **options: object) -> Result:
    found = program(text, f"k<<<{blocks},1>>>()", final)
    result = xgen.check(found, xgen.model(model), all_states=True, trace_limit=0, timeout=60, **options)
    assert (result.stopped, result.duplicates) == (None, 0)
    return result


@pytest.mark.parametrize("model", ["ptx", "cuda"])
@pytest.mark.parametrize("give", GIVE)
def test_a_lock_taken_by_exchanges_has_an_end(give: str, model: str) -> None:
    """As one that is taken by a compare-and-swap."""
    text = kernel(f"{TAKE} fence.sc.gpu; {COUNT} fence.sc.gpu; {GIVE[give]}", SHARED)
    other = text.replace("exch.b32 %r1, [lock], 1", "cas.b32 %r1, [lock], 0, 1")
    assert text != other
    for blocks, count in ((2, 2), (3, 6)):
        found = explored(text, blocks, f"data == {blocks}", model)
        assert (found.verdict, found.executions) == ("safe", count)
        if blocks == 2:
            assert states(found) == states(explored(other, blocks, f"data == {blocks}", model))


@pytest.mark.parametrize("fences", [("", "fence.sc.gpu;"), ("fence.sc.gpu;", "")])
def test_a_fence_that_is_missing_is_found(fences: tuple[str, str]) -> None:
    text = kernel(f"{TAKE} {fences[0]} {COUNT} {fences[1]} {GIVE['exchange']}", SHARED)
    assert check(text, "k<<<2,1>>>()", "data == 2", "ptx").verdict == "violation"
    assert check(text, "k<<<2,1>>>()", "data == 2", "cuda").verdict == "violation"


def test_who_does_not_give_it_back_keeps_others_out() -> None:
    result = check(kernel(f"{TAKE} {COUNT}", SHARED), "k<<<2,1>>>()", None, "ptx")
    assert result.verdict == "violation"


def spins(text: str, model: str = "ptx") -> int:
    """Of how many updates rounds are left out."""
    return left_out(program(text, "k<<<2,1>>>()"), model)


@pytest.mark.parametrize(
    ("give", "count"),
    [
        ("atom.exch.b32 %r4, [lock], 0;", 2),
        ("atom.add.u32 %r4, [lock], -1;", 0),
        ("atom.exch.b32 %r4, [lock], 0; st.global.u32 [seen], %r4;", 0),
        ("atom.relaxed.cta.exch.b32 %r4, [lock], 0;", 0),
        ("st.global.u32 [data], 0; atom.exch.b32 %r4, [lock], 0; st.global.u32 [lock], 0;", 0),
        ("ld.relaxed.gpu.u32 %r4, [lock]; st.global.u32 [seen], %r4;", 0),
    ],
    ids=["blind", "sums", "looked at", "of another scope", "weak", "another look"],
)
def test_what_is_left_out(give: str, count: int) -> None:
    """Only where all accesses are strong, and nothing is made of what the failed tries have written."""
    assert spins(kernel(f"{TAKE} {COUNT} {give}", SHARED)) == count
    assert spins(kernel(f"{TAKE} {COUNT} {give}", SHARED), "sc") == 0


def random_kernel(rng: Random) -> str:
    """A lock that is taken, given back, given away and overwritten in some way by two blocks."""
    scope = rng.choice(("gpu", "gpu", "sys"))
    accesses = [
        "st.relaxed.gpu.u32 [data], {n};",
        "ld.relaxed.gpu.u32 %r{r}, [data]; st.relaxed.gpu.u32 [seen+{at}], %r{r};",
        "st.global.u32 [data], {n};",
        "fence.acq_rel.gpu;",
        "fence.sc.gpu;",
        "atom.{order}.{scope}.exch.b32 %r30, [lock], {n};",
        "red.relaxed.{scope}.{change}.b32 [lock], 1;",
        "st.{way}.gpu.u32 [lock], {n};",
    ]
    take = "$L{k}: atom.{order}.{scope}.{change}.b32 %r1, [lock], 1; setp.ne.s32 %p1, %r1, {no}; @%p1 bra $L{k};"

    def words(thread: int, k: int) -> dict[str, object]:
        return {
            "order": rng.choice(("relaxed", "relaxed", "acquire", "release", "acq_rel")),
            "scope": scope,
            "change": rng.choice(("exch", "or", "or")),
            "r": 2 + k + 8 * thread,
            "n": rng.choice((0, 0, 1, 1, 2)),
            "k": f"{thread}{k}",
            "no": rng.choice((0, 0, 2)),
            "way": rng.choice(("relaxed", "release")),
            "at": 4 * (4 * thread + k),
        }

    text = random_lock(rng, accesses, take, words)
    return kernel(text, SHARED.replace("seen", "seen[8]"))


@pytest.mark.parametrize("seed", [3, 5, 6, 8, 14, 17, 18, 22])
def test_no_outcome_is_lost(seed: int) -> None:
    """The final states are those of up to two rounds."""
    assert compared(seed)


def compared(seed: int) -> bool:
    """Whether rounds were left out of a random kernel."""
    rng = Random(seed)
    text, model = random_kernel(rng), rng.choice(("ptx", "cuda"))
    if not spins(text, model):
        return False
    waiting = explored(text, 2, model=model)
    assert waiting.exhaustive
    all_rounds = explored(text, 2, model=model, unroll=True, max_depth=14)
    assert states(waiting) == states(all_rounds)
    assert waiting.verdict == all_rounds.verdict or all_rounds.verdict != "violation"
    return True
