"""Reading tests that are written in the tests."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from tests.litmus.gpu.candidates import State
from xgen.analyses.suite.litmus import LitmusResult, run_litmus
from xgen.errors import Source, XgenError
from xgen.frontends.litmus import read_litmus
from xgen.frontends.litmus.test import LitmusTest
from xgen.memory.algebra import Model
from xgen.program.checks import check_program
from xgen.program.printer import print_program


def read(text: str) -> LitmusTest:
    """The litmus test that a text says; its program has been checked."""
    test = read_litmus(Source("test.litmus", text))
    check_program(test.program)
    return test


def refused(text: str, message: str, hint: str | None) -> None:
    """Asserts that a test is refused, at a place, with these words."""
    with pytest.raises(XgenError) as raised:
        read(text)
    assert raised.value.message == message
    assert raised.value.position is not None
    assert hint is None or hint in str(raised.value.hint)


def with_states(text: str, states: Collection[State], model: Model) -> LitmusResult:
    """The result of a test under a model; asserts that its final states are these."""
    result = run_litmus(read(text), model)
    expected = {frozenset((name, str(value)) for name, value in state) for state in states}
    got = {frozenset(tuple(part.strip().split("=")) for part in state.split(";")[:-1]) for state, _ in result.states}
    assert got == expected, text
    return result


def program_of(text: str) -> str:
    """The test's program as text."""
    return print_program(read(text).program)


def statements(arch: str, instructions: str, init: str) -> str:
    """What a thread of these instructions does, with `;` between them; `|` is between the edges of the automaton."""
    lines = "\n".join(f"{instruction} ;" for instruction in instructions.split(";"))
    text = program_of(f"{arch} T\n{{{init}}}\nP0 ;\n{lines}\nexists (x=0)")
    edges = [edge.split("}")[0] for edge in text[text.rindex("loc end") :].split("{")[1:]]
    return " | ".join(" ".join(edge.split()).removesuffix(";") for edge in edges)
