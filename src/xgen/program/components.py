"""The parts of a program that share nothing: groups of processes, each a program of its own."""

from __future__ import annotations

from xgen.program.automaton import AddressOf, Control, Deref, Meet, Mutex, Place, Process, Program
from xgen.program.rewrite import parts
from xgen.records import replace


def components(program: Program) -> list[Program]:
    """The components of a program, in the order of their first processes; the program itself where there is one.

    Processes are in one if they share a variable, also indirectly, or if one starts, joins or meets the other. A
    variable that nobody uses goes with the first. There is one component where something is asked of final states or a
    deadlock is possible, which are matters of all processes; and where addresses are used, which depend on what else
    there is.
    """
    found: list[tuple[set[str], list[int]]] = []
    for number, process in enumerate(program.processes):
        names, members = _names(process), [number]
        if names is None:
            return [program]
        for other in [one for one in found if one[0] & names]:
            names, members = names | other[0], other[1] + members
            found.remove(other)
        found.append((names, members))
    if program.requirement is not None or program.many or program.absent or len(found) < 2:
        return [program]
    found.sort(key=lambda one: min(one[1]))
    used = set().union(*(names for names, _ in found[1:]))
    return [
        replace(
            program,
            processes=tuple(program.processes[number] for number in sorted(members)),
            variables=tuple(v for v in program.variables if (v.name in names if n else v.name not in used)),
        )
        for n, (names, members) in enumerate(found)
    ]


def _names(process: Process) -> set[str] | None:
    """The variables that a process uses, with itself and those that it starts, joins or meets; None: it may use
    others."""
    names = {f"process {process.name}"}
    for part in parts(process, (AddressOf, Control, Deref, Meet, Mutex, Place)):
        if isinstance(part, Control):
            names.add(f"process {part.process.name}")
        elif isinstance(part, Meet):
            names |= {f"process {one.name}" for one in part.group}
        elif isinstance(part, Place):
            names.add(part.name.name)
        else:
            return None
    return names
