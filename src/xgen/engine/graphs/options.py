"""How graphs are explored, and how far an exploration has come."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from xgen.engine.problem import Filter
from xgen.executions.result import Classes
from xgen.records import dataclass

if TYPE_CHECKING:
    from xgen.lowering.analysis.symmetry import Like


@dataclass(frozen=True, slots=True)
class Calls:
    """Calls of which executions tell how they are ordered, as src/core/search/calls.hpp says.

    `ends`: the cells of their results. `leads`: program order and reads-from may not be a cycle. `total`: nor may these
    with modification order and what overwrites what is read, and that is all that is asked for. `releases`, `acquires`:
    the tags of writes and reads by which threads agree on what has been before; none where that tells nothing.
    """

    ends: tuple[int, ...]
    leads: bool
    total: bool = False
    releases: frozenset[str] = frozenset()
    acquires: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Options:
    """How to explore; see `xgen.check`. For `shared_plan` see `make_plan`.

    `undefined`: executions that leave the program without a meaning (`undefined_unless`) are violations. `liveness`:
    so are those in which threads wait for ever. `symmetry`: where classes are explored, threads that do the same are
    told apart only when they are counted. `partition`: what classes are of, where they are explored. `graphs`: the run
    stops when it has visited so many. `calls`: final states that differ in what is known of these are told apart.
    `like`: of executions that differ by the names of these threads only, one is visited, or some.
    `in_order`: of programs that turn out to have no load buffering, executions are built by revisits.
    `stale`: executions are not left out in which a thread waits for ever though what it has read is overwritten.
    """

    max_depth: int | None = None
    all_states: bool = False
    filter: Filter = "in-situ"
    unroll: bool = False
    workers: int = 1
    timeout: float | None = None
    trace_limit: int = 0
    stream: bool = False
    dependencies: bool = False
    shared_plan: bool = False
    undefined: bool = True
    liveness: bool = False
    symmetry: bool = False
    partition: Classes = "rf"
    graphs: int | None = None
    calls: Calls | None = None
    like: Like | None = None
    stale: bool = False
    in_order: bool = False


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run has come; `total` is about how many graphs there are in all, where that was estimated.

    `note`: what else there is to say of a long run.
    """

    executions: int
    blocked: int
    bounded: int
    explored: int
    seconds: float
    total: float | None = None
    note: str = ""


@dataclass(frozen=True)
class Long:
    """How a run is spread and kept.

    processes   that explore; None: this one does
    cluster     the address of a scheduler of Dask whose workers explore
    checkpoint  the file that it is kept in; where that exists, its run goes on
    memory      the limit for all processes together, in bytes; None: most of what there is
    about       what a new checkpoint says of the run beside what has to be the same to go on
    longest     seconds of a slice, at most
    """

    processes: int | None = None
    cluster: str | None = None
    checkpoint: Path | None = None
    memory: int | None = None
    about: Mapping[str, Any] = field(default_factory=dict)
    longest: float | None = None
