"""RISC-V: what instructions become, and what is wrong with them."""

from __future__ import annotations

import pytest

from tests.litmus.reading import program_of, read, statements
from xgen.errors import XgenError
from xgen.frontends.litmus.values import Register


@pytest.mark.parametrize(
    ("instructions", "expected"),
    [
        # memory
        ("lw x5,0(x1)", "x5 <- x; x5 := wrap(x5, -32)"),
        ("lwu x5,(x1)", "x5 <- x; x5 := wrap(x5, 32)"),
        ("lbu a0,0(x1)", "x10 <- x; x10 := wrap(x10, 8)"),
        ("ld t0,0(x1)", "x5 <- x"),
        ("lw.aq x5,0(x1)", "x5 <- x @ acquire; x5 := wrap(x5, -32)"),
        ("ld.aqrl x5,0(x1)", "x5 <- x @ acq_rel"),
        ("lw x0,0(x1)", "$1 <- x"),
        ("sw x5,0(x1)", "wrap(x5, -32) -> x"),
        ("sd.rl x0,0(x1)", "0 -> x @ release"),
        ("lw x5,0(x6)", "x5 <- *x6; x5 := wrap(x5, -32)"),
        ("lw x1,0(x1)", "x1 <- *x1; x1 := wrap(x1, -32)"),
        ("lr.w.aq x5,(x1)", "x5 <- load_exclusive(x) @ acquire; x5 := wrap(x5, -32)"),
        ("lr.d.rl x5,(x1)", "x5 <- load_exclusive(x)"),
        ("sc.w.rl x5,x6,(x1)", "x5 <- store_exclusive(x, wrap(x6, -32)) @ release"),
        ("sc.d.aq x5,x6,0(x1)", "x5 <- store_exclusive(x, x6)"),
        ("amoadd.d x6,x5,(x1)", "x6 <- wrap(fetch_add(x, x5), -64)"),
        ("amoswap.w.aq.rl x0,x5,(x1)", "exchange(x, wrap(x5, -32)) @ R[acq_rel] @ W[acq_rel]"),
        ("amominu.w.rl x6,x0,(x1)", "x6 <- fetch_umin(x, 0) @ R[release] @ W[release]; x6 := wrap(x6, -32)"),
        # fences
        ("fence", "fence[fence.rw.rw]"),
        ("fence rw,w", "fence[fence.rw.w]"),
        ("fence iorw,ow", "fence[fence.rw.w]"),
        ("fence i,o", "skip"),
        ("fence.tso", "fence[fence.tso]"),
        ("fence.i", "fence[fence.i]"),
        # computation: dependencies stay where the value is known
        ("li x5,-1", "x5 := -1"),
        ("la x5,y", "x5 := &y"),
        ("lui x5,0x80000", "x5 := -2147483648"),
        ("mv x5,x0", "x5 := 0"),
        ("xor x5,x6,x6", "x5 := x6 bitxor x6"),
        ("add x5,x1,x6", "x5 := wrap(&x + x6, -64)"),
        ("add x5,x6,x0", "x5 := x6"),
        ("sub x5,x6,x7", "x5 := wrap(x6 - x7, -64)"),
        ("addi x5,x6,-1", "x5 := wrap(x6 + -1, -64)"),
        ("addiw x5,x6,1", "x5 := wrap(x6 + 1, -32)"),
        ("subw x5,x6,x7", "x5 := wrap(x6 - x7, -32)"),
        ("ori x5,x0,1", "x5 := 1"),
        ("andi x5,x6,0", "x5 := x6 bitand 0"),
        ("not x5,x6", "x5 := bitnot x6"),
        ("neg x5,x6", "x5 := wrap(0 - x6, -64)"),
        ("sext.w x5,x6", "x5 := wrap(x6, -32)"),
        ("slt x5,x6,x7", "x5 := if x6 < x7 then 1 else 0"),
        ("slli x5,x6,3", "x5 := x6 shl 3"),
        ("sllw x5,x6,x7", "x5 := wrap(x6 shl (x7 bitand 31), -32)"),
        ("srlw x5,x6,x7", "x5 := wrap(wrap(x6, 32) shr (x7 bitand 31), -32)"),
        ("srai x5,x6,3", "x5 := (x6 bitxor -(x6 shr 63)) shr 3 bitxor -(x6 shr 63)"),
        ("add x0,x5,x6", ""),
        # branches
        ("beq x5,x6,L; fence.i; L: nop", "assume x5 = x6 | assume not x5 = x6 | fence[fence.i] | skip"),
        ("bgtu x5,x0,L; L:", None),
        ("bnez x5,L; L:", "assume not x5 = 0 | assume x5 = 0"),
        ("ble x5,x6,L; L:", "assume not x6 < x5 | assume x6 < x5"),
        ("j L; fence; L:", ""),
    ],
)
def test_instruction(instructions: str, expected: str | None) -> None:
    found = statements("RISCV", instructions, "0:x1=x;")
    if expected is None:  # unsigned: compared with the highest bits flipped
        flipped = "0 bitxor -9223372036854775808 < x5 bitxor -9223372036854775808"
        expected = f"assume {flipped} | assume not {flipped}"
    assert found == expected


