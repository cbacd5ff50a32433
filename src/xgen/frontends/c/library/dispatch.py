"""The library: which function a name is, and what does nothing here."""

from __future__ import annotations

from collections.abc import Sequence

from pycparser import c_ast

from xgen.errors import nearest
from xgen.frontends.c.language.body import Body
from xgen.frontends.c.language.expressions import NOTHING
from xgen.frontends.c.language.syntax import is_constant
from xgen.frontends.c.library import arguments, atomics, heap, numbers, output, unknown
from xgen.frontends.c.library.call import Call, Handler
from xgen.frontends.c.library.counts import count_of, wrong_count
from xgen.frontends.c.library.kernel import handler as kernel_handler
from xgen.frontends.c.library.primitives import TYPES, PrimitivesOfC, of_keys, set_errno
from xgen.frontends.c.library.thread_state import ThreadState
from xgen.frontends.c.text.preprocess import is_of_headers
from xgen.frontends.c.values.arithmetic import convert, truth
from xgen.frontends.c.values.places import InMemory, Value, literal
from xgen.frontends.c.values.types import INT, LONG, VOID, CType, Pointer
from xgen.frontends.library.facts import Key
from xgen.frontends.library.mutexes import OWNED, take_or_give
from xgen.frontends.library.table import FUNCTIONS, HINTS, IGNORED
from xgen.frontends.library.threads import KEYS
from xgen.frontends.library.verification import ERRORS, REACHED, VERIFICATION
from xgen.frontends.library.waiting import LOCKS
from xgen.program.automaton import BoolLiteral

SET_ERRNO = "__xgen_errno"
"""By what functions of include/library.c give `errno` a value: Linux's numbers."""


def _expected(call: Call) -> Value:
    value, *_ = [convert(call.body.number(argument), LONG) for argument in call.arguments]
    return value


def _is_constant(call: Call) -> Value:
    """Whether it is a constant expression. Of others compilers know more, or less; here they know nothing."""
    return literal(int(is_constant(call.arguments[0], call.body.scope.is_enumerator)), INT)


def _ignored(call: Call) -> Value:
    output.printed(call.body, call.arguments)
    return literal(0, INT)


def _set_errno(call: Call) -> Value:
    set_errno(call.body, call.body.number(call.arguments[0]), call.node)
    return NOTHING


def _asm(call: Call) -> Value:
    from xgen.frontends.c.library.assembly import asm  # with all machines, which is long to import

    return asm(call)


HANDLERS: dict[str, Handler] = {
    **dict.fromkeys((*IGNORED, *HINTS), _ignored),
    SET_ERRNO: _set_errno,
    "__builtin_expect": _expected,
    "__builtin_constant_p": _is_constant,
    "__xgen_asm": _asm,
    **unknown.HANDLERS,
    **arguments.HANDLERS,
    **output.HANDLERS,
    **heap.HANDLERS,
    **numbers.HANDLERS,
    **atomics.HANDLERS,
}
"""What is done in C alone. What threads wait in is in the table of frontends/library."""
_BY_ADDRESS = IGNORED.keys() | HINTS | output.PRINTING | FUNCTIONS.keys() | heap.BY_ADDRESS
"""Functions whose addresses may be taken without a declaration."""


