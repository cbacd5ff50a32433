"""Shapes as litmus tests, in the formats of the architectures that have what they are made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from xgen.shapes import cycles
from xgen.shapes.shapes import VARIABLES, Access, Link, Shape
from xgen.shapes.writers import WRITERS, Writer

_ORDERS: Mapping[str, Mapping[str | None, str]] = {
    "C": {"relaxed": "", "acquire": "acquire", "release": "release", "seq_cst": "seq_cst"},
    "AArch64": {"acquire": "A", "acquire_pc": "Q", "release": "L"},
    "RISCV": {"acquire": "aq", "release": "rl"},
}
"""How the writers call the tags of accesses; an access without a tag has no order anywhere."""

_C_FENCES = {"acquire": "fence.acq", "release": "fence.rel", "acq_rel": "fence.ar", "seq_cst": "fence.sc"}
_WITH_CONTROL = ("isb", "isync", "fence.i")
"""Fences that the writers put behind a branch."""


def litmus_texts(shape: Shape, condition: Mapping[str, int], name: str) -> Iterator[str]:
    """The shape as litmus tests, in C first, then for the architectures that can express it.

    `condition` has the final values, by the names that `program_of` gives, that the test asks for.
    """
    for arch in ("C", *(arch for arch in WRITERS if arch != "C")):
        steps = _steps(shape, condition, arch)
        if steps is not None:
            finals = tuple((variable, value) for variable, value in condition.items() if ":" not in variable)
            yield WRITERS[arch].write_shape(name, cycles.Shape(steps, finals))


def _steps(shape: Shape, condition: Mapping[str, int], arch: str) -> tuple[tuple[cycles.Step, ...], ...] | None:
    """The threads as the writer of an architecture takes them; None where it has no words for something."""
    threads = []
    for number, (thread, values) in enumerate(zip(shape.threads, shape.values(), strict=True)):
        steps = []
        for i, (access, value) in enumerate(zip(thread.accesses, values, strict=True)):
            link = thread.links[i - 1] if i else None
            via = _via(link, WRITERS[arch]) if link else "po"
            order = _order(access, arch, indexed=via == "addr")
            if via is None or order is None:
                return None
            seen = condition.get(f"P{number}:r{value}") if access.kind == "R" else value
            before = None if link is None else cycles.Link(via)
            steps.append(cycles.Step(cycles.Access(access.kind, order), VARIABLES[access.variable], seen, before))
        threads.append(tuple(steps))
    return tuple(threads)


def _order(access: Access, arch: str, indexed: bool) -> str | None:
    """The writer's word for an access's tag; None if it has none."""
    if access.tag is None or access.tag == "relaxed":
        return ""
    order = _ORDERS.get(arch, {}).get(access.tag)
    known = order is not None and order in WRITERS[arch].orders[access.kind] and not indexed
    return order if known else None


def _via(link: Link, writer: Writer) -> str | None:
    """The writer's word for what stands between two accesses; None if it has none."""
    fence = _C_FENCES.get(link.fence or "", link.fence) if writer.arch == "C" else link.fence
    if link.dependency is None:
        return "po" if fence is None else fence if fence in writer.fences else None
    via = link.dependency if fence is None else f"{link.dependency}{fence}"
    if fence is not None and (link.dependency != "ctrl" or fence not in _WITH_CONTROL):
        return None
    return via if via in writer.dependencies else None
