"""Assembly of AArch64, Arm, Power, RISC-V, and of x86 with labels: each beside a litmus test of the same text."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from c.library.test_assembly import outcomes
from c.running import HEAD, kinds, load, model, run, threads

import xgen
from xgen.errors import UnsupportedError

AARCH64 = ("AArch64", "arm8", "armv8", "{k}:X1=x; {k}:X2=y;", "X0")
POWER = ("PPC", "power", "power", "{k}:r1=x; {k}:r2=y;", "r3")
RISCV = ("RISCV", "riscv", "riscv", "{k}:x6=x; {k}:x7=y;", "x5")
ARM = ("ARM", "arm", "armv7", "{k}:R1=x; {k}:R2=y;", "R0")
X86 = ("X86_64", "tso", "x86", "{k}:rsi=x; {k}:rdi=y;", "rax")
MACHINES = {"x86": X86, "AArch64": AARCH64, "Power": POWER, "RISC-V": RISCV, "Arm": ARM}

# what C has in each thread, where r, p and q are the thread's result and the addresses that it goes to first and then,
# and what the litmus test has, where registers have their places
SAME = {
    "AArch64": {
        "str, ldr": (
            'asm volatile("str %w1, %0" : "=Q" (*p) : "r" (1)); asm volatile("ldr %w0, %1" : "=r" (r) : "Q" (*q));',
            ["MOV W3,#1", "STR W3,[@P]", "LDR W0,[@Q]"],
        ),
        "by registers": (
            'asm volatile("str %w2, [%1]\\n\\tldr %w0, [%3]" : "=&r" (r) : "r" (p), "r" (1), "r" (q) : "memory");',
            ["MOV W3,#1", "STR W3,[@P]", "LDR W0,[@Q]"],
        ),
        "stlr, ldar": (
            'asm volatile("stlr %w2, [%1]\\n ldar %w0, [%3]" : "=&r" (r) : "r" (p), "r" (1), "r" (q) : "memory");',
            ["MOV W3,#1", "STLR W3,[@P]", "LDAR W0,[@Q]"],
        ),
        "ldapr": (
            'asm volatile("stlr %w2, [%1]; ldapr %w0, [%3]" : "=&r" (r) : "r" (p), "r" (1), "r" (q) : "memory");',
            ["MOV W3,#1", "STLR W3,[@P]", "LDAPR W0,[@Q]"],
        ),
        "dmb ish": (
            'asm volatile("str %w1, %0" : "=Q" (*p) : "r" (1)); asm volatile("dmb ish"); r = *q;',
            ["MOV W3,#1", "STR W3,[@P]", "DMB ISH", "LDR W0,[@Q]"],
        ),
        "dmb ishst": (
            'asm volatile("str %w1, %0; dmb ishst; ldr %w2, %3" : "=Q" (*p) : "r" (1), "r" (0), "Q" (*q)); r = 0;'
            'asm volatile("ldr %w0, %1; dmb ishld" : "=r" (r) : "Q" (*q));',
            ["MOV W3,#1", "STR W3,[@P]", "DMB ISHST", "LDR W4,[@Q]", "LDR W0,[@Q]", "DMB ISHLD"],
        ),
        "ldadd": (
            'asm volatile("ldadd %w2, %w0, %1" : "=r" (r), "+Q" (*p) : "r" (1)); *q = 2;',
            ["MOV W3,#1", "LDADD W3,W0,[@P]", "MOV W4,#2", "STR W4,[@Q]"],
        ),
        "ldaddal": (
            'asm volatile("ldaddal %w2, %w3, %1; ldr %w0, [%4]" : "=&r" (r), "+Q" (*p) : "r" (1), "r" (0), "r" (q));',
            ["MOV W3,#1", "LDADDAL W3,W5,[@P]", "LDR W0,[@Q]"],
        ),
        "stadd, stset": (
            'asm volatile("stadd %w1, %0; stset %w2, %0; stclr %w1, %0; steor %w2, %0" : "+Q" (*p) : "r" (1), "r" (6));'
            "r = *q;",
            [
                "MOV W3,#1 ",
                "MOV W4,#6",
                "STADD W3,[@P]",
                "STSET W4,[@P]",
                "STCLR W3,[@P]",
                "STEOR W4,[@P]",
                "LDR W0,[@Q]",
            ],
        ),
        "swp": (
            'asm volatile("swpa %w2, %w0, %1; str %w2, [%3]" : "=&r" (r), "+Q" (*p) : "r" (1), "r" (q) : "memory");',
            ["MOV W3,#1", "SWPA W3,W0,[@P]", "STR W3,[@Q]"],
        ),
        "cas": (
            'r = 0; asm volatile("casal %w0, %w2, %1" : "+r" (r), "+Q" (x) : "r" (ID + 1)); *q = 7;',
            ["MOV W0,#0", "MOV W3,#@N", "CASAL W0,W3,[X1]", "MOV W4,#7", "STR W4,[@Q]"],
        ),
        "ldxr, stxr": (
            'asm volatile("ldxr %w0, %1; stxr %w0, %w2, %1" : "=&r" (r), "+Q" (x) : "r" (ID + 1) : "memory");',
            ["MOV W3,#@N", "LDXR W0,[X1]", "STXR W0,W3,[X1]"],
        ),
        "ldaxr, stlxr": (
            'asm volatile("ldaxr %w0, [%1]; stlxr %w0, %w2, [%1]; ldr %w0, [%3]" : "=&r" (r)'
            ' : "r" (p), "r" (ID + 1), "r" (q) : "memory");',
            ["MOV W3,#@N", "LDAXR W0,[@P]", "STLXR W0,W3,[@P]", "LDR W0,[@Q]"],
        ),
        "an address that depends": (
            'int t; asm volatile("ldr %w1, [%2]; eor %1, %1, %1; ldr %w0, [%3, %1]" : "=&r" (r), "=&r" (t)'
            ' : "r" (p), "r" (q)); *p = 1;',
            ["LDR W3,[@P]", "EOR X3,X3,X3", "LDR W0,[@Q,X3]", "MOV W4,#1", "STR W4,[@P]"],
        ),
        "a branch": (
            'asm volatile("mov %w0, #5; ldr %w1, [%2]; cbnz %w1, 1f; ldr %w0, [%3]; 1:" : "=&r" (r)'
            ' : "r" (0), "r" (p), "r" (q)); *p = 1;',
            ["MOV W0,#5", "LDR W3,[@P]", "CBNZ W3,L", "LDR W0,[@Q]", "L:", "MOV W4,#1", "STR W4,[@P]"],
        ),
    },
    "Power": {
        "stw, lwz": (
            'asm volatile("stw%U0%X0 %1, %0" : "=m" (*p) : "r" (1));'
            'asm volatile("lwz%U1%X1 %0, %1" : "=r" (r) : "m" (*q));',
            ["li r4,1", "stw r4,0(@P)", "lwz r3,0(@Q)"],
        ),
        "sync": (
            'asm volatile("stw %1, 0(%0); sync; lwz %2, 0(%3)" : : "b" (p), "r" (1), "r" (0), "b" (q) : "memory");'
            'asm volatile("lwz %0, 0(%1)" : "=r" (r) : "b" (q)); ',
            ["li r4,1", "stw r4,0(@P)", "sync", "lwz r5,0(@Q)", "lwz r3,0(@Q)"],
        ),
        "lwsync": (
            'asm volatile("stw %1, 0(%0); lwsync; lwz %2, 0(%3); isync" : : "b" (p), "r" (1), "r" (0), "b" (q));'
            'asm volatile("eieio; lwz %0, 0(%1)" : "=r" (r) : "b" (q)); ',
            ["li r4,1", "stw r4,0(@P)", "lwsync", "lwz r5,0(@Q)", "isync", "eieio", "lwz r3,0(@Q)"],
        ),
        "lwarx, stwcx.": (
            'asm volatile("lwarx %0, 0, %1; stwcx. %2, 0, %1" : "=&r" (r) : "r" (&x), "r" (ID + 1) : "memory", "cc");',
            ["li r4,@N", "lwarx r3,0,r1", "stwcx. r4,0,r1"],
        ),
        "bne": (
            'asm volatile("lwarx %0,%y1; cmpw 0,%0,%2; bne- 2f; stwcx. %3,%y1; li %0,7; 2:" : "=&r" (r), "+Z" (x)'
            ' : "r" (0), "r" (ID + 1) : "memory", "cc");',
            ["li r4,@N", "li r5,0", "lwarx r3,0,r1", "cmpw cr0,r3,r5", "bne L", "stwcx. r4,0,r1", "li r3,7", "L:"],
        ),
    },
    "RISC-V": {
        "sw, lw": (
            'asm volatile("sw %1, 0(%0)" : : "r" (p), "r" (1) : "memory");'
            'asm volatile("lw %0, %1" : "=r" (r) : "m" (*q));',
            ["li x8,1", "sw x8,0(@P)", "lw x5,0(@Q)"],
        ),
        "fence": (
            'asm volatile("sw %z1, %0\\n\\tfence w,r\\n\\tlw %2, %3" : "=A" (*p) : "rJ" (1), "r" (0), "A" (*q));'
            'asm volatile("fence r,rw; lw %0, %1" : "=r" (r) : "A" (*q));',
            ["li x8,1", "sw x8,0(@P)", "fence w,r", "lw x9,0(@Q)", "fence r,rw", "lw x5,0(@Q)"],
        ),
        "amoadd": (
            'asm volatile("amoadd.w.aqrl %0, %2, %1" : "=r" (r), "+A" (*p) : "r" (1)); *q = 2;',
            ["li x8,1", "amoadd.w.aqrl x5,x8,(@P)", "li x9,2", "sw x9,0(@Q)"],
        ),
        "amoswap, amoand": (
            'asm volatile("amoswap.w %0, %2, %1; amoand.w zero, %2, %1; amoor.w zero, %2, %1; amoxor.w zero, %2, %1"'
            ' : "=&r" (r), "+A" (x) : "r" (ID + 1));',
            [
                "li x8,@N",
                "amoswap.w x5,x8,(x6)",
                "amoand.w x0,x8,(x6)",
                "amoor.w x0,x8,(x6)",
                "amoxor.w x0,x8,(x6)",
            ],
        ),
        "lr, sc": (
            'asm volatile("lr.w.aq %0, %1; sc.w.rl %0, %2, %1" : "=&r" (r), "+A" (x) : "r" (ID + 1));',
            ["li x8,@N", "lr.w.aq x5,(x6)", "sc.w.rl x5,x8,(x6)"],
        ),
    },
    "Arm": {
        "str, dmb, ldr": (
            'asm volatile("str %1, %0; dmb ish @ here" : "=Q" (*p) : "r" (1));'
            'asm volatile("ldr %0, %1" : "=r" (r) : "Q" (*q));',
            ["MOV R3,#1", "STR R3,[@P]", "DMB ISH", "LDR R0,[@Q]"],
        ),
        "ldrex, strex": (
            'asm volatile("ldrex %0, [%1]; strex %0, %2, [%1]" : "=&r" (r) : "r" (&x), "r" (ID + 1) : "memory");',
            ["MOV R3,#@N", "LDREX R0,[R1]", "STREX R0,R3,[R1]"],
        ),
    },
}


def in_c(text: str, thread: int) -> str:
    result, first, second = (("a", "&x", "&y"), ("b", "&y", "&x"))[thread]
    moved = text.replace("ID", str(thread))
    return f"unsigned *p = {first}, *q = {second}; int r = 0; {moved} {result} = r; (void)p; (void)q;"


def in_litmus(lines: list[str], machine: str) -> str:
    """The same instructions in two threads, which take their addresses the other way round."""
    name, _, _, initial, register = MACHINES[machine]
    registers = re.findall(r":(\w+)=", initial)
    columns = []
    for thread in (0, 1):
        there = {"@P": registers[thread], "@Q": registers[1 - thread], "@X": registers[0], "@N": str(thread + 1)}
        columns.append([re.sub("@[PQXN]", lambda match, there=there: there[match[0]], line) for line in lines])
    rows = " ;\n".join(f"{left} | {right}" for left, right in zip(*columns, strict=True))
    before = " ".join(initial.replace("{k}", str(k)) for k in (0, 1))
    return (
        f"{name} t\n{{ uint32_t x; uint32_t y; {before} }}\nP0 | P1 ;\n{rows} ;\n"
        f"locations [x; y; 0:{register}; 1:{register}]\nexists (x=0)\n"
    )


def in_c_twice(machine: str, text: str) -> xgen.Result:
    _, of, target, _, _ = MACHINES[machine]
    return run(threads(in_c(text, 0), in_c(text, 1), before="unsigned x, y; int a, b;"), of, map=target)


def of_litmus(machine: str, lines: list[str], *more: str) -> xgen.Result:
    test = in_litmus(lines, machine).replace("locations [", f"locations [{' '.join(more)} ")
    return xgen.check(
        xgen.parse(test, "litmus", "t.litmus"), model(MACHINES[machine][1]), all_states=True, trace_limit=0
    )


def names(result: xgen.Result, machine: str) -> tuple[str, str]:
    register = next(name for name in result.outcomes[0].state if name.lower() == f"p0:{MACHINES[machine][4]}".lower())
    return register, register.replace("P0", "P1")


@pytest.mark.parametrize(("machine", "name"), [(machine, name) for machine, found in SAME.items() for name in found])
def test_the_same_as_a_litmus_test(machine: str, name: str) -> None:
    """As many executions, and the same final states."""
    text, lines = SAME[machine][name]
    expected = of_litmus(machine, lines)
    assert outcomes(in_c_twice(machine, text), ("a", "b")) == outcomes(expected, names(expected, machine))


LOOPS = {
    "AArch64": (
        'asm volatile("1:\\n ldxr %w0, %1\\n add %w2, %w0, %w3\\n stlxr %w2, %w2, %1\\n cbnz %w2, 1b"'
        ' : "=&r" (r), "+Q" (x), "=&r" (t) : "r" (ID + 1) : "memory");',
        ["MOV W3,#@N", "LDXR W0,[X1]", "ADD W4,W0,W3", "STLXR W5,W4,[X1]", "CBNZ W5,L", "MOV W5,#9", "L:"],
        "X5",
    ),
    "Power": (
        'asm volatile("1: lwarx %0,0,%1; add %2,%0,%3; stwcx. %2,0,%1; bne- 1b; isync"'
        ' : "=&r" (r) : "r" (&x), "r" (t), "r" (ID + 1) : "cc", "memory");',
        ["li r4,@N", "lwarx r3,0,r1", "add r5,r3,r4", "stwcx. r5,0,r1", "bne L", "isync", "li r6,9", "L:"],
        "r6",
    ),
    "RISC-V": (
        'asm volatile(".Lagain%=: lr.w %0, %1; add %2, %0, %3; sc.w %2, %2, %1; bnez %2, .Lagain%="'
        ' : "=&r" (r), "+A" (x), "=&r" (t) : "r" (ID + 1));',
        ["li x8,@N", "lr.w x5,(x6)", "add x9,x5,x8", "sc.w x9,x9,(x6)", "bnez x9,L", "li x9,9", "L:"],
        "x9",
    ),
    "Arm": (
        'asm volatile("1: ldrex %0, [%2]; add %1, %0, %3; strex %1, %1, [%2]; cmp %1, #0; bne 1b"'
        ' : "=&r" (r), "=&r" (t) : "r" (&x), "r" (ID + 1) : "memory");',
        ["MOV R3,#@N", "LDREX R0,[R1]", "ADD R4,R0,R3", "STREX R5,R4,[R1]", "CMP R5,#0", "BNE L", "MOV R5,#9", "L:"],
        "R5",
    ),
}


@pytest.mark.parametrize("machine", LOOPS)
def test_loops_of_exclusives(machine: str) -> None:
    """No bound is needed, since a round that fails changes nothing: what is left are those executions of one round each
    in which both stores succeed."""
    text, lines, done = LOOPS[machine]
    once = of_litmus(machine, lines, f"0:{done};", f"1:{done};")
    expected: Counter[tuple[object, ...]] = Counter()
    registers = names(once, machine)
    for outcome in once.outcomes:
        if all(outcome.state[name.replace(registers[0][3:], done)] == 9 for name in registers):
            expected[tuple(outcome.state.get(name, 0) for name in ("x", "y", *registers))] += outcome.count
    result = in_c_twice(machine, "int t = 0; " + text)
    assert outcomes(result, ("a", "b")) == expected
    assert sum(expected.values()) == 2
    assert result.exhaustive


def test_a_loop_of_x86() -> None:
    """A loop of a compare-exchange is one of C: it is tried again where another has written."""
    text = (
        'asm volatile("movl %1, %%eax; 1: movl %%eax, %0; addl %2, %0; lock; cmpxchgl %0, %1; jne 1b; movl %%eax, %0"'
        ' : "=&r" (r), "+m" (x) : "r" (ID + 1) : "eax", "memory");'
    )
    lines = [
        "movl $@N,%edx",
        "movl (x),%eax",
        "L:",
        "movl %eax,%ebx",
        "addl %edx,%ebx",
        "lock cmpxchgl %ebx,(x)",
        "jne L",
    ]
    expected = of_litmus("x86", lines)
    assert outcomes(in_c_twice("x86", text), ("a", "b")).keys() == outcomes(expected, names(expected, "x86")).keys()


VALUES = [
    # the machine, statements that leave a number in `a`, and the number
    ("armv8", 'asm("mov %w0, #3; add %w0, %w0, %w1, lsl #2" : "=&r" (a) : "r" (5));', 23),
    ("armv8", 'asm("sub %w0, %w1, #7" : "=r" (a) : "r" (5));', -2),
    ("armv8", 'char c = 0; asm("mov %w0, #300" : "=r" (c)); a = c;', 44),
    ("armv8", 'unsigned long l; asm("mov %w0, %w1" : "=r" (l) : "r" (-1)); a = l == 0xffffffff;', 1),
    ("armv8", 'x = 5; asm("ldrb %w0, %1" : "=r" (a) : "Q" (*(unsigned char *)&x));', 5),
    ("armv8", 'unsigned char c = 9; asm("ldaddb %w1, %w0, %2" : "=r" (a) : "r" (250), "Q" (c)); a += c;', 12),
    ("armv8", 'asm("add %w0, %w0, %w2" : "=r" (a) : "0" (3), "r" (4));', 7),
    ("armv8", 'asm("add %x[out], %[in], %[by]" : [out] "=r" (a) : [in] "r" (3L), [by] "I" (4));', 7),
    ("armv8", 'asm("cmp %w1, %w2; cset %w0, lt" : "=r" (a) : "r" (-3), "r" (4));', 1),
    ("armv8", 'asm("mov %w0, #1 // one\\n prfm pstl1strm, %1; yield; wfe" : "=r" (a) : "Q" (x));', 1),
    ("armv8", 'asm("mov w9, #6; mov %w0, w9" : "=r" (a) : : "w9");', 6),
    ("armv8", 'static int *p = &x; x = 4; asm("ldr %0, %1" : "=r" (p) : "Q" (p)); a = *p;', 4),
    ("power", 'asm("li %0,5; subf %0,%1,%0 # five less two" : "=&r" (a) : "r" (2));', 3),
    ("power", 'x = 3; asm("lwz %0, %1; or 1,1,1" : "=r" (a) : "m" (x));', 3),
    ("power", 'asm("addic %0, %0, -2" : "+r" (a));', 7),
    ("riscv", 'asm("li %0, 5; sub %0, %0, %1" : "=&r" (a) : "r" (2));', 3),
    ("riscv", 'unsigned u = 0xffffffff; asm("slt %0, %1, zero" : "=r" (a) : "r" (u));', 1),
    ("riscv", 'x = -2; asm("lwu %0, %1; srliw %0, %0, 31" : "=r" (a) : "A" (x));', 1),
    ("armv7", 'asm("mov %0, #5" : "=r" (a));', 5),
    ("x86", 'asm("1: decl %0; cmpl $2, %0; jne 1b" : "+r" (a));', 2),
    ("x86", 'asm("movl %1, %0; jmp 2f; 1: addl $1, %0; 2: addl $2, %0" : "=&a" (a) : "r" (6));', 8),
]


@pytest.mark.parametrize(("machine", "text", "value"), VALUES)
def test_values(machine: str, text: str, value: int) -> None:
    of = next(each[1] for each in MACHINES.values() if each[2] == machine)
    body = f"int x;\nint main() {{ int a = 9; {text} assert(a == {value}); assert(a != {value}); }}"
    assert kinds(body, of, map=machine) == [("assertion", 2)]
    assert run(body.replace(f" assert(a != {value});", ""), of, map=machine).verdict == "safe"


TWO = """static long p[2] __attribute__((aligned(16))) = {1, 2};
long al, ah, as, bl, bh, bs;
#define DO(l, h, s, new, LOAD, STORE) { long x, y; unsigned w; asm volatile(LOAD " %0, %1, [%4]\\n" \\
    STORE " %w2, %3, %1, [%4]" : "=&r" (x), "=&r" (y), "=&r" (w) : "r" (new), "r" (p) : "memory"); \\
    l = x; h = y; s = w; }
