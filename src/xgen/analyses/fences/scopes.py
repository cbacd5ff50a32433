"""Fences and orders with scopes, of PTX, Vulkan, OpenCL and HIP: their words, and how they are put in.

A word is what an instruction says: `acq_rel.gpu` and `sc.cta` of PTX's `fence`, `rel.wg.semsc0.semav` of Vulkan's
`membar`, `acquire.wg.global` of OpenCL's `atomic_work_item_fence`, `release.agent` of HIP's fences; of accesses, what
follows their name. Scopes that are wider than all threads of the program need are not tried. In OpenCL a wider scope is
another one, not a stronger one: two accesses are in each other's scope only if they name the same.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import field
from functools import cache
from itertools import combinations, product
from typing import ClassVar

from xgen.analyses.fences.kinds import Kind
from xgen.errors import Position
from xgen.program.automaton import (
    Fence,
    IntLiteral,
    Load,
    Name,
    Place,
    Procedure,
    Process,
    Program,
    Statement,
    Store,
    Type,
    Variable,
)
from xgen.program.uses import tags_of
from xgen.records import dataclass, replace
from xgen.tags import ORDERED_FENCES, PLACES, SYSTEM

_GROUPS = tuple(f"{family}." for family in (*PLACES, *SYSTEM))
_HIDDEN = ("hidden", "arrival")
_ORDERS = {"acquire": "acq", "release": "rel"}
"""Vulkan's words for orders."""


def is_hidden(statement: Statement) -> bool:
    """Whether a statement stands for a part of a fence or of a barrier."""
    return any(tag in _HIDDEN for tag in tags_of(statement))


def groups_of(process: Process) -> tuple[str, ...]:
    """The tags that all events of a thread bear for where it stands; none where it is of no GPU."""
    bodies: tuple[Process | Procedure, ...] = process.procedures or (process,)
    for body in bodies:
        for edge in body.edges:
            for statement in edge.statements:
                found = tuple(tag for tag in tags_of(statement) if tag.startswith(_GROUPS))
                if found:
                    return found
    return ()


def scopes_of(program: Program) -> Scopes | None:
    """What fences and orders with scopes there are for a program; None where its threads stand in no groups."""
    groups = [found for found in map(groups_of, program.processes) if found]
    families = {tag.partition(".")[0] for found in groups for tag in found}
    machine = _machine(families)
    if machine is None:
        return None
    used: set[str] = set()
    for process in program.processes:
        for body in process.procedures or (process,):
            used.update(tag for edge in body.edges for statement in edge.statements for tag in tags_of(statement))
    shared = [family for family in machine.families if len({_group(found, family) for found in groups}) == 1]
    level = machine.families.index(shared[0]) if shared else len(machine.families)
    return machine(machine.scopes[: level + 1], frozenset(used))


def _machine(families: Collection[str]) -> type[Scopes] | None:
    return next((each for each in _machines() if set(each.families) <= set(families)), None)


def _machines() -> tuple[type[Scopes], ...]:
    return _PtxClusters, _Ptx, _Vulkan, _OpenCl, _Hip


def access_of(statement: Statement) -> type[Scopes] | None:
    """Whose access it is; None where it is of no GPU."""
    return _machine({tag.partition(".")[0] for tag in tags_of(statement) if tag.startswith(_GROUPS)})


def machine_of(program: Program) -> str | None:
    """Whose program it is: "PTX", "Vulkan", "OpenCL" or "HIP"; None where its threads stand in no groups."""
    found = scopes_of(program)
    return None if found is None else found.name


def _group(groups: Sequence[str], family: str) -> str:
    return next(tag for tag in groups if tag.startswith(f"{family}."))


def fence_of(word: str, process: Process, position: Position) -> Statement:
    """The statement that stands for a fence with this word in a thread."""
    machine = next((each for each in _machines() if each.is_fence(word)), None)
    if machine is None:
        return Fence(word or None, position, inserted=True)
    return machine.fence(word, groups_of(process), position)


