#!/usr/bin/env bash
# Zig's own backend for x86-64: @atomicRmw .Max and .Min of a float store a NaN over a number.
#
# Expected: "Stores the operand if it is larger" (Zig's reference, AtomicRmwOp), which a NaN is not; @max of the two is
# the number, and with LLVM the variable keeps it. Seen: it becomes NaN, in a default build, which does not optimise;
# the order of the operands decides, as in `maxss`: a number does replace a NaN.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check ziglang==0.17.1
cat > largest.zig <<'ZIG'
const std = @import("std");

fn largest(first: f64, second: f64) f64 {
    var value = first;
    _ = @atomicRmw(f64, &value, .Max, second, .seq_cst);
    return value;
}

pub fn main() void {
    var nan = std.math.nan(f64);
    _ = &nan;
    std.debug.print("@max {d}, 2.5 then nan {d}, nan then 2.5 {d}, 2.5 then 3.5 {d}\n", .{
        @max(2.5, nan), largest(2.5, nan), largest(nan, 2.5), largest(2.5, 3.5),
    });
}
ZIG
echo "zig $(venv/bin/python -m ziglang version)"
run() {
    local name=$1
    shift
    venv/bin/python -m ziglang build-exe "$@" -target x86_64-linux largest.zig -femit-bin=largest \
        --cache-dir cache --global-cache-dir cache
    ./largest 2>&1 | sed "s/^/$name: /" | tee -a seen
}
run "with LLVM" -fllvm
run "by default"
diff seen - <<'TEXT' && echo "as stated" || { echo CHANGED; exit 1; }
with LLVM: @max 2.5, 2.5 then nan 2.5, nan then 2.5 2.5, 2.5 then 3.5 3.5
by default: @max 2.5, 2.5 then nan nan, nan then 2.5 2.5, 2.5 then 3.5 3.5
TEXT
