"""The files that options name: written whole or not at all, and refused before a run that would be in vain."""

from __future__ import annotations

import os
import resource
import stat
import threading
from pathlib import Path

import pytest

from cli.fake import run
from xgen.cli import files
from xgen.errors import UsageError


def test_a_new_file_has_the_usual_permissions(tmp_path: Path) -> None:
    files.write(tmp_path / "new", "text")
    (tmp_path / "usual").touch()
    assert (tmp_path / "new").read_text() == "text"
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_a_file_keeps_its_permissions(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("old")
    file.chmod(0o640)
    files.write(file, "new")
    assert (file.read_text(), stat.S_IMODE(file.stat().st_mode)) == ("new", 0o640)


def test_a_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("folder/file")
    for text in ("one", "two"):
        files.prepare(tmp_path / "link")
        files.write(tmp_path / "link", text)
        assert (tmp_path / "link").is_symlink()
        assert (tmp_path / "folder" / "file").read_text() == text
    assert os.listdir(tmp_path / "folder") == ["file"]


def test_a_device_stays_one() -> None:
    files.prepare(Path("/dev/null"))
    files.write(Path("/dev/null"), "text")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_a_pipe_stays_one(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    files.prepare(tmp_path / "pipe")
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append((tmp_path / "pipe").read_text()))
    reader.start()
    files.write(tmp_path / "pipe", "text")
    reader.join()
    assert read == ["text"]


def test_a_disk_that_gets_full_costs_nothing(tmp_path: Path) -> None:
    """What was there before is still there, and nothing else."""
    file = tmp_path / "file"
    file.write_text("old")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        for path in (file, tmp_path / "new"):
            with pytest.raises(UsageError) as info:
                files.write(path, "x" * 2000)
            assert (info.value.file, info.value.message) == (str(path), "this cannot be written: File too large")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert file.read_text() == "old"
    assert os.listdir(tmp_path) == ["file"]


def test_an_interruption_costs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        files.write(tmp_path / "file", "text")
    assert os.listdir(tmp_path) == []


def test_letters_that_no_text_has(tmp_path: Path) -> None:
    """Names of files may have them."""
    files.write(tmp_path / "file", "a\udcffb")
    assert (tmp_path / "file").read_text() == "a\\udcffb"


REFUSED = [
    (".", "this is a directory, not a file"),
    ("no/such/folder", "No such file or directory"),
    ("x" * 300, "File name too long"),
    ("nul\0character", "embedded null byte"),
    ("/proc/nowhere", "No such file or directory"),
]


@pytest.mark.parametrize(("name", "reason"), REFUSED)
def test_what_cannot_be_written_is_known_before(
    name: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError) as info:
        files.prepare(Path(name))
    assert info.value.message == f"this cannot be written: {reason}"


SB = """X86 SB
{ x=0; y=0; }
 P0         | P1         ;
 MOV [x],$1 | MOV [y],$1 ;
 MOV EAX,[y]| MOV EAX,[x];
exists (0:EAX=0 /\\ 1:EAX=0)
"""


@pytest.mark.parametrize("option", ["--junit", "--save"])
@pytest.mark.parametrize("name", ["no/such/file", "."])
def test_litmus_looks_before_it_runs(option: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "SB.litmus").write_text(SB)
    monkeypatch.chdir(tmp_path)
    outcome = run("litmus", "SB.litmus", option, name)
    assert (outcome.exit_code, outcome.stdout) == (2, "")
    assert outcome.stderr.startswith(f"{name}: error: this cannot be written: ")


def test_the_verdicts_of_a_suite_on_a_full_disk(tmp_path: Path) -> None:
    (tmp_path / "SB.litmus").write_text(SB)
    outcome = run("litmus", str(tmp_path / "SB.litmus"), "--save", "/dev/full")
    assert outcome.exit_code == 2
    assert outcome.stdout.startswith("Yes")
    assert outcome.stderr == "/dev/full: error: this cannot be written: No space left on device\n"


def test_a_run_that_fails_leaves_no_page(tmp_path: Path) -> None:
    (tmp_path / "bad.xcfa").write_text("process p {")
    page = tmp_path / "page.html"
    assert run("check", str(tmp_path / "bad.xcfa"), "--mcm", "tso", "--html", str(page)).exit_code == 2
    assert run("explain", str(tmp_path / "bad.xcfa"), "--mcm", "tso", "--html", str(page)).exit_code == 2
    assert not page.exists()
