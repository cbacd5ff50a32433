"""herd's and loom's own tests (results/herd.csv, results/loom.csv): what outputs come to, and what the tables have."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import herd
import loom
import pytest
from harness import Finished, read
from herd import Answer

RESULTS = Path(__file__).parents[2] / "results"
HERD_FACTS, HERD_ROWS = read(RESULTS / "herd.csv")
LOOM_FACTS, LOOM_ROWS = read(RESULTS / "loom.csv")
SB = """Test SB Allowed
States 2
0:a=0; 1:b=0;
0:a=1; 1:b=0;
Ok
Witnesses
Positive: 1 Negative: 1
Condition exists (0:a=0 /\\ 1:b=0)
Observation SB Sometimes 1 1
Time SB 0.00
Hash=00

"""


def test_each_group_has_a_row_of_each_tool() -> None:
    assert (HERD_FACTS["repository"], HERD_FACTS["commit"]) == (herd.REPOSITORY, herd.COMMIT)
    found: dict[str, dict[str, int]] = {}
    for row in HERD_ROWS:
        found.setdefault(row["suite"], {})[row["tool"]] = int(row["tests"])
        others = [one for one in row["others"].split("; ") if one]
        refused = sum(one.endswith(": no answer") for one in others)
        assert int(row["answered"]) == int(row["tests"]) - refused
        assert int(row["as_expected"]) <= int(row["tests"]) - len(others)
    assert all(set(tools) == {"herd7", "xgen"} and len(set(tools.values())) == 1 for tools in found.values())
    assert sum(tools["xgen"] for tools in found.values()) > 900


def test_answers_are_read_by_name() -> None:
    assert list(herd.answers(SB + 'Warning: File "x": what\n' + SB.replace("SB", "other"))) == [
        ("SB", Answer("Sometimes", ("0:a=0; 1:b=0;", "0:a=1; 1:b=0;"))),
        ("other", Answer("Sometimes", ("0:a=0; 1:b=0;", "0:a=1; 1:b=0;"))),
    ]


def test_what_is_not_as_expected_is_named(tmp_path: Path) -> None:
    """Each of four tests in a group in its own way, and one more of a name that is there already."""
    told = {
        "same": SB,
        "verdict": SB.replace("Sometimes 1 1", "Never 0 2"),
        "states": SB.replace("States 2", "States 1").replace("0:a=1; 1:b=0;\n", ""),
        "silent": "",
        "open": SB,
    }
    (tmp_path / "tests" / "sb").mkdir(parents=True)
    for name in (*told, "again"):
        path = tmp_path / "tests" / "sb" / f"{name}.litmus"
        path.write_text(f"C {'same' if name == 'again' else name}.litmus\n{{}}\n", "utf-8")
        if name != "open":
            path.with_name(f"{path.name}.expected").write_text(SB, "utf-8")
    (tmp_path / "tests" / "sb" / ".#gone.litmus").symlink_to("nowhere")
    (group,) = herd.groups(tmp_path).values()
    output = "".join(text.replace("SB", name) for name, text in told.items())
    assert herd.row(group, Finished(0, 1.0, 1.0, 1.0, output)) == {
        "tests": 5, "answered": 4, "as_expected": 1,
        "others": "silent: no answer; states: 1 states for 2; verdict: Never for Sometimes",
    }  # fmt: skip


# ---- loom


def finished(output: str, status: int = 0) -> Finished:
    return Finished(status, 2.0, 1.0, 64.0, output)


def test_each_test_has_a_row_of_both_tools() -> None:
    assert (LOOM_FACTS["repository"], LOOM_FACTS["commit"]) == loom.TESTS
    found: dict[str, dict[str, str]] = {}
    for row in LOOM_ROWS:
        found.setdefault(row["program"], {})[row["tool"]] = row["verdict"]
    assert len(found) == int(LOOM_FACTS["tests"])
    assert all({"loom", "xgen"} <= set(tools) for tools in found.values())
    assert sum("rustmc" in tools for tools in found.values()) == 72
    assert {verdict for tools in found.values() for verdict in tools.values()} == {"safe", "violation", "no answer"}


@pytest.mark.parametrize(
    ("output", "says"),
    [
        ("test a ... ok\n\ntest result: ok. 1 passed; 0 failed", {"verdict": "safe"}),
        (
            "thread 'a' (7) panicked at src/a.rs:1:2:\nassertion failed: x\nnote: more",
            {"verdict": "violation", "note": "assertion failed: x"},
        ),
        ("", {"verdict": "violation", "note": "the process ends with 134"}),
    ],
)
def test_what_loom_says(output: str, says: dict[str, str]) -> None:
    assert loom.loom_says(finished(output, 134)) == says


def test_iterations_of_all_models() -> None:
    output = "INFO Completed in 17 iterations\nINFO Completed in 3 iterations\ntest result: ok. 1 passed"
    assert loom.iterations(output) == "20"
    assert loom.iterations("INFO Completed in 17 iterations\ntest result: FAILED") == ""


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ({"verdict": "safe", "executions": 3}, {"verdict": "safe", "executions": 3, "note": ""}),
        (
            {"verdict": "violation", "executions": 3, "witness": {"error": {"kind": "race"}}},
            {"verdict": "violation", "executions": "", "note": "race"},
        ),
        (
            {"error": {"message": "`f` is not supported\nmore"}},
            {"verdict": "no answer", "note": "`f` is not supported"},
        ),
        ({"verdict": "unknown", "executions": 3}, {"verdict": "no answer", "note": "unknown"}),
    ],
)
def test_what_xgen_says(answer: dict[str, object], says: dict[str, object]) -> None:
    assert loom.xgen_says(finished(f"a note\n{json.dumps(answer)}")) == says


def test_a_project_has_the_tests_without_their_attribute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "library" / "tests").mkdir(parents=True)
    (tmp_path / "library" / "tests" / "a.rs").write_text("#[test]\n#[should_panic]\nfn a() {}\n", "utf-8")
    monkeypatch.setattr(loom, "fetched", lambda *_: tmp_path / "library")
    project = loom.made(tmp_path)
    assert (project / "tests" / "a.rs").read_text("utf-8") == "#[test]\nfn a() {}\n"
    assert f'version = "={loom.VERSION}"' in (project / "Cargo.toml").read_text("utf-8")


def test_published_rows_have_the_names_of_tests(tmp_path: Path) -> None:
    there = tmp_path / loom.PUBLISHED
    there.mkdir()
    (there / "test_inventory_artifact.csv").write_text("File Name,RustMC test file\natomic_int.rs,p.rs\narc.rs,q.rs\n")
    (there / "experiment_results.csv").write_text(
        "file,test_name,status,executions_explored,max_memory_mb,cpu_total_seconds\n"
        "p.rs,PIPELINE,PIPELINE,0,9.0,9\np.rs,xor,SUCCESS,1,134.96,0.31\nq.rs,drop_test,CRASH,0,147.0,0.44\n"
    )
    assert loom.published(tmp_path) == {
        "atomic_int::atomic_usize::xor": {"verdict": "safe", "executions": "1", "cpu_s": "0.31", "peak_mb": 135},
        "arc::drop": {"verdict": "no answer", "executions": "", "cpu_s": "0.44", "peak_mb": 147},
    }


def test_one_type_of_atomics_is_enough() -> None:
    names = ["atomic_u8::xor", "atomic_isize::max", "atomic_usize::xor", "compare_and_swap"]
    assert [name for name in names if not loom.OTHER_TYPES.search(name)] == ["atomic_usize::xor", "compare_and_swap"]


def test_a_run_that_the_system_ends_is_late(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loom, "run", lambda *_, **__: finished("", -signal.SIGXCPU))
    with pytest.raises(TimeoutError, match=f"^not finished within {loom.LIMIT} s$"):
        loom.limited(["xgen"])
