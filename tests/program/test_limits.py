"""Files that are no programs, and programs that are larger or deeper than any sensible one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from xgen import program
from xgen.errors import ProgramError, Source, UsageError, XgenError
from xgen.lowering.dump import dump_code
from xgen.lowering.threads import lower
from xgen.program.printer import print_program
from xgen.sources import read_source


def statement(text: str) -> str:
    return f"var x : int process p {{ var a : int var c : bool init loc L final loc K L -> K {{ {text} }} }}"


def write(folder: Path, data: bytes) -> Path:
    path = folder / "file.xcfa"
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "the program has no process"),
        (b"\n\n", "the program has no process"),
        (b"\xef\xbb\xbf", "the program has no process"),
        (b"process p { init loc L }\0", "this is a binary file, not a text"),
        (b"\x7fELF\x02\x01\x01\0\0\0", "this is a binary file, not a text"),
        (b"process p { init loc L }\n// caf\xe9", "this is not UTF-8 text"),
        ("process p { init loc L }".encode("utf-16"), "this is a binary file, not a text"),
        (b"{" * 10_000_000, "`{` is out of place"),
        (b"?" * 10_000_000, "`?` is not part of the language"),
        (b"x" * 10_000_000, f"`{'x' * 57}...` is out of place"),
        (b"/* " * 3_000_000, "this comment does not end"),
        (b"//" * 5_000_000, "the program has no process"),
        (b"\n" * 10_000_000, "the program has no process"),
        (b"var x : int (" + b"9" * 10_000_000 + b")", "this number does not fit into 64 bits"),
    ],
    ids=lambda value: repr(value[:20]),
)
def test_bad_files(tmp_path: Path, data: bytes, message: str) -> None:
    path = write(tmp_path, data)
    with pytest.raises(XgenError) as info:
        program.load(path)
    assert info.value.message == message
    assert info.value.file == str(path)
    assert len(str(info.value)) < 1000


def test_place_of_a_wrong_byte(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as info:
        read_source(write(tmp_path, b"one\n\xc3\xa4\xc3\xa4 \xff"))
    assert (info.value.line, info.value.column) == (2, 4)


@pytest.mark.parametrize("name", ["p.c", "p.h", "p.cpp"])
def test_comments_of_c_in_another_encoding(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(b'// \xe4\\\n\xe4 \xc3\xa4\n/* \xe4\n\xe4 */ char *s = "\\"/*"; // \'\xe4\'\n')
    readable = '// \ufffd\\\n\ufffd \u00e4\n/* \ufffd\n\ufffd */ char *s = "\\"/*"; // \'\ufffd\'\n'
    assert read_source(path).text == readable


@pytest.mark.parametrize("text", [b"int \xe4;", b'char *s = "// \xe4";', b"char c = '\xe4';", b"/* */ \xe4 /* */"])
def test_elsewhere_it_is_an_error(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "p.c"
    path.write_bytes(text)
    with pytest.raises(UsageError, match="this is not UTF-8 text") as info:
        read_source(path)
    assert info.value.column == text.index(b"\xe4") + 1


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no such file"):
        program.load(tmp_path / "none.xcfa")
    with pytest.raises(UsageError, match="this is a directory"):
        program.load(tmp_path)
    with pytest.raises(UsageError, match="cannot be read"):
        program.load("a\0b")
    with pytest.raises(UsageError, match="cannot be read"):
        program.load(tmp_path / ("x" * 5000))


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_unreadable_file(tmp_path: Path) -> None:
    path = write(tmp_path, b"")
    path.chmod(0)
    with pytest.raises(UsageError, match="permission denied"):
        program.load(path)


def test_line_ends_and_byte_order_mark(tmp_path: Path) -> None:
    assert read_source(write(tmp_path, b"\xef\xbb\xbfa\r\nb\rc\n")).text == "a\nb\nc\n"


DEPTH = 3_000
"""Python stops at 1,000 calls inside each other."""


@pytest.mark.sweep
@pytest.mark.parametrize(
    "text",
    [
        "a := " + "(" * DEPTH + "1" + ")" * DEPTH,
        "a := " + "(1 + " * DEPTH + "a" + ")" * DEPTH,
        "a := " + "1 + " * DEPTH + "a",
        "a := " + "- " * DEPTH + "a",
        "c := " + "not " * DEPTH + "c",
        "c := " + "c imply " * DEPTH + "c",
        "c := " + "(1 / a = 1 and " * DEPTH + "c" + ")" * DEPTH,
        "a := " + "if c then 1 else " * DEPTH + "a",
        "a := " + "if " * DEPTH + "c" + " then c else c" * (DEPTH - 1) + " then 1 else 2",
        "skip " * DEPTH,
    ],
    ids=lambda text: text[:20],
)
def test_deep_nesting(text: str) -> None:
    """Neither parsing nor checking, lowering, printing or dumping is recursive."""
    parsed = program.parse(Source("deep", statement(text)))
    assert print_program(program.parse(Source("printed", print_program(parsed)))) == print_program(parsed)
    assert dump_code(lower(parsed))


@pytest.mark.parametrize("text", ["a := " + "(" * DEPTH, "a := " + "(" * DEPTH + "true" + ")" * DEPTH])
def test_deep_nesting_that_is_wrong(text: str) -> None:
    with pytest.raises(ProgramError) as info:
        program.parse(Source("deep", statement(text)))
    assert len(str(info.value)) < 1000


def test_many_locations() -> None:
    """A chain of 20,000 locations is read and lowered in time that is linear in its length."""
    count = 20_000
    locations = " ".join(f"loc L{number}" for number in range(1, count))
    edges = " ".join(f"L{number} -> L{number + 1}" for number in range(count - 1))
    parsed = program.parse(Source("long", f"process p {{ init loc L0 {locations} {edges} }}"))
    assert len(lower(parsed).instructions) == 1
