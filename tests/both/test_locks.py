"""Locks, semaphores and waits for a time: both readers find the same executions, which POSIX and glibc say."""

from __future__ import annotations

import pytest
from both.asked import READERS, Said, said
from c.running import HEAD

WRITER = """#define _GNU_SOURCE
#include <pthread.h>
#include <assert.h>
pthread_rwlock_t lock FIRST;
int x;
void *writer(void *a) { pthread_rwlock_wrlock(&lock); x = 1; pthread_rwlock_unlock(&lock); return a; }
int main() {
  KIND
  pthread_t t;
  BODY
  pthread_join(t, 0);
}
"""
KIND = """pthread_rwlockattr_t kind; pthread_rwlockattr_init(&kind);
  pthread_rwlockattr_setkind_np(&kind, PTHREAD_RWLOCK_%s_NP); pthread_rwlock_init(&lock, &kind);"""
TWICE = """pthread_rwlock_rdlock(&lock); pthread_create(&t, 0, writer, 0);
  pthread_rwlock_rdlock(&lock); pthread_rwlock_unlock(&lock); pthread_rwlock_unlock(&lock);"""
TRIED = """pthread_rwlock_rdlock(&lock); pthread_create(&t, 0, writer, 0);
  int r = pthread_rwlock_tryrdlock(&lock); if (r == 0) pthread_rwlock_unlock(&lock);
  pthread_rwlock_unlock(&lock); assert(r == 0);"""
ONCE = """pthread_create(&t, 0, writer, 0); pthread_rwlock_rdlock(&lock); int r = x; pthread_rwlock_unlock(&lock);
  assert(r == 0 || r == 1);"""


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    ("kind", "body", "expected"),
    [
        ("PREFER_READER", TWICE, ("safe", 1, [])),
        ("PREFER_WRITER", TWICE, ("safe", 1, [])),  # in glibc as the one before
        ("PREFER_WRITER_NONRECURSIVE", TWICE, ("violation", 1, ["await"])),  # or main is first: the complete one
        ("PREFER_WRITER", TRIED, ("safe", 1, [])),
        ("PREFER_WRITER_NONRECURSIVE", TRIED, ("violation", 2, ["assertion"])),
        ("PREFER_WRITER", ONCE, ("safe", 2, [])),
        ("PREFER_WRITER_NONRECURSIVE", ONCE, ("safe", 3, [])),  # the reader looks for writers before, or behind
    ],
)
def test_a_reader_waits_while_a_writer_does(reader: str, kind: str, body: str, expected: Said) -> None:
    text = WRITER.replace("FIRST", "").replace("KIND", KIND % kind).replace("BODY", body)
    assert said(reader, text, liveness=True) == expected


def test_a_lock_that_prefers_writers_from_the_start() -> None:
    begin = "= PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP"
    text = WRITER.replace("FIRST", begin).replace("KIND", "").replace("BODY", TWICE)
    assert said("own", text, liveness=True)[::2] == ("violation", ["await"])


