"""Memory that a program asks for: its addresses are multiples of what is asked for, however much that is (C11, 6.7.5,
7.22.3.1); with `--malloc fails` there may be none, with `--reuse` it may be some that was freed. The same by both
readers, and for C++'s `new (std::nothrow)`."""

from __future__ import annotations

from pathlib import Path

import pytest
from both.asked import READERS, read, said
from llvm.compiling import compiles

import xgen

ALIGNED = """#include <malloc.h>
_Alignas(256) char first[256];
char between;
_Alignas(4096) char page[4096];
__attribute__((aligned(256))) int word;
int after __attribute__((aligned(1024))), beside;
typedef int wide __attribute__((aligned(512)));
wide named;
_Alignas(2048) _Thread_local int own;
__attribute__((aligned(64))) int function(void);
int function(void) { return 1; }
#define IS(pointer, n) assert(((uintptr_t)(pointer) & (n - 1)) == 0)
"""


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    "body",
    [
        "IS(first, 256); IS(page, 4096); IS(&word, 256);",
        "IS(&after, 1024); IS(&named, 512); IS(&own, 2048); assert(function() == 1);",
        "_Alignas(1024) int a; a = 1; int *p = &a; IS(p, 1024); assert(*p == 1);",
        "int a __attribute__((aligned(512))) = 2; int *p = &a; IS(p, 512); assert(*p == 2);",
        "static _Alignas(4096) long once; IS(&once, 4096);",
        "char *p = aligned_alloc(64, 128), *q = aligned_alloc(4096, 8192); IS(p, 64); IS(q, 4096);",
        "char *p = memalign(1024, 10); IS(p, 1024); free(p);",
        "void *p; assert(posix_memalign(&p, 8192, 8) == 0); IS(p, 8192); free(p);",
        "void *p; assert(posix_memalign(&p, 24, 8) == 22 && posix_memalign(&p, 4, 8) == 22);",
    ],
)
def test_addresses(reader: str, body: str) -> None:
    assert said(reader, f"{ALIGNED}int main() {{ {body} }}") == ("safe", 1, [])


@pytest.mark.parametrize("reader", READERS)
def test_in_loops_whose_rounds_are_not_known(reader: str) -> None:
    text = """atomic_int stop;
void *other(void *a) { stop = 1; return a; }
int main() {
  pthread_t t; pthread_create(&t, 0, other, 0);
  for (int k = 0; k < 3 && !stop; k++) { char *p = aligned_alloc(1024, 1024); IS(p, 1024); *p = 1; }
  pthread_join(t, 0);
}
"""
    assert said(reader, ALIGNED + text) == ("safe", 4, [])


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("call", ["aligned_alloc(24, 48)", "aligned_alloc(16, 24)", "memalign(3, 8)"])
def test_what_is_no_alignment(reader: str, call: str) -> None:
    found = said(reader, f"{ALIGNED}int main() {{ char *p = {call}; *p = 1; }}", whole=False)
    assert found[::2] == ("violation", ["bad-allocation"])


