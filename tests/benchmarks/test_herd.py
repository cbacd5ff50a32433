"""The C++ committee's litmus tests (results/herd.csv): how both tools' answers are read, and what the table has."""

from __future__ import annotations

from pathlib import Path

import herd
from harness import Finished, read
from herd import Answer

FACTS, ROWS = read(Path(__file__).parents[2] / "results" / "herd.csv")
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
    assert (FACTS["repository"], FACTS["commit"]) == (herd.REPOSITORY, herd.COMMIT)
    found: dict[str, dict[str, int]] = {}
    for row in ROWS:
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
