"""What overflows, and what `havoc` may choose from, where threads run ahead of their reads.

Neither an overflow nor an address that is computed is a branch: what follows does not wait for it. So a program has an
overflow exactly where the same program, with arithmetic modulo 2^64 and an assertion at the end of each process, is
violated. The bounds of a `havoc` are a branch, as an `assume` is.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

import xgen
from engine.statements.test_addresses import LB

MODELS = ("sc", "tso", "weak", "arm8", "arm", "power", "riscv", "coherence", "lkmm")
GREATEST = 2**63 - 1
ROUNDS = [
    pytest.param(range(20), id="fast"),
    pytest.param(range(20, 2000), id="long", marks=pytest.mark.long),
]


def process(rng: Random, name: str, mine: str, other: str) -> tuple[str, str]:
    """A process that reads, computes and writes: with overflows, and with what would overflow asked for at the end."""
    fails: list[str] = []
    wraps: list[str] = []
    checked: list[str] = []
    for number in range(rng.randint(1, 3)):
        match rng.randint(1, 3):
            case 1:
                both = f"r <- {rng.choice((mine, mine, other))} @once"
                fails.append(both)
                wraps.append(both)
            case 2:
                margin = rng.randint(0, 2)
                fails.append(f"s := r + {GREATEST - margin}")
                wraps.append(f"o{number} := o{number} or r > {margin}; s := wrap(r + {GREATEST - margin}, -64)")
                checked.append(f"o{number}")
            case _:
                both = f"{rng.choice(('1', '2', 'r'))} -> {rng.choice((mine, other, other))} @once"
                fails.append(both)
                wraps.append(both)
    last = f"{rng.choice(('1', 'r', '2'))} -> {other} @once"
    wraps += [last, *(f"assert not {flag}" for flag in checked)]

    def text(statements: list[str]) -> str:
        names = "".join(f"  var {name} : int\n" for name in "rs") + "".join(f"  var o{n} : bool\n" for n in range(3))
        body = f"  init loc A\n  final loc B\n  A -> B {{ r <- {mine} @once; {'; '.join(statements)} }}\n"
        return f"process {name} {{\n{names}{body}}}\n"

    return text([*fails, last]), text(wraps)


@pytest.mark.parametrize("seeds", ROUNDS)
def test_overflows(seeds: range) -> None:
    """Exactly those programs have one that would have one."""
    verdicts: Counter[tuple[str, str]] = Counter()
    for seed in seeds:
        rng = Random(seed)
        pairs = [process(rng, "p", "x", "y"), process(rng, "q", "y", "x")]
        fails, wraps = ("var x : int\nvar y : int\nmain " + "".join(texts) for texts in zip(*pairs, strict=True))
        for name in MODELS:
            model = xgen.model(name)
            found, expected = (xgen.check(xgen.parse(text), model).verdict for text in (fails, wraps))
            assert found == expected, (seed, name, fails)
            verdicts[name, found] += 1
    assert all(verdicts[name, verdict] > 0 for name in MODELS for verdict in ("safe", "violation")), verdicts


@pytest.mark.parametrize("name", ["arm8", "power", "riscv", "coherence", "lkmm"])
def test_an_address_that_is_computed_is_no_branch(name: str) -> None:
    """`&t[i]` with a wrong index is as an overflow is; with a right one the write after it may come first."""
    verdicts = [
        xgen.check(xgen.parse(LB.format(access=statement)), xgen.model(name), all_states=True)
        for statement in ("a := &t[r]", "a := &t[2 * r]", "a := &t[r + 2]")
    ]
    assert [result.verdict for result in verdicts] == ["safe", "violation", "violation"]
    assert verdicts[0].executions == 4


HAVOC = """var x : int
var y : int
main process p {{
  var r : int
  var n : int
  init loc A
  final loc B
  A -> B {{ r <- x @once; {}; 1 -> y @once; n -> x @once }}
}}
process q {{
  var s : int
  init loc A
  final loc B
  A -> B {{ s <- y @once; {} -> x @once; }}
}}
"""


@pytest.mark.parametrize("written", ["s", "1", "2"])
@pytest.mark.parametrize(
    ("chosen", "assumed"),
    [
        ("havoc n in 0 .. r", "havoc n in 0 .. 2; assume 0 <= n and n <= r"),
        ("havoc n in r .. 1", "havoc n in 0 .. 2; assume r <= n and n <= 1"),
        ("havoc n in r .. r + 1", "havoc n in 0 .. 3; assume r <= n and n <= r + 1"),
    ],
)
@pytest.mark.parametrize("name", MODELS)
def test_bounds_are_assumed(name: str, chosen: str, assumed: str, written: str) -> None:
    """`havoc n in a .. b` is any number n, and an assume that it is one of these."""
    results = [
        xgen.check(xgen.parse(HAVOC.format(text, written)), xgen.model(name), all_states=True)
        for text in (chosen, assumed)
    ]
    first, second = (Counter({str(o.state): o.count for o in result.outcomes}) for result in results)
    assert first == second
    assert sum(first.values()) > 0
