"""From a file of CUDA to PTX: unoptimised, so that accesses are those of the text, or as it is compiled for a GPU."""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from xgen.errors import Source, UsageError
from xgen.frontends.c.text.files import File
from xgen.frontends.cache import Made
from xgen.frontends.process import CompilerError, is_in_file, run, text_of, told
from xgen.frontends.ptx.compiling import nvrtc
from xgen.frontends.ptx.compiling.compilers import Compiler
from xgen.records import dataclass
from xgen.sources import read_source, source_of

ARCHITECTURE, STANDARD = "sm_90", "c++17"
FLAGS = ("-D__xgen__=1", "-w")
"""Of both compilers."""
UNOPTIMISED = {"NVRTC": ("-G",), "nvcc": ("-lineinfo", "-Xcicc", "-O0")}
OPTIMISED = ("-lineinfo",)
_FIXED = ("int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t", "uintptr_t")
_IN_STD = "namespace std {\n" + "".join(f"  using ::{name};\n" for name in _FIXED) + "}\n"
_NUMBERS = f"#pragma once\n#include <cuda/std/cstdint>\n{_IN_STD}"
_SIZES = "#pragma once\n#include <cuda/std/cstddef>\n"
HEADERS = {
    **dict.fromkeys(("cassert", "assert.h", "cstdio", "stdio.h"), "#pragma once\n"),
    **dict.fromkeys(("cstdint", "stdint.h"), _NUMBERS),
    **dict.fromkeys(("cstddef", "stddef.h"), _SIZES),
}
"""What NVRTC gets for headers of the host's C library: it knows `assert` and `printf` itself."""
_ERROR = re.compile(r"^(?P<file>[^\n:]+):(?P<line>\d+):(?P<column>\d+): error: (?P<text>[^\n]*)", re.M)
_SAID = re.compile(
    r"^(?P<file>[^\n]+?)\((?P<line>\d+)\): (?:catastrophic )?error: (?P<text>[^\n]*)(?P<shown>\n  .*)?", re.M
)
_INCLUDED = re.compile(r'^[ \t]*#[ \t]*include(?:_next)?[ \t]*(?:["<](?P<name>[^"<>\n]+)[">]|(?P<other>\S))', re.M)
_KERNEL = "// xgen: the kernel is "


@dataclass(frozen=True, slots=True)
class Wanted:
    """How a file is compiled: optimised, or as its text stands; and the instance of a template that is its kernel."""

    optimised: bool
    kernel: str | None


def compiled(file: File, wanted: Wanted, compiler: Compiler) -> Made:
    """The PTX of a file, and the files that were read for it. Raises CompilerError, and UsageError."""
    return (_by_nvcc if compiler.library is None else _by_nvrtc)(file, wanted, compiler)


def options(file: File, wanted: Wanted, compiler: Compiler) -> list[str]:
    """The compiler's options for a file: those that are given come last."""
    settings = file.settings
    standard = (settings.standard or STANDARD).replace("gnu++", "c++")
    words = [f"-arch={ARCHITECTURE}", f"-std={standard}", *FLAGS]
    words += OPTIMISED if wanted.optimised else UNOPTIMISED["nvcc" if compiler.library is None else "NVRTC"]
    words += [f"-D{text}" for text in settings.defines] + [f"-U{name}" for name in settings.undefines]
    words += [f"-I{folder}" for folder in (*settings.quoted, *settings.folders, *settings.system, *compiler.folders)]
    for name in settings.includes:
        words += ["-include", name]
    return [*words, *settings.others]


def _by_nvrtc(file: File, wanted: Wanted, compiler: Compiler) -> Made:
    source = file.source
    asked = {
        "library": compiler.library,
        "text": source.text,
        "name": source.name,
        "options": options(file, wanted, compiler),
        "headers": HEADERS,
        "kernel": wanted.kernel,
    }
    ended = run([sys.executable, "-I", nvrtc.__file__], {}, json.dumps(asked))
    try:
        said = json.loads(ended.stdout)
    except ValueError:
        raise UsageError(f"NVRTC has ended with {ended.returncode} and said nothing", file=source.name) from None
    if said["ptx"] is None:
        raise _complaint(said["log"], source, compiler)
    named = f"{_KERNEL}{said['kernel']}\n" if said["kernel"] else ""
    return Made(said["ptx"] + named, tuple(sorted(files_included(file))))


