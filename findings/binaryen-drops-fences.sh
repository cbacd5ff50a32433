#!/usr/bin/env bash
# Binaryen: wasm-opt -O1 deletes every `atomic.fence`, also in a module whose memory is shared.
#
# Expected: a fence orders accesses that are not atomic, which is what it is for in WebAssembly (atomic ones are
# sequentially consistent without it), so it has an effect and stays. Seen: none is left, and with -O3 two plain loads
# around one are the same load, so the difference of the two is 0 always. Atomic loads whose value is not used stay.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --silent --no-audit --no-fund --prefix "$work" binaryen@132.0.0 > /dev/null
cat > a.wat <<'WAT'
(module
  (memory 1 1 shared)
  (func (export "stores")
    (i32.store (i32.const 0) (i32.const 1))
    (atomic.fence)
    (i32.store (i32.const 4) (i32.const 1)))
  (func (export "loads") (result i32)
    (local $before i32)
    (local.set $before (i32.load (i32.const 0)))
    (atomic.fence)
    (i32.sub (i32.load (i32.const 0)) (local.get $before)))
  (func (export "unused")
    (drop (i32.atomic.load (i32.const 0)))))
WAT
opt=node_modules/.bin/wasm-opt
"$opt" --version
for level in -O0 -O1 -O3; do
    "$opt" a.wat --enable-threads $level -S -o out.wat
    count() { grep -c "(${1//./\\.}" out.wat || true; }
    echo "$level: $(count atomic.fence) fences, $(count i32.store) stores, $(count i32.load) loads," \
        "$(count i32.atomic.load) atomic loads"
done | tee told
diff told - <<'END' && echo "as stated" || { echo CHANGED; exit 1; }
-O0: 2 fences, 2 stores, 2 loads, 1 atomic loads
-O1: 0 fences, 2 stores, 2 loads, 1 atomic loads
-O3: 0 fences, 2 stores, 1 loads, 1 atomic loads
END
