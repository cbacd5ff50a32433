"""The operations of a C file: functions with a name that is known, or that the user gives, and how they are called."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Literal

from pycparser import c_ast, c_generator

from xgen.analyses.linearizability.texts import Text
from xgen.errors import ProgramError, UsageError, listed
from xgen.frontends.c.tree import Defined
from xgen.frontends.c.values.types import CType, Function, Int, Pointer, Real, Record, Void, is_complete, plain
from xgen.records import dataclass, replace

Sort = Literal["put", "get", "key", "add", "do"]
"""put: is given a value, of its own each time; get: returns such a value; key: is given one of few keys; add: is given
a number that nobody gets back; do: is given nothing, and what it returns is a number."""

PUTS = ("enqueue", "push", "put", "offer", "insert", "add", "send", "write", "set", "store")
GETS = ("dequeue", "pop", "get", "take", "remove", "steal", "poll", "recv", "receive", "read", "load")
OUT_OF_BAGS = ("dequeue", "pop", "take", "remove", "steal", "poll", "recv", "receive")
"""What gives back what `add` was given; beside others, `add` adds to a sum."""
THIEVES = ("steal",)
"""What takes from the end of a deque that is not its owner's."""
ADDS = ("add", "insert")
LOOKS = ("contains", "member", "find", "lookup")
"""Of KEYS, those that put a key in, and those that only look for it."""
UPS, DOWNS, READS = ("inc", "increment", "next"), ("dec", "decrement"), ("get", "read", "value", "load")
"""Of DOES, what counts up, what counts down, and what only looks."""
KEYS = (*ADDS, "remove", "delete", "erase", *LOOKS)
DOES = (*UPS, *READS, *DOWNS, "trylock", "try_lock", "tryacquire")
SETUP = ("init", "initialise", "initialize")
FEW = 4
"""So many functions that are no operations are named."""
MAKERS = ("create", "new", "make", "alloc")


def is_one_of(name: str, words: tuple[str, ...]) -> bool:
    """Whether a function has one of these words at the end of its name."""
    return name.lower().endswith(words)


@dataclass(frozen=True)
class Operation:
    """An operation and how it is called.

    `form`: what is returned: "nothing", "bool" (whether it was done), "value"; "out": whether it was done, and the
    value through a pointer. `value`: the type of the value as text, "" where there is none. `object`: the object comes
    first.
    """

    name: str
    sort: Sort
    form: Literal["nothing", "bool", "value", "out"]
    value: str
    pointer: bool
    object: bool
    defined: Defined

    @property
    def is_bool(self) -> bool:
        """Whether what it returns is true or false."""
        return getattr(_bare(_type(self.defined).result), "name", "") == "_Bool"

    @property
    def may_fail(self) -> bool:
        """Whether it can return that nothing was done."""
        if self.sort == "put":
            return self.form != "nothing"
        return self.sort == "get" or (self.sort == "do" and self.form == "bool")


@dataclass(frozen=True)
class Interface:
    """What a file offers: its operations by name; what sets the object up (None: nothing does); the object, as a
    declaration and as text (None: the functions have no parameter for it)."""

    operations: Mapping[str, Operation]
    setup: Defined | None
    object: c_ast.Decl | None
    object_text: str
    notes: tuple[str, ...] = ()

    def of(self, sort: Sort) -> list[Operation]:
        """The operations of a sort."""
        return [operation for operation in self.operations.values() if operation.sort == sort]


@dataclass(frozen=True)
class Naming:
    """What the user says of names: `ops` are pairs of a sort and a name."""

    ops: tuple[tuple[str, str], ...] = ()
    object: str = "object"


