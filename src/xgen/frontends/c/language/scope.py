"""Names and types: what declarations say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import NoReturn, TypeAlias

from pycparser import c_ast

from xgen.errors import Position, ProgramError, UnsupportedError, XgenError, nearest
from xgen.frontends.c.language.memory import Object
from xgen.frontends.c.text.gnu.desugar import ALIGNED, PACKED, PACKED_NEXT, TRANSPARENT
from xgen.frontends.c.values import int128, types
from xgen.frontends.c.values.data_model import word_bytes
from xgen.frontends.c.values.layout import lay_out
from xgen.frontends.c.values.places import Registers
from xgen.frontends.c.values.types import (
    Array,
    Bits,
    CType,
    Function,
    Int,
    Member,
    Pointer,
    Record,
    adjusted,
    size_of,
)
from xgen.records import dataclass, replace


@dataclass(frozen=True, slots=True)
class Typedef:
    type: CType
    constant: bool = False


@dataclass(frozen=True, slots=True)
class Enumerator:
    """A name that is a number: an enumerator, or one of the streams that are open from the start."""

    value: int
    type: CType


@dataclass(frozen=True, slots=True)
class Routine:
    """A function: its definition where it has one, and its address."""

    name: str
    definition: c_ast.FuncDef | None
    address: int

    @property
    def word(self) -> str:
        """What its file calls it."""
        return self.name.rsplit(":", 1)[-1]


@dataclass(frozen=True, slots=True)
class Constant:
    """A `const` scalar at file scope: it is its value, no access."""

    value: int
    object: Object


@dataclass(frozen=True, slots=True)
class PerThread:
    """A thread-local variable."""

    key: object


@dataclass(frozen=True, slots=True)
class Refused:
    """A name that cannot be used, and why."""

    error: XgenError


Entity: TypeAlias = Typedef | Enumerator | Routine | Constant | PerThread | Refused | Object | Registers


@dataclass(eq=False, slots=True)
class Scope:
    """Names that can be seen in a block; tags are those of structs, unions and enums."""

    outer: Scope | None = None
    names: dict[str, Entity] = field(default_factory=dict)
    tags: dict[str, Record | Int] = field(default_factory=dict)

    def find(self, name: str) -> Entity | None:
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.outer
        return None

    def tag(self, name: str) -> Record | Int | None:
        scope: Scope | None = self
        while scope is not None:
            if name in scope.tags:
                return scope.tags[name]
            scope = scope.outer
        return None

    def is_enumerator(self, node: c_ast.ID) -> bool:
        return isinstance(self.find(node.name), Enumerator)

    def visible(self) -> set[str]:
        found: set[str] = set()
        scope: Scope | None = self
        while scope is not None:
            found |= scope.names.keys()
            scope = scope.outer
        return found


class Declarations:
    """Reads types. What is above it knows positions and how to evaluate."""

    scope: Scope
    constant: Callable[[c_ast.Node], int]
    typeof: Callable[[str], CType | None]
    type_of_value: Callable[[c_ast.Node], CType]
    position: Callable[[c_ast.Node], Position]
    used_members: Callable[[object], tuple[int, ...]]
    """The numbers of the members that are used of a union whose members overlap, as far as that is known."""
    cuts_of: Callable[[object], frozenset[int]]
    """Where the scalars of an object or a union are cut in parts, as far as that is known."""

    def array_size(self, node: c_ast.Node) -> int:
        """How many elements an array has."""
        return self.constant(node)

    def static_assertion(self, node: c_ast.StaticAssert) -> None:
        if not self.constant(node.cond):
            self.wrong(f"static assertion failed{': ' + node.message.value if node.message else ''}", node)

    def refuse(self, what: str, node: c_ast.Node, hint: str | None = None) -> NoReturn:
        """Raises that something is not supported."""
        position = self.position(node)
        raise UnsupportedError(f"{what} not supported", position.source, position, hint)

    def wrong(self, message: str, node: c_ast.Node, hint: str | None = None) -> NoReturn:
        position = self.position(node)
        raise ProgramError(message, position.source, position, hint)

    def type_of(self, node: c_ast.Node) -> CType:
        """The type that a declarator, a type name or a specifier says."""
        match node:
            case c_ast.Typename() | c_ast.Decl() | c_ast.Typedef():
                return self.type_of(node.type)
            case c_ast.TypeDecl():
                found = self.type_of(node.type)
                return self.qualified(found, node.quals, node)
            case c_ast.PtrDecl():
                return self.qualified(Pointer(self.type_of(node.type)), node.quals, node)
            case c_ast.ArrayDecl():
                return self.array(node)
            case c_ast.FuncDecl():
                return self.function_type(node)
            case c_ast.Struct() | c_ast.Union():
                return self.record(node)
            case c_ast.Enum():
                return self.enum(node)
            case c_ast.IdentifierType():
                return self.named(node)
            case _:
                return self.refuse(f"this type ({type(node).__name__}) is", node)

    def qualified(self, type_: CType, quals: list[str], node: c_ast.Node) -> CType:
        if "volatile" in (quals or []):
            type_ = types.volatile(type_)
        if "_Atomic" not in (quals or []):
            return type_
        if isinstance(type_, Int | Pointer):
            return replace(type_, atomic=True)
        if isinstance(type_, Record):
            return type_.as_atomic()
        return self.wrong("an array or a function cannot be `_Atomic`", node)

    def is_const(self, node: c_ast.Node) -> bool:
        """Whether a declaration, a declarator or a type name says `const`; of an array, its elements have it."""
        match node:
            case c_ast.PtrDecl():
                return "const" in node.quals
            case c_ast.TypeDecl():
                return "const" in node.quals or self.is_const(node.type)
            case c_ast.Typename() | c_ast.Decl() | c_ast.Typedef() | c_ast.ArrayDecl():
                return self.is_const(node.type)
            case c_ast.IdentifierType(names=[name]):
                entity = self.scope.find(name)
                return isinstance(entity, Typedef) and entity.constant
        return False

    def array(self, node: c_ast.ArrayDecl) -> CType:
        element = self.type_of(node.type)
        if node.dim is None:
            return Array(element, None)
        size = self.array_size(node.dim)
        if size < 0:
            self.wrong("the size of this array is negative", node.dim)
        return Array(element, size)

    def function_type(self, node: c_ast.FuncDecl) -> Function:
        declared = node.args.params if node.args else []
        named = node.args is not None and not any(isinstance(parameter, c_ast.ID) for parameter in declared)
        variadic = any(isinstance(parameter, c_ast.EllipsisParam) for parameter in declared)
        return Function(self.type_of(node.type), tuple(self.parameter_types(node)), variadic, named)

    def parameter_types(self, node: c_ast.FuncDecl) -> list[CType]:
        parameters = node.args.params if node.args else []
        found = []
        for parameter in parameters:
            if isinstance(parameter, c_ast.EllipsisParam | c_ast.ID):
                continue
            type_ = self.type_of(parameter)
            found.append(adjusted(type_))
        return [] if found == [types.VOID] else found

    def named(self, node: c_ast.IdentifierType) -> CType:
        if len(node.names) == 1:
            name = node.names[0]
            known = self.typeof(name)
            if known is not None:
                return known
            entity = self.scope.find(name)
            if isinstance(entity, Typedef):
                return entity.type
            if isinstance(entity, Refused):
                raise entity.error
        found = types.named(node.names)
        if found is None:
            what = " ".join(node.names)
            if "__int128" in node.names or (set(node.names) == {"long", "double"} and word_bytes() == 8):
                return self.wide(node)
            if set(node.names) & {"float", "double"}:
                self.refuse(f"floating point (`{what}`) is", node)
            visible = self.scope.visible()
            if what in visible:  # its declaration has just begun: `T T = sizeof(T);`
                self.refuse(
                    f"the type `{what}` where a variable has its name is", node, "give one of them another name"
                )
            self.wrong(f"there is no type `{what}`", node, nearest(what, visible))
        return found

    def wide(self, node: c_ast.IdentifierType) -> CType:
        """A number of 128 bits, or as many bytes."""
        found = int128.named(node.names) if word_bytes() == 8 else None
        return found or self.refuse(f"`{' '.join(node.names)}` is", node)

    def record(self, node: c_ast.Struct | c_ast.Union) -> Record:
        union = isinstance(node, c_ast.Union)
        name = node.name or ""
        found = self.scope.tag(name) if name else None
        if node.decls is not None and found is not None and name not in self.scope.tags:
            found = None  # a new one in an inner block
        if isinstance(found, Int) or (found and found.union != union):
            self.wrong(f"`{name}` is declared as another kind of type", node)
        if found is None:
            found = Record(name, union)
            if name:
                self.scope.tags[name] = found
        if node.decls is not None and found.members is None:
            found.key = id(node)
            found.used, found.cuts = self.used_members(found.key), self.cuts_of(found.key)
            lay_out(found, *self.members(node))
            told = any(getattr(part, "name", None) == TRANSPARENT for part in node.decls)
            found.transparent = found.union and told  # of a struct it says nothing
            self.nothing_misaligned(found, node)
            found.tell_twins()
        return found

    def nothing_misaligned(self, record: Record, node: c_ast.Node) -> None:
        """Refuses what packing moves to where its type may not be: such an access is not one access of a machine."""
        members = record.members or []
        record.packed |= any(member.packed or _has_packed(member.type) for member in members)
        if not record.packed:
            return
        scalars = [(leaf.name, leaf.offset, size_of(leaf.type)) for leaf in types.leaves(record)]
        for name, offset, size in scalars:
            if offset % size or record.size % size:
                self.refuse(f"a packed type in which `{name.lstrip('.')}` is not aligned is", node)

    def members(self, node: c_ast.Struct | c_ast.Union) -> tuple[list[Member], int]:
        """The members that are declared, and what the attributes say that all is to be a multiple of."""
        members: list[Member] = []
        least = 1
        packed = any(declaration.name == PACKED for declaration in node.decls if isinstance(declaration, c_ast.Decl))
        packs_next = False
        for declaration in node.decls:
            if isinstance(declaration, c_ast.StaticAssert):
                self.static_assertion(declaration)
            if not isinstance(declaration, c_ast.Decl):
                continue
            aligned = self.aligned(declaration)
            if declaration.name == ALIGNED:
                least = max(least, aligned)
                continue
            if declaration.name == TRANSPARENT:
                continue
            if declaration.name in (PACKED, PACKED_NEXT):
                packs_next = declaration.name == PACKED_NEXT
                continue
            type_ = self.type_of(declaration)
            if isinstance(type_, Function) or (isinstance(type_, Record) and type_.members is None):
                self.wrong("a member cannot have this type", declaration)
            if declaration.bitsize is not None:
                type_ = self.bits(type_, declaration)
            constant = self.is_const(declaration)
            members.append(Member(declaration.name or "", type_, 0, aligned, packed or packs_next, constant))
            packs_next = False
        return members, least

    def bits(self, type_: CType, declaration: c_ast.Decl) -> Bits:
        """The type of a bit field."""
        width = self.constant(declaration.bitsize)
        most = 1 if type_ == types.BOOL else type_.bits if isinstance(type_, Int) else 0
        if not isinstance(type_, Int) or not (0 if declaration.name is None else 1) <= width <= most:
            self.wrong(f"a bit field of {type_} cannot have {width} bits", declaration)
        if declaration.align:
            self.refuse("a bit field with an alignment is", declaration)
        if type_.atomic:
            self.refuse("a bit field that is atomic is", declaration)
        return Bits(type_, width)

    def aligned(self, declaration: c_ast.Decl) -> int:
        """What `_Alignas` says that an address is a multiple of at least."""
        found = 1
        for specifier in declaration.align or []:
            operand = specifier.alignment
            typename = isinstance(operand, c_ast.Typename)
            value = types.alignment(self.type_of(operand)) if typename else self.constant(operand)
            if value < 0 or value & (value - 1):
                self.wrong("an alignment is a power of two", declaration)
            found = max(found, value)
        return found

    def enum(self, node: c_ast.Enum) -> Int:
        """GNU's types: unsigned int where no enumerator is negative, else int, or 64 bits where that is too small."""
        name = node.name or ""
        if node.values is None:
            found = self.scope.tag(name)
            if not isinstance(found, Int):
                self.wrong(f"there is no `enum {name}`", node)
            return found
        values: list[int] = []
        for enumerator in node.values.enumerators:
            value = values[-1] + 1 if values else 0
            if enumerator.value is None and value == 1 << 31:
                self.wrong(f"the value of `{enumerator.name}` is too large for int", enumerator)
            if enumerator.value is not None:
                value = self.constant(enumerator.value)
                if value < 0 and not types.is_signed(self.type_of_value(enumerator.value)):
                    self.refuse(f"the enumerator `{enumerator.name}`, which is larger than long, is", enumerator)
            values.append(value)
            self.scope.names[enumerator.name] = Enumerator(values[-1], types.of_64_bits(True))  # for those that follow
        low, high = min(values), max(values)
        candidates = (types.INT if low < 0 else types.UINT, types.of_64_bits(low < 0))
        type_ = next((t for t in candidates if [types.converted(v, t) for v in (low, high)] == [low, high]), None)
        if type_ is None:
            self.refuse("an enumeration with such large values is", node)
        type_ = replace(type_, enumeration=(name, id(node)))
        for enumerator, value in zip(node.values.enumerators, values, strict=True):
            fits = types.converted(value, types.INT) == value
            self.scope.names[enumerator.name] = Enumerator(value, types.INT if fits else type_)
        if name:
            self.scope.tags[name] = type_
        return type_


def _has_packed(type_: CType) -> bool:
    while isinstance(type_, Array):
        type_ = type_.element
    return isinstance(type_, Record) and type_.packed
