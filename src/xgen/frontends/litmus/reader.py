"""From the text of a litmus test to the LitmusTest."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from typing import Protocol

from xgen.errors import ProgramError, Source, UnsupportedError, nearest
from xgen.frontends.litmus.condition import And, Atom, Implies, Not, Or, Proposition, Question, atoms, read_question
from xgen.frontends.litmus.initial import Initial, Location, read_initial, read_system
from xgen.frontends.litmus.layout import lay_out
from xgen.frontends.litmus.meeting import meet_others
from xgen.frontends.litmus.pointers import pointer_items
from xgen.frontends.litmus.sections import OF_C, Sections, split
from xgen.frontends.litmus.test import FinalCondition, LitmusTest
from xgen.frontends.litmus.thread import Thread
from xgen.frontends.litmus.tokens import Text
from xgen.frontends.litmus.values import Address, Cell, IntType, Observable, Register, Value, int_type
from xgen.program import automaton as xcfa
from xgen.records import replace
from xgen.tags import ARCHITECTURES, ELSEWHERE, TABLE

READ = {each.name: each.read for each in TABLE if each.read is not None}
"""Where the architectures are, by the first word of a test: a module, and a name in it; for C a function."""

SEVERAL_SIZES = {"AArch64", "X86", "X86_64"}
"""Those of which tests may have accesses of several sizes to the same bytes."""

OTHERS = {*ELSEWHERE, "MIPS", "AARCH64", "Kvm"}
"""Architectures that tests elsewhere are written for."""


_ARMV8 = re.compile(r"\b(LDA|STL)(EX)?[BHD]?\b|\bD[MS]B\s+(ISH|NSH|OSH)?LD\b", re.IGNORECASE)
_WITH_ALIASES = ("PTX", "VULKAN")
"""Architectures whose locations may have several names."""


class _Architecture(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def language(self) -> str: ...
    @property
    def fixed_registers(self) -> bool: ...
    def register(self, name: str) -> str | None: ...
    def sort_key(self, register: str) -> tuple[int | str, ...]: ...
    def threads(self, text: Text, start: int, end: int, initial: Initial) -> list[Thread]: ...


def read_litmus(source: Source) -> LitmusTest:
    """The litmus test that a text says.

    Raises ProgramError where it is malformed, UnsupportedError where it uses what xgen does not know.
    """
    try:
        return _read(source)
    except RecursionError:
        raise UnsupportedError("this litmus test is nested too deeply", source) from None


def _read(source: Source) -> LitmusTest:
    sections = split(source)
    architecture = _architecture(sections)
    initial = _named(read_initial(sections.text, *sections.init), architecture, source)
    if sections.arch == "AArch64":
        _refuse_entries(initial, source)
    if sections.system is not None:
        if architecture.name != "VULKAN":
            sections.text.wrong("only tests of Vulkan say what the system orders", sections.system[0] - 1)
        initial = replace(initial, system=read_system(sections.text, *sections.system))
    question = read_question(sections.text, *sections.question)
    threads = architecture.threads(sections.text, *sections.program, initial)
    question = _Resolver(source, architecture, threads, initial).question(question)
    return _assemble(sections, architecture, initial, threads, question)


def _architecture(sections: Sections) -> _Architecture:
    name = sections.arch
    if name not in READ:
        place = sections.text.position(*sections.arch_place)
        hint = f"known are {', '.join(READ)}"
        near = nearest(name, READ)
        message = f"the architecture `{name}` is not supported"
        raise UnsupportedError(message, sections.text.source, place, f"{near} {hint}" if near else hint)
    module, attribute = READ[name]
    found = getattr(importlib.import_module(f"xgen.frontends.litmus.{module}"), attribute)
    if name == "C":
        start, end = sections.program
        found = found(sections.text.text[start:end])
    architecture: _Architecture = found
    return architecture


def _model(sections: Sections, architecture: _Architecture) -> str:
    """The model of a test's own: 32-bit code with instructions that Armv8 has and Armv7 has not is of the former."""
    start, end = sections.program
    if sections.arch == "ARM" and _ARMV8.search(sections.text.text, start, end):
        return "arm8"
    return ARCHITECTURES[architecture.language or sections.arch].model


