"""A model that does not know an order of a program in C, C++ or Rust is not asked, but for `--map none`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from c.running import HEAD, threads
from cli.fake import run

import xgen
from xgen.analyses.claims.run import check_file
from xgen.memory.statics.orders import ORDERS, knows

ALL = "consume acquire release acq_rel seq_cst lock unlock"
UNKNOWN = {
    "sc": "",
    "ra": "",
    "rc11": "",
    "rc11-c20": "",
    "tso": "seq_cst",  # (loads and stores are acquire and release anyway)
    "pso": "release acq_rel seq_cst",
    "arm8": "consume lock unlock",
    "riscv": "consume lock unlock",
    "power": ALL,
    "arm": ALL,
    "weak": ALL,
    "coherence": ALL,
    "lkmm": f"relaxed {ALL}",
    "ptx": f"relaxed {ALL}",
    "cuda": f"relaxed {ALL}",
    "vulkan": f"relaxed {ALL}",
    "opencl": f"relaxed {ALL}",
    "hip": f"relaxed {ALL}",
}


@pytest.mark.parametrize("name", UNKNOWN)
def test_of_accesses(name: str) -> None:
    model = xgen.model(name)
    kinds = {"lock": "R", "unlock": "W"}
    unknown = [order for order in ORDERS if not all(knows(model, order, kind) for kind in kinds.get(order, "RW"))]
    assert sorted(unknown) == sorted(UNKNOWN[name].split())


OF_FENCES = {
    "tso": "",
    "pso": "",
    "power": "",
    "arm8": "",
    "riscv": "",
    "arm": "acquire release acq_rel",
    "nofence": None,
}


@pytest.mark.parametrize("name", OF_FENCES)
def test_of_fences(name: str) -> None:
    """One that is seq_cst may be any that the model does not name."""
    model, expected = xgen.model(name), OF_FENCES[name]
    orders = ("acquire", "release", "acq_rel", "seq_cst")
    unknown = [order for order in orders if not knows(model, order, "F")]
    assert unknown == (list(orders) if expected is None else expected.split())


MINE = """model "mine"
  {expects}
