"""Formulas: what they mean on words that go round for ever, how they are read, and what is said of wrong ones."""

from __future__ import annotations

import itertools
from functools import cache

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mutexes import peterson

from xgen.analyses.ltl import Formula, check_formula, negated, normal, parse_formula, translate
from xgen.engine.explicit.states import Automaton
from xgen.errors import ProgramError, Source, XgenError
from xgen.frontends.dve import read_dve

SYSTEM = read_dve(Source("peterson.dve", peterson()))
PROPOSITIONS = 2


def formulas() -> st.SearchStrategy[Formula]:
    leaves: st.SearchStrategy[Formula] = st.one_of(
        st.just(("true",)), st.just(("false",)), st.integers(0, PROPOSITIONS - 1).map(lambda n: ("is", n))
    )

    def larger(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
        pairs = st.tuples(st.sampled_from(["and", "or", "U", "R"]), inner, inner)
        return st.one_of(pairs, inner.map(lambda part: ("!", part)))

    return st.recursive(leaves, larger, max_leaves=5)


LETTERS = st.integers(0, 2**PROPOSITIONS - 1)


def holds(formula: Formula, prefix: list[int], cycle: list[int]) -> bool:
    """The definition, on a word: what holds at each position, which is one of finitely many."""
    word, back = prefix + cycle, len(prefix)

    def after(position: int) -> int:
        return position + 1 if position + 1 < len(word) else back

    @cache
    def at(part: Formula, position: int) -> bool:
        kind = part[0]
        if kind in ("true", "false"):
            return kind == "true"
        if kind == "is":
            return bool(word[position] >> part[1] & 1)
        if kind == "!":
            return not at(part[1], position)
        if kind in ("and", "or"):
            results = [at(operand, position) for operand in part[1:]]
            return all(results) if kind == "and" else any(results)
        if kind == "R":
            return not at(("U", ("!", part[1]), ("!", part[2])), position)
        for _ in range(len(word) + 1):  # U
            if at(part[2], position):
                return True
            if not at(part[1], position):
                return False
            position = after(position)
        return False

    return at(formula, 0)


def accepts(automaton: Automaton, prefix: list[int], cycle: list[int]) -> bool:
    """Whether a run over the word sees all marks again and again: a component of the product with an edge of each."""
    word, back = prefix + cycle, len(prefix)
    graph = nx.MultiDiGraph()
    graph.add_node((0, 0))
    for position, state in itertools.product(range(len(word)), range(len(automaton.edges))):
        after = position + 1 if position + 1 < len(word) else back
        for edge in automaton.edges[state]:
            if word[position] & edge.holds == edge.holds and not word[position] & edge.fails:
                graph.add_edge((position, state), (after, edge.target), marks=edge.marks)
    reached = {(0, 0)} | nx.descendants(graph, (0, 0))
    for part in nx.strongly_connected_components(graph):
        inside = [marks for a, b, marks in graph.edges(data="marks") if a in part and b in part]
        union = 0
        for marks in inside:
            union |= marks
        if inside and part & reached and union == (1 << automaton.marks) - 1:
            return True
    return False


@given(formulas(), st.lists(LETTERS, max_size=3), st.lists(LETTERS, min_size=1, max_size=3))
def test_automata_accept_what_formulas_mean(formula: Formula, prefix: list[int], cycle: list[int]) -> None:
    expected = holds(formula, prefix, cycle)
    assert accepts(translate(normal(formula)), prefix, cycle) == expected
    assert accepts(translate(negated(formula)), prefix, cycle) != expected


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("G P_0@CS -> F P_1@CS", "(G P_0@CS) -> (F P_1@CS)"),
        ("P_0@CS U P_1@CS & turn = 1", "(P_0@CS U P_1@CS) & turn = 1"),
        ("!P_0@CS U P_1@CS", "(!P_0@CS) U P_1@CS"),
        ("P_0.CS | P_1.CS & turn == 1", "P_0@CS or (P_1@CS and turn = 1)"),
        ("G not (P_0@CS && flag[1] > 0)", "[] !(P_0@CS & (flag[1] > 0))"),
        ("(P_1@CS | P_0@CS) & P_0@CS W P_1@CS", "(P_1@CS | P_0@CS) & (P_1@CS R (P_0@CS | P_1@CS))"),
        ("P_0@CS <-> P_1@CS", "P_0@CS iff P_1@CS"),
        ("F turn + flag[0] >= 2", "<> (turn + flag[0] >= 2)"),
    ],
)
def test_precedence(text: str, other: str) -> None:
    assert parse_formula(text, SYSTEM) == parse_formula(other, SYSTEM)


