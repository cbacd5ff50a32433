"""xgen against the oracle on as many random programs as one likes.

    python tests/oracle/run_long.py --programs 20000 --seed 1
    python tests/oracle/run_long.py --programs 5000 --models sc tso --features loops

Each program is run under one of the models, or under all of them with --all-models. Three of them are drawn anew
for each program: `random`, which nobody would write, `hardware`, made of what processors keep in order, and `language`,
of what happens before what in a language. The first difference is made small, shown, and ends the run with exit code 1.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import replace
from pathlib import Path
from random import Random

if __package__ in (None, ""):  # run as a script
    sys.path.insert(0, str(Path(__file__).parents[1]))

import xgen
from oracle.against import LIMIT, Filter, difference, features_for, shipped_models
from oracle.enumerate import TooManyError
from oracle.models import (
    arm,
    atomic_pairs,
    no_thin_air,
    random_hardware_model,
    random_language_model,
    random_model,
    show_condition,
)
from oracle.programs import Program
from oracle.shrink import shrink
from oracle.strategies import DEFAULT, DEPENDENT, LOOPS, PLAIN, Features, random_program
from xgen.memory.algebra import Model

FEATURES = {
    "default": DEFAULT,
    "plain": replace(PLAIN, fences=10),
    "loops": LOOPS,
    "dependent": DEPENDENT,
    "dependent-loops": replace(DEPENDENT, threads=LOOPS.threads, loops=LOOPS.loops),
    "rmw": replace(DEFAULT, rmws=35, orders=DEPENDENT.orders),
    "dependent-rmw": replace(DEPENDENT, rmws=35),
    "rings": replace(DEPENDENT, rings=100),
    "mutexes": replace(DEFAULT, mutexes=40, fences=4, events=(1, 3)),
    "dependent-mutexes": replace(DEPENDENT, mutexes=40, fences=4, events=(1, 3)),
    "atomic": replace(DEFAULT, rmws=10, atomics=35, threads=(2, 2, 3)),
    "dependent-atomic": replace(DEPENDENT, atomics=35, exclusives=10, threads=(2, 2, 3)),
    "atomic-loops": replace(LOOPS, atomics=30, loops=20),
    "arrays": replace(DEFAULT, rmws=10, arrays=50),
    "dependent-arrays": replace(DEPENDENT, arrays=50),
    "dependent-choices": replace(DEPENDENT, rmws=5, exclusives=10, arrays=50, choices=30, threads=(2, 2, 3)),
    "exclusives": replace(DEFAULT, rmws=5, exclusives=60, arrays=15, events=(3, 6), variables=1),
    "dependent-exclusives": replace(DEPENDENT, exclusives=60, arrays=20, events=(3, 6), variables=1),
}
MODELS = {"arm": arm(), "no-thin-air": no_thin_air(), "atomic-pairs": atomic_pairs()}
"""Models that are not shipped."""
RANDOM = {"random": random_model, "hardware": random_hardware_model, "language": random_language_model}


def main() -> int:
    """Run as told by the command line; 0 where no difference was found."""
    parser = argparse.ArgumentParser(description="Compare xgen with the oracle on random programs.")
    parser.add_argument("--programs", type=int, default=20_000, help="how many programs")
    parser.add_argument("--seed", type=int, default=0, help="the n-th program depends on seed + n alone")
    parser.add_argument("--models", nargs="+", default=[*shipped_models(), *MODELS, *RANDOM], help="names or files")
    parser.add_argument("--all-models", action="store_true", help="each program under every model, not under one")
    parser.add_argument(
        "--features",
        choices=FEATURES,
        default="default",
        help="`plain`: loads, stores and fences only; `loops`: with loops, under a bound on the depth; "
        "`dependent`: with orderings and what dependencies come from",
    )
    parser.add_argument("--limit", type=int, default=LIMIT, help="skip programs with more candidate executions")
    options = parser.parse_args()
    models = {name: MODELS.get(name) or xgen.model(name) for name in options.models if name not in RANDOM}
    started = last = time.monotonic()
    compared = skipped = 0
    for seed in range(options.seed, options.seed + options.programs):
        filter: Filter = "final" if seed % 4 == 0 else "in-situ"
        for name in options.models if options.all_models else [Random(f"name {seed}").choice(options.models)]:
            model = models[name] if name in models else RANDOM[name](Random(f"model {seed}"))
            program, depth = draw(seed, features_for(model, FEATURES[options.features]))
            try:
                found = difference(program, model, depth, options.limit, filter)
            except TooManyError:
                skipped += 1
                continue
            except Exception:
                print(f"seed {seed}, under {name}, depth {depth}:\n{program}", flush=True)
                raise
            compared += 1
            if found is not None:
                print(f"seed {seed}:\n{smaller(program, model, depth, filter)}")
                print(*map(show_condition, (constraint.condition for constraint in model.constraints)), sep="\n")
                return 1
        if time.monotonic() - last > 10:
            last = time.monotonic()
            done = seed + 1 - options.seed
            print(f"{done} programs, {compared} comparisons, {skipped} skipped, {last - started:.0f} s", flush=True)
    seconds = time.monotonic() - started
    print(f"no difference: {options.programs} programs, {compared} comparisons, {skipped} skipped, {seconds:.0f} s")
    return 0


def draw(seed: int, features: Features) -> tuple[Program, int | None]:
    """A program, and a bound on its depth."""
    rng = Random(seed)
    program = random_program(rng, features)
    return program, rng.randint(1, 4) if features.loops else rng.choice((None, None, None, 1, 2, 3))


def smaller(program: Program, model: Model, depth: int | None, filter: Filter) -> str:
    """What is different for a program that is as small as can be."""

    def differs(candidate: Program) -> bool:
        try:
            return difference(candidate, model, depth, LIMIT, filter) is not None
        except TooManyError:
            return False

    return difference(shrink(program, differs), model, depth, LIMIT, filter) or ""


if __name__ == "__main__":
    sys.exit(main())
