"""What instructions compute, against Python's arithmetic, on all kinds of values."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.litmus.reading import read
from xgen.program.automaton import Assign, Binary, BoolLiteral, Conditional, Expression, IntLiteral, Name, Unary, Wrap

CORNERS = [0, 1, 2, 31, 32, 63, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**63 - 1, -1, -2, -(2**31), -(2**63), -(2**63) + 1]
VALUES = st.sampled_from(CORNERS) | st.integers(-(2**63), 2**63 - 1) | st.integers(-100, 100)


def s(value: int, bits: int) -> int:
    """The low bits in two's complement."""
    return (value + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)


def u(value: int, bits: int) -> int:
    """The low bits without sign."""
    return value % (1 << bits)


def evaluate(expression: Expression, local: dict[str, int], wrapped: bool = False) -> int:
    """The value of an expression as docs/xcfa.md defines it; a sum that overflows fails unless a Wrap is around it."""
    match expression:
        case IntLiteral(value) | BoolLiteral(value):
            return value
        case Name(name):
            return local.get(name, 0)
        case Wrap(operand, bits, signed):
            return (s if signed else u)(evaluate(operand, local, wrapped=True), bits)
        case Conditional(condition, positive, negative):
            return evaluate(positive if evaluate(condition, local) else negative, local)
        case Unary(op, operand):
            value = evaluate(operand, local)
            return {"not": lambda: not value, "-": lambda: -value, "bitnot": lambda: ~value}[op]()
        case Binary(op, left, right):
            a, b = evaluate(left, local), evaluate(right, local)
            if op in ("shl", "shr"):
                assert 0 <= b < 64
                return s(u(a, 64) << b if op == "shl" else u(a, 64) >> b, 64)
            result = OPERATORS[op](a, b)
            assert wrapped or -(2**63) <= result < 2**63
            return result
    raise AssertionError(expression)


OPERATORS: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "bitand": lambda a, b: a & b,
    "bitor": lambda a, b: a | b,
    "bitxor": lambda a, b: a ^ b,
    "=": lambda a, b: a == b,
    "<": lambda a, b: a < b,
    "and": lambda a, b: a and b,
}


