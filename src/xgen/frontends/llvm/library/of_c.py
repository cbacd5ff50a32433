"""`errno`, memory that is asked for, and what bodies of functions stand on that are texts of C (library.c)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from xgen.frontends.library.call import INVALID, NO_MEMORY
from xgen.frontends.limits import LARGEST
from xgen.frontends.llvm.language.calls import alignment_of
from xgen.frontends.llvm.language.unknown_sizes import or_else, ways
from xgen.frontends.llvm.library.threads import Threads
from xgen.frontends.llvm.values import Value, expression
from xgen.program.automaton import Binary, Cut, IntLiteral

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
        [body.load_uninitialised(body.moved(place, at), width, copied=True) for at, width in parts]
        for place in (one, other)
    ]
    for place, values in zip((other, one), both, strict=True):
        for (at, width), value in zip(parts, values, strict=True):
            body.store(body.moved(place, at), value, width)
    return 0


def _or_null(body: Threads, size: Value, zeroed: bool = False, aligned: int = 1) -> Value:
    """Memory; or null, with `errno`, where the options say that it may fail, or where it is more than there may be."""
    if isinstance(size, int) and size % 2**64 > LARGEST:
        set_errno(body, NO_MEMORY)
        return 0
    return or_else(body, lambda: _memory(body, size, zeroed, aligned), 0, lambda: set_errno(body, NO_MEMORY))


def _memory(body: Threads, size: Value, zeroed: bool, aligned: int) -> Value:
    if size == 0:
        body.fail("bad-allocation")
    return body.new_by("malloc", size, zeroed, "malloc", aligned)


def _malloc(body: Threads, arguments: list[Value]) -> Value:
    return _or_null(body, arguments[0])


def _calloc(body: Threads, arguments: list[Value]) -> Value:
    count, size = arguments
    if isinstance(count, int) and isinstance(size, int):
        return _or_null(body, min((count % 2**64) * (size % 2**64), LARGEST + 1), True)
    return _or_null(body, body.compute("mul", count, size, 64), True)


def _aligned_alloc(body: Threads, arguments: list[Value], *, of_multiples: bool = True) -> Value:
    """An alignment is a power of two, of which aligned_alloc's size is a multiple; memalign's may be any."""
    aligned, size = alignment_of(body, arguments[0]), arguments[1]
    odd = of_multiples and isinstance(size, int) and size % max(aligned, 1)
    if aligned <= 0 or aligned & (aligned - 1) or odd:
        body.fail("bad-allocation")
    return _or_null(body, size, False, aligned)


def _posix_memalign(body: Threads, arguments: list[Value]) -> Value:
    """The pointer is written where the first argument leads to."""
    aligned = alignment_of(body, arguments[1])
    if aligned < 8 or aligned & (aligned - 1):
        return INVALID

    def given() -> Value:
        body.store(arguments[0], _memory(body, arguments[2], False, aligned), 8)
        return 0

    return or_else(body, given, NO_MEMORY)


def _realloc(body: Threads, arguments: list[Value]) -> Value:
    """New memory with what was in the old one, which is freed."""
    if isinstance(arguments[1], int) and arguments[1] % 2**64 > LARGEST:
        return _or_null(body, arguments[1])
    return or_else(body, lambda: _renewed(body, *arguments), 0, lambda: set_errno(body, NO_MEMORY))


def _renewed(body: Threads, old: Value, size: Value) -> Value:
    if size == 0:
        body.fail("bad-allocation")
    if old == 0:
        return body.new_by("malloc", size, False, "malloc")
    if not isinstance(old, int) and isinstance(size, int):
        return _renewed_any(body, old, size)
    found = body.world.memory.at(old) if isinstance(old, int) else None
    if found is None or not isinstance(size, int):
        raise body.unsupported("reallocating memory that is not known here is")
    if found.life != "heap" or found.address != old:
        body.fail("bad-free")
    return body.renew(old, found.size, 1, size)


def _renewed_any(body: Threads, old: Value, size: int) -> Value:
    """The same where it is not known which memory is the old one: any that the pointer may come from."""
    at, old, end = body.world.memory.at, body.keep(old), body.label()
    allocated = {address: at(address) for address in sorted(body.world.points.addresses(old))}
    new = body.new_by("malloc", size, False, "malloc")
    with ways(body):
        body.branch(Binary("=", expression(old), IntLiteral(0)), end)
        for address, found in allocated.items():
            if found is None or found.life != "heap" or found.address != address:
                continue
            following = body.label()
            body.branch(Binary("/=", expression(old), IntLiteral(address)), following)
            body.copy_bytes(new, address, min(size, found.size))
            body.delete(address)
            body.branch(None, end)
            body.emit(following)
        body.emit(Cut(body.position, "memory that is not known here gets another size"))
        body.branch(None, "")
        body.emit(end)
    return new


HANDLERS: dict[str, Callable[[Threads, list[Value]], Value]] = {
    ERRNO: _errno_location,
    "__xgen_errno": _set_errno,
    "__xgen_swap": _swap,
    "malloc": _malloc,
    "valloc": _malloc,
    "calloc": _calloc,
    "aligned_alloc": _aligned_alloc,
    "memalign": partial(_aligned_alloc, of_multiples=False),
    "posix_memalign": _posix_memalign,
    "realloc": _realloc,
}
