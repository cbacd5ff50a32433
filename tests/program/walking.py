"""Runs programs of steps by walking their trees, one access of shared memory at a time, under interleaving semantics.

It shares no code with xgen: programs are nested tuples, which `written` prints. All schedules and choices are tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

Step: TypeAlias = tuple[Any, ...]
Outcome: TypeAlias = tuple[tuple[str, int], ...]
ACCESS = "access"
LOCALS = ("a", "b")
SHARED = ("x", "y")


class Left(Exception):
    """A `break` or a `continue`."""


class Done(Exception):
    """A `return`, or an `assume` that does not hold (`blocked`)."""

    def __init__(self, blocked: bool) -> None:
        self.blocked = blocked


def value(expression: Any, state: dict[str, int], me: int) -> int:
    """Of a number, a local, `me`, a cell `("cell", index)`, or an operation `(op, left, right)`."""
    if isinstance(expression, int):
        return expression
    if isinstance(expression, str):
        return me if expression == "me" else state[expression]
    op, left, *right = expression
    if op == "cell":
        return state[f"t[{value(left, state, me)}]"]
    a, b = value(left, state, me), value(right[0], state, me)
    return {"+": a + b, "=": int(a == b), "<": int(a < b), "bitand": a & b}[op]


def walk(steps: Any, local: dict[str, int], shared: dict[str, int], me: int) -> Iterator[Any]:
    """Runs steps; yields `ACCESS` before each access, and the number of ways before a choice, whose number it gets."""
    for step in steps:
        match step:
            case ("assign", target, expression):
                local[target] = value(expression, local, me)
            case ("set", index, expression):
                result = value(expression, local, me)
                local[f"t[{value(index, local, me)}]"] = result
            case ("load", target, variable):
                yield ACCESS
                local[target] = shared[variable]
            case ("store", expression, variable):
                result = value(expression, local, me)
                yield ACCESS
                shared[variable] = result
            case ("add", target, variable):
                yield ACCESS
                local[target] = shared[variable]
                shared[variable] += 1
            case ("assume", condition):
                if not value(condition, local, me):
                    raise Done(True)
            case ("if", condition, positive, negative):
                yield from walk(positive if value(condition, local, me) else negative, local, shared, me)
            case ("while", condition, body):
                while value(condition, local, me):
                    try:
                        yield from walk(body, local, shared, me)
                    except Left as left:
                        if left.args == ("break",):
                            break
            case ("do", body, condition):
                while True:
                    try:
                        yield from walk(body, local, shared, me)
                    except Left as left:
                        if left.args == ("break",):
                            break
                    if not value(condition, local, me):
                        break
            case ("for", counter, last, body):
                local[counter] = 0
                while local[counter] <= value(last, local, me):
                    try:
                        yield from walk(body, local, shared, me)
                    except Left as left:
                        if left.args == ("break",):
                            break
                    local[counter] += 1
            case ("choose", *blocks):
                number = yield len(blocks)
                yield from walk(blocks[number], local, shared, me)
            case ("break",) | ("continue",):
                raise Left(step[0])
            case ("return",):
                raise Done(False)


def outcomes(threads: list[Any]) -> set[Outcome]:
    """The final values of all complete runs."""
    found: set[Outcome] = set()
    work: list[tuple[tuple[int, int], ...]] = [()]
    while work:
        schedule = work.pop()
        result, ways = run(threads, schedule)
        if result is not None:
            found.add(result)
        work += [(*schedule, way) for way in ways]
    return found


def run(threads: list[Any], schedule: tuple[tuple[int, int], ...]) -> tuple[Outcome | None, list[tuple[int, int]]]:
    """What a schedule leads to: an outcome, or the ways to go on: a thread, and what it chooses."""
    shared = dict.fromkeys(SHARED, 0)
    states = [dict.fromkeys((*LOCALS, "i", "t[0]", "t[1]"), 0) for _ in threads]
    runs = [walk(steps, states[n], shared, n) for n, steps in enumerate(threads)]
    waits: list[Any] = []
    blocked = False

    def go(number: int, choice: int | None) -> Any:
        nonlocal blocked
        try:
            return runs[number].send(choice)  # type: ignore[attr-defined]  # a generator
        except StopIteration:
            return None
        except Done as done:
            blocked |= done.blocked
            return None

    waits = [go(number, None) for number in range(len(threads))]
    for thread, choice in schedule:
        waits[thread] = go(thread, choice)
    ways = [
        (number, choice)
        for number, wait in enumerate(waits)
        if wait is not None
        for choice in range(1 if wait == ACCESS else wait)
    ]
    if blocked:
        return None, []
    if ways:
        return None, ways
    final = {
        **shared,
        **{f"p[{n}]:{name}": state[name] for n, state in enumerate(states) for name in state if name != "i"},
    }
    return tuple(sorted(final.items())), []


def text(expression: Any) -> str:
    if not isinstance(expression, tuple):
        return str(expression)
    op, left, *right = expression
    if op == "cell":
        return f"t[{text(left)}]"
    return f"({text(left)} {op} {text(right[0])})"


def written(steps: Any, indent: str = "  ") -> str:
    """The steps as xgen reads them."""
    lines = []
    inner = indent + "  "
    for step in steps:
        match step:
            case ("assign", target, expression):
                lines.append(f"{target} := {text(expression)};")
            case ("set", index, expression):
                lines.append(f"t[{text(index)}] := {text(expression)};")
            case ("load", target, variable):
                lines.append(f"{target} <- {variable};")
            case ("store", expression, variable):
                lines.append(f"{text(expression)} -> {variable};")
            case ("add", target, variable):
                lines.append(f"{target} <- fetch_add({variable}, 1);")
            case ("assume", what):
                lines.append(f"assume {text(what)};")
            case ("if", what, positive, negative):
                other = f" else {{\n{written(negative, inner)}{indent}}}" if negative else ""
                lines.append(f"if {text(what)} {{\n{written(positive, inner)}{indent}}}{other}")
            case ("while", what, body):
                lines.append(f"while {text(what)} {{\n{written(body, inner)}{indent}}}")
            case ("do", body, what):
                lines.append(f"do {{\n{written(body, inner)}{indent}}} while {text(what)};")
            case ("for", counter, last, body):
                lines.append(f"for {counter} in 0 .. {text(last)} {{\n{written(body, inner)}{indent}}}")
            case ("choose", *blocks):
                inside = " or ".join(f"{{\n{written(block, inner)}{indent}}}" for block in blocks)
                lines.append(f"choose {inside}")
            case (word,):
                lines.append(f"{word};")
    return "".join(f"{indent}{line}\n" for line in lines)
