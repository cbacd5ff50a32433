"""Fences and orders in C programs: what is written is what was meant, and is safe."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

import xgen
from analyses.fences.fenced import text_with
from xgen.analyses.fences.c_text import c_texts_with, find_c_accesses, find_c_gaps
from xgen.analyses.fences.fences import changed_orders, confirmed, find_fences, texts_with
from xgen.analyses.fences.kinds import Kind
from xgen.analyses.fences.sites import (
    Piece,
    insert,
    make_atoms,
    pieces_of,
    removed_fences,
    statement_at,
    without_fences,
)
from xgen.errors import UsageError
from xgen.memory.statics.vocabulary import known_tags
from xgen.program.automaton import Program, Statement
from xgen.resources import shipped
from xgen.sources import given
from xgen.views.answers.fences import answer_to_dict, render


def written(base: Program, pieces: list[Piece], removed: list[Statement]) -> str | None:
    """The same of a program of one file that the pieces are put into."""
    texts = c_texts_with(base, pieces, removed)
    if texts is None:
        return None
    (text,) = texts.values()
    return text


HEAD = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define LOAD(v) atomic_load_explicit(&v, memory_order_relaxed)
atomic_int x, y, z;
int a, b; char flag;
void put(atomic_int *to) { atomic_store_explicit(to, 1, memory_order_relaxed); }
"""
MAIN = """
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, f, 0);
  pthread_create(&t, 0, g, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
}
"""
G = "void *g(void *p) {\n  atomic_store_explicit(&y, 1, memory_order_relaxed);\n  b = LOAD(x);\n  return 0;\n}\n"

BODIES = {
    "statements": (
        "atomic_store_explicit(&x, 1, memory_order_relaxed);\n  a = atomic_load_explicit(&y, memory_order_relaxed);"
    ),
    "one line": "atomic_store_explicit(&x, 1, memory_order_relaxed); a = LOAD(y); // of both",
    "a body without braces": (
        "if (atomic_load_explicit(&x, memory_order_relaxed))\n    a = atomic_load_explicit(&y, memory_order_relaxed);\n"
        "  else\n    put(&z);\n  atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);"
    ),
    "two in an expression": (
        "while (atomic_load_explicit(&x, memory_order_relaxed) == 0 &&"
        " atomic_load_explicit(&y, memory_order_relaxed) < 1)\n"
        "    ;\n  put(&x);"
    ),
    "a for loop": ("for (int i = 0; i < atomic_load_explicit(&y, memory_order_relaxed); i++)\n    put(&x);\n  x = 2;"),
    "a do loop": (
        "int r;\n  do {\n    r = LOAD(x);\n  } while (!atomic_load_explicit(&y, memory_order_relaxed));\n  put(&z);"
    ),
    "values from plain variables": (
        "b = 2;\n  atomic_store_explicit(&x, a + b, memory_order_relaxed);\n  a = b + LOAD(y) + b;"
    ),
    "twice called": "put(&x);\n  put(&z);\n  a = LOAD(y);",
    "a switch": (
        "switch (atomic_load_explicit(&y, memory_order_relaxed)) {\n  case 0: put(&x); break;\n"
        "  default: put(&z);\n  }\n  x++;"
    ),
    "comments and strings": (
        "/* ; { */ put(&x); /* } */\n  // if (x)\n"
        "  a = atomic_load_explicit(&y, memory_order_relaxed); /* ; */\n  z = 1;"
    ),
    "over several lines": (
        "atomic_store_explicit(\n    &x,\n    1,\n    memory_order_relaxed);\n  a =\n"
        "    atomic_load_explicit(&y, memory_order_relaxed);"
    ),
    "an update that may fail": (
        "int e = 0;\n  while (!atomic_compare_exchange_strong_explicit(&x, &e, 1, memory_order_relaxed,\n"
        "                                                 memory_order_relaxed))\n    e = 0;\n  put(&y);"
    ),
    "what is expected is in memory": (
        "a = LOAD(x);\n  while (!atomic_compare_exchange_weak_explicit(&x, &a, a + 1,\n"
        "                                               memory_order_relaxed, memory_order_relaxed))\n    ;"
    ),
    "functions of GCC": (
        "int v = 1, e = 0, r;\n  __atomic_store(&x, &v, __ATOMIC_RELAXED);\n"
        "  __atomic_load(&y, &r, __ATOMIC_RELAXED);\n"
        "  __atomic_compare_exchange_n(&z, &e, r, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);\n"
        "  __atomic_exchange(&z, &v, &r, __ATOMIC_RELAXED);\n  b = __atomic_add_fetch(&x, r, __ATOMIC_RELAXED);\n"
        "  if (!__atomic_test_and_set(&flag, __ATOMIC_RELAXED))\n    __atomic_clear(&flag, __ATOMIC_RELAXED);"
    ),
    "a conditional": "a = LOAD(x) ? atomic_load_explicit(&y, memory_order_relaxed) : 2;\n  put(&z);",
    "fences there": (
        "put(&x);\n  atomic_thread_fence(memory_order_seq_cst);\n  a = LOAD(y);\n  if (a)\n"
        "    atomic_thread_fence(memory_order_seq_cst);\n  put(&z);"
    ),
}


