"""Tests from critical cycles: the values that the shapes ask for, and how they are written for each architecture."""

from __future__ import annotations

import pytest

from tests.litmus.reading import read
from xgen.shapes.cycles import SHAPES, Cycle, asking_for, cycle_of, decorate, slots
from xgen.shapes.shape import VARIABLES, Access, Link
from xgen.shapes.writers import WRITERS


def summary(cycle: Cycle) -> str:
    test = asking_for(cycle)
    threads = (
        " ".join(f"{a.kind}{VARIABLES[a.variable]}{'?' if value is None else value}" for _, a, value in test.steps(t))
        for t in range(len(test.shape.threads))
    )
    return " | ".join(threads) + "".join(f" ; {variable}={value}" for variable, value in test.finals)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("SB", "Wx1 Ry0 | Wy1 Rx0"),
        ("MP", "Wx1 Wy1 | Ry1 Rx0"),
        ("LB", "Rx1 Wy1 | Ry1 Wx1"),
        ("S", "Wx2 Wy1 | Ry1 Wx1 ; x=2"),
        ("R", "Wx1 Wy1 | Wy2 Rx0 ; y=2"),
        ("2+2W", "Wx2 Wy1 | Wy2 Wx1 ; x=2 ; y=2"),
        ("WRC", "Wx1 | Rx1 Wy1 | Ry1 Rx0"),
        ("RWC", "Wx1 | Rx1 Ry0 | Wy1 Rx0"),
        ("WWC", "Wx2 | Rx2 Wy1 | Ry1 Wx1 ; x=2"),
        ("ISA2", "Wx1 Wy1 | Ry1 Wz1 | Rz1 Rx0"),
        ("IRIW", "Wx1 | Rx1 Ry0 | Wy1 | Ry1 Rx0"),
        ("3.SB", "Wx1 Ry0 | Wy1 Rz0 | Wz1 Rx0"),
        ("3.LB", "Rx1 Wy1 | Ry1 Wz1 | Rz1 Wx1"),
        ("CoRR", "Wx1 | Rx1 Rx0"),
        ("CoWW", "Wx2 Wx1 ; x=2"),
        ("CoRW", "Wx2 | Rx2 Wx1 ; x=2"),
        ("CoRW1", "Rx1 Wx1"),
        ("CoWR", "Wx2 Rx0 | Wx1 ; x=2"),
    ],
)
def test_shapes(name: str, expected: str) -> None:
    assert summary(SHAPES[name]) == expected


def test_all_shapes_are_tested() -> None:
    assert len(SHAPES) == 18


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("W=R rf", "rf does not lead from R to W"),
        ("WW co", "the cycle does not come back to its first variable"),
        ("W co W co W co", "x has more than two writes"),
        ("W=R fr W=R fr", "nothing orders the writes of x"),
    ],
)
def test_cycles_that_are_none(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        asking_for(cycle_of(text))


def link(word: str) -> Link:
    """`po` is nothing; a dependency and a fence have a `+` between them."""
    if word == "po":
        return Link()
    first, _, second = word.partition("+")
    if first in ("addr", "data", "ctrl"):
        return Link(first, second or None)  # type: ignore[arg-type]
    return Link(fence=first)


def test_decorating() -> None:
    cycle = decorate(SHAPES["MP"], [link("dmb.sy"), link("addr")], [["", "release"], ["acquire", ""]])
    assert [between for thread in cycle.shape.threads for between in thread.links] == [
        Link(None, "dmb.sy"),
        Link("addr"),
    ]
    assert slots(cycle) == [
        (Access("W", 0), Access("W", 1, "release")),
        (Access("R", 1, "acquire"), Access("R", 0)),
    ]


@pytest.mark.parametrize(
    ("arch", "vias", "lines"),
    [
        (
            "X86",
            ["mfence", "po"],
            ["MFENCE     | MOV EBX,[x] ;", "MOV [y],$1 |             ;"],
        ),
        ("AArch64", ["dmb.st", "addr"], ["DMB ST      | LDR W4,[X2,W3,SXTW] ;"]),
        (
            "AArch64",
            ["po", "ctrl+isb"],
            ["STR W1,[X0] | CBNZ W1,LC11 ;", "STR W3,[X2] | ISB          ;"],
        ),
        ("RISCV", ["fence.w.w", "addr"], ["fence w,w   | add x8,x7,x8 ;", "ori x8,x0,1 | lw x9,0(x8)  ;"]),
        ("PPC", ["lwsync", "ctrl"], ["lwsync       | beq LC11     ;"]),
        (
            "C",
            ["release", "acquire"],
            ["_fence(memory_order_release);", "_fence(memory_order_acquire);"],
        ),
    ],
)
def test_message_passing_as_text(arch: str, vias: list[str], lines: list[str]) -> None:
    text = WRITERS[arch].write("MP", asking_for(decorate(SHAPES["MP"], [link(via) for via in vias])))
    assert text.startswith(f"{arch} MP\n{{\n")
    for line in lines:
        assert line in text
    read(text)


@pytest.mark.parametrize(
    ("arch", "tag", "line"),
    [
        ("X86", "rmw", "XCHG [y],EBX"),
        ("AArch64", "rmw", "SWP W3,W3,[X2]"),
        ("AArch64", "release", "STLR W3,[X2]"),
        ("AArch64", "ex", "STXR W5,W3,[X2]"),
        ("AArch64", "exal", "LDAXR W4,[X2]"),
        ("RISCV", "exal", "sc.w.rl x10,x8,(x7)"),
        ("PPC", "ex", "stwcx. r4,r0,r3"),
        ("RISCV", "rmw", "amoswap.w x8,x8,(x7)"),
        ("RISCV", "release", "sw.rl x8,0(x7)"),
        ("C", "rmw", "atomic_exchange_explicit(y, 1, memory_order_relaxed);"),
        ("C", "seq_cst", "atomic_store_explicit(y, 1, memory_order_seq_cst);"),
    ],
)
def test_tags_of_writes(arch: str, tag: str, line: str) -> None:
    text = WRITERS[arch].write("LB", asking_for(decorate(SHAPES["LB"], [Link(), Link()], [["", tag], ["", ""]])))
    assert line in text
    read(text)


def test_data_and_control_dependencies_in_c() -> None:
    text = WRITERS["C"].write("LB", asking_for(decorate(SHAPES["LB"], [Link("data"), Link("ctrl")])))
    assert "atomic_store_explicit(y, r0 - r0 + 1, memory_order_relaxed);" in text
    assert "  if (r0 == r0) {\n  atomic_store" not in text
    assert "  if (r0 == r0) {\n    atomic_store_explicit(x, 1, memory_order_relaxed);\n  }\n}" in text


@pytest.mark.parametrize(
    ("arch", "via", "tag"),
    [("AArch64", "addr", "acquire"), ("X86", "addr", ""), ("X86", "po", "acquire"), ("AArch64", "ctrl+dmb.sy", "")],
)
def test_what_an_architecture_has_no_words_for(arch: str, via: str, tag: str) -> None:
    cycle = decorate(SHAPES["MP"], [Link(), link(via)], [["", ""], ["", tag]])
    with pytest.raises(ValueError, match="has no words for this"):
        WRITERS[arch].write("MP", asking_for(cycle))
