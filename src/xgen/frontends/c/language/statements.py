"""Statements (C11, 6.8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import field

from pycparser import c_ast

from xgen.errors import UnsupportedError
from xgen.executions.nothing import NOTHING as HOLLOW
from xgen.frontends.c.language.accesses import World
from xgen.frontends.c.language.expressions import Expressions
from xgen.frontends.c.language.facts import TranslateAgain
from xgen.frontends.c.language.flow import UNDEFINED, Label
from xgen.frontends.c.language.initial import Initials
from xgen.frontends.c.language.memory import Object
from xgen.frontends.c.language.scope import Constant, Enumerator, PerThread, Refused, Routine, Scope, Typedef
from xgen.frontends.c.language.syntax import declares, is_auto, switch_cases, walk
from xgen.frontends.c.text.gnu.desugar import CLEANUP
from xgen.frontends.c.values.arithmetic import truth
from xgen.frontends.c.values.places import Alias, InMemory, Place, Registers, Value, literal
from xgen.frontends.c.values.types import CType, is_complete, is_scalar, plain
from xgen.frontends.conditions import negated
from xgen.frontends.limits import ROUNDS, WRITTEN
from xgen.frontends.reductions.patience import FEWEST, looks_at_most
from xgen.program import automaton as xcfa
from xgen.program.automaton import BoolLiteral, IntLiteral, Name
from xgen.records import dataclass

MAX_STEPS = 400_000
"""So many steps a thread may have."""


@dataclass(eq=False, slots=True)
class Activation:
    """A call while it is translated."""

    routine: Routine
    end: Label
    result: CType
    place: Place | None = None  # of a struct that it returns
    name: str = ""  # the local of a number that it returns
    labels: dict[str, Label] = field(default_factory=dict)
    depth: int = 0  # how many blocks it is in
    cleanups: int = 0  # how many variables were to be cleaned up before
    more: list[Place] = field(default_factory=list)  # the arguments of `...`
    until_return: list[Object] = field(default_factory=list)  # memory that ends with it
    by_call: Label | None = None  # where main goes that does not return: its locals stay
    wanted: CType | None = None  # what the pointer is converted to that it gives
    call: c_ast.Node | None = None


@dataclass(frozen=True, slots=True)
class Jump:
    """Where `break` or `continue` goes, in how many blocks that is, and how many variables are cleaned up later."""

    label: Label
    depth: int
    cleanups: int


@dataclass(frozen=True, slots=True)
class Cleanup:
    """A call when a block ends, and the names as they were where its variable is declared."""

    call: c_ast.FuncCall
    scope: Scope


@dataclass(eq=False, slots=True)
class Nest:
    """Loops inside each other while they are written out: how many statements there were before, and by loop how many
    rounds there have been."""

    before: int
    rounds: Counter[int] = field(default_factory=Counter)


class Statements(Expressions):
    """Translates statements.

    `breaks` and `continues` are where these go; `looping`: how many loops are being translated whose rounds are not
    written out; `loops`: how many at all; `nest`: the loops whose rounds are, from the outermost one; `translated`: how
    many statements there were.
    """

    initials: Initials
    leave: Callable[[c_ast.Return], None]
    end_variables: Callable[[list[Object], list[Registers], Callable[[str], bool], c_ast.Node], None]

    def __init__(self, world: World, thread: str) -> None:
        super().__init__(world, thread)
        self.breaks: list[Jump] = []
        self.continues: list[Jump] = []
        self.blocks: list[tuple[int, int]] = []  # of each that is being translated: how many locals were there before
        self.ended: set[Object] = set()  # locals whose block has ended somewhere
        self.activations: list[Activation] = []
        self.lists: list[list[Place]] = []  # the variable arguments of calls that look at them
        self.cleanups: list[Cleanup] = []  # of the blocks that are being translated
        self.cases: dict[int, Label] = {}
        self.nest: Nest | None = None
        self.translated = 0
        self.loops = 0
        self.new_locals: list[Object] = []
        self.handle = 0  # of the thread that is translated

    # ---- statements

    def statement(self, node: c_ast.Node | None) -> None:
        """Translates a statement. What it refuses is kept, and the next one is looked at."""
        if node is None:
            return
        if self.flow.reachable:
            self.world.entered.add(id(node))
        else:
            self.world.passed_over[id(node)] = node
            if not (declares(node) or self.world.blocks.can_be_entered(node)):
                return
        self.translated += 1
        before = self.scope, self.calls, self.looping, self.cases, self.atomic_depth, self.nest, self.outside
        objects, blocks = (self.new_locals, self.new_registers), self.blocks[:]
        lists = (self.breaks[:], self.continues[:], self.activations[:], self.cleanups[:])
        try:
            self.translate(node)
        except UnsupportedError as error:
            self.world.errors.append(error)
            self.scope, self.calls, self.looping, self.cases, self.atomic_depth, self.nest, self.outside = before
            self.new_locals, self.new_registers = objects
            self.breaks, self.continues, self.activations, self.cleanups = lists
            self.blocks = blocks
            if isinstance(node, c_ast.Decl) and node.name is not None:
                self.scope.names[node.name] = Refused(error)
        if self.flow.aliases_lost:
            self.escape(self.flow.aliases_lost[0])
        if len(self.flow.steps) > MAX_STEPS:
            self.refuse(f"more than {MAX_STEPS:,} steps in a thread, with all calls inlined, are", node)

    def translate(self, node: c_ast.Node) -> None:
        match node:
            case c_ast.Compound():
                self.compound(node)
            case c_ast.Decl():
                self.declaration(node)
            case c_ast.DeclList():
                for declaration in node.decls:
                    self.declaration(declaration)
            case c_ast.Typedef():
                self.scope.names[node.name] = Typedef(self.type_of(node), self.is_const(node))
            case c_ast.If():
                self.choice(node)
            case c_ast.For():
                self.for_loop(node)
            case c_ast.While():
                self.loop(node, node.cond, node.stmt, None, True)
            case c_ast.DoWhile():
                self.loop(node, node.cond, node.stmt, None, False)
            case c_ast.Switch():
                self.switch(node)
            case c_ast.Case() | c_ast.Default():
                label = self.cases.get(id(node))
                if label is None:
                    self.wrong("this case is in no switch", node)
                self.flow.bind(label)
                for statement in node.stmts or []:
                    self.statement(statement)
            case c_ast.Break():
                self.jump_out(self.breaks, "`break` is in no loop and in no switch", node)
            case c_ast.Continue():
                self.jump_out(self.continues, "`continue` is in no loop", node)
            case c_ast.Return():
                self.leave(node)
            case c_ast.Goto():
                self.goto(node)
            case c_ast.Label():
                self.labelled(node)
            case c_ast.FuncCall(name=c_ast.ID(name=name)) if name == CLEANUP:
                self.cleanups.append(Cleanup(node.args.exprs[0], self.scope))
            case c_ast.StaticAssert():
                self.static_assertion(node)
            case c_ast.EmptyStatement() | c_ast.Pragma():
                pass
            case _:
                self.discard(node)

    def jump_out(self, labels: list[Jump], outside: str, node: c_ast.Node) -> None:
        if not labels:
            self.wrong(outside, node)
        self.clean_up(labels[-1].cleanups)
        self.leave_blocks(labels[-1].depth, node)
        self.flow.jump(labels[-1].label, self.position(node))

    def compound(self, node: c_ast.Compound) -> None:
        outer, self.scope = self.scope, Scope(self.scope)
        depth, cleanups = len(self.blocks), len(self.cleanups)
        self.blocks.append((len(self.new_locals), len(self.new_registers)))
        for item in node.block_items or []:
            self.statement(item)
        self.clean_up(cleanups)
        del self.cleanups[cleanups:]
        if depth > self.activations[-1].depth:
            self.leave_blocks(depth, node)
        self.blocks.pop()
        self.scope = outer

    def clean_up(self, first: int) -> None:
        """Makes the calls for all variables from a number on, the last first; they stay, since another way may end
        their blocks as well."""
        outer, cleanups = self.scope, self.cleanups
        for number in range(len(cleanups) - 1, first - 1, -1):
            if self.flow.reachable:
                self.scope, self.cleanups = cleanups[number].scope, cleanups[:number]
                self.discard(cleanups[number].call)
        self.scope, self.cleanups = outer, cleanups

    def leave_blocks(self, depth: int, node: c_ast.Node) -> None:
        """Ends the locals of all blocks that are that deep, which is not the function's own."""
        if depth < len(self.blocks):
            objects, variables = self.blocks[depth]
            self.end_variables(self.new_locals[objects:], self.new_registers[variables:], is_temporary, node)

    def choice(self, node: c_ast.If) -> None:
        otherwise, end = self.flow.label(), self.flow.label()
        self.jump_if(node.cond, otherwise, False)
        self.statement(node.iftrue)
        if node.iffalse is None:
            self.flow.bind(otherwise)
            return
        self.flow.jump(end, self.position(node))
        self.flow.bind(otherwise)
        self.statement(node.iffalse)
        self.flow.bind(end)

    def jump_if(self, node: c_ast.Node, label: Label, sense: bool) -> None:
        """To a label if a condition is as `sense` says, else on."""
        if isinstance(node, c_ast.UnaryOp) and node.op == "!":
            self.jump_if(node.expr, label, not sense)
        elif isinstance(node, c_ast.BinaryOp) and node.op in ("&&", "||"):
            if (node.op == "&&") == sense:
                skip = self.flow.label()
                self.jump_if(node.left, skip, not sense)
                if self.flow.reachable:
                    self.jump_if(node.right, label, sense)
                self.flow.bind(skip)
            else:
                self.jump_if(node.left, label, sense)
                if self.flow.reachable:
                    self.jump_if(node.right, label, sense)
        else:
            test = truth(self.number(node))
            self.flow.branch(test if sense else negated(test), label, self.position(node))

    # ---- loops

    def for_loop(self, node: c_ast.For) -> None:
        outer, self.scope = self.scope, Scope(self.scope)
        if isinstance(node.init, c_ast.DeclList):
            self.translate(node.init)
        elif node.init is not None:
            self.discard(node.init)
        self.loop(node, node.cond, node.stmt, node.next, True)
        self.scope = outer

    def loop(
        self, node: c_ast.Node, test: c_ast.Node | None, body: c_ast.Node, step: c_ast.Node | None, first: bool
    ) -> None:
        """A loop; `first`: its condition is looked at before the first round. One that counts is written out."""
        end = self.flow.label()
        self.breaks.append(Jump(end, len(self.blocks), len(self.cleanups)))
        self.loops += 1
        if isinstance(test, c_ast.Constant) and not first and truth(self.number(test)) == BoolLiteral(False):
            self.round(body, None)
        elif test is not None and self.is_written_out(test, node):
            self.written_out(node, test, body, step, first)
        else:
            self.general(node, test, body, step, first)
        self.loops -= 1
        self.breaks.pop()
        self.flow.bind(end)

    def round(self, body: c_ast.Node, step: c_ast.Node | None) -> None:
        following = self.flow.label()
        own = self.labels_inside(body)
        self.continues.append(Jump(following, len(self.blocks), len(self.cleanups)))
        self.statement(body)
        self.continues.pop()
        for node in own:
            self.close_label(node, self.activations[-1])
        self.flow.bind(following)
        if step is not None and self.flow.reachable:
            self.discard(step)

    def labels_inside(self, body: c_ast.Node) -> list[c_ast.Label]:
        """The labels in a loop's body to which only the body jumps: each copy of it has its own."""
        definition = self.activations[-1].routine.definition
        return [
            label
            for label in self.world.blocks.labels(body)
            if self.jumps(definition, label.name) == self.jumps(body, label.name)
        ]

    def jumps(self, node: c_ast.Node | None, name: str) -> int:
        """How many `goto`s to a label there are."""
        return sum(isinstance(part, c_ast.Goto) and part.name == name for part in walk(node, self.world.blocks))

    def close_label(self, node: c_ast.Label, activation: Activation) -> None:
        """What follows does not jump to a label."""
        label = activation.labels.pop(node.name, None)
        if label is not None:
            self.settle(label, (id(node), "label"))

    def close_labels(self, activation: Activation) -> None:
        """A function ends."""
        definition = activation.routine.definition
        for label in self.world.blocks.labels(definition) if definition and activation.labels else ():
            self.close_label(label, activation)

    def jumped_into(self, node: c_ast.Node) -> bool:
        """Whether there is a label in a loop to which something outside jumps, or a case of a switch outside."""
        if self.world.blocks.has_cases(node):
            return True
        return len(self.labels_inside(node)) < len(self.world.blocks.labels(node))

    def written_out(
        self, node: c_ast.Node, test: c_ast.Node, body: c_ast.Node, step: c_ast.Node | None, first: bool
    ) -> None:
        end, position = self.breaks[-1].label, self.position(node)
        outer = self.nest
        self.nest = outer or Nest(self.translated)
        rounds = 0
        while self.flow.reachable:
            if first or rounds:
                holds = truth(self.number(test))
                if holds == BoolLiteral(False):
                    self.flow.jump(end, position)
                    break
                if holds != BoolLiteral(True):
                    self.flow.branch(negated(holds), end, position)
                    self.general(node, test, body, step, False)
                    break
            rounds += 1
            self.count_round(self.nest, node, rounds)
            begun = len(self.flow.steps)
            self.round(body, step)
            if rounds == FEWEST and self.flow.reachable and self.only_looks(node, body, begun):
                self.world.facts.long.add(id(node))
                raise TranslateAgain
        self.nest = outer

    def only_looks(self, node: c_ast.Node, body: c_ast.Node, begun: int) -> bool:
        """Whether a round, of these steps on, may be one that looks for something and goes on (reductions/patience.py):
        such rounds are left out where there is one copy of the loop. Not of the kernel's C: there, where a control
        dependency ends depends on whether a loop is known to end (control.py)."""
        options = self.world.options
        if not options.retries or options.unroll is not None or options.kernel is not None:
            return False
        parts = list(walk(body, self.world.blocks))
        counted = [
            part.expr for part in parts if isinstance(part, c_ast.UnaryOp) and part.op.strip("p") in ("++", "--")
        ]
        used = {id(part) for part in parts if isinstance(part, c_ast.ID)} - set(map(id, counted))
        counters = self.world.blocks.counters(node)
        if any(id(part) in used and part.name in counters for part in parts if isinstance(part, c_ast.ID)):
            return False
        return looks_at_most(self.flow.steps[begun:])

    def count_round(self, nest: Nest, node: c_ast.Node, rounds: int) -> None:
        """One more round of a loop is written out. If that are too many, all is translated again, with one copy
        of it, or of the one inside it that has the most rounds."""
        nest.rounds[id(node)] += 1
        if rounds > ROUNDS:
            self.world.facts.long.add(id(node))
            raise TranslateAgain
        if self.translated - nest.before > WRITTEN:
            self.world.facts.long.add(max(nest.rounds, key=nest.rounds.__getitem__))
            raise TranslateAgain

    def general(
        self, node: c_ast.Node, test: c_ast.Node | None, body: c_ast.Node, step: c_ast.Node | None, first: bool
    ) -> None:
        """A loop with one copy of its body."""
        if not self.flow.reachable:
            if self.jumped_into(node):
                self.refuse("a jump into a loop that is not entered from above is", node)
            return
        head, position = self.flow.label(), self.position(node)
        unroll = self.world.options.unroll
        if self.outside is not None:  # loops of the library end, with the text
            unroll = None
        counter = self.fresh("rounds") if unroll is not None else None
        if counter:
            self.flow.emit(xcfa.Assign(Name(counter), IntLiteral(0), position))
        changing = self.changed_by(node) | self.world.facts.changing.get(id(node), set())
        self.looping += 1
        self.flow.place_head(head, changing)
        if counter:
            self.flow.emit(xcfa.Bound(Name(counter), unroll or 0, position))
        if first and test is not None:
            self.jump_if(test, self.breaks[-1].label, False)
        self.round(body, step)
        if self.flow.reachable and not first and test is not None:
            self.jump_if(test, head, True)
        else:
            self.flow.jump(head, position)
        self.looping -= 1
        self.settle(head, id(node))

    def settle(self, head: Label, key: object) -> None:
        """A loop changes nothing that it was not expected to change, or all is translated again."""
        if head.lost:
            self.world.facts.changing.setdefault(key, set()).update(head.lost)
            raise TranslateAgain

    def changed_by(self, node: c_ast.Node) -> set[str]:
        """The locals of the automaton that a loop may change, by the variables that it assigns or takes the address
        of."""
        found: set[str] = set()
        for name in self.world.blocks.assigned(node):
            entity = self.scope.find(name)
            if isinstance(entity, PerThread):
                entity = self.per_thread[entity.key]
            if isinstance(entity, Registers):
                found.update(entity.names.values())
        for entity in self.per_thread.values():
            if isinstance(entity, Registers):
                found.update(entity.names.values())
        for value in (self.flow.known or {}).values():
            if isinstance(value, Alias):
                found.update(value.variable.names.values())
        return found

    def is_written_out(self, test: c_ast.Node, node: c_ast.Node) -> bool:
        long = id(node) in self.world.facts.long
        return not long and self.counts_rounds(test, node) and not self.jumped_into(node)

    def counts_rounds(self, test: c_ast.Node, loop: c_ast.Node) -> bool:
        """Whether the condition of a loop is about locals that are known, some of which it counts up or down; what it
        reads by these, as the characters of a string, has to be known at first."""
        rounds = [part for part in (test, loop.stmt, getattr(loop, "next", None)) if part is not None]
        changed = set[str]().union(*map(self.world.blocks.assigned, rounds))
        steps = self.world.blocks.counters(loop)
        counted = reads = False
        parts = list(walk(test, self.world.blocks))
        sizes = [part.expr for part in parts if isinstance(part, c_ast.UnaryOp) and part.op in ("sizeof", "_Alignof")]
        not_evaluated = {id(inner) for size in sizes for inner in walk(size, self.world.blocks)}
        for part in parts:
            if id(part) in not_evaluated:
                continue
            if isinstance(part, c_ast.FuncCall | c_ast.StructRef):
                return False
            if isinstance(part, c_ast.Assignment) and getattr(part.lvalue, "name", None) not in steps:
                return False
            if isinstance(part, c_ast.UnaryOp) and part.op == "&":
                return False
            reads |= isinstance(part, c_ast.ArrayRef) or (isinstance(part, c_ast.UnaryOp) and part.op == "*")
            if not isinstance(part, c_ast.ID):
                continue
            entity = self.scope.find(part.name)
            if not isinstance(entity, Registers):
                if not isinstance(entity, Enumerator | Constant) and not self.is_known(entity):
                    return False
                counted |= part.name in changed and part.name in steps
                continue
            name = entity.names.get(0)
            if not isinstance((self.flow.known or {}).get(name or ""), int):
                return False
            if part.name in changed:
                if part.name not in steps:
                    return False
                counted = True
        return counted and (not reads or self.is_known_now(test))

    def is_known_now(self, test: c_ast.Node) -> bool:
        """Whether it is known here if a condition holds, which is not evaluated."""
        with self.unevaluated():
            return isinstance(truth(self.number(test)), BoolLiteral)

    def is_known(self, entity: object) -> bool:
        """Whether the value of a number in memory is known here."""
        if not isinstance(entity, Object) or not is_scalar(entity.type):
            return False
        return self.known_cell(InMemory(IntLiteral(entity.address), entity.type)) is not None

    # ---- switch, goto

    def switch(self, node: c_ast.Switch) -> None:
        value = self.keep(self.plain_number(self.number(node.cond)), node)
        end = self.flow.label()
        default = end
        labels: list[tuple[c_ast.Node, Label]] = []
        cases: set[int | None] = set()
        for case in switch_cases(node.stmt):
            self.no_case_twice(case, value, cases)
            label = self.flow.label()
            labels.append((case, label))
            self.cases[id(case)] = label
            if isinstance(case, c_ast.Default):
                default = label
        for case, label in labels:
            if isinstance(case, c_ast.Case):
                self.flow.branch(truth(self.case_holds(case.expr, value)), label, self.position(case))
        self.flow.jump(default, self.position(node))
        self.breaks.append(Jump(end, len(self.blocks), len(self.cleanups)))
        self.statement(node.stmt)
        self.breaks.pop()
        self.flow.bind(end)

    def no_case_twice(self, node: c_ast.Node, value: Value, cases: set[int | None]) -> None:
        """Adds a case to those of its switch; `default` is None. Ranges of values are not looked at."""
        if isinstance(node, c_ast.Case) and isinstance(node.expr, c_ast.FuncCall):
            return
        case = None if isinstance(node, c_ast.Default) else literal(self.constant(node.expr), value.type).constant
        if case in cases:
            what = "`default`" if case is None else f"the case {case}"
            self.wrong(f"this switch has {what} twice", node)
        cases.add(case)

    def case_holds(self, node: c_ast.Node, value: Value) -> Value:
        if isinstance(node, c_ast.FuncCall) and getattr(node.name, "name", "") == "__xgen_range":
            first, last = node.args.exprs
            low = self.operate("<=", literal(self.constant(first), value.type), value, node)
            high = self.operate("<=", value, literal(self.constant(last), value.type), node)
            return self.operate("&", low, high, node)
        return self.operate("==", value, literal(self.constant(node), value.type), node)

    def goto(self, node: c_ast.Goto) -> None:
        if len(self.cleanups) > self.activations[-1].cleanups:
            self.refuse("a `goto` where a variable is to be cleaned up is", node)
        label = self.goto_label(node.name)
        if label.passed:
            self.refuse("a jump into a loop that is not entered from above is", node)
        self.flow.jump(label, self.position(node))

    def goto_label(self, name: str) -> Label:
        labels = self.activations[-1].labels
        if name not in labels:
            labels[name] = self.flow.label()
        return labels[name]

    def labelled(self, node: c_ast.Label) -> None:
        label = self.goto_label(node.name)
        definition = self.activations[-1].routine.definition
        back = False  # whether something jumps here from behind
        for part in walk(definition, self.world.blocks):
            if part is node:
                back = False
            back |= isinstance(part, c_ast.Goto) and part.name == node.name
        if back:
            key = (id(node), "label")
            forgotten = self.changed_by(definition) | self.world.facts.changing.get(key, set())
            self.looping += 1  # until the function ends
            self.flow.place_head(label, forgotten)
            label.passed = not self.flow.reachable
        else:
            self.flow.bind(label)
        self.statement(node.stmt)
        if back:
            self.activations[-1].labels[node.name] = label

    # ---- declarations

    def declaration(self, node: c_ast.Decl) -> None:
        if node.name is None:  # only a struct, a union or an enum
            self.type_of(node)
            return
        if isinstance(node.type, c_ast.FuncDecl) or "extern" in node.storage:  # it is the file's, whatever hides that
            outer = self.world.scope.names.get(node.name)
            if outer is not None:
                self.scope.names[node.name] = outer
            return
        if "static" in node.storage or "_Thread_local" in node.storage:
            self.initials.static(node)
            return
        auto = is_auto(node.type)
        if not self.flow.reachable:  # a `goto` or a case may come to where the variable is visible
            declared = None if auto else self.initials.completed(self.type_of(node), node.init)
            type_ = declared or plain(self.type_of_value(node.init))
            place = self.declared(node, type_)
            self.scope.names[node.name] = self.initials.entity(place)
            return
        value = self.evaluate(node.init) if auto else None
        type_ = plain(value.type) if value is not None else self.initials.sized(node)
        if not is_complete(type_):
            self.wrong(f"`{node.name}` has a type whose size is not known", node)
        scope = self.scope
        place = self.declared(node, type_)
        if value is None and node.init is not None and is_scalar(type_) and not isinstance(node.init, c_ast.InitList):
            scope.names[node.name] = self.initials.entity(place)
            self.initials.store_initial(place, self.evaluate(node.init, type_), node)
            return
        scope.names[node.name] = self.initials.entity(place)
        if value is not None:
            self.store_first(place, value, node)
        elif node.init is not None:
            self.initials.initialise(place, type_, node.init)

    def declared(self, node: c_ast.Decl, type_: CType) -> Place:
        """A variable. Where something has jumped to before, behind its declaration, it has no value."""
        count = len(self.new_registers)
        place = self.local_place(node.name, type_, id(node), self.aligned(node))
        self.declare_constant(id(node), node, type_)
        labels = [*self.cases.values(), *self.activations[-1].labels.values()]
        for variable in self.new_registers[count:] if labels else ():
            for name in variable.names.values():
                if variable.key in self.world.facts.unset:
                    self.variables[name] = xcfa.Variable(name, xcfa.INT, (IntLiteral(HOLLOW),))
                for way in (way for label in labels for way in label.arriving):
                    way.setdefault(name, UNDEFINED)
        return place


def is_temporary(name: str) -> bool:
    """Whether a local of the automaton is none of the program's, which nobody reads when a block has ended."""
    return name.startswith("$") or ".result" in name
