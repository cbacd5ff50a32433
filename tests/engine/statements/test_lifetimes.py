"""Objects that are allocated and freed: what goes wrong with them, and that models do not see their events."""

from __future__ import annotations

from itertools import permutations

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import xgen
from xgen.executions.execution import Execution
from xgen.memory.adapt import LIFETIMES
from xgen.program.printer import print_program

MODELS = {name: xgen.model(name) for name in ("sc", "tso", "pso", "rc11", "arm8", "power", "lkmm", "arm", "weak")}
HEAP = "var a : int[2] @ heap\nvar f : int\n"


def program(*threads: str, before: str = HEAP) -> xgen.Program:
    bodies = "".join(
        f"process t{k} {{ var r : int var s : int init loc A final loc B A -> B {{ {body} }} }}\n"
        for k, body in enumerate(threads)
    )
    return xgen.parse(before + bodies)


def kinds(checked: xgen.Program, model: str = "sc") -> set[str]:
    """What goes wrong, over all executions."""
    found = xgen.executions(checked, MODELS[model])
    return {violation.kind for execution in found for violation in execution.violations}


@pytest.mark.parametrize(
    ("threads", "model", "expected"),
    [
        (["alloc(a[0]); 1 -> a[0]; free(a[0])"], "sc", set()),
        (["alloc(a[0]); free(a[0]); 1 -> a[1]"], "sc", {"use-after-free"}),
        (["alloc(a[0]); free(a[0]); r <- a[0]"], "rc11", {"use-after-free"}),
        (["alloc(a[0]); free(a[0]); free(a[0])"], "sc", {"double-free"}),
        (["1 -> a[0]; alloc(a[0])"], "sc", {"use-before-allocation"}),
        (["free(a[1])"], "sc", {"bad-free"}),
        (["free(*(&a[0] + 16))"], "sc", {"bad-free"}),
        (["free(*(&a[0] + 1))"], "sc", {"bad-free"}),
        (["free(*&f)"], "sc", {"bad-free"}),
        (["free(*7)"], "sc", {"bad-free"}),
        (["free(a[0])", "r <- a[0]"], "sc", {"race-with-free"}),
        (["free(a[0])", "free(a[0])"], "sc", {"double-free"}),
        # What is read tells that it comes later, whatever the order; under rc11 only what synchronises does.
        (["free(a[0]); 1 -> f @ relaxed", "r <- f @ relaxed; assume r = 1; r <- a[1]"], "sc", {"use-after-free"}),
        (["free(a[0]); 1 -> f @ relaxed", "r <- f @ relaxed; assume r = 1; r <- a[1]"], "rc11", {"race-with-free"}),
        (["free(a[0]); 1 -> f @ release", "r <- f @ acquire; assume r = 1; r <- a[1]"], "rc11", {"use-after-free"}),
        (["r <- a[1]; 1 -> f @ relaxed", "r <- f @ relaxed; assume r = 1; free(a[0])"], "sc", set()),
        (["r <- a[1]; 1 -> f @ relaxed", "r <- f @ relaxed; assume r = 1; free(a[0])"], "rc11", {"race-with-free"}),
        (["r <- a[1]; 1 -> f @ release", "r <- f @ acquire; assume r = 1; free(a[0])"], "rc11", set()),
        (["alloc(a[0]); 1 -> f @ relaxed", "r <- f @ relaxed; assume r = 1; r <- a[1]"], "sc", set()),
        (["alloc(a[0]); 1 -> f @ relaxed", "r <- f @ relaxed; assume r = 1; r <- a[1]"], "rc11", {LIFETIMES[3]}),
        # A thread that is blocked later has gone wrong before.
        (["free(a[0]); r <- a[0]; assume false"], "sc", {"use-after-free"}),
    ],
)
def test_kinds(threads: list[str], model: str, expected: set[str]) -> None:
    for order in permutations(threads):
        assert kinds(program(*order), model) == expected


PASS = "r <- f @ {}; assume not (r = 0)"
UNLINKED = "1 -> f @ once; fence[{}]; free(a[0])"


