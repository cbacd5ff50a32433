"""Data structures in the playground: C without a main is asked whether it is linearizable."""

from __future__ import annotations

import re
from typing import Any

from xgen.analyses.linearizability.ask import Request, ask
from xgen.errors import Source
from xgen.executions.execution import show_value
from xgen.memory.algebra import Model
from xgen.sources import STANDARD_INPUT
from xgen.views.answers import linearizable as view
from xgen.views.drawing.picturing import picture_of

CALLS = 3
"""Of clients, in threads."""
NAME = STANDARD_INPUT["c:-"]
"""What a text is called: as one that comes from standard input, no file is included for it."""


def is_object(text: str) -> bool:
    """Whether a text in C has no main."""
    return re.search(r"\bmain\b", text) is None


def answer_to(text: str, model: Model, seconds: float) -> dict[str, Any]:
    """Whether an object is right, with the calls as a picture, and the execution, if it is not. Raises XgenError."""
    found = ask(Source(NAME, text), model=model, request=Request(calls=CALLS, timeout=seconds), headers="own")
    wrong = found.wrong
    witness = None if wrong is None else wrong.witness
    return {
        "verdict": found.verdict,
        "bad": wrong is not None,
        "sentence": view.verdict_line(found),
        "text": view.render(found),
        "executions": found.executions,
        "seconds": round(found.seconds, 3),
        "names": [],
        "outcomes": [],
        "more": 0,
        "pictures": [] if witness is None else [picture_of(witness).data()],
        "states": [] if witness is None else [{n: show_value(value) for n, value in witness.state.items()}],
        "complete": [] if witness is None else [witness.complete],
        "calls": {
            "picture": None if wrong is None else view.timeline(found),
            "client": None if wrong is None else wrong.text(),
        },
    }
