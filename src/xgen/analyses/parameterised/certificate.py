"""Certificates of safety for any number of processes: what is in one, and when it proves what it says.

A certificate has the text of a system and the cubes that the search met. Whoever checks it reads the text, trusts the
cubes in nothing, and asks a solver (obligations.py): no initial state is in a cube, each unsafe state is, and each step
into a cube comes from one. Then no run leads to an unsafe state.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import astuple
from typing import Any, Literal

from xgen.analyses.parameterised.obligations import Hints, Obligation, Obligations, Question, smt_text
from xgen.analyses.parameterised.prove_system import Proof, check_model
from xgen.clock import Clock
from xgen.engine.cubes import CellTerm, Cube, Fact, Hint
from xgen.errors import Source, UsageError
from xgen.frontends.cub import System, read_cub
from xgen.records import dataclass
from xgen.systems.parameterised import Kind
from xgen.version import __version__

FORMAT = "xgen cubes 2"
BATCH = 100_000
"""Characters of questions that are asked together: a solver takes longer to start than for most of them."""


@dataclass(frozen=True)
class Claim:
    """A cube of a certificate.

    assumed  it is an invariant of the text
    hints    cubes that the states before steps into this cube are in
    """

    cube: Cube
    assumed: bool
    hints: Hints


@dataclass(frozen=True)
class Certificate:
    """A certificate that was read: nothing in it is believed but the text. `hints` are those of the unsafe states."""

    system: System
    model: str
    lagging: bool
    processes: int | None
    claims: tuple[Claim, ...]
    hints: Hints


@dataclass(frozen=True)
class Checked:
    """The answer about a certificate: how many obligations there are, and the first that failed if one did."""

    verdict: Literal["proved", "refuted", "unknown", "interrupted"]
    program: str
    model: str
    processes: int | None
    obligations: int
    seconds: float
    failed: str | None = None


def certificate_of(proof: Proof) -> str:
    """The certificate of a proof of safety, as JSON."""
    assert proof.verdict == "safe"
    assert proof.search is not None
    text = proof.system.source.text
    cubes = [
        {"kind": node.kind, **_cube_to_dict(node.cube), "covers": _hints_to_lists(node.covers)}
        for node in proof.search.nodes()
    ]
    document = {
        "format": FORMAT,
        "xgen": __version__,
        "program": proof.program,
        "sha256": hashlib.sha256(text.encode()).hexdigest(),
        "text": text,
        "model": proof.model,
        "processes": proof.processes,
        "unsafe": _hints_to_lists(proof.search.unsafe),
        "cubes": cubes,
    }
    lines = [f" {json.dumps(key)}: {json.dumps(value)}" for key, value in document.items() if key != "cubes"]
    rows = ",\n".join(f"  {json.dumps(cube)}" for cube in cubes)
    return "{\n" + ",\n".join([*lines, f' "cubes": [\n{rows}\n ]']) + "\n}\n"


def read_certificate(source: Source) -> Certificate:
    """The certificate in a file. Raises UsageError where it is none, and what the reader says of the text in it."""
    try:
        document = json.loads(source.text)
        if document["format"] != FORMAT:
            raise UsageError(f"this is a certificate of another format, expected `{FORMAT}`", file=source.name)
        text: str = document["text"]
        if hashlib.sha256(text.encode()).hexdigest() != document["sha256"]:
            raise UsageError("the text in the certificate is not the one that its sha256 speaks of", file=source.name)
        system = read_cub(Source(str(document["program"]), text))
        lagging = check_model(document["model"]) and any(array.weak for array in system.arrays)
        processes = document["processes"]
        if processes is not None and not (isinstance(processes, int) and 1 <= processes <= 8):
            raise ValueError
        claims = tuple(_claim(system, row) for row in document["cubes"])
        if not lagging and any(claim.cube.fenced for claim in claims):
            raise ValueError  # nobody reads late
        hints = _hints(document["unsafe"])
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError):
        raise UsageError(
            "this is not a certificate", file=source.name, hint="`xgen prove --certificate` writes one"
        ) from None
    return Certificate(system, document["model"], lagging, processes, claims, hints)


def certify(
    certificate: Certificate,
    solve: Callable[[str, float | None], str],
    *,
    timeout: float | None = None,
    keep: Callable[[str, Question], None] | None = None,
) -> Checked:
    """Asks a solver for each obligation of a certificate.

    Many are asked at once; where the answer is not that all hold, one after the other. `solve` gets an SMT-LIB text and
    seconds, and says "unsat", "sat" or "unknown"; `keep` gets the name and the question of each obligation that was
    asked last.
    """
    clock = Clock(timeout)
    count = 0

    def answer(verdict: Literal["proved", "refuted", "unknown", "interrupted"], failed: str | None = None) -> Checked:
        name = certificate.system.source.name
        return Checked(verdict, name, certificate.model, certificate.processes, count, clock.seconds, failed)

    def found(*questions: Question) -> str:
        return solve(smt_text(questions), None if clock.limit is None else max(0.1, clock.limit - clock.seconds))

    def alone(obligation: Obligation) -> str:
        """With the cubes that are hinted at, and if they are not enough with all."""
        verdict = "sat"
        for question in obligation.questions():
            if keep is not None:
                keep(obligation.name, question)
            verdict = found(question)
            if verdict == "unsat":
                break
        return verdict

    try:
        for batch in _batches(obligations_of(certificate)):
            if clock.over():
                return answer("interrupted", batch[0][0].name)
            if len(batch) > 1 and found(*(question for _, question in batch)) == "unsat":
                count += len(batch)
                if keep is not None:
                    for obligation, question in batch:
                        keep(obligation.name, question)
                continue
            for obligation, _ in batch:
                if clock.over():
                    return answer("interrupted", obligation.name)
                count += 1
                verdict = alone(obligation)
                if verdict == "unknown" and clock.over():
                    return answer("interrupted", obligation.name)
                if verdict != "unsat":
                    return answer("refuted" if verdict == "sat" else "unknown", obligation.name)
    except KeyboardInterrupt:
        return answer("interrupted")
    return answer("proved")


def _batches(obligations: Iterable[Obligation]) -> Iterator[list[tuple[Obligation, Question]]]:
    """Obligations with their first questions, as many together as are asked at once."""
    batch: list[tuple[Obligation, Question]] = []
    size = 0
    for obligation in obligations:
        question = next(obligation.questions())
        batch.append((obligation, question))
        size += len(question)
        if size > BATCH:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def obligations_of(certificate: Certificate) -> Iterator[Obligation]:
    """What has to be unsatisfiable for a certificate to prove what it says."""
    made = Obligations(
        certificate.system,
        certificate.lagging,
        certificate.processes or certificate.system.processes,
        [claim.cube for claim in certificate.claims],
    )
    claims = certificate.claims
    yield from made.unsafe(certificate.hints)
    for number, claim in enumerate(claims):
        if not claim.assumed:
            yield from made.init(number)
    yield from made.assumed([number for number, claim in enumerate(claims) if claim.assumed])
    for number, claim in enumerate(claims):
        if not claim.assumed:
            yield from made.steps(number, claim.hints)


# --- cubes as JSON ---------------------------------------------------------------------------------------------------


def _cube_to_dict(cube: Cube) -> dict[str, Any]:
    return {
        "processes": cube.processes,
        "facts": [[fact.kind, _term_to_list(fact.left), _term_to_list(fact.right), fact.bound] for fact in cube.facts],
        "chains": cube.chains,
        "fenced": cube.fenced,
    }


def _hints_to_lists(hints: Iterable[Hint]) -> list[list[Any]]:
    return [list(astuple(hint)) for hint in dict.fromkeys(hints)]


def _term_to_list(cell: CellTerm | None) -> list[Any] | None:
    return None if cell is None else [cell.array, list(cell.index), cell.time, cell.reader]


def _claim(system: System, row: dict[str, Any]) -> Claim:
    """A row of a certificate; ValueError and the like where it makes no sense."""
    processes = _within(row["processes"], 0, 15)
    chains = tuple(tuple(_within(t, 0, 63) for t in chain) for chain in row["chains"])
    fenced = tuple(tuple(_within(p, 0, processes - 1) for p in part) for part in row["fenced"])
    if len(chains) != processes or any(t >= len(fenced) for chain in chains for t in chain):
        raise ValueError
    facts = tuple(_fact(system, fact, processes, len(fenced)) for fact in row["facts"])
    return Claim(Cube(system, processes, facts, chains, fenced), row["kind"] == "invariant", _hints(row["covers"]))


def _hints(rows: list[list[Any]]) -> Hints:
    found: dict[tuple[int, int, tuple[int, ...]], list[Hint]] = {}
    for transition, rule, arguments, node, places, times in rows:
        some = [tuple(map(int, row)) for row in (arguments, places, times)]
        hint = Hint(int(transition), int(rule), some[0], int(node), some[1], some[2])
        found.setdefault((hint.transition, hint.rule, hint.arguments), []).append(hint)
    return found


_NUMBERS = (Kind.INT, Kind.REAL)
_KINDS: dict[str, tuple[Kind, ...]] = {
    "in": (Kind.ENUM, Kind.PROC),
    **dict.fromkeys(("=", "<>"), (Kind.ENUM, Kind.PROC, Kind.ABSTRACT)),
    **dict.fromkeys(("<=", "<", "-"), _NUMBERS),
}
"""What cells the facts of a kind speak of: all of one type."""


def _fact(system: System, row: list[Any], processes: int, times: int) -> Fact:
    kind, left, right, bound = row
    if kind not in _KINDS or not isinstance(bound, int):
        raise ValueError
    cells = [_cell(system, cell, processes, times) for cell in (left, right)]
    if (cells[0] is None and (kind in ("in", "=", "<>") or cells[1] is None)) or (
        kind in ("=", "<>") and cells[1] is None
    ):
        raise ValueError
    types = [system.arrays[cell.array].type for cell in cells if cell is not None]
    allowed = _KINDS[kind]
    if any(type_.kind not in allowed or type_ != types[0] for type_ in types):
        raise ValueError  # no solver reads that
    return Fact(kind, cells[0], cells[1], bound)


def _cell(system: System, row: list[Any] | None, processes: int, times: int) -> CellTerm | None:
    if row is None:
        return None
    array, index, time, reader = row
    if len(index) != system.arrays[_within(array, 0, len(system.arrays) - 1)].arity:
        raise ValueError
    for process in (*index, *([reader] if time is not None else [])):
        _within(process, 0, processes - 1)
    if time is not None:
        _within(time, 0, times - 1)
    return CellTerm(array, tuple(index), time, reader if time is not None else None)


def _within(number: Any, least: int, most: int) -> int:
    if not isinstance(number, int) or isinstance(number, bool) or not least <= number <= most:
        raise ValueError
    return number
