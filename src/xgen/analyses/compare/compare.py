"""What tells two memory models apart: litmus tests of a suite, or the smallest program that can be found."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from typing import Literal

from xgen.analyses.compare.distinguish import Difference, outcomes
from xgen.analyses.dialects import FULL, Dialect, Ground, ground_of
from xgen.analyses.suite.litmus import LitmusResult, run_litmus
from xgen.analyses.suite.runner import Spread, run_tests
from xgen.analyses.suite.suite import Item
from xgen.errors import ModelError, Source, XgenError
from xgen.memory.algebra import Model
from xgen.memory.library import load_model
from xgen.program.printer import print_program
from xgen.records import dataclass, replace
from xgen.shapes.cycles import SHAPES
from xgen.shapes.shape import Link, Shape, Thread
from xgen.shapes.shapes import program_of, shape_name
from xgen.tags import ARCHITECTURES

# ---- over a suite


@dataclass(frozen=True)
class Pair:
    """A test's results under both models."""

    first: LitmusResult
    second: LitmusResult

    @property
    def answered(self) -> bool:
        """Whether there are two results to be compared, one at least with an execution."""
        both = self.first.verdict is not None and self.second.verdict is not None
        return both and not (self.first.vacuous and self.second.vacuous)

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
