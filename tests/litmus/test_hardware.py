"""Tests that tell the shipped models of processors apart from what is nearly them."""

from __future__ import annotations

import pytest

import xgen
from tests.litmus.reading import read
from xgen.analyses.suite.litmus import run_litmus

WRITER = {
    "AArch64": ("MOV W0,#1", "STR W0,[X10]", "DMB SY", "STR W0,[X11]"),
    "ARM": ("MOV R0,#1", "STR R0,[R10]", "DMB", "STR R0,[R11]"),
    "PPC": ("li r3,1", "stw r3,0(r10)", "sync", "stw r3,0(r11)"),
    "RISCV": ("li x5,1", "sw x5,0(x10)", "fence rw,rw", "sw x5,0(x11)"),
}
REGISTERS = {"AArch64": "X", "ARM": "R", "PPC": "r", "RISCV": "x"}


def observation(arch: str, condition: str, *threads: tuple[str, ...], model: str | None = None) -> str:
    """How often the condition holds; registers 10 to 13 hold the addresses of x, y, z and w."""
    register = REGISTERS[arch]
    init = " ".join(
        f"{thread}:{register}{number}={name};"
        for thread in range(len(threads))
        for number, name in zip((10, 11, 12, 13), "xyzw", strict=True)
    )
    height = max(map(len, threads))
    rows = [" | ".join(thread[i] if i < len(thread) else "" for thread in threads) for i in range(height)]
    head = " | ".join(f"P{number}" for number in range(len(threads)))
    text = f"{arch} T\n{{{init}}}\n" + "".join(f"{row} ;\n" for row in (head, *rows)) + f"exists ({condition})"
    test = read(text)
    return run_litmus(test, xgen.model(model or test.model)).observation


@pytest.mark.parametrize(
    ("arch", "condition", "reader", "expected"),
    [
        ("AArch64", "1:X0=1 /\\ 1:X2=0", ("LDR W0,[X11]", "LDR W2,[X10]"), "Sometimes"),
        ("AArch64", "1:X0=1 /\\ 1:X2=0", ("LDAR W0,[X11]", "LDR W2,[X10]"), "Never"),
        ("AArch64", "1:X0=1 /\\ 1:X2=0", ("LDAPR W0,[X11]", "LDR W2,[X10]"), "Never"),
        ("AArch64", "1:X0=1 /\\ 1:X2=0", ("LDR W0,[X11]", "EOR W1,W0,W0", "LDR W2,[X10,W1,SXTW]"), "Never"),
        ("AArch64", "1:X0=1 /\\ 1:X2=0", ("LDR W0,[X11]", "CBNZ W0,L", "L: LDR W2,[X10]"), "Sometimes"),
        ("AArch64", "1:X0=1 /\\ 1:X2=0", ("LDR W0,[X11]", "CBNZ W0,L", "L: ISB", "LDR W2,[X10]"), "Never"),
        ("AArch64", "1:X0=1 /\\ 1:X2=0", ("LDADD WZR,W0,[X11]", "LDR W2,[X10]"), "Sometimes"),
        ("AArch64", "1:X0=1 /\\ 1:X2=0", ("LDADDA WZR,W0,[X11]", "LDR W2,[X10]"), "Never"),
        # an update without a result is no read to a DMB LD
        ("AArch64", "y=3 /\\ 1:X2=0", ("MOV W0,#2", "STADD W0,[X11]", "DMB LD", "LDR W2,[X10]"), "Sometimes"),
        ("AArch64", "y=3 /\\ 1:X2=0", ("MOV W0,#2", "LDADD W0,W1,[X11]", "DMB LD", "LDR W2,[X10]"), "Never"),
        ("ARM", "1:R0=1 /\\ 1:R2=0", ("LDR R0,[R11]", "LDR R2,[R10]"), "Sometimes"),
        ("ARM", "1:R0=1 /\\ 1:R2=0", ("LDR R0,[R11]", "DMB ST", "LDR R2,[R10]"), "Sometimes"),
        ("ARM", "1:R0=1 /\\ 1:R2=0", ("LDR R0,[R11]", "EOR R1,R0,R0", "LDR R2,[R1,R10]"), "Never"),
        ("PPC", "1:r3=1 /\\ 1:r5=0", ("lwz r3,0(r11)", "lwz r5,0(r10)"), "Sometimes"),
        ("PPC", "1:r3=1 /\\ 1:r5=0", ("lwz r3,0(r11)", "lwsync", "lwz r5,0(r10)"), "Never"),
        ("PPC", "1:r3=1 /\\ 1:r5=0", ("lwz r3,0(r11)", "xor r4,r3,r3", "lwzx r5,r4,r10"), "Never"),
        (
            "PPC",
            "1:r3=1 /\\ 1:r5=0",
            ("lwz r3,0(r11)", "cmpw r3,r3", "beq L", "L: isync", "lwz r5,0(r10)"),
            "Never",
        ),
        ("RISCV", "1:x5=1 /\\ 1:x7=0", ("lw x5,0(x11)", "lw x7,0(x10)"), "Sometimes"),
        ("RISCV", "1:x5=1 /\\ 1:x7=0", ("lw x5,0(x11)", "fence r,r", "lw x7,0(x10)"), "Never"),
        ("RISCV", "1:x5=1 /\\ 1:x7=0", ("lw x5,0(x11)", "fence w,r", "lw x7,0(x10)"), "Sometimes"),
        ("RISCV", "1:x5=1 /\\ 1:x7=0", ("lw.aq x5,0(x11)", "lw x7,0(x10)"), "Never"),
    ],
)
def test_message_passing(arch: str, condition: str, reader: tuple[str, ...], expected: str) -> None:
    assert observation(arch, condition, WRITER[arch], reader) == expected