def is_store(word: str) -> bool:
    """Whether a fence with this word is a write to a cell of xgen's own."""
    return word.startswith("sc.")


def joined_fences(names: Sequence[str]) -> list[str] | None:
    """The fences that have these strengths; None where they have no scopes."""
    machine = next((each for each in _machines() if names and all(map(each.is_fence, names))), None)
    return None if machine is None else machine.joined(names)


@dataclass(frozen=True)
class Scopes(ABC):
    """What there is for one program: `reach` are the scopes that can matter, the narrowest first, `used` its tags."""

    reach: tuple[str, ...]
    used: frozenset[str] = field(default=frozenset())

    name: ClassVar[str]
    families: ClassVar[tuple[str, ...]]
    """Of the groups that threads are in, the smallest first; what is beyond the last one has all threads."""
    scopes: ClassVar[tuple[str, ...]]
    """The narrowest first, one for each of the families and one for all."""
    orders: ClassVar[tuple[str, ...]]
    """Those of fences."""

    @classmethod
    def is_fence(cls, word: str) -> bool:
        """Whether it is the word of a fence."""
        return word in cls.words()

    @classmethod
    @abstractmethod
    def words(cls) -> Collection[str]:
        """Those of all fences."""

    @classmethod
    @abstractmethod
    def joined(cls, names: Sequence[str]) -> list[str]:
        """The fences that have these strengths."""

    @classmethod
    @abstractmethod
    def fence(cls, word: str, groups: tuple[str, ...], position: Position) -> Statement:
        """The statement that stands for a fence."""

    @abstractmethod
    def kinds(self) -> str:
        """The fences that are tried, with their costs, as they would be written for `--kinds`."""

    @abstractmethod
    def word_of(self, statement: Statement) -> str | None:
        """The word of a fence that the program has."""

    def is_removed(self, statement: Statement, kinds: Iterable[Kind]) -> bool:
        """Whether a fence of the program is one of those that are tried, in whichever scope."""
        word = self.word_of(statement)
        if word is None:
            return False
        orders = {order for kind in kinds for order in _parts(kind.name)}
        return set(_parts(word)) <= orders

    def order_kinds(self, statement: Statement) -> tuple[Kind, ...]:
        """The orders and scopes that an access could have beyond its own, each with what is weaker."""
        if not isinstance(statement, Load | Store) or is_hidden(statement) or statement.order is None:
            own = None
        else:
            own = statement.order, next((s for s in self.scopes if s in statement.tags), "")
        chain = self.chain(statement)
        if not chain:
            return ()
        least = (own[0] if own else chain[0], own[1] if own else self.reach[0])
        if least[0] not in chain or least[1] not in self.scopes:
            return ()
        first = [] if own else [least]
        wider = [(least[0], s) for s in self.reach if self.scopes.index(s) > self.scopes.index(least[1])]
        stronger = [(order, least[1]) for order in chain[chain.index(least[0]) + 1 :]]
        kinds: list[Kind] = []
        for n, steps in enumerate((first, wider, stronger)):
            below = tuple(".".join(each) for each in first) if n else ()
            for step in steps:
                name = ".".join(step)
                kinds.append(Kind(name, 1 + len(below), 1, below))
                below = (*below, name)
        return tuple(kinds)

    def chain(self, statement: Statement) -> tuple[str, ...]:
        """The orders that an access can have, the weakest first; none where it cannot have others."""
        if not isinstance(statement, Load | Store) or is_hidden(statement):
            return ()
        if isinstance(statement, Load) and statement.exclusive:
            return ()  # of an update, whose write has the other half of its order
        return self.orders_of(statement)

    @classmethod
    @abstractmethod
    def orders_of(cls, statement: Load | Store) -> tuple[str, ...]:
        """The same, of an access that is no part of anything else."""

    @classmethod
    def strengthened(cls, statement: Load | Store, names: Iterable[str]) -> str:
        """The order and scope that an access has with these strengths."""
        found = [tuple(name.split(".")) for name in names]
        if statement.order is not None:
            found.append((statement.order, next(s for s in cls.scopes if s in statement.tags)))
        chain = cls.orders_of(statement)
        order = max((order for order, _ in found), key=chain.index)
        return f"{order}.{max((scope for _, scope in found), key=cls.scopes.index)}"

    @classmethod
    def ordered(cls, statement: Load | Store, word: str) -> Load | Store:
        """An access with this order and scope."""
        order, scope = word.split(".")
        rest = tuple(tag for tag in statement.tags if tag not in cls.scopes)
        return replace(statement, order=order, tags=(scope, *rest))


