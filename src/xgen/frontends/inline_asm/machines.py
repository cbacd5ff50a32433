"""The text of assembly in C: what machines there are, how their operands are written, lines and labels."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from xgen.frontends.litmus.architectures.aarch64 import AARCH64
from xgen.frontends.litmus.architectures.arm import ARM
from xgen.frontends.litmus.architectures.columns import Architecture
from xgen.frontends.litmus.architectures.ppc import PPC
from xgen.frontends.litmus.architectures.riscv import RISCV
from xgen.frontends.litmus.architectures.x86 import X86_64
from xgen.records import dataclass

OF_X86 = {"a": "rax", "b": "rbx", "c": "rcx", "d": "rdx", "S": "rsi", "D": "rdi"}
OPERAND = re.compile(r"(?<!%)%(?P<modifier>[a-zA-Z]?)(?P<number>\d+)")
_LOCAL = re.compile(r"(?<![\w%.])(?P<number>\d+)(?P<where>[bf])(?!\w)")
LABEL = re.compile(r"(?P<name>[\w.$%=]+)\s*:")
_UNIQUE = re.compile(r"[\w.$]*%=[\w.$]*")


@dataclass(frozen=True)
class Machine:
    """A machine's instructions, and how operands are written: `registers` are those for operands, by what a letter in
    front of the number asks for (`%w0`); `memory` is an address in one of them."""

    architecture: Architecture
    registers: Mapping[str, Sequence[str]]
    memory: Mapping[str, str]
    comment: str
    signed: bool = False  # words in registers have their sign, whatever their type

    @property
    def names(self) -> list[str]:
        """What the reader calls the registers for operands."""
        return [str(self.architecture.register(name)) for name in self.registers[""]]


def _numbered(form: str, numbers: range) -> list[str]:
    return [form.format(number) for number in numbers]


_X = _numbered("X{}", range(29))
_R = _numbered("r{}", range(3, 32))
_RISCV = _numbered("x{}", range(5, 32))
_X86 = [*OF_X86.values(), *_numbered("r{}", range(8, 16))]
_X86_WORDS = [name.replace("r", "e", 1) if name[1].isalpha() else f"{name}d" for name in _X86]

_ARMV8 = Machine(
    AARCH64, {"": _X, "x": _X, "w": _numbered("W{}", range(29))}, {"": "[{}]"}, r"//[^\n]*|(?m:^\s*#[^\n]*)"
)
MACHINES = {
    "armv8": _ARMV8,
    "armv8-lse": _ARMV8,
    "armv7": Machine(ARM, {"": _numbered("R{}", range(13))}, {"": "[{}]"}, r"@[^\n]*"),
    "power": Machine(PPC, {"": _R}, {"": "0({})", "y": "0,{}", "U": "", "X": ""}, r"#[^\n]*"),
    "riscv": Machine(RISCV, {"": _RISCV, "z": _RISCV}, {"": "0({})"}, r"#[^\n]*", signed=True),
    "x86": Machine(X86_64, {"q": _X86, "k": _X86_WORDS, "": _X86}, {"": "({})"}, r"#[^\n]*"),
}
"""By the names of `--map`."""

_HINTS = {
    "x86": r"lock|xchg\w?|xadd\w?|cmpxchg\w*|(mov|inc|dec|add|sub|and|or|xor|neg|not)[bwlq]|mov|set\w+|[mls]fence"
    r"|bt[src]\w?|j\w+",
    "armv8": r"ld(a|ap|u|x|ax)?[rp][bh]?|st(l|u|x|lx)?[rp][bh]?|(cas|swp)\w*|(ld|st)(add|set|clr|eor)\w*|cbn?z|tbn?z"
    r"|dmb|b\.\w+|prfm",
    "armv7": r"ldrex\w*|strex\w*|teq|mcr",
    "power": r"l[dwhb]arx|st[dwhb]cx\.|lwsync|h?w?sync|isync|eieio|l[hwb]z|std|ld|b(ne|eq)[-+]?|cmp[wd]i?",
    "riscv": r"amo\w+\.[wd].*|(lr|sc)\.[wd].*|fence|l[bhwd]u|s[bhwd]|l[bhw]|b\w+z|li|mv",
}
"""What is written for each machine, roughly: to tell for which one a text is."""
IDLE = re.compile(r"(?:rep )?nop|yield|wfe|sevl?|prfm .*|pld .*|or (\d+), ?\1, ?\1|dcbt.*|pause")
"""What does nothing to memory."""


def machine_of(lines: Sequence[str]) -> str | None:
    """The machine that a text is for, as it seems."""
    words = [re.sub(r"^[\w.$]+\s*:\s*", "", line).partition(" ")[0].lower() for line in lines]
    fitting = {name: sum(re.fullmatch(pattern, word) is not None for word in words) for name, pattern in _HINTS.items()}
    best = max(fitting.values())
    found = [name for name, count in fitting.items() if count == best]
    return found[0] if best and len(found) == 1 else None


def for_machine(lines: Sequence[str]) -> str | None:
    """What to say where a text is read for another machine."""
    name = machine_of(lines)
    return name and f"this assembly is for {name}: --on {name}"


def jumps(lines: Sequence[str]) -> bool:
    """Whether there are labels."""
    return any(LABEL.match(line) for line in lines)


def lines_of(text: str, comment: str) -> list[str]:
    """The lines of a statement's text, without comments."""
    whole = text.replace("\\n", "\n").replace("\\t", " ").replace("\\r", "")
    parts = re.split(r"\n|;", re.sub(comment, "", whole))
    found: list[str] = []
    for line in (re.sub(r"\s+", " ", part).strip() for part in parts):
        if found and found[-1] in ("lock", "rep") and line:
            found[-1] += f" {line}"  # a prefix of the next instruction
        elif line:
            found.append(line)
    return found


def with_labels(lines: Sequence[str]) -> list[str]:
    """Lines in which `1b` and `1f` are the names of labels, each of which is there once."""
    places: dict[str, list[int]] = {}
    for at, line in enumerate(lines):
        if (match := LABEL.match(line)) and match["name"].isdecimal():
            places.setdefault(match["name"], []).append(at)
    found = []
    for at, line in enumerate(lines):

        def meant(match: re.Match[str], at: int = at) -> str:
            there = places.get(match["number"], [])
            ways = [n for n in there if n <= at][-1:] if match["where"] == "b" else [n for n in there if n > at][:1]
            return f"L{match['number']}.{ways[0]}" if ways else match[0]

        line = _UNIQUE.sub(lambda match: match[0].replace("%=", "."), line)
        match = LABEL.match(line)
        if match and match["name"].isdecimal():
            line = f"L{match['name']}.{at}:{line[match.end() :]}"
        found.append(_LOCAL.sub(meant, line))
    return found


def as_litmus(machine: Machine, line: str) -> str:
    """An instruction as litmus tests write it: without what branches expect, with the name of a field of Power."""
    if machine is not MACHINES["power"]:
        return line
    line = re.sub(r"^(b\w+)[-+]", r"\1", line)
    line = re.sub(r"^addic (?!.*\br0\b)", "addi ", line)  # of the carry nothing is made
    return re.sub(r"^(cmp\w+) (\d), ?(?=[^,]+,)", r"\1 cr\2,", line)