def test_registers_have_two_names() -> None:
    test = read("RISCV T\n{0:a0=x; 0:s0=1;}\nP0 ;\nsw s0,0(x10) ;\nexists (0:fp=1 /\\ 0:zero=0 /\\ 0:t6=0)")
    assert test.observed == (Register(0, "x0"), Register(0, "x8"), Register(0, "x31"))
    assert test.model == "riscv"


def test_a_thread() -> None:
    text = program_of("RISCV T\n{0:x6=x;}\nP0 ;\nLC00: lw x5,0(x6) ;\nbeqz x5,LC00 ;\nexists (0:x5=1)")
    assert "L1 -> N2 {\n      x5 <- x;\n      x5 := wrap(x5, -32);\n    }\n    N2 -> L1 {\n      assume x5 = 0;" in text


@pytest.mark.parametrize(
    ("instruction", "column", "message", "hint"),
    [
        ("jal x1,L", 1, "the instruction `jal` is not supported", None),
        ("lw x5,x1", 7, "`x1` is no address", "expected, say, `0(x5)`"),
        ("lw x5", 1, "`lw` has 1 operand here", "expected, say, `lw x5,0(x6)`"),
        ("lw x32,0(x1)", 4, "there is no register `x32`", None),
        ("lw x5,", 7, "an operand is missing", "expected, say, `lw x5,0(x6)`"),
        ("fence x,w", 7, "`x` is no set of accesses", "expected r, w or rw"),
        ("addi x5,x6,5000", 12, "5000 is out of range", "expected a number from -2048 to 2047"),
        ("addi x5,x6,x7", 12, "`x7` is no number", "expected, say, `1`"),
        ("slliw x5,x6,32", 13, "32 is out of range", "expected a number from 0 to 31"),
        ("lr.w x5,4(x1)", 9, "this instruction takes no offset", None),
        ("amofoo.w x5,x6,(x1)", 1, "the instruction `amofoo.w` is not supported", None),
        ("beq x5,x6,L9", 1, "there is no label `L9` in this thread", None),
        (
            "lw x5,4(x1)",
            7,
            "an access at an offset is supported in an array only, of which it accesses a whole cell",
            None,
        ),
    ],
)
def test_errors(instruction: str, column: int, message: str, hint: str | None) -> None:
    with pytest.raises(XgenError) as error:
        read(f"RISCV T\n{{0:x1=x;}}\nP0 ;\n{instruction} ;\nexists (x=0)")
    found = error.value
    assert (found.message, found.line, found.column, found.hint) == (message, 4, column, hint)
