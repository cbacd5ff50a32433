"""Fences and orders in the text of C programs.

One place of the text can be many of a program: a function that two threads run, or that is called twice. All of them
get the same. A fence stands on a line of its own, `atomic_thread_fence(memory_order_seq_cst);`, where a statement can,
else before a call, as `(atomic_thread_fence(memory_order_seq_cst), atomic_load(&x))`. Gaps where neither can be are no
sites. What is written is read and checked again by who asks for it, so nothing here has to understand all of C.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

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
from xgen.analyses.orders import OrderSpot, is_of_update
from xgen.errors import Position, Source
from xgen.program.automaton import Program, Statement
from xgen.resources import in_package
from xgen.sources import CPP, IR, RUST
from xgen.tags import fence_of_c

CONTROL = re.compile(r"(?:while|for|do|else|switch|case|default|return\b.*[?])\b")
"""What a fence cannot stand before, without meaning something else."""
ORDER_ARGUMENT = {"load": 1, "store": 2, "exchange": 2, "fetch": 2, "compare": 3, "flag": 1}
"""By the word behind `atomic_`: which argument of the `_explicit` function is the order."""
WITH_ORDER = re.compile(r"atomic_([a-z]+)\w*_explicit\b|__c11_atomic_([a-z]+)\w*|__atomic_(\w+)")
"""What has an order among its arguments: C11's functions, Clang's, which have the same ones, and GCC's."""


class Edit(NamedTuple):
    """A part of the text, by offsets, and what stands there instead."""

    start: int
    end: int
    text: str


def is_c(program: Program) -> bool:
    """Whether a program was read from a C file."""
    return program.source.name.endswith(".c")


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
    return [site for site in sites if _may_change(program, site, only)]


def find_c_accesses(program: Program, only: Iterable[str] = ()) -> list[Site]:
    """The accesses whose order the texts say, each with all its places in the program.

    A compare-exchange also reads what it expects, and writes what it found there: plain accesses, which stay so.
    """
    texts, groups = c_texts(program), dict[tuple[int, int, int], list[Slot]]()
    for site in find_accesses(program):
        number = _number(texts, site.position)
        if number is not None and texts[number].order(site.position) is not None:
            groups.setdefault((number, site.position.line, site.position.column), []).extend(site.places)
    sites = [_site(program, _ordered(program, places), False) for _, places in sorted(groups.items())]
    return [site for site in sites if _may_change(program, site, only)]


def _ordered(program: Program, places: Sequence[Slot]) -> Sequence[Slot]:
    """Those of some places whose statement has an order; all, if none has, as in programs for hardware. Of an update of
    several parts, those that it is made of: a weak one may fail by a load."""
    said = [place for place in places if order_of(statement_at(program, place))]
    return [place for place in said if is_of_update(statement_at(program, place))] or said or places


def accesses_of(program: Program, only: Iterable[str] = ()) -> list[Site]:
    """The accesses of which the program's text, in C or not, can say another order."""
    return find_c_accesses(program, only) if is_c(program) else by_text(program, find_accesses(program, only))


def gaps_of(program: Program, only: Iterable[str] = ()) -> list[Site]:
    """The sites for fences, in C or not."""
    return find_c_gaps(program, only) if is_c(program) else by_text(program, find_gaps(program, only))


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
    return [CText(program, source) for source in c_sources(program)]


def c_sources(program: Program) -> list[Source]:
    """The texts that a program is made of, its own first; not those of xgen's headers."""
    sources = {program.source.name: program.source}
    for process in program.processes:
        for _, body in bodies(process):
            for edge in body.edges:
                for statement in edge.statements:
                    source = statement.position.source
                    if isinstance(statement, EVENTS) and source is not None and not in_package(source.name):
                        sources.setdefault(source.name, source)
    return list(sources.values())


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


