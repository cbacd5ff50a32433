"""The operations and effects of the core, and what asks for them: by name, not by number."""

from __future__ import annotations

import pytest

from xgen import _core
from xgen.engine.explicit.states import _BINARY, _JUMPS, _UNARY, _Native
from xgen.errors import Source
from xgen.frontends.dve.reader import read_dve
from xgen.systems.processes import Expression, Number, Operation, Read, Stands

TEXT = """
byte x; byte a[2];
process P { byte y; byte b[2]; state s; init s; trans s -> s { effect y = 1; }; }
system async;
"""


def test_each_operation_is_asked_for_by_one_name() -> None:
    system = read_dve(Source("a.dve", TEXT))
    read = [Read(v, Number(1) if v.is_array else None) for v in system.variables]
    one = Number(1)
    expressions: list[Expression] = [one, Stands(0, 0), *read]
    expressions += [Operation(sign, (one,)) for sign in _UNARY]
    expressions += [Operation(sign, (one, one)) for sign in (*_BINARY, *_JUMPS)]
    used = [op for each in expressions for op, _, _ in _Native(system).code(each)]
    assert set(used) == set(_core.StateOp)
    assert len({*_UNARY.values(), *_BINARY.values(), *_JUMPS.values()}) == len(_UNARY) + len(_BINARY) + len(_JUMPS)


@pytest.mark.parametrize("op", ["ADD", 99, _core.StateEffect.ASSIGN, _core.CubeSort.ENUM])
def test_other_names_are_refused(op: object) -> None:
    build = [1, [0], [(0, 1)], [], [], [[(op, 1, 0)]], _core.StoreOrder.SC, 0, True, False, [[]], 0, 1]
    with pytest.raises(TypeError):
        _core.Emptiness(*build)  # type: ignore[arg-type]
