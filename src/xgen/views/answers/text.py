"""A result as text for people: the verdict in one line, the counts, the outcomes, the witness.

The text is plain unless a `Paint` is given; what is painted never changes what is said.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice

from xgen.errors import listed
from xgen.executions.answer import Answer
from xgen.executions.execution import Value, show_value
from xgen.executions.result import Outcome, Result, undone
from xgen.executions.sample import Sample
from xgen.resources import short
from xgen.views.answers.adequacy.coverage import coverage_lines
from xgen.views.answers.adequacy.weakened import weakened_lines
from xgen.views.answers.beside.sample import cut_by, outcome_rows, sample_lines
from xgen.views.answers.beside.satisfiability import sat_facts, sat_lines
from xgen.views.answers.witness import witness_lines
from xgen.views.words import duration, folded, modelled, plural, warned

Paint = Callable[[str, str], str]
"""Dresses a text for a role: "good", "bad", "unsure", "dim" or "title"."""

MAX_OUTCOMES = 30
"""Rows of the outcome table that are printed."""
MAX_WARNINGS = 12
"""Warnings of a program that are printed."""
MAX_PLACES = 4
"""Places where threads wait that are named."""
MAX_SEARCHED = 20_000
"""Outcomes that are looked at, of which some are to be found."""
TABLE_WIDTH = 100
"""Wider outcome tables list what is the same in all outcomes only once."""
WIDEST = 140
"""Outcomes of still wider ones are written one after the other."""


def plain(text: str, role: str) -> str:  # noqa: ARG001 - the signature of a Paint
    """The paint that changes nothing."""
    return text


def render(result: Result, paint: Paint = plain, *, full_witness: bool = False, verbose: bool = False) -> str:
    """The whole report of a check; ends without a newline.

    The witness is cut to the cause of the violation unless `full_witness`. `verbose`: with all outcomes and warnings,
    and the speed.
    """
    role = {"safe": "good", "violation": "bad"}.get(result.verdict, "unsure")
    blocks = [[paint(verdict_line(result), role)]]
    blocks.append([paint(line, "unsure") for line in _warnings(result, verbose)])
    if result.sat is not None:
        blocks.append(sat_lines(result.sat, result.seconds, result.peak_kib))
    elif result.sample is not None:
        blocks.append(sample_lines(result.sample, result.max_depth) + _cost(result))
        blocks.append(_sampled_outcomes(result.sample, paint, verbose))
    else:
        blocks.append(_counts(result, verbose) + (_speed(result) + _reading(result) if verbose else []))
        blocks.append(_outcomes(result, paint, verbose))
    if result.coverage is not None:
        blocks.append(coverage_lines(result.coverage, verbose))
    if result.weakened is not None:
        blocks.append(weakened_lines(result, result.weakened, verbose))
    if result.witness:
        witness = result.witness if full_witness else result.witness.only(result.witness.cause)
        blocks.append(witness_lines(witness, paint, full=full_witness))
    return "\n\n".join("\n".join(block) for block in blocks if block)


def verdict_line(result: Result) -> str:
    """Verdict, model, bound, counts and whether the run was exhaustive, in one line; before it what that says of a
    property."""
    return _verdict(result) if result.answer is None else f"{_answer(result.answer)}: {_verdict(result)}"


def _answer(answer: Answer) -> str:
    """`true (unreach-call, as expected)`."""
    facts = [answer.about or ""]
    if answer.kept is not None:
        facts.append("as expected" if answer.kept else f"expected {str(answer.expected).lower()}")
    said = _join(facts)
    return answer.says + (f" ({said})" if said else "") + (f", {answer.why}" if answer.why else "")


def _verdict(result: Result) -> str:
    if result.sample is not None:
        facts = [
            _under(result),
            _bound(result.max_depth),
            *_sampled(result, result.sample),
            "not exhaustive",
        ]
        return f"{_head(result)} ({_join(facts)})"
    if result.sat is not None and result.verdict in ("safe", "violation"):
        bound = "no bound" if result.verdict == "safe" else ""
        facts = [_under(result), bound, *sat_facts(result.sat), *(["exhaustive"] if result.exhaustive else ())]
        return f"{_head(result)} ({_join(facts)})"
    if result.verdict == "safe-within-bound" and not _only_left_out(result):
        # The parenthesis is part of the verdict's wording, so the facts follow a colon.
        facts = [_under(result), *_numbers(result), _demotion(result), _unbuilt(result)]
        facts += _accepted(result)
        return f"{_waiting(result)}safe within the bound {_bound_size(result)} (not exhaustive): {_join(facts)}"
    bound = "" if _says_the_bound(result) else _bound(result.max_depth) + _but_for_limits(result)
    facts = [_under(result), bound, *_numbers(result), *_coverage(result), _unbuilt(result)]
    facts += _accepted(result)
    return f"{_head(result)} ({_join(facts)})"


def _sampled(result: Result, sample: Sample) -> list[str]:
    """How far a run has come that makes samples."""
    cause = {"timeout": "stopped by the time limit", "interrupt": "interrupted"}.get(result.stopped or "", "")
    violated = result.verdict == "violation"
    first = f"in sample {sample.made + 1:,}" if violated and not result.all_states else ""
    return [cause, first, f"{sample.made:,} samples" if violated and not first else "", f"seed {sample.seed}"]


def _head(result: Result) -> str:
    if result.sample is not None and result.verdict == "interrupted":
        number = result.sample.made
        return f"no violation in {number:,} {'sample' if number == 1 else 'samples'}, which proves nothing"
    if result.stopped == "incomplete":
        return "no answer: nothing goes wrong in a cone, but no execution of the whole was found that completes"
    if result.vacuous and result.cut:
        return f"no execution completes within the bound {_bound_size(result)}"
    if result.vacuous and (result.partition in _THE_SAME or result.cones is not None or result.sat is not None):
        return "no execution completes"
    if result.vacuous:
        return f"no execution completes: {_stuck(result)}"
    if _only_left_out(result):
        return f"safe; {undone(result.left_out)}"
    if result.verdict == "safe":
        return "safe, and no thread waits for ever" if result.liveness else f"{_waiting(result)}safe"
    if result.verdict == "interrupted":
        cause = {"timeout": "by the time limit ", "lost": "by what killed its workers "}.get(result.stopped or "", "")
        found = "nothing found so far" if result.executions or result.sat else "no execution is complete yet"
        return f"interrupted {cause}after {duration(result.seconds)}: {found}"
    witness = result.witness
    if not witness or not witness.violations:
        return f"violation: {result.unmet}" if result.unmet else "violation"
    violation = witness.violations[0]
    return f"violation: {violation.message} at {witness.where(violation)}"


def _under(result: Result) -> str:
    """The model, and what else the program was given."""
    model, given = modelled(result.model, result.map), [f"{name} = {value}" for name, value in result.constants]
    model = model if result.schedule == "fair" else f"{model}, schedule {result.schedule}"
    return f"{model}, with {listed(given, 'and')}" if given else model


def _waiting(result: Result) -> str:
    """That threads wait for ever, where that is no violation and something is safe all the same: it comes first."""
    if not result.stuck:
        return ""
    return f"threads wait for ever in {_least(result)}{plural(result.stuck, 'execution')}{_where(result)}, otherwise "


def _only_left_out(result: Result) -> bool:
    """Whether all that was not explored is rounds in which threads undo what they have done."""
    return bool(result.left_out) and not result.cut


def _where(result: Result) -> str:
    """Where threads wait for ever, in brackets."""
    places = list(result.waits[:MAX_PLACES]) + ["other places"] * (len(result.waits) > MAX_PLACES)
    return f" ({listed(places, 'and')})" if places else ""


def _stuck(result: Result) -> str:
    """How many of the blocked executions wait for ever, and where."""
    if not result.blocked:
        return "the model allows none"
    if not result.stuck:
        return f"{result.blocked} blocked, none of which waits for ever"
    number = "all" if result.stuck == result.blocked > 1 else result.stuck
    verb = "waits" if result.stuck == 1 else "wait"
    return f"{number} of {plural(result.blocked, 'blocked execution')} {verb} for ever{_where(result)}"


def _bound(max_depth: int | None) -> str:
    return "no bound" if max_depth is None else f"at most {plural(max_depth, 'event')} per thread"


def _bound_size(result: Result) -> str:
    # Without a bound on events, threads are cut where calls are nested too deeply, loops of C are unrolled no more, or
    # there are too many objects of one allocation.
    if result.max_depth is None:
        return "on loops, calls and memory"
    return f"of {plural(result.max_depth, 'event')} per thread"


def _says_the_bound(result: Result) -> bool:
    """Whether the verdict begins with the bound that has cut something."""
    bounded = result.verdict == "safe-within-bound" and not _only_left_out(result)
    return bounded or (result.vacuous and result.cut)


def _early(result: Result) -> bool:
    """Whether there was more to explore; without a bound, threads then stand where the last bound tried had them."""
    return result.stopped is not None or (result.verdict == "violation" and not result.all_states)


def _but_for_limits(result: Result) -> str:
    """What follows `no bound` where something was cut all the same."""
    return " on events" if result.max_depth is None and result.cut and not _early(result) else ""


def _how_cut(result: Result) -> str:
    """What is said of executions with a thread that was cut."""
    if not result.bounded or _says_the_bound(result):
        return "cut by the bound"
    return "not at their end yet" if result.max_depth is None and _early(result) else cut_by(result.max_depth)


def _numbers(result: Result) -> list[str]:
    cut = f"{result.bounded} {_how_cut(result)}" if result.bounded else ""
    if result.sat is not None:
        return sat_facts(result.sat)
    told = result.vacuous or result.liveness or result.verdict in ("safe", "safe-within-bound")
    waiting = f"{result.stuck} waiting for ever" if result.stuck and not told else ""
    if result.cones is not None:
        return [plural(len(result.cones), "cone"), cut]
    classes = plural(result.classes, "class", "classes") if result.partition != "off" else ""
    if result.partition in _THE_SAME:
        return [f"{classes} of executions {_THE_SAME[result.partition]}", cut]
    executions = f"{_least(result)}{plural(result.executions, 'execution')}"
    if result.violations > result.executions and result.blocked:  # which are of blocked executions as well
        executions = f"{_least(result)}{result.executions} complete and {plural(result.blocked, 'blocked execution')}"
    return [classes, executions, cut, waiting]


def _accepted(result: Result) -> list[str]:
    """The known findings that were seen, each with its place."""
    return [f"accepted: {each.message} at {short(each.file)}:{each.line}" for each in result.accepted]


_THE_SAME = {"values": "in which reads read the same", "seen": "that no thread can tell apart"}
"""What the executions of a class have in common, where they are not counted."""


def _least(result: Result) -> str:
    """What stands before numbers of executions that are not exact."""
    return "" if result.counted else "at least "


def _demotion(result: Result) -> str:
    return f"after demoting {' and '.join(result.demoted)}" if result.demoted else ""


def _unbuilt(result: Result) -> str:
    return "executions in which a value justifies itself are not built" if result.thin_air else ""


def _join(facts: list[str]) -> str:
    return ", ".join(fact for fact in facts if fact)


def _coverage(result: Result) -> list[str]:
    """How much of the program's behaviour the run has seen; only a full run reads as exhaustive."""
    if result.verdict == "interrupted":
        return ["not exhaustive"]
    if result.stopped:
        why = {"timeout": "stopped by the time limit", "lost": "parts of it killed their workers"}
        return [why.get(result.stopped, "interrupted"), "not exhaustive"]
    if result.verdict == "violation" and not result.all_states:
        return ["stopped at the first violation", _demotion(result)]
    found = f"{result.violations} with a violation" if result.violations else ""
    if result.cut or result.left_out:
        return [found, "not exhaustive", _demotion(result)]
    cut_nothing = "" if result.max_depth is None else ": the bound cut nothing"
    return [found, " ".join(filter(None, ["exhaustive", _demotion(result)])) + cut_nothing]


