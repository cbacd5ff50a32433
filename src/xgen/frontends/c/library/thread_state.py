"""What each thread knows for itself: how often it holds a mutex, its own values for keys, what to call in the end."""

from __future__ import annotations

from pycparser import c_ast

from xgen.frontends.c.language.body import Body
from xgen.frontends.c.language.flow import Label
from xgen.frontends.c.library.cells import Cells
from xgen.frontends.c.library.pthreads import Threads
from xgen.frontends.c.values.arithmetic import convert, truth
from xgen.frontends.c.values.places import InMemory, Value, literal
from xgen.frontends.c.values.types import INT, VOID, Pointer
from xgen.frontends.conditions import negated
from xgen.frontends.library.call import ENDS_BY_CALL, depth_name
from xgen.frontends.library.mutexes import OWNED
from xgen.frontends.limits import DESTROYED, SET_AGAIN
from xgen.program import automaton as xcfa
from xgen.program.automaton import Binary, Conditional, Expression, IntLiteral


class ThreadState:
    """Locals of a thread that no variable of the program is.

    `finish`: of main, where it is over, when all is called that `atexit` was given.
    """

    def __init__(self, body: Body, creators: tuple[str, ...]) -> None:
        self.body = body
        self.cells = Cells(body)
        self.threads = Threads(body, self.cells, creators)
        self.exits: list[tuple[str, Value, c_ast.Node]] = []  # by the local that says whether it was given
        self.finish: Label | None = None
        self.sets_again = False  # a value has been set for a key since a round of destructors began

    def begin(self) -> None:
        """A thread starts: it holds nothing, and has no values."""
        self.cells.count_rounds()
        for key, kind in self.body.world.facts.kinds.all():
            if kind in OWNED.numbers:
                self.own_local(depth_name(key))
        for number in range(len(self.body.world.facts.keys.all())):
            self.own_local(_specific(number))

    def own_local(self, name: str) -> str:
        if name not in self.body.variables:
            self.body.variables[name] = xcfa.Variable(name, xcfa.INT, (IntLiteral(0),))
            self.body.flow.learn(name, 0)
        return name

    # ---- values that each thread has of its own

    def new_key(self, destructor: Value, node: c_ast.Node) -> Expression:
        """A key is a number, in the order of all calls that make one."""
        if self.body.looping:
            self.body.refuse("creating keys in a loop whose rounds are not known is", node)
        if destructor.constant is None:
            self.body.refuse("a key with a function that is not known here is", node)
        keys = self.body.world.facts.keys
        made = self.body.world.keys[self.body.thread] = self.body.world.keys.get(self.body.thread, 0) + 1
        keys.learn((self.body.thread, made, destructor.constant))
        return IntLiteral(list(keys.all()).index((self.body.thread, made, destructor.constant)))

    def specific(self, key: Value, node: c_ast.Node) -> Value:
        type_, count = Pointer(VOID), len(self.body.world.facts.keys.all())
        if key.constant is not None:
            known = 0 <= key.constant < count
            return self.body.result(self.own_local(_specific(key.constant)), type_) if known else literal(0, type_)
        value: Expression = IntLiteral(0)
        key = self.body.keep(key, node)
        for number in range(count):
            own = self.body.result(self.own_local(_specific(number)), type_).expression
            value = Conditional(Binary("=", key.expression, IntLiteral(number)), own, value)
        return self.body.keep(Value(value, type_), node)

    def set_specific(self, key: Value, value: Expression, node: c_ast.Node) -> None:
        self.sets_again = True
        position, count = self.body.position(node), len(self.body.world.facts.keys.all())
        key = self.body.keep(key, node)
        for number in range(count):
            if key.constant is None:
                following = self.body.flow.label()
                self.body.flow.branch(Binary("/=", key.expression, IntLiteral(number)), following, position)
                self.body.flow.assign(self.own_local(_specific(number)), value, position)
                self.body.flow.bind(following)
            elif key.constant == number:
                self.body.flow.assign(self.own_local(_specific(number)), value, position)

    def destroy_values(self, node: c_ast.Node) -> None:
        """What happens to a thread's values when it ends; main's stay when the program ends."""
        for _ in range(DESTROYED):
            self.sets_again = False
            self.destroy_each(node)
            if not self.sets_again:
                return
        position = self.body.position(node)
        for number, (_, _, function) in enumerate(self.body.world.facts.keys.all()):
            left = self.body.result(_specific(number), INT)
            if function and self.body.flow.reachable and left.constant != 0:
                over = self.body.flow.label()
                self.body.flow.branch(Binary("=", left.expression, IntLiteral(0)), over, position)
                self.body.flow.emit(xcfa.Cut(position, SET_AGAIN))
                self.body.flow.known = None
                self.body.flow.bind(over)

    def destroy_each(self, node: c_ast.Node) -> None:
        """Calls the destructors for the values that are not 0, once."""
        position = self.body.position(node)
        for number, (_, _, function) in enumerate(self.body.world.facts.keys.all()):
            name, following = _specific(number), self.body.flow.label()
            value = self.body.result(self.own_local(name), Pointer(VOID))
            if not function or not self.body.flow.reachable:
                continue
            self.body.flow.branch(Binary("=", value.expression, IntLiteral(0)), following, position)
            value = self.body.keep(value, node)
            self.body.flow.assign(name, IntLiteral(0), position)
            self.body.call_pointer(literal(function, Pointer(VOID)), [value], node)
            self.body.flow.bind(following)

    # ---- the end of the program

    def at_exit(self, function: Value, node: c_ast.Node) -> None:
        if self.body.handle or self.body.looping:
            self.body.refuse("`atexit` in another thread than main, or in a loop whose rounds are not known, is", node)
        function = self.body.plain_number(function)
        if function.constant is None:
            self.body.refuse("`atexit` of a function that is not known here is", node)
        given = self.own_local(f"at exit {len(self.exits) + 1}")
        self.exits.append((given, function, node))
        self.body.world.at_exit = True
        self.body.flow.assign(given, IntLiteral(1), self.body.position(node))

    def call_at_exit(self) -> None:
        """Calls what `atexit` was given, the last first."""
        for name, function, node in reversed(self.exits):
            following = self.body.flow.label()
            given = truth(self.body.result(name, INT))
            self.body.flow.branch(negated(given), following, self.body.position(node))
            self.body.call_pointer(function, [], node)
            self.body.flow.bind(following)

    def keep_values(self, node: c_ast.Node) -> None:
        """Main's values, which stay when it has ended, are in memory then."""
        for number in range(len(self.body.world.facts.keys.all())):
            value = self.body.result(self.own_local(_specific(number)), Pointer(VOID))
            found = self.body.world.memory.allocate(f"main.key {number}", value.type, ("key", number))
            self.body.store(InMemory(IntLiteral(found.address), value.type), value, node)

    def ends_by_call(self, node: c_ast.Node) -> None:
        """What the functions hold that run is no leak."""
        world = self.body.world
        if not world.options.leaks or not self.body.flow.reachable:
            return
        if world.unless is None:
            world.unless = world.memory.allocate("exit", INT, "exit")
        world.remarks[ENDS_BY_CALL] = None
        place = self.cells.event_at(InMemory(IntLiteral(world.unless.address), INT), True, node)
        self.body.flow.emit(xcfa.Store(IntLiteral(1), place, order="relaxed", position=self.body.position(node)))

    def end_main(self, functions: bool, node: c_ast.Node) -> None:
        self.ends_by_call(node)
        if functions:
            self.threads.end_thread(literal(0, INT), node)
            return
        outer = self.body.activations[0]
        if outer.name and self.body.flow.reachable:
            self.body.assign(outer.name, convert(literal(0, INT), outer.result), node)
        self.finish = self.finish or self.body.flow.label()
        self.body.flow.jump(self.finish, self.body.position(node))


def _specific(number: int) -> str:
    return f"specific {number}"