@pytest.mark.parametrize(
    ("threads", "expected"),
    [
        # kfree is a plain write: an access comes before it by what orders plain accesses, a grace period as well.
        (["r <- a[1]; 1 -> f @ once", f"{PASS.format('once')}; free(a[0])"], {"race-with-free"}),
        (["r <- a[1]; 1 -> f @ once", f"{PASS.format('acquire')}; free(a[0])"], {"race-with-free"}),
        (["r <- a[1]; 1 -> f @ release", f"{PASS.format('once')}; free(a[0])"], {"race-with-free"}),
        (["r <- a[1]; 1 -> f @ release", f"{PASS.format('acquire')}; free(a[0])"], set()),
        (["1 -> a[1]; 1 -> f @ release", f"{PASS.format('acquire')}; free(a[0])"], set()),
        (["1 -> a[1]; 1 -> f @ release", f"{PASS.format('once')}; fence[rmb]; free(a[0])"], {"race-with-free"}),
        (["1 -> a[1]; 1 -> f @ release", f"{PASS.format('once')}; fence[mb]; free(a[0])"], set()),
        # Compilers may make a plain write of a read and a write: smp_wmb keeps no read before what follows.
        (["1 -> a[1]; fence[wmb]; 1 -> f @ once", f"{PASS.format('acquire')}; free(a[0])"], {"race-with-free"}),
        (["r <- a[1]; fence[wmb]; 1 -> f @ once", f"{PASS.format('acquire')}; free(a[0])"], {"race-with-free"}),
        # What is freed by a pointer that was read: by the address.
        (["alloc(a[0]); 1 -> a[0]; &a[0] -> f @ release", f"{PASS.format('once')}; free(*r)"], set()),
        (["alloc(a[0]); 1 -> a[0]; &a[0] -> f @ once", f"{PASS.format('once')}; free(*r)"], {"race-with-free"}),
        (["alloc(a[0]); 1 -> a[0]; &a[0] -> f @ release", f"{PASS.format('once')}; free(a[0])"], {"race-with-free"}),
        # Readers that were there before a grace period are over behind it; without their locks they need not be.
        (
            ["fence[rcu-lock]; r <- f @ once; assume r = 0; s <- a[0]; fence[rcu-unlock]", UNLINKED.format("sync-rcu")],
            set(),
        ),
        (["r <- f @ once; assume r = 0; s <- a[0]", UNLINKED.format("sync-rcu")], {"race-with-free"}),
        (
            ["fence[rcu-lock]; r <- f @ once; assume r = 0; s <- a[0]; fence[rcu-unlock]", UNLINKED.format("mb")],
            {"race-with-free"},
        ),
        (
            ["fence[rcu-lock]; r <- f @ once; fence[rcu-unlock]; assume r = 0; s <- a[0]", UNLINKED.format("sync-rcu")],
            {"race-with-free"},
        ),
        # One thread after the other, and the same thread.
        (["1 -> a[1]; start t1", "free(a[0])"], set()),
        (["1 -> a[1]; start t1; 2 -> a[1]", "free(a[0])"], {"race-with-free"}),
        (["start t1; join t1; free(a[0])", "1 -> a[1]"], set()),
        (["r <- a[0]; 1 -> a[1]; free(a[0])"], set()),
    ],
)
def test_the_kernel_frees_by_plain_writes(threads: list[str], expected: set[str]) -> None:
    """By hand, from the kernel's rules for plain accesses: what orders a write behind the access orders the free."""
    assert kinds(program(*threads), "lkmm") == expected


