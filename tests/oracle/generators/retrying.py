"""Programs whose loops are tried again: a generator, and what must be the same of them however they are explored.

Random programs with loops hardly ever have what makes loops difficult where threads run ahead of their reads: rounds
that read anew what matters after the loop, or keep copies of what rounds before have read, updates that fail and are
tried again, loops in such loops, helping, exclusive accesses that fail and then succeed, computed addresses, reads that
wait for what a later round of another thread writes; and beside them atomic blocks, mutexes and choices.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

import xgen
from oracle.against import difference
from oracle.enumerate import TooManyError
from oracle.expressions import Binary, Const, Expr, Local
from oracle.programs import (
    Assert,
    Assign,
    Atomic,
    Block,
    Choice,
    Fence,
    Havoc,
    If,
    Indexed,
    Load,
    Mutex,
    Place,
    Program,
    Rmw,
    Statement,
    Store,
    StoreExclusive,
    Thread,
    Variable,
    While,
)
from xgen import Model, Result
from xgen.analyses.check.result import result_of
from xgen.engine.graphs.found import found_by
from xgen.engine.graphs.options import Options
from xgen.engine.graphs.run import Run
from xgen.engine.problem import problem

LOCALS = tuple(Variable(name) for name in "abcgs")
"""a and b are read and written, c has copies of them, g decides whether a loop goes on, s is whether a store exclusive
failed."""

Outcomes = set[tuple[tuple[str, object], ...]]


class Writer:
    """Writes one thread."""

    def __init__(self, rng: Random, names: list[str], array: bool, mutex: bool) -> None:
        self.rng, self.names, self.array, self.mutex = rng, names, array, mutex

    def place(self, computed: bool = True) -> Place:
        if self.array and computed and self.rng.random() < 0.35:
            index: Expr = Binary("mod", Local(self.rng.choice("aabbc")), Const(2))
            return Indexed("t", 2, self.rng.choice((index, index, Const(0), Const(1))), self.rng.random() < 0.3)
        return self.rng.choice(self.names)

    def value(self) -> Expr:
        return self.rng.choice((Const(1), Const(1), Const(2), Local("a"), Local("b"), Local("c")))

    def compared(self, local: str) -> Expr:
        return Binary(self.rng.choice(("=", "=", "/=")), Local(local), Const(self.rng.choice((0, 0, 1, 2))))

    def access(self) -> Statement:
        kind = self.rng.random()
        if kind < 0.4:
            return Load(self.rng.choice("ab"), self.place())
        if kind < 0.75:
            return Store(self.place(), self.value())
        if kind < 0.8:
            return Fence()
        return self.update()

    def step(self) -> Block:
        """What no loop needs."""
        kind = self.rng.random()
        if kind < 0.7:
            return (self.access(),)
        if kind < 0.78:
            return (Assign(self.rng.choice("abcc"), self.rng.choice((Local("a"), Local("b"), Local("c")))),)
        if kind < 0.84:
            return (Havoc(self.rng.choice("ab"), Const(0), self.rng.choice((Const(1), Const(1), Local("c")))),)
        if kind < 0.89:
            return (Choice(((self.access(),), ())),)
        if kind < 0.95 or not self.mutex:
            return (Atomic((self.access(), self.access())),)
        return (Mutex("lock", "m"), self.access(), Mutex("unlock", "m"))

    def update(self) -> Rmw:
        kind, local = self.rng.random(), self.rng.choice(("a", "b", None))
        if kind < 0.7:
            expected = self.rng.choice((Const(0), Const(0), Const(1), Local("a"), Local("b"), Local("c")))
            return Rmw(local, "cas", self.place(), (expected, self.value()))
        if kind < 0.85:
            return Rmw(local, "exchange", self.place(), (Const(self.rng.choice((1, 2))),))
        return Rmw(local, "fetch_add", self.place(), (Const(1),))

    def loop(self) -> Block:
        kinds = (self.waiting, self.waiting, self.retried, self.exclusive, self.helping, self.failing, self.nested)
        return self.rng.choice((*kinds, self.copied, self.fed, self.fed, self.spinning, self.expecting, self.aimed))()

    def waiting(self) -> Block:
        """Until g changes; each round may read a and b anew, or compute with them."""
        look = Load("g", self.rng.choice(self.names))
        body: list[Statement] = [look]
        for local in self.rng.sample("ab", self.rng.choice((0, 1, 1, 2))):
            again = Load(local, self.place())
            body.insert(self.rng.randint(0, len(body)), again)
        if self.rng.random() < 0.3:
            other = Assign(self.rng.choice("ab"), self.rng.choice((Local("a"), Binary("-", Const(1), Local("b")))))
            body.insert(self.rng.randint(0, len(body)), other)
        if self.rng.random() < 0.15:
            body.insert(self.rng.randint(0, len(body)), Store(self.place(), self.value()))
        first: Block = (look,) if self.rng.random() < 0.7 else ()
        return (*first, While(self.compared("g"), tuple(body)))

    def retried(self) -> Block:
        """An update that is tried until it succeeds, or until what it reads says that it need not."""
        place = self.place()
        new = self.rng.choice((Binary("+", Local("a"), Const(1)), Const(1), Const(2), Local("b")))
        expected = self.rng.choice((Local("a"), Local("a"), Const(0), Const(1)))
        body: Block = (Load("a", place), Rmw("g", "cas", place, (expected, new)))
        if self.rng.random() < 0.3:
            body = (body[0], Load("b", self.place()), body[1])
        return (*body, While(Binary("/=", Local("g"), expected), body))

    def exclusive(self) -> Block:
        place = self.rng.choice(self.names)
        body: Block = (Load("a", place, exclusive=True), StoreExclusive("s", place, self.value()))
        if self.rng.random() < 0.3:
            body = (body[0], self.access(), body[1])
        again = Binary("and", Binary("=", Local("s"), Const(1)), self.compared("a"))
        return (*body, While(self.rng.choice((Binary("=", Local("s"), Const(1)), again)), body))

    def helping(self) -> Block:
        """What another thread has not finished is finished for it, and then all is looked at again."""
        link: Place = (
            Indexed("t", 2, Binary("mod", Local("a"), Const(2))) if self.array else self.rng.choice(self.names)
        )
        tail = self.rng.choice(self.names)
        look: Block = (Load("a", tail), Load("g", link))
        new = self.rng.choice((Local("g"), Const(2)))
        help_: Statement = self.rng.choice((Rmw(None, "cas", tail, (Local("a"), new)), self.update()))
        if self.rng.random() < 0.2:
            help_ = If(self.compared("a"), (help_,))
        return (*look, While(self.compared("g"), (help_, *look)))

    def failing(self) -> Block:
        """Exclusive accesses of several places, in any order: some fail before one succeeds."""
        body: list[Statement] = [Load(self.rng.choice("ab"), self.place(), exclusive=True)]
        for _ in range(self.rng.choice((1, 2, 2))):
            kind = self.rng.random()
            if kind < 0.5:
                body.append(StoreExclusive("s", self.place(), self.value()))
            elif kind < 0.75:
                body.append(Load(self.rng.choice("ab"), self.place(), exclusive=True))
            else:
                body.extend(self.step())
        body.append(StoreExclusive("s", self.place(), self.value()))
        again: Expr = Binary("=", Local("s"), Const(1))
        if self.rng.random() < 0.3:
            again = Binary("and", again, self.compared("b"))
        return (*body, While(again, tuple(body)))

    def nested(self) -> Block:
        """A loop in each round of another one."""
        inner = self.rng.choice((self.waiting, self.retried, self.exclusive))()
        if self.rng.random() < 0.3:
            inner = (*inner, *self.step())
        look = Load("g", self.rng.choice(self.names))
        return (look, While(self.compared("g"), (self.access(), *inner, look)))

    def copied(self) -> Block:
        """What a round has read is what the next one, or what follows the loop, uses."""
        again = Load("a", self.place())
        kept = Assign("c", self.rng.choice((Local("a"), Local("a"), Local("b"), Binary("+", Local("c"), Const(1)))))
        body: list[Statement] = self.rng.choice(([kept, again], [again, kept]))
        if self.rng.random() < 0.3:
            body.insert(1, Assign("b", Local("c")))
        if self.rng.random() < 0.4:
            body.insert(self.rng.randint(0, len(body)), Havoc("b", Const(0), Const(1)))
        look: Statement = Load("g", self.rng.choice(self.names))
        if self.rng.random() < 0.4:
            look = Rmw("g", "cas", self.place(), (self.rng.choice((Local("c"), Const(0))), self.value()))
        if self.rng.random() < 0.2:
            body.extend(self.step())
        return (look, While(self.compared("g"), (look, *body)))

    def fed(self) -> Block:
        """Updates of one place by what another one held: two such threads feed each other."""
        source, place = self.place(), self.place()
        old: Expr = self.rng.choice((Local("a"), Local("b"), Const(0)))
        body: list[Statement] = [
            self.rng.choice((Load("a", source), Rmw("a", "exchange", source, (self.value(),)), self.update())),
            Rmw("g", "cas", place, (old, self.rng.choice((Local("a"), Binary("+", Local("a"), Const(1)), Const(1))))),
        ]
        if self.rng.random() < 0.3:
            body.append(Assign("b", self.rng.choice((Local("g"), Local("a")))))
        return (*body, While(Binary("/=", Local("g"), old), tuple(body)))

    def spinning(self) -> Block:
        """An update that waits, as that of a lock."""
        place = self.place()
        look = self.rng.choice((
            Rmw("g", "exchange", place, (Const(1),)), Rmw("g", "fetch_add", place, (Const(0),)),
            Rmw("g", "fetch_or", place, (Const(1),)), Rmw("g", "cas", place, (Const(0), Const(1))),
        ))  # fmt: skip
        body: tuple[Statement, ...] = (look,)
        if self.rng.random() < 0.4:
            body = self.rng.choice(((look, self.access()), (self.access(), look)))
        again = self.rng.choice((Binary("=", Local("g"), Const(1)), Binary("/=", Local("g"), Const(0))))
        free = (Store(place, Const(0)),) if self.rng.random() < 0.5 else ()
        return (look, While(again, body), self.access(), *free)

    def expecting(self) -> Block:
        """A wait in which what an update expects is read anew."""
        look = Load("g", self.place())
        again = Load("a", self.place())
        update = Rmw(self.rng.choice("bg"), "cas", self.place(), (Local("a"), self.value()))
        body: list[Statement] = [again, look] if self.rng.random() < 0.5 else [look, again]
        body.insert(self.rng.randint(0, 2), update)
        before: Block = (update,) if self.rng.random() < 0.3 else ()
        return (again, *before, look, While(self.compared("g"), tuple(body)), *(() if before else (update,)))

    def aimed(self) -> Block:
        """Exclusive accesses, or a load and an update, at places that were read, tried again until they succeed."""
        index: Expr = Binary("mod", Local(self.rng.choice("abc")), Const(2))
        place: Place = Indexed("t", 2, index) if self.array else self.place()
        look = Load(self.rng.choice("abc"), self.place())
        if self.rng.random() < 0.5:
            target = self.rng.choice("ab")
            pair: Block = (Load(target, place, exclusive=True), StoreExclusive("s", place, self.value()))
            return (look, *pair, While(Binary("=", Local("s"), Const(1)), (look, *pair)))
        pair = (Load("b", place), Rmw("g", "cas", place, (Local("b"), self.value())))
        return (look, *pair, While(Binary("/=", Local("g"), Local("b")), (look, *pair)))

    def body(self, loops: bool, most: int) -> Block:
        """One thread's statements: `most` before and after a loop, or one more without."""
        if not loops:
            return tuple(s for _ in range(self.rng.randint(1, most + 1)) for s in self.step())
        before = [s for _ in range(self.rng.choice((0, 0, 1, 2)[: most + 2])) for s in self.step()]
        after = [s for _ in range(self.rng.choice((0, 1, 1, 2)[: most + 2])) for s in self.step()]
        if self.rng.random() < 0.5:
            after.append(Store(self.rng.choice(self.names), Local(self.rng.choice("abc"))))
        if self.rng.random() < 0.3:
            after.append(Assert(self.compared(self.rng.choice("abc"))))
        return (*before, *self.loop(), *after)