def program_of(body: str) -> Program:
    text = HEAD + "void *f(void *p) {\n  " + body + "\n  return 0;\n}\n" + G + MAIN
    return xgen.parse(text, "c", "made.c", map="none")


def shapes(program: Program) -> Counter[object]:
    """The executions, as what each thread does."""
    found: Counter[object] = Counter()
    for execution in xgen.executions(program, xgen.model("weak")):
        threads: list[list[str]] = [[] for _ in execution.threads]
        for event in execution.events:
            if event.thread >= 0:
                threads[event.thread].append(
                    f"{event.kind} {event.variable} {event.value} {sorted(event.tags - {'inserted'})}"
                )
        found[tuple(tuple(events) for events in threads), execution.ends] += 1
    return found


@pytest.mark.sweep
@pytest.mark.parametrize("name", BODIES)
def test_what_is_written_means_what_was_meant(name: str) -> None:
    """Each site for itself, with a fence: the text has the executions of the program with the fence put in."""
    program = program_of(BODIES[name])
    kinds = (Kind("seq_cst", 1, 1),)
    base = without_fences(program, kinds)
    removed = removed_fences(program, base)
    sites = find_c_gaps(base)
    assert len(sites) >= 2
    for site in sites:
        text = written(base, [Piece(site, "seq_cst")], removed)
        assert text is not None
        assert text.count("atomic_thread_fence(") == 1
        assert shapes(xgen.parse(text, "c", "made.c", map="none")) == shapes(insert(base, [Piece(site, "seq_cst")])), (
            text
        )


@pytest.mark.sweep
@pytest.mark.parametrize("name", BODIES)
def test_orders_that_are_written(name: str) -> None:
    program = program_of(BODIES[name])
    atoms = make_atoms((), find_c_accesses(program), (), known_tags(xgen.model("rc11")))
    assert atoms
    for atom in atoms:
        pieces = pieces_of(atoms, atom.below)
        text = written(program, pieces, [])
        assert text is not None
        assert shapes(xgen.parse(text, "c", "made.c", map="none")) == shapes(insert(program, pieces)), text


def test_all_at_once() -> None:
    for body in BODIES.values():
        program = program_of(body)
        base = without_fences(program, (Kind("seq_cst", 1, 1),))
        pieces = [Piece(site, "seq_cst") for site in find_c_gaps(base)]
        pieces += [Piece(site, "seq_cst") for site in find_c_accesses(base)]
        text = written(base, pieces, removed_fences(program, base))
        assert text is not None
        assert shapes(xgen.parse(text, "c", "made.c", map="none")) == shapes(insert(base, pieces)), text


def shipped_c(name: str, *defines: str) -> tuple[Program, str]:
    path = shipped("programs") / "c" / f"{name}.c"
    return xgen.load(path, defines=defines), str(path)


