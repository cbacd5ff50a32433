"""Other tools, where they are on PATH: what they are given, and what they say.

A tool has models of its own; those that xgen has too are named here by xgen's names. GenMC and Nidhugg read C, herd
reads litmus tests. None of them has a bound on events, so programs with one are not given to them.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from families import Instance, straight
from formats import to_c, to_litmus
from harness import Finished, run

import xgen

LIMIT = 20.0
"""Seconds that another tool gets for one program: some of them would take days for what others do in a second."""

NOTHING = Instance("nothing", "nothing", 0, straight(["1 -> x"], ["x"]))
"""What a tool does for this program, it does before it explores any."""


@dataclass(frozen=True)
class Counted:
    """What a tool says that it found."""

    executions: int
    blocked: int


@dataclass(frozen=True)
class Model:
    """One of a tool's models: its name there, the options that choose it, and the litmus format that it is for."""

    name: str
    options: tuple[str, ...]
    format: str = "c"


@dataclass(frozen=True, eq=False)
class Tool:
    """`command` is what comes before the model's options and the file; `workers` makes options for several workers."""

    name: str
    version: tuple[str, ...]
    models: dict[str, Model]
    counted: Callable[[str], Counted]
    command: tuple[str, ...]
    workers: Callable[[int], tuple[str, ...]] | None = None


def _number(pattern: str, output: str) -> int:
    found = re.search(pattern, output)
    return int(found.group(1)) if found else 0


def xgen_counted(output: str) -> Counted:
    """Raises ValueError with the reason where xgen has no answer, or counts no executions."""
    found = re.search(r"^executions +(\d+) complete, (\d+) blocked", output, re.M)
    if not found:
        raise ValueError(re.sub(r"^\S+: error: ", "", output.split("\n")[0]))
    return Counted(int(found[1]), int(found[2]))


def genmc_counted(output: str) -> Counted:
    """Raises ValueError where GenMC has not explored everything."""
    if "No errors were detected" not in output:
        raise ValueError(_reason(output))
    complete = _number(r"complete executions explored: (\d+)", output)
    return Counted(complete, _number(r"blocked executions seen: (\d+)", output))


def nidhugg_counted(output: str) -> Counted:
    """Raises ValueError where Nidhugg has not explored everything."""
    if "No errors were detected" not in output:
        raise ValueError(_reason(output))
    blocked = sum(int(n) for n in re.findall(r"blocked trace count: (\d+)", output))
    return Counted(_number(r"Trace count: (\d+)", output), blocked)


def herd_counted(output: str) -> Counted:
    """Raises ValueError where herd has not come to an answer."""
    found = re.search(r"^Positive: (\d+),? Negative: (\d+)", output, re.MULTILINE)
    if found is None:
        raise ValueError(_reason(output))
    return Counted(int(found.group(1)) + int(found.group(2)), 0)


def _reason(output: str) -> str:
    """The line of an output that most likely says what went wrong."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    for pattern in ("error|violation|fail", "warning"):
        for line in lines:
            if re.search(pattern, line, re.I):
                return line
    return "no answer"


TOOLS = [
    Tool(
        "genmc",
        ("genmc", "--version"),
        {name: Model(f"--{name}", (f"--{name}",)) for name in ("sc", "tso", "rc11")},
        genmc_counted,
        # Threads that do the same count as different ones, as everywhere else; and revisiting in place does not go
        # together with unordered writes, which all these programs have.
        ("genmc", "--disable-estimation", "--disable-sr", "--disable-ipr"),
        workers=lambda n: (f"--nthreads={n}",),
    ),
    Tool(
        "nidhugg",
        ("nidhugg", "--version"),
        {name: Model(f"-{name}", (f"-{name}",)) for name in ("sc", "tso", "pso")},
        nidhugg_counted,
        # Increments whose results nobody uses count as different orders too.
        ("nidhuggc", "-std=c11", "--", "--no-commute-rmws"),
    ),
    Tool(
        "herd7",
        ("herd7", "-version"),
        {
            "sc": Model("sc.cat", ("-model", "sc.cat"), "C"),
            "tso": Model("x86tso-mixed.cat", ("-model", "x86tso-mixed.cat"), "X86_64"),
            "rc11": Model("rc11.cat", ("-model", "rc11.cat"), "C"),
            "arm8": Model("aarch64.cat", ("-model", "aarch64.cat"), "AArch64"),
        },
        herd_counted,
        ("herd7",),
    ),
]


def present() -> list[Tool]:
    """The tools that are on PATH."""
    return [tool for tool in TOOLS if shutil.which(tool.command[0])]


def version(tool: Tool) -> str:
    """What the tool calls its version."""
    found = re.search(r"\d+(?:\.\d+)+", run(tool.version).output)
    return found.group() if found else ""


def source(tool: Tool, model: Model, instance: Instance) -> tuple[str, str]:
    """The program in a format that the tool reads, and the suffix of its file. Raises XgenError where there is none."""
    if instance.depth is not None:
        raise xgen.UnsupportedError(f"{tool.name} has no bound on events")
    if instance.file is not None:
        if model.format != "c":
            raise xgen.UnsupportedError(f"{tool.name} reads no C programs")
        return f'#include "{instance.file}"\n', ".c"
    program = xgen.parse(instance.text)
    return (to_c(program), ".c") if model.format == "c" else (to_litmus(program, model.format), ".litmus")


def explore(tool: Tool, model: Model, instance: Instance, workers: int, folder: Path) -> tuple[Finished, Counted]:
    """Has the tool explore a program. Raises ValueError, TimeoutError or XgenError, which say why it cannot."""
    if workers > 1 and tool.workers is None:
        raise ValueError("one worker only")
    text, suffix = source(tool, model, instance)
    path = folder / f"program{suffix}"
    path.write_text(text)
    parallel = tool.workers(workers) if tool.workers and workers > 1 else ()
    finished = run([*tool.command, *model.options, *parallel, str(path)], limit=LIMIT)
    return finished, tool.counted(finished.output)
