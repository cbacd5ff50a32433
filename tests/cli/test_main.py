"""The command group: help, version, unknown commands, and what a start imports."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import click
import pytest

import xgen
from cli.fake import run
from xgen.cli import COMMANDS, main
from xgen.resources import shipped


def test_version() -> None:
    assert run("--version").stdout == f"xgen {xgen.__version__}\n"


def test_help_lists_the_commands_and_shows_examples() -> None:
    text = run("--help").stdout
    assert "  check         Say whether PROGRAM can go wrong.\n" in text
    assert "  models        List the shipped memory models" in text
    assert "  xgen check peterson --mcm tso\n" in text


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("chek", "No such command 'chek': did you mean `check`?"),
        ("mine.c", "No such command 'mine.c': did you mean `xgen check mine.c`?"),
        ("mine.gcl", "No such command 'mine.gcl': did you mean `xgen repair mine.gcl`?"),
        ("qqq", "No such command 'qqq'."),
    ],
)
def test_what_is_no_command(typed: str, said: str) -> None:
    outcome = run(typed)
    assert (outcome.exit_code, outcome.stdout) == (2, "")
    assert outcome.stderr.endswith(f"\nError: {said}\n")


def test_each_command_has_a_line_in_the_help() -> None:
    """None is cut off."""
    assert "..." not in run("--help").stdout.replace("COMMAND [ARGS]...", "")


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_each_command_shows_an_example(name: str) -> None:
    outcome = run(name, "--help")
    assert outcome.exit_code == 0
    assert f"\n  xgen {name} " in outcome.stdout.replace("  xgen", "\n  xgen")


def test_every_command_is_named_as_its_module() -> None:
    for name in COMMANDS:
        command = main.get_command(click.Context(main), name)
        assert command is not None
        assert command.name == name


def test_unknown_command() -> None:
    outcome = run("chekc")
    assert outcome.exit_code == 2
    assert outcome.stdout == ""
    assert "No such command 'chekc'" in outcome.stderr


SLOW = {
    *("rich", "networkx", "graphviz", "difflib", "statistics", "xml", "multiprocessing", "concurrent"),
    *(
        "xgen.engine.graphs.estimate",
        "xgen.memory.cat",
        "xgen.views.pages.html",
        "xgen.views.drawing.svg",
        "xgen.views.drawing.dot",
    ),
}
"""What takes longer to import than a short check takes to run, and is not needed for one."""


def imported(*arguments: str) -> set[str]:
    """The modules that a run of the command has imported."""
    code = "import sys\nfrom xgen.cli import main\ntry: main()\nfinally: print('IMPORTED', *sys.modules)"
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, check=False, text=True)
    assert done.returncode in (0, 1)
    return set(done.stdout.rpartition("IMPORTED")[2].split())


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "cow2r", "--mcm", "tso"),
        ("check", "cow2r", "--mcm", "tso", "--format", "json"),
        ("litmus", str(shipped("litmus") / "X86" / "SB.litmus")),
        ("models", "list"),
    ],
)
def test_a_command_imports_nothing_slow_that_it_does_not_need(arguments: tuple[str, ...]) -> None:
    modules = imported(*arguments)
    assert "xgen.cli" in modules
    assert not SLOW & modules


@pytest.mark.parametrize(
    ("option", "module"), [("--svg", "xgen.views.drawing.svg"), ("--dot", "xgen.views.drawing.dot")]
)
def test_pictures_import_what_draws_them(option: str, module: str, tmp_path: Path) -> None:
    modules = imported("check", "peterson_us", "--mcm", "tso", "--max-depth", "20", option, str(tmp_path))
    assert {"xgen.views.drawing.svg", "xgen.views.drawing.dot"} & modules == {module}
