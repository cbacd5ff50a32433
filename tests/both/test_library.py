"""Functions of C's library give what they give in glibc, by both readers; each of these programs runs well natively."""

from __future__ import annotations

import pytest
from both.asked import READERS, ask, said
from c.running import HEAD as RUNNING_HEAD

HEAD = """#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <assert.h>
int less(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
sem_t s;
void *other(void *a) { errno = 5; return a; }
"""
BODIES = [
    'assert(strcmp("ab", "ac") < 0 && strcmp("b", "ab") > 0 && strcmp("", "") == 0 && strcmp("\\xff", "a") > 0);',
    'assert(strncmp("abc", "abd", 2) == 0 && strncmp("abc", "abd", 3) < 0);',
    'char a[8]; strcpy(a, "hi"); strcat(a, "!"); strncat(a, "xyz", 2); assert(!strcmp(a, "hi!xy") && strlen(a) == 5);',
    'char a[6]; memset(a, 1, 6); strncpy(a, "ab", 4); assert(!a[2] && !a[3] && a[4] == 1);',
    'const char *t = "abcab"; assert(strchr(t, 98) == t + 1 && strrchr(t, 98) == t + 4 && !strchr(t, 122));',
    'const char *t = "abcab"; assert(strstr(t, "ca") == t + 2 && !strstr(t, "x") && memchr(t, 99, 5) == t + 2);',
    'char *c = strdup("copy"); assert(!strcmp(c, "copy")); free(c);',
    'char *c = strndup("copy", 2), *d = strndup("ab", 9); assert(!strcmp(c, "co") && !strcmp(d, "ab"));',
    'const char *t = "a1b"; assert(strspn(t, "1a") == 2 && strcspn(t, "b") == 2 && strspn(t, "") == 0);',
    'const char *t = "a,b;"; assert(strpbrk(t, ";,") == t + 1 && !strpbrk(t, "xy") && strcspn(t, "") == 4);',
    'char a[] = ",b;;cd", *r; assert(!strcmp(strtok_r(a, ",;", &r), "b") && !strcmp(strtok_r(0, ";", &r), "cd")'
    ' && !strtok_r(0, ";", &r) && !strtok_r(0, ";", &r));',
    'char a[] = "a b"; assert(strtok(a, " ") == a && strtok(0, " ") == a + 2 && !strtok(0, " ") && !a[1]);',
    'assert(!strcasecmp("aBc", "AbC") && strcasecmp("a", "B") < 0 && strcasecmp("b", "") > 0);',
    'assert(atoi(" -42x") == -42 && atol("7") == 7 && atoll("-9") == -9);',
    'char *e; assert(strtol("0x1fz", &e, 0) == 31 && *e == 122 && strtoul("12", 0, 3) == 5);',
    'errno = 0; assert(strtol("9223372036854775808", 0, 10) == 9223372036854775807 && errno == ERANGE);',
    'errno = 0; assert(strtol("1", 0, 99) == 0 && errno == EINVAL);',
    "int a[5] = {3, 1, 2, 5, 4}; qsort(a, 5, sizeof *a, less); for (int k = 0; k < 5; k++) assert(a[k] == k + 1);",
    "int a[4] = {1, 3, 5, 7}, k = 5; int *f = bsearch(&k, a, 4, sizeof *a, less); assert(f == a + 2);",
    "assert(toupper('a') == 'A' && tolower('Z') == 'z' && tolower('1') == '1');",
    "int *p = malloc(8); p[0] = 1; p[1] = 2; p = realloc(p, 16); p[3] = 4; assert(p[0] + p[1] + p[3] == 7); free(p);",
    "int *p = realloc(0, 4); *p = 3; p = realloc(p, 4); assert(*p == 3); free(p);",
    "int *p = calloc(2, 4); assert(p[0] == 0 && p[1] == 0); free(p);",
    "assert(errno == 0); sem_init(&s, 0, 0); assert(sem_trywait(&s) == -1 && errno == EAGAIN);",
    "sem_init(&s, 0, 1); errno = 3; assert(sem_trywait(&s) == 0 && errno == 3);",
    "errno = 1; pthread_t t; pthread_create(&t, 0, other, 0); pthread_join(t, 0); assert(errno == 1);",
    "assert(abs(-3) == 3 && labs(-4L) == 4);",
    "assert(ffs(8) == 4 && ffs(0) == 0 && ffsl(1L << 40) == 41 && ffsll(-1) == 1);",
]


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("body", BODIES)
def test_results(reader: str, body: str) -> None:
    assert said(reader, f"{HEAD}int main(void) {{ {body} }}", head="") == ("safe", 1, [])


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("body", ["malloc(0);", "calloc(0, 4);", "aligned_alloc(8, 0);", "realloc(malloc(4), 0);"])
def test_memory_without_bytes(reader: str, body: str) -> None:
    assert said(reader, f"{HEAD}int main(void) {{ {body} }}", head="")[::2] == ("violation", ["bad-allocation"])


