"""Options that several commands have, and what they accept."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import click

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
Callback = Callable[[click.Context, click.Parameter, Any], Any]


def within(least: int, most: int) -> Callback:
    """Accepts numbers in a range. (That of click.IntRange is shown in the help text, where it says nothing.)"""

    def check(ctx: click.Context, param: click.Parameter, value: int | None) -> int | None:  # noqa: ARG001
        if value is not None and not least <= value <= most:
            raise click.BadParameter(f"{value} is not in the range from {least} to {most}.")
        return value

    return check


def positive(ctx: click.Context, param: click.Parameter, value: float | None) -> float | None:  # noqa: ARG001
    """Accepts positive numbers of seconds."""
    if value is not None and not (math.isfinite(value) and value > 0):
        raise click.BadParameter("this is not a positive number of seconds.")
    return value


max_depth = click.option(
    "--max-depth", type=int, callback=within(1, 2**31 - 1), metavar="N", help="At most N events per thread."
)


def timeout(meaning: str, default: float | None = None) -> Decorator:
    """The option --timeout, a number of seconds."""
    return click.option(
        "--timeout",
        type=float,
        callback=positive,
        default=default,
        show_default=default is not None,
        metavar="S",
        help=meaning,
    )


def workers(meaning: str) -> Decorator:
    """The option --workers, a number of threads or processes."""
    return click.option(
        "--workers", type=int, callback=within(1, 256), default=1, show_default=True, metavar="N", help=meaning
    )
