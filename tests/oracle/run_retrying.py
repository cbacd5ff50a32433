"""xgen on as many random programs with loops that are tried again as one likes: against the oracle and against itself.

    python tests/oracle/run_retrying.py --programs 10000 --seed 1
    python tests/oracle/run_retrying.py --models arm8 power --limit 500

The n-th program depends on seed + n alone. The first difference is made small, shown, and ends the run with exit code
1.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from random import Random

if __package__ in (None, ""):  # run as a script
    sys.path.insert(0, str(Path(__file__).parents[1]))

import xgen
from oracle.generators.retrying import ORDERS, disagreement, retrying_program
from oracle.models import arm, no_thin_air, weak_with_dependencies
from oracle.programs import Program
from oracle.shrink import shrink

MODELS = {"arm": arm(), "no-thin-air": no_thin_air(), "weak-dependent": weak_with_dependencies()}
"""Models that are not shipped: the first is one of processors, the others have dependencies and little else."""
SHIPPED = ["arm8", "power", "riscv", "lkmm", "coherence"]


def main() -> int:
    """Run as told by the command line; 0 where no difference was found."""
    parser = argparse.ArgumentParser(description="Compare explorations of random programs with loops.")
    parser.add_argument("--programs", type=int, default=10_000, help="how many programs")
    parser.add_argument("--seed", type=int, default=0, help="the n-th program depends on seed + n alone")
    parser.add_argument("--models", nargs="+", default=[*SHIPPED, *MODELS], help="names or files")
    parser.add_argument("--limit", type=int, default=1000, help="candidate executions that the oracle looks at")
    parser.add_argument("--seconds", type=float, default=0.3, help="for a run without a bound")
    options = parser.parse_args()
    models = {name: MODELS.get(name) or xgen.model(name) for name in options.models}
    started = last = time.monotonic()
    for seed in range(options.seed, options.seed + options.programs):
        rng = Random(seed)
        name = rng.choice(options.models)
        program, model, depth = retrying_program(rng, ORDERS.get(name, ())), models[name], rng.randint(2, 7)

        def differs(candidate: Program, model: xgen.Model = model, depth: int = depth) -> bool:
            return disagreement(candidate, model, depth, options.limit, options.seconds) is not None

        try:
            found = differs(program)
        except Exception:
            print(f"seed {seed}, under {model.name}, depth {depth}:\n{program}", flush=True)
            raise
        if found:
            small = shrink(program, differs)
            print(f"seed {seed}:\n{disagreement(small, model, depth, options.limit, options.seconds)}")
            return 1
        if time.monotonic() - last > 10:
            last = time.monotonic()
            print(f"{seed + 1 - options.seed} programs, {last - started:.0f} s", flush=True)
    print(f"no difference: {options.programs} programs, {time.monotonic() - started:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
