"""A thread of a kernel in HIP: what it does at the instructions of our headers, and the tags of the model `hip`.

What is atomic bears its order and its scope, by LLVM's name; each event bears the block and the GPU that its thread is
in, as in litmus tests (frontends/litmus/architectures/hierarchy.py).
"""

from __future__ import annotations

import re

from xgen.frontends.ptx.accesses import Change, Form
from xgen.frontends.ptx.arithmetic import Given
from xgen.frontends.ptx.numbers import expression
from xgen.frontends.ptx.operands import Refused
from xgen.frontends.ptx.thread import Thread
from xgen.program import automaton as xcfa
from xgen.records import replace

_ORDERS = ("relaxed", "acquire", "acquire", "release", "acq_rel", "seq_cst")
"""By the numbers of `__ATOMIC_RELAXED` and so on; what consumes acquires, as in clang."""
_OF_LOADS = ("relaxed", "acquire", "seq_cst")
_OF_STORES = ("relaxed", "release", "seq_cst")
_SCOPES = {1: "singlethread", 3: "workgroup", 4: "agent", 5: "system"}
"""By the numbers of `__HIP_MEMORY_SCOPE_SINGLETHREAD` and so on."""
_WAVEFRONT = 2
_ATOMIC = re.compile(r"xgen\.(load|store|cas|exchange|fetch_(?:add|sub|and|or|xor|min|max|inc|dec))\.([busf])(32|64)")
_OPERANDS = {"load": 4, "store": 4, "cas": 7}
_OF_FLOATS = ("add", "exchange")
_OF_FENCES = (
    'the scopes of fences are "singlethread", "workgroup", "agent" and "" (the system); one that ends in "-one-as" '
    "orders less, memory of one address space, which the model does not tell apart"
)
_BUILTINS = (
    "atomic accesses are those of HIP: __hip_atomic_load(p, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT), atomicAdd"
)


class HipThread(Thread):
    """What a thread does, as steps."""

    releases = False

    def standing(self) -> tuple[str, ...]:
        return f"workgroup.a0.w{self.block}", "agent.a0"

    # ---- what is not atomic

    def form(self, kind: str, words: tuple[str, ...]) -> Form:
        """A volatile access is like any other: LLVM gives it no meaning between threads."""
        found = super().form(kind, tuple(word for word in words if word != "volatile"))
        if found.order is not None or found.constant:
            raise Refused(f"the instruction `{'.'.join(words)}` is not supported in HIP", _BUILTINS)
        return found

    def tags(self, scope: str | None) -> tuple[str, ...]:
        assert scope is None
        return self.groups

    # ---- what is

    def access(self, words: tuple[str, ...], operands: Given) -> bool:
        if words[0] in ("ld", "st"):
            return super().access(words, operands)
        name = ".".join(words)
        if name == "xgen.fence":
            self.takes(operands, 3)
            if self.number_of(operands[2], 32) == 0:
                raise Refused("the scope of this fence is not supported", _OF_FENCES)
            order, tags = self._order(operands[1], _ORDERS, "fence"), self._scope(operands[2])
            if order != "relaxed" and "singlethread" not in tags:
                self.do(xcfa.Fence(order, self.position, tags))
            return True
        found = _ATOMIC.fullmatch(name)
        if found is not None:
            self._atomic(found[1].removeprefix("fetch_"), found[2], int(found[3]), operands)
            return True
        if words[0] in ("atom", "red", "fence", "membar"):
            raise Refused(f"the instruction `{name}` is not supported in HIP", _BUILTINS)
        return False

    def together(self, words: tuple[str, ...], operands: Given) -> bool:
        """A barrier of the block; that is all that the headers have."""
        return ".".join(words) == "bar.sync" and operands == ("0",) and super().together(words, operands)

    def _order(self, operand: str, allowed: tuple[str, ...], what: str) -> str:
        number = self.needed(self.number_of(operand, 32))
        if not isinstance(number, int):
            raise Refused("an order that is not known where it is used is not supported")
        if not 0 <= number < len(_ORDERS):
            raise Refused(f"there is no order {number}: __ATOMIC_RELAXED and others name them")
        if _ORDERS[number] not in allowed:
            raise Refused(f"the order {_ORDERS[number]} makes no sense for a {what}")
        return _ORDERS[number]

    def _scope(self, operand: str) -> tuple[str, ...]:
        """The tags of a scope, and of the groups that the thread is in."""
        number = self.needed(self.number_of(operand, 32))
        if not isinstance(number, int):
            raise Refused("a scope that is not known where it is used is not supported")
        if number == _WAVEFRONT:
            hint = "a block is the smallest scope that is: __HIP_MEMORY_SCOPE_WORKGROUP"
            raise Refused("the scope of a wavefront is not supported", hint)
        if number not in _SCOPES:
            raise Refused(f"there is no scope {number}: __HIP_MEMORY_SCOPE_AGENT and others name them")
        return _SCOPES[number], *self.groups

    def _atomic(self, operation: str, kind: str, bits: int, operands: Given) -> None:
        """`load d, [p], ORDER, SCOPE`, `store [p], v, ORDER, SCOPE`, `cas d, [p], old, new, ORDER, ORDER, SCOPE`, and
        updates: `add d, [p], v, ORDER, SCOPE`."""
        self.takes(operands, _OPERANDS.get(operation, 5))
        at, size = 0 if operation == "store" else 1, bits // 8
        tags = self._scope(operands[-1])
        address = self.address(operands[at], None)
        if self.own(address) is not None:
            raise Refused("an atomic access to memory of the thread alone is not supported")
        if operation == "load":
            order = self._order(operands[2], _OF_LOADS, "load")
            self.put(operands[0], self.read(Form(order, None, None, False, 1, "b", bits), address, size, tags), bits)
            return
        if operation == "store":
            form = Form(self._order(operands[2], _OF_STORES, "store"), None, None, False, 1, "b", bits)
            self.write(form, address, size, self.number_of(operands[1], bits), tags)
            return
        if kind == "f" and operation not in _OF_FLOATS:
            raise Refused(f"an atomic `{operation}` of floating point numbers is not supported")
        place, order = self.written(address, size, None), self._order(operands[-2], _ORDERS, "update")
        values = [expression(self.needed(self.number_of(each, bits))) for each in operands[2:-2]]
        if operation == "cas":
            success = self._order(operands[4], _ORDERS, "update")
            old = self._exchanged(place, values[:2], (success, self._order(operands[5], _OF_LOADS, "failure")), tags)
        else:
            does = {"exchange": "exch", "add": "fadd" if kind == "f" else "add"}.get(operation, operation)
            old = self._changed(Change(does, kind == "s", bits, place, order, tags), values)
        self.put(operands[0], old, bits)

    def _exchanged(
        self, place: xcfa.Deref, values: list[xcfa.Expression], orders: tuple[str, str], tags: tuple[str, ...]
    ) -> xcfa.Name:
        """An exchange if the old value is one that is given; one that fails is a load, with an order of its own."""
        old = self.fresh()
        self.do(xcfa.Rmw(old, "cas", place, tuple(values), orders, self.position, tags, tags))
        return old

    def _changed(self, change: Change, values: list[xcfa.Expression]) -> xcfa.Name:
        """The read and the write of an update both have its order, of which the model takes what is theirs."""
        before = len(self.steps)
        old = super()._changed(change, values)
        self.steps[before:] = [
            replace(step, order=change.order) if isinstance(step, xcfa.Load | xcfa.StoreExclusive) else step
            for step in self.steps[before:]
        ]
        return old
