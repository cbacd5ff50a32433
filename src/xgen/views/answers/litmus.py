"""Results of litmus tests: as a table for people, as herd prints them, as JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from xgen.analyses.suite.litmus import ENDS, LitmusResult
from xgen.analyses.suite.suite import Expectations, outcome_of
from xgen.version import __version__
from xgen.views.answers.text import Paint, plain
from xgen.views.words import duration, plural

_ROLES = {
    "Ok": "good",
    "No": "unsure",
    "Undef": "unsure",
    "vacuous": "unsure",
    "unsupported": "dim",
    "error": "bad",
    "timeout": "unsure",
}
NOTHING = Expectations({})
_NOT_BUILT = "; executions in which a value justifies itself are not built"


# ---- for people


def render(
    results: Sequence[LitmusResult],
    seconds: float,
    expectations: Expectations = NOTHING,
    paint: Paint = plain,
) -> str:
    """The whole report: a summary in one line, differences, a row for each test, then what has no verdict and why."""
    different = [result for result in results if expectations.met(result) is False]
    blocks = [[_summary(results, seconds, expectations, paint)]]
    if different:
        rows = [
            (r.path, f"expected {expectations.expected(r.path)}", f"is {outcome_of(r)}", reason(r)) for r in different
        ]
        blocks.append([paint("different from what is expected:", "bad"), *aligned(rows)])
    if len(results) == 1 and (results[0].verdict or results[0].decided):
        return "\n\n".join("\n".join(block) for block in [*blocks, _states(results[0], paint)])
    blocks.append(_table(results, paint))
    reasons = [(r.path, outcome_of(r), reason(r)) for r in results if reason(r) and r not in different]
    if reasons:
        blocks.append([paint("without an answer:", "unsure"), *aligned(reasons)])
    return "\n\n".join("\n".join(block) for block in blocks if block)


def _summary(results: Sequence[LitmusResult], seconds: float, expectations: Expectations, paint: Paint) -> str:
    if len(results) == 1 and (results[0].verdict or results[0].decided):
        result = results[0]
        return paint(sentence(result), _ROLES[outcome_of(result)])
    counts = Counter(map(outcome_of, results))
    parts = [f"{count} {outcome}" for outcome in _ROLES if (count := counts[outcome])]
    met = [expectations.met(result) for result in results]
    head = f"{plural(len(results), 'test')}: {', '.join(parts)}"
    if True in met or False in met:
        head += f"; {met.count(True)} as expected, {met.count(False)} different"
        if None in met:
            head += f", {met.count(None)} without an expectation"
    rate = f", {len(results) / seconds:.0f} per second" if seconds > 0 else ""
    role = "bad" if False in met else "good" if True in met else "title"
    return paint(f"{head} ({duration(seconds)}{rate})", role)


def sentence(result: LitmusResult) -> str:
    """What the model says of a test, first in one word; herd's words stand at the end."""
    condition = str(result.condition)
    asked = (
        condition.partition(" ")[2].strip() if result.kind != "Forbidden" else condition.partition("exists")[2].strip()
    )
    asked = asked[1:-1] if asked.startswith("(") and asked.endswith(")") else asked
    total = result.positive + result.negative
    verdict = result.verdict or result.decided
    if verdict is None:
        return f"no answer: {reason(result)}"
    herd_says = f"herd: {verdict}, {result.observation}"
    if result.decided:  # how often it is observed is open
        herd_says = f"{_until(result)}; herd: {verdict}"
    if result.vacuous:
        who = f": {result.waits[0]}" if result.waits else ""
        return f"No answer: no execution of {result.model} completes that counts{who} ({herd_says})"
    if verdict == "Undef":
        return f"Undefined: {result.model} promises nothing of this test ({', '.join(result.flags)}; {herd_says})"
    if result.condition == ENDS:
        if not result.negative:
            return f"Ends: {ENDS} in every execution of {result.model} ({total} of {total}; {herd_says})"
        who = result.waits[0] if result.waits else "a thread waits for ever"
        return f"Waits: {who} (in {result.negative} of {plural(total, 'execution')} of {result.model}; {herd_says})"
    unbuilt = _NOT_BUILT if result.thin_air else ""
    some = f"in {result.positive} of {plural(total, 'execution')}"
    match result.kind:
        case "Allowed" if result.positive:
            said = f"Yes: {result.model} allows {asked} ({some}"
        case "Allowed" if result.thin_air:
            said = f"Not seen: {asked} (in none of {plural(total, 'execution')} of {result.model}{_NOT_BUILT}"
        case "Allowed":
            said = f"Never: {result.model} forbids {asked} (in none of {plural(total, 'execution')}"
        case "Forbidden" if result.positive:
            said = f"Fails: {result.model} allows {asked}, which the test forbids ({some}"
        case "Forbidden":
            said = (
                f"Holds: no execution of {result.model} has {asked} (in none of {plural(total, 'execution')}{unbuilt}"
            )
        case _ if result.negative:
            said = f"Fails: {result.model} allows other ends than {asked} ({result.negative} of {total} executions"
        case _:
            said = f"Holds: every execution of {result.model} has {asked} ({some}{unbuilt}"
    return f"{said}; {herd_says})"


