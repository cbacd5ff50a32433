"""Models that are kept as they were read: the same as those that are read, and never those of another text or code."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

import xgen
import xgen.memory.mcm
from xgen.errors import ModelError, Source
from xgen.memory import cache
from xgen.memory.library import list_models
from xgen.memory.mcm import read_model
from xgen.resources import shipped
from xgen.sources import read_source

TEXT = 'model "m"\norder = po | rf | mo | fr\norder acyclic as one "all in one order"\n'


@pytest.fixture
def reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that were read and not found."""
    found: list[str] = []

    def read(source: Source) -> xgen.Model:
        found.append(source.text)
        return read_model(source)

    monkeypatch.setattr(cache, "_folder", lambda: tmp_path)
    monkeypatch.setattr(xgen.memory.mcm, "read_model", read)
    return found


def test_kept_by_text_and_name(reads: list[str]) -> None:
    first = cache.read_stored("m", Source("m.mcm", TEXT))
    again = cache.read_stored("m", Source("m.mcm", TEXT))
    assert again is not first
    assert again.constraints == first.constraints
    assert len(reads) == 1
    other = TEXT.replace("| mo", "")
    assert cache.read_stored("m", Source("m.mcm", other)).constraints[0].condition != first.constraints[0].condition
    assert cache.read_stored("m", Source("n.mcm", TEXT)).source.name == "n.mcm"
    assert len(reads) == 3


def test_kept_by_code(reads: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    cache.read_stored("m", Source("m.mcm", TEXT))
    monkeypatch.setattr(cache, "_code", lambda: "another")
    cache.read_stored("m", Source("m.mcm", TEXT))
    assert len(reads) == 2


@pytest.mark.parametrize("rest", [b"", b"\x80", b"no pickle", b"\x80\x05K\x01."])
def test_what_cannot_be_read_is_made_anew(rest: bytes, reads: list[str], tmp_path: Path) -> None:
    source = Source("m.mcm", TEXT)
    cache.read_stored("m", source)
    (tmp_path / "m.model").write_bytes(cache._key(source) + rest)
    assert cache.read_stored("m", source).constraints[0].name == "one"
    assert len(reads) == 2


def test_errors_are_not_kept(reads: list[str], tmp_path: Path) -> None:
    for _ in range(2):
        with pytest.raises(ModelError):
            cache.read_stored("m", Source("m.mcm", "po cyclic"))
    assert len(reads) == 2
    assert list(tmp_path.iterdir()) == []


def test_without_a_folder(reads: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_folder", lambda: None)
    for _ in range(2):
        cache.read_stored("m", Source("m.mcm", TEXT))
    assert len(reads) == 2


@pytest.mark.parametrize("name", list_models())
def test_shipped_models_are_what_their_texts_say(name: str, reads: list[str]) -> None:
    source = read_source(shipped("mcm") / f"{name}.mcm")
    made = read_model(source)
    cache.read_stored(name, source)
    kept = cache.read_stored(name, source)
    assert len(reads) == 1
    for field in fields(made):
        if field.name != "source":
            assert getattr(kept, field.name) == getattr(made, field.name), field.name
    assert (kept.source.name, kept.source.text) == (source.name, source.text)