@pytest.mark.parametrize("model", ["sc", "tso", "pso"])
@pytest.mark.parametrize(
    ("threads", "expected"),
    [
        (["alloc(a[0]); 1 -> a[0]; free(a[0])"], None),
        (["alloc(a[0]); free(a[0]); 1 -> a[1]"], "use-after-free"),
        (["alloc(a[0]); free(a[0]); free(a[0])"], "double-free"),
        (["1 -> a[0]; alloc(a[0])"], "use-before-allocation"),
        (["free(a[1])"], "bad-free"),
        (["free(*(&a[0] + 16))"], "bad-free"),
        (["free(a[0])", "r <- a[0]"], "race-with-free"),
        (["free(a[0])", "r <- a[0]; assume r = 1"], "race-with-free"),
        (["alloc(a[0])", "r <- a[0]; assume r = 1"], "use-before-allocation"),
        (["alloc(a[0])", "r <- a[0]"], "use-before-allocation"),
        (["free(a[0])", "free(a[0])"], "double-free"),
        (["free(a[0]); 1 -> f", "r <- f; assume r = 1; r <- a[1]"], "use-after-free"),
        (["r <- a[1]; 1 -> f", "r <- f; assume r = 1; free(a[0])"], None),
        (["alloc(a[0]); 1 -> f", "r <- f; assume r = 1; r <- a[1]"], None),
        (["1 -> f; alloc(a[0])", "r <- f; assume r = 1; r <- a[1]"], "use-before-allocation"),
        (["free(a[0]); r <- a[0]; assume false"], "use-after-free"),
        (
            ["r <- load_exclusive(a[0]); s <- store_exclusive(a[0], 2); 1 -> f", "r <- f; assume r = 1; free(a[0])"],
            None,
        ),
        (
            ["r <- load_exclusive(a[0]); 1 -> f; s <- store_exclusive(a[0], 2)", "r <- f; assume r = 1; free(a[0])"],
            "race-with-free",
        ),
    ],
)
def test_proofs_see_them(threads: list[str], expected: str | None, model: str) -> None:
    for order in permutations(threads):
        proof = xgen.prove(program(*order), MODELS[model])
        assert proof.verdict == ("violation" if expected else "safe")
        found = {violation.kind for violation in proof.witness.violations} if proof.witness else set()
        assert found == ({expected} if expected else set())


ROUNDS = """var x : int @ heap var ready : int
process owner {{ init loc A  loc B  final loc C
  A -> B {{ alloc(x)  1 -> x  {0}  1 -> ready }}
  B -> C {{ d <- done  assume d = 1  free(x) }}  var d : int }}
process user {{ init loc A  loc B  loc C
  A -> B {{ r <- ready  assume r = 1 }}
  B -> B {{ s <- x  assert s = 1 }}
  B -> C {{ {1} }}  var r : int  var s : int }}
var done : int
"""


@pytest.mark.parametrize(
    ("between", "last", "model", "verdict"),
    [
        ("", "1 -> done", "sc", "safe"),
        ("", "1 -> done", "tso", "safe"),
        ("fence sfence", "1 -> done", "pso", "safe"),
        ("", "1 -> done", "pso", "violation"),  # it is ready before it is 1
        ("", "1 -> done s <- x", "tso", "violation"),
    ],
)
def test_proofs_of_use_without_an_end(between: str, last: str, model: str, verdict: str) -> None:
    checked = xgen.parse(ROUNDS.format(between, last))
    assert xgen.prove(checked, MODELS[model]).verdict == verdict
    assert (xgen.check(checked, MODELS[model], max_depth=6).verdict == "violation") == (verdict == "violation")


def test_a_loop_that_frees_does_not_only_wait() -> None:
    text = HEAP + "process p { init loc A final loc B loc C A -> C { free(a[0]) } C -> A C -> B }"
    result = xgen.check(xgen.parse(text), MODELS["sc"], max_depth=4)
    assert result.witness is not None
    assert [violation.kind for violation in result.witness.violations] == ["double-free"]


def test_parts_of_one_object() -> None:
    before = "var x : int @ 4096 : -4 @ heap node\nvar y : int (-) @ 4100 : -4 @ heap node\nvar z : int @ heap\n"
    checked = program("free(*4096); 1 -> y", before=before)
    assert kinds(checked) == {"use-after-free"}
    assert kinds(program("free(*4100)", before=before)) == {"bad-free"}
    assert kinds(program("free(x); 1 -> z; free(z)", before=before)) == set()
    assert xgen.parse(print_program(checked)) == checked


@pytest.mark.parametrize(
    ("text", "message", "column"),
    [
        ("var x : int @ heep", "`heep` is out of place", 15),
        ("var x : int process p { init loc A loc B A -> B { free(x) } }", "there is nothing to free", 51),
        ("var x : int @ heap process p { init loc A loc B A -> B { free(y) } }", "there is no shared variable `y`", 63),
    ],
)
def test_errors(text: str, message: str, column: int) -> None:
    with pytest.raises(xgen.ProgramError) as raised:
        xgen.check(xgen.parse(text), MODELS["sc"])
    assert (raised.value.message, raised.value.column) == (message, column)


# ---- random programs

