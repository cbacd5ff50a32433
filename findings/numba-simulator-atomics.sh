#!/usr/bin/env bash
# Numba's CUDA simulator: atomic updates of different kinds are not atomic to each other.
#
# Expected: atomic.add and atomic.sub of one element are both whole, so that as many of one as of the other leave 0.
# Seen: each kind of update has a lock of its own, and an update is a load and a store, so that those of another kind
# between are lost; those of one kind are whole. Kernels that exchange or compare where others add (locks, queues,
# counters) go wrong there, and nowhere else.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check numba-cuda==0.30.4 numba==0.68.1 nvidia-cuda-runtime==13.5.37
cat > count.py <<'PYTHON'
import sys
from importlib.metadata import version

import numpy as np
from numba import cuda

sys.setswitchinterval(1e-6)  # threads of Python take turns often, as threads of a GPU do


@cuda.jit
def adds(x, n):
    for _ in range(n):
        cuda.atomic.add(x, 0, 1)


@cuda.jit
def adds_and_subtracts(x, n):
    for _ in range(n):
        if cuda.threadIdx.x:
            cuda.atomic.add(x, 0, 1)
        else:
            cuda.atomic.sub(x, 0, 1)


def result(kernel):
    x = np.zeros(1, np.int64)
    kernel[1, 2](x, 20_000)
    return int(x[0])


print("numba-cuda", version("numba-cuda"))
same, mixed = result(adds), next((seen for _ in range(10) if (seen := result(adds_and_subtracts))), 0)
print(f"20000 + 20000 additions: {same}")
print("20000 additions and 20000 subtractions:", "another number than 0" if mixed else "0")
print("as stated" if same == 40_000 and mixed else "CHANGED")
sys.exit(not (same == 40_000 and mixed))
PYTHON
NUMBA_ENABLE_CUDASIM=1 venv/bin/python count.py
