"""Explicit states beside SPIN's: the same systems under sc, all states of each.

    python benchmarks/spin.py > results/spin.csv

Systems become Promela in which each transition is one atomic step, so that both explore the same states; SPIN (with a C
compiler) has to be on PATH. Its partial-order reduction is off, and so is what leaves out states of programs.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

from harness import fastest, run, write
from mutexes import anderson, lamport, peterson_n

from xgen.analyses.ltl import check_formula
from xgen.errors import Source
from xgen.frontends.dve import System, read_dve
from xgen.systems.processes import Expression, Number, Operation, Read, Stands, Variable

SYSTEMS = {"peterson_n(4)": peterson_n(4), "lamport(4)": lamport(4), "anderson(5)": anderson(5)}
FIELDS = (
    *("system", "states", "seconds", "states_per_second"),
    *("spin_states", "spin_seconds", "spin_states_per_second", "ratio"),
)
AGAIN = 3
"""Runs of SPIN, of which the fastest counts."""

TYPES = {(0, 255): "byte", (-(1 << 15), (1 << 15) - 1): "short", (0, 1): "bool"}


def to_promela(system: System) -> str:
    """The text; SPIN counts the states of the system under sc. Raises ValueError for what is left out here."""
    lines = [_declaration(v) for v in system.variables if v.is_shared]
    for number, process in enumerate(system.processes):
        if process.committed or process.asserts:
            raise ValueError("committed places and assertions are left out")
        lines.append(f"active proctype P{number}() {{")
        lines += [f"  {_declaration(v)}" for v in system.variables if v.process == number]
        lines.append(f"  goto L{process.start};")
        for place in range(len(process.places)):
            moves = [t for t in system.transitions if t.process == number and t.origin == place]
            lines.append(f"L{place}:")
            if not moves:
                lines.append("  false;")
                continue
            lines.append("  if")
            for move in moves:
                guard = "true" if move.guard is None else _text(move.guard)
                effects = "".join(f" {_target(e.variable, e.index)} = {_text(e.value)};" for e in move.effects)
                lines.append(f"  :: atomic {{ {guard} ->{effects} goto L{move.target} }}")
            lines.append("  fi;")
        lines.append("}")
    return "\n".join(lines) + "\n"


def _declaration(variable: Variable) -> str:
    size = f"[{len(variable.initial)}]" if variable.is_array else ""
    if variable.is_array and any(variable.initial):
        first = f" = {{{', '.join(map(str, variable.initial))}}}"
    else:
        first = f" = {variable.initial[0]}" if variable.initial[0] else ""
    return f"{TYPES[variable.range]} {variable.name}{size}{first};"


def _target(variable: Variable, index: Expression | None) -> str:
    return variable.name if index is None else f"{variable.name}[{_text(index)}]"


def _text(expression: Expression) -> str:
    if isinstance(expression, Number):
        return str(expression.value)
    if isinstance(expression, Read):
        return _target(expression.variable, expression.index)
    if isinstance(expression, Stands):
        raise ValueError("places of other processes are left out")
    assert isinstance(expression, Operation)
    parts = [_text(operand) for operand in expression.operands]
    if len(parts) == 1:
        return f"({expression.operator}{parts[0]})"
    return f"({parts[0]} {expression.operator} {parts[1]})"


def explore(text: str) -> dict[str, object]:
    """All states of a system, by both."""
    system = read_dve(Source("system.dve", text))
    result, seconds = fastest(lambda: check_formula(system, "G true", "sc"), 2.0)
    states, other = spin(to_promela(system))
    rate, other_rate = result.states / seconds, states / other
    return {
        "states": result.states, "seconds": f"{seconds:.3f}", "states_per_second": round(rate),
        "spin_states": states, "spin_seconds": f"{other:.3f}", "spin_states_per_second": round(other_rate),
        "ratio": f"{rate / other_rate:.2f}",
    }  # fmt: skip


def spin(text: str) -> tuple[int, float]:
    """The number of states that SPIN stores, and its seconds, without those of making its program."""
    with tempfile.TemporaryDirectory() as folder:
        model, program = Path(folder) / "model.pml", Path(folder) / "pan"
        model.write_text(text)
        options = "cd $0 && spin -o1 -o2 -o3 -a model.pml && cc -O2 -DSAFETY -DNOREDUCE -DMEMLIM=8000 -o pan pan.c"
        made = run(["sh", "-c", options, folder])
        if made.status:
            raise RuntimeError(made.output)
        runs = [run([str(program), "-m1000000", "-w22", "-E"]) for _ in range(AGAIN)]
    found = re.search(r"([\d.e+]+) states, stored", runs[0].output)
    assert found is not None, runs[0].output
    return int(float(found[1])), min(each.cpu for each in runs)


def rows() -> Iterator[dict[str, object]]:
    """All systems."""
    for name, text in SYSTEMS.items():
        yield {"system": name, **explore(text)}


if __name__ == "__main__":
    write(FIELDS, rows())
