"""Values that justify themselves are not built: where the model may allow one, the answer says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli.fake import run

import xgen
from xgen.analyses.suite.litmus import run_litmus
from xgen.errors import Source
from xgen.frontends.litmus import read_litmus
from xgen.views.answers.litmus import sentence

READ = "int r = atomic_load_explicit({}, memory_order_relaxed);"
STORE = "atomic_store_explicit({}, {}, memory_order_relaxed);"


def c11(*threads: str, ends: str = "exists (0:r=1)") -> str:
    bodies = [f"P{n}(atomic_int *x, atomic_int *y, atomic_int *z) {{ {body} }}" for n, body in enumerate(threads)]
    return "\n".join(["C test", "{ x=0; y=0; z=0; }", *bodies, ends, ""])


def copies(source: str, target: str) -> str:
    return READ.format(source) + STORE.format(target, "r")


CYCLES = {
    "data": c11(copies("x", "y"), copies("y", "x")),
    "ctrl": c11(*(READ.format(a) + f"if (r) {{ {STORE.format(b, 1)} }}" for a, b in ("xy", "yx"))),
    "both": c11(copies("x", "y"), READ.format("y") + f"if (r) {{ {STORE.format('x', 1)} }}"),
    "three": c11(copies("x", "y"), copies("y", "z"), copies("z", "x")),
    "computed": c11(READ.format("x") + "int s = r * 2 + 1;" + STORE.format("y", "s"), copies("y", "x")),
    "update": c11(READ.format("x") + "atomic_fetch_add_explicit(y, r, memory_order_relaxed);", copies("y", "x")),
}
NONE = {
    "half": c11(copies("x", "y"), READ.format("y") + STORE.format("x", 1)),
    "same": c11(copies("x", "x"), copies("x", "x")),  # (coherence forbids it)
    "one": c11(copies("x", "y") + READ.format("y").replace("int r", "int s") + STORE.format("x", "s")),
    "lines": c11(copies("x", "y"), copies("y", "z")),
    "before": c11(STORE.format("y", 1) + READ.format("x"), STORE.format("x", 1) + READ.format("y")),
}


def thin_air(text: str, model: str) -> bool:
    return run_litmus(read_litmus(Source("test.litmus", text)), xgen.model(model)).thin_air


@pytest.mark.parametrize("name", CYCLES)
def test_what_may_justify_itself(name: str) -> None:
    assert thin_air(CYCLES[name].replace("=1)", "=42)"), "coherence")
    for model in ("weak", "rc11", "arm8", "arm", "power", "riscv"):  # which order dependencies, or po
        assert not thin_air(CYCLES[name].replace("=1)", "=42)"), model), model


@pytest.mark.parametrize("name", NONE)
def test_what_may_not(name: str) -> None:
    assert not thin_air(NONE[name].replace("=1)", "=42)"), "coherence")


KERNEL = """C kernel
{ x=0; y=0; }
P0(int *x, int *y) { int r = READ(*x); WRITE(*y, r); }
P1(int *x, int *y) { int r = READ(*y); WRITE(*x, r); }
exists (0:r=1)
"""


def test_dependencies_that_a_model_orders_between_marked_accesses_only() -> None:
    marked = KERNEL.replace("READ", "READ_ONCE").replace("WRITE", "WRITE_ONCE")
    plain = KERNEL.replace("READ(*x)", "READ_ONCE(*x)").replace("READ(*y)", "READ_ONCE(*y)")
    plain = plain.replace("WRITE(*y, r)", "*y = r").replace("WRITE(*x, r)", "*x = r")
    assert (thin_air(marked, "lkmm"), thin_air(plain, "lkmm")) == (False, True)


WEAKEST = 'C weakest\ninclude "cos.cat"\nacyclic po-loc | rf | co | fr as coherence\n'


@pytest.mark.parametrize(
    ("ends", "begins"),
    [
        ("exists (0:r=1)", "Not seen: 0:r=1 (in none of 3 executions of "),
        ("~exists (0:r=1)", "Holds: no execution of "),
        ("forall (0:r=0)", "Holds: every execution of "),
        ("exists (0:r=0)", "Yes: "),
    ],
)
def test_the_words(ends: str, begins: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("weakest.cat").write_text(WEAKEST)
    Path("lb.litmus").write_text(CYCLES["data"].replace("exists (0:r=1)", ends))
    said = run("litmus", "lb.litmus", "--mcm", "weakest.cat").stdout
    assert said.startswith(begins)
    unbuilt = not begins.startswith("Yes")
    assert ("; executions in which a value justifies itself are not built; herd: " in said) is unbuilt
    (told,) = json.loads(run("litmus", "lb.litmus", "--mcm", "weakest.cat", "--format", "json").stdout)["tests"]
    assert told["thin_air"] == ("not-built" if unbuilt else None)
    checked = run("check", "lb.litmus", "--mcm", "weakest.cat", "-q").stdout
    assert checked.endswith("exhaustive, executions in which a value justifies itself are not built)\n")
    document = json.loads(run("check", "lb.litmus", "--mcm", "weakest.cat", "--format", "json").stdout)
    assert (document["verdict"], document["thin_air"]) == ("safe", "not-built")


def test_nothing_is_said_where_it_was_seen_or_is_forbidden() -> None:
    test = read_litmus(Source("test.litmus", CYCLES["data"]))
    assert sentence(run_litmus(test, xgen.model("arm8"))).startswith(
        "Never: arm8 forbids 0:r=1 (in none of 3 executions; "
    )


@pytest.mark.parametrize("ends", ["absent", None])
def test_a_program_without_load_buffering_has_none(ends: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the text would tell is not asked: of large programs, that it has too many ways to look at."""
    monkeypatch.setattr("xgen.analyses.thin_air.MOST", 0)
    monkeypatch.setattr("xgen.engine.graphs.run.AHEAD", 0 if ends else 10**9)
    edges = "init loc A final loc B A -> B"
    text = f"var x : int var y : int process p {{ var r : int {edges} {{ r <- x; r -> y }} }}"
    asked = xgen.parse(f"{text} process q {{ var r : int {edges} {{ r <- y; r -> x }} }}", "xcfa")
    found = xgen.check(asked, xgen.model("arm8"))
    assert (found.load_buffering, found.thin_air) == (ends, ends is None)
