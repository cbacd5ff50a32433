"""`<stdatomic.h>` and GCC's `__atomic_*` and `__sync_*`: generic functions, which are known by their names."""

from __future__ import annotations

from functools import partial

from pycparser import c_ast

from xgen.frontends.c.language.body import Body
from xgen.frontends.c.language.expressions import NOTHING
from xgen.frontends.c.library import wholes
from xgen.frontends.c.library.call import Call, Handler
from xgen.frontends.c.values import int128
from xgen.frontends.c.values.arithmetic import convert, truth
from xgen.frontends.c.values.places import InRegisters, Place, Value, literal
from xgen.frontends.c.values.types import BOOL, CHAR, INT, ULONG, Int, Pointer, Record, is_scalar, plain, size_of
from xgen.frontends.conditions import number
from xgen.program import automaton as xcfa
from xgen.program.automaton import Binary, Conditional, Name
from xgen.records import replace

ORDERS = ("relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst")
"""By the numbers of `memory_order` and `__ATOMIC_*`."""
_WITHOUT_RELEASE = {"release": "relaxed", "acq_rel": "acquire"}
_UPDATES = {"add": "+", "sub": "-", "and": "&", "or": "|", "xor": "^"}
_OF_GCC = (*_UPDATES, "nand")
_EXTREMES = ("min", "max", "umin", "umax")
"""What Clang has besides: `__sync_fetch_and_umax`; of other functions the type says whether there is a sign."""

_CLANGS, _ATOMIC = ("min", "max"), ("__atomic", "__c11_atomic")


# ---- operands


def _order(call: Call, at: int) -> str:
    """The order that an argument is; seq_cst where there is none."""
    if at >= len(call.arguments):
        return "seq_cst"
    found = call.body.number(call.arguments[at]).constant
    if found is None or not 0 <= found < len(ORDERS):
        call.body.refuse("a memory order that is no constant is", call.arguments[at])
    return ORDERS[found]


def _order_but(call: Call, at: int, orders: tuple[str, ...], what: str) -> str:
    """An order, but none of those that C does not allow there."""
    order = _order(call, at)
    if order in orders:
        call.body.wrong(f"{what} cannot have the order {order}", call.arguments[at])
    return order


def _order_of_load(call: Call, at: int) -> str:
    return _order_but(call, at, ("release", "acq_rel"), "a load")


def _order_of_store(call: Call, at: int) -> str:
    return _order_but(call, at, ("consume", "acquire", "acq_rel"), "a store")


def _failure_order(call: Call, at: int) -> str:
    """The order of a compare-exchange that fails. C allows it no release; compilers warn, and leave that out."""
    order = _order(call, at)
    if order not in _WITHOUT_RELEASE:
        return order
    world = call.body.world
    taken, place = _WITHOUT_RELEASE[order], call.body.position(call.arguments[at]).text(world.unit.source)
    world.remarks[
        f"{place}: a compare-exchange that fails cannot have the order {order}, which is taken as {taken}"
    ] = None
    return taken


def _object(call: Call, at: int) -> Place:
    """What a pointer argument leads to: a number, a pointer, or a structure where a function takes such."""
    node = call.arguments[at]
    value = call.body.number(node)
    target = value.type.target if isinstance(value.type, Pointer) else None
    by_name = call.name.startswith(("atomic_", "__atomic_")) and not call.name.endswith("_n")
    whole = isinstance(target, Record) and (by_name or int128.is_wide(target))
    if target is None or not (is_scalar(target) or whole):
        call.body.wrong(f"a pointer to a number or a pointer is needed here, not {value.type}", node)
    return call.body.target(value, target)


def values_of(call: Call, place: Place, first: int, end: int) -> tuple[Place, list[Value]]:
    """The values of some arguments, and the place as it was before."""
    body, mark = call.body, len(call.body.flow.steps)
    arguments = call.arguments[first:end]
    found = [_kept(body, _argument(body, place, argument), argument) for argument in arguments]
    return body.protect_place(place, mark, call.node), found


def _argument(body: Body, place: Place, node: c_ast.Node) -> Value:
    """A value for what is in a place."""
    evaluate = body.evaluate if isinstance(place.type, Record) else body.number
    return evaluate(node, plain(place.type))


def _kept(body: Body, value: Value, node: c_ast.Node) -> Value:
    """The value in a local of its own, where it is not just a number."""
    return value if value.constant is not None or value.alias else body.keep(value, node)


