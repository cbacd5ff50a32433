"""The streams of the console (`std::cout` and its like): what is put into them is printed nowhere, as by `printf`.

They never fail, and any number of threads may print ([iostream.objects.overview]/5). What manipulators set (a width, a
base) is memory as any other: two threads that set it at once have a data race, as the standard has it. Letters that are
printed are read, of a text whose length is not known here the first one.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import TypeAlias

from xgen.frontends.limits import PRINTED
from xgen.frontends.llvm.language import unknown_sizes
from xgen.frontends.llvm.library.threads import Threads
from xgen.frontends.llvm.objects import CONSOLE, Object
from xgen.frontends.llvm.text.ir import Instruction
from xgen.frontends.llvm.values import Value, expression

Handler: TypeAlias = "Callable[[Threads, str, list[Value], Instruction], Value | None]"
_OTHER = "a stream other than `std::cout`, `std::cerr` and `std::clog`, or one that is not known here, is"
_ASKED = "asking `{}` for its buffer or its width, or giving it another buffer, is"


@cache
def handler(name: str) -> Handler | None:
    """What does what a function means, if it is one of a stream."""
    return next((found for pattern, found in _HANDLERS if pattern.match(name)), None)


def _stream(body: Threads, value: Value, inside: int = 0) -> str | None:
    """Which stream of the console a pointer leads to: so many bytes behind its start."""
    known = body.world.memory.globals
    return next((name for symbol, name in CONSOLE.items() if _is_at(known.get(symbol), value, inside)), None)


def _is_at(found: Object | None, value: Value, inside: int) -> bool:
    return found is not None and value == found.address + inside


def _elsewhere(body: Threads, name: str, arguments: list[Value]) -> Value | None:
    """What is done with another stream."""
    function = body.world.module.functions.get(name)
    if function is None:
        raise body.unsupported(_OTHER)
    return body.inside(function, arguments)


def _put(body: Threads, name: str, arguments: list[Value], _i: Instruction) -> Value | None:
    """A number, or nothing but a line's end: the stream is given back."""
    return _elsewhere(body, name, arguments) if _stream(body, arguments[0]) is None else arguments[0]


def _put_text(body: Threads, name: str, arguments: list[Value], _i: Instruction) -> Value | None:
    """So many letters."""
    stream, text, count = arguments
    if _stream(body, stream) is None:
        return _elsewhere(body, name, arguments)
    width = 1 if "IcNS" in name else 4
    if isinstance(count, int):
        for at in range(min(count, PRINTED)):
            body.load(body.moved(text, width * at), width)
    else:
        text, count = body.keep(text), body.keep(count)
        with unknown_sizes.ways(body), body.where_not_zero(expression(count)):
            body.load(text, width)
    return stream


def _put_string(body: Threads, name: str, arguments: list[Value], _i: Instruction) -> Value | None:
    """A string of C."""
    stream, text = arguments
    if _stream(body, stream) is None:
        return _elsewhere(body, name, arguments)
    body.load(text, 4 if "IwNS" in name else 1)
    return stream


def _asked(body: Threads, name: str, arguments: list[Value], _i: Instruction) -> Value | None:
    """What printing changes, or what is printed to; `ios_base` is a part of the stream."""
    for inside in (8, 16):
        if (stream := _stream(body, arguments[0], inside)) is not None:
            raise body.unsupported(_ASKED.format(stream))
    return _elsewhere(body, name, arguments)


def _mixed(body: Threads, _name: str, _arguments: list[Value], i: Instruction) -> Value:
    """`sync_with_stdio`: how the order of what is printed goes with that of C; it gives what it was before."""
    if i.name is not None and body.stack and body.stack[-1].uses(i.name):
        raise body.unsupported("the result of `std::ios::sync_with_stdio` is")
    return 1


_LETTERS = r"I[cw]NS_11char_traitsI[cw]EEE"
_GIVEN = r"(B\w+?)?I[cw]?(NS_11char_traitsI[cw]EE)?EE?RNS_13basic_ostreamI\w+?EE\w+?_"
"""In the names of functions that are given a stream: what such a one is."""
_HANDLERS: tuple[tuple[re.Pattern[str], Handler], ...] = (
    (re.compile(r"_ZNSt3__18ios_base15sync_with_stdioEb$"), _mixed),
    (re.compile(rf"_ZNSt3__113basic_ostream{_LETTERS}(lsE(b|s|t|i|j|l|m|x|y|f|d|e|PKv)|3putE[cw]|5flushEv)$"), _put),
    (re.compile(rf"_ZNSt3__1(4endl|4ends|5flush){_GIVEN}$"), _put),
    (re.compile(rf"_ZNSt3__1ls{_GIVEN}NS_11__thread_idE$"), _put),
    (re.compile(rf"_ZNSt3__1ls{_GIVEN}PK(c|w|S\w*_)$"), _put_string),
    (re.compile(rf"_ZNSt3__113basic_ostream{_LETTERS}5writeEPK[cw]l$"), _put_text),
    (
        re.compile(r"_ZNSt3__124__put_character_sequence(B\w+?)?I[cw]NS_11char_traitsI[cw]EEEERNS_13basic_ostream"),
        _put_text,
    ),
    (re.compile(rf"_ZNK?St3__1(9basic_ios{_LETTERS}5rdbuf|8ios_base5(width|rdbuf))(B\w+?)?E(v$|PN)"), _asked),
)