def interface(files: Text, naming: Naming) -> Interface:
    """The interface of a file. Raises ProgramError and UsageError."""
    functions = {function.name: function for function in files.functions()}
    chosen = _chosen(functions, naming, files)
    operations = {name: _operation(functions[name], sort) for name, sort in chosen.items()}
    setup = _setup(functions, operations)
    with_object = [operation for operation in operations.values() if operation.object]
    if setup is not None:
        _refuse_setup(setup, bool(with_object))
    left = () if naming.ops else _left_out(functions, operations, setup, files)
    if not with_object:
        return Interface(operations, setup, None, "", left)
    found = _with_object(operations, with_object, setup, functions, naming, files)
    return replace(found, notes=(*found.notes, *left))


def _left_out(
    functions: Mapping[str, Defined], operations: Mapping[str, Operation], setup: Defined | None, files: Text
) -> tuple[str, ...]:
    """A note of the functions that others may call and no client does, since their names do not say what they are."""
    open_ = [f for name, f in functions.items() if not f.hidden and name not in operations and f is not setup]
    names = [f"`{f.name}`" for f in open_ if f.position.source in files.own]
    if not names:
        return ()
    more = [f"{len(names) - FEW} others"] if len(names) > FEW + 1 else names[FEW:]
    return (f"note: clients do not call {listed([*names[:FEW], *more], 'and')}; --ops says which are operations",)


def _chosen(functions: Mapping[str, Defined], naming: Naming, files: Text) -> dict[str, Sort]:
    """The functions that are operations, each with its sort."""
    if naming.ops:
        return _named(functions, naming.ops, files)
    for hidden in (False, True):  # static ones where there are no others: of a header
        known = (*PUTS, *GETS, *KEYS, *DOES)
        open_ = {name: f for name, f in functions.items() if f.hidden == hidden and _stem(name) in known}
        found = _by_words(open_)
        if found:
            return found
    hint = f"it knows {', '.join(dict.fromkeys(PUTS + GETS))} and others; --ops put=NAME,get=NAME names yours"
    hint = files.dialect.offers + hint
    raise UsageError("no function here has a name that is known of a data structure", file=files.source.name, hint=hint)


def _named(functions: Mapping[str, Defined], ops: Sequence[tuple[str, str]], files: Text) -> dict[str, Sort]:
    found: dict[str, Sort] = {}
    for word, name in ops:
        if name not in functions:
            own = sorted(f.name for f in functions.values() if f.position.source in files.own)
            hint = f"it defines {listed(own, 'and')}" if own else None
            raise UsageError(f"--ops names `{name}`, which is no function here", file=files.source.name, hint=hint)
        sorts: dict[str, Sort] = {"put": "put", "get": "get", "key": "key", "add": "add", "do": "do"}
        found[name] = sorts[word]
    return found


def _by_words(functions: Mapping[str, Defined]) -> dict[str, Sort]:
    """Sorts by names and parameters. Raises ProgramError for a function whose name is known, and its form is not."""
    stems = {name: _stem(name) for name in functions}
    given = {name: _is_given(stems[name], function) for name, function in functions.items()}
    keyed = any(stem in KEYS and stem not in PUTS and given[name] for name, stem in stems.items())
    bag = any(stem in OUT_OF_BAGS and not given[name] for name, stem in stems.items())
    puts = any(stem in PUTS and given[name] for name, stem in stems.items())
    found: dict[str, Sort] = {}
    for name, stem in stems.items():
        if keyed and given[name] and stem in KEYS:
            found[name] = "key"
        elif given[name] and stem == "add" and not bag:
            found[name] = "add"
        elif given[name] and stem in PUTS:
            found[name] = "put"
        elif not given[name] and stem in GETS and (puts or stem not in DOES):
            found[name] = "get"
        elif not given[name] and stem in (*DOES, "set"):
            found[name] = "do"
        elif stem in (*PUTS, *GETS, *KEYS, *DOES):
            hint = f"--ops says which functions are operations, if `{name}` is none"
            raise _wrong(functions[name], f"`{name}` has a name that is known, and a form that is not", hint)
    return found


def _is_given(stem: str, function: Defined) -> bool:
    """Whether a function is given a value; a pointer may be one, or say where a value goes."""
    rest = _parameters(function)
    if rest and isinstance(rest[0], Pointer) and stem in GETS and isinstance(_bare(rest[0].target), Int | Pointer):
        return False
    return bool(rest)


