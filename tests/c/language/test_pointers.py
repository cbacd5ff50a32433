"""Pointers to local variables: where they lead on each way through random programs, and in loops."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from c.running import kinds, run

NUMBERS, POINTERS = ("x", "y", "z"), ("p", "q")
HELPER = "static int *pick(int *a, int *b, int c) { if (c) return a; int *d = b; return d; }\n"

Statement = tuple[Any, ...]
State = dict[str, Any]


class Programs:
    """Makes programs of statements, and says what they do, for each sequence of choices."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.loops = 0

    # ---- making

    def block(self, depth: int) -> list[Statement]:
        return [self.statement(depth) for _ in range(self.random.randint(1, 3))]

    def statement(self, depth: int) -> Statement:
        pick = self.random.choice
        kinds_ = ["address", "copy", "null", "number", "write", "choose", "call"]
        kind = pick(kinds_ + ["if", "if", "while", "goto", "switch", "inner"] * (depth > 0))
        match kind:
            case "address":
                return kind, pick(POINTERS), pick(NUMBERS)
            case "copy" | "choose" | "call":
                return kind, pick(POINTERS), pick(NUMBERS), pick(POINTERS)
            case "null":
                return kind, pick(POINTERS)
            case "number":
                return kind, pick(NUMBERS), self.random.randint(1, 9)
            case "write" | "inner":
                return kind, pick(POINTERS), pick(NUMBERS), self.random.randint(1, 9)
            case "if":
                return kind, self.block(depth - 1), self.block(depth - 1)
            case "switch":
                return kind, [self.block(depth - 1) for _ in range(3)]
            case _:
                self.loops += 1
                return kind, self.loops, self.block(depth - 1)

    # ---- as C

    def text(self, block: list[Statement]) -> str:
        lines = "\n".join(self.line(statement) for statement in block)
        ends = " ".join(f"g{v} = {v};" for v in NUMBERS)
        ends += " ".join(f"g{v} = ({v} == &x) + 2 * ({v} == &y) + 3 * ({v} == &z);" for v in POINTERS)
        names = ", ".join(f"g{v}" for v in NUMBERS + POINTERS)
        return f"int {names};\n{HELPER}int main() {{\nint x = 0, y = 0, z = 0, *p = 0, *q = &y;\n{lines}\n{ends}\n}}"

    def line(self, statement: Statement) -> str:
        choice, bound = "__VERIFIER_nondet_bool()", "__VERIFIER_nondet_int()"
        match statement:
            case "address", p, x:
                return f"{p} = &{x};"
            case "copy", p, _, q:
                return f"{p} = {q};"
            case "null", p:
                return f"{p} = 0;"
            case "number", x, n:
                return f"{x} = {n};"
            case "write", p, _, n:
                return f"if ({p}) *{p} = {n};"
            case "choose", p, x, q:
                return f"{p} = {choice} ? &{x} : {q};"
            case "call", p, x, q:
                return f"{p} = pick(&{x}, {q}, {choice});"
            case "inner", p, x, n:
                return f"{{ int *r; if ({choice}) r = {p}; else r = &{x}; if (r) *r = {n}; }}"
            case "if", yes, no:
                return f"if ({choice}) {{ {self.lines(yes)} }} else {{ {self.lines(no)} }}"
            case "while", k, body:
                return f"int m{k} = {bound}, n{k} = 0; while (n{k} < m{k}) {{ n{k}++; {self.lines(body)} }}"
            case "goto", k, body:
                return f"int m{k} = {bound}, n{k} = 0; L{k}: {self.lines(body)} if (n{k}++ < m{k}) goto L{k};"
            case "switch", (zero, one, other):
                return (
                    f"switch ({bound}) {{ case 0: {self.lines(zero)} case 1: {self.lines(one)} break; "
                    f"default: {self.lines(other)} }}"
                )
        raise AssertionError(statement)

    def lines(self, block: list[Statement]) -> str:
        return "{ " + " ".join(self.line(statement) for statement in block) + " }"

    # ---- as it is meant

    def outcomes(self, block: list[Statement]) -> set[tuple[int, ...]]:
        found, todo = set(), [()]
        while todo:
            choices: list[int] = list(todo.pop())
            given = len(choices)
            state: State = {**dict.fromkeys(NUMBERS, 0), "p": None, "q": "y"}
            options: list[int] = []
            taken = iter(choices)

            def choose(count: int, taken: Iterator[int] = taken, options: list[int] = options) -> int:
                options.append(count)
                return next(taken, 0)

            self.run(block, state, choose)
            choices += [0] * (len(options) - given)
            places = {None: 0, "x": 1, "y": 2, "z": 3}
            found.add((*(state[v] for v in NUMBERS), *(places[state[v]] for v in POINTERS)))
            for at in range(given, len(options)):
                todo += [(*choices[:at], other) for other in range(1, options[at])]
        return found

    def run(self, block: list[Statement], state: State, choose: Any) -> None:
        for statement in block:
            self.step(statement, state, choose)

    def step(self, statement: Statement, state: State, choose: Any) -> None:
        match statement:
            case "address", p, x:
                state[p] = x
            case "copy", p, _, q:
                state[p] = state[q]
            case "null", p:
                state[p] = None
            case "number", x, n:
                state[x] = n
            case "write", p, _, n:
                if state[p]:
                    state[state[p]] = n
            case (("choose" | "call"), p, x, q):
                state[p] = x if choose(2) else state[q]
            case "inner", p, x, n:
                target = state[p] if choose(2) else x
                if target:
                    state[target] = n
            case "if", yes, no:
                self.run(yes if choose(2) else no, state, choose)
            case "while", _, body:
                for _ in range(choose(2)):
                    self.run(body, state, choose)
            case "goto", _, body:
                for _ in range(choose(2) + 1):
                    self.run(body, state, choose)
            case "switch", (zero, one, other):
                value = choose(2)
                if value == 0:
                    self.run(zero, state, choose)
                self.run(one if value < 2 else other, state, choose)


