"""Threads and mutexes: `<pthread.h>`, `<threads.h>`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pycparser import c_ast

from xgen.frontends.c.language.accesses import ThreadSpec
from xgen.frontends.c.language.arithmetic import convert, negated, truth
from xgen.frontends.c.language.expressions import NOTHING
from xgen.frontends.c.language.functions import NESTED_CALLS
from xgen.frontends.c.language.memory import Object
from xgen.frontends.c.language.places import InMemory, Place, Value, literal
from xgen.frontends.c.language.types import INT, LONG, VOID, Pointer, is_scalar
from xgen.frontends.c.library.atomics import Atomics
from xgen.program import automaton as xcfa
from xgen.program.automaton import Binary, BoolLiteral, Expression, IntLiteral, Name

BUSY, TIMED_OUT = 16, 110
THRD_TIMED_OUT, THRD_BUSY = 2, 3
NULL = Pointer(VOID)


class Threads(Atomics):
    """Calls of thread functions."""

    creators: tuple[str, ...] = ()  # the functions of the threads that led to this one, and its own

    def thread_call(self, name: str, arguments: Sequence[c_ast.Node], node: c_ast.Node) -> Value | None:
        """The value of such a call; None where the function is none of these."""
        name = _SAME.get(name, name)
        if name in _NOTHING:
            for argument in arguments:
                self.evaluate(argument)
            return literal(0, INT)
        method: Callable[..., Value] | None = getattr(self, f"do_{name}", None) if name in _CALLS else None
        if method is None:
            return None
        return method(node, *arguments)

    # ---- threads

    def do_pthread_create(
        self, node: c_ast.Node, handle: c_ast.Node, attributes: c_ast.Node, routine: c_ast.Node, argument: c_ast.Node
    ) -> Value:
        place, found = self.target(self.number(handle), LONG), self.number(attributes)
        detached = literal(0, INT) if found.constant == 0 else self.load(self.target(found, INT), node)
        self.store(place, self.spawn(node, routine, argument, detached), node)
        return literal(0, INT)

    def do_pthread_attr_init(self, node: c_ast.Node, attributes: c_ast.Node) -> Value:
        self.store(self.target(self.number(attributes), INT), literal(0, INT), node)
        return literal(0, INT)

    def do_pthread_attr_setdetachstate(self, node: c_ast.Node, attributes: c_ast.Node, state: c_ast.Node) -> Value:
        self.store(self.target(self.number(attributes), INT), self.number(state), node)
        return literal(0, INT)

    def do_thrd_create(self, node: c_ast.Node, handle: c_ast.Node, routine: c_ast.Node, argument: c_ast.Node) -> Value:
        place = self.target(self.number(handle), LONG)
        self.store(place, self.spawn(node, routine, argument), node)
        return literal(0, INT)

    def spawn(
        self, node: c_ast.Node, function: c_ast.Node, argument: c_ast.Node, detached: Value | None = None
    ) -> Value:
        """Starts a thread; its handle."""
        if self.trials:
            return literal(0, LONG)
        address = self.number(function).constant
        routine = next((r for r in self.world.routines.values() if r.address == address), None)
        if address is None or routine is None:
            self.refuse("a thread whose function is not known where it is created is", function)
        if routine.definition is None:
            self.wrong(f"the function `{routine.name}` has no body", function)
        value = self.plain_number(self.number(argument))
        if self.looping:
            hint = "a loop with a counter and a constant bound is written out"
            self.refuse("creating threads in a loop whose rounds are not known is", node, hint)
        if self.creators.count(routine.name) >= NESTED_CALLS:
            self.flow.emit(xcfa.Cut(self.position(node)))
            self.flow.known = None
            return literal(0, LONG)
        threads = self.world.threads
        same = sum(spec.routine.name == routine.name for spec in threads)
        name = routine.name if same == 0 else f"{routine.name}#{same + 1}"
        given: int | Object | None = value.constant
        position = self.position(node)
        if given is None:
            given = self.world.memory.allocate(f"{name}.argument", NULL, (name, "argument"))
            self.store(InMemory(IntLiteral(given.address), NULL), value, node)
        spec = ThreadSpec(name, routine, given, len(threads), position, creators=self.creators)
        if name in self.world.facts.returning:
            spec.result = self.world.memory.allocate(f"{name}.result", NULL, (name, "result"))
        threads.append(spec)
        if detached is not None and detached.constant != 0 and self.may_be_detached(name):
            self.store(self.fate(name), detached, node)
        self.started_thread()
        self.flow.emit(xcfa.Control("start", Name(name), position))
        return literal(spec.handle, LONG)

    def do_pthread_join(self, node: c_ast.Node, handle: c_ast.Node, result: c_ast.Node) -> Value:
        value = self.plain_number(self.number(handle))
        target = self.number(result)
        if target.constant == 0:
            self.join(value, node, None)
        else:
            inner = target.type.target if isinstance(target.type, Pointer) else NULL
            self.join(value, node, self.target(target, inner if is_scalar(inner) else NULL))
        return literal(0, INT)

    def do_thrd_join(self, node: c_ast.Node, handle: c_ast.Node, result: c_ast.Node) -> Value:
        return self.do_pthread_join(node, handle, result)

    def do_pthread_detach(self, node: c_ast.Node, handle: c_ast.Node) -> Value:
        def detach(name: str) -> None:
            if self.may_be_detached(name):
                self.decide(name, node)

        self.for_thread(self.plain_number(self.number(handle)), detach, node)
        return literal(0, INT)

    def join(self, handle: Value, node: c_ast.Node, result: Place | None) -> None:
        self.for_thread(handle, lambda name: self.join_one(name, node, result), node)

    def for_thread(self, handle: Value, action: Callable[[str], None], node: c_ast.Node) -> None:
        """Does something about the thread that a handle is of."""
        position = self.position(node)
        names = [spec.name for spec in self.world.threads]
        if handle.constant is not None and 0 < handle.constant < len(names):
            action(names[handle.constant])
            return
        known = self.world.facts.threads
        handle = self.keep(handle, node)
        end = self.flow.label()
        for number, name in enumerate(known[1:], 1):
            following = self.flow.label()
            same = truth(self.operate("==", handle, literal(number, LONG), node))
            self.flow.branch(negated(same), following, position)
            action(name)
            self.flow.jump(end, position)
            self.flow.place(following)
        self.check(BoolLiteral(False), "bad-join", node)
        self.flow.place(end)

    def may_be_detached(self, name: str) -> bool:
        """Says that a thread may be detached, or joined twice; whether that was known."""
        if name in self.world.facts.detached:
            return True
        self.world.facts.detached.learn(name)
        return False

    def fate(self, name: str) -> InMemory:
        """Where it is said that a thread has been joined or detached."""
        if name not in self.world.fates:
            self.world.fates[name] = self.world.memory.allocate(f"{name}.joined", INT, (name, "joined"))
        return InMemory(IntLiteral(self.world.fates[name].address), INT)

    def decide(self, name: str, node: c_ast.Node) -> None:
        """A thread is joined or detached, which happens once."""
        old = self.change("exchange", self.fate(name), (IntLiteral(1),), "relaxed", node)
        self.check(Binary("=", old, IntLiteral(0)), "bad-join", node)

    def change(
        self, op: str, place: InMemory, values: tuple[Expression, ...], order: str, node: c_ast.Node
    ) -> Expression:
        raise NotImplementedError

    def join_one(self, name: str, node: c_ast.Node, result: Place | None) -> None:
        known = name in self.world.facts.detached
        if known or ((name in self.world.joined or self.looping) and self.may_be_detached(name)):
            self.decide(name, node)
        self.world.joined.add(name)
        if not self.flow.reachable:
            return
        self.flow.emit(xcfa.Control("join", Name(name), self.position(node)))
        if result is None:
            return
        self.world.facts.returning.learn(name)
        spec = next((spec for spec in self.world.threads if spec.name == name), None)
        if spec is None or spec.result is None:
            self.world.facts.missed()
            return
        self.store(result, self.load(InMemory(IntLiteral(spec.result.address), NULL), node), node)

    def do_pthread_exit(self, node: c_ast.Node, value: c_ast.Node) -> Value:
        self.end_thread(self.evaluate(value), node)
        return NOTHING

    def do_thrd_exit(self, node: c_ast.Node, value: c_ast.Node) -> Value:
        return self.do_pthread_exit(node, value)

    def end_thread(self, value: Value, node: c_ast.Node) -> None:
        """Ends the thread from wherever it is."""
        outer = self.activations[0]
        if outer.name and self.flow.reachable:
            self.assign(outer.name, convert(self.plain_number(value), outer.result), node)
        self.flow.jump(outer.end, self.position(node))

    def do_pthread_self(self, _node: c_ast.Node) -> Value:
        return literal(self.handle, LONG)

    def do_pthread_equal(self, node: c_ast.Node, left: c_ast.Node, right: c_ast.Node) -> Value:
        return self.operate("==", self.number(left), self.number(right), node)

    # ---- mutexes

    def state(self, node: c_ast.Node) -> InMemory:
        """The number that an object of the library is."""
        value = self.plain_number(self.number(node))
        return InMemory(value.expression, INT)

    def changing(self, mutex: c_ast.Node, node: c_ast.Node) -> xcfa.AnyPlace:
        """The cell of a mutex, which is going to change."""
        place = self.state(mutex)
        self.note_write(place, None)
        return self.cell(place, node)[0]

    def do_pthread_mutex_init(self, node: c_ast.Node, mutex: c_ast.Node, attributes: c_ast.Node) -> Value:
        if self.number(attributes).constant != 0:
            self.refuse("a mutex with attributes is", node, "recursive and error-checking mutexes are not supported")
        self.store(self.state(mutex), literal(0, INT), node)
        return literal(0, INT)

    def do_mtx_init(self, node: c_ast.Node, mutex: c_ast.Node, kind: c_ast.Node) -> Value:
        if self.number(kind).constant not in (0, 2):
            self.refuse("a recursive mutex is", node)
        self.store(self.state(mutex), literal(0, INT), node)
        return literal(0, INT)

    def do_pthread_spin_init(self, node: c_ast.Node, mutex: c_ast.Node, _shared: c_ast.Node) -> Value:
        self.store(self.state(mutex), literal(0, INT), node)
        return literal(0, INT)

    def do_pthread_mutex_destroy(self, node: c_ast.Node, mutex: c_ast.Node) -> Value:
        self.store(self.state(mutex), literal(-1, INT), node)
        return literal(0, INT)

    def do_pthread_mutex_lock(self, node: c_ast.Node, mutex: c_ast.Node) -> Value:
        self.flow.emit(xcfa.Mutex("lock", self.changing(mutex, node), self.position(node)))
        return literal(0, INT)

    def do_pthread_mutex_unlock(self, node: c_ast.Node, mutex: c_ast.Node) -> Value:
        self.flow.emit(xcfa.Mutex("unlock", self.changing(mutex, node), self.position(node)))
        return literal(0, INT)

    def do_pthread_mutex_trylock(self, node: c_ast.Node, mutex: c_ast.Node) -> Value:
        return self.attempt_lock(mutex, BUSY, node)

    def do_mtx_trylock(self, node: c_ast.Node, mutex: c_ast.Node) -> Value:
        return self.attempt_lock(mutex, THRD_BUSY, node)

    def do_pthread_mutex_timedlock(self, node: c_ast.Node, mutex: c_ast.Node, time: c_ast.Node) -> Value:
        """Who does not get it before the time is over has seen that it was held."""
        self.evaluate(time)
        return self.attempt_lock(mutex, TIMED_OUT, node)

    def do_mtx_timedlock(self, node: c_ast.Node, mutex: c_ast.Node, time: c_ast.Node) -> Value:
        self.evaluate(time)
        return self.attempt_lock(mutex, THRD_TIMED_OUT, node)

    def attempt_lock(self, mutex: c_ast.Node, busy: int, node: c_ast.Node) -> Value:
        place = self.changing(mutex, node)
        old = self.fresh()
        one = (IntLiteral(0), IntLiteral(1))
        tags = ("lock",)
        self.flow.emit(xcfa.Rmw(Name(old), "cas", place, one, ("acquire", "relaxed"), self.position(node), tags, tags))
        self.check(Binary("<=", IntLiteral(0), Name(old)), "destroyed", node)
        taken = xcfa.Conditional(Binary("=", Name(old), IntLiteral(0)), IntLiteral(0), IntLiteral(busy))
        return Value(taken, INT)


_SAME = {
    "mtx_lock": "pthread_mutex_lock",
    "mtx_unlock": "pthread_mutex_unlock",
    "mtx_destroy": "pthread_mutex_destroy",
    "pthread_spin_lock": "pthread_mutex_lock",
    "pthread_spin_unlock": "pthread_mutex_unlock",
    "pthread_spin_trylock": "pthread_mutex_trylock",
    "pthread_spin_destroy": "pthread_mutex_destroy",
    "cnd_init": "pthread_cond_init",
    "cnd_destroy": "pthread_cond_destroy",
    "cnd_signal": "pthread_cond_signal",
    "cnd_broadcast": "pthread_cond_broadcast",
    "cnd_wait": "pthread_cond_wait",
    "call_once": "pthread_once",
    "thrd_detach": "pthread_detach",
    "thrd_current": "pthread_self",
    "thrd_equal": "pthread_equal",
    "thrd_yield": "sched_yield",
    "pthread_yield": "sched_yield",
    "__VERIFIER_thread_self": "pthread_self",
}
_CALLS = {
    "pthread_create": 4,
    "thrd_create": 3,
    "pthread_join": 2,
    "thrd_join": 2,
    "pthread_exit": 1,
    "thrd_exit": 1,
    "pthread_self": 0,
    "pthread_equal": 2,
    "pthread_detach": 1,
    "pthread_attr_init": 1,
    "pthread_attr_setdetachstate": 2,
    "pthread_mutex_init": 2,
    "mtx_init": 2,
    "pthread_spin_init": 2,
    "pthread_mutex_destroy": 1,
    "pthread_mutex_lock": 1,
    "pthread_mutex_unlock": 1,
    "pthread_mutex_trylock": 1,
    "pthread_mutex_timedlock": 2,
    "mtx_trylock": 1,
    "mtx_timedlock": 2,
    "pthread_barrier_init": 3,
    "pthread_barrier_destroy": 1,
    "pthread_barrier_wait": 1,
    "pthread_cond_init": 1,
    "pthread_cond_destroy": 1,
    "pthread_cond_signal": 1,
    "pthread_cond_wait": 2,
    "pthread_cond_timedwait": 3,
    "pthread_cond_clockwait": 4,
    "pthread_cond_broadcast": 1,
    "cnd_timedwait": 3,
    "pthread_rwlock_init": 2,
    "pthread_rwlock_destroy": 1,
    "pthread_rwlock_rdlock": 1,
    "pthread_rwlock_wrlock": 1,
    "pthread_rwlock_tryrdlock": 1,
    "pthread_rwlock_trywrlock": 1,
    "pthread_rwlock_unlock": 1,
    "sem_init": 3,
    "sem_destroy": 1,
    "sem_wait": 1,
    "sem_trywait": 1,
    "sem_post": 1,
    "sem_getvalue": 2,
    "pthread_once": 2,
}
"""The functions, and how many arguments they take."""
_NOTHING = frozenset(
    [
        "pthread_attr_destroy",
        "pthread_mutexattr_init",
        "pthread_mutexattr_destroy",
        "pthread_condattr_init",
        "pthread_condattr_destroy",
        "pthread_barrierattr_init",
        "pthread_barrierattr_destroy",
        "pthread_rwlockattr_init",
        "pthread_rwlockattr_destroy",
        "pthread_setname_np",
        "sched_yield",
        "pthread_setconcurrency",
    ]
)
