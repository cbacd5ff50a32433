"""What an error rests on, and executions cut to some of their events."""

from __future__ import annotations

from dataclasses import replace

import xgen
from views import samples
from xgen.executions.execution import INITIAL, Execution
from xgen.resources import shipped


def ids(execution: Execution, numbers: frozenset[int]) -> list[str]:
    """The names of events."""
    return [execution.events[number].id for number in sorted(numbers)]


def test_the_cause_is_what_leads_to_the_error() -> None:
    noisy = samples.noisy()
    assert ids(noisy, noisy.cause) == ["init:x", "0:0", "0:1", "1:0", "1:1"]


def test_without_a_violation_everything_counts() -> None:
    writes = samples.two_plus_two_writes()
    assert writes.cause == frozenset(range(len(writes.events)))
    assert writes.only(writes.cause) == replace(writes, hidden=(0, 0, 0, 0))


def test_the_causes_of_several_violations_are_joined() -> None:
    noisy = samples.noisy()
    second = replace(noisy.violations[0], thread=2)
    both = replace(noisy, violations=(*noisy.violations, second))
    assert ids(both, both.cause) == ["init:x", "0:0", "0:1", "0:2", "1:0", "1:1", "2:0", "2:1"]


def test_a_violation_without_events_has_no_cause() -> None:
    noisy = samples.noisy()
    early = replace(noisy, violations=(replace(noisy.violations[0], thread=3),), threads=(*noisy.threads, "early"))
    assert early.cause == frozenset()


def test_only_keeps_names_and_orders() -> None:
    noisy = samples.noisy()
    kept = noisy.only([n for n, event in enumerate(noisy.events) if event.id in ("init:z", "0:0", "0:2", "2:1", "1:1")])
    names = [event.id for event in kept.events]
    assert names == ["init:z", "0:0", "0:2", "1:1", "2:1"]
    assert [(names[a], names[b]) for a, b in kept.po] == [("0:0", "0:2")]
    assert kept.rf == ()
    assert [[names[number] for number in order] for order in kept.mo] == [["0:0"], [], ["init:z", "0:2", "2:1"]]
    assert kept.hidden == (1, 1, 1)
    assert kept.only(range(4)).hidden == (1, 1, 2)


def test_only_keeps_the_values_that_it_shows() -> None:
    noisy = samples.noisy()
    assert noisy.only(noisy.cause).state == {"reader:a": 1, "reader:b": 0, "x": 1, "y": 1}


def test_causes_of_real_violations_are_closed() -> None:
    for name in ("peterson", "spinlock_us", "bakery_us", "szymanski_us"):
        program = xgen.load(shipped("programs") / f"{name}.xcfa")
        witness = xgen.check(program, xgen.model("weak"), max_depth=14).witness
        assert witness is not None
        assert all(
            a in witness.cause for relation in (witness.po, witness.rf) for a, b in relation if b in witness.cause
        )
        cut = witness.only(witness.cause)
        read = {write for write, _ in cut.rf}
        assert all(number in read for number, event in enumerate(cut.events) if event.thread == INITIAL)
        assert len(cut.rf) == sum(event.kind == "R" for event in cut.events)
        assert cut.cause == frozenset(range(len(cut.events)))
