#!/usr/bin/env bash
# LLVM for AVR: an atomic load of four bytes is a compare-and-swap, which may write; one of two bytes is two plain
# loads with interrupts off.
#
# Expected: a call of `__atomic_load_4`, as for other machines without wide atomic accesses (MSP430 beside it), so that
# a constant in memory that nobody writes may be read. Seen: `__sync_val_compare_and_swap_4` with 0 and 0 in the place
# of the load, and an exchange, `__sync_lock_test_and_set_4`, in the place of the store.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -q --disable-pip-version-check llvmlite==0.50.0
cat > "$work/look.py" <<'PYTHON'
import re
import sys

import llvmlite
import llvmlite.binding as llvm

TEXT = """
define i32 @load4(ptr %x) {
  %r = load atomic i32, ptr %x monotonic, align 4
  ret i32 %r
}
define void @store4(ptr %x) {
  store atomic i32 1, ptr %x monotonic, align 4
  ret void
}
define i16 @load2(ptr %x) {
  %r = load atomic i16, ptr %x seq_cst, align 2
  ret i16 %r
}
"""
llvm.initialize_all_targets()
llvm.initialize_all_asmprinters()
print("llvmlite", llvmlite.__version__, "with LLVM", ".".join(map(str, llvm.llvm_version_info)))


def functions(triple, cpu):
    module = llvm.parse_assembly(f'target triple = "{triple}"\n{TEXT}')
    machine = llvm.Target.from_triple(triple).create_target_machine(cpu=cpu, opt=2)
    module.data_layout = str(machine.target_data)
    body = {}
    for line in machine.emit_assembly(module).splitlines():
        if found := re.match(r"(load4|store4|load2):", line):
            body[name := found[1]] = []
        elif body and (found := re.match(r"\s+([a-z]+)\b\s*([^;]*)", line)):
            body[name].append(f"{found[1]} {found[2].strip()}".strip())
    print(triple)
    for name, lines in body.items():
        print(f"  {name}:", "; ".join(lines))
    return body


avr, other = functions("avr", "atmega328p"), functions("msp430", "")
called = {name: [line.split("#")[-1].split()[-1] for line in body if line.startswith("call")] for name, body in avr.items()}
ok = called == {"load4": ["__sync_val_compare_and_swap_4"], "store4": ["__sync_lock_test_and_set_4"], "load2": []}
ok &= "cli" in avr["load2"] and sum(line.startswith(("ld ", "ldd ")) for line in avr["load2"]) == 2
ok &= any("__atomic_load_4" in line for line in other["load4"])
print("as stated" if ok else "CHANGED")
sys.exit(not ok)
PYTHON
"$work/venv/bin/python" "$work/look.py"
