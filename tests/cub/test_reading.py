"""Texts in Cubicle's language: what they mean, and what is said of those that mean nothing."""

from __future__ import annotations

import pytest

from cub.shipped import FILES
from xgen.errors import ProgramError, Source, UnsupportedError, XgenError
from xgen.frontends.cub import System, read_cub
from xgen.frontends.cub.weak import check_weak
from xgen.sources import read_source
from xgen.systems.parameterised import Access, Literal, Process, Value

HEAD = """type t = A | B
array S[proc] : t
weak array X[proc] : int
weak var Y : int
var G : bool
const K[proc] : bool
init (p) { S[p] = A && X[p] = 0 && Y = 0 && G = False }
unsafe (p q) { S[p] = B && S[q] = B }
"""


def read(text: str, head: str = HEAD) -> System:
    return read_cub(Source("x.cub", head + text))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_shipped_systems_read(file: object) -> None:
    found = read_cub(read_source(str(file)))
    assert found.transitions
    check_weak(found)


def test_guard_and_update() -> None:
    (step,) = read("transition t ([p] q) requires { S[p] = A && X[q] = 0 } { S[p] := B; X[q] := Y + 1 }").transitions
    assert step.parameters == ("p", "q")
    assert step.actor == 0
    assert (step.reads, step.writes, step.fence) == (True, True, False)
    assert step.rules[0].literals[0] == Literal("=", Access(0, (0,)), Value(0))
    assert step.rules[0].literals[1].left == Access(1, (1,), 0, 0)
    assert step.updates[1].cases[0].value == Access(3 - 1, (), 1, 0)


def test_the_only_parameter_acts() -> None:
    (step,) = read("transition t (p) requires { X[p] = 0 } { X[p] := 1 }").transitions
    assert step.actor == 0


def test_older_texts_say_who_reads_in_front_of_the_cell() -> None:
    (step,) = read("transition t (q p) requires { [p]X[q] = 0 } { [p]X[p] := 1 }").transitions
    assert step.actor == 1


def test_fence_in_a_quantified_condition_belongs_to_the_guard() -> None:
    (step,) = read("transition t ([p]) requires { forall_other q. X[q] = 0 && fence() } { S[p] := B }").transitions
    assert step.fence
    assert len(step.rules[0].universals) == 1


def test_disjunctions_are_rules() -> None:
    (step,) = read("transition t ([p]) requires { S[p] = A || (X[p] = 1 && Y <> 2) } { S[p] := B }").transitions
    assert [len(rule.literals) for rule in step.rules] == [1, 2]


def test_implication_equivalence_conditional_negation() -> None:
    guard = "not (S[p] = A => G = True) && (S[p] = A <=> G = False) && if S[p] = A then G = False else G = True"
    (step,) = read(f"transition t (p) requires {{ {guard} }} {{ S[p] := B }}").transitions
    assert step.rules[0].literals[:2] == (
        Literal("=", Access(0, (0,)), Value(0)),
        Literal("<>", Access(4 - 1, ()), Value(1)),
    )


def test_exists_adds_a_process() -> None:
    (step,) = read("transition t ([p]) requires { exists_other q. X[q] = 1 } { S[p] := B }").transitions
    assert step.rules[0].parameters == 2
    assert step.rules[0].literals[0].left == Access(1, (1,), 0, 0)


def test_exists_may_be_a_parameter() -> None:
    (step,) = read("transition t ([p]) requires { exists q. X[q] = 1 } { S[p] := B }").transitions
    assert sorted(rule.parameters for rule in step.rules) == [1, 2]


def test_two_existential_conditions_may_mean_the_same_process() -> None:
    guard = "(exists_other q. X[q] = 1) && (exists_other r. S[r] = B)"
    (step,) = read(f"transition t ([p]) requires {{ {guard} }} {{ S[p] := B }}").transitions
    assert sorted(rule.parameters for rule in step.rules) == [2, 3]


def test_predicates_and_let() -> None:
    text = "predicate at (p, l) { S[p] = l } transition t (p) requires { at(p, A) } { let next = B in S[p] := next }"
    (step,) = read(text).transitions
    assert step.rules[0].literals == (Literal("=", Access(0, (0,)), Value(0)),)
    assert step.updates[0].cases[0].value == Value(1)


