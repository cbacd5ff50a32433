"""Whether an object is linearizable: for people, and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from xgen.analyses.linearizability.clients import AFTER, BEFORE, Client, Slot
from xgen.analyses.linearizability.programs import CLIENT, NONE, Structure
from xgen.analyses.linearizability.search import Linearizability, Wrong
from xgen.errors import listed
from xgen.executions.execution import Execution
from xgen.memory.algebra import Model
from xgen.records import replace
from xgen.version import __version__
from xgen.views.answers.json import document, execution_to_dict
from xgen.views.answers.text import Paint, plain
from xgen.views.answers.witness import lines_of, witness_lines
from xgen.views.drawing.timeline import Bar, Timeline, timeline_to_svg
from xgen.views.findings import Finding, of_violation, region_of
from xgen.views.pages.html import Page, Shown
from xgen.views.words import duration, modelled, plural, warned, wrapped

NOT_LINEARIZABLE = "not-linearizable"
"""The kind of what is wrong where no order of the calls explains what they return."""
ROLES = {"linearizable": "good", "interrupted": "unsure"}


def render(answer: Linearizability, paint: Paint = plain, *, full_witness: bool = False) -> str:
    """The whole report; ends without a newline."""
    role = "unsure" if answer.cut and answer.wrong is None else ROLES.get(answer.verdict, "bad")
    blocks = [[paint(line, role) for line in wrapped(verdict_line(answer), "  ")]]
    wrong, structure = answer.wrong, answer.structure
    if wrong is not None and structure is not None:
        blocks += [_rows(wrong, structure), list(_because(wrong, structure)), list(_of_one_thread(answer, wrong))]
    blocks.append(list(_basis(answer)))
    blocks.append([paint(line, "unsure") for line in warned(answer.notes)])
    if wrong is not None and wrong.witness is not None:
        told = wrong.witness if full_witness else wrong.witness.only(_telling(wrong, wrong.witness))
        blocks.append(witness_lines(told, paint, full=full_witness))
    return "\n\n".join("\n".join(block) for block in blocks if block)


def _telling(wrong: Wrong, witness: Execution) -> list[int]:
    """The events that the violation rests on, without those that only keep results."""
    results = {wrong.structure.name(slot) for slot in wrong.client.calls}
    return [number for number in witness.cause if witness.events[number].variable not in results]


def timeline(answer: Linearizability) -> str:
    """What goes wrong as a picture: the calls of the client in the order that is known of them."""
    wrong, structure = answer.wrong, answer.structure
    assert wrong is not None
    assert structure is not None
    slots = [slot for slot in wrong.client.calls if slot in wrong.history or slot in wrong.waiting]
    if wrong.violation is not None:
        slots = [slot for slot in wrong.client.calls if slot[0] != AFTER or slot in wrong.history]
    used = {thread for thread, _ in slots}
    rows = [thread for thread in (BEFORE, *range(len(wrong.client.threads)), AFTER) if thread in used]
    bad = set(wrong.reason.core if wrong.reason is not None else wrong.waiting)
    order = sorted(wrong.client.order) + list(wrong.orders)
    number = {slot: n for n, slot in enumerate(slots)}
    return timeline_to_svg(
        Timeline(
            verdict_line(answer),
            "; ".join(_because(wrong, structure)),
            [row_name(thread) for thread in rows],
            [Bar(rows.index(slot[0]), shown(slot, wrong, structure), slot in bad) for slot in slots],
            [(number[a], number[b]) for a, b in order if a in number and b in number],
            [(number[a], number[b]) for a, b in wrong.orders if a in number and b in number],
        )
    )


def to_html(answer: Linearizability, model: Model) -> str:
    """What goes wrong as a page: the calls as a timeline, above the execution."""
    wrong, structure = answer.wrong, answer.structure
    assert wrong is not None
    assert structure is not None
    assert wrong.witness is not None
    said = "\n".join([*_rows(wrong, structure), "", *_because(wrong, structure)])
    made = {name: value for name, value in wrong.witness.state.items() if value != NONE}
    shown = [Shown(replace(wrong.witness, state=made), explanation=said)]
    return Page(shown, model, (), answer.program, verdict_line(answer), picture=timeline(answer)).text()


def verdict_line(answer: Linearizability) -> str:
    """The verdict, with the model and how far it goes, in one sentence."""
    executions = f"{answer.executions:,} execution{'s' * (answer.executions != 1)}"
    facts = f"{modelled(answer.model, answer.map)}, {plural(answer.clients, 'client')}, {executions}"
    wrong, structure = answer.wrong, answer.structure
    if wrong is None or structure is None:
        return f"{_without_fault(answer)} ({facts})"
    size = sum(map(len, wrong.client.threads))
    place = f"{modelled(answer.model, answer.map)}, client {wrong.number}, {plural(size, 'call')}"
    if wrong.violation is not None:
        return f"violation: {_what(wrong)} ({place})"
    if wrong.waiting:
        waiting = [str(wrong.client.calls[call]) for call in wrong.waiting]
        verb = "waits" if len(waiting) == 1 else "wait"
        return f"not linearizable: {listed(waiting, 'and')} {verb} for ever, and may not ({place})"
    assert wrong.reason is not None
    calls = [shown(call, wrong, structure) for call in wrong.reason.core]
    return f"not linearizable: no order of the calls explains {listed(calls, 'and')} ({place})"


def findings(answer: Linearizability) -> list[Finding]:
    """What goes wrong, for lines on standard error: where the error is, or at the operation of the first call that no
    order explains, or that waits for ever."""
    wrong, structure = answer.wrong, answer.structure
    if wrong is None or structure is None:
        return []
    if wrong.violation is not None and wrong.witness is not None and not is_unpublished(wrong):
        return [of_violation(wrong.witness, wrong.witness.violations.index(wrong.violation), answer.model)]
    if wrong.violation is not None:
        kind, operation = str(wrong.violation.kind), structure.interface.of("get")[0]
    else:
        kind = "await" if wrong.waiting else NOT_LINEARIZABLE
        calls = wrong.waiting if wrong.reason is None else wrong.reason.core
        operation = structure.interface.operations[wrong.client.calls[calls[0]].name]
    place = region_of(operation.defined.position, structure.files.source)
    message = verdict_line(answer).removeprefix("violation: ")
    return [Finding(kind, message, place, place.file)]


def _without_fault(answer: Linearizability) -> str:
    """What is said where nothing wrong was found."""
    if answer.only:
        reach = "this client"
    elif answer.sizes == answer.calls:
        reach = f"all clients of up to {plural(answer.calls, 'call')}"
    else:
        reach = (
            f"all clients of up to {plural(answer.sizes, 'call')}, and some others"
            if answer.sizes > 1
            else "some clients"
        )
    if answer.stopped == "nothing ends":
        silent = plural(answer.silent + len(answer.waiting), "client")
        cut = ": a bound has cut it" if answer.cut else ""
        return (
            f"no answer: of {silent} no execution comes to its end{cut}"
            if answer.clients
            else "no answer: there is no client"
        )
    if answer.stopped:
        cause = "by the time limit " if answer.stopped == "timeout" else ""
        found = f"nothing wrong so far in {reach}" if answer.clients else "no client is explored yet"
        return f"interrupted {cause}after {duration(answer.seconds)}: {found}"
    if answer.cut:
        return f"nothing wrong within the bound on loops, which has cut some (not exhaustive): {reach}"
    return f"linearizable: {reach}"


def _what(wrong: Wrong) -> str:
    """What a violation is: of the client's own cells, that values are not published."""
    violation, witness = wrong.violation, wrong.witness
    assert violation is not None
    assert witness is not None
    if is_unpublished(wrong):
        return "values are not published"
    return f"{violation.message} at {witness.where(violation)}"


