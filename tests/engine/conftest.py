"""What the tests of the engine share: what a thread does by itself is an event, as for the oracle."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from xgen.analyses.check.question import Question


@pytest.fixture(autouse=True, scope="module")
def own_cells_are_events(request: pytest.FixtureRequest) -> Iterator[None]:
    """But in test_private_cells.py, which is about cells that become locals, and compares both."""
    with pytest.MonkeyPatch.context() as patch:
        if request.module.__name__.rpartition(".")[2] != "test_private_cells":
            patch.setattr(Question, "private", False)
        yield
