"""A thread of a launch, evaluated as far as its values are known.

A state is where the thread is (calls, instruction) and what is known there. Each is a label of the automaton; what is
not known is a local variable. So loops whose tests are known are unrolled, calls are inlined, and what a constant
decides is decided. Registers that nobody reads any more are left out, so that states meet. A place with many states
forgets what they differ in: its value goes into its local. So loops of which the end is not known stay loops.
"""

from __future__ import annotations

from typing import NamedTuple, NoReturn, TypeAlias

from xgen.errors import UnsupportedError
from xgen.frontends.assembly import Branch, assemble
from xgen.frontends.llvm.tidy import tidied
from xgen.frontends.ptx.copies import Copies
from xgen.frontends.ptx.liveness import live
from xgen.frontends.ptx.module import DECLARES, Instruction
from xgen.frontends.ptx.numbers import Nothing, expression, negated, signed
from xgen.frontends.ptx.operands import Frame, Head, Held, Known, Refused, State, Unreachable, is_stable
from xgen.frontends.ptx.text import split
from xgen.frontends.ptx.world import STATES
from xgen.frontends.reductions.steps import locals_of, simplified
from xgen.program import automaton as xcfa
from xgen.program import uses
from xgen.program.automaton import IntLiteral, Name

MANY = 40
"""So many states of a place are told apart before what they differ in is forgotten."""
DEEP = 48
"""So deep are calls nested, at most."""
FAILURES = ("__assertfail", "__assert_fail", "__assert_rtn")
IDLE = {"vprintf": 0, "__nanosleep": 0, "nanosleep": 0}
"""Functions without a body that do nothing that is looked at, and what they give back."""

Point = tuple[Frame, ...]


class Register(NamedTuple):
    """A register of a call."""

    depth: int
    name: str


class Part(NamedTuple):
    """Bytes of memory that the thread has for itself."""

    head: Head
    offset: int
    size: int


class Round(NamedTuple):
    """How often the thread has come to a meeting."""

    what: str


Item: TypeAlias = Register | Part | Round
"""What a state knows the value of."""