HEAD = """#include <assert.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
"""
SAFE = {
    "each of two": ("int *p = malloc(4), *q = malloc(4); if (p && q) *p = *q = 1; free(p); free(q);", 4),
    "errno says so": ("int *p = malloc(4); assert(p ? errno == 0 : errno == ENOMEM);", 2),
    "zeros": ("int *p = calloc(2, 4); if (p) assert(p[0] == 0 && p[1] == 0);", 2),
    "aligned": ("char *p = aligned_alloc(64, 64); assert(((unsigned long)p & 63) == 0); if (p) p[63] = 1;", 2),
    "of any size": ("char *p = memalign(64, 8); if (p) p[7] = 1; free(p);", 2),
    "by an argument": (
        "int x; void *p = &x; int e = posix_memalign(&p, 16, 16);"
        "assert(e ? e == ENOMEM && p == &x : p != &x); if (!e) free(p);",
        2,
    ),
    "what has no old memory": ("int *p = realloc(0, 8); if (p) p[1] = 1;", 2),
    "a copy of a text": ('char *p = strdup("ab"); if (p) assert(p[1] == 98 && p[2] == 0);', 2),
    "a copy of its start": ('char *p = strndup("ab", 1); if (p) assert(p[0] == 97 && p[1] == 0);', 2),
    "set as a whole": ("int *p = malloc(8); if (p) memset(p, 0, 8); free(p);", 2),
    "in rounds": ("int n = 0; for (int i = 0; i < 3; i++) { int *p = malloc(4); n += !p; free(p); } assert(n < 4);", 8),
    "until there is some": ("int *p; for (int i = 0; i < 2; i++) if ((p = malloc(4))) break; if (p) *p = 1;", 3),
    "an argument that is wrong": ("void *p; assert(posix_memalign(&p, 3, 8) == EINVAL);", 1),
    "after text that is read": ('char *p = malloc(2); if (p) *p = 1; assert(strlen("ab") == 2);', 2),
}
WRONG = {
    "malloc": ("int *p = malloc(4); *p = 1;", "bad-address"),
    "calloc": ("int *p = calloc(1, 4); assert(p[0] == 0);", "bad-address"),
    "aligned_alloc": ("int *p = aligned_alloc(16, 16); p[3] = 1;", "bad-address"),
    "posix_memalign": ("int *p; posix_memalign((void **)&p, 16, 16); *p = 1;", "uninitialised"),
    "realloc": ("int *p = realloc(0, 4); *p = 1;", "bad-address"),
    "strdup": ('assert(strdup("a")[0] == 97);', "bad-address"),
    "the second one": ("int *p = malloc(4); if (!p) return 0; int *q = malloc(4); *p = *q = 1;", "bad-address"),
}
SHARED = """
struct node { int value; struct node *next; };
_Atomic(struct node *) head;
atomic_int without;
void *push(void *unused) {
  struct node *n = malloc(sizeof *n);
  if (!n) { atomic_fetch_add(&without, 1); return 0; }
  n->value = 1;
  n->next = atomic_load(&head);
  while (!atomic_compare_exchange_weak(&head, &n->next, n));
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, push, 0);
  pthread_create(&b, 0, push, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  int count = 0;
  for (struct node *n = atomic_load(&head); n; n = n->next) count += n->value;
  assert(count + atomic_load(&without) == 2);
}
"""


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("name", SAFE)
def test_where_it_is_looked_at(reader: str, name: str) -> None:
    body, executions = SAFE[name]
    assert said(reader, f"int main(void) {{ {body} }}", head=HEAD, malloc="fails") == ("safe", executions, [])


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("name", WRONG)
def test_where_it_is_not(reader: str, name: str) -> None:
    body, kind = WRONG[name]
    text = f"int main(void) {{ {body} }}"
    verdict, _, kinds = said(reader, text, head=HEAD, malloc="fails")
    assert (verdict, kinds) == ("violation", [kind])
    if name != "posix_memalign":
        assert said(reader, text, head=HEAD) == ("safe", 1, [])


@pytest.mark.parametrize("reader", READERS)
def test_threads_that_share(reader: str) -> None:
    """Both get memory (2 orders, with a try that fails or without), one of them does (2), or none (2 orders)."""
    assert said(reader, SHARED, head=HEAD, malloc="fails") == ("safe", 8, [])
    assert said(reader, SHARED, head=HEAD) == ("safe", 4, [])


@pytest.mark.parametrize("reader", READERS)
def test_memory_that_may_not_be_there_gets_another_size(reader: str) -> None:
    """Both are given, one of them, or none: where there is nothing, realloc is malloc."""
    text = "int main(void) { int *p = malloc(4); p = realloc(p, 8); }"
    assert said(reader, text, head=HEAD, malloc="fails") == ("safe", 4, [])


@compiles
def test_new_that_does_not_throw() -> None:
    text = "#include <new>\nint main() { int *p = new NEW int(1); int n = *p; delete p; return n - 1; }"

    def verdict(new: str) -> str:
        program = xgen.parse(text.replace("NEW", new), "cpp", malloc="fails")
        return xgen.check(program).verdict

    assert verdict("") == "safe"
    assert verdict("(std::nothrow)") == "violation"


def test_rust_has_no_such_thing(tmp_path: Path) -> None:
    file = tmp_path / "main.rs"
    file.write_text("fn main() {}")
    with pytest.raises(xgen.UsageError, match="the option `malloc` is for C and C\\+\\+: Rust ends where there is no"):
        xgen.load(file, malloc="fails")


# ---- --reuse


