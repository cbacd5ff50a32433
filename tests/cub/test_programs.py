"""Programs with `process p[*]`: verdicts, what is refused, and random ones against programs with as many processes."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from oracle.generators.any_programs import Maker, instances

import xgen
from xgen.analyses.parameterised.certificate import certificate_of, certify, read_certificate
from xgen.analyses.parameterised.prove_system import prove_system
from xgen.analyses.parameterised.solvers import load_solver
from xgen.errors import Source, XgenError
from xgen.frontends.cub import System, system_of
from xgen.program.printer import print_program

FOLDER = Path(__file__).parents[2] / "programs" / "any"
_LINE = re.compile(r"prove ((?:sc|tso)(?:, (?:sc|tso))*): (safe|violation|unknown)")
CLAIMS = [
    (path.stem, model, verdict)
    for path in sorted(FOLDER.glob("*.xcfa"))
    for models, verdict in _LINE.findall(path.read_text())
    for model in models.split(", ")
]


def system(text: str) -> System:
    return system_of(xgen.parse(text, "xcfa"))


def test_every_program_has_two_verdicts() -> None:
    assert len(CLAIMS) == 2 * len(list(FOLDER.glob("*.xcfa")))


@pytest.mark.parametrize(("name", "model", "verdict"), CLAIMS)
def test_verdict(name: str, model: str, verdict: str) -> None:
    proof = prove_system(xgen.load_system(FOLDER / f"{name}.xcfa"), model, max_cubes=300)
    assert proof.verdict == verdict
    assert proof.replayed == (verdict == "violation")
    if verdict == "safe":
        checked = certify(read_certificate(Source("c.json", certificate_of(proof))), load_solver("z3"))
        assert checked.verdict == "proved", checked.failed


@pytest.mark.parametrize("name", sorted({name for name, _, _ in CLAIMS}))
def test_printed_and_read_again(name: str) -> None:
    program = xgen.load(FOLDER / f"{name}.xcfa")
    assert xgen.parse(print_program(program), "xcfa") == program


@pytest.mark.sweep
@pytest.mark.parametrize("model", ["sc", "tso"])
@pytest.mark.parametrize("part", [0, 1, *(pytest.param(part, marks=pytest.mark.slow) for part in (2, 3))])
def test_random_programs(model: str, part: int) -> None:
    """One and two processes, as a system and as a program, and any number."""
    counts: Counter[str] = Counter()
    for seed in range(25 * part, 25 * part + 25):
        text = Maker(seed).text()
        found = system(text)
        for processes in (1, 2):
            proof = prove_system(found, model, processes=processes, max_cubes=1000)
            program = xgen.parse(instances(text, processes), "xcfa")
            known = xgen.prove(program, xgen.model(model), limit=20_000)
            assert proof.verdict == known.verdict, (seed, processes)
            counts[proof.verdict] += 1
        whole = prove_system(found, model, max_cubes=200)
        assert whole.verdict != "safe" or known.verdict == "safe", seed
    assert min(counts["safe"], counts["violation"]) >= 5


BODY = """process p[*](me) {{
  var n : int
  var w : int
  var b : bool
  init loc A
  error loc E
  A -> E {{ {} }}
}}
"""


def wrong(text: str) -> XgenError:
    with pytest.raises(XgenError) as caught:
        system(text)
    return caught.value


STATEMENTS = [
    ("b <- f[n]", "an index that is no process"),
    ("w := me; b <- f[w]", "the cell of another process"),
    ("w := me; w := w + 1", "a process' own number is computed with"),
    ("assume me = 0", "a process' own number is computed with"),
    ("assume me < w", "an order of processes"),
    ("n := n * 2", "`n * 2`, in a program"),
    ("n <- x; w <- x; n := n + w", "a sum or difference of two variables"),
    ("fetch_or(x, 1)", "`fetch_or(x, 1)`, in a program"),
    ("n <- wrap(fetch_add(x, 1), 8)", "an update that wraps"),
    ("atomic-begin; atomic-end", "`atomic-begin`, in a program"),
    ("start p", "`start p`, in a program"),
    ("havoc n in 0 .. 100", "`havoc` of more than 64 values"),
    ("havoc n in 0 .. w", "`havoc` between what is computed"),
]


@pytest.mark.parametrize(("statement", "message"), STATEMENTS)
def test_what_is_refused(statement: str, message: str) -> None:
    error = wrong(f"var x : int\nvar f : bool[*]\n{BODY.format(statement)}")
    assert error.message.startswith(message)
    assert error.line == 9


DECLARATIONS = [
    ("var a : int[2]\n", "an array of a fixed size", 1),
    ("var m : synthetic\n", "a mutex, in a program", 1),
    ("var x : int (-)\n", "an address or a variable without a first value", 1),
]


@pytest.mark.parametrize(("declaration", "message", "line"), DECLARATIONS)
def test_what_is_refused_of_variables(declaration: str, message: str, line: int) -> None:
    error = wrong(declaration + BODY.format("skip"))
    assert error.message.startswith(message)
    assert error.line == line


TEXTS = [
    ("var f : bool[*]\nprocess p { init loc A }", "`[*]` is for programs with any number of processes", 1),
    ("process p(me) { init loc A }", "only one of any number of processes has a number of its own", 1),
    ("process p[*] { procedure f() { init loc A } }", "any number of processes have no procedures", 1),
    ("process p[*] { init loc A }", "nothing in the program can go wrong", 1),
    ("var me : int\nprocess p[*](me) { init loc A }", "there is already a variable `me`", 2),
]


@pytest.mark.parametrize(("text", "message", "line"), TEXTS)
def test_what_makes_no_sense(text: str, message: str, line: int) -> None:
    error = wrong(text)
    assert error.message.startswith(message)
    assert (error.line or 1) == line


def test_other_commands_say_what_to_do() -> None:
    program = xgen.load(FOLDER / "spinlock.xcfa")
    with pytest.raises(XgenError, match="stands for any number of processes") as caught:
        xgen.check(program, xgen.model("tso"))
    assert caught.value.line == 10
    assert "xgen prove" in (caught.value.hint or "")
