"""What tells two models apart: for people, and as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from xgen.analyses.compare.compare import Example, Pair, Word
from xgen.analyses.compare.distinguish import Search
from xgen.analyses.suite.suite import outcome_of
from xgen.version import __version__
from xgen.views.answers.litmus import aligned, reason, to_dict
from xgen.views.answers.text import Paint, plain
from xgen.views.words import plural

Names = tuple[str, str]
"""The two models, as the user named them."""


def render_suite(pairs: Sequence[Pair], names: Names, paint: Paint = plain) -> str:
    """A summary in one line, a row for each test that tells the models apart, and the tests without two answers."""
    apart = [pair for pair in pairs if pair.differs]
    silent = [pair for pair in pairs if not pair.answered]
    head = f"{plural(len(pairs), 'test')}: {len(apart)} tell {names[0]} and {names[1]} apart"
    blocks = [[paint(head, "unsure" if apart else "good")]]
    if apart:
        rows = [("test", *names, f"only {names[0]}", f"only {names[1]}")]
        rows += [(p.first.path, *_observed(p), _states(p, 0), _states(p, 1)) for p in apart]
        first, *others = aligned(rows)
        blocks.append([paint(first, "title"), *others])
    if silent:
        left = [(p.first.path, outcome_of(p.first), outcome_of(p.second), _reason(p)) for p in silent]
        blocks.append([paint("without two answers:", "unsure"), *aligned(left)])
    return "\n\n".join("\n".join(block) for block in blocks)


def _observed(pair: Pair) -> tuple[str, str]:
    one, other = (f"{r.verdict} {r.observation} {r.positive} {r.negative}" for r in (pair.first, pair.second))
    return one, other


def _states(pair: Pair, number: int) -> str:
    states = pair.states(number)
    more = f" and {len(states) - 1} more" if len(states) > 1 else ""
    return f"{states[0]}{more}" if states else ""


def _reason(pair: Pair) -> str:
    return next((reason(r) for r in (pair.first, pair.second) if r.verdict is None), reason(pair.first))


def render_search(search: Search, example: Example | None, names: Names, paint: Paint = plain) -> str:
    """The difference with its test, or how far the search went."""
    compared = (
        f"{plural(search.programs, 'generated program')} of up to {search.size} accesses, fences, dependencies and tags"
    )
    if search.difference is None or example is None:
        end = {"timeout": "out of time", "interrupt": "interrupted", "lost": "stopped"}.get(search.why or "")
        end = "the same outcomes on" if end is None else f"{end} after"
        return paint(
            f"no difference found between {names[0]} and {names[1]}: {end} {compared}",
            "unsure" if search.stopped else "good",
        )
    allows, forbids = names[search.difference.allows], names[1 - search.difference.allows]
    condition = " /\\ ".join(f"{name}={value}" for name, value in search.difference.condition)
    shape = f" ({example.shape})" if example.shape else ""
    lines = [paint(f"{allows} allows what {forbids} forbids: {condition}{shape}", "unsure"), ""]
    if example.texts[0] != example.texts[1]:
        one, other = example.dialects
        lines += [f"The same program for {names[0]}, in {one}, and for {names[1]}, in {other}:", ""]
    for text in dict.fromkeys(example.texts):
        lines += [text.rstrip("\n"), ""]
    if example.results:
        lines += aligned(
            [
                (n, str(r.verdict), r.observation, str(r.positive), str(r.negative))
                for n, r in zip(names, example.results, strict=True)
            ]
        )
    if example.words:
        first, *others = aligned([("what it means", *names), *((_word(word), *word.means) for word in example.words)])
        lines += ["", paint(first, "title"), *others, ""]
    lines.append(f"found after {compared}")
    return "\n".join(lines)


def _word(word: Word) -> str:
    """A word as both models have it."""
    written = " / ".join(dict.fromkeys(tag or "without a tag" for tag in word.written))
    return f"{word.kind} {written}"


def suite_json(pairs: Sequence[Pair], names: Names, seconds: float) -> str:
    """A document with an entry for each test."""
    tests = [
        {
            "name": pair.first.name,
            "path": pair.first.path,
            "differs": pair.differs if pair.answered else None,
            "results": [to_dict(pair.first), to_dict(pair.second)],
            "only": [pair.states(0), pair.states(1)] if pair.answered else None,
        }
        for pair in pairs
    ]
    return _document(names, not any(pair.differs for pair in pairs), {"tests": tests, "seconds": round(seconds, 6)})


def search_json(search: Search, example: Example | None, names: Names, seconds: float) -> str:
    """A document with the difference that was found, if any."""
    found = search.difference
    facts: dict[str, Any] = {
        "programs": search.programs,
        "size": search.size,
        "stopped": search.stopped,
        "why": search.why,
        "allows": names[found.allows] if found else None,
        "forbids": names[1 - found.allows] if found else None,
        "condition": dict(found.condition) if found else None,
        "shape": example.shape if example else None,
        "test": example.text if example else None,
        "tests": list(example.texts) if example else None,
        "words": [{"kind": word.kind, "written": word.written, "means": word.means} for word in example.words]
        if example
        else None,
        "results": [to_dict(result) for result in example.results] if example and example.results else None,
        "seconds": round(seconds, 6),
    }
    return _document(names, found is None, facts)


def _document(names: Names, same: bool, facts: dict[str, Any]) -> str:
    head = {"xgen": __version__, "models": list(names), "verdict": "same" if same else "different", "same": same}
    return json.dumps({**head, **facts}, indent=2)