statements = st.one_of(
    st.sampled_from(["alloc(a[0])", "free(a[0])", "free(*&a[0])"]),
    st.builds(
        lambda cell, order: f"r <- {cell}{order}",
        st.sampled_from(["a[0]", "a[1]", "f", "g"]),
        st.sampled_from(["", " @ acquire", " @ relaxed"]),
    ),
    st.builds(
        lambda value, cell, order: f"{value} -> {cell}{order}",
        st.integers(1, 2),
        st.sampled_from(["a[0]", "a[1]", "f", "g"]),
        st.sampled_from(["", " @ release", " @ relaxed"]),
    ),
    st.sampled_from(["fence", "fence mfence", "fence sync", "fence dmb.sy", "assume r = 0"]),
)
threads = st.lists(statements, min_size=1, max_size=4).map("; ".join)
LIFETIME = ("alloc(", "free(")


def naively(execution: Execution) -> set[str]:
    """What goes wrong in an execution of a model without `hb`: program order and reads-from say what is before what."""
    graph = networkx.DiGraph()
    graph.add_nodes_from(range(len(execution.events)))
    graph.add_edges_from([*execution.po, *execution.rf])
    after = {n: networkx.descendants(graph, n) for n in graph}
    on = [n for n, event in enumerate(execution.events) if event.object == "a" and event.thread >= 0]
    frees = [n for n in on if "free" in execution.events[n].tags]
    allocs = [n for n in on if "alloc" in execution.events[n].tags]
    found = set()
    if len(frees) > 1:
        found.add("double-free")
    for access in (n for n in on if execution.events[n].kind != "F"):
        found |= {"use-after-free" for free in frees if access in after[free]}
        found |= {"race-with-free" for free in frees if access not in after[free] and free not in after[access]}
    for other in (n for n in on if n not in allocs):
        found |= {"use-before-allocation" for alloc in allocs if other not in after[alloc]}
    return found


@settings(deadline=None)
@given(st.lists(threads, min_size=1, max_size=3), st.sampled_from(["sc", "tso", "pso"]))
def test_against_the_definition(bodies: list[str], model: str) -> None:
    before = HEAP + "var g : int\n"
    for execution in xgen.executions(program(*bodies, before=before), MODELS[model]):
        assert {v.kind for v in execution.violations if v.kind in LIFETIMES} == naively(execution)


@settings(deadline=None)
@given(st.lists(threads, min_size=1, max_size=3), st.sampled_from(sorted(MODELS)))
def test_models_do_not_see_them(bodies: list[str], model: str) -> None:
    """Without the events of lifetimes, the executions are the same."""
    before = HEAP + "var g : int\n"
    without = [
        "; ".join(part for part in body.split("; ") if not part.startswith(LIFETIME)) or "skip" for body in bodies
    ]
    with_, plain = (
        xgen.check(program(*texts, before=before), MODELS[model], all_states=True) for texts in (bodies, without)
    )
    assert (with_.executions, with_.blocked) == (plain.executions, plain.blocked)
    assert [(o.state, o.count) for o in with_.outcomes] == [(o.state, o.count) for o in plain.outcomes]


@pytest.mark.parametrize(
    "threads",
    [
        ["atomic-begin 1 -> f free(a[0]) atomic-end", "atomic-begin r <- f assume r = 1 r <- a[0] atomic-end"],
        ["atomic-begin 1 -> f r <- a[0] atomic-end", "r <- f; assume r = 1; free(a[0])"],
        ["atomic-begin 1 -> f alloc(a[0]) atomic-end", "r <- f; assume r = 1; r <- a[0]"],
        ["1 -> f; free(a[0])", "atomic-begin r <- f assume r = 0 r <- a[0] atomic-end"],
        ["atomic-begin r <- a[0] free(a[0]) atomic-end"],
        ["atomic-begin free(a[0]) r <- a[0] atomic-end"],
    ],
)
@pytest.mark.parametrize("model", ["sc", "tso", "pso"])
def test_proofs_of_use_in_atomic_blocks(threads: list[str], model: str) -> None:
    """Where states do not tell, there is no answer."""
    proof = xgen.prove(program(*threads), MODELS[model])
    assert proof.verdict in ({"violation", "unknown"} if kinds(program(*threads), model) else {"safe", "unknown"})
    assert (len(threads) > 1) >= (proof.verdict == "unknown")
