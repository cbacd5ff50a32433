"""Fences: all minimal sets of fences and stronger orders that make a program safe under a memory model.

The sets of *atoms* ("at least this kind of fence here") that are still unsafe are closed downwards, and minimal.py
finds the minimal ones that are safe. A violating execution that was found for one set often shows that others are
unsafe, too: it is asked first (counterexamples.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Literal

from xgen.analyses.check.case import see_that_waits_show
from xgen.analyses.fences.c_text import (
    accesses_of,
    c_kinds,
    c_place_unsaid,
    c_sources,
    c_texts_with,
    gaps_of,
    has_c_text,
    is_of_ir,
    without_word,
)
from xgen.analyses.fences.counterexamples import Counterexample, Judge
from xgen.analyses.fences.demands import Answer, Demand, Reason, Stopped, Witness, ask, formula_forbids, see_allowed
from xgen.analyses.fences.kinds import Kind, default_kinds, has_orders, orders_nothing, own_kinds, read_kinds
from xgen.analyses.fences.litmus_text import litmus_text_with
from xgen.analyses.fences.minimal import MinimalSets, members
from xgen.analyses.fences.scopes import Scopes, is_store, scopes_of, with_cell
from xgen.analyses.fences.sites import (
    Atom,
    Piece,
    Site,
    behind_stores,
    insert,
    make_atoms,
    pieces_of,
    removed_fences,
    statement_at,
    together,
    without_fences,
)
from xgen.analyses.orders import OrderSpot, said_orders, spot_of, with_orders
from xgen.clock import Clock
from xgen.engine.problem import problem
from xgen.errors import Position, UsageError, XgenError, nearest
from xgen.memory.adapt import families
from xgen.memory.algebra import Model
from xgen.memory.statics.insertion import only_forbids
from xgen.memory.statics.vocabulary import known_tags
from xgen.program.automaton import Fence, Program
from xgen.program.edit import Edit, edited
from xgen.records import dataclass, replace
from xgen.sources import given

if TYPE_CHECKING:
    from xgen.engine.symbolic import Abstraction

Verdict = Literal["safe", "fenced", "fenced-within-bound", "not-repairable", "interrupted", "vacuous"]
"""The answer. "vacuous": placements were found, but with one of them no execution completes, so that it says nothing
that none goes wrong."""
ENDLESS = (
    "a loop that writes while it waits goes on for ever without a bound: --max-depth gives one, and --unbounded proves"
    " without (under sc, tso and pso)"
)
PROVED = "a check comes to no end with this: the placements are proved, as with --unbounded"
WITHIN = (
    "a check comes to no end with this: the placements are safe within {} events per process, fences that were put in"
    " not counted; --max-depth gives another bound"
)
Sites = Literal["all", "after-stores"]
"""Where fences may stand."""


@dataclass(frozen=True)
class Placement:
    """A minimal set of fences and orders; `needed` has for each of `pieces` what comes back without it.

    `vacuous`: with them no execution completes, within the bound if there is one.
    """

    cost: int
    pieces: tuple[Piece, ...]
    needed: tuple[Witness | None, ...] = ()
    vacuous: bool = False


@dataclass(frozen=True)
class Placements:
    """The answer of `find_fences`.

    base         the program without the fences that were looked at; placements are put into it
    placements   the minimal ones, the cheapest first
    complete     there are no others; `why_not` says why there may be
    monotone     whether the model's form shows that fences and orders only take away behaviour
    sites        places where something could be put; `kinds` are the kinds of fences
    runs         checks that were made; executions: those that they met
    witness      the violation that is left with everything in place
    bounded      safe means: within the bound
    demand       what was asked for; `settled`: what is known of the placements, with the bound or the proofs that were
                 needed because a check comes to no end
    warnings     what the user should know, one sentence each
    relaxed      the program's own orders did not count: what placements have is all that is needed
    """

    program: Program
    base: Program
    model: str
    verdict: Verdict
    placements: tuple[Placement, ...] = ()
    complete: bool = False
    why_not: str = ""
    monotone: bool = False
    sites: int = 0
    kinds: tuple[Kind, ...] = ()
    runs: int = 0
    executions: int = 0
    counterexamples: int = 0
    witness: Witness | None = None
    bounded: bool = False
    demand: Demand = field(default_factory=Demand)
    settled: Demand = field(default_factory=Demand)
    warnings: tuple[str, ...] = ()
    seconds: float = 0.0
    stopped: Reason | None = None
    relaxed: bool = False

    def apply(self, number: int = 0) -> Program:
        """The program with a placement."""
        return insert(self.base, self.placements[number].pieces)

    @property
    def texts(self) -> dict[str, str]:
        """The texts that the program is made of, by the names of their files, its own first."""
        sources = c_sources(self.program) if has_c_text(self.program) else [self.program.source]
        return {source.name: source.text for source in sources}


def find_fences(
    program: Program,
    model: Model,
    *,
    kinds: str | None = None,
    orders: bool | Literal["only"] = False,
    relax: bool = False,
    only: Sequence[str] = (),
    sites: Sites = "all",
    keep: bool = False,
    uniform: bool = False,
    cheapest: bool = False,
    limit: int = 1000,
    max_depth: int | None = None,
    liveness: bool = False,
    robust: Model | None = None,
    unbounded: bool = False,
    deadlock: bool = False,
    formula: str | None = None,
    buffer: int | None = None,
    why: bool = False,
    timeout: float | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> Placements:
    """All minimal sets of fences (and `orders` of accesses) that make a program safe under a model.

    orders     stronger orders of accesses, too; "only": and no fences
    relax      with `orders`: the program's own do not count, and come back as needed: the weakest are looked for
    kinds      of fences, with their costs: `lwsync=1<sync=3,isync=1`; None: those of the model's architecture
    only       processes that may be changed; none: all
    sites      "after-stores": fences stand directly behind stores and updates only
    keep       the program's fences stay; else those of the kinds asked for are taken out first, and put back as needed
    uniform    processes that differ in names and numbers only get the same
    cheapest   only the placements of least cost
    limit      at most so many placements
    max_depth  safe means: within so many events per thread, inserted fences not counted
    liveness   no thread may wait for ever, either
    robust     all executions have to be such as this model allows, sc for instance
    unbounded  ask for proofs, as `xgen.prove` does: loops without an end, under sc, tso and pso
    deadlock   with `unbounded`: there may be no deadlock, either
    formula    of linear temporal logic: it has to hold in all fair runs, as `xgen.ltl` says it, under sc, tso and pso
               with `buffer` delayed stores; None: 4
    why        for each fence of each placement, an execution that comes back without it

    Of a litmus test, what is not to happen is what it asks for (`exists`), or what it forbids; with `robust` or a
    `formula`, its condition does not matter.
    on_progress is called with the runs so far and the placements

    Raises UsageError for kinds, names and numbers that make no sense, else what `check` raises.
    """
    see_allowed(orders, relax, sites)
    _see_what_is_asked(program, model, only, orders, relax, limit)
    known = known_tags(model)
    if liveness:
        see_that_waits_show(program)
    demand = Demand(max_depth, liveness, robust, unbounded, deadlock, formula, buffer)
    program = _as_asked(program, demand)
    clock = Clock(timeout)
    scopes = _scopes(program, model)
    asked = _kinds(program, model, kinds, scopes)
    base = program if keep else without_fences(program, asked, only, scopes)
    base = with_cell(base, asked) if scopes else base
    base, gaps, accesses = _places(base, orders, relax, only)
    if sites == "after-stores":
        gaps = behind_stores(base, gaps)
    if uniform and not (has_c_text(program) or is_of_ir(program)):
        gaps, accesses = together(base, gaps), together(base, accesses)
    atoms = make_atoms(gaps, accesses, asked, known, scopes)
    meant = problem(base, model, reference=robust, parts=True)
    stores = any(is_store(kind.name) for kind in asked)
    monotone, reason = only_forbids(meant.model, bool(orders), meant.demanded, stores)
    if scopes and orders and monotone:
        monotone, reason = False, "wider scopes may allow more"
    if formula is not None:
        monotone, reason = formula_forbids(base, model, formula)
    # It takes each part for an access, and knows nobody who meets others.
    judge = Judge(meant) if meant.code.parts is None and not meant.code.groups else None
    search = _Search(base, model, atoms, demand, clock, judge, monotone, on_progress)
    if (unsaid := without_word(program, [kind.name for kind in asked])) is not None:
        search.warnings |= {unsaid: None}
    try:
        found = search.all(cheapest, limit)
        if why:
            found = [search.explained(solution) for solution in found]
        stopped = None
    except (Stopped, KeyboardInterrupt) as error:
        found = search.found
        stopped = error if isinstance(error, Stopped) else Stopped("interrupt")
    answer = search.answer(program, found, (monotone, reason), stopped, (cheapest, limit), asked)
    return replace(answer, relaxed=relax)


def _as_asked(program: Program, demand: Demand) -> Program:
    """A litmus test with what is not to happen in the end."""
    if program.question is None:
        return program
    unwanted = program.question.unwanted if demand.robust is None and demand.formula is None else None
    return replace(program, requirement=unwanted)


def _kinds(program: Program, model: Model, kinds: str | None, scopes: Scopes | None) -> tuple[Kind, ...]:
    """The kinds of fences that are asked for, or those of the model's architecture, of C if it is in C."""
    if scopes is not None:
        found = read_kinds(scopes.kinds() if kinds is None else kinds, scopes.words())
        for kind in found:
            if not scopes.is_fence(kind.name):
                message = f"`{kind.name or kinds}` is no kind of fence of {scopes.name}"
                raise UsageError(message, hint=nearest(kind.name, sorted(scopes.words())), file=kinds)
        return found
    if kinds is None:
        kinds = c_kinds(known_tags(model)) if has_c_text(program) else default_kinds(model)
        if has_c_text(program) and orders_nothing(model, kinds):
            kinds = default_kinds(model)
    return read_kinds(kinds, own_kinds(model))


