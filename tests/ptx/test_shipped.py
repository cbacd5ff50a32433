"""What programs/cuda says of itself, where there is a compiler of CUDA."""

from __future__ import annotations

import pytest

import xgen
from xgen.analyses.claims.run import check_file
from xgen.frontends.ptx.compiling.compilers import find_compiler
from xgen.resources import shipped

KERNELS = sorted((shipped("programs") / "cuda").glob("*.cu"))


@pytest.mark.parametrize("name", [path.stem for path in KERNELS])
def test_a_kernel(name: str) -> None:
    try:
        find_compiler()
    except xgen.UsageError:
        pytest.skip("there is no compiler of CUDA")
    found = check_file(str(shipped("programs") / "cuda" / f"{name}.cu"), xgen.load)
    assert found.errors == found.mistakes == ()
    assert len(found.checked) >= 2
    assert [(each.claim.said, each.found) for each in found.checked if not each.kept] == []


def test_there_are_some() -> None:
    assert len(KERNELS) >= 4
