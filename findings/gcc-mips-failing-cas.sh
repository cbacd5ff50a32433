#!/usr/bin/env bash
# gcc for MIPS: a seq_cst compare-exchange that fails has no barrier behind its load.
#
# Expected: the failure order is seq_cst (or acquire), so what comes behind is ordered by `sync`, as behind a seq_cst
# load, on both ways; clang jumps to the `sync`. Seen: where the values differ gcc jumps past the last `sync`, so a
# thread that reads a flag by a compare-exchange that fails may read data from before the flag.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
version=12.2.0-14cross5
fetch() { apt-get -qq download "$@" 2>/dev/null; }
package=cpp-12-mips64el-linux-gnuabi64
fetch "$package=$version" || { apt-get -qq update; fetch "$package=$version"; }
dpkg -x cpp-12-mips64el-*.deb root
cat > a.c <<'C'
_Bool cas(int *p, int *e) { return __atomic_compare_exchange_n(p, e, 2, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); }
int load(int *p) { return __atomic_load_n(p, __ATOMIC_SEQ_CST); }
C
echo "gcc for mips64el-linux-gnuabi64, Debian's $package $version"
root/usr/lib/gcc-cross/mips64el-linux-gnuabi64/12/cc1 -quiet -O2 a.c -o a.s
body() {
    awk -v n="$1:" '$1 == n { on = 1; next } on && /\.end/ { exit } on && !/^\t\./' a.s | sed 's/#.*//' |
        tr -s '\t ' ' ' | paste -sd';'
}
for name in cas load; do echo "$name: $(body $name)"; done
# The way of a failure: from the branch to 2f, which is behind the last sync.
body cas | grep -Eq 'sync;1:; ll \$6,0\(\$4\); bne \$6,\$3,2f;.* sc .*; sync;2:;' &&
    [ "$(body cas | sed 's/.*;2:;//' | grep -c sync)" = 0 ] &&
    body load | grep -Eq 'sync; lw .*; sync' && echo "as stated" || { echo CHANGED; exit 1; }
