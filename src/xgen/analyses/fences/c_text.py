"""Fences and orders in the texts of programs in C and C++.

One place of the text can be many of a program: a function that two threads run, or that is called twice. All of them
get the same. A fence stands on a line of its own, `atomic_thread_fence(memory_order_seq_cst);`, where a statement can,
else before a call, as `(atomic_thread_fence(memory_order_seq_cst), atomic_load(&x))`. Gaps where neither can be are no
sites of C; of C++ they are, but are not written. What is written is read and checked again by who asks for it, so
nothing here has to understand all of C, or of C++.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from xgen.analyses.fences.kinds import order_of
from xgen.analyses.fences.sites import (
    EVENTS,
    Piece,
    Site,
    Slot,
    bodies,
    find_accesses,
    find_gaps,
    gap_classes,
    statement_at,
)
from xgen.analyses.fences.texts import CText, Edit, text_of, word_of
from xgen.analyses.orders import OrderSpot, is_of_update
from xgen.errors import Position, Source, listed
from xgen.program.automaton import Program, Statement
from xgen.records import replace
from xgen.resources import in_package
from xgen.sources import CPP, IR, RUST, of_library
from xgen.tags import KERNEL


def has_c_text(program: Program) -> bool:
    """Whether a program was read from a file in C, or in C++."""
    return program.source.name.endswith((".c", *CPP))


def find_c_gaps(program: Program, only: Iterable[str] = ()) -> list[Site]:
    """The sites for fences that the texts can have, in their order, each with all its places in the program."""
    texts = c_texts(program)
    places: dict[tuple[int, int, int, bool], list[Slot]] = {}
    classes: dict[tuple[int, int, int, bool], set[object]] = {}
    for place, around in gap_classes(program):
        position = statement_at(program, place).position
        number = _number(texts, position)
        if number is not None:
            key = (number, position.line, position.column, place.after)
            places.setdefault(key, []).append(place)
            if around is not None:
                classes.setdefault(key, set()).add((place.process, *around))
    found: dict[frozenset[object], tuple[int, int, int, bool]] = {}
    for on_line in (True, False):  # rather a line of its own
        for key, around_all in classes.items():
            edits = texts[key[0]].fence(Position(*key[1:3]), key[3], "seq_cst")
            if edits and (len(edits) == 1) == on_line:
                found.setdefault(frozenset(around_all), key)
    sites = [_site(program, places[key], True) for key in sorted(found.values())]
    if is_of_ir(program):
        known = {around for each in found for around in each}
        around_of = {place: (place.process, *around) for place, around in gap_classes(program) if around is not None}
        sites += [
            site
            for site in by_text(program, find_gaps(program))
            if not all(around_of[place] in known for place in site.places)
        ]
    return [site for site in sites if _may_change(program, site, only)]


def find_c_accesses(program: Program, only: Iterable[str] = ()) -> list[Site]:
    """The accesses whose order the texts say, each with all its places in the program.

    A compare-exchange also reads what it expects, and writes what it found there: plain accesses, which stay so.
    """
    texts, groups, untold = c_texts(program), dict[tuple[int, int, int], list[Slot]](), list[Site]()
    for site in find_accesses(program):
        number = _number(texts, site.position)
        if number is not None and texts[number].ordered(site.position, "seq_cst") is not None:
            groups.setdefault((number, site.position.line, site.position.column), []).extend(site.places)
        else:
            untold.append(site)
    sites = [_site(program, _ordered(program, places), False) for _, places in sorted(groups.items())]
    sites += by_text(program, untold) if is_of_ir(program) else []
    return [site for site in sites if _may_change(program, site, only)]


def _ordered(program: Program, places: Sequence[Slot]) -> Sequence[Slot]:
    """Those of some places whose statement has an order; all, if none has, as in programs for hardware. Of an update of
    several parts, those that it is made of: a weak one may fail by a load."""
    said = [place for place in places if order_of(statement_at(program, place))]
    return [place for place in said if is_of_update(statement_at(program, place))] or said or places


def accesses_of(program: Program, only: Iterable[str] = ()) -> list[Site]:
    """The accesses of which the program's text, in C or not, can say another order."""
    return find_c_accesses(program, only) if has_c_text(program) else by_text(program, find_accesses(program, only))


def gaps_of(program: Program, only: Iterable[str] = ()) -> list[Site]:
    """The sites for fences, in C or not."""
    return find_c_gaps(program, only) if has_c_text(program) else by_text(program, find_gaps(program, only))


def is_of_ir(program: Program) -> bool:
    """Whether a program was read from what a compiler makes of C++ or Rust."""
    return program.source.name.endswith((*CPP, *RUST, *IR))


def by_text(program: Program, sites: list[Site]) -> list[Site]:
    """The sites of a program in C++ or Rust, those at one place of its text as one; others as they are."""
    if not is_of_ir(program):
        return sites
    groups: dict[tuple[str, int, int, bool, str], list[Site]] = {}
    for site in sites:
        position = site.position
        source = position.source or program.source
        groups.setdefault((source.name, position.line, position.column, site.is_gap, site.where), []).append(site)
    return [
        replace(group[0], places=tuple(place for site in group for place in site.places), single=True)
        for group in groups.values()
    ]


