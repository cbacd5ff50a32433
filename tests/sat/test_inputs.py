"""Inputs: `--nondet` cut to each type, and all numbers of a type with `--engine sat`. The same by both readers."""

from __future__ import annotations

import pytest
from both.asked import READERS, read, said
from llvm.compiling import compiles

import xgen

HEAD = """#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
signed char __VERIFIER_nondet_char(void);
unsigned char __VERIFIER_nondet_uchar(void);
unsigned short __VERIFIER_nondet_ushort(void);
long __VERIFIER_nondet_long(void);
unsigned long __VERIFIER_nondet_ulong(void);
_Bool __VERIFIER_nondet_bool(void);
"""
CUT: list[tuple[str, str, tuple[int, int], list[int]]] = [
    ("int", "int", (-2, 2), [-2, -1, 0, 1, 2]),
    ("unsigned", "uint", (-2, 2), [0, 1, 2]),
    ("unsigned", "uint", (2**32 - 2, 2**40), [2**32 - 2, 2**32 - 1]),
    ("unsigned", "uint", (2**31 - 1, 2**31), [2**31 - 1, 2**31]),
    ("signed char", "char", (126, 300), [126, 127]),
    ("unsigned char", "uchar", (254, 300), [254, 255]),
    ("unsigned short", "ushort", (-(2**70), 1), [0, 1]),
    ("long", "long", (2**63 - 2, 2**64), [2**63 - 2, 2**63 - 1]),
    ("unsigned long", "ulong", (-1, 1), [0, 1]),
    ("unsigned long", "ulong", (2**64 - 2, 2**64), [2**64 - 2, 2**64 - 1]),
    ("_Bool", "bool", (5, 7), [0, 1]),
]


def program(type_: str, name: str, test: str) -> str:
    return f"{HEAD}int main(void) {{ {type_} v = __VERIFIER_nondet_{name}(); assert({test}); }}"


def numeral(value: int, type_: str) -> str:
    return f"{value}u" + "l" * ("long" in type_) if "unsigned" in type_ else f"{value}l"


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(("type_", "name", "given", "values"), CUT)
def test_a_range_is_cut_to_each_type(
    reader: str, type_: str, name: str, given: tuple[int, int], values: list[int]
) -> None:
    tests = [f"v == {numeral(value, type_)}" for value in values]
    count, both = len(values), " || ".join(tests)
    assert said(reader, program(type_, name, both), head="", nondet=given) == ("safe", count, [])
    for test in tests:
        text = program(type_, name, f"!({test})")
        assert said(reader, text, head="", nondet=given, whole=False)[::2] == ("violation", ["assertion"])


@pytest.mark.parametrize("reader", READERS)
def test_a_range_that_a_type_does_not_have(reader: str) -> None:
    with pytest.raises(xgen.UnsupportedError, match=r"`__VERIFIER_nondet_uint` without values .* \(0\.\.4294967295\)"):
        read(reader, program("unsigned", "uint", "v"), head="", nondet=(-3, -1))
    with pytest.raises(xgen.UnsupportedError, match=r"`rand` without values that it can give \(0\.\.2147483647\)"):
        read(reader, f"{HEAD}int main(void) {{ return rand(); }}", head="", nondet=(-3, -1))


@compiles
def test_a_truth_of_another_name() -> None:
    """One bit has no sign, whatever its name says."""
    text = "_Bool __VERIFIER_nondet_truth(void); int main(void) { assert(TEST__VERIFIER_nondet_truth()); }"
    for test in ("", "!"):
        found = said("clang", text.replace("TEST", test), nondet=(0, 1), whole=False)
        assert found[::2] == ("violation", ["assertion"])


