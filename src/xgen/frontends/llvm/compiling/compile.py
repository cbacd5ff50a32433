"""From files of C++ and C to LLVM's IR, by a compiler; what it says is shown as it says it."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Literal

from xgen.errors import Source, UsageError
from xgen.frontends.c.targets import flags
from xgen.frontends.c.text.files import File
from xgen.frontends.cache import Made
from xgen.frontends.llvm.compiling.compilers import TARGET, Compiler
from xgen.frontends.llvm.frameworks.headers import HEADERS, standing_beside
from xgen.frontends.process import CompilerError, is_in_file, run, text_of, told
from xgen.records import replace
from xgen.resources import package_folder
from xgen.sources import others_given

Language = Literal["c", "c++"]
STANDARDS: dict[Language, str] = {"c": "gnu17", "c++": "gnu++20"}
FLAGS = (
    f"--target={TARGET}",
    "-O0",
    "-g",
    "-Xclang",
    "-disable-O0-optnone",
    "-Xclang",
    "-fsanitize-address-use-after-scope",  # says where locals begin and end; no sanitizer is asked for
    "-fno-sanitize=all",
    "-fno-stack-protector",
    "-U_FORTIFY_SOURCE",
    "-S",
    "-emit-llvm",
    "-w",
)
"""Each access of the source is one of the IR, and can be told where it is from."""
OVERFLOW = ("-fsanitize=signed-integer-overflow", "-fsanitize-trap=signed-integer-overflow")
"""What has the compiler lead to a trap where a signed number overflows: it knows what it folds, and what wraps."""
ERROR = re.compile(r"^(?P<file>[^\n:]+):(?P<line>\d+):(?P<column>\d+): (?:fatal )?error: (?P<text>[^\n]*)", re.M)
MISSING = re.compile(r"'(?P<name>[^']+)' file not found")
"""What clang says is wrong, and that it does not find a header."""
_ATOMIC_POINTER = re.compile(r"is_trivially_copyable<std::(?P<name>shared_ptr|weak_ptr)<.*std::atomic<T>")
"""Of libc++, which has no std::atomic of them (as of version 22)."""

CONTAINERS = package_folder("frontends/llvm/containers")
"""Headers of libc++, with less that depends on how much others have put into a container."""
_FOLDERS = ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH")
"""Variables that say where headers are looked for."""


def compiled(
    file: File, language: Language, compiler: Compiler, more: Sequence[str] = (), target: str = TARGET
) -> Made:
    """The IR of a file, and the headers that it includes. Raises CompilerError, and UsageError."""
    with tempfile.TemporaryDirectory(prefix="xgen-") as work:
        words = [*_command(file, language, compiler, os.path.join(work, "machine"), target), *more]
        words += _overlaid(file.source, work)
        found = made_by_clang(words, file.source, work, "made.ll", partial(_complaint, file.source, compiler))
    return replace(found, asked=_FOLDERS)


def made_by_clang(
    words: Sequence[str], source: Source, work: str, name: str, complaint: Callable[[str], Exception]
) -> Made:
    """What a command with clang makes of a file, and the headers that it includes. `work`: a folder for what is
    between, and for what it writes, which is called `name`; `complaint`: the error of what it says, if it fails."""
    made, headers = os.path.join(work, name), os.path.join(work, "headers")
    listed = ["-Xclang", "-header-include-file", "-Xclang", headers, "-Xclang", "-sys-header-deps"]
    # that of the extra keeps what it makes beside the text
    folders = {"ZIG_GLOBAL_CACHE_DIR": work, "ZIG_LOCAL_CACHE_DIR": work}
    ended = run([*words, *listed, "-o", made, _named(source, work)], folders)
    if ended.returncode or not os.path.exists(made):
        raise complaint(ended.stderr)
    seen = text_of(headers) if os.path.exists(headers) else ""
    read = {os.path.abspath(line.lstrip(". ")) for line in seen.splitlines() if line}
    return Made(text_of(made), tuple(sorted(each for each in read if not each.startswith(work))))


def _command(file: File, language: Language, compiler: Compiler, folder: str, target: str) -> list[str]:
    """The compiler with all its flags: those that are given come last, and so count. The program has the macros of the
    machine that it is compiled for; its types, and the headers of the system, are those of the target."""
    settings = file.settings
    command = compiler.c if language == "c" else compiler.cpp
    words = [*command, "-x", "cpp-output" if file.done else language]
    words += [f"-std={settings.standard or STANDARDS[language]}", *FLAGS, "-D__xgen__=1"]
    words += [f"--target={target}", "-fsigned-char"] if target != TARGET else []  # as C's own reader has it
    words += [f"-D{text}" for text in settings.defines] + [f"-U{name}" for name in settings.undefines]
    words += ["-iquote", os.path.dirname(file.source.name) or "."]
    if language == "c++":
        words += ["-I", str(HEADERS), "-I", str(CONTAINERS)]
    # Those of -isystem come behind the others in any case; by that name, zig has its own headers before ours.
    for flag, folders in (("-iquote", settings.quoted), ("-I", settings.folders), ("-I", settings.system)):
        for given in folders:
            words += [flag, given]
    for name in settings.includes:
        words += ["-include", name]
    if not file.done:
        asked = (*command, "-x", language, f"--target={target}")
        found = replace(settings, folders=(str(HEADERS), *settings.folders)) if language == "c++" else settings
        words += flags(asked, settings.machine, 8, settings.given, folder, found.headers_of(file.source))
    return [*words, *settings.others]


def _overlaid(source: Source, work: str) -> list[str]:
    """Has the compiler read the texts that are given instead of the files that have others."""
    roots = [{"type": "file", "name": path, "external-contents": own} for path, own in standing_beside(source)]
    for number, (path, text) in enumerate(others_given(source.name).items()):
        made = os.path.join(work, f"given{number}")
        Path(made).write_text(text, encoding="utf-8")
        roots.append({"type": "file", "name": path, "external-contents": made})
    if not roots:
        return []
    name = os.path.join(work, "given.json")
    Path(name).write_text(json.dumps({"version": 0, "use-external-names": False, "roots": roots}), encoding="utf-8")
    return ["-ivfsoverlay", name]


def _named(source: Source, work: str) -> str:
    """The file to compile: its own, or one with the text that is given, which says what it is called."""
    if is_in_file(source):
        return source.name
    name = os.path.join(work, f"text{Path(source.name).suffix or '.cpp'}")
    Path(name).write_text(f'# 1 "{source.name}"\n{source.text}', encoding="utf-8")
    return name


def _complaint(source: Source, compiler: Compiler, said: str) -> CompilerError | UsageError:
    """What a compiler says, as an error that knows its places if it tells any."""
    found = told(said, source, ERROR, f"`{compiler.name}`")
    if not isinstance(found, CompilerError):
        return found
    if missing := MISSING.search(found.message):
        place = f"the folder of {missing['name']}: -I FOLDER"
        found.hint = f"{place}; or -p BUILD, with the compile_commands.json of your build, says where it is"
    elif pointer := _ATOMIC_POINTER.search(found.message):
        found.hint = f"libc++ has no std::atomic of a std::{pointer['name']}; for a std::shared_ptr `p`, it has"
        found.hint += " std::atomic_load(&p), std::atomic_store(&p, q) and their like, which xgen reads"
    return found
