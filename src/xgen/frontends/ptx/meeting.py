"""Where threads meet: barriers of a block and of a warp, and what lanes of a warp tell each other.

A barrier is a read of a cell of xgen's own that nobody writes, the same for all that come there: models order by it.
Behind it threads gather: nobody passes before all have come. What lanes tell each other goes by such cells, one
write a lane, which models do not see; then they gather, which orders nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from xgen.frontends.ptx.accesses import Accesses
from xgen.frontends.ptx.arithmetic import Given
from xgen.frontends.ptx.numbers import Nothing, Number, Truth, chosen, compared, computed, expression, negated, unsigned
from xgen.frontends.ptx.operands import Refused
from xgen.program import automaton as xcfa
from xgen.program.automaton import Binary, IntLiteral

_HIDDEN = ("hidden", "arrival")
ROUNDS = 128
"""So often a thread comes to a barrier, at most: then it is cut."""
LANES = 32
"""The lanes that masks and `shfl` speak of."""


class Meetings(Accesses):
    """What threads do together."""

    def together(self, words: tuple[str, ...], operands: Given) -> bool:
        """Does an instruction of this kind; whether it is one."""
        name = ".".join(words)
        if words[0] in ("bar", "barrier"):
            self.barrier(name, operands)
        elif name.startswith("shfl.sync.") and words[-1] == "b32" and len(words) == 4:
            self.shuffle(words[2], operands)
        elif name in ("vote.sync.any.pred", "vote.sync.all.pred", "vote.sync.uni.pred", "vote.sync.ballot.b32"):
            self.vote(words[2], operands)
        elif name in ("match.any.sync.b32", "match.any.sync.b64"):
            self.match(int(words[-1][1:]), operands)
        elif words[:2] == ("redux", "sync") and len(words) == 4 and words[2] in _REDUCTIONS and words[3] in _OF_32:
            self.reduce(words[2], words[3], operands)
        elif name == "activemask.b32":
            self.takes(operands, 1)
            self.world.note(ACTIVE)
            self.put(operands[0], unsigned(sum(1 << lane for lane in self.lanes()), 32), 32)
        else:
            return False
        return True

    # ---- who meets

    def block_threads(self) -> list[int]:
        """The numbers of the threads of the block."""
        count = self.world.block_size
        return list(range(self.block * count, (self.block + 1) * count))

    def lanes(self) -> list[int]:
        """The lanes that the warp has."""
        warp = self.world.request.warp
        return list(range(min(warp, self.world.block_size - self.warp * warp)))

    @property
    def first(self) -> int:
        """The number of the first thread of the warp."""
        return self.block * self.world.block_size + self.warp * self.world.request.warp

    def of_mask(self, operand: str) -> list[int]:
        """The numbers of the threads whose lanes are in a mask, which the thread itself has to be in."""
        mask = self.needed(self.number_of(operand, 32))
        if not isinstance(mask, int):
            raise Refused("a mask of lanes that is not known is not supported")
        if not mask >> self.lane & 1:
            self.fail("barrier")
        return [self.first + lane for lane in self.lanes() if mask >> lane & 1]

    # ---- barriers

    def barrier(self, name: str, operands: Given) -> None:
        if name == "bar.warp.sync":
            self.takes(operands, 1)
            members = self.of_mask(operands[0])
            lanes = "+".join(str(number - self.first) for number in members)
            self.meet(f"$warp{self.block}.{self.warp}.{lanes}", members)
            return
        form = name.removesuffix(".aligned").replace(".cta", "")
        if form not in ("bar.sync", "barrier.sync"):
            raise Refused(f"the barrier `{name}` is not supported", BARRIERS)
        self.takes(operands, 1, 2)
        which = self.needed(self.number_of(operands[0], 32))
        if len(operands) > 1 and self.number_of(operands[1], 32) != self.world.block_size:
            raise Refused("a barrier of a number of threads is not supported", BARRIERS)
        if not isinstance(which, int):
            raise Refused("a barrier whose number is not known is not supported")
        self.meet(f"$bar{self.block}.{which}", self.block_threads())

    def round(self, what: str) -> int:
        """How often the thread has come to a meeting, which it does once more."""
        before = self.state.rounds.get(what, 0)
        if before >= ROUNDS:
            self.do(xcfa.Cut(self.position, f"the bound on rounds of a barrier ({ROUNDS})"))
            self.end()
        self.state.rounds[what] = before + 1
        self.world.rounds[what] = max(self.world.rounds.get(what, 2), before + 1)
        return before

    def cell(self, name: str, what: str, round_: int) -> xcfa.Place:
        """The cell of a round of a meeting; `name`: of which of its arrays."""
        self.world.meetings[name] = what
        return xcfa.Place(xcfa.Name(name, self.position), (IntLiteral(round_),))

    def meet(self, what: str, members: Sequence[int]) -> None:
        """Nobody passes before all have come; the barrier orders what is before and behind it."""
        round_ = self.round(what)
        place, tags = self.cell(what, what, round_), ("bar", "hidden", *self.groups)
        self.do(xcfa.Load(self.fresh(), place, False, None, self.position, tags))
        self.gather(what, members, round_)

    def gather(self, what: str, members: Sequence[int], round_: int) -> None:
        """Waits until all have come to the round, which orders nothing by itself."""
        if len(members) > 1:
            group = tuple(xcfa.Name(self.world.name_of(number)) for number in members)
            self.do(xcfa.Meet(what, round_, group, self.position, orders=False))

    def tell(self, what: str, value: xcfa.Expression, round_: int) -> None:
        """Says a value to the others of a round."""
        place = self.cell(f"{what}.P{self.number}", what, round_)
        self.do(xcfa.Store(value, place, False, None, self.position, _HIDDEN))

    def told(self, what: str, other: int, round_: int) -> xcfa.Name:
        """What another thread has said in a round to which all have come: its value, twice as large, and 1 more.

        It is not 0, which the cell has at first: an execution in which it is so read is none.
        """
        seen = self.fresh()
        place = self.cell(f"{what}.P{other}", what, round_)
        self.do(xcfa.Load(seen, place, False, None, self.position, _HIDDEN))
        self.do(xcfa.Assume(Binary("/=", seen, IntLiteral(0), self.position), self.position))
        return seen

    # ---- what lanes tell each other

    def exchanged(self, members: Sequence[int], value: Number, wanted: Sequence[int]) -> dict[int, Number]:
        """The values that some of those who meet give, of whom each gives one."""
        lanes = "+".join(str(number - self.first) for number in members)
        what = f"$lanes{self.block}.{self.warp}.{lanes}"
        round_ = self.round(what)
        if isinstance(value, Nothing):
            self.world.without_value[what, round_, self.number] = value
            value = 0
        if len(members) > 1:
            code = Binary("+", Binary("*", expression(value), IntLiteral(2)), IntLiteral(1))
            self.tell(what, IntLiteral(2 * value + 1) if isinstance(value, int) else code, round_)
            self.gather(what, members, round_)
        found: dict[int, Number] = {}
        for other in wanted:
            nothing = self.world.without_value.get((what, round_, other))
            if other == self.number:
                found[other] = value if nothing is None else nothing
            else:
                seen = self.told(what, other, round_)
                found[other] = nothing or self.kept(Binary("sar", seen, IntLiteral(1)))
        return found

    def shuffle(self, mode: str, operands: Given) -> None:
        """`shfl.sync`: the value of another lane."""
        if mode not in ("up", "down", "bfly", "idx"):
            self.unknown()
        self.takes(operands, 5)
        members = self.of_mask(operands[4])
        value = self.number_of(operands[1], 32)
        distance, limits = (self.needed(self.number_of(each, 32)) for each in operands[2:4])
        if not isinstance(distance, int) or not isinstance(limits, int):
            raise Refused("`shfl` from a lane that is not known is not supported")
        source, inside = lane_of(mode, self.lane, distance & 31, limits)
        other = self.first + (source if inside else self.lane)
        register, _, predicate = operands[0].partition("|")
        if other in members:
            found = self.exchanged(members, value, [other])[other]
        else:  # a lane that is not there gives no value
            self.exchanged(members, value, [])
            found = Nothing("uninitialised")
        self.put(register, found, 32)
        if predicate:
            self.put_truth(predicate, inside)

    def vote(self, mode: str, operands: Given) -> None:
        self.takes(operands, 3)
        members = self.of_mask(operands[2])
        truth = self.truth(operands[1])
        votes = self.exchanged(members, chosen(truth, 1, 0), members)
        if mode == "ballot":
            self.put(operands[0], self._mask(votes), 32)
            return
        total: Number = 0
        for vote in votes.values():
            total = computed("add", 32, vote, total)
        none, everyone = (compared("eq", 32, True, total, count) for count in (0, len(members)))
        result: Truth = everyone if mode == "all" else negated(none)
        if mode == "uni":
            either = computed("or", 32, chosen(none, 1, 0), chosen(everyone, 1, 0))
            result = compared("ne", 32, True, either, 0)
        self.put_truth(operands[0], result)

    def _mask(self, votes: dict[int, Number]) -> Number:
        """The bits of lanes, where each of them says 0 or 1."""
        mask: Number = 0
        for number, vote in votes.items():
            mask = computed("or", 32, computed("shl", 32, vote, number - self.first), mask)
        return mask

    def match(self, bits: int, operands: Given) -> None:
        """`match.any`: which lanes have the same value."""
        self.takes(operands, 3)
        if bits == 64:
            raise Refused("`match` of 64 bits is not supported")
        members = self.of_mask(operands[2])
        value = self.number_of(operands[1], bits)
        values = self.exchanged(members, value, members)
        same = {number: chosen(compared("eq", bits, True, each, value), 1, 0) for number, each in values.items()}
        self.put(operands[0], self._mask(same), 32)

    def reduce(self, operation: str, kind: str, operands: Given) -> None:
        self.takes(operands, 3)
        members = self.of_mask(operands[2])
        first, *others = self.exchanged(members, self.number_of(operands[1], 32), members).values()
        does = f"u{operation}" if operation in ("min", "max") and kind == "u32" else operation
        for other in others:
            if not isinstance(first, int | Nothing):
                first = self.kept(first)
            first = computed(does, 32, first, other)
        self.put(operands[0], first, 32)


_REDUCTIONS = ("add", "and", "or", "xor", "min", "max")
_OF_32 = ("u32", "s32", "b32")
BARRIERS = "supported are barriers at which all threads of a block meet: bar.sync 0"
ACTIVE = "note: the active lanes of a warp (`activemask`) are taken to be all of them"


def lane_of(mode: str, lane: int, distance: int, limits: int) -> tuple[int, bool]:
    """The lane that `shfl` reads from, and whether it is in the thread's part of the warp (PTX ISA, `shfl.sync`)."""
    clamp, segments = limits & 31, limits >> 8 & 31
    last = lane & segments | clamp & ~segments & 31
    first = lane & segments
    if mode == "up":
        return lane - distance, lane - distance >= last
    source = lane + distance if mode == "down" else lane ^ distance if mode == "bfly" else first | distance & ~segments
    return source, source <= last
