"""The commands as functions of `xgen`: they say what the commands say."""

from __future__ import annotations

import pytest

import xgen
from xgen.resources import shipped

SUITE = shipped("litmus")


def test_explain() -> None:
    program, tso = xgen.load(shipped("programs") / "mp.xcfa"), xgen.model("tso")
    assert xgen.explain(program, tso).answer == "forbidden"
    with pytest.raises(xgen.UsageError, match="among the final values"):
        xgen.explain(program, tso, "nothing=1")


def test_explain_of_a_requirement() -> None:
    test = "X86 SB\n{ }\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n MOV EAX,[y] | MOV EAX,[x] ;\n"
    program = xgen.parse(test + "~exists (0:EAX=0 /\\ 1:EAX=0)", "litmus")
    assert xgen.explain(program, xgen.model("tso")).answer == "allowed"
    assert xgen.explain(program, xgen.model("sc")).answer == "forbidden"


def test_litmus() -> None:
    results = xgen.litmus(SUITE / "X86", "tso")
    assert [result.path for result in results] == sorted(map(str, (SUITE / "X86").glob("*.litmus")))
    assert {result.verdict for result in results} == {"Ok", "No"}
    with pytest.raises(xgen.UsageError, match="no such file or folder"):
        xgen.litmus("nowhere")


def test_compare() -> None:
    assert xgen.compare(xgen.model("sc"), xgen.model("tso"), max_size=4).difference is not None
    assert xgen.compare(xgen.model("sc"), xgen.model("sc"), max_size=3).difference is None


def test_what_is_shown_fits_a_line() -> None:
    program = xgen.load("peterson")
    result = xgen.check(program, xgen.model("weak"))
    assert repr(result) == "<Result: peterson.xcfa under weak: violation, 2 executions>"
    assert repr(result.witness) == "<Execution: 2 threads, 11 events, error-location at programs/peterson.xcfa:60:13>"
    blocked = xgen.check(program, xgen.model("sc"), all_states=True)
    shown = [repr(trace) for trace in blocked.traces]
    assert {text.partition(":")[0] for text in shown} == {"<Execution"}
    assert any(text.endswith("not complete>") for text in shown)


def test_explain_and_compare_take_names() -> None:
    found = xgen.explain("X86/SB.litmus", "sc")
    assert found.question == xgen.explain(xgen.load("X86/SB.litmus"), xgen.model("sc")).question
    by_name, read = xgen.compare("sc", "tso"), xgen.compare(xgen.model("sc"), xgen.model("tso"))
    assert by_name.difference == read.difference is not None
    with pytest.raises(xgen.UsageError, match="there is no memory model `tsoo`"):
        xgen.compare("sc", "tsoo")
