"""Predictions, selections and scopes: their text, and what is wrong with some."""

from __future__ import annotations

import pytest

import xgen
from xgen.errors import XgenError
from xgen.program.printer import print_program

HEAD = """var x : int
main process p {
  var a : int
  var c : bool
  init loc A
  final loc B
"""


def program(statements: str) -> str:
    return f"{HEAD}  A -> B {{ {statements} }}\n}}\n"


@pytest.mark.parametrize(
    "statements",
    [
        "predict(c, a = 1);",
        "pick(c, a = 1 and not c);",
        "predict(a, a + 1, 4);",
        "pick(a, a, 1);",
        "select(a, c, a + 1, 2);",
        "select_if(a, c, a, -1);",
        "select(c, c, true, a = 1);",
        "keep(a); leave(a);",
    ],
)
def test_text(statements: str) -> None:
    parsed = xgen.parse(program(statements))
    assert statements in " ".join(print_program(parsed).split())
    assert xgen.parse(print_program(parsed)) == parsed
    assert xgen.check(parsed, xgen.model("arm8")).verdict == "safe"


@pytest.mark.parametrize(
    ("statements", "message"),
    [
        ("predict(x, 1)", "`x` is a shared variable, a local one is needed here"),
        ("predict(c, a, 0)", "there are 1 to 2^31 - 1 values to predict"),
        ("select(a, a, 1, 2)", "what is selected by is a bool"),
        ("keep(c)", "what keeps dependencies is an int"),
    ],
)
def test_errors(statements: str, message: str) -> None:
    with pytest.raises(XgenError) as error:
        xgen.parse(program(statements))
    assert error.value.message == message


def test_known_values_are_not_chosen() -> None:
    """A prediction of what is known has one option; of what is not known, the wrong one is given up."""
    text = """var x : int
main process p { var a : int var c : bool init loc A final loc B A -> B { a <- x; predict(c, a = 1); } }
process q { init loc A final loc B A -> B { 1 -> x; } }
"""
    for model in ("sc", "arm8", "coherence"):
        result = xgen.check(xgen.parse(text), xgen.model(model), all_states=True)
        assert sorted((o.state["p:a"], o.state["p:c"], o.count) for o in result.outcomes) == [
            (0, False, 1),
            (1, True, 1),
        ]
