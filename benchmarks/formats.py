"""Programs in the formats of other tools, made from the same XCFA text: C for GenMC and Nidhugg, litmus for herd.

What a format cannot say raises UnsupportedError.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator

from xgen import UnsupportedError
from xgen.program import automaton as xcfa
from xgen.program.printer import print_expression, print_statement

# ---- C -------------------------------------------------------------------------------------------------------------

HEAD = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

void __VERIFIER_assume(bool);
"""

OPERATORS = {"=": "==", "/=": "!=", "and": "&&", "or": "||", "mod": "%"} | {
    o: o for o in ("+", "-", "*", "<", "<=", ">", ">=")
}
C_UPDATES = {"fetch_add": "atomic_fetch_add", "fetch_sub": "atomic_fetch_sub", "exchange": "atomic_exchange"}


def to_c(program: xcfa.Program) -> str:
    """C11 with atomics and pthreads. Locations become labels; where no edge is enabled, the thread blocks."""
    lines = [HEAD]
    for variable in program.variables:
        if variable.type not in (xcfa.INT, xcfa.BOOL):
            raise UnsupportedError(f"C: `{variable.name}` is neither an int nor a bool")
        lines.append(f"static atomic_int {variable.name} = {_initial(variable)};")
    for process in program.processes:
        lines += [f"\nstatic void *{process.name}(void *unused) {{", *_c_thread(process), "}"]
    names = [process.name for process in program.processes]
    lines += [f"\nint main(void) {{\n  pthread_t threads[{len(names)}];"]
    lines += [f"  pthread_create(&threads[{i}], 0, {name}, 0);" for i, name in enumerate(names)]
    return "\n".join([*lines, "  return 0;\n}\n"])


def _initial(variable: xcfa.Variable) -> int:
    return int(variable.initial[0].value) if variable.initial else 0


def _c_thread(process: xcfa.Process) -> Iterator[str]:
    if process.procedures:
        raise UnsupportedError("C: processes with procedures are not translated")
    for variable in process.variables:
        yield f"  int {variable.name} = {_initial(variable)};"
    start = next(location for location in process.locations if location.kind == "init")
    for location in (start, *(other for other in process.locations if other is not start)):
        if any(edge.target.name == location.name for edge in process.edges):
            yield f"{location.name}:;"
        if location.kind == "final":
            yield "  return 0;"
        if location.kind == "error":
            yield "  assert(0);"
        for edge in process.edges:
            if edge.source.name == location.name and location.kind not in ("final", "error"):
                yield from _c_edge(edge)
        if location.kind not in ("final", "error"):
            yield "  __VERIFIER_assume(0);\n  return 0;"


def _c_edge(edge: xcfa.Edge) -> Iterator[str]:
    """The edge under the conditions that it starts with; the edges of the shipped programs exclude each other."""
    statements = list(edge.statements)
    conditions: list[xcfa.Expression] = []
    while statements and isinstance(first := statements[0], xcfa.Assume):
        conditions.append(first.condition)
        del statements[0]
    condition = functools.reduce(functools.partial(xcfa.Binary, "and"), conditions or [xcfa.BoolLiteral(True)])
    yield f"  if ({_c_expression(condition)}) {{"
    yield from (f"    {_c_statement(statement)}" for statement in statements)
    yield f"    goto {edge.target.name};\n  }}"


def _c_statement(statement: xcfa.Statement) -> str:
    match statement:
        case xcfa.Assign():
            return f"{statement.target.name} = {_c_expression(statement.value)};"
        case xcfa.Assume():
            return f"__VERIFIER_assume({_c_expression(statement.condition)});"
        case xcfa.Assert():
            return f"assert({_c_expression(statement.condition)});"
        case xcfa.Fence(tag=None, tags=()):
            return "atomic_thread_fence(memory_order_seq_cst);"
        case _:
            return _c_access(statement, _c_expression)


def _c_access(statement: xcfa.Statement, value: Callable[[xcfa.Expression], str], at: str = "&") -> str:
    """A load, a store or an update in C; `at` is what makes a pointer of a variable's name."""
    match statement:
        case xcfa.Load():
            place = at + _variable(statement.place)
            return f"{statement.target.name} = atomic_load_explicit({place}, {_order(statement.order)});"
        case xcfa.Store():
            place = at + _variable(statement.place)
            return f"atomic_store_explicit({place}, {value(statement.value)}, {_order(statement.order)});"
        case xcfa.Rmw(op=op) if op in C_UPDATES:
            given = f"{at}{_variable(statement.place)}, {value(statement.arguments[0])}, {_order(*statement.orders)}"
            result = f"{statement.target.name} = " if statement.target else ""
            return f"{result}{C_UPDATES[op]}_explicit({given});"
        case xcfa.Rmw(op="cas", target=xcfa.Name(target), orders=(order, *_)):
            place, (old, new), o = at + _variable(statement.place), map(value, statement.arguments), _order(order)
            update = f"atomic_compare_exchange_strong_explicit({place}, &{target}, {new}, {o}, {o});"
            return f"{target} = {old}; {update}"
    raise UnsupportedError(f"C: `{print_statement(statement)}` is not translated")


def _order(order: str | None = None, *_: str) -> str:
    if order is None:
        raise UnsupportedError("C: accesses without an order are not translated")
    return f"memory_order_{order}"