def _parts(word: str) -> tuple[str, ...]:
    """The orders that a fence's word has."""
    order = word if word.startswith("proxy.") else word.partition(".")[0]
    return {"acq_rel": ("acquire", "release"), "acq": ("acquire",), "rel": ("release",)}.get(order, (order,))


# ---- PTX


class _Ptx(Scopes):
    name = "PTX"
    families: ClassVar[tuple[str, ...]] = ("cta", "gpu")
    scopes: ClassVar[tuple[str, ...]] = ("cta", "gpu", "sys")
    orders = ("acq_rel", "sc")
    PROXIES = ("alias", "texture", "surface", "constant", "generic")

    @classmethod
    @cache
    def words(cls) -> Collection[str]:
        ordered = {f"{order}.{scope}" for order, scope in product(cls.orders, cls.scopes)}
        return ordered | {f"proxy.{proxy}" for proxy in cls.PROXIES}

    @classmethod
    def joined(cls, names: Sequence[str]) -> list[str]:
        """One fence in the widest of the scopes, and those of proxies."""
        proxies = [name for name in names if name.startswith("proxy.")]
        others = [tuple(name.split(".")) for name in names if name not in proxies]
        if not others:
            return proxies
        order = max((order for order, _ in others), key=cls.orders.index)
        return [f"{order}.{max((scope for _, scope in others), key=cls.scopes.index)}", *proxies]

    @classmethod
    def fence(cls, word: str, groups: tuple[str, ...], position: Position) -> Statement:
        order, scope = word.split(".")
        if order == "proxy":
            return Fence(scope, position, groups, inserted=True)
        if order == "acq_rel":
            return Fence(order, position, (scope, "generic", *groups), inserted=True)
        place = Place(Name(ORDERED_FENCES, position), (IntLiteral(0),))
        return Store(IntLiteral(0), place, False, "seq_cst", position, (scope, "generic", "hidden", *groups))

    def kinds(self) -> str:
        first, *wider = self.reach
        chain = "<".join([f"acq_rel.{first}=1", *(f"acq_rel.{scope}={n}" for n, scope in enumerate(wider, 2))])
        found = [chain, f"acq_rel.{first}<sc.{first}=3"]
        if any(tag.startswith("address.") and tag != "address.own" for tag in self.used):
            found.append("proxy.alias=1")
        found += [f"proxy.{proxy}=1" for proxy in self.PROXIES[1:4] if proxy in self.used]
        return ",".join(found)

    def word_of(self, statement: Statement) -> str | None:
        scope = next((each for each in self.scopes if each in tags_of(statement)), None)
        if isinstance(statement, Fence) and statement.tag in self.PROXIES:
            return f"proxy.{statement.tag}"
        if isinstance(statement, Fence) and statement.tag == "acq_rel" and scope:
            return f"acq_rel.{scope}"
        if is_ordered_fence(statement):
            return f"sc.{scope}"
        return None

    @classmethod
    def orders_of(cls, statement: Load | Store) -> tuple[str, ...]:
        if "constant" in statement.tags or "texture" in statement.tags:
            return ()
        return ("relaxed", "acquire") if isinstance(statement, Load) else ("relaxed", "release")


class _PtxClusters(_Ptx):
    """Of blocks in clusters."""

    families = ("cta", "cluster", "gpu")
    scopes = ("cta", "cluster", "gpu", "sys")


