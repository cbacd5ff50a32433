"""Programs that are translated in rounds, and kept so: the same again, and never anything else that lies there."""

from __future__ import annotations

import pickle
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from llvm.compiling import compiles

import xgen
from xgen import store
from xgen.errors import Source
from xgen.frontends import llvm, translated
from xgen.frontends.llvm import read_prepared
from xgen.frontends.llvm.points_to import Facts
from xgen.sources import read_source

PROGRAMS = Path(__file__).parent / "programs"


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """The translations that are made, with a cache of their own and the sources in the working directory."""
    found: list[str] = []

    def remembered(text: str, source: Source, **options: Any) -> xgen.Program:
        found.append(source.name)
        return read_prepared(text, source, **options)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(store, "folder", lambda: tmp_path / "cache")
    monkeypatch.setattr(llvm, "read_prepared", remembered)
    (tmp_path / "message_us.c").write_text((PROGRAMS / "message_us.c").read_text())
    return found


def read(name: str = "message_us", **options: Any) -> xgen.Program:
    from xgen.frontends.llvm.passes import prepared

    source = read_source(PROGRAMS / f"{name}.ll")
    text = prepared([(source.name, source.text)], {"main"})
    return translated.translated_ir(source, text, [options], lambda: llvm.read_prepared(text, source, **options))


def told(program: xgen.Program) -> dict[str, Any]:
    """All of a program, with its places and the texts that these are in."""
    return asdict(program)


@compiles
def test_a_program_is_translated_once(reads: list[str]) -> None:
    first = read()
    assert told(read()) == told(first)
    assert "'message_us.c'" in str(told(first))
    assert len(reads) == 1
    assert told(read(races=False)) != told(first)
    read("message")
    assert len(reads) == 3
    Path("message_us.c").write_text("// another text of the same IR\n")
    assert "// another text" in str(told(read()))
    assert len(reads) == 3


class Harm:
    def __reduce__(self) -> tuple[Any, ...]:
        return print, ("done by a pickle",)


@compiles
@pytest.mark.parametrize("wrong", ["cut", "changed", "no program", "other code", "empty"])
def test_what_is_kept_is_damaged(reads: list[str], wrong: str, capsys: pytest.CaptureFixture[str]) -> None:
    first = told(read())
    (kept,) = store.folder().glob("*.program")
    data = kept.read_bytes()
    other = pickle.dumps(Harm() if wrong == "other code" else {"a": 1})
    damaged = {"cut": data[:-9], "changed": data[:-9] + b"?" + data[-8:], "empty": b""}
    kept.write_bytes(damaged.get(wrong, crc32(other).to_bytes(4, "big") + other))
    assert told(read()) == first
    assert len(reads) == 2
    assert capsys.readouterr().out == ""
    assert told(read()) == first
    assert len(reads) == 2


GROWN = [
    each.name for each in fields(Facts) if each.name not in ("cells", "objects")
]  # which say what a round has made of the rest


@pytest.mark.parametrize("name", GROWN)
def test_whatever_is_found_makes_another_round(name: str) -> None:
    facts = Facts()
    before, field = facts.size(), getattr(facts, name)
    if isinstance(field, set):
        field.add(1)
    elif isinstance(field, dict):
        field["of"] = set()
    else:
        setattr(facts, name, ["main"] if isinstance(field, list) else 1)
    after = facts.size()
    assert after != before
    if isinstance(field, dict):  # the same names, and more of one
        field["of"].add("more")
        assert facts.size() != after
