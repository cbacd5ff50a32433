"""Small C programs in tests."""

from __future__ import annotations

from functools import cache
from typing import Any

import xgen

HEAD = """#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

"""

INTEGERS = {
    "signed char": (8, True),
    "unsigned char": (8, False),
    "short": (16, True),
    "unsigned short": (16, False),
    "int": (32, True),
    "unsigned": (32, False),
    "long": (64, True),
    "unsigned long": (64, False),
    "long long": (64, True),
}
"""Types, with their bits, and whether they have a sign."""


@cache
def model(name: str) -> xgen.Model:
    return xgen.model(name)


def load(text: str, **options: Any) -> xgen.Program:
    return xgen.parse(text, "c", "test.c", **options)


KNOWING = ("sc", "ra", "rc11", "rc11-c20")
"""Models that know all orders of C. Others are asked about the text as it stands."""


def mapped(mcm: str, options: dict[str, Any]) -> dict[str, Any]:
    return options if mcm in KNOWING else {"map": "none", **options}


def run(text: str, mcm: str = "rc11", **options: Any) -> xgen.Result:
    """The result of exploring everything."""
    return xgen.check(load(HEAD + text, **mapped(mcm, options)), model(mcm), all_states=True, trace_limit=0)


def main(body: str, before: str = "", **options: Any) -> xgen.Result:
    return run(f"{before}\nint main() {{\n{body}\n}}", **options)


def kinds(text: str, mcm: str = "rc11", **options: Any) -> list[tuple[str, int]]:
    """What goes wrong, and in which line of the text."""
    result = xgen.check(load(HEAD + text, **mapped(mcm, options)), model(mcm))
    if result.witness is None:
        return []
    lines = HEAD.count("\n")
    return [(violation.kind, violation.position.line - lines) for violation in result.witness.violations]


def threads(*bodies: str, before: str = "", after: str = "") -> str:
    """A program in which main starts a thread for each body, and waits for all."""
    functions = "\n".join(f"void *t{k}(void *arg) {{ {body} return 0; }}" for k, body in enumerate(bodies))
    count = len(bodies)
    starts = "\n".join(f"  pthread_create(&t[{k}], 0, t{k}, 0);" for k in range(count))
    joins = "\n".join(f"  pthread_join(t[{k}], 0);" for k in range(count))
    return f"{before}\n{functions}\nint main() {{\n  pthread_t t[{count}];\n{starts}\n{joins}\n  {after}\n}}\n"
