"""Completion in the shells themselves, the manual page, and colours."""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cli.fake import run
from xgen.cli import every_command
from xgen.cli.desk.shells import SCRIPTS, known
from xgen.memory.library import list_models
from xgen.shipped import find_program, list_programs

SHELLS = {
    "bash": ["bash", "--noprofile", "--norc", "-i"],
    "zsh": ["zsh", "-f", "-i"],
}
READY = {
    "bash": "PS1='ready> '",
    "zsh": "PS1='ready> '; autoload -Uz compinit; compinit -u -D; unsetopt zle_bracketed_paste",
}
BASH = shutil.which("bash") or "bash"
CASES = [
    ("xgen check noth\t", ["check", "nothing2.c"]),
    ("xgen check two\t", ["check", "two words.c"]),
    ("xgen check sub/fi\t", ["check", "sub/file.xcfa"]),
    ("xgen check nothing2.c sub/fi\t", ["check", "nothing2.c", "sub/file.xcfa"]),
    ("xgen check peterson_f\t", ["check", "peterson_fenced"]),
    ("xgen check mp --mcm rc11-c\t", ["check", "mp", "--mcm", "rc11-c20"]),
    ("xgen check mp --mcm my.m\t", ["check", "mp", "--mcm", "my.mcm"]),
    ("xgen check mp --livene\t", ["check", "mp", "--liveness"]),
    ("xgen check mp --format js\t", ["check", "mp", "--format", "json"]),
    ("xgen explai\t", ["explain"]),
    ("xgen models sho\t rc11-c\t", ["models", "show", "rc11-c20"]),
    ("xgen compare lkm\t coheren\t", ["compare", "lkmm", "coherence"]),
    ("xgen completion zs\t", ["completion", "zsh"]),
    ("xgen litmus sub/fi\t", ["litmus", "sub/file.xcfa"]),
    ("xgen check mp --sarif nothi\t", ["check", "mp", "--sarif", "nothing2.c"]),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Files to complete."""
    (tmp_path / "sub").mkdir()
    for name in ("nothing2.c", "two words.c", "sub/file.xcfa", "my.mcm"):
        (tmp_path / name).touch()
    for shell in SCRIPTS:
        (tmp_path / f".{shell}").write_text(run("completion", shell).stdout, encoding="utf-8")
    return tmp_path


class Typed:
    """A shell on a terminal, at which one types. What `xgen` gets is printed instead of run."""

    def __init__(self, shell: str, folder: Path) -> None:
        self.master, slave = pty.openpty()
        env = {"PATH": os.environ["PATH"], "HOME": str(folder), "TERM": "dumb", "LC_ALL": "C.UTF-8"}
        self.process = subprocess.Popen(
            SHELLS[shell], stdin=slave, stdout=slave, stderr=slave, cwd=folder, env=env, start_new_session=True
        )
        os.close(slave)
        self.type(f"{READY[shell]}; . ./.{shell}; xgen() {{ printf '<%s>' \"$@\"; echo .done; }}; echo begun.\n")
        self.until("begun.\r\n")

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def until(self, wanted: str) -> str:
        """What is shown up to some text."""
        shown, end = "", time.monotonic() + 30
        while wanted not in shown:
            ready, _, _ = select.select([self.master], [], [], max(0.0, end - time.monotonic()))
            assert ready, shown
            shown += os.read(self.master, 4096).decode(errors="replace")
        return shown

    def given(self, line: str) -> list[str]:
        """The arguments that a line with TABs comes to."""
        for part in re.split("(\t)", line):
            self.type(part)
            if part == "\t":
                time.sleep(0.15)  # the shell reads what is typed in one go, and a TAB in it would be no key
        self.type("\n")
        found = re.findall(r"((?:<[^<>\r\n]*>)+)\.done", self.until(".done\r\n"))
        return re.findall(r"<([^<>]*)>", found[-1])

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.master)


@pytest.mark.parametrize("shell", SHELLS)
def test_typed_at_a_terminal(shell: str, folder: Path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell} on PATH")
    typed = Typed(shell, folder)
    try:
        assert [typed.given(line) for line, _ in CASES] == [arguments for _, arguments in CASES]
    finally:
        typed.close()


@pytest.mark.skipif(shutil.which("fish") is None, reason="no fish on PATH")
def test_fish(folder: Path) -> None:
    asked = [line.split("\t")[0] for line, _ in CASES]
    code = "; ".join(["source .fish", *(f"complete -C '{line}'; echo ==" for line in asked)])
    done = subprocess.run(["fish", "--no-config", "-c", code], cwd=folder, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    found = [[line.partition("\t")[0] for line in block.split("\n") if line] for block in done.stdout.split("==\n")]
    wanted = [line.count("\t") == 1 and arguments[-1] for line, arguments in CASES]
    for line, names, name in zip(asked, found, wanted, strict=False):
        if name:
            assert name in names, line
            assert len(names) <= 2, line


def test_what_scripts_know() -> None:
    """Each command with its arguments, each option, each model, each program that has a name."""
    commands = known(list(every_command()))
    assert [command.path for command in commands if command.arguments == ("nothing",)] == [
        "models list",
        "serve",
        "lsp",
    ]
    for shell in SCRIPTS:
        script = run("completion", shell).stdout
        for command in commands:
            for name in (name for option in command.options for name in option.names):
                plain = name.lstrip("-") if shell == "fish" else name
                assert re.search(rf"(?<![\w-]){re.escape(plain)}(?![\w-])", script), (shell, command.path, name)
        assert all(re.search(rf"[ '(]{re.escape(model)}[ ')\n]", script) for model in list_models())
    assert len(list_programs()) == len(set(list_programs())) > 130
    assert all(find_program(name).is_file() for name in list_programs())


def test_scripts_start_nothing(folder: Path) -> None:
    """xgen itself is not on PATH here."""
    code = '. ./.bash; COMP_WORDS=(xgen check mp --mcm tha); COMP_CWORD=4; _xgen; echo "${COMPREPLY[*]}"'
    done = subprocess.run([BASH, "-c", code], cwd=folder, env={"PATH": "/nowhere"}, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("\n", "")
    code = code.replace("tha", "the")
    done = subprocess.run([BASH, "-c", code], cwd=folder, env={"PATH": "/nowhere"}, capture_output=True, text=True)
    assert set(done.stdout.split()) == {name for name in list_models() if name.startswith("the")}


def test_a_shell_that_is_none() -> None:
    done = run("completion", "tcsh")
    assert done.exit_code == 2
    assert "'tcsh' is not one of" in done.stderr


def test_the_manual_page(tmp_path: Path) -> None:
    done = run("--man")
    assert done.exit_code == 0
    assert done.stdout.startswith('.TH XGEN 1 "" "xgen ')
    for name, command in every_command():
        assert f".SS {name}\n" in done.stdout
        for option in (o for p in command.params for o in p.opts if o.startswith("-")):
            assert option.replace("-", "\\-") in done.stdout
    if shutil.which("man") is None or shutil.which("groff") is None:
        return
    (tmp_path / "xgen.1").write_text(done.stdout, encoding="utf-8")
    shown = subprocess.run(["man", "-l", "xgen.1"], cwd=tmp_path, capture_output=True, text=True)
    of_layout = re.compile(r"(?:can't break|cannot break|cannot adjust) line$")
    assert [line for line in shown.stderr.splitlines() if not of_layout.search(line)] == []
    assert re.search(r"^ +xgen check \[--mcm MODEL\]", shown.stdout, re.MULTILINE)


@pytest.mark.parametrize(
    ("option", "variables", "coloured"),
    [
        ("auto", {}, False),
        ("auto", {"FORCE_COLOR": "1"}, True),
        ("auto", {"FORCE_COLOR": "0"}, False),
        ("auto", {"FORCE_COLOR": ""}, False),
        ("auto", {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ("always", {"NO_COLOR": "1"}, True),
        ("always", {}, True),
        ("never", {"FORCE_COLOR": "1"}, False),
    ],
)
def test_colours(option: str, variables: dict[str, str], coloured: bool) -> None:
    """Here, standard output is no terminal."""
    command = [sys.executable, "-m", "xgen", "check", "mp", "--mcm", "tso", "--color", option]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **variables}, check=True)
    assert ("\x1b[" in done.stdout) == coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", done.stdout).startswith("safe (model tso, ")


def test_help_in_groups() -> None:
    """Each option of `check` is in a group."""
    text = run("check", "--help").stdout
    titles = re.findall(r"^(\S.*):$", text, re.MULTILINE)
    groups = [
        "The question",
        "Bounds",
        "C",
        "CUDA, HIP, PTX",
        "Tests",
        "Rust",
        "The answer",
        "Long runs",
        "For experts",
        "Behind --",
    ]
    assert titles[: len(groups)] == groups
    assert re.findall(r"^(\S.*):$", run("fences", "--help").stdout, re.MULTILINE)[:2] == ["Options", "The question"]


def test_json_has_no_colours() -> None:
    assert "\x1b" not in run("check", "mp", "--mcm", "tso", "--format", "json", "--color", "always").stdout
