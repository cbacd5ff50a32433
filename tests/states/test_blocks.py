"""Atomic blocks on machines with bounded buffers: one step each, whatever is in them."""

from __future__ import annotations

import pytest

import xgen
from xgen.engine.explicit.states import Order
from xgen.errors import ProgramError, UnsupportedError
from xgen.views.answers.ltl import render

from .test_programs import MACHINES, difference, verdict

PAIR = """
var x : int var y : int
process p { init loc L final loc M L -> M { atomic-begin ; 1 -> x ; 1 -> y ; atomic-end } }
process q { var a : int var b : int init loc L final loc M
  L -> M { atomic-begin ; a <- x ; b <- y ; atomic-end } }
"""


@pytest.mark.parametrize("memory", MACHINES)
def test_nobody_sees_a_part_of_a_block(memory: Order) -> None:
    """Nor does memory ever show one."""
    assert verdict(PAIR, "G (x = y & q:a = q:b) & F x = 1", memory) == "holds"
    assert difference(PAIR, memory) is None
    assert verdict(PAIR.replace("atomic-begin", "skip").replace("atomic-end", "skip"), "G x = y", memory) == "fails"


@pytest.mark.parametrize("memory", ["tso", "pso"])
def test_a_run_with_a_block_that_waits(memory: Order) -> None:
    result = xgen.ltl(xgen.parse(PAIR), "G !(ended(p) & x = 0)", memory)
    assert result.verdict == "fails"
    late = xgen.ltl(xgen.parse(PAIR), "G x = 0", memory)
    assert [(m.process, m.transition is None, m.stores[0], m.values[:2]) for m in late.prefix[1:]] == [
        (0, False, (("x", 1), ("y", 1)), ((0,), (0,))),
        (0, True, (), ((1,), (1,))),
    ]
    assert render(late).splitlines()[3:5] == [
        "  p  L -> M { atomic-begin; 1 -> x; 1 -> y; atomic-end }   (delayed: x = 1, y = 1)",
        "  p  x = 1, y = 1 reach memory",
    ]


@pytest.mark.parametrize(("memory", "later"), [("sc", "holds"), ("tso", "fails"), ("pso", "fails")])
def test_what_comes_before_a_block_that_only_stores(memory: Order, later: str) -> None:
    """It waits in the buffer: what its process loads behind it may come first."""
    text = PAIR.replace("atomic-end } }\nprocess q", "atomic-end ; c <- z } }\nprocess q").replace(
        "p {", "p { var c : int"
    )
    text = text.replace("var y : int", "var y : int var z : int").replace(
        "atomic-begin ; a <- x", "1 -> z ; fence ; atomic-begin ; a <- x"
    )
    assert verdict(text, "G !(ended(all) & p:c = 0 & q:a = 0)", memory) == later
    loads = text.replace("1 -> y ; atomic-end", "c <- y ; atomic-end")
    assert verdict(loads, "G !(ended(all) & p:c = 0 & q:a = 0)", memory) == "holds"
    assert difference(text, memory) is None


@pytest.mark.parametrize(("memory", "room"), [("tso", 1), ("tso", 2), ("tso", 3), ("pso", 1)])
def test_a_block_with_more_stores_than_there_is_room_for(memory: Order, room: int) -> None:
    """It then goes to memory at once, as one that waits in a larger buffer may do as well."""
    text = PAIR.replace("1 -> y ;", "1 -> y ; 2 -> x ; 2 -> y ; 1 -> z ;").replace("var x", "var z : int var x")
    result = xgen.ltl(xgen.parse(text), "G x = y & F (x = 2 & z = 1)", memory, buffer=room)
    assert result.verdict == ("holds" if memory == "pso" or room >= 3 else "holds-within-bound")


BRANCHES = """
var x : int var y : int var z : int
process p { var a : int var b : int
  init loc L loc A loc B loc C final loc M
  L -> A { atomic-begin ; a <- x }
  A -> B { assume a = 0 ; havoc b in 1 .. 2 ; b -> y }
  A -> C { assume a = 1 ; b := 3 ; assert a < 2 }
  A -> C { b := a ; assume b > 1 ; assert b < 3 }
  B -> M { a <- y ; assume a = 1 ; 7 -> z ; atomic-end }
  C -> M { 9 -> z ; atomic-end ; b := 4 } }
process q { var c : int init loc L final loc M L -> M { 1 -> x ; c <- y ; c <- z } }
"""


