"""What processes do in tests, in a module that they can import."""

from __future__ import annotations

import os
import signal
from multiprocessing.connection import Connection


def half(connection: Connection) -> None:
    """Is killed in the middle of a message."""
    connection.recv()
    os.write(connection.fileno(), (1000).to_bytes(4, "big") + b"not a thousand bytes")
    os.kill(os.getpid(), signal.SIGKILL)


def exits(connection: Connection) -> None:
    """Says one thing, and exits with a code."""
    connection.recv()
    connection.send("a")
    os._exit(3)


def returns(connection: Connection) -> None:
    """Says two things, and has done its work."""
    connection.recv()
    connection.send("a")
    connection.send("b")


def shouts(connection: Connection) -> None:
    """Says things that no pipe has room for, one after the other."""
    connection.recv()
    while True:
        connection.send("a" * 10_000_000)
