"""Proofs: is a program safe for ever, with loops without an end and store buffers of any length?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Literal

from xgen import _core
from xgen.analyses.check.result import peak_kib
from xgen.analyses.warnings import notes
from xgen.clock import Clock
from xgen.engine import symbolic
from xgen.engine.problem import Problem, problem
from xgen.engine.symbolic import LIMIT, Found, Options, Widening
from xgen.errors import UsageError
from xgen.executions.execution import Value
from xgen.executions.proof import Covering, Proof, Snapshots
from xgen.executions.result import NOT_AS_REQUIRED
from xgen.lowering.code import WRITES, Code, Variable
from xgen.lowering.threads import NESTED_CALLS
from xgen.memory.algebra import Model
from xgen.program.automaton import Cut, Program
from xgen.program.rewrite import with_arrivals

MANY_VALUES = 64
"""What is said to grow, where nothing else does, has more values."""


def prove(
    program: Program,
    model: Model,
    *,
    deadlock: bool = False,
    limit: int = LIMIT,
    widen: Widening = None,
    invariant: bool = False,
    timeout: float | None = None,
    on_progress: Callable[[int, float], None] | None = None,
) -> Proof:
    """Proves that a program is safe under sc, tso or pso, without any bound, or finds a violation.

    deadlock     also look for states in which no process can go on, and one has not ended
    limit        each exploration visits at most so many states
    widen        how many atoms of pasts and buffers are kept apart: a number, "none", or None for one after the other
    invariant    keep the states that the proof consists of
    timeout      in seconds; then, as after Ctrl-C, the verdict is "unknown"
    on_progress  is called about ten times a second, with the states visited by the present exploration and the seconds

    Raises UsageError for other models and senseless options, UnsupportedError for what cannot be run, LimitError where
    a limit is exceeded.
    """
    if limit < 1:
        raise UsageError(f"the limit of states must be at least 1, not {limit}")
    if isinstance(widen, int) and widen < 1:
        raise UsageError(f"the number of atoms that are kept apart must be at least 1, not {widen}")
    if program.leaks is not None:
        hint = "`xgen check --leaks` does"
        raise UsageError("a proof says nothing of memory that leaks", file=program.source.name, hint=hint)
    clock = Clock(timeout)
    asked = problem(with_arrivals(program), model, asker="`xgen prove`")
    code = asked.code
    options = Options(deadlock, limit, widen, invariant, clock.left())
    found = symbolic.explore(asked, options, on_progress)
    widened = found.abstraction.widening if found.abstraction.widening >= 0 else None
    return Proof(
        program=Path(code.source.name).name,
        model=model.name,
        verdict=found.verdict,
        proof=_kind(found),
        widening=widened,
        stored=found.stored,
        visited=found.visited,
        accelerated=found.accelerated,
        atoms=found.atoms,
        domains={v.name: [_value(v, x) for x in xs] for v, xs in zip(code.cells, found.values, strict=True)},
        local_states={t.name: n for t, n in zip(code.threads, found.local_states, strict=False)},
        witness=found.witness,
        reason=reason(asked, found, options),
        invariant=None if found.invariant is None else tuple(_coverings(code, found)),
        seconds=clock.seconds,
        peak_kib=peak_kib(),
        warnings=tuple(notes(asked)),
        map=program.target,
    )


def _kind(found: Found) -> Literal["exact", "widened"] | None:
    if found.verdict == "unknown":
        return None
    return "widened" if found.verdict == "safe" and found.abstraction.widening >= 0 else "exact"


def _value(variable: Variable, value: int) -> Value:
    return bool(value) if variable.type == "bool" else value


def reason(asked: Problem, found: Found, options: Options) -> str | None:
    """Why there is no answer: what grows; of a violation of a requirement, what was required."""
    code, (thread, item) = asked.code, found.at_fault
    if found.unmet and asked.requirement is not None:
        return f"{NOT_AS_REQUIRED}: {asked.requirement.text}"
    if found.why == "values":
        values = f"the data are not finite: {code.cells[item].name} takes more than {_core.MAX_VALUES:,} values"
        return values + "".join(_stores(code, item))
    if found.why == "locals":
        local = f"{code.threads[thread].name}:{code.threads[thread].locals[item].name}"
        return f"the data are not finite: {local} takes too many values"
    if found.why == "calls":
        return _cut(code, found.cut)
    if found.why == "veiled":
        site = code.sites[found.veiled]
        where = f"`{site.text}` at line {site.position.line}"
        return f"data races and uses of what is freed were not found, but may be in an atomic block: {where}"
    if found.why == "blocks":
        return (
            "what was found goes through an atomic block that loads what its thread stores later; the model forbids it"
        )
    if found.why is None:
        return None
    states = {
        "states": f"each exploration has visited {options.limit:,} states",
        "time": "the time is over",
        "interrupt": "interrupted",
    }[found.why]
    return states + _growing(code, found)


def _cut(code: Code, pc: int) -> str:
    site = code.sites[pc]
    what = site.part.what if isinstance(site.part, Cut) else ""
    if not what:
        what = f"by a bound of the program, or at a call nested more than {NESTED_CALLS} deep"
    return f"some executions were cut: {what}, at line {site.position.line}, `{site.text}`"


def _growing(code: Code, found: Found) -> str:
    thread, cell, pc = found.growing
    if thread < 0:
        return _values_so_far(code, found)
    name = code.threads[thread].name
    where = f"at line {code.sites[pc].position.line}, before `{code.sites[pc].text}` ({found.atoms} atoms)"
    if cell < 0:
        return f"; what {name} may still see of the past grows, {where}"
    return f"; the stores of {name} to {code.cells[cell].name} that wait grow, {where}"


def _values_so_far(code: Code, found: Found) -> str:
    """The variable that has taken the most values, where these are many."""
    cell, values = max(enumerate(found.values), key=lambda pair: len(pair[1]), default=(0, []))
    return f"; {code.cells[cell].name} has taken {len(values):,} values" if len(values) > MANY_VALUES else ""


def _stores(code: Code, cell: int) -> Iterator[str]:
    """The first statement of each process that says in its text that it stores to the cell."""
    for thread, ends in zip(code.threads, code.ranges, strict=True):
        for pc in range(*ends):
            i = code.instructions[pc]
            address = code.rmws[i.c].address if i.op is _core.Op.RMW else i.a
            if i.op in WRITES and address < 0 and code.constants[~address] == cell:
                yield f"; {thread.name} stores to it at line {code.sites[pc].position.line}: `{code.sites[pc].text}`"
                break


def _runs(word: _core._Word) -> Iterator[_core._Word]:
    """The runs of a family: marks are between them."""
    for separates, run in groupby(word, lambda atom: atom[0] is _core.AtomKind.MARK):
        if not separates:
            yield list(run)


def _coverings(code: Code, found: Found) -> Iterator[Covering]:
    """The states of a proof, in the program's words."""
    names = [thread.name for thread in code.threads]

    def shown(letter: Sequence[int]) -> dict[str, Value]:
        pairs = [(cell, v) for cell, v in zip(letter[::2], letter[1::2], strict=False) if cell < len(code.cells)]
        return {code.cells[cell].name: _value(code.cells[cell], v) for cell, v in pairs if v != _core.NOTHING}

    many, mark = _core.AtomKind.MANY, _core.AtomKind.MARK

    def word(atoms: _core._Word) -> tuple[Snapshots, ...]:
        return tuple(Snapshots(tuple(map(shown, all_)), kind is many, kind is mark) for kind, all_ in atoms)

    def waiting(atoms: _core._Word, cell: int, families: list[tuple[int, list[int], _core._Word]]) -> _core._Word:
        """A buffer, with what is stored by the blocks that wait there as well."""
        expanded: _core._Word = []
        runs: dict[int, Iterator[_core._Word]] = {}
        for kind, all_ in atoms:
            if kind is not mark:
                expanded.append((kind, [[cell, *x] for x in all_]))
                continue
            number = all_[0][0]
            left = runs.setdefault(number, _runs(families[number][2]))
            expanded += [
                (k, [[x for at in range(0, len(y), 3) for x in y[at : at + 2]] for y in ys]) for k, ys in next(left)
            ]
        return expanded

    for nodes, memory, pasts, buffers, *_, families in found.invariant or []:
        at = {}
        for name, node, (_, _, all_nodes) in zip(names, nodes, found.automata, strict=True):
            site = code.sites[all_nodes[node][1]]
            at[name] = (site.position.line, site.text)
        yield Covering(
            at,
            shown([number for pair in enumerate(memory) for number in pair]),
            {name: word(past) for name, past in zip(names, pasts, strict=False) if past},
            {
                (names[t], code.cells[cell].name): word(waiting(atoms, cell, families))
                for t, cell, atoms in buffers
                if atoms
            },
        )
