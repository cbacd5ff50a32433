"""Assembly of x86-64: instructions with operands, each beside a litmus test of the same text under tso."""

from __future__ import annotations

from collections import Counter

import pytest
from c.running import HEAD, kinds, load, model, run, threads

import xgen
from xgen.errors import UnsupportedError

# of each thread: what C has, and what the litmus test has; {r} is the thread's result
PAIRS = {
    "mov": (
        'asm volatile("movl %1, %0" : "=m" (x) : "ri" (1)); asm volatile("movl %1, %0" : "=r" (a) : "m" (y));',
        'asm volatile("movl %1, %0" : "=m" (y) : "ri" (1)); asm volatile("movl %1, %0" : "=r" (b) : "m" (x));',
        ["movl $1,(x)|movl $1,(y)", "movl (y),%eax|movl (x),%eax"],
    ),
    "mfence": (
        'asm volatile("mov %1, (%0)" : : "r" (&x), "r" (1) : "memory"); asm("mfence"); a = y;',
        'asm volatile("mov %1, (%0); mfence" : : "r" (&y), "r" (1) : "memory"); b = x;',
        ["movl $1,(x)|movl $1,(y)", "mfence|mfence", "movl (y),%eax|movl (x),%eax"],
    ),
    "xchg": (
        'int one = 1; asm("xchgl %0, %1" : "+r" (one), "+m" (x)); a = y;',
        'int one = 1; asm("xchg %1, %0" : "+r" (one), "+m" (y)); b = x;',
        ["movl $1,%ebx|movl $1,%ebx", "xchgl %ebx,(x)|xchgl %ebx,(y)", "movl (y),%eax|movl (x),%eax"],
    ),
    "xadd": (
        'a = 1; asm volatile("lock; xaddl %0, %1" : "+r" (a), "+m" (x) : : "memory", "cc");',
        'b = 2; asm volatile("lock xadd %[by], %[to]" : [by] "+r" (b), [to] "+m" (x));',
        ["movl $1,%eax|movl $2,%eax", "lock xaddl %eax,(x)|lock xaddl %eax,(x)"],
    ),
    "cmpxchg": (
        'asm("lock cmpxchgl %2, %1" : "=a" (a), "+m" (x) : "r" (1), "0" (0) : "memory");',
        'asm("lock cmpxchgl %2, %1" : "=a" (b), "+m" (x) : "r" (2), "0" (0) : "memory");',
        ["movl $0,%eax|movl $0,%eax", "movl $1,%ebx|movl $2,%ebx", "lock cmpxchgl %ebx,(x)|lock cmpxchgl %ebx,(x)"],
    ),
    "inc": (
        'asm("lock incl %0" : "+m" (x)); a = y;',
        'asm("lock; incl %0" : "+m" (y)); b = x;',
        ["lock incl (x)|lock incl (y)", "movl (y),%eax|movl (x),%eax"],
    ),
    "inc without lock": (
        'asm("incl %0" : "+m" (x)); a = x;',
        'asm("incl %0" : "+m" (x)); b = x;',
        ["incl (x)|incl (x)", "movl (x),%eax|movl (x),%eax"],
    ),
    "add": (
        'asm("lock addl %1, %0" : "+m" (x) : "ir" (2)); a = y;',
        'asm("lock addl $3, %0" : "+m" (y)); b = x;',
        ["lock addl $2,(x)|lock addl $3,(y)", "movl (y),%eax|movl (x),%eax"],
    ),
    "bts": (
        'asm("lock btsl $1, %0" : "+m" (x)); a = y;',
        'asm("lock btsl %1, %0" : "+m" (y) : "Ir" (0)); b = x;',
        ["lock orl $2,(x)|lock orl $1,(y)", "movl (y),%eax|movl (x),%eax"],
    ),
    "btr": (
        'x = 3; asm("lock btrl %1, %0" : "+m" (x) : "r" (1)); a = x;',
        'asm("lock btcl %1, %0" : "+m" (x) : "r" (2)); b = x;',
        ["movl $3,(x)|lock xorl $4,(x)", "lock andl $-3,(x)|movl (x),%eax", "movl (x),%eax|"],
    ),
    "bts without lock": (
        'asm("bts $1, %0" : "+m" (x)); a = x;',
        'asm("btcl $2, %0" : "+m" (x)); b = x;',
        ["orl $2,(x)|xorl $4,(x)", "movl (x),%eax|movl (x),%eax"],
    ),
    "xadd without lock": (
        'a = 1; asm volatile("xaddl %0, %1" : "+r" (a), "+m" (x));',
        'b = 2; asm volatile("xadd %0, %1" : "+r" (b), "+m" (x));',
        ["movl $1,%eax|movl $2,%eax", "xaddl %eax,(x)|xaddl %eax,(x)"],
    ),
    "cmpxchg without lock": (
        'asm("cmpxchgl %2, %1" : "=a" (a), "+m" (x) : "r" (1), "0" (0) : "memory");',
        'x = 2; asm("lock cmpxchgl %2, %1" : "=a" (b), "+m" (x) : "r" (3), "0" (2) : "memory");',
        [
            "movl $0,%eax|movl $2,(x)",
            "movl $1,%ebx|movl $2,%eax",
            "cmpxchgl %ebx,(x)|movl $3,%ebx",
            "|lock cmpxchgl %ebx,(x)",
        ],
    ),
    "cmpxchg without lock that fails": (
        'asm("cmpxchgl %2, %1" : "=a" (a), "+m" (x) : "r" (1), "0" (5) : "memory");',
        'asm("movl %1, %0" : "=m" (x) : "r" (2) : "memory");',
        ["movl $5,%eax|movl $2,(x)", "movl $1,%ebx|", "cmpxchgl %ebx,(x)|"],
    ),
}


