"""The sorts and relations of the core, and what asks for them: by name, not by number."""

from __future__ import annotations

import pytest

from xgen import _core
from xgen.engine.cubes import _RELATIONS, _SORTS
from xgen.systems.parameterised import Kind


def test_each_name_has_one_meaning() -> None:
    assert set(_SORTS) == set(Kind)
    assert sorted(sort.name for sort in _SORTS.values()) == sorted(sort.name for sort in _core.CubeSort)
    assert {kind.name: _SORTS[kind].name for kind in Kind} == {kind.name: kind.name for kind in Kind}
    signs = {"=": "EQ", "<>": "NE", "<": "LT", "<=": "LE"}
    assert {sign: relation.name for sign, relation in _RELATIONS.items()} == signs


@pytest.mark.parametrize("sort", ["ENUM", 99, _core.CubeRelation.EQ])
def test_other_names_are_refused(sort: object) -> None:
    with pytest.raises(TypeError):
        _core.CubeSystem([(sort, 0, False, 1)], (0, 0, False, False), (0, []), [], [], [])  # type: ignore[list-item]
