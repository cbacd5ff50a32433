"""Programs of the oracle: threads of structured statements, the automaton they stand for, and how a thread runs.

A thread is written as a block of statements. `automaton` turns it into locations and edges; these are both what is
printed as XCFA and what is run here, so that the text and the meaning cannot drift apart.

Running a thread is a matter of two functions: `settle` does local steps up to the next event (several ways where there
is a choice), `resume` does the event, with a value if it is a read. Nothing here knows what other threads do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

Value = int | bool
Type = Literal["int", "bool"]
Operator = Literal["+", "-", "*", "/", "mod", "rem", "=", "/=", "<", "<=", "and", "or"]
End = Literal["ended", "blocked", "bounded", "error"]
LOCAL_STEPS = 10_000
"""More local steps than any program of ours does between two events."""


# --- Expressions over local variables -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Const:
    value: Value


@dataclass(frozen=True)
class Local:
    name: str


@dataclass(frozen=True)
class Not:
    operand: Expr


@dataclass(frozen=True)
class Binary:
    op: Operator
    left: Expr
    right: Expr


Expr = Const | Local | Not | Binary


def value_of(expr: Expr, env: Mapping[str, Value]) -> Value:
    """The value of an expression, given the values of the local variables.

    An ArithmeticError is raised where an integer does not fit 64 bits, and for a division by zero.
    """
    match expr:
        case Const(value):
            return value
        case Local(name):
            return env[name]
        case Not(operand):
            return not value_of(operand, env)
    result = _apply(expr.op, value_of(expr.left, env), value_of(expr.right, env))
    if not -(2**63) <= result < 2**63:
        raise ArithmeticError("overflow")
    return result


def _apply(op: Operator, left: Value, right: Value) -> Value:
    match op:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            return (left - left % abs(right)) // right  # Euclidean: the remainder is not negative
        case "mod":
            return left % abs(right)
        case "rem":
            return left % abs(right) if right > 0 else -(left % abs(right))
        case "=":
            return left == right
        case "/=":
            return left != right
        case "<":
            return left < right
        case "<=":
            return left <= right
        case "and":
            return bool(left and right)
        case "or":
            return bool(left or right)


def show(expr: Expr) -> str:
    """An expression as XCFA text, with all its parentheses."""
    match expr:
        case Const(value):
            return show_value(value)
        case Local(name):
            return name
        case Not(operand):
            return f"(not {show(operand)})"
        case Binary(op, left, right):
            return f"({show(left)} {op} {show(right)})"


def show_value(value: Value) -> str:
    """A literal as XCFA text."""
    return str(value).lower()


# --- Statements -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Load:
    local: str
    variable: str
    order: str | None = None


@dataclass(frozen=True)
class Store:
    variable: str
    expr: Expr
    order: str | None = None


@dataclass(frozen=True)
class Fence:
    tag: str | None = None


@dataclass(frozen=True)
class Assign:
    local: str
    expr: Expr


@dataclass(frozen=True)
class Assume:
    condition: Expr


@dataclass(frozen=True)
class Assert:
    condition: Expr


@dataclass(frozen=True)
class Havoc:
    """Any value from `low` to `high`; either value of a bool, which has no range."""

    local: str
    low: Expr | None = None
    high: Expr | None = None


@dataclass(frozen=True)
class Skip:
    pass


@dataclass(frozen=True)
class If:
    """Two edges, guarded by the condition and by its negation."""

    condition: Expr
    then: Block
    otherwise: Block = ()


@dataclass(frozen=True)
class Choice:
    """One edge for each block: those that are enabled are a nondeterministic choice."""

    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class While:
    """A loop; its body has an event, so that a bound on the depth ends it."""

    condition: Expr
    body: Block


@dataclass(frozen=True)
class Goto:
    """Leave for a location that ends the thread: an error location, a final one, or one from which no edge leads on."""

    where: Literal["error", "final", "stuck"]


EventStatement = Load | Store | Fence
Simple = EventStatement | Assign | Assume | Assert | Havoc | Skip
Statement = Simple | If | Choice | While | Goto
Block = tuple[Statement, ...]


@dataclass(frozen=True)
class Variable:
    """A shared or a local variable."""

    name: str
    type: Type = "int"
    initial: Value = 0

    def __str__(self) -> str:
        initial = f" ({show_value(self.initial)})" if self.initial else ""
        return f"var {self.name} : {self.type}{initial}"


# --- Automata -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Edge:
    target: int
    statements: tuple[Simple, ...]


@dataclass
class Automaton:
    """Locations by number, location 0 being the initial one: the kind of each, and the edges that leave it."""

    kinds: list[Literal["init", "final", "error", ""]] = field(default_factory=list)
    edges: list[list[Edge]] = field(default_factory=list)

    def location(self, kind: Literal["init", "final", "error", ""] = "") -> int:
        """A new location."""
        self.kinds.append(kind)
        self.edges.append([])
        return len(self.kinds) - 1


def automaton(body: Block, joined: bool) -> Automaton:
    """The automaton of a thread; `joined`: statements that follow each other share an edge."""
    result = Automaton()
    start = result.location("init")
    _add_block(result, joined, body, start, [], result.location("final"))
    return result


def _add_block(auto: Automaton, joined: bool, body: Block, here: int, pending: list[Simple], end: int) -> None:
    """Add edges for `body` from `here` to `end`; `pending` are the statements that the first edge starts with."""

    def flush() -> None:
        nonlocal here, pending
        target = auto.location()
        auto.edges[here].append(Edge(target, tuple(pending)))
        here, pending = target, []

    for statement in body:
        if not isinstance(statement, If | Choice | While | Goto):
            pending.append(statement)
            if not joined:
                flush()
            continue
        if isinstance(statement, Goto):
            kind: Literal["error", "final", ""] = "" if statement.where == "stuck" else statement.where
            auto.edges[here].append(Edge(auto.location(kind), tuple(pending)))
            return
        flush()
        after = auto.location()
        if isinstance(statement, If):
            _add_block(auto, joined, statement.then, here, [Assume(statement.condition)], after)
            _add_block(auto, joined, statement.otherwise, here, [Assume(Not(statement.condition))], after)
        elif isinstance(statement, Choice):
            for block in statement.blocks:
                _add_block(auto, joined, block, here, [], after)
        else:
            _add_block(auto, joined, statement.body, here, [Assume(statement.condition)], here)
            auto.edges[here].append(Edge(after, (Assume(Not(statement.condition)),)))
        here, pending = after, []
    auto.edges[here].append(Edge(end, tuple(pending)))


# --- Programs and their text ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Thread:
    name: str
    locals: tuple[Variable, ...]
    body: Block


@dataclass(frozen=True)
class Program:
    """A program. `joined` and `procedures` change its text, the former also its edges."""

    shared: tuple[Variable, ...]
    threads: tuple[Thread, ...]
    joined: bool = False
    procedures: bool = False

    @cached_property
    def automata(self) -> tuple[Automaton, ...]:
        """The automaton of each thread."""
        return tuple(automaton(thread.body, self.joined) for thread in self.threads)

    def __str__(self) -> str:
        lines = [str(variable) for variable in self.shared]
        for thread, auto in zip(self.threads, self.automata, strict=True):
            main = "main " if thread is self.threads[0] else ""
            lines += ["", f"{main}process {thread.name} {{"]
            body = _automaton_text(thread, auto)
            if self.procedures:
                body = ["main procedure run() {", *(f"    {line}" for line in body), "}"]
            lines += [*(f"    {line}" for line in body), "}"]
        return "\n".join(lines) + "\n"


def _automaton_text(thread: Thread, auto: Automaton) -> list[str]:
    lines = [str(variable) for variable in thread.locals]
    lines += [f"{kind} loc L{number}".strip() for number, kind in enumerate(auto.kinds)]
    for number, edges in enumerate(auto.edges):
        for edge in edges:
            statements = "; ".join(_statement_text(statement) for statement in edge.statements)
            lines.append(f"L{number} -> L{edge.target}" + (f" {{ {statements} }}" if statements else ""))
    return lines


def _statement_text(statement: Simple) -> str:
    match statement:
        case Load(local, variable, order):
            return f"{local} <- {variable}" + (f" @{order}" if order else "")
        case Store(variable, expr, order):
            return f"{show(expr)} -> {variable}" + (f" @{order}" if order else "")
        case Fence(tag):
            return f"fence[{tag}]" if tag else "fence"
        case Assign(local, expr):
            return f"{local} := {show(expr)}"
        case Assume(condition):
            return f"assume {show(condition)}"
        case Assert(condition):
            return f"assert {show(condition)}"
        case Havoc(local, low, high):
            return f"havoc {local}" + (f" in {show(low)} .. {show(high)}" if low and high else "")
        case Skip():
            return "skip"


# --- Running a thread -----------------------------------------------------------------------------------------------

Choices = tuple[tuple[int, Value], ...]
"""The choices that a thread made: how many events it had done before, and the edge or the value chosen."""


@dataclass(frozen=True)
class State:
    """Where a thread stands: what is left of an edge, the location it leads to, local values, choices, events done."""

    rest: tuple[Simple, ...]
    target: int
    env: Mapping[str, Value]
    choices: Choices = ()
    events: int = 0


@dataclass(frozen=True)
class Pause:
    """A thread that can do no more local steps: it stands at an event, or it is over (`end`)."""

    state: State
    event: EventStatement | None
    end: End | None


def start(thread: Thread) -> State:
    """The state in which a thread starts."""
    return State((), 0, {variable.name: variable.initial for variable in thread.locals})


def settle(auto: Automaton, state: State) -> Iterator[Pause]:
    """All ways for a thread to go on by local steps, up to its next event or its end."""
    stack = [state]
    for _ in range(LOCAL_STEPS):
        if not stack:
            return
        following = _local_step(auto, stack.pop())
        if isinstance(following, Pause):
            yield following
        else:
            stack += following
    raise ValueError("a thread does not come to its next event")


def _local_step(auto: Automaton, state: State) -> list[State] | Pause:
    """The states after the next local step, or a pause where there is none."""
    if not state.rest:
        return _choose_edge(auto, state)
    try:
        return _statement_step(state)
    except ArithmeticError:
        return Pause(state, None, "error")


def _statement_step(state: State) -> list[State] | Pause:
    statement, rest, env = state.rest[0], state.rest[1:], state.env

    def go(env: Mapping[str, Value] = env, choices: Choices = state.choices) -> State:
        return State(rest, state.target, env, choices, state.events)

    match statement:
        case Skip():
            return [go()]
        case Assign(local, expr):
            return [go({**env, local: value_of(expr, env)})]
        case Assume(condition):
            return [go()] if value_of(condition, env) else Pause(state, None, "blocked")
        case Assert(condition):
            return [go()] if value_of(condition, env) else Pause(state, None, "error")
        case Havoc(local, low, high):
            both = (False, True)
            values = range(value_of(low, env), value_of(high, env) + 1) if low and high else both
            chosen = [go({**env, local: value}, (*state.choices, (state.events, value))) for value in values]
            return chosen or Pause(state, None, "blocked")
        case Store(_, expr):
            value_of(expr, env)  # so that an error is one before the event, not at it
            return Pause(state, statement, None)
        case _:
            return Pause(state, statement, None)


def _choose_edge(auto: Automaton, state: State) -> list[State] | Pause:
    """The states on each of the enabled edges of the location that the thread has reached."""
    kind = auto.kinds[state.target]
    if kind in ("final", "error"):
        return Pause(state, None, "ended" if kind == "final" else "error")
    edges = auto.edges[state.target]
    enabled = [number for number, edge in enumerate(edges) if _enabled(edge, state.env)]
    following = []
    for number in enabled:
        choices = (*state.choices, (state.events, number)) if len(enabled) > 1 else state.choices
        following.append(State(edges[number].statements, edges[number].target, state.env, choices, state.events))
    return following or Pause(state, None, "blocked")


def _enabled(edge: Edge, env: Mapping[str, Value]) -> bool:
    """Whether no assume fails among the statements that an edge does before its first event, choice or error."""
    state = State(edge.statements, edge.target, env)
    while state.rest and isinstance(state.rest[0], Assign | Assume | Assert | Skip):
        following = _local_step(Automaton(), state)
        if isinstance(following, Pause):
            return following.end != "blocked"
        (state,) = following
    return True


def resume(pause: Pause, read: Value | None = None) -> State:
    """The state of a thread after the event that it stands at; a load gets the value `read`."""
    state = pause.state
    env = {**state.env, pause.event.local: read} if isinstance(pause.event, Load) and read is not None else state.env
    return State(state.rest[1:], state.target, env, state.choices, state.events + 1)


def has_loop(block: Block) -> bool:
    """Whether a block contains a loop."""
    return any(isinstance(statement, While) or any(map(has_loop, parts_of(statement))) for statement in block)


def count_stores(block: Block) -> int:
    """The number of stores in a block's text."""
    return sum(
        1 if isinstance(statement, Store) else sum(map(count_stores, parts_of(statement))) for statement in block
    )


def parts_of(statement: Statement) -> tuple[Block, ...]:
    """The blocks inside a statement."""
    match statement:
        case If(_, then, otherwise):
            return then, otherwise
        case Choice(blocks):
            return blocks
        case While(_, body):
            return (body,)
        case _:
            return ()
