"""`errno`, `realloc`, and what the bodies of functions stand on that are a few lines of C (include/library.c)."""

from __future__ import annotations

from collections.abc import Callable

from xgen.frontends.llvm.library.threads import Threads
from xgen.frontends.llvm.values import Value

ERRNO = "__errno_location"
"""What tells where a thread has its `errno`."""


def errno_of(body: Threads) -> int:
    """Where a thread has its `errno`, which is 0 at first."""
    return body.own_object("errno", "errno", 4).address


def set_errno(body: Threads, error: Value) -> None:
    """Gives `errno` a value, in a program that looks at it."""
    if ERRNO in body.world.module.declared:
        body.store(errno_of(body), error, 4)


def _errno_location(body: Threads, _arguments: list[Value]) -> Value:
    return errno_of(body)


def _set_errno(body: Threads, arguments: list[Value]) -> Value:
    set_errno(body, arguments[0])
    return 0


def _swap(body: Threads, arguments: list[Value]) -> Value:
    """Exchanges the bytes of two places."""
    one, other, count = arguments
    if not isinstance(count, int):
        raise body.unsupported("exchanging a number of bytes that is not known here is")
    one, other = body.keep(one), body.keep(other)
    parts = body.pieces(one, other, count)
    both = [
        [body.load_hollow(body.moved(place, at), width, copied=True) for at, width in parts] for place in (one, other)
    ]
    for place, values in zip((other, one), both, strict=True):
        for (at, width), value in zip(parts, values, strict=True):
            body.store(body.moved(place, at), value, width)
    return 0


def _realloc(body: Threads, arguments: list[Value]) -> Value:
    """New memory with what was in the old one, which is freed."""
    old, size = arguments
    if size == 0:
        body.fail("bad-allocation")
    if old == 0:
        return body.new(size, False, "malloc")
    found = body.world.memory.at(old) if isinstance(old, int) else None
    if found is None or not isinstance(size, int):
        raise body.unsupported("reallocating memory that is not known here is")
    if found.life != "heap" or found.address != old:
        body.fail("bad-free")
    return body.renew(old, found.size, 1, size)


HANDLERS: dict[str, Callable[[Threads, list[Value]], Value]] = {
    ERRNO: _errno_location,
    "__xgen_errno": _set_errno,
    "__xgen_swap": _swap,
    "realloc": _realloc,
}
