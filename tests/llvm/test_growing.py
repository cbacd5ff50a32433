"""Containers that grow while threads share them: memory and copies whose lengths are known when they run only.

The numbers of executions are the orders in which a mutex can be taken.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from llvm.compiling import compiles

import xgen
from xgen.views.answers.text import render

GROWN = """#include <cassert>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
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
HASHED = {
    "CONTAINER": "std::unordered_map<int, int>",
    "ADD": "v[x + 2 * i]++",
    "CHECK": "assert(v.size() == 2 && v.at(1) == 1 && v.find(2)->second == 1 && v.find(13) == v.end())",
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


@compiles
def test_a_table_of_hashes_that_threads_share() -> None:
    """Two orders in which the mutex is taken."""
    result = check(**HASHED)
    assert (result.verdict, result.executions) == ("safe", 2)
    assert check(**{**HASHED, "CHECK": "assert(v.size() == 1)"}).verdict == "violation"


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
def test_a_deque_with_blocks_is_refused() -> None:
    """Before C++17 it is that of libc++."""
    text = "".join(f"#include <{name}>\n" for name in ("deque", "pthread.h"))
    text += "std::deque<int> d; void *add(void *) { d.push_back(1); return 0; }\n"
    text += "int main() { pthread_t t; pthread_create(&t, 0, add, 0); add(0); pthread_join(t, 0); }"
    with pytest.raises(xgen.UnsupportedError, match="grows while threads share it is") as error:
        xgen.parse(text, "cpp", flags=("-std=c++14",))
    assert error.value.line == 3
    assert error.value.hint is not None
    assert "c++17" in error.value.hint


HANDED = """#include <cassert>
#include <INCLUDED>
#include <pthread.h>
CONTAINER c;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *add(void *x) {
  int k = (int)(long)x;
  if (LOCKED) pthread_mutex_lock(&m);
  ADDED;
  if (LOCKED) pthread_mutex_unlock(&m);
  return nullptr;
}
int main() {
  BEFORE;
  pthread_t a, b;
  pthread_create(&a, 0, add, (void *)1);
  pthread_create(&b, 0, add, (void *)2);
  pthread_join(a, 0);
  pthread_join(b, 0);
  CHECKED;
}
"""
CONTAINERS = {
    "deque": ("std::deque<int>", "c.push_back(k)", "", "assert(c.size() == 2 && c[0] + c[1] == 3 && c[0] != c[1])"),
    "queue": (
        "std::queue<int>",
        "int k0 = c.front(); c.pop(); c.push(k0 + k)",
        "c.push(0)",
        "assert(c.front() == 3)",
    ),
    "map": ("std::map<int, int>", "c[k] += k; c[1]++", "", "assert(c.size() == 2 && c[1] == 3 && c[2] == 2)"),
    "set": ("std::set<int>", "c.insert(k); c.erase(3 - k)", "", "assert(c.size() == 1)"),
}
TOLD = """#include <atomic>
#include <cassert>
#include <format>
#include <string>
#include <thread>
std::atomic<int> x{0};
int main() {
  std::thread t([] { x.store(-12); });
  std::string s = TEXT;
  t.join();
  assert(s == "SHORTER" || s == "LONGER");
}
"""


@compiles
@pytest.mark.parametrize(
    ("text", "longer"),
    [('"x = " + std::to_string(x.load())', "x = -12"), ('std::format("x = {:x}{}", x.load(), "h")', "x = -ch")],
    ids=["to_string", "format"],
)
def test_a_number_that_is_not_known_as_text(text: str, longer: str) -> None:
    """Both texts are there, of one execution each, and no other one is."""
    told = TOLD.replace("TEXT", text).replace("SHORTER", longer.replace("-12", "0").replace("-c", "0"))
    found = xgen.check(xgen.parse(told.replace("LONGER", longer), "cpp"), xgen.model("rc11"))
    assert (found.verdict, found.executions, found.exhaustive) == ("safe", 2, True)
    assert xgen.check(xgen.parse(told.replace("LONGER", "x"), "cpp"), xgen.model("rc11")).verdict == "violation"


@compiles
@pytest.mark.parametrize("name", CONTAINERS)
def test_containers_that_threads_share(name: str) -> None:
    """Two orders in which the mutex is taken; without it there is a race."""
    kind, added, before, checked = CONTAINERS[name]
    text = HANDED.replace("INCLUDED", name).replace("CONTAINER", kind).replace("ADDED", added)
    text = text.replace("BEFORE", before).replace("CHECKED", checked)
    right, wrong = (xgen.parse(text, "cpp", defines=(f"LOCKED={k}",)) for k in (1, 0))
    result = xgen.check(right, xgen.model("rc11"))
    assert (result.verdict, result.executions, result.exhaustive) == ("safe", 2, True)
    found = xgen.check(wrong, xgen.model("rc11")).witness
    assert found is not None
    assert "race" in {each.kind for each in found.violations}


@compiles
def test_what_a_library_does_is_one_row() -> None:
    """Of the violating execution; each event of it is there where all are asked for."""
    kind, added, _, checked = CONTAINERS["deque"]
    text = HANDED.replace("INCLUDED", "deque").replace("CONTAINER", kind).replace("ADDED", added)
    text = text.replace("BEFORE", "").replace("CHECKED", checked)
    result = xgen.check(xgen.parse(text, "cpp", defines=("LOCKED=0",)), xgen.model("rc11"))
    witness = result.witness
    assert witness is not None
    parties = {event.id for each in witness.violations for event in witness.parties(each)}
    assert parties
    assert parties <= {event.id for event in witness.drawn.events}
    assert len(witness.drawn.events) < len(witness.events) / 2
    folded, whole = (render(result, full_witness=full) for full in (False, True))
    assert "events in a library)" in folded
    assert "events in a library)" not in whole
    assert sum(line.startswith("  ") for line in folded.splitlines()) < len(witness.events)
    events = [event for event in witness.events if event.position is not None]
    assert all(any(line.split()[:1] == [str(event.step)] for line in whole.splitlines()) for event in events)


@pytest.mark.slow
@compiles
@pytest.mark.parametrize("standard", ["-std=c++17", "-std=c++20"])
def test_containers_are_those_of_the_standard(standard: str) -> None:
    """One thread: what they have, and what it gives."""
    program = xgen.load(Path(__file__).parent / "language" / "containers.cpp", flags=(standard,))
    found = xgen.check(program, xgen.model("rc11"))
    assert (found.verdict, found.executions) == ("safe", 1)
