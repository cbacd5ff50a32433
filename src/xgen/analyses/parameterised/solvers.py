"""SMT solvers, for those who check certificates: nothing else of xgen needs one."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from xgen.clock import Clock
from xgen.errors import XgenError
from xgen.extras import pip_install

SOLVERS = {"z3": "z3-solver", "cvc5": "cvc5"}
"""The solvers by their modules, and the packages that they come in."""

STOPPED = ("canceled", "interrupted from keyboard")
"""What z3 says when it was stopped."""

Solve = Callable[[str, float | None], str]
"""Gets an SMT-LIB text and a time limit in seconds; says "unsat", "sat" or "unknown"."""


class MissingSolver(XgenError):
    """A solver that is not installed."""


def load_solver(name: str) -> Solve:
    """The solver of that name, one of SOLVERS. Raises MissingSolver where it is not installed."""
    try:
        module = importlib.import_module(name)
    except ImportError:
        hint = f"`{pip_install(SOLVERS[name])}` has it"
        raise MissingSolver(f"the solver {name} is not installed", hint=hint) from None
    return _z3(module) if name == "z3" else _cvc5(module)


def _z3(module: Any) -> Solve:
    def solve(text: str, seconds: float | None) -> str:
        solver = module.SimpleSolver()  # the questions are small: what others do before they solve costs more
        if seconds is not None:
            solver.set("timeout", max(1, int(seconds * 1000)))
        solver.from_string(text)
        clock = Clock(None if seconds is None else 0.9 * seconds)
        answer = str(solver.check())
        # z3 keeps Ctrl-C for itself, and says the same as when its time is over.
        if answer == "unknown" and solver.reason_unknown() in STOPPED and not clock.over():
            raise KeyboardInterrupt
        return answer

    return solve


def _cvc5(module: Any) -> Solve:
    def solve(text: str, seconds: float | None) -> str:
        solver = module.Solver()
        if seconds is not None:
            solver.setOption("tlimit-per", str(max(1, int(seconds * 1000))))
        parser = module.InputParser(solver)
        parser.setStringInput(module.InputLanguage.SMT_LIB_2_6, text, "obligation")
        symbols = parser.getSymbolManager()
        said = ""
        while not (command := parser.nextCommand()).isNull():
            said += command.invoke(solver, symbols)
        return said.strip() or "unknown"

    return solve
