"""`<stdatomic.h>` and GCC's `__atomic_*` and `__sync_*`: generic functions, which are known by their names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pycparser import c_ast

from xgen.frontends.c.language.arithmetic import convert, number, truth
from xgen.frontends.c.language.expressions import NOTHING
from xgen.frontends.c.language.functions import Functions
from xgen.frontends.c.language.places import InRegisters, Place, Value, literal
from xgen.frontends.c.language.types import BOOL, INT, Int, Pointer, is_scalar, plain, size_of
from xgen.program import automaton as xcfa
from xgen.program.automaton import Binary, Name

ORDERS = ("relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst")
"""By the numbers of `memory_order` and `__ATOMIC_*`."""
_WITHOUT_RELEASE = {"release": "relaxed", "acq_rel": "acquire"}
_UPDATES = {"add": "+", "sub": "-", "and": "&", "or": "|", "xor": "^"}
_EXTREMES = ("min", "max", "umin", "umax")
"""What Clang has besides: `__sync_fetch_and_umax`."""
_C11 = re.compile(
    r"atomic_(load|store|exchange|compare_exchange_strong|compare_exchange_weak|fetch_(\w+?))(_explicit)?$"
)
_UPDATED = ("fetch_add", "fetch_sub", "fetch_and", "fetch_or", "fetch_xor")
ATOMIC_CALLS = {
    f"atomic_{name}{more}"
    for name in ("load", "store", "exchange", "compare_exchange_strong", "compare_exchange_weak", *_UPDATED)
    for more in ("", "_explicit")
} | {"atomic_init", "atomic_thread_fence", "atomic_flag_test_and_set", "atomic_flag_clear"}
"""C11's functions, for hints."""
_CLANG = re.compile(r"__c11_(atomic_\w+)$")
"""C11's functions with orders, as Clang has them without a header."""
_GCC = re.compile(r"__atomic_(\w+?)(_n)?$")
_SYNC = re.compile(r"__sync_(?:fetch_and_(\w+)|(\w+)_and_fetch)$")

Arguments = Sequence[c_ast.Node]


