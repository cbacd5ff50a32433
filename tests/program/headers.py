"""The machine-readable lines in the headers of programs/*.xcfa; docs/xcfa.md, section 7, says what they mean."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

FOLDER = Path(__file__).parents[2] / "programs"
LINE = re.compile(r"// (verdict|outcomes|allows|forbids) ([\w-]+(?:, [\w-]+)*): (.*)")
VERDICT = re.compile(r"(safe|violation)(?: \(max-depth (\d+)\))?")


@dataclass(frozen=True)
class Claim:
    """What a header says of a program under a model.

    `value` is "safe" or "violation", the number of outcomes, or the values of an outcome that is allowed or forbidden.
    """

    program: str
    model: str
    kind: Literal["verdict", "outcomes", "allows", "forbids"]
    value: str | int | dict[str, int | bool]
    max_depth: int | None = None

    def __str__(self) -> str:
        return f"{self.program}-{self.model}-{self.kind}" + (f"-{self.max_depth}" if self.max_depth else "")


def claims(path: Path) -> list[Claim]:
    """All claims of a program's header: the comment lines that the file starts with."""
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("//"):
            break
        if line.split()[1:2] and line.split()[1] in ("verdict", "outcomes", "allows", "forbids"):
            match = LINE.fullmatch(line)
            assert match, f"{path.name}: {line}"
            kind, models, text = match.groups()
            found += [claim(path.name, model, kind, text) for model in models.split(", ")]
    return found


def claim(program: str, model: str, kind: str, text: str) -> Claim:
    if kind == "verdict":
        match = VERDICT.fullmatch(text)
        assert match, f"{program}: {text}"
        return Claim(program, model, "verdict", match[1], int(match[2]) if match[2] else None)
    if kind == "outcomes":
        return Claim(program, model, "outcomes", int(text))
    values = dict(part.split(" = ") for part in text.split(", "))
    state = {name: {"true": True, "false": False}.get(value) or int(value) for name, value in values.items()}
    return Claim(program, model, "allows" if kind == "allows" else "forbids", state)


def all_claims() -> list[Claim]:
    return [claim for path in sorted(FOLDER.glob("*.xcfa")) for claim in claims(path)]
