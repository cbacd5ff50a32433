"""Running through functions: while every branch is known, block by block; then whole regions become steps with labels.

Main runs alone at first. A branch that is not known leads to a region: the blocks up to where all its ways meet again.
If it decides whether a loop goes on, what the loop's last round has done is taken back, and the region is the loop.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import field
from typing import NoReturn

from xgen.errors import Position
from xgen.frontends.limits import ROUNDS, WRITTEN
from xgen.frontends.llvm.language.exceptions import Thrown
from xgen.frontends.llvm.language.instructions import Activation
from xgen.frontends.llvm.language.known_bytes import Values
from xgen.frontends.llvm.language.lifetimes import Lifetimes
from xgen.frontends.llvm.language.slots import One, Slot, of_names, settled
from xgen.frontends.llvm.language.translation import TranslateAgain, Unreachable
from xgen.frontends.llvm.text.ir import CASTS, Function, Instruction
from xgen.frontends.llvm.text.regions import Shape, shape_of
from xgen.frontends.llvm.text.tokens import Global, Local, Number, Operand
from xgen.frontends.llvm.text.types import LONG, Array, Int, Struct, Type, is_wide, parts
from xgen.frontends.llvm.values import (
    Cell,
    Either,
    Register,
    Uninitialised,
    Value,
    condition,
    expression,
    masked,
    parted,
)
from xgen.program import automaton as xcfa
from xgen.program.automaton import Binary, IntLiteral, Name, Unary, postorder
from xgen.records import dataclass, replace

WAITS = 500
"""After so many rounds of a loop, main waits in it for a thread that it has started, and is alone no more."""
BLOCKS = 2_000_000
"""Main runs through so many blocks alone before it is thought not to end."""
FRAMES = 200
"""So many calls are inside each other at most."""
_LAST = ("br", "switch", "ret", "unreachable", "invoke", "resume")
_AGAIN = frozenset([*CASTS, "add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr", "icmp", "select"])


@dataclass(eq=False, slots=True)
class Mark:
    """What there was when a loop's head was reached last."""

    previous: str | None
    steps: int
    values: dict[str, Value | None]
    known: Values
    written: dict[Cell, Position | None]
    bodies: int
    joined: int
    memory: tuple[int, int, int, dict[str, int]]
    objects: int
    at_exit: int
    joins: dict[int, int]
    single_threaded: bool
    tick: int
    thrown: list[int]
    exits: int = 0  # what is called at the thread's end


@dataclass(eq=False, slots=True)
class Called:
    """How a call has ended at which something may be thrown: what it gives, if that is known; where it goes on: if a
    local is 0, as it should; else with what its landing pad is given."""

    value: Value | None
    thrown: str
    landed: Value


@dataclass(eq=False, slots=True)
class Region:
    """A part of a function that becomes steps: what is called where, where it goes on, and what it gives."""

    here: Activation
    shape: Shape
    stop: str | None
    labels: dict[str, str]
    exit: str
    slots: dict[str, Slot]
    circles: set[str]
    reached: set[str]
    returned: list[Value]
    result: Slot | None = None
    left: bool = False
    called: Called | None = None  # how the call has ended that the region begins with
    rounds: dict[str, str] = field(default_factory=dict)  # by the heads of loops: the locals that count them


_OF_TEXT = "8__format12__vformat_to"
"""In the name of what goes through the text that `std::format` is given, which is known as a rule: each number that it
finds there is written at length."""


