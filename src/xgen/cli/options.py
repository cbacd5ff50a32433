"""What the options of several commands accept."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import click

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
