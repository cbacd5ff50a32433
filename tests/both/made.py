"""Random programs about the lives of objects and threads, and what they mean, as flat code for `interleavings.py`.

A program has functions of threads, the first of which is main; plain variables that all share, pointers to them that
are shared as well, flags (seq_cst), mutexes, handles of threads, and a variable of each thread's own. A statement is a
tuple; `Program.code` says what each does, step by step, and printers.py how it is written in C, C++ and Rust.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TypeAlias

Statement: TypeAlias = tuple  # of a word and what it is about; bodies are tuples of statements
Body: TypeAlias = tuple[Statement, ...]

GLOBALS = ("g0", "g1")
POINTERS = ("p0", "p1")
FLAGS = ("f0", "f1")
MUTEXES = ("m0",)
OWN = "own"
"""The variable of which each thread has one; 0 at first."""
GIVEN = "given"
"""What a thread is given when it is started: the address of a variable of who starts it, or none."""


@dataclass(frozen=True)
class Program:
    """Bodies of main and of the threads 1, 2, ..., of which handle k is about thread k.

    `throws`: it has exceptions, or objects with destructors, which C has not.
    """

    bodies: tuple[Body, ...]
    throws: bool


@dataclass
class Maker:
    """Makes a random program. `rng` decides; `throws`: with `try` and objects that do something at their end."""

    rng: random.Random
    throws: bool
    more: bool = False  # with calls, loops, owners, structures, and threads that are given something or leave it
    names: int = 0
    budget: int = 0
    unstarted: list[int] = field(default_factory=list)
    started: dict[int, int] = field(default_factory=dict)
    """Which thread starts which."""
    repeated: int = 0
    """In how many loops a statement is: no thread is started there."""

    def program(self) -> Program:
        count = self.rng.choice((1, 2, 2, 2, 3))
        self.unstarted = list(range(1, count + 1))
        bodies: list[Body] = []
        for thread in range(count + 1):
            self.budget = self.rng.randint(3, 8 if thread == 0 else 5)
            body = list(self.body(thread, (), 0, False))
            if thread == 0 and self.rng.random() < 0.8:
                body = [("new", pointer, self.rng.choice((1, 2, None))) for pointer in POINTERS] + body
            if thread == 0:
                for late in [k for k in self.unstarted if k not in self.started]:
                    body.insert(self.rng.randint(0, len(body)), ("start", late))
                    self.started[late] = 0
            bodies.append(tuple(body))
        bodies[0] = self.joined(bodies)
        return Program(tuple(bodies), self.throws)

    def joined(self, bodies: list[Body]) -> Body:
        """Main's body, in which main joins most of the threads that it has started, so that they are over at times."""
        main = list(bodies[0])
        for thread, starter in self.started.items():
            said = any("join" in str(body) and f"('join', {thread})" in str(body) for body in bodies)
            if starter == 0 and not said and self.rng.random() < 0.8:
                at = max((k for k, s in enumerate(main) if f"('start', {thread}" in str(s)), default=0)
                main.insert(self.rng.randint(at + 1, len(main)), ("join", thread))
        return tuple(main)

    def body(self, thread: int, seen: tuple[str, ...], depth: int, caught: bool) -> Body:
        """Statements of a block in which the locals `seen` are there; `caught`: what is thrown here is caught."""
        statements: list[Statement] = []
        here = list(seen)
        for _ in range(self.rng.randint(1, 4)):
            if self.budget <= 0:
                break
            self.budget -= 1
            statements.append(self.statement(thread, here, depth, caught))
        return tuple(statements)

    def expected(self) -> int | None:
        """What an assertion says of a value: mostly that it is one."""
        return self.rng.choice((0, 1, 2)) if self.rng.random() < 0.15 else None

    def statement(self, thread: int, here: list[str], depth: int, caught: bool) -> Statement:
        rng = self.rng
        kinds = ["set", "expect", "set", "expect", "new", "free", "deref", "check", "flag", "pointer", "local", "local"]
        kinds += ["start", "join", "own", "ownaddress"]
        if depth < 2:
            kinds += ["block", "block", "if", "locked"]
            if self.throws:
                kinds += ["try", "guard"]
        if caught:
            kinds.append("throw")
        if self.more:
            kinds += ["owner", "owner", "moved", "pair", "pair", "copied", "given", "given", "late"]
            kinds += ["loop", "rounds", "call"] if depth < 2 else []
        kind = rng.choice(kinds)
        number = rng.choice((1, 2))
        if kind in FURTHER:
            return self.further(kind, thread, here, depth, caught)
        if kind == "local":
            self.names += 1
            name = f"l{self.names}"
            here.append(name)
            return ("local", name, rng.choice((None, number)))
        if kind in ("set", "expect"):
            name = rng.choice([*GLOBALS, *_numbers(here), *_numbers(here)])
            return (kind, name, number if kind == "set" else self.expected())
        if kind == "own":
            return ("set", OWN, 1) if rng.random() < 0.5 else ("expect", OWN, self.expected())
        if kind == "pointer":
            return ("address", rng.choice(POINTERS), rng.choice([*GLOBALS, *_numbers(here), *_numbers(here)]))
        if kind == "ownaddress":
            return ("address", rng.choice(POINTERS), OWN)
        if kind == "new":
            return ("new", rng.choice(POINTERS), rng.choice((None, number, number)))
        if kind == "free":
            return ("free", rng.choice(POINTERS))
        if kind in ("deref", "check"):
            return (kind, rng.choice(POINTERS), number if kind == "deref" else self.expected())
        if kind == "flag":
            return ("flag", rng.choice(FLAGS))
        if kind == "start":
            free = [k for k in self.unstarted if k > thread and k not in self.started]
            if not free or self.repeated:
                return ("set", rng.choice(GLOBALS), number)
            late = rng.choice(free)
            self.started[late] = thread
            given = rng.choice([None, *GLOBALS, OWN, *_numbers(here), *_numbers(here)]) if self.more else None
            return ("start", late) if given is None else ("start", late, given)
        if kind == "join":
            later = [k for k in self.unstarted if k > thread]
            return ("join", rng.choice(later)) if later else ("flag", rng.choice(FLAGS))
        if kind == "if":
            return ("if", rng.choice(FLAGS), self.body(thread, tuple(here), depth + 1, caught))
        if kind == "locked":
            body = self.body(thread, tuple(here), 2, False)
            return ("locked", rng.choice(MUTEXES), body)
        if kind == "try":
            tried = self.body(thread, tuple(here), depth + 1, True)
            return ("try", tried, self.body(thread, tuple(here), depth + 1, caught))
        if kind == "guard":
            target = rng.choice(GLOBALS)
            return ("guard", target, number, self.body(thread, tuple(here), depth + 1, caught))
        if kind == "throw":
            return ("throw",)
        return ("block", self.body(thread, tuple(here), depth + 1, caught))

    def further(self, kind: str, thread: int, here: list[str], depth: int, caught: bool) -> Statement:
        """What there is with `more` only."""
        rng = self.rng
        number, owners, pairs = rng.choice((1, 2)), _of(here, "o"), _of(here, "s")
        if kind == "owner":
            self.names += 1
            name = f"o{self.names}"
            here.append(name)
            return ("owner", name, rng.choice((None, number, number)))
        if kind == "moved" and owners:
            to = rng.choice([*POINTERS, *owners])
            return ("released" if to in POINTERS and rng.random() < 0.4 else "lent", to, rng.choice(owners))
        if kind == "pair":
            self.names += 1
            name = f"s{self.names}"
            here += [name, f"{name}.x", f"{name}.y"]
            return ("pair", name, rng.choice((None, number)), rng.choice((None, number)))
        if kind == "copied" and len(pairs) > 1:
            return ("copied", *rng.sample(pairs, 2))
        if kind == "given" and thread:
            return rng.choice(
                [("deref", GIVEN, number), ("check", GIVEN, self.expected()), ("kept", rng.choice(POINTERS))]
            )
        if kind == "late" and thread:
            return ("late", rng.choice([*GLOBALS, *_numbers(here), *_numbers(here)]), number)
        if kind in ("loop", "rounds"):
            self.repeated += 1
            body = self.body(thread, tuple(here), depth + 1, caught)
            self.repeated -= 1
            return ("loop", body) if kind == "loop" else ("rounds", rng.choice(FLAGS), body)
        if kind == "call":
            body = self.body(thread, (), depth + 1, caught)
            single_threaded = not any(f"'{word}'" in str(body) for word in (GIVEN, "kept"))
            return ("call" if single_threaded else "block", body)
        return ("set", rng.choice(GLOBALS), number)


FURTHER = ("owner", "moved", "pair", "copied", "given", "late", "loop", "rounds", "call")
"""Kinds of statements of programs that have more."""


def _numbers(here: list[str]) -> list[str]:
    """Those of some locals that are numbers, or such parts of structures."""
    return [name for name in here if name[0] == "l" or "." in name]


def _of(here: list[str], letter: str) -> list[str]:
    return [name for name in here if name[0] == letter and "." not in name]


def make(seed: int, throws: bool, more: bool = False) -> Program:
    """The program of a seed."""
    return Maker(random.Random(f"{seed} {throws}{' more' * more}"), throws, more).program()
