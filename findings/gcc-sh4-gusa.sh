#!/usr/bin/env bash
# gcc for SH-4 (Linux): an atomic update is a plain load, an addition and a plain store, with the stack pointer
# negative.
#
# Expected: an instruction that is atomic, a pair as ll/sc, interrupts that are switched off, or a call of libatomic.
# Seen ("gUSA"): r15, the stack pointer, gets minus the length of the sequence (`mov #(0f-1f),r15`), and a kernel that
# interrupts a thread with such a stack pointer sets it back to the beginning. There is one processor, so fences of all
# orders, and seq_cst loads and stores, are nothing more than plain accesses.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
version=12.2.0-13cross1
fetch() { apt-get -qq download "$@" 2>/dev/null; }
fetch "cpp-12-sh4-linux-gnu=$version" || { apt-get -qq update; fetch "cpp-12-sh4-linux-gnu=$version"; }
dpkg -x cpp-12-sh4-linux-gnu_*.deb root
cat > a.c <<'C'
int update(int *p) { return __atomic_fetch_add(p, 1, __ATOMIC_SEQ_CST); }
void store(int *p) { __atomic_store_n(p, 1, __ATOMIC_SEQ_CST); }
int load(int *p) { return __atomic_load_n(p, __ATOMIC_SEQ_CST); }
void fence(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
C
cc1=root/usr/lib/gcc-cross/sh4-linux-gnu/12/cc1
echo "gcc for sh4-linux-gnu, Debian's cpp-12-sh4-linux-gnu $version"
"$cc1" -quiet -O2 a.c -o a.s
body() {
    awk -v n="$1:" '$1 == n { on = 1; next } on && /\.size/ { exit } on && !/^\t\.|^\.L/' a.s |
        tr -s '\t' ' ' | paste -sd';'
}
for name in update store load fence; do echo "$name: $(body $name)"; done
body update | grep -Eq 'mov r15,r1; mov #\(0f-1f\),r15;0: mov\.l @r4,r2;.*add #1,r3; mov\.l r3,@r4;1: mov r1,r15' &&
    [ "$(body fence)" = " rts ; nop" ] &&
    [ "$(body load)" = " mov.l @r4,r0; rts ; nop" ] &&
    [ "$(body store)" = " mov #1,r1; mov.l r1,@r4; rts ; nop" ] && echo "as stated" || { echo CHANGED; exit 1; }
