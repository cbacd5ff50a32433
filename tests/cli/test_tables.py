"""The tables in the pages have the figures of results/, or those that come out when it is done again."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest
from families import fetch_add, readers, sb, write_then_read, writers

import xgen
from xgen.memory.library import load_model

ROOT = Path(__file__).parents[2]


def measured(name: str) -> list[dict[str, str]]:
    lines = (ROOT / "results" / name).read_text(encoding="utf-8").splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def table(page: str, first: str) -> list[list[str]]:
    """The rows, without the head, of the table whose first column has that head."""
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    (block,) = re.findall(rf"^\| {re.escape(first)} \|.*\n\|[-|: ]+\n((?:\|.*\n)+)", text, re.MULTILINE)
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in block.splitlines()]


def numbers(*cells: str) -> list[int]:
    return [int(number.replace(",", "")) for cell in cells for number in re.findall(r"\d[\d,]*\b", cell)]


def test_repairs() -> None:
    rows = {(row["protocol"], row["constants"], row["level"]): row for row in measured("protocols.csv")}
    protocol = ""
    shown = table("repair", "protocol")
    assert len(shown) == 12
    for name, level, sizes, reached, groups in shown:
        named, _, constants = name.rpartition(", ") if "=" in name else (name, "", "")
        protocol = named or protocol
        row = rows[protocol, constants.replace(" ", ""), level]
        assert re.findall(r"\d[\d,]*(?=, |$)", sizes) == [
            f"{int(row[key]):,}" for key in ("states", "groups", "clauses")
        ]
        if reached == "impossible":
            assert row["verdict"] == "impossible"
            continue
        assert numbers(reached) == [int(row["reached"]), int(row["legitimate"])]
        kept, removed, new = (int(row[key]) for key in ("kept", "removed", "new"))
        assert groups == f"{kept} of {kept + removed}, {new}"


def test_fences_beside_remmex() -> None:
    rows = {
        (row["program"], row["model"]): row
        for row in measured("fences.csv")
        if row["ask"] in ("endless", "deadlock") and row["sites"] == "all"
    }
    shown = table("fences", "program")
    assert len(shown) == 10
    for name, tso, remmex_tso, pso, remmex_pso in shown:
        program = name.split()[0]
        for model, ours, theirs in (("tso", tso, remmex_tso), ("pso", pso, remmex_pso)):
            row = rows[program, model]
            both = [int(row["full"]), int(row["others"])]
            assert numbers(ours) == both[: len(numbers(ours))]
            assert sum(both) == sum(numbers(ours))
            assert numbers(theirs) == [int(row["tool_full"]), int(row["tool_others"])][: len(numbers(theirs))]


CLASSES = (writers(4, 4), writers(6, 2), write_then_read(4), readers(6), fetch_add(5), sb(8))
"""What the rows of docs/classes.md are about."""


@pytest.mark.parametrize("row", range(len(CLASSES)))
def test_classes(row: int) -> None:
    shown = table("classes", "program, under sc")
    assert len(shown) == len(CLASSES)
    _, executions, graphs, alike, orbits = shown[row]
    program, sc = xgen.parse(CLASSES[row]), load_model("sc")
    for symmetry, promised in ((False, alike), (True, orbits)):
        result = xgen.check(program, sc, all_states=True, classes="rf", symmetry=symmetry)
        assert (f"{result.executions:,}", f"{result.explored:,}") == (executions, promised)
    if not graphs.startswith("more"):
        assert f"{xgen.check(program, sc, all_states=True).explored:,}" == graphs
