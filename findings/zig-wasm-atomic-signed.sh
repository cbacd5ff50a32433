#!/usr/bin/env bash
# Zig's own backend for WebAssembly: an atomic i8 or i16 is read as if it had no sign, and .Min keeps the larger one.
#
# Expected: what the same compiler makes of the same text with LLVM: `@atomicLoad(i8, &x, .seq_cst)` of -3 is below 0,
# and `@atomicRmw .Min` of -3 and 3 leaves -3. Seen: the load is `i32.atomic.load8_u` without `i32.extend8_s` behind
# it, so that -3 counts as 253 in comparisons, and .Min stores 3; a plain load of the same variable is right. Variables
# of four bytes are right.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check ziglang==0.17.1 wasmtime==50.0.1
cat > small.zig <<'ZIG'
var small: i8 = 0;
var word: i32 = 0;

export fn negative() bool {
    small = -3;
    return @atomicLoad(i8, &small, .seq_cst) < 0;
}
export fn plain() bool {
    small = -3;
    return @as(*volatile i8, &small).* < 0;
}
export fn least() i32 {
    small = -3;
    _ = @atomicRmw(i8, &small, .Min, 3, .seq_cst);
    return @as(*volatile i8, &small).*;
}
export fn least_word() i32 {
    word = -3;
    _ = @atomicRmw(i32, &word, .Min, 3, .seq_cst);
    return @as(*volatile i32, &word).*;
}
ZIG
cat > look.py <<'PYTHON'
import sys

import wasmtime

config = wasmtime.Config()
config.wasm_threads = True
store = wasmtime.Store(wasmtime.Engine(config))
module = wasmtime.Module.from_file(store.engine, sys.argv[1])
exports = wasmtime.Instance(store, module, []).exports(store)
names = ("negative", "plain", "least", "least_word")
print(", ".join(f"{name} {exports[name](store)}" for name in names))
PYTHON
echo "zig $(venv/bin/python -m ziglang version)"
for backend in -fllvm -fno-llvm; do
    venv/bin/python -m ziglang build-exe $backend -fno-lld -fno-entry -rdynamic -target wasm32-freestanding \
        -mcpu=generic+atomics+bulk_memory small.zig -femit-bin=small.wasm --cache-dir cache --global-cache-dir cache
    echo "$backend: $(venv/bin/python look.py small.wasm)" | tee -a seen
done
diff seen - <<'TEXT' && echo "as stated" || { echo CHANGED; exit 1; }
-fllvm: negative 1, plain 1, least -3, least_word -3
-fno-llvm: negative 0, plain 1, least 3, least_word -3
TEXT