def is_unpublished(wrong: Wrong) -> bool:
    """Whether a violation is about what is behind a value."""
    violation, witness = wrong.violation, wrong.witness
    if violation is None or witness is None:
        return False
    places = [event.position for event in witness.parties(violation)] or [violation.position]
    return all(place is not None and place.source is not None and place.source.name == CLIENT for place in places)


def shown(slot: Slot, wrong: Wrong, structure: Structure) -> str:
    """A call with what it returned."""
    call = wrong.client.calls[slot]
    if slot not in wrong.history:
        return f"{call} ..."
    return returned(str(call), structure.interface.operations[call.name].form, wrong.history[slot])


def returned(call: str, form: str, result: int) -> str:
    """`push(1)`, `pop() = 2`, `add(1) = true`."""
    if form == "nothing":
        return call
    return f"{call} = {('false', 'true')[result] if form == 'bool' and result in (0, 1) else result}"


def row_name(thread: int) -> str:
    """What a row of calls is called."""
    return {BEFORE: "before", AFTER: "after"}.get(thread, f"thread {thread + 1}")


def _rows(wrong: Wrong, structure: Structure) -> list[str]:
    """The client, a line for each thread, with what its calls returned."""
    lines = []
    client = wrong.client
    for thread, row in ((BEFORE, client.before), *enumerate(client.threads), (AFTER, client.after)):
        calls = [(thread, k) for k in range(len(row))]
        if thread == AFTER:  # those that were made
            calls = [slot for slot in calls if slot in wrong.history or slot in wrong.waiting]
        if calls:
            lines.append(f"  {row_name(thread):9} {'   '.join(shown(slot, wrong, structure) for slot in calls)}")
    for a, b in wrong.orders:
        lines.append(
            f"  {'by a flag':9} {client.calls[a]} of {row_name(a[0])} has returned before {client.calls[b]} of "
            f"{row_name(b[0])} starts"
        )
    return lines


