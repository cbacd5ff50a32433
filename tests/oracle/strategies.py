"""Random programs: from a `random.Random`, for long runs with a seed, or drawn by hypothesis, which shrinks them."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Literal

from hypothesis import strategies as st

from oracle.expressions import Binary, Conditional, Const, Expr, Local, Not, Operator, names_in
from oracle.programs import (
    Assert,
    Assign,
    Assume,
    Atomic,
    Block,
    Choice,
    Fence,
    Goto,
    Havoc,
    If,
    Indexed,
    Load,
    Mutex,
    Place,
    Predict,
    Program,
    Rmw,
    RmwOperation,
    Scope,
    Select,
    Skip,
    Statement,
    Store,
    StoreExclusive,
    Thread,
    Variable,
    While,
    parts_of,
)


@dataclass(frozen=True)
class Features:
    """What random programs are made of: sizes, and how much of each feature in a hundred statements."""

    threads: tuple[int, ...] = (1, 2, 2, 2, 2, 3, 3)
    """The number of threads is one of these."""
    events: tuple[int, int] = (2, 5)
    """The number of events of a thread, at most; with three threads, one less."""
    variables: int = 2
    fences: int = 10
    fence_tags: tuple[str | None, ...] = (None, "mfence")
    orders: tuple[str | None, ...] = (None,)
    branches: int = 12
    choices: int = 6
    havocs: int = 5
    assumes: int = 6
    asserts: int = 6
    leaves: int = 2
    """Ways out: error locations, final ones, locations without an edge."""
    faults: int = 3
    """Of a hundred expressions, those that may overflow or divide by zero."""
    loops: int = 0
    rmws: int = 0
    exclusives: int = 0
    mutexes: int = 0
    atomics: int = 0
    """Of a hundred statements, the atomic blocks."""
    arrays: int = 0
    """Of a hundred accesses, those of an array of two cells."""
    conditionals: int = 0
    """Of a hundred expressions, those in which a condition decides."""
    predictions: int = 0
    """Of a hundred statements, those that predict, select, or end what decides on the way."""
    bools: int = 15
    """Of a hundred programs, those with a shared variable of type bool."""
    rings: int = 0
    """Of a hundred programs, those in which each thread reads what the one before it writes (random_ring)."""


PLAIN = Features(fences=0, branches=0, choices=0, havocs=0, assumes=0, asserts=0, leaves=0, faults=0, bools=0)
"""Loads and stores only."""
DEFAULT = Features()
LOOPS = Features(threads=(1, 2, 2), loops=15)
"""With loops: to be run with a bound on the depth."""
DEPENDENT = Features(
    orders=(None, None, "acq", "rel"), branches=15, asserts=3, leaves=1, faults=0, bools=10, conditionals=20
)
"""What dependencies come from. There are no faults: where one ends a thread, that is no dependency."""
HUGE, MINUS_TWO = Const(2**63 - 1), Const(-2)
LOCALS = (Variable("a"), Variable("b"), Variable("c", "bool"), Variable("s0"), Variable("s1"))


class _Writer:
    """Writes one thread, counting down the events that it may still do."""

    def __init__(self, rng: Random, features: Features, shared: tuple[Variable, ...], events: int) -> None:
        self.rng = rng
        self.features = features
        self.shared = shared
        self.left = events

    def percent(self, share: int) -> bool:
        """True in so many of a hundred cases; what hypothesis takes for simplest, a small number, is False."""
        return self.rng.randint(1, 100) > 100 - share

    def block(self, depth: int = 0) -> Block:
        """A block: statements until the events are used up, or (inside others) one to three."""
        size = self.rng.randint(1, 3) if depth else 100
        statements: list[Statement] = []
        while len(statements) < size and self.left > 0:
            statements += self.statement(depth)
        return tuple(statements)

    def statement(self, depth: int) -> list[Statement]:
        features = self.features
        if self.percent(features.mutexes):
            return self.mutex(depth)
        if depth < 3 and self.percent(features.atomics):
            statements = [statement for statement in self.block(3) if not isinstance(statement, Goto)]
            return [Atomic(tuple(statements))]
        if depth < 2:
            if self.percent(features.branches):
                return [If(self.condition(), self.block(depth + 1), self.block(depth + 1) if self.percent(50) else ())]
            if self.percent(features.choices):
                blocks = [self.block(depth + 1), *([self.block(depth + 1)] if self.percent(50) else []), ()]
                return [Choice(tuple(dict.fromkeys(blocks)))]
            if self.percent(features.loops):
                return [While(self.condition(), (self.access(), *self.block(depth + 1)))]
        if self.percent(features.predictions):
            return self.prediction(depth)
        if self.percent(features.havocs):
            low = self.rng.randint(0, 2)
            ints = Havoc("a", Const(low), Const(low + self.rng.randint(-1, 2)))
            return [ints if self.percent(60) else Havoc("c")]
        if self.percent(features.assumes):
            return [Assume(self.condition())]
        if self.percent(features.asserts):
            return [Assert(self.condition())]
        if self.percent(features.leaves):
            self.left -= 1  # so that a thread ends
            return [Goto(self.rng.choice(("error", "final", "stuck")))]
        if self.percent(8):
            return [self.rng.choice((Skip(), Assign("b", self.number()), Assign("c", self.condition())))]
        return [self.access()]

    def prediction(self, depth: int) -> list[Statement]:
        """A prediction, a selection, or both; or an `if` with a condition that is predicted, and ends to decide."""
        predict = Predict("c", self.condition(), self.percent(50))
        select = Select(self.rng.choice(("a", "b")), "c", self.number(), self.number(), self.percent(40))
        if depth < 2 and self.percent(45):
            scope, blocks = f"s{depth}", [self.block(depth + 1), self.block(depth + 1) if self.percent(40) else ()]
            test: Statement = If(Local("c"), *blocks)
            if self.percent(15):
                return [Scope(self.rng.choice(("keep", "leave", "leave")), scope)]
            before = [Scope("keep", scope), *([predict] if self.percent(85) else [])]
            return [*before, test, *([Scope("leave", scope)] if self.percent(90) else [])]
        return self.rng.choice(([predict], [select], [predict, select], [predict, select]))

    def mutex(self, depth: int) -> list[Statement]:
        """A critical section, or (rarely) half of one."""
        name = self.rng.choice(("m", "m", "n"))
        if self.percent(30):
            self.left -= 1
            return [Mutex(self.rng.choice(("lock", "lock", "lock", "unlock")), name)]
        self.left -= 1
        inside = (self.access(), *(self.mutex(depth) if self.percent(20) and self.left > 0 else ()))
        return [Mutex("lock", name), *inside, Mutex("unlock", name)]

    def access(self) -> Statement:
        """An event."""
        self.left -= 1
        if self.percent(self.features.fences):
            return Fence(self.rng.choice(self.features.fence_tags))
        variable = self.rng.choice([variable for variable in self.shared if not variable.size and not variable.mutex])
        place: Place = variable.name
        if self.percent(self.features.arrays):
            variable = Variable("t")
            place = Indexed("t", 2, self.index(), self.percent(50))
        if self.percent(self.features.rmws):
            return self.rmw(variable, place)
        order = self.rng.choice(self.features.orders)
        if variable.type == "int" and self.percent(self.features.exclusives):
            if self.percent(60):
                return StoreExclusive(self.rng.choice(("a", "b")), place, self.number(), order)
            return Load(self.rng.choice(("a", "b")), place, order, exclusive=True)
        if self.percent(50):
            return Load("c" if variable.type == "bool" else self.rng.choice(("a", "b")), place, order)
        return Store(place, self.boolean() if variable.type == "bool" else self.number(), order)

    def index(self) -> Expr:
        """An index that is mostly in range."""
        local = Local(self.rng.choice(("a", "b")))
        zero = Binary("*", Const(0), local)
        return self.rng.choice((Const(0), Const(1), zero, Binary("mod", local, Const(2)), local))

    def rmw(self, variable: Variable, place: Place) -> Rmw:
        """A read-modify-write, which is two events."""
        self.left -= 1
        everywhere: list[RmwOperation] = ["exchange", "cas", "cas", "fetch_and", "fetch_or", "fetch_xor"]
        numbers: list[RmwOperation] = ["fetch_add", "fetch_add", "fetch_sub"]
        boolean = variable.type == "bool"
        operation = self.rng.choice(everywhere if boolean else everywhere + numbers)
        local = None if self.percent(25) else "c" if boolean else self.rng.choice(("a", "b"))
        count = 2 if operation == "cas" else 1
        arguments = tuple(self.boolean() if boolean else self.number() for _ in range(count))
        orders = [self.rng.choice(self.features.orders) for _ in range(count)]
        named = tuple(order for order in orders if order is not None)
        picks = operation == "cas" and self.percent(self.features.predictions)
        return Rmw(local, operation, place, arguments, named, picks)

    def number(self) -> Expr:
        """An expression of type int, with small values."""
        constant, local = Const(self.rng.randint(0, 2)), Local(self.rng.choice(("a", "b")))
        if self.percent(self.features.faults):
            op: Operator = self.rng.choice(("+", "*", "/", "mod", "rem"))
            return Binary(op, self.rng.choice((local, HUGE, MINUS_TWO)), self.rng.choice((local, MINUS_TWO)))
        if self.percent(self.features.conditionals):
            divided = Binary(
                self.rng.choice(("mod", "rem", "/")), Const(2), Conditional(self.boolean(), constant, Const(1))
            )
            zero = Binary("*", Const(0), local)
            chosen = Conditional(self.condition(), constant, self.rng.choice((local, Const(1), zero)))
            fine = Const(1) if constant == Const(0) else divided
            return self.rng.choice((chosen, chosen, zero, fine))
        return self.rng.choice((constant, constant, local, Binary("+", local, Const(1)), Binary("-", local, constant)))

    def boolean(self) -> Expr:
        """A constant or a variable of type bool."""
        return self.rng.choice((Const(True), Const(False), Local("c"), Not(Local("c"))))

    def condition(self) -> Expr:
        """An expression of type bool."""
        compared = Binary(
            self.rng.choice(("=", "/=", "<", "<=")), Local(self.rng.choice(("a", "b"))), Const(self.rng.randint(0, 2))
        )
        either = Binary(self.rng.choice(("and", "or")), compared, self.boolean())
        if self.percent(self.features.conditionals):
            failing = Binary("=", Binary("+", Local(self.rng.choice(("a", "b"))), Const(1)), Const(1))
            return self.rng.choice(
                (
                    Binary(self.rng.choice(("and", "or")), self.boolean(), failing),
                    Conditional(compared, failing, either),
                )
            )
        return self.rng.choice((compared, compared, compared, either, Not(compared), self.boolean()))


def random_program(rng: Random, features: Features = DEFAULT) -> Program:
    """A random program."""
    if features.rings and rng.randint(1, 100) > 100 - features.rings:
        return random_ring(rng, features)
    names = ["x", "y", "z"][: rng.randint(1, features.variables)]
    shared = [Variable(name, "int", rng.choice((0, 0, 0, 1))) for name in names]
    if rng.randint(1, 100) > 100 - features.bools:
        shared.append(Variable("flag", "bool", rng.choice((False, True))))
    if features.arrays:
        shared.insert(rng.randint(0, len(shared)), Variable("t", size=2))
    if features.mutexes:
        shared += [Variable("m", mutex=True), Variable("n", mutex=True)]
    count = rng.choice(features.threads)
    threads = []
    for number in range(count):
        low, high = features.events
        events = rng.randint(low, max(low, high - (count > 2)))
        body = _Writer(rng, features, tuple(shared), events).block()
        threads.append(Thread(f"P{number}", tuple(v for v in LOCALS if v.name in _locals_of(body)), body))
    return Program(tuple(shared), tuple(threads), joined=rng.choice((False, True)), procedures=rng.randint(1, 4) == 4)


def _locals_of(body: Block) -> set[str]:
    """The locals that a block mentions."""
    names = set()
    for statement in body:
        for value in vars(statement).values():
            for item in value if isinstance(value, tuple) else (value,):
                item = item.index if isinstance(item, Indexed) else item
                names |= {item} if isinstance(item, str) else set(names_in(item)) if isinstance(item, Expr) else set()
        for part in parts_of(statement):
            names |= _locals_of(part)
    return names


def programs(features: Features = DEFAULT) -> st.SearchStrategy[Program]:
    """Random programs, for hypothesis."""
    return st.randoms(use_true_random=False).map(lambda rng: random_program(rng, features))


def random_ring(rng: Random, features: Features) -> Program:
    """A program in which each thread updates a variable, and writes what is computed from that to the next one.

    In random programs hardly any update waits for what depends on what it writes itself.
    """
    count = rng.choice((2, 2, 2, 3))
    names = "xyz"[:count]
    threads = []
    for number, name in enumerate(names):
        body = _ring_thread(rng, features, name, names[(number + 1) % count], count)
        threads.append(Thread(f"P{number}", LOCALS[:2], tuple(body)))
    shared = tuple(Variable(name, "int", rng.choice((0, 0, 0, 1))) for name in names)
    return Program(shared, tuple(threads), joined=rng.choice((False, True)))


def _ring_thread(rng: Random, features: Features, name: str, following: str, count: int) -> list[Statement]:
    """An update or a load of one variable, mostly another load of it, and a store to the following one."""

    def order() -> str | None:
        return rng.choice(features.orders) if rng.random() < 0.4 else None

    def update(place: str) -> Statement:
        operation: RmwOperation = rng.choice(("cas", "cas", "cas", "exchange", "fetch_add", "fetch_or"))
        expected = rng.choice((Const(1), Const(2), Const(2), Const(0), Local("b")))
        new = rng.choice((Const(1), Const(1), Const(2), Local("b")))
        orders = tuple(tag for tag in (order(),) if tag is not None)
        return Rmw("a", operation, place, (*([expected] if operation == "cas" else []), new), orders)

    body: list[Statement] = []
    if rng.random() < 0.15:
        body.append(Load("b", rng.choice((name, following)), order()))
    updates = rng.random() < 0.6
    body.append(update(name) if updates else Load("a", name, order()))
    if updates and rng.random() < 0.85:
        body.append(Load("b", name, order()))
    if rng.random() < 0.1:
        body.append(Fence(rng.choice(features.fence_tags)))
    read = Local("b" if len(body) > 1 and rng.random() < 0.85 else "a")
    value = rng.choice(
        (read, Binary("+", read, Const(1)), Binary("+", Binary("*", Const(0), read), Const(1)), Const(1))
    )
    last = update(following) if rng.random() < 0.2 and count < 3 else Store(following, value, order())
    return [*body, If(Binary("=", read, Const(rng.choice((1, 1, 2)))), (last,), ()) if rng.random() < 0.2 else last]


Barrier = Literal["fence", "cas", "failing cas", "exchange", "mutex"]


def random_shape(rng: Random, barriers: tuple[Barrier, ...], features: Features = DEFAULT) -> Program:
    """A program in the manner of litmus tests: two or three threads of accesses to x and y with a barrier between.

    Barriers are fences, updates of variables that mostly nobody else has, and critical sections of two mutexes. Random
    programs hardly ever have the shapes in which it matters what these are.
    """
    threads = [_random_column(rng, barriers, features, number) for number in range(rng.choice((2, 2, 2, 3)))]
    variables = [Variable("x"), Variable("y"), *(Variable(f"z{number}") for number in range(len(threads)))]
    if "mutex" in barriers:
        variables += [Variable(name, mutex=True) for name in ("m", "n")]
    return Program(tuple(variables), tuple(threads), joined=rng.random() < 0.5)


def _random_column(rng: Random, barriers: tuple[Barrier, ...], features: Features, number: int) -> Thread:
    """A thread of a shape: its accesses are rarely to one variable only."""
    first = rng.choice("xy")
    other = "y" if first == "x" else "x"
    places = rng.choice(((first, other), (first, other), (first, other), (first, first, other), (first, other, other)))
    between = rng.randint(1, len(places) - 1)
    body: list[Statement] = []
    for position, place in enumerate(places):
        order = rng.choice(features.orders)
        if position == between:
            body += _random_barrier(rng, barriers, features, number)
        if rng.random() < (0.6 if position == 0 else 0.3):
            body.append(Store(place, Const(number * 3 + position + 1), order))
        else:
            body.append(Load("abd"[position], place, order))
    return Thread(f"P{number}", (Variable("a"), Variable("b"), Variable("c", "bool"), Variable("d")), tuple(body))


def _random_barrier(rng: Random, barriers: tuple[Barrier, ...], features: Features, number: int) -> list[Statement]:
    barrier, place = rng.choice(barriers), f"z{number}" if rng.random() < 0.7 else rng.choice("xy")
    count = 1 if barrier == "exchange" else 2
    orders = tuple(order for order in (rng.choice(features.orders) for _ in range(count)) if order is not None)
    name = rng.choice("mn")
    match barrier:
        case "fence":
            return [Fence(rng.choice(features.fence_tags))]
        case "mutex":
            section = (Load("d", f"z{number}", rng.choice(features.orders)),) if rng.random() < 0.3 else ()
            return [Mutex("lock", name), *section, Mutex("unlock", name)]
        case "exchange":
            return [Rmw(None, "exchange", place, (Const(50 + number),), orders)]
        case "cas":
            return [Rmw(None, "cas", place, (Const(0), Const(60 + number)), orders)]
        case "failing cas":
            return [Rmw(None, "cas", place, (Const(99), Const(70 + number)), orders)]
