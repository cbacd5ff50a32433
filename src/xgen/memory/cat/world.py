"""What a .cat model finds bound before it runs: the sets and relations of an architecture, as terms of the algebra.

The names are herd's (herd/machModelChecker.ml, herd/*Arch_herd.ml and herd/CAction.ml of herdtools7), the tags xgen's.
Where herd's relations are not those of the algebra:

- Initial writes are not in herd's `po`.
- What one instruction does is not ordered by herd's `po`, but for C, so that the read and the write of an update are
  related by `rmw` only. Exclusive pairs are two instructions.
- A store exclusive finds out whether it succeeds. What depends on that depends on its write in RISC-V only.
- In C, but not in the Linux kernel's dialect of it, and in RISC-V an update that is one instruction is *one* event, a
  read and a write. In xgen's graphs it is always two. A relation between herd's events is represented by a relation r
  between ours, and stands for eq ; r ; eq, where eq = id | rmw | rmw^-1 (of updates that are one instruction); a set
  has both halves of an update or none. Base relations are given as r = eq ; r ; eq (they are *saturated*), `id` and
  [S] as they are. Every relation that is built from these is a saturated one and a part of the identity that has both
  halves of an update or none. Of such relations union, intersection, composition, inverse, closures, products, domain
  and range represent the same operations on herd's events, and acyclicity, irreflexivity and emptiness are those of
  what they stand for. Only what is taken away by a difference or a complement has to be saturated first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from xgen.errors import UnsupportedError
from xgen.memory import terms as t
from xgen.memory.algebra import Kind, Op, Term
from xgen.records import dataclass
from xgen.tags import ARCHITECTURES, TAGS

_UPDATES = t.tagged("rmw")
_FAILED = t.tagged("failed")
_EXCLUSIVE = t.tagged("exclusive")
SINGLE = t.sequence(t.identity(t.difference(t.EVENTS, _EXCLUSIVE)), t.RMW)
"""From the read to the write of an update that is one instruction."""
_OWN_LOCKS = {"acquire": ("lock",), "release": ("unlock",)}
_ORDERS = {tag.herd: (tag.name, *_OWN_LOCKS.get(tag.name, ())) for tag in TAGS if tag.whose == "C"}
"""The tags of C's memory orders. xgen's own locks are taken by an acquiring update and released by a releasing
write."""

_FENCES = {
    **{
        name: [tag.herd for tag in TAGS if (tag.whose, tag.kinds) == (name, "F") and tag.herd] for name in ARCHITECTURES
    },
    "ARM": ["DMB", "DSB", "DMB.ST", "DSB.ST", "DMB.ISH", "ISB"],
    "MIPS": ["SYNC"],
}
_ANNOTATIONS = {
    "ARM": {"A": ("acquire",), "AL": ("acquire",), "L": ("release",)},
    "AArch64": {"A": ("acquire",), "Q": ("acquire_pc",), "L": ("release",), "NoRet": ("noret",)},
    "RISCV": {"Acq": ("acquire",), "Rel": ("release",), "AcqRel": ("acq_rel",), "Sc": ("seq_cst",)},
}  # fmt: skip
_ABSENT = {
    "X86": ["NT"],
    "AArch64": [
        "S", "NT", "T", "AF", "DB", "PTE", "PTEINV", "PTEV", "PTEMemAttr", "TLBI", "DC.CVAU", "IC.IVAU", "IC.IALLU",
        "IC.IALLUIS", "FAULT", "Instr", "MMU", "TagCheck", "EXC-ENTRY", "EXC-RET", "SVC", "Translation", "AccessFlag",
    ],
    "C": ["LK", "LS", "LF", "UL", "LKR", "LKW", "RL", "RU"],
}  # fmt: skip
"""Sets of events that no program of xgen has."""

NOT_GIVEN_SETS = ("B", "BCC", "PRED", "Rreg", "Wreg", "ADDR", "DATA")
NOT_GIVEN_RELATIONS = (
    "rf-reg", "iico_data", "iico_ctrl", "iico_order", "tst", "depend", "success", "control", "partial_po", "same-instr",
    "same-static", "equiv-spec", "aligned", "same-low-order-bits", "inv-domain", "inv-scope", "scl", "alias",
)  # fmt: skip
NOT_GIVEN_FUNCTIONS = (
    "classes", "lift", "delift", "deliftinter", "linearisations", "bisimulation", "tag2scope", "tag2level",
    "tag2fenced", "fromto", "loc2events", "as_transitive", "fail", "co_locs",
    "cross", "classes-loc",
)  # fmt: skip
"""What herd gives and xgen does not."""


@dataclass
class World:
    """The base sets and relations for one architecture; "" stands for programs that are of none."""

    architecture: str = ""
    one_event: bool = field(init=False)
    """Whether an update is one event to the model."""
    sets: dict[str, Term] = field(init=False)
    relations: dict[str, Term] = field(init=False)

    def __post_init__(self) -> None:
        if self.architecture not in ("", *ARCHITECTURES):
            raise UnsupportedError(f"there is no architecture `{self.architecture}`")
        self.one_event = self.architecture in ("C", "RISCV")
        self.sets = {**self._common_sets(), **self._sets_of_architecture()}
        self.relations = self._relations()
        self.sets["FW"] = t.difference(self.sets["W"], t.domain(self.relations["co"]))

    # --- what needs saturation

    def difference(self, a: Term, b: Term) -> Term:
        """`a \\ b` of what the terms stand for."""
        if b is t.ID and a is t.sequence(t.inverse(self.relations["rf"]), self.relations["co"]):
            return self.relations["fr"]
        return t.difference(a, self.saturated(b))

    def complement(self, a: Term) -> Term:
        """`~a`."""
        return self.difference(t.EVENTS if a.kind is Kind.SET else t.product(t.EVENTS, t.EVENTS), a)

    def saturated(self, a: Term) -> Term:
        """eq ; a ; eq, for a relation that is saturated but for a part of the identity."""
        if not self.one_event or a.kind is Kind.SET or not _may_have_identity(a):
            return a
        return t.union([a, *(t.sequence(t.intersection(a, t.ID), half) for half in (SINGLE, t.inverse(SINGLE)))])

    # --- names

    def _common_sets(self) -> dict[str, Term]:
        reads, writes = t.READS, t.WRITES
        if self.one_event:
            reads, writes = t.union([reads, _UPDATES]), t.union([writes, _UPDATES])
        accesses = t.union([t.READS, t.WRITES])
        return {
            "R": reads, "W": writes, "M": accesses, "F": t.FENCES, "IW": t.INITS, "Exp": accesses,
            "NExp": t.NO_EVENTS, "EXEC": accesses, "SPEC": t.NO_EVENTS, "SPURIOUS": t.NO_EVENTS,
            "UB": t.NO_EVENTS, "STRONG": t.NO_EVENTS,
        }  # fmt: skip

    def _sets_of_architecture(self) -> dict[str, Term]:
        name = "X86" if self.architecture == "X86_64" else self.architecture
        if name in ("C", "LKMM"):
            return self._sets_of_c()
        found = dict.fromkeys(_ABSENT.get(name, []), t.NO_EVENTS)
        if name:
            found |= {fence: t.tagged(fence.lower()) for fence in _FENCES[name]}
            found |= {word: t.tagged(*tags) for word, tags in _ANNOTATIONS.get(name, {}).items()}
            if name == "X86":
                found["X"] = found["A"] = t.union([_UPDATES, _FAILED])  # a locked instruction all the same
            else:
                found["X"] = t.union([_UPDATES, _FAILED, _EXCLUSIVE])  # what herd calls atomic: LDXR and STXR, too
                found["EX"] = _EXCLUSIVE
            if name == "RISCV":
                found["AMO"] = t.difference(_UPDATES, _EXCLUSIVE)
            if name in ("X86", "PPC"):
                found |= {fence.lower(): found[fence] for fence in _FENCES[name]}  # as Dat3M writes them
            return found
        found = {fence: t.tagged(fence.lower()) for fences in _FENCES.values() for fence in fences}
        found |= {order: t.tagged(*tags) for order, tags in _ORDERS.items()}
        return found | {"X": t.union([_UPDATES, _EXCLUSIVE]), "EX": _EXCLUSIVE, "RMW": _UPDATES}

    def _sets_of_c(self) -> dict[str, Term]:
        orders = {order: t.tagged(*tags) for order, tags in _ORDERS.items()}
        accesses = t.union([t.READS, t.WRITES])
        atomic = t.intersection(accesses, t.union(orders.values()))
        found = dict.fromkeys(_ABSENT["C"], t.NO_EVENTS)
        if self.architecture == "LKMM":
            orders = dict.fromkeys(orders, t.NO_EVENTS)  # its annotations are those of its bell file
            # `lock` and `unlock` are the tags of xgen's own mutexes, whose fences are no events of these sets.
            found["LKR"] = t.intersection(t.READS, t.tagged("lock-read", "lock"))
            found["LKW"] = t.intersection(t.WRITES, t.tagged("lock-write", "lock"))
            found["UL"] = t.intersection(t.WRITES, t.tagged("unlock"))
            found |= {"LF": t.tagged("lock-fail"), "RL": t.tagged("is-locked"), "RU": t.tagged("is-unlocked")}
            locks = t.union(found[name] for name in ("LKR", "LKW", "LF"))
            updates = t.difference(t.union([_UPDATES, _FAILED]), locks)  # a cmpxchg that fails is one, too
        else:
            updates = _UPDATES
        plain = t.difference(t.EVENTS, atomic)
        to_plain = t.intersection(t.LOC, t.product(t.INITS, t.difference(t.intersection(plain, accesses), t.INITS)))
        return {
            **found, **orders, "A": atomic, "NA": plain, "X": _UPDATES, "RMW": updates,
            "NAL": t.intersection(t.INITS, t.domain(to_plain)),
        }  # fmt: skip

    def _relations(self) -> dict[str, Term]:
        program_order = t.intersection(t.PO, t.product(t.difference(t.EVENTS, t.INITS), t.EVENTS))
        if self.architecture != "LKMM":
            program_order = t.difference(program_order, SINGLE)
        exclusive = t.NO_PAIRS if self.architecture == "C" else t.sequence(t.identity(_EXCLUSIVE), t.RMW)
        single, pairs = (t.NO_PAIRS, exclusive) if self.one_event else (SINGLE, t.RMW)
        siblings = t.union([t.identity(t.union([t.READS, t.WRITES])), t.SI])
        dependencies = {"addr": Op.ADDR, "data": Op.DATA, "ctrl": Op.CTRL}
        if self.architecture == "AArch64":
            dependencies |= {"picked-addr": Op.PICK_ADDR, "picked-data": Op.PICK_DATA, "picked-ctrl": Op.PICK_CTRL}
        found = {name: self._dependencies(Term(op)) for name, op in dependencies.items()}
        if self.architecture == "LKMM":  # what an update computes depends on what it reads
            found["data"] = t.union([found["data"], t.sequence(t.RMW, t.identity(t.tagged("computed")))])
        return {
            **found, "po": program_order, "loc": t.LOC, "int": t.INT, "ext": t.EXT, "id": t.ID,
            "rf": self._lifted(t.RF, t.WRITES, t.READS), "co": self._lifted(t.MO, t.WRITES, t.WRITES),
            "fr": self._lifted(t.FR, t.READS, t.WRITES), "rmw": pairs, "amo": single, "lxsx": exclusive,
            "same-instance": t.union([t.ID, single, t.inverse(single)]), "sm": siblings, "si": siblings,
            "casdep": t.NO_PAIRS,
        }  # fmt: skip

    def _dependencies(self, relation: Term) -> Term:
        """Dependencies; those on the success of a store exclusive are dependencies on its write in RISC-V only."""
        if self.architecture in ("PPC", "ARM", "AArch64", "MIPS"):
            relation = t.sequence(t.identity(t.READS), relation)
        return self._lifted(relation, t.READS, t.EVENTS)

    def _lifted(self, relation: Term, source: Term, target: Term) -> Term:
        """A base relation from sources to targets, saturated where an update is one event."""
        if not self.one_event:
            return relation
        to_read, to_write = t.inverse(SINGLE), SINGLE
        befores = {t.READS: [to_read], t.WRITES: [to_write], t.EVENTS: [to_read, to_write]}[source]
        afters = {t.READS: [to_write], t.WRITES: [to_read], t.EVENTS: [to_read, to_write]}[target]
        starts = [relation, *(t.sequence(before, relation) for before in befores)]
        lifted = t.union([*starts, *(t.sequence(start, after) for after in afters for start in starts)])
        between_events = relation in (t.RF, t.MO)  # of these, no pair is of one event
        return lifted if between_events else t.difference(lifted, self.saturated(t.ID))


_COMBINED: dict[Op, Callable[[list[bool]], bool]] = {
    Op.SEQUENCE: all,
    Op.INTERSECT: any,
    Op.DIFFERENCE: lambda arguments: arguments[0],
}


def architectures_of(name: str) -> list[str]:
    """Those of whose models a name is one of the given sets or relations. Those for GPUs have names of their own."""
    worlds = {architecture: World(architecture) for architecture in ARCHITECTURES if ARCHITECTURES[architecture].model}
    return [each for each, world in worlds.items() if name in world.sets or name in world.relations]


def _may_have_identity(term: Term) -> bool:
    """Whether a relation may have a part that is not saturated."""
    known: dict[Term, bool] = {}
    for part in term.subterms():
        arguments = [known[argument] for argument in part.args if argument.kind is Kind.RELATION]
        if part.op in _COMBINED and arguments:
            known[part] = _COMBINED[part.op](arguments)
        elif part.op in (Op.UNION, Op.INVERSE, Op.PLUS, Op.FIX):
            known[part] = any(arguments)
        else:
            known[part] = part.op in (Op.ID, Op.IDENTITY, Op.OPTIONAL, Op.STAR, Op.REC_RELATION)
    return known[term]