AARCH64: dict[str, Callable[[int, int], int]] = {
    "ADD X2,X0,X1": lambda a, b: a + b,
    "ADD W2,W0,W1": lambda a, b: u(a + b, 32),
    "ADD X2,X0,X1,LSL #3": lambda a, b: a + (b << 3),
    "ADD X2,X0,X1,ASR #3": lambda a, b: a + (b >> 3),
    "ADD X2,X0,X1,LSR #3": lambda a, b: a + (u(b, 64) >> 3),
    "ADD X2,X0,W1,SXTB #2": lambda a, b: a + (s(b, 8) << 2),
    "ADD X2,X0,W1,UXTH": lambda a, b: a + u(b, 16),
    "SUB X2,X0,X1": lambda a, b: a - b,
    "NEG W2,W0": lambda a, _: u(-a, 32),
    "AND W2,W0,W1": lambda a, b: u(a & b, 32),
    "BIC X2,X0,X1": lambda a, b: a & ~b,
    "ORN W2,W0,W1": lambda a, b: u(a | ~b, 32),
    "EON X2,X0,X1": lambda a, b: a ^ ~b,
    "MVN W2,W0": lambda a, _: u(~a, 32),
    "MUL X2,X0,X1": lambda a, b: a * b,
    "MNEG W2,W0,W1": lambda a, b: u(-a * b, 32),
    "MADD X2,X0,X1,X0": lambda a, b: a + a * b,
    "MSUB W2,W0,W1,W0": lambda a, b: u(a - a * b, 32),
    "SMULL X2,W0,W1": lambda a, b: s(a, 32) * s(b, 32),
    "UMULL X2,W0,W1": lambda a, b: u(a, 32) * u(b, 32),
    "SMSUBL X2,W0,W1,X0": lambda a, b: a - s(a, 32) * s(b, 32),
    "UMNEGL X2,W0,W1": lambda a, b: -u(a, 32) * u(b, 32),
    "LSL X2,X0,X1": lambda a, b: a << u(b, 6),
    "LSL W2,W0,W1": lambda a, b: u(a << u(b, 5), 32),
    "LSR W2,W0,#7": lambda a, _: u(a, 32) >> 7,
    "LSR X2,X0,X1": lambda a, b: u(a, 64) >> u(b, 6),
    "ASR W2,W0,W1": lambda a, b: u(s(a, 32) >> u(b, 5), 32),
    "ASR X2,X0,X1": lambda a, b: a >> u(b, 6),
    "ROR W2,W0,#7": lambda a, _: u(u(a, 32) >> 7 | a << 25, 32),
    "ROR X2,X0,#0": lambda a, _: a,
    "ROR X2,X0,X1": lambda a, b: u(a, 64) >> u(b, 6) | a << 64 - u(b, 6),
    "ROR W2,W0,W1": lambda a, b: u(u(a, 32) >> u(b, 5) | a << 32 - u(b, 5), 32),
    "SXTH W2,W0": lambda a, _: u(s(a, 16), 32),
    "SXTW X2,W0": lambda a, _: s(a, 32),
    "UXTB W2,W0": lambda a, _: u(a, 8),
    "UBFM X2,X0,#4,#32": lambda a, _: u(a, 33) >> 4,
    "UBFM W2,W0,#30,#7": lambda a, _: u(a, 8) << 2,
    "SBFM W2,W0,#4,#20": lambda a, _: u(s(a, 21) >> 4, 32),
    "SBFM X2,X0,#56,#7": lambda a, _: s(a, 8) << 8,
    "SBFM X2,X0,#3,#63": lambda a, _: a >> 3,
    "ABS W2,W0": lambda a, _: u(abs(s(a, 32)), 32),
    "ABS X2,X0": lambda a, _: abs(a),
    "REV W2,W0": lambda a, _: int.from_bytes(u(a, 32).to_bytes(4, "little"), "big"),
    "REV X2,X0": lambda a, _: int.from_bytes(u(a, 64).to_bytes(8, "little"), "big"),
    "MOV X2,X0; MOVK X2,#1,LSL #16": lambda a, _: a & ~0xFFFF0000 | 0x10000,
    "MOV W2,W0": lambda a, _: u(a, 32),
    "ADDS W2,W0,W1": lambda a, b: u(a + b, 32),
}

RISCV: dict[str, Callable[[int, int], int]] = {
    "add x2,x10,x11": lambda a, b: a + b,
    "addw x2,x10,x11": lambda a, b: s(a + b, 32),
    "subw x2,x10,x11": lambda a, b: s(a - b, 32),
    "mul x2,x10,x11": lambda a, b: a * b,
    "and x2,x10,x11": lambda a, b: a & b,
    "xori x2,x10,-1": lambda a, _: ~a,
    "not x2,x10": lambda a, _: ~a,
    "neg x2,x10": lambda a, _: -a,
    "slt x2,x10,x11": lambda a, b: a < b,
    "sltu x2,x10,x11": lambda a, b: u(a, 64) < u(b, 64),
    "sltiu x2,x10,-1": lambda a, _: u(a, 64) < 2**64 - 1,
    "sll x2,x10,x11": lambda a, b: a << u(b, 6),
    "sllw x2,x10,x11": lambda a, b: s(a << u(b, 5), 32),
    "srl x2,x10,x11": lambda a, b: u(a, 64) >> u(b, 6),
    "srlw x2,x10,x11": lambda a, b: s(u(a, 32) >> u(b, 5), 32),
    "sra x2,x10,x11": lambda a, b: a >> u(b, 6),
    "sraw x2,x10,x11": lambda a, b: s(a, 32) >> u(b, 5),
    "sraiw x2,x10,31": lambda a, _: s(a, 32) >> 31,
    "srli x2,x10,1": lambda a, _: u(a, 64) >> 1,
    "lui x2,0xfffff": lambda *_: -4096,
    "sext.h x2,x10": lambda a, _: s(a, 16),
    "zext.w x2,x10": lambda a, _: u(a, 32),
}