class CText:
    """A text of a C program, and where its events stand in it."""

    def __init__(self, program: Program, source: Source) -> None:
        self.name, self.text, self.own = source.name, source.text, program.source
        self.without_header = "__atomic_" in self.text and not re.search(r"stdatomic\.h|\bmemory_order_", self.text)
        self.starts = [0, *(match.end() for match in re.finditer("\n", self.text))]
        self.events = {
            self.offset(statement.position)
            for process in program.processes
            for _, body in bodies(process)
            for edge in body.edges
            for statement in edge.statements
            if isinstance(statement, EVENTS) and self.has(statement.position)
        }
        self.near: dict[tuple[int, bool], set[int]] = {}
        for place, around in gap_classes(program):
            here = statement_at(program, place).position
            if around is not None and self.has(here):
                near = self.near.setdefault((self.offset(here), place.after), set())
                for procedure, edge, number in around[1 if place.after else 0]:
                    there = statement_at(program, Slot(place.process, procedure, int(edge), number)).position
                    near |= {self.offset(there)} if self.has(there) else set()

    def has(self, position: Position) -> bool:
        """Whether a position is in this text."""
        return (position.source or self.own).name == self.name

    def offset(self, position: Position) -> int:
        """Where a position is, counted from the beginning."""
        return self.starts[position.line - 1] + position.column - 1

    def fence(self, position: Position, after: bool, order: str) -> list[Edit]:
        """What puts a fence before or after what stands at a position: one edit, two around a call, or none.

        A line of its own is before, or behind, all that a statement does, in whatever order it stands there.
        """
        at, call = self.offset(position), f"{'__' * self.without_header}atomic_thread_fence({self.order_word(order)})"
        if not re.match(r"[A-Za-z_]\w*", self.text[at:]):
            return []
        start, end, near = self.statement_start(at), self.statement_end(at), self.near.get((at, after), set())
        if start is not None and end is not None and not CONTROL.match(self.text, start):
            others = {event for event in self.events if start <= event < end and event != at}
            whole = not others or not any(start <= event < end for event in near)  # the first or last of its statement
            if whole and not after:
                return [self.line(start, call)]
            if whole and not re.match(r"(?:if|return)\b", self.text[start:at]):
                return [self.line(end, call, behind=True)]
        end = self.call_end(at)
        if after or end is None or any(at < event < end for event in self.events):
            return []
        return [Edit(at, at, f"({call}, "), Edit(end, end, ")")]

    def line(self, at: int, call: str, behind: bool = False) -> Edit:
        """A statement of its own before what stands at an offset, or behind what ends there."""
        number = self.text.count("\n", 0, at)
        line = self.text[self.starts[number] :].partition("\n")[0]
        indent = line[: len(line) - len(line.lstrip())]
        rest = self.text[at : self.starts[number] + len(line)]
        if behind and (not rest.strip() or rest.lstrip().startswith("//")):
            end = self.starts[number] + len(line)
            return Edit(end, end, f"\n{indent}{call};")
        if not behind and self.starts[number] + len(indent) == at:
            return Edit(self.starts[number], self.starts[number], f"{indent}{call};\n")
        return Edit(at, at, f" {call};" if behind else f"{call}; ")

    def statement_start(self, at: int) -> int | None:
        """Where the statement begins that an offset is in; None where it may be the body of another one."""
        number = self.text.count("\n", 0, at)
        depth, start, fresh = 0, self.starts[number], False
        for offset in range(start, at):
            char = self.text[offset]
            depth += (char == "(") - (char == ")")
            if char in ";{}" and not depth:
                start, fresh = offset + 1, True
        if not fresh:
            before = "\n".join(line.partition("//")[0].rstrip() for line in self.text[:start].split("\n")).rstrip()
            fresh = before.endswith((";", "{", "}"))
        while self.text[start] in " \t":
            start += 1
        return start if fresh else None

    def statement_end(self, at: int) -> int | None:
        """Right behind the semicolon of the statement that an offset is in."""
        end = self.text.find(";", at)
        return end + 1 if end >= 0 and not set("{}") & set(self.text[at:end]) else None

    def call_end(self, at: int) -> int | None:
        """Right behind a call's closing parenthesis; None where there is no call."""
        arguments = self.arguments(at)
        return arguments[-1][1] + 1 if arguments else None

    def arguments(self, at: int) -> list[tuple[int, int]]:
        """The offsets between which the arguments of the call at an offset stand; none where there is no call."""
        match = re.compile(r"[A-Za-z_]\w*\s*\(").match(self.text, at)
        if not match:
            return []
        depth, start, found = 0, match.end(), list[tuple[int, int]]()
        for offset in range(match.end(), len(self.text)):
            char = self.text[offset]
            if not depth and char in ",)":
                found.append((start, offset))
                start = offset + 1
                if char == ")":
                    return found
            depth += (char in "([{") - (char in ")]}")
        return []

    def order(self, position: Position) -> tuple[int, int] | None:
        """Where the order of an access is said, if it is: an argument of a function that has one."""
        at = self.offset(position)
        match, arguments = WITH_ORDER.match(self.text, at), self.arguments(at)
        number = None
        if match and match[3]:
            number = _order_of_gcc(match[3], len(arguments))
        elif match:
            number = ORDER_ARGUMENT.get(match[1] or match[2])
        if number is None or number >= len(arguments):
            return None
        start, end = arguments[number]
        return start + len(self.text[start:end]) - len(self.text[start:end].lstrip()), end

    def order_word(self, order: str) -> str:
        """How an order is written here: as GCC and Clang know it without a header, where only they are asked."""
        return f"__ATOMIC_{order.upper()}" if self.without_header else f"memory_order_{order}"

    def removal(self, fence: Statement) -> Edit | None:
        """What takes away a fence: its line, or its call."""
        at = self.offset(fence.position)
        end = self.call_end(at)
        if end is None:
            return None
        number = self.text.count("\n", 0, at)
        line = self.text[self.starts[number] :].partition("\n")[0]
        alone = re.fullmatch(r"\s*(?:__)?atomic_thread_fence\s*\([^()]*\)\s*;\s*", line)
        if alone and self.statement_start(at) is not None:
            return Edit(self.starts[number], self.starts[number] + len(line) + 1, "")
        return Edit(at, end, "(void)0")


