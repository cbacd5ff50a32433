#!/usr/bin/env bash
# Taichi: atomic_max of a NaN depends on whether the value before is asked for.
#
# Expected: what is stored is the same whether or not a kernel uses what atomic_max returns. Seen, in a parallel loop on
# a CPU: 2.5 stays 2.5 where nothing is returned, and becomes NaN where the value before is used. In a loop that is
# serial it stays 2.5. A NaN that was there first gives way to the number in all of them.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check taichi==1.7.4
cat > largest.py <<'PYTHON'
import sys

import taichi as ti

ti.init(arch=ti.cpu, log_level=ti.ERROR, offline_cache=False)
value = ti.field(ti.f32, shape=())
before = ti.field(ti.f32, shape=())


@ti.kernel
def serial(operand: ti.f32):
    ti.loop_config(serialize=True)
    for _ in range(1):
        before[None] = ti.atomic_max(value[None], operand)


@ti.kernel
def parallel(operand: ti.f32):
    for _ in range(1):
        before[None] = ti.atomic_max(value[None], operand)


@ti.kernel
def unused(operand: ti.f32):
    for _ in range(1):
        ti.atomic_max(value[None], operand)


def largest(kernel, first, second):
    value[None] = first
    kernel(second)
    return str(value[None])


nan = float("nan")
pairs = ((2.5, nan), (nan, 2.5), (2.5, 3.5))
seen = {kernel.__name__: [largest(kernel, *pair) for pair in pairs] for kernel in (serial, parallel, unused)}
for name, values in seen.items():
    print(f"{name}: 2.5 then nan, nan then 2.5, 2.5 then 3.5:", *values)
number, other = ["2.5", "2.5", "3.5"], ["nan", "2.5", "3.5"]
ok = seen == {"serial": number, "parallel": other, "unused": number}
print("as stated" if ok else "CHANGED")
sys.exit(not ok)
PYTHON
venv/bin/python largest.py
