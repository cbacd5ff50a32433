"""What readers write out at most is the same for both, and what lies behind it is cut, or refused; never wrong."""

from __future__ import annotations

import pytest
from both.asked import READERS, ask, read, said
from llvm.compiling import compiles

import xgen
from xgen.frontends.limits import NESTED_CALLS, POOL, THREADS

LIST = """struct node { struct node *next; };
atomic_int stop;
void *other(void *a) { stop = 1; return a; }
int main() {
  pthread_t t; pthread_create(&t, 0, other, 0);
  struct node *head = 0; int k = 0;
  while (k < LIMIT && !stop) { struct node *n = malloc(sizeof *n); n->next = head; head = n; k++; }
  assert(k < LIMIT);
  pthread_join(t, 0);
}
"""


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("limit", [6, POOL])
def test_as_many_objects_as_there_may_be(reader: str, limit: int) -> None:
    assert said(reader, LIST.replace("LIMIT", str(limit)), whole=False)[::2] == ("violation", ["assertion"])


@pytest.mark.parametrize("reader", READERS)
def test_one_object_more_is_cut(reader: str) -> None:
    """Threads stop after 0 to 16 rounds, or are cut at the seventeenth."""
    result = ask(reader, LIST.replace("LIMIT", str(POOL + 1)))
    assert (result.verdict, result.executions, result.bounded) == ("safe-within-bound", POOL + 1, 1)
    (warning,) = result.warnings
    assert warning.endswith(f": more than {POOL} objects are allocated here")


LOOP = """atomic_int n;
void *counts(void *a) { int sum = 0; for (int k = 0; k < ROUNDS; k++) sum += k; n = sum; return a; }
int main() { pthread_t t; pthread_create(&t, 0, counts, 0); pthread_join(t, 0); assert(n == SUM); }
"""


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("rounds", [3, 41, 300])
def test_threads_in_a_loop_whose_rounds_are_known(reader: str, rounds: int) -> None:
    text = LOOP.replace("ROUNDS", str(rounds)).replace("SUM", str(rounds * (rounds - 1) // 2))
    assert said(reader, text) == ("safe", 1, [])


CREATED_IN_A_THREAD = """void *nothing(void *a) { return a; }
void *starts(void *a) {
  pthread_t t[70];
  for (int k = 0; k < 70; k++) { pthread_create(&t[k], 0, nothing, 0); pthread_join(t[k], 0); }
  return a;
}
int main() { pthread_t t; pthread_create(&t, 0, starts, 0); pthread_join(t, 0); }
"""


@pytest.mark.parametrize("reader", READERS)
def test_more_than_sixty_four_threads_in_more_than_forty_rounds(reader: str) -> None:
    assert said(reader, CREATED_IN_A_THREAD) == ("safe", 1, [])


@pytest.mark.parametrize("reader", READERS)
def test_too_many_threads(reader: str) -> None:
    many = CREATED_IN_A_THREAD.replace("70", str(THREADS))
    with pytest.raises(xgen.UnsupportedError, match=f"more than {THREADS} threads are not supported"):
        read(reader, many)


CHAIN = """atomic_int x;
void *f(void *a) { pthread_t t; if (x++ < LIMIT) pthread_create(&t, 0, f, 0); return 0; }
int main() { pthread_t t; pthread_create(&t, 0, f, 0); return 0; }
"""


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(("limit", "complete"), [(3, 1), (NESTED_CALLS - 1, 1), (NESTED_CALLS, 0)])
def test_threads_that_start_their_like(reader: str, limit: int, complete: int) -> None:
    result = ask(reader, CHAIN.replace("LIMIT", str(limit)))
    assert (result.executions, result.bounded) == (complete, 1 - complete)
    cut = f": more than {NESTED_CALLS} threads of `f` start each other"
    assert [warning.endswith(cut) for warning in result.warnings if " stopped " in warning] == [True] * (1 - complete)


@pytest.mark.parametrize("reader", READERS)
def test_calls_inside_each_other(reader: str) -> None:
    text = """atomic_int x;
void *adds(void *a) { x = 1; return a; }
int f(int n) { return x ? n : f(n + 1); }
int main() { pthread_t t; pthread_create(&t, 0, adds, 0); int r = f(0); assert(r < 8); pthread_join(t, 0); }
"""
    result = ask(reader, text)
    assert (result.verdict, result.executions, result.bounded) == ("safe-within-bound", NESTED_CALLS, 1)
    (warning,) = result.warnings
    assert warning.endswith(f": more than {NESTED_CALLS} calls of `f` are inside each other")


@compiles
def test_fewer_calls_are_inside_each_other_where_there_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that is too long with eight of them is read with one, and what needs more is cut."""
    monkeypatch.setattr("xgen.frontends.llvm.language.calls.CALLED_AGAIN", 20)
    monkeypatch.setattr("xgen.frontends.llvm.language.calls.LONG", 100)
    text = """atomic_int x;
void *adds(void *a) { x = 1; return a; }
int f(int n) { return x ? n : x ? f(n + 1) : f(n + 2); }
int main() { pthread_t t; pthread_create(&t, 0, adds, 0); int r = f(0); assert(r < 3); pthread_join(t, 0); }
"""
    result = ask("clang", text)
    assert (result.verdict, result.executions, result.bounded) == ("safe-within-bound", 1, 2)
    cut = ": a call of `f` is inside another one, in a program that is too long with more of them"
    assert [warning.endswith(cut) for warning in result.warnings] == [True, True]


@pytest.mark.parametrize("reader", READERS)
def test_many_bytes_are_compared(reader: str) -> None:
    text = "char a[200], b[200]; int main() { b[150] = 1; assert(memcmp(a, b, 200) < 0 && memcmp(a, b, 150) == 0); }"
    assert said(reader, text) == ("safe", 1, [])
