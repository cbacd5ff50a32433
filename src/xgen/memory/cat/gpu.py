"""What .cat models for PTX, Vulkan and OpenCL find bound: the names of Dat3M's dialect, as terms of the algebra.

The names are Dat3M's (Tag.java, RelationNameRepository.java), the tags xgen's. Threads stand in a hierarchy: their
events bear a tag for each group that they are in, such as `cta.g0.c1`, and two events are in one group where they bear
the same one. So the models do not depend on a program. An update is a read and a write, and `po` has both.

PTX's `co` is not total: it is any order that has what the model demands of it. It need not be chosen. An order of all
writes that extends a co which is allowed has in it what the model demands, which is a part of that co; and where
nothing else asks for co but to find it in what is forbidden, everything that held for that co holds for its part. So
what is demanded is taken as co, and must fit into the order of all writes; the last write of that order is one that is
last in co. All this needs that what is demanded does not depend on co, and is checked.
"""

from __future__ import annotations

from xgen.errors import Position, UnsupportedError
from xgen.memory import terms as t
from xgen.memory.algebra import Check, Constraint, Kind, Model, Op, Term
from xgen.memory.cat.values import Scope
from xgen.memory.cat.world import World
from xgen.records import replace
from xgen.tags import names

CO = Term(Op.REC_RELATION, (), "co:0")
"""Stands for PTX's co until the whole model is known."""
_CLOSED = t.plus(CO)
_OWN = t.difference(t.EVENTS, t.INITS)
_HIDDEN = t.tagged("hidden")
"""Accesses to cells of xgen's own, which stand for fences that are ordered (writes) and for barriers (reads)."""

GPUS = ("PTX", "VULKAN", "OpenCL")
"""The architectures whose models find these bound."""

_ORDERS = {"RLX": "relaxed", "ACQ": "acquire", "REL": "release", "ACQ_REL": "acq_rel", "SC": "seq_cst"}
_WORDS = {
    "PTX": {
        **_ORDERS, "CTA": "cta", "GPU": "gpu", "SYS": "sys",
        "GEN": "generic", "TEX": "texture", "SUR": "surface", "CON": "constant", "ALIAS": "alias",
    },
    "VULKAN": {"ACQ": "acquire", "REL": "release", "ATOM": "atom", "CBAR": "bar"}
    | {name.upper(): name for name in names("Vulkan") if name not in ("atom", "bar")},
    "OpenCL": {**_ORDERS, "ALL": "all", "GLOBAL": "global", "LOCAL": "local", "NAL": "nal"}
    | {"WI": "wi", "WG": "wg", "DV": "dv"},
}  # fmt: skip
_LEVELS = {
    "PTX": {"scta": "cta", "sgpu": "gpu"},
    "VULKAN": {"ssg": "sg", "swg": "wg", "sqf": "qf"},
    "OpenCL": {"swg": "wg", "sdv": "dv"},
}
_SCOPES = {"PTX": ("cta", "gpu"), "VULKAN": ("sg", "wg", "qf"), "OpenCL": ("wg", "dv")}
_WIDEST = {"PTX": "sys", "VULKAN": "dv", "OpenCL": "all"}


class GpuWorld(World):
    """The base sets and relations for one of these architectures."""

    def _common_sets(self) -> dict[str, Term]:
        reads, writes = (t.difference(kind, _HIDDEN) for kind in (t.READS, t.WRITES))
        fences = t.difference(t.union([t.FENCES, _HIDDEN]), t.tagged("avdevice", "visdevice", "arrival"))
        if self.architecture == "VULKAN":  # a control barrier without an order is none
            fences = t.difference(fences, t.difference(t.tagged("bar"), t.tagged("acquire", "release")))
        return {"R": reads, "W": writes, "M": t.union([reads, writes]), "F": fences, "IW": t.INITS, "UB": t.NO_EVENTS}

    def _sets_of_architecture(self) -> dict[str, Term]:
        words = {name: t.tagged(tag) for name, tag in _WORDS[self.architecture].items()}
        orders = t.tagged(*_ORDERS.values())
        if self.architecture == "PTX":
            words["WEAK"] = t.difference(t.union([self._reads(), self._writes()]), t.union([orders, t.INITS]))
        if self.architecture == "OpenCL":
            words["A"] = t.intersection(t.union([self._reads(), self._writes()]), orders)
            words |= {name: self._of_location(words[name]) for name in ("GLOBAL", "LOCAL", "NAL")}
        return {**words, "RMW": t.tagged("rmw", "exclusive")}

    def _of_location(self, tag: Term) -> Term:
        """What bears a tag, and the initial writes of locations whose accesses bear it."""
        to = t.intersection(t.LOC, t.product(t.INITS, tag))
        return t.union([tag, t.intersection(t.INITS, t.domain(to))])

    def _reads(self) -> Term:
        return self._common_sets()["R"]

    def _writes(self) -> Term:
        return self._common_sets()["W"]

    def _relations(self) -> dict[str, Term]:
        name = self.architecture
        po = t.intersection(t.PO, t.product(_OWN, t.EVENTS))
        accesses = t.union([self._reads(), self._writes()])
        co = CO if name == "PTX" else t.intersection(t.MO, t.product(self._writes(), self._writes()))
        rf = t.intersection(t.RF, t.product(t.EVENTS, self._reads()))
        loc = t.intersection(t.LOC, t.product(accesses, accesses))
        everywhere = t.product(_OWN, _OWN)
        groups = {relation: t.same(level) for relation, level in _LEVELS[name].items()}
        if name == "VULKAN":
            groups["sdv"] = everywhere
        barriers = t.tagged("bar")
        meeting = t.product(barriers, t.difference(barriers, t.tagged("arrive")))
        meeting = t.difference(meeting, t.product(t.tagged("beyond-quorum"), t.EVENTS))
        found = {
            **groups, "po": po, "loc": loc, "vloc": t.intersection(loc, t.same("address")), "int": t.INT, "ext": t.EXT,
            "id": t.ID, "rf": rf, "co": co, "fr": t.sequence(t.inverse(rf), co),
            "rmw": t.RMW, "amo": t.RMW, "lxsx": t.NO_PAIRS, "si": t.ID, "casdep": t.NO_PAIRS,
            "sr": self._scopes_of_each_other(everywhere), "ssw": t.same("ssw-from", "ssw-to"),
            "syncbar": t.intersection(t.intersection(t.LOC, meeting), t.same("cta" if name == "PTX" else "wg")),
        }  # fmt: skip
        reads = t.identity(t.READS)
        found |= {word: t.sequence(reads, Term(op)) for word, op in _DEPENDENCIES.items()}
        if name == "PTX":
            ordered = t.intersection(t.WRITES, _HIDDEN)
            order = t.intersection(t.MO, t.product(ordered, ordered))
            found["sync_fence"] = t.intersection(order, found["sr"])
        return found

    def _scopes_of_each_other(self, everywhere: Term) -> Term:
        """Both have a scope, and each is in the group that the other's means."""
        parts = [(level, t.same(level)) for level in _SCOPES[self.architecture]]
        parts.append((_WIDEST[self.architecture], everywhere))
        wide = t.union(t.intersection(t.product(t.tagged(level), t.EVENTS), group) for level, group in parts)
        return t.intersection(wide, t.inverse(wide))


