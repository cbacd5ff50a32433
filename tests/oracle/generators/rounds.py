"""Programs whose loops are those of locks, lists and queues: rounds that help, confirm, take back, or stop halfway."""

from __future__ import annotations

from random import Random

from oracle.expressions import Binary, Const, Expr, Local
from oracle.generators.retrying import LOCALS, SHAPES, Writer
from oracle.programs import (
    Assign,
    Block,
    If,
    Indexed,
    Load,
    Place,
    Program,
    Rmw,
    Statement,
    Thread,
    Variable,
    While,
)


class _Rounds(Writer):
    """Writes one thread; s says whether its loop goes on."""

    def loop(self) -> Block:
        kinds = (self.queued, self.undone, self.broken, self.confirmed, self.nested_updates, self.completed)
        return self.rng.choice(kinds)()

    def queued(self) -> Block:
        """As Michael and Scott: what is behind the tail is put there; where nothing is, an update ends the loop."""
        tail = self.rng.choice(self.names)
        link: Place = Indexed("t", 2, Binary("mod", Local("a"), Const(2))) if self.array else self.place()
        again: Block = (Load("c", tail),) if self.rng.random() < 0.4 else ()
        help_ = Rmw(None, "cas", tail, (Local("a"), Local("b")))
        add = Rmw("g", "cas", link, (Const(0), Const(self.rng.choice((1, 2)))))
        body: Block = (
            Assign("s", Const(0)),
            Load("a", tail),
            Load("b", link),
            *again,
            If(_is("b", 0, "/="), (help_, Assign("s", Const(1)))),
            If(_is("b", 0), (add, If(_is("g", 0, "/="), (Assign("s", Const(1)),)))),
        )
        after: Block = (Rmw(None, "cas", tail, (Local("a"), Const(1))),) if self.rng.random() < 0.5 else ()
        return (Assign("s", Const(1)), While(_is("s", 1), body), *after)

    def undone(self) -> Block:
        """As musl's mutex: who waits is counted, and takes that back."""
        place, flag = self.place(), self.place()
        look = self.rng.choice((Load("g", flag), Rmw("g", "cas", flag, (Const(0), Const(1)))))
        enter = Rmw(self.rng.choice((None, "a")), "fetch_add", place, (Const(1),))
        middle: Block = (self.access(),) if self.rng.random() < 0.3 else ()
        leave = Rmw(None, "fetch_add", place, (Const(-1),))
        return (look, While(self.compared("g"), (enter, *middle, look, leave)))

    def broken(self) -> Block:
        """What a round finds first may end the loop in its middle."""
        update = Rmw("b", "cas", self.place(), (Local("a"), self.value()))
        done = Assign("s", Const(0))
        rest = (update, If(Binary("=", Local("b"), Local("a")), (done,)))
        body = (Load("a", self.place()), If(self.compared("a"), (done,)), If(_is("s", 1), rest))
        return (Assign("s", Const(1)), While(_is("s", 1), body))

    def confirmed(self) -> Block:
        """Two variables are read, and the first one again, until that is the same."""
        first, second = self.place(), self.place()
        body: list[Statement] = [Load("a", first), Load("b", second), Load("g", first)]
        again: Expr = Binary("/=", Local("g"), Local("a"))
        if self.rng.random() < 0.5:
            body.append(Rmw("s", "cas", second, (Local("b"), self.value())))
            again = self.rng.choice((again, Binary("/=", Local("s"), Local("b"))))
        return (*body, While(again, tuple(body)))

    def nested_updates(self) -> Block:
        """An update is tried until it succeeds in each round of another one."""
        place = self.place()
        new = self.rng.choice((Const(1), Binary("+", Local("b"), Const(1))))
        inner: Block = (Load("b", place), Rmw("g", "cas", place, (Local("b"), new)))
        look = Rmw("s", "cas", self.place(), (Const(0), self.value()))
        again = Binary("/=", Local("g"), Local("b"))
        return (look, While(_is("s", 0, "/="), (*inner, While(again, inner), look)))

    def completed(self) -> Block:
        """Where two variables differ, the one is made what the other is."""
        first, second = self.rng.choice(self.names), self.rng.choice(self.names)
        look: Block = (Load("a", first), Load("b", second))
        follow = Rmw(None, "cas", second, (Local("b"), Local("a")))
        update = Rmw("c", "cas", first, (Local("a"), self.value()))
        return (*look, While(Binary("/=", Local("a"), Local("b")), (follow, *look)), update)


def _is(local: str, value: int, comparison: str = "=") -> Expr:
    return Binary(comparison, Local(local), Const(value))


def random_rounds(rng: Random) -> Program:
    """A random program; at least one thread has such a loop."""
    names = ["x", "y", "z"][: rng.choice((1, 2, 2, 2, 3))]
    array = rng.random() < 0.4
    shared = [Variable(name, "int", rng.choice((0, 0, 1))) for name in names]
    if array:
        shared.append(Variable("t", size=2))
    looping = rng.choice(SHAPES)
    most = 1 if len(looping) < 3 else 0
    bodies = [_Rounds(rng, names, array, mutex=False).body(loops, most) for loops in looping]
    threads = tuple(Thread(f"P{number}", LOCALS, body) for number, body in enumerate(bodies))
    return Program(tuple(shared), threads, joined=rng.random() < 0.5, procedures=rng.random() < 0.2)
