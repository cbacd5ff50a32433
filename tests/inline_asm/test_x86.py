"""Assembly of x86-64 in C, as both readers have it: the same executions, and the same kinds of what goes wrong.

What instructions do is compared with litmus tests in c/library/test_assembly.py.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from both.asked import READERS, Said, read, refusal
from c.running import HEAD, model, threads

import xgen
from xgen.errors import UnsupportedError

TWO = "int x, y, a, b;"
ADDS = 'asm volatile("lock; xaddl %0, %1" : "+r" ({}), "+m" (x) : : "memory", "cc");'
SWAPS = 'int *p = &x; asm("xchgq %0, %1" : "+r" (p), "+m" (q)); *p = 5;'
LOCKED = """static int l, x;
static void lock(void) { int one; do { one = 1;
  asm volatile("xchgl %0, %1" : "+r" (one), "+m" (l) : : "memory"); asm volatile("rep; nop"); } while (one); }
static void unlock(void) { asm volatile("" : : : "memory"); asm volatile("movl $0, %0" : "=m" (l)); }
void *t(void *a) { lock(); x++; unlock(); return a; }
int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); t(0); pthread_join(p, 0); assert(x == 2); }
"""
BOTH = """static long p[2] __attribute__((aligned(16))) = {1, 2};
static int change(long low, long high) { long l = 1, h = 2; char ok;
  asm volatile("lock cmpxchg16b %1; setz %0" : "=q" (ok), "+m" (*p), "+a" (l), "+d" (h) : "b" (low), "c" (high));
  return ok; }
void *t(void *a) { return (void *)(long)change(3, 4); }
int main(void) { pthread_t q; void *one; pthread_create(&q, 0, t, 0); int other = change(3, 5);
  pthread_join(q, &one); assert(other + (long)one == 1); }
