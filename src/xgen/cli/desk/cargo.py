"""`cargo xgen`: the words of cargo's users, as the commands of xgen that they mean.

Cargo starts `cargo-xgen` with its own name for it, `xgen`, and all that follows. That tests are to be told
as cargo tells them is the `obj` of click's context.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from xgen.cli import output
from xgen.sources import cargo_project
from xgen.version import __version__

HELP = """Check Rust projects under a memory model.

Usage: cargo xgen COMMAND [OPTIONS]

Commands:
  test [NAME]          check the tests of the project, or one test, or those of the module NAME: `xgen check -p .`
  check [PROGRAM]      check one program or test, with the whole report: `xgen check -p .`
  linearizable FILE    whether a data structure is right, however it is called: `xgen linearizable -p .`

NAME stands before the options. `xgen check --help` and `xgen linearizable --help` list the options;
-p FOLDER names another project than that of this folder.
"""


def meant(given: Sequence[str]) -> tuple[list[str], str | None]:
    """The words of xgen's command line, and whether it is told as `cargo test` tells it. Ends the process where there
    is only something to say."""
    asked = list(given[1:] if given[:1] == ["xgen"] else given)
    command, rest = (asked[0], asked[1:]) if asked else ("help", [])
    if command in ("help", "-h", "--help"):
        output.emit(HELP.rstrip("\n"))
        raise SystemExit(0)
    if command in ("-V", "--version"):
        output.emit(f"xgen {__version__}")
        raise SystemExit(0)
    if command not in ("test", "check", "linearizable"):
        output.complain(f"error: no such command: `{command}`\n  cargo xgen has test, check and linearizable")
        raise SystemExit(2)
    if command == "test":
        name = ["--test", rest.pop(0)] if rest and not rest[0].startswith("-") else []
        rest = [*name, *rest]
    project = [] if any(word.startswith("-p") for word in _own(rest)) else ["-p", _project()]
    words = ["linearizable" if command == "linearizable" else "check", *project, *rest]
    return words, "cargo test" if command == "test" else None


def _project() -> str:
    """The folder of the project that this folder is in, as cargo finds it."""
    found = cargo_project(Path.cwd())
    return os.path.relpath(found) if found is not None else "."


def _own(given: Sequence[str]) -> Sequence[str]:
    """The words before those that are for the compiler."""
    return given[: given.index("--")] if "--" in given else given
