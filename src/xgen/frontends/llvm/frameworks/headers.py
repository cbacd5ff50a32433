"""Where a compiler finds headers of frameworks for tests: xgen's own, wherever others are."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence

from xgen.errors import Source
from xgen.resources import package_folder

HEADERS = package_folder("frontends/llvm/frameworks/include")
_OWN = frozenset(path.relative_to(HEADERS).as_posix() for path in HEADERS.rglob("*.h*"))
_INCLUDES = re.compile(r'^[ \t]*#[ \t]*include[ \t]*["<]([^">\n]+)[">]', re.M)
_MAIN = re.compile(r"^[^/\n]*\bmain[ \t\n]*\(", re.M)
_RUNS = re.compile(r"\b(RUN_ALL_TESTS|doctest::Context|Catch::Session|DOCTEST_CONFIG_IMPLEMENT|CATCH_CONFIG_RUNNER)\b")
"""What a main has to do with that runs tests."""
_TEST = re.compile(
    r"^[ \t]*(TEST|TEST_F|TEST_P|TYPED_TEST|((BOOST_AUTO|BOOST_FIXTURE|TEMPLATE)_)?TEST_CASE(_\w+)?|SCENARIO)[ \t]*\(",
    re.M,
)
_QUOTED = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.M)


_ALONE = ("doctest.h", "catch.hpp", "catch_amalgamated.hpp")
"""Headers that stand beside tests in many projects, perhaps for another header there that includes them."""


def own_header(name: str) -> str | None:
    """The header of xgen's own that an #include means; a framework's header may stand in any folder."""
    parts = name.split("/")
    return next((tail for k in range(len(parts)) if (tail := "/".join(parts[k:])) in _OWN), None)


def includes_framework(text: str) -> bool:
    """Whether a text itself includes such a header."""
    return any(own_header(name) is not None for name in _INCLUDES.findall(text))


def are_tests(texts: Sequence[str]) -> bool:
    """Whether files are a program of tests, as far as their texts show: no other main stands in one."""
    if any(_MAIN.search(text) and not _RUNS.search(text) for text in texts):
        return False
    return any(includes_framework(text) or _TEST.search(text) for text in texts)


def has_main(text: str) -> bool:
    """Whether a text has a main."""
    return _MAIN.search(text) is not None


def standing_beside(source: Source) -> Iterator[tuple[str, str]]:
    """Headers of frameworks that a file finds from where it stands, before any folder is looked in: their paths, and
    those of xgen's own that are read instead."""
    folder = os.path.dirname(source.name)
    for name in dict.fromkeys([*_QUOTED.findall(source.text), *_ALONE]):
        path, own = os.path.abspath(os.path.join(folder, name)), own_header(name)
        if own is not None and os.path.isfile(path):
            yield path, str(HEADERS / own)
