"""What programs print: nothing is printed. What a call gives is looked at only where the program looks at it."""

from __future__ import annotations

from typing import NoReturn

from xgen.frontends.library.formats import SPACES, Conversion, formatted, number_of, strings_in
from xgen.frontends.library.table import CHARACTERS, FORMATTED, HINTS, IGNORED, TEXTS
from xgen.frontends.llvm.language import unknown_sizes
from xgen.frontends.llvm.language.translation import Unreachable
from xgen.frontends.llvm.text.ir import Instruction
from xgen.frontends.llvm.values import Value, signed, unsigned

_WRITES = {"fwrite": 2, "write": 2}
"""What writes bytes, and which argument says how many; all are written."""
_BYTES = {"fwrite": 0, "write": 1}
"""And which argument says where they are."""
NAMES = frozenset((*IGNORED, *HINTS, *FORMATTED, *TEXTS, *CHARACTERS, *_WRITES))


def printed(calls: unknown_sizes.Bytes, name: str, arguments: list[Value], i: Instruction) -> Value:
    """What a function gives that only prints. Of each text the first letter is read."""
    for printed_text in _texts(calls, name, arguments):
        calls.load(printed_text, 1)
    if i.name is None or (calls.stack and not calls.stack[-1].uses(i.name)):
        return 0
    if name in CHARACTERS:
        return calls.compute("and", arguments[0], 255, 32)
    if name in _WRITES:
        return arguments[_WRITES[name]]
    if name in IGNORED or name in HINTS:
        return 0
    if name in TEXTS:
        raise calls.unsupported(f"the result of `{name}` is")
    text = unknown_sizes.known_text(calls, name, arguments[FORMATTED[name]])
    if b"%" in text.replace(b"%%", b""):
        raise calls.unsupported(f"the result of `{name}` is")
    return len(text.replace(b"%%", b"%"))


def _texts(calls: unknown_sizes.Bytes, name: str, arguments: list[Value]) -> list[Value]:
    """Where the texts are that are printed, if they have a letter; by a format that is a constant."""
    if name in TEXTS:
        return arguments[:1]
    if name in _WRITES:
        return [arguments[_BYTES[name]]] if isinstance(count := arguments[_WRITES[name]], int) and count else []
    if name not in FORMATTED or name.startswith("v"):
        return []
    format_ = arguments[FORMATTED[name]]
    found = calls.world.memory.at(format_) if isinstance(format_, int) else None
    if found is None or not found.constant:
        return []
    left = arguments[FORMATTED[name] + 1 :]
    text = unknown_sizes.known_text(calls, name, format_).decode("latin-1")
    return [left[at] for at in strings_in(text) if at < len(left)]


def made(calls: unknown_sizes.Bytes, name: str, arguments: list[Value], _i: Instruction) -> Value:
    """`snprintf`, `sprintf`: the text is written as far as there is room; the value is how long it is."""
    room, format_ = SPACES[name]
    size, left = None if room is None else arguments[room], arguments[format_ + 1 :]
    if size is not None and not isinstance(size, int):
        raise calls.unsupported(f"`{name}` whose room is not known here is")

    def value_of(conversion: Conversion) -> int | bytes | None:
        if not left:
            calls.fail("undefined")
            raise Unreachable
        value, kind = left.pop(0), number_of(conversion)
        if conversion["kind"] == "s" and not conversion["size"]:
            return unknown_sizes.known_text(calls, name, value)
        if not isinstance(value, int) or (kind is None and conversion["kind"] != "c"):
            return None
        bits, sign = kind or (32, True)
        return signed(value, bits) if sign else unsigned(value, bits)

    def refuse(what: str) -> NoReturn:
        hint = f"--stub {name}: it writes nothing"
        raise calls.unsupported(f"`{what}` of what is not known here, or is no integer or string, is", hint)

    codes = formatted(unknown_sizes.known_text(calls, name, arguments[format_]).decode("latin-1"), value_of, refuse)
    written = codes if size is None else codes[: max(size - 1, 0)]
    for offset, code in enumerate([*written, 0] if size != 0 else []):
        calls.store(calls.moved(arguments[0], offset), signed(code, 8), 1)
    return len(codes)
