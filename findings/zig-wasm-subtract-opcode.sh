#!/usr/bin/env bash
# Zig's own backend for WebAssembly: an atomic subtraction of one or two bytes is an instruction that does not exist.
#
# Expected: i32.atomic.rmw8.sub_u, `fe 27`, and i32.atomic.rmw16.sub_u, `fe 28` (WebAssembly's proposal of threads), as
# the same compiler has them with LLVM. Seen: `fe fa 04` (0x27a) and `fe 8a 05` (0x28a), which no engine takes; the
# compiler says nothing. Additions, and subtractions of four bytes, are right.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check ziglang==0.17.1
cat > look.py <<'PYTHON'
import sys

with open(sys.argv[1], "rb") as file:
    code = file.read()
at = code.index(b"\xfe") + 1  # the prefix of atomic instructions; a number in LEB128 follows
value = shift = 0
while True:
    value |= (code[at] & 0x7F) << shift
    if not code[at] & 0x80:
        break
    at, shift = at + 1, shift + 7
print(f"fe {value:#x}")
PYTHON
echo "zig $(venv/bin/python -m ziglang version)"
for kind in "Sub u8" "Sub u16" "Sub u32" "Add u8"; do
    read -r operation type <<<"$kind"
    echo "export fn f(p: *$type, v: $type) $type { return @atomicRmw($type, p, .$operation, v, .seq_cst); }" > one.zig
    for backend in -fllvm -fno-llvm; do
        venv/bin/python -m ziglang build-exe $backend -fno-lld -fno-entry -rdynamic -fstrip -O ReleaseSmall \
            -target wasm32-freestanding -mcpu=generic+atomics+bulk_memory one.zig -femit-bin=one.wasm \
            --cache-dir cache --global-cache-dir cache
        echo "$kind, $backend: $(venv/bin/python look.py one.wasm)" | tee -a seen
    done
done
diff seen - <<'TEXT' && echo "as stated" || { echo CHANGED; exit 1; }
Sub u8, -fllvm: fe 0x27
Sub u8, -fno-llvm: fe 0x27a
Sub u16, -fllvm: fe 0x28
Sub u16, -fno-llvm: fe 0x28a
Sub u32, -fllvm: fe 0x25
Sub u32, -fno-llvm: fe 0x25
Add u8, -fllvm: fe 0x20
Add u8, -fno-llvm: fe 0x20
TEXT
