"""What each construct of .cat is worth: terms, and their values on one graph."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memory.graphs import shape
from xgen.errors import Source
from xgen.memory.algebra import Check, Model, Op, Term
from xgen.memory.cat import read_cat
from xgen.memory.show import show

GRAPH = shape("a:Wx f:F[mfence] b:Ry | c:Wy d:Rx", "a d")


def read(text: str, architecture: str | None = None) -> Model:
    return read_cat(Source("m.cat", text), architecture)


def term(text: str, architecture: str | None = None) -> Term:
    """The term of an expression."""
    return next(d.term for d in read(f"let it = {text}", architecture).definitions if d.name == "it")


def value(text: str, architecture: str | None = None) -> str:
    """The value of an expression on the graph: `a b` for the pair or `a` for the event, in alphabetical order."""
    found: Any = GRAPH.value(term(text, architecture))
    return ", ".join(sorted(e if isinstance(e, str) else " ".join(e) for e in found))


VALUES = [
    ("W", "a, c, ix, iy"),
    ("IW", "ix, iy"),
    ("M", "a, b, c, d, ix, iy"),
    ("F | R", "b, d, f"),
    ("_ \\ M", "f"),
    ("M & _", "a, b, c, d, ix, iy"),
    ("~M", "f"),
    ("~{} & R", "b, d"),
    ("~_ | R", "b, d"),
    ("W \\ IW", "a, c"),
    ("po", "a b, a f, c d, f b"),
    ("rf", "a d, iy b"),
    ("co", "ix a, iy c"),
    ("fr", "b c"),
    ("rf^-1; co \\ id", "b c"),
    ("po & ext", ""),
    ("po-loc", ""),
    ("rfe", "a d, iy b"),
    ("rfi | coi | fri", ""),
    ("coe | fre", "b c, ix a, iy c"),
    ("[R]; loc; [W \\ IW]", "b c, d a"),
    ("W * R & rf", "a d, iy b"),
    ("(rf | po)+ & (IW * R)", "iy b"),
    ("[IW]; rf?; po*", "ix ix, iy b, iy iy"),
    ("fencerel(F)", "a b"),
    ("domain(fr) | range(fr)", "b, c"),
    ("udr fr", "b, c"),
    ("toid(F) | 0", "f f"),
    ("singlestep(po)", "a f, c d, f b"),
    ("imply (W, IW)", "b, d, f, ix, iy"),
    ("let a = R and b = W in a | b", "a, b, c, d, ix, iy"),
    ("let f = (fun x -> [x]; po) in f F", "f b"),
    ("let f(x, y) = x & (y * y) in f(loc, R)", "b b, d d"),
    ("let f(x, _) = x in f(F, R)", "f"),
    ("let rec r = (rf | fr | po) | r; r in r & (F * F)", ""),
    ("let rec r = fr | (r; (po | rf)) in r", "b c, b d"),
    ("let rec s = range(r) and r = [W]; po; [R] | [s]; fr in r", "a b, b c, c d"),
    ("try no-such-name with F", "f"),
    ("try (R | po) with F", "f"),
    ('if "cos-opt" then F else R', "f"),
    ('if not "cos-opt" || variant "no" then F else R', "b, d"),
    ("if 'a in {'b, 'a} then F else R", "f"),
    ("if {'a} subset {} then F else R", "b, d"),
    ("match 'b with || 'a -> F || 'b -> R || _ -> W end", "b, d"),
    ("match 'c with 'a -> F || _ -> IW end", "ix, iy"),
    ("let rec f s = match s with || {} -> {} || t ++ rest -> tag2events(t) | f(rest) end in f {'mfence, 'none}", "f"),
    ("tag2events({'mfence, 'none})", "f"),
    ("begin F end", "f"),
]


@pytest.mark.parametrize(("text", "expected"), VALUES)
def test_values(text: str, expected: str) -> None:
    """Initial writes are not in po, and in co they come first."""
    assert value(text) == expected


SAME = [
    ("po | rf & co", "po | (rf & co)"),
    ("po ; rf \\ co", "po ; (rf \\ co)"),
    ("po \\ rf & co", "po \\ (rf & co)"),
    ("po \\ rf \\ co", "(po \\ rf) \\ co"),
    ("po ; rf | co", "(po ; rf) | co"),
    ("po ; rf ; co", "po ; (rf ; co)"),
    ("~po & rf", "(~po) & rf"),
    ("~rf^-1", "~(rf^-1)"),
    ("W * R & rf", "(W * R) & rf"),
    ("po* & rf", "(po*) & rf"),
    ("po+?", "(po+)?"),
    ("domain rf | R", "(domain(rf)) | R"),
    ("(domain rf) * R", "domain rf * R"),
    ("po (* a (* nested *) comment *) | rf // to the end", "po | rf # so is this"),
    ("(rf^-1 ; co) \\ id", "fr"),
    ("let rec r = po | r ; r in r", "po+"),
    ("let rec r = po | rf | (r ; (po | rf)) in r", "(po | rf)+"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_precedence_and_rewriting(one: str, other: str) -> None:
    """How operators group, and what is rewritten to its usual form."""
    assert term(one) is term(other)


def test_recursion_is_a_fixed_point_of_the_whole_group() -> None:
    """All bodies are arguments of each component."""
    model = read("let rec a = po | (b ; a) and b = rf | (a ; b) let c = a ; b")
    a, b, c = (definition.term for definition in model.definitions)
    assert a.op is b.op is Op.FIX
    assert a.args == b.args
    assert c is Term(Op.SEQUENCE, (a, b))


NAMES = [
    ("AArch64", "[A]; po; [DMB.SY]", "[A[acquire]] ; (po ; [A[dmb.sy]])"),
    ("AArch64", "[Q] | [L]", "[A[acquire_pc]] | [A[release]]"),
    ("ARM", "[DMB.ST] | [A]", "[A[dmb.st]] | [A[acquire]]"),
    ("PPC", "[LWSYNC | EX]", "[A[lwsync] | A[exclusive]]"),
    ("RISCV", "[Fence.r.rw | AcqRel | Sc]", "[A[fence.r.rw] | A[acq_rel] | A[seq_cst]]"),
    ("X86", "[MFENCE]; [X]", "[A[mfence] & (A[rmw] | A[failed])]"),
    ("MIPS", "[SYNC]", "[A[sync]]"),
    ("C", "[ACQ | REL]", "[A[acquire] | A[lock] | (A[release] | A[unlock])]"),
    ("C", "rmw | amo | lxsx", "{}"),
    ("LKMM", "[LKR] | [UL] | [ACQ]", "[R & (A[lock-read] | A[lock])] | [W[unlock]]"),
    (None, "[MFENCE | SYNC | SC]", "[A[mfence] | A[sync] | A[seq_cst]]"),
]


@pytest.mark.parametrize(("architecture", "text", "expected"), NAMES)
def test_names_of_architectures(architecture: str | None, text: str, expected: str) -> None:
    """Set names stand for tags, which depends on the architecture."""
    names = {term("po", architecture): "po"}
    assert show(term(text, architecture), names) == expected


def checks(model: Model) -> list[tuple[str, str, bool, bool, bool]]:
    """The constraints: name, property, negated, flag, undefined."""
    found = []
    for c in model.constraints:
        assert isinstance(c.condition, Check)
        found.append((c.name, c.condition.property, c.condition.negated, c.flag, c.undefined))
    return found


def test_checks_and_flags() -> None:
    """A flag is raised where its check holds, and where that of undefined_unless fails; sets can be empty, too."""
    text = """acyclic po | rf as hb irreflexive fr; co ~empty rf as some flag ~empty R as reads flag empty co as none
        undefined_unless empty rf as race assert acyclic po as sane empty R & W as never"""
    assert checks(read(text)) == [
        ("hb", "acyclic", False, False, False),
        ("irreflexive fr; co ~empty rf as some fla", "irreflexive", False, False, False),
        ("some", "empty", True, False, False),
        ("reads", "empty", False, True, False),
        ("none", "empty", True, True, False),
        ("race", "empty", False, True, True),
        ("sane", "acyclic", False, True, False),
    ]


def test_names_of_checks() -> None:
    """A check without a name has its text as its name, and no two are the same."""
    model = read("acyclic po\nacyclic po // once more\n\nacyclic rf as po\nacyclic co as po")
    assert [c.name for c in model.constraints] == ["acyclic po", "acyclic po#2", "po", "po#2"]


def test_definitions_are_lazy() -> None:
    """What makes no sense is no error where it is not used; later definitions hide earlier ones."""
    model = read("let a = nothing and b = R; po let f(x) = x | a let po = rf let po = po | co acyclic po as it")
    assert show(read("acyclic rf | co as it").constraints[0].condition.term) == "rf | mo"  # type: ignore[union-attr]
    assert model.constraints[0].condition == read("acyclic rf | co as it").constraints[0].condition


def test_functions_keep_the_names_of_their_place() -> None:
    """A function sees what was defined before it."""
    assert value("let f(x) = x; po in let po = co in f(rf)") == ""
    assert read("let s = rf let f(x) = x | s let s = co empty f(fr) as it").constraints[0].condition == (
        read("empty fr | rf as it").constraints[0].condition
    )


def test_procedures() -> None:
    """The checks of a procedure's body stay, its definitions do not."""
    text = """procedure p(r, s) = let both = r | s acyclic both as nice end
        let both = co call p(rf, fr) call p(rf, co) as other empty both & id as it
        forall t in {'a, 'b} do empty tag2events(t) as no end call subseteq(R, W)"""
    names = ["nice", "nice#2", "it", "no", "no#2", "empty S \\ T end"]
    assert [c.name for c in read(text).constraints] == names


