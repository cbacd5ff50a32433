"""Lengths that are not known: memory of one of a few sizes, bytes that are copied, set and compared part by part.

How large the parts are is what the length is a multiple of, as a vector copies whole elements. There is a bound on how
many there are; an execution that needs more, or another size, is cut.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from xgen.frontends.limits import PARTS
from xgen.frontends.llvm.language.choices import choices
from xgen.frontends.llvm.language.interpreter import Interpreter
from xgen.frontends.llvm.text.ir import Function
from xgen.frontends.llvm.values import Either, Register, Uninitialised, Value, condition, expression
from xgen.frontends.multiples import Multiple, multiple, part_of
from xgen.program import automaton as xcfa
from xgen.program.automaton import Binary, IntLiteral, Name, Unary

SIZES = (1, 2, 3, 4, 8, 12, 16, 24, 32)
"""So many elements memory may have whose size is not known here: a vector has 4, 8 or 16 elements."""
LENGTHS = (*range(1, 17), 24, 32)
"""The same of what is made of bytes, as texts are."""
GROWN = (1, 2, 3, 4, 6, 8)
"""The same of C++ and C: a vector that grows has twice as many each time."""
_FORMATS = "13__xgen_formatI"


class Bytes(Interpreter):
    """What is done with a number of bytes that is known; `Calls` has it."""

    stack: list[Function]
    """The functions whose bodies are being followed, the innermost last."""

    pieces: Callable[[Value, Value | None, int], list[tuple[int, int]]]
    carry: Callable[[Value, Value, int], None]
    set_bytes: Callable[[Value, Value, Value], None]
    compare_bytes: Callable[[Value, Value, int], Value]


# ---- memory


def one_of(calls: Bytes, size: Value, zeroed: bool, base: str) -> Value:
    """An object of one of a few sizes: those that the size may be, or those of some elements."""
    numbers = {local: calls.variables[local].initial for local in calls.own.values()}

    def initial(name: str) -> int | None:
        first = numbers.get(name)
        return None if first is None else first[0].value if first and isinstance(first[0], IntLiteral) else 0

    sizes = None if calls.looping else choices(expression(size), calls.steps, initial)
    if not sizes:
        return of_elements(calls, size, multiple(expression(size), calls.steps), zeroed, base, GROWN)
    return _of_sizes(calls, size, sorted(sizes), xcfa.Assume(xcfa.BoolLiteral(False), calls.position), zeroed, base)


def of_elements(
    calls: Bytes, size: Value, element: Multiple, zeroed: bool, base: str, counts: tuple[int, ...] | None = None
) -> Value:
    """An object of some elements (so many as one of `counts`), and of what is there besides."""
    if counts is None:
        counts = LENGTHS if element == Multiple(1, 0) else SIZES
    what = f"{element.of} bytes" + (f" and {element.more} more" if element.more else "")
    counts = (0, *counts) if element.more > 0 else counts
    few = f"{', '.join(map(str, counts[:-1]))} or {counts[-1]}"
    cut = xcfa.Cut(calls.position, f"memory of another size than {few} times {what} is allocated here")
    sizes = (element.more + element.of * count for count in counts)
    return _of_sizes(calls, size, [each for each in sizes if each > 0], cut, zeroed, base)


def _of_sizes(calls: Bytes, size: Value, sizes: Iterable[int], else_: xcfa.Statement, zeroed: bool, base: str) -> Value:
    """An object for each size that memory may have; `else_` is what comes of another one: nothing goes on there."""
    place, end, made = calls.fresh(), calls.label(), list[Value]()
    with ways(calls):
        for each in sizes:
            following = calls.label()
            calls.branch(Unary("not", Binary("=", expression(size), IntLiteral(each))), following)
            made.append(calls.new(each, zeroed, base))
            calls.assign(place, expression(made[-1]))
            calls.branch(None, end)
            calls.emit(following)
        calls.emit(else_)
        calls.branch(None, "")
        calls.emit(end)
    return Register(Name(place), Either(made))


def or_else(calls: Bytes, given: Callable[[], Value], fails: int, error: Callable[[], None] | None = None) -> Value:
    """What is `given`, or, where the options say that there may be no memory, what says so."""
    if calls.world.options.malloc is None:
        return given()
    calls.end_single_threaded()
    result, otherwise, end = calls.fresh(), calls.label(), calls.label()
    with ways(calls):
        calls.branch(Binary("=", calls.any_of((0, 1)), IntLiteral(0)), otherwise)
        found = given()
        calls.assign(result, expression(found))
        calls.branch(None, end)
        calls.emit(otherwise)
        if error is not None:
            error()
        calls.assign(result, IntLiteral(fails))
        calls.emit(end)
    return Register(Name(result), Either([found, fails]))


# ---- bytes


def copy(calls: Bytes, to: Value, source: Value, count: Value) -> None:
    """All parts are read before one is written: the places may overlap."""
    to, source, count = calls.keep(to), calls.keep(source), calls.keep(count)
    size, end, filled = part_of(expression(count), calls.steps), calls.label(), calls.label()
    parts = calls.pieces(to, source, size)
    read: list[list[Value]] = []
    with ways(calls):
        for at in _each(calls, count, size, end, "copied"):
            read.append(
                [calls.load_uninitialised(calls.moved(source, at + each), width, copied=True) for each, width in parts]
            )
        calls.emit(end)
        for at, values in zip(_each(calls, count, size, filled, None), read, strict=True):
            for (each, width), value in zip(parts, values, strict=True):
                calls.store(calls.moved(to, at + each), value, width)
        calls.emit(filled)
    if any(width < 8 for _, width in parts):
        calls.carry(to, source, size * _most(calls))


def set_bytes(calls: Bytes, to: Value, byte: int | Uninitialised, count: Value) -> None:
    """memset."""
    to, count = calls.keep(to), calls.keep(count)
    size, end = part_of(expression(count), calls.steps), calls.label()
    with ways(calls):
        for at in _each(calls, count, size, end, "set"):
            calls.set_bytes(calls.moved(to, at), byte, size)
        calls.emit(end)


def compare_bytes(calls: Bytes, one: Value, other: Value, count: Value) -> Value:
    """memcmp: 0, or the sign of the difference of the first bytes that differ."""
    one, other, count = calls.keep(one), calls.keep(other), calls.keep(count)
    size, end, result = part_of(expression(count), calls.steps), calls.label(), calls.fresh()
    calls.assign(result, IntLiteral(0))
    with ways(calls):
        for at in _each(calls, count, size, end, "compared"):
            differs = calls.compare_bytes(calls.moved(one, at), calls.moved(other, at), size)
            calls.assign(result, expression(differs))
            calls.branch(condition(differs), end)
        calls.emit(end)
    return Register(Name(result), Either(), 32)


def known_text(calls: Bytes, name: str, pointer: Value) -> bytes:
    """A string of the program, which has to be known."""
    found = bytearray()
    while True:
        byte = calls.load(calls.moved(pointer, len(found)), 1)
        if not isinstance(byte, int):
            raise calls.unsupported(f"`{name}` of what is not known here is")
        if byte == 0:
            return bytes(found)
        found.append(byte & 255)


def _each(calls: Bytes, count: Value, size: int, end: str, what: str | None) -> Iterator[int]:
    """Where the parts start; behind the last one it goes on at a label. `what` is done with them, for the first time:
    behind the last part that there may be, the thread is cut."""
    most = _most(calls)
    for number in range(most):
        calls.branch(Binary("=", expression(count), IntLiteral(size * number)), end)
        yield size * number
    if what is not None:
        calls.branch(Binary("=", expression(count), IntLiteral(size * most)), end)
        of = f" of {size} bytes" if size > 1 else ""
        calls.emit(xcfa.Cut(calls.position, f"more than {most} {'parts' if of else 'bytes'}{of} are {what} here"))
        calls.branch(None, "")


def _most(calls: Bytes) -> int:
    """So many parts what is copied has at most: texts that `std::format` makes are longer than others."""
    return 4 * PARTS if any(_FORMATS in function.name for function in calls.stack) else PARTS


@contextmanager
def ways(calls: Bytes) -> Iterator[None]:
    """What is emitted inside is done on some ways only."""
    was, calls.on_one_path = calls.on_one_path, False
    try:
        yield
    finally:
        calls.on_one_path = was
