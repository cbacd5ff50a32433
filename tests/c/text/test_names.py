"""What objects on the heap are called, and addresses in results."""

from __future__ import annotations

import json

import pytest
from c.running import load, run

import xgen
from xgen.executions.execution import show_value
from xgen.views.answers.json import result_to_dict

HEAD = "#include <stdlib.h>\n#include <stdatomic.h>\nstruct node { int value; struct node *next; };\n"
NAMES = {
    "a variable": ("int *item = malloc(sizeof *item); *item = 1; free(item);", "item"),
    "one that is assigned": ("int *item; item = malloc(sizeof(int)); *item = 1; free(item);", "item"),
    "a converted one": ("int *item = (int *)malloc(sizeof(int)); *item = 1; free(item);", "item"),
    "a field": ("struct node n; n.next = malloc(sizeof *n.next); n.next->value = 1; free(n.next);", "next.value"),
    "an element": ("int *items[2]; items[1] = malloc(sizeof(int)); *items[1] = 1; free(items[1]);", "items"),
    "where one of two is taken": ("int *item = 1 ? malloc(sizeof(int)) : 0; *item = 1; free(item);", "item"),
    "an assignment in a row": ("int *a, *b; a = b = malloc(sizeof(int)); *a = 1; free(b);", "b"),
    "by a function that returns it": ("int *item = made(); *item = 1; free(item);", "item"),
    "by one whose own variable holds it": ("int *item = kept(); *item = 1; free(item);", "mine"),
    "as a variable of the file is called": (
        "int *shared = malloc(4); *shared = 1; free(shared);",
        "main.shared",
    ),
    "where nothing holds it at first": ("take(malloc(sizeof(int)));", "main.malloc"),
    "of posix_memalign": ("int *item; posix_memalign((void **)&item, 64, sizeof(int)); *item = 1; free(item);", "item"),
}
BEFORE = """int *shared;
int *made(void) { return malloc(sizeof(int)); }
int *kept(void) { int *mine = malloc(sizeof(int)); return mine; }
void take(int *given) { *given = 1; free(given); }
"""


@pytest.mark.parametrize("case", NAMES)
def test_an_object_is_called_as_what_first_holds_it(case: str) -> None:
    body, name = NAMES[case]
    text = f"{HEAD}{BEFORE}int main(void) {{ {body} }}"
    (execution,) = xgen.executions(load(text), xgen.model("rc11"))
    assert name in {event.variable for event in execution.events}


def test_objects_of_one_name_are_counted() -> None:
    body = "int *a[3]; for (int i = 0; i < 3; i++) { a[i] = malloc(sizeof(int)); *a[i] = i; }"
    (execution,) = xgen.executions(load(f"{HEAD}int main(void) {{ {body} }}"), xgen.model("rc11"))
    found = {event.variable for event in execution.events if event.kind == "W"}
    assert {"a", "a#2", "a#3"} <= found


ADDRESSES = {
    "a variable": ("int *p; int main(void) { p = &x; }", "&x"),
    "none": ("int *p = &x; int main(void) { p = 0; }", "0"),
    "an array": ("int *p; int main(void) { p = items; }", "&items"),
    "an element": ("int *p; int main(void) { p = items + 1; }", "&items[1]"),
    "a field": ("int *p; int main(void) { p = &pair.b; }", "&pair.b"),
    "the first field, as the whole": ("int *p; int main(void) { p = &pair.a; }", "&pair"),
    "an element of structs": ("struct two *p; int main(void) { p = &pairs[1]; }", "&pairs[1]"),
    "a field of an element": ("int *p; int main(void) { p = &pairs[1].b; }", "&pairs[1].b"),
    "a function": ("void f(void) {} void (*p)(void); int main(void) { p = f; }", "&f"),
    "an atomic pointer": ("_Atomic(int *) p; int main(void) { atomic_store(&p, &x); }", "&x"),
    "memory": ("int *p; int main(void) { p = malloc(sizeof(int)); }", "&main.p"),
}
OBJECTS = "struct two { int a, b; } pair, pairs[2]; int x, items[2];\n"


@pytest.mark.parametrize("case", ADDRESSES)
def test_an_address_is_told_by_name(case: str) -> None:
    body, told = ADDRESSES[case]
    (outcome,) = run(f"{HEAD}{OBJECTS}{body}").outcomes
    assert show_value(outcome.state["p"]) == told


def test_a_number_that_is_an_address_by_chance_is_a_number() -> None:
    (outcome,) = run(f"{HEAD}{OBJECTS}int *p; long n; int main(void) {{ p = &x; n = (long)p; }}").outcomes
    assert show_value(outcome.state["p"]) == "&x"
    assert show_value(outcome.state["n"]) == str(int(outcome.state["p"]))


def test_documents_have_the_number() -> None:
    result = run(f"{HEAD}{OBJECTS}int *p; int main(void) {{ p = &x; }}")
    (outcome,) = json.loads(json.dumps(result_to_dict(result)))["outcomes"]
    assert outcome["state"]["p"] == result.outcomes[0].state["p"] >= 1 << 16
