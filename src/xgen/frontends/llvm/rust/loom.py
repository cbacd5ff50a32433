"""The crate `loom` of a cargo project, in whose place xgen's own is compiled where `--cfg loom` is said."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from xgen.frontends.testing import asks_for_loom, cfgs_in
from xgen.resources import package_folder

LOOM = "frontends/llvm/rust/loom"


def is_loom(flags: Sequence[str]) -> bool:
    """Whether flags of rustc say `--cfg loom`, or what some crates have instead: `--cfg oneshot_loom`."""
    return any(map(asks_for_loom, cfgs_in(flags)))


def in_its_place(metadata: dict[str, Any], work: str) -> list[str]:
    """What cargo is told such that xgen's own is taken for each version of loom that a project needs."""
    words = list[str]()
    needed = [package for package in metadata["packages"] if package["name"] == "loom" and package["source"]]
    for package in needed:
        folder = Path(work, "crates", f"loom-{package['version']}")
        shutil.copytree(package_folder(LOOM), folder / "src", dirs_exist_ok=True)
        features = "".join(f"{json.dumps(name)} = []\n" for name in package["features"])
        head = f'[package]\nname = "loom"\nversion = "{package["version"]}"\nedition = "2021"\n[features]\n{features}'
        (folder / "Cargo.toml").write_text(f"{head}[workspace]\n", encoding="utf-8")
        key = f"patch.crates-io.loom-{package['version'].replace('.', '-')}"
        words += ["--config", f'{key}.package="loom"', "--config", f"{key}.path={json.dumps(str(folder))}"]
    return words


@contextmanager
def lock_kept(metadata: dict[str, Any]) -> Iterator[None]:
    """What cargo writes into the project's Cargo.lock while the block lasts, as it builds another loom, is undone."""
    file = Path(metadata["workspace_root"], "Cargo.lock")
    before = file.read_bytes() if file.exists() else None
    try:
        yield
    finally:
        if before is None:
            file.unlink(missing_ok=True)
        elif file.read_bytes() != before:
            other = file.with_suffix(f".{os.getpid()}")
            other.write_bytes(before)
            os.replace(other, file)
