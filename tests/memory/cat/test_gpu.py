"""Dat3M's dialect of .cat: its names by architecture, its comments, and the models of PTX, Vulkan and OpenCL."""

from __future__ import annotations

import pytest

from xgen.errors import Source, UnsupportedError
from xgen.memory.adapt import families, with_families
from xgen.memory.algebra import Check, Constraint, Model
from xgen.memory.cat.elaborate import read_cat
from xgen.memory.show import show
from xgen.memory.statics.strategy import choose_strategy
from xgen.memory.terms import normalised

PTX = """PTX
let co = co+
let fr = rf^-1; co
let strong = (W & (RLX | REL)) | (R & (RLX | ACQ)) | F
let morally-strong = ((po | po^-1) | ([strong]; sr; [strong])) & ((loc & (M * M)) | ((_ * _) \\ (M * M))) \\ id
let cause = (po? ; (((morally-strong & rf) | sync_fence | (syncbar & scta)); po?)+)
empty ((([W]; cause; [W]) & loc) \\ co) as Coherence
empty (([W]; morally-strong; [W]) & loc) \\ (co | co^-1) as Strong
empty (((morally-strong & fr); (morally-strong & co)) & rmw) as Atomicity
irreflexive ((rf | fr); cause) as Causality
"""
"""A model of the form that Dat3M's have."""


def read(text: str, architecture: str | None = None) -> Model:
    return read_cat(Source("m.cat", text), architecture)


def shown(constraint: Constraint) -> str:
    assert isinstance(constraint.condition, Check)
    return f"{constraint.condition.property} {show(constraint.condition.term, depth=40)}"


NAMES = [
    ("X86", "[mfence]", "[A[mfence]]"),
    ("X86", "[A]", "[A[rmw] | A[failed]]"),
    ("PPC", "[lwsync] | [isync]", "[A[lwsync]] | [A[isync]]"),
    ("RISCV", "[AMO]", "[A[rmw] \\ A[exclusive]]"),
    ("C", "[NAL]", None),
    ("PTX", "[GEN & CTA]", "[A[generic][cta]]"),
    ("PTX", "scta", "same_tag[cta]"),
    ("PTX", "vloc", None),
    ("VULKAN", "ssg & swg & sqf", "same_tag[sg] & same_tag[wg] & same_tag[qf]"),
    ("VULKAN", "[SEMSC3 & ATOM & AVDEVICE]", "[A[semsc3][atom][avdevice]]"),
    ("OpenCL", "sdv & [DV & ALL]", "same_tag[dv] & [A[dv][all]]"),
    ("OpenCL", "dynamic", None),
]


@pytest.mark.parametrize(("architecture", "term", "expected"), NAMES, ids=lambda x: str(x)[:30])
def test_names(architecture: str, term: str, expected: str | None) -> None:
    prelude = "let dynamic = [range([IW & GLOBAL]; loc)] | [LOCAL & F]\n" if term == "dynamic" else ""
    (constraint,) = read(f"{prelude}empty {term} as it", architecture).constraints
    assert expected is None or shown(constraint) == f"empty {expected}"


def test_headers_differ_in_case() -> None:
    for name, architecture in (("OPENCL", "OpenCL"), ("OpenCL", "OpenCL"), ("Vulkan", "VULKAN"), ("VULKAN", "VULKAN")):
        assert families(read(f"{name} empty swg as it")) == {"wg"}
        assert families(read(f"{name} empty swg as it", architecture)) == {"wg"}
    with pytest.raises(Exception, match="this is a model for PTX, not for X86"):
        read(PTX, "X86")


@pytest.mark.parametrize(
    "comment",
    ["/* one\n line */", "(* a(*b) of x=(*y) *)", "(* (* nested *) *)", "// (* open", "(* one (* *)", "/* /* */"],
)
def test_comments(comment: str) -> None:
    model = read(f"{comment}\nacyclic po as it")
    assert [(c.name, c.position.line) for c in model.constraints] == [("it", 2 + comment.count("\n"))]


def test_what_the_model_demands_of_co_is_its_co() -> None:
    """No difference has co on its right side any more, so that each constraint is checked on the way."""
    model = read(PTX)
    assert [c.name for c in model.constraints] == ["Coherence", "Atomicity", "Causality"]
    assert shown(model.constraints[0]).startswith("acyclic mo(")
    assert families(model) == {"cta", "gpu"}
    adapted = normalised(with_families(model, frozenset({"cta.g0.c0", "cta.g0.c1", "gpu.g0", "warp.w"})))
    assert not families(adapted)
    strategy = choose_strategy(adapted, False, True)
    assert strategy.ahead
    assert not strategy.at_end


OTHER = [
    (PTX.replace("let cause", "let causality").replace("cause", "causality"), "it has no relation `cause`"),
    (PTX.replace("let morally-strong = ", "let morally-strong = co & ").replace("(morally-strong & rf) | ", ""),
     "it has no relation `morally-strong`"),
    (PTX.replace("empty ((([W]; cause; [W]) & loc) \\ co)", "empty ((([W]; po; [W]) & loc) \\ co)"),
     "it does not demand that the writes to a location that are in `cause` are in co"),
    (PTX.replace(" as Strong", " as S").replace("(co | co^-1)", "co^-1"),
     "it does not demand that the writes to a location that are in `morally-strong` are in co"),
    (PTX + "empty po-loc \\ co as it", "`it` can hold because a pair is in co"),
    (PTX + "flag ~empty [W]; fr as it", "`it` can hold because a pair is in co"),
    ("PTX acyclic po-loc | rf | co | fr", "it has no relation `cause`"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "why"), OTHER, ids=range(len(OTHER)))
def test_other_forms_of_models_for_ptx_are_refused(text: str, why: str) -> None:
    with pytest.raises(UnsupportedError, match="this model for PTX is not supported") as raised:
        read(text)
    assert why in str(raised.value)
    assert "Dat3M's ptx-v6.0.cat" in str(raised.value.hint)


def test_a_model_for_ptx_without_co_is_what_it_says() -> None:
    (constraint,) = read("PTX acyclic rf | data as it").constraints
    assert shown(constraint).startswith("acyclic rf(A -> R \\ A[hidden]) | [R] ; data")
