"""Accesses to memory: loads, stores, updates, fences; and memory that a thread has for itself.

An access bears its order (none if it is weak), its scope and `generic` as tags, and the block and the GPU of its
thread: as in litmus tests of PTX (frontends/litmus/architectures/ptx.py). The two accesses of an update are a pair of
exclusive ones that does not fail: whether they are atomic is up to the model.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import partial, reduce
from typing import NoReturn

from xgen.frontends.assembly import Branch
from xgen.frontends.ptx.arithmetic import Arithmetic, Given
from xgen.frontends.ptx.floats import HINT, computed_real
from xgen.frontends.ptx.layout import END, LOCAL, NARROW, NOWHERE, OF_BLOCK, OF_FRAME, RESERVED, SHARED
from xgen.frontends.ptx.module import literal
from xgen.frontends.ptx.numbers import Nothing, Number, chosen, compared, computed, expression, is_within
from xgen.frontends.ptx.operands import Head, Refused
from xgen.frontends.ptx.text import split
from xgen.program import automaton as xcfa
from xgen.program.automaton import Binary, Conditional, Expression, IntLiteral
from xgen.records import dataclass
from xgen.tags import ORDERED_FENCES

_ORDERS = {
    "ld": ("weak", "relaxed", "acquire", "volatile"),
    "st": ("weak", "relaxed", "release", "volatile"),
    "update": ("relaxed", "acquire", "release", "acq_rel"),
}
SCOPES = ("cta", "cluster", "gpu", "sys")
_SHARED = ("shared", "shared::cluster")
_CACHES = frozenset(("ca", "cg", "cs", "lu", "wb", "wt", "cop", "L2::cache_hint"))
_SPACES = ("global", "shared", "shared::cluster", "local", "const", "param")
_VECTORS = {"v2": 2, "v4": 4, "v8": 8}
_UPDATES = ("add", "and", "or", "xor", "exch", "cas", "min", "max", "inc", "dec")
_FENCES = ("acquire", "release", "acq_rel")
_MEMBARS = {"cta": "cta", "gl": "gpu", "sys": "sys"}


@dataclass(frozen=True, slots=True)
class Form:
    """What the words of an access say: its order and scope, the space, how many numbers, and their type."""

    order: str | None
    scope: str | None
    space: str | None
    constant: bool
    count: int
    kind: str
    bits: int

    @property
    def size(self) -> int:
        return self.bits // 8


class Accesses(Arithmetic):
    """What accesses memory."""

    def access(self, words: tuple[str, ...], operands: Given) -> bool:
        """Does an access or a fence; whether the instruction is one."""
        if words[0] in ("ld", "ldu"):
            self.load(self.form("ld", words), operands)
        elif words[0] == "st":
            self.store(self.form("st", words), operands)
        elif words[0] in ("atom", "red"):
            self.update(words, operands)
        elif words[0] in ("fence", "membar"):
            self.fence(words)
        else:
            return False
        return True

    def form(self, kind: str, words: tuple[str, ...]) -> Form:
        """What the words of an access say; refused where one of them is not known."""
        order = scope = space = None
        constant, count = words[0] == "ldu", 1
        for word in words[1:-1]:
            plain = word.removesuffix("::cta").removesuffix("::entry").removesuffix("::func")
            if word in _ORDERS[kind] and order is None:
                order = word
            elif word in SCOPES and scope is None:
                scope = word
            elif plain in _SPACES and space is None:
                space = plain
            elif word == "nc" and kind == "ld":
                constant = True
            elif word in _VECTORS and count == 1:
                count = _VECTORS[word]
            elif word not in _CACHES and not word.startswith(("L1::", "L2::")):
                self.unknown()
        number = words[-1].lstrip("usbf")
        if number not in ("8", "16", "32", "64") or len(words[-1]) - len(number) != 1:
            self.unknown()
        if order == "volatile":
            order, scope = "relaxed", "sys"
        elif order == "weak":
            order = None
        if (order is None) != (scope is None):
            self.unknown()
        return Form(order, scope, space, constant or space == "const", count, words[-1][0], int(number))

    def unknown(self) -> NoReturn:
        assert self.instruction is not None
        name = self.instruction.name
        hint = next((hint for pattern, hint in HINTS if re.match(pattern, name)), None)
        raise Refused(f"the instruction `{name}` is not supported", hint)

    def tags(self, scope: str | None) -> tuple[str, ...]:
        """`scope`: of an access that is strong."""
        return (*((self.scope(scope),) if scope else ()), "generic", "address.own", *self.groups)

    def scope(self, word: str) -> str:
        """The tag of a scope: a cluster of one block is that block."""
        return "cta" if word == "cluster" and len(self.siblings) == 1 else word

    # ---- places

    def address(self, operand: str, space: str | None) -> int | Expression:
        """The address that an operand in brackets says."""
        if not operand.startswith("["):
            raise Refused(f"the address `{operand}` is not supported")
        found = self.needed(self.number_of(operand[1:-1].strip(), 64))
        if space in _SHARED and not isinstance(found, int):
            return self._within(found, self.shared_window(space))
        return found

    def _within(self, address: Expression, window: tuple[int, int]) -> xcfa.Name:
        """The address; one that is not within a window of shared memory leads to where nothing is, so that the access
        is a violation. An assertion would come before the stores behind, which need not wait for the address."""
        kept, nowhere = self.kept(address), window[1] - RESERVED
        return self.kept(expression(self.needed(chosen(is_within(kept, window), kept, nowhere))))

    def _inside(self, address: Expression, starts: Collection[int]) -> xcfa.Name:
        """The address; one that is in none of some objects leads to where nothing is."""
        kept, inside = self.kept(address), list[Expression]()
        for start in sorted(starts):
            found = self.world.layout.at(start)
            window = self.shared_window(None) if start == SHARED else (start, start if found is None else found.end)
            inside.append(is_within(kept, window))
        return self.kept(Conditional(reduce(partial(Binary, "or"), inside), kept, IntLiteral(NOWHERE)))

    def place(self, address: int | Expression, size: int, space: str | None, plain: bool = True) -> xcfa.Deref:
        """The cell of so many bytes at an address. Out of all objects the access is a violation. `plain`: no
        `mbarrier` is there."""
        layout = self.world.layout
        if not isinstance(address, int):
            starts = frozenset((SHARED,)) if space in _SHARED else self.origins.of(address)
            starts = starts - NARROW if starts else None
            layout.reaches(size, starts or None, self.position)
            inside = address if space in _SHARED or not starts else self._inside(address, starts)
            return xcfa.Deref(inside, self.position, -size)
        found = layout.at(address)
        is_shared = SHARED <= address < LOCAL
        start, end = self.shared_window(space)
        if is_shared and (address - SHARED) % OF_BLOCK >= OF_BLOCK - RESERVED:
            raise Refused("shared memory that the system reserves is not supported")
        if found is None or ((space in _SHARED or is_shared) and not start <= address < end):
            self.fail("bad-address" if 0 <= address < 4096 else "out-of-bounds")
        if address + size > found.end:
            self.fail("out-of-bounds")
        if address % size:
            self.fail("bad-address")
        if is_shared and not self.window <= address < self.window + OF_BLOCK:
            self.world.note(OTHER_BLOCK)
        layout.known.setdefault((address, size), self.position)
        if plain:
            self.world.plain.setdefault(address, self.position)
        return xcfa.Deref(IntLiteral(address), self.position, -size)

    def own(self, address: int | Expression) -> tuple[Head, int] | None:
        """The local memory that an address leads to, and the offset; None: it leads elsewhere."""
        if not isinstance(address, int) or not LOCAL <= address < END:
            return None
        depth, offset = divmod(address - LOCAL, OF_FRAME)
        if depth > self.state.depth:
            self.fail("bad-address")
        if offset >= self.world.depot_size(self.state.frames[depth].function):
            self.fail("out-of-bounds")
        return ("m", depth, ""), offset

    def parameter(self, operand: str) -> tuple[Head, int]:
        """The parameter that an operand in brackets names, and the offset in it."""
        name, _, offset = operand.strip("[] ").partition("+")
        frame = self.state.frames[-1]
        bound = dict(frame.bound).get(name.strip())
        if bound is None:
            if name.strip() not in frame.function.declared:
                raise Refused(f"the address `{operand}` of a parameter is not supported")
            bound = ("p", self.state.depth, name.strip())
        start = literal(offset.strip() or "0")
        if start is None:
            raise Refused(f"the address `{operand}` of a parameter is not supported")
        return bound, start

    # ---- loads and stores

    def load(self, form: Form, operands: Given) -> None:
        self.takes(operands, 2, 3)
        registers = split(operands[0].strip("{}"))
        if len(registers) != form.count:
            self.unknown()
        if form.space == "param":
            head, offset = self.parameter(operands[1])
            for index, register in enumerate(registers):
                value = self.load_own(head, offset + index * form.size, form.size)
                self.put(register, value, form.bits, form.kind == "s")
            return
        address = self.address(operands[1], form.space)
        own = self.own(address)
        if own is not None:
            for index, register in enumerate(registers):
                value = self.load_own(own[0], own[1] + index * form.size, form.size)
                self.put(register, value, form.bits, form.kind == "s")
        elif self.whole(form, address):
            self.take_apart(registers, self.read(form, address, form.size * form.count), form.bits * form.count)
        else:
            values = [self.read(form, self.nth(address, index, form), form.size) for index in range(form.count)]
            for register, value in zip(registers, values, strict=True):
                self.put(register, value, form.bits, form.kind == "s")

    def nth(self, address: int | Expression, index: int, form: Form) -> int | Expression:
        """The address of one of the numbers of a vector."""
        return self.needed(computed("add", 64, address, index * form.size))

    def whole(self, form: Form, address: int | Expression) -> bool:
        """Whether an access of several numbers is one access."""
        size = form.size * form.count
        if form.count == 1:
            return False
        wanted = self.world.vectors == "whole"
        if wanted and size <= 8 and isinstance(address, int) and address % size == 0:
            self.world.note(WHOLE)
            self.world.whole.add((address, size))
            return True
        self.world.note(PARTS)
        return False

    def read(self, form: Form, address: int | Expression, size: int, tags: tuple[str, ...] = ()) -> Number:
        """The number that a load finds. `tags`: in place of those of its form."""
        known = self.folded(address, size)
        if known is not None:
            return known
        place = self.place(address, size, form.space)
        if form.constant:
            what = "constant memory at an address that is not known" if isinstance(address, Expression) else None
            raise Refused(what or "a load from memory that does not change (`.nc`), which the kernel writes")
        target = self.fresh()
        self.do(xcfa.Load(target, place, False, form.order, self.position, tags or self.tags(form.scope)))
        return target

    def folded(self, address: int | Expression, size: int) -> int | None:
        """The number at a place that nobody writes."""
        found = self.world.layout.at(address) if isinstance(address, int) else None
        if found is None or not isinstance(address, int) or address + size > found.end or address % size:
            return None
        return self.world.values.folded(found, address, size)

    def store(self, form: Form, operands: Given) -> None:
        self.takes(operands, 2, 3)
        given = split(operands[1].strip("{}"))
        if len(given) != form.count:
            self.unknown()
        values = [self.number_of(each, form.bits) for each in given]
        if form.space == "param":
            head, offset = self.parameter(operands[0])
            for index, value in enumerate(values):
                self.store_own(head, offset + index * form.size, form.size, value)
            return
        address = self.address(operands[0], form.space)
        own = self.own(address)
        if own is not None:
            for index, value in enumerate(values):
                self.store_own(own[0], own[1] + index * form.size, form.size, value)
        elif self.whole(form, address):
            self.write(form, address, form.size * form.count, self.put_together(values, form.bits * form.count))
        else:
            for index, value in enumerate(values):
                self.write(form, self.nth(address, index, form), form.size, value)

    def write(
        self, form: Form, address: int | Expression, size: int, value: Number, tags: tuple[str, ...] = ()
    ) -> None:
        place = self.written(address, size, form.space)
        found = expression(self.needed(value))
        self.do(xcfa.Store(found, place, False, form.order, self.position, tags or self.tags(form.scope)))

    def written(self, address: int | Expression, size: int, space: str | None) -> xcfa.Deref:
        """The cell that is written, and a note of that: what is not, is known. An address that is computed from those
        of some objects leads to them, or to where nothing is."""
        values = self.world.values
        if isinstance(address, int):
            place = self.place(address, size, space)
            values.written.update(range(address, address + size))
            return place
        origin = self.origins.of(address)
        if space in _SHARED:
            pass
        elif origin is None or not origin - NARROW:
            values.anywhere = True
        else:
            values.reached |= origin - NARROW
        return self.place(address, size, space)

    # ---- updates

    def update(self, words: tuple[str, ...], operands: Given) -> None:
        """`atom` and `red`, which gives nothing back."""
        order = scope = operation = space = None
        for word in words[1:-1]:
            plain = word.removesuffix("::cta")
            if word in _ORDERS["update"] and order is None:
                order = word
            elif word in SCOPES and scope is None:
                scope = word
            elif plain in ("global", *_SHARED) and space is None:
                space = plain
            elif word in _UPDATES and operation is None:
                operation = word
            elif word != "L2::cache_hint":
                self.unknown()
        real = operation == "add" and words[-1] in ("f32", "f64")
        if operation is None or not (real or words[-1] in ("u32", "s32", "b32", "u64", "s64", "b64")):
            self.unknown()
        bits, gives = int(words[-1][1:]), words[0] == "atom"
        given = operands[1 if gives else 0 :]
        if len(given) < (3 if operation == "cas" else 2):
            self.unknown()
        values = [self.number_of(each, bits) for each in given[1 : 3 if operation == "cas" else 2]]
        address = self.address(given[0], space)
        if self.own(address) is not None:
            raise Refused("an update of local memory is not supported")
        place = self.written(address, bits // 8, space)
        tags = self.tags(scope or "gpu")
        change = Change("fadd" if real else operation, words[-1][0] == "s", bits, place, order or "relaxed", tags)
        old = self._changed(change, [expression(self.needed(value)) for value in values])
        if gives:
            self.put(operands[0], old, bits)

    def _changed(self, change: Change, values: list[Expression]) -> xcfa.Name:
        old, position = self.fresh(), self.position
        order = "acquire" if change.order in ("acquire", "acq_rel") else "relaxed"
        self.do(xcfa.Load(old, change.place, False, order, position, change.tags, exclusive=True))
        if change.operation == "cas":
            scope, differs, end = self.fresh(), self.fresh(xcfa.BOOL), self.label()
            test = Binary("/=", old, values[0], position)
            self.do(xcfa.Scope("keep", scope, position), xcfa.Predict(differs, test, position=position))
            self.do(Branch(differs, end, position))
            self._write_back(change, values[1])
            self.do(end, xcfa.Scope("leave", scope, position))
        else:
            self._write_back(change, expression(self.needed(_result(change, old, values[0]))))
        return old

    def _write_back(self, change: Change, value: Expression) -> None:
        """The write of an update, which does not fail."""
        status, position = self.fresh(), self.position
        order = "release" if change.order in ("release", "acq_rel") else "relaxed"
        self.do(
            xcfa.StoreExclusive(status, value, change.place, order, position, change.tags),
            xcfa.Assume(Binary("=", status, IntLiteral(0), position), position),
        )

    # ---- fences

    def fence(self, words: tuple[str, ...]) -> None:
        """`fence.sc` and `membar` are writes to a cell of xgen's own, whose order is the fence-SC order."""
        if words[0] == "membar":
            if len(words) != 2 or words[1] not in _MEMBARS:
                self.unknown()
            kind, scope = "sc", _MEMBARS[words[1]]
        else:
            if len(words) != 3 or words[1] not in ("sc", *_FENCES) or words[2] not in SCOPES:
                self.unknown()
            kind, scope = words[1], self.scope(words[2])
        if kind in _FENCES:
            self.do(xcfa.Fence(kind, self.position, (scope, "generic", *self.groups)))
            return
        place = self.world.hidden(ORDERED_FENCES, IntLiteral(0), 1, self.position)
        tags = (scope, "generic", "hidden", *self.groups)
        self.do(xcfa.Store(IntLiteral(0), place, False, "seq_cst", self.position, tags))


