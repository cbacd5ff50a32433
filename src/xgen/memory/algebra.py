"""The relational algebra: the one form of a memory model that everything behind the readers knows.

A term is a set of events or a relation between events of one execution graph. What each operation means:

    sets        EVENTS        all reads, writes and fences, initial writes included
                READS WRITES FENCES INITS
                TAGGED        the events that bear the tag `name`
                BOUND         the event that the binder `name` is bound to, as a set of one
                THREAD        the events of the thread that the binder `name` is bound to
                VARIABLE      the events on the variable that the binder `name` is bound to
                DOMAIN RANGE  of a relation
    relations   PO            program order (transitive, irreflexive); initial writes come before every thread's events
                RF            from a write to each read that reads from it
                MO            modification order: per variable a total order of its writes, the initial one first
                FR            rf^-1 ; mo without the identity
                LOC           accesses to the same variable (reflexive; fences have none)
                INT           events of the same thread (reflexive; initial writes are in no thread)
                EXT           events of different threads, and initial writes with every thread's events, both ways
                ID            every event with itself
                RMW           from the read to the write of a read-modify-write (a failed one has none)
                SAME          all pairs of events that bear a same tag of the family `name`: one with `name.` before it;
                              of two families, "from, to", a tag each that is the same but for the family
                SI            from each event of an access of several parts to the others of the same instance: the
                              reads of an update are one, its writes another (irreflexive; models write `si` for SI?)
                BLOCK         all pairs of events of one atomic block of the program
                OBJ           all pairs of events of one allocated object: its accesses, allocation and free
                ADDR DATA CTRL  from a read to an event of its thread whose address, data, or being executed at all
                              depends on the value read
                PICK_ADDR PICK_DATA PICK_CTRL  ... depends on what was picked by the value read
                SEQUENCE      r ; s
                INVERSE       r^-1
                PLUS          r^+        STAR  r^* = r^+ | id        OPTIONAL  r? = r | id
                CROSS         S * T, all pairs
                IDENTITY      [S], the identity on a set
    both        UNION INTERSECT DIFFERENCE, of two terms of one kind; EMPTY_SET, EMPTY_RELATION
                REC_SET REC_RELATION  a variable of a recursion, inside its bodies: `name` is "GROUP:i"
                FIX           a component of a simultaneous fixed point

A recursion x0 = body0, ..., xn = bodyn is a group, with a name of its own; FIX has all bodies of the group as
arguments, and component i has the name "GROUP:i". The variables start empty; the bodies are evaluated one after the
other, each with the new values of the variables before it, round by round until no variable gets anything that it did
not have (this is how herd evaluates `let rec`). Of bodies that are monotone in the variables the result is the least
fixed point. A group may be used inside the bodies of another one, and then use its variables.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Container, Iterator
from dataclasses import field
from functools import cached_property
from typing import Literal, TypeVar
from weakref import WeakValueDictionary

from xgen.errors import Position, Source
from xgen.executions import rendering
from xgen.records import dataclass

T = TypeVar("T")


class Kind(enum.Enum):
    """What a term denotes."""

    SET = "set"
    RELATION = "relation"


class Op(enum.Enum):
    """The operations; the module's docstring says what each means."""

    __hash__ = object.__hash__  # each is one object; that of Enum is slow

    EVENTS = enum.auto()
    READS = enum.auto()
    WRITES = enum.auto()
    FENCES = enum.auto()
    INITS = enum.auto()
    TAGGED = enum.auto()
    BOUND = enum.auto()
    THREAD = enum.auto()
    VARIABLE = enum.auto()
    DOMAIN = enum.auto()
    RANGE = enum.auto()
    EMPTY_SET = enum.auto()
    EMPTY_RELATION = enum.auto()
    PO = enum.auto()
    RF = enum.auto()
    MO = enum.auto()
    FR = enum.auto()
    LOC = enum.auto()
    INT = enum.auto()
    EXT = enum.auto()
    ID = enum.auto()
    RMW = enum.auto()
    SAME = enum.auto()
    SI = enum.auto()
    BLOCK = enum.auto()
    OBJ = enum.auto()
    ADDR = enum.auto()
    DATA = enum.auto()
    CTRL = enum.auto()
    PICK_ADDR = enum.auto()
    PICK_DATA = enum.auto()
    PICK_CTRL = enum.auto()
    SEQUENCE = enum.auto()
    INVERSE = enum.auto()
    PLUS = enum.auto()
    STAR = enum.auto()
    OPTIONAL = enum.auto()
    CROSS = enum.auto()
    IDENTITY = enum.auto()
    UNION = enum.auto()
    INTERSECT = enum.auto()
    DIFFERENCE = enum.auto()
    REC_SET = enum.auto()
    REC_RELATION = enum.auto()
    FIX = enum.auto()


