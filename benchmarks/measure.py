"""Measuring: one row of the table for a program under a model, by xgen or by another tool."""

from __future__ import annotations

import functools
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import product
from pathlib import Path

import tools
from families import Instance
from harness import apart
from once import Explored, Job, explored

import xgen

FIELDS = [
    "tool", "version", "program", "family", "size", "model", "workers", "executions", "blocked", "bounded", "explored",
    "seconds", "executions_per_second", "ns_per_graph", "graphs_held", "peak_mib", "startup", "load",
]  # fmt: skip

Row = dict[str, object]

LEAST = 0.5
"""What another tool takes beyond its start-up is no measurement if it is less than this part of the start-up."""

LIMIT = tools.LIMIT
"""Seconds that xgen gets for one program: as many as the others."""


def _row(instance: Instance, load: float, **values: object) -> Row:
    named = {"program": instance.name, "family": instance.family, "size": instance.size}
    return {field: ({**named, **values, "load": round(load, 2)}).get(field, "") for field in FIELDS}


def measure(
    instance: Instance, model: str, workers: int, repeat: int, timeout: float | None = None, limit: float | None = None
) -> Row:
    """What xgen does: the best of the repetitions, each in a fresh process; stopped after `timeout` seconds.

    Without a timeout it has `limit` seconds, as long as other tools if none is given; TimeoutError is raised if that is
    not enough.
    """
    limit = limit or LIMIT if timeout is None else None
    load, runs = os.getloadavg()[0], []
    for _ in range(repeat):
        job = Job(instance.text, model, workers, instance.depth, timeout, instance.file)
        runs.append(Explored(**apart(explored, asdict(job), limit=limit)))
    # A run that was stopped has done the more the better it went.
    best = min(runs, key=lambda found: found.seconds / max(found.explored, 1))
    return _row(
        instance, load, tool="xgen", version=xgen.__version__, model=model, workers=workers,
        executions=best.executions, blocked=best.blocked, bounded=best.bounded, explored=best.explored,
        seconds=round(best.seconds, 6),
        executions_per_second=round((best.executions + best.blocked + best.bounded) / max(best.seconds, 1e-9)),
        ns_per_graph=round(best.seconds / max(best.explored, 1) * 1e9), graphs_held=best.held,
        peak_mib=round(best.peak_mib, 1), startup=round(min(found.startup for found in runs), 3),
    )  # fmt: skip


@functools.cache
def _startup(tool: tools.Tool, model: tools.Model, repeat: int) -> float:
    """Seconds that the tool takes for a program with nothing to explore."""
    with tempfile.TemporaryDirectory() as folder:
        runs = [tools.explore(tool, model, tools.NOTHING, 1, Path(folder))[0] for _ in range(repeat)]
    return min(finished.cpu for finished in runs)


def measure_tool(tool: tools.Tool, instance: Instance, model: tools.Model, workers: int, repeat: int) -> Row:
    """What another tool does. Raises ValueError, TimeoutError or XgenError where it cannot do it."""
    load = os.getloadavg()[0]
    startup = _startup(tool, model, repeat)
    with tempfile.TemporaryDirectory() as folder:
        runs = [tools.explore(tool, model, instance, workers, Path(folder)) for _ in range(repeat)]
    finished, counted = min(runs, key=lambda pair: pair[0].cpu)
    # Workers share the work, and then the clock says how long it took.
    seconds = (finished.cpu if workers == 1 else finished.seconds) - startup
    rate = round((counted.executions + counted.blocked) / seconds) if seconds >= LEAST * startup else ""
    return _row(
        instance, load, tool=tool.name, version=_version(tool), model=model.name, workers=workers,
        executions=counted.executions, blocked=counted.blocked, seconds=round(max(seconds, 0), 3),
        executions_per_second=rate, peak_mib=round(finished.peak_mib, 1), startup=round(startup, 3),
    )  # fmt: skip


@functools.cache
def _version(tool: tools.Tool) -> str:
    return tools.version(tool)


def compare(
    instances: Sequence[Instance],
    models: Sequence[str],
    workers: Sequence[int],
    repeat: int,
    others: Sequence[tools.Tool],
    limit: float | None = None,
) -> Iterator[Row]:
    """Rows of xgen and of the other tools that have a model; what they cannot do, and other counts, on stderr.

    `limit` is how long xgen has, if not as long as the others. A tool for which a program took too long is not given
    the programs of the family that come behind it.
    """
    tired: set[tuple[tools.Tool | None, str, str]] = set()
    for instance, model in product(instances, models):
        count: object = None
        for tool, number in product((None, *others), workers):
            key = (tool, model, instance.family)
            if key in tired or (tool and model not in tool.models):
                continue
            told = f"{instance.name}: {f'{tool.name} {tool.models[model].name}' if tool else f'xgen {model}'}"
            try:
                if tool:
                    row = measure_tool(tool, instance, tool.models[model], number, repeat)
                else:
                    row = measure(instance, model, number, repeat, limit=limit)
            except (ValueError, TimeoutError, xgen.XgenError) as error:
                print(f"{told}: left out: {error}", file=sys.stderr)
                if isinstance(error, TimeoutError):
                    tired.add(key)
                continue
            count = row["executions"] if count is None else count
            if row["executions"] != count:
                print(f"{told}: MISMATCH: {row['executions']} executions, not {count}", file=sys.stderr)
            yield row
