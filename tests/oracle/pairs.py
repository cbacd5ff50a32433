"""Tests of AArch64 that access two registers at once, for the brute force of sizes.py.

What is a byte there is a word here, of which only the low byte is used: locations have 16 bytes, an access of one byte
is one of a W register, of two of an X register, of four of two of these (LDXP, STXP, CASP). Register r of a program is
X(2r) and X(2r+1) here.
"""

from __future__ import annotations

import random
import re
from dataclasses import replace

from oracle.sizes import SIZE, Instruction, Program


def litmus(program: Program) -> str:
    """The program as a test; location x is in X26, y in X27, numbers are in X10 and X11, and so on."""
    initial, columns = ["uint64_t x[2]; uint64_t y[2];"], []
    listed = ["x;", "y;"]
    for t, code in enumerate(program):
        numbers: dict[int, int] = {}
        lines = [line for i in code for line in _lines(i, numbers)]
        for r in sorted({i.into for i in code if i.into >= 0}):
            initial.append(f"uint64_t {t}:X{2 * r}; uint64_t {t}:X{2 * r + 1};")
            listed.append(f"{t}:X{2 * r}; {t}:X{2 * r + 1};")
        initial.append(f"{t}:X26=x; {t}:X27=y;")
        for value, register in numbers.items():
            words = _wide(value)
            initial.append(f"uint64_t {t}:X{register}={words[0]}; uint64_t {t}:X{register + 1}={words[1]};")
        columns.append([f"P{t}", *lines])
    height = max(map(len, columns))
    rows = [" | ".join(column[k] if k < len(column) else "" for column in columns) + " ;" for k in range(height)]
    return "\n".join(
        ["AArch64 pairs", "{", *initial, "}", *rows, f"locations [{' '.join(listed)}]", "exists (true)", ""]
    )


def _wide(value: int) -> tuple[int, int]:
    words = [value >> 8 * k & 0xFF for k in range(SIZE)]
    return words[0] | words[1] << 32, words[2] | words[3] << 32


def narrow(state: str) -> str:
    """A final state as sizes.py writes it."""
    found = []
    registers = {(int(t), int(r)): int(v) for t, r, v in re.findall(r"(\d):X(\d+)=(-?\d+);", state)}
    for (t, r), value in sorted(registers.items()):
        if r % 2 == 0:
            found.append(f"{t}:X{r // 2}={_narrow(value, registers[t, r + 1])};")
    for name, first, second in re.findall(r"([xy])=\{(-?\d+),(-?\d+)\};", state):
        found.append(f"[{name}]={_narrow(int(first), int(second))};")
    return " ".join(found)


def _narrow(*words: int) -> int:
    return sum((word & 0xFF | (word >> 32 & 0xFF) << 8) << 16 * k for k, word in enumerate(words))


def _lines(i: Instruction, numbers: dict[int, int]) -> list[str]:
    base, lines = f"X{26 + i.location}", list[str]()
    letter = "W" if i.bytes == 1 else "X"

    def register(of: tuple[int, int]) -> int:
        if of[0] >= 0:
            return 2 * of[0]
        return numbers.setdefault(of[1], 10 + 2 * len(numbers))

    def named(number: int) -> str:
        return f"X{number},X{number + 1}" if i.bytes == SIZE else f"{letter}{number}"

    address = base
    if i.after >= 0:
        both = (2 * i.after, 2 * i.after + 1)
        lines += [f"EOR X{24 + k},X{r},X{r}" for k, r in enumerate(both)] + ["ORR X24,X24,X25", f"ADD X24,{base},X24"]
        address = "X24"
    if i.offset:
        lines.append(f"ADD X24,{address},#{4 * i.offset}")
        address = "X24"
    into, value, pair = 2 * i.into, register(i.value) if i.mode not in ("ld", "ldx") else 0, "P" * (i.bytes == SIZE)
    match i.mode:
        case "ld":
            lines.append(f"{'LDAR' if i.acquire else 'LDR'} {named(into)},[{address}]")
        case "st":
            lines.append(f"{'STLR' if i.release else 'STR'} {named(value)},[{address}]")
        case "ldx":
            lines.append(f"{'LDAX' if i.acquire else 'LDX'}{pair or 'R'} {named(into)},[{address}]")
        case "stx":
            lines.append(f"{'STLX' if i.release else 'STX'}{pair or 'R'} W{into},{named(value)},[{address}]")
        case "swp":
            lines.append(f"SWP{'A' * i.acquire}{'L' * i.release} {named(value)},{named(into)},[{address}]")
        case "cas":
            expected = register(i.expected)
            lines += [f"MOV X{into},X{expected}", *[f"MOV X{into + 1},X{expected + 1}"] * bool(pair)]
            lines.append(f"CAS{pair}{'A' * i.acquire}{'L' * i.release} {named(into)},{named(value)},[{address}]")
    return lines


def random_program(rng: random.Random, threads: int = 2, most: int = 2) -> Program:
    code = []
    for _ in range(threads):
        own: list[Instruction] = []
        for _ in range(rng.randint(1, most)):
            own += _random_instruction(rng, [i for i in own if i.into >= 0])
        code.append(tuple(own))
    return tuple(code)


def _random_instruction(rng: random.Random, before: list[Instruction]) -> list[Instruction]:
    """One more behind those that have read something; of halves, only one would decide a value, which is not tried."""
    registers, whole = len(before), [i.into for i in before if not i.halves]
    mode = rng.choice(("ld", "st", "cas", "ldx", "swp"))
    size = rng.choice((1, 2, 4, 4)) if mode in ("cas", "ldx") else rng.choice((1, 2))
    number = rng.choice((1, 2, 0x0101, 0x0203, 0x01020304)) & (1 << 8 * size) - 1
    value = (rng.choice(whole), 0) if whole and rng.random() < 0.3 else (-1, number)
    after = rng.randrange(registers) if registers and rng.random() < 0.2 else -1
    found = Instruction(
        mode, int(rng.random() < 0.25), rng.randrange(0, SIZE, size), size, -1, value, (-1, rng.choice((0, number))),
        after, rng.random() < 0.2 and mode != "ldx", rng.random() < 0.2,
    )  # fmt: skip
    if mode == "st":
        return [found]
    if mode == "ldx":
        load = replace(found, into=registers, halves=size == SIZE)
        return [load, replace(found, mode="stx", into=registers + 1)]
    return [replace(found, into=registers)]
