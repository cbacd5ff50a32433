"""AArch64, as herd writes it; see "Arm Architecture Reference Manual for A-profile architecture", C6 (instructions) and
B2 (memory model).

Tags: LDAR and what ends in A are `acquire`, LDAPR is `acquire_pc`, STLR and what ends in L are `release`; LDXR and STXR
and their like are `exclusive`; the read of an atomic update whose result is not used (STADD, LDADD to a zero register)
is `noret`, and no acquire. The write of a CAS is `compared`. Fences are `dmb.sy`, `dmb.ish` and so on, as written, and
`isb`.

The value that CSEL chooses depends on the condition in a weaker way than on the operand that is chosen ("pick
dependency"), and so does what CAS writes on what it compares. The result of a CAS that writes comes from the register
that it compares, only picked by what is in memory, or from memory; that of one that fails comes from memory.

STXP and CASP access two registers at once; so does LDXP where these are words, while two doublewords are read each by
itself (B2.2.1): only an STXP that succeeds tells that they were there together. Left out are, with a sentence each:
other pairs of registers that are accessed at once, vectors, system registers and instructions, exceptions, memory tags,
pointer authentication, branches to computed addresses.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from xgen.frontends.assembly import negation
from xgen.frontends.litmus.architectures import flags
from xgen.frontends.litmus.architectures.arithmetic import (
    ZERO,
    all_equal,
    both,
    equal,
    low,
    modulo,
    number,
    rotate_right,
    shift_right,
    signed,
    stored,
)
from xgen.frontends.litmus.architectures.columns import Architecture, Step
from xgen.frontends.litmus.architectures.operands import expect, immediate, is_number
from xgen.frontends.litmus.thread import Operand, offset
from xgen.frontends.mixed_size.parts import refuted_unless
from xgen.program import automaton as xcfa
from xgen.records import replace

OPERATIONS: dict[str, xcfa.BinaryOp] = {
    "add": "+",
    "sub": "-",
    "and": "bitand",
    "orr": "bitor",
    "eor": "bitxor",
    "bic": "bitand",
    "orn": "bitor",
    "eon": "bitxor",
}
"""`op Xd,Xn,operand`. BIC, ORN and EON flip the operand's bits first."""

INVERTING = {"bic", "orn", "eon"}

SETTING_FLAGS = {"adds": "add", "subs": "sub", "ands": "and", "bics": "bic"}

COMPARISONS = {"cmp": "subs", "cmn": "adds", "tst": "ands"}
"""These set flags as the other instruction does, and have no result."""

MOVES = {"mvn": "orn", "neg": "sub", "negs": "subs"}
"""These compute with the zero register on the left."""

SHIFTS = ("lsl", "lsr", "asr", "ror")

BITS = {"b": 8, "h": 16, "w": 32, "x": 64}

EXTENSIONS = {f"{kind}xt{size}": (kind == "s", bits) for kind in "su" for size, bits in BITS.items()}
"""Whether signed, and from how many bits."""

UPDATES = {
    "add": "fetch_add",
    "clr": "fetch_andnot",
    "eor": "fetch_xor",
    "set": "fetch_or",
    "smax": "fetch_max",
    "smin": "fetch_min",
    "umax": "fetch_umax",
    "umin": "fetch_umin",
}
"""The atomic updates LDop and STop."""

OPTIONS = frozenset(f"{domain}{access}" for domain in ("ish", "nsh", "osh") for access in ("", "ld", "st"))
OPTIONS |= {"sy", "ld", "st"}

PRODUCTS = {"mul", "mneg", "madd", "msub"} | {f"{s}{m}l" for s in "su" for m in ("mul", "mneg", "madd", "msub")}

SELECTIONS = ("csel", "csinc", "csinv", "csneg")