_DEPENDENCIES = {"addr": Op.ADDR, "data": Op.DATA, "ctrl": Op.CTRL}


def with_partial_order(model: Model, world: World, scope: Scope) -> Model:
    """A PTX model with what it demands of co as its co; see above.

    What it demands has to be what PTX does: `empty (([W]; cause; [W]) & loc) \\ co` and
    `empty (([W]; morally-strong; [W]) & loc) \\ (co | co^-1)`. Raises UnsupportedError where that cannot be seen.
    """
    conditions = [c.condition for c in model.constraints if isinstance(c.condition, Check)]
    if not any(_mentions(condition.term) for condition in conditions):
        return model
    causal, coherence = _demanded(model, world, scope, "cause", _CLOSED)
    strong, either_way = _demanded(model, world, scope, "morally-strong", t.union([_CLOSED, t.inverse(_CLOSED)]))
    order = t.intersection(t.MO, t.product(world.sets["W"], world.sets["W"]))
    first = t.intersection(order, t.product(t.INITS, t.EVENTS))
    co = t.plus(t.union([t.intersection(order, t.union([strong, t.inverse(strong)])), first, causal]))
    known = {CO: co}
    constraints = []
    for constraint, condition in zip(model.constraints, conditions, strict=True):
        if constraint is coherence:  # the order of all writes extends it
            constraints.append(replace(constraint, condition=Check("acyclic", t.union([order, causal]))))
        elif constraint is not either_way:  # which is true of such a co
            raised = constraint.flag and _mentions(condition.term)
            if raised or condition.negated or any(_mentions(term) for term in _taken_away(condition.term)):
                raise _unknown(model, f"`{constraint.name}` can hold because a pair is in co")
            constraints.append(replace(constraint, condition=replace(condition, term=t.normal(condition.term, known))))
    definitions = (replace(d, term=t.normal(d.term, known)) for d in model.definitions)
    return replace(model, constraints=tuple(constraints), definitions=tuple(definitions))


def _demanded(model: Model, world: World, scope: Scope, name: str, order: Term) -> tuple[Term, Constraint]:
    """The pairs of writes to a location that a relation has, and the constraint that these are in an order."""
    relation = scope.get(name)
    if not isinstance(relation, Term) or relation.kind is not Kind.RELATION or _mentions(relation):
        raise _unknown(model, f"it has no relation `{name}` that does not depend on co")
    writes = t.identity(world.sets["W"])
    pairs = t.intersection(t.sequence(writes, t.sequence(relation, writes)), world.relations["loc"])
    wanted = Check("empty", t.difference(pairs, order))
    for constraint in model.constraints:
        if constraint.condition == wanted and not constraint.flag:
            return pairs, constraint
    raise _unknown(model, f"it does not demand that the writes to a location that are in `{name}` are in co")


def _taken_away(term: Term) -> list[Term]:
    """The right sides of the differences in a term."""
    return [part.args[1] for part in term.subterms() if part.op is Op.DIFFERENCE]


def _mentions(term: Term) -> bool:
    return any(part is CO for part in term.subterms())


def _unknown(model: Model, why: str) -> UnsupportedError:
    hint = "co of PTX is partial: what a model demands of it has to be of the form that Dat3M's ptx-v6.0.cat has"
    return UnsupportedError(f"this model for PTX is not supported: {why}", model.source, Position(1, 1), hint)
