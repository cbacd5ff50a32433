"""Addresses are multiples of what the program asks for, however much that is (C11, 6.7.5, 7.22.3.1)."""

from __future__ import annotations

import pytest
from both.asked import READERS, said

HEAD = """#include <malloc.h>
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
    assert said(reader, f"{HEAD}int main() {{ {body} }}") == ("safe", 1, [])


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
    assert said(reader, HEAD + text) == ("safe", 4, [])


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("call", ["aligned_alloc(24, 48)", "aligned_alloc(16, 24)", "memalign(3, 8)"])
def test_what_is_no_alignment(reader: str, call: str) -> None:
    found = said(reader, f"{HEAD}int main() {{ char *p = {call}; *p = 1; }}", whole=False)
    assert found[::2] == ("violation", ["bad-allocation"])
