"""C programs that are kept as they were read: the same again, and another one once a text has changed."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

import xgen
from xgen import sources, store
from xgen.frontends import c as reader
from xgen.frontends.c.text.preprocess import ALWAYS, HEADERS
from xgen.frontends.translated import MADE_BY

REPO = Path(__file__).parents[2]
OWN = [path for folder in ("c", "mixed") for path in sorted((REPO / "programs" / folder).glob("*.c"))]
"""Programs that are complete."""
PROGRAM = '#include "value.h"\n#include <assert.h>\nint x;\nint main() { x = VALUE; assert(x == VALUE); }\n'


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """The programs that are read, with a cache of their own, in a folder with `a.c` and the header that it includes."""
    found: list[str] = []
    read: Callable[..., xgen.Program] = reader.read_c

    def remembered(source: xgen.errors.Source, **options: Any) -> xgen.Program:
        found.append(source.name)
        return read(source, **options)

    monkeypatch.setattr(reader, "read_c", remembered)
    monkeypatch.setattr(store, "folder", lambda: tmp_path / "cache")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    Path("a.c").write_text(PROGRAM)
    Path("value.h").write_text("#define VALUE 1\n")
    return found


def value(**options: Any) -> int:
    """What `a.c` stores in `x`."""
    (outcome,) = xgen.check(xgen.load("a.c", **options), xgen.model("sc")).outcomes
    return int(outcome.state["x"])


def test_a_program_is_read_once(reads: list[str]) -> None:
    first = xgen.load("a.c")
    second = xgen.load("a.c")
    assert asdict(second) == asdict(first)
    assert reads == ["a.c"]
    assert (value(), value()) == (1, 1)
    assert reads == ["a.c"]


def test_what_may_only_be_read_is_used(reads: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """When it was used last cannot be said there."""

    def refused(*_: object) -> None:
        raise PermissionError

    assert value() == 1
    monkeypatch.setattr("os.utime", refused)
    assert value() == 1
    assert len(reads) == 1


def other_text() -> None:
    Path("a.c").write_text(PROGRAM.replace("VALUE;", "VALUE + 1;").replace("== VALUE", "== VALUE + 1"))


def other_header() -> None:
    Path("value.h").write_text("#define VALUE 2\n")


def nearer_header() -> None:
    """One in the first folder, where there was none."""
    Path("first").mkdir()
    Path("first/value.h").write_text("#define VALUE 2\n")


def no_header() -> None:
    """The one of the last folder is found then."""
    Path("value.h").unlink()


@pytest.mark.parametrize("change", [other_text, other_header])
def test_what_has_changed_is_read_anew(reads: list[str], change: Callable[[], None]) -> None:
    assert value() == 1
    change()
    assert value() == 2
    assert value() == 2
    assert len(reads) == 2


@pytest.mark.parametrize("change", [nearer_header, no_header])
def test_a_header_is_found_elsewhere(reads: list[str], change: Callable[[], None]) -> None:
    Path("a.c").write_text(PROGRAM.replace('"value.h"', "<value.h>"))
    Path("last").mkdir()
    Path("last/value.h").write_text("#define VALUE 2\n")
    folders = ("first", ".", "last")
    assert (value(folders=folders), value(folders=folders)) == (1, 1)
    change()
    assert (value(folders=folders), value(folders=folders)) == (2, 2)
    assert len(reads) == 2


def test_whether_there_is_a_header_is_asked(reads: list[str]) -> None:
    Path("a.c").write_text(
        '#if __has_include("more.h")\n#define VALUE 2\n#else\n#include "value.h"\n#endif\n' + PROGRAM[19:]
    )
    assert (value(), value()) == (1, 1)
    Path("more.h").write_text("")
    assert value() == 2
    assert len(reads) == 2


def test_options_are_part_of_the_question(reads: list[str]) -> None:
    Path("a.c").write_text(PROGRAM[19:])
    assert [value(defines=(f"VALUE={k}",)) for k in (1, 2, 1)] == [1, 2, 1]
    assert len(reads) == 2


def test_several_files(reads: list[str]) -> None:
    Path("b.c").write_text('#include "value.h"\nint other = VALUE;\n')
    first = asdict(xgen.load("a.c", "b.c"))
    assert asdict(xgen.load("a.c", "b.c")) == first
    assert len(reads) == 1
    Path("b.c").write_text('#include "value.h"\nint other = VALUE + 1;\n')
    assert asdict(xgen.load("a.c", "b.c")) != first
    assert len(reads) == 2


def test_another_folder_with_files_of_the_same_names(reads: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert value() == 1
    Path("there").mkdir()
    monkeypatch.chdir("there")
    Path("a.c").write_text(PROGRAM)
    Path("value.h").write_text("#define VALUE 2\n")
    assert value() == 2
    assert len(reads) == 2


def test_what_is_wrong_is_not_kept(reads: list[str]) -> None:
    Path("value.h").write_text("#define VALUE one\n")
    for _ in range(2):
        with pytest.raises(xgen.ProgramError, match="one"):
            xgen.load("a.c")
    Path("value.h").write_text("#define VALUE 1\n")
    assert value() == 1
    assert len(reads) == 3


def test_texts_that_are_no_files_are_not_kept(reads: list[str]) -> None:
    assert value() == 1
    with sources.given({"value.h": "#define VALUE 2\n"}):
        assert value() == 2
    with sources.confined([".", HEADERS, ALWAYS]):
        assert value() == 1
    assert value() == 1
    assert len(reads) == 3
    xgen.parse(PROGRAM, "c", "a.c")
    xgen.parse(PROGRAM, "c", "a.c")
    assert len(reads) == 5


def test_headers_that_a_compiler_finds(reads: list[str]) -> None:
    for _ in range(2):
        assert value(headers="cc") == 1
    assert len(reads) == 2


def test_those_who_keep_a_run_get_all_texts(reads: list[str]) -> None:
    found = []
    for _ in range(2):
        with sources.recorded() as texts:
            xgen.load("a.c")
        found.append(texts)
    assert len(reads) == 1
    assert found[0] == found[1]
    assert {"a.c", "value.h"} < set(found[0])


@pytest.mark.sweep
@pytest.mark.parametrize("path", OWN, ids=lambda path: path.stem)
def test_programs_are_the_same_again(reads: list[str], path: Path) -> None:
    first = xgen.load(path)
    second = xgen.load(path)
    assert len(reads) == 1
    assert asdict(first) == asdict(second)


def test_it_is_known_what_reads_programs() -> None:
    """All modules that those of the front ends import are looked at before what they have made is taken again."""
    package = REPO / "src" / "xgen"
    todo, known = (
        [path for name in ("frontends/c", "frontends/llvm") for path in (package / name).rglob("*.py")],
        set[Path](),
    )
    while todo:
        path = todo.pop()
        if path in known:
            continue
        known.add(path)
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("xgen."):
                inside = package.parent.joinpath(*node.module.split("."))
                todo += [file for file in (inside.with_suffix(".py"), inside / "__init__.py") if file.exists()]
    places = [path.relative_to(package) for path in known]
    others = {place.name for place in places if not {place.parts[0], place.as_posix()} & {*MADE_BY}}
    words = {"extras.py", "grammars.py"}  # of messages
    assert others <= {"__init__.py", "clock.py", "kept.py", "resources.py", "store.py", "version.py"} | words
