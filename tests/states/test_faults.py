"""What goes wrong is found wherever it is, even after it is decided that a formula holds."""

from __future__ import annotations

import re
from random import Random

import pytest
from oracle.strategies import PLAIN, random_program

import xgen
from xgen.analyses.ltl import check_formula
from xgen.engine.explicit.states import Order
from xgen.engine.explicit.unfold import unfold
from xgen.errors import Source, UnsupportedError
from xgen.frontends.dve import read_dve

from .test_programs import LIMIT, MACHINES

LATE = """
var x : int var y : int
process p { var r : int init loc A loc B final loc C A -> B { 1 -> x } B -> C { r <- y ; CLAIM ; 2 -> x } }
"""
FORMULAS = ("F x = 1", "x < 2 U x = 1", "F G x = 2", "G x < 3", "G (x = 1 -> F x = 2)", "F p@B", "F ended(all)", "true")


@pytest.mark.parametrize("memory", MACHINES)
@pytest.mark.parametrize("formula", FORMULAS)
def test_an_assertion_behind_what_decides(formula: str, memory: Order) -> None:
    for claim, verdict in (("assert r = 1", "error"), ("assert r = 0", "holds"), ("skip", "holds")):
        program = xgen.parse(LATE.replace("CLAIM", claim))
        result = xgen.ltl(program, formula, memory)
        assert (result.verdict, result.complete) == (verdict, verdict == "holds")
        if verdict == "error":
            assert result.reason == "an assertion of p does not hold"
            assert [m.transition.text for m in result.prefix[1:] if m.transition][-1].endswith("{ r <- y }")
    blocks = LATE.replace("CLAIM", "atomic-begin ; assert r = 1 ; atomic-end")
    assert xgen.ltl(xgen.parse(blocks), formula, memory).verdict == "error"


def test_fences_for_a_formula() -> None:
    """No fence helps where an assertion fails on every run."""
    found = xgen.fences(xgen.parse(LATE.replace("CLAIM", "assert r = 1")), xgen.model("tso"), formula="F x = 1")
    assert found.verdict == "not-repairable"


DVE = "int a[2]; int x; process P { int n; state s, t; init s; trans s -> t { effect x = 1; }, TRANS; } system async;"


@pytest.mark.parametrize(
    ("trans", "reason"),
    [
        ("t -> s { guard n < 3; effect n = n + 1, a[n - 1] = 1; }", "an index is out of range"),
        ("t -> s { effect n = n + 1; }, t -> t { guard a[n] == 0; }", "an index is out of range"),
        ("t -> s { guard 1 / n == 0; }", "a division by zero"),
        ("t -> s { guard n < 2; effect a[1] = n % 2, n = n + 1; }", None),
    ],
)
def test_indices_and_divisions(trans: str, reason: str | None) -> None:
    system = read_dve(Source("late.dve", DVE.replace("TRANS", trans)))
    result = check_formula(system, "F x = 1")
    assert result.verdict == ("error" if reason else "holds")
    assert reason is None or str(result.reason).startswith(reason)


def test_a_proposition_has_to_have_a_value_as_long_as_it_is_asked_only() -> None:
    text = "int a[2]; process P { int n; state s; init s; assert s: n < 4; "
    text += "trans s -> s { guard n < 3; effect n = n + 1; }; }"
    system = read_dve(Source("late.dve", text + " system async;"))
    assert check_formula(system, "F P:n = 1").verdict == "holds"
    assert check_formula(system, "F (P:n = 1 | a[P:n] = 1)").verdict == "holds"
    assert check_formula(system, "F (P:n = 3 | a[P:n] = 1)").verdict == "error"


def test_values_of_more_than_32_bits_behind_what_decides() -> None:
    """What is beyond them is not known: there is no answer, where something may go wrong there."""
    text = LATE.replace("CLAIM", "r := 2147483647 ; r := r + 1 ; assert r > 0").replace("r <- y ;", "")
    result = xgen.ltl(xgen.parse(text), "F x = 1")
    assert (result.verdict, result.complete) == ("interrupted", False)


@pytest.mark.parametrize("memory", MACHINES)
@pytest.mark.parametrize("claims", [30, 60])
def test_random_programs(claims: int, memory: Order) -> None:
    """No formula holds where something goes wrong; and what several workers say is the same."""
    seen = []
    for seed in range(60):
        rng = Random(f"{claims} {seed}")

        def with_claim(load: re.Match[str], rng: Random = rng) -> str:
            return f"{load[0]}; assert {load[1]} < {rng.randint(1, 2)}" if rng.randint(0, 99) < claims else load[0]

        text = re.sub(r"(\w+) <- \w+(?=[; ])", with_claim, str(random_program(rng, PLAIN)))
        try:
            system = unfold(xgen.parse(text), memory)
        except UnsupportedError:
            continue
        whole = check_formula(system, "true & G true", memory, 4, limit=LIMIT)
        name = next(v.name for v in system.variables if v.is_shared)
        for formula in (f"F {name} = 1", f"F {name} = 0", f"!F {name} = 1", f"F G {name} = 0"):
            found = check_formula(system, formula, memory, 4, limit=LIMIT)
            assert found.verdict != "interrupted"
            assert (found.verdict == "error") <= (whole.verdict == "error"), (formula, text)
            assert found.verdict in ("error", "fails") or whole.verdict != "error", (formula, text)
            again = check_formula(system, formula, memory, 4, limit=LIMIT, workers=2)
            assert (again.verdict, again.states, again.prefix) == (found.verdict, found.states, found.prefix)
        seen.append(whole.verdict)
    assert min(seen.count("error"), seen.count("holds")) >= 5
