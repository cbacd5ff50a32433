"""Writing the files that options name: whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from xgen.errors import UsageError


def prepare(file: Path) -> None:
    """See that a file can be written, so that a long run does not end in vain. Raises UsageError where it cannot be."""
    try:
        mode = os.stat(file).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, "this is a directory, not a file")
        if not os.access(file, os.W_OK):
            raise PermissionError(errno.EACCES, "permission denied")
    except FileNotFoundError:
        _try(Path(_folder(file)), file)
    except (OSError, ValueError) as error:  # ValueError: a NUL character in the path
        raise unwritable(file, error) from None


def write(file: Path, text: str) -> None:
    """Write a text to a file: to another one first, which takes the file's place once it is complete.

    Raises UsageError where that cannot be done; then, and where it is interrupted, the file is as it was before. What
    is no file (a device, a pipe) and what stands in a folder that takes no other file is written to as it is.
    """
    data = text.encode("utf-8", "backslashreplace")
    try:
        if _is_replaceable(file):
            _replace(Path(os.path.realpath(file)), data)
        else:
            file.write_bytes(data)
    except (OSError, ValueError) as error:
        raise unwritable(file, error) from None


def unwritable(file: Path, error: OSError | ValueError) -> UsageError:
    """What is said about a file or folder that cannot be written."""
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return UsageError(f"this cannot be written: {reason}", file=str(file))


def _try(folder: Path, file: Path) -> None:
    """See that a folder takes a file."""
    import tempfile  # long to import

    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise unwritable(file, error) from None


def _folder(file: Path) -> str:
    return os.path.dirname(os.path.realpath(file))


def _is_replaceable(file: Path) -> bool:
    if not os.path.exists(file):
        return True
    return stat.S_ISREG(os.stat(file).st_mode) and os.access(_folder(file), os.W_OK)


def _replace(file: Path, data: bytes) -> None:
    mode = stat.S_IMODE(file.stat().st_mode) if file.exists() else 0o666 & ~_mask()
    import tempfile  # long to import

    number, name = tempfile.mkstemp(".tmp", ".xgen-", file.parent)
    try:
        with open(number, "wb") as other:
            other.write(data)
        os.chmod(name, mode)
        os.replace(name, file)
    except BaseException:
        os.unlink(name)
        raise


def _mask() -> int:
    """The permissions that new files do not get; it can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
