"""Memory that nothing leads to at the end (`--leaks`), by both readers of C.

The oracle, of which executions leak what: a search in Python over the last values that executions list, by the objects'
addresses. It shares no code with the core, which does not keep such a search's steps.
"""

from __future__ import annotations

from typing import Any

import pytest
from both.asked import READERS, read

import xgen

HEAD = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
struct node { int value; struct node *next; };
struct node *global, *other;
_Atomic(struct node *) head;
_Thread_local struct node *own;
static struct node *made(int value) {
  struct node *found = malloc(sizeof *found);
  found->value = value;
  found->next = 0;
  return found;
}
"""
THREAD = """int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  MAIN
  pthread_join(t, 0);
  END
}
"""


def found(reader: str, text: str, **options: Any) -> tuple[str, int, list[str]]:
    """The verdict, in how many executions something leaks, and what in the first one."""
    program = read(reader, text, head=HEAD, leaks=True)
    result = xgen.check(program, "rc11", all_states=True, **options)
    leaking = [each for each in result.traces if any(v.kind == "leak" for v in each.violations)]
    assert [reachable(program, each) for each in leaking] == [False] * len(leaking)
    assert all(reachable(program, each) for each in result.traces if each.complete and each not in leaking)
    lines = [f"{v.kind} {v.position.line}" for each in leaking[:1] for v in each.violations]
    return result.verdict, len(leaking), lines


def reachable(program: xgen.Program, execution: xgen.Execution) -> bool:
    """Whether all that is allocated and not freed is reached, over whole words, by what was written last."""
    assert program.leaks is not None
    last = {execution.events[order[-1]].variable: execution.events[order[-1]].value for order in execution.mo if order}
    events = [event for event in execution.events if event.object is not None and event.kind == "F"]
    gone = [event.object for event in events if "free" in event.tags]
    come = [event.object for event in events if "alloc" in event.tags]
    blocks = {block.name: block for block in program.leaks.blocks}
    there = {name for name, block in blocks.items() if block.root or block.first + come.count(name) > gone.count(name)}
    places = {v.name: v.address for v in program.variables if v.address is not None}
    if any(last.get(name) for name, place in places.items() if place == program.leaks.unless):
        return True
    starts = {name: (block.address, block.address + block.size) for name, block in blocks.items()}

    def inside(address: int) -> str | None:
        return next((name for name, (start, end) in starts.items() if start <= address <= end), None)

    first = {v.name: int(v.initial[0].value) for v in program.variables if v.initial}
    values = [(inside(place), {**first, **last}.get(name, 0)) for name, place in places.items()]
    for name, block in blocks.items():
        for at in range(0, len(block.data), 8):
            if block.address + at not in places.values():
                values.append((name, int.from_bytes(block.data[at : at + 8], "little")))
    seen = {name for name in there if blocks[name].root}
    while more := {to for name, value in values if name in seen and (to := inside(int(value or 0))) in there - seen}:
        seen |= {name for name in more if name is not None}
    return there <= seen


NONE = {
    "freed": "struct node *p = made(1); free(p);",
    "a global variable leads to it": "global = made(1);",
    "a static variable of a function": "static struct node *kept; kept = made(1);",
    "by others": "global = made(1); global->next = made(2); global->next->next = made(3);",
    "to its middle": "int *inside = &made(1)->value; global = (struct node *)(inside + 2);",
    "by a number with a tag": "static uintptr_t tagged; tagged = (uintptr_t)made(1) | 1;",
    "main's own variable": "own = made(1);",
    "moved by its bytes": "struct node *p = made(1); memcpy(&global, &p, sizeof p);",
    "in an array of them": "static struct node *many[3]; for (int k = 0; k < 3; k++) many[k] = made(k);",
    "realloc": "int *p = malloc(4); p = realloc(p, 8); free(p);",
    "in memory that grows": "static void **many; many = malloc(8); many[0] = made(1); many = realloc(many, 16);",
    "exit holds what functions hold": "struct node *p = made(1); if (p) exit(0);",
    "what main has stored for a key": "pthread_key_t k; pthread_key_create(&k, free); pthread_setspecific(k, made(1));",
    "a constant": 'static const char *text; text = "abc";',
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("body", NONE.values(), ids=NONE)
def test_no_leak(reader: str, body: str) -> None:
    assert found(reader, f"int main(void) {{ {body} return 0; }}") == ("safe", 0, [])


ONE = {
    "a local variable of main": ("struct node *p = made(1); (void)p;", 1),
    "overwritten": ("global = made(1); global = made(2);", 1),
    "what was freed leads nowhere": ("global = made(1); global->next = made(2); free(global);", 1),
    "a circle": ("struct node *p = made(1), *q = made(2); p->next = q; q->next = p;", 1),
    "of a chain its first one": ("struct node *p = made(1); p->next = made(2); p->next->next = made(3);", 1),
    "two of them": ("made(1); made(2);", 2),
    "a circle and what leads to it": ("struct node *p = made(1), *q = made(2); p->next = q; q->next = q;", 1),
    "a difference": ("static uintptr_t gone; gone = (uintptr_t)made(1) ^ ~0ul;", 1),
    "calloc": ("calloc(2, 8);", 1),
    "only its end is lost": ("global = made(1); global->next = made(2); global->next = 0;", 1),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(("body", "count"), ONE.values(), ids=ONE)
def test_a_leak(reader: str, body: str, count: int) -> None:
    verdict, executions, violations = found(reader, f"int main(void) {{ {body} return 0; }}")
    assert (verdict, executions, len(violations)) == ("violation", 1, count)
    assert {each.partition(" ")[0] for each in violations} == {"leak"}


CONCURRENT = {
    "one of two pushes is lost": (
        "void *thread(void *a) { struct node *n = made(1); n->next = atomic_load(&head); "
        "atomic_store(&head, n); return a; }",
        "struct node *n = made(2); n->next = atomic_load(&head); atomic_store(&head, n);",
        "for (n = atomic_load(&head); n;) { struct node *m = n->next; free(n); n = m; }",
        2,
    ),
    "compare-exchange loses none": (
        "void *thread(void *a) { struct node *n = made(1); n->next = atomic_load(&head); "
        "while (!atomic_compare_exchange_strong(&head, &n->next, n)); return a; }",
        "struct node *n = made(2); n->next = atomic_load(&head); "
        "while (!atomic_compare_exchange_strong(&head, &n->next, n));",
        "for (n = atomic_load(&head); n;) { struct node *m = n->next; free(n); n = m; }",
        0,
    ),
    "who finds it taken forgets his own": (
        "void *thread(void *a) { struct node *n = made(1), *none = 0; "
        "atomic_compare_exchange_strong(&head, &none, n); return a; }",
        "struct node *n = made(2), *none = 0; if (!atomic_compare_exchange_strong(&head, &none, n)) free(n);",
        "",
        1,
    ),
    "what a thread has of its own ends with it": (
        "void *thread(void *a) { own = made(1); return a; }",
        "own = made(2);",
        "",
        1,
    ),
    "what a thread is given and gives": (
        "void *thread(void *a) { global = made(1); return a; }",
        "",
        "void *r; pthread_create(&t, 0, thread, made(2)); pthread_join(t, &r);",
        1,
    ),
    "who has ended by exit": (
        "void *thread(void *a) { if (atomic_load(&head)) exit(0); return a; }",
        "struct node *n = made(2); atomic_store(&head, n); ",
        "free(n);",
        0,
    ),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(("thread", "main", "end", "count"), CONCURRENT.values(), ids=CONCURRENT)
def test_executions_that_leak(reader: str, thread: str, main: str, end: str, count: int) -> None:
    text = f"{thread}\n{THREAD.replace('MAIN', main).replace('END', end)}"
    verdict, executions, _ = found(reader, text)
    assert (verdict, executions) == ("violation" if count else "safe", count)


@pytest.mark.parametrize("reader", READERS)
def test_where_it_was_allocated(reader: str) -> None:
    text = "int main(void) {\n  struct node *p;\n  p = malloc(24);\n  p = 0;\n  return p != 0;\n}\n"
    result = xgen.check(read(reader, text, head=HEAD, leaks=True), "rc11")
    assert result.witness is not None
    (violation,) = result.witness.violations
    assert (violation.kind, violation.position.line) == ("leak", HEAD.count("\n") + 3)
    assert violation.message.endswith(" (24 bytes)")
    assert xgen.check(read(reader, text, head=HEAD), "rc11").verdict == "safe"


@pytest.mark.parametrize("reader", READERS)
def test_an_accepted_one_and_what_it_leads_to(reader: str) -> None:
    text = "int main(void) {\n  struct node *p = malloc(16);\n  p->next = malloc(16);\n  return 0;\n}\n"
    program = read(reader, text, head=HEAD, leaks=True)
    line = HEAD.count("\n") + 2
    result = xgen.check(program, "rc11", accept=(f"leak@{program.source.name}:{line}",))
    assert (result.verdict, [met.line for met in result.accepted]) == ("safe", [line])


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("asked", [{"classes": "rf"}, {"cones": True}, {"engine": "sat"}])
def test_what_it_cannot_be_asked_with(reader: str, asked: dict[str, Any]) -> None:
    program = read(reader, "int main(void) { return 0; }", leaks=True)
    with pytest.raises(xgen.UsageError, match="`leaks` cannot be used with"):
        xgen.check(program, "rc11", **asked)


@pytest.mark.parametrize("reader", READERS)
def test_not_with_memory_that_comes_again(reader: str) -> None:
    with pytest.raises(xgen.UsageError, match="`leaks` cannot be used with `reuse`"):
        read(reader, "int main(void) { return 0; }", leaks=True, reuse=True)


def test_no_proof() -> None:
    with pytest.raises(xgen.UsageError, match="a proof says nothing of memory that leaks"):
        xgen.prove(read("own", "int main(void) { return 0; }", leaks=True), "sc")
