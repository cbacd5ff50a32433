#!/usr/bin/env bash
# clang 22.1 (ziglang 0.17.1): atomic_signal_fence is a machine's barrier on Power, MIPS, SPARC and Hexagon.
#
# Expected: a fence between a thread and its own signal handler keeps the compiler from moving accesses, and is no
# instruction, since a thread sees its own accesses in order; so it is with gcc, and with clang for x86, Arm, RISC-V and
# LoongArch. Seen: on the four it is what atomic_thread_fence is (`sync`, `membar`, `barrier`).
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check ziglang==0.17.1
cat > a.c <<'C'
void signal(void) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
void thread(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
C
venv/bin/python -m ziglang cc --version | head -1
body() {
    awk -v n="$1:" '$1 == n { on = 1; next } on && /\.size|Lfunc_end/ { exit } on' a.s |
        grep -oE '\b(sync|lwsync|membar|barrier|fence|dmb|dbar|lock|mfence)\b' | paste -sd';'
}
for target in powerpc64le-linux mips-linux sparc64-linux hexagon-linux aarch64-linux riscv64-linux loongarch64-linux; do
    venv/bin/python -m ziglang cc -target "$target" -O2 -S a.c -o a.s 2> /dev/null
    echo "$target: signal $(body signal); thread $(body thread)"
done | tee out
diff out - <<'SEEN' && echo "as stated" || { echo CHANGED; exit 1; }
powerpc64le-linux: signal sync; thread sync
mips-linux: signal sync; thread sync
sparc64-linux: signal membar; thread membar
hexagon-linux: signal barrier; thread barrier
aarch64-linux: signal ; thread dmb
riscv64-linux: signal ; thread fence
loongarch64-linux: signal ; thread dbar
SEEN
