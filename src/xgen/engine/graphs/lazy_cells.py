"""Cells on demand: of the variables that only pointers lead to, those that executions touch.

Each cell has its initial write in every graph, so that large arrays cost where few elements are used. An exploration
starts without the cells that no statement names; where a pointer leads to one of them, it starts again with that one,
the fields beside it and those that the first executions access, later with some that follow. It finds what it would
have found with all cells, since no graph of it has accessed one that is not there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from xgen.clock import Clock
from xgen.engine.graphs.intervals import WHOLE
from xgen.engine.graphs.options import Options, Progress
from xgen.engine.graphs.run import SLICE, AbsentCell, Run
from xgen.engine.problem import Problem
from xgen.program.automaton import Deref, IntLiteral, Name, Program, Variable
from xgen.records import replace

MANY = 16
"""So many cells that nothing names are left out at first; fewer are not worth starting again."""

FEW, LATE = 8, 0.1
"""So often it starts again with one cell more, then with more and more; and with twice as many where a run took so many
seconds."""

FIELDS = 16
"""So many fields of a struct are thought to be accessed where one of them is."""

GRAPHS, TRACES, MOST = 300, 10, 2000
"""Where there are no more than MOST cells in question, so many graphs with all of them are looked at, and so many
executions."""


def with_absent_cells(program: Program) -> Program:
    """The program without cells that no statement names, if there are many of these."""
    if program.requirement is not None or len(program.variables) <= MANY:
        return program
    in_question = [v for v in program.variables if v.bytes and not v.shown and not v.type.sizes]
    if len(in_question) <= MANY:
        return program
    from xgen.program.rewrite import parts  # long to import

    names: set[str] = set()
    addresses: set[int] = set()
    for part in parts(program.processes, (Name, Deref)):
        if isinstance(part, Name):
            names.add(part.name)
        elif isinstance(part, Deref) and isinstance(part.address, IntLiteral):
            addresses.add(part.address.value)
    absent = tuple(v for v in in_question if v.name not in names and v.address not in addresses)
    if len(absent) <= MANY:
        return program
    left_out = set(map(id, absent))
    return replace(program, variables=tuple(v for v in program.variables if id(v) not in left_out), absent=absent)


def with_more(asked: Problem, numbers: Collection[int]) -> Problem:
    """The problem with some of the variables that are absent, by their numbers: their cells come last."""
    program = asked.program
    more = tuple(program.absent[number] for number in sorted(numbers))
    rest = tuple(v for number, v in enumerate(program.absent) if number not in numbers)
    return replace(
        asked,
        program=replace(program, variables=(*program.variables, *more), absent=rest),
        code=asked.code.with_cells(program.absent, numbers),
    )


def looked_at(asked: Problem, options: Options) -> set[int]:
    """The variables that are absent and that the first graphs have accesses to, by their numbers."""
    everything = with_more(asked, range(len(asked.program.absent)))
    run = Run(everything, replace(options, all_states=True, workers=1))
    settings = run.settings(run.depth)
    settings.graph_pause, settings.trace_limit, settings.stream = GRAPHS, TRACES, False
    core = run.explore(WHOLE, settings)
    try:
        core.run(SLICE)
    except OverflowError:  # too large with all cells
        return set()
    own = len(asked.code.cells)
    return {e.cell - own for trace in core.take_traces() for e in trace.events if e.thread >= 0 and e.cell >= own}


def beside(absent: Sequence[Variable], number: int) -> Iterator[int]:
    """The fields of the struct that a variable is in, by their numbers, if there are few of them."""
    name = absent[number].name
    struct = name[: name.rfind("]") + 1] or name[: name.rfind(".")]
    near = range(max(0, number - FIELDS), min(number + FIELDS + 1, len(absent)))
    found = [n for n in near if absent[n].name.startswith(f"{struct}.")]
    if struct != name and len(found) <= FIELDS:
        yield from found


def explored(
    asked: Problem, options: Options, clock: Clock, watch: Callable[[Run], Callable[[Progress], None] | None]
) -> tuple[Problem, Run]:
    """Explores a problem of a program with absent cells; the problem that was explored to the end, and how.

    `watch`: what is told how far a run has come.
    """
    tries, late = 0, 0
    looked = False
    while True:
        run = Run(asked, replace(options, timeout=clock.left()))
        try:
            run.finish(watch(run))
        except AbsentCell as found:
            tries, late = tries + 1, late + (run.seconds > LATE)
            count = 1 << late + max(0, tries - FEW) // 4
            numbers = set(range(found.number, min(found.number + count, len(asked.program.absent))))
            numbers.update(beside(asked.program.absent, found.number))
            if not looked and len(asked.program.absent) <= MOST:
                looked, numbers = True, numbers | looked_at(asked, options)
            asked = with_more(asked, numbers)
        else:
            return asked, run