def test_cases_exclude_each_other_and_the_last_keeps_the_value() -> None:
    (step,) = read("transition t (p) { S[x] := case | x = p : B | G = True : A }").transitions
    cases = step.updates[0].cases
    x, p = Process(1), Process(0)
    assert cases[0].condition == ((Literal("=", x, p),),)
    assert cases[1].condition[0][0] == Literal("<>", x, p)
    assert cases[2].value == Access(0, (1,))


def test_named_processes_and_orders() -> None:
    found = read("transition t (p q) requires { p = #2 && q < p } { S[p] := B }", "number_procs 3\n" + HEAD)
    assert (found.processes, found.fixed, found.ordered) == (3, 3, True)


def test_comments_nest() -> None:
    assert read("(* a (* b *) transition *) transition t (p) { S[p] := B }").transitions[0].position.line == 9


def test_reals_are_scaled() -> None:
    found = read(
        "transition t (p) requires { R[p] < 1.25 } { R[p] := R[p] + 0.5 }",
        HEAD.replace("const", "array R[proc] : real\nconst"),
    )
    assert found.scale == 100
    assert found.transitions[0].rules[0].literals[0].right.value == 125  # type: ignore[union-attr]
    assert found.transitions[0].updates[0].cases[0].value.offset == 50  # type: ignore[union-attr]


T = "transition t ([p] q) requires { %s } { S[p] := B }"
WRONG = [
    (T % "S[p] = C", "there is no variable and no constructor `C`", 9, 40, None),
    (T % "S[r] = A", "there is no process `r` here", 9, 35, None),
    (T % "S = A", "`S` has 1 index, not 0", 9, 33, None),
    (T % "G[p] = True", "`G` has no index, not 1", 9, 33, None),
    (T % "S[p] = 1", "this is of type a number, expected t", 9, 38, None),
    (T % "S[p] = True", "this is of type bool, expected t", 9, 38, None),
    (T % "S[p] < A", "values of type t have no order", 9, 38, None),
    (T % "Y = 1.5", "an int and a real do not go together", 9, 35, None),
    (T % "q @ Y = 1", "only the process that acts reads weak variables", 9, 33, None),
    (T % "not fence()", "`fence()` is a condition of a guard, and is not negated", 9, 37, None),
    (T % "#1 = p", "the process #1 needs a number of processes", 9, 33, "number_procs"),
    (T % "at(p)", "there is no predicate `at`", 9, 33, None),
    (T % "S[p] == A", "unexpected `=`, expected a term", 9, 39, None),
    (T % "S[p] != A", "unexpected `!`", 9, 38, "inequality is written `<>`"),
    (T % "S[p] = A & S[q] = A", "unexpected `&`", 9, 42, "conjunction is written `&&`"),
    ("transition t (p) { S[p] = B }", "unexpected `=`, expected", 9, 25, "X[p] := value"),
    ("transition t (p) { S[p] := B; S[p] := A }", "`S` is written twice", 9, 31, None),
    ("transition t (p) { K[p] := True }", "`K` is a constant", 9, 20, None),
    ("transition t (p) { S[x] := A }", "there is no process `x` here", 9, 22, "case .."),
    ("transition t (p q) { X[p] := 1 }", "it does not say which process accesses `X`", 9, 22, "brackets"),
    ("transition t ([p] [q]) { }", "only one process of a transition acts", 9, 20, None),
    ("transition t (p p) { }", "there is a process `p` already", 9, 17, None),
    ("transition t (p) { } require", "unexpected `require`", 9, 22, "`requires`"),
    ("unsafe (p q) { X[p] = 1 }", "it does not say which process accesses `X`", 9, 16, "write `p @ X`"),
    ("init (p) { S[p] = A }", "there is more than one `init`", 9, 1, None),
    ("transition t (p) { S[p] := ", "the text ends, expected", 9, 27, None),
    ("(* never closed", "a comment that is opened here is never closed", 9, 1, None),
    ("predicate f (p) { f(p) } transition t (p) requires { f(p) } { }", "`f` uses itself", 9, 19, None),
    ("transition t (p) { \\ }", "unexpected `\\`", 9, 20, None),
    ("transition t (p) { S[p] := case | S[p] = A : B | _ : 3 }", "this is of type a number, expected t", 9, 20, None),
]


