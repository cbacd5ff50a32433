"""Memory that nothing leads to at the end of programs of C++ and Rust: what their libraries hold is no leak."""

from __future__ import annotations

import pytest
from llvm.compiling import compiles, rusts

import xgen

SHARED = """#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>
struct Node { std::shared_ptr<Node> next; int value = 0; };
std::mutex m;
std::condition_variable c;
bool ready;
std::string text = "a text that is too long for the object itself";
std::vector<int> numbers;
std::shared_ptr<Node> global;
thread_local std::unique_ptr<int> mine;
static int &once() { static int *p = new int(3); return *p; }
int main() {
  auto a = std::make_shared<Node>();
  std::map<int, int> known;
  known[1] = 2;
  mine = std::make_unique<int>(1);
  std::thread t([a] {
    mine = std::make_unique<int>(2);
    { std::lock_guard<std::mutex> g(m); numbers.push_back(1); ready = true; global = a; }
    c.notify_one();
    once() = 4;
  });
  { std::unique_lock<std::mutex> g(m); c.wait(g, [] { return ready; }); }
  t.join();
  std::string other = text + "x";
  END
}
"""
POPS = """#include <atomic>
#include <thread>
struct Node { int v; Node *next; };
std::atomic<Node *> head;
void push(int v) {
  Node *n = new Node{v, nullptr};
  n->next = head.load();
  while (!head.compare_exchange_weak(n->next, n)) ;
}
Node *pop() { Node *h = head.load(); while (h && !head.compare_exchange_weak(h, h->next)) ; return h; }
int main() {
  std::thread t([] { push(1); });
  push(2);
  Node *p = pop();
  if (p IF) delete p;
  t.join();
  while (Node *q = pop()) delete q;
}
"""


def leaks(text: str, language: str) -> list[int]:
    """The lines of what leaks in the first execution that goes wrong; nothing else goes wrong in any."""
    result = xgen.check(xgen.parse(text, language, f"test.{language}", leaks=True), "rc11")
    assert result.verdict in ("safe", "violation")
    found = [] if result.witness is None else list(result.witness.violations)
    assert {violation.kind for violation in found} <= {"leak"}
    return [violation.position.line for violation in found]


@compiles
@pytest.mark.parametrize(
    ("end", "lines"),
    [
        ("a->value = 2;", []),
        pytest.param("a->next = a;", [], marks=pytest.mark.slow),  # `global` leads to it
        ("a->next = a; global.reset();", [18]),
        ("new int(1);", [31]),
        pytest.param("a->next = std::make_shared<Node>();", [], marks=pytest.mark.slow),
        pytest.param("mine.release();", [21], marks=pytest.mark.slow),
    ],
)
def test_cpp(end: str, lines: list[int]) -> None:
    assert leaks(SHARED.replace("END", end), "cpp") == lines


@compiles
@pytest.mark.parametrize(("asked", "lines"), [("", []), ("&& p->v == 2", [6])])
def test_a_node_that_is_forgotten_where_another_thread_was_faster(asked: str, lines: list[int]) -> None:
    assert leaks(POPS.replace("IF", asked), "cpp") == lines


USES = """#![allow(unused)]
use std::cell::RefCell;
use std::sync::{mpsc, Arc, Condvar, Mutex, OnceLock, RwLock};
use std::thread;
struct Node { next: Mutex<Option<Arc<Node>>> }
static KEPT: Mutex<Option<Box<u32>>> = Mutex::new(None);
static ONCE: OnceLock<Box<u32>> = OnceLock::new();
thread_local! { static OWN: RefCell<Option<Box<u32>>> = RefCell::new(None); }
fn main() {
"""
RUST = {
    "what std has for itself": (
        """let r = Arc::new(RwLock::new(String::from("a")));
        OWN.with(|t| *t.borrow_mut() = Some(Box::new(1)));
        thread::scope(|s| {
            let h = s.spawn(|| {
                OWN.with(|t| *t.borrow_mut() = Some(Box::new(2)));
                **ONCE.get_or_init(|| Box::new(4)) + r.read().unwrap().len() as u32
            });
            assert_eq!(h.join().unwrap(), 5);
        });
        let named = thread::Builder::new().name(String::from("worker")).spawn(|| Box::new(3)).unwrap();
        drop(thread::spawn(|| Box::new(9)));
        assert_eq!(*named.join().unwrap(), 3);""",
        [],
    ),
    "a channel": (
        """let (tx, rx) = mpsc::channel::<Box<u32>>();
        let t = thread::spawn(move || { tx.send(Box::new(7)).unwrap(); *KEPT.lock().unwrap() = Some(Box::new(3)); });
        assert_eq!(*rx.recv().unwrap(), 7);
        t.join().unwrap();""",
        [],
    ),
    "a message that nobody receives": (
        """let (tx, rx) = mpsc::channel::<Box<u32>>();
        let t = thread::spawn(move || { let _ = tx.send(Box::new(7)); });
        drop(rx);
        t.join().unwrap();""",
        [],
    ),
    "a circle": (
        """let a = Arc::new(Node { next: Mutex::new(None) });
        let b = a.clone();
        let t = thread::spawn(move || { let c = b.clone(); *b.next.lock().unwrap() = Some(c); });
        t.join().unwrap();""",
        [10],
    ),
    "a circle that is broken": (
        """let a = Arc::new(Node { next: Mutex::new(None) });
        let b = a.clone();
        thread::spawn(move || { let c = b.clone(); *b.next.lock().unwrap() = Some(c); }).join().unwrap();
        *a.next.lock().unwrap() = None;""",
        [],
    ),
    "what a thread gives is forgotten": ("std::mem::forget(thread::spawn(|| Box::new(5)).join().unwrap());", [10]),
    "leaked to a variable, and to nothing": ("let n: &'static u32 = Box::leak(Box::new(5)); assert_eq!(*n, 5);", [10]),
}

USUAL = ("what std has for itself", "a circle", "a message that nobody receives")
"""Those that are run each time."""


@rusts
@pytest.mark.parametrize(
    ("body", "lines"),
    [pytest.param(*RUST[name], marks=[pytest.mark.slow] * (name not in USUAL), id=name) for name in RUST],
)
def test_rust(body: str, lines: list[int]) -> None:
    assert leaks(f"{USES}{body}\n}}\n", "rs") == lines
