"""Dataclasses that cost little to make, and whose `__init__` is compiled when many objects are made.

`dataclasses.dataclass` writes and compiles five or more functions per class, half a millisecond of them, and a command
meets two hundred classes of which it makes objects of some. Here what compares, prints and hashes is shared code over a
getter of the fields, and `replace` needs no more either. What `dataclasses` knows of a class is made when it is asked:
`fields`, `asdict`, `match` and pickles work as ever. Bases that have fields are records, too.
"""

from __future__ import annotations

import dataclasses
import inspect  # which dataclasses imports anyway
import operator
from dataclasses import MISSING
from functools import partial
from operator import attrgetter
from types import MemberDescriptorType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
    from dataclasses import replace as replace
else:

    def replace(record, /, **changes):
        """The record with other values of some fields."""
        cls = type(record)
        for f in getattr(cls, _RECORD):
            if f.init and f.name not in changes:
                changes[f.name] = getattr(record, f.name)
        return cls(**changes)

    def dataclass(cls=None, /, *, frozen=False, eq=True, order=False, repr=True, slots=False, kw_only=False):
        """The class with its fields as arguments of `__init__`, compared by them unless `eq` is false."""
        if cls is None:
            return partial(dataclass, frozen=frozen, eq=eq, order=order, repr=repr, slots=slots, kw_only=kw_only)
        cls.__doc__ = cls.__doc__ or cls.__name__
        own = set(cls.__dict__)
        known = {f.name: f for base in reversed(cls.__mro__[1:]) for f in base.__dict__.get(_RECORD, ())}
        fields = tuple((known | _own_fields(cls, kw_only)).values())
        made = _with_slots(cls, [f.name for f in fields]) if slots else cls
        setattr(made, _RECORD, fields)
        made.__dataclass_fields__ = _Told(made)
        if "__match_args__" not in own:
            made.__match_args__ = tuple([f.name for f in fields if f.init and not f.kw_only])
        if "__init__" not in own:
            _compile_later(made, fields, frozen, slots)
        if repr and "__repr__" not in own:
            made.__repr__ = _repr_of([f.name for f in fields if f.repr])
        if eq and "__eq__" not in own:
            made.__eq__, hashed = _compared([f.name for f in fields if f.compare])
            if cls.__dict__.get("__hash__") is None:
                made.__hash__ = hashed if frozen else None
        for name in _ORDERS if order else ():
            setattr(made, name, _order_of(getattr(operator, name), [f.name for f in fields if f.compare]))
        if frozen:
            made.__setattr__, made.__delattr__ = _refusals(made, frozenset([f.name for f in fields]))
            if slots and "__getstate__" not in own:
                made.__getstate__, made.__setstate__ = _states(made, [f.name for f in fields])
        return made


_RECORD = "__record_fields__"
"""Where a class has its fields."""


class _Field:
    """A field of a record, as `dataclasses.Field` has it."""

    __slots__ = ("compare", "default", "default_factory", "init", "kw_only", "name", "repr", "type")

    def __init__(self, name: str, type_: object, given: Any, kw_only: bool) -> None:
        self.name, self.type, self.kw_only = name, type_, kw_only
        self.default: Any
        self.default_factory: Any
        if not isinstance(given, dataclasses.Field):
            self.default, self.default_factory = given, MISSING
            self.init = self.repr = self.compare = True
            return
        self.default, self.default_factory = given.default, given.default_factory
        self.init, self.repr, self.compare = given.init, given.repr, given.compare
        self.kw_only = kw_only if given.kw_only is MISSING else given.kw_only


def _own_fields(cls: type, kw_only: bool) -> dict[str, _Field]:
    """The fields that are declared in a class itself; where `field` says more of one, its default takes the place."""
    found = {}
    for name, type_ in inspect.get_annotations(cls).items():
        if "ClassVar" in str(type_):
            continue
        given = getattr(cls, name, MISSING)
        if isinstance(given, MemberDescriptorType):  # a slot of a base
            given = MISSING
        found[name] = made = _Field(name, type_, given, kw_only)
        if given is not made.default:
            if made.default is MISSING:
                delattr(cls, name)
            else:
                setattr(cls, name, made.default)
    return found


def _with_slots(cls: type, names: list[str]) -> type:
    """The class made anew with places for its fields that no base has."""
    there = {name for base in cls.__mro__[1:-1] for name in base.__dict__.get("__slots__", ())}
    parts = {name: part for name, part in cls.__dict__.items() if name not in ("__dict__", "__weakref__", *names)}
    parts["__slots__"] = tuple([name for name in names if name not in there])
    made: type = type(cls)(cls.__name__, cls.__bases__, parts)
    made.__qualname__ = cls.__qualname__
    return made


class _Told:
    """`__dataclass_fields__` of a class, which `dataclasses` makes when it is asked for."""

    def __init__(self, cls: type) -> None:
        self.cls = cls

    def __get__(self, instance: object, owner: type) -> dict[str, dataclasses.Field[Any]]:
        fields: tuple[_Field, ...] = self.cls.__dict__[_RECORD]
        parts: dict[str, Any] = {"__annotations__": {f.name: object for f in fields}, "__doc__": "not empty"}
        for f in fields:
            parts[f.name] = dataclasses.field(**{name: getattr(f, name) for name in _SAID})
        made: Any = dataclasses.dataclass(init=False, repr=False, eq=False)(type("Told", (), parts))
        told: dict[str, dataclasses.Field[Any]] = made.__dataclass_fields__
        for f in fields:
            told[f.name].type = f.type
        setattr(self.cls, "__dataclass_fields__", told)  # noqa: B010
        return told


