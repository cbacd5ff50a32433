"""The documents are true: what the pages and the README tell a user to type is typed here.

In the pages of docs/, a block whose first line gives a file's name in a comment is that file, one of `litmus` a file of
its test's name. A block of `sh` holds commands; the next block, if it is one of `text`, is how the output of the last
command begins, where a line `...` stands for any lines and `...` at the end of a line for the rest of it. Commands that
install are not run. The folder has what the pages call files of yours (`user`).
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from xgen.resources import shipped

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"(?://|#|\(\*) ([\w.-]+\.\w+)")
SERVERS = ("xgen serve",)
"""What does not end by itself."""


def blocks(document: str) -> Iterator[tuple[str, str]]:
    """The fenced blocks of a document: language and text."""
    yield from BLOCK.findall((ROOT / document).read_text(encoding="utf-8"))


def shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command as a user would who has xgen's environment active."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return subprocess.run(
        command, shell=True, cwd=folder, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False
    )


def begins(output: str, promised: str) -> bool:
    """Whether the output begins as promised."""
    pattern = ""
    for line in promised.splitlines():
        if line == "...":
            pattern += r"(?:.*\n)*?"
        elif line.endswith("..."):
            pattern += re.escape(line[:-3]) + r".*\n"
        else:
            pattern += re.escape(line) + r"\n"
    return re.match(pattern, output) is not None


def follow(document: str, folder: Path) -> tuple[int, int]:
    """Does what a document says; how many commands were run, and how many outputs were as promised."""
    output, commands, compared = "", 0, 0
    previous = ""
    for language, text in blocks(document):
        if language == "text":
            assert previous == "sh", text
            assert begins(output, text), f"promised:\n{text}\nfound:\n{output}"
            compared += 1
        elif language == "sh":
            for command in text.splitlines():
                if "pip install" in command or command.startswith(SERVERS):
                    continue
                if command.startswith("dot ") and not shutil.which("dot"):
                    continue
                done = shell(command, folder)
                assert (done.returncode in (0, 1), done.stderr) == (True, ""), command
                output = done.stdout
                commands += 1
        elif language == "litmus":
            (folder / f"{text.split()[1]}.litmus").write_text(text, encoding="utf-8")
        elif name := NAMED.match(text):
            (folder / name[1]).write_text(text, encoding="utf-8")
        previous = language
    return commands, compared


def test_the_tutorial(tmp_path: Path) -> None:
    commands, compared = follow("docs/tutorial.md", tmp_path)
    assert commands >= 13
    assert compared >= 12


PAGES = {
    "cat": (3, 0),
    "classes": (2, 1),
    "compare": (2, 0),
    "cub": (5, 1),
    "editors": (3, 0),
    "explorer": (1, 0),
    "fences": (4, 1),
    "index": (1, 1),
    "litmus": (4, 2),
    "long-runs": (3, 1),
    "liveness": (2, 2),
    "ltl": (3, 3),
    "mcm": (1, 0),
    "models": (2, 1),
    "pictures": (1, 0),
    "playground": (0, 0),
    "prove": (3, 3),
    "repair": (3, 2),
    "teaching": (12, 4),
    "xcfa": (2, 1),
}
"""How many commands a page has at least, and how many outputs. The tutorial and docs/c.md have tests of their own."""


@pytest.mark.parametrize("page", PAGES)
def test_a_page(page: str, user: Path) -> None:
    commands, compared = follow(f"docs/{page}.md", user)
    assert (commands, compared) >= PAGES[page]
    assert compared >= PAGES[page][1]


def test_every_page_begins_with_a_command() -> None:
    """Those for people who use xgen; what xgen does not do, and how it is changed, has none."""
    pages = {path.stem for path in (ROOT / "docs").glob("*.md")} - {"developing", "limits"}
    late = {
        page for page in pages if not re.match(r"# .*\n\n```sh\nxgen ", (ROOT / f"docs/{page}.md").read_text("utf-8"))
    }
    assert late == {"tutorial"}
    assert pages - set(PAGES) == {"tutorial", "c", "comparison"}


def test_no_execution_completes(tmp_path: Path) -> None:
    """docs/liveness.md says what is said then."""
    follow("docs/liveness.md", tmp_path)
    done = shell("xgen check stuck.xcfa --mcm sc", tmp_path)
    (promised,) = re.findall(r"^says `(.*)`, and exits with 3", (ROOT / "docs/liveness.md").read_text("utf-8"), re.M)
    assert (done.stdout.startswith(promised), done.returncode) == (True, 3)


@pytest.mark.slow
def test_the_commands_of_the_first_page(user: Path) -> None:
    """What docs/index.md tells those who want to know something to type."""
    text = (ROOT / "docs/index.md").read_text(encoding="utf-8")
    commands = re.findall(r"\| `(xgen [^`]*)` \|", text)
    assert len(commands) >= 13
    for command in commands:
        done = shell(command, user)
        assert (done.returncode in (0, 1), done.stderr) == (True, ""), command


def test_the_picture_of_a_run(tmp_path: Path) -> None:
    """docs/run.svg is what docs/ltl.md says it is."""
    text = (ROOT / "docs" / "ltl.md").read_text(encoding="utf-8")
    (command,) = re.findall(r"`(xgen ltl [^`]*--svg run.svg)`", text)
    shell(command, tmp_path)
    drawn = (tmp_path / "run.svg").read_text(encoding="utf-8")
    assert drawn == (ROOT / "docs" / "run.svg").read_text(encoding="utf-8")


def test_commands_that_the_tutorial_mentions(tmp_path: Path) -> None:
    """Those in the running text, in backquotes."""
    text = BLOCK.sub("", (ROOT / "docs/tutorial.md").read_text(encoding="utf-8"))
    mentioned = re.findall(r"`(xgen [^`]+)`", text)
    assert len(mentioned) >= 3
    for command in mentioned:
        done = shell(command, tmp_path)
        assert (done.returncode, done.stderr) == (0, ""), command


@pytest.fixture
def user(tmp_path: Path) -> Path:
    """A folder with what README.md calls files of yours, and with the source tree's programs."""
    for name in ("prog", "program", "message"):
        shutil.copy(shipped("programs") / "mp_us.xcfa", tmp_path / f"{name}.xcfa")
    shutil.copy(shipped("programs") / "c" / "treiber.c", tmp_path / "prog.c")
    shutil.copy(shipped("mcm") / "weak-a9.mcm", tmp_path / "weak-a9.mcm")
    shutil.copytree(shipped("programs"), tmp_path / "programs")
    shutil.copytree(shipped("litmus"), tmp_path / "litmus")
    shutil.copytree(shipped("litmus") / "X86", tmp_path / "tests")
    (tmp_path / "sc.cat").write_text('SC\ninclude "cos.cat"\nacyclic po | rf | co | fr as sc\n', encoding="utf-8")
    shutil.copy(tmp_path / "sc.cat", tmp_path / "mine.cat")
    shutil.copy(shipped("mcm") / "pso.mcm", tmp_path / "mine.mcm")
    return tmp_path


