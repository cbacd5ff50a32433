"""Reading DVE: the grammar is dve.lark; here names are looked up, and what is not supported is refused by its name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field
from functools import cache
from pathlib import Path, PurePath
from typing import Any, TypeAlias

from lark import Lark, Token
from lark import Tree as LarkTree

from xgen.errors import Position, ProgramError, Source, UnsupportedError, XgenError, nearest
from xgen.grammars import Syntax, Wrong, check_nesting, load_grammar, position_of, read
from xgen.records import dataclass
from xgen.systems.processes import (
    Effect,
    Expression,
    Number,
    Operation,
    Process,
    Read,
    Stands,
    System,
    Transition,
    Variable,
)

Tree: TypeAlias = LarkTree[Any]
RANGES = {"byte": (0, 255), "int": (-32768, 32767)}
MAX_CELLS = 10_000
"""Elements of one array."""
MAX_NESTING = 200
_KEYWORDS = (
    *("process", "state", "init", "commit", "assert", "trans", "guard", "effect", "system", "async", "byte", "int"),
    *("const", "channel", "sync"),
)
_REFUSED = {
    "channel": "channels with types",
    "accept": "property processes with accepting states",
    "property": "property processes: give the formula on the command line",
}


def read_dve(source: Source) -> System:
    """The system of a text. Raises ProgramError and UnsupportedError, with their places."""
    check_nesting(source, source.text, MAX_NESTING)
    return _Reader(source).system(read(_parser(), source, Syntax(_hint)))


@cache
def _parser() -> Lark:
    return load_grammar(Path(__file__).with_name("dve.lark"), start="system", lexer="basic", propagate_positions=True)


def _hint(wrong: Wrong) -> str | XgenError | None:
    """Advice on slips that are easily made; what is not supported is refused by its name."""
    token, text = wrong.token, wrong.source.text
    if token.type == "$END":
        return "the text ends with `system async;`" if not re.search(r"\bsystem\b", text) else None
    before = text[: token.start_pos or 0].split()
    for word in (str(token), *before[-1:]):
        if word in _REFUSED:
            return wrong.error(f"DVE: {_REFUSED[word]} are not supported", kind=UnsupportedError)
    return nearest(str(token), _KEYWORDS) if token.type == "NAME" else None


@dataclass
class _Channel:
    """Transitions that send, with what they send, and those that receive, with where it goes and the channel's name."""

    sent: list[tuple[Transition, Expression | None]] = field(default_factory=list)
    received: list[tuple[Transition, tuple[Variable, Expression | None] | None, Token]] = field(default_factory=list)


