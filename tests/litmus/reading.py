"""Reading tests that are written in the tests."""

from __future__ import annotations

from xgen.errors import Source
from xgen.frontends.litmus import read_litmus
from xgen.frontends.litmus.test import LitmusTest
from xgen.program.checks import check_program
from xgen.program.printer import print_program


def read(text: str) -> LitmusTest:
    """The litmus test that a text says; its program has been checked."""
    test = read_litmus(Source("test.litmus", text))
    check_program(test.program)
    return test


def program_of(text: str) -> str:
    """The test's program as text."""
    return print_program(read(text).program)


def statements(arch: str, instructions: str, init: str) -> str:
    """What a thread of these instructions does, with `;` between them; `|` is between the edges of the automaton."""
    lines = "\n".join(f"{instruction} ;" for instruction in instructions.split(";"))
    text = program_of(f"{arch} T\n{{{init}}}\nP0 ;\n{lines}\nexists (x=0)")
    edges = [edge.split("}")[0] for edge in text[text.rindex("loc end") :].split("{")[1:]]
    return " | ".join(" ".join(edge.split()).removesuffix(";") for edge in edges)
