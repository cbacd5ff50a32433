"""Why an outcome is forbidden, or how it comes about: an execution, and for each constraint a cycle or an order.

For an allowed outcome, the execution that shows it. For a forbidden one, a *candidate*: an execution that would show it
if the model had no constraints; of the candidates, one that is coherent if there is one, breaks the fewest constraints,
and has the shortest cycles. Each step of a cycle is unfolded along the model's definitions down to base relations.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, reduce
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, cast

from xgen.analyses.check.case import see_that_waits_show
from xgen.analyses.check.result import places_left_out
from xgen.analyses.missing import steps_of, with_missing
from xgen.analyses.warnings import notes
from xgen.clock import Clock
from xgen.engine.graphs.options import Options
from xgen.engine.graphs.run import executions
from xgen.engine.orders import untranslated
from xgen.engine.problem import Problem, problem
from xgen.errors import UsageError, nearest
from xgen.executions import rendering
from xgen.executions.execution import Execution, Violation
from xgen.executions.result import Result, undone
from xgen.memory.algebra import Check, Constraint, Kind, Model, Op, Term
from xgen.memory.base_relations import BASE_RELATIONS
from xgen.memory.evaluate import Environment, Evaluator, Failure, Rows, members, shortest_path
from xgen.memory.show import show
from xgen.program.automaton import Program, Requirement
from xgen.records import dataclass, replace

if TYPE_CHECKING:
    from xgen.frontends.litmus.test import LitmusTest

CANDIDATES = 20_000
"""Executions without constraints that are looked at, at most."""

_BASE = {relation.op: relation.name for relation in BASE_RELATIONS}
_SIDE = {relation.op: relation.beside for relation in BASE_RELATIONS if relation.beside}
"""Relations that, in an intersection, only say something about a pair that another relation has."""

_COHERENCE = Check(
    "acyclic",
    reduce(
        lambda left, right: Term(Op.UNION, (left, right)),
        [Term(Op.INTERSECT, (Term(Op.PO), Term(Op.LOC))), Term(Op.RF), Term(Op.MO), Term(Op.FR)],
    ),
)
"""What all hardware does. A candidate without it is a poor explanation of an outcome that needs no such candidate."""

Wanted = Callable[[Execution], bool]
Answer = Literal["allowed", "forbidden", "impossible", "unknown"]


@dataclass(frozen=True)
class Step:
    """Why one event is related to another.

    `relation` is a base relation, a definition of the model, or a term in the notation of .mcm. `parts` lead from the
    source to the target in smaller steps; () for base relations. `notes` are what holds besides.
    """

    relation: str
    source: int
    target: int
    parts: tuple[Step, ...] = ()
    notes: tuple[str, ...] = ()

    def base(self) -> Iterator[Step]:
        """The steps that are not unfolded any further."""
        if not self.parts:
            yield self
        for part in self.parts:
            yield from part.base()


@dataclass(frozen=True)
class Finding:
    """What a constraint is on an execution.

    steps     for a constraint that is broken: the cycle, or the pair that should not be
    order     for one that demands acyclicity and holds: the events of its relation, in an order that it respects
    negated   it demands something that is not there, which cannot be shown
    """

    constraint: Constraint
    holds: bool
    steps: tuple[Step, ...] = ()
    order: tuple[int, ...] = ()
    negated: bool = False


@dataclass(frozen=True)
class Explanation:
    """The answer.

    answer      "allowed", "forbidden", "impossible" (no execution that can be built ends so, whatever the model), or
                "unknown": the time was up
    execution   that shows the outcome, or would; None if none was found
    findings    one per constraint
    candidates  executions that were looked at; `exhaustive`: all that there are
    vacuous     the model allows no execution that completes, so that it says nothing that it forbids this one
    warnings    what the user should know, one sentence each
    map         "none" where orders that the model does not know order nothing
    """

    question: str
    model: Model
    answer: Answer
    execution: Execution | None
    findings: tuple[Finding, ...]
    candidates: int
    exhaustive: bool
    warnings: tuple[str, ...] = ()
    vacuous: bool = False
    map: str | None = None

    @property
    def race(self) -> Violation | None:
        """The race that the execution shows, if it is known what it lacks: that says all there is to say of it."""
        first = next(iter(self.execution.violations), None) if self.execution else None
        return first if first is not None and first.missing is not None else None

    @cached_property
    def highlight(self) -> tuple[tuple[str, int, int], ...]:
        """The edges of the broken constraints, down to base relations, as drawings take them; of a race, its way."""
        if self.execution is not None and self.race is not None and self.race.missing is not None:
            return steps_of(self.execution, self.race.missing)
        found = dict.fromkeys(
            (base.relation, base.source, base.target)
            for finding in self.findings
            for step in finding.steps
            for base in step.base()
        )
        return tuple(found)

    def _repr_html_(self) -> str:
        """How a notebook shows the explanation."""
        return rendering.of().explanation_to_fragment(self)


@dataclass(frozen=True)
class Query:
    """What is to be explained: a problem, which of its executions are `wanted`, and that in words.

    `liveness`: that threads wait for ever is a violation.
    """

    problem: Problem
    wanted: Wanted
    question: str
    liveness: bool = False


def violation(program: Program, model: Model) -> Query:
    """Asks for a violation of the program: of an assertion, say, or of its requirement on final states."""
    asked = problem(program, model, parts=True)
    return Query(asked, lambda execution: _violates(execution, asked.requirement), "a violation")


def asked_by(program: Program, model: Model) -> Query:
    """Asks for what the program's text is about: the condition of a litmus test, else a violation."""
    from xgen.frontends.litmus.test import FinalCondition

    question = program.question
    if not isinstance(question, FinalCondition):
        return violation(program, model)
    return condition(replace(question.test, program=program), model)


