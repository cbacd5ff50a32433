"""Objects that are there no more: freed by a thread, by main, or over with their block; and who may use them when."""

from __future__ import annotations

import pytest
from both.asked import READERS, read
from llvm.compiling import compiles, rusts

import xgen

CPP = """#include <atomic>
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>
#include <pthread.h>
#include <stdlib.h>
struct Node { int value = 1; ~Node() { value = 9; } };
int *volatile known;
"""

FREED = {
    # A thread frees what main has made; main has joined it, and comes to where the object was.
    "read": ("int *p = new int(3); std::thread a([=] { delete p; }); a.join(); assert(*p == 3);", "use-after-free"),
    "write": ("int *p = new int(3); std::thread a([=] { delete p; }); a.join(); *p = 1;", "use-after-free"),
    "used by the thread": (
        "int *p = new int(3); std::thread a([=] { *p = 4; delete p; }); a.join(); *p = 1;",
        "use-after-free",
    ),
    "array": (
        "int *p = new int[2]; std::thread a([=] { p[0] = 1; delete[] p; }); a.join(); p[1] = 1;",
        "use-after-free",
    ),
    "what a destructor left": (
        "Node *p = new Node; std::thread a([=] { delete p; }); a.join(); assert(p->value == 9);",
        "use-after-free",
    ),
    "under a mutex": (
        "std::mutex m; int *p = new int; std::thread a([&] { std::lock_guard l(m); delete p; }); "
        "a.join(); m.lock(); *p = 1; m.unlock();",
        "use-after-free",
    ),
    "moved into the thread": (
        "auto q = std::make_unique<int>(1); int *p = q.get(); std::thread a([q = std::move(q)] { *q = "
        "2; }); a.join(); *p = 3;",
        "use-after-free",
    ),
    "in a vector": (
        "std::vector<int> v{1, 2}; int *p = &v[0]; std::thread a([&] { v = std::vector<int>(); }); a.join(); *p = 3;",
        "use-after-free",
    ),
    "freed again": ("int *p = new int; std::thread a([=] { delete p; }); a.join(); delete p;", "double-free"),
    "updated": (
        "auto p = new std::atomic<int>(1); std::thread a([=] { delete p; }); a.join(); p->fetch_add(1);",
        "use-after-free",
    ),
    "locked": (
        "auto p = new std::mutex; std::thread a([=] { delete p; }); a.join(); p->lock(); p->unlock();",
        "use-after-free",
    ),
    # The same before main has joined it: nothing orders the two.
    "read early": (
        "int *p = new int(3); std::thread a([=] { delete p; }); assert(*p == 3); a.join();",
        "race-with-free",
    ),
    "written early": ("int *p = new int(3); std::thread a([=] { delete p; }); *p = 1; a.join();", "race-with-free"),
    # By a thread of a thread, which main has not started itself.
    "nested": (
        "int *p = new int(3); std::thread a([=] { std::thread b([=] { delete p; }); b.join(); }); a.join(); *p = 1;",
        "use-after-free",
    ),
    "nested and early": (
        "int *p = new int(3); std::thread a([=] { std::thread b([=] { delete p; }); b.join(); }); *p = 1; a.join();",
        "race-with-free",
    ),
    "nested write": (
        "int x = 0; std::thread a([&] { std::thread b([&] { x = 1; }); b.join(); }); known = &x; int y = x; a.join();",
        "race",
    ),
    # As it was not asked for.
    "all as one": ("int *p = new int[2]; std::thread a([=] { delete p; }); a.join();", "bad-free"),
    "one as all": ("std::thread a([] { delete[] new int; }); a.join();", "bad-free"),
    "what malloc gave": ("std::thread a([] { delete (int *)malloc(4); }); a.join();", "bad-free"),
    "what new gave": ("std::thread a([] { free(new int); }); a.join();", "bad-free"),
    "a thread's": ("int *p; std::thread a([&] { p = new int[2]; }); a.join(); delete p;", "bad-free"),
    "of a guarded pointer": ("std::shared_ptr<int[]> p(new int[2]); std::thread a([=] { p[0] = 1; }); a.join();", None),
    # In one thread.
    "its own": ("std::thread a([] { int *p = new int(3); delete p; *p = 1; }); a.join();", "use-after-free"),
    "its own, again": ("std::thread a([] { int *p = new int(3); delete p; delete p; }); a.join();", "double-free"),
    "main's, locked": ("auto p = new std::mutex; delete p; p->lock();", "use-after-free"),
    # Right programs.
    "joined first": ("int *p = new int(3); std::thread a([=] { *p = 4; }); a.join(); assert(*p == 4); delete p;", None),
    "handed over": (
        "auto q = std::make_unique<int>(1); std::thread a([q = std::move(q)] { *q = 2; }); a.join();",
        None,
    ),
    "looked at before": (
        "int *p = new int(3); assert(*p == 3); std::thread a([=] { assert(*p == 3); delete p; }); a.join();",
        None,
    ),
    "in each round": (
        "for (int i = 0; i < 2; i++) { int *p = new int(i); std::thread a([=] { assert(*p == i); delete "
        "p; }); a.join(); }",
        None,
    ),
    "made by the thread": (
        "int *p = nullptr; std::thread a([&] { p = new int(3); }); a.join(); assert(*p == 3); delete p;",
        None,
    ),
}


