"""Every two options of `xgen check`: both are meant, or they are refused with a reason that names them.

What a question means is tested in tests/analyses/test_question.py; here it is whether the command passes it on.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

import xgen
from xgen.cli import check as command
from xgen.cli import every_command, main
from xgen.cli.check import Answering
from xgen.cli.shared.pictures import Drawings
from xgen.executions.result import Result
from xgen.frontends.testing import NamedTest

TEXT = """
var x : int  var y : int
process p { var a : int  1 -> x; a <- y; }
process q { var b : int  1 -> y; b <- x; assert b = 1; }
"""


@dataclass
class Told:
    """What a command was told, and what it said: the arguments of xgen.load, and of xgen.check or xgen.estimate, what
    is printed, and what is drawn."""

    code: int = 0
    out: str = ""
    said: str = ""
    loaded: dict[str, Any] = field(default_factory=dict)
    asked: dict[str, Any] = field(default_factory=dict)
    only_estimated: bool = False
    told: Answering | None = None
    drawings: Drawings | None = None

    def has(self, name: str, value: Any) -> bool:
        """Whether xgen.check was asked this."""
        return name in self.asked and self.asked[name] == value

    def read(self, name: str, value: Any) -> bool:
        """Whether the program was read so."""
        return bool(self.loaded.get(name) == value)


Seen = Callable[[Told], bool]


def asks(name: str, value: Any) -> Seen:
    return lambda t: t.has(name, value)


def reads(name: str, value: Any) -> Seen:
    return lambda t: t.read(name, value)


def answers(name: str) -> Seen:
    return lambda t: t.told is not None and bool(getattr(t.told, name))


def draws(name: str, value: Any) -> Seen:
    return lambda t: t.drawings is not None and getattr(t.drawings, name) == value


EXAMPLES: dict[str, tuple[list[str], Seen]] = {
    # by the names of parameters: the words, and how one sees that they are meant
    "model": (["--mcm", "pso"], lambda t: t.has("model", "pso") or dumped(t) or listed(t)),
    "max_depth": (["--max-depth", "5"], asks("max_depth", 5)),
    "no_spin": (["--no-spin"], asks("unroll", True)),
    "all_states": (["--all-states"], lambda t: t.has("all_states", True) or estimated(t)),  # of all states it is anyway
    "liveness": (["--liveness"], asks("liveness", True)),
    "schedule": (["--schedule", "obe"], asks("schedule", "obe")),
    "engine": (["--engine", "sat"], asks("engine", "sat")),
    "classes": (["--classes", "rf"], asks("classes", "rf")),
    "classes off": (["--classes", "off"], lambda t: t.has("classes", "off") or estimated(t)),
    "cones": (["--cones"], asks("cones", True)),
    "symmetry": (["--no-symmetry"], asks("symmetry", False)),
    "filter": (["--filter", "final"], asks("filter", "final")),
    "workers": (["--workers", "2"], asks("workers", 2)),
    "processes": (["--processes", "2"], asks("processes", 2)),
    "cluster": (["--cluster", "a:1"], asks("cluster", "a:1")),
    "memory_limit": (["--memory-limit", "1G"], asks("memory_limit", 1 << 30)),
    "checkpoint": (["--checkpoint", "k.run"], lambda t: t.has("checkpoint", Path("k.run")) and bool(t.asked["about"])),
    "sample": (["--sample", "5"], asks("sample", 5)),
    "seed": (["--seed", "3"], asks("seed", 3)),
    "accept": (["--accept", "race@x.c:3"], asks("accept", ("race@x.c:3",))),
    "weaken": (["--weaken"], asks("weaken", True)),
    "coverage": (["--coverage"], asks("coverage", True)),
    "timeout": (
        ["--timeout", "90"],
        lambda t: t.asked.get("timeout") is not None or checks_nothing(t),
    ),
    "dot": (["--dot", "d"], lambda _: Path("d/witness.dot").exists()),
    "svg": (["--svg", "s"], lambda _: Path("s/witness.svg").exists()),
    "tex": (["--tex", "found.tex"], lambda _: Path("found.tex").exists()),
    "html": (["--html", "page.html"], lambda _: Path("page.html").exists()),
    "show": (["--show", "po"], draws("show", ("po",))),
    "trace_limit": (["--trace-limit", "3"], lambda t: draws("_limit", 3)(t) or estimated(t)),  # no more than that
    "full_witness": (["--full-witness"], draws("full_witness", True)),
    "form": (["--format", "json"], lambda t: bool(json.loads(t.out))),
    "explain": (["--explain"], lambda t: "allowed by" in t.out + t.said),
    "color": (["--color", "always"], lambda t: "\x1b[" in t.out or t.told is None or is_plain(t.told)),
    "quiet": (["--quiet"], answers("quiet")),
    "verbose": (["--verbose"], answers("verbose")),
    "complete": (["--complete"], answers("complete")),
    "errors": (["--errors", "github"], lambda t: "::error file=" in t.said or estimated(t) or dumped(t) or listed(t)),
    "junit": (["--junit", "report.xml"], lambda _: "<testcase" in Path("report.xml").read_text(encoding="utf-8")),
    "sarif": (["--sarif", "found.sarif"], lambda _: Path("found.sarif").exists()),
    "progress": (["--no-progress"], lambda t: t.asked.get("on_progress") is None),
    "estimate": (["--estimate"], lambda t: estimated(t) and ("graphs" in t.out)),
    "dump": (["--dump", "code"], lambda t: dumped(t)),
    # of C, which xgen.load gets
    "machine": (["--on", "x86"], lambda t: t.read("map", "x86") and t.asked.get("model", "tso") == "tso"),
    "build": (["-p", "build"], reads("build", "build")),
    "headers": (["--headers", "own"], reads("headers", "own")),
    "data_model": (["--data-model", "ilp32"], reads("data_model", "ilp32")),
    "constants": (["--set", "N=3"], reads("constants", ("N=3",))),
    "defines": (["-D", "A=1"], reads("defines", ("A=1",))),
    "undefines": (["-U", "A"], reads("undefines", ("A",))),
    "folders": (["-I", "inc"], reads("folders", ("inc",))),
    "includes": (["--include", "a.h"], reads("includes", ("a.h",))),
    "unroll": (["--unroll", "3"], reads("unroll", 3)),
    "nondet": (["--nondet", "0..3"], reads("nondet", (0, 3))),
    "checks": (["--check", "overflow"], reads("overflow", True)),
    "unchecked": (["--no-check", "races"], reads("races", False)),
    "map": (["--map", "armv8"], reads("map", "armv8")),
    "weak_cas": (["--weak-cas"], reads("weak_cas", True)),
    "mixed_atomics": (["--mixed-atomics"], reads("mixed_atomics", True)),
    "spurious": (["--spurious"], reads("spurious", True)),
    "stubs": (["--stub", "g,h"], reads("stubs", ("g", "h"))),
    "arguments": (["--args", "4 'a b'"], reads("arguments", ("4", "a b"))),
    "lock": (["--lock", "take=f,give=g"], reads("lock", ("f", "g"))),
    "malloc": (["--malloc", "fails"], reads("malloc", "fails")),
    "reuse": (["--reuse"], reads("reuse", True)),
    "leaks": (["--leaks"], reads("leaks", True)),
    "volatile": (["--volatile", "relaxed"], reads("volatile", "relaxed")),
    "kernel": (["--kernel", "tree"], reads("kernel", "tree")),
    "interrupts": (["--interrupts", "2"], reads("interrupts", 2)),
    "races none": (["--races", "none"], reads("races", False)),
    "races kcsan": (["--races", "kcsan"], reads("races", "kcsan")),
    "property": (["--property", "no-overflow"], reads("property", "no-overflow")),
    "entry": (["--entry", "f"], reads("entry", "f")),
    "clang": (["--clang"], reads("clang", True)),
    "compiler": (["--compiler", "clang++"], reads("compiler", "clang++")),
    # of kernels
    "launch": (["--launch", "k<<<1,1>>>()"], reads("launch", "k<<<1,1>>>()")),
    "final": (["--final", "x == 1"], reads("final", "x == 1")),
    "as_compiled": (["--as-compiled"], reads("as_compiled", True)),
    "vectors": (["--vectors", "parts"], reads("vectors", "parts")),
    "warp": (["--warp", "2"], reads("warp", 2)),
    # of Rust
    "named_test": (["--test", "t"], lambda t: t.read("test", "t") or listed(t)),
    "cfgs": (["--cfg", "loom"], reads("cfgs", ("loom",))),
    "features": (["--features", "a,b"], reads("features", ("a", "b"))),
    "list_tests": (["--list-tests"], lambda t: listed(t)),
    "lib": (["--lib"], lambda t: t.read("build", "build") or listed(t)),  # of its project's tests those of the library
}


def is_plain(told: Answering) -> bool:
    """What has no colours anyway."""
    return told.quiet or told.form == "json"


def estimated(told: Told) -> bool:
    return told.only_estimated


def listed(told: Told) -> bool:
    return "t.rs" in told.out and not told.asked


def checks_nothing(told: Told) -> bool:
    return dumped(told) or estimated(told) or listed(told)


def dumped(told: Told) -> bool:
    return "thread p" in told.out and not told.asked


def options() -> dict[str, click.Option]:
    (check,) = (found for name, found in every_command() if name == "xgen check")
    return {str(param.name): param for param in check.params if isinstance(param, click.Option)}


def test_every_option_has_an_example() -> None:
    """Who adds an option says here how one sees that it is meant."""
    assert {name.partition(" ")[0] for name in EXAMPLES} == set(options()) - {"help"}


@pytest.fixture
def tell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[list[str]], Told]:
    """Runs `xgen check` with these words on a program that goes wrong, which is read and checked only once."""
    monkeypatch.chdir(tmp_path)
    Path("prog.c").write_text("int main() {}\n", encoding="utf-8")
    program, model = xgen.parse(TEXT), xgen.model("tso")
    found = CACHE.setdefault("found", xgen.check(program, model, dependencies=True))
    estimate, told_report = xgen.estimate, command.report
    told = Told()

    def load(_: Path, **how: Any) -> xgen.Program:
        told.loaded = told.loaded or how  # (read once more where --lock is asked what it has changed)
        return program

    def list_tests(_: Path, **how: Any) -> list[NamedTest]:
        told.loaded = how
        return [NamedTest("t", "t.rs", 1, "t.rs", of_library=True)]

    def check(_: xgen.Program, under: xgen.Model, **asked: Any) -> Result:
        told.asked = told.asked or {"model": under.name, **asked}
        return found

    def estimates(known: xgen.Program, under: xgen.Model, **asked: Any) -> Any:
        told.asked, told.only_estimated = {"model": under.name, **asked}, True
        return estimate(known, under, **asked)

    def report(result: Result, how: Answering, full_witness: bool) -> None:
        told.told = how
        told_report(result, how, full_witness)

    def drawings(*args: Any) -> Drawings:
        told.drawings = Drawings(*args)
        return told.drawings

    monkeypatch.setattr(xgen, "estimate", estimates)
    monkeypatch.setattr(xgen, "load", load)
    monkeypatch.setattr(xgen, "list_tests", list_tests)
    monkeypatch.setattr(xgen, "check", check)
    monkeypatch.setattr(command, "report", report)
    monkeypatch.setattr("xgen.cli.shared.pictures.Drawings", drawings)

    def run(words: list[str]) -> Told:
        nonlocal told
        told = Told()
        done = CliRunner().invoke(main, ["check", "prog.c", *words], catch_exceptions=False)
        told.code, told.out, told.said = done.exit_code, done.stdout, done.stderr
        return told

    return run


CACHE: dict[str, Result] = {}
NEEDED = {
    "races none": ["--kernel", "tree"],
    "races kcsan": ["--kernel", "tree"],
    "interrupts": ["--kernel", "tree"],
    "seed": ["--sample", "5"],
    "show": ["--svg", "s"],
    "lib": ["-p", "build"],
}
"""What an option needs that means nothing alone."""


def words_of(*names: str) -> list[str]:
    words = [word for name in names for word in EXAMPLES[name][0]]
    return words if {"model", "machine"} & set(names) else ["--mcm", "tso", *words]


@pytest.mark.parametrize("name", EXAMPLES)
def test_one_option(tell: Callable[[list[str]], Told], name: str) -> None:
    told = tell([*words_of(name), *NEEDED.get(name, [])])
    assert told.code in (0, 1), told.said
    assert EXAMPLES[name][1](told)


PAIRS = [(a, b) for a, b in combinations(EXAMPLES, 2) if {a, b} != {"classes", "classes off"}]


@pytest.mark.parametrize("one", [name for name in EXAMPLES if name != "compiler"])
def test_two_options(tell: Callable[[list[str]], Told], tmp_path: Path, one: str) -> None:
    """One option, and each of those behind it."""
    for other in (b for a, b in PAIRS if a == one):
        for drawn in ("d", "s", "page.html", "report.xml", "found.sarif", "found.tex"):
            if (tmp_path / drawn).exists():
                (tmp_path / drawn).rename(tmp_path / f"{drawn} {other}")
        told = tell(words_of(one, other))
        if told.code == 2:
            said, _, why = told.said.partition("Error: ")[2].partition(": ")
            flags = [EXAMPLES[name][0][0] for name in (one, other)]
            assert why, told.said
            assert all(flag in said for flag in flags) or (" needs " in said and said.startswith(tuple(flags))), said
            continue
        assert told.code in (0, 1), (one, other, told.said)
        for name in (one, other):
            assert EXAMPLES[name][1](told), (one, other, name, told)
