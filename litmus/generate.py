"""Writes the suite of this folder: the classic shapes with fences, dependencies and orders, for each architecture.

    python litmus/generate.py [FOLDER]

Tests are named as diy names them: the shape, then what stands between the accesses of each thread; "po" everywhere is
left out, and what is the same everywhere is named once, with an s. The orders of the two accesses follow, p for plain.
Pairs of exclusives are a tag of writes; two more shapes are about their atomicity.
The expected verdicts, MODEL.csv in each folder, are what `xgen litmus --save` writes; whoever changes them has to say
which reference they were compared with.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from xgen.shapes.cycles import SHAPES, Cycle, asking_for, decorate, slots
from xgen.shapes.shape import Access, Link, Shape, Test, Thread
from xgen.shapes.writers import PAIRS, WRITERS, Writer

MAIN = ("SB", "MP", "LB", "S", "R", "2+2W", "WRC", "RWC", "ISA2", "IRIW")
COHERENCE = ("CoRR", "CoWW", "CoRW", "CoRW1", "CoWR")

PLAIN, ADDR, DATA, CTRL = Link(), Link("addr"), Link("data"), Link("ctrl")


def fences(*tags: str) -> Iterator[Link]:
    """Links that are fences."""
    return (Link(fence=tag) for tag in tags)


# What to put between accesses, the strongest right after nothing: the same everywhere; the strongest but in one place,
# and anything there in shapes with two links.
CHOICES = {
    "X86": (PLAIN, *fences("mfence")),
    "AArch64": (PLAIN, *fences("dmb.sy", "dmb.ld", "dmb.st"), ADDR, DATA, CTRL, Link("ctrl", "isb")),
    "RISCV": (PLAIN, *fences("fence.rw.rw", "fence.r.rw", "fence.rw.w", "fence.tso"), ADDR, DATA, CTRL),
    "PPC": (PLAIN, *fences("sync", "lwsync", "eieio"), ADDR, DATA, CTRL, Link("ctrl", "isync")),
    "C": (PLAIN, *fences("seq_cst", "release", "acquire"), DATA),
}
SHORT = {"seq_cst": "fence.sc", "release": "fence.rel", "acquire": "fence.acq"}
"""How names of tests call C's fences."""


def word(link: Link) -> str:
    """What names of tests call a link."""
    return f"{link.dependency or ''}{SHORT.get(link.fence or '', link.fence or '')}" or "po"


def fits(link: Link, before: Access, after: Access) -> bool:
    """Whether a link makes sense between two accesses."""
    return link.dependency is None or (before.kind == "R" and (link.dependency != "data" or after.kind == "W"))


def linked(writer: Writer, name: str) -> Iterator[tuple[str, Cycle]]:
    """The shape with the architecture's links."""
    cycle = SHAPES[name]
    choices = [[link for link in CHOICES[writer.arch] if fits(link, *pair)] for pair in slots(cycle)]
    everywhere = [link for link in CHOICES[writer.arch] if all(link in choice for choice in choices)]
    picked = {(link,) * len(choices) for link in everywhere}
    for place, choice in enumerate(choices):
        others = choice if len(choices) == 2 else [PLAIN]
        picked |= {tuple(link if n == place else c[1] for n, c in enumerate(choices)) for link in others}
    for links in sorted(picked, key=lambda links: [word(link) for link in links]):
        yield label(name, [word(link) for link in links]), decorate(cycle, links)


def ordered(writer: Writer, name: str) -> Iterator[tuple[str, Cycle]]:
    """The shape with a tag on all its reads, on all its writes, or on both."""
    cycle = SHAPES[name]
    letters = {kind: writer.tags[kind] for kind in "RW"}
    for reads, writes in product(["", *letters["R"]], ["", *letters["W"]]):
        if not (reads or writes) or (writer.arch == "C" and "seq_cst" in (reads, writes) and reads != writes):
            continue
        threads = cycle.shape.threads
        used = [[reads if access.kind == "R" else writes for access in thread.accesses] for thread in threads]
        plain = "rlx" if writer.arch == "C" else "p"
        vias = [
            "po" + "".join(letters[a.kind].get(tag, plain) for a, tag in zip(thread.accesses, given, strict=True))
            for thread, given in zip(threads, used, strict=True)
            if thread.links
        ]
        if any(tag for tags in used for tag in tags):
            yield label(name, vias), decorate(cycle, [PLAIN] * len(slots(cycle)), used)


def pairs(writer: Writer) -> Iterator[tuple[str, Test]]:
    """What exclusive pairs forbid: that two that succeed read the same, that a write comes between."""
    for tag in (tag for tag in PAIRS if tag in writer.tags["W"]):
        letter = writer.tags["W"][tag]
        pair, write = (Thread((Access("W", 0, other),), ()) for other in (tag, None))
        yield f"LostUpdate+{letter}s", Test(Shape((pair, pair)), ((1,), (2,)), old=0)
        yield f"Between+{letter}", Test(Shape((pair, write)), ((1,), (2,)), (("x", 1),), old=0)


def label(name: str, vias: list[str]) -> str:
    """The test's name."""
    if all(via == "po" for via in vias):
        return name
    if len(vias) > 1 and len(set(vias)) == 1:
        return f"{name}+{vias[0]}s"
    return "+".join([name, *vias])


def tests(writer: Writer) -> dict[str, str]:
    """All tests of an architecture: name and text."""
    found: dict[str, str] = {}
    for name in (*MAIN, *COHERENCE):
        variants = [*linked(writer, name), *ordered(writer, name)] if name in MAIN else [(name, SHAPES[name])]
        for test, cycle in variants:
            found.setdefault(test, writer.write(test, asking_for(cycle)))
    return found | {name: writer.write(name, test) for name, test in pairs(writer)}


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent)
    for arch, writer in WRITERS.items():
        here = folder / arch
        here.mkdir(parents=True, exist_ok=True)
        for old in here.glob("*.litmus"):
            old.unlink()
        texts = tests(writer)
        for name, text in texts.items():
            (here / f"{name}.litmus").write_text(text, encoding="utf-8")
        print(f"{arch}: {len(texts)} tests")


if __name__ == "__main__":
    main()
