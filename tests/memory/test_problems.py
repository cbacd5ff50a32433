"""What `xgen models check` finds."""

from __future__ import annotations

from pathlib import Path

import pytest

from xgen.errors import Source
from xgen.memory.library import list_models, load_model
from xgen.memory.mcm.parser import read_model
from xgen.memory.statics.lint import remarks_of


def found(text: str) -> list[tuple[int | None, str]]:
    problems = remarks_of(read_model(Source("m.mcm", text)))
    return [(problem.position.line if problem.position else None, problem.message) for problem in problems]


PROBLEMS = [
    ("a = po | rf a acyclic", []),
    ("a = po | rf\nb = mo ; rf\na acyclic", [(2, "`b` is defined and not used by any constraint")]),
    ("a = po | rf\nb = a ; rf\nc = b\nb acyclic", []),
    ("rec a = po | b ; rf and b = rf ; a a acyclic", []),
    (
        "rec a = po | b ; rf and b = rf ; a\nc = po | rf c acyclic",
        [(1, "`a` is defined and not used by any constraint"), (1, "`b` is defined and not used by any constraint")],
    ),
    ("a = for_each_node F[isb] begin po(A[node] -> R) | rf end a acyclic", []),
    ("a = fr ; rf\nb = po | rf b acyclic flag a empty", []),
    ("f(r) = r ; rf\na = f(po) a acyclic", []),
    (
        "f(r) = r ; rf\ng(r) = f(r) ; po\na = po | rf a acyclic",
        [
            (1, "the function `f` is defined and not applied"),
            (2, "the function `g` is defined and not applied"),
        ],
    ),
    # Never, always
    ("po acyclic", [(1, "`po` can never fail")]),
    ("a = po(R -> W) ; [W] ; po \\ addr a irreflexive", [(1, "`a` can never fail")]),
    ("a = po | rf a acyclic\nb = R & W b empty", [(2, "`b` can never fail")]),
    ("a = mo(W -> W) ; mo a acyclic", [(1, "`a` can never fail")]),
    ("a = {} a empty", [(1, "`a` can never fail")]),
    ("a = rf ; po a acyclic", []),
    ("a = mo a empty", []),
    ("a = rf^* a acyclic", [(1, "`a` always fails")]),
    ("a = po | loc a irreflexive", [(1, "`a` always fails")]),
    ("a = W | R a empty", [(1, "`a` always fails")]),
    ("a = po | id(R -> R) a irreflexive", []),
    ("po not acyclic", [(1, "`po` always fails")]),
    ("loc not irreflexive", [(1, "`loc` can never fail")]),
    # Tags
    ("a = po(A -> F[mfense]) | rf a acyclic", [(None, "no architecture has the tag `mfense`: did you mean `mfence`?")]),
    ("a = po(A -> F[qqq]) | rf a acyclic", [(None, "no architecture has the tag `qqq`")]),
    (
        'model "m" expects lfence a = po(A -> F[mfence]) | po(F[lfence] -> A) | rf a acyclic',
        [(None, "the tag `mfence` is used, but the header does not say that it is expected")],
    ),
    ('model "m"', [(None, "the model has no constraint: every execution is allowed")]),
]


@pytest.mark.parametrize(("text", "problems"), PROBLEMS, ids=[text for text, _ in PROBLEMS])
def test_problems(text: str, problems: list[tuple[int | None, str]]) -> None:
    assert found(text) == problems


def test_names_that_are_defined_twice(tmp_path: Path) -> None:
    """Of the model's own text: one that is also in a file that it includes is often meant."""
    (tmp_path / "more.cat").write_text("let d = rf let d = rf | po")
    model = tmp_path / "m.cat"
    model.write_text('"m"\ninclude "more.cat"\nlet a = po\nlet c = a\nlet a = a | rf let d = a\nacyclic a | c | d as x')
    problems = remarks_of(load_model(str(model)))
    assert [(problem.note, problem.position and problem.position.line, problem.message) for problem in problems] == [
        (True, 5, "`a` is defined once more; what comes before goes on with the earlier definition")
    ]


@pytest.mark.parametrize("name", [name for name in list_models() if not name.startswith("thesis/")])
def test_shipped_models_have_none(name: str) -> None:
    assert [problem for problem in remarks_of(load_model(name)) if not problem.note] == []
