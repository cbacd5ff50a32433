"""What threads wait for besides mutexes: barriers, rwlocks, semaphores, `pthread_once`.

Each is a number in a cell that threads update and wait for. A barrier at which just as many threads wait as it is for
has a flag for each of them and each round instead: then there is one order of arrivals, not all.
"""

from __future__ import annotations

from collections.abc import Callable

from pycparser import c_ast

from xgen.frontends.c.language.arithmetic import convert, negated
from xgen.frontends.c.language.memory import Object
from xgen.frontends.c.language.places import InMemory, Value, literal
from xgen.frontends.c.language.types import INT, UINT, Array
from xgen.frontends.c.library.pthreads import BUSY, Threads
from xgen.program import automaton as xcfa
from xgen.program.automaton import Binary, BoolLiteral, Conditional, Expression, IntLiteral, Name

AGAIN = -1
WRITING = -1
"""The state of a lock for readers and writers that is held for writing; else it is the number of readers."""
ZERO = IntLiteral(0)


class Waiting(Threads):
    """Calls of functions that wait."""

    def until(self, node: c_ast.Node, attempt: Callable[[], Expression]) -> None:
        """Tries again and again until a condition holds, which the attempt computes."""
        head = self.flow.label()
        self.flow.place_head(head, ())
        self.flow.branch(negated(attempt()), head, self.position(node))

    def read(self, place: InMemory, order: str | None, node: c_ast.Node) -> Expression:
        """What is in a cell of the library, whatever is known of it."""
        name = self.fresh()
        self.access(str(place.address))
        self.flow.emit(xcfa.Load(Name(name), self.cell(place, node)[0], order=order, position=self.position(node)))
        return Name(name)

    def change(
        self, op: str, place: InMemory, values: tuple[Expression, ...], order: str, node: c_ast.Node
    ) -> Expression:
        """An update; its old value."""
        old = self.fresh()
        self.note_write(place, None)
        cell = self.cell(place, node)[0]
        orders = (order, "acquire") if op in xcfa.CONDITIONAL_RMWS else (order,)
        bits = -32 if op in ("fetch_add", "fetch_sub") else None
        self.flow.emit(xcfa.Rmw(Name(old), op, cell, values, orders, self.position(node), bits=bits))
        return Name(old)

    def write(self, place: InMemory, value: int, order: str | None, node: c_ast.Node) -> None:
        self.note_write(place, None)
        cell = self.cell(place, node)[0]
        self.flow.emit(xcfa.Store(IntLiteral(value), cell, order=order, position=self.position(node)))

    def again(self, result: Expression, wanted: Expression, busy: int) -> Value:
        """0 where what was tried has succeeded, else the error's number."""
        return Value(Conditional(Binary("=", result, wanted), ZERO, IntLiteral(busy)), INT)

    # ---- barriers

    def do_pthread_barrier_init(
        self, node: c_ast.Node, barrier: c_ast.Node, _attributes: c_ast.Node, count: c_ast.Node
    ) -> Value:
        place, number = self.state(barrier), convert(self.number(count), UINT)
        found = self.object_at(place)
        arrived, before = self.arrivals(place)
        if found and not found[0].undefined:  # it must not be a barrier already
            self.store(before, self.load(arrived, node, "relaxed"), node)
            old = self.load(place, node)
            self.check(Binary("<=", old.expression, ZERO), "barrier", node)
            key = (found[0].name, found[1])
            self.world.barriers.setdefault(key, {})
            self.world.sizes.setdefault(key, set()).add(number.constant)
        else:
            self.store(arrived, literal(0, INT), node)
            self.store(before, literal(0, INT), node)
        if number.constant is not None:
            self.check(BoolLiteral(number.constant > 0), "barrier", node)
        self.store(place, convert(number, INT), node)
        return literal(0, INT)

    def arrivals(self, barrier: InMemory) -> tuple[InMemory, InMemory]:
        """How many have ever arrived at a barrier, and how many before it was initialised the last time: threads may
        still be on their way out of their last round then."""
        return InMemory(self.add(barrier.address, 4), INT), InMemory(self.add(barrier.address, 8), INT)

    def do_pthread_barrier_destroy(self, node: c_ast.Node, barrier: c_ast.Node) -> Value:
        place = self.state(barrier)
        self.check(Binary("<", ZERO, self.load(place, node).expression), "barrier", node)
        self.store(place, literal(-1, INT), node)
        return literal(0, INT)

    def do_pthread_barrier_wait(self, node: c_ast.Node, barrier: c_ast.Node) -> Value:
        place = self.state(barrier)
        count = self.keep(self.load(place, node), node)
        self.check(Binary("<", ZERO, count.expression), "barrier", node)
        found = self.object_at(place)
        if not self.flow.reachable or found is None:
            return self.count_arrivals(place, count, node)
        key = (found[0].name, found[1])
        round_ = self.round_of(key)
        waiting = self.world.facts.barriers.get(key, ())
        sizes = self.world.facts.sizes.get(key, set())
        if round_ is None or key in self.world.facts.uncounted or sizes != {len(waiting)}:
            return self.count_arrivals(place, count, node)
        if self.thread not in waiting:  # the last translation did not come to it: this one is not the last either
            return self.count_arrivals(place, count, node)
        return self.meet_all(key, round_, waiting, node)

    def round_of(self, key: tuple[str, int]) -> int | None:
        """How often the thread has waited there before, where that is known."""
        name = self.world.barriers.setdefault(key, {}).setdefault(self.thread, _rounds(key))
        number = (self.flow.known or {}).get(name)
        if not self.looping and isinstance(number, int):
            self.flow.learn(name, number + 1)
            return number
        if key in self.world.facts.barriers:
            self.world.facts.uncounted.learn(key)
        return None

    def count_rounds(self) -> None:
        """When a thread starts, it has not waited anywhere."""
        for key in self.world.facts.barriers:
            self.flow.learn(_rounds(key), 0)

    def meet_all(self, key: tuple[str, int], round_: int, waiting: tuple[str, ...], node: c_ast.Node) -> Value:
        """Says that this thread is there, and waits for the others."""
        if (key, round_) not in self.world.flags:
            name = f"{key[0]}.round{round_ + 1}"
            self.world.flags[key, round_] = self.world.memory.allocate(name, Array(INT, len(waiting) + 1), name)
        flags = self.world.flags[key, round_]
        self.write(_element(flags, waiting.index(self.thread)), 1, "release", node)
        for number, thread in enumerate(waiting):
            if thread != self.thread:
                other = _element(flags, number)
                self.until(node, lambda other=other: Binary("=", self.read(other, "acquire", node), IntLiteral(1)))  # type: ignore[misc]
        if self.discarded is not node:
            self.world.facts.looked_at.learn(key)
        elif key not in self.world.facts.looked_at:
            return literal(0, INT)
        first = self.change("cas", _element(flags, len(waiting)), (ZERO, IntLiteral(1)), "relaxed", node)
        return Value(Conditional(Binary("=", first, ZERO), IntLiteral(-1), ZERO), INT)

    def count_arrivals(self, place: InMemory, count: Value, node: c_ast.Node) -> Value:
        """The thread that arrives last of a round is the one that is told so."""
        arrived, earlier = self.arrivals(place)
        start = self.keep(self.load(earlier, node), node).expression
        before = self.change("fetch_add", arrived, (IntLiteral(1),), "acq_rel", node)
        size = count.expression
        rounds = Binary("+", Binary("quot", Binary("-", before, start), size), IntLiteral(1))
        target = self.keep(Value(Binary("+", start, Binary("*", rounds, size)), INT), node)
        self.until(node, lambda: Binary(">=", self.read(arrived, "acquire", node), target.expression))
        is_last = Binary("=", Binary("+", before, IntLiteral(1)), target.expression)
        return Value(Conditional(is_last, IntLiteral(-1), ZERO), INT)

    # ---- locks for readers and writers

    def do_pthread_rwlock_init(self, node: c_ast.Node, lock: c_ast.Node, *_: c_ast.Node) -> Value:
        self.store(self.state(lock), literal(0, INT), node)
        return literal(0, INT)

    def do_pthread_rwlock_destroy(self, node: c_ast.Node, lock: c_ast.Node) -> Value:
        self.check(Binary("=", self.load(self.state(lock), node).expression, ZERO), "destroyed", node)
        self.store(self.state(lock), literal(-2, INT), node)
        return literal(0, INT)

    def do_pthread_rwlock_rdlock(self, node: c_ast.Node, lock: c_ast.Node) -> Value:
        place = self.state(lock)
        self.until(node, lambda: Binary("/=", self.enter(place, node), IntLiteral(WRITING)))
        return literal(0, INT)

    def do_pthread_rwlock_wrlock(self, node: c_ast.Node, lock: c_ast.Node) -> Value:
        place = self.state(lock)
        self.until(node, lambda: Binary("=", self.seize(place, node), ZERO))
        return literal(0, INT)

    def do_pthread_rwlock_tryrdlock(self, node: c_ast.Node, lock: c_ast.Node) -> Value:
        old = self.enter(self.state(lock), node)
        return Value(Conditional(Binary("/=", old, IntLiteral(WRITING)), ZERO, IntLiteral(BUSY)), INT)

    def do_pthread_rwlock_trywrlock(self, node: c_ast.Node, lock: c_ast.Node) -> Value:
        return self.again(self.seize(self.state(lock), node), ZERO, BUSY)

    def enter(self, place: InMemory, node: c_ast.Node) -> Expression:
        """One reader more, unless there is a writer."""
        old = self.change("add_unless", place, (IntLiteral(1), IntLiteral(WRITING)), "acquire", node)
        self.check(Binary("<=", IntLiteral(WRITING), old), "destroyed", node)
        return old

    def seize(self, place: InMemory, node: c_ast.Node) -> Expression:
        old = self.change("cas", place, (ZERO, IntLiteral(WRITING)), "acquire", node)
        self.check(Binary("<=", IntLiteral(WRITING), old), "destroyed", node)
        return old

    def do_pthread_rwlock_unlock(self, node: c_ast.Node, lock: c_ast.Node) -> Value:
        """A writer makes 0 of -1; if nobody writes, one reader less."""
        place, end = self.state(lock), self.flow.label()
        old = self.change("cas", place, (IntLiteral(WRITING), ZERO), "release", node)
        self.flow.branch(Binary("=", old, IntLiteral(WRITING)), end, self.position(node))
        self.check(Binary("<", ZERO, old), "unlock", node)
        self.change("fetch_sub", place, (IntLiteral(1),), "release", node)
        self.flow.place(end)
        return literal(0, INT)

    # ---- semaphores

    def do_sem_init(self, node: c_ast.Node, semaphore: c_ast.Node, _shared: c_ast.Node, value: c_ast.Node) -> Value:
        self.store(self.state(semaphore), convert(self.number(value), INT), node)
        return literal(0, INT)

    def do_sem_destroy(self, _node: c_ast.Node, semaphore: c_ast.Node) -> Value:
        self.evaluate(semaphore)
        return literal(0, INT)

    def do_sem_wait(self, node: c_ast.Node, semaphore: c_ast.Node) -> Value:
        place = self.state(semaphore)
        self.until(node, lambda: Binary("/=", self.take(place, node), ZERO))
        return literal(0, INT)

    def do_sem_trywait(self, node: c_ast.Node, semaphore: c_ast.Node) -> Value:
        old = self.take(self.state(semaphore), node)
        return Value(Conditional(Binary("/=", old, ZERO), ZERO, IntLiteral(AGAIN)), INT)

    def take(self, place: InMemory, node: c_ast.Node) -> Expression:
        return self.change("add_unless", place, (IntLiteral(-1), ZERO), "acquire", node)

    def do_sem_post(self, node: c_ast.Node, semaphore: c_ast.Node) -> Value:
        self.change("fetch_add", self.state(semaphore), (IntLiteral(1),), "release", node)
        return literal(0, INT)

    def do_sem_getvalue(self, node: c_ast.Node, semaphore: c_ast.Node, value: c_ast.Node) -> Value:
        number = Value(self.read(self.state(semaphore), "relaxed", node), INT)
        self.store(self.target(self.number(value), INT), number, node)
        return literal(0, INT)

    # ---- once

    def do_pthread_once(self, node: c_ast.Node, control: c_ast.Node, function: c_ast.Node) -> Value:
        """0: nobody has begun, 1: somebody has, 2: it is done."""
        place, end, position = self.state(control), self.flow.label(), self.position(node)
        attempts: list[Expression] = []

        def attempt() -> Expression:
            attempts.append(self.change("cas", place, (ZERO, IntLiteral(1)), "acquire", node))
            return Binary("/=", attempts[-1], IntLiteral(1))

        self.until(node, attempt)
        self.flow.branch(Binary("=", attempts[-1], IntLiteral(2)), end, position)
        self.call_pointer(function, [], node)
        self.write(place, 2, "release", node)
        self.flow.place(end)
        return literal(0, INT)

    def call_pointer(self, function: c_ast.Node, values: list[Value], node: c_ast.Node) -> None:
        raise NotImplementedError


def _rounds(key: tuple[str, int]) -> str:
    return f"waited {key[0]} {key[1]}"


def _element(flags: Object, number: int) -> InMemory:
    return InMemory(IntLiteral(flags.address + 4 * number), INT)
