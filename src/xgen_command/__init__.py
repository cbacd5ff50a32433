"""What the commands `xgen` and `cargo xgen` begin with.

It is no part of the package `xgen`, which Python would import before.

Until the command line is there to say what ends it, Ctrl-C would be a traceback, or an abort where the core is
imported, and the exit code that of a violation. So this imports little itself.
"""

import os
import signal
import sys


def cargo() -> None:
    """What cargo starts for `cargo xgen`."""
    _run(of_cargo=True)


def main() -> None:
    """Import the command line, and run it."""
    _run(of_cargo=False)


def _run(of_cargo: bool) -> None:
    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:  # else who starts it wants it ignored
        signal.signal(signal.SIGINT, _leave)
    from xgen.cli import main as command

    try:
        signal.signal(signal.SIGINT, before)
        if of_cargo:
            from xgen.cli.desk.cargo import meant

            words, form = meant(sys.argv[1:])
            command(words, prog_name="xgen", obj=form)
        else:
            command()
    except KeyboardInterrupt:  # in its first moment
        _leave()
    finally:  # its answer is given, and Python has only to end
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _leave(*_: object) -> None:
    """End as an interrupted command does, in the middle of whatever is imported."""
    try:
        os.write(2, b"interrupted\n")
    finally:
        os._exit(3)
