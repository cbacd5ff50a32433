"""`xgen ltl`: what it prints, and its exit codes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from states.test_blocks import DOUBT

from cli.fake import run
from xgen import _core
from xgen.clock import OutOfTime

EXCLUSION = "G !(P_0@CS & P_1@CS)"


def test_holds() -> None:
    outcome = run("ltl", "dve/peterson", EXCLUSION, "--mcm", "sc")
    assert outcome.exit_code == 0
    assert outcome.stdout.startswith(
        f"holds: {EXCLUSION} (sc, fair)\n  20 states, 20 pairs with the formula's automaton"
    )


def test_holds_within_a_bound() -> None:
    outcome = run("ltl", "dve/peterson", "G (P_0@wait -> F P_0@CS)", "--mcm", "tso", "--buffer", "2")
    assert outcome.exit_code == 0
    lines = outcome.stdout.splitlines()
    assert lines[0].startswith("holds within the bound: G (P_0@wait -> F P_0@CS) (tso, at most 2 delayed stores per")
    assert (
        lines[1]
        == "  Some process had to wait for room in its buffer: with more room (--buffer) there may be more runs."
    )


def test_workers_find_the_same() -> None:
    asked = ("ltl", "dve/peterson", EXCLUSION, "--mcm", "tso", "--buffer", "1")
    one, two = run(*asked), run(*asked, "--workers", "2")
    first, second = (re.sub(r"\d\.\d+ s", "so long", outcome.stdout) for outcome in (one, two))
    assert (two.exit_code, second) == (one.exit_code, first)
    assert one.exit_code == 1
    assert run(*asked, "--workers", "0").exit_code == 2


RUN = """
  P_0  NCS -> q1 { effect flag[0] = 1; }   (delayed: flag[0] = 1)
  P_1  NCS -> q1 { effect flag[1] = 1; }   (delayed: flag[1] = 1)
  P_0  flag[0] = 1 reaches memory
  P_0  q1 -> wait { effect turn = 1; }   (delayed: turn = 1)
  P_0  wait -> CS { guard flag[1] == 0; }
  P_1  flag[1] = 1 reaches memory
  P_1  q1 -> wait { effect turn = 0; }   (delayed: turn = 0)
  P_1  turn = 0 reaches memory
  P_0  turn = 1 reaches memory
  P_1  wait -> CS { guard turn == 1; }
and then in any way: it is too late.
"""


def test_fails_after_a_while() -> None:
    outcome = run("ltl", "dve/peterson", EXCLUSION, "--mcm", "tso", "--buffer", "1")
    assert outcome.exit_code == 1
    assert outcome.stdout.startswith(f"fails: {EXCLUSION} (tso, at most 1 delayed store per process, fair)\n")
    assert outcome.stdout.endswith(RUN)


def test_fails_for_ever() -> None:
    outcome = run("ltl", "dve/lamport", "G (P_1@wait -> F P_1@CS)", "--mcm", "sc")
    assert outcome.exit_code == 1
    before, _, after = outcome.stdout.partition("and then for ever:\n")
    assert "  P_1  p1 -> wait { effect x = 1; }   [x = 1]\n" in before
    assert "P_1  p6 -> p7 { guard j > 2; effect j = 0; }" in after
    assert "CS -> e1" in after


def test_a_program() -> None:
    outcome = run("ltl", "peterson", "F ended(all)", "--mcm", "sc")
    assert outcome.exit_code == 0
    assert outcome.stdout.startswith("holds: F ended(all) (sc, fair)")
    outcome = run("ltl", "peterson", "F ended(all)", "--mcm", "tso")
    assert outcome.exit_code == 1
    assert outcome.stdout.startswith("goes wrong: an assertion of ")


def test_json() -> None:
    outcome = run("ltl", "dve/peterson", EXCLUSION, "--mcm", "tso", "--buffer", "1", "--format", "json")
    document = json.loads(outcome.stdout)
    keys = "xgen program model formula memory buffer fair verdict complete reason states product transitions automaton"
    assert list(document) == [*keys.split(), "prefix", "cycle", "seconds"]
    assert (document["verdict"], document["memory"], document["buffer"], document["cycle"]) == ("fails", "tso", 1, [])
    first, second = document["prefix"][:2]
    assert (first["thread"], first["action"], first["memory"]) == (None, None, {"flag": [0, 0], "turn": 0})
    assert (second["thread"], second["line"]) == ("P_0", 10)
    assert second["buffers"] == {"P_0": [{"variable": "flag[0]", "value": 1}], "P_1": []}
    assert document["prefix"][-1]["places"] == {"P_0": "CS", "P_1": "CS"}
    document = json.loads(run("ltl", "dve/lamport", "F P_1@CS", "--mcm", "sc", "--unfair", "--format", "json").stdout)
    assert (document["verdict"], document["fair"]) == ("fails", False)
    assert document["cycle"][-1]["places"] == document["prefix"][-1]["places"]


REPAIRED = """\
repaired: G !(P_0@CS & P_1@CS) (tso, at most 2 delayed stores per process, fair)
  1 minimal set of atomic writes
  6 writes, 12 runs, 854 states

