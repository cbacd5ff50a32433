"""The kernel's C against its litmus tests: the same states, executions and flags, of the same functions.

The litmus reader has herd's control dependencies (tests/litmus/test_c.py, test_dependencies.py); here each branch of a
driver has to mean the same, and all else that a function of the kernel is.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.c.kernel.drivers import compared

TESTS = {
    # LB with a write behind the `if`, which the branch does not order; within it, it does.
    "after": (
        """P0(int *x, int *y, int *z) { int r1; r1 = READ_ONCE(*x);
  if (r1 == 1) { WRITE_ONCE(*z, 1); } WRITE_ONCE(*y, 1); }
P1(int *x, int *y) { int r3; r3 = READ_ONCE(*y); WRITE_ONCE(*x, r3); }""",
        "0:r1=1 /\\ 1:r3=1",
        4,
    ),
    "within": (
        """P0(int *x, int *y) { int r1; r1 = READ_ONCE(*x); if (r1 == 1) { WRITE_ONCE(*y, 1); } }
P1(int *x, int *y) { int r3; r3 = READ_ONCE(*y); WRITE_ONCE(*x, r3); }""",
        "0:r1=1 /\\ 1:r3=1",
        2,
    ),
    "else": (
        """P0(int *x, int *y) { int r1; r1 = READ_ONCE(*x);
  if (r1 == 1) { WRITE_ONCE(*y, 1); } else { WRITE_ONCE(*y, 1); } }
P1(int *x, int *y) { int r3; r3 = READ_ONCE(*y); if (r3 == 1) { WRITE_ONCE(*x, 1); } }""",
        "0:r1=1 /\\ 1:r3=1",
        2,
    ),
    "nested": (
        """P0(int *x, int *y, int *z) { int r1; int r2; r1 = READ_ONCE(*x);
  if (r1 == 1) { r2 = READ_ONCE(*z); if (r2 == 0) { WRITE_ONCE(*z, 2); } WRITE_ONCE(*y, 1); } }
P1(int *x, int *y, int *z) { int r3; r3 = READ_ONCE(*y); WRITE_ONCE(*x, 1); WRITE_ONCE(*z, r3); }""",
        "0:r1=1 /\\ 0:r2=1 /\\ 1:r3=1",
        None,
    ),
    "fence": (
        """P0(int *x, int *y) { int r1; r1 = READ_ONCE(*x); if (r1 == 1) { r1 = 2; } smp_mb(); WRITE_ONCE(*y, 1); }
P1(int *x, int *y) { int r3; r3 = READ_ONCE(*y); WRITE_ONCE(*x, r3); }""",
        "0:r1=2 /\\ 1:r3=1",
        None,
    ),
    "pointer": (
        """P0(int *x, int **p) { WRITE_ONCE(*x, 1); rcu_assign_pointer(*p, x); }
P1(int *x, int **p, int *z) { int *r0; int r1; int r2; rcu_read_lock(); r0 = rcu_dereference(*p); r1 = READ_ONCE(*r0);
  rcu_read_unlock(); r2 = READ_ONCE(*z); if (r2 == 1) { r2 = 2; } WRITE_ONCE(*x, 2); }
P2(int *x, int *z) { int r4; r4 = READ_ONCE(*x); WRITE_ONCE(*z, r4); }""",
        "1:r0=x /\\ 1:r1=0 /\\ 1:r2=2 /\\ 2:r4=2",
        None,
    ),
    "grace period": (
        """P0(int *x, int *y) { int r1; int r2; rcu_read_lock();
  r1 = READ_ONCE(*x); r2 = READ_ONCE(*y); rcu_read_unlock(); }
P1(int *x, int *y) { WRITE_ONCE(*y, 1); synchronize_rcu(); WRITE_ONCE(*x, 1); }""",
        "0:r1=1 /\\ 0:r2=0",
        3,
    ),
    "updates": (
        """P0(atomic_t *x, int *y) { int r1; r1 = atomic_fetch_add_relaxed(1, x);
  if (r1 == 1) { r1 = 2; } WRITE_ONCE(*y, 1); }
