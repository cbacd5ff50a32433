"""Where threads meet: barriers of a block and of a warp, and what lanes of a warp tell each other.

A barrier is a read of a cell of xgen's own that nobody writes, the same for all that come there: models order by it.
Behind it threads gather: nobody passes before all have come. What lanes tell each other goes by such cells, one
write a lane, which models do not see; then they gather, which orders nothing.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Collection, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import NoReturn

from xgen.frontends.assembly import Branch, Step
from xgen.frontends.ptx.accesses import Accesses
from xgen.frontends.ptx.arithmetic import Given
from xgen.frontends.ptx.numbers import (
    UNSET,
    Nothing,
    Number,
    Truth,
    chosen,
    compared,
    computed,
    expression,
    joined,
    negated,
    signed,
)
from xgen.frontends.ptx.operands import Refused
from xgen.program import automaton as xcfa
from xgen.program.automaton import Binary, Expression, IntLiteral
from xgen.tags import AWAITS

_HIDDEN = ("hidden", "arrival")
_NO_VALUE = 2
"""What a lane tells that has no value: values are told twice as large, and 1 more."""
ROUNDS = 128
"""So often a thread comes to a barrier, at most: then it is cut."""
_FEW = 3
"""So many lanes, besides the thread's own, a mask that is computed is taken apart for."""
LANES = 32
"""The lanes that masks and `shfl` speak of."""