@pytest.mark.parametrize(
    ("name", "cost", "number"),
    [
        *(("ticketlock", 1, 2), ("spsc", 1, 2), ("ttas", None, None), ("peterson", 7, 2)),
        pytest.param("publication", None, None, marks=pytest.mark.slow),
    ],
)
def test_shipped_programs(name: str, cost: int | None, number: int | None) -> None:
    """The relaxed variants: what is found is safe, and each piece of it is needed."""
    model = xgen.model("rc11")
    program, path = shipped_c(name, "UNSAFE")
    answer = find_fences(program, model, orders=True, cheapest=True)
    assert answer.verdict == "fenced"
    if cost is not None:
        assert (answer.placements[0].cost, len(answer.placements)) == (cost, number)

    def read(text: str) -> Program:
        return xgen.parse(text, "c", path, defines=("UNSAFE",))

    assert confirmed(answer, model, read, None) == {path: text_with(answer)}
    for placed in range(len(answer.placements)):
        text = text_with(answer, placed)
        assert text is not None
        assert xgen.check(read(text), model).verdict == "safe"


def test_what_is_in_other_files(tmp_path: Path) -> None:
    """Both loads of a library that is included: the places are found, named and changed."""
    (tmp_path / "inner.h").write_text(HEAD + "void *f(void *p) { put(&x); a = LOAD(y); return 0; }\n" + G, "utf-8")
    outer = tmp_path / "outer.c"
    outer.write_text(
        '#include "inner.h"\n' + MAIN.replace("pthread_join(t, 0);", "pthread_join(t, 0);\n  assert(a || b);")
    )
    answer = find_fences(xgen.load(outer), xgen.model("tso"))
    assert (answer.verdict, answer.complete) == ("fenced", True)
    texts = texts_with(answer)
    assert texts is not None
    assert list(texts) == [str(outer), str(tmp_path / "inner.h")]
    assert texts[str(outer)] == outer.read_text()
    with given(texts):
        assert xgen.check(xgen.load(outer), xgen.model("tso")).verdict == "safe"
    assert {piece.site.position.source.name for piece in answer.placements[0].pieces if piece.site.position.source} == {
        str(tmp_path / "inner.h")
    }
    assert xgen.check(answer.apply(), xgen.model("tso")).verdict == "safe"
    said = render(answer, None)
    assert said.count(f"{tmp_path / 'inner.h'}:") == 2 * len(answer.placements)
    atom = answer_to_dict(answer, None)["placements"][0]["atoms"][0]
    assert atom["file"] == str(tmp_path / "inner.h")


