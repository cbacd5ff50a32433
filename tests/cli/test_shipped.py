"""Names of what comes with xgen: the same for every command, and hints where there is nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from cli.fake import run
from xgen.cli.shipped import find_claim, find_program, find_suites, find_system
from xgen.errors import UsageError
from xgen.memory.library import OTHER_NAMES, list_models, load_model
from xgen.resources import shipped

PROGRAMS = shipped("programs")
NAMES = {
    "peterson": "peterson.xcfa",
    "peterson.xcfa": "peterson.xcfa",
    "peterson.c": "c/peterson.c",
    "clh": "c/clh.c",
    "c/clh": "c/clh.c",
    "c/clh.c": "c/clh.c",
    "programs/c/clh.c": "c/clh.c",
    "endless/dekker": "endless/dekker.xcfa",
}


@pytest.mark.parametrize("find", [find_program, find_claim])
@pytest.mark.parametrize("name", NAMES)
def test_programs_have_the_same_names_everywhere(
    find: Callable[[str], Path], name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert find(name) == PROGRAMS / NAMES[name]


def test_systems_are_found_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert find_claim("flags") == find_claim("cub/flags.cub") == PROGRAMS / "cub" / "flags.cub"
    assert find_claim("peterson.cub") == PROGRAMS / "cub" / "peterson.cub"
    assert find_system("dve/peterson") == PROGRAMS / "dve" / "peterson.dve"
    assert find_system("peterson") == PROGRAMS / "peterson.xcfa"


def test_litmus_tests_that_come_with_xgen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    below = shipped("litmus") / "X86"
    assert find_suites(["litmus/X86", "X86"]) == [str(below), str(below)]
    assert find_suites(["nowhere", "-", "@list", "/X86", "../X86", "nul\0"]) == [
        *("nowhere", "-", "@list", "/X86", "../X86", "nul\0")
    ]
    assert find_program("X86/SB.litmus") == below / "SB.litmus"
    (tmp_path / "X86").mkdir()
    assert find_suites(["X86"]) == ["X86"]


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("petersen", "peterson"),
        ("petersen.c", "peterson"),
        ("c/petersen", "c/peterson"),
        ("endless/deker", "endless/dekker"),
    ],
)
def test_what_is_nearest(name: str, hint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for find in (find_program, find_claim):
        with pytest.raises(UsageError, match=f"did you mean `{hint}`"):
            find(name)


@pytest.mark.parametrize(("name", "model"), OTHER_NAMES.items())
def test_what_models_are_called_elsewhere(name: str, model: str) -> None:
    assert model in list_models()
    with pytest.raises(UsageError) as caught:
        load_model(name.upper())
    assert caught.value.hint is not None
    assert caught.value.hint.startswith(f"did you mean `{model}`? the shipped models are any, arm, ")


FILES = {
    "a.cub": "a program's file name has to end in .xcfa, .litmus or .c\n  `xgen prove` reads .cub files",
    "a.dve": "a program's file name has to end in .xcfa, .litmus or .c\n  `xgen ltl` reads .dve files",
    "a.gcl": "a program's file name has to end in .xcfa, .litmus or .c\n  `xgen repair` reads .gcl files",
    "a.mcm": "a program's file name has to end in .xcfa, .litmus or .c\n  this is a memory model: --mcm takes it",
    "a.cpp": "a program's file name has to end in .xcfa, .litmus or .c\n  C++ is not read, C is",
    "a.txt": "a program's file name has to end in .xcfa, .litmus or .c",
}


@pytest.mark.parametrize("name", FILES)
def test_what_is_no_program(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text("")
    outcome = run("check", name, "--mcm", "tso")
    assert (outcome.exit_code, outcome.stderr) == (2, f"{name}: error: {FILES[name]}\n")


def test_a_program_is_no_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.c").write_text("int main() { }")
    outcome = run("check", "a.c", "--mcm", "a.c")
    assert (outcome.exit_code, outcome.stderr) == (
        2,
        "a.c: error: this is no memory model\n  models are .mcm and .cat files\n",
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("peterson.c", "--mcm", "tso"),
            "note: this is the C text under tso; --map x86 checks what compilers make of it there",
        ),
        (
            ("clh", "--mcm", "arm8"),
            "note: this is the C text under arm8; --map armv8 checks what compilers make of it there",
        ),
        (
            ("clh", "--mcm", "power", "--map", "x86"),
            "note: the program is as compiled for x86, whose model is tso, not power",
        ),
        (
            ("clh", "--mcm", "rc11", "--map", "armv8-lse"),
            "note: the program is as compiled for armv8-lse, whose model is arm8, not rc11",
        ),
        (("clh", "--mcm", "tso", "--map", "x86"), None),
        (("clh", "--mcm", "rc11"), None),
        (("clh", "--mcm", "sc"), None),
        (("peterson", "--mcm", "tso"), None),
    ],
)
def test_a_machine_is_asked_about_what_a_compiler_makes(arguments: tuple[str, ...], said: str | None) -> None:
    told = [line for line in run("check", *arguments).stdout.splitlines() if line.startswith("note: ")]
    assert told == ([] if said is None else [said])