# ---- <stdatomic.h>


def fence(body: Body, order: str, node: c_ast.Node) -> Value:
    if order != "relaxed":
        body.flow.emit(xcfa.Fence(order, body.position(node)))
    return NOTHING


def _thread_fence(call: Call) -> Value:
    return fence(call.body, _order(call, 0), call.node)


def _init(call: Call) -> Value:
    place = _object(call, 0)
    call.body.initials.store_initial(place, call.body.evaluate(call.arguments[1], place.type), call.node)
    return NOTHING


def _load(call: Call) -> Value:
    place = _object(call, 0)
    return call.body.load(not_atomic(place), call.node, _order_of_load(call, 1))


def _store(call: Call) -> Value:
    place = _object(call, 0)
    order = _order_of_store(call, 2)
    place, (value,) = values_of(call, place, 1, 2)
    call.body.store(not_atomic(place), value, call.node, order)
    return NOTHING


def _exchange(call: Call) -> Value:
    place, (value,) = values_of(call, _object(call, 0), 1, 2)
    return _exchanged(call.body, place, value, _order(call, 2), call.node)


def _exchanged(body: Body, place: Place, value: Value, order: str, node: c_ast.Node) -> Value:
    if isinstance(place.type, Record):
        return wholes.exchange(body, place, value, order, node)
    return body.update("exchange", place, value, node, (order,))


def _fetch(call: Call, update: str) -> Value:
    """An update whose value is the old one."""
    return _changed(call, update, _order(call, 2), True)


def _changed(call: Call, update: str, order: str, old: bool) -> Value:
    """An update; its value is the old one, or the new one. Those of GCC count the bytes of a pointer."""
    body, node, object_ = call.body, call.node, _object(call, 0)
    type_ = plain(object_.type)
    of_gcc = call.name.startswith(("__atomic", "__sync"))
    if isinstance(type_, Pointer) and of_gcc:
        object_ = replace(object_, type=Pointer(CHAR))
    place, (value,) = values_of(call, object_, 1, 2)
    if update == "nand":
        found = body.update_by_retrying(place, lambda before: _nand(body, before, value, node), node, old, order)
    else:
        found = body.update(f"fetch_{update}", place, value, node, (order,))
        if not old:
            if isinstance(type_, Pointer) and update not in ("add", "sub"):
                found = convert(found, ULONG)
            found = body.operate(_UPDATES[update], found, value, node)
    return convert(found, type_)


def _extreme(call: Call, what: str, old: bool) -> Value:
    """Clang's `__atomic_fetch_max` and its like."""
    body, node, object_ = call.body, call.node, _object(call, 0)
    type_ = plain(object_.type)
    if not isinstance(type_, Int):
        body.refuse(f"`{call.name}` of what is no integer is", node)
    place, (value,) = values_of(call, object_, 1, 2)
    value = body.keep(convert(body.plain_number(value), type_), node)
    sign = "" if type_.signed else "u"
    found = body.keep(convert(body.update(f"fetch_{sign}{what}", place, value, node, (_order(call, 2),)), type_), node)
    if old:
        return found
    stays = truth(body.operate("<" if what == "max" else ">", value, found, node))
    return body.keep(Value(Conditional(stays, found.expression, value.expression), type_), node)


def _nand(body: Body, before: Value, value: Value, node: c_ast.Node) -> Value:
    both = body.operate("&", convert(before, ULONG), convert(value, ULONG), node)
    return body.operate("^", both, literal(-1, ULONG), node)


def _compare_exchange(call: Call, weak: bool) -> Value:
    place, expected = _object(call, 0), _object(call, 1)
    place, (value,) = values_of(call, place, 2, 3)
    orders = _order(call, 3), _failure_order(call, 4)
    return _compared(call.body, place, expected, value, orders, weak, call.node)


def _compared(
    body: Body, place: Place, expected: Place, value: Value, orders: tuple[str, ...], weak: bool, node: c_ast.Node
) -> Value:
    """Compare and exchange; where it fails `expected` gets the old value, where it does not it has it already."""
    if isinstance(place.type, Record):
        return wholes.compare_exchange(body, place, not_atomic(expected), value, orders, weak, node)
    wanted = _kept(body, body.load(not_atomic(expected), node), node)
    if weak and body.world.options.weak_cas:
        return _weakly(body, place, expected, value, orders, wanted, node)
    return _strongly(body, place, expected, value, orders, wanted, node)


