"""Public Rust code, of which nothing is fetched: clients of structures (results/rust.csv) have the verdict that is
expected of them; tests of crates (results/crates.csv), what outputs come to, and what the table has."""

from __future__ import annotations

import json
from pathlib import Path

import crates
import pytest
import real
import rust
from crates import DEBUG, Target
from harness import Finished, read

FOLDER = Path(__file__).parents[2] / "results"
RESULTS = read(FOLDER / "rust.csv")[1]
ROWS = read(FOLDER / "crates.csv")[1]
MANIFEST = """[package]
name = "a"

[[bench]]
name = "fast"

[dependencies.loom]
version = "1"

[dev-dependencies.criterion]
version = "0.5"
features = ["x"]

[dev-dependencies.criterion-more]
version = "1"
"""


def test_every_client_is_in_the_table() -> None:
    assert {row.client for row in rust.ROWS} == {path.stem for path in real.CLIENTS.glob("*.rs")}
    assert [row["client"] for row in RESULTS] == [row.client for row in rust.ROWS]


@pytest.mark.parametrize("number", range(len(rust.ROWS)), ids=lambda number: f"{number} {rust.ROWS[number].client}")
def test_what_came_out(number: int) -> None:
    """What is as it is is safe, what is broken is found."""
    row, stored, found = rust.ROWS[number], RESULTS[number], real.head(f"{rust.ROWS[number].client}.rs")
    assert (stored["repository"], stored["commit"]) == (found["repository"], found["commit"][:12])
    assert bool(stored["broken"]) == bool(row.file)
    assert stored["verdict"] == ("violation" if row.file else "safe")
    assert stored["why"] in (("race", "race-with-free", "await") if row.file else ("",))


# ---- tests of crates


def finished(output: str) -> Finished:
    return Finished(0, 2.0, 1.0, 64.0, output)


def test_rows_are_of_targets_that_the_script_has() -> None:
    known = {(one.suite, one.crate, one.version, one.where) for one in crates.TARGETS}
    assert known >= {(row["suite"], row["crate"], row["version"], row["target"]) for row in ROWS}
    assert {row["suite"] for row in ROWS} == {"loom", "test"}
    assert len({(row["suite"], row["crate"], row["target"], row["test"]) for row in ROWS}) == len(ROWS)


def test_outcomes_are_what_the_answers_say() -> None:
    for row in ROWS:
        if row["outcome"] != "not built":
            assert row["outcome"] == crates.outcome(row["xgen"], row["peer"]), row
        assert bool(row["cpu_s"]) == (row["xgen"] in ("safe", "violation")), row
        assert row["note"] or row["outcome"] in ("agreed", "alone"), row


@pytest.mark.parametrize(
    ("ours", "peers", "what"),
    [
        ("safe", "safe", "agreed"),
        ("violation", "violation", "agreed"),
        ("violation", "safe", "differs"),
        ("safe", "violation", "differs"),
        ("safe", "no answer", "alone"),
        ("refused", "safe", "refused"),
        ("no answer", "no answer", "no answer"),
    ],
)
def test_two_answers(ours: str, peers: str, what: str) -> None:
    assert crates.outcome(ours, peers) == what


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ({"verdict": "safe", "executions": 3}, {"xgen": "safe", "executions": 3}),
        ({"verdict": "safe", "vacuous": True, "warnings": ["none ends"]}, {"xgen": "no answer", "note": "none ends"}),
        ({"verdict": "interrupted", "warnings": []}, {"xgen": "no answer", "note": "interrupted"}),
        (
            {"verdict": "violation", "witness": {"error": {"kind": "race", "message": "data race at /a/src/b.rs:2:7"}}},
            {"xgen": "violation", "note": "race: data race at"},
        ),
        (
            {"error": {"message": "`f`, which\n is not there, is not supported"}},
            {"xgen": "refused", "note": "`f`, which is not there, is not supported"},
        ),
    ],
)
def test_what_xgen_says(answer: dict[str, object], says: dict[str, object]) -> None:
    assert crates.xgen_says(finished(f"a note\n{json.dumps(answer, indent=1)}\n")) == says
    assert crates.xgen_says(finished("Killed"))["xgen"] == "refused"


def test_only_what_is_named_is_taken_out() -> None:
    made = crates.lighter(MANIFEST, ("criterion",))
    assert "[[bench]]" not in made
    assert "criterion]" not in made
    assert 'features = ["x"]' not in made
    assert "[dev-dependencies.criterion-more]" in made
    assert crates.lighter(MANIFEST, ()) == MANIFEST.replace('[[bench]]\nname = "fast"\n\n', "")


def test_flags_of_rustc_stand_last() -> None:
    """Also where options come after those of the target."""
    file = Target("a", "1", "one", "loom", "loom", DEBUG)
    command = crates.asked(file, Path("/a-1"), "--test", "two")
    assert command[1:] == [
        *("check", "/a-1/tests/one.rs", "-p", "/a-1", "--cfg", "loom", "--features", "loom"),
        *("--test", "two", "--format", "json", "--", "-Cdebug-assertions=on"),
    ]
    assert crates.asked(Target("a", "1"), Path("/a-1"))[1:] == ["check", "--lib", "-p", "/a-1", "--format", "json"]


def test_ignored_tests_and_other_modules_are_left_out(tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.write_text(
        '#!/bin/sh\necho "a::one: test"\n[ "$2" ] || { echo "a::two: test"; echo "b::three: test"; echo "c: bench"; }\n'
    )
    program.chmod(0o755)
    assert [test.name for test in crates.tests_in(program, "a:")] == ["a::two"]
    assert [test.name for test in crates.tests_in(program, "")] == ["a::two", "b::three"]


def test_a_late_answer_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second time is that of the row."""
    seconds = iter((2.0, 0.5))

    def limited(command: list[str], limit: int, **_: str) -> Finished:
        if command == ["late"]:
            raise TimeoutError(f"not finished within {limit} s")
        return Finished(0, 9.0, next(seconds), 1.0, '{\n "verdict": "safe",\n "executions": 4\n}\n')

    monkeypatch.setattr(crates, "limited", limited)
    assert crates.of_xgen(["x"], "") == {"first_s": "2.00", "xgen": "safe", "executions": 4, "cpu_s": "0.50"}
    assert crates.of_xgen(["late"], "") == {"xgen": "no answer", "note": "not finished within 60 s"}