def _until(result: LitmusResult) -> str:
    """Up to where a test was explored whose run did not end."""
    return "until the verdict was known" if result.stopped == "decided" else "until time was over"


MODEL_SAYS = {("Allowed", "Ok"): "allowed", ("Allowed", "No"): "forbidden"} | {
    ("Forbidden", "Ok"): "holds",
    ("Forbidden", "No"): "broken",
    ("Required", "Ok"): "holds",
    ("Required", "No"): "broken",
}
"""The column of the table: of tests that ask whether something can be, and of those that say what has to be."""


def _said(result: LitmusResult) -> str:
    verdict = str(result.verdict or result.decided)
    word = "not seen" if result.thin_air and result.kind == "Allowed" else None
    word = "no answer" if result.vacuous else word or MODEL_SAYS.get((str(result.kind), verdict))
    return result.decided or outcome_of(result) if word is None else f"{word} ({verdict})"


def _table(results: Sequence[LitmusResult], paint: Paint) -> list[str]:
    rows = [("test", "arch", "model", "model says", "observation", "positive", "negative", "flags")]
    for r in results:
        counts = (r.observation, str(r.positive), str(r.negative)) if r.verdict is not None else ("", "", "")
        rows.append((r.name, r.arch or "", r.model or "", _said(r), *counts, " ".join(r.flags)))
    head, *lines = aligned(rows)
    painted = [paint(line, _ROLES[outcome_of(r)]) for line, r in zip(lines, results, strict=True)]
    return [paint(head, "title"), *painted]


def _states(result: LitmusResult, paint: Paint) -> list[str]:
    more = f" {_until(result)}" if result.decided else ""
    lines = [paint(f"test {result.name}: {plural(len(result.states), 'state')}{more}", "title")]
    width = max((len(str(count)) for _, count in result.states), default=0)
    lines += [f"  {count:>{width}}  {state}" for state, count in result.states]
    lines += [f"flag {flag}" for flag in result.flags]
    lines += [f"waits: {who}" for who in result.waits]
    lines.append(str(result.condition))
    total = result.positive + result.negative
    often: str = result.observation
    if result.decided:
        often = "Decided" if result.stopped == "decided" else "Out of time"
    lines.append(f"{often}: in {result.positive} of {plural(total, 'execution')}")
    return lines


def reason(result: LitmusResult) -> str:
    """Why a test has no answer; "" where it has one."""
    if result.vacuous:
        return "no execution completes that counts" + (f": {result.waits[0]}" if result.waits else "")
    return result.unsupported or result.error or ("out of time" if result.verdict is result.decided is None else "")


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows as lines, with the columns one below the other."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
    return [line.rstrip() for line in lines]


# ---- as herd prints them


def herd(result: LitmusResult) -> str:
    """A result as herd7 prints it, with a blank line at its end; "" where there is no verdict."""
    if result.verdict is None:
        return ""
    positive, negative = result.witnesses
    lines = [f"Test {result.name} {result.kind}", f"States {len(result.states)}"]
    lines += [state for state, _ in result.states]
    lines += [result.verdict, "Witnesses", f"Positive: {positive} Negative: {negative}"]
    lines += [f"Flag {flag}" for flag in result.flags]
    lines.append(f"Condition {result.condition}")
    lines.append(f"Observation {result.name} {result.observation} {result.positive} {result.negative}")
    lines.append(f"Time {result.name} {result.seconds:.2f}")
    return "\n".join(lines) + "\n"


# ---- for scripts


def to_dict(result: LitmusResult, expectations: Expectations = NOTHING) -> dict[str, Any]:
    """A result as plain values; what each key means is part of the interface."""
    answered = result.verdict is not None
    positive, negative = result.witnesses
    return {
        "name": result.name,
        "path": result.path,
        "arch": result.arch,
        "model": result.model,
        "kind": result.kind,
        "condition": result.condition,
        "verdict": result.verdict,
        "vacuous": result.vacuous,
        "observation": [result.observation, result.positive, result.negative] if answered else None,
        "positive": positive if answered else None,
        "negative": negative if answered else None,
        "states": [{"state": state, "count": count} for state, count in result.states],
        "flags": list(result.flags),
        "waits": list(result.waits),
        "thin_air": "not-built" if result.thin_air else None,
        "expected": expectations.expected(result.path),
        "ok": expectations.met(result),
        "stopped": result.stopped,
        "decided": result.decided,
        "unsupported": result.unsupported,
        "error": result.error,
        "too_large": result.too_large,
        "seconds": round(result.seconds, 6),
    }


def render_json(results: Sequence[LitmusResult], expectations: Expectations = NOTHING) -> str:
    """One JSON document, with a line for each test."""
    tests = ",\n  ".join(json.dumps(to_dict(result, expectations)) for result in results)
    return f'{{\n "xgen": {json.dumps(__version__)},\n "tests": [\n  {tests}\n ]\n}}'