1. 2 writes
  P_0  line 11: q1 -> wait { effect turn = 1; }
  P_1  line 22: q1 -> wait { effect turn = 0; }
"""


def test_repairs() -> None:
    arguments = ("ltl", "dve/peterson", EXCLUSION, "--mcm", "tso", "--buffer", "2", "--repair")
    outcome = run(*arguments)
    assert outcome.exit_code == 0
    assert outcome.stdout == REPAIRED
    document = json.loads(run(*arguments, "--format", "json").stdout)
    assert document["verdict"] == "fails"
    repairs = document["repairs"]
    keys = "verdict bounded complete reason writes sets cuts runs states left"
    assert list(repairs) == keys.split()
    assert (repairs["verdict"], repairs["complete"], repairs["left"]) == ("repaired", True, None)
    assert [[(w["thread"], w["line"]) for w in chosen] for chosen in repairs["sets"]] == [[("P_0", 11), ("P_1", 22)]]


def test_choices_of_repairs() -> None:
    outcome = run("ltl", "dve/lamport", "G !(P_1@CS & P_2@CS)", "--mcm", "pso", "--buffer", "1", "--repair")
    assert outcome.exit_code == 0
    assert outcome.stdout.startswith("repaired within the bound: ")
    assert "  4 minimal sets of atomic writes\n" in outcome.stdout
    assert outcome.stdout.count("One of these at least:") == 2


def test_no_repair() -> None:
    outcome = run("ltl", "dve/lamport", "G (P_1@wait -> F P_1@CS)", "--mcm", "tso", "--buffer", "1", "--repair")
    assert outcome.exit_code == 1
    first, second, third = outcome.stdout.splitlines()[:3]
    assert first.startswith("not repairable: G (P_1@wait -> F P_1@CS) (tso")
    assert second.endswith("; this goes wrong with all writes atomic:")
    assert third.startswith("fails: ")
    assert "and then for ever:" in outcome.stdout


SLOW_TO_MEND = """
byte x, y;
process P { byte k; state a, b, c; init a;
  trans a -> b { effect x = 1; }, b -> c { guard y == 0; }, b -> b { guard y == 1 && k < 200; effect k = k + 1; }; }