def test_the_page_on_c(user: Path) -> None:
    commands = [text.strip() for language, text in blocks("docs/c.md") if language == "sh"]
    for command, name in zip(commands, ("rc11", "power"), strict=True):
        done = shell(command, user)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith(f"safe (model {name}, no bound, 20 executions")


@pytest.mark.slow
def test_the_commands_of_the_readme(user: Path) -> None:
    commands = re.findall(r"^    (xgen .*)$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(commands) >= 5
    for command in commands:
        done = shell(command, user)
        assert (done.returncode in (0, 1), done.stderr) == (True, ""), command
        assert done.stdout
    assert (user / "pictures" / "witness.svg").exists()


def test_the_picture_of_an_explanation(tmp_path: Path) -> None:
    """docs/mp-forbidden.svg is what docs/pictures.md says it is, and so are the words below it."""
    text = (ROOT / "docs" / "pictures.md").read_text(encoding="utf-8")
    (command,) = re.findall(r"This is what `(xgen [^`]*)` draws", text)
    said = shell(command, tmp_path).stdout
    drawn = (tmp_path / "mp-forbidden.svg").read_text(encoding="utf-8")
    assert drawn == (ROOT / "docs" / "mp-forbidden.svg").read_text(encoding="utf-8")
    (block,) = re.findall(r"(?:^    .*\n)+", text, re.MULTILINE)
    assert "".join(line[4:] + "\n" for line in block.splitlines()) in said


def test_the_picture_of_the_readme(tmp_path: Path) -> None:
    """docs/cow2r.svg is what the command above it draws."""
    shell("xgen check cow2r --mcm weak-a9 --svg pictures", tmp_path)
    drawn = (tmp_path / "pictures" / "witness.svg").read_text(encoding="utf-8")
    assert drawn == (ROOT / "docs" / "cow2r.svg").read_text(encoding="utf-8")


def test_the_python_of_the_readme(user: Path) -> None:
    (text,) = (text for language, text in blocks("README.md") if language == "python")
    (user / "readme.py").write_text(text, encoding="utf-8")
    done = shell("python readme.py", user)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("violation ")


def test_what_begins_as_promised() -> None:
    assert begins("a\nb\nc\n", "a\n")
    assert begins("a\nb\nc\n", "a\n...\nc\n")
    assert begins("a\nc\n", "a\n...\nc\n")
    assert begins("a b\nc\n", "a...\nc\n")
    assert not begins("a\nb\nc\n", "b\n")
    assert not begins("a\nb\n", "a\n...\nc\n")
    assert not begins("a.b\n", "axb\n")
