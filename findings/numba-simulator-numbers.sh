#!/usr/bin/env bash
# Numba's CUDA simulator: functions of bits know 32 of them and no sign, and hfloor goes up.
#
# Expected: what CUDA computes: the ones of -1 are 32, in 64 bits the first one of 2^40 is at place 41, there are 63
# zeros before 1, which reversed is 2^63; the floor of 1.5 is 1; and fma rounds once. Seen: popc counts the ones behind
# a minus sign; ffs, clz and brev take a number of 64 bits for one of 32 (41 becomes 8); cuda.fp16.hfloor is numpy's
# ceil; fma is a product that is rounded, and then a sum.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check numba-cuda==0.30.4 numba==0.68.1 nvidia-cuda-runtime==13.5.37
cat > look.py <<'PYTHON'
import sys
from importlib.metadata import version

import numpy as np
from numba import cuda


@cuda.jit
def bits(out):
    out[0] = cuda.popc(np.int32(-1))
    out[1] = cuda.ffs(np.int64(2**40))
    out[2] = cuda.clz(np.int64(1))
    out[3] = cuda.brev(np.int64(1))


@cuda.jit
def floats(out):
    out[0] = cuda.fp16.hfloor(np.float16(1.5))
    out[1] = cuda.fma(1 + 2.0**-30, 1 + 2.0**-30, -1 - 2.0**-29)


print("numba-cuda", version("numba-cuda"))
whole, real = np.zeros(4, np.uint64), np.zeros(2, np.float64)
bits[1, 1](whole)
floats[1, 1](real)
print("popc(-1), ffs(2^40), clz(1), brev(1) of 64 bits:", *whole.tolist())
print("hfloor(1.5), fma whose exact result is 2^-60:", *real.tolist())
ok = whole.tolist() == [1, 8, 31, 2**31] and real.tolist() == [2.0, 0.0]
print("as stated" if ok else "CHANGED")
sys.exit(not ok)
PYTHON
NUMBA_ENABLE_CUDASIM=1 venv/bin/python look.py