def _warnings(result: Result, everything: bool) -> list[str]:
    """One sentence each, broken where it is long; of many, the first ones."""
    sentences = list(dict.fromkeys(" ".join(each.split()) for each in result.warnings if each != result.unmet))
    if result.left_out and result.cut:
        sentences.append(undone(result.left_out))
    left = len(sentences) - MAX_WARNINGS
    if left > 1 and not everything:
        sentences[MAX_WARNINGS:] = [f"and {left} more (-v lists all)"]
    for name, reason in result.demoted.items():
        sentences.append(f"constraint `{name}` was checked on whole executions only: {reason}")
    if result.duplicates:
        sentences.append(
            f"{plural(result.duplicates, 'execution')} met more than once; the counts are too high (an error in xgen)"
        )
    return warned(sentences)


_BUFFERING = {
    "absent": "the program has no load buffering: no thread ran ahead of its reads",
    "possible": "the program may have load buffering: threads ran ahead of their reads",
}


def _counts(result: Result, verbose: bool) -> list[str]:
    hint = "" if result.liveness else "; --liveness shows one"
    dead_ends = f"{plural(result.dead_ends, 'dead end')}, " if result.dead_ends else ""
    explored = (
        f"{plural(result.explored, 'graph')}, {result.revisits} of {plural(result.revisits_tried, 'revisit')} "
        f"done, {dead_ends}{_duplicates(result)}, filter {result.filter}"
    )
    rows = [
        *_whole(result),
        *([("waiting", _stuck(result) + hint)] if result.stuck else ()),
        ("violations", f"{_least(result) if result.violations else ''}{result.violations}"),
        *(("flag", sentence) for sentence in _flags(result)),
        *([("explored", explored)] if verbose else ()),
        *([("order", _BUFFERING[result.load_buffering])] if verbose and result.load_buffering else ()),
        ("cost", f"{duration(result.seconds)}, {result.peak_kib / 1024:.1f} MiB"),
    ]
    return [f"{name:<10}  {text}" for name, text in rows]


