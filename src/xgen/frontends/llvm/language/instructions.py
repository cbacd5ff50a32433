"""What each instruction does that goes on to the next one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import TypeAlias

from xgen.frontends import reals
from xgen.frontends.assembly import Branch
from xgen.frontends.llvm.language.arithmetic import OF_SHIFTS, OF_SIGNS, Arithmetic
from xgen.frontends.llvm.language.wholes import WHOLE, Pair
from xgen.frontends.llvm.objects import Object, unset
from xgen.frontends.llvm.passes import ACCESSES, COPIED, MARK, SPLAT
from xgen.frontends.llvm.points_to import SPREAD
from xgen.frontends.llvm.text.ir import ARITHMETIC, CASTS, CONVERSIONS, REALS, Function, Instruction, aligned_to
from xgen.frontends.llvm.text.tails import Step, Tail, tail_of
from xgen.frontends.llvm.text.tokens import Global, Local, Offset, Operand
from xgen.frontends.llvm.text.types import (
    LONG,
    POINTER,
    Array,
    Float,
    Int,
    Named,
    Struct,
    Type,
    Unsized,
    is_odd,
    is_wide,
    parts,
    size_of,
)
from xgen.frontends.llvm.values import (
    Either,
    Moved,
    Register,
    Uninitialised,
    Value,
    condition,
    expression,
    folded,
    masked,
    signed,
    uninitialised,
    unsigned,
)
from xgen.frontends.reals import WIDTHS, comparison
from xgen.program import automaton as xcfa
from xgen.program.automaton import Binary, BoolLiteral, Conditional, Expression, IntLiteral, Name, Wrap
from xgen.records import dataclass, replace

Environment: TypeAlias = "dict[str, Value | None]"
INT_128 = Int(128)
_UPDATES = {
    "xchg": "exchange",
    "add": "fetch_add",
    "sub": "fetch_sub",
    "and": "fetch_and",
    "or": "fetch_or",
    "xor": "fetch_xor",
    "min": "fetch_min",
    "max": "fetch_max",
    "umin": "fetch_umin",
    "umax": "fetch_umax",
}


@dataclass(eq=False, slots=True)
class Activation:
    """A call that goes on: its function, its values, and the local objects that it has, with what has made them by its
    name, and what has made addresses inside others; what its next landing pad is given."""

    function: Function
    values: Environment
    objects: list[Object]
    landed: Value | None = None
    made: dict[str, Instruction] = field(default_factory=dict)
    offsets: dict[str, Instruction] = field(default_factory=dict)

    def made_by(self, name: str) -> Step | None:
        """How an address inside another object was made."""
        i = self.offsets.get(name)
        return None if i is None else (i.about, tuple(i.operands))


class Instructions(Arithmetic):
    """Instructions by their names."""

    def value(self, here: Activation, operand: Operand, type_: Type) -> Value:
        if isinstance(operand, Local):
            found = here.values.get(operand.name)
            if found is None:
                raise self.unsupported(
                    f"a value that is not known here (`%{operand.name}` in `{here.function.name}`) is"
                )
            return found
        return self.world.memory.constant(operand, type_)

    def operand(self, here: Activation, i: Instruction, number: int) -> Value:
        """An operand, which has to be there."""
        return self.used(self.raw_operand(here, i, number))

    def raw_operand(self, here: Activation, i: Instruction, number: int) -> Value:
        """An operand that is passed on as it is, whether or not it has a value."""
        type_, operand = i.operands[number]
        return self.value(here, operand, type_)

    def operands(self, here: Activation, i: Instruction) -> list[Value]:
        return [self.operand(here, i, number) for number in range(len(i.operands))]

    def raw_operands(self, here: Activation, i: Instruction) -> list[Value]:
        return [self.raw_operand(here, i, number) for number in range(len(i.operands))]

    def arguments_of(self, here: Activation, i: Instruction) -> list[Value]:
        """What is called with: LLVM's own functions access what they are given the address of."""
        arguments = self.raw_operands(here, i)
        if isinstance(i.about, Global) and i.about.name.startswith("llvm.mem") and arguments[2] != 0:
            for _, operand in i.operands[:2]:
                self.must_be_inside(here, operand)
        return arguments

    def needed(self, name: str, arguments: list[Value], i: Instruction) -> list[Value]:
        """What the library is given: it looks at all that is said to have a value."""
        every = name.startswith("llvm.")
        return [self.used(each) if every or at in i.filled else filled(each) for at, each in enumerate(arguments)]

    def hint(self, here: Activation, i: Instruction) -> str:
        """What the source calls a value."""
        for kind, number in here.function.names.get(i.name or "", ()):
            name = self.world.metadata.node(number).get("name")
            if kind == "value" and isinstance(name, str) and name != "this" and not name.startswith("__"):
                return name
        return ""

    def width(self, type_: Type) -> int:
        """How many bytes a number has in memory."""
        if (isinstance(type_, Int) and type_.bits <= 64) or (isinstance(type_, Float) and type_.bytes in WIDTHS):
            return size_of(type_)
        if type_ == Named("ptr"):
            return 8
        raise self.refuse_size(type_)

    def do(self, here: Activation, i: Instruction) -> Value | None:
        self.place_now = i.place if i.place is not None else self.place_now
        if i.op in ARITHMETIC:
            if is_wide(i.type):
                return self._compute_wide(here, i)
            if not isinstance(i.type, Int):
                raise self.unsupported(f"arithmetic of type `{i.type}` is")
            a, b = self.raw_operands(here, i)
            if i.op in OF_SHIFTS or i.op in OF_SIGNS:
                a, b = self.defined(i.op, a, b, i.type.bits)
            if i.op == "mul" and SPLAT in (i.name or "") and isinstance(a, Uninitialised):
                return uninitialised(*(self.compute("mul", each, b, i.type.bits) for each in masked(a)))
            return self.compute(i.op, a, b, i.type.bits, self.hint(here, i))
        if i.op == "freeze":
            return unset(i.type) if (i.name or "").startswith(MARK) else filled(self.raw_operand(here, i, 0))
        if i.op in CASTS:
            return self.cast(i, self.raw_operand(here, i, 0), self.hint(here, i))
        method = _METHODS.get(i.op)
        if i.op in ACCESSES:
            self.must_be_inside(here, i.operands[i.op == "store"][1])
            if isinstance(i.type, Int):
                accessed = (i.type.bits + 7) // 8
            else:
                accessed = (self.width if isinstance(i.type, Float) else self.size)(i.type)
            self.must_fit(self.raw_operand(here, i, i.op == "store"), accessed)
        if method is not None:
            return method(self, here, i)
        raise self.unsupported(f"the instruction `{i.op}` of LLVM is")

    # ---- numbers

    def cast(self, i: Instruction, value: Value, hint: str) -> Value:
        before, after = i.operands[0][0], i.type
        if is_wide(before) or is_wide(after):
            return self._cast_wide(i, value, hint)
        if isinstance(value, Uninitialised):
            return uninitialised(self.cast(i, value.value, hint), self.cast(i, value.missing, ""))
        if i.op not in ("zext", "sext", "trunc") or isinstance(value, tuple):
            if isinstance(before, Float) != isinstance(after, Float):
                self.width(before if isinstance(before, Float) else after)
            return value
        if not isinstance(before, Int) or not isinstance(after, Int) or after.bits > 64:
            raise self.unsupported(f"a conversion to type `{after}` is")
        bits = before.bits
        if isinstance(value, int):
            if i.op == "zext":
                return signed(unsigned(value, bits), after.bits)
            return -(value & 1) if bits == 1 and i.op == "sext" else signed(value, after.bits)
        if i.op == "trunc":
            return self._truncated(value, after.bits, hint)
        if i.op == "zext":
            if bits == 1:
                return value
            origin = None if bits > 32 and value.origin is None else Either()
            if value.most is not None:
                return Register(value.expression, origin, after.bits, None, value.most)
            most = (1 << bits) - 1 if bits <= 16 else None
            return self.keep(Register(Wrap(value.expression, bits, False), origin, after.bits, None, most), hint)
        if bits == 1:
            return self.keep(Register(Conditional(condition(value), IntLiteral(-1), IntLiteral(0)), Either()), hint)
        return Register(value.expression, Either(), after.bits, None, value.most)

    # ---- numbers of 128 bits, by their halves

    def _cast_wide(self, i: Instruction, value: Value, hint: str) -> Value:
        before, after = i.operands[0][0], i.type
        if i.op == "zext" and before == Int(8) and isinstance(value, Uninitialised):
            return (self.cast(replace(i, type=LONG), value, hint), *(0 for _ in parts(after)[1:]))
        if {before, after} & {INT_128} and i.op in ("zext", "ptrtoint"):
            if before not in (LONG, POINTER):
                value = self.cast(replace(i, type=LONG), value, hint)
            return value, 0
        if before == INT_128 and i.op in ("trunc", "inttoptr"):
            low = apart(value, before)[0]
            return (
                low
                if after in (LONG, POINTER)
                else self.cast(replace(i, operands=[(LONG, i.operands[0][1])], type=after), low, hint)
            )
        raise self.unsupported(f"a conversion from type `{before}` to type `{after}` is")

    def _compute_wide(self, here: Activation, i: Instruction) -> Value:
        """Moves halves, and takes and puts together bits of them."""
        a, b = (apart(each, i.type) if is_wide(i.type) else (each,) for each in self.raw_operands(here, i))
        if i.op == "mul" and isinstance(a[0], Uninitialised):  # bytes that LLVM sets to one without a value
            return unset(i.type)
        if i.type == INT_128 and i.op in ("and", "or", "xor"):
            return tuple(self._bits_of(i.op, one, other) for one, other in zip(a, b, strict=True))
        if i.type == INT_128 and i.op in ("shl", "lshr") and isinstance(b[0], int) and 0 <= b[0] < 128:
            back = i.op == "lshr"
            first, second = a[::-1] if back else a  # the half that bits leave for the other one
            if b[0] >= 64:
                first, second = 0, first
            if bits := b[0] % 64:
                over = self.compute("shl" if back else "lshr", first, 64 - bits, 64)
                first, second = (self.compute(i.op, each, bits, 64) for each in (first, second))
                second = self._bits_of("or", second, over)
            return (second, first) if back else (first, second)
        raise self.unsupported(f"arithmetic of type `{i.type}` is")

    def _bits_of(self, op: str, a: Value, b: Value) -> Value:
        """What is not changed stays an address, if it was one."""
        for one, other in ((a, b), (b, a)):
            if one == (-1 if op == "and" else 0):
                return other
        return 0 if op == "and" and 0 in (a, b) else self.compute(op, a, b, 64)

    def _truncated(self, value: Register, bits: int, hint: str) -> Value:
        if bits == 1:
            if value.condition is not None:
                return value
            return self.truth(Binary("/=", Binary("bitand", value.expression, IntLiteral(1)), IntLiteral(0)), hint)
        origin = Either() if bits <= 32 or value.origin == Either() else None
        if value.most is not None and value.most < 1 << (bits - 1):
            return Register(value.expression, origin, bits, None, value.most)
        return self.keep(Register(Wrap(value.expression, bits, True), origin, bits), hint)

    def _compare(self, here: Activation, i: Instruction) -> Value:
        type_ = i.operands[0][0]
        if isinstance(type_, Array):
            raise self.unsupported("comparing vectors is")
        a, b = self.operands(here, i)
        if is_wide(type_):
            return self._compare_wide(here, i, type_)
        return self.compare(i.about, a, b, self.hint(here, i))

    def _compare_wide(self, here: Activation, i: Instruction, type_: Type) -> Value:
        """Whether numbers of more than 64 bits are the same: all their parts are."""
        if i.about not in ("eq", "ne"):
            raise self.unsupported(f"which of two numbers of type `{type_}` is larger is")
        a, b = (apart(each, type_) for each in self.operands(here, i))
        same: Value = 1
        for one, other in zip(a, b, strict=True):
            same = self.compute("and", same, self.compare("eq", one, other), 1)
        return same if i.about == "eq" else self.compare("eq", same, 0, self.hint(here, i))

    def _select(self, here: Activation, i: Instruction) -> Value:
        test, a, b = self.raw_operands(here, i)
        if is_wide(i.type):
            a, b = apart(a, i.type), apart(b, i.type)
        return self.select(test, a, b, self.hint(here, i))

    # ---- floating point numbers

    def _real(self, here: Activation, i: Instruction) -> Value:
        width, values = self.width(i.type), self.operands(here, i)
        if i.op == "fneg":
            return self.compute("xor", values[0], -(1 << (8 * width - 1)), 8 * width, self.hint(here, i))
        a, b = map(expression, values)
        return self.real(reals.arithmetic(i.op, a, b, width), width, self.hint(here, i))

    def _compare_reals(self, here: Activation, i: Instruction) -> Value:
        width, (a, b) = self.width(i.operands[0][0]), self.operands(here, i)
        test = folded(comparison(i.about, expression(a), expression(b), width))
        return int(test.value) if isinstance(test, BoolLiteral) else self.truth(test, self.hint(here, i))

    def _convert(self, here: Activation, i: Instruction) -> Value:
        before, value = i.operands[0][0], expression(self.operand(here, i, 0))
        for type_ in (before, i.type):
            if isinstance(type_, Int) and type_.bits > 64:
                raise self.unsupported(f"converting a floating point number from or to {type_.bits} bits is")
        if isinstance(before, Int):
            width = self.width(i.type)
            return self.real(reals.of_whole(value, before.bits, i.op == "sitofp", width), width, self.hint(here, i))
        width = self.width(before)
        if isinstance(i.type, Int):
            return self.whole(reals.whole(value, width, i.type.bits, i.op == "fptosi"), i.type.bits, self.hint(here, i))
        return self.real(reals.resized(value, width, self.width(i.type)), self.width(i.type), self.hint(here, i))

    # ---- memory

    def _allocate(self, here: Activation, i: Instruction) -> Value:
        count = self.operand(here, i, 0) if i.operands else 1
        if not isinstance(count, int):
            raise self.unsupported("an array whose length is not known here is")
        metadata, name, type_ = self.world.metadata, "", None
        for _, number in here.function.names.get(i.name or "", ()):
            node = metadata.node(number)
            name, type_ = name or str(node.get("name", "")), type_ or node.get("type")
        name = name or "local"
        name, size = name if self.single_threaded else f"{self.name}.{name}", count * self.size(i.about)
        found = self.world.memory.allocate(name, size, "stack", path=self.path, aligned=aligned_to(i.text))
        found.at_first, found.type, found.position = self.single_threaded, type_, self.position
        found.layout = i.about if count == 1 else None
        for cell in sorted(self.facts.unset) if not self.on_one_path else ():
            if cell[0] == found.name and cell in self.missing:  # it may be made once more
                self.assign(self.missing[cell], IntLiteral(-1))
        here.objects.append(found)
        here.made[i.name or ""] = i
        return found.address

    def size(self, type_: Type) -> int:
        try:
            return size_of(type_)
        except Unsized:
            raise self.unsupported(f"a value of type `{type_}` is") from None

    def _offset(self, here: Activation, i: Instruction) -> Value:
        here.offsets[i.name or ""] = i
        if i.offset is not None:
            return self.moved(self.operand(here, i, 0), i.offset)
        base, *indices = self.operands(here, i)
        type_: Type = i.about
        offset, dynamic = 0, list[Expression]()
        strides, steps = list[int](), list[tuple[int, int]]()
        tail = tail_of(i.operands[0][1], here.made_by) if indices[0] == 0 else Tail()
        for number, index in enumerate(indices):
            if number and isinstance(type_, Struct):
                assert isinstance(index, int)
                start, _ = parts(type_)[index]
                tail, type_ = tail.inner(type_, index)
                offset += start
                continue
            count = 0
            if number:
                assert isinstance(type_, Array)
                count = type_.count if tail.bounds(type_) else 0
                tail, type_ = tail.inner(type_, 0)
            size = self.size(type_)
            if isinstance(index, int):
                if count and not 0 <= index <= count:
                    self.fail("out-of-bounds")
                offset += index * size
            elif size:
                assert isinstance(index, Register)
                scaled = Binary("*", index.expression, IntLiteral(size)) if size != 1 else index.expression
                dynamic.append(scaled)
                if index.most is not None and index.most < SPREAD:
                    steps.append((size, index.most + 1))
                    if count:
                        self.check(_inside(index.expression, count), "out-of-bounds")
                elif count:
                    steps.append((size, count))
                    self.check(_inside(index.expression, count), "out-of-bounds")
                else:
                    strides.append(size)
        if not dynamic:
            if not any(isinstance(operand, Local) for _, operand in i.operands[1:]):
                i.offset = offset
            return self.moved(base, offset)
        address = expression(base)
        for part in ([IntLiteral(offset)] if offset else []) + dynamic:
            address = Binary("+", address, part)
        return self.keep(Register(address, Moved(base, offset, tuple(strides), tuple(steps))), self.hint(here, i))

    def must_fit(self, pointer: Value, size: int) -> None:
        """What is in an object at its start is there up to its end."""
        found = self.world.memory.at(pointer) if isinstance(pointer, int) else None
        if found is not None and isinstance(pointer, int) and pointer < found.address + found.size < pointer + size:
            self.fail("bad-address")

    def must_be_inside(self, here: Activation, operand: Operand) -> None:
        """What is accessed is an element of each array that it is said to be in: what is right behind the last one may
        be another part of the same object, and has an address that may be asked for."""
        while True:
            if isinstance(operand, Offset):
                type_, operands = operand.type, operand.operands
            elif isinstance(operand, Local) and operand.name in here.offsets:
                made = here.offsets[operand.name]
                type_, operands = made.about, tuple(made.operands)
            else:
                return
            starts = self.value(here, operands[1][1], operands[1][0]) == 0
            tail = tail_of(operands[0][1], here.made_by) if starts else Tail()
            for inner, each in operands[2:]:
                index = masked(self.value(here, each, inner))[0]
                assert isinstance(type_, Struct | Array)
                outer, count = type_, 0
                if isinstance(type_, Array) and tail.bounds(type_):
                    count = type_.count
                tail, type_ = tail.inner(outer, index if isinstance(index, int) else 0)
                if not count:
                    continue
                if isinstance(index, int):
                    self.check(BoolLiteral(0 <= index < count), "out-of-bounds")
                elif isinstance(index, Register) and not (index.most is not None and index.most < count):
                    self.check(Binary("ult", index.expression, IntLiteral(count)), "out-of-bounds")
            if not starts:
                return
            operand = operands[0][1]

    def order_of(self, i: Instruction) -> str | None:
        """The order of a load or a store: an atomic one says it, and of a volatile one the options do."""
        return i.orders[0] if i.orders else self.world.options.volatile if i.volatile else None

    def _load(self, here: Activation, i: Instruction) -> Value:
        order, copied = self.order_of(i), COPIED in (i.name or "")
        return self.load_type(self.operand(here, i, 0), i.type, order, self.hint(here, i), copied)

    def load_type(self, pointer: Value, type_: Type, order: str | None, hint: str, copied: bool = False) -> Value:
        if is_wide(type_) and order is not None:
            self.must_be_whole(type_)
            return self.load_whole(pointer, order)
        if isinstance(type_, Struct) or is_wide(type_):
            loaded = [(self.moved(pointer, at), inner) for at, inner in parts(type_)]
            return tuple(self.load_type(place, inner, order, hint, copied) for place, inner in loaded)
        if isinstance(type_, Float) and type_.bytes not in WIDTHS and self.single_threaded:
            return 0  # nothing can be computed with it
        if is_odd(type_):
            return self._load_odd(pointer, type_, hint, copied)
        found = self.load_uninitialised(pointer, self.width(type_), order, hint, copied)
        if type_ == Int(1) and isinstance(found, Uninitialised):
            return self._bool(found)
        return found & 1 if type_ == Int(1) and isinstance(found, int) else found

    def _bool(self, found: Uninitialised) -> Value:
        """A byte as a bool."""
        either = (
            each & 1 if isinstance(each, int) else self._truncated(each, 1, "") for each in (found.value, found.missing)
        )
        return uninitialised(*either)

    def must_be_whole(self, type_: Type) -> None:
        if size_of(type_) != WHOLE:
            raise self.refuse_size(type_)

    def pair(self, value: Value, type_: Type) -> Pair:
        """The halves of a number of 16 bytes."""
        self.must_be_whole(type_)
        low, high = apart(value, type_)
        return low, high

    def _load_odd(self, pointer: Value, type_: Type, hint: str, copied: bool = False) -> Value:
        assert isinstance(type_, Int)
        sizes = [(at, size_of(inner)) for at, inner in parts(type_)]
        places = [(self.moved(pointer, at), size) for at, size in sizes]
        loaded = [(self.load_uninitialised(place, size, copied=copied), 8 * size) for place, size in places]
        return self.put_together(loaded, type_.bits, Either(), hint)

    def _store_odd(self, pointer: Value, value: Value, type_: Type) -> None:
        for at, inner in parts(type_):
            size = size_of(inner)
            self.store(self.moved(pointer, at), self.part(value, 8 * at, 8 * size), size)

    def _store(self, here: Activation, i: Instruction) -> None:
        if isinstance(i.operands[0][1], Local) and i.operands[0][1].name.startswith(MARK):
            return  # there is nothing at first anyway
        value, pointer = self.raw_operand(here, i, 0), self.operand(here, i, 1)
        begins = i.volatile and (i.operands[1][1], i.place) in here.function.declared
        self.store_type(pointer, value, i.type, None if begins else self.order_of(i))

    def store_type(self, pointer: Value, value: Value, type_: Type, order: str | None) -> None:
        if is_wide(type_) and order is not None:
            self.store_whole(pointer, self.pair(value, type_), order)
        elif isinstance(value, tuple) or is_wide(type_):
            value = apart(value, type_)
            for (at, inner), each in zip(parts(type_), value, strict=True):
                self.store_type(self.moved(pointer, at), each, inner, order)
        elif (
            isinstance(type_, Float) and type_.bytes not in WIDTHS and self.single_threaded and isinstance(pointer, int)
        ):
            self.store_real(pointer, type_.bytes)
        elif is_odd(type_):
            self._store_odd(pointer, value, type_)
        else:
            self.store(pointer, value, self.width(type_), order)

    def _fence(self, _here: Activation, i: Instruction) -> None:
        if i.orders and not self.single_threaded:
            self.emit(xcfa.Fence(i.orders[0], self.position))

    def _exchange(self, here: Activation, i: Instruction) -> Value:
        pointer, expected, new = self.operands(here, i)
        weak = self.world.options.weak_cas and bool(i.about)
        if is_wide(i.type):
            pairs = self.pair(expected, i.type), self.pair(new, i.type)
            return self.compare_exchange_whole(pointer, *pairs, i.orders, weak)
        if weak:
            self.end_single_threaded()
            return self._weak_exchange(pointer, expected, new, i)
        old = self.update("cas", pointer, [expected, new], self.width(i.type), i.orders)
        return old, self.compare("eq", old, expected)

    def _weak_exchange(self, pointer: Value, expected: Value, new: Value, i: Instruction) -> Value:
        """It may fail for no reason: then it is a read."""
        works, end = self.label(), self.label()
        old, done = self.fresh(), self.fresh()
        self.emit(Branch(None, works, self.position, fork=True))
        read = self.load(pointer, self.width(i.type), i.orders[-1])
        self.assign(old, expression(read))
        self.assign(done, IntLiteral(0))
        self.branch(None, end)
        self.emit(works)
        found = self.update("cas", pointer, [expected, new], self.width(i.type), i.orders)
        self.assign(old, expression(found))
        self.assign(done, expression(self.compare("eq", found, expected)))
        self.emit(end)
        bits = 8 * self.width(i.type)
        return Register(Name(old), Either([read, found]), bits), Register(Name(done), Either(), 1)

    def _update(self, here: Activation, i: Instruction) -> Value:
        pointer, value = self.operands(here, i)
        if i.about == "nand":
            return self._not_both(pointer, value, self.width(i.type), i.orders[0])
        op = _UPDATES.get(i.about)
        if i.about in ("fadd", "fsub"):
            width = self.width(i.type)
            if i.about == "fsub":
                value = self.compute("xor", value, -(1 << (8 * width - 1)), 8 * width)
            op = f"fetch_fadd{8 * width}"
        if op is None:
            raise self.unsupported(f"the atomic update `{i.about}` is")
        if is_wide(i.type) and op == "exchange":
            return self.exchange_whole(pointer, self.pair(value, i.type), i.orders)
        return self.update(op, pointer, [value], self.width(i.type), i.orders)

    def _not_both(self, pointer: Value, value: Value, width: int, order: str) -> Value:
        """`nand`, for which machines have no instruction: a load, then compare-exchanges, until one finds what was read
        last. Rounds that fail are left out like those of a program's own loops."""
        self.note_access(pointer, width, True)
        if self.single_threaded and isinstance(pointer, int) and isinstance(value, int):
            old = self.load(pointer, width)
            self.store(pointer, self._nand(old, value, width), width)
            return old
        self.end_single_threaded()
        before, head, done = self.fresh(), self.label(), self.label()
        self.assign(before, expression(self.load(pointer, width, "relaxed")))
        self.branch(None, head)
        self.emit_head(head, f"{self.place_now}")
        expected = Register(Name(before), Either(), 8 * width)
        new = self._nand(expected, value, width)
        found = self.update("cas", pointer, [expected, new], width, (order, "relaxed"))
        self.branch(Binary("=", expression(found), Name(before)), done)
        self.assign(before, expression(found))
        self.branch(None, head)
        self.emit(done)
        return expected

    def _nand(self, one: Value, other: Value, width: int) -> Value:
        return self.compute("xor", self.compute("and", one, other, 8 * width), -1, 8 * width)

    # ---- parts of values

    def _extract(self, here: Activation, i: Instruction) -> Value:
        found = self.raw_operand(here, i, 0)
        for index in i.about:
            assert isinstance(found, tuple)
            found = found[index]
        return found

    def _insert(self, here: Activation, i: Instruction) -> Value:
        whole, part = self.raw_operands(here, i)
        return _with(whole, i.about, part)


