"""Tests of frameworks, as they stand in files: what a compiler says of them, and what is asked of them unsaid."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import PurePath
from typing import Any

from xgen.errors import UsageError, nearest
from xgen.records import dataclass
from xgen.sources import HIP, KERNELS, RUST


@dataclass(frozen=True, slots=True)
class NamedTest:
    """A test by the name that its framework prints: where it stands, and the file that it is compiled with (`root`).

    `ignored`: it is only run where somebody names it. `panics`: it is to end with a panic. `of_library`: what it is
    compiled with is a project's library.
    """

    name: str
    file: str
    line: int
    root: str
    ignored: bool = False
    panics: bool = False
    of_library: bool = False


def asks_for_loom(cfg: str) -> bool:
    """Whether a cfg of Rust, by its name, asks for loom in the place of std: `loom`, or as `oneshot_loom`."""
    return cfg == "loom" or cfg.endswith("_loom")


def asks_about_waiting(name: str, options: Mapping[str, Any]) -> str | None:
    """What asks without a word whether threads wait for ever, if anything does: kernels, of GPUs and of Linux; loom.
    `options` are those that a file of this name is read with."""
    if PurePath(name).suffix in KERNELS:
        return "HIP" if PurePath(name).suffix in HIP else "CUDA"
    if "kernel" in options:
        return "--kernel"
    given = (*options.get("cfgs", ()), *(cfgs_of_variables() if "build" in options and name.endswith(RUST) else ()))
    return next((f"--cfg {cfg}" for cfg in given if asks_for_loom(cfg)), None)


def cfgs_of_variables() -> tuple[str, ...]:
    """What the variables say that cargo takes flags of rustc from, of which those count that decide what is read."""
    if (joined := os.environ.get("CARGO_ENCODED_RUSTFLAGS")) is not None:
        return cfgs_in(joined.split("\x1f"))
    return cfgs_in(os.environ.get("RUSTFLAGS", "").split())


def cfgs_in(flags: Sequence[str]) -> tuple[str, ...]:
    """The names (and values) that flags of rustc set: `--cfg NAME`, `--cfg=NAME`."""
    behind = (name for word, name in pairwise(flags) if word == "--cfg")
    return (*behind, *(flag.removeprefix("--cfg=") for flag in flags if flag.startswith("--cfg=")))


WILD = re.compile(r"[*?]")
"""What stands for any letters in the name of a test, `*`, and for one, `?`."""
_ENDS = ("::", ".", "/", "<", " - ", " (")
"""What stands behind the name of a module, a suite, or a test: the names of tests, values, types, parts, places."""


def chosen(tests: Sequence[NamedTest], name: str | None, where: str) -> list[NamedTest]:
    """The tests of a name, or else those in the module, the suite or the test of that name, or else those that are like
    a pattern with `*` and `?`; all, without one. Raises UsageError where there is none."""
    if not tests:
        raise UsageError("there is no test here", file=where)
    found = [test for test in tests if name in (None, test.name)]
    found = found or [test for test in tests if any(test.name.startswith(f"{name}{end}") for end in _ENDS)]
    found = found or [test for test in tests if "." in str(name) and test.name.partition("/")[2] == name]
    if found or name is None:
        return found
    if WILD.search(name):
        pattern = re.compile(re.escape(name).replace(r"\*", ".*").replace(r"\?", "."), re.S)
        if found := [test for test in tests if pattern.fullmatch(test.name)]:
            return found
        raise UsageError(f"no test here has a name like `{name}`", file=where, hint="--list-tests lists them")
    names = [test.name for test in tests]
    ending = next((f"did you mean `{known}`?" for known in names if known.endswith(f"::{name}")), None)
    hint = ending or nearest(name, names) or "--list-tests lists them"
    raise UsageError(f"there is no test `{name}` here", file=where, hint=hint)
