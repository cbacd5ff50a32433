#!/usr/bin/env bash
# gcc for ARC: an atomic exchange that acquires has no barrier behind it, and a seq_cst one only in front of it.
#
# Expected: what it does itself for fetch_add and compare_exchange of these orders, `dmb 3` behind them (and in front
# of them for seq_cst); HS cores are "in-order issue, but still weakly ordered" (Linux,
# arch/arc/include/asm/barrier.h), and Linux puts a barrier behind the EX of a lock. Seen: `ex` alone for acquire and
# for __sync_lock_test_and_set, whose documentation calls it an acquire barrier, so that what a lock guards may be
# read before the lock is held; for seq_cst `sync` and `ex`, after which a load of something else may still come
# first.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fetch() { apt-get -qq download "$@" 2>/dev/null; }
package=cpp-12-arc-linux-gnu=12.2.0-13cross1
fetch $package || { apt-get -qq update; fetch $package; }
dpkg -x ./*.deb root
cat > a.c <<'C'
int exchange_acquire(int *p) { return __atomic_exchange_n(p, 1, __ATOMIC_ACQUIRE); }
int exchange_seq_cst(int *p) { return __atomic_exchange_n(p, 1, __ATOMIC_SEQ_CST); }
int test_and_set(int *p) { return __sync_lock_test_and_set(p, 1); }
int add_acquire(int *p) { return __atomic_fetch_add(p, 1, __ATOMIC_ACQUIRE); }
int add_seq_cst(int *p) { return __atomic_fetch_add(p, 1, __ATOMIC_SEQ_CST); }
int lock(int *held, int *guarded) {
    while (__atomic_exchange_n(held, 1, __ATOMIC_ACQUIRE)) {}
    return *guarded;
}
C
root/usr/lib/gcc-cross/arc-linux-gnu/12/cc1 -quiet -Wall -Wextra -O2 -mcpu=hs38_linux a.c -o a.s
echo "gcc 12.2 of Debian: $package"
body() {
    awk -v n="$1:" '$1 == n { on = 1; next } on && /\.size/ { exit } on && !/^\t\./' a.s |
        sed 's/;.*//; s/[ \t]*$//' | tr -s '\t' ' ' | paste -sd';'
}
for name in exchange_acquire exchange_seq_cst test_and_set add_acquire add_seq_cst lock; do
    echo "$name: $(body $name)"
done
body exchange_acquire | grep -q 'ex r0,\[r2\]; j_s \[blink\]' &&
    ! body exchange_acquire | grep -Eq 'dmb|sync' &&
    body exchange_seq_cst | grep -q 'sync;.*ex r0,\[r2\]; j_s \[blink\]' &&
    body test_and_set | grep -q 'ex r0,\[r2\]; j_s \[blink\]' &&
    body add_acquire | grep -q 'scond.*dmb 3' &&
    body add_seq_cst | grep -q 'dmb 3;.*scond.*dmb 3' &&
    body lock | grep -q 'ex ' && ! body lock | grep -Eq 'dmb|sync' &&
    echo "as stated" || { echo CHANGED; exit 1; }
