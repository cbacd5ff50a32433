"""What people type who know other tools is answered with what does it."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.fake import run
from xgen.cli import COMMANDS, every_command
from xgen.cli.shared import guesses

GUESSED = [
    ("check mp.c --model rc11", "'--model': the memory model is named by --mcm."),
    ("check mp.c --memory-model=rc11", "the memory model is named by --mcm."),
    ("check mp.c -m rc11", "'-m': the memory model is named by --mcm."),
    ("check mp.c --arch armv8", "--on names the machine, such as --on armv8; the memory model is named by --mcm."),
    ("check mp.c --target arm64", "--on names the machine"),
    ("check mp.c --cpu power9", "--on names the machine"),
    ("ltl peterson --arch x86", "'--arch': the memory model is named by --mcm."),
    ("check mp.c --json", "--format json prints the answer as JSON."),
    ("models list --json", "--format json prints the answer as JSON."),
    ("check mp.c --output x.json", "(> FILE); --sarif FILE writes SARIF; --junit FILE JUnit"),
    ("test mp.c -o x.xml", "(> FILE); --sarif FILE writes SARIF; --junit FILE JUnit's XML."),
    ("check mp.c -j 4", "--workers is how many threads explore; --processes how many processes."),
    ("check mp.c -j4", "--workers is how many threads explore; --processes how many processes."),
    ("test mp.c -j4", "'-j': --processes how many processes."),
    ("check mp.c --bound 3", "--unroll bounds the rounds of each loop; --max-depth the events of each thread."),
    ("check mp.c -O2", "flags for the compiler stand at the end, behind `--`: xgen check FILE -- -O2."),
    ("check mp.c -Wall", "FILE -- -Wall."),
    ("check mp.c -std=c11", "FILE -- -std=c11."),
    ("check mp.c -march=armv8-a", "FILE -- -march=armv8-a."),
    ("check mp.c --race", "--no-check races does not."),
    ("check mp.c --deadlock", "--liveness looks for threads that wait for ever."),
    ("check mp.c --on arm64", "'arm64' is called armv8 here: --on armv8"),
    ("check mp.c --on AArch64", "'AArch64' is called armv8 here: --on armv8"),
    ("check mp.c --on amd64", "'amd64' is called x86 here: --on x86"),
    ("check mp.c --on powerpc64le", "'powerpc64le' is called power here: --on power"),
    ("check mp.c --on armv7-a", "'armv7-a' is called armv7 here: --on armv7"),
    ("check mp.c --on mips", "'mips' is not one of 'x86', "),
    ("check mp.cpp --gtest_filter=Queue.*", "--test NAME checks one test, --test 'Queue.*' all of such a name."),
    ("check mp.cpp --test A --test B", "it is given 2 times; a pattern names several, such as --test 'Queue.*'"),
    ("fences mp.cpp --test A", "'--test': it is one of `xgen check`, and this command does without it."),
    ("help", "`xgen --help` lists the commands"),
    ("version", "`xgen --version`"),
    ("verify mp.c", "`xgen check PROGRAM`"),
]


@pytest.mark.parametrize(("typed", "answer"), GUESSED)
def test_guesses_are_answered(typed: str, answer: str) -> None:
    outcome = run(*typed.split())
    assert (outcome.exit_code, outcome.stdout) == (2, "")
    assert answer in outcome.stderr


def test_no_guess_is_an_option_or_a_command() -> None:
    """Then it would never be answered. Options that are named are some of a command."""
    options = {
        option for _, command in every_command() for p in command.params for option in (*p.opts, *p.secondary_opts)
    }
    assert not set(guesses.COMMANDS) & set(COMMANDS)
    check = {
        option for name, command in every_command() if name == "xgen check" for p in command.params for option in p.opts
    }
    assert not set(guesses.OPTIONS) & check
    named = {sentence.partition("{")[2].partition("}")[0] for said in guesses.OPTIONS.values() for sentence in said}
    assert named <= options


NO_PROGRAMS = {
    "Makefile": "-p BUILD takes the flags of its compile_commands.json, which `bear -- make` writes",
    "CMakeLists.txt": "`cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON` writes",
    "Cargo.toml": "the program is the .rs file that has `main`",
    "ring.hpp": "this is a header",
    "ring.h": "this is a header",
    "kernel.cl": "litmus tests of OpenCL",
    "mine.cat": "this is a memory model: --mcm takes it",
}


@pytest.mark.parametrize("name", NO_PROGRAMS)
def test_the_file_is_looked_at_before_the_model_is_missed(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("", encoding="utf-8")
    outcome = run("check", str(tmp_path / name))
    assert outcome.exit_code == 2
    assert f"{tmp_path / name}: error: a program's file name has to end in" in outcome.stderr
    assert NO_PROGRAMS[name] in outcome.stderr


def test_of_a_folder_its_programs_are_named(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    for name in ("b.c", "a.rs", "notes.md"):
        (tmp_path / name).touch()
    assert f"a program is a file, such as {tmp_path}/a.rs, {tmp_path}/b.c\n" in run("check", str(tmp_path)).stderr
    assert "there is none in this folder" in run("check", str(tmp_path / "sub")).stderr
    for name in ("src/q.c", "test/q_test.c"):
        (tmp_path / "sub" / name).parent.mkdir()
        (tmp_path / "sub" / name).touch()
    inside = f"{tmp_path}/sub/test/q_test.c, {tmp_path}/sub/src/q.c\n"
    assert f"a program is a file, such as {inside}" in run("check", str(tmp_path / "sub")).stderr
    (tmp_path / "Cargo.toml").touch()
    assert f"-p {tmp_path} names a cargo project" in run("check", str(tmp_path)).stderr


def test_a_model_in_capitals_is_meant_all_the_same() -> None:
    assert "did you mean `tso`?" in run("check", "peterson", "--mcm", "TSO").stderr
