"""What the rows of base relations claim holds in executions."""

from __future__ import annotations

import pytest
from views import samples

import xgen
from xgen.executions.execution import INITIAL, Event
from xgen.memory.algebra import Op, Term
from xgen.memory.base_relations import BASE_RELATIONS, NAMED, BaseRelation
from xgen.memory.evaluate import Evaluator
from xgen.views.answers.explain import PHRASES

TEXTS = (
    """#include <stdatomic.h>
    #include <pthread.h>
    atomic_int i, n, a[2];
    void *t(void *x) { int k = i; a[k] = k; if (k) n++; return x; }
    int main(void) { pthread_t h; pthread_create(&h, 0, t, 0); i = 1; n++; pthread_join(h, 0); }""",
    """#include <stdatomic.h>
    #include <stdlib.h>
    #include <pthread.h>
    _Atomic(int *) p;
    void *t(void *x) { int *q = p; if (q) free(q); return x; }
    int main(void) { pthread_t h; pthread_create(&h, 0, t, 0); int *q = malloc(4); *q = 1; p = q; }""",
)
EXECUTIONS = [
    samples.store_buffering(),
    samples.load_buffering(),
    samples.noisy(),
    samples.independent_reads(),
    *(samples.random_execution(seed, 1 + seed % 4, 3 + seed % 6) for seed in range(12)),
    *(
        trace
        for text in TEXTS
        for trace in xgen.check(xgen.parse(text, "c", map="none"), xgen.model("arm8"), trace_limit=40).traces
    ),
]
KINDS = {"read": "R", "write": "W", "access": "RW", "object": "RWF", "any": "RWF"}


def is_one(event: Event, end: str) -> bool:
    return event.kind in KINDS[end] and (end != "object" or event.kind != "F" or event.object is not None)


@pytest.mark.parametrize("relation", BASE_RELATIONS, ids=lambda relation: relation.op.name)
def test_claims_hold(relation: BaseRelation) -> None:
    met = 0
    for execution in EXECUTIONS:
        evaluator = Evaluator(execution)
        pairs = {*evaluator.pairs(Term(relation.op))}
        met += len(pairs)
        for a, b in pairs:
            one, other = execution.events[a], execution.events[b]
            assert is_one(one, relation.source_is)
            assert is_one(other, relation.target_is)
            assert relation.inits or INITIAL not in (one.thread, other.thread)
        if relation.symmetric:
            assert {(b, a) for a, b in pairs} == pairs
        if relation.transitive:
            assert {(a, d) for a, b in pairs for c, d in pairs if b == c} <= pairs
        if relation.within is not None:
            assert pairs <= {*evaluator.pairs(Term(relation.within))}
    assert met or relation.op in (Op.SI, Op.BLOCK, Op.PICK_ADDR, Op.PICK_DATA, Op.PICK_CTRL)


def test_each_is_a_relation_of_its_own() -> None:
    assert len({relation.op for relation in BASE_RELATIONS}) == len(BASE_RELATIONS)
    assert len({relation.name for relation in BASE_RELATIONS}) == len(BASE_RELATIONS)


def test_what_models_can_name_is_explained() -> None:
    """But for those whose pairs are no steps, or are told as others are."""
    told = {"id", "pick_addr", "pick_data", "pick_ctrl", "co", "si"}
    assert NAMED.keys() - told <= PHRASES.keys()
