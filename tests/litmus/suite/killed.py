"""Tests that kill, in a module that processes can import."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from xgen.analyses.suite.litmus import LitmusResult
from xgen.analyses.suite.runner import Batch, Runner


class Killed(Runner):
    """Runs tests; those called SB take their process along, as often as there are letters in the file `kills`."""

    def __call__(self, batch: Batch) -> list[LitmusResult]:
        kills = Path(self._texts.get("kills", "kills"))
        if any("SB" in test.path for test in batch.tests) and (left := kills.read_text()):
            kills.write_text(left[1:])
            os.kill(os.getpid(), signal.SIGKILL)
        return super().__call__(batch)
