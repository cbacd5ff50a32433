"""IR text as LLVM prints it: globals, functions and their instructions. Blocks are read when they are needed."""

from __future__ import annotations

import re
from dataclasses import field
from typing import Any

from xgen.frontends.llvm.text.tokens import NAME, Local, Operand, Reader, plain
from xgen.frontends.llvm.text.types import BOOL, POINTER, VOID, Named, Struct, Type, align_of, parts, size_of
from xgen.records import dataclass

_SYMBOL = re.compile(f"[%@]{NAME}")
_LABEL = re.compile(rf"({NAME}):")
_RESULT = re.compile(rf"(%{NAME}) = ")
_NAMED = re.compile(r"#dbg_(value|declare)\((.*), !(\d+), !DIExpression\((.*?)\), !(\d+)\)")
_DECLARED = re.compile(rf"#dbg_declare\(ptr (%{NAME}), .*, !(\d+)\)")
ARITHMETIC = ("add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr", "and", "or", "xor")
CASTS = ("zext", "sext", "trunc", "bitcast", "ptrtoint", "inttoptr", "addrspacecast", "ptrtoaddr", "freeze")
REALS = ("fadd", "fsub", "fmul", "fdiv", "frem", "fneg")
CONVERSIONS = ("fpext", "fptrunc", "sitofp", "uitofp", "fptosi", "fptoui")
_COPY = "llvm.memcpy.p0.p0.i64"
_FAST = ("fast", "nnan", "contract", "reassoc", "nsz", "ninf", "arcp", "afn")
_ORDERS = re.compile(r"\b(monotonic|acquire|release|acq_rel|seq_cst|unordered)\b")
_C_ORDERS = {"monotonic": "relaxed", "unordered": "relaxed"}
_CONSTRUCTOR, _SIZED = re.compile(r"C[12][EI]"), re.compile(r"\bdereferenceable\((\d+)\)")
_WITH_BRACKETS = frozenset(
    [
        "dereferenceable",
        "dereferenceable_or_null",
        "sret",
        "captures",
        "range",
        "byref",
        "elementtype",
        "inalloca",
        "preallocated",
        "memory",
        "nofpclass",
        "initializes",
        "allocsize",
        "vscale_range",
    ]
)
_ATTRIBUTES = frozenset(
    [
        "zeroext",
        "signext",
        "noundef",
        "nonnull",
        "noalias",
        "nocapture",
        "returned",
        "inreg",
        "readonly",
        "readnone",
        "writeonly",
        "immarg",
        "swiftself",
        "nofree",
        "noinline",
        "nest",
        "allocptr",
        "dead_on_unwind",
        "writable",
        "allocalign",
        "dead_on_return",
        "noext",
        "swifterror",
    ]
)


@dataclass(eq=False, slots=True)
class Instruction:
    """`operands` with their types; `type`: of the result, or of what is stored; `about`: what else it says."""

    op: str
    text: str
    name: str | None = None
    type: Type = VOID
    operands: list[tuple[Type, Operand]] = field(default_factory=list)
    about: Any = None
    orders: tuple[str, ...] = ()
    place: int | None = None
    offset: int | None = None  # of `getelementptr`: how far it leads, if that is always the same
    filled: set[int] = field(default_factory=set)  # of calls: the arguments that have a value, as it is said
    volatile: bool = False  # of `load` and `store`
    successors: tuple[str, ...] = ()  # of `invoke`: where it goes on, and where it does if something is thrown

    @property
    def result(self) -> Type:
        """The type of what it gives."""
        return Struct((self.type, BOOL)) if self.op == "cmpxchg" else self.type

    @property
    def targets(self) -> list[str]:
        """The blocks that it leads to."""
        if self.op == "br":
            return list(self.about)
        if self.op == "switch":
            return [self.about[0], *(label for _, label in self.about[1])]
        return list(self.successors)


