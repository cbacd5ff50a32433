"""A thread of a launch: what it knows where it is, its operands, and the statements that it has done so far."""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, NoReturn, TypeAlias, TypeGuard

from xgen.frontends.assembly import Branch, Step
from xgen.frontends.ptx.layout import LOCAL, NARROW, OF_BLOCK, OF_FRAME, RESERVED, Origins
from xgen.frontends.ptx.module import Function, Instruction, literal
from xgen.frontends.ptx.numbers import UNSET, Nothing, Number, Truth, computed, negated, partly, resized, signed
from xgen.program import automaton as xcfa
from xgen.records import dataclass, replace

if TYPE_CHECKING:
    from xgen.frontends.ptx.world import World


class Held(Enum):
    """What stands for a value that is not known: it is in the local variable of its place."""

    LOCAL = "local"


Known: TypeAlias = int | bool | Nothing | Held | xcfa.Name
"""A number or a truth, or where it is: in the local of its place, or in another one, which keeps it. States in which a
thread may be again have no other locals (`settle`)."""
Head: TypeAlias = tuple[str, int, str]
"""Memory of a thread alone: a parameter of a call (`p`, how deep that is, its name), or what is local of one (`m`)."""
Bytes: TypeAlias = dict[tuple[int, int], Known]
"""By offset and size."""


class Refused(Exception):
    """What is not supported, and what to do; where it is, the thread knows."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message, self.hint = message, hint


class Unreachable(Exception):
    """The thread does not go on here."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A call that is going on: its function, the next instruction, and where its parameters are."""

    function: Function
    pc: int
    bound: tuple[tuple[str, Head], ...]


class State:
    """Where a thread is, and what is known there. What is neither known nor held by a local has no value yet."""

    __slots__ = ("frames", "memory", "registers", "rounds")

    def __init__(
        self,
        frames: tuple[Frame, ...],
        registers: dict[tuple[int, str], Known],
        memory: dict[Head, Bytes],
        rounds: dict[str, int],
    ) -> None:
        self.frames, self.registers, self.memory, self.rounds = frames, registers, memory, rounds

    def copy(self) -> State:
        memory = {head: dict(found) for head, found in self.memory.items()}
        return State(self.frames, dict(self.registers), memory, dict(self.rounds))

    @property
    def depth(self) -> int:
        return len(self.frames) - 1