WHOLE: list[tuple[str, str, str, str]] = [
    ("int", "int", "v * 7 + 1 != 1000000", "violation"),
    ("int", "int", "v >= -2147483648l && v <= 2147483647l", "safe"),
    ("unsigned", "uint", "v != 4000000000u", "violation"),
    ("unsigned", "uint", "v / 2 < 0x80000000u", "safe"),
    ("unsigned char", "uchar", "v < 256 && v >= 0", "safe"),
    ("unsigned char", "uchar", "v != 255", "violation"),
    ("signed char", "char", "v < 128 && v >= -128", "safe"),
    ("unsigned long", "ulong", "v != 0xfffffffffffffffful", "violation"),
    ("unsigned long", "ulong", "v / 3 <= 6148914691236517205ul", "safe"),
    ("long", "long", "v > -0x7fffffffffffffffl - 1", "violation"),
]
ALL = (-(2**63), 2**64 - 1)


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(("type_", "name", "test", "verdict"), WHOLE)
def test_all_numbers_of_a_type(reader: str, type_: str, name: str, test: str, verdict: str) -> None:
    for options in ({"any_input": True}, {"nondet": ALL}):
        loaded = read(reader, program(type_, name, test), head="", **options)
        assert xgen.check(loaded, xgen.model("sc"), engine="sat").verdict == verdict


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    ("call", "test", "verdict"),
    [
        ("rand()", "v >= 0 && v <= 2147483647", "safe"),
        ("random()", "v != 2147483647", "violation"),
        ("mrand48()", "v != -2147483648l", "violation"),
        ("lrand48()", "v >= 0", "safe"),
    ],
)
def test_numbers_by_chance(reader: str, call: str, test: str, verdict: str) -> None:
    text = f"#define _GNU_SOURCE\n{HEAD}int main(void) {{ long v = {call}; assert({test}); }}"
    loaded = read(reader, text, head="", any_input=True)
    assert xgen.check(loaded, xgen.model("sc"), engine="sat").verdict == verdict


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(("low", "high"), [(2**63 - 1, 2**63), (5, 2**64 - 2)])
def test_a_range_across_the_largest_number_with_a_sign(reader: str, low: int, high: int) -> None:
    for test, verdict in (
        (f"v >= {low}ul && v <= {high}ul", "safe"),
        (f"v != {low}ul", "violation"),
        (f"v != {high}ul", "violation"),
        (f"v != 0x{2**63:x}ul", "violation"),
    ):
        loaded = read(reader, program("unsigned long", "ulong", test), head="", nondet=(low, high))
        assert xgen.check(loaded, xgen.model("sc"), engine="sat").verdict == verdict, test


@pytest.mark.parametrize("reader", READERS)
def test_inputs_are_told_as_their_type_has_them(reader: str) -> None:
    loaded = read(reader, program("unsigned", "uint", "v != 4000000000u"), head="", any_input=True)
    (told,) = xgen.check(loaded, xgen.model("sc"), engine="sat").warnings
    assert told.startswith("note: main gets 4000000000 at line ")


@pytest.mark.parametrize("given", [(0, 2), (1, 3), (-3, 4), (5, 5)])
def test_inputs_of_a_thread_that_has_no_part_in_a_violation(given: tuple[int, int]) -> None:
    """They are in the range, too, also where it is not all that so many bits can say."""
    text = "#include <pthread.h>\n#include <assert.h>\nint __VERIFIER_nondet_int(void);\nint x;"
    text += "void *f(void *p) { x = __VERIFIER_nondet_int(); return p; }"
    text += "int main() { pthread_t t; pthread_create(&t, 0, f, 0); assert(0); }"
    assert xgen.check(xgen.parse(text, "c", nondet=given), xgen.model("sc"), engine="sat").verdict == "violation"


def test_a_task_is_whole_where_a_range_has_all_numbers() -> None:
    for high, partial in ((254, True), (255, False), (10**6, False)):
        text = f"void reach_error(void);\n{program('unsigned char', 'uchar', 'v <= 255')}"
        loaded = xgen.parse(text, "c", nondet=(0, high), property="unreach-call")
        assert loaded.asked is not None
        assert loaded.asked.partial == partial
