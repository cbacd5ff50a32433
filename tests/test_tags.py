"""The table of tags: what readers of programs emit and what shipped models name is in it."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Literal

import pytest

import xgen
from xgen.analyses.fences.kinds import read_kinds
from xgen.errors import XgenError
from xgen.frontends.litmus import load_litmus
from xgen.frontends.litmus.c import c11, linux
from xgen.frontends.litmus.reader import READ
from xgen.frontends.mapping import MAPPINGS
from xgen.lowering.threads import lower
from xgen.memory.cat.world import World
from xgen.memory.library import list_models
from xgen.memory.statics.vocabulary import known_tags
from xgen.resources import shipped
from xgen.shapes.writers import WRITERS
from xgen.tags import (
    ARCHITECTURES,
    BY_NAME,
    ELSEWHERE,
    FAMILIES,
    MACHINES,
    ORDERS,
    TABLE,
    TAGS,
    fence_of_c,
    names,
    orders,
)


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


def test_the_table_of_architectures() -> None:
    for each in TABLE:
        assert not each.model or each.model in list_models()
        if each.read is not None:
            module, name = each.read
            assert hasattr(importlib.import_module(f"xgen.frontends.litmus.{module}"), name)
    assert set(MACHINES) == set(MAPPINGS)
    assert set(WRITERS) <= set(READ)
    called = [name for each in TABLE for name in each.called]
    assert len(called) == len(set(called))


def test_families_of_fences() -> None:
    for known, kinds in FAMILIES:
        assert known <= set(BY_NAME)
        assert all("F" in BY_NAME[kind.name].kinds for kind in read_kinds(kinds))


def test_fences_of_c_that_become_others() -> None:
    of_c = set(names("C", "F"))
    assert {fence_of_c(tag.name) for tag in TAGS if "F" in tag.kinds} == {"", *of_c}
    assert fence_of_c("") == "seq_cst"
    assert all(fence_of_c(tag) == tag for tag in of_c)


STORES_AND_LOADS = """var x : int var y : int
process p { var a : int  init loc S  final loc E  S -> E { 1 -> x; fence[TAG]; a <- y } }
process q { var b : int  init loc S  final loc E  S -> E { 1 -> y; fence[TAG]; b <- x } }"""
STORES_ONLY = """var x : int var y : int
process p { init loc S  final loc E  S -> E { 1 -> x; fence[TAG]; 1 -> y } }
process q { var a : int var b : int  init loc S  final loc E  S -> E { a <- y; b <- x } }"""


@pytest.mark.parametrize("tag", [tag.name for tag in TAGS if "F" in tag.kinds and tag.whose != "xgen"] + ["relaxed"])
@pytest.mark.parametrize("machine", ["tso", "pso"])
def test_fences_order_in_buffers_what_the_models_say(machine: Literal["tso", "pso"], tag: str) -> None:
    def allowed(text: str, **values: int) -> bool:
        wanted = {f"{name[0]}:{name[1]}": value for name, value in values.items()}
        found = xgen.check(xgen.parse(text.replace("TAG", tag)), xgen.model(machine), all_states=True)
        return any(wanted.items() <= outcome.state.items() for outcome in found.outcomes)

    ordered = orders(machine, (tag,))
    assert allowed(STORES_AND_LOADS, pa=0, qb=0) == (ordered != "all")
    assert allowed(STORES_ONLY, qa=1, qb=0) == (machine == "pso" and ordered == "nothing")


def test_a_tag_that_nobody_knows_makes_no_fence_weaker() -> None:
    assert orders("pso", ("membar",)) == "all"
    assert orders("pso", ("membar", "sfence")) == "stores"


def test_orders() -> None:
    assert (
        *("relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst"),
        *("acquire_pc", "once"),
    ) == ORDERS
