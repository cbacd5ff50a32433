"""Structures that people use, in programs/linearizable: the right ones are right, the wrong ones are found wrong.

In each row: the file, with what it is compiled; how it is asked; the verdict, and the number of clients and executions
of what is right, or the client in which what is wrong is found, with the kind of the violation.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import xgen
from xgen.analyses.linearizability.search import Linearizability

FOLDER = Path(__file__).parents[2] / "programs" / "linearizable"
THREE: dict[str, Any] = {"calls": 3}
RING: dict[str, Any] = {"calls": 5, "before": 0, "one": ("push", "pop")}
STALE = {**RING, "failures": "stale"}
MPMC: dict[str, Any] = {"calls": 3, "before": 2, "failures": "contended", "spec": "queue:2"}
DEQUE: dict[str, Any] = {"calls": 3, "one": ("push,take",), "busy": -1, "max_puts": 4}
ABA: dict[str, Any] = {"client": "pop | pop pop push", "before": 2}
THIEVES: dict[str, Any] = {"client": "push take | steal | steal"}
LIST: dict[str, Any] = {"calls": 2, "before": 0}
FOUR = "enqueue(1) | enqueue(2) | enqueue(3) | enqueue(4)"
SEVEN: dict[str, Any] = {"client": " | ".join(["enqueue"] * 4 + ["dequeue"] * 3), "before": 0, "spec": "queue"}

RIGHT = [
    ("rc11", "msqueue", "", THREE, 14, 187),
    ("rc11", "treiber", "", THREE, 14, 46),
    ("rc11", "treiber_array", "", THREE, 14, 709),
    ("rc11", "treiber_array", "REUSE COUNTED", ABA, 3, 9),
    ("rc11", "ring", "", STALE, 10, 77),
    ("sc", "ring", "", {**RING, "calls": 4}, 6, 28),
    ("arm8", "ring", "", {**RING, "client": "pop pop | push push push", "map": "armv8"}, 1, 19),
    ("arm8", "counter", "", {"calls": 2, "map": "armv8"}, 3, 5),
    ("arm8", "trylock", "", {"calls": 2, "map": "armv8"}, 1, 2),
    ("arm8", "ticket", "", {"calls": 2, "map": "armv8"}, 3, 6),
    ("arm8", "msqueue", "", {"calls": 2, "map": "armv8"}, 6, 18),
    ("tso", "msqueue", "", {"calls": 2}, 6, 15),
    ("sc", "treiber_array", "REUSE COUNTED", ABA, 3, 9),
    ("rc11", "mpmc", "", MPMC, 21, 637),
    ("rc11", "chaselev", "", DEQUE, 20, 155),
    ("rc11", "seqlock", "", {**THREE, "one": ("write",)}, 10, 22),
    ("rc11", "ticket", "", THREE, 7, 12),
    ("rc11", "mcs", "", {"calls": 2}, 1, 3),
    ("rc11", "counter", "", THREE, 7, 12),
    ("rc11", "trylock", "", {"calls": 2}, 1, 1),
    ("rc11", "lazy_list", "", LIST, 12, 18),
    ("rc11", "herlihy_wing", "", {**THREE, "spec": "queue"}, 14, 26),
]

LARGER = [
    ("arm8", "seqlock", "", {"calls": 3, "one": ("write",), "map": "armv8"}, 14, 30),
    ("arm8", "counter", "", {"calls": 3, "map": "armv8"}, 15, 42),
    ("arm8", "ticket", "", {"calls": 3, "map": "armv8"}, 15, 54),
    ("arm8", "treiber", "", {"calls": 3, "map": "armv8"}, 30, 260),
    ("tso", "msqueue", "", {"calls": 3}, 30, 269),
]
"""Right ones of more calls, which take longer."""
SLOW = [pytest.param(*row, marks=pytest.mark.slow) for row in LARGER]

WRONG = [
    ("rc11", "msqueue", "LINK_RELAXED", THREE, 3, "dequeue | enqueue(1)", "race"),
    ("rc11", "msqueue", "NEXT_RELAXED", THREE, 3, "dequeue | enqueue(1)", "race"),
    ("rc11", "msqueue", "HEAD_STORED", THREE, 2, "dequeue | dequeue", None),
    ("rc11", "treiber", "PUSH_RELAXED", THREE, 3, "pop | push(1)", "race"),
    ("rc11", "treiber", "POP_RELAXED", THREE, 3, "pop | push(1)", "race"),
    ("rc11", "treiber", "PUSH_STORED", THREE, 4, "pop | push(2)", None),
    ("rc11", "treiber_array", "PUSH_RELAXED", THREE, 3, "pop | push(1)", "race"),
    ("rc11", "treiber_array", "POP_RELAXED", THREE, 4, "pop | push(2)", None),
    ("rc11", "treiber_array", "REUSE", ABA, 3, "pop | pop pop push(3)", None),
    ("rc11", "ring", "", RING, 9, "pop pop | push(1) push(2) push(3)", None),
    ("rc11", "ring", "LATE", STALE, 6, "pop | push(1) push(2) push(3)", "race"),
    ("rc11", "ring", "EARLY", STALE, 1, "pop | push(1)", "race"),
    ("rc11", "ring", "TAIL_RELAXED", STALE, 1, "pop | push(1)", "race"),
    ("rc11", "ring", "HEAD_RELAXED", STALE, 6, "pop | push(1) push(2) push(3)", "race"),
    ("rc11", "mpmc", "TURN_RELAXED", MPMC, 4, "pop | push(1)", "race"),
    ("rc11", "mpmc", "BACK_RELAXED", MPMC, 6, "pop | push(3)", "race"),
    ("rc11", "mpmc", "TAKEN_STORED", MPMC, 2, "pop | pop", None),
    ("rc11", "mpmc", "ROUND_EARLY", MPMC, 6, "pop | push(3)", None),
    ("rc11", "chaselev", "NO_RELEASE", DEQUE, 1, "push(1) | steal", "race"),
    ("rc11", "chaselev", "LAST_STORED", DEQUE, 6, "steal | take", None),
    ("rc11", "seqlock", "NO_RELEASE", {**THREE, "one": ("write",)}, 3, "read | write(1)", "race"),
    ("rc11", "seqlock", "NO_ACQUIRE", {**THREE, "one": ("write",)}, 3, "read | write(1)", "race"),
    ("rc11", "seqlock", "NO_CHECK", {**THREE, "one": ("write",)}, 3, "read | write(1)", None),
    ("rc11", "ticket", "UNLOCK_RELAXED", THREE, 2, "get | inc", "race"),
    ("rc11", "ticket", "TICKET_SPLIT", THREE, 1, "get | get", None),
    ("rc11", "mcs", "HANDED_RELAXED", {"calls": 2}, 1, "inc | inc", "race"),
    ("rc11", "mcs", "HASTY", {"calls": 2}, 1, "inc | inc", "race-with-free"),
    ("rc11", "counter", "SPLIT", THREE, 3, "inc | inc", None),
    ("rc11", "trylock", "SPLIT", {"calls": 2}, 1, "trylock | trylock", None),
    ("rc11", "lazy_list", "NO_VALIDATION", LIST, 1, "add(1) | add(1)", None),
    ("rc11", "lazy_list", "LINK_RELAXED", LIST, 1, "add(1) | add(1)", "race"),
    ("rc11", "herlihy_wing", "DROP", THREE, 5, "enqueue(1) | enqueue(2)", None),
    ("rc11", "herlihy_wing", "BACKWARDS", {**THREE, "spec": "queue"}, 4, "dequeue | enqueue(2)", None),
    ("rc11", "herlihy_wing", "LOOKING", SEVEN, 1, f"{FOUR} | dequeue | dequeue | dequeue", None),
    ("rc11", "chaselev", "FENCES_ACQ_REL", {**DEQUE, **THIEVES}, 2, "push(2) take | steal | steal", None),
    ("tso", "ring", "", {**RING, "client": "pop pop | push push push"}, 1, "pop pop | push(1) push(2) push(3)", None),
    ("sc", "treiber_array", "REUSE", ABA, 3, "pop | pop pop push(3)", None),
    ("sc", "msqueue", "HEAD_STORED", THREE, 2, "dequeue | dequeue", None),
]
WAITS = {("ticket", "TICKET_SPLIT"), ("herlihy_wing", "DROP")}
"""Those in which a call waits for ever."""


def asked(model: str, name: str, defines: str, options: dict[str, Any]) -> Linearizability:
    return xgen.linearizable(FOLDER / f"{name}.c", model=xgen.model(model), defines=tuple(defines.split()), **options)


@pytest.mark.sweep
@pytest.mark.parametrize(("model", "name", "defines", "options", "clients", "executions"), [*RIGHT, *SLOW])
def test_right(model: str, name: str, defines: str, options: dict[str, Any], clients: int, executions: int) -> None:
    answer = asked(model, name, defines, options)
    assert (answer.verdict, answer.stopped, answer.cut) == ("linearizable", None, False)
    assert (answer.clients, answer.executions) == (clients, executions)


@pytest.mark.parametrize(("model", "name", "defines", "options", "number", "client", "kind"), WRONG)
def test_wrong(
    model: str, name: str, defines: str, options: dict[str, Any], number: int, client: str, kind: str | None
) -> None:
    answer = asked(model, name, defines, options)
    assert answer.verdict == ("not-linearizable" if kind is None else "violation")
    assert answer.wrong is not None
    assert (answer.clients, str(answer.wrong.client)) == (number, client)
    assert (None if answer.wrong.violation is None else answer.wrong.violation.kind) == kind
    assert bool(answer.wrong.waiting) == ((name, defines) in WAITS)


def test_what_the_rows_are_about_is_all_there_is() -> None:
    """Each wrong one that a file names has a row."""
    rows = {(name, defines) for _, name, defines, *_ in (*RIGHT, *WRONG)}
    for path in FOLDER.glob("*.c"):
        text = path.read_text()
        head = text[: text.index("#include")]
        for word in head.replace(",", " ").replace(";", " ").replace(".", " ").replace(":", " ").split():
            if word.startswith("-D"):
                assert any(name == path.stem and word[2:] in defines.split() for name, defines in rows), (path, word)
        assert (path.stem, "") in rows