def _variable(place: xcfa.AnyPlace) -> str:
    if isinstance(place, xcfa.Place) and not place.indices:
        return place.name.name
    raise UnsupportedError("arrays and pointers are not translated")


def _c_expression(expression: xcfa.Expression) -> str:
    match expression:
        case xcfa.IntLiteral() | xcfa.BoolLiteral():
            return str(int(expression.value))
        case xcfa.Name():
            return expression.name
        case xcfa.Unary(op="not"):
            return f"!({_c_expression(expression.operand)})"
        case xcfa.Binary(op=op) if op in OPERATORS:
            return f"({_c_expression(expression.left)}) {OPERATORS[op]} ({_c_expression(expression.right)})"
    raise UnsupportedError(f"C: `{print_expression(expression)}` is not translated")


# ---- litmus --------------------------------------------------------------------------------------------------------


def to_litmus(program: xcfa.Program, architecture: str) -> str:
    """A litmus test for "C", "X86_64" or "AArch64" of straight-line threads that store constants.

    Only what herd reads: its C compares with a place in memory, and its x86 has neither `xadd` nor, with the operands
    in the usual order, `cmpxchg`.
    """
    bodies = [list(_straight(process)) for process in program.processes]
    places = [list(dict.fromkeys(_variable(s.place) for s in body)) for body in bodies]
    state = "".join(f" {v.name}={_initial(v)};" for v in program.variables)
    if architecture == "C":
        threads = [_c_function(t, body, names) for t, (body, names) in enumerate(zip(bodies, places, strict=True))]
        return "\n".join(["C generated", f"{{{state} }}", *threads, "exists (true)\n"])
    if architecture == "AArch64":
        addresses = [(t, f"X{10 + i}", name) for t, names in enumerate(places) for i, name in enumerate(names)]
        state += "".join(f" {t}:{register}={name};" for t, register, name in addresses)
    columns = [
        [f"P{t}"] + [line for s in body for line in ([_x86(s)] if architecture == "X86_64" else _aarch64(s, names))]
        for t, (body, names) in enumerate(zip(bodies, places, strict=True))
    ]
    height = max(map(len, columns))
    rows = zip(*([*lines, *[""] * (height - len(lines))] for lines in columns), strict=True)
    return "\n".join([f"{architecture} generated", f"{{{state} }}", *_table(rows), "exists (true)\n"])


Access = xcfa.Load | xcfa.Store | xcfa.Rmw


def _straight(process: xcfa.Process) -> Iterator[Access]:
    """The accesses of a process that is one edge."""
    if len(process.edges) != 1:
        raise UnsupportedError("litmus: only straight-line threads are translated")
    for statement in process.edges[0].statements:
        if not isinstance(statement, Access):
            raise UnsupportedError(f"litmus: `{print_statement(statement)}` is not translated")
        yield statement


def _constant(expression: xcfa.Expression) -> str:
    if isinstance(expression, xcfa.IntLiteral):
        return str(expression.value)
    raise UnsupportedError(f"litmus: `{print_expression(expression)}` is not a constant")


def _c_function(thread: int, body: list[Access], names: list[str]) -> str:
    for statement in body:
        if isinstance(statement, xcfa.Rmw) and statement.op == "cas":
            raise UnsupportedError(f"C litmus: `{print_statement(statement)}` is not translated")
    locals_ = dict.fromkeys(s.target.name for s in body if not isinstance(s, xcfa.Store) and s.target)
    lines = [*(f"int {name} = 0;" for name in locals_), *(_c_access(s, _constant, at="") for s in body)]
    return f"P{thread} ({', '.join(f'atomic_int* {name}' for name in names)}) {{\n  " + "\n  ".join(lines) + "\n}"


def _x86(statement: Access) -> str:
    place = _variable(statement.place)
    match statement:
        case xcfa.Load():
            return f"movl ({place}),%eax"
        case xcfa.Store():
            return f"movl ${_constant(statement.value)},({place})"
        case xcfa.Rmw(op="fetch_add", arguments=(xcfa.IntLiteral(1),)):
            return f"lock incl ({place})"
    raise UnsupportedError(f"X86_64: `{print_statement(statement)}` is not translated")


def _aarch64(statement: Access, names: list[str]) -> list[str]:
    at = f"[X{10 + names.index(_variable(statement.place))}]"
    match statement:
        case xcfa.Load():
            return [f"LDR W2,{at}"]
        case xcfa.Store():
            return [f"MOV W0,#{_constant(statement.value)}", f"STR W0,{at}"]
        case xcfa.Rmw(op="fetch_add", arguments=(number,)):
            return [f"MOV W0,#{_constant(number)}", f"LDADD W0,W2,{at}"]
        case xcfa.Rmw(op="cas", arguments=(old, new)):
            return [f"MOV W0,#{_constant(old)}", f"MOV W1,#{_constant(new)}", f"CAS W0,W1,{at}"]
    raise UnsupportedError(f"AArch64: `{print_statement(statement)}` is not translated")


def _table(rows: Iterable[tuple[str, ...]]) -> list[str]:
    return [re.sub(r" +;$", " ;", " " + " | ".join(row) + " ;") for row in rows]
