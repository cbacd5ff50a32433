"""The model that a program has by its language, where nobody names one: that of C, C++, Rust, LLVM's IR, CUDA, HIP."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Any

from xgen.sources import CPP, CPP_HEADERS, HIP, IR, KERNELS, RUST, C
from xgen.tags import ARCHITECTURES

_BEFORE_20 = re.compile(r"(?:c|gnu)\+\+(?:98|03|0x|11|1y|14|1z|17)")
"""The standards of C++ in whose release sequences later writes of the same thread are (P0982R1 took them out)."""


def language_model(name: str, options: Mapping[str, Any], suffix: str | None = None) -> str | None:
    """The model of the program in a file, by the suffixes and the flags of all its files; None: its language has none.

    `options` are those of `xgen.load`; `suffix`: that of the file's language, if its name does not say it. Files of C++
    in several standards are one program, which has the weakest of their models. Raises UsageError as `builds.entries`
    does. Parts of the Linux kernel have their own. Kernels of GPUs have one that knows data races; in what a compiler
    has optimised, accesses stand elsewhere than in the text, so that races are not asked for.
    """
    if options.get("kernel") is not None:
        return "lkmm"
    others = map(str, options.get("others", ()))
    if (suffix or PurePath(name).suffix) in HIP:
        return "hip"
    if (suffix or PurePath(name).suffix) in KERNELS:
        return "ptx" if options.get("as_compiled") else "cuda"
    names = {name: suffix or PurePath(name).suffix} | {other: PurePath(other).suffix for other in others}
    cpp = [each for each, ending in names.items() if ending in (*CPP, *CPP_HEADERS)]
    if cpp:
        old = all(_BEFORE_20.fullmatch(standard or "") for standard in _standards(cpp, options))
        return "rc11" if old else "rc11-c20"
    endings = set(names.values())
    if endings & {*RUST, *IR}:  # which have C++20's (LLVM's reference since 2024, std::sync::atomic)
        return "rc11-c20"
    return "rc11" if endings & {*C, ".h"} else None


def _standards(files: list[str], options: Mapping[str, Any]) -> Iterator[str | None]:
    """What `-std` says of each file: what is given for all of them counts, then what their build says."""
    from xgen.frontends.c.text.builds import entries  # long to import, and rarely needed
    from xgen.frontends.c.text.flags import read_flags

    given = read_flags(options.get("flags", ())).settings.standard
    if given is not None or options.get("build") is None:
        yield given
        return
    ways = entries(options["build"], files)
    first = next(entry for entry in ways if entry is not None)
    for entry in ways:
        yield (entry or first).flags.settings.standard


_BY_TEXT = {
    "litmus": re.compile(rf"\s*(?:{'|'.join(map(re.escape, ARCHITECTURES))})[ \t]+[^\s;(=]+[ \t]*(?:\n|\Z)"),
    "hip": re.compile(r".*^[ \t]*#[ \t]*include[ \t]*<hip/", re.S | re.M),
    "cu": re.compile(r".*\b__global__\b", re.S),
    "ptx": re.compile(r".*^[ \t]*\.version[ \t]", re.S | re.M),
    "ll": re.compile(r".*^define [^\n]*@", re.S | re.M),
    "rs": re.compile(r".*\bfn\s+main\s*\(", re.S),
    "cpp": re.compile(r".*^[ \t]*#[ \t]*include[ \t]*<\w+>", re.S | re.M),
    "c": re.compile(r".*(?:^[ \t]*#[ \t]*include\b|\bint\s+main\s*\()", re.S | re.M),
}
"""By the language: what its texts begin with, or have in them, where those of the languages before it have not."""


def language_of(text: str, name: str) -> str:
    """The language of a text whose file is called `name`: by its ending, or else by the text itself; or else XCFA."""
    suffix = PurePath(name).suffix
    if suffix in (".xcfa", ".litmus", *C, *CPP, *RUST, *IR, *KERNELS):
        return suffix[1:]
    return next((language for language, form in _BY_TEXT.items() if form.match(text)), "xcfa")
