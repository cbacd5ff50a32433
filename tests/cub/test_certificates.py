"""Certificates: a solver proves those of all shipped safe systems, and refutes what is changed in them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cub.shipped import claims, system
from xgen.analyses.parameterised.certificate import Checked, certificate_of, certify, read_certificate
from xgen.analyses.parameterised.prove_system import prove_system
from xgen.analyses.parameterised.solvers import MissingSolver, load_solver
from xgen.errors import Source, UsageError

SAFE = [(name, model) for name, model, verdict in claims() if verdict == "safe"]


def document(name: str, model: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(certificate_of(prove_system(system(name), model)))
    return found


def check(changed: dict[str, Any]) -> Checked:
    return certify(read_certificate(Source("c.json", json.dumps(changed))), load_solver("z3"))


def without(original: dict[str, Any], number: int) -> dict[str, Any]:
    """The certificate without a cube, and what is said of it."""

    def left(hints: list[list[Any]]) -> list[list[Any]]:
        return [[*h[:3], h[3] - (h[3] > number), *h[4:]] for h in hints if h[3] != number]

    rows = [{**row, "covers": left(row["covers"])} for n, row in enumerate(original["cubes"]) if n != number]
    return {**original, "unsafe": left(original["unsafe"]), "cubes": rows}


@pytest.mark.sweep
@pytest.mark.parametrize(("name", "model"), [("flags_fenced", "tso"), ("commit", "sc"), ("peterson_fenced", "tso")])
def test_a_cube_less_is_refuted(name: str, model: str) -> None:
    """But where a larger cube was found later, which stands in for it."""
    original = document(name, model)
    refuted = 0
    for number, gone in enumerate(original["cubes"]):
        verdict = check(without(original, number)).verdict
        assert verdict == "refuted" or gone["kind"] != "unsafe"
        refuted += verdict == "refuted"
    assert refuted > len(original["cubes"]) / 2


@pytest.mark.sweep
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


WRONG_HINTS: list[list[Any]] = [
    [],
    [[0, 0, [0], 999, [0], []], [0, 0, [0], -1, [0], []]],
    [[0, 0, [0], 0, [0, 0], [0]], [0, 0, [0], 0, [7, 8], [0]], [0, 0, [0], 0, [0, 1], [5]], [0, 0, [0], 0, [0], [-9]]],
    [[t, 0, [0], cube, [1, 0], [-1]] for t in range(6) for cube in range(8)],
]


@pytest.mark.parametrize("hints", WRONG_HINTS, ids=["none", "no cubes", "no processes", "others"])
def test_hints_are_not_believed(hints: list[Any]) -> None:
    original = document("flags_fenced", "tso")
    rows = [{**row, "covers": hints} for row in original["cubes"]]
    assert check({**original, "unsafe": [[-1, 0, [0, 1], 3, [0, 1], []]], "cubes": rows}).verdict == "proved"


@pytest.mark.sweep
@pytest.mark.parametrize(("name", "model"), SAFE)
def test_hints_are_enough(name: str, model: str) -> None:
    """Each obligation holds with the cubes that are hinted at: where all are asked at once, that is one answer."""
    answers = []
    solve = load_solver("z3")

    def noted(text: str, seconds: float | None) -> str:
        answers.append(solve(text, seconds))
        return answers[-1]

    checked = certify(read_certificate(Source("c.json", json.dumps(document(name, model)))), noted)
    assert checked.verdict == "proved"
    assert set(answers) == {"unsat"}
    assert len(answers) < 2 + checked.obligations / 20


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
        row.setdefault("covers", [])
    with pytest.raises(UsageError):
        read_certificate(Source("c.json", json.dumps({**original, **change})))


TICKET = [["At", [0], None, None], ["Mine", [0], None, None], ["Next", [], None, None]]


@pytest.mark.parametrize(
    ("kind", "left", "right"),
    [
        ("=", 0, 1),
        ("<>", 0, 2),
        ("<=", 0, 1),
        ("<", 1, 0),
        ("-", 0, 0),
        ("in", 1, None),
        ("=", 1, 2),
        (["in"], 0, None),
    ],
)
def test_facts_of_cells_of_other_types(kind: Any, left: int, right: int | None) -> None:
    original = document("ticket_lemmas", "sc")
    names = [array.name for array in system("ticket_lemmas").arrays]
    cells = [[names.index(str(name)), *rest] for name, *rest in TICKET]
    fact = [kind, cells[left], None if right is None else cells[right], 1]
    original["cubes"][0]["facts"] = [fact]
    with pytest.raises(UsageError):
        read_certificate(Source("c.json", json.dumps(original)))


@pytest.mark.parametrize("text", ["", "{", "[]", "1", '{"format": 1}', "[" * 100000])
def test_what_is_no_json(text: str) -> None:
    with pytest.raises(UsageError, match="certificate"):
        read_certificate(Source("c.json", text))


def test_a_solver_that_gives_up() -> None:
    certificate = read_certificate(Source("c.json", json.dumps(document("msi", "sc"))))
    checked = certify(certificate, lambda _text, _seconds: "unknown")
    assert checked.verdict == "unknown"
    assert checked.obligations == 1


class Stopped:
    """What z3 says after Ctrl-C while it solves."""

    SimpleSolver: Any = None

    def from_string(self, text: str) -> None: ...

    def check(self) -> str:
        return "unknown"

    def reason_unknown(self) -> str:
        return "canceled"


Stopped.SimpleSolver = Stopped


def test_a_solver_that_keeps_the_signal(monkeypatch: pytest.MonkeyPatch) -> None:
    certificate = read_certificate(Source("c.json", json.dumps(document("msi", "sc"))))
    monkeypatch.setitem(__import__("sys").modules, "z3", Stopped)
    assert certify(certificate, load_solver("z3")).verdict == "interrupted"


def test_a_solver_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "cvc5", None)
    with pytest.raises(MissingSolver, match="not installed"):
        load_solver("cvc5")
