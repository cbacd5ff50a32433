"""What fences mean to models that do not name their tags."""

from __future__ import annotations

import pytest

import xgen
from xgen.analyses.warnings import meaning

OWN = """model "own"
per_location = (po & loc) | rf | mo | fr
order = po(R -> A) | po(W -> F[mine]) | po(F[mine] -> A) | po(W -> F[sfence]) | po(F[sfence] -> W)
global = order | po(W -> W) | (rf & ext) | mo | fr
per_location acyclic as coherence
global acyclic as global_order
"""
BUFFERING = """var x : int var y : int
process p {{ var a : int 1 -> x; {0} a <- y; }}
process q {{ var b : int 1 -> y; {0} b <- x; }}
"""


def warnings(fence: str, model: xgen.Model) -> list[str]:
    result = xgen.check(xgen.parse(BUFFERING.format(fence)), model, all_states=True)
    return [warning for warning in result.warnings if "fence" in warning]


def test_a_fence_without_a_tag_that_a_model_ignores() -> None:
    own = xgen.parse_model(OWN)
    assert meaning(own, ()) == ()
    assert meaning(own, ("mine",)) == ("store buffering",)
    named = "`mine`, `sfence`"
    assert warnings("fence;", own) == [
        f"the fence at line 2 has no tag, and the model own orders nothing by it; it names {named}"
    ]
    assert warnings("fence[mine];", own) == []
    for tag in ("other", "mfence"):
        assert warnings(f"fence[{tag}];", own) == [
            f"the model own does not know `fence[{tag}]` and orders nothing by it"
        ]


@pytest.mark.parametrize("model", ["tso", "pso", "arm8"])
def test_shipped_models_take_fences_that_they_do_not_name_as_full_ones(model: str) -> None:
    found = xgen.model(model)
    assert meaning(found, ()) == ("store buffering",)
    assert warnings("fence;", found) == []
    assert warnings("fence[mfence];", found) == warnings("fence[sync];", found) == []  # full ones where they are from
    assert warnings("fence[other];", found) == [
        f"note: the model {model} does not name `fence[other]` and takes it as a full fence"
    ]


def test_where_nothing_is_out_of_order_no_fence_means_anything() -> None:
    assert meaning(xgen.model("sc"), ()) is None


def test_tags_of_accesses() -> None:
    text = BUFFERING.format("skip;").replace("<- y", "<- y @ mine")
    result = xgen.check(xgen.parse(text), xgen.model("tso"))
    assert "the model tso does not know the tag `mine`: on reads and writes it means nothing there" in result.warnings