@pytest.mark.parametrize(
    ("text", "column", "message", "hint"),
    [
        ("G P_2@CS", 3, "there is no process `P_2`", "did you mean `P_"),
        ("G P_0@SC", 7, "process `P_0` has no place `SC`", "did you mean `"),
        ("G P_0:x = 1", 7, "process `P_0` has no `x`", None),
        ("F tern = 1", 3, "there is no shared variable `tern`", "did you mean `turn`?"),
        ("F flag = 1", 3, "`flag` is an array", "its cells are `flag[0]` to `flag[1]`"),
        ("F flag[2] = 1", 3, "`flag` has no cell 2, the last one is 1", None),
        ("F flag[-1] = 1", 3, "`flag` has no cell -1, the last one is 1", None),
        ("G P_0:turn = 1", 7, "process `P_0` has no `turn`", "`turn` is shared: it is written without a process"),
        ("F turn[0] = 1", 3, "`turn` is no array", None),
        ("X P_0@CS", 1, "`X`, the next step, is not supported", "steps of buffers would count"),
        ("G (P_0@CS", 10, "the formula ends too early", "a `)` is missing"),
        ("flag[1", 7, "the formula ends too early", "a `]` is missing"),
        ("G F", 4, "the formula ends too early", "expected a formula"),
        ("P_0@", 5, "the formula ends too early", "expected a name"),
        ("turn =", 7, "the formula ends too early", "expected a value"),
        ("ended P_0", 7, "`P_0` is out of place", "expected `(`"),
        ("G P_0@CS )", 10, "`)` is out of place", None),
        ("P_0@CS P_1@CS", 8, "`P_1` is out of place", "expected an operator (`&`, `->`, `U` ..) or the end"),
        ("(P_0@CS P_1@CS)", 9, "`P_1` is out of place", "expected an operator (`&`, `->`, `U` ..) or `)`"),
        ("GF P_0@CS", 4, "`P_0` is out of place", "`GF` is written `G F`"),
        ("always P_0@CS", 8, "`P_0` is out of place", "`always` is written `G`"),
        ("P_0@CS until P_1@CS", 8, "`until` is out of place", "`until` is written `U`"),
        ("turn = 0 => turn = 1", 10, "`=` is out of place", "`=>` is written `->`"),
        ("P_0@CS <=> P_1@CS", 10, "`>` is out of place", "`<=>` is written `<->`"),
        ("P_0@CS => P_1@CS", 9, "`>` is out of place", "`=>` is written `->`"),
        ("G ?", 3, "`?` is not part of the language", None),
        ("F ended(all)", 3, "no process of this system has an end", None),
        ("", 1, "the formula ends too early", None),
        ("(" * 101 + "true" + ")" * 101, 101, "more than 100 levels of parentheses", None),
        ("F turn = 99999999999", 10, "this number is too large", None),
    ],
)
def test_errors(text: str, column: int, message: str, hint: str | None) -> None:
    with pytest.raises(XgenError) as caught:
        parse_formula(text, SYSTEM)
    error = caught.value
    assert (error.message, error.column) == (message, column)
    assert (error.hint or "").startswith(hint or "")
    assert error.file == "the formula"


WORDS = "G F U W R X ! ( ) & | -> <-> P_0 @ CS turn = 1 flag [ ] : . ended all - +"


@given(st.lists(st.sampled_from(WORDS.split(" ")), max_size=12))
def test_any_text_is_a_formula_or_an_error(words: list[str]) -> None:
    try:
        parse_formula(" ".join(words), SYSTEM)
    except XgenError as error:
        said = str(error)
    else:
        said = "fine"
    assert said


def test_long_formulas() -> None:
    """Long sums of conditions are flat; what is too deep is refused, whatever makes it so."""
    system = read_dve(Source("peterson.dve", peterson()))
    some = " | ".join(f"turn = {n}" for n in range(1200))
    assert check_formula(system, f"G ({some})", "sc").verdict == "holds"
    assert check_formula(system, f"F !({some.replace('|', '&')})", "sc").verdict == "holds"
    for deep in ("! " * 300 + "turn = 0", "turn = 0 -> " * 300 + "turn = 0", "turn = 0 U " * 300 + "turn = 0"):
        with pytest.raises(ProgramError, match="more than 200 operators inside each other"):
            check_formula(system, deep, "sc")
    with pytest.raises(ProgramError, match="levels of parentheses"):
        check_formula(system, "(" * 300 + "turn = 0" + ")" * 300, "sc")
    assert check_formula(system, "! " * 190 + "turn < 2", "sc").verdict == "holds"