def _because(wrong: Wrong, structure: Structure) -> Iterator[str]:
    if is_unpublished(wrong):
        yield from wrapped(
            "What a thread has written before it puts a value is to be there for the thread that gets the value. The "
            f"client writes cell[v] before it puts v, and reads it after it got v: {_cell(wrong)}.",
            "",
        )
    if wrong.waiting:
        others = "the calls that have returned" if wrong.history else "nothing"
        who = "it waits" if len(wrong.waiting) == 1 else "these wait"
        yield from wrapped(f"The specification has no order of {others} after which {who}.", "")
    near = wrong.reason.nearest if wrong.reason is not None else None
    if near is not None:
        forms = {slot: structure.interface.operations[call.name].form for slot, call in wrong.client.calls.items()}
        calls = wrong.client.calls
        before = [returned(str(calls[p]), forms[p], near.results[p]) for p in near.order]
        instead, found = (
            returned("", forms[near.call], r).removeprefix(" = ") for r in (near.instead, wrong.history[near.call])
        )
        start = f"after {', '.join(before)}" if before else "at the start"
        yield from wrapped(f"{start}: {calls[near.call]} gives {instead}, not {found}", "  ")
    if wrong.weaker is not None:
        yield f"the calls that succeed are in order: --failures {wrong.weaker} accepts this"


def _of_one_thread(answer: Linearizability, wrong: Wrong) -> Iterator[str]:
    """What to do where threads call an operation at the same time, and the structure is made for one that calls it."""
    together = {name for names in answer.together for name in names}
    callers = Counter(name for row in wrong.client.threads for name in {call.name for call in row})
    names = sorted(name for name, count in callers.items() if count > 1 and name not in together)
    if names and not answer.only:
        options = " ".join(f"--one {name}" for name in names)
        yield from wrapped(f"if only one thread of a program calls {listed(names, 'or')}: {options}", "  ")


def _cell(wrong: Wrong) -> str:
    violation, witness = wrong.violation, wrong.witness
    assert violation is not None
    assert witness is not None
    return (
        "nothing orders the two"
        if violation.kind == "race"
        else f"it is not there at {lines_of(witness, violation)} of the client"
    )


