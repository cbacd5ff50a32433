"""What C forbids: a table of small programs, what is said of each, and that gcc refuses the same ones."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from c.running import load, run

import xgen

ENTRIES = (Path(__file__).parent / "constraints.txt").read_text(encoding="utf-8").split("\n\n")[1:]
TABLE = [(text, said.strip()) for text, said in (entry.rstrip().rsplit("\n    ", 1) for entry in ENTRIES)]
LENIENT = ("const atomic_int x = 1", "const int *e")
"""Rows in which a call writes to what is const: the macros of gcc's own header let them through, clang refuses them."""
GNU = re.compile(r"__|\(\{")


def whole(text: str) -> str:
    return text if "main(" in text else text + "\nint main(void) { return 0; }\n"


def said(text: str) -> str:
    """The first error, as the table has it."""
    try:
        load(text)
    except xgen.ProgramError as error:
        related = [f"{position.line}:{position.column} {sentence}" for sentence, position in error.related]
        return " | ".join([f"{error.line}:{error.column} {error.message}", *related])
    return "ok"


def gcc(text: str) -> bool:
    """Whether gcc refuses a program."""
    options = ["-std=gnu11", "-w"] if GNU.search(text) else ["-std=c11", "-pedantic-errors"]
    command = ["gcc", *options, "-fsyntax-only", "-x", "c", "-"]
    return subprocess.run(command, input=text, text=True, capture_output=True, check=False).returncode != 0


@pytest.mark.parametrize(("text", "expected"), TABLE)
def test_what_is_forbidden(text: str, expected: str) -> None:
    assert said(whole(text)) == expected


@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc")
def test_gcc_refuses_the_same_programs() -> None:
    rows = [(text, expected) for text, expected in TABLE if not any(call in text for call in LENIENT)]
    assert len(rows) == len(TABLE) - len(LENIENT)
    different = [text for text, expected in rows if gcc(whole(text)) != (expected != "ok")]
    assert different == []


def test_all_that_is_forbidden_is_told_at_once() -> None:
    text = "const int c = 1;\nvoid f(void) { c = 2; }\nint f(int);\nint main(void) { return f(); }\n"
    with pytest.raises(xgen.ProgramError) as caught:
        load(text)
    errors = (caught.value, *caught.value.others)
    assert [(error.line, len(error.related)) for error in errors] == [(2, 1), (3, 1), (4, 1)]


def test_both_places_are_shown() -> None:
    with pytest.raises(xgen.ProgramError) as caught:
        load("int x = 1;\nint main(void) { return x; }\n  int x = 2;\n")
    assert (
        str(caught.value)
        == """\
test.c:3:7: error: `x` has two initial values
    3 |   int x = 2;
      |       ^
test.c:1:5: note: the first one is here
    1 | int x = 1;
      |     ^"""
    )


def test_headers_say_less_than_those_of_c(tmp_path: Path) -> None:
    """What a program declares of the library need not be what xgen's headers do; its own headers count."""
    load("#include <stdlib.h>\nint free(void *p);\nint main(void) { return 0; }")
    (tmp_path / "own.h").write_text("int f(int a);\n", encoding="utf-8")
    with pytest.raises(xgen.ProgramError) as caught:
        load('#include "own.h"\nint f(void) { return 1; }\nint main(void) { return 0; }', folders=(str(tmp_path),))
    ((sentence, position),) = caught.value.related
    assert position.source is not None
    assert (sentence, position.line, Path(position.source.name).name) == ("int (int) here", 1, "own.h")


def test_what_is_not_understood_is_not_forbidden() -> None:
    """Nothing is said of it here; what is not supported is refused as that, where it is needed."""
    text = "__int128 d = 1; __int128 f(__int128 a) { d = a; d++; return f(1, 2); }\n"
    text += "struct s { unsigned a : 3, : 2, b : 4; __int128 c; } v; int g(struct s *p) { p->a = 1; return p->b(3); }\n"
    with pytest.raises(xgen.UnsupportedError):
        load(text + "int main(void) { return d < 2; }")


def test_types_with_a_member_that_is_not_understood_are_complete() -> None:
    """By their tags, in other types, and while they are incomplete in themselves."""
    text = "typedef union pair pair; union pair { unsigned long part[2]; __int128 both; };\n"
    text += "struct inner { struct inner *next; __int128 both; }; struct outer { struct inner inner; int a; };\n"
    text += "int main(void) { union pair p; p.both = 5; pair r = p; if (r.part[1]) return 1;\n"
    text += "struct outer o, *q = &o; q->inner.next = &q->inner;\n"
    result = run(text + "q->inner.next->both = 4; return p.part[0] != 5 || o.inner.both != 4; }")
    assert (result.verdict, result.executions) == ("safe", 1)
    with pytest.raises(xgen.ProgramError, match="`p` has a type whose size is not known"):
        load("union pair; struct inner { __int128 both; }; int main(void) { union pair p; return 0; }")
