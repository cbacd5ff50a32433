"""Kernels of NVIDIA's cuda-samples and CCCL: which are read, and why others are not.

    git clone https://github.com/NVIDIA/cuda-samples         # results/cuda.csv is of the commits below
    git clone https://github.com/NVIDIA/cccl
    python benchmarks/cuda.py cuda-samples cccl --compiler nvcc > results/cuda.csv

The files are compiled as they are, host code and all, so that it takes an nvcc (PyPI's nvidia-cuda-nvcc has one). Each
kernel is read and checked twice: unoptimised, with races, and as compiled. Of a template it is one instance, of `int`
if there is one. A launch has 2 blocks of 2 threads; each argument of 8 bytes is the address of a buffer, others are 4.
Many kernels are wrong with that: they want blocks of another size. What counts is whether they are read, or why not;
how many are is told on standard error.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from harness import apart, run, write

import xgen
from xgen.errors import Source, XgenError
from xgen.frontends.ptx import read
from xgen.frontends.ptx.compiling.compile import ARCHITECTURE, OPTIMISED, STANDARD, UNOPTIMISED
from xgen.frontends.ptx.launch import read_request
from xgen.frontends.ptx.layout import readable
from xgen.frontends.ptx.module import Function, Module

SAMPLES = "c94ff366aed18c797b8a85dfaac7817b0228b420"
CCCL = "571f2fc3bc53cd710e306ad43d58995c1fe4219f"
FIELDS = ("file", "kernel", "launch", "unoptimised", "as_compiled")
OF_SAMPLES = [
    "0_Introduction/clock/clock",
    "0_Introduction/mergeSort/bitonic",
    "0_Introduction/mergeSort/mergeSort",
    "0_Introduction/simpleAWBarrier/simpleAWBarrier",
    "0_Introduction/simpleAtomicIntrinsics/simpleAtomicIntrinsics",
    "0_Introduction/simpleCooperativeGroups/simpleCooperativeGroups",
    "0_Introduction/simpleTemplates/simpleTemplates",
    "0_Introduction/simpleVoteIntrinsics/simpleVoteIntrinsics",
    "0_Introduction/systemWideAtomics/systemWideAtomics",
    "2_Concepts_and_Techniques/convolutionSeparable/convolutionSeparable",
    "2_Concepts_and_Techniques/histogram/histogram256",
    "2_Concepts_and_Techniques/histogram/histogram64",
    "2_Concepts_and_Techniques/reduction/reduction_kernel",
    "2_Concepts_and_Techniques/reductionMultiBlockCG/reductionMultiBlockCG",
    "2_Concepts_and_Techniques/scalarProd/scalarProd",
    "2_Concepts_and_Techniques/scan/scan",
    "2_Concepts_and_Techniques/shfl_scan/shfl_scan",
    "2_Concepts_and_Techniques/sortingNetworks/bitonicSort",
    "2_Concepts_and_Techniques/sortingNetworks/oddEvenMergeSort",
    "2_Concepts_and_Techniques/threadFenceReduction/threadFenceReduction",
    "3_CUDA_Features/binaryPartitionCG/binaryPartitionCG",
    "3_CUDA_Features/globalToShmemAsyncCopy/globalToShmemAsyncCopy",
    "3_CUDA_Features/simpleCudaGraphs/simpleCudaGraphs",
    "3_CUDA_Features/warpAggregatedAtomicsCG/warpAggregatedAtomicsCG",
    "4_CUDA_Libraries/conjugateGradientMultiBlockCG/conjugateGradientMultiBlockCG",
    "5_Domain_Specific/fastWalshTransform/fastWalshTransform",
    "6_Performance/transpose/transpose",
]
OF_CCCL = [
    "cub/examples/device/example_device_decoupled_look_back",
    "examples/basic/example",
]
FOLDERS = {"samples": ("Common",), "cccl": ("cub", "libcudacxx/include", "thrust")}
CELLS = 1024
_OF_LIBRARIES = re.compile("_ZN(?:3cub|6thrust)")


def compiled(root: Path, file: str, folders: list[Path], compiler: str, optimised: bool) -> str:
    """The PTX of a file; none where the compiler has not made any, and says why."""
    with tempfile.TemporaryDirectory() as work:
        made = Path(work) / "made.ptx"
        flags = OPTIMISED if optimised else UNOPTIMISED["nvcc"]
        words = [compiler, "-ptx", f"-arch={ARCHITECTURE}", f"-std={STANDARD}", "-w", *flags]
        words += [f"-I{folder}" for folder in folders]
        ended = run([*words, "-o", str(made), str(root / f"{file}.cu")])
        if ended.status:
            print(f"{file}: {ended.output.strip()}", file=sys.stderr)
            return ""
        return made.read_text(encoding="utf-8")


def kernels(module: Module) -> dict[str, Function]:
    """The kernels of a text, each template once: the first instance for `int`, or else the first one."""
    found: dict[str, Function] = {}
    for function in module.functions.values():
        name = readable(function.name)
        if _OF_LIBRARIES.match(function.name):
            continue
        if function.entry and (name not in found or ("Ii" in function.name and "Ii" not in found[name].name)):
            found[name] = function
    return found


def launch_of(function: Function) -> str:
    """A launch of a kernel, in which what has 8 bytes is the address of a buffer."""
    arguments = [f"b{n}[{CELLS}]" if size == 8 else "4" for n, (_, size) in enumerate(function.parameters)]
    return f"{function.name}<<<2,2>>>({', '.join(arguments)})"


def answer(path: str, launch: str, model: str, limit: float) -> str:
    """What is found of the launch of a kernel of a file under a model, or why it is not read."""
    try:
        source = Source(path, Path(path).read_text(encoding="utf-8"))
        program = read(source.text, source, read_request(source, launch=launch))
        result = xgen.check(program, model, liveness=True, timeout=limit)
    except XgenError as error:
        return "refused: " + getattr(error, "message", str(error)).splitlines()[0]
    if result.verdict == "violation" and result.witness is not None:
        kinds = [each.kind for each in result.witness.violations]
        return f"violation: {kinds[0]}" if kinds else "violation"
    return "not finished" if result.stopped is not None else str(result.verdict)


def asked(text: str, launch: str, model: str, limit: float) -> str:
    """The same in a process of its own, which has a limit for reading as well."""
    with tempfile.NamedTemporaryFile("w", suffix=".ptx", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        try:
            return str(apart(answer, file.name, launch, model, limit, limit=10 * limit))
        except TimeoutError:
            return "not read in time"


def rows(roots: dict[str, Path], compiler: str, limit: float, only: str | None) -> Iterator[dict[str, object]]:
    """Each kernel, and whether it is read in both modes."""
    files = [("samples", f"Samples/{file}") for file in OF_SAMPLES] + [("cccl", file) for file in OF_CCCL]
    counts: Counter[str] = Counter()
    for which, file in files:
        if which not in roots or (only and only not in file):
            continue
        root = roots[which]
        folders = [root / each for each in FOLDERS[which]]
        texts = [compiled(root, file, folders, compiler, optimised) for optimised in (False, True)]
        for name, function in kernels(Module(Source(file, texts[0]), {})).items():
            launch = launch_of(function)
            both = zip(texts, ("cuda", "ptx"), strict=True)
            answers = [asked(text, launch, model, limit) for text, model in both]
            for mode, found in zip(("unoptimised", "as compiled"), answers, strict=True):
                counts[mode] += not found.startswith(("refused", "not read"))
            counts["kernels"] += 1
            shown = launch.replace(function.name, name)
            yield dict(zip(FIELDS, (file, name, shown, *answers), strict=True))
    print(", ".join(f"{count} {what}" for what, count in counts.items()), file=sys.stderr)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("samples", type=Path, help="a clone of cuda-samples")
    parser.add_argument("cccl", type=Path, nargs="?", help="a clone of CCCL")
    parser.add_argument("--compiler", default="nvcc", help="the command of an nvcc")
    parser.add_argument(
        "--timeout", type=float, default=4, help="seconds for each check, and ten times as many for reading"
    )
    parser.add_argument("--only", help="files whose names have this in them")
    given = parser.parse_args()
    roots = {"samples": given.samples, "cccl": given.cccl}
    told = {name: root for name, root in roots.items() if root is not None}
    write(FIELDS, rows(told, given.compiler, given.timeout, given.only), samples=SAMPLES, cccl=CCCL)
