"""What libc++ does in threads by means of the system: waiting for atomics, the time. Here it is what it means.

An atomic is waited for by asking again and again whether it has changed; notifying says nothing then. A clock stands
still, but for this thread, where it has waited for a time and that was over: so `wait_for` and its like say so.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import TypeAlias

from xgen.frontends import reals
from xgen.frontends.assembly import Branch
from xgen.frontends.library.call import NO_ENVIRONMENT
from xgen.frontends.library.ranges import numbers_of
from xgen.frontends.llvm.language.inputs import any_number
from xgen.frontends.llvm.library.threads import Threads
from xgen.frontends.llvm.text.ir import Function, Instruction
from xgen.frontends.llvm.text.tokens import Global, Local
from xgen.frontends.llvm.text.types import BOOL
from xgen.frontends.llvm.values import Either, Register, Value, condition, expression
from xgen.program import automaton as xcfa
from xgen.program.automaton import IntLiteral, Name, Unary

SUCCESS, OVER = 2, 3
"""What a wait gives that polls: what it waited for, or that the time is over."""
LATER = 1 << 50
"""So many nanoseconds, 13 days, are over when a thread has waited for a time in vain."""
ONE_IS_LATE = frozenset(
    [
        "pthread_cond_timedwait",
        "pthread_cond_clockwait",
        "cnd_timedwait",
        "pthread_mutex_timedlock",
        "pthread_mutex_clocklock",
        "mtx_timedlock",
        "sem_timedwait",
        "sem_clockwait",
    ]
)
"""Functions that wait for a time; what they give is not 0 if that is over."""
STANDS = "note: clocks stand still where nothing waits for a time: --nondet LO..HI explores other times"
Handler: TypeAlias = Callable[[Threads, str, list[Value], Instruction], Value]


@cache
def handler(name: str) -> Handler | None:
    """What does what a function means, if it is one of these."""
    return next((found for pattern, found in _HANDLERS if pattern.match(name)), None)


# ---- waiting


def _poll(body: Threads, name: str, arguments: list[Value], i: Instruction) -> Value:
    """`__libcpp_thread_poll_with_backoff(poll, backoff, most)`: until `poll` says so, or the time is over, if any."""
    asked = _asked(body, name)
    timed = len(arguments) > 2 and arguments[2] != 0

    def ask() -> Value:
        found = body.invoke(asked, [arguments[0]], i)
        assert found is not None
        return found

    if body.single_threaded:
        tick = body.world.steps
        if ask() == 1 and body.single_threaded:
            return SUCCESS
        if len(body.world.bodies) > 1:
            body.share_from(tick)
        body.end_single_threaded()
    result = body.fresh()
    was, body.on_one_path = body.on_one_path, False
    try:
        _until(body, ask, result, timed)
    finally:
        body.on_one_path = was
    if not timed:
        return SUCCESS
    found = Register(Name(result), Either(), 8)
    late(body, body.compare("eq", found, OVER))
    return found


def _until(body: Threads, ask: Callable[[], Value], result: str, timed: bool) -> None:
    head, end, over = body.label(), body.label(), body.label()
    if timed:
        body.emit(Branch(None, over, body.position, fork=True))
    body.branch(None, head)
    body.emit_head(head, f"{body.place_now}")
    body.looping += 1
    body.branch(Unary("not", condition(ask())), head)
    body.looping -= 1
    body.assign(result, IntLiteral(SUCCESS))
    if timed:
        body.branch(None, end)
        body.emit(over)
        body.emit(xcfa.Assume(Unary("not", condition(ask())), body.position))
        body.assign(result, IntLiteral(OVER))
    body.emit(end)


def _asked(body: Threads, name: str) -> str:
    """The function that says whether the wait is over: the first one that is called with the first argument."""
    function = body.world.module.functions[name]
    poll = Local(function.parameters[0][0])
    for block in function.lines:
        for i in body.world.module.block(function, block):
            if i.op in ("call", "invoke") and i.type == BOOL and [each for _, each in i.operands] == [poll]:
                assert isinstance(i.about, Global)
                return i.about.name
    raise body.unsupported(f"a wait by polling (`{name}`) of another library is")


def _lock_both(body: Threads, name: str, arguments: list[Value], i: Instruction) -> Value:
    """`std::lock` of two mutexes: the first is locked and the second tried; where that one is taken, the first is given
    back. Which calls these are is open (C++23, [thread.lock.algorithm]); libc++ goes on with the second one."""
    function = body.world.module.functions[name]
    if body.single_threaded:
        return body.inside(function, arguments) or 0
    first, second = arguments
    was, body.on_one_path = body.on_one_path, False
    body.stack.append(function)
    try:
        head, end = body.label(), body.label()
        body.branch(None, head)
        body.emit_head(head, f"{body.place_now}")
        body.looping += 1
        body.invoke("pthread_mutex_lock", [first], i)
        found = body.invoke("pthread_mutex_trylock", [second], i)
        assert found is not None
        body.branch(Unary("not", condition(found)), end)
        body.invoke("pthread_mutex_unlock", [first], i)
        body.invoke("pthread_mutex_lock", [second], i)  # it waits, as libc++'s does: who holds it may keep it
        body.invoke("pthread_mutex_unlock", [second], i)
        body.branch(None, head)
        body.looping -= 1
        body.emit(end)
    finally:
        body.stack.pop()
        body.on_one_path = was
    return 0


def _notify(_body: Threads, _name: str, _arguments: list[Value], _i: Instruction) -> Value:
    return 0


# ---- the time


def late(body: Threads, is_over: Value) -> None:
    """A thread has waited for a time, which is over or not."""
    place = body.own_object("time", "time", 8).address
    now = body.load(place, 8)
    body.store(place, body.compute("add", now, body.select(is_over, LATER, 0), 64), 8)


def _now(body: Threads, name: str, _arguments: list[Value], _i: Instruction) -> Value:
    """Nanoseconds; the clock of the system counts in microseconds."""
    told = now(body, name)
    if "system_clock" in name and body.world.options.nondet is None:
        return body.compute("sdiv", told, 1000, 64)
    return told


def now(body: Threads, name: str) -> Value:
    """What a clock tells; `name`: who asks."""
    if body.world.options.nondet is None:
        body.world.remarks[STANDS] = None
        return body.load(body.own_object("time", "time", 8).address, 8)
    return any_number(body, name, 64, numbers_of(64, True))


def _counted(body: Threads, name: str, arguments: list[Value], _i: Instruction) -> Value:
    """`time`, in seconds, also written where its argument leads to; `clock` and others, in microseconds."""
    told = now(body, name)
    if body.world.options.nondet is None:
        told = body.compute("sdiv", told, 10**9 if name == "time" else 10**3, 64)
    if name == "time" and arguments[0] != 0:
        told = body.keep(told)
        body.store(arguments[0], told, 8)
    return told


def _clock(body: Threads, name: str, arguments: list[Value], _i: Instruction) -> Value:
    """Writes seconds, and what is more of smaller ones; `timespec_get` gives its clock."""
    parts = 10**6 if name == "gettimeofday" else 10**9
    told, place = now(body, name), arguments[1 if name == "clock_gettime" else 0]
    if body.world.options.nondet is None:
        rest = body.compute("sdiv", body.compute("srem", told, 10**9, 64), 10**9 // parts, 64)
        told = body.compute("sdiv", told, 10**9, 64)
    else:  # each is any of the range
        rest = now(body, name)
        body.assume(body.compare("ult", rest, parts))
    body.store(place, told, 8)
    body.store(body.moved(place, 8), rest, 8)
    return arguments[1] if name == "timespec_get" else 0


def _sleep(body: Threads, name: str, arguments: list[Value], _i: Instruction) -> Value:
    """`sleep_for`, `sleep_until`: to the thread so much time is over then, or it is so late; `duration<long double>`
    leaves the clock as it was."""
    span = _SPAN.search(name)
    if span is None or span["number"] not in _WIDTHS or body.world.options.nondet is not None:
        return 0
    given = _nanoseconds(body, arguments[0], span)
    place = body.own_object("time", "time", 8).address
    told = body.load(place, 8)
    if "sleep_for" in name:
        then = body.compute("add", told, given, 64)
    else:
        then = body.select(body.compare("sgt", given, told), given, told)
    body.store(place, then, 8)
    return 0


def _nanoseconds(body: Threads, place: Value, span: re.Match[str]) -> Value:
    """A duration in memory, as `duration_cast` has it; of one below 0 none, of a very long one what never comes."""
    kind, width = span["number"], _WIDTHS[span["number"]]
    factor = Fraction(10**9) * int(span["seconds"]) / int(span["parts"])
    given, times = body.load(place, width), factor
    if kind in "fd":
        number = reals.resized(expression(given), width, 8)
        number = reals.arithmetic("fmul", number, IntLiteral(reals.bits_of(float(factor), 8)), 8)
        given, times = body.whole(reals.nearest_whole(number, 8, 64, True), 64), Fraction(1)
    elif kind in "htj":
        given = body.compute("and", given, (1 << 8 * width) - 1, 64)
    given, most = body.keep(given), _NEVER // times.numerator
    given = body.select(body.compare("sgt", given, 0), given, 0)
    given = body.select(body.compare("sgt", given, most), most, given)
    return body.compute("sdiv", body.compute("mul", given, times.numerator, 64), times.denominator, 64)


def _getenv(body: Threads, _name: str, _arguments: list[Value], _i: Instruction) -> Value:
    body.world.remarks[NO_ENVIRONMENT] = None
    return 0


# ---- texts of exceptions


def _message(body: Threads, name: str, arguments: list[Value], i: Instruction) -> Value:
    """What an error is called, which needs memory of a size that is known only where everything else is."""
    function = body.world.module.functions.get(name)
    if body.on_one_path and function is not None:
        body.inside(function, arguments)
        return 0
    return _no_text(body, name, arguments, i)


def _no_text(body: Threads, name: str, arguments: list[Value], i: Instruction) -> Value:  # noqa: ARG001
    """An empty string; also what the system calls an error, since nobody asks but to print it."""
    for place in range(0, 24, 8):
        body.store(body.moved(arguments[0], place), 0, 8)
    body.facts.silent.add(name)
    return 0


def _text(body: Threads, name: str, arguments: list[Value], i: Instruction) -> Value:  # noqa: ARG001
    """What an exception of the library keeps of its text: nothing, if that is not known somewhere."""
    function = body.world.module.functions.get(name)
    text = arguments[1] if len(arguments) > 1 else 0
    place = body.found(text, 1) if isinstance(text, int) and text else None
    silent = body.facts.silent
    if not silent and "PKc" in name and not body.on_one_path and (place is None or not place[0].constant):
        silent.add(name)
    if function is not None and not silent:
        found = body.inside(function, arguments)
        return 0 if found is None else found
    if "D" not in name.removeprefix(_TEXT):  # it is made, or becomes another one
        body.store(arguments[0], 0, 8)
    return arguments[0]


def _coded(body: Threads, name: str, arguments: list[Value], i: Instruction) -> Value:  # noqa: ARG001
    """`system_error(code, text)`, `future_error(code)`: without a text where not all is known, since strings cost much.

    Then it is its table of functions, a text that is not there, and the code: a number and its category."""
    if body.on_one_path:
        body.inside(body.world.module.functions[name], arguments)
        return 0
    body.facts.silent.add(name)
    this, number, category, *_ = arguments
    table = body.world.memory.address_of("_ZTV" + name[len("_Z") :].partition("C")[0] + "E")
    for place, value, width in ((0, table + 16, 8), (8, 0, 8), (16, number, 4), (24, category, 8)):
        body.store(body.moved(this, place), value, width)
    return 0


def _what(body: Threads, name: str, arguments: list[Value], i: Instruction) -> Value:
    function = body.world.module.functions.get(name)
    if function is None or body.facts.silent:
        if body.stack and i.name is not None and _only_printed(body.stack[-1], i.name):
            return body.own_object("text", "text", 1).address
        raise body.unsupported("the text of an exception of the library (`what`) is")
    found = body.inside(function, arguments)
    assert found is not None
    return found


def _only_printed(function: Function, name: str) -> bool:
    """Whether all that a function does with a text is to print it."""
    lines = [line for block in function.lines.values() for line in block if not line.lstrip().startswith("#dbg")]
    value = re.compile(rf"%{re.escape(name)}(?![\w.$])")
    return all(_PRINTS.search(line) for line in lines if value.search(line.partition(" = ")[2] or line))


_PRINTS = re.compile(
    r"@_ZNSt3__1lsB\w+INS_11char_traitsIcEEEERNS_13basic_ostreamIcT_EES6_PKc\(|@(puts|fputs|printf|fprintf)\("
)
_SPAN = re.compile(r"I(?P<number>[a-z])NS_5ratioILl(?P<seconds>\d+)ELl(?P<parts>\d+)EE")
_WIDTHS = dict(zip("ahstijlmxyfd", (1, 1, 2, 2, 4, 4, 8, 8, 8, 8, 4, 8), strict=True))
"""How many bytes numbers have that durations count in, by their letter in the names of functions."""
_NEVER = 1 << 61
"""Nanoseconds: 73 years."""
_TEXT = "_ZNSt3__118__libcpp_refstring"
_HANDLERS: tuple[tuple[re.Pattern[str], Handler], ...] = (
    (re.compile(r"_ZNSt3__1L?\d+__libcpp_thread_poll_with_backoff"), _poll),
    (re.compile(r"_ZNSt3__14lock(B\w+?)?INS_5mutexES\w*_EEvRT_RT0_$"), _lock_both),
    (re.compile(r"_ZNSt3__1\d+__(cxx_)?atomic_notify_(one|all)(_native|_global_table)"), _notify),
    (re.compile(r"_ZNSt3__123__cxx_atomic_notify_(one|all)EPVKv"), _notify),
    (re.compile(r"_ZNSt3__16chrono1[23](steady|system)_clock3nowEv$"), _now),
    (re.compile(r"_ZNSt3__111this_thread(9sleep_for|11sleep_until)(B|E)"), _sleep),
    (re.compile(r"_ZNKSt3__110error_code7messageEv$|_ZNSt3__112_GLOBAL__N_114make_error_strE"), _message),
    (re.compile(r"_ZNSt3__112_GLOBAL__N_113do_strerror_rEi$"), _no_text),
    (re.compile(_TEXT + r"(C[12]EPKc|C[12]ERKS0_|aSERKS0_|D[12]Ev)$"), _text),
    (re.compile(r"_ZNSt3__112(system_errorC[12]ENS_10error_codeEPKc|future_errorC[12]ENS_10error_codeE)$"), _coded),
    (re.compile(r"_ZNKSt(11logic|13runtime)_error4whatEv$"), _what),
    (re.compile(r"(clock_gettime|gettimeofday|timespec_get)$"), _clock),
    (re.compile(r"(time|clock|llvm\.x86\.rdtsc)$"), _counted),
    (re.compile(r"(secure_)?getenv$"), _getenv),
)
