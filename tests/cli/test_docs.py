"""The documents are true: what the pages and the README tell a user to type is typed here.

In the pages of docs/, a block whose first line gives a file's name in a comment is that file, one of `litmus` a file of
its test's name; they are there before the first command. A block of `sh` holds commands, and the block of `text` after
it is how what they print begins: a line `...` stands for any lines, and `...` at the end of a line for the rest of it.
It has the first line that each command prints; only blocks whose commands print nothing have none. Commands that
install are not run. The folder has what the pages call files of yours (`user`).
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from llvm.compiling import MISSING, NO_RUST, compiles, rusts

import xgen
from cli.fake import run, unlined
from xgen.frontends.ptx.compiling.compilers import find_compiler
from xgen.resources import shipped

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"(?://|#|\(\*) ([\w.-]+\.\w+)")
SERVERS = ("xgen serve", "xgen lsp")
"""What does not end by itself."""
SHELL = re.compile(r"[|<>&;$*`]")
"""What the shell does something with, outside quotes."""
Typed = Callable[[str, Path], "subprocess.CompletedProcess[str]"]


def blocks(document: str) -> Iterator[tuple[str, str]]:
    """The fenced blocks of a document: language and text."""
    yield from BLOCK.findall((ROOT / document).read_text(encoding="utf-8"))


def shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command as a user would who has xgen's environment active."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    env = {**os.environ, "PATH": path}
    done = subprocess.run(command, shell=True, cwd=folder, env=env, capture_output=True, text=True, check=False)
    done.stderr = unlined(done.stderr)  # on a terminal, the report has these lines
    return done


def called(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Do the same, but without a new process where the shell has nothing to do: a start takes longer than most checks.

    The tutorial's commands and the README's are started as they are.
    """
    if not command.startswith("xgen ") or SHELL.search(command):
        return shell(command, folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        done = run(*shlex.split(command, comments=True)[1:])
    return subprocess.CompletedProcess(command, done.exit_code, done.stdout, unlined(done.stderr))


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


def follow(document: str, folder: Path, typed: Typed = shell) -> int:
    """Does what a document says, and compares what is printed; how many commands were run."""
    for language, text in blocks(document):
        if language == "litmus":
            (folder / f"{text.split()[1]}.litmus").write_text(text, encoding="utf-8")
        elif name := NAMED.match(text):
            (folder / name[1]).write_text(text, encoding="utf-8")
    commands = 0
    printed: list[str] = []
    uncompiled = False
    for language, text in [*blocks(document), ("end", "")]:
        if language == "text" and uncompiled:
            uncompiled = False
            continue
        if language == "text":
            assert printed, f"no command prints this:\n{text}"
            assert begins("".join(printed), text), f"promised:\n{text}\nfound:\n{''.join(printed)}"
            for output in printed:
                first = output.partition("\n")[0] + "\n"
                assert any(begins(first, line) for line in text.splitlines() if line != "..."), f"not shown: {first}"
            printed = []
            continue
        assert not printed or language not in ("sh", "end"), (
            f"{document} does not show what is printed before this:\n{text}\n{''.join(printed)}"
        )
        if language == "sh":
            for command in text.splitlines():
                if "pip install" in command or command.startswith(SERVERS) or ".venv/bin/pytest" in command:
                    continue
                if command.startswith("dot ") and not shutil.which("dot"):
                    continue
                if ".cu" in command and NO_CUDA:  # what it prints is left out as well
                    uncompiled = True
                    continue
                done = typed(command.replace(".venv/bin/", ""), folder)
                assert (done.returncode in (0, 1), done.stderr) == (True, ""), command
                printed += [done.stdout] if done.stdout else []
                commands += 1
    return commands


def test_the_tutorial(tmp_path: Path) -> None:
    assert follow("docs/tutorial.md", tmp_path) >= 20


PAGES = sorted({path.stem for path in (ROOT / "docs").glob("*.md")} - {"tutorial", "developing", "limits"})
"""For people who use xgen; what xgen does not do, and how it is changed, has no commands to type."""


def no_cuda() -> bool:
    """Whether there is no compiler of CUDA."""
    try:
        find_compiler()
    except xgen.XgenError:
        return True
    return False


NO_CUDA = no_cuda()
COMPILED = {
    "cpp": compiles,
    "rust": rusts,
    "hip": compiles,
    "cuda": pytest.mark.skipif(NO_CUDA, reason="there is no compiler of CUDA"),
}
"""Pages about programs that a compiler reads."""


@pytest.mark.parametrize(
    "page",
    [pytest.param(page, marks=COMPILED[page]) if page in COMPILED else page for page in PAGES],
)
def test_a_page(page: str, user: Path) -> None:
    assert follow(f"docs/{page}.md", user, called) >= (page != "playground")


def test_the_readme(user: Path) -> None:
    assert follow("README.md", user) == 3
    drawn = (user / "pictures" / "witness.svg").read_text(encoding="utf-8")
    assert drawn == (ROOT / "docs" / "mp.svg").read_text(encoding="utf-8")


def test_the_first_program_is_one() -> None:
    """The README, the first page and the tutorial show the same file, which is in docs/."""
    program = (ROOT / "docs" / "mp.c").read_text(encoding="utf-8")
    for document in ("README.md", "docs/index.md", "docs/tutorial.md"):
        assert next(text for language, text in blocks(document) if language == "c") == program


def test_every_page_begins_with_a_command() -> None:
    late = [
        page for page in PAGES if not re.match(r"# .*\n\n```sh\nxgen ", (ROOT / f"docs/{page}.md").read_text("utf-8"))
    ]
    assert late == []


def test_no_execution_completes(tmp_path: Path) -> None:
    """docs/liveness.md says what is said then."""
    follow("docs/liveness.md", tmp_path, called)
    done = called("xgen check stuck.xcfa --mcm sc", tmp_path)
    (promised,) = re.findall(
        r"^This command says `(.*)`, and exits with 3", (ROOT / "docs/liveness.md").read_text("utf-8"), re.M
    )
    assert (done.stdout.startswith(promised), done.returncode) == (True, 3)


def can_be_typed(command: str) -> bool:
    """Whether a command ends by itself and needs nothing from elsewhere, such as a compiler, a project, a tree."""
    if " -p . " in command or " --kernel " in command:
        return False
    if (("cpp" in command or ".hip" in command) and MISSING) or (".rs" in command and NO_RUST):
        return False
    if ".cu" in command and NO_CUDA:
        return False
    return not command.startswith(SERVERS) and "HOST" not in command


@pytest.mark.slow
def test_the_commands_of_the_first_page(user: Path) -> None:
    """What docs/index.md tells those who want to know something to type."""
    text = (ROOT / "docs/index.md").read_text(encoding="utf-8")
    commands = re.findall(r"\| `(xgen [^`]*)` \|", text)
    assert len(commands) >= 13
    for command in filter(can_be_typed, commands):
        done = called(command, user)
        assert (done.returncode in (0, 1), done.stderr) == (True, ""), command


def test_the_picture_of_a_run(tmp_path: Path) -> None:
    """docs/run.svg is what docs/ltl.md says it is."""
    text = (ROOT / "docs" / "ltl.md").read_text(encoding="utf-8")
    (command,) = re.findall(r"`(xgen ltl [^`]*--svg run.svg)`", text)
    called(command, tmp_path)
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
    shutil.copy(shipped("programs") / "cpp" / "publication.cpp", tmp_path / "prog.cpp")
    text = (
        "extern int __VERIFIER_nondet_int(void);\nint x;\nint main(void) { x = __VERIFIER_nondet_int(); return 0; }\n"
    )
    (tmp_path / "inputs.c").write_text(text)
    (tmp_path / "queue_test.cpp").write_text("#include <gtest/gtest.h>\nTEST(Queue, Push) { EXPECT_EQ(1, 1); }\n")
    shutil.copy(shipped("programs") / "rust" / "message.rs", tmp_path / "prog.rs")
    shutil.copy(shipped("programs") / "cuda" / "message.cu", tmp_path / "kernel.cu")
    shutil.copy(shipped("programs") / "hip" / "message.hip", tmp_path / "kernel.hip")
    shutil.copy(shipped("mcm") / "weak-a9.mcm", tmp_path / "weak-a9.mcm")
    shutil.copytree(shipped("programs"), tmp_path / "programs")
    task = "input_files: prog.c\nproperties:\n  - property_file: unreach-call.prp\n"
    (tmp_path / "task.yml").write_text(task, encoding="utf-8")
    (tmp_path / "linux" / "include" / "linux").mkdir(parents=True)  # what a kernel tree is known by
    (tmp_path / "docs").mkdir()
    shutil.copy(ROOT / "docs" / "mp.c", tmp_path / "docs")
    shutil.copytree(shipped("litmus") / "X86", tmp_path / "litmus" / "X86")
    shutil.copytree(shipped("litmus") / "X86", tmp_path / "tests")
    (tmp_path / "sc.cat").write_text('SC\ninclude "cos.cat"\nacyclic po | rf | co | fr as sc\n', encoding="utf-8")
    shutil.copy(tmp_path / "sc.cat", tmp_path / "mine.cat")
    shutil.copy(shipped("mcm") / "pso.mcm", tmp_path / "mine.mcm")
    return tmp_path


@pytest.mark.slow
def test_the_commands_of_the_readme(user: Path) -> None:
    commands = re.findall(r"^    (xgen .*)$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(commands) >= 5
    for command in filter(can_be_typed, commands):
        done = called(command, user)
        assert (done.returncode in (0, 1), done.stderr) == (True, ""), command
        assert done.stdout


def test_the_picture_of_an_explanation(tmp_path: Path) -> None:
    """docs/mp-forbidden.svg is what docs/pictures.md says it is, and so are the words below it."""
    text = (ROOT / "docs" / "pictures.md").read_text(encoding="utf-8")
    (command,) = re.findall(r"This is what `(xgen [^`]*)` draws", text)
    said = called(command, tmp_path).stdout
    drawn = (tmp_path / "mp-forbidden.svg").read_text(encoding="utf-8")
    assert drawn == (ROOT / "docs" / "mp-forbidden.svg").read_text(encoding="utf-8")
    (block,) = re.findall(r"(?:^    .*\n)+", text, re.MULTILINE)
    assert "".join(line[4:] + "\n" for line in block.splitlines()) in said


def test_the_picture_of_a_hazard(tmp_path: Path) -> None:
    """docs/cow2r.svg is what docs/pictures.md says it is."""
    called("xgen check cow2r --mcm weak-a9 --svg pictures", tmp_path)
    drawn = (tmp_path / "pictures" / "witness.svg").read_text(encoding="utf-8")
    assert drawn == (ROOT / "docs" / "cow2r.svg").read_text(encoding="utf-8")


def test_the_python_of_the_readme(user: Path) -> None:
    (text,) = (text for language, text in blocks("README.md") if language == "python")
    (user / "readme.py").write_text(text, encoding="utf-8")
    done = shell("python readme.py", user)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("violation at line 19\n{")


def test_what_begins_as_promised() -> None:
    assert begins("a\nb\nc\n", "a\n")
    assert begins("a\nb\nc\n", "a\n...\nc\n")
    assert begins("a\nc\n", "a\n...\nc\n")
    assert begins("a b\nc\n", "a...\nc\n")
    assert not begins("a\nb\nc\n", "b\n")
    assert not begins("a\nb\n", "a\n...\nc\n")
    assert not begins("a.b\n", "axb\n")


@pytest.mark.parametrize("page", ["fences", "cub"])
def test_python_in_a_page(page: str, user: Path) -> None:
    """An indented block; comments say what it prints."""
    text = (ROOT / f"docs/{page}.md").read_text(encoding="utf-8")
    block = next(block for block in re.findall(r"(?:^(?:    .*)?\n)+", text, re.MULTILINE) if "xgen.load" in block)
    shutil.copy(shipped("programs") / "peterson.xcfa", user)
    (user / "page.py").write_text("import xgen\n" + textwrap.dedent(block), encoding="utf-8")
    called("xgen prove flags_fenced --mcm tso --certificate flags.json", user)
    done = shell("python page.py", user)
    promised = "".join(f"{line}\n" for line in re.findall(r"  # (.*)$", block, re.MULTILINE))
    assert (done.returncode, done.stderr, done.stdout) == (0, "", promised)


def test_the_example_of_the_package(user: Path) -> None:
    """That of `help(xgen)`."""
    assert xgen.__doc__ is not None
    (user / "package.py").write_text(xgen.__doc__.partition("\n\n")[2], encoding="utf-8")
    shutil.copy(shipped("programs") / "peterson.xcfa", user)
    done = shell("python package.py", user)
    assert (done.returncode, done.stderr, done.stdout) == (0, "", "violation 3\n")
