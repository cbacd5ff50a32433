"""What a program asks of where it runs: the numbers of its process and threads, processors, pages, any numbers. A note
says what it is told. No thread is cancelled, so that a thread's wish not to be only has to be remembered."""

from __future__ import annotations

from xgen.frontends.library.call import INT, LONG, PROCESS, UNSIGNED, ZERO, Call, Function, Handler, Kind
from xgen.program.automaton import Expression, IntLiteral, Name

_PROCESSORS = 2
_PAGE = 4096
_FIXED = {
    "getpid": PROCESS,
    "getppid": 1,
    "getpagesize": _PAGE,
    "get_nprocs": _PROCESSORS,
    "get_nprocs_conf": _PROCESSORS,
}
"""What functions give, each always the same."""
_SYSCONF = {
    2: ("_SC_CLK_TCK", 100),
    4: ("_SC_OPEN_MAX", 1024),
    30: ("_SC_PAGESIZE", _PAGE),
    75: ("_SC_THREAD_STACK_MIN", 16384),
    83: ("_SC_NPROCESSORS_CONF", _PROCESSORS),
    84: ("_SC_NPROCESSORS_ONLN", _PROCESSORS),
    190: ("_SC_LEVEL1_DCACHE_LINESIZE", 64),
}
"""What `sysconf` gives, by Linux's numbers."""
_POSITIVE = (31, False)
_ANY: dict[str, tuple[Kind, Kind]] = {
    "rand": (INT, _POSITIVE),
    "random": (LONG, _POSITIVE),
    "lrand48": (LONG, _POSITIVE),
    "mrand48": (LONG, INT),
    "arc4random": (UNSIGNED, UNSIGNED),
}
"""Of what gives any number the kind of the result, and that of the numbers which it gives."""


def _told(call: Call, what: str, value: int) -> Expression:
    call.remark(f"note: `{what}` is {value}")
    return IntLiteral(value)


def _fixed(name: str) -> Handler:
    return lambda call: _told(call, f"{name}()", _FIXED[name])


def _gettid(call: Call) -> Expression:
    """Each thread has a number of its own, of which main's is that of the process."""
    return IntLiteral(PROCESS + call.handle)


def _sysconf(call: Call) -> Expression:
    asked = call.argument(0, INT)
    known = _SYSCONF.get(asked.value) if isinstance(asked, IntLiteral) else None
    if known is None:
        names = ", ".join(name for name, _ in _SYSCONF.values())
        call.refuse("`sysconf` of this is", f"known are {names}; --stub sysconf gives 0")
    name, value = known
    return _told(call, f"sysconf({name})", value)


def _any(name: str, kind: Kind, of: Kind) -> Handler:
    """Any number of --nondet."""

    def handler(call: Call) -> Expression:
        found = call.any_number(name, kind, of)
        if found is None:
            hint = "say which values there are: --nondet LO..HI; --engine sat takes all"
            call.refuse(f"`{name}` without a range of values is", hint)
        return found

    return handler


def _rand_r(call: Call) -> Expression:
    """Any number, from a seed that is read and written."""
    found = _any("rand_r", INT, _POSITIVE)(call)
    call.get(0, UNSIGNED)
    call.put(0, found, UNSIGNED)
    return found


def _processor(call: Call) -> Expression:
    """The processor that a thread is on: any of --nondet, else always the first."""
    found = call.any_number("sched_getcpu", INT)
    if found is None:
        call.remark("note: all threads run on processor 0: --nondet LO..HI explores others")
        return ZERO
    return found


def _cancelling(name: str) -> Handler:
    """pthread_setcancelstate, pthread_setcanceltype: what was said last is told."""

    def handler(call: Call) -> Expression:
        kept, before = call.own_number(f"{name} of this thread"), call.fresh()
        call.assign(before, Name(kept))
        call.assign(kept, call.argument(0, INT))
        if call.argument(1) != ZERO:
            call.put(1, call.known(before), INT)
        return ZERO

    return handler


SURROUNDINGS = {
    **{name: Function(_fixed(name), 0, single_threaded=True) for name in _FIXED},
    "gettid": Function(_gettid, 0, single_threaded=True),
    # the second one is by what glibc's headers ask
    **{name: Function(_sysconf, 1, LONG, single_threaded=True) for name in ("sysconf", "__sysconf")},
    "sched_getcpu": Function(_processor, 0, single_threaded=True),
    **{name: Function(_any(name, kind, of), 0, kind) for name, (kind, of) in _ANY.items()},
    "rand_r": Function(_rand_r, 1),
    **{name: Function(_cancelling(name), 2) for name in ("pthread_setcancelstate", "pthread_setcanceltype")},
}
