"""Programs of one thread, made at random: what is in all variables at the end, by the system's compiler and here.

Side effects are put where C orders them; loops have counters of their own, so that all of them end.
"""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest
from c.running import model

import xgen

TYPES = ["signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long", "_Bool"]
HEAD = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdio.h>\n#include <string.h>\n"
OBJECTS = """int ga[4] = {1, 2, 3, 4}, gb[4] = {[1] = 9, 8};
struct in { short x; unsigned char y; };
struct s { char a; int b; unsigned short c; long d; int v[3]; struct in in; struct { unsigned e; }; };
struct s gs[2] = {{1, 2, 3, 4, {5}, {6, 7}, {9}}, {.d = 11}}, gz, *gp = &gs[1];
static void set(int *p, int v) { *p = v; }
static struct s make(int a, long b) { struct s r = {0}; r.a = a; r.d = b; r.v[1] = a ^ b; return r; }
static int sum(struct s q) { q.b += q.a; return q.b ^ q.d ^ q.v[1]; }
static int again(int n, int x) { ga[0] ^= x; return n <= 0 ? x : again(n - 1, x * 3 + 1) + n; }
"""
MEMBERS = ["a", "b", "c", "d", "v[0]", "v[1]", "v[2]", "in.x", "in.y", "e"]
SHOWN = [
    *(f"g{k}" for k in range(6)),
    *(f"{a}[{k}]" for a in ("ga", "gb") for k in range(4)),
    *(f"{s}.{m}" for s in ("gs[0]", "gs[1]", "gz") for m in MEMBERS),
]


