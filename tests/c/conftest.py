"""`--both`: texts that the tests of C read are read through clang as well, and what is found of them is compared."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from both.readers import Text, comparable, compare
from both.table import Unused

import xgen

HERE = Path(__file__).parent


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """`--both 3/20`: of the tests that are here, a part by their names."""
    part, parts = map(int, (config.getoption("--both") or "0/1").split("/"))
    left_out = [item for item in items if HERE in item.path.parents and crc32(item.nodeid.encode()) % parts != part]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in set(left_out)]


@pytest.fixture(autouse=True)
def both(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Compare the texts of a test behind it; all tests with `--long`."""
    config = request.config
    if config.getoption("--both") is None and not config.getoption("--long"):
        yield
        return
    texts: dict[str, Text] = {}
    parse = xgen.parse

    def recorded(text: str, language: str = "xcfa", name: str = "<text>", **options: Any) -> xgen.Program:
        program = parse(text, language, name, **options)
        read = Text(text, name, options)
        if language == "c" and comparable(read):
            texts.setdefault(f"{text}{sorted(options.items())}", read)
        return program

    monkeypatch.setattr(xgen, "parse", recorded)
    yield
    monkeypatch.setattr(xgen, "parse", parse)
    needed = {compare(request.node.nodeid, read) for read in texts.values()} - {None}
    unused: Unused | None = config.pluginmanager.get_plugin("unused")
    if unused is not None:
        unused.ran.add(request.node.nodeid)
        unused.needed |= needed
