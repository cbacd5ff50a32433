"""A model made ready for a program: with what the program asks of it, in the usual forms, and how it is explored."""

from __future__ import annotations

from xgen.memory import algebra
from xgen.memory.adapt import (
    AT_END,
    families,
    with_atomic_blocks,
    with_atomic_exclusives,
    with_atomic_updates,
    with_barriers,
    with_families,
    with_races,
    without_races,
)
from xgen.memory.algebra import Model
from xgen.memory.cache import remembered
from xgen.memory.statics.strategy import Strategy, choose_strategy, forbids_intervening
from xgen.memory.statics.vocabulary import mentioned_tags, operators
from xgen.memory.terms import normalised, of_whole_accesses
from xgen.records import dataclass, replace


@dataclass(frozen=True)
class Needs:
    """What of a program its model is made ready for.

    tags        of its events, of families
    barriers    it has some at which threads meet
    updates     it has read-modify-writes
    exclusive   it has pairs of exclusive accesses that write
    exclusives  it has exclusive accesses, or updates of several parts
    split       it has updates of several parts
    parts       it has accesses of several parts
    blocks      it has atomic blocks
    races       they are violations whatever the model says; False: they are none
    classes     of executions are explored
    """

    tags: frozenset[str]
    barriers: bool
    updates: bool
    exclusive: bool
    exclusives: bool
    split: bool
    parts: bool
    blocks: bool
    races: bool | None
    classes: bool


@dataclass(frozen=True)
class Ready:
    """A model for programs with some needs, and the strategy by which these are explored."""

    model: Model
    strategy: Strategy


@dataclass(frozen=True)
class Facts:
    """What of a model decides how programs are explored.

    tags          those that tell classes of events apart
    dependencies  it speaks of addr, data or ctrl
    buffering     executions with a cycle in po | rf have to be built
    whole         two writes of several parts have the same order in each part
    unaddressed   a write may come before an access that precedes it in program order has an address
    lasting       its form shows that a thread can read last writes again and again
    """

    tags: frozenset[str]
    dependencies: bool
    buffering: bool
    whole: bool
    unaddressed: bool
    lasting: bool


@remembered
def facts(model: Model) -> Facts:
    """What is known of a model."""
    # These are long to import.
    from xgen.memory.plans.nodes import UPDATES
    from xgen.memory.statics.base_order import goes_on_unaddressed, load_buffering, writes_whole
    from xgen.memory.statics.polarity import extensible

    return Facts(
        frozenset(mentioned_tags(model)) | UPDATES,
        not operators(model).isdisjoint(algebra.DEPENDENCIES),
        load_buffering(model)[0],
        writes_whole(model),
        goes_on_unaddressed(model),
        all(
            c.flag or extensible(c.condition) or forbids_intervening(c.condition) for c in model.constraints
        ),  # where it reads, no update succeeds
    )


@remembered
def ready(model: Model, needs: Needs) -> Ready:
    """The model with all that programs with these needs ask of it."""
    made = with_atomic_exclusives(model) if needs.exclusive else model
    made = of_tags(with_barriers(made) if needs.barriers else made, needs.tags)
    if needs.split:
        made = with_atomic_updates(made)
    made = usual(made, needs.parts)
    strategy = strategy_of(made, needs)
    if needs.blocks:
        own = len(made.constraints)
        made = with_atomic_blocks(made)
        late = dict.fromkeys(range(own, len(made.constraints)), AT_END)
        strategy = replace(strategy, at_end=strategy.at_end | late)
    if needs.races is not None:
        made = with_races(made) if needs.races else without_races(made)
    return Ready(made, strategy)


def strategy_of(model: Model, needs: Needs) -> Strategy:
    """How programs with these needs are explored."""
    return choose_strategy(model, needs.updates, needs.exclusives, needs.classes, needs.parts)


def usual(model: Model, parts: bool) -> Model:
    """The model with its terms in the usual forms; `parts`: some accesses have several."""
    return normalised(model) if parts else of_whole_accesses(model)


def of_tags(model: Model, tags: frozenset[str]) -> Model:
    """The model with its families of tags as the program has them."""
    wanted = tuple(f"{family}." for family in families(model))
    return with_families(model, frozenset(tag for tag in tags if tag.startswith(wanted))) if wanted else model
