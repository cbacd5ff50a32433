"""`--volatile relaxed`: an access of a volatile object is a relaxed atomic one, whatever way leads to it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from c.running import HEAD, kinds, load, run, threads
from click.testing import CliRunner

from xgen.cli import main as command
from xgen.program import automaton as xcfa

BEFORE = """
typedef volatile int flag_t;
struct pair { int a; int *p; };
struct outer { flag_t one; struct { int in; struct pair two[2]; } rest; };
volatile int x; int plain; flag_t named; volatile int many[2]; typedef int row[2]; volatile row rows;
volatile struct pair object; volatile struct outer deep; struct outer mixed;
int *volatile pointer; volatile int *lead = &plain; volatile struct pair *way = (volatile struct pair *)&object;
volatile struct later *late; struct later { int n; struct later *next; }; struct later end;
union u { int n; unsigned m; }; volatile union u both;
"""
WAYS = [
    "x",
    "*(volatile int *)&plain",
    "*lead",
    "named",
    "many[1]",
    "rows[0]",
    "object.a",
    "way->a",
    "deep.one",
    "deep.rest.in",
    "deep.rest.two[1].a",
    "mixed.one",
    "both.n",
    "(&object)->a",
    "(*(volatile struct pair *)&mixed.rest.two[0]).a",
    "late->n",
]
PLAIN = ["plain", "mixed.rest.in", "*pointer", "*(int *)&x", "*(int *)lead"]
SETTING = "late = &end; pointer = &plain; "


def orders(text: str, **options: str) -> list[str | None]:
    """The orders of the accesses of the first thread that is started."""
    program = load(HEAD + text, **options)
    thread = next(process for process in program.processes if process.name.startswith("t0"))
    steps = [step for edge in thread.procedures[0].edges for step in edge.statements]
    return [
        step.orders[0] if isinstance(step, xcfa.Rmw) else step.order
        for step in steps
        if isinstance(step, xcfa.Load | xcfa.Store | xcfa.Rmw)
    ]


def around(body: str) -> str:
    """A program in which a thread does this."""
    return threads(body, before=BEFORE).replace("pthread_t t[1];", f"pthread_t t[1]; {SETTING}")


@pytest.mark.parametrize("way", WAYS)
def test_reads_and_writes(way: str) -> None:
    """Of a volatile scalar, each access has the order; the others are as they were."""
    found = orders(around(f"int seen = {way}; {way} = seen + 1; ({way})++;"), volatile="relaxed")
    assert found.count("relaxed") == 4
    assert set(found) <= {"relaxed", None}
    assert set(orders(around(f"{way} = 1;"))) == {None}


@pytest.mark.parametrize("way", PLAIN)
def test_what_is_no_volatile_object(way: str) -> None:
    """What counts is the type of what is accessed, not of what leads to it."""
    assert orders(around(f"{way} = 1;"), volatile="relaxed")[-1] is None


def test_orders_that_are_said_stay() -> None:
    before = "volatile int x; volatile atomic_int y; volatile int expected;"
    body = (
        "__atomic_store_n(&x, 1, __ATOMIC_RELEASE); y = 1; atomic_store_explicit(&y, 2, memory_order_relaxed);"
        "__sync_fetch_and_add(&x, 1);"
    )
    assert orders(threads(body, before=before), volatile="relaxed") == ["release", "seq_cst", "relaxed", "seq_cst"]


def test_copies_of_structs() -> None:
    """A struct is read and written member by member, each of which is volatile, or not."""
    body = "struct pair seen = object; object = seen; mixed = *(struct outer *)&deep;"
    found = orders(threads(body, before=BEFORE), volatile="relaxed")
    assert found == ["relaxed"] * 5 + [None] * 5  # of an outer: `one`, and five scalars that are none


SHAPES = {
    "mp": ("data = 1; FENCE(release); SET(F, 1);", "if (GET(F)) { FENCE(acquire); assert(data == 1); }"),
    "mp without a fence": ("data = 1; SET(F, 1);", "if (GET(F)) { FENCE(acquire); assert(data == 1); }"),
    "sb": ("SET(F, 1); int a = GET(G);", "SET(G, 1); int b = GET(F);"),
    "counting": ("SET(F, GET(F) + 1);", "SET(F, GET(F) + 1);"),
    "waiting": ("data = 1; FENCE(release); SET(F, 1);", "while (!GET(F)); FENCE(acquire); assert(data == 1);"),
}
FENCE = "#define FENCE(order) atomic_thread_fence(memory_order_##order)\nint data;\n"
VOLATILE = FENCE + "#define GET(x) x\n#define SET(x, v) x = v\nvolatile int F, G;"
ATOMIC = (
    FENCE + "#define GET(x) atomic_load_explicit(&x, memory_order_relaxed)\n"
    "#define SET(x, v) atomic_store_explicit(&x, v, memory_order_relaxed)\natomic_int F, G;"
)


@pytest.mark.parametrize("mcm", ["rc11", "sc", "arm8"])
@pytest.mark.parametrize("name", SHAPES)
def test_the_same_as_atomics(name: str, mcm: str) -> None:
    """Counts and verdicts are those of the program that says memory_order_relaxed."""
    mapped = {"map": "armv8"} if mcm == "arm8" else {}
    one = run(threads(*SHAPES[name], before=VOLATILE), mcm, volatile="relaxed", **mapped)
    other = run(threads(*SHAPES[name], before=ATOMIC), mcm, **mapped)
    assert (one.verdict, one.executions, one.blocked) == (other.verdict, other.executions, other.blocked)
    assert [outcome.count for outcome in one.outcomes] == [outcome.count for outcome in other.outcomes]


def test_races_name_the_option(tmp_path: Path) -> None:
    file = tmp_path / "v.c"
    text = threads("x = 1;", "if (x) y = 1;", "y = 2;", before="volatile int x; int y;")
    file.write_text(HEAD + text, encoding="utf-8")
    plain = CliRunner().invoke(command, ["check", str(file), "--format", "json"])
    assert plain.exit_code == 1
    error = json.loads(plain.stdout)["witness"]["error"]
    assert (error["kind"], "--volatile relaxed" in error["hint"]) == ("race", True)
    assert "--volatile relaxed" in CliRunner().invoke(command, ["check", str(file)]).stdout
    relaxed = CliRunner().invoke(command, ["check", str(file), "--volatile", "relaxed", "--format", "json"])
    error = json.loads(relaxed.stdout)["witness"]["error"]
    assert error["kind"] == "race"
    assert "--volatile" not in (error["hint"] or "")
    assert kinds(text, volatile="relaxed")[0][0] == "race"
    assert CliRunner().invoke(command, ["check", str(file), "--volatile", "seq_cst"]).exit_code == 2


def test_the_first_value_is_no_access() -> None:
    """As of an atomic one: what it races with, races."""
    text = threads(
        "volatile int here = 1; p = &here;", "volatile int *q = p; if (q) *q = 2;", before="volatile int *volatile p;"
    )
    assert kinds(text, volatile="relaxed")[0][0] in ("race", "bad-address", "use-after-free")
