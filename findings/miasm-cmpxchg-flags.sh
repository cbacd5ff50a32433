#!/usr/bin/env bash
# miasm 0.1.5: x86's CMPXCHG sets ZF alone, and BTS with an immediate number of a bit goes beyond its word.
#
# Expected: CMPXCHG compares as CMP does, and sets CF, PF, AF, SF and OF by that too (Intel's manual, CMPXCHG, "Flags
# affected"), as in Unicorn: eax 1, memory 5 leave CF and SF set. `bts dword [rsi], 37` with the number in the
# instruction means bit 5 of this dword (BTS: the number is taken modulo the size then); only one in a register counts
# on into the next. Seen: miasm's expressions of CMPXCHG name zf, the accumulator, memory and nothing else, and those of
# BTS by an immediate the dword after the one that is meant.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check miasm==0.1.5 unicorn==2.1.4
cat > a.py <<'PYTHON'
from importlib.metadata import version

from miasm.analysis.machine import Machine
from miasm.core.locationdb import LocationDB
from miasm.expression.simplifications import expr_simp
from unicorn import UC_ARCH_X86, UC_MODE_64, Uc
from unicorn.x86_const import UC_X86_REG_EAX, UC_X86_REG_ECX, UC_X86_REG_EFLAGS, UC_X86_REG_RSI

CMPXCHG, BTS = bytes.fromhex("f00fb10e"), bytes.fromhex("f00fba2e25")


def written(code):
    machine = Machine("x86_64")
    instruction = machine.mn.dis(code, 64)
    instruction.offset = 0
    first, others = machine.lifter(LocationDB()).get_ir(instruction)
    places = [e.dst for e in first]
    places += [place for block in others for assigned in block for place in assigned]
    return sorted({str(expr_simp(place)) for place in places} - {"IRDst"})


def run(code):
    machine = Uc(UC_ARCH_X86, UC_MODE_64)
    machine.mem_map(0x1000, 0x2000)
    machine.mem_write(0x1000, code)
    machine.mem_write(0x2000, (5).to_bytes(4, "little"))
    for register, value in {UC_X86_REG_RSI: 0x2000, UC_X86_REG_EAX: 1, UC_X86_REG_ECX: 7}.items():
        machine.reg_write(register, value)
    machine.emu_start(0x1000, 0x1000 + len(code))
    flags = machine.reg_read(UC_X86_REG_EFLAGS)
    return machine.mem_read(0x2000, 8).hex(), {"cf": flags & 1, "zf": flags >> 6 & 1, "sf": flags >> 7 & 1}


print("miasm", version("miasm"), "unicorn", version("unicorn"))
print("miasm: lock cmpxchg [rsi], ecx writes", ", ".join(written(CMPXCHG)))
print("miasm: lock bts dword [rsi], 37 writes", ", ".join(written(BTS)))
print("unicorn: cmpxchg with eax 1, memory 5:", run(CMPXCHG)[1])
print("unicorn: lock bts dword [rsi], 37 makes 05000000 00000000", run(BTS)[0])
PYTHON
venv/bin/python a.py 2>&1 | tee out
tail -4 out | diff - <(cat <<'SEEN'
miasm: lock cmpxchg [rsi], ecx writes @32[RSI], EAX, zf
miasm: lock bts dword [rsi], 37 writes @32[RSI + 0x4], cf
unicorn: cmpxchg with eax 1, memory 5: {'cf': 1, 'zf': 0, 'sf': 1}
unicorn: lock bts dword [rsi], 37 makes 05000000 00000000 2500000000000000
SEEN
) && echo "as stated" || { echo CHANGED; exit 1; }
