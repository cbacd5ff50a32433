"""Which events depend on which reads, in the executions of litmus tests."""

from __future__ import annotations

import pytest

import xgen
from tests.litmus.reading import read
from xgen.analyses.suite.litmus import run_litmus

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


# A thread updates what another one has written, reads it again, and writes what is computed from that (S).
AARCH64 = """AArch64 T
{{ 0:X1=x; 0:X2=y; 1:X1=x; 1:X2=y; 1:X4=1; 1:X9=2; }}
P0          | P1             ;
MOV W0,#2   | {}             ;
STR W0,[X1] | LDR W5,[X2]    ;
DMB SY      | EOR W6,W5,W5   ;
MOV W3,#1   | ADD W6,W6,#1   ;
STR W3,[X2] | STR W6,[X1]    ;
exists (1:X8=1 /\\ 1:X5=2 /\\ [x]=2)"""
KERNEL = """C T
{{ }}
P0(atomic_t *x, atomic_t *y) {{ WRITE_ONCE(*x, 2); smp_mb(); WRITE_ONCE(*y, 1); }}
P1(atomic_t *x, atomic_t *y) {{
  int a; int b;
  a = {};
  b = READ_ONCE(*y);
  WRITE_ONCE(*x, 1 + (b ^ b));
}}
exists (1:a=1 /\\ 1:b=2 /\\ x=2)"""
XCFA = """var x : int var y : int
process P0 {{ 2 -> x @ once; fence; 1 -> y @ once; }}
process P1 {{ var a : int var b : int a <- {} @ once; b <- y @ once; 1 + (b bitxor b) -> x @ once; }}
"""
C = """#include <stdatomic.h>
#include <threads.h>
atomic_int x, y, a, b;
int first(void *p) {{
  atomic_store_explicit(&x, 2, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  return 0;
}}
int second(void *p) {{
  int r = {}, s = atomic_load_explicit(&y, memory_order_relaxed);
  atomic_store_explicit(&x, 1 + (s ^ s), memory_order_relaxed);
  a = r; b = s;
  return 0;
}}
int main(void) {{ thrd_t s, t; thrd_create(&s, first, 0); thrd_create(&t, second, 0); return 0; }}
"""
UPDATES = [
    (
        "LDADD W4,W8,[X2]",
        "atomic_fetch_add_relaxed(1, y)",
        "fetch_add(y, 1)",
        "atomic_fetch_add_explicit(&y, 1, memory_order_relaxed)",
        "Never",
    ),
    (
        "SWP W9,W8,[X2]",
        "xchg_relaxed(y, 2)",
        "exchange(y, 2)",
        "atomic_exchange_explicit(&y, 2, memory_order_relaxed)",
        "Sometimes",
    ),
]


@pytest.mark.parametrize(("instruction", "kernel", "statement", "expression", "observation"), UPDATES)
def test_what_an_update_computes(
    instruction: str, kernel: str, statement: str, expression: str, observation: str
) -> None:
    """A dependency goes on from what it reads to who reads what it writes, in each language alike."""

    def found(program: xgen.Program, model: str, *names: str) -> bool:
        result = xgen.check(program, xgen.model(model), all_states=True)
        return any([outcome.state[name] for name in (*names, "x")] == [1, 2, 2] for outcome in result.outcomes)

    assert run_litmus(read(AARCH64.format(instruction)), xgen.model("arm8")).observation == observation
    assert run_litmus(read(KERNEL.format(kernel)), xgen.model("lkmm")).observation == observation
    for model in ("arm8", "lkmm"):
        assert found(xgen.parse(XCFA.format(statement)), model, "P1:a", "P1:b") == (observation == "Sometimes")
    for options in ({}, {"map": "armv8-lse"}):
        program = xgen.parse(C.format(expression), "c", **options)
        assert found(program, "arm8", "a", "b") == (observation == "Sometimes")
