"""`__int128`: what is computed against gcc, what threads do against the same with structures."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from c.running import load, run

import xgen

HEAD = "#include <assert.h>\n#include <stdint.h>\n#include <pthread.h>\ntypedef unsigned __int128 wide;\n"
VALUES = ("0", "1", "-1", "7u", "-5", "0x8000000000000000u", "0xffffffffffffffffu", "-0x7fffffffffffffff")


def expression(rng: random.Random, depth: int) -> str:
    """A number of 128 bits, of g, h, constants and what is computed of them."""
    kind = rng.choice(("__int128", "wide"))
    if depth == 0:
        return rng.choice(("g", "h", f"({kind}){rng.choice(VALUES)}", f"({kind})n"))
    inner = expression(rng, depth - 1)
    match rng.randrange(4):
        case 0:
            return f"({inner} << {rng.choice((0, 1, 31, 63, 64, 65, 127))})"
        case 1:
            return f"(({kind}){inner} >> {rng.choice((0, 1, 31, 63, 64, 65, 127))})"
        case 2:
            return f"({inner} {rng.choice('+-&|^')} {rng.choice(VALUES)})"
    return f"({inner} {rng.choice('+-&|^')} {expression(rng, rng.randrange(depth))})"


@pytest.mark.skipif(shutil.which("gcc") is None, reason="the programs are compiled by gcc")
def test_values_are_those_of_gcc(tmp_path: Path) -> None:
    """Of variables whose values are known, and of some that another thread might have written."""
    rng = random.Random("wide")
    texts = [expression(rng, rng.randrange(1, 4)) for _ in range(60)]
    lines = [f"v = {text}; s(v, {text} == h);" for text in texts]
    start = "__int128 g = -3, h = 0x123456789abcdefu; int64_t n = -9;\n"
    body = "  wide v; g = (g << 40) ^ 77; v = 1; v += g; g -= 1; h |= v;\n  " + "\n  ".join(lines)
    shown = 'void s(wide v, int e) { printf("%lu %lu %d\\n", (uint64_t)v, (uint64_t)(v >> 64), e); }\n'
    path = tmp_path / "wide.c"
    path.write_text(HEAD + "#include <stdio.h>\n" + start + shown + "int main(void) {\n" + body + "\n}\n")
    subprocess.run(["gcc", "-w", "-fwrapv", "-o", str(tmp_path / "wide"), str(path)], check=True)
    values = subprocess.run([str(tmp_path / "wide")], check=True, capture_output=True, text=True).stdout.split("\n")
    others = "void *t(void *a) { if (n == 1) { g = 5; h = 6; n = 2; } return a; }\n"
    for made in ("", others):
        create = "  pthread_t o; pthread_create(&o, 0, t, 0);\n" if made else ""
        checks = "\n".join(
            f"  v = {text}; assert((uint64_t)v == {value.split()[0]}u && (uint64_t)(v >> 64) == {value.split()[1]}u);"
            f" assert(({text} == h) == {value.split()[2]} && ({text} != h) != {value.split()[2]});"
            for text, value in zip(texts, values, strict=False)
        )
        text = f"{HEAD}{start}{made}int main(void) {{\n{body.partition(chr(10))[0]}\n{create}{checks}\n}}\n"
        result = run(text, "sc")
        assert (result.verdict, result.executions) == ("safe", 1), made
        wrong = text[::-1].replace(re.findall(r"u(\d+) ==", text[::-1])[0], "1", 1)[::-1]
        assert run(wrong, "sc").verdict == "violation"


OBJECT = "struct pair { uint64_t low, high; };\nunion { wide both; struct pair pair; } x;\n"
THREADS = (
    "void *t(void *a) {{ {first} return a; }}\nint r, s;\n"
    "int main(void) {{ pthread_t o; pthread_create(&o, 0, t, 0); {second} pthread_join(o, 0); }}\n"
)
PAIR = "(struct pair){{{}, {}}}"
SAME = (
    ("__sync_bool_compare_and_swap(&x.both, {old}, {new})", "({{ struct pair w = {old}, n = {new}; "
     "__atomic_compare_exchange(&x.pair, &w, &n, 0, 5, 5); }})"),
    ("__atomic_store_n(&x.both, {new}, 3)", "({{ struct pair n = {new}; __atomic_store(&x.pair, &n, 3); }})"),
    ("(int)(uint64_t)__atomic_load_n(&x.both, 2)", "({{ struct pair n; __atomic_load(&x.pair, &n, 2); (int)n.low; }})"),
    ("(int)(uint64_t)(__atomic_exchange_n(&x.both, {new}, 4) >> 64)", "({{ struct pair w, n = {new}; "
     "__atomic_exchange(&x.pair, &n, &w, 4); (int)w.high; }})"),
    ("(int)(uint64_t)__sync_val_compare_and_swap(&x.both, {old}, {new})", "({{ struct pair w = {old}, n = {new}; "
     "__atomic_compare_exchange(&x.pair, &w, &n, 0, 5, 5); (int)w.low; }})"),
)  # fmt: skip


@pytest.mark.parametrize("mcm", ["sc", "tso", "arm8", "rc11"])
def test_threads_do_what_they_do_with_structures(mcm: str) -> None:
    rng = random.Random(f"wide threads {mcm}")
    for _ in range(6):
        found = []
        chosen = [(rng.choice(SAME), rng.choice((0, 1)), rng.choice((1, 2)), rng.choice((0, 3))) for _ in range(4)]
        for kind in (0, 1):
            steps = []
            for way, old, low, high in chosen:
                numbers = [
                    f"((wide){h} << 64 | {n})" if kind == 0 else PAIR.format(n, h) for n, h in ((old, 0), (low, high))
                ]
                steps.append(way[kind].format(old=numbers[0], new=numbers[1]))
            store = "__atomic_store" in steps[2] and kind == 0
            first, last = f"{steps[0]}; {steps[1]};", steps[2] if store else f"r = {steps[2]}"
            if "__atomic_store(" in steps[2]:
                last = steps[2]
            text = HEAD + OBJECT + THREADS.format(first=first, second=f"{last};")
            result = run(text, mcm)
            found.append((result.verdict, result.executions, len(result.outcomes)))
        assert found[0] == found[1], chosen


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = a * b;", "`*` of `__int128` is not supported"),
        ("return a < b;", "`<` of `__int128` is not supported"),
        ("a = a << b;", "a shift of or by `__int128` that is not by a number from 0 to 127 is not supported"),
        ("if (a) return 1;", "`__int128` here is not supported"),
        ("n = n ? a : n;", "`? :` of a number of 128 bits and another one is not supported"),
        ("_Bool b = a;", "`__int128` as _Bool is not supported"),
        ("__atomic_fetch_add(&a, 1, 5);", "an atomic operation on unsigned __int128 is not supported"),
        (
            "__atomic_store_n((wide *)&w[1], 0, 5);",
            "an access that is not aligned (16 bytes at `w+8`) is not supported",
        ),
    ],
)
def test_refusals(text: str, message: str) -> None:
    with pytest.raises(xgen.UnsupportedError) as caught:
        load(HEAD + f"wide a, b; int n; uint64_t w[4];\nint main(void) {{\n  {text}\n}}\n")
    assert message in caught.value.message
    assert caught.value.line == HEAD.count("\n") + 3
