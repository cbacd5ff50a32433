"""A file of a cargo project by itself: what rustc misses is told with the option that reads the project."""

from __future__ import annotations

from pathlib import Path

import pytest
from llvm.compiling import rusts

import xgen
from xgen.errors import XgenError

MANIFEST = '[package]\nname = "one"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\nother = "1"\n'
HINT = "reads it as a file of its cargo project, with the crates"


def complaint(file: Path) -> XgenError:
    with pytest.raises(XgenError) as error:
        xgen.load(file)
    return error.value


@rusts
@pytest.mark.parametrize(
    "text",
    [
        "fn main() { other::call(); }",
        "use other::call;\nfn main() { call(); }",
        "extern crate other;\nfn main() {}",
    ],
    ids=["by a path", "imported", "named"],
)
def test_a_missing_crate_of_a_project(tmp_path: Path, text: str) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "main.rs").write_text(text, "utf-8")
    alone = complaint(tmp_path / "src" / "main.rs")
    assert "other" in alone.message
    assert alone.hint is None
    (tmp_path / "Cargo.toml").write_text(MANIFEST, "utf-8")
    assert (complaint(tmp_path / "src" / "main.rs").hint or "").endswith(HINT)


@rusts
def test_another_error_is_told_without_the_option(tmp_path: Path) -> None:
    (tmp_path / "main.rs").write_text("fn main() { let one: u32 = true; }", "utf-8")
    (tmp_path / "Cargo.toml").write_text(MANIFEST, "utf-8")
    assert complaint(tmp_path / "main.rs").hint is None
