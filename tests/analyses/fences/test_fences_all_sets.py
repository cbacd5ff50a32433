"""All minimal placements, against a check of every set of sites, on random programs with all that programs have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Literal

import pytest
from oracle.buffers import fair, waiting

import xgen
from analyses.never import Never
from xgen.analyses.fences.fences import find_fences
from xgen.analyses.fences.kinds import Kind
from xgen.analyses.fences.sites import Piece, find_gaps, insert
from xgen.program.automaton import Program

MODELS = ["sc", "tso", "pso", "weak", "power", "arm8", "rc11"]
MOST = 7
"""Programs with more sites are left out: each set of them is checked."""


def random_text(chance: Random, tag: str) -> str:
    """Two or three threads with branches, updates, dependencies and calls."""
    order, parts = f" @ {tag}" if tag else "", ["var x : int", "var y : int"]
    for number in range(chance.choice((2, 2, 3))):
        edges = []
        for k in range(chance.choice((2, 3))):
            place = "xy"[(number + k) % 2] if chance.random() < 0.7 else chance.choice("xy")
            write = f"{chance.choice((1, 2))} -> {place}{order}"
            depends = f"r{k - 1} + 1 -> {place}{order}" if k else write
            update = f"r{k} <- fetch_add({place}, 1){order}"
            load = f"r{k} <- {place}{order}"
            step = chance.choice(
                (load, load, load, write, depends, update, "call put()") if k else (write, write, load)
            )
            if k and chance.random() < 0.25:
                edges.append(f"L{k} -> L{k + 1} {{ assume r{k - 1} = 0 }}")
                step = f"assume r{k - 1} /= 0\n{step}"
            edges.append(f"L{k} -> L{k + 1} {{ {step} }}")
        last = max(int(edge.split("-> L")[1].split()[0]) for edge in edges)
        names = [f"loc L{k}" for k in range(1, last)]
        parts.append(
            "\n".join(
                [
                    f"process p{number} {{ procedure put() {{ init loc A final loc B A -> B {{ 1 -> y{order} }} }}",
                    "main procedure run() {",
                    *(f"var r{k} : int" for k in range(3)),
                    "init loc L0",
                    *names,
                    f"final loc L{last}",
                    *edges,
                    "} }",
                ]
            )
        )
    return "\n".join(parts)


def random_cells(chance: Random, tag: str) -> str:
    """Two threads with arrays, exclusive pairs, mutexes, atomic blocks, and loops that wait."""
    order = f" @ {tag}" if tag else ""
    parts = ["var a : int[2]", "var x : int", "var m : synthetic"]
    for number in range(2):
        edges = []
        for k in range(chance.choice((2, 2, 3))):
            cell = chance.choice(("a[0]", "a[1]", "x", f"a[r{k - 1} mod 2]" if k else "a[0]"))
            load, store = f"r{k} <- {cell}{order}", f"{chance.choice((1, 2))} -> {cell}{order}"
            pair = f"r{k} <- load_exclusive(x){order}\ns <- store_exclusive(x, {number + 2}){order}"
            guarded = f"lock(m)\n{chance.choice((load, store))}\nunlock(m)"
            block = f"atomic-begin\n{store}\nr{k} <- a[{chance.choice((0, 1))}]{order}\natomic-end"
            step = chance.choice((load, load, store, store, pair, guarded, block))
            if step is load and chance.random() < 0.3:
                edges.append(f"L{k} -> L{k} {{ {load}\nassume r{k} = 0 }}")
                step = f"{load}\nassume r{k} /= 0"
            edges.append(f"L{k} -> L{k + 1} {{ {step} }}")
        last = int(edges[-1].split("-> L")[1].split()[0])
        names = [f"loc L{k}" for k in range(1, last)]
        variables = [f"var r{k} : int" for k in range(3)]
        ends = ["init loc L0", *names, f"final loc L{last}"]
        parts.append("\n".join([f"process p{number} {{", *variables, "var s : int", *ends, *edges, "}"]))
    return "\n".join(parts)


Demanded = Literal["safe", "cells", "robust", "live"]


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
        tag = "relaxed" if model == "rc11" else ""
        if demand in ("safe", "cells"):
            text = (random_text if demand == "safe" else random_cells)(chance, tag)
        else:
            make = waiting.random_race if seed % 2 else waiting.random_acts
            text = fair.to_xcfa(waiting.to_threads(make(chance)), tag)
        program = xgen.parse(text, "xcfa")
        if 2 <= len(find_gaps(program)) <= MOST:
            wrong = with_a_weak_state(program, xgen.model(model)) if demand in ("safe", "cells") else program
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


@pytest.mark.parametrize("many", [1, pytest.param(4, marks=pytest.mark.slow)])
@pytest.mark.parametrize("demand", ["safe", "cells", "robust", "live"])
@pytest.mark.parametrize("name", MODELS)
def test_every_set_of_sites(name: str, demand: Demanded, many: int) -> None:
    model, met = xgen.model(name), []
    for program in programs(demand, name, range(300)):
        met.append(compared(program, model, demand))
        if len(met) == many:
            break
    assert len(met) == many
