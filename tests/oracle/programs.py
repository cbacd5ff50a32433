"""Programs of the oracle: threads of structured statements, and the automaton that they stand for.

A thread is written as a block of statements. `automaton` turns it into locations and edges; these are both what is
printed as XCFA and what is run (`running`), so that the text and the meaning cannot drift apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from oracle.expressions import Expr, Not, Type, Value, show, show_value

RmwOperation = Literal["exchange", "fetch_add", "fetch_sub", "fetch_and", "fetch_or", "fetch_xor", "cas"]


# --- Statements -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Indexed:
    """A cell of an array; as `pointer` it is written `*(&t[i])`, which means the same."""

    array: str
    size: int
    index: Expr
    pointer: bool = False

    def __str__(self) -> str:
        cell = f"{self.array}[{show(self.index)}]"
        return f"*(&{cell})" if self.pointer else cell


Place = str | Indexed


@dataclass(frozen=True)
class Load:
    local: str
    variable: Place
    order: str | None = None
    exclusive: bool = False


@dataclass(frozen=True)
class Store:
    variable: Place
    expr: Expr
    order: str | None = None


@dataclass(frozen=True)
class StoreExclusive:
    """Fails, or succeeds if the thread's last exclusive load was of the same variable; the local gets 1 or 0."""

    local: str
    variable: Place
    expr: Expr
    order: str | None = None


@dataclass(frozen=True)
class Rmw:
    """A read and a write at once; the local, if any, gets what was read. The arguments of cas: expected, new.

    A second order is that of a cas that fails.
    """

    local: str | None
    op: RmwOperation
    variable: Place
    arguments: tuple[Expr, ...]
    orders: tuple[str, ...] = ()
    picks: bool = False
    """What a cas writes is only picked by what it compares."""


@dataclass(frozen=True)
class Fence:
    tag: str | None = None


@dataclass(frozen=True)
class Take:
    """What `lock` does first: an update of the mutex from 0 to 1; where it reads 1 the thread is blocked."""

    variable: str


@dataclass(frozen=True)
class Give:
    """What `unlock` does last: the mutex is 0 again."""

    variable: str


@dataclass(frozen=True)
class MutexFence:
    """The fence behind the update of a `lock`, or before the store of an `unlock`."""

    tag: Literal["lock", "unlock"]


@dataclass(frozen=True)
class Held:
    """What `unlock` does first: an error where the thread does not hold the mutex."""

    variable: str


@dataclass(frozen=True)
class Mutex:
    """`lock` or `unlock`, which are several steps."""

    op: Literal["lock", "unlock"]
    variable: str


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
class Predict:
    """A value that may be used before it is known; as one that `picks`, in a weaker kind of dependency."""

    local: str
    expr: Expr
    picks: bool = False


@dataclass(frozen=True)
class Select:
    """One of two values; it depends on the one chosen, and on the choice (`one_sided`: only if that is true)."""

    local: str
    choice: str
    positive: Expr
    negative: Expr
    one_sided: bool = False


@dataclass(frozen=True)
class Scope:
    """What decides on the way is kept in a local, or only what the local has decides any more."""

    op: Literal["keep", "leave"]
    local: str


@dataclass(frozen=True)
class Skip:
    pass


@dataclass(frozen=True)
class AtomicBegin:
    pass


@dataclass(frozen=True)
class AtomicEnd:
    pass


@dataclass(frozen=True)
class Atomic:
    """An atomic block, without branches."""

    body: Block


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


EventStatement = Load | Store | StoreExclusive | Rmw | Fence | Take | Give | MutexFence
Simple = (
    EventStatement | Held | Assign | Assume | Assert | Havoc | Predict | Select | Scope | Skip | AtomicBegin | AtomicEnd
)
Statement = Simple | If | Choice | While | Goto | Atomic | Mutex
Block = tuple[Statement, ...]


@dataclass(frozen=True)
class Variable:
    """A shared or a local variable; with a `size`, an array of ints that are 0; or a mutex."""

    name: str
    type: Type = "int"
    initial: Value = 0
    size: int = 0
    mutex: bool = False

    def cells(self) -> tuple[Variable, ...]:
        """The variable itself, or the cells of the array."""
        return tuple(Variable(f"{self.name}[{n}]") for n in range(self.size)) or (self,)

    def __str__(self) -> str:
        if self.mutex:
            return f"var {self.name} : synthetic"
        if self.size:
            return f"var {self.name} : int[{self.size}]"
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


