"""A program under a model, and what is asked of it: where every exploration starts."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Literal

from xgen._core import Judgement, Op
from xgen.engine.orders import for_model
from xgen.errors import Position, UnsupportedError
from xgen.executions.execution import Address, Event, State, Value
from xgen.lowering.analysis.liveness import live_at_loop_events, live_at_stops
from xgen.lowering.analysis.spinning import SPINS, spinning_updates
from xgen.lowering.analysis.value_sets import Written, written_values
from xgen.lowering.code import ADDRESS, Code, EventClass, Variable
from xgen.lowering.pairs import with_updates
from xgen.lowering.private import private_cells, with_locals
from xgen.lowering.threads import lower
from xgen.memory import algebra
from xgen.memory.adapt import with_accepted, with_atomic_blocks, with_demands, with_exclusive, with_lifetimes
from xgen.memory.algebra import DEPENDENCIES, Model
from xgen.memory.ready import Needs, facts, of_tags, ready, strategy_of, usual
from xgen.memory.statics.exclusives import are_updates, may_fail
from xgen.memory.statics.strategy import Strategy
from xgen.memory.statics.vocabulary import known_tags, operators
from xgen.program.automaton import Program, Requirement
from xgen.program.rewrite import with_arrivals, with_edges
from xgen.records import dataclass, replace

_PARTS = re.compile(r"[.[]")
"""Where the name of a part of an object begins."""
Filter = Literal["in-situ", "final"]
"""Whether graphs that a constraint forbids are dropped on the way, or all are built and filtered at the end."""


@dataclass(frozen=True, eq=False)
class Problem:
    """A program under a model; `problem` makes them.

    code         the program, lowered
    asked        the model as the user gave it
    model        its terms in the usual forms, with what the program's exclusive accesses and atomic blocks ask
    strategy     which exploration, and which constraints of `model` are checked at the end only
    observed     the cells whose last values final states list, beside the registers that the code shows
    requirement  what has to hold of final states
    demanded     flags, by number, that no whole execution may raise: what the model `reference` asks of it
    classes      executions with the same reads-from are explored as one
    private      cells that one thread alone uses are its locals, and pairs of exclusive accesses are updates, where the
                 model does not see that
    parts        who explores it knows accesses of several parts
    in_order     only what has no load buffering is explored, which the model allows (engine/graphs/in_order.py)

    It can be pickled; the other side makes it anew.
    """

    program: Program
    code: Code
    asked: Model
    model: Model
    strategy: Strategy
    observed: tuple[int, ...]
    requirement: Requirement | None
    reference: Model | None = None
    demanded: tuple[int, ...] = ()
    classes: bool = False
    private: bool = False
    parts: bool = False
    in_order: bool = False

    def __reduce__(self) -> tuple[object, ...]:
        listed = [cell for thread in self.code.threads for register, cell in thread.cells if register in thread.shown]
        observed = (*self.observed, *listed)
        program = replace(self.program, again=None)  # which reads its text, and is no plain data
        return problem, (program, self.asked, observed, self.reference, self.classes, self.private, self.parts)

    @cached_property
    def events(self) -> dict[tuple[int, ...], Event]:
        """The events of the executions so far: these have most of them in common, and there can be many."""
        return {}

    def pair(self, a: int, b: int) -> tuple[int, int]:
        """A pair of numbers, always the same object, for the same reason."""
        return self._pairs.setdefault((a, b), (a, b))

    @cached_property
    def _pairs(self) -> dict[tuple[int, int], tuple[int, int]]:
        return {}

    @cached_property
    def live(self) -> list[list[int]]:
        """The registers that matter at events in loops; SPINS where an update may be left out that is tried again."""
        live = live_at_loop_events(self.code)
        if self.silent:  # there all are that write what they have read
            return live
        spinning = spinning_updates(self.code, self._unseen)
        return [[SPINS, *matter[1:]] if pc in spinning else matter for pc, matter in enumerate(live)]

    def _unseen(self, sorts: frozenset[EventClass]) -> bool:
        from xgen.memory.statics.silent import leaves_out_strong  # long to import

        return leaves_out_strong(self.asked, sorts)

    @cached_property
    def silent(self) -> bool:
        """Whether nobody sees that an update is left out that writes what it has read."""
        from xgen.memory.statics.silent import leaves_out_updates  # long to import

        return leaves_out_updates(self.asked)

    @cached_property
    def rounds_are_seen(self) -> bool:
        """Whether there are updates in loops whose rounds stay though they write what they have read."""
        instructions = zip(self.code.instructions, self.live, strict=True)
        return not self.silent and any(i.op is Op.RMW and matter and matter[0] != SPINS for i, matter in instructions)

    @cached_property
    def arrivals(self) -> frozenset[int]:
        """The classes of events by which threads tell each other that they have come to barriers."""
        return frozenset(number for number, kind in enumerate(self.code.classes) if "arrival" in kind.tags)

    @cached_property
    def written(self) -> list[Written]:
        """What can be written where, by the text."""
        return written_values(self.code)

    @cached_property
    def failing(self) -> list[set[int]]:
        """For each thread: its instructions that can be a violation."""
        from xgen.lowering.analysis.cones import failing  # long to import

        return failing(self.code)

    def matters(self, listed: bool) -> list[list[int]]:
        """For each instruction where a thread may stop: the locals that matter from there on.

        `listed`: so do the outcomes of violations, which make no difference where the first one ends the run.
        """
        if listed not in self._matters:
            errors = set[int]().union(*self.failing) if listed else ()
            self._matters[listed] = live_at_stops(self.code, errors)
        return self._matters[listed]

    @cached_property
    def _matters(self) -> dict[bool, list[list[int]]]:
        return {}

    @cached_property
    def _listed(self) -> list[tuple[str, Variable, int]]:
        """What final states list: its name, the variable, and its place among the values that the core gives.

        The core has registers first; here are variables of threads before cells, whatever these have become.
        """
        code = self.code
        own = [
            (thread.name, thread.locals[n], dict(thread.cells).get(n)) for thread in code.threads for n in thread.shown
        ]
        given = [*own, *(("", code.cells[cell], cell) for cell in self.observed)]
        found = []
        for place, (thread, variable, cell) in sorted(enumerate(given), key=_cell_of):
            name = f"{thread}:{variable.name}" if cell is None else variable.name
            found.append((name, variable, place))
        return found

    @property
    def final_values(self) -> list[str]:
        """The names of what final states list: `process:variable`, then shared variables and cells (`a[0]`)."""
        return [name for name, _, _ in self._listed]

    def state(self, values: Sequence[int]) -> State:
        """A final state of the core."""
        return {name: self.value(variable, values[place]) for name, variable, place in self._listed}

    def value(self, variable: Variable, value: int) -> Value:
        """What a variable's value is in the core, as results have it."""
        if variable.pointer and value in self._addresses:
            return Address(value, self._addresses[value])
        if variable.unsigned:
            return value % (1 << 8 * abs(variable.width))
        return bool(value) if variable.type == "bool" else value

    @cached_property
    def allocated(self) -> dict[str, Position]:
        """Where objects are allocated that are."""
        return {object_.name: object_.position for object_ in self.program.objects if object_.position is not None}

    @cached_property
    def _addresses(self) -> dict[int, str]:
        """What addresses are called: by the largest of what begins there."""
        found = {object_.address: object_.name for object_ in self.program.objects}
        starts, seen = sorted(found), set(found.values())
        for cell in self.code.cells:
            after = bisect_right(starts, cell.address)
            name = found[starts[after - 1]] if after else ""
            if name and cell.name.startswith(name):
                ends = [place.start() for place in _PARTS.finditer(cell.name, len(name) + 1)]
                for part in (cell.name[:end] for end in [*ends, None]):
                    if part not in seen:
                        seen.add(part)
                        found.setdefault(cell.address, part)
        return found

    def judge(self, values: Sequence[int]) -> Judgement:
        """What the requirement says of a final state of the core."""
        if self.requirement is None:
            return Judgement.COUNTS
        state = self.state(values)
        if not self.requirement.counts(state):
            return Judgement.LEFT_OUT
        return Judgement.COUNTS if self.requirement.met(state) else Judgement.FORBIDDEN

    def at_end(self, filter: Filter) -> dict[int, str]:
        """The constraints, by number, that are checked on whole executions only, with the reason."""
        if filter == "in-situ":
            return self.strategy.at_end
        reason = "all constraints are checked at the end, as asked for"
        return {number: reason for number, constraint in enumerate(self.model.constraints) if not constraint.flag}

    def demoted(self, filter: Filter) -> dict[str, str]:
        """The same by the constraints' names."""
        return {self.model.constraints[number].name: reason for number, reason in self.at_end(filter).items()}

    def unconstrained(self) -> Problem:
        """The same program without what the model demands: all executions that can be built."""
        free = replace(self.model, constraints=())
        strategy = strategy_of(free, _needs(self.program, self.code, classes=False))
        return replace(self, asked=free, model=free, strategy=strategy, demanded=(), classes=False)


