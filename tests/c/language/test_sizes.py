"""Accesses of several sizes to the same bytes in C: by unions, casts, memcpy; against gcc, and against brute force."""

from __future__ import annotations

import random
import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from c.language.punning import program, read_by_gcc, with_values
from c.running import HEAD, kinds, load, mapped, model, run, threads
from oracle import sizes

import xgen
from xgen.analyses.claims.run import check_file
from xgen.engine.problem import problem

PROGRAMS = Path(__file__).parents[3] / "programs" / "mixed"


# ---- one thread, against gcc


@pytest.mark.skipif(shutil.which("gcc") is None, reason="the programs are compiled by gcc")
def test_random_programs_read_what_those_of_gcc_read(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    number = 300 if request.config.getoption("--slow") else 20
    parted = 0
    for seed in range(number):
        text = program(random.Random(f"punning {seed}"))
        values = read_by_gcc(text, tmp_path)
        read = xgen.parse(with_values(text, values), "c", "test.c")
        result = xgen.check(read, model("rc11"))
        assert (result.verdict, result.executions) == ("safe", 1), text
        wrong = xgen.parse(with_values(text, values, max(values)), "c", "test.c")
        assert xgen.check(wrong, model("sc")).verdict == "violation", text
        parted += problem(read, model("sc"), parts=True).code.parts is not None
    assert parted > number // 2


# ---- several threads, against brute force

_TYPES = {1: "uint8_t", 2: "uint16_t", 4: "uint32_t"}
_ORDERS = {(False, False): "relaxed", (True, False): "acquire", (False, True): "release", (True, True): "acq_rel"}


def order_of(i: sizes.Instruction, reads: bool, writes: bool) -> str:
    return f"memory_order_{_ORDERS[i.acquire and reads, i.release and writes]}"


def statement(i: sizes.Instruction, k: int) -> str:
    """An instruction in C; where it depends on a register, the address is not known from the text."""
    if i.mode == "fence":
        return "atomic_thread_fence(memory_order_seq_cst);"
    plus = f" + (r{i.after} ^ r{i.after})" if i.after >= 0 else ""
    place = f"(_Atomic {_TYPES[i.bytes]} *)((char *)&{'xy'[i.location]} + {i.offset}{plus})"
    value = str(i.value[1]) if i.value[0] < 0 else f"r{i.value[0]} + {i.value[1]}"
    into = f"r{i.into} = " if i.into >= 0 else ""
    order = order_of(i, True, True)
    match i.mode:
        case "ld":
            return f"{into}atomic_load_explicit({place}, {order_of(i, True, False)});"
        case "st":
            return f"atomic_store_explicit({place}, {value}, {order_of(i, False, True)});"
        case "swp" | "ldadd":
            what = "exchange" if i.mode == "swp" else "fetch_add"
            return f"{into}atomic_{what}_explicit({place}, {value}, {order});"
    expected = f"e{k} = {i.expected[1]}"
    call = f"atomic_compare_exchange_strong_explicit({place}, &e{k}, {value}, {order}, {order_of(i, True, False)})"
    return f"{_TYPES[i.bytes]} {expected}; {call}; r{i.into} = e{k};"


def in_c(code: sizes.Program) -> str:
    bodies, shown = [], []
    for t, own in enumerate(code):
        registers = sorted({i.into for i in own if i.into >= 0})
        named = [f"o{t}_{r}" for r in registers]
        shown += named
        declared = " ".join(f"unsigned long r{r} = 0;" for r in registers)
        told = " ".join(f"{name} = r{r};" for name, r in zip(named, registers, strict=True))
        bodies.append(f"{declared} {' '.join(statement(i, k) for k, i in enumerate(own))} {told}")
    before = " ".join(f"unsigned long {name};" for name in shown)
    return HEAD + threads(*bodies, before=f"_Alignas(8) uint32_t x, y; {before}")


def state_of(outcome: xgen.State) -> str:
    """An outcome as the oracle writes it, with whole locations."""
    found, whole = [], Counter({"x": 0, "y": 0})
    for name, value in outcome.items():
        base, _, offset = name.partition(".")
        if base in "xy":
            whole[base] += int(value) << 8 * int(offset or 0)
        else:
            found.append(f"{base[1:].replace('_', ':X')}={value};")
    return " ".join(sorted([*found, *(f"[{name}]={value};" for name, value in whole.items())]))


def compare(code: sizes.Program, name: str) -> bool:
    """Compares a program with brute force; whether it has accesses of several parts."""
    read = load(in_c(code), races=False, mixed_atomics=True, map="none")
    try:
        result = xgen.check(read, model(name), all_states=True, classes="off", trace_limit=0)
    except xgen.UnsupportedError as error:  # only what has an address that is not known needs the part
        if "this accesses a part of a number" not in error.message:
            raise
        return False
    expected = {" ".join(sorted(state.split())): n for state, n in sizes.executions(code, name).items()}
    found: Counter[str] = Counter()
    for outcome in result.outcomes:
        found[state_of(outcome.state)] += outcome.count
    assert found == expected, in_c(code)
    return problem(read, model(name), parts=True).code.parts is not None


def for_c(code: sizes.Program) -> sizes.Program:
    """The program as C can say it: updates give what they have read, fences are full."""
    found = []
    for own in code:
        number = max([i.into for i in own], default=-1)
        kept = []
        for i in own:
            if i.mode in ("swp", "ldadd") and i.into < 0:
                number += 1
                i = replace(i, into=number)
            kept.append(replace(i, fence="sy"))
        found.append(tuple(kept))
    return tuple(found)


RANDOM: dict[str, tuple[tuple[sizes.Mode, ...], int, int]] = {
    "accesses": (("ld", "ld", "st", "st"), 2, 3),
    "fences": (("ld", "st", "fence"), 2, 3),
    "three threads": (("ld", "st"), 3, 2),
    "updates": (("ld", "st", "swp", "ldadd"), 2, 2),
    "compare and exchange": (("ld", "st", "cas", "cas"), 2, 2),
}


@pytest.mark.parametrize("kind", RANDOM)
@pytest.mark.parametrize("name", ["sc", "tso", "arm8", "ra", "rc11"])
def test_random_threads_against_brute_force(kind: str, name: str, request: pytest.FixtureRequest) -> None:
    if (kind == "fences" and name == "rc11") or (kind == "compare and exchange" and name == "arm8"):
        return  # the oracle's rc11 has no fences; its Armv8 has CAS as an instruction, which picks
    modes, count, most = RANDOM[kind]
    rng = random.Random(f"{kind} {name} in C")
    left = 60 if request.config.getoption("--slow") else 3
    while left > 0:
        left -= compare(for_c(sizes.random_program(rng, modes, count, most)), name)


# ---- by hand

UNION = "union { uint32_t w; struct { uint8_t a, b; uint16_t c; }; uint16_t h[2]; } u, v; int k;\n"
VALUES = {
    "members": ("u.w = 0x01020304; u.c = 0xa0b0; assert(u.w == 0xa0b00304 && u.h[1] == 0xa0b0 && u.b == 3);", 1),
    "a static value": ("static union { int n; char c[4]; } s = {-2}; assert(s.c[0] == -2 && s.c[3] == -1);", 1),
    "a constant": ("static const unsigned n = 0x010203; assert(((unsigned char *)&n)[1] == 2 && n == 0x010203);", 1),
    "a local": ("long n = 0; char *p = (char *)&n; p[7] = -1; assert(n == -1l << 56);", 1),
    "an array of bytes": ("char b[8] = {1, 2}; uint64_t n; memcpy(&n, b, 8); assert(n == 0x0201);", 1),
    "unaligned bytes": ("uint64_t n = 0x0102030405060708; uint32_t m; memcpy(&m, (char *)&n + 1, 4); "
                        "assert(m == 0x04050607);", 1),
    "a copy of a union": ("u.w = 0x01020304; v = u; assert(v.a == 4); v.b = 9; u = v; assert(u.w == 0x01020904);", 1),
    "one of two": ("k = __VERIFIER_nondet_bool(); u.w = 7; union { uint32_t w; uint16_t h[2]; } t[2] = {{1}, {2}}; "
                   "t[k].h[1] = 5; assert(t[k].w == 0x50000 + k + 1 && t[1 - k].w == 2 - k);", 2),
    "pointers": ("int x = 1, *p = &x; uint64_t n; memcpy(&n, &p, 8); assert(*(int *)n == 1);", 1),
    "compared": ("u.w = 0x0201; v.w = 0x0102; u.a = 1; assert(memcmp(&u, &v, 4) < 0);", 1),
}  # fmt: skip


@pytest.mark.parametrize(("body", "executions"), VALUES.values(), ids=VALUES)
def test_values(body: str, executions: int) -> None:
    for name in ("sc", "rc11", "arm8"):
        result = run(f"{UNION}int main() {{\n{body}\n}}", name)
        assert (result.verdict, result.executions) == ("safe", executions)


ERRORS = {
    "a byte has no value": (
        "int main() {\n int n; char *p = (char *)&n; p[1] = 0;\n return n;\n}",
        [("uninitialised", 3)],
    ),
    "a copy of it has none": (
        "int main() {\n int n, m; ((char *)&n)[1] = 0; memcpy(&m, &n, 4);\n assert(((char *)&m)[1] == 0);\n"
        " return ((char *)&m)[2];\n}",
        [("uninitialised", 4)],
    ),
    "a race in one byte": (threads("u.c = 1;", "\nif (u.w) ;", before=UNION.strip()), [("race", 4)]),
    "beyond the object": ("long x;\nint main() {\n return *((char *)&x + 8) + *(int *)&x;\n}", [("bad-address", 3)]),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), ERRORS.values(), ids=ERRORS)
