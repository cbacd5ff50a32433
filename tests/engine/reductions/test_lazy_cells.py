"""Cells on demand: what is found is what is found with all cells."""

from __future__ import annotations

import pytest
from c.running import HEAD, load, model, threads

import xgen
from xgen.analyses.check.result import result_of
from xgen.engine.graphs.found import found_by
from xgen.engine.graphs.lazy_cells import FIELDS, beside, with_absent_cells, with_more
from xgen.engine.graphs.options import Options
from xgen.engine.graphs.run import Run
from xgen.engine.problem import problem

HASHED = threads(
    "int k = atomic_fetch_add(&n, 1); atomic_store(&table[(k * 7 + 3) % 60], 1); r = atomic_load(&table[10]);",
    "int k = atomic_fetch_add(&n, 1); atomic_store(&table[(k * 7 + 3) % 60], 2); atomic_fetch_add(&table[3], 4);",
    before="atomic_int n, table[60]; int r;",
)
STACK = threads(
    "push(1); push(2);",
    "for (int i = 0; i < 2; i++) { int k = atomic_load(&top); if (k) got += next[k]; }",
    before="""atomic_int top; int next[30], free_ = 1, got;
void push(int v) { int k = free_++; next[k] = atomic_load(&top); atomic_store(&top, k); }""",
)
POOL = threads(
    "int k = atomic_fetch_add(&n, 1); pool[k].v = 1; pool[k].in.next = k + 1; atomic_store(&top, k + 1);",
    "int k = atomic_load(&top); if (k) got = pool[k - 1].v + pool[k - 1].in.next;",
    before="atomic_int n, top; int got; struct node { int v; struct { int next, prev; } in; } pool[20];",
)
PAST = threads(
    "int k = atomic_load(&n); p[k * 50] = 1;",
    "atomic_store(&n, 1);",
    before="atomic_int n; int data[40], *p = data;",
)
FREED = """struct node { int v, more[20]; } *shared;
void *use(void *a) { struct node *p = shared; int s = 0; for (int i = 0; i < 3; i++) s += p->more[(s + i) % 20]; return 0; }
int main() { pthread_t t; shared = calloc(1, sizeof *shared); pthread_create(&t, 0, use, 0); free(shared); }
"""  # noqa: E501


def whole(program: xgen.Program, mcm: str, all_states: bool) -> xgen.Result:
    asked, options = problem(program, model(mcm)), Options(all_states=all_states)
    run = Run(asked, options)
    run.finish()
    return result_of(asked, options, found_by(run), run.seconds)


def kinds(result: xgen.Result) -> list[tuple[str, int]]:
    return [(v.kind, v.position.line) for v in result.witness.violations] if result.witness else []


@pytest.mark.sweep
@pytest.mark.parametrize("text", [HASHED, STACK, POOL, PAST, FREED], ids=["hashed", "stack", "pool", "past", "freed"])
@pytest.mark.parametrize("mcm", ["sc", "tso", "rc11", "arm8"])
@pytest.mark.parametrize("workers", [1, 2])
def test_the_same_is_found(text: str, mcm: str, workers: int) -> None:
    for races in (True, False):
        program = load(HEAD + text, races=races, map="none" if mcm == "tso" else None)
        assert len(with_absent_cells(program).variables) < len(program.variables)
        first, all_ = whole(program, mcm, False), whole(program, mcm, True)
        here = xgen.check(program, model(mcm), all_states=True, workers=workers)
        assert (here.executions, here.blocked, here.violations) == (all_.executions, all_.blocked, all_.violations)
        assert list(here.outcomes) == list(all_.outcomes)
        assert here.flags == all_.flags
        stopped = xgen.check(program, model(mcm), workers=workers)
        assert stopped.verdict == first.verdict
        if workers == 1:
            assert kinds(stopped) == kinds(first)


def test_what_statements_name_is_there_from_the_start() -> None:
    few = with_absent_cells(load(HEAD + HASHED))
    assert {v.name for v in few.variables} == {"n", "table[10]", "table[3]", "r"}
    assert len(few.absent) == 58


def test_more_of_them_come_last() -> None:
    asked = problem(with_absent_cells(load(HEAD + HASHED)), model("sc"))
    more = with_more(asked, range(8, 11))
    assert [cell.name for cell in more.code.cells[4:]] == [v.name for v in asked.program.absent[8:11]]
    assert len(more.program.absent) == len(more.code.absent) == 55
    again = problem(more.program, model("sc"))
    assert (again.code.cells, again.code.initial, again.code.absent) == (
        more.code.cells,
        more.code.initial,
        more.code.absent,
    )


def test_fields_come_together() -> None:
    absent = with_absent_cells(load(HEAD + POOL)).absent

    def names(name: str) -> list[str]:
        number = next(n for n, v in enumerate(absent) if v.name == name)
        return [absent[n].name for n in beside(absent, number)]

    assert names("pool[1].in.next") == names("pool[1].v") == ["pool[1].v", "pool[1].in.next", "pool[1].in.prev"]
    absent = with_absent_cells(load(HEAD + HASHED)).absent
    assert names("table[11]") == []
    wide = HEAD + POOL.replace("int v;", f"int v, {', '.join(f'more{n}' for n in range(FIELDS))};")
    absent = with_absent_cells(load(wide)).absent
    assert names("pool[1].v") == []


def test_few_cells_are_all_there() -> None:
    program = load(HEAD + HASHED.replace("60", "11"))
    assert with_absent_cells(program) is program
