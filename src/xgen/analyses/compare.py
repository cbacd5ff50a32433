"""What tells two memory models apart: litmus tests of a suite, or the smallest program that can be found."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Literal

from xgen.analyses.dialects import FULL, Dialect, Ground, ground_of
from xgen.analyses.litmus import LitmusResult, run_litmus
from xgen.analyses.spread import Spread, run_tests
from xgen.analyses.suites import Item
from xgen.engine.problem import problem
from xgen.engine.run import Options, Run
from xgen.errors import ModelError, Source, XgenError
from xgen.memory.algebra import Model
from xgen.memory.library import load_model
from xgen.program.checks import check_program
from xgen.program.printer import print_program
from xgen.shapes.cycles import SHAPES
from xgen.shapes.shape import Link, Shape, Thread
from xgen.shapes.shapes import MAX_ACCESSES, decorated, program_of, shape_name, shapes
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


def under_both(paths: Sequence[str], first: str, second: str) -> list[Item]:
    """Each test under two models, one after the other. Raises what is wrong with the models."""
    load_pair(first, second)
    return [Item(path, model) for path in paths for model in (first, second)]


def compare_suite(tests: Sequence[Item], how: Spread) -> Generator[Pair, None, None]:
    """Each test's results under two models (`under_both`), in the order of the tests; see `run_tests`."""
    results = run_tests(tests, how)
    with closing(results):
        yield from map(Pair, results, results)


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

    shape       the program, to be said in the dialect of each model (`ground_of`)
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
    """The smallest program that tells two models apart, of those up to a size; see `shapes` and `ground_of`.

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
        self.ground = ground_of(first, second)
        self.weak: list[Shape] = []  # those that are more than SC's

    def programs(self) -> Iterator[tuple[int, Shape]]:
        """The programs with their sizes; first those of what both models speak of."""
        shared, whole = self.ground.shared, self.ground.whole
        for size in range(2, self.max_size + 1):
            for shape in self.weak:
                for program in decorated(shape, size - len(shape.accesses), shared):
                    if self.ground.can_say(program):
                        yield size, program
            if size <= MAX_ACCESSES:
                for shape in shapes(size, shared.plain):
                    yield size, shape
        if whole is None:
            return
        known = set(shared.words)
        for size in range(3, self.max_size + 1):
            for shape in self.weak:
                for program in decorated(shape, size - len(shape.accesses), whole):
                    if not (known.issuperset(program.words) and self.ground.can_say(program)):
                        yield size, program

    def difference(self, shape: Shape) -> Difference | None:
        """What tells the models apart on one program. Notes a program that is weak under both in the same way."""
        said = (dialect.say(shape) for dialect in self.ground.dialects)
        found = [outcomes(program, model) for program, model in zip(said, self.models, strict=True)]
        if found[0] == found[1]:
            bare = shape.words <= {self.ground.shared.plain} and len(shape.accesses) < self.max_size
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
    every = range(len(program.variables))  # of one cell each
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
    litmus tests has what it is made of.

    texts   for each model; the same one where they are of one architecture
    words   the tags, fences and dependencies in it, and what they mean
    shape   what tests of the shape are called, such as "IRIW", if anything
    """

    texts: tuple[str, str]
    results: tuple[LitmusResult, LitmusResult] | None
    dialects: tuple[str, str] = ("", "")
    words: tuple[Word, ...] = ()
    shape: str | None = None

    @property
    def text(self) -> str:
        """That for the first model."""
        return self.texts[0]


def example_of(difference: Difference, first: str, second: str, name: str) -> Example:
    """The difference as a test that was read back and that shows it."""
    models = load_pair(first, second)
    ground = ground_of(*models)
    words = tuple(_words(difference.shape, models, ground))
    dialects = (ground.dialects[0].name, ground.dialects[1].name)
    for texts in _texts(difference, ground, name):
        results = _results(texts, (first, second))
        verdicts = tuple(result.verdict for result in results) if results else ()
        if results and verdicts == (("Ok", "No") if difference.allows == 0 else ("No", "Ok")):
            return Example(texts, results, dialects, words, shape_name(difference.shape))
    first_text, second_text = (print_program(program_of(d.say(difference.shape))) for d in ground.dialects)
    return Example((first_text, second_text), None, dialects, words, shape_name(difference.shape))


def _texts(difference: Difference, ground: Ground, name: str) -> Iterator[tuple[str, str]]:
    """The litmus tests that may show a difference, for each model."""
    from xgen.shapes.writers import litmus_text, litmus_texts

    condition = dict(difference.condition)
    writers = [dialect.writer for dialect in ground.dialects]
    if writers[0] is None or writers[1] is None:
        yield from ((text, text) for text in litmus_texts(difference.shape, condition, name))
    elif ground.can_say(difference.shape):
        one, other = (
            litmus_text(writer, dialect.say(difference.shape), condition, name)
            for dialect, writer in zip(ground.dialects, writers, strict=True)
            if writer is not None
        )
        yield one, other


