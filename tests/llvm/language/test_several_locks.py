"""`std::scoped_lock` and `std::lock`, which take several mutexes without a deadlock."""

from __future__ import annotations

from typing import Any

import pytest
from llvm.compiling import compiles

import xgen

pytest.importorskip("llvmlite", reason="llvmlite reads IR: pip install '.[cpp]'")

TEXT = """#include <cassert>
#include <mutex>
#include <thread>
std::mutex a, b;
int n;
int main() {
  std::thread x([] { FIRST n++; }), y([] { SECOND n++; });
  x.join(); y.join();
  assert(n == 2);
}
"""
ADOPTED = "std::lock(b, a); std::lock_guard<std::mutex> l(a, std::adopt_lock), m(b, std::adopt_lock);"
DEFERRED = "std::unique_lock<std::mutex> l(b, std::defer_lock), m(a, std::defer_lock); std::lock(l, m);"
BY_HAND = "std::lock_guard<std::mutex> l(b), m(a);"
BACK_OFF = """for (;;) {
  b.lock(); if (a.try_lock()) break; b.unlock();
} std::lock_guard<std::mutex> l(a, std::adopt_lock), m(b, std::adopt_lock);"""


def check(second: str, **more: Any) -> Any:
    text = TEXT.replace("FIRST", "std::scoped_lock l(a, b);").replace("SECOND", second)
    return xgen.check(xgen.parse(text, "cpp"), **more)


@compiles
@pytest.mark.parametrize("liveness", [False, True])
@pytest.mark.parametrize("second", ["std::scoped_lock l(b, a);", ADOPTED, "std::scoped_lock l(a, b);"])
def test_mutexes_in_any_order(second: str, liveness: bool) -> None:
    """There is an execution for each thread that has both first; that the library comes on is taken for granted."""
    result = check(second, liveness=liveness)
    assert (result.verdict, result.executions, result.exhaustive, result.left_out) == ("safe", 2, True, ())


@compiles
def test_what_waits_for_ever() -> None:
    """Who keeps a mutex is waited for; of a loop of the program's own nothing is taken for granted."""
    assert [each.kind for each in check("b.lock();").witness.violations] == ["deadlock"]
    assert [each.kind for each in check("").witness.violations] == ["race"]
    result = check(BACK_OFF, liveness=True)
    assert (result.verdict, result.executions, len(result.left_out)) == ("safe-within-bound", 2, 1)
    assert check(BACK_OFF).verdict == "safe"
    both = TEXT.replace("FIRST", BACK_OFF).replace("SECOND", BACK_OFF.replace("b.", "c.").replace("a.", "b."))
    both = both.replace("c.", "a.")
    assert {each.kind for each in xgen.check(xgen.parse(both, "cpp"), liveness=True).witness.violations} == {"livelock"}


@compiles
def test_who_takes_them_one_by_one() -> None:
    """It gets the second one: the library gives that back where the first is taken."""
    assert check(BY_HAND, liveness=True).verdict == "safe"


@compiles
def test_others_are_libcs_own() -> None:
    """Locks that are deferred are taken by libc++'s own rounds, within a bound."""
    assert check(DEFERRED, max_depth=14).verdict == "safe-within-bound"
