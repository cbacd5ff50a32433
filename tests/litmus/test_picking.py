"""What CSEL and CAS pick by: Arm's architecture orders what is written after that, and no read.

The observations are those of herd with its aarch64.cat.
"""

from __future__ import annotations

from itertools import zip_longest

import pytest

from tests.litmus.reading import read
from xgen.analyses.suite.litmus import run_litmus
from xgen.memory.library import load_model

OTHERS = {
    "LB": (["LDR W0,[X3]", "EOR W5,W0,W0", "ADD W5,W5,#1", "STR W5,[X1]"], "0:X0=1 /\\ 1:X0=1"),
    "R": (["MOV W0,#2", "STR W0,[X3]", "DMB ST", "MOV W4,#1", "STR W4,[X1]"], "y=2 /\\ 0:X0=1 /\\ 0:X5=2"),
    "MP": (["MOV W0,#1", "STR W0,[X1]", "DMB SY", "STR W0,[X3]"], "0:X0=1 /\\ 0:X7=0"),
}
"""The other thread of the shapes, and what is asked."""


@pytest.mark.parametrize(
    ("shape", "thread", "observation"),
    [
        ("LB", "LDR W0,[X1] | CMP W0,#1 | MOV W4,#1 | CSEL W6,W4,W4,EQ | STR W6,[X3]", "Never"),
        ("LB", "LDR W0,[X1] | CMP W0,#1 | CSET W6,EQ | EOR W7,W6,W6 | MOV W4,#1 | STR W4,[X3,W7,SXTW]", "Never"),
        ("LB", "LDR W0,[X1] | CMP W0,#1 | CSET W6,EQ | CBZ W6,L | L: | MOV W4,#1 | STR W4,[X3]", "Never"),
        (
            "LB",
            "LDR W0,[X1] | CMP W0,#1 | CSET W6,EQ | EOR W7,W6,W6 | LDR W8,[X2,W7,SXTW] | MOV W4,#1 | STR W4,[X3]",
            "Never",
        ),
        ("LB", "LDR W0,[X1] | MOV W4,#1 | CMP W4,#1 | CSEL W6,W4,W0,EQ | STR W6,[X3]", "Sometimes"),
        ("LB", "LDR W0,[X1] | MOV W4,#1 | CMP W4,#2 | CSEL W6,W4,W0,EQ | STR W6,[X3]", "Never"),
        (
            "LB",
            "LDR W0,[X1] | CMP W0,#1 | MOV W4,#1 | CSEL W6,W4,W4,EQ | STR W6,[X2] | LDR W7,[X2] | STR W7,[X3]",
            "Never",
        ),
        (
            "LB",
            "LDR W0,[X1] | CMP W0,#1 | MOV W4,#1 | CSEL W6,W4,W4,EQ | STR W6,[X2] | LDAR W7,[X2] | STR W4,[X3]",
            "Never",
        ),
        (
            "LB",
            "LDR W0,[X1] | CMP W0,#1 | MOV W4,#1 | CSEL W6,W4,W4,EQ | STR W6,[X2] | LDR W7,[X2] | STR W4,[X3]",
            "Sometimes",
        ),
        ("LB", "LDR W0,[X1] | MOV W4,#1 | MOV W5,#0 | CAS W5,W4,[X2] | STR W4,[X3]", "Sometimes"),
        ("LB", "LDR W0,[X1] | SUB W5,W0,#1 | MOV W4,#1 | CAS W5,W4,[X2] | STR W4,[X3]", "Sometimes"),
        ("LB", "LDR W0,[X1] | SUB W5,W0,#1 | MOV W4,#1 | CAS W5,W4,[X2] | LDR W7,[X2] | STR W7,[X3]", "Never"),
        ("LB", "LDR W0,[X1] | SUB W5,W0,#1 | MOV W4,#1 | CAS W5,W4,[X3]", "Never"),
        ("LB", "MOV W0,#1 | MOV W4,#2 | CAS W0,W4,[X1] | MOV W4,#1 | STR W4,[X3]", "Sometimes"),
        ("LB", "MOV W0,#1 | MOV W4,#2 | CAS W0,W4,[X1] | STR W0,[X3]", "Never"),
        ("LB", "MOV W0,#1 | MOV W4,#2 | CAS W0,W4,[X1] | CBZ W0,L | L: | MOV W4,#1 | STR W4,[X3]", "Never"),
        (
            "LB",
            "MOV W0,#1 | MOV W4,#2 | CAS W0,W4,[X1] | LDR W5,[X1] | EOR W6,W5,W5 | ADD W6,W6,#1 | STR W6,[X3]",
            "Never",
        ),
        (
            "LB",
            "MOV W0,#1 | MOV W4,#2 | CAS W0,W4,[X1] | LDR W5,[X1] | CBNZ W5,L | L: | MOV W4,#1 | STR W4,[X3]",
            "Never",
        ),
        (
            "R",
            "MOV W0,#1 | MOV W4,#2 | CAS W0,W4,[X1] | LDR W5,[X1] | CBNZ W5,L | L: | MOV W4,#1 | STR W4,[X3]",
            "Never",
        ),
        ("R", "MOV W0,#1 | MOV W4,#2 | CAS W0,W4,[X1] | LDR W5,[X1] | MOV W4,#1 | STR W4,[X3]", "Sometimes"),
        ("R", "MOV W4,#2 | SWP W4,W0,[X1] | LDR W5,[X1] | CBNZ W5,L | L: | MOV W4,#1 | STR W4,[X3]", "Sometimes"),
        ("R", "MOV W4,#1 | LDADD W4,W0,[X1] | LDR W5,[X1] | CBNZ W5,L | L: | MOV W4,#1 | STR W4,[X3]", "Never"),
        ("LB", "MOV W4,#2 | SWP W4,W0,[X1] | LDR W5,[X1] | CBNZ W5,L | L: | MOV W4,#1 | STR W4,[X3]", "Sometimes"),
        ("LB", "MOV W4,#2 | SWP W4,W0,[X1] | LDR W5,[X1] | EOR W6,W5,W5 | ADD W6,W6,#1 | STR W6,[X3]", "Sometimes"),
        ("LB", "MOV W4,#2 | SWPA W4,W0,[X1] | LDR W5,[X1] | EOR W6,W5,W5 | ADD W6,W6,#1 | STR W6,[X3]", "Never"),
        ("LB", "MOV W4,#2 | LDADD W4,W0,[X1] | LDR W5,[X1] | EOR W6,W5,W5 | ADD W6,W6,#1 | STR W6,[X3]", "Never"),
        ("MP", "LDR W0,[X3] | CMP W0,#1 | CSEL W6,WZR,WZR,EQ | LDR W7,[X1,W6,SXTW]", "Sometimes"),
        ("MP", "LDR W0,[X3] | CMP W0,#1 | EOR W5,W0,W0 | CSEL W6,W5,WZR,EQ | LDR W7,[X1,W6,SXTW]", "Never"),
        ("MP", "LDR W0,[X3] | CMP W0,#1 | EOR W5,W0,W0 | CSEL W6,W5,WZR,NE | LDR W7,[X1,W6,SXTW]", "Sometimes"),
        ("MP", "LDR W0,[X3] | CMP W0,#1 | CSET W6,EQ | CBZ W6,L | L: | ISB | LDR W7,[X1]", "Never"),
        ("MP", "LDR W0,[X3] | CMP W0,#1 | CSET W6,EQ | CBZ W6,L | L: | LDR W7,[X1]", "Sometimes"),
        (
            "MP",
            "LDR W0,[X3] | CMP W0,#1 | CSET W6,EQ | EOR W6,W6,W6 | LDR W8,[X2,W6,SXTW] | ISB | LDR W7,[X1]",
            "Never",
        ),
        ("MP", "MOV W0,#1 | MOV W4,#2 | CAS W0,W4,[X3] | EOR W6,W0,W0 | LDR W7,[X1,W6,SXTW]", "Sometimes"),
        ("MP", "MOV W0,#3 | MOV W4,#2 | CAS W0,W4,[X3] | EOR W6,W0,W0 | LDR W7,[X1,W6,SXTW]", "Never"),
        ("MP", "LDR W0,[X3] | LDR W5,[X3] | MOV W4,#2 | CAS W5,W4,[X3] | EOR W6,W5,W5 | LDR W7,[X1,W6,SXTW]", "Never"),
        (
            "MP",
            "LDR W0,[X3] | CMP W0,#1 | MOV W4,#1 | CSEL W6,W4,W4,EQ | "
            "STR W6,[X2] | LDR W8,[X2] | EOR W9,W8,W8 | LDR W7,[X1,W9,SXTW]",
            "Sometimes",
        ),
    ],
)
def test_picking(shape: str, thread: str, observation: str) -> None:
    other, asked = OTHERS[shape]
    rows = zip_longest(["P0", *thread.split(" | ")], ["P1", *other], fillvalue="")
    text = "AArch64 T\n{ 0:X1=x; 0:X2=z; 0:X3=y; 1:X1=x; 1:X3=y; }\n"
    text += "".join(f"{a} | {b} ;\n" for a, b in rows) + f"exists ({asked})"
    assert run_litmus(read(text), load_model("arm8")).observation == observation
