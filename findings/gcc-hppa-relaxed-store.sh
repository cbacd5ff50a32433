#!/usr/bin/env bash
# gcc for PA-RISC: a relaxed atomic store is a call of an atomic exchange, and a seq_cst load clears words of the stack.
#
# Expected: a relaxed store of an int is a store, as everywhere; a fence is `sync`, which PA-RISC has. Seen: each store
# of any order calls __sync_lock_test_and_set_4, since compare-exchange is made with a lock (the machine has only "load
# and clear word"), behind which a plain store would be lost; a relaxed load is a plain one all the same. And the fence
# before and behind a seq_cst load is this very `ldcw`, done to the word at the top of the thread's own stack.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
version=12.2.0-13cross1
fetch() { apt-get -qq download "$@" 2>/dev/null; }
fetch "cpp-12-hppa-linux-gnu=$version" || { apt-get -qq update; fetch "cpp-12-hppa-linux-gnu=$version"; }
dpkg -x cpp-12-hppa-linux-gnu_*.deb root
cat > a.c <<'C'
void store(int *p) { __atomic_store_n(p, 1, __ATOMIC_RELAXED); }
int load(int *p) { return __atomic_load_n(p, __ATOMIC_RELAXED); }
int strong(int *p) { return __atomic_load_n(p, __ATOMIC_SEQ_CST); }
C
cc1=root/usr/lib/gcc-cross/hppa-linux-gnu/12/cc1
echo "gcc for hppa-linux-gnu, Debian's cpp-12-hppa-linux-gnu $version"
"$cc1" -quiet -O2 a.c -o a.s
body() {
    awk -v n="$1:" '$1 == n { on = 1; next } on && /\.EXIT/ { exit } on && !/^\t\./' a.s |
        tr -s '\t' ' ' | paste -sd';'
}
for name in store load strong; do echo "$name: $(body $name)"; done
body store | grep -q 'bl __sync_lock_test_and_set_4' &&
    [ "$(body load | grep -c ldcw)" = 0 ] &&
    [ "$(body strong | grep -o 'ldo 15(%sp)' | wc -l)" = 2 ] &&
    [ "$(body strong | grep -o 'ldcw' | wc -l)" = 2 ] &&
    [ "$(body strong | grep -c sync)" = 0 ] && echo "as stated" || { echo CHANGED; exit 1; }
