"""Data structures of public libraries (benchmarks/objects): whether they are linearizable, and how failing calls count.

python benchmarks/objects.py FOLDER > results/objects.csv

The libraries are fetched into the folder, as those of real.py are, each at the commit that the first line of an object
names; there is nothing of them here.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness import run, write
from real import BUILTINS, HEAD, fetched

OBJECTS = Path(__file__).parent / "objects"
LIMIT = 60.0
"""Seconds for each."""
FIELDS = ["object", "repository", "commit", "options", "verdict", "why", "clients", "executions", "seconds"]
RING = "--one enqueue --one dequeue"
QUEUE, STACK = "--ops put=enqueue,get=dequeue", "--ops put=push,get=pop"


@dataclass(frozen=True)
class Row:
    """An object, options of xgen, flags of the compiler (folders are the library's)."""

    name: str
    options: str = ""
    flags: str = BUILTINS


ROWS = (
    Row("ck_fifo", RING),
    Row("ck_stack"),
    Row("ck_ring", RING, f"{BUILTINS} -DKIND=spsc"),
    Row("ck_ring", "--one dequeue", f"{BUILTINS} -DKIND=mpsc"),
    Row("ck_ring", "--one dequeue --failures stale", f"{BUILTINS} -DKIND=mpsc"),
    Row("ck_ring", "--one dequeue --failures contended", f"{BUILTINS} -DKIND=mpsc"),
    Row("ck_ring", "--one enqueue", f"{BUILTINS} -DKIND=spmc"),
    Row("ck_ring", "", f"{BUILTINS} -DKIND=mpmc"),
    Row("ck_ring", "--failures contended --calls 2", f"{BUILTINS} -DKIND=mpmc"),
    Row("ck_sequence", "--one write"),
    *(Row("ck_lock", "", f"{BUILTINS} -DLOCK={lock}") for lock in ("fas", "cas", "dec", "ticket")),
    Row("ck_mcs"),
    Row("ck_clh"),
    Row("ck_anderson"),
    Row("mpscq", f"{QUEUE} --one dequeue", "-I."),
    Row("mpscq", f"{QUEUE} --one dequeue --failures stale", "-I."),
    Row("mpscq", f"{QUEUE} --one dequeue --failures contended", "-I."),
    Row("lfqueue", f"{QUEUE} --one dequeue --nondet 0..0", "-I."),
    Row("lfstack", f"{STACK} --nondet 0..0 --calls 2", "-I."),
    Row("lfstack", f"{STACK} --one pop --nondet 0..0", "-I."),
)


def head(name: str) -> tuple[str, str, list[str]]:
    """What the first line of an object says: repository, commit, files of the library."""
    found = HEAD.fullmatch((OBJECTS / f"{name}.c").read_text("utf-8").split("\n", 1)[0])
    assert found, name
    return found["repository"], found["commit"], [file for file in found["files"].split() if file.endswith(".c")]


def command(row: Row, library: Path) -> list[str]:
    """How an object is asked about."""
    files = [str(library / file) for file in head(row.name)[2]]
    flags = [f"-I{library / flag[2:]}" if flag.startswith("-I") else flag for flag in row.flags.split()]
    calls = [] if "--calls" in row.options else ["--calls", "3"]
    options = ["--on", "x86", *calls, *row.options.split(), "--timeout", str(LIMIT), "--format", "json"]
    return ["xgen", "linearizable", str(OBJECTS / f"{row.name}.c"), *files, *options, "--", *flags]


def answer(text: str) -> dict[str, object]:
    """The verdict and counts; of what is refused its first sentence, of what is wrong the calls that cannot be."""
    found = json.loads(text[text.index("{") :])
    if "verdict" not in found:
        return {"verdict": "refused", "why": found["error"]["message"].split("\n")[0]}
    why = ((found.get("witness") or {}).get("error") or {}).get("kind", "")
    if found["verdict"] == "not-linearizable":
        why = " ".join(map(shown, calls_of(found)))
    return {"verdict": found["verdict"], "why": why, **{key: found[key] for key in ("clients", "executions")}}


def calls_of(found: dict[str, Any]) -> list[dict[str, Any]]:
    """The calls that cannot be together."""
    client = found["client"]
    rows = {-1: client["before"], -2: client["after"], **dict(enumerate(client["threads"]))}
    return [rows[thread][k] for thread, k in found["core"]]


def shown(call: dict[str, Any]) -> str:
    """A call with its result."""
    given = "" if call["argument"] is None else call["argument"]
    return f"{call['op']}({given})={call['result']}"


def rows(folder: Path) -> Iterator[dict[str, object]]:
    for row in ROWS:
        repository, commit, _ = head(row.name)
        done = run(command(row, fetched(repository, commit, folder)), limit=2 * LIMIT)
        own = " ".join(flag for flag in row.flags.split() if flag.startswith(("-DKIND", "-DLOCK")))
        names = {"object": row.name, "repository": repository, "commit": commit[:12]}
        options = {"options": f"{own} {row.options}".strip()}
        yield dict.fromkeys(FIELDS, "") | names | options | answer(done.output) | {"seconds": f"{done.cpu:.1f}"}


if __name__ == "__main__":
    write(FIELDS, rows(Path(sys.argv[1])))
