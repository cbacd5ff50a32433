"""Threads that meet at barriers and latches of libraries, against the libraries' own code.

In C++, `b.wait(b.arrive())` and `l.count_down(); l.wait()` are the library's own code, in which arrivals are counted;
in Rust, that is written out here.
"""

from __future__ import annotations

import random
from itertools import count

import pytest
from llvm.compiling import compiles, rusts

import xgen

HEAD = """#include <atomic>
#include <barrier>
#include <cassert>
#include <latch>
#include <memory>
#include <thread>
std::atomic<int> x, y;
int d[3], r[12], sum;
thread_local int mine;
#ifdef OWN
#define MEET(b) b.wait(b.arrive())
#define COUNT(l) (l.count_down(), l.wait())
#else
#define MEET(b) b.arrive_and_wait()
#define COUNT(l) l.arrive_and_wait()
#endif
"""
PLACES = {
    "local": ("", "std::barrier<> b({n});", "", "b"),
    "global": ("std::barrier<> b({n});", "", "", "b"),
    "heap": ("", "auto* p = new std::barrier<>({n});", "delete p;", "(*p)"),
    "early": ("", "auto* p = new std::barrier<>({n});", "", "(*p)"),
    "latch": ("std::latch b({n});", "", "", "b"),
    "completed": ("", "std::barrier b({n}, [&]() noexcept {{ sum = 2 * sum + d[0] + x.load(); }});", "", "b"),
    "completed by one": (
        "struct Done {{ int more; void operator()() noexcept {{ mine++; sum += d[0] + more; }} }};",
        "std::barrier<Done> b({n}, Done{{4}});",
        "",
        "b",
    ),
}
STEPS = (
    "{v}.store(1, std::memory_order_{s});",
    "r[{k}] = {v}.load(std::memory_order_{l});",
    "r[{k}] = {v}.load(std::memory_order_{l});",
    "r[{k}] = {v}.fetch_add(1, std::memory_order_relaxed);",
    "d[{i}] = {k} + 1;",
    "r[{k}] = d[{o}];",
    "if ({v}.load(std::memory_order_{l}) == 0) {w}.store(2, std::memory_order_{s});",
)


def random_program(rng: random.Random) -> str:
    """Two threads that meet, perhaps again; one of them does not come for certain, or there is one for which nobody
    waits, or who frees the barrier too early."""
    place = rng.choice(list(PLACES))
    outer, inner, end, name = PLACES[place]
    size = 2 + (rng.random() < 0.05) - (rng.random() < 0.05)
    number = count()

    def step(thread: int) -> str:
        v, w = rng.sample("xy", 2)
        orders = {
            "s": rng.choice(("relaxed", "release", "seq_cst")),
            "l": rng.choice(("relaxed", "acquire", "seq_cst")),
        }
        return rng.choice(STEPS).format(v=v, w=w, k=next(number), i=thread, o=rng.randrange(2), **orders)

    meet = f"COUNT({name});" if place == "latch" else f"MEET({name});"
    again = place != "latch" and rng.random() < 0.3
    bodies = []
    for thread in range(2):
        met = f"if (x.load() == 0) {meet}" if rng.random() < 0.06 else meet
        parts = [step(thread) for _ in range(rng.randint(0, 2))] + [met]
        parts += [step(thread) for _ in range(rng.randint(1, 2))]
        if again and rng.random() < 0.95:
            parts += [meet, step(thread)]
        if "one" in place:
            parts.append(f"r[{8 + thread}] = mine;")
        bodies.append(" ".join(parts))
    if place == "early":
        bodies[0] += " delete p;"
    if rng.random() < 0.3:
        bodies.append(f"{step(2)} {step(2)}" if rng.random() < 0.8 or place != "latch" else "r[11] = b.try_wait();")
    if "completed" in place and rng.random() < 0.05:
        inner += rng.choice((" b.arrive_and_drop();", " (void)b.arrive();"))
    elif "completed" in place and rng.random() < 0.1:
        bodies[0] = bodies[0].replace(meet, rng.choice(("b.arrive_and_drop();", "(void)b.arrive();")), 1)
    made = " ".join(f"std::thread t{n}([&] {{ {body} }});" for n, body in enumerate(bodies))
    joined = " ".join(f"t{n}.join();" for n in range(len(bodies)))
    return f"{HEAD}{outer.format(n=size)}\nint main() {{\n  {inner.format(n=size)}\n  {made}\n  {joined} {end}\n}}\n"


