"""Threads that return before others come to a barrier of their block, which do not wait for them (PTX ISA, `exit`)."""

from __future__ import annotations

import pytest

from tests.ptx.kernels import check, kernel, kind, program
from xgen.errors import UnsupportedError

START = "mov.u32 %r1, %tid.x; setp.ge.u32 %p1, %r1, 2; mov.u64 %d1, s; mul.wide.u32 %d2, %r1, 4; add.u64 %d3, %d1, %d2;"
FINISH = """st.shared.u32 [%d3], %r1; BARRIER xor.b32 %r2, %r1, 1; mul.wide.u32 %d4, %r2, 4; add.u64 %d4, %d1, %d4;
ld.shared.u32 %r3, [%d4]; setp.eq.u32 %p2, %r3, %r2; @%p2 bra $E; trap; $E:"""
SHARED = ".shared .align 4 .u32 s[4]; .global .align 4 .u32 x;"


@pytest.mark.parametrize(
    ("returns", "barrier", "told"),
    [
        ("@%p1 ret;", "bar.sync 0;", "safe"),
        ("@%p1 exit;", "bar.sync 0; bar.sync 0;", "safe"),
        ("@%p1 exit;", "bar.sync 0; bar.sync 1; bar.sync 0;", "safe"),
        ("@%p1 exit;", "bar.sync 0; bar.warp.sync 3; bar.sync 0;", "safe"),
        ("bar.sync 0; @%p1 exit;", "bar.sync 0;", "safe"),
        ("bar.sync 1; @%p1 exit;", "bar.sync 0;", "safe"),
        ("@%p1 exit;", "", "race"),
        ("@%p1 exit;", "bar.sync 0, 96;", "barrier"),
        ("$L: @%p1 bra $L;", "bar.sync 0;", "await"),
    ],
)
def test_others_do_not_wait(returns: str, barrier: str, told: str) -> None:
    """For a barrier of a number of threads, and where a thread has not returned, they do."""
    text = kernel(START + returns + FINISH.replace("BARRIER", barrier), SHARED)
    assert kind(check(text, "k<<<1,3>>>()", model="cuda")) == told


@pytest.mark.parametrize("value", [0, 7])
def test_who_has_returned_orders_nothing(value: int) -> None:
    """What it has written before may be seen behind the barrier or not."""
    body = f"{START} @!%p1 bra $N; st.volatile.global.u32 [x], 7; exit; $N: bar.sync 0; "
    body += f"ld.volatile.global.u32 %r3, [x]; setp.ne.u32 %p2, %r3, {value}; @%p2 bra $E; trap; $E:"
    assert kind(check(kernel(body, SHARED), "k<<<1,3>>>()", model="cuda")) == "exit"


def test_it_is_noted() -> None:
    text = kernel(START + "@%p1 exit;" + FINISH.replace("BARRIER", "bar.sync 0;"), SHARED)
    (note,) = program(text, "k<<<1,3>>>()").remarks
    assert "a thread returns before others come to a barrier" in note
    assert program(text, "k<<<1,2>>>()").remarks == ()


@pytest.mark.parametrize("other", ["bar.sync 1; bar.sync 0;", "bar.sync 1;"])
def test_barriers_in_two_orders_are_refused(other: str) -> None:
    body = START + "ld.volatile.global.u32 %r4, [x]; setp.eq.u32 %p3, %r4, 0; st.volatile.global.u32 [x], 1;"
    body += f"@%p1 exit; @%p3 bra $O; bar.sync 0; bar.sync 1; ret; $O: {other}"
    with pytest.raises(UnsupportedError, match="come to several barriers"):
        program(kernel(body, SHARED), "k<<<1,3>>>()")
