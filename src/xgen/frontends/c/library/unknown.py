"""What has values that nobody knows: `__VERIFIER_nondet_int` and its like, the time, functions that are not there."""

from __future__ import annotations

from pycparser import c_ast

from xgen.frontends.c.language.body import Body
from xgen.frontends.c.language.expressions import NOTHING
from xgen.frontends.c.library.call import Call, Handler
from xgen.frontends.c.library.output import printed
from xgen.frontends.c.values.places import Value, literal
from xgen.frontends.c.values.reals import is_real
from xgen.frontends.c.values.types import (
    BOOL,
    CHAR,
    INT,
    LLONG,
    LONG,
    SHORT,
    UCHAR,
    UINT,
    ULLONG,
    ULONG,
    USHORT,
    Int,
    Pointer,
    Void,
    is_scalar,
    size_of,
)
from xgen.frontends.library.call import NO_ENVIRONMENT
from xgen.frontends.library.ranges import Bounds, any_of, numbers_of, within
from xgen.frontends.reductions.counting_loops import CLOCK
from xgen.program import automaton as xcfa
from xgen.program.automaton import Binary, IntLiteral, Name

_CLOCKS = {
    "time": (0, 0),
    "clock": (None, 0),
    "__builtin_ia32_rdtsc": (None, 0),
    "clock_gettime": (1, 10**9),
    "gettimeofday": (0, 10**6),
    "timespec_get": (0, 10**9),
}
"""What tells the time: the argument that it is written behind, and how many parts a second has there."""
_NONDET_TYPES = {
    "bool": BOOL,
    "_Bool": BOOL,
    "char": CHAR,
    "uchar": UCHAR,
    "unsigned_char": UCHAR,
    "short": SHORT,
    "ushort": USHORT,
    "int": INT,
    "uint": UINT,
    "unsigned": UINT,
    "unsigned_int": UINT,
    "long": LONG,
    "ulong": ULONG,
    "longlong": LLONG,
    "ulonglong": ULLONG,
    "size_t": ULONG,
    "u8": UCHAR,
    "u16": USHORT,
    "u32": UINT,
    "u64": ULLONG,
    "loff_t": LLONG,
}
INSTEAD = {
    **dict.fromkeys(
        ("signal", "sigaction", "sigwait", "raise", "kill", "alarm", "pause", "sigprocmask", "sigsuspend", "setitimer"),
        "no signals are sent: --stub leaves this out, and a thread that calls the handler explores it",
    ),
    **dict.fromkeys(
        ("setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "longjmp", "_longjmp", "siglongjmp"),
        "jumps out of functions are not followed: let them return what tells of an error",
    ),
    **dict.fromkeys(("fork", "vfork", "execv", "execve"), "there is one process: threads are explored"),
    **dict.fromkeys(
        ("mmap", "mmap64", "sbrk", "shmat"),
        "memory is what malloc, calloc, posix_memalign and alloca give, and variables",
    ),
    **dict.fromkeys(
        ("pthread_cancel", "pthread_kill"), "threads end by themselves: let them look at a flag that another one sets"
    ),
    **dict.fromkeys(
        ("pthread_cleanup_push", "pthread_cleanup_pop"),
        "no thread is cancelled: --stub leaves this out, and where it is popped the function can be called",
    ),
}
"""What to do without functions that are not known."""


def _nondet_of(type_: Int) -> Handler:
    return lambda call: any_number(call.body, call.name, type_, call.node)


def any_number(body: Body, name: str, type_: Int, node: c_ast.Node, every: Bounds | None = None) -> Value:
    """Any number of the range that is given, as far as the type, or `every`, has it; `name` gives it."""
    bits = 8 * size_of(type_)
    every = every or ((0, 1) if type_ == BOOL else numbers_of(bits, type_.signed))
    given = every if type_ == BOOL else body.world.options.nondet
    if given is None and not body.world.options.any_input:
        hint = "say which values there are: --nondet LO..HI; --engine sat takes all"
        body.refuse(f"`{name}` without a range of values is", node, hint)
    bounds = every if given is None else within(given, every)
    if bounds is None:
        body.refuse(f"a range of `{name}` without values that it can give ({every[0]}..{every[1]}) is", node)
    body.world.partial |= bounds != every
    if bounds[0] == bounds[1]:
        return literal(bounds[0], type_)
    local = Name(body.fresh())
    (low, high), value, among = any_of(bounds, bits, local, type_.signed)
    body.flow.emit(xcfa.Havoc(local, (IntLiteral(low), IntLiteral(high)), body.position(node)))
    if among is not None:
        body.assume(among, node)
    return Value(value, type_)


def time_told(body: Body, name: str, node: c_ast.Node) -> Value:
    """A number that a clock gives. Where it stands at 0, a loop that only waits for it is to be left out
    (counting_loops.py): its value is not known there."""
    if body.world.options.nondet is None:
        body.world.partial = True
        body.world.remarks["note: each clock stands at 0: --nondet LO..HI explores other times"] = None
        if not body.looping or body.is_idle:
            return literal(0, LONG)
        body.variables.setdefault(CLOCK, xcfa.Variable(CLOCK, xcfa.INT, (IntLiteral(0),)))
        return Value(Name(CLOCK), LONG)
    return any_number(body, name, LONG, node)


def stub(call: Call) -> Value:
    """A function that nothing is known of: its arguments are evaluated, and it does nothing. A number that it gives
    is any of --nondet, else 0; a pointer is null."""
    body, name, node = call.body, call.name, call.node
    printed(body, call.arguments)
    body.world.stubbed.add(name)
    body.world.partial = True
    prototype = body.world.prototypes.get(name)
    type_ = INT if prototype is None else body.type_of(prototype.type)
    if isinstance(type_, Void):
        return NOTHING
    if not is_scalar(type_):
        body.refuse(f"the function `{name}`, which gives a struct, as a stub is", node)
    if body.world.options.nondet is None or not isinstance(type_, Int) or is_real(type_):
        return literal(0, type_)
    return any_number(body, name, type_, node)


def _clock(call: Call) -> Value:
    """What tells the time: any of --nondet, else 0. Of parts of a second no more than there are."""
    body, name, node = call.body, call.name, call.node
    values = body.numbers(call.arguments)
    where, most = _CLOCKS[name]
    if where is None:
        return time_told(body, name, node)
    if values[where].constant != 0:
        to = body.keep(values[where], node)
        body.store(body.target(to, LONG), time_told(body, name, node), node)
        if most:
            rest = time_told(body, name, node)
            inside = Binary(
                "and", Binary("<=", IntLiteral(0), rest.expression), Binary("<", rest.expression, IntLiteral(most))
            )
            if rest.constant is None and body.world.options.nondet is not None:
                body.assume(inside, node)
            body.store(body.moved(body.target(to, LONG), size_of(LONG), LONG), rest, node)
        elif name == "time":
            return body.load(body.target(to, LONG), node)
    if name == "timespec_get":
        return values[1]  # its clock
    return time_told(body, name, node) if name == "time" else literal(0, INT)


def _getenv(call: Call) -> Value:
    """A program is started without variables of the environment."""
    printed(call.body, call.arguments)
    call.body.world.remarks[NO_ENVIRONMENT] = None
    return literal(0, Pointer(CHAR))


HANDLERS: dict[str, Handler] = {
    **{f"__VERIFIER_nondet_{name}": _nondet_of(type_) for name, type_ in _NONDET_TYPES.items()},
    **dict.fromkeys(_CLOCKS, _clock),
    "getenv": _getenv,
}
"""What they give is any number of --nondet."""