@dataclass(eq=False, slots=True)
class Function:
    """`names`: what values are called in the source, as the numbers of variables in the metadata."""

    name: str
    parameters: list[tuple[str, Type]] = field(default_factory=list)
    place: int | None = None
    lines: dict[str, list[str]] = field(default_factory=dict)
    entry: str = ""
    names: dict[str, list[tuple[str, int]]] = field(default_factory=dict)
    blocks: dict[str, list[Instruction]] = field(default_factory=dict)
    shape: Any = None  # see regions.py
    begun: Any = None  # see lifetimes.py
    used: set[str] | None = None
    declares: set[tuple[Operand, int]] | None = None
    filled: set[int] = field(default_factory=set)  # parameters that have a value, as it is said
    gives_value: bool = False  # so has what it returns
    gives_reference: bool = False  # what it returns is the address of an object
    makes: int = 0  # of a constructor: how many bytes the object has at least
    throwing: set[str] = field(default_factory=set)  # blocks whose last call may throw something that lands here

    @property
    def declared(self) -> set[tuple[Operand, int]]:
        """The local variables of the source, and where each is declared: what is stored there is its initial value."""
        if self.declares is None:
            matches = [
                _DECLARED.match(line) for lines in self.lines.values() for line in lines if "#dbg_declare" in line
            ]
            self.declares = {(Local(plain(match[1])), int(match[2])) for match in matches if match}
        return self.declares

    def uses(self, name: str) -> bool:
        """Whether anything is done with a value."""
        if self.used is None:
            words = [word for lines in self.lines.values() for line in lines for word in _uses(line)]
            self.used = set(map(plain, words))
        return name in self.used


@dataclass(eq=False, slots=True)
class Variable:
    """A global one; `variable`: what the metadata have of it."""

    name: str
    text: str
    constant: bool
    per_thread: bool
    external: bool
    variable: int | None
    aligned: int = 1


def aligned_to(text: str) -> int:
    """What is said last of an alignment."""
    found = re.findall(r", align (\d+)", text)
    return int(found[-1]) if found else 1


