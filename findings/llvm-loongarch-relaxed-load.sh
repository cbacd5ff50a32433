#!/usr/bin/env bash
# LLVM for LoongArch: two relaxed loads of one variable may go backwards, since nothing keeps them in order.
#
# Expected: read-read coherence (C++20, [intro.races]): of two loads of one atomic, the second does not read an older
# value. LoongArch keeps loads of one address in order only where CPUCFG's bit LD_SEQ_SA says so (since LA664);
# elsewhere `dbar 0x700` is for that, and gcc 14 has one behind each relaxed atomic load (config/loongarch/sync.md).
# LLVM has the same option, `ld-seq-sa`, off by default: "Do not generate same-address load-load barrier instructions
# (dbar 0x700)". Seen: with the option off there is none between or behind relaxed loads, also for LA464, which lacks
# that order; the option takes one away only behind a compare-exchange that fails.
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
define i32 @twice(ptr %x) nounwind {
  %a = load atomic i32, ptr %x monotonic, align 4
  %b = load atomic i32, ptr %x monotonic, align 4
  %c = sub i32 %b, %a
  ret i32 %c
}
define i32 @acquires(ptr %x) nounwind {
  %a = load atomic i32, ptr %x acquire, align 4
  ret i32 %a
}
define i32 @swaps(ptr %x) nounwind {
  %p = cmpxchg ptr %x, i32 0, i32 1 monotonic monotonic
  %a = extractvalue {i32, i1} %p, 0
  ret i32 %a
}
"""
TRIPLE = "loongarch64-unknown-linux-gnu"


def functions(cpu, features):
    module = llvm.parse_assembly(f'target triple = "{TRIPLE}"\n{TEXT}')
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(cpu=cpu, features=features, opt=2)
    module.data_layout = str(machine.target_data)
    body = {}
    for line in machine.emit_assembly(module).splitlines():
        line = " ".join(line.split("#")[0].split())
        if found := re.match(r"(twice|acquires|swaps):", line):
            body[name := found[1]] = []
        elif body and re.match(r"(ld|ll|sc|dbar)\b", line):
            body[name].append(line)
    return body


ok = True
barrier = "dbar 1792"  # 0x700
for cpu, features in (("", ""), ("la464", ""), ("", "+ld-seq-sa")):
    body = functions(cpu, features)
    print(f"{cpu or features or 'default'}:", "; ".join(f"{name}: {', '.join(each)}" for name, each in body.items()))
    ok &= [line.split()[0] for line in body["twice"]] == ["ld.w", "ld.w"]
    ok &= body["acquires"][-1] == "dbar 20"
    ok &= (barrier in body["swaps"]) == (not features)
print("as stated" if ok else "CHANGED")
sys.exit(not ok)
PYTHON
"$work/venv/bin/python" "$work/look.py"