_LOAD = re.compile(r"ld(?P<kind>u?r|ap?r|apur|a?xr)(?P<sign>s?)(?P<size>[bhw]?)\Z")
_STORE = re.compile(r"st(?P<kind>u?r|lr|lur)(?P<size>[bh]?)\Z")
_STORE_EXCLUSIVE = re.compile(r"st(?P<release>l?)xr(?P<size>[bh]?)\Z")
_UPDATE = re.compile(rf"(?P<what>ld|st)(?P<op>{'|'.join(UPDATES)})(?P<acquire>a?)(?P<release>l?)(?P<size>[bh]?)\Z")
_LOAD_TWO = re.compile(r"ld(?P<acquire>a?)xp\Z")
_STORE_TWO = re.compile(r"st(?P<release>l?)xp\Z")
_CAS_TWO = re.compile(r"casp(?P<acquire>a?)(?P<release>l?)\Z")
_SWAP = re.compile(r"(?P<what>swp|cas)(?P<acquire>a?)(?P<release>l?)(?P<size>[bh]?)\Z")
_REGISTER = re.compile(r"(?P<size>[XW])(?P<number>\d+|ZR)\Z")
_PAIR = re.compile(r"(?P<what>ld|st)p(?P<sign>sw)?\Z")
_BRACKETS = re.compile(r"\[(.*)\]\s*(!?)\Z", re.DOTALL)

UNSUPPORTED = (
    (r"(ld|st)np|(ld|st)(il|iap|l|a)p+|(swp|ldclr|ldset)p(a|l|al)?", "accesses to pairs at once are"),
    (r"mrs|msr|svc|hvc|smc|eret|brk|hlt|tlbip?|at|dc|ic|sysl?|wfe|wfi|sevl?|hint", "system instructions are"),
    (r"st2?z?gm?|ldgm?|irg|gmi|subps?|addg|subg", "memory tags are"),
    (r"(pac|aut)\w*|xpac[id]|(ret|br|blr)a[ab]z?", "pointer authentication is"),
    (r"br|blr|ret|bl|adrp?", "calls, branches to computed addresses and addresses of code are"),
    (
        r"(ld|st)[1-4][bhwdr]?|f(add|sub|mul|mov|cmp)|dup|mov[iav]\w*|umov|smov|addv|ptrue|while\w+|smst\w+",
        "vectors are",
    ),
)
"""What is known to be left out: patterns of mnemonics, and what to call it."""


