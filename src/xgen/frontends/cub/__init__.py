"""Cubicle's language of parameterised systems, with the weak variables of Cubicle-W (docs/cub.md)."""

from __future__ import annotations

from xgen.errors import ProgramError, Source
from xgen.frontends.cub.elaborate import elaborate
from xgen.frontends.cub.parser import parse
from xgen.frontends.cub.programs import system_of
from xgen.systems.parameterised import System

__all__ = ["System", "read_cub", "system_of"]


def read_cub(source: Source) -> System:
    """The system that a .cub text says.

    Raises ProgramError where the text does not parse or does not make sense, UnsupportedError for what is understood
    but not supported.
    """
    try:
        return elaborate(parse(source), source)
    except RecursionError:
        raise ProgramError("a formula is nested too deeply", source) from None
