"""Models that are kept as they were read, and what was found out about them: the same as what is made anew, and never
that of another text or code.
"""

from __future__ import annotations

import ast
import os
import pickle
from collections.abc import Callable
from dataclasses import fields
from itertools import chain, combinations
from pathlib import Path
from zlib import crc32

import pytest

import xgen
import xgen.memory.cat
import xgen.memory.mcm
from xgen import kept, store
from xgen.errors import ModelError, Source
from xgen.lowering.code import INITIAL_WRITE, EventClass
from xgen.memory import cache
from xgen.memory.cache import remembered
from xgen.memory.cat import read_cat
from xgen.memory.library import list_models, load_model
from xgen.memory.mcm import read_model
from xgen.memory.plans.plan import _made
from xgen.memory.ready import Facts, Needs, facts, ready
from xgen.resources import shipped
from xgen.sources import given, read_source

TEXT = 'model "m"\norder = po | rf | mo | fr\norder acyclic as one "all in one order"\n'


@pytest.fixture
def reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that were read and not found."""
    found: list[str] = []

    def read(source: Source) -> xgen.Model:
        found.append(source.text)
        return read_model(source)

    def read_cat_too(source: Source, architecture: str | None = None) -> xgen.Model:
        found.append(source.text)
        return read_cat(source, architecture)

    monkeypatch.setattr(cache, "_folder", lambda: tmp_path)
    monkeypatch.setattr(store, "folder", lambda: tmp_path / "user")
    monkeypatch.setattr(xgen.memory.mcm, "read_model", read)
    monkeypatch.setattr(xgen.memory.cat, "read_cat", read_cat_too)
    monkeypatch.chdir(tmp_path)
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
    monkeypatch.setattr(cache._MODELS, "code", "another")
    cache.read_stored("m", Source("m.mcm", TEXT))
    assert len(reads) == 2


def summed(data: bytes) -> bytes:
    """As it is kept."""
    return crc32(data).to_bytes(4, "big") + data


def with_another_end(data: bytes) -> bytes:
    return data[:-1] + b"x"


def of_another_function(data: bytes) -> bytes:
    """What would run a command if it were read by a usual reader of pickles."""
    key, *_ = kept._Reader(data[4:], Source("m.mcm", TEXT), cache._MODELS.records).load()

    class Command:
        def __reduce__(self) -> tuple[Callable[[str], int], tuple[str]]:
            return os.system, ("touch there",)

    return summed(pickle.dumps((key, Command(), (), (), True)))


@pytest.mark.parametrize(
    "change",
    [lambda _: b"", lambda _: b"no", lambda _: summed(b"\x80\x05K\x01."), with_another_end, of_another_function],
)
def test_what_cannot_be_read_is_made_anew(change: Callable[[bytes], bytes], reads: list[str], tmp_path: Path) -> None:
    source = Source("m.mcm", TEXT)
    cache.read_stored("m", source)
    (tmp_path / "m.model").write_bytes(change((tmp_path / "m.model").read_bytes()))
    assert cache.read_stored("m", source).constraints[0].name == "one"
    assert len(reads) == 2
    assert not (tmp_path / "there").exists()


def test_errors_are_not_kept(reads: list[str], tmp_path: Path) -> None:
    for _ in range(2):
        with pytest.raises(ModelError):
            cache.read_stored("m", Source("m.mcm", "po cyclic"))
    assert len(reads) == 2
    assert list(tmp_path.iterdir()) == []


def test_where_code_may_not_be_written(reads: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_folder", lambda: None)
    for _ in range(2):
        cache.read_stored("m", Source("m.mcm", TEXT))
    assert len(reads) == 1
    assert [path.name for path in (tmp_path / "user").iterdir()] == ["m.model"]


def test_without_a_folder(reads: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_folder", lambda: None)
    (tmp_path / "user").write_text("no folder")
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


# ---- own models


def test_own_models_are_read_once(reads: list[str]) -> None:
    Path("m.mcm").write_text(TEXT)
    first, second = load_model("m.mcm"), load_model("m.mcm")
    assert first.constraints == second.constraints
    assert len(reads) == 1
    Path("m.mcm").write_text(TEXT.replace("| mo", ""))
    assert load_model("m.mcm").constraints != first.constraints
    assert len(reads) == 2


def test_what_own_models_include(reads: list[str]) -> None:
    Path("base.mcm").write_text("base = po | rf\n")
    Path("m.mcm").write_text('model "m"\ninclude "base.mcm"\nbase acyclic as one "all"\n')
    first = load_model("m.mcm")
    assert load_model("m.mcm").constraints == first.constraints
    assert len(reads) == 1
    Path("base.mcm").write_text("base = po | rf | fr\n")
    assert load_model("m.mcm").constraints != first.constraints
    assert len(reads) == 2


def test_a_bell_file_that_comes_later(reads: list[str]) -> None:
    Path("m.cat").write_text('"m"\nacyclic po | rf as one\n')
    first = load_model("m.cat")
    assert load_model("m.cat").constraints == first.constraints
    assert len(reads) == 1
    Path("m.bell").write_text("let more = po | fr\n")
    Path("m.cat").write_text('"m"\nacyclic more as one\n')
    second = load_model("m.cat")
    assert second.constraints != first.constraints
    Path("m.bell").write_text("let more = po | co\n")
    assert load_model("m.cat").constraints != second.constraints
    assert len(reads) == 3


def test_architectures_are_part_of_the_question(reads: list[str]) -> None:
    Path("m.cat").write_text('"m"\nacyclic [A];po as one\n')
    assert [load_model("m.cat", name).constraints for name in ("C", "AArch64")] == [
        load_model("m.cat", name).constraints for name in ("C", "AArch64")
    ]
    assert len(reads) == 2


def test_texts_that_are_no_files_are_not_kept(reads: list[str]) -> None:
    Path("m.mcm").write_text(TEXT)
    first = load_model("m.mcm")
    with given({"m.mcm": TEXT.replace("| mo", "")}):
        assert load_model("m.mcm").constraints != first.constraints
    assert load_model("m.mcm").constraints == first.constraints
    assert len(reads) == 2


# ---- what was found out


@pytest.mark.usefixtures("reads")
def test_what_is_asked_once() -> None:
    asked: list[tuple[str, frozenset[str]]] = []

    @remembered
    def name_and(model: xgen.Model, tags: frozenset[str]) -> Facts:
        asked.append((model.name, tags))
        return Facts(tags, *[False] * 5)

    def model(text: str = TEXT) -> xgen.Model:
        Path("m.mcm").write_text(text)
        return load_model("m.mcm")

    first = name_and(model(), frozenset({"a", "b"}))
    assert name_and(model(), frozenset({"b", "a"})) == first
    assert len(asked) == 1
    name_and(model(), frozenset({"a"}))
    name_and(model(TEXT.replace("| mo", "")), frozenset({"a", "b"}))
    assert len(asked) == 3
    for _ in range(2):  # nothing is kept of a text
        name_and(read_model(Source("m.mcm", TEXT)), frozenset({"a", "b"}))
    assert len(asked) == 5


def test_what_is_kept_beside_the_code_has_an_end(
    reads: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was not used for the longest time goes first, and nothing else that is there."""

    @remembered
    def tags_of(model: xgen.Model, number: int) -> Facts:
        return Facts(frozenset({model.name, str(number)}), *[False] * 5)

    monkeypatch.setattr(store, "ROOM_ELSEWHERE", 40_000)
    (tmp_path / "code.pyc").write_bytes(bytes(100_000))
    for number in range(100):
        assert tags_of(cache.read_stored("m", Source("m.mcm", TEXT)), number).tags == {"m", str(number)}
    store.keep("0.model", b"", tmp_path)  # with names that begin so it is looked at what is there
    left = {path.name: path.stat().st_size for path in tmp_path.iterdir()}
    assert left.pop("code.pyc") == 100_000
    assert "m.model" in left
    assert 0 < sum(left.values()) <= 40_000
    assert len(reads) == 1