def _named(initial: Initial, architecture: _Architecture, source: Source) -> Initial:
    """The initial state with registers by their own names."""
    registers: dict[tuple[int, str], Value] = {}
    types: dict[tuple[int, str], str] = {}
    for name, alias in initial.aliases.items():
        if architecture.name not in _WITH_ALIASES:
            message = f"`{name}` is another name of `{alias.location}`, which only GPUs have"
            raise ProgramError(message, source, alias.position)
        if alias.proxy != "generic" and architecture.name != "PTX":
            message = f"`{name}` is accessed by the {alias.proxy} proxy, which only PTX has"
            raise ProgramError(message, source, alias.position)
    for (thread, name), value in initial.registers.items():
        place = initial.places[thread, name]
        own = name[1:] if name.startswith("%") else architecture.register(name)
        if own is None:
            raise ProgramError(f"there is no register `{name}`", source, place.position)
        registers[thread, own] = value
        if (thread, name) in initial.types:
            types[thread, own] = initial.types[thread, name]
    values = [*registers.values(), *initial.symbolic.values()]
    values += [value for location in initial.locations.values() for value in location.values]
    for value in values:
        if isinstance(value, Address):
            _check_address(value, initial.location(value.name), source)
    return replace(initial, registers=registers, types=types)


def _refuse_entries(initial: Initial, source: Source) -> None:
    """Raises UnsupportedError for the entry of a page table, which herd calls `pte_x`."""
    for value in initial.registers.values():
        if isinstance(value, Address) and value.name.startswith("pte_"):
            raise UnsupportedError("page tables are not supported", source, value.position)


def _check_address(address: Address, location: Location, source: Source) -> None:
    if address.index >= (location.size or 1):
        cells = "1 cell" if location.size in (None, 1) else f"{location.size} cells"
        raise ProgramError(f"`{location.name}` has {cells}", source, address.position)


class _Resolver:
    """Gives registers in the question their own names, and sees to it that everything it speaks of is there."""

    def __init__(self, source: Source, architecture: _Architecture, threads: list[Thread], initial: Initial) -> None:
        self.source = source
        self.architecture = architecture
        self.threads = {thread.number: thread for thread in threads}
        self.initial = initial

    def question(self, question: Question) -> Question:
        filter_ = question.filter
        return Question(
            question.quantifier,
            self.proposition(question.proposition),
            None if filter_ is None else self.proposition(filter_),
            tuple((self.item(item), type_) for item, type_ in question.listed),
        )

    def proposition(self, proposition: Proposition) -> Proposition:
        match proposition:
            case Atom(item, value):
                return Atom(self.item(item), self.value(value))
            case Not(operand):
                return Not(self.proposition(operand))
            case And(operands):
                return And(tuple(map(self.proposition, operands)))
            case Or(operands):
                return Or(tuple(map(self.proposition, operands)))
            case Implies(premise, conclusion):
                return Implies(self.proposition(premise), self.proposition(conclusion))

    def value(self, value: Value | Observable | tuple[Value, ...]) -> Value | Observable | tuple[Value, ...]:
        if isinstance(value, (Register, Cell)):
            return self.item(value)
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, Address):
                _check_address(part, self.initial.location(part.name), self.source)
        return value

    def item(self, item: Observable) -> Observable:
        if isinstance(item, Register):
            return self.register(item)
        alias = self.initial.aliases.get(item.name)
        if alias is not None:
            item = replace(item, name=alias.location)
        location = self.initial.location(item.name)
        if item.index is not None and item.index >= (location.size or 1):
            cells = "1 cell" if location.size in (None, 1) else f"{location.size} cells"
            raise ProgramError(f"`{item.name}` has {cells}", self.source, item.position)
        return item

    def register(self, item: Register) -> Register:
        thread = self.threads.get(item.thread)
        if thread is None:
            hint = f"there are threads 0 to {len(self.threads) - 1}" if len(self.threads) > 1 else None
            raise ProgramError(f"there is no thread {item.thread}", self.source, item.position, hint)
        symbolic = item.name.startswith("%")
        name = item.name[1:] if symbolic else self.architecture.register(item.name)
        declared = name in thread.locals or (item.thread, name) in self.initial.registers
        if name is None or not (declared or symbolic or self.architecture.fixed_registers):
            known = [local for local in thread.locals if not local.startswith("$")]
            what = "register" if self.architecture.fixed_registers else "local variable"
            message = f"there is no {what} `{item.name}`"
            raise ProgramError(message, self.source, item.position, nearest(item.name, known))
        return Register(item.thread, name, item.position)


