"""Whatever a text says, it is read, or refused with a message; it neither ends in a traceback nor takes for ever."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from cli.fake import run
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import xgen
from fuzz.mutations import mutations
from xgen.analyses.suite.suite import read_expectations
from xgen.clock import time_limit
from xgen.errors import Source, XgenError
from xgen.frontends.cub import read_cub
from xgen.frontends.litmus import read_litmus
from xgen.lowering.threads import lower
from xgen.memory.cat import read_cat
from xgen.memory.mcm.parser import read_model
from xgen.memory.statics.lint import remarks_of
from xgen.resources import shipped
from xgen.views.answers.json import result_to_dict
from xgen.views.answers.model import render

SECONDS = 20.0
"""After so many a text is one that takes for ever."""


def texts(folder: Path, pattern: str, most: int) -> list[str]:
    """The shortest files."""
    found = [path.read_text(encoding="utf-8") for path in sorted(folder.rglob(pattern))]
    return sorted((text for text in found if len(text) < most), key=len)


PROGRAMS = texts(shipped("programs"), "*.xcfa", 2500)
TESTS = [text for folder in sorted(shipped("litmus").iterdir()) for text in texts(folder, "*.litmus", 1500)[:12]]
MODELS = texts(shipped("mcm"), "*.mcm", 6000)
CATS = [
    '"one"\nlet com = rf | co | fr\nacyclic po | com as sc\n',
    '"two"\ninclude "cos.cat"\nlet rec a = po | (a;a) and b = [W];a;[R]\nlet f (x, y) = x & y^-1\n'
    "empty rmw & (fre;coe) as atom\nflag ~empty f(a, b) as strange\nirreflexive a+;fr? as odd\n",
    '"three"\nlet A = domain(po) \\ range(rf)\nlet r = (A * M) | ([A]; po-loc; [F & Acq])\n'
    "let g = fun x -> x | r\nshow g po\nlet s = {A; W} ++ R\nacyclic g r as c\n(* end *)\n",
]

SYSTEMS = texts(shipped("programs"), "*.cub", 2500)


def survives(read: Callable[[str], object], text: str) -> None:
    """Reads, and lets errors that are designed pass."""
    with suppress(XgenError), time_limit(SECONDS):
        read(text)


fuzzed = settings(max_examples=2 * settings().max_examples, suppress_health_check=list(HealthCheck))


def xcfa(text: str) -> None:
    lower(xgen.parse(text))


def litmus(text: str) -> None:
    test = read_litmus(Source("a.litmus", text))
    lower(test.program)


def mcm(text: str) -> None:
    model = read_model(Source("a.mcm", text))
    remarks_of(model)
    render(model)


def cat(text: str) -> None:
    render(read_cat(Source("a.cat", text), "AArch64"))


@fuzzed
@given(mutations(PROGRAMS))
def test_programs(text: str) -> None:
    survives(xcfa, text)


@fuzzed
@given(mutations(TESTS))
def test_litmus_tests(text: str) -> None:
    survives(litmus, text)


@fuzzed
@given(mutations(MODELS))
def test_models(text: str) -> None:
    survives(mcm, text)


def cub(text: str) -> None:
    read_cub(Source("a.cub", text))


@fuzzed
@given(mutations(SYSTEMS))
def test_systems(text: str) -> None:
    survives(cub, text)


@fuzzed
@given(mutations(CATS))
def test_cat_models(text: str) -> None:
    survives(cat, text)


# ---- what xgen itself has written


def saved() -> dict[str, Any]:
    """A result that was saved."""
    result = xgen.check(xgen.load(shipped("programs") / "peterson.xcfa"), xgen.model("tso"))
    return {key: value for key, value in result_to_dict(result).items() if key in ("program", "witness")}


SAVED = json.dumps(saved())
PLAIN: st.SearchStrategy[Any] = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 30), st.sampled_from(["", "x", "0:0", "0:1", "init:turn", "W", "init"])
)
VALUES = st.one_of(PLAIN, st.lists(PLAIN, max_size=3), st.dictionaries(st.sampled_from(["line", "id"]), PLAIN))


def places(value: Any) -> list[tuple[Any, Any]]:
    """Where in a document its values stand: all pairs of what holds one, and its key or index there."""
    inner = (
        list(value.items()) if isinstance(value, dict) else list(enumerate(value)) if isinstance(value, list) else []
    )
    return [pair for key, part in inner for pair in [(value, key), *places(part)]]


@st.composite
def documents(draw: st.DrawFn) -> str:
    """The saved result with a few values replaced, removed, or taken from elsewhere in it."""
    document = json.loads(SAVED)
    for _ in range(draw(st.integers(1, 4))):
        holder, key = draw(st.sampled_from(places(document)))
        match draw(st.integers(0, 2)):
            case 0:
                del holder[key]
            case 1:
                holder[key] = draw(VALUES)
            case 2:
                other, place = draw(st.sampled_from(places(json.loads(SAVED))))
                holder[key] = other[place]
        if not document:
            break
    return json.dumps(document)


def show(text: str) -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "result.json"
        file.write_text(text)
        for form in ("dot", "svg"):
            assert run("show", str(file), "--format", form).exit_code in (0, 2)


@fuzzed
@given(documents())
def test_saved_results(text: str) -> None:
    survives(show, text)


def expectations(text: str) -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "verdicts"
        file.write_text(text, errors="surrogatepass")
        read_expectations(str(file))


@fuzzed
@given(mutations(["path,verdict\na.litmus,Ok\nb/c.litmus,No\n", '{"path": "a.litmus", "verdict": "Undef"}\n']))
def test_expectations(text: str) -> None:
    survives(expectations, text)