SHAPES = ((True,), (True, False), (True, False), (True, True), (True, False, False), (True, True, False))
"""Which threads have loops."""


ORDERS = {
    "arm8": ("acquire", "release"),
    "riscv": ("acquire", "release", "acq_rel"),
    "lkmm": ("once", "once", "acquire", "release", "mb", "noreturn"),
}
"""Orders of accesses that models know."""


def _ordered(rng: Random, orders: tuple[str, ...], block: Block) -> Block:
    """The statements, some of whose accesses have an order."""

    def each(statement: Statement) -> Statement:
        match statement:
            case Load() | Store() | StoreExclusive() if rng.random() < 0.5:
                return replace(statement, order=rng.choice(orders))
            case Rmw() if rng.random() < 0.5:
                return replace(statement, orders=(rng.choice(orders),))
            case While() | Atomic():
                return replace(statement, body=_ordered(rng, orders, statement.body))
            case If():
                return replace(statement, then=_ordered(rng, orders, statement.then))
            case Choice(blocks):
                return Choice(tuple(_ordered(rng, orders, block) for block in blocks))
        return statement

    return tuple(map(each, block))


def retrying_program(rng: Random, orders: tuple[str, ...] = ()) -> Program:
    """A random program, in which at least one thread has a loop, and accesses may have these orders."""
    names = ["x", "y", "z"][: rng.choice((1, 2, 2, 2, 3))]
    array, mutex = rng.random() < 0.35, rng.random() < 0.2
    shared = [Variable(name, "int", rng.choice((0, 0, 1))) for name in names]
    if array:
        shared.append(Variable("t", size=2))
    if mutex:
        shared.append(Variable("m", "int", mutex=True))
    looping = rng.choice(SHAPES)
    most = 2 if len(looping) < 3 else 1
    bodies = [Writer(rng, names, array, mutex).body(loops, most) for loops in looping]
    if orders:
        bodies = [_ordered(rng, orders, body) for body in bodies]
    threads = tuple(Thread(f"P{number}", LOCALS, body) for number, body in enumerate(bodies))
    return Program(tuple(shared), threads, joined=rng.random() < 0.5, procedures=rng.random() < 0.2)