class Module:
    """What is in a text."""

    def __init__(self, text: str) -> None:
        self.functions: dict[str, Function] = {}
        self.variables: dict[str, Variable] = {}
        self.aliases: dict[str, str] = {}
        self.declared: dict[str, None] = {}
        self.metadata: dict[int, str] = {}
        self._types: dict[str, str] = {}
        self._structs: dict[str, Type] = {}
        lines, at = text.split("\n"), 0
        while at < len(lines):
            line = lines[at]
            if line.startswith("%"):
                name, equals, rest = line.partition(" = type ")
                if equals:
                    self._types[plain(name)] = rest
            elif line.startswith("@"):
                self._global(line)
            elif line.startswith("define"):
                end = lines.index("}", at)
                self._function(line, lines[at + 1 : end])
                at = end
            elif line.startswith("declare"):
                match = re.search(f"@{NAME}", line)
                assert match
                self.declared[plain(match[0])] = None
            elif line.startswith("!"):
                number, equals, rest = line[1:].partition(" = ")
                if equals and number.isdigit():
                    self.metadata[int(number)] = rest
            at += 1

    def reader(self, text: str, at: int = 0) -> Reader:
        return Reader(text, self.named, at)

    def named(self, name: str) -> Type:
        if name not in self._structs:
            said = self._types.get(name, "opaque")
            self._structs[name] = Named("opaque") if said == "opaque" else self.reader(said).type()
        return self._structs[name]

    def _global(self, line: str) -> None:
        match = re.match(rf"(@{NAME}) = (.*)$", line)
        assert match
        name, rest = plain(match[1]), match[2]
        if re.search(r"\bi?f?alias\b", rest.split('"')[0]):
            self.aliases[name] = plain(re.findall(f"@{NAME}", rest)[0])
            return
        kind = re.search(r"\b(global|constant) ", rest)
        assert kind
        before = rest[: kind.start()]
        debug = re.search(r", !dbg !(\d+)", rest)
        self.variables[name] = Variable(
            name,
            rest[kind.end() :],
            kind[1] == "constant",
            "thread_local" in before,
            before.startswith(("external", "extern_weak")),
            int(debug[1]) if debug else None,
            aligned_to(rest),
        )

    def _function(self, head: str, body: list[str]) -> None:
        match = re.search(rf"@{NAME}\(", head)
        assert match
        given = head[: match.start()]
        function = Function(
            plain(match[0][:-1]), gives_value="noundef" in given, gives_reference="dereferenceable(" in given
        )
        reader = self.reader(head, match.end())
        unnamed = 0
        copies: list[str] = []  # of what is given by value, which IR leaves to calls
        while not reader.eat(")"):
            if reader.eat("..."):
                continue
            type_ = reader.type()
            before = reader.at
            copied = _skip_attributes(reader)
            said = head[before : reader.at]
            if not function.parameters and _CONSTRUCTOR.search(function.name) and (sized := _SIZED.search(said)):
                function.makes = int(sized[1])
            if "noundef" in said:
                function.filled.add(len(function.parameters))
            if reader.kind() == "local":
                name = plain(reader.next())
                unnamed += name.isdigit()
            else:
                name = str(unnamed)
                unnamed += 1
            if copied is not None:
                size, given = size_of(copied), f"{name}.given"
                copies.append(f'%"{name}" = alloca [{size} x i8], align {align_of(copied)}')
                copies.append(f'call void @{_COPY}(ptr %"{name}", ptr %"{given}", i64 {size}, i1 false)')
                self.declared[_COPY] = None
                name = given
            function.parameters.append((name, type_))
            reader.eat(",")
        debug = re.search(r"!dbg !(\d+)", head)
        function.place = int(debug[1]) if debug else None
        current: list[str] | None = None
        for line in body:
            if not line.strip() or line.startswith(";"):
                continue
            label = None if line.startswith(" ") else _LABEL.match(line)
            if label or current is None:
                name = plain("%" + label[1]) if label else str(unnamed)
                current = function.lines[name] = []
                function.entry = function.entry or name
                if label:
                    continue
            if current and (line.startswith("  ]") or (line.startswith("    ") and not line.startswith("    #dbg"))):
                current[-1] += " " + line.strip()
            else:
                current.append(line.strip())
        function.lines[function.entry][:0] = copies
        self.functions[function.name] = function

    def block(self, function: Function, name: str) -> list[Instruction]:
        """The instructions of a block."""
        found = function.blocks.get(name)
        if found is None:
            found = function.blocks[name] = []
            for line in function.lines[name]:
                if not line.startswith("#dbg"):
                    found.append(self.instruction(line))
                elif (match := _NAMED.match(line)) and (value := re.search(rf"([%@]{NAME})$", match[2])):
                    function.names.setdefault(plain(value[1]), []).append((match[1], int(match[3])))
        return found

    def instruction(self, line: str) -> Instruction:
        debug = re.search(r", !dbg !(\d+)", line)
        text = re.sub(r" #\d+(?=$|,)", "", re.sub(r", ![\w.]+ !\d+", "", line))
        result = _RESULT.match(text)
        reader = self.reader(text, result.end() if result else 0)
        reader.skip("tail", "musttail", "notail")
        found = Instruction(reader.next(), text, plain(result[1]) if result else None)
        found.place = int(debug[1]) if debug else None
        if found.op in ARITHMETIC:
            self._arithmetic(found, reader)
        elif found.op in CASTS:
            reader.skip("nuw", "nsw", "nneg")
            found.operands = [reader.typed()]
            found.type = found.operands[0][0] if found.op == "freeze" else self._behind_to(reader)
        elif (method := _READERS.get(found.op)) is not None:
            method(found, reader)
        return found

    @staticmethod
    def _behind_to(reader: Reader) -> Type:
        reader.need("to")
        return reader.type()

    @staticmethod
    def _arithmetic(found: Instruction, reader: Reader) -> None:
        reader.skip("nuw", "nsw", "exact", "disjoint")
        found.type = reader.type()
        found.operands = [(found.type, reader.operand(found.type))]
        reader.need(",")
        found.operands.append((found.type, reader.operand(found.type)))