def _scopes(program: Program, model: Model) -> Scopes | None:
    """The scopes of a program for GPUs, if the model speaks of them. Raises UsageError where it has none."""
    if not families(model):
        return None
    found = scopes_of(program)
    if found is None:
        message = (
            f"fences with scopes, which {model.name} speaks of, are proposed for threads that stand in groups only"
        )
        raise UsageError(message, hint="expected a test of PTX, Vulkan or OpenCL", file=program.source.name)
    return found


def with_everything(program: Program, model: Model, *, orders: bool) -> Program:
    """The program with all fences, and all `orders`, that `find_fences` would try; if it is unsafe, none helps."""
    scopes = _scopes(program, model)
    asked = _kinds(program, model, None, scopes)
    base = without_fences(program, asked, scopes=scopes)
    base = with_cell(base, asked) if scopes else base
    base, gaps, accesses = _places(base, orders, False, ())
    atoms = make_atoms(gaps, accesses, asked, known_tags(model), scopes)
    return insert(base, pieces_of(atoms, (1 << len(atoms)) - 1))


def _see_what_is_asked(
    program: Program, model: Model, only: Sequence[str], orders: bool | Literal["only"], relax: bool, limit: int
) -> None:
    """Raises UsageError for what makes no sense, or is not done."""
    if limit < 1:
        raise UsageError(f"the number of placements must be at least 1, not {limit}")
    _check_names(program, only)
    if relax and families(model):
        raise UsageError("`relax` is not for orders with scopes")
    if orders and not has_orders(known_tags(model)):
        raise UsageError(f"the model {model.name} knows no orders of accesses (acquire, release)")