process Q { state a, b, c; init a; trans a -> b { effect y = 1; }, b -> c { guard x == 0; }; }
system async;
"""


def test_repairs_that_are_not_needed_or_not_found(tmp_path: Path) -> None:
    outcome = run("ltl", "dve/peterson", EXCLUSION, "--mcm", "sc", "--repair")
    assert (outcome.exit_code, outcome.stdout[:6]) == (0, "holds:")
    file = tmp_path / "slow.dve"
    file.write_text(SLOW_TO_MEND)
    outcome = run("ltl", str(file), "G !(P@c & Q@c)", "--mcm", "tso", "--limit", "100", "--repair")
    assert outcome.exit_code == 3
    assert outcome.stdout.startswith("fails: ")
    assert outcome.stdout.endswith("no repair found: there are more than 100 states\n")


def test_pictures(tmp_path: Path) -> None:
    svg, page = tmp_path / "run.svg", tmp_path / "run.html"
    files = ("--svg", str(svg), "--html", str(page))
    outcome = run("ltl", "dve/peterson", EXCLUSION, "--mcm", "tso", *files)
    assert outcome.exit_code == 1
    assert svg.read_text().startswith("<svg")
    assert page.read_text().startswith("<!DOCTYPE html>")
    outcome = run("ltl", "dve/peterson", EXCLUSION, "--mcm", "sc", *files)
    assert outcome.stderr == "there is no run to draw\n" * 2
    assert not svg.exists()
    assert not page.exists()
    outcome = run("ltl", "dve/peterson", EXCLUSION, "--mcm", "sc", "--svg", str(tmp_path / "no" / "run.svg"))
    assert outcome.exit_code == 2
    assert "this cannot be written" in outcome.stderr


def test_no_answer() -> None:
    outcome = run("ltl", "dve/anderson", "G true", "--mcm", "tso", "--limit", "1000")
    assert outcome.exit_code == 3
    assert outcome.stdout.startswith("no answer: there are more than 1,000 states (tso")
    outcome = run("ltl", "dve/anderson", "G true", "--mcm", "tso", "--timeout", "0.01", "--format", "json")
    assert outcome.exit_code == 3
    assert json.loads(outcome.stdout)["reason"] == "the time is over"


class Search:
    """Stands for _core.Emptiness, and is interrupted after so many states."""

    limit = 50
    real_class = _core.Emptiness

    def __init__(self, *arguments: Any) -> None:
        self.real = self.real_class(*arguments)

    def run(self, seconds: float, limit: int) -> None:  # noqa: ARG002
        self.real.run(100.0, self.limit)
        raise KeyboardInterrupt

    @property
    def end(self) -> _core.EmptinessEnd:
        """A search that was interrupted has come to no end, but for what it has found."""
        found = self.real.end
        return _core.EmptinessEnd.BUDGET if found is _core.EmptinessEnd.STATES else found

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c(workers: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was explored by then is said."""
    monkeypatch.setattr(_core, "Emptiness", Search)
    asked = ("ltl", "dve/lamport", "G true", "--mcm", "tso", "--workers", workers)
    outcome = run(*asked, "--format", "json")
    assert (outcome.exit_code, outcome.stderr) == (3, "")
    document = json.loads(outcome.stdout)
    assert (document["verdict"], document["reason"]) == ("interrupted", "it was interrupted")
    assert document["states"] > 50
    outcome = run(*asked)
    assert (outcome.exit_code, outcome.stderr) == (3, "")
    assert outcome.stdout.startswith("no answer: it was interrupted (tso, ")


