"""Options that cannot be used together: tables that say which, and why, in the words of whoever asks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from xgen.errors import listed
from xgen.records import dataclass


@dataclass(frozen=True)
class Excludes:
    """An option that cannot be used with any of some others; `unless` one more is given."""

    option: str
    others: tuple[str, ...]
    why: str
    unless: tuple[str, ...] = ()


@dataclass(frozen=True)
class Needs:
    """An option that means something only with one of some others."""

    option: str
    others: tuple[str, ...]
    why: str


Rule = Excludes | Needs


def in_python(option: str) -> str:
    """What an option is called in Python: `classes='rf'`."""
    name, _, value = option.partition(" ")
    return f"`{name}={value!r}`" if value else f"`{name}`"


def refusal(rules: Iterable[Rule], given: Collection[str], called: Callable[[str], str] = in_python) -> str | None:
    """Why options cannot be used together, by the first rule that says so; None: they can.

    `given` are those that are not as they are by default, by their names in the rules: that of a choice has the value
    behind it, as in `classes rf`. `called` says what the user calls them.
    """
    for rule in rules:
        met = [other for other in rule.others if other in given]
        if rule.option not in given:
            continue
        if isinstance(rule, Needs):
            if not met:
                return f"{called(rule.option)} needs {listed(list(map(called, rule.others)), 'or')}: {rule.why}"
        elif met and not any(other in given for other in rule.unless):
            return f"{called(rule.option)} cannot be used with {called(met[0])}: {rule.why}"
    return None