def outcomes(result: xgen.Result, names: tuple[str, str]) -> Counter[tuple[object, ...]]:
    found: Counter[tuple[object, ...]] = Counter()
    for outcome in result.outcomes:
        state = outcome.state
        found[tuple(state.get(name, 0) for name in ("x", "y", *names))] += outcome.count
    return found


@pytest.mark.parametrize("name", PAIRS)
def test_the_same_as_a_litmus_test(name: str) -> None:
    """As many executions, and the same final states."""
    one, other, lines = PAIRS[name]
    in_c = run(threads(one, other, before="int x, y, a, b;"), "tso", map="x86")
    body = " ;\n".join(line.replace("|", " | ").replace("(x)", "[x]").replace("(y)", "[y]") for line in lines)
    text = f"X86_64 t\n{{ uint64_t 0:rbx=0; }}\nP0 | P1 ;\n{body} ;\nlocations [x; y; 0:rax; 1:rax]\nexists (x=0)\n"
    read = xgen.parse(text.replace("[x]", "(x)").replace("[y]", "(y)"), "litmus", "t.litmus")
    in_litmus = xgen.check(read, model("tso"), all_states=True, trace_limit=0)
    named = next(name for name in in_litmus.outcomes[0].state if "ax" in name.lower())
    ax = named.partition(":")[2]
    assert outcomes(in_c, ("a", "b")) == outcomes(in_litmus, (f"P0:{ax}", f"P1:{ax}"))


TWO = """static long p[2] __attribute__((aligned(16))) = {1, 2};
long al, ah, bl, bh;
static void change(long *rl, long *rh, long low, long high) {
    long l = 1, h = 2; char ok;
    asm volatile("lock cmpxchg16b %1; setz %0" : "=q" (ok), "+m" (*p), "+a" (l), "+d" (h) : "b" (low), "c" (high));
    *rl = l; *rh = h; }
"""
TWO_IN_LITMUS = """X86_64 T
{ uint64_t x[2]={1,2}; 0:rsi=x; 0:rax=1; 0:rdx=2; 0:rbx=3; 0:rcx=4; 1:rsi=x; 1:rax=1; 1:rdx=2; 1:rbx=3; 1:rcx=5; }
P0                     | P1                     ;
lock cmpxchg16b (%rsi) | lock cmpxchg16b (%rsi) ;
locations [0:rax; 0:rdx; 1:rax; 1:rdx]
exists (0:rax=0)
"""


