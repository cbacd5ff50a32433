"""What programs for two models are written in: the instructions of their machines, or the words of their languages.

A model speaks of the architectures whose tags it names. Two models of one architecture, or one of them and a model
that speaks of none, are compared by programs of that architecture. Two of different ones have plain accesses,
dependencies, a full fence, and loads that acquire and stores that release in common: their programs are *neutral*, and
each model gets them in the instructions of its own. The Linux kernel counts as a machine; C does only beside it, since
the models of machines say what C's orders are compiled to.
"""

from __future__ import annotations

from xgen.memory.algebra import Model
from xgen.memory.statics.vocabulary import Vocabulary, known_tags, vocabulary
from xgen.records import dataclass, replace
from xgen.shapes.shape import Shape, Thread
from xgen.shapes.writers import WRITERS, Linux, Writer
from xgen.tags import BY_NAME

FULL = ""
"""The fence of neutral programs."""

_WRITERS: dict[str, Writer] = {**WRITERS, "LKMM": Linux()}
_ORDERS = {"R": ("acquire",), "W": ("release",)}
"""What neutral accesses may be."""


@dataclass(frozen=True)
class Dialect:
    """How the programs of a comparison are said to one model. `name` is that of the architecture or language; without a
    `writer` they are said as they are."""

    name: str = ""
    writer: Writer | None = None

    def say(self, shape: Shape) -> Shape:
        """The shape in the words of the dialect."""
        if self.writer is None:
            return shape
        writer, threads = self.writer, []
        for thread in shape.threads:
            accesses = tuple(replace(a, tag=a.tag or writer.plain) for a in thread.accesses)
            links = tuple(replace(i, fence=self.word(i.fence)) if i.fence is not None else i for i in thread.links)
            threads.append(Thread(accesses, links))
        return Shape(tuple(threads))

    def word(self, tag: str) -> str:
        """The tag that it has for one of a shape."""
        return self.writer.full if tag == FULL and self.writer else tag


@dataclass(frozen=True)
class Ground:
    """What two models have in common: the dialect of each, what both speak of, and what either does; the latter is None
    where the models are of different machines, or languages, since neither has words for what the other one has."""

    dialects: tuple[Dialect, Dialect]
    shared: Vocabulary
    whole: Vocabulary | None

    def can_say(self, shape: Shape) -> bool:
        """Whether both dialects have words for a shape."""
        return all(d.writer is None or d.writer.can_write(d.say(shape)) for d in self.dialects)


def ground_of(first: Model, second: Model) -> Ground:
    """What programs for two models are made of."""
    spoken = (_spoken_of(first), _spoken_of(second))
    common = [name for name in spoken[0] if name in spoken[1]] or ([] if all(spoken) else spoken[0] + spoken[1])
    name = next((name for name in common if name in _WRITERS and name != "C"), None)
    whole = vocabulary(first, second, any)
    if name is not None:
        dialect = Dialect(name, _WRITERS[name])
        return Ground((dialect, dialect), _machine_words(_WRITERS[name], first, second), whole)
    one, other = (next((name for name in names if name in _WRITERS), "") for names in spoken)
    if one and other and one != other and ("C" not in (one, other) or "LKMM" in (one, other)):
        dialects = (Dialect(one, _WRITERS[one]), Dialect(other, _WRITERS[other]))
        return Ground(dialects, _neutral_words(dialects, first, second), None)
    return Ground((Dialect(), Dialect()), vocabulary(first, second, all), whole)


def _spoken_of(model: Model) -> list[str]:
    """The architectures that a model names fences of, those with most first; C and LKMM for models of languages."""
    named = [BY_NAME[tag] for tag in known_tags(model) if tag in BY_NAME and BY_NAME[tag].whose != "xgen"]
    owners: list[str] = [tag.whose for tag in named if "F" in tag.kinds and tag.whose != "C"]
    if "LKMM" in owners:
        return ["LKMM"]
    return sorted(set(owners), key=lambda owner: (-owners.count(owner), owner)) or (["C"] if named else [])


def _machine_words(writer: Writer, first: Model, second: Model) -> Vocabulary:
    """What two models of one machine speak of, of what the machine has."""
    words = vocabulary(first, second, all)
    fences = tuple(tag for tag in words.fences if tag in writer.fences)
    return Vocabulary(
        writer.plain,
        tuple(tag for tag in words.reads if tag in writer.tags["R"]),
        tuple(tag for tag in words.writes if tag in writer.tags["W"]),
        fences if writer.full in fences else (writer.full, *fences),
        tuple(kind for kind in words.dependencies if kind in writer.dependencies),
    )


def _neutral_words(dialects: tuple[Dialect, Dialect], first: Model, second: Model) -> Vocabulary:
    """What models of two machines, or languages, speak of in words of their own."""
    writers = [dialect.writer for dialect in dialects if dialect.writer is not None]
    words = vocabulary(first, second, all)

    def orders(kind: str, named: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(tag for tag in _ORDERS[kind] if tag in named and all(tag in w.tags[kind] for w in writers))

    return Vocabulary(
        None,
        orders("R", words.reads),
        orders("W", words.writes),
        (FULL,),
        tuple(kind for kind in words.dependencies if all(kind in writer.dependencies for writer in writers)),
    )