def is_ordered_fence(statement: Statement) -> bool:
    """Whether it is the write that stands for a `fence.sc`."""
    if not isinstance(statement, Store):
        return False
    return isinstance(statement.place, Place) and statement.place.name.name == ORDERED_FENCES


def with_cell(program: Program, kinds: Iterable[Kind]) -> Program:
    """The program with the cell that `fence.sc` writes, if such fences are among the kinds."""
    needed = any(is_store(kind.name) for kind in kinds)
    if not needed or any(variable.name == ORDERED_FENCES for variable in program.variables):
        return program
    return replace(program, variables=(*program.variables, Variable(ORDERED_FENCES, Type("int", (1,)))))


# ---- Vulkan


class _Vulkan(Scopes):
    name = "Vulkan"
    families = ("sg", "wg", "qf")
    scopes = ("sg", "wg", "qf", "dv")
    orders = ("acq", "rel")
    SIDES: ClassVar = {"acq": "semvis", "rel": "semav"}
    STORAGE = ("sc0", "sc1", "sc2", "sc3")

    @classmethod
    @cache
    def words(cls) -> Collection[str]:
        found: set[str] = set()
        classes = [f"sem{each}" for each in cls.STORAGE]
        several = [".".join(some) for n in range(1, 5) for some in combinations(classes, n)]
        sides = {"acq": ("", ".semvis"), "rel": ("", ".semav"), "acq_rel": ("", ".semav", ".semvis", ".semav.semvis")}
        for order, ends in sides.items():
            found |= {f"{order}.{s}.{some}{end}" for s, some, end in product(cls.scopes, several, ends)}
        return found

    @classmethod
    def joined(cls, names: Sequence[str]) -> list[str]:
        """A fence for each order, in the widest scope; one for both where they differ in nothing else. What acquires
        comes first: so both order as one that does both."""
        scopes: dict[str, str] = {}
        classes: dict[str, set[str]] = {}
        sides: dict[str, set[str]] = {}
        for name in names:
            said, scope, storage, more = cls._split(name)
            for order in (said,) if said in cls.orders else cls.orders:
                scopes[order] = max(scopes.get(order, scope), scope, key=cls.scopes.index)
                classes.setdefault(order, set()).update(storage.split("."))
                sides.setdefault(order, set()).update({cls.SIDES[order]} & set(more))
        if len(set(scopes.values())) == 1 and len(scopes) == 2 and classes["acq"] == classes["rel"]:
            more = sorted(sides["acq"] | sides["rel"])
            return [".".join(["acq_rel", scopes["acq"], *sorted(classes["acq"]), *more])]
        return [
            ".".join([order, scopes[order], *sorted(classes[order]), *sides[order]])
            for order in cls.orders
            if order in scopes
        ]

    @staticmethod
    def _split(word: str) -> tuple[str, str, str, list[str]]:
        """The order, the scope, the storage classes and the sides."""
        order, scope, *rest = word.split(".")
        classes = [each for each in rest if each.startswith("semsc")]
        return order, scope, ".".join(classes), [each for each in rest if each not in classes]

    @classmethod
    def fence(cls, word: str, groups: tuple[str, ...], position: Position) -> Statement:
        order, scope, classes, sides = cls._split(word)
        first, *others = {"acq": ["acquire"], "rel": ["release"]}.get(order, ["acquire", "release"])
        return Fence(first, position, (*others, scope, *classes.split("."), *sides, *groups), inserted=True)

    def kinds(self) -> str:
        found = []
        classes = ".".join(self._classes())
        for order in self.orders:
            narrow = f"{order}.{self.reach[0]}.{classes}"
            wider = enumerate(self.reach[1:], 2)
            found.append("<".join([f"{narrow}=1", *(f"{order}.{scope}.{classes}={n}" for n, scope in wider)]))
            found.append(f"{narrow}<{narrow}.{self.SIDES[order]}=2")
        return ",".join(found)

    def word_of(self, statement: Statement) -> str | None:
        if not isinstance(statement, Fence) or not any(tag.startswith("semsc") for tag in statement.tags):
            return None
        tags = (statement.tag or "", *statement.tags)
        orders = [short for long, short in _ORDERS.items() if long in tags]
        scope = next(each for each in self.scopes if each in tags)
        rest = sorted(tag for tag in tags if tag.startswith("sem"))
        return ".".join(["acq_rel" if len(orders) == 2 else orders[0], scope, *rest])

    def order_kinds(self, statement: Statement) -> tuple[Kind, ...]:
        """Of atomic accesses an order, of others being available or visible, each in a scope."""
        chain = self.chain(statement)
        if not chain or not isinstance(statement, Load | Store):
            return ()
        scope = next((each for each in self.scopes if each in statement.tags), None)
        wider = [s for s in self.reach if scope is None or self.scopes.index(s) > self.scopes.index(scope)]
        kinds: list[Kind] = []
        below: tuple[str, ...] = ()
        for each in wider:
            name = f"scope.{each}"
            kinds.append(Kind(name, 1 + len(below), 1, below))
            below = (*below, name)
        if "atom" in statement.tags:
            order, side = ".".join([chain[0], *self._classes()]), self._side(statement)
            first = () if statement.order else (order,)
            kinds += [Kind(each, 1, 1) for each in first]
            if side not in statement.tags:
                kinds.append(Kind(".".join((*first, side)), 1 + len(first), 1, first))
        return tuple(kinds)

    def _classes(self) -> list[str]:
        """What orders the storage classes that the program has."""
        return [f"sem{tag}" for tag in self.STORAGE if tag in self.used]

    @staticmethod
    def _side(statement: Load | Store) -> str:
        return "semvis" if isinstance(statement, Load) else "semav"

    @classmethod
    def orders_of(cls, statement: Load | Store) -> tuple[str, ...]:
        return ("acquire",) if isinstance(statement, Load) else ("release",)

    @classmethod
    def strengthened(cls, statement: Load | Store, names: Iterable[str]) -> str:
        """All that the access says with these strengths, as its instruction has it behind its name."""
        found = {part for name in names for part in name.split(".")}
        said = [*found, *statement.tags]
        scope = max((tag for tag in said if tag in cls.scopes), key=cls.scopes.index)
        storage = next(tag for tag in statement.tags if tag in cls.STORAGE)
        if "atom" not in statement.tags:
            return ".".join(["vis" if isinstance(statement, Load) else "av", scope, storage])
        order = statement.order or next((name for name in found if name in _ORDERS), None)
        if order is None:
            return ".".join(["atom", scope, storage])
        semantics = sorted({tag for tag in said if tag.startswith("sem")})
        return ".".join(["atom", _ORDERS[order], scope, storage, *semantics])

    @classmethod
    def ordered(cls, statement: Load | Store, word: str) -> Load | Store:
        """An access that says this."""
        own = {"atom", "nonpriv", "av", "vis", *cls.scopes, *cls.STORAGE}
        rest = tuple(tag for tag in statement.tags if tag not in own and not tag.startswith("sem"))
        words = word.split(".")
        order = next((long for long, short in _ORDERS.items() if short in words), None)
        side = "vis" if isinstance(statement, Load) else "av"
        said = tuple(each for each in words if each not in ("acq", "rel", side))
        return replace(statement, order=order, tags=("nonpriv", side, *said, *rest))