def seen(text: str, model: str, on: str | None, own: bool) -> tuple[object, ...]:
    """What is found of a program: its verdict, whether somebody waits for ever, its final states."""
    options = {"map": on} if on else {}
    program = xgen.parse(text, "cpp", defines=("OWN=1",) if own else (), **options)
    found = xgen.check(program, model, all_states=True, liveness=True)
    states = {str({k: v for k, v in o.state.items() if k[0] in "xydrs"}) for o in found.outcomes}
    return found.verdict, found.stuck > 0, states, found.executions


def numbers(text: str, language: str = "cpp", model: str = "rc11", **options: object) -> tuple[object, ...]:
    found = xgen.check(xgen.parse(text, language, **options), model, liveness=True)
    return found.verdict, found.executions, found.blocked, found.stuck


@pytest.mark.slow
@compiles
@pytest.mark.parametrize(("model", "on"), [("rc11", None), ("arm8", "armv8-lse"), ("tso", "x86")])
def test_random_programs(model: str, on: str | None) -> None:
    fewer = 0
    for seed in range(6):
        text = random_program(random.Random(f"meeting {seed}"))
        (*met, few), (*own, many) = (seen(text, model, on, way) for way in (False, True))
        assert met == own, (seed, text)
        assert few <= many
        fewer += few < many
    assert fewer


@compiles
@pytest.mark.parametrize("kind", ["barrier", "latch"])
def test_threads_meet(kind: str) -> None:
    """One execution, none of which is blocked."""
    made, meet = ("std::barrier<> b(3);", "MEET(b);") if kind == "barrier" else ("std::latch b(3);", "COUNT(b);")
    text = f"""{HEAD}int main() {{
  {made}
  auto f = [&](int i) {{ d[i] = 1; {meet} assert(d[(i + 1) % 3]); }};
  std::thread t(f, 0), u(f, 1);
  f(2); t.join(); u.join();
}}
"""
    assert numbers(text) == ("safe", 1, 0, 0)
    assert numbers(text.replace("d[i] = 1", "if (i) d[i] = 1"))[0] == "violation"


@compiles
@pytest.mark.parametrize(("own", "executions"), [(0, 1), pytest.param(1, 9, marks=pytest.mark.slow)])
def test_one_of_those_who_meet_runs_a_function(own: int, executions: int) -> None:
    """Which thread it is only matters where the function has something of its thread."""
    text = f"""{HEAD}int main() {{
  auto f = [&](int i) {{ d[i] = 1; b.arrive_and_wait(); r[i] = mine; assert(sum == 3); b.arrive_and_wait(); }};
  std::thread t(f, 0), u(f, 1);
  f(2); t.join(); u.join();
  assert(sum == 6);
}}
"""
    body = f"int own = 0; {'mine = 1;' * own} for (int i = 0; i < 3; i++) own += d[i]; sum += own;"
    barrier = f"std::barrier b(3, []() noexcept {{ {body} }});\n"
    text = text.replace("int main", f"{barrier}int main")
    assert numbers(text) == ("safe", executions, 0, 0)


@compiles
def test_one_drops_out_before_there_are_threads() -> None:
    """Two others do not meet then: the second round is for one."""
    text = f"""{HEAD}int main() {{
  std::barrier<> b(2);
  b.arrive_and_drop();
  std::thread t([&] {{ y = 1; b.arrive_and_wait(); }}), u([&] {{ b.arrive_and_wait(); assert(y == 1); }});
  t.join(); u.join();
}}
"""
    found = xgen.check(xgen.parse(text, "cpp", races=False), "rc11")
    assert found.verdict == "violation"


ARRIVALS = {
    "one does not come": "if (x) b.arrive_and_wait();",
    "one comes twice": "b.arrive_and_wait(); b.arrive_and_wait();",
    "one does not wait": "auto token = b.arrive(); b.wait(std::move(token));",
    "one comes no more": "b.arrive_and_drop();",
}
# With the code of the library's, which takes as long again to read, where slow tests run.
OWN_TOO = [False, pytest.param(True, marks=pytest.mark.slow)]


