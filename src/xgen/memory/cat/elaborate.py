"""Running a .cat model symbolically: from its files to the algebra's Model.

Instructions run one after the other, as in herd; what herd does for each candidate execution is done once here, with
terms in place of sets and relations. Definitions are bound lazily: one that makes no sense is an error only where it is
used. Checks become constraints, `flag` and `undefined_unless` flags; `with x from` is possible for the coherence orders
that cos.cat generates: these are the graphs' mo, which has to extend what herd starts from.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable
from pathlib import Path

from xgen.errors import ModelError, Position, Source, UnsupportedError, nearest
from xgen.memory import terms as t
from xgen.memory.algebra import Check, Constraint, Definition, Kind, Model, Op, Term
from xgen.memory.cat import syntax as s
from xgen.memory.cat.evaluate import Evaluator
from xgen.memory.cat.gpu import GPUS, GpuWorld, with_partial_order
from xgen.memory.cat.kinds import as_kind
from xgen.memory.cat.parser import parse
from xgen.memory.cat.values import EMPTY, Failed, Orders, Routine, Scope, Tag, Tags, Value, describe
from xgen.memory.cat.world import SINGLE, World
from xgen.sources import find, read_source
from xgen.tags import ARCHITECTURES, ELSEWHERE

LIBRARY = Path(__file__).with_name("library")
"""What can be included from anywhere: xgen's own texts of herd's files."""

ALWAYS_BUILT_IN = ("cross.cat", "lock.cat", "enumerations.cat", "aarch64deps.cat", "aarch64bbm.cat")
"""Files that are xgen's even if there is one beside the model: they go through sets of events member by member, or
through register events."""

_IMPLIED = t.tagged("implied")
_BARRIERS = t.intersection(t.tagged("mb"), t.tagged("rmw"))
VARIANTS = frozenset({"cos-opt", "lkmmv2"})
"""herd's variants that are on."""

_SHOWN = ("po", "rf", "co", "fr", "po-loc", "rfe", "rfi", "coe", "coi", "fre", "fri", "amo")
_PATIENCE = 40
"""How many files may include each other."""


def read_cat(source: Source, architecture: str | None = None) -> Model:
    """The memory model of a .cat text.

    `architecture` is that of the programs that it is for, which decides what names such as `A` and `X` mean; by default
    the one in the model's header, or none. A .bell file of the same name beside the model is read first. Raises
    ModelError and UnsupportedError, each with the place, which can be in an included file.
    """
    return _Run(source, architecture).model()