def _uses(line: str) -> list[str]:
    """The locals that an instruction reads."""
    result = _RESULT.match(line)
    return re.findall(f"%{NAME}", line[result.end() :] if result else line)


def _skip_attributes(reader: Reader) -> Type | None:
    """Skips what is said of a parameter or an argument; the type of what it leads to and is given by value."""
    copied: Type | None = None
    while True:
        word = reader.peek()
        if word == "byval":
            reader.next()
            reader.need("(")
            copied = reader.type()
            reader.need(")")
        elif word == "align":
            reader.next()
            if reader.peek() == "(":
                reader.brackets()
            else:
                reader.next()
        elif word in _WITH_BRACKETS:
            reader.next()
            if reader.peek() == "(":
                reader.brackets()
        elif word in _ATTRIBUTES:
            reader.next()
        else:
            return copied


def _take_orders(reader: Reader) -> tuple[str, ...]:
    return tuple(_C_ORDERS.get(order, order) for order in _ORDERS.findall(reader.text, reader.at))


def _compare(found: Instruction, reader: Reader) -> None:
    reader.skip("samesign")
    found.about, found.type = reader.next(), BOOL
    type_, left = reader.typed()
    reader.need(",")
    found.operands = [(type_, left), (type_, reader.operand(type_))]


def _real(found: Instruction, reader: Reader) -> None:
    reader.skip(*_FAST)
    found.operands = [reader.typed()]
    found.type = found.operands[0][0]
    while reader.eat(","):
        found.operands.append((found.type, reader.operand(found.type)))


def _compare_reals(found: Instruction, reader: Reader) -> None:
    reader.skip(*_FAST)
    _compare(found, reader)


def _convert(found: Instruction, reader: Reader) -> None:
    reader.skip("nneg", *_FAST)
    found.operands = [reader.typed()]
    reader.need("to")
    found.type = reader.type()


def _load(found: Instruction, reader: Reader) -> None:
    reader.skip("atomic")
    found.volatile = reader.eat("volatile")
    found.type = reader.type()
    reader.need(",")
    found.operands = [reader.typed()]
    found.orders = _take_orders(reader)


def _store(found: Instruction, reader: Reader) -> None:
    reader.skip("atomic")
    found.volatile = reader.eat("volatile")
    value = reader.typed()
    reader.need(",")
    found.type, found.operands = value[0], [value, reader.typed()]
    found.orders = _take_orders(reader)


def _offset(found: Instruction, reader: Reader) -> None:
    reader.skip("inbounds", "nuw", "nusw", "inrange")
    found.about, found.type = reader.type(), POINTER
    while reader.eat(","):
        found.operands.append(reader.typed())


def _allocate(found: Instruction, reader: Reader) -> None:
    reader.skip("inalloca")
    found.about, found.type = reader.type(), POINTER
    if reader.eat(",") and re.fullmatch(r"i\d+", reader.peek()):
        found.operands = [reader.typed()]


def _branch(found: Instruction, reader: Reader) -> None:
    if reader.eat("label"):
        found.about = (plain(reader.next()),)
        return
    found.operands = [reader.typed()]
    found.about = (_label(reader), _label(reader))


def _label(reader: Reader) -> str:
    reader.need(",")
    reader.need("label")
    return plain(reader.next())


def _switch(found: Instruction, reader: Reader) -> None:
    found.operands = [reader.typed()]
    other, cases = _label(reader), []
    reader.need("[")
    while not reader.eat("]"):
        _, value = reader.typed()
        cases.append((value, _label(reader)))
    found.about = (other, cases)


def _return(found: Instruction, reader: Reader) -> None:
    found.type = reader.type()
    if found.type != VOID:
        found.operands = [(found.type, reader.operand(found.type))]


