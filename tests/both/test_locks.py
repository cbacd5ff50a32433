"""Locks, semaphores and waits for a time: both readers find the same executions, which POSIX and glibc say."""

from __future__ import annotations

import pytest
from both.asked import READERS, Said, read, said
from c.running import HEAD
from llvm.compiling import compiles

import xgen

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


OWN = """
struct lock { char padding; _Atomic KIND held; };
struct lock a, b[2];
int x, y;
static void take(struct lock *l) { while (atomic_exchange(&l->held, 1)); }
static void give(struct lock *l) { atomic_store(&l->held, 0); }
static void grab(int who) { take(&a); }
static void drop(int who) { give(&a); }
void *first(void *p) { take(&a); x++; give(&a); take(&b[1]); y++; give(&b[1]); return p; }
void *second(void *p) { take(&a); x++; give(&a); take(WHICH); y++; give(WHICH); return p; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  take(&a);
  assert(x == 2 && y == 2);
  give(&a);
  MORE
}
"""
TAKEN = {"lock": ("take", "give")}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("kind", ["int", "char", "long"])
def test_a_lock_of_ones_own_is_taken_as_one(reader: str, kind: str) -> None:
    """The lock is the one to which the argument leads. Who gives it back without having it goes wrong."""
    text = OWN.replace("KIND", kind).replace("MORE", "")
    same, other = text.replace("WHICH", "b + 1"), text.replace("WHICH", "&b[0]")
    for options in ({}, TAKEN):
        assert said(reader, same, **options) == ("safe", 4, [])
        assert said(reader, other, whole=False, **options)[::2] == ("violation", ["race"])
    twice = OWN.replace("KIND", kind).replace("WHICH", "b + 1").replace("MORE", "give(&a);")
    assert said(reader, twice) == ("safe", 4, [])
    assert said(reader, twice, whole=False, **TAKEN)[::2] == ("violation", ["unlock"])


MCS = """
struct node { _Atomic(struct node *) next; atomic_int waits; } nodes[3];
_Atomic(struct node *) tail;
int data;
static void lock(int me) {
  atomic_store(&nodes[me].next, 0);
  atomic_store(&nodes[me].waits, 1);
  struct node *before = atomic_exchange(&tail, &nodes[me]);
  if (before) { atomic_store(&before->next, &nodes[me]); while (atomic_load(&nodes[me].waits)); }
}
static void unlock(int me) {
  struct node *next = atomic_load(&nodes[me].next);
  if (!next) {
    struct node *own = &nodes[me];
    if (atomic_compare_exchange_strong(&tail, &own, 0)) return;
    while (!(next = atomic_load(&nodes[me].next)));
  }
  atomic_store(&next->waits, 0);
}
void *thread(void *p) { int me = (int)(long)p; lock(me); data++; unlock(me); return p; }
int main(void) {
  pthread_t t[3];
  for (long k = 0; k < 3; k++) pthread_create(&t[k], 0, thread, (void *)k);
  for (int k = 0; k < 3; k++) pthread_join(t[k], 0);
  assert(data == 3);
}
"""


@pytest.mark.parametrize("reader", READERS)
def test_without_a_pointer_there_is_one_lock(reader: str) -> None:
    """Three threads take it in 6 orders, which is all that is left of a queue of waiting threads."""
    assert said(reader, MCS, lock=("lock", "unlock")) == ("safe", 6, [])
    verdict, executions, _ = said(reader, MCS)
    assert verdict == "safe"
    assert executions > 6


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    ("lock", "words"),
    [
        (("tak", "give"), "no thread calls `tak`, which --lock names"),
        (("take", "first"), "no thread calls `first`, which --lock names"),
        (("thread", "give"), "no thread calls `thread`, which --lock names"),
    ],
)
def test_what_is_no_lock(reader: str, lock: tuple[str, str], words: str) -> None:
    text = OWN.replace("KIND", "int").replace("WHICH", "b + 1").replace("MORE", "")
    with pytest.raises(xgen.ProgramError, match=words):
        read(reader, text, lock=lock)


