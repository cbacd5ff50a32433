"""Arm, 32 bits: what instructions become, and what is wrong with them."""

from __future__ import annotations

import pytest

from tests.litmus.reading import read, statements
from xgen.analyses.suite.litmus import run_litmus
from xgen.errors import XgenError
from xgen.memory.library import load_model


@pytest.mark.parametrize(
    ("instructions", "expected"),
    [
        # memory
        ("LDR R0,[R1]", "R0 <- x; R0 := wrap(R0, 32)"),
        ("ldr r0,r1", "R0 <- x; R0 := wrap(R0, 32)"),
        ("LDR R0,[R1,R2]", "R0 <- *(&x + R2); R0 := wrap(R0, 32)"),
        ("LDR R0,[R1,R2,LSL #2]", "R0 <- *(&x + (R2 shl 2)); R0 := wrap(R0, 32)"),
        ("LDRB R0,[R1]", "R0 <- x; R0 := wrap(R0, 8)"),
        ("LDRSH R0,[R1]", "R0 <- x; R0 := wrap(wrap(R0, -16), 32)"),
        ("LDA R0,[R1]", "R0 <- x @ acquire; R0 := wrap(R0, 32)"),
        ("LDREX R0,[R1]", "R0 <- load_exclusive(x); R0 := wrap(R0, 32)"),
        ("LDAEX R0,[R1]", "R0 <- load_exclusive(x) @ acquire; R0 := wrap(R0, 32)"),
        ("STR R0,[R1]", "wrap(R0, -32) -> x"),
        ("STRH R0,[R1]", "wrap(R0, 16) -> x"),
        ("STL R0,[R1]", "wrap(R0, -32) -> x @ release"),
        (
            "STREX R2,R0,[R1]",
            "$1 <- store_exclusive(x, wrap(R0, -32)); "
            "R2 := $1 bitor wrap(R0, -32) bitxor wrap(R0, -32) bitor &x bitxor &x",
        ),
        (
            "STLEX R2,R0,[R3]",
            "$1 <- store_exclusive(*R3, wrap(R0, -32)) @ release; "
            "R2 := $1 bitor wrap(R0, -32) bitxor wrap(R0, -32) bitor R3 bitxor R3",
        ),
        # fences
        ("DMB", "fence[dmb]"),
        ("DMB SY", "fence[dmb]"),
        ("DMB ISH", "fence[dmb.ish]"),
        ("DSB ST", "fence[dsb.st]"),
        ("ISB", "fence[isb]"),
        # computation
        ("MOV R0,#-1", "R0 := 4294967295"),
        ("MOV R0,R2", "R0 := wrap(R2, 32)"),
        ("MOVW R0,#1", "R0 := 1"),
        ("MOVT R0,#2", "R0 := wrap(R0 bitand 65535 bitor 131072, 32)"),
        ("MVN R0,R2", "R0 := wrap(bitnot R2, 32)"),
        ("EOR R0,R2,R2", "R0 := wrap(R2 bitxor R2, 32)"),
        ("AND R0,R2,#0", "R0 := wrap(R2 bitand 0, 32)"),
        ("BIC R0,R2,R3", "R0 := wrap(R2 bitand bitnot R3, 32)"),
        ("ADD R0,R2,#1", "R0 := wrap(R2 + 1, 32)"),
        ("SUB R0,R2", "R0 := wrap(R0 - R2, 32)"),
        ("LSR R0,R2,#3", "R0 := wrap(wrap(R2, 32) shr 3, 32)"),
        ("NOP", "skip"),
        # flags and branches; flags that nothing tests are left out
        ("CMP R0,#1", ""),
        ("CMP R0,#1; BNE L; L:", "$result := wrap(R0 - 1, -32) | assume not $result = 0 | assume $result = 0"),
        (
            "EORS R0,R2,R2; BEQ L; L:",
            "$result := wrap(R2 bitxor R2, -32); R0 := wrap(R2 bitxor R2, 32) "
            "| assume $result = 0 | assume not $result = 0",
        ),
        (
            "ADDS R0,R2,R3; BCS L; L:",
            "$carry := if wrap(R2 + R3, 32) < wrap(R2, 32) then 1 else 0; R0 := wrap(R2 + R3, 32) "
            "| assume $carry = 1 | assume not $carry = 1",
        ),
        ("CBZ R0,L; DMB; L:", "assume R0 = 0 | assume not R0 = 0 | fence[dmb]"),
        ("B L; DMB; L:", ""),
    ],
)
def test_instruction(instructions: str, expected: str) -> None:
    assert statements("ARM", instructions, "0:R1=x;") == expected


