"""The rest of the library: memory, assertions, what verification tools add, and what does nothing here."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pycparser import c_ast

from xgen.errors import nearest
from xgen.frontends.c.arithmetic import convert, negated, truth
from xgen.frontends.c.expressions import NOTHING
from xgen.frontends.c.memory import Object
from xgen.frontends.c.places import Place, Value, literal
from xgen.frontends.c.pthreads import _CALLS
from xgen.frontends.c.scope import Routine
from xgen.frontends.c.syntax import block_number, is_generic
from xgen.frontends.c.types import (
    BOOL,
    CHAR,
    INT,
    LLONG,
    LONG,
    SHORT,
    UCHAR,
    UINT,
    ULLONG,
    ULONG,
    USHORT,
    VOID,
    Array,
    CType,
    Function,
    Pointer,
    Record,
    Void,
    converted,
    is_scalar,
    leaves,
    plain,
    size_of,
)
from xgen.frontends.c.waiting import Waiting
from xgen.program import automaton as xcfa
from xgen.program.automaton import Binary, BoolLiteral, IntLiteral, Name

_IGNORED = frozenset(
    [
        "printf",
        "fprintf",
        "puts",
        "putchar",
        "fflush",
        "perror",
        "srand",
        "usleep",
        "sleep",
        "nanosleep",
        "pthread_sigmask",
        "__builtin_prefetch",
        "__VERIFIER_loop_begin",
        "__VERIFIER_spin_start",
        "__VERIFIER_optional",
        "__VERIFIER_loop_bound",
        "__VERIFIER_make_interesting",
        "__VERIFIER_annotate_begin",
        "__VERIFIER_annotate_end",
        "setbuf",
        "setvbuf",
    ]
)
_ASSUMES = frozenset(["__VERIFIER_assume", "assume_abort_if_not", "__VERIFIER_spin_end", "__builtin_assume"])
_ERRORS = frozenset(
    ["__VERIFIER_error", "reach_error", "__assert_fail", "__assert_rtn", "__builtin_trap", "__builtin_unreachable"]
)
_ENDS = frozenset(["abort", "exit", "_exit", "_Exit", "quick_exit"])
_FENCES = {
    "mfence": "seq_cst",
    "dmb ish": "seq_cst",
    "dmb sy": "seq_cst",
    "dsb sy": "seq_cst",
    "sync": "seq_cst",
    "fence rw,rw": "seq_cst",
    "lock; addl $0,0(%%rsp)": "seq_cst",
    "lock; addl $0,0(%rsp)": "seq_cst",
}
_NO_EFFECT = re.compile(r"(?:\s|;|nop|pause|rep|yield|\\n|\\t)*$")
_NONDET = re.compile(r"__VERIFIER_nondet_(\w+)$")
_NONDET_TYPES = {
    "bool": BOOL,
    "_Bool": BOOL,
    "char": CHAR,
    "uchar": UCHAR,
    "unsigned_char": UCHAR,
    "short": SHORT,
    "ushort": USHORT,
    "int": INT,
    "uint": UINT,
    "unsigned": UINT,
    "unsigned_int": UINT,
    "long": LONG,
    "ulong": ULONG,
    "longlong": LLONG,
    "ulonglong": ULLONG,
    "size_t": ULONG,
    "u8": UCHAR,
    "u16": USHORT,
    "u32": UINT,
    "u64": ULONG,
    "loff_t": LONG,
}
POOL = 16
"""So many objects are there for a `malloc` in a loop whose rounds are not known; a thread that asks for more is cut."""


class Library(Waiting):
    """Calls."""

    def call(self, node: c_ast.FuncCall, wanted: CType | None) -> Value:
        arguments: Sequence[c_ast.Node] = node.args.exprs if node.args else []
        name = node.name.name if isinstance(node.name, c_ast.ID) else ""
        block = block_number(name)
        if block is not None:
            return self.block(self.world.blocks[block])
        if is_generic(node):
            return self.evaluate(self.selected(node), wanted)
        entity = self.scope.find(name) if name else None
        if isinstance(entity, Routine) and entity.definition is not None and name not in _CALLS:
            return self.call_known(entity, arguments, node)
        if name and (entity is None or isinstance(entity, Routine)):
            return self.built_in(name, arguments, node, wanted)
        return self.indirect(node, arguments)

    def call_known(self, routine: Routine, arguments: Sequence[c_ast.Node], node: c_ast.Node) -> Value:
        values = self.arguments(arguments)
        if not self.flow.reachable:
            return self.unreachable(routine)
        atomic = routine.name.startswith("__VERIFIER_atomic_")
        if atomic:
            self.atomic_begin(node)
        result = self.inline(routine, values, node)
        if atomic:
            self.atomic_end(node)
        return result

    def unreachable(self, routine: Routine) -> Value:
        assert routine.definition is not None
        type_ = self.type_of(routine.definition.decl.type.type)
        return NOTHING if isinstance(type_, Void) else Value(IntLiteral(0), type_, place=self.nowhere(type_))

    def nowhere(self, type_: CType) -> Place | None:
        return None if is_scalar(type_) else self.local_place("nothing", type_, "nothing")

    def arguments(self, nodes: Sequence[c_ast.Node]) -> list[Value]:
        values: list[tuple[Value, int]] = []
        for node in nodes:
            value = self.evaluate(node)
            values.append((value, len(self.flow.steps)))
        return [self.protect(value, mark, node) for (value, mark), node in zip(values, nodes, strict=True)]

    def atomic_begin(self, node: c_ast.Node) -> None:
        if self.atomic_depth == 0:
            self.flow.emit(xcfa.AtomicBegin(self.position(node)))
        self.atomic_depth += 1

    def atomic_end(self, node: c_ast.Node) -> None:
        self.atomic_depth -= 1
        if self.atomic_depth == 0:
            self.flow.emit(xcfa.AtomicEnd(self.position(node)))

    def block(self, body: c_ast.Compound) -> Value:
        """A statement expression: its value is that of its last statement."""
        outer, self.scope = self.scope, type(self.scope)(self.scope)
        items = list(body.block_items or [])
        last = items.pop() if items and _is_expression(items[-1]) else None
        for item in items:
            self.statement(item)
        value = self.evaluate(last) if last is not None and self.flow.reachable else NOTHING
        if value.place is None and not value.alias:
            value = self.keep(value, body)
        self.scope = outer
        return value

    def indirect(self, node: c_ast.FuncCall, arguments: Sequence[c_ast.Node]) -> Value:
        """A call of a function by its address."""
        callee = node.name
        while isinstance(callee, c_ast.UnaryOp) and callee.op == "*":
            callee = callee.expr
        target = self.plain_number(self.number(callee))
        values = self.arguments(arguments)
        taken = sorted(self.world.findings.taken.values(), key=lambda routine: routine.address)
        fitting = [r for r in taken if r.definition and self.fits(r.definition, target.type, len(values))]
        if target.constant is not None:
            found = next((r for r in fitting if r.address == target.constant), None)
            if found is None:
                self.check(BoolLiteral(False), "bad-call", node)
                return _some(target.type)
            return self.inline(found, values, node)
        value = self.dispatch(self.keep(target, node), fitting, values, node)
        return value if fitting else _some(target.type)

    def call_pointer(self, function: c_ast.Node, values: list[Value], node: c_ast.Node) -> None:
        """A call of a function by its address, for what it does."""
        target = self.plain_number(self.number(function))
        taken = sorted(self.world.findings.taken.values(), key=lambda routine: routine.address)
        fitting = [r for r in taken if r.definition and _parameters(r.definition) == len(values)]
        if target.constant is not None:
            fitting = [r for r in fitting if r.address == target.constant]
        if target.constant is not None and fitting:
            self.inline(fitting[0], values, node)
        else:
            self.dispatch(self.keep(target, node), fitting, values, node)

    def fits(self, definition: c_ast.FuncDef, pointer: CType, count: int) -> bool:
        """Whether a call by a pointer may be one of this function: as many arguments, and the same type."""
        own = self.type_of(definition.decl.type)
        type_ = pointer.target if isinstance(pointer, Pointer) else pointer
        if _parameters(definition) != count or not isinstance(own, Function) or not isinstance(type_, Function):
            return _parameters(definition) == count
        same = [str(plain(p)) for p in own.parameters] == [str(plain(p)) for p in type_.parameters]
        return str(own.result) == str(type_.result) and (same or not type_.parameters)

    def dispatch(self, target: Value, fitting: list[Routine], values: list[Value], node: c_ast.Node) -> Value:
        position, end = self.position(node), self.flow.label()
        self.world.dispatches = True
        result, type_ = self.fresh(), VOID
        for routine in fitting:
            following = self.flow.label()
            same = Binary("=", target.expression, IntLiteral(routine.address))
            self.flow.branch(xcfa.Unary("not", same), following, position)
            value = self.inline(routine, values, node)
            if is_scalar(value.type) and self.flow.reachable:
                type_ = value.type  # type: ignore[assignment]
                self.assign(result, value, node)
            elif not isinstance(value.type, Void) and self.flow.reachable:
                self.refuse("a struct as the result of a function that is chosen at run time is", node)
            self.flow.jump(end, position)
            self.flow.place(following)
        self.check(BoolLiteral(False), "bad-call", node)
        self.flow.place(end)
        return self.result(result, type_) if is_scalar(type_) else NOTHING

    # ---- functions without a body

    def built_in(self, name: str, arguments: Sequence[c_ast.Node], node: c_ast.Node, wanted: CType | None) -> Value:
        value = self.verification(name, arguments, node)
        if value is None:
            value = self.memory_call(name, arguments, node, wanted)
        if value is None:
            value = self.atomic_call(name, arguments, node)
        if value is None:
            value = self.thread_call(name, arguments, node)
        if value is None:
            hint = nearest(name, self.world.routines.keys() | _CALLS.keys())
            self.refuse(f"the function `{name}`, which has no body, is", node, hint)
        return value

    def verification(self, name: str, arguments: Sequence[c_ast.Node], node: c_ast.Node) -> Value | None:
        if name in ("__xgen_assert", "__VERIFIER_assert"):
            return self.assertion(arguments[0], node)
        if name in _ASSUMES:
            test = truth(self.number(arguments[0]))
            self.assume(test, node)
            return NOTHING
        if name in _ERRORS:
            self.check(BoolLiteral(False), "assertion", node)
            return NOTHING
        if name in _ENDS:
            return self.end_program(name, node)
        if name in _IGNORED:
            for argument in arguments:
                if not isinstance(argument, c_ast.Constant):
                    self.evaluate(argument)
            return literal(0, INT)
        if name == "__VERIFIER_atomic_begin":
            self.atomic_begin(node)
            return NOTHING
        if name == "__VERIFIER_atomic_end":
            self.atomic_end(node)
            return NOTHING
        if name == "__builtin_expect":
            value, *_ = [convert(self.number(argument), LONG) for argument in arguments]
            return value
        if name == "__builtin_constant_p":
            return literal(0, INT)
        if name in ("__VERIFIER_spawn", "__VERIFIER_spawn_symmetric"):
            return self.spawn(node, arguments[0], arguments[1])
        if name in ("__VERIFIER_join", "__VERIFIER_join_symmetric"):
            self.join(self.plain_number(self.number(arguments[0])), node, None)
            return literal(0, Pointer(VOID))
        if name == "__xgen_asm":
            return self.asm(arguments[0], node)
        return self.nondet(name, node)

    def assertion(self, condition: c_ast.Node, node: c_ast.Node) -> Value:
        self.check(truth(self.number(condition)), "assertion", node)
        return NOTHING

    def assume(self, test: xcfa.Expression, node: c_ast.Node) -> None:
        if test == BoolLiteral(True):
            return
        self.flow.emit(xcfa.Assume(test, self.position(node)))
        if test == BoolLiteral(False):
            self.flow.known = None

    def end_program(self, name: str, node: c_ast.Node) -> Value:
        """`exit` in main ends main; else the execution goes no further."""
        if name in ("exit", "_exit", "_Exit", "quick_exit") and self.handle == 0:
            self.end_thread(literal(0, INT), node)
        else:
            self.assume(BoolLiteral(False), node)
        return NOTHING

    def asm(self, text: c_ast.Node, node: c_ast.Node) -> Value:
        instructions = (
            re.sub(r"\s+", " ", text.value[1:-1].replace("\\n", " ").replace("\\t", " ")).strip().rstrip(";").strip()
        )
        if _NO_EFFECT.match(instructions):
            return NOTHING
        if instructions not in _FENCES:
            self.refuse(f"the assembly `{instructions}` is", node)
        return self.fence(_FENCES[instructions], node)

    def nondet(self, name: str, node: c_ast.Node) -> Value | None:
        match = _NONDET.match(name)
        if match is None and name != "rand":
            return None
        type_ = _NONDET_TYPES.get(match[1] if match else "int")
        if type_ is None:
            return None
        bounds = (0, 1) if type_ == BOOL else self.world.options.nondet
        if bounds is None:
            hint = "say which values there are: --nondet LO..HI"
            self.refuse(f"`{name}` without a range of values is", node, hint)
        local = self.fresh()
        if any(converted(bound, type_) != bound for bound in bounds):
            self.refuse(f"a range of `{name}` with values that {type_} does not have is", node)
        low, high = (IntLiteral(bound) for bound in bounds)
        self.flow.emit(xcfa.Havoc(Name(local), (low, high), self.position(node)))
        return Value(Name(local), type_)

    # ---- memory

    def memory_call(
        self, name: str, arguments: Sequence[c_ast.Node], node: c_ast.Node, wanted: CType | None
    ) -> Value | None:
        if name == "malloc":
            return self.allocate(arguments[0], self.number(arguments[0]), node, wanted, True)
        if name == "calloc":
            count, size = self.number(arguments[0]), self.number(arguments[1])
            return self.allocate(arguments[1], self.operate("*", count, size, node), node, wanted, False)
        if name == "aligned_alloc":
            self.check_alignment(self.number(arguments[0]), self.number(arguments[1]), node)
            return self.allocate(arguments[1], self.number(arguments[1]), node, wanted, True)
        if name == "free":
            return self.free(self.number(arguments[0]), node)
        if name in ("memcpy", "memmove"):
            return self.copy_bytes(arguments, node)
        if name == "memset":
            return self.set_bytes(arguments, node)
        return None

    def check_alignment(self, alignment: Value, size: Value, node: c_ast.Node) -> None:
        """A power of two that the size is a multiple of."""
        a, n = alignment.constant, size.constant
        if a is None or n is None:
            self.refuse("an alignment that is no constant is", node)
        if a <= 0 or a & (a - 1) or n % a:
            self.check(BoolLiteral(False), "bad-allocation", node)

    def allocate(
        self, size_node: c_ast.Node, size: Value, node: c_ast.Node, wanted: CType | None, undefined: bool
    ) -> Value:
        """A new object. Its type is what the pointer is converted to, else what `sizeof` speaks of."""
        bytes_ = size.constant
        if bytes_ is None:
            self.refuse("allocating memory of a size that is not known here is", node)
        if bytes_ <= 0:
            self.check(BoolLiteral(False), "bad-allocation", node)
            return literal(0, Pointer(VOID))
        type_ = self.allocated_type(size_node, bytes_, wanted)
        if type_ is None:
            self.refuse("memory of which it cannot be seen what it is for is", node, "convert the pointer to its type")
        self.check_object(type_, node)
        pointer = Pointer(VOID)
        hint = f"{self.thread}.malloc"
        self.world.exposed.add(id(node))
        self.world.mortal.add(id(node))
        if not self.looping:
            found = self.world.memory.allocate(hint, type_, id(node), undefined, life="heap")
            self.lifetime("alloc", IntLiteral(found.address), node)
            return literal(found.address, pointer)
        return self.from_pool(hint, type_, undefined, node)

    def from_pool(self, hint: str, type_: CType, undefined: bool, node: c_ast.Node) -> Value:
        """One of several objects, by a counter of the thread."""
        memory = self.world.memory
        objects = [memory.allocate(hint, type_, id(node), undefined, life="heap") for _ in range(POOL)]
        counter, position = self.fresh("allocated"), self.position(node)
        enough = self.flow.label()
        self.flow.branch(Binary("<", Name(counter), IntLiteral(POOL)), enough, position)
        self.flow.emit(xcfa.Cut(position))
        self.flow.known = None
        self.flow.place(enough)
        step = objects[1].address - objects[0].address
        address = self.fresh()
        place = Binary("+", IntLiteral(objects[0].address), Binary("*", Name(counter), IntLiteral(step)))
        self.flow.assign(address, place, position)
        self.flow.assign(counter, Binary("+", Name(counter), IntLiteral(1)), position)
        self.lifetime("alloc", Name(address), node)
        return Value(Name(address), Pointer(VOID))

    def allocated_type(self, size_node: c_ast.Node, bytes_: int, wanted: CType | None) -> CType | None:
        candidates: list[CType] = []
        if isinstance(wanted, Pointer):
            candidates.append(plain(wanted.target))
        for part in _sizeofs(size_node):
            candidates.append(self.type_of(part) if isinstance(part, c_ast.Typename) else self.type_of_value(part))
        for type_ in candidates:
            size = 0 if isinstance(type_, Void) else size_of(type_)
            if size and bytes_ == size:
                return type_
            if size and bytes_ % size == 0 and not (isinstance(type_, Record) and _is_flexible(type_)):
                return Array(type_, bytes_ // size)
            if isinstance(type_, Record) and _is_flexible(type_) and bytes_ > size:
                return _with_tail(type_, bytes_)
        return None

    def free(self, pointer: Value, node: c_ast.Node) -> Value:
        """What was freed may be used no more: all its accesses are events from now on."""
        if pointer.alias:
            self.check(BoolLiteral(False), "bad-free", node)
            return NOTHING
        address = self.keep(pointer, node)
        if address.constant == 0:
            return NOTHING
        end = self.flow.label()
        if address.constant is None:
            self.flow.branch(negated(truth(address)), end, self.position(node))
        found = self.allocated(address.constant)
        if address.constant is not None and not found:
            self.check(BoolLiteral(False), "bad-free", node)
        for object_ in found:
            self.ends(object_)
        self.lifetime("free", address.expression, node)
        self.flow.place(end)
        return NOTHING

    def allocated(self, address: int | None) -> list[Object]:
        """The allocated objects that an address may be the start of."""
        heap = (found for found in self.world.memory.objects if found.life == "heap")
        return [found for found in heap if address is None or found.address == address]

    def copy_bytes(self, arguments: Sequence[c_ast.Node], node: c_ast.Node) -> Value:
        """memcpy: scalar by scalar, of the type that the pointers have."""
        to, source = self.number(arguments[0]), self.number(arguments[1])
        size = self.number(arguments[2]).constant
        if size is None:
            self.refuse("copying a number of bytes that is not known here is", node)
        for leaf in self.bytes_type(to, source, size, node):
            target = self.moved(self.target(to, VOID), leaf.offset, plain(leaf.type))
            place = self.moved(self.target(source, VOID), leaf.offset, plain(leaf.type))
            self.store(target, self.load(place, node), node)
        return to

    def set_bytes(self, arguments: Sequence[c_ast.Node], node: c_ast.Node) -> Value:
        to, byte = self.number(arguments[0]), self.number(arguments[1]).constant
        size = self.number(arguments[2]).constant
        if size is None or byte is None:
            self.refuse("setting bytes whose number or value is not known here is", node)
        for leaf in self.bytes_type(to, to, size, node):
            width = size_of(leaf.type)
            value = int.from_bytes(bytes([byte & 255]) * width, "little")
            place = self.moved(self.target(to, VOID), leaf.offset, plain(leaf.type))
            self.store(place, Value(IntLiteral(converted(value, leaf.type)), leaf.type), node)
        return to

    def bytes_type(self, to: Value, source: Value, size: int, node: c_ast.Node) -> list:  # type: ignore[type-arg]
        """The scalars of the bytes that start at a pointer."""
        for value in (to, source):
            found = self.known_leaves(value, size, node)
            if found is not None:
                return found
            type_ = value.type.target if isinstance(value.type, Pointer) else VOID
            width = 0 if isinstance(type_, Void) or type_ in (CHAR,) else size_of(type_)
            if width and size % width == 0:
                return list(leaves(Array(type_, size // width)))
        return self.refuse("copying or setting bytes of which it cannot be seen what they are is", node)

    def known_leaves(self, value: Value, size: int, node: c_ast.Node) -> list | None:  # type: ignore[type-arg]
        """The scalars that really are at an address, where it is known."""
        start, whole, all_leaves = 0, 0, None
        if value.alias:
            variable = value.alias.variable
            start, whole, all_leaves = value.alias.offset, size_of(variable.type), list(variable.leaves.values())
        elif value.constant is not None:
            found = self.world.memory.at(value.constant)
            if found:
                start, whole, all_leaves = value.constant - found.address, size_of(found.type), found.leaves
        if all_leaves is None:
            return None
        end = start + size
        if end > whole:
            self.check(BoolLiteral(False), "out-of-bounds", node)
            return []
        inside = [leaf for leaf in all_leaves if start < leaf.offset + size_of(leaf.type) and leaf.offset < end]
        if any(leaf.offset < start or leaf.offset + size_of(leaf.type) > end for leaf in inside):
            return None
        return [replace(leaf, offset=leaf.offset - start) for leaf in inside]


def _some(pointer: CType) -> Value:
    """A value of the type that a call by a pointer has, where there is no such function."""
    type_ = pointer.target if isinstance(pointer, Pointer) else pointer
    result = type_.result if isinstance(type_, Function) else VOID
    return Value(IntLiteral(0), result) if is_scalar(result) else NOTHING


def _is_expression(node: c_ast.Node) -> bool:
    return isinstance(
        node,
        c_ast.Constant
        | c_ast.ID
        | c_ast.BinaryOp
        | c_ast.UnaryOp
        | c_ast.Assignment
        | c_ast.TernaryOp
        | c_ast.Cast
        | c_ast.FuncCall
        | c_ast.ArrayRef
        | c_ast.StructRef
        | c_ast.ExprList,
    )


def _parameters(definition: c_ast.FuncDef) -> int:
    declared = definition.decl.type.args.params if definition.decl.type.args else []
    return sum(isinstance(p, c_ast.Decl) for p in declared)


def _sizeofs(node: c_ast.Node) -> list[c_ast.Node]:
    found = []
    todo = [node]
    while todo:
        part = todo.pop()
        if isinstance(part, c_ast.UnaryOp) and part.op == "sizeof":
            found.append(part.expr)
        todo.extend(child for _, child in part.children())
    return found


def _is_flexible(record: Record) -> bool:
    last = (record.members or [])[-1:]
    return bool(last) and isinstance(last[0].type, Array) and not last[0].type.size


def _with_tail(record: Record, bytes_: int) -> Record:
    """A struct with a flexible array member of as many elements as there is room for."""
    *members, last = record.members or []
    assert isinstance(last.type, Array)
    tail = Array(last.type.element, (bytes_ - last.offset) // size_of(last.type.element))
    found = Record(record.name, False)
    found.complete([*((member.name, member.type) for member in members), (last.name, tail)])
    return found