def outcomes_of(result: Result) -> Outcomes:
    """The final states."""
    return {tuple(outcome.state.items()) for outcome in result.outcomes}


def disagreement(program: Program, model: Model, depth: int, limit: int, seconds: float | None = None) -> str | None:
    """None where explorations of a program agree with each other, and with the oracle if that is not too much for it.

    At `depth`, the executions are those of the oracle if each round is explored; that rounds which only wait are left
    out changes no outcome and no verdict; what is said to be exhaustive has the outcomes of a larger depth. With
    `seconds`, so is what is explored without a bound, if it ends in this time.
    """
    asked = problem(xgen.parse(str(program), "xcfa"), model)

    def check(max_depth: int | None, unroll: bool) -> Result:
        timeout = 2.0 if max_depth else seconds
        options = Options(max_depth, all_states=True, unroll=unroll, timeout=timeout)
        run = Run(asked, options)
        run.finish()
        return result_of(asked, options, found_by(run), run.seconds)

    try:
        different = difference(program, model, depth, limit)
    except TooManyError:
        different = None
    if different is not None:
        return different
    found: dict[tuple[int, bool], Result] = {}
    for key in ((depth, True), (depth, False), (depth + 5, True), (depth + 5, False)):
        found[key] = check(*key)
        if found[key].stopped:
            return None
    larger = found[depth + 5, True]
    for bound in (depth, depth + 5):
        each, waiting = found[bound, True], found[bound, False]
        if outcomes_of(each) != outcomes_of(waiting) or (each.violations > 0) != (waiting.violations > 0):
            return _report(program, model, f"waiting at {bound}", each, waiting)
        if each.duplicates or waiting.duplicates:
            return f"{program}\nunder {model.name}: duplicates"
    for (bound, unroll), result in found.items():
        if result.exhaustive and outcomes_of(result) != outcomes_of(larger):
            return _report(program, model, f"exhaustive at {bound}, unroll {unroll}", result, larger)
    if seconds is not None:
        free = check(None, unroll=False)
        if not free.stopped and not outcomes_of(free) >= outcomes_of(larger):
            return _report(program, model, "no bound", free, larger)
        if not free.stopped and larger.exhaustive and outcomes_of(free) != outcomes_of(larger):
            return _report(program, model, "no bound", free, larger)
    return None


def _report(program: Program, model: Model, title: str, first: Result, second: Result) -> str:
    lines = [f"{program}\nunder {model.name}: {title}"]
    for name, result, other in (("only the first", first, second), ("only the second", second, first)):
        lines += [f"{name}: {dict(state)}" for state in sorted(outcomes_of(result) - outcomes_of(other), key=str)[:3]]
    lines.append(
        f"executions {first.executions}, {second.executions}; violations {first.violations}, {second.violations}"
    )
    return "\n".join(lines)
