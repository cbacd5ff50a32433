#!/usr/bin/env bash
# gcc for machines without atomic instructions: atomic_flag_test_and_set is a load and a store, and nothing says so.
#
# Expected, as of all other updates there: a call of libatomic (__atomic_fetch_add_4, __atomic_exchange_1), whose lock
# makes it atomic, or an error where it is linked; C11 says of atomic_flag alone that it is lock-free everywhere. Seen,
# for RISC-V without the extension A and for BPF: `lbu` and `sb` (`ldxb`, `stb`), without a warning, so a spin lock made
# of the flag lets two threads in.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fetch() { apt-get -qq download "$@" 2>/dev/null; }
packages="cpp-12-riscv64-linux-gnu=12.2.0-13cross1 gcc-bpf=12.2.0-14+deb12u1+"
# shellcheck disable=SC2086
fetch $packages || { apt-get -qq update; fetch $packages; }
for file in ./*.deb; do dpkg -x "$file" root; done
cat > a.c <<'C'
_Bool set(char *p) { return __atomic_test_and_set(p, __ATOMIC_SEQ_CST); }
char swap(char *p) { return __atomic_exchange_n(p, 1, __ATOMIC_SEQ_CST); }
C
riscv=root/usr/lib/gcc-cross/riscv64-linux-gnu/12/cc1
"$riscv" -quiet -Wall -Wextra -O2 -march=rv64imc -mabi=lp64 a.c -o without.s 2> warnings
"$riscv" -quiet -Wall -Wextra -O2 -march=rv64imac -mabi=lp64 a.c -o with.s 2>> warnings
root/usr/lib/gcc/bpf/12/cc1 -quiet -Wall -Wextra -O2 a.c -o bpf.s 2>> warnings
echo "gcc 12.2 of Debian: $packages; $(wc -l < warnings) warnings"
body() {
    awk -v n="$2:" '$1 == n { on = 1; next } on && /\.size/ { exit } on && !/^\t\./' "$1" |
        tr -s '\t' ' ' | paste -sd';'
}
for file in without.s bpf.s with.s; do
    for name in set swap; do echo "$file, $name: $(body $file $name)"; done
done
body without.s set | grep -q 'lbu a0,0(a0); sb a4,0(a5); ret' &&
    body bpf.s set | grep -Eq 'ldxb %r0,\[%r1\+0\]; stb \[%r1\+0\],1; exit' &&
    body without.s swap | grep -q '__atomic_exchange_1' &&
    body bpf.s swap | grep -q '__atomic_exchange_1' &&
    body with.s set | grep -q 'amoor\.w' &&
    [ ! -s warnings ] && echo "as stated" || { echo CHANGED; exit 1; }
