"""From the syntax of a .cub text to a System."""

from __future__ import annotations

from collections.abc import Iterator

from xgen.errors import Position, Source, end_of
from xgen.frontends.cub import syntax
from xgen.frontends.cub.formulas import Atom, Both, Bound, Formulas, Node, Scope, fenced
from xgen.frontends.cub.names import MAX_PROCESSES, Names, Typed
from xgen.frontends.cub.syntax import Name
from xgen.records import replace
from xgen.systems.parameterised import (
    Access,
    Bad,
    Case,
    Condition,
    Rule,
    System,
    Term,
    Transition,
    Update,
    accesses,
)


def elaborate(text: syntax.Text, source: Source) -> System:
    """The system that a text says. Raises ProgramError and UnsupportedError."""
    return _Elaborator(text, source).system()


class _Elaborator:
    def __init__(self, text: syntax.Text, source: Source) -> None:
        self.text = text
        self.names = Names(source)
        self.formulas = Formulas(self.names)

    def system(self) -> System:
        names, text = self.names, self.text
        self._declare()
        of = {word: [p for p in text.properties if p.word == word] for word in ("init", "unsafe", "invariant")}
        for word in ("init", "unsafe"):
            if not of[word]:
                raise names.error(f"there is no `{word}`", end_of(names.source), f"{word} (p) {{ .. }}")
        if len(of["init"]) > 1:
            raise names.error("there is more than one `init`", of["init"][1].position)
        init = self._init(of["init"][0])
        unsafe = tuple(self._bad(p) for p in of["unsafe"])
        invariants = tuple(self._bad(p) for p in of["invariant"])
        transitions = tuple(self._transition(step) for step in text.steps)
        if names.ordered and names.fixed:
            # The names #1, #2, .. are in order, and so all processes have to have one.
            assert names.processes is not None
            names.fixed = names.processes
        return System(
            tuple(names.arrays),
            names.processes,
            names.fixed,
            names.ordered is not None,
            init,
            unsafe,
            invariants,
            transitions,
            self.formulas.scale,
            names.source,
        )

    def _declare(self) -> None:
        names, text = self.names, self.text
        if text.size is not None:
            names.processes = int(text.size.text)
            if not 1 <= names.processes <= MAX_PROCESSES:
                message = f"the number of processes is from 1 to {MAX_PROCESSES}, not {text.size.text}"
                raise names.error(message, text.size.position)
        for definition in text.types:
            names.define(definition)
        for declaration in text.declarations:
            names.declare(declaration)
        for predicate in text.predicates:
            if predicate.name.text in names.predicates:
                raise names.error(f"there is a predicate `{predicate.name.text}` already", predicate.name.position)
            names.predicates[predicate.name.text] = predicate

    def _parameters(self, parameters: tuple[Name, ...]) -> dict[str, Bound]:
        found: dict[str, Bound] = {}
        for number, name in enumerate(parameters):
            if name.text in found:
                raise self.names.error(f"there is a process `{name.text}` already", name.position)
            found[name.text] = number
        if len(found) > MAX_PROCESSES:
            raise self.names.unsupported(f"more than {MAX_PROCESSES} processes", parameters[MAX_PROCESSES].position)
        return found

    # --- properties --------------------------------------------------------------------------------------------------

    def _init(self, text: syntax.Property) -> tuple[int, Condition]:
        if text.name is not None:
            raise self.names.error("`init` has no name", text.name.position)
        names = self._parameters(text.parameters)
        scope = Scope(names, [len(names)], None, "`init`", initial=True)
        node = self.formulas.resolve(text.formula, scope)
        return len(names), self.formulas.condition(node, text.position)

    def _bad(self, text: syntax.Property) -> Bad:
        names = self._parameters(text.parameters)
        reader = 0 if len(names) == 1 else None
        scope = Scope(names, [len(names)], reader, f"`{text.word}`", ("exists",))
        rules = self.formulas.rules(self.formulas.resolve(text.formula, scope), len(names), text.position)
        parameters = max((rule.parameters for rule in rules), default=len(names))
        name = text.name.text if text.name else None
        return Bad(name, parameters, tuple(rule.literals for rule in rules), text.position)

    # --- transitions -------------------------------------------------------------------------------------------------

    def _transition(self, step: syntax.Step) -> Transition:
        names = self._parameters(step.parameters)
        actor = self._actor(step, names)
        scope = Scope(names, [len(names)], actor, "a guard", ("forall", "exists"), may_fence=True, acting=True)
        guard = self.formulas.resolve(step.guard, scope)
        for name, term in step.lets:
            scope = scope.inner({name.text: self.formulas.term(term, scope)})
        plain = replace(scope, may_quantify=(), may_fence=False, place="a `case`")
        updates = tuple(self._update(assignment, plain) for assignment in step.updates)
        self._check_targets(updates)
        fence = fenced(guard)
        if fence is None:
            raise self.names.unsupported("`fence()` in only some cases of a guard", step.name.position)
        if fence and actor is None:
            hint = "the parameter that acts is written in brackets: `transition t ([p] q)`"
            raise self.names.error("it does not say whose `fence()` this is", step.name.position, hint)
        rules = self.formulas.rules(guard, len(names), step.name.position)
        for rule in rules:
            if rule.parameters > MAX_PROCESSES:
                raise self.names.unsupported(f"more than {MAX_PROCESSES} processes", step.name.position)
        reads = any(self._weak(term) for term in _read(rules, updates))
        writes = any(self.names.arrays[update.array].weak for update in updates)
        parameters = tuple(name.text for name in step.parameters)
        position = step.name.position
        return Transition(step.name.text, parameters, actor, rules, updates, reads, writes, fence, position)

    def _weak(self, term: Term) -> bool:
        return isinstance(term, Access) and self.names.arrays[term.array].weak

    def _actor(self, step: syntax.Step, names: dict[str, Bound]) -> int | None:
        """The parameter that acts: the one in brackets, the only one, or in older texts the one that reads."""
        if step.actor is not None:
            return step.parameters.index(step.actor)
        readers = {reader.text for reader in _readers(step)}
        if len(readers) == 1:
            found = names.get(readers.pop())
            return found if isinstance(found, int) else None
        return 0 if len(names) == 1 else None

    def _update(self, assignment: syntax.Assignment, scope: Scope) -> Update:
        cell = assignment.cell
        number, array = self.names.array(cell.name, len(cell.index))
        if array.constant:
            raise self.names.error(f"`{array.name}` is a constant", cell.name.position)
        if cell.reader is not None and self.formulas.process(cell.reader, scope) != scope.reader:
            raise self.names.error("only the process that acts writes", cell.reader.position)
        if array.weak and scope.reader is None:
            hint = "the parameter that acts is written in brackets: `transition t ([p] q)`"
            message = f"it does not say which process accesses `{array.name}`"
            raise self.names.error(message, cell.name.position, hint)
        fresh: dict[str, Bound] = {}
        for name in cell.index:
            if name.text not in scope.names and not name.text.startswith("#"):
                if not isinstance(assignment.value, tuple):
                    hint = f"a write to all cells is written `{array.name}[{name.text}] := case ..`"
                    raise self.names.error(f"there is no process `{name.text}` here", name.position, hint)
                if name.text not in fresh:
                    fresh[name.text] = scope.fresh()
        inside = scope.inner(fresh)
        index = tuple(self.formulas.process(name, inside) for name in cell.index)
        target = Access(number, index, 0, scope.reader if array.weak else None, cell.name.position)
        cases = tuple(self._cases(assignment, target, inside))
        return Update(number, index, tuple(v for v in fresh.values() if isinstance(v, int)), cases, cell.name.position)

    def _cases(self, assignment: syntax.Assignment, target: Access, scope: Scope) -> Iterator[Case]:
        type_ = self.names.arrays[target.array].type
        place = assignment.cell.name.position
        if not isinstance(assignment.value, tuple):
            yield Case(((),), self._value(assignment.value, scope, place, target))
            return
        otherwise: list[Node] = []
        for branch in assignment.value:
            node: Node = Atom(True) if branch.condition is None else self.formulas.resolve(branch.condition, scope)
            condition = self.formulas.condition(Both((*otherwise, node)), place)
            value = self._value(branch.value, scope, place, target)
            if condition:
                yield Case(condition, value)
            if branch.condition is None:
                return
            otherwise.append(self.formulas.resolve(branch.condition, scope, positive=False))
        rest = self.formulas.condition(Both(tuple(otherwise)), place)
        if rest:
            yield Case(rest, self.formulas.fitted(Typed(target, type_), type_, place))

    def _value(self, term: syntax.Term | None, scope: Scope, place: Position, target: Access) -> Term | None:
        if term is None:
            return None
        return self.formulas.fitted(self.formulas.term(term, scope), self.names.arrays[target.array].type, place)

    def _check_targets(self, updates: tuple[Update, ...]) -> None:
        """No cell is written twice."""
        for number, update in enumerate(updates):
            for other in updates[:number]:
                if other.array == update.array and all(
                    a == b or a in other.fresh or b in update.fresh or (a < 0) != (b < 0)
                    for a, b in zip(other.index, update.index, strict=True)
                ):
                    name = self.names.arrays[update.array].name
                    raise self.names.error(f"`{name}` is written twice", update.position)


def _read(rules: tuple[Rule, ...], updates: tuple[Update, ...]) -> Iterator[Term]:
    """The cells that a transition reads."""
    for rule in rules:
        yield from accesses((rule.literals,))
        for universal in rule.universals:
            yield from accesses(universal.condition)
    for update in updates:
        for case in update.cases:
            yield from accesses(case.condition)
            if case.value is not None:
                yield case.value


def _readers(step: syntax.Step) -> Iterator[Name]:
    """The processes that are named in front of cells: `[p]X`."""

    def walk(part: object) -> Iterator[Name]:
        if isinstance(part, syntax.Cell):
            if part.reader is not None:
                yield part.reader
        elif isinstance(part, tuple):
            for element in part:
                yield from walk(element)
        elif hasattr(part, "__dataclass_fields__"):
            for field in part.__dataclass_fields__:
                yield from walk(getattr(part, field))

    yield from walk((step.guard, step.lets, step.updates))
