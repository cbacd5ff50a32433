"""Runs that break a formula, as text and JSON: the way there, and what goes on for ever."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from xgen.analyses.ltl import LtlResult
from xgen.analyses.ltl_repairs import Repairs
from xgen.engine.explicit.states import Moment
from xgen.systems.processes import System, Variable
from xgen.version import __version__
from xgen.views.answers.json import document
from xgen.views.answers.text import Paint, plain
from xgen.views.words import duration, plural

Store = tuple[str, int]
"""The name of a cell, and a value."""

_ROLES = {"holds": "good", "holds-within-bound": "unsure", "fails": "bad", "error": "bad", "interrupted": "unsure"}
_NAMES = {"error": "goes wrong", "interrupted": "no answer", "holds-within-bound": "holds within the bound"}


def render(result: LtlResult | Repairs, paint: Paint = plain) -> str:
    """The verdict, and the run that breaks the formula; or what mends it."""
    return "\n".join(_lines(result, paint) if isinstance(result, LtlResult) else _repairs(result, paint))


def verdict_line(result: LtlResult, paint: Paint = plain) -> str:
    """The verdict in a line."""
    word = paint(_NAMES.get(result.verdict, result.verdict), _ROLES[result.verdict])
    return f"{word}: {result.reason or result.formula} ({_machine(result)})"


def _lines(result: LtlResult, paint: Paint) -> Iterator[str]:
    yield verdict_line(result, paint)
    if result.verdict == "holds-within-bound":
        yield "  Some process had to wait for room in its buffer: with more room (--buffer) there may be more runs."
    counts = f"{plural(result.states, 'state')}, {plural(result.product, 'pair')} with the formula's automaton"
    yield paint(f"  {counts}, {duration(result.seconds)}", "dim")
    if result.prefix:
        yield ""
        yield from run_lines(result, paint)


def run_lines(result: LtlResult, paint: Paint) -> Iterator[str]:
    """The run that breaks the formula, a step a line."""
    yield from _run(result.system, result.prefix)
    if result.cycle:
        yield paint("and then for ever:", "title")
        yield from _run(result.system, (result.prefix[-1], *result.cycle))
    elif result.verdict == "fails":
        yield "and then in any way: it is too late."


def _repairs(result: Repairs, paint: Paint) -> Iterator[str]:
    """Each minimal repair with its writes, and what makes them necessary."""
    system, machine = result.first.system, _machine(result.first)
    if result.verdict in ("holds", "interrupted"):
        yield from _lines(result.first, paint)
        if result.first.verdict != "interrupted" and result.verdict == "interrupted":
            yield f"no repair found: {result.reason}"
        return
    counts = f"{plural(len(result.writes), 'write')}, {plural(result.runs, 'run')}, {plural(result.states, 'state')}"
    if result.left is not None:
        yield f"{paint('not repairable', 'bad')}: {result.first.formula} ({machine})"
        yield paint(f"  {counts}; this goes wrong with all writes atomic:", "dim")
        yield from _lines(result.left, paint)
        return
    word = "repaired within the bound" if result.bounded else "repaired"
    many = plural(len(result.sets), "minimal set") + " of atomic writes"
    yield f"{paint(word, 'unsure' if result.bounded else 'good')}: {result.first.formula} ({machine})"
    yield f"  {many if result.complete else f'{many} so far: {result.reason}'}"
    yield paint(f"  {counts}", "dim")
    for number, chosen in enumerate(result.sets, 1):
        yield ""
        yield paint(f"{number}. {plural(len(chosen), 'write')}", "title")
        yield from _writes(system, result, chosen)
    needed = [cut for cut in result.cuts if len(cut) > 1]
    for cut in needed:
        yield ""
        yield paint("One of these at least:", "title")
        yield from _writes(system, result, cut)


def _writes(system: System, result: Repairs, chosen: tuple[int, ...]) -> Iterator[str]:
    width = max(len(process.name) for process in system.processes)
    for number in chosen:
        write = result.writes[number]
        line = "" if write.line is None else f"line {write.line}: "
        yield f"  {system.processes[write.process].name.ljust(width)}  {line}{write.text}"


def _machine(result: LtlResult) -> str:
    fair = "fair" if result.fair else "unfair to processes"
    if result.memory == "sc":
        return f"sc, {fair}"
    if result.memory == "cam":
        return f"tso, at most one delayed store per process and variable, {fair}"
    per = "process" if result.memory == "tso" else "process and variable"
    return f"{result.memory}, at most {plural(result.buffer, 'delayed store')} per {per}, {fair}"


def _run(system: System, moments: tuple[Moment, ...]) -> Iterator[str]:
    """A line for each step: who, what, and what changes. The first moment is where the run begins."""
    width = max(len(process.name) for process in system.processes)
    for before, after in pairwise(moments):
        if after.transition is None and after.process is None:
            yield "  nothing can move any more"
            continue
        assert after.process is not None
        who = system.processes[after.process].name.ljust(width)
        if after.transition is None:
            flushed = added(after.stores[after.process], before.stores[after.process])
            stores = ", ".join(f"{name} = {value}" for name, value in flushed)
            yield f"  {who}  {stores} {'reaches' if len(flushed) == 1 else 'reach'} memory"
        else:
            changes = "".join(f"   {change}" for change in _changes(system, before, after))
            yield f"  {who}  {after.transition.text}{changes}"


def _changes(system: System, before: Moment, after: Moment) -> Iterator[str]:
    """What is new in memory, in locals, and in the process' buffer."""
    changed = [
        _value(variable, n, new)
        for variable, old, values in zip(system.variables, before.values, after.values, strict=True)
        for n, (was, new) in enumerate(zip(old, values, strict=True))
        if was != new
    ]
    if changed:
        yield f"[{', '.join(changed)}]"
    assert after.process is not None
    old_stores, new_stores = before.stores[after.process], after.stores[after.process]
    if len(new_stores) > len(old_stores):
        delayed = [f"{name} = {value}" for name, value in added(old_stores, new_stores)]
        yield f"(delayed: {', '.join(delayed)})"