# ---- orders of C


def _joined_order(orders: Collection[str]) -> str:
    """The weakest order that has these."""
    if len(orders) == 1:
        return next(iter(orders))
    return "seq_cst" if "seq_cst" in orders else "acq_rel"


class _InWordsOfC(Scopes):
    """Orders are those of C."""

    orders = ("acquire", "release", "acq_rel", "seq_cst")

    @classmethod
    def orders_of(cls, statement: Load | Store) -> tuple[str, ...]:
        if statement.order is None:
            return ()
        return ("relaxed", "acquire", "seq_cst") if isinstance(statement, Load) else ("relaxed", "release", "seq_cst")


# ---- OpenCL


class _OpenCl(_InWordsOfC):
    name = "OpenCL"
    families = ("wg", "dv")
    scopes = ("wg", "dv", "all")
    REGIONS = ("global", "local")

    @classmethod
    @cache
    def words(cls) -> Collection[str]:
        regions = ("global", "local", "global.local")
        return {".".join(each) for each in product(cls.orders, ("wi", *cls.scopes), regions)}

    @classmethod
    def joined(cls, names: Sequence[str]) -> list[str]:
        """A fence for each scope, of all regions and orders."""
        orders: dict[str, set[str]] = {}
        regions: dict[str, set[str]] = {}
        for name in names:
            order, scope, *flags = name.split(".")
            orders.setdefault(scope, set()).add(order)
            regions.setdefault(scope, set()).update(flags)
        return [".".join([_joined_order(found), scope, *sorted(regions[scope])]) for scope, found in orders.items()]

    @classmethod
    def fence(cls, word: str, groups: tuple[str, ...], position: Position) -> Statement:
        order, scope, *regions = word.split(".")
        return Fence(order, position, (*regions, scope, *groups), inserted=True)

    def kinds(self) -> str:
        return ",".join(self._chains())

    def _chains(self) -> Iterator[str]:
        """Of each scope that an access names, and each region that there is."""
        named = [scope for scope in self.scopes if scope in self.used] or [self.reach[-1]]
        for n, scope in enumerate(named):
            for region in self.REGIONS:
                if region in self.used:
                    strong = f"seq_cst.{scope}.{region}"
                    yield f"acquire.{scope}.{region}={1 + n}<{strong}={3 + 2 * n}"
                    yield f"release.{scope}.{region}={1 + n}<{strong}"

    def word_of(self, statement: Statement) -> str | None:
        if not isinstance(statement, Fence) or statement.tag not in self.orders:
            return None
        scope = next(each for each in ("wi", *self.scopes) if each in statement.tags)
        return ".".join([statement.tag, scope, *(each for each in self.REGIONS if each in statement.tags)])


