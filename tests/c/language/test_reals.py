"""Floating point numbers: computed with where they are known, against gcc; else passed on and compared."""

from __future__ import annotations

import math
import random
import shutil
import struct
import subprocess
from pathlib import Path

import pytest
from c.running import kinds, load, main, run, threads

import xgen

HEAD = """#include <string.h>
#include <assert.h>
static unsigned long bits(double x) { unsigned long found; memcpy(&found, &x, 8); return found; }
static unsigned bits_of_float(float x) { unsigned found; memcpy(&found, &x, 4); return found; }
"""
NUMBERS = (
    "0.0",
    "1.5",
    "-2.25",
    "3",
    "7u",
    "1e3",
    ".1f",
    "0x1.8p-2",
    "2.5f",
    "-8",
    "'a'",
    "1e10",
    "100000000000L",
    "3e-5f",
)


def expression(rng: random.Random, depth: int) -> str:
    if depth == 0 or rng.random() < 0.15:
        return rng.choice(NUMBERS)
    one, two, three = (expression(rng, depth - 1) for _ in range(3))
    match rng.choice(("binary", "binary", "compare", "either", "cast", "negated", "not")):
        case "binary":
            return f"({one} {rng.choice('+-*')} {two})"
        case "compare":
            return f"({one} {rng.choice(('<', '<=', '>', '>=', '==', '!='))} {two})"
        case "either":
            return f"({one} ? {two} : {three})"
        case "cast":
            return f"({rng.choice(('double', 'float', '_Bool'))}){one}"
        case "not":
            return f"(!{one})"
    return f"(- {one})"


