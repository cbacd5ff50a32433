"""What results/ says comes out the same: counts and verdicts of its small parts, never times; and it hangs together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import atomic
import bounds
import configurations
import correctness
import fences
import lassos
import mapping
import mixed
import orders
import proofs
import pytest
import systems
import tables
import trencher
from families import instance
from harness import machine, read
from plot import own_name

import xgen
from xgen.resources import shipped

RESULTS = Path(__file__).parents[2] / "results"
TABLES = sorted(path.stem for path in RESULTS.glob("*.csv"))
TIMES = {"seconds", "certificate_seconds", "peak_mib", "states_per_second", "bytes"}


def stored(name: str, *keys: str) -> dict[tuple[str, ...], dict[str, str]]:
    """The rows of a table by what names them."""
    rows = read(RESULTS / f"{name}.csv")[1]
    found = {tuple(row[key] for key in keys): row for row in rows}
    assert len(found) == len(rows)
    return found


def same(made: Iterable[Mapping[str, object]], name: str, *keys: str) -> int:
    """That rows made now are as they are stored, but for times; how many there are."""
    rows, count = stored(name, *keys), 0
    for row in made:
        told = {key: "" if value is None else str(value) for key, value in row.items() if key not in TIMES}
        kept = rows[tuple(told[key] for key in keys)]
        assert {key: kept[key] for key in told} == told
        count += 1
    return count


def test_correctness() -> None:
    """All that the thesis has, under all models, but for a few larger ones."""
    asked = [pair for pair in correctness.asked() if pair[0] not in correctness.MUTEXES]
    explored = {key: int(row["explored"]) for key, row in stored("correctness", "program", "model").items()}
    small = [pair for pair in asked if explored[pair] < 500]
    assert same((correctness.check(*pair) for pair in small), "correctness", "program", "model") == len(small) > 90


def test_bounds() -> None:
    searches = [
        (program, model, bound)
        for program in bounds.PROGRAMS
        for model, last in (("sc", 11), ("weak", 5), ("arm8", 5), ("weak-a9", 5))
        for bound in (*range(5, last + 1, 2), None)
    ]
    rows = (bounds.search(*search, again=0) for search in searches)
    assert same(rows, "bounds", "program", "model", "bound", "rounds") == 22


def test_configurations() -> None:
    rows = (row for one in configurations.series() for row in configurations.explore(*one, most=3, again=0))
    assert same(rows, "configurations", *configurations.KEY) == 168


def test_mapping() -> None:
    assert same(mapping.rows(), "mapping", "shape", "write", "read") == 81
    assert {row["right"] for row in read(RESULTS / "mapping.csv")[1]} == {"yes"}


def test_orders() -> None:
    names = [name for (name,), row in stored("orders", "program").items() if int(row["executions"]) < 300]
    assert same(orders.rows(names), "orders", "program") == len(names) > 8


def test_mixed() -> None:
    """Those that go wrong soon; what is safe is said in the programs, too (tests/c/language/test_sizes.py)."""
    keys = "program", "variant", "model"
    small = [key for key, row in stored("mixed", *keys).items() if row["explored"] and int(row["explored"]) < 60]
    assert same((mixed.check(*key) for key in small), "mixed", *keys) == len(small) > 8


def test_scaling() -> None:
    """xgen's counts, and that other tools found as many."""
    rows = read(RESULTS / "scaling.csv")[1]
    counts = ("executions", "blocked", "bounded", "explored")
    again = 0
    for row in rows:
        if row["tool"] == "xgen" and int(row["explored"]) < 2000:
            program = instance(row["program"])
            result = xgen.check(
                xgen.parse(program.text), xgen.model(row["model"]), max_depth=program.depth, all_states=True
            )
            assert [str(getattr(result, count)) for count in counts] == [row[count] for count in counts], row
            again += 1
    assert again >= 60
    own = {(row["program"], row["model"]): row["executions"] for row in rows if row["tool"] == "xgen"}
    others = [row for row in rows if row["tool"] != "xgen"]
    assert {row["tool"] for row in others} == {"genmc", "nidhugg", "herd7"}
    assert all(row["executions"] == own[row["program"], own_name(row["model"])] for row in others)


def test_workers() -> None:
    """Every number of workers finds the same."""
    found: dict[str, set[tuple[str, str]]] = {}
    for row in read(RESULTS / "workers.csv")[1]:
        found.setdefault(row["program"], set()).add((row["executions"], row["explored"]))
    assert [len(counts) for counts in found.values()] == [1] * len(found)


def test_proofs() -> None:
    small = [key for key, row in stored("proofs", "program", "model").items() if int(row["visited"]) < 500]
    rows = ({"program": name, "model": model, **proofs.prove(name, model, 0)} for name, model in small)
    assert same(rows, "proofs", "program", "model") == len(small) > 60


def test_proofs_for_any_number() -> None:
    small = [key for key, row in stored("cub", "system", "model").items() if int(row["cubes"]) < 60]
    folder = shipped("programs") / "cub"
    rows = (
        {"system": name, "model": model, **systems.search(str(folder / f"{name}.cub"), model, 20, 0, certificate=False)}
        for name, model in small
    )
    assert same(rows, "cub", "system", "model") == len(small) > 15