@pytest.mark.parametrize("library", ["included", "second"])
def test_a_library_that_lacks_an_order(tmp_path: Path, library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a file that is included, or as one of two: the release is missing there, and is all that is missing."""
    monkeypatch.chdir(tmp_path)
    Path("box.h").write_text("void put(int value);\nint get(void);\n")
    Path("box.c").write_text(
        '#include <stdatomic.h>\n#include "box.h"\nstatic int box;\nstatic atomic_int full;\n'
        "void put(int value) {\n  box = value;\n  atomic_store_explicit(&full, 1, memory_order_relaxed);\n}\n"
        "int get(void) {\n  return atomic_load_explicit(&full, memory_order_acquire) ? box : 0;\n}\n"
    )
    inner = "box.c" if library == "included" else "box.h"
    Path("test.c").write_text(
        f'#include <pthread.h>\n#include "{inner}"\n'
        "void *w(void *p) { put(1); return 0; }\n"
        "int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); get(); return 0; }\n"
    )
    program = xgen.load("test.c", *([] if library == "included" else ["box.c"]))
    answer = find_fences(program, xgen.model("rc11"), orders=True, cheapest=True)
    assert answer.verdict == "fenced"
    words = {(piece.word, piece.site.position.line, piece.site.is_gap) for p in answer.placements for piece in p.pieces}
    assert ("release", 7, False) in words


def test_what_a_compare_exchange_expects_stays_plain() -> None:
    """A stack's push, which expects what it has put into its node: the update releases, and is nothing else."""
    text = (
        "#include <pthread.h>\n#include <stdatomic.h>\n#include <stddef.h>\n"
        "struct node { struct node *next; int value; } node;\n_Atomic(struct node *) top;\n"
        "void *push(void *p) {\n"
        "  node.value = 1;\n  node.next = atomic_load_explicit(&top, memory_order_relaxed);\n"
        "  while (!atomic_compare_exchange_weak_explicit(&top, &node.next, &node,\n"
        "                       memory_order_relaxed, memory_order_relaxed))\n    ;\n  return p;\n}\n"
        "int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, push, 0);\n"
        "  struct node *n = atomic_load_explicit(&top, memory_order_acquire);\n  return n ? n->value - 1 : 0;\n}\n"
    )
    answer = find_fences(xgen.parse(text, "c", "stack.c"), xgen.model("rc11"), orders="only")
    assert [(p.cost, [piece.word for piece in p.pieces]) for p in answer.placements] == [(1, ["release"])]
    changed = text.replace("  memory_order_relaxed, memory", "  memory_order_release, memory")
    assert text_with(answer, 0) == changed  # and the line breaks stay where they were


def test_only_one_thread_of_two_that_run_the_same_text() -> None:
    program, _ = shipped_c("peterson", "UNSAFE")
    assert find_c_gaps(program, ["worker"]) == []
    assert find_c_gaps(program, ["worker", "worker#2"]) == [
        site for site in find_c_gaps(program) if site.thread != "main"
    ]


def test_a_gap_before_a_call_is_one_of_its_own() -> None:
    """What is called is called from elsewhere, too: a fence before this call is not one before each of them."""
    text = HEAD + (
        "int get(atomic_int *from) { return LOAD(*from); }\n"
        "void *f(void *p) {\n  put(&x);\n  a = get(&y);\n  return 0;\n}\n"
        "void *g(void *p) {\n  atomic_store_explicit(&y, 1, memory_order_relaxed);\n  b = get(&x);\n  return 0;\n}\n"
    )
    text += MAIN.replace("pthread_join(t, 0);", "pthread_join(t, 0);\n  assert(a || b);")
    answer = find_fences(xgen.parse(text, "c", "made.c"), xgen.model("tso"))
    assert answer.complete
    told = [sorted((piece.site.where, piece.site.position.line) for piece in p.pieces) for p in answer.placements]
    assert [("before", 8)] in told  # in get
    assert [("after", 7), ("after", 15)] in told  # in put and in g
    for number in range(len(answer.placements)):
        assert xgen.check(answer.apply(number), xgen.model("tso")).verdict == "safe"


@pytest.mark.parametrize(("name", "changes"), [("spsc", []), ("mpmc", [28, 48]), ("publication", [])])
def test_weakest_orders(name: str, changes: list[int]) -> None:
    """What the program does without is what `--weaken` does not notice; the changed text is read, and safe."""
    program, _ = shipped_c(name)
    model = xgen.model("rc11")
    answer = find_fences(program, model, orders="only", relax=True, cheapest=True)
    assert all(not piece.site.is_gap for placement in answer.placements for piece in placement.pieces)
    found = changed_orders(answer)
    assert [(spot.at.line, to) for spot, (_, to) in found.items()] == [(line, "relaxed") for line in changes]
    weakened = xgen.check(program, model, weaken=True).weakened
    assert weakened is not None
    assert [each.line for each in weakened if each.verdict == "not-noticed"] == changes
    text = text_with(answer)
    assert text is not None
    assert (text == program.source.text) == (not changes)
    assert xgen.check(xgen.parse(text, "c", program.source.name), model).verdict == "safe"


def test_a_program_that_is_seq_cst_everywhere() -> None:
    """Of all eight orders, two are needed, and these only to release and to acquire."""
    text = (shipped("programs") / "c" / "publication.c").read_text(encoding="utf-8")
    strong = re.sub(r"memory_order_(acquire|release)\b", "memory_order_seq_cst", text)
    program = xgen.parse(strong, "c", "strong.c")
    answer = find_fences(program, xgen.model("rc11"), orders="only", relax=True, cheapest=True)
    assert {(spot.at.line, change) for spot, change in changed_orders(answer).items()} == {
        (24, ("seq_cst", "release")),
        (29, ("seq_cst", "acquire")),
    }
    said = render(answer, texts_with(answer))
    assert "weakest orders, in this test\n  strong.c:24: seq_cst -> release\n  strong.c:29: seq_cst -> acquire" in said
    assert [len(each) for each in answer_to_dict(answer, None)["relaxed"]] == [2]
    assert answer_to_dict(answer, None)["kept"] == []
    assert "not tried" not in said
    with pytest.raises(UsageError, match="needs `orders` or `orders='only'`"):
        find_fences(program, xgen.model("rc11"), relax=True)
    with pytest.raises(UsageError, match="`orders='only'` cannot be used with `sites='after-stores'`"):
        find_fences(program, xgen.model("rc11"), orders="only", sites="after-stores")


def test_orders_that_cannot_be_changed() -> None:
    """What is said of them is that they were not tried, not that the program does without them."""
    text = (shipped("programs") / "c" / "publication.c").read_text(encoding="utf-8")
    hidden = text.replace("current;", "current;\n#define PUBLISH atomic_store_explicit")
    hidden = hidden.replace("atomic_store_explicit(&current", "PUBLISH(&current")
    assert hidden.count("PUBLISH(") == 1
    answer = find_fences(xgen.parse(hidden, "c", "kept.c"), xgen.model("rc11"), orders="only", relax=True)
    line = hidden[: hidden.index("PUBLISH(")].count("\n") + 1
    assert [(each["line"], each["order"]) for each in answer_to_dict(answer, None)["kept"]] == [(line, "release")]
    said = render(answer, None)
    assert f"or not asked for\n  kept.c:{line}: release" in said
    assert "30: acquire" not in said  # it was tried, and is needed


def test_a_text_that_asks_compilers_only() -> None:
    """What is put into it needs no header, either."""
    text = (
        "#include <assert.h>\n#include <pthread.h>\nint flag, data;\nvoid *f(void *p) {\n  data = 1;\n"
        "  __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);\n  return p;\n}\nint main(void) {\n  pthread_t t;\n"
        "  pthread_create(&t, 0, f, 0);\n  int found;\n  __atomic_load(&flag, &found, __ATOMIC_RELAXED);\n"
        "  if (found)\n    assert(data);\n  pthread_join(t, 0);\n}\n"
    )
    answer = find_fences(xgen.parse(text, "c", "gcc.c"), xgen.model("rc11"), orders=True)
    texts = [text_with(answer, number) or "" for number in range(len(answer.placements))]
    assert [text.count("__atomic_thread_fence(__ATOMIC_") for text in texts] == [0, 1, 1, 1, 2, 2]
    assert [text.count("__ATOMIC_RELEASE") + text.count("__ATOMIC_ACQUIRE") for text in texts] == [2] * 6
    for each in texts:
        assert xgen.check(xgen.parse(each, "c", "gcc.c"), xgen.model("rc11")).verdict == "safe"


def test_accesses_of_several_sizes() -> None:
    """No fence comes between the parts of an access, and an update of several parts has one order."""
    text = (
        "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdint.h>\n"
        "union { _Atomic uint32_t word; _Atomic uint16_t half[2]; } u;\nint data;\n"
        "void *f(void *p) {\n  data = 1;\n  atomic_fetch_add_explicit(&u.word, 65536, memory_order_relaxed);\n"
        "  return p;\n}\nint main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, f, 0);\n"
        "  if (atomic_load_explicit(&u.half[1], memory_order_relaxed))\n    assert(data);\n  pthread_join(t, 0);\n}\n"
    )
    program = xgen.parse(text, "c", "u.c", mixed_atomics=True)
    answer = find_fences(program, xgen.model("rc11"), orders=True)
    assert answer.complete
    told = [sorted((p.word, p.site.where, p.site.position.line) for p in each.pieces) for each in answer.placements]
    first = [("release", "at", 9), ("release", "before", 9)]
    second = [("acquire", "at", 15), ("acquire", "before", 16)]
    assert sorted(told) == sorted(sorted([one, other]) for one in first for other in second)
    for number in range(len(told)):
        again = xgen.parse(text_with(answer, number) or "", "c", "u.c", mixed_atomics=True)
        assert xgen.check(again, xgen.model("rc11")).verdict == "safe"
    behind = [statement_at(program, place) for site in find_c_gaps(program) for place in site.places if not place.after]
    assert [statement for statement in behind if "part" in getattr(statement, "tags", ())] == []
