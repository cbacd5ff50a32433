"""Certificates of safety for any number of processes: what is in one, and when it proves what it says.

A certificate has the text of a system and the cubes that the search met. Whoever checks it reads the text, trusts the
cubes in nothing, and asks a solver (obligations.py): no initial state is in a cube, each unsafe state is, and each step
into a cube comes from one. Then no run leads to an unsafe state.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from xgen.analyses.obligations import Obligation, Obligations
from xgen.analyses.parameterised import Proof, check_model
from xgen.clock import Clock
from xgen.engine.cubes import CellTerm, Cube, Fact
from xgen.errors import Source, UsageError
from xgen.frontends.cub import System, read_cub
from xgen.version import __version__

FORMAT = "xgen cubes 1"


@dataclass(frozen=True)
class Claim:
    """A cube of a certificate.

    assumed  it is an invariant of the text
    hints    for a transition: cubes that the states before a step of it into this cube are in
    """

    cube: Cube
    assumed: bool
    hints: dict[int, tuple[int, ...]]


@dataclass(frozen=True)
class Certificate:
    """A certificate that was read: nothing in it is believed but the text."""

    system: System
    model: str
    lagging: bool
    processes: int | None
    claims: tuple[Claim, ...]


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
    cubes = []
    for node in proof.search.nodes():
        hints: dict[int, list[int]] = {}
        for transition, other in node.covers:
            hints.setdefault(transition, []).append(other)
        cubes.append({"kind": node.kind, **_cube_to_dict(node.cube), "covers": {str(t): n for t, n in hints.items()}})
    document = {
        "format": FORMAT,
        "xgen": __version__,
        "program": proof.program,
        "sha256": hashlib.sha256(text.encode()).hexdigest(),
        "text": text,
        "model": proof.model,
        "processes": proof.processes,
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
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError):
        raise UsageError(
            "this is not a certificate", file=source.name, hint="`xgen prove --certificate` writes one"
        ) from None
    return Certificate(system, document["model"], lagging, processes, claims)


def certify(
    certificate: Certificate,
    solve: Callable[[str, float | None], str],
    *,
    timeout: float | None = None,
    keep: Callable[[str, str], None] | None = None,
) -> Checked:
    """Asks a solver for each obligation of a certificate.

    `solve` gets an SMT-LIB text and seconds, and says "unsat", "sat" or "unknown"; `keep` gets the name and the text of
    each obligation that was asked last.
    """
    clock = Clock(timeout)
    count = 0

    def answer(verdict: Literal["proved", "refuted", "unknown", "interrupted"], failed: str | None = None) -> Checked:
        name = certificate.system.source.name
        return Checked(verdict, name, certificate.model, certificate.processes, count, clock.seconds, failed)

    try:
        for obligation in obligations_of(certificate):
            if clock.over():
                return answer("interrupted", obligation.name)
            count += 1
            found = _solved(obligation, solve, clock, keep)
            if found != "unsat":
                return answer("refuted" if found == "sat" else "unknown", obligation.name)
    except KeyboardInterrupt:
        return answer("interrupted")
    return answer("proved")


def _solved(
    obligation: Obligation,
    solve: Callable[[str, float | None], str],
    clock: Clock,
    keep: Callable[[str, str], None] | None,
) -> str:
    """With the instances that are hinted at, and if they are not enough with all."""
    found = "sat"
    for text in obligation.texts():
        if keep is not None:
            keep(obligation.name, text)
        left = None if clock.limit is None else max(0.1, clock.limit - clock.seconds)
        found = solve(text, left)
        if found == "unsat":
            break
    return found


def obligations_of(certificate: Certificate) -> Iterator[Obligation]:
    """What has to be unsatisfiable for a certificate to prove what it says."""
    made = Obligations(
        certificate.system,
        certificate.lagging,
        certificate.processes or certificate.system.processes,
        [claim.cube for claim in certificate.claims],
    )
    claims = certificate.claims
    yield from made.unsafe()
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
    hints = {
        _within(int(t), 0, len(system.transitions) - 1): tuple(map(int, rows)) for t, rows in row["covers"].items()
    }
    return Claim(Cube(system, processes, facts, chains, fenced), row["kind"] == "invariant", hints)


def _fact(system: System, row: list[Any], processes: int, times: int) -> Fact:
    kind, left, right, bound = row
    if kind not in ("in", "=", "<>", "<=", "<", "-") or not isinstance(bound, int):
        raise ValueError
    cells = [_cell(system, cell, processes, times) for cell in (left, right)]
    if (cells[0] is None and (kind in ("in", "=", "<>") or cells[1] is None)) or (
        kind in ("=", "<>") and cells[1] is None
    ):
        raise ValueError
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
