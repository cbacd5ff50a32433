"""What a program asks of where it runs: the numbers of its process and threads, processors, pages. A note says what it
is told. No thread is cancelled, so that a thread's wish not to be only has to be remembered."""

from __future__ import annotations

from xgen.frontends.c.language.body import Body
from xgen.frontends.c.language.places import Value, literal
from xgen.frontends.c.language.types import INT, LONG, UINT, CType
from xgen.frontends.c.library.call import Call, Handler
from xgen.frontends.c.library.unknown import any_number
from xgen.frontends.library.call import PROCESS
from xgen.program import automaton as xcfa
from xgen.program.automaton import IntLiteral

_PROCESSORS = 2
_PAGE = 4096
_FIXED: dict[str, tuple[int, CType]] = {
    "getpid": (PROCESS, INT),
    "getppid": (1, INT),
    "getpagesize": (_PAGE, INT),
    "get_nprocs": (_PROCESSORS, INT),
    "get_nprocs_conf": (_PROCESSORS, INT),
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


def _told(body: Body, what: str, value: int, type_: CType) -> Value:
    body.world.remarks[f"note: `{what}` is {value}"] = None
    return literal(value, type_)


def _fixed(call: Call) -> Value:
    value, type_ = _FIXED[call.name]
    return _told(call.body, f"{call.name}()", value, type_)


def _gettid(call: Call) -> Value:
    """Each thread has a number of its own, of which main's is that of the process."""
    return literal(PROCESS + call.body.handle, INT)


def _sysconf(call: Call) -> Value:
    asked = call.body.number(call.arguments[0]).constant
    if asked not in _SYSCONF:
        names = ", ".join(name for name, _ in _SYSCONF.values())
        call.body.refuse("`sysconf` of this is", call.node, f"known are {names}; --stub sysconf gives 0")
    name, value = _SYSCONF[asked]
    return _told(call.body, f"sysconf({name})", value, LONG)


def _processor(call: Call) -> Value:
    """The processor that a thread is on: any of --nondet, else always the first."""
    if call.body.world.options.nondet is None:
        call.body.world.remarks["note: all threads run on processor 0: --nondet LO..HI explores others"] = None
        return literal(0, INT)
    return any_number(call.body, call.name, INT, call.node)


def _rand_r(call: Call) -> Value:
    """Any number, from a seed that is read and written."""
    body, node = call.body, call.node
    seed = body.target(body.keep(body.number(call.arguments[0]), node), UINT)
    found = any_number(body, call.name, INT, node)
    body.load(seed, node)
    body.store(seed, found, node)
    return found


def _cancelling(call: Call) -> Value:
    """pthread_setcancelstate, pthread_setcanceltype: what was said last is told."""
    body, node = call.body, call.node
    new, old = body.numbers(call.arguments)
    name = f"{call.name} of this thread"
    if name not in body.variables:
        body.variables[name] = xcfa.Variable(name, xcfa.INT, (IntLiteral(0),))
    before = body.keep(Value(xcfa.Name(name), INT), node)
    body.flow.assign(name, body.plain_number(new).expression, body.position(node))
    if old.constant != 0:
        body.store(body.target(old, INT), before, node)
    return literal(0, INT)


HANDLERS: dict[str, Handler] = {
    **dict.fromkeys(_FIXED, _fixed),
    "gettid": _gettid,
    "sysconf": _sysconf,
    "__sysconf": _sysconf,  # by which glibc's headers ask
    "sched_getcpu": _processor,
    "rand_r": _rand_r,
    "pthread_setcancelstate": _cancelling,
    "pthread_setcanceltype": _cancelling,
}
