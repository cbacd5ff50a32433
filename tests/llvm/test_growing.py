"""Containers that grow while threads share them: memory and copies whose lengths are known when they run only.

The numbers of executions are the orders in which a mutex can be taken.
"""

from __future__ import annotations

from typing import Any

import pytest
from llvm.compiling import compiles

import xgen

GROWN = """#include <cassert>
#include <mutex>
#include <string>
#include <thread>
#include <vector>
CONTAINER v;
std::mutex m;
void add(int x) {
  for (int i = 0; i < ROUNDS; i++) {
    LOCK;
    ADD;
  }
}
int main() {
  std::thread a(add, 1), b(add, 2);
  a.join(); b.join();
  CHECK;
}
"""
VECTOR = {
    "CONTAINER": "std::vector<int>",
    "ROUNDS": "1",
    "LOCK": "std::lock_guard<std::mutex> g(m)",
    "ADD": "v.push_back(10 * x + i)",
    "CHECK": "assert(v.size() == 2 && v[0] + v[1] == 30)",
}
SUM = "int s = 0; for (int x : v) s += x; assert(v.size() == 4 && s == 10 + 11 + 20 + 21)"
FRONT = {
    "CONTAINER": "std::vector<int> v0; std::vector<int>",
    "ADD": "v.insert(v.begin(), x)",
    "CHECK": "assert(v[0] + v[1] == 3 && v[0] != v[1])",
}
TEXT = {
    "CONTAINER": "std::string",
    "ADD": 'v += x == 1 ? "one" : "2"',
    "CHECK": 'assert(v == "2one" || v == "one2")',
}


def check(**changed: str) -> Any:
    text = GROWN
    for name, meaning in {**VECTOR, **changed}.items():
        text = text.replace(name, meaning)
    return xgen.check(xgen.parse(text, "cpp"), xgen.model("rc11"))


BY_HAND = """#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int *data, size, room;
void *add(void *x) {
  pthread_mutex_lock(&m);
  if (size == room) {
    int *more = new int[GROWN];
    __builtin_memcpy(more, data, size * sizeof(int));
    delete[] data;
    data = more;
    room = GROWN;
  }
  data[size++] = (int)(long)x;
  pthread_mutex_unlock(&m);
  return nullptr;
}
int main() {
  pthread_t a, b;
  pthread_create(&a, 0, add, (void *)1);
  pthread_create(&b, 0, add, (void *)2);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(size == 2 && CHECK);
}
"""


@compiles
@pytest.mark.parametrize("grown", ["2 * room + 1", "room + 1"])
@pytest.mark.parametrize(
    ("checked", "verdict"), [("data[0] + data[1] == 3 && data[0] != data[1]", "safe"), ("data[0] == 1", "violation")]
)
def test_an_array_grows(grown: str, checked: str, verdict: str) -> None:
    """Two orders in which the mutex is taken; what comes second is copied behind what came first."""
    text = BY_HAND.replace("GROWN", grown).replace("CHECK", checked)
    found = xgen.check(xgen.parse(text, "cpp"), xgen.model("rc11"), all_states=True)
    assert (found.verdict, found.executions) == (verdict, 2)


@pytest.mark.slow
@compiles
@pytest.mark.parametrize(
    ("changed", "executions"),
    [({"ROUNDS": "2", "CHECK": SUM}, 6), (FRONT, 2)],
    ids=["at its end", "at its start"],
)
def test_a_vector_grows(changed: dict[str, str], executions: int) -> None:
    found = check(**changed)
    assert (found.verdict, found.executions) == ("safe", executions)


@pytest.mark.slow
@compiles
def test_a_text_grows() -> None:
    found = check(**TEXT)
    assert found.executions == 2
    assert found.verdict == "safe"


@pytest.mark.slow
@compiles
@pytest.mark.parametrize(
    ("changed", "kind"), [({"LOCK": ";"}, "race"), ({"CHECK": "assert(v[1] == 20)"}, "assertion")], ids=str
)
def test_what_is_wrong_is_found(changed: dict[str, str], kind: str) -> None:
    found = check(**changed)
    assert found.witness is not None
    assert found.witness.violations[0].kind == kind


@pytest.mark.slow
@compiles
def test_what_needs_more_is_cut() -> None:
    """Of five elements, and then ten."""
    found = check(ADD="v.resize(v.size() + 5)", CHECK="assert(v.size() == 10)")
    assert (found.verdict, found.executions) == ("vacuous", 0)
    assert found.bounded


@pytest.mark.slow
@compiles
def test_a_deque_is_refused() -> None:
    with pytest.raises(xgen.UnsupportedError, match="grows while threads share it is") as error:
        check(CONTAINER="std::deque<int>", LOCK=";", CHECK=";", **{"<vector>": "<deque>"})
    assert error.value.line == 11
    assert error.value.hint is not None
    assert "std::list" in error.value.hint
