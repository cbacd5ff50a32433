"""Constants of C (C11, 6.4.4 and 6.4.5): numbers, characters, string literals."""

from __future__ import annotations

import re

from xgen.frontends.c.types import INT, LLONG, LONG, UINT, ULLONG, ULONG, Int

_ESCAPES = {"n": 10, "t": 9, "r": 13, "a": 7, "b": 8, "f": 12, "v": 11, "0": 0}
"""What stands for other characters than itself, behind a backslash."""


def number(text: str) -> int | None:
    """The value of an integer constant, or None where it is none."""
    match = re.fullmatch(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)([uU]?[lL]{0,2}|[lL]{1,2}[uU]?)", text)
    if match is None:
        return None
    digits = match[1].lower()
    if digits.startswith("0x"):
        return int(digits, 16)
    if digits.startswith("0b"):
        return int(digits[2:], 2)
    try:
        return int(digits, 8 if digits.startswith("0") else 10)
    except ValueError:
        return None


def type_of_number(text: str, value: int) -> Int | None:
    """The first type that holds the value of a constant (C11, 6.4.4.1), or None."""
    digits = text.lower().rstrip("ul")
    suffix = text.lower()[len(digits) :]
    decimal = not text.startswith("0") or text == "0"
    for signed, unsigned in ((INT, UINT), (LONG, ULONG), (LLONG, ULLONG))[suffix.count("l") :]:
        if "u" not in suffix and value < 1 << (signed.bits - 1):
            return signed
        if ("u" in suffix or not decimal) and value < 1 << unsigned.bits:
            return unsigned
    return None


def character(text: str) -> int | None:
    """The value of a character constant with one character, or None."""
    inside = text[text.index("'") + 1 : -1]
    if len(inside) == 1:
        return ord(inside)
    if re.fullmatch(r"\\[0-7]{1,3}", inside):
        return int(inside[1:], 8)
    if re.fullmatch(r"\\x[0-9a-fA-F]+", inside):
        return int(inside[2:], 16)
    if len(inside) == 2 and inside[0] == "\\":
        return _ESCAPES.get(inside[1], ord(inside[1]))
    return None


def characters(text: str) -> list[int]:
    """The codes of a string literal."""
    data = list(text[text.index('"') + 1 : -1].encode("utf-8", "surrogateescape"))
    found: list[int] = []
    at = 0
    while at < len(data):
        if data[at] != 92:
            found.append(data[at])
            at += 1
            continue
        sign = chr(data[at + 1])
        if sign == "x":
            end = at + 2
            while end < len(data) and chr(data[end]) in "0123456789abcdefABCDEF":
                end += 1
            found.append(int(bytes(data[at + 2 : end]), 16) & 255)
            at = end
        elif sign in "01234567":
            end = at + 1
            while end < min(len(data), at + 4) and chr(data[end]) in "01234567":
                end += 1
            found.append(int(bytes(data[at + 1 : end]), 8) & 255)
            at = end
        else:
            found.append(_ESCAPES.get(sign, ord(sign)))
            at += 2
    return found
