"""Calls: of functions by their names and by their addresses, and of what is written as one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pycparser import c_ast

from xgen.frontends.c.language.arithmetic import convert
from xgen.frontends.c.language.expressions import NOTHING
from xgen.frontends.c.language.functions import Functions
from xgen.frontends.c.language.places import Value, literal
from xgen.frontends.c.language.scope import Routine
from xgen.frontends.c.language.syntax import block_number, is_generic
from xgen.frontends.c.language.types import VOID, CType, Function, Pointer, Void, decayed, is_scalar, plain
from xgen.program import automaton as xcfa
from xgen.program.automaton import Binary, BoolLiteral, IntLiteral


class Calls(Functions):
    """Translates calls. What has no body is up to the library."""

    def call(self, node: c_ast.FuncCall, wanted: CType | None) -> Value:
        arguments: Sequence[c_ast.Node] = node.args.exprs if node.args else []
        name = node.name.name if isinstance(node.name, c_ast.ID) else ""
        block = block_number(name)
        if block is not None:
            return self.block(self.world.blocks[block])
        if is_generic(node):
            return self.evaluate(self.selected(node), wanted)
        entity = self.scope.find(name) if name else None
        if isinstance(entity, Routine) and entity.definition is not None and not self.library.means(name):
            return self.call_known(entity, arguments, node, wanted)
        if name and (entity is None or isinstance(entity, Routine)):
            return self.library.call(name, arguments, node, wanted)
        return self.indirect(node, arguments, wanted)

    def call_known(
        self, routine: Routine, arguments: Sequence[c_ast.Node], node: c_ast.Node, wanted: CType | None
    ) -> Value:
        values = self.arguments(arguments)
        if not self.flow.reachable:
            assert routine.definition is not None
            return self.nothing(self.type_of(routine.definition.decl.type.type))
        atomic = routine.name.startswith("__VERIFIER_atomic_")
        if atomic:
            self.atomic_begin(node)
        result = self.inline(routine, values, node, wanted)
        if atomic:
            self.atomic_end(node)
        return result

    def arguments(self, nodes: Sequence[c_ast.Node]) -> list[Value]:
        values: list[tuple[Value, int]] = []
        for node in nodes:
            value = self.evaluate(node)
            values.append((value, len(self.flow.steps)))
        return [self.protect(value, mark, node) for (value, mark), node in zip(values, nodes, strict=True)]

    def numbers(self, nodes: Sequence[c_ast.Node]) -> list[Value]:
        """Arguments that have to be numbers or pointers."""
        values = self.arguments(nodes)
        for value, node in zip(values, nodes, strict=True):
            self.scalar_needed(value, node)
        return values

    def block(self, body: c_ast.Compound) -> Value:
        """A statement expression: its value is that of its last statement."""
        outer, self.scope = self.scope, type(self.scope)(self.scope)
        cleanups = len(self.cleanups)
        items = list(body.block_items or [])
        last = items.pop() if items and _is_expression(items[-1]) else None
        for item in items:
            self.statement(item)
        if last is None:
            value = NOTHING
        else:
            value = self.evaluate(last) if self.flow.reachable else self.nothing(decayed(self.type_of_value(last)))
        if value.place is None and not value.alias:
            value = self.keep(value, body)
        self.clean_up(cleanups)
        del self.cleanups[cleanups:]
        self.scope = outer
        return value

    # ---- functions by their address

    def indirect(self, node: c_ast.FuncCall, arguments: Sequence[c_ast.Node], wanted: CType | None) -> Value:
        """A call of a function by its address."""
        callee = node.name
        while isinstance(callee, c_ast.UnaryOp) and callee.op == "*":
            callee = callee.expr
        target = self.plain_number(self.number(callee))
        fitting = [routine for routine in self.addressed() if self.fits(routine, target.type, len(arguments))]
        if target.constant is not None:
            fitting = [routine for routine in fitting if routine.address == target.constant]
        if any(routine.definition is None for routine in fitting):  # it evaluates its arguments itself

            def call(routine: Routine) -> Value:
                if routine.definition is None:
                    return self.library.call(routine.name, arguments, node, wanted)
                return self.inline(routine, self.arguments(arguments), node, wanted)
        else:
            values = self.arguments(arguments)

            def call(routine: Routine) -> Value:
                return self.inline(routine, values, node, wanted)

        return self.dispatch(target, fitting, call, node)

    def call_pointer(self, target: Value, values: list[Value], node: c_ast.Node) -> None:
        """A call of a function by its address, for what it does."""
        target = self.plain_number(target)
        fitting = [routine for routine in self.addressed() if self.takes(routine, len(values))]
        if target.constant is not None:
            fitting = [routine for routine in fitting if routine.address == target.constant]

        def call(routine: Routine) -> Value:
            if routine.definition is not None:
                return self.inline(routine, values, node)
            return self.library.call_with(routine.name, values, node)

        self.dispatch(target, fitting, call, node)

    def addressed(self) -> list[Routine]:
        """The functions whose addresses are used as values."""
        return sorted(self.world.facts.taken.all(), key=lambda routine: routine.address)

    def fits(self, routine: Routine, pointer: CType, count: int) -> bool:
        """Whether a call by a pointer may be one of this function: as many arguments, and the same type."""
        if not self.takes(routine, count):
            return False
        if routine.definition is None and routine.name not in self.world.prototypes:
            return True
        own = self.routine_type(routine)
        type_ = pointer.target if isinstance(pointer, Pointer) else pointer
        if not isinstance(own, Function) or not isinstance(type_, Function):
            return True
        same = [str(plain(p)) for p in own.parameters] == [str(plain(p)) for p in type_.parameters]
        return str(own.result) == str(type_.result) and (same or not type_.parameters)

    def takes(self, routine: Routine, count: int) -> bool:
        """Whether a function may be called with so many arguments."""
        if routine.definition is not None:
            named = _parameters(routine.definition)
            return named == count or (named < count and _has_more(routine.definition))
        return self.library.takes(routine.name, count)

    def dispatch(
        self, target: Value, fitting: list[Routine], call: Callable[[Routine], Value], node: c_ast.Node
    ) -> Value:
        """The call of one of some functions, the one that has an address."""
        type_ = target.type.target if isinstance(target.type, Pointer) else target.type
        wanted = type_.result if isinstance(type_, Function) else VOID
        if target.constant is not None:
            if fitting:
                value = call(fitting[0])
                return convert(value, wanted) if is_scalar(wanted) and is_scalar(value.type) else value
            self.check(BoolLiteral(False), "bad-call", node)
            return literal(0, wanted) if is_scalar(wanted) else NOTHING
        target = self.keep(target, node)
        position, end, result = self.position(node), self.flow.label(), self.fresh()
        for routine in fitting:
            following = self.flow.label()
            same = Binary("=", target.expression, IntLiteral(routine.address))
            self.flow.branch(xcfa.Unary("not", same), following, position)
            value = call(routine)
            if is_scalar(value.type) and self.flow.reachable:
                wanted = wanted if is_scalar(wanted) else value.type
                self.assign(result, convert(value, wanted), node)
            elif not isinstance(value.type, Void) and self.flow.reachable:
                self.refuse("a struct as the result of a function that is chosen at run time is", node)
            self.flow.jump(end, position)
            self.flow.place(following)
        self.check(BoolLiteral(False), "bad-call", node)
        self.flow.place(end)
        return self.result(result, wanted) if is_scalar(wanted) else NOTHING

    # ---- atomic blocks

    def atomic_begin(self, node: c_ast.Node) -> None:
        if self.atomic_depth == 0:
            self.flow.emit(xcfa.AtomicBegin(self.position(node)))
        self.atomic_depth += 1

    def atomic_end(self, node: c_ast.Node) -> None:
        self.atomic_depth -= 1
        if self.atomic_depth == 0:
            self.flow.emit(xcfa.AtomicEnd(self.position(node)))


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


def _has_more(definition: c_ast.FuncDef) -> bool:
    declared = definition.decl.type.args.params if definition.decl.type.args else []
    return any(isinstance(p, c_ast.EllipsisParam) for p in declared)


def _parameters(definition: c_ast.FuncDef) -> int:
    declared = definition.decl.type.args.params if definition.decl.type.args else []
    return sum(isinstance(p, c_ast.Decl) for p in declared)
