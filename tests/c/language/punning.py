"""Random programs of one thread that access the same bytes in several sizes, and what gcc's programs read there."""

from __future__ import annotations

import random
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

HEAD = """#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
union u {
  uint64_t q; struct { uint8_t a, b; uint16_t c; int32_t d; }; uint32_t w[2]; int16_t h[4]; unsigned char y[8];
};
struct s { uint32_t m; int32_t n; union u u; long z; };
"""
OBJECTS = {
    "v": ("union u", 8),
    "s": ("struct s", 24),
    "a": ("int", 16),
    "l": ("uint64_t", 8),
    "b": ("unsigned char", 16),
}
"""By the first letter of their names: types and bytes. `a` and `b` are arrays."""
_MEMBERS = ("q", "a", "b", "c", "d", "w[0]", "w[1]", "h[0]", "h[1]", "h[2]", "h[3]", "y[1]", "y[6]")
_CASTS = {1: ("uint8_t", "signed char"), 2: ("uint16_t", "short"), 4: ("uint32_t", "int"), 8: ("uint64_t", "long")}


class Writer:
    """Writes a program; `names` are its objects, `index` a variable of which nobody knows the value before it runs."""

    def __init__(self, rng: random.Random, names: Sequence[str], index: str | None) -> None:
        self.rng, self.names, self.index, self.reads = rng, names, index, 0
        self.lines: list[str] = []

    def number(self) -> str:
        return hex(self.rng.choice([self.rng.getrandbits(64), self.rng.getrandbits(16), 0xFF, 1]))

    def union(self) -> str | None:
        found = [name for name in self.names if name[0] == "v"] + [f"{n}.u" for n in self.names if n[0] == "s"]
        return self.rng.choice(found) if found else None

    def address(self, size: int, aligned: bool) -> str:
        name = self.rng.choice(self.names)
        step = size if aligned else 1
        offset = self.rng.randrange(0, OBJECTS[name[0]][1] - size + 1, step)
        return f"((unsigned char *)&{name} + {offset})"

    def place(self) -> str:
        """An lvalue that is a number."""
        union = self.union()
        if union and self.rng.random() < 0.5:
            if self.index and self.rng.random() < 0.3:
                return self.rng.choice([f"{union}.h[{self.index}]", f"{union}.y[{self.index} + 1]"])
            return f"{union}.{self.rng.choice(_MEMBERS)}"
        size = self.rng.choice([1, 2, 4, 8])
        return f"*({self.rng.choice(_CASTS[size])} *){self.address(size, True)}"

    def read(self, value: str) -> None:
        self.lines.append(f"CHECK({self.reads}, {value});")
        self.reads += 1

    def line(self) -> None:
        kind = self.rng.randrange(10)
        if kind < 3:
            self.lines.append(f"{self.place()} {self.rng.choice(['=', '=', '+=', '^='])} {self.number()};")
        elif kind < 6:
            self.read(self.place())
        elif kind == 6:
            size = self.rng.randint(1, 8)
            self.lines.append(f"memmove({self.address(size, False)}, {self.address(size, False)}, {size});")
        elif kind == 7:
            size = self.rng.randint(1, 8)
            self.lines.append(f"memset({self.address(size, False)}, {self.rng.randrange(256)}, {size});")
        elif kind == 8:
            same = [(a, b) for a in self.names for b in self.names if a != b and a[0] == b[0] and a[0] in "vsl"]
            if same:
                self.lines.append("{} = {};".format(*self.rng.choice(same)))
        else:
            self.lines.append(f"{{ uint64_t t = {self.place()}; {self.place()} = t + 3; }}")


def program(rng: random.Random) -> str:
    """CHECK is not defined in it. Every object has all its values from the start."""
    names = [f"{rng.choice(list(OBJECTS))}{k}" for k in range(rng.randint(1, 3))]
    index = "at" if rng.random() < 0.5 else None
    writer = Writer(rng, names, index)
    for _ in range(rng.randint(4, 10)):
        writer.line()
    writer.read(writer.place())
    outside = [name for name in names if rng.random() < 0.6]
    declared = {}
    for name in names:
        type_, bytes_ = OBJECTS[name[0]]
        numbers = ", ".join(
            str(rng.randrange(1, 100)) for _ in range({"v": 1, "s": 4, "a": 4, "l": 1, "b": 16}[name[0]])
        )
        size = f"[{bytes_ // 4 if name[0] == 'a' else 16}]" if name[0] in "ab" else ""
        declared[name] = f"{type_} {name}{size} = {numbers if name[0] == 'l' else f'{{ {numbers} }}'};"
    globals_ = "\n".join(declared[name] for name in outside)
    locals_ = "\n  ".join(declared[name] for name in names if name not in outside)
    body = "\n  ".join(writer.lines)
    return f"""{HEAD}{globals_}
int at;
static void *f(void *p) {{
  at = p != 0;
  {locals_}
  {body}
  return 0;
}}
int main(void) {{
  pthread_t t;
  pthread_create(&t, 0, f, &t);
  pthread_join(t, 0);
}}
"""


def read_by_gcc(text: str, folder: Path) -> dict[int, int]:
    """What each CHECK reads; a number may be read several times, or never."""
    path = folder / "program"
    printed = '#define CHECK(n, value) printf("%d %llu\\n", n, (unsigned long long)(value))\n'
    path.with_suffix(".c").write_text(printed + text)
    command = [
        "gcc",
        "-w",
        "-O1",
        "-fno-strict-aliasing",
        "-fwrapv",
        "-o",
        str(path),
        str(path.with_suffix(".c")),
        "-pthread",
    ]
    subprocess.run(command, check=True)
    printed = subprocess.run([path], check=True, capture_output=True, text=True).stdout
    return {int(n): int(value) for n, value in re.findall(r"(\d+) (\d+)", printed)}


def with_values(text: str, values: dict[int, int], wrong: int = -1) -> str:
    """The program with an assertion in the place of each CHECK; one of them asks for another value."""
    checks = {n: f"assert((unsigned long long)(\\1) == {value ^ (n == wrong)}ull);" for n, value in values.items()}
    for n, assertion in checks.items():
        text = re.sub(rf"CHECK\({n}, (.*)\);", assertion, text)
    return text
