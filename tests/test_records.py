"""Records beside the dataclasses of the standard library: the same classes, made by both, do the same."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import subprocess
import sys
from collections.abc import Callable
from dataclasses import field
from functools import cached_property
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xgen import records

OPTIONS = [
    {},
    {"frozen": True},
    {"slots": True},
    {"eq": False},
    {"frozen": True, "slots": True},
    {"frozen": True, "eq": False},
    {"slots": True, "eq": False},
    {"frozen": True, "slots": True, "eq": False},
    {"order": True},
    {"frozen": True, "slots": True, "order": True},
    {"kw_only": True},
    {"frozen": True, "kw_only": True},
]
MAKERS: dict[str, Any] = {"records": records.dataclass, "dataclasses": dataclasses.dataclass}


def classes(make: Callable[..., Any], options: dict[str, bool]) -> dict[str, Any]:
    """Classes with each feature that the package uses, made by a decorator."""

    @make(**options)
    class Empty:
        """Without fields."""

    @make(**options)
    class Plain:
        first: int
        second: Any = 2
        third: list[int] = field(default_factory=list)
        apart: int = field(default=4, compare=False, repr=False)
        kind: ClassVar[str] = "plain"

    @make(**options)
    class Derived(Plain):
        fourth: int = 5

        def __repr__(self) -> str:
            return f"own {self.fourth}"

    @make(**options)
    class Counted:
        start: int
        made: int = field(init=False, default=7)
        items: dict[str, int] = field(init=False, default_factory=dict)
        left: int = field(init=False)

        def __post_init__(self) -> None:
            object.__setattr__(self, "left", self.start + self.made)

    @make(**options)
    class Own:
        value: int

        def __eq__(self, other: object) -> bool:
            return type(other) is type(self) and self.value % 2 == other.value % 2  # type: ignore[attr-defined]

        def __hash__(self) -> int:
            return self.value % 2

    @make(**options)
    class Words:
        values: int
        MISSING: int = 1
        names: list[int] = field(default_factory=list)
        init: int = 2
        fields: int = 3

    return {cls.__name__: cls for cls in (Empty, Plain, Derived, Counted, Own, Words)}


def outcome(ask: Callable[[], Any]) -> Any:
    """What is answered, or which error is raised."""
    try:
        return ask()
    except Exception as error:
        return type(error).__name__, str(error).replace("classes.<locals>.", "")


def below(base: Any) -> tuple[Any, Any, Any]:
    """What comes of setting and deleting in a class below that is no dataclass."""

    class Below(base):  # type: ignore[misc]
        pass

    made = Below(1)
    made.more = 2
    seen = made.more
    del made.more
    return seen, hasattr(made, "more"), outcome(lambda: setattr(made, "first", 2))


def both(options: dict[str, bool], ask: Callable[[dict[str, Any]], Any]) -> None:
    got, wanted = (outcome(lambda make=make: ask(classes(make, options))) for make in MAKERS.values())  # type: ignore[misc]
    assert got == wanted


def same_hash(a: Any, b: Any) -> bool:
    """Of two objects that are there at the same time: by its place in memory, the second could have the first one's."""
    return hash(a) == hash(b)


