"""What an architecture's module talks to: it takes the effects of a thread's instructions and makes its automaton."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import NoReturn

from xgen.errors import Position, ProgramError, Source, UnsupportedError, nearest
from xgen.frontends.assembly import Branch, Step, assemble
from xgen.frontends.litmus.barriers import Barrier, Gap, Rounds
from xgen.frontends.litmus.initial import Initial
from xgen.frontends.litmus.layout import Access, Layout, element_of
from xgen.frontends.litmus.values import Address, Value
from xgen.program import automaton as xcfa
from xgen.program import uses
from xgen.records import dataclass, replace

_COMPUTED = frozenset({"fetch_add", "fetch_sub", "fetch_min", "fetch_max"})
"""Updates whose result depends on how many bits they have; the others make stored values of stored values."""


@dataclass(frozen=True, slots=True)
class Operand:
    """An operand of an instruction, or a name in one, as written; without blanks around it."""

    text: str
    position: Position


def _is_barrier(step: Step, position: Position) -> bool:
    """Whether it is the read that stands for the barrier at a place."""
    return isinstance(step, xcfa.Load) and "bar" in step.tags and step.position == position


class Thread:
    """The automaton of one thread, while it is made. See the package's documentation for how to use it.

    `locals` are the local variables: registers by their names, intermediate ones by names that start with `$`.
    """

    def __init__(self, source: Source, number: int, initial: Initial, register: Callable[[str], str | None]) -> None:
        self.source = source
        self.number = number
        self.initial = initial
        self.locals: dict[str, None] = {}
        self.written: set[str] = set()
        self.flags: set[str] = set()  # the locals that are bools
        self._loaded: set[str] = set()  # locals that may depend on what was read
        self._bits: dict[int, int] = {}  # of the accesses whose sizes are known, by their numbers as steps
        self._seconds: set[int] = set()  # those to the second of two words at once
        self.barriers: list[Barrier] = []
        self.rounds: dict[tuple[str, str], Rounds] = {}  # by what meets: the block of threads, and the instance
        self.gaps: list[Gap] = []
        self._register = register
        self._steps: list[Step] = []
        self._labels: dict[str, Position | None] = {}
        self._fresh = 0

    # ---- names

    def register(self, operand: Operand | str) -> xcfa.Name:
        """The local variable of a register. Raises ProgramError where there is no such register."""
        text, position = (operand, xcfa.NOWHERE) if isinstance(operand, str) else (operand.text, operand.position)
        name = text[1:] if text.startswith("%") and text[1:] in self.initial.symbolic else self._register(text)
        if name is None:
            raise ProgramError(f"there is no register `{text}`", self.source, position)
        self.locals[name] = None
        return xcfa.Name(name, position)

    def is_register(self, text: str) -> bool:
        """Whether a text is the name of a register."""
        return self._register(text) is not None

    def fresh(self) -> xcfa.Name:
        """A new local variable, for a value that no result shows."""
        self._fresh += 1
        name = f"${self._fresh}"
        self.locals[name] = None
        return xcfa.Name(name)

    def symbol(self, operand: Operand) -> xcfa.AddressOf:
        """The address of the shared location of that name, which need not be in the initial state."""
        location = self.initial.location(operand.text)
        indices = (xcfa.IntLiteral(0),) if location.size is not None else ()
        return xcfa.AddressOf(xcfa.Place(xcfa.Name(operand.text, operand.position), indices), operand.position)

    def place(self, address: xcfa.Expression, position: Position) -> xcfa.AnyPlace:
        """The place that an address means."""
        return address.place if isinstance(address, xcfa.AddressOf) else xcfa.Deref(address, position)

    def flag(self) -> xcfa.Name:
        """A new local variable that is a bool, for a value that no result shows."""
        name = self.fresh()
        self.flags.add(name.name)
        return name

    # ---- effects

    def do(self, *statements: xcfa.Statement) -> None:
        """The thread goes on with these statements."""
        for statement in statements:
            target = uses.written(statement)
            if target is not None:
                self.written.add(target.name)
            if isinstance(statement, xcfa.Load | xcfa.Rmw) and target is not None:
                self._loaded.add(target.name)
            elif isinstance(statement, xcfa.Predict | xcfa.Select) and self.is_loaded(
                *map(xcfa.Name, uses.reads(statement))
            ):
                self._loaded.add(statement.target.name)
            elif isinstance(statement, xcfa.Assign):
                self._note_loaded(statement)
        self._steps += statements

    def _note_loaded(self, statement: xcfa.Assign) -> None:
        if self.is_loaded(statement.value):
            self._loaded.add(statement.target.name)
        elif not any(isinstance(step, (str, Branch)) for step in self._steps):  # else there may be other ways to here
            self._loaded.discard(statement.target.name)

    def is_loaded(self, *values: xcfa.Expression) -> bool:
        """Whether a value may depend on what the instructions before have read; all may where there may be a loop."""
        names: set[str] = set().union(*map(names_in, values))
        return bool(names & self._loaded) or bool(self._labels and names)

    def access(self, statement: xcfa.Statement, bits: int) -> None:
        """The thread goes on with an access to so many bits of a location."""
        self._bits[len(self._steps)] = bits
        if isinstance(statement, xcfa.Rmw) and statement.op in _COMPUTED:
            statement = replace(statement, bits=bits if bits < 32 else -bits)  # as `stored` has it
        self.do(statement)

    def bits_of(self, step: int) -> int | None:
        """How many bits a step accesses, if that is known."""
        return self._bits.get(step)

    def is_second(self, step: int) -> bool:
        """Whether a step is about the second of two words that one access is to."""
        return step in self._seconds

    def access_two(self, first: xcfa.Statement, second: xcfa.Statement, bits: int) -> None:
        """The thread goes on with one access to two words of so many bits, of which the second lies behind the first.

        What is said of the second is where it gets its value from, or where that goes to.
        """
        self.access(first, bits)
        self._seconds.add(len(self._steps))
        self.access(second, bits)

    def assign(self, target: xcfa.Name, value: xcfa.Expression, position: Position) -> None:
        """A local variable gets a value."""
        self.do(xcfa.Assign(target, value, position))

    def branch(self, condition: xcfa.Expression, label: str, position: Position) -> None:
        """The thread goes to a label if a condition holds, else on."""
        self._steps.append(Branch(condition, label, position))

    def jump(self, label: str, position: Position) -> None:
        """The thread goes to a label."""
        self._steps.append(Branch(None, label, position))

    def end(self, position: Position) -> None:
        """The thread ends here."""
        self.jump("", position)

    def label(self, name: str, position: Position | None = None) -> None:
        """What follows is called `name`."""
        if name in self._labels:
            raise ProgramError(f"there is already a label `{name}` in this thread", self.source, position)
        self._labels[name] = position
        self._steps.append(name)

    def new_label(self) -> str:
        """A label that the text cannot contain; it is put somewhere with `label`."""
        self._fresh += 1
        return f"${self._fresh}"

    def fork(self, label: str, position: Position, meeting: str = "") -> None:
        """The thread goes to a label or on: both are explored.

        `meeting`: the label where both ways meet if they differ only in what locals depend on.
        """
        self._steps.append(Branch(None, label, position, fork=True, meeting=meeting))

    def mark(self) -> int:
        """The place after what the thread does so far, for `cut`."""
        return len(self._steps)

    def since(self, mark: int) -> list[Step]:
        """What the thread does after a mark."""
        return self._steps[mark:]

    def cut(self, mark: int) -> list[Step]:
        """Takes away all that the thread does after a mark; `paste` puts it back."""
        steps = self._steps[mark:]
        del self._steps[mark:]
        return steps

    def paste(self, steps: list[Step]) -> None:
        """The thread goes on with what was cut."""
        self._steps += steps

    @property
    def forks(self) -> bool:
        """Whether there may be several ways to where the thread is."""
        gaps = {label for gap in self.gaps for label in (gap.arrival, gap.label)}
        return any(isinstance(step, Branch) or (isinstance(step, str) and step not in gaps) for step in self._steps)

    def gap(self) -> str:
        """A place at which something is put in later, by `fill`."""
        label = self.hidden_label()
        self._steps.append(label)
        return label

    def fill(self, gap: str, steps: list[Step]) -> None:
        """The thread does more where it has a gap."""
        at, more = self._steps.index(gap) + 1, len(steps)
        self._steps[at:at] = steps
        self._bits = {number + more * (number >= at): bits for number, bits in self._bits.items()}
        self._seconds = {number + more * (number >= at) for number in self._seconds}

    @property
    def placed(self) -> list[Barrier]:
        """The barriers, with what may come before and behind them."""
        found = []
        for barrier in self.barriers:
            at = next(n for n, step in enumerate(self._steps) if _is_barrier(step, barrier.position))
            before, behind = (self._steps, self._steps) if barrier.looped else (self._steps[:at], self._steps[at:])
            decided = any(isinstance(step, Branch) and not step.fork for step in before)
            writes = (xcfa.Store, xcfa.StoreExclusive, xcfa.Rmw)
            followed = any(isinstance(step, writes) for step in behind)
            found.append(replace(barrier, decided=decided, followed=followed))
        return found

    # ---- the automaton

    @cached_property
    def accesses(self) -> dict[int, Access]:
        """The accesses whose sizes are known, by the numbers of their steps.

        Raises UnsupportedError for a load and a store exclusive of one location, but of different sizes: whether they
        are a pair, architectures leave open.
        """
        firsts = {number: bits for number, bits in self._bits.items() if number not in self._seconds}
        found = {number: self._access(number, bits) for number, bits in firsts.items()}
        loads = [a for a in found.values() if isinstance(a.statement, xcfa.Load) and a.statement.exclusive]
        for store in (access for access in found.values() if isinstance(access.statement, xcfa.StoreExclusive)):
            for load in loads:
                if load.bytes != store.bytes and (
                    None in (load.location, store.location) or load.location == store.location
                ):
                    message = f"a store exclusive of {store.bytes} bytes behind a load exclusive of {load.bytes}"
                    raise UnsupportedError(f"{message} is not supported", self.source, store.position)
        return found

    def automaton(self, shown: frozenset[str], layout: Layout | None) -> xcfa.Process:
        """The thread's process, named `P0` and so on. Results show the locals in `shown` only.

        `layout` has the cells of the locations; without one, accesses are as they are written, and addresses mean
        nothing. Registers that hold an address from the start and are never written are replaced by the address.
        """
        steps = _without_unused(_without_needless_forks(self._fixed), shown)
        if layout is not None:
            steps = self._laid_out(steps, layout)
        locations, edges = self._assemble(steps)
        names = (*self.locals, *sorted(shown - self.locals.keys()))
        declared = {name: self._variable(name, layout) for name in names}
        visible = [variable for name, variable in declared.items() if name in shown]
        hidden = [v for name, v in declared.items() if name not in shown and name not in self._constants]
        name = f"P{self.number}"
        main = xcfa.Procedure("main", True, (), tuple(visible), locations, edges)
        return xcfa.Process(name, True, tuple(hidden), (main,))

    @cached_property
    def _constants(self) -> dict[str, xcfa.AddressOf]:
        """The registers that always hold an address, which they do from the start."""
        return {
            name: xcfa.AddressOf(self._cell(value))
            for name in self.locals
            if isinstance(value := self._initial(name), Address) and name not in self.written
        }

    @cached_property
    def _fixed(self) -> list[Step]:
        return [self._with_constants(step, self._constants) for step in self._steps]

    @property
    def taken(self) -> set[str]:
        """The locations of which the address is a value somewhere, not only that of an access."""
        found: set[str] = set()
        for step in self._fixed:
            values = step.arguments if isinstance(step, xcfa.Rmw) else (getattr(step, "value", None),)
            for value in values:
                parts = xcfa.postorder(value) if value is not None else ()
                places = [part.place for part in parts if isinstance(part, xcfa.AddressOf)]
                found |= {place.name.name for place in places if isinstance(place, xcfa.Place)}
        initial = (self._initial(name) for name in self.locals if name in self.written)
        return found | {value.name for value in initial if isinstance(value, Address)}

    def hidden_label(self) -> str:
        """A new label, for what is put in its place later."""
        name = self.new_label()
        self._labels[name] = None
        return name

    def _laid_out(self, steps: list[Step], layout: Layout) -> list[Step]:
        """The steps, in which accesses are those to cells."""
        numbers = {id(step): number for number, step in enumerate(self._fixed)}
        found: list[Step] = []
        for step in steps:
            if isinstance(step, uses.Access):
                number = numbers[id(step)]
                if number in self._seconds:
                    continue
                found += layout.steps(self.accesses.get(number) or self._access(number, 0), self)
            elif isinstance(step, Branch):
                condition = None if step.condition is None else layout.expression(step.condition)
                found.append(replace(step, condition=condition))
            else:
                found.append(step if isinstance(step, str) else uses.changed(step, layout.expression))
        return found

    def _access(self, number: int, bits: int) -> Access:
        """An access; an address that is computed from that of one location is taken to be in that location."""
        statement = self._fixed[number]
        assert isinstance(statement, uses.Access)
        second = self._fixed[number + 1] if number + 1 in self._seconds else None
        assert second is None or isinstance(second, (xcfa.Load, xcfa.Store, xcfa.Rmw))
        size = bits // 8 if second is None else bits // 4
        where = self._where(xcfa.AddressOf(statement.place), number)
        if where is not None and where[0] is not None:
            return Access(*where, size, statement, second)
        parts = xcfa.postorder(xcfa.AddressOf(statement.place))
        places = [part.place for part in parts if isinstance(part, xcfa.AddressOf)]
        names = {place.name.name for place in places if isinstance(place, xcfa.Place)}
        return Access(names.pop() if len(names) == 1 else None, None, size, statement, second)

    def _where(self, value: xcfa.Expression, before: int) -> tuple[str | None, int] | None:
        """The location whose address a value is, and how many bytes are added; of a number, that; None: not known.

        It is what the value is before a step if those before it are done in the order of the text, which is likely.
        """
        match value:
            case xcfa.IntLiteral(number):
                return None, number
            case xcfa.AddressOf(xcfa.Place(name, indices)):
                index = indices[0].value if indices and isinstance(indices[0], xcfa.IntLiteral) else 0
                return name.name, index * element_of(self.initial.location(name.name))
            case xcfa.AddressOf(xcfa.Deref(address)):
                return self._where(address, before)
            case xcfa.Binary("bitxor" | "-", left, right) if left == right:
                return None, 0
            case xcfa.Binary("bitand", _, xcfa.IntLiteral(0)):
                return None, 0
            case xcfa.Binary("+" | "-" | "shl" | "bitor" as op, left, right):
                return _combined(op, self._where(left, before), self._where(right, before))
            case xcfa.Wrap(operand):
                return self._where(operand, before)
            case xcfa.Name(name):
                return self._of_register(name, before)
        return None

    def _of_register(self, name: str, before: int) -> tuple[str | None, int] | None:
        for number in reversed(range(before)):
            step = self._fixed[number]
            if not isinstance(step, (str, Branch)) and _writes(step, name):
                return self._where(step.value, number) if isinstance(step, xcfa.Assign) else None
        initial = self._initial(name)
        return (initial.name, 0) if isinstance(initial, Address) else (None, initial)

    def _initial(self, name: str) -> Value:
        found = self.initial.registers.get((self.number, name))
        return self.initial.symbolic.get(name, 0) if found is None else found

    def _variable(self, name: str, layout: Layout | None) -> xcfa.Variable:
        value = self._initial(name)
        if isinstance(value, Address):
            value = layout.address(value) if layout is not None else 0
        type_ = xcfa.BOOL if name in self.flags else xcfa.INT
        return xcfa.Variable(name, type_, (xcfa.IntLiteral(value),) if value else ())

    def _cell(self, value: Address) -> xcfa.Place:
        array = self.initial.location(value.name).size is not None
        return xcfa.Place(xcfa.Name(value.name), (xcfa.IntLiteral(value.index),) if array else ())

    def _with_constants(self, step: Step, constants: dict[str, xcfa.AddressOf]) -> Step:
        if isinstance(step, str):
            return step
        if isinstance(step, Branch):
            return step if step.condition is None else replace(step, condition=substitute(step.condition, constants))
        return substitute_statement(step, constants)

    def _assemble(self, steps: list[Step]) -> tuple[tuple[xcfa.Location, ...], tuple[xcfa.Edge, ...]]:
        return assemble(steps, list(self._labels), self._missing)

    def _missing(self, branch: Branch) -> NoReturn:
        hint = nearest(branch.label, [name for name in self._labels if not name.startswith("$")])
        message = f"there is no label `{branch.label}` in this thread"
        raise ProgramError(message, self.source, branch.position, hint)


def _combined(
    op: str, first: tuple[str | None, int] | None, second: tuple[str | None, int] | None
) -> tuple[str | None, int] | None:
    """A sum, difference, shift or disjunction of what `_where` gives."""
    if first is None or second is None or (second[0] is not None and (op != "+" or first[0] is not None)):
        return None
    if op == "bitor":
        return (None, first[1] | second[1]) if first[0] is None else None
    if op == "shl":
        return (None, first[1] << second[1]) if first[0] is None and 0 <= second[1] < 64 else None
    return first[0] or second[0], first[1] + second[1] if op == "+" else first[1] - second[1]


def _writes(statement: xcfa.Statement, name: str) -> bool:
    target = uses.written(statement)
    return target is not None and target.name == name


def _without_unused(steps: list[Step], shown: frozenset[str]) -> list[Step]:
    """The steps without computations of intermediate values that nothing reads, such as flags that are not tested."""
    while True:
        read = set(shown)
        read.update(*map(_read, steps))
        useful = [
            step
            for step in _without_unused_selections(steps, shown, read)
            if not (isinstance(step, xcfa.Assign) and step.target.name[0] == "$" and step.target.name not in read)
        ]
        if len(useful) == len(steps):
            return steps
        steps = useful


def _without_unused_selections(steps: list[Step], shown: frozenset[str], read: set[str]) -> list[Step]:
    """The steps without selections, and predictions, of what nothing reads any more. `read` is what anything reads."""
    return [step for step, live in _live(steps, shown, read) if not _is_unused(step, live)]


def _is_unused(step: Step, live: set[str]) -> bool:
    """Whether it is a selection, or a prediction, of what nothing reads. (A prediction of one value refutes others.)"""
    if isinstance(step, xcfa.Predict) and step.count == 1:
        return False
    return isinstance(step, xcfa.Predict | xcfa.Select) and step.target.name not in live


def _live(steps: list[Step], shown: frozenset[str], read: set[str]) -> list[tuple[Step, set[str]]]:
    """The steps, each with the locals that matter behind it: those that steps read later, and those shown in the end.

    `read` is what any step reads.
    """
    found: list[tuple[Step, set[str]]] = []
    live = set(shown)
    at_labels: dict[str, set[str]] = {"": live}
    for step in reversed(steps):
        found.append((step, live))
        if isinstance(step, str):
            at_labels[step] = live
        elif isinstance(step, Branch):
            there = at_labels.get(step.label, read)  # of a loop, whatever is read
            always = step.condition is None and not step.fork
            live = there if always else live | there | names_in(step.condition)
        elif not _is_unused(step, live):
            target = uses.written(step)
            live = (live - {target.name} if target else live) | {*uses.reads(step)}
    return found[::-1]


def _without_needless_forks(steps: list[Step]) -> list[Step]:
    """The steps without forks whose ways differ only in what locals depend on that no step reads any more."""
    live = _live(steps, frozenset(), set().union(*map(_read, steps)))
    found: list[Step] = []
    for number, (step, _) in enumerate(live):
        if isinstance(step, Branch) and step.meeting:
            meeting = steps.index(step.meeting)
            written = {target.name for way in steps[number:meeting] if (target := _written(way))}
            if not written & live[meeting][1]:
                continue
        found.append(step)
    return found


def _read(step: Step) -> set[str]:
    """The locals that a step reads."""
    if isinstance(step, str):
        return set()
    return names_in(step.condition) if isinstance(step, Branch) else {*uses.reads(step)}


def _written(step: Step) -> xcfa.Name | None:
    return None if isinstance(step, str | Branch) else uses.written(step)


def names_in(expression: xcfa.Expression | None) -> set[str]:
    """The locals that an expression reads."""
    return set() if expression is None else {*uses.names_in((expression,))}


def offset(base: xcfa.Expression, number: int, position: Position) -> xcfa.Expression:
    """The sum; just the base where the number is 0."""
    match base:
        case xcfa.Binary("+", inner, xcfa.IntLiteral(more)):
            return offset(inner, more + number, position)
    return base if number == 0 else xcfa.Binary("+", base, xcfa.IntLiteral(number, position), position)


# ---- replacing registers by addresses


def substitute(expression: xcfa.Expression, constants: dict[str, xcfa.AddressOf]) -> xcfa.Expression:
    """The expression with local variables replaced by the addresses that they always hold."""
    match expression:
        case xcfa.Name(name):
            return constants.get(name, expression)
        case xcfa.Unary(_, operand) | xcfa.Wrap(operand):
            return replace(expression, operand=substitute(operand, constants))
        case xcfa.Binary(_, left, right):
            return replace(expression, left=substitute(left, constants), right=substitute(right, constants))
        case xcfa.Conditional():
            return replace(
                expression,
                condition=substitute(expression.condition, constants),
                positive=substitute(expression.positive, constants),
                negative=substitute(expression.negative, constants),
            )
        case xcfa.AddressOf(place):
            return replace(expression, place=_substitute_place(place, constants))
        case _:
            return expression


def _substitute_place(place: xcfa.AnyPlace, constants: dict[str, xcfa.AddressOf]) -> xcfa.AnyPlace:
    if isinstance(place, xcfa.Deref):
        address = substitute(place.address, constants)
        return address.place if isinstance(address, xcfa.AddressOf) else replace(place, address=address)
    return replace(place, indices=tuple(substitute(index, constants) for index in place.indices))


def substitute_statement(statement: xcfa.Statement, constants: dict[str, xcfa.AddressOf]) -> xcfa.Statement:
    """The statement with local variables replaced by the addresses that they always hold."""
    return uses.changed(
        statement, lambda value: substitute(value, constants), lambda place: _substitute_place(place, constants)
    )
