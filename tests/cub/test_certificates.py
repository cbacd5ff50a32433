"""Certificates: a solver proves those of all shipped safe systems, and refutes what is changed in them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cub.shipped import claims, system
from xgen.analyses.certificate import Checked, certificate_of, certify, read_certificate
from xgen.analyses.parameterised import prove_system
from xgen.analyses.solvers import MissingSolver, load_solver
from xgen.errors import Source, UsageError

LONG = ("arbiter", "counted_barrier")
"""Thousands of obligations: they take longer than a test may."""
SAFE = [(name, model) for name, model, verdict in claims() if verdict == "safe" and name not in LONG]


def document(name: str, model: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(certificate_of(prove_system(system(name), model)))
    return found


def check(changed: dict[str, Any]) -> Checked:
    return certify(read_certificate(Source("c.json", json.dumps(changed))), load_solver("z3"))


@pytest.mark.parametrize(("name", "model"), SAFE)
def test_proved(name: str, model: str) -> None:
    checked = check(document(name, model))
    assert checked.verdict == "proved", checked.failed
    assert checked.obligations > 0


@pytest.mark.parametrize(("name", "model"), [("flags_fenced", "tso"), ("commit", "sc"), ("peterson_fenced", "tso")])
def test_a_cube_less_is_refuted(name: str, model: str) -> None:
    """But where a larger cube was found later, which stands in for it."""
    original = document(name, model)
    refuted = 0
    for number, gone in enumerate(original["cubes"]):
        rows = [{**row, "covers": {}} for row in original["cubes"]]
        del rows[number]
        verdict = check({**original, "cubes": rows}).verdict
        assert verdict == "refuted" or gone["kind"] != "unsafe"
        refuted += verdict == "refuted"
    assert refuted > len(original["cubes"]) / 2


@pytest.mark.parametrize(("name", "model"), [("flags_fenced", "tso"), ("linux_spinlock", "tso"), ("xchg", "sc")])
def test_a_fact_less_is_refuted_or_still_a_proof(name: str, model: str) -> None:
    """A larger cube takes more steps to be right: unless nothing is lost, one of them is missing or meets `init`."""
    original = document(name, model)
    refuted = 0
    for number, row in enumerate(original["cubes"]):
        for fact in range(len(row["facts"])):
            rows = [dict(r) for r in original["cubes"]]
            rows[number]["facts"] = row["facts"][:fact] + row["facts"][fact + 1 :]
            refuted += check({**original, "cubes": rows}).verdict == "refuted"
    assert refuted >= len(original["cubes"])


def test_a_violation_has_no_certificate_that_proves_it() -> None:
    """The cubes of the fenced algorithm do not prove the one without fences."""
    fenced, unfenced = document("flags_fenced", "tso"), system("flags")
    import hashlib

    text = unfenced.source.text
    changed = {**fenced, "text": text, "sha256": hashlib.sha256(text.encode()).hexdigest()}
    assert check(changed).verdict == "refuted"
    assert check({**document("flags_fenced", "sc"), "text": text, "sha256": changed["sha256"]}).verdict == "proved"


def test_hints_are_not_believed() -> None:
    original = document("peterson_fenced", "tso")
    rows = [{**row, "covers": {"0": [0, 999, -1]}} for row in original["cubes"]]
    assert check({**original, "cubes": rows}).verdict == "proved"


def test_an_invariant_that_the_text_does_not_name_is_refuted() -> None:
    original = document("flags_fenced", "tso")
    rows = [{**row, "kind": "invariant"} for row in original["cubes"]]
    checked = check({**original, "cubes": rows})
    assert checked.verdict == "refuted"
    assert checked.failed is not None
    assert "is an invariant of the text" in checked.failed


WRONG: list[dict[str, Any]] = [
    {"format": "xgen cubes 0"},
    {"sha256": "0" * 64},
    {"model": "pso"},
    {"processes": 99},
    {"cubes": [{}]},
    {"cubes": [{"kind": "found", "processes": 1, "facts": [["in", None, None, 1]], "chains": [[]], "fenced": []}]},
    {"cubes": 3},
]


@pytest.mark.parametrize("change", WRONG, ids=[next(iter(w)) + str(n) for n, w in enumerate(WRONG)])
def test_what_is_no_certificate(change: dict[str, Any]) -> None:
    original = document("msi", "sc")
    for row in change["cubes"] if isinstance(change.get("cubes"), list) else []:
        row.setdefault("covers", {})
    with pytest.raises(UsageError):
        read_certificate(Source("c.json", json.dumps({**original, **change})))


@pytest.mark.parametrize("text", ["", "{", "[]", "1", '{"format": 1}', "[" * 100000])
def test_what_is_no_json(text: str) -> None:
    with pytest.raises(UsageError, match="certificate"):
        read_certificate(Source("c.json", text))


def test_a_solver_that_gives_up() -> None:
    certificate = read_certificate(Source("c.json", json.dumps(document("msi", "sc"))))
    checked = certify(certificate, lambda _text, _seconds: "unknown")
    assert checked.verdict == "unknown"
    assert checked.obligations == 1


def test_a_solver_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "cvc5", None)
    with pytest.raises(MissingSolver, match="not installed"):
        load_solver("cvc5")