def test_two_words_at_once_are_the_same_as_in_a_litmus_test() -> None:
    in_c = run(TWO + threads("change(&al, &ah, 3, 4);", "change(&bl, &bh, 3, 5);"), "tso", map="x86")
    parsed = xgen.parse(TWO_IN_LITMUS, "litmus", "t.litmus")
    in_litmus = xgen.check(parsed, model("tso"), all_states=True, trace_limit=0)
    both = [
        Counter(
            {tuple(int(o.state[name]) for name in names): o.count for o in result.outcomes}  # type: ignore[arg-type]
        )
        for result, names in (
            (in_c, ("al", "ah", "bl", "bh")),
            (in_litmus, ("P0:rax", "P0:rdx", "P1:rax", "P1:rdx")),
        )
    ]
    assert both[0] == both[1]
    assert sorted(both[0]) == [(1, 2, 3, 4), (3, 5, 1, 2)]


PAIR = "static long p[2] __attribute__((aligned(16))) = {1, 2}; long low = 1, high = 2; char done;"
BOTH = """"lock cmpxchg16b %1; setz %0" : "=q" (done), "+m" (*p), "+a" (low), "+d" (high) : "b" (3L), "c" (4L)"""
VALUES = [
    # statements that leave a number in `a`, and the number
    ('a = 7; asm("subl $2, %0" : "+r" (a));', 5),
    ('a = 6; asm("andl %1, %0" : "+r" (a) : "r" (3));', 2),
    ('a = 6; asm("or %1, %0; xor $1, %0" : "+r" (a) : "r" (3));', 6),
    ('a = 6; asm("negl %0" : "+r" (a));', -6),
    ('a = 6; asm("notl %0" : "+r" (a));', -7),
    ('a = 6; asm("decl %0" : "+r" (a));', 5),
    ('unsigned char z; x = 1; asm("lock decl %0; setz %1" : "+m" (x), "=qm" (z)); a = z;', 1),
    ('unsigned char z; x = 2; asm("lock decl %0\\n\\tsete %1" : "+m" (x), "=q" (z)); a = z;', 0),
    ('unsigned char z; x = 2; asm("lock; decl %0\\n\\tsetnz %b1" : "+m" (x), "=q" (z)); a = z;', 1),
    ('_Bool z; x = 5; asm("lock cmpxchgl %2, %1" : "=@ccz" (z), "+m" (x) : "r" (9), "a" (5)); a = z * 10 + x;', 19),
    ('_Bool z; x = 5; asm("lock cmpxchgl %2, %1" : "=@ccz" (z), "+m" (x) : "r" (9), "a" (4)); a = z * 10 + x;', 5),
    ('_Bool z; x = 5; asm("lock cmpxchgl %2, %1" : "=@ccnz" (z), "+m" (x) : "r" (9), "a" (4)); a = z * 10 + x;', 15),
    ('x = 5; asm("lock orl %1, %0" : "+m" (x) : "ir" (2)); a = x;', 7),
    ('x = 7; asm("lock andl %1, %0" : "+m" (x) : "ir" (2)); a = x;', 2),
    ('x = 7; asm("lock xorl %1, %0" : "+m" (x) : "ir" (2)); a = x;', 5),
    ('x = 7; asm("lock subl %1, %0" : "+m" (x) : "ir" (2)); a = x;', 5),
    ('a = 3; asm("" : "+r" (a));', 3),
    ('_Bool c; x = 4; asm("lock btsl %2, %1" : "=@ccc" (c), "+m" (x) : "r" (2)); a = c * 10 + x;', 14),
    ('_Bool c; x = 4; asm("lock btsl %2, %1" : "=@ccnc" (c), "+m" (x) : "r" (1)); a = c * 10 + x;', 16),
    ('char c; x = 6; asm("lock btrl $1, %1; setc %0" : "=q" (c), "+m" (x)); a = c * 10 + x;', 14),
    ('char c; x = 6; asm("btcl $0, %1; setae %0" : "=q" (c), "+m" (x)); a = c * 10 + x;', 17),
    ('char c; x = 6; asm("btl %2, %1; setb %0" : "=q" (c), "+m" (x) : "r" (2)); a = c;', 1),
    ('a = 5; asm("btsl %1, %0; btrl $0, %0" : "+r" (a) : "r" (33));', 6),
    ('static int w[3]; asm("btsl %1, %0" : "+m" (w[1]) : "r" (33)); a = w[2];', 2),
    ('static int w[3]; asm("lock btsl %1, %0" : "+m" (w[1]) : "r" (-1)); a = w[0] == 1 << 31;', 1),
    ('_Bool c; a = -1; asm("addl $1, %0" : "+r" (a), "=@ccc" (c)); a = c * 10 + a;', 10),
    ('_Bool c; a = 1; asm("subl $2, %0" : "+r" (a), "=@ccb" (c)); a = c * 10 + a;', 9),
    ('_Bool c; a = 7; asm("negl %0" : "+r" (a), "=@ccnae" (c)); a = c * 10 + a;', 3),
    ('_Bool c; a = -1; asm("addl $1, %0; incl %0" : "+r" (a), "=@ccc" (c)); a = c * 10 + a;', 11),
    ('x = 5; int o = 2; asm("xaddl %0, %1" : "+r" (o), "+m" (x)); a = o * 10 + x;', 57),
    ('x = 5; _Bool z; asm("cmpxchgl %2, %1" : "=@ccz" (z), "+m" (x) : "r" (9), "a" (5)); a = z * 10 + x;', 19),
    ('x = 5; int o = 4; asm("cmpxchgl %2, %1" : "+a" (o), "+m" (x) : "r" (9)); a = o * 10 + x;', 55),
    (f"{PAIR} asm({BOTH}); a = done * 1000 + low * 100 + p[0] * 10 + p[1];", 1134),
    (f"{PAIR} low = 2; asm({BOTH}); a = done * 1000 + low * 100 + high * 10 + p[0];", 121),
    ('asm("" : "=r" (a) : "0" (4));', 4),
    ('a = -1; asm("movb $2, %b0" : "+q" (a));', -254),
    ('a = -1; long l; asm("movl %1, %k0" : "=r" (l) : "r" (a)); a = l == 0xffffffff;', 1),
    ('void *p = &x; asm("xchgq %0, %1" : "=r" ((long)p), "+m" (*(long *)&p) : "0" (0L)); a = p == &x;', 1),
    ('unsigned h; asm volatile("rdtsc" : "=a" (a), "=d" (h)); a += h + 3;', 3),
    ('unsigned h, c; asm volatile("rdtscp" : "=a" (a), "=d" (h), "=c" (c)); a += h + c + 3;', 3),
    ('asm("mov %1, %%eax; mov %%eax, %0" : "=r" (a) : "r" (8) : "eax");', 8),
    ('static int *p = &x; x = 4; asm("movl (%1), %0" : "=r" (a) : "r" (p));', 4),
    ("__builtin_ia32_pause(); __builtin_ia32_lfence(); __builtin_ia32_sfence(); a = 2;", 2),
    ('asm("NOP; Pause; MFENCE"); asm("MFENCE" : "+r" (a)); a = 1;', 1),
    ('asm("pause; rep; nop; lfence"); asm volatile("prefetchw %0" : : "m" (x)); a = 1;', 1),
]


