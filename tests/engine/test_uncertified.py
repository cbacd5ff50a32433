"""A model that was proved to lose nothing and does is a mistake of xgen's own, and is told as one."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

import xgen
from xgen import _core
from xgen.engine.graphs.options import Options
from xgen.engine.graphs.run import Run
from xgen.engine.problem import problem
from xgen.errors import InternalError
from xgen.resources import shipped


def test_a_constraint_that_forbids_a_maximal_step() -> None:
    run = Run(problem(xgen.load(shipped("programs") / "mp.xcfa"), xgen.model("tso")), Options())
    run.core = SimpleNamespace(run=lambda *_: _core.Halt.UNCERTIFIED, culprit=1)  # type: ignore[assignment]
    with pytest.raises(InternalError, match=f"`{run.model.constraints[1].name}` of the model tso forbids a maximal"):
        run.finish()
