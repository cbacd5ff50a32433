"""What is found out of a program while it is translated, and would have to be known from the start.

Facts only grow. With some a translation cannot go on (`TranslateAgain`). With others it can; if it has asked for one of
them before it learnt it, it has to be made again in the end. One that has learnt nothing that it had asked for is over.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from xgen.frontends.c.language.scope import Routine
from xgen.frontends.c.values.types import Leaf
from xgen.frontends.library.facts import Learnt, Waiting, Waits
from xgen.records import dataclass


@dataclass(frozen=True, slots=True)
class Block:
    """Allocated memory that may be given again: its address, that of the cell which says that it is freed, and how many
    bytes it has, with offsets, sizes and types of its numbers."""

    address: int
    freed: int
    layout: tuple[int, tuple[tuple[int, int, str], ...]]


Layouts: TypeAlias = dict[int, dict[tuple[Leaf, ...], list[int]]]
"""By the bytes of an access: the parts that it may have, by their offsets, and the addresses where it has them."""


class TranslateAgain(Exception):
    """The program has to be translated again: something was found out that has to be known before."""


class Facts(Waits):
    """All that this translation of a program, and those before, have found out."""

    def __init__(self) -> None:
        super().__init__()
        # TranslateAgain, where they are not known yet
        self.escaped: set[object] = set()  # declarations whose variables have to be in memory
        self.changing: dict[object, set[str]] = {}  # by loop: locals that it changes unseen
        self.long: set[int] = set()  # loops that have too many rounds to be written out
        self.members: dict[object, tuple[int, ...]] = {}  # of unions whose members overlap: those that are used
        self.cuts: dict[object, set[int]] = {}  # of what declares an object, or a union: where its scalars are cut
        self.viewed_as: dict[object, dict[tuple[int, int], Leaf]] = {}  # of what declares bytes: the scalars that they
        # are taken as, by offsets and sizes
        self.bytewise = False  # bytes are accessed by pointers of which it is not known where they lead

        self.returning: Learnt[str] = Learnt()  # threads whose value is asked for
        self.detached: Learnt[str] = Learnt()  # threads that may be, or may be joined twice
        self.taken: Learnt[Routine] = Learnt()  # functions whose address is used as a value
        self.changed: Learnt[object] = Learnt()  # what declares objects that change once there are threads; with an
        # offset, one scalar of them
        self.exposed: Learnt[object] = Learnt()  # what declares objects to which pointers may lead
        self.signs: Learnt[object] = Learnt()  # what declares objects whose numbers are accessed as of the other sign
        self.uninitialised: Learnt[str] = Learnt()  # types of scalars that are copied without a value (see copies.py)
        self.uninitialised_objects: Learnt[object] = Learnt()  # what declares to where such are copied (and offsets)
        self.unset: Learnt[object] = Learnt()  # what declares locals that are read where they may have no value
        self.uninitialised_anywhere: Learnt[str] = Learnt()  # types of scalars that are copied so to anywhere
        self.keys: Learnt[tuple[str, int, int]] = Learnt()  # of values that each thread has of its own: which thread
        # makes it, its how-many-th it is, and the function that is called with values in the end
        self.bodiless: dict[str, int] = {}  # the addresses of functions without a body
        self.unknown_writers = False  # something was written by a pointer when there were threads
        self.frees = False  # objects end while the program runs

        # Of the last translation, since names and orders of threads may be others in the next one
        self._layouts: Layouts = {}
        self._laid_out = False
        self._blocks: Sequence[Block] = ()
        self._given = False
        self._threads: list[str] = []
        self._listed = False
        self._again = False

    def begin(self) -> None:
        """A translation begins."""
        self._again = self._listed = self._laid_out = self._given = False
        for kind in self._kinds():
            kind.begin()

    def _kinds(self) -> Iterator[Learnt[Any]]:
        return (kind for kind in vars(self).values() if isinstance(kind, Learnt))

    @property
    def outdated(self) -> bool:
        """Whether this translation has to be made again, as far as that is known yet."""
        return self._again or any(kind.outdated for kind in self._kinds())

    @property
    def layouts(self) -> Layouts:
        """How memory is cut where pointers may lead."""
        self._laid_out = True
        return self._layouts

    @property
    def blocks(self) -> Sequence[Block]:
        """Those that some thread frees, and another allocation may give again."""
        self._given = True
        return self._blocks

    def threads(self, so_far: list[str]) -> Sequence[str]:
        """The threads that there are. As long as no translation came to its end, those that there are so far: mostly
        they are created before somebody asks."""
        self._listed = True
        self._threads = self._threads or so_far
        return self._threads

    def end(
        self,
        threads: list[str],
        waiting: Waiting,
        layouts: Layouts,
        blocks: Sequence[Block],
    ) -> None:
        """A translation is at its end, which has found these threads, and this of those that wait."""
        self._again |= waiting.all() != self.last.all() or (self._listed and threads != self._threads)
        self._again |= self._laid_out and layouts != self._layouts
        self._again |= self._given and blocks != self._blocks
        self._layouts, self._blocks = layouts, blocks
        self._threads, self.last = threads, waiting