def added(old: Sequence[Store], new: Sequence[Store]) -> list[Store]:
    """The stores of a process that are new; under pso, buffers of several variables are one after the other."""
    rest = list(old)
    found = []
    for store in new:
        if store in rest:
            rest.remove(store)
        else:
            found.append(store)
    return found


def _value(variable: Variable, index: int, value: int) -> str:
    return f"{variable.name}[{index}] = {value}" if variable.is_array else f"{variable.name} = {value}"


def render_json(result: LtlResult | Repairs) -> str:
    """One JSON document."""
    if isinstance(result, LtlResult):
        return document(ltl_to_dict(result))
    processes = result.first.system.processes
    writes = [{"thread": processes[w.process].name, "action": w.text, "line": w.line} for w in result.writes]
    repairs = {
        "verdict": result.verdict,
        "bounded": result.bounded,
        "complete": result.complete,
        "reason": result.reason,
        "writes": len(writes),
        "sets": [[writes[n] for n in chosen] for chosen in result.sets],
        "cuts": [[writes[n] for n in cut] for cut in result.cuts],
        "runs": result.runs,
        "states": result.states,
        "left": None if result.left is None else ltl_to_dict(result.left),
    }
    return document(ltl_to_dict(result.first) | {"repairs": repairs})


def ltl_to_dict(result: LtlResult) -> dict[str, Any]:
    """The answer as plain values, with the run that breaks the formula."""
    return {
        "xgen": __version__,
        "program": result.system.name,
        "model": "tso" if result.memory == "cam" else result.memory,
        "formula": result.formula,
        "memory": result.memory,
        "buffer": "cam" if result.memory == "cam" else result.buffer,
        "fair": result.fair,
        "verdict": result.verdict,
        "complete": result.complete,
        "reason": result.reason,
        "states": result.states,
        "product": result.product,
        "transitions": result.transitions,
        "automaton": result.automaton,
        "prefix": [_moment(result.system, moment) for moment in result.prefix],
        "cycle": [_moment(result.system, moment) for moment in result.cycle],
        "seconds": round(result.seconds, 3),
    }


def _moment(system: System, moment: Moment) -> dict[str, Any]:
    transition = moment.transition
    action = transition.text if transition is not None else "flush" if moment.process is not None else None
    processes = system.processes

    def values(shared: bool) -> dict[str, Any]:
        return {
            v.name if shared else f"{processes[v.process or 0].name}:{v.name}": list(held) if v.is_array else held[0]
            for v, held in zip(system.variables, moment.values, strict=True)
            if v.is_shared == shared
        }

    return {
        "thread": None if moment.process is None else processes[moment.process].name,
        "action": action,
        "line": None if transition is None else transition.line,
        "places": {p.name: p.places[place] for p, place in zip(processes, moment.places, strict=True)},
        "memory": values(True),
        "locals": values(False),
        "buffers": {
            p.name: [{"variable": name, "value": value} for name, value in stores]
            for p, stores in zip(processes, moment.stores, strict=True)
        },
    }