@pytest.mark.parametrize(
    ("arch", "condition", "reader", "expected"),
    [
        # the value that is stored depends on the first load, and the address of the last one on the store's success
        (
            "AArch64",
            "1:X0=1 /\\ 1:X2=0 /\\ 1:X4=0",
            ("LDR W0,[X11]", "LDXR W1,[X12]", "STXR W2,W0,[X12]", "EOR W3,W2,W2", "LDR W4,[X10,W3,SXTW]"),
            "Sometimes",
        ),
        (
            "RISCV",
            "1:x5=1 /\\ 1:x7=0 /\\ 1:x9=0",
            ("lw x5,0(x11)", "lr.w x6,(x12)", "sc.w x7,x5,(x12)", "xor x8,x7,x7", "add x8,x8,x10", "lw x9,0(x8)"),
            "Never",
        ),
        (
            "ARM",
            "1:R0=1 /\\ 1:R2=0 /\\ 1:R4=0",
            ("LDR R0,[R11]", "LDREX R1,[R12]", "STREX R2,R0,[R12]", "EOR R3,R2,R2", "LDR R4,[R3,R10]"),
            "Never",
        ),
    ],
)
def test_dependencies_on_success(arch: str, condition: str, reader: tuple[str, ...], expected: str) -> None:
    assert observation(arch, condition, WRITER[arch], reader) == expected


@pytest.mark.parametrize(
    ("last", "expected"),
    [
        (("SWP W1,W2,[X12]", "LDAR W4,[X12]", "LDR W5,[X10]"), "Sometimes"),
        (("SWP W1,W2,[X12]", "DMB SY", "LDR W5,[X10]"), "Never"),
        (("LDAR W4,[X12]", "LDR W5,[X10]"), "Sometimes"),
    ],
)
def test_an_acquire_after_an_update_waits_for_the_read_of_it(last: tuple[str, ...], expected: str) -> None:
    """The branch orders the first store to z, and so the update's write, but not the update's read."""
    reader = ("LDR W0,[X11]", "CBNZ W0,L", "L: STR W1,[X12]", *last)
    assert observation("AArch64", "1:X0=1 /\\ 1:X5=0", WRITER["AArch64"], reader) == expected


def test_an_atomic_memory_operation_of_riscv_is_one_operation() -> None:
    """A load before it that its value depends on, and a store after it that depends on its result, are in order."""

    def thread(read_from: str, write_to: str, scratch: str, amo: str) -> tuple[str, ...]:
        return (
            f"lw x5,0({read_from})",
            "xor x6,x5,x5",
            f"{amo} x7,x6,({scratch})",
            "xor x8,x7,x7",
            "ori x8,x8,1",
            f"sw x8,0({write_to})",
        )

    def both(amo: str) -> str:
        left, right = thread("x10", "x11", "x12", amo), thread("x11", "x10", "x13", amo)
        return observation("RISCV", "0:x5=1 /\\ 1:x5=1", left, right)

    assert both("amoadd.w") == "Never"
    assert both("amoswap.w") == "Never"


@pytest.mark.parametrize("model", [None, "sc", "tso", "coherence"])
def test_exclusive_pairs_are_atomic(model: str | None) -> None:
    """Under models that do not mention them, too."""
    increments = {
        "AArch64": ("LDXR W0,[X10]", "ADD W0,W0,#1", "STXR W1,W0,[X10]"),
        "ARM": ("LDREX R0,[R10]", "ADD R0,R0,#1", "STREX R1,R0,[R10]"),
        "RISCV": ("lr.w x5,(x10)", "addi x5,x5,1", "sc.w x1,x5,(x10)"),
    }
    for arch, increment in increments.items():
        status = f"{REGISTERS[arch]}1"
        both_succeed = f"0:{status}=0 /\\ 1:{status}=0"
        assert observation(arch, f"{both_succeed} /\\ x=2", increment, increment, model=model) == "Sometimes"
        assert observation(arch, f"{both_succeed} /\\ not x=2", increment, increment, model=model) == "Never"
    increment = ("lwarx r3,r0,r10", "addi r3,r3,1", "stwcx. r3,r0,r10", "bne L", "li r4,1", "L:")
    assert observation("PPC", "0:r4=1 /\\ 1:r4=1 /\\ x=2", increment, increment, model=model) == "Sometimes"
    assert observation("PPC", "0:r4=1 /\\ 1:r4=1 /\\ not x=2", increment, increment, model=model) == "Never"
