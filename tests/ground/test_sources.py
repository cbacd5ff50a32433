"""Reading files: what is no file, and what is too large, is refused by its name, without an attempt to read it."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from xgen import resources
from xgen.errors import Position, Source, UsageError
from xgen.resources import shipped, short
from xgen.sources import MAX_SIZE, confined, find, read_source


def refused(path: Path | str, largest: int = MAX_SIZE) -> str:
    """What is said about a file that is not read."""
    with pytest.raises(UsageError) as info:
        read_source(path, largest)
    assert info.value.file == str(path)
    return info.value.message


def test_a_pipe_that_nobody_writes_into(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.xcfa")
    assert refused(tmp_path / "pipe.xcfa") == "this is a pipe, not a file"


def test_devices() -> None:
    for device in ("/dev/zero", "/dev/null", "/dev/full"):
        assert refused(device) == "this is a device, not a file"


def test_a_socket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the path of a socket has to be short
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket.mcm")
        assert refused("socket.mcm").startswith("the file cannot be read: ")


def test_a_folder(tmp_path: Path) -> None:
    assert refused(tmp_path) == "this is a directory, not a file"


def test_a_file_of_terabytes(tmp_path: Path) -> None:
    large = tmp_path / "large.litmus"
    large.touch()
    os.truncate(large, 1 << 42)
    assert refused(large) == "the file is too large: it has more than 64 MiB"


def test_a_file_that_says_less_than_it_has() -> None:
    """As those that the system makes up do."""
    assert os.stat("/proc/self/maps").st_size == 0
    assert refused("/proc/self/maps", 100) == "the file is too large: it has more than 0 MiB"
    assert read_source("/proc/self/maps").text


def test_the_largest_file(tmp_path: Path) -> None:
    file = tmp_path / "text"
    file.write_bytes(b"12345")
    assert read_source(file, 5).text == "12345"
    assert refused(file, 4).startswith("the file is too large")


def test_files_that_come_with_xgen_have_short_names() -> None:
    """In what is said about them; where something has to be opened, names are whole."""
    path = str(shipped("programs") / "c" / "treiber.c")
    assert short(path) == "programs/c/treiber.c"
    assert short(str(shipped("mcm") / "tso.mcm")) == "mcm/tso.mcm"
    for other in ("treiber.c", "/tmp/programs/c/treiber.c", "/programs.c", "<text>"):
        assert short(other) == other
    assert Position(3, 4).text(Source(path, "")) == "programs/c/treiber.c:3:4"


def test_what_texts_name_is_found_in_folders(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two" / "inner").mkdir(parents=True)
    for place in ("two/a.h", "two/inner/a.h", "one/b.h"):
        (tmp_path / place).write_text(place)
    folders = (tmp_path / "one", tmp_path / "two")
    assert find("a.h", folders) == tmp_path / "two" / "a.h"
    assert find("inner/a.h", folders) == tmp_path / "two" / "inner" / "a.h"
    assert find("../one/b.h", folders) == tmp_path / "one" / "../one/b.h"
    assert find(str(tmp_path / "one" / "b.h"), ()) is None
    assert find("inner", folders) is None  # a folder
    assert find("a\0.h", folders) is None


def test_where_texts_are_confined_nothing_else_is_there(tmp_path: Path) -> None:
    """Names that lead out of the folders find nothing; what is found is called by its name inside."""
    (tmp_path / "own" / "inner").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "own")
    for place in ("own/a.h", "own/inner/b.h", "secret.h"):
        (tmp_path / place).write_text(place)
    everywhere = (tmp_path, tmp_path / "own", tmp_path / "own" / "inner")
    with confined([tmp_path / "own", tmp_path / "link" / "inner"]):
        assert find("secret.h", everywhere) is None
        assert find("../secret.h", everywhere) is None
        assert find("inner/../a.h", everywhere) is None
        assert find(str(tmp_path / "own" / "a.h"), everywhere) is None
        for folder in ("own", "link"):
            found = find("a.h", [tmp_path / folder])
            assert found is not None
            assert (read_source(found).name, read_source(found).text) == ("a.h", "own/a.h")
        found = find("b.h", everywhere)
        assert found is not None
        assert read_source(found).name == "b.h"  # of the innermost folder
    assert find("secret.h", everywhere) == tmp_path / "secret.h"


def test_what_is_of_the_package_itself() -> None:
    """Its own headers are; programs that come with it are not, wherever it is installed."""
    package = Path(resources.__file__).parent
    assert resources.in_package(str(package / "frontends" / "c" / "library" / "include" / "pthread.h"))
    assert not resources.in_package(str(package / "data" / "programs" / "c" / "dekker_us.c"))
    assert not resources.in_package("dekker_us.c")
