"""Placements of fences: for people, and as JSON."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePath
from typing import Any

from xgen.analyses.fences.demands import Witness
from xgen.analyses.fences.fences import Placement, Placements, changed_orders, kept_orders
from xgen.analyses.fences.kinds import TAGLESS
from xgen.analyses.fences.scopes import access_of, machine_of
from xgen.analyses.fences.sites import Piece
from xgen.analyses.fences.texts import shown_fence
from xgen.analyses.ltl import LtlResult
from xgen.program.printer import print_statement
from xgen.resources import short
from xgen.version import __version__
from xgen.views.answers.json import document, execution_to_dict
from xgen.views.answers.ltl import ltl_to_dict, run_lines
from xgen.views.answers.text import Paint, plain
from xgen.views.answers.witness import witness_lines
from xgen.views.words import duration, modelled, one_line, plural, wrapped

MOST = 40
"""Placements that are printed; JSON has all."""

ROLES = {"not-repairable": "bad", "interrupted": "unsure", "vacuous": "unsure"}


Texts = Mapping[str, str] | None
"""Those of a program with a placement, by the names of their files; None: they cannot say it."""


def render(answer: Placements, texts: Texts, paint: Paint = plain, picked: int = 0) -> str:
    """The whole report, with the texts of the program with the placement that is picked; ends without a newline."""
    blocks = [[paint(verdict_line(answer), ROLES.get(answer.verdict, "good"))]]
    if answer.witness is not None:
        blocks += [
            wrapped("With all fences and orders in place, this is still there:", ""),
            _witness(answer.witness, paint),
        ]
    if any(placement.pieces for placement in answer.placements):
        blocks.append(_table(answer, paint))
        if answer.why_not:
            blocks.append([paint(line, "unsure") for line in wrapped(f"There may be others: {answer.why_not}.", "")])
    if answer.relaxed and answer.placements:
        blocks.append(_weakest(answer, paint, picked))
    if answer.placements:
        blocks.append(_diff(answer, texts, paint))
        blocks += _why(answer, paint, picked)
    blocks.append([_cost(answer)])
    notes = [f"note: {said.removeprefix('note: ')}" for said in answer.warnings]
    blocks.append([paint(line, "unsure") for said in notes for line in wrapped(said, "  ")])
    return "\n\n".join("\n".join(block) for block in blocks if block)


def verdict_line(answer: Placements) -> str:
    """The verdict, with the model and the bound, in one line."""
    depth = answer.settled.max_depth
    bound = "no bound" if depth is None else f"at most {plural(depth, 'event')} per thread"
    basis = ", ".join([modelled(answer.model, answer.program.target), bound, *answer.demand.sentences()])
    number = len(answer.placements)
    whole = "all of them" if answer.complete else "not known to be all"
    nothing = _relaxed(answer) if answer.relaxed else "without any fence"
    heads = {
        "safe": f"safe {nothing}{' within the bound' if answer.bounded else ''}",
        "fenced": f"{plural(number, 'minimal placement')}, {whole}",
        "fenced-within-bound": f"{plural(number, 'minimal placement')} within the bound, {whole}",
        "not-repairable": f"no placement of {_kinds(answer)} helps",
        "interrupted": _without_answer(answer),
        "vacuous": f"{_found(answer)}{' within the bound' if answer.bounded else ''}",
    }
    return f"{heads[answer.verdict]} ({basis})"


def _relaxed(answer: Placements) -> str:
    """What a program is safe with whose orders did not count."""
    return "with relaxed orders, except those that were not tried" if kept_orders(answer) else "with relaxed orders"


def _without_answer(answer: Placements) -> str:
    return f"no answer: {answer.why_not}" if answer.stopped == "unknown" else "interrupted: nothing found so far"


def _found(answer: Placements) -> str:
    """What is said of placements with which no execution completes."""
    number, empty = len(answer.placements), sum(placement.vacuous for placement in answer.placements)
    if not any(placement.pieces for placement in answer.placements):
        return "that no fence is needed says nothing: no execution completes"
    which = "any of them" if empty == number else f"{empty} of them"
    return f"{plural(number, 'minimal placement')}, but with {which} no execution completes"


def _kinds(answer: Placements) -> str:
    return ", ".join(kind.name or TAGLESS for kind in answer.kinds)


def _table(answer: Placements, paint: Paint) -> list[str]:
    lines = [paint("cost  fences", "title")]
    for placement in answer.placements[:MOST]:
        first, *others = [told(piece, answer) for piece in placement.pieces]
        others += ["(with it no execution completes)"] * placement.vacuous
        lines += [f"{placement.cost:4d}  {first}", *(f"      {other}" for other in others)]
    left = len(answer.placements) - MOST
    if left > 0:
        lines.append(f"and {left} more (--format json lists all)")
    return lines


def _weakest(answer: Placements, paint: Paint, picked: int) -> list[str]:
    """The program's own orders that are others with the placement that is picked, and those that were not tried."""
    changes, kept = changed_orders(answer, picked), kept_orders(answer)
    lines = [paint("weakest orders, in this test", "title")]
    if not changes:
        which = "of those that were tried" if kept else "of the program"
        lines = [paint(f"no order {which} can be weaker in this test", "title")]
    lines += [f"  {short(spot.at.file)}:{spot.at.line}: {was} -> {to}" for spot, (was, to) in changes.items()]
    if kept:
        lines.append("not tried: not said as an argument in this text, or not asked for")
    return lines + [f"  {short(spot.at.file)}:{spot.at.line}: {order}" for spot, order in kept.items()]


