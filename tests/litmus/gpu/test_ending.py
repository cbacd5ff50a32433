"""`xgen litmus --liveness`: whether every thread of a test ends, in loops and at barriers."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result

from tests.litmus.gpu.ptx_oracle import _meets, draw
from tests.litmus.gpu.test_opencl import written as opencl
from tests.litmus.gpu.test_ptx import written as ptx
from tests.litmus.gpu.test_vulkan import written as vulkan
from tests.litmus.reading import read
from xgen.analyses.suite.litmus import LitmusResult, run_litmus
from xgen.analyses.suite.suite import asking_whether_all_end
from xgen.cli import main
from xgen.errors import UnsupportedError
from xgen.memory.library import load_model


def run(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


def ending(text: str, model: str) -> LitmusResult:
    return run_litmus(asking_whether_all_end(read(text)), load_model(model))


SKIPS = "0 0: ld.relaxed.gpu r0, y; beq r0, 0, LC; bar.cta.sync 0; LC:"
SPINS = "LC: ld.relaxed.gpu r0, y; bne r0, 1, LC"
CASES = [
    # who waits where, a test, its model
    ("", ptx("0 0: bar.cta.sync 0", "0 0: bar.cta.sync 0"), "ptx"),
    ("P1 waits at the barrier in line 5, to which P0 (line 6) does not come",
     ptx(SKIPS, "0 0: ld.weak r1, x; bar.cta.sync 0", "1 0: st.relaxed.gpu y, 1"), "ptx"),
    ("", ptx(SKIPS, "0 0: ld.weak r1, x; bar.cta.arrive 0", "1 0: st.relaxed.gpu y, 1"), "ptx"),
    ("", ptx(SKIPS, "1 0: bar.cta.sync 0", "1 0: st.relaxed.gpu y, 1; bar.cta.sync 0"), "ptx"),
    ("P0 waits at the barrier in line 4, to which 1 come of 2", ptx("0 0: bar.cta.sync 0, 1, 2"), "ptx"),
    ("", ptx("0 0: bar.cta.sync 0, 1, 2", "0 0: bar.cta.sync 0, 1, 2", "0 0: bar.cta.sync 0, 1, 2"), "ptx"),
    ("P0 waits at the barrier in line 4, to which 2 come of 3",
     ptx("0 0: bar.cta.sync 0, 1, 3", "0 0: bar.cta.arrive 0, 1, 3"), "ptx"),
    ("", ptx(f"0 0: {SPINS}", "1 0: st.relaxed.gpu y, 1"), "ptx"),
    ("P0 waits for ever at line 4", ptx(f"0 0: {SPINS}", "1 0: st.relaxed.gpu y, 2"), "ptx"),
    ("P0 waits for ever at line 4", ptx(f"0 0: {SPINS}", "1 0: st.relaxed.gpu y, 1; st.relaxed.gpu y, 2"), "ptx"),
    ("", vulkan("0 0 0: st.atom.dv.sc0 y, 1; cbar.wg 0", "0 0 0: LC: ld.atom.dv.sc0 r0, y; bne r0, 1, LC; cbar.wg 0"),
     "vulkan"),
    ("P1 waits at the barrier in line 4, to which P0 (line 3) does not come",
     opencl("0 0: int r0 = atomic_load(x); if (r0 == 1) { B: barrier(CLK_LOCAL_MEM_FENCE); }",
            "0 0: B: barrier(CLK_LOCAL_MEM_FENCE);"), "opencl"),
    ("", "X86 t\n{ x=0; }\n P0 | P1 ;\n LC: MOV EAX,[x] | MOV [x],$1 ;\n CMP EAX,$0 | ;\n JE LC | ;\n"
     "exists (x=1)", "tso"),
    ("P0 waits for ever at line 4",
     "X86 t\n{ x=0; }\n P0 | P1 ;\n LC: MOV EAX,[x] | MOV [x],$0 ;\n CMP EAX,$0 | ;\n JE LC | ;\n"
     "exists (x=1)", "tso"),
]  # fmt: skip


@pytest.mark.parametrize(("who", "text", "model"), CASES, ids=range(len(CASES)))
def test_who_waits(who: str, text: str, model: str) -> None:
    result = ending(text, model)
    assert result.waits == ((who,) if who else ())
    assert result.verdict == ("No" if who else "Ok")
    assert (result.negative > 0) is bool(who)
    assert result.condition == "every thread ends"


CROSSING = [
    ptx("0 0: bar.cta.sync 0; bar.cta.sync 1", "0 0: bar.cta.sync 1; bar.cta.sync 0"),
    ptx("0 0: bar.cta.sync 0; bar.cta.sync 0", "0 0: bar.cta.sync 0"),
    ptx("0 0: LC: bar.cta.sync 0; bar.cta.sync 1; beq r0, 1, LC"),
]


def test_who_comes_to_a_barrier_because_of_what_is_written_behind_it_is_refused() -> None:
    """It would never be written, since the first thread waits for the second one."""
    text = ptx("0 0: bar.cta.sync 0; st.relaxed.gpu y, 1", f"0 0: {SPINS}; bar.cta.sync 0")
    with pytest.raises(UnsupportedError, match="come to a barrier behind a branch"):
        ending(text, "ptx")


@pytest.mark.parametrize("text", CROSSING)
def test_barriers_in_several_orders_are_refused(text: str) -> None:
    with pytest.raises(UnsupportedError, match="come to barriers in several orders"):
        ending(text, "ptx")


def test_threads_without_branches_against_steps() -> None:
    """All end, or the test is refused: then threads that go on one by one may get stuck."""
    model, ended = load_model("ptx"), 0
    for seed in range(60):
        drawn = draw(Random(seed))
        try:
            result = run_litmus(asking_whether_all_end(read(drawn.text)), model)
        except UnsupportedError:
            continue
        assert _meets(drawn), drawn.text
        assert (result.verdict, result.waits) == ("Ok", ())
        ended += result.positive > 0
    assert ended > 30


def test_the_command(tmp_path: Path) -> None:
    (tmp_path / "waits.litmus").write_text(CASES[1][1], encoding="utf-8")
    (tmp_path / "ends.litmus").write_text(CASES[0][1], encoding="utf-8")
    done = run("litmus", str(tmp_path / "waits.litmus"), "--liveness")
    assert done.exit_code == 0
    assert done.stdout.startswith(f"Waits: {CASES[1][0]} (in 1 of 2 executions of ptx; herd: No, Sometimes)\n")
    ends = run("litmus", str(tmp_path / "ends.litmus"), "--liveness").stdout
    assert ends.startswith("Ends: every thread ends in every execution of ptx (1 of 1; herd: Ok, Always)\n")
    for more in ([], ["--processes", "2"], ["--checkpoint", str(tmp_path / "kept")]):
        done = run("litmus", str(tmp_path), "--liveness", "--format", "json", *more)
        tests = json.loads(done.stdout)["tests"]
        assert [(test["verdict"], test["waits"]) for test in tests] == [("Ok", []), ("No", [CASES[1][0]])]
    resumed = run("resume", str(tmp_path / "kept"), "--format", "json")
    assert [test["verdict"] for test in json.loads(resumed.stdout)["tests"]] == ["Ok", "No"]


def test_nobody_passes_a_barrier_to_which_another_comes_for_what_is_written_behind_it() -> None:
    """Vulkan's barriers need not order anything; still, the value would have to be there before it is written."""
    first = "0 0 0: cbar.wg 0; st.atom.dv.sc0 y, 1"
    second = "0 0 0: ld.atom.dv.sc0 r0, y; beq r0, 0, LC; cbar.wg 0; LC:"
    assert run_litmus(read(vulkan(first, second)), load_model("vulkan")).vacuous


def test_no_answer_says_who_waits() -> None:
    text = ptx("0 0: beq r0, 0, LC; bar.cta.sync 0; LC:", "0 0: bar.cta.sync 0")
    result = run_litmus(read(text), load_model("ptx"))
    assert result.vacuous
    assert result.waits == ("P1 waits at the barrier in line 4, to which P0 (line 5) does not come",)
