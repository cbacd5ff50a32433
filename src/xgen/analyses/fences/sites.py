"""Where fences and stronger orders can stand in a program, and putting them there.

A *gap* is a place in a thread's text next to an event, with an event somewhere before it and another somewhere behind
it. Gaps that every run passes together, with no event between, are one site. An *access* is a site too where orders are
asked for. What can be put at a site are *atoms*: "at least this kind of fence", "at least this order".
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from xgen.analyses.fences.kinds import Kind, joined, order_kinds, stronger
from xgen.analyses.fences.scopes import Scopes, access_of, fence_of, is_hidden, is_ordered_fence, joined_fences
from xgen.analyses.orders import with_order
from xgen.errors import Position
from xgen.frontends.mixed_size.parts import FAILED, goes_on
from xgen.program.automaton import (
    AtomicBegin,
    AtomicEnd,
    Call,
    Control,
    Edge,
    Fence,
    Lifetime,
    Load,
    Meet,
    Mutex,
    Procedure,
    Process,
    Program,
    Return,
    Rmw,
    Statement,
    Store,
    StoreExclusive,
)
from xgen.program.uses import tags_of
from xgen.records import dataclass, replace

EVENTS = (Load, Store, StoreExclusive, Rmw, Fence, Mutex, Lifetime, Control, Meet)
_MARKS = (*EVENTS, Call)
Access: TypeAlias = Load | Store | Rmw
OWN = -1
"""The number of the procedure that a process is itself."""

Body: TypeAlias = tuple[int, int]
"""A process and one of its procedures, by number."""


@dataclass(frozen=True, slots=True, order=True)
class Slot:
    """A statement: of a process and procedure, on an edge, by number; and whether what stands behind it is meant."""

    process: int
    procedure: int
    edge: int
    statement: int
    after: bool = False

    @property
    def index(self) -> int:
        """Where a statement is inserted."""
        return self.statement + self.after


@dataclass(frozen=True, slots=True)
class Site:
    """A gap or an access, at the first of its `places`; with several places, all of them get the same.

    `position` and `statement` are those of the statement there, `thread` is the process. `single`: the places are one
    in the program's text.
    """

    places: tuple[Slot, ...]
    thread: str
    statement: Statement
    position: Position
    is_gap: bool
    single: bool = False

    @property
    def count(self) -> int:
        """How many fences or orders it takes."""
        return 1 if self.single else len(self.places)

    @property
    def where(self) -> str:
        """`before` or `after` the statement; of an access, `at`."""
        return "at" if not self.is_gap else "after" if self.places[0].after else "before"


@dataclass(frozen=True, slots=True)
class Atom:
    """At least this kind at this site. `below` has a bit for each atom that goes with it, its own included."""

    number: int
    site: Site
    kind: Kind
    cost: int
    below: int


@dataclass(frozen=True, slots=True)
class Piece:
    """What stands at one site in a placement: `word` is a kind of fence ("" for one without a tag) or an order."""

    site: Site
    word: str


# ---- finding sites ---------------------------------------------------------------------------------------------------


def find_gaps(program: Program, only: Iterable[str] = ()) -> list[Site]:
    """The sites for fences in the order of the text, in all processes or only in those named."""
    wanted = set(only)
    found: list[Slot] = []
    for number, process in enumerate(program.processes):
        if not wanted or process.name in wanted or _kind(process) in wanted:
            found += _Flow(number, process).gaps()
    return _sites(program, [place for place in found if not _is_inside(program, place)], True)


def _is_inside(program: Program, place: Slot) -> bool:
    """Whether a place is within an instruction of a GPU: between the two halves of an update, or within a barrier."""
    edge = _edges(program.processes[place.process], place.procedure)[place.edge]
    here = edge.statements[place.statement]
    if access_of(here) is None and not is_hidden(here):
        return False
    if place.after:
        others = edge.statements[place.statement + 1 :]
        return any(other.position == here.position and tags_of(other) for other in others) or (
            isinstance(here, Load) and here.exclusive
        )
    before = edge.statements[: place.statement]
    return isinstance(here, StoreExclusive) or any(o.position == here.position and tags_of(o) for o in before)


def behind_stores(program: Program, sites: Iterable[Site]) -> list[Site]:
    """The gaps that only stores come directly before, in all places; updates that write are such, too."""
    flows = [_Flow(number, process) for number, process in enumerate(program.processes)]

    def follows(place: Slot) -> bool:
        flow = flows[place.process]
        before = flow.neighbours((place.procedure, place.edge, place.index), flow.back)
        statements = (
            statement_at(program, Slot(place.process, procedure, int(edge), statement))
            for procedure, edge, statement in before
        )
        return all(isinstance(statement, Store | StoreExclusive | Rmw) for statement in statements)

    return [site for site in sites if all(map(follows, site.places))]


def gap_classes(program: Program) -> Iterator[tuple[Slot, tuple[frozenset[Point], frozenset[Point]] | None]]:
    """All gaps, each with the last events before it and the first ones behind it; None where no fence is of use."""
    for number, process in enumerate(program.processes):
        flow = _Flow(number, process)
        yield from flow.around()


def find_accesses(program: Program, only: Iterable[str] = ()) -> list[Site]:
    """The accesses that can have an order, in the order of the text."""
    wanted = set(only)
    places = [
        Slot(number, procedure, e, s)
        for number, process in enumerate(program.processes)
        if not wanted or process.name in wanted or _kind(process) in wanted
        for procedure, body in bodies(process)
        for e, edge in enumerate(body.edges)
        for s, statement in enumerate(edge.statements)
        if isinstance(statement, Access)
    ]
    return _sites(program, places, False)


def _kind(process: Process) -> str:
    """What a process is one of: `worker` of `worker[0]`."""
    return process.name.partition("[")[0]


def _sites(program: Program, places: Iterable[Slot], is_gap: bool) -> list[Site]:
    """A site for each place in the text: processes of one kind and of one procedure share them."""
    copies: dict[object, list[Body]] = {}
    for number, process in enumerate(program.processes):
        for procedure, body in bodies(process):
            copies.setdefault(_written(process, procedure, body), []).append((number, procedure))
    found: dict[Slot, Site] = {}
    for place in places:
        process = program.processes[place.process]
        body = dict(bodies(process))[place.procedure]
        same = [replace(place, process=p, procedure=b) for p, b in copies[_written(process, place.procedure, body)]]
        if same[0] not in found:
            found[same[0]] = replace(_site(program, tuple(same), is_gap), single=len(same) > 1)
    return list(found.values())


def _written(process: Process, procedure: int, body: Procedure) -> object:
    """Where a body is written, and all of its statements: what is the same for all of its copies."""
    own = procedure == OWN or body.position == process.position
    lines = tuple(tuple((s.position.line, s.position.column) for s in edge.statements) for edge in body.edges)
    return (_kind(process) if own else body.name), body.position.line, body.position.column, lines


def together(program: Program, sites: Sequence[Site]) -> list[Site]:
    """The sites with those of like processes together: such that do the same kinds of things in the same order."""
    shapes = [_shape(process) for process in program.processes]
    first = [shapes.index(shape) for shape in shapes]
    groups: dict[tuple[bool, Slot], list[Site]] = {}
    for site in sites:
        place = site.places[0]
        groups.setdefault((site.is_gap, replace(place, process=first[place.process])), []).append(site)
    return [replace(group[0], places=tuple(site.places[0] for site in group)) for group in groups.values()]


def _shape(process: Process) -> object:
    """What two processes have in common that differ in names and numbers only."""
    return [
        (
            [location.kind for location in body.locations],
            [
                (names.index(edge.source.name), names.index(edge.target.name), [_form(s) for s in edge.statements])
                for edge in body.edges
            ],
        )
        for _, body in bodies(process)
        for names in [[location.name for location in body.locations]]
    ]


def _form(statement: Statement) -> object:
    tags = getattr(statement, "tags", ()), getattr(statement, "order", None), getattr(statement, "orders", ())
    return type(statement), tags, getattr(statement, "op", None)


def _site(program: Program, places: tuple[Slot, ...], is_gap: bool) -> Site:
    statement = statement_at(program, places[0])
    return Site(places, program.processes[places[0].process].name, statement, statement.position, is_gap)


def bodies(process: Process) -> list[tuple[int, Procedure]]:
    """The procedures with their numbers."""
    return list(enumerate(process.procedures)) if process.procedures else [(OWN, process.main_procedure)]


def statement_at(program: Program, place: Slot) -> Statement:
    """The statement of a place."""
    return _edges(program.processes[place.process], place.procedure)[place.edge].statements[place.statement]


def _edges(process: Process, procedure: int) -> tuple[Edge, ...]:
    return process.edges if procedure == OWN else process.procedures[procedure].edges


Point: TypeAlias = tuple[int, int | str, int]
"""Within a process: procedure, edge and the statement that comes next; or procedure, location and 0."""

Step: TypeAlias = tuple[Statement | None, Point, Point]
"""The statement that is passed, the point where it stands, and the point behind it (or before it, going back)."""


class _Flow:
    """The ways through a process. Calls lead into procedures, and back to all places from which these are called."""

    def __init__(self, number: int, process: Process) -> None:
        self.number, self.bodies = number, dict(bodies(process))
        self.numbers = {body.name: procedure for procedure, body in self.bodies.items()}
        self.steps: dict[Point, list[Step]] = {}
        for procedure, body in self.bodies.items():
            for location in body.locations:
                if location.kind == "final" or not any(edge.source.name == location.name for edge in body.edges):
                    self.step((procedure, location.name, 0), None, (procedure, "", 1))
            for e, edge in enumerate(body.edges):
                self.edge(procedure, e, edge)
        self.back: dict[Point, list[Step]] = {}
        for point, steps in self.steps.items():
            for statement, label, target in steps:
                self.back.setdefault(target, []).append((statement, label, point))

    def step(self, point: Point, statement: Statement | None, target: Point) -> None:
        self.steps.setdefault(point, []).append((statement, point, target))

    def edge(self, procedure: int, e: int, edge: Edge) -> None:
        self.step((procedure, edge.source.name, 0), None, (procedure, e, 0))
        for s, statement in enumerate(edge.statements):
            here, behind = (procedure, e, s), (procedure, e, s + 1)
            if isinstance(statement, Call):
                callee = self.numbers[statement.procedure.name]
                start = next(place.name for place in self.bodies[callee].locations if place.kind == "init")
                self.step(here, None, (callee, start, 0))
                self.step((callee, "", 1), None, behind)
            elif isinstance(statement, Return):
                self.step(here, None, (procedure, "", 1))
                return
            else:
                self.step(here, statement, behind)
        self.step((procedure, e, len(edge.statements)), None, (procedure, edge.target.name, 0))

    def gaps(self) -> Iterator[Slot]:
        """The first gap of each class of those that are passed together."""
        known = set[object]()
        for place, around in self.around():
            if around is not None and around not in known:
                known.add(around)
                yield place

    def around(self) -> Iterator[tuple[Slot, tuple[frozenset[Point], frozenset[Point]] | None]]:
        """All gaps with the events around them; None where there are none, and in atomic blocks."""
        blocked = self.in_blocks()
        for place in self.candidates():
            point = (place.procedure, place.edge, place.index)
            before, behind = self.neighbours(point, self.back), self.neighbours(point, self.steps)
            yield place, (before, behind) if before and behind and point not in blocked else None

    def candidates(self) -> Iterator[Slot]:
        """Before each event, and behind one that a call follows (of C, what is called), or the last of its edge."""
        for procedure, body in self.bodies.items():
            for e, edge in enumerate(body.edges):
                met = [(s, statement) for s, statement in enumerate(edge.statements) if isinstance(statement, _MARKS)]
                for (s, statement), following in zip(met, (*(other for _, other in met[1:]), None), strict=False):
                    if isinstance(statement, EVENTS):
                        if not goes_on(statement):
                            yield Slot(self.number, procedure, e, s)
                        if not isinstance(following, EVENTS) or following.position.calls != statement.position.calls:
                            yield Slot(self.number, procedure, e, s, after=True)

    def neighbours(self, point: Point, steps: Mapping[Point, Sequence[Step]]) -> frozenset[Point]:
        """The first events on the ways from a point; a store exclusive that fails is none."""
        seen, work, found = {point}, [point], set[Point]()
        while work:
            for statement, label, target in steps.get(work.pop(), ()):
                if isinstance(statement, EVENTS):
                    found.add(label)
                    if not isinstance(statement, StoreExclusive):
                        continue
                if target not in seen:
                    seen.add(target)
                    work.append(target)
        return frozenset(found)

    def in_blocks(self) -> set[Point]:
        """The points inside atomic blocks."""
        begins = (step for steps in self.steps.values() for step in steps if isinstance(step[0], AtomicBegin))
        entries = [target for _, _, target in begins]
        seen, work = set(entries), entries
        while work:
            for statement, _, target in self.steps.get(work.pop(), ()):
                if not isinstance(statement, AtomicEnd) and target not in seen:
                    seen.add(target)
                    work.append(target)
        return seen


# ---- atoms and placements --------------------------------------------------------------------------------------------


def make_atoms(
    gaps: Sequence[Site],
    accesses: Sequence[Site],
    kinds: Sequence[Kind],
    known: set[str],
    scopes: Scopes | None = None,
) -> list[Atom]:
    """The atoms: at each gap one for each kind of fence, at each access one for each order that it could have.

    `known` are the tags that the model speaks of; `scopes` those of a program for GPUs.
    """
    atoms: list[Atom] = []
    for site in (*gaps, *accesses):
        if site.is_gap:
            of_site: Sequence[Kind] = kinds
        else:
            of_site = scopes.order_kinds(site.statement) if scopes else order_kinds(site.statement, known)
        first = len(atoms)
        names = {kind.name: first + number for number, kind in enumerate(of_site)}
        for kind in of_site:
            below = sum(1 << names[name] for name in (kind.name, *kind.below))
            atoms.append(Atom(len(atoms), site, kind, kind.weight * site.count, below))
    return atoms


def pieces_of(atoms: Sequence[Atom], chosen: int) -> list[Piece]:
    """What a closed set of atoms puts where: of each site, the strongest kinds."""
    taken = [atom for atom in atoms if chosen >> atom.number & 1]
    under = 0
    for atom in taken:
        under |= atom.below & ~(1 << atom.number)
    sites: dict[int, list[Atom]] = {}
    for atom in taken:
        if not under >> atom.number & 1:
            sites.setdefault(id(atom.site), []).append(atom)
    return [Piece(group[0].site, word) for group in sites.values() for word in _words(group)]


def _words(atoms: Sequence[Atom]) -> list[str]:
    names = [atom.kind.name for atom in atoms]
    site = atoms[0].site
    if site.is_gap:
        return joined_fences(names) or joined(names)
    scopes = access_of(site.statement)
    if scopes is not None and isinstance(site.statement, Load | Store):
        return [scopes.strengthened(site.statement, names)]
    return [stronger(site.statement, names)]


def insert(program: Program, pieces: Iterable[Piece]) -> Program:
    """The program with fences and orders put where they belong. The fences do not count for a bound on events."""
    changes: dict[Body, dict[int, list[tuple[Slot, Piece]]]] = {}
    for piece in pieces:
        for place in piece.site.places:
            changes.setdefault((place.process, place.procedure), {}).setdefault(place.edge, []).append((place, piece))
    processes = list(program.processes)
    for (number, procedure), edges in changes.items():
        process = processes[number]
        changed = list(_edges(process, procedure))
        for e, found in edges.items():
            changed[e] = _changed(process, changed[e], found)
        processes[number] = _with_edges(process, procedure, tuple(changed))
    return replace(program, processes=tuple(processes))


def _changed(process: Process, edge: Edge, changes: Sequence[tuple[Slot, Piece]]) -> Edge:
    statements = list(edge.statements)
    for place, piece in changes:
        if not piece.site.is_gap:
            statements[place.statement] = ordered(statements[place.statement], piece.word)
    for place, piece in sorted(changes, key=lambda change: change[0].index, reverse=True):
        if piece.site.is_gap:
            position = edge.statements[place.statement].position
            statements.insert(place.index, fence_of(piece.word, process, position))
    return replace(edge, statements=tuple(statements))


def ordered(statement: Statement, order: str) -> Access:
    """An access with this order; what an update reads that does not write keeps its own."""
    assert isinstance(statement, Load | Store | Rmw)
    scopes = access_of(statement)
    if scopes is not None and isinstance(statement, Load | Store):
        return scopes.ordered(statement, order)
    if isinstance(statement, Load) and statement.order == FAILED:
        return statement
    return with_order(statement, order)


def _with_edges(process: Process, procedure: int, edges: tuple[Edge, ...]) -> Process:
    if procedure == OWN:
        return replace(process, edges=edges)
    changed = list(process.procedures)
    changed[procedure] = replace(changed[procedure], edges=edges)
    return replace(process, procedures=tuple(changed))


def without_fences(
    program: Program, kinds: Collection[Kind], only: Iterable[str] = (), scopes: Scopes | None = None
) -> Program:
    """The program without its fences of these kinds and those without a tag, in all processes or those named."""
    wanted = set(only)
    names = {kind.name for kind in kinds} | {None, ""}

    def stays(statement: Statement) -> bool:
        if scopes is not None:
            return not scopes.is_removed(statement, kinds)
        return not (isinstance(statement, Fence) and statement.tag in names and not statement.tags)

    processes = program.processes
    for number, process in enumerate(processes):
        if wanted and process.name not in wanted:
            continue
        for procedure, body in bodies(process):
            edges = tuple(replace(e, statements=tuple(filter(stays, e.statements))) for e in body.edges)
            process = _with_edges(process, procedure, edges)
        processes = (*processes[:number], process, *processes[number + 1 :])
    return replace(program, processes=processes)


def removed_fences(program: Program, base: Program) -> list[Statement]:
    """The fences that one program has and the other, which was made from it by `without_fences`, has not."""
    found: list[Statement] = []
    for whole, rest in zip(program.processes, base.processes, strict=True):
        for (_, old), (_, new) in zip(bodies(whole), bodies(rest), strict=True):
            for one, other in zip(old.edges, new.edges, strict=True):
                left = {id(statement) for statement in other.statements}
                fences = [s for s in one.statements if isinstance(s, Fence) or is_ordered_fence(s)]
                found += [fence for fence in fences if id(fence) not in left]
    return found
