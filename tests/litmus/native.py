"""Instructions of x86-64 as this machine does them: threads of litmus tests, compiled and run."""

from __future__ import annotations

import platform
import random
import shutil
import subprocess
from pathlib import Path

import pytest

REGISTERS = ("rax", "rbx", "rcx", "rdx", "r8", "r9")
_SUFFIX = {1: "b", 2: "w", 4: "l", 8: "q"}
_NAMES = {
    1: ("al", "bl", "cl", "dl", "r8b", "r9b", "ah", "bh", "ch", "dh"),
    2: ("ax", "bx", "cx", "dx", "r8w", "r9w"),
    4: ("eax", "ebx", "ecx", "edx", "r8d", "r9d"),
    8: REGISTERS,
}

_KINDS = ("ld", "ld", "st", "st", "const", "extend", "op", "lock", "xchg", "xadd", "cas", "shift", "one", "two")

needs_compiler = pytest.mark.skipif(
    platform.machine() not in ("x86_64", "AMD64") or shutil.which("gcc") is None, reason="needs gcc on x86-64"
)


def random_thread(rng: random.Random, most: int) -> list[str]:
    """Some instructions with operands of 1 to 8 bytes; the 16 bytes of memory are at RSI."""
    return [_random_instruction(rng) for _ in range(rng.randint(1, most))]


def _random_instruction(rng: random.Random) -> str:
    size = rng.choice((1, 1, 2, 2, 4, 8))
    suffix = _SUFFIX[size]
    offset = rng.randrange(0, 16, size)
    memory = f"{offset}(%rsi)" if offset else "(%rsi)"
    one, two = (f"%{rng.choice(_NAMES[size][:6])}" for _ in range(2))
    any_ = f"%{rng.choice(_NAMES[size][: 10 if size == 1 else 6])}"
    number = f"${rng.choice((0, 1, 2, 0x7F, 0x80, 0xFF, -1)) if size > 1 else rng.choice((0, 1, 2, 0x7F, -128, -1))}"
    wider = rng.choice([s for s in (2, 4, 8) if s > size] or [8])
    op = rng.choice(("add", "sub", "and", "or", "xor"))
    kind = rng.choice(_KINDS)
    match kind:
        case "ld":
            return f"mov{suffix} {memory},{any_}"
        case "st":
            return f"mov{suffix} {any_},{memory}"
        case "const":
            return f"mov{suffix} {number},{rng.choice((memory, one))}"
        case "extend" if size < 4:
            return f"mov{rng.choice('sz')}{suffix}{_SUFFIX[wider]} {memory},%{rng.choice(_NAMES[wider][:6])}"
        case "op":
            return f"{op}{suffix} {rng.choice((one, number))},{rng.choice((two, memory))}"
        case "lock":
            return f"lock {op}{suffix} {rng.choice((one, number))},{memory}"
        case "xchg":
            return f"xchg{suffix} {one},{rng.choice((two, memory))}"
        case "xadd":
            return f"lock xadd{suffix} {one},{memory}"
        case "cas":
            return f"{rng.choice(('lock ', ''))}cmpxchg{suffix} {one},{memory}"
        case "shift":
            return f"{rng.choice(('shl', 'shr'))}{suffix} ${rng.randint(1, 8 * size - 1)},{rng.choice((one, memory))}"
        case "two":
            return f"lock cmpxchg{rng.choice(('8b', '16b'))} (%rsi)"
        case _:
            return f"{rng.choice(('inc', 'dec'))}{suffix} {rng.choice((one, memory))}"


def run(threads: list[tuple[list[str], list[int], list[int]]], folder: Path) -> list[list[int]]:
    """What threads end with: the registers, then two words of memory, of which the values before are given likewise."""
    source = ["#include <inttypes.h>", "#include <stdio.h>", "static _Alignas(16) uint64_t x[2];", "int main(void) {"]
    for code, registers, memory in threads:
        source.append("{" + f"x[0] = {_text(memory[0])}; x[1] = {_text(memory[1])};")
        source += [f'register uint64_t v{n} asm("{r}") = {_text(registers[n])};' for n, r in enumerate(REGISTERS)]
        body = "\\n".join(line.replace("%", "%%") for line in code)
        outputs = ", ".join(f'"+r"(v{n})' for n in range(len(REGISTERS)))
        source.append(f'asm volatile("{body}" : {outputs} : "S"(x) : "memory", "cc");')
        shown = "".join(f", v{n}" for n in range(len(REGISTERS)))
        format_ = ' " " '.join(['"%" PRIu64'] * (len(REGISTERS) + 2))
        source.append(f'uint64_t y[] = {{{shown[2:]}}}; printf({format_} "\\n", {_all()}, x[0], x[1]);' + "}")
    source.append("return 0; }")
    (folder / "threads.c").write_text("\n".join(source), encoding="utf-8")
    subprocess.run(["gcc", "-O1", "-mcx16", "threads.c", "-o", "threads"], cwd=folder, check=True)
    printed = subprocess.run([folder / "threads"], check=True, capture_output=True, text=True).stdout
    return [[int(word) for word in line.split()] for line in printed.splitlines()]


def _all() -> str:
    return ", ".join(f"y[{n}]" for n in range(len(REGISTERS)))


def _text(value: int) -> str:
    return f"{value}ull"
