"""What came of a repair, as text, JSON, or a protocol again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import PurePath
from typing import Any, TypeAlias

from xgen.repair import syntax
from xgen.repair.check import Checked, Trouble
from xgen.repair.protocol import Protocol
from xgen.repair.repair import Removal, Repair, Shown

Paint: TypeAlias = Callable[[str, str], str]
"""Puts a colour on a text, by its role: good, bad, unsure, title, dim."""

_KINDS = {
    "bad step": "takes a step that must never be",
    "dead end": "stops where it must go on",
    "new step": "does something new in a legitimate state",
    "no recovery": "never comes back to the legitimate states",
}
_MARKS = {"old": "kept", "strengthened": "strengthened", "new": "new"}


def text(result: Repair, paint: Paint) -> str:
    """The verdict, the new program, and what was removed and why."""
    return "\n".join(_lines(result, paint))


def _lines(result: Repair, paint: Paint) -> Iterator[str]:
    name = _name(result.protocol)
    said = {
        "repaired": paint("repaired", "good")
        + f": {name} tolerates its faults with the actions below ({result.level})",
        "tolerant": paint("tolerant already", "good") + f": {name} tolerates its faults as it is ({result.level})",
        "impossible": paint("impossible", "bad")
        + f": no program with these reads and writes makes {name} tolerant ({result.level})",
        "interrupted": paint("no answer", "unsure") + f": {result.why} ({result.level})",
    }
    yield said[result.verdict]
    yield paint("  " + ", ".join(_sizes(result)), "dim")
    if result.verdict not in ("repaired", "tolerant"):
        return
    for family, block in enumerate(result.protocol.blocks):
        for heading, actions in _by_process(result, family, block):
            yield ""
            yield paint(heading, "title")
            if not actions:
                yield "  does nothing"
            for action in actions:
                yield f"  {_MARKS[action.origin]:12}  {action.guard} -> {action.effect}"
    if result.removals:
        yield ""
        yield paint("removed", "title")
    for removal in result.removals:
        yield from _removal(result.protocol, removal)


def _name(protocol: Protocol) -> str:
    return PurePath(protocol.source.name).stem


def _sizes(result: Repair) -> Iterator[str]:
    counts = (
        (result.states, "states"),
        (result.groups, "groups of steps"),
        (result.clauses, "clauses"),
        (result.cycles, "cycles forbidden"),
    )
    yield from (f"{number:,} {word}" for number, word in counts if number is not None)
    if result.reached is not None:
        yield f"{result.reached:,} states reached, {result.legitimate:,} of them legitimate"
        assert result.kept is not None
        assert result.removed is not None
        yield f"{result.kept:,} of {result.kept + result.removed:,} groups kept, {result.new:,} new"


def _by_process(result: Repair, family: int, block: syntax.Process) -> Iterator[tuple[str, list[Shown]]]:
    """The actions of a family under their headings: those of all, then those that only some have."""
    mine = [action for action in result.actions if action.family == family]
    common = [action for action in mine if action.process is None]
    if common or not mine:
        yield _heading(result.protocol, block), common
    alike: dict[tuple[tuple[str, str, str], ...], list[str]] = {}
    by_process: dict[tuple[tuple[str, str, str], ...], list[Shown]] = {}
    for process in dict.fromkeys(a.process for a in mine if a.process is not None):
        actions = [a for a in mine if a.process is process]
        key = tuple((a.guard, a.effect, a.origin) for a in actions)
        alike.setdefault(key, []).append(process.name)
        by_process.setdefault(key, actions)
    for key, names in alike.items():
        yield f"process {', '.join(names)}", by_process[key]


def _heading(protocol: Protocol, block: syntax.Process) -> str:
    members = [p.index for p in protocol.processes if protocol.blocks[p.family] is block]
    if block.range is None:
        return f"process {members[0]}"
    return f"process {block.name.text} in {members[0]} .. {members[-1]}{' symmetric' if block.symmetric else ''}"


def _removal(protocol: Protocol, removal: Removal) -> Iterator[str]:
    who = f"process {removal.process.name}: " if removal.process is not None else ""
    guard = removal.action.guard_text
    yield f"  {who}{guard} -> {removal.effect}"
    for number, when in enumerate(removal.when):
        yield f"    {'or' if number else 'where'} {when}"
    if removal.trouble is not None:
        yield f"    since the program then {_KINDS[removal.trouble.kind]}, for example:"
        yield from (f"      {line}" for line in run_lines(protocol, removal.trouble))


def run_lines(protocol: Protocol, trouble: Trouble) -> Iterator[str]:
    """A run, a line for each step: who does what, and what it changes."""
    before = trouble.run[0][1]
    yield f"start: {protocol.describe(before)}"
    for number, (label, state) in enumerate(trouble.run[1:]):
        if trouble.cycle == number:
            yield "from here on round and round:"
        changed = ", ".join(
            f"{v.name} = {v.shown(new)}"
            for v, was, new in zip(protocol.variables, before, state, strict=True)
            if was != new
        )
        yield label if changed.replace(" = ", " := ") in label else f"{label}   [{changed}]"
        before = state


def check_text(protocol: Protocol, level: str, checked: Checked | None, why: str | None, paint: Paint) -> str:
    """Whether a protocol is tolerant as it is, with a run that shows why not."""
    name = _name(protocol)
    if checked is None:
        return paint("no answer", "unsure") + f": {why} ({level})"
    if checked.trouble is None:
        reached = f"{checked.reached:,} states reached, {checked.legitimate:,} of them legitimate"
        return paint("tolerant", "good") + f": {name} tolerates its faults ({level})\n" + paint(f"  {reached}", "dim")
    lines = [paint("not tolerant", "bad") + f": {name} {_KINDS[checked.trouble.kind]} ({level})"]
    return "\n".join([*lines, *(f"  {line}" for line in run_lines(protocol, checked.trouble))])


# --- JSON ------------------------------------------------------------------------------------------------------------


def as_json(result: Repair, version: str) -> str:
    """One JSON document; `version` is xgen's."""
    document: dict[str, Any] = {
        "xgen": version,
        "program": PurePath(result.protocol.source.name).name,
        "protocol": result.protocol.source.name,
        "constants": result.protocol.constants,
        "level": result.level,
        "verdict": result.verdict,
    }
    if result.why is not None:
        document["reason"] = result.why
    names = ("states", "groups", "clauses", "cycles", "reached", "legitimate", "kept", "removed", "new")
    document |= {name: getattr(result, name) for name in names}
    document["actions"] = [
        {
            "process": _process_name(result, action),
            "guard": action.guard,
            "effect": action.effect,
            "origin": action.origin,
        }
        for action in result.actions
    ]
    document["removals"] = [
        {
            "process": _process_name(result, removal),
            "guard": removal.action.guard_text,
            "effect": removal.effect,
            "when": list(removal.when),
            "groups": removal.groups,
            "trouble": None if removal.trouble is None else _trouble(result.protocol, removal.trouble),
        }
        for removal in result.removals
    ]
    document["seconds"] = round(result.seconds, 3)
    return json.dumps(document, indent=2)


