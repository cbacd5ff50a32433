"""From a module to a program: rounds of translation, until nothing new is found."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NoReturn

from xgen.errors import Position, ProgramError, Source, UnsupportedError, nearest, several
from xgen.executions.nothing import NOTHING
from xgen.frontends.assembly import Branch, Step, assemble, checked_frees
from xgen.frontends.library.call import PROGRAM, STARTED_ALONE
from xgen.frontends.library.mutexes import NAMED, assumed, uncalled
from xgen.frontends.limits import TRANSLATIONS
from xgen.frontends.llvm.frameworks.tests import MAIN
from xgen.frontends.llvm.language.translation import Options, TranslateAgain, World
from xgen.frontends.llvm.leaks import leaks_of
from xgen.frontends.llvm.library.primitives import Thread
from xgen.frontends.llvm.objects import VTABLE, Memory, Object
from xgen.frontends.llvm.points_to import Facts, PointsTo
from xgen.frontends.llvm.text.ir import Function, Module
from xgen.frontends.llvm.text.metadata import Metadata
from xgen.frontends.llvm.text.tokens import Aggregate, Global, Number
from xgen.frontends.llvm.tidy import tidied
from xgen.frontends.llvm.values import Value
from xgen.frontends.mixed_size.cuts import of_several_sizes, remark, within
from xgen.frontends.reductions.counting_loops import drop_counting_loops
from xgen.frontends.reductions.patience import given_up
from xgen.frontends.reductions.retries import shortened
from xgen.frontends.reductions.steps import locals_of, simplified
from xgen.program import automaton as xcfa
from xgen.program import uses
from xgen.program.automaton import IntLiteral, Name

DEEP = 20_000
"""So many calls of Python, about ten for each call in the program."""
ASKED = 100
"""So often it is asked where addresses lead: each time by what was found the time before."""
WITHOUT_PLACES = "note: the IR has no debug information (`-g`): places and names of variables are not known"


def translate(module: Module, source: Source, options: Options) -> xcfa.Program:
    """The program. Raises ProgramError and UnsupportedError; what is not supported in one error."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, DEEP))
    try:
        return _in_rounds(module, source, options)
    finally:
        sys.setrecursionlimit(before)


def _in_rounds(module: Module, source: Source, options: Options) -> xcfa.Program:
    metadata, facts = Metadata(module, source), Facts(whole=set(options.kept))
    facts.whole.update(found.name for found in Memory(module, metadata, {}).objects if found.listed)
    for _ in range(TRANSLATIONS):
        world = _world(module, metadata, facts, options)
        before = facts.size()
        try:
            _round(world, source)
        except TranslateAgain:
            continue
        _settle(world)
        if facts.size() == before:
            break
    else:
        message = f"this program is not translated after {TRANSLATIONS} tries: each finds out something new"
        raise UnsupportedError(message, source)
    if world.refused:
        raise several(world.refused)
    return _program(world, source)


def _world(module: Module, metadata: Metadata, facts: Facts, options: Options) -> World:
    memory = Memory(module, metadata, facts.objects)
    facts.cells = {}
    return World(module, metadata, memory, facts, PointsTo(memory, facts), options)


def _round(world: World, source: Source) -> None:
    """Main, then the threads that it and others start."""
    main = Thread(world, 0, "main" if world.options.entry == MAIN else world.options.entry)
    world.bodies.append(main)
    calls: list[tuple[Function, list[Value]]] = [(function, []) for function in _before_main(world)]
    calls.append((_entry(world, source), _arguments(world)))
    _run(world, main, calls)
    world.single_threaded = False
    done = 1
    while done < len(world.bodies):
        body = world.bodies[done]
        done += 1
        assert isinstance(body, Thread)
        assert body.function is not None
        _run(world, body, [(body.function, [body.first_argument()])])


def _run(world: World, body: Thread, calls: list[tuple[Function, list[Value]]]) -> None:
    try:
        body.run_all(calls)
    except UnsupportedError as error:
        world.refused.append(error)


def _settle(world: World) -> None:
    """What is found when a round is over."""
    facts = world.facts
    world.points.learn_initial()
    before: object = None
    for _ in range(ASKED):
        asked = [ask() for ask in world.later]
        _pass_on_lacks(world)
        after = facts.size(), asked
        if after == before:
            break
        before = after
    for learn in world.at_last:
        learn()
    facts.cut({found.name: found.size for found in world.memory.objects if found.listed})
    facts.threads = [body.name for body in world.bodies]
    facts.parents = {body.number: body.parent for body in world.bodies[1:]}
    facts.objects = {found.name: (found.size, found.life, found.aligned) for found in world.memory.objects}
    facts.waits.last = world.waiting


def _pass_on_lacks(world: World) -> None:
    """What has been found to be missing, perhaps, is so wherever it was put: each further round would find the next
    place only. Where a place on the way makes sure that it is there, one bit more is kept than has to be."""
    found: dict[str, Any] = {name: getattr(world.facts, name) for name in ("slots", "unset", "empty")}
    todo = [lack for lack in world.lacks if lack[1] in found[lack[0]]]
    while todo:
        for to in world.lacks.get(todo.pop(), ()):
            if to[1] not in found[to[0]]:
                found[to[0]].add(to[1])
                todo.append(to)


