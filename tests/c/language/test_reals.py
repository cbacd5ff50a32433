"""Floating point numbers: computed with as gcc does, whether they are known or not; passed on and compared."""

from __future__ import annotations

import itertools
import math
import random
import re
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
        ("int k = 5.0 % 2;", "`%` needs integers, not double"),
        ("int k = 1 << 2.0f;", "`<<` needs integers, not float"),
        ("int k = ~2.0;", "`~` needs an integer, not double"),
        ("long double l = 1;", "floating point (`long double`) is not supported"),
        ("d = 1.0L;", "the number 1.0L is not supported"),
        ("if (x > cbrt(2)) d = 1;", "the function `cbrt`, which has no body, is not supported"),
        ("d = sqrt(2, 3);", "`sqrt` takes 1 argument, not 2"),
    ],
)
def test_what_is_refused(body: str, message: str) -> None:
    text = "double cbrt(double); double x; int n; void *f(void *p) { x = 1; n = 2; return p; }\n"
    text += "int main() { pthread_t t; pthread_create(&t, 0, f, 0); double d;\n" + body + "\nn = d > 0; }"
    with pytest.raises(xgen.XgenError) as error:
        load("#include <pthread.h>\n" + text)
    assert error.value.message.startswith(message)
    assert error.value.line == 4


COMPUTED = (
    *(f"a {op} b" for op in "+-*/"),
    *(f"{name}(a)" for name in ("fabs", "sqrt", "ceil", "floor", "trunc", "round", "rint", "nearbyint")),
    *(f"{name}(a, b)" for name in ("fmod", "copysign")),
    *(f"isfinite(a) && fabs(a) < 1e18 ? {name}(a) : 0" for name in ("lround", "lrint")),
    "fmin(a, b) + 0",  # of zeros it may be either
    "fmax(a, b) + 0",
    *(f"(TYPE)({whole})w" for whole in ("int", "unsigned", "long", "unsigned long", "char", "unsigned char")),
    "(TYPE)(float)a + (TYPE)(double)b",
    "isnan(a) + 2 * !!isinf(a) + 4 * isfinite(a)",
    "(a < b) + 2 * (a == b) + 4 * (a >= b) + 8 * !a + 16 * (a && b)",
)
OPERANDS = (
    *("0.0", "-0.0", "1.0", "-1.5", "2.5", "-3.5", "0.1", "1e300 * 1e10", "-INFINITY", "NAN", "3e38", "-3.4e38"),
    *("1e-40", "-5e-324", "2147483648.0", "9007199254740993.0", "1.8446744073709552e19", "0.49999999999999994"),
)
WHOLE = ("0", "-1", "127", "-129", "2147483647", "-2147483648", "9007199254740993", "-9223372036854775807 - 1")


@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc")
@pytest.mark.parametrize("type_", ["double", "float"])
def test_numbers_that_threads_choose_are_computed_with_as_gcc_does(type_: str, tmp_path: Path) -> None:
    """All operations on all pairs of numbers, which nobody knows while the program is read."""
    end, word = ("f", "unsigned") if type_ == "float" else ("", "unsigned long")
    computed = [
        re.sub(r"\b(f|s|c|t|r|n|l)(\w+)\((?=a)", rf"\1\2{end}(", text).replace("TYPE", type_) for text in COMPUTED
    ]
    rows = (len(OPERANDS), len(WHOLE))
    cases = "\n".join(f"    case {number}: return {text};" for number, text in enumerate(computed))
    functions = f"""#include <math.h>
#include <string.h>
static {type_} compute(int which, {type_} a, {type_} b, long w) {{
  switch (which) {{
{cases}
  }}
  return 0;
}}
static {word} shown({type_} number) {{
  {word} bits;
  if (isnan(number)) return 1;
  memcpy(&bits, &number, sizeof bits);
  return bits;
}}
"""
    values = f"{type_} values[] = {{{', '.join(OPERANDS)}}};\nlong whole[] = {{{', '.join(WHOLE)}}};\n"
    loops = f"""int main(void) {{
  for (int n = 0; n < {len(computed)}; n++) for (int i = 0; i < {rows[0]}; i++) for (int j = 0; j < {rows[0]}; j++)
    printf("%lu ", (unsigned long)shown(compute(n, values[i], values[j], whole[(i + j) % {rows[1]}])));
  for (int i = 0; i < {rows[0]}; i++) printf("%lu ", (unsigned long)shown(values[i]) + isnan(values[i]));
}}
"""
    (tmp_path / "a.c").write_text(f"#include <stdio.h>\n{functions}{values}{loops}", encoding="utf-8")
    options = ["-w", "-O0", "-ffp-contract=off", "-frounding-math", "-o", "a", "a.c", "-lm"]
    subprocess.run(["gcc", *options], cwd=tmp_path, check=True)
    answers = subprocess.run([tmp_path / "a"], capture_output=True, check=True, text=True).stdout.split()
    bits, answers = answers[-rows[0] :], answers[: -rows[0]]
    bits = [str({"double": 0x7FF8 << 48, "float": 0x7FC0 << 16}[type_]) if each == "2" else each for each in bits]
    words = ", ".join(each + "u" for each in bits)
    before = f"""{functions}union {{ {word} bits[{rows[0]}]; {type_} values[{rows[0]}]; }} u = {{{{{words}}}}};
long whole[] = {{{", ".join(WHOLE)}}};
{word} answers[] = {{{", ".join(each + "u" for each in answers)}}};
int which[3];
"""
    body = f"""int n = __VERIFIER_nondet_int(), i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
which[0] = n; which[1] = i; which[2] = j;
if (n >= {len(computed)} || i >= {rows[0]} || j >= {rows[0]}) return 0;
{type_} found = compute(n, u.values[i], u.values[j], whole[(i + j) % {rows[1]}]);
assert(shown(found) == answers[n * {rows[0] ** 2} + i * {rows[0]} + j]);"""
    result = main(body, before, nondet=(0, max(len(computed), rows[0]) - 1))
    if result.witness is not None:
        n, i, j = (event.value for event in result.witness.events if event.thread == 0 and event.kind == "W")
        pytest.fail(f"{computed[n]}: {OPERANDS[i]}, {OPERANDS[j]}, {WHOLE[(i + j) % rows[1]]}")
    assert result.verdict == "safe"