def _results(texts: tuple[str, str], models: tuple[str, str]) -> tuple[LitmusResult, LitmusResult] | None:
    """The results of each model's test; None where they cannot be run."""
    from xgen.frontends.litmus import read_litmus

    try:
        tests = [read_litmus(Source("generated.litmus", text)) for text in texts]
        a, b = (run_litmus(test, load_model(model, test.arch)) for test, model in zip(tests, models, strict=True))
    except XgenError:
        return None
    return a, b


# ---- what its words mean


@dataclass(frozen=True)
class Word:
    """A tag, fence or dependency in the programs that tell two models apart; for each model how it is written, and what
    it orders: by trying, not by the model's text."""

    kind: Literal["load", "store", "fence", "dependency"]
    written: tuple[str, str]
    means: tuple[str, str]


_PAIRS = {"store-load": ("SB", 0), "store-store": ("MP", 0), "load-load": ("MP", 1), "load-store": ("LB", 0)}
"""Two accesses in program order, by a classic shape and its thread that shows whether they stay in order."""
_IN_ORDER = 3
"""Outcomes of each where they do, and full fences are in the other thread."""


def _words(shape: Shape, models: tuple[Model, Model], ground: Ground) -> Iterator[Word]:
    """The words of a shape, each once."""
    found: dict[tuple[Literal["load", "store", "fence", "dependency"], str], None] = {}
    for thread in shape.threads:
        for access in thread.accesses:
            if access.tag not in (None, ground.shared.plain):
                found["load" if access.kind == "R" else "store", access.tag or ""] = None
        for link in thread.links:
            if link.fence is not None:
                found["fence", link.fence] = None
            if link.dependency is not None:
                found["dependency", link.dependency] = None
    for kind, tag in found:
        one, other = (
            _meaning(kind, tag, model, dialect, ground.shared.plain)
            for model, dialect in zip(models, ground.dialects, strict=True)
        )
        written = tuple(dialect.word(tag) if kind == "fence" else tag for dialect in ground.dialects)
        yield Word(kind, (written[0], written[1]), (one, other))


def _meaning(kind: str, tag: str, model: Model, dialect: Dialect, plain: str | None) -> str:
    """What a word orders under a model."""
    needed, ordered = list[str](), list[str]()
    for pair, (name, number) in _PAIRS.items():
        bare = SHAPES[name].shape
        with_it = _probe(bare, number, kind, tag, plain)
        if with_it is None:
            continue
        without = outcomes(dialect.say(_fenced(bare, number, plain)), model)
        if len(without) > _IN_ORDER:
            needed.append(pair)
            if outcomes(dialect.say(with_it), model) < without:
                ordered.append(pair)
    if (together := _together(kind, tag, model, dialect, plain)) is not None:
        ordered.append(together)
    if not needed and not ordered:
        return "nothing that is not in order anyway"
    if kind == "fence" and ordered == needed and "store-load" in ordered:
        return "full fence"
    return f"orders {', '.join(ordered)}" if ordered else "orders nothing"


_PARTNERS = {"load": {"acquire": "release", "acquire_pc": "release"}, "store": {"release": "acquire"}}
"""What may order a store and a later load together with a tag of the other one; else the same tag."""


def _together(kind: str, tag: str, model: Model, dialect: Dialect, plain: str | None) -> str | None:
    """That a tag orders a store and a later load where the other access has the tag that goes with it."""
    if kind not in _PARTNERS:
        return None
    partner = _PARTNERS[kind].get(tag, tag)
    shape = _fenced(SHAPES["SB"].shape, 0, plain)
    store, load = shape.threads[0].accesses

    def count(own: str | None) -> int:
        """Outcomes with this tag, and its partner."""
        tags = (partner, own) if kind == "load" else (own, partner)
        accesses = (replace(store, tag=tags[0]), replace(load, tag=tags[1]))
        tried = Shape((replace(shape.threads[0], accesses=accesses), shape.threads[1]))
        return len(outcomes(dialect.say(tried), model))

    if count(tag) < count(plain):
        return f"store-load {'behind' if kind == 'load' else 'before'} {partner}"
    return None


def _fenced(bare: Shape, number: int, plain: str | None) -> Shape:
    """A shape of two threads with a full fence in the thread that is not this one."""
    threads = [Thread(tuple(replace(a, tag=plain) for a in t.accesses), t.links) for t in bare.threads]
    threads[1 - number] = replace(threads[1 - number], links=(Link(fence=FULL),))
    return Shape(tuple(threads))


def _probe(bare: Shape, number: int, kind: str, tag: str, plain: str | None) -> Shape | None:
    """That shape with a word between or at the accesses of this thread; None where there is no place for it."""
    shape = _fenced(bare, number, plain)
    thread = shape.threads[number]
    first, second = thread.accesses
    if kind == "fence":
        changed = replace(thread, links=(Link(fence=tag),))
    elif kind == "dependency" and first.kind == "R" and (tag != "data" or second.kind == "W"):
        changed = replace(thread, links=(Link(dependency=tag),))  # type: ignore[arg-type]
    elif kind == "load" and first.kind == "R":
        changed = replace(thread, accesses=(replace(first, tag=tag), second))
    elif kind == "store" and second.kind == "W":
        changed = replace(thread, accesses=(first, replace(second, tag=tag)))
    else:
        return None
    return Shape(tuple(changed if t is thread else t for t in shape.threads))