QUESTIONS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "text": lambda c: [repr(c["Empty"]()), repr(c["Plain"](1)), repr(c["Derived"](1)), repr(c["Counted"](1))],
    "names of a match": lambda c: [cls.__match_args__ for cls in c.values()],
    "names of fields": lambda c: [[f.name for f in dataclasses.fields(cls)] for cls in c.values()],
    "what is known of fields": lambda c: [
        [
            [(f.name, f.type, f.default, f.default_factory), (f.init, f.repr, f.compare, f.kw_only, f.hash)]
            for f in dataclasses.fields(cls)
        ]
        for cls in c.values()
    ],
    "fields with any name": lambda c: (repr(c["Words"](1)), repr(c["Words"](1, 2, [3], 4, 5))),
    "as a dict": lambda c: [dataclasses.asdict(c["Plain"](1, (2,), [3])), dataclasses.asdict(c["Counted"](1))],
    "replaced": lambda c: repr(dataclasses.replace(c["Plain"](1), second=3, apart=5)),
    "what is not an argument replaced": lambda c: dataclasses.replace(c["Counted"](1), made=3),
    "a copy": lambda c: repr(copy.deepcopy(c["Plain"](1, [2]))),
    "values of one object are no other's": lambda c: c["Plain"](1).third is c["Plain"](1).third,
    "by name": lambda c: [repr(c["Plain"](second=n, first=1)) for n in range(records.FEW + 2)],
    "in an order": lambda c: (c["Plain"](first=1) <= c["Plain"](first=1), c["Empty"]() < c["Empty"]()),
    "in no order with others": lambda c: c["Plain"](first=1) > c["Own"](value=1),
    "an argument missing": lambda c: c["Plain"](),
    "an argument too many": lambda c: c["Empty"](1),
    "a wrong name": lambda c: c["Plain"](1, fist=2),
    "two values for one": lambda c: c["Plain"](1, first=2),
    "what init does not take": lambda c: c["Counted"](1, 2),
    "set": lambda c: setattr(c["Plain"](1), "first", 2),
    "set what is no field": lambda c: isinstance(outcome(lambda: setattr(c["Plain"](1), "fifth", 2)), tuple),
    "deleted": lambda c: delattr(c["Plain"](1), "first"),
    "of a derived class": lambda c: (c["Derived"](1) == c["Plain"](1), c["Derived"](1, fourth=2).fourth),
    "compared with something else": lambda c: (c["Plain"](1) == 1, c["Empty"]() == (), c["Plain"](1) == c["Own"](1)),
    "hash": lambda c: same_hash(c["Plain"](1, 2, ()), c["Plain"](1, 2, (), 9)),
    "no hash": lambda c: isinstance(hash(c["Plain"](1)), int),
    "own comparison": lambda c: (c["Own"](1) == c["Own"](3), hash(c["Own"](3))),
    "derived values": lambda c: (c["Counted"](1).left, c["Counted"](1).items),
    "of a class": lambda c: (c["Plain"].kind, [cls.__doc__ is not None for cls in c.values()]),
    "places of its own": lambda c: hasattr(c["Plain"](1), "__dict__"),
}


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("question", QUESTIONS)
def test_the_same_as_dataclasses(options: dict[str, bool], question: str) -> None:
    both(options, QUESTIONS[question])


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_attributes_of_a_class_below_that_is_no_record(options: dict[str, bool]) -> None:
    """Those of frozen ones with slots cannot be set where `dataclasses` makes them (Python 3.11)."""
    if "frozen" in options and "slots" in options:
        made = below(classes(records.dataclass, options)["Plain"])
        assert made == (2, False, ("FrozenInstanceError", "cannot assign to field 'first'"))
    else:
        both(options, lambda c: below(c["Plain"]))


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@given(st.lists(st.tuples(st.integers(0, 2), st.text(max_size=1), st.integers(0, 1)), min_size=2, max_size=4))
def test_comparisons(options: dict[str, bool], values: list[tuple[int, str, int]]) -> None:
    def compared(c: dict[str, Any]) -> Any:
        made = [c["Plain"](first=a, second=b, apart=d) for a, b, d in values]
        less = [outcome(lambda one=one, other=other: one < other) for one in made for other in made]  # type: ignore[misc]
        least = [outcome(lambda one=one, other=other: one >= other) for one in made for other in made]  # type: ignore[misc]
        return [[one == other for other in made] for one in made], less, least

    both(options, compared)


@records.dataclass(frozen=True, slots=True)
class Kept:
    first: int
    second: list[int] = field(default_factory=list)


@records.dataclass(frozen=True)
class Lazy:
    first: int

    @cached_property
    def double(self) -> int:
        return self.first * 2


def test_pickles() -> None:
    assert pickle.loads(pickle.dumps(Kept(1, [2]))) == Kept(1, [2])
    lazy = Lazy(3)
    assert (lazy.double, pickle.loads(pickle.dumps(lazy)), lazy == Lazy(3)) == (6, lazy, True)


def test_a_pattern() -> None:
    match Kept(1, [2]):
        case Kept(first, [second]):
            assert (first, second) == (1, 2)
        case _:
            pytest.fail("it matches")


def test_init_is_compiled_once() -> None:
    @records.dataclass
    class Seldom:
        value: int

    first = Seldom.__init__
    assert [Seldom(value).value for value in range(records.FEW)] == [*range(records.FEW)]
    assert Seldom.__init__ is first
    assert Seldom(-1).value == -1
    compiled = Seldom.__init__
    assert compiled is not first
    assert Seldom(-2).value == -2
    assert Seldom.__init__ is compiled


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_many_and_wrong_arguments(options: dict[str, bool]) -> None:
    """Objects before and after `__init__` is compiled, and what is said of arguments that do not fit."""

    def told(c: dict[str, Any]) -> list[str]:
        said = []
        calls: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
            ("Plain", (1,), {}),
            ("Derived", (1, 2, [3]), {"fourth": 9}),
            ("Counted", (4,), {}),
            ("Empty", (), {}),
        ]
        for name, args, named in calls * (records.FEW + 2):
            made = c[name](*args, **named)
            said.append(repr([getattr(made, f.name) for f in dataclasses.fields(made)]))
        return said

    both(options, told)

    def refused(c: dict[str, Any]) -> list[str]:
        said = []
        for name, args, named in [
            ("Plain", (), {}),
            ("Plain", (1,), {"first": 1}),
            ("Plain", (1, 2, [], 4, 5), {}),
            ("Counted", (1,), {"made": 3}),
            ("Empty", (), {"no": 1}),
        ]:
            with pytest.raises(TypeError) as error:
                c[name](*args, **named)
            said.append(str(error.value))
        return said

    both(options, refused)


def test_a_derived_class_before_its_base() -> None:
    @records.dataclass(slots=True)
    class Base:
        value: int

    class Plain(Base):
        pass

    assert Plain(1).value == 1
    assert Base(2).value == 2


def test_garbage_is_looked_for_as_before() -> None:
    """It is not while the package is imported."""
    asked = "import gc; gc.{}(); was = gc.isenabled(), gc.get_threshold(); import xgen; "
    for switch in ("enable", "disable"):
        program = asked.format(switch) + "assert was == (gc.isenabled(), gc.get_threshold())"
        assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_a_text_of_its_own() -> None:
    class Base:
        def __repr__(self) -> str:
            return "as its base has it"

    @records.dataclass(frozen=True, repr=False)
    class Shown(Base):
        value: int

    assert repr(Shown(1)) == "as its base has it"
