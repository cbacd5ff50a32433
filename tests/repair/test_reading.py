"""Protocols that do not parse or make no sense: what is said, and where."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xgen.errors import Source, XgenError
from xgen.repair.elaborate import read_protocol
from xgen.repair.repair import check_as_it_is, repair

PROCESS = "process p { reads x writes x x = 0 -> x := 1 }"


@pytest.mark.parametrize(
    ("text", "line", "column", "message", "hint"),
    [
        ("", 1, 1, "there are no variables", "`var x : 0..2`"),
        ("var x : 0..1", 1, 1, "there is no process that writes", "`process p { .. }`"),
        ("var x : 0..1 process p { reads x }", 1, 1, "there is no process that writes", "`process p { .. }`"),
        ("var x : 0..1\nvar x : 0..2", 2, 5, "`x` is declared twice", None),
        ("var x : Colour", 1, 9, "there is no type `Colour`", None),
        ("type Color = red | blue\nvar x : Colour", 2, 9, "there is no type `Colour`", "did you mean `Color`?"),
        ("type T = red | red\nvar x : T", 1, 16, "`red` is twice in this type", None),
        ("type T = 3 .. 1", 1, 6, "a type without values", None),
        ("type T = 0 .. 5000", 1, 10, "more than 1000 values", None),
        ("var x : 0..1 = 2", 1, 16, "`x` starts with one of its values", "they are 0, 1"),
        ("const n = 1 + x", 1, 15, "there is no variable `x`", None),
        ("const n = 1\nconst n = 2", 2, 7, "`n` is declared twice", None),
        (f"var x : 0..1\n{PROCESS}\nlegit: x", 3, 8, "this is a value, not a condition", "compare it: `x = ..`"),
        (f"var x : 0..1\n{PROCESS}\nlegit: y = 1", 3, 8, "there is no variable `y`", None),
        (f"var x : 0..1\n{PROCESS}\nlegit: x' = 1", 3, 8, "only `never step` speaks of what is after a step", "leave"),
        (f"var x : 0..1\n{PROCESS}\nlegit: all k in others: true", 3, 12, "`others` are the other processes", "`in 0"),
        (f"var x : 0..1\n{PROCESS}\nlegit: some x in 0..1: true", 3, 13, "`x` means something already", None),
        (f"var x : 0..1\n{PROCESS}\nlegit: (x = 1) + 1 = 2", 3, 11, "a condition is not a number", "`count`"),
        (f"var x : 0..1\n{PROCESS}\nlegit: x = = 1", 3, 12, "unexpected `=`, expected an expression", None),
        (f"var x : 0..1\n{PROCESS}\nlegit: x == 1", 3, 11, "unexpected `=`", "equality is written `=`"),
        (f"var x : 0..1\n{PROCESS}\nlegit: x != 1", 3, 10, "unexpected `!`", "inequality is written `/=`"),
        (f"var x : 0..1\n{PROCESS}\nlegit: x = 1 && x = 0", 3, 14, "unexpected `&`", "conjunction is written `and`"),
        (f"var x : 0..1\n{PROCESS}\nlegit", 3, 6, "the text ends, expected `:`", None),
        (f"var x : 0..1\n{PROCESS}\ninit: x = 2", 1, 1, "there is no state to start from", None),
        (f"var x : 0..1\n{PROCESS}\nnever: x = 0", 1, 1, "a run may start in a state that must never be", "x = 0"),
        (
            f"var x : 0..1\n{PROCESS}\nlegit: x = 0",
            2,
            36,
            "process p leaves the legitimate states by this action",
            "from",
        ),
        (f"var x : 0..1\n{PROCESS}\n{PROCESS}", 3, 9, "there are two processes `p`", None),
        (
            "var x : 0..1\nprocess p { writes x }",
            2,
            20,
            "`x` is written but not read",
            "a process reads what it writes",
        ),
        (
            "var x : 0..1\nprocess p { reads x x = 0 -> x := 1 }",
            2,
            27,
            "`x` is not among what the process writes",
            "`w",
        ),
        (
            "var x : 0..1 var y : 0..1\nprocess p { reads x writes x y = 0 -> x := 1 }",
            *(2, 30, "the process does not read `y`", "`reads ..`"),
        ),
        (
            "var x : 0..1\nprocess p { reads x writes x x = 1 -> x := x + 1 }",
            *(2, 36, "this sets `x` to what is none of its values", "where x = 1"),
        ),
        (
            "var x : 0..1\nprocess p { reads x writes x x = 1 -> x = 0 }",
            2,
            41,
            "unexpected `=`, expected",
            "an assignm",
        ),
        (
            "var x : 0..1\nprocess p { reads x writes x true -> x := 0, x := 1 }",
            *(2, 46, "`x` is set twice", None),
        ),
        (
            f"var x : 0..1\n{PROCESS}\nfault: true -> x := 7",
            3,
            13,
            "this fault sets `x` to what is none of its",
            "where",
        ),
        (f"type T = 0 | none var x : T\n{PROCESS}", 2, 36, "this sets `x` to what is none of its values", "where"),
        (
            "type T = 0 | 1 | none var x : T\nprocess p { reads x writes x true -> x := 1 - x }",
            *(2, 45, "this has no value, for it calculates with what is no number", "where x = none"),
        ),
        (
            f"type T = 0 | 1 | none var x : T\n{PROCESS}\nlegit: x < 1",
            *(3, 10, "this has no value, for it calculates with what is no number", "where x = none"),
        ),
        ("process p symmetric { var x : 0..1 writes x }", 1, 9, "a single process cannot be symmetric", None),
        (
            "process j in 0..2 symmetric { var x : 0..1 reads x.((j + 1) mod 3) writes x x = 0 -> x := 1 }",
            *(1, 50, "symmetric processes read the same of all others", "`reads x of others`"),
        ),
        (
            "process j in 0..2 symmetric { var x : 0..1 reads x of others writes x x.0 = 0 and x = 0 -> x := 1 }",
            *(1, 9, "these processes are not symmetric", "leave `symmetric` away"),
        ),
        ("process j in 1..0 { var x : 0..1 }", 1, 9, "this family has no process", None),
        ("var x : 0..1 = " + "(" * 201 + "0" + ")" * 201, 1, 216, "more than 200 levels of parentheses", None),
    ],
)
def test_errors(text: str, line: int, column: int, message: str, hint: str | None) -> None:
    with pytest.raises(XgenError) as caught:
        repair(read_protocol(Source("p.gcl", text)))
    error = caught.value
    assert (error.line, error.column) == (line, column), str(error)
    assert error.message.startswith(message)
    assert (error.hint or "").startswith(hint or "")
    assert (error.hint is None) == (hint is None), error.hint


def test_constants() -> None:
    source = Source("p.gcl", f"const top = 1\nvar x : 0..top\n{PROCESS}")
    assert len(read_protocol(source, {"top": 4}).variables[0].values) == 5
    with pytest.raises(XgenError, match="has no constant `tip`") as caught:
        read_protocol(source, {"tip": 4})
    assert caught.value.hint == "did you mean `top`?"


def test_too_much_to_see() -> None:
    names = [f"x{number}" for number in range(12)]
    text = "\n".join(f"var {name} : 0..9 = 0" for name in names)
    text += f"\nprocess p {{ reads {', '.join(names)} writes x0 x0 = 0 -> x0 := 1 }}"
    with pytest.raises(XgenError, match="process p reads too much"):
        repair(read_protocol(Source("p.gcl", text)))


def test_too_many_starts() -> None:
    text = "\n".join(f"var x{number} : 0..9" for number in range(12))
    text += "\nprocess p { reads x0 writes x0 x0 = 0 -> x0 := 1 }"
    with pytest.raises(XgenError, match="states to start from"):
        repair(read_protocol(Source("p.gcl", text)))


def test_what_is_decided_needs_no_number() -> None:
    """`and`, `or` and `imply` look to the right only where the left does not decide."""
    text = f"type T = 0 | 1 | none var x : T\n{PROCESS}\nfault: true -> x := any\n"
    text += "never: x /= none and x > 1\nlegit: x = none or x >= 0\nlegit: x /= none imply x >= 0"
    assert repair(read_protocol(Source("p.gcl", text))).verdict == "tolerant"


WORDS = (
    "const type var process symmetric in reads writes of others fault for legit never step init any all some count and"
    " or not mod true false x y p j 0 1 2 = /= < + - * := -> .. . , : ( ) { } ' | 0..1 x.j"
)


@given(st.lists(st.sampled_from(WORDS.split(" ")), max_size=30).map(" ".join))
def test_any_text_is_a_protocol_or_an_error(text: str) -> None:
    with suppress(XgenError):
        check_as_it_is(read_protocol(Source("p.gcl", text)), limit=100)


BASE = """const n = 2
type T = 0 | 1 | none
process j in 0..n-1 symmetric {
  var x : T = 0
  reads x of others
  writes x
  x = 0 and all k in others: x.k /= none -> x := 1
}
fault for j in 0..n-1: x.j = 1 -> x.j := any(0, none)
legit: count j in 0..n-1 (x.j = none) = 0
never: some j in 0..n-1: x.j = 1 and x.0 = none
init: x.0 = 0
"""


@given(st.integers(0, len(BASE)), st.integers(0, 12), st.text("xj01n.=/<>()+-', \n", max_size=3))
def test_damaged_protocols(at: int, length: int, instead: str) -> None:
    with suppress(XgenError):
        repair(read_protocol(Source("p.gcl", BASE[:at] + instead + BASE[at + length :])), limit=1000)
