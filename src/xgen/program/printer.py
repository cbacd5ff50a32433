"""From programs to their text; reading the text gives the same program again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from xgen.program.automaton import (
    Assert,
    Assign,
    Assume,
    AtomicBegin,
    AtomicEnd,
    Binary,
    BoolLiteral,
    Call,
    Conditional,
    Control,
    Edge,
    Expression,
    Fence,
    Havoc,
    IntLiteral,
    Load,
    Location,
    Mutex,
    Name,
    Place,
    Procedure,
    Process,
    Program,
    Return,
    Rmw,
    Skip,
    Statement,
    Store,
    Unary,
    Variable,
)

ORDERS = frozenset({"relaxed", "acquire", "release", "acq_rel", "seq_cst"})

# How tightly expressions bind. Operands of a looser kind than the place allows are put in parentheses.
LOOSEST, UNARY_NOT, COMPARISON_OPERAND, NEGATIVE, TIGHTEST = 0, 5, 8, 10, 11
LEVEL = (
    {"iff": 1, "imply": 2, "or": 3, "and": 4, "=": 6, "/=": 6, "<": 7, "<=": 7, ">": 7, ">=": 7}
    | {"+": 8, "-": 8, "*": 9, "/": 9, "mod": 9, "rem": 9}
)  # fmt: skip
RIGHT_ASSOCIATIVE = frozenset({"iff", "imply"})
UNCHAINED = frozenset({"=", "/=", "<", "<=", ">", ">="})

Piece: TypeAlias = str | tuple[Expression, int]


def print_expression(expression: Expression) -> str:
    """The expression with as few parentheses as it needs. Not recursive, so that depth does not matter."""
    text: list[str] = []
    stack: list[Piece] = [(expression, LOOSEST)]
    while stack:
        piece = stack.pop()
        if isinstance(piece, str):
            text.append(piece)
            continue
        level, pieces = _pieces(piece[0])
        if level < piece[1]:
            pieces = ["(", *pieces, ")"]
        stack.extend(reversed(pieces))
    return "".join(text)


def _pieces(expression: Expression) -> tuple[int, list[Piece]]:
    """How tightly an expression binds, and its text with holes: operands, and the level that they need there."""
    match expression:
        case IntLiteral(value):
            return (TIGHTEST if value >= 0 else NEGATIVE), [str(value)]
        case BoolLiteral(value):
            return TIGHTEST, ["true" if value else "false"]
        case Name(name):
            return TIGHTEST, [name]
        case Unary("not", operand):
            return UNARY_NOT, ["not ", (operand, UNARY_NOT)]
        case Unary(_, operand):
            return NEGATIVE, ["-", *_operand_of_minus(operand)]
        case Conditional(condition, positive, negative):
            parts: list[Piece] = ["if ", (condition, 0), " then ", (positive, 0), " else ", (negative, 0)]
            return LOOSEST, parts
        case Binary(op, left, right):
            level = LEVEL[op]
            left_level = level + 1 if op in RIGHT_ASSOCIATIVE or op in UNCHAINED else level
            right_level = level if op in RIGHT_ASSOCIATIVE else level + 1
            return level, [(left, left_level), f" {op} ", (right, right_level)]


def _operand_of_minus(operand: Expression) -> list[Piece]:
    """`-(5)` is a negation, `-5` a number."""
    if isinstance(operand, IntLiteral) and operand.value >= 0:
        return [f"({operand.value})"]
    return [" " if isinstance(operand, (Unary, IntLiteral)) else "", (operand, NEGATIVE)]


def print_statement(statement: Statement) -> str:
    """The statement on one line."""
    match statement:
        case Assign(target, value):
            return f"{target.name} := {print_expression(value)}"
        case Load(target, place):
            return f"{target.name} <- {_place(place)}{_access(statement)}"
        case Store(value, place):
            return f"{print_expression(value)} -> {_place(place)}{_access(statement)}"
        case Rmw(target, op, place, arguments, orders):
            values = ", ".join([_place(place), *map(print_expression, arguments)])
            order = f" @ {', '.join(orders)}" if orders else ""
            return f"{f'{target.name} <- ' if target else ''}{op}({values}){order}"
        case Fence(tag):
            return "fence" if tag is None else f"fence @ {tag}" if tag in ORDERS else f"fence[{tag}]"
        case Assume(condition):
            return f"assume {print_expression(condition)}"
        case Assert(condition):
            return f"assert {print_expression(condition)}"
        case Havoc(target, bounds):
            inside = f" in {' .. '.join(map(print_expression, bounds))}" if bounds else ""
            return f"havoc {target.name}{inside}"
        case Call(target, procedure, arguments):
            values = ", ".join(map(print_expression, arguments))
            return f"{f'{target.name} := ' if target else ''}call {procedure.name}({values})"
        case Return(value):
            return "return" if value is None else f"return {print_expression(value)}"
        case Mutex(op, name):
            return f"{op}({name.name})"
        case Control(op, name):
            return f"{op} {name.name}"
        case Skip():
            return "skip"
        case AtomicBegin():
            return "atomic-begin"
        case AtomicEnd():
            return "atomic-end"


def _place(place: Place) -> str:
    return place.name.name + "".join(f"[{print_expression(index)}]" for index in place.indices)


def _access(statement: Load | Store) -> str:
    return (" atomic" if statement.atomic else "") + (f" @ {statement.order}" if statement.order else "")


def print_location(location: Location) -> str:
    return f"{location.kind} loc {location.name}" if location.kind else f"loc {location.name}"


def print_program(program: Program) -> str:
    """The whole program, with a line end."""
    lines = [_variable(variable) for variable in program.variables]
    for process in program.processes:
        lines += ["", *_process(process)] if lines else _process(process)
    return "\n".join(lines) + "\n"


def _variable(variable: Variable) -> str:
    values = f" ({', '.join(map(print_expression, variable.initial))})" if variable.initial else ""
    return f"var {variable.name} : {variable.type}{values}"


def _process(process: Process) -> Iterator[str]:
    yield f"{'main ' if process.main else ''}process {process.name} {{"
    yield from _body(process)
    for procedure in process.procedures:
        yield from _indented(_procedure(procedure))
    yield "}"


def _procedure(procedure: Procedure) -> Iterator[str]:
    parameters = ", ".join(f"{parameter.name} : {parameter.type}" for parameter in procedure.parameters)
    returns = f"{procedure.returns} " if procedure.returns else ""
    yield f"{returns}{'main ' if procedure.main else ''}procedure {procedure.name}({parameters}) {{"
    yield from _body(procedure)
    yield "}"


def _body(part: Process | Procedure) -> Iterator[str]:
    yield from _indented(_variable(variable) for variable in part.variables)
    yield from _indented(print_location(location) for location in part.locations)
    for edge in part.edges:
        yield from _indented(_edge(edge))


def _edge(edge: Edge) -> Iterator[str]:
    """Every statement ends in a semicolon: without one, the next might be read as its continuation."""
    if not edge.statements:
        yield f"{edge.source.name} -> {edge.target.name}"
        return
    yield f"{edge.source.name} -> {edge.target.name} {{"
    yield from _indented(f"{print_statement(statement)};" for statement in edge.statements)
    yield "}"


def _indented(lines: Iterator[str]) -> Iterator[str]:
    return (f"  {line}" for line in lines)
