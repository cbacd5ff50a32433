"""Tests of a file of Rust, or of a target of a cargo project: one compilation, and the IR of each."""

from __future__ import annotations

import json
import re
from contextlib import nullcontext
from functools import partial

from xgen.errors import Source, UsageError
from xgen.frontends.cache import Made, cached
from xgen.frontends.llvm.rust.crates import (
    TEST,
    Asked,
    Library,
    compiled_anew,
    compiled_std,
    made_by,
    made_of,
    made_with,
    once,
    workplace_of,
)
from xgen.frontends.llvm.rust.harness import Told, only, told_in
from xgen.frontends.llvm.rust.names import ANEW, TOLD, renamed, told_anew
from xgen.frontends.llvm.rust.rustc import UNWINDS, library_of, with_std
from xgen.frontends.testing import chosen
from xgen.records import dataclass
from xgen.sources import made
from xgen.store import hashed

_IF = re.compile(r"^#!\[cfg\((?P<name>\w+)\)\]", re.M)
"""What a file begins with that is left out as a whole without this cfg."""


@dataclass(frozen=True, slots=True)
class Tests:
    """The tests of a target: the IR of all of them, and the functions in it that do not return."""

    source: Source
    text: str
    ends: frozenset[str]

    @property
    def has_any(self) -> bool:
        """Whether rustc has made a main for tests; a target may have one of its own."""
        return told_in(self.text, "") is not None

    @property
    def told(self) -> list[Told]:
        """What is told of each. Raises UsageError where the target has a main of its own."""
        found = told_in(self.text, self.source.name)
        if found is None:
            message = "this has no `#[test]` that rustc makes a main for"
            without = _IF.search(self.source.text)
            hint = f"`{without[0]}` leaves all of it out: --cfg {without['name']} has it in" if without else None
            raise UsageError(message, file=self.source.name, hint=hint)
        return found


def compiled_tests(how: Asked, work: str | None = None) -> Tests:
    """The tests of a file, or of the target of a project that begins with it. `work`: a folder for what is built of
    several targets. Raises as `read_rust` does."""
    found = json.loads(once(how, ("test",), partial(_made, how, work)))
    return Tests(how.source, found["text"], frozenset(found["ends"]))


def _made(how: Asked, folder: str | None) -> Made:
    from xgen.frontends.llvm.passes import linked

    with workplace_of(how, UNWINDS) if folder is None else nullcontext(folder) as work:
        std = compiled_std(work, how.rustc, UNWINDS)
        test = compiled_anew(work, how.rustc, UNWINDS, TEST, "test", with_std(work))
        with_test = (UNWINDS, f"--extern=test={library_of(work, 'test')}", *how.flags)
        texts, read = made_by(how, work, with_test, "test")
    library = Library(how.rustc, unwinds=True, told=True)
    text = linked([*texts, ("test", test), ("std", std)], {"main", *ANEW, *TOLD}, library.linking())
    return made_of(json.dumps({"text": text, "ends": sorted(library.ends)}), read, how.flags)


def text_of_test(tests: Tests, name: str) -> str:
    """The IR of a test. Raises UsageError where there is none of that name."""
    known = tests.told
    (test, *_) = chosen([told.test for told in known], name, tests.source.name)
    told = next(told for told in known if told.test is test)
    key = [made_with(), hashed(tests.text.encode()), name]
    make = partial(_of_one, tests, told)
    return made(f"test {name} of {tests.source.name}", lambda: cached(key, [], make))


def _of_one(tests: Tests, told: Told) -> Made:
    from xgen.frontends.llvm.passes import prepared

    asks, text = bool(told.message), only(tests.text, told)
    found = prepared([(tests.source.name, told_anew(text) if asks else text)], {"main", *(TOLD if asks else ANEW)})
    return Made(renamed(found, tests.ends, unwinds=True, told=asks), ())