def test_errors(text: str, expected: list[tuple[str, int]]) -> None:
    assert kinds(text) == expected


def test_main_waits_for_what_a_thread_that_has_failed_would_have_written() -> None:
    """A violation is told, although the value that main reads will never be there."""
    text = """#include <stdint.h>
union u { _Atomic uint8_t b[8]; _Atomic uint32_t w[2]; _Atomic uint64_t d; } *q;
void *f(void *p) {
  uint8_t e = 1;
  atomic_fetch_and(&q->d, 0xff);
  atomic_compare_exchange_strong_explicit(&q->b[4], &e, 1, memory_order_relaxed, memory_order_relaxed);
  return p;
}
void *g(void *p) {
  uint8_t e = 1;
  atomic_store(&q->b[6], 5);
  atomic_compare_exchange_strong_explicit(&q->b[5], &e, 7, memory_order_relaxed, memory_order_relaxed);
  return p;
}
int main() {
  pthread_t s, t;
  q = malloc(8);
  q->w[0] = 1;
  pthread_create(&s, 0, f, 0), pthread_create(&t, 0, g, 0);
  pthread_join(s, 0), pthread_join(t, 0);
  atomic_store_explicit(&q->w[0], 3, memory_order_relaxed);
  return q->d == 77;
}
"""
    result = xgen.check(load(HEAD + text, mixed_atomics=True), model("arm8"))
    assert result.witness is not None
    assert [violation.kind for violation in result.witness.violations] == ["uninitialised"]
    assert result.witness.ends == ("blocked", "error", "ended")