class _Run:
    """One run over one model."""

    def __init__(self, source: Source, architecture: str | None) -> None:
        self.file = parse(source)
        if not source.text.strip():
            raise ModelError("the model is empty", *_start(self.file), 'a model has at least a name: "SC"')
        name = _architecture(self.file, architecture)
        self.world = GpuWorld(name) if name in GPUS else World(name)
        self.evaluator = Evaluator(self.world, VARIANTS)
        self.scope: Scope = ChainMap(self.evaluator.initial_names())
        self.constraints: list[Constraint] = []
        self.definitions: dict[str, Definition] = {}
        self.own: set[str] = set()  # the names that the model's own file defines
        self.redefined: list[tuple[str, Position]] = []
        self.replaced: list[tuple[str, Position]] = []
        self.including: list[s.Include] = []
        self.open_files: list[str] = []
        self.coherence: Constraint | None = None  # what cos.cat demands
        self.standard: dict[str, Value | Failed] = {}

    def model(self) -> Model:
        """The whole model."""
        source = self.file.source
        self.run(parse(read_library("stdlib.cat")).instructions, self.scope)
        self.standard = dict(self.scope)
        self.definitions.clear()
        path = Path(source.name)
        bell = find(path.with_suffix(".bell").name, [path.parent]) if path.suffix == ".cat" else None
        if bell is not None:
            self.run(parse(read_source(bell)).instructions, self.scope)
        self.run(self.file.instructions, self.scope)
        self.add_coherence()
        name = Path(source.name).stem
        title = self.file.title if self.file.title != name else ""
        definitions = (*self.used_names(), *self.definitions.values())
        redefined, replaced = tuple(self.redefined), tuple(self.replaced)
        constraints = tuple(self.constraints)
        model = Model(name, source, constraints, definitions, title, redefined=redefined, replaced=replaced)
        return with_partial_order(model, self.world, self.scope) if self.world.architecture == "PTX" else model

    def used_names(self) -> list[Definition]:
        """herd's own relations that the constraints depend on and that the algebra has no names for."""
        known = {definition.term for definition in self.definitions.values()}
        used: set[Term] = set()
        for constraint in self.constraints:
            assert isinstance(constraint.condition, Check)
            used.update(constraint.condition.term.subterms())
        found = []
        for name in _SHOWN:
            term = self.standard_relation(name)
            if term.args and term in used and term not in known and name not in self.definitions:
                found.append(Definition(name, term, _start(self.file).position))
        return found

    # --- instructions

    def run(self, instructions: Iterable[s.Instruction], scope: Scope) -> None:
        """Run instructions, which bind names in the scope."""
        for instruction in instructions:
            self.instruction(instruction, scope)

    def instruction(self, i: s.Instruction, scope: Scope) -> None:
        """Run one instruction."""
        if isinstance(i, s.Let):
            self.let(i, scope)
        elif isinstance(i, s.Check):
            self.check(i, scope)
        elif isinstance(i, s.Include):
            self.include(i, scope)
        elif isinstance(i, s.Procedure):
            self.procedure(i, scope)
        elif isinstance(i, s.Call):
            self.call(i, scope)
        elif isinstance(i, s.ForAll):
            self.for_all(i, scope)
        elif isinstance(i, s.WithFrom):
            self.with_from(i, scope)
        elif isinstance(i, s.IfVariant):
            self.run(i.then if self.evaluator.variant(i.condition) else i.otherwise, scope)
        elif isinstance(i, s.MatchInstructions):
            self.match(i, scope)
        elif isinstance(i, s.Enumeration):
            self.enumeration(i, scope)

    def let(self, i: s.Let, scope: Scope) -> None:
        if i.test is not None:
            raise UnsupportedError("`let rec .. when` is not supported", *i.test.origin)
        bound = self.evaluator.bindings(i.recursive, i.bindings, scope)
        scope.update(bound)
        places = {name: b.pattern.origin for b in i.bindings for name in b.pattern.names if name is not None}
        for name, value in bound.items():
            if isinstance(value, Term):
                self.definitions.pop(name, None)
                position = self.origin(places[name]).position
                self.definitions[name] = Definition(name, value, position)
                if scope is self.scope and places[name].source is self.file.source:
                    if name in self.own:
                        self.redefined.append((name, position))
                    self.own.add(name)

    def origin(self, origin: s.Origin) -> s.Origin:
        """A place in the model's own file: of what is in an included one, the `include`."""
        return self.including[0].origin if self.including else origin

    def check(self, i: s.Check, scope: Scope) -> None:
        """A check, which becomes a constraint."""
        name = self.constraint_name(i)
        sentence = ""
        flag, negated = bool(i.role), i.negated
        if i.role == "flag":
            negated = not negated  # a flag is raised where the check holds, a constraint's where its condition fails
        elif i.role == "assert":
            sentence = "the model asserts this"
        term = self.checked_term(i, scope)
        condition = Check(i.property, term, negated=negated)
        undefined = i.role == "undefined_unless"
        position = self.origin(i.origin).position
        if negated or not t.is_empty(term):  # else it says nothing
            self.constraints.append(Constraint(name, condition, position, sentence, flag, undefined))

    def checked_term(self, i: s.Check, scope: Scope) -> Term:
        """What a check is about: a relation; of a set, which may be empty, the identity."""
        value = self.evaluator.term(i.expression, scope)
        if isinstance(value, Term) and value.kind is Kind.SET and i.property == "empty":
            return t.identity(value)
        relation = as_kind(Kind.RELATION, value, i.expression.origin)
        return self.completed(relation) if i.property == "acyclic" and not i.negated else relation

    def completed(self, relation: Term) -> Term:
        """A relation that is acyclic if and only if the given one is, and shows more.

        Where an update is one event, the pairs of updates close no cycle with a relation between herd's events.
        """
        if not self.world.one_event:
            return relation
        parts = t.parts_of_union(relation)
        program_order = self.world.relations["po"]
        if program_order in parts:
            return t.union(program_order.args[0] if part is program_order else part for part in parts)
        return t.union([relation, SINGLE])

    def constraint_name(self, i: s.Check) -> str:
        """The check's own name, or else its text; a number makes it unique."""
        name = i.name
        if name is None:
            line = i.origin.source.line(i.origin.position.line)[i.origin.position.column - 1 :]
            name = " ".join(line.split("(*")[0].split("//")[0].split())[:40].strip() or i.property
        taken = {constraint.name for constraint in self.constraints}
        unique, n = name, 1
        while unique in taken:
            n += 1
            unique = f"{name}#{n}"
        return unique

    # --- files

    def include(self, i: s.Include, scope: Scope) -> None:
        """Another file: beside the including one, or else one of xgen's own."""
        source = self.find(i)
        if source.name in self.open_files or len(self.open_files) > _PATIENCE:
            raise ModelError(f'"{i.file}" includes itself', *i.origin)
        self.open_files.append(source.name)
        self.including.append(i)
        self.run(parse(source).instructions, scope)
        self.including.pop()
        self.open_files.pop()

    def find(self, i: s.Include) -> Source:
        folders = [Path(source.name).parent for source in (i.origin.source, self.file.source)]
        beside = find(i.file, folders)
        if beside and i.file not in ALWAYS_BUILT_IN:
            return read_source(beside)
        if beside:
            self.replaced.append((i.file, self.origin(i.origin).position))
        known = {path.name for path in LIBRARY.glob("*.cat")}
        if i.file not in known:
            hint = nearest(i.file, known) or "a file is looked for beside the one that includes it"
            raise ModelError(f'there is no file "{i.file}"', *i.origin, hint)
        return read_library(i.file)

    # --- procedures and choices

    def procedure(self, i: s.Procedure, scope: Scope) -> None:
        routine = Routine(i, self.evaluator.captured(i, scope))
        routine.scope[i.name] = routine
        scope[i.name] = routine

    def call(self, i: s.Call, scope: Scope) -> None:
        """The checks of a procedure's body; its definitions end with it."""
        routine = self.evaluator.lookup(i.name, i.origin, scope)
        if not isinstance(routine, Routine):
            raise ModelError(f"`{i.name}` is {describe(routine)}, not a procedure", *i.origin)
        if self.evaluator.calls >= _PATIENCE:
            raise UnsupportedError("procedures call each other without an end", *i.origin)
        inner = routine.scope.new_child()
        argument = self.evaluator.evaluate(i.argument, scope)
        self.evaluator.bind(routine.procedure.parameter, argument, inner, i.argument.origin)
        self.evaluator.calls += 1
        self.run_aside(routine.procedure.body, inner)
        self.evaluator.calls -= 1

    def run_aside(self, instructions: Iterable[s.Instruction], scope: Scope) -> None:
        """Run instructions whose definitions are local."""
        definitions = dict(self.definitions)
        self.run(instructions, scope)
        self.definitions = definitions

    def for_all(self, i: s.ForAll, scope: Scope) -> None:
        members = self.evaluator.evaluate(i.members, scope)
        if members != EMPTY and not isinstance(members, Tags):
            raise UnsupportedError(f"`forall` over {describe(members)} is not supported", *i.members.origin)
        for name in members.names if isinstance(members, Tags) else ():
            self.run_aside(i.body, scope.new_child({i.name: Tag(name)}))

    def match(self, i: s.MatchInstructions, scope: Scope) -> None:
        value = self.evaluator.evaluate(i.value, scope)
        if not isinstance(value, Tag):
            raise ModelError(f"this is {describe(value)}, not a tag", *i.value.origin)
        for tag, body in i.clauses:
            if tag is None or tag == value.name:
                self.run(body, scope)
                return

    def enumeration(self, i: s.Enumeration, scope: Scope) -> None:
        """Tags: each is also the set of events that bear it, under its name with a capital letter, or in capitals."""
        scope[i.name] = Tags(i.tags)
        for tag in i.tags:
            srcu = "srcu" in tag  # those of xgen are others: programs that have them are refused
            events = t.NO_EVENTS if srcu else t.tagged(tag.lower())
            if self.world.architecture == "LKMM" and tag.lower() == "mb":
                events = self.full_barriers(i, scope)
            for name in (tag[0].upper() + tag[1:], tag.upper()):
                scope[name] = events

    def full_barriers(self, i: s.Enumeration, scope: Scope) -> Term:
        """What bears the kernel's tag mb: updates and fences, or fences only if the model has no such accesses.

        The fences beside an update that is a full barrier stand for its tag; a model that has it does not see them. One
        that has not sees those beside an update that writes.
        """
        fences = t.difference(self.world.sets["F"], _IMPLIED)
        if i.name == "Accesses":
            scope["F"] = fences
        if i.name == "Accesses" or "MB" in scope:
            return t.difference(t.tagged("mb"), _IMPLIED)
        next_ = t.difference(t.PO, t.sequence(t.PO, t.PO))
        beside = [t.sequence(next_, t.identity(_BARRIERS)), t.inverse(t.sequence(t.identity(_BARRIERS), next_))]
        seen = t.union(t.domain(t.sequence(t.identity(_IMPLIED), relation)) for relation in beside)
        return t.intersection(t.tagged("mb"), t.union([fences, seen]))

    # --- coherence orders

    def with_from(self, i: s.WithFrom, scope: Scope) -> None:
        """`with co from generate_cos(pco)`: co is the graph's mo, which extends pco."""
        value = self.evaluator.evaluate(i.values, scope)
        if not isinstance(value, Orders):
            hint = "only generate_cos(...) and generate_orders(...) of cross.cat can be gone through"
            raise UnsupportedError(f"`with .. from` {describe(value)} is not supported", *i.values.origin, hint)
        writes, co = self.world.sets["W"], self.world.relations["co"]
        order = co
        if t.is_empty(value.events):
            order = t.NO_PAIRS
        elif value.events is not writes:
            if not _within(value.events, writes):
                raise UnsupportedError("only writes can be ordered by `with .. from`", *i.values.origin)
            order = t.intersection(co, t.product(value.events, value.events))
        scope[i.name] = order
        self.definitions[i.name] = Definition(i.name, order, self.origin(i.origin).position)
        self.require(value.within, order, i)

    def require(self, within: Term, order: Term, i: s.WithFrom) -> None:
        """What the order has to extend: it does if and only if both together have no cycle."""
        known = set(t.parts_of_union(self.standard_relation("co0")))
        parts = [part for part in t.parts_of_union(within) if part not in known and not t.is_empty(part)]
        if not parts or t.is_empty(order):
            return
        relation = t.union([*parts, order])
        given = set(t.parts_of_union(self.standard_relation("pco")))
        if not self.world.one_event and order is self.world.relations["co"] and given - known == set(parts):
            # What reads and writes of one thread say about co is respected if and only if this has no cycle.
            relation = t.union(self.standard_relation(name) for name in ("po-loc", "rf", "fr", "co"))
        name = "coherence" if i.name == "co" else f"{i.name}-extends"
        self.coherence = Constraint(name, Check("acyclic", relation), self.origin(i.origin).position)
        self.constraints = [c for c in self.constraints if c.condition != Check("acyclic", within)]

    def standard_relation(self, name: str) -> Term:
        """A relation of the standard library or of the world."""
        value = self.standard[name]
        assert isinstance(value, Term), name
        return value

    def add_coherence(self) -> None:
        """Add what cos.cat demands, unless the model demands it by itself."""
        if self.coherence is None:
            return
        needed = _acyclic_parts(self.coherence)
        if not any(needed <= _acyclic_parts(c) for c in self.constraints):
            self.constraints.insert(0, self.coherence)


