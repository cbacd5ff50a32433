"""How far a run has come that is kept in a file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from xgen.version import __version__
from xgen.views.answers.json import document
from xgen.views.words import duration, plural


def render(about: Mapping[str, Any], file: Path) -> str:
    """The status of a run, as text."""
    if "tests" in about:
        return _suite(about, file)
    if "programs" in about:
        return _search(about, file)
    counters = about["counters"]
    seen = ", ".join(f"{counters.get(name, 0)} {name}" for name in ("executions", "blocked", "bounded", "violations"))
    state = "finished" if about["done"] else f"{plural(about['parts'], 'part')} open" if counters else "not begun"
    lost = f" ({about['lost']} of them killed their workers)" if about["lost"] else ""
    sessions = f"{plural(about['sessions'], 'session')}, {duration(about['seconds'])}"
    lines = [f"{file}: {state}{lost}", f"  {seen}, {counters.get('explored', 0)} graphs explored"]
    lines.append(f"  {plural(about['outcomes'], 'outcome')}; {sessions}")
    if "program" in about:
        lines.append(f"  {Path(about['program']).name} under {about['model']}")
    return "\n".join(lines)


def _suite(about: Mapping[str, Any], file: Path) -> str:
    left = about["tests"] - about["answered"]
    state = "finished" if about["done"] else f"{plural(left, 'test')} of {about['tests']} left"
    sessions = f"{plural(about['sessions'], 'session')}, {duration(about['seconds'])}"
    begun = f", {about['begun']} under way" if about["begun"] else ""
    return f"{file}: {state}{begun}\n  {about['answered']} of {plural(about['tests'], 'test')} answered; {sessions}"


def _search(about: Mapping[str, Any], file: Path) -> str:
    state = "finished" if about["done"] else f"now of size {about['size']}, of up to {about['max_size']}"
    sessions = f"{plural(about['sessions'], 'session')}, {duration(about['seconds'])}"
    return f"{file}: {state}\n  {plural(about['programs'], 'program')} compared; {sessions}"


def render_json(about: Mapping[str, Any], file: Path) -> str:
    """The status of a run, as one JSON document."""
    for keys in (("tests", "answered", "begun"), ("programs", "size")):
        if keys[0] in about:
            return document(
                {
                    "xgen": __version__,
                    "checkpoint": str(file),
                    "done": about["done"],
                    **{key: about[key] for key in keys},
                    "sessions": about["sessions"],
                    "seconds": round(about["seconds"], 3),
                }
            )
    return document(
        {
            "xgen": __version__,
            "checkpoint": str(file),
            "program": Path(about["program"]).name if "program" in about else None,
            "model": about.get("model"),
            "done": about["done"],
            "parts": about["parts"],
            "lost_parts": about["lost"],
            "outcomes": about["outcomes"],
            "sessions": about["sessions"],
            "seconds": round(about["seconds"], 3),
            **{name: about["counters"].get(name, 0) for name in ("executions", "blocked", "bounded", "violations")},
            "explored": about["counters"].get("explored", 0),
        }
    )
