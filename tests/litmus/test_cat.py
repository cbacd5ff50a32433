"""Litmus tests under .cat models, which are read for the architecture of the test."""

from __future__ import annotations

from itertools import zip_longest
from pathlib import Path

import pytest

import xgen
from tests.litmus.reading import read
from xgen.analyses.suite.litmus import LitmusResult, run_litmus
from xgen.analyses.suite.runner import run_suite
from xgen.errors import ModelError, Source
from xgen.memory.cat import read_cat

TSO = """"TSO"
include "cos.cat"
acyclic po-loc | rf | fr | co as coherence
empty rmw & (fre; coe) as atomic
let ppo = po \\ (W * R)
let implied = po & ((W & X) * R | W * (R & X))
acyclic ppo | implied | fencerel(MFENCE) | rfe | fr | co as tso
"""

C11 = """C "release and acquire, and a race is undefined"
include "cos.cat"
let sw = [REL | ACQ_REL | SC]; (rf; [RMW])*; rf; [ACQ | ACQ_REL | SC]
let hb = (po | sw)+
irreflexive hb; (co | fr | rf)+? as coherent
empty [RMW] & (fr; co) as atomic
acyclic po | rf as no-thin-air
undefined_unless empty ((W * M) | (M * W)) & loc & ext \\ (A * A) \\ hb \\ hb^-1 \\ (IW * _) \\ (_ * IW) as race
"""

X86_SB = """X86 SB
{ x=0; y=0; }
 P0          | P1          ;
 MOV [x],$1  | MOV [y],$1  ;
 %s
 MOV EAX,[y] | MOV EAX,[x] ;
exists (0:EAX=0 /\\ 1:EAX=0)
"""

MESSAGE = """C message
{ }
P0 (int* x, atomic_int* y) {
  *x = 1;
  atomic_store_explicit(y, 1, memory_order_%s);
}
P1 (atomic_int* y) {
  int r = atomic_fetch_add_explicit(y, 1, memory_order_relaxed);
}
P2 (int* x, atomic_int* y) {
  int r1 = atomic_load_explicit(y, memory_order_acquire);
  int r2 = 1;
  if (r1 == 2) {
    r2 = *x;
  }
}
exists (1:r=1 /\\ 2:r1=2 /\\ 2:r2=0)
"""

INCREMENTS = """C increments
{ }
P0 (atomic_int* x) { int r = atomic_fetch_add_explicit(x, 1, memory_order_relaxed); }
P1 (atomic_int* x) { int r = atomic_fetch_add_explicit(x, 1, memory_order_relaxed); }
P2 (atomic_int* x) { int r = atomic_fetch_add_explicit(x, 1, memory_order_relaxed); }
forall ([x]=3)
"""


def run(text: str, model: str) -> LitmusResult:
    test = read(text)
    return run_litmus(test, read_cat(Source("m.cat", model), test.arch))


@pytest.mark.parametrize(
    ("between", "verdict"),
    [("", "Ok"), ("MFENCE | MFENCE ;", "No"), ("MFENCE | ;", "Ok"), ("XCHG [z],EBX | XCHG [w],EBX ;", "No")],
)
def test_store_buffering(between: str, verdict: str) -> None:
    """Fences forbid it, and so do exchanges of other variables, which order what is around them."""
    assert run(X86_SB % between, TSO).verdict == verdict


FAILING = """%s SB
{ x=0; y=0; a=7; b=7; }
 P0                    | P1                    ;
 MOV [x],$1            | MOV [y],$1            ;
 MOV EAX,$3            | MOV EAX,$3            ;
 %s CMPXCHG [a],ECX    | %s CMPXCHG [b],ECX    ;
 MOV EBX,[y]           | MOV EBX,[x]           ;
exists (0:%s=0 /\\ 1:%s=0)
"""


@pytest.mark.parametrize(("arch", "register"), [("X86", "EBX"), ("X86_64", "rbx")])
@pytest.mark.parametrize(("prefixes", "verdict"), [(("LOCK", "LOCK"), "No"), (("LOCK", ""), "Ok"), (("", ""), "Ok")])
def test_a_locked_update_is_a_barrier_where_it_fails(
    arch: str, register: str, prefixes: tuple[str, str], verdict: str
) -> None:
    """Intel SDM volume 3, "Locked operations": under the shipped model, and in herd's words, where X has its read."""
    text = FAILING % (arch, *prefixes, register, register)
    assert run_litmus(read(text), xgen.model("tso")).verdict == verdict
    assert run(text, TSO).verdict == verdict


