"""Constants of C (C11, 6.4.4 and 6.4.5): numbers, characters, string literals."""

from __future__ import annotations

import re
from functools import cache

from xgen.frontends.c.values.data_model import word_bytes
from xgen.frontends.c.values.types import DOUBLE, FLOAT, INT, LLONG, LONG, UINT, ULLONG, ULONG, Int, Real

_ESCAPES = {"n": 10, "t": 9, "r": 13, "a": 7, "b": 8, "f": 12, "v": 11, "e": 27, "E": 27} | {
    c: ord(c) for c in "'\"?\\"
}
"""What a letter behind a backslash stands for; GNU C has `\\e`."""
_REAL = re.compile(
    r"(0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)[pP][-+]?[0-9]+"
    r"|(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|[0-9]+[eE][-+]?[0-9]+)([fF]?)"
)
_NUMERIC = re.compile(r"\\([0-7]{1,3}|x[0-9a-fA-F]+|[\s\S])")
_ESCAPE = re.compile(rb"\\([0-7]{1,3}|x[0-9a-fA-F]+|.)", re.DOTALL)


@cache
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


def real_number(text: str) -> tuple[float, Real] | None:
    """The value and the type of a floating point constant (C11, 6.4.4.2); None where it is none, or a long double."""
    match = _REAL.fullmatch(text)
    if match is None:
        return None
    digits = match[1]
    value = float.fromhex(digits) if digits[:2] in ("0x", "0X") else float(digits)
    return value, FLOAT if match[2] else DOUBLE


def type_of_number(text: str, value: int) -> Int | None:
    """The first type that holds the value of a constant (C11, 6.4.4.1), or None."""
    return _type_of_number(text, value, word_bytes())


@cache
def _type_of_number(text: str, value: int, _word: int) -> Int | None:
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
    """The value of a character constant of type int with one character, or None."""
    codes = _codes(text[1:-1]) if text[0] == "'" else None
    return codes[0] if codes is not None and len(codes) == 1 else None


def characters(text: str) -> list[int] | None:
    """The codes of a string literal of chars, or None."""
    return _codes(text[text.index('"') + 1 : -1]) if text.startswith(('"', 'u8"')) else None


def closed(literal: str) -> str:
    """The same literal with three octal digits in each numeric escape: what is written behind it is no part of it."""
    return _NUMERIC.sub(_octal, literal)


def _octal(match: re.Match[str]) -> str:
    digits = match[1]
    code = int(digits[1:], 16) if digits[0] == "x" else int(digits, 8) if digits[0] in "01234567" else 256
    return f"\\{code:03o}" if code <= 255 else match[0]


def _codes(inside: str) -> list[int] | None:
    """The bytes that characters and escape sequences stand for; None if one of them is unknown, or is no byte."""
    data = inside.encode("utf-8", "surrogateescape")
    found: list[int] = []
    at = 0
    while at < len(data):
        match = _ESCAPE.match(data, at)
        if match is None:
            found.append(data[at])
            at += 1
            continue
        sign = match[1].decode("latin-1")
        digits, base = (sign[1:], 16) if sign[0] == "x" and len(sign) > 1 else (sign, 8)
        code = int(digits, base) if digits[0] in "01234567" or base == 16 else _ESCAPES.get(sign)
        if code is None or code > 255:
            return None
        found.append(code)
        at = match.end()
    return found