"""
TWO_IN_LITMUS = """AArch64 t
{ uint64_t x[2]={1,2}; 0:X1=x; 1:X1=x; uint64_t 0:X0; uint64_t 1:X0; }
P0                    | P1                      ;
MOV X4,#5             | MOV X4,#6               ;
LDXP X2,X3,[X1]       | LDAXP X2,X3,[X1]        ;
STXP W0,X4,X3,[X1]    | STLXP W0,X4,X3,[X1]     ;
locations [0:X2; 0:X3; 0:X0; 1:X2; 1:X3; 1:X0]
exists (0:X0=0)
"""


def test_two_words_at_once_are_the_same_as_in_a_litmus_test() -> None:
    one, other = 'DO(al, ah, as, 5L, "ldxp", "stxp")', 'DO(bl, bh, bs, 6L, "ldaxp", "stlxp")'
    results = [
        run(TWO + threads(one, other), "arm8", map="armv8", races=False),
        xgen.check(xgen.parse(TWO_IN_LITMUS, "litmus", "t"), model("arm8"), all_states=True, trace_limit=0),
    ]
    names = ("al", "ah", "as", "bl", "bh", "bs"), tuple(f"P{t}:X{n}" for t in (0, 1) for n in (2, 3, 0))
    counts = []
    for result, of in zip(results, names, strict=True):
        counts.append(Counter[tuple[int, ...]]())
        for outcome in result.outcomes:
            counts[-1][tuple(int(outcome.state[name]) for name in of)] += outcome.count
    assert counts[0] == counts[1]
    assert len(counts[0]) > 2


REFUSED = [
    # the machine, a statement, what is said, and the hint
    ("armv8", 'asm("lock incl %0" : "+m" (x));', "assembly `lock incl %0`", "this assembly is for x86: --on x86"),
    ("armv8", 'asm("lwarx %0,0,%1" : "=r" (a) : "r" (&x));', "`lwarx %0,0,%1`", "for power: --on power"),
    ("armv8", 'asm("mrs %0, cntvct_el0" : "=r" (l));', "assembly `mrs %0, cntvct_el0`", "system instructions"),
    ("armv8", 'asm("mov %q0, #1" : "=r" (l));', "the operand `%q0` of the assembly `mov %q0, #1`", None),
    ("armv8", 'asm("mov %3, #1" : "=r" (l));', "the operand `%3` of the assembly", None),
    ("armv8", 'asm("fmov %0, #1" : "=w" (l));', "the constraint `=w` of assembly", None),
    ("armv8", 'asm("cbnz %0, 1f" : : "r" (x));', "the assembly `cbnz %0, 1f`|assembly that leads to", None),
    ("armv8", 'asm("mov x9, #1" : "=r" (l));', "an output that the assembly does not write", None),
    ("armv8", 'asm("mov %0, x9" : "=r" (l));', "assembly that reads X9, which has no value", None),
    ("armv8", 'asm("b.eq 1f; 1:" : "=r" (l) : "0" (1));', "assembly that reads flags that nothing has set", None),
    (
        "armv8",
        'asm("b .L; .L: nop; .L: nop" : : "r" (l));',
        "the assembly `.L: nop`",
        "already a label",
    ),
    ("power", 'asm("ldxr %w0, %1" : "=r" (a) : "Q" (x));', "assembly `ldxr %w0, %1`|operand `%w0`", None),
    ("riscv", 'asm("amoadd.w %0, %1, 4(%2)" : "=r" (a) : "r" (1), "r" (&x));', "`amoadd.w %0, %1, 4", "no offset"),
    (None, 'asm("ldxr %w0, %1" : "=r" (a) : "Q" (x));', "assembly `ldxr %w0, %1`", "for armv8: --on armv8"),
    (None, 'asm("amoadd.w %0, %1, %2" : "=r" (a) : "r" (1), "A" (x));', "`amoadd.w", "for riscv: --on riscv"),
    (None, 'asm volatile("lwsync" : : : "memory");', "the assembly `lwsync`", "this assembly is for power: --on power"),
    ("x86", 'asm("1: movb %0, %1; jne 1b" : : "q" ((char)a), "m" (x));', "an operand of fewer than 32 bits", None),
]


@pytest.mark.parametrize(("machine", "text", "message", "hint"), REFUSED)
def test_what_is_refused(machine: str | None, text: str, message: str, hint: str | None) -> None:
    """By its text and its place."""
    with pytest.raises(UnsupportedError) as caught:
        load(HEAD + f"int x; long l, m;\nint main() {{ int a = 1; {text} return a; }}", map=machine)
    assert any(part in caught.value.message for part in message.split("|")), caught.value.message
    assert hint is None or hint in (caught.value.hint or ""), caught.value.hint
    assert caught.value.position is not None
    assert caught.value.position.line == HEAD.count("\n") + 2


@pytest.mark.parametrize("machine", ["armv8", "armv8-lse", "armv7", "power", "riscv", "x86", None])
def test_what_any_machine_knows(machine: str | None) -> None:
    """Full fences, barriers of the compiler, and waiting."""
    text = """int x; int main() { int a = 3; asm volatile("" : "+r" (a) : "m" (x) : "memory"); asm("nop");
    asm volatile("mfence"); asm volatile("dmb ish" ::: "memory"); asm volatile("sync"); assert(a == 3); }"""
    assert run(text, map=machine).verdict == "safe"


@pytest.mark.parametrize("unroll", [None, 2])
def test_a_loop_that_waits(unroll: int | None) -> None:
    """A label that is jumped back to for a value that another thread writes."""
    wait = 'asm volatile("1: ldar %w0, %1; cbz %w0, 1b" : "=&r" (r) : "Q" (x) : "memory"); assert(y == 1);'
    text = threads(f"int r; {wait}", "y = 1; __atomic_store_n(&x, 1, __ATOMIC_RELEASE);", before="int x, y;")
    assert run(text, "arm8", map="armv8", unroll=unroll).violations == 0
    assert run(text.replace("RELEASE", "RELAXED"), "arm8", map="armv8", unroll=unroll).violations > 0


def test_only_an_exclusive_load_is_taken_again() -> None:
    """A loop that begins behind its load exclusive has lost its reservation when it goes round: it does so for ever."""
    text = (
        'int r, t, s; asm volatile("ldxr %w0, %3; 1: ldr %w2, %4; stxr %w1, %w2, %3; cbnz %w1, 1b"'
        ' : "=&r" (r), "=&r" (t), "=&r" (s), "+Q" (x) : "Q" (y));'
    )
    result = run(f"int x, y;\nint main() {{ {text} }}", "arm8", map="armv8", unroll=2)
    assert (result.executions, result.bounded > 0) == (1, True)


def test_what_a_loop_takes_over_is_kept() -> None:
    """A round that counts the rounds before is no mere retry: each is one of its own, until the bound."""
    text = (
        'int n = 0, r, t; asm volatile("1: add %w2, %w2, #1; ldxr %w0, %3; stxr %w1, %w0, %3; cbnz %w1, 1b"'
        ' : "=&r" (r), "=&r" (t), "+r" (n), "+Q" (x)); assert(n == 1);'
    )
    assert kinds(f"int x;\nint main() {{ {text} }}", "arm8", map="armv8") == [("assertion", 2)]