@dataclass(frozen=True, slots=True)
class Change:
    """An update: its operation, whether its numbers have a sign, their bits, where it is, its order and tags."""

    operation: str
    with_sign: bool
    bits: int
    place: xcfa.Deref
    order: str
    tags: tuple[str, ...]


def _result(change: Change, old: Expression, given: Expression) -> Number:
    """What an update writes."""
    bits, value = change.bits, given.value if isinstance(given, IntLiteral) else given
    match change.operation:
        case "exch":
            return value
        case "inc":
            return chosen(compared("ge", bits, False, old, value), 0, computed("add", bits, old, 1))
        case "dec":
            above = compared("gt", bits, False, old, value)
            assert not isinstance(above, Nothing)
            none = Binary("or", Binary("=", old, IntLiteral(0)), expression(above))
            return chosen(none, value, computed("sub", bits, old, 1))
        case "fadd":
            return computed_real("add", bits, old, value)
        case "min" | "max":
            return computed(change.operation if change.with_sign else f"u{change.operation}", bits, old, value)
        case _:
            return computed(change.operation, bits, old, value)


HINTS = (
    (r"brx", "a jump through a table is not supported; without optimisation, `switch` is a chain of tests"),
    (r"mbarrier\b", "barriers in shared memory are read: init, arrive, expect_tx, complete_tx, test_wait and try_wait"),
    (
        r"cp\.|st\.async|red\.async|bulk",
        "copies in the background are cp.async in groups: commit_group, wait_group, wait_all, or mbarrier.arrive",
    ),
    (r"fence\.proxy|fence\.mbarrier", "memory is accessed in the generic way only"),
    (
        r"wgmma|mma|tcgen05|ldmatrix|stmatrix|wmma",
        "who waits for whom does not depend on matrices: leave them out",
    ),
    (r"tex|tld4|su(ld|st|red|q)|txq", "textures and surfaces are not supported, in litmus tests of PTX they are"),
    (r"multimem", "one memory of several GPUs is not supported"),
    (r"atom|red", "updates are add, and, or, xor, exch, cas, min, max, inc, dec of 32 or 64 bits, and add of floats"),
    (r".*\.(b?f(16|32|64)|tf32|f16x2|bf16x2)\b", HINT),
)
"""What to do in place of an instruction, by how its name begins."""
WHOLE = "note: a vector access of up to 8 bytes is taken as one access, as hardware does it; --vectors parts: one each"
OTHER_BLOCK = "note: whether a block still runs when another one accesses its shared memory is not checked"
PARTS = "note: a vector access is taken as one access for each number, in no order, as the PTX ISA says"