_SETS = {
    Op.EVENTS, Op.READS, Op.WRITES, Op.FENCES, Op.INITS, Op.TAGGED, Op.BOUND, Op.THREAD, Op.VARIABLE,
    Op.DOMAIN, Op.RANGE, Op.EMPTY_SET, Op.REC_SET,
}  # fmt: skip
DEPENDENCIES = (Op.ADDR, Op.DATA, Op.CTRL, Op.PICK_ADDR, Op.PICK_DATA, Op.PICK_CTRL)
VARIABLES = {Op.REC_SET, Op.REC_RELATION}
"""The variables of recursions."""
_EITHER = {Op.UNION, Op.INTERSECT, Op.DIFFERENCE}


@dataclass(frozen=True, eq=False)
class Term:
    """A term of the algebra; equal terms are one object, so that they are evaluated once.

    `name` is the tag of TAGGED, the family of SAME, the binder of BOUND, THREAD and VARIABLE, and the group with the
    number of the variable of REC_SET, REC_RELATION and FIX; else "".

    Terms can be thousands of levels deep, and share subterms so much that written out they would have no end: walk
    them with `subterms`, not by recursion.
    """

    op: Op
    args: tuple[Term, ...] = ()
    name: str = ""

    def __new__(cls, op: Op, args: tuple[Term, ...] = (), name: str = "") -> Term:
        return _TERMS.setdefault((op, args, name), super().__new__(cls))

    def __post_init__(self) -> None:
        _ = self.kind  # while those of the arguments are known, so that it never has to be found out in depth

    def __reduce__(self) -> tuple[type[Term], tuple[Op, tuple[Term, ...], str]]:
        return Term, (self.op, self.args, self.name)

    def __repr__(self) -> str:
        name = f", name={self.name!r}" if self.name else ""
        args = ", ".join(argument.op.name if argument.args else repr(argument) for argument in self.args)
        return f"Term({self.op.name}, ({args}){name})"

    @cached_property
    def kind(self) -> Kind:
        """Whether the term is a set or a relation."""
        if self.op in _EITHER:
            return self.args[0].kind
        if self.op is Op.FIX:
            return self.args[self.variable].kind
        return Kind.SET if self.op in _SETS else Kind.RELATION

    @property
    def group(self) -> str:
        """Of REC_SET, REC_RELATION and FIX: the group of the recursion."""
        return self.name.rpartition(":")[0]

    @property
    def variable(self) -> int:
        """Of REC_SET, REC_RELATION and FIX: the number of the variable in its group."""
        return int(self.name.rpartition(":")[2])

    def subterms(self, known: Container[object] = ()) -> Iterator[Term]:
        """Every subterm once, arguments before the terms that use them, the term itself last.

        What is `known` is left out, and with it what only known terms use.
        """
        seen: set[Term] = set()
        stack: list[Term | None] = [self]
        while stack:
            term = stack.pop()
            if term is None:  # the arguments of the term below it are behind us
                term = stack.pop()
                assert term is not None
                yield term
            elif term not in seen and term not in known:
                seen.add(term)
                if term.args:
                    stack += (term, None, *term.args[::-1])
                else:
                    yield term


def operands(term: Term, op: Op) -> list[Term]:
    """The terms that an associative operation puts together, from left to right: a, b and c of `(a ; b) ; c`."""
    found, stack = [], [term]
    while stack:
        part = stack.pop()
        if part.op is op:
            stack += reversed(part.args)
        else:
            found.append(part)
    return found


