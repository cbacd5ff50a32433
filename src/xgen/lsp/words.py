"""Names that a text may have in a place, and what they mean: for completion, and for hover."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from xgen.analyses.claims.options import KNOWN
from xgen.analyses.claims.read import CLAIMS, OF_PROGRAMS, OF_TESTS
from xgen.lsp.questions import MODELS, PROGRAMS, suffix_of
from xgen.memory.base_relations import NAMED
from xgen.memory.library import list_models, load_model
from xgen.tags import MACHINES, TAGS

Word = tuple[str, str]
"""A name, and what it means."""
NAME = re.compile(r"[A-Za-z_][\w.-]*")
RELATIONS = {name: meaning for name, (_, meaning) in NAMED.items()}
"""What .mcm models can name, and .cat models mostly can."""
SETS = {
    "A": "all events",
    "R": "reads",
    "W": "writes",
    "F": "fences",
    "I": "initial writes: one for each variable, in no thread",
    "RMW": "the reads and writes of read-modify-writes",
}
_COMMENT = re.compile(r"^\s*(?://|/\*|\(\*|\*)?\s*(?:(?P<directive>xgen:)|(?P<word>[a-z]+)\b)(?P<rest>.*)$")


def completions(path: str, before: str, own: Iterable[Word]) -> Iterator[Word]:
    """What a word may become whose line has `before` up to the cursor; `own`: what the text of a model defines."""
    begun = re.search(r"[\w./-]*$", before)
    start = begun[0] if begun else ""
    for name, meaning in _known(path, before.removesuffix(start), own):
        if name.startswith(start):
            yield name, meaning


def _known(path: str, before: str, own: Iterable[Word]) -> Iterator[Word]:
    """What may stand behind the beginning of a line."""
    suffix = suffix_of(path)
    if suffix in MODELS:
        yield from own
        yield from (RELATIONS | SETS).items()
    found = _COMMENT.match(before) if suffix in PROGRAMS else None
    if found is None:
        return
    if found["directive"]:
        if re.search(r"--mcm[ =]$", before):
            yield from _models()
        elif re.search(r"--(?:on|map)[ =]$", before):
            yield from ((name, f"the machine whose model is {model}") for name, model in MACHINES.items())
        else:
            yield from ((name, "an option of `xgen check`") for name in sorted(KNOWN) if name.startswith("--"))
    elif found["word"] in CLAIMS and ":" not in found["rest"]:
        yield from _models()
    elif found["word"] == "verdict":
        verdicts = OF_TESTS if suffix == ".litmus" else (*OF_PROGRAMS, "violation")
        yield from ((verdict, "a verdict") for verdict in verdicts)


def _models() -> Iterator[Word]:
    """The shipped models, each with its title."""
    for name in list_models():
        yield name, load_model(name).title


def meaning(path: str, word: str, own: Iterable[Word]) -> str | None:
    """What a word of a text means; None where nothing is to be said of it."""
    if suffix_of(path) in MODELS:
        known = {**RELATIONS, **SETS, **dict(own)}
        tags = {tag.name: f"events that bear the tag `{tag.name}`: {tag.meaning}" for tag in TAGS}
        return known.get(word) or tags.get(word)
    tag = next((tag for tag in TAGS if f"memory_order_{tag.name}" == word and tag.whose == "C"), None)
    return None if tag is None else tag.meaning


def word_at(line: str, column: int) -> str:
    """The name that a column of a line is in, or at the end of; "" where there is none. Columns count from 0."""
    return next((found[0] for found in NAME.finditer(line) if found.start() <= column <= found.end()), "")
