"""The relations that models find defined: a row each, from which all follows that does not depend on a program.

What a relation is, the algebra says (`Op`); which pairs it has, the core (`src/core/model/evaluate.hpp`) and
`evaluate.py`. A row says less rather than more: what it does not claim is not used. But of no row may it depend on a
fence that is neither the one nor the other whether two events are related (`statics/insertion.py` says why).
"""

from __future__ import annotations

from typing import Literal

from xgen.memory.algebra import Op, Term
from xgen.records import dataclass

End = Literal["read", "write", "access", "object", "any"]
"""What events a relation starts or ends at: reads; writes; both; these, allocations and frees; any."""
Reach = Literal["on", "stay", "both", "anywhere"]
"""Where the new pairs lead when an event comes behind all others: to it; to it, also from itself; to it and from it, by
the two events alone; perhaps past it."""


@dataclass(frozen=True)
class BaseRelation:
    """`name` is what models, explanations and pictures call it, or words where no model can name it.

    `meaning` is for who writes a model that may name it. `target` is what the target of a pair is to its source.
    `beside` is what it says of a pair that another relation has, if that is all it says. `within` is po, rf, mo or fr,
    if all its pairs are that one's. `stable`: whether two events are related never changes while others come. `inits`:
    initial writes may be in its pairs.
    """

    op: Op
    name: str
    meaning: str = ""
    target: str = ""
    beside: str = ""
    source_is: End = "any"
    target_is: End = "any"
    within: Op | None = None
    symmetric: bool = False
    transitive: bool = False
    stable: bool = False
    reach: Reach = "anywhere"
    inits: bool = True

    @property
    def ends(self) -> tuple[End, End]:
        return self.source_is, self.target_is


def _dependency(op: Op, meaning: str, target: str = "", to: End = "access") -> BaseRelation:
    return BaseRelation(
        op, op.name.lower(), meaning, target, "", "access", to, Op.PO, stable=True, reach="on", inits=False
    )


BASE_RELATIONS = (
    BaseRelation(
        Op.PO, "po", "program order: transitive; initial writes come before all events of all threads",
        "later in program order", within=Op.PO, transitive=True, stable=True, reach="on",
    ),
    BaseRelation(  # transitive, as fr: no event is both the source and the target of one
        Op.RF, "rf", "from a write to each read that reads from it", "reads from it",
        source_is="write", target_is="read", within=Op.RF, transitive=True, reach="on",
    ),
    BaseRelation(
        Op.MO, "mo", "modification order: for each variable a total order of its writes, the initial one first",
        "a later write to the same variable, in the modification order",
        source_is="write", target_is="write", within=Op.MO, transitive=True, reach="on",
    ),
    BaseRelation(
        Op.FR, "fr", "from a read to the writes that come after what it reads: `rf^-1 ; mo` without the identity",
        "overwrites what it has read",
        source_is="read", target_is="write", within=Op.FR, transitive=True, reach="on", inits=False,
    ),
    BaseRelation(
        Op.LOC, "loc", "accesses to the same variable", "an access to the same variable", "same variable",
        "access", "access", symmetric=True, transitive=True, stable=True, reach="both",
    ),
    BaseRelation(
        Op.INT, "int", "events of the same thread", "in the same thread", "same thread",
        symmetric=True, transitive=True, stable=True, reach="both", inits=False,
    ),
    BaseRelation(
        Op.EXT, "ext", "events of different threads; initial writes with all events of threads",
        "in a different thread", "different threads", symmetric=True, stable=True, reach="both",
    ),
    BaseRelation(
        Op.ID, "id", "every event with itself", symmetric=True, transitive=True, stable=True, reach="stay",
    ),
    BaseRelation(
        Op.RMW, "rmw", "from the read to the write of a read-modify-write, or of a pair of exclusives",
        "the write of the same read-modify-write", "", "read", "write", Op.PO, stable=True, reach="on", inits=False,
    ),
    _dependency(
        Op.ADDR, "from a read to an event of its thread whose address depends on the value read",
        "its address depends on what was read", to="object",
    ),
    _dependency(
        Op.DATA, "from a read to a write of its thread whose value depends on the value read",
        "its value depends on what was read",
    ),
    _dependency(
        Op.CTRL, "from a read to an event of its thread that is executed or not by the value read",
        "whether it is executed depends on what was read", to="any",
    ),
    _dependency(Op.PICK_ADDR, "as `addr`, where the value read decided only which address that is", to="object"),
    _dependency(Op.PICK_DATA, "as `data`, where the value read decided only which value that is"),
    _dependency(Op.PICK_CTRL, "as `ctrl`, where the value read decided only which value decides", to="any"),
    BaseRelation(  # models have it with the identity, as `si`
        Op.SI, "same access", beside="same access",
        source_is="access", target_is="access", symmetric=True, stable=True, reach="both",
    ),
    BaseRelation(
        # an event may put others into one, as into an object
        Op.BLOCK, "same atomic block", beside="same atomic block", symmetric=True, transitive=True,
    ),
    BaseRelation(
        Op.OBJ, "same object", beside="same object",
        source_is="object", target_is="object", symmetric=True, transitive=True,
    ),
)  # fmt: skip
"""In the order in which editors list them."""

OF_OP = {relation.op: relation for relation in BASE_RELATIONS}
NAMED: dict[str, tuple[Term, str]] = {
    **{relation.name: (Term(relation.op), relation.meaning) for relation in BASE_RELATIONS if relation.meaning},
    "co": (Term(Op.MO), "modification order, as `mo`"),
    "si": (Term(Op.OPTIONAL, (Term(Op.SI),)), "each event with itself and with the other parts of its access"),
}
"""What a model in .mcm can name, and what that means."""
