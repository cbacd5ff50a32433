"""Whether a program speaks the language of SV-COMP, whose programs call `abort` to assume something."""

from __future__ import annotations

from collections.abc import Sequence

from xgen.frontends.c.text.tokens import Token

_CALLED = frozenset(["reach_error", "__VERIFIER_error", "assume_abort_if_not"])
_PREFIX = "__VERIFIER_"
_NO_TYPES = frozenset(["return", "else", "do", "case", "goto", "sizeof"])


def speaks_of_verification(tokens: Sequence[Token]) -> bool:
    """Whether a program's own text calls or defines one of SV-COMP's functions, or declares any name that begins with
    `__VERIFIER_`."""
    depth = 0
    for k, token in enumerate(tokens):
        depth += {"{": 1, "}": -1}.get(token.text, 0)
        before = tokens[k - 1] if k else None
        pointer = before is not None and before.text == "*" and depth == 0
        declared = pointer or (before is not None and before.kind == "name" and before.text not in _NO_TYPES)
        if token.kind != "name":
            continue
        if token.text.startswith(_PREFIX) and declared:
            return True
        if token.text in _CALLED and (not declared or _has_body(tokens, k)):
            return True
    return False


def _has_body(tokens: Sequence[Token], at: int) -> bool:
    """Whether what is declared there is a function with a body."""
    depth = 0
    for token in tokens[at + 1 :]:
        depth += {"(": 1, ")": -1}.get(token.text, 0)
        if depth == 0 and token.text in ("{", ";", ",", "="):
            return token.text == "{"
    return False
