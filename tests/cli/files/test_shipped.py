"""Names of what comes with xgen: the same for every command, and hints where there is nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import xgen
from cli.fake import run
from xgen.errors import UsageError
from xgen.memory.library import OTHER_NAMES, list_models, load_model
from xgen.resources import shipped
from xgen.shipped import find_claim, find_program, find_suites, find_system

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


OTHERS = [
    (find_program, "dve/peterson", "`xgen ltl` reads the shipped `dve/peterson`"),
    (find_program, "programs/dve/peterson.dve", "`xgen ltl` reads the shipped `dve/peterson`"),
    (find_program, "peterson.dve", "`xgen ltl` reads the shipped `dve/peterson`"),
    (find_program, "anderson", "`xgen ltl` reads the shipped `dve/anderson`"),
    (find_program, "dve/petersn", "did you mean `dve/peterson`? `xgen ltl` reads it"),
    (find_claim, "dve/petersn.dve", "did you mean `dve/peterson`? `xgen ltl` reads it"),
    (find_program, "flags", "`xgen prove` reads the shipped `cub/flags`"),
    (find_system, "flags", "`xgen prove` reads the shipped `cub/flags`"),
    (find_system, "clh", "`xgen check` reads the shipped `c/clh`"),
    (find_system, "dve/petersen", "did you mean `dve/peterson`?"),
]


@pytest.mark.parametrize(("find", "name", "hint"), OTHERS, ids=[f"{find.__name__} {name}" for find, name, _ in OTHERS])
def test_what_other_commands_read(
    find: Callable[[str], Path], name: str, hint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError) as caught:
        find(name)
    assert (caught.value.hint, caught.value.file) == (hint, name)
    (tmp_path / name).mkdir(parents=True)
    assert find(name) == Path(name)


@pytest.mark.parametrize("name", ["nowhere/peterson", "/dve/petersn", "dve/nul\0", "dve/zzz", "dve/" + "n" * 300, ""])
def test_what_nothing_is_like(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert find_program(name) == Path(name)


@pytest.mark.parametrize(("name", "model"), OTHER_NAMES.items())
def test_what_models_are_called_elsewhere(name: str, model: str) -> None:
    assert model in list_models()
    with pytest.raises(UsageError) as caught:
        load_model(name.upper())
    assert caught.value.hint is not None
    assert caught.value.hint.startswith(f"did you mean `{model}`? the shipped models are any, arm, ")


FILES = {
    "a.cub": "a program's file name has to end in .xcfa, .litmus, .c, .cpp, .rs, .ll, .cu, .hip or .ptx\n"
    "  `xgen prove` reads .cub files",
    "a.dve": "a program's file name has to end in .xcfa, .litmus, .c, .cpp, .rs, .ll, .cu, .hip or .ptx\n"
    "  `xgen ltl` reads .dve files",
    "a.gcl": "a program's file name has to end in .xcfa, .litmus, .c, .cpp, .rs, .ll, .cu, .hip or .ptx\n"
    "  `xgen repair` reads .gcl files",
    "a.mcm": "a program's file name has to end in .xcfa, .litmus, .c, .cpp, .rs, .ll, .cu, .hip or .ptx\n"
    "  this is a memory model: --mcm takes it",
    "a.hpp": "a program's file name has to end in .xcfa, .litmus, .c, .cpp, .rs, .ll, .cu, .hip or .ptx\n"
    "  this is a header: a file that includes it and has a main is a program",
    "a.txt": "a program's file name has to end in .xcfa, .litmus, .c, .cpp, .rs, .ll, .cu, .hip or .ptx",
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
            ("publication.c", "--mcm", "tso"),
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


TWO_STORES = """
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
void *run(void *none) { atomic_store_explicit(&x, 1, memory_order_relaxed); return none; }
int main() { pthread_t t; pthread_create(&t, 0, run, 0); atomic_store_explicit(&y, 1, memory_order_relaxed); }
"""
IGNORED = "var x : int var y : int process p { 1 -> x; fence[lwsync]; 1 -> y; assert false; }"


@pytest.mark.parametrize("command", ["check", "explain", "fences", "prove"])
def test_every_command_says_what_a_program_has_to_do_with_a_model(command: str, tmp_path: Path) -> None:
    """In the text and in JSON; nothing where there is nothing to say."""
    program, other = tmp_path / "two.c", tmp_path / "ignored.xcfa"
    program.write_text(TWO_STORES)
    other.write_text(IGNORED)
    told = {
        (program, ()): "note: this is the C text under tso; --map x86 checks what compilers make of it there",
        (program, ("--map", "armv8")): "note: the program is as compiled for armv8, whose model is arm8, not tso",
        (program, ("--map", "x86")): "",
        (other, ()): "note: the model tso does not name `fence[lwsync]` and takes it as a full fence",
    }
    for (file, options), said in told.items():
        arguments = (command, str(file), "--mcm", "tso", *options)
        if command == "fences" and file == other:
            continue  # it takes the fences of the program out
        outcome = run(*arguments)
        lines = [line for line in outcome.stdout.splitlines() if line.startswith(("note: ", "warning: "))]
        assert lines == ([said] if said else [])
        warnings = json.loads(run(*arguments, "--format", "json").stdout)["warnings"]
        assert [warning.removeprefix("note: ") for warning in warnings] == (
            [said.removeprefix("warning: ").removeprefix("note: ")] if said else []
        )


def test_python_knows_the_same_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert xgen.load("peterson").source.name == str(PROGRAMS / "peterson.xcfa")
    assert xgen.load("c/peterson", unroll=2).source.name == xgen.load("peterson.c").source.name
    assert xgen.load_system("flags").source == xgen.load_system(PROGRAMS / "cub" / "flags.cub").source
    assert xgen.ltl("dve/peterson", "G turn < 2").verdict == "holds"
    assert xgen.ltl("sb_fenced", "F ended(all)", "tso").verdict.startswith("holds")
    assert [test.name for test in xgen.litmus("X86/SB.litmus")] == ["SB"]
    (tmp_path / "peterson").mkdir()
    with pytest.raises(UsageError, match="peterson"):
        xgen.load("peterson")  # what is there comes first
    with pytest.raises(UsageError) as caught:
        xgen.load("petersen")
    assert caught.value.hint == "did you mean `peterson`?"
    with pytest.raises(UsageError):
        xgen.load(tmp_path / "peterson.xcfa")


@pytest.mark.parametrize("command", [("check", "--mcm", "tso"), ("explain", "--mcm", "tso"), ("litmus",)])
def test_litmus_tests_that_are_called_without_their_folder(
    command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("2+2W", "2+2W.litmus"):
        outcome = run(*command, name)
        first, hint = outcome.stderr.splitlines()
        assert (outcome.exit_code, first.startswith(f"{name}: error: there is no such file")) == (2, True)
        assert hint.startswith("  shipped litmus tests are ")
        assert "X86/2+2W.litmus" in hint
    (tmp_path / "2+2W").mkdir()
    assert "shipped" not in run(*command, "2+2W").stderr
