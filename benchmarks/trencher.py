"""Robustness beside Trencher's examples: what its files say of themselves, and the fences that xgen finds under tso.

    python benchmarks/trencher.py trencher/examples > results/trencher.csv

The folder is that of a clone of github.com/yegord/trencher (E. Derevenetc, R. Meyer; A. Bouajjani, E. Derevenetc,
R. Meyer, Checking and enforcing robustness against TSO, ESOP 2013). `said` is what a file's head says: whether the
program is robust. Its programs have no end: `xgen fences --robust --max-depth` finds fences within so many events per
thread. A section between `lock` and `unlock` becomes an atomic block between fences. Where no `check` holds
outside of one, a process ends, so that what it did before counts.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from harness import apart, write

import xgen
from xgen.analyses.fences.fences import find_fences

FIELDS = ("program", "said", "depth", "verdict", "fences", "seconds")
DEPTHS = (6, 10)
LIMIT = 10.0
"""Seconds for each search."""
MEMORY = 64
OPERATORS = {"==": "=", "!=": "/=", "&&": "and", "||": "or", "&": "bitand"}
TRUTHS = {"==", "!=", "<", "<=", ">", ">=", "&&", "||", "!"}


def translated(text: str) -> str:
    """A program of Trencher's as XCFA: memory is one array, registers are locals."""
    processes = re.findall(r"^thread\s+(\S+)\s+initial\s+(\S+)\s+(.*?)^end", text, re.MULTILINE | re.DOTALL)
    return "\n".join([f"var mem : int[{MEMORY}]", *(_process(*each) for each in processes)])


def _process(name: str, start: str, body: str) -> str:
    edges: list[tuple[str, str, str]] = []
    registers: dict[str, str] = {}
    places = {start: "L0"}
    for line in body.splitlines():
        words = line.split()
        if not words or words[0] != "transition":
            continue
        origin, target = (places.setdefault(place, f"L{len(places)}") for place in words[1:3])
        edges.append((origin, target, _statement(words[3], words[4:], registers)))
    locked = _locked(edges)
    for origin in dict.fromkeys(edge[0] for edge in edges):
        checks = [done for at, _, done in edges if at == origin]
        if origin not in locked and all(check.startswith("assume ") for check in checks):
            # Where none holds, what was done so far counts.
            none = " and ".join(f"not ({check.removeprefix('assume ')})" for check in checks)
            edges.append((origin, places.setdefault("", "Over"), f"assume {none}"))
    kinds = [f"  {'init loc' if at == 'L0' else 'loc'} {at}" for at in places.values()]
    declared = [f"  var {register} : int" for register in dict.fromkeys(registers.values())]
    steps = [f"  {origin} -> {target} {{ {done} }}" for origin, target, done in edges]
    return "\n".join([f"process {_word(name)} {{", *declared, *kinds, *steps, "}"])


def _locked(edges: list[tuple[str, str, str]]) -> set[str]:
    """The places between `lock` and `unlock`."""
    found: set[str] = set()
    work = [target for _, target, done in edges if done.endswith("atomic-begin")]
    while work:
        place = work.pop()
        if place not in found:
            found.add(place)
            work += [to for at, to, done in edges if at == place and not done.startswith("atomic-end")]
    return found


def _word(name: str) -> str:
    return "n_" + re.sub(r"\W", "_", name)


def _statement(kind: str, words: list[str], registers: dict[str, str]) -> str:
    rest = iter(words)
    match kind:
        case "write":
            value, address = _number(rest, registers), _number(rest, registers)
            return f"{value} -> mem[{address}]"
        case "read":
            register = registers.setdefault(next(rest), f"r{len(registers)}")
            return f"{register} <- mem[{_number(rest, registers)}]"
        case "local":
            register = registers.setdefault(next(rest), f"r{len(registers)}")
            return f"{register} := {_number(rest, registers)}"
        case "check":
            value, is_truth = _expression(rest, registers)
            return f"assume {value if is_truth else f'{value} /= 0'}"
        case "mfence":
            return "fence[mfence]"
        case "lock":
            return "fence[mfence] ; atomic-begin"
        case "unlock":
            return "atomic-end ; fence[mfence]"
        case "noop":
            return "skip"
    raise ValueError(f"unknown: {kind}")


def _number(words: Iterator[str], registers: dict[str, str]) -> str:
    value, is_truth = _expression(words, registers)
    return f"(if {value} then 1 else 0)" if is_truth else value


def _expression(words: Iterator[str], registers: dict[str, str]) -> tuple[str, bool]:
    """The text of an expression in prefix notation, and whether it is true or false."""
    word = next(words)
    if word == "!":
        value, is_truth = _expression(words, registers)
        return (f"(not {value})" if is_truth else f"({value} = 0)"), True
    if word in ("&&", "||"):
        sides = [_expression(words, registers) for _ in range(2)]
        one, other = (value if is_truth else f"({value} /= 0)" for value, is_truth in sides)
        return f"({one} {OPERATORS[word]} {other})", True
    if word in TRUTHS or word in "+-*&":
        left, right = _number(words, registers), _number(words, registers)
        return f"({left} {OPERATORS.get(word, word)} {right})", word in TRUTHS
    if re.fullmatch(r"-?\d+", word):
        return word, False
    return registers.setdefault(word, f"r{len(registers)}"), False


def search(path: str, depth: int) -> dict[str, object]:
    """A cheapest placement within a bound on events."""
    program = xgen.parse(translated(Path(path).read_text()))
    tso, sc = xgen.model("tso"), xgen.model("sc")
    try:
        answer = find_fences(program, tso, robust=sc, max_depth=depth, keep=True, limit=1, timeout=LIMIT)
    except xgen.ProgramError:  # of places that are reached with a lock and without
        return {"depth": depth, "verdict": "refused", "fences": "", "seconds": ""}
    fences = answer.placements[0].cost if answer.placements else ""
    return {"depth": depth, "verdict": answer.verdict, "fences": fences, "seconds": round(answer.seconds, 2)}


def said(text: str) -> str:
    """What the head of a file says."""
    head = text.partition("\nthread")[0]
    return "not robust" if re.search(r"IS\s+NOT", head) else "robust" if re.search(r"\bIS\b", head) else ""


def rows(folder: Path) -> Iterator[dict[str, object]]:
    """Each program, with the greatest depth that has an answer in time."""
    for path in sorted(folder.rglob("*.txt")):
        row: dict[str, object] = {}
        for depth in DEPTHS:
            found = apart(search, str(path), depth)
            if found["verdict"] in ("interrupted", "refused"):
                row = row or found
                break
            row = found
        yield {"program": path.relative_to(folder).with_suffix(""), "said": said(path.read_text()), **row}


if __name__ == "__main__":
    write(FIELDS, rows(Path(sys.argv[1])), limit=f"{LIMIT:g} s")
