"""From the tree of a C file to a program: one process for each thread that is created."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import NoReturn

from pycparser import c_ast

from xgen.errors import Position, ProgramError, UnsupportedError, XgenError, nearest, several
from xgen.executions.nothing import NOTHING
from xgen.frontends.assembly import Branch, Step, assemble, checked_frees
from xgen.frontends.c.control import scoped
from xgen.frontends.c.interrupts import BOTTOM, OFF, Source, handler_of, has_interrupts, interrupted, races
from xgen.frontends.c.language.accesses import ThreadSpec, World
from xgen.frontends.c.language.body import Body
from xgen.frontends.c.language.facts import Facts, TranslateAgain
from xgen.frontends.c.language.flow import ON_ONE_PATH, SINGLE_THREADED, UNDEFINED
from xgen.frontends.c.language.memory import FUNCTIONS, Life, Memory, Object, image
from xgen.frontends.c.language.mixed_size import layouts
from xgen.frontends.c.language.scope import Enumerator, PerThread, Refused, Routine, Typedef
from xgen.frontends.c.language.statements import Activation
from xgen.frontends.c.language.syntax import Blocks, block_number, walk
from xgen.frontends.c.leaks import leaks_of
from xgen.frontends.c.library.dispatch import Library
from xgen.frontends.c.library.kernel import ON_CPU
from xgen.frontends.c.library.pthreads import NULL
from xgen.frontends.c.options import Options
from xgen.frontends.c.text.gnu.desugar import CONSTRUCTOR, DESTRUCTOR
from xgen.frontends.c.text.reader import Unit
from xgen.frontends.c.text.shipped_bodies import is_shipped
from xgen.frontends.c.values.arithmetic import convert
from xgen.frontends.c.values.places import InMemory, Value, literal
from xgen.frontends.c.values.types import (
    CHAR,
    Array,
    Function,
    Int,
    Pointer,
    adjusted,
    converted,
    is_complete,
    is_scalar,
    size_of,
)
from xgen.frontends.library.call import PROGRAM, STARTED_ALONE
from xgen.frontends.library.mutexes import NAMED, assumed, uncalled
from xgen.frontends.limits import THREADS, TOO_MANY_THREADS, TRANSLATIONS
from xgen.frontends.mixed_size.cuts import of_several_sizes, remark
from xgen.frontends.reductions.counting_loops import drop_counting_loops
from xgen.frontends.reductions.patience import given_up
from xgen.frontends.reductions.retries import shortened
from xgen.frontends.reductions.steps import locals_of, simplified
from xgen.frontends.reductions.unpublished import Allocated
from xgen.program import automaton as xcfa
from xgen.program.automaton import IntLiteral, Name
from xgen.records import replace

_STREAMS = {"stdin": 48, "stdout": 52, "stderr": 56}
"""What is opened from the start: addresses at which there is no object that could be looked into."""


def translate(unit: Unit, options: Options) -> xcfa.Program:
    """The program. Raises ProgramError and UnsupportedError; all that is not supported in one error."""
    facts, blocks = Facts(), Blocks()
    for _ in range(TRANSLATIONS):
        facts.begin()
        memory = Memory(facts.cuts, facts.viewed_as)
        world = World(unit, options, facts, memory, blocks=blocks, errors=list(unit.errors))
        world.remarks.update(dict.fromkeys(unit.remarks))
        translator = _Translator(world)
        try:
            translator.threads()
        except TranslateAgain:
            continue
        if any(found.undefined for found in world.memory.objects):
            facts.uninitialised.learn(*world.copied_types)
        names, again = [spec.name for spec in world.threads], world.given_again()
        facts.end(names, world.waiting, layouts(world), again)
        if facts.outdated:
            continue
        program = translator.program()
        if world.errors:
            raise several(world.errors)
        return program
    message = f"this program is not translated after {TRANSLATIONS} tries: each finds out something new"
    raise UnsupportedError(message, unit.source, hint="--clang reads it in another way")


class Thread:
    """Translates one thread."""

    def __init__(self, world: World, spec: ThreadSpec) -> None:
        self.world, self.spec = world, spec
        self.body = Body(world, spec.name, spec.handle)
        self.body.outside = spec.position if spec.kthread else None
        self.library = Library(self.body, (*spec.creators, spec.routine.name))
        self.body.library = self.library
        self.objects = 0  # how many there are when it has been translated
        self.handlers: list[Source] = []  # of interrupts, that may run on the CPU which it is

    def run(self) -> None:
        """Translates all of it."""
        definition, own = self.spec.routine.definition, self.library.own
        assert definition is not None
        if self.spec.handle == 0:
            self.body.flow.known = {SINGLE_THREADED: 1, ON_ONE_PATH: 1}
        for declaration in self.world.per_thread:
            self.own_variable(declaration)
        own.begin()
        result = self.body.type_of(definition.decl.type.type)
        activation = Activation(self.spec.routine, self.body.flow.label(), result)
        outer = self.body.scope
        self.body.scope = type(outer)(outer)
        if is_scalar(result):
            activation.name = self.body.fresh("result")
            if self.spec.result is not None:
                self.body.unset(activation.name, (id(definition), "given"))
        self.place(definition)
        self.body.activations.append(activation)
        for constructor in self.world.constructors if self.spec.handle == 0 else ():
            self.body.all_of(constructor)
        self.body.all_of(definition)
        self.body.flow.bind(activation.end)
        if self.spec.handle > 0:
            self.body.new_locals += activation.until_return
            self.body.end_locals(definition)
            own.destroy_values(definition)
            own_objects = [found for found in self.body.per_thread.values() if isinstance(found, Object)]
            self.body.end_variables(own_objects, [], lambda _: False, definition)
        else:
            if self.world.options.property is None:
                self.body.new_locals += activation.until_return
                self.body.end_locals(definition)
            if activation.by_call is not None:
                self.body.flow.bind(activation.by_call)
            own.call_at_exit()
            for destructor in reversed(self.world.destructors):
                self.body.all_of(destructor)
            if self.world.options.leaks:
                own.keep_values(definition)
        if own.finish is not None:
            self.body.flow.bind(own.finish)
        if self.spec.result is not None and activation.name:
            self.give(activation.name, self.spec.result, definition)
        self.body.close_labels(activation)
        self.objects = len(self.world.memory.objects)

    def interrupts(self) -> None:
        """Translates the handlers that may run on the CPU that it is, each as a thread that shares its locals."""
        world = self.world
        for routine in list(world.routines.values()) if self.body.context == "task" else ():
            found = handler_of(routine.name)
            if found is None or self.cpu_of(routine) != self.body.cpu:
                continue
            context, name = found
            if world.per_thread:
                self.body.refuse("a variable of each thread, where there are interrupts, is", world.per_thread[0])
            position, first = world.unit.position(routine.definition), len(world.memory.objects)
            spec = ThreadSpec(f"{self.spec.name}.{name}", routine, 0, self.spec.handle, position)
            handler = Thread(world, spec)
            handler.body.cpu, handler.body.context = self.body.cpu, context
            handler.run()
            steps = tuple(self.with_others(handler.body.flow.steps))
            again = any(each.life == "heap" for each in world.memory.objects[first:])
            if self.most > 1 and (again or any(isinstance(step, xcfa.Control) for step in steps)):
                message = f"the interrupt `{name}` allocates memory or starts a thread; more than one of it is"
                self.body.refuse(message, routine.definition, "--interrupts 1")
            own = {key: value for key, value in handler.body.variables.items() if key not in (OFF, BOTTOM)}
            self.handlers.append(Source(name, context, steps, own))
        if self.handlers:
            for state in (OFF, BOTTOM):
                self.body.variables.setdefault(state, xcfa.Variable(state, xcfa.INT))

    def tell_races(self, steps: Sequence[Step]) -> None:
        """Warns of plain accesses that a handler may come into."""
        world = self.world
        for one, other, handler in races(steps, self.handlers) if world.options.races else ():
            place = one.position.text(world.unit.source)
            there = other.position.text(world.unit.source)
            what = f"the interrupt `{handler.name}` accesses the same variable at {there}"
            message = f"{what}, and one of both accesses is plain"
            world.remarks[f"{place}: {message}: a compiler may move it to where the interrupt comes"] = None

    @property
    def most(self) -> int:
        """How often each handler may run."""
        given = self.world.options.interrupts
        return 1 if given is None else given

    def cpu_of(self, routine: Routine) -> int:
        """On which CPU a handler runs, which its start gives back."""
        definition = routine.definition
        assert definition is not None
        said = definition.body.block_items[-1].expr
        cpu = self.body.number(said).constant
        if cpu is None or cpu < 0:
            self.body.refuse("a number of a CPU that is no constant is", said)
        return cpu

    def give(self, name: str, to: Object, definition: c_ast.FuncDef) -> None:
        """Puts what the thread gives where it is asked for; its function may have ended without a value."""
        body, place = self.body, InMemory(IntLiteral(to.address), NULL)
        if (body.flow.known or {}).get(name) is UNDEFINED:
            body.copies.put(place, literal(NOTHING, NULL), definition)
        elif body.may_be_unset(name, (id(definition), "given")):
            body.copies.holds(place, NULL)
            body.copies.put(place, Value(Name(name), NULL), definition)
        else:
            body.store(place, convert(body.result(name, NULL), NULL), definition)

    def own_variable(self, node: c_ast.Decl) -> None:
        type_ = self.body.initials.sized(node)
        values = self.body.initials.static_values(type_, node.init, 0) if node.init is not None else {}
        key = id(node)
        self.body.declare_constant(key, node, type_)
        stays = self.world.options.leaks and self.spec.handle == 0
        if key in self.world.facts.escaped or stays:
            name, aligned = f"{self.body.thread}.{node.name}", self.body.aligned(node)
            ends = self.spec.handle > 0
            life: Life = "stack" if ends else "static"
            found = self.world.memory.allocate(name, type_, key, life=life, aligned=aligned)
            found.fill(values)
            self.body.per_thread[key] = found
            if ends:
                self.world.may_end(key)
            return
        variable = self.body.in_registers(node.name, type_, key)
        initial = image(variable.leaves.values(), size_of(type_), values)
        for offset, name in variable.names.items():
            self.body.variables[name] = xcfa.Variable(name, xcfa.INT, (IntLiteral(initial.get(offset, 0)),))
            self.body.flow.learn(name, initial.get(offset, 0))
        self.body.per_thread[key] = variable

    def place(self, definition: c_ast.FuncDef) -> None:
        parameters = self.body.declared_parameters(definition)
        if self.spec.handle == 0:
            used = {part.name for part in walk(definition.body, self.world.blocks) if isinstance(part, c_ast.ID)}
            for number, parameter in enumerate(parameters):
                if isinstance(parameter, c_ast.Decl) and parameter.name in used:
                    self.argument_of_program(number, parameter)
            return
        given = self.spec.argument
        value = literal(given, NULL) if isinstance(given, int) else Value(IntLiteral(0), NULL)
        if isinstance(given, Object):
            value = self.body.load(InMemory(IntLiteral(given.address), NULL), definition)
        self.body.parameters(definition, [value] if parameters else [], definition)

    def argument_of_program(self, number: int, parameter: c_ast.Decl) -> None:
        """`argc` and `argv`, which has the program's name and its arguments. Others of a function are not known."""
        type_ = adjusted(self.body.type_of(parameter))
        strings = isinstance(type_, Pointer) and isinstance(type_.target, Pointer)
        words = (PROGRAM, *self.world.options.arguments)
        if self.world.options.entry == "main" and number == 0 and isinstance(type_, Int):
            value = literal(len(words), type_)
        elif self.world.options.entry == "main" and number == 1 and strings:
            value = literal(self.strings_of_program(words, parameter).address, type_)
        else:
            position = self.world.unit.position(parameter)
            message = f"the argument `{parameter.name}` of the program is not supported"
            self.body.scope.names[parameter.name] = Refused(UnsupportedError(message, position.source, position))
            return
        if not self.world.options.arguments:
            self.world.remarks[STARTED_ALONE] = None
        place = self.body.local_place(parameter.name, type_, id(parameter))
        self.body.scope.names[parameter.name] = self.body.initials.entity(place)
        self.body.initials.store_initial(place, value, parameter)

    def strings_of_program(self, words: tuple[str, ...], parameter: c_ast.Decl) -> Object:
        """The array that `argv` points to: strings, which no others share memory with, and a null pointer."""
        argv = self.world.memory.allocate("argv", Array(Pointer(CHAR), len(words) + 1), id(parameter))
        size, values = size_of(Pointer(CHAR)), dict[int, tuple[int, int]]()
        for number, word in enumerate(words):
            codes = word.encode()
            found = self.world.memory.allocate("argument", Array(CHAR, len(codes) + 1), (id(parameter), number))
            found.fill({k: (1, converted(code, CHAR)) for k, code in enumerate(codes)})
            values[size * number] = size, found.address
        argv.fill(values)
        return argv

    def not_allocated(self) -> list[int]:
        """Where local variables are that pointers may lead to."""
        exposed, objects = self.world.facts.exposed, self.world.memory.objects
        return [found.address for found in objects if found.life == "stack" and found.key in exposed]

    def process(self) -> xcfa.Process:
        """What has become of it."""
        steps = [*checked_frees(self.with_others(self.body.flow.steps), self.not_allocated())]
        if self.handlers:
            self.tell_races(steps)
            steps = interrupted(steps, self.handlers, self.most, self.body.fresh, self.label)
        steps = drop_counting_loops(simplified(steps))
        if self.world.options.retries:
            steps = shortened(steps, self.body.fresh, self.label, self.allocated())
            if self.world.options.kernel is None:
                steps = given_up(steps, self.label)
        if self.world.options.kernel is not None:
            steps = scoped(steps, self.body.fresh, self.label)
        locations, edges = assemble(steps, self.body.flow.labels, _missing)
        used = {name for step in steps for name in locals_of(step)}
        variables = tuple(variable for name, variable in self.body.variables.items() if name in used)
        main = xcfa.Procedure("main", True, (), (), locations, edges)
        return xcfa.Process(self.spec.name, self.spec.handle == 0, variables, (main,), position=self.spec.position)

    def with_others(self, steps: Sequence[Step]) -> Sequence[Step]:
        """The steps with what stands in the place of accesses and fences."""
        instead = self.world.options.instead
        if instead is None:
            return steps
        ordered = xcfa.Load | xcfa.Store | xcfa.Rmw | xcfa.Fence
        changed = (instead(step) if isinstance(step, ordered) else step for step in steps)
        return [step for step in changed if step is not None]

    def label(self) -> str:
        """A new label."""
        return self.body.flow.label().name

    def allocated(self) -> Allocated:
        """The cells of allocated objects, where rounds that write to them may be left out."""
        world = self.world
        asked = world.options.private and world.options.races and not world.options.reuse
        objects = [found for found in world.memory.objects[: self.objects] if found.life == "heap" and asked]
        return {found.name + leaf.name: found.address for found in objects for leaf in found.leaves}


