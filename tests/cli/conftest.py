"""Fixtures of the command line's tests."""

from __future__ import annotations

import pytest

import xgen
from cli.fake import Library


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> Library:
    """The library that the commands see."""
    fake = Library()
    for name in ("load", "model", "check"):
        monkeypatch.setattr(xgen, name, getattr(fake, name), raising=False)
    monkeypatch.setattr("xgen.cli.check.next_command", lambda *_: None)  # which checks by itself
    return fake
