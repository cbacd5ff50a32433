"""Writes the suite of this folder: the classic shapes with fences, dependencies and orders, for each architecture.

    python litmus/generate.py [FOLDER]

Tests are named as diy names them: the shape, then what stands between the accesses of each thread; "po" everywhere is
left out, and what is the same everywhere is named once, with an s. The orders of the two accesses follow, p for plain.
Pairs of exclusives are an order of writes; two more shapes are about their atomicity.
The expected verdicts, MODEL.csv in each folder, are what `xgen litmus --save` writes; whoever changes them has to say
which reference they were compared with.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from xgen.shapes.cycles import SHAPES, Access, Cycle, Shape, Step, decorate, slots
from xgen.shapes.writers import PAIRS, WRITERS, Writer

MAIN = ("SB", "MP", "LB", "S", "R", "2+2W", "WRC", "RWC", "ISA2", "IRIW")
COHERENCE = ("CoRR", "CoWW", "CoRW", "CoRW1", "CoWR")

# What to put between accesses, the strongest right after "po": the same everywhere; the strongest but in one place,
# and anything there in shapes with two links.
CHOICES = {
    "X86": ("po", "mfence"),
    "AArch64": ("po", "dmb.sy", "dmb.ld", "dmb.st", "addr", "data", "ctrl", "ctrlisb"),
    "RISCV": ("po", "fence.rw.rw", "fence.r.rw", "fence.rw.w", "fence.tso", "addr", "data", "ctrl"),
    "PPC": ("po", "sync", "lwsync", "eieio", "addr", "data", "ctrl", "ctrlisync"),
    "C": ("po", "fence.sc", "fence.rel", "fence.acq", "data"),
}


def fits(writer: Writer, via: str, kinds: str) -> bool:
    """Whether a link makes sense between accesses of these kinds."""
    if via in writer.dependencies:
        return kinds[0] == "R" and (via != "data" or kinds[1] == "W")
    return True


def linked(writer: Writer, name: str) -> Iterator[tuple[str, Cycle]]:
    """The shape with the architecture's links."""
    cycle = SHAPES[name]
    links = slots(cycle)
    kinds = [a.kind + b.kind for a, b, _ in links]
    choices = [[via for via in CHOICES[writer.arch] if fits(writer, via, kind)] for kind in kinds]
    everywhere = [via for via in CHOICES[writer.arch] if all(via in choice for choice in choices)]
    picked = {(via,) * len(links) for via in everywhere}
    for place, choice in enumerate(choices):
        others = choice if len(links) == 2 else ["po"]
        picked |= {tuple(via if n == place else c[1] for n, c in enumerate(choices)) for via in others}
    for vias in sorted(picked):
        yield label(name, list(vias)), decorate(cycle, vias)


def ordered(writer: Writer, name: str) -> Iterator[tuple[str, Cycle]]:
    """The shape with an order on all its reads, on all its writes, or on both."""
    cycle = SHAPES[name]
    letters = {kind: writer.orders[kind] for kind in "RW"}
    for reads, writes in product(["", *letters["R"]], ["", *letters["W"]]):
        if not (reads or writes) or (writer.arch == "C" and "seq_cst" in (reads, writes) and reads != writes):
            continue
        used = [[reads if access.kind == "R" else writes for access in section.accesses] for section in cycle.sections]
        plain = "rlx" if writer.arch == "C" else "p"
        vias = [
            "po" + "".join(letters[a.kind].get(order, plain) for a, order in zip(section.accesses, given, strict=True))
            for section, given in zip(cycle.sections, used, strict=True)
            if section.links
        ]
        if any(order for orders in used for order in orders):
            yield label(name, vias), decorate(cycle, ["po"] * len(slots(cycle)), used)


def pairs(writer: Writer) -> Iterator[tuple[str, Shape]]:
    """What exclusive pairs forbid: that two that succeed read the same, that a write comes between."""
    for order in (order for order in PAIRS if order in writer.orders["W"]):
        letter = writer.orders["W"][order]
        pair = Step(Access("W", order), "x", 1, None, old=0)
        twice = (pair,), (Step(Access("W", order), "x", 2, None, old=0),)
        yield f"LostUpdate+{letter}s", Shape(twice, ())
        between = (pair,), (Step(Access("W"), "x", 2, None),)
        yield f"Between+{letter}", Shape(between, (("x", 1),))


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
            found.setdefault(test, writer.write(test, cycle))
    return found | {name: writer.write_shape(name, shape) for name, shape in pairs(writer)}


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
