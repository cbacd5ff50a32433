"""Makes the .ll files of `programs` anew from the sources beside them (needs ziglang and
rustc): `python tests/llvm/make.py`.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAMS = Path(__file__).parent / "programs"
FLAGS = [
    *("-target", "x86_64-linux-gnu", "-O0", "-g", "-Xclang", "-disable-O0-optnone", "-fno-sanitize=all"),
    *("-fno-stack-protector", "-U_FORTIFY_SOURCE", "-fdebug-compilation-dir=.", "-S", "-emit-llvm", "-w"),
]
RUST = [
    *("-Copt-level=0", "-Cpanic=abort", "-Cdebuginfo=2", "-Ccodegen-units=1", "-Coverflow-checks=on"),
    *("-Cdebug-assertions=off", "--cap-lints=allow"),
]


def compiled(source: Path) -> str:
    """The IR of a source, without what nobody reads."""
    language = ["c++", "-std=c++20"] if source.suffix == ".cpp" else ["cc"]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "out.ll")
        command = [sys.executable, "-m", "ziglang", *language, *FLAGS, source.name, "-o", str(file)]
        subprocess.run(command, cwd=source.parent, check=True)
        text = file.read_text(encoding="utf-8")
    text = re.sub(r"^(; Function Attrs.*|attributes #.*|source_filename.*|target triple.*)\n", "", text, flags=re.M)
    text = re.sub(r" #\d+(?=$|,| \{| !dbg|:)", "", text, flags=re.M)
    text = re.sub(r"^(; ModuleID.*)\n", "", text, flags=re.M)
    text = re.sub(r'filename: "[^"]*/(lib/[^"]*)"', r'filename: "/usr/\1"', text)
    return re.sub(r'producer: "[^"]*"', 'producer: "clang"', text)


def compiled_rust(source: Path) -> str:
    """The same of Rust, with the names in C of functions of its libraries."""
    from xgen.frontends.llvm.rust.names import renamed

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "out.ll")
        command = ["rustc", "--edition=2021", "--crate-type=lib", *RUST, f"--emit=llvm-ir={file}", source.name]
        subprocess.run(command, cwd=source.parent, check=True)
        text = file.read_text(encoding="utf-8")
    text = re.sub(r"^(; ModuleID.*|source_filename.*|target triple.*)\n", "", text, flags=re.M)
    text = re.sub(r'filename: "/rustc/[^"]*/library/', 'filename: "/rustc/library/', text)
    return renamed(re.sub(r'directory: "[^"]*"', 'directory: "."', text), ())


def main() -> None:
    for source in sorted([*PROGRAMS.glob("*.c"), *PROGRAMS.glob("*.cpp")]):
        source.with_suffix(".ll").write_text(compiled(source), encoding="utf-8")
    for source in sorted(PROGRAMS.glob("*.rs")):
        source.with_suffix(".ll").write_text(compiled_rust(source), encoding="utf-8")


if __name__ == "__main__":
    main()
