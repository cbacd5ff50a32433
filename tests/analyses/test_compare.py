"""What tells two models apart."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import xgen
from analyses.test_shapes import LB, MP, SB, shape
from xgen.analyses.compare.compare import Example, compare_suite, example_of, load_pair, under_both
from xgen.analyses.compare.distinguish import Difference, find_difference
from xgen.analyses.suite.runner import Spread
from xgen.errors import ModelError, UsageError
from xgen.memory.algebra import Model
from xgen.memory.statics.vocabulary import Vocabulary, vocabulary
from xgen.shapes.shape import Access, Shape, Thread


def bare(found: Shape) -> Shape:
    """A shape without tags of accesses."""
    threads = (Thread(tuple(Access(a.kind, a.variable) for a in t.accesses), t.links) for t in found.threads)
    return Shape(tuple(threads))


def difference(first: Model, second: Model, max_size: int = 6) -> tuple[Shape, dict[str, int], int]:
    """The shape, the condition, and which model allows it."""
    found = find_difference(first, second, max_size).difference
    assert found is not None
    return bare(found.shape), dict(found.condition), found.allows


PAIRS = [
    ("sc", "tso", SB, {"P0:r0": 0, "P1:r0": 0}, 1),
    ("tso", "sc", SB, {"P0:r0": 0, "P1:r0": 0}, 0),
    ("tso", "pso", MP, {"P1:r0": 1, "P1:r1": 0}, 1),
    ("coherence", "ra", MP, {"P1:r0": 1, "P1:r1": 0}, 0),
    ("weak", "coherence", LB, {"P0:r0": 1, "P1:r0": 1}, 1),
    ("weak", "weak-a9", shape("Rx Rx | Wx"), {"P0:r0": 1, "P0:r1": 0}, 1),
    ("any", "coherence", shape("Wx Wx"), {"x": 1}, 0),
    ("weak", "nofence", shape("Wx seq_cst Ry | Wy seq_cst Rx"), {"P0:r0": 0, "P1:r0": 0}, 1),
]


@pytest.mark.parametrize(("first", "second", "expected", "condition", "allows"), PAIRS)
def test_shipped_models(first: str, second: str, expected: Shape, condition: dict[str, int], allows: int) -> None:
    """The smallest programs, with the least that has to be asked of their outcome."""
    assert difference(xgen.model(first), xgen.model(second)) == (expected, condition, allows)


def test_models_that_are_the_same() -> None:
    """The search says how far it went."""
    search = find_difference(xgen.model("sc"), xgen.parse_model("c = po | rf | fr | co c acyclic"), 5)
    assert (search.difference, search.programs, search.size, search.stopped) == (None, 3 + 11 + 36 + 269, 5, False)
    assert find_difference(xgen.model("tso"), xgen.model("tso"), 6, timeout=0.001).stopped


COHERENT = "coherent = (po & loc) | rf | mo | fr coherent acyclic "


def test_models_that_differ_in_a_fence() -> None:
    """Only one of them speaks of the fence; a test of X86 has it."""
    first = xgen.parse_model(COHERENT + "g = po(R | W -> W) | po(R -> R) | (rf & ext) | mo | fr g acyclic")
    second = xgen.parse_model(
        COHERENT + "g = po(R | W -> W) | po(R -> R) | (po ; [F[mfence]] ; po) | (rf & ext) | mo | fr g acyclic"
    )
    found, condition, allows = difference(first, second)
    assert (found, condition, allows) == (shape("Wx Wy | Wy mfence Rx"), {"P1:r0": 0, "y": 2}, 0)


def test_models_that_differ_in_a_dependency() -> None:
    """Message passing with a dependency, where there is a fence anyway."""
    common = COHERENT + "g = po(W -> W) | (rf & ext) | fr | %s g acyclic"
    found, condition, allows = difference(xgen.parse_model(common % "data"), xgen.parse_model(common % "addr | data"))
    assert (found, condition, allows) == (shape("Wx Wy | Ry addr Rx"), {"P1:r0": 1, "P1:r1": 0}, 0)


def test_tags_that_mean_the_same_are_tried_once() -> None:
    """Of the fences that a model has at the same places, the shortest name is taken."""
    model = xgen.parse_model("full = F[dmb.sy] | F[dmb.ish] | F[dsb.sy] g = (po ; [full] ; po) | [F[isb]] g acyclic")
    assert vocabulary(model, model, all).fences == ("isb", "dmb.sy")


def test_tags_are_used_where_the_models_mean_them() -> None:
    """Of reads, of writes or of fences; a tag that is mentioned by itself is one of all."""
    text = "r = (po ; [R[acquire]] ; po) | (po ; [F[acq_rel] | (F \\ F[release])]) | ([A[relaxed]] ; po) %s r acyclic"
    one, other = xgen.parse_model(text % ""), xgen.parse_model(text % "| (po ; [A[seq_cst]])")
    assert vocabulary(one, other, all) == Vocabulary("relaxed", ("acquire",), (), ("acq_rel", "release"))
    assert vocabulary(one, other, any) == Vocabulary(
        "relaxed", ("acquire", "seq_cst"), ("seq_cst",), ("acq_rel", "release", "seq_cst")
    )


@cache
def shown(first: str, second: str) -> tuple[Difference, Example]:
    """What tells two models apart, and how it is shown."""
    found = find_difference(*load_pair(first, second)).difference
    assert found is not None
    return found, example_of(found, first, second, "T")


SHOWN = [
    ("sc", "tso", ("X86", "X86"), "SB"),
    ("tso", "pso", ("X86", "X86"), "MP"),
    ("sc", "arm8", ("AArch64", "AArch64"), "SB"),
    ("tso", "arm8", ("X86", "AArch64"), "MP"),
    ("tso", "power", ("X86", "PPC"), "MP"),
    ("arm8", "power", ("AArch64", "PPC"), "WRC"),
    ("riscv", "power", ("RISCV", "PPC"), "WRC"),
    ("arm", "arm8", ("AArch64", "AArch64"), "SB"),
    ("arm8", "riscv", ("AArch64", "RISCV"), "SB"),
    pytest.param("rc11", "rc11-c20", ("C", "C"), None, marks=pytest.mark.slow),  # of seven events
    ("sc", "rc11", ("C", "C"), "SB"),
    ("rc11", "power", ("C", "C"), "LB"),
    ("weak", "weak-a9", ("C", "C"), "CoRR"),
]


@pytest.mark.sweep
@pytest.mark.parametrize(("first", "second", "architectures", "name"), SHOWN)
def test_what_a_difference_is_shown_in(first: str, second: str, architectures: tuple[str, str], name: str) -> None:
    """Machines by their instructions, each its own if they have none in common; languages in C. The tests show it."""
    found, example = shown(first, second)
    assert tuple(text.split()[0] for text in example.texts) == architectures
    assert example.shape == name
    assert ("memory_order" in example.text) is (architectures[0] == "C")
    assert example.results is not None
    verdicts = ["No", "No"]
    verdicts[found.allows] = "Ok"
    assert [result.verdict for result in example.results] == verdicts


def test_the_kernel_and_c() -> None:
    """Marked accesses of the kernel's, atomic ones of C's; a machine has neither."""
    found, example = shown("lkmm", "rc11")
    assert (found.allows, found.shape, example.dialects) == (0, LB, ("LKMM", "C"))
    assert ("READ_ONCE" in example.texts[0], "memory_order_relaxed" in example.texts[1]) == (True, True)
    assert example.results is not None
    assert [result.verdict for result in example.results] == ["Ok", "No"]
    assert [text.split()[0] for text in shown("lkmm", "tso")[1].texts] == ["C", "X86"]


def test_a_fence_that_no_test_is_written_with() -> None:
    """Models of one machine are compared by what they know of others, too; it comes last."""
    common = COHERENT + "g = po(R -> A) | (po ; [F[mfence]] ; po) | %s (rf & ext) | mo | fr g acyclic"
    first = xgen.parse_model(common % "")
    second = xgen.parse_model(common % "(po(W -> F[stbar]) ; po(F[stbar] -> W)) |")
    found, _, allows = difference(first, second)
    assert ("stbar" in found.words, allows) == (True, 0)


@pytest.mark.slow
def test_what_words_mean() -> None:
    """To each model: of RISC-V a release does not stay before an acquire, of Armv8 it does."""
    words = {word.kind: (word.written, word.means) for word in shown("arm8", "riscv")[1].words}
    assert words == {
        "store": (
            ("release", "release"),
            ("orders store-store, load-store, store-load before acquire", "orders store-store, load-store"),
        ),
        "load": (
            ("acquire", "acquire"),
            ("orders load-load, load-store, store-load behind release", "orders load-load, load-store"),
        ),
        "fence": (("dmb.sy", "fence.rw.rw"), ("full fence", "full fence")),
    }
    (fence,) = shown("weak", "nofence")[1].words
    assert (fence.written, fence.means) == (("seq_cst", "seq_cst"), ("full fence", "orders nothing"))
    assert {word.written[0]: word.means for word in shown("arm", "arm8")[1].words} == {
        "dmb.sy": ("full fence", "full fence"),
        "dsb.st": ("orders store-store", "orders store-load, store-store"),
    }


MEANINGS = [
    ("Wx lwsync Wy | Ry isync Rx", "power", ["orders store-store, load-load, load-store", "orders nothing"]),
    ("Wx eieio Wy | Ry addr Rx", "power", ["orders store-store", "orders load-load, load-store"]),
    ("Wx mfence Ry | Wy sfence Rx", "tso", ["full fence", "orders nothing"]),
    ("Wx dmb.ld Ry | Rx data Wy", "arm8", ["orders load-load, load-store", "orders load-store"]),
    ("Wx dmb.st Ry | Rx@acquire_pc Wy", "arm8", ["orders load-load, load-store", "orders store-store"]),
    ("Wx strange Ry | Wy Rx", "sc", ["nothing that is not in order anyway"]),
]


@pytest.mark.parametrize(("text", "model", "means"), MEANINGS)
def test_what_words_mean_to_machines(text: str, model: str, means: list[str]) -> None:
    """As the architectures' manuals have it; tags of accesses come first in a thread."""
    example = example_of(Difference(shape(text), (("P1:r0", 0),), 1), model, model, "T")
    assert sorted(word.means[0] for word in example.words) == sorted(means)


