"""The answer of a check: outcomes, counters, the verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Literal

from xgen.errors import listed
from xgen.executions import rendering
from xgen.executions.answer import Answer
from xgen.executions.coverage import Coverage
from xgen.executions.execution import Execution, State, Value
from xgen.executions.sample import Sample
from xgen.executions.satisfiability import Satisfiability
from xgen.executions.weakened import Weakened
from xgen.records import dataclass

Verdict = Literal["safe", "safe-within-bound", "violation", "interrupted", "vacuous"]
"""What a check says. "vacuous": nothing goes wrong, but no execution completes (within the bound, if it cut any), so
that this says nothing; the JSON document calls such a program safe, as it always has, and `vacuous`."""

Classes = Literal["rf", "values", "seen"]
"""What executions of a class have in common: the same reads-from; the same values that reads read; or what reads leave
in their threads, as far as that matters."""
Partition = Literal["off", "rf", "values", "seen"]
"""What is explored: each execution, or one of each class."""
LoadBuffering = Literal["absent", "possible"]
"""Whether executions of a program have a cycle in po | rf, as far as that was found out."""

Schedule = Literal["fair", "hsa", "obe", "lobe"]
"""Which threads go on, whatever else happens: each; the first of those that have not ended; those that have begun;
those that have begun, and each with a lower number."""

MOST_PLACES = 4
"""Of such rounds, that are named."""
NOT_AS_REQUIRED = "final states are not as required"
"""What is said where an execution ends in a state that its program does not want: no thread is at fault."""


def undone(left_out: Sequence[str]) -> str:
    """What is not known of rounds at these places in which threads undo what they have done."""
    named = [*left_out[:MOST_PLACES], *(["other places"] * (len(left_out) > MOST_PLACES))]
    rounds = f"rounds of {listed(named, 'and')} were left out"
    return f"whether threads undo each other's work for ever is not known: {rounds}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """A final state (`process:variable` and shared variables) of complete executions, with their number.

    `violations` of the `count` executions end in a violation.
    """

    state: State
    count: int
    violations: int = 0


@dataclass(frozen=True, slots=True)
class Met:
    """An accepted finding that an execution shows: its kind, where it is accepted, and what it is in words."""

    kind: str
    file: str
    line: int
    message: str


@dataclass(frozen=True, repr=False)
class Result:
    """The answer of a check and what it rests on.

    executions  complete consistent executions; blocked, bounded: consistent ones that are not complete
    stuck       blocked ones in which each thread that has not ended waits for what nobody does any more
    violations  consistent executions (complete or not) with a violation
    explored    graphs visited; revisits_tried, revisits: backward revisits considered and carried out
    dead_ends   graphs in which some read could no longer read from any write; held: the most graphs held at one time
    load_buffering  under a model that allows it: the program has none, which was found out while it was explored in the
                order of its threads; or it may have some, so that threads ran ahead; None: that was not asked
    classes     of executions with the same events and the same reads-from, where those were explored (`partition`);
                lost: graphs of which reads-from allowed no modification order; refused: graphs of which reads could
                not read what they were to
    orbits      classes but for the names of threads that do the same; or complete executions but for these, where
                those that differ by names only were counted and not all visited; else 0
    components  so many parts that share nothing were explored one by one (only where classes were explored)
    cones       the parts of the program that were explored one by one, for the verdict only; None: it was whole
    counted     the numbers of executions are exact; else there are at least so many (only where classes were explored)
    duplicates  executions met twice among the first `duplicates_checked` (an error of xgen where it is not 0)
    outcomes    final states of the complete executions; outcomes_complete: none was left out for being too many
    traces      the executions that were kept, as they were found
    flags       the model's flags that consistent executions (complete or not) raise, each with their number
    demoted     constraints that were only checked on whole executions: name and reason
    cut         the bound made a difference: it cut executions, or what some read waited for
    stopped     why an interrupted run stopped; "samples": all that were asked for were made; "incomplete": nothing goes
                wrong, but of the whole no execution was found that completes
    sample      what random samples show, where those were made; then each number is of the executions among them, once
                each, and a violation that is there may not have been met
    sat         what it took, where a solver gave the verdict; then no executions were counted, and there are no
                outcomes
    warnings    what the user should know, one sentence each
    lost_parts  of a long run: what killed its workers each time, and was left out; run: by whom it was explored
    coverage    the lines that executions come to, where that was asked
    weakened    where that was asked: whether it is noticed that an order is weaker; () where the program is not safe
    answer      of a task of SV-COMP: whether its property holds
    headers     of a C program: whose it was read with, "own" or "cc"; ignored: flags of compilers that said nothing
    map         "none": the text was taken as it stands, though the model does not know all its orders, perhaps
    thin_air    the model may allow executions in which a value justifies itself, which are not built
    constants   of the program's text that were given another value: their names and these values
    accepted    known findings that were accepted and seen: they are no violations
    liveness    stuck executions are violations; waits: where threads wait in them (`p0 at line 3`)
    schedule    which threads go on, where liveness was asked
    left_out    where liveness was asked and nothing goes wrong: where (`a.c:3`) threads give back what they hold and
                try again, in rounds that were left out; whether these follow each other for ever is not known
    """

    program: str
    model: str
    verdict: Verdict
    demoted: dict[str, str] = field(default_factory=dict)
    executions: int = 0
    blocked: int = 0
    stuck: int = 0
    bounded: int = 0
    violations: int = 0
    explored: int = 0
    revisits_tried: int = 0
    revisits: int = 0
    dead_ends: int = 0
    held: int = 0
    duplicates: int = 0
    duplicates_checked: int = 0
    outcomes: Sequence[Outcome] = ()
    outcomes_complete: bool = True
    witness: Execution | None = None
    traces: Sequence[Execution] = ()
    max_depth: int | None = None
    all_states: bool = False
    filter: Literal["in-situ", "final"] = "in-situ"
    seconds: float = 0.0
    peak_kib: int = 0
    stopped: Literal["interrupt", "timeout", "lost", "samples", "incomplete"] | None = None
    flags: dict[str, int] = field(default_factory=dict)
    warnings: tuple[str, ...] = field(default=())
    cut: bool = False
    liveness: bool = False
    schedule: Schedule = "fair"
    waits: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    partition: Partition = "off"
    classes: int = 0
    orbits: int = 0
    refused: int = 0
    lost: int = 0
    components: int = 1
    counted: bool = True
    cones: tuple[str, ...] | None = None
    lost_parts: tuple[str, ...] = ()
    run: Mapping[str, str | int | float] | None = None
    sample: Sample | None = None
    sat: Satisfiability | None = None
    coverage: Coverage | None = None
    weakened: tuple[Weakened, ...] | None = None
    answer: Answer | None = None
    headers: str | None = None
    ignored: tuple[str, ...] = ()
    map: Literal["none"] | None = None
    thin_air: bool = False
    load_buffering: LoadBuffering | None = None
    accepted: tuple[Met, ...] = ()
    constants: tuple[tuple[str, str], ...] = ()

    @property
    def certified(self) -> bool:
        """Whether nothing was lost: all that was to be explored was."""
        return self.stopped is None

    @property
    def exhaustive(self) -> bool:
        """Whether all executions were explored, without a bound that cut any, without an early stop, and
        without rounds of which it is not known whether they go on for ever."""
        early = self.verdict == "violation" and not self.all_states
        return self.certified and not early and not self.cut and not self.left_out

    @property
    def but_for_names(self) -> int | None:
        """The complete executions that were counted, up to the names of symmetric threads; None: all were visited."""
        return self.orbits if self.orbits and self.partition == "off" else None

    @property
    def unmet(self) -> str | None:
        """The sentence that says what is required of final states, where the violation is that it does not hold."""
        if self.witness is None or self.witness.violations:
            return None
        return next((each for each in self.warnings if each.startswith(NOT_AS_REQUIRED)), None)

    @property
    def vacuous(self) -> bool:
        """Whether nothing was found because no execution completes, which says nothing about the program."""
        return self.verdict == "vacuous"

    def table(self) -> list[dict[str, Value]]:
        """The outcomes as rows: the final values by their names, then `count` and `violations`."""
        return [{**o.state, "count": o.count, "violations": o.violations} for o in self.outcomes]

    def __repr__(self) -> str:
        many = f"{'' if self.counted else 'at least '}{self.executions} execution{'s' * (self.executions != 1)}"
        return f"<Result: {self.program} under {self.model}: {self.verdict}, {many}>"

    def _repr_html_(self) -> str:
        """How a notebook shows the result."""
        return rendering.of().result_to_fragment(self)