def flat(body: Block) -> Iterator[Statement]:
    """The statements of a block, atomic blocks with their ends, mutexes as their steps."""
    for statement in body:
        match statement:
            case Atomic(inside):
                yield from (AtomicBegin(), *flat(inside), AtomicEnd())
            case Mutex("lock", name):
                yield from (Take(name), MutexFence("lock"))
            case Mutex(_, name):
                yield from (Held(name), MutexFence("unlock"), Give(name))
            case _:
                yield statement


def _add_block(auto: Automaton, joined: bool, body: Block, here: int, pending: list[Simple], end: int) -> None:
    """Add edges for `body` from `here` to `end`; `pending` are the statements that the first edge starts with."""

    def flush() -> None:
        nonlocal here, pending
        target = auto.location()
        auto.edges[here].append(Edge(target, tuple(pending)))
        here, pending = target, []

    for statement in flat(body):
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
    def cells(self) -> tuple[Variable, ...]:
        """The shared variables, each cell of an array as one."""
        return tuple(cell for variable in self.shared for cell in variable.cells())

    @cached_property
    def automata(self) -> tuple[Automaton, ...]:
        """The automaton of each thread."""
        return tuple(automaton(thread.body, self.joined) for thread in self.threads)

    def __str__(self) -> str:
        lines = [str(variable) for variable in self.shared]
        for thread, auto in zip(self.threads, self.automata, strict=True):
            main = "main " if thread is self.threads[0] else ""
            lines += ["", f"{main}process {thread.name} {{"]
            body = automaton_text(thread, auto)
            if self.procedures:
                body = ["main procedure run() {", *(f"    {line}" for line in body), "}"]
            lines += [*(f"    {line}" for line in body), "}"]
        return "\n".join(lines) + "\n"


def automaton_text(thread: Thread, auto: Automaton) -> list[str]:
    """The lines of a thread: its locals, its locations, its edges."""
    lines = [str(variable) for variable in thread.locals]
    lines += [f"{kind} loc L{number}".strip() for number, kind in enumerate(auto.kinds)]
    for number, edges in enumerate(auto.edges):
        for edge in edges:
            texts = [_statement_text(statement) for statement in edge.statements]
            statements = "; ".join(text for text in texts if text)
            lines.append(f"L{number} -> L{edge.target}" + (f" {{ {statements} }}" if statements else ""))
    return lines


def _statement_text(statement: Simple) -> str:
    match statement:
        case Load(local, variable, order, exclusive):
            source = f"load_exclusive({variable})" if exclusive else str(variable)
            return f"{local} <- {source}" + (f" @{order}" if order else "")
        case StoreExclusive(local, variable, expr, order):
            return f"{local} <- store_exclusive({variable}, {show(expr)})" + (f" @{order}" if order else "")
        case Store(variable, expr, order):
            return f"{show(expr)} -> {variable}" + (f" @{order}" if order else "")
        case Rmw(local, op, variable, arguments, orders, picks):
            values = ", ".join([str(variable), *map(show, arguments)])
            order = (f" @ {', '.join(orders)}" if orders else "") + (" @ W[compared]" if picks else "")
            return (f"{local} <- " if local else "") + f"{op}({values}){order}"
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
        case Predict(local, expr, picks):
            return f"{'pick' if picks else 'predict'}({local}, {show(expr)})"
        case Select(local, choice, positive, negative, one_sided):
            return f"select{'_if' if one_sided else ''}({local}, {choice}, {show(positive)}, {show(negative)})"
        case Scope(op, local):
            return f"{op}({local})"
        case Skip():
            return "skip"
        case Take(name):
            return f"lock({name})"
        case Held(name):
            return f"unlock({name})"
        case Give() | MutexFence():
            return ""
        case AtomicBegin():
            return "atomic-begin"
        case AtomicEnd():
            return "atomic-end"


def has_loop(block: Block) -> bool:
    """Whether a block contains a loop."""
    return any(isinstance(statement, While) or any(map(has_loop, parts_of(statement))) for statement in block)


def count_stores(block: Block) -> int:
    """The number of stores in a block's text."""
    return sum(
        1
        if isinstance(statement, Store | StoreExclusive | Rmw | Mutex)
        else sum(map(count_stores, parts_of(statement)))
        for statement in block
    )


def parts_of(statement: Statement) -> tuple[Block, ...]:
    """The blocks inside a statement."""
    match statement:
        case If(_, then, otherwise):
            return then, otherwise
        case Choice(blocks):
            return blocks
        case While(_, body) | Atomic(body):
            return (body,)
        case _:
            return ()
