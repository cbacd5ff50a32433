"""What has no value is not used, and what C leaves undefined of numbers: by both readers of C, in C++ and in Rust."""

from __future__ import annotations

from typing import Any

import pytest
from llvm.compiling import compiles, rusts

import xgen
from xgen.frontends.llvm import translate

pytest.importorskip("llvmlite", reason="llvmlite reads IR")

HEAD = """#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
struct pair { int a, b; } s, r;
struct bits { int a : 3, b : 5; };
int *p, x, least = INT_MIN;
struct pair half(int i) { struct pair h; h.a = i; if (i) h.b = 2; return h; }
int some(int i) { if (i) return 1; }
void put(int *k, int i) { if (i) *k = 0; }
void *body(void *given) { BODY return 0; }
int main(void) {
  pthread_t t;
  BEFORE
  pthread_create(&t, 0, body, &x);
  pthread_join(t, 0);
  BEHIND
  return 0;
}
"""
"""`x` is 0; the thread and main may do something."""
IN_C = [
    # what is read of memory
    ("int k = *p; assert(k == 0);", "p = malloc(4);", "uninitialised"),
    ("struct pair *n = malloc(sizeof *n); n->a = 1; assert(n->b == 0);", "", "uninitialised"),
    ("int *n = calloc(1, 4); assert(*n == 0);", "", "safe"),
    # a variable that is set on some ways
    ("int k; if (x) k = 1; assert(k == 1);", "", "uninitialised"),
    ("int k; if (x) k = 0; assert(k == 0);", "", "uninitialised"),
    ("int k; if (x) k = 0; else k = 2; assert(k == 2);", "", "safe"),
    ("int k; if (!x) k = 0; if (!x) assert(k == 0);", "", "safe"),
    ("int k; put(&k, x); assert(k == 0);", "", "uninitialised"),
    ("int k; put(&k, !x); assert(k == 0);", "", "safe"),
    ("int k; for (int i = 0; i < x; i++) k = 0; assert(k == 0);", "", "uninitialised"),
    ("int k; for (int i = 0; i <= x; i++) k = 0; assert(k == 0);", "", "safe"),
    ("int k[2]; k[0] = 1; put(k + 1, x); assert(k[1] == 0);", "", "uninitialised"),
    ("int k[2]; k[0] = 1; put(k + 1, !x); assert(k[1] == 0);", "", "safe"),
    ("int *k; int one = 1; if (x) k = &one; assert(*k == 1);", "", "uninitialised"),
    # structs are copied with parts that have no value
    ("struct pair h = half(x), k = h; assert(k.a == 0); s = k; r = s; assert(r.a == 0);", "", "safe"),
    ("struct pair h = half(x), k = h; assert(k.b == 2);", "", "uninitialised"),
    ("struct pair h = half(x), k; memcpy(&k, &h, sizeof k); assert(k.b == 2);", "", "uninitialised"),
    ("s = half(x); r = s; assert(r.b == 2);", "", "uninitialised"),
    ("s = half(x);", "", "safe"),
    ("struct bits k; k.a = 1; k.b = 2; assert(k.a == 1 && k.b == 2);", "", "safe"),
    # functions that end without a value
    ("int k = some(x); assert(k == 1);", "", "uninitialised"),
    ("some(x);", "", "safe"),
    ("int k = some(!x); assert(k == 1);", "", "safe"),
    # numbers
    ("int k = 1 << (x + 32);", "", "shift"),
    ("unsigned k = 1u >> (x - 1);", "", "shift"),
    ("long k = 1l << (x + 40); assert(k == 1l << 40);", "", "safe"),
    ("int k = __builtin_ctz(x);", "", "undefined"),
    ("int k = __builtin_clz(x);", "", "undefined"),
    ("int k = __builtin_ffs(x), m = __builtin_ffsl(x + 8); assert(k == 0 && m == 4);", "", "safe"),
    ("int z = 0; assert(__builtin_ffs(z) == 0 && __builtin_ffsll(z) == 0);", "", "safe"),
    ("int k = __builtin_ctz(x), m = x == 0; assert(m == 1);", "", "undefined"),
    ("int k = __builtin_clz(x + 1); assert(k == 31);", "", "safe"),
    ("int k = least / (x - 1);", "", "overflow"),
    ("int k = least % (x - 1);", "", "overflow"),
    ("int k = (least + 1) / (x - 1); assert(k == INT_MAX);", "", "safe"),
    ("int k = 1 / x;", "", "division-by-zero"),
    ("if (!x) __builtin_unreachable();", "", "assertion"),
]
"""What the thread does, what main does before, and what comes of it."""