P1(atomic_t *x, int *y) { int r3; r3 = READ_ONCE(*y); if (r3 == 1) { atomic_inc(x); } }""",
        "0:r1=2 /\\ 1:r3=1",
        3,
    ),
    "locks": (
        """P0(int *x, int *y, spinlock_t *s) { int r1; spin_lock(s);
  r1 = READ_ONCE(*x); WRITE_ONCE(*y, 1); spin_unlock(s); }
P1(int *x, int *y, spinlock_t *s) { int r2; spin_lock(s);
  r2 = READ_ONCE(*y); WRITE_ONCE(*x, 1); spin_unlock(s); }""",
        "0:r1=1 /\\ 1:r2=1",
        2,
    ),
}


def litmus(functions: str, condition: str, initial: str = "") -> str:
    return f"C test\n{{ {initial} }}\n{functions}\nexists ({condition})\n"


@pytest.mark.parametrize("name", TESTS)
def test_the_same_text(name: str, tmp_path: Path) -> None:
    functions, condition, executions = TESTS[name]
    initial = "p = z;" if name == "pointer" else ""
    expected, found = compared(litmus(functions, condition, initial), tmp_path)
    assert found == expected
    assert executions in (None, found[1])


class Made:
    """Functions at random: accesses of a few locations, fences, and branches with writes in and behind them."""

    def __init__(self, rng: random.Random, thread: int) -> None:
        self.rng, self.thread, self.registers = rng, thread, 0

    def read(self) -> str:
        self.registers += 1
        name, place = f"r{self.registers}", self.rng.choice("xyz")
        value = self.rng.choice(
            [f"READ_ONCE(*{place})"] * 4 + [f"smp_load_acquire({place})", f"xchg_relaxed({place}, {self.number()})"]
        )
        return f"int {name}; {name} = {value};"

    def number(self) -> int:
        return self.rng.randint(1, 2)

    def write(self) -> str:
        place = self.rng.choice("xyz")
        if self.registers and self.rng.random() < 0.3:
            return f"WRITE_ONCE(*{place}, r{self.rng.randint(1, self.registers)});"
        return self.rng.choice(
            [f"WRITE_ONCE(*{place}, {self.number()});"] * 3 + [f"smp_store_release({place}, {self.number()});"]
        )

    def condition(self) -> str:
        return f"r{self.rng.randint(1, self.registers)} {self.rng.choice(['==', '!='])} {self.rng.randint(0, 1)}"

    def branch(self, depth: int) -> str:
        inside = " ".join(self.write() for _ in range(self.rng.randint(0, 1)))
        if depth < 2 and self.rng.random() < 0.3:
            inside += self.branch(depth + 1)
        other = f" else {{ {self.write()} }}" if self.rng.random() < 0.3 else ""
        return f"if ({self.condition()}) {{ {inside or 'r1 = 5;'} }}{other}"

    def function(self) -> str:
        text = [self.read()]
        for _ in range(self.rng.randint(1, 3)):
            kind = self.rng.random()
            if kind < 0.15:
                text.append(self.read())
            elif kind < 0.6:
                text.append(self.branch(0))
            elif kind < 0.75:
                text.append(self.rng.choice(["smp_mb();", "smp_rmb();", "smp_wmb();"]))
            else:
                text.append(self.write())
        body = " ".join([*text, self.write()])
        return f"P{self.thread}(int *x, int *y, int *z) {{ {body} }}"


def random_test(seed: int) -> str:
    rng = random.Random(seed)
    made = [Made(rng, thread) for thread in range(2)]
    functions = "\n".join(each.function() for each in made)
    registers = " /\\ ".join(f"{each.thread}:r{n}=1" for each in made for n in range(1, each.registers + 1))
    return litmus(functions, f"{registers} /\\ x=1 /\\ y=1 /\\ z=1")


@pytest.mark.parametrize("seed", range(60))
def test_functions_at_random(seed: int, tmp_path: Path) -> None:
    expected, found = compared(random_test(seed), tmp_path)
    assert found == expected
