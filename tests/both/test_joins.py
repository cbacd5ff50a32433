"""Threads that other threads start: whoever has the handle joins them, also before it is seen who starts them."""

from __future__ import annotations

import pytest
from both.asked import READERS, said
from c.running import model
from llvm.compiling import compiles

import xgen

STARTED = """int x; pthread_t h, h2;
void *inner(void *a) { x = 1; return (void *)7; }
void *outer(void *a) { BODY }
int main(void) { void *r = 0; pthread_create(&h, 0, outer, 0); pthread_join(h, &r); MAIN }
"""
GLOBAL = "pthread_create(&h2, 0, inner, 0); return 0;"
HEAP = "pthread_t *p = malloc(sizeof *p); pthread_create(p, 0, inner, 0); return p;"
RETURNED = "pthread_create(&h2, 0, inner, 0); return (void *)h2;"


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    ("body", "main", "expected"),
    [
        (GLOBAL, "pthread_join(h2, 0); x = 2;", ("safe", 1, [])),
        (GLOBAL, "pthread_join(h2, &r); assert(r == (void *)7 && x == 1);", ("safe", 1, [])),
        (GLOBAL, "pthread_join(h2, &r); assert(r == (void *)6);", ("violation", 1, ["assertion"])),
        (GLOBAL, "x = 2;", ("violation", None, ["race"])),
        (GLOBAL, "pthread_join(h2, 0); pthread_join(h2, 0);", ("violation", None, ["bad-join"])),
        (GLOBAL, "pthread_detach(h2); pthread_join(h2, 0);", ("violation", None, ["bad-join"])),
        (HEAP, "pthread_join(*(pthread_t *)r, 0); x = 2; free(r);", ("safe", 1, [])),
        (RETURNED, "pthread_join((pthread_t)r, &r); assert(r == (void *)7); x = 2;", ("safe", 1, [])),
    ],
)
def test_main_joins_what_a_thread_has_started(
    reader: str, body: str, main: str, expected: tuple[str, int | None, list[str]]
) -> None:
    found = said(reader, STARTED.replace("BODY", body).replace("MAIN", main))
    assert found[::2] == expected[::2]
    assert expected[1] in (None, found[1])


@pytest.mark.parametrize("reader", READERS)
def test_siblings_join_each_other(reader: str) -> None:
    text = """int x; pthread_t a, b; atomic_int ready;
void *first(void *p) { x = 1; return p; }
void *second(void *p) { pthread_join(a, 0); x++; return p; }
int main(void) {
  pthread_create(&a, 0, first, 0); pthread_create(&b, 0, second, 0); pthread_join(b, 0); assert(x == 2);
}
"""
    assert said(reader, text) == ("safe", 1, [])


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("call", ["pthread_join(t, 0);", "pthread_detach(t);"])
def test_what_is_no_thread_yet(reader: str, call: str) -> None:
    """A handle that is still 0 is not main's."""
    text = f"""pthread_t t;
void *run(void *p) {{ return p; }}
int main(void) {{ {call} pthread_create(&t, 0, run, 0); pthread_join(t, 0); }}
"""
    assert said(reader, text)[::2] == ("violation", ["bad-join"])


@compiles
@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("std::thread t(run); t.join(); t.join();", "exit"),
        ("std::thread t; t.join();", "exit"),
        ("std::thread t(run); t.detach(); t.join();", "exit"),
        ("std::thread *t = nullptr; t->join();", "bad-address"),
        ("std::thread t(run); t.join(); try { t.join(); } catch (const std::system_error &) {}", None),
    ],
)
def test_threads_of_cpp_that_are_joined_twice(body: str, kind: str | None) -> None:
    """`join` throws what says so, whose text nobody asks for."""
    program = xgen.parse(f"#include <thread>\nvoid run() {{}}\nint main() {{ {body} }}\n", "cpp", "test.cpp")
    result = xgen.check(program, model("rc11"))
    assert (result.witness and result.witness.violations[0].kind) == kind


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    ("body", "main", "expected"),
    [
        ("pthread_detach(pthread_self());", "", ("safe", [])),
        ("pthread_t me = pthread_self(); x = 1; pthread_detach(me);", "", ("safe", [])),
        ("pthread_detach(pthread_self()); pthread_detach(pthread_self());", "", ("violation", ["bad-join"])),
        ("pthread_detach(pthread_self());", "pthread_join(h, 0);", ("violation", ["bad-join"])),
        ("pthread_join(pthread_self(), 0);", "", ("violation", ["bad-join"])),
        ("pthread_join(x ? h : pthread_self(), 0);", "", ("violation", ["bad-join"])),
    ],
)
def test_a_thread_about_itself(reader: str, body: str, main: str, expected: tuple[str, list[str]]) -> None:
    text = f"int x; pthread_t h; void *itself(void *a) {{ {body} return a; }}\n"
    text += f"int main(void) {{ pthread_create(&h, 0, itself, 0); {main} }}"
    assert said(reader, text)[::2] == expected


@pytest.mark.parametrize("reader", READERS)
def test_main_is_a_thread_like_others(reader: str) -> None:
    """Its handle is not 0, which locks keep for an owner that is none, nor that of another thread."""
    text = """pthread_t h, seen;
void *itself(void *a) { seen = pthread_self(); return a; }
int main(void) {
  assert(pthread_self() != 0); assert(pthread_equal(pthread_self(), pthread_self()));
  pthread_create(&h, 0, itself, 0); pthread_join(h, 0);
  assert(seen == h && seen != pthread_self()); }
"""
    assert said(reader, text) == ("safe", 1, [])
    assert said(reader, "int main(void) { pthread_join(pthread_self(), 0); }")[::2] == ("violation", ["bad-join"])


@compiles
def test_main_of_cpp_is_a_thread() -> None:
    """An id that was made by nobody is that of no thread."""
    program = xgen.parse(
        "#include <cassert>\n#include <thread>\n"
        "int main() { std::thread::id none; assert(std::this_thread::get_id() != none);\n"
        "std::thread t([&] { assert(std::this_thread::get_id() != none); });\n"
        "assert(t.get_id() != std::this_thread::get_id()); t.join(); assert(t.get_id() == none); }\n",
        "cpp", "test.cpp",
    )  # fmt: skip
    assert xgen.check(program, model("rc11")).verdict == "safe"
