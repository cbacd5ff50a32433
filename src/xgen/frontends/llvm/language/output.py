"""What programs print: nothing is printed. What a call gives is looked at only where the program looks at it."""

from __future__ import annotations

from xgen.frontends.library.table import CHARACTERS, FORMATTED, HINTS, IGNORED, TEXTS
from xgen.frontends.llvm.language import lengths
from xgen.frontends.llvm.text.ir import Instruction
from xgen.frontends.llvm.values import Value

_WRITES = {"fwrite": 2, "write": 2}
"""What writes bytes, and which argument says how many; all are written."""
NAMES = frozenset((*IGNORED, *HINTS, *FORMATTED, *TEXTS, *CHARACTERS, *_WRITES))


def printed(calls: lengths.Bytes, name: str, arguments: list[Value], i: Instruction) -> Value:
    """What a function gives that only prints."""
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
    text = lengths.known_text(calls, name, arguments[FORMATTED[name]])
    if b"%" in text.replace(b"%%", b""):
        raise calls.unsupported(f"the result of `{name}` is")
    return len(text.replace(b"%%", b"%"))
