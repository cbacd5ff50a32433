"""Every two options of a check: they are meant, both of them, or refused with a reason that names them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import xgen
from xgen.analyses.check import question
from xgen.analyses.check.question import Question
from xgen.engine.distributed import long_run
from xgen.engine.distributed.run_file import read_meta
from xgen.engine.graphs.options import Long, Options
from xgen.engine.graphs.run import Run
from xgen.engine.problem import Problem
from xgen.errors import UsageError
from xgen.exclusions import Excludes, Needs, refusal
from xgen.executions.result import Result

PROGRAMS = {
    "waits": """
var x : int  var y : int
process p { var a : int  1 -> x; do { a <- y; } while a = 0; assert a = 1; }
process q { var b : int  1 -> y; b <- x; }
process r { var b : int  1 -> y; b <- x; }
""",
    "wrong": """
var x : int  var y : int
process p { var a : int  1 -> x; a <- y; 1 -> x; 2 -> x; }
process q { var b : int  1 -> y; b <- x; 1 -> y; assert b = 1; }
""",
}
OTHER = xgen.model("sc")


@dataclass
class Seen:
    """What has reached the engine: of each exploration how it was to be made, and of what; and how it was spread."""

    result: Result
    options: list[Options]
    problems: list[Problem]
    spread: list[Long]

    def any(self, asked: Callable[[Options], bool]) -> bool:
        """Whether an exploration was made so."""
        return any(map(asked, self.options))

    @property
    def by_sat(self) -> bool:
        """Whether a solver has given the verdict, which explores nothing."""
        return self.result.sat is not None


EXAMPLES: dict[str, tuple[Any, Callable[[Seen], bool]]] = {
    # a value of each option, and how one sees that it is meant
    "max_depth": (3, lambda s: s.result.max_depth == 3 and s.any(lambda o: o.max_depth == 3)),
    "all_states": (True, lambda s: s.result.all_states and s.any(lambda o: o.all_states)),
    "filter": ("final", lambda s: s.result.filter == "final" and s.any(lambda o: o.filter == "final")),
    "unroll": (True, lambda s: s.any(lambda o: o.unroll)),
    "workers": (2, lambda s: s.any(lambda o: o.workers == 2)),
    "engine": ("sat", lambda s: s.by_sat),
    "timeout": (500.0, lambda s: s.any(lambda o: o.timeout is not None) or bool(s.spread) or s.by_sat),
    "trace_limit": (2, lambda s: s.any(lambda o: o.trace_limit == 2) or s.by_sat),
    "dependencies": (True, lambda s: s.any(lambda o: o.dependencies) or s.by_sat),
    "liveness": (True, lambda s: s.result.liveness and s.any(lambda o: o.liveness)),
    "schedule": ("obe", lambda s: s.result.schedule == "obe" and s.result.liveness),
    "robust": (OTHER, lambda s: any(problem.reference is OTHER for problem in s.problems)),
    "classes": ("rf", lambda s: s.result.partition == "rf"),
    "classes off": ("off", lambda s: s.result.partition == "off" and not any(p.classes for p in s.problems)),
    "symmetry": (False, lambda s: s.any(lambda o: not o.symmetry) or s.by_sat),
    "cones": (True, lambda s: s.result.cones is not None),
    "processes": (2, lambda s: [how.processes for how in s.spread] == [2] and s.result.run is not None),
    "cluster": ("nowhere:1", lambda s: [how.cluster for how in s.spread] == ["nowhere:1"]),
    "checkpoint": ("kept.run", lambda s: Path("kept.run").exists() and bool(s.spread)),
    "memory_limit": (1 << 30, lambda s: [how.memory for how in s.spread] == [1 << 30]),
    "about": ({"told": 1}, lambda _: read_meta(Path("kept.run"))["told"] == 1),
    "sample": (5, lambda s: s.result.sample is not None and s.result.sample.asked == 5),
    "seed": (7, lambda s: s.result.sample is not None and s.result.sample.seed == 7),
    "accept": (
        ("assertion@<text>:4",),
        lambda s: (
            bool(s.result.accepted)
            or any("accepted finding" in each for each in s.result.warnings)
            or (s.result.witness is not None and s.result.witness.violations[0].kind == "not-allowed")
        ),
    ),
    "weaken": (True, lambda s: s.result.weakened is not None),
    "coverage": (True, lambda s: s.result.coverage is not None),
}
UNSEEN = {"on_progress"}
"""Small runs call nobody; that is tested elsewhere."""
NEEDED = {"seed": {"sample": 5}, "about": {"checkpoint": "kept.run"}, "unroll": {"max_depth": 4}}
"""What goes with an option if the other one of the two does not say it: what it needs, or what lets the run end."""


def test_every_option_has_an_example() -> None:
    known = {name.partition(" ")[0] for name in EXAMPLES}
    assert known | UNSEEN == {option.name for option in fields(Question)}


@pytest.fixture
def look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, dict[str, Any]], Seen]:
    """Checks a program, and tells what has reached the engine."""
    monkeypatch.chdir(tmp_path)
    options: list[Options] = []
    problems: list[Problem] = []
    spread: list[Long] = []
    begin, explore = Run.__init__, long_run.explore

    def begun(run: Run, problem: Problem, how: Options, *args: Any, **more: Any) -> None:
        options.append(how)
        problems.append(problem)
        begin(run, problem, how, *args, **more)

    def explored(asked: Problem, how: Options, long: Long, *args: Any) -> Any:
        options.append(how)
        problems.append(asked)
        spread.append(long)
        return explore(asked, how, replace(long, cluster=None), *args)

    monkeypatch.setattr(Run, "__init__", begun)
    monkeypatch.setattr(long_run, "explore", explored)

    def ask(name: str, asked: dict[str, Any]) -> Seen:
        options.clear()
        problems.clear()
        spread.clear()
        Path("kept.run").unlink(missing_ok=True)
        result = xgen.check(xgen.parse(PROGRAMS[name]), xgen.model("tso"), **asked)
        return Seen(result, list(options), list(problems), list(spread))

    return ask


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("option", EXAMPLES)
def test_one_option(look: Callable[[str, dict[str, Any]], Seen], option: str, name: str) -> None:
    value, seen = EXAMPLES[option]
    more = {"classes": "rf"} if option == "symmetry" else NEEDED.get(option, {})
    assert seen(look(name, {option.partition(" ")[0]: value, **more}))
    if not more and option != "timeout" and not option.startswith("classes"):
        assert not seen(look(name, {}))  # it can be seen that it is not asked


PAIRS = [(a, b) for a, b in combinations(EXAMPLES, 2) if {a, b} != {"classes", "classes off"}]


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_two_options(look: Callable[[str, dict[str, Any]], Seen], one: str, other: str) -> None:
    asked = {option.partition(" ")[0]: EXAMPLES[option][0] for option in (one, other)}
    named = [in_words(option) for option in (one, other)]
    try:
        Question(**asked)
    except UsageError as error:
        said, _, why = error.message.partition(": ")
        assert why
        assert all(name in said for name in named) or (" needs " in said and said.startswith(tuple(named))), said
        with pytest.raises(UsageError, match=r"cannot be used with|needs"):
            xgen.check(xgen.parse(PROGRAMS["waits"]), xgen.model("tso"), **asked)
        return
    more = NEEDED["unroll"] if "unroll" in asked and "max_depth" not in asked else {}
    for name in PROGRAMS:
        seen = look(name, {**more, **asked})
        for option in (one, other):
            assert EXAMPLES[option][1](seen), (name, option, seen.result)


def in_words(option: str) -> str:
    name = option.partition(" ")[0]
    return f"`{name}={EXAMPLES[option][0]!r}`" if name in ("classes", "engine", "filter", "schedule") else f"`{name}`"


def test_how_many_are_refused() -> None:
    """So that a rule that refuses more, or less, is noticed."""
    refused = []
    for one, other in PAIRS:
        asked = {option.partition(" ")[0]: EXAMPLES[option][0] for option in (one, other)}
        try:
            Question(**asked)
        except UsageError:
            refused.append((one, other))
    assert (len(PAIRS), len(refused)) == (324, 117)


def test_the_rules_speak_of_options() -> None:
    words = {
        "filter final",
        "classes off",
        "engine sat",
        *question.CLASSES,
        *question.SCHEDULES,
        "leaks",
    }  # the last is said of a program
    names = {option.name for option in fields(Question)} | words
    for rule in question.RULES:
        unless = rule.unless if isinstance(rule, Excludes) else ()
        assert {rule.option, *rule.others, *unless} <= names


NUMBERS = [
    ({"max_depth": 0}, "the depth bound must be at least 1, not 0"),
    ({"workers": 0}, "the number of workers must be from 1 to 256, not 0"),
    ({"workers": 257}, "the number of workers must be from 1 to 256, not 257"),
    ({"processes": 0}, "the number of processes must be from 1 to 256, not 0"),
    ({"processes": 300}, "the number of processes must be from 1 to 256, not 300"),
    ({"sample": 0}, "the number of samples must be at least 1, not 0"),
]


@pytest.mark.parametrize(("asked", "said"), NUMBERS)
def test_numbers(asked: dict[str, int], said: str) -> None:
    with pytest.raises(UsageError) as error:
        Question(**asked)  # type: ignore[arg-type]
    assert error.value.message == said


def test_keywords_are_checked() -> None:
    with pytest.raises(TypeError, match="max_dept"):
        xgen.check(xgen.parse(PROGRAMS["waits"]), OTHER, max_dept=3)  # type: ignore[call-arg]


def test_what_is_kept_is_asked_again() -> None:
    asked = Question(max_depth=4, all_states=True, filter="final", unroll=True, classes="off")
    assert Question(**asked.kept()) == asked


WORDS = (
    Excludes("a", ("b", "c x"), "they differ"),
    Excludes("d", ("a",), "no", unless=("e",)),
    Needs("f", ("a", "b"), "it is of these"),
)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("a",), None),
        (("a", "b"), "`a` cannot be used with `b`: they differ"),
        (("c x", "a"), "`a` cannot be used with `c='x'`: they differ"),
        (("c y", "a"), None),
        (("d", "a"), "`d` cannot be used with `a`: no"),
        (("d", "a", "e"), None),
        (("f",), "`f` needs `a` or `b`: it is of these"),
        (("f", "b"), None),
    ],
)
def test_rules(given: tuple[str, ...], said: str | None) -> None:
    assert refusal(WORDS, given) == said
