"""What programs print: nothing is printed, arguments are evaluated. Text that is made of what is known: `snprintf`."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import NoReturn

from pycparser import c_ast

from xgen.frontends.c.language.body import Body
from xgen.frontends.c.library.call import Call, Handler
from xgen.frontends.c.values.arithmetic import convert
from xgen.frontends.c.values.constants import characters
from xgen.frontends.c.values.places import InMemory, Value, literal
from xgen.frontends.c.values.types import (
    CHAR,
    INT,
    LONG,
    UCHAR,
    UINT,
    ULONG,
    Pointer,
    converted,
    size_of,
)
from xgen.frontends.library.formats import SPACES, Conversion, formatted, number_of, strings_in
from xgen.frontends.library.table import CHARACTERS, FORMATTED, TEXTS
from xgen.program.automaton import IntLiteral

_TYPES = {(32, True): INT, (32, False): UINT, (64, True): LONG, (64, False): ULONG}
PRINTING = FORMATTED.keys() | TEXTS | CHARACTERS


def _character(call: Call) -> Value:
    body = call.body
    value = body.keep(convert(convert(body.number(call.arguments[0]), UCHAR), INT), call.node)
    printed(body, call.arguments[1:])
    return value


def _print(call: Call) -> Value:
    name, arguments = call.name, call.arguments
    text = _text(arguments[FORMATTED[name]]) if name in FORMATTED else None
    first = FORMATTED.get(name, -1) + 1
    texts = {0} if name in TEXTS else {first + at for at in strings_in(text or "")} if name[0] != "v" else set()
    printed(call.body, arguments, texts)
    if not call.body.used(call.node):
        return literal(0, INT)
    if text is None or "%" in text.replace("%%", ""):
        call.body.refuse(f"the result of `{name}` is", call.node)
    return literal(len(text.replace("%%", "%")), INT)


def printed(body: Body, arguments: Sequence[c_ast.Node], texts: Set[int] = frozenset()) -> None:
    """Evaluates what is printed. Of string constants, and of messages of errors, nothing matters; of other texts, which
    `texts` are, the first letter is read."""
    for number, argument in enumerate(arguments):
        if isinstance(argument, c_ast.FuncCall) and getattr(argument.name, "name", "") == "strerror":
            printed(body, argument.args.exprs if argument.args else [])
        elif number in texts and not isinstance(argument, c_ast.Constant):
            text = body.keep(body.number(argument), argument)
            if isinstance(text.type, Pointer):
                body.load(body.target(text, CHAR), argument)
        elif not isinstance(argument, c_ast.Constant):
            body.evaluate(argument)


# ---- text in memory


def _made(call: Call) -> Value:
    """The text is written as far as there is room; the value is how long it is."""
    body, name, arguments, node = call.body, call.name, call.arguments, call.node
    room, format_ = SPACES[name]
    to, *others = body.numbers(arguments)
    size = None if room is None else others[room - 1].constant
    text = _text(arguments[format_])
    if text is None or (room is not None and size is None):
        body.refuse(f"`{name}` whose format or room is not known here is", node)
    codes = _formatted(body, text, others[format_:], node)
    written = codes if size is None else codes[: max(size - 1, 0)]
    if size == 0:
        return literal(len(codes), INT)
    to = body.keep(to, node)
    for offset, code in enumerate([*written, 0]):
        place = body.moved(body.target(to, CHAR), offset, CHAR)
        body.store(place, literal(converted(code, CHAR), CHAR), node)
    return literal(len(codes), INT)


def _formatted(body: Body, text: str, values: list[Value], node: c_ast.Node) -> list[int]:
    left = list(values)

    def value_of(conversion: Conversion) -> int | bytes | None:
        if not left:
            body.wrong("there are fewer arguments than the format asks for", node)
        value, kind = left.pop(0), number_of(conversion)
        if conversion["kind"] == "s" and not conversion["size"]:
            return _known_text(body, value)
        if conversion["kind"] == "c":
            return value.constant
        if kind is None or value.constant is None:
            return None
        number = convert(value, _TYPES[kind]).constant or 0
        return number + 2**64 if number < 0 and not kind[1] else number

    def refuse(what: str) -> NoReturn:
        called = f"--stub {node.name.name}: it writes nothing" if isinstance(node, c_ast.FuncCall) else None
        body.refuse(f"`{what}` of what is not known here, or is no integer or string, is", node, called)

    return list(formatted(text, value_of, refuse))


def _known_text(body: Body, pointer: Value) -> bytes | None:
    """The string that a pointer leads to, where all of it is known."""
    text = bytearray()
    if pointer.alias or pointer.constant is None or not isinstance(pointer.type, Pointer):
        return None
    while True:
        place = InMemory(IntLiteral(pointer.constant + len(text)), CHAR)
        found = body.object_at(place)
        code = body.known_cell(place) if found and size_of(pointer.type.target) == 1 else None
        if code is None or not -128 <= code < 256:
            return None
        if code == 0:
            return bytes(text)
        text.append(code & 255)


def _text(node: c_ast.Node) -> str | None:
    """A string constant, as long as it is ASCII."""
    codes = characters(node.value) if isinstance(node, c_ast.Constant) and node.type == "string" else None
    return None if codes is None or any(not 0 < code < 128 for code in codes) else bytes(codes).decode()


HANDLERS: dict[str, Handler] = {
    **dict.fromkeys(SPACES, _made),
    **dict.fromkeys(CHARACTERS, _character),
    **dict.fromkeys((*FORMATTED, *TEXTS), _print),
}