def _basis(answer: Linearizability) -> Iterator[str]:
    """What the answer is about."""
    structure = answer.structure
    if structure is None:
        return
    operations = [f"{o.name} ({o.sort})" for o in structure.interface.operations.values()]
    yield from wrapped(f"operations     {', '.join(operations)}", " " * 15)
    mode = "" if answer.failures == "exact" else f"; calls that fail: {answer.failures}"
    yield from wrapped(f"specification  {answer.specification}{mode}", " " * 15)
    if not answer.only:
        dealt = "each call in a thread of its own" if answer.apart else "all ways to deal calls to threads"
        roles = "".join(f"; {' and '.join(sorted(names))} by one thread" for names in answer.together)
        puts = f"; up to {plural(answer.before, 'put')} before" if answer.fills and answer.before else ""
        yield from wrapped(f"clients        {dealt}{roles}{puts}", " " * 15)
    yield f"explored       {plural(answer.histories, 'history', 'histories')}, {duration(answer.seconds)}"


def render_json(answer: Linearizability, program: list[str]) -> str:
    """The answer as one JSON document."""
    return document(to_dict(answer, program))


def to_dict(answer: Linearizability, program: list[str]) -> dict[str, Any]:
    """The document before it is written."""
    wrong, structure = answer.wrong, answer.structure
    near = wrong.reason.nearest if wrong is not None and wrong.reason is not None else None
    operations = [] if structure is None else structure.interface.operations.values()
    return {
        "xgen": __version__,
        "program": program,
        "model": answer.model,
        "verdict": answer.verdict,
        "exhaustive": answer.verdict == "linearizable" and not answer.cut,
        "stopped": answer.stopped,
        "cut": answer.cut,
        "bound": {"calls": answer.calls, "before": answer.before},
        "covered": answer.sizes,
        "headers": None if structure is None else structure.files.headers,
        "specification": answer.specification,
        "failures": answer.failures,
        "operations": [{"name": o.name, "sort": o.sort} for o in operations],
        "apart": answer.apart,
        "clients": answer.clients,
        "executions": answer.executions,
        "histories": answer.histories,
        "orders": answer.orders,
        "client": None if wrong is None else _client(wrong),
        "core": [] if wrong is None or wrong.reason is None else [_slot(p) for p in wrong.reason.core],
        "nearest": [] if near is None or wrong is None else [_call(p, wrong.client, near.results) for p in near.order],
        "instead": None
        if near is None or wrong is None
        else {**_call(near.call, wrong.client, {near.call: near.instead})},
        "waiting": [] if wrong is None else [_slot(p) for p in wrong.waiting],
        "weaker": None if wrong is None else wrong.weaker,
        "violation": None if wrong is None or wrong.violation is None else wrong.violation.kind,
        "client_text": None if wrong is None else wrong.text(),
        "witness": None if wrong is None or wrong.witness is None else execution_to_dict(wrong.witness),
        "warnings": list(answer.notes),
        "seconds": round(answer.seconds, 6),
    }


def _client(wrong: Wrong) -> dict[str, Any]:
    client = wrong.client

    def row(thread: int, number: int) -> list[dict[str, Any]]:
        return [_call((thread, k), client, wrong.history) for k in range(number)]

    return {
        "before": row(BEFORE, len(client.before)),
        "threads": [row(k, len(calls)) for k, calls in enumerate(client.threads)],
        "after": row(AFTER, len(client.after)),
        "orders": [[_slot(a), _slot(b)] for a, b in wrong.orders],
    }


def _call(slot: Slot, client: Client, results: Any) -> dict[str, Any]:
    call = client.calls[slot]
    return {"op": call.name, "argument": call.argument, "result": results.get(slot)}


def _slot(slot: Slot) -> list[Any]:
    """A call by its row and its number there: `[0, 1]`, `["before", 0]`."""
    return [{BEFORE: "before", AFTER: "after"}.get(slot[0], slot[0]), slot[1]]
