"""The shipped litmus tests of C11, as C programs that are compiled: what rc11 forbids does not show on any hardware.

Load buffering of relaxed accesses is the exception, as in test_mapping.py.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from c.running import load, model, threads
from c.test_mapping import MODELS, language

import xgen

FOLDER = Path(__file__).parents[2] / "litmus" / "C"
TESTS = sorted(FOLDER.glob("*.litmus"))
THREAD = re.compile(r"^P(\d+) ?\(.*?\) ?\{\n(.*?)^\}", re.M | re.S)


def program(path: Path) -> str:
    """The test's threads as functions; what they read goes to variables of their own."""
    text = path.read_text(encoding="utf-8")
    shared, own, bodies = set[str](), set[str](), list[str]()
    for number, body in THREAD.findall(text):
        body = re.sub(r"\bint (r\d+) = ", rf"P{number}_\1 = ", body)
        body = re.sub(r"(?<!_)\b(r\d+)\b", rf"P{number}_\1", body)
        shared |= set(re.findall(r"_explicit\((\w+),", body)) - {"memory_order"}
        own |= set(re.findall(r"P\d+_r\d+", body))
        bodies.append(re.sub(r"(_explicit\()(\w+),", r"\1&\2,", body))
    assert bodies
    before = f"atomic_int {', '.join(sorted(shared))}; int {', '.join(sorted(own | {'none'}))};"
    return "#include <pthread.h>\n#include <stdatomic.h>\n" + threads(*bodies, before=before)


def states(path: Path, mcm: xgen.Model, **options: object) -> set[str]:
    found = xgen.check(load(program(path), **options), mcm, all_states=True, trace_limit=0)
    assert found.bounded == 0
    return {str(sorted(outcome.state.items())) for outcome in found.outcomes}


@cache
def allowed(path: Path) -> set[str]:
    return states(path, language())


def test_the_programs_are_the_tests() -> None:
    """What the tests ask for shows under rc11 where their list of verdicts says so."""
    verdicts = dict(line.split(",") for line in (FOLDER.parent / "rc11.csv").read_text().splitlines()[1:])
    asked = re.compile(r"(?:(\d+):(r\d+)|\[(\w+)\])=(\d+)")
    for path in TESTS:
        condition = path.read_text(encoding="utf-8").splitlines()[-1]
        assert re.fullmatch(r"exists \([^~]*\)", condition)
        assert "\\/" not in condition
        wanted = [f"'{f'P{p}_{r}' if r else x}', {value})" for p, r, x, value in asked.findall(condition)]
        shown = any(all(part in state for part in wanted) for state in states(path, model("rc11")))
        assert verdicts[f"C/{path.name}"] == ("Ok" if shown else "No"), path.name


@pytest.mark.sweep
@pytest.mark.parametrize("first", [0, *(pytest.param(first, marks=pytest.mark.slow) for first in (1, 2, 3))])
@pytest.mark.parametrize("name", sorted(MODELS))
def test_nothing_shows_that_rc11_forbids(name: str, first: int) -> None:
    weaker = 0
    for path in TESTS[first::4]:
        shown = states(path, model(MODELS[name]), map=name)
        assert shown <= allowed(path), path.name
        weaker += len(shown) < len(allowed(path))
    assert 0 < weaker < len(TESTS) / 4
