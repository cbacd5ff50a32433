"""`syscall` of Linux, and with it futexes: `syscall(SYS_futex, word, operation, value, ...)`.

For each word the kernel keeps who sleeps there. A thread that is to wait looks at the word: if it is another number
than expected, the call fails; else the thread sleeps until somebody wakes it. No wake-up is lost between look and
sleep, since both are done behind a lock, and so is a wake-up (Franke, Russell, Kirkwood: Fuss, Futexes and Furwocks,
OLS 2002).

Here who sleeps has a bit in a number, as at condition variables, and sets it before it looks. Who wakes changes the
same number: either that comes first, and what was written before it is seen; or it finds the bit, and wakes. Who is
going to find another number never sets its bit: so nobody wakes a thread that does not sleep instead of one that does.
"""

from __future__ import annotations

from xgen.frontends.library.call import INT, LONG, PROCESS, ZERO, Call, Cell, Function
from xgen.frontends.library.sleeping import fall_asleep, is_woken, wake_all, wake_one
from xgen.frontends.library.times import TIMED_OUT
from xgen.frontends.library.waiting import AGAIN
from xgen.program.automaton import Binary, Conditional, Expression, IntLiteral, Name

_FUTEX, _GETPID, _GETTID = 202, 39, 186
"""Linux's numbers, on x86-64, of what `syscall` may be asked for."""
_WAIT, _WAKE, _WAIT_ANY, _WAKE_ANY = 0, 1, 9, 10
_LEAST = {_WAIT: 5, _WAKE: 4, _WAIT_ANY: 7, _WAKE_ANY: 7}
"""How many arguments the call has to have for each: some are looked at by no other."""
_HINTS = 128 | 256
"""FUTEX_PRIVATE_FLAG, FUTEX_CLOCK_REALTIME: nothing here depends on them."""
_INSTEAD = "--stub syscall: it does nothing, and gives 0, as a wait for a futex may that ends for no reason"


def _syscall(call: Call) -> Expression:
    asked = call.argument(0, LONG)
    if asked == IntLiteral(_GETTID):
        return IntLiteral(PROCESS + call.handle)
    if asked == IntLiteral(_GETPID):
        call.remark(f"note: `getpid()` is {PROCESS}")
        return IntLiteral(PROCESS)
    if asked != IntLiteral(_FUTEX):
        hint = "--stub syscall: it does nothing, and gives 0"
        call.refuse("`syscall` for anything but a futex, or the number of a thread or process, is", hint)
    return _futex(call)


def _futex(call: Call) -> Expression:
    operation = call.argument(2, INT) if len(call.arguments) > 2 else ZERO
    asked = operation.value & ~_HINTS if isinstance(operation, IntLiteral) else None
    if asked not in _LEAST:
        call.refuse("`futex` for anything but to wait and to wake is", _INSTEAD)
    if len(call.arguments) < _LEAST[asked]:
        call.refuse("`syscall` with too few arguments for a futex is", _INSTEAD)
    if asked in (_WAIT_ANY, _WAKE_ANY) and call.argument(6, INT) != IntLiteral(-1):
        call.refuse("a futex with a mask is", _INSTEAD)
    word = call.cell(1)
    key = call.key(word)
    if key is None:
        call.refuse("a futex whose place is not known here is", _INSTEAD)
    sleepers = call.beside(key, "sleepers", 0, 1)
    return _wake(call, sleepers) if asked in (_WAKE, _WAKE_ANY) else _wait(call, word, sleepers)


def _wait(call: Call, word: Cell, sleepers: Cell) -> Expression:
    """Fails, or sleeps until it is woken, or until the time is over, if there is one: who is never woken does not wait
    for ever then."""
    expected, timed = call.argument(3, INT), call.argument(4) != ZERO
    call.remark_if_alone()
    result, asleep, awake, failed, end = call.fresh(), call.label(), call.label(), call.label(), call.label()
    call.assign(result, ZERO)
    call.fork(asleep)
    if timed or call.spurious:
        call.fork(awake)
    call.assume(Binary("/=", call.load(word, "relaxed"), expected))
    call.set_errno(IntLiteral(AGAIN))
    call.jump(failed)
    if timed or call.spurious:  # it might as well not have slept
        call.bind(awake)
        call.assume(Binary("=", call.load(word, "relaxed"), expected))
        if call.spurious:
            (call.fork if timed else call.jump)(end)
        call.set_errno(IntLiteral(TIMED_OUT))
    call.bind(failed)
    call.assign(result, IntLiteral(-1))
    call.jump(end)
    call.bind(asleep)
    bit = fall_asleep(call, sleepers, "acquire")
    call.assume(Binary("=", call.load(word, "relaxed"), expected))
    if timed:
        call.assume(is_woken(call, sleepers, bit))
    else:
        call.until(lambda: is_woken(call, sleepers, bit))
    call.bind(end)
    return Name(result)


def _wake(call: Call, sleepers: Cell) -> Expression:
    """Wakes so many, or as many as there are; how many that are."""
    most = call.argument(3, INT)
    if not isinstance(most, IntLiteral) or most.value < 1:
        call.refuse("to wake an unknown number of threads, or none, is", _INSTEAD)
    count = len(call.sleepers(sleepers))
    if count == 0:
        return ZERO
    all_ = most.value >= count
    woken = wake_all(call, sleepers) if all_ else [wake_one(call, sleepers) for _ in range(most.value)]
    total: Expression = ZERO
    for each in () if call.ignored else woken:
        total = Binary("+", total, Conditional(each, IntLiteral(1), ZERO))
    return total


SYSCALL = {"syscall": Function(_syscall, 1, LONG, more=True)}
