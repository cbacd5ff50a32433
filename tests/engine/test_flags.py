"""Flags are raised by those executions in which their relation has a pair, whatever it is made of.

The core looks for a pair, event by event, in what it keeps of a graph; here all pairs are computed, in Python.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from oracle.strategies import DEFAULT, LOOPS, random_program

import xgen
from xgen import Result
from xgen.memory.evaluate import Evaluator

NAMES = {"rc11": ["hb", "sw", "eco", "scb", "released"], "lkmm": ["hb", "pb", "visible", "ppo"], "ra": ["hb"]}
"""What a model's constraints are made of: some of it is kept from graph to graph."""
RELATIONS = ["po", "rf", "mo", "fr", "loc", "int", "ext", "id", "rmw", "R * W", "W * A", "A * A", "I * A", "W * W"]
UNARY = ["({})^-1", "({})^+", "({})?", "[W] ; ({})", "({}) ; [R]", "({})(W -> R)"]
BINARY = ["({}) | ({})", "({}) & ({})", "({}) \\ ({})", "({}) ; ({})"]


def random_relation(rng: Random, names: list[str], depth: int) -> str:
    if depth == 0 or rng.random() < 0.15:
        return rng.choice(RELATIONS + names * 3)
    if rng.random() < 0.3:
        return rng.choice(UNARY).format(random_relation(rng, names, depth - 1))
    return rng.choice(BINARY).format(*(random_relation(rng, names, depth - 1) for _ in range(2)))


def flagged(base: str, rng: Random) -> xgen.Model:
    """A shipped model with some more flags: such as are like races, and others."""
    names = NAMES.get(base, [])
    text = xgen.model(base).source.text
    for n in range(4):
        relation = random_relation(rng, names, rng.randint(1, 4))
        if n % 2:
            relation = f"(loc & ext & (A * W | W * A)) \\ (({relation}) | ({relation})^-1)"
        text += f"\nasked{n} = {relation}\nflag asked{n} empty as flag{n}"
    return xgen.parse_model(text)


def raised(result: Result, model: xgen.Model) -> Counter[str]:
    """How many executions raise each flag, by its definition."""
    found: Counter[str] = Counter()
    for execution in result.traces:
        evaluator = Evaluator(execution)
        for constraint in model.constraints:
            if constraint.flag and not evaluator.holds(constraint.condition):
                found[constraint.name] += 1
    return found


@pytest.mark.parametrize("seed", range(100))
@pytest.mark.parametrize("base", ["rc11", "ra", "sc", "tso", "arm8", "lkmm"])
@pytest.mark.sweep
def test_flags_of_any_relation(base: str, seed: int) -> None:
    rng = Random(f"{base} {seed}")
    model = flagged(base, rng)
    features = rng.choice([DEFAULT, DEFAULT, LOOPS])
    for _ in range(3):
        program = xgen.parse(str(random_program(rng, features)), "xcfa")
        options = {"all_states": True, "max_depth": 5, "trace_limit": 500}
        for filter in ("in-situ", "final"):
            result = xgen.check(program, model, filter=filter, **options)  # type: ignore[arg-type]
            if result.executions + result.blocked + result.bounded > 500:
                continue
            assert dict(raised(result, model)) == result.flags, program