def _process_name(result: Repair, item: Shown | Removal) -> str:
    return item.process.name if item.process is not None else result.protocol.blocks[item.family].name.text


def _trouble(protocol: Protocol, trouble: Trouble) -> dict[str, Any]:
    names = [v.name for v in protocol.variables]
    steps = [{"step": label or None, "state": dict(zip(names, state, strict=True))} for label, state in trouble.run]
    return {"kind": trouble.kind, "run": steps, "cycle": trouble.cycle}


def check_json(
    protocol: Protocol, level: str, checked: Checked | None, why: str | None, seconds: float, version: str
) -> str:
    """One JSON document of a check."""
    verdict = "interrupted" if checked is None else "tolerant" if checked.trouble is None else "intolerant"
    document: dict[str, Any] = {
        "xgen": version,
        "program": PurePath(protocol.source.name).name,
        "protocol": protocol.source.name,
        "constants": protocol.constants,
        "level": level,
        "verdict": verdict,
    }
    if why is not None:
        document["reason"] = why
    if checked is not None:
        whole = checked.trouble is None
        document |= {"reached": checked.reached if whole else None, "legitimate": checked.legitimate if whole else None}
        document["trouble"] = None if checked.trouble is None else _trouble(protocol, checked.trouble)
    document["seconds"] = round(seconds, 3)
    return json.dumps(document, indent=2)


# --- A protocol again ------------------------------------------------------------------------------------------------


def as_protocol(result: Repair) -> str:
    """The protocol's text with its new actions, and constants as they were set; `xgen repair --check` accepts it."""
    source = result.protocol.source.text
    edits: list[tuple[int, int, str]] = []
    for item in result.protocol.text:
        if isinstance(item, syntax.Constant):
            value = result.protocol.constants[item.name.text]
            edits.append((item.start, item.end, f"const {item.name.text} = {value}"))
    for family, block in enumerate(result.protocol.blocks):
        edits += _new_block(result, family, block)
    for start, end, new in sorted(edits, reverse=True):
        source = source[:start] + new + source[end:]
    return source


def _new_block(result: Repair, family: int, block: syntax.Process) -> Iterator[tuple[int, int, str]]:
    """What changes in a process: each old action gives way to what it has become; new ones come at the end."""
    mine = [action for action in result.actions if action.family == family]
    first = sum(len(earlier.actions) for earlier in result.protocol.blocks[:family])
    for number, action in enumerate(block.actions, first):
        lines = [_line(block, shown) for shown in mine if shown.action == number]
        yield action.start, action.end, "\n  ".join(lines) or "// removed"
    new = [_line(block, shown) for shown in mine if shown.action is None]
    if new:
        yield block.end - 1, block.end - 1, "\n" + "".join(f"  {line}\n" for line in new)


def _line(block: syntax.Process, shown: Shown) -> str:
    if shown.process is None or block.range is None:
        return f"{shown.guard} -> {shown.effect}"
    guard = f"({shown.guard})" if " or " in shown.guard or " imply " in shown.guard else shown.guard
    return f"{block.name.text} = {shown.process.index} and {guard} -> {shown.effect}"