def test_the_example_is_a_test_that_shows_the_difference() -> None:
    found = Difference(SB, (("P0:r0", 0), ("P1:r0", 0)), 1)
    example = example_of(found, "sc", "tso", "T")
    assert example.text.startswith("X86 T\n")
    assert example.results is not None
    assert [(r.verdict, r.observation) for r in example.results] == [("No", "Never"), ("Ok", "Sometimes")]


def test_the_example_is_a_program_where_no_test_has_its_words() -> None:
    example = example_of(Difference(shape("Wx strange Ry | Wy Rx"), (("P0:r0", 0),), 1), "sc", "tso", "T")
    assert example.results is None
    assert xgen.parse(example.text).processes[0].name == "P0"
    assert "var x : int\n" in example.text


X86 = """X86 %s
{ }
 P0          | P1          ;
 MOV [x],$1  | %s  ;
 %s | MOV EAX,[x] ;
exists (%s)
"""


@pytest.fixture
def suite(tmp_path: Path) -> list[str]:
    """Store buffering, message passing (the wrong way round), and a test that cannot be run."""
    texts = {
        "SB": X86 % ("SB", "MOV [y],$1", "MOV EAX,[y]", "0:EAX=0 /\\ 1:EAX=0"),
        "MP": X86 % ("MP", "MOV EBX,[y]", "MOV [y],$1", "1:EBX=1 /\\ 1:EAX=0"),
        "bad": X86 % ("bad", "NOSUCH EAX", "MOV [y],$1", "1:EAX=0"),
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.litmus").write_text(text)
    return [str(tmp_path / f"{name}.litmus") for name in texts]


def test_a_suite(suite: list[str]) -> None:
    """Verdicts and states are compared; what cannot be run tells nothing."""
    pairs = list(compare_suite(under_both(suite, "sc", "tso"), Spread()))
    assert [(pair.answered, pair.differs) for pair in pairs] == [(True, True), (True, False), (False, False)]
    assert (pairs[0].states(0), pairs[0].states(1)) == ([], ["0:EAX=0; 1:EAX=0;"])


def test_cat_models_of_an_architecture(tmp_path: Path) -> None:
    """Two models are read for an architecture that both can be of."""
    (tmp_path / "a.cat").write_text("acyclic po | [A]; po as it")
    assert [c.name for c in load_pair(str(tmp_path / "a.cat"), "sc")[0].constraints] == ["it"]
    (tmp_path / "b.cat").write_text("acyclic nothing")
    with pytest.raises(ModelError, match="`nothing` is not defined"):
        load_pair(str(tmp_path / "b.cat"), "sc")
    with pytest.raises(UsageError):
        load_pair("sc", "nosuch")