class Operands:
    """What a thread reads and writes itself."""

    def __init__(self, world: World, number: int, place: tuple[int, int], index: tuple[Three, Three]) -> None:
        self.world, self.number = world, number
        self.block, self.linear = place
        self.tid, self.ctaid = index
        warp = world.request.warp
        self.lane, self.warp = self.linear % warp, self.linear // warp
        self.name = world.name_of(number)
        self.groups = self.standing()
        self.state = State((), {}, {}, {})
        self.steps: list[Step] = []
        self.labels: dict[str, None] = {}
        self.types: dict[str, xcfa.Type] = {}
        self.count = 0
        self.origins = Origins(world.layout)
        self.position = xcfa.NOWHERE
        self.instruction: Instruction | None = None

    def standing(self) -> tuple[str, ...]:
        """The tags of the groups that the thread is in, the smallest group first."""
        if len(self.siblings) == 1:
            return f"cta.g0.c{self.block}", "gpu.g0"
        cluster = f"cluster.g0.k{self.world.in_cluster[self.block][0]}"
        return f"cta.g0.{cluster.rpartition('.')[2]}.c{self.block}", cluster, "gpu.g0"

    @property
    def siblings(self) -> list[int]:
        """The blocks of the thread's cluster, by their ranks."""
        return self.world.clusters[self.world.in_cluster[self.block][0]]

    # ---- steps

    def do(self, *steps: Step) -> None:
        self.steps += steps
        for step in steps:
            if isinstance(step, xcfa.Assign) and isinstance(step.target, xcfa.Name):
                self.origins.gets(step.target.name, self.origins.of(step.value))
            elif isinstance(step, xcfa.Load | xcfa.Rmw) and step.target is not None:
                is_narrow = isinstance(step.place, xcfa.Deref) and step.place.width in (-1, -2, -4)
                self.origins.gets(step.target.name, NARROW if is_narrow else None)

    def fresh(self, kind: xcfa.Type = xcfa.INT) -> xcfa.Name:
        """A new local."""
        self.count += 1
        name = f"${self.count}"
        self.types[name] = kind
        return xcfa.Name(name)

    def label(self) -> str:
        """A new label."""
        name = f"l{len(self.labels)}"
        self.labels[name] = None
        return name

    def branch(self, condition: xcfa.Expression | None, label: str) -> None:
        self.do(Branch(condition, label, self.position))

    def end(self) -> NoReturn:
        """The thread ends here."""
        self.branch(None, "")
        raise Unreachable

    def fail(self, kind: str) -> NoReturn:
        """A violation; the thread goes no further."""
        self.do(xcfa.Assert(xcfa.BoolLiteral(False), self.position, kind))
        self.end()

    # ---- locals

    def local(self, name: str, kind: xcfa.Type = xcfa.INT) -> xcfa.Name:
        self.types[name] = kind
        return xcfa.Name(name)

    def register(self, depth: int, name: str, width: int) -> xcfa.Name:
        """The local that holds a register that is not known."""
        return self.local(f"{name.removeprefix('%')}@{depth}", xcfa.BOOL if width == 1 else xcfa.INT)

    def kept(self, value: xcfa.Expression, kind: xcfa.Type = xcfa.INT) -> xcfa.Name:
        """A local that has a value from here on."""
        found = self.fresh(kind)
        self.do(xcfa.Assign(found, value, self.position))
        return found

    # ---- values that decide

    def needed(self, value: Number) -> int | xcfa.Expression:
        """A number that something depends on that others may see."""
        if isinstance(value, Nothing):
            self.nothing(value)
        return value

    def nothing(self, value: Nothing) -> NoReturn:
        if not value.kind:
            raise Refused(value.why, value.hint)
        self.fail(value.kind)

    # ---- operands

    @property
    def function(self) -> Function:
        return self.state.frames[-1].function

    def width(self, register: str) -> int:
        found = self.function.width(register)
        if found is None:
            raise Refused(f"`{register.partition('~')[0]}` is not declared")
        return found

    def number_of(self, operand: str, bits: int) -> Number:
        """The number of so many bits that an operand is: a constant, a register, an address, a special register."""
        known = literal(operand)
        if known is not None:
            return signed(known, bits)
        if found := _SUM.match(operand):
            offset = literal(found[2].replace(" ", ""))
            if offset is None:
                raise Refused(f"the operand `{operand}` is not supported")
            return computed("add", bits, self.number_of(found[1], bits), signed(offset, bits))
        width = self.function.width(operand)
        if width is not None:
            return self.of_register(operand, width, bits)
        if operand in _CLOCKS:
            return CLOCK
        address = self.address_of(operand)
        if address is None:
            address = self.special(operand)
        if address is None:
            raise Refused(f"the operand `{operand.partition('~')[0]}` is not supported")
        return signed(address, bits)

    def of_register(self, register: str, width: int, bits: int) -> Number:
        if width == 1:
            raise Refused(f"the predicate `{register}` is no number")
        depth = self.state.depth
        found = self.state.registers.get((depth, register), UNSET)
        return resized(_value(found, lambda: self.register(depth, register, width)), width, bits, with_sign=False)

    def truth(self, operand: str) -> Truth:
        """The truth that an operand is: a predicate, perhaps with `!`, or a constant."""
        if operand.startswith("!"):
            return negated(self.truth(operand[1:].strip()))
        known = literal(operand)
        if known is not None:
            return known != 0
        if self.width(operand) != 1:
            raise Refused(f"`{operand}` is no predicate")
        depth = self.state.depth
        found = self.state.registers.get((depth, operand), UNSET)
        if isinstance(found, Held):
            return self.register(depth, operand, 1)
        return bool(found) if isinstance(found, int) else found

    def put(self, register: str, value: Number, bits: int, with_sign: bool = False) -> None:
        """Gives a register a number of so many bits; a wider one gets 0 or the sign in the others."""
        if register == "_":
            return
        width = self.width(register)
        if width == 1:
            raise Refused(f"the predicate `{register}` gets a number")
        if width < bits:
            raise Refused(f"the register `{register}` has fewer than {bits} bits")
        self._set(register, width, resized(value, bits, width, with_sign))

    def put_truth(self, register: str, value: Truth) -> None:
        if register == "_":
            return
        if self.width(register) != 1:
            raise Refused(f"the register `{register}` gets a truth")
        self._set(register, 1, value)

    def _set(self, register: str, width: int, value: Number | Truth) -> None:
        depth = self.state.depth
        self.state.registers[depth, register] = self._held(value, lambda: self.register(depth, register, width))

    def _held(self, value: Number | Truth, target: Callable[[], xcfa.Name]) -> Known:
        """What a state has of a value: what is not known goes into a local."""
        if isinstance(value, Nothing):
            if isinstance(value.part, int):
                return value
            self._assign(target(), value.part)
            return replace(value, part=Held.LOCAL)
        if isinstance(value, int) or is_stable(value):
            return value
        self._assign(target(), value)
        return Held.LOCAL

    def _assign(self, target: xcfa.Name, value: xcfa.Expression) -> None:
        if value != target:
            self.do(xcfa.Assign(target, value, self.position))

    def address_of(self, name: str) -> int | None:
        """The address of a variable."""
        found = self.world.shared[self.block].get(name)
        if found is None:
            found = self.world.symbols.get(name)
        if found is None:
            offset = self.world.depots(self.function).get(name)
            if offset is not None:
                return LOCAL + self.state.depth * OF_FRAME + offset
        return found

    def special(self, name: str) -> int | None:
        """The value of a special register, all of which are known."""
        launch = self.world.request.launch
        if name.startswith("%globaltimer"):
            self.world.note("note: the global timer stands still, so that nothing is out of time")
        head, _, axis = name.partition(".")
        if axis in ("x", "y", "z") and head in _OF_AXES:
            index = "xyz".index(axis)
            return {
                "%tid": self.tid[index],
                "%ntid": launch.block[index],
                "%ctaid": self.ctaid[index],
                "%nctaid": launch.grid[index],
                "%clusterid": self.ctaid[index] // self.world.cluster[index],
                "%nclusterid": launch.grid[index] // self.world.cluster[index],
                "%cluster_ctaid": self.ctaid[index] % self.world.cluster[index],
                "%cluster_nctaid": self.world.cluster[index],
            }[head]
        threads = launch.block[0] * launch.block[1] * launch.block[2]
        warp, lane = self.world.request.warp, self.lane
        return {
            "%laneid": lane,
            "%warpid": self.warp,
            "%nwarpid": (threads + warp - 1) // warp,
            "%smid": self.block,
            "%nsmid": launch.grid[0] * launch.grid[1] * launch.grid[2],
            "%gridid": 1,
            "%lanemask_eq": 1 << lane,
            "%lanemask_lt": (1 << lane) - 1,
            "%lanemask_le": (2 << lane) - 1,
            "%lanemask_gt": ~((2 << lane) - 1),
            "%lanemask_ge": ~((1 << lane) - 1),
            "%cluster_ctarank": self.world.in_cluster[self.block][1],
            "%cluster_nctarank": len(self.siblings),
            "%is_explicit_cluster": int(self.world.is_explicit),
            "%reserved_smem_offset_0": self.reserved,
            "%reserved_smem_offset_1": self.reserved,
            "%reserved_smem_offset_begin": self.reserved,
            "%envreg1": 0,
            "%envreg2": self.world.workspace,
            "%globaltimer": 0,
            "%globaltimer_lo": 0,
            "%globaltimer_hi": 0,
            "%dynamic_smem_size": launch.shared,
            "%total_smem_size": self.world.shared_size,
            "%aggr_smem_size": self.world.shared_size,
            "WARP_SZ": warp,
        }.get(name)

    @property
    def window(self) -> int:
        """Where the shared memory of the thread's block begins."""
        return self.world.window(self.block)

    def shared_window(self, space: str | None) -> tuple[int, int]:
        """Where the shared memory begins and ends that the thread may access: of its block (`shared`), or else that of
        its cluster."""
        if space == "shared":
            return self.window, self.window + OF_BLOCK
        first = self.world.window(self.siblings[0])
        return first, first + len(self.siblings) * OF_BLOCK

    @property
    def reserved(self) -> int:
        """Where shared memory begins that the system reserves; accesses to it are refused."""
        return self.window + OF_BLOCK - RESERVED

    # ---- memory of the thread alone

    def load_own(self, head: Head, offset: int, size: int) -> Number:
        """Bytes that no other thread sees."""
        found = self.state.memory.get(head, {})
        if (offset, size) in found:
            return _value(found[offset, size], lambda: self._own(head, offset, size))
        parts = sorted((at, width) for at, width in found if at < offset + size and offset < at + width)
        total: Number = 0
        missing = (1 << 8 * size) - 1
        for at, width in parts:
            for byte in range(max(at, offset), min(at + width, offset + size)):
                missing &= ~(0xFF << 8 * (byte - offset))
            part = _value(found[at, width], partial(self._own, head, at, width))
            total = _with_part(total, (part, at, width), offset, size)
        if not missing:
            return total
        return computed("or", 8 * size, partly(UNSET, 0, missing, 8 * size), total)

    def store_own(self, head: Head, offset: int, size: int, value: Number) -> None:
        found = self.state.memory.setdefault(head, {})
        overlaps = [(at, width) for at, width in found if at < offset + size and offset < at + width]
        if overlaps and overlaps != [(offset, size)]:
            for at, width in overlaps:
                self._cut(head, at, width)
            for at in range(offset, offset + size):
                found.pop((at, 1), None)
        found[offset, size] = self._held(value, lambda: self._own(head, offset, size))

    def _cut(self, head: Head, offset: int, size: int) -> None:
        """A number in memory becomes its bytes."""
        if size == 1:
            return
        found = self.state.memory[head]
        value = found.pop((offset, size))
        whole = resized(_value(value, lambda: self._own(head, offset, size)), 8 * size, 64, with_sign=False)
        for at in range(size):
            part = resized(computed("shr", 64, whole, 8 * at), 64, 8, with_sign=True)
            found[offset + at, 1] = self._held(part, partial(self._own, head, offset + at, 1))

    def _own(self, head: Head, offset: int, size: int) -> xcfa.Name:
        """The local that holds bytes that are not known."""
        kind, depth, name = head
        return self.local(f"{kind}{name}@{depth}+{offset}:{size}")


