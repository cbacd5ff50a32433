"""Proofs for any number of processes: cubes and seconds, of xgen and, where it is on PATH, of Cubicle-W.

    python benchmarks/systems.py                                 # the shipped systems, under tso
    python benchmarks/systems.py --model sc --certify a.cub b.cub
    python benchmarks/systems.py --csv > results/cub.csv

Cubicle-W is `cubiclew.opt` (branch tso of github.com/cubicle-model-checker/cubicle). A search that takes no time to
speak of is done again until some time has gone by, and the fastest counts; that of Cubicle-W is of its whole process.
"""

from __future__ import annotations

import argparse
import csv
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from xgen.analyses.certificate import certificate_of, certify, read_certificate
from xgen.analyses.parameterised import Proof, prove_system
from xgen.analyses.solvers import load_solver
from xgen.errors import Source, XgenError
from xgen.frontends.cub import read_cub
from xgen.sources import read_source

SHIPPED = Path(__file__).parents[1] / "programs" / "cub"
PEER = "cubiclew.opt"
AGAIN = 0.1
"""Seconds below which a search is done once more."""


def searched(file: Path, model: str, timeout: float) -> tuple[Proof, float]:
    """The proof of a system, and the seconds of the fastest search."""
    system = read_cub(read_source(file))
    times: list[float] = []
    while sum(times) < AGAIN:
        proof = prove_system(system, model, timeout=timeout)
        assert proof.search is not None
        times.append(proof.search.seconds)
    return proof, min(times)


def peer(file: Path, model: str, timeout: float) -> tuple[str, str]:
    """Verdict and seconds of Cubicle-W; empty where it is not there."""
    path = shutil.which(PEER)
    if path is None:
        return "", ""
    start = time.monotonic()
    command = [path, "-nocolor", "-model", model.upper(), str(file.resolve())]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)
    except subprocess.TimeoutExpired:
        return "none", f"> {timeout:g}"
    seconds = time.monotonic() - start
    verdict = "safe" if "is SAFE" in done.stdout else "violation" if "UNSAFE" in done.stdout else "none"
    return verdict, f"{seconds:.3f}"


def certified(proof: Proof, timeout: float) -> str:
    """The seconds that z3 takes for the certificate; empty where there is none."""
    if proof.verdict != "safe":
        return ""
    checked = certify(
        read_certificate(Source("certificate", certificate_of(proof))), load_solver("z3"), timeout=timeout
    )
    return f"{checked.seconds:.1f}" if checked.verdict == "proved" else checked.verdict


def rows(files: list[Path], model: str, timeout: float, certificates: bool) -> Iterator[list[str]]:
    """A row for each file that is understood."""
    for file in files:
        try:
            proof, seconds = searched(file, model, timeout)
        except XgenError as error:
            print(f"{file.name}: {error.message}", file=sys.stderr)
            continue
        row = [file.stem, proof.verdict, str(proof.cubes), f"{seconds:.4f}", *peer(file, model, timeout)]
        yield [*row, certified(proof, timeout) if certificates else ""]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, default=sorted(SHIPPED.glob("*.cub")))
    parser.add_argument("--model", choices=["sc", "tso"], default="tso")
    parser.add_argument("--timeout", type=float, default=20.0)
    parser.add_argument("--certify", action="store_true", help="check certificates with z3")
    parser.add_argument("--csv", action="store_true", help="write the table as CSV")
    given = parser.parse_args()
    if given.csv:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(
            ["system", "verdict", "cubes", "seconds", "cubiclew", "cubiclew_seconds", "certificate_seconds"]
        )
        for row in rows(given.files, given.model, given.timeout, given.certify):
            writer.writerow(row)
            sys.stdout.flush()
        return
    head = ["system", "verdict", "cubes", "s", "Cubicle-W", "s", "certificate s"]
    print("| " + " | ".join(head) + " |\n|" + " --- |" * len(head))
    for row in rows(given.files, given.model, given.timeout, given.certify):
        print("| " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main()
