"""What std of Rust asks the reader, as it is written anew in rust/std: `reader` in its lib.rs says what each means."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from xgen.frontends.library.call import ZERO, Call, Cell, Function
from xgen.frontends.library.waiting import WRITING, seize, write_lock
from xgen.frontends.llvm.language.translation import Unreachable
from xgen.frontends.llvm.library.threads import Threads
from xgen.frontends.llvm.text.ir import Instruction
from xgen.frontends.llvm.text.types import VOID
from xgen.frontends.llvm.values import Value
from xgen.program.automaton import Binary, Conditional, Expression, IntLiteral

ANY = -1
"""Stands for a thread that is not known."""
_ONE = IntLiteral(1)
_CALL = Instruction("call", "", None, VOID)


# ---- threads


def _ends_late(body: Threads, arguments: list[Value]) -> Value:
    late, thread = body.facts.late, arguments[0]
    return int(not late.isdisjoint({thread, ANY}) if isinstance(thread, int) else bool(late))


def _is_waited_for(body: Threads, arguments: list[Value]) -> Value:
    body.facts.late.add(arguments[0] if isinstance(arguments[0], int) else ANY)
    return 0


def _stays(body: Threads, arguments: list[Value], root: bool) -> Value:
    body.world.staying.append((arguments[0], root))
    return 0


def _threads_catch(body: Threads, _arguments: list[Value]) -> Value:
    """What catches a panic of a thread is no part of the program: assertions are looked at all the same, unless a panic
    is what the program is to end with."""
    if body.world.expects_panic:
        return 1
    body.catches = not body.world.options.exits
    return int(body.catches)


def _expects_panic(body: Threads, _arguments: list[Value]) -> Value:
    """It comes before there are threads."""
    body.world.expects_panic = True
    return 0


def _is_caught(body: Threads, _arguments: list[Value]) -> Value:
    return int(body.catchers() > 0)


def _panic(body: Threads, _arguments: list[Value]) -> Value:
    """A panic whose message nobody makes."""
    body.invoke("xgen_panic" if body.catchers() else "abort", [], _CALL)
    raise Unreachable


def _assert_fail(body: Threads, arguments: list[Value]) -> Value:
    """An assertion that fails is a panic where the program catches it."""
    if body.catchers() > body.catches:
        return _panic(body, arguments)
    body.invoke("__assert_fail", arguments, _CALL)
    raise Unreachable


def _wakes_alone(call: Call) -> Expression:
    return call.choose(1) if call.spurious else ZERO


# ---- locks for readers and writers


def _waits_and_reads(body: Threads, _arguments: list[Value]) -> Value:
    body.facts.readers.add("wait")
    return 0


def _readers_wait(body: Threads, _arguments: list[Value]) -> Value:
    return int("wait" in body.facts.readers)


def _wanted(call: Call) -> Cell:
    """How many writers wait for a lock."""
    return call.cell(0, 4)


def _is_wanted(call: Call) -> Expression:
    return Conditional(Binary("=", call.read(_wanted(call), "relaxed"), ZERO), ZERO, _ONE)


def _write(call: Call) -> Expression:
    """Who does not get it at once says that he waits."""
    lock, wanted, end = call.cell(0), _wanted(call), call.label()
    call.branch(Binary("=", seize(call, lock), ZERO), end)
    call.change("fetch_add", wanted, (_ONE,), "relaxed")
    call.until(lambda: Binary("=", seize(call, lock), ZERO))
    call.change("fetch_sub", wanted, (_ONE,), "relaxed")
    call.bind(end)
    return ZERO


def _downgrade(call: Call) -> Expression:
    old = call.change("cas", call.cell(0), (IntLiteral(WRITING), _ONE), "release")
    call.check(Binary("=", old, IntLiteral(WRITING)), "unlock")
    return ZERO


def _asks_for_the_leader(body: Threads, _arguments: list[Value]) -> Value:
    body.facts.readers.add("leader")
    return 0


ASKED: dict[str, Callable[[Threads, list[Value]], Value]] = {
    "xgen_ends_late": _ends_late,
    "xgen_is_waited_for": _is_waited_for,
    "xgen_stays": partial(_stays, root=True),
    "xgen_is_no_leak": partial(_stays, root=False),
    "xgen_threads_catch": _threads_catch,
    "xgen_expects_panic": _expects_panic,
    "xgen_is_caught": _is_caught,
    "__rust_panic": _panic,
    "__rust_assert_fail": _assert_fail,
    "xgen_waits_and_reads": _waits_and_reads,
    "xgen_readers_wait": _readers_wait,
    "xgen_asks_for_the_leader": _asks_for_the_leader,
}
"""What is known, or to be known, of the whole program."""
_WAITS = {
    "xgen_wakes_alone": Function(_wakes_alone, 0),
    "xgen_rwlock_write": Function(write_lock, 1),
    "xgen_rwlock_wanted": Function(_is_wanted, 1),
    "xgen_rwlock_downgrade": Function(_downgrade, 1),
}


def waits(name: str, body: Threads) -> Function | None:
    """What a function of locks for readers and writers does, or of threads that are parked."""
    if name == "xgen_rwlock_write" and "wait" in body.facts.readers:
        return Function(_write, 1)
    return _WAITS.get(name)