def _mentioned(question: Question, displayed: bool) -> Iterator[Observable]:
    """What the question speaks of; `displayed`: only what states list, that is, not what only the filter mentions."""
    for atom in atoms(question.proposition) if displayed else question.atoms():
        yield atom.item
        if isinstance(atom.value, (Register, Cell)):
            yield atom.value
    yield from (item for item, _ in question.listed)


def _assemble(
    sections: Sections, architecture: _Architecture, initial: Initial, threads: list[Thread], question: Question
) -> LitmusTest:
    def key(item: Observable) -> tuple[object, ...]:
        if isinstance(item, Register):
            return (0, item.thread, architecture.sort_key(item.name))
        return (1, item.index is not None, item.name, item.index or 0)

    barriers = tuple(barrier for thread in threads for barrier in thread.placed)
    meet_others(threads)
    counters = {counter for barrier in barriers for counter in barrier.locals}
    observed = tuple(sorted({*_mentioned(question, False), *counters}, key=key))
    displayed = tuple(sorted(set(_mentioned(question, True)), key=key))
    layout = lay_out(
        [access for thread in threads for access in thread.accesses.values()],
        initial.locations,
        _pointed(initial, threads),
        sections.text.source,
        sections.arch in SEVERAL_SIZES,
    )
    shown = {
        thread.number: frozenset(i.name for i in observed if isinstance(i, Register) and i.thread == thread.number)
        for thread in threads
    }
    processes = tuple(thread.automaton(shown[thread.number], layout) for thread in threads)
    aims = architecture.language != "LKMM"  # there, they are predicted where it matters
    program = xcfa.Program(sections.text.source, layout.variables(), processes, aims=aims)
    registers = {(f"P{number}", name): value for (number, name), value in initial.registers.items()}
    registers |= {
        (f"P{thread.number}", name): value
        for thread in threads
        for name, value in initial.symbolic.items()
        if name in thread.locals
    }
    written = [thread.automaton(shown[thread.number], None) for thread in threads]
    pointing = pointer_items(written, initial.locations, registers)
    pointers = frozenset(
        item
        for item in observed
        if ((f"P{item.thread}", item.name) if isinstance(item, Register) else ("", item.name)) in pointing
    )
    test = LitmusTest(
        sections.text.source,
        sections.name,
        architecture.name or sections.arch,
        _model(sections, architecture),
        sections.doc,
        sections.info,
        program,
        question,
        observed,
        displayed,
        layout,
        pointers,
        {item: type_ for item in observed if (type_ := _type(item, initial, sections.arch in OF_C))},
        barriers,
    )
    asked = FinalCondition(test)
    requires = question.quantifier != "exists" or test.is_filtered
    return replace(test, program=replace(program, question=asked, requirement=asked if requires else None))


def _pointed(initial: Initial, threads: list[Thread]) -> set[str]:
    """The locations that pointers in memory or in registers may lead to."""
    held = [value for location in initial.locations.values() for value in location.values]
    return {value.name for value in held if isinstance(value, Address)}.union(*(thread.taken for thread in threads))


def _type(item: Observable, initial: Initial, c: bool) -> IntType | None:
    """The type of a register or a location: an `int` unless the initial state says otherwise (not in C)."""
    if isinstance(item, Cell):
        return int_type(initial.locations[item.name].type)
    text = initial.types.get((item.thread, item.name))
    return None if c and text is None else int_type(text)