@pytest.mark.parametrize("memory", MACHINES)
@pytest.mark.parametrize("value", [1, 2, 3])
def test_ways_through_a_block(memory: Order, value: int) -> None:
    text = BRANCHES.replace("1 -> x", f"{value} -> x")
    assert difference(text, memory) is None
    if value < 3:
        assert verdict(text, "F (z = 7 | z = 9 | y = 2)", memory) == "holds"
        assert verdict(text, "F ended(p)", memory) == "fails"  # where it has chosen 2, it stands still
        assert verdict(text, "G (y = 2 -> z = 0)", memory) == "holds"
    else:
        assert verdict(text, "G true", memory) == "error"


def test_a_choice_is_taken_back_where_what_it_assumes_does_not_hold() -> None:
    text = (
        "var x : int process p { var a : int init loc L final loc M L -> M { a := 1 ; assume a = 2 } L -> M { skip } }"
    )
    assert verdict(text, "F ended(p)") == "holds"
    late = text.replace("a := 1 ;", "a <- x ;")
    assert verdict(late, "F ended(p)") == "holds"


DOUBT = """
var x : int var y : int
process p { var a : int var b : int init loc L final loc M
  L -> M { 1 -> x ; atomic-begin ; a <- x ; b <- y ; atomic-end } }
process q { var c : int init loc L final loc M
  L -> M { atomic-begin ; 1 -> y ; c <- x ; atomic-end } }
"""


@pytest.mark.parametrize("memory", ["tso", "pso"])
def test_a_block_that_reads_what_is_on_its_way(memory: Order) -> None:
    """A machine lets p read its own store before q misses it; the model has no such order of the two blocks."""
    seen = "ended(all) & p:a = 1 & p:b = 0 & q:c = 0"
    outcomes = xgen.check(xgen.parse(DOUBT), xgen.model(memory), all_states=True).outcomes
    assert sorted((o.state["p:b"], o.state["q:c"]) for o in outcomes) == [(0, 1), (1, 0), (1, 1)]
    result = xgen.ltl(xgen.parse(DOUBT), f"G !({seen})", memory)
    assert (result.verdict, result.complete) == ("interrupted", False)
    assert result.reason is not None
    assert result.reason.startswith("it fails only where an atomic block reads what its own process has stored")
    assert verdict(DOUBT, f"G !({seen})", "sc") == "holds"
    assert verdict(DOUBT, "G !(ended(all) & p:a = 1 & q:c = 1)", memory) == "fails"  # without doubt
    assert verdict(DOUBT, "F p:a = 1", memory) == "holds"


@pytest.mark.parametrize(
    ("body", "what"),
    [
        (
            "L -> L { atomic-begin ; a <- x ; atomic-end } L -> A { atomic-begin } A -> A { a <- x }",
            "loops in atomic blocks",
        ),
        ("L -> M { atomic-begin ; lock(m) ; atomic-end }", "mutexes in atomic blocks"),
        ("L -> M { atomic-begin ; start q ; atomic-end }", "`start` and `join` in atomic blocks"),
    ],
)
def test_what_is_not_run(body: str, what: str) -> None:
    text = f"""var x : int var m : synthetic process p {{ var a : int init loc L loc A final loc M {body} }}
    process q {{ init loc L final loc M L -> M {{ 1 -> x }} }}"""
    with pytest.raises(UnsupportedError) as caught:
        xgen.ltl(xgen.parse(text), "G true")
    assert caught.value.message == f"`xgen ltl` does not run {what}"
    assert caught.value.line == 1


def test_blocks_that_make_no_sense() -> None:
    text = "var x : int process p { init loc L final loc M L -> M { atomic-begin ; 1 -> x } }"
    with pytest.raises(ProgramError, match="the process ends inside an atomic block"):
        xgen.ltl(xgen.parse(text), "G true")
