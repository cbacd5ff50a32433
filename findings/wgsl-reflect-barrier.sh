#!/usr/bin/env bash
# wgsl_reflect's interpreter of WGSL: workgroupBarrier() does not wait, and atomicCompareExchangeWeak has no result.
#
# Expected: behind a workgroupBarrier() each of four invocations sees what all have added, and reads what another one
# has written to the memory of the workgroup; `atomicCompareExchangeWeak(...).exchanged` is true or false. Seen: an
# invocation runs to its end before the next begins, so they count 1, 2, 3, 4, and read zeros in the place of what comes
# later; of an `if` whose condition is `exchanged` neither branch is run, after a line on the console, though the
# exchange was done. The other updates are right.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --silent --no-audit --no-fund --prefix "$work" wgsl_reflect@1.6.0 > /dev/null
cp node_modules/wgsl_reflect/wgsl_reflect.module.js wgsl_reflect.mjs
cat > run.mjs <<'JS'
import { WgslExec, WgslParser } from "./wgsl_reflect.mjs";
const { log } = console;
console.log = console.error = () => {};
function run(body) {
  const code = `
    struct All { n: atomic<u32>, out: array<u32, 4> };
    @group(0) @binding(0) var<storage, read_write> all: All;
    var<workgroup> count: atomic<u32>;
    var<workgroup> words: array<u32, 4>;
    @compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) { ${body} }`;
  const all = new Uint32Array(5);
  new WgslExec(new WgslParser().parse(code)).dispatchWorkgroups("main", 1, { 0: { 0: all } });
  return all.join(" ");
}
log("add, barrier, load:", run("atomicAdd(&count, 1u); workgroupBarrier(); all.out[i] = atomicLoad(&count);"));
log("write, barrier, read:", run("words[i] = i + 1u; workgroupBarrier(); all.out[i] = words[3u - i];"));
for (const old of ["0u", "1u"])
  log(`compare with ${old}:`, run(`if (i == 0u) {
    if (atomicCompareExchangeWeak(&all.n, ${old}, 7u).exchanged) { all.out[0] = 1u; } else { all.out[0] = 2u; }
  }`));
log("add and take the maximum:", run("if (i == 0u) { all.out[0] = atomicAdd(&all.n, 3u); atomicMax(&all.n, 5u); }"));
JS
grep '"version"' node_modules/wgsl_reflect/package.json
node run.mjs | tee told
diff told - <<'END' && echo "as stated" || { echo CHANGED; exit 1; }
add, barrier, load: 0 1 2 3 4
write, barrier, read: 0 0 0 2 1
compare with 0u: 7 0 0 0 0
compare with 1u: 0 0 0 0 0
add and take the maximum: 5 0 0 0 0
END