class AArch64Step(Step):
    def run(self) -> None:
        name = self.line.mnemonic
        memory: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], None]], ...] = (
            (_LOAD, self.load),
            (_STORE, self.store),
            (_PAIR, self.pair),
            (_STORE_EXCLUSIVE, self.store_exclusive),
            (_UPDATE, self.update),
            (_SWAP, self.swap),
            (_LOAD_TWO, self.load_two),
            (_STORE_TWO, self.store_two),
            (_CAS_TWO, self.cas_two),
        )
        for pattern, effect in memory:
            if match := pattern.match(name):
                effect(match)
                return
        if name in OPERATIONS or name in SETTING_FLAGS or name in COMPARISONS or name in MOVES:
            self.compute(name)
        elif name in SHIFTS:
            self.shift(name)
        elif name in ("mov", "movz", "movn", "movk"):
            self.move(name)
        elif name in EXTENSIONS:
            target, source = expect(self.line, f"{name.upper()} X0,W1", 2)
            self.assign(target, self.extended(name, self.read(source)))
        elif name in PRODUCTS:
            self.multiply(name)
        elif name in ("ubfm", "sbfm"):
            self.bitfield(name == "sbfm")
        elif name in SELECTIONS or name in ("cset", "csetm", "cinc", "cinv", "cneg"):
            self.select(name)
        elif name in ("b", "cbz", "cbnz", "tbz", "tbnz") or name.startswith("b."):
            self.branch(name)
        else:
            self.other(name)

    def other(self, name: str) -> None:
        thread, line = self.thread, self.line
        match name:
            case "dmb" | "dsb" | "isb":
                options = expect(line, f"{name.upper()} SY", 0, 1)
                option = options[0].text.lower() if options else "sy"
                if option not in OPTIONS:
                    line.wrong(f"`{options[0].text}` is no option of a fence", options[0], "expected, say, SY or ISH")
                thread.do(xcfa.Fence("isb" if name == "isb" else f"{name}.{option}", line.position))
            case "nop":
                expect(line, "NOP", 0)
                thread.do(xcfa.Skip(line.position))
            case "abs":
                target, source = expect(line, "ABS X0,X1", 2)
                bits = self.bits(target)
                value = signed(self.read(source), bits)
                negative = xcfa.Binary("<", value, ZERO)
                self.assign(target, xcfa.Conditional(negative, modulo("-", ZERO, value), value))
            case "rev":
                self.reverse()
            case _:
                for pattern, what in UNSUPPORTED:
                    if re.fullmatch(pattern, name):
                        line.unsupported(f"`{line.text}`: {what} not supported")
                line.unknown()

    # ---- operands

    def bits(self, operand: Operand) -> int:
        """The size of a register as it is named."""
        self.thread.register(operand) if self.thread.is_register(operand.text) else None
        return 32 if operand.text[:1] in "Ww" else 64

    def read(self, operand: Operand) -> xcfa.Expression:
        """A register's value; the bits above those that the instruction uses may be set."""
        register = self.thread.register(operand)
        return ZERO if register.name == "XZR" else register

    def target(self, operand: Operand) -> xcfa.Name:
        """What a result is written to: a zero register takes any, and stays 0."""
        register = self.thread.register(operand)
        return self.thread.fresh() if register.name == "XZR" else register

    def assign(self, target: Operand, value: xcfa.Expression) -> None:
        """A register gets the low bits of a value; the others become 0."""
        register, bits = self.target(target), self.bits(target)
        if not register.name.startswith("$"):
            self.thread.assign(register, low(value, bits), self.line.position)

    def extended(self, kind: str, value: xcfa.Expression) -> xcfa.Expression:
        is_signed, bits = EXTENSIONS[kind]
        return signed(value, bits) if is_signed else low(value, bits)

    def value(self, operands: tuple[Operand, ...], bits: int) -> xcfa.Expression:
        """What `#1`, `#1, LSL #12`, `X1`, `X1, LSR #2` or `W1, SXTW #2` stand for."""
        first, *more = operands
        base: xcfa.Expression = number(immediate(self.line, first)) if is_number(first) else self.read(first)
        if not more:
            return base
        match = re.match(r"([A-Za-z]+)\s*(.*)\Z", more[0].text, re.DOTALL)
        kind = match[1].lower() if match else ""
        if match is None or kind not in (*SHIFTS, *EXTENSIONS):
            self.line.wrong(f"`{more[0].text}` is no shift", more[0], "expected, say, `LSL #2` or `SXTW`")
        amount = Operand(match[2], more[0].position)
        by = immediate(self.line, amount, range(bits)) if match[2] else 0
        if kind in EXTENSIONS:
            return both("shl", self.extended(kind, base), number(by))
        return moved(kind, base, number(by), bits)

    def address(self, operands: list[Operand]) -> tuple[xcfa.AnyPlace, xcfa.Name | None, xcfa.Expression]:
        """The place that `[X1]`, `[X1,#8]`, `[X1,W2,SXTW #2]`, `[X1,#8]!` or `[X1],#8` mean; and the register that is
        updated, if one is, with its new value."""
        first = operands[0]
        match = _BRACKETS.match(first.text)
        if match is None:
            self.line.wrong(f"`{first.text}` is no address", first, "expected, say, `[X1]`")
        start = self.line.text.index(first.text) + 1
        inside = [Operand(part.text.rstrip("!] \t\n"), part.position) for part in self.line.split(start)]
        base, *rest = inside[: len(inside) - len(operands) + 1]
        register = self.read(base)
        if self.bits(base) != 64 or not isinstance(register, xcfa.Name):
            self.line.wrong(f"`{base.text}` holds no address", base, "expected a 64-bit register such as X1")
        address: xcfa.Expression = register
        if len(rest) == 1 and is_number(rest[0]):
            address = offset(register, immediate(self.line, rest[0]), first.position)
        elif rest:
            address = both("+", register, self.value(tuple(rest), 64))
        place = self.thread.place(address, first.position)
        if len(operands) > 1:
            return place, register, offset(register, immediate(self.line, operands[1]), first.position)
        return place, register if match[2] else None, address

    def write_back(self, register: xcfa.Name | None, value: xcfa.Expression) -> None:
        if register is not None:
            self.thread.assign(register, value, self.line.position)

    # ---- memory

    def load(self, match: re.Match[str]) -> None:
        kind, position = match["kind"], self.line.position
        target, *address = expect(self.line, f"{match[0].upper()} X0,[X1]", 2, 3)
        place, base, updated = self.address(address)
        order = "acquire" if kind in ("ar", "axr") else "acquire_pc" if kind.startswith("ap") else None
        exclusive = kind.endswith("xr")
        register = self.target(target)
        bits, size = self.bits(target), BITS.get(match["size"], self.bits(target))
        self.thread.access(xcfa.Load(register, place, False, order, position, exclusive=exclusive), size)
        value = low(signed(register, size), bits) if match["sign"] else low(register, size)
        if value != register:
            self.thread.assign(register, value, position)
        self.write_back(base, updated)

    def store(self, match: re.Match[str]) -> None:
        value, *address = expect(self.line, f"{match[0].upper()} X0,[X1]", 2, 3)
        place, base, updated = self.address(address)
        order = "release" if match["kind"].startswith("l") else None
        bits = self.size(match, value)
        store = xcfa.Store(stored(self.read(value), bits), place, False, order, self.line.position)
        self.thread.access(store, bits)
        self.write_back(base, updated)

    def pair(self, match: re.Match[str]) -> None:
        """LDP, LDPSW and STP: two accesses, one behind the other."""
        name, position = match[0].upper(), self.line.position
        first, second, *address = expect(self.line, f"{name} X0,X1,[X2]", 3, 4)
        place, base, updated = self.address(address)
        bits = 32 if match["sign"] else self.bits(first)
        if self.bits(first) != self.bits(second):
            self.line.wrong(f"`{name}` takes two registers of one size", second)
        places = (place, self.thread.place(offset(_address(place), bits // 8, position), position))
        if match["what"] == "st":
            for operand, each in zip((first, second), places, strict=True):
                store = xcfa.Store(stored(self.read(operand), bits), each, False, None, position)
                self.thread.access(store, bits)
        else:
            held = [self.thread.fresh() for _ in places]
            for register, each in zip(held, places, strict=True):
                self.thread.access(xcfa.Load(register, each, False, None, position), bits)
            for operand, register in zip((first, second), held, strict=True):
                self.assign(operand, signed(register, bits) if match["sign"] else register)
        self.write_back(base, updated)

    def size(self, match: re.Match[str], register: Operand) -> int:
        """How many bits an access has: as many as the register, unless the instruction says so."""
        return BITS[match["size"]] if match["size"] else self.bits(register)

    def store_exclusive(self, match: re.Match[str]) -> None:
        status, value, *address = expect(self.line, f"{match[0].upper()} W0,X1,[X2]", 3)
        place, _, _ = self.address(address)
        bits, order, position = self.size(match, value), "release" if match["release"] else None, self.line.position
        written = stored(self.read(value), bits)
        store = xcfa.StoreExclusive(self.target(status), written, place, order, position)
        self.thread.access(store, bits)

    def tags(self, match: re.Match[str], used: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The tags of the read and of the write of an atomic update, of which the result is used or not."""
        read = ("acquire",) if match["acquire"] else ()
        return read if used else ("noret",), ("release",) if match["release"] else ()

    def update(self, match: re.Match[str]) -> None:
        if match["what"] == "ld":
            value, old, address = expect(self.line, f"{match[0].upper()} X0,X1,[X2]", 3)
            register = self.thread.register(old)
            target = None if register.name == "XZR" else register
        else:
            value, address = expect(self.line, f"{match[0].upper()} X0,[X1]", 2)
            target = None
        self.rmw(match, UPDATES[match["op"]], (value,), target, address)

    def swap(self, match: re.Match[str]) -> None:
        first, second, address = expect(self.line, f"{match[0].upper()} X0,X1,[X2]", 3)
        cas = match["what"] == "cas"
        old, values = (first, (first, second)) if cas else (second, (first,))
        register = self.thread.register(old)
        target = None if register.name == "XZR" else register
        self.rmw(match, "cas" if cas else "exchange", values, target, address)

    def rmw(
        self,
        match: re.Match[str],
        op: str,
        values: tuple[Operand, ...],
        target: xcfa.Name | None,
        address: Operand,
    ) -> None:
        place, _, _ = self.address([address])
        bits = self.size(match, values[0])
        arguments = tuple(stored(self.read(value), bits) for value in values)
        read_tags, write_tags = self.tags(match, target is not None)
        if op == "cas":
            write_tags += ("compared",)
        position = self.line.position
        old = self.thread.fresh() if op == "cas" and target is not None else target
        self.thread.access(xcfa.Rmw(old, op, place, arguments, (), position, read_tags, write_tags), bits)
        if target is None or old is None:
            return
        if op == "cas":
            self.compared([(target, arguments[0], old)], bits)
        elif bits < 64:
            self.thread.assign(target, low(target, bits), position)

    def compared(self, results: Sequence[tuple[xcfa.Name, xcfa.Expression, xcfa.Name]], bits: int) -> None:
        """The results of a CAS: each of a target, what it expects and what it has read; they come from the registers if
        that is the same, or from memory.

        Where the registers hold no value that was read, what comes from memory depends on more, and need not be looked
        at. Where what is read is not what is expected, both come from memory.
        """
        thread, position, flag, end = self.thread, self.line.position, self.thread.flag(), self.thread.new_label()
        from_memory = thread.new_label()
        loaded = thread.is_loaded(*(expected for _, expected, _ in results))
        if loaded:
            thread.fork(from_memory, position, end)
        same = all_equal([(old, expected) for _, expected, old in results])
        thread.do(xcfa.Predict(flag, same, True, position=position))
        for target, expected, old in results:
            thread.do(xcfa.Select(target, flag, low(expected, bits), low(old, bits), True, position))
        if loaded:
            thread.jump(end, position)
            thread.label(from_memory)
            thread.do(refuted_unless(same, thread.fresh(), position))
            for target, _, old in results:
                thread.assign(target, low(old, bits), position)
            thread.label(end)

    # ---- two registers at once

    def two(self, first: Operand, second: Operand) -> int:
        """The size of two registers that have to be of one."""
        bits = self.bits(first)
        if self.bits(second) != bits:
            self.line.wrong(f"`{self.line.mnemonic.upper()}` takes registers of one size", second)
        return bits

    def joined(self, first: Operand, second: Operand) -> xcfa.Expression:
        """Two words as a doubleword."""
        return both("bitor", low(self.read(first), 32), both("shl", low(self.read(second), 32), number(32)))

    def load_two(self, match: re.Match[str]) -> None:
        first, second, address = expect(self.line, f"{match[0].upper()} X0,X1,[X2]", 3)
        bits, place, position = self.two(first, second), self.address([address])[0], self.line.position
        if self.target(first) == self.target(second):
            self.line.wrong(f"`{match[0].upper()}` takes two registers", second)
        order, low_word, high_word = "acquire" if match["acquire"] else None, self.thread.fresh(), self.thread.fresh()
        load = xcfa.Load(low_word, place, False, order, position, exclusive=True)
        if bits == 32:
            self.thread.access(load, 64)
            self.thread.assign(high_word, both("shr", low_word, number(32)), position)
        else:
            self.thread.access_two(load, replace(load, target=high_word), bits)
        self.assign(first, low_word)
        self.assign(second, high_word)

    def store_two(self, match: re.Match[str]) -> None:
        status, first, second, address = expect(self.line, f"{match[0].upper()} W0,X1,X2,[X3]", 4)
        bits, place, position = self.two(first, second), self.address([address])[0], self.line.position
        order, target = "release" if match["release"] else None, self.target(status)
        if bits == 32:
            store = xcfa.StoreExclusive(target, self.joined(first, second), place, order, position)
            self.thread.access(store, 64)
            return
        store = xcfa.StoreExclusive(target, self.read(first), place, order, position)
        self.thread.access_two(store, xcfa.Store(self.read(second), place, position=position), bits)

    def cas_two(self, match: re.Match[str]) -> None:
        *pairs, address = expect(self.line, f"{match[0].upper()} X0,X1,X2,X3,[X4]", 5)
        (one, two), (three, four) = pairs[:2], pairs[2:]
        bits, place, position = self.two(one, two), self.address([address])[0], self.line.position
        self.two(one, three)
        for first, second in ((one, two), (three, four)):
            self.two(first, second)
            numbers = [int(digits) if (digits := operand.text[1:]).isdecimal() else 31 for operand in (first, second)]
            if numbers[0] % 2 or numbers[1] != numbers[0] + 1:
                self.line.wrong(f"`{match[0].upper()}` takes a register of even number and the next one", first)
        read_tags, write_tags = self.tags(match, True)
        expected, new = [self.read(one), self.read(two)], [self.read(three), self.read(four)]
        old = [self.thread.fresh(), self.thread.fresh()]
        if bits == 32:
            values = signed(self.joined(one, two), 64), signed(self.joined(three, four), 64)
            update = xcfa.Rmw(old[0], "cas", place, values, (), position, read_tags, (*write_tags, "compared"))
            self.thread.access(update, 64)
            self.thread.assign(old[1], both("shr", old[0], number(32)), position)
        else:
            first_word, second_word = (
                xcfa.Rmw(o, "cas", place, tuple(values), (), position, read_tags, (*write_tags, "compared"))
                for o, *values in zip(old, expected, new, strict=True)
            )
            self.thread.access_two(first_word, second_word, bits)
        results = [
            (self.target(operand), low(before, bits), held)
            for operand, before, held in zip((one, two), expected, old, strict=True)
        ]
        self.compared(results, bits)

    # ---- computation

    def compute(self, name: str) -> None:
        """ADD and its like, which may set flags, and what is short for them."""
        line = self.line
        if name in COMPARISONS:
            left, *rest = expect(line, f"{name.upper()} X0,X1", 2, 3)
            target, name = None, COMPARISONS[name]
            bits, first = self.bits(left), self.read(left)
        elif name in MOVES:
            target, *rest = expect(line, f"{name.upper()} X0,X1", 2, 3)
            bits, first, name = self.bits(target), ZERO, MOVES[name]
        else:
            target, left, *rest = expect(line, f"{name.upper()} X0,X1,X2", 3, 4)
            bits, first = self.bits(target), self.read(left)
        second = self.value(tuple(rest), bits)
        stem = SETTING_FLAGS.get(name, name)
        if stem in INVERTING:
            second = xcfa.Unary("bitnot", second)
        op = OPERATIONS[stem]
        result = both(op, first, second) if op.startswith("bit") else modulo(op, first, second)
        if stem != name:
            if op in ("+", "-"):
                flags.set_arithmetic(self.thread, op, first, second, bits, line.position)
            else:
                flags.set_logical(self.thread, result, bits, line.position)
        if target is not None:
            self.assign(target, result)

    def shift(self, name: str) -> None:
        target, source, by = expect(self.line, f"{name.upper()} X0,X1,#2", 3)
        bits = self.bits(target)
        places: xcfa.Expression
        if is_number(by):
            places = number(immediate(self.line, by, range(bits)))
        else:
            places = both("bitand", self.read(by), number(bits - 1))
        self.assign(target, moved(name, self.read(source), places, bits))

    def move(self, name: str) -> None:
        target, source, *rest = expect(self.line, f"{name.upper()} X0,#1", 2, 3)
        bits = self.bits(target)
        if name == "mov":
            if rest:
                self.line.wrong("`MOV` takes no shift", rest[0])
            self.assign(target, self.value((source,), bits))
            return
        by = 0
        if rest:
            match = re.match(r"lsl\s*(.+)\Z", rest[0].text, re.IGNORECASE)
            if match is None:
                self.line.wrong(f"`{rest[0].text}` is no shift", rest[0], "expected, say, `LSL #16`")
            by = immediate(self.line, Operand(match[1], rest[0].position), range(0, bits, 16))
        value = number(immediate(self.line, source, range(2**16)) << by)
        if name == "movn":
            value = number(~value.value)
        if name == "movk":
            kept = both("bitand", self.read(target), number(~(0xFFFF << by)))
            self.assign(target, both("bitor", kept, value))
        else:
            self.assign(target, value)

    def multiply(self, name: str) -> None:
        """Products, added to or subtracted from a third operand; those that end in L take words."""
        accumulates = "add" in name or "sub" in name
        operands = expect(self.line, f"{name.upper()} X0,X1,X2{',X3' * accumulates}", 4 if accumulates else 3)
        left, right = self.read(operands[1]), self.read(operands[2])
        if name.endswith("l") and name != "mul":
            cut = signed if name.startswith("s") else low
            left, right = cut(left, 32), cut(right, 32)
        product = modulo("*", left, right)
        third = self.read(operands[3]) if accumulates else ZERO
        self.assign(operands[0], modulo("-" if "neg" in name or "sub" in name else "+", third, product))

    def bitfield(self, is_signed: bool) -> None:
        """UBFM and SBFM: bits r to s move to the bottom, or bits 0 to s up to bit size - r, if s is less than r."""
        target, source, first, last = expect(self.line, "UBFM X0,X1,#0,#7", 4)
        bits = self.bits(target)
        r, s = immediate(self.line, first, range(bits)), immediate(self.line, last, range(bits))
        value = (signed if is_signed else low)(self.read(source), s + 1)
        if s >= r:
            wide = signed(shift_right(value, number(r), 64, arithmetic=is_signed), 64)
            self.assign(target, wide)
        else:
            self.assign(target, both("shl", value, number(bits - r)))

    def reverse(self) -> None:
        target, source = expect(self.line, "REV X0,X1", 2)
        bits, value = self.bits(target), self.read(source)
        result: xcfa.Expression = ZERO
        for place in range(0, bits, 8):
            byte = both("bitand", both("shr", value, number(place)), number(0xFF))
            result = both("bitor", result, both("shl", byte, number(bits - 8 - place)))
        self.assign(target, result)

    def condition(self, code: Operand) -> xcfa.Expression:
        condition = flags.condition(self.thread, code.text.lower())
        if condition is None:
            self.line.wrong(f"`{code.text}` is no condition", code, "expected, say, EQ or NE")
        return condition

    def select(self, name: str) -> None:
        """CSEL and its like; CSET, CSETM, CINC, CINV and CNEG are short for them."""
        line = self.line
        if name in SELECTIONS:
            target, first, second, code = expect(line, f"{name.upper()} X0,X1,X2,EQ", 4)
            kind, condition, left, right = name, self.condition(code), self.read(first), self.read(second)
        elif name in ("cset", "csetm"):
            target, code = expect(line, f"{name.upper()} X0,EQ", 2)
            kind, left, right = "csinc" if name == "cset" else "csinv", ZERO, ZERO
            condition = negation(self.condition(code))
        else:
            target, first, code = expect(line, f"{name.upper()} X0,X1,EQ", 3)
            kind, left, condition = name.replace("c", "cs", 1), self.read(first), negation(self.condition(code))
            right = left
        changed = {
            "csel": right,
            "csinc": modulo("+", right, number(1)),
            "csinv": xcfa.Unary("bitnot", right) if right != ZERO else number(-1),
            "csneg": modulo("-", ZERO, right),
        }[kind]
        if not self.thread.is_loaded(condition, left, right):
            self.assign(target, xcfa.Conditional(condition, left, changed))
            return
        flag, register, bits = self.thread.flag(), self.target(target), self.bits(target)
        if self.thread.is_loaded(condition):
            self.thread.do(xcfa.Predict(flag, condition, True, position=line.position))
        else:
            self.thread.assign(flag, condition, line.position)
        self.thread.do(xcfa.Select(register, flag, low(left, bits), low(changed, bits), False, line.position))

    def branch(self, name: str) -> None:
        line, position = self.line, self.line.position
        if line.operands and re.match(r"\.[+-]", line.operands[-1].text):
            line.unsupported(f"`{line.text}`: branches by a distance are not supported, only those to labels")
        if name.startswith("b."):
            (label,) = expect(line, f"{name.upper()} LC00", 1)
            code = Operand(name[2:], position)
            condition = self.condition(code)
        elif name == "b":
            (label,) = expect(line, "B LC00", 1)
            self.thread.jump(label.text, position)
            return
        elif name in ("cbz", "cbnz"):
            register, label = expect(line, f"{name.upper()} X0,LC00", 2)
            zero = equal(low(self.read(register), self.bits(register)), ZERO)
            condition = zero if name == "cbz" else negation(zero)
        else:
            register, bit, label = expect(line, f"{name.upper()} X0,#1,LC00", 3)
            place = immediate(line, bit, range(self.bits(register)))
            tested = both("bitand", both("shr", self.read(register), number(place)), number(1))
            condition = equal(tested, ZERO if name == "tbz" else number(1))
        self.thread.branch(condition, label.text, position)


class AArch64(Architecture):
    step = AArch64Step

    def register(self, name: str) -> str | None:
        match = _REGISTER.match(name.upper())
        if match is None:
            return "SP" if name.upper() in ("SP", "WSP") else None
        if match["number"] == "ZR":
            return "XZR"
        return f"X{int(match['number'])}" if int(match["number"]) <= 30 else None

    def sort_key(self, register: str) -> tuple[int | str, ...]:
        return (int(register[1:]),) if register[1:].isdecimal() else (31, register)


AARCH64 = AArch64()


def moved(kind: str, value: xcfa.Expression, by: xcfa.Expression, bits: int) -> xcfa.Expression:
    """A value of so many bits, shifted or rotated by fewer places than that."""
    if kind == "lsl":
        return both("shl", value, by)
    if kind == "ror":
        if isinstance(by, xcfa.IntLiteral):
            return rotate_right(value, by.value, bits)
        left = both("bitand", modulo("-", ZERO, by), number(bits - 1))
        return both("bitor", shift_right(value, by, bits, False), both("shl", low(value, bits), left))
    return shift_right(value, by, bits, arithmetic=kind == "asr")


def _address(place: xcfa.AnyPlace) -> xcfa.Expression:
    """The address of a place."""
    return place.address if isinstance(place, xcfa.Deref) else xcfa.AddressOf(place)
