"""Programs that end by `exit`, in main and elsewhere."""

from __future__ import annotations

import pytest
from both.asked import READERS, ask, said
from c.running import HEAD

import xgen

ENDS = """void bye(void) { assert(x != 7); }
void *t(void *a) { x = 1; BODY return a; }
int main(void) { BEGIN pthread_t h; pthread_create(&h, 0, t, 0); MAIN }
"""
JOINS = "pthread_join(h, 0); return 1;"


def text(body: str, main: str = JOINS, begin: str = "") -> str:
    return "atomic_int x;\n" + ENDS.replace("BODY", body).replace("MAIN", main).replace("BEGIN", begin)


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("call", ["exit(0);", "_Exit(0);", "quick_exit(0);"])
def test_a_thread_ends_the_program(reader: str, call: str) -> None:
    """What main returns then is never come to."""
    line = HEAD.count("\n") + 3
    for liveness in (False, True):
        result = ask(reader, text(call), liveness=liveness)
        assert (result.verdict, result.executions, result.blocked, result.stuck) == ("safe", 0, 1, 0)
        assert f"note: the program ends before main does, in t at line {line}" in result.warnings


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    ("body", "main", "expected"),
    [
        ("exit(3);", JOINS, ("violation", 0, ["exit"])),
        ("if (x == 2) exit(0);", "x = 2; pthread_join(h, 0);", ("safe", 2, [])),  # in a third one the thread exits
        ("exit(0);", "return 0;", ("safe", 0, [])),
        ("__VERIFIER_assume(0);", JOINS, ("vacuous", 0, [])),  # this is no end
        ("", "exit(0);", ("safe", 1, [])),
        ("", "_Exit(0);", ("safe", 1, [])),
        ("", "x = 7; exit(0);", ("safe", 2, [])),
    ],
)
def test_what_is_found(reader: str, body: str, main: str, expected: tuple[str, int, list[str]]) -> None:
    before = "void __VERIFIER_assume(int);\n" if "assume" in body else ""
    assert said(reader, before + text(body, main)) == expected


@pytest.mark.parametrize("reader", READERS)
def test_what_main_returns_is_a_status(reader: str) -> None:
    text = "int worker(void) { return 1; } int main(void) { return 1; }"
    assert said(reader, text) == ("violation", 1, ["exit"])
    assert said(reader, text, entry="worker") == ("safe", 1, [])


@pytest.mark.parametrize("reader", READERS)
def test_functions_of_atexit(reader: str) -> None:
    """Main's `exit` calls them, and so would that of a thread, which is refused; `_Exit` calls none."""
    begin = "atexit(bye);"
    assert said(reader, text("", "x = 7; exit(0);", begin))[::2] == ("violation", ["assertion"])
    assert said(reader, text("", "x = 7; _Exit(0);", begin)) == ("safe", 2, [])
    assert said(reader, text("_Exit(0);", begin=begin)) == ("safe", 0, [])
    with pytest.raises(xgen.UnsupportedError, match="`exit` in another thread than main"):
        said(reader, text("exit(0);", begin=begin))


KEYS = """pthread_key_t k, l; atomic_int n;
void falls(void *v) { n++; if ((long)v > 1) pthread_setspecific(k, (void *)((long)v - 1)); }
void leads(void *v) { n++; if ((long)v == 2) pthread_setspecific(l, v); }
void *t(void *a) { pthread_setspecific(k, a); return 0; }
int main(void) {
  pthread_t p;
  pthread_key_create(&k, FIRST); pthread_key_create(&l, leads);
  pthread_create(&p, 0, t, (void *)VALUE); pthread_join(p, 0); assert(n == COUNT);
}
"""


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    ("first", "value", "count", "expected"),
    [
        ("falls", 1, 1, ("safe", 1, [])),
        ("falls", 3, 3, ("safe", 1, [])),
        ("falls", 4, 4, ("safe", 1, [])),
        ("falls", 3, 2, ("violation", 1, ["assertion"])),
        ("falls", 5, 5, ("vacuous", 0, [])),  # which glibc does not call once more
        ("leads", 2, 3, ("vacuous", 0, [])),
        ("leads", 3, 1, ("safe", 1, [])),
    ],
)
def test_destructors_that_set_a_value_again(
    reader: str, first: str, value: int, count: int, expected: tuple[str, int, list[str]]
) -> None:
    text = KEYS.replace("FIRST", first).replace("VALUE", str(value)).replace("COUNT", str(count))
    assert said(reader, text) == expected
