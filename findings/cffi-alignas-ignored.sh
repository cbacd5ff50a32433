#!/usr/bin/env bash
# cffi 2.1.1: _Alignas in a cdef is read and forgotten, so a structure has another layout than C gives it.
#
# Expected: in ABI mode cffi computes the layout of a structure that has its fields; what it cannot compute it refuses
# (as it does _Static_assert). Seen: with _Alignas(64) on fields, as structures have it that keep the counters of two
# threads on lines of their own, the offset of the second and the size are those without it: 4 and 8 bytes, where gcc has
# 64 and 128.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check cffi==2.1.1 pycparser==3.12
cat > a.h <<'C'
struct lines { _Alignas(64) int head; _Alignas(64) int tail; };
C
cat > a.c <<'C'
#include <stddef.h>
#include <stdio.h>
#include "a.h"
int main(void) {
    printf("tail at %zu, size %zu\n", offsetof(struct lines, tail), sizeof(struct lines));
}
C
cat > a.py <<'PYTHON'
from cffi import FFI

ffi = FFI()
ffi.cdef(open("a.h").read())
print(f"tail at {ffi.offsetof('struct lines', 'tail')}, size {ffi.sizeof('struct lines')}")
PYTHON
gcc --version | head -1
gcc a.c -o a
{ echo "gcc: $(./a)"; echo "cffi: $(venv/bin/python a.py)"; } | tee out
diff out - <<'SEEN' && echo "as stated" || { echo CHANGED; exit 1; }
gcc: tail at 64, size 128
cffi: tail at 4, size 8
SEEN
