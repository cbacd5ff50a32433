"""What is said of programs in IR beside the verdict."""

from __future__ import annotations

from pathlib import Path

import pytest
from llvm.compiling import compiles

import xgen
from xgen.views.answers.fences import render

pytest.importorskip("llvmlite", reason="llvmlite reads IR: pip install 'xgen[cpp]'")
PROGRAMS = Path(__file__).parent / "programs"
SHIPPED = Path(__file__).parents[2] / "programs" / "cpp"


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


@compiles
def test_fences_are_told_by_lines_of_the_text() -> None:
    """What is written once is one place, however often it is inlined; its line is shown, not a statement of IR."""
    ring = xgen.fences(xgen.load(SHIPPED / "spsc_us.cpp"), xgen.model("rc11"))
    told = [line.strip() for line in render(ring, None).splitlines() if " before " in line]
    assert [line.partition(" before ")[0].split() for line in told] == [["1", "release"]]
    assert told[0].endswith("spsc.cpp:27 `tail_.store(next, RELEASE);` of producer")
    published = xgen.fences(xgen.load(SHIPPED / "publication_us.cpp"), xgen.model("rc11"), orders="only")
    assert "acquire at " in render(published, None)
    assert "published.load(ACQUIRE)" in render(published, None)


def test_fences_of_ir_without_its_text() -> None:
    answer = xgen.fences(xgen.load(PROGRAMS / "message_us.ll"), xgen.model("rc11"))
    assert "message_us.c:10 `1 -> flag @ relaxed` of writer" in render(answer, None)


def test_what_is_lent_was_written_in_the_loop(tmp_path: Path) -> None:
    """What main reads when it has joined the only thread that used it: told by its line, not by the thread's end."""
    text = (PROGRAMS / "joined.ll").read_text(encoding="utf-8")
    wrong = tmp_path / "joined.ll"
    wrong.write_text(text.replace("icmp eq i32 %5, 3,", "icmp eq i32 %5, 4,"), encoding="utf-8")
    result = xgen.check(xgen.load(wrong), xgen.model("rc11"))
    assert result.witness is not None
    written = [event for event in result.witness.events if event.kind == "W" and event.thread == 1]
    assert [event.position.line for event in written if event.position] == [10]
