#!/usr/bin/env bash
# Binaryen's wasm2js: an atomic update of one or two bytes gives a number below 0, where WebAssembly has only _u.
#
# Expected: i32.atomic.rmw8.add_u, rmw16.xchg_u, rmw8.cmpxchg_u and their like give the value before without a sign,
# as the engines do: 250 for a byte of 250. Seen: they become Atomics of HEAP8 and HEAP16, whose elements have a sign:
# -6 and -1, so that a loop of compare-exchanges, which compares what it gets with what it loaded, goes on where it
# was done. Atomic loads become those of HEAPU8 and HEAPU16, which are right, and so is what is stored.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --silent --no-audit --no-fund --prefix "$work" binaryen@132.0.0 > /dev/null
cat > a.wat <<'WAT'
(module
  (memory 1 1 shared)
  (func (export "load8") (result i32)
    (i32.atomic.store8 (i32.const 64) (i32.const 250))
    (i32.atomic.load8_u (i32.const 64)))
  (func (export "add8") (result i32)
    (i32.atomic.store8 (i32.const 64) (i32.const 250))
    (i32.atomic.rmw8.add_u (i32.const 64) (i32.const 1)))
  (func (export "exchange16") (result i32)
    (i32.atomic.store16 (i32.const 64) (i32.const 65535))
    (i32.atomic.rmw16.xchg_u (i32.const 64) (i32.const 1)))
  (func (export "compare8") (result i32)
    (i32.atomic.store8 (i32.const 64) (i32.const 250))
    (i32.atomic.rmw8.cmpxchg_u (i32.const 64) (i32.const 250) (i32.const 3))))
WAT
bin=node_modules/.bin
"$bin/wasm2js" --version
"$bin/wasm-as" --enable-threads a.wat -o a.wasm
"$bin/wasm2js" --enable-threads a.wat -o a.mjs
cat > run.mjs <<'JS'
import { readFileSync } from "fs";
import * as written from "./a.mjs";
const { instance } = await WebAssembly.instantiate(readFileSync("a.wasm"));
for (const name of ["load8", "add8", "exchange16", "compare8"])
  console.log(`${name}: ${instance.exports[name]()} in WebAssembly, ${written[name]()} in JavaScript`);
JS
grep -E '  .*Atomics\.(load|add|exchange|compareExchange)' a.mjs
node run.mjs | tee told
diff told - <<'END' && echo "as stated" || { echo CHANGED; exit 1; }
load8: 250 in WebAssembly, 250 in JavaScript
add8: 250 in WebAssembly, -6 in JavaScript
exchange16: 65535 in WebAssembly, -1 in JavaScript
compare8: 250 in WebAssembly, -6 in JavaScript
END