def problem(
    program: Program,
    model: Model,
    observed: Iterable[int] | None = None,
    reference: Model | None = None,
    classes: bool = False,
    private: bool = False,
    parts: bool = False,
    asker: str = "this",
) -> Problem:
    """The problem of a checked program under a model.

    `observed` are the cells that final states list; None: those of scalar variables. Those that the program's
    requirement speaks of are always among them. What ends otherwise than `reference` allows is a violation. Raises
    ProgramError and LimitError as `lower` does, and UnsupportedError for orders that the model does not know, and for
    accesses of several parts where it does not say what they do, or where the caller, whose name is `asker`, does not
    know them (not `parts`).
    """
    if reference is not None:
        for_model(program, reference)  # which has to know its orders as well
    told = _told_apart(for_model(program, model), model, reference)
    if not all(facts(each).buffering for each in (model, reference) if each is not None):
        told = with_arrivals(told, ordered=False)
    if private and not classes and reference is None and are_updates(model):
        told = with_updates(told, may_fail(model))
    code, requirement = lower(told, program.aims and facts(model).unaddressed), program.requirement
    if code.parts is not None:
        _refuse_parts(code, model, reference, None if parts else asker)
    cells = set(code.scalars if observed is None else observed)
    if requirement is not None:
        cells |= {number for number, cell in enumerate(code.cells) if cell.name in requirement.cells}
    needs = _needs(program, code, classes)
    for each in (model, reference) if program.mixed else ():
        _refuse_mixed(program, each)
    for each in (model, reference) if any("hidden" in kind.tags for kind in code.classes) else ():
        _refuse_unless_hidden(program, each)
    for each in (
        (model, reference) if any("sync-srcu" in kind.tags or "srcu-end" in kind.tags for kind in code.classes) else ()
    ):
        _refuse_srcu(program, each)
    made = ready(model, needs)
    adapted = made.model
    demanded: tuple[int, ...] = ()
    if reference is not None:
        own = len(adapted.constraints)
        demands = usual(of_tags(reference, needs.tags), needs.parts)
        adapted = with_demands(adapted, with_atomic_blocks(demands) if needs.blocks else demands)
        demanded = tuple(range(own, len(adapted.constraints)))
    if any(_CLAIMS & kind.tags for kind in code.classes):
        adapted = with_exclusive(adapted, program.source)
    if any(instruction.op is Op.OBJECT for instruction in code.instructions):
        adapted = with_lifetimes(adapted, program.races is not False)
    if program.accepted:
        from xgen.lowering.accepted import with_accepted as accepting  # rarely needed

        adapted, code = with_accepted(adapted), accepting(code, program.accepted)
    if private and code.parts is None and program.leaks is None:
        code = _with_private_cells(program, code, adapted, frozenset(cells))
        cells.difference_update(cell for thread in code.threads for _, cell in thread.cells)
    if any(i.op is Op.PREDICT and i.c == ADDRESS for i in code.instructions):
        from xgen.lowering.known import with_known_addresses  # rarely needed

        code = with_known_addresses(code)
    observed = tuple(sorted(cells))
    return Problem(
        program,
        code,
        model,
        adapted,
        made.strategy,
        observed,
        requirement,
        reference,
        demanded,
        classes,
        private,
        parts,
    )