class _Translator:
    def __init__(self, world: World) -> None:
        self.world = world
        self.tentative: list[c_ast.Decl] = []
        self.done: list[Thread] = []

    def threads(self) -> None:
        """Translates all threads."""
        world = self.world
        nobody = Routine("", None, 0)
        files = Thread(world, ThreadSpec("", nobody, 0, -1, Position(1, 1))).body
        entry = self.globals(files)
        position = world.unit.position(entry.definition) if entry.definition else Position(1, 1)
        world.threads.append(ThreadSpec(entry.name, entry, 0, 0, position))
        while len(self.done) < len(world.threads):
            spec = world.threads[len(self.done)]
            self.done.append(Thread(world, spec))
            self.done[-1].run()
            if has_interrupts(world.routines, world.options.interrupts):
                self.done[-1].interrupts()
            if len(world.threads) > THREADS:
                raise UnsupportedError(TOO_MANY_THREADS, spec.position.source, spec.position)
        for cpu, threads in sorted(world.on_cpu.items()):
            for one, other in pairwise(threads):
                if not self.follows(one, other):
                    self.refuse_together(cpu, one, other)

    def follows(self, one: ThreadSpec, other: ThreadSpec) -> bool:
        """Whether a thread starts behind the end of another one, as the text of who starts both says: no branch."""
        if one.creators != other.creators:
            return False
        for thread in self.done:
            steps = thread.body.flow.steps
            events = [
                (at, step.op, step.process.name) for at, step in enumerate(steps) if isinstance(step, xcfa.Control)
            ]
            found = {event[1:]: event[0] for event in events}
            starts, joins, then = (
                found.get(key) for key in (("start", one.name), ("join", one.name), ("start", other.name))
            )
            if starts is not None and joins is not None and then is not None:
                return starts < joins < then and not any(isinstance(s, str | Branch) for s in steps[starts:then])
        return False

    def refuse_together(self, cpu: int, one: ThreadSpec, other: ThreadSpec) -> None:
        """Refuses two threads on one CPU, of which none is known to have ended when the other one starts."""
        first, second = (each.name.replace(ON_CPU, "") for each in (one, other))
        there, at = one.position.text(self.world.unit.source), other.position
        message = (
            f"`{second}` runs on CPU {cpu}, as `{first}` does, which is started at {there}: two threads on a CPU are"
        )
        hint = (
            "give each CPU(n, ...) a number of its own; or start one of both behind JOIN(START(...)) of the other one"
        )
        self.world.errors.append(UnsupportedError(f"{message} not supported", at.source, at, hint))

    def program(self) -> xcfa.Program:
        """What has become of them, once nothing is to be translated again."""
        world = self.world
        processes = [thread.process() for thread in self.done]
        variables = tuple(v for found in world.memory.objects for v in found.variables(world.facts.uninitialised))
        self.interrupts_that_never_come()
        if world.stubbed:
            world.remarks[f"note: with stubs, which do nothing: {', '.join(sorted(world.stubbed))}"] = None
        if world.options.lock is not None and not world.errors:
            if (wrong := uncalled(world.options.lock, world.locking)) is not None:
                raise ProgramError(wrong, world.unit.source, hint=NAMED)
            world.remarks[assumed(world.options.lock)] = None
        both = of_several_sizes(world.atomics)
        if both:
            world.remarks[remark(both, world.unit.source)] = None
        remarks, races = tuple(world.remarks), world.options.races
        told = None if world.options.kernel is not None and races else bool(races)
        refused = None if world.options.mixed_atomics else both
        known = xcfa.Program(world.unit.source, variables, tuple(processes), races=told, remarks=remarks)
        about = world.options.property
        asked = None if about is None else xcfa.Property(about, partial=world.partial)
        folded, objects = tuple(self.folded()), tuple(self.objects())
        known = replace(known, folded=folded, objects=objects, volatile=tuple(world.volatile))
        known = replace(known, leaks=leaks_of(world) if world.options.leaks else None)
        return replace(known, asked=asked, mixed=refused)

    def interrupts_that_never_come(self) -> None:
        """Refuses handlers on CPUs that nobody starts, and a number of interrupts where there is no handler."""
        world, come = self.world, {each.name for thread in self.done for each in thread.handlers}
        handlers = {found[1]: routine for routine in world.routines.values() if (found := handler_of(routine.name))}
        if world.options.interrupts is not None and not handlers:
            hint = "a driver names one by INTERRUPT(CPU, NAME) { ... } or SOFTIRQ(CPU, NAME) { ... }"
            raise ProgramError("there is no handler of an interrupt", world.unit.source, hint=hint)
        for name, routine in handlers.items() if has_interrupts(world.routines, world.options.interrupts) else ():
            if name not in come:
                at = world.unit.position(routine.definition)
                message = f"the interrupt `{name}` never comes: the driver starts no CPU(...) with its number"
                raise ProgramError(message, at.source, at)

    def objects(self) -> Iterator[xcfa.Object]:
        """What pointers may lead to: variables, what is allocated, functions."""
        for found in self.world.memory.objects:
            yield xcfa.Object(found.name, found.address, found.position)
        for routine in self.world.routines.values():
            yield xcfa.Object(routine.name, routine.address)

    def folded(self) -> Iterator[tuple[Position, str]]:
        """Calls and assignments that nothing leads to, since conditions before them are constants."""
        world = self.world
        own = (
            (key, node) for key, node in world.passed_over.items() if not is_shipped(world.unit.position(node).source)
        )
        for key, node in own:
            for part in walk(node, world.blocks) if key not in world.entered else ():
                if isinstance(part, c_ast.FuncCall):
                    yield world.unit.position(part), part.name.name if isinstance(part.name, c_ast.ID) else ""
                elif isinstance(part, c_ast.Assignment):
                    yield world.unit.position(part), ""

    def globals(self, files: Body) -> Routine:
        """Declares all that is at file scope; the function that the program starts with."""
        world = self.world
        nodes = world.unit.tree.ext
        self.routines(nodes)
        for node in nodes:
            try:
                self.outer(files, node)
            except UnsupportedError as error:
                named = isinstance(node, c_ast.Decl) and node.name is not None
                if named:
                    world.scope.names[node.name] = Refused(error)
                if world.unit.needed(error.position) and not (named and "static" in node.storage):  # where it is used
                    world.errors.append(error)
        for node in self.tentative:
            self.declare(files, node, last=True)
        if files.flow.steps:
            raise AssertionError("file scope runs nothing")
        entry = world.routines.get(world.options.entry)
        if entry is None or entry.definition is None:
            defined = [name for name, routine in world.routines.items() if routine.definition is not None]
            hint = nearest(world.options.entry, defined)
            if hint is None and world.options.entry == "main":
                hint = (
                    "name a file that has a `main`, such as a test, too; --entry says which other function to start "
                    "with; `xgen linearizable` writes tests of a data structure"
                )
            raise ProgramError(f"there is no function `{world.options.entry}`", world.unit.source, hint=hint)
        return entry

    def of_threads(self, files: Body, node: c_ast.FuncDef) -> None:
        """The thread-local variables in a function, which have their values from the start of each thread on."""
        if node.decl.name not in self.world.routines:  # of a statement expression, which is in a function
            return
        for part in self.world.blocks.declared(node.body):
            if not {"_Thread_local", "static"} <= set(part.storage):
                continue
            with suppress(XgenError):  # of a type of the function, which is refused there
                files.type_of(part)
                self.world.per_thread.append(part)

    def routines(self, nodes: list[c_ast.Node]) -> None:
        world = self.world
        for node in nodes:
            if not isinstance(node, c_ast.FuncDef):
                continue
            name = node.decl.name
            number = block_number(name)
            if number is not None:
                world.blocks[number] = node.body
            elif name.startswith(CONSTRUCTOR):
                world.constructors.append(node)
            elif name.startswith(DESTRUCTOR):
                world.destructors.append(node)
            elif name.startswith("__xgen_typeof_in_"):
                world.typeofs[int(name.rsplit("_", 1)[1])] = node.body.block_items[0].expr
            else:
                if name in world.options.stubs:
                    place = world.unit.position(node)
                    raise ProgramError(f"the function `{name}` has a body, and is no stub", place.source, place)
                world.routines[name] = Routine(name, node, FUNCTIONS + 16 * len(world.routines))
                world.scope.names[name] = world.routines[name]

    def outer(self, files: Body, node: c_ast.Node) -> None:
        world = self.world
        if isinstance(node, c_ast.Typedef):
            try:
                world.scope.names[node.name] = Typedef(files.type_of(node), files.is_const(node))
            except UnsupportedError as error:
                world.scope.names[node.name] = Refused(error)
        elif isinstance(node, c_ast.StaticAssert):
            files.static_assertion(node)
        elif isinstance(node, c_ast.FuncDef):
            self.of_threads(files, node)
        elif isinstance(node, c_ast.Decl):
            self.declare(files, node)

    def declare(self, files: Body, node: c_ast.Decl, last: bool = False) -> None:
        """A declaration at file scope; `last`: nothing follows that could say more."""
        world = self.world
        if node.name is None:
            files.type_of(node)
        elif isinstance(node.type, c_ast.FuncDecl):
            world.prototypes[node.name] = node.type
            world.scope.names.setdefault(node.name, Routine(node.name, None, 0))
        elif "_Thread_local" in node.storage:
            old = world.scope.names.get(node.name)
            if isinstance(old, PerThread) and node.init is None:
                return
            if isinstance(old, PerThread):  # the declaration that has the value counts
                world.per_thread = [other for other in world.per_thread if id(other) != old.key]
            world.per_thread.append(node)
            world.scope.names[node.name] = PerThread(id(node))
        elif node.name in _STREAMS and "extern" in node.storage and node.init is None:
            world.scope.names.setdefault(node.name, Enumerator(_STREAMS[node.name], files.type_of(node)))
        elif "extern" in node.storage and node.init is None:
            world.scope.names.setdefault(node.name, Refused(files.elsewhere(node)))
        else:
            old = world.scope.names.get(node.name)
            if isinstance(old, Object):
                if node.init is not None:
                    files.initials.fill(old, node.init)
                return
            type_ = files.initials.sized(node)
            if isinstance(type_, Function):
                world.scope.names.setdefault(node.name, Routine(node.name, None, 0))
                return
            if not is_complete(type_) and not last:  # what follows may say how large it is
                self.tentative.append(node)
                world.scope.names.setdefault(node.name, Refused(files.elsewhere(node)))
                return
            found = files.initials.static_object(node, is_scalar(type_))
            files.initials.constant_global(node, found)


def _missing(branch: Branch) -> NoReturn:
    raise ProgramError("there is no such label in this function", None, branch.position)