def test_two_bytes_do_not_race() -> None:
    result = run(threads("u.a = 1;", "u.b = 1;", before=UNION, after="assert(u.w == 0x0101);"))
    assert (result.verdict, result.executions) == ("safe", 1)


LOCK = "uint32_t e = 0; while (!atomic_compare_exchange_strong(&u.w, &e, 1)) e = 0;"
# What two threads do, and whether one of them may wait for ever.
WAITS = {
    "a byte is enough": ("while (!atomic_load(&u.w)) ;", "atomic_store(&u.b, 1);", False),
    "one byte is missing": ("while (atomic_load(&u.w) != 257) ;", "atomic_store(&u.a, 1);", True),
    "both are there": ("while (atomic_load(&u.w) != 257) ;", "atomic_store(&u.a, 1); atomic_store(&u.b, 1);", False),
    "changed back": ("while (atomic_load(&u.w) == 257) ;", "atomic_store(&u.w, 257); atomic_store(&u.a, 0);", False),
    "overwritten": ("atomic_store(&u.w, 257); while (atomic_load(&u.w) == 257) ;", "atomic_store(&u.a, 0);", True),
    "a lock": (f"{LOCK} atomic_store(&u.a, 0);", f"{LOCK} atomic_store(&u.a, 0);", False),
    "the wrong byte": (f"{LOCK} atomic_store(&u.b, 0);", f"{LOCK} atomic_store(&u.a, 0);", True),
}


