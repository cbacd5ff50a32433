"""Reading the files that users name: programs and memory models."""

from __future__ import annotations

from pathlib import Path

from xgen.errors import Position, Source, UsageError


def read_source(path: str | Path) -> Source:
    """The text of a file, named as the user named it; line ends are `\\n`, a byte order mark is dropped.

    Raises UsageError for a file that is missing, cannot be read, or is not UTF-8 text. An empty file is an empty
    text: whether that means anything is up to the language.
    """
    name = str(path)
    try:
        data = Path(path).read_bytes()
    except FileNotFoundError:
        raise UsageError("there is no such file", file=name) from None
    except IsADirectoryError:
        raise UsageError("this is a directory, not a file", file=name) from None
    except PermissionError:
        raise UsageError("the file cannot be read: permission denied", file=name) from None
    except (OSError, ValueError) as error:  # ValueError: a NUL character in the path
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise UsageError(f"the file cannot be read: {reason}", file=name) from None
    return Source(name, decode(data, name))


def decode(data: bytes, name: str) -> str:
    """The text of a file's bytes; UsageError where they are not text."""
    if b"\0" in data:
        raise UsageError("this is a binary file, not a text", file=name)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8-sig").split("\n")
        place = Position(len(before), len(before[-1]) + 1)
        raise UsageError("this is not UTF-8 text", position=place, file=name, hint="save the file as UTF-8") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")