class Program:
    """Makes a program: `text` are its declarations and functions, of which `run` is to be called."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.count = 0
        self.plain: list[str] = []
        self.text = ""
        for k in range(6):
            qualifier = self.pick(["", "", "volatile ", "_Atomic "])
            self.text += f"{qualifier}{self.pick(TYPES)} g{k} = {self.random.randint(0, 100)};\n"
            if qualifier != "_Atomic ":
                self.plain.append(f"g{k}")
        self.plain = self.plain or ["ga[3]"]
        self.text += OBJECTS
        for level in range(2):
            for k in range(2):
                self.text += (
                    f"static int f{level}{k}(int p, long q) {{\n{self.body(level, ['p', 'q'])}  return p;\n}}\n"
                )
            self.text += f"static int (*t{level}[2])(int, long) = {{f{level}0, f{level}1}};\n"
        self.text += f"static int run(void) {{\n{self.body(2, [])}  return 0;\n}}\n"

    def pick(self, options: list[str]) -> str:
        return self.random.choice(options)

    def fresh(self, hint: str) -> str:
        self.count += 1
        return f"{hint}{self.count}"

    def body(self, level: int, parameters: list[str]) -> str:
        self.level, self.variables, self.targets = level, [*self.plain, *parameters], list[str]()
        self.arrays, self.structs, self.jumps = ["ga", "gb"], ["gs[0]", "gs[1]", "gz", "(*gp)"], list[str]()
        text = "".join(f"  {self.pick(TYPES)} v{k} = {self.expression(1)};\n" for k in range(2))
        text += f"  int w = {self.expression(1)}, la[4] = {{{self.expression(1)}, [3] = {self.expression(1)}}};\n"
        text += f"  struct s ls = {self.pick(['gs[0]', '{.b = 3, .v = {1, [2] = 5}}'])}, *lp = &ls;\n"
        self.variables += ["v0", "v1", "w"]
        self.arrays.append("la")
        text += f"  struct s lb[2] = {{{self.pick(['ls', 'make(w, 3)', '*gp'])}, {{.d = {self.expression(1)}}}}};\n"
        self.structs += ["ls", "(*lp)", "lb[0]", "lb[1]"]
        return text + "".join(self.statement(1 + level // 2) for _ in range(3))

    def place(self) -> str:
        where = self.random.random()
        if where < 0.6:
            return self.pick(self.variables)
        if where < 0.8:
            return f"{self.pick(self.arrays)}[{self.index(4)}]"
        return f"{self.pick(self.structs)}.{self.pick(MEMBERS)}"

    def index(self, size: int) -> str:
        return self.pick([str(self.random.randrange(size)), f"(unsigned){self.pick(self.variables)} % {size}u"])

    def expression(self, depth: int) -> str:
        kind = self.random.random()
        if depth == 0 or kind < 0.3:
            return self.pick([self.place(), self.place(), f"({self.random.randint(-99, 99)})", "(-2147483647 - 1)"])
        a = self.expression(depth - 1)
        if kind < 0.4:
            return f"({self.pick(['-', '~', '!', *(f'({type_})' for type_ in TYPES)])}{a})"
        if kind < 0.5:
            return f"({a} {self.pick(['/ 3', '% 7u', '<< 3', '>> 2'])})"
        b = self.expression(depth - 1)
        if kind < 0.6:
            return f"({a} ? {b} : {self.expression(depth - 1)})"
        return f"({a} {self.pick(['+', '-', '*', '&', '|', '^', '<', '>', '<=', '==', '!=', '&&', '||'])} {b})"

    def call(self) -> str:
        """A value that takes a side effect."""
        if self.level == 0:
            return f"({self.assignment()})"
        a, b, k = self.expression(1), self.expression(1), self.random.randrange(self.level)
        named = [f"f{k}0({a}, {b})", f"f{k}1({a}, {b})", f"t{k}[{self.index(2)}]({a}, {b})"]
        return self.pick([*named, f"sum(make({a}, {b}))", f"again(3, {a})", f"({self.assignment()})"])

    def effect(self) -> str:
        a, variable = self.expression(1), self.pick(self.variables)
        call = self.call()
        kinds = [call, f"({a} && {call})", f"({a} || {call})", f"({a} ? {call} : {self.expression(1)})"]
        return self.pick([*kinds, f"({call}, {self.expression(1)})", f"(++{variable})", f"({variable}--)"])

    def assignment(self) -> str:
        place, operator = self.place(), self.pick(["=", "=", "+=", "-=", "*=", "&=", "|=", "^=", "<<=", ">>=", "/="])
        small = operator in ("<<=", ">>=", "/=")
        return f"{place} {operator} {'3' if small else self.expression(2)}"

    def block(self, depth: int) -> str:
        return "".join(self.statement(depth) for _ in range(self.random.randint(1, 1 + self.level)))

    def statement(self, depth: int) -> str:
        kinds = ["assign", "effect", "step"]
        if depth > 0:
            kinds += ["if", "loop", "loop", "switch", "label", "struct", "copy", "pointer", "again", "braces"]
            kinds += ["leave"] * bool(self.targets) + ["goto"] * bool(self.jumps)
        return str(getattr(self, f"{self.pick(kinds)}_")(depth - 1))

    def assign_(self, _depth: int) -> str:
        return f"{self.assignment()};\n"

    def effect_(self, _depth: int) -> str:
        return f"{self.pick(self.variables)} = {self.effect()};\n"

    def step_(self, _depth: int) -> str:
        return f"{self.pick(self.variables)}{self.pick(['++', '--'])};\n"

    def if_(self, depth: int) -> str:
        test = self.pick([self.expression(2), self.effect()])
        otherwise = self.pick(["", f"else {{\n{self.block(depth)}}}"])
        return f"if ({test}) {{\n{self.block(depth)}}} {otherwise}\n"

    def loop_(self, depth: int) -> str:
        i, rounds = self.fresh("i"), self.random.randint(1, 2 + self.level)
        self.targets.append("loop")
        body = self.block(depth)
        self.targets.pop()
        return self.pick(
            [
                f"for (int {i} = 0; {i} < {rounds}; {i}++) {{\n{body}}}\n",
                f"{{ int {i}; for ({i} = 0; {i} < {rounds} && {self.expression(1)}; {i}++) {{\n{body}}} }}\n",
                f"{{ int {i} = {rounds}; while ({i}-- > 0) {{\n{body}}} }}\n",
                f"{{ int {i} = 0; do {{\n{body}}} while (++{i} < {rounds}); }}\n",
            ]
        )

    def switch_(self, depth: int) -> str:
        self.targets.append("switch")
        cases = "".join(
            f"case {k}:\n{self.block(depth)}{self.pick(['break;', '', ';'])}\n"
            for k in self.random.sample(range(6), self.random.randint(1, 4))
        )
        self.targets.pop()
        return f"switch ({self.expression(2)} & 7) {{\n{cases}{self.pick(['default: w++;', ''])}\n}}\n"

    def leave_(self, _depth: int) -> str:
        way = "break" if self.targets[-1] == "switch" else self.pick(["break", "continue"])
        return f"if ({self.expression(1)}) {way};\n"

    def label_(self, depth: int) -> str:
        name = self.fresh("out")
        self.jumps.append(name)
        body = self.block(depth)
        self.jumps.pop()
        return f"{{\n{body}}}\n{name}:;\n"

    def goto_(self, _depth: int) -> str:
        return f"if ({self.expression(1)}) goto {self.pick(self.jumps)};\n"

    def again_(self, depth: int) -> str:
        i, name = self.fresh("i"), self.fresh("again")
        test = f"++{i} < 3 && {self.expression(1)}"
        return f"{{ int {i} = 0; {name}:;\n{self.block(depth)}if ({test}) goto {name}; }}\n"

    def struct_(self, _depth: int) -> str:
        value = self.pick([*self.structs, f"make({self.expression(1)}, {self.expression(1)})"])
        return f"{self.pick(self.structs)} = {value};\n"

    def copy_(self, _depth: int) -> str:
        return self.pick(["memcpy(ga, gb, 3 * sizeof(int));\n", "memset(gb, 255, sizeof gb);\n"])

    def braces_(self, depth: int) -> str:
        """A statement expression, whose jumps lead out of it or stay inside."""
        t = self.fresh("t")
        body = f"int {t} = {self.expression(1)};\n{self.block(depth)}"
        return f"{self.pick(self.variables)} = ({{\n{body}{t} + {self.expression(1)}; }});\n"

    def pointer_(self, _depth: int) -> str:
        return self.pick([f"gp = {self.expression(1)} ? &gs[{self.index(2)}] : &gz;\n", f"set(&w, {self.place()});\n"])


def compiled(text: str, folder: Path) -> list[str] | None:
    """What is in the variables at the end; None where the program does what C leaves undefined."""
    prints = "".join(f'  printf("%lu\\n", (unsigned long){name});\n' for name in SHOWN)
    (folder / "made.c").write_text(f"{HEAD}{text}int main() {{\n  run();\n{prints}}}\n")
    options = ["-w", "-fwrapv", "-fno-strict-aliasing", "-fsanitize=undefined", "-fno-sanitize=shift"]
    options += ["-fno-sanitize-recover=all", "-o", str(folder / "made"), str(folder / "made.c")]
    subprocess.run(["gcc", *options], check=True)
    done = subprocess.run([str(folder / "made")], capture_output=True, text=True)
    return done.stdout.split() if done.returncode == 0 else None


def agree(seed: int, folder: Path) -> bool:
    """Compares one program; False where C leaves undefined what it does."""
    text = Program(seed).text
    values = compiled(text, folder)
    if values is None:
        return False
    asserts = "".join(f"  assert((unsigned long){n} == {v}ul);\n" for n, v in zip(SHOWN, values, strict=True))
    known = f"int main() {{\n  run();\n{asserts}}}\n"
    # Values are known to the translator, unless a thread may change them: one that never does.
    changes = "".join(f"{name} = 0; " for name in SHOWN)
    thread = f"int flag;\nvoid *change(void *a) {{ if (flag) {{ {changes}gp = 0; }} return a; }}\n"
    start = "  pthread_t t;\n  pthread_create(&t, 0, change, 0);\n  pthread_join(t, 0);\n  flag = 0;\n"
    unknown = f"{thread}int main() {{\n{start}  run();\n{asserts}}}\n"
    for last in (known, unknown):
        result = xgen.check(xgen.parse(HEAD + text + last, "c"), model("sc"), all_states=True, trace_limit=0)
        assert (result.verdict, result.executions, result.blocked) == ("safe", 1, 0)
    return True


NEEDS_GCC = pytest.mark.skipif(shutil.which("gcc") is None, reason="the programs are compiled by gcc")


@NEEDS_GCC
def test_the_compiler_agrees(tmp_path: Path) -> None:
    assert sum(agree(seed, tmp_path) for seed in range(6)) == 6


@NEEDS_GCC
@pytest.mark.slow
def test_the_compiler_agrees_on_more(tmp_path: Path) -> None:
    assert sum(agree(seed, tmp_path) for seed in range(6, 56)) == 50
