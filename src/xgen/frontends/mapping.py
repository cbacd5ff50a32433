"""What the accesses of a C program become when they are compiled: the mappings of C11's orders to architectures.

Sources: P. Sewell, J. Sevcik, C/C++11 mappings to processors (x86, Armv7, Armv8, Power); Batty et al., POPL 2011 (x86)
and POPL 2012 (Power), with the fence before what is seq_cst (Lahav et al., PLDI 2017; Manerkar et al., 2016);
Podkopaev, Lahav, Vafeiadis, POPL 2019, which proves them; RISC-V Unprivileged ISA, appendix A (table A.6); Arm
Architecture Reference Manual, FEAT_LRCPC and FEAT_LSE.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import Literal

from xgen.errors import Position, UnsupportedError, UsageError
from xgen.frontends.mixed_size.parts import PART, refuted_unless
from xgen.program import automaton as xcfa
from xgen.program.automaton import Binary, Expression, IntLiteral, Name, Statement, Unary
from xgen.program.rewrite import with_arrivals
from xgen.records import dataclass, replace
from xgen.tags import NO_MAP

Update = Literal["lock", "pair", "amo", "amo, pair for cas"]
VERBATIM = "="
"""What the order of an access begins with that is an instruction already; the tag of the machine follows, if any."""
CTRL = "ctrl"
"""Among what follows a read: a branch that depends on its value."""


@dataclass(frozen=True)
class Access:
    """What an access becomes: fences before it, its tag, what follows it. `exchange`: a store by an update."""

    before: tuple[str, ...] = ()
    tag: str | None = None
    after: tuple[str, ...] = ()
    exchange: bool = False


@dataclass(frozen=True)
class Mapping:
    """What an architecture's compilers make of loads, stores and fences by their orders; what is not there is plain.

    `update`: how updates are made, of one instruction (`lock`, `amo`) or of an exclusive pair. `read`, `write`: the
    tags of an update's events; `enter`, `leave`: what is before and behind it. `full` is the full fence. `stays`: a
    minimum or maximum that stays as it is is not written.

    It promises what every compiler keeps (LLVM 22, GCC), that is, the weakest of them: of an update that may fail, LLVM
    has what is before it only on the way on which it writes.
    """

    full: str
    update: Update
    loads: dict[str, Access] = field(default_factory=dict)
    stores: dict[str, Access] = field(default_factory=dict)
    fences: dict[str, str] = field(default_factory=dict)
    read: dict[str, str] = field(default_factory=dict)
    write: dict[str, str] = field(default_factory=dict)
    enter: dict[str, str] = field(default_factory=dict)
    leave: dict[str, tuple[str, ...]] = field(default_factory=dict)
    stays: bool = False


_ACQUIRES, _RELEASES = ("acquire", "acq_rel", "seq_cst"), ("release", "acq_rel", "seq_cst")
_ALL = ("acquire", "release", "acq_rel", "seq_cst")
_FENCES = {None, "relaxed", "consume", *_ALL}
"""The fences of C; others are instructions already."""


def _armv8(update: Update, acquire: str) -> Mapping:
    """Without and with the instructions of FEAT_LSE (updates) and FEAT_LRCPC (LDAPR)."""
    return Mapping(
        "dmb.ish",
        update,
        loads={"acquire": Access(tag=acquire), "seq_cst": Access(tag="acquire")},
        stores={"release": Access(tag="release"), "seq_cst": Access(tag="release")},
        fences={**dict.fromkeys(_ALL, "dmb.ish"), "acquire": "dmb.ishld"},
        read=dict.fromkeys(_ACQUIRES, "acquire"),
        write=dict.fromkeys(_RELEASES, "release"),
    )


MAPPINGS = {
    "x86": Mapping("mfence", "lock", stores={"seq_cst": Access(exchange=True)}, fences={"seq_cst": "mfence"}),
    "armv8": _armv8("pair", "acquire"),
    "armv8-lse": _armv8("amo", "acquire_pc"),
    "armv7": Mapping(
        "dmb",
        "pair",
        loads=dict.fromkeys(("acquire", "seq_cst"), Access(after=("dmb",))),
        stores={"release": Access(before=("dmb",)), "seq_cst": Access(before=("dmb",), after=("dmb",))},
        fences=dict.fromkeys(_ALL, "dmb"),
        enter=dict.fromkeys(_RELEASES, "dmb"),
        leave=dict.fromkeys(_ACQUIRES, ("dmb",)),
    ),
    "power": Mapping(
        "sync",
        "pair",
        loads={
            "acquire": Access(after=(CTRL, "isync")),
            "seq_cst": Access(before=("sync",), after=(CTRL, "isync")),
        },
        stores={"release": Access(before=("lwsync",)), "seq_cst": Access(before=("sync",))},
        fences={**dict.fromkeys(_ALL, "lwsync"), "seq_cst": "sync"},
        enter={"release": "lwsync", "acq_rel": "lwsync", "seq_cst": "sync"},
        leave=dict.fromkeys(_ACQUIRES, (CTRL, "isync")),
        stays=True,
    ),
    "riscv": Mapping(
        "fence.rw.rw",
        "amo, pair for cas",
        loads={
            "acquire": Access(after=("fence.r.rw",)),
            "seq_cst": Access(before=("fence.rw.rw",), after=("fence.r.rw",)),
        },
        stores=dict.fromkeys(("release", "seq_cst"), Access(before=("fence.rw.w",))),
        fences={
            "acquire": "fence.r.rw",
            "release": "fence.rw.w",
            "acq_rel": "fence.tso",
            "seq_cst": "fence.rw.rw",
        },
        read={"acquire": "acquire", "acq_rel": "acquire", "seq_cst": "acq_rel"},
        write=dict.fromkeys(_RELEASES, "release"),
    ),
}
"""By the names of `--map`."""

_OPERATORS: dict[str, xcfa.BinaryOp] = {**xcfa.UPDATE_OPERATORS, "add_unless": "+"}
_EXTREMES = ("fetch_min", "fetch_max", "fetch_umin", "fetch_umax")
_SAME_OR_NOT: tuple[xcfa.BinaryOp, xcfa.BinaryOp] = ("=", "/=")
_OLD, _STATUS, _WRONG = Name("$old"), Name("$status"), Name("$wrong")
"""Locals of each process: what an exclusive pair has read, and whether its store has failed."""


def mapping(name: str | None) -> Mapping | None:
    """The mapping of that name; None where the text is taken as it stands."""
    if name in (None, NO_MAP):
        return None
    if name not in MAPPINGS:
        hint = f"those that there are: {', '.join((*MAPPINGS, NO_MAP))}"
        raise UsageError(f"there is no mapping to `{name}`", hint=hint)
    return MAPPINGS[name]


def compiled(program: xcfa.Program, table: Mapping) -> xcfa.Program:
    """The program as it is compiled. There are no data races any more.

    Threads that meet tell each other so by releases and acquires, as libraries do, but on x86, where all updates are
    fences.
    """
    if table.update != "lock":
        program = with_arrivals(program, fences=False)
    return replace(program, processes=tuple(_process(process, table) for process in program.processes), races=False)


def _process(process: xcfa.Process, table: Mapping) -> xcfa.Process:
    (main,) = process.procedures
    locations, edges = list(main.locations), []
    for number, edge in enumerate(main.edges):
        source, statements = edge.source, []
        for statement, *others in _accesses(edge.statements):
            ways = [_several([statement, *others], table)] if others else list(_ways(statement, table))
            if len(ways) == 1:
                statements += ways[0]
                continue
            # An update that may fail: the read and what comes before, then the two ways, which meet again.
            fork, meeting = (Name(f"{main.edges[number].source.name}.{len(locations) + n}") for n in (0, 1))
            locations += [xcfa.Location(fork.name, None, statement.position)]
            locations += [xcfa.Location(meeting.name, None, statement.position)]
            edges.append(xcfa.Edge(source, fork, (*statements, *ways[0]), edge.position))
            edges += [xcfa.Edge(fork, meeting, tuple(way), edge.position) for way in ways[1:]]
            source, statements = meeting, []
        edges.append(xcfa.Edge(source, edge.target, tuple(statements), edge.position))
    body = replace(main, locations=tuple(locations), edges=tuple(edges))
    added = tuple(xcfa.Variable(name.name, xcfa.INT) for name in (_OLD, _STATUS, _WRONG))
    return replace(process, variables=(*process.variables, *added), procedures=(body,))


def _ways(statement: Statement, table: Mapping) -> Iterator[list[Statement]]:
    """What a statement becomes. Of an update that may fail and is a pair: its start, then its two ways to go on."""
    position = statement.position
    match statement:
        case xcfa.Load(exclusive=True):
            yield [statement]
        case xcfa.Load():
            access = _access(table.loads, statement.order)
            load = replace(statement, order=access.tag)
            yield [*_fences(access.before, position), load, *_behind(access.after, statement.target, position)]
        case xcfa.Store(tags=("unlock",)) | xcfa.Store(order="unlock"):
            yield [statement]
        case xcfa.Store() if _access(table.stores, statement.order).exchange:
            yield [xcfa.Rmw(None, "exchange", statement.place, (statement.value,), (), position)]
        case xcfa.Store():
            access = _access(table.stores, statement.order)
            fences = _fences(access.before, position), _fences(access.after, position)
            yield [*fences[0], replace(statement, order=access.tag), *fences[1]]
        case xcfa.Fence(tag) if tag not in _FENCES:
            yield [statement]
        case xcfa.Fence(tag):
            name = table.fences.get(_order(tag))
            yield [] if name is None else [replace(statement, tag=name)]
        case xcfa.Mutex():
            yield _mutex(statement, table)
        case xcfa.Rmw() if "lock" in statement.read_tags:
            yield from _attempt(statement, table)
        case xcfa.Rmw(op="fetch_fadd32" | "fetch_fadd64") if table.update != "lock":
            message = "an atomic sum of floating point numbers, which this machine has no update for, is not supported"
            raise UnsupportedError(message, position.source, position, "a loop of compare-exchanges is")
        case xcfa.Rmw():
            yield from _update(statement, table)
        case _:
            yield [statement]


def _mutex(statement: xcfa.Mutex, table: Mapping) -> list[Statement]:
    """What libraries (glibc, musl, std of Rust) make of it: an update that acquires, as a compare-exchange does, or one
    that releases. x86 has none that are weaker than fences.
    """
    position = statement.position
    if statement.op == "lock":
        read, write = _of_lock(table)
        leave = table.leave.get("acquire", ())
        target = _OLD if CTRL in leave else None
        lock = replace(statement, target=target, read_tags=read, write_tags=write, bare=True)
        return [lock, *_behind(leave, _OLD, position)]
    enter = (table.full,) if table.update == "lock" else _tags(table.enter.get("release"))
    unlock = replace(statement, write_tags=_tags(table.write.get("release")), bare=True)
    return [*_fences(enter, position), unlock]


def _attempt(statement: xcfa.Rmw, table: Mapping) -> Iterator[list[Statement]]:
    """What becomes of one that tries whether a mutex is free: who takes it is to be known as who holds it, so it stays
    one update, also where it is a pair."""
    assert statement.target is not None
    position, leave = statement.position, table.leave.get("acquire", ())
    same, other = (Binary(op, statement.target, statement.arguments[0]) for op in _SAME_OR_NOT)
    read, write = _of_lock(table)
    tags = (*statement.read_tags, *read), (*statement.write_tags, *write)
    yield [replace(statement, orders=(), read_tags=tags[0], write_tags=tags[1])]
    if leave:
        yield [xcfa.Assume(same, position), *_behind(leave, statement.target, position)]
        yield [xcfa.Assume(other, position)]


def _of_lock(table: Mapping) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The tags of the two events of an update that takes a lock."""
    pair = () if table.update in ("lock", "amo") else ("exclusive",)
    return (*pair, *_tags(table.read.get("acquire"))), pair


