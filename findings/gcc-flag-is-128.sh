#!/usr/bin/env bash
# gcc for SH-4 and m68k: __atomic_test_and_set, and so C's atomic_flag, sets the byte to 128 and not to 1.
#
# Expected: 1 (clang stores 1 for every target; gcc for x86 stores 1). Seen: what the machine's own instruction makes,
# its highest bit: `tas` of m68k keeps the other seven bits of the byte, and the sequence for SH-4 stores -128. So a
# flag that is read as a number, or a `bool` that is set by this builtin, has another value there; the macro
# __GCC_ATOMIC_TEST_AND_SET_TRUEVAL says which.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
version=12.2.0-13cross1
fetch() { apt-get -qq download "$@" 2>/dev/null; }
cat > a.c <<'C'
int true_value = __GCC_ATOMIC_TEST_AND_SET_TRUEVAL;
_Bool set(char *p) { return __atomic_test_and_set(p, __ATOMIC_ACQUIRE); }
C
body() {
    awk '$1 == "set:" { on = 1; next } on && /\.size/ { exit } on && !/^\t\./' "$1" | tr -s '\t' ' ' | paste -sd';'
}
ok=yes
for machine in m68k sh4; do
    fetch "cpp-12-$machine-linux-gnu=$version" || { apt-get -qq update; fetch "cpp-12-$machine-linux-gnu=$version"; }
    dpkg -x cpp-12-$machine-linux-gnu_*.deb root
    root/usr/lib/gcc-cross/$machine-linux-gnu/12/cc1 -quiet -O2 a.c -o $machine.s
    echo "gcc for $machine-linux-gnu, Debian's $version: $(body $machine.s)"
    grep -A1 '^true_value:' $machine.s | tail -1
    grep -A1 '^true_value:' $machine.s | grep -Eq '\.long[[:space:]]+128$' || ok=no
done
grep -Eq '^[[:space:]]+tas \(%a0\)' m68k.s || ok=no
grep -Eq '^[[:space:]]+mov[[:space:]]+#-128' sh4.s || ok=no
[ $ok = yes ] && echo "as stated" || { echo CHANGED; exit 1; }