def _told_apart(program: Program, *models: Model | None) -> Program:
    """The program without edges that differ from others only in dependencies, where no model speaks of these."""
    procedures = [procedure for process in program.processes for procedure in process.procedures]
    if not any(edge.same for procedure in procedures for edge in procedure.edges) or any(
        model is not None and not operators(model).isdisjoint(DEPENDENCIES) for model in models
    ):
        return program
    return with_edges(program, lambda edges: tuple(edge for edge in edges if not edge.same))


def _refuse_mixed(program: Program, model: Model | None) -> None:
    """Raises UnsupportedError for atomic accesses of several sizes where a model is one of a language."""
    if model is not None and model.name in OF_LANGUAGES and program.mixed is not None:
        position, what = program.mixed
        message = f"C gives {what} no meaning (model {model.name})"
        hint = "--mixed-atomics takes each as one access; so do models of hardware: --mcm arm8"
        raise UnsupportedError(message, position.source or program.source, position, hint)


def _refuse_unless_hidden(program: Program, model: Model | None) -> None:
    """Raises UnsupportedError where fences and barriers would be plain accesses to a model."""
    if model is not None and "hidden" not in known_tags(model):
        message = f"the model {model.name} does not know fence.sc and barriers of GPUs, which the program has"
        hint = "ptx, vulkan and opencl do, and .cat models for these"
        raise UnsupportedError(message, file=program.source.name, hint=hint)


