"""--timeout holds for all that a command does, and what it found is printed."""

from __future__ import annotations

import json
import re
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from views import samples

from cli.fake import Library, run, unlined
from xgen.cli.shared.pictures import write
from xgen.clock import Clock
from xgen.executions.result import Outcome
from xgen.memory import library as models
from xgen.memory.library import load_model
from xgen.views.answers.text import verdict_line
from xgen.views.drawing.svg import escape
from xgen.views.pages.html import result_to_html


def endless(*_: Any, **__: Any) -> None:
    """What does not end by itself."""
    while True:
        pass


@pytest.fixture(autouse=True)
def no_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time limits are not extended."""
    for module in ("xgen.clock", "xgen.cli.check", "xgen.cli.explain"):
        monkeypatch.setattr(f"{module}.GRACE", 0.05)
    models._shipped.cache_clear()  # a model is to be read, and not where it is kept
    monkeypatch.setattr("xgen.kept.kept", lambda *_: None)


# Python drops and tells what is raised while it throws an object away; the limit says so once more.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

READING = ["xgen.memory.mcm.parser.parse", "xgen.program.parser.parse_program"]
PREPARING = ["xgen.engine.problem.lower", "xgen.engine.graphs.run.make_plan", "xgen.analyses.check.check.result_of"]


@pytest.mark.parametrize("step", READING + PREPARING)
def test_a_check_that_has_no_time_to_explore(step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever step it is that takes the time."""
    monkeypatch.setattr(step, endless)
    outcome = run("check", "peterson", "--mcm", "tso", "--timeout", "0.1", "--format", "json")
    document = json.loads(outcome.stdout)
    assert outcome.exit_code == 3
    assert (document["program"], document["model"], document["verdict"]) == ("peterson.xcfa", "tso", "interrupted")
    assert (document["stopped"], document["executions"], document["exhaustive"]) == ("timeout", 0, False)
    outcome = run("check", "peterson", "--mcm", "tso", "--timeout", "0.1", "-q")
    assert outcome.stdout.startswith("interrupted by the time limit after ")


COMMANDS: list[tuple[str, list[str]]] = [
    ("xgen.program.parser.parse_program", ["show", "peterson"]),
    ("xgen.views.drawing.automaton.program_to_dot", ["show", "peterson"]),
    ("xgen.memory.mcm.parser.parse", ["models", "show", "tso"]),
    ("xgen.views.answers.model.render", ["models", "show", "tso"]),
    ("xgen.memory.statics.lint.remarks_of", ["models", "check", "tso"]),
    ("xgen.memory.mcm.parser.parse", ["compare", "sc", "tso"]),
    ("xgen.analyses.compare.distinguish.Programs", ["compare", "sc", "sc"]),
    ("xgen.memory.mcm.parser.parse", ["explain", "mp", "--mcm", "tso"]),
    ("xgen.analyses.explain.Evaluator", ["explain", "mp", "--mcm", "tso"]),
    ("xgen.frontends.cub.read_cub", ["prove", "flags", "--mcm", "tso"]),
    ("xgen.analyses.parameterised.prove_system.prove_system", ["prove", "flags", "--mcm", "tso"]),
    ("xgen.memory.mcm.parser.parse", ["litmus", "a.litmus", "--mcm", "a.mcm"]),
    ("xgen.memory.mcm.parser.parse", ["check", "peterson", "--mcm", "tso", "--estimate"]),
    ("xgen.engine.graphs.estimate._rate", ["check", "peterson", "--mcm", "tso", "--estimate"]),
]


@pytest.mark.parametrize(("step", "arguments"), COMMANDS)
def test_other_commands(step: str, arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.litmus").write_text("X86 a\n{ }\n P0 ;\n MOV [x],$1 ;\nexists (x=1)\n")
    Path("a.mcm").write_text("po acyclic\n")
    monkeypatch.setattr(step, endless)
    outcome = run(*arguments, "--timeout", "0.3")
    assert (outcome.exit_code, outcome.stdout, outcome.stderr) == (3, "", "out of time\n")


def test_pictures_that_take_too_long(library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was found is printed, and is the answer."""
    library.result = samples.violated()
    monkeypatch.setattr("xgen.views.drawing.svg.execution_to_svg", endless)
    outcome = run("check", "d/sb.xcfa", "--mcm", "sc", "--svg", str(tmp_path), "--timeout", "0.5")
    assert outcome.exit_code == 1
    assert outcome.stdout.startswith("violation: ")
    assert unlined(outcome.stderr) == "out of time: not all is drawn and explained\n"
    assert list(tmp_path.iterdir()) == []


def test_outcomes_until_the_time_is_over(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    """A document is complete even if its list is not."""
    outcomes = tuple(Outcome({"p:a": n}, 1) for n in range(5000))
    library.result = samples.result(outcomes=outcomes)
    document = json.loads(run("check", "a.xcfa", "--mcm", "sc", "--format", "json").stdout)
    assert (len(document["outcomes"]), document["outcomes_complete"]) == (5000, True)
    monkeypatch.setattr("xgen.cli.check.GRACE", 0.0)
    library.result = samples.result(outcomes=outcomes, verdict="interrupted", stopped="interrupt")
    document = json.loads(run("check", "a.xcfa", "--mcm", "sc", "--format", "json").stdout)
    assert (len(document["outcomes"]), document["outcomes_complete"]) == (1000, False)


def test_pictures_until_the_time_is_over(tmp_path: Path) -> None:
    """One is always drawn."""
    found = samples.result(traces=(samples.store_buffering(),) * 5, all_states=True)
    sentence = write(found, tmp_path, "svg", Clock(0.0), {})
    assert sentence == f"1 of 4 executions written to {tmp_path}, then the time was over (with a violation: 0001.svg)"
    assert [path.name for path in tmp_path.iterdir()] == ["0001.svg"]


@pytest.mark.parametrize(
    ("drawn", "said"), [(1, "; 1 of 9 executions shown"), (3, "; 3 of 9 executions shown"), (9, "")]
)
def test_a_page_until_the_time_is_over(drawn: int, said: str) -> None:
    found = samples.result(traces=(samples.store_buffering(),) * 9, executions=9)
    looks = count()
    page = result_to_html(found, load_model("sc"), lambda: drawn < 9 and next(looks) >= drawn - 1)
    assert page.count("xgen-drawing") > 0
    heading = verdict_line(found) + said
    assert f">{escape(heading)}<" in page
    data = json.loads(re.findall(r'id="data">([^<]+)<', page)[0])
    assert (data["count"], data["records"]) == (drawn, drawn if drawn == 9 else 1)
