"""The command group: help, version, unknown commands, and what a start imports."""

from __future__ import annotations

import subprocess
import sys

import click
import pytest

import xgen
from cli.fake import run
from xgen.cli import COMMANDS, main


def test_version() -> None:
    assert run("--version").stdout == f"xgen {xgen.__version__}\n"


def test_help_lists_the_commands_and_shows_examples() -> None:
    text = run("--help").stdout
    assert "  check    Check whether PROGRAM can go wrong under a memory model.\n" in text
    assert "  models   List the shipped memory models" in text
    assert "  xgen check peterson --mcm tso\n" in text


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


def test_a_start_imports_nothing_slow() -> None:
    """Rich, networkx and graphviz take longer to import than a short check takes to run."""
    code = "import sys, xgen.cli.check; print(*(m for m in ('rich', 'networkx', 'graphviz') if m in sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert loaded.stdout == "\n"
