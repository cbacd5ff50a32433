"""The machines that C is compiled for (`--map`), by the macros of theirs that compilers define.

A preprocessor that is asked is the host's, and so are its headers, which tell its macros apart themselves (glibc has
one `gnu/stubs.h` for x86-64, and none for a machine that is not x86). So they are read with the host's macros, and what
the program says with those of the machine: each header of the system is found behind a short one that changes them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from pathlib import Path

from xgen.frontends.process import run
from xgen.sources import read_source

Macros = dict[str, str]


def _macros(text: str) -> Macros:
    """Names, with values behind `=` that are not 1."""
    return {name: value or "1" for name, _, value in (word.partition("=") for word in text.split())}


_ARMV8 = (
    "__aarch64__ __AARCH64EL__ __ARM_ARCH=8 __ARM_ARCH_8A __ARM_64BIT_STATE __ARM_ARCH_ISA_A64 __ARM_ARCH_PROFILE=65"
)
_X86 = "__SSE__ __SSE2__ __SSE_MATH__ __SSE2_MATH__ __MMX__ __MMX_WITH_SSE__ __FXSR__ __SEG_FS __SEG_GS"
_MACROS = {
    "x86": _macros(f"__x86_64__ __x86_64 __amd64__ __amd64 __k8 __k8__ __code_model_small__ {_X86}"),
    "armv8": _macros(_ARMV8),
    "armv8-lse": _macros(f"{_ARMV8} __ARM_FEATURE_ATOMICS"),
    "armv7": _macros(
        "__arm__ __ARMEL__ __ARM_EABI__ __ARM_ARCH=7 __ARM_ARCH_7A__ __ARM_32BIT_STATE __ARM_ARCH_ISA_ARM"
        " __ARM_ARCH_PROFILE=65 __ARM_FEATURE_LDREX=15"
    ),
    "power": _macros(
        "__powerpc__ __powerpc64__ __PPC__ __PPC64__ _ARCH_PPC _ARCH_PPC64 __LITTLE_ENDIAN__ _LITTLE_ENDIAN _CALL_ELF=2"
    ),
    "riscv": _macros("__riscv __riscv_xlen=64 __riscv_atomic __riscv_mul __riscv_div __riscv_muldiv"),
}
_WORDS = {  # where a pointer has 4 bytes: what is said instead
    "x86": _macros(f"__i386__ __i386 {_X86}"),
    "power": _macros("__powerpc__ __PPC__ _ARCH_PPC __LITTLE_ENDIAN__ _LITTLE_ENDIAN"),
    "riscv": _macros("__riscv __riscv_xlen=32 __riscv_atomic __riscv_mul __riscv_div __riscv_muldiv"),
}
_FAMILIES = {
    r"x86_64|i\d86|amd64": "x86",
    r"aarch64|arm64": "armv8",
    r"arm": "armv7",
    r"powerpc|ppc": "power",
    r"riscv": "riscv",
}
"""The machines of compilers, by what their triples begin with."""
_INCLUDED = re.compile(r'^[ \t]*#[ \t]*include(?:_next)?[ \t]*([<"])([^>"\n]+)[>"]', re.M)


def macros(machine: str, word: int) -> Macros:
    """What is defined where a program is compiled for a machine with pointers of so many bytes."""
    return _WORDS.get(machine, _MACROS[machine]) if word == 4 else _MACROS[machine]


def own_macros(machine: str | None, word: int) -> Macros | None:
    """Those of a machine for xgen's own headers; None: of none but x86, which is one of those that are there anyway."""
    return None if machine in (None, "x86") else macros(str(machine), word)


def flags(
    command: Sequence[str], machine: str | None, word: int, given: Collection[str], folder: str, included: Iterable[str]
) -> list[str]:
    """The flags with which a compiler, of this command and perhaps for another machine, defines the macros of a machine
    but those that are `given`, and reads the headers of the system that are `included` with its own; what this takes is
    put into a folder.

    They come behind those that name the program's own folders.
    """
    triple = next((word.removeprefix("--target=") for word in command if word.startswith("--target=")), "")
    changed = _changed(triple or _triple(tuple(command)), machine, word, given)
    if changed is None:
        return []
    others, wanted = changed
    enter = [*(f"#undef {name}" for name in wanted), *(f"#define {name} {value}" for name, value in others.items())]
    leave = [*(f"#undef {name}" for name in others), *(f"#define {name} {value}" for name, value in wanted.items())]
    for name in included:
        if any(os.path.isfile(os.path.join(top, name)) for top in _folders(tuple(command))):
            lines = ["#ifdef __xgen_system__", f"#include_next <{name}>", "#else", "#define __xgen_system__", *enter]
            lines += [f"#include_next <{name}>", *leave, "#undef __xgen_system__", "#endif", ""]
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("\n".join(lines), encoding="utf-8")
    defined = [*(f"-U{name}" for name in others), *(f"-D{name}={value}" for name, value in wanted.items())]
    return [*defined, "-I", folder]


def included(text: str, folder: str, folders: Sequence[str]) -> set[str]:
    """The names by which a text in a folder, and what it includes from it or from these folders, include others."""
    found: set[str] = set()
    left = [(text, folder)]
    seen: set[str] = set()
    while left:
        text, folder = left.pop()
        for quote, name in _INCLUDED.findall(text):
            tops = (folder, *folders) if quote == '"' else folders
            path = next((path for top in tops if os.path.isfile(path := os.path.join(top, name))), None)
            if path is None:
                found.add(name)
            elif path not in seen:
                seen.add(path)
                left.append((read_source(path).text, os.path.dirname(path)))
    return {name for name in found if not os.path.isabs(name) and ".." not in name.split("/")}


def _changed(triple: str, machine: str | None, word: int, given: Collection[str]) -> tuple[Macros, Macros] | None:
    """The macros of a compiler's machine that go, and those that come; None where it is the same machine."""
    host = next((name for start, name in _FAMILIES.items() if re.match(start, triple)), "x86")
    if machine is None or host == machine or (host == "armv8" and machine == "armv8-lse"):
        return None
    there, here = macros(host, word), macros(machine, word)
    others = {name: value for name, value in there.items() if name not in here and name not in given}
    return others, {name: value for name, value in here.items() if name not in given}


@cache
def _triple(command: tuple[str, ...]) -> str:
    """What a compiler says it compiles for."""
    return run([*command, "-dumpmachine"], {}).stdout.strip()


@cache
def _folders(command: tuple[str, ...]) -> tuple[str, ...]:
    """Where a compiler finds the headers of the system."""
    said = run([*command, "-E", "-v", "-"], {}).stderr
    listed = re.search(r"^#include <\.\.\.> search starts here:\n(.*?)^End of search list", said, re.M | re.S)
    return tuple(line.strip() for line in listed[1].splitlines()) if listed else ()
