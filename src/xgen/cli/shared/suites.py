"""What the commands that run suites of tests share: how the tests are run, and going on with them."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from xgen.analyses.suite.runner import Spread, texts_of_models, with_texts
from xgen.analyses.suite.suite import Item
from xgen.cli import output
from xgen.engine.distributed.run_file import KeptFile
from xgen.engine.distributed.workers import GoneError
from xgen.records import replace


def kept(tests: list[Item], how: Spread, checkpoint: Path | None, about: dict[str, Any]) -> tuple[list[Item], Spread]:
    """The tests and how they are run, with the file that they are kept in, if one is asked for."""
    texts = (
        {} if checkpoint is None and how.cluster is None else texts_of_models(sorted({t.model or "" for t in tests}))
    )
    how = replace(how, texts=texts)
    if checkpoint is None:
        return tests, how
    from xgen.analyses.suite.file import KeptSuite  # long to import

    tests = with_texts(tests)
    told = {**about, "texts": texts, "timeout": how.timeout}
    return tests, replace(how, kept=KeptSuite.begin(checkpoint, told, tests))


def resumed(file: Path, how: Spread) -> tuple[list[Item], Spread, dict[str, Any]]:
    """The tests that are kept in a file, how the others are run, and what the file says of its run."""
    from xgen.analyses.suite.file import KeptSuite  # long to import

    suite = KeptSuite.resume(file)
    about = suite.about()
    timeout = about["timeout"] if how.timeout is None else how.timeout
    asked = {name: about.get(name, False) for name in ("liveness", "until_decided")}
    tests = [replace(test, **asked) for test in suite.tests()]
    return tests, replace(how, kept=suite, texts=about["texts"], timeout=timeout), about


@contextmanager
def ending(kept: KeptFile | None) -> Iterator[None]:
    """While the block lasts, SIGTERM ends a run that is kept as Ctrl-C does; then it says what was not written."""
    if kept is None or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
        kept.close()
        if kept.trouble is not None:
            output.complain(f"the checkpoint is not complete, it could not be written: {kept.trouble}")


def stopped(error: KeyboardInterrupt | GoneError, done: int, of: int, how: Spread) -> str:
    """What is said of a suite that did not come to its end."""
    if isinstance(error, KeyboardInterrupt):
        return f"interrupted after {done} of {of} tests"
    hint = "" if how.kept is None else f"; `xgen resume {how.kept.path}` goes on"
    return f"{error}, after {done} of {of} tests{hint}"
