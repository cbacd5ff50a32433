"""Litmus tests of PTX that are drawn at random, written out as kernels: the same final states, as many executions."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

import xgen
from tests.litmus.gpu.ptx_oracle import Instr, Test, draw
from tests.litmus.reading import read as read_litmus
from tests.ptx.kernels import kernel, program
from xgen.errors import UnsupportedError
from xgen.records import replace

MODEL = xgen.model("ptx")


def drawn(seed: int) -> Test:
    """A test of one GPU without proxies and other names; in some of them, all threads of blocks come to a barrier."""
    rng = Random(seed)
    test = draw(rng)
    threads = []
    for (block, _), body in test.threads:
        kept = tuple(each for each in body if each.what not in ("proxy", "bar") and each.name in ("", "x", "y"))
        known = {each.register for each in kept}
        threads.append(((block, 0), tuple(replaced(each, known) for each in kept)))
    sizes = set(Counter(place for place, _ in threads).values())
    if len(sizes) == 1 and rng.random() < 0.5:
        threads = [(place, with_barrier(body, rng.randint(0, len(body)))) for place, body in threads]
    names = {name: told for name, told in test.names.items() if name in ("x", "y")}
    return Test(tuple(threads), names)


def replaced(instr: Instr, known: set[str]) -> Instr:
    """By the generic proxy; in place of a register that is not set, a number."""
    return Instr(
        *(instr.what, instr.order, instr.scope, "generic", instr.name, instr.register),
        *(instr.value if instr.value in known or isinstance(instr.value, int) else 2, instr.expected, instr.instance),
    )


def with_barrier(body: tuple[Instr, ...], at: int) -> tuple[Instr, ...]:
    return (*body[:at], Instr("bar", "sync"), *body[at:])


def ptx_of(instr: Instr) -> str:
    scope = f".{instr.scope}" if instr.scope else ""
    register = instr.register and f"%{instr.register}"
    value = instr.value if isinstance(instr.value, int) else f"%{instr.value}"
    match instr.what:
        case "ld":
            return f"ld.{instr.order}{scope}.global.u32 {register}, [{instr.name}];"
        case "st":
            return f"st.{instr.order}{scope}.global.u32 [{instr.name}], {value};"
        case "cas":
            values = f"{instr.expected}, {value}"
            return f"atom.{instr.order}{scope}.global.cas.b32 {register}, [{instr.name}], {values};"
        case "add":
            return f"atom.{instr.order}{scope}.add.u32 {register}, [{instr.name}], {value};"
        case "exch":
            return f"atom.{instr.order}{scope}.exch.b32 {register}, [{instr.name}], {value};"
        case "fence":
            return f"fence.{instr.order}{scope};"
    return f"bar.sync {instr.instance};"


def by_pointers(lines: list[str], number: int) -> list[str]:
    """The same accesses by addresses that are not known: something that is read, and is 0, is added to each."""
    offset = f"[off+{8 * number}]"
    read = f"ld.volatile.global.u64 %d1, {offset}; mov.u64 %d2, x; add.u64 %d3, %d1, %d2;"
    if any("[y]" in line for line in lines):
        read += " mov.u64 %d4, y; add.u64 %d5, %d1, %d4;"
    found = [line.replace("[x]", "[%d3]").replace("[y]", "[%d5]") for line in lines]
    return [read, *found, f"st.volatile.global.u64 {offset}, 0;"]


def written_out(test: Test, pointers: bool = False) -> tuple[str, str]:
    """The test as a kernel, in which each thread goes to its own part, and its launch."""
    blocks = sorted({place[0] for place, _ in test.threads})
    count, dispatch, parts = Counter[int](), [], []
    for number, ((block, _), body) in enumerate(test.threads):
        index = blocks.index(block)
        dispatch.append(f"setp.eq.s32 %p1, %r30, {index}; setp.eq.and.s32 %p2, %r31, {count[index]}, %p1;")
        dispatch.append(f"@%p2 bra $T{number};")
        count[index] += 1
        parts.append(f"$T{number}:")
        does = [ptx_of(each) for each in body]
        parts += by_pointers(does, number) if pointers else does
        for at, (_, register) in [(n, r) for n, r in enumerate(test.registers) if r[0] == number]:
            parts.append(f"st.global.u32 [res+{4 * at}], %{register};")
        parts.append("ret;")
    body = "\n".join(["mov.u32 %r30, %ctaid.x; mov.u32 %r31, %tid.x;", *dispatch, "ret;", *parts])
    names = "\n".join(f".global .align 4 .u32 {name};" for name in test.locations)
    results = f".global .align 4 .u32 res[{len(test.registers) + 1}];"
    text = kernel(body, f"{names}\n{results}\n.global .align 8 .u64 off[{len(test.threads)}];")
    return text, f"k<<<{len(blocks)},{max(count.values())}>>>()"


def states_of(program: xgen.Program, listed: list[str]) -> Counter[tuple[int, ...]]:
    found = Counter[tuple[int, ...]]()
    result = xgen.check(replace(program, requirement=None), MODEL, all_states=True)
    assert result.stopped is None
    for outcome in result.outcomes:
        found[tuple(int(outcome.state[name]) for name in listed)] += outcome.count
    return found


def compare(test: Test, pointers: bool = False) -> int:
    """Whether both say the same; how many executions there are."""
    litmus = read_litmus(test.text)
    expected = states_of(litmus.program, [f"P{n}:{register}" for n, register in test.registers] + test.locations)
    text, launch = written_out(test, pointers)
    cells = [f"res[{number}]" for number in range(len(test.registers))]
    final = " || ".join(["0 == 0", *(f"{name} == 0" for name in (*cells, *test.locations))])
    assert states_of(program(text, launch, final), cells + test.locations) == expected, text
    return expected.total()


@pytest.mark.parametrize(
    "seeds",
    [
        pytest.param(range(40), id="fast"),
        pytest.param(range(40, 400), id="slow", marks=pytest.mark.slow),
        pytest.param(range(400, 6000), id="long", marks=pytest.mark.long),
    ],
)
def test_kernels_do_what_litmus_tests_do(seeds: range) -> None:
    assert sum(compare(drawn(seed)) for seed in seeds) > len(seeds)


@pytest.mark.parametrize(
    "seeds",
    [
        pytest.param(range(1000, 1015), id="fast"),
        pytest.param(range(1015, 1200), id="slow", marks=pytest.mark.slow),
        pytest.param(range(1200, 3000), id="long", marks=pytest.mark.long),
    ],
)
def test_the_same_by_pointers(seeds: range) -> None:
    """Where threads run ahead, some are refused, as an address is tried that is none."""
    count = 0
    for seed in seeds:
        try:
            count += compare(drawn(seed), pointers=True)
        except UnsupportedError:
            continue
    assert count > len(seeds)