class Meetings(Accesses):
    """What threads do together."""

    releases = True
    """Whether a thread that returns is not waited for at a barrier of its block."""

    def together(self, words: tuple[str, ...], operands: Given) -> bool:
        """Does an instruction of this kind; whether it is one."""
        name = ".".join(words)
        if words[:2] == ("barrier", "cluster"):
            self.cluster_barrier(name, operands)
        elif words[0] in ("bar", "barrier"):
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
            self.active(operands[0])
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
            self._decide(operand, mask)
        if not mask >> self.lane & 1:
            self.fail("barrier")
        return [self.first + lane for lane in self.lanes() if mask >> lane & 1]

    def _decide(self, operand: str, value: Expression) -> NoReturn:
        """Does the instruction with each mask that its register may have, on a way of its own: some of the lanes that
        are there, of which the thread is one, with none that are not there, or all of these: of the warp, or of 32.
        Others are a violation."""
        others = [lane for lane in self.lanes() if lane != self.lane]
        if self.function.width(operand) is None or len(others) > _FEW:
            hint = f"with `--warp {_FEW + 1}` or fewer lanes, a warp has few enough of them"
            raise Refused("a mask of lanes that is computed is not supported for a warp of so many lanes", hint)
        absent = ~sum(1 << lane for lane in self.lanes())
        state = self.state
        for chosen_lanes in range(1 << len(others)):
            named = sum(1 << lane for index, lane in enumerate(others) if chosen_lanes >> index & 1) | 1 << self.lane
            for mask in {signed(named | absent & some, 32) for some in (0, (1 << self.world.request.warp) - 1, -1)}:
                beyond = self.label()
                self.branch(Binary("/=", value, IntLiteral(mask), self.position), beyond)
                self.state = state.copy()
                self.state.registers[state.depth, operand] = mask
                self.again()
                self.do(beyond)
        self.state = state
        self.fail("barrier")

    def active(self, target: str) -> None:
        """`activemask`: lanes that do this instruction at the same time, which are any of those that come there. Each
        chooses some, of which it is one, and goes on if all of these have chosen the same."""
        others = [lane for lane in self.lanes() if lane != self.lane]
        if len(others) > _FEW:
            hint = f"with `--warp {_FEW + 1}` or fewer lanes, a warp has few enough of them"
            raise Refused("the active lanes (`activemask`) of a warp of so many are not supported", hint)
        where = tuple((frame.function.name, frame.pc) for frame in self.state.frames)
        number = self.world.active.setdefault(where, len(self.world.active))
        what = f"$active{self.block}.{self.warp}.{number}"
        round_, state = self.round(what), self.state
        for chosen_lanes in range(1 << len(others)):
            members = [lane for index, lane in enumerate(others) if chosen_lanes >> index & 1]
            mask, beyond = sum(1 << lane for lane in (self.lane, *members)), self.label()
            is_last = chosen_lanes + 1 == 1 << len(others)
            if not is_last:
                self.do(Branch(None, beyond, self.position, fork=True))
            self.state = state.copy()
            if others:
                self.tell(what, IntLiteral(mask), round_)
            for lane in members:
                seen = self.read_told(what, self.first + lane, round_)
                self.do(xcfa.Assume(Binary("=", seen, IntLiteral(mask), self.position), self.position))
            self.gather(f"{what}.{mask}", [self.first + lane for lane in sorted((self.lane, *members))], round_)
            self.put(target, mask, 32)
            if not is_last:
                self.pass_on()
                self.do(beyond)

    # ---- barriers

    def barrier(self, name: str, operands: Given) -> None:
        if name == "bar.warp.sync":
            self.takes(operands, 1)
            members = self.of_mask(operands[0])
            lanes = "+".join(str(number - self.first) for number in members)
            self.meet(f"$warp{self.block}.{self.warp}.{lanes}", members)
            return
        found = _BARRIER.fullmatch(name)
        if found is None:
            raise Refused(f"the barrier `{name}` is not supported", BARRIERS)
        arrives, operation = found[1] == "arrive", found[2]
        given = list(operands[1:] if operation else operands)
        gives = given.pop() if operation else ""
        self.takes(tuple(given), *((2,) if arrives else (1, 2)))
        which = self.needed(self.number_of(given[0], 32))
        count = self.needed(self.number_of(given[1], 32)) if len(given) > 1 else self.world.block_size
        if not isinstance(which, int) or not isinstance(count, int):
            raise Refused("a barrier whose number is not known, or that of its threads, is not supported")
        if not 0 <= which < 16:
            self.fail("barrier")
        what = f"$bar{self.block}.{which}"
        members = self._members(what, count, arrives)
        if arrives:
            self._come_and_go(what)
        else:
            if len(given) == 1 and self.releases and not self.world.arriving.get(what):
                self._comes(what)
            self.meet(what, members, self.world.arriving.get(what, set()))
        if operation:
            self._reduce_truths(operation, (what, members), operands[0], self.truth(gives))

    def cluster_barrier(self, name: str, operands: Given) -> None:
        """`barrier.cluster.arrive` and `wait`: all threads of the cluster have to arrive before one goes on that waits.

        A thread that does nothing between the two gathers with its like when it waits. One that does something there,
        which may need what others do when they have waited, says that it has come, and waits for each of the others.
        """
        self.takes(operands, 0)
        found = _OF_CLUSTER.fullmatch(name)
        if found is None:
            self.unknown()
        what, count = self.cluster_name, self.world.block_size
        members = sorted(block * count + linear for block in self.siblings for linear in range(count))
        apart = [number for number in members if number in self.world.apart]
        arrived = self.state.rounds.pop(_ARRIVED, 0)
        if bool(arrived) == bool(found[1]):
            self.fail("barrier")
        if found[1]:
            releases = found[2] != "relaxed"
            if self.number in apart:
                round_ = self.round(what)
                if releases:
                    self._at_cluster(what, round_, "arrive")
                self.tell(what, IntLiteral(1), round_)
            self.state.rounds[_ARRIVED] = 1 + releases
            return
        if self.number in apart:
            round_ = self.state.rounds[what] - 1
            self._at_cluster(what, round_, "wait")
            apart = [number for number in members if number != self.number]
        else:
            round_ = self.round(what)
            self._at_cluster(what, round_, *(() if arrived == 2 else ("wait",)))
            if apart:
                self.tell(what, IntLiteral(1), round_)
            self.gather(what, [number for number in members if number not in apart], round_)
        most = self.world.at_clusters[what] = max(self.world.at_clusters.get(what, 0), round_ + 1)
        self.world.rounds[what] = max(self.world.rounds[what], most)
        for number in apart:
            self._await(what, number, round_)

    @property
    def cluster_name(self) -> str:
        """What the barrier of the thread's cluster is called."""
        return f"$cluster{self.world.in_cluster[self.block][0]}"

    def leave(self) -> None:
        """The thread returns. It says that it has come to each round that the others of the cluster still have, if that
        is known; else it does not come there."""
        what = self.cluster_name
        rounds = self.world.known_rounds.get(what, 0)
        missed = range(self.state.rounds.get(what, 0), rounds if rounds < ROUNDS else 0)
        if missed:
            self.world.found_apart.add(self.number)
        if self.number in self.world.apart:
            for round_ in missed:
                self.tell(what, IntLiteral(1), round_)
        self._come_to_the_others()

    def _comes(self, what: str) -> None:
        """Notes how often threads come to a barrier at which those are not waited for that have returned, and what they
        have been at before."""
        world, rounds = self.world, self.state.rounds
        round_ = rounds.get(what, 0)
        world.barriers[what] = max(world.barriers.get(what, 0), round_ + 1)
        before = {(each, count - 1) for each, count in rounds.items() if each in world.barriers and count}
        world.order.setdefault((what, round_), set()).update(before)

    def _come_to_the_others(self) -> None:
        """The thread has returned: it comes to each round that others of its block have, in their order, where nothing
        is ordered by it. So nobody waits for it, as the ISA says of `exit`, where it is known how often the others
        come."""
        world, rounds = self.world, self.state.rounds
        missed = {
            (what, round_)
            for what, most in world.known_barriers.items()
            if what.startswith(f"$bar{self.block}.") and most < ROUNDS
            for round_ in range(rounds.get(what, 0), most)
        }
        if not missed:
            return
        world.note(RETURNED)
        try:
            ordered = [each for each in TopologicalSorter(world.order).static_order() if each in missed]
        except CycleError:
            message = "a thread that returns before others come to several barriers is not supported"
            raise Refused(message, "with one barrier of the block it is") from None
        for what, round_ in ordered:
            self._comes(what)
            self.gather(what, self.block_threads(), round_)
            rounds[what] = round_ + 1

    def _at_cluster(self, what: str, round_: int, *how: str) -> None:
        """The event of a thread at a barrier of its cluster."""
        place = self.cell(what, what, round_)
        tags = ("bar", *how, "hidden", *(("cluster",) if len(self.siblings) > 1 else ()), *self.groups)
        self.do(xcfa.Load(self.fresh(), place, False, None, self.position, tags))

    def do(self, *steps: Step) -> None:
        """Notes who does something between arrival and wait at a barrier of the cluster, or ends there."""
        if self.state.rounds.get(_ARRIVED) and not all(_goes_on(step) for step in steps):
            self.world.found_apart.add(self.number)
        super().do(*steps)

    def _members(self, what: str, count: int, arrives: bool) -> list[int]:
        """The threads that meet at a barrier: all of the block, or where it says how many, those of the warps that come
        there, on whichever way, which have to be as many."""
        world, warp = self.world, self.world.request.warp
        if count == -(-world.block_size // warp) * warp:
            count = world.block_size
        comes = world.comes.setdefault(what, {})
        if comes.setdefault(self.number, (count, arrives)) != (count, arrives):
            raise Refused("a thread that comes to a barrier in several ways is not supported", BARRIERS)
        if arrives:
            world.arriving.setdefault(what, set()).add(self.number)
        if count == world.block_size:
            return self.block_threads()
        if count < 1 or count % warp:
            self.fail("barrier")
        warps = {(number - self.block * world.block_size) // warp for number in comes}
        if len(warps) > count // warp or any(each != count for each, _ in comes.values()):
            raise Refused("more threads come to this barrier than it waits for: who meets is not known", BARRIERS)
        if len(warps) < count // warp and not arrives:
            self.fail("barrier")
        first = self.block * world.block_size
        return [number for number in self.block_threads() if (number - first) // warp in warps]

    def _come_and_go(self, what: str) -> None:
        """The thread says that it has come, and goes on."""
        if what in self.state.rounds:
            raise Refused("a thread that arrives at a barrier again, and does not wait there, is not supported")
        round_ = self.round(what)
        place, tags = self.cell(what, what, round_), ("bar", "arrive", "hidden", *self.groups)
        self.do(xcfa.Load(self.fresh(), place, False, None, self.position, tags))
        self.tell(what, IntLiteral(1), round_)

    def _await(self, what: str, other: int, round_: int) -> None:
        """Waits until a thread has said that it has come."""
        again, seen = self.label(), self.fresh()
        tags = (*_HIDDEN, f"{AWAITS}.p{other}")
        place = self.cell(f"{what}.P{other}", what, round_)
        missing = Binary("=", seen, IntLiteral(0), self.position)
        self.do(again, xcfa.Load(seen, place, False, None, self.position, tags), Branch(missing, again, self.position))

    def _reduce_truths(self, operation: str, group: tuple[str, list[int]], target: str, truth: Truth) -> None:
        """`bar.red`: of how many threads it holds, whether of all, or of one."""
        votes = self.exchanged(group[1], chosen(truth, 1, 0), group[1], f"$red{group[0][4:]}")
        total: Number = 0
        for vote in votes.values():
            total = computed("add", 32, vote, total)
        if operation == "popc":
            self.put(target, total, 32)
        else:
            self.put_truth(target, compared("ge", 32, True, total, len(votes) if operation == "and" else 1))

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

    def meet(self, what: str, members: Sequence[int], arriving: Collection[int] = ()) -> None:
        """Nobody passes before all have come; the barrier orders what is before and behind it. Those who are `arriving`
        do not wait."""
        round_ = self.round(what)
        place, tags = self.cell(what, what, round_), ("bar", "hidden", *self.groups)
        self.do(xcfa.Load(self.fresh(), place, False, None, self.position, tags))
        self.gather(what, [number for number in members if number not in arriving], round_)
        for number in sorted(arriving):
            self._await(what, number, round_)

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
        seen = self.read_told(what, other, round_)
        self.do(xcfa.Assume(Binary("/=", seen, IntLiteral(0), self.position), self.position))
        return seen

    def read_told(self, what: str, other: int, round_: int) -> xcfa.Name:
        """The same, or 0 where it has not said anything yet."""
        seen = self.fresh()
        place = self.cell(f"{what}.P{other}", what, round_)
        self.do(xcfa.Load(seen, place, False, None, self.position, _HIDDEN))
        return seen

    # ---- what lanes tell each other

    def exchanged(
        self,
        members: Sequence[int],
        value: Number,
        wanted: Sequence[int],
        what: str = "",
        given: dict[int, Truth] | None = None,
    ) -> dict[int, Number]:
        """The values that some of those who meet give, of whom each gives one. `given` gets whether one of them did
        give a value, where that is not known; without it, such a one gives none."""
        lanes = "+".join(str(number - self.first) for number in members)
        what = what or f"$lanes{self.block}.{self.warp}.{lanes}"
        round_ = self.round(what)
        own = value
        if isinstance(value, Nothing):
            self.world.without_value[what, round_, self.number] = value
        if len(members) > 1:
            code: Expression = IntLiteral(_NO_VALUE)
            if not isinstance(value, Nothing):
                twice = Binary("*", expression(value), IntLiteral(2))
                code = IntLiteral(2 * value + 1) if isinstance(value, int) else Binary("+", twice, IntLiteral(1))
            self.tell(what, code, round_)
            self.gather(what, members, round_)
        found: dict[int, Number] = {}
        for other in wanted:
            nothing = self.world.without_value.get((what, round_, other))
            if other == self.number:
                found[other] = own if nothing is None or given is not None else nothing
                continue
            seen = self.told(what, other, round_)
            found[other] = self.kept(Binary("sar", seen, IntLiteral(1)))
            if nothing is not None and given is not None:
                given[other] = Binary("/=", seen, IntLiteral(_NO_VALUE))
            elif nothing is not None:
                found[other] = nothing
        return found

    def shuffle(self, mode: str, operands: Given) -> None:
        """`shfl.sync`: the value of another lane. One that is not there, or has no value, gives none."""
        if mode not in ("up", "down", "bfly", "idx"):
            self.unknown()
        self.takes(operands, 5)
        members = self.of_mask(operands[4])
        value = self.number_of(operands[1], 32)
        distance, limits = (self.needed(self.number_of(each, 32)) for each in operands[2:4])
        distance = distance if isinstance(distance, int) else self.kept(distance)
        limits = limits if isinstance(limits, int) else self.kept(limits)
        source, inside = lane_of(mode, self.lane, computed("and", 32, distance, 31), limits)
        source = self.needed(chosen(inside, source, self.lane))
        wanted = [each for each in members if not isinstance(source, int) or each == self.first + source]
        given: dict[int, Truth] = {}
        found: Number = UNSET
        is_given: Truth = False
        for number, each in self.exchanged(members, value, wanted, given=given).items():
            if not isinstance(each, Nothing):
                here = compared("eq", 32, True, source, number - self.first)
                here = joined("and", here, given.get(number, True))
                found = each if isinstance(found, Nothing) else chosen(here, each, found)
                is_given = joined("or", is_given, here)
            elif isinstance(source, int):
                found = each
        if isinstance(is_given, Expression):
            beyond, state = self.label(), self.state.copy()
            self.branch(is_given, beyond)
            self._put_shuffled(operands[0], UNSET, inside)
            self.pass_on()
            self.do(beyond)
            self.state = state
        self._put_shuffled(operands[0], found, inside)

    def _put_shuffled(self, target: str, value: Number, inside: Truth) -> None:
        register, _, predicate = target.partition("|")
        self.put(register, value, 32)
        if predicate:
            self.put_truth(predicate, inside)

    @abstractmethod
    def again(self) -> None:
        """Does the instruction in the state that there is, which knows more."""

    @abstractmethod
    def pass_on(self) -> None:
        """Goes on behind the instruction in the state that there is."""

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
        members = self.of_mask(operands[2])
        value = self.number_of(operands[1], bits)
        if bits == 64 and not (isinstance(value, int) and 0 <= value < 1 << 62):  # twice as large it has to fit
            raise Refused("`match` of 64 bits that are not known is not supported")
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


def _goes_on(step: Step) -> bool:
    """Whether a step is one of a thread that neither ends there nor does what others see or decide."""
    if isinstance(step, Branch):
        return step.condition is None and step.label != ""
    return isinstance(step, str | xcfa.Assign)


RETURNED = "note: a thread returns before others come to a barrier: these do not wait for it, GPUs before Volta do"
_ARRIVED = "$arrived"
"""Whether the thread has arrived at the barrier of its cluster, and does not wait yet: 2 if that releases, 1 if not."""
_OF_CLUSTER = re.compile(r"barrier\.cluster\.(?:(arrive)(?:\.(release|relaxed))?|wait(?:\.acquire)?)(?:\.aligned)?")
_REDUCTIONS = ("add", "and", "or", "xor", "min", "max")
_OF_32 = ("u32", "s32", "b32")
_BARRIER = re.compile(r"bar(?:rier)?(?:\.cta)?\.(?:(sync|arrive)|red\.(popc|and|or))(?:\.aligned)?(?:\.u32|\.pred)?")
BARRIERS = "supported are barriers of a block, at which all of its threads meet or all that come to one of a number"


def lane_of(mode: str, lane: int, distance: Number, limits: Number) -> tuple[Number, Truth]:
    """The lane that `shfl` reads from, and whether it is in the thread's part of the warp (PTX ISA, `shfl.sync`)."""
    segments = computed("and", 32, computed("shr", 32, limits, 8), 31)
    others = computed("xor", 32, segments, 31)
    first = computed("and", 32, lane, segments)
    last = computed("or", 32, first, computed("and", 32, limits, others))
    if mode == "up":
        source = computed("sub", 32, lane, distance)
    elif mode == "down":
        source = computed("add", 32, lane, distance)
    elif mode == "bfly":
        source = computed("xor", 32, lane, distance)
    else:
        source = computed("or", 32, first, computed("and", 32, distance, others))
    return source, compared("ge" if mode == "up" else "le", 32, True, source, last)
