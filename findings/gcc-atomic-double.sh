#!/usr/bin/env bash
# gcc: `d += 1.0` of an _Atomic double saves and restores the whole state of the floating-point unit, and needs
# libatomic.
#
# Expected: a loop of an addition and a `lock cmpxchg`, as for integers, which clang makes. Seen: before the loop
# `fnstenv`, `fnclex`, `stmxcsr`, `ldmxcsr` (exceptions are held back, as 6.5.16.2 of C11 has it in a note), again in
# each round that fails, and behind it `fldenv` and a call of __atomic_feraiseexcept, so that the program does not link
# without -latomic, though the double itself is lock-free.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
version=12.2.0-14+deb12u1
fetch() { apt-get -qq download "$@" 2>/dev/null; }
fetch "cpp-12=$version" || { apt-get -qq update; fetch "cpp-12=$version"; }
dpkg -x cpp-12_*.deb root
cat > a.c <<'C'
void add_double(_Atomic double *d) { *d += 1.0; }
void multiply(_Atomic int *i) { *i *= 3; }
C
echo "gcc, Debian's cpp-12 $version"
root/usr/lib/gcc/x86_64-linux-gnu/12/cc1 -quiet -O2 a.c -o a.s
body() {
    awk -v n="$1:" '$1 == n { on = 1; next } on && /\.size/ { exit } on && !/^\t\.|^\.L/ { print $1, $2, $3 }' a.s |
        paste -sd';'
}
for name in add_double multiply; do echo "$name: $(body $name)"; done
ok=yes
for word in fnstenv fnclex fldenv stmxcsr ldmxcsr 'lock cmpxchgq' 'call __atomic_feraiseexcept'; do
    body add_double | grep -q "$word" || ok=no
done
body multiply | grep -q 'lock cmpxchgl' || ok=no
body multiply | grep -Eq 'fnstenv|call' && ok=no
[ $ok = yes ] && echo "as stated" || { echo CHANGED; exit 1; }