def _accesses(statements: Sequence[Statement]) -> list[list[Statement]]:
    """The statements, those together that are one access of several parts."""
    found: list[list[Statement]] = []
    for statement in statements:
        if isinstance(statement, xcfa.Load | xcfa.Store) and PART in statement.tags:
            found[-1].append(statement)
        else:
            found.append([statement])
    return found


def _several(statements: list[Statement], table: Mapping) -> list[Statement]:
    """What an access of several parts becomes."""
    first, position = statements[0], statements[0].position
    parts = [part for part in statements if isinstance(part, xcfa.Load | xcfa.Store)]
    if isinstance(first, xcfa.StoreExclusive):  # an instruction already
        return [first, *(replace(part, order=_access({}, part.order).tag) for part in parts)]
    assert isinstance(first, xcfa.Load | xcfa.Store)
    if first.order in ("rmw", "failed"):
        if table.update != "lock":
            message = "an update of a number that is accessed in parts is not supported with this --map"
            raise UnsupportedError(message, position.source, position, "it is with --map x86, and without --map")
        return [replace(part, tags=tuple(tag for tag in part.tags if tag == PART)) for part in parts]
    kinds = table.loads if isinstance(first, xcfa.Load) else table.stores
    access = _access(kinds, first.order)
    if access.exchange:
        read = xcfa.Load(_OLD, first.place, order="rmw", position=position, blind=True)
        reads = [replace(read, place=part.place, tags=part.tags) for part in parts]
        return [*reads, *(replace(part, order="rmw") for part in parts)]
    last = first.target if isinstance(first, xcfa.Load) else _OLD
    fences = _fences(access.before, position), _behind(access.after, last, position)
    return [*fences[0], *(replace(part, order=access.tag) for part in parts), *fences[1]]


