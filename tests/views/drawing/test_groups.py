"""Pictures of tests for GPUs: threads in their groups, barriers and fences by their names."""

from __future__ import annotations

import re

import pytest

import xgen
from tests.litmus.gpu.test_opencl import written as opencl
from tests.litmus.gpu.test_ptx import written as ptx
from tests.litmus.gpu.test_vulkan import written as vulkan
from tests.litmus.reading import read
from xgen.executions.execution import Execution
from xgen.memory.library import load_model
from xgen.views.drawing.dot import execution_to_dot
from xgen.views.drawing.groups import Group, grouped, placed_threads
from xgen.views.drawing.svg import execution_to_svg


def execution_of(text: str, model: str) -> Execution:
    """The only execution of a test that its condition does not allow."""
    result = xgen.check(read(text).program, load_model(model))
    assert result.witness is not None
    return result.witness


def nested(parts: tuple[int | Group, ...]) -> list[object]:
    return [part if isinstance(part, int) else (part.text, nested(part.parts)) for part in parts]


PTX = ptx(
    "0 0: st.weak x, 1; bar.cta.sync 0", "1 0: ld.weak r0, y", "0 0: bar.cta.sync 0; fence.sc.gpu",
    "0 1: fence.sc.sys", end="forall (x=2)",
)  # fmt: skip
"""Blocks 0 and 1 of GPU 0, and block 0 of GPU 1."""
CASES = [
    (PTX, "ptx", [("gpu 0", [("cta 0", [0, 2]), ("cta 1", [1])]), ("gpu 1, cta 0", [3])]),
    (ptx("0 0: st.weak x, 1", "0 0: st.weak y, 1", end="forall (x=2)"), "ptx", [("gpu 0, cta 0", [0, 1])]),
    (vulkan("0 0 0: st.sc0 x, 1", "0 1 0: st.sc0 y, 1", "1 0 0: st.sc0 z, 1", end="forall (x=2)"), "vulkan",
     [("qf 0", [("wg 0", [("sg 0", [0]), ("sg 1", [2])]), ("wg 1, sg 0", [1])])]),
    (opencl("0 0: atomic_store(x, 1);", "1 0: atomic_store(x, 1);", end="forall (x=2)"), "opencl",
     [("dev 0", [("wg 0", [0]), ("wg 1", [1])])]),
    ("X86 t\n{ x=0; }\n P0 | P1 ;\n MOV [x],$1 | MOV [x],$1 ;\nforall (x=2)", "tso", [0, 1]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "model", "expected"), CASES, ids=range(len(CASES)))
def test_groups(text: str, model: str, expected: list[object]) -> None:
    execution = execution_of(text, model)
    threads = placed_threads(execution, range(len(execution.threads)))
    assert nested(grouped(execution, threads)) == expected


def test_pictures() -> None:
    execution = execution_of(PTX, "ptx")
    dot, svg = execution_to_dot(execution), execution_to_svg(execution)
    labels = re.findall(r'subgraph "?cluster_([\w.]+)"? \{\s*graph \[.*?label=(?:<<b>)?"?([\w ,]+)', dot)
    assert labels == [
        ("gpu.g0", "gpu 0"), ("cta.g0.c0", "cta 0"), ("0", "P0"), ("2", "P2"), ("cta.g0.c1", "cta 1"), ("1", "P1"),
        ("cta.g1.c0", "gpu 1, cta 0"), ("3", "P3"),
    ]  # fmt: skip
    heads = re.findall(r'<text class="thread"[^>]*>([^<]*)<', svg)
    assert heads == ["P0, cta 0, gpu 0", "P2, cta 0, gpu 0", "P1, cta 1, gpu 0", "P3, cta 0, gpu 1"]
    for picture in (dot, svg):
        assert "$" not in picture
        assert len(re.findall("[<>]barrier<", picture)) == 2
        assert picture.count("seq_cst") + picture.count(">sc<") >= 2