@pytest.mark.parametrize(("text", "message", "line", "column", "hint"), WRONG, ids=[w[1][:40] for w in WRONG])
def test_what_is_wrong(text: str, message: str, line: int, column: int, hint: str | None) -> None:
    with pytest.raises(XgenError) as caught:
        read(text)
    error = caught.value
    assert error.message.startswith(message)
    assert (error.line, error.column) == (line, column)
    assert (hint or "") in (error.hint or "")


UNSUPPORTED = [
    (T % "Y = X[p] + Y", "a sum or difference of two variables", 9, 42),
    (T % "forall_other r. exists_other s. X[s] = 1", "`exists` inside a formula for all processes", 9, 49),
    ("unsafe (p) { forall_other q. S[q] = A }", "`forall` inside `unsafe`", 9, 14),
    ("transition t ([p]) requires { fence() || Y = 1 } { }", "`fence()` in only some cases of a guard", 9, 12),
    (T % "Y = 1234567890123", "numbers have at most 12 digits", 9, 37),
]


@pytest.mark.parametrize(("text", "message", "line", "column"), UNSUPPORTED)
def test_what_is_not_supported(text: str, message: str, line: int, column: int) -> None:
    with pytest.raises(UnsupportedError) as caught:
        read(text)
    assert caught.value.message == message
    assert (caught.value.line, caught.value.column) == (line, column)


WEAK_HEAD = HEAD.replace("var G : bool\n", "").replace(" && G = False", "")
WEAK = [
    ("transition t ([p]) requires { G = True } { }", HEAD, "there is no shared variable that is not weak: `G`", 5, 5),
    (T % "S[q] = A", WEAK_HEAD, "`S` is accessed at the process that acts only", 8, 33),
    ("transition t ([p] q) { S[q] := A }", WEAK_HEAD, "`S` is accessed at the process that acts only", 8, 24),
    (T % "forall_other r. S[r] = A", WEAK_HEAD, "`S` is accessed at the process that acts only", 8, 49),
    ("transition t ([p]) { S[x] := case | _ : A }", WEAK_HEAD, "`S` is accessed at the process that acts only", 8, 22),
    ("transition t ([p] q) { X[p] := 1; S[p] := S[q] }", WEAK_HEAD, "`S` is accessed at the process", 8, 43),
    ("transition t ([p]) { X[x] := case | S[x] = A : 1 | _ : 0 }", WEAK_HEAD, "`S` is accessed at the process", 8, 37),
    ("transition t ([p]) { X[x] := case | x <> p && S[x] = A : 1 | _ : 0 }", WEAK_HEAD, "`S` is accessed", 8, 47),
    ("transition t ([p] q) { X[q] := case | S[q] = A : 1 | _ : 0 }", WEAK_HEAD, "`S` is accessed", 8, 39),
]


@pytest.mark.parametrize(("text", "head", "message", "line", "column"), WEAK)
def test_rules_of_weak_cells(text: str, head: str, message: str, line: int, column: int) -> None:
    with pytest.raises(UnsupportedError, match="beside weak cells") as caught:
        check_weak(read(text, head))
    assert message in caught.value.message
    assert (caught.value.line, caught.value.column) == (line, column)


FINE = [
    "transition t ([p] q) requires { K[q] = True } { S[p] := B }",
    "transition t ([p]) { S[x] := case | x = p : B }",
    "transition t ([p]) { S[x] := case | x = p && S[x] = A : B | _ : S[x] }",
    "transition t ([p]) { X[x] := case | x = p && S[x] = A : 1 | _ : 0 }",
    "transition t ([p]) { X[x] := case | S[x] = A && p = x : 1 | x <> p : 2 | _ : 0 }",
]


@pytest.mark.parametrize("text", FINE)
def test_what_the_rules_of_weak_cells_allow(text: str) -> None:
    check_weak(read(text, WEAK_HEAD))


@pytest.mark.parametrize("text", ["", "init (p) { }", "unsafe (p) { true }", "number_procs 9 init () { true }"])
def test_texts_without_a_system(text: str) -> None:
    with pytest.raises(ProgramError):
        read_cub(Source("x.cub", text))


def test_deep_nesting() -> None:
    with pytest.raises(ProgramError, match="levels of parentheses"):
        read(T % ("(" * 300 + "true" + ")" * 300))


def test_long_chains() -> None:
    read(T % " && ".join(["Y = 0"] * 200))
    with pytest.raises(ProgramError, match="nested too deeply"):
        read(T % ("not " * 5000 + "Y = 0"))
