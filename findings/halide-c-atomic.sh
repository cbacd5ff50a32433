#!/usr/bin/env bash
# Halide: the C++ that it writes for an atomic schedule is compiled neither with OpenMP nor without.
#
# Expected: compile_to_c() of a histogram whose update is `.atomic().parallel(r)` gives C++ that can be compiled.
# Seen: `#pragma omp atomic` stands before the declaration of the value that was loaded, where OpenMP wants the one
# statement of the update, which is three statements further on: load, add and store are three. gcc refuses it with
# -fopenmp, and without it an `#error` says that only compilers with OpenMP support it. Nothing is said when it is
# written; the same schedule without atomic(), on one thread, is compiled.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check halide==21.0.0
cat > write.py <<'PYTHON'
import importlib.metadata

import halide as hl

print("halide", importlib.metadata.version("halide"))
for name in "serial", "atomic":
    values = hl.ImageParam(hl.Int(32), 1, "values")
    r = hl.RDom([(0, 100)], "r")
    histogram, x = hl.Func("histogram"), hl.Var("x")
    histogram[x] = 0
    histogram[hl.clamp(values[r], 0, 7)] += 1
    if name == "atomic":
        histogram.update().atomic().parallel(r)
    histogram.compile_to_c(f"{name}.cpp", [values], "histogram", hl.get_host_target())
PYTHON
venv/bin/python write.py
g++ --version | head -1
grep -n -A7 'omp atomic' atomic.cpp
for name in serial atomic; do
    for flag in -fno-openmp -fopenmp; do
        g++ -std=c++17 -fsyntax-only $flag $name.cpp 2> log && echo "$name $flag: compiled" ||
            echo "$name $flag: $(grep -oE '#error "Atomic stores.*|expected primary-expression' log | head -1)"
    done
done | tee told
diff told - <<'END' && echo "as stated" || { echo CHANGED; exit 1; }
serial -fno-openmp: compiled
serial -fopenmp: compiled
atomic -fno-openmp: #error "Atomic stores in the C backend are only supported in compilers that support OpenMP."
atomic -fopenmp: expected primary-expression
END