def kind(text: str, language: str, **options: bool) -> str:
    found = xgen.check(xgen.parse(text, language, **options), xgen.model("rc11"))
    return found.witness.violations[0].kind if found.witness else found.verdict


@compiles
@pytest.mark.parametrize("clang", [False, True], ids=["own", "clang"])
@pytest.mark.parametrize("where", ["thread", "main"])
@pytest.mark.parametrize(("body", "before", "expected"), IN_C, ids=range(len(IN_C)))
@pytest.mark.sweep
def test_of_c(body: str, before: str, expected: str, where: str, clang: bool) -> None:
    parts = (body, before, "") if where == "thread" else ("", before, body)
    text = HEAD
    for name, part in zip(("BODY", "BEFORE", "BEHIND"), parts, strict=True):
        text = text.replace(name, part)
    assert kind(text, "c", clang=clang) == expected


@compiles
def test_bits_of_a_field() -> None:
    """C's own reader takes a field to be there if another one of its word is."""
    body = "struct bits k; k.a = 1; if (x) k.b = 0; assert(k.b == 0);"
    text = HEAD.replace("BODY", body).replace("BEFORE", "").replace("BEHIND", "")
    assert kind(text, "c", clang=True) == "uninitialised"


IN_CPP = [
    ("int *k = new int; int v = *k; assert(v == 0);", "uninitialised"),
    ("int v; int w = v; assert(w == 0);", "uninitialised"),
    ("int v; if (seen) v = 1; assert(v == 1);", "uninitialised"),
    ("auto v = std::make_unique<pair>(half(seen)); assert(v->b == 2);", "uninitialised"),
    ("auto v = std::make_unique<pair>(half(seen)); assert(v->a >= 0);", "safe"),
    ("pair v = half(seen); std::thread u([v] { assert(v.a >= 0); }); u.join();", "safe"),
    ("pair v = half(seen); std::thread u([v] { assert(v.b == 2); }); u.join();", "uninitialised"),
    ("std::optional<pair> v; auto w = v; assert(!w);", "safe"),
    ("std::vector<pair> v{half(0), half(1)}; assert(v[0].a == 0 && v[1].b == 2);", "safe"),
    ("std::vector<pair> v{half(0), half(1)}; assert(v[0].b == 2);", "uninitialised"),
    ("std::vector<pair> v{half(0), half(1)}; v.resize(3); assert(v[1].b == 2);", "safe"),
    ("int v = 1 << (seen + 32);", "shift"),
    ("int v = __builtin_ctz(seen & 0);", "undefined"),
]
HEAD_OF_CPP = """#include <atomic>
#include <cassert>
#include <memory>
#include <optional>
#include <thread>
#include <vector>
struct pair { int a, b; };
std::atomic<int> flag;
pair half(int i) { pair h; h.a = i; if (i) h.b = 2; return h; }
int main() {
  std::thread t([] { flag = 1; });
  int seen = flag;
  BODY
  t.join();
}
"""


@compiles
@pytest.mark.parametrize(("body", "expected"), IN_CPP, ids=range(len(IN_CPP)))
@pytest.mark.sweep
def test_of_cpp(body: str, expected: str) -> None:
    assert kind(HEAD_OF_CPP.replace("BODY", body), "cpp") == expected