# ---- HIP


class _Hip(_InWordsOfC):
    name = "HIP"
    families = ("workgroup", "agent")
    scopes = ("workgroup", "agent", "system")

    @classmethod
    @cache
    def words(cls) -> Collection[str]:
        return {".".join(each) for each in product(cls.orders, cls.scopes)}

    @classmethod
    def joined(cls, names: Sequence[str]) -> list[str]:
        """A fence for each scope, with the orders that no fence in a wider one has."""
        found, wider = list[str](), set[str]()
        for scope in reversed(cls.scopes):
            orders = {order for order, its in (name.split(".") for name in names) if its == scope} - wider
            if orders and "seq_cst" not in wider:
                order = _joined_order(orders)
                found.append(f"{order}.{scope}")
                wider |= {order, *_parts(order)}
        return found

    @classmethod
    def fence(cls, word: str, groups: tuple[str, ...], position: Position) -> Statement:
        order, scope = word.split(".")
        return Fence(order, position, (scope, *groups), inserted=True)

    def kinds(self) -> str:
        """Each costs more than all that are weaker: those of fewer orders, and those in smaller scopes."""
        found, weaker = list[str](), 0
        for n, scope in enumerate(self.reach):
            for order in ("acquire", "release"):
                smaller = f"{order}.{self.reach[n - 1]}<" if n else ""
                found.append(f"{smaller}{order}.{scope}={2**n}<seq_cst.{scope}")
            smaller = f"seq_cst.{self.reach[n - 1]}<" if n else ""
            cost = 2 * (2 ** (n + 1) - 1) + weaker + 1
            found.append(f"{smaller}seq_cst.{scope}={cost}")
            weaker += cost
        return ",".join(found)

    def word_of(self, statement: Statement) -> str | None:
        scope = next((each for each in self.scopes if each in tags_of(statement)), None)
        if not isinstance(statement, Fence) or statement.tag not in self.orders or scope is None:
            return None
        return f"{statement.tag}.{scope}"