def test_an_update_of_c_carries_on_a_release_sequence() -> None:
    """A relaxed update between release and acquire synchronizes: the update is a read and a write in one."""
    released = run(MESSAGE % "release", C11)
    assert (released.verdict, released.observation, released.flags) == ("No", "Never", ())
    relaxed = run(MESSAGE % "relaxed", C11)
    assert (relaxed.verdict, relaxed.observation, relaxed.flags) == ("Undef", "Sometimes", ("race",))


def test_updates_of_c_come_one_after_the_other() -> None:
    """Three increments have six orders."""
    result = run(INCREMENTS, C11)
    assert (result.verdict, result.states) == ("Ok", (("[x]=3;", 6),))


EXCLUSIVES = {
    "AArch64": "LDXR W1,[X0] ; STXR W2,W1,[X0] ; CBNZ W2,L ; L: ; MOV W3,#1 ; STR W3,[X4]",
    "ARM": "LDREX R1,[R0] ; STREX R2,R1,[R0] ; CMP R2,#0 ; BNE L ; L: ; MOV R3,#1 ; STR R3,[R4]",
    "PPC": "lwarx r1,r0,r6 ; stwcx. r1,r0,r6 ; bne L ; L: ; li r3,1 ; stw r3,0(r4)",
    "RISCV": "lr.w x1,(x6) ; sc.w x2,x1,(x6) ; bne x2,x0,L ; L: ; ori x3,x0,1 ; sw x3,0(x4)",
}
ADDRESSES = {
    "AArch64": "0:X0=x; 0:X4=y;",
    "ARM": "0:R0=x; 0:R4=y;",
    "PPC": "0:r6=x; 0:r4=y;",
    "RISCV": "0:x6=x; 0:x4=y;",
}


@pytest.mark.parametrize("architecture", EXCLUSIVES)
def test_what_depends_on_the_success_of_a_store_exclusive(architecture: str) -> None:
    """It depends on the store in RISC-V only."""
    text = f"{architecture} T\n{{{ADDRESSES[architecture]}}}\n P0 ;\n"
    text += "".join(f" {line} ;\n" for line in EXCLUSIVES[architecture].split(" ; ")) + "exists (y=1)"
    result = run(text, "flag ~empty [W]; (addr | data | ctrl) as of_write\nflag ~empty [R]; data as of_read")
    assert result.flags == (("of_write", "of_read") if architecture == "RISCV" else ("of_read",))


@pytest.mark.parametrize(
    ("update", "verdict"), [("amoadd.w", "No"), ("amoswap.w.rl", "No"), ("lr.w x9,(x7) | sc.w x2,x8,(x7)", "Ok")]
)
def test_an_update_of_risc_v_is_one_event(update: str, verdict: str) -> None:
    """What depends on an AMO comes after its write as well, but what depends on lr need not come after sc."""
    update = update if "(" in update else f"{update} x9,x8,(x7)"
    text = "RISCV T\n{ 0:x6=x; 0:x7=y; 1:x6=x; 1:x7=y; 1:x5=z; 2:x6=z; 2:x7=x; }\n"
    threads = [
        ["ori x1,x0,1", "sw x1,0(x6)", "fence rw,rw", "lw x2,0(x7)"],
        ["ori x8,x0,2", *update.split(" | "), "xor x3,x9,x9", "add x4,x5,x3", "sw x8,0(x4)"],
        ["lw x1,0(x6)", "fence rw,rw", "lw x2,0(x7)"],
    ]
    rows = [["P0", "P1", "P2"], *zip_longest(*threads, fillvalue="")]
    text += "".join(" | ".join(row) + " ;\n" for row in rows) + "exists (0:x2=0 /\\ 2:x1=2 /\\ 2:x2=0)"
    model = 'include "cos.cat"\nacyclic po-loc | rf | co | fr as coherence\nempty rmw & (fre; coe) as atomic\n'
    model += "acyclic rfe | co | fr | addr | fencerel(Fence.rw.rw) as order"
    assert run(text, model).verdict == verdict


