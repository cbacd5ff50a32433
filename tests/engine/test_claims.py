"""What the thesis claims (chapter 6), by the shipped programs and models."""

from __future__ import annotations

import xgen
from xgen import Result
from xgen.resources import shipped


def run(program: str, model: str, **options: object) -> Result:
    return xgen.check(xgen.load(shipped("programs") / f"{program}.xcfa"), xgen.model(model), **options)  # type: ignore[arg-type]


def outcomes(program: str, model: str) -> list[dict[str, int]]:
    return [dict(outcome.state) for outcome in run(program, model, all_states=True).outcomes]


def test_peterson_is_violated_under_weak_and_safe_under_sc() -> None:
    assert run("peterson", "weak", max_depth=8).verdict == "violation"
    assert run("peterson", "sc").verdict == "safe"


def test_fences_around_every_access_make_peterson_safe_under_weak() -> None:
    assert run("peterson_fenced", "weak").verdict == "safe"


def test_cow2r_is_incoherent_under_weak_a9_only() -> None:
    def incoherent(model: str) -> bool:
        return any(s["reader:r1"] == 1 and s["reader:r2"] == 0 for s in outcomes("cow2r", model))

    assert [m for m in ("sc", "tso", "pso", "weak", "weak-a9") if incoherent(m)] == ["weak-a9"]


def test_coww2r2r_is_incoherent_under_weak_a9_only() -> None:
    def incoherent(model: str) -> bool:
        pairs = {tuple(s[f"reader{i}:r{k}"] for i in (0, 1) for k in (1, 2)) for s in outcomes("coww2r2r", model)}
        return (1, 2, 2, 1) in pairs

    assert [m for m in ("sc", "tso", "pso", "weak", "weak-a9") if incoherent(m)] == ["weak-a9"]


def test_message_passing_with_fences_fails_under_nofence_only() -> None:
    verdicts = {m: run("mp", m).verdict for m in ("sc", "tso", "weak", "weak-a9", "nofence")}
    assert verdicts == dict.fromkeys(("sc", "tso", "weak", "weak-a9"), "safe") | {"nofence": "violation"}


def test_2w2r_has_one_outcome_more_under_weak_than_under_sc() -> None:
    strong, weak = outcomes("2w2r", "sc"), outcomes("2w2r", "weak")
    assert [state for state in strong if state not in weak] == []
    (extra,) = [state for state in weak if state not in strong]
    assert (extra["reader:a"], extra["reader:b"]) == (1, 0)
