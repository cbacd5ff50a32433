"""Which events depend on which reads, in the executions of litmus tests."""

from __future__ import annotations

import pytest

import xgen
from tests.litmus.reading import read

MODEL = xgen.parse_model("c = (po & loc) | rf | mo | fr\nc acyclic\nd = addr | data | ctrl\nd acyclic\n")

REGISTERS = {"AArch64": "0:X{0}={1};", "ARM": "0:R{0}={1};", "PPC": "0:r{0}={1};", "RISCV": "0:x{0}={1};"}
ADDRESSES = ((10, "x"), (11, "y"), (12, "z"))


def dependencies(arch: str, instructions: str) -> list[set[str]]:
    """For each execution of a thread, its dependencies: `addr 0 1` is one of event 1 on event 0.

    Registers 10, 11 and 12 hold the addresses of x, y and z.
    """
    init = " ".join(REGISTERS[arch].format(number, name) for number, name in ADDRESSES)
    lines = "\n".join(f"{instruction} ;" for instruction in instructions.split(";"))
    test = read(f"{arch} T\n{{{init}}}\nP0 ;\n{lines}\nexists (x=0)")
    found = []
    for execution in xgen.executions(test.program, MODEL):
        pairs = {"addr": execution.addr, "data": execution.data, "ctrl": execution.ctrl}
        edges = {
            f"{name} {execution.events[source].index} {execution.events[target].index}"
            for name, relation in pairs.items()
            for source, target in relation
        }
        found.append(edges)
    return found