class _Reader:
    """Looks names up, in the order of the text."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.variables: list[Variable] = []
        self.shared: dict[str, Variable] = {}
        self.locals: list[dict[str, Variable]] = []
        self.constants: dict[tuple[int | None, str], tuple[int, ...]] = {}
        self.processes: list[tuple[str, tuple[str, ...]]] = []
        self.channels: dict[str, _Channel] = {}
        self.current: int | None = None

    def system(self, tree: Tree) -> System:
        blocks = [child for child in tree.children if isinstance(child, LarkTree) and child.data == "process"]
        for child in tree.children:
            if isinstance(child, LarkTree) and child.data == "variable":
                self.declare(child)
            elif isinstance(child, LarkTree) and child.data == "channels":
                self.declare_channels(child)
        for block in blocks:
            self.head(block)
        processes, transitions = [], []
        for number, block in enumerate(blocks):
            self.current = number
            process, steps = self.process(number, block)
            processes.append(process)
            transitions += steps
        for channel in self.channels.values():
            transitions += self.handshakes(channel)
        if not processes:
            raise ProgramError("there is no process", self.source, Position(1, 1))
        name = PurePath(self.source.name).stem
        return System(name, self.source, tuple(self.variables), tuple(processes), tuple(transitions))

    def error(self, message: str, token: Any, hint: str | None = None) -> ProgramError:
        return ProgramError(message, self.source, position_of(token), hint)

    # --- Declarations --------------------------------------------------------------------------------------------

    def declare(self, tree: Tree) -> None:
        children = list(tree.children)
        constant = isinstance(children[0], Token) and children[0].type == "CONST"
        kind = children.pop(0) if not constant else children.pop(1)
        for item in children[1:] if constant else children:
            assert isinstance(item, LarkTree)
            name, *rest = item.children
            assert isinstance(name, Token)
            scope = self.locals[self.current] if self.current is not None else self.shared
            if str(name) in scope or (self.current, str(name)) in self.constants:
                raise self.error(f"`{name}` is declared twice", name)
            size = next((part for part in rest if isinstance(part, LarkTree) and part.data == "size"), None)
            count = self.constant(size.children[0], name) if size is not None else 1
            if not 1 <= count <= MAX_CELLS:
                raise self.error(f"an array has between 1 and {MAX_CELLS} elements", name)
            values = self.initial(rest, count, name)
            if constant:
                self.constants[self.current, str(name)] = values
                continue
            low, high = RANGES[str(kind)]
            wrapped = tuple(low + (value - low) % (high - low + 1) for value in values)
            at = position_of(name)
            variable = Variable(str(name), self.current, (low, high), wrapped, size is not None, at)
            scope[str(name)] = variable
            self.variables.append(variable)

    def initial(self, rest: list[Any], count: int, name: Token) -> tuple[int, ...]:
        given = next((p for p in rest if isinstance(p, LarkTree) and p.data in ("initial", "initials")), None)
        values = [self.constant(part, name) for part in given.children] if given is not None else []
        # As in DiVinE, there may be more values than elements: those of BEEM's queue locks are written so.
        return (*values, *([0] * (count - len(values))))[:count]

    def constant(self, tree: Any, name: Token) -> int:
        value = folded(self.expression(tree))
        if value is None:
            raise self.error(f"`{name}`: this has to be known before the start", name)
        return value

    def head(self, block: Tree) -> None:
        name = block.children[0]
        assert isinstance(name, Token)
        if any(known == name for known, _ in self.processes):
            raise self.error(f"there are two processes `{name}`", name)
        places: list[str] = []
        for part in self.parts(block, "states"):
            for place in part.children:
                if str(place) in places:
                    raise self.error(f"`{place}` is declared twice", place)
                places.append(str(place))
        if not places:
            raise self.error(f"process `{name}` has no state", name, "`state a, b;`")
        self.current = len(self.processes)
        self.locals.append({})
        self.processes.append((str(name), tuple(places)))
        for part in self.parts(block, "variable"):
            self.declare(part)
        self.current = None

    def parts(self, block: Tree, kind: str) -> list[Tree]:
        return [child for child in block.children if isinstance(child, LarkTree) and child.data == kind]

    # --- Processes -----------------------------------------------------------------------------------------------

    def process(self, number: int, block: Tree) -> tuple[Process, list[Transition]]:
        name, places = self.processes[number]
        starts = [part.children[0] for part in self.parts(block, "init")]
        if len(starts) != 1:
            raise self.error(f"process `{name}` has no single initial state", block.children[0], "`init a;`")
        committed = frozenset(self.place(p) for part in self.parts(block, "commit") for p in part.children)
        asserts = tuple(
            (self.place(each.children[0]), self.expression(each.children[1]))
            for part in self.parts(block, "assertions")
            for each in part.children
            if isinstance(each, LarkTree)
        )
        steps: list[Transition] = []
        origin: Any = None
        for part in self.parts(block, "transitions"):
            for each in part.children:
                assert isinstance(each, LarkTree)
                ends = [child for child in each.children if isinstance(child, Token) and child.type == "NAME"]
                if len(ends) == 1 and origin is None:
                    raise self.error("this transition starts nowhere", ends[0])
                origin = ends[0] if len(ends) > 1 else origin
                step = self.transition(number, each, self.place(origin), self.place(ends[-1]))
                if not self.synchronise(step, each):
                    steps.append(step)
        return Process(name, places, self.place(starts[0]), committed, asserts), steps

    def place(self, token: Any) -> int:
        assert self.current is not None
        _, places = self.processes[self.current]
        if str(token) not in places:
            raise self.error(f"there is no state `{token}`", token, nearest(str(token), places))
        return places.index(str(token))

    def transition(self, number: int, tree: Tree, origin: int, target: int) -> Transition:
        guards = [self.expression(g) for part in self.parts(tree, "guard") for g in part.children]
        guard = guards[0] if guards else None
        for other in guards[1:]:
            guard = Operation("&&", (guard, other)) if guard is not None else other
        effects = tuple(self.effect(e) for part in self.parts(tree, "effects") for e in part.children)
        texts = [self.text(part) for kind in ("guard", "sync", "effects") for part in self.parts(tree, kind)]
        _, places = self.processes[number]
        shown = f"{places[origin]} -> {places[target]}" + (f" {{ {' '.join(texts)} }}" if texts else "")
        return Transition(number, origin, target, guard, effects, shown, tree.meta.line)

    # --- Channels ------------------------------------------------------------------------------------------------

    def declare_channels(self, tree: Tree) -> None:
        for item in tree.children:
            assert isinstance(item, LarkTree)
            name, *size = item.children
            assert isinstance(name, Token)
            if size:
                raise UnsupportedError(
                    "DVE: channels that hold values are not supported", self.source, position_of(name)
                )
            if str(name) in self.channels or str(name) in self.shared:
                raise self.error(f"`{name}` is declared twice", name)
            self.channels[str(name)] = _Channel()

    def synchronise(self, step: Transition, tree: Tree) -> bool:
        """Whether a transition is half of a handshake; then its channel knows it."""
        for part in self.parts(tree, "sync"):
            name, sign, *rest = part.children
            assert isinstance(name, Token)
            channel = self.channels.get(str(name))
            if channel is None:
                raise self.error(f"there is no channel `{name}`", name, nearest(str(name), self.channels))
            if str(sign) == "!":
                channel.sent.append((step, self.expression(rest[0]) if rest else None))
            else:
                channel.received.append((step, self.variable(rest[0]) if rest else None, name))
            return True
        return False

    def handshakes(self, channel: _Channel) -> Iterator[Transition]:
        """All pairs of one that sends and another that receives. What is sent is stored before other effects."""
        for sender, value in channel.sent:
            for receiver, target, name in channel.received:
                if sender.process == receiver.process:
                    continue
                if target is not None and value is None:
                    raise self.error(f"nothing is sent over `{name}` that could be stored", name)
                passed = () if target is None or value is None else (Effect(*target, value),)
                guards = [guard for guard in (sender.guard, receiver.guard) if guard is not None]
                yield Transition(
                    *(sender.process, sender.origin, sender.target),
                    Operation("&&", (guards[0], guards[1])) if len(guards) > 1 else guards[0] if guards else None,
                    (*passed, *sender.actions, *receiver.actions),
                    f"{sender.text} with {self.processes[receiver.process][0]}: {receiver.text}",
                    sender.line,
                    atomic=True,
                    partner=(receiver.process, receiver.origin, receiver.target),
                )

    def text(self, tree: Tree) -> str:
        return " ".join(self.source.text[tree.meta.start_pos : tree.meta.end_pos].split())

    def effect(self, tree: Any) -> Effect:
        place, value = tree.children
        variable, index = self.variable(place)
        return Effect(variable, index, self.expression(value))

    def variable(self, place: Tree) -> tuple[Variable, Expression | None]:
        name, *index = place.children
        found = self.named(str(name))
        if found is None:
            known = [*self.shared, *(self.locals[self.current] if self.current is not None else {})]
            if any((scope, str(name)) in self.constants for scope in (None, self.current)):
                raise self.error(f"`{name}` is constant", name)
            raise self.error(f"there is no variable `{name}`", name, nearest(str(name), known))
        return found, self.index(found, name, index)

    def index(self, variable: Variable, name: Any, index: list[Any]) -> Expression | None:
        if variable.is_array != bool(index):
            what = "is an array" if variable.is_array else "is no array"
            raise self.error(f"`{name}` {what}", name)
        return self.expression(index[0]) if index else None

    def named(self, name: str) -> Variable | None:
        if self.current is not None and name in self.locals[self.current]:
            return self.locals[self.current][name]
        return self.shared.get(name)

    # --- Expressions ---------------------------------------------------------------------------------------------

    def expression(self, tree: Any) -> Expression:
        assert isinstance(tree, LarkTree)
        if tree.data == "number":
            value = int(str(tree.children[0]))
            if value >= 1 << 31:
                raise self.error("this number is too large", tree.children[0])
            return Number(value)
        if tree.data == "truth":
            return Number(int(tree.children[0] == "true"))
        if tree.data == "place":
            return self.place_read(tree)
        if tree.data == "of_process":
            return self.of_process(tree)
        if tree.data == "unary":
            sign = {"not": "!"}.get(str(tree.children[0]), str(tree.children[0]))
            return Operation(sign, (self.expression(tree.children[1]),))
        left, right = self.expression(tree.children[0]), self.expression(tree.children[-1])
        if tree.data == "implication":
            return Operation("||", (Operation("!", (left,)), right))
        known = {"disjunction_of": "||", "conjunction_of": "&&"}
        return Operation(known.get(tree.data, str(tree.children[1])), (left, right))

    def place_read(self, tree: Tree) -> Expression:
        name, *index = tree.children
        for scope in dict.fromkeys((self.current, None)):
            values = self.constants.get((scope, str(name)))
            if values is None:
                continue
            if not index:
                return Number(values[0])
            at = folded(self.expression(index[0]))
            if at is None or not 0 <= at < len(values):
                raise self.error(f"the index of the constant `{name}` has to be known", name)
            return Number(values[at])
        return Read(*self.variable(tree))

    def of_process(self, tree: Tree) -> Expression:
        """`P.CS`, whether process P is at CS, or `P.x` and `P->x`, its variable x."""
        process, _, name, *index = tree.children
        names = [known for known, _ in self.processes]
        if str(process) not in names:
            raise self.error(f"there is no process `{process}`", process, nearest(str(process), names))
        number = names.index(str(process))
        _, places = self.processes[number]
        if str(name) in places and not index:
            return Stands(number, places.index(str(name)))
        found = self.locals[number].get(str(name))
        if found is None:
            known = [*places, *self.locals[number]]
            raise self.error(f"process `{process}` has no `{name}`", name, nearest(str(name), known))
        return Read(found, self.index(found, name, index))


def folded(expression: Expression) -> int | None:
    """The value of an expression of numbers; None where it has none, or reads a variable."""
    if isinstance(expression, Number):
        return expression.value
    if not isinstance(expression, Operation):
        return None
    values = [folded(operand) for operand in expression.operands]
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return None
    return calculate(expression.operator, known)


def calculate(operator: str, values: list[int]) -> int | None:
    """What an operator makes of numbers; None where it divides by zero."""
    if len(values) == 1:
        return {"!": int(not values[0]), "-": -values[0], "~": ~values[0]}[operator]
    x, y = values
    if operator in ("/", "%"):
        quotient = (abs(x) // abs(y)) * (1 if (x < 0) == (y < 0) else -1) if y else 0
        return None if y == 0 else quotient if operator == "/" else x - y * quotient
    if operator in ("<<", ">>"):
        return x << (y & 31) if operator == "<<" else x >> (y & 31)
    return {
        "+": x + y,
        "-": x - y,
        "*": x * y,
        "&": x & y,
        "|": x | y,
        "^": x ^ y,
        "==": int(x == y),
        "!=": int(x != y),
        "<": int(x < y),
        "<=": int(x <= y),
        ">": int(x > y),
        ">=": int(x >= y),
        "&&": int(bool(x and y)),
        "||": int(bool(x or y)),
    }[operator]