def waiting(program: Program, model: Model) -> Query:
    """Asks for an execution in which threads wait for ever. Raises UnsupportedError where executions do not show it."""
    see_that_waits_show(program)

    def wanted(execution: Execution) -> bool:
        return any(violation.kind == "await" for violation in execution.violations)

    return Query(problem(program, model, parts=True), wanted, "a thread waits for ever", liveness=True)


def condition(test: LitmusTest, model: Model) -> Query:
    """Asks for the final states that a litmus test is about; where it is `forall`, for one that is not as it says."""
    from xgen.frontends.litmus.condition import show

    against = test.question.quantifier == "forall"

    def wanted(execution: Execution) -> bool:
        state = test.state(execution.state)
        return execution.complete and test.counts(state) and test.satisfies(state) != against

    proposition = show(test.question.proposition)
    asked = problem(replace(test.program, requirement=None), model, test.observed_cells, parts=True)
    return Query(asked, wanted, f"not ({proposition})" if against else proposition)


def final_values(program: Program, model: Model, text: str) -> Query:
    """Asks for final values such as `p0:a=0, x=1`. Raises UsageError where the text makes no sense."""
    asked = problem(program, model, parts=True)
    names = asked.final_values
    values: dict[str, int] = {}
    for part in re.split(r"[\s,;]+", re.sub(r"\s*=\s*", "=", text.strip())):
        name, sign, value = part.partition("=")
        if not sign or not re.fullmatch(r"-?[0-9]{1,19}|true|false", value):
            shown = part if len(part) <= 60 else f"{part[:57]}..."
            hint = "expected NAME=VALUE, as in `p0:a=0 x=1`, and a value of 64 bits"
            raise UsageError(f"`{shown}` is not a final value", hint=hint)
        if name not in names:
            near = nearest(name, names)
            raise UsageError(
                f"there is no `{name}` among the final values", hint=near or f"there are {', '.join(names)}"
            )
        values[name] = {"true": 1, "false": 0}[value] if value in ("true", "false") else int(value)
    said = " and ".join(f"{name} = {value}" for name, value in values.items())
    return Query(asked, lambda e: e.complete and all(e.state[n] == value for n, value in values.items()), said)