@pytest.mark.parametrize("name", ["sc", "arm8", "rc11"])
@pytest.mark.parametrize(("one", "two", "stuck"), WAITS.values(), ids=WAITS)
def test_threads_that_wait(one: str, two: str, stuck: bool, name: str) -> None:
    before = "union { _Atomic uint32_t w; struct { _Atomic uint8_t a, b; }; } u;"
    read = load(HEAD + threads(one, two, before=before), mixed_atomics=True, **mapped(name, {}))
    result = xgen.check(read, model(name), liveness=True)
    assert result.verdict == ("violation" if stuck else "safe")


MIXED = threads(
    "atomic_store_explicit(&l.byte, 1, memory_order_relaxed);",
    "atomic_fetch_or_explicit(&l.word, 256, memory_order_relaxed);",
    before="union { _Atomic uint32_t word; _Atomic uint8_t byte; } l;",
    after="assert(l.word == 257);",
)


@pytest.mark.parametrize("name", ["rc11", "rc11-c20", "ra"])
def test_atomic_accesses_of_several_sizes_have_no_meaning_in_c(name: str) -> None:
    with pytest.raises(xgen.UnsupportedError) as caught:
        run(MIXED, name)
    assert caught.value.message == f"C gives atomic accesses to 4 bytes and 1 byte of `l` no meaning (model {name})"
    assert caught.value.line is not None
    assert run(MIXED, name, mixed_atomics=True).verdict == "safe"


@pytest.mark.parametrize("name", ["sc", "tso", "arm8"])
def test_machines_give_them_one_with_a_warning(name: str) -> None:
    read = load(HEAD + MIXED, map="none")
    assert [remark for remark in read.remarks if "4 bytes and 1 byte of `l`" in remark]
    assert xgen.check(read, model(name)).verdict == "safe"


@pytest.mark.parametrize("name", ["power", "riscv", "pso"])
def test_models_that_do_not_say_what_they_do(name: str) -> None:
    with pytest.raises(xgen.UnsupportedError) as caught:
        run(MIXED, name)
    assert f"the model {name} does not say what accesses of several sizes" in caught.value.message
    assert caught.value.line is not None


NOT_YET: dict[str, Callable[[xgen.Program, xgen.Model], object]] = {
    "`xgen prove`": xgen.prove,
    "`xgen ltl`": lambda read, asked: xgen.ltl(read, "F G 1 = 1", asked),
    "`--cones`": lambda read, asked: xgen.check(read, asked, cones=True),
    "`--robust`": lambda read, asked: xgen.fences(read, asked, robust=model("sc")),
    "`--unbounded`": lambda read, asked: xgen.fences(read, asked, unbounded=True),
}


@pytest.mark.parametrize("asker", NOT_YET)
def test_what_does_not_know_them(asker: str) -> None:
    with pytest.raises(xgen.UnsupportedError) as caught:
        NOT_YET[asker](load(HEAD + MIXED, map="none"), model("sc" if asker == "`--cones`" else "tso"))
    assert caught.value.message == f"{asker} does not know accesses of several sizes to the same bytes yet"
    assert caught.value.line == 18


def test_as_it_is_compiled() -> None:
    assert run(MIXED, "tso", map="x86").verdict == "safe"
    with pytest.raises(xgen.UnsupportedError, match="an update of a number that is accessed in parts"):
        run(MIXED, "arm8", map="armv8")
    stores = MIXED.replace("atomic_fetch_or_explicit(&l.word, 256, memory_order_relaxed)", "atomic_store(&l.word, 257)")
    for name, target in (("tso", "x86"), ("arm8", "armv8")):
        result = run(stores, name, map=target)
        assert (result.executions, result.verdict) == (2, "safe")


@pytest.mark.parametrize("name", ["qspinlock", "lockref", "tagged"])
def test_claims_of_programs(name: str) -> None:
    """What the first lines of a shipped program say is so."""
    found = check_file(str(PROGRAMS / f"{name}.c"), xgen.load)
    assert (found.errors, found.mistakes) == ((), ())
    assert len(found.checked) >= 4
    assert [(one.claim.said, one.found) for one in found.checked if not one.kept] == []