def shifted_word(a: int, b: int, move: Callable[[int, int], int]) -> int:
    return 0 if b & 32 else u(move(u(a, 32), b & 31), 32)


PPC: dict[str, Callable[[int, int], int]] = {
    "add r2,r10,r11": lambda a, b: a + b,
    "subf r2,r10,r11": lambda a, b: b - a,
    "mullw r2,r10,r11": lambda a, b: s(a, 32) * s(b, 32),
    "mulld r2,r10,r11": lambda a, b: a * b,
    "mulli r2,r10,-3": lambda a, _: a * -3,
    "addis r2,r10,-1": lambda a, _: a - 65536,
    "oris r2,r10,1": lambda a, _: a | 65536,
    "nor r2,r10,r11": lambda a, b: ~(a | b),
    "nand r2,r10,r11": lambda a, b: ~(a & b),
    "orc r2,r10,r11": lambda a, b: a | ~b,
    "neg r2,r10": lambda a, _: -a,
    "extsh r2,r10": lambda a, _: s(a, 16),
    "slw r2,r10,r11": lambda a, b: shifted_word(a, b, lambda x, n: x << n),
    "srw r2,r10,r11": lambda a, b: shifted_word(a, b, lambda x, n: x >> n),
    "sraw r2,r10,r11": lambda a, b: s(a, 32) >> min(b & 63, 31),
    "srawi r2,r10,5": lambda a, _: s(a, 32) >> 5,
    "rlwinm r2,r10,4,8,30": lambda a, _: u(a << 4 | u(a, 32) >> 28, 32) & 0x00FFFFFE,
    "rlwinm r2,r10,0,30,1": lambda a, _: (u(a, 32) << 32 | u(a, 32)) & ~0x3FFFFFFC,
    "mr r2,r11; rlwimi r2,r10,8,16,23": lambda a, b: b & ~0xFF00 | u(a << 8, 32) & 0xFF00,
    "clrldi r2,r10,40": lambda a, _: u(a, 24),
    "clrldi r2,r10,0": lambda a, _: a,
}

ARM: dict[str, Callable[[int, int], int]] = {
    "ADD R2,R10,R11": lambda a, b: a + b,
    "ADD R2,R10,R11,LSL #3": lambda a, b: a + (b << 3),
    "SUB R2,R10,#1": lambda a, _: a - 1,
    "MUL R2,R10,R11": lambda a, b: a * b,
    "ORR R2,R10,R11,ROR #4": lambda a, b: a | u(b, 32) >> 4 | b << 28,
    "BIC R2,R10,R11": lambda a, b: a & ~b,
    "ASR R2,R10,#4": lambda a, _: s(a, 32) >> 4,
    "MVN R2,R10": lambda a, _: ~a,
    "MOV R2,R10; MOVT R2,#3": lambda a, _: a & 0xFFFF | 3 << 16,
}

CASES = [
    *(("AArch64", "X", 0, 64, *case) for case in AARCH64.items()),
    *(("RISCV", "x", 10, 64, *case) for case in RISCV.items()),
    *(("PPC", "r", 10, 64, *case) for case in PPC.items()),
    *(("ARM", "R", 10, 32, *case) for case in ARM.items()),
]


