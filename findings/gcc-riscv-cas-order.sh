#!/usr/bin/env bash
# gcc 12.2, RISC-V: a compare-exchange has the order that is given for its failure, also where it succeeds.
#
# Expected: `compare_exchange(release, relaxed)`, with which a stack publishes a node, keeps earlier stores before it,
# as `fetch_add(release)` does by a fence. Seen: it is `lr.w` and `sc.w` without a fence or a bit for order, the very
# instructions of a relaxed one; acq_rel with an acquire failure acquires only. An exchange that releases is right.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
version=12.2.0-13cross1
fetch() { apt-get -qq download "$@" 2>/dev/null; }
fetch "cpp-12-riscv64-linux-gnu=$version" || { apt-get -qq update; fetch "cpp-12-riscv64-linux-gnu=$version"; }
dpkg -x cpp-12-riscv64-linux-gnu_*.deb root
cat > a.c <<'C'
#define CAS(name, succeeds, fails) \
    int name(int *p, int e) { return __atomic_compare_exchange_n(p, &e, 1, 0, succeeds, fails); }
CAS(relaxed, __ATOMIC_RELAXED, __ATOMIC_RELAXED)
CAS(release, __ATOMIC_RELEASE, __ATOMIC_RELAXED)
CAS(acquire, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)
CAS(both, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)
int add(int *p) { return __atomic_fetch_add(p, 1, __ATOMIC_RELEASE); }
C
echo "gcc for riscv64-linux-gnu, Debian's cpp-12-riscv64-linux-gnu $version"
root/usr/lib/gcc-cross/riscv64-linux-gnu/12/cc1 -quiet -O2 -march=rv64gc -mabi=lp64d a.c -o a.s
body() {
    awk -v n="$1:" '$1 == n { on = 1; next } on && /\.size/ { exit } on && !/^\t\./' a.s |
        grep -oE 'fence [a-z]+,[a-z]+|(lr|sc|amoadd)\.w(\.[a-z]+)?' | paste -sd';'
}
for name in relaxed release acquire both add; do echo "$name: $(body $name)"; done | tee out
diff out - <<'SEEN' && echo "as stated" || { echo CHANGED; exit 1; }
relaxed: lr.w;sc.w
release: lr.w;sc.w
acquire: lr.w.aq;sc.w.aq
both: lr.w.aq;sc.w.aq
add: fence iorw,ow;amoadd.w
SEEN
