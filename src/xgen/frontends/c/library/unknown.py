"""What has values that nobody knows: `__VERIFIER_nondet_int` and its like, the time, functions that are not there."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pycparser import c_ast

from xgen.frontends.c.language.expressions import NOTHING
from xgen.frontends.c.language.places import Value, literal
from xgen.frontends.c.language.types import (
    BOOL,
    CHAR,
    INT,
    LLONG,
    LONG,
    SHORT,
    UCHAR,
    UINT,
    ULLONG,
    ULONG,
    USHORT,
    Int,
    Void,
    converted,
    is_scalar,
    size_of,
)
from xgen.frontends.c.library.output import Output
from xgen.program import automaton as xcfa
from xgen.program.automaton import Binary, IntLiteral, Name

_CLOCKS = {
    "time": (0, 0),
    "clock": (None, 0),
    "clock_gettime": (1, 10**9),
    "gettimeofday": (0, 10**6),
    "timespec_get": (0, 10**9),
}
"""What tells the time: the argument that it is written behind, and how many parts a second has there."""
_NONDET = re.compile(r"__VERIFIER_nondet_(\w+)$")
_NONDET_TYPES = {
    "bool": BOOL,
    "_Bool": BOOL,
    "char": CHAR,
    "uchar": UCHAR,
    "unsigned_char": UCHAR,
    "short": SHORT,
    "ushort": USHORT,
    "int": INT,
    "uint": UINT,
    "unsigned": UINT,
    "unsigned_int": UINT,
    "long": LONG,
    "ulong": ULONG,
    "longlong": LLONG,
    "ulonglong": ULLONG,
    "size_t": ULONG,
    "u8": UCHAR,
    "u16": USHORT,
    "u32": UINT,
    "u64": ULLONG,
    "loff_t": LLONG,
}


class Unknown(Output):
    """Calls of these functions. What they give is any number of --nondet."""

    def nondet(self, name: str, node: c_ast.Node) -> Value | None:
        match = _NONDET.match(name)
        if match is None and name != "rand":
            return None
        type_ = _NONDET_TYPES.get(match[1] if match else "int")
        if type_ is None:
            return None
        return self.any(name, type_, node)

    def any(self, name: str, type_: Int, node: c_ast.Node) -> Value:
        """Any number of the range that is given, which `name` gives."""
        bounds = (0, 1) if type_ == BOOL else self.world.options.nondet
        if bounds is None:
            hint = "say which values there are: --nondet LO..HI"
            self.refuse(f"`{name}` without a range of values is", node, hint)
        if any(converted(bound, type_) != bound for bound in bounds):
            self.refuse(f"a range of `{name}` with values that {type_} does not have is", node)
        self.world.partial |= type_ != BOOL
        if bounds[0] == bounds[1]:
            return literal(bounds[0], type_)
        low, high = (IntLiteral(bound) for bound in bounds)
        local = self.fresh()
        self.flow.emit(xcfa.Havoc(Name(local), (low, high), self.position(node)))
        return Value(Name(local), type_)

    def time(self, name: str, node: c_ast.Node) -> Value:
        """A number that a clock gives."""
        if self.world.options.nondet is None:
            self.world.remarks["note: each clock stands at 0: --nondet LO..HI explores other times"] = None
            return literal(0, LONG)
        return self.any(name, LONG, node)

    def stub(self, name: str, arguments: Sequence[c_ast.Node], node: c_ast.Node) -> Value:
        """A function that nothing is known of: its arguments are evaluated, and it does nothing. A number that it gives
        is any of --nondet, else 0; a pointer is null."""
        self.printed(arguments)
        self.world.stubbed.add(name)
        self.world.partial = True
        prototype = self.world.prototypes.get(name)
        type_ = INT if prototype is None else self.type_of(prototype.type)
        if isinstance(type_, Void):
            return NOTHING
        if not is_scalar(type_):
            self.refuse(f"the function `{name}`, which gives a struct, as a stub is", node)
        if self.world.options.nondet is None or not isinstance(type_, Int):
            return literal(0, type_)
        return self.any(name, type_, node)

    def clock_call(self, name: str, arguments: Sequence[c_ast.Node], node: c_ast.Node) -> Value | None:
        """What tells the time: any of --nondet, else 0. Of parts of a second no more than there are."""
        if name not in _CLOCKS:
            return None
        values = self.numbers(arguments)
        where, most = _CLOCKS[name]
        if where is None:
            return self.time(name, node)
        if values[where].constant != 0:
            to = self.keep(values[where], node)
            self.store(self.target(to, LONG), self.time(name, node), node)
            if most:
                rest = self.time(name, node)
                inside = Binary(
                    "and", Binary("<=", IntLiteral(0), rest.expression), Binary("<", rest.expression, IntLiteral(most))
                )
                if rest.constant is None:
                    self.assume(inside, node)
                self.store(self.moved(self.target(to, LONG), size_of(LONG), LONG), rest, node)
            elif name == "time":
                return self.load(self.target(to, LONG), node)
        return self.time(name, node) if name == "time" else literal(0, INT)
