#!/usr/bin/env bash
# WABT's wasm-decompile: an atomic subtraction, an exclusive or and an exchange of another width are the same text.
#
# Expected: what it writes says what is done, as for plain accesses, which have their address, its offset and a type
# (`4[2]:ubyte`). Seen: each atomic update is `AtomicRmw(4, 5)`, without its operation, its width and its offset, and a
# load of one byte is `AtomicLoad(4)`, as one of four bytes at another place. So the text of five functions that do
# something else is one, and who reads it cannot tell a lock from a counter. wasm2wat has all of it.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --silent --no-audit --no-fund --prefix "$work" wabt@1.0.39 > /dev/null
cat > a.wat <<'WAT'
(module
  (memory 1 1 shared)
  (func (export "plain_load") (result i32) (i32.load8_u offset=2 (i32.const 4)))
  (func (export "load8") (result i32) (i32.atomic.load8_u (i32.const 4)))
  (func (export "load32") (result i32) (i32.atomic.load offset=8 (i32.const 4)))
  (func (export "add") (result i32) (i32.atomic.rmw.add (i32.const 4) (i32.const 5)))
  (func (export "subtract") (result i32) (i32.atomic.rmw.sub (i32.const 4) (i32.const 5)))
  (func (export "xor16") (result i32) (i32.atomic.rmw16.xor_u (i32.const 4) (i32.const 5)))
  (func (export "exchange") (result i32) (i32.atomic.rmw.xchg (i32.const 4) (i32.const 5)))
  (func (export "or_elsewhere") (result i32) (i32.atomic.rmw.or offset=64 (i32.const 4) (i32.const 5))))
WAT
bin=node_modules/.bin
echo "wabt $(node -p 'require("wabt/package.json").version')"
"$bin/wat2wasm" --enable-threads a.wat -o a.wasm
"$bin/wasm-decompile" --enable-threads a.wasm | tr -d ';' |
    awk '/^export function/ { sub(/\(.*/, "", $3); name = $3 } /^  return/ { $1 = ""; print name ":" $0 }' | tee told
diff told - <<'END' && echo "as stated" || { echo CHANGED; exit 1; }
plain_load: 4[2]:ubyte
load8: AtomicLoad(4)
load32: AtomicLoad(4)
add: AtomicRmw(4, 5)
subtract: AtomicRmw(4, 5)
xor16: AtomicRmw(4, 5)
exchange: AtomicRmw(4, 5)
or_elsewhere: AtomicRmw(4, 5)
END
