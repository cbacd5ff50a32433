"""What a program of C++ says of its tests: their names as the framework prints them, and which one of them is run."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from xgen.errors import UsageError, XgenError
from xgen.frontends.testing import WILD, NamedTest, chosen
from xgen.program.automaton import Program
from xgen.records import dataclass, replace

MAIN = "xgen_tests_main"
"""The function that runs tests where they have no main."""
_HAS_TESTS = re.compile(rf"^define [^@\n]*@{MAIN}\(", re.M)
_HAS_MAIN = re.compile(r"^define [^@\n]*@main\(", re.M)
_IN_MAIN = re.compile(r"^define [^@\n]*@xgen_tests_in_main\(", re.M)
_ASKS = re.compile(r"\b(?:call|invoke) [^@\n]*@xgen_asked\(")
_HAS_PARTS = re.compile(r"\b(?:call|invoke) [^@\n]*@xgen_part\(")
_WITH_PARTS = frozenset(("doctest", "catch", "skipped", "fails"))
"""How tests are named that may have parts."""
_PLACE = re.compile(r"^[^*]*\*(?P<scopes>.*?)\w+::place\(")
"""The name of a function in the place of a test of Boost.Test, as clang writes it; its scopes are the suites."""
Told = Sequence[tuple[str | int, ...]]
Part = tuple[str, int]
"""A part of a test (SUBCASE, SECTION): its name, and its line."""


@dataclass(frozen=True, slots=True)
class Case:
    """A test, its number among those of the program, that of its values or its type, and the parts that it is in."""

    test: NamedTest
    number: int
    instance: int = 0
    path: tuple[Part, ...] = ()
    has_parts: bool = False


def entry_of(texts: Iterable[str], entry: str, wanted: bool) -> str:
    """The function that files in IR begin with: where they have no main, or one that runs tests, or a test is wanted,
    what runs tests."""
    texts = list(texts)
    if entry != "main" or not any(map(_HAS_TESTS.search, texts)):
        return entry
    if any(map(_HAS_MAIN.search, texts)) and (not wanted or any(map(_IN_MAIN.search, texts))):
        return entry
    return MAIN


def runs_tests(text: str) -> bool:
    """Whether a program is one of tests, of which it runs one."""
    return _ASKS.search(text) is not None


def entry_in(text: str) -> str:
    """What a program of tests begins with."""
    return "main" if _HAS_MAIN.search(text) else MAIN


Translate = Callable[[tuple[int, int] | None, tuple[Part, ...]], Program]
"""The program of a test, by its number and that of its values, and parts of it; None: of what tells which there are."""


def cases_of(text: str, root: str, translate: Translate, wanted: str | None = None) -> list[Case]:
    """The tests of a program in IR; parts only of those that a name, if there is one, may mean."""
    if not runs_tests(text):
        raise UsageError("there is no test of GoogleTest, doctest, Catch2 or Boost.Test here", file=root)
    found = _unique([*_listed(translate(None, ()).told, root)])
    if _HAS_PARTS.search(text) is None:
        return found
    return [part for case in found for part in (_parts(case, translate) if _may_mean(wanted, case) else [case])]


def find_case(cases: Sequence[Case], name: str, root: str) -> Case:
    """The test of a name. Raises UsageError where there is none."""
    known = [case.test for case in cases]
    (first, *others) = chosen(known, name, root)
    if others and first.name != name:
        raise UsageError(f"`{name}` is the name of several tests", file=root, hint="--list-tests lists them")
    return next(case for case in cases if case.test is first)


def _may_mean(wanted: str | None, case: Case) -> bool:
    if wanted is not None and (wild := WILD.search(wanted)) is not None:
        begin = wanted[: wild.start()]
        return case.test.name.startswith(begin) or begin.startswith(case.test.name)
    return wanted is None or f"{wanted}/".startswith(f"{case.test.name}/") or case.test.name.startswith(wanted)


def _listed(told: Told, root: str) -> Iterator[Case]:
    number = -1
    for at, (kind, suite, name, more, file, line, count) in enumerate(told):
        if kind == "values":
            continue
        number += 1
        instances = []
        for other in told[at + 1 :]:
            if other[0] != "values":
                break
            instances.append((str(other[3]), int(other[6])))
        place = NamedTest("", _shown(str(file)), int(line), root, ignored=_is_ignored(str(kind), str(more)))
        names = _names(str(kind), str(suite), str(name), str(more), int(count), instances)
        for instance, each in enumerate(names):
            yield Case(replace(place, name=each), number, instance, has_parts=kind in _WITH_PARTS)


def _names(
    kind: str, suite: str, name: str, more: str, count: int, instances: Sequence[tuple[str, int]]
) -> Iterator[str]:
    if kind == "typed":
        yield from (f"{more}/{suite}/{k}.{name}".lstrip("/") for k in range(count))
    elif kind == "gtest":
        if not instances:
            yield f"{suite}.{name}"
        for prefix, values in instances:
            yield from (f"{prefix}/{suite}.{name}/{k}".lstrip("/") for k in range(values))
    elif kind == "boost":
        place = _PLACE.match(suite)
        scopes = place["scopes"].replace("(anonymous namespace)::", "") if place else ""
        path = "/".join((*scopes.split("::")[:-1], name))
        yield from (f"{path}<{k}>" for k in range(count)) if more else (path,)
    elif "<" in more:
        types = _types(more.partition("<")[2])
        types = types if len(types) == count else [str(k) for k in range(count)]
        yield from (f"{name} - {each}" if kind == "catch" else f"{name}<{each}>" for each in types)
    else:
        yield name


def _types(text: str) -> list[str]:
    """Types with commas between them, some of which are within one."""
    found, depth = [""], 0
    for letter in text:
        depth += (letter in "<([{") - (letter in ">)]}")
        if letter == "," and depth == 0:
            found.append("")
        else:
            found[-1] += letter
    return [each.strip() for each in found]


def _is_ignored(kind: str, more: str) -> bool:
    """Whether a test is only run where somebody names it."""
    return kind == "skipped" or (kind == "catch" and ("[." in more or "[!hide]" in more or "[!benchmark]" in more))


def _shown(file: str) -> str:
    here = os.path.relpath(file)
    return file if here.startswith("..") else here


def _unique(cases: list[Case]) -> list[Case]:
    """Tests of one title are told apart by their places."""
    counts = Counter(case.test.name for case in cases)
    return [
        replace(case, test=replace(case.test, name=f"{case.test.name} ({case.test.file}:{case.test.line})"))
        if counts[case.test.name] > 1
        else case
        for case in cases
    ]


def _parts(case: Case, translate: Translate) -> Iterator[Case]:
    """The parts of a test that have no further ones in them, each of which is a run of it; else the test itself.

    Each run tells of the parts that it comes to, in those that it runs and beside them: one may come to some that
    others do not, as a condition fails before.
    """
    if not case.has_parts:
        yield case
        return
    known: dict[tuple[Part, ...], None] = {(): None}
    left: list[tuple[Part, ...]] = [()]
    while left:
        path = left.pop()
        try:
            told = translate((case.number, case.instance), path).told
        except XgenError:  # which who runs it is told of
            continue
        for kind, name, line, depth in told:
            found = (*path[: int(depth)], (str(name), int(line)))
            if kind == "part" and int(depth) <= len(path) and found not in known:
                known[found] = None
                left.append(found)
    around = {path[:-1] for path in known if path}
    for path in sorted((path for path in known if path not in around), key=lambda path: [line for _, line in path]):
        shown = (_shown_part(path[: k + 1], known) for k in range(len(path)))
        test = replace(case.test, name="/".join((case.test.name, *shown)), line=path[-1][1] if path else case.test.line)
        yield replace(case, test=test, path=path)


def _shown_part(path: tuple[Part, ...], known: Iterable[tuple[Part, ...]]) -> str:
    """What a part is called: with its line where there are others of that name."""
    name, line = path[-1]
    same = [other for other in known if other[:-1] == path[:-1] and other and other[-1][0] == name]
    return name if len(same) == 1 else f"{name} ({line})"