def told(piece: Piece, answer: Placements) -> str:
    """One piece of a placement: what, where, and in which processes."""
    word = shown_fence(answer.program, piece.word) if piece.site.is_gap else piece.word
    statement = one_line(_statement(piece, answer))
    names = ", ".join(_threads(piece, answer))
    place = piece.site.position.line_text(answer.program.source)
    return f"{word} {piece.site.where} {place} `{statement}` of {names}"


def _statement(piece: Piece, answer: Placements) -> str:
    """The statement at a site: of a C program, its line; of a test for a GPU, its instruction."""
    if access_of(piece.site.statement) is not None:
        position, source = piece.site.position, answer.program.source
        line = source.line(position.line)[position.column - 1 :]
        return line[: position.width] if machine_of(answer.base) != "OpenCL" else source.line(position.line).strip()
    if piece.site.single:
        source = piece.site.position.source or answer.program.source
        line = source.line(piece.site.position.line).strip()
        return line or print_statement(piece.site.statement)  # IR may come without the text that it was made of
    return print_statement(piece.site.statement)


def _threads(piece: Piece, answer: Placements) -> list[str]:
    return list(dict.fromkeys(answer.base.processes[place.process].name for place in piece.site.places))


def _diff(answer: Placements, texts: Texts, paint: Paint) -> list[str]:
    """The first placement as a change of the program's texts."""
    roles = {"+": "good", "-": "bad", "@": "dim"}
    return [
        paint(line, roles.get(line[0], "plain")) if line[:1] in roles else line for line in diff_lines(answer, texts)
    ]


def diff_lines(answer: Placements, texts: Texts) -> list[str]:
    """What changes in the program's texts, as `diff -u` writes it."""
    own = answer.program.source.name
    return [line.rstrip("\n") for line in _changed_lines(answer, texts, 1, lambda name: _called(name, own))]


def _called(name: str, own: str) -> str:
    """What a diff for people calls a file."""
    return PurePath(name).name if name == own else short(name)


def patch(answer: Placements, texts: Texts) -> str:
    """The same as a file for `patch -p0`, run where xgen was."""
    lines = _changed_lines(answer, texts, 3, short)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _changed_lines(answer: Placements, texts: Texts, around: int, called: Callable[[str], str]) -> Iterator[str]:
    before = answer.texts
    for name, text in (texts or {}).items():
        old, new = (re.findall(r"[^\n]*\n|[^\n]+", each) for each in (before[name], text))
        yield from difflib.unified_diff(old, new, called(name), called(name), n=around)


def _why(answer: Placements, paint: Paint, picked: int) -> Iterator[list[str]]:
    """What comes back without each piece of the placement that is picked."""
    placement = answer.placements[picked]
    for piece, execution in zip(placement.pieces, placement.needed, strict=False):
        head = paint(f"without {told(piece, answer)}:", "title")
        shown = [] if execution is None else _witness(execution, paint)
        yield [head, *shown]


def _witness(witness: Witness, paint: Paint) -> list[str]:
    """An execution, or a run that breaks the formula."""
    return list(run_lines(witness, paint)) if isinstance(witness, LtlResult) else witness_lines(witness, paint)


