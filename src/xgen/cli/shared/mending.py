"""The command that looks for fences and orders which mend what a check, or an explanation, has found."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Any

import click
from click.core import ParameterSource

import xgen
from xgen.cli import options
from xgen.clock import Clock, OutOfTime, time_limit
from xgen.errors import XgenError
from xgen.shipped import find_program
from xgen.sources import CPP, STANDARD_INPUT

TEXTS = (".xcfa", ".c", *CPP)
"""The programs whose texts `xgen fences` can change."""
CARRIED = ("model", *options.C_OPTIONS, "max_depth", "liveness")
"""What of the present command's options means the same to `xgen fences`."""


def next_command(program: xgen.Program, model: xgen.Model, clock: Clock, witness: xgen.Execution | None) -> str | None:
    """`xgen fences ...` for what the present command was asked about, if it is soon known that this helps.

    `witness`: what went wrong, with what has been tried of its program (trial.py).
    """
    context = click.get_current_context()
    name = context.params.get("program") or context.params.get("test")
    if witness is not None and any(violation.kind == "livelock" for violation in witness.violations):
        return None  # threads that take turns do what they do with fences, too
    if context.params.get("named_test") is not None:  # it knows no tests
        return None
    if name is None or name in STANDARD_INPUT or find_program(name).suffix not in TEXTS:
        return None
    from xgen.analyses.trial import mending  # long to import

    asked = context.params
    try:
        with time_limit(clock.hard):
            depth, liveness = asked.get("max_depth"), bool(asked.get("liveness"))
            helps = mending(program, model, max_depth=depth, liveness=liveness, timeout=clock.left(), witness=witness)
    except (XgenError, OutOfTime, KeyboardInterrupt):
        return None
    if helps is None:
        return None
    orders = ["--orders"] if helps == "orders" else []
    words = ["xgen", "fences", name, *_carried(context), *orders, "--cheapest"]
    flags = context.meta.get(options.FLAGS, ())
    return shlex.join([*words, *(["--", *flags] if flags else [])])


def _carried(context: click.Context) -> Iterator[str]:
    """The options that were given, and further files, as words."""
    yield from context.params.get("others", ())
    for param in context.command.params:
        key = param.name or ""
        given = context.get_parameter_source(key) is ParameterSource.COMMANDLINE
        if isinstance(param, click.Option) and key in CARRIED and given and context.params[key] is not False:
            value, flag = context.params[key], max(param.opts, key=len)
            for each in value if param.multiple else (value,):
                yield from [flag] if param.is_flag else [flag, _word(key, each)]


def _word(key: str, value: Any) -> str:
    """A value as it is written."""
    if key == "nondet":
        return f"{value[0]}..{value[1]}"
    if key == "arguments":
        return shlex.join(value)
    if key == "lock":
        return "take={},give={}".format(*value)
    return ",".join(value) if key == "stubs" else str(value)
