"""POWER: what instructions become, and what is wrong with them."""

from __future__ import annotations

import pytest

from tests.litmus.reading import read, statements
from xgen.errors import XgenError
from xgen.frontends.litmus.values import Register

COMPARED = "if wrap(r3, -32) < {0} then -1 else if wrap(r3, -32) = {0} then 0 else 1"


@pytest.mark.parametrize(
    ("instructions", "expected"),
    [
        # memory
        ("lwz r3,0(r1)", "r3 <- x; r3 := wrap(r3, 32)"),
        ("lwz r3,0,r1", "r3 <- x; r3 := wrap(r3, 32)"),
        ("lwa r3,0(r1)", "r3 <- x; r3 := wrap(r3, -32)"),
        ("lhz r3,0(r1)", "r3 <- x; r3 := wrap(r3, 16)"),
        ("lbz r3,0(r1)", "r3 <- x; r3 := wrap(r3, 8)"),
        ("ld r3,0(r1)", "r3 <- x"),
        ("ldx r3,r0,r1", "r3 <- x"),
        ("lwzx r3,r4,r1", "r3 <- *(r4 + &x); r3 := wrap(r3, 32)"),
        ("lwzu r3,0(r1)", "r3 <- *r1; r3 := wrap(r3, 32); r1 := r1"),
        ("stw r3,0(r1)", "wrap(r3, -32) -> x"),
        ("std r3,0(r1)", "r3 -> x"),
        ("stwx r3,r4,r1", "wrap(r3, -32) -> *(r4 + &x)"),
        ("stbx r3,r0,r1", "wrap(r3, 8) -> x"),
        ("stwu r3,0(r1)", "wrap(r3, -32) -> *r1; r1 := r1"),
        ("lwarx r3,r0,r1", "r3 <- load_exclusive(x); r3 := wrap(r3, 32)"),
        ("ldarx r3,0,r1", "r3 <- load_exclusive(x)"),
        ("stdcx. r3,r0,r1", "$1 <- store_exclusive(x, r3)"),
        (
            "stwcx. r3,r2,r1; bne L; L:",  # what is found out depends on the value and on the address
            "$1 <- store_exclusive(*(r2 + &x), wrap(r3, -32)); $cr0 := $1 * 2 bitor "
            "wrap(r3, -32) bitxor wrap(r3, -32) bitor r2 + &x bitxor r2 + &x | assume not $cr0 = 0 | assume $cr0 = 0",
        ),
        # fences
        ("sync", "fence[sync]"),
        ("hwsync", "fence[sync]"),
        ("lwsync", "fence[lwsync]"),
        ("eieio", "fence[eieio]"),
        ("isync", "fence[isync]"),
        # computation
        ("li r3,-1", "r3 := -1"),
        ("lis r3,1", "r3 := 65536"),
        ("mr r3,r4", "r3 := r4"),
        ("xor r3,r4,r4", "r3 := r4 bitxor r4"),
        ("add r3,r4,r5", "r3 := wrap(r4 + r5, -64)"),
        ("sub r3,r4,r5", "r3 := wrap(r4 - r5, -64)"),
        ("subf r3,r4,r5", "r3 := wrap(r5 - r4, -64)"),
        ("mullw r3,r4,r5", "r3 := wrap(wrap(r4, -32) * wrap(r5, -32), -64)"),
        ("nor r3,r4,r5", "r3 := bitnot (r4 bitor r5)"),
        ("andc r3,r4,r5", "r3 := r4 bitand bitnot r5"),
        ("neg r3,r4", "r3 := wrap(0 - r4, -64)"),
        ("extsw r3,r4", "r3 := wrap(r4, -32)"),
        ("extsb r3,r4", "r3 := wrap(r4, -8)"),
        ("addi r3,r4,1", "r3 := wrap(r4 + 1, -64)"),
        ("addi r3,r0,1", "r3 := 1"),
        ("addis r3,r4,-1", "r3 := wrap(r4 + -65536, -64)"),
        ("subi r3,r4,1", "r3 := wrap(r4 - 1, -64)"),
        ("ori r3,r0,1", "r3 := r0 bitor 1"),
        ("xoris r3,r4,1", "r3 := r4 bitxor 65536"),
        ("slw r3,r4,r5", "r3 := if r5 bitand 32 = 0 then wrap(r4 shl (r5 bitand 31), 32) else 0"),
        ("clrldi r3,r4,32", "r3 := wrap(r4, 32)"),
        ("rlwinm r3,r4,0,16,31", "r3 := wrap(r4, 32) bitand 65535"),
        ("rlwinm r3,r4,2,0,29", "r3 := wrap(wrap(r4, 32) shr 30 bitor r4 shl 2, 32) bitand 4294967292"),
        ("rlwinm r3,r4,0,30,1", "r3 := (wrap(r4, 32) bitor wrap(r4, 32) shl 32) bitand -1073741821"),
        ("rlwimi r3,r4,0,16,31", "r3 := r3 bitand -65536 bitor wrap(r4, 32) bitand 65535"),
        ("nop", "skip"),
        # comparisons and branches
        ("cmpw r3,r4", ""),
        (
            "cmpwi r3,1; beq L; L:",
            f"$cr0 := {COMPARED.format(1)} | assume $cr0 = 0 | assume not $cr0 = 0",
        ),
        (
            "cmpw cr7,r3,r4; bgt cr7,L; L:",
            f"$cr7 := {COMPARED.format('wrap(r4, -32)')} | assume $cr7 = 1 | assume not $cr7 = 1",
        ),
        (
            "andi. r3,r4,1; bge L; L:",
            "r3 := r4 bitand 1; $cr0 := if r3 < 0 then -1 else if r3 = 0 then 0 else 1 "
            "| assume not $cr0 = -1 | assume $cr0 = -1",
        ),
        (
            "add. r3,r4,r5; ble L; L:",
            "r3 := wrap(r4 + r5, -64); $cr0 := if r3 < 0 then -1 else if r3 = 0 then 0 else 1 "
            "| assume not $cr0 = 1 | assume $cr0 = 1",
        ),
        ("b L; sync; L:", ""),
    ],
)
def test_instruction(instructions: str, expected: str) -> None:
    assert statements("PPC", instructions, "0:r1=x;") == expected