def _inside(index: Expression, count: int) -> Expression:
    """An index is inside an array, or right behind it."""
    return Binary("ule", index, IntLiteral(count))


def apart(value: Value, type_: Type) -> tuple[Value, ...]:
    """The parts of a value."""
    if isinstance(value, tuple):
        return value
    assert isinstance(value, int)
    return tuple(signed(value >> 8 * at, 8 * size_of(inner)) for at, inner in parts(type_))


def filled(value: Value) -> Value:
    """The value, with any bits where it has none."""
    return tuple(map(filled, value)) if isinstance(value, tuple) else masked(value)[0]


def _with(whole: Value, path: list[int], part: Value) -> Value:
    assert isinstance(whole, tuple)
    first, rest = path[0], path[1:]
    inner = _with(whole[first], rest, part) if rest else part
    return (*whole[:first], inner, *whole[first + 1 :])


_METHODS: dict[str, Callable[[Instructions, Activation, Instruction], Value | None]] = {
    **dict.fromkeys(REALS, Instructions._real),
    **dict.fromkeys(CONVERSIONS, Instructions._convert),
    "fcmp": Instructions._compare_reals,
    "icmp": Instructions._compare,
    "select": Instructions._select,
    "alloca": Instructions._allocate,
    "getelementptr": Instructions._offset,
    "load": Instructions._load,
    "store": Instructions._store,
    "fence": Instructions._fence,
    "cmpxchg": Instructions._exchange,
    "atomicrmw": Instructions._update,
    "extractvalue": Instructions._extract,
    "insertvalue": Instructions._insert,
}