@pytest.mark.parametrize(
    ("arch", "letter", "first", "bits", "instructions", "meaning"),
    CASES,
    ids=lambda x: "meaning" if callable(x) else str(x),
)
def test_results(
    arch: str, letter: str, first: int, bits: int, instructions: str, meaning: Callable[[int, int], int]
) -> None:
    run = straight_line(arch, instructions, f"{letter}2")

    @settings(max_examples=settings().max_examples // 2)
    @given(VALUES, VALUES)
    def check(a: int, b: int) -> None:
        if bits == 32:  # what registers hold
            a, b = u(a, 32), u(b, 32)
        result = run({f"{letter}{first}": a, f"{letter}{first + 1}": b})
        assert result == (u if bits == 32 else s)(int(meaning(a, b)), bits)

    check()


def straight_line(arch: str, instructions: str, result: str) -> Callable[[dict[str, int]], int]:
    """What instructions without branches and accesses leave in a register, depending on what others hold before."""
    lines = "\n".join(f"{line} ;" for line in instructions.split(";"))
    test = read(f"{arch} T\n{{}}\nP0 ;\n{lines}\nexists (0:{result}=0)")
    (edge,) = test.program.processes[0].main_procedure.edges

    def run(registers: dict[str, int]) -> int:
        local = dict(registers)
        for statement in edge.statements:
            assert isinstance(statement, Assign)
            local[statement.target.name] = evaluate(statement.value, local)
        return local[result]

    return run


CONDITIONS: dict[str, Callable[[int, int, int], bool]] = {
    "EQ": lambda a, b, n: u(a, n) == u(b, n),
    "NE": lambda a, b, n: u(a, n) != u(b, n),
    "HS": lambda a, b, n: u(a, n) >= u(b, n),
    "LO": lambda a, b, n: u(a, n) < u(b, n),
    "HI": lambda a, b, n: u(a, n) > u(b, n),
    "LS": lambda a, b, n: u(a, n) <= u(b, n),
    "GE": lambda a, b, n: s(a, n) >= s(b, n),
    "LT": lambda a, b, n: s(a, n) < s(b, n),
    "GT": lambda a, b, n: s(a, n) > s(b, n),
    "LE": lambda a, b, n: s(a, n) <= s(b, n),
    "MI": lambda a, b, n: s(a - b, n) < 0,
    "PL": lambda a, b, n: s(a - b, n) >= 0,
    "VS": lambda a, b, n: s(a, n) - s(b, n) != s(a - b, n),
    "VC": lambda a, b, n: s(a, n) - s(b, n) == s(a - b, n),
}


@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize("code", CONDITIONS)
def test_conditions_after_comparisons(code: str, bits: int) -> None:
    letter = "W" if bits == 32 else "X"
    run = straight_line("AArch64", f"CMP {letter}0,{letter}1; CSET X2,{code}", "X2")

    @given(VALUES, VALUES)
    @example(0, -(2**63))
    @example(-(2**31), 1)
    def check(a: int, b: int) -> None:
        assert run({"X0": a, "X1": b}) == CONDITIONS[code](a, b, bits)

    check()


@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize(
    ("code", "meaning"),
    [
        ("EQ", lambda a, b, n: u(a + b, n) == 0),
        ("MI", lambda a, b, n: s(a + b, n) < 0),
        ("CS", lambda a, b, n: u(a, n) + u(b, n) >= 1 << n),
        ("VS", lambda a, b, n: s(a, n) + s(b, n) != s(a + b, n)),
    ],
)
def test_conditions_after_sums(code: str, meaning: Callable[[int, int, int], bool], bits: int) -> None:
    letter = "W" if bits == 32 else "X"
    run = straight_line("AArch64", f"ADDS {letter}3,{letter}0,{letter}1; CSET X2,{code}", "X2")

    @given(VALUES, VALUES)
    def check(a: int, b: int) -> None:
        assert run({"X0": a, "X1": b}) == meaning(a, b, bits)

    check()


@pytest.mark.parametrize("code", ["CS", "VS"])
def test_logical_operations_clear_carry_and_overflow(code: str) -> None:
    assert straight_line("AArch64", f"TST X0,X0; CSET X2,{code}", "X2")({"X0": -1}) == 0
