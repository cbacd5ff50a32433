"""`mbarrier`: barriers in shared memory, which CUDA's `cuda::barrier` of a block is made of.

One is a cell of 8 bytes, whose number is xgen's own: how many arrivals the phase still needs, how many each phase does,
the parity of the phase, a bit of what is one, and how many bytes are expected that have not come (`expect_tx`,
`complete_tx`): a phase is over when it needs neither arrivals nor bytes. An arrival is an update of it, which releases;
what waits reads it, and acquires where the phase is over only: else it is a relaxed read. So observation goes from each
arrival of a phase, by the updates behind it, to who waits (PTX ISA, chapter "Instruction Set", mbarrier).

The parity is all that is kept of phases: what waits asks about the phase at hand or the one before, as the ISA says.
"""

from __future__ import annotations

import re

from xgen.frontends.assembly import Branch
from xgen.frontends.ptx.accesses import Change
from xgen.frontends.ptx.arithmetic import Given
from xgen.frontends.ptx.meeting import Meetings
from xgen.frontends.ptx.numbers import Number, chosen, compared, computed, expression, joined, negated
from xgen.frontends.ptx.operands import Refused
from xgen.program import automaton as xcfa
from xgen.program.automaton import Binary

MOST = (1 << 20) - 1
"""The most arrivals of a phase."""
_EACH, _PARITY, _VALID, _BYTES = 20, 40, 1 << 41, 42
_NEEDS = MOST | (1 << 21) - 1 << _BYTES
"""What a phase that is not over needs."""
_NAME = re.compile(
    r"mbarrier\.(init|inval|arrive|arrive_drop|test_wait|try_wait|pending_count|expect_tx|complete_tx)"
    r"(\.noComplete|\.expect_tx)?(\.parity)?(?:\.(release|acquire|relaxed))?(?:\.(cta|cluster))?"
    r"(?:\.(shared(?:::cta|::cluster)?))?\.b64"
)
_ORDERS = {
    **dict.fromkeys(("arrive", "arrive_drop"), "release"),
    **dict.fromkeys(("test_wait", "try_wait"), "acquire"),
    **dict.fromkeys(("expect_tx", "complete_tx"), "relaxed"),
}
"""What has an order, and the one that it has besides `relaxed`."""