def _places(
    base: Program, orders: bool | Literal["only"], relax: bool, only: Sequence[str]
) -> tuple[Program, list[Site], list[Site]]:
    """Where fences can stand, and the accesses whose orders may be others; the program without the orders that do not
    count."""
    accesses = accesses_of(base, only) if orders else []
    if relax:
        said = said_orders(base)
        base = relaxed(base, accesses)
        accesses = [site for site in accesses_of(base, only) if spot_of(base, site.position) in said]
    return base, [] if orders == "only" else gaps_of(base, only), accesses


def relaxed(program: Program, accesses: Iterable[Site]) -> Program:
    """The program with relaxed accesses where they have an order of C; not where a compare-exchange does not write."""
    places = {spot_of(program, site.position) for site in accesses}
    said = {spot: each for spot, each in said_orders(program).items() if not isinstance(each.statement, Fence)}
    return with_orders(program, {spot: "relaxed" for spot in said if spot in places})


def changed_orders(answer: Placements, number: int = 0) -> dict[OrderSpot, tuple[str, str]]:
    """The orders of the program that are others with a placement: what they are, and what they become."""
    before, after = said_orders(answer.program), said_orders(answer.apply(number))
    return {
        spot: (said.order, after[spot].order)
        for spot, said in before.items()
        if spot in after and after[spot].order != said.order and not isinstance(said.statement, Fence)
    }


