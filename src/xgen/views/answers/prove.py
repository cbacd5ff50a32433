"""Proofs as text and JSON."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath
from typing import Any

from xgen.executions.execution import Value, show_value
from xgen.executions.proof import Covering, Proof, Snapshots
from xgen.memory.algebra import Model
from xgen.version import __version__
from xgen.views.answers.json import document, execution_to_dict
from xgen.views.answers.text import Paint, plain
from xgen.views.answers.witness import witness_lines
from xgen.views.words import duration, modelled, plural, warned, wrapped

ROLES = {"safe": "good", "violation": "bad", "deadlock": "bad", "unknown": "unsure"}
"""How verdicts are painted."""


def render(proof: Proof, paint: Paint = plain, *, full_witness: bool = False) -> str:
    """The whole report; ends without a newline. The witness is cut to its cause unless `full_witness`."""
    blocks = [[paint(verdict_line(proof), ROLES[proof.verdict])]]
    if proof.reason:
        blocks.append(wrapped(proof.reason, ""))
    blocks.append([paint(line, "unsure") for line in warned(proof.warnings)])
    blocks.append(_counts(proof))
    if proof.witness:
        shown = (
            proof.witness if full_witness or not proof.witness.violations else proof.witness.only(proof.witness.cause)
        )
        blocks.append(witness_lines(shown, paint, full=full_witness))
    elif proof.verdict in ("violation", "deadlock"):
        blocks.append(["the execution is too long to be shown"])
    if proof.invariant is not None:
        blocks.append([paint(f"invariant: {plural(len(proof.invariant), 'state')}", "title"), *_invariant(proof)])
    return "\n\n".join("\n".join(block) for block in blocks if block)


def verdict_line(proof: Proof) -> str:
    """Verdict, model and what it rests on, in one line."""
    facts = [modelled(proof.model, proof.map), "no bound"]
    if proof.verdict == "safe":
        widened = f"widened to {plural(proof.widening or 0, 'atom')}"
        facts.append("all that can happen is covered exactly" if proof.proof == "exact" else widened)
    if proof.verdict in ("violation", "deadlock"):
        facts.append("the execution is one of the model" if proof.witness else "it can be reached")
    return f"{proof.verdict} ({', '.join(facts)})"


def _counts(proof: Proof) -> list[str]:
    states = [f"{proof.stored} stored", f"{proof.visited} visited", f"{proof.accelerated} accelerated"]
    threads = ", ".join(f"{name} {number}" for name, number in proof.local_states.items())
    rows = [
        ("states", f"{', '.join(states)}; the longest past or buffer has {plural(proof.atoms, 'atom')}"),
        ("threads", f"{threads} local states"),
        ("cost", f"{duration(proof.seconds)}, {proof.peak_kib / 1024:.1f} MiB"),
    ]
    return [f"{name:<9} {text}" for name, text in rows]


def _invariant(proof: Proof) -> Iterator[str]:
    for covering in proof.invariant or ():
        places = ", ".join(f"{name} at {line} `{text}`" for name, (line, text) in covering.at.items())
        yield f"  {places}; {_values(covering.memory)}"
        for name, past in covering.pasts.items():
            yield f"    {name} may still see {' '.join(map(_snapshots, past))}"
        for (name, _), buffer in covering.buffers.items():
            yield f"    {name} has to store {' '.join(map(_snapshots, buffer))}"


def _snapshots(snapshots: Snapshots) -> str:
    if snapshots.own:
        return f"<own {_values(snapshots.values[0])}>"
    shown = " | ".join(map(_values, snapshots.values))
    return f"{{{shown}}}*" if snapshots.many else f"{{{shown}}}"


def _values(values: dict[str, Value]) -> str:
    return " ".join(f"{name}={show_value(value)}" for name, value in values.items())


def proof_to_html(proof: Proof, model: Model) -> str:
    """The page of the violation."""
    from xgen.views.pages.html import Page, Shown

    assert proof.witness is not None
    return Page([Shown(proof.witness)], model, (), proof.program, verdict_line(proof)).text()


def render_json(proof: Proof) -> str:
    """The proof as one JSON document, a line per key; without a newline at its end."""
    return document(proof_to_dict(proof))


def proof_to_dict(proof: Proof) -> dict[str, Any]:
    """The proof as plain values: the document before it is written."""
    return {
        "xgen": __version__,
        "program": PurePath(proof.program).name,
        "model": proof.model,
        "verdict": proof.verdict,
        "proof": proof.proof,
        "widening": proof.widening,
        "states": {
            "stored": proof.stored,
            "visited": proof.visited,
            "accelerated": proof.accelerated,
            "atoms": proof.atoms,
        },
        "domains": proof.domains,
        "local_states": list(proof.local_states.values()),
        "reason": proof.reason,
        "warnings": list(proof.warnings),
        "witness": execution_to_dict(proof.witness) if proof.witness else None,
        "invariant": None if proof.invariant is None else [_covering(c) for c in proof.invariant],
        "seconds": round(proof.seconds, 6),
        "peak_kib": proof.peak_kib,
    }


def _covering(covering: Covering) -> dict[str, Any]:
    return {
        "at": {name: {"line": line, "text": text} for name, (line, text) in covering.at.items()},
        "memory": covering.memory,
        "pasts": {name: list(map(_atom, past)) for name, past in covering.pasts.items()},
        "buffers": [
            {"thread": name, "variable": variable, "values": list(map(_atom, buffer))}
            for (name, variable), buffer in covering.buffers.items()
        ],
    }


def _atom(snapshots: Snapshots) -> dict[str, Any]:
    if snapshots.own:
        return {"own": snapshots.values[0]}
    return {"many": list(snapshots.values)} if snapshots.many else {"once": snapshots.values[0]}