def _witness_to_dict(witness: Witness | None) -> dict[str, Any] | None:
    if witness is None:
        return None
    return ltl_to_dict(witness) if isinstance(witness, LtlResult) else execution_to_dict(witness)


def _cost(answer: Placements) -> str:
    return f"{plural(answer.sites, 'place')} tried with {_kinds(answer)}, {duration(answer.seconds)}"


def render_json(answer: Placements, texts: Texts) -> str:
    """The answer as one JSON document, a line per key; without a newline at its end."""
    return document(answer_to_dict(answer, texts))


def answer_to_dict(answer: Placements, texts: Texts) -> dict[str, Any]:
    """The answer as plain values: the document before it is written."""
    return {
        "xgen": __version__,
        "program": PurePath(answer.program.source.name).name,
        "model": answer.model,
        "verdict": _old_verdict(answer) if answer.verdict == "vacuous" else answer.verdict,
        "vacuous": answer.verdict == "vacuous",
        "complete": answer.complete,
        "why_not_complete": answer.why_not or None,
        "monotone": "yes" if answer.monotone else "unknown",
        "max_depth": answer.settled.max_depth,
        "bounded": answer.bounded,
        "liveness": answer.demand.liveness,
        "robust": None if answer.demand.robust is None else answer.demand.robust.name,
        "unbounded": answer.demand.unbounded,
        "deadlock": answer.demand.deadlock,
        "formula": answer.demand.formula,
        "buffer": None if answer.demand.formula is None else answer.demand.room,
        "sites": answer.sites,
        "kinds": {kind.name or TAGLESS: kind.cost for kind in answer.kinds},
        "placements": [
            {
                "cost": placement.cost,
                "atoms": [atom for piece in placement.pieces for atom in _atoms(piece, answer)],
                "vacuous": placement.vacuous,
            }
            for placement in answer.placements
        ],
        "relaxed": _changes(answer) if answer.relaxed else None,
        "kept": _kept(answer) if answer.relaxed else None,
        "diff": diff_lines(answer, texts),
        "needed": [entry for n, p in enumerate(answer.placements) for entry in _needed(n, p, answer)],
        "witness": _witness_to_dict(answer.witness),
        "runs": answer.runs,
        "executions": answer.executions,
        "counterexamples": answer.counterexamples,
        "stopped": answer.stopped,
        "warnings": list(answer.warnings),
        "seconds": round(answer.seconds, 6),
    }


def _old_verdict(answer: Placements) -> str:
    """What the document calls a vacuous answer, as it always has."""
    if not answer.placements[0].pieces:
        return "safe"
    return "fenced-within-bound" if answer.bounded else "fenced"


def _atoms(piece: Piece, answer: Placements) -> Iterator[dict[str, Any]]:
    for thread in _threads(piece, answer):
        yield {
            "thread": thread,
            **file_of(piece, answer),
            "line": piece.site.position.line,
            "column": piece.site.position.column,
            "where": piece.site.where,
            "statement": _statement(piece, answer),
            "kind" if piece.site.is_gap else "order": piece.word or TAGLESS,
        }


def _changes(answer: Placements) -> list[list[dict[str, Any]]]:
    """Of each placement: the program's own orders that are others with it."""
    return [
        [
            {"file": short(spot.at.file), "line": spot.at.line, "column": spot.at.column, "from": was, "to": to}
            for spot, (was, to) in changed_orders(answer, number).items()
        ]
        for number in range(len(answer.placements))
    ]


def _kept(answer: Placements) -> list[dict[str, Any]]:
    """The program's own orders that were not tried weaker."""
    return [
        {"file": short(spot.at.file), "line": spot.at.line, "column": spot.at.column, "order": order}
        for spot, order in kept_orders(answer).items()
    ]


def file_of(piece: Piece, answer: Placements) -> dict[str, str]:
    """The file of a site, where that is not the program's own."""
    source = piece.site.position.source
    return {} if source is None or source.name == answer.program.source.name else {"file": short(source.name)}


def _needed(number: int, placement: Placement, answer: Placements) -> Iterator[dict[str, Any]]:
    for piece, execution in zip(placement.pieces, placement.needed, strict=False):
        atom = next(_atoms(piece, answer))
        yield {"placement": number, "atom": atom, "execution": _witness_to_dict(execution)}