"""
BIT = """static unsigned w[3]; int __VERIFIER_nondet_int(void);
int main(void) { int n = __VERIFIER_nondet_int(); asm("lock btsl %1, %0" : "+m" (w[0]) : "r" (n)); assert(%s); }
"""

PROGRAMS: dict[str, tuple[str, Said]] = {
    "a barrier of the compiler": (
        threads('x = 1; asm volatile("" : : : "memory"); a = y;', 'y = 1; asm("" : "+m" (y)); b = x;', before=TWO),
        ("safe", 4, []),
    ),
    "fences": (
        threads('x = 1; asm volatile("mfence"); a = y;', 'y = 1; asm("lock; addl $0, (%%rsp)" ::: "memory"); b = x;',
                before=TWO),
        ("safe", 3, []),
    ),
    "updates": (threads("a = 1; " + ADDS.format("a"), "b = 2; " + ADDS.format("b"), before=TWO), ("safe", 2, [])),
    "no update": (threads('asm("incl %0" : "+m" (x));', 'asm("incl %0" : "+m" (x));', before=TWO), ("safe", 4, [])),
    "a lock": (LOCKED, ("safe", 2, [])),
    "two words": (BOTH, ("safe", 2, [])),
    "an address": (f"int x, y, *q = &y; int main(void) {{ {SWAPS} assert(y == 5 && q == &x); }}", ("safe", 1, [])),
    "nothing is read": ('int main(void) { int a; asm("incl %0" : "+r" (a)); }', ("violation", 1, ["uninitialised"])),
    "behind an array": (
        'int a[2], i = 2; int main(void) { asm("movl $1, %0" : "=m" (a[i])); }',
        ("violation", 1, ["out-of-bounds"]),
    ),
}  # fmt: skip


def said(reader: str, text: str, *, nondet: Sequence[int] | None = None) -> Said:
    program = read(reader, text, head=HEAD, map="x86", **({} if nondet is None else {"nondet": tuple(nondet)}))
    result = xgen.check(program, model("tso"), all_states=True)
    kinds = [] if result.witness is None else [violation.kind for violation in result.witness.violations]
    return result.verdict, result.executions, kinds[:1]


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(reader: str, name: str) -> None:
    text, expected = PROGRAMS[name]
    assert said(reader, text) == expected


@pytest.mark.parametrize("reader", READERS)
def test_a_bit_that_is_not_known_may_be_of_another_number(reader: str) -> None:
    """A wrong "safe" once: the second number was said to be 0 in each case."""
    assert said(reader, BIT.replace("%s", "w[1] == 0"), nondet=(31, 33)) == ("violation", 3, ["assertion"])
    assert said(reader, BIT.replace("%s", "n == 31 || w[1] == 1u << (n - 32)"), nondet=(31, 33)) == ("safe", 3, [])


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('asm("cpuid" : : "a" (1));', "the assembly `cpuid` is not supported"),
        ('asm("movl %1, %0" : "=m" (x) : "m" (y));', "the assembly `movl %1, %0` is not supported"),
        ('asm("nop" : "=r" (x));', "an output that the assembly does not write is not supported"),
        ('asm("movb $1, %b0" : "=r" (x));', "an output that the assembly does not write is not supported"),
        ('asm("movb $1, %b0; incl %0" : "=r" (x));', "the assembly `incl %0` is not supported"),
        ('asm("incq %q0" : "+r" (x));', "the assembly `incq %q0` is not supported"),
        ('long a; asm("movq %q1, %0" : "=r" (a) : "r" (x));', "the assembly `movq %q1, %0` is not supported"),
        ('asm("nop" : "=@ccz" (x));', "a flag that the assembly does not set is not supported"),
    ],
)
def test_what_is_not_known_is_refused(reader: str, text: str, message: str) -> None:
    assert refusal(reader, f"int x, y;\nint main(void) {{\n{text} }}", map="x86") == (message, 3)


LOST = [
    ('asm("movl $5, %0; addl %1, %0" : "=r" (x) : "r" (y));', "=r"),
    ('int *p = &y; asm("movl $5, %0; addl (%1), %0" : "=r" (x) : "r" (p));', "=r"),
    ('asm("movl $5, %0; addl %1, %0" : "=a" (x) : "r" (y));', "=a"),
    ('asm("1: movl %1, %0; testl %0, %0; jnz 1b" : "=r" (x) : "r" (y));', "=r"),
]
"""What writes an output before all inputs are read, and the constraint."""


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(("text", "constraint"), LOST)
def test_an_output_may_be_in_the_register_of_an_input(reader: str, text: str, constraint: str) -> None:
    whole = f"int x, y;\nint main(void) {{\n{text} }}"
    with pytest.raises(UnsupportedError, match="which may be in the same register") as caught:
        read(reader, whole, head="", map="x86")
    assert "=&r" in str(caught.value.hint)
    read(reader, whole.replace(constraint, f"=&{constraint[1:]}"), head="", map="x86")


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    "text",
    [
        'asm("movl $5, %0; addl %1, %0" : "=a" (x) : "d" (y));',
        'asm("movl $5, %0; addl %1, %0" : "=r" (x) : "i" (3));',
        'asm("movl %2, %0; addl %1, %0" : "=r" (x), "+r" (y) : "r" (y));',
        'asm("incl %0; addl %2, %0" : "=r" (x) : "0" (3), "r" (y));',
        'asm("lock; cmpxchgl %3, %1; setz %b0" : "=q" (c), "+m" (x), "=a" (y) : "r" (3), "2" (4));',
    ],
)
def test_an_output_has_its_own_register(reader: str, text: str) -> None:
    """It is another one than an input's, or is written last."""
    read(reader, f"int x, y; char c;\nint main(void) {{\n{text} }}", head="", map="x86")


@pytest.mark.parametrize("reader", READERS)
def test_operands_need_the_machine(reader: str) -> None:
    with pytest.raises(UnsupportedError) as caught:
        read(reader, 'int x; int main(void) { asm("lock incl %0" : "+m" (x)); }')
    assert caught.value.hint == "this assembly is for x86: --on x86"
