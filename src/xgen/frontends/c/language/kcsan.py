"""What KCSAN, the kernel's detector of data races, sees of an access (the kernel's Documentation/dev-tools/kcsan.rst).

Tags say it, which mcm/lkmm.mcm knows: `unwatched`, which is in no race, as in data_race(); `word`, a plain write that
KCSAN takes as an atomic one (CONFIG_KCSAN_ASSUME_PLAIN_WRITES_ATOMIC): of one number of at most 8 bytes (which is
aligned, or it is refused), which is not read before it by the same text (`x++`), and is no part of more memory that is
copied.
"""

from __future__ import annotations

from collections.abc import Sequence

from xgen.frontends.assembly import Step
from xgen.frontends.c.values.places import Place
from xgen.frontends.c.values.types import size_of
from xgen.program import automaton as xcfa
from xgen.program.uses import with_tags

UNWATCHED, WORD, EXCLUSIVE_WRITER, EXCLUSIVE_ACCESS = "unwatched", "word", "exclusive-writer", "exclusive-access"
SCOPE_BEGIN, SCOPE_END = "scope-begin", "scope-end"
"""Tags of accesses: see mcm/lkmm.mcm."""
CLAIMS = (EXCLUSIVE_WRITER, EXCLUSIVE_ACCESS)
LARGEST = 8
"""The bytes of a word."""
_ON_ONE_PATH = (xcfa.Load, xcfa.Store, xcfa.Assign, xcfa.Assert)
"""What a compiler may join two reads across."""


class Kcsan:
    """What KCSAN sees of a thread, in the order of its text. `asked`: its rules hold, not the model's alone."""

    def __init__(self, asked: bool) -> None:
        self.asked = asked
        self.regions = 0  # in how many regions accesses are taken as marked ones
        self.flat = False  # whether there is one that has no depth
        self.following = 0  # how many accesses that follow are
        self.unwatched = 0  # in how many parts of the text accesses are not looked at
        self.wide = 0  # in how many copies of memory that may be larger than a word

    def takes_as_marked(self, counts: bool) -> bool:
        """Whether a plain access is one that is taken as marked. `counts`: it is done."""
        if self.following:
            self.following -= counts
            return True
        return self.regions > 0 or self.flat

    def seen(self, statement: xcfa.Statement) -> xcfa.Statement:
        """A statement that is emitted."""
        if not self.unwatched or not isinstance(statement, xcfa.Load | xcfa.Store | xcfa.Rmw):
            return statement
        return with_tags(statement, (UNWATCHED,))

    def of_store(
        self, steps: Sequence[Step], places: Sequence[Place], cells: Sequence[xcfa.AnyPlace], order: str | None
    ) -> tuple[str, ...]:
        """The tags of a store of one number, which may be cut into several places."""
        if not self.asked or order is not None or self.wide:
            return ()
        size = sum(size_of(place.type) for place in places)
        return () if size > LARGEST or any(_is_read(steps, cell) for cell in cells) else (WORD,)


def _is_read(steps: Sequence[Step], cell: xcfa.AnyPlace) -> bool:
    """Whether the text right before, without a branch, has a plain read of it: a compiler makes one of both."""
    for step in reversed(steps):
        if not isinstance(step, _ON_ONE_PATH):
            return False
        if isinstance(step, xcfa.Load) and step.order is None and not {UNWATCHED, *CLAIMS}.isdisjoint(step.tags):
            return False  # KCSAN is called between both
        if isinstance(step, xcfa.Load) and step.place == cell and step.order is None:
            return True
    return False
