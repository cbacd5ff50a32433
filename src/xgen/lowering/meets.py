"""Barriers at which processes meet, written down with accesses: for who knows no `Meet`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeGuard

from xgen.program import automaton as xcfa
from xgen.records import replace

_HIDDEN = ("hidden", "arrival")


def with_arrivals(program: xcfa.Program, ordered: bool = True) -> xcfa.Program:
    """The program with a cell for each process, barrier and round in place of each `Meet`: there the process says that
    it has come, and the others wait for that; between fences, as a `join` is one.

    The executions are the same, but for blocked ones and for these cells. Not `ordered`: of each that orders nothing.
    """
    arrivals = _Arrivals(program, ordered)
    if not any(map(arrivals.meets, program.processes)):
        return program
    processes = tuple(map(arrivals.process, program.processes))
    return replace(program, processes=processes, variables=(*program.variables, *arrivals.variables()))


class _Arrivals:
    def __init__(self, program: xcfa.Program, ordered: bool) -> None:
        self.ordered = ordered
        self.rounds: dict[tuple[str, int], tuple[str, ...]] = {}
        self.taken = {variable.name for variable in program.variables}
        self.reads = "arrived"
        self.number = 0

    def is_meant(self, statement: xcfa.Statement) -> TypeGuard[xcfa.Meet]:
        return isinstance(statement, xcfa.Meet) and (self.ordered or not statement.orders)

    def meets(self, process: xcfa.Process) -> bool:
        """Whether a process meets others somewhere."""
        procedures = process.procedures or (process.main_procedure,)
        return any(self.is_meant(s) for one in procedures for edge in one.edges for s in edge.statements)

    def process(self, process: xcfa.Process) -> xcfa.Process:
        own = process.main_procedure
        known = {v.name for v in (*process.outer_variables, *own.variables, *own.parameters)}
        known |= {v.name for procedure in process.procedures for v in (*procedure.variables, *procedure.parameters)}
        self.reads = "arrived"
        while self.reads in known or self.reads in self.taken:
            self.reads += "_"
        if process.procedures:
            return replace(process, procedures=tuple(self.procedure(process, one) for one in process.procedures))
        made = self.procedure(process, own)
        return replace(process, locations=made.locations, edges=made.edges, variables=made.variables)

    def procedure(self, process: xcfa.Process, procedure: xcfa.Procedure) -> xcfa.Procedure:
        if not any(self.is_meant(s) for edge in procedure.edges for s in edge.statements):
            return procedure
        locations, edges = list(procedure.locations), list[xcfa.Edge]()
        for edge in procedure.edges:
            source, done = edge.source, list[xcfa.Statement]()
            for statement in edge.statements:
                if not self.is_meant(statement):
                    done.append(statement)
                    continue
                done += self.arrival(process, statement)
                for flag in self.flags(process, statement):
                    tries, looks = self.location(locations, edge), self.location(locations, edge)
                    edges.append(replace(edge, source=source, target=tries, statements=tuple(done)))
                    edges.append(replace(edge, source=tries, target=looks, statements=(self.look(flag, statement),)))
                    read = xcfa.Name(self.reads)
                    edges.append(replace(edge, source=looks, target=tries, statements=(_assume(read, 0),)))
                    source, done = looks, [_assume(read, 1)]
                done += _fences(statement)
            edges.append(replace(edge, source=source, statements=tuple(done)))
        arrived = xcfa.Variable(self.reads, xcfa.INT, (xcfa.IntLiteral(0),), procedure.position)
        return replace(
            procedure,
            locations=tuple(locations),
            edges=tuple(edges),
            variables=(*procedure.variables, arrived),
        )

    def location(self, locations: list[xcfa.Location], edge: xcfa.Edge) -> xcfa.Name:
        names = {location.name for location in locations}
        while f"meets{self.number}" in names:
            self.number += 1
        made = xcfa.Location(f"meets{self.number}", position=edge.source.position)
        locations.append(made)
        return xcfa.Name(made.name, made.position)

    def array(self, statement: xcfa.Meet) -> str:
        """The cells of a round."""
        key = statement.barrier, statement.round
        self.rounds.setdefault(key, tuple(sorted({name.name for name in statement.group})))
        name = f"{statement.barrier}_round{statement.round}"
        while name in self.taken:
            name += "_"
        return name

    def cell(self, statement: xcfa.Meet, process: str) -> xcfa.Place:
        array = xcfa.Name(self.array(statement), statement.position)
        number = self.rounds[statement.barrier, statement.round].index(process)
        return xcfa.Place(array, (xcfa.IntLiteral(number),))

    def arrival(self, process: xcfa.Process, statement: xcfa.Meet) -> list[xcfa.Statement]:
        place = self.cell(statement, process.name)
        order, tags = ("release", ()) if statement.orders else (None, _HIDDEN)
        store = xcfa.Store(xcfa.IntLiteral(1), place, order=order, position=statement.position, tags=tags)
        return [*_fences(statement), store]

    def flags(self, process: xcfa.Process, statement: xcfa.Meet) -> list[xcfa.Place]:
        others = sorted({name.name for name in statement.group} - {process.name})
        return [self.cell(statement, name) for name in others]

    def look(self, flag: xcfa.Place, statement: xcfa.Meet) -> xcfa.Load:
        order, tags = ("acquire", ()) if statement.orders else (None, _HIDDEN)
        return xcfa.Load(xcfa.Name(self.reads), flag, order=order, position=statement.position, tags=tags)

    def variables(self) -> Iterator[xcfa.Variable]:
        for (barrier, round_), names in self.rounds.items():
            array = self.array(xcfa.Meet(barrier, round_, tuple(map(xcfa.Name, names))))
            size = max(len(names), 2)
            zeros = tuple(xcfa.IntLiteral(0) for _ in range(size))
            yield xcfa.Variable(array, replace(xcfa.INT, sizes=(size,)), zeros, shown=False)


def _assume(read: xcfa.Name, value: int) -> xcfa.Assume:
    return xcfa.Assume(xcfa.Binary("=", read, xcfa.IntLiteral(value)))


def _fences(statement: xcfa.Meet) -> list[xcfa.Fence]:
    return [xcfa.Fence("join", statement.position, ("meet", *statement.tags))] if statement.orders else []
