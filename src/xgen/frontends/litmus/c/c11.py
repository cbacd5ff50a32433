"""C11's atomics: `atomic_load_explicit(x, memory_order_acquire)` and so on, and gcc's `__atomic_load_n(x, ...)`.

What each means: ISO C11, section 7.17. A weak compare-exchange may fail for no reason. `expected` is a shared location
that is read and written without atomicity, as in herd, or (`&r`) a local variable.
"""

from __future__ import annotations

from xgen.errors import Position, nearest
from xgen.frontends.c_values import negation
from xgen.frontends.litmus.c.expressions import Argument, Expressions, Word
from xgen.program import automaton as xcfa

LANGUAGE = "C"
ARCH = "C"

_ORDERS = ("relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst")
ORDERS = {f"memory_order_{order}": order for order in _ORDERS} | {f"__ATOMIC_{o.upper()}": o for o in _ORDERS}
CONTROL_ENDS = False  # models of C11 know no control dependencies
TAKES_PLACE: frozenset[str] = frozenset()

_FETCH = {f"fetch_{name}": f"fetch_{name}" for name in ("add", "sub", "and", "or", "xor")}
_READ_ORDERS = ("relaxed", "consume", "acquire", "seq_cst")
_WRITE_ORDERS = ("relaxed", "release", "seq_cst")
_NAMES = (
    {f"atomic_{name}{tail}" for name in ("load", "store", "exchange", *_FETCH) for tail in ("", "_explicit")}
    | {f"atomic_compare_exchange_{kind}{tail}" for kind in ("strong", "weak") for tail in ("", "_explicit")}
    | {f"__atomic_{name}" for name in ("load_n", "store_n", "exchange_n", "compare_exchange_n", *_FETCH)}
    | {"atomic_thread_fence", "atomic_signal_fence", "__atomic_thread_fence", "atomic_init", "SCAS", "WCAS"}
)


def call(body: Expressions, name: str, arguments: list[Argument], position: Position) -> xcfa.Expression | None:
    """The effects of a call of one of these functions."""
    if name not in _NAMES:
        body.unsupported(f"the function `{name}` is not supported", position, nearest(name, _NAMES))
    if name.endswith("_fence"):
        body.takes(name, arguments, (1,), position)
        tag = order_of(body, arguments[0], _ORDERS, position)
        if name != "atomic_signal_fence":
            body.thread.do(xcfa.Fence(tag, position))
        return None
    operation = name.removeprefix("__atomic_").removeprefix("atomic_").removesuffix("_explicit").removesuffix("_n")
    explicit = name.endswith("_explicit") or name.startswith("__")
    if operation == "init":
        body.takes(name, arguments, (2,), position)
        place = body.target(arguments[0], position)
        body.thread.do(xcfa.Store(body.value(arguments[1]), place, position=position))
        return None
    if operation.startswith("compare_exchange") or operation in ("SCAS", "WCAS"):
        return _compare_exchange(body, name, operation, arguments, position)
    values = 1 if operation == "load" else 2
    body.takes(name, arguments, (values + explicit,), position)
    allowed = _READ_ORDERS if operation == "load" else _WRITE_ORDERS if operation == "store" else _ORDERS
    order = order_of(body, arguments[-1], allowed, position) if explicit else "seq_cst"
    place = body.target(arguments[0], position)
    target = body.thread.fresh()
    if operation == "load":
        body.thread.do(xcfa.Load(target, place, True, order, position))
        return target
    value = body.value(arguments[1])
    if operation == "store":
        body.thread.do(xcfa.Store(value, place, True, order, position))
        return None
    body.thread.do(xcfa.Rmw(target, _FETCH.get(operation, "exchange"), place, (value,), (order,), position))
    return target


def order_of(body: Expressions, argument: Argument, allowed: tuple[str, ...], position: Position) -> str:
    """A memory order that is given, one of those that are allowed there."""
    if not isinstance(argument, Word) or argument.local:
        name = argument.name if isinstance(argument, xcfa.Name) else ""
        hint = nearest(name, [f"memory_order_{order}" for order in _ORDERS])
        body.wrong("expected a memory order such as `memory_order_relaxed`", position, hint)
    if argument.text not in allowed:
        body.wrong(f"the order {argument.text} makes no sense here", position)
    return argument.text


def _compare_exchange(
    body: Expressions, name: str, operation: str, arguments: list[Argument], position: Position
) -> xcfa.Expression:
    """`compare_exchange(object, expected, desired [, weak] [, success, failure])`: 1 where it succeeds, else 0."""
    weak = operation in ("compare_exchange_weak", "WCAS")
    if name.startswith("__"):
        body.takes(name, arguments, (6,), position)
        flag = arguments.pop(3)
        if not isinstance(flag, xcfa.IntLiteral):
            body.unsupported("whether a compare-exchange is weak has to be a number", position)
        weak = flag.value != 0
    explicit = name.startswith("__") or name.endswith("_explicit")
    body.takes(name, arguments, (5 if explicit else 3,), position)
    success = order_of(body, arguments[3], _ORDERS, position) if explicit else "seq_cst"
    failure = order_of(body, arguments[4], _READ_ORDERS, position) if explicit else "seq_cst"
    thread, place, desired = body.thread, body.target(arguments[0], position), body.value(arguments[2])
    expected = _Expected(body, arguments[1], position)
    old, result = thread.fresh(), thread.fresh()
    failed, end = thread.new_label(), thread.new_label()
    zero, one = xcfa.IntLiteral(0, position), xcfa.IntLiteral(1, position)
    same = xcfa.Binary("=", old, expected.value, position)
    update = xcfa.Rmw(old, "cas", place, (expected.value, desired), (success, failure), position)
    if weak:
        thread.fork(failed, position)
        thread.do(update, xcfa.Assume(same, position), xcfa.Assign(result, one, position))
        thread.jump(end, position)
        thread.label(failed)
        thread.do(xcfa.Load(old, place, True, failure, position))
    else:
        thread.do(update)
        thread.branch(negation(same), failed, position)
        thread.assign(result, one, position)
        thread.jump(end, position)
        thread.label(failed)
    expected.set(old)
    thread.assign(result, zero, position)
    thread.label(end)
    return result


class _Expected:
    """The value that a compare-exchange expects, and where it leaves what it found instead."""

    def __init__(self, body: Expressions, argument: Argument, position: Position) -> None:
        self.body = body
        self.position = position
        self.place: xcfa.AnyPlace | None = None
        self.value: xcfa.Name
        if isinstance(argument, Word):
            if not argument.local:
                body.wrong("expected the address of the expected value", position)
            self.value = body.thread.register(argument.text)
        else:
            self.place = body.place(argument, position)
            self.value = body.thread.fresh()
            body.thread.do(xcfa.Load(self.value, self.place, position=position))

    def set(self, found: xcfa.Expression) -> None:
        if self.place is None:
            self.body.thread.assign(self.value, found, self.position)
        else:
            self.body.thread.do(xcfa.Store(found, self.place, position=self.position))
