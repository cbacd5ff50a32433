"""The program of a task of SV-COMP, read as the property needs it that is asked about."""

from __future__ import annotations

from typing import Any

from xgen.errors import Source
from xgen.frontends.c import read_tree
from xgen.frontends.c.text.task_file import read_task_file
from xgen.program.automaton import Program
from xgen.records import replace
from xgen.sources import read_source

NONDET = (0, 2)
"""The values that are looked at of what nobody knows, if nothing is said: a task that is found to be false is so."""
_LOOKED_AT: dict[str, dict[str, bool]] = {"no-data-race": {"races": True}, "no-overflow": {"overflow": True}}
"""What is a violation where a property is asked about, and else is none."""


def read_task(source: Source, property: str | None = None, **options: Any) -> Program:
    """The program. The options are those of `read_tree`, and count more than what the task says.

    Nothing else than the property is looked for, as far as C says what comes then: programs end by `abort`, by `exit`
    and by assertions that fail; threads wake up from condition variables without a signal.
    """
    task = read_task_file(source)
    asked = task.asked(property)
    first, *others = task.paths()
    said: dict[str, Any] = {"races": False, "exits": False, "spurious": True, "property": asked.name}
    if not options.get("any_input"):
        said["nondet"] = NONDET
    said |= _LOOKED_AT.get(asked.name, {})
    if task.data_model is not None:
        said["data_model"] = task.data_model
    said |= options
    said["others"] = (*others, *options.get("others", ()))
    program = read_tree(read_source(first), preprocessed=first.endswith(".i"), **said).program()
    assert program.asked is not None
    return replace(program, asked=replace(program.asked, expected=asked.expected))
