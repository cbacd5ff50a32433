"""Integer expressions: what they are in C, by the system's compiler, and what they are here, folded and computed."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest
from c.running import HEAD, INTEGERS, load, model

import xgen
from xgen.program import automaton

TYPES = INTEGERS | {"_Bool": (1, False)}
VARIABLES = [f"x{k}" for k in range(12)]
COUNT = 60


class Expressions:
    """Makes expressions over typed variables that are defined in C with -fwrapv."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.types = {name: self.random.choice(list(TYPES)) for name in VARIABLES}
        self.values = {name: self.value(type_) for name, type_ in self.types.items()}

    def value(self, type_: str) -> int:
        bits, signed = TYPES[type_]
        low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
        edge = [low, high, 0, 1, max(low, -1), min(high, 7), high // 2]
        return self.random.choice([*edge, self.random.randint(low, high)])

    def constant(self, value: int, type_: str) -> str:
        if value == -(1 << 63):
            return "(-9223372036854775807L - 1)"
        return f"({type_}){value}{'UL' if value >= 1 << 63 else 'L'}"

    def expression(self, depth: int) -> str:
        pick = self.random.random()
        if depth == 0 or pick < 0.15:
            if self.random.random() < 0.7:
                return self.random.choice(VARIABLES)
            type_ = self.random.choice(list(TYPES))
            return f"({self.constant(self.value(type_), type_)})"
        a = self.expression(depth - 1)
        if pick < 0.3:
            return f"({self.random.choice(['-', '~', '!', '+'])}{a})"
        if pick < 0.42:
            return f"(({self.random.choice(list(TYPES))}){a})"
        if pick < 0.5:
            return f"({a} {self.random.choice(['/', '%'])} {self.random.choice(['3', '7u', '100L', '5ul', '(-7)'])})"
        if pick < 0.58:
            return f"({a} {self.random.choice(['<<', '>>'])} {self.random.randint(0, 31)})"
        b = self.expression(depth - 1)
        if pick < 0.64:
            return f"({a} ? {b} : {self.expression(depth - 1)})"
        sign = self.random.choice(["+", "-", "*", "&", "|", "^", "<", ">", "<=", ">=", "==", "!=", "&&", "||"])
        return f"({a} {sign} {b})"

    def declarations(self) -> str:
        return "".join(
            f"{type_} {name} = {self.constant(self.values[name], type_)};\n" for name, type_ in self.types.items()
        )


def compiled(declarations: str, expressions: list[str], folder: Path) -> list[int]:
    """What the system's compiler makes of them: each as an unsigned long."""
    prints = "".join(f'  printf("%lu\\n", (unsigned long){text});\n' for text in expressions)
    source = folder / "values.c"
    source.write_text(f"#include <stdio.h>\n{declarations}int main() {{\n{prints}}}\n")
    program = folder / "values"
    subprocess.run(["cc", "-w", "-fwrapv", "-O0", "-o", program, source], check=True)
    return [int(line) for line in subprocess.run([program], check=True, capture_output=True, text=True).stdout.split()]


@pytest.mark.sweep
@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("folded", [True, False])
def test_against_the_compiler(seed: int, folded: bool, tmp_path: Path) -> None:
    made = Expressions(seed)
    texts = [made.expression(made.random.randint(1, 4)) for _ in range(COUNT)]
    values = compiled(made.declarations(), texts, tmp_path)
    asserts = "".join(f"  assert((unsigned long){t} == {v}ul);\n" for t, v in zip(texts, values, strict=True))
    changes = "".join(f"{name} = 0; " for name in VARIABLES)
    # Values are known to the translator, unless a thread may change them: one that never does.
    spawn = "" if folded else "  pthread_t t; pthread_create(&t, 0, change, 0); pthread_join(t, 0); flag = 0;\n"
    thread = f"int flag;\nvoid *change(void *a) {{ if (flag) {{ {changes} }} return a; }}\n"
    program = load(f"{HEAD}{made.declarations()}{thread}int main() {{\n{spawn}{asserts}}}\n")
    result = xgen.check(program, model("rc11"), all_states=True, trace_limit=0)
    assert (result.verdict, result.executions) == ("safe", 1)


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("sizeof(long)", 8),
        ("sizeof(struct { char c; int i; char d; })", 12),
        ("sizeof(int[3])", 12),
        ("_Alignof(short)", 2),
        ("(unsigned char)-1", 255),
        ("-1 < 0u", 0),
        ("'a' + '\\n' + '\\x41' + '\\0'", 97 + 10 + 65),
        ("2147483647 + 1 < 0", 1),
        ("0xffffffff == -1", 1),
        ("4294967295 == -1", 0),
        ("010 + 0b11", 11),
        ("(_Bool)256 + (_Bool)0", 1),
        ("-7 / 2 * 10 + -7 % 2", -31),
        ("-1 >> 1", -1),
        ("-1u >> 31", 1),
        ("1 ? 2 : 3, 4", 4),
        ("(short)40000", -25536),
        ("sizeof(1 + 1L)", 8),
        ("sizeof(char) == sizeof('a')", 0),
        ('"abc"[1]', 98),
        ('sizeof("abc")', 4),
        ("__builtin_expect(-1ul, 0) < 0", 1),
    ],
)
def test_known_values(expression: str, value: int) -> None:
    result = xgen.check(load(f"{HEAD}int main() {{ assert(({expression}) == {value}); }}"), model("sc"))
    assert result.verdict == "safe"


