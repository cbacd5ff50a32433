"""Files with blanks and letters of all sorts in their names, in a deep folder, through every command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.fake import run, unlined
from xgen.resources import shipped

FILES = {
    "pro gram å.xcfa": shipped("programs") / "peterson.xcfa",
    "pro gram å.c": shipped("programs") / "c" / "peterson.c",
    "te st å.litmus": shipped("litmus") / "X86" / "SB.litmus",
    "mo del å.mcm": shipped("mcm") / "tso.mcm",
    "sys tem å.dve": shipped("programs") / "dve" / "peterson.dve",
    "sys tem å.cub": shipped("programs") / "cub" / "flags.cub",
    "pro tocol å.gcl": shipped("protocols") / "byzantine.gcl",
}
MODEL = ("--mcm", "mo del å.mcm")
FORMULA = "G !(P_0@CS & P_1@CS)"
CASES: list[tuple[tuple[str, ...], int, list[str]]] = [
    # what is asked, the exit code, and the files that are written
    (("check", "pro gram å.xcfa", *MODEL, "--svg", "bil der", "--html", "sei te å.html"), 1,
     ["bil der/witness.svg", "sei te å.html"]),
    (("check", "pro gram å.xcfa", *MODEL, "--checkpoint", "la uf å.run", "--dot", "bil der"), 1,
     ["la uf å.run", "bil der/witness.dot"]),
    (("check", "pro gram å.c", "--mcm", "rc11", "--max-depth", "9"), 0, []),
    (("litmus", "te st å.litmus", *MODEL, "--junit", "ju nit å.xml"), 0, ["ju nit å.xml"]),
    (("litmus", ".", *MODEL), 0, []),
    (("litmus", "@li ste å", *MODEL), 0, []),
    (("models", "show", "mo del å.mcm"), 0, []),
    (("models", "check", "mo del å.mcm"), 0, []),
    (("compare", "mo del å.mcm", "sc", "te st å.litmus"), 1, []),
    (("explain", "te st å.litmus", *MODEL, "--svg", "war um å.svg", "--html", "war um å.html"), 0,
     ["war um å.svg", "war um å.html"]),
    (("show", "pro gram å.xcfa", "--as", "code"), 0, []),
    (("fences", "pro gram å.xcfa", *MODEL, "--write", "neu å.xcfa", "--html", "zäu ne.html"), 0,
     ["neu å.xcfa", "zäu ne.html"]),
    (("prove", "pro gram å.xcfa", "--mcm", "tso"), 1, []),
    (("prove", "sys tem å.cub", "--mcm", "sc", "--certificate", "be weis å.json"), 0, ["be weis å.json"]),
    (("ltl", "sys tem å.dve", FORMULA, "--mcm", "tso", "--svg", "la uf å.svg", "--html", "la uf å.html"), 1,
     ["la uf å.svg", "la uf å.html"]),
    (("repair", "pro tocol å.gcl"), 0, []),
]  # fmt: skip


@pytest.fixture
def deep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files, that one stands in."""
    folder = tmp_path.joinpath(*(f"tief {number} ü" for number in range(12)))
    folder.mkdir(parents=True)
    for name, file in FILES.items():
        (folder / name).write_bytes(file.read_bytes())
    (folder / "li ste å").write_text("te st å.litmus\n", encoding="utf-8")
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize(("arguments", "code", "written"), CASES, ids=[" ".join(case[0][:2]) for case in CASES])
def test_names(deep: Path, arguments: tuple[str, ...], code: int, written: list[str]) -> None:
    outcome = run(*arguments)
    assert (outcome.exit_code, unlined(outcome.stderr)) == (code, "")
    assert outcome.stdout
    for name in written:
        assert (deep / name).stat().st_size > 0


def test_a_result_that_was_kept_and_a_long_path(deep: Path) -> None:
    outcome = run("check", str(deep / "pro gram å.xcfa"), *MODEL, "--format", "json")
    document = json.loads(outcome.stdout)
    assert document["program"] == "pro gram å.xcfa"
    (deep / "er gebnis å.json").write_text(outcome.stdout, encoding="utf-8")
    assert run("show", "er gebnis å.json", "--format", "svg").stdout.startswith("<svg ")


def test_errors_name_them(deep: Path) -> None:
    (deep / "falsch å.xcfa").write_text("process p { loc\n}", encoding="utf-8")
    outcome = run("check", "falsch å.xcfa", *MODEL)
    assert outcome.exit_code == 2
    assert outcome.stderr.startswith("falsch å.xcfa:2:1: error: ")
    outcome = run("check", "nicht da å.xcfa", *MODEL)
    assert (outcome.exit_code, outcome.stderr) == (2, "nicht da å.xcfa: error: there is no such file\n")
