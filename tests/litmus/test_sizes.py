"""Accesses to parts of a location."""

from __future__ import annotations

import pytest

from tests.litmus.reading import read
from xgen.analyses.suite.litmus import run_litmus
from xgen.errors import UnsupportedError
from xgen.memory.library import load_model


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
    text = "RISCV T\n{0:x1=x;}\nP0 ;\nsd x5,0(x1) ;\nadd x6,x1,x7 ;\nsw x5,0(x6) ;\nexists (x=0)"
    with pytest.raises(UnsupportedError) as error:
        read(text)
    assert error.value.line == 6


UPDATES = {
    # name: (test, final state)
    "AArch64": (
        """AArch64 T
{ int x=2147483647; int64_t y=9223372036854775807; uint8_t b=200; uint16_t h=65535; uint8_t c=200;
  0:X1=x; 0:X2=y; 0:X3=b; 0:X4=h; 0:X8=c; }
P0 ;
MOV X0,#1 ;
LDADD W0,W5,[X1] ;
LDADD X0,X6,[X2] ;
LDSMAXB W0,W7,[X3] ;
LDADDH W0,W9,[X4] ;
LDUMAXB W0,W10,[X8] ;
locations [x; y; b; h; c;] exists (x=0)""",
        "[b]=1; [c]=200; [h]=0; [x]=-2147483648; [y]=-9223372036854775808;",
    ),
    "RISCV": (
        """RISCV T
{ int x=2147483647; int64_t y=-9223372036854775808; 0:x1=x; 0:x2=y; int z=-1; 0:x8=z; }
P0 ;
li x5,1 ;
li x6,-1 ;
amoadd.w x7,x5,(x1) ;
amoadd.d x0,x6,(x2) ;
amomaxu.w x0,x5,(x8) ;
locations [x; y; z; 0:x7;] exists (x=0)""",
        "0:x7=2147483647; [x]=-2147483648; [y]=9223372036854775807; [z]=-1;",
    ),
    "X86": (
        """X86 T
{ int x=2147483647; int y=-2147483648; }
P0 ;
LOCK INC [x] ;
LOCK DEC [y] ;
locations [x; y;] exists (x=0)""",
        "[x]=-2147483648; [y]=2147483647;",
    ),
}


@pytest.mark.parametrize("arch", UPDATES)
def test_updates_wrap_at_their_size(arch: str) -> None:
    text, final = UPDATES[arch]
    assert run_litmus(read(text), load_model("sc")).states == ((final, 1),)