FITS = (
    ("int", "2147483647.9", "2147483648.0", "-2147483648.9", "-2147483649.0"),
    ("unsigned", "4294967295.9", "4294967296.0", "-0.9", "-1.0"),
    ("char", "127.9", "128.0", "-128.9", "-129.0"),
    ("unsigned short", "65535.5", "65536.0", "-0.5", "-1.5"),
    ("long", "9223372036854774784.0", "9223372036854775808.0", "-9223372036854775808.0", "-9223372036854777856.0"),
    ("unsigned long", "18446744073709549568.0", "18446744073709551616.0", "-0.5", "-1.0"),
)


@pytest.mark.parametrize(("type_", "most", "above", "least", "below"), FITS)
def test_what_does_not_fit_a_whole_number_overflows(type_: str, most: str, above: str, least: str, below: str) -> None:
    """Known or not: C11, 6.3.1.4. What fits is cut towards 0, as Python does."""
    for text, fits in ((most, True), (above, False), (least, True), (below, False), ("(0.0 / 0.0)", False)):
        right = str(int(float(text))).replace("-9223372036854775808", "(-9223372036854775807 - 1)") if fits else "0"
        for value in (text, f"values[__VERIFIER_nondet_int()] + {text}"):
            body = f"{type_} k = {value}; assert(k == {right}{'u' * (right[0] not in '-(')});"
            result = main(body, "double values[] = {0.0, 0.0};", nondet=(0, 1))
            assert kinds_of(result) == ([] if fits else ["overflow"]), value


def kinds_of(result: xgen.Result) -> list[str]:
    return [] if result.witness is None else [each.kind for each in result.witness.violations]


def test_sums_of_threads() -> None:
    """Each sum is rounded, so that their order decides what comes out."""
    bodies = [
        f"pthread_mutex_lock(&m); sum += {number}; pthread_mutex_unlock(&m);" for number in ("1e16", "1", "-1e16")
    ]
    text = threads(*bodies, before="#include <stdio.h>\npthread_mutex_t m; double sum; int n;", after="n = sum; SHOW")
    seen = {int(each.state["n"]) for each in run(text.replace("SHOW", 'printf("%f", sum);')).outcomes}
    assert seen == {int(a + b + c) for a, b, c in itertools.permutations((1e16, 1.0, -1e16))} == {0, 1}
    atomic = text.replace("double sum", "_Atomic double sum").replace("SHOW", "")
    result = run(re.sub(r"pthread_mutex_\w+\(&m\);", "", atomic))
    assert {int(each.state["n"]) for each in result.outcomes} == seen


def test_an_atomic_integer_is_updated_by_a_fraction() -> None:
    """The sum is computed as a fraction, and then cut."""
    assert main("n += 1.5; assert(n == -1); n -= 1.5; assert(n == -2);", "atomic_int n = -3;").verdict == "safe"
