"""Each command and its function in Python say the same of each kind of program, or both refuse it in the same words."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import xgen
from xgen.analyses.explain import Explanation
from xgen.cli import main
from xgen.engine.graphs.estimate import Estimate
from xgen.frontends.language import language_of
from xgen.resources import shipped

SB = """X86 SB
{ }
 P0 | P1 ;
 MOV [x],$1 | MOV [y],$1 ;
 MOV EAX,[y] | MOV EAX,[x] ;
"""
BOTH = "0:EAX=0 /\\ 1:EAX=0"
C_TEST = """C SB
{ }
P0(atomic_int *x, atomic_int *y) { atomic_store(x, 1); int r0 = atomic_load_explicit(y, memory_order_relaxed); }
P1(atomic_int *x, atomic_int *y) { atomic_store(y, 1); int r0 = atomic_load_explicit(x, memory_order_relaxed); }
exists (0:r0=0 /\\ 1:r0=0)
"""
C = """#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
atomic_int x, y; int r, s;
void *left(void *a) { atomic_store_explicit(&x, 1, memory_order_relaxed);
  r = atomic_load_explicit(&y, memory_order_relaxed); return a; }
void *right(void *a) { atomic_store_explicit(&y, 1, memory_order_relaxed);
  s = atomic_load_explicit(&x, memory_order_relaxed); return a; }
int main() { pthread_t a, b; pthread_create(&a, 0, left, 0); pthread_create(&b, 0, right, 0);
  pthread_join(a, 0); pthread_join(b, 0); assert(r || s); }
"""
XCFA = """var x : int var y : int var r : int
process p { var a : int 1 -> x; a <- y; a + 1 -> r; }
process q { var b : int var c : int 1 -> y; b <- x; c <- r; assert c /= 1 or b = 1; }
"""
WAITS = """var x : int process p { var c : int init loc A loc B final loc E
  A -> B { c <- x ; assume c = 0 } A -> E { c <- x ; assume c /= 0 } B -> E { 1 -> x } }
"""

TEXTS = {
    "exists.litmus": f"{SB}exists ({BOTH})\n",
    "not-reached.litmus": f"{SB}exists (0:EAX=2)\n",
    "never.litmus": f"{SB}~exists ({BOTH})\n",
    "forall.litmus": f"{SB}forall (0:EAX=1 \\/ 1:EAX=1)\n",
    "forall-so.litmus": f"{SB}forall (0:EAX=1 \\/ 0:EAX=0)\n",
    "filter.litmus": f"{SB}filter (0:EAX=0)\nexists (1:EAX=0)\n",
    "filter-all.litmus": f"{SB}filter (0:EAX=0)\nforall (1:EAX=1)\n",
    "filter-none.litmus": f"{SB}filter (0:EAX=2)\n~exists (1:EAX=0)\n",
    "locations.litmus": f"{SB}locations [x; y;]\nexists ({BOTH})\n",
    "c.litmus": C_TEST,
    "sb.xcfa": XCFA,
    "waits.xcfa": WAITS,
    "program.c": C,
    "many.xcfa": (shipped("programs") / "any" / "spinlock.xcfa").read_text(),
    "system.cub": (shipped("programs") / "cub" / "arbiter.cub").read_text(),
    "system.dve": (shipped("programs") / "dve" / "peterson.dve").read_text(),
}
FORMULA = "G F true"

Function = Callable[[Path, str], Any]
DOORS: dict[str, tuple[Function, list[str]]] = {
    "check": (lambda path, model: xgen.check(xgen.load(path), xgen.model(model)), ["check"]),
    "all states": (
        lambda path, model: xgen.check(xgen.load(path), xgen.model(model), all_states=True),
        ["check", "--all-states"],
    ),
    "liveness": (
        lambda path, model: xgen.check(xgen.load(path), xgen.model(model), liveness=True),
        ["check", "--liveness"],
    ),
    "estimate": (lambda path, model: xgen.estimate(xgen.load(path), xgen.model(model)), ["check", "--estimate"]),
    "explain": (lambda path, model: xgen.explain(xgen.load(path), xgen.model(model)), ["explain"]),
    "fences": (lambda path, model: xgen.fences(xgen.load(path), xgen.model(model)), ["fences"]),
    "robust": (
        lambda path, model: xgen.fences(xgen.load(path), xgen.model(model), robust=xgen.model("sc")),
        ["fences", "--robust"],
    ),
    "unbounded": (
        lambda path, model: xgen.fences(xgen.load(path), xgen.model(model), unbounded=True),
        ["fences", "--unbounded"],
    ),
    "fences for a formula": (
        lambda path, model: xgen.fences(xgen.load(path), xgen.model(model), formula=FORMULA),
        ["fences", "--ltl", FORMULA],
    ),
    "prove": (lambda path, model: xgen.prove(xgen.load(path), xgen.model(model)), ["prove"]),
    "formula": (lambda path, model: xgen.ltl(path, FORMULA, model), ["ltl", FORMULA]),  # type: ignore[arg-type]
    "repairs": (
        lambda path, model: xgen.ltl_repairs(path, FORMULA, model).first,  # type: ignore[arg-type]
        ["ltl", FORMULA, "--repair"],
    ),
}


def said(found: Any) -> dict[str, Any]:
    """What a function says, in the words of the command's JSON document."""
    if isinstance(found, Explanation):
        return {"answer": found.answer, "question": found.question}
    if isinstance(found, Estimate):
        return {"executions": {"mean": found.executions.mean}}
    names = ("verdict", "executions", "states", "reason", "complete")
    known = {name: getattr(found, name) for name in names if hasattr(found, name)}
    if hasattr(found, "placements"):
        known |= {"placements": [{"cost": each.cost} for each in found.placements]}
        del known["executions"]
    return known


