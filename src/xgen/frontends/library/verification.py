"""Assertions and assumptions, and how a program ends."""

from __future__ import annotations

from xgen.frontends.library.call import INT, ZERO, Call, Function
from xgen.program.automaton import BoolLiteral, Expression, IntLiteral

ASSUMES = frozenset(["__VERIFIER_assume", "assume_abort_if_not", "__VERIFIER_spin_end", "__builtin_assume"])
"""Functions after which a condition holds, also those that the program itself defines."""
ERRORS = frozenset(
    ["__VERIFIER_error", "reach_error", "__assert_fail", "__assert_rtn", "__builtin_trap", "__builtin_unreachable"]
)
"""Functions whose call is a violation, whatever they do."""

REACHED = frozenset(["__VERIFIER_error", "reach_error"])
"""Those whose call is what SV-COMP's property `unreach-call` is about."""


def _assert(call: Call) -> Expression:
    call.check(call.truth(0), "assertion")
    return ZERO


def _assume(call: Call) -> Expression:
    call.assume(call.truth(0))
    return ZERO


def _error(call: Call) -> Expression:
    call.check(BoolLiteral(False), "assertion")
    return ZERO


def _abort(call: Call) -> Expression:
    call.exit_status(IntLiteral(1))
    call.assume(BoolLiteral(False))
    return ZERO


def _exit(call: Call) -> Expression:
    """In main it ends main."""
    return _ended(call, True)


def _exit_at_once(call: Call) -> Expression:
    """What `atexit` was given is not called."""
    return _ended(call, False)


def _ended(call: Call, functions: bool) -> Expression:
    call.exit_status(call.argument(0, INT))
    if call.handle == 0:
        call.end_main(functions)
    else:
        call.end_program(functions)
    return ZERO


def _begin(call: Call) -> Expression:
    call.atomic_begin()
    return ZERO


def _end(call: Call) -> Expression:
    call.atomic_end()
    return ZERO


VERIFICATION = {
    "__xgen_assert": Function(_assert, 1, None, more=True, single_threaded=True),
    "__VERIFIER_assert": Function(_assert, 1, None, single_threaded=True),
    **{name: Function(_assume, 1, None, single_threaded=True) for name in ASSUMES},
    **{name: Function(_error, 0, None, more=not name.startswith("__builtin"), single_threaded=True) for name in ERRORS},
    **{name: Function(_abort, 0, None, single_threaded=True) for name in ("abort", "__builtin_abort")},
    "exit": Function(_exit, 1, None, single_threaded=True),
    **{name: Function(_exit_at_once, 1, None, single_threaded=True) for name in ("_exit", "_Exit", "quick_exit")},
    "__VERIFIER_atomic_begin": Function(_begin, 0, None),
    "__VERIFIER_atomic_end": Function(_end, 0, None),
}