TIMES = """#include <errno.h>
#include <limits.h>
#include <semaphore.h>
#include <threads.h>
#include <time.h>
struct timespec good = {1, 999999999}, bad = {1, 1000000000}, negative = {1, -1};
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; sem_t s; mtx_t p; cnd_t q;
"""


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    "body",
    [
        "pthread_mutex_lock(&m); assert(pthread_mutex_timedlock(&m, &bad) == EINVAL);",
        "pthread_mutex_lock(&m); assert(pthread_mutex_timedlock(&m, &negative) == EINVAL);",
        "pthread_mutex_lock(&m); assert(pthread_mutex_timedlock(&m, &good) == ETIMEDOUT);",
        "assert(pthread_mutex_timedlock(&m, &bad) == 0);",  # it can be had at once
        "pthread_mutex_lock(&m); assert(pthread_cond_timedwait(&c, &m, &bad) == EINVAL); pthread_mutex_unlock(&m);",
        "pthread_mutex_lock(&m); assert(pthread_cond_timedwait(&c, &m, &good) == ETIMEDOUT); pthread_mutex_unlock(&m);",
        "pthread_rwlock_wrlock(&l); assert(pthread_rwlock_timedrdlock(&l, &bad) == EINVAL);",
        "pthread_rwlock_wrlock(&l); assert(pthread_rwlock_timedwrlock(&l, &good) == ETIMEDOUT);",
        "mtx_init(&p, mtx_timed); mtx_lock(&p); assert(mtx_timedlock(&p, &bad) == thrd_error);",
        "mtx_init(&p, mtx_timed); mtx_lock(&p); assert(mtx_timedlock(&p, &good) == thrd_timedout);",
        "mtx_init(&p, mtx_plain); cnd_init(&q); mtx_lock(&p); assert(cnd_timedwait(&q, &p, &bad) == thrd_error);",
        "sem_init(&s, 0, 0); assert(sem_timedwait(&s, &bad) == -1);",
        "sem_init(&s, 0, 1); assert(sem_timedwait(&s, &good) == 0);",
        "sem_init(&s, 0, INT_MAX); assert(sem_post(&s) == -1); int n; sem_getvalue(&s, &n); assert(n == INT_MAX);",
        "sem_init(&s, 0, SEM_VALUE_MAX - 1); assert(sem_post(&s) == 0 && sem_post(&s) == -1);",
        "assert(sem_init(&s, 0, INT_MAX + 1u) == -1);",
    ],
)
def test_times_that_are_none_and_semaphores_that_are_full(reader: str, body: str) -> None:
    assert said(reader, f"{TIMES}int main() {{ {body} }}") == ("safe", 1, [])


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ("sem_init(&s, 0, 0); errno = 0; sem_timedwait(&s, &bad);", "EINVAL"),
        ("sem_init(&s, 0, 0); errno = 0; sem_timedwait(&s, &good);", "ETIMEDOUT"),
        ("sem_init(&s, 0, INT_MAX); errno = 0; sem_post(&s);", "EOVERFLOW"),
        ("errno = 0; sem_init(&s, 0, INT_MAX + 1u);", "EINVAL"),
        ("sem_init(&s, 0, 1); errno = 0; sem_post(&s);", "0"),
    ],
)
def test_errno_of_semaphores(body: str, error: str) -> None:
    assert said("own", f"{TIMES}int main() {{ {body} assert(errno == {error}); }}") == ("safe", 1, [])


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("kind", ["mtx_plain", "mtx_plain | mtx_recursive"])
def test_nobody_unlocks_a_mutex_of_c11_that_is_not_held(reader: str, kind: str) -> None:
    text = f"#include <threads.h>\nmtx_t m; int main() {{ mtx_init(&m, {kind}); BODY mtx_unlock(&m); }}"
    assert said(reader, text.replace("BODY", ""), whole=False)[::2] == ("violation", ["unlock"])
    assert said(reader, text.replace("BODY", "mtx_lock(&m);")) == ("safe", 1, [])


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    "body",
    [
        "thrd_t t; int r; assert(thrd_create(&t, number, 0) == thrd_success && thrd_join(t, &r) == 0 && r == -42);",
        "pthread_mutexattr_t a; pthread_mutexattr_init(&a); assert(pthread_mutexattr_settype(&a, 77) == EINVAL);",
        "pthread_mutexattr_t a; pthread_mutexattr_init(&a); pthread_mutexattr_settype(&a, 1); int k;"
        " pthread_mutexattr_gettype(&a, &k); assert(k == PTHREAD_MUTEX_RECURSIVE);",
        "pthread_rwlockattr_t a; pthread_rwlockattr_init(&a); assert(pthread_rwlockattr_setkind_np(&a, 3) == EINVAL);",
        "pthread_attr_t a; pthread_attr_init(&a); int d; pthread_attr_getdetachstate(&a, &d);"
        " assert(d == PTHREAD_CREATE_JOINABLE && pthread_attr_setdetachstate(&a, 7) == EINVAL);",
    ],
)
def test_what_calls_give(reader: str, body: str) -> None:
    text = f"#define _GNU_SOURCE\n{HEAD}{TIMES}int number(void *a) {{ return -42; }}\nint main(void) {{ {body} }}"
    assert said(reader, text, head="") == ("safe", 1, [])