def c_texts(program: Program) -> list[CText]:
    """The texts that a program is made of, its own first, with what stands where."""
    return [text_of(program, source) for source in c_sources(program)]


def c_sources(program: Program) -> list[Source]:
    """The texts that a program is made of, its own first; not those of libraries, or that are not here."""
    sources = {program.source.name: program.source}
    for process in program.processes:
        for _, body in bodies(process):
            for edge in body.edges:
                for statement in edge.statements:
                    source = statement.position.source
                    if isinstance(statement, EVENTS) and source is not None and _is_own(source):
                        sources.setdefault(source.name, source)
    return list(sources.values())


def _is_own(source: Source) -> bool:
    return bool(source.text) and not in_package(source.name) and not of_library(source)


def _number(texts: Sequence[CText], position: Position) -> int | None:
    """Which of the texts a position is in."""
    return next((number for number, text in enumerate(texts) if text.has(position)), None)


def _may_change(program: Program, site: Site, only: Iterable[str]) -> bool:
    """Whether all processes in which the text of a site runs may be changed."""
    wanted = set(only)
    return not wanted or {program.processes[place.process].name for place in site.places} <= wanted


def _site(program: Program, places: Sequence[Slot], is_gap: bool) -> Site:
    statement = statement_at(program, places[0])
    return Site(tuple(places), program.processes[places[0].process].name, statement, statement.position, is_gap, True)


def c_texts_with(
    base: Program,
    pieces: Iterable[Piece],
    removed: Iterable[Statement],
    orders: Mapping[OrderSpot, tuple[str, str]] | None = None,
) -> dict[str, str] | None:
    """The C texts with a placement in the program `base`, which is without the fences that were removed, by the names
    of their files: the program's own comes first, the others are those that change.

    `orders`: all that change, with what they were and what they become; None: those of the placement. None where it
    cannot be said.
    """
    edits: dict[str, set[Edit]] = {base.source.name: set()}
    texts = {base.source.name: base.source.text}
    for _, text, changes in _edits(base, pieces, removed, orders):
        if text is None or not changes:
            return None
        texts.setdefault(text.name, text.text)
        edits.setdefault(text.name, set()).update(changes)
    for name, of_file in edits.items():
        for edit in sorted(of_file, reverse=True):
            texts[name] = texts[name][: edit.start] + edit.text + texts[name][edit.end :]
    return texts


def c_place_unsaid(
    base: Program,
    pieces: Iterable[Piece],
    removed: Iterable[Statement],
    orders: Mapping[OrderSpot, tuple[str, str]] | None = None,
) -> Position | None:
    """The first place where the texts cannot say a placement: what a macro does, for instance, or an operator."""
    return next(
        (at for at, text, changes in _edits(base, pieces, removed, orders) if text is None or not changes), None
    )


def _edits(
    base: Program,
    pieces: Iterable[Piece],
    removed: Iterable[Statement],
    orders: Mapping[OrderSpot, tuple[str, str]] | None,
) -> Iterator[tuple[Position, CText | None, Sequence[Edit]]]:
    """Where something changes, in which text, and how; no text, or no edit, where it cannot be said."""
    texts = {text.name: text for text in c_texts(base)}

    def text_at(position: Position) -> CText | None:
        source = position.source or base.source
        if source.name not in texts and _is_own(source):
            texts[source.name] = text_of(base, source)
        return texts.get(source.name)

    def order(text: CText | None, position: Position, word: str) -> tuple[Position, CText | None, list[Edit]]:
        edit = text.ordered(position, word) if text else None
        return position, text, [edit] if edit else []

    for fence in removed:
        text = text_at(fence.position)
        edit = text.removal(fence) if text else None
        yield fence.position, text, [edit] if edit else []
    for piece in pieces:
        at = piece.site.position
        text = text_at(at)
        if piece.site.is_gap:
            word = word_of(base, piece.word)
            yield at, text, text.fence(at, piece.site.places[0].after, word) if text and word else []
        elif orders is None:
            yield order(text, at, piece.word)
    for spot, (_, word) in (orders or {}).items():
        yield order(texts.get(spot.at.file), Position(spot.at.line, spot.at.column), word)


def without_word(program: Program, kinds: Iterable[str]) -> str | None:
    """What is said where a text in C has no word for some kinds of fences."""
    foreign = [f"`{kind}`" for kind in kinds if not word_of(program, kind)] if has_c_text(program) else []
    whose = "the kernel" if program.target == KERNEL else "C"
    return f"{whose} has no fence {listed(foreign, 'or')}: the text is not changed" if foreign else None


def c_kinds(known: set[str]) -> str:
    """The kinds of fences that C programs can have under a model that speaks of these tags."""
    if "stbar" in known and "seq_cst" not in known:
        return "release=1<seq_cst=3"
    if {"acquire", "release", "seq_cst"} <= known:
        return "acquire=1<seq_cst=3,release=1<seq_cst"
    return "seq_cst=1"