def _by_nvcc(file: File, wanted: Wanted, compiler: Compiler) -> Made:
    source = file.source
    with tempfile.TemporaryDirectory(prefix="xgen-") as work:
        made, seen, name = os.path.join(work, "made.ptx"), os.path.join(work, "seen.d"), source.name
        more = []
        if not is_in_file(source):
            name = os.path.join(work, "text.cu")
            Path(name).write_text(f'#line 1 "{source.name}"\n{source.text}', encoding="utf-8")
            more = ["-I", os.path.dirname(source.name) or "."]
        words = [*compiler.command, "-ptx", *options(file, wanted, compiler), *more, "-MD", "-MF", seen]
        ended = run([*words, "-o", made, name], {})
        if ended.returncode or not os.path.exists(made):
            raise _complaint(ended.stderr or ended.stdout, source, compiler)
        found = text_of(seen) if os.path.exists(seen) else ""
        read = re.findall(r"(?:\\.|[^\s\\])+", found.partition(" : ")[2].replace("\\\n", " "))
        names = {os.path.abspath(each.replace("\\ ", " ")) for each in read}
        return Made(text_of(made), tuple(sorted(each for each in names if not each.startswith(work))))


def kernel_of(text: str) -> str | None:
    """What PTX calls the instance of a template that was wanted."""
    found = re.search(rf"^{_KERNEL}(\S+)$", text, re.M)
    return None if found is None else found[1]


def files_included(file: File) -> set[str]:
    """The files of the user that a file may include, and those that these include, whatever conditions say."""
    found: set[str] = set()
    texts = [(file.source.text, os.path.dirname(file.source.name) or ".")]
    texts += [(f'#include "{name}"\n', ".") for name in file.settings.includes]
    while texts:
        text, folder = texts.pop()
        for name in _names_included(text):
            for place in (folder, *file.looked_in):
                path = os.path.abspath(os.path.join(place, name))
                if path not in found and os.path.isfile(path):
                    found.add(path)
                    texts.append((_text_of(path), os.path.dirname(path)))
    return found


def computes_includes(file: File) -> bool:
    """Whether a file, or one that it includes, includes what a macro names, or asks what is there: then nobody knows
    which files matter."""
    texts = [file.source.text, *map(_text_of, files_included(file))]
    return any("__has_" in text or any(match["other"] for match in _INCLUDED.finditer(text)) for text in texts)


def _names_included(text: str) -> Iterator[str]:
    return (match["name"] for match in _INCLUDED.finditer(text) if match["name"])


def _text_of(path: str) -> str:
    try:
        return read_source(path).text
    except UsageError:  # the compiler says what is wrong with it
        return ""


def _complaint(said: str, source: Source, compiler: Compiler) -> CompilerError | UsageError:
    """What a compiler says, as an error that knows its places if it tells any."""
    found = told(_SAID.sub(partial(_with_column, source), said), source, _ERROR, f"`{compiler.name}`")
    if isinstance(found, CompilerError) and compiler.library is not None and _is_of_host(said):
        found.said += "\n  " + FOR_DEVICES
    return found


FOR_DEVICES = (
    "NVRTC compiles what runs on the GPU only: put the rest between `#ifndef __CUDACC_RTC__` and `#endif`, or have "
    "nvcc on PATH"
)


def _is_of_host(said: str) -> bool:
    return "host function" in said or "cannot open source file" in said


def _with_column(source: Source, match: re.Match[str]) -> str:
    """An error as other compilers tell it: `file:line:column: error: text`. The column is that of the mark below it, in
    a line that may have been through a preprocessor."""
    file, line = match["file"], int(match["line"])
    shown, mark = (match["shown"] or "")[3:], re.match(r"\n  ( *)\^", match.string[match.end() :])
    own = (source if file == source.name else source_of(file)).line(line)
    at = len(mark[1]) if mark is not None else 0
    column = len(own) - len(shown[at:]) + 1 if own.endswith(shown[at:]) else 1
    return f"{file}:{line}:{column}: error: {match['text']}{match['shown'] or ''}"


def lines_of(sources: Sequence[Source]) -> dict[str, Source]:
    """Texts by the names that compilers have for their files."""
    return {name: each for each in sources for name in (each.name, os.path.abspath(each.name))}
