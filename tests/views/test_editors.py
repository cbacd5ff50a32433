"""The grammars for editors: every word of the languages has a colour."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from xgen.memory.cat.lexer import KEYWORDS
from xgen.program.parser import CALLED

ROOT = Path(__file__).parents[2]
LARK = {
    "xcfa": ROOT / "src" / "xgen" / "program" / "xcfa.lark",
    "mcm": next((ROOT / "src" / "xgen" / "memory" / "mcm").glob("*.lark")),
}


def grammar(language: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((ROOT / "editors" / f"{language}.tmLanguage.json").read_text(encoding="utf-8"))
    return found


def scope(language: str, text: str) -> str | None:
    """The scope of the first pattern that matches at the start of a text, as editors choose it."""
    for pattern in grammar(language)["patterns"]:
        if re.compile(pattern.get("match") or pattern["begin"]).match(text):
            return str(pattern["name"])
    return None


def words(language: str) -> list[str]:
    """The reserved words of a language, from its parser."""
    if language == "cat":
        return sorted(KEYWORDS)
    text = LARK[language].read_text(encoding="utf-8")
    return sorted(set(re.findall(r'"([a-z_]{2,})"', text)))


@pytest.mark.parametrize("language", ["xcfa", "mcm", "cat"])
def test_every_word_is_matched_and_nothing_else(language: str) -> None:
    assert grammar(language)["fileTypes"] == [language]
    assert len(words(language)) > 20
    for word in words(language):
        following = " {" if (language, word) == ("xcfa", "or") else ""
        assert scope(language, word + following), word
        assert scope(language, f"{word}x{following}") is None, word


def test_operations_of_programs() -> None:
    for word in CALLED:
        assert scope("xcfa", f"{word}(x)") == "support.function.xcfa", word
        assert scope("xcfa", f"{word} := 1") is None, word


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("xcfa", "// comment", "comment.line"),
        ("xcfa", "atomic-begin", "keyword.control.xcfa"),
        ("xcfa", "@ dmb.sy", "storage.modifier.tag.xcfa"),
        ("mcm", "for_each_var", "keyword.control.mcm"),
        ("cat", "(* comment *)", "comment.block.cat"),
        ("cat", '"tso"', "string.quoted.double.cat"),
    ],
)
def test_scopes(language: str, text: str, expected: str) -> None:
    assert scope(language, text) == expected