def _entry(world: World, source: Source) -> Function:
    found = world.module.functions.get(world.options.entry)
    if found is None:
        names = [name for name in world.module.functions if not name.startswith("_Z")]
        hint = nearest(world.options.entry, names) or '--entry names a function of C, or an extern "C" one'
        raise ProgramError(f"there is no function `{world.options.entry}`", source, hint=hint)
    return found


def _arguments(world: World) -> list[Value]:
    """`argc` and `argv`, which has the program's name and its arguments, and a null pointer."""
    parameters = world.module.functions[world.options.entry].parameters
    if not parameters:
        return []
    if world.options.entry != "main" or len(parameters) != 2:
        raise UnsupportedError(
            f"arguments of the function `{world.options.entry}`, with which it starts, are not supported"
        )
    words = (PROGRAM, *world.options.arguments)
    if len(words) == 1:
        world.remarks[STARTED_ALONE] = None
    argv = world.memory.allocate("argv", 8 * len(words) + 8, "static")
    argv.known = bytearray(b"\xff" * argv.size)
    for number, word in enumerate(words):
        codes = word.encode()
        found = world.memory.allocate(word, len(codes) + 1, "static")
        found.known = bytearray(b"\xff" * found.size)
        found.data[: len(codes)] = codes
        argv.write(8 * number, 8, found.address)
    return [len(words), argv.address]


def _before_main(world: World) -> Iterator[Function]:
    """What runs before main: the constructors of global variables, by their priorities."""
    module = world.module
    for name, function in module.functions.items():
        if "__thread_local_data" in name:  # of libc++: else threads race for the guard of what it has
            yield function
    constructors = module.variables.get("llvm.global_ctors")
    if constructors is None or constructors.external:
        return
    reader = module.reader(constructors.text)
    found = reader.operand(reader.type())
    listed = list[tuple[int, str]]()
    for _, entry in found.elements if isinstance(found, Aggregate) else ():
        assert isinstance(entry, Aggregate)
        (_, priority), (_, function_), *_ = entry.elements
        if isinstance(priority, Number) and isinstance(function_, Global):
            listed.append((priority.value, function_.name))
    for _, name in sorted(listed, key=lambda pair: pair[0]):
        if name in module.functions:
            yield module.functions[name]


# ---- what has become of it


def _program(world: World, source: Source) -> xcfa.Program:
    world.facts.mortal |= world.alive
    for found in reversed(world.memory.objects):
        used = any(user for user, _ in world.facts.users(found, 0, found.size))
        if found.ended is not None and (used or found.name in world.facts.mortal):
            world.facts.mortal.add(found.name)
            place = xcfa.Deref(IntLiteral(found.address), found.ended)
            world.bodies[0].steps.insert(0, xcfa.Lifetime("free", place, found.ended))
    if not world.metadata.is_there:
        world.remarks[WITHOUT_PLACES] = None
    if (lock := world.options.lock) is not None:
        if (wrong := uncalled(lock, {*world.locks.values()})) is not None:
            raise ProgramError(wrong, source, hint=NAMED)
        world.remarks[assumed(lock)] = None
    both = _of_several_sizes(world)
    if both is not None:
        world.remarks[remark(both, source)] = None
    variables = tuple(variable for found in world.memory.objects for variable in _variables(world, found))
    names = {(variable.address, variable.bytes): variable.name for variable in variables}
    processes = tuple(_process(body, names) for body in world.bodies if isinstance(body, Thread))
    return xcfa.Program(
        source,
        variables,
        processes,
        races=world.options.races,
        gaps=tuple(_gaps(world.memory, variables)),
        objects=tuple(_objects(world)),
        remarks=tuple(world.remarks),
        told=tuple(world.told),
        leaks=leaks_of(world) if world.options.leaks else None,
        target="C",
        tested=True,
        mixed=None if world.options.mixed_atomics else both,
    )


def _of_several_sizes(world: World) -> tuple[Position, str] | None:
    """Atomic accesses of several sizes that cut each other."""
    shown = {found.name: found.shown for found in world.memory.objects}
    return of_several_sizes(
        {
            (shown[name], offset, width): position
            for (name, offset, width), position in world.atomics.items()
            if world.facts.is_cut(name, offset, width)
        }
    )


def _gaps(memory: Memory, variables: Sequence[xcfa.Variable]) -> Iterator[tuple[int, int]]:
    """The bytes of objects at which there are no events. Who comes there all the same has a pointer that was not
    followed, and such an access is refused: what is known of the bytes is not so."""
    taken = sorted((variable.address, abs(variable.bytes)) for variable in variables if variable.address is not None)
    at = 0
    for found in memory.objects:
        here, end = found.address, found.address + found.size
        while at < len(taken) and taken[at][0] < end:
            address, count = taken[at]
            if here < address:
                yield here, address - here
            here, at = max(here, address + count), at + 1
        if here < end:
            yield here, end - here


