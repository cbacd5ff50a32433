"""Variable arguments: functions are inlined, so those of each call are known.

A `va_list` is a number: which call's list it is, and how many arguments were taken.
"""

from __future__ import annotations

from pycparser import c_ast

from xgen.frontends.c.language.body import Body
from xgen.frontends.c.language.expressions import NOTHING
from xgen.frontends.c.library.call import Call, Handler
from xgen.frontends.c.text.gnu.desugar import VA_ARG
from xgen.frontends.c.values.arithmetic import convert
from xgen.frontends.c.values.places import Place, Value, literal
from xgen.frontends.c.values.types import VOID, CType, Int, Pointer, is_scalar, size_of
from xgen.program.automaton import BoolLiteral

_MOST = 256
"""So many arguments a call has at most."""
_LIST = Pointer(VOID)


def _start(call: Call) -> Value:
    body, more = call.body, call.body.activations[-1].more
    if len(more) >= _MOST:
        body.refuse(f"a call with more than {_MOST} variable arguments is", call.node)
    body.lists.append(more)
    body.store(body.place(call.arguments[0]), literal(len(body.lists) * _MOST, _LIST), call.node)
    return NOTHING


def _copy(call: Call) -> Value:
    to = call.body.place(call.arguments[0])
    call.body.store(to, call.body.number(call.arguments[1]), call.node)
    return NOTHING


def _end(call: Call) -> Value:
    call.body.place(call.arguments[0])
    return NOTHING


def _next(call: Call) -> Value:
    """The next argument of a list, as what `va_arg` says that it is."""
    body, node, (list_, size) = call.body, call.node, call.arguments
    type_ = body.type_of(size.expr)
    place = body.place(list_)
    at = body.load(place, node).constant
    if at is None or not 0 < at // _MOST <= len(body.lists):
        body.refuse("`va_arg` of a list that is not known here, or in a loop whose rounds are not, is", node)
    number, taken = divmod(at, _MOST)
    given = body.lists[number - 1]
    if taken >= len(given):  # the behaviour is undefined
        body.check(BoolLiteral(False), "undefined", node)
        return body.nothing(type_)
    body.store(place, literal(at + 1, _LIST), node)
    return _given_as(body, given[taken], type_, node)


def _given_as(body: Body, place: Place, type_: CType, node: c_ast.Node) -> Value:
    """An argument that is as large as the type is, and a number or a pointer where that is one."""
    numbers = [isinstance(part, Int) for part in (type_, place.type)]
    alike = numbers[0] == numbers[1] if is_scalar(type_) and is_scalar(place.type) else str(type_) == str(place.type)
    if not alike or size_of(type_) != size_of(place.type):
        body.refuse(f"`va_arg` with the type {type_} of an argument of the type {place.type} is", node)
    value = body.load(place, node)
    return convert(value, type_) if is_scalar(type_) else value


HANDLERS: dict[str, Handler] = {
    **{f"{prefix}va_start": _start for prefix in ("", "__builtin_")},
    **{f"{prefix}va_copy": _copy for prefix in ("", "__builtin_")},
    **{f"{prefix}va_end": _end for prefix in ("", "__builtin_")},
    VA_ARG: _next,
}
