"""Conditions: read, printed as herd prints them, evaluated."""

from __future__ import annotations

import pytest

from tests.litmus.reading import read
from xgen.analyses.suite.litmus import run_litmus
from xgen.errors import Source, XgenError
from xgen.frontends.litmus.condition import And, Atom, Not, read_question
from xgen.frontends.litmus.tokens import Text
from xgen.frontends.litmus.values import Address, Cell, Register, int_type
from xgen.memory.library import load_model


def question(text: str):
    return read_question(Text(Source("c", text)), 0, len(text))


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("exists (0:EAX=0 /\\ 1:EAX=0)", "exists (0:EAX=0 /\\ 1:EAX=0)"),
        ("exists 0:EAX=0", "exists (0:EAX=0)"),
        ("~exists (x=1)", "~exists ([x]=1)"),
        ("not exists (x=1)", "~exists ([x]=1)"),
        ("forall [x]=1;", "forall ([x]=1)"),
        ("final (P0:EAX = 0x10); with tso: ~exists; default: exists;", "exists (0:EAX=16)"),
        ("exists a=1 /\\ b=1 \\/ c=1", "exists ([a]=1 /\\ [b]=1 \\/ [c]=1)"),
        ("exists a=1 /\\ (b=1 \\/ c=1)", "exists ([a]=1 /\\ ([b]=1 \\/ [c]=1))"),
        ("exists a=1 => b=1 => c=1", "exists ([a]=1 => [b]=1 => [c]=1)"),
        ("exists a=1 /\\ b=1 => c=1", "exists ([a]=1 /\\ ([b]=1 => [c]=1))"),
        ("exists (a=1 /\\ b=1) => c=1", "exists (([a]=1 /\\ [b]=1) => [c]=1)"),
        ("exists a<>1", "exists (not ([a]=1))"),
        ("exists ~(a=1 \\/ ~b=2)", "exists (not ([a]=1 \\/ not ([b]=2)))"),
        ("forall (true)", "forall (true)"),
        ("exists (false)", "exists (false)"),
        ("exists t[1]=-3 /\\ 0:r1=x /\\ t={1,2}", "exists (t[1]=-3 /\\ 0:r1=x /\\ t={1,2})"),
        ("", "forall (true)"),
        ("Observed x=1; 0:r1=2; and x=2; 0:r1=1;", "exists ([x]=1 /\\ 0:r1=2 \\/ [x]=2 /\\ 0:r1=1)"),
        ("observed x=1", "exists ([x]=1)"),
    ],
)
def test_printed_as_herd_does(text: str, printed: str) -> None:
    assert str(question(text)) == printed


def test_parts() -> None:
    parsed = question("locations [x; 0:r1 int; y[0];] filter (x=1) exists (0:r1=y)")
    assert parsed.listed == ((Cell("x"), None), (Register(0, "r1"), "int"), (Cell("y", 0), None))
    assert parsed.filter == Atom(Cell("x"), 1)
    assert parsed.proposition == Atom(Register(0, "r1"), Address("y"))
    assert parsed.kind == "Allowed"


def test_negation_binds_tightest() -> None:
    assert question("exists ~a=1 /\\ b=1").proposition == And((Not(Atom(Cell("a"), 1)), Atom(Cell("b"), 1)))


@pytest.mark.parametrize(
    ("quantifier", "validated"),
    [("exists", (False, True, True)), ("~exists", (True, False, False)), ("forall", (False, True, False))],
)
def test_validated(quantifier: str, validated: tuple[bool, bool, bool]) -> None:
    parsed = question(f"{quantifier} (x=1)")
    assert (parsed.validated(0, 3), parsed.validated(3, 0), parsed.validated(1, 1)) == validated


@pytest.mark.parametrize(
    ("text", "line", "column", "message", "hint"),
    [
        ("exists (0:EAX=1", 1, 16, "the text ends too early", "expected `/\\`, `\\/` or `)`"),
        ("exists\n(0:EAX 1)", 2, 8, "`1` is out of place", "expected `=` or `<>`"),
        ("exists (x=)", 1, 11, "`)` is out of place", "expected a number or the name of a location"),
        ("exists (x=1) y", 1, 14, "`y` is out of place", "expected the end of the condition"),
        ("locations [x y z] exists x=1", 1, 16, "`z` is out of place", "expected `;` or `]`"),
        ("~ forall (x=1)", 1, 3, "`forall` is out of place", "expected `exists`, `~exists` or `forall`"),
        ("exists (x=1 & y=1)", 1, 13, "`&` is out of place", "expected `/\\`, `\\/` or `)`"),
        ("exists (x=1 ? y=1)", 1, 13, "`?` is out of place", None),
        ("exists fault(P0,x)", 1, 8, "faults are not supported", None),
        ("observed x=1; y", 1, 16, "the text ends too early", "expected `=` or `<>`"),
        ("observed x=1; and y=2 z", 1, 23, "`z` is out of place", "expected `;`, `and` or the end of the condition"),
    ],
)
def test_errors(text: str, line: int, column: int, message: str, hint: str | None) -> None:
    with pytest.raises(XgenError) as error:
        question(text)
    assert (error.value.message, error.value.line, error.value.column) == (message, line, column)
    assert error.value.hint == hint


@pytest.mark.parametrize(
    ("type_", "number", "shown"),
    [
        (None, 0xFFFFFFFF, -1),
        ("int", -1, -1),
        ("uint32_t", -1, 0xFFFFFFFF),
        ("unsigned int", 5, 5),
        ("int64_t", 0xFFFFFFFF, 0xFFFFFFFF),
        ("uint64_t", -2, 2**64 - 2),
        ("int16_t", 0x18000, -0x8000),
    ],
)
def test_values_have_types(type_: str | None, number: int, shown: int) -> None:
    """A register shows what its type can hold, and conditions compare it as such."""
    declared = f"{type_} 0:x5;" if type_ else ""
    test = read(f"RISCV T\n{{{declared}}}\nP0 ;\nnop ;\nexists (0:x5={number})")
    register = test.observed[0]
    assert test.value(register, number) == shown
    assert test.satisfies({register: shown})


def test_other_types_have_no_size() -> None:
    assert int_type("spinlock_t") is None


@pytest.mark.parametrize(
    ("question", "verdict"),
    [("exists (0==1)", "No"), ("exists 1 = 1", "Ok"), ("forall (0 != 1)", "Ok"), ("forall (2 <> 0x2)", "No")],
)
def test_numbers_are_compared(question: str, verdict: str) -> None:
    test = read(f"X86 t\n{{ x=0; }}\n P0 ;\n MOV [x],$1 ;\n{question}")
    assert run_litmus(test, load_model("tso")).verdict == verdict
