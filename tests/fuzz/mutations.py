"""Texts that are almost of a language: good ones in which a few things were changed at random."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hypothesis import strategies as st

TOKEN = re.compile(r"\s+|\w+|.", re.DOTALL)

STRANGE = (
    *("9" * 30, "9" * 5000, "-9223372036854775809", "0x", "0x_", "0b_", "1__2", "00", "²", "٣", "1e9", "x" * 300),
    *("(" * 200, "init", "P0", *"()[]{}|;,:&*~\"'#@%$<>=-_\\01x \t\n"),
    *("{}", "||", "^+", "^*", "//", "/*", "*/", "(*", "*)", "==", "->", "<-", ":=", "((((", ";;"),
    *("\0", "\x1b", "\ufeff", "\u202e", "\ud800", "é", "💥", "\r\n", "\u2028"),
)
"""What is put in where it does not belong."""


@st.composite
def mutations(draw: st.DrawFn, texts: Sequence[str], most: int = 6) -> str:
    """One of the texts with up to so many changes: tokens are dropped, doubled, repeated, swapped or replaced."""
    tokens = TOKEN.findall(draw(st.sampled_from(texts)))
    other = TOKEN.findall(draw(st.sampled_from(texts)))
    for _ in range(draw(st.integers(1, most))):
        if not tokens:
            break
        place = draw(st.integers(0, len(tokens) - 1))
        end = draw(st.integers(place, min(len(tokens), place + 8)))
        match draw(st.integers(0, 6)):
            case 0:
                del tokens[place:end]
            case 1:
                tokens[end:end] = tokens[place:end]
            case 2:
                tokens[place:place] = tokens[place:end] * draw(st.sampled_from((3, 40)))
            case 3:
                to = draw(st.integers(0, len(tokens) - 1))
                tokens[place], tokens[to] = tokens[to], tokens[place]
            case 4:
                tokens[place] = draw(st.sampled_from(STRANGE))
            case 5:
                tokens.insert(place, draw(st.sampled_from(STRANGE)))
            case 6 if other:
                start = draw(st.integers(0, len(other) - 1))
                tokens[place:end] = other[start : start + draw(st.integers(1, 12))]
    return "".join(tokens)
