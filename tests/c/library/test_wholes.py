"""Atomic accesses of structures: against the same program with one number in the structure's place; what is refused."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

import xgen
from xgen.errors import XgenError

STRUCT = """typedef struct { uintN_t a, b; } pair;
#define MAKE(a, b) {(a), (b)}
#define NUMBER(p) ((p).a + ((uint64_t)(p).b << 32))
#define NEXT(p) {(p).a + 1, (p).b}
#define COPY pair *from = malloc(sizeof *from), to = *from; (void)to
"""
NUMBER = """typedef uint64_t pair;
#define MAKE(a, b) ((a) + ((uint64_t)(b) << 32))
#define NUMBER(p) (p)
#define NEXT(p) ((p) + 1)
#define COPY (void)0
"""
SMALL = """typedef struct { uint8_t a, b, c; } pair;
#define MAKE(a, b) {(a), (b), 7}
#define NUMBER(p) ((p).a + ((uint64_t)(p).b << 32) + 7 - (p).c)
#define NEXT(p) {(p).a + 1, (p).b, (p).c}
#define COPY pair *from = malloc(sizeof *from), to = *from; (void)to
"""
HEAD = "#include <pthread.h>\n#include <stdint.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n"
LOADS = ("relaxed", "acquire", "seq_cst")
STORES = ("relaxed", "release", "seq_cst")
UPDATES = ("relaxed", "acquire", "release", "acq_rel", "seq_cst")


def statement(rng: random.Random, name: str) -> str:
    """An access; what it finds goes to a shared variable of its own."""

    def order(orders: tuple[str, ...]) -> str:
        return f"__ATOMIC_{rng.choice(orders).upper()}"

    first, second = (f"MAKE({rng.randint(0, 2)}, {rng.randint(0, 1)})" for _ in range(2))
    match rng.choice(("load", "store", "exchange", "cas", "cas", "again")):
        case "load":
            return f"{{ pair o; __atomic_load(&h, &o, {order(LOADS)}); {name} = NUMBER(o); }}"
        case "store":
            return f"{{ pair n = {first}; __atomic_store(&h, &n, {order(STORES)}); }}"
        case "exchange":
            return f"{{ pair o, n = {first}; __atomic_exchange(&h, &n, &o, {order(UPDATES)}); {name} = NUMBER(o); }}"
        case "again":
            call = f"__atomic_compare_exchange(&h, &o, &n, 0, {order(UPDATES)}, {order(LOADS)})"
            tried = f"for (;;) {{ pair n = NEXT(o); if ({call}) break; }}"
            return f"{{ pair o; __atomic_load(&h, &o, {order(LOADS)}); {tried} {name} = NUMBER(o); }}"
    call = f"__atomic_compare_exchange(&h, &e, &n, {rng.randint(0, 1)}, {order(UPDATES)}, {order(LOADS)})"
    return f"{{ pair e = {first}, n = {second}; int ok = {call}; {name} = NUMBER(e) + ((uint64_t)ok << 60); }}"


def statement_of_c11(rng: random.Random, name: str) -> str:
    """The same with an object that is `_Atomic`."""

    def order(orders: tuple[str, ...]) -> str:
        return f"memory_order_{rng.choice(orders)}"

    first, second = (f"MAKE({rng.randint(0, 2)}, {rng.randint(0, 1)})" for _ in range(2))
    match rng.choice(("load", "read", "store", "write", "exchange", "cas", "cas", "again")):
        case "load":
            return f"{{ pair o = atomic_load_explicit(&h, {order(LOADS)}); {name} = NUMBER(o); }}"
        case "read":
            return f"{{ pair o = h; {name} = NUMBER(o); }}"
        case "store":
            return f"{{ pair n = {first}; atomic_store_explicit(&h, n, {order(STORES)}); }}"
        case "write":
            return f"{{ pair n = {first}; h = n; }}"
        case "exchange":
            return f"{{ pair n = {first}, o = atomic_exchange_explicit(&h, n, {order(UPDATES)}); {name} = NUMBER(o); }}"
        case "again":
            call = f"atomic_compare_exchange_strong_explicit(&h, &o, n, {order(UPDATES)}, {order(LOADS)})"
            tried = f"for (;;) {{ pair n = NEXT(o); if ({call}) break; }}"
            return f"{{ pair o = atomic_load_explicit(&h, {order(LOADS)}); {tried} {name} = NUMBER(o); }}"
    call = f"atomic_compare_exchange_{rng.choice(('weak', 'strong'))}"
    call += f"_explicit(&h, &e, n, {order(UPDATES)}, {order(LOADS)})"
    return f"{{ pair e = {first}, n = {second}; int ok = {call}; {name} = NUMBER(e) + ((uint64_t)ok << 60); }}"


def program(rng: random.Random, c11: bool, copies: bool) -> str:
    """Two threads. `copies`: structures without a value are copied, so that any number may have none."""
    one = statement_of_c11 if c11 else statement
    names = [[f"r{t}{n}" for n in range(rng.randint(1, 2))] for t in range(2)]
    bodies = [" ".join(one(rng, name) for name in own) for own in names]
    every = ", ".join(name for own in names for name in own)
    return (
        f"{'_Atomic' if c11 else '_Alignas(8)'} pair h = MAKE({rng.randint(0, 1)}, 0); uint64_t last, {every};\n"
        f"void *one(void *a) {{ {bodies[0]} return a; }}\nvoid *two(void *a) {{ {bodies[1]} return a; }}\n"
        "int main() { pthread_t x, y; pthread_create(&x, 0, one, 0); pthread_create(&y, 0, two, 0);"
        f" pthread_join(x, 0); pthread_join(y, 0); pair l = h; last = NUMBER(l); {'COPY;' * copies} }}\n"
    )


def outcomes(text: str, model: str, **options: Any) -> Counter[tuple[tuple[str, int], ...]]:
    if model == "tso":  # which has no orders of C: they order nothing more than it does
        options = {**options, "map": "none"}
    result = xgen.check(xgen.parse(HEAD + text, "c", "p.c", **options), xgen.model(model), classes="off")
    assert result.verdict == "safe"
    found: Counter[tuple[tuple[str, int], ...]] = Counter()
    for outcome in result.outcomes:
        state = {name: int(value) for name, value in outcome.state.items() if name != "h"}
        found[tuple(sorted(state.items()))] += outcome.count
    return found


def without(found: Counter[tuple[tuple[str, int], ...]], name: str) -> Counter[tuple[tuple[str, int], ...]]:
    """The same but for one variable, or its members."""
    result: Counter[tuple[tuple[str, int], ...]] = Counter()
    for state, count in found.items():
        result[tuple((n, value) for n, value in state if n.split(".")[0] != name)] += count
    return result


@pytest.mark.parametrize("model", ["sc", "tso", "arm8", "rc11"])
def test_a_structure_is_as_one_number(model: str, request: pytest.FixtureRequest) -> None:
    rng = random.Random(f"wholes {model}")
    for number in range(300 if request.config.getoption("--slow") else 15):
        c11 = number % 2 == 1
        text = program(rng, c11, number % 4 < 2)
        weak = number % 5 == 0
        expected = outcomes(NUMBER + text, model, weak_cas=weak)
        structs = [STRUCT.replace("N_t", "32_t"), STRUCT.replace("N_t", "64_t"), *[SMALL] * c11]
        found = outcomes(rng.choice(structs) + text, model, weak_cas=weak)
        assert found.keys() == expected.keys(), text
        # Of loops that try an update of one number again, rounds that fail are not told apart.
        assert found == expected or "for (;;)" in text, text


@pytest.mark.parametrize(
    ("type_", "call", "message"),
    [
        (
            "struct { uint64_t a; uint32_t b; }",
            "__atomic_load(&h, &o, 5)",
            "an atomic access of struct (16 bytes, or some that are no number's) is not supported",
        ),
        (
            "struct s { uint64_t a, b, c; }",
            "__atomic_store(&h, &o, 5)",
            "an atomic access of struct s (24 bytes, or some that are no number's) is not supported",
        ),
        (
            "struct s { uint32_t a, b; }",
            "__atomic_compare_exchange(&h, &r, &o, 0, 5, 5)",
            "unsigned long is not struct s",
        ),
        ("struct s { uint32_t a, b; }", "__atomic_load(&h, &small, 5)", "these are different types"),
        (
            "_Atomic struct s { uint32_t a, b; }",
            "h.a = 1",
            "`a` is no object of its own: _Atomic struct s is accessed as a whole",
        ),
        (
            "_Atomic struct s { uint32_t a, b; }",
            "__sync_lock_test_and_set(&h, 1)",
            "a pointer to a number or a pointer is needed here, not _Atomic struct s *",
        ),
        ("_Atomic struct s { uint32_t a, b; }", "h = small", "struct other is not struct s"),
        (
            "_Atomic union s { uint32_t a, b[2]; }",
            "atomic_fetch_add(&h, 1)",
            "an atomic operation on _Atomic union s is not supported",
        ),
        ("struct s { uint32_t a, b; }", "__atomic_load(&h, &o, 3)", "a load cannot have the order release"),
        (
            "struct s { uint32_t a, b; }",
            "(*(uint8_t *)&h.a = 1, __atomic_load(&h, &o, 5))",
            "an atomic access of struct s, of which numbers are accessed in parts, is not supported",
        ),
    ],
)
def test_what_is_no_such_access_is_refused(type_: str, call: str, message: str) -> None:
    text = f"{HEAD}{type_} h; uint64_t r; struct other {{ uint32_t a; }} small;\n"
    text += f"int main() {{ __typeof__((void)0, h) o = {{1, 2}};\n  {call}; }}\n"
    with pytest.raises(XgenError) as error:
        xgen.check(xgen.parse(text, "c", "p.c"), xgen.model("sc"))
    assert (error.value.message, error.value.line) == (message, 7)


def test_an_array_is_not_atomic() -> None:
    with pytest.raises(xgen.ProgramError, match="an array or a function cannot be `_Atomic`"):
        xgen.parse("typedef int many[2]; _Atomic many x; int main() { return x[0]; }", "c", "p.c")


def test_a_store_that_the_bound_stops_in_its_middle_is_not_seen() -> None:
    """Its parts are events, of which a bound may leave room for some only; nobody sees these."""
    text = (
        HEAD + "#include <assert.h>\n"
        "typedef struct { char a, b, c; } three;\n_Atomic three whole;\natomic_int before;\n"
        "void *writer(void *p) {\n  three all = {1, 2, 3};\n  before = 1;\n"
        "  atomic_store(&whole, all);\n  return p;\n}\n"
        "int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, writer, 0);\n  three seen = whole;\n"
        "  assert(seen.a * 3 == seen.c);\n  if (before)\n    assert(BEFORE);\n}\n"
    )
    model = xgen.model("rc11")
    for depth in range(1, 9):
        result = xgen.check(xgen.parse("#define BEFORE 1\n" + text, "c", "half.c"), model, max_depth=depth)
        assert result.violations == 0, depth
    broken = xgen.parse("#define BEFORE 0\n" + text, "c", "half.c")
    assert xgen.check(broken, model).verdict == "violation"


DEPENDS = """_Alignas(8) pair h;
atomic_int x;
void *thread(void *p) {
  pair e = MAKE(EXPECTED, 0), n = MAKE(1, 0);
  DECIDE
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  if (atomic_load_explicit(&x, memory_order_relaxed)) {
    pair v = MAKE(2, 0);
    __atomic_store(&h, &v, __ATOMIC_RELAXED);
  }
  pthread_join(t, 0);
}
"""
CALL = "__atomic_compare_exchange(&h, &e, &n, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)"
WRITE = "atomic_store_explicit(&x, {}, memory_order_relaxed);"


@pytest.mark.parametrize("expected", [0, 2])
@pytest.mark.parametrize(
    "decide",
    [
        f"if ({CALL}) {WRITE.format(1)} else {WRITE.format(2)}",
        f"if (!{CALL}) {WRITE.format(1)}",
        f"int ok = {CALL}; {WRITE.format('1 + ok')}",
        f"if ({CALL}) {WRITE.format('1 + NUMBER(e)')}",
        f"(void){CALL}; {WRITE.format('1 + NUMBER(e)')}",
    ],
)
def test_what_follows_from_a_result_depends_on_what_is_read(decide: str, expected: int) -> None:
    """Nothing that is written behind it can lead to the value that it reads."""
    text = DEPENDS.replace("DECIDE", decide).replace("EXPECTED", str(expected))
    one = without(outcomes(NUMBER + text, "arm8"), "h")
    assert without(outcomes(STRUCT.replace("N_t", "32_t") + text, "arm8"), "h") == one


COUNTED = """_Alignas(16) static pair counted;
uint64_t sum;
atomic_int last;
#define COUNT \
  pair old, new; __atomic_load(&counted, &old, __ATOMIC_RELAXED); \
  do { pair more = NEXT(old); new = more; } \
  while (!__atomic_compare_exchange(&counted, &old, &new, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
void *thread(void *p) {
  atomic_exchange_explicit(&last, 1, memory_order_relaxed);
  COUNT;
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  COUNT;
  atomic_exchange_explicit(&last, 2, memory_order_relaxed);
  pthread_join(t, 0);
  sum = NUMBER(counted);
}
"""


def test_retry_loops_of_two_threads_end() -> None:
    """Neither thread fails again and again while it waits for the other: it does not go on before it has read."""
    expected = outcomes(NUMBER + COUNTED, "arm8", retries=False)
    assert sorted(dict(state)["sum"] for state in expected) == [2, 2]
    assert sorted(dict(state)["last"] for state in expected) == [1, 2]
    found = outcomes(STRUCT.replace("N_t", "64_t") + COUNTED, "arm8")
    assert without(found, "counted") == without(expected, "counted")
    assert found.total() == 6
