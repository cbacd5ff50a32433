"""The text form: what is read, and that what is printed is read as the same program."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from program.strategies import expressions, names, programs, statements

from xgen.errors import ProgramError, Source
from xgen.program import automaton as xcfa
from xgen.program.automaton import Fence, Load, Name, Place, Rmw, Skip, Statement, Store
from xgen.program.parser import parse_program
from xgen.program.printer import print_expression, print_program, print_statement
from xgen.tags import TAGS


def read(text: str) -> xcfa.Program:
    return parse_program(Source("test.xcfa", text))


def error_in(text: str) -> ProgramError | None:
    try:
        read(text)
    except ProgramError as error:
        return error
    return None


def read_statements(text: str) -> tuple[Statement, ...]:
    return read(f"process p {{ A -> B {{ {text} }} }}").processes[0].edges[0].statements


def read_expression(text: str) -> xcfa.Expression:
    (statement,) = read_statements(f"x := {text}")
    assert isinstance(statement, xcfa.Assign)
    return statement.value


@given(programs)
def test_printed_programs_are_read_as_the_same(program: xcfa.Program) -> None:
    assert read(print_program(program)) == program


@given(expressions)
def test_expressions(expression: xcfa.Expression) -> None:
    assert read_expression(print_expression(expression)) == expression


@given(statements, statements)
def test_statements_on_one_line(first: Statement, second: Statement) -> None:
    assert read_statements(f"{print_statement(first)}; {print_statement(second)}") == (first, second)


KEYWORDS = {"start", "join"}
"""Of statements, whose events have these tags."""


@pytest.mark.parametrize("tag", [tag.name for tag in TAGS if "F" in tag.kinds and tag.name not in KEYWORDS])
def test_each_fence_can_be_written(tag: str) -> None:
    (statement,) = read_statements(f"fence[{tag}]")
    assert isinstance(statement, Fence)
    assert (statement.tag, *statement.tags) == (tag,)
    (again,) = read_statements(print_statement(statement))
    assert again == statement
    if "-" not in tag:
        assert [*map(print_statement, read_statements(f"fence {tag} fence fence {tag}"))] == [
            *(print_statement(statement), "fence", print_statement(statement))
        ]


@given(st.text() | st.text("vxaLp {}()[]:;=<->@,.0123456789/*\n"))
def test_any_text_is_a_program_or_an_error(text: str) -> None:
    error = error_in(text)
    assert error is None or str(error)


@given(programs, st.data())
def test_damaged_programs(program: xcfa.Program, data: st.DataObject) -> None:
    """A program with a piece missing or doubled is a program or an error that names a place in the text."""
    text = print_program(program)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(0, len(text)))
    damaged = text[:start] + text[end:]
    error = error_in(damaged)
    assert error is None or (error.line is not None and 1 <= error.line <= damaged.count("\n") + 1)


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("1+2*3-4", "1 + 2 * 3 - 4"),
        ("(1+2)*3", "(1 + 2) * 3"),
        ("1-(2-3)", "1 - (2 - 3)"),
        ("a mod b rem c/d", "a mod b rem c / d"),
        ("not a=0", "not a = 0"),
        ("(not a)=b", "(not a) = b"),
        ("not(a=0)", "not a = 0"),
        ("not not a and b", "not not a and b"),
        ("a or b and c", "a or b and c"),
        ("(a or b) and c", "(a or b) and c"),
        ("a imply b imply c", "a imply b imply c"),
        ("(a imply b) imply c", "(a imply b) imply c"),
        ("a iff b imply c", "a iff b imply c"),
        ("a=b or c<d", "a = b or c < d"),
        ("(a=b)=c", "(a = b) = c"),
        ("a < -b", "a < -b"),
        ("a - -1", "a - -1"),
        ("a--1", "a - -1"),
        ("a - - b", "a - -b"),
        ("-9223372036854775808", "-9223372036854775808"),
        ("-(5)", "-(5)"),
        ("- -5", "- -5"),
        ("-(-5)", "- -5"),
        ("if a then b else if c then d else e", "if a then b else if c then d else e"),
        ("(if a then b else c) + 1", "(if a then b else c) + 1"),
        ("if a then b else c + 1", "if a then b else c + 1"),
        ("007", "7"),
        ("lock", "lock"),
        ("((((x))))", "x"),
    ],
)
def test_expression_forms(text: str, printed: str) -> None:
    assert print_expression(read_expression(text)) == printed


X, Y, A = Name("x"), Place(Name("y")), Name("a")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x<-y", [Load(X, Y)]),
        ("x <- y atomic @ acquire", [Load(X, Y, True, "acquire")]),
        ("x->y", [Store(X, Y)]),
        ("1->y@release", [Store(xcfa.IntLiteral(1), Y, False, "release")]),
        ("x <- y x -> y", [Load(X, Y), Store(X, Y)]),
        ("x <- y; x -> y;", [Load(X, Y), Store(X, Y)]),
        ("x <- y;;; skip", [Load(X, Y), Skip()]),
        ("x <- y\n(x) -> y", [Load(X, Y), Store(X, Y)]),
        ("fence", [Fence()]),
        ("fence[dmb]", [Fence("dmb")]),
        ("fence mfence", [Fence("mfence")]),
        ("fence mfence // full", [Fence("mfence")]),
        ("fence mfence; skip", [Fence("mfence"), Skip()]),
        ("fence mfence x <- y", [Fence("mfence"), Load(X, Y)]),
        ("fence @ acq_rel", [Fence("acq_rel")]),
        ("fence x <- y", [Fence(), Load(X, Y)]),
        ("fence\nx <- y", [Fence(), Load(X, Y)]),
        ("fence x -> y", [Fence(), Store(X, Y)]),
        ("fence x + 1 -> y", [Fence(), Store(xcfa.Binary("+", X, xcfa.IntLiteral(1)), Y)]),
        ("fence x := a", [Fence(), xcfa.Assign(X, A)]),
        ("fence skip", [Fence(), Skip()]),
        ("fence cas(y, x, a)", [Fence(), Rmw(None, "cas", Y, (X, A))]),
        ("fence lock(x)", [Fence(), xcfa.Mutex("lock", X)]),
        ("fence fence", [Fence(), Fence()]),
        ("x <- cas(y, x, a) @ acquire, relaxed", [Rmw(X, "cas", Y, (X, A), ("acquire", "relaxed"))]),
        ("fetch_add (y, x)", [Rmw(None, "fetch_add", Y, (X,))]),
        ("x <- y[a][x]", [Load(X, Place(Name("y"), (A, X)))]),
        ("havoc x in a..x", [xcfa.Havoc(X, (A, X))]),
        ("havoc x x := a", [xcfa.Havoc(X), xcfa.Assign(X, A)]),
        ("return", [xcfa.Return()]),
        ("return x", [xcfa.Return(X)]),
        ("x := call a(x, a)", [xcfa.Call(X, A, (X, A))]),
        ("call a()", [xcfa.Call(None, A)]),
        ("atomic-begin skip atomic-end", [xcfa.AtomicBegin(), Skip(), xcfa.AtomicEnd()]),
        ("lock(x) unlock(x)", [xcfa.Mutex("lock", X), xcfa.Mutex("unlock", X)]),
        ("start x join x", [xcfa.Control("start", X), xcfa.Control("join", X)]),
        ("/* a */ skip // b", [Skip()]),
        ("/* a ** / */ skip /**/", [Skip()]),
    ],
)
def test_statement_forms(text: str, expected: list[Statement]) -> None:
    assert list(read_statements(f"{text}\n")) == expected


@pytest.mark.parametrize(
    "text",
    [
        "process p { init loc L final loc K L -> K }",
        "process p() { init loc L final loc K L -> K {} }",
        "static name process p { final loc K L->K init loc L }",
        "dynamic name // as Theta's files of 2021 start\nprocess p( ) { L -> K\ninit loc L\nfinal loc K }",
    ],
)
def test_variants_of_a_process(text: str) -> None:
    locations = (xcfa.Location("L", "init"), xcfa.Location("K", "final"))
    edge = xcfa.Edge(Name("L"), Name("K"))
    (process,) = read(text).processes
    assert {*process.locations} == {*locations}
    assert process.edges == (edge,)
    assert process.main_procedure.locations == process.locations


def test_procedures() -> None:
    (process,) = read(
        "main process p { int procedure f(i : int, b : bool) { } var v : int main procedure g() { } }"
    ).processes
    f, g = process.procedures
    assert process.main
    assert f.parameters == (xcfa.Variable("i", xcfa.INT), xcfa.Variable("b", xcfa.BOOL))
    assert f.returns == xcfa.INT
    assert (f.main, g.main) == (False, True)
    assert process.main_procedure == g
    assert process.outer_variables == (xcfa.Variable("v", xcfa.INT),)


def test_variables() -> None:
    program = read("var x : int (-3) var b : bool(true) var a : int[2][3] var m:synthetic var c : int[2] (1, -1)")
    assert [str(variable.type) for variable in program.variables] == ["int", "bool", "int[2][3]", "synthetic", "int[2]"]
    initial = [[value.value for value in variable.initial] for variable in program.variables]
    assert initial == [[-3], [True], [], [], [1, -1]]


@given(names)
def test_names_may_be_anything_that_is_not_reserved(name: str) -> None:
    assert print_program(read(f"var {name} : int")) == f"var {name} : int\n"


DECLARED = """const n = 3{0}
struct s {{ a : int{0} b : bool{0} }}{0}
var x : int (n){0} var y : int[2] @ 4096 : -4{0} var z : s{0} var m : synthetic{0}
process p {{
  var r : int{0} var c : bool{0}
  procedure own() {{ var i : int{0} init loc L{0} final loc K{0} L -> K {{ r <- x }}{0} }}
}}
process q {{ init loc L{0} error loc E{0} loc K{0} L -> K{0} K -> E {{ assume false }}{0} }}
process steps {{ var i : int{0} i <- x; i -> y[0]; }}
"""


def test_a_semicolon_may_end_each_declaration() -> None:
    with_, without = (read(DECLARED.format(sign)) for sign in (";", ""))
    assert print_program(with_) == print_program(without)


def test_positions() -> None:
    (process,) = read("process p {\n  A -> B {\n    x := (a + 1) * b;\n\ty <- z @ q\n  }\n}").processes
    assign, load = process.edges[0].statements
    assert (assign.position.line, assign.position.column, assign.position.width) == (3, 5, 16)
    assert isinstance(assign, xcfa.Assign)
    assert isinstance(assign.value, xcfa.Binary)
    assert (assign.value.left.position.column, assign.value.left.position.width) == (10, 7)
    assert (load.position.line, load.position.column, load.position.width) == (4, 2, 10)
