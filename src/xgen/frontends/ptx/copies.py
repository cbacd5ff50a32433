"""`cp.async`: copies into shared memory in the background, and how a thread waits for them.

A copy is a weak read and a weak write that its thread has begun where the instruction is: they come behind what is
before it, and before nothing that follows, until the thread waits for them. So they bear the tag `async`, and that of
their group, `copy.N`; a wait is a fence `copied` for each group that is over by then. What touches the memory in
between, the thread's own accesses as well, is not ordered with the copy: the ISA calls that undefined, and under `cuda`
it is a data race.

`cp.async.mbarrier.arrive` arrives at a barrier when the copies before it are over, and the thread goes on meanwhile. So
the arrival is in the background as well (`signal`), and the copies come before it, and before who has waited there.
"""

from __future__ import annotations

import re

from xgen.frontends.ptx.accesses import Form
from xgen.frontends.ptx.arithmetic import Given
from xgen.frontends.ptx.mbarriers import Mbarriers
from xgen.frontends.ptx.meeting import ROUNDS
from xgen.frontends.ptx.numbers import computed
from xgen.frontends.ptx.operands import Refused
from xgen.program import automaton as xcfa
from xgen.records import replace
from xgen.tags import COPIES

_COPY = re.compile(r"cp\.async\.c[ag]\.shared(?:::cta)?\.global(?:\.L2::(?:64|128|256)B)?")
_SIGNAL = re.compile(r"cp\.async\.mbarrier\.arrive(\.noinc)?(?:\.shared(?:::cta)?)?\.b64")
_GROUPS = "$copies"
"""How many groups a thread has closed, counted as rounds are; with a number, whether that group has copies that are not
over."""


class Copies(Mbarriers):
    """What a thread copies in the background."""

    def together(self, words: tuple[str, ...], operands: Given) -> bool:
        if words[:2] != ("cp", "async"):
            return super().together(words, operands)
        name = ".".join(words)
        if _COPY.fullmatch(name):
            self._copy(operands)
        elif found := _SIGNAL.fullmatch(name):
            self.takes(operands, 1)
            self.arrive_behind(operands[0], bool(found[1]), (*self.tags("cta"), "async", "signal"))
        elif name == "cp.async.commit_group":
            self.takes(operands, 0)
            self._close()
        elif name == "cp.async.wait_group":
            self.takes(operands, 1)
            pending = self.needed(self.number_of(operands[0], 32))
            if not isinstance(pending, int):
                self.unknown()
            self._wait_until(self._count(_GROUPS) - pending)
        elif name == "cp.async.wait_all":
            self.takes(operands, 0)
            self._close()
            self._wait_until(self._count(_GROUPS))
        else:
            self.unknown()
        return True

    def _count(self, what: str) -> int:
        return self.state.rounds.get(what, 0)

    def _close(self) -> None:
        """The copies since the last time are a group, which may be empty."""
        if self._count(_GROUPS) >= ROUNDS:
            self.do(xcfa.Cut(self.position, f"the bound on groups of copies ({ROUNDS})"))
            self.end()
        self.state.rounds[_GROUPS] = self._count(_GROUPS) + 1

    def _wait_until(self, last: int) -> None:
        """Waits for the copies of the first groups, as many as that."""
        for group in range(last):
            if self.state.rounds.pop(f"{_GROUPS}.{group}", 0):
                self.do(xcfa.Fence("copied", self.position, (f"{COPIES}.{group}", *self.groups)))

    def _copy(self, operands: Given) -> None:
        """`cp.async.ca.shared.global [TO], [FROM], BYTES, OF WHICH ARE READ`: what is not read is 0."""
        self.takes(operands, 3, 4)
        to, source = self.address(operands[0], "shared"), self.address(operands[1], "global")
        given = [self.needed(self.number_of(each, 32)) for each in operands[2:]]
        size, read = given[0], given[-1]
        if not isinstance(size, int) or not isinstance(read, int):
            raise Refused("a copy of a number of bytes that is not known is not supported")
        if size not in (4, 8, 16) or not 0 <= read <= size:
            self.unknown()
        if any(isinstance(each, int) and each % size for each in (to, source)):
            self.fail("bad-address")
        group = self._count(_GROUPS)
        self.state.rounds[f"{_GROUPS}.{group}"] = 1
        tags = (*self.tags(None), "async", f"{COPIES}.{group}")
        width = self._width(size, to, source)
        if read % width:
            self.unknown()
        form = Form(None, None, "global", False, 1, "b", 8 * width)
        for offset in range(0, size, width):
            there = self.needed(computed("add", 64, source, offset))
            here = self.needed(computed("add", 64, to, offset))
            value = self.read(form, there, width, tags) if offset < read else 0
            self.write(replace(form, space="shared"), here, width, value, tags)

    def _width(self, size: int, *addresses: object) -> int:
        """The bytes of each access of a copy: 4, or 8 where what is copied consists of these."""
        placed = [self.world.layout.at(each) for each in addresses if isinstance(each, int)]
        wide = len(placed) == len(addresses) and all(each and each.object.element == 8 for each in placed)
        return 8 if wide and size >= 8 else 4