_SAID = ("default", "default_factory", "init", "repr", "compare", "kw_only")

_ORDERS = ("__lt__", "__le__", "__gt__", "__ge__")

FEW = 30
"""It pays to compile an `__init__` that makes more objects than these."""


def _compile_later(cls: type, fields: tuple[_Field, ...], frozen: bool, slots: bool) -> None:
    put = object.__setattr__ if frozen else setattr
    made, asked_for = 0, None

    def init(self: Any, *args: Any, **named: Any) -> None:
        nonlocal made, asked_for
        made += 1
        asked_for = asked_for or _arguments(fields)
        ordered, needed, arguments = asked_for
        given = {**dict(zip(ordered, args, strict=False)), **named}
        are_right = len(given) == len(args) + len(named) and needed <= given.keys() <= arguments
        if made > FEW or not are_right:
            cls.__init__ = compiled = _init(cls, fields, frozen, slots)  # type: ignore[misc]
            compiled(self, *args, **named)  # which says what is wrong, if something is
            return
        for f in fields:
            if f.name in given:
                put(self, f.name, given[f.name])
            elif f.default is not MISSING:
                put(self, f.name, f.default)
            elif f.default_factory is not MISSING:
                put(self, f.name, f.default_factory())
        if hasattr(self, "__post_init__"):
            self.__post_init__()

    init.__name__, init.__qualname__ = "__init__", f"{cls.__qualname__}.__init__"
    cls.__init__ = init  # type: ignore[misc]


def _arguments(fields: tuple[_Field, ...]) -> tuple[list[str], set[str], set[str]]:
    """The names of the arguments that may come without them, of those that must be there, and of all."""
    taken = [f for f in fields if f.init]
    needed = {f.name for f in taken if f.default is f.default_factory is MISSING}
    return [f.name for f in taken if not f.kw_only], needed, {f.name for f in taken}


def _init(cls: type, fields: tuple[_Field, ...], frozen: bool, slots: bool) -> Any:
    """The function that dataclasses would have made, but that it sets slots of frozen objects by their descriptors."""
    names: dict[str, Any] = {"__missing__": MISSING}
    arguments, lines = ["self"], []
    fields = tuple(sorted(fields, key=lambda f: bool(f.kw_only)))
    if frozen and not slots:
        lines.append("__values__ = self.__dict__")
    for f in fields:
        name, value = f.name, f.name
        if f.default_factory is not MISSING:
            names[f"__make_{name}__"] = f.default_factory
            value = f"__make_{name}__() if {name} is __missing__ else {name}" if f.init else f"__make_{name}__()"
            default = "=__missing__"
        elif f.default is not MISSING:
            names[f"__default_{name}__"] = f.default
            default = f"=__default_{name}__"
            value = name if f.init else f"__default_{name}__"
        elif f.init:
            default = ""
        else:
            continue
        if f.init:
            if f.kw_only and "*" not in arguments:
                arguments.append("*")
            arguments.append(name + default)
        if not frozen:
            lines.append(f"self.{name} = {value}")
        elif slots:
            names[f"__set_{name}__"] = getattr(cls, name).__set__
            lines.append(f"__set_{name}__(self, {value})")
        else:
            lines.append(f"__values__['{name}'] = {value}")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    exec(f"def __init__({', '.join(arguments)}):\n " + "\n ".join(lines or ["pass"]), names)
    init = names["__init__"]
    init.__qualname__, init.__module__ = f"{cls.__qualname__}.__init__", cls.__module__
    return init


def _repr_of(names: list[str]) -> Any:
    def __repr__(self: Any) -> str:
        return f"{type(self).__qualname__}({', '.join([f'{name}={getattr(self, name)!r}' for name in names])})"

    return __repr__


def _values_of(names: list[str]) -> Any:
    return attrgetter(*names) if names else lambda _: ()


def tuple_of(names: list[str]) -> Any:
    """What gives the values of these attributes of an object as a tuple, however many they are."""
    values = _values_of(names)
    return (lambda thing: (values(thing),)) if len(names) == 1 else values


def _compared(names: list[str]) -> tuple[Any, Any]:
    values = _values_of(names)

    def __eq__(self: Any, other: Any) -> Any:
        return values(self) == values(other) if type(self) is type(other) else NotImplemented

    def __hash__(self: Any) -> int:
        return hash(values(self))

    return __eq__, __hash__


def _order_of(than: Any, names: list[str]) -> Any:
    """A comparison of objects of one class, as of the tuples of their fields."""
    values = _values_of(names)

    def compared(self: Any, other: Any) -> Any:
        return than(values(self), values(other)) if type(self) is type(other) else NotImplemented

    return compared


def _refusals(cls: type, names: frozenset[str]) -> tuple[Any, Any]:
    """What sets and deletes attributes of frozen objects: those that a class below adds, which is no record."""

    def __setattr__(self: Any, name: str, value: Any) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        object.__setattr__(self, name, value)

    def __delattr__(self: Any, name: str) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        object.__delattr__(self, name)

    return __setattr__, __delattr__


def _states(cls: type, names: list[str]) -> tuple[Any, Any]:
    """What pickles of slots of frozen objects."""
    values = tuple_of(names)
    put: list[Any] = []

    def __getstate__(self: Any) -> tuple[Any, ...]:
        return values(self)  # type: ignore[no-any-return]

    def __setstate__(self: Any, state: tuple[Any, ...]) -> None:
        if not put:
            put.extend(getattr(cls, name).__set__ for name in names)
        for set_, value in zip(put, state, strict=True):
            set_(self, value)

    return __getstate__, __setstate__