def kept_orders(answer: Placements) -> dict[OrderSpot, str]:
    """The orders that a `relaxed` answer did not try weaker: said where they cannot be changed, or not asked for."""
    return {
        spot: said.order
        for spot, said in said_orders(answer.base).items()
        if said.order != "relaxed" and not spot.failing and not isinstance(said.statement, Fence)
    }


def _check_names(program: Program, only: Sequence[str]) -> None:
    names = {process.name for process in program.processes}
    names |= {name.partition("[")[0] for name in names}
    for name in only:
        if name not in names:
            raise UsageError(f"there is no process `{name}`", file=program.source.name, hint=nearest(name, names))


@dataclass(frozen=True)
class _Solution:
    chosen: int
    needed: tuple[Witness | None, ...] = ()


@dataclass
class _Search:
    """The search for one program; sets of atoms are ints with a bit for each."""

    base: Program
    model: Model
    atoms: Sequence[Atom]
    demand: Demand
    clock: Clock
    judge: Judge | None
    monotone: bool
    on_progress: Callable[[int, int], None] | None = None
    found: list[_Solution] = field(default_factory=list)
    known: dict[int, Answer] = field(default_factory=dict)
    graphs: list[Counterexample] = field(default_factory=list)
    abstraction: tuple[Abstraction, int] | None = None  # of the last proof
    endless: tuple[str, ...] = ()  # for which loops checks were given up
    settled: Demand | None = None
    witness: Witness | None = None
    bounded: bool = False
    warnings: dict[str, None] = field(default_factory=dict)
    runs: int = 0
    executions: int = 0
    counterexamples: int = 0

    def __post_init__(self) -> None:
        self.sets = MinimalSets(
            [atom.cost for atom in self.atoms],
            lambda chosen: self.run(chosen).unsafe,
            [atom.below for atom in self.atoms],
            monotone=self.monotone,
            is_shown=self.shown,
        )

    # ---- asking

    def run(self, chosen: int) -> Answer:
        """Asks about the program with these atoms; about each once."""
        if chosen in self.known:
            return self.known[chosen]
        pieces = pieces_of(self.atoms, chosen)
        program = insert(self.base, pieces)
        stores = any(piece.site.is_gap and is_store(piece.word) for piece in pieces)
        judge = None if stores else self.judge  # it takes fences out, and no writes
        answer = ask(program, self.model, self.demand, self.clock.left(), judge, self.abstraction, self.endless)
        self.runs += 1
        self.executions += answer.executions
        self.known[chosen] = answer
        self.endless = self.endless or answer.endless
        if answer.unsafe:
            self.counterexamples += 1
            if answer.shown is not None:
                self.graphs.append(answer.shown)
        else:
            self.abstraction = answer.abstraction or self.abstraction
            self.bounded |= answer.bounded
            self.settle(answer.demand)
            self.warn(answer.warnings)
        if self.on_progress is not None:
            self.on_progress(self.runs, len(self.found))
        return answer

    def settle(self, demand: Demand | None) -> None:
        """Of two demands that were answered in the place of the one that was asked for, the weaker one is kept."""
        if demand is None or (self.settled is not None and demand.unbounded):
            return
        before = self.settled.max_depth if self.settled is not None else None
        if before is None or (demand.max_depth or before) < before:
            self.settled = demand

    def warn(self, sentences: Iterable[str]) -> None:
        """Keeps what the user should know, but of fences that were put in."""
        own = [f"`fence[{atom.kind.name}]`" for atom in self.atoms]
        said = (sentence for sentence in sentences if not any(fence in sentence for fence in own))
        self.warnings |= dict.fromkeys(sentence.removeprefix("note: ") for sentence in said)

    def shown(self, chosen: int) -> bool:
        """Whether a counterexample that is there already shows that a set is unsafe."""
        if self.clock.over():
            raise Stopped("timeout")
        pieces = pieces_of(self.atoms, chosen)
        for place, graph in enumerate(self.graphs):
            if graph.shows(pieces):
                self.graphs.insert(0, self.graphs.pop(place))
                return True
        return False

    def all(self, cheapest: bool, limit: int) -> list[_Solution]:
        """The minimal safe sets, the cheapest first; `found` has them as they are found."""
        for chosen in self.sets:
            self.found.append(_Solution(chosen))
            if len(self.found) >= limit:
                break
            if cheapest:
                self.sets.most = self.sets.cost(self.found[0].chosen)
        everything = self.known.get(self.sets.everything)
        if everything is not None and everything.unsafe:
            self.witness = everything.witness
        return self.found

    # ---- answering

    def rank(self, solution: _Solution) -> tuple[int, int, tuple[int, ...]]:
        """What placements are ordered by: their cost; of equal ones, those with the fewest fences come first."""
        fences = sum(piece.site.is_gap for piece in pieces_of(self.atoms, solution.chosen))
        return self.sets.cost(solution.chosen), fences, tuple(members(solution.chosen))

    def explained(self, solution: _Solution) -> _Solution:
        """With an execution for each piece: what comes back where it is one step weaker."""
        needed = []
        for piece in pieces_of(self.atoms, solution.chosen):
            top = next(n for n in self.sets.tops(solution.chosen) if self.atoms[n].site is piece.site)
            needed.append(self.run(solution.chosen & ~(1 << top)).witness)
        return _Solution(solution.chosen, tuple(needed))

    def answer(
        self,
        program: Program,
        found: Sequence[_Solution],
        monotone: tuple[bool, str],
        stopped: Stopped | None,
        asked: tuple[bool, int],
        kinds: tuple[Kind, ...],
    ) -> Placements:
        placements = tuple(
            Placement(
                self.sets.cost(s.chosen),
                tuple(pieces_of(self.atoms, s.chosen)),
                s.needed,
                s.chosen in self.known and self.known[s.chosen].vacuous,
            )
            for s in sorted(found, key=self.rank)
        )
        placements = _different(placements)
        needed = bool(placements) and bool(placements[0].pieces)
        verdict: Verdict
        if self.witness is not None:
            verdict = "not-repairable"
        elif not placements:
            verdict = "interrupted"
        elif any(placement.vacuous for placement in placements):
            verdict = "vacuous"
        elif not needed:
            verdict = "safe"
        else:
            verdict = "fenced-within-bound" if self.bounded else "fenced"
        cheapest, limit = asked
        why_not = ""
        if stopped:
            why_not = _why_stopped(stopped)
            if stopped.loops and self.demand.max_depth is None:
                self.warnings |= dict.fromkeys([*stopped.loops, ENDLESS])
        elif len(placements) >= limit and needed:
            why_not = f"the search ended after {limit}"
        elif cheapest and needed:
            why_not = "only those of least cost were asked for"
        elif not monotone[0] and (needed or not placements):
            why_not = monotone[1]
        self.warn(self.endless)
        if self.settled is not None:
            self.warn([WITHIN.format(self.settled.max_depth) if self.settled.max_depth else PROVED])
        return Placements(
            program,
            self.base,
            self.model.name,
            verdict,
            placements,
            not why_not,
            why_not,
            monotone[0],
            len({id(atom.site) for atom in self.atoms}),
            kinds,
            self.runs,
            self.executions,
            self.counterexamples,
            self.witness,
            self.bounded,
            self.demand,
            self.settled or self.demand,
            tuple(self.warnings),
            self.clock.seconds,
            stopped.reason if stopped else None,
        )


