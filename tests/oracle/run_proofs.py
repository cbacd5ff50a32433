"""Proofs without bounds on as many random programs as one likes, against checks with the models' files.

    python tests/oracle/run_proofs.py --programs 10000 --seed 1
    python tests/oracle/run_proofs.py --programs 500 --features endless --machines pso

Of a program without loops the outcomes have to be those of `check`. With loops (`endless`...), nothing may be proved
that a check with a bound refutes, and each proof comes with an invariant that the checker in `invariants` accepts. The
n-th program depends on seed + n alone. The first difference ends the run with exit code 1.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random

if __package__ in (None, ""):  # run as a script
    sys.path.insert(0, str(Path(__file__).parents[1]))

import xgen
from oracle.buffers.proofs import ENDLESS, FEATURES, MACHINES, drawn, wrong


def main() -> int:
    """Run as told by the command line; 0 where no difference was found."""
    kinds = [*FEATURES, *ENDLESS]
    parser = argparse.ArgumentParser(description="Compare proofs of random programs with checks.")
    parser.add_argument("--programs", type=int, default=10_000, help="how many programs")
    parser.add_argument("--seed", type=int, default=0, help="the n-th program depends on seed + n alone")
    parser.add_argument("--machines", nargs="+", choices=MACHINES, default=["tso", "pso"])
    parser.add_argument("--features", nargs="+", choices=kinds, default=list(FEATURES))
    parser.add_argument(
        "--seconds", type=float, default=10, help="for a check, and for a proof of a program with loops"
    )
    options = parser.parse_args()
    started = last = time.monotonic()
    skipped: Counter[str] = Counter()
    for seed in range(options.seed, options.seed + options.programs):
        features = Random(f"features {seed}").choice(options.features)
        for machine in options.machines:
            try:
                why = wrong(seed, features, machine, options.seconds)
            except (TimeoutError, xgen.UnsupportedError):
                skipped[machine] += 1
                continue
            except Exception:
                print(f"seed {seed}, {features}, under {machine}:\n{drawn(seed, features)}", flush=True)
                raise
            if why is not None:
                print(f"seed {seed}, {features}, under {machine}: {why}\n{drawn(seed, features)}")
                return 1
        if time.monotonic() - last > 10:
            last = time.monotonic()
            print(f"{seed + 1 - options.seed} programs, {last - started:.0f} s, skipped {dict(skipped)}", flush=True)
    print(f"no difference: {options.programs} programs, {time.monotonic() - started:.0f} s, skipped {dict(skipped)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
