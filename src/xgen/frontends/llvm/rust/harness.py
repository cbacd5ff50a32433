"""What `rustc --test` makes of tests: constants that tell of them, of which a main runs the first one.

Their form is that of the crate in test/.
"""

from __future__ import annotations

import os
import re

from xgen.frontends.testing import NamedTest
from xgen.records import dataclass

_RUNS = re.compile(r"call void (@\S*4test16test_main_static\S*)\(ptr [^@\n]*(@[\w.]+), i64 [a-z ]*(\d+)\)")
_PANICS = re.compile(r"(call void @xgen_panics\([^\n]*, !dbg !)(\d+)")
_NUMBERED = re.compile(r"^!(\d+) = ", re.M)
_CONSTANT = re.compile(r"^(@[\w.]+) = (?:private|internal) unnamed_addr constant (.*?)(?:, align \d+)?$", re.M)
_PART = re.compile(r"ptr (@(?:\"[^\"\n]+\"|[\w.$-]+)|null)|\[(\d+) x i8\] (?:c\"([^\"]*)\"|zeroinitializer|undef)")
_BYTE = re.compile(r"\\([0-9A-F]{2})")
_NAME, _FILE, _LINE, _PANIC, _PART_OF_PANIC, _IGNORED = 0, 16, 32, 40, 48, 64
"""Where in a constant what is told of a test begins."""


@dataclass(frozen=True, slots=True)
class Told:
    """A test, the constant that tells of it, and what its panic has to say."""

    test: NamedTest
    constant: str
    message: str


class Constants:
    """What is constant in IR: bytes, and what pointers among them lead to."""

    def __init__(self, text: str) -> None:
        self.known = {match[1]: match[2] for match in _CONSTANT.finditer(text)}

    def read(self, name: str) -> tuple[bytes, dict[int, str]]:
        """The bytes of a constant, and the pointers that stand in it, by their places."""
        value = self.known[name]
        inside = value.partition("> <{")[2] or value
        data, pointers = bytearray(), dict[int, str]()
        for part in _PART.finditer(inside):
            if part[1] is None:
                data += _bytes(part[3]) if part[3] is not None else bytes(int(part[2]))
                continue
            pointers[len(data)] = part[1]
            data += bytes(8)
        return bytes(data), pointers

    def number(self, data: bytes, place: int) -> int:
        """A number of 8 bytes."""
        return int.from_bytes(data[place : place + 8], "little")

    def text(self, of: tuple[bytes, dict[int, str]], place: int) -> str:
        """A string: where it stands, and its length."""
        data, pointers = of
        length = self.number(data, place + 8)
        if not length:
            return ""
        return self.read(pointers[place])[0][:length].decode()


def _bytes(text: str) -> bytes:
    return _BYTE.sub(lambda byte: chr(int(byte[1], 16)), text).encode("latin-1")


def told_in(text: str, root: str) -> list[Told] | None:
    """The tests of IR, in the order of their names; None: it is no program of tests."""
    runs = _RUNS.search(text)
    if runs is None:
        return None
    constants = Constants(text)
    count = int(runs[3])
    names = list(constants.read(runs[2])[1].values())[:count] if count else []
    return [_told(constants, name, root) for name in names]


def _told(constants: Constants, name: str, root: str) -> Told:
    of = data, _ = constants.read(name)
    panic = constants.number(data, _PANIC)
    test = NamedTest(
        constants.text(of, _NAME),
        constants.text(of, _FILE),
        constants.number(data, _LINE),
        root,
        ignored=data[_IGNORED] != 0,
        panics=panic != 0,
    )
    return Told(test, name, constants.text(of, _PART_OF_PANIC) if panic == 2 else "")


def only(text: str, told: Told) -> str:
    """IR of tests, in which one is the first, and there are no others."""
    runs = _RUNS.search(text)
    assert runs is not None
    first = f"{runs[2]} = internal unnamed_addr constant <{{ ptr }}> <{{ ptr {told.constant} }}>"
    text = re.sub(rf"^{re.escape(runs[2])} = [^\n]*?(?=, align|$)", lambda _: first, text, count=1, flags=re.M)
    if not told.test.panics:
        return text.replace(runs[0], runs[0].replace(runs[1], "@xgen_passes"), 1)
    return _at_test(text.replace(runs[0], runs[0].replace(runs[1], "@xgen_panics"), 1), told.test)


def _at_test(text: str, test: NamedTest) -> str:
    """IR whose main runs a test in the test's line: what is wrong may be that nothing there panics."""
    call = _PANICS.search(text)
    if call is None or (place := re.search(rf"^!{call[2]} = !DILocation\(.*scope: (!\d+)", text, re.M)) is None:
        return text
    last, folder = max(map(int, _NUMBERED.findall(text))), os.getcwd()
    where = (
        f"!{last + 1} = !DIFile(filename: {_quoted(test.file)}, directory: {_quoted(folder)})\n"
        f"!{last + 2} = !DILexicalBlockFile(scope: {place[1]}, file: !{last + 1}, discriminator: 0)\n"
        f"!{last + 3} = !DILocation(line: {test.line}, column: 1, scope: !{last + 2})\n"
    )
    return f"{text[: call.start(2)]}{last + 3}{text[call.end(2) :]}\n{where}"


def _quoted(text: str) -> str:
    return '"' + "".join(c if c.isprintable() and c not in '\\"' else f"\\{ord(c):02X}" for c in text) + '"'
