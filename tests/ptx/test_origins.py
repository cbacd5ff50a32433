"""Addresses that are computed from what is read: which objects they lead to, so that others keep what is in them."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import pytest

import xgen
from tests.ptx.kernels import check, kernel, kind, program
from xgen.frontends.ptx.layout import Origins

DECLARED = """.global .align 4 .u32 a[2] = {0, 1}; .global .align 4 .u32 b[2] = {1, 0};
.global .align 4 .u32 in[2] = {1, 0};
.global .align 8 .u64 p = generic(b); .shared .align 4 .u32 s[2];"""
FIRST = {"a[0]": 0, "a[1]": 1, "b[0]": 1, "b[1]": 0, "in[0]": 1, "in[1]": 0}


def address(rng: Random) -> str:
    """Instructions that leave an address in %d1, from an index in %d2, a number that is read in %r2 and %p1."""
    base = rng.choice(("a", "b"))
    forms = [
        f"mov.u64 %d1, {base}; add.u64 %d1, %d1, %d2;",
        f"mov.u64 %d1, {base}; cvta.to.global.u64 %d1, %d1; mad.wide.u32 %d1, %r2, 4, %d1;",
        f"mov.u64 %d1, {base}+4; sub.u64 %d1, %d1, %d2;",
        f"mov.u64 %d1, {base}+8; add.u64 %d1, %d1, -8; add.u64 %d1, %d1, %d2;",
        f"mov.u64 %d3, {base}; mov.u64 %d4, in; sub.u64 %d4, %d4, %d3; add.u64 %d1, %d3, %d2;",
        "mov.u64 %d3, a; mov.u64 %d4, b; selp.b64 %d1, %d3, %d4, %p1; add.u64 %d1, %d1, %d2;",
        "mov.u64 %d1, a; @%p1 mov.u64 %d1, b; add.u64 %d1, %d2, %d1;",
        "mov.u64 %d1, a; @%p1 ld.volatile.global.u64 %d1, [p]; add.u64 %d1, %d2, %d1;",
        "ld.global.u64 %d1, [p]; add.u64 %d1, %d1, %d2;",
        f"mov.u64 %d1, {base}; st.local.u64 [m], %d1; ld.local.u64 %d1, [m]; add.u64 %d1, %d1, %d2;",
        f"mov.u64 %d1, {base}; mov.b64 {{%r8, %r9}}, %d1; mov.b64 %d1, {{%r8, %r9}}; add.u64 %d1, %d1, %d2;",
        "cvta.shared.u64 %d1, s; add.u64 %d1, %d1, %d2;",
        f"mov.u64 %d1, {base}; cvta.shared.u64 %d3, s; @%p1 mov.u64 %d1, %d3; add.u64 %d1, %d1, %d2;",
    ]
    return rng.choice(forms)


def body(rng: Random) -> str:
    steps = [".local .align 8 .b8 m[8]; mov.u32 %r1, %ctaid.x; st.shared.u32 [s], 0; st.shared.u32 [s+4], 1;"]
    for _ in range(rng.randint(2, 3)):
        index = rng.choice(("in", "in+4", "a", "b+4"))
        steps.append(f"ld.volatile.global.u32 %r2, [{index}];")
        if rng.random() < 0.2:
            steps.append("add.u32 %r2, %r2, 1;")
        steps.append("cvt.u64.u32 %d2, %r2; shl.b64 %d2, %d2, 2; setp.eq.u32 %p1, %r2, %r1;")
        steps.append(address(rng))
        value = rng.choice(("1", "0", "%r1"))
        does = ("st.volatile.u32 [%d1], VALUE;", "atom.exch.b32 %r4, [%d1], VALUE;", "ld.volatile.u32 %r4, [%d1];")
        steps.append(rng.choice((*does, does[0])).replace("VALUE", value))
        if rng.random() < 0.3:
            steps.append("setp.eq.u32 %p2, %r1, 0; @%p2 bra $E;")
    return "\n".join(steps) + "\n$E:"


def found(text: str) -> tuple[object, ...]:
    result = xgen.check(program(text, "k<<<2,1>>>()"), xgen.model("ptx"), all_states=True)
    if result.verdict == "violation":
        return (result.verdict,)
    states = {tuple((FIRST | dict(outcome.state))[cell] for cell in FIRST) for outcome in result.outcomes}
    return result.verdict, frozenset(states)


def both(text: str, patch: pytest.MonkeyPatch) -> tuple[tuple[object, ...], tuple[object, ...]]:
    """What is found, and what where nothing is known of where an address leads to."""
    first = found(text)
    with patch.context() as changed:
        changed.setattr(Origins, "of", lambda *_: None)
        return first, found(text)


@pytest.mark.parametrize(
    "seeds", [(1, 2, 3, 4, 5, 8, 15, 23, 24), pytest.param(range(100, 200), marks=pytest.mark.slow)]
)
def test_the_same_without(seeds: Iterable[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """The same verdicts and final states whether it is known which objects addresses lead to or not."""
    verdicts = set()
    for seed in seeds:
        text = kernel(body(Random(seed)), DECLARED)
        with_origins, without = both(text, monkeypatch)
        assert with_origins == without, text
        verdicts.add(with_origins[0])
    assert verdicts == {"safe", "violation"}


EDGES = """mov.u32 %r1, %ctaid.x; mul.wide.u32 %d2, %r1, 4; mov.u64 %d1, front; add.u64 %d1, %d1, %d2;
ld.global.u32 %r2, [%d1]; mul.wide.u32 %d2, %r2, 4; mov.u64 %d1, rows; add.u64 %d1, %d1, %d2;
ld.global.u32 %r3, [%d1]; ld.global.u32 %r4, [%d1+4]; $L: setp.ge.u32 %p1, %r3, %r4; @%p1 bra $E;
mul.wide.u32 %d2, %r3, 4; mov.u64 %d1, edges; add.u64 %d1, %d1, %d2; ld.global.u32 %r5, [%d1];
mul.wide.u32 %d3, %r5, 4; mov.u64 %d1, seen; add.u64 %d1, %d1, %d3; UPDATE
setp.ne.u32 %p2, %r6, 0; @%p2 bra $N; atom.global.add.u32 %r7, [count], 1;
mul.wide.u32 %d4, %r7, 4; mov.u64 %d5, next; add.u64 %d5, %d5, %d4; st.global.u32 [%d5], %r5;
$N: add.u32 %r3, %r3, 1; bra $L; $E:"""
GRAPH = """.global .align 4 .u32 front[2] = {1, 2}; .global .align 4 .u32 rows[4] = {0, 0, 1, 2};
.global .align 4 .u32 edges[2] = {3, 3}; .global .align 4 .u32 seen[4]; .global .align 4 .u32 next[4];
.global .align 4 .u32 count;"""


@pytest.mark.parametrize(
    ("update", "told"),
    [("atom.global.exch.b32 %r6, [%d1], 1;", "safe"), ("ld.global.u32 %r6, [%d1]; st.global.u32 [%d1], 1;", "race")],
)
def test_inputs_stay_known_beside_stores_to_computed_addresses(update: str, told: str) -> None:
    """One level of a breadth-first search: where nodes and edges are not known any more, loops have no end."""
    text = kernel(EDGES.replace("UPDATE", update), GRAPH)
    assert kind(check(text, "k<<<2,1>>>()", "count == 1 && next[0] == 3 && next[1] == 0", "cuda")) == told


@pytest.mark.parametrize(("index", "told"), [(0, "safe"), (128, "bad-address"), (-1, "bad-address")])
def test_an_address_that_leads_to_another_object_is_told(index: int, told: str) -> None:
    """Objects are 512 bytes from each other, as bytes that are 256 long."""
    declared = f".global .align 4 .u32 a[64]; .global .align 4 .u32 b[64]; .global .align 4 .s32 x = {index};"
    load = "ld.volatile.global.s32 %r2, [x]; st.volatile.global.u32 [x], %r2; ld.volatile.global.s32 %r2, [x];"
    store = "mul.wide.s32 %d2, %r2, 4; mov.u64 %d1, a; add.u64 %d1, %d1, %d2; st.global.u32 [%d1], 1;"
    assert kind(check(kernel(load + store, declared), "k<<<1,1>>>()")) == told
