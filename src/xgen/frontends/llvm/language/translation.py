"""What all threads of a program share while it is translated, and the steps of one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import field

from xgen.errors import Position, UnsupportedError, XgenError
from xgen.executions.nothing import NOTHING
from xgen.frontends.assembly import Branch, Step
from xgen.frontends.library.facts import Waiting
from xgen.frontends.llvm.objects import Memory, Object
from xgen.frontends.llvm.points_to import Facts, PointsTo
from xgen.frontends.llvm.text.ir import Module
from xgen.frontends.llvm.text.metadata import Metadata
from xgen.frontends.llvm.values import Cell, Either, Lack, Register, Uninitialised, Value, condition, expression, folded
from xgen.program import automaton as xcfa
from xgen.program.automaton import NOWHERE, Binary, BoolLiteral, Expression, IntLiteral, Name
from xgen.records import dataclass

UNSET = "uninitialised"
"""What is wrong where a value is used that is not there."""


class TranslateAgain(Exception):
    """A round is over: what was found since is needed before."""


class Unreachable(Exception):
    """Nothing gets here any more."""


@dataclass(frozen=True, slots=True)
class Options:
    """How to translate; see `xgen.load`. `kept`: variables whose values are asked for, whoever uses them.
    `volatile`: the order of accesses of volatile objects that have none; `overflow`: the traps are those of sums,
    differences, products and quotients that overflow (`compile.OVERFLOW`). `machine`: what it is compiled for.
    `leaks`: all that may lead to memory is kept there; `mixed_atomics`: atomic accesses of several sizes have a
    meaning. Of tests of C++, `test`: the number of the one that is run, and that of its values (None: which there
    are is told), `path`: the parts of it, their names and lines."""

    entry: str = "main"
    races: bool = True
    weak_cas: bool = False
    spurious: bool = False
    exits: bool = True
    retries: bool = True
    nondet: tuple[int, int] | None = None
    any_input: bool = False
    unroll: int | None = None
    stubs: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    malloc: str | None = None
    reuse: bool = False
    volatile: str | None = None
    overflow: bool = False
    test: tuple[int, int] | None = None
    path: tuple[tuple[str, int], ...] = ()
    lock: tuple[str, str] | None = None
    leaks: bool = False
    machine: str | None = None
    mixed_atomics: bool = False


@dataclass(eq=False)
class World:
    """`single_threaded`: main still runs by itself; what it does is done to objects, not put into an automaton."""

    module: Module
    metadata: Metadata
    memory: Memory
    facts: Facts
    points: PointsTo
    options: Options
    single_threaded: bool = True
    bodies: list[Emitter] = field(default_factory=list)  # main, then the threads in the order of their creation
    later: list[Callable[[], object]] = field(default_factory=list)  # asked again when a round is over
    at_last: list[Callable[[], object]] = field(default_factory=list)  # asked once, when these find nothing more
    atomics: dict[Cell, Position] = field(default_factory=dict)  # atomic accesses, and where one is
    refused: list[XgenError] = field(default_factory=list)  # what is not supported, if it is so in the last round
    held: list[int] = field(default_factory=list)  # mutexes that main has locked while alone
    at_exit: list[tuple[int, tuple[Value, ...]]] = field(default_factory=list)
    calls_at_exit: bool = False  # the program asks for such a call, beside its objects
    own: dict[tuple[int, object], Object] = field(default_factory=dict)  # what each thread has of its own
    locks: dict[str, str | None] = field(default_factory=dict)  # which of --lock's a function is
    keys: int = 0
    joined: dict[int, int] = field(default_factory=dict)  # how often each thread is joined or detached
    destructors: dict[int, Value] = field(default_factory=dict)  # of keys, which are called when threads end
    waiting: Waiting = field(default_factory=Waiting)
    freed: dict[str, int] = field(default_factory=dict)  # of blocks that may be given again: the cells that say so
    types: dict[int, int] = field(default_factory=dict)  # of exceptions that are caught: the numbers that say so
    lacks: dict[Lack, set[Lack]] = field(default_factory=dict)  # where what may turn out to be missing is put
    remarks: dict[str, None] = field(default_factory=dict)
    told: list[tuple[str | int, ...]] = field(default_factory=list)  # the tests of C++, and their parts
    begun: set[tuple[int, tuple[str, int]]] = field(default_factory=set)  # parts of a test that are run
    taken: dict[str, int] = field(default_factory=dict)  # names of variables
    staying: list[tuple[Value, bool]] = field(default_factory=list)  # memory of the library's own: see leaks.py
    alive: set[str] = field(default_factory=set)  # memory of one thread, of which events tell that it is there
    unless: Object | None = None  # what is not 0 where main has ended by a call
    expects_panic: bool = False  # a test of Rust is to end with one
    steps: int = 0  # blocks that main has run through alone
    called_again: int = 0  # calls of functions inside themselves, where ways part


class Emitter:
    """The steps of a thread, its locals, and the place in the source where it is."""

    def __init__(self, world: World, number: int, name: str) -> None:
        self.world, self.number, self.name = world, number, name
        self.parent = 0  # the thread that starts it
        self.facts = world.facts
        self.steps: list[Step] = []
        self.labels: list[str] = []
        self.variables: dict[str, xcfa.Variable] = {}
        self.counts: dict[str, int] = {}
        self.outer: tuple[tuple[str, Position], ...] = ()
        self.place_now: int | None = None
        self.path = ""  # a hash of the calls that it is in
        self.on_one_path = True  # there was no choice that is not known
        self.looping = 0
        self.joined = 0
        self._places: dict[tuple[int | None, int], tuple[object, Position]] = {}

    @property
    def single_threaded(self) -> bool:
        return self.world.single_threaded

    @property
    def position(self) -> Position:
        if self.place_now is None:
            return NOWHERE if not self.outer else self.outer[0][1]
        key = (self.place_now, id(self.outer))
        if key not in self._places:
            self._places[key] = (self.outer, self.world.metadata.position(self.place_now, self.outer))
        return self._places[key][1]

    # ---- steps

    def emit(self, *steps: Step) -> None:
        self.steps += steps

    def label(self) -> str:
        name = f"l{len(self.labels)}"
        self.labels.append(name)
        return name

    def branch(self, test: Expression | None, label: str) -> None:
        self.emit(Branch(test, label, self.position))

    @contextmanager
    def where_not_zero(self, value: Expression) -> Iterator[None]:
        """What is emitted inside is done where a value is not 0."""
        over = self.label()
        self.branch(xcfa.Binary("=", value, IntLiteral(0)), over)
        yield
        self.emit(over)

    def fresh(self, hint: str = "", initial: int = 0) -> str:
        count = self.counts[hint] = self.counts.get(hint, 0) + 1
        name = hint if hint and count == 1 else f"{hint}${count}"
        self.variables[name] = xcfa.Variable(name, xcfa.INT, (IntLiteral(initial),) if initial else ())
        return name

    def any_of(self, bounds: tuple[int, int]) -> Name:
        """A fresh local that is any number of a range."""
        chosen = Name(self.fresh())
        self.emit(xcfa.Havoc(chosen, (IntLiteral(bounds[0]), IntLiteral(bounds[1])), self.position))
        return chosen

    def assign(self, name: str, value: Expression) -> None:
        self.emit(xcfa.Assign(Name(name), value, self.position))

    def keep(self, value: Value, hint: str = "") -> Value:
        """The value in a local of its own."""
        if not isinstance(value, Register) or isinstance(value.expression, Name):
            return value
        name = self.fresh(hint)
        self.assign(name, value.expression)
        return Register(Name(name), value.origin, value.bits, value.condition, value.most)

    def copy(self, value: Value, hint: str = "") -> Register:
        """The value in a new local, which nothing else changes."""
        name = self.fresh(hint)
        self.assign(name, expression(value))
        return Register(Name(name), Either([value]))

    # ---- what goes wrong

    def check(self, test: Expression, kind: str) -> None:
        """What follows needs a condition; else there is a violation."""
        test = folded(test)
        if test == BoolLiteral(True):
            return
        self.emit(xcfa.Assert(test, self.position, kind))
        if test == BoolLiteral(False):
            raise Unreachable

    def used(self, value: Value) -> Value:
        """The value, all of which has to be there."""
        if isinstance(value, tuple):
            return tuple(map(self.used, value))
        if not isinstance(value, Uninitialised):
            return value
        if value.whole is not None:
            self.check(Binary("/=", value.whole, IntLiteral(NOTHING)), UNSET)
        else:
            self.check(Binary("=", expression(value.missing), IntLiteral(0)), UNSET)
        return value.value

    def passes_on(self, value: Value, to: Lack) -> None:
        """Says that a value is put where it may be missing, if it turns out to be missing itself."""
        if isinstance(value, Register) and value.lack is not None and value.lack != to:
            self.world.lacks.setdefault(value.lack, set()).add(to)

    def fail(self, kind: str) -> None:
        self.check(BoolLiteral(False), kind)

    def assume(self, value: Value) -> None:
        test = condition(value)
        if test != BoolLiteral(True):
            self.emit(xcfa.Assume(test, self.position))
        if test == BoolLiteral(False):
            raise Unreachable

    def unsupported(self, what: str, hint: str | None = None) -> UnsupportedError:
        position = self.position
        return UnsupportedError(f"{what} not supported", position.source, position if position.source else None, hint)