@compiles
@pytest.mark.parametrize("own", OWN_TOO)
@pytest.mark.parametrize("way", ARRIVALS)
def test_who_comes_is_counted_else(way: str, own: bool) -> None:
    """What cannot be a meeting is as it was with the library's own code: as many of them wait for ever, or none."""
    meet = "d[0] = 1; MEET(b); MEET(b); d[1] = 1;" if way in ("one comes no more", "one comes twice") else "MEET(b);"
    text = f"""{HEAD}int main() {{
  std::barrier<> b(2);
  std::thread t([&] {{ {meet} }});
  {ARRIVALS[way]}
  t.join();
}}
"""
    verdict, waits, *_ = seen(text, "rc11", None, own)
    assert (verdict, waits) == (("violation", True) if way == "one does not come" else ("safe", False))


@compiles
@pytest.mark.parametrize("own", OWN_TOO)
def test_one_comes_before_there_are_threads(own: bool) -> None:
    """It counts: of two others at a barrier for two, one waits for ever; at a barrier for three, none."""
    text = f"""{HEAD}int main() {{
  std::barrier<> b(NUMBER);
  (void)b.arrive();
  std::thread t([&] {{ MEET(b); }}), u([&] {{ MEET(b); }});
  t.join(); u.join();
}}
"""
    verdicts = [seen(text.replace("NUMBER", number), "rc11", None, own)[0] for number in "23"]
    assert verdicts == ["violation", "safe"]


@compiles
def test_a_latch_is_asked_by_others() -> None:
    """A thread that is none of those who meet waits for them."""
    text = f"""{HEAD}std::latch l(2);
int main() {{
  std::thread t([] {{ COUNT(l); }}), u([] {{ d[0] = 1; COUNT(l); }});
  l.wait();
  assert(d[0] == 1);
  t.join(); u.join();
}}
"""
    verdict, executions, _, stuck = numbers(text)
    assert (verdict, stuck) == ("safe", 0)
    assert executions


@compiles
def test_a_latch_is_there_once() -> None:
    """libc++'s goes below 0, and who waits then does so for ever."""
    text = f"{HEAD}std::latch l(2);\nint main() {{ std::thread t([] {{ COUNT(l); COUNT(l); }}); "
    assert numbers(text + "COUNT(l); COUNT(l); t.join(); }")[0] == "violation"


@compiles
def test_a_barrier_is_freed_too_early() -> None:
    """The other thread may still look at it."""
    text = f"""{HEAD}int main() {{
  auto* b = new std::barrier<>(2);
  std::thread t([=] {{ b->arrive_and_wait(); }});
  b->arrive_and_wait();
  delete b;
  t.join();
}}
"""
    assert numbers(text)[0] == "violation"
    assert numbers(text.replace("delete b;\n  t.join();", "t.join();\n  delete b;"))[0] == "safe"


UNKNOWN = """#include <assert.h>
#include <pthread.h>
pthread_barrier_t b;
int a;
pthread_barrier_t *_Atomic p;
void *sets(void *_) {{ a = 1; pthread_barrier_wait(&b); return 0; }}
void *asks(void *_) {{ pthread_barrier_wait(&b); assert(a); return 0; }}
void *more(void *_) {{ pthread_barrier_t *q = p; if (q) pthread_barrier_wait(q); return 0; }}
int main(void) {{
  pthread_t s, t, u;
  pthread_barrier_init(&b, 0, 2);
  pthread_create(&s, 0, sets, 0);
  pthread_create(&t, 0, asks, 0);
  {third}
  p = &b;
  pthread_join(s, 0); pthread_join(t, 0);
}}
"""


@pytest.mark.parametrize("clang", [False, pytest.param(True, marks=compiles)])
def test_one_comes_by_a_pointer_that_is_not_known(clang: bool) -> None:
    """Three threads at a barrier for two: which of them meet is not known."""
    for third, verdict in (("pthread_create(&u, 0, more, 0);", "violation"), ("(void)u; (void)more;", "safe")):
        options: dict[str, object] = {"clang": True} if clang else {}
        program = xgen.parse(UNKNOWN.format(third=third), "c", races=False, **options)
        assert xgen.check(program, "rc11").verdict == verdict


