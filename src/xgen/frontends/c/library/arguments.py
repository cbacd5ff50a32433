"""Variable arguments: functions are inlined, so those of each call are known.

A `va_list` is a number: which call's list it is, and how many arguments were taken.
"""

from __future__ import annotations

from collections.abc import Sequence

from pycparser import c_ast

from xgen.frontends.c.language.arithmetic import convert
from xgen.frontends.c.language.expressions import NOTHING
from xgen.frontends.c.language.places import Place, Value, literal
from xgen.frontends.c.language.types import VOID, CType, Int, Pointer, is_scalar, size_of
from xgen.frontends.c.library.unknown import Unknown
from xgen.frontends.c.text.lift import VA_ARG
from xgen.program.automaton import BoolLiteral

_MOST = 256
"""So many arguments a call has at most."""
_LIST = Pointer(VOID)


class Arguments(Unknown):
    """Calls of `va_start` and its like."""

    def arguments_call(self, name: str, arguments: Sequence[c_ast.Node], node: c_ast.Node) -> Value | None:
        """The value of such a call; None where the function is none of these."""
        match name.removeprefix("__builtin_"):
            case "va_start":
                activation = self.activations[-1]
                if len(activation.more) >= _MOST:
                    self.refuse(f"a call with more than {_MOST} variable arguments is", node)
                self.lists.append(activation.more)
                self.store(self.place(arguments[0]), literal(len(self.lists) * _MOST, _LIST), node)
                return NOTHING
            case "va_copy":
                to = self.place(arguments[0])
                self.store(to, self.number(arguments[1]), node)
                return NOTHING
            case "va_end":
                self.place(arguments[0])
                return NOTHING
        return self.next_argument(arguments[0], arguments[1], node) if name == VA_ARG else None

    def next_argument(self, list_: c_ast.Node, size: c_ast.Node, node: c_ast.Node) -> Value:
        """The next argument of a list, as what `va_arg` says that it is."""
        type_ = self.type_of(size.expr)
        place = self.place(list_)
        at = self.load(place, node).constant
        if at is None or not 0 < at // _MOST <= len(self.lists):
            self.refuse("`va_arg` of a list that is not known here, or in a loop whose rounds are not, is", node)
        number, taken = divmod(at, _MOST)
        given = self.lists[number - 1]
        if taken >= len(given):  # the behaviour is undefined
            self.check(BoolLiteral(False), "undefined", node)
            return self.nothing(type_)
        self.store(place, literal(at + 1, _LIST), node)
        return self.given_as(given[taken], type_, node)

    def given_as(self, place: Place, type_: CType, node: c_ast.Node) -> Value:
        """An argument that is as large as the type is, and a number or a pointer where that is one."""
        numbers = [isinstance(part, Int) for part in (type_, place.type)]
        alike = (
            numbers[0] == numbers[1] if is_scalar(type_) and is_scalar(place.type) else str(type_) == str(place.type)
        )
        if not alike or size_of(type_) != size_of(place.type):
            self.refuse(f"`va_arg` with the type {type_} of an argument of the type {place.type} is", node)
        value = self.load(place, node)
        return convert(value, type_) if is_scalar(type_) else value