@pytest.mark.parametrize(
    ("arch", "instructions", "expected"),
    [
        # values that do not matter: the dependency is there all the same
        ("AArch64", "LDR W0,[X10]; EOR W1,W0,W0; LDR W2,[X11,W1,SXTW]", {"addr 0 1"}),
        ("AArch64", "LDR W0,[X10]; AND W1,W0,#0; ADD X1,X11,W1,UXTW; STR W2,[X1]", {"addr 0 1"}),
        ("AArch64", "LDR W0,[X10]; EOR W1,W0,W0; ADD W1,W1,#1; STR W1,[X11]", {"data 0 1"}),
        ("AArch64", "LDR W0,[X10]; MOV W0,#1; STR W0,[X11]", set()),
        ("AArch64", "LDR X0,[X10]; SUB X0,X0,X0; STR X0,[X11],#0; STR W2,[X12]", {"data 0 1"}),
        ("ARM", "LDR R0,[R10]; EOR R1,R0,R0; LDR R2,[R1,R11]", {"addr 0 1"}),
        ("ARM", "LDR R0,[R10]; AND R1,R0,#0; ADD R1,R1,#1; STR R1,[R11]", {"data 0 1"}),
        ("PPC", "lwz r0,0(r10); xor r1,r0,r0; lwzx r2,r1,r11", {"addr 0 1"}),
        ("PPC", "lwz r3,0(r10); xor r1,r3,r3; addi r1,r1,1; stw r1,0(r11)", {"data 0 1"}),
        ("RISCV", "lw x5,0(x10); xor x6,x5,x5; add x7,x11,x6; lw x8,0(x7)", {"addr 0 1"}),
        ("RISCV", "lw x5,0(x10); xor x6,x5,x5; ori x6,x6,1; sw x6,0(x11)", {"data 0 1"}),
        ("RISCV", "lw x5,0(x10); lw x0,0(x10); sw x0,0(x11)", set()),
        # a shift by what was read is no branch
        ("RISCV", "lw x5,0(x10); sll x6,x7,x5; sw x6,0(x11)", {"data 0 1"}),
        ("AArch64", "LDR W0,[X10]; ASR W1,W2,W0; STR W3,[X11]", set()),
        ("PPC", "lwz r3,0(r10); slw r4,r5,r3; stw r4,0(r11)", {"data 0 1"}),
        ("PPC", "lwz r3,0(r10); sraw r4,r5,r3; stw r4,0(r11); stw r5,0(r12)", {"data 0 1"}),
        # branches, through flags as well; what follows the label depends on them too
        ("AArch64", "LDR W0,[X10]; CBNZ W0,L; L: STR W1,[X11]", {"ctrl 0 1"}),
        ("AArch64", "LDR W0,[X10]; CMP W0,#1; B.EQ L; L: ISB; LDR W1,[X11]", {"ctrl 0 1", "ctrl 0 2"}),
        ("AArch64", "LDR W0,[X10]; TBZ W0,#1,L; L: STR W1,[X11]; DMB SY", {"ctrl 0 1", "ctrl 0 2"}),
        ("AArch64", "LDR W0,[X10]; ADDS W0,W0,#1; B.VS L; L: STR W1,[X11]", {"ctrl 0 1"}),
        ("AArch64", "LDR W0,[X10]; CMP W0,#1; CMP W1,#1; B.EQ L; L: STR W1,[X11]", set()),
        ("ARM", "LDR R0,[R10]; CMP R0,#1; BNE L; L: STR R1,[R11]", {"ctrl 0 1"}),
        ("PPC", "lwz r0,0(r10); cmpw r0,r0; beq L; L: stw r1,0(r11)", {"ctrl 0 1"}),
        ("PPC", "lwz r0,0(r10); cmpwi cr1,r0,0; cmpwi r1,0; beq L; L: stw r1,0(r11)", set()),
        ("RISCV", "lw x5,0(x10); bne x5,x0,L; L: fence.i; sw x0,0(x11)", {"ctrl 0 1", "ctrl 0 2"}),
        # several at once
        ("AArch64", "LDR W0,[X10]; EOR W1,W0,W0; STR W0,[X11,W1,SXTW]", {"addr 0 1", "data 0 1"}),
        ("AArch64", "LDR W0,[X10]; LDR W1,[X11]; ADD W2,W0,W1; STR W2,[X12]", {"data 0 2", "data 1 2"}),
        # atomic updates: the result comes from their read, the value goes to their write
        ("AArch64", "LDR W0,[X10]; LDADD W0,W1,[X11]; STR W1,[X12]", {"data 0 2", "data 1 3"}),
        ("AArch64", "SWP W0,W1,[X10]; EOR W1,W1,W1; LDR W2,[X11,W1,SXTW]", {"addr 0 2"}),
        ("RISCV", "lw x5,0(x10); amoswap.w x6,x5,(x11); sw x6,0(x12)", {"data 0 2", "data 1 3"}),
        ("RISCV", "lr.w x5,(x10); sw x5,0(x11)", {"data 0 1"}),
    ],
)
def test_dependencies(arch: str, instructions: str, expected: set[str]) -> None:
    assert dependencies(arch, instructions) == [expected]


@pytest.mark.parametrize(
    ("arch", "instructions", "failed", "succeeded"),
    [
        # in RISC-V, the status depends on the write; elsewhere the models leave that out
        ("RISCV", "lr.w x5,(x10); sc.w x6,x5,(x10); sw x6,0(x11)", set(), {"data 0 1", "data 1 2"}),
        ("AArch64", "LDXR W0,[X10]; STXR W1,W0,[X10]; STR W1,[X11]", set(), {"data 0 1", "data 1 2"}),
        # in Arm's 32 bits and in POWER, it depends on the value that is stored
        ("ARM", "LDREX R0,[R10]; STREX R1,R0,[R10]; STR R1,[R11]", {"data 0 1"}, {"data 0 1", "data 0 2", "data 1 2"}),
        (
            "PPC",
            "lwarx r3,r0,r10; stwcx. r3,r0,r10; bne L; L: stw r4,0(r11)",
            {"ctrl 0 1"},
            {"data 0 1", "ctrl 0 2", "ctrl 1 2"},
        ),
    ],
)
def test_store_exclusives(arch: str, instructions: str, failed: set[str], succeeded: set[str]) -> None:
    assert sorted(dependencies(arch, instructions), key=len) == [failed, succeeded]
