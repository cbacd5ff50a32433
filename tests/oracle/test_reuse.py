"""`--reuse` against a brute force with an allocator of its own: random threads that ask for memory, free it, pass its
addresses on and compare them, run in all orders, step by step."""

from __future__ import annotations

import random
from typing import TypeAlias

import pytest
from both.asked import READERS, read
from c.running import model

import xgen

Step: TypeAlias = tuple[str | int, ...]
"""("new", p), ("free", p), ("put", shared, p), ("get", p, shared), ("same", result, p, q): p and q are the thread's own
pointers, which stand for what it has got; results and shared pointers are all threads'."""
Heap: TypeAlias = tuple[int, frozenset[int]]
"""How many blocks there are, and those of them that are freed."""
HEAD = "#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n"


def drawn(rng: random.Random) -> list[list[Step]]:
    """Two threads, each of which frees what it has asked for at most once, and a place for each result."""
    threads, results = list[list[Step]](), 0
    for _ in range(2):
        steps, free, pointers = list[Step](), list[int](), 0
        for _ in range(rng.randint(4, 6)):
            kinds = ["new", "new", "get"] + ["put", "put"] * (pointers > 0) + ["free"] * 4 * bool(free)
            match rng.choice(kinds):
                case "new":
                    steps.append(("new", pointers))
                    free.append(pointers)
                    pointers += 1
                case "get":
                    steps.append(("get", pointers, rng.randrange(2)))
                    pointers += 1
                case "put":
                    steps.append(("put", rng.randrange(2), rng.randrange(pointers)))
                case "same":
                    steps.append(("same", results, rng.randrange(pointers), rng.randrange(pointers)))
                    results += 1
                case "free":
                    steps.append(("free", free.pop(rng.randrange(len(free)))))
        for p in range(1, pointers):
            steps.append(("same", results, p - 1, p))
            results += 1
        threads.append(steps)
    return threads


def text_of(threads: list[list[Step]]) -> str:
    """The same in C; what a thread compares is a number of the program, which final states list."""
    results = sum(step[0] == "same" for steps in threads for step in steps)
    lines = [HEAD, "_Atomic(int *) shared0, shared1;", *(f"int result{k};" for k in range(results))]
    for number, steps in enumerate(threads):
        lines.append(f"void *run{number}(void *unused) {{")
        for step in steps:
            match step:
                case ("new", p):
                    lines.append(f"  int *p{p} = malloc(sizeof(int));")
                case ("free", p):
                    lines.append(f"  free(p{p});")
                case ("put", shared, p):
                    lines.append(f"  atomic_store(&shared{shared}, p{p});")
                case ("get", p, shared):
                    lines.append(f"  int *p{p} = atomic_load(&shared{shared});")
                case ("same", result, p, q):
                    lines.append(f"  result{result} = p{p} == p{q};")
        lines.append("  return 0;\n}")
    lines.append("int main(void) {\n  pthread_t t0, t1;")
    lines += [f"  pthread_create(&t{k}, 0, run{k}, 0);" for k in range(2)]
    lines += [f"  pthread_join(t{k}, 0);" for k in range(2)]
    return "\n".join([*lines, "}\n"])


def brute(threads: list[list[Step]], again: bool) -> set[tuple[int, ...]]:
    """The results of all orders; `again`: what is freed may be given again."""
    results = sum(step[0] == "same" for steps in threads for step in steps)
    start = ((0, 0), ((), ()), (-1, -1), (0, frozenset[int]()), (0,) * results)
    seen, todo, found = {start}, [start], set[tuple[int, ...]]()
    while todo:
        at, own, shared, (count, freed), got = todo.pop()
        if all(place == len(steps) for place, steps in zip(at, threads, strict=True)):
            found.add(got)
        for me in range(2):
            if at[me] == len(threads[me]):
                continue
            nexts: list[tuple[tuple[int, ...], tuple[int, ...], Heap, tuple[int, ...]]] = []
            mine = own[me]
            match threads[me][at[me]]:
                case ("new", _):
                    nexts.append(((*mine, count), shared, (count + 1, freed), got))
                    for block in freed if again else ():
                        nexts.append(((*mine, block), shared, (count, freed - {block}), got))
                case ("free", int(p)):
                    nexts.append((mine, shared, (count, freed | {mine[p]}), got))
                case ("put", int(where), int(p)):
                    nexts.append((mine, put(shared, where, mine[p]), (count, freed), got))
                case ("get", _, int(where)):
                    nexts.append(((*mine, shared[where]), shared, (count, freed), got))
                case ("same", int(result), int(p), int(q)):
                    nexts.append((mine, shared, (count, freed), put(got, result, int(mine[p] == mine[q]))))
            for pointers, pointed, heap, told in nexts:
                after = (put(at, me, at[me] + 1), put(own, me, pointers), pointed, heap, told)
                if after not in seen:
                    seen.add(after)
                    todo.append(after)
    return found


def put(values: tuple, at: int, value: object) -> tuple:  # type: ignore[type-arg]
    return (*values[:at], value, *values[at + 1 :])


def explored(reader: str, text: str, reuse: bool) -> set[tuple[int, ...]]:
    result = xgen.check(read(reader, text, head="", reuse=reuse), model("sc"), all_states=True)
    assert result.verdict == "safe"
    states = [outcome.state for outcome in result.outcomes]
    return {tuple(state[name] for name in sorted(state, key=_number) if "result" in name) for state in states}


def _number(name: str) -> int:
    return int("".join(filter(str.isdigit, name)) or -1)


@pytest.mark.parametrize("reader", READERS)
def test_outcomes(reader: str) -> None:
    check(reader, range(25))


def check(reader: str, seeds: range) -> None:
    more = 0
    for seed in seeds:
        threads = drawn(random.Random(seed))
        text, expected, without = text_of(threads), brute(threads, True), brute(threads, False)
        assert explored(reader, text, True) == expected, f"seed {seed}\n{text}"
        assert explored(reader, text, False) == without, f"seed {seed}\n{text}"
        more += expected != without
    assert more > len(seeds) // 4
