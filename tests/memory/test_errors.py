"""What is said of wrong models: text, error, message, line, column, hint."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from xgen.errors import ModelError, Source, UnsupportedError, XgenError
from xgen.memory.mcm.parser import MAX_CHARACTERS, read_model
from xgen.memory.show import show
from xgen.memory.statics.polarity import violations_permanent

M, U = ModelError, UnsupportedError

SET_FOR_RELATION = "the identity on a set S is `[S]`, all its pairs are `S * S`"
RELATION_FOR_SET = "the ends of a relation r are the sets `domain(r)` and `range(r)`"
RESTRICTION = "the restriction of a relation is written `r(X -> Y)`, that of its closure `r(X --> Y)`"
ABOUT_A_NAME = "a constraint is about a name: define `name = expression`, then write `name acyclic`"
CONSTRAINT = "a constraint is written `name acyclic`: the name of a relation, then the property"
CLOSURE = "the reflexive and transitive closure is written `r^*`; `*` is the product of two sets"
INVERSE = "a difference is written `a \\ b`, an inverse `r^-1`, a restriction `r(X -> Y)`"
FALLING = "the recursion is not monotone: `{}` grows with it and is taken away here"
NOT_RIGHT = "what is being defined cannot be used on the right side of a difference"
HEADER = 'a model has at least a header: model "name"'

ERRORS: list[tuple[str, type[XgenError], str, int, int, str | None]] = [
    ("a = po ;", M, "the text ends, expected an expression", 1, 9, None),
    ("a = po(W -> R", M, "the text ends, expected `)`", 1, 14, None),
    ("a = po(W R)", M, "unexpected `R`, expected `)`, `,`, `->` or `-->`", 1, 10, None),
    ("a = po[W]", M, "`po` is a relation, but a tag in brackets needs a set", 1, 5, RELATION_FOR_SET),
    ("a = R[W]", M, "`W` is a set, not a tag", 1, 7, "the events that are in both sets are `R & W`"),
    ("a = R[po]", M, "`po` is a relation, not a tag", 1, 7, None),
    ("hb acyclic", M, "there is no set or relation `hb`", 1, 1, None),
    ("a = W a acyclic", M, "`a` is a set, but `acyclic` needs a relation", 1, 7, None),
    ("a = po po acyclic acyclic", M, "unexpected `acyclic`, expected a definition or a constraint", 1, 19, CONSTRAINT),
    ("a = rfe", M, "there is no set or relation `rfe`", 1, 5, "write `rf & ext`"),
    ("a = poo", M, "there is no set or relation `poo`", 1, 5, "did you mean `po`?"),
    (
        "a = b b = po",
        M,
        "`b` is used before it is defined",
        1,
        5,
        "it is defined on line 1; a definition can use only those before it",
    ),
    (
        "a = a ; po",
        M,
        "the definition of `a` uses itself",
        1,
        5,
        "write `rec a = ...`; the transitive closure is `r^+`",
    ),
    ("po = rf", M, "`po` is built in and cannot be defined", 1, 1, None),
    ("rmw = po", M, "`rmw` is built in and cannot be defined", 1, 1, None),
    ("a = po a = rf", M, "`a` is defined twice", 1, 8, "it is first defined on line 1"),
    ("a = po & W", M, "`po` is a relation and `W` is a set, but `&` needs two of one kind", 1, 10, None),
    ("a = {} ; W", M, "`W` is a set, but `;` needs a relation", 1, 10, SET_FOR_RELATION),
    ("a = [po]", M, "`po` is a relation, but `[ ]` needs a set", 1, 6, RELATION_FOR_SET),
    ("a = W * po", M, "`po` is a relation, but `*` needs a set", 1, 9, RELATION_FOR_SET),
    (
        "a = W * R * W",
        M,
        "this is a product of more than two sets",
        1,
        13,
        "`*` is the product of two sets, which is a relation",
    ),
    ("a = R[node]", M, "`node` is used outside of a `for_each_node` loop", 1, 7, None),
    (
        "a = for_each_node R begin R[node1] * W end",
        M,
        "there is no loop `node1` around this",
        1,
        29,
        "the only loop here is `node0`",
    ),
    (
        "a = for_each_node R begin for_each_var begin R[node7][var][thrd] * W end end",
        M,
        "there is no loop `node7` around this",
        1,
        48,
        "the only loop here is `node0`",
    ),
    (
        "a = for_each_node po begin po end",
        M,
        "`po` is a relation, but for_each_node needs a set",
        1,
        19,
        RELATION_FOR_SET,
    ),
    ("a = for_each_var R begin po end", M, "unexpected `R`, expected `begin`", 1, 18, None),
    ("a = domain(W)", M, "`W` is a set, but `domain` needs a relation", 1, 12, SET_FOR_RELATION),
    ("a = source(po, rf)", M, "unexpected `,`, expected `)`", 1, 14, None),
    ("a = (po, rf)", M, "the text ends, expected `(`", 1, 13, None),
    ("a = (po, W)(A -> A)", M, "`W` is a set, but `->` needs a relation", 1, 10, SET_FOR_RELATION),
    ("a = po(po -> W)", M, "`po` is a relation, but `->` needs a set", 1, 8, RELATION_FOR_SET),
    ("a = W(W -> W)", M, "`W` is a set, but `->` needs a relation", 1, 5, SET_FOR_RELATION),
    ("a = W^+", M, "`W` is a set, but `^+` needs a relation", 1, 5, SET_FOR_RELATION),
    ("a = po+", M, "unexpected `+`", 1, 7, "the transitive closure is written `r^+`"),
    ("a = po*\nb = rf", M, "unexpected `=`, expected an operator, a definition or a constraint", 2, 3, CLOSURE),
    (
        "a = r* a empty",
        M,
        "unexpected `empty`, expected an operator, a definition or a constraint",
        1,
        10,
        ABOUT_A_NAME,
    ),
    ("a = ~po", M, "unexpected `~`", 1, 5, "there is no complement; a difference is written `A * A \\ r`"),
    (
        "let a = po",
        M,
        "unexpected `a`, expected `=`, `acyclic`, `irreflexive` or `empty`",
        1,
        5,
        "a definition is written `name = expression`, one that uses itself `rec name = expression`",
    ),
    ("# hello", M, "unexpected `#`", 1, 1, "comments begin with `//`"),
    ("/* hello", M, "a comment that is opened here is never closed", 1, 1, "/* ... */ or // to the end of the line"),
    ('model "x', M, "a text in quotes has to end on its line", 1, 7, None),
    (
        'model "x" model "y"',
        M,
        "unexpected `model`, expected a definition or a constraint",
        1,
        11,
        "`model` is a reserved word",
    ),
    ('model ""', M, "the model's name is empty", 1, 7, None),
    (
        'a = po model "x"',
        M,
        "unexpected `model`, expected an operator, a definition or a constraint",
        1,
        8,
        "`model` is a reserved word",
    ),
    # Flags, tags
    ("flag po", M, "the text ends, expected `acyclic`, `irreflexive` or `empty`", 1, 8, None),
    ("flag a = po", M, "unexpected `=`, expected `acyclic`, `irreflexive` or `empty`", 1, 8, None),
    ("flag W acyclic", M, "`W` is a set, but `acyclic` needs a relation", 1, 6, None),
    ("po not po", M, "unexpected `po`, expected `acyclic`, `irreflexive` or `empty`", 1, 8, None),
    ("po acyclic as x flag rf acyclic as x", M, "there are two constraints `x`", 1, 36, "the first is on line 1"),
    ('model "m" expects', M, "the text ends, expected a name", 1, 18, None),
    ('model "m" expects "x"', M, 'unexpected `"x"`, expected a name', 1, 19, None),
    # Functions
    ("f() = po", M, "unexpected `)`, expected a name", 1, 3, None),
    ("f(po) = po", M, "`po` is built in and cannot be a parameter", 1, 3, None),
    ("f(x, x) = x", M, "there are two parameters `x`", 1, 6, None),
    ("po(x) = x", M, "`po` is built in and cannot be defined", 1, 1, None),
    ("f(x) = x f(y) = y", M, "`f` is defined twice", 1, 10, "it is first defined on line 1"),
    ("f(x) = x f = po", M, "`f` is defined twice", 1, 10, "it is first defined on line 1"),
    ("f(some) = some ; sone", M, "there is no set or relation `sone`", 1, 18, "did you mean `some`?"),
    ("f(x) = f(x)", M, "the function `f` uses itself", 1, 8, "only `rec` definitions can"),
    ("f(x) = x a = f", M, "`f` is a function, not a set or a relation", 1, 14, "it is applied as `f(...)`"),
    (
        "f(x, y) = x f acyclic",
        M,
        "`f` is a function, not a set or a relation",
        1,
        13,
        "it is applied as `f(..., ...)`",
    ),
    ("f(x) = x a = f(po, rf)", M, "`f` needs 1 argument, not 2", 1, 14, None),
    ("f(x, y) = x a = f(po)", M, "`f` needs 2 arguments, not 1", 1, 17, None),
    ("after(x) = x a = aftr(po)", M, "there is no function `aftr`", 1, 18, "did you mean `after`?"),
    (
        "a = f(po) f(x) = x",
        M,
        "`f` is used before it is defined",
        1,
        5,
        "it is defined on line 1; a definition can use only those before it",
    ),
    ("a = po(rf)", M, "`po` is not a function", 1, 5, RESTRICTION),
    ("a = (po)(R)", M, "`(po)` is not a function", 1, 5, RESTRICTION),
    ("f(x) = x(W)", M, "`x` is not a function", 1, 8, RESTRICTION),
    ("f(x) = x ; po\na = f(W)", M, "`x` is a set, but `;` needs a relation", 1, 8, SET_FOR_RELATION),
    (
        "f(x) = x & po\na = po\n | f(W)",
        M,
        "`x` is a set and `po` is a relation, but `&` needs two of one kind",
        1,
        12,
        "in the application of `f` on line 3",
    ),
    # Recursion
    ("rec a = po rec", M, "the text ends, expected a name", 1, 15, None),
    ("rec a = po and", M, "the text ends, expected a name", 1, 15, None),
    ("rec a acyclic", M, "unexpected `acyclic`, expected `=`", 1, 7, "`acyclic` is a reserved word"),
    ("rec a = po and a = rf", M, "`a` is defined twice", 1, 16, "it is first defined on line 1"),
    ("rec po = po", M, "`po` is built in and cannot be defined", 1, 5, None),
    ("rec a = a | b", M, "there is no set or relation `b`", 1, 13, None),
    ("rec a = domain(a) ; po", M, "`domain(a)` is a set, but `;` needs a relation", 1, 9, SET_FOR_RELATION),
    (
        "rec a = R | b and b = po | a",
        M,
        "`R` is a set and `b` is a relation, but `|` needs two of one kind",
        1,
        13,
        None,
    ),
    ("rec a = po \\ a", M, FALLING.format("a"), 1, 14, NOT_RIGHT),
    ("rec a = rf | po \\ (W * R) \\ (rf ; b)\n and b = a", M, FALLING.format("(rf ; b)"), 1, 29, NOT_RIGHT),
    ("rec a = b and b = immediate(a | rf)", M, FALLING.format("a | rf"), 1, 29, NOT_RIGHT),
    ("less(x, y) = x \\ y\nrec a = po | less(rf, a)", M, FALLING.format("y"), 1, 18, NOT_RIGHT),
    ("rec a = for_each_var begin a end", U, "a loop cannot stand in a recursion", 1, 9, None),
    # Includes
    (
        'include "foo.mcm"',
        M,
        "there is no file `foo.mcm`",
        1,
        1,
        "it is looked for in the current folder and among the shipped models",
    ),
    (
        'include "foo.cat"',
        M,
        "`foo.cat` cannot be included",
        1,
        1,
        "what can be included is a file in this language, whose name ends in .mcm",
    ),
    ("include foo", M, "unexpected `foo`, expected a text in quotes", 1, 9, None),
    ("acyclic po", M, "unexpected `acyclic`, expected a definition or a constraint", 1, 1, CONSTRAINT),
    (
        "a = po | rf acyclic",
        M,
        "unexpected `acyclic`, expected an operator, a definition or a constraint",
        1,
        13,
        ABOUT_A_NAME,
    ),
    ("a = po empty", M, "unexpected `empty`, expected an operator, a definition or a constraint", 1, 8, ABOUT_A_NAME),
    ("a = po (a acyclic & po rf)", M, "unexpected `rf`, expected `acyclic`, `irreflexive` or `empty`", 1, 24, None),
    ("po acyclic as x rf acyclic as x", M, "there are two constraints `x`", 1, 31, "the first is on line 1"),
    (
        "po acyclic as x as y",
        M,
        "unexpected `as`, expected a definition or a constraint",
        1,
        17,
        "`as` is a reserved word",
    ),
    ("a = (((po", M, "the text ends, expected `)` or `,`", 1, 10, None),
    ("a == po", M, "unexpected `=`, expected an expression", 1, 4, None),
    ("= po", M, "unexpected `=`, expected a definition or a constraint", 1, 1, None),
    ("a", M, "the text ends, expected `=`, `acyclic`, `irreflexive` or `empty`", 1, 2, None),
    ("begin", M, "unexpected `begin`, expected a definition or a constraint", 1, 1, "`begin` is a reserved word"),
    ("a = for_each_node", M, "the text ends, expected an expression", 1, 18, None),
    ("a = 0", M, "unexpected `0`", 1, 5, "the empty set and the empty relation are written `{}`"),
    ("a = po - rf", M, "unexpected `-`", 1, 8, INVERSE),
    ("a = W×R", M, "unexpected `×`", 1, 6, None),
    ("a = immediate(W)", M, "`W` is a set, but `immediate` needs a relation", 1, 15, SET_FOR_RELATION),
    ("a = po(A -> _)", M, "there is no set or relation `_`", 1, 13, "the set of all events is `A`"),
    ("// nothing", M, "the model is empty", 1, 1, HEADER),
    ("", M, "the model is empty", 1, 1, HEADER),
    ("a = [W] po", M, "the text ends, expected `=`, `acyclic`, `irreflexive` or `empty`", 1, 11, None),
    ("a = po $ rf", M, "unexpected `$`", 1, 8, None),
    ("a = po^2", M, "unexpected `^`", 1, 7, "the inverse is written `r^-1`, the closures `r^+` and `r^*`"),
    ("a = F['mfence]", M, "unexpected `'`", 1, 7, "the events with a tag are written `F[mfence]`"),
    ('a = po "x"', M, 'unexpected `"x"`, expected an operator, a definition or a constraint', 1, 8, None),
    ("a = union", M, "unexpected `union`, expected an expression", 1, 5, "`union` is a reserved word"),
    ("a = po || rf", M, "unexpected `|`, expected an expression", 1, 9, None),
    ("W acyclic", M, "`W` is a set, but `acyclic` needs a relation", 1, 1, None),
    ("end = po", M, "unexpected `end`, expected a definition or a constraint", 1, 1, "`end` is a reserved word"),
    ("a = R[thrd0]", M, "`thrd0` is used outside of a `for_each_thrd` loop", 1, 7, None),
    (
        "a = for_each_thrd begin A[thread3] * A end",
        M,
        "there is no loop `thread3` around this",
        1,
        27,
        "the only loop here is `thread0`",
    ),
    ("a = po | rf |", M, "the text ends, expected an expression", 1, 14, None),
    ("a = W & po;", M, "the text ends, expected an expression", 1, 12, None),
    (
        "a = po\nb = (po\n | rf\n | W)",
        M,
        "`po` is a relation and `W` is a set, but `|` needs two of one kind",
        4,
        4,
        None,
    ),
    ("model", M, "the text ends, expected a text in quotes", 1, 6, None),
    ('model "a" "b" "c"', M, 'unexpected `"c"`, expected a definition or a constraint', 1, 15, None),
    ("a = po(A -> )", M, "unexpected `)`, expected an expression", 1, 13, None),
    ("a = for_each_node R po end", M, "unexpected `po`, expected `begin`", 1, 21, None),
    ("a = R[]", M, "unexpected `]`, expected a name", 1, 7, None),
    ("a = R[a b]", M, "unexpected `b`, expected `]`", 1, 9, None),
    ("a = {po}", M, "unexpected `po`, expected `}`", 1, 6, None),
    ("po acyclic & ", M, "the text ends, expected a name", 1, 13, None),
    ("(po acyclic", M, "the text ends, expected `)`", 1, 12, None),
    ("po acyclic | rf", M, "the text ends, expected `acyclic`, `irreflexive` or `empty`", 1, 16, None),
    ("po acyclic as", M, "the text ends, expected a name", 1, 14, None),
    ('po acyclic as "x"', M, 'unexpected `"x"`, expected a name', 1, 15, None),
    ("a = po b acyclic", M, "there is no set or relation `b`", 1, 8, None),
    ("a = {} a acyclic b acyclic", M, "there is no set or relation `b`", 1, 18, None),
    ("loc = po", M, "`loc` is built in and cannot be defined", 1, 1, None),
    ("A = W", M, "`A` is built in and cannot be defined", 1, 1, None),
    ("a = source po", M, "unexpected `po`, expected `(`", 1, 12, None),
    ("a = domain(rf) ; po", M, "`domain(rf)` is a set, but `;` needs a relation", 1, 5, SET_FOR_RELATION),
    ("a = po \\ W", M, "`po` is a relation and `W` is a set, but `\\` needs two of one kind", 1, 10, None),
    ("a = R union po", M, "`R` is a set and `po` is a relation, but `|` needs two of one kind", 1, 13, None),
    ("a = po -> rf", M, "unexpected `->`, expected a definition or a constraint", 1, 8, RESTRICTION),
    ("a = r-1", M, "there is no set or relation `r-1`", 1, 5, None),
    (
        "po acyclic a = po po acyclic as a po acyclic as a",
        M,
        "there are two constraints `a`",
        1,
        49,
        "the first is on line 1",
    ),
    ("\n\n  a = po ;\n\n", M, "the text ends, expected an expression", 3, 11, None),
    ("a = po	b = 	q", M, "there is no set or relation `q`", 1, 13, None),
]


@pytest.mark.parametrize(("text", "error", "message", "line", "column", "hint"), ERRORS, ids=[e[0] for e in ERRORS])
def test_error(text: str, error: type[XgenError], message: str, line: int, column: int, hint: str | None) -> None:
    with pytest.raises(XgenError) as caught:
        read_model(Source("m.mcm", text))
    found = caught.value
    assert (found.message, found.line, found.column, found.hint) == (message, line, column, hint)
    assert type(found) is error
    assert str(found).startswith(f"m.mcm:{line}:{column}: error: {message}\n")


def test_the_place_is_underlined() -> None:
    with pytest.raises(ModelError) as caught:
        read_model(Source("m.mcm", "a = po\nb = rf ; (W\n  | R) ; a\n"))
    assert str(caught.value).splitlines()[1:3] == ["    2 | b = rf ; (W", "      |          ^^"]


# --- Inputs without measure ----------------------------------------------------------------------------------------

DEEP = {
    "parentheses": "a = " + "(" * 10_000 + "po" + ")" * 10_000 + " a acyclic",
    "groups": "(" * 10_000 + "po acyclic" + ")" * 10_000,
    "groups to the right": "(po acyclic | " * 3000 + "po empty" + ")" * 3000,
    "union": "a = " + " | ".join(["po", "rf"] * 5000) + " a acyclic",
    "sequence": "a = " + " ; ".join(["po", "mo"] * 5000) + " a acyclic",
    "right nested": "a = " + "po ; (" * 5000 + "rf" + ")" * 5000 + " a acyclic",
    "closures": "a = po" + "^+" * 5000 + " a acyclic",
    "domains": "a = " + "domain([" * 3000 + "W" + "])" * 3000 + " a empty",
    "restrictions": "a = " + "rf(W -> range(" * 1000 + "po" + "))" * 1000 + " a acyclic",
    "differences": "a = " + "po \\ (" * 3000 + "po" + ")" * 3000 + " a acyclic",
    "definitions": "\n".join(f"d{i} = po(W -> R) | rf" for i in range(5000)) + " d4999 acyclic",
    "chain": "d0 = rf\n" + "\n".join(f"d{i + 1} = d{i} ; d{i}" for i in range(5000)) + " d5000 acyclic",
    "chain of differences": "d0 = rf\n" + "\n".join(f"d{i + 1} = po \\ d{i}" for i in range(3000)) + " d3000 acyclic",
    "constraints": "\n".join(f"po acyclic as c{i}" for i in range(3000)),
    "recursion": "rec d0 = rf | d4999 " + " ".join(f"and d{i + 1} = d{i}" for i in range(4999)) + " d4999 acyclic",
    "functions": "\n".join(f"f{i}(x) = x ; rf\nd{i} = f{i}(po)" for i in range(2500)) + " d2499 acyclic",
}


@pytest.mark.sweep
@pytest.mark.parametrize("name", DEEP)
def test_deep_and_long_models(name: str) -> None:
    model = read_model(Source("m.mcm", DEEP[name]))
    for constraint in model.constraints[:10]:
        good, _ = violations_permanent(constraint.condition)
        assert good or name == "chain of differences"
    if model.definitions:
        assert len(show(model.definitions[-1].term)) < 20_000


TOWER = "f0(x) = x ; rf\n" + "".join(f"f{i + 1}(x) = f{i}(f{i}(x))\n" for i in range(20))
"""Functions that mean 2^20 steps."""
STACK = "f0(x) = x\n" + "".join(f"f{i + 1}(x) = f{i}(x)\n" for i in range(60))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = " + "(" * 10_000, "the text ends, expected an expression"),
        ("(" * 10_000 + "po acyclic", "the text ends, expected `)`"),
        ("(" * 10_000, "unexpected `(`, expected a definition or a constraint"),
        ("a = " + "for_each_node R begin " * 5000 + "po" + " end" * 5000, "`a` is under more than 16 for_each loops"),
        ("x" * 100_000 + " acyclic", f"there is no set or relation `{'x' * 57}...`"),
        ("x" * (MAX_CHARACTERS + 1), "the model has more than 200,000 characters"),
        ("/*" + "*" * 100_000, "a comment that is opened here is never closed"),
        ("a = R[node" + "9" * 5000 + "]", f"`node{'9' * 53}...` is used outside of a `for_each_node` loop"),
        ("\x00\x01", "unexpected character U+0000"),
        (TOWER + "a = f20(po)", "functions are applied more than 20,000 times"),
        (STACK + "a = f60(po)", "functions are applied more than 50 levels deep"),
    ],
    ids=[
        "open",
        "open group",
        "no group",
        "loops",
        "name",
        "too long",
        "comment",
        "digits",
        "binary",
        "tower",
        "stack",
    ],
)
def test_hopeless_texts(text: str, message: str) -> None:
    with pytest.raises(XgenError) as caught:
        read_model(Source("m.mcm", text))
    assert caught.value.message == message
    assert len(str(caught.value)) < 1000


def test_too_many_loops_by_way_of_definitions() -> None:
    loops = [f"d{i} = for_each_node R begin po(R[node] -> A) end" for i in range(17)]
    text = "\n".join([*loops, f"all = {' | '.join(f'd{i}' for i in range(17))}"])
    with pytest.raises(UnsupportedError, match="`all` is under more than 16 for_each loops"):
        read_model(Source("m.mcm", text))


WORDS = [
    *("po", "rf", "mo", "W", "R", "F", "A", "a", "b", "hb", "addr", "node", "node0", "var", '"x"', "0", "é"),
    *("(", ")", "[", "]", "{", "}", "{}", "->", "-->", "=", "|", "&", ";", "\\", "*", "?", "^-1", "^+", "^*", ","),
    *("union", "intersect", "source", "target", "immediate", "begin", "end", "for_each_node", "for_each_var"),
    *("acyclic", "empty", "irreflexive", "as", "model", "include", "flag", "//", "/*", "*/"),
    *("rec", "and", "not", "expects", "f", "f(a)", "f(a) ="),
]


def outcome(text: str) -> XgenError | None:
    """What is wrong with a text; any other exception than an XgenError fails the test."""
    try:
        read_model(Source("m.mcm", text))
    except XgenError as error:
        return error
    return None


@settings(max_examples=3 * settings().max_examples)
@given(st.lists(st.sampled_from([*WORDS, "\n"]), max_size=25).map(" ".join) | st.text(max_size=40))
def test_any_text_is_a_model_or_an_error(text: str) -> None:
    error = outcome(text)
    assert error is None or (str(error) and error.line)


@settings(max_examples=2 * settings().max_examples)
@given(st.data())
def test_a_damaged_model_is_a_model_or_an_error(data: st.DataObject) -> None:
    text = 'model "m" expects x f(x) = x | po rec c = f(c) | po and d = c ; d flag d empty '
    text += "a = po(W -> R) b = for_each_node F begin (po, rf)(A --> F[node]) \\ a end (b acyclic | a empty)"
    words = text.split()
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(words) - 1))
        words[place : place + data.draw(st.integers(0, 2))] = data.draw(st.lists(st.sampled_from(WORDS), max_size=2))
        words = words or ["po"]
    error = outcome(" ".join(words))
    assert error is None or str(error)
