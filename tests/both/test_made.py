"""Programs about the lives of objects and threads: what their interleavings do wrong, and what each reader finds."""

from __future__ import annotations

from itertools import islice

import pytest
from both.interleavings import LeftError, wrong
from both.made import Body, Program
from both.run_long import difference, drawn
from llvm.compiling import compiles, rusts

MAIN_STARTS: Body = (("start", 1),)
STARTS_AND_JOINS: Body = (("start", 1), ("join", 1))


@pytest.mark.parametrize(
    ("bodies", "kinds"),
    [
        ([(("set", "g0", 1), ("expect", "g0", 1))], set()),
        ([(("set", "g0", 1), ("expect", "g0", 2))], {"assertion"}),
        ([(("local", "l1", None), ("expect", "l1", None))], {"unset"}),
        ([(("local", "l1", None), ("set", "l1", 2), ("expect", "l1", 2))], set()),
        ([(("new", "p0", None), ("check", "p0", None))], {"unset"}),
        ([(("check", "p0", None),)], {"null"}),
        ([(("new", "p0", 1), ("free", "p0"), ("check", "p0", None))], {"dead"}),
        ([(("new", "p0", 1), ("free", "p0"), ("free", "p0"))], {"dead"}),
        ([(("address", "p0", "g0"), ("free", "p0"))], {"bad-free"}),
        ([(("block", (("local", "l1", 1), ("address", "p0", "l1"))), ("check", "p0", None))], {"dead"}),
        ([(("block", (("local", "l1", 1), ("address", "p0", "l1"), ("check", "p0", 1))),)], set()),
        ([(*STARTS_AND_JOINS, ("expect", "g0", 1)), (("set", "g0", 1),)], set()),
        ([(*MAIN_STARTS, ("set", "g0", 2), ("join", 1)), (("set", "g0", 1),)], {"race"}),
        ([(*STARTS_AND_JOINS, ("join", 1)), ()], {"bad-join"}),
        ([(("join", 1),), ()], {"bad-join"}),
        ([(*STARTS_AND_JOINS, ("check", "p0", None)), (("new", "p0", 1), ("free", "p0"))], {"dead"}),
        # What a thread has of its own, and where it is a local, ends with it.
        ([(*STARTS_AND_JOINS, ("check", "p0", None)), (("address", "p0", "own"),)], {"dead"}),
        ([(*STARTS_AND_JOINS, ("expect", "own", 0)), (("set", "own", 1),)], set()),
        ([(*STARTS_AND_JOINS, ("check", "p0", 1)), (("local", "l1", 1), ("address", "p0", "l1"))], {"dead"}),
        # A flag that is seen orders what was before it was raised; one that is not seen orders nothing.
        (
            [(*MAIN_STARTS, ("if", "f0", (("expect", "g0", 1),)), ("join", 1)), (("set", "g0", 1), ("flag", "f0"))],
            set(),
        ),
        (
            [(*MAIN_STARTS, ("expect", "g0", None), ("flag", "f0"), ("join", 1)), (("if", "f0", (("set", "g0", 1),)),)],
            set(),
        ),
        # Mutexes keep accesses apart, in an order that is open.
        (
            [
                (*MAIN_STARTS, ("locked", "m0", (("set", "g0", 1), ("expect", "g0", 1))), ("join", 1)),
                (("locked", "m0", (("set", "g0", 2),)),),
            ],
            set(),
        ),
        (
            [
                (*MAIN_STARTS, ("locked", "m0", (("expect", "g0", 2),)), ("join", 1)),
                (("locked", "m0", (("set", "g0", 2),)),),
            ],
            {"assertion"},
        ),
        # Handles that threads start, and others join.
        ([(("start", 1), ("join", 1), ("join", 2)), (("start", 2),), ()], set()),
        ([(("start", 1), ("join", 1), ("join", 2)), (("start", 2), ("join", 2)), ()], {"bad-join"}),
        # What is thrown leaves blocks, and locals and guards come to their end.
        ([(("try", (("throw",), ("set", "g0", 1)), (("expect", "g0", 0),)),)], set()),
        ([(("try", (("guard", "g0", 2, (("throw",),)),), (("expect", "g0", 2),)),)], set()),
        (
            [
                (
                    ("try", (("block", (("local", "l1", 1), ("address", "p0", "l1"), ("throw",))),), ()),
                    ("check", "p0", None),
                )
            ],
            {"dead"},
        ),
        # An owner frees what it has at its end, or when it gets something else; it may lend it, or give it away.
        ([(("owner", "o1", 1), ("lent", "p0", "o1"), ("check", "p0", 1))], set()),
        ([(("block", (("owner", "o1", 1), ("lent", "p0", "o1"))), ("check", "p0", None))], {"dead"}),
        ([(("owner", "o1", 1), ("lent", "p0", "o1"), ("free", "p0"))], {"dead"}),
        ([(("owner", "o1", 1), ("released", "p0", "o1"), ("free", "p0"))], set()),
        (
            [(("owner", "o1", 1), ("owner", "o2", 2), ("lent", "p0", "o1"), ("lent", "o1", "o2"), ("check", "p0", 1))],
            {"dead"},
        ),
        # A structure is copied with what has no value.
        ([(("pair", "s1", 1, None), ("pair", "s2", 2, 2), ("copied", "s2", "s1"), ("expect", "s2.x", 1))], set()),
        ([(("pair", "s1", 1, None), ("pair", "s2", 2, 2), ("copied", "s2", "s1"), ("expect", "s2.y", 2))], {"unset"}),
        # Each round of a loop, and each call, has locals of its own.
        ([(("loop", (("local", "l1", None), ("set", "l1", 1), ("expect", "l1", 1))),)], set()),
        ([(("rounds", "f0", (("set", "g0", 1),)), ("expect", "g0", 1))], set()),
        ([(("call", (("local", "l1", 1), ("address", "p0", "l1"))), ("check", "p0", None))], {"dead"}),
        # What a thread is given, and what it does when its function is over.
        ([(("start", 1, "g0"), ("join", 1), ("expect", "g0", 2)), (("deref", "given", 2),)], set()),
        ([(("start", 1), ("join", 1)), (("deref", "given", 2),)], {"null"}),
        (
            [(("block", (("local", "l1", 1), ("start", 1, "l1"))), ("join", 1)), (("deref", "given", 2),)],
            {"race", "dead"},
        ),
        ([(*STARTS_AND_JOINS, ("expect", "g0", 2)), (("late", "g0", 2),)], set()),
        ([STARTS_AND_JOINS, (("local", "l1", 1), ("late", "l1", 2))], {"dead"}),
    ],
)
def test_what_is_wrong(bodies: list[Body], kinds: set[str]) -> None:
    assert wrong(Program(tuple(bodies), throws=True)) == kinds


