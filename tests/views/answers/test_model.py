"""The description of a model, word by word."""

from __future__ import annotations

from xgen.errors import Source
from xgen.memory.mcm.parser import read_model
from xgen.memory.statics.vocabulary import mentioned_tags
from xgen.views.answers.model import render

ODD = """\
model "odd" "of everything something"
s = F[dmb] | W[release]
t = s
hb = (po | rf)^+
lost = fr & hb^-1
step = immediate(mo) ; rf
reads = for_each_node s begin po(A[node] -> R) end
threads = for_each_thread begin (po | rmw)(A[thread] -> A[thread]) end
hb irreflexive as causality "causes come first"
(hb acyclic & (lost empty | s empty)) | step empty as either
reads empty
threads acyclic
ctrl empty
"""

DESCRIBED = """\
odd: of everything something
odd.mcm

definitions
  s        set       F[dmb] | W[release]
  t        set       s
  hb       relation  (po | rf)^+
  lost     relation  fr & hb^-1
  step     relation  immediate(mo) ; rf
  reads    relation  for each node0 of s: po(A[node0] -> R)
  threads  relation  for each thrd0: (po | rmw)(A[thrd0] -> A[thrd0])

constraints
  causality: hb irreflexive
    "causes come first"
    checked on every graph
  either: (hb acyclic & (lost empty | s empty)) | step empty
    checked on whole executions only: `immediate(mo)` can lose what it holds when events are added, because
      `mo ; mo` can gain it
  reads: reads empty
    checked on every graph
  threads: threads acyclic
    checked on every graph
  ctrl: ctrl empty
    checked on every graph

base order      program order, because `causality` makes po | rf acyclic
load buffering  not possible
tags            dmb, release
plan size       32 terms, each computed once per graph"""


def test_description() -> None:
    assert render(read_model(Source("odd.mcm", ODD))) == DESCRIBED


NOTHING = """\
none
d/none.mcm

no constraints: every execution is allowed

base order      dependencies, because no constraint is seen to make po | rf acyclic
load buffering  possible
tags            none
plan size       0 terms, each computed once per graph"""


def test_a_model_without_anything() -> None:
    assert render(read_model(Source("d/none.mcm", 'model "none"'))) == NOTHING


def test_long_terms_are_broken_and_deep_ones_cut() -> None:
    union = " | ".join(f"F[tag{number}]" for number in range(200))
    deep = "(" * 50 + "po" + " ; rf | mo)" * 50
    nested = "a empty" + " & (a empty | (a empty" * 20 + "))" * 20
    text = render(read_model(Source("long.mcm", f"a = {union}\nb = {deep}\n{nested} as c\nb acyclic\n")))
    assert max(map(len, text.splitlines())) <= 110
    assert len(text) < 6000
    assert "..." in text


def test_tags_of_loops_count() -> None:
    model = read_model(
        Source("m.mcm", "unused = F[x] d = for_each_node W[rel] begin po(A[node] -> R[acq]) end d empty")
    )
    assert mentioned_tags(model) == ["acq", "rel"]