def _access(kinds: dict[str, Access], order: str | None) -> Access:
    """What an access of an order becomes."""
    if order is not None and order.startswith(VERBATIM):
        return Access(tag=order.removeprefix(VERBATIM) or None)
    return kinds.get(_order(order), Access())


def _order(order: str | None) -> str:
    return "acquire" if order == "consume" else order or ""


def _fences(names: tuple[str, ...], position: Position) -> list[Statement]:
    return [xcfa.Fence(name, position) for name in names]


def _behind(names: tuple[str, ...], value: Name, position: Position) -> list[Statement]:
    """What follows a read: fences, and branches that depend on its value."""
    branch = xcfa.Assume(Binary("=", value, value), position)
    return [branch if name == CTRL else xcfa.Fence(name, position) for name in names]


def _update(statement: xcfa.Rmw, table: Mapping) -> Iterator[list[Statement]]:
    position, op = statement.position, statement.op
    success = _order(statement.orders[0]) if statement.orders else ""
    failing = _order(statement.orders[-1]) if op in xcfa.CONDITIONAL_RMWS and statement.orders else ""
    order = _both(success, failing)
    if table.update == "lock" or statement.orders == (VERBATIM,):
        yield [replace(statement, orders=())]
        return
    enter = [xcfa.Fence(table.enter[success], position)] if success in table.enter else []
    leave = table.leave.get(success, ())
    if table.update == "amo" or (table.update != "pair" and op not in xcfa.CONDITIONAL_RMWS):
        yield [*enter, _instruction(statement, table, order), *_behind(leave, statement.target or _OLD, position)]
        return
    load = xcfa.Load(_OLD, statement.place, False, table.read.get(order), position, statement.read_tags, exclusive=True)
    result: list[Statement] = [xcfa.Assign(statement.target, _OLD, position)] if statement.target else []
    write = table.write.get(order)
    store = [
        xcfa.StoreExclusive(_STATUS, _new_value(statement), statement.place, write, position),
        xcfa.Assume(Binary("=", _STATUS, IntLiteral(0)), position),
        *_behind(leave, _OLD, position),
        *result,
    ]
    if op in xcfa.CONDITIONAL_RMWS:
        writes, fails = _conditions(statement)
        behind = [*_behind(_failing(success, failing, table), _OLD, position), *result]
        if enter and not leave:
            guessed = [refuted_unless(condition, _WRONG, position) for condition in (writes, fails)]
            yield []
            yield [*enter, load, guessed[0], xcfa.Assume(writes, position), *store]
            yield [load, guessed[1], xcfa.Assume(fails, position), *behind]
            return
        yield [load]
        yield [xcfa.Assume(writes, position), *enter, *store]
        yield [xcfa.Assume(fails, position), *behind]
    elif op in _EXTREMES and table.stays:
        replaced = _replaced(statement)
        yield [*enter, load]
        yield [xcfa.Assume(replaced, position), *store]
        yield [xcfa.Assume(Unary("not", replaced), position), *_behind(leave, _OLD, position), *result]
    else:
        yield [*enter, load, *store]


