"""The BEEM models (R. Pelánek, SPIN 2007): which are read, and how many states they have.

    python benchmarks/beem.py FOLDER > results/beem.csv

The folder is a copy of the benchmark: a folder for each family, `NAME/NAME.xml` with its kind and
`NAME/generated_files` with the models and `results.xml`, the published numbers of states. Models of more states than
LARGEST are read only.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from harness import write

from xgen.analyses.ltl import check_formula
from xgen.errors import XgenError
from xgen.frontends.dve import read_dve
from xgen.sources import read_source

FIELDS = ("kind", "model", "read", "published", "states", "seconds")
LARGEST = 1_000_000


def published(family: Path) -> dict[str, int]:
    """The numbers of states by model, as far as all were counted."""
    file = family / "generated_files" / "results.xml"
    text = file.read_text(errors="replace") if file.exists() else ""
    found = re.findall(r'<instance name="([^"]*)" id="(\d+)">(.*?)</instance>', text, re.DOTALL)
    counts = {f"{name}.{number}": re.search(r"<states>(\d+)</states>", rest) for name, number, rest in found}
    complete = {f"{name}.{number}" for name, number, rest in found if 'complete="yes"' in rest}
    return {model: int(count[1]) for model, count in counts.items() if count and model in complete}


def rows(folder: Path) -> Iterator[dict[str, object]]:
    """All models without properties of their own."""
    for family in sorted(path for path in folder.iterdir() if path.is_dir()):
        description = (family / f"{family.name}.xml").read_text(errors="replace")
        kind = re.search(r'<model\s+type="([^"]*)"', description)
        counts = published(family)
        for file in sorted((family / "generated_files").glob(f"{family.name}.?.dve")):
            model = file.name.removesuffix(".dve")
            row: dict[str, object] = {"kind": kind[1] if kind else "", "model": model, "published": counts.get(model)}
            yield row | states(file, counts.get(model))


def states(file: Path, known: int | None) -> dict[str, object]:
    """Whether a model is read, and how many states it has."""
    try:
        system = read_dve(read_source(file))
    except XgenError as error:
        return {"read": error.message}
    if known is None or known > LARGEST:
        return {"read": "yes"}
    result = check_formula(system, "G true", "sc", limit=2 * LARGEST)
    return {"read": "yes", "states": result.states, "seconds": f"{result.seconds:.3f}"}


if __name__ == "__main__":
    write(FIELDS, rows(Path(sys.argv[1])))
