"""Condition variables. One is a number with a bit for each thread that sleeps there.

A thread sets its bit, unlocks the mutex, and sleeps until the bit is gone. A signal takes one bit away, whichever; if
there is none, it does nothing. A broadcast takes all.

Who wakes up without a signal, or because the time is over, might as well not have slept: it unlocks the mutex and locks
it again. (If it was signalled before, it was woken by that.)
"""

from __future__ import annotations

from pycparser import c_ast

from xgen.frontends.c.language.places import InMemory, Value, literal
from xgen.frontends.c.language.types import INT
from xgen.frontends.c.library.pthreads import THRD_TIMED_OUT, TIMED_OUT
from xgen.frontends.c.library.waiting import Waiting
from xgen.program import automaton as xcfa
from xgen.program.automaton import Binary, Conditional, Expression, IntLiteral, Name

MOST = 62
"""So many threads may sleep at condition variables."""
ZERO = IntLiteral(0)


class Sleeping(Waiting):
    """Calls about condition variables."""

    def do_pthread_cond_init(self, node: c_ast.Node, condition: c_ast.Node, *_: c_ast.Node) -> Value:
        self.store(self.state(condition), literal(0, INT), node)
        return literal(0, INT)

    def do_pthread_cond_destroy(self, _node: c_ast.Node, condition: c_ast.Node) -> Value:
        self.evaluate(condition)
        return literal(0, INT)

    def do_pthread_cond_signal(self, node: c_ast.Node, condition: c_ast.Node) -> Value:
        """Wakes one thread, if one sleeps: that which is chosen, which has to be one that does."""
        place = self.state(condition)
        bits = self.sleepers(place)
        if not bits:
            return self.nobody(place, node)
        if len(bits) == 1:
            self.change("fetch_and", place, (IntLiteral(~bits[0]),), "release", node)
            return literal(0, INT)
        chosen = Name(self.fresh())
        self.flow.emit(xcfa.Havoc(chosen, (ZERO, IntLiteral(len(bits) - 1)), self.position(node)))
        bit: Expression = IntLiteral(bits[-1])
        for number, other in reversed(list(enumerate(bits[:-1]))):
            bit = Conditional(Binary("=", chosen, IntLiteral(number)), IntLiteral(other), bit)
        woken = Name(self.fresh())
        self.flow.assign(woken.name, bit, self.position(node))
        old = self.change("fetch_and", place, (Binary("-", IntLiteral(-1), woken),), "release", node)
        sleeps = Binary("/=", Binary("bitand", old, woken), ZERO)
        nobody = Binary("and", Binary("=", old, ZERO), Binary("=", chosen, ZERO))  # one way to do nothing is enough
        self.assume(Binary("or", sleeps, nobody), node)
        return literal(0, INT)

    def do_pthread_cond_broadcast(self, node: c_ast.Node, condition: c_ast.Node) -> Value:
        place = self.state(condition)
        if not self.sleepers(place):
            return self.nobody(place, node)
        self.change("exchange", place, (ZERO,), "release", node)
        return literal(0, INT)

    def do_pthread_cond_wait(self, node: c_ast.Node, condition: c_ast.Node, mutex: c_ast.Node) -> Value:
        place, woken = self.state(condition), self.flow.label()
        self.note_if_alone(node)
        if self.world.options.spurious:
            asleep = self.flow.label()
            self.flow.fork(asleep, self.position(node))
            self.do_pthread_mutex_unlock(node, mutex)
            self.flow.jump(woken, self.position(node))
            self.flow.place(asleep)
        bit = self.fall_asleep(place, mutex, node)
        self.until(node, lambda: Binary("=", Binary("bitand", self.read(place, "acquire", node), bit), ZERO))
        self.flow.place(woken)
        return self.do_pthread_mutex_lock(node, mutex)

    def do_pthread_cond_timedwait(
        self, node: c_ast.Node, condition: c_ast.Node, mutex: c_ast.Node, time: c_ast.Node
    ) -> Value:
        return self.sleep_for_a_time(node, condition, mutex, time, TIMED_OUT)

    def do_pthread_cond_clockwait(
        self, node: c_ast.Node, condition: c_ast.Node, mutex: c_ast.Node, clock: c_ast.Node, time: c_ast.Node
    ) -> Value:
        self.evaluate(clock)
        return self.sleep_for_a_time(node, condition, mutex, time, TIMED_OUT)

    def do_cnd_timedwait(self, node: c_ast.Node, condition: c_ast.Node, mutex: c_ast.Node, time: c_ast.Node) -> Value:
        return self.sleep_for_a_time(node, condition, mutex, time, THRD_TIMED_OUT)

    def sleep_for_a_time(
        self, node: c_ast.Node, condition: c_ast.Node, mutex: c_ast.Node, time: c_ast.Node, late: int
    ) -> Value:
        """Signalled, or the time is over: who is never signalled does not wait for ever."""
        place = self.state(condition)
        self.evaluate(time)
        self.note_if_alone(node)
        result, over, end, position = self.fresh(), self.flow.label(), self.flow.label(), self.position(node)
        self.flow.fork(over, position)
        bit = self.fall_asleep(place, mutex, node)
        self.assume(Binary("=", Binary("bitand", self.read(place, "acquire", node), bit), ZERO), node)
        self.assign(result, literal(0, INT), node)
        self.flow.jump(end, position)
        self.flow.place(over)
        self.do_pthread_mutex_unlock(node, mutex)
        self.assign(result, literal(late, INT), node)
        if self.world.options.spurious:
            self.flow.fork(end, position)
            self.assign(result, literal(0, INT), node)
        self.flow.place(end)
        self.do_pthread_mutex_lock(node, mutex)
        return self.result(result, INT)

    def fall_asleep(self, place: InMemory, mutex: c_ast.Node, node: c_ast.Node) -> Expression:
        """Says that this thread sleeps, and unlocks the mutex; the thread's bit."""
        found = self.object_at(place)
        self.world.sleepers.setdefault(self.thread, set()).add((found[0].name, found[1]) if found else None)
        names = list(self.world.facts.sleepers)
        number = names.index(self.thread) if self.thread in names else 0
        if number >= MOST:
            self.refuse(f"that more than {MOST} threads wait at condition variables is", node)
        self.change("fetch_or", place, (IntLiteral(1 << number),), "relaxed", node)
        self.do_pthread_mutex_unlock(node, mutex)
        return IntLiteral(1 << number)

    def sleepers(self, place: InMemory) -> list[int]:
        """The bits of the other threads that may sleep there."""
        found = self.object_at(place)
        wanted = {(found[0].name, found[1]), None} if found else None
        return [
            1 << number
            for number, (thread, places) in enumerate(self.world.facts.sleepers.items())
            if thread != self.thread and (wanted is None or places & wanted)
        ]

    def nobody(self, place: InMemory, node: c_ast.Node) -> Value:
        """Nobody ever sleeps there."""
        if self.object_at(place) is None:
            self.read(place, "relaxed", node)
        return literal(0, INT)

    def note_if_alone(self, node: c_ast.Node) -> None:
        """Tells of a wait that is not looked at again: a thread may wake up for no reason."""
        if self.loops or self.looping or self.world.options.spurious:
            return
        place = self.position(node).text(self.world.unit.source)
        self.world.remarks[
            f"note: the wait at {place} is in no loop, and a thread may wake up without a signal: `--spurious` "
            "explores that"
        ] = None
