"""Proofs for any number of processes: cubes and seconds, of xgen and, where it is on PATH, of Cubicle-W.

    python benchmarks/systems.py > results/cub.csv                   # the shipped systems
    python benchmarks/systems.py --model sc a.cub b.cub
    python benchmarks/systems.py --table cubicle/tests/cubtso > results/cubtso.csv

Cubicle-W is `cubiclew.opt` (branch tso of github.com/cubicle-model-checker/cubicle, which has the files of the
paper's table 1 too; what the paper prints stands beside them). `certificate_seconds` is what z3 takes for the
certificate, `certificate_ratio` how many times the search that is. Seconds of Cubicle-W are of its whole process. What
takes longer than the limit is stopped.
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from harness import AGAIN, apart, fastest, read, run, write

from xgen.analyses.parameterised.certificate import certificate_of, certify, read_certificate
from xgen.analyses.parameterised.prove_system import Proof, prove_system
from xgen.analyses.parameterised.solvers import load_solver
from xgen.errors import Source
from xgen.frontends.cub import read_cub
from xgen.resources import shipped
from xgen.sources import read_source

PUBLISHED = Path(__file__).parents[1] / "results" / "published" / "cubiclew.csv"
PEER = "cubiclew.opt"
FIELDS = (
    "system", "model", "verdict", "cubes", "seconds", "certificate_seconds", "certificate_ratio", "cubiclew",
    "cubiclew_seconds", "paper_seconds",
)  # fmt: skip


def search(path: str, model: str, timeout: float, again: float = AGAIN, certificate: bool = True) -> dict[str, object]:
    """The proof of a system, and of its certificate."""
    system = read_cub(read_source(Path(path)))
    proof, seconds = fastest(lambda: prove_system(system, model, timeout=timeout), again)
    counts = {"verdict": proof.verdict, "cubes": proof.cubes, "seconds": f"{seconds:.5f}"}
    return {**counts, **(certified(proof, seconds, timeout, again) if certificate and proof.verdict == "safe" else {})}


def certified(proof: Proof, search: float, timeout: float, again: float) -> dict[str, object]:
    """The seconds that z3 takes for the certificate, and as a multiple of those of the search."""
    certificate = read_certificate(Source("certificate", certificate_of(proof)))
    solve = load_solver("z3")
    checked, seconds = fastest(lambda: certify(certificate, solve, timeout=timeout), again)
    if checked.verdict != "proved":
        return {"certificate_seconds": f"> {timeout:g}"}
    return {"certificate_seconds": f"{seconds:.3f}", "certificate_ratio": f"{seconds / search:.0f}"}


def peer(path: Path, model: str, timeout: float) -> dict[str, object]:
    """Verdict and seconds of Cubicle-W; nothing where it is not there."""
    if shutil.which(PEER) is None:
        return {}
    try:
        done = run([PEER, "-nocolor", "-model", model.upper(), str(path.resolve())], limit=timeout)
    except TimeoutError:
        return {"cubiclew": "none", "cubiclew_seconds": f"> {timeout:g}"}
    verdict = "safe" if "is SAFE" in done.output else "violation" if "UNSAFE" in done.output else "none"
    return {"cubiclew": verdict, "cubiclew_seconds": f"{done.cpu:.3f}"}


def rows(paths: Sequence[Path], model: str, timeout: float) -> Iterator[dict[str, object]]:
    """A row for each system."""
    paper = {row["system"]: row["seconds"] for row in read(PUBLISHED)[1]}
    for path in paths:
        ours = apart(search, str(path), model, timeout)
        others = peer(path, model, timeout) | {"paper_seconds": paper.get(path.stem, "")}
        yield {"system": path.stem, "model": model, **ours, **others}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, default=sorted((shipped("programs") / "cub").glob("*.cub")))
    parser.add_argument("--table", type=Path, metavar="DIR", help="the files of the paper's table 1, from there")
    parser.add_argument("--model", choices=["sc", "tso"], default="tso")
    parser.add_argument("--timeout", type=float, default=20.0, help="seconds for each; default: %(default)g")
    given = parser.parse_args()
    published = [row["system"] for row in read(PUBLISHED)[1]]
    files = [given.table / f"{name}.cub" for name in published] if given.table else given.files
    write(FIELDS, rows(files, given.model, given.timeout), limit=f"{given.timeout:g} s")


if __name__ == "__main__":
    main()
