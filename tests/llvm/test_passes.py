"""What LLVM does before the reader: no access may be added, removed or moved."""

from __future__ import annotations

import pytest

from xgen.errors import InternalError
from xgen.frontends.llvm import passes

pytest.importorskip("llvmlite", reason="llvmlite reads IR: pip install 'xgen[cpp]'")
BODIES = {
    "two reads that nobody uses": ("%a = load i32, ptr @x\n  %b = load i32, ptr @x", 2, 0),
    "two reads": (
        "%a = load i32, ptr @x\n  %b = load i32, ptr @x\n  %s = add i32 %a, %b\n  store i32 %s, ptr @y",
        2,
        1,
    ),
    "two writes": ("store i32 1, ptr @x\n  store i32 2, ptr @x", 0, 2),
    "a read through a choice": (
        "%l = alloca i32\n  store i32 7, ptr %l\n  %p = select i1 %c, ptr %l, ptr @x\n  %a = load i32, ptr %p",
        1,
        0,
    ),
    "a local": ("%l = alloca i32\n  store i32 7, ptr %l\n  %a = load i32, ptr %l\n  store i32 %a, ptr @x", 0, 1),
    "atomic": ("%a = load atomic i32, ptr @x acquire, align 4\n  store atomic i32 1, ptr @x release, align 4", 1, 1),
}


@pytest.mark.parametrize("name", BODIES)
def test_accesses_are_kept(name: str) -> None:
    body, reads, writes = BODIES[name]
    text = f"@x = global i32 0\n@y = global i32 0\ndefine void @main(i1 %c) {{\n  {body}\n  ret void\n}}\n"
    left, _ = passes.accesses(passes.prepared([("a.ll", text)], {"main"}))
    assert sum(n for (_, op, _), n in left.items() if op == "load") >= reads
    assert sum(n for (_, op, _), n in left.items() if op == "store") == writes


def test_a_surplus_is_an_error_of_our_own() -> None:
    text = "@x = global i32 0\ndefine void @main() {\n  %a = load i32, ptr @x\n  ret void\n}\n"
    more = text.replace("  ret", "  %b = load i32, ptr @x\n  ret")
    passes._audit(more, text)
    with pytest.raises(InternalError, match="a pass of LLVM has added an access to memory in `main`"):
        passes._audit(text, more)
