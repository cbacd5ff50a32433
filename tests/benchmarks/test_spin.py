"""Systems in Promela: SPIN counts the same states."""

from __future__ import annotations

import shutil

import pytest
from mutexes import lamport, peterson, peterson_n
from spin import spin, to_promela

from xgen.analyses.ltl import check_formula
from xgen.errors import Source
from xgen.frontends.dve import System, read_dve


def read(text: str) -> System:
    return read_dve(Source("system.dve", text))


def test_what_is_written() -> None:
    text = to_promela(read(peterson()))
    assert text.startswith("byte flag[2];\nbyte turn;\nactive proctype P0() {\n  goto L0;\nL0:\n  if\n")
    assert "  :: atomic { true -> flag[0] = 1; goto L1 }\n" in text
    assert "  :: atomic { (flag[1] == 0) -> goto L3 }\n  :: atomic { (turn == 0) -> goto L3 }\n" in text


@pytest.mark.parametrize(
    "text", ["byte x; process P { state a; init a; assert a: x == 0; } system async;"], ids=["assertions"]
)
def test_what_is_left_out(text: str) -> None:
    with pytest.raises(ValueError, match="left out"):
        to_promela(read(text))


@pytest.mark.skipif(shutil.which("spin") is None, reason="SPIN is not on PATH")
@pytest.mark.parametrize("text", [peterson(), peterson_n(2), peterson_n(3), lamport(3)])
def test_states(text: str) -> None:
    system = read(text)
    assert spin(to_promela(system))[0] == check_formula(system, "G true", "sc").states
