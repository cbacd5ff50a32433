"""Assembly of other machines than x86, and with labels, as both readers have it, and in C++.

What instructions do is compared with litmus tests in c/library/test_instructions.py.
"""

from __future__ import annotations

from typing import TypeAlias

import pytest
from both.asked import READERS, read, refusal
from c.running import HEAD, model, threads
from llvm.compiling import compiles

import xgen
from xgen.errors import UnsupportedError

NONDET = "int __VERIFIER_nondet_int(void);\n"
Answer: TypeAlias = tuple[str, int]
TWO = "unsigned x, y; unsigned a, b;"
MESSAGE = ('y = 1; asm volatile("{}" : : : "memory"); x = 1;', 'a = x; asm volatile("{}" : : : "memory"); b = y;')
ADD = """static unsigned x; static void add(unsigned by) { unsigned old, t, *p = &x;
  asm volatile("1: ldxr %w0, [%2]; add %w0, %w0, %w3; stlxr %w1, %w0, [%2]; cbnz %w1, 1b"
               : "=&r" (old), "=&r" (t) : "r" (p), "r" (by) : "memory"); }
void *t(void *a) { add(1); return a; }
int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); add(2); pthread_join(p, 0); assert(x == 3); }
"""
WAITS = """static unsigned x, y; void *t(void *a) {
  y = 5; asm volatile("stlr %w1, %0" : "=Q" (x) : "r" (1)); return a; }
int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); unsigned r;
  asm volatile("1: ldar %w0, %1; cbz %w0, 1b" : "=&r" (r) : "Q" (x)); assert(y == 5); pthread_join(p, 0); }
"""
PAIR = """static long p[2] __attribute__((aligned(16))) = {1, 2};
int main(void) { long l, h; int f;
  asm volatile("ldxp %0, %1, %3; add %0, %0, #4; stxp %w2, %1, %0, %3" : "=&r" (l), "=&r" (h), "=&r" (f), "+Q" (*p));
  assert(f || (p[0] == 2 && p[1] == 5)); }
"""
LEADS = """static unsigned v = 7, *q = &v, **pp = &q;
int main(void) { unsigned *got, r; asm("ldr %0, [%1]" : "=r" (got) : "r" (pp)); asm("ldr %w0, [%1, #0]" : "=r" (r) :
  "r" (got)); *got = 8; assert(r == 7 && v == 8 && got == q); }
"""
PROGRAMS: dict[str, tuple[str, str, str, Answer]] = {
    "fences that order": (
        threads(*(text.replace("{}", fence) for text, fence in zip(MESSAGE, ("dmb ishst", "dmb ishld"), strict=True)),
                before=TWO, after="assert(!(a == 1 && b == 0));"), "armv8", "arm8", ("safe", 3)),
    "fences that do not": (
        threads(*(text.replace("{}", "dmb ishst") for text in MESSAGE), before=TWO,
                after="assert(!(a == 1 && b == 0));"), "armv8", "arm8", ("violation", 4)),
    "fences of Power": (
        threads(*(text.replace("{}", "lwsync") for text in MESSAGE), before=TWO,
                after="assert(!(a == 1 && b == 0));"), "power", "power", ("safe", 3)),
    "a loop of exclusives": (ADD, "armv8", "arm8", ("safe", 2)),
    "a loop that waits": (WAITS, "armv8", "arm8", ("safe", 1)),
    "two words": (PAIR, "armv8", "arm8", ("safe", 2)),
    "where pointers lead": (LEADS, "armv8", "arm8", ("safe", 1)),
    "a write that is wrong on one way": (
        'static const unsigned c = 1; int n; int main(void) { n = __VERIFIER_nondet_int();'
        ' asm volatile("cbz %w0, 1f; str %w0, [%1]; 1:" : : "r" (n), "r" (&c) : "memory"); assert(c == 1); }',
        "armv8", "arm8", ("violation", 2)),
    "x86 with a label": (
        threads('unsigned o; asm volatile("movl $0, %0; 1: movl %1, %0; cmpl $0, %0; je 1b" : "=&r" (o) : "m" (x));'
                "a = y;",
                "y = 5; x = 1;", before=TWO, after="assert(a == 5);"), "x86", "tso", ("safe", 1)),
}  # fmt: skip


def said(reader: str, name: str) -> Answer:
    text, machine, of, _ = PROGRAMS[name]
    result = xgen.check(read(reader, text, head=HEAD + NONDET, map=machine, nondet=(0, 1)), model(of), all_states=True)
    return result.verdict, result.executions


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(reader: str, name: str) -> None:
    assert said(reader, name) == PROGRAMS[name][3]


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('asm volatile("ldr w5, [%0]; fmov s0, w5" : : "r" (&x));', "the assembly `fmov s0, w5` is not supported"),
        ('asm volatile("add w5, w6, w6" : "+r" (x));', "assembly that reads X6, which has no value, is not supported"),
        ('asm volatile("b 7f" : "+r" (x));', "assembly that leads to `7f` is not supported"),
        ('asm volatile("nop; mrs %0, cntvct_el0" : "=r" (x));', "the assembly `mrs %0, cntvct_el0` is not supported"),
    ],
)
def test_what_is_not_known_is_refused(reader: str, text: str, message: str) -> None:
    assert refusal(reader, f"long x;\nint main(void) {{\n{text} }}", map="armv8") == (message, 3)


@compiles
def test_arguments_lie_otherwise_on_other_machines() -> None:
    text = """#include <stdarg.h>
    int x; int f(int n, ...) { va_list l; va_start(l, n); int r = va_arg(l, int); va_end(l); return r; }
    int main(void) { asm volatile("stw %1, %0" : "=Z" (x) : "r" (1)); return f(1, 0); }"""
    with pytest.raises(UnsupportedError, match="assembly with operands, beside a list of arguments or a call"):
        read("clang", text, head="", map="power")


LOST = [
    "add %w0, %w2, #1; ldr %w1, [%3]",
    "1: ldxr %w0, [%3]; add %w0, %w0, %w2; stxr %w1, %w0, [%3]; cbnz %w1, 1b",
    "1: ldar %w0, [%3]; cbz %w0, 1b; mov %w1, #0",
]


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("text", LOST)
def test_an_output_may_be_in_the_register_of_an_input(reader: str, text: str) -> None:
    whole = 'int x, *p = &x; int main(void) {{ int a, b; asm("{}" : "{}" (a), "{}" (b) : "r" (1), "r" (p)); }}'
    with pytest.raises(UnsupportedError, match="which may be in the same register"):
        read(reader, whole.format(text, "=r", "=r"), head="", map="armv8")
    read(reader, whole.format(text, "=&r", "=&r"), head="", map="armv8")


IN_CPP = """#include <atomic>
#include <cassert>
#include <thread>
std::atomic<int> x, y;
int main() {
  std::thread t([] { y.store(1, std::memory_order_relaxed); asm volatile("dmb ishst" ::: "memory");
                     x.store(1, std::memory_order_relaxed); });
  int a = x.load(std::memory_order_relaxed);
  asm volatile("dmb ishld" ::: "memory");
  int b = y.load(std::memory_order_relaxed);
  t.join();
  assert(a == 0 || b == 1);
}
"""


@compiles
@pytest.mark.parametrize(("fence", "verdict"), [("dmb ishld", "safe"), ("isb", "violation"), ("yield", "violation")])
def test_fences_in_cpp(fence: str, verdict: str) -> None:
    program = xgen.parse(IN_CPP.replace("dmb ishld", fence), "cpp", "t.cpp", map="armv8")
    assert xgen.check(program, model("arm8"), all_states=True).verdict == verdict