INITIALISED = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
pthread_barrier_t b;
atomic_int a, flag;
pthread_barrier_t *_Atomic p;
void *sets(void *_) { while (!flag); a = 1; pthread_barrier_wait(&b); return 0; }
void *asks(void *_) { while (!flag); pthread_barrier_wait(&b); assert(a); return 0; }
void *gives(void *_) { p = &b; return 0; }
int main(void) {
  pthread_t s, t, u;
  pthread_barrier_init(&b, 0, 2);
  pthread_create(&u, 0, gives, 0);
  pthread_join(u, 0);
  pthread_create(&s, 0, sets, 0);
  pthread_create(&t, 0, asks, 0);
  pthread_barrier_t *q = p;
  pthread_barrier_destroy(q);
  pthread_barrier_init(q, 0, NUMBER);
  flag = 1;
  pthread_join(s, 0); pthread_join(t, 0);
}
"""


@pytest.mark.parametrize("clang", [False, pytest.param(True, marks=compiles)])
def test_one_is_initialised_by_a_pointer_that_is_not_known(clang: bool) -> None:
    """It is for another number than it was for by its name, perhaps."""
    options: dict[str, object] = {"clang": True} if clang else {}
    for number, verdict in (("1", "violation"), ("2", "safe")):
        found = xgen.check(xgen.parse(INITIALISED.replace("NUMBER", number), "c", **options), "rc11")
        assert found.verdict == verdict


# ---- Rust

RUST = """use std::sync::atomic::{{AtomicUsize, Ordering::*}};
use std::sync::{{Arc, Condvar, Mutex{std}}};
use std::thread;
static D: [AtomicUsize; 3] = [const {{ AtomicUsize::new(0) }}; 3];
{own}
fn main() {{
    let b = Arc::new(Barrier::new({size}));
    thread::scope(|s| {{ for i in 0..2 {{ let b = &b; s.spawn(move || {{ {body} }}); }} }});
    {end}
}}
"""
OWN = """
struct Barrier { state: Mutex<(usize, usize)>, all: Condvar, threads: usize }
struct Met(bool);
impl Met { fn is_leader(&self) -> bool { self.0 } }
impl Barrier {
    fn new(threads: usize) -> Self { Barrier { state: Mutex::new((0, 0)), all: Condvar::new(), threads } }
    fn wait(&self) -> Met {
        let mut state = self.state.lock().unwrap();
        let round = state.1;
        state.0 += 1;
        if state.0 >= self.threads { *state = (0, round + 1); self.all.notify_all(); return Met(true); }
        while state.1 == round { state = self.all.wait(state).unwrap(); }
        Met(false)
    }
}
"""
MEETINGS = {
    "once": (2, "D[i].store(1, Relaxed); b.wait(); assert_eq!(D[1 - i].load(Relaxed), 1);", "", ("safe", 1, 0, 0)),
    "twice": (
        2,
        "for n in 1..3 { D[i].store(n, Relaxed); b.wait(); assert!(D[1 - i].load(Relaxed) >= n); }",
        "",
        ("safe", 3, 0, 0),
    ),
    "a leader": (
        2,
        "if b.wait().is_leader() { D[2].fetch_add(i + 1, Relaxed); }",
        "assert_eq!(D[2].load(Relaxed), 2);",
        ("violation", 1, 0, 0),
    ),
    "one leader": (
        2,
        "if b.wait().is_leader() { D[2].fetch_add(1, Relaxed); }",
        "assert_eq!(D[2].load(Relaxed), 1);",
        ("safe", 2, 0, 0),
    ),
    "too few": (3, "b.wait();", "", ("violation", 0, 1, 1)),
    "too many": (1, "b.wait();", "", ("safe", 2, 2, 0)),
    "one may come": (
        2,
        "if i == 0 || D[2].load(Relaxed) == 0 { b.wait(); } D[2].store(1, Relaxed);",
        "",
        ("safe", 4, 6, 0),
    ),
}


@rusts
@pytest.mark.parametrize("own", OWN_TOO)
@pytest.mark.parametrize("name", MEETINGS)
def test_rust(name: str, own: bool) -> None:
    """The same verdicts as with the code of std's, of which it is known that it has no fewer executions."""
    size, body, end, expected = MEETINGS[name]
    std, own_code = ("", OWN) if own else (", Barrier", "")
    found = numbers(RUST.format(std=std, own=own_code, size=size, body=body, end=end), "rs")
    if own:
        assert (found[0], found[3] > 0) == (expected[0], expected[3] > 0)
        assert found[1] >= expected[1]
    else:
        assert found == expected
