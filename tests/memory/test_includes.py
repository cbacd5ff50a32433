"""Models of several files."""

from __future__ import annotations

from pathlib import Path

import pytest

from xgen.errors import ModelError
from xgen.memory.library import load_model

MAIN = 'model "main" "of several files"\ninclude "parts/common.mcm"\nhb = fenced | rf\nhb acyclic'


def files(folder: Path, **texts: str) -> str:
    """Writes files; underscores are slashes. Returns the path of main.mcm."""
    for name, text in texts.items():
        path = folder / f"{name.replace('_', '/')}.mcm"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return str(folder / "main.mcm")


def error_of(path: str) -> ModelError:
    with pytest.raises(ModelError) as caught:
        load_model(path)
    return caught.value


def test_an_included_file_stands_in_the_place(tmp_path: Path) -> None:
    common = 'model "other" "ignored" fenced = po(A -> F) f(x) = x ; x rec r = po | r fenced acyclic as from_common'
    model = load_model(files(tmp_path, main=MAIN, parts_common=common))
    assert (model.name, model.title) == ("main", "of several files")
    assert [definition.name for definition in model.definitions] == ["fenced", "r", "hb"]
    assert [constraint.name for constraint in model.constraints] == ["from_common", "hb"]


def test_files_are_named_from_where_the_include_stands(tmp_path: Path) -> None:
    path = files(tmp_path, main=MAIN, parts_common='include "base.mcm"', parts_base="fenced = po", base="fenced = rf")
    assert load_model(path).definitions[0].term.op.name == "PO"


def test_a_file_is_included_once(tmp_path: Path) -> None:
    main = 'include "a.mcm" include "b.mcm" include "a.mcm" x = a | b x acyclic'
    path = files(tmp_path, main=main, a='include "c.mcm" a = c', b='include "./c.mcm" b = c', c="c = po")
    assert [definition.name for definition in load_model(path).definitions] == ["c", "a", "b", "x"]


def test_shipped_models_can_be_included(tmp_path: Path) -> None:
    model = load_model(files(tmp_path, main='model "mine" include "coherence.mcm" more = po | rf more acyclic'))
    assert [constraint.name for constraint in model.constraints] == ["coherence", "more"]


def test_cycles(tmp_path: Path) -> None:
    path = files(tmp_path, main='\ninclude "a.mcm"', a='a = po include "b.mcm"', b='b = po\n  include "a.mcm"')
    error = error_of(path)
    assert error.message == "a cycle of includes: `a.mcm` includes `b.mcm` includes `a.mcm`"
    assert (error.file, error.line, error.column) == (str(tmp_path / "b.mcm"), 2, 3)
    assert error_of(files(tmp_path, main='include "main.mcm"')).message == (
        "a cycle of includes: `main.mcm` includes `main.mcm`"
    )


def test_files_that_are_not_there(tmp_path: Path) -> None:
    error = error_of(files(tmp_path, main='a = po\n include "parts/nothing.mcm"'))
    assert (error.message, error.line, error.column) == ("there is no file `parts/nothing.mcm`", 2, 2)
    assert error.hint == f"it is looked for in {tmp_path} and among the shipped models"


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "bad.mcm").write_bytes(b"a = \xff")
    (tmp_path / "folder.mcm").mkdir()
    path = files(tmp_path, main='include "bad.mcm"')
    assert error_of(path).message == "this cannot be included: this is not UTF-8 text"
    path = files(tmp_path, main='include "folder.mcm"')
    assert error_of(path).message == "there is no file `folder.mcm`"
    path = files(tmp_path, main='include "empty.mcm"', empty="// nothing")
    assert (error_of(path).message, error_of(path).file) == ("the model is empty", str(tmp_path / "empty.mcm"))


def test_errors_are_in_the_file_that_has_them(tmp_path: Path) -> None:
    path = files(tmp_path, main='include "a.mcm"\nb = a', a="\na = W ; po")
    error = error_of(path)
    assert (error.file, error.line, error.column) == (str(tmp_path / "a.mcm"), 2, 5)
    assert "    2 | a = W ; po" in str(error)
    path = files(tmp_path, main='include "a.mcm"\nb = f(W)', a="\nf(x) = x ; po")
    error = error_of(path)
    assert (error.file, error.line, error.column) == (str(tmp_path / "a.mcm"), 2, 8)
    path = files(tmp_path, main='b = a include "a.mcm"', a="a = po")
    assert error_of(path).hint == f"it is defined in {tmp_path / 'a.mcm'}; a definition can use only those before it"
    path = files(tmp_path, main='a = po include "a.mcm"', a="a = rf")
    assert (error_of(path).message, error_of(path).hint) == ("`a` is defined twice", "it is first defined on line 1")
