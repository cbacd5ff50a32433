"""Functions, which are inlined: each call is translated anew."""

from __future__ import annotations

from collections.abc import Callable

from pycparser import c_ast

from xgen.frontends.c.language.arithmetic import convert, negated, truth
from xgen.frontends.c.language.expressions import NOTHING
from xgen.frontends.c.language.flow import ended
from xgen.frontends.c.language.memory import Object
from xgen.frontends.c.language.places import Alias, Place, Registers, Value
from xgen.frontends.c.language.scope import Routine, Scope
from xgen.frontends.c.language.statements import Activation, Statements
from xgen.frontends.c.language.types import (
    DOUBLE,
    FLOAT,
    VOID,
    CType,
    Pointer,
    Record,
    Void,
    adjusted,
    is_scalar,
    plain,
    promoted,
)
from xgen.frontends.library.verification import ASSUMES
from xgen.program import automaton as xcfa
from xgen.program.automaton import BoolLiteral, IntLiteral

NESTED_CALLS = 8
"""So many calls of one function may be running inside each other; a thread that comes to one more is cut."""


class Functions(Statements):
    """Translates calls of functions that have a body."""

    def inline(self, routine: Routine, arguments: list[Value], node: c_ast.Node, wanted: CType | None = None) -> Value:
        """Translates a call's function here; the call's value."""
        definition = routine.definition
        assert definition is not None
        if self.world.options.is_error(routine.word):
            self.check(BoolLiteral(False), "assertion", node)
            return self.nothing(self.type_of(definition.decl.type.type))
        nested = sum(activation.routine.name == routine.name for activation in self.activations)
        if nested >= NESTED_CALLS:
            self.flow.emit(xcfa.Cut(self.position(node)))
            self.flow.known = None
            return self.nothing(self.type_of(definition.decl.type.type))
        called_at = self.world.unit.position(node)
        outer_calls, outer_scope, outer_looping = self.calls, self.scope, self.looping
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
        self.calls = ((routine.name, called_at), *outer_calls)
        if is_scalar(result):
            activation.name = self.fresh(f"{routine.name}.result")
        elif result != VOID:
            activation.place = self.local_place(f"{routine.name}.result", result, (id(definition), "result"))
        self.activations.append(activation)
        self.new_locals, self.new_registers = own
        self.statement(definition.body)
        self.activations.pop()
        self.flow.place(activation.end)
        self.looping = outer_looping
        self.new_locals += activation.until_return
        self.end_locals(node)
        self.new_locals, self.new_registers = outer_locals, outer_registers
        self.close_labels(activation)
        self.calls, self.scope, self.looping = outer_calls, outer_scope, outer_looping
        self.breaks, self.continues, self.cases = jumps
        if activation.place:
            return Value(IntLiteral(0), result, place=activation.place)
        return self.result(activation.name, plain(result)) if activation.name else NOTHING

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
        for name in (name for variable in variables for name in variable.names.values()):
            known.pop(name, None)
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
        if definition.param_decls:
            self.refuse("the definition of a function in the style of before 1989 is", definition)
        declared = definition.decl.type.args.params if definition.decl.type.args else []
        named = [p for p in declared if isinstance(p, c_ast.Decl)]
        more = any(isinstance(p, c_ast.EllipsisParam) for p in declared)
        declared = [p for p in declared if not isinstance(p, c_ast.EllipsisParam)]
        wanted = [] if len(declared) == 1 and not named and self.type_of(declared[0]) == VOID else declared
        arguments, others = (arguments[: len(wanted)], arguments[len(wanted) :]) if more else (arguments, [])
        if len(arguments) != len(wanted):
            name = definition.decl.name
            self.wrong(
                f"`{name}` takes {len(wanted)} argument{'s' if len(wanted) != 1 else ''}, not {len(arguments)}", node
            )
        for parameter, value in zip(wanted, arguments, strict=True):
            type_ = adjusted(self.type_of(parameter))
            place = self.local_place(parameter.name or "unnamed", type_, id(parameter))
            if parameter.name:
                self.scope.names[parameter.name] = self.entity(place)
            if isinstance(type_, Record) and type_.transparent and is_scalar(value.type):
                place = self.member_for(place, type_, value, node)
            self.store_initial(place, value, node)
        places = []
        for number, value in enumerate(others):
            key = (id(definition), "more", number)
            type_ = DOUBLE if value.type == FLOAT else promoted(value.type)
            places.append(self.local_place(f"{definition.decl.name}.more", type_, key))
            self.store_initial(places[-1], value, node)
        return places

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
        self.flow.place(after)