class Atomics(Functions):
    """Calls of atomic functions."""

    def atomic_call(self, name: str, arguments: Arguments, node: c_ast.Node) -> Value | None:
        """The value of such a call; None where the function is none of these."""
        if name in ("atomic_thread_fence", "__atomic_thread_fence", "__sync_synchronize", "__c11_atomic_thread_fence"):
            return self.fence(self.order(arguments[0]) if arguments else "seq_cst", node)
        if name in ("atomic_signal_fence", "__atomic_signal_fence", "__c11_atomic_signal_fence"):
            return NOTHING
        if name in ("atomic_is_lock_free", "__atomic_always_lock_free", "__atomic_is_lock_free"):
            return literal(1, INT)
        if name in ("atomic_init", "__c11_atomic_init"):
            place = self.object(arguments[0])
            self.store_initial(place, self.evaluate(arguments[1], place.type), node)
            return NOTHING
        if name.startswith(("atomic_flag_", "__atomic_test_and_set", "__atomic_clear")):
            return self.flag(name, arguments, node)
        if match := _CLANG.match(name):
            name = f"{match[1]}_explicit"
        if match := _C11.match(name):
            return self.c11(match[1], match[2], arguments, node)
        if match := _GCC.match(name):
            return self.gcc(match[1], bool(match[2]), arguments, node)
        return self.sync(name, arguments, node) if name.startswith("__sync_") else None

    # ---- operands

    def order(self, node: c_ast.Node) -> str:
        found = self.number(node).constant
        if found is None or not 0 <= found < len(ORDERS):
            self.refuse("a memory order that is no constant is", node)
        return ORDERS[found]

    def object(self, node: c_ast.Node) -> Place:
        """What a pointer argument leads to."""
        value = self.number(node)
        if not isinstance(value.type, Pointer) or not is_scalar(value.type.target):
            self.wrong(f"a pointer to a number or a pointer is needed here, not {value.type}", node)
        return self.target(value, value.type.target)

    def values(self, place: Place, arguments: Arguments, node: c_ast.Node) -> tuple[Place, list[Value]]:
        """The values of further arguments, and the place as it was before."""
        mark = len(self.flow.steps)
        found = [self.keep_if_changing(self.number(argument, plain(place.type)), argument) for argument in arguments]
        return self.protect_place(place, mark, node), found

    def keep_if_changing(self, value: Value, node: c_ast.Node) -> Value:
        """The value in a local of its own, where it is not just a number."""
        return value if value.constant is not None or value.alias else self.keep(value, node)

    def fence(self, order: str, node: c_ast.Node) -> Value:
        if order != "relaxed":
            self.flow.emit(xcfa.Fence(order, self.position(node)))
        return NOTHING

    # ---- families

    def c11(self, name: str, update: str | None, arguments: Arguments, node: c_ast.Node) -> Value | None:
        place = self.object(arguments[0])
        if name == "load":
            self.no_order(arguments, 1, ("release", "acq_rel"), "a load")
            return self.load(_not_atomic(place), node, self.order_at(arguments, 1))
        if name == "store":
            self.no_order(arguments, 2, ("consume", "acquire", "acq_rel"), "a store")
            place, (value,) = self.values(place, arguments[1:2], node)
            self.store(_not_atomic(place), value, node, self.order_at(arguments, 2))
            return NOTHING
        if name == "exchange":
            place, (value,) = self.values(place, arguments[1:2], node)
            return self.update("exchange", place, value, node, (self.order_at(arguments, 2),))
        if update is not None:
            if update not in _UPDATES:
                return None
            place, (value,) = self.values(place, arguments[1:2], node)
            return self.update(f"fetch_{update}", place, value, node, (self.order_at(arguments, 2),))
        expected = self.object(arguments[1])
        place, (value,) = self.values(place, arguments[2:3], node)
        orders = self.order_at(arguments, 3), self.failure_order(arguments, 4)
        return self.compare_exchange(place, expected, value, orders, name.endswith("weak"), node)

    def no_order(self, arguments: Arguments, at: int, orders: tuple[str, ...], what: str) -> None:
        """Refuses orders that C does not allow there."""
        if (order := self.order_at(arguments, at)) in orders:
            self.wrong(f"{what} cannot have the order {order}", arguments[at])

    def order_at(self, arguments: Arguments, at: int) -> str:
        return self.order(arguments[at]) if at < len(arguments) else "seq_cst"

    def failure_order(self, arguments: Arguments, at: int) -> str:
        """The order of a compare-exchange that fails. C allows it no release; compilers warn, and leave that out."""
        order = self.order_at(arguments, at)
        if order not in _WITHOUT_RELEASE:
            return order
        taken, place = _WITHOUT_RELEASE[order], self.position(arguments[at]).text(self.world.unit.source)
        self.world.remarks[
            f"{place}: a compare-exchange that fails cannot have the order {order}, which is taken as {taken}"
        ] = None
        return taken

    def compare_exchange(
        self, place: Place, expected: Place, value: Value, orders: tuple[str, ...], weak: bool, node: c_ast.Node
    ) -> Value:
        """Compare and exchange; where it fails `expected` gets the old value, where it does not it has it already."""
        wanted = self.keep_if_changing(self.load(_not_atomic(expected), node), node)
        if weak and self.world.options.weak_cas:
            return self.weakly(place, expected, value, orders, wanted, node)
        return self.strongly(place, expected, value, orders, wanted, node)

    def weakly(
        self, place: Place, expected: Place, value: Value, orders: tuple[str, ...], wanted: Value, node: c_ast.Node
    ) -> Value:
        """A choice: as a strong one does, or a failure for no reason, which is a read."""
        result, fails, end = self.fresh(), self.flow.label(), self.flow.label()
        self.flow.fork(fails, self.position(node))
        found = self.strongly(place, expected, value, orders, wanted, node)
        self.flow.assign(result, found.expression, self.position(node))
        self.flow.jump(end, self.position(node))
        self.flow.place(fails)
        self.store(_not_atomic(expected), self.load(_not_atomic(place), node, orders[-1]), node)
        self.flow.assign(result, xcfa.IntLiteral(0), self.position(node))
        self.flow.place(end)
        return self.result(result, BOOL)

    def strongly(
        self, place: Place, expected: Place, value: Value, orders: tuple[str, ...], wanted: Value, node: c_ast.Node
    ) -> Value:
        old = self.update("cas", place, value, node, orders, wanted)
        wanted = convert(self.plain_number(wanted), plain(place.type))
        success = self.fresh()
        self.flow.assign(success, number(Binary("=", old.expression, wanted.expression)), self.position(node))
        if isinstance(expected, InRegisters):
            self.store(_not_atomic(expected), old, node)
        else:
            end = self.flow.label()
            self.flow.branch(Binary("/=", Name(success), xcfa.IntLiteral(0)), end, self.position(node))
            self.store(_not_atomic(expected), old, node)
            self.flow.place(end)
        return Value(Name(success), BOOL)

    def gcc(self, name: str, plain_value: bool, arguments: Arguments, node: c_ast.Node) -> Value | None:
        """`__atomic_*`; without `_n`, values are passed by pointers."""
        by_pointer = not plain_value and name in ("load", "store", "exchange", "compare_exchange")
        if name in ("load", "store", "exchange") and not by_pointer:
            return self.c11(name, None, arguments, node)
        if name.startswith("compare_exchange"):
            place, expected = self.object(arguments[0]), self.object(arguments[1])
            place, (value,) = self.values(place, arguments[2:3], node)
            if by_pointer:
                value = self.load(self.target(value, plain(place.type)), node)
            orders = self.order_at(arguments, 4), self.failure_order(arguments, 5)
            weak = len(arguments) > 3 and self.number(arguments[3]).constant != 0
            return self.compare_exchange(place, expected, value, orders, weak, node)
        if by_pointer:
            return self.by_pointer(name, arguments, node)
        if name.startswith("fetch_") and name[6:] in _UPDATES:
            return self.c11(name, name[6:], arguments, node)
        if name.endswith("_fetch") and name[:-6] in _UPDATES:
            return self.updated(name[:-6], arguments, self.order_at(arguments, 2), node)
        return None

    def by_pointer(self, name: str, arguments: Arguments, node: c_ast.Node) -> Value:
        place = self.object(arguments[0])
        other = _not_atomic(self.object(arguments[1]))
        if name == "load":
            self.no_order(arguments, 2, ("release", "acq_rel"), "a load")
            self.store(other, self.load(_not_atomic(place), node, self.order_at(arguments, 2)), node)
        elif name == "store":
            self.no_order(arguments, 2, ("consume", "acquire", "acq_rel"), "a store")
            self.store(_not_atomic(place), self.load(other, node), node, self.order_at(arguments, 2))
        else:
            result = _not_atomic(self.object(arguments[2]))
            old = self.update("exchange", place, self.load(other, node), node, (self.order_at(arguments, 3),))
            self.store(result, old, node)
        return NOTHING

    def updated(self, name: str, arguments: Arguments, order: str, node: c_ast.Node) -> Value:
        """An update whose value is the new one."""
        place, (value,) = self.values(self.object(arguments[0]), arguments[1:2], node)
        old = self.update(f"fetch_{name}", place, value, node, (order,))
        return convert(self.operate(_UPDATES[name], old, value, node), plain(place.type))

    def sync(self, name: str, arguments: Arguments, node: c_ast.Node) -> Value | None:
        if match := _SYNC.match(name):
            update = match[1] or match[2]
            if update not in _UPDATES and match[1] not in _EXTREMES:
                return None
            if update in _EXTREMES and size_of(self.object(arguments[0]).type) != size_of(INT):
                self.refuse(f"`{name}` of what is no int is", node)
            if match[2]:
                return self.updated(update, arguments, "seq_cst", node)
            place, (value,) = self.values(self.object(arguments[0]), arguments[1:2], node)
            return self.update(f"fetch_{update}", place, value, node, ("seq_cst",))
        if name == "__sync_lock_release":
            self.store(_not_atomic(self.object(arguments[0])), literal(0, INT), node, "release")
            return NOTHING
        if name == "__sync_lock_test_and_set":
            place, (value,) = self.values(self.object(arguments[0]), arguments[1:2], node)
            return self.update("exchange", place, value, node, ("acquire",))
        if name in ("__sync_bool_compare_and_swap", "__sync_val_compare_and_swap"):
            place, (wanted, value) = self.values(self.object(arguments[0]), arguments[1:3], node)
            old = self.update("cas", place, value, node, ("seq_cst", "seq_cst"), wanted)
            return self.operate("==", old, wanted, node) if "bool" in name else old
        return None

    def flag(self, name: str, arguments: Arguments, node: c_ast.Node) -> Value:
        """`atomic_flag_*`, `__atomic_test_and_set` and `__atomic_clear`."""
        value = self.number(arguments[0])
        inner = value.type.target if isinstance(value.type, Pointer) else BOOL
        place = self.target(value, inner if isinstance(inner, Int) else BOOL)
        order = self.order_at(arguments, 1)
        if "clear" in name:
            self.no_order(arguments, 1, ("acquire", "acq_rel"), "clearing a flag")
            self.store(_not_atomic(place), literal(0, INT), node, order)
            return NOTHING
        old = self.update("exchange", place, literal(1, INT), node, (order,))
        return Value(number(truth(old)), BOOL)


def _not_atomic(place: Place) -> Place:
    """The place, accessed with the order that is given and no other."""
    type_ = replace(place.type, atomic=False) if isinstance(place.type, Int | Pointer) else place.type
    if isinstance(place, InRegisters):
        return InRegisters(place.variable, place.offset, type_)
    return replace(place, type=type_)
