"""The independent check: what it accepts and rejects, and the runs that it shows."""

from __future__ import annotations

import numpy as np
import pytest

from repair.test_figures import shipped_protocol
from xgen.errors import InternalError, Source
from xgen.repair import repair as room
from xgen.repair.check import check, original
from xgen.repair.elaborate import read_protocol
from xgen.repair.repair import check_as_it_is, chosen_program, repair
from xgen.repair.solve import Choice, choose
from xgen.repair.space import Maker


@pytest.mark.parametrize(("name", "level", "kind", "steps"), [
    ("byzantine", "masking", "bad step", 7),
    ("byzantine", "failsafe", "bad step", 7),
    ("tmr", "masking", "bad step", 3),
    ("token_ring", "masking", "dead end", 5),
])  # fmt: skip
def test_shipped_protocols_as_they_are(name: str, level: str, kind: str, steps: int) -> None:
    checked, why = check_as_it_is(shipped_protocol(name), level)
    assert why is None
    assert checked is not None
    assert checked.trouble is not None
    assert (checked.trouble.kind, len(checked.trouble.run)) == (kind, steps)


def test_a_repaired_program_with_a_removed_group_put_back_is_rejected() -> None:
    """As many groups stay as can, so none can come back alone."""
    protocol = shipped_protocol("byzantine")
    maker = Maker(protocol, "masking", 10_000)
    space = maker.make()
    choice, _ = choose(space)
    assert choice is not None
    begin = [maker.columns.state(row) for row in space.states[: space.initial]]
    assert check(protocol, chosen_program(space, choice.groups), "masking", begin).trouble is None
    removed = np.flatnonzero(space.old & ~choice.groups).tolist()
    assert len(removed) == 12
    kinds = {
        trouble.kind if trouble else None
        for trouble in (
            check(protocol, chosen_program(space, choice.groups, group), "masking", begin).trouble for group in removed
        )
    }
    assert kinds == {"bad step"}


def test_a_wrong_choice_is_a_mistake_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the check does not accept is not printed."""

    def all_groups(space: room.Space, *_: object) -> tuple[Choice, int]:
        everything = np.ones(len(space.groups), dtype=np.bool_)
        return Choice(everything, np.ones(len(space.states), dtype=np.bool_), 0), 0

    monkeypatch.setattr(room, "choose", all_groups)
    with pytest.raises(InternalError, match="does not accept"):
        repair(shipped_protocol("tmr"))


LIVELOCK = """
var x : 0 .. 3 = 0
process p { reads x writes x  x = 0 -> x := 1  x = 1 -> x := 0  x = 2 -> x := 3  x = 3 -> x := 2 }
fault: x = 1 -> x := 2
legit: x <= 1
"""


def test_a_cycle() -> None:
    checked, _ = check_as_it_is(read_protocol(Source("livelock.gcl", LIVELOCK)))
    assert checked is not None
    assert checked.trouble is not None
    assert checked.trouble.kind == "no recovery"
    assert [state for _, state in checked.trouble.run] == [(0,), (1,), (2,), (3,), (2,)]
    assert checked.trouble.cycle == 2
    assert check_as_it_is(read_protocol(Source("livelock.gcl", LIVELOCK)), "failsafe")[0] is not None


def test_where_the_old_program_stops_one_may_stop() -> None:
    text = "var x : 0 .. 2 = 0\nprocess p { reads x writes x  x = 0 -> x := 1 }\nlegit: x <= 1"
    checked, _ = check_as_it_is(read_protocol(Source("p.gcl", text)))
    assert checked is not None
    assert checked.trouble is None
    checked, _ = check_as_it_is(read_protocol(Source("p.gcl", text + "\nfault: x = 1 -> x := 2")))
    assert checked is not None
    assert checked.trouble is not None
    assert checked.trouble.kind == "dead end"


def test_something_new_in_a_legitimate_state() -> None:
    """The check is given another program than the text's."""
    protocol = read_protocol(
        Source("p.gcl", "var x : 0 .. 2 = 0\nprocess p { reads x writes x  x = 0 -> x := 1 }\nlegit: true")
    )
    assert check(protocol, original(protocol), "masking", [(0,)]).trouble is None
    trouble = check(protocol, [lambda state: [("p: jump", (2,))]], "masking", [(0,)]).trouble  # noqa: ARG005
    assert trouble is not None
    assert (trouble.kind, trouble.run) == ("new step", (("", (0,)), ("p: jump", (2,))))


@pytest.mark.parametrize("operator", ["and", "or", "imply", "+", "nested"])
def test_long_and_deep_conditions(operator: str) -> None:
    """300 operands, and 150 parentheses inside each other."""
    if operator == "nested":
        condition = "(" * 150 + "x = 0" + " or x = 1)" * 150
    elif operator == "+":
        condition = " + ".join(["x"] * 300) + " < 301"
    else:
        condition = f" {operator} ".join(["x <= 1"] * (150 if operator == "imply" else 300))
    text = f"var x : 0 .. 1 = 0\nprocess p {{ reads x writes x  x = 0 -> x := 1 }}\nlegit: {condition}"
    checked, _ = check_as_it_is(read_protocol(Source("p.gcl", text)))
    assert checked is not None
    assert checked.trouble is None
    assert checked.legitimate == 2
