"""What leaves a program without a meaning: the flags `undefined_unless` of a model that an execution raises, and by
which events. In C that is a data race: whatever the execution does, it says nothing about the program."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from xgen.errors import Position
from xgen.executions.execution import INITIAL, Event, Execution, Violation, ViolationKind
from xgen.memory.adapt import EXCLUSIVE, LIFETIMES
from xgen.memory.algebra import Constraint, Kind, Model
from xgen.memory.evaluate import Evaluator, Failure, members
from xgen.records import replace
from xgen.sources import CPP, RUST, C

_CLAIMS = {"exclusive-writer": "ASSERT_EXCLUSIVE_WRITER", "exclusive-access": "ASSERT_EXCLUSIVE_ACCESS"}
"""Tags of reads that assert something, and what the kernel calls them."""
_NO_ORDERS = {"rmw", "failed", "computed", "exclusive", "init", "unwatched", "word", *_CLAIMS}
"""Tags that say nothing of an access's memory order."""


VOLATILE = "an access of a volatile object is not atomic in C; with --volatile relaxed it is, as kernels take it"


def undefined_behaviour(
    execution: Execution, model: Model, volatile: Collection[Position] = ()
) -> tuple[Violation, ...]:
    """One violation for each flag `undefined_unless` that the execution raises. `volatile`: where plain accesses of
    volatile objects are."""
    constraints = [constraint for constraint in model.constraints if constraint.undefined]
    if not constraints:
        return ()
    evaluator = Evaluator(execution)
    found = []
    for constraint in constraints:
        failure = next(evaluator.failures(constraint.condition), None)
        if failure is not None:
            violation = _violation(execution, constraint, model, _culprits(evaluator, failure))
            is_volatile = violation.kind == "race" and _any_of(execution, violation, volatile)
            found.append(replace(violation, hint=VOLATILE) if is_volatile else violation)
    return tuple(found)


def not_allowed(execution: Execution, demanded: Iterable[Constraint]) -> tuple[Violation, ...]:
    """What another model's constraints say of a whole execution, as one violation: by the first that it breaks."""
    evaluator = Evaluator(execution)
    for constraint in demanded:
        failure = next(evaluator.failures(constraint.condition), None)
        if failure is not None:
            events = [execution.events[n] for n in failure.events if execution.events[n].thread != INITIAL]
            last = max(events, key=lambda event: event.step, default=None)
            return (
                Violation(
                    kind="not-allowed",
                    thread=last.thread if last else 0,
                    position=(last.position if last else None) or Position(1, 1),
                    text=last.text if last else "",
                    location=constraint.name.partition(":")[0],
                    events=tuple(event.id for event in events),
                ),
            )
    return ()


def _culprits(evaluator: Evaluator, failure: Failure) -> tuple[int, ...]:
    """The events that a failure is about; of pairs that should not be, the one that is complete first."""
    events = evaluator.execution.events
    if failure.check.property == "empty" and failure.check.term.kind is Kind.RELATION and failure.events:
        rows = evaluator.relation(failure.check.term, failure.environment)
        pairs = [sorted((a, b), key=lambda n: events[n].step) for a, row in enumerate(rows) for b in members(row)]
        first, second = min(pairs, key=lambda pair: (events[pair[1]].step, events[pair[0]].step))
        return (first, second) if first != second else (first,)
    return tuple(dict.fromkeys(failure.events))


def _violation(execution: Execution, constraint: Constraint, model: Model, numbers: tuple[int, ...]) -> Violation:
    events = [execution.events[n] for n in numbers if execution.events[n].thread != INITIAL]
    last = events[-1] if events else None
    race = len(events) == 2 == len(numbers) and events[0].thread != events[1].thread
    same = race and events[0].variable is not None and events[0].variable == events[1].variable
    return Violation(
        kind=_kind(constraint, race),
        thread=last.thread if last else 0,
        position=(last.position if last else None) or Position(1, 1),
        text=last.text if last else "",
        location=_location(events, constraint, same),
        events=tuple(event.id for event in events),
        hint=_hint(execution, model, events) if race and constraint.name not in (*LIFETIMES, EXCLUSIVE) else None,
        flag=constraint.name,
    )


def _any_of(execution: Execution, violation: Violation, places: Collection[Position]) -> bool:
    """Whether an event of a violation is at one of these places."""
    source = execution.source
    at = {event.position.spot(source) for event in execution.parties(violation) if event.position is not None}
    return any(position.spot(source) in at for position in places)


def _location(events: list[Event], constraint: Constraint, same: bool) -> str | None:
    """What a violation is about: an object, a variable (and who says that nobody else has it), or the flag."""
    if constraint.name in LIFETIMES:
        return _object(events)
    if not same:
        return constraint.name
    claims = [_CLAIMS[tag] for event in events for tag in event.tags if tag in _CLAIMS]
    return f"{events[0].variable} ({claims[0]})" if constraint.name == EXCLUSIVE and claims else events[0].variable


def _object(events: list[Event]) -> str | None:
    """The allocated object that the events are about."""
    return next((event.object for event in events), None)


def _kind(constraint: Constraint, race: bool) -> ViolationKind:
    lifetime = next((kind for kind in LIFETIMES if kind == constraint.name), None)
    return lifetime or ("race" if race else "undefined")


def _hint(execution: Execution, model: Model, events: Iterable[Event]) -> str | None:
    """For who has written accesses without an order where the model takes these for ones that are not atomic."""
    untagged = list(_without_order(events))
    if not untagged:
        return None
    if execution.source.name.endswith(".litmus"):  # its events have the text of the program that it became
        return f"accesses without a memory order are not atomic under {model.name}"
    if execution.source.name.endswith(CPP):
        return f"accesses to what is not std::atomic are not atomic under {model.name}: use atomics, or a mutex"
    if execution.source.name.endswith(RUST):
        return f"accesses to what is no atomic are not atomic under {model.name}: use atomics, or a mutex"
    if execution.source.name.endswith(C):
        return f"accesses to what is not _Atomic are not atomic under {model.name}: use atomics, or a mutex"
    said = " and ".join(dict.fromkeys(f"`{event.text}`" for event in untagged))
    orders = "`@ relaxed`, `@ acquire`, `@ release` or `@ seq_cst`"
    return (
        f"{said} {'have' if len(untagged) > 1 else 'has'} no memory order; under {model.name} accesses without one are "
        f"not atomic: where threads share a variable without a lock, write {orders}"
    )


def _without_order(events: Iterable[Event]) -> Iterator[Event]:
    return (event for event in events if not event.tags - _NO_ORDERS)
