"""The thesis' benchmark set in its four configurations (Bajczi 2020, section 6.2): table 6.3, figures 6.7 to 6.9.

    python benchmarks/configurations.py > results/configurations.csv

`readers`, `loop` and `coherence` (chapter.py); with assertions the search stops at the first violation, without them
all executions are generated; either way what the model forbids is dropped on the way (`in-situ`) or at the end
(`final`). A series, the growing sizes of one family in one configuration, runs in a process of its own, and ends with
the first size that takes longer than the limit.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import chapter
from harness import apart, fastest, peak_mib, write

import xgen

LIMIT = 10.0
"""Seconds for one program, by the clock."""
DEPTH = 2
"""The bound under which the endless loops are explored, in events of a thread; each round is, as in the thesis."""
SIZES = {"readers": 20, "loop": 10, "coherence": 20}
"""The largest size of each family."""
FAMILIES = {name: getattr(chapter, name) for name in SIZES}
KEY = ("family", "read", "write", "model", "asserted", "filter", "size")
COUNTS = ("verdict", "executions", "bounded", "explored")
FIELDS = (*KEY, "outcome", *COUNTS, "seconds", "peak_mib")

Series = tuple[str, str, str, str, bool, str]


def series() -> Iterator[Series]:
    """All of them; the models beside weak, which table 6.3 is about, without assertions and orderings only."""
    for asserted, filtered in product((True, False), ("in-situ", "final")):
        for read, written in product(chapter.READS, chapter.WRITES):
            yield "readers", read, written, "weak", asserted, filtered
        for family in ("loop", "coherence"):
            yield family, "relaxed", "relaxed", "weak", asserted, filtered
    for model, filtered, family in product(("sc", "tso"), ("in-situ", "final"), FAMILIES):
        yield family, "relaxed", "relaxed", model, False, filtered


def explore(
    family: str, read: str, written: str, model: str, asserted: bool, filtered: str, most: int, again: float = 0.02
) -> list[dict[str, object]]:
    """The rows of one series, up to a size."""
    rows: list[dict[str, object]] = []
    memory = xgen.model(model)
    orders = {"read": read, "write": written} if family == "readers" else {}
    for size in range(1, most + 1):
        program = xgen.parse(FAMILIES[family](size, asserted=asserted, **orders))

        def check(program: xgen.Program = program) -> xgen.Result:
            return xgen.check(
                program, memory, max_depth=DEPTH if family == "loop" else None, all_states=not asserted,
                filter=filtered, unroll=True, timeout=LIMIT, trace_limit=0, classes="off",  # type: ignore[arg-type]
            )  # fmt: skip

        result, seconds = fastest(check, again)
        key = dict(zip(KEY, (family, read, written, model, "yes" if asserted else "no", filtered, size), strict=True))
        if result.stopped:
            rows.append({**key, "outcome": "timeout"})
            break
        counts = {count: getattr(result, count) for count in COUNTS}
        rows.append({**key, "outcome": "ok", **counts, "seconds": f"{seconds:.6f}", "peak_mib": f"{peak_mib():.1f}"})
    return rows


def main() -> None:
    """Print the table."""
    rows = (row for one in series() for row in apart(explore, *one, SIZES[one[0]]))
    write(FIELDS, rows, limit=f"{LIMIT:g} s", bound=f"{DEPTH} events of a thread in loops")


if __name__ == "__main__":
    main()
