"""All minimal placements, against a check of every set of sites, on random programs with all that programs have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Literal

import pytest
from oracle import fair, waiting
from oracle.strategies import Features, random_program

import xgen
from xgen.analyses.fences import find_fences
from xgen.analyses.kinds import Kind
from xgen.analyses.sites import Piece, find_gaps, insert
from xgen.errors import XgenError
from xgen.program.automaton import Program

MODELS = ["sc", "tso", "pso", "weak", "power", "arm8", "rc11"]
MOST = 7
"""Programs with more sites are left out: each set of them is checked."""
PLAIN = Features(threads=(2, 2, 3), events=(2, 3), fences=0, faults=0, havocs=0, leaves=0, asserts=0)
FEATURES = (
    PLAIN,
    replace(PLAIN, branches=30, choices=10),
    replace(PLAIN, rmws=30),
    replace(PLAIN, arrays=50, conditionals=20),
    replace(PLAIN, mutexes=15, threads=(2,)),
    replace(PLAIN, exclusives=25, threads=(2,)),
)
Demanded = Literal["safe", "robust", "live"]


@dataclass(frozen=True)
class Never:
    """A final state that must not be."""

    state: tuple[tuple[str, int | bool], ...]
    text = "never"
    cells: frozenset[str] = frozenset()

    def counts(self, state: Mapping[str, int | bool]) -> bool:  # noqa: ARG002 - a Requirement
        return True

    def met(self, state: Mapping[str, int | bool]) -> bool:
        return tuple(state.items()) != self.state


def outcomes(program: Program, model: xgen.Model) -> list[tuple[tuple[str, int | bool], ...]]:
    return [tuple(outcome.state.items()) for outcome in xgen.check(program, model, all_states=True).outcomes]


def with_a_weak_state(program: Program, model: xgen.Model) -> Program | None:
    """The program with the requirement that a final state is not which the model allows, and sc does not."""
    usual = set(outcomes(program, xgen.model("sc")))
    found = [state for state in outcomes(program, model) if state not in usual or model.name == "sc"]
    return replace(program, requirement=Never(found[0])) if found else None


def programs(demand: Demanded, model: str, seeds: range) -> Iterator[Program]:
    """Random programs with a few sites."""
    for seed in seeds:
        chance = Random(seed)
        orders = (None, "relaxed") if model == "rc11" else (None,)
        if demand == "safe":
            text = str(random_program(chance, replace(FEATURES[seed % len(FEATURES)], orders=orders)))
        else:
            make = waiting.random_race if seed % 2 else waiting.random_acts
            text = fair.to_xcfa(waiting.to_threads(make(chance)), "relaxed" if model == "rc11" else "")
        try:
            program = xgen.parse(text, "xcfa")
        except XgenError:  # a block that ends nowhere
            continue
        if 2 <= len(find_gaps(program)) <= MOST:
            wrong = with_a_weak_state(program, xgen.model(model)) if demand == "safe" else program
            if wrong is not None:
                yield wrong


def compared(program: Program, model: xgen.Model, demand: Demanded) -> int:
    """Compares all minimal sets; how many fences they have at least."""
    kind = Kind("seq_cst" if model.name == "rc11" else "", 1, 1)
    robust = xgen.model("sc") if demand == "robust" else None
    sites = find_gaps(program)
    safe = []
    for chosen in range(1 << len(sites)):
        pieces = [Piece(site, kind.name) for n, site in enumerate(sites) if chosen >> n & 1]
        result = xgen.check(insert(program, pieces), model, liveness=demand == "live", robust=robust)
        assert not result.cut
        if result.verdict != "violation":
            safe.append(chosen)
    expected = {one for one in safe if not any(other != one and other & ~one == 0 for other in safe)}
    answer = find_fences(
        program, model, kinds=f"{kind.name or 'fence'}=1", keep=True, liveness=demand == "live", robust=robust
    )
    number = {site.places: n for n, site in enumerate(sites)}
    found = {sum(1 << number[piece.site.places] for piece in p.pieces) for p in answer.placements}
    assert found == expected, program.source.text
    assert answer.complete
    return min((one.bit_count() for one in expected), default=-1)


@pytest.mark.parametrize("demand", ["safe", "robust", "live"])
@pytest.mark.parametrize("name", MODELS)
def test_every_set_of_sites(name: str, demand: Demanded) -> None:
    model, met = xgen.model(name), []
    for program in programs(demand, name, range(300)):
        met.append(compared(program, model, demand))
        if len(met) == 3:
            break
    assert len(met) == 3