def _parameters(function: Defined) -> list[CType]:
    """The types of what a function is given, but for the object. Raises ProgramError where they are not supported."""
    found = [_bare(p) for p in _type(function).parameters]
    return found[1:] if found and _is_object(found[0]) else found


def _type(function: Defined) -> Function:
    if function.type is None:
        hint = "values are integers, or pointers to void or to integers"
        raise _wrong(function, f"the type of `{function.name}` is not supported", hint)
    return function.type


def _stem(name: str) -> str:
    """The word of a name that says what the function does: `enqueue` of `queue_enqueue`."""
    words = name.lower().split("_")
    for length in (2, 1):
        tail = "_".join(words[-length:])
        if tail in (*PUTS, *GETS, *KEYS, *DOES, *SETUP, *MAKERS):
            return tail
    return name.lower()


def _is_object(type_: CType) -> bool:
    return isinstance(type_, Pointer) and isinstance(type_.target, Record)


def _bare(type_: CType) -> CType:
    inner = getattr(type_, "type", None)
    return inner if type(type_).__name__ == "Const" and inner is not None else type_


def _operation(function: Defined, sort: Sort) -> Operation:
    """How a function is called. Raises ProgramError where it has a form that is not known."""
    parameters = [_bare(p) for p in _type(function).parameters]
    rest = _parameters(function)
    has_object = len(rest) < len(parameters)
    takes = sort in ("put", "key", "add")
    if len(rest) > 1 or (takes and not rest) or (sort == "do" and rest):
        number = f"{len(parameters)} parameter{'s' * (len(parameters) != 1)}"
        raise _wrong(function, f"`{function.name}` has {number}", f"{_WANTED[sort]}, and the object before it")
    make = _taking if takes else _giving
    return make(function, sort, rest, has_object)


_WANTED: Mapping[str, str] = {
    "put": "a put has a value",
    "key": "it has a key",
    "add": "it has a number",
    "get": "a get has none, or a pointer to where the value goes",
    "do": "it has none",
}
"""What parameters operations have."""


def _taking(function: Defined, sort: Sort, rest: Sequence[CType], has_object: bool) -> Operation:
    """A function that is given a value, a key or a number."""
    result = _bare(_type(function).result)
    pointer = _value(function, rest[0])
    if sort != "put" and pointer:
        raise _wrong(function, f"`{function.name}` is given a pointer", "keys and numbers are integers")
    text = c_generator.CGenerator().visit(_unnamed(function.parameters[-1]))
    if isinstance(result, Void):
        return Operation(function.name, sort, "nothing", text, pointer, has_object, function)
    if not isinstance(result, Int):
        hint = "it returns nothing, or whether it was done"
        raise _wrong(function, f"`{function.name}` returns what is no integer", hint)
    return Operation(function.name, sort, _truth(result), text, pointer, has_object, function)


def _giving(function: Defined, sort: Sort, rest: Sequence[CType], has_object: bool) -> Operation:
    """A function that is given nothing, or where its value goes."""
    result = _bare(_type(function).result)
    name, forms = function.name, "a get is `T get(void)` or `bool get(T *)`"
    if rest:
        target = _bare(rest[0].target) if isinstance(rest[0], Pointer) else None
        if target is None or not isinstance(result, Int):
            raise _wrong(function, f"`{name}` has a form that is not known", forms)
        pointer = _value(function, target)
        inner = c_ast.Typename(None, [], None, _unnamed(function.parameters[-1]).type.type)
        text = c_generator.CGenerator().visit(inner)
        return Operation(name, sort, "out", text, pointer, has_object, function)
    if isinstance(result, Void):
        if sort == "get":
            raise _wrong(function, f"`{name}` gives nothing back", forms)
        return Operation(name, sort, "nothing", "", False, has_object, function)
    pointer = _value(function, result)
    if sort == "do" and not isinstance(result, Int):
        raise _wrong(function, f"`{name}` returns a pointer", "of what is given nothing, results are integers")
    form = _truth(result) if sort == "do" and isinstance(result, Int) else "value"
    return Operation(name, sort, form, "", pointer, has_object, function)


