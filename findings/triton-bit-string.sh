#!/usr/bin/env bash
# Triton (dynamic symbolic execution): `lock bts [rsi], rcx` with rcx = 65 sets bit 1 of the first word.
#
# Expected: where the place is memory and the number of the bit is in a register, the bit counts from the place on, in
# either direction (Intel's manual, BTS; "Bit(BitBase, BitOffset)"), so 65 is bit 1 of the second eight bytes; so
# programs that have a set of bits larger than a word use it, with `lock` where threads share the set. Seen: the number
# is taken modulo 64, as where the place is a register: bts and btr change, and bt tells, another bit; Unicorn does
# what the manual says.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check triton-library==1.0.0rc4 unicorn==2.1.4
cat > run.py <<'PYTHON'
from importlib.metadata import version

import unicorn.x86_const as x86
from triton import ARCH, Instruction, TritonContext
from unicorn import UC_ARCH_X86, UC_MODE_64, Uc

print("triton-library", version("triton-library"))
cases = ("lock bts", "f0480fab0e", 0, 0), ("lock btr", "f0480fb30e", 255, 255), ("bt", "480fa30e", 2, 0)
for name, code, first, second in cases:
    code = bytes.fromhex(code)
    words = first.to_bytes(8, "little") + second.to_bytes(8, "little")
    context = TritonContext(ARCH.X86_64)
    registers = context.registers
    context.setConcreteMemoryAreaValue(0x2000, words)
    context.setConcreteRegisterValue(registers.rsi, 0x2000)
    context.setConcreteRegisterValue(registers.rcx, 65)
    context.processing(Instruction(0x1000, code))
    ours = bytes(context.getConcreteMemoryAreaValue(0x2000, 16)), context.getConcreteRegisterValue(registers.cf)
    machine = Uc(UC_ARCH_X86, UC_MODE_64)
    machine.mem_map(0x1000, 0x2000)
    machine.mem_write(0x1000, code)
    machine.mem_write(0x2000, words)
    machine.reg_write(x86.UC_X86_REG_RSI, 0x2000)
    machine.reg_write(x86.UC_X86_REG_RCX, 65)
    machine.emu_start(0x1000, 0x1000 + len(code))
    theirs = bytes(machine.mem_read(0x2000, 16)), machine.reg_read(x86.UC_X86_REG_EFLAGS) & 1
    for who, (memory, carry) in (("Triton", ours), ("Unicorn", theirs)):
        two = [hex(int.from_bytes(memory[i : i + 8], "little")) for i in (0, 8)]
        print(f"{name}, {who}: {' '.join(two)}, carry {carry}")
PYTHON
venv/bin/python run.py | tee told
diff told - <<'END' && echo "as stated" || { echo CHANGED; exit 1; }
triton-library 1.0.0rc4
lock bts, Triton: 0x2 0x0, carry 0
lock bts, Unicorn: 0x0 0x2, carry 0
lock btr, Triton: 0xfd 0xff, carry 1
lock btr, Unicorn: 0xff 0xfd, carry 1
bt, Triton: 0x2 0x0, carry 1
bt, Unicorn: 0x2 0x0, carry 0
END
