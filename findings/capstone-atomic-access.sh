#!/usr/bin/env bash
# Capstone: `lock cmpxchg` only reads its memory, and AArch64's atomic instructions write nothing at all.
#
# Expected: regs_access() and the `access` of operands say what an instruction reads and writes, so that a tool finds
# what depends on it. Seen, on x86-64: the memory of cmpxchg and cmpxchg16b is read and not written (that of xadd and
# xchg is both), cmpxchg does not write eax, and neither it nor xadd writes the flags, though the `jne` behind it
# depends on them. On AArch64 `ldadd`, `swp` and `cas` have operands without any access, and write no register; the
# older `ldaxr` and `stlxr` are told right.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -q --disable-pip-version-check capstone==5.0.9
cat > "$work/look.py" <<'PYTHON'
import importlib.metadata
import struct

from capstone import CS_ARCH_ARM64, CS_ARCH_X86, CS_MODE_64, CS_MODE_ARM, Cs

print("capstone", importlib.metadata.version("capstone"))
KINDS = {0: "nothing", 1: "r", 2: "w", 3: "rw"}


def show(machine, code):
    machine.detail = True
    for one in machine.disasm(code, 0x1000):
        operands = " ".join(KINDS[operand.access] for operand in one.operands)
        written = sorted(one.reg_name(register) for register in one.regs_access()[1])
        print(f"{one.mnemonic} {one.op_str}: {operands}; written: {' '.join(written) or 'none'}")


show(Cs(CS_ARCH_X86, CS_MODE_64), bytes.fromhex("f00fb10f f0480fc70f f00fc107 8707 f00107"))
words = (0xB8E00041, 0xB8208041, 0x88E07C41, 0x885FFC41, 0x8800FC41)
show(Cs(CS_ARCH_ARM64, CS_MODE_ARM), struct.pack("<5I", *words))
PYTHON
"$work/venv/bin/python" "$work/look.py" | tee "$work/told"
diff "$work/told" - <<'END' && echo "as stated" || { echo CHANGED; exit 1; }
capstone 5.0.9
lock cmpxchg dword ptr [rdi], ecx: r r; written: none
lock cmpxchg16b xmmword ptr [rdi]: r; written: rax rdx rflags
lock xadd dword ptr [rdi], eax: rw rw; written: eax
xchg dword ptr [rdi], eax: rw rw; written: eax
lock add dword ptr [rdi], eax: rw r; written: rflags
ldaddal w0, w1, [x2]: nothing nothing nothing; written: none
swp w0, w1, [x2]: nothing nothing nothing; written: none
casa w0, w1, [x2]: nothing nothing nothing; written: none
ldaxr w1, [x2]: w r; written: w1
stlxr w0, w1, [x2]: w r r; written: w0
END