def fold(term: Term, rule: Callable[[Term, list[T]], T], first: T) -> dict[Term, T]:
    """What a rule says of every subterm, given what it says of their arguments.

    `first` is assumed of the variables of recursions; where a body says something else, that is assumed instead, until
    the bodies say what is assumed. The rule has to be such that this comes to an end.
    """
    answers: dict[Term, T] = {}
    users: dict[Term, list[Term]] = {}  # of a body, also its variable
    bodies: dict[Term, Term] = {}

    def answer(part: Term) -> T:
        if part.op in VARIABLES:
            return answers[bodies[part]] if part in bodies else first
        if part.op is Op.FIX:
            return answers[part.args[part.variable]]
        return rule(part, [answers[argument] for argument in part.args])

    for part in term.subterms():
        answers[part] = answer(part)
        for argument in part.args:
            users.setdefault(argument, []).append(part)
        for i, body in enumerate(part.args if part.op is Op.FIX else ()):
            variable = Term(Op.REC_SET if body.kind is Kind.SET else Op.REC_RELATION, (), f"{part.group}:{i}")
            if variable in answers:  # else no body uses it
                bodies[variable] = body
                users.setdefault(body, []).append(variable)
    work = list(bodies)
    while work:
        part = work.pop()
        new = answer(part)
        if new != answers[part]:
            answers[part] = new
            work += users.get(part, [])
    return answers


_TERMS: WeakValueDictionary[tuple[Op, tuple[Term, ...], str], Term] = WeakValueDictionary()
"""Every term that is in use."""


@dataclass(frozen=True)
class Binder:
    """A universally quantified name: over the events of the set `domain`, over all threads or over all variables."""

    name: str
    over: Literal["node", "thread", "variable"]
    domain: Term | None = None  # of "node"; may mention the binders before it


@dataclass(frozen=True)
class Check:
    """A term has a property, for every value of the binders (outermost first); `negated`: not for every value."""

    property: Literal["acyclic", "irreflexive", "empty"]
    term: Term
    binders: tuple[Binder, ...] = ()
    negated: bool = False


@dataclass(frozen=True)
class Junction:
    """All or one of several conditions."""

    mode: Literal["and", "or"]
    parts: tuple[Condition, ...]


Condition = Check | Junction


def checks_of(condition: Condition) -> list[Check]:
    """The checks that a condition is made of, from left to right."""
    checks, work = [], [condition]
    while work:
        part = work.pop()
        if isinstance(part, Junction):
            work += reversed(part.parts)
        else:
            checks.append(part)
    return checks


@dataclass(frozen=True)
class Constraint:
    """A condition that every execution has to satisfy, with the name and the sentence that explanations use.

    A `flag` forbids nothing: of the executions that the others allow, it reports those that do not satisfy it. If such
    a one leaves the whole program without a meaning (a data race in C, say), the flag is `undefined`.
    """

    name: str
    condition: Condition
    position: Position
    sentence: str = ""
    flag: bool = False
    undefined: bool = False


@dataclass(frozen=True)
class Definition:
    """A named term of the model's text; `binders` are those that its for_each loops introduce."""

    name: str
    term: Term
    position: Position
    binders: tuple[Binder, ...] = ()


@dataclass(frozen=True, eq=False)
class Model:
    """A memory model: its name, its definitions (for display) and its constraints.

    Models are told apart by identity: what was found out about one is remembered, and comparing two takes as long.

    `tags` are those that it expects of programs, where it says so. For `xgen models check`: functions that nothing
    applies, definitions by names that had a meaning in the same text before, and files that xgen's own are read for.
    """

    name: str
    source: Source
    constraints: tuple[Constraint, ...]
    definitions: tuple[Definition, ...] = field(default=())
    title: str = ""
    tags: tuple[str, ...] | None = None
    unapplied: tuple[tuple[str, Position], ...] = ()
    redefined: tuple[tuple[str, Position], ...] = ()
    replaced: tuple[tuple[str, Position], ...] = ()

    def _repr_html_(self) -> str:
        """How a notebook shows the model."""
        return rendering.of().model_to_fragment(self)
