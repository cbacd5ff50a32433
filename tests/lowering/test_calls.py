"""Lowering of calls: parameters, results, the variables of each call, recursion and its bound."""

from __future__ import annotations

import math

import pytest
from program.interleavings import explore

from xgen import program
from xgen._core import Op
from xgen.errors import LimitError, ProgramError, Source
from xgen.lowering.code import Code
from xgen.lowering.threads import lower


def code(text: str) -> Code:
    return lower(program.parse(Source("test.xcfa", text)))


def process(procedures: str, body: str) -> str:
    """A process with an outer variable, procedures and the statements of its main procedure."""
    main = f"main procedure run() {{ var i : int var c : bool init loc L final loc K L -> K {{ {body} }} }}"
    return f"var x : int process p {{ var outer : int {procedures} {main} }}"


def values(text: str) -> set[tuple[int, bool]]:
    """The values that i and c have in the end."""
    result = explore(code(text))
    assert not result.errors
    return {(dict(final)["p:i"], bool(dict(final)["p:c"])) for final in result.finals}


ADD = "int procedure add(i : int, k : int) { init loc L L -> L { return i + k } }"


def test_parameters_and_results() -> None:
    assert values(process(ADD, "i := call add(3, 4)")) == {(7, False)}
    assert values(process(ADD, "i := 5 i := call add(i, i * 2) i := call add(i, i)")) == {(30, False)}
    assert values(process(ADD, "i := 5 call add(i, i)")) == {(5, False)}


def test_parameters_are_passed_by_value() -> None:
    text = process("procedure f(k : int) { init loc L final loc K L -> K { k := 7 k -> x } }", "i := 3 call f(i)")
    (final,) = explore(code(text)).finals
    assert dict(final) == {"p:i": 3, "p:c": False, "x": 7}


def test_outer_variables_are_shared_by_all_procedures() -> None:
    text = process("procedure f() { init loc L L -> L { outer := outer + 1 return } }", "call f() call f() i := outer")
    assert values(text) == {(2, False)}


def test_variables_start_anew_in_each_call() -> None:
    count = "int procedure f() { var k : int (5) var n : int init loc L L -> L { k := k + 1 n := n + k return n } }"
    assert values(process(count, "i := call f() i := call f()")) == {(6, False)}


def test_ends_of_a_procedure() -> None:
    """A final location, a location without edges, a return; without a value the local gets 0 or false."""
    body = "i := 1 c := true i := call f(false) c := call g()"
    choice = """int procedure f(early : bool) { init loc L loc M final loc K
      L -> K { assume early } L -> M { assume not early } M -> K }
      bool procedure g() { init loc L loc K L -> K }"""
    assert values(process(choice, body)) == {(0, False)}
    stuck = "procedure f() { init loc L loc M final loc K L -> M }"
    result = explore(code(process(stuck, "call f()")))
    assert (result.blocked, result.finals) == (1, set())


def test_an_error_location_in_a_procedure() -> None:
    lowered = code(process("procedure f() { init loc L error loc E L -> E }", "call f()"))
    assert explore(lowered).errors == {("p", "violation")}
    assert [site.location for i, site in zip(lowered.instructions, lowered.sites, strict=True) if i.op is Op.FAIL] == [
        "E"
    ]


def test_a_call_ends_what_a_choice_looks_at() -> None:
    """An assume in a procedure blocks; it does not disable the edge of the call."""
    text = """process p { procedure f() { init loc L L -> L { assume false return } }
      main procedure run() { var i : int init loc L final loc K L -> K { call f() } L -> K { i := 1 } } }"""
    result = explore(code(text))
    assert ({dict(final)["p:i"] for final in result.finals}, result.blocked) == ({1}, 1)


def test_choices_and_loops_in_procedures() -> None:
    text = process(
        """int procedure any(n : int) { var k : int init loc L final loc K
          L -> L { assume k < n k := k + 1 } L -> K { return k } }""",
        "i := call any(3) i := call any(i)",
    )
    assert values(text) == {(i, False) for i in range(4)}


def test_events_in_procedures() -> None:
    body = """procedure step(by : int) { var k : int init loc L L -> L { k <- x k + by -> x return } }
      main procedure run() { init loc L final loc K L -> K { call step(1) call step(10) } }"""
    result = explore(code(f"var x : int process p {{ {body} }} process q {{ {body} }}"))
    assert {dict(final)["x"] for final in result.finals} == {11, 12, 21, 22}


FACTORIAL = """int procedure f(n : int) { var k : int init loc L final loc K
  L -> K { assume n <= 1 return 1 } L -> K { assume n > 1 k := call f(n - 1) return n * k } }"""


@pytest.mark.parametrize("n", range(10))
def test_recursion(n: int) -> None:
    """Up to 8 nested calls; beyond, the thread is cut."""
    result = explore(code(process(FACTORIAL, f"i := call f({n})")))
    if n <= 8:
        assert ({dict(final)["p:i"] for final in result.finals}, result.bounded) == ({math.factorial(n)}, 0)
    else:
        assert (result.finals, result.bounded) == (set(), 1)