def _objects(world: World) -> Iterator[xcfa.Object]:
    """What addresses in memory may be of, and where it is allocated if it is."""
    facts, functions, functions_at = world.facts, world.memory.functions, world.memory.function_at
    routines = set().union(*facts.routines.values())
    for found in (found for found in world.memory.objects if found.constant):
        first = (found.read(offset, 8) for offset, width in facts.cells.get(found.name, ()) if width == 8)
        routines |= {functions_at[address] for address in first if address in functions_at}
    for name in sorted(routines):
        routine = world.module.functions.get(name)
        yield xcfa.Object(world.metadata.qualified(routine.place if routine else None, name), functions[name])
    for found in world.memory.objects:
        if found.name in facts.exposed or found.name in facts.cells:
            yield xcfa.Object(found.shown, found.address, found.position if found.life == "heap" else None)
    for table in (found for found in world.memory.objects if found.title.startswith(VTABLE)):
        for entry in sorted(facts.entries.get(table.name, set()) - {0}):  # pointers lead behind its head
            yield xcfa.Object(table.shown, table.address + entry)


def _process(body: Thread, names: Mapping[tuple[int | None, int], str]) -> xcfa.Process:
    world = body.world
    ending = [each for each in world.memory.objects if each.life != "heap" and each.name in world.facts.mortal]
    checked = [*checked_frees(body.steps, [found.address for found in ending])]
    steps = [_named(step, names) for step in tidied(drop_counting_loops(simplified(checked)))]
    if world.options.retries:
        fresh: Callable[[str], str] = body.fresh
        steps = given_up(shortened(steps, fresh, body.label, {}), body.label)
    locations, edges = assemble(steps, body.labels, _missing)
    used = {name for step in steps for name in locals_of(step)}
    variables = tuple(variable for name, variable in body.variables.items() if name in used)
    main = xcfa.Procedure("main", True, (), (), locations, edges)
    return xcfa.Process(body.name, body.number == 0, variables, (main,), position=body.started)


def _named(step: Step, names: Mapping[tuple[int | None, int], str]) -> Step:
    """The step with the names of the cells that it accesses, where they are known."""

    def name_of(place: object) -> xcfa.Place | None:
        if not isinstance(place, xcfa.Deref) or not isinstance(place.address, IntLiteral):
            return None
        name = names.get((place.address.value, place.width))
        return None if name is None else xcfa.Place(Name(name, place.position))

    if isinstance(step, xcfa.Lifetime):
        return step  # of an object, which has no such name
    return uses.changed(step, lambda value: value, lambda place: name_of(place) or place)


def _missing(branch: Branch) -> NoReturn:
    raise AssertionError(f"no label {branch.label}")


def _variables(world: World, found: Object) -> Iterator[xcfa.Variable]:
    """The cells of an object that there are events at; atomic accesses say first how large these are."""
    facts, mortal = world.facts, found.name in world.facts.mortal
    cells, parts = facts.cells.get(found.name, set()), facts.parts.get(found.name, ())
    kept = world.options.kept
    if found.name in kept or found.listed:
        cells = cells or {(0, found.size)}
    cells = {part for cell in cells for part in within(parts, cell) or (cell,)}
    chosen: list[tuple[int, int]] = []
    taken = bytearray(found.size)

    def rank(cell: tuple[int, int]) -> tuple[bool, bool, int, int]:
        return cell not in parts, (found.name, *cell) not in facts.atomic, cell[1], cell[0]

    for offset, width in sorted(cells, key=rank):
        if not any(taken[offset : offset + width]):
            taken[offset : offset + width] = b"\1" * width
            chosen.append((offset, width))
    if mortal and chosen and not any(offset == 0 for offset, _ in chosen) and not taken[0]:
        chosen.append((0, 1))
    if mortal and not chosen:
        chosen.append((0, 1))
    main = world.bodies[0]
    assert isinstance(main, Thread)
    for offset, width in sorted(chosen):
        value, cut = found.read(offset, width), found.listed and width < found.size
        cell = (found.name, offset, width)
        blank = not found.has_value(offset, width) and cell not in facts.copied
        if not blank and world.memory.is_blank(cell):
            value = NOTHING
        yield xcfa.Variable(
            _unique(world, f"{found.title}.{offset}" if cut else main.cell_name(found, offset)),
            xcfa.INT,
            (IntLiteral(value),) if value and not blank else (),
            found.position,
            found.address + offset,
            -width,
            blank,
            shown=found.name in kept if kept else found.listed,
            object=found.shown if mortal else None,
            pointer=width == 8 and _is_pointer(world, found, offset),
            unsigned=cut or (found.unsigned and width == found.size),
        )


def _is_pointer(world: World, found: Object, offset: int) -> bool:
    """Whether addresses are stored there, or are there at first."""
    cell, first = (found.name, offset), found.read(offset, 8)
    stored = cell in world.facts.pointers or cell in world.facts.routines
    table = found.constant and first in world.memory.function_at  # elsewhere it may be a number that is the same
    return stored or table or world.memory.at(first) is not None


def _unique(world: World, name: str) -> str:
    count = world.taken[name] = world.taken.get(name, 0) + 1
    return name if count == 1 else _unique(world, f"{name}~{count}")