def _phi(found: Instruction, reader: Reader) -> None:
    found.type, found.about = reader.type(), {}
    while reader.eat("["):
        value = reader.operand(found.type)
        reader.need(",")
        found.about[plain(reader.next())] = value
        reader.need("]")
        reader.eat(",")


def _select(found: Instruction, reader: Reader) -> None:
    for _ in range(3):
        found.operands.append(reader.typed())
        reader.eat(",")
    found.type = found.operands[1][0]


def _call(found: Instruction, reader: Reader) -> None:
    reader.skip("fastcc", "coldcc", "ccc", *_FAST)
    _skip_attributes(reader)
    found.type = reader.type()
    found.about = reader.operand(POINTER)
    reader.need("(")
    while not reader.eat(")"):
        type_, before = reader.type(), reader.at
        _skip_attributes(reader)
        if "noundef" in reader.text[before : reader.at]:
            found.filled.add(len(found.operands))
        if type_ == Named("metadata"):
            while reader.peek() not in (",", ")"):
                reader.next()
        else:
            found.operands.append((type_, reader.operand(type_)))
        reader.eat(",")


def _invoke(found: Instruction, reader: Reader) -> None:
    _call(found, reader)
    while not reader.eat("to"):
        reader.next()
    reader.need("label")
    normal = plain(reader.next())
    reader.need("unwind")
    reader.need("label")
    found.successors = normal, plain(reader.next())


def _landing(found: Instruction, reader: Reader) -> None:
    """Whether something is done whatever is thrown, and what is caught or let through."""
    found.type = reader.type()
    cleanup, clauses = reader.eat("cleanup"), list[tuple[str, Operand]]()
    while (kind := reader.peek()) in ("catch", "filter"):
        reader.next()
        clauses.append((kind, reader.typed()[1]))
    found.about = cleanup, clauses


def _resume(found: Instruction, reader: Reader) -> None:
    found.operands = [reader.typed()]


def _fence(found: Instruction, reader: Reader) -> None:
    if 'syncscope("singlethread")' not in found.text:  # which only keeps the compiler from moving things
        found.orders = _take_orders(reader)


def _exchange(found: Instruction, reader: Reader) -> None:
    found.about = reader.eat("weak")
    reader.skip("volatile")
    for _ in range(3):
        found.operands.append(reader.typed())
        reader.eat(",")
    found.type = found.operands[1][0]
    found.orders = _take_orders(reader)


def _update(found: Instruction, reader: Reader) -> None:
    reader.skip("volatile")
    found.about = reader.next()
    found.operands = [reader.typed()]
    reader.need(",")
    found.operands.append(reader.typed())
    found.type = found.operands[1][0]
    found.orders = _take_orders(reader)


def _extract(found: Instruction, reader: Reader) -> None:
    found.operands = [reader.typed()]
    found.type, found.about = found.operands[0][0], _path(reader)
    for index in found.about:
        found.type = parts(found.type)[index][1]


def _insert(found: Instruction, reader: Reader) -> None:
    found.operands = [reader.typed()]
    reader.need(",")
    found.operands.append(reader.typed())
    found.type, found.about = found.operands[0][0], _path(reader)


def _path(reader: Reader) -> list[int]:
    path = []
    while reader.eat(","):
        path.append(int(reader.next()))
    return path


_READERS = {
    "fcmp": _compare_reals,
    **dict.fromkeys(REALS, _real),
    **dict.fromkeys(CONVERSIONS, _convert),
    "icmp": _compare,
    "load": _load,
    "store": _store,
    "getelementptr": _offset,
    "alloca": _allocate,
    "br": _branch,
    "switch": _switch,
    "ret": _return,
    "phi": _phi,
    "select": _select,
    "call": _call,
    "invoke": _invoke,
    "landingpad": _landing,
    "resume": _resume,
    "fence": _fence,
    "cmpxchg": _exchange,
    "atomicrmw": _update,
    "extractvalue": _extract,
    "insertvalue": _insert,
}
