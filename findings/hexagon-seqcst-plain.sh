#!/usr/bin/env bash
# LLVM for Hexagon: sequentially consistent loads, stores and updates have no barrier at all, though a fence is one.
#
# Expected: where `fence seq_cst` is an instruction, a seq_cst store has one, too, as for MIPS, SPARC, Armv7, Power or
# RISC-V. Seen: the instructions are those of relaxed accesses, and a seq_cst store and the seq_cst load behind it are
# put into one packet. Only fences make a `barrier`.
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

print("llvmlite", llvmlite.__version__, "with LLVM", ".".join(map(str, llvm.llvm_version_info)))
llvm.initialize_all_targets()
llvm.initialize_all_asmprinters()

BUFFERS = """
define i32 @accesses(ptr %x, ptr %y) nounwind {
  store atomic i32 1, ptr %x ORDER, align 4
  %r = load atomic i32, ptr %y LOAD, align 4
  ret i32 %r
}
define i32 @update(ptr %x) nounwind {
  %r = atomicrmw add ptr %x, i32 1 ORDER
  ret i32 %r
}
define i32 @fenced(ptr %x, ptr %y) nounwind {
  store atomic i32 1, ptr %x monotonic, align 4
  fence seq_cst
  %r = load atomic i32, ptr %y monotonic, align 4
  ret i32 %r
}
"""


def functions(triple, cpu, order):
    text = BUFFERS.replace("ORDER", order).replace("LOAD", order.replace("release", "acquire"))
    module = llvm.parse_assembly(f'target triple = "{triple}"\n{text}')
    machine = llvm.Target.from_triple(triple).create_target_machine(cpu=cpu, opt=2)
    module.data_layout = str(machine.target_data)
    body = {}
    for line in machine.emit_assembly(module).splitlines():
        line = line.split("//")[0].strip()
        if found := re.match(r"(accesses|update|fenced):", line):
            body[name := found[1]] = []
        elif line and not line.startswith((".", "#", "$", "/")) and body:
            body[name].append(line)
    return body


seqcst, relaxed = (functions("hexagon-unknown-elf", "hexagonv68", order) for order in ("seq_cst", "monotonic"))
for name, body in seqcst.items():
    print(f"hexagon, seq_cst, {name}:", " ".join(body))
ok = all(not any("barrier" in line for line in seqcst[name]) for name in ("accesses", "update"))
ok &= seqcst["accesses"] == relaxed["accesses"] and seqcst["update"] == relaxed["update"]
ok &= any("barrier" in line for line in seqcst["fenced"])
other = functions("mips64-linux-gnu", "", "seq_cst")
print("mips64, seq_cst, accesses:", " ".join(other["accesses"]))
ok &= sum("sync" in line for line in other["accesses"]) >= 2
print("as stated" if ok else "CHANGED")
sys.exit(not ok)
PYTHON
"$work/venv/bin/python" "$work/look.py"
