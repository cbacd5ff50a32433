"""Small programs: which there are, and what they are as programs."""

from __future__ import annotations

from itertools import permutations

import pytest

import xgen
from xgen.analyses.compare.distinguish import outcomes
from xgen.errors import Source
from xgen.frontends.litmus import read_litmus
from xgen.memory.statics.vocabulary import Vocabulary
from xgen.program.printer import print_program
from xgen.shapes.shape import Access, Link, Shape, Thread
from xgen.shapes.shapes import decorated, program_of, shape_name, shapes
from xgen.shapes.writers import litmus_texts


def shape(text: str) -> Shape:
    """Threads as `Wx sync Ry@acquire | ...`; between accesses a fence, a dependency, both (`ctrl+isb`) or nothing."""
    threads = []
    for line in text.split("|"):
        accesses: list[Access] = []
        links: list[Link] = []
        link = Link()
        for word in line.split():
            if word[0] in "RW":
                name, _, tag = word.partition("@")
                accesses.append(Access(name[0], "xyz".index(name[1]), tag or None))  # type: ignore[arg-type]
                links.append(link)
                link = Link()
            else:
                parts = word.split("+")
                dependency = parts.pop(0) if parts[0] in ("addr", "data", "ctrl") else None
                link = Link(dependency, parts[0] if parts else None)  # type: ignore[arg-type]
        threads.append(Thread(tuple(accesses), tuple(links[1:])))
    return Shape(tuple(threads))


SB, MP, LB = shape("Wx Ry | Wy Rx"), shape("Wx Wy | Ry Rx"), shape("Rx Wy | Ry Wx")


@pytest.mark.parametrize(("accesses", "count"), [(1, 0), (2, 3), (3, 11), (4, 36), (5, 269), (6, 179)])
def test_how_many_shapes_there_are(accesses: int, count: int) -> None:
    assert len(list(shapes(accesses))) == count


def test_the_shapes_of_two_accesses() -> None:
    assert list(shapes(2)) == [shape("Wx Wx"), shape("Rx Wx"), shape("Wx Rx")]


def test_the_classic_shapes_are_among_them() -> None:
    """With one order of threads and one naming of variables; those without two writes to a variable come first."""
    found = list(shapes(4))
    assert [shape_name(one) for one in found[:8]] == ["SB", "MP", "LB", "S", "R", "2+2W", None, None]
    assert [shape_name(one) for one in shapes(5)][:6] == ["WRC", "RWC", "WWC", None, None, None]
    assert {SB, MP, LB, shape("Wx Wy | Ry Wx"), shape("Wx Wy | Wy Wx"), shape("Wx Wy | Wy Rx")} <= set(found)
    assert found.index(SB) < found.index(shape("Wx Wy | Wy Wx"))
    iriw = shape("Rx Ry | Ry Rx | Wx | Wy")
    assert iriw in list(shapes(6))


@pytest.mark.parametrize("accesses", [3, 4, 5])
def test_no_shape_comes_twice(accesses: int) -> None:
    seen: set[Shape] = set()
    for found in shapes(accesses):
        assert found not in seen
        for order in permutations(found.threads):
            names: dict[int, int] = {}
            threads = tuple(
                Thread(tuple(Access(a.kind, names.setdefault(a.variable, len(names))) for a in t.accesses), t.links)
                for t in order
            )
            seen.add(Shape(threads))


def test_tags_fences_and_dependencies() -> None:
    """Each place takes one of a kind; only a write can depend on data, and only on a read."""
    words = Vocabulary(None, ("acquire",), ("release",), ("sync",), ("addr", "data"))
    one = list(decorated(MP, 1, words))
    assert len(one) == 2 + 2 + 2 + 1
    assert shape("Wx Wy@release | Ry Rx") in one
    assert shape("Wx Wy | Ry addr Rx") in one
    both = list(decorated(LB, 2, words))
    assert shape("Rx data+sync Wy | Ry Wx") in both
    assert shape("Rx@acquire Wy | Ry Wx@release") in both
    assert not list(decorated(SB, 0, words))
    assert shape("Wx Wy@release | Ry addr+sync Rx").words == {"release", "addr", "sync"}


def test_a_shape_as_a_program() -> None:
    """The n-th write to a variable writes n."""
    text = print_program(program_of(shape("Wx sync Wx@release | Rx@acquire ctrl Rx addr Wx")))
    statements = [line.strip() for line in text.splitlines() if line.endswith(";")]
    assert statements == [
        "1 -> x[0];",
        "fence[sync];",
        "2 -> x[0] @ release;",
        "r0 <- x[0] @ acquire;",
        "assume r0 = 0;",
        "assume not r0 = 0;",
        "r1 <- x[0];",
        "3 -> x[r1 * 0];",
    ]


@pytest.mark.parametrize(
    ("text", "weak"),
    [
        ("Rx Wy | Ry Wx", True),
        ("Rx addr Wy | Ry data Wx", False),
        ("Rx addr Wy | Ry ctrl Wx", False),
        ("Rx data Wy | Ry Wx", True),
    ],
)
def test_dependencies_are_ordered_by_models_that_speak_of_them(text: str, weak: bool) -> None:
    model = xgen.parse_model("r = rf | addr | data | ctrl r acyclic")
    cycle = (("P0:r0", 1), ("P1:r0", 1), ("x", 1), ("y", 1))
    assert (cycle in outcomes(shape(text), model)) is weak


@pytest.mark.parametrize(
    ("text", "architectures"),
    [
        ("Wx Ry | Wy Rx", ["C", "X86", "AArch64", "RISCV", "PPC"]),
        ("Wx@relaxed Ry@relaxed | Wy Rx", ["C", "X86", "AArch64", "RISCV", "PPC"]),
        ("Wx mfence Ry | Wy Rx", ["X86"]),
        ("Wx dmb.st Wy | Ry addr Rx", ["AArch64"]),
        ("Wx lwsync Wy | Ry ctrl+isync Rx", ["PPC"]),
        ("Wx fence.w.w Wy@release | Ry Rx", ["RISCV"]),
        ("Wx seq_cst Wy@release | Ry@acquire Rx", ["C"]),
        ("Wx Wy@release | Ry@acquire_pc Rx", ["AArch64"]),
        ("Wx Wy | Ry addr Rx", ["AArch64", "RISCV", "PPC"]),
        ("Wx strange Wy | Ry Rx", []),
        ("Wx Wy | Ry addr+sync Rx", []),
        ("Wx Wy | Ry addr Rx@acquire", []),
    ],
)
def test_architectures_that_can_express_a_shape(text: str, architectures: list[str]) -> None:
    """What is written is read back, with the condition that was asked for."""
    texts = list(litmus_texts(shape(text), {"P1:r0": 0, "x": 1}, "T"))
    assert [written.split()[0] for written in texts] == architectures
    for written in texts:
        test = read_litmus(Source("t.litmus", written))
        assert [str(item).count("1:") for item in test.observed] in ([1, 0], [0, 1], [1], [0])
        assert "[x]=1" in written