def _conditions(statement: xcfa.Rmw) -> tuple[Expression, Expression]:
    """Where an update that may fail writes, by what it has read, and where it fails."""
    unwanted = statement.arguments[1 if statement.op == "add_unless" else 0]
    same, other = Binary("=", _OLD, unwanted), Binary("/=", _OLD, unwanted)
    return (other, same) if statement.op == "add_unless" else (same, other)


def _failing(success: str, failing: str, table: Mapping) -> tuple[str, ...]:
    """What follows an update that fails. GCC has nothing there where it releases if it succeeds (gcc 12 for Power and
    Armv7: what is behind the update is chosen by its first order alone)."""
    return () if (success, failing) == ("release", "acquire") else table.leave.get(failing, ())


def _instruction(statement: xcfa.Rmw, table: Mapping, order: str) -> xcfa.Rmw:
    """An update of one instruction; the tags of its two events are told apart."""
    read, write = table.read.get(order), table.write.get(order)
    how = ("compared",) if table.update == "amo" and statement.op == "cas" else ()
    return replace(
        statement,
        orders=(),
        read_tags=_tags(read),
        write_tags=(*_tags(write), *how),
    )


def _tags(*found: str | None) -> tuple[str, ...]:
    return tuple(tag for tag in found if tag is not None)