def _refuse_srcu(program: Program, model: Model | None) -> None:
    """Raises UnsupportedError where critical sections of SRCU would be reads and writes to a model."""
    if model is not None and "sync-srcu" not in known_tags(model):
        message = f"the model {model.name} does not know SRCU, which the program has"
        raise UnsupportedError(message, file=program.source.name, hint="--mcm lkmm does")


def _with_private_cells(program: Program, code: Code, model: Model, listed: frozenset[int]) -> Code:
    """The code with the cells as locals that one thread alone uses, if the model does not see that."""
    whole = code
    if program.absent:  # what is in these cells may lead to others
        whole = code.with_cells(program.absent, range(len(program.absent)))
    found = private_cells(whole)
    if not found:
        return code
    from xgen.memory.statics.unobserved import why_observed  # long to import, and rarely asked

    if why_observed(model, frozenset(whole.classes)) is not None:
        return code
    return with_locals(code, found, listed)


def _cell_of(listed: tuple[int, tuple[str, Variable, int | None]]) -> int:
    """Where something stands among what final states list: by its cell; before all cells, if it has none."""
    cell = listed[1][2]
    return -1 if cell is None else cell


def _needs(program: Program, code: Code, classes: bool) -> Needs:
    """What a program needs of its model, in this form."""
    operations = {instruction.op for instruction in code.instructions}
    tags = {tag for kind in code.classes for tag in kind.tags}
    return Needs(
        tags=frozenset(tag for tag in tags if "." in tag),
        barriers="bar" in tags,
        updates=Op.RMW in operations,
        exclusive=Op.STOREX in operations,
        exclusives=code.split_updates or not operations.isdisjoint((Op.LOADX, Op.STOREX)),
        split=code.split_updates,
        parts=code.parts is not None,
        blocks=any(thread.block >= 0 for thread in code.threads),
        races=program.races,
        classes=classes,
    )


_CLAIMS = frozenset(("exclusive-writer", "exclusive-access"))
"""Tags of accesses that assert something of others."""
SPEAK_OF_PARTS = ("sc", "tso", "arm8", "ra", "rc11", "rc11-c20", "lkmm")
"""The shipped models that say what accesses of several parts do."""
OF_LANGUAGES = ("ra", "rc11", "rc11-c20")
"""Those of them that are not models of a machine."""


def _refuse_parts(code: Code, model: Model, reference: Model | None, asker: str | None) -> None:
    """Raises UnsupportedError for a program with accesses of several parts that cannot be explored, or that `asker`
    does not know."""
    site = code.parts
    assert site is not None
    for each in (model, reference):
        if each is not None and algebra.Op.SI not in operators(each):
            message = f"the model {each.name} does not say what accesses of several sizes to the same bytes do"
            hint = f"no `si` is in it; models that do: {', '.join(SPEAK_OF_PARTS)}"
            raise UnsupportedError(message, code.source, site.position, hint)
    if any(thread.block >= 0 for thread in code.threads):
        message = "accesses of several sizes are not supported in programs with atomic blocks"
        raise UnsupportedError(message, code.source, site.position)
    if asker is not None or reference is not None:
        message = f"{asker or '`--robust`'} does not know accesses of several sizes to the same bytes yet"
        hint = "`xgen litmus`, `explain`, `fences`, and `check` where it visits executions, know them"
        raise UnsupportedError(message, code.source, site.position, hint)
