"""Barriers and latches of libraries at which threads meet, where it is known who comes and how often.

The library's own code counts arrivals, so there is an execution for each order of these, and blocked ones beside. It
runs where threads do not meet for certain: then it writes to the barrier, so that others do not take its number for
known either. That number is known where nobody changes it while there are threads. Where others may free the barrier,
it is looked at before and behind the meeting, as the library does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import TypeAlias

from xgen.frontends.library.call import ZERO, Call
from xgen.frontends.library.facts import ANYWHERE
from xgen.frontends.llvm.library.threads import Threads
from xgen.frontends.llvm.objects import Object
from xgen.frontends.llvm.text.ir import Module
from xgen.frontends.llvm.text.tokens import Global
from xgen.frontends.llvm.values import Value, number
from xgen.program.automaton import Binary, Conditional, IntLiteral

Place: TypeAlias = tuple[Object, int]
_WIDTH = 8
_ONE = IntLiteral(1)
_BARRIER = re.compile(r"_ZNSt3__17barrierINS_18__empty_completionEE15arrive_and_wait(B\w+?)?Ev$")
_LATCH = re.compile(r"_ZNSt3__15latch15arrive_and_wait(B\w+?)?El$")
"""Functions of libc++ whose objects begin with the number of threads that they are for."""
_OTHERS = re.compile(r"_ZNKSt3__15latch(4wait|8try_wait)(B\w+?)?Ev$|_ZNSt3__17barrierI\w+?E6arrive(B\w+?)?El$")
"""Who asks a latch for its number, or comes to a barrier and does not wait."""
_ARRIVES = re.compile(r"_ZNSt3__1(7barrierI\w+?E6arrive|5latch10count_down)")
Handler: TypeAlias = "Callable[[Threads, Call], Value | None]"


def handler(name: str, module: Module) -> Handler | None:
    """What does what a function means that waits for others at a barrier or a latch."""
    found = _known_by(name)
    if found is None or name in _OF_RUST:
        return found
    return found if name in module.functions and (_OTHERS.match(name) or _calls_arrive(module, name)) else None


@cache
def _known_by(name: str) -> Handler | None:
    if _BARRIER.match(name):
        return partial(_or_own, name, lambda body, call: _meet(body, call, None))
    if _LATCH.match(name):
        return partial(_or_own, name, _meet_at_latch)
    return partial(_or_own, name, _do_not_meet) if _OTHERS.match(name) else _OF_RUST.get(name)


def _calls_arrive(module: Module, name: str) -> bool:
    """Whether a function has a call of one that says that a thread has come: it is not optimised, and so all that is
    done to a barrier or a latch can be told by its name."""
    function = module.functions[name]
    calls = (i.about for block in function.lines for i in module.block(function, block) if i.op in ("call", "invoke"))
    return any(isinstance(about, Global) and _ARRIVES.match(about.name) for about in calls)


def _or_own(name: str, meets: Callable[[Threads, Call], bool], body: Threads, call: Call) -> Value | None:
    """Runs the library's function where threads do not meet."""
    return 0 if meets(body, call) else body.inside(body.world.module.functions[name], [*call.arguments])


def _meet_at_latch(body: Threads, call: Call) -> bool:
    if call.arguments[1] != 1:
        _refuse(call, _found(body, call))
        return False
    return _meet(body, call, "relaxed", once=True)


def _do_not_meet(body: Threads, call: Call) -> bool:
    """Somebody does something else at a barrier or a latch, perhaps before there are threads."""
    _refuse(call, _found(body, call))
    return False


def _meet(body: Threads, call: Call, order: str | None, once: bool = False) -> bool:
    """Waits until so many threads have come to a barrier as the number says to which the first argument leads; whether
    it is known that these meet. `order`: that with which the number is read; `once`: they may do so once."""
    place = call.arguments[0]
    found = _found(body, call)
    if not found:  # it leads nowhere, as far as is known: then this is a violation
        body.load(place, _WIDTH, order)
        return True
    key = (found[0][0].name, found[0][1])
    count = _known(body, *found[0])
    if len(found) > 1 or count is None:
        _refuse(call, found)
        return False
    body.end_single_threaded()
    call.barrier_is_for(key, count)
    at = call.round_at(key)
    if at is not None and once and at[0] > 0:
        _refuse(call, found)
        return False
    if at is not None:
        body.load(place, _WIDTH, order)
        call.meet(key, *at)
        body.load(place, _WIDTH, order)
        return True
    last = call.waits.last
    if call.thread in last.barriers.get(key, ()):
        if call.is_uncounted(key) or key in last.others:
            _refuse(call, found)
            return False
        call.waiting.others.add(key)
    body.load(place, _WIDTH, order)
    return True  # who comes may not be known yet: this translation is not the last


def _refuse(call: Call, found: Sequence[Place]) -> None:
    """The library's code runs at these barriers."""
    call.waits.uncounted.learn(*((each.name, offset) for each, offset in found))


def _found(body: Threads, call: Call) -> Sequence[Place]:
    """Where the first argument may lead; what is read there is asked again when the round is over."""
    pointer = call.arguments[0]
    if isinstance(pointer, int):
        at = body.found(pointer, _WIDTH)
        return () if at is None else (at,)
    targets, wild = body.world.points.targets(pointer, _WIDTH)
    if wild:
        call.waits.uncounted.learn(ANYWHERE)
    return [(found, offset) for found, offsets in targets for offset in offsets]


def _known(body: Threads, found: Object, offset: int) -> int | None:
    """The number at a place, if it is there before there are threads, and nobody changes it."""
    facts = body.facts
    changed = facts.is_overwritten(found, offset, _WIDTH) or facts.is_written(found, offset, _WIDTH)
    if changed or not found.at_first or found.dead or body.is_gone(found) or not found.has_value(offset, _WIDTH):
        return None
    number: int = found.read(offset, _WIDTH)
    return number


# ---- Rust


def _meets(body: Threads, call: Call) -> Value:
    return int(_meet(body, call, None))


def _leads(body: Threads, call: Call) -> Value:
    """Any of those that have met, where somebody asks."""
    found = _found(body, call)
    if "leader" not in body.facts.readers or len(found) != 1:
        return 0
    key = (found[0][0].name, found[0][1])
    met = call.beside(key, f"round{body.rounds.get(key, 0)}", 0, 1)
    is_first = Binary("=", call.change("cas", met, (ZERO, _ONE), "relaxed"), ZERO)
    return body.keep(number(Conditional(is_first, _ONE, ZERO)))


_OF_RUST: dict[str, Handler] = {"xgen_meet": _meets, "xgen_leads": _leads}
