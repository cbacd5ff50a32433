#!/usr/bin/env bash
# Clang: `n += 1.5` of an `_Atomic int` adds 1, where `n += 1.5` of an int adds 1.5.
#
# Expected: E1 op= E2 is E1 = E1 op (E2), also of an atomic object (C11, 6.5.16.2, whose footnote has a loop of
# compare-exchanges for it): the sum is computed as a double, and then becomes an int, so -3 + 1.5 = -1.5 is -1. GCC does
# so. Seen: clang makes the right side an int first and emits `atomicrmw add ... i32 1`, so that n is -2; of an int
# that is not atomic, in the same program, it is -1.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -q --disable-pip-version-check ziglang==0.17.1
cat > "$work/sum.c" <<'C'
#include <stdio.h>
_Atomic int shared = -3;
int own = -3;
int main(void) {
  shared += 1.5;
  own += 1.5;
  printf("atomic %d, not atomic %d\n", shared, own);
  return 0;
}
C
cd "$work"
export ZIG_GLOBAL_CACHE_DIR="$work/cache" ZIG_LOCAL_CACHE_DIR="$work/cache"
"$work/venv/bin/python" -m ziglang cc --version | head -1
"$work/venv/bin/python" -m ziglang cc -O0 -o sum sum.c
found=$(./sum)
echo "$found"
if [ "$found" = "atomic -2, not atomic -1" ]; then
    echo "as stated"
else
    echo "CHANGED"
    exit 1
fi
