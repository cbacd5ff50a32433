"""Assertions that no execution comes to are named: those that could as well be `assert false`."""

from __future__ import annotations

import random
import re

import pytest

import xgen
from xgen.executions.result import Result

HOLDS, FAILS = "assert a < 9;", "assert false;"
MODELS = ("sc", "tso", "weak", "arm8", "rc11")


def unreached(result: Result) -> list[int]:
    """The lines of the assertions that are told."""
    found = (re.match(r"note: no execution .*comes to the assertion at line (\d+)", text) for text in result.warnings)
    return [int(match[1]) for match in found if match]


def written(dice: random.Random) -> list[str]:
    """A program of some threads, with assertions that hold, a statement in a line."""
    lines = ["var x : int", "var y : int"]

    def block(depth: int) -> None:
        for _ in range(dice.randint(1, 2)):
            kind = dice.choice(["load", "store", "if", "assume", "choose", "add"])
            cell = dice.choice("xy")
            if kind in ("if", "choose") and depth:
                lines.append(f"if a = {dice.randint(0, 2)} {{" if kind == "if" else "choose {")
                block(depth - 1)
                lines.append("} else {" if kind == "if" else "} or {")
                block(depth - 1)
                lines.append("}")
            elif kind == "assume":
                lines.append(f"assume a /= {dice.randint(0, 2)};")
            elif kind == "add":
                lines.append(f"a <- fetch_add({cell}, 1) @ relaxed;")
            else:
                stores = kind == "store"
                lines.append(f"{dice.randint(1, 2)} -> {cell} @ relaxed;" if stores else f"a <- {cell} @ relaxed;")
            lines.append(HOLDS)

    for number in range(dice.randint(1, 3)):
        lines.append(f"process p{number} {{ var a : int")
        block(2 if number == 0 else 1)
        lines.append("}")
    return lines


@pytest.mark.parametrize("seed", range(20))
def test_those_that_could_fail_are_not_told(seed: int) -> None:
    dice = random.Random(seed)
    lines, model = written(dice), xgen.model(dice.choice(MODELS))
    whole = xgen.check(xgen.parse("\n".join(lines)), model)
    assert whole.verdict in ("safe", "vacuous")
    expected = []
    for number in (n for n, line in enumerate(lines) if line == HOLDS):
        changed = xgen.parse("\n".join([*lines[:number], FAILS, *lines[number + 1 :]]))
        expected += [number + 1] if xgen.check(changed, model).verdict == whole.verdict else []
    assert unreached(whole) == expected
    assert unreached(xgen.check(xgen.parse("\n".join(lines)), model, all_states=True, workers=2)) == expected
    assert unreached(xgen.check(xgen.parse("\n".join(lines)), model, classes="rf")) == expected


STALE = """var x : int
var y : int
process p { 1 -> x; 1 -> y; }
process q { var a : int var b : int
  a <- y; b <- x;
  if a = 1 and b = 0 {
    assert %s;
  } }
"""
LIKE = """var x : int
process p[2](me) { var a : int
  a <- fetch_add(x, 1);
  if a = 1 {
    assert a = 1;
  }
  if a = 2 {
    assert a = 2;
  } }
"""
MANY = "var x : int process p { var a : int a <- x;\n" + "if a = 1 { assert false; }\n" * 70 + "}"


def test_the_model_decides() -> None:
    """Under sc the stale value is not seen; graphs that the model forbids count for nothing."""
    assert [unreached(xgen.check(xgen.parse(STALE % "b = 0"), xgen.model(name))) for name in ("sc", "tso", "weak")] == [
        [7],
        [7],
        [],
    ]
    assert xgen.check(xgen.parse(STALE % "false"), xgen.model("weak")).verdict == "violation"


@pytest.mark.parametrize("options", [{}, {"classes": "rf"}, {"classes": "rf", "symmetry": False}, {"filter": "final"}])
def test_of_like_threads_one_is_enough(options: dict[str, str]) -> None:
    assert unreached(xgen.check(xgen.parse(LIKE), xgen.model("sc"), **options)) == [8]  # type: ignore[arg-type]


def test_what_is_told_if_not_all_is_explored() -> None:
    """Within a bound it is that of the bound; after a violation, an interrupt, or of cones nothing."""
    sc = xgen.model("sc")
    loop = "var x : int process p { var a : int\n while true { a <- x; 1 -> x; }\nassert false; }"
    bounded = xgen.check(xgen.parse(loop), sc, max_depth=4)
    assert "note: no execution within the bound comes to the assertion at line 3 (`assert false`)" in bounded.warnings
    assert unreached(xgen.check(xgen.parse(loop), sc, timeout=0.01)) == []
    failing = xgen.parse("process p { assert false;\n assert true; }")
    assert unreached(xgen.check(failing, sc)) == []
    assert unreached(xgen.check(failing, sc, all_states=True)) == [2]
    assert unreached(xgen.check(xgen.parse(STALE % "b = 0"), sc, cones=True)) == []


def test_of_very_many_none_is_told_wrongly() -> None:
    result = xgen.check(xgen.parse(MANY), xgen.model("sc"))
    assert unreached(result) == list(range(2, 72))
    first = MANY.replace("assert false", "assert a = 1", 1).replace("a = 1 {", "a = 0 {", 1)
    first = first.replace("assert a = 1", "assert a = 0")
    told = unreached(xgen.check(xgen.parse(first), xgen.model("sc")))
    assert set(told) <= set(range(3, 72))
    assert len(told) == 70 - 2  # the 1st and the 64th have one number
