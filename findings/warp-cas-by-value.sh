#!/usr/bin/env bash
# NVIDIA Warp: atomic_cas of floats compares values on the CPU, and bits on a GPU.
#
# Expected: one kernel does the same on both: where the element "equals" 0.0 or -0.0 or a NaN, it is exchanged on both
# or on neither. Seen, run on the CPU: 0.0 is exchanged where -0.0 is asked for, and a NaN never is, even by its own
# bits, so that a loop that reads a value and exchanges it does not end once it is a NaN; the code for GPUs is
# `atom.cas.b32` with no comparison of floats, as CUDA has it: -0.0 is not 0.0 there, and a NaN is itself.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -q --disable-pip-version-check warp-lang==1.19.0
cat > "$work/run.py" <<'PYTHON'
import glob
import re
import sys

import numpy as np
import warp as wp

wp.config.quiet = True
wp.config.enable_backward = False
wp.config.kernel_cache_dir = sys.argv[1]


@wp.kernel
def swap(cells: wp.array(dtype=wp.float32), asked: wp.array(dtype=wp.float32), seen: wp.array(dtype=wp.float32)):
    i = wp.tid()
    seen[i] = wp.atomic_cas(cells, i, asked[i], 7.0)


before = np.array([0.0, np.nan, 1.5], np.float32)
asked = np.array([-0.0, np.nan, 1.5], np.float32)
cells = wp.array(before, device="cpu")
wp.launch(swap, dim=3, inputs=[cells, wp.array(asked, device="cpu"), wp.zeros(3, dtype=wp.float32, device="cpu")])
print("warp", wp.__version__)
for had, wanted, has in zip(before, asked, cells.numpy()):
    print(f"CPU: {had}, exchanged if it is {wanted}: {has}")
wp.compile_aot_module("__main__", arch=75, module_dir=sys.argv[1], use_ptx=True)
with open(glob.glob(sys.argv[1] + "/**/*.ptx", recursive=True)[0], encoding="utf-8") as file:
    print("GPU:", *sorted(set(re.findall(r"\b(atom\S+|setp\.\w+\.f32)", file.read()))))
PYTHON
"$work/venv/bin/python" "$work/run.py" "$work/cache" | grep -E '^(warp|CPU|GPU)' | tee "$work/told"
diff "$work/told" - <<'END' && echo "as stated" || { echo CHANGED; exit 1; }
warp 1.19.0
CPU: 0.0, exchanged if it is -0.0: 7.0
CPU: nan, exchanged if it is nan: nan
CPU: 1.5, exchanged if it is 1.5: 7.0
GPU: atom.global.cas.b32
END
