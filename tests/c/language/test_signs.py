"""Numbers that are accessed as those of the other sign (C11, 6.5p7), by an address that is computed."""

from __future__ import annotations

import pytest
from both.asked import READERS, said

TEXT = """
#include <string.h>
unsigned char bytes[2] = {200, 200};
int n[2] = {-1, -2};
short h[2] = {-1, -2};
struct t { int a; unsigned b; } st[2] = {{1, -1u}, {2, -1u}};
atomic_int i;
static unsigned at(int *p, int k) { return ((unsigned *)p)[k]; }
void *body(void *given) { BODY return given; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, body, 0);
  i = 1;
  pthread_join(t, 0);
}
"""
RIGHT = [
    "assert(((char *)bytes)[i] == -56);",
    "((signed char *)bytes)[i] = -1; assert(bytes[0] == 255 || bytes[1] == 255);",
    "unsigned *p = (unsigned *)&n[i]; *p += 1u; assert(n[0] == 0 || n[1] == -1);",
    "unsigned *p = (unsigned *)n; p += i; assert(*p == 4294967295u || *p == 4294967294u);",
    "assert(__atomic_fetch_add((unsigned *)&n[i], 3u, 5) > 4294967290u && (n[0] == 2 || n[1] == 1));",
    "unsigned e = -1, *p = (void *)n; __atomic_compare_exchange_n(p + i, &e, 7u, 0, 5, 5); assert(n[0] > 6 || i);",
    "assert(at(n, i) > 4294967290u);",
    "unsigned short u = ((unsigned short *)h)[i]; assert(u > 65530);",
    'unsigned char c = ((const unsigned char *)"\\xff\\xfe")[i]; assert(c > 253);',
    "signed char c; memcpy(&c, &bytes[i], 1); assert(c == -56);",
    "signed char c = -1; memcpy(&bytes[i], &c, 1); assert(bytes[0] == 255 || bytes[1] == 255);",
    "char *q = (char *)st; assert(((struct t *)q)[i].b == 4294967295u);",
]
WRONG = [
    "assert(((char *)bytes)[i] == -57);",
    "((signed char *)bytes)[i] = -1; assert(bytes[1] == 255);",
    "unsigned *p = (unsigned *)n; p += i; assert(*p == 4294967295u);",
    "assert(at(n, i) == 4294967295u);",
]


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("body", RIGHT, ids=range(len(RIGHT)))
def test_the_number_has_its_bits(reader: str, body: str) -> None:
    assert said(reader, TEXT.replace("BODY", body)) == ("safe", 2, [])


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("body", WRONG, ids=range(len(WRONG)))
def test_which_of_them_it_is_is_not_known(reader: str, body: str) -> None:
    assert said(reader, TEXT.replace("BODY", body), whole=False)[::2] == ("violation", ["assertion"])
