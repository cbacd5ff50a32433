#!/usr/bin/env bash
# LLVM 22.1 for NVIDIA's GPUs: an atomic update loses its order and its scope; a load, a store, a compare-exchange
# and a fence keep theirs.
#
# Expected: `atomicrmw ... acquire` of the whole system becomes `atom.acquire.sys`, as PTX has it since sm_70, or has
# fences around it, or is an error. Seen: `atom.exch.b32`, which is `.relaxed.gpu` where nothing is said: acquire,
# release and seq_cst give the same instruction as monotonic, and the scope is that of one GPU and not of the system.
# Nothing is said of it. `cmpxchg` beside it is `atom.acquire.sys.cas`, with `fence.sc.sys` for seq_cst. So a lock that
# is taken by an exchange and given back by a release store does not protect anything.
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

UPDATE = "%r = atomicrmw OPERATION ptr %x, i32 %a ORDER"
OTHERS = {
    "load": "%r = load atomic i32, ptr %x seq_cst, align 4",
    "cas": "%p = cmpxchg ptr %x, i32 1, i32 %a acquire monotonic\n  %r = extractvalue {i32, i1} %p, 0",
}
llvm.initialize_all_targets()
llvm.initialize_all_asmprinters()
print("llvmlite", llvmlite.__version__, "with LLVM", ".".join(map(str, llvm.llvm_version_info)))
machine = llvm.Target.from_triple("nvptx64-nvidia-cuda").create_target_machine(cpu="sm_90", opt=2)


def instructions(statement):
    text = f'target triple = "nvptx64-nvidia-cuda"\ndefine i32 @f(ptr %x, i32 %a) {{\n  {statement}\n  ret i32 %r\n}}'
    module = llvm.parse_assembly(text)
    module.data_layout = str(machine.target_data)
    return re.findall(r"^\s*((?:atom|ld\.(?!param)|fence)[\w.]*)", machine.emit_assembly(module), re.M)


ok = True
for operation in ("xchg", "add", "umax"):
    for order in ("monotonic", "acquire", "release", "acq_rel", "seq_cst"):
        found = instructions(UPDATE.replace("OPERATION", operation).replace("ORDER", order))
        print(f"  atomicrmw {operation} {order}:", " ".join(found))
        ok &= len(found) == 1 and re.fullmatch(r"atom\.(exch|add|max)\.[bu]32", found[0]) is not None
others = {name: instructions(statement) for name, statement in OTHERS.items()}
print("  load seq_cst:", *others["load"])
print("  cmpxchg acquire:", *others["cas"])
ok &= others == {"load": ["fence.sc.sys", "ld.acquire.sys.b32"], "cas": ["atom.acquire.sys.cas.b32"]}
print("as stated" if ok else "CHANGED")
sys.exit(not ok)
PYTHON
"$work/venv/bin/python" "$work/look.py"
