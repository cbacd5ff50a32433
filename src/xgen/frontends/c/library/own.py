"""What each thread knows for itself: how often it holds a mutex, its own values for keys, what to call in the end."""

from __future__ import annotations

from pycparser import c_ast

from xgen.frontends.c.language.arithmetic import convert, negated, truth
from xgen.frontends.c.language.flow import Label
from xgen.frontends.c.language.places import InMemory, Value, literal
from xgen.frontends.c.language.types import INT, VOID, Pointer
from xgen.frontends.c.library.pthreads import Threads
from xgen.program import automaton as xcfa
from xgen.program.automaton import Binary, Conditional, Expression, IntLiteral


class Own(Threads):
    """Locals of a thread that no variable of the program is."""

    finish: Label | None = None  # of main: where it is over, when all is called that `atexit` was given

    def begin(self) -> None:
        """A thread starts: it holds nothing, and has no values."""
        self.exits: list[tuple[str, Value, c_ast.Node]] = []  # by the local that says whether it was given
        for key, _ in self.world.facts.kinds.all():
            self.own_local(_depth(key))
        for number in range(len(self.world.facts.keys.all())):
            self.own_local(_specific(number))

    def own_local(self, name: str) -> str:
        if name not in self.variables:
            self.variables[name] = xcfa.Variable(name, xcfa.INT, (IntLiteral(0),))
            self.flow.learn(name, 0)
        return name

    # ---- mutexes

    def declare_kind(self, mutex: InMemory, kind: int, node: c_ast.Node) -> None:
        key = self.key_of(mutex)
        if kind and key is None:
            self.refuse("a recursive or error-checking mutex whose place is not known here is", node)
        if key is not None and (kind or self.kind_of(mutex, node)):
            self.world.facts.kinds.learn((key, kind))

    def kind_of(self, mutex: InMemory, node: c_ast.Node) -> int:
        key = self.key_of(mutex)
        known = self.world.facts.kinds.all()
        if known and key is None:
            self.refuse("a mutex that is not known here, in a program with recursive or error-checking ones, is", node)
        kinds = {kind for other, kind in known if other == key} or {0}
        if len(kinds) > 1:
            self.refuse("a mutex that is of one kind and later of another is", node)
        return kinds.pop()

    def depth_of(self, mutex: InMemory) -> str:
        key = self.key_of(mutex)
        assert key is not None
        return _depth(key)

    # ---- values that each thread has of its own

    def new_key(self, destructor: Value, node: c_ast.Node) -> Expression:
        """A key is a number, in the order of all calls that make one."""
        if self.looping:
            self.refuse("creating keys in a loop whose rounds are not known is", node)
        if destructor.constant is None:
            self.refuse("a key with a function that is not known here is", node)
        keys = self.world.facts.keys
        made = self.world.keys[self.thread] = self.world.keys.get(self.thread, 0) + 1
        keys.learn((self.thread, made, destructor.constant))
        return IntLiteral(list(keys.all()).index((self.thread, made, destructor.constant)))

    def specific(self, key: Value, node: c_ast.Node) -> Value:
        type_, count = Pointer(VOID), len(self.world.facts.keys.all())
        if key.constant is not None:
            known = 0 <= key.constant < count
            return self.result(self.own_local(_specific(key.constant)), type_) if known else literal(0, type_)
        value: Expression = IntLiteral(0)
        key = self.keep(key, node)
        for number in range(count):
            own = self.result(self.own_local(_specific(number)), type_).expression
            value = Conditional(Binary("=", key.expression, IntLiteral(number)), own, value)
        return self.keep(Value(value, type_), node)

    def set_specific(self, key: Value, value: Expression, node: c_ast.Node) -> None:
        position, count = self.position(node), len(self.world.facts.keys.all())
        key = self.keep(key, node)
        for number in range(count):
            if key.constant is None:
                following = self.flow.label()
                self.flow.branch(Binary("/=", key.expression, IntLiteral(number)), following, position)
                self.flow.assign(self.own_local(_specific(number)), value, position)
                self.flow.place(following)
            elif key.constant == number:
                self.flow.assign(self.own_local(_specific(number)), value, position)

    def destroy_values(self, node: c_ast.Node) -> None:
        """What happens to a thread's values when it ends; main's stay when the program ends."""
        position = self.position(node)
        for number, (_, _, function) in enumerate(self.world.facts.keys.all()):
            name, following = _specific(number), self.flow.label()
            value = self.result(self.own_local(name), Pointer(VOID))
            if not function or not self.flow.reachable:
                continue
            self.flow.branch(Binary("=", value.expression, IntLiteral(0)), following, position)
            value = self.keep(value, node)
            self.flow.assign(name, IntLiteral(0), position)
            self.call_pointer(literal(function, Pointer(VOID)), [value], node)
            self.flow.place(following)
        for number, (_, _, function) in enumerate(self.world.facts.keys.all()):
            left = self.result(_specific(number), INT)
            if function and self.flow.reachable and left.constant != 0:
                over = self.flow.label()
                self.flow.branch(Binary("=", left.expression, IntLiteral(0)), over, position)
                self.flow.emit(xcfa.Cut(position, "a destructor sets a value that is to be destroyed again"))
                self.flow.known = None
                self.flow.place(over)

    # ---- the end of the program

    def at_exit(self, function: Value, node: c_ast.Node) -> None:
        if self.handle or self.looping:
            self.refuse("`atexit` in another thread than main, or in a loop whose rounds are not known, is", node)
        function = self.plain_number(function)
        if function.constant is None:
            self.refuse("`atexit` of a function that is not known here is", node)
        given = self.own_local(f"at exit {len(self.exits) + 1}")
        self.exits.append((given, function, node))
        self.flow.assign(given, IntLiteral(1), self.position(node))

    def call_at_exit(self) -> None:
        """Calls what `atexit` was given, the last first."""
        for name, function, node in reversed(self.exits):
            following = self.flow.label()
            given = truth(self.result(name, INT))
            self.flow.branch(negated(given), following, self.position(node))
            self.call_pointer(function, [], node)
            self.flow.place(following)

    def end_main(self, functions: bool, node: c_ast.Node) -> None:
        if functions:
            self.end_thread(literal(0, INT), node)
            return
        outer = self.activations[0]
        if outer.name and self.flow.reachable:
            self.assign(outer.name, convert(literal(0, INT), outer.result), node)
        self.finish = self.finish or self.flow.label()
        self.flow.jump(self.finish, self.position(node))


def _depth(key: tuple[str, int]) -> str:
    return f"locks of {key[0]} {key[1]}"


def _specific(number: int) -> str:
    return f"specific {number}"
