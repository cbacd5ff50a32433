"""Finding models, and what the shipped ones look like."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from xgen import resources
from xgen.errors import ModelError, Source, UsageError
from xgen.memory.algebra import Check, Op
from xgen.memory.library import list_models, load_model
from xgen.memory.mcm.parser import read_model

PLAIN = ["any", "arm", "arm8", "coherence", "lkmm", "nofence", "power", "pso", "ra", "rc11", "rc11-c20", "riscv", "sc"]
PLAIN += ["tso", "weak", "weak-a9"]
THESIS = ["thesis/nofence", "thesis/sc", "thesis/tso", "thesis/weak", "thesis/weak-a9"]


def test_the_list() -> None:
    assert set(PLAIN + THESIS) <= set(list_models())
    assert list_models().index("thesis/nofence") > list_models().index("weak-a9")


def test_a_shipped_model_is_read_once(tmp_path: Path) -> None:
    """What is proved of its text is kept with it; a file may have changed."""
    assert load_model("tso") is load_model("tso")
    assert load_model("tso") is not load_model("sc")
    (tmp_path / "tso.mcm").write_text(load_model("sc").source.text)
    file = str(tmp_path / "tso.mcm")
    assert load_model(file) is not load_model(file)
    assert load_model(file).name == "sc"


@pytest.mark.parametrize("name", list_models())
def test_a_shipped_model(name: str) -> None:
    model = load_model(name)
    assert model.name == name
    assert model.title
    assert model.source.text.startswith("// "), "a shipped model says what it is and where it comes from"
    if not name.startswith("thesis/"):
        assert all(constraint.sentence for constraint in model.constraints)


@pytest.mark.parametrize(
    ("name", "constraints"),
    [
        ("thesis/weak", ["fence", "coherence", "samevar_w", "causality"]),
        ("thesis/sc", ["fence", "coherence", "samevar_w", "causality"]),
        ("thesis/tso", ["fence", "coherence", "samevar_w", "causality"]),
        ("thesis/weak-a9", ["fence", "samevar_w", "causality"]),
        ("thesis/nofence", ["coherence", "samevar_w", "causality"]),
    ],
)
def test_the_models_of_the_thesis(name: str, constraints: list[str]) -> None:
    model = load_model(name)
    assert [constraint.name for constraint in model.constraints] == constraints
    loops = {"fence": ["fence.node0", "fence.node1"], "coherence": ["coherence.node0"]}
    properties = {"fence": "empty", "coherence": "empty", "samevar_w": "acyclic", "causality": "acyclic"}
    for constraint in model.constraints:
        check = constraint.condition
        assert isinstance(check, Check)
        assert [binder.name for binder in check.binders] == loops.get(constraint.name, [])
        assert check.property == properties[constraint.name]
    used = {part.op for definition in model.definitions for part in definition.term.subterms()}
    assert used.isdisjoint({Op.TAGGED, Op.DIFFERENCE, Op.LOC})


def test_models_by_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.mcm"
    file.write_text("po acyclic", encoding="utf-8")
    assert load_model(str(file)).name == "mine"
    other = tmp_path / "no suffix"
    other.write_text("po acyclic", encoding="utf-8")
    assert load_model(str(other)).name == "no suffix"


def test_a_shipped_model_comes_before_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tso").write_text("nonsense", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert load_model("tso").name == "tso"


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        ("tos", UsageError, "there is no memory model `tos`"),
        ("", UsageError, "there is no memory model ``"),
        ("thesis", UsageError, "there is no memory model `thesis`"),
        ("../mcm/tso", UsageError, "there is no memory model `../mcm/tso`"),
        ("x" * 10_000, UsageError, f"there is no memory model `{'x' * 57}...`"),
        ("nul\0", UsageError, "there is no memory model `nul\0`"),
        ("missing.mcm", UsageError, "there is no such file"),
        ("missing.cat", UsageError, "there is no such file"),
    ],
)
def test_unknown_models(name: str, error: type[Exception], message: str, tmp_path: Path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error) as caught:
        load_model(name)
    assert caught.value.message == message  # type: ignore[attr-defined]


def test_the_nearest_name_is_suggested() -> None:
    with pytest.raises(UsageError) as caught:
        load_model("thesis/tos")
    assert caught.value.hint is not None
    assert caught.value.hint.startswith("did you mean `thesis/tso`? the shipped models are any, arm, arm8, coherence, ")


@pytest.mark.parametrize(
    ("content", "error", "message"),
    [
        (b"", ModelError, "the model is empty"),
        (b"  \n// nothing\n", ModelError, "the model is empty"),
        (b"a = \0", UsageError, "this is a binary file, not a text"),
        (b"a = \xff", UsageError, "this is not UTF-8 text"),
        (b"a b " * 2_500_000, ModelError, "the model has more than 200,000 characters"),
    ],
    ids=["empty", "comment", "binary", "latin", "10MB"],
)
def test_files_that_are_no_models(content: bytes, error: type[Exception], message: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.mcm"
    file.write_bytes(content)
    with pytest.raises(error) as caught:
        load_model(str(file))
    assert caught.value.message == message  # type: ignore[attr-defined]
    assert caught.value.file == str(file)  # type: ignore[attr-defined]


def test_a_directory(tmp_path: Path) -> None:
    (tmp_path / "dir.mcm").mkdir()
    for name in (tmp_path, tmp_path / "dir.mcm"):
        with pytest.raises(UsageError, match="this is a directory, not a file"):
            load_model(str(name))


def test_cat_files(tmp_path: Path) -> None:
    """A .cat model is read for the architecture that is asked for."""
    file = tmp_path / "sc.cat"
    file.write_text("SC\nacyclic po | rf | co | fr as sc\n", encoding="utf-8")
    assert [constraint.name for constraint in load_model(str(file)).constraints] == ["sc"]
    file.write_text("empty [A] as none\n", encoding="utf-8")
    assert load_model(str(file), "AArch64").constraints != load_model(str(file), "C").constraints


def test_where_shipped_files_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "src" / "xgen"
    package.mkdir(parents=True)
    monkeypatch.setattr(resources, "_PACKAGE", package)
    assert resources.shipped("mcm") == tmp_path / "mcm"
    (package / "data" / "mcm").mkdir(parents=True)
    assert resources.shipped("mcm") == package / "data" / "mcm"


def test_the_examples_of_the_reference() -> None:
    reference = Path(__file__).parents[2] / "docs" / "mcm.md"
    examples = re.findall(r"```mcm\n(.*?)```", reference.read_text(encoding="utf-8"), re.DOTALL)
    assert len(examples) >= 3
    for example in examples:
        assert read_model(Source("docs/mcm.md", example)).constraints
