"""What was found about a certificate, as text and as JSON."""

from __future__ import annotations

from pathlib import PurePath

from xgen.analyses.parameterised.certificate import Checked
from xgen.version import __version__
from xgen.views.answers.json import document
from xgen.views.answers.parameterised import processes
from xgen.views.answers.text import Paint, plain
from xgen.views.words import duration, plural


def render(checked: Checked, paint: Paint = plain) -> str:
    """The answer in a line or two."""
    number = "any number of processes" if checked.processes is None else processes(checked.processes)
    role = {"proved": "good", "refuted": "bad"}.get(checked.verdict, "unsure")
    what = f"{PurePath(checked.program).name} is safe for {number} (model {checked.model})"
    count = f"{plural(checked.obligations, 'obligation')}, {duration(checked.seconds)}"
    if checked.verdict == "proved":
        return f"{paint('proved', role)}: {what}\n{count}"
    words = {"refuted": "does not hold", "unknown": "the solver gave up on", "interrupted": "stopped before"}
    reason = words[checked.verdict]
    failed = checked.failed or "an obligation"
    line = f"{failed}: {reason}" if checked.verdict == "refuted" else f"{reason}: {failed}"
    return f"{paint(checked.verdict, role)}: it is not shown that {what}\n{line}\n{count}"


def render_json(checked: Checked) -> str:
    """The answer as one JSON document, a line per key."""
    facts = {
        "xgen": __version__,
        "program": PurePath(checked.program).name,
        "model": checked.model,
        "verdict": checked.verdict,
        "processes": checked.processes or "any",
        "obligations": checked.obligations,
        "failed": checked.failed,
        "seconds": round(checked.seconds, 6),
    }
    return document(facts)