def _both(order: str, failing: str) -> str:
    """The order of what both ways of an update that may fail have in common, such as its one read: that of its success,
    and at least that of its failure."""
    if failing == "seq_cst" or order == "seq_cst":
        return "seq_cst"
    if failing != "acquire" or order in ("acquire", "acq_rel"):
        return order
    return "acq_rel" if order == "release" else "acquire"


def _new_value(statement: xcfa.Rmw) -> Expression:
    """What an update writes."""
    if statement.op == "exchange":
        return statement.arguments[0]
    if statement.op == "cas":
        return statement.arguments[1]
    if statement.op in _EXTREMES:
        return xcfa.Conditional(_replaced(statement), statement.arguments[0], _OLD)
    found: Expression = Binary(_OPERATORS[statement.op], _OLD, statement.arguments[0])
    bits = statement.bits
    return found if bits is None else xcfa.Wrap(found, abs(bits), bits < 0)


def _replaced(statement: xcfa.Rmw) -> Expression:
    """Where a minimum or maximum writes its argument; what is equal may stay or not."""
    old, new = (_as_signed(each, statement) for each in (_OLD, statement.arguments[0]))
    less: xcfa.BinaryOp = "ule" if statement.op in ("fetch_umin", "fetch_umax") else "<="
    return Binary(less, new, old) if statement.op in ("fetch_min", "fetch_umin") else Binary(less, old, new)


def _as_signed(number: Expression, statement: xcfa.Rmw) -> Expression:
    """A number that is compared with its sign, if it is."""
    if statement.bits is None or statement.op not in ("fetch_min", "fetch_max"):
        return number
    return xcfa.Wrap(number, abs(statement.bits), True)
