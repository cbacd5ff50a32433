"""Terms written back in the notation of .mcm."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xgen.errors import Source
from xgen.memory.algebra import Op, Term
from xgen.memory.mcm.parser import read_model
from xgen.memory.show import show

SETS = st.recursive(
    st.sampled_from(["A", "R", "W", "F", "I", "W[init]", "domain(rf)", "F[a][b]"]),
    lambda inner: st.builds("({} {} {})".format, inner, st.sampled_from("|&\\"), inner),
    max_leaves=4,
)
RELATIONS = st.recursive(
    st.sampled_from(["po", "rf", "mo", "fr", "loc", "int", "ext", "id", "si"])
    | st.builds("[{}]".format, SETS)
    | st.builds("({} * {})".format, SETS, SETS),
    lambda inner: (
        st.builds("({} {} {})".format, inner, st.sampled_from("|&\\;"), inner)
        | st.builds("{}{}".format, inner, st.sampled_from(["^-1", "^+", "^*", "?"]))
        | st.builds("{}({} {} {})".format, inner, SETS, st.sampled_from(["->", "-->"]), SETS)
        | st.builds("immediate({})".format, inner)
    ),
    max_leaves=8,
)


def term(expression: str) -> Term:
    return read_model(Source("m.mcm", f"d = {expression}")).definitions[0].term


@given(SETS | RELATIONS)
def test_what_is_shown_reads_back(expression: str) -> None:
    original = term(expression)
    shown = show(original, depth=1000)
    assert term(shown) is original
    assert len(shown) <= len(expression) + 20


@pytest.mark.parametrize(
    ("expression", "shown"),
    [
        ("(po union (rf)) ; mo", "(po | rf) ; mo"),
        ("po | (rf ; mo)", "po | rf ; mo"),
        ("po | rf ; si", "po | rf ; si"),
        ("si \\ id", "si \\ id"),
        ("po \\ (rf \\ mo)", "po \\ (rf \\ mo)"),
        ("((po,rf)(W[x] --> R)) ^-1", "(po | rf)(W[x] --> R)^-1"),
        ("source(rf) * {}", "domain(rf) * {}"),
        ("for_each_node F begin po(F[node] -> A) end", "po(F[node0] -> A)"),
        ("for_each_thread begin A[thread] * A end", "A[thrd0] * A"),
    ],
)
def test_notation(expression: str, shown: str) -> None:
    assert show(term(expression)) == shown


def test_names_stand_for_their_terms() -> None:
    hb = term("(po | rf)^+")
    assert show(term("((po | rf)^+ & loc) | fr"), {hb: "hb"}) == "hb & loc | fr"
    assert show(hb, {hb: "hb"}) == "(po | rf)^+"


def test_what_is_too_deep_is_left_out() -> None:
    deep = Term(Op.PO)
    for _ in range(5000):
        deep = Term(Op.SEQUENCE, (deep, deep))
    assert show(deep, depth=2) == "... ; ... ; (... ; ...)"
    assert len(show(deep)) < 10_000
    assert len(repr(deep)) < 100


@given(st.text('ab"\\ ', min_size=1, max_size=8).filter(str.strip), st.text('ab"\\ .', max_size=12))
def test_quotes_and_backslashes_in_texts(name: str, sentence: str) -> None:
    """Escaped, any text comes out as it went in; a lone backslash stays what it is."""

    def quoted(text: str) -> str:
        return '"{}"'.format(text.replace("\\", "\\\\").replace('"', '\\"'))

    model = read_model(Source("m.mcm", f"model {quoted(name)} {quoted(sentence)}\npo acyclic as c {quoted(sentence)}"))
    assert (model.name, model.title, model.constraints[0].sentence) == (name.strip(), sentence.strip(), sentence)
    assert read_model(Source("m.mcm", 'model "a\\b" po acyclic')).name == "a\\b"
