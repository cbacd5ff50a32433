"""What a program is told of where it runs, any numbers, and what printing gives: the same by both readers."""

from __future__ import annotations

import pytest
from both.asked import READERS, read, said

import xgen

HEAD = """#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
int old; time_t now; struct timespec ts; unsigned seed;
"""


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    "body",
    [
        "assert(getpid() == 1000 && getppid() == 1 && getpagesize() == sysconf(_SC_PAGESIZE));",
        "pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old); assert(old == PTHREAD_CANCEL_ENABLE);"
        "pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old); assert(old == PTHREAD_CANCEL_DISABLE);",
        "pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0); pthread_testcancel(); srandom(1); srand48(2);",
        "assert(time(&now) == now && time(0) == 0 && clock() == 0);",
        "assert(timespec_get(&ts, TIME_UTC) == TIME_UTC && ts.tv_sec == 0);",
        "assert(sched_getcpu() == 0);",
        'assert(printf("a%%b\\n") == 4 && putchar(353) == 97 && fputc(98, stdout) == 98); puts("x"); fflush(stdout);',
    ],
)
def test_what_is_told(reader: str, body: str) -> None:
    assert said(reader, f"#define _GNU_SOURCE\n{HEAD}int main(void) {{ {body} }}", head="") == ("safe", 1, [])


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("call", ["rand()", "random()", "lrand48()", "mrand48()", "rand_r(&seed)", "sched_getcpu()"])
def test_any_number(reader: str, call: str) -> None:
    text = f"#define _GNU_SOURCE\n{HEAD}int main(void) {{ long x = {call}; assert(0 <= x && x TEST 2); }}"
    assert said(reader, text.replace("TEST", "<="), head="", nondet=(0, 2)) == ("safe", 3, [])
    assert said(reader, text.replace("TEST", "<"), head="", nondet=(0, 2)) == ("violation", 3, ["assertion"])


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("return rand();", "`rand` without a range of values is not supported"),
        ("return sysconf(12345);", "`sysconf` of this is not supported"),
        ('int n = 1; return printf("%d", n);', "the result of `printf` is not supported"),
        ('return puts("x");', "the result of `puts` is not supported"),
    ],
)
def test_refusals(reader: str, body: str, message: str) -> None:
    with pytest.raises(xgen.UnsupportedError, match=message):
        read(reader, f"{HEAD}int main(void) {{ {body} }}", head="")


TIMES = """#include <sys/time.h>
int level(int *n); struct timeval d;
int main(void) { int n = 7; clock_gettime(CLOCK_REALTIME, &ts); gettimeofday(&d, 0); assert(TEST); }"""


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    ("test", "verdict"),
    [
        ("level(&n) != 2", "violation"),
        ("ts.tv_sec != 2", "violation"),
        ("ts.tv_nsec != 2", "violation"),
        ("d.tv_sec != -1", "violation"),
        ("ts.tv_nsec >= 0 && d.tv_usec >= 0 && ts.tv_sec <= 2 && level(&n) <= 2", "safe"),
    ],
)
def test_stubs_and_times_of_a_range(reader: str, test: str, verdict: str) -> None:
    found = said(reader, HEAD + TIMES.replace("TEST", test), head="", nondet=(-1, 2), stubs=("level",), whole=False)
    assert found[0] == verdict


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(("type_", "value"), [("unsigned char", 200), ("signed char", -1), ("signed char", 127)])
def test_a_stub_gives_numbers_with_a_sign_and_without(reader: str, type_: str, value: int) -> None:
    """IR does not say which of both it is."""
    text = f"{HEAD}{type_} level(void); int main(void) {{ assert(level() != {value}); }}"
    found = said(reader, text, head="", nondet=(-1, 300), stubs=("level",), whole=False)
    assert found[::2] == ("violation", ["assertion"])


THREADS = """void *t(void *a) { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old); return a; }
int main(void) {
  pthread_t h; pthread_create(&h, 0, t, 0); pthread_join(h, 0);
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old); assert(old == PTHREAD_CANCEL_ENABLE);
}
"""


@pytest.mark.parametrize("reader", READERS)
def test_each_thread_has_its_own_state(reader: str) -> None:
    assert said(reader, HEAD + THREADS, head="") == ("safe", 1, [])


FORMATS = [
    'assert(snprintf(b, 32, "%d-%s|%5x|%-3d|%03u%%%c", 12, "xy", 255u, 7, 4u, 113) == 21 && b[20] == 113);',
    'assert(snprintf(b, 32, "%d-%.1s", -12, "xy") == 5 && !strcmp(b, "-12-x"));',
    'assert(snprintf(b, 4, "abcdef") == 6 && !strcmp(b, "abc") && snprintf(0, 0, "abc") == 3);',
    'assert(sprintf(b, "%lu %llx", 1ul << 40, ~0ull) == 30 && b[29] == 102);',
    'assert(sprintf(b, "%u", -1) == 10 && !strcmp(b, "4294967295"));',
]


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("body", FORMATS)
def test_text_in_memory(reader: str, body: str) -> None:
    assert said(reader, f"#include <string.h>\n{HEAD}int main(void) {{ char b[32]; {body} }}", head="") == (
        "safe",
        1,
        [],
    )


@pytest.mark.parametrize("reader", READERS)
def test_what_is_not_known_is_not_written(reader: str) -> None:
    text = f'{HEAD}int n; int main(void) {{ char b[8]; n = rand(); sprintf(b, "%d", n); }}'
    with pytest.raises(xgen.UnsupportedError, match="`%d` of what is not known here, or is no integer or string"):
        read(reader, text, head="", nondet=(0, 2))
