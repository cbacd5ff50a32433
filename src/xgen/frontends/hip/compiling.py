"""From a file of HIP to PTX, unoptimised, so that each access of the text is an access there.

clang compiles it as it compiles CUDA, for a GPU of NVIDIA, with headers of our own: the languages differ in their
libraries only, and types have the same sizes. What a GPU of AMD would do otherwise is what the headers do: atomic
accesses, fences and barriers are instructions that say what was written.
"""

from __future__ import annotations

import os
import tempfile
from functools import partial

from xgen.errors import Source, UsageError
from xgen.frontends.c.text.files import File
from xgen.frontends.cache import Made
from xgen.frontends.llvm.compiling.compile import ERROR, MISSING, made_by_clang
from xgen.frontends.llvm.compiling.compilers import Compiler, missing, own_compiler
from xgen.frontends.process import CompilerError, told
from xgen.records import replace
from xgen.resources import package_folder

HEADERS = package_folder("frontends/hip/include")
STANDARD = "c++17"
FLAGS = (
    *("-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib", "-nostdinc"),
    *("--cuda-gpu-arch=sm_70", "--cuda-feature=+ptx70", "-O0", "-gline-tables-only", "-fno-jump-tables", "-w", "-S"),
    *("-include", "hip/hip_runtime.h", "-D__xgen__=1"),
)
FOR_DEVICES = (
    "what runs on the device is compiled, with headers of xgen's own: put the rest between "
    "`#ifndef __HIP_DEVICE_COMPILE__` and `#endif`"
)


def find_compiler() -> Compiler:
    """The compiler of the extra `cpp`, whose command for C is clang's own. Raises UsageError where it is not
    installed."""
    found = own_compiler()
    if found is None:
        raise missing("HIP", "the clang of ziglang")
    return replace(found, c=(*found.c[:-1], "clang"))


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
    with tempfile.TemporaryDirectory(prefix="xgen-") as work:
        words = [*compiler.c, *options(file)]
        return made_by_clang(words, file.source, work, "made.ptx", partial(_complaint, file.source))


def _complaint(source: Source, said: str) -> CompilerError | UsageError:
    """What the compiler says, as an error that knows its places if it tells any."""
    found = told(said.replace(" when compiling for sm_70", ""), source, ERROR, "clang")
    of_host = MISSING.search(found.message) or "use of undeclared identifier 'hip" in said
    if isinstance(found, CompilerError) and of_host:
        found.hint = FOR_DEVICES
    return found