def explain(query: Query, *, max_depth: int | None = None, timeout: float = 10.0) -> Explanation:
    """Explains why the executions that a query wants are forbidden, or shows one.

    `timeout` is in seconds, for the search under the model and then for that among the candidates; a search that it
    ends is not exhaustive. Raises LimitError.
    """
    found = _explained(query, max_depth, Clock(timeout))
    left_out = places_left_out(query.problem) if query.liveness and found.answer != "allowed" else ()
    warnings = [*notes(query.problem), *([undone(left_out)] if left_out else [])]
    return replace(found, warnings=tuple(warnings), map=untranslated(query.problem.program))


def _explained(query: Query, max_depth: int | None, clock: Clock) -> Explanation:
    wanted, question, model = query.wanted, query.question, query.problem.model
    options = Options(
        max_depth, all_states=True, trace_limit=256, stream=True, dependencies=True, liveness=query.liveness
    )
    allowed = _Search(query.problem, options, clock)
    for execution in allowed:
        if wanted(execution):
            return show_allowed(execution, model, question, allowed.seen)
    if not allowed.exhaustive:
        return Explanation(question, model, "unknown", None, (), allowed.seen, False)
    best: tuple[tuple[bool, int, int, int], Execution] | None = None
    candidates = _Search(query.problem.unconstrained(), options, clock, CANDIDATES)
    for execution in candidates:
        if wanted(execution):
            cost = _cost(execution, model)
            if best is None or cost < best[0]:
                best = (cost, execution)
    if best is None:
        answer: Answer = "impossible" if candidates.exhaustive else "forbidden"
        return Explanation(
            question, model, answer, None, (), candidates.seen, candidates.exhaustive, vacuous=not allowed.completes
        )
    findings = _findings(best[1], model)
    return Explanation(
        question,
        model,
        "forbidden",
        best[1],
        findings,
        candidates.seen,
        candidates.exhaustive,
        vacuous=not allowed.completes,
    )


def explain_result(program: Program, model: Model, result: Result, timeout: float = 10.0) -> Explanation:
    """Explains what a check has found: the violation, or why there is none, in so many seconds."""
    if result.witness is None:
        return explain(violation(program, model), max_depth=result.max_depth, timeout=timeout)
    violations = result.witness.violations
    question = violations[0].message if violations else "final states that are not as required"
    found = show_allowed(result.witness, problem(program, model, parts=True).model, question)
    return replace(found, map=untranslated(program))


def _violates(execution: Execution, requirement: Requirement | None) -> bool:
    if execution.violations or requirement is None:
        return bool(execution.violations)
    return execution.complete and not requirement.met(execution.state)


def show_allowed(execution: Execution, model: Model, question: str, seen: int = 1) -> Explanation:
    """The explanation of an execution that the model, as it is adapted to the program, allows."""
    execution = with_missing(execution, model)
    return Explanation(question, model, "allowed", execution, _findings(execution, model), seen, True)


class _Search:
    """Executions, until the time is up or there are too many; `seen` counts them, `completes`: one of them does."""

    def __init__(self, asked: Problem, options: Options, clock: Clock, limit: int | None = None) -> None:
        self._found = executions(asked, replace(options, timeout=clock.left()))
        self._clock = clock
        self._limit = limit
        self.seen = 0
        self.completes = False
        self.exhaustive = False

    def __iter__(self) -> Iterator[Execution]:
        for execution in self._found:
            if self.seen == self._limit or self._clock.over():
                break
            self.seen += 1
            self.completes |= execution.complete
            yield execution
        else:
            # The engine does not say here whether it was its time that was over.
            self.exhaustive = not self._clock.over()


def _cost(execution: Execution, model: Model) -> tuple[bool, int, int, int]:
    """How good a candidate is: coherent ones first, then by constraints broken, lengths of their cycles, and size."""
    evaluator = Evaluator(execution)
    broken = length = 0
    for constraint in model.constraints:
        failures = [] if constraint.flag else list(evaluator.failures(constraint.condition))
        broken += bool(failures)
        length += sum(len(failure.events) for failure in failures)
    return not evaluator.holds(_COHERENCE), broken, length, len(execution.events)


