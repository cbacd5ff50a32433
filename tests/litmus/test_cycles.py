"""Tests from critical cycles: the values that the shapes ask for, and how they are written for each architecture."""

from __future__ import annotations

import pytest

from tests.litmus.reading import read
from xgen.shapes.cycles import SHAPES, Access, Cycle, Link, Section, decorate, shape_of, slots
from xgen.shapes.writers import WRITERS


def summary(cycle: Cycle) -> str:
    shape = shape_of(cycle)
    threads = (
        " ".join(f"{step.access.kind}{step.location}{'?' if step.value is None else step.value}" for step in steps)
        for steps in shape.threads
    )
    return " | ".join(threads) + "".join(f" ; {location}={value}" for location, value in shape.finals)


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


W, R = Access("W"), Access("R")


@pytest.mark.parametrize(
    ("cycle", "message"),
    [
        (Cycle((Section((W, R), (Link(same=True),)),), ("rf",)), "rf does not lead from R to W"),
        (Cycle((Section((W, W), (Link(),)),), ("co",)), "the cycle does not come back to its first location"),
        (Cycle((Section((W,)), Section((W,)), Section((W,))), ("co", "co", "co")), "x has more than two writes"),
        (
            Cycle((Section((W, R), (Link(same=True),)), Section((W, R), (Link(same=True),))), ("fr", "fr")),
            "nothing orders the writes of x",
        ),
    ],
)
def test_cycles_that_are_none(cycle: Cycle, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        shape_of(cycle)


def test_decorating() -> None:
    cycle = decorate(SHAPES["MP"], ["dmb.sy", "addr"], [["", "L"], ["A", ""]])
    assert [link.via for section in cycle.sections for link in section.links] == ["dmb.sy", "addr"]
    assert slots(cycle) == [(W, Access("W", "L"), False), (Access("R", "A"), R, False)]


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
            ["po", "ctrlisb"],
            ["STR W1,[X0] | CBNZ W1,LC11 ;", "STR W3,[X2] | ISB          ;"],
        ),
        ("RISCV", ["fence.w.w", "addr"], ["fence w,w   | add x8,x7,x8 ;", "ori x8,x0,1 | lw x9,0(x8)  ;"]),
        ("PPC", ["lwsync", "ctrl"], ["lwsync       | beq LC11     ;"]),
        (
            "C",
            ["fence.rel", "fence.acq"],
            ["_fence(memory_order_release);", "_fence(memory_order_acquire);"],
        ),
    ],
)
def test_message_passing_as_text(arch: str, vias: list[str], lines: list[str]) -> None:
    text = WRITERS[arch].write("MP", decorate(SHAPES["MP"], vias))
    assert text.startswith(f"{arch} MP\n{{\n")
    for line in lines:
        assert line in text
    read(text)


@pytest.mark.parametrize(
    ("arch", "order", "line"),
    [
        ("X86", "rmw", "XCHG [y],EBX"),
        ("AArch64", "rmw", "SWP W3,W3,[X2]"),
        ("AArch64", "L", "STLR W3,[X2]"),
        ("AArch64", "ex", "STXR W5,W3,[X2]"),
        ("AArch64", "exal", "LDAXR W4,[X2]"),
        ("RISCV", "exal", "sc.w.rl x10,x8,(x7)"),
        ("PPC", "ex", "stwcx. r4,r0,r3"),
        ("RISCV", "rmw", "amoswap.w x8,x8,(x7)"),
        ("RISCV", "rl", "sw.rl x8,0(x7)"),
        ("C", "rmw", "atomic_exchange_explicit(y, 1, memory_order_relaxed);"),
        ("C", "seq_cst", "atomic_store_explicit(y, 1, memory_order_seq_cst);"),
    ],
)
def test_orders_of_writes(arch: str, order: str, line: str) -> None:
    text = WRITERS[arch].write("LB", decorate(SHAPES["LB"], ["po", "po"], [["", order], ["", ""]]))
    assert line in text
    read(text)


def test_data_and_control_dependencies_in_c() -> None:
    text = WRITERS["C"].write("LB", decorate(SHAPES["LB"], ["data", "ctrl"]))
    assert "atomic_store_explicit(y, r0 - r0 + 1, memory_order_relaxed);" in text
    assert "  if (r0 == r0) {\n  atomic_store" not in text
    assert "  if (r0 == r0) {\n    atomic_store_explicit(x, 1, memory_order_relaxed);\n  }\n}" in text


def test_an_index_is_no_order() -> None:
    cycle = decorate(SHAPES["MP"], ["po", "addr"], [["", ""], ["", "A"]])
    with pytest.raises(ValueError, match="takes no index"):
        WRITERS["AArch64"].write("MP", cycle)
