"""Local variables whose block ends while another one, or a value, still has their address.

LLVM makes registers of both, and who goes by the address after the end cannot be told from who does before: so these
stay in memory. Compilers mark where locals begin and end; what they mark is over at these places.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

NAME = r'%(?:"[^"]*"|[-\w.$]+)'
MADE = re.compile(rf"  ({NAME}) = alloca ")
_PART = re.compile(rf"  ({NAME}) = getelementptr [^%]*?ptr ({NAME})")
_PUT = re.compile(rf"  store ptr ({NAME}), ptr ({NAME})")
_MARK = re.compile(rf"  (?:tail )?call void @llvm\.lifetime\.(start|end)\.\w+\([^%]*?({NAME})\)")
_LABEL = re.compile(r'([-\w.$]+|"[^"]*"):')
_TARGET = re.compile(r'label %([-\w.$]+|"[^"]*")')
NAMES = re.compile(NAME)
_STORE = re.compile(rf"  store .*, ptr ({NAME})(?:,|$)")
_USE = "  call void @xgen.kept(ptr {})"
"""Of which LLVM knows nothing. Nobody else comes to see it."""
_DECLARED = "declare void @xgen.kept(ptr)"
_USED = re.compile(r"^  call void @xgen\.kept\(.*\n", re.M)


def outliving_kept(text: str) -> str:
    """A module's text in which such variables are not made registers of."""
    lines = text.split("\n")
    found = [place for start, end in _functions(lines) for place in _outlived(lines, start, end)]
    if not found:
        return text
    return with_uses(lines, found)


def with_uses(lines: list[str], places: Iterable[int]) -> str:
    """A module's text in which the variables that are made in some lines are not made registers of."""
    declared = () if _DECLARED in lines else (_DECLARED, "")
    for place in sorted(places, reverse=True):
        made = MADE.match(lines[place])
        assert made
        lines.insert(place + 1, _USE.format(made[1]))
    return "\n".join([*lines, *declared])


def as_it_was(text: str) -> str:
    """Without what was put into a text for that."""
    return _USED.sub("", text)


def _functions(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """From where to where functions go in which something ends."""
    start, ends = 0, False
    for at, line in enumerate(lines):
        if line.startswith("define "):
            start, ends = at, False
        elif "@llvm.lifetime.end" in line and line.startswith("  "):
            ends = True
        elif line == "}" and ends:
            yield start, at


def _outlived(lines: Sequence[str], start: int, end: int) -> Iterator[int]:
    """Where those of a function are made."""
    made: dict[str, int] = {}
    base: dict[str, str] = {}  # of names: the variable that they are the address of, or of a part of
    holders: dict[str, set[str]] = {}
    ends: dict[str, list[int]] = {}
    for at in range(start, end):
        line = lines[at]
        if match := MADE.match(line):
            made[match[1]], base[match[1]] = at, match[1]
        elif match := _PART.match(line):
            base[match[1]] = base.get(match[2], match[2])
        elif match := _PUT.match(line):
            held, holder = (base.get(name, name) for name in match.groups())
            if held in made and holder in made and held != holder:
                holders.setdefault(held, set()).add(holder)
        elif (match := _MARK.match(line)) and match[1] == "end":
            ends.setdefault(match[2], []).append(at)
    blocks = _blocks(lines, start, end)
    for held in made.keys() & ends.keys():
        for holder in (held, *holders.get(held, ())):
            if any(_is_used(lines, blocks, at + 1, holder, base, holder == held) for at in ends[held]):
                yield made[held]
                break


def _blocks(lines: Sequence[str], start: int, end: int) -> dict[str, int]:
    """Where blocks begin."""
    matches = ((_LABEL.match(lines[at]), at) for at in range(start + 1, end))
    return {match[1]: at + 1 for match, at in matches if match}


def _is_used(
    lines: Sequence[str], blocks: dict[str, int], at: int, name: str, base: dict[str, str], ended: bool
) -> bool:
    """Whether what a variable has in it somewhere may be read from a place on, before it ends or gets another value.
    `ended`: it has ended there, so that to write it is a use as well."""
    todo, seen = [at], {at}
    while todo:
        at = todo.pop()
        while True:
            line = lines[at]
            if line == "}" or _kills(line, name, ended):
                break
            if not line.startswith("  ") or "dbg" in line[:12] or _MARK.match(line) or _PART.match(line):
                pass
            elif _reads(line, name, base, ended):
                return True
            targets = [blocks[label] for label in _TARGET.findall(line) if label in blocks]
            todo += [target for target in targets if target not in seen]
            seen.update(targets)
            at += 1
            if _LABEL.match(lines[at]):
                break
    return False


def _kills(line: str, name: str, ended: bool) -> bool:
    mark = _MARK.match(line)
    stored = None if mark or ended else _STORE.match(line)
    return (mark is not None and mark[2] == name) or (stored is not None and stored[1] == name)


def _reads(line: str, name: str, base: dict[str, str], ended: bool) -> bool:
    stored = None if ended else _STORE.match(line)
    used = NAMES.findall(line[: stored.start(1)] if stored else line.partition(" = ")[2] or line)
    return any(base.get(each) == name for each in used)