def kind(text: str, language: str = "cpp", **options: object) -> str | None:
    """The kind of the violation, if there is one."""
    found = xgen.check(xgen.parse(text, language, **options), xgen.model("rc11"))
    assert found.bounded == 0
    assert (found.verdict == "safe") == (found.witness is None)
    return None if found.witness is None else found.witness.violations[0].kind


@compiles
@pytest.mark.sweep
@pytest.mark.parametrize("name", FREED)
def test_freed(name: str) -> None:
    body, wrong = FREED[name]
    assert kind(f"{CPP}int main() {{ {body} }}") == wrong


BOTH = {
    "freed, joined, written": (
        "void *f(void *p) { free(p); return 0; }"
        " int main(void) { int *p = malloc(4); pthread_t h; pthread_create(&h, 0, f, p); "
        "pthread_join(h, 0); *p = 1; return 0; }"
    ),
    "used, freed, joined, written": (
        "void *f(void *p) { *(int *)p = 1; free(p); return 0; }"
        " int main(void) { int *p = malloc(4); pthread_t h; pthread_create(&h, 0, f, p); "
        "pthread_join(h, 0); *p = 1; return 0; }"
    ),
    "read early": (
        "void *f(void *p) { free(p); return 0; }"
        " int main(void) { int *p = malloc(4); *p = 3; pthread_t h; pthread_create(&h, 0, f, p); int r "
        "= *p; pthread_join(h, 0); return r - 3; }"
    ),
    "a mutex": (
        "int main(void) { pthread_mutex_t *m = malloc(sizeof *m); pthread_mutex_init(m, 0); free(m); "
        "pthread_mutex_lock(m); return 0; }"
    ),
    "a mutex that is unlocked": (
        "int main(void) { pthread_mutex_t *m = malloc(sizeof *m); pthread_mutex_init(m, 0); "
        "pthread_mutex_lock(m); free(m);"
        " pthread_mutex_unlock(m); return 0; }"
    ),
    "a mutex that is tried": (
        "int main(void) { pthread_mutex_t *m = malloc(sizeof *m); pthread_mutex_init(m, 0); free(m); "
        "pthread_mutex_trylock(m); return 0; }"
    ),
    "a lock of readers": (
        "int main(void) { pthread_rwlock_t *m = malloc(sizeof *m); pthread_rwlock_init(m, 0); free(m); "
        "pthread_rwlock_rdlock(m); return 0; }"
    ),
    "a semaphore": (
        "int main(void) { sem_t *m = malloc(sizeof *m); sem_init(m, 0, 1); free(m); sem_post(m); return 0; }"
    ),
    "a condition": (
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t *c; void *f(void *p) { "
        "pthread_cond_signal(c); return 0; }"
        " int main(void) { pthread_t h; c = malloc(sizeof *c); pthread_cond_init(c, 0); pthread_create(&h, 0, f, 0);"
        " pthread_mutex_lock(&m); free(c); pthread_cond_wait(c, &m); pthread_mutex_unlock(&m); "
        "pthread_join(h, 0); return 0; }"
    ),
    "a barrier": (
        "int main(void) { pthread_barrier_t *m = malloc(sizeof *m); pthread_barrier_init(m, 0, 1); "
        "free(m); pthread_barrier_wait(m); return 0; }"
    ),
}


FREES = """#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
int *p; atomic_int go;
void *sets(void *a) { go = 1; return 0; }
void *frees(void *a) { *p = 1; free(p); return 0; }
void *f(void *a) { pthread_t h; int x; p = CHOSEN; pthread_create(&h, 0, frees, 0); pthread_join(h, 0); return 0; }
int main(void) {
  pthread_t h, k; pthread_create(&k, 0, sets, 0); pthread_create(&h, 0, f, 0); pthread_join(h, 0); pthread_join(k, 0);
}
"""


@compiles
@pytest.mark.parametrize(
    ("chosen", "wrong"),
    [("&x", "bad-free"), ("go ? &x : malloc(4)", "bad-free"), ("malloc(4 + 0 * (&x == p))", None)],
)
@pytest.mark.parametrize("clang", [False, True])
def test_a_local_is_not_freed(clang: bool, chosen: str, wrong: str | None) -> None:
    """By a pointer of which it is not known here where it leads."""
    assert kind(FREES.replace("CHOSEN", chosen), "c", clang=clang) == wrong


@compiles
@pytest.mark.parametrize("name", BOTH)
def test_as_in_c(name: str) -> None:
    text = f"#include <pthread.h>\n#include <semaphore.h>\n#include <stdlib.h>\n{BOTH[name]}"
    assert kind(text, "c", clang=True) == kind(text, "c") is not None


@rusts
def test_freed_in_rust() -> None:
    text = """use std::thread;
struct Sent(*mut i32);
unsafe impl Send for Sent {}
fn main() {
    let p = Box::into_raw(Box::new(3));
    let sent = Sent(p);
    thread::spawn(move || { let all = sent; drop(unsafe { Box::from_raw(all.0) }); }).join().unwrap();
    assert!(unsafe { *p } == 3);
}
"""
    assert kind(text, "rs") == "use-after-free"


@rusts
def test_a_block_of_rust_whose_reference_is_in_no_variable() -> None:
    text = "fn main() { let p; { let x = 5; p = &x as *const i32; } unsafe { assert!(*p == 5); } }"
    assert kind(text, "rs") == "use-after-free"
    assert kind(text.replace("} unsafe { assert!(*p == 5); }", "unsafe { assert!(*p == 5); } }"), "rs") is None


BLOCKS_OF_RUST = {
    "by main": ("{ let mut x = 1; p = &raw mut x; } unsafe { *p = 2; }", "use-after-free"),
    "in its block": ("{ let mut x = 1; p = &raw mut x; unsafe { *p = 2; } assert!(x == 2); }", None),
    "by a thread": ("{ let mut x = 1; start(&raw mut x, &mut t); } t.unwrap().join().unwrap();", "race-with-free"),
    "by a thread that is over": (
        "{ let mut x = 1; start(&raw mut x, &mut t); t.take().unwrap().join().unwrap(); assert!(x == 3); }",
        None,
    ),
    "a round's, by the next one": (
        "for k in 0..3 { let mut x = k; if k > 0 { unsafe { *p = 2; } } p = &raw mut x; }",
        "use-after-free",
    ),
    "what has been moved": (
        "let b = { let a = Box::new(1); p = &raw const *a as *mut i32; a }; unsafe { *p += *b; }",
        None,
    ),
}


@rusts
@pytest.mark.parametrize("name", BLOCKS_OF_RUST)
def test_blocks_of_rust(name: str) -> None:
    body, wrong = BLOCKS_OF_RUST[name]
    text = f"""use std::thread::{{spawn, JoinHandle}};
struct Sent(*mut i32);
unsafe impl Send for Sent {{}}
fn start(p: *mut i32, t: &mut Option<JoinHandle<()>>) {{
    let sent = Sent(p);
    *t = Some(spawn(move || {{ let all = sent; unsafe {{ *all.0 = 3; }} }}));
}}
fn main() {{
    let mut p = std::ptr::null_mut::<i32>();
    let mut t: Option<JoinHandle<()>> = None;
    {body}
}}
"""
    assert kind(text, "rs") == wrong


ENDED = {
    # What main has in a block is used after it: by main, or by a thread that nothing orders before.
    "by a thread": (
        "int *p; std::thread t; { int x = 1; p = &x; t = std::thread([p] { *p = 2; }); } t.join();",
        "race-with-free",
    ),
    "captured": ("std::thread a; { int x = 0; a = std::thread([&] { x = 1; }); } a.join();", "race-with-free"),
    "by main": ("int *q; { int x = 1; q = &x; } int r = *q; assert(r == 1);", "use-after-free"),
    "by main, joined": (
        "std::thread a; int *q; { int x = 4; q = &x; a = std::thread([] { }); } a.join(); assert(*q == 4);",
        "use-after-free",
    ),
    "destroyed": ("int *q; { Node n; q = &n.value; } assert(*q == 9);", "use-after-free"),
    "a temporary": ("struct Of { const int &r; }; Of o(Node().value); assert(o.r == 1);", "use-after-free"),
    "a string": ("std::string_view v = std::string(40, 'a'); assert(v[0] == 'a');", "use-after-free"),
    "in an array": ("int *q[2]; for (int i = 0; i < 2; i++) { int x = i; q[i] = &x; } *q[0] = 1;", "use-after-free"),
    "the round before": (
        "int *volatile q = nullptr; for (int i = 0; i < 2; i++) { int x = i; if (q) *q = 3; q = &x; }",
        "use-after-free",
    ),
    "unwound": (
        "int *q; try { int x = 1; q = &x; throw 2; } catch (int) { } *q = 1;",
        "use-after-free",
    ),
    "an exception": (
        "int *q; try { throw Node(); } catch (Node &n) { q = &n.value; } assert(*q == 9);",
        "use-after-free",
    ),
    "an exception, perhaps": (
        "std::atomic<int> go; std::thread t([&] { try { if (go) throw Node(); } catch (Node &n) { known = &n.value; } "
        "}); go = 1; t.join(); if (known) *known = 1;",
        "use-after-free",
    ),
    "what an exception has": (
        "const char *s; try { throw std::runtime_error(std::string(40, 'a')); } catch (std::exception &e) { "
        "s = e.what(); } assert(s[0] == 'a');",
        "use-after-free",
    ),
    "a lock": (
        "std::unique_lock<std::mutex> l; { std::mutex m; l = std::unique_lock(m); } l.unlock();",
        "use-after-free",
    ),
    "a jthread that is made before": ("Joined t; int x = 0; t = Joined([&] { x = 1; });", "race-with-free"),
    # What a function has.
    "a function's": (
        "struct F { static int *f() { int z = 5; int *volatile p = &z; return p; } }; assert(*F::f() == 5);",
        "use-after-free",
    ),
    "a thread's": ("std::thread t([] { int x = 3; known = &x; }); t.join(); assert(*known == 3);", "use-after-free"),
    "a thread's, in a branch": (
        "std::atomic<int> go; std::thread t([&] { if (go) { int x = 3; known = &x; } }); go = 1; t.join();"
        "if (known) *known = 1;",
        "use-after-free",
    ),
    "a thread's, of a thread": (
        "std::thread t; { std::thread s([&] { int x = 3; t = std::thread([&] { x = 4; }); }); s.join(); } t.join();",
        "race-with-free",
    ),
    "a thread's own": (
        "std::thread t([] { static thread_local int x; known = &x; }); t.join(); *known = 3;",
        "use-after-free",
    ),
    # Right programs.
    "joined in the block": ("{ int x = 0; std::thread a([&] { x = 1; }); a.join(); assert(x == 1); }", None),
    "in each round": (
        "for (int i = 0; i < 3; i++) { int x = i; int *p = &x; std::thread a([=] { ++*p; }); a.join(); "
        "assert(x == i + 1); }",
        None,
    ),
    "two blocks": ("{ int x = 1; known = &x; *known = 2; } { int x = 3; known = &x; assert(*known == 3); }", None),
    "a jthread that is made last": ("int x = 0; { Joined t([&] { x = 1; }); } assert(x == 1);", None),
    "an atomic": ("std::atomic<int> x; std::thread a([&] { x++; }), b([&] { x++; }); a.join(); b.join();", None),
    "a temporary that is kept": ("const int &r = Node().value; assert(r == 1);", None),
    "what is returned": (
        "struct F { static Node f() { Node n; n.value = 4; return n; } }; Node n = F::f(); assert(n.value == 4);",
        None,
    ),
    "in a loop of a thread": (
        "std::atomic<int> go; std::thread t([&] { while (!go) { int x = 1; int *volatile p = &x; *p = 2; } "
        "}); go = 1; t.join();",
        None,
    ),
    "an exception that is thrown on": (
        "try { try { throw Node(); } catch (Node &n) { known = &n.value; throw; } } catch (Node &n) { "
        "assert(*known == 1); }",
        None,
    ),
    "an exception in each round": (
        "for (int i = 0; i < 2; i++) try { throw i; } catch (int &e) { known = &e; assert(*known == i); }",
        None,
    ),
    "in a loop, thrown": (
        "for (int i = 0; i < 2; i++) try { Node n; known = &n.value; if (i) throw 2; *known = 3; } catch (int) { }",
        None,
    ),
}
JOINED = """struct Joined {
  std::thread t;
  Joined() = default;
  template <class F> Joined(F f) : t(f) { }
  Joined &operator=(Joined &&o) { t = std::move(o.t); return *this; }
  ~Joined() { if (t.joinable()) t.join(); }
};
"""


@compiles
@pytest.mark.sweep
@pytest.mark.parametrize("name", ENDED)
def test_ended(name: str) -> None:
    body, wrong = ENDED[name]
    assert (
        kind(f"{CPP}#include <stdexcept>\n#include <string>\n#include <string_view>\n{JOINED}int main() {{ {body} }}")
        == wrong
    )


LOCALS = {
    "by a thread": (
        "void *f(void *p) { *(atomic_int *)p = 1; return 0; }"
        " int main(void) { pthread_t h; { atomic_int x = 0; pthread_create(&h, 0, f, &x); } "
        "pthread_join(h, 0); return 0; }"
    ),
    "in the same thread": (
        "int g(int *p) { return *p; }"
        " void *f(void *a) { int k; { int z = 5; a = &z; } k = g(a); assert(k == 5); return 0; }"
        " int main(void) { pthread_t h; pthread_create(&h, 0, f, 0); pthread_join(h, 0); return 0; }"
    ),
    "of a function": (
        "int *g(void) { int z = 5; int *volatile p = &z; return p; }"
        " void *f(void *a) { int *p = g(); assert(*p == 5); return 0; }"
        " int main(void) { pthread_t h; pthread_create(&h, 0, f, 0); pthread_join(h, 0); return 0; }"
    ),
    "of a thread": (
        "int *p; void *f(void *a) { int z = 5; p = &z; return 0; }"
        " int main(void) { pthread_t h; pthread_create(&h, 0, f, 0); pthread_join(h, 0); return *p - 5; }"
    ),
    "of a thread that exits": (
        "int *p; void g(int *q) { p = q; pthread_exit(0); } void *f(void *a) { int z = 5; g(&z); return 0; }"
        " int main(void) { pthread_t h; pthread_create(&h, 0, f, 0); pthread_join(h, 0); return *p - 5; }"
    ),
    "of main": "int *p; int main(void) { { int x = 1; p = &x; } *p = 2; return 0; }",
}


@compiles
@pytest.mark.parametrize("name", LOCALS)
def test_locals_as_in_c(name: str) -> None:
    text = f"#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n{LOCALS[name]}"
    assert kind(text, "c", clang=True) == kind(text, "c") is not None


JOINS = {
    # One thread starts a thread, another one joins it.
    "main, of a thread's": (
        "pthread_t h, g; int x; void *u(void *a) { x = 1; return 0; } void *f(void *a) { "
        "pthread_create(&g, 0, u, 0); return 0; }"
        " int main(void) { pthread_create(&h, 0, f, 0); pthread_join(h, 0); pthread_join(g, 0); x = 2; return 0; }"
    ),
    "with its result": (
        "pthread_t h, g; void *u(void *a) { return (void *)5; } void *f(void *a) { pthread_create(&g, "
        "0, u, 0); return 0; }"
        " int main(void) { void *r; pthread_create(&h, 0, f, 0); pthread_join(h, 0); pthread_join(g, "
        "&r); assert(r == (void *)5); return 0; }"
    ),
    "twice": (
        "pthread_t h, g; void *u(void *a) { return 0; } void *f(void *a) { pthread_create(&g, 0, u, 0); "
        "pthread_join(g, 0); return 0; }"
        " int main(void) { pthread_create(&h, 0, f, 0); pthread_join(h, 0); pthread_join(g, 0); return 0; }"
    ),
    "the result of a thread of C11": (
        "int f(void *a) { return 4; } int main(void) { thrd_t t; int r; thrd_create(&t, f, 0); "
        "thrd_join(t, &r); assert(r == 4); return 0; }"
    ),
    "another result": (
        "int f(void *a) { thrd_exit(-3); } int main(void) { thrd_t t; int r[2] = {0, 7}; "
        "thrd_create(&t, f, 0); thrd_join(t, r);"
        " assert(r[0] == -3 && r[1] == 8); return 0; }"
    ),
    # What does not come back, in what a function of the library calls.
    "once, aborted": "pthread_once_t o = PTHREAD_ONCE_INIT; int main(void) { pthread_once(&o, abort); return 0; }",
    "once, left": (
        "pthread_once_t o = PTHREAD_ONCE_INIT; void g(void) { pthread_exit(0); } void *f(void *a) { "
        "pthread_once(&o, g); return 0; }"
        " int main(void) { pthread_t h; pthread_create(&h, 0, f, 0); pthread_join(h, 0); return 0; }"
    ),
}


@compiles
@pytest.mark.parametrize("name", JOINS)
def test_joins_as_in_c(name: str) -> None:
    text = f"#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n#include <threads.h>\n{JOINS[name]}"
    wrong = {"twice": "bad-join", "another result": "assertion", "once, aborted": "exit"}.get(name)
    assert kind(text, "c", clang=True) == wrong
    if name != "with its result":  # C's own reader refuses that
        assert kind(text, "c") == wrong


@rusts
def test_a_thread_of_a_thread_in_rust() -> None:
    text = """use std::thread;
fn main() {
    let t = thread::spawn(|| thread::spawn(|| 5));
    let h = t.join().unwrap();
    assert!(h.join().unwrap() == 5);
}
"""
    assert kind(text, "rs") is None


AT_EXIT = {
    "notified": (
        "std::mutex m; std::condition_variable cv; bool go; int x; int main() { std::thread a([] {"
        " std::unique_lock<std::mutex> l(m); x = 1; go = true; notify_all_at_thread_exit(cv, "
        "std::move(l)); x = RESULT; });"
        " { std::unique_lock<std::mutex> l(m); cv.wait(l, [] { return go; }); assert(x == 1); } a.join(); }",
        2,
    ),
    "a value": (
        "int main() { std::promise<int> p; auto f = p.get_future();"
        " std::thread a([&] { p.set_value_at_thread_exit(RESULT); }); assert(f.get() == 1); a.join(); }",
        6,
    ),
}


@compiles
@pytest.mark.parametrize("name", AT_EXIT)
def test_at_thread_exit(name: str) -> None:
    """What libc++ keeps of a thread is destroyed at its end, which unlocks and notifies."""
    body, executions = AT_EXIT[name]
    text = f"{CPP}#include <condition_variable>\n#include <future>\n{body}"
    found = xgen.check(xgen.parse(text, "cpp", defines=("RESULT=1",)), xgen.model("rc11"))
    assert (found.verdict, found.executions) == ("safe", executions)
    assert kind(text, defines=("RESULT=2",)) == "assertion"


MAIN = """#include <pthread.h>
#include <stdlib.h>
int *known;
void uses(void) { if (known) *known = 3; }
void *f(void *p) { *(int *)p = 1; return 0; }
int main(void) { int x = 0; pthread_t t; %s }
"""
ENDS = {
    "pthread_create(&t, 0, f, &x); return 0;": {"race-with-free"},
    "pthread_create(&t, 0, f, &x);": {"race-with-free"},
    "pthread_create(&t, 0, f, &x); pthread_join(t, 0);": set[str](),
    "known = &x; atexit(uses); return 0;": {"use-after-free"},
    # main has not returned
    "pthread_create(&t, 0, f, &x); pthread_exit(0);": set[str](),
    "pthread_create(&t, 0, f, &x); exit(0);": set[str](),
    "known = &x; atexit(uses); exit(0);": set[str](),
}


@pytest.mark.parametrize("reader", READERS)
def test_the_locals_of_main_end_where_it_returns(reader: str) -> None:
    for body, kinds in ENDS.items():
        found = xgen.check(read(reader, MAIN % body, head=""), "rc11")
        told = set() if found.witness is None else {violation.kind for violation in found.witness.violations}
        assert told == kinds, body