def _cost(result: Result) -> list[str]:
    """What samples have cost, and the flags that they raise."""
    violations = f"violations  {result.violations:,} of the executions that were met"
    return [
        *([violations] if result.all_states else ()),
        *(f"flag        {sentence}" for sentence in _flags(result)),
        f"cost        {plural(result.explored, 'graph')}, {duration(result.seconds)}, {result.peak_kib / 1024:.1f} MiB",
    ]


def _flags(result: Result) -> list[str]:
    """The flags that executions raise, but for those that the execution below is a violation by."""
    told = {violation.flag for violation in result.witness.violations} if result.witness else set()
    return [f"{name} of the model: {plural(n, 'execution')}" for name, n in result.flags.items() if name not in told]


def _whole(result: Result) -> list[tuple[str, str]]:
    """How many executions there are, and of how many classes; of cones, which these are."""
    if result.cones is not None:
        return [("cone", cone) for cone in result.cones]
    complete = f"{_least(result)}{result.executions} complete"
    names = result.but_for_names
    fewer = names is not None and names < result.executions
    once = f"; {names} of the complete ones up to the names of symmetric threads" if fewer else ""
    executions = ("executions", f"{complete}, {result.blocked} blocked, {result.bounded} {_how_cut(result)}{once}")
    if result.partition in _THE_SAME:
        return [("classes", _classes(result))]
    return [executions] if result.partition == "off" else [("classes", _classes(result)), executions]