EXTREMES = """
  u = 0xfffffffeu;
  assert(__sync_fetch_and_max(&u, 5) == 0xfffffffeu && u == 5);
  assert(__sync_fetch_and_umax(&u, 0xfffffff0u) == 5 && u == 0xfffffff0u);
  assert(__sync_fetch_and_umin(&u, 7) == 0xfffffff0u && u == 7);
  i = -2;
  assert(__sync_fetch_and_max(&i, 1) == -2 && i == 1);
  assert(__sync_fetch_and_min(&i, -5) == 1 && i == -5);
  assert(__sync_fetch_and_umax(&i, 3) == -5 && i == -5);
  assert(__sync_fetch_and_umin(&i, 3) == -5 && i == 3);
"""


def test_extremes() -> None:
    """Of what Clang has, and says."""
    threads = "void *t(void *a) { i = 0; return a; }\nint main() { pthread_t p; pthread_create(&p, 0, t, 0);"
    text = f"{HEAD}unsigned u; int i;\n{threads} pthread_join(p, 0); {EXTREMES} }}"
    result = xgen.check(load(text), model("sc"), all_states=True)
    assert (result.verdict, result.executions) == ("safe", 1)


def test_extremes_of_what_is_no_int() -> None:
    with pytest.raises(xgen.UnsupportedError, match="`__sync_fetch_and_max` of what is no int is not supported"):
        load(f"{HEAD}char c; int main() {{ __sync_fetch_and_max(&c, 1); }}")


@pytest.mark.parametrize(
    ("expression", "checks"),
    [
        ("g % 128", []),
        ("g / -2", []),
        ("7 / g", ["division-by-zero"]),
        ("g / -1", ["overflow"]),
        ("g % 0", ["division-by-zero"]),
        ("g / g", ["division-by-zero", "overflow"]),
        ("(-2147483647 - 1) / g", ["division-by-zero", "overflow"]),
        ("g / 3u", []),
        ("g / 0xffffffffu", []),
        ("(long)g / -1", ["overflow"]),
    ],
)
def test_divisions_are_checked_where_they_can_go_wrong(expression: str, checks: list[str]) -> None:
    body = f"int g = __VERIFIER_nondet_int(); long r = {expression}; return (g = r, 0);"
    program = load(f"{HEAD}int main() {{ {body} }}", nondet=(1, 5))
    edges = [edge for process in program.processes for edge in process.procedures[0].edges]
    assert [step.kind for edge in edges for step in edge.statements if isinstance(step, automaton.Assert)] == checks