class Library:
    """The functions of the library, for one thread."""

    def __init__(self, body: Body, creators: tuple[str, ...]) -> None:
        self.body = body
        self.own = ThreadState(body, creators)

    def has(self, name: str) -> bool:
        return name in _BY_ADDRESS

    def means(self, name: str) -> bool:
        """Whether a function is what the library says that it is, though the program has one of that name."""
        options = self.body.world.options
        if options.lock is not None and name in options.lock:
            return True
        if options.property is not None and (name == "__VERIFIER_assert" or name in ERRORS):
            return options.is_error(name)
        return name in VERIFICATION or (name in FUNCTIONS and name.startswith("__VERIFIER_"))

    def takes(self, name: str, count: int) -> bool:
        least, most = count_of(name) or (0, None)
        return least <= count and (most is None or count <= most)

    def declare_kind(self, mutex: InMemory, kind: int, node: c_ast.Node) -> None:
        kinds = LOCKS if kind in LOCKS.numbers else OWNED
        PrimitivesOfC(self.own, (), node).declare_kind(mutex.address, kind, kinds)

    def call(self, name: str, arguments: Sequence[c_ast.Node], node: c_ast.Node, wanted: CType | None) -> Value:
        body, call = self.body, Call(self.body, name, arguments, node, wanted)
        if body.world.options.kernel is not None and (own := kernel_handler(name)) is not None:
            return own(call)
        count = count_of(name)
        if count is not None and (message := wrong_count(f"`{name}`", len(arguments), *count)):
            body.wrong(message, node)
        lock = body.world.options.lock
        if lock is not None and name in lock:
            return self.lock(call, lock)
        if name in body.world.options.stubs:
            return unknown.stub(call)
        if body.world.options.property is not None and name not in HANDLERS and _ends(call):
            return NOTHING
        if name in HANDLERS:
            body.kcsan.wide += (is_wide := name in heap.OF_BYTES)
            value = HANDLERS[name](call)
            body.kcsan.wide -= is_wide
            return value
        if name in FUNCTIONS:
            return self.waiting(call)
        known = body.world.routines.keys() | FUNCTIONS.keys() | atomics.NAMES
        hint = body.world.unit.beside(name) or unknown.INSTEAD.get(name)
        if hint is None and name in body.world.prototypes:  # so that it is not misspelt
            hint = f"--stub {name}: it does nothing, and gives 0"
            source = body.world.unit.position(body.world.prototypes[name]).source
            if source is not None and not is_of_headers(source.name):
                hint = f"name the file that defines it, too; or {hint}"
        if hint is None and name.startswith("__builtin_"):
            hint = nearest(name, known, 0.95) or f"--stub {name}: it does nothing, and gives 0"
        hint = hint or nearest(name, known)
        return body.refuse(f"the function `{name}`, which has no body, is", node, hint)

    def call_with(self, name: str, values: list[Value], node: c_ast.Node) -> Value:
        if name == "free":
            return heap.free(self.body, values[0], node)
        if values:
            self.body.refuse(f"`{name}` as a function that is called in the end is", node)
        return self.call(name, [], node, None)

    def lock(self, call: Call, lock: tuple[str, str]) -> Value:
        """A call of a function that is taken as one of a lock: that to which the first argument leads, else the one."""
        body = self.body
        body.world.locking.add(call.name)
        routine = body.world.routines.get(call.name)
        gives = routine.definition.decl.type.type if routine is not None and routine.definition is not None else None
        if gives is not None and body.type_of(gives) != VOID:
            body.refuse(f"`{call.name}`, which gives a value, as a function of --lock is", call.node)
        values = body.arguments(call.arguments)
        key: Key | None = (lock[0], 0)
        if values and isinstance(values[0].type, Pointer):
            address = body.plain_number(values[0]).constant
            found = body.world.memory.at(address) if address is not None else None
            key = (found.name, address - found.address) if found is not None and address is not None else None
        take_or_give(PrimitivesOfC(self.own, (), call.node), call.name, lock, key)
        return NOTHING

    def waiting(self, call: Call) -> Value:
        """A call of what is the same for all readers."""
        function = FUNCTIONS[call.name]
        if call.name in KEYS:
            return of_keys(self.own, call.name, call.arguments, call.node)
        value = function.handler(PrimitivesOfC(self.own, call.arguments, call.node))
        return NOTHING if function.kind is None else Value(value, TYPES[function.kind])


def _ends(call: Call) -> bool:
    """Whether a function is one that ends the program of a task, which has been said then."""
    name, node = call.name, call.node
    if name in ("__xgen_assert", "__VERIFIER_assert"):
        call.body.assume(truth(call.body.number(call.arguments[0])), node)
    elif name == "__builtin_unreachable":
        call.body.check(BoolLiteral(False), "undefined", node)
    elif name in REACHED:
        return call.body.world.options.property != "unreach-call"  # it does nothing
    elif name in ERRORS:
        call.body.assume(BoolLiteral(False), node)
    else:
        return False
    return True