STACK = """#include <stdint.h>
struct node { int value; struct node *next; };
struct top { struct node *node; long tag; };
_Atomic(TOP) head;
struct node *_Atomic hazard;
atomic_int looked, done;
static void push(int value) {
  struct node *n = malloc(sizeof *n);
  n->value = value;
  TOP top = atomic_load(&head);
  do n->next = NODE(top); while (!atomic_compare_exchange_strong(&head, &top, WITH(top, n)));
}
static void pop(void) {
  TOP top = atomic_load(&head);
  while (!atomic_compare_exchange_strong(&head, &top, WITH(top, NODE(top)->next)));
  if (!KEEPS || NODE(top) != atomic_load(&hazard)) free(NODE(top));
}
void *slow(void *unused) {
  TOP top = atomic_load(&head);
  struct node *next = NODE(top)->next;  // it is there: all others wait
  atomic_store(&hazard, NODE(top));
  atomic_store(&looked, 1);
  while (!atomic_load(&done));
  assert(!atomic_compare_exchange_strong(&head, &top, WITH(top, next)));  // all has been changed since
  return 0;
}
int main(void) {
  push(1);
  push(2);
  pthread_t thread;
  pthread_create(&thread, 0, slow, 0);
  while (!atomic_load(&looked));
  pop();
  pop();
  push(3);
  atomic_store(&done, 1);
  pthread_join(thread, 0);
}
"""
BARE = "#define TOP struct node *\n#define NODE(top) (top)\n#define WITH(top, n) (n)\n"
TAGS = "#define TOP struct top\n#define NODE(top) ((top).node)\n#define WITH(top, n) ((struct top){n, (top).tag + 1})\n"
STACKS = {
    "compares pointers": (BARE + "#define KEEPS 0\n", ("violation", 6, ["assertion"])),
    "counts": (TAGS + "#define KEEPS 0\n", ("safe", 8, [])),
    "has hazard pointers": (BARE + "#define KEEPS 1\n", ("safe", 3, [])),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("name", STACKS)
def test_a_stack_that_frees_its_nodes(reader: str, name: str) -> None:
    """ABA: a thread has read the head and what is behind it; others take both, free them, and put a new node there."""
    kind, expected = STACKS[name]
    assert said(reader, kind + STACK, head=HEAD, reuse=True) == expected
    assert said(reader, kind + STACK, head=HEAD) == ("safe", 1, [])


OTHER = "int main(void) { pthread_t t; pthread_create(&t, 0, other, 0); %s pthread_join(t, 0); }"
ALONE = OTHER % ""
FREES = "int *p = malloc(8); p[0] = 7; p[1] = 8; atomic_store(&old, p); free(p); return 0;"
AGAIN = {
    "one thread": ("int *p = malloc(4); free(p); int *q = malloc(4); assert(p != q); return 0;", ALONE, "assertion"),
    "no value": (FREES, OTHER % "int *q = malloc(8); if (q == atomic_load(&old)) assert(q[1]);", "uninitialised"),
    "in rounds": (
        "for (int i = 0; i < 2 + n; i++) { int *p = malloc(4); assert(p != old); old = p; free(p); } return 0;",
        OTHER % "n = 1;",
        "assertion",
    ),
    "realloc": ("int *p = malloc(8); free(p); int *q = realloc(0, 8); assert(q != p); return 0;", ALONE, "assertion"),
    "a free happens before": (
        "int *p = malloc(4); atomic_store_explicit(&old, p, memory_order_relaxed); data = 1; free(p); return 0;",
        OTHER % "int *q = malloc(4); if (q == atomic_load_explicit(&old, memory_order_relaxed)) assert(data == 2);",
        "assertion",
    ),
}
NOT_AGAIN = {
    "zeros": (FREES, OTHER % "int *q = calloc(2, 4); assert(!q[0] && !q[1]);"),
    "of another size": (FREES, OTHER % "char *q = malloc(16); assert(q != (char *)atomic_load(&old));"),
    "before the free": (
        "atomic_store(&n, 1); int *p = malloc(4); free(p); return 0;",
        OTHER % "int *q = malloc(4); atomic_store(&old, q); if (!atomic_load(&n)) free(q);",
    ),
    "a free happens before": (
        "int *p = malloc(4); atomic_store_explicit(&old, p, memory_order_relaxed); data = 1; free(p); return 0;",
        OTHER % "int *q = malloc(4); if (q == atomic_load_explicit(&old, memory_order_relaxed)) assert(data == 1);",
    ),
}
GONE = {
    "use-after-free": "int *p = malloc(4); *p = 1; free(p); data = *p; return 0;",
    "double-free": "int *p = malloc(4); free(p); free(p); return 0;",
    "bad-free": "int *p = malloc(8); free(p + 1); return 0;",
}


def _with(other: str, main: str) -> str:
    return f"int *_Atomic old; atomic_int n; int data; void *other(void *unused) {{ {other} }}\n{main}"


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("name", AGAIN)
def test_memory_that_is_given_again(reader: str, name: str) -> None:
    other, main, kind = AGAIN[name]
    verdict, _, kinds = said(reader, _with(other, main), head=HEAD, reuse=True)
    assert (verdict, kinds) == ("violation", [kind])
    assert said(reader, _with(other, main), head=HEAD)[0] == "safe"


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("name", NOT_AGAIN)
def test_what_holds_of_it(reader: str, name: str) -> None:
    assert said(reader, _with(*NOT_AGAIN[name]), head=HEAD, reuse=True)[0] == "safe"


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("kind", GONE)
def test_what_is_freed_is_gone_all_the_same(reader: str, kind: str) -> None:
    verdict, _, kinds = said(reader, _with(GONE[kind], ALONE), head=HEAD, reuse=True)
    assert (verdict, kinds) == ("violation", [kind])


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(("machine", "mcm"), [("x86", "tso"), ("armv8", "arm8"), ("power", "power")])
def test_on_machines(reader: str, machine: str, mcm: str) -> None:
    """What a free orders, it orders there as well."""
    text = _with(*NOT_AGAIN["a free happens before"])
    program = read(reader, text, head=HEAD, reuse=True, map=machine)
    assert xgen.check(program, mcm, all_states=True).verdict == "safe"
    wrong = read(reader, text.replace("data == 1", "data == 2"), head=HEAD, reuse=True, map=machine)
    assert xgen.check(wrong, mcm).verdict == "violation"


@compiles
def test_new_that_gives_memory_again() -> None:
    text = """#include <atomic>
#include <cassert>
#include <thread>
struct node { int value; };
std::atomic<node *> last;
int main() {
  std::thread other([] { auto n = new node{1}; last = n; delete n; });
  auto n = new node{2};
  assert(n != last);
  other.join();
  delete n;
}
"""
    assert xgen.check(xgen.parse(text, "cpp", reuse=True)).verdict == "violation"
    assert xgen.check(xgen.parse(text, "cpp")).verdict == "safe"


def test_who_has_no_such_memory(tmp_path: Path) -> None:
    file = tmp_path / "main.rs"
    file.write_text("fn main() {}")
    with pytest.raises(xgen.UsageError, match="the option `reuse` is for C and C\\+\\+"):
        xgen.load(file, reuse=True)
    with pytest.raises(xgen.UsageError, match="the option `reuse` is not for the kernel's files"):
        xgen.parse("int main(void) {}", "c", kernel=str(tmp_path), reuse=True)


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    "asked", ["malloc(-1L)", "calloc(-1L, 4)", "calloc(1L << 33, 1L << 33)", "calloc(3, -1L)", "realloc(0, 1L << 63)"]
)
def test_more_than_an_object_may_have_is_not_given(reader: str, asked: str) -> None:
    """As glibc has it; what is asked for is a number without a sign."""
    text = f"#include <errno.h>\nint main(void) {{ errno = 0; void *p = {asked}; assert(p == 0 && errno == ENOMEM); }}"
    assert said(reader, text) == ("safe", 1, [])


