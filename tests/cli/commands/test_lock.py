"""`xgen check --lock`: what goes wrong with a lock in the place of two functions is looked for with these."""

from __future__ import annotations

from pathlib import Path

import pytest

import xgen.cli.shared.real_lock
from cli.fake import run

TEXT = """#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
struct lock { atomic_int held; } a, b;
static void take(struct lock *l) { while (atomic_exchange(&l->held, 1)); atomic_thread_fence(memory_order_seq_cst); }
static void give(struct lock *l) { atomic_thread_fence(memory_order_seq_cst); atomic_store(&l->held, 0); }
atomic_int x, y; int r, s;
void *p(void *n) { TAKE
  take(&a); atomic_store_explicit(&x, 1, memory_order_relaxed); give(&a);
  take(&a); r = atomic_load_explicit(&y, memory_order_relaxed); give(&a);
  return n; }
void *q(void *n) {
  take(&b); atomic_store_explicit(&y, 1, memory_order_relaxed); give(&b);
  take(&b); s = atomic_load_explicit(&x, memory_order_relaxed); give(&b);
  return n; }
int main(void) {
  pthread_t t, u; pthread_create(&t, 0, p, 0); pthread_create(&u, 0, q, 0);
  pthread_join(t, 0); pthread_join(u, 0); assert(ASSERT);
}
"""
STRONGER = "nothing goes wrong without --lock: a lock allows more than the functions do"
CASES = {
    "the functions have fences": ("r || s", "", STRONGER),
    "the program is wrong": ("r", "", "the same goes wrong without --lock"),
    "a deadlock": ("r || s", "take(&a);", "without --lock, no execution completes"),
}


def notes(text: str, *words: str) -> list[str]:
    Path("client.c").write_text(text)
    lines = run("check", "client.c", *words).stdout.splitlines()
    return [line.removeprefix("note: ") for line in lines if line.startswith("note: ") and "--lock" in line][1:]


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("name", CASES)
def test_what_goes_wrong_is_looked_for_without_the_lock(name: str) -> None:
    asserted, twice, said = CASES[name]
    text = TEXT.replace("ASSERT", asserted).replace("TAKE", twice)
    assert notes(text, "--lock", "take=take,give=give") == [said]


def test_it_is_said_where_that_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xgen.cli.shared.real_lock, "SECONDS", 1e-9)
    (said,) = notes(TEXT.replace("ASSERT", "r").replace("TAKE", ""), "--lock", "take=take,give=give")
    assert said.startswith("whether it goes wrong without --lock is not known")


def test_the_next_command_has_the_lock() -> None:
    Path("client.c").write_text(TEXT.replace("ASSERT", "r || s").replace("TAKE", ""))
    said = run("check", "client.c", "--lock", "take=take,give=give").stdout
    assert "next: xgen fences client.c --lock take=take,give=give " in said
