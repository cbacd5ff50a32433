#!/usr/bin/env bash
# Zig's own backend for RISC-V: an update that acquires is marked as one that releases, and the other way round.
#
# Expected: bit 26 of an AMO, aq, for .acquire, bit 25, rl, for .release (RISC-V's manual, chapter "A"), as the same
# compiler has it with LLVM. Seen: they are exchanged, so that what a lock guards may be done before the lock is held,
# and after it is given back; a compare-exchange with .acq_rel has rl on the load, and nothing on the store. Only
# .seq_cst, with both bits, is right. Loads and stores have fences of their own, and are right.
# The own backend has to be asked for there (-fno-llvm).
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check ziglang==0.17.1 pyelftools==0.33
cat > look.py <<'PYTHON'
import struct
import sys

from elftools.elf.elffile import ELFFile

NAMES = {0x02: "lr", 0x03: "sc", 0x00: "amoadd", 0x01: "amoswap"}
with open(sys.argv[1], "rb") as file:
    seen = []
    for section in ELFFile(file).iter_sections():
        if section["sh_flags"] & 4:  # SHF_EXECINSTR
            code = section.data()
            for (word,) in struct.iter_unpack("<I", code[: len(code) // 4 * 4]):
                if word & 0x7F == 0x2F:  # the opcode AMO
                    bits = ("aq" if word >> 26 & 1 else "") + ("rl" if word >> 25 & 1 else "")
                    seen.append(f"{NAMES[word >> 27]} {bits or 'plain'}")
print(", ".join(seen))
PYTHON
echo "zig $(venv/bin/python -m ziglang version)"
look() {
    echo "export fn f(p: *u32) u32 { return $2; }" > one.zig
    for backend in -fllvm -fno-llvm; do
        venv/bin/python -m ziglang build-obj $backend -target riscv64-linux -mcpu=generic_rv64+m+a+f+d+v+zbb one.zig \
            -fstrip -femit-bin=one.o --cache-dir cache --global-cache-dir cache
        echo "$1, $backend: $(venv/bin/python look.py one.o)" | tee -a seen
    done
}
look "exchange, acquire" '@atomicRmw(u32, p, .Xchg, 1, .acquire)'
look "exchange, release" '@atomicRmw(u32, p, .Xchg, 1, .release)'
look "add, acquire" '@atomicRmw(u32, p, .Add, 1, .acquire)'
look "compare-exchange, acq_rel" '@cmpxchgStrong(u32, p, 0, 1, .acq_rel, .acquire) orelse 0'
diff seen - <<'TEXT' && echo "as stated" || { echo CHANGED; exit 1; }
exchange, acquire, -fllvm: amoswap aq
exchange, acquire, -fno-llvm: amoswap rl
exchange, release, -fllvm: amoswap rl
exchange, release, -fno-llvm: amoswap aq
add, acquire, -fllvm: amoadd aq
add, acquire, -fno-llvm: amoadd rl
compare-exchange, acq_rel, -fllvm: lr aq, sc rl
compare-exchange, acq_rel, -fno-llvm: lr rl, sc plain
TEXT
