"""From a file of HIP to PTX, unoptimised, so that each access of the text is an access there.

clang compiles it as it compiles CUDA, for a GPU of NVIDIA, with headers of our own: the languages differ in their
libraries only, and types have the same sizes. What a GPU of AMD would do otherwise is what the headers do: atomic
accesses, fences and barriers are instructions that say what was written.
"""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path

from xgen.errors import ProgramError, Source, UsageError
from xgen.extras import installing
from xgen.frontends.c.text.files import File
from xgen.frontends.cache import Made
from xgen.frontends.llvm.compiling.compilers import own_compiler
from xgen.frontends.process import complaint, is_in_file, run, text_of
from xgen.records import dataclass
from xgen.resources import package_folder

HEADERS = package_folder("frontends/hip/include")
STANDARD = "c++17"
FLAGS = (
    *("-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib", "-nostdinc"),
    *("--cuda-gpu-arch=sm_70", "--cuda-feature=+ptx70", "-O0", "-gline-tables-only", "-fno-jump-tables", "-w", "-S"),
    *("-include", "hip/hip_runtime.h", "-D__xgen__=1"),
)
_ERROR = re.compile(r"^(?P<file>[^\n:]+):(?P<line>\d+):(?P<column>\d+): (?:fatal )?error: (?P<text>[^\n]*)", re.M)
_MISSING = re.compile(r"'(?P<name>[^']+)' file not found")
FOR_DEVICES = (
    "what runs on the device is compiled, with headers of xgen's own: put the rest between "
    "`#ifndef __HIP_DEVICE_COMPILE__` and `#endif`"
)


@dataclass(frozen=True, slots=True)
class Compiler:
    """The command of a clang, and what changes when another version is installed."""

    command: tuple[str, ...]
    version: tuple[object, ...]


def find_compiler() -> Compiler:
    """The compiler of the extra `cpp`. Raises UsageError where it is not installed."""
    found = own_compiler()
    if found is None:
        hint = f"`{installing('cpp')}` has it"
        raise UsageError("HIP is read with the clang of ziglang, which is not installed", hint=hint)
    return Compiler((*found.c[:-1], "clang"), found.version)


def options(file: File) -> list[str]:
    """The compiler's options for a file: those that are given come last."""
    settings = file.settings
    words = [*FLAGS, f"-std={settings.standard or STANDARD}"]
    words += [f"-D{text}" for text in settings.defines] + [f"-U{name}" for name in settings.undefines]
    words += ["-iquote", os.path.dirname(file.source.name) or "."]
    for flag, folders in (("-iquote", settings.quoted), ("-I", settings.folders), ("-isystem", settings.system)):
        for folder in folders:
            words += [flag, folder]
    words += ["-isystem", str(HEADERS)]
    for name in settings.includes:
        words += ["-include", name]
    return [*words, *settings.others]


def compiled(file: File, compiler: Compiler) -> Made:
    """The PTX of a file, and the files that were read for it. Raises CompilerError, and UsageError."""
    source = file.source
    with tempfile.TemporaryDirectory(prefix="xgen-") as work:
        made, seen, name = os.path.join(work, "made.ptx"), os.path.join(work, "headers"), source.name
        if not is_in_file(source):
            name = os.path.join(work, "text.hip")
            Path(name).write_text(f'# 1 "{source.name}"\n{source.text}', encoding="utf-8")
        words = [*compiler.command, *options(file), "-Xclang", "-header-include-file", "-Xclang", seen]
        words += ["-Xclang", "-sys-header-deps", "-o", made, name]
        ended = run(words, {"ZIG_GLOBAL_CACHE_DIR": work, "ZIG_LOCAL_CACHE_DIR": work})
        if ended.returncode or not os.path.exists(made):
            raise _complaint(ended.stderr, source)
        found = text_of(seen) if os.path.exists(seen) else ""
        read = {os.path.abspath(line.lstrip(". ")) for line in found.splitlines() if line}
        return Made(text_of(made), tuple(sorted(each for each in read if not each.startswith(work))))


def _complaint(said: str, source: Source) -> ProgramError | UsageError:
    """What the compiler says, as an error that knows its places if it tells any."""
    found = complaint(said.replace(" when compiling for sm_70", ""), source, _ERROR)
    if found is None:
        line = next(filter(None, said.splitlines()), "it says nothing")
        return UsageError(f"clang cannot compile this: {line}", file=source.name)
    if _MISSING.search(found.message) or "use of undeclared identifier 'hip" in said:
        found.hint = FOR_DEVICES
    return found
