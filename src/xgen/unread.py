"""What to do with a file that is no program, or with a folder: the hints of those who cannot read it."""

from __future__ import annotations

import os
from pathlib import Path, PurePath

from xgen.sources import CPP, CPP_HEADERS, KERNELS, RUST

PROGRAMS = (".c", *CPP, *RUST, ".xcfa", ".litmus", ".ll", *KERNELS)
"""What is named of a folder."""
MAX_NAMED = 6
MAX_FOLDERS = 100
"""So many of the folders in a folder are looked into."""
OF_TESTS = ("test", "example")
"""How folders begin whose files are named first."""

_HEADER = "this is a header: a file that includes it and has a main is a program"
_MODEL = "this is a memory model: --mcm takes it"
_GPU = "kernels are read in CUDA, HIP and PTX; others can be written as litmus tests of OpenCL or Vulkan: docs/gpu.md"
_BUILD = "the program is the file that has `main`; -p BUILD takes the flags of its compile_commands.json"

BY_SUFFIX = {
    "cat": _MODEL,
    "mcm": _MODEL,
    "cub": "`xgen prove` reads .cub files",
    "dve": "`xgen ltl` reads .dve files",
    "gcl": "`xgen repair` reads .gcl files",
    **dict.fromkeys(("h", *(suffix[1:] for suffix in CPP_HEADERS)), _HEADER),
    "cuh": "this is a header: a .cu file that includes it is a program",
    **dict.fromkeys(("cl", "comp", "spvasm"), _GPU),
}
BY_NAME = {
    **dict.fromkeys(("makefile", "gnumakefile"), f"{_BUILD}, which `bear -- make` writes"),
    "cmakelists.txt": f"{_BUILD}, which `cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON` writes",
    "compile_commands.json": _BUILD,
    "cargo.toml": "the program is the .rs file that has `main`, such as src/main.rs or examples/NAME.rs; "
    "-p FOLDER names the folder of this file",
}


def hint(name: str) -> str | None:
    """What to do with a file that is no program, by its name."""
    path = PurePath(name)
    return BY_NAME.get(path.name.lower()) or BY_SUFFIX.get(path.suffix[1:])


def hint_at_folder(path: Path) -> str:
    """What to do with a folder, where a program was to be named."""
    if (path / "Cargo.toml").is_file():
        return f"-p {path} names a cargo project; the program is the .rs file that has `main`"
    inside = _programs_in(path)
    if not inside:
        folders = sorted(each for each in os.listdir(path) if not each.startswith(".") and (path / each).is_dir())
        folders = sorted(folders[:MAX_FOLDERS], key=lambda each: not each.startswith(OF_TESTS))
        inside = [name for folder in folders for name in _programs_in(path / folder)]
    if not inside:
        return "a program is a file; there is none in this folder"
    more = ", ..." if len(inside) > MAX_NAMED else ""
    return f"a program is a file, such as {', '.join(inside[:MAX_NAMED])}{more}"


def _programs_in(path: Path) -> list[str]:
    try:
        return sorted(str(path / name) for name in os.listdir(path) if name.endswith(PROGRAMS))
    except OSError:  # of others
        return []
