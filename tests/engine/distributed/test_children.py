"""Processes that die, stand still or end by themselves, at any moment: each is heard of, and none is left behind."""

from __future__ import annotations

import multiprocessing
import os
import signal
from queue import SimpleQueue

import pytest

from engine.distributed.serving import exits, half, returns, shouts
from xgen.engine.distributed.children import Child, Ended


def said(heard: SimpleQueue[tuple[Child[object], object]], child: Child[object]) -> list[object]:
    """All that a child says."""
    found: list[object] = []
    while not found or not isinstance(found[-1], Ended):
        who, what = heard.get(timeout=60)
        if who is child:
            found.append(what)
    return found[:-1]


@pytest.mark.parametrize(("serve", "code", "words"), [(half, -9, []), (exits, 3, ["a"]), (returns, 0, ["a", "b"])])
def test_the_end_of_a_process_is_heard_of(serve: object, code: int, words: list[str]) -> None:
    heard: SimpleQueue[tuple[Child[object], object]] = SimpleQueue()
    child = Child[object](serve, ())  # type: ignore[arg-type]
    child.listen(heard)
    child.send("go")
    assert said(heard, child) == words
    assert child.end() == code
    assert multiprocessing.active_children() == []


def test_a_process_that_stands_still_in_a_message_holds_nobody_up() -> None:
    heard: SimpleQueue[tuple[Child[object], object]] = SimpleQueue()
    still, other = Child[object](shouts, ()), Child[object](returns, ())
    for child in (still, other):
        child.listen(heard)
    still.send("go")
    assert heard.get(timeout=60)[0] is still
    os.kill(still.pid, signal.SIGSTOP)
    other.send("go")
    assert said(heard, other) == ["a", "b"]
    assert (still.end(), other.end()) == (-9, 0)
    assert multiprocessing.active_children() == []
