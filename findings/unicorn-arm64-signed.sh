#!/usr/bin/env bash
# Unicorn: AArch64's signed atomic maximum and minimum of less than eight bytes compare as if nothing had a sign.
#
# Expected: LDSMAX and LDSMIN take numbers with a sign (Arm's manual, C6.2): the larger of -16 and 1 is 1, the smaller
# -16, in each size. Seen: for bytes, halfwords and words -16 stays as the larger, and 1 is stored as the
# smaller; for eight bytes both are right. The RISC-V of the same version (amomax.w) is right.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -q --disable-pip-version-check unicorn==2.1.4
cat > "$work/run.py" <<'PYTHON'
import importlib.metadata
import struct

from unicorn import UC_ARCH_ARM64, UC_ARCH_RISCV, UC_MODE_ARM, UC_MODE_RISCV64, Uc
from unicorn.arm64_const import UC_ARM64_REG_X0, UC_ARM64_REG_X2, UC_CPU_ARM64_MAX
from unicorn.riscv_const import UC_RISCV_REG_A0, UC_RISCV_REG_A1

print("unicorn", importlib.metadata.version("unicorn"))


def left(machine, word, size, registers):
    machine.mem_map(0x1000, 0x2000)
    machine.mem_write(0x1000, struct.pack("<I", word))
    machine.mem_write(0x2000, (-16).to_bytes(8, "little", signed=True))
    for register, value in registers.items():
        machine.reg_write(register, value)
    machine.emu_start(0x1000, 0x1004)
    return int.from_bytes(machine.mem_read(0x2000, size), "little", signed=True)


def arm(word, size):
    machine = Uc(UC_ARCH_ARM64, UC_MODE_ARM)
    machine.ctl_set_cpu_model(UC_CPU_ARM64_MAX)
    return left(machine, word, size, {UC_ARM64_REG_X0: 1, UC_ARM64_REG_X2: 0x2000})


for name, operation in (("ldsmax", 0x4000), ("ldsmin", 0x5000)):  # x0 and [x2], the value before to x1
    found = [arm(size << 30 | 0x38200041 | operation, 1 << size) for size in range(4)]
    print(f"{name} of -16 and 1, in 1, 2, 4, 8 bytes:", *found)
for name, operation in (("amomax.w", 0x14), ("amomin.w", 0x10)):
    word = operation << 27 | 11 << 20 | 10 << 15 | 2 << 12 | 14 << 7 | 0x2F  # a1 and (a0), the value before to a4
    machine = Uc(UC_ARCH_RISCV, UC_MODE_RISCV64)
    print(f"{name} of -16 and 1:", left(machine, word, 4, {UC_RISCV_REG_A0: 0x2000, UC_RISCV_REG_A1: 1}))
PYTHON
"$work/venv/bin/python" "$work/run.py" | tee "$work/told"
diff "$work/told" - <<'END' && echo "as stated" || { echo CHANGED; exit 1; }
unicorn 2.1.4
ldsmax of -16 and 1, in 1, 2, 4, 8 bytes: -16 -16 -16 1
ldsmin of -16 and 1, in 1, 2, 4, 8 bytes: 1 1 1 -16
amomax.w of -16 and 1: 1
amomin.w of -16 and 1: -16
END
