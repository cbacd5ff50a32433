"""A call of a function of the library, as its handlers in C are given it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pycparser import c_ast

from xgen.frontends.c.language.body import Body
from xgen.frontends.c.values.places import Value
from xgen.frontends.c.values.types import CType
from xgen.records import dataclass


@dataclass(frozen=True, slots=True)
class Call:
    """Arguments are not evaluated yet. `wanted`: the type that the result is converted to, where that is known."""

    body: Body
    name: str
    arguments: Sequence[c_ast.Node]
    node: c_ast.Node
    wanted: CType | None = None


Handler = Callable[[Call], Value]
"""Emits what a call does, and gives its value."""