def _classes(result: Result) -> str:
    lost = f"; {plural(result.lost, 'graph')} without an order of its writes" if result.lost else ""
    orbits = f", {result.orbits} up to the names of symmetric threads" if result.orbits < result.classes else ""
    same = _THE_SAME.get(result.partition, "with the same reads-from")
    refused = f"; {plural(result.refused, 'graph')} of reads that cannot read this together" if result.refused else ""
    apart = f", in {result.components} components" if result.components > 1 else ""
    return f"{result.classes} of executions {same}{orbits}{apart}{refused}{lost}"


def _speed(result: Result) -> list[str]:
    """What a run that took its time did in a second."""
    whole = result.executions + result.blocked + result.bounded
    if not whole or not result.seconds:
        return []
    graph = 1e9 * result.seconds / max(result.explored, 1)
    return [f"speed       {whole / result.seconds:,.0f} executions per second, {graph:,.0f} ns per graph"]


def _reading(result: Result) -> list[str]:
    """How a program of a compiled language was read."""
    whose = {"own": "xgen's own", "cc": "those that the compiler finds (cc -E)"}
    headers = [f"headers     {whose[result.headers]}"] if result.headers is not None else []
    return headers + ([f"ignored     {' '.join(result.ignored)}"] if result.ignored else [])


def _duplicates(result: Result) -> str:
    if not result.duplicates_checked:
        return "duplicates not checked"
    return f"{plural(result.duplicates, 'duplicate')} among {result.duplicates_checked} checked"