def _weakly(
    body: Body, place: Place, expected: Place, value: Value, orders: tuple[str, ...], wanted: Value, node: c_ast.Node
) -> Value:
    """A choice: as a strong one does, or a failure for no reason, which is a read."""
    result, fails, end = body.fresh(), body.flow.label(), body.flow.label()
    body.flow.fork(fails, body.position(node))
    found = _strongly(body, place, expected, value, orders, wanted, node)
    body.flow.assign(result, found.expression, body.position(node))
    body.flow.jump(end, body.position(node))
    body.flow.bind(fails)
    body.store(not_atomic(expected), body.load(not_atomic(place), node, orders[-1]), node)
    body.flow.assign(result, xcfa.IntLiteral(0), body.position(node))
    body.flow.bind(end)
    return body.result(result, BOOL)


def _strongly(
    body: Body, place: Place, expected: Place, value: Value, orders: tuple[str, ...], wanted: Value, node: c_ast.Node
) -> Value:
    old = body.update("cas", place, value, node, orders, wanted)
    wanted = convert(body.plain_number(wanted), plain(place.type))
    success = body.fresh()
    body.flow.assign(success, number(Binary("=", old.expression, wanted.expression)), body.position(node))
    if isinstance(expected, InRegisters):
        body.store(not_atomic(expected), old, node)
    else:
        end = body.flow.label()
        body.flow.branch(Binary("/=", Name(success), xcfa.IntLiteral(0)), end, body.position(node))
        body.store(not_atomic(expected), old, node)
        body.flow.bind(end)
    return Value(Name(success), BOOL)


def _flag(call: Call) -> Value:
    """`atomic_flag_*`, `__atomic_test_and_set` and `__atomic_clear`."""
    body, node = call.body, call.node
    value = body.number(call.arguments[0])
    inner = value.type.target if isinstance(value.type, Pointer) else BOOL
    place = body.target(value, inner if isinstance(inner, Int) else BOOL)
    if "clear" in call.name:
        order = _order_but(call, 1, ("acquire", "acq_rel"), "clearing a flag")
        body.store(not_atomic(place), literal(0, INT), node, order)
        return NOTHING
    old = body.update("exchange", place, literal(1, INT), node, (_order(call, 1),))
    return Value(number(truth(old)), BOOL)


# ---- __atomic_*: without `_n`, values are passed by pointers


def _load_to(call: Call) -> Value:
    place, other = _object(call, 0), not_atomic(_object(call, 1))
    order = _order_of_load(call, 2)
    call.body.store(other, call.body.load(not_atomic(place), call.node, order), call.node)
    return NOTHING


def _store_from(call: Call) -> Value:
    place, other = _object(call, 0), not_atomic(_object(call, 1))
    order = _order_of_store(call, 2)
    call.body.store(not_atomic(place), call.body.load(other, call.node), call.node, order)
    return NOTHING


def _exchange_between(call: Call) -> Value:
    body, node = call.body, call.node
    place, other, result = _object(call, 0), not_atomic(_object(call, 1)), not_atomic(_object(call, 2))
    old = _exchanged(body, place, body.load(other, node), _order(call, 3), node)
    body.store(result, old, node)
    return NOTHING


def _compare_exchange_of_gcc(call: Call, by_pointer: bool) -> Value:
    body, orders = call.body, (_order(call, 4), _failure_order(call, 5))
    weak = len(call.arguments) > 3 and body.number(call.arguments[3]).constant != 0
    place, expected = _object(call, 0), _object(call, 1)
    place, (value,) = values_of(call, place, 2, 3)
    if by_pointer:
        pointed = value.type.target if isinstance(value.type, Pointer) else place.type
        value = body.load(body.target(value, plain(pointed if isinstance(pointed, Record) else place.type)), call.node)
    return _compared(body, place, expected, value, orders, weak, call.node)


def _updated(call: Call, update: str) -> Value:
    """An update whose value is the new one."""
    return _changed(call, update, _order(call, 2) if call.name.startswith("__atomic") else "seq_cst", False)


# ---- __sync_*


def _sync_fetch(call: Call, update: str) -> Value:
    if update in _EXTREMES and size_of(_object(call, 0).type) != size_of(INT):
        call.body.refuse(f"`{call.name}` of what is no int is", call.node)
    return _changed(call, update, "seq_cst", True)


def _lock_release(call: Call) -> Value:
    call.body.store(not_atomic(_object(call, 0)), literal(0, INT), call.node, "release")
    return NOTHING