@pytest.mark.parametrize(("text", "value"), VALUES)
def test_values(text: str, value: int) -> None:
    body = f"int x, a;\nint main() {{ {text} assert(a == {value}); assert(a != {value}); }}"
    assert kinds(body, "tso", map="x86") == [("assertion", 2)]
    assert run(body.replace(f" assert(a != {value});", ""), "tso", map="x86").verdict == "safe"


def test_the_clock_tells_what_others_do() -> None:
    text = 'int main() { unsigned a, d; asm("rdtsc" : "=a" (a), "=d" (d)); assert(a != 7 && !d); }'
    told = load(HEAD + text, map="x86")
    assert told.remarks == ("note: each clock stands at 0: --nondet LO..HI explores other times",)
    assert xgen.check(told, model("tso")).verdict == "safe"
    assert xgen.check(load(HEAD + text, map="x86", nondet=(0, 9)), model("tso")).verdict == "violation"


def test_a_clock_is_one_of_any_program() -> None:
    text = 'int main() { unsigned a, d; asm("rdtsc" : "=a" (a), "=d" (d)); assert(a != 7 && !d); }'
    told = load(HEAD + text)
    assert told.remarks == ("note: each clock stands at 0: --nondet LO..HI explores other times",)
    assert xgen.check(told, model("rc11")).verdict == "safe"
    assert xgen.check(load(HEAD + text, nondet=(0, 9)), model("rc11")).verdict == "violation"
    with pytest.raises(UnsupportedError, match="the assembly `rdtsc` is"):
        load(HEAD + text, map="armv8")