DETACHED = """void *t(void *a) { return a; }
int main(void) {
  pthread_attr_t a; pthread_attr_init(&a); pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
  pthread_t h; pthread_create(&h, &a, t, 0); END
}
"""


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    ("end", "expected"), [("", ("safe", [])), ("pthread_join(h, 0);", ("violation", ["bad-join"]))]
)
def test_threads_that_are_created_detached(reader: str, end: str, expected: tuple[str, list[str]]) -> None:
    assert said(reader, DETACHED.replace("END", end))[::2] == expected


SHARED = """char text[4] = "ab"; atomic_int ready;
void *writer(void *a) { text[1] = 'c'; ready = 1; return a; }
int main(void) {
  pthread_t t; pthread_create(&t, 0, writer, 0);
  BODY
  pthread_join(t, 0);
}
"""


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('if (ready) assert(strcmp(text, "ac") == 0);', ("safe", 2, [])),
        ('if (ready) assert(strcmp(text, "ab") == 0);', ("violation", 2, ["assertion"])),
        ("assert(strcmp(text, text) == 0);", ("violation", 2, ["race"])),
        ("char copy[4]; if (ready) { strcpy(copy, text); assert(copy[1] == 'c'); }", ("safe", 2, [])),
        ("if (ready) assert(strchr(text, 'c') == text + 1);", ("safe", 2, [])),
    ],
)
def test_of_what_threads_share(reader: str, body: str, expected: tuple[str, int, list[str]]) -> None:
    found = said(reader, SHARED.replace("BODY", body))
    assert found[::2] == expected[::2]
    assert found[1] == expected[1] or "race" in expected[2]


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("char b[2] = {1, 2}; return strlen(b) == 9;", ("violation", 1, ["bad-address"])),
        ("if (ready) assert(strlen(text) == 2);", ("safe", 2, [])),
        ("if (ready) assert(atoi(text) == 0);", ("safe", 2, [])),
        ("char b[2]; strlen(b);", ("violation", 1, ["uninitialised"])),
    ],
)
def test_texts_that_are_not_known(reader: str, body: str, expected: tuple[str, int, list[str]]) -> None:
    found = said(reader, SHARED.replace("BODY", body))
    assert (found[0], found[2]) == (expected[0], expected[2])
    assert found[1] == expected[1] or expected[0] == "violation"


@pytest.mark.parametrize("reader", READERS)
def test_places_in_the_library(reader: str) -> None:
    """What goes wrong in `strcmp` is told where the program calls it."""
    text = SHARED.replace("BODY", 'strcmp(text, "ab");')
    result = ask(reader, text)
    assert result.witness is not None
    places = [event.position for event in result.witness.events if event.position]
    assert {place.source.name for place in places if place.source} <= {"test.c"}
    assert any("strcmp" in (RUNNING_HEAD + text).split("\n")[place.line - 1] for place in places)


FAILING = """
int failing(const void *a, const void *b) { return 3 / (*(const int *)a - *(const int *)b); }
int main(void) {
    int numbers[2] = {5, 5};
    qsort(numbers, 2, sizeof(int), failing);
}
"""


@pytest.mark.parametrize("reader", READERS)
def test_what_the_library_calls_is_called_by_the_program(reader: str) -> None:
    """A text of the library is nowhere in what is told: not among the calls that led to a place, either."""
    result = ask(reader, FAILING)
    assert result.witness is not None
    (violation,) = result.witness.violations
    place, calls = violation.position, violation.position.calls
    lines = (RUNNING_HEAD + FAILING).split("\n")
    assert (violation.kind, "int failing" in lines[place.line - 1]) == ("division-by-zero", True)
    assert {at.source.name for _, at in calls if at.source} <= {"test.c"}
    assert [name for name, _ in calls] == ["qsort"]
    assert "qsort(" in lines[calls[0][1].line - 1]


PRINTED = """
char name[8] = "a";
const char *other = "x";
void *writes(void *p) { WRITE; return 0; }
int main(void) {
  pthread_t t;
  char *text = malloc(4), none[4];
  strcpy(text, "ab");
  pthread_create(&t, 0, writes, 0);
  PRINT;
  pthread_join(t, 0);
  free(text);
}
"""


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    ("write", "prints", "expected"),
    [
        ("name[0] = 66", 'printf("%d %s", 1, name)', "race"),
        ("name[0] = 66", "puts(name)", "race"),
        ("name[0] = 66", 'printf("%.0s%%%*d%.*s%p", name, 3, 1, 2, name, name)', None),
        ("other = 0", 'printf("%s", "x")', None),
        ("", 'fprintf(stderr, "%s %s", other, text)', None),
        ("", "free(text); fputs(text, stdout); text = 0", "use-after-free"),
        ("", 'printf("%-5.2s", none)', "uninitialised"),
        ("", "puts((char *)0)", "bad-address"),
    ],
)
def test_the_first_letter_of_a_text_is_printed(reader: str, write: str, prints: str, expected: str | None) -> None:
    text = "#include <stdio.h>\n" + PRINTED.replace("WRITE", write).replace("PRINT", prints)
    assert said(reader, text)[2] == ([] if expected is None else [expected])