order = (po & loc) | rf | mo | fr
{more}
order acyclic
"""


@pytest.mark.parametrize(
    ("text", "known"),
    [
        (MINE.format(expects="", more=""), False),
        (MINE.format(expects="expects release", more=""), True),
        (MINE.format(expects="", more="also = po(R -> W[release]) | rf\nalso acyclic"), True),
        (MINE.format(expects="", more="also = po(R -> F[release])\nalso acyclic"), False),  # (that is of fences)
        (MINE.format(expects="", more="also = po(A -> W) | rf | mo | fr\nalso acyclic"), True),  # (all stores are)
        (MINE.format(expects="", more="also = po(W -> W) | rf | mo | fr\nalso acyclic"), False),
    ],
)
def test_of_ones_own_model(text: str, known: bool) -> None:
    assert knows(xgen.parse_model(text), "release", "W") is known


def test_of_a_cat_model(tmp_path: Path) -> None:
    """`L` is a store that releases; the machine of its first line says what compilers make of C."""
    text = (
        'AArch64 "mine"\ninclude "cos.cat"\nlet bob = po; [L] | [A]; po\nacyclic po-loc | rf | co | fr | bob as all\n'
    )
    (tmp_path / "mine.cat").write_text(text)
    model = xgen.model(tmp_path / "mine.cat")
    assert (knows(model, "release", "W"), knows(model, "seq_cst", "W")) == (True, False)
    program = xgen.parse(HEAD + BOTH.replace("release", "seq_cst"), "c", "a.c")
    with pytest.raises(xgen.UnsupportedError) as caught:
        xgen.check(program, model)
    assert caught.value.hint is not None
    assert caught.value.hint.startswith("--map armv8 or --map armv8-lse: what compilers make of the program there; ")


BOTH = threads(
    "x = 1; atomic_store_explicit(&y, 1, memory_order_release);",
    "if (atomic_load_explicit(&y, memory_order_acquire)) assert(x == 1);",
    before="int x; atomic_int y;",
)
LOCKED = threads(
    *["pthread_mutex_lock(&m); a = 1; b = 1; pthread_mutex_unlock(&m);"],
    *["pthread_mutex_lock(&m); assert(a == b); pthread_mutex_unlock(&m);"],
    before="pthread_mutex_t m; int a, b;",
)
REFUSED = {
    "power": (BOTH, "`memory_order_release` of a write", "--on power: "),
    "arm": (BOTH, "`memory_order_release` of a write", "--on armv7: "),
    "pso": (BOTH, "`memory_order_release` of a write", "--map none: "),
    "weak": (BOTH, "`memory_order_release` of a write", "--map none: "),
    "lkmm": (BOTH, "`memory_order_release` of a write", "--map none: "),
    "opencl": (BOTH, "`memory_order_release` of a write", "--map none: "),
    "tso": (BOTH.replace("release", "seq_cst"), "`memory_order_seq_cst` of a write", "--on x86: "),
    "arm8": (LOCKED, "`lock`, the order of mutexes", "--on armv8 or --on armv8-lse: "),
}
DOORS: dict[str, Callable[[xgen.Program, xgen.Model], object]] = {
    "check": xgen.check,
    "all_states": lambda program, model: xgen.check(program, model, all_states=True),
    "cones": lambda program, model: xgen.check(program, model, cones=True),
    "executions": lambda program, model: list(xgen.executions(program, model)),
    "estimate": xgen.estimate,
    "explain": xgen.explain,
    "fences": xgen.fences,
    "robust": lambda program, model: xgen.fences(program, xgen.model("rc11"), robust=model),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_said(name: str) -> None:
    text, what, hint = REFUSED[name]
    with pytest.raises(xgen.UnsupportedError) as caught:
        xgen.check(xgen.parse(HEAD + text, "c", "a.c"), xgen.model(name))
    error = caught.value
    assert error.message == f"the model {name} does not know {what}"
    assert error.hint is not None
    assert error.hint.startswith(hint)
    assert error.line == HEAD.count("\n") + 2
    assert xgen.check(xgen.parse(HEAD + text, "c", "a.c", map="none"), xgen.model(name)).map == "none"


@pytest.mark.parametrize("name", ["ptx", "cuda", "hip", "vulkan", "opencl"])
def test_programs_without_orders_are_not_asked_about_groups_of_threads(name: str) -> None:
    """No event of theirs would be in one: under ptx not even those of a thread would be ordered."""
    text = HEAD + threads("x = 1;", "y = x;", before="int x, y;")
    with pytest.raises(xgen.UnsupportedError, match=f"the model {name} asks which threads are in a group"):
        xgen.check(xgen.parse(text, "c", "a.c"), xgen.model(name))
    assert xgen.check(xgen.parse(text, "c", "a.c", map="none"), xgen.model(name)).map == "none"


@pytest.mark.parametrize("door", DOORS)
def test_at_every_door(door: str) -> None:
    program = xgen.parse(HEAD + BOTH, "c", "a.c")
    with pytest.raises(xgen.UnsupportedError, match="does not know `memory_order_release`"):
        DOORS[door](program, xgen.model("power"))


def test_proofs_and_data_structures(tmp_path: Path) -> None:
    text = HEAD + BOTH.replace("release", "seq_cst")
    with pytest.raises(xgen.UnsupportedError, match="does not know `memory_order_seq_cst`"):
        xgen.prove(xgen.parse(text, "c", "a.c"), xgen.model("tso"))
    assert xgen.prove(xgen.parse(text, "c", "a.c", map="none"), xgen.model("tso")).verdict == "safe"
    (tmp_path / "box.c").write_text(
        "#include <stdatomic.h>\natomic_int n;\nint inc(void) { return atomic_fetch_add(&n, 1); }\n"
    )
    for name, order in (("pso", "release"), ("tso", "seq_cst")):
        with pytest.raises(xgen.UnsupportedError, match=f"does not know `memory_order_{order}`") as caught:
            xgen.linearizable(tmp_path / "box.c", model=xgen.model(name), calls=2)
        assert str(caught.value.file).endswith("box.c")
    answer = xgen.linearizable(tmp_path / "box.c", model=xgen.model("pso"), calls=2, map="none")
    assert (answer.verdict, answer.map) == ("linearizable", "none")


@pytest.mark.parametrize("name", ["weak", "arm8", "power", "pso"])
def test_locks_are_full_fences_in_a_text_as_it_stands(name: str) -> None:
    """What orders nothing is the order of an access, not that of a mutex."""
    model = xgen.model(name)
    assert xgen.check(xgen.parse(HEAD + LOCKED, "c", map="none"), model).verdict == "safe"
    if name != "arm8":
        assert xgen.check(xgen.parse(HEAD + BOTH, "c", map="none"), model).verdict == "violation"
    tried = LOCKED.replace("pthread_mutex_lock(&m); a", "if (pthread_mutex_trylock(&m)) return 0; a")
    assert xgen.check(xgen.parse(HEAD + tried, "c", map="none"), model).verdict == "safe"


@pytest.mark.parametrize("name", ["rc11", "rc11-c20", "sc", "ra"])
def test_it_changes_nothing_where_all_is_known(name: str) -> None:
    """A full fence there would hide what a mutex does not order."""
    text = threads(
        *["pthread_mutex_lock(&m); pthread_mutex_unlock(&m); store(&x); a = load(&y);"],
        *["pthread_mutex_lock(&n); pthread_mutex_unlock(&n); store(&y); b = load(&x);"],
        before="#define store(p) atomic_store_explicit(p, 1, memory_order_relaxed)\n"
        "#define load(p) atomic_load_explicit(p, memory_order_relaxed)\n"
        "pthread_mutex_t m, n; atomic_int x, y; int a, b;",
    )
    plain, none = (
        xgen.check(xgen.parse(HEAD + text, "c", map=each), xgen.model(name), all_states=True) for each in (None, "none")
    )
    assert plain.executions == none.executions == (3 if name == "sc" else 4)
    assert (plain.map, none.map) == (None, "none")


def test_on_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.c").write_text(HEAD + BOTH)
    refused = run("check", "a.c", "--mcm", "power")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "a.c:10:" in refused.stderr
    found = run("check", "a.c", "--mcm", "power", "--map", "none", "-q")
    assert found.exit_code == 1
    assert "(model power, map none, no bound, " in found.stdout
    assert (
        run("check", "a.c", "--on", "power", "-q").stdout == "safe (model power, no bound, 2 executions, exhaustive)\n"
    )
    for words in (("explain", "a.c"), ("fences", "a.c")):
        assert run(*words, "--mcm", "power").exit_code == 2
    assert "(model power, map none, no bound)" in run("fences", "a.c", "--mcm", "power", "--map", "none").stdout


def test_what_a_file_says(tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    for claim, kept in (("verdict power: violation (map none)", True), ("verdict power: safe", None)):
        file.write_text(f"// {claim}\n{HEAD}{BOTH}")
        found = check_file(str(file), xgen.load)
        assert [one.kept for one in found.checked] == ([] if kept is None else [kept])
        assert ["does not know" in error.message for error in found.errors] == ([True] if kept is None else [])
