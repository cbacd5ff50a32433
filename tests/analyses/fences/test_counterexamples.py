"""Executions with fences put in: those that the model still allows are the executions of the program with these fences.

Fences only take executions away, so that each one of the program with fences is one of the program without. A random
program's executions, each with fences and orders put in at random places, are judged one by one; as many must be
allowed as a check of the program with the same fences and orders finds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

import pytest
from oracle.buffers import fair, waiting
from oracle.strategies import Features, random_program

import xgen
from xgen.analyses.fences.counterexamples import Counterexample, Judge, _Reader, counterexample
from xgen.analyses.fences.kinds import default_kinds, has_orders, read_kinds
from xgen.analyses.fences.sites import Atom, Piece, Slot, find_accesses, find_gaps, insert, make_atoms, pieces_of
from xgen.engine.graphs.options import Options
from xgen.engine.graphs.run import Run
from xgen.engine.problem import Problem, problem
from xgen.errors import XgenError
from xgen.memory.statics.insertion import only_forbids
from xgen.memory.statics.vocabulary import known_tags
from xgen.program.automaton import Program

MODELS = ["tso", "pso", "weak", "power", "arm8", "rc11"]
MOST = 400
"""Programs with more executions are left out."""
SIMPLE = Features(threads=(2, 2, 3), events=(2, 4), fences=6, asserts=0, leaves=0, faults=0, havocs=2)
KINDS = {
    "branches": replace(SIMPLE, branches=25, choices=10),
    "updates": replace(SIMPLE, rmws=35),
    "exclusives": replace(SIMPLE, exclusives=35),
    "mutexes": replace(SIMPLE, threads=(2,), mutexes=25, events=(1, 3)),
    "atomic blocks": replace(SIMPLE, atomics=20, events=(1, 3)),
    "arrays": replace(SIMPLE, arrays=50, conditionals=20),
}


@dataclass
class Known:
    """Every execution of a program under a model, as a counterexample that goes wrong anyway."""

    program: Program
    judge: Judge
    graphs: list[Counterexample]

    def clear(self, atoms: Sequence[Atom]) -> list[Atom]:
        """The atoms of which every execution says how they are passed."""
        unclear = set().union(*(graph.unclear for graph in self.graphs))
        return [atom for atom in atoms if unclear.isdisjoint(atom.site.places)]


def run(asked: Problem, depends: bool, liveness: bool = False) -> Run:
    """A whole exploration."""
    options = Options(all_states=True, trace_limit=MOST + 1, dependencies=depends, liveness=liveness, timeout=60)
    run = Run(asked, options)
    run.finish()
    return run


def known(program: Program, model: xgen.Model) -> Known | None:
    """All executions, blocked ones too; None: there are too many."""
    asked = problem(program, model)
    judge = Judge(asked)
    found = run(asked, judge.depends)
    if found.stopped or sum(found.core.counters[name] for name in ("executions", "blocked", "bounded")) > MOST:
        return None
    graphs = []
    for trace in found.core.take_traces():
        reader = _Reader(judge, asked, trace, False)
        reader.flags = frozenset  # type: ignore[method-assign]
        graph = reader.read()
        assert graph is not None
        graphs.append(graph)
    return Known(program, judge, graphs)


def count(program: Program, model: xgen.Model) -> int | None:
    found = run(problem(program, model), False)
    counters = found.core.counters
    return None if found.stopped else sum(counters[name] for name in ("executions", "blocked", "bounded"))


def atoms_of(program: Program, model: xgen.Model) -> list[Atom]:
    tags = known_tags(model)
    accesses = find_accesses(program) if has_orders(tags) else []
    return make_atoms(find_gaps(program), accesses, read_kinds(default_kinds(model)), tags)


def choices(chance: Random, atoms: Sequence[Atom], number: int) -> Iterator[int]:
    """Random closed sets of atoms, of all sizes; the first is empty."""
    yield 0
    for _ in range(number):
        share = chance.random()
        yield sum(
            {1 << n for a in atoms if chance.random() < share for n in range(a.below.bit_length()) if a.below >> n & 1}
        )


def compared(program: Program, model: xgen.Model, chance: Random, number: int) -> int:
    """How many placements were compared; each is judged on all executions."""
    executions = known(program, model)
    if executions is None or not executions.graphs:
        return 0
    all_atoms = atoms_of(program, model)
    orders = only_forbids(model, orders=True)[0]
    atoms = [atom for atom in executions.clear(all_atoms) if atom.site.is_gap or orders]
    done = 0
    for chosen in choices(chance, atoms, number):
        pieces = pieces_of(all_atoms, chosen)
        expected = count(insert(program, pieces), model)
        if expected is not None:
            assert sum(graph.shows(pieces) for graph in executions.graphs) == expected, (pieces, program.source.text)
            done += 1
    return done


@pytest.mark.sweep
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", [*MODELS[::2], *(pytest.param(name, marks=pytest.mark.slow) for name in MODELS[1::2])])
def test_as_many_as_a_check_finds(name: str, kind: str) -> None:
    """The least number of placements is far below what there are: programs without executions are passed over."""
    model, features = xgen.model(name), KINDS[kind]
    if name in ("rc11", "ra", "arm8", "riscv"):
        features = replace(features, orders=(None, "relaxed", "acquire", "release"))
    done = 0
    for seed in range(4):
        chance = Random(seed)
        text = str(random_program(chance, features))
        try:
            program = xgen.parse(text, "xcfa")
            done += compared(program, model, chance, 2)
        except XgenError:  # a block that ends nowhere
            continue
    assert done >= 6


@pytest.mark.parametrize("name", ["tso", "pso", "weak", "power", "rc11"])
def test_as_many_are_stuck(name: str) -> None:
    """Executions in which threads wait for ever, with fences in and around the loops in which they wait."""
    model, tag, met = xgen.model(name), "relaxed" if name == "rc11" else "", 0
    for seed in range(6):
        chance = Random(seed)
        make = waiting.random_race if seed % 2 else waiting.random_acts
        program = xgen.parse(fair.to_xcfa(waiting.to_threads(make(chance)), tag), "xcfa")
        asked = problem(program, model)
        judge = Judge(asked)
        stuck = [trace for trace in run(asked, judge.depends, liveness=True).core.take_traces() if trace.rounds]
        graphs = [counterexample(judge, asked, trace, True) for trace in stuck]
        atoms = atoms_of(program, model)
        for chosen in choices(chance, atoms, 3):
            pieces = pieces_of(atoms, chosen)
            found = xgen.check(insert(program, pieces), model, all_states=True, trace_limit=0)
            shown = [graph for graph in graphs if graph is not None and graph.shows(pieces)]
            assert len(shown) <= found.stuck
            if all(graph is not None and graph.unclear.isdisjoint(places(pieces)) for graph in graphs):
                assert len(shown) == found.stuck
                met += found.stuck > 0
    assert met >= 3


def places(pieces: Sequence[Piece]) -> set[Slot]:
    return {place for piece in pieces for place in piece.site.places}
