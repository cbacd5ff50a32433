"""Answers about any number of processes, as text and as JSON."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

from xgen.analyses.parameterised.prove_system import Proof
from xgen.analyses.parameterised.run import Step
from xgen.engine.cubes import Cube, Node
from xgen.version import __version__
from xgen.views.answers.json import document
from xgen.views.answers.text import Paint, plain
from xgen.views.answers.witness import witness_lines
from xgen.views.words import duration, plural, wrapped


def render(proof: Proof, paint: Paint = plain, *, verbose: bool = False) -> str:
    """The whole report; ends without a newline. `verbose`: with all cubes."""
    role = {"safe": "good", "violation": "bad"}.get(proof.verdict, "unsure")
    blocks = [[paint(verdict_line(proof), role)]]
    if proof.reason:
        blocks.append(wrapped(proof.reason, "  "))
    blocks.append(_counts(proof))
    if proof.trace is not None:
        title = "the run" if proof.replayed else "a run that was not confirmed"
        blocks.append([title, *(f"  {_step(proof, step)}" for step in proof.trace.steps)])
    if proof.witness is not None:
        blocks.append(witness_lines(proof.witness.only(proof.witness.cause), paint))
    if verbose and proof.search is not None:
        blocks.append(["cubes", *(_node(number, node) for number, node in enumerate(proof.search.nodes()))])
    return "\n\n".join("\n".join(block) for block in blocks if block)


def verdict_line(proof: Proof) -> str:
    """The verdict, for how many processes, and the model."""
    number = proof.processes
    if proof.verdict == "safe":
        return f"safe for {processes(number) if number else 'any number of processes'} (model {proof.model})"
    if proof.verdict == "violation" and proof.trace is not None:
        return f"violation with {processes(proof.trace.processes)} (model {proof.model})"
    return f"{proof.verdict} (model {proof.model})"


def processes(number: int) -> str:
    """`1 process`, `2 processes`."""
    return "1 process" if number == 1 else f"{number} processes"


def _counts(proof: Proof) -> list[str]:
    rows = [
        (
            "explored",
            f"{plural(proof.cubes, 'cube')}, {plural(proof.images, 'step')} into them, {proof.covered} covered",
        ),
        ("cost", duration(proof.seconds)),
    ]
    if proof.system.universal_guards and proof.processes is None:
        rows.insert(1, ("guards", "about all processes: taken to hold if they hold for those that a cube speaks of"))
    guesses = _approximations(proof)
    if guesses or proof.restarts:
        back = plural(proof.restarts, "guess", "guesses")
        rows.insert(1, ("guesses", f"{plural(guesses, 'cube')} from a small instance; {back} taken back"))
    if proof.spurious:
        rows.insert(1, ("runs", f"{plural(proof.spurious, 'run')} not confirmed"))
    return [f"{name:<10}  {text}" for name, text in rows]


def _step(proof: Proof, step: Step) -> str:
    transition = proof.system.transitions[step.transition]
    names = step.processes[: len(transition.parameters)]
    return f"{transition.name}({', '.join(f'#{p + 1}' for p in names)})"


def _node(number: int, node: Node) -> str:
    return f"  {number} {node.kind}: {_cube(node.cube)}"


def _cube(cube: Cube) -> str:
    return str(cube)


def render_json(proof: Proof, certificate: str | None = None) -> str:
    """The answer as one JSON document, a line per key; without a newline at its end."""
    return document(to_dict(proof, certificate))


def to_dict(proof: Proof, certificate: str | None = None) -> dict[str, Any]:
    """The answer as plain values."""
    return {
        "xgen": __version__,
        "program": PurePath(proof.program).name,
        "model": proof.model,
        "verdict": proof.verdict,
        "processes": proof.processes or "any",
        "cubes": proof.cubes,
        "pre": proof.images,
        "covered": proof.covered,
        "approximations": _approximations(proof),
        "restarts": proof.restarts,
        "universal_guards": proof.system.universal_guards,
        "trace": [_step_dict(proof, step) for step in proof.trace.steps] if proof.trace else None,
        "trace_processes": proof.trace.processes if proof.trace else None,
        "replayed": proof.replayed,
        "spurious": proof.spurious,
        "reason": proof.reason,
        "certificate": certificate,
        "seconds": round(proof.seconds, 6),
    }


def _approximations(proof: Proof) -> int:
    """How many cubes were guessed."""
    return sum(node.kind == "approximation" for node in proof.search.nodes()) if proof.search else 0


def _step_dict(proof: Proof, step: Step) -> dict[str, Any]:
    transition = proof.system.transitions[step.transition]
    names = step.processes[: len(transition.parameters)]
    return {"transition": transition.name, "processes": [p + 1 for p in names]}
