"""`xgen litmus --liveness`: whether every thread of a test ends, in loops and at barriers."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result

import xgen
from tests.litmus.gpu.ptx_oracle import Instr, Test, _meets, draw
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
    ("P1 waits for ever at the barrier in line 5, to which P0 does not come",
     ptx(SKIPS, "0 0: ld.weak r1, x; bar.cta.sync 0", "1 0: st.relaxed.gpu y, 1"), "ptx"),
    ("", ptx(SKIPS, "0 0: ld.weak r1, x; bar.cta.arrive 0", "1 0: st.relaxed.gpu y, 1"), "ptx"),
    ("", ptx(SKIPS, "1 0: bar.cta.sync 0", "1 0: st.relaxed.gpu y, 1; bar.cta.sync 0"), "ptx"),
    ("P0 waits for ever at the barrier in line 4, to which 1 come of 2", ptx("0 0: bar.cta.sync 0, 1, 2"), "ptx"),
    ("", ptx("0 0: bar.cta.sync 0, 1, 2", "0 0: bar.cta.sync 0, 1, 2", "0 0: bar.cta.sync 0, 1, 2"), "ptx"),
    ("P0 waits for ever at the barrier in line 4, to which 2 come of 3",
     ptx("0 0: bar.cta.sync 0, 1, 3", "0 0: bar.cta.arrive 0, 1, 3"), "ptx"),
    ("", ptx(f"0 0: {SPINS}", "1 0: st.relaxed.gpu y, 1"), "ptx"),
    ("P0 waits for ever at line 4", ptx(f"0 0: {SPINS}", "1 0: st.relaxed.gpu y, 2"), "ptx"),
    ("P0 waits for ever at line 4", ptx(f"0 0: {SPINS}", "1 0: st.relaxed.gpu y, 1; st.relaxed.gpu y, 2"), "ptx"),
    ("", vulkan("0 0 0: st.atom.dv.sc0 y, 1; cbar.wg 0", "0 0 0: LC: ld.atom.dv.sc0 r0, y; bne r0, 1, LC; cbar.wg 0"),
     "vulkan"),
    # what is behind a barrier that is never passed does not race, nor what is ordered by one where enough have met
    ("P0 waits for ever at the barrier in line 4, to which 1 come of 2",
     vulkan("0 0 0: cbar.wg 0, 1, 2; st.sc0 x, 1", "0 1 0: st.sc0 x, 2"), "vulkan"),
    ("", vulkan("0 0 0: st.av.wg.sc0 x, 1; cbar.acq_rel.wg.semsc0.semav 0, 1, 2",
                "0 0 0: cbar.acq_rel.wg.semsc0.semvis 0, 1, 2; ld.vis.wg.sc0 r0, x"), "vulkan"),
    ("P1 waits for ever at the barrier in line 4, to which P0 does not come",
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


AT_BARRIERS = [
    # barriers in another order, twice, in one thread only, for what another thread writes behind one; who waits
    (ptx("0 0: bar.cta.sync 0; bar.cta.sync 1", "0 0: bar.cta.sync 1; bar.cta.sync 0"), ["P0 4 P1", "P1 4 P0"]),
    (ptx("0 0: bar.cta.sync 0; bar.cta.sync 0", "0 0: bar.cta.sync 0"), ["P0 5 P1"]),
    (ptx("0 0: bar.cta.sync 0; bar.cta.sync 0", "0 0: bar.cta.sync 0; bar.cta.arrive 0"), []),
    (ptx("0 0: LC: bar.cta.sync 0; bar.cta.sync 1; beq r0, 1, LC"), []),
    (ptx("0 0: bar.cta.sync 0", "0 0: bar.cta.sync 0", "0 0: beq r0, 0, LC; bar.cta.sync 0; LC:"),
     ["P0 4 P2", "P1 4 P2"]),
    (ptx("0 0: beq r0, 0, LA; bar.cta.sync 0; goto LB; LA: bar.cta.sync 0; LB:", "0 0: bar.cta.sync 0"), []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "who"), AT_BARRIERS, ids=range(len(AT_BARRIERS)))
def test_who_waits_at_barriers_without_numbers(text: str, who: list[str]) -> None:
    """Also by `xgen check --liveness`, which gives an execution of it."""
    told = [
        f"{p} waits for ever at the barrier in line {line}, to which {q} does not come"
        for p, line, q in map(str.split, who)
    ]
    assert list(ending(text, "ptx").waits) == told
    result = xgen.check(read(text).program, load_model("ptx"), liveness=True)
    assert result.verdict == ("violation" if who else "safe")
    if who:
        assert result.witness is not None
        reasons = {violation.message for violation in result.witness.violations}
        assert reasons == {f"waits for ever: {each.split()[2]} does not come to the barrier" for each in who}


def test_who_comes_to_a_barrier_because_of_what_is_written_behind_it() -> None:
    """It is never written, since the first thread waits for the second one."""
    result = ending(ptx("0 0: bar.cta.sync 0; st.relaxed.gpu y, 1", f"0 0: {SPINS}; bar.cta.sync 0"), "ptx")
    assert result.waits == (
        "P0 waits for ever at the barrier in line 4, to which P1 does not come",
        "P1 waits for ever at line 4",
    )
    assert (result.positive, result.negative) == (0, 1)


def test_with_numbers_it_is_refused() -> None:
    text = ptx("0 0: bar.cta.sync 0, 1, 2; st.relaxed.gpu y, 1", f"0 0: {SPINS}; bar.cta.sync 0, 1, 2")
    with pytest.raises(UnsupportedError, match="come to a barrier behind a branch"):
        ending(text, "ptx")
    first, second = "bar.cta.sync 0", "bar.cta.sync 1, 1, 2"
    with pytest.raises(UnsupportedError, match="come to barriers in several orders"):
        ending(ptx(f"0 0: {first}; {second}", f"0 0: {second}; {first}"), "ptx")


@pytest.mark.parametrize("command", ["check", "fences", "explain"])
def test_whether_threads_meet_a_quorum_is_not_told_by_executions(command: str, tmp_path: Path) -> None:
    """They go on there, which would look as if nobody waited. Where no number of threads is waited for, nobody does."""
    test = tmp_path / "quorum.litmus"
    test.write_text(ptx("0 0: bar.cta.sync 0, 1; bar.cta.sync 1, 1, 3", "0 0: bar.cta.sync 1, 1, 3"), encoding="utf-8")
    done = run(command, str(test), "--mcm", "ptx", "--liveness")
    assert done.exit_code == 2
    assert "quorum.litmus:4:" in done.output
    assert "whether a thread waits for ever at a barrier with a quorum is not told here" in done.output
    assert "xgen litmus --liveness" in done.output
    test.write_text(ptx("0 0: bar.cta.sync 0, 1", "0 0: bar.cta.sync 0, 1"), encoding="utf-8")
    assert run("check", str(test), "--mcm", "ptx", "--liveness").exit_code == 0


def with_barriers(test: Test, rng: Random) -> Test:
    """The test with barriers in between, of one block."""
    threads = []
    for _, body in test.threads:
        more = list(body)
        for _ in range(rng.randint(0, 2)):
            barrier = Instr("bar", rng.choice(("sync", "sync", "arrive")), instance=rng.randint(0, 1))
            more.insert(rng.randint(0, len(more)), barrier)
        threads.append(((0, 0), tuple(more)))
    return replace(test, threads=tuple(threads))


def test_threads_without_branches_against_steps() -> None:
    """All end where threads that go on one by one do, else some wait."""
    model, verdicts = load_model("ptx"), list[str]()
    for seed in range(90):
        drawn = with_barriers(draw(Random(seed)), Random(seed))
        result = run_litmus(asking_whether_all_end(read(drawn.text)), model)
        meets = _meets(drawn)
        assert (result.verdict, bool(result.waits)) == (("Ok", False) if meets else ("No", True)), drawn.text
        assert not (result.negative if meets else result.positive), drawn.text
        verdicts.append(str(result.verdict))
    assert verdicts.count("No") > 5


Quorums = list[list[tuple[str, int, int]]]
"""Of each thread its barriers: sync or arrive, the number, and for how many threads it waits."""


def all_pass(threads: Quorums) -> bool:
    """Whether nobody waits for ever: threads go on until none can."""
    at, moved = [0] * len(threads), True
    while moved:
        moved = False
        come = Counter(number for body, place in zip(threads, at, strict=True) for _, number, _ in body[: place + 1])
        for n, body in enumerate(threads):
            if at[n] < len(body):
                kind, number, quorum = body[at[n]]
                if kind == "arrive" or come[number] >= quorum:
                    at[n] += 1
                    moved = True
    return all(place == len(body) for body, place in zip(threads, at, strict=True))


def test_quorums_against_steps() -> None:
    """All end where threads that go on one by one do, else some wait."""
    verdicts = Counter[str | None]()
    for seed in range(40):
        rng = Random(seed)
        quorums = [rng.randint(1, 3) for _ in range(3)]
        threads = [
            [(rng.choice(("sync", "sync", "arrive")), n, quorums[n]) for n in sorted(rng.sample(range(3), 2))]
            for _ in range(rng.randint(2, 3))
        ]
        bodies = ["; ".join(f"bar.cta.{kind} {n}, {n}, {quorum}" for kind, n, quorum in body) for body in threads]
        result = ending(ptx(*(f"0 0: {body}" for body in bodies)), "ptx")
        assert result.verdict == ("Ok" if all_pass(threads) else "No"), bodies
        verdicts[result.verdict] += 1
    assert min(verdicts.values()) > 10


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
    assert result.waits == ("P1 waits for ever at the barrier in line 4, to which P0 does not come",)


def test_what_is_behind_a_barrier_that_is_never_passed_does_not_race() -> None:
    text = vulkan(
        "0 0 0: cbar.wg 0; st.sc0 x, 1", "0 0 0: ld.atom.dv.sc0 r0, y; beq r0, 0, LC; cbar.wg 0; LC: st.sc0 x, 2"
    )
    assert xgen.check(read(text).program, load_model("vulkan")).verdict == "vacuous"
    assert xgen.check(read(text.replace("beq", "bne")).program, load_model("vulkan")).verdict == "violation"


def test_an_execution_shows_the_barrier_alone() -> None:
    result = xgen.check(read(CASES[1][1]).program, load_model("ptx"), liveness=True)
    assert result.witness is not None
    labels = [event.label for event in result.witness.events if event.thread >= 0]
    assert sorted(labels) == [
        "R x = 0",
        "R y = 0 gpu relaxed",
        "W y = 1 gpu relaxed",
        "barrier",
    ]


@pytest.mark.parametrize(("wanted", "flags"), [(1, ()), (0, ("data_race",))])
def test_who_waits_raises_no_flag_where_a_filter_leaves_its_executions_out(wanted: int, flags: tuple[str, ...]) -> None:
    """What is read behind the barrier races where the flag is not seen."""
    text = vulkan(
        "0 0 0: st.av.dv.sc0 x, 1; st.atom.rel.dv.sc1.semsc0 y, 1",
        "0 1 0: ld.atom.acq.dv.sc1.semsc0 r0, y; cbar.acq_rel.wg.semsc0 0",
        "0 1 0: cbar.acq_rel.wg.semsc0 0; ld.vis.dv.sc0 r1, x",
        end=f"filter (1:r0={wanted})",
    )
    assert run_litmus(read(text), load_model("vulkan")).flags == flags


def test_exclusives_that_read_from_each_other() -> None:
    """Of the wrong scope, two that write what they have read may read from each other, under load buffering: who asks
    where their value comes from goes round once."""
    spins = "0 0: LC: ld.relaxed.cta r0, x; bne r0, 0, LC; atom.relaxed.cta.exch r1, x, 1; bne r1, 0, LC"
    text = ptx(spins, "1 0: atom.relaxed.cta.exch r1, x, 1")
    result = run_litmus(read(text), load_model("ptx"))
    assert result.positive + result.negative == 4
    assert ending(text, "ptx").waits == ("P0 waits for ever at line 4",)