def test_instructions_that_choose() -> None:
    """Variants and tags decide which instructions are run; pictures are not."""
    text = """if "cos-opt" let a = rf else let a = co end
        match 'x with 'y -> acyclic a as no || _ -> acyclic a as yes end
        show a as b, c show po unshow rf show rf;co as d debug a"""
    model = read(text)
    assert [c.name for c in model.constraints] == ["yes"]
    assert model.constraints[0].condition.term is Term(Op.RF)  # type: ignore[union-attr]


def test_bell_declarations(tmp_path: Path) -> None:
    """A .bell file beside the model is read first; its tags are sets, with a capital letter."""
    (tmp_path / "m.bell").write_text(
        "enum Marks = 'once || 'RELEASE || 'srcu-lock instructions R[{'once}] let both = Once | ONCE | RELEASE"
    )
    model = read_cat(Source(str(tmp_path / "m.cat"), '"Kernel" let it = [both] | [Srcu-lock]'), "LKMM")
    assert show(model.definitions[-1].term) == "[A[once] | A[release]]"


COS = ["cos.cat", "cos-opt.cat"]


@pytest.mark.parametrize("file", COS)
def test_coherence_orders(file: str) -> None:
    """cos.cat makes a model coherent, unless it is so already; co itself is the graph's."""
    model = read(f'include "{file}" acyclic po | co as it')
    assert [c.name for c in model.constraints] == ["coherence", "it"]
    coherent = shape("a:Wx b:Rx | c:Wx", "c b", "a c")
    assert coherent.allowed(model)
    assert not shape("a:Wx b:Rx | c:Wx", "c b", "c a").allowed(model)
    model = read(f'include "{file}" acyclic po-loc | rf | fr | co as mine')
    assert [c.name for c in model.constraints] == ["mine"]
    assert [c.name for c in read('include "cos-no-opt.cat" acyclic po | co as it').constraints] == ["it"]