def _lock_test_and_set(call: Call) -> Value:
    place, (value,) = values_of(call, _object(call, 0), 1, 2)
    return _exchanged(call.body, place, value, "acquire", call.node)


def _compare_and_swap(call: Call, truth: bool) -> Value:
    """The value is the old one, or whether it was the wanted one."""
    place, (wanted, value) = values_of(call, _object(call, 0), 1, 3)
    if isinstance(place.type, Record):
        return wholes.compare_and_swap(call.body, place, wanted, value, truth, call.node)
    old = call.body.update("cas", place, value, call.node, ("seq_cst", "seq_cst"), wanted)
    return call.body.operate("==", old, wanted, call.node) if truth else old


def not_atomic(place: Place) -> Place:
    """The place, accessed with the order that is given and no other."""
    type_ = replace(place.type, atomic=False) if isinstance(place.type, Int | Pointer) else plain(place.type)
    if isinstance(place, InRegisters):
        return InRegisters(place.variable, place.offset, type_)
    return replace(place, type=type_)


_C11: dict[str, Handler] = {
    "load": _load,
    "store": _store,
    "exchange": _exchange,
    "compare_exchange_strong": partial(_compare_exchange, weak=False),
    "compare_exchange_weak": partial(_compare_exchange, weak=True),
    **{f"fetch_{update}": partial(_fetch, update=update) for update in _UPDATES},
}
_FLAGS = ("atomic_flag_test_and_set", "atomic_flag_clear")
_FENCES = (
    *("atomic_thread_fence", "__atomic_thread_fence", "__c11_atomic_thread_fence"),
    *("__sync_synchronize", "__builtin_ia32_mfence"),
)
_FENCES_OF_COMPILERS = ("atomic_signal_fence", "__atomic_signal_fence", "__c11_atomic_signal_fence")
QUESTIONS = ("atomic_is_lock_free", "__atomic_always_lock_free", "__atomic_is_lock_free")
NAMES = {f"atomic_{name}{more}" for name in _C11 for more in ("", "_explicit")} | {
    *("atomic_init", "atomic_thread_fence"),
    *_FLAGS,
}
"""C11's functions, for hints."""
HANDLERS: dict[str, Handler] = {
    **dict.fromkeys(_FENCES, _thread_fence),
    **dict.fromkeys(_FENCES_OF_COMPILERS, lambda _: NOTHING),
    **dict.fromkeys(QUESTIONS, lambda _: literal(1, INT)),
    **dict.fromkeys(("atomic_init", "__c11_atomic_init"), _init),
    **dict.fromkeys((*_FLAGS, *(f"{name}_explicit" for name in _FLAGS)), _flag),
    **dict.fromkeys(("__atomic_test_and_set", "__atomic_clear"), _flag),
    **{f"atomic_{name}{more}": handler for name, handler in _C11.items() for more in ("", "_explicit")},
    **{f"__c11_atomic_{name}": handler for name, handler in _C11.items()},
    **{f"__atomic_{name}_n": _C11[name] for name in ("load", "store", "exchange")},
    "__atomic_load": _load_to,
    "__atomic_store": _store_from,
    "__atomic_exchange": _exchange_between,
    "__atomic_compare_exchange_n": partial(_compare_exchange_of_gcc, by_pointer=False),
    "__atomic_compare_exchange": partial(_compare_exchange_of_gcc, by_pointer=True),
    **{f"__atomic_fetch_{update}": partial(_fetch, update=update) for update in _OF_GCC},
    **{f"__atomic_{update}_fetch": partial(_updated, update=update) for update in _OF_GCC},
    **{f"{name}_fetch_{what}": partial(_extreme, what=what, old=True) for what in _CLANGS for name in _ATOMIC},
    **{f"__atomic_{what}_fetch": partial(_extreme, what=what, old=False) for what in _CLANGS},
    **{f"__sync_fetch_and_{update}": partial(_sync_fetch, update=update) for update in (*_OF_GCC, *_EXTREMES)},
    **{f"__sync_{update}_and_fetch": partial(_updated, update=update) for update in _OF_GCC},
    "__sync_lock_release": _lock_release,
    "__sync_lock_test_and_set": _lock_test_and_set,
    "__sync_bool_compare_and_swap": partial(_compare_and_swap, truth=True),
    "__sync_val_compare_and_swap": partial(_compare_and_swap, truth=False),
}