class Interpreter(Lifetimes):
    """Functions, from their first block to their return."""

    call: Callable[[Activation, Instruction], Value | None]

    def call_body(self, function: Function, arguments: list[Value]) -> Value | None:
        """The function's body, here."""
        if len(self.calls) >= FRAMES:
            raise self.unsupported(
                f"recursion so deep (of `{self.world.metadata.function(function.place, function.name)}`) is"
            )
        values: dict[str, Value | None] = {
            name: argument for (name, _), argument in zip(function.parameters, arguments, strict=False)
        }
        if function.makes:
            self.must_fit(arguments[0], function.makes)
        here = Activation(function, values, [])
        self.calls.append(here)
        try:
            result = self.run(here) if self.on_one_path else self.region(here, function.entry, 0, None, None)
            self.end_objects(here)
            return result
        except Thrown:
            self.end_objects(here)
            raise
        finally:
            self.calls.pop()

    def given_back(self, here: Activation, i: Instruction) -> Value | None:
        """What a function returns; where it is said that it has a value, it has to."""
        if not i.operands:
            return None
        if here.function.gives_reference:
            self.must_be_inside(here, i.operands[0][1])
        given = self.raw_operand(here, i, 0)
        if not here.function.gives_value:
            return given
        given = self.used(given)
        return replace(given, lack=None) if isinstance(given, Register) and given.lack is not None else given

    # ---- straight on

    def run(self, here: Activation) -> Value | None:
        block, previous = here.function.entry, None
        shape = shape_of(self.world.module, here.function)
        visits: dict[str, int] = {}
        first: dict[str, int] = {}  # how many steps there were when a block was reached first
        marks: dict[str, Mark] = {}
        most = 20 * WRITTEN if _OF_TEXT in here.function.name else WRITTEN
        while True:
            visits[block] = visits.get(block, 0) + 1
            written = len(self.steps) - first.setdefault(block, len(self.steps))
            if visits[block] > WAITS and self.single_threaded and len(self.world.bodies) > 1 and block in marks:
                self.share_from(marks[block].tick)
            self.tick(visits[block])
            if block in shape.loops:
                marks[block] = self.mark(here, previous)
            long = block in shape.loops and (visits[block] > ROUNDS or written > most)
            long = long or (self.world.options.unroll is not None and shape.never_left(block))
            if long and not self.single_threaded and previous is not None:
                join = self.outside(shape, block, block)
                result = self.region(here, block, 0, previous, join)
                if join is None:
                    return result
                block, previous = join, None
                continue
            at, i = self.block(here, block, previous)
            if i.op == "ret":
                return self.given_back(here, i)
            if i.op == "unreachable":
                self.unreachable()
            called: Called | None = None
            if i.op == "resume":
                self.resume(here, i)
            if i.op == "invoke":
                found = self.invoked(here, block, i)
                target, called = (found, None) if isinstance(found, str) else (None, found)
            else:
                target = self.known_target(here, i)
            if target is not None:
                previous, block = block, target
                continue
            head, join = self.loop_of(shape, block, marks), shape.join(block)
            if head is not None:
                previous = self.take_back(here, marks[head])
                block, at, called = head, 0, None
                join = self.outside(shape, head, head)
            result = self.region(here, block, at, previous, join, called)
            if join is None:
                return result
            block, previous = join, None

    def invoked(self, here: Activation, block: str, i: Instruction) -> str | Called:
        """Calls what may throw something that lands here: the block that comes next, or how it has ended."""
        landing, joined = self.landing(here, block, i), self.joined
        returns, value = True, None
        self.landings.append(landing)
        try:
            value = self.call(here, i)
        except Thrown as thrown:
            if thrown.landing is not landing:
                raise
            if not landing.thrown:
                here.landed = (thrown.thing, self.selector(landing, thrown.type))
                return i.successors[1]
            returns = False
            with suppress(Unreachable):
                self.land(landing, thrown.thing, thrown.type)
        except Unreachable:
            if not landing.thrown:
                raise
            returns = False
        finally:
            self.landings.pop()
        if i.name is not None:
            here.values[i.name] = value
        if not landing.thrown:
            return i.successors[0]
        thrown_here, end = self.fresh(), self.label()
        if returns:
            self.assign(thrown_here, IntLiteral(0))
            self.branch(None, end)
        self.emit(landing.label)
        self.assign(thrown_here, IntLiteral(1))
        landed = self.landed(landing)
        self.emit(end)
        self.joined = joined
        if not returns:
            here.landed = landed
            return i.successors[1]
        return Called(value, thrown_here, landed)

    def tick(self, visits: int) -> None:
        if not self.single_threaded:
            return
        self.world.steps += 1
        until = self.facts.together_until
        if until is not None and self.world.steps >= until:
            self.end_single_threaded()
        if self.world.steps > BLOCKS or visits > BLOCKS:
            raise self.unsupported("a program that runs so long before it starts threads is")

    def block(self, here: Activation, block: str, previous: str | None) -> tuple[int, Instruction]:
        """Does all that a block does; its last instruction, and where that is."""
        self.end_left(here, block)
        chosen: dict[str, Value] = {}
        for at, i in enumerate(self.world.module.block(here.function, block)):
            if i.op == "phi":
                if previous is not None:
                    assert i.name is not None
                    chosen[i.name] = self.value(here, i.about[previous], i.type)
                continue
            if chosen:
                here.values.update(chosen)
                chosen = {}
            if i.op in _LAST:
                self.place_now = i.place if i.place is not None else self.place_now
                return at, i
            if i.op == "landingpad":
                assert i.name is not None
                if here.landed is not None:
                    here.values[i.name], here.landed = here.landed, None
                continue
            self.step(here, i)
        raise AssertionError("a block ends nowhere")

    def step(self, here: Activation, i: Instruction) -> Value | None:
        value = self.do(here, i)
        if i.name is not None:
            here.values[i.name] = value
        return value

    def unreachable(self) -> None:
        """What gets here has no meaning: calls that do not return end before."""
        self.fail("assertion")
        raise Unreachable

    def known_target(self, here: Activation, i: Instruction) -> str | None:
        """Where a branch goes, if that is known."""
        targets: tuple[str, ...] | tuple[str, list[tuple[Operand, str]]] = i.about
        if i.op == "br" and len(targets) == 1:
            return str(targets[0])
        test = self.operand(here, i, 0)
        if i.op == "br" and self.world.options.overflow and self._is_trap(here.function, str(targets[1])):
            self.check(condition(test), "overflow")
            return str(targets[0])
        if not isinstance(test, int):
            return None
        if i.op == "br":
            return str(targets[0 if test & 1 else 1])
        other, cases = i.about
        return str(next((label for value, label in cases if value == Number(test)), other))

    def _is_trap(self, function: Function, block: str) -> bool:
        """Whether a block is what the compiler leads to where a number overflows."""
        first = self.world.module.block(function, block)[0]
        return first.op == "call" and isinstance(first.about, Global) and first.about.name == "llvm.ubsantrap"

    # ---- loops

    def mark(self, here: Activation, previous: str | None) -> Mark:
        world = self.world
        return Mark(
            previous,
            len(self.steps),
            dict(here.values),
            self.snapshot(),
            dict(self.written),
            len(world.bodies),
            self.joined,
            world.memory.mark(),
            len(here.objects),
            len(world.at_exit),
            dict(world.joined),
            self.single_threaded,
            world.steps,
            [len(landing.thrown) for landing in self.landings],
        )

    def loop_of(self, shape: Shape, block: str, marks: dict[str, Mark]) -> str | None:
        """The head of the outermost loop that a branch may leave."""
        join, found = shape.join(block), None
        for head, body in shape.loops.items():
            leaves = block in body and join not in body and head in marks and marks[head].previous is not None
            if leaves and (found is None or len(body) > len(shape.loops[found])):
                found = head
        return found

    def outside(self, shape: Shape, block: str, head: str) -> str | None:
        """Where all ways from a block meet behind a loop."""
        join = shape.join(block)
        while join is not None and join in shape.loops[head]:
            join = shape.join(join)
        return join

    def share_from(self, tick: int) -> NoReturn:
        """Translates all once more, with main sharing from a step on."""
        until = self.facts.together_until
        self.facts.together_until = tick if until is None else min(until, tick)
        raise TranslateAgain

    def take_back(self, here: Activation, mark: Mark) -> str | None:
        """Back to a loop's head."""
        world = self.world
        if mark.single_threaded and not self.single_threaded:
            self.share_from(mark.tick)
        assert not self.single_threaded
        del self.steps[mark.steps :]
        here.values = dict(mark.values)
        self.go_back(mark.known)
        self.written = dict(mark.written)
        del world.bodies[mark.bodies :], here.objects[mark.objects :], world.at_exit[mark.at_exit :]
        self.joined, world.joined = mark.joined, dict(mark.joins)
        for landing, count in zip(self.landings, mark.thrown, strict=True):
            del landing.thrown[count:]
        world.memory.cut(mark.memory)
        there = world.memory.by_name
        world.own = {key: found for key, found in world.own.items() if there.get(found.name) is found}
        return mark.previous

    def unchanged(self, here: Activation, blocks: list[str]) -> set[str]:
        """Values that each round computes anew, and always the same."""
        code = [i for block in blocks for i in self.world.module.block(here.function, block) if i.name is not None]
        defined = {i.name for i in code}
        found: set[str] = set()

        def same(operand: Operand) -> bool:
            if not isinstance(operand, Local):
                return True
            known = isinstance(here.values.get(operand.name), int)
            return known and (operand.name not in defined or operand.name in found)

        grown = True
        while grown:
            grown = False
            for i in code:
                assert i.name is not None
                if i.name in found or not isinstance(here.values.get(i.name), int):
                    continue
                if all(same(operand) for _, operand in i.operands) and self._gives_the_same(here, i):
                    found.add(i.name)
                    grown = True
        return found

    def _gives_the_same(self, here: Activation, i: Instruction) -> bool:
        if i.op in _AGAIN or i.op == "getelementptr":
            return True
        if i.op != "load" or (not isinstance(i.type, Int) and str(i.type) != "ptr"):
            return False
        pointer = self.operand(here, i, 0)
        place = self.found(pointer, self.width(i.type)) if isinstance(pointer, int) else None
        if place is None:
            return False
        width = self.width(i.type)
        if place[0].constant:
            return True
        self.facts.use(self.who, *place, width)
        return self.never_changes(*place, width, self.order_of(i))

    # ---- regions

    def region(
        self,
        here: Activation,
        first: str,
        at: int,
        previous: str | None,
        stop: str | None,
        called: Called | None = None,
    ) -> Value | None:
        """All blocks from one on, or from an instruction of it, up to where the ways meet or return."""
        shape = shape_of(self.world.module, here.function)
        was, self.on_one_path = self.on_one_path, False
        begun = at > 0 or called is not None
        starts = [each for each in shape.following[first] if each != stop] if begun else [first]
        order = shape.reached(starts, stop)
        circles = shape.circles(order, stop)
        here.values = dict(here.values)
        slots = self.slots(here, order, stop, circles)
        labels = {block: self.label() for block in order}
        exit_ = self.label()
        if stop is not None:
            labels[stop] = exit_
        region = Region(here, shape, stop, labels, exit_, slots, circles, set(), [], called=called)
        region.rounds = self.counted(here, region, order)
        try:
            if begun:
                self.region_block(region, first, at)
            elif previous is not None:
                self.edge(region, previous, first)
            else:
                region.reached.add(first)
                self.branch(None, labels[first])
            done: set[str] = set()
            while left := [block for block in order if block in region.reached and block not in done]:
                if left[0] in circles:
                    self.emit_head(labels[left[0]], f"{here.function.name} {left[0]}")
                    if left[0] in region.rounds:
                        most = self.world.options.unroll or 0
                        self.emit(xcfa.Bound(Name(region.rounds[left[0]]), most, self.position))
                else:
                    self.emit(labels[left[0]])
                    self.settle(here, left[0])
                self.region_block(region, left[0], 0)
                done.add(left[0])
            self.emit(exit_)
        finally:
            self.on_one_path = was
        if not region.left:
            raise Unreachable
        if stop is not None:
            self.settle(here, stop)
        return None if stop is not None else self.returned(region)

    def counted(self, here: Activation, region: Region, order: list[str]) -> dict[str, str]:
        """Locals that count the rounds of the loops of a region, if there is a bound on them. (The library's functions
        of C have loops that end.)"""
        if self.world.options.unroll is None or self._is_shipped(here.function):
            return {}
        counters = {head: self.fresh("rounds") for head in order if head in region.circles & region.shape.loops.keys()}
        for counter in counters.values():
            self.assign(counter, IntLiteral(0))
        return counters

    def _is_shipped(self, function: Function) -> bool:
        from xgen.frontends.c.text.shipped_bodies import is_shipped  # rarely asked for

        return is_shipped(self.world.metadata.source(self.world.metadata.node(function.place).get("file")))

    def slots(self, here: Activation, order: list[str], stop: str | None, circles: Collection[str]) -> dict[str, Slot]:
        """Locals for values that have had others before, and for those that depend on the way."""
        module, found = self.world.module, dict[str, Slot]()
        same = self.unchanged(here, order)
        for block in [*order, *([] if stop is None else [stop])]:
            for i in module.block(here.function, block):
                if i.name is None or i.name in found:
                    continue
                old = here.values.get(i.name)
                if i.op in ("phi", "landingpad"):
                    pass
                elif block == stop or old is None or i.name in same or i.op == "alloca":
                    continue
                slot = self.slot(i.result, self.hint(here, i), f"{self.path} {here.function.name} {i.name}")
                found[i.name] = slot
                if old is not None:  # ways to the head of a loop, where they meet, may leave it as it was
                    self.fill(slot, old)
                value = here.values[i.name] = self.of_slot(slot, i.result, [] if old is None else [old])
                number = value.value if isinstance(value, Uninitialised) else value
                if i.op == "phi" and block in circles and isinstance(number, Register) and number.bits == 64:
                    place = f"{self.number} {self.path} {here.function.name} {i.name}"
                    self.world.later.append(self.world.points.circles(place, number))
        return found

    def settle(self, here: Activation, block: str) -> None:
        """All ways to a block are there: what is the same number on each of them is known."""
        for i in self.world.module.block(here.function, block):
            if i.op != "phi":
                return
            assert i.name is not None
            here.values[i.name] = settled(here.values[i.name])

    def slot(self, type_: Type, hint: str, place: str) -> Slot:
        """`place`: where it is in the thread, the same in all rounds."""
        if isinstance(type_, Struct | Array) or is_wide(type_):
            return tuple(self.slot(inner, hint, f"{place} {at}") for at, inner in parts(type_))
        place = f"{self.number} {place}"
        return One(self.fresh(hint), self.fresh(f"{hint} unset") if place in self.facts.slots else None, place)

    def fill(self, slot: Slot, value: Value) -> None:
        for name, part in self.flat(slot, value):
            self.assign(name, expression(part))

    def flat(self, slot: Slot, value: Value) -> list[tuple[str, Value]]:
        """The locals of a slot, and what they get."""
        if isinstance(slot, tuple):
            pairs = zip(slot, parted(value, len(slot)), strict=True)
            return [pair for each, part in pairs for pair in self.flat(each, part)]
        number, missing = masked(value)
        if missing != 0:
            self.facts.slots.add(slot.place)
        self.passes_on(value, slot.lack)
        return [(slot.name, number)] + ([] if slot.missing is None else [(slot.missing, missing)])

    def of_slot(self, slot: Slot, type_: Type, sources: list[Value]) -> Value:
        """What is in a slot: it comes from one of these."""
        if isinstance(slot, One):
            bits, either = type_.bits if isinstance(type_, Int) else 64, [masked(source) for source in sources]
            return slot.value(Either([number for number, _ in either]), bits, Either([none for _, none in either]))
        inner = [each for _, each in parts(type_)]
        split: list[list[Value]] = [[] for _ in slot]
        for source in sources:
            for number, part in enumerate(parted(source, len(slot))):
                split[number].append(part)
        return tuple(self.of_slot(each, kind, of) for each, kind, of in zip(slot, inner, split, strict=True))

    def comes_from(self, value: Value | None, source: Value) -> None:
        """Says that a value may be another one."""
        if isinstance(value, tuple):
            for each, part in zip(value, parted(source, len(value)), strict=True):
                self.comes_from(each, part)
        elif isinstance(value, Uninitialised):
            for each, part in zip(masked(value), masked(source), strict=True):
                self.comes_from(each, part)
        else:
            source = masked(source)[0]
            assert isinstance(value, Register)
            assert isinstance(value.origin, Either)
            value.origin.values.append(source)

    def edge(self, region: Region, source: str, target: str, landed: Value | None = None) -> None:
        """From one block to another, with the values that the other has by this way; `landed`: its landing pad."""
        here = region.here
        if source in region.circles and target not in region.circles:
            self.looping -= 1
            self.end_left(here, source, behind=True)
            self.looping += 1
        chosen: list[tuple[Slot, Value]] = []
        for i in self.world.module.block(here.function, target):
            if i.op not in ("phi", "landingpad"):
                break
            assert i.name is not None
            value = self.value(here, i.about[source], i.type) if i.op == "phi" else landed
            assert value is not None
            self.comes_from(here.values[i.name], value)
            chosen.append((region.slots[i.name], value))
        flat = [pair for slot, value in chosen for pair in self.flat(slot, value)]
        read = {part.name for _, value in flat for part in postorder(expression(value)) if isinstance(part, Name)}
        if len(flat) > 1 and read & {name for name, _ in flat}:
            flat = [(name, self.copy(value)) for name, value in flat]
        for name, value in flat:
            self.assign(name, expression(value))
        if target in region.rounds and source not in region.shape.loops[target]:
            self.assign(region.rounds[target], IntLiteral(0))
        if target == region.stop:
            region.left = True
        else:
            region.reached.add(target)
        self.branch(None, region.labels[target])

    def region_block(self, region: Region, block: str, at: int) -> None:
        here, before = region.here, self.looping
        self.looping += block in region.circles
        try:
            self.end_left(here, block)
            for i in self.world.module.block(here.function, block)[at:]:
                self.place_now = i.place if i.place is not None else self.place_now
                if i.op in ("phi", "landingpad"):
                    continue
                if i.op in _LAST:
                    self.leave(region, block, i)
                    return
                kept = here.values.get(i.name or "")
                value = self.step(here, i)
                if i.name in region.slots:
                    here.values[i.name] = kept
                    self.set_result(region, i, value)
        except Unreachable:
            self.branch(None, "")
        finally:
            self.looping = before

    def leave(self, region: Region, block: str, i: Instruction) -> None:
        """The last instruction of a block."""
        if i.op == "invoke":
            self.leave_call(region, block, i)
        elif i.op == "resume":
            self.resume(region.here, i)
        elif i.op == "unreachable":
            self.unreachable()
        elif i.op == "ret":
            value = self.given_back(region.here, i)  # it ends here where nothing is there to give
            region.left = True
            if value is not None:
                region.returned.append(value)
                if region.result is None:
                    region.result = self.slot(i.type, "", f"{self.path} {region.here.function.name}")
                self.fill(region.result, value)
            self.branch(None, region.exit)
        elif (target := self.known_target(region.here, i)) is not None:
            self.edge(region, block, target)
        elif i.op == "br":
            here = self.label()
            self.branch(condition(self.operand(region.here, i, 0)), here)
            self.edge(region, block, i.about[1])
            self.emit(here)
            self.edge(region, block, i.about[0])
        else:
            test = self.operand(region.here, i, 0)
            for operand, target in i.about[1]:
                following = self.label()
                case = self.world.memory.constant(operand, LONG)
                self.branch(Unary("not", Binary("=", expression(test), IntLiteral(_number(case)))), following)
                self.edge(region, block, target)
                self.emit(following)
            self.edge(region, block, i.about[0])

    def leave_call(self, region: Region, block: str, i: Instruction) -> None:
        """A call in which something may be thrown that lands here."""
        called, region.called = region.called, None
        if called is not None:
            landing_at = self.label()
            self.branch(Binary("/=", Name(called.thrown), IntLiteral(0)), landing_at)
            self.set_result(region, i, called.value)
            self.edge(region, block, i.successors[0])
            self.emit(landing_at)
            self.edge(region, block, i.successors[1], called.landed)
            return
        landing = self.landing(region.here, block, i)
        self.landings.append(landing)
        try:
            value = self.call(region.here, i)
        except Unreachable:
            if not landing.thrown:
                raise
            self.branch(None, "")
        else:
            self.set_result(region, i, value)
            self.edge(region, block, i.successors[0])
        finally:
            self.landings.pop()
        if landing.thrown:
            self.emit(landing.label)
            self.edge(region, block, i.successors[1], self.landed(landing))

    def set_result(self, region: Region, i: Instruction, value: Value | None) -> None:
        """What an instruction gives, in its place."""
        slot, kept = region.slots.get(i.name or ""), region.here.values.get(i.name or "")
        if slot is not None:
            assert value is not None
            self.fill(slot, value)
            self.comes_from(kept, value)
            value = kept
        if i.name is not None:
            region.here.values[i.name] = value

    def returned(self, region: Region) -> Value | None:
        returned = region.returned
        if not returned or region.result is None:
            return None
        if all(isinstance(value, int) and value == returned[0] for value in returned):
            return returned[0]
        return of_names(region.result, returned)


def _number(value: Value) -> int:
    assert isinstance(value, int)
    return value
