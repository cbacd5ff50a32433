#!/usr/bin/env bash
# OpenMP in gcc and clang: `#pragma omp atomic compare` in front of `if (x < e) { x = e; }` changes what a NaN does.
#
# Expected: what the statement does without the pragma, done atomically: with a NaN on either side `x < e` is false, and
# x stays. Seen: gcc stores a NaN over a number and a number over a NaN, clang a number over a NaN, at -O0, too, without
# -ffast-math. Both make a maximum of it (gcc `maxss`, clang `atomicrmw fmax`). And `if (x == e) { x = d; }` is an
# exchange where the bits are the same: 0.0 is not -0.0, and a NaN equals itself.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check ziglang==0.17.1
cat > a.c <<'C'
#include <stdio.h>
static void greater(float *x, float e) { if (*x < e) { *x = e; } }
static void greater_atomic(float *x, float e) {
#pragma omp atomic compare
    if (*x < e) { *x = e; }
}
static void equal(float *x, float e) { if (*x == e) { *x = 5; } }
static void equal_atomic(float *x, float e) {
#pragma omp atomic compare
    if (*x == e) { *x = 5; }
}
int main(void) {
    volatile float nan = __builtin_nanf(""), one = 1, zero = 0, minus_zero = -zero;
    float a, b;
    a = b = one, greater(&a, nan), greater_atomic(&b, nan);
    printf("1 < NaN: %g, atomic %g\n", a, b);
    a = b = nan, greater(&a, one), greater_atomic(&b, one);
    printf("NaN < 1: %g, atomic %g\n", a, b);
    a = b = zero, equal(&a, minus_zero), equal_atomic(&b, minus_zero);
    printf("0 == -0: %g, atomic %g\n", a, b);
    a = b = nan, equal(&a, nan), equal_atomic(&b, nan);
    printf("NaN == NaN: %g, atomic %g\n", a, b);
}
C
gcc --version | head -1
venv/bin/python -m ziglang version
for level in -O0 -O2; do
    gcc $level -fopenmp a.c -o gcc$level
    ZIG_GLOBAL_CACHE_DIR=$work/cache venv/bin/python -m ziglang cc $level -fno-sanitize=all -fopenmp \
        -fopenmp-version=51 -c a.c -o a.o
    gcc a.o -o clang$level
    for compiler in gcc clang; do ./$compiler$level | sed "s/^/$compiler $level: /"; done
done | tee told
for level in -O0 -O2; do
    cat <<END
gcc $level: 1 < NaN: 1, atomic nan
gcc $level: NaN < 1: nan, atomic 1
gcc $level: 0 == -0: 5, atomic 0
gcc $level: NaN == NaN: nan, atomic 5
clang $level: 1 < NaN: 1, atomic 1
clang $level: NaN < 1: nan, atomic 1
clang $level: 0 == -0: 5, atomic 0
clang $level: NaN == NaN: nan, atomic 5
END
done | diff told - && echo "as stated" || { echo CHANGED; exit 1; }