def _outcomes(result: Result, paint: Paint, everything: bool) -> list[str]:
    """The final states as a table, those that violate marked and first, the others in the order given."""
    outcomes = result.outcomes
    shown = _first(outcomes, len(outcomes) if everything else MAX_OUTCOMES, bool(result.violations))
    if not any(outcome.state for outcome in shown):
        return []
    partial = "" if result.outcomes_complete and result.exhaustive else " so far"
    lines = [paint(f"outcomes{partial}: {len(outcomes)}", "title")]
    names = list(dict.fromkeys(name for outcome in shown for name in outcome.state))
    count = "count" if result.counted else "at least"
    table = _table(names, shown, count)
    if len(table[0]) > TABLE_WIDTH and 1 < len(outcomes) <= MAX_SEARCHED:
        fixed = {name: _fixed(name, outcomes) for name in names}
        always = [f"{name} = {show_value(value)}" for name, value in fixed.items() if value is not None]
        if always:
            lines += folded("  always  ", always, ", ")
            table = _table([name for name in names if fixed[name] is None], shown, count)
            names = [name for name in names if fixed[name] is None]
    if len(table[0]) > WIDEST:
        rows = [_block(names, outcome, count) for outcome in shown]
    else:
        lines.append(paint(table[0], "dim"))
        rows = [[row] for row in table[1:]]
    for row, outcome in zip(rows, shown, strict=True):
        lines += [paint(line, "bad") if outcome.violations else line for line in row]
    if len(outcomes) > len(shown):
        lines.append(f"  and {len(outcomes) - len(shown)} more (-v lists all)")
    return lines


def _sampled_outcomes(sample: Sample, paint: Paint, everything: bool) -> list[str]:
    """The final states of samples as a table, the most frequent first."""
    rows = outcome_rows(sample)
    names, number = rows[0][:-2], len(rows) - 1
    if not names:
        return []
    shown = rows if everything else rows[: MAX_OUTCOMES + 1]
    widths = [max(len(row[column]) for row in shown) for column in range(len(rows[0]))]
    lines = ["  " + "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in shown]
    if len(lines[0]) > WIDEST:
        lines = []
        for *values, part, times in shown[1:]:
            states = [f"{name} = {value}" for name, value in zip(names, values, strict=True)]
            lines += folded(f"  share {part}, samples {times}: ", states, ", ")
    else:
        lines[0] = paint(lines[0], "dim")
    more = [f"  and {number + 1 - len(shown)} more (-v lists all)"] if len(shown) <= number else []
    return [paint(f"outcomes so far: {number}", "title"), *lines, *more]


def _block(names: Sequence[str], outcome: Outcome, count: str) -> list[str]:
    """An outcome of many names, or long ones."""
    values = [f"{name} = {show_value(outcome.state[name])}" for name in names if name in outcome.state]
    head = f"  {count} {outcome.count}{', ' * bool(outcome.violations)}{_violated(outcome)}: "
    return folded(head, values, ", ")


def _first(outcomes: Sequence[Outcome], number: int, violating: bool) -> list[Outcome]:
    """So many outcomes: first those that violate, as far as they are found at once; there can be a million."""
    if not violating:
        return list(islice(outcomes, number))
    searched = list(islice(outcomes, max(number, MAX_SEARCHED)))
    return sorted(searched, key=lambda outcome: outcome.violations == 0)[:number]


def _fixed(name: str, outcomes: Sequence[Outcome]) -> Value | None:
    """The variable's value if it is the same in all outcomes, else None."""
    value = outcomes[0].state.get(name)
    return value if all(outcome.state.get(name) == value for outcome in outcomes) else None


def _table(names: Sequence[str], outcomes: Sequence[Outcome], count: str) -> list[str]:
    """A header and one row per outcome: the values, how many executions end so, and how many of them violate."""
    rows = [[*names, count, ""]]
    for outcome in outcomes:
        values = [show_value(outcome.state[name]) if name in outcome.state else "-" for name in names]
        rows.append([*values, str(outcome.count), _violated(outcome)])
    widths = [max(len(row[column]) for row in rows) for column in range(len(names) + 1)]
    lines = []
    for row in rows:
        cells = [cell.rjust(width) for cell, width in zip(row[:-1], widths, strict=True)]
        lines.append(f"  {'  '.join(cells)}  {row[-1]}".rstrip())
    return lines


def _violated(outcome: Outcome) -> str:
    if not outcome.violations:
        return ""
    return "violation" if outcome.violations == outcome.count else f"violation in {outcome.violations}"