def test_a_suite_of_two_architectures(tmp_path: Path) -> None:
    """The model's names are those of each test's architecture; a model for C is of no use to others."""
    (tmp_path / "sb.litmus").write_text(X86_SB % "")
    (tmp_path / "increments.litmus").write_text(INCREMENTS)
    (tmp_path / "any.cat").write_text("acyclic po | rf as hb\nempty try [MFENCE] with 0 as fenceless\n")
    (tmp_path / "c.cat").write_text(C11)
    paths = [str(tmp_path / "sb.litmus"), str(tmp_path / "increments.litmus")]
    assert [r.verdict for r in run_suite(paths, str(tmp_path / "any.cat"))] == ["Ok", "Ok"]
    of_c = list(run_suite(paths, str(tmp_path / "c.cat")))
    assert [r.verdict for r in of_c] == [None, "Ok"]
    assert of_c[0].error == "1:1: this is a model for C, not for X86"


def test_a_model_that_is_of_no_use(tmp_path: Path) -> None:
    """It is said once, and is no test's fault."""
    (tmp_path / "m.cat").write_text("acyclic nothing")
    (tmp_path / "sb.litmus").write_text(X86_SB % "")
    with pytest.raises(ModelError, match="`nothing` is not defined"):
        list(run_suite([str(tmp_path / "sb.litmus")], str(tmp_path / "m.cat")))


EXCLUSIVE = {
    "AArch64": """AArch64 exclusive
{ 0:X1=x; 0:X2=1; }
 P0             ;
 LDXR W0,[X1]   ;
 STXR W3,W2,[X1];
exists (x=1)
""",
    "PPC": """PPC exclusive
{ 0:r1=x; 0:r2=1; }
 P0             ;
 lwarx r0,0,r1  ;
 stwcx. r2,0,r1 ;
exists (x=1)
""",
    "RISCV": """RISCV exclusive
{ 0:x1=x; 0:x2=1; }
 P0             ;
 lr.w x5,(x1)   ;
 sc.w x6,x2,(x1);
exists (x=1)
""",
}


@pytest.mark.parametrize("architecture", EXCLUSIVE)
@pytest.mark.parametrize("events", ["R & X", "W & X"])
def test_exclusive_accesses_are_atomic_ones(architecture: str, events: str) -> None:
    """As herd has it: `X` are not only the updates of one instruction."""
    model = f'"m"\ninclude "cos.cat"\nacyclic po-loc | rf | fr | co as coherence\nflag ~empty [{events}] as seen\n'
    found = run_litmus(read(EXCLUSIVE[architecture]), read_cat(Source("m.cat", model), architecture))
    assert list(found.flags) == ["seen"]


@pytest.mark.parametrize(("acquire", "verdict"), [("lr.w.aq", "No"), ("lr.w", "Ok")])
def test_a_load_reserved_that_acquires_waits_for_a_store_that_releases(acquire: str, verdict: str) -> None:
    """Rule 7 of RISC-V's model as herd has it, in which `X` stands for lr and sc, and `AMO` for neither."""
    model = """"riscv"
include "cos.cat"
acyclic po-loc | rf | fr | co as coherence
let RCsc = (Acq | Rel | AcqRel) & (AMO | X)
acyclic [RCsc]; po; [RCsc] | rfe | fr | co as model
"""
    test = f"""RISCV SB
{{ 0:x1=x; 0:x2=y; 0:x3=1; 1:x1=y; 1:x2=x; 1:x3=1; }}
 P0                | P1                ;
 lr.w x5,(x1)      | lr.w x5,(x1)      ;
 sc.w.rl x6,x3,(x1)| sc.w.rl x6,x3,(x1);
 {acquire} x7,(x2) | {acquire} x7,(x2) ;
exists (0:x6=0 /\\ 1:x6=0 /\\ 0:x7=0 /\\ 1:x7=0)
"""
    found = run_litmus(read(test), read_cat(Source("m.cat", model), "RISCV"))
    assert found.verdict == verdict
