"""From programs to their text; reading the text gives the same program again."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, TypeAlias

from xgen.program import automaton as xcfa
from xgen.program.expressions import REALS_OF_ONE

if TYPE_CHECKING:
    from xgen.program import surface

ORDERS = frozenset({"relaxed", "acquire", "release", "acq_rel", "seq_cst"})

# How tightly expressions bind. Operands of a looser kind than the place allows are put in parentheses.
LOOSEST, UNARY_NOT, NEGATIVE, TIGHTEST = 0, 5, 14, 15
LEVEL = (
    {"iff": 1, "imply": 2, "or": 3, "and": 4, "=": 6, "/=": 6, "<": 7, "<=": 7, ">": 7, ">=": 7}
    | {"bitor": 8, "bitxor": 9, "bitand": 10, "shl": 11, "shr": 11}
    | {"+": 12, "-": 12, "*": 13, "/": 13, "mod": 13, "rem": 13}
)  # fmt: skip
RIGHT_ASSOCIATIVE = frozenset({"iff", "imply"})
UNCHAINED = frozenset({"=", "/=", "<", "<=", ">", ">="})

Piece: TypeAlias = str | tuple[xcfa.Expression, int]


def print_expression(expression: xcfa.Expression) -> str:
    """The expression with as few parentheses as it needs. Not recursive, so that depth does not matter."""
    return _at_level(expression, LOOSEST)


def _at_level(expression: xcfa.Expression, least: int) -> str:
    text: list[str] = []
    stack: list[Piece] = [(expression, least)]
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


def _pieces(expression: xcfa.Expression) -> tuple[int, list[Piece]]:
    """How tightly an expression binds, and its text with holes: operands, and the level that they need there."""
    match expression:
        case xcfa.IntLiteral(value):
            return (TIGHTEST if value >= 0 else NEGATIVE), [str(value)]
        case xcfa.BoolLiteral(value):
            return TIGHTEST, ["true" if value else "false"]
        case xcfa.Element(name):
            return TIGHTEST, [name, *_indices(expression.indices)]
        case xcfa.Name(name):
            return TIGHTEST, [name]
        case xcfa.Unary("not", operand):
            return UNARY_NOT, ["not ", (operand, UNARY_NOT)]
        case xcfa.Unary("bitnot", operand):
            return NEGATIVE, ["bitnot ", (operand, NEGATIVE)]
        case xcfa.Unary(op, operand) if op in REALS_OF_ONE:
            return TIGHTEST, [f"{op}(", (operand, LOOSEST), ")"]
        case xcfa.Unary(_, operand):
            return NEGATIVE, ["-", *_operand_of_minus(operand)]
        case xcfa.Wrap(operand, bits, signed):
            return TIGHTEST, ["wrap(", (operand, LOOSEST), f", {-bits if signed else bits})"]
        case xcfa.Index(operand, size):
            return TIGHTEST, ["index(", (operand, LOOSEST), f", {size})"]
        case xcfa.AddressOf(place):
            return TIGHTEST, ["&", *_place_pieces(place)]
        case xcfa.Conditional(condition, positive, negative):
            parts: list[Piece] = ["if ", (condition, 0), " then ", (positive, 0), " else ", (negative, 0)]
            return LOOSEST, parts
        case xcfa.Binary(op, left, right) if op in xcfa.FUNCTIONS:
            return TIGHTEST, [f"{op}(", (left, LOOSEST), ", ", (right, LOOSEST), ")"]
        case xcfa.Binary(op, left, right):
            level = LEVEL[op]
            left_level = level + 1 if op in RIGHT_ASSOCIATIVE or op in UNCHAINED else level
            right_level = level if op in RIGHT_ASSOCIATIVE else level + 1
            return level, [(left, left_level), f" {op} ", (right, right_level)]


def _operand_of_minus(operand: xcfa.Expression) -> list[Piece]:
    """`-(5)` is a negation, `-5` a number."""
    if isinstance(operand, xcfa.IntLiteral) and operand.value >= 0:
        return [f"({operand.value})"]
    return [" " if isinstance(operand, (xcfa.Unary, xcfa.IntLiteral)) else "", (operand, NEGATIVE)]


def print_statement(statement: xcfa.Statement) -> str:
    """The statement on one line."""
    match statement:
        case xcfa.Assign(target, value):
            return f"{print_expression(target)} := {print_expression(value)}"
        case xcfa.Load(target, place, exclusive=True):
            return f"{print_expression(target)} <- load_exclusive({print_place(place)}){_access(statement)}"
        case xcfa.Load(target, place):
            return f"{print_expression(target)} <- {print_place(place)}{_access(statement)}"
        case xcfa.Store(value, place):
            return f"{print_expression(value)} -> {print_place(place)}{_access(statement)}"
        case xcfa.StoreExclusive(status, value, place):
            values = f"{print_place(place)}, {print_expression(value)}"
            return f"{print_expression(status)} <- store_exclusive({values}){_access(statement)}"
        case xcfa.Rmw(target, op, place, arguments):
            values = ", ".join([print_place(place), *map(print_expression, arguments)])
            update = f"wrap({op}({values}), {statement.bits})" if statement.bits is not None else f"{op}({values})"
            return f"{f'{print_expression(target)} <- ' if target else ''}{update}{_update(statement)}"
        case xcfa.Fence(tag, _, tags):
            first = "" if tag is None else f" @ {tag}" if tag in ORDERS else f"[{tag}]"
            return f"fence{first}{_tags(tags)}"
        case xcfa.Assume(condition):
            return f"assume {print_expression(condition)}"
        case xcfa.Assert(condition, _, kind):
            text = "" if kind == "assertion" else f"[{kind.replace('-', '_')}]"
            return f"assert{text} {print_expression(condition)}"
        case xcfa.Bound(counter, limit):
            return f"bound({counter.name}, {limit})"
        case xcfa.Cut():
            return "cut()"
        case xcfa.Predict(target, value, picks, count):
            below = f", {count}" if count != 2 else ""
            return f"{'pick' if picks else 'predict'}({print_expression(target)}, {print_expression(value)}{below})"
        case xcfa.Select(target, choice, positive, negative, one_sided):
            values = ", ".join(
                [print_expression(target), choice.name, print_expression(positive), print_expression(negative)]
            )
            return f"{'select_if' if one_sided else 'select'}({values})"
        case xcfa.Scope(op, local):
            return f"{op}({local.name})"
        case xcfa.Havoc(target, bounds):
            inside = f" in {' .. '.join(map(print_expression, bounds))}" if bounds else ""
            return f"havoc {print_expression(target)}{inside}"
        case xcfa.Call(target, procedure, arguments):
            values = ", ".join(map(print_expression, arguments))
            return f"{f'{print_expression(target)} := ' if target else ''}call {procedure.name}({values})"
        case xcfa.Return(value):
            return "return" if value is None else f"return {print_expression(value)}"
        case xcfa.Mutex(op, xcfa.Name(name)):
            return f"{op}({name})"
        case xcfa.Mutex(op, xcfa.Place(name, ())):
            return f"{op}(*&{name.name})"
        case xcfa.Mutex(op, place):
            assert not isinstance(place, xcfa.Name)
            return f"{op}({print_place(place)})"
        case xcfa.Lifetime(op, place):
            return f"{op}({print_place(place)})"
        case xcfa.Control(op, name, _, tags):
            return f"{op} {print_expression(name)}{_tags(tags)}"
        case xcfa.Meet(barrier, round_, group, _, tags):
            word = "meet" if statement.orders else "gather"
            return f"{word}({', '.join([barrier, str(round_), *map(print_expression, group)])}){_tags(tags)}"
        case xcfa.Skip():
            return "skip"
        case xcfa.AtomicBegin():
            return "atomic-begin"
        case xcfa.AtomicEnd():
            return "atomic-end"


def print_place(place: xcfa.AnyPlace) -> str:
    return "".join(piece if isinstance(piece, str) else _at_level(*piece) for piece in _place_pieces(place))


def _place_pieces(place: xcfa.AnyPlace) -> list[Piece]:
    """The text of a place with holes, as for expressions."""
    if isinstance(place, xcfa.Deref):
        return [f"*[{place.width}] " if place.width else "*", (place.address, TIGHTEST)]
    array, dot, of_struct = place.name.name.partition(".")
    return [array, *_indices(place.indices), dot + of_struct]


def _indices(indices: Sequence[xcfa.Expression]) -> list[Piece]:
    pieces: list[Piece] = []
    for index in indices:
        pieces += ["[", (index, LOOSEST), "]"]
    return pieces


def _access(statement: xcfa.Load | xcfa.Store | xcfa.StoreExclusive) -> str:
    atomic = not isinstance(statement, xcfa.StoreExclusive) and statement.atomic
    order = () if statement.order is None else (statement.order,)
    return (" atomic" if atomic else "") + _tags((*order, *statement.tags))


def _update(statement: xcfa.Rmw) -> str:
    orders = f" @ {', '.join(statement.orders)}" if statement.orders else ""
    read = f" @ R[{', '.join(statement.read_tags)}]" if statement.read_tags else ""
    write = f" @ W[{', '.join(statement.write_tags)}]" if statement.write_tags else ""
    return orders + read + write


def _tags(tags: tuple[str, ...]) -> str:
    return "".join(f" @ {tag}" for tag in tags)


def print_location(location: xcfa.Location) -> str:
    return f"{location.kind} loc {location.name}" if location.kind else f"loc {location.name}"


def print_program(program: xcfa.Program) -> str:
    """The whole program, with a line end: its locations and edges, whatever text it was made from."""
    lines = list(_variables(program.variables))
    for process in program.processes:
        lines += ["", *_process(process)] if lines else _process(process)
    return "\n".join(lines) + "\n"


CELL = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)((?:\[[0-9]+\])+)")
"""The name of a cell of a local array, or of one of several processes."""


def _variables(variables: Sequence[xcfa.Variable]) -> Iterator[str]:
    """Declarations; the fields of a struct and the cells of a local array are declared together."""
    for (base, kind), group in groupby(variables, _together):
        members = tuple(group)
        if kind == "field":
            yield from _struct(base, members)
        elif kind == "cell":
            yield _array(base, members)
        else:
            yield from (print_variable(member, str(member.type)) for member in members)


def _together(variable: xcfa.Variable) -> tuple[str, str]:
    array, dot, _ = variable.name.partition(".")
    if dot:
        return array, "field"
    cell = CELL.fullmatch(variable.name)
    return (cell[1], "cell") if cell else (variable.name, "")


def _struct(base: str, fields: tuple[xcfa.Variable, ...]) -> Iterator[str]:
    parts = " ".join(f"{field.name.partition('.')[2]} : {field.type.base}" for field in fields)
    sizes = str(fields[0].type).removeprefix(fields[0].type.base)
    count = max(len(field.initial) for field in fields)
    zeros = {"bool": xcfa.BoolLiteral(False)}
    firsts = (field.initial or (zeros.get(field.type.base, xcfa.IntLiteral(0)),) * count for field in fields)
    cells = zip(*firsts, strict=True)
    values = ", ".join(print_expression(value) for element in cells for value in element)
    yield f"struct {base}_fields {{ {parts} }}"
    yield f"var {base} : {base}_fields{sizes}{f' ({values})' if values else ''}"


def _array(base: str, cells: tuple[xcfa.Variable, ...]) -> str:
    last = cells[-1].name.removeprefix(base).strip("[]").split("][")
    sizes = "".join(f"[{int(index) + 1}]" for index in last)
    values = ", ".join(print_expression(cell.initial[0]) for cell in cells if cell.initial)
    return f"var {base} : {cells[0].type}{sizes}{f' ({values})' if values else ''}"


def print_variable(variable: xcfa.Variable | surface.Variable, kind: str) -> str:
    """The declaration of a variable of a type, which is written as `kind`."""
    values = f" ({', '.join(map(print_expression, variable.initial))})" if variable.initial else ""
    values = " (-)" if variable.undefined else values
    width = f" : {variable.bytes}" if variable.bytes else ""
    address = "" if variable.address is None else f" @ {variable.address}{width}"
    heap = "" if variable.object is None else " @ heap"
    heap += "" if variable.object in (None, variable.name) else f" {variable.object}"
    return f"var {variable.name} : {kind}{values}{address}{heap}"


def _process(process: xcfa.Process) -> Iterator[str]:
    many, me = "[*]" if process.many else "", f"({process.me.name})" if process.me else ""
    name, one_of = process.name, CELL.fullmatch(process.name)
    if one_of:
        number = one_of[2].strip("[]")
        name, many = one_of[1], f"[{number} .. {number}]"
    yield f"{'main ' if process.main else ''}process {name}{many}{me} {{"
    yield from _body(process)
    for procedure in process.procedures:
        yield from _indented(_procedure(procedure))
    yield "}"


def _procedure(procedure: xcfa.Procedure) -> Iterator[str]:
    parameters = ", ".join(f"{parameter.name} : {parameter.type}" for parameter in procedure.parameters)
    returns = f"{procedure.returns} " if procedure.returns else ""
    yield f"{returns}{'main ' if procedure.main else ''}procedure {procedure.name}({parameters}) {{"
    yield from _body(procedure)
    yield "}"


def _body(part: xcfa.Process | xcfa.Procedure) -> Iterator[str]:
    yield from _indented(_variables(part.variables))
    yield from _indented(print_location(location) for location in part.locations)
    for edge in part.edges:
        yield from _indented(_edge(edge))


def _edge(edge: xcfa.Edge) -> Iterator[str]:
    """Every statement ends in a semicolon: without one, the next might be read as its continuation."""
    if not edge.statements:
        yield f"{edge.source.name} -> {edge.target.name}"
        return
    yield f"{edge.source.name} -> {edge.target.name} {{"
    yield from _indented(f"{print_statement(statement)};" for statement in edge.statements)
    yield "}"


def _indented(lines: Iterable[str]) -> Iterator[str]:
    return (f"  {line}" for line in lines)
