"""Barriers and latches of libraries at which threads meet, where it is known who comes and how often.

The library's own code counts arrivals, so there is an execution for each order of these, and blocked ones beside. It
runs where threads do not meet for certain: then it writes to the barrier, so that others do not take its number for
known either. That number is known where nobody changes it while there are threads. Where others may free the barrier,
it is looked at before and behind the meeting, as the library does.

A barrier with a completion function is two meetings: behind the first one, one of the threads runs the function, and
all go on behind the second one. Which thread it is makes no difference if the function has nothing of its thread.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import TypeAlias

from xgen.frontends.library.call import ZERO, Call
from xgen.frontends.library.facts import ANYWHERE, Key
from xgen.frontends.llvm.library.threads import Threads
from xgen.frontends.llvm.objects import Object
from xgen.frontends.llvm.text.ir import Instruction, Module
from xgen.frontends.llvm.text.tokens import Global, Local, Number
from xgen.frontends.llvm.text.types import Struct, parts, size_of
from xgen.frontends.llvm.values import Value, number
from xgen.program.automaton import Binary, Conditional, IntLiteral

Place: TypeAlias = tuple[Object, int]
_WIDTH = 8
_ONE = IntLiteral(1)
_BARRIER = re.compile(r"_ZNSt3__17barrierINS_18__empty_completionEE15arrive_and_wait(B\w+?)?Ev$")
_COMPLETED = re.compile(r"_ZNSt3__17barrierI(?!NS_18__empty_completionE).+E15arrive_and_wait(B\w+?)?Ev$")
_LATCH = re.compile(r"_ZNSt3__15latch15arrive_and_wait(B\w+?)?El$")
"""Functions of libc++ whose objects begin with the number of threads that they are for."""
_OTHERS = re.compile(
    r"_ZNKSt3__15latch(4wait|8try_wait)(B\w+?)?Ev$|_ZNSt3__17barrierI.+E(6arrive(B\w+?)?El|15arrive_and_drop(B\w+?)?Ev)$"
)
"""Who asks a latch for its number, or comes to a barrier and does not wait, or never again."""
_ARRIVES = re.compile(
    r"_ZNSt3__1(7barrierI.+E(6arrive|15arrive_and_drop)|14__barrier_baseI.+E6arrive|5latch10count_down)(B\w+?)?E"
)
_OF_LIBRARY = re.compile(r"_ZNK?St3__1")
_OF_NO_THREAD = re.compile(r"llvm\.(?!threadlocal)|__assert_fail$|abort$")
"""Functions without a body that are the same in each thread."""
Handler: TypeAlias = "Callable[[Threads, Call], Value | None]"


def handler(name: str, module: Module) -> Handler | None:
    """What does what a function means that waits for others at a barrier or a latch."""
    found = _known_by(name)
    if found is None or name in _OF_RUST:
        return found
    if name not in module.functions:
        return None
    if _COMPLETED.match(name):
        completion = _completion(module, name)
        return None if completion is None else partial(_or_own, name, partial(_meet_and_complete, *completion))
    return found if _OTHERS.match(name) or _arrives(module, name) else None


@cache
def _known_by(name: str) -> Handler | None:
    if _BARRIER.match(name) or _COMPLETED.match(name):
        return partial(_or_own, name, lambda body, call: _meet(body, call, None))
    if _LATCH.match(name):
        return partial(_or_own, name, _meet_at_latch)
    return partial(_or_own, name, _do_not_meet) if _OTHERS.match(name) else _OF_RUST.get(name)


def _arrives(module: Module, name: str) -> str | None:
    """The function by which a function says that a thread has come. If it calls that, it is not optimised, and so all
    that is done to a barrier or a latch can be told by its name."""
    found = (i.about.name for i in _calls(module, name) if isinstance(i.about, Global) and _ARRIVES.match(i.about.name))
    return next(found, None)


def _calls(module: Module, name: str) -> list[Instruction]:
    return [i for i in _code(module, name) if i.op in ("call", "invoke")]


def _code(module: Module, name: str) -> list[Instruction]:
    function = module.functions.get(name)
    return [] if function is None else [i for block in function.lines for i in module.block(function, block)]


def _completion(module: Module, name: str) -> tuple[str, int] | None:
    """The completion function that is called when all have come, and where in the barrier its object is; None: it is
    not one function with a body in the program."""
    arrive = _arrives(module, name)
    base = _arrives(module, arrive) if arrive else None
    if base is None:
        return None
    called = [i for i in _calls(module, base) if not (isinstance(i.about, Global) and _OF_LIBRARY.match(i.about.name))]
    if len(called) != 1 or not isinstance(called[0].about, Global) or len(called[0].operands) != 1:
        return None
    function, argument = called[0].about.name, called[0].operands[0][1]
    made = (i for i in _code(module, base) if i.op == "getelementptr" and Local(i.name or "") == argument)
    offset = next(map(_distance, made), None)
    return (function, offset) if function in module.functions and offset is not None else None


def _distance(i: Instruction) -> int | None:
    """How far a `getelementptr` of a member, or of bytes, leads."""
    numbers = [operand.value for _, operand in i.operands[1:] if isinstance(operand, Number)]
    if len(numbers) == 2 == len(i.operands) - 1 and numbers[0] == 0 and isinstance(i.about, Struct):
        return parts(i.about)[numbers[1]][0]
    return numbers[0] * size_of(i.about) if len(numbers) == 1 == len(i.operands) - 1 else None


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


def _meet_and_complete(function: str, offset: int, body: Threads, call: Call) -> bool:
    return _meet(body, call, None, completes=(function, offset))


def _meet(
    body: Threads, call: Call, order: str | None, once: bool = False, completes: tuple[str, int] | None = None
) -> bool:
    """Waits until so many threads have come to a barrier as the number says to which the first argument leads; whether
    it is known that these meet. `order`: that with which the number is read; `once`: they may do so once; `completes`:
    the function that one of them runs then, and where in the barrier its object is."""
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
        if completes is None:
            call.meet(key, *at)
        else:
            _meet_twice(body, call, key, *at, completes[0], found[0][0].address + found[0][1] + completes[1])
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


def _meet_twice(
    body: Threads, call: Call, key: Key, round_: int, waiting: tuple[str, ...], completion: str, argument: int
) -> None:
    """Waits for the others, and until one of them has run a function."""
    function = body.world.module.functions[completion]
    call.meet(key, 2 * round_, waiting)
    if _is_of_no_thread(body, completion):
        if call.thread == waiting[0]:
            body.inside(function, [argument])
    else:
        done = call.beside(key, f"completed{round_}", 0, 1)
        is_first = Binary("=", call.change("cas", done, (ZERO, _ONE), "relaxed"), ZERO)
        with body.where_not_zero(Conditional(is_first, _ONE, ZERO)):
            body.inside(function, [argument])
    call.meet(key, 2 * round_ + 1, waiting)


def _is_of_no_thread(body: Threads, name: str) -> bool:
    """Whether a function, with all that it calls, is the same whoever runs it: it has no variable of its thread, no
    mutex that its thread holds, and nothing else that is not in the program."""
    module = body.world.module
    own = [f"@{each}" for each in body.world.memory.first]
    seen, left = {name}, [name]
    while left:
        function = module.functions[left.pop()]
        text = "\n".join(line for lines in function.lines.values() for line in lines).replace('"', "")
        called = [i.about for i in _calls(module, function.name)]
        if any(each in text for each in own) or not all(isinstance(about, Global) for about in called):
            return False
        for each in {about.name for about in called} - seen:
            if each in module.functions:
                left.append(each)
            elif not _OF_NO_THREAD.match(each):
                return False
            seen.add(each)
    return True


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