def test_a_main_that_leaves_is_not_asked_about() -> None:
    with pytest.raises(LeftError):
        wrong(Program((MAIN_STARTS, ()), throws=False))


MADE = {throws: list(islice(drawn(1, throws), 30)) for throws in (False, True)}
MORE = {throws: list(islice(drawn(1, throws, more=True), 20)) for throws in (False, True)}


@compiles
@pytest.mark.sweep
@pytest.mark.parametrize("number", range(30))
@pytest.mark.parametrize(("reader", "throws"), [("c", False), ("clang", False), ("cpp", False), ("cpp", True)], ids=str)
def test_readers(reader: str, throws: bool, number: int) -> None:
    _, program, kinds = MADE[throws][number]
    assert difference(program, kinds, reader) is None


@compiles
@rusts
@pytest.mark.sweep
@pytest.mark.parametrize("number", range(20))
@pytest.mark.parametrize(("reader", "throws"), [("c", False), ("clang", False), ("cpp", True), ("rust", True)], ids=str)
def test_more(reader: str, throws: bool, number: int) -> None:
    """Owners, structures, calls, loops, what threads are given, and what they do at their end."""
    _, program, kinds = MORE[throws][number]
    assert difference(program, kinds, reader) is None


@rusts
@pytest.mark.sweep
@pytest.mark.parametrize("number", range(30))
@pytest.mark.parametrize("throws", [False, True])
def test_rust(throws: bool, number: int) -> None:
    _, program, kinds = MADE[throws][number]
    assert difference(program, kinds, "rust") is None