def test_own_files_come_first(tmp_path: Path) -> None:
    """An include is looked for beside the file that it is in; what is not there is xgen's own."""
    (tmp_path / "deep").mkdir()
    (tmp_path / "fences.cat").write_text("let mine = po")
    (tmp_path / "deep" / "a.cat").write_text('include "b.cat" include "x86fences.cat"')
    (tmp_path / "deep" / "b.cat").write_text("let mine = mine | rf")
    model = read_cat(
        Source(str(tmp_path / "m.cat"), 'include "fences.cat" include "deep/a.cat" let it = mine | mfence')
    )
    names = {term("po"): "po"}
    assert show(model.definitions[-1].term, names) == "po | rf | po(A -> A[mfence]) ; po"


def test_models_that_compute_dependencies(tmp_path: Path) -> None:
    """`catdep` models include a file that makes them of register events; xgen's own gives the engine's."""
    (tmp_path / "aarch64util.cat").write_text("let same-loc = loc let intervening(S, r) = r; [S]; r")
    (tmp_path / "aarch64deps.cat").write_text("let addr = rf-reg")
    text = """ARMv8 catdep include "aarch64deps.cat" include "enumerations.cat" with x from (all-DC-Exp_W-enums po)
        acyclic addr | pick-dep | x | [Exp & M]; iico_order as dependencies"""
    model = read_cat(Source(str(tmp_path / "m.cat"), text), "AArch64")
    whole = show(model.constraints[0].condition.term, {term("po", "AArch64"): "po"})  # type: ignore[union-attr]
    assert whole.startswith("[R] ; (([R] ; addr | [R] ; data | [W] ; (")
    assert "[A \\ A[exclusive]] ; rmw ; [A[computed]])^* ; " in whole
    assert "A[compared]" in whole


def test_titles_and_architectures() -> None:
    """The header names the model and may name its architecture."""
    assert read("SC acyclic po | rf").title == "SC"
    assert read('RISCV "the manual" empty [Acq] as it').title == "the manual"
    assert show(read('ARMv8 "AArch64 model" let it = [A]').definitions[-1].term) == "[A[acquire]]"
    assert show(read("C RC11 let it = [ACQ_REL]", "C").definitions[-1].term) == "[A[acq_rel]]"
