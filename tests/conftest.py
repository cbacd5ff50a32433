"""What all tests share: the options for what takes longer."""

from __future__ import annotations

import gc
import os
import signal
from zlib import crc32

import pytest
from both.table import Unused
from hypothesis import HealthCheck, settings

# Machines that build and test at the same time are slow at times: that is no failure.
settings.register_profile("slow", deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=100)
settings.register_profile("fast", settings.get_profile("slow"), max_examples=30)

SPARED = 10


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--slow` and `--long` run the tests that are marked so, too; with `--slow`, hypothesis draws more."""
    parser.addoption("--slow", action="store_true", help="run the slow tests too: twice as long; CI does")
    parser.addoption("--both", metavar="PART/OF", help="of tests/c this part; read its texts through clang, too")
    parser.addoption("--long", action="store_true", help="run the long tests too: minutes instead of seconds")


def pytest_configure(config: pytest.Config) -> None:
    """Register the markers. Tests of Ctrl-C need it, also in a run that was started in the background."""
    gc.set_threshold(50_000)  # as on the command line
    for name in ("GITHUB_ACTIONS", "NO_COLOR", "FORCE_COLOR"):  # of who runs the tests: they change what is printed
        os.environ.pop(name, None)
    settings.load_profile("slow" if config.getoption("--slow") else "fast")
    if config.getoption("--both") == "0/1" or config.getoption("--long"):
        config.pluginmanager.register(Unused(), "unused")
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    config.addinivalue_line("markers", "slow: takes many seconds, or goes on with what others begin; runs with --slow")
    config.addinivalue_line("markers", "sweep: one claim about many programs or models; one in ten without --slow")
    config.addinivalue_line("markers", "long: takes minutes; runs with --long only")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is marked as slow or long, unless it is asked for: a third of all, which skipping would report."""
    spare_sweeps(items)
    left_out = [name for name in ("slow", "long") if not config.getoption(f"--{name}")]
    kept = [item for item in items if not any(map(item.get_closest_marker, left_out))]
    chosen = set(kept)
    config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
    items[:] = kept


def spare_sweeps(items: list[pytest.Item]) -> None:
    """Of each sweep, mark as slow what is neither its first case nor, by its name, one in SPARED."""
    begun = set()
    for item in items:
        if item.get_closest_marker("sweep") is None:
            continue
        name = item.nodeid.rpartition("/")[2]  # the same ones wherever the file is
        sweep = name.partition("[")[0]
        if sweep in begun and crc32(name.encode()) % SPARED:
            item.add_marker("slow")
        begun.add(sweep)


def pytest_collection_finish() -> None:
    """Thousands of tests live to the end: looking through them for garbage again and again takes time."""
    gc.collect()
    gc.freeze()


def pytest_unconfigure() -> None:
    """Leave nothing behind that the end of the process would not find."""
    gc.unfreeze()
