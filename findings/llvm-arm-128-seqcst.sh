#!/usr/bin/env bash
# LLVM for AArch64 with LSE2 (Armv8.4, Apple's machines): a seq_cst load of 16 bytes may come before an earlier
# seq_cst store.
#
# Expected: accesses that are seq_cst are in one order, whatever their sizes (C++20, [atomics.order]): store buffering
# with a word and a pair of words has no outcome 0, 0. Arm's document of the ABI (atomicsabi64, "sequentially
# consistent" loads of 128 bits) has an LDAR in front of the LDP, which makes it wait for a store-release. Seen:
# `stlr` for the store, and for the load of the pair `ldp` and a barrier behind it alone; nothing orders the two
# (Arm's manual, B2.3: only a load-acquire waits for a store-release). A load of one word is `ldar`, and a pair is
# stored between two barriers. Known (llvm-project#81978) and mended in July 2026, in no release that llvmlite has.
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
define i128 @pair(ptr %x, ptr %y) nounwind {
  store atomic i32 1, ptr %x seq_cst, align 4
  %r = load atomic i128, ptr %y seq_cst, align 16
  ret i128 %r
}
define i32 @word(ptr %x, ptr %y) nounwind {
  store atomic i32 1, ptr %x seq_cst, align 4
  %r = load atomic i32, ptr %y seq_cst, align 4
  ret i32 %r
}
define i32 @other(ptr %x, ptr %y) nounwind {
  store atomic i128 1, ptr %y seq_cst, align 16
  %r = load atomic i32, ptr %x seq_cst, align 4
  ret i32 %r
}
"""
MEMORY = re.compile(r"\b(ldp|stp|ldar|stlr|dmb|ldaxp|stlxp|casp\w*)\b")


def functions(triple, cpu, features):
    module = llvm.parse_assembly(f'target triple = "{triple}"\n{TEXT}')
    machine = llvm.Target.from_triple(triple).create_target_machine(cpu=cpu, features=features, opt=2)
    module.data_layout = str(machine.target_data)
    body = {}
    for line in machine.emit_assembly(module).splitlines():
        line = " ".join(line.split("//")[0].split(";")[0].split())
        if found := re.match(r"_?(pair|word|other):", line):
            body[name := found[1]] = []
        elif body and MEMORY.match(line):
            body[name].append(MEMORY.match(line)[1])
    return body


ok = True
for triple, cpu, features in (
    ("aarch64-linux-gnu", "", "+v8.4a"),
    ("aarch64-linux-gnu", "neoverse-v2", ""),
    ("arm64-apple-macosx", "apple-m1", ""),
):
    body = functions(triple, cpu, features)
    print(f"{triple}, {cpu or features}:", "; ".join(f"{name}: {' '.join(each)}" for name, each in body.items()))
    ok &= body["pair"] == ["stlr", "ldp", "dmb"]
    ok &= body["word"] == ["stlr", "ldar"]
    ok &= body["other"] == ["dmb", "stp", "dmb", "ldar"]
print("as stated" if ok else "CHANGED")
sys.exit(not ok)
PYTHON
"$work/venv/bin/python" "$work/look.py"
