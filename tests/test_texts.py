"""What edits by machine break in texts that people read: wraps, widths, rows of tables."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
WIDTH = 120


def documentation() -> Iterator[tuple[str, str]]:
    """Each text of several lines that documents something in the sources, with its place."""
    for path in sorted((ROOT / "src").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Expr)
                and isinstance(node.value, ast.Constant)
                and isinstance(node.value.value, str)
            ):
                yield f"{path.relative_to(ROOT)}:{node.lineno}", node.value.value


def broken(text: str) -> Iterator[str]:
    """Lines of a word or three, in the midst of a sentence that goes on in lines of full length."""
    lines = text.split("\n")
    for before, line, after in zip(lines, lines[1:], lines[2:], strict=False):
        indents = {len(one) - len(one.lstrip()) for one in (before, line, after)}
        if len(indents) > 1 or len(before) <= 80 or not 0 < len(line.split()) <= 3:
            continue
        if re.match(r"[a-z`]", after.strip()) and not re.search(r"[.:;]$|\S  +\S", line) and "  " not in after.strip():
            yield line


def test_what_a_broken_line_is() -> None:
    full = "A sentence that is long enough to be wrapped goes on and on, until a word has no room any more, so that\n"
    assert list(broken(f"{full}Where\ntwo ways meet, all is well.")) == ["Where"]
    assert list(broken(f"{full}at the end.\n\nThe next paragraph.")) == []
    assert list(broken(f"{full}name  what it\nother  is")) == []


def test_sentences_are_not_broken() -> None:
    assert [(place, line) for place, text in documentation() for line in broken(text)] == []


@pytest.mark.parametrize("name", ["CHANGELOG.md", "README.md"])
def test_lines_are_no_wider_than_the_page(name: str) -> None:
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if len(line) > WIDTH and not line.startswith(("|", "!", "["))] == []


def test_each_release_has_each_heading_once() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    for release in text.split("\n## ")[1:]:
        headings = re.findall("^### .*$", release, re.MULTILINE)
        assert sorted(set(headings)) == sorted(headings), release.partition("\n")[0]
    assert re.findall(r"^\S.*\n### ", text, re.MULTILINE) == []  # a blank line before each


@pytest.mark.parametrize("page", sorted(path.name for path in (ROOT / "docs").glob("*.md")))
def test_no_table_has_a_row_twice(page: str) -> None:
    """By its first cell, where that is a sentence or a name."""
    rows = Counter[str]()
    lines = (ROOT / "docs" / page).read_text(encoding="utf-8").splitlines()
    for before, line in pairwise(["", *lines]):
        first = line.split("|")[1].strip() if line.startswith("|") else ""
        if not before.startswith("|"):
            rows.clear()
        if re.search("[a-z]{3}", first):
            rows[line] += 1
            assert rows[line] == 1, line
            if page == "developing.md":
                assert rows[first] == 0, first
                rows[first] += 1


PRIVATE = {
    # what newcomers read twice: plain English says `except`, `such as`, `no thread`, `again`, and who acts
    r"anew": 0,
    r"nobody|whoever": 5,
    r"but for": 0,
    r"told": 2,
    r"asked": 18,
    r"kept": 17,
    r"(?:so|nor) (?:is|are|does|do|has|have|was|were)": 14,
    r"go(?:es)? on": 31,
    r"of which": 20,
    r"(?:says?|said|tells?|told) so": 31,
    r"(?:is|are) said": 2,
    r"there is none|there are none": 3,
    r"(?<=[.:;]\s)What [^.?]*\.": 9,  # a sentence whose subject has no noun
}
"""Words and patterns of text for users, and how often they may stand there: these numbers only fall."""


def for_users() -> Iterator[str]:
    """The pages and the README without what is typed and printed, and the texts in the sources that are no docs."""
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        text = re.sub(r"^```.*?^```$|^    .*?$|`[^`\n]*`", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
        yield re.sub(r"\s+", " ", text)
    for path in sorted((ROOT / "src" / "xgen").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        documenting = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documenting:
                yield node.value


def test_private_words_become_fewer() -> None:
    """A number that is too high: say it in plain words. One that is too low: write the lower one here."""
    texts = list(for_users())
    counts = {pattern: sum(len(re.findall(rf"\b(?:{pattern})", text)) for text in texts) for pattern in PRIVATE}
    assert {pattern: count for pattern, count in counts.items() if count > PRIVATE[pattern]} == {}