@pytest.mark.parametrize(
    ("arch", "store", "load"),
    [
        ("ARM", "MOV %T2,#2 ; STR %T2,[%a]", "LDR %T3,[%a]"),
        ("PPC", "li %T2,2 ; stw %T2,0(%a)", "lwz %T3,0(%a)"),
        ("RISCV", "li %T2,2 ; sw %T2,0(%a)", "lw %T3,0(%a)"),
    ],
)
def test_symbolic_registers(arch: str, store: str, load: str) -> None:
    """They need not be in the initial state, and results list them behind the others."""
    one = {"ARM": "MOV R10,#1", "PPC": "li r10,1", "RISCV": "li x10,1"}[arch]
    text = f"{arch} T\n{{%a=x;}}\nP0 ;\n" + "".join(f"{line} ;\n" for line in [*store.split(" ; "), load, one])
    register = one.split()[1].split(",")[0]
    result = run_litmus(read(text + f"exists (0:%T3=2 /\\ 0:{register}=1)"), load_model("sc"))
    assert result.states == ((f"0:{register}=1; 0:T3=2;", 1),)


@pytest.mark.parametrize(
    ("instruction", "column", "message", "hint"),
    [
        (
            "LDM R1,{R2,R3}",
            1,
            "`LDM R1,{R2,R3}`: instructions that access several words are not supported",
            None,
        ),
        ("MOVNE R0,#1", 1, "`MOVNE R0,#1`: conditional execution is supported for branches only", None),
        ("LDREQ R0,[R1]", 1, "`LDREQ R0,[R1]`: conditional execution is supported for branches only", None),
        ("LDR R0,[R1],#4", 1, "addresses with an update of the register are not supported", None),
        ("LDR R0,[R16]", 9, "there is no register `R16`", None),
        ("LDR %R0,[R1]", 5, "there is no register `%R0`", None),
        ("LDR R0,[PC]", 9, "there is no register `PC`", None),
        ("LDR R0,[R15]", 1, "the program counter as an operand is not supported", None),
        ("DMB FOO", 5, "`FOO` is no option of a fence", "expected, say, SY or ISH"),
        ("ADD R0,R1,R2,FOO #1", 14, "`FOO #1` is no shift", "expected, say, `LSL #2`"),
        ("ADD R0", 1, "`ADD` has 1 operand here", "expected, say, `ADD R0,R1,R2`"),
        ("SWP R0,R1,[R2]", 1, "the instruction `SWP` is not supported", None),
    ],
)
def test_errors(instruction: str, column: int, message: str, hint: str | None) -> None:
    with pytest.raises(XgenError) as error:
        read(f"ARM T\n{{0:R1=x;}}\nP0 ;\n{instruction} ;\nexists (x=0)")
    found = error.value
    assert (found.message, found.line, found.column, found.hint) == (message, 4, column, hint)


@pytest.mark.parametrize(
    ("store", "fence", "load", "model", "verdict"),
    [
        ("STR", "NOP", "LDR", "arm", "Ok"),
        ("STR", "DMB", "LDR", "arm", "No"),
        ("STL", "NOP", "LDA", "arm8", "No"),
        ("STL", "NOP", "LDR", "arm8", "Ok"),
        ("STR", "DMB ISHLD", "LDR", "arm8", "Ok"),
        ("STR", "DMB ISHST", "LDR", "arm", "Ok"),
    ],
)
def test_instructions_of_version_8(store: str, fence: str, load: str, model: str, verdict: str) -> None:
    """Store buffering: what only Armv8 has means something there, as in herd's tests of AArch32 (aarch32.cat)."""
    rows = f"MOV R0,#1 | MOV R0,#1 ;\n{store} R0,[R1] | {store} R0,[R2] ;\n{fence} | {fence} ;\n"
    test = read(
        f"ARM T\n{{ 0:R1=x; 0:R2=y; 1:R1=x; 1:R2=y; }}\nP0 | P1 ;\n{rows}"
        f"{load} R3,[R2] | {load} R3,[R1] ;\nexists (0:R3=0 /\\ 1:R3=0)"
    )
    assert test.model == model
    assert run_litmus(test, load_model(test.model)).verdict == verdict
