"""A bound on the rounds of loops: a thread that starts one more round is cut.

A loop is what an edge closes that leads back to a location which it can be reached from, on a way from the start; its
rounds are counted by a local of its own, from the edges on that lead into it.
"""

from __future__ import annotations

from collections.abc import Iterator

from xgen.program import automaton as xcfa
from xgen.records import replace


def unrolled(program: xcfa.Program, rounds: int) -> xcfa.Program:
    """The program in which each loop has at most so many rounds each time that it is come to."""
    shared = {variable.name for variable in program.variables}
    processes = []
    for process in program.processes:
        outer = {variable.name for variable in process.variables} | shared
        if process.procedures:
            bodies = tuple(_bounded(procedure, rounds, outer) for procedure in process.procedures)
            processes.append(replace(process, procedures=bodies))
        else:
            body = _bounded(process.main_procedure, rounds, shared)
            processes.append(replace(process, variables=body.variables, edges=body.edges))
    return replace(program, processes=tuple(processes))


def _bounded(body: xcfa.Procedure, rounds: int, taken: set[str]) -> xcfa.Procedure:
    taken = taken | {variable.name for variable in (*body.parameters, *body.variables)}
    counters: dict[str, xcfa.Name] = {}
    back = set(_back_edges(body))
    for number in sorted(back):
        target = body.edges[number].target
        if target.name not in counters:
            name = f"rounds_{len(counters) + 1}"
            while name in taken:
                name += "_"
            taken.add(name)
            counters[target.name] = xcfa.Name(name, target.position)
    edges = []
    for number, edge in enumerate(body.edges):
        counter = counters.get(edge.target.name)
        statements = edge.statements
        if counter is not None and number in back:
            statements = (*statements, xcfa.Bound(counter, rounds - 1, edge.position))
        elif counter is not None:
            statements = (*statements, xcfa.Assign(counter, xcfa.IntLiteral(0, edge.position), edge.position))
        edges.append(edge if statements is edge.statements else replace(edge, statements=statements))
    declared = [xcfa.Variable(name.name, xcfa.INT, (), name.position, shown=False) for name in counters.values()]
    return replace(body, variables=(*body.variables, *declared), edges=tuple(edges))


def _back_edges(body: xcfa.Procedure) -> Iterator[int]:
    """The edges that lead back to a location on the way from the initial one to them, depth first, by number."""
    leaving: dict[str, list[int]] = {}
    for number, edge in enumerate(body.edges):
        leaving.setdefault(edge.source.name, []).append(number)
    start = next(location.name for location in body.locations if location.kind == "init")
    on_the_way, seen = {start}, {start}
    stack = [(start, iter(leaving.get(start, ())))]
    while stack:
        here, edges = stack[-1]
        following = next(edges, None)
        if following is None:
            stack.pop()
            on_the_way.discard(here)
            continue
        target = body.edges[following].target.name
        if target in on_the_way:
            yield following
        elif target not in seen:
            seen.add(target)
            on_the_way.add(target)
            stack.append((target, iter(leaving.get(target, ()))))
