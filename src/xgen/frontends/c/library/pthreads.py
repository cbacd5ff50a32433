"""Threads, and what they wait for: `<pthread.h>`, `<threads.h>`, `<semaphore.h>`."""

from __future__ import annotations

from collections.abc import Callable

from pycparser import c_ast

from xgen.frontends.c.language.accesses import ThreadSpec
from xgen.frontends.c.language.body import Body
from xgen.frontends.c.language.memory import Object
from xgen.frontends.c.library.cells import Cells
from xgen.frontends.c.values.arithmetic import convert, truth
from xgen.frontends.c.values.places import InMemory, Place, Value, literal
from xgen.frontends.c.values.types import INT, LONG, VOID, Pointer
from xgen.frontends.conditions import negated
from xgen.frontends.limits import NESTED_CALLS, too_many_like
from xgen.program import automaton as xcfa
from xgen.program.automaton import Binary, BoolLiteral, IntLiteral, Name

NULL = Pointer(VOID)


class Threads:
    """Calls of thread functions. `creators` are those of the threads that led to this one, and its own."""

    def __init__(self, body: Body, cells: Cells, creators: tuple[str, ...]) -> None:
        self.body, self.cells, self.creators = body, cells, creators

    def spawn(
        self,
        function: tuple[Value, c_ast.Node],
        argument: Value,
        node: c_ast.Node,
        detached: Value | None = None,
        handle: Place | None = None,
    ) -> Value:
        """Starts a thread; its handle, which may have to be written before. `function`: with the place where it is said
        which."""
        if self.body.trials:
            return literal(0, LONG)
        address, said = function[0].constant, function[1]
        routine = next((r for r in self.body.world.routines.values() if r.address == address), None)
        if address is None or routine is None:
            self.body.refuse("a thread whose function is not known where it is created is", said)
        if routine.definition is None:
            self.body.wrong(f"the function `{routine.name}` has no body", said)
        value = self.body.plain_number(argument)
        if self.body.looping:
            hint = "a loop with a counter and a constant bound is written out"
            self.body.refuse("creating threads in a loop whose rounds are not known is", node, hint)
        if self.creators.count(routine.name) >= NESTED_CALLS:
            self.body.flow.emit(xcfa.Cut(self.body.position(node), too_many_like(routine.name)))
            self.body.flow.known = None
            return literal(0, LONG)
        threads = self.body.world.threads
        kthread, self.body.world.kthread = self.body.world.kthread, None
        own = routine.name if kthread is None else kthread.name
        same = sum(spec.name.partition("#")[0] == own for spec in threads)
        name = own if same == 0 else f"{own}#{same + 1}"
        given: int | Object | None = value.constant
        position = self.body.position(node)
        if given is None:
            given = self.body.world.memory.allocate(f"{name}.argument", NULL, (name, "argument"))
            self.body.store(InMemory(IntLiteral(given.address), NULL), value, node)
        spec = ThreadSpec(name, routine, given, len(threads), position, creators=self.creators, kthread=kthread)
        if name in self.body.world.facts.returning:
            spec.result = self.result(name)
        threads.append(spec)
        if detached is not None and detached.constant != 0 and self.may_be_detached(name):
            self.body.store(self.fate(name), detached, node)
        if handle is not None:
            self.body.store(handle, literal(spec.handle, LONG), node)
        self.body.started_thread()
        self.body.flow.emit(xcfa.Control("start", Name(name), position))
        return literal(spec.handle, LONG)

    def join(self, handle: Value, node: c_ast.Node, result: Place | None) -> None:
        self.for_thread(handle, lambda name: self.join_one(name, node, result), node)

    def detach(self, handle: Value, node: c_ast.Node) -> None:
        def detach_one(name: str) -> None:
            if self.may_be_detached(name):
                self.decide(name, node)

        self.for_thread(handle, detach_one, node)

    def for_thread(self, handle: Value, action: Callable[[str], None], node: c_ast.Node) -> None:
        """Does something about the thread that a handle is of."""
        position = self.body.position(node)
        names = [spec.name for spec in self.body.world.threads]
        if handle.constant is not None and 0 < handle.constant < len(names):
            action(names[handle.constant])
            return
        known = self.body.world.facts.threads(names)
        handle = self.body.keep(handle, node)
        end = self.body.flow.label()
        for number, name in enumerate(known[1:], 1):
            following = self.body.flow.label()
            same = truth(self.body.operate("==", handle, literal(number, LONG), node))
            self.body.flow.branch(negated(same), following, position)
            action(name)
            self.body.flow.jump(end, position)
            self.body.flow.bind(following)
        self.body.check(BoolLiteral(False), "bad-join", node)
        self.body.flow.bind(end)

    def may_be_detached(self, name: str) -> bool:
        """Says that a thread may be detached, or joined twice; whether that was known."""
        if name in self.body.world.facts.detached:
            return True
        self.body.world.facts.detached.learn(name)
        return False

    def fate(self, name: str) -> InMemory:
        """Where it is said that a thread has been joined or detached."""
        if name not in self.body.world.fates:
            self.body.world.fates[name] = self.body.world.memory.allocate(f"{name}.joined", INT, (name, "joined"))
        return InMemory(IntLiteral(self.body.world.fates[name].address), INT)

    def result(self, name: str) -> Object:
        """Where a thread puts what it gives, which may be asked for before it is seen who creates it."""
        results = self.body.world.results
        if name not in results:
            results[name] = self.body.world.memory.allocate(f"{name}.result", NULL, (name, "result"))
        return results[name]

    def decide(self, name: str, node: c_ast.Node) -> None:
        """A thread is joined or detached, which happens once."""
        old, place = Name(self.body.fresh()), self.cells.event_at(self.fate(name), True, node)
        position = self.body.position(node)
        self.body.flow.emit(xcfa.Rmw(old, "exchange", place, (IntLiteral(1),), ("relaxed",), position))
        self.body.check(Binary("=", old, IntLiteral(0)), "bad-join", node)

    def join_one(self, name: str, node: c_ast.Node, result: Place | None) -> None:
        if name == self.body.thread:  # POSIX leaves it open what comes of that
            self.body.check(BoolLiteral(False), "bad-join", node)
            return
        known = name in self.body.world.facts.detached
        if known or ((name in self.body.world.joined or self.body.looping) and self.may_be_detached(name)):
            self.decide(name, node)
        self.body.world.joined.add(name)
        if not self.body.flow.reachable:
            return
        self.body.flow.emit(xcfa.Control("join", Name(name), self.body.position(node)))
        if result is None:
            return
        self.body.world.facts.returning.learn(name)
        given = InMemory(IntLiteral(self.result(name).address), NULL)
        if isinstance(result.type, Pointer) and self.body.copies.is_hollow(NULL):  # it may have given nothing
            self.body.copies.put(result, self.body.copies.taken(given, node), node)
        else:
            self.body.store(result, self.body.load(given, node), node)

    def end_thread(self, value: Value, node: c_ast.Node) -> None:
        """Ends the thread from wherever it is."""
        outer = self.body.activations[0]
        if outer.name and self.body.flow.reachable:
            self.body.assign(outer.name, convert(self.body.plain_number(value), outer.result), node)
        end = outer.end
        if self.body.handle == 0:
            end = outer.by_call = outer.by_call or self.body.flow.label()
        self.body.flow.jump(end, self.body.position(node))