def _findings(execution: Execution, model: Model) -> tuple[Finding, ...]:
    evaluator = Evaluator(execution)
    unfolding = Unfolding(evaluator, model)
    found = []
    for constraint in model.constraints:
        failures = list(evaluator.failures(constraint.condition))
        steps = tuple(step for failure in failures for step in unfolding.failure(failure))
        negated = any(not failure.events for failure in failures)
        order = () if failures else _order(evaluator, constraint)
        found.append(Finding(constraint, not failures, steps, order, negated))
    return tuple(found)


def _order(evaluator: Evaluator, constraint: Constraint) -> tuple[int, ...]:
    """The events of an acyclic relation in an order that it respects; () where the constraint is another one."""
    check = constraint.condition
    if not isinstance(check, Check) or check.property != "acyclic" or check.binders or check.negated:
        return ()
    rows = evaluator.relation(check.term)
    left = [n for n, row in enumerate(rows) if row or any(other >> n & 1 for other in rows)]
    events = evaluator.execution.events
    order: list[int] = []
    while left:
        # In the order in which the execution was built, as far as that can be.
        free = [n for n in left if not any(rows[m] >> n & 1 for m in left)]
        order.append(min(free, key=lambda n: (events[n].step, n)))
        left.remove(order[-1])
    return tuple(order)


