#!/usr/bin/env bash
# AssemblyScript: an atomic load of an i8 that holds -1 is 255 where an i32 is wanted; a plain load there is -1.
#
# Expected: `atomic.load<i8>(p)` has the type i8, and an i8 that becomes an i32 or an i64 is extended by its sign, as
# `load<i8>(p)` is. Seen: the extension is left out where the load itself is returned, added or assigned as something
# wider: 255, 1255 and 65535 without a word, with -O0 and with -O3. By way of a variable of type i8, or by a cast to
# f64, it is right, and so are atomic.add, atomic.xchg and Atomics.load of a typed array.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --silent --no-audit --no-fund --prefix "$work" assemblyscript@0.28.20 > /dev/null
cat > a.ts <<'TS'
export function plain(p: usize): i32 { store<i8>(p, -1); return load<i8>(p); }
export function returned(p: usize): i32 { atomic.store<i8>(p, -1); return atomic.load<i8>(p); }
export function added(p: usize): i32 { atomic.store<i8>(p, -1); return 1000 + atomic.load<i8>(p); }
export function assigned(p: usize): i64 { atomic.store<i16>(p, -1); let x: i64 = atomic.load<i16>(p); return x; }
export function by_variable(p: usize): i32 { atomic.store<i8>(p, -1); let x: i8 = atomic.load<i8>(p); return x; }
export function by_float(p: usize): f64 { atomic.store<i8>(p, -1); return <f64>atomic.load<i8>(p); }
export function by_update(p: usize): i32 { atomic.store<i8>(p, -1); return atomic.add<i8>(p, 0); }
export function by_array(): i32 { let a = new Int8Array(4); Atomics.store(a, 0, -1); return Atomics.load(a, 0); }
TS
cat > run.mjs <<'JS'
import { readFileSync } from "fs";
const memory = new WebAssembly.Memory({ initial: 1, maximum: 2, shared: true });
const { instance } = await WebAssembly.instantiate(readFileSync("a.wasm"), { env: { memory, abort() {} } });
for (const [name, f] of Object.entries(instance.exports)) if (typeof f === "function") console.log(name, String(f(64)));
JS
echo "AssemblyScript $(node_modules/.bin/asc --version)"
for level in -O0 -O3; do
    node_modules/.bin/asc a.ts --enable threads --sharedMemory --maximumMemory 2 --importMemory --runtime stub $level \
        -o a.wasm > log 2>&1 || { cat log; exit 1; }
    echo "$level: $(node run.mjs | paste -sd,)"
done | tee told
diff told - <<'END' && echo "as stated" || { echo CHANGED; exit 1; }
-O0: plain -1,returned 255,added 1255,assigned 65535,by_variable -1,by_float -1,by_update -1,by_array -1
-O3: plain -1,returned 255,added 1255,assigned 65535,by_variable -1,by_float -1,by_update -1,by_array -1
END
