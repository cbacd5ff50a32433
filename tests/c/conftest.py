"""`--both`: texts that the tests of C read are read through clang as well, and what is found of them is compared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from zlib import crc32

import pytest
from both.readers import Text, comparable, compare

import xgen


@pytest.fixture(autouse=True)
def both(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Compare the texts of a test behind it, of a part of all texts (`--both 3/20`) or of all (`--both 0/1`)."""
    asked = request.config.getoption("--both")
    if asked is None:
        yield
        return
    part, parts = map(int, asked.split("/"))
    texts: dict[str, Text] = {}
    parse = xgen.parse

    def recorded(text: str, language: str = "xcfa", name: str = "<text>", **options: Any) -> xgen.Program:
        program = parse(text, language, name, **options)
        read = Text(text, name, options)
        if language == "c" and crc32(text.encode()) % parts == part and comparable(read):
            texts.setdefault(f"{text}{sorted(options.items())}", read)
        return program

    monkeypatch.setattr(xgen, "parse", recorded)
    yield
    monkeypatch.setattr(xgen, "parse", parse)
    for read in texts.values():
        compare(request.node.nodeid, read)