def _truth(result: Int) -> Literal["bool", "value"]:
    return "bool" if plain(result).name == "_Bool" else "value"  # type: ignore[union-attr]


def _value(function: Defined, type_: CType) -> bool:
    """Whether values of a type are pointers; integers and pointers to void and to integers are made."""
    if isinstance(type_, Int) and not isinstance(type_, Real):
        return False
    if isinstance(type_, Pointer) and isinstance(_bare(type_.target), Int | Void):
        return True
    hint = "values are integers, or pointers to void or to integers"
    raise _wrong(function, f"`{function.name}` has values of the type `{type_}`", hint)


def _wrong(function: Defined, message: str, hint: str) -> ProgramError:
    return ProgramError(message, function.position.source, function.position, hint)


def _unnamed(parameter: c_ast.Node) -> c_ast.Typename:
    """The type of a parameter."""
    type_ = copy.deepcopy(parameter.type)
    inner = _called(type_, None)
    inner.quals = [word for word in inner.quals or [] if word != "const"]
    return c_ast.Typename(None, [], None, type_)


def _called(type_: c_ast.Node, name: str | None) -> c_ast.TypeDecl:
    """Gives what a type is the type of a name; the innermost part, which has it."""
    while not isinstance(type_, c_ast.TypeDecl):
        type_ = type_.type
    type_.declname = name
    return type_


def _setup(functions: Mapping[str, Defined], operations: Mapping[str, Operation]) -> Defined | None:
    """What sets the object up: `init`, rather than a function with a longer name; a static one only if the operations
    are static, too."""
    hidden = all(operation.defined.hidden for operation in operations.values())
    named = [f for name, f in functions.items() if _stem(name) in SETUP and name not in operations]
    open_ = [f for f in named if not f.hidden or hidden]
    return min(open_, key=lambda f: f.name not in SETUP, default=None)


def _refuse_setup(setup: Defined, with_object: bool) -> None:
    parameters = [_bare(p) for p in _type(setup).parameters]
    if parameters and not (with_object and len(parameters) == 1 and _is_object(parameters[0])):
        given = "the object" if with_object else "nothing"
        raise _wrong(
            setup,
            f"`{setup.name}` has {len(parameters)} parameter{'s' * (len(parameters) != 1)}",
            f"what sets the object up is given {given}",
        )


def _with_object(
    operations: Mapping[str, Operation],
    with_object: Sequence[Operation],
    setup: Defined | None,
    functions: Mapping[str, Defined],
    naming: Naming,
    files: Text,
) -> Interface:
    first = with_object[0]
    record = _bare(_type(first.defined).parameters[0]).target  # type: ignore[union-attr]
    for other in with_object[1:]:
        if _bare(_type(other.defined).parameters[0]).target is not record:  # type: ignore[union-attr]
            raise _wrong(
                other.defined,
                f"`{other.name}` and `{first.name}` have objects of different types",
                "an object has one type",
            )
    if not is_complete(record):
        raise _wrong(first.defined, f"`{record}` is not defined here", "the object is made of its type")
    maker = next((f for name, f in functions.items() if _stem(name) in MAKERS), None)
    if setup is None and maker is not None:
        raise _wrong(
            maker,
            f"`{maker.name}` makes the object",
            f"xgen has one of its own, of which all is 0; it is set up by `init({record} *)`",
        )
    pointer = _unnamed(first.defined.parameters[0]).type
    _called(pointer.type, naming.object)
    node = c_ast.Decl(naming.object, [], [], [], [], pointer.type, None, None, pointer.coord)
    text = files.declared(c_generator.CGenerator().visit(node))
    notes = () if setup is not None else (f"note: no function sets the object up: {files.dialect.start.format(text)}",)
    return Interface(operations, setup, node, text, notes)
