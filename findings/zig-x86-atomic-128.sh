#!/usr/bin/env bash
# Zig's own backend for x86-64: an atomic store of 16 bytes stores nothing, and @atomicRmw .Min does not take the
# smaller one.
#
# Expected: what the same compiler makes of the same text with LLVM: after `@atomicStore(u128, &x, 3, .seq_cst)` x is
# 3. Seen: x keeps its value. The loop with `lock cmpxchg16b` writes the old value, and never reads the new one; a
# .Min of 16 bytes also leaves the larger value. Neither compiler nor program says a word. For x86-64 Linux the own
# backend is the default of a build that does not optimise.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check ziglang==0.17.1
cat > wide.zig <<'ZIG'
const std = @import("std");

fn show(comptime T: type, first: T, second: T) void {
    var stored = first;
    @atomicStore(T, &stored, second, .seq_cst);
    var least = first;
    _ = @atomicRmw(T, &least, .Min, second, .seq_cst);
    var added = first;
    _ = @atomicRmw(T, &added, .Add, second, .seq_cst);
    std.debug.print("{s}: stored {d}, least {d}, added {d}\n", .{ @typeName(T), stored, least, added });
}

pub fn main() void {
    show(u64, 5, 3);
    show(u128, 5, 3);
}
ZIG
echo "zig $(venv/bin/python -m ziglang version)"
run() {
    local name=$1
    shift
    venv/bin/python -m ziglang build-exe "$@" -target x86_64-linux -mcpu=x86_64_v3 wide.zig -femit-bin=wide \
        --cache-dir cache --global-cache-dir cache
    ./wide 2>&1 | sed "s/^/$name: /" | tee -a seen
}
run "with LLVM" -fllvm
run "by default"
diff seen - <<'TEXT' && echo "as stated" || { echo CHANGED; exit 1; }
with LLVM: u64: stored 3, least 3, added 8
with LLVM: u128: stored 3, least 3, added 8
by default: u64: stored 3, least 3, added 8
by default: u128: stored 5, least 5, added 8
TEXT