Three: TypeAlias = tuple[int, int, int]
_CLOCKS = ("%clock", "%clock_hi", "%clock64")
CLOCK = Nothing(
    "", "what a clock says decides something here, which is not supported", "leave delays and time-outs out"
)
_SUM = re.compile(r"([\w$%.~]+)\s*\+\s*(-?\s*\w+)\Z")
_OF_AXES = ("%tid", "%ntid", "%ctaid", "%nctaid", "%clusterid", "%nclusterid", "%cluster_ctaid", "%cluster_nctaid")


def _value(known: Known, local: Callable[[], xcfa.Name]) -> Number:
    """The number that a state has, which may be in a local."""
    if isinstance(known, Held):
        return local()
    if isinstance(known, Nothing) and isinstance(known.part, Held):
        return replace(known, part=local())
    return known


def is_stable(value: object) -> TypeGuard[xcfa.Name]:
    """Whether it is a local that gets no other value, as those that `fresh` makes do where nothing goes round."""
    return isinstance(value, xcfa.Name) and value.name.startswith("$")


def _with_part(total: Number, part: tuple[Number, int, int], offset: int, size: int) -> Number:
    """A number of `size` bytes from `offset` on, with what a part of memory has of it; the rest is 0 before."""
    value, at, width = part
    if at < offset:
        value = computed("shr", 64, resized(value, 8 * width, 64, with_sign=False), 8 * (offset - at))
        width -= offset - at
        at = offset
    width = min(width, offset + size - at)
    narrow = resized(value, 64, 8 * width, with_sign=False) if width < 8 else value
    plain = resized(narrow, 8 * width, 64, with_sign=False)
    moved = computed("or", 64, total, computed("shl", 64, plain, 8 * (at - offset)))
    return resized(moved, 64, 8 * size, with_sign=True)