GROWN = """int *p, *q;
int main(void) {
    int *a = malloc(4), *b = malloc(8); char *other = malloc(3);
    volatile int which = 1;
    BODY
}
"""


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            "if (a) { *a = 1; q = realloc(a, 8); assert(!q || *q == 1); if (!q) assert(*a == 1); free(q ? q : a); }",
            "safe",
        ),
        ("if (a) { *a = 1; q = realloc(a, 8); assert(*q == 1); }", "violation"),  # where there is none
        ("if (a) { *a = 1; q = realloc(a, 8); if (q) *a = 2; }", "violation"),  # it has been freed
        ("q = realloc(a, 8); if (q && !a) *q = 1;", "safe"),
        ("if (a && b) { b[0] = 3; a[0] = 2; p = which ? a : b; q = realloc(p, 12); assert(!q || *q >= 2); }", "safe"),
        (
            "if (a && b) { b[0] = 3; a[0] = 2; p = which ? a : b; q = realloc(p, 12); assert(!q || *q == 3); }",
            "violation",
        ),
    ],
)
def test_memory_that_is_not_known_gets_another_size(reader: str, body: str, expected: str) -> None:
    """Where memory may not be given, it is one of several."""
    assert said(reader, GROWN.replace("BODY", body), malloc="fails")[0] == expected