REFUSED = [
    ('asm("cpuid" : : "a" (1));', "the assembly `cpuid` is not supported"),
    ('asm("btsb $1, %0" : "+m" (x));', r"the assembly `btsb \$1, %0` is not supported"),
    ('asm("lock btl $1, %0" : "+m" (x));', r"the assembly `lock btl \$1, %0` is"),
    ('asm("lock btsl $1, %0" : "+r" (x));', r"the assembly `lock btsl \$1, %0` is"),
    ('asm("cmpxchg16b %0" : "+m" (x));', "the assembly `cmpxchg16b %0` is"),
    ('asm("lock cmpxchg16b %0" : "+m" (x) : "a" (1L));', "the assembly `lock cmpxchg16b %0` is"),
    ('int c; asm("nop" : "=@ccc" (c));', "a flag that the assembly does not set is"),
    ('int c; asm("incl %1" : "=@ccs" (c), "+m" (x));', "the constraint `=@ccs` of assembly is"),
    ('asm("lock movl %1, %0" : "=m" (x) : "r" (1));', "the assembly `lock movl %1, %0` is"),
    ('asm("movl %1, %0" : "=m" (x) : "m" (a));', "the assembly `movl %1, %0` is"),
    ('asm("movl %4, %0" : "=m" (x) : "r" (a));', "the assembly `movl %4, %0` is"),
    ('asm("movl (%1,%1), %0" : "=r" (x) : "r" (&a));', r"the assembly `movl \(%1,%1\), %0` is"),
    ('asm("setc %0" : "=q" (x));', "the assembly `setc %0` is"),
    ('asm("movl $1, %0" : "=A" (x));', "the constraint `=A` of assembly is"),
    ('asm("nop" : "=r" (x));', "an output that the assembly does not write is"),
    ('asm("nop" : "=@ccz" (x));', "a flag that the assembly does not set is"),
    ('asm goto("jmp %l0" : : : : out); out: ;', "`asm goto` is not supported"),
]


@pytest.mark.parametrize(("text", "message"), REFUSED)
def test_what_is_refused(text: str, message: str) -> None:
    with pytest.raises(UnsupportedError, match=message):
        load(HEAD + f"int x, a; int main() {{ {text} }}", map="x86")


@pytest.mark.parametrize("machine", [None, "armv8", "power"])
def test_the_machine(machine: str | None) -> None:
    """Instructions with operands are of one machine; barriers of the compiler are of none."""
    with pytest.raises(UnsupportedError, match="this assembly is for x86: --on x86"):
        load(HEAD + 'int x; int main() { asm("lock incl %0" : "+m" (x)); }', map=machine)
    text = 'int x; int main() { int a = 3; asm volatile("" : "+r" (a) : "m" (x) : "memory"); assert(a == 3); }'
    assert run(text, map=machine).verdict == "safe"
