"""GNU's labels of a block (`__label__ again;`): each becomes one of its function, by another name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xgen.frontends.c.text.tokens import Token

_AMONG_STATEMENTS = frozenset(["{", "}", ";", ":"])
"""What may stand before a label in a block."""


def with_own_labels(tokens: list[Token]) -> list[Token]:
    """The same text without `__label__`: the labels that it names are called by other names in its block."""
    if all(token.text != "__label__" for token in tokens):
        return tokens
    result: list[Token] = []
    blocks: list[dict[str, str]] = [{}]
    count, declaring, placed = 0, False, False
    for k, token in enumerate(tokens):
        if token.text == "{":
            blocks.append({})
        elif token.text == "}" and len(blocks) > 1:
            blocks.pop()
        if token.text == "__label__":
            declaring = True
        elif declaring:
            declaring = token.text != ";"
            if token.kind == "name":
                count += 1
                blocks[-1][token.text] = f"{token.text}__{count}"
        elif token.kind == "name" and (own := _own(tokens, k, blocks)) is not None:
            result.append(token.renamed(own, "name"))
            placed = tokens[k - 1].text in _AMONG_STATEMENTS
        else:
            result.append(token)
            if placed:  # `out: value;` at the end of a statement expression is its value
                result.append(token.renamed(";", "sign"))
                placed = False
    return result


def _own(tokens: Sequence[Token], at: int, blocks: Sequence[Mapping[str, str]]) -> str | None:
    """What a label of a block is called, where it is one."""
    before = tokens[at - 1].text if at else ""
    after = tokens[at + 1].text if at + 1 < len(tokens) else ""
    if before != "goto" and (after != ":" or before not in (*_AMONG_STATEMENTS, ")", "else", "do")):
        return None
    name = tokens[at].text
    return next((block[name] for block in reversed(blocks) if name in block), None)
