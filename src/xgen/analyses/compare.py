"""What tells two memory models apart: litmus tests of a suite, or the smallest program that can be found."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from xgen.analyses.litmus import LitmusResult, run_litmus
from xgen.analyses.suites import run_file
from xgen.engine.problem import problem
from xgen.engine.run import Options, Run
from xgen.errors import ModelError, Source, XgenError
from xgen.memory.algebra import Model
from xgen.memory.library import load_model
from xgen.memory.statics.vocabulary import vocabulary
from xgen.program.checks import check_program
from xgen.program.printer import print_program
from xgen.shapes.shape import Shape
from xgen.shapes.shapes import MAX_ACCESSES, decorated, program_of, shapes
from xgen.tags import ARCHITECTURES

Outcome = tuple[tuple[str, int], ...]
"""The final values of registers (`P0:r0`) and shared variables (`x`), by name."""

# ---- over a suite


@dataclass(frozen=True)
class Pair:
    """A test's results under both models."""

    first: LitmusResult
    second: LitmusResult

    @property
    def answered(self) -> bool:
        """Whether there are two results to be compared."""
        return self.first.verdict is not None and self.second.verdict is not None

    @property
    def differs(self) -> bool:
        """Whether the verdicts or the final states are different."""
        return self.answered and (self.first.verdict != self.second.verdict or bool(self.states(0) or self.states(1)))

    def states(self, number: int) -> list[str]:
        """The final states under one model (0 or 1) that are none under the other."""
        own, other = (self.first, self.second)[number], (self.second, self.first)[number]
        known = {state for state, _ in other.states}
        return [state for state, _ in own.states if state not in known]


def compare_suite(paths: Sequence[str], first: str, second: str, timeout: float | None = None) -> Iterator[Pair]:
    """Each test's results under two models, in the order of the tests; never raises XgenError but for the models."""
    load_pair(first, second)
    for path in paths:
        yield Pair(run_file(path, first, timeout), run_file(path, second, timeout))


def load_pair(first: str, second: str) -> tuple[Model, Model]:
    """Two models, for an architecture that both can be of: none, if possible."""
    try:
        return load_model(first), load_model(second)
    except ModelError as error:
        for architecture in ARCHITECTURES:
            try:
                return load_model(first, architecture), load_model(second, architecture)
            except ModelError:
                continue
        raise error


# ---- over generated programs


@dataclass(frozen=True)
class Difference:
    """A program with an outcome that one model allows and the other forbids.

    condition   final values that are possible under the model `allows` (0 or 1) only
    """

    shape: Shape
    condition: Outcome
    allows: int


@dataclass(frozen=True)
class Search:
    """What a search found: the difference, if any; how many programs were compared, and the size of the largest: the
    number of its accesses, tags, fences and dependencies. `stopped`: there was no time for all of up to that size."""

    difference: Difference | None
    programs: int
    size: int
    stopped: bool = False


def find_difference(
    first: Model,
    second: Model,
    max_size: int = 7,
    timeout: float | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> Search:
    """The smallest program that tells two models apart, of those up to a size; see `shapes` and `Vocabulary`.

    Programs of tags that only one model knows come last. Tags, fences and dependencies are added where the models allow
    more than sequential consistency. `on_progress` gets the number of programs and the size.
    """
    deadline = None if timeout is None else time.monotonic() + timeout
    comparison = _Comparison(first, second, max_size)
    count = size = 0
    for size, shape in comparison.programs():
        difference = comparison.difference(shape)
        count += 1
        if on_progress and count % 50 == 0:
            on_progress(count, size)
        if difference is not None or (deadline is not None and time.monotonic() > deadline):
            return Search(difference, count, size, difference is None)
    return Search(None, count, max_size)


class _Comparison:
    """The programs that are compared, and how."""

    def __init__(self, first: Model, second: Model, max_size: int) -> None:
        self.models = (first, second)
        self.max_size = max_size
        self.strong = load_model("sc")
        self.shared, self.whole = vocabulary(first, second, all), vocabulary(first, second, any)
        self.weak: list[Shape] = []  # those that are more than SC's

    def programs(self) -> Iterator[tuple[int, Shape]]:
        """The programs with their sizes; first those of what both models speak of."""
        for size in range(2, self.max_size + 1):
            for shape in self.weak:
                for program in decorated(shape, size - len(shape.accesses), self.shared):
                    yield size, program
            if size <= MAX_ACCESSES:
                for shape in shapes(size, self.shared.plain):
                    yield size, shape
        known = set(self.shared.words)
        for size in range(3, self.max_size + 1):
            for shape in self.weak:
                for program in decorated(shape, size - len(shape.accesses), self.whole):
                    if not known.issuperset(program.words):
                        yield size, program

    def difference(self, shape: Shape) -> Difference | None:
        """What tells the models apart on one program. Notes a program that is weak under both in the same way."""
        found = [outcomes(shape, model) for model in self.models]
        if found[0] == found[1]:
            bare = shape.words <= {self.shared.plain} and len(shape.accesses) < self.max_size
            if bare and found[0] != outcomes(shape, self.strong):
                self.weak.append(shape)
            return None
        conditions = [
            (_condition(outcome, found[1 - allows]), allows)
            for allows in (0, 1)
            for outcome in found[allows] - found[1 - allows]
        ]
        condition, allows = min(conditions, key=lambda pair: (len(pair[0]), pair))
        return Difference(shape, condition, allows)


def outcomes(shape: Shape, model: Model) -> frozenset[Outcome]:
    """The outcomes of a shape's program under a model. Raises what `Run` raises."""
    program = program_of(shape)
    check_program(program)
    every = range(len(program.variables))  # arrays of one cell
    run = Run(problem(program, model, every), Options(all_states=True, shared_plan=True))
    run.finish()
    return frozenset(
        tuple(sorted((name.removesuffix("[0]"), int(value)) for name, value in outcome.state.items()))
        for outcome in run.outcomes()
    )


def _condition(outcome: Outcome, forbidden: frozenset[Outcome]) -> Outcome:
    """A part of an outcome that none of the others has; final values of shared variables are left out first."""
    kept = list(outcome)
    for value in sorted(outcome, key=lambda item: (":" in item[0], item)):
        rest = [item for item in kept if item != value]
        if not any(set(rest) <= set(other) for other in forbidden):
            kept = rest
    return tuple(kept)


# ---- as a test


@dataclass(frozen=True)
class Example:
    """What a difference looks like: a litmus test and its results under both models, or a program where no format of
    litmus tests has what it is made of."""

    text: str
    results: tuple[LitmusResult, LitmusResult] | None


def example_of(difference: Difference, first: str, second: str, name: str) -> Example:
    """The difference as a test that was read back and that shows it."""
    from xgen.shapes.writers import litmus_texts

    for text in litmus_texts(difference.shape, dict(difference.condition), name):
        results = _results(text, first, second)
        verdicts = tuple(result.verdict for result in results) if results else ()
        if results and verdicts == (("Ok", "No") if difference.allows == 0 else ("No", "Ok")):
            return Example(text, results)
    return Example(print_program(program_of(difference.shape)), None)


def _results(text: str, first: str, second: str) -> tuple[LitmusResult, LitmusResult] | None:
    """The results of a test under both models; None where it cannot be run."""
    from xgen.frontends.litmus import read_litmus

    try:
        test = read_litmus(Source("generated.litmus", text))
        a, b = (run_litmus(test, load_model(model, test.arch)) for model in (first, second))
    except XgenError:
        return None
    return a, b