class Thread(Copies):
    """What a thread does, as steps."""

    def run(self) -> None:
        """Follows the thread from the start of the kernel through all of its states."""
        self.steps, self.labels, self.types, self.count = [], {}, {}, 0
        self.known: dict[object, str] = {}
        self.visits: dict[Point, int] = {}
        self.last: dict[Point, dict[Item, Known]] = {}
        self.forgotten: dict[Point, set[Item]] = {}
        self.todo: list[tuple[str, State]] = []
        kernel = self.world.kernel
        memory: dict[Head, dict[tuple[int, int], Known]] = {}
        bound = []
        for (name, size), value in zip(kernel.parameters, self.world.arguments, strict=True):
            memory["p", 0, name] = {(0, size): signed(value, 8 * size)}
            bound.append((name, ("p", 0, name)))
        self.position = kernel.position
        self.go(State((Frame(kernel, 0, tuple(bound)),), {}, memory, {}))
        while self.todo:
            label, self.state = self.todo.pop()
            self.do(label)
            self._walk()

    # ---- states

    def go(self, state: State) -> None:
        """Goes on in a state: a jump to its label."""
        label, new = self._label_of(state)
        self.branch(None, label)
        if new:
            self.todo.append((label, state))

    def _label_of(self, state: State) -> tuple[str, bool]:
        self._drop_dead(state)
        self._settle(state)
        point = state.frames
        visits = self.visits[point] = self.visits.get(point, 0)
        if visits > MANY:
            self._forget(state, point)
        items = _items(state)
        self.last[point] = items
        key = point, frozenset(items.items())
        if key in self.known:
            return self.known[key], False
        self.visits[point] += 1
        self.world.states += 1
        if self.world.states > STATES:
            raise UnsupportedError(f"the threads of this launch have more than {STATES} states", None, self.position)
        label = self.known[key] = self.label()
        return label, True

    def _drop_dead(self, state: State) -> None:
        """Leaves out what nobody reads from here on."""
        parameters = set[Head]()
        for depth, frame in enumerate(state.frames):
            alive = live(frame.function)[frame.pc]
            for key in [key for key in state.registers if key[0] == depth and key[1] not in alive]:
                del state.registers[key]
            bound = dict(frame.bound)
            parameters |= {bound.get(name, ("p", depth, name)) for name in alive}
        for head in [head for head in state.memory if head[0] == "p" and head not in parameters]:
            del state.memory[head]

    def _settle(self, state: State) -> None:
        """What is in locals that are of this way only goes into those of its place."""
        for (depth, name), value in state.registers.items():
            if is_stable(value):
                width = state.frames[depth].function.width(name)
                assert width is not None
                self.do(xcfa.Assign(self.register(depth, name, width), value, self.position))
                state.registers[depth, name] = Held.LOCAL
        for head, parts in state.memory.items():
            for (offset, size), value in parts.items():
                if is_stable(value):
                    self.do(xcfa.Assign(self._own(head, offset, size), value, self.position))
                    parts[offset, size] = Held.LOCAL

    def _forget(self, state: State, point: Point) -> None:
        """What differs between the states of a place goes into locals."""
        gone = self.forgotten.setdefault(point, set())
        now, before = _items(state), self.last[point]
        gone |= {item for item, value in now.items() if item in before and value != before[item]}
        for item in gone:
            value = now.get(item)
            if isinstance(value, int):
                self._hold(state, item, value)

    def _hold(self, state: State, item: Item, value: int) -> None:
        """A known value goes into its local."""
        literal: xcfa.Expression = IntLiteral(value)
        match item:
            case Register(depth, name):
                width = state.frames[depth].function.width(name)
                assert width is not None
                target = self.register(depth, name, width)
                state.registers[depth, name] = Held.LOCAL
                literal = xcfa.BoolLiteral(bool(value)) if width == 1 else literal
            case Part(head, offset, size):
                target = self._own(head, offset, size)
                state.memory[head][offset, size] = Held.LOCAL
            case Round():
                return  # who has come how often is known
        self.do(xcfa.Assign(target, literal, self.position))

    # ---- the way

    def _walk(self) -> None:
        """Goes on from a state to where it meets others, or ends."""
        first = True
        while True:
            frame = self.state.frames[-1]
            if not first and frame.pc in frame.function.targets.values():
                self.go(self.state)
                return
            first = False
            try:
                if not self._step(frame):
                    return
            except Unreachable:
                return
            except Refused as error:
                self._refuse(error)
                return

    def _refuse(self, error: Refused) -> None:
        found = UnsupportedError(error.message, self.world.module.source, self.position, error.hint)
        self.world.refused.append(found)
        self.branch(None, "")

    def _step(self, frame: Frame) -> bool:
        """Does an instruction; whether the walk goes on here."""
        if frame.pc >= len(frame.function.body):
            self._return()
            return True
        instruction = self.instruction = frame.function.body[frame.pc]
        if instruction.position is not None:
            self.position = instruction.position
        if instruction.predicate is None:
            return self._do(instruction, frame)
        name, inverse = instruction.predicate
        truth = self.truth(name)
        truth = negated(truth) if inverse else truth
        if isinstance(truth, Nothing):
            self.nothing(truth)
        if isinstance(truth, bool):
            if truth:
                return self._do(instruction, frame)
            self._next(frame)
            return True
        return self._fork(instruction, frame, truth)

    def _fork(self, instruction: Instruction, frame: Frame, truth: xcfa.Expression) -> bool:
        """Goes both ways: where the predicate holds, and where it does not."""
        other, beyond = self.state.copy(), self.label()
        opposite = negated(truth)
        assert not isinstance(opposite, Nothing)
        self.branch(expression(opposite), beyond)
        position = self.position
        try:
            if self._do(instruction, frame):
                self.go(self.state)
        except Unreachable:
            pass
        except Refused as error:
            self._refuse(error)
        self.position = position
        self.do(beyond)
        self.state = other
        self._next(frame)
        self.go(self.state)
        return False

    def _next(self, frame: Frame, pc: int | None = None) -> None:
        """Goes on at another instruction of a frame, the next one if none is said."""
        new = Frame(frame.function, frame.pc + 1 if pc is None else pc, frame.bound)
        self.state.frames = (*self.state.frames[:-1], new)

    def again(self) -> None:
        if self.visits.get(self.state.frames, 0) >= MANY:  # what is known would be forgotten
            raise Refused("a mask of lanes that is computed is not supported where a thread may come in so many states")
        self.go(self.state)

    def pass_on(self) -> None:
        self._next(self.state.frames[-1])
        self.go(self.state)

    def _do(self, instruction: Instruction, frame: Frame) -> bool:
        word = instruction.words[0]
        if word == "bra":
            self._next(frame, frame.function.targets[frame.pc])
            if instruction.predicate is None:
                self.go(self.state)
                return False
            return True
        if word in ("ret", "exit"):
            if word == "exit" or len(self.state.frames) == 1:
                self.leave()
                self.end()
            self._return()
            return True
        if word == DECLARES:
            self.state.memory.pop(("p", self.state.depth, instruction.operands[0]), None)
            self._next(frame)
            return True
        if word == "trap":
            self.fail("exit")
        if word == "call":
            self._call(instruction, frame)
            return True
        words, operands = instruction.words, instruction.operands
        if not (
            self.compute(instruction.name, operands) or self.access(words, operands) or self.together(words, operands)
        ):
            self.unknown()
        self._next(frame)
        return True

    # ---- calls

    def _call(self, instruction: Instruction, frame: Frame) -> None:
        operands = list(instruction.operands)
        results = split(operands.pop(0).strip("()")) if operands and operands[0].startswith("(") else []
        if not operands:
            raise Refused("this call names no function")
        name = operands.pop(0)
        given = split(operands[0].strip("() ")) if operands else []
        if name in FAILURES:
            self.fail("assertion")
        depth = self.state.depth
        function = self.world.module.functions.get(name)
        if function is None and self.function.width(name) is not None:
            address = self.needed(self.number_of(name, 64))
            function = self.world.functions.get(address) if isinstance(address, int) else None
            if function is None:
                raise Refused("a call through a pointer that is not known is not supported")
        if function is None:
            if name not in IDLE:
                hint = "its body is in another module, or in the compiler's runtime"
                raise Refused(f"a call of `{name}` is not supported", hint)
            for each in results:
                self.store_own(("p", depth, each), 0, 4, IDLE[name])
            self._next(frame)
            return
        if depth + 1 >= DEEP:
            raise Refused(f"calls of `{name}` are nested too deeply: recursion is not supported")
        if len(given) != len(function.parameters) or len(results) != len(function.results):
            raise Refused(f"this call of `{name}` has other parameters than the function")
        mine = dict(frame.bound)
        formal = (*function.parameters, *function.results)
        bound = tuple(
            (parameter, mine.get(actual, ("p", depth, actual)))
            for (parameter, _), actual in zip(formal, (*given, *results), strict=True)
        )
        self._next(frame)
        self.state.frames = (*self.state.frames, Frame(function, 0, bound))

    def _return(self) -> None:
        """Back to where the function was called."""
        depth = self.state.depth
        if depth == 0:
            self.leave()
            self.end()
        self.state.frames = self.state.frames[:-1]
        for key in [key for key in self.state.registers if key[0] == depth]:
            del self.state.registers[key]
        for head in [head for head in self.state.memory if head[1] == depth]:
            del self.state.memory[head]

    # ---- what becomes of it

    def process(self, names: dict[tuple[int | None, int], str]) -> xcfa.Process:
        """The thread as a process. `names`: of cells, by address and width."""

        def named(place: xcfa.AnyPlace) -> xcfa.AnyPlace:
            if not isinstance(place, xcfa.Deref) or not isinstance(place.address, IntLiteral):
                return place
            return xcfa.Place(Name(names[place.address.value, place.width], place.position))

        steps = [uses.changed(step, lambda value: value, named) for step in tidied(simplified(self.steps))]

        def missing(branch: Branch) -> NoReturn:
            raise AssertionError(f"no label {branch.label}")

        locations, edges = assemble(steps, [*self.labels], missing)
        used = {name for step in steps for name in locals_of(step)}
        used |= {step.local.name for step in steps if isinstance(step, xcfa.Scope)}
        variables = tuple(xcfa.Variable(name, self.types[name], shown=False) for name in sorted(used))
        main = xcfa.Procedure("main", True, (), (), locations, edges)
        return xcfa.Process(self.name, True, variables, (main,), position=self.world.kernel.position)


def _items(state: State) -> dict[Item, Known]:
    """What is known of a state, each thing by what it is of."""
    found: dict[Item, Known] = {Register(*key): value for key, value in state.registers.items()}
    for head, parts in state.memory.items():
        for (offset, size), value in parts.items():
            found[Part(head, offset, size)] = value
    for what, number in state.rounds.items():
        found[Round(what)] = number
    return found