@pytest.mark.parametrize("reader", READERS)
def test_a_lock_that_is_not_known(reader: str) -> None:
    text = """
struct lock { atomic_int held; } a, b;
_Atomic(struct lock *) which = &a;
static void take(struct lock *l) { while (atomic_exchange(&l->held, 1)); }
static void give(struct lock *l) { atomic_store(&l->held, 0); }
static int try(struct lock *l) { return !atomic_exchange(&l->held, 1); }
void *change(void *p) { which = &b; return p; }
int main(void) {
  pthread_t t; pthread_create(&t, 0, change, 0);
  BODY
  pthread_join(t, 0);
}
"""
    unknown = text.replace("BODY", "struct lock *l = which; take(l); give(l);")
    with pytest.raises(xgen.UnsupportedError, match="a call of `take`, which --lock names, for a lock that is"):
        read(reader, unknown, **TAKEN)
    valued = text.replace("BODY", "if (try(&a)) give(&a);")
    with pytest.raises(xgen.UnsupportedError, match="`try`, which gives a value, as a function of --lock is not"):
        read(reader, valued, lock=("try", "give"))


@compiles
def test_methods() -> None:
    text = """
#include <atomic>
#include <cassert>
#include <thread>
namespace my { struct Spin {
  std::atomic<bool> held{false};
  void lock() { while (held.exchange(true)); }
  void unlock() { held.store(false); }
}; }
my::Spin s;
int x;
int main() {
  std::thread a([] { s.lock(); x++; s.unlock(); }), b([] { s.lock(); x++; s.unlock(); });
  a.join(); b.join();
  assert(x == 2);
}
"""
    program = xgen.parse(text, "cpp", lock=("my::Spin::lock", "my::Spin::unlock"))
    result = xgen.check(program)
    assert (result.verdict, result.executions) == ("safe", 2)
    assert any("are taken as a lock (--lock)" in warning for warning in result.warnings)


KINDS = """#define _GNU_SOURCE
#include <pthread.h>
#include <errno.h>
#include <assert.h>
pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
struct { int x; pthread_mutex_t checking; } s = {1, PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP};
struct { pthread_mutex_t m; int at[4]; } plain = {PTHREAD_MUTEX_INITIALIZER, {1, 1, 1, 1}};
int x;
void *t(void *a) {
  pthread_mutex_lock(&plain.m); pthread_mutex_lock(&recursive); pthread_mutex_lock(&recursive);
  x++;
  pthread_mutex_unlock(&recursive); pthread_mutex_unlock(&recursive); pthread_mutex_unlock(&plain.m);
  assert(pthread_mutex_lock(&s.checking) == 0 && pthread_mutex_lock(&s.checking) == EDEADLK);
  return pthread_mutex_unlock(&s.checking) ? a : 0;
}
int main(void) {
  pthread_t p, q; pthread_create(&p, 0, t, 0); pthread_create(&q, 0, t, 0);
  pthread_join(p, 0); pthread_join(q, 0); assert(x == 2);
}
"""


@pytest.mark.parametrize("reader", READERS)
def test_the_first_value_of_a_mutex_says_its_kind(reader: str) -> None:
    assert said(reader, KINDS, head="", liveness=True)[::2] == ("safe", [])


PREFERS = """#define _GNU_SOURCE
#include <pthread.h>
pthread_rwlock_t l = FIRST;
void *reads(void *a) {
  pthread_rwlock_rdlock(&l); pthread_rwlock_rdlock(&l); pthread_rwlock_unlock(&l); pthread_rwlock_unlock(&l); return a;
}
void *writes(void *a) { pthread_rwlock_wrlock(&l); pthread_rwlock_unlock(&l); return a; }
int main(void) {
  pthread_t p, q; pthread_create(&p, 0, reads, 0); pthread_create(&q, 0, writes, 0);
  pthread_join(p, 0); pthread_join(q, 0);
}
"""


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    ("first", "verdict"),
    [
        ("PTHREAD_RWLOCK_INITIALIZER", "safe"),
        ("PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP", "violation"),
    ],
)
def test_the_first_value_of_a_lock_says_whom_it_prefers(reader: str, first: str, verdict: str) -> None:
    """Who reads twice waits for a writer that comes between, and the writer for the reader."""
    assert said(reader, PREFERS.replace("FIRST", first), head="", liveness=True)[0] == verdict
