"""The systems of programs/cub and the verdicts in their headers."""

from __future__ import annotations

import re
from pathlib import Path

from xgen.frontends.cub import System, read_cub
from xgen.sources import read_source

FOLDER = Path(__file__).parents[2] / "programs" / "cub"
FILES = sorted(FOLDER.glob("*.cub"))
_LINE = re.compile(r"verdict ((?:sc|tso)(?:, (?:sc|tso))*): (safe|violation|unknown)")


def system(name: str) -> System:
    """A shipped system."""
    return read_cub(read_source(FOLDER / f"{name}.cub"))


def claims() -> list[tuple[str, str, str]]:
    """(name, model, verdict) of all headers."""
    found = []
    for file in FILES:
        for models, verdict in _LINE.findall(file.read_text()):
            found += [(file.stem, model, verdict) for model in models.split(", ")]
    return found
