"""What `snprintf` and its like make of a format and of values that are known, for any reader."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from xgen.frontends.library.call import INT, LONG, UNSIGNED, Kind

SPACES = {"snprintf": (1, 2), "sprintf": (None, 1)}
"""What writes to memory: the arguments that say how much room there is, and the format."""
_ULONG = (64, False)
_NUMBERS: dict[tuple[str, str], Kind] = {
    **dict.fromkeys((("d", ""), ("i", "")), INT),
    **dict.fromkeys((("u", ""), ("x", ""), ("X", "")), UNSIGNED),
    **{(kind, size): LONG for kind in "di" for size in ("l", "z", "ll")},
    **{(kind, size): _ULONG for kind in "uxX" for size in ("l", "z", "ll")},
}
_CONVERSION = re.compile(r"%(?P<flags>[-0]*)(?P<width>\d*)(?:\.(?P<most>\d+))?(?P<size>hh|h|ll|l|z)?(?P<kind>.)")
Conversion = re.Match[str]
_ARGUMENT = re.compile(r"%[-+ #0']*(\*|\d*)(?:\.(\*|\d*))?(hh|h|ll|l|L|z|j|t|q)?(.)", re.DOTALL)


def formatted(text: str, value: Callable[[Conversion], int | bytes | None], refuse: Callable[[str], bytes]) -> bytes:
    """The text. `value` gives the next argument, as a conversion asks for it; None: it is not known. What cannot be
    written is refused by the words of its conversion."""
    made, at = b"", 0
    for conversion in _CONVERSION.finditer(text):
        made += text[at : conversion.start()].encode()
        at = conversion.end()
        if conversion["kind"] == "%":
            made += b"%"
        else:
            written = _written(conversion, value(conversion))
            made += refuse(conversion.group()) if written is None else written
    return made + text[at:].encode()


def strings_in(text: str) -> Iterator[int]:
    """Which of the arguments behind a format are strings of which a letter is printed, if they have one."""
    at = 0
    for conversion in _ARGUMENT.finditer(text):
        width, most, size, kind = conversion.groups()
        if kind in "%m":
            continue
        if kind not in "diouxXeEfFgGaAcspn":
            return
        at += (width == "*") + (most == "*")
        if kind == "s" and not size and (most is None or most.strip("0*")):
            yield at
        at += 1


def number_of(conversion: Conversion) -> Kind | None:
    """The kind of number that a conversion asks for; None: it is another one."""
    return _NUMBERS.get((conversion["kind"], conversion["size"] or ""))


def _written(conversion: Conversion, value: int | bytes | None) -> bytes | None:
    kind, flags, most = conversion["kind"], conversion["flags"], conversion["most"]
    if isinstance(value, bytes):
        shown = value[: int(most)] if most else value
    elif value is None or (most is not None and kind != "c"):
        return None
    elif kind == "c":
        shown = bytes([value & 255])
    else:
        shown = (f"{value:x}" if kind == "x" else f"{value:X}" if kind == "X" else str(value)).encode()
    if "0" in flags and (kind in "sc" or "-" in flags):
        return None
    width = int(conversion["width"] or 0)
    if "-" in flags:
        return shown.ljust(width)
    return shown.rjust(width) if "0" not in flags else shown.decode().zfill(width).encode()
