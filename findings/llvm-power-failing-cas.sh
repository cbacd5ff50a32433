#!/usr/bin/env bash
# LLVM 22 for Power: a seq_cst compare-exchange that fails has no `sync` before its load; LLVM 20 put one there.
#
# Expected: seq_cst accesses of Power begin with `sync`, so that a load cannot go before a seq_cst store to another
# place; the failure's order is seq_cst, too. Seen with 22.1: the first `lwarx` stands alone, the `sync` comes behind
# the comparison, on the way to `stwcx.` only, and a failure meets `lwsync` behind the load. Nothing else makes up for
# it, since a store's `sync` stands before the store. So two threads, each of which stores to one variable and then
# tries a compare-exchange on the other that fails, may both read the old value, which C and C++ forbid. With 20.1,
# `sync` stands before the loop. A plain seq_cst load has its `sync` in both.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat > "$work/look.py" <<'PYTHON'
import re
import sys

import llvmlite
import llvmlite.binding as llvm

TEXT = """
define void @store(ptr %x) nounwind {
  store atomic i32 1, ptr %x seq_cst, align 4
  ret void
}
define i32 @load(ptr %x) nounwind {
  %r = load atomic i32, ptr %x seq_cst, align 4
  ret i32 %r
}
define i32 @exchange(ptr %x, i32 %a, i32 %b) nounwind {
  %p = cmpxchg ptr %x, i32 %a, i32 %b seq_cst seq_cst
  %r = extractvalue {i32, i1} %p, 0
  ret i32 %r
}
"""
llvm.initialize_all_targets()
llvm.initialize_all_asmprinters()
print("llvmlite", llvmlite.__version__, "with LLVM", ".".join(map(str, llvm.llvm_version_info)))
module = llvm.parse_assembly('target triple = "powerpc64le-linux-gnu"\n' + TEXT)
machine = llvm.Target.from_triple(module.triple).create_target_machine(opt=2)
module.data_layout = str(machine.target_data)
body = {}
for line in machine.emit_assembly(module).splitlines():
    line = line.split("#")[0].strip()
    if found := re.match(r"(store|load|exchange):", line):
        body[name := found[1]] = []
    elif body and re.match(r"\.LBB\d+_\d+:|[a-z]", line):
        body[name].append(line.split()[0])
for name, words in body.items():
    print(f"  {name}:", " ".join(words))
first = {name: [word for word in words if word in ("sync", "lwarx", "lwz", "stw")][0] for name, words in body.items()}
wanted = {"store": "sync", "load": "sync", "exchange": sys.argv[1]}
failure = body["exchange"][body["exchange"].index("lwarx") :]
if sys.argv[1] == "lwarx":  # the sync stands behind the first branch
    branch = next(n for n, word in enumerate(failure) if word.startswith("bne"))
    sys.exit(first != wanted or "sync" not in failure[branch:] or "sync" in failure[:branch])
sys.exit(first != wanted or "sync" in failure)
PYTHON
look() {
    python3 -m venv "$work/$1"
    "$work/$1/bin/pip" install -q --disable-pip-version-check "llvmlite==$1"
    "$work/$1/bin/python" "$work/look.py" "$2"
}
look 0.45.1 sync && look 0.50.0 lwarx && echo "as stated" || { echo CHANGED; exit 1; }