@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc")
def test_known_numbers_are_as_gcc_has_them(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    rng = random.Random("reals")
    found = [expression(rng, 3) for _ in range(1000 if request.config.getoption("--slow") else 120)]
    calls = [f"{rng.choice(('bits', 'bits_of_float'))}({each})" for each in found]
    printed = "\n".join(f'  printf("%lu\\n", (unsigned long){call});' for call in calls)
    (tmp_path / "a.c").write_text(f"#include <stdio.h>\n{HEAD}int main(void) {{\n{printed}\n}}\n", encoding="utf-8")
    subprocess.run(["gcc", "-w", "-fwrapv", "-o", "a", "a.c"], cwd=tmp_path, check=True)
    answers = subprocess.run([tmp_path / "a"], capture_output=True, check=True, text=True).stdout.split()
    body = "\n".join(f"  assert({call} == {answer}ul);" for call, answer in zip(calls, answers, strict=True))
    result = xgen.check(load(f"{HEAD}int main(void) {{\n{body}\n}}\n"), xgen.model("sc"))
    assert result.witness is None, calls[result.witness.violations[0].position.line - HEAD.count("\n") - 2]


MASK = """static int mask(TYPE a, TYPE b) {
  return (a == b) + 2 * (a != b) + 4 * (a < b) + 8 * (a <= b) + 16 * (a > b) + 32 * (a >= b) + 64 * !a + 128 * (-a < b)
    + 256 * (_Bool)b + 512 * (a < 1.5) + 1024 * (-1.5 == b);
}
TYPE values[] = {0.0, -0.0, 1.5, -1.5, 3e38, INFINITY, -INFINITY, NAN, 1e-30};
"""


@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc")
@pytest.mark.parametrize("type_", ["double", "float"])
def test_numbers_that_are_not_known_are_compared_as_gcc_does(type_: str, tmp_path: Path) -> None:
    text = MASK.replace("TYPE", type_)
    printing = 'for (int n = 0; n < 81; n++) printf("%d,", mask(values[n / 9], values[n % 9]));'
    heads = "#include <math.h>\n#include <stdio.h>\n"
    (tmp_path / "a.c").write_text(f"{heads}{text}int main(void) {{ {printing} }}\n", encoding="utf-8")
    subprocess.run(["gcc", "-w", "-o", "a", "a.c"], cwd=tmp_path, check=True)
    answers = subprocess.run([tmp_path / "a"], capture_output=True, check=True, text=True).stdout
    numbers = (0.0, -0.0, 1.5, -1.5, 3e38, math.inf, -math.inf, math.nan, 1e-30)
    both, number = ("<d<Q", "unsigned long") if type_ == "double" else ("<f<i", "int")
    end = "ul" if type_ == "double" else ""
    words = ", ".join(str(struct.unpack(both[2:], struct.pack(both[:2], value))[0]) + end for value in numbers)
    checked = text[: text.index("TYPE values".replace("TYPE", type_))]
    checked += (
        f"union {{ {number} bits[9]; {type_} values[9]; }} u = {{{{{words}}}}};\nint answers[] = {{{answers}}};\n"
    )
    body = "int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();"
    body += " assert(mask(u.values[a], u.values[b]) == answers[9 * a + b]);"
    result = main(body, checked, nondet=(0, 8))
    assert (result.verdict, result.executions) == ("safe", 81)


def test_numbers_are_passed_on() -> None:
    """As whole numbers are, in structures, arrays, calls, by other threads, as atomic objects."""
    before = """struct pair {{ {0} x, y; }}; struct pair g = {{1, 2}}; {0} a[2]; _Atomic {0} flag;
static {0} second(struct pair p, {0} unused) {{ return p.y; }}"""
    bodies = (
        "g.x = 5; a[1] = second(g, 3); flag = g.x;",
        "if (flag == 5) a[0] = a[1]; {0} old = atomic_exchange(&flag, 7);",
    )
    after = "int found = a[0] == 2; int last = flag == 7; assert(!found || a[1] == 2); n = found + 2 * last;"
    counts = []
    for type_ in ("long", "double", "float", "int"):
        text = threads(
            *(body.replace("{0}", type_) for body in bodies), before=before.format(type_) + " int n;", after=after
        )
        result = run(text)
        assert result.verdict == "safe"
        found = sorted((int(each.state["n"]), each.count) for each in result.outcomes)
        counts.append((result.executions, [n for n, _ in found], sum(count for _, count in found)))
    assert counts[1:] == counts[:-1]


def test_races_of_numbers_that_are_only_printed() -> None:
    text = threads("sum = 2.5;", before="#include <stdio.h>\ndouble sum; int n = 3;", after="")
    printing = 'printf("%f %g", n / 2.0 + 1 / sum, (float)n++ + sqrtf_of(sum));'
    text = "static double sqrtf_of(double x) { return -x; }\n" + text.replace(
        "  pthread_join", f"  {printing}\n  pthread_join"
    )
    assert [kind for kind, _ in kinds(text)] == ["race"]


def test_numbers_of_one_type_are_read_as_another() -> None:
    body = """double d = 1.5; unsigned long u; memcpy(&u, &d, 8); assert(u == 0x3ff8ul << 48);
union { float f; unsigned n; } v; v.n = 0x40200000; assert(v.f == 2.5f);
*(double *)&u = -2; assert(u == 0xcul << 60);"""
    assert main(body).verdict == "safe"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("d = x + 1;", "`+` of double (of numbers that are not known here, or with no number) is not supported"),
        ("d = x; d++;", "`+` of double (of numbers that are not known here, or with no number) is not supported"),
        ("int k = x;", "a conversion of double to int (of a number that is not known here, or does not fit) is not"),
        (
            "float f = x;",
            "a conversion of double to float (of a number that is not known here, or does not fit) is not",
        ),
        (
            "d = n;",
            "a conversion of int to double (of a number that is not known here, or does not fit) is not supported",
        ),
        ("int k = 1e20;", "a conversion of double to int (of a number that is not known here, or does not fit) is not"),
        ("d = 1.0; int k = d / 0;", "`/` of double (of numbers that are not known here, or with no number) is not"),
        ("int k = 5.0 % 2;", "`%` of double is not supported"),
        ("int k = 1 << 2.0;", "`<<` of double is not supported"),
        (
            "_Atomic double a = 1; a += x; n = a > 0;",
            "`+` of double (of numbers that are not known here, or with no number) is not",
        ),
        ("long double l = 1;", "floating point (`long double`) is not supported"),
        ("d = 1.0L;", "the number 1.0L is not supported"),
        ("if (x > sqrt(2)) d = 1;", "the function `sqrt`, which has no body, is not supported"),
    ],
)
def test_what_is_not_known_is_refused(body: str, message: str) -> None:
    text = "double sqrt(double); double x; int n; void *f(void *p) { x = 1; n = 2; return p; }\n"
    text += "int main() { pthread_t t; pthread_create(&t, 0, f, 0); double d;\n" + body + "\nn = d > 0; }"
    with pytest.raises(xgen.UnsupportedError) as error:
        load("#include <pthread.h>\n" + text)
    assert error.value.message.startswith(message)
    assert error.value.line == 4


def test_an_atomic_integer_is_updated_by_a_fraction() -> None:
    """The sum is computed as a fraction, and then cut."""
    assert main("n += 1.5; assert(n == -1); n -= 1.5; assert(n == -2);", "atomic_int n = -3;").verdict == "safe"
