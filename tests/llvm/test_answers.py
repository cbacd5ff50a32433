"""What is said of programs in IR beside the verdict."""

from __future__ import annotations

from pathlib import Path

import pytest

import xgen

pytest.importorskip("llvmlite", reason="llvmlite reads IR: pip install 'xgen[cpp]'")
PROGRAMS = Path(__file__).parent / "programs"


@pytest.mark.parametrize("name", ["message", "ring", "spinlock"])
def test_an_assertion_that_holds_is_come_to(name: str) -> None:
    """Compilers put the test before it: what no execution comes to is that it fails."""
    result = xgen.check(xgen.load(PROGRAMS / f"{name}.ll"), xgen.model("rc11"), coverage=True)
    assert (result.verdict, result.warnings) == ("safe", ())
    assert result.coverage is not None
    assert not [line for line in result.coverage.never if "assert" in line.text]


@pytest.mark.parametrize(("machine", "model"), [("armv8", "arm8"), ("x86", "tso")])
def test_as_compiled_for_a_machine(machine: str, model: str) -> None:
    program = xgen.load(PROGRAMS / "stores.ll", map=machine)
    as_text = xgen.load(PROGRAMS / "stores.ll")
    mapped, plain = (xgen.check(p, xgen.model(model)) for p in (program, as_text))
    assert (program.target, mapped.warnings) == (machine, ())
    assert any(f"--map {machine} checks" in warning for warning in plain.warnings)