def test_header() -> None:
    test = read("PPC T\n{0:r2=x;}\nP0 ;\nlwz r1,0(r2) ;\nexists (0:r10=0 /\\ 0:r1=0)")
    assert test.observed == (Register(0, "r1"), Register(0, "r10"))
    assert test.model == "power"


@pytest.mark.parametrize(
    ("instruction", "column", "message", "hint"),
    [
        ("mfcr r3", 1, "the instruction `mfcr` is not supported", None),
        ("lmw r3,0(r1)", 1, "the instruction `lmw` is not supported", None),
        ("lwz r3,r1", 8, "`r1` is no address", "expected, say, `0(r5)`"),
        ("lwzx r3,r1", 1, "`lwzx` has 2 operands here", "expected, say, `lwzx r5,r6,r7`"),
        ("lwzu r3,0(r0)", 9, "there is no register to update: r0 stands for the number 0 here", None),
        ("lwzu r1,0(r1)", 6, "the register that is loaded is the one that is updated", None),
        ("li r3,70000", 7, "70000 is out of range", "expected a number from -32768 to 65535"),
        ("cmpw cr8,r3,r4", 6, "`cr8` is no field of the condition register", "cr0 to cr7"),
        ("beq cr0,L0,r1", 1, "`beq` has 3 operands here", "expected, say, `beq LC00`"),
        ("beq L0,L1", 1, "`beq` goes to one label", "expected, say, `beq LC00`"),
    ],
)
def test_errors(instruction: str, column: int, message: str, hint: str | None) -> None:
    with pytest.raises(XgenError) as error:
        read(f"PPC T\n{{0:r1=x;}}\nP0 ;\n{instruction} ;\nexists (x=0)")
    found = error.value
    assert (found.message, found.line, found.column, found.hint) == (message, 4, column, hint)
