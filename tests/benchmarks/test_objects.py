"""The structures of public libraries, which are not here: how they are asked about, and what is stored."""

from __future__ import annotations

import json
from pathlib import Path

import clients
import objects
import pytest
from harness import read

ROOT = Path(__file__).parents[2]


def test_each_object_has_rows_and_each_row_a_result() -> None:
    assert {row.name for row in objects.ROWS} == {path.stem for path in objects.OBJECTS.glob("*.c")}
    rows = read(ROOT / "results" / "objects.csv")[1]
    assert [row["object"] for row in rows] == [row.name for row in objects.ROWS]
    assert {row["verdict"] for row in rows} == {"linearizable", "not-linearizable", "violation"}
    assert {row["object"] for row in rows if row["verdict"] == "linearizable"} >= {"ck_ring", "mpscq", "lfstack"}


@pytest.mark.parametrize("row", objects.ROWS, ids=lambda row: f"{row.name} {row.options}")
def test_how_an_object_is_asked_about(row: objects.Row) -> None:
    repository, commit, files = objects.head(row.name)
    assert repository.count("/") == 1
    assert len(commit) == 40
    words = objects.command(row, Path("/library"))
    assert words[:3] == ["xgen", "linearizable", str(objects.OBJECTS / f"{row.name}.c")]
    assert [word for word in words if word.startswith("/library/")] == [f"/library/{file}" for file in files]


def test_what_answers_become() -> None:
    assert objects.answer('{"error": {"message": "no such thing\\nat all"}}')["why"] == "no such thing"
    put, get = {"op": "put", "argument": 1, "result": 1}, {"op": "get", "argument": None, "result": 0}
    client = {"before": [], "threads": [[put]], "after": [get]}
    counts = {"verdict": "not-linearizable", "clients": 2, "executions": 3}
    found = objects.answer(json.dumps({**counts, "core": [[-2, 0], [0, 0]], "client": client}))
    assert found == {**counts, "why": "get()=0 put(1)=1"}


def test_clients_beside_relinche() -> None:
    rows = read(ROOT / "results" / "clients.csv")[1]
    published = read(clients.PUBLISHED)[1]
    assert [(row["structure"], row["relinche"]) for row in rows] == [(p["structure"], p["seconds"]) for p in published]
    assert {row["structure"]: row["verdict"] for row in rows if row["gets"] == row["puts"] == "3"} == {
        "msqueue": "linearizable",
        "treiber": "linearizable",
        "herlihy_wing": "linearizable",
    }
    command = clients.command("herlihy_wing -DLOOKING", 4, 3)
    assert command[2:4] == ["linearizable/herlihy_wing", "-DLOOKING"]
    assert command[command.index("--client") + 1].count("|") == 6
