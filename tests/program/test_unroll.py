"""A bound on the rounds of loops: the same as rounds that are written out, with a cut behind the last one."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random

import pytest

import xgen
from xgen import Result

MODELS = ("sc", "tso", "rc11", "weak", "arm8", "power", "lkmm", "coherence")


@pytest.fixture(autouse=True)
def as_given(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bound that leaves no execution is not raised."""
    monkeypatch.setattr("xgen.analyses.check.check.raised", lambda _: ())


@dataclass(frozen=True)
class Part:
    """A statement, or a block behind `if`, `while` or `do`."""

    word: str
    text: str
    body: tuple[Part, ...] = ()


def random_block(rng: Random, depth: int, most: int) -> tuple[Part, ...]:
    return tuple(random_part(rng, depth) for _ in range(rng.randint(1, most)))


def random_part(rng: Random, depth: int) -> Part:
    place, local = rng.choice("xy"), rng.choice("ab")
    condition = f"{rng.choice('ab')} {rng.choice(('=', '/='))} {rng.randint(0, 2)}"
    kind = rng.random()
    if depth and kind < 0.4:
        return Part(rng.choice(("while", "do")), condition, random_block(rng, depth - 1, 2))
    if kind < 0.47:
        return Part("if", condition, random_block(rng, 0, 1))
    update = f"{local} <- cas({place}, {rng.choice(('0', local))}, {rng.choice(('1', 'a'))});"
    simple = (f"{local} <- {place};", f"{local} <- {place};", f"{rng.choice(('1', local))} -> {place};", update,
        f"{local} <- fetch_add({place}, 1);", f"{local} <- t[b mod 2];", "1 -> t[a mod 2];", "fence;")  # fmt: skip
    return Part("", rng.choice(simple))


def show(block: tuple[Part, ...], rounds: int | None = None) -> str:
    """The text, with loops, or with so many rounds of each."""
    found = []
    for part in block:
        body = show(part.body, rounds)
        match part.word:
            case "":
                found.append(part.text)
            case "if":
                found.append(f"if ({part.text}) {{ {body} }}")
            case "while" if rounds is None:
                found.append(f"while ({part.text}) {{ {body} }}")
            case "do" if rounds is None:
                found.append(f"do {{ {body} }} while ({part.text});")
            case word:
                written = "cut();"
                for _ in range(rounds or 0):
                    again = f"if ({part.text}) {{ {written} }}"
                    written = f"if ({part.text}) {{ {body} {written} }}" if word == "while" else f"{body} {again}"
                found.append(written)
    return " ".join(found)


def program(blocks: list[tuple[Part, ...]], called: list[bool], rounds: int | None = None) -> str:
    """One process for each block, which may be that of a procedure."""
    lines = ["var x : int  var y : int  var t : int[2]"]
    for number, (block, calls) in enumerate(zip(blocks, called, strict=True)):
        body = f"var a : int  var b : int  {show(block, rounds)}"
        if calls:
            body = (
                f"procedure run() {{ {body} return a + 3 * b; }} "
                "main procedure go() { var c : int  c := call run(); c -> y; }"
            )
        lines.append(f"process p{number} {{ {body} }}")
    return "\n".join(lines)


def found(result: Result) -> tuple[int, int, int, Counter[str]]:
    outcomes = Counter({str(outcome.state): outcome.count for outcome in result.outcomes})
    return result.executions, result.blocked, result.bounded, outcomes


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(60))
def test_rounds_that_are_written_out(seed: int) -> None:
    rng = Random(f"rounds {seed}")
    blocks = [random_block(rng, rng.choice((1, 1, 2)), 3) for _ in range(2)]
    called, rounds = [rng.random() < 0.25 for _ in blocks], rng.choice((1, 1, 2, 3))
    bounded = xgen.parse(program(blocks, called), unroll=rounds)
    written = xgen.parse(program(blocks, called, rounds))
    model = xgen.model(rng.choice(MODELS))
    every, reference = (xgen.check(p, model, all_states=True, unroll=True) for p in (bounded, written))
    assert found(every) == found(reference)
    waiting = xgen.check(bounded, model, all_states=True)
    assert set(found(waiting)[3]) == set(found(reference)[3])