@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_once_a_run_is_found(workers: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C and the time limit are heard when the core has found the run that it shows: that is the answer."""
    asked = ("ltl", "dve/lamport", "G (P_1@wait -> F P_1@CS)", "--mcm", "tso", "--workers", workers, "--format", "json")
    whole = json.loads(run(*asked).stdout)
    monkeypatch.setattr(_core, "Emptiness", Search)
    monkeypatch.setattr(Search, "limit", 10**9)
    for error in (KeyboardInterrupt, OutOfTime):
        monkeypatch.setattr(Search, "run", _raising(error))
        outcome = run(*asked)
        assert (outcome.exit_code, outcome.stderr) == (1, "")
        assert json.loads(outcome.stdout) | {"seconds": 0} == whole | {"seconds": 0}


def test_ctrl_c_ends_the_search_for_repairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the question has come to that it was heard in."""
    monkeypatch.setattr(_core, "Emptiness", Search)
    monkeypatch.setattr(Search, "limit", 10**9)
    asked = ("ltl", "dve/lamport", "G !(P_1@CS & P_2@CS)", "--mcm", "tso", "--buffer", "2", "--repair")
    outcome = run(*asked)
    assert (outcome.exit_code, outcome.stderr) == (3, "")
    assert outcome.stdout.startswith("fails: ")
    assert outcome.stdout.endswith("no repair found: it was interrupted\n")


def test_ctrl_c_in_an_answer_that_is_doubtful(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not asked again without what is doubtful."""
    (tmp_path / "p.xcfa").write_text(DOUBT)
    monkeypatch.setattr(_core, "Emptiness", Search)
    monkeypatch.setattr(Search, "limit", 10**9)
    seen = "ended(all) & p:a = 1 & p:b = 0 & q:c = 0"
    outcome = run("ltl", str(tmp_path / "p.xcfa"), f"G !({seen})", "--mcm", "tso", "--format", "json")
    document = json.loads(outcome.stdout)
    assert (outcome.exit_code, document["verdict"], document["prefix"]) == (3, "interrupted", [])
    assert document["reason"] == "it was interrupted"


def _raising(error: type[BaseException]) -> Callable[[Search, float, int], None]:
    def run(self: Search, seconds: float, limit: int) -> None:
        self.real.run(seconds + 100, limit)
        raise error

    return run


@pytest.mark.parametrize("step", ["xgen.frontends.dve.read_dve", "xgen.engine.explicit.states._Native"])
@pytest.mark.parametrize("form", ["text", "json"])
def test_ctrl_c_before_the_search(step: str, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(step, interrupted)
    outcome = run("ltl", "dve/lamport", "G true", "--mcm", "tso", "--format", form)
    assert (outcome.exit_code, outcome.stdout, outcome.stderr) == (3, "", "interrupted\n")


def test_a_picture_that_takes_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was found is printed, and is the answer; what was drawn before stays."""

    def late(*_: Any) -> None:
        raise OutOfTime

    (tmp_path / "run.svg").write_text("before")
    monkeypatch.setattr("xgen.views.drawing.runs.run_to_svg", late)
    outcome = run("ltl", "dve/lamport", "G !(P_1@CS & P_2@CS)", "--mcm", "tso", "--svg", str(tmp_path / "run.svg"))
    assert outcome.exit_code == 1
    assert outcome.stdout.startswith("fails: ")
    assert outcome.stderr == "out of time: the run is not drawn\n"
    assert (tmp_path / "run.svg").read_text() == "before"


WRONG = [
    (("dve/petersen", "G true", "--mcm", "sc"), "did you mean `dve/peterson`?"),
    (("dve/peterson", "G true", "--mcm", "rc11"), "`rc11` is none of sc, tso, pso"),
    (("dve/peterson", "G true", "--mcm", "sc", "--buffer", "cam"), "--buffer cam is a kind of tso."),
    (("dve/peterson", "G true", "--mcm", "tso", "--buffer", "0"), "'0' is neither `cam` nor a number from 1 to 64."),
    (("dve/peterson", "G P_0@C", "--mcm", "sc"), "the formula:1:7: error: process `P_0` has no place `C`"),
    (("dve/peterson", "G true"), "Missing option '--mcm': the memory model, one of sc, tso and pso."),
    (("no.dve", "G true", "--mcm", "sc"), "there is no such file"),
    (("c/mcs.c", "G true", "--mcm", "sc"), "there is no such file"),
]


@pytest.mark.parametrize(("arguments", "message"), WRONG, ids=[" ".join(arguments) for arguments, _ in WRONG])
def test_wrong_input(arguments: tuple[str, ...], message: str) -> None:
    outcome = run("ltl", *arguments)
    assert outcome.exit_code == 2
    assert message in outcome.stderr
    assert "Traceback" not in outcome.stderr
