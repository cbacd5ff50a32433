"""Fences and orders with scopes that are proposed for kernels in HIP."""

from __future__ import annotations

import pytest

import xgen
from tests.hip.kernels import program
from tests.hip.test_threads import MESSAGE, kernel
from xgen.analyses.fences.fences import find_fences
from xgen.analyses.fences.scopes import joined_fences


def proposed(writes: str, reads: str, launch: str, orders: bool = False) -> list[list[str]]:
    """The placements, each with its fences or orders."""
    made = program(kernel(MESSAGE.replace("WRITES", writes).replace("READS", reads)), launch)
    answer = find_fences(made, xgen.model("hip"), orders=orders)
    return [sorted(piece.word for piece in each.pieces) for each in answer.placements]


@pytest.mark.parametrize(
    ("writes", "reads", "launch", "expected"),
    [
        ("0, 4", "2, 4", "k<<<2,1>>>()", [["release.agent"]]),
        ("3, 4", "0, 4", "k<<<2,1>>>()", [["acquire.agent"]]),
        ("0, 4", "0, 4", "k<<<2,1>>>()", [["acquire.agent", "release.agent"]]),
        ("0, 4", "2, 4", "k<<<1,2>>>()", [["release.workgroup"]]),
        ("3, 4", "2, 4", "k<<<2,1>>>()", [[]]),
    ],
)
def test_fences(writes: str, reads: str, launch: str, expected: list[list[str]]) -> None:
    assert proposed(writes, reads, launch) == expected


def test_orders() -> None:
    wider = [["acquire.agent", "release.agent"]]
    assert proposed("3, 3", "2, 3", "k<<<2,1>>>()", orders=True) == wider


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["release.workgroup", "release.agent"], ["release.agent"]),
        (["release.workgroup", "acquire.agent"], ["acquire.agent", "release.workgroup"]),
        (["release.agent", "acquire.agent"], ["acq_rel.agent"]),
        (["seq_cst.workgroup", "release.system"], ["release.system", "seq_cst.workgroup"]),
        (["seq_cst.agent", "release.workgroup"], ["seq_cst.agent"]),
    ],
)
def test_several_in_one_place(names: list[str], expected: list[str]) -> None:
    assert joined_fences(names) == expected