IN_RUST = [
    ("let v = M::<u64>::uninit(); let w = v; let _ = w;", "safe"),
    ("let v = M::<u32>::uninit(); let w = v; assert!(unsafe { w.assume_init() } == 0);", "uninitialised"),
    ("let mut v = M::<u32>::uninit(); v.write(3); let w = v; assert!(unsafe { w.assume_init() } == 3);", "safe"),
    ("let v = Box::new(M::<u64>::uninit()); let w = *v; let x = Box::new(w); let _ = x;", "safe"),
    ("let v = if seen == 0 { E::A } else { E::B(3) }; let w = v; if let E::B(x) = w { assert!(x == 3); }", "safe"),
    ("let v: [M<u8>; 3] = [const { M::uninit() }; 3]; let w = v; let _ = w;", "safe"),
    ("let v = std::thread::spawn(move || if seen == 0 { E::A } else { E::C(1, 2) }).join().unwrap(); "
     "if let E::C(x, y) = v { assert!(x as u64 + y == 3); }", "safe"),
    ("let v = (1u32).wrapping_shl(seen + 32); assert!(v == 1 << seen);", "safe"),
    ("static mut V: M<u32> = M::uninit(); assert!(unsafe { (&raw mut V).read().assume_init() } == 0);",
     "uninitialised"),
    ("static mut V: M<u32> = M::uninit(); std::thread::spawn(|| unsafe { (&raw mut V).write(M::new(3)); })"
     ".join().unwrap(); assert!(unsafe { (&raw mut V).read().assume_init() } == 3);", "safe"),
    ("static V: std::sync::Mutex<E> = std::sync::Mutex::new(E::A); std::thread::spawn(|| *V.lock().unwrap() = E::B(3))"
     ".join().unwrap(); let w = *V.lock().unwrap(); if let E::B(x) = w { assert!(x == 3); }", "safe"),
]  # fmt: skip
HEAD_OF_RUST = """use std::mem::MaybeUninit as M;
use std::sync::atomic::*;
#[derive(Clone, Copy)] #[allow(dead_code)] enum E { A, B(u32), C(u8, u64) }
static FLAG: AtomicU32 = AtomicU32::new(0);
fn main() {
    let t = std::thread::spawn(|| FLAG.store(1, Ordering::Relaxed));
    let seen = FLAG.load(Ordering::Relaxed); let _ = seen;
    BODY
    t.join().unwrap();
}
"""


@rusts
@pytest.mark.parametrize(("body", "expected"), IN_RUST, ids=range(len(IN_RUST)))
@pytest.mark.sweep
def test_of_rust(body: str, expected: str) -> None:
    assert kind(HEAD_OF_RUST.replace("BODY", body), "rs") == expected


FIRST = """@x = global i32 0
@y = global i64 0
define i64 @f0(i1 %set) {
  %k = alloca i64
  br i1 %set, label %some, label %end
some:
  store i64 1, ptr %k
  br label %end
end:
  %v = load i64, ptr %k
  ret i64 %v
}
define i32 @main() {
  %p = alloca i64
  %1 = call i32 @pthread_create(ptr %p, ptr null, ptr @t, ptr null)
  store atomic i32 1, ptr @x monotonic, align 4
  ret i32 0
}
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
"""
CALL = """define i64 @f{at}(i1 %set) {{
  %read = load atomic i32, ptr @x monotonic, align 4
  %zero = icmp eq i32 %read, 0
  br i1 %zero, label %deeper, label %other
deeper:
  %given = call i64 @f{before}(i1 %set)
  ret i64 %given
other:
  ret i64 7
}}
"""
THREAD = """define ptr @t(ptr %a) {{
  %read = load atomic i32, ptr @x monotonic, align 4
  %set = icmp eq i32 %read, {is_set}
  %v = call i64 @f{last}(i1 %set)
  store i64 %v, ptr @y
  %again = load i64, ptr @y
  %more = add i64 %again, 1
  store i64 %more, ptr @y
  ret ptr null
}}
"""


@pytest.mark.parametrize(("is_set", "expected"), [(0, "safe"), (1, "uninitialised")])
def test_what_is_missing_is_passed_on_in_one_round(monkeypatch: pytest.MonkeyPatch, is_set: int, expected: str) -> None:
    """It goes through as many functions as there are: no further round finds the next one only."""
    rounds: list[int] = []
    once = translate._round

    def counted(*arguments: Any) -> None:
        rounds[-1] += 1
        once(*arguments)

    monkeypatch.setattr(translate, "_round", counted)
    for calls in (1, 6):
        rounds.append(0)
        text = FIRST + "".join(CALL.format(at=at, before=at - 1) for at in range(1, calls + 1))
        assert kind(text + THREAD.format(is_set=is_set, last=calls), "ll") == expected
    assert rounds[0] == rounds[1] <= 3