def _different(placements: tuple[Placement, ...]) -> tuple[Placement, ...]:
    """Each once, as the text has it: fences of two regions in two orders are one of both."""
    found: dict[object, Placement] = {}
    for placement in placements:
        found.setdefault(
            tuple((piece.site.is_gap, piece.site.places, piece.word) for piece in placement.pieces), placement
        )
    return tuple(found.values())


def _why_stopped(stopped: Stopped) -> str:
    told = {"timeout": "the time was over", "interrupt": "the search was interrupted"}
    return told.get(stopped.reason, f"a proof or a search came to no end: {stopped.why}")


def texts_with(answer: Placements, number: int = 0) -> dict[str, str] | None:
    """The texts of an .xcfa or C program, or a test for a GPU, with a placement, by the names of their files: its own,
    and the others that change. None for other programs, and for what texts cannot say.

    What C texts say may not be what was meant: `confirmed` tells.
    """
    source = answer.program.source
    pieces = answer.placements[number].pieces
    removed = removed_fences(answer.program, answer.base)
    if has_c_text(answer.program):
        return c_texts_with(answer.base, pieces, removed, changed_orders(answer, number) if answer.relaxed else None)
    if source.name.endswith(".litmus"):
        text = litmus_text_with(answer.base, pieces, removed)
        return None if text is None else {source.name: text}
    if not source.name.endswith(".xcfa"):
        return None
    edits = [Edit(fence, "instead", None) for fence in removed]
    base = answer.base
    if answer.relaxed:
        others = changed_orders(answer, number)
        said = said_orders(answer.apply(number)).items()
        edits += [Edit(each.statement, "instead", each.statement) for spot, each in said if spot in others]
        pieces = tuple(piece for piece in pieces if piece.site.is_gap)
    for piece in pieces:
        for place in piece.site.places:
            at = statement_at(base, place)
            if piece.site.is_gap:
                edits.append(Edit(at, "after" if place.after else "before", Fence(piece.word or None)))
            else:
                changed = statement_at(insert(base, [replace(piece, site=replace(piece.site, places=(place,)))]), place)
                edits.append(Edit(at, "instead", changed))
    return {source.name: edited(source, edits, answer.apply(number))}


def unsaid(answer: Placements, number: int = 0) -> Position | None:
    """The first place where the text of a C or C++ program cannot say a placement; None: it says all of it, or is no
    such text."""
    if not has_c_text(answer.program):
        return None
    removed, pieces = removed_fences(answer.program, answer.base), answer.placements[number].pieces
    return c_place_unsaid(answer.base, pieces, removed, changed_orders(answer, number) if answer.relaxed else None)


def confirmed(
    answer: Placements, model: Model, read: Callable[[str], Program], timeout: float | None, number: int = 0
) -> dict[str, str] | None:
    """The texts with a placement, read and checked again; None where they do not say what was meant. `read` makes a
    program of the own text; the others are read from these instead of from their files.
    """
    texts = texts_with(answer, number) if answer.placements else None
    if texts is None:
        return None
    own = answer.program.source.name
    try:
        with given({name: text for name, text in texts.items() if name != own}):
            program = _as_asked(read(texts[own]), answer.demand)
            return None if ask(program, model, answer.settled, timeout).unsafe else texts
    except (Stopped, XgenError):
        return None
