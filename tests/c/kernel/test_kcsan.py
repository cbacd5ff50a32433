"""Data races as KCSAN reports them, and its assertions: by its documentation, and against all interleavings."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

import xgen
from tests.c.kernel.drivers import load

STARTS = "int main(void) { START(a); START(b); }"
READS = "CPU(1, b) { y = READ_ONCE(x); }"


def run(folder: Path, text: str, races: bool | str) -> xgen.Result:
    return xgen.check(load(folder, text, races=races), timeout=60)


def races(result: xgen.Result) -> set[str]:
    """The lines of each pair that a warning tells of."""
    found = set()
    for warning in result.warnings:
        if warning.startswith("data race on "):
            found.add(" ".join(place.split(":")[1] for place in warning.split(": ", 1)[1].split(" and ")))
    return found


CASES = {
    # What CPU 0 does, what CPU 1 does; whether the model has a race, and whether KCSAN reports one.
    "a plain write": ("x = 1;", "y = READ_ONCE(x);", True, False),
    "two plain writes": ("x = 1;", "x = 2;", True, False),
    "a plain write, a plain read": ("x = 1;", "y = x;", True, True),
    "a marked write, a plain read": ("WRITE_ONCE(x, 1);", "y = x;", True, True),
    "marked accesses": ("WRITE_ONCE(x, 1);", "y = READ_ONCE(x);", False, False),
    "what is read first": ("x++;", "y = READ_ONCE(x);", True, True),
    "what is read first, in words": ("x = x + 1;", "y = READ_ONCE(x);", True, True),
    "what was read long ago": ("int seen = x; smp_mb(); x = seen + 1;", "y = READ_ONCE(x);", True, False),
    "bits": ("bits.low = 1;", "y = READ_ONCE(c);", False, False),
    "a bit-field": ("bits.low = 1;", "y = bits.high;", True, True),
    "a structure of one word": ("one = (struct one){ 1 };", "y = READ_ONCE(one.v);", True, False),
    "a structure of more": ("two = (struct two){ 1, 2 };", "y = READ_ONCE(two.v);", True, True),
    "memset": ("memset(&two, 1, sizeof two);", "y = READ_ONCE(two.v);", True, True),
    "128 bits": ("wide = 1;", "y = READ_ONCE(*(long *)&wide);", True, True),
    "two of 128 bits": ("wide = 1;", "wide = 2;", True, True),
    "half of 128 bits": ("*(long *)&wide = 1;", "y = READ_ONCE(*(long *)&wide);", True, False),
    "the other half": ("*(long *)&wide = 1;", "y = READ_ONCE(((long *)&wide)[1]);", False, False),
    "128 bits, read first": ("wide = wide + 1;", "y = READ_ONCE(((long *)&wide)[1]);", True, True),
    "a part": ("*(u16 *)(bytes + 2) = 1;", "y = READ_ONCE(*(u16 *)(bytes + 2));", True, False),
    "an update": ("atomic_inc(&n);", "y = n.counter;", True, True),
    "a release": ("x = 1; smp_store_release(&f, 1);", "if (smp_load_acquire(&f)) y = x;", False, False),
    "too late": ("smp_store_release(&f, 1); x = 1;", "if (smp_load_acquire(&f)) y = x;", True, True),
    "data_race() of the reader": ("WRITE_ONCE(x, 1);", "y = data_race(x);", False, False),
    "data_race() of the writer": ("data_race(x = 1);", "y = x;", False, False),
    "data_race() of an update": ("data_race(atomic_inc(&n));", "y = n.counter;", False, False),
    "data_race() of another": ("x = 1; data_race(z = 1);", "y = x;", True, True),
    "data_race() of a call": ("WRITE_ONCE(x, 1);", "y = data_race(got());", False, False),
    "KCSAN off": ("WRITE_ONCE(x, 1);", "kcsan_disable_current(); y = x; kcsan_enable_current();", False, False),
    "KCSAN on": ("WRITE_ONCE(x, 1);", "kcsan_disable_current(); kcsan_enable_current(); y = x;", True, True),
    "KCSAN off twice": (
        "WRITE_ONCE(x, 1);",
        "kcsan_disable_current(); kcsan_disable_current(); kcsan_enable_current(); y = x; kcsan_enable_current();",
        False,
        False,
    ),
    "a region": (
        "WRITE_ONCE(x, 1);",
        "kcsan_nestable_atomic_begin(); y = x; kcsan_nestable_atomic_end();",
        False,
        False,
    ),
    "behind a region": ("WRITE_ONCE(x, 1);", "kcsan_flat_atomic_begin(); kcsan_flat_atomic_end(); y = x;", True, True),
    "a flat region": (
        "WRITE_ONCE(x, 1);",
        "kcsan_flat_atomic_begin(); kcsan_flat_atomic_begin(); kcsan_flat_atomic_end(); y = x;",
        True,
        True,
    ),
    "the next one": ("WRITE_ONCE(x, 1);", "kcsan_atomic_next(1); y = x;", False, False),
    "the next one but one": ("WRITE_ONCE(x, 1);", "kcsan_atomic_next(1); y = z; y = x;", True, True),
    "none any more": ("WRITE_ONCE(x, 1);", "kcsan_atomic_next(9); kcsan_atomic_next(0); y = x;", True, True),
}
HEAD = """int x, y, z, f, c; atomic_t n;
struct { int low : 4; int high : 4; } bits; struct one { int v; } one; struct two { long v, w; } two;
_Alignas(4) char bytes[8]; __int128 wide;
static int got(void) { return x; }
"""


@pytest.mark.parametrize("name", CASES)
def test_what_is_a_race(name: str, tmp_path: Path) -> None:
    one, other, of_model, of_kcsan = CASES[name]
    text = f"{HEAD}CPU(0, a) {{ {one} }}\nCPU(1, b) {{ {other} }}\n{STARTS}"
    for rules, expected in ((True, of_model), ("kcsan", of_kcsan)):
        result = run(tmp_path, text, rules)
        assert (result.verdict, "data_race" in result.flags, bool(races(result))) == ("safe", expected, expected)
    none = run(tmp_path, text, False)
    assert (races(none), "data_race" in none.flags) == (set(), False)


CLAIMS = {
    # What CPU 0 does, what CPU 1 does, and whether somebody else comes to what CPU 1 has for itself.
    "a marked write": ("WRITE_ONCE(x, 1);", "ASSERT_EXCLUSIVE_WRITER(x);", True),
    "a plain write": ("x = 1;", "ASSERT_EXCLUSIVE_WRITER(x);", True),
    "the same value": ("WRITE_ONCE(x, 0);", "ASSERT_EXCLUSIVE_WRITER(x);", True),
    "its own write": ("y = READ_ONCE(x);", "ASSERT_EXCLUSIVE_WRITER(x); WRITE_ONCE(x, 1);", False),
    "a reader": ("y = READ_ONCE(x);", "ASSERT_EXCLUSIVE_ACCESS(x);", True),
    "a reader of what nobody writes": ("y = READ_ONCE(z);", "ASSERT_EXCLUSIVE_ACCESS(z);", True),
    "data_race()": ("y = data_race(x);", "ASSERT_EXCLUSIVE_ACCESS(x);", False),
    "in data_race()": ("WRITE_ONCE(x, 1);", "data_race(({ ASSERT_EXCLUSIVE_WRITER(x); 0; }));", True),
    "in a region": (
        "WRITE_ONCE(x, 1);",
        "kcsan_nestable_atomic_begin(); ASSERT_EXCLUSIVE_WRITER(x); kcsan_nestable_atomic_end();",
        True,
    ),
    "both writers": ("ASSERT_EXCLUSIVE_WRITER(x);", "ASSERT_EXCLUSIVE_WRITER(x);", False),
    "both": ("ASSERT_EXCLUSIVE_ACCESS(x);", "ASSERT_EXCLUSIVE_ACCESS(x);", True),
    "another member": ("WRITE_ONCE(two.w, 1);", "ASSERT_EXCLUSIVE_WRITER(two.v);", False),
    "one of its members": ("WRITE_ONCE(two.w, 1);", "ASSERT_EXCLUSIVE_WRITER(two);", True),
    "a lock": (
        "spin_lock(&l); WRITE_ONCE(x, 1); spin_unlock(&l);",
        "spin_lock(&l); ASSERT_EXCLUSIVE_ACCESS(x); spin_unlock(&l);",
        False,
    ),
    "before": (
        "WRITE_ONCE(x, 1); smp_store_release(&f, 1);",
        "if (smp_load_acquire(&f)) ASSERT_EXCLUSIVE_ACCESS(x);",
        False,
    ),
    "after": (
        "if (smp_load_acquire(&f)) WRITE_ONCE(x, 1);",
        "ASSERT_EXCLUSIVE_ACCESS(x); smp_store_release(&f, 1);",
        False,
    ),
    "a reader after": (
        "if (smp_load_acquire(&f)) y = x;",
        "ASSERT_EXCLUSIVE_ACCESS(x); smp_store_release(&f, 1);",
        False,
    ),
    "by a dependency": ("if (READ_ONCE(f)) WRITE_ONCE(x, 1);", "ASSERT_EXCLUSIVE_WRITER(x); WRITE_ONCE(f, 1);", True),
    "a scope": (
        "if (smp_load_acquire(&f)) WRITE_ONCE(x, 1);",
        "ASSERT_EXCLUSIVE_WRITER_SCOPED(x); smp_store_release(&f, 1);",
        True,
    ),
    "a scope that is over": (
        "if (smp_load_acquire(&f)) WRITE_ONCE(x, 1);",
        "{ ASSERT_EXCLUSIVE_WRITER_SCOPED(x); } smp_store_release(&f, 1);",
        False,
    ),
    "in a scope, ordered with both ends": (
        "if (smp_load_acquire(&f)) { WRITE_ONCE(x, 1); smp_store_release(&f, 2); }",
        "ASSERT_EXCLUSIVE_WRITER_SCOPED(x); smp_store_release(&f, 1); if (smp_load_acquire(&f) == 2) y = 1;",
        True,
    ),
    "scopes in scopes": (
        "if (smp_load_acquire(&f)) WRITE_ONCE(x, 1);",
        "{ ASSERT_EXCLUSIVE_WRITER_SCOPED(x); { ASSERT_EXCLUSIVE_WRITER_SCOPED(x); } } smp_store_release(&f, 1);",
        False,
    ),
    "between inner and outer ends": (
        "if (smp_load_acquire(&f)) WRITE_ONCE(x, 1);",
        "{ ASSERT_EXCLUSIVE_WRITER_SCOPED(x); { ASSERT_EXCLUSIVE_WRITER_SCOPED(x); } smp_store_release(&f, 1); }",
        True,
    ),
    "one scope after the other": (
        "if (smp_load_acquire(&f) == 1) WRITE_ONCE(x, 1); smp_store_release(&f, 2);",
        "{ ASSERT_EXCLUSIVE_ACCESS_SCOPED(x); } smp_store_release(&f, 1); "
        "if (smp_load_acquire(&f) == 2) { ASSERT_EXCLUSIVE_ACCESS_SCOPED(x); }",
        False,
    ),
    "a scope of a reader": ("y = READ_ONCE(x);", "ASSERT_EXCLUSIVE_ACCESS_SCOPED(x);", True),
    "a bit": ("WRITE_ONCE(x, 3);", "ASSERT_EXCLUSIVE_BITS(x, 2);", True),
    "other bits": ("WRITE_ONCE(x, 1);", "ASSERT_EXCLUSIVE_BITS(x, 2); y = x;", False),
}


@pytest.mark.parametrize("name", CLAIMS)
def test_assertions(name: str, tmp_path: Path) -> None:
    one, other, fails = CLAIMS[name]
    text = f"{HEAD}DEFINE_SPINLOCK(l);\nCPU(0, a) {{ {one} }}\nCPU(1, b) {{ {other} }}\n{STARTS}"
    result = run(tmp_path, text, "kcsan")
    assert (result.verdict, result.flags.get("data_race", 0)) == ("violation" if fails else "safe", 0)
    for rules in (True, False):
        assert run(tmp_path, text, rules).verdict == "safe"
    if fails:
        assert result.witness is not None
        (violation,) = result.witness.violations[:1]
        if "BITS" in other:
            assert violation.kind == "assertion"
        else:
            word = "WRITER" if "WRITER" in other else "ACCESS"
            assert (violation.kind, violation.flag) == ("race", "exclusive_access")
            assert violation.message.endswith(f"(ASSERT_EXCLUSIVE_{word})")


def test_an_assertion_is_no_access(tmp_path: Path) -> None:
    """It orders nothing, adds no state, and is in no race."""
    text = "int x, y, r, s; CPU(0, a) { WRITE_ONCE(x, 1); @ r = READ_ONCE(y); }\n" + (
        f"CPU(1, b) {{ WRITE_ONCE(y, 1); @ s = READ_ONCE(x); }}\nint z; {STARTS}"
    )
    states = [
        {tuple(outcome.state[name] for name in "rs") for outcome in found.outcomes}
        for said in ("ASSERT_EXCLUSIVE_WRITER(z);", "ASSERT_EXCLUSIVE_WRITER_SCOPED(z);", "")
        for found in [xgen.check(load(tmp_path, text.replace("@", said), races="kcsan"), all_states=True)]
    ]
    assert states == [{(0, 0), (0, 1), (1, 0), (1, 1)}] * 3


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("ASSERT_EXCLUSIVE_WRITER(1);", "this has no address"),
        ("kcsan_atomic_next(-1);", "a number of accesses that is less than 0, or no constant, is"),
        ("data_race(x, y);", "data_race"),
        ("__xgen_writer(x);", "a pointer is needed here, not int"),
    ],
)
def test_what_is_refused(statement: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(xgen.XgenError) as caught:
        load(tmp_path, f"int x, y;\nCPU(0, a) {{ {statement} }}\nint main(void) {{ START(a); }}", races="kcsan")
    assert message in caught.value.message


@pytest.mark.parametrize(
    ("handles", "of_model", "of_kcsan"),
    [
        ("x = 1;", True, False),
        ("x++;", True, True),
        ("data_race(x++);", False, False),
        ("WRITE_ONCE(x, 1);", True, False),
        ("ASSERT_EXCLUSIVE_WRITER(x);", False, False),
    ],
)
def test_races_with_interrupts(handles: str, of_model: bool, of_kcsan: bool, tmp_path: Path) -> None:
    text = f"int x, y; INTERRUPT(0, tick) {{ {handles} }}\nCPU(0, a) {{ y = READ_ONCE(x); x = 2; }}\n"
    for rules, expected in ((True, of_model), ("kcsan", of_kcsan)):
        found = run(tmp_path, text + "int main(void) { START(a); }", rules).warnings
        assert any("the interrupt `tick`" in each for each in found) == expected


def test_the_option_is_for_the_kernel(tmp_path: Path) -> None:
    (tmp_path / "plain.c").write_text("int main(void) { }\n")
    with pytest.raises(xgen.UsageError, match='the option `races` is "kcsan" for files of the Linux kernel'):
        xgen.load(tmp_path / "plain.c", races="kcsan")


def test_a_model_that_does_not_know_them_is_not_asked(tmp_path: Path) -> None:
    text = f"int x; CPU(0, a) {{ WRITE_ONCE(x, 1); }}\nCPU(1, b) {{ ASSERT_EXCLUSIVE_WRITER(x); }}\n{STARTS}"
    own = tmp_path / "own.mcm"
    own.write_text('model "own"\n  expects once, exclusive-writer\norder = po | rf\norder acyclic as order\n')
    with pytest.raises(xgen.UnsupportedError, match="the model own does not say what ASSERT_EXCLUSIVE_WRITER"):
        xgen.check(load(tmp_path, text, races="kcsan"), xgen.model(str(own)))


# ---- against all interleavings


OPERATIONS = {
    # What each is to KCSAN: whether it writes and is plain, an assertion, or nothing that it looks at.
    "x = 1;": (True, False),
    "y@ = x;": (False, True),
    "WRITE_ONCE(x, 1);": (True, False),
    "y@ = READ_ONCE(x);": (False, False),
    "x++;": (True, True),
    "y@ = data_race(x);": None,
    "ASSERT_EXCLUSIVE_WRITER(x);": "writer",
    "ASSERT_EXCLUSIVE_ACCESS(x);": "access",
}


def made(rng: random.Random, thread: int) -> list[str]:
    """The statements of a CPU: some in the lock, some behind a message of the other CPU, or before one."""
    statements = [rng.choice(list(OPERATIONS)).replace("@", str(thread)) for _ in range(rng.randint(1, 2))]
    if rng.random() < 0.5:
        statements = ["spin_lock(&l);", *statements, "spin_unlock(&l);"]
    if thread == 0 and rng.random() < 0.5:
        statements.insert(rng.choice([0, len(statements)]), "smp_store_release(&f, 1);")
    if thread == 1 and rng.random() < 0.4:
        statements = ["if (!smp_load_acquire(&f)) return;", *statements]
    if rng.random() < 0.5:
        statements.append(rng.choice(list(OPERATIONS)).replace("@", str(thread)))
    if rng.random() < 0.25:
        at = rng.randint(0, len(statements) - 1)
        if not any("lock" in each for each in statements[at:]) or at == 0:
            statements = [*statements[:at], "{", "SCOPE", *statements[at:], "}"]
    return statements


def with_compounds(body: list[str]) -> list[str]:
    """A plain write right behind a plain read is one with it to compilers, and so to KCSAN: another statement here."""
    return [
        "y0 = y1 = 0;" if text == "x = 1;" and before.endswith("= x;") else text
        for before, text in zip(["", *body], body, strict=False)
    ]


def interleavings(one: list[str], two: list[str]) -> Iterator[tuple[bool, bool]]:
    """Whether a race, and whether a failing assertion, is seen: after each prefix, what both would do next meets."""
    todo = [(0, 0, 0, 0)]
    seen = set()
    bodies = (one, two)
    while todo:
        state = todo.pop()
        if state in seen:
            continue
        seen.add(state)
        at, locked, flag = state[:2], state[2], state[3]
        following = [bodies[k][at[k]] if at[k] < len(bodies[k]) else None for k in (0, 1)]
        yield meets(following, [inside(bodies[k], at[k]) for k in (0, 1)])
        for k, text in enumerate(following):
            if text is None:
                continue
            where, taken, sent = list(at), locked, flag
            where[k] += 1
            if text.startswith("spin_lock"):
                if locked:
                    continue
                taken = k + 1
            elif text.startswith("spin_unlock"):
                taken = 0
            elif text.startswith("smp_store_release"):
                sent = 1
            elif text.startswith("if") and not flag:
                where[k] = len(bodies[k])
            todo.append((where[0], where[1], taken, sent))


def inside(body: list[str], at: int) -> bool:
    """Whether a CPU that comes to this statement is in a scope."""
    return at < len(body) and "SCOPE" in body[:at] and "}" in body[at:]


def meets(following: list[str | None], scopes: list[bool]) -> tuple[bool, bool]:
    what = [kind(text) for text in following]
    race = fails = False
    for k in (0, 1):
        own, other = what[k], what[1 - k]
        if scopes[k] and (other == "access" or (isinstance(other, tuple) and other[0])):
            fails = True
        if own == "writer" and (other == "access" or (isinstance(other, tuple) and other[0])):
            fails = True
        if own == "access" and other is not None:
            fails = True
    if all(isinstance(each, tuple) for each in what):
        race = any(each[0] for each in what) and any(each[1] for each in what)
    return race, fails


def kind(text: str | None) -> object:
    if text is None:
        return None
    for form, what in OPERATIONS.items():
        if text in (form, form.replace("@", "0"), form.replace("@", "1")):
            return what
    return None


@pytest.mark.parametrize("seed", range(60))
def test_against_all_interleavings(seed: int, tmp_path: Path) -> None:
    """With locks and messages alone, accesses of one location are unordered where they may come at the same time."""
    rng = random.Random(seed)
    bodies = [with_compounds(made(rng, thread)) for thread in (0, 1)]
    found = list(interleavings(*bodies))
    race, fails = (any(each[n] for each in found) for n in (0, 1))
    texts = [" ".join(body).replace("SCOPE", "ASSERT_EXCLUSIVE_WRITER_SCOPED(x);") for body in bodies]
    text = "int x, y0, y1, f; DEFINE_SPINLOCK(l);\n" + "".join(
        f"CPU({n}, {'ab'[n]}) {{ {body} }}\n" for n, body in enumerate(texts)
    )
    result = xgen.check(load(tmp_path, text + STARTS, races="kcsan"), all_states=True, timeout=60)
    assert result.verdict == ("violation" if fails else "safe"), text
    assert ("data_race" in result.flags) == race, text
