"""The locks of the Linux kernel, as xgen's own lock.cat has them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.litmus.reading import read
from xgen.analyses.suite.litmus import run_litmus
from xgen.errors import Source
from xgen.memory.cat import read_cat
from xgen.memory.statics.lint import remarks_of

TAGS = "\"own\" enum Accesses = 'once || 'acquire || 'release"
MEANING = "let Acquire = ACQUIRE \\ W let Release = RELEASE \\ R"
LOCKS = 'include "lock.cat"'
CHECKS = """
acyclic po-loc | rf | co | fr as coherence
acyclic [Acquire]; po | po; [Release] | rfe | fre as handover
"""
PASSING = """C passing
{}
P0(int *x, int *y, spinlock_t *s) { LOCK WRITE_ONCE(*x, 1); WRITE_ONCE(*y, 1); spin_unlock(s); }
P1(int *x, int *y, spinlock_t *s) { LOCK int a = READ_ONCE(*y); int b = READ_ONCE(*x); spin_unlock(s); }
exists (1:a=1 /\\ 1:b=0)
"""
"""Both threads touch x and y with the lock held."""


@pytest.mark.parametrize("order", [(TAGS, MEANING, LOCKS), (TAGS, LOCKS, MEANING), (TAGS, LOCKS)])
@pytest.mark.parametrize("taken", ["spin_lock(s);", "int t = spin_trylock(s); if (t == 0) return;"])
def test_locks_order_wherever_a_model_says_what_acquires(order: tuple[str, ...], taken: str, tmp_path: Path) -> None:
    """The kernel's models say it before the locks; Dat3M's after them, from sets that have what bears the tag."""
    model = read_cat(Source(str(tmp_path / "own.cat"), " ".join((*order, CHECKS))), "LKMM")
    assert run_litmus(read(PASSING.replace("LOCK", taken)), model).verdict == "No"


def test_without_locks_messages_do_not_pass(tmp_path: Path) -> None:
    """What the tests above forbid is allowed where nothing makes it an acquire and a release."""
    model = read_cat(
        Source(str(tmp_path / "own.cat"), f"{TAGS} let Acquire = {{}} let Release = {{}} {CHECKS}"), "LKMM"
    )
    assert run_litmus(read(PASSING.replace("LOCK", "spin_lock(s);")), model).verdict == "Ok"


def test_a_file_that_is_not_read_is_told(tmp_path: Path) -> None:
    """xgen's own lock.cat is read even if there is one beside the model."""
    (tmp_path / "lock.cat").write_text("let mine = po")
    source = Source(str(tmp_path / "own.cat"), f"{TAGS}\n{LOCKS}\nacyclic po | rf as it")
    (remark,) = [remark for remark in remarks_of(read_cat(source, "LKMM")) if "lock.cat" in remark.message]
    assert remark.message == "xgen's own lock.cat is read, not the one beside the model"
    assert remark.note
    assert remark.position is not None
    assert remark.position.line == 2
    (tmp_path / "lock.cat").unlink()
    assert not any("lock.cat" in remark.message for remark in remarks_of(read_cat(source, "LKMM")))
