"""What is said of wrong .cat models: text, error, message, line, column, hint."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from xgen.errors import ModelError, Source, UnsupportedError, XgenError
from xgen.memory.cat import read_cat
from xgen.memory.library import load_model

M, U = ModelError, UnsupportedError
IDENTITY = "the identity on a set S is `[S]`, all its pairs are `S * S`"
ENDS = "the ends of a relation r are the sets `domain(r)` and `range(r)`"

ERRORS: list[tuple[str, type[XgenError], str, int, int, str | None]] = [
    ("", M, "the model is empty", 1, 1, 'a model has at least a name: "SC"'),
    ("SC acyclic", M, "the text ends, expected an expression", 1, 11, None),
    ("acyclic (po | rf", M, "the text ends, expected `)`", 1, 17, None),
    ("let = po", M, "unexpected `=`, expected a name", 1, 5, None),
    ("let f x y = x", M, "unexpected `y`, expected `=`", 1, 9,
     "a function has one parameter, which may be a tuple: f (x, y) = ..."),
    ("x hb = po", M, "unexpected `=`, expected a definition or a check", 1, 6, None),
    ("M let a = po b = rf", M, "unexpected `=`, expected a definition or a check", 1, 16, None),
    ("(* open", M, "a comment that is opened here is never closed", 1, 1, None),
    ('include "a', M, "unexpected `\"`", 1, 9, "a text in quotes has to end"),
    ("acyclic po - rf", M, "unexpected `-`", 1, 12, "the inverse is written r^-1, a difference a \\ b"),
    ("acyclic po^+", M, "unexpected `+`, expected `-1`", 1, 12,
     "the inverse is written r^-1, the closures r+ and r*"),
    ("acyclic ~po+", M, "unexpected `+`, expected an operator", 1, 12, "write parentheses: (~r)+ or ~(r+)"),
    ("acyclic R * W * R", M, "unexpected `*`, expected an operator", 1, 15,
     "write parentheses: (A * B)+, A * (B * C)"),
    ("acyclic po @", M, "unexpected `@`", 1, 12, None),
    ("let let = po", M, "unexpected `let`, expected a name", 1, 5, "`let` is a reserved word"),
    ("procedure p() = enum E = 'a end", M, "unexpected `enum`, expected a definition or a check", 1, 17,
     "an enum stands at the top level only"),
    ("acyclic rfx", M, "`rfx` is not defined", 1, 9, "did you mean `rf`?"),
    ("empty [AMO]", M, "`AMO` is not defined", 1, 8,
     "it is one of models for RISCV, as which `xgen models --arch` reads it"),
    ("X86 empty [LWSYNC]", M, "`LWSYNC` is not defined for X86", 1, 12, "did you mean `SFENCE`?"),
    ("let a = R ; po\n\nacyclic a | rf", M, "this is a set of events, but a relation is needed here", 1, 9, IDENTITY),
    ("acyclic 0 | W", M, "this is a set of events, but `|` has a relation before it", 1, 13, IDENTITY),
    ("acyclic [po]", M, "this is a relation, but a set is needed here", 1, 10, ENDS),
    ("acyclic R", M, "this is a set of events, but a relation is needed here", 1, 9, IDENTITY),
    ("acyclic range rf^-1", M, "this is a set of events, but a relation is needed here", 1, 9, IDENTITY),
    ("acyclic po W", M, "this is a relation, not a function", 1, 9, None),
    ("acyclic domain", M, "this is a function, not a set or a relation", 1, 9, None),
    ("acyclic nodetour(po, rf)", M, "3 values are needed here, and this is 2 values", 1, 18, None),
    ("acyclic tag2events(po)", M, "this is a relation, but a tag is needed here", 1, 20, None),
    ("acyclic match 'a with 'b -> po end", M, "no clause is for the tag 'a", 1, 9, None),
    ("call po(rf)", M, "`po` is a relation, not a procedure", 1, 6, None),
    ('include "@"', M, 'there is no file "@"', 1, 9, "a file is looked for beside the one that includes it"),
    ('include "coss.cat"', M, 'there is no file "coss.cat"', 1, 9, "did you mean `cross.cat`?"),
    ("acyclic rf-reg", U, "herd's relation `rf-reg` is not supported", 1, 9, None),
    ("empty try Rreg with R", U, "herd's set `Rreg` is not supported", 1, 11, None),
    ("acyclic classes(po)", U, "herd's function `classes` is not supported", 1, 9, None),
    ("empty different-values(rf)", U, "herd's function `different-values` is not supported", 1, 24, None),
    ("LISA acyclic po", U, "models for LISA are not supported", 1, 1, None),
    ("empty {po}", U, "a set that has a relation as a member is not supported", 1, 8, None),
    ("acyclic po ++ rf", U, "`++` adds a member to a set of values, which is not supported", 1, 9, None),
    ("let rec r = po when acyclic r", U, "`let rec .. when` is not supported", 1, 21, None),
    ("with x from R", U, "`with .. from` a set of events is not supported", 1, 13, None),
    ("with x from generate_orders(R, po)", U, "only writes can be ordered by `with .. from`", 1, 13, None),
    ("forall x in R do empty x end", U, "`forall` over a set of events is not supported", 1, 13, None),
    ("empty match R with {} -> R || x ++ y -> W end",
     U, "going through the members of a set of events is not supported", 1, 7,
     None),
    ("empty if R = W then R else W",
     U, "comparing a set of events with a set of events by `=` is not supported", 1, 10,
     "only tags and sets of tags can be compared"),
    ("let rec f x = f(x) empty f(R)", U, "functions call each other more than 50 levels deep", 1, 15,
     "recursion over the members of sets is not supported"),
    ("acyclic " + "(" * 200 + "po" + ")" * 200, U, "this is nested more than 60 levels deep", 1, 39, None),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "kind", "message", "line", "column", "hint"), ERRORS, ids=[row[0][:40] for row in ERRORS]
)
def test_errors(text: str, kind: type[XgenError], message: str, line: int, column: int, hint: str | None) -> None:
    with pytest.raises(XgenError) as caught:
        read_cat(Source("m.cat", text))
    error = caught.value
    assert (type(error), error.message, error.line, error.column) == (kind, message, line, column)
    if hint is not None:
        assert error.hint == hint


def test_an_error_in_an_included_file_names_that_file(tmp_path: Path) -> None:
    """Also where it is found only when the definition is used."""
    part = tmp_path / "part.cat"
    part.write_text("let a = po\nlet b = a | nowhere\n")
    model = tmp_path / "m.cat"
    model.write_text('include "part.cat"\nacyclic b\n')
    with pytest.raises(ModelError) as caught:
        load_model(str(model))
    assert (caught.value.file, caught.value.line, caught.value.column) == (str(part), 2, 13)


def test_a_file_that_includes_itself(tmp_path: Path) -> None:
    model = tmp_path / "m.cat"
    model.write_text('include "n.cat"')
    (tmp_path / "n.cat").write_text('let a = po\ninclude "n.cat"')
    with pytest.raises(ModelError, match="includes itself") as caught:
        load_model(str(model))
    assert (caught.value.file, caught.value.line) == (str(tmp_path / "n.cat"), 2)


def test_a_model_for_another_architecture() -> None:
    """herd compares the model's header with the test's."""
    with pytest.raises(ModelError, match="this is a model for RISCV, not for PPC"):
        read_cat(Source("m.cat", "RISCV acyclic po"), "PPC")
    with pytest.raises(UnsupportedError, match="there is no architecture `Z80`"):
        read_cat(Source("m.cat", "acyclic po"), "Z80")
    assert read_cat(Source("m.cat", "X86 acyclic po"), "X86_64").constraints


def test_a_long_model() -> None:
    """Five thousand definitions, each of which uses the one before it."""
    lines = ["let r0 = po", *(f"let r{n + 1} = r{n} | (r{n}; rf)" for n in range(5000)), "acyclic r5000"]
    assert len(read_cat(Source("m.cat", "\n".join(lines))).constraints) == 1


WORDS = """let rec and = ( ) [ ] { } po rf R W | & ; \\ ~ + * ? ^ -1 'a "s" 0 _ , -> || in acyclic empty as x if then
try with match end fun include flag ++ else"""


@given(st.lists(st.sampled_from(WORDS.split()), max_size=12))
@settings(max_examples=3 * settings().max_examples)
def test_any_text_is_a_model_or_a_kind_error(words: list[str]) -> None:
    """There is no third outcome, and an error shows its place."""
    places = [(1, 1)]
    try:
        read_cat(Source("m.cat", " ".join(words)))
    except XgenError as error:
        places.append((error.line or 0, error.column or 0))
    assert places[-1] >= (1, 1)