def _order_of_gcc(name: str, arguments: int) -> int | None:
    """Which argument of `__atomic_*` is the order: the last one, or that before the order of a failure."""
    return None if not arguments or name.endswith("lock_free") else arguments - 1 - name.startswith("compare")


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
    for text, changes in _edits(base, pieces, removed, orders):
        if text is None or not changes:
            return None
        texts.setdefault(text.name, text.text)
        edits.setdefault(text.name, set()).update(changes)
    for name, of_file in edits.items():
        for edit in sorted(of_file, reverse=True):
            texts[name] = texts[name][: edit.start] + edit.text + texts[name][edit.end :]
    return texts


def _edits(
    base: Program,
    pieces: Iterable[Piece],
    removed: Iterable[Statement],
    orders: Mapping[OrderSpot, tuple[str, str]] | None,
) -> Iterator[tuple[CText | None, Sequence[Edit]]]:
    """What changes, with the text in which it does; no text, or no edit, where it cannot be said."""
    texts = {text.name: text for text in c_texts(base)}

    def text_at(position: Position) -> CText | None:
        source = position.source or base.source
        if source.name not in texts and not in_package(source.name):
            texts[source.name] = CText(base, source)
        return texts.get(source.name)

    def order(text: CText | None, position: Position, word: str) -> tuple[CText | None, list[Edit]]:
        said = text.order(position) if text else None
        return text, [Edit(*said, text.order_word(word))] if text and said else []

    for fence in removed:
        text = text_at(fence.position)
        edit = text.removal(fence) if text else None
        yield text, [edit] if edit else []
    for piece in pieces:
        at = piece.site.position
        text = text_at(at)
        if piece.site.is_gap:
            word = fence_of_c(piece.word)
            yield text, text.fence(at, piece.site.places[0].after, word) if text and word else []
        elif orders is None:
            yield order(text, at, piece.word)
    for spot, (_, word) in (orders or {}).items():
        yield order(texts.get(spot.at.file), Position(spot.at.line, spot.at.column), word)


def c_kinds(known: set[str]) -> str:
    """The kinds of fences that C programs can have under a model that speaks of these tags."""
    if "stbar" in known and "seq_cst" not in known:
        return "release=1<seq_cst=3"
    if {"acquire", "release", "seq_cst"} <= known:
        return "acquire=1<seq_cst=3,release=1<seq_cst"
    return "seq_cst=1"
