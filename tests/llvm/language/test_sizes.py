"""Atomic accesses of several sizes through clang: against brute force, byte by byte, and against C's own reader."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import pytest
from both.asked import READERS, read
from c.language.test_sizes import RANDOM, for_c, in_c, state_of
from c.running import load, model, threads
from llvm.compiling import compiles
from oracle import sizes

import xgen
from xgen.errors import Position
from xgen.frontends.mixed_size.cuts import of_several_sizes, parts_of_atomics, within

DRAWN = {"accesses": "arm8", "updates": "rc11", "compare and exchange": "sc", "three threads": "tso", "fences": "arm8"}


@compiles
@pytest.mark.parametrize(("kind", "name"), DRAWN.items())
def test_random_threads_against_brute_force(kind: str, name: str, request: pytest.FixtureRequest) -> None:
    modes, count, most = RANDOM[kind]
    rng = random.Random(f"{kind} {name} through clang")
    left = 20 if request.config.getoption("--slow") else 1
    while left > 0:
        code = for_c(sizes.random_program(rng, modes, count, most))
        read = load(in_c(code), races=False, mixed_atomics=True, map="none", clang=True)
        try:
            result = xgen.check(read, model(name), all_states=True, classes="off", trace_limit=0)
        except xgen.UnsupportedError as error:  # of what has an address that is not known
            if "this accesses a part of a number" not in error.message:
                raise
            continue
        found: Counter[str] = Counter()
        for outcome in result.outcomes:
            found[state_of(outcome.state)] += outcome.count
        expected = {" ".join(sorted(state.split())): n for state, n in sizes.executions(code, name).items()}
        assert found == expected, in_c(code)
        left -= any(variable.name.startswith(("x.", "y.")) for variable in read.variables)


UNION = "union { _Atomic uint32_t w; struct { _Atomic uint8_t a, b; _Atomic uint16_t c; }; } u; int k;"
LOCK = "uint32_t e = 0; while (!atomic_compare_exchange_strong(&u.w, &e, 1)) e = 0;"
# What two threads do and what holds then; the number of executions; whether it is safe.
PROGRAMS = {
    "a byte of a word": ("u.b = 4;", "uint32_t w = u.w; assert(!(w & ~0x400u));", 2, True),
    "a lock": (f"{LOCK} k++; u.a = 0;", f"{LOCK} k++; u.a = 0;", 4, True),
    "an array of bytes": (
        "for (int i = 0; i < 2; i++) atomic_store((_Atomic uint8_t *)&k + i, 1);",
        "uint32_t w = atomic_load((_Atomic uint32_t *)&k); assert(w != 0x100);",
        3,
        True,
    ),
    "a sum": ("u.w += 0xff;", "u.a = 1;", 2, True),
    "a plain word": ("u.b = 1;", "uint32_t w; memcpy(&w, &u, 4); assert(w == 0 || w == 256);", 2, False),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(("one", "two", "executions", "safe"), PROGRAMS.values(), ids=PROGRAMS)
def test_by_hand(reader: str, one: str, two: str, executions: int, safe: bool) -> None:
    program = read(reader, threads(one, two, before=UNION), mixed_atomics=True)
    result = xgen.check(program, model("rc11"), all_states=True)
    assert (result.verdict, result.executions) == ("safe" if safe else "violation", executions)


@pytest.mark.parametrize("reader", READERS)
def test_c_gives_them_no_meaning(reader: str) -> None:
    text = threads("u.b = 4;", "u.w;", before=UNION)
    with pytest.raises(xgen.UnsupportedError) as caught:
        xgen.check(read(reader, text), model("rc11"))
    assert caught.value.message == "C gives atomic accesses to 4 bytes and 1 byte of `u` no meaning (model rc11)"
    assert caught.value.line is not None
    assert [each for each in read(reader, text, map="none").remarks if "4 bytes and 1 byte of `u`" in each]


ALIGNED = [
    # an access of a word that is not aligned, at a place that is known or not; what is said of it by clang's reader
    ("__atomic_store_n((uint16_t *)(a + 1), 1, 5);", "an atomic access that is not aligned (2 bytes at `a+1`) is not"),
    ("uint8_t *p = k ? a + 1 : a; __atomic_store_n((uint16_t *)p, 1, 5);", "this accesses a part of a number"),
]


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(("one", "message"), ALIGNED)
def test_accesses_of_parts_that_are_not_aligned(reader: str, one: str, message: str) -> None:
    """Machines make several accesses of one, at least in some places: it is not one of parts."""
    two = "__atomic_load_n((uint32_t *)a, 5); __atomic_load_n(a + 1, 5); k = 1;"
    text = threads(one, two, before="_Alignas(8) uint8_t a[8]; _Atomic int k;")
    with pytest.raises(xgen.UnsupportedError) as caught:
        xgen.check(read(reader, text, mixed_atomics=True), model("rc11"), all_states=True)
    assert caught.value.message.replace("an access", "an atomic access").startswith(message)
    assert caught.value.line is not None


ALONE = [
    "__atomic_store_n((uint32_t *)(b + 1), 5, 5);",  # the number is alone in its bytes
    "assert(__atomic_exchange_n((uint16_t *)(b + 3), 5, 5) == 0);",
    "*(volatile uint16_t *)(b + 1) = 1;",
]


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("one", ALONE)
def test_accesses_that_are_not_aligned(reader: str, one: str) -> None:
    text = threads(one, "", before="_Alignas(8) uint8_t b[16];")
    with pytest.raises(xgen.UnsupportedError) as caught:
        xgen.check(read(reader, text, volatile="relaxed"), model("rc11"))
    assert "access that is not aligned" in caught.value.message
    assert caught.value.line is not None


@pytest.mark.parametrize("reader", READERS)
def test_updates_of_parts_that_compare(reader: str) -> None:
    """What they write is computed here."""
    rng = random.Random("extremes")
    before, body = [], []
    for number, (bits, sign, what) in enumerate(product((16, 32, 64), ("", "u"), ("min", "max")), 1):
        given = [rng.getrandbits(bits) for _ in range(2)]
        byte = rng.getrandbits(8)
        old = given[0] & ~0xFF00 | byte << 8
        values = [value - (value >> bits - 1 << bits) if not sign else value for value in (old, given[1])]
        new = (min if what == "min" else max)(values) % 2**bits
        x, type_ = f"x{number}", f"{sign}int{bits}_t"
        before.append(f"union {{ {type_} n; uint{bits}_t u; uint8_t b[{bits // 8}]; }} {x};")
        body.append(f"__atomic_store_n(&{x}.u, {given[0]:#x}u, 5); __atomic_store_n(&{x}.b[1], {byte}, 5);")
        body.append(f"assert(__atomic_fetch_{what}(&{x}.n, ({type_}){given[1]:#x}u, 5) == ({type_}){old:#x}u);")
        body.append(f"assert(__atomic_load_n(&{x}.u, 5) == {new:#x}u);")
    program = read(reader, threads(" ".join(body), "", before=" ".join(before)))
    result = xgen.check(program, model("sc"), all_states=True)
    assert (result.verdict, result.executions) == ("safe", 1)
    assert sum(variable.name.startswith("x1") for variable in program.variables) > 1


CPP = """#include <atomic>
#include <cassert>
#include <cstdint>
#include <pthread.h>
alignas(8) unsigned char marks[8];
void *mark(void *) { std::atomic_ref(marks[1]).fetch_or(4, std::memory_order_relaxed); return nullptr; }
int main() {
  pthread_t t;
  pthread_create(&t, nullptr, mark, nullptr);
  uint64_t w = std::atomic_ref<uint64_t>(*reinterpret_cast<uint64_t *>(marks)).load(std::memory_order_relaxed);
  assert((w & ~uint64_t(0x400)) == 0);
  pthread_join(t, nullptr);
}
"""


@compiles
def test_in_cpp() -> None:
    program = xgen.parse(CPP, "cpp", "marks.cpp", mixed_atomics=True, flags=("-std=c++20",))
    assert {each.name: abs(each.bytes or 0) for each in program.variables if each.name.startswith("marks")} == {
        "marks[0]": 1,
        "marks[1]": 1,
        "marks[2]": 6,
    }
    for name in ("rc11-c20", "arm8"):
        result = xgen.check(program, model(name), all_states=True)
        assert (result.verdict, result.executions) == ("safe", 2)


@pytest.mark.parametrize(
    ("atomic", "others", "expected"),
    [
        ({(0, 8)}, {(0, 8), (1, 1)}, ((0, 1), (1, 1), (2, 6))),
        ({(0, 4), (4, 4)}, {(0, 8)}, ()),  # what is wider cuts nothing
        ({(0, 4)}, {(2, 4), (8, 4)}, ((0, 2), (2, 2), (4, 2))),  # what shares bytes with parts is made of parts
        ({(0, 2)}, {(1, 1), (2, 2)}, ((0, 1), (1, 1))),
        (set(), {(0, 4), (1, 1)}, ()),
    ],
)
def test_the_fewest_parts(
    atomic: set[tuple[int, int]], others: set[tuple[int, int]], expected: tuple[tuple[int, int], ...]
) -> None:
    assert parts_of_atomics(atomic, others) == expected
    for access in atomic & others if expected else ():
        assert within(expected, access)


def test_what_is_made_of_whole_parts() -> None:
    parts = ((0, 1), (1, 1), (2, 6), (16, 2))
    assert within(parts, (0, 2)) == ((0, 1), (1, 1))
    assert within(parts, (0, 8)) == parts[:3]
    assert within(parts, (2, 4)) == within(parts, (8, 8)) == within(parts, (6, 12)) == ()


def test_sizes_of_one_object_are_compared() -> None:
    here = Position(3, 1)
    assert of_several_sizes({("x", 0, 4): here, ("x", 4, 1): here, ("y", 0, 1): here}) is None
    found = of_several_sizes({("x", 0, 4): here, ("x", 3, 1): here})
    assert found == (here, "atomic accesses to 4 bytes and 1 byte of `x`")