class Unfolding:
    """Takes pairs of relations apart, along the model's definitions."""

    def __init__(self, evaluator: Evaluator, model: Model) -> None:
        self.evaluator = evaluator
        self.names = {definition.term: definition.name for definition in reversed(model.definitions)}
        fixed = ((d.term, d.name) for d in model.definitions if d.term.op is Op.FIX)
        self.recursive: Mapping[str, str] = {term.name: name for term, name in fixed}
        self.rounds: dict[str, tuple[Term, list[tuple[str, Environment, Rows]]]] = {}

    def failure(self, failure: Failure) -> list[Step]:
        """The cycle, or the pair, that a failed check has."""
        term, events, environment = failure.check.term, failure.events, failure.environment
        if not events or term.kind is Kind.SET:
            return []
        if failure.check.property == "empty":
            return self.top(term, events[0], events[-1], environment)
        if failure.check.property == "irreflexive":
            return self.top(term, events[0], events[0], environment)
        ring = zip(events, (*events[1:], events[0]), strict=True)
        return [step for a, b in ring for step in self.top(term, a, b, environment)]

    def top(self, term: Term, a: int, b: int, environment: Environment) -> list[Step]:
        """The steps of a pair of the relation that a constraint speaks of: what it is made of."""
        steps, notes = self.inside(term, a, b, environment)
        if notes and len(steps) == 1:
            return [replace(steps[0], notes=(*steps[0].notes, *notes))]
        return steps or [Step(self.name(term), a, b, (), notes)]

    def name(self, term: Term) -> str:
        return self.names.get(term) or _BASE.get(term.op) or show(term, self.names)

    def steps(self, term: Term, a: int, b: int, environment: Environment) -> tuple[list[Step], tuple[str, ...]]:
        """How a pair comes to be in a relation, with notes on it; no steps where it only is a condition on events."""
        if term.op in _BASE and term.op is not Op.ID:
            return [Step(_BASE[term.op], a, b)], ()
        if term.op is Op.REC_RELATION:
            inner, notes = self.variable(term.name, a, b)
            return [Step(self.recursive.get(term.name, "recursion"), a, b, tuple(inner), notes)], ()
        inner, notes = self.inside(term, a, b, environment)
        if term in self.names and (inner or notes or a != b):
            return [Step(self.names[term], a, b, tuple(inner), notes)], ()
        return inner, notes

    def inside(self, term: Term, a: int, b: int, environment: Environment) -> tuple[list[Step], tuple[str, ...]]:
        """As `steps`, for what the term is made of."""
        while term.op is Op.UNION:
            term = next(arm for arm in term.args if self.has(arm, a, b, environment))
            if term.op is not Op.UNION or term in self.names:
                return self.steps(term, a, b, environment)
        first = term.args[0] if term.args else term
        if term.op is Op.FIX:
            return self.fixed(term, a, b, environment)
        if term.op is Op.SEQUENCE:
            return self.sequence(term, a, b, environment)
        if term.op in (Op.PLUS, Op.STAR, Op.OPTIONAL):
            return self.closure(term, a, b, environment)
        if term.op is Op.INTERSECT:
            return self.intersection(term, a, b, environment)
        if term.op is Op.DIFFERENCE:
            steps, notes = self.steps(first, a, b, environment)
            return steps, (*notes, f"not {self.name(term.args[1])}")
        if term.op is Op.INVERSE:
            steps, notes = self.steps(first, b, a, environment)
            return [Step(f"{self.name(first)}^-1", a, b, tuple(steps) if first not in self.names else (), notes)], ()
        if term.op in _BASE and term.op is not Op.ID:
            return [Step(_BASE[term.op], a, b)], ()
        if term.op in (Op.ID, Op.IDENTITY):
            return [], ()
        return [Step(self.name(term), a, b)], ()

    def has(self, term: Term, a: int, b: int, environment: Environment) -> bool:
        return bool(self.evaluator.relation(term, environment)[a] >> b & 1)

    def sequence(self, term: Term, a: int, b: int, environment: Environment) -> tuple[list[Step], tuple[str, ...]]:
        left, right = (self.evaluator.relation(argument, environment) for argument in term.args)
        middle = next(m for m in members(left[a]) if right[m] >> b & 1)
        one, notes_one = self.steps(term.args[0], a, middle, environment)
        two, notes_two = self.steps(term.args[1], middle, b, environment)
        return [*one, *two], (*notes_one, *notes_two)

    def closure(self, term: Term, a: int, b: int, environment: Environment) -> tuple[list[Step], tuple[str, ...]]:
        rows = self.evaluator.relation(term.args[0], environment)
        if a == b and term.op is not Op.PLUS:
            return [], ()
        path = (a, b) if rows[a] >> b & 1 else shortest_path(rows, a, b)
        assert path is not None
        found = [self.steps(term.args[0], m, n, environment) for m, n in pairwise(path)]
        return [step for steps, _ in found for step in steps], tuple(note for _, notes in found for note in notes)

    def intersection(self, term: Term, a: int, b: int, environment: Environment) -> tuple[list[Step], tuple[str, ...]]:
        """The steps of the part that says how the pair comes about; the others are conditions on it."""
        parts = [self.steps(argument, a, b, environment) for argument in term.args]
        sides = [
            argument.op in _SIDE or argument.op is Op.CROSS or not parts[k][0] for k, argument in enumerate(term.args)
        ]
        main = 1 if sides[0] and not sides[1] else 0
        other = term.args[1 - main]
        notes = [*parts[main][1]]
        if other.op in _SIDE:
            notes.append(_SIDE[other.op])
        elif not sides[1 - main]:
            notes.append(f"also {self.name(other)}")
        return parts[main][0] or parts[1 - main][0], tuple(notes)

    def fixed(self, term: Term, a: int, b: int, environment: Environment) -> tuple[list[Step], tuple[str, ...]]:
        """A pair of a recursion: why it got in when it got in."""
        outside = self.rounds.get(term.group)
        found = self.evaluator.rounds(term, environment)
        self.rounds[term.group] = (term, [(name, inside, cast(Rows, value)) for name, inside, value in found])
        steps = self.variable(term.name, a, b)
        if outside:
            self.rounds[term.group] = outside
        return steps

    def variable(self, name: str, a: int, b: int) -> tuple[list[Step], tuple[str, ...]]:
        """The same for a variable inside of the recursion: what it rests on got in earlier, so that this has an end."""
        group, _, number = name.rpartition(":")
        term, rounds = self.rounds[group]
        inside = next(inside for other, inside, rows in rounds if other == name and rows[a] >> b & 1)
        return self.steps(term.args[int(number)], a, b, inside)