def differing(seed: int) -> str | None:
    programs = Programs(seed)
    block = [programs.statement(2) for _ in range(programs.random.randint(2, 4))]
    expected = programs.outcomes(block)
    if len(expected) > 60:
        return None
    text = programs.text(block)
    result = run(text, nondet=(0, 1))
    names = [f"g{v}" for v in NUMBERS + POINTERS]
    found = {tuple(int(outcome.state[name]) for name in names) for outcome in result.outcomes}
    ok = result.verdict == "safe" and found == expected
    return None if ok else f"{text}\n{result.verdict}: {found ^ expected}"


@pytest.mark.parametrize("seed", range(30))
def test_random_ways(seed: int) -> None:
    assert differing(seed) is None


THREAD = "atomic_int g; int w = 2; int *_Atomic gp;\nvoid *t(void *arg) { g = 1; gp = &w; return 0; }\n"


@pytest.mark.parametrize(
    ("body", "violated"),
    [
        ("int *p = 0; while (!g) p = &x; assert(p == 0);", True),
        ("int *p = &w; while (!g) p = &x; assert(*p == 2);", True),
        ("int *p = &w; while (!g) p = &x; assert(*p == 2 || *p == 1);", False),
        ("int *p = gp; if (g) p = &x; if (p) assert(*p == 2);", True),
        ("int *p = g ? &x : gp; if (p) assert(*p == 2);", True),
        ("int *p = g ? gp : &x; if (p) assert(*p <= 2);", False),
        ("int *p, c = g; if (c) p = &x; if (c) assert(*p == 1);", False),
        ("int n = 0, *p = 0, *q = 0; again: q = p; p = &x; if (++n < 3) goto again; assert(q == &x);", False),
        ("int *r[2] = { &w, &w }; while (!g) r[1] = &x; assert(*r[0] + *r[1] == 4);", True),
    ],
)
def test_ways_that_threads_decide(body: str, violated: bool) -> None:
    start = "pthread_t id; pthread_create(&id, 0, t, 0); int x = 1;"
    found = kinds(f"{THREAD}int main() {{ {start} {body} }}")
    assert bool(found) == violated


def test_goes_back_to_a_declaration() -> None:
    """A block's variable is one object until the block ends (C11, 6.2.4), though its declaration is passed again."""
    body = "int n = 0; int *p = 0, *q = 0; again:; int x = n; q = p; p = &x; if (q) assert(q == p && *q == n);"
    assert kinds(f"int main() {{ {body} if (++n < 3) goto again; }}") == []
    literal = "struct s { long a; }; int main() { int n = 0; struct s *p = 0, *q; again: q = p; p = &(struct s){ n };"
    assert kinds(f"{literal} if (++n < 3) goto again; assert(p == q && p->a == 2); }}") == []
