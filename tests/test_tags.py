"""The table of tags: what readers of programs emit and what shipped models name is in it."""

from __future__ import annotations

from pathlib import Path

import pytest

import xgen
from xgen.errors import XgenError
from xgen.frontends.litmus import load_litmus
from xgen.frontends.litmus.c import c11, linux
from xgen.frontends.litmus.reader import ARCHITECTURES as READ
from xgen.lowering.threads import lower
from xgen.memory.cat.world import World
from xgen.memory.library import list_models
from xgen.memory.statics.vocabulary import known_tags
from xgen.resources import shipped
from xgen.shapes.writers import WRITERS
from xgen.tags import ARCHITECTURES, BY_NAME, ELSEWHERE, ORDERS, TAGS, names


def test_each_tag_once() -> None:
    assert len(BY_NAME) == len(TAGS)
    assert all(set(tag.kinds) <= set("RWF") and tag.kinds and tag.meaning for tag in TAGS)


@pytest.mark.parametrize("name", list_models())
def test_shipped_models_name_known_tags(name: str) -> None:
    assert known_tags(xgen.model(name)) <= set(BY_NAME)


def emitted(paths: list[Path]) -> set[tuple[str, str]]:
    """The tags of the events of programs, with the events' kinds."""
    found = set()
    for path in paths:
        try:
            code = lower(load_litmus(path).program if path.suffix == ".litmus" else xgen.load(path))
        except XgenError:
            continue
        found |= {(tag, event.kind) for event in code.classes for tag in event.tags}
    return found


def test_programs_emit_known_tags_on_the_kinds_of_events_that_have_them() -> None:
    own = {"f1", "f2"}  # of programs that go with a model of their own
    paths = [*shipped("litmus").rglob("*.litmus"), *shipped("programs").rglob("*.xcfa")]
    for tag, kind in emitted(paths):
        assert tag in own or kind in BY_NAME[tag].kinds, (tag, kind)


def test_languages_have_words_for_known_tags() -> None:
    assert set(linux.FENCES.values()) <= set(names("LKMM", "F"))
    assert set(c11.ORDERS.values()) == set(names("C"))
    for writer in WRITERS.values():
        assert set(writer.fences) <= set(BY_NAME)
        pairs_and_updates = {"rmw", "ex", "exal"}
        assert {tag for kind in "RW" for tag in writer.tags[kind]} <= set(BY_NAME) | pairs_and_updates


def test_architectures() -> None:
    assert set(READ) <= set(ARCHITECTURES)
    assert not set(ARCHITECTURES) & set(ELSEWHERE)
    for name in ("", *ARCHITECTURES):
        world = World(name)
        tags = {part.name for term in world.sets.values() for part in term.subterms() if part.name}
        assert tags <= set(BY_NAME)


def test_orders() -> None:
    assert (
        *("relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst"),
        *("acquire_pc", "once"),
    ) == ORDERS
