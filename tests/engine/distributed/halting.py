"""Runs that stop after a few slices, on machines of any speed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from xgen.engine.distributed import coordinator
from xgen.engine.distributed.coordinator import Why
from xgen.engine.distributed.long_run import _Journey


@contextmanager
def halting(slices: int = 2) -> Iterator[None]:
    """Long runs in the block stop as if their time were over, once that many slices of a millisecond are explored."""

    def halt(journey: _Journey) -> Why | None:
        running = journey._coordinator
        return "timeout" if running is not None and running.slices >= slices else None

    with patch.object(coordinator, "LONGEST", 0.04), patch.object(_Journey, "_halt", halt):
        yield
