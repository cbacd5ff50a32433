"""Accesses to parts of a location."""

from __future__ import annotations

import pytest

from tests.litmus.reading import read
from xgen.errors import UnsupportedError


@pytest.mark.parametrize(
    ("init", "instructions", "line", "message"),
    [
        ("", "sb x5,0(x1); lw x6,0(x1)", 4, "accesses of different sizes are not supported: 8 of `x`'s 32 bits"),
        ("uint64_t x;", "sw x5,0(x1)", 4, "accesses of different sizes are not supported: 32 of `x`'s 64 bits"),
        (
            "",
            "ld x5,0(x1); amoor.w x5,x6,(x1)",
            5,
            "accesses of different sizes are not supported: 32 of `x`'s 64 bits",
        ),
    ],
)
def test_writes_to_a_part(init: str, instructions: str, line: int, message: str) -> None:
    lines = "\n".join(f"{instruction} ;" for instruction in instructions.split(";"))
    text = f"RISCV T\n{{{init} 0:x1=x;}}\nP0 ;\n{lines}\nexists (x=0)"
    with pytest.raises(UnsupportedError) as error:
        read(text)
    assert (error.value.message, error.value.line) == (message, line)


@pytest.mark.parametrize(
    ("init", "instructions"),
    [
        ("", "sw x5,0(x1); lb x6,0(x1)"),  # reading a part is fine
        ("", "sb x5,0(x1); lbu x6,0(x1)"),
        ("0:x2=y;", "sd x5,0(x2); sw x6,0(x1)"),
        ("int16_t x;", "sh x5,0(x1)"),
    ],
)
def test_accesses_of_one_size(init: str, instructions: str) -> None:
    lines = "\n".join(f"{instruction} ;" for instruction in instructions.split(";"))
    read(f"RISCV T\n{{{init} 0:x1=x;}}\nP0 ;\n{lines}\nexists (x=0)")


def test_in_an_address_that_is_computed() -> None:
    """An index is taken to stay in the location that the address starts from."""
    text = "AArch64 T\n{0:X1=x;}\nP0 ;\nSTR X0,[X1] ;\nSTR W0,[X1,W2,SXTW] ;\nexists (x=0)"
    with pytest.raises(UnsupportedError) as error:
        read(text)
    assert error.value.line == 5
