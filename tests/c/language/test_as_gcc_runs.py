"""Random programs of one thread, of what GNU C adds: they end as those of gcc do."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from random import Random

import pytest
from c.running import load, model

import xgen

needs_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no compiler")
HEAD = """#include <assert.h>
static unsigned log_;
static void note(unsigned x) { log_ = log_ * 31 + x; }
static void up(int *p) { note(*p); }
static void twice(int *p) { int q __attribute__((cleanup(up))) = *p + 1; note(2 * *p); }
"""


class Blocks:
    """Functions with variables that are cleaned up in blocks, loops and switches, and left in all ways."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.count = 0

    def functions(self, count: int) -> str:
        texts = [f"static int f{k}(int x) {{ {self.block(k, 3, False)} return x; }}\n" for k in range(count)]
        return "".join(texts)

    def block(self, number: int, depth: int, loops: bool) -> str:
        return " ".join(self.statement(number, depth, loops) for _ in range(self.random.randint(1, 4)))

    def statement(self, number: int, depth: int, loops: bool) -> str:
        random = self.random
        pick = random.randrange(9 if depth else 4)
        self.count += 1
        name = f"v{self.count}"
        if pick < 2:
            attribute = f"__attribute__((cleanup({random.choice(['up', 'twice'])})))"
            value = f"x + {self.count % 7}"
            forms = [f"int {name} {attribute} = {value};", f"{attribute} int {name} = {value}, {name}b = 1;"]
            forms += [f"int {name} {attribute} = {value}, {name}b = 3; note({name}b);"]
            return random.choice(forms)
        if pick == 2:
            return f"note({self.count}); x += {random.randrange(3)};"
        if pick == 3:
            ways = [f"return x + {self.count};"] + ["break;", "continue;"] * loops
            return f"if (x % {random.randint(2, 4)} == 1) {{ {random.choice(ways)} }}"
        if pick == 4:
            inner = self.block(number, depth - 1, True)
            return f"for (int {name} = 0; {name} < 3; {name}++) {{ x++; {inner} }}"
        if pick == 5:
            return f"{{ {self.block(number, depth - 1, loops)} }}"
        if pick == 6:
            return f"x = ({{ {self.block(number, depth - 1, False)} x + 1; }});"
        inner = self.block(number, depth - 1, loops)
        if pick == 7:
            return f"if (x & 1) {{ {inner} }} else {{ {self.block(number, depth - 1, loops)} }}"
        return f"note(f{random.randrange(number)}(x & 3));" if number else f"if (x) {{ {inner} }}"


def printed(text: str, folder: Path) -> int:
    """What a program prints that gcc has made."""
    (folder / "a.c").write_text("#include <stdio.h>\n" + text, encoding="utf-8")
    subprocess.run(["cc", "-w", "-O1", "-o", "a", "a.c"], cwd=folder, check=True)
    return int(subprocess.run([folder / "a"], capture_output=True, text=True, check=True, timeout=20).stdout)


@needs_compiler
@pytest.mark.parametrize("seed", range(6))
def test_cleanup(seed: int, tmp_path: Path) -> None:
    functions = Blocks(seed).functions(8)
    calls = " ".join(f"note(f{k}({x}));" for k in range(8) for x in range(3))
    found = printed(HEAD + functions + f'int main(void) {{ {calls} printf("%u", log_); }}\n', tmp_path)
    program = HEAD + functions + f"int main(void) {{ {calls} assert(log_ == {found}u); }}\n"
    result = xgen.check(load(program), model("sc"))
    assert (result.verdict, result.executions) == ("safe", 1)
