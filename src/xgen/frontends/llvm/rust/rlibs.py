"""Rust's own libraries as LLVM's bitcode, which their archives (.rlib) carry beside machine code."""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path

_MAGIC, _END = b"!<arch>\n", b"`\n"
_HEADER = 60
_SECTION = b".llvmbc"


class Archive:
    """An archive: the symbols that its members define, and each member's bitcode."""

    def __init__(self, path: str) -> None:
        self.path = path

    @cached_property
    def data(self) -> bytes:
        return Path(self.path).read_bytes()

    @cached_property
    def symbols(self) -> dict[str, int]:
        """Where the member starts that defines a symbol; by the table that is the archive's first member."""
        if not self.data.startswith(_MAGIC):
            return {}
        start, size = len(_MAGIC) + _HEADER, _size(self.data, len(_MAGIC))
        if self.data[len(_MAGIC) : len(_MAGIC) + 2] != b"/ ":
            return {}
        (count,) = struct.unpack_from(">I", self.data, start)
        places = struct.unpack_from(f">{count}I", self.data, start + 4)
        names = self.data[start + 4 + 4 * count : start + size].split(b"\0")
        return {name.decode(): place for name, place in zip(names, places, strict=False)}

    def bitcode(self, place: int) -> bytes | None:
        """The bitcode of the member that starts there, if it has any."""
        start = place + _HEADER
        return _section(self.data[start : start + _size(self.data, place)])


def _size(data: bytes, place: int) -> int:
    header = data[place : place + _HEADER]
    assert header.endswith(_END)
    return int(header[48:58])


def _section(elf: bytes) -> bytes | None:
    """The section of an ELF object (64 bits, little-endian) in which bitcode stands."""
    if not elf.startswith(b"\x7fELF\x02\x01"):
        return None
    (table,) = struct.unpack_from("<Q", elf, 0x28)
    size, count, names = struct.unpack_from("<HHH", elf, 0x3A)
    headers = [struct.unpack_from("<IIQQQQ", elf, table + size * k) for k in range(count)]
    _, _, _, _, start, _ = headers[names]
    for name, _, _, _, offset, length in headers:
        if elf.startswith(_SECTION + b"\0", start + name):
            return elf[offset : offset + length]
    return None


class Libraries:
    """All archives of a folder."""

    def __init__(self, folder: str) -> None:
        names = sorted(name for name in os.listdir(folder) if name.endswith(".rlib"))
        self.archives = [Archive(os.path.join(folder, name)) for name in names]
        self.taken: set[tuple[str, int]] = set()

    def defining(self, names: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """The bitcode of members that define functions, with the names of their archives; each once."""
        for name in names:
            for archive in self.archives:
                place = archive.symbols.get(name)
                if place is None:
                    continue
                if (archive.path, place) not in self.taken:
                    self.taken.add((archive.path, place))
                    found = archive.bitcode(place)
                    if found is not None:
                        yield os.path.basename(archive.path), found
                break