def test_the_place_of_a_cut() -> None:
    lowered = code(process(FACTORIAL, "i := call f(9)"))
    (cut,) = [site for i, site in zip(lowered.instructions, lowered.sites, strict=True) if i.op is Op.CUT]
    assert (cut.text, cut.position.line) == ("k := call f(n - 1)", 2)


def test_two_recursive_calls() -> None:
    text = """int procedure f(n : int) { var k : int var l : int init loc L final loc K
      L -> K { assume n < 2 return n } L -> K { assume n >= 2 k := call f(n - 1) l := call f(n - 2) return k + l } }"""
    assert values(process(text, "i := call f(7)")) == {(13, False)}


def test_procedures_that_call_each_other() -> None:
    text = """bool procedure even(n : int) { var r : bool init loc L final loc K
        L -> K { assume n = 0 return true } L -> K { assume n > 0 r := call odd(n - 1) return r } }
      bool procedure odd(n : int) { var r : bool init loc L final loc K
        L -> K { assume n = 0 return false } L -> K { assume n > 0 r := call even(n - 1) return r } }"""
    assert values(process(text, "c := call even(10) i := 1")) == {(1, True)}
    assert values(process(text, "c := call even(11) i := 1")) == {(1, False)}


def test_a_main_procedure_that_calls_itself() -> None:
    text = """process p { var n : int main procedure run() { var i : int init loc L final loc K
      L -> K { assume n < 7 n := n + 1 call run() i := i + n } L -> K { assume n >= 7 } } }"""
    assert {dict(final)["p:i"] for final in explore(code(text)).finals} == {7}
    assert explore(code(text.replace("7", "8"))).bounded == 1


def test_registers() -> None:
    """Calls that are not nested share registers, which are 0 again behind them; results do not list them."""
    lowered = code(process(ADD + FACTORIAL, "i := call add(1, 2) i := call add(i, 1) i := call f(1)"))
    (thread,) = lowered.threads
    assert [local.name for local in thread.locals[:3]] == ["outer", "i", "c"]
    assert (len(thread.locals), thread.shown) == (3 + 2 * 8, (1, 2))
    assert thread.initial == (0,) * len(thread.locals)


def test_jumps_go_forward_unless_they_close_a_loop() -> None:
    lowered = code(process(ADD + FACTORIAL, "i := call add(1, 2) i := call f(i) i := call f(i)"))
    assert all(i.c > number for number, i in enumerate(lowered.instructions) if i.op is Op.GOTO)


def test_what_is_not_called_is_not_lowered() -> None:
    assert [
        i.op for i in code(process("procedure f() { init loc L L -> L { atomic-begin } }", "skip")).instructions
    ] == [Op.END]


def test_calls_that_are_nested_deeper_than_the_stack_of_python() -> None:
    count = 2000
    text = " ".join(f"procedure f{n}() {{ init loc L L -> L {{ call f{n + 1}() return }} }}" for n in range(count))
    last = f"procedure f{count}() {{ init loc L L -> L {{ outer := 7 return }} }}"
    assert values(process(text + last, "call f0() i := outer")) == {(7, False)}


def test_too_many_calls() -> None:
    calls = " ".join("call f(n - 1)" for _ in range(9))
    text = process(f"procedure f(n : int) {{ init loc L L -> L {{ {calls} return }} }}", "call f(1)")
    with pytest.raises(LimitError, match="more than 200,000 instructions") as info:
        code(text)
    assert info.value.line == 1


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        (
            process("procedure f() { init loc L L -> L { return } }", "i := call f()"),
            "`f` returns no value",
            "it has no `return` with a value",
        ),
        (
            process("procedure f() { init loc L L -> L { return true } }", "i := call f()"),
            "`f` returns bool, `i` is of type int",
            None,
        ),
        (
            process("procedure f() { init loc L L -> L { return 1 } L -> L { return true } }", "skip"),
            "procedure `f` returns int, this is of type bool",
            None,
        ),
        (
            process("int[2] procedure f() { init loc L }", "skip"),
            "a procedure returns an int or a bool, not int[2]",
            None,
        ),
        (
            process("synthetic procedure f() { init loc L }", "skip"),
            "a procedure returns an int or a bool, not synthetic",
            None,
        ),
        ("var m : synthetic[2] process p { init loc L }", "there are no arrays of mutexes", None),
        (
            "var m : synthetic process p { var i : int init loc L L -> L { i := m + 1 } }",
            "`m` is a mutex: it is only locked and unlocked",
            None,
        ),
        (
            "var m : synthetic process p { var i : int init loc L L -> L { fetch_add(m, 1) } }",
            "`m` is a mutex: it is only locked and unlocked",
            None,
        ),
    ],
)
def test_errors(text: str, message: str, hint: str | None) -> None:
    with pytest.raises(ProgramError) as info:
        code(text)
    assert (info.value.message, info.value.hint) == (message, hint)
