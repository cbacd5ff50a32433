"""The body of a thread: its calls, whose functions are inlined, each call anew; by names and by addresses."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pycparser import c_ast

from xgen.errors import UnsupportedError
from xgen.executions.nothing import NOTHING as HOLLOW
from xgen.frontends.c.language.accesses import World
from xgen.frontends.c.language.copies import Copies
from xgen.frontends.c.language.expressions import NOTHING
from xgen.frontends.c.language.flow import UNDEFINED, ended
from xgen.frontends.c.language.initial import Initials
from xgen.frontends.c.language.memory import Object
from xgen.frontends.c.language.mixed_size import MixedSize
from xgen.frontends.c.language.scope import Routine, Scope
from xgen.frontends.c.language.statements import Activation, Statements
from xgen.frontends.c.language.syntax import block_number, is_generic, parameters_of
from xgen.frontends.c.text.shipped_bodies import is_shipped
from xgen.frontends.c.values.arithmetic import convert, truth
from xgen.frontends.c.values.places import Alias, Place, Registers, Value, literal
from xgen.frontends.c.values.types import (
    DOUBLE,
    FLOAT,
    UCHAR,
    VOID,
    CType,
    Function,
    Pointer,
    Record,
    Void,
    adjusted,
    atomic,
    decayed,
    is_byte,
    is_scalar,
    is_volatile,
    plain,
    promoted,
)
from xgen.frontends.conditions import negated
from xgen.frontends.library.verification import ASSUMES
from xgen.frontends.limits import NESTED_CALLS, too_deep
from xgen.program import automaton as xcfa
from xgen.program.automaton import Binary, BoolLiteral, IntLiteral


class Body(Statements):
    """Translates calls. What has no body is up to the library, which whoever makes a body gives it."""

    copies: Copies

    def __init__(self, world: World, thread: str, handle: int) -> None:
        super().__init__(world, thread)
        self.handle = handle
        self.parts = MixedSize(self, self.update_cell)
        self.copies = Copies(self, self.parts)
        self.initials = Initials(self)
        self.per_thread: dict[object, Registers | Object] = {}

    def typeof(self, name: str) -> CType | None:
        prefix = "__xgen_typeof_"
        if not name.startswith(prefix):
            return None
        operand = self.world.typeofs[int(name[len(prefix) :])]
        return self.type_of(operand) if isinstance(operand, c_ast.Typename) else self.type_of_value(operand)

    def elsewhere(self, node: c_ast.Decl) -> UnsupportedError:
        position = self.world.unit.position(node)
        message = f"`{node.name}`, which is defined elsewhere, is not supported"
        return UnsupportedError(message, position.source, position, self.world.unit.beside(node.name))

    def discard(self, node: c_ast.Node) -> None:
        """`*p = *q` of bytes copies what has no value as it is (C11, 6.2.6.1)."""
        if not (isinstance(node, c_ast.Assignment) and node.op == "=" and self._are_bytes(node.lvalue, node.rvalue)):
            super().discard(node)
            return
        target, mark = self.place(node.lvalue), len(self.flow.steps)
        source = self.place(node.rvalue)
        taken = literal(HOLLOW, UCHAR) if self.parts.is_between(source) else self.copies.taken(source, node)
        target = self.protect_place(target, mark, node)
        if not self.parts.is_between(target):
            self.copies.put(target, taken, node)

    def _are_bytes(self, *nodes: c_ast.Node) -> bool:
        """Whether these are bytes at addresses, and nothing else is said of their accesses."""
        if not all(
            isinstance(node, c_ast.ArrayRef) or (isinstance(node, c_ast.UnaryOp) and node.op == "*") for node in nodes
        ):
            return False
        found = [self.type_of_value(node) for node in nodes]
        return all(is_byte(plain(each)) and not atomic(each) and not is_volatile(each) for each in found)

    # ---- calls

    def call(self, node: c_ast.FuncCall, wanted: CType | None) -> Value:
        arguments: Sequence[c_ast.Node] = node.args.exprs if node.args else []
        called = self.selected(node.name) if is_generic(node.name) else node.name
        name = called.name if isinstance(called, c_ast.ID) else ""
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

    # ---- functions that have a body

    def inline(
        self,
        routine: Routine,
        arguments: list[Value],
        node: c_ast.Node,
        wanted: CType | None = None,
        used: bool = True,
    ) -> Value:
        """Translates a call's function here; the call's value. `used`: whether something may be done with it."""
        definition = routine.definition
        assert definition is not None
        if self.world.options.is_error(routine.word):
            self.check(BoolLiteral(False), "assertion", node)
            return self.nothing(self.type_of(definition.decl.type.type))
        nested = sum(activation.routine.name == routine.name for activation in self.activations)
        if nested >= NESTED_CALLS:
            self.flow.emit(xcfa.Cut(self.position(node), too_deep(routine.word)))
            self.flow.known = None
            return self.nothing(self.type_of(definition.decl.type.type))
        called_at, shipped = self.world.unit.position(node), is_shipped(self.world.unit.position(definition).source)
        outer_calls, outer_scope, outer_looping, outside = self.calls, self.scope, self.looping, self.outside
        jumps = self.breaks, self.continues, self.cases
        self.breaks, self.continues, self.cases = [], [], {}
        self.scope = Scope(self.world.scope)
        result = self.type_of(definition.decl.type.type)
        activation = Activation(routine, self.flow.label(), result, depth=len(self.blocks), cleanups=len(self.cleanups))
        activation.wanted, activation.call = wanted, node
        outer_locals, outer_registers = self.new_locals, self.new_registers
        self.new_locals, self.new_registers = [], []
        activation.more = self.parameters(definition, arguments, node)
        own = self.new_locals, self.new_registers
        self.new_locals, self.new_registers = outer_locals, outer_registers
        self.outside = self.position(node) if shipped else None
        if outside is None:
            self.calls = ((routine.name, called_at), *outer_calls)
        if is_scalar(result):
            activation.name = self.fresh(f"{routine.name}.result")
            if routine.name != "main":  # which returns 0 at its end
                self.unset(activation.name, (id(definition), "result"))
        elif result != VOID:
            activation.place = self.local_place(f"{routine.name}.result", result, (id(definition), "result"))
        self.activations.append(activation)
        self.new_locals, self.new_registers = own
        self.all_of(definition)
        self.activations.pop()
        self.flow.bind(activation.end)
        self.looping = outer_looping
        self.new_locals += activation.until_return
        self.end_locals(node)
        self.new_locals, self.new_registers = outer_locals, outer_registers
        self.close_labels(activation)
        self.calls, self.scope, self.looping, self.outside = outer_calls, outer_scope, outer_looping, outside
        self.breaks, self.continues, self.cases = jumps
        if activation.place:
            return Value(IntLiteral(0), result, place=activation.place)
        if not activation.name:
            return NOTHING
        if used and self.used(node):
            self.returned(activation.name, (id(definition), "result"), node)
        return self.result(activation.name, plain(result))

    def returned(self, name: str, key: object, node: c_ast.Node) -> None:
        """The value of a call is used: the function must not have ended without one (C11, 6.9.1)."""
        if (self.flow.known or {}).get(name) is UNDEFINED:
            self.check(BoolLiteral(False), "uninitialised", node)
        elif self.may_be_unset(name, key):
            self.filled(name, node)

    def all_of(self, definition: c_ast.FuncDef) -> None:
        """Translates the body of a function."""
        self.statement(definition.body)

    def nothing(self, type_: CType) -> Value:
        """A value of a type, where nothing gets."""
        if isinstance(type_, Void):
            return NOTHING
        place = None if is_scalar(type_) else self.local_place("nothing", type_, "nothing")
        return Value(IntLiteral(0), type_, place=place)

    def end_locals(self, node: c_ast.Node) -> None:
        """A function ends, and with it the locals that are in memory. In a loop they are the same in each round.

        Those that are in registers have to be in memory if their addresses are still known.
        """
        self.end_variables(self.new_locals, self.new_registers, lambda _: False, node)

    def end_variables(
        self, objects: list[Object], variables: list[Registers], unread: Callable[[str], bool], node: c_ast.Node
    ) -> None:
        """Variables end; `unread`: the locals of the automaton that do not matter then."""
        known = self.flow.known
        if known is None:
            return
        self.flow.drop(name for variable in variables for name in variable.names.values())
        aliased = [variable for variable in variables if variable.aliased]
        for name, value in known.items() if aliased else ():
            if isinstance(value, Alias) and value.variable in aliased and not unread(name):
                self.escape(value)
        if self.looping:
            return
        for found in objects:
            has_ended = known.get(ended(found))
            if has_ended or (has_ended is None and found in self.ended):  # on each way that leads here, or on some
                continue
            self.ends(found)
            self.lifetime("free", IntLiteral(found.address), node)
            self.flow.end(found)
            self.ended.add(found)

    def parameters(self, definition: c_ast.FuncDef, arguments: list[Value], node: c_ast.Node) -> list[Place]:
        """Gives the parameters their values; where those of `...` are."""
        wanted, more = self.declared_parameters(definition), _has_more(definition)
        arguments, others = (arguments[: len(wanted)], arguments[len(wanted) :]) if more else (arguments, [])
        if len(arguments) != len(wanted):
            name = definition.decl.name
            self.wrong(
                f"`{name}` takes {len(wanted)} argument{'s' if len(wanted) != 1 else ''}, not {len(arguments)}", node
            )
        for parameter, value in zip(wanted, arguments, strict=True):
            declared = self.type_of(parameter)
            type_ = adjusted(declared)
            place = self.local_place(parameter.name or "unnamed", type_, id(parameter))
            if type_ is declared:  # else it is the elements of an array elsewhere that are const
                self.declare_constant(id(parameter), parameter, type_)
            if parameter.name:
                self.scope.names[parameter.name] = self.initials.entity(place)
            if isinstance(type_, Record) and type_.transparent and is_scalar(value.type):
                place = self.member_for(place, type_, value, node)
            self.initials.store_initial(place, value, node)
        places = []
        for number, value in enumerate(others):
            key = (id(definition), "more", number)
            type_ = DOUBLE if value.type == FLOAT else promoted(value.type)
            places.append(self.local_place(f"{definition.decl.name}.more", type_, key))
            self.initials.store_initial(places[-1], value, node)
        return places

    def declared_parameters(self, definition: c_ast.FuncDef) -> list[c_ast.Node]:
        """The parameters of a function, with a name or without, but for `...`."""
        declared = parameters_of(definition)
        found = [p for p in declared if not isinstance(p, c_ast.EllipsisParam)]
        return [p for p in found if isinstance(p, c_ast.Decl) or self.type_of(p) != VOID]

    def member_for(self, place: Place, union: Record, value: Value, node: c_ast.Node) -> Place:
        """The member of a transparent union that an argument is: the first one of its type; a null pointer, and one to
        void, may be any pointer."""
        members = list(enumerate(union.members or []))
        pointers = [(k, m) for k, m in members if isinstance(m.type, Pointer)]
        same = [(k, m) for k, m in members if str(plain(m.type)) == str(plain(value.type))]
        any_ = value.constant == 0 or (isinstance(value.type, Pointer) and value.type.target == VOID)
        to_void = [(k, m) for k, m in pointers if isinstance(m.type, Pointer) and m.type.target == VOID]
        fitting = same or (pointers if any_ else to_void if isinstance(value.type, Pointer) else [])
        if not fitting:
            self.wrong(f"{union} has no member of the type {value.type}", node)
        number, member = fitting[0]
        self.uses(union, number)
        return self.moved(place, 0, member.type)

    def leave(self, node: c_ast.Return) -> None:
        activation = self.activations[-1]
        if node.expr is not None:
            value = self.evaluate(node.expr, activation.result)
            if not self.flow.reachable:
                return
            if activation.place:
                self.store(activation.place, value, node)
            elif activation.name:
                value = convert(value, activation.result)
                if self.handle == 0 and len(self.activations) == 1 and activation.routine.name == "main":
                    self.exit_status(value, node)
                self.assign(activation.name, value, node)
        self.clean_up(activation.cleanups)
        self.leave_blocks(activation.depth + 1, node)
        self.flow.drop(name for variable in self.new_registers for name in variable.names.values())
        self.flow.jump(activation.end, self.position(node))

    def exit_status(self, status: Value, node: c_ast.Node) -> None:
        """The program ends: with an error, unless the status is 0. What SV-COMP's programs call to assume is none."""
        if any(activation.routine.word in ASSUMES for activation in self.activations):
            return
        good = negated(truth(status))
        if self.world.options.exits:
            self.check(good, "exit", node)
            return
        after = self.flow.label()
        self.flow.branch(good, after, self.position(node))
        self.flow.emit(xcfa.Assert(BoolLiteral(True), self.position(node), "exit"))
        self.flow.bind(after)

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
                return self.inline(routine, values, node, used=False)
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
        return str(own.result) == str(type_.result) and (same or not type_.parameters or not own.prototype)

    def takes(self, routine: Routine, count: int) -> bool:
        """Whether a function may be called with so many arguments."""
        if routine.definition is not None:
            named = len(self.declared_parameters(routine.definition))
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
            self.flow.bind(following)
        self.check(BoolLiteral(False), "bad-call", node)
        self.flow.bind(end)
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
    return any(isinstance(p, c_ast.EllipsisParam) for p in parameters_of(definition))
