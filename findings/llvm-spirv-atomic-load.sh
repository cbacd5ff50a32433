#!/usr/bin/env bash
# LLVM's backend for SPIR-V: atomic loads and stores become plain ones, and a fence is for no memory at all.
#
# Expected: OpAtomicLoad and OpAtomicStore with the order, as OpenCL's atomic_load_explicit becomes; in the memory
# semantics of fences and updates a class of memory beside the order, since the bits of classes say what the order is
# for ("Apply the memory-ordering constraints to CrossWorkgroup Storage Class memory", SPIR-V 1.6, 3.25). Seen:
# `OpLoad` and `OpStore` for a seq_cst load and a release store, without a word, so that a lock's release is a data
# race; `OpMemoryBarrier` with 16 alone (SequentiallyConsistent) and an update with 2 (Acquire). The loads and stores
# are known (llvm-project#185629) and mended after LLVM 22.
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

TEXT = """
target triple = "spirv64-unknown-unknown"
define spir_func i32 @loads(ptr addrspace(1) %x) nounwind {
  %r = load atomic i32, ptr addrspace(1) %x seq_cst, align 4
  ret i32 %r
}
define spir_func void @stores(ptr addrspace(1) %x) nounwind {
  store atomic i32 1, ptr addrspace(1) %x release, align 4
  ret void
}
define spir_func i32 @adds(ptr addrspace(1) %x) nounwind {
  %r = atomicrmw add ptr addrspace(1) %x, i32 1 acquire
  ret i32 %r
}
define spir_func void @fences() nounwind {
  fence seq_cst
  ret void
}
"""
module = llvm.parse_assembly(TEXT)
machine = llvm.Target.from_triple("spirv64-unknown-unknown").create_target_machine(opt=2)
lines = [" ".join(line.split()) for line in machine.emit_assembly(module).splitlines()]
constants = dict(re.findall(r"^(%\d+) = OpConstant(?:Null)? %\d+ ?(\d*)$", "\n".join(lines), re.M))
memory = [line for line in lines if re.search(r"Op(Atomic\w*|Load|Store|MemoryBarrier)\b", line)]
for line in memory:
    print(re.sub(r"%\d+", lambda name: f"({constants[name[0]] or 0})" if name[0] in constants else name[0], line))


def numbers(line):
    return [int(constants[name] or 0) for name in line.split("Op")[1].split()[1:] if name in constants]


loads, stores, adds, fences = memory
ok = " OpLoad " in loads and stores.startswith("OpStore ")
ok &= " OpAtomicIAdd " in adds and numbers(adds) == [0, 2, 1]  # the scope, the order, the addend
ok &= fences.startswith("OpMemoryBarrier ") and numbers(fences) == [0, 16]
print("as stated" if ok else "CHANGED")
sys.exit(not ok)
PYTHON
"$work/venv/bin/python" "$work/look.py"