def is_in(part: Any, whole: Any) -> bool:
    """Whether what one says the other says as well."""
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(is_in(value, whole.get(name)) for name, value in part.items())
    if isinstance(part, list):
        return len(part) == len(whole) and all(is_in(one, other) for one, other in zip(part, whole, strict=True))
    return bool(part == whole)


def answer(ask: Callable[[], Any]) -> Any:
    """What is said, or the refusal."""
    try:
        return ask()
    except xgen.XgenError as error:
        return error


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("programs")
    for name, text in TEXTS.items():
        (path / name).write_text(text)
    return path


@pytest.mark.parametrize("model", ["sc", "tso"])
@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("name", TEXTS)
def test_a_function_and_its_command(folder: Path, name: str, door: str, model: str) -> None:
    function, (command, *options) = DOORS[door]
    path = folder / name
    result = CliRunner().invoke(main, [command, str(path), *options, "--mcm", model, "--format", "json"])
    assert result.exit_code in (0, 1, 2, 3), result.stderr
    found = answer(lambda: function(path, model))
    if isinstance(found, xgen.XgenError):
        if door == "prove" and name in ("many.xcfa", "system.cub"):
            assert result.exit_code == 0  # the command asks `prove_system`
            return
        assert result.exit_code == 2, result.stdout
        assert found.message in result.stderr
        return
    assert result.exit_code != 2, result.stderr
    document = json.loads(result.stdout)
    assert is_in(said(found), document), (said(found), document)


@pytest.mark.parametrize("model", ["sc", "tso"])
@pytest.mark.parametrize("name", TEXTS)
def test_any_number_of_processes(folder: Path, name: str, model: str) -> None:
    found = answer(lambda: xgen.prove_system(xgen.load_system(folder / name), model))
    if isinstance(found, xgen.XgenError):
        assert name not in ("many.xcfa", "system.cub")
        assert found.message == "this program names all its processes" or "has to end in" in found.message
        return
    result = CliRunner().invoke(main, ["prove", str(folder / name), "--mcm", model, "--format", "json"])
    assert json.loads(result.stdout)["verdict"] == found.verdict


@pytest.mark.parametrize("model", ["sc", "tso"])
@pytest.mark.parametrize("name", [name for name in TEXTS if name.endswith(".litmus")])
def test_litmus_tests(folder: Path, name: str, model: str) -> None:
    """What `litmus` says, what is explained, and what fences are put in for, is one question."""
    found = xgen.litmus(folder / name, model)[0]
    result = CliRunner().invoke(main, ["litmus", str(folder / name), "--mcm", model, "--format", "json"])
    shown = json.loads(result.stdout)["tests"][0]
    assert (found.verdict, [found.positive, found.negative]) == (shown["verdict"], shown["observation"][1:])
    program, memory = xgen.load(folder / name), xgen.model(model)
    wanted = found.negative if "forall" in name or "all" in name else found.positive
    assert (xgen.explain(program, memory).answer == "allowed") == (wanted > 0)
    assert (xgen.fences(program, memory).verdict == "safe") == (wanted == 0)
    assert len(list(xgen.executions(program, memory))) == xgen.check(program, memory, all_states=True).executions


def test_names_of_tests_that_come_with_it() -> None:
    for command in (["check"], ["explain"], ["fences"], ["prove"], ["ltl", FORMULA]):
        result = CliRunner().invoke(main, [command[0], "X86/SB.litmus", *command[1:], "--mcm", "tso"])
        assert result.exit_code in (0, 1), result.stderr


def test_all_public_names_are_listed() -> None:
    assert dir(xgen) == sorted(xgen.__all__)  # all that TAB shows
    assert all(getattr(xgen, name) is not None for name in xgen.__all__)


BEGINNINGS = {
    "xcfa": "var x: int\n",
    "litmus": "X86 SB\n{ x=0; }\n P0 ;\n MOV [x],$1 ;\nexists (x=1)\n",
    "c": "// X86 SB\n#include <stdatomic.h>\nint main(void) { return 0; }\n",
    "cpp": "#include <atomic>\nint main() {}\n",
    "rs": "use std::thread;\nfn main() {}\n",
    "ll": 'source_filename = "a.c"\ndefine i32 @main() {\n  ret i32 0\n}\n',
    "cu": "#include <cstdio>\n__global__ void k() {}\n",
    "ptx": "// made\n.version 8.0\n.target sm_70\n",
}


@pytest.mark.parametrize("language", BEGINNINGS)
def test_the_language_of_a_text(language: str) -> None:
    """By its name; or by what it says, where it has none."""
    assert language_of(BEGINNINGS[language], "<text>") == language
    assert language_of("", f"here/mp.{language}") == language
    if language == "litmus":
        assert xgen.parse(BEGINNINGS[language]).processes


def test_texts_in_the_language_of_their_name() -> None:
    program = xgen.parse("int main(void) { return 0; }\n", name="mp.c")
    assert xgen.check(program).model == "rc11"
