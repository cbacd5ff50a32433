"""What reading C++ anew takes: the compiler, LLVM's passes, the translation.

python benchmarks/reading.py > results/reading.csv

Seconds of CPU, the least of three times; libc++'s own sources are compiled before, and kept.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from harness import write

from xgen.errors import Source
from xgen.frontends.c.text.files import FileOptions, files_of
from xgen.frontends.llvm import read_prepared
from xgen.frontends.llvm.compiling.compile import compiled
from xgen.frontends.llvm.compiling.compilers import find_compiler
from xgen.frontends.llvm.compiling.runtime import library
from xgen.frontends.llvm.passes import prepared

PROGRAMS = Path(__file__).parents[1] / "programs" / "cpp"
FIELDS = ["program", "lines", "compiler", "passes", "translation"]
T = TypeVar("T")


def timed(do: Callable[[], T]) -> tuple[T, str]:
    """What something gives, and the seconds that it takes, with the processes that it starts."""
    least = float("inf")
    for _ in range(3):
        before = sum(os.times()[:4])
        found = do()
        least = min(least, sum(os.times()[:4]) - before)
    return found, f"{least:.2f}"


def rows() -> Iterator[dict[str, object]]:
    compiler = find_compiler("", "C++")
    for path in sorted(PROGRAMS.glob("*.cpp")):
        if path.stem.endswith("_us"):
            continue  # the same with other orders
        source = Source(str(path), path.read_text(encoding="utf-8"))
        (file,) = files_of(source, FileOptions())
        made, compiling = timed(lambda file=file: compiled(file, "c++", compiler))  # type: ignore[misc]
        texts = [(source.name, made.text), *(("libc++", bitcode) for bitcode in library([made.text]))]
        text, passes = timed(lambda texts=texts: prepared(texts, {"main"}))  # type: ignore[misc]
        _, translation = timed(lambda text=text, source=source: read_prepared(text, source))  # type: ignore[misc]
        taken = {"compiler": compiling, "passes": passes, "translation": translation}
        yield {"program": path.stem, "lines": text.count("\n"), **taken}


if __name__ == "__main__":
    write(FIELDS, rows())
