#!/usr/bin/env bash
# Chicory (WebAssembly on the JVM): atomic updates of one, two or four bytes of a wider word give a number below 0.
#
# Expected: WebAssembly has these updates with _u alone: i32.atomic.rmw8.xchg_u gives 250 for a byte of 250, and
# i64.atomic.rmw32.add_u 4294967295 for four bytes of ones, as V8 does. Seen: -6 and -1, so that a loop of
# compare-exchanges, which compares what it gets with what it loaded, goes on where it was done. Atomic loads are right,
# and so is what is stored. And memory.atomic.notify takes an address that is no multiple of four, where every atomic
# instruction traps, as atomic loads do here.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --silent --no-audit --no-fund --prefix "$work" binaryen@132.0.0 > /dev/null
version=1.5.1
cat > pom.xml <<XML
<project>
  <modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>a</artifactId><version>1</version>
  <dependencies><dependency>
    <groupId>com.dylibso.chicory</groupId><artifactId>runtime</artifactId><version>$version</version>
  </dependency></dependencies>
</project>
XML
mvn -q -B dependency:copy-dependencies -DoutputDirectory=lib > /dev/null
cat > a.wat <<'WAT'
(module
  (memory 1 1 shared)
  (func (export "load8") (result i32)
    (i32.atomic.store8 (i32.const 64) (i32.const 250))
    (i32.atomic.load8_u (i32.const 64)))
  (func (export "exchange8") (result i32)
    (i32.atomic.store8 (i32.const 64) (i32.const 250))
    (i32.atomic.rmw8.xchg_u (i32.const 64) (i32.const 1)))
  (func (export "compare16") (result i32)
    (i32.atomic.store16 (i32.const 64) (i32.const 65535))
    (i32.atomic.rmw16.cmpxchg_u (i32.const 64) (i32.const 65535) (i32.const 3)))
  (func (export "stored16") (result i32) (i32.atomic.load16_u (i32.const 64)))
  (func (export "add32") (result i64)
    (i64.atomic.store32 (i32.const 64) (i64.const -1))
    (i64.atomic.rmw32.add_u (i32.const 64) (i64.const 1)))
  (func (export "load65") (result i32) (i32.atomic.load (i32.const 65)))
  (func (export "notify65") (result i32) (memory.atomic.notify (i32.const 65) (i32.const 1))))
WAT
node_modules/.bin/wasm-as --enable-threads a.wat -o a.wasm
cat > Run.java <<'JAVA'
import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.wasm.Parser;
import java.io.File;

class Run {
    public static void main(String[] names) {
        Instance instance = Instance.builder(Parser.parse(new File("a.wasm"))).build();
        for (String name : names) {
            String result;
            try {
                result = "" + instance.export(name).apply()[0];
            } catch (RuntimeException trap) {
                result = trap.getMessage();
            }
            System.out.println(name + ": " + result);
        }
    }
}
JAVA
cat > run.mjs <<'JS'
import { readFileSync } from "fs";
const { instance } = await WebAssembly.instantiate(readFileSync("a.wasm"));
for (const name of process.argv.slice(2)) {
  let result;
  try { result = instance.exports[name](); } catch (trap) { result = "a trap"; }
  console.log(`${name}: ${result}`);
}
JS
names=(load8 exchange8 compare16 stored16 add32 load65 notify65)
echo "Chicory $version"
java -cp 'lib/*' Run.java "${names[@]}" 2> /dev/null > chicory
node run.mjs "${names[@]}" > v8
paste -d';' chicory v8 | sed 's/\(.*\): \(.*\);.*: \(.*\)/\1: \2, in V8 \3/' | tee told
diff told - <<'END' && echo "as stated" || { echo CHANGED; exit 1; }
load8: 250, in V8 250
exchange8: -6, in V8 250
compare16: -1, in V8 65535
stored16: 3, in V8 3
add32: -1, in V8 4294967295
load65: unaligned atomic, in V8 a trap
notify65: 0, in V8 a trap
END
