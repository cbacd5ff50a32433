"""The search for what tells models apart, by workers that answer whenever they like, in parts, or not at all."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import xgen
from xgen.analyses.compare import distinguish
from xgen.analyses.compare.distinguish import (
    Answer,
    Candidate,
    Comparer,
    Difference,
    Lot,
    Programs,
    Reached,
    Search,
    find_difference,
)
from xgen.analyses.compare.file import KeptSearch
from xgen.engine.distributed.workers import GoneError, Lost
from xgen.errors import LimitError

PAIRS = (("tso", "pso", 4), ("sc", "sc", 5), ("tso", "sc", 4), ("pso", "tso", 5), ("arm8", "arm8", 4))


@cache
def comparer(first: str, second: str) -> Comparer:
    return Comparer(xgen.model(first), xgen.model(second))


@cache
def answer(first: str, second: str, candidate: Candidate) -> Answer:
    return comparer(first, second)._answer(candidate)


def in_order(first: str, second: str, size: int) -> Search:
    """One program after the other, as it is defined."""
    programs, count = Programs(xgen.model(first), xgen.model(second), size), 0
    for stage in range(programs.stages):
        for candidate in programs.stage(stage):
            count += 1
            found = answer(first, second, candidate)
            if isinstance(found, Difference):
                return Search(found, count, candidate.size)
            if found and candidate.bare is not None:
                programs.weak.append((candidate.size, candidate.bare))
    return Search(None, count, size)


class Moody:
    """Workers that answer in any order, for some of the programs only, and lose what they do; `kills` always."""

    deaths = 0

    def __init__(self, names: tuple[str, str], seed: int, kills: int | None = None, stops: int | None = None) -> None:
        self.dice = random.Random(seed)
        self.size = self.dice.choice([1, 2, 5])
        self.names, self.kills, self.stops = names, kills, stops
        self.tasks: list[Lot] = []
        self.losses = 0
        self.closed = False

    def room(self) -> int:
        return 2 * self.size - len(self.tasks)

    def submit(self, task: Lot) -> None:
        self.tasks.append(task)

    def answers(self, seconds: float) -> Iterator[tuple[Lot, list[Answer] | Lost]]:  # noqa: ARG002 - no time passes
        for _ in range(self.dice.randint(0, len(self.tasks))):
            lot = self.tasks.pop(self.dice.randrange(len(self.tasks)))
            numbers = range(lot.first, lot.first + len(lot.programs))
            if self.stops is not None and self.stops in numbers:
                self.stops = None
                raise KeyboardInterrupt
            if self.kills in numbers or (self.losses < 5 and self.dice.random() < 0.1):
                self.losses += self.kills not in numbers
                yield lot, Lost("signal 9")
                continue
            found: list[Answer] = []
            for candidate in lot.programs[: self.dice.randint(1, len(lot.programs))]:
                found.append(answer(*self.names, candidate))
                if isinstance(found[-1], Difference):
                    break
            yield lot, found

    def close(self) -> None:
        self.closed = True


def found(workers: Moody, size: int, kept: KeptSearch | None = None) -> Search:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(distinguish, "crew_for", lambda *_: workers)
        result = find_difference(*map(xgen.model, workers.names), size, kept=kept)
    assert workers.closed
    return result


@pytest.mark.parametrize(("first", "second", "size"), PAIRS)
def test_whoever_answers_whenever(first: str, second: str, size: int) -> None:
    expected = in_order(first, second, size)
    for seed in range(12):
        assert found(Moody((first, second), seed), size) == expected


@pytest.mark.parametrize(("first", "second", "size"), PAIRS)
def test_stopped_anywhere_and_gone_on_with(first: str, second: str, size: int, tmp_path: Path) -> None:
    expected = in_order(first, second, size)
    for seed in range(8):
        path = tmp_path / f"{seed}.run"
        kept = KeptSearch.create(path, {})
        begun = found(Moody((first, second), seed, stops=seed), size, kept)
        kept.close()
        kept = KeptSearch.resume(path)
        if begun.why is not None:
            assert (begun.why, begun.difference) == ("interrupt", None)
            assert kept.about()["done"] is False
            assert kept.place().programs == begun.programs
        if begun.why is not None:
            assert found(Moody((first, second), seed + 100), size, kept) == expected
        assert find_difference(xgen.model(first), xgen.model(second), size, kept=kept) == expected  # it has ended
        assert kept.about()["done"] is True
        kept.close()


def test_a_program_that_kills_ends_the_search_there(tmp_path: Path) -> None:
    """What is before it is compared; what is behind does not matter, even if it tells the models apart."""
    kept = KeptSearch.create(tmp_path / "a.run", {})
    result = found(Moody(("tso", "pso"), 3, kills=2), 4, kept)
    assert (result.why, result.difference) == ("lost", None)
    assert result.said == "the next program has killed its process 3 times (signal 9)"
    assert found(Moody(("tso", "pso"), 4), 4, kept) == in_order("tso", "pso", 4)
    kept.close()


def test_what_is_wrong_with_a_program_is_raised_in_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Comparer._compared

    def wrong(self: Comparer, candidate: Candidate) -> Answer:
        if len(candidate.shape.threads) == 3:
            raise LimitError("too large")
        return plain(self, candidate)

    monkeypatch.setattr(Comparer, "_compared", wrong)
    with pytest.raises(LimitError, match="too large"):
        find_difference(xgen.model("sc"), xgen.model("sc"), 5)
    assert find_difference(xgen.model("sc"), xgen.model("tso"), 5).difference is not None


def test_workers_that_are_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    class Gone(Moody):
        def answers(self, seconds: float) -> Iterator[tuple[Lot, list[Answer] | Lost]]:  # noqa: ARG002
            raise GoneError("the scheduler at a:1 is gone")

    monkeypatch.setattr(distinguish, "crew_for", lambda *_: Gone(("sc", "tso"), 0))
    result = find_difference(xgen.model("sc"), xgen.model("tso"))
    assert (result.why, result.said, result.programs) == ("lost", "the scheduler at a:1 is gone", 0)


@pytest.mark.parametrize("data", ["{", "[]", '{"stage": -1, "number": 0, "programs": 0, "size": 2, "weak": []}', "{}"])
def test_places_that_are_none(data: str, tmp_path: Path) -> None:
    kept = KeptSearch.create(tmp_path / "a.run", {})
    kept.commit(Reached())
    kept._db.execute("UPDATE place SET data = ?", (data,))
    with pytest.raises(xgen.UsageError, match="this checkpoint is damaged"):
        kept.place()
    kept.close()


def test_an_interruption_is_no_set_of_outcomes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a run that Ctrl-C has ended, some outcomes are missing: they must not be compared."""
    monkeypatch.setattr("xgen.engine.graphs.run.Run.advance", _interrupt)
    with pytest.raises(KeyboardInterrupt):
        distinguish.outcomes(next(Programs(xgen.model("sc"), xgen.model("sc"), 3).stage(0)).shape, xgen.model("sc"))


def _interrupt(*_: object) -> bool:
    raise KeyboardInterrupt
