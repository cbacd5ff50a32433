"""What .cat expressions mean on herd's events, computed directly: sets and relations are Python sets.

In C an update is one event, both a read and a write; elsewhere two, that are not ordered by po. Nothing of the reader
is used here but its parser.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from memory.naive import Event, Graph
from xgen.errors import Source
from xgen.memory.algebra import Op
from xgen.memory.cat import syntax as s
from xgen.memory.cat.parser import parse

Pairs = set[tuple[str, str]]


@dataclass(frozen=True)
class Access:
    """An event of a thread: `kind` is R, W or U, an update, which reads and writes."""

    name: str
    kind: str
    variable: str
    tag: str = ""


class Execution:
    """Threads of accesses, what each read reads from (its event), and the order of the writes to each variable.

    `graph` is the same for xgen, where the update u is the read u.r and the write u.w.
    """

    def __init__(
        self, threads: list[list[Access]], rf: Mapping[str, str], mo: Mapping[str, list[str]], one_event: bool
    ) -> None:
        self.one_event = one_event
        self.parts = {a.name: _parts(a) for thread in threads for a in thread}
        inits = [Event(f"i{v}", None, "W", v, frozenset({"init"})) for v in mo]
        self.parts |= {e.name: [e] for e in inits}
        halves = [[part for a in thread for part in self.parts[a.name]] for thread in threads]
        split = [[Event(e.name, n, e.kind, e.variable, e.tags) for e in thread] for n, thread in enumerate(halves)]
        reads = {name: parts[0].name for name, parts in self.parts.items()}
        writes = {name: parts[-1].name for name, parts in self.parts.items()}
        pairs = [f"{writes[source]} {reads[read]}" for read, source in rf.items()]
        orders = [" ".join(writes[name] for name in [f"i{v}", *order]) for v, order in mo.items()]
        self.graph = Graph(inits, split, pairs, orders)
        self.graph.given[Op.RMW] = {(p[0].name, p[1].name) for p in self.parts.values() if len(p) == 2}
        of = {part.name: name for name, parts in self.parts.items() for part in parts}
        self.herd = of if one_event else {part: part for part in of}  # herd's event of each of xgen's
        self.events = set(self.herd.values())
        self.threads = [[a.name for a in thread] for thread in threads]

    def lift(self, relation: Pairs) -> Pairs:
        """The pairs of herd's events of pairs of xgen's."""
        return {(self.herd[a], self.herd[b]) for a, b in relation}

    def base(self) -> dict[str, Any]:
        """The names that are bound before a model runs."""
        g, lift = self.graph, self.lift
        kinds = {k: {self.herd[e.name] for e in g.events.values() if e.kind == k} for k in "RW"}
        single = g.given[Op.RMW]
        started = {(a, b) for a, b in g.po if g.thread(a) is not None}
        co, rf = lift(g.mo), lift(g.rf)
        same = {(a, b) for a, b in lift(started) if a != b} - (set() if self.one_event else single)
        thread = {self.herd[e.name]: e.thread for e in g.events.values()}
        variable = {self.herd[e.name]: e.variable for e in g.events.values()}
        pairs = set(product(self.events, self.events))
        fr = {(r, w) for source, r in rf for before, w in co if before == source and r != w}
        return {
            **kinds, "M": kinds["R"] | kinds["W"], "IW": {e.name for e in g.inits}, "po": same, "rf": rf, "co": co,
            "fr": fr, "id": {(e, e) for e in self.events},
            "loc": {(a, b) for a, b in pairs if variable[a] == variable[b]},
            "int": {(a, b) for a, b in pairs if thread[a] is not None and thread[a] == thread[b]},
            "ext": {(a, b) for a, b in pairs if thread[a] != thread[b]},
            "rmw": set() if self.one_event else single,
            "X": {self.herd[e.name] for e in g.events.values() if "rmw" in e.tags},
            "REL": {self.herd[e.name] for e in g.events.values() if "release" in e.tags},
        }  # fmt: skip

    def expand(self, value: Any) -> Any:
        """A set or relation of herd's events, as the one of xgen's events that stands for it."""
        halves: dict[str, list[str]] = {}
        for part, event in self.herd.items():
            halves.setdefault(event, []).append(part)
        if value and isinstance(next(iter(value)), str):
            return {part for event in value for part in halves[event]}
        return {pair for a, b in value for pair in product(halves[a], halves[b])}

    def saturate(self, relation: Pairs) -> Pairs:
        """The relation between xgen's events that a value of the reader stands for."""
        return self.expand(self.lift(relation))


def _parts(a: Access) -> list[Event]:
    tags = frozenset({a.tag} if a.tag else ())
    if a.kind != "U":
        return [Event(a.name, None, a.kind, a.variable, tags)]
    return [Event(f"{a.name}.{k.lower()}", None, k, a.variable, tags | {"rmw"}) for k in "RW"]


def meaning(text: str, execution: Execution) -> Any:
    """The value of an expression that is made of base names and operators."""
    check = parse(Source("test.cat", f"empty {text}")).instructions[0]
    assert isinstance(check, s.Check)
    return _value(check.expression, execution.base(), execution.events)


def plus(relation: Pairs) -> Pairs:
    result = set(relation)
    while not (more := _sequence(result, relation)) <= result:
        result |= more
    return result


def _sequence(first: Pairs, second: Pairs) -> Pairs:
    return {(a, d) for a, b in first for c, d in second if b == c}


def _value(e: s.Expression, names: Mapping[str, Any], events: set[str]) -> Any:
    if isinstance(e, s.Name):
        return names[e.name]
    if isinstance(e, s.Apply):
        assert isinstance(e.function, s.Name)
        end = ("domain", "range").index(e.function.name)
        return {pair[end] for pair in _value(e.argument, names, events)}
    if isinstance(e, s.Unary):
        return _unary(e.sign, _value(e.operand, names, events), names["id"], events)
    assert isinstance(e, s.Operation), e
    result, *others = (_value(operand, names, events) for operand in e.operands)
    for value in others:
        if e.sign == "*":
            result = set(product(result, value))
        elif e.sign == ";":
            result = _sequence(result, value)
        else:
            result = {"|": set.union, "&": set.intersection, "\\": set.difference}[e.sign](result, value)
    return result


def _unary(sign: str, value: Any, identity: Pairs, events: set[str]) -> Any:
    if sign == "[]":
        return {(e, e) for e in value}
    if sign == "~":
        is_set = value and isinstance(next(iter(value)), str)
        assert value, "what is empty has no kind here"
        return (events if is_set else set(product(events, events))) - value
    if sign == "^-1":
        return {(b, a) for a, b in value}
    closed = value if sign == "?" else plus(value)
    return closed if sign == "+" else closed | identity
