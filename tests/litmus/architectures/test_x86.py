"""X86: what instructions become, and what is wrong with them."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

import xgen
from tests.litmus import native
from tests.litmus.reading import program_of, read
from xgen.analyses.suite.litmus import run_litmus
from xgen.errors import XgenError
from xgen.frontends.litmus.values import Address, Register

SB = """X86 SB
"a ring"
Key=value
{ x=0; }
 P0          | P1          ;
 MOV [x],$1  | mov [y], 1  ;
 MFENCE      | (* none *)  ;
 MOV EAX,[y] | MOV EAX,[x] ;
exists (0:EAX=0 /\\ 1:EAX=0)
"""


def test_header() -> None:
    test = read(SB)
    assert (test.name, test.arch, test.model, test.doc) == ("SB", "X86", "tso", "a ring")
    assert test.info == {"Key": "value"}
    assert test.observed == (Register(0, "EAX"), Register(1, "EAX"))


def test_threads() -> None:
    assert (
        program_of(SB)
        == """\
var x : int
var y : int

main process P0 {
  main procedure main() {
    var EAX : int
    init loc L0
    final loc end
    L0 -> end {
      1 -> x;
      fence[mfence];
      EAX <- y;
    }
  }
}

main process P1 {
  main procedure main() {
    var EAX : int
    init loc L0
    final loc end
    L0 -> end {
      1 -> y;
      EAX <- x;
    }
  }
}
"""
    )


def body(*instructions: str, init: str = "") -> str:
    """The statements of a thread of these instructions, one after the other."""
    lines = "\n".join(f"{instruction} ;" for instruction in instructions)
    text = program_of(f"X86 T\n{{{init}}}\nP0 ;\n{lines}\nexists (0:EAX=0)")
    return " ".join(text.split("{\n")[-1].split("}")[0].split()).removesuffix(";")


@pytest.mark.parametrize(
    ("instruction", "statements"),
    [
        ("MOV EAX,EBX", "EAX := EBX"),
        ("MOV EAX,$-1", "EAX := -1"),
        ("MOV [x],EAX", "EAX -> x"),
        ("MOV EAX,[EBX]", "EAX <- x"),
        ("XCHG EAX,[x]", "$1 <- exchange(x, EAX); EAX := $1"),
        ("XCHG [x],EAX", "$1 <- exchange(x, EAX); EAX := $1"),
        ("LFENCE", "fence[lfence]"),
    ],
)
def test_instruction(instruction: str, statements: str) -> None:
    assert body(instruction, init="0:EBX=x;" if "[EBX]" in instruction else "") == statements


def final(*instructions: str, init: str = "", shown: str = "") -> str:
    """The final state of a thread of X86_64."""
    lines = "\n".join(f"{instruction} ;" for instruction in instructions)
    test = read(f"X86_64 T\n{{{init}}}\nP0 ;\n{lines}\nlocations [{shown}] exists (true)")
    ((state, count),) = run_litmus(test, xgen.model("sc")).states
    assert count == 1
    return state


@pytest.mark.parametrize(
    ("instructions", "state"),
    [
        (["movl $1,(x)", "movl (x),%eax"], "0:rax=1; [x]=1;"),
        (["movq $-1,%rax", "movl $2,%eax"], "0:rax=2; [x]=0;"),
        (["movl $-1,%eax"], "0:rax=4294967295; [x]=0;"),
        (["movl $3,%eax", "addl $4,%eax", "movl %eax,(x)"], "0:rax=7; [x]=7;"),
        (["movl $3,%eax", "shll $2,%eax", "movl $9,(x)", "shrl $1,(x)"], "0:rax=12; [x]=4;"),
        (["movl $3,%eax", "xchgl (x),%eax"], "0:rax=0; [x]=3;"),
        (["movl $5,(x)", "movl $2,%eax", "lock xaddl %eax,(x)"], "0:rax=5; [x]=7;"),
        (["movl $5,(x)", "movl $5,%eax", "movl $9,%ebx", "lock cmpxchgl %ebx,(x)"], "0:rax=5; [x]=9;"),
        (["movl $5,(x)", "movl $4,%eax", "lock cmpxchgl %ebx,(x)"], "0:rax=5; [x]=5;"),
        (["movl $5,(x)", "movl $5,%eax", "movl $9,%ebx", "cmpxchgl %ebx,(x)"], "0:rax=5; [x]=9;"),
        (["movl $5,(x)", "movl $4,%eax", "cmpxchgl %ebx,(x)", "jne l", "movl $7,%eax", "l: nop"], "0:rax=5; [x]=5;"),
        (["mov $1,%eax", "cmp $1,%eax", "je l", "movl $7,%eax", "l: nop", "ret", "movl $9,%eax"], "0:rax=1; [x]=0;"),
        (["MOV EAX,$3", "MOV [x],EAX"], "0:rax=3; [x]=3;"),
        (["subl $1,(x)", "movl (x),%eax"], "0:rax=4294967295; [x]=-1;"),
    ],
)
def test_64_bits(instructions: list[str], state: str) -> None:
    assert final(*instructions, init="uint64_t 0:rax;", shown="0:rax; x;") == state


def test_arrays_in_64_bits() -> None:
    init = "int64_t t[3]={1,-1,5}; 0:rax=t; 0:rbx=1;"
    state = final("movq 8(%rax,%rbx,8),%rcx", "movq %rcx,(%rax)", init=init, shown="0:rcx; t;")
    assert state == "0:rcx=5; t={5,-1,5};"


def test_addresses_that_change_are_computed() -> None:
    assert "EAX <- *EBX" in body("MOV EAX,[EBX]", "MOV EBX,$0", init="0:EBX=x;")


@native.needs_compiler
def test_instructions_against_this_machine(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """What random threads leave in registers and in memory, of all sizes."""
    rng = random.Random("sizes")
    values = (0, 1, 0x0102030405060708, 0xFFFFFFFFFFFFFFFF, 0x8000000000000000, 0x80FF7F0180FF7F01)
    threads = []
    for _ in range(1000 if request.config.getoption("--slow") else 150):
        registers, memory = [rng.choice(values) for _ in native.REGISTERS], [rng.choice(values) for _ in range(2)]
        if rng.random() < 0.3:  # so that what compares finds the same
            registers[0], registers[3] = memory
        threads.append((native.random_thread(rng, 6), registers, memory))
    for (code, registers, memory), found in zip(threads, native.run(threads, tmp_path), strict=True):
        lines = "\n".join(f"{instruction} ;" for instruction in code)
        initial = " ".join(f"uint64_t 0:{r}={v};" for r, v in zip(native.REGISTERS, registers, strict=True))
        shown = " ".join(f"0:{r};" for r in native.REGISTERS)
        text = f"X86_64 T\n{{uint64_t x[2]={{{memory[0]},{memory[1]}}}; 0:rsi=x; {initial}}}\nP0 ;\n{lines}\n"
        ((state, _),) = run_litmus(read(f"{text}locations [{shown} x;] exists (true)"), xgen.model("tso")).states
        assert [int(n) & 2**64 - 1 for n in re.findall(r"-?\d+(?=[;,}])", state)] == found, text


def test_pointers() -> None:
    test = read("X86 T\n{x=y; 0:ECX=z;}\nP0 ;\nMOV EAX,[x] ;\nMOV EBX,$16 ;\nexists (0:EAX=y /\\ 0:EBX=16 /\\ 0:ECX=z)")
    assert test.pointers == {Register(0, "EAX"), Register(0, "ECX")}
    y = next(number for number, address in test.addresses.items() if address == Address("y"))
    assert test.value(Register(0, "EAX"), y) == Address("y")
    assert test.value(Register(0, "EBX"), 16) == 16


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("", 1, 1, "this litmus test is empty"),
        ("X86\n{}\n", 1, 1, "a litmus test starts with its architecture and its name"),
        ("X87 T\n{}\nP0;\nexists x=1", 1, 1, "the architecture `X87` is not supported"),
        ("X86 T\nP0 ;\n", 2, 5, "there is no initial state"),
        ("X86 T\n{ x=1;\nP0 ;\nexists (x=1)", 2, 1, "the initial state does not end"),
        ("X86 T\n(* {}\nP0 ;\nexists (x=1)", 2, 1, "this comment does not end"),
        ("X86 T\n{ x=1 y=1; }\nP0 ;\nexists (x=1)", 2, 7, "`y` is out of place"),
        ("X86 T\n{}\nexists (x=1)", 2, 3, "there is no program"),
        ("X86 T\n{}\nP0 | P2 ;\nexists (x=1)", 3, 7, "thread 1 comes next, not thread 2"),
        ("X86 T\n{}\nP0 ;\nMFENCE | MFENCE ;\nexists (x=1)", 4, 8, "this line has 2 columns, there is 1 thread"),
        ("X86 T\n{}\nP0 ;\nMFENCE\nexists (x=1)", 4, 1, "this line does not end"),
        ("X86 T\n{}\nP0 ;\n MOVE EAX,$1 ;\nexists (x=1)", 4, 2, "the instruction `MOVE` is not supported"),
        ("X86 T\n{}\nP0 ;\nMOV EAX ;\nexists (x=1)", 4, 1, "`mov` takes 2 operands, not 1"),
        ("X86 T\n{}\nP0 ;\nMOV [x],[y] ;\nexists (x=1)", 4, 9, "one operand of `mov` at most is in memory"),
        ("X86 T\n{}\nP0 ;\nJMP l ;\nexists (x=1)", 4, 5, "there is no label `l` in this thread"),
        ("X86 T\n{}\nP0 ;\nl: l: NOP ;\nexists (x=1)", 4, 4, "there is already a label `l` in this thread"),
        (
            "X86_64 T\n{}\nP0 ;\nmovl 2(%rax),%ebx ;\nexists (x=1)",
            4,
            1,
            "addresses of the form `2(%rax)` are not supported",
        ),
        ("X86_64 T\n{}\nP0 ;\nmovb %eax,(x) ;\nexists (x=1)", 4, 1, "`movb` takes registers of 8 bits"),
        ("X86_64 T\n{}\nP0 ;\nmovw %al,(x) ;\nexists (x=1)", 4, 1, "`movw` takes registers of 16 bits"),
        ("X86_64 T\n{}\nP0 ;\nmovl %ah,%eax ;\nexists (x=1)", 4, 1, "`movl` takes registers of 32 bits"),
        ("X86_64 T\n{}\nP0 ;\nmov %al,%eax ;\nexists (x=1)", 4, 1, "the operands of `mov` are of 8 and 32 bits"),
        ("X86_64 T\n{}\nP0 ;\nmovzlb (x),%al ;\nexists (x=1)", 4, 1, "the instruction `movzlb` is not supported"),
        ("X86_64 T\n{}\nP0 ;\ncmpxchg16b (x) ;\nexists (x=1)", 4, 1, "`cmpxchg16b` without `lock` is not supported"),
        (
            "X86_64 T\n{}\nP0 ;\nlock cmpxchg16b %rax ;\nexists (x=1)",
            *(4, 17),
            "the operand of `cmpxchg16b` is in memory",
        ),
        ("X86_64 T\n{}\nP0 ;\nmovl %eax ;\nexists (x=1)", 4, 1, "`movl` takes 2 operands, not 1"),
        ("X86_64 T\n{}\nP0 ;\nlock movl $1,(x) ;\nexists (x=1)", 4, 6, "`lock` stands before updates of memory only"),
        ("X86 T\n{}\nP0 ;\nMFENCE ;\nexists (0:EAY=1)", 5, 9, "there is no register `EAY`"),
        ("X86 T\n{}\nP0 ;\nMFENCE ;\nexists (1:EAX=1)", 5, 9, "there is no thread 1"),
        ("X86 T\n{0:r=1;}\nP0 ;\nMFENCE ;\nexists (1:EAX=1)", 2, 2, "there is no register `r`"),
        ("X86 T\n{0:EAX=x[2];}\nP0 ;\nMFENCE ;\nexists (x=1)", 2, 8, "`x` has 1 cell"),
        ("X86 T\n{int x[2];}\nP0 ;\nMFENCE ;\nexists (x[2]=1)", 4 + 1, 9, "`x` has 2 cells"),
    ],
)
def test_errors(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(XgenError) as error:
        read(text)
    assert (error.value.message, error.value.line, error.value.column) == (message, line, column)


def test_a_condition_that_is_misspelt() -> None:
    with pytest.raises(XgenError) as error:
        read("X86 T\n{}\nP0 ;\nMFENCE ;\nexits (x=1)")
    assert (error.value.line, error.value.hint) == (5, "did you mean `exists`?")


def test_a_failed_cmpxchg_without_a_lock_writes_back() -> None:
    """So a store between its read and its write is lost: Intel's manual, volume 2, CMPXCHG; with a lock none is."""
    text = "X86_64 T\n{{}}\nP0 | P1 ;\nmovl $5,%eax | movl $2,(x) ;\n{}cmpxchgl %ebx,(x) | ;\nexists (x=0)\n"
    for lock, lost in ("", True), ("lock ", False):
        found = xgen.check(xgen.parse(text.format(lock), "litmus"), xgen.model("tso"), all_states=True)
        assert any(outcome.state["x"] == 0 for outcome in found.outcomes) == lost