class Mbarriers(Meetings):
    """What threads do at barriers in shared memory."""

    def together(self, words: tuple[str, ...], operands: Given) -> bool:
        if words[0] != "mbarrier":
            return super().together(words, operands)
        found = _NAME.fullmatch(".".join(words))
        if found is None:
            self.unknown()
        operation, how, parity, order, scope, space = found.groups()
        usual, waits, arrives = _ORDERS.get(operation), operation in ("test_wait", "try_wait"), "arrive" in operation
        wrong = order not in (None, "relaxed", usual) or (usual is None and bool(order or scope))
        is_remote = space == "shared::cluster"
        if (
            wrong
            or (parity and not waits)
            or (how and not arrives)
            or (is_remote and not (arrives or "tx" in operation))
        ):
            self.unknown()
        tags = self.tags(scope or "cta")
        if operation in ("init", "inval"):
            self._begin_or_end(operation, operands)
        elif operation == "pending_count":
            self.takes(operands, 2)
            self.put(operands[0], computed("and", 64, self.number_of(operands[1], 64), MOST), 32)
        elif waits:
            self._wait(order or "acquire", tags, bool(parity), operands)
        elif arrives:
            self.takes(operands, 2, 3)
            if is_remote and operands[0] != "_":
                self.unknown()
            target = self.mbarrier(operands[1], "shared::cluster" if is_remote else "shared")
            self._arrive(target, operation == "arrive_drop", how or "", (order or "release", tags), operands)
        else:
            self.takes(operands, 2)
            place = self.mbarrier(operands[0], "shared::cluster" if is_remote else "shared")
            count = self.bytes(operands[1])
            old = self._read(place, "relaxed", tags, exclusive=True)
            new = self._with_bytes(old, count if operation == "expect_tx" else -count)
            if operation == "complete_tx":
                new = _with_arrivals(new, 0, False)
            self._write_back(Change("tx", False, 64, place, "relaxed", tags), expression(self.needed(new)))
        return True

    def mbarrier(self, operand: str, space: str = "shared") -> xcfa.Deref:
        """The barrier at an address, which has to be known."""
        address = self.address(operand, space)
        if not isinstance(address, int):
            raise Refused("an `mbarrier` at an address that is not known is not supported")
        place = self.place(address, 8, space, plain=False)
        self.world.mbarriers.add(address)
        return place

    def counts(self, operand: str | None) -> int:
        """How many arrivals an operand says."""
        count = 1 if operand is None else self.needed(self.number_of(operand, 32))
        if not isinstance(count, int):
            raise Refused("a number of arrivals that is not known is not supported")
        if not 1 <= count <= MOST:
            self.fail("barrier")
        return count

    def bytes(self, operand: str) -> int:
        """How many bytes an operand says."""
        count = self.needed(self.number_of(operand, 32))
        if not isinstance(count, int):
            raise Refused("a number of bytes that is not known is not supported")
        if not 0 <= count <= MOST:
            self.fail("barrier")
        return count

    def _with_bytes(self, old: xcfa.Name, count: int) -> Number:
        """The number of a barrier when so many bytes more are expected, or when they have come (`count` < 0)."""
        before = computed("sar", 64, computed("shl", 64, old, 63 - _BYTES - 20), 64 - 21)
        total = computed("add", 64, before, count)
        self._must(compared("le", 64, True, total, MOST))
        self._must(compared("ge", 64, True, total, -MOST))
        return computed("and", 64, computed("add", 64, old, count << _BYTES), (1 << 63) - 1)

    def _begin_or_end(self, operation: str, operands: Given) -> None:
        self.takes(operands, 2 if operation == "init" else 1)
        place = self.mbarrier(operands[0])
        count = self.counts(operands[1]) if operation == "init" else 0
        value = _VALID | count << _EACH | count if operation == "init" else 0
        self.do(xcfa.Store(expression(value), place, False, None, self.position, self.tags(None)))

    def _read(self, place: xcfa.Deref, order: str, tags: tuple[str, ...], exclusive: bool) -> xcfa.Name:
        """The number of a barrier, which has to be one."""
        found = self.fresh()
        self.do(xcfa.Load(found, place, False, order, self.position, tags, exclusive=exclusive))
        self._must(compared("ne", 64, True, computed("and", 64, found, _VALID), 0))
        return found

    def _must(self, condition: object) -> None:
        assert isinstance(condition, xcfa.Expression)
        self.do(xcfa.Assert(condition, self.position, "barrier"))

    def _arrive(
        self, place: xcfa.Deref, drops: bool, word: str, how: tuple[str, tuple[str, ...]], operands: Given
    ) -> None:
        """`mbarrier.arrive STATE, [BARRIER], COUNT`: the state is what was before. The last arrival ends the phase.

        With the word `.expect_tx`, in place of a count, how many bytes more are expected.
        """
        expects = word == ".expect_tx"
        if expects:
            self.takes(operands, 3)
        count = self.counts(operands[2] if len(operands) == 3 and not expects else None)
        old = self._read(place, "relaxed", how[1], exclusive=True)
        self._must(compared("gt" if word == ".noComplete" else "ge", 64, True, computed("and", 64, old, MOST), count))
        new = _with_arrivals(self._with_bytes(old, self.bytes(operands[2])) if expects else old, count, drops)
        self._write_back(Change("arrive", False, 64, place, how[0], how[1]), expression(self.needed(new)))
        self.put(operands[0], old, 64)

    def arrive_behind(self, operand: str, counted: bool, tags: tuple[str, ...]) -> None:
        """Arrives when copies are over. `counted`: the arrival is one of those that the phase needs; else it needs one
        more. The thread goes on meanwhile, so that nothing of it depends on what is read: where that is no barrier, or
        one that needs no arrival, there is none from then on."""
        place = self.mbarrier(operand)
        if not counted:
            before = self._read(place, "relaxed", self.tags("cta"), exclusive=True)
            self._must(compared("lt", 64, True, computed("and", 64, before, MOST), MOST))
            change = Change("arrive", False, 64, place, "relaxed", self.tags("cta"))
            self._write_back(change, expression(self.needed(computed("add", 64, before, 1))))
        old = self.fresh()
        self.do(xcfa.Load(old, place, False, "relaxed", self.position, tags, exclusive=True))
        is_one = compared("ne", 64, True, computed("and", 64, old, _VALID), 0)
        needs = compared("ne", 64, True, computed("and", 64, old, MOST), 0)
        new = chosen(joined("and", is_one, needs), _with_arrivals(old, 1, False), 0)
        self._write_back(Change("arrive", False, 64, place, "release", tags), expression(self.needed(new)))

    def _wait(self, order: str, tags: tuple[str, ...], parity: bool, operands: Given) -> None:
        """`mbarrier.test_wait DONE, [BARRIER], STATE`, with `.parity` in place of a state its parity."""
        self.takes(operands, 3, 4)
        place = self.mbarrier(operands[1])
        asked: Number = self.needed(self.number_of(operands[2], 32 if parity else 64))
        asked = computed("and", 64, asked if parity else computed("shr", 64, asked, _PARITY), 1)
        seen = self._read(place, "relaxed", tags, exclusive=False)
        is_over = compared("ne", 64, True, computed("and", 64, computed("shr", 64, seen, _PARITY), 1), asked)
        if order == "acquire":
            goes_on, end, again = negated(is_over), self.label(), self.fresh()
            assert isinstance(goes_on, xcfa.Expression)
            self.do(Branch(goes_on, end, self.position))
            self.do(
                xcfa.Load(again, place, False, order, self.position, tags),
                xcfa.Assume(Binary("=", again, seen, self.position), self.position),
                end,
            )
        self.put_truth(operands[0], is_over)


def _with_arrivals(old: Number, count: int, drops: bool) -> Number:
    """The number of a barrier behind so many arrivals, the last of which ends the phase."""
    counted = computed("sub", 64, old, count | (count << _EACH if drops else 0))
    each = computed("and", 64, computed("shr", 64, counted, _EACH), MOST)
    over = computed("xor", 64, computed("add", 64, counted, each), 1 << _PARITY)
    return chosen(compared("eq", 64, True, computed("and", 64, old, _NEEDS), count), over, counted)