KINDS = {
    "plain": [EventClass("R"), EventClass("W")],
    "atomic": [
        EventClass("R", frozenset({"acquire"})),
        EventClass("W", frozenset({"release"})),
        EventClass("R", frozenset({"seq_cst", "update"})),
        EventClass("W", frozenset({"seq_cst", "update"})),
    ],
    "fences": [EventClass("R"), EventClass("W"), EventClass("F", frozenset({"seq_cst", "mfence", "sync"}))],
}
FLAGS = ("updates", "exclusive", "parts", "blocks", "races", "classes")


@pytest.mark.sweep
@pytest.mark.usefixtures("reads")
@pytest.mark.parametrize("name", list_models())
def test_what_is_remembered_is_what_is_found(name: str) -> None:
    """Of each shipped model: for all pairs of needs and all kinds of events."""
    source = read_source(shipped("mcm") / f"{name}.mcm")
    fresh = read_model(source)
    for given_ in chain([()], combinations(FLAGS, 2)):
        said = {field.name: field.name in given_ for field in fields(Needs)}
        needs = Needs(**said | {"tags": frozenset({"cta.0", "cta.1"}), "races": True if "races" in given_ else None})
        wanted = ready(fresh, needs)
        for _ in range(2):
            found = ready(cache.read_stored(name, source), needs)
            for field in ("constraints", "definitions"):
                assert getattr(found.model, field) == getattr(wanted.model, field)
            assert found.strategy == wanted.strategy
            assert facts(found.model) == facts(wanted.model)
            for classes in KINDS.values():
                of = frozenset({INITIAL_WRITE, *classes})
                plan = of, frozenset(found.strategy.at_end), found.strategy.ahead, found.strategy.holds
                rest = frozenset({"addr", "data", "ctrl"}), "classes" in given_, ()
                assert _made(found.model, *plan, *rest) == _made(wanted.model, *plan, *rest)


def test_it_is_known_what_reads_models() -> None:
    """All modules that those of `memory` import are looked at before what they have found is taken again, but these."""
    package = Path(xgen.__file__).parent
    known = set[str]()
    for path in (package / "memory").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("xgen."):
                known.add(node.module.removeprefix("xgen.").replace(".", "/"))
    assert {"errors", "lowering/code", "tags"} <= known
    others = {name for name in known if name.split("/")[0] not in cache.MADE_BY and f"{name}.py" not in cache.MADE_BY}
    assert others <= {"_core", "executions", "executions/execution", "kept", "resources"}