def read_library(name: str) -> Source:
    """One of xgen's own files."""
    return read_source(LIBRARY / name)


def _architecture(file: s.File, asked: str | None) -> str:
    """The architecture of the model: that of its header, or the one that was asked for."""
    own = {"OPENCL": "OpenCL", "Vulkan": "VULKAN"}.get(file.architecture, file.architecture)
    if own in ELSEWHERE:
        raise UnsupportedError(f"models for {own} are not supported", *_start(file))
    if own not in ARCHITECTURES:
        named = [word for word in file.title.split() if word in ARCHITECTURES]
        return asked or (named[0] if named else "")
    same = asked in (None, "", own) or {str(asked), own} in ({"X86", "X86_64"}, {"C", "LKMM"})
    if not same:
        raise ModelError(f"this is a model for {own}, not for {asked}", *_start(file))
    return asked or own


def _start(file: s.File) -> s.Origin:
    return s.Origin(file.source, Position(1, 1))


def _within(events: Term, writes: Term) -> bool:
    """Whether the form of a set shows that it is one of writes."""
    if events is writes or events in (t.WRITES, t.INITS):
        return True
    if events.op is Op.INTERSECT:
        return any(_within(part, writes) for part in events.args)
    if events.op is Op.DIFFERENCE:
        return _within(events.args[0], writes)
    return events.op is Op.UNION and all(_within(part, writes) for part in events.args)


def _acyclic_parts(constraint: Constraint) -> set[Term]:
    """The parts of the relation that the constraint makes acyclic, if that is what it does."""
    condition = constraint.condition
    if constraint.flag or not isinstance(condition, Check) or condition.property != "acyclic" or condition.negated:
        return set()
    return set(t.parts_of_union(condition.term))