@pytest.mark.parametrize("name", ["cub", "cubtso"])
def test_cubicle_agrees(name: str) -> None:
    """Where Cubicle-W came to an answer, it is ours."""
    rows = read(RESULTS / f"{name}.csv")[1]
    answers = [(row["verdict"], row["cubiclew"]) for row in rows if row["cubiclew"] != "none"]
    assert len(answers) >= 7
    assert all(ours == theirs for ours, theirs in answers)


def test_lassos() -> None:
    keys = [key for key, row in stored("lassos", "system", "memory", "buffer").items() if int(row["states"]) < 5000]
    rows = (
        {"system": name, "memory": memory, "buffer": room, **lassos.explore(name, memory, int(room), 0)}
        for name, memory, room in keys
    )
    assert same(rows, "lassos", "system", "memory", "buffer") == len(keys) > 12


def test_fences() -> None:
    """Every fourth row, but for those that take long."""
    keys = list(stored("fences", *fences.ASKED).items())[::4]
    small = [key for key, row in keys if float(row["seconds"]) < 0.2]
    made = (
        {**dict(zip(fences.ASKED, key, strict=True)), **fences.search(*key[:4], key[4] == "True", 0)} for key in small
    )
    assert same(made, "fences", *fences.ASKED) == len(small) >= 15


def test_fences_are_not_more_than_published() -> None:
    rows = [row for row in read(RESULTS / "fences.csv")[1] if row["tool"]]
    assert len(rows) > 30
    assert all(int(row["full"]) <= int(row["tool_full"]) for row in rows)
    assert all(int(row["others"]) <= int(row["tool_others"]) for row in rows)


def test_trencher_agrees() -> None:
    """Programs are as robust as their files say."""
    rows = [row for row in read(RESULTS / "trencher.csv")[1] if row["said"] and row["verdict"] != "refused"]
    assert len(rows) > 15
    for row in rows:
        assert (row["verdict"] == "safe") == (row["said"] == "robust"), row["program"]


def test_accesses_of_several_sizes_are_as_others_say() -> None:
    rows = [row for row in read(RESULTS / "sizes.csv")[1] if not row["found"].startswith("refused: ")]
    assert sum(int(row["tests"]) for row in rows) == 30 + 2658
    for row in rows:
        assert row["found"] == row["said"], row["example"]


def test_programs_of_trencher(tmp_path: Path) -> None:
    """Two threads that take a lock, or look at each other's flags."""
    thread = (
        "thread t{0}\ninitial a\ntransition a b write 1 {0}\ntransition b c read r {1}\ntransition c d check ! r\nend\n"
    )
    path = tmp_path / "flags.txt"
    path.write_text("# IS NOT robust.\n\n" + thread.format(0, 1) + thread.format(1, 0))
    assert trencher.said(path.read_text()) == "not robust"
    found = trencher.search(str(path), 6)
    assert (found["verdict"], found["fences"]) == ("fenced", 2)
    locked = "thread u{0}\ninitial a\ntransition a b lock\ntransition b c write + 1 {0} 5\ntransition c d unlock\nend\n"
    path.write_text(locked.format(0) + locked.format(1))
    assert trencher.search(str(path), 6)["verdict"] == "safe"


def test_atomic() -> None:
    keys = stored("atomic", "system", "memory", "buffer")
    rows = (
        {"system": name, "memory": memory, "buffer": room, **atomic.repair(name, memory, int(room), 0)}
        for name, memory, room in keys
    )
    assert same(rows, "atomic", "system", "memory", "buffer") == len(keys)


@pytest.mark.parametrize("name", TABLES)
def test_a_table_says_where_it_was_measured(name: str) -> None:
    facts, rows = read(RESULTS / f"{name}.csv")
    assert set(machine()) <= set(facts)
    assert rows


def test_readme_has_these_tables() -> None:
    """`python benchmarks/tables.py` writes them anew."""
    text = (RESULTS / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"<!-- (\w+) -->", text)) == set(tables.TABLES)
    assert tables.written(text) == text
    assert re.findall(r"^## (\d)\.", text, re.MULTILINE) == ["1", "2", "3", "4", "5"]


def test_a_table_without_its_marks() -> None:
    with pytest.raises(ValueError, match="substring not found"):
        tables.written("<!-- correctness -->")


def test_readme_names_all_files() -> None:
    text = (RESULTS / "README.md").read_text(encoding="utf-8")
    for path in (*RESULTS.glob("*.csv"), *RESULTS.glob("*.svg"), *(RESULTS / "published").iterdir()):
        assert path.name in text, path.name


def test_pictures(tmp_path: Path) -> None:
    """Two of them, with the words of their axes; all are there."""
    pytest.importorskip("matplotlib", reason="an extra: pip install '.[bench]'")
    import pictures

    pictures.draw(["bounds", "workers"], tmp_path)
    drawn = {path.stem: path.read_text(encoding="utf-8") for path in tmp_path.glob("*.svg")}
    assert set(drawn) == {"bounds", "workers"}
    assert "graphs visited" in drawn["bounds"]
    assert "times less for the busiest worker" in drawn["workers"]
    assert {path.stem for path in RESULTS.glob("*.svg")} == set(pictures.PICTURES)
