"""Dataclasses whose `__init__` is compiled when many objects are made.

`dataclasses.dataclass` writes and compiles five or more functions per class, half a millisecond of them, and a command
meets a hundred and fifty classes of which it makes objects of some. Here the fields are those that `dataclasses` finds
(`fields`, `replace`, `asdict`, `match` and pickles work as ever), but what compares, prints and hashes is shared code
over a getter of the fields.
"""

from __future__ import annotations

import dataclasses
import inspect  # which dataclasses imports anyway
import operator
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls=None, /, *, frozen=False, eq=True, order=False, repr=True, slots=False, kw_only=False):
        """The class with its fields as arguments of `__init__`, compared by them unless `eq` is false."""
        if cls is None:
            return partial(dataclass, frozen=frozen, eq=eq, order=order, repr=repr, slots=slots, kw_only=kw_only)
        cls.__doc__ = cls.__doc__ or cls.__name__  # else dataclasses asks for the signature, which takes long
        own = set(cls.__dict__)
        types = inspect.get_annotations(cls)
        # Of types that are strings, dataclasses asks at length whether they are ClassVar or the like.
        cls.__annotations__ = {name: type_ if "ClassVar" in str(type_) else object for name, type_ in types.items()}
        made = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)(cls)
        made.__annotations__ = types
        all_fields = dataclasses.fields(made)
        for f in all_fields:
            f.type = types.get(f.name, f.type)
        if "__init__" not in own:
            _compile_later(made, all_fields, frozen, slots)
        if repr and "__repr__" not in own:
            made.__repr__ = _repr_of([f.name for f in all_fields if f.repr])
        if eq and "__eq__" not in own:
            made.__eq__, hashed = _compared([f.name for f in all_fields if f.compare])
            if cls.__dict__.get("__hash__") is None:
                made.__hash__ = hashed if frozen else None
        for name in _ORDERS if order else ():
            setattr(made, name, _order_of(getattr(operator, name), [f.name for f in all_fields if f.compare]))
        if frozen:
            made.__setattr__, made.__delattr__ = _refusals(made, frozenset(f.name for f in all_fields))
            if slots and "__getstate__" not in own:
                made.__getstate__, made.__setstate__ = _states(made, [f.name for f in all_fields])
        return made


_ORDERS = ("__lt__", "__le__", "__gt__", "__ge__")

FEW = 30
"""It pays to compile an `__init__` that makes more objects than these."""


def _compile_later(cls: type, fields: tuple[dataclasses.Field[Any], ...], frozen: bool, slots: bool) -> None:
    arguments = [f.name for f in fields if f.init]
    ordered = [f.name for f in fields if f.init and not f.kw_only]
    defaults = {f.name: f.default for f in fields if f.default is not dataclasses.MISSING}
    factories = {f.name: f.default_factory for f in fields if f.default_factory is not dataclasses.MISSING}
    needed = {name for name in arguments if name not in defaults and name not in factories}
    put = object.__setattr__ if frozen else setattr
    made = 0

    def init(self: Any, *args: Any, **named: Any) -> None:
        nonlocal made
        made += 1
        given = {**dict(zip(ordered, args, strict=False)), **named}
        are_right = len(given) == len(args) + len(named) and needed <= given.keys() <= set(arguments)
        if made > FEW or not are_right:
            cls.__init__ = compiled = _init(cls, fields, frozen, slots)  # type: ignore[misc]
            compiled(self, *args, **named)  # which says what is wrong, if something is
            return
        for f in fields:
            if f.name in given:
                put(self, f.name, given[f.name])
            elif f.name in defaults:
                put(self, f.name, defaults[f.name])
            elif f.name in factories:
                put(self, f.name, factories[f.name]())
        if hasattr(self, "__post_init__"):
            self.__post_init__()

    init.__name__, init.__qualname__ = "__init__", f"{cls.__qualname__}.__init__"
    cls.__init__ = init  # type: ignore[misc]


def _init(cls: type, fields: tuple[dataclasses.Field[Any], ...], frozen: bool, slots: bool) -> Any:
    """The function that dataclasses would have made, but that it sets slots of frozen objects by their descriptors."""
    names: dict[str, Any] = {"__missing__": dataclasses.MISSING}
    arguments, lines = ["self"], []
    fields = tuple(sorted(fields, key=lambda f: bool(f.kw_only)))
    if frozen and not slots:
        lines.append("__values__ = self.__dict__")
    for f in fields:
        name, value = f.name, f.name
        if f.default_factory is not dataclasses.MISSING:
            names[f"__make_{name}__"] = f.default_factory
            value = f"__make_{name}__() if {name} is __missing__ else {name}" if f.init else f"__make_{name}__()"
            default = "=__missing__"
        elif f.default is not dataclasses.MISSING:
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
