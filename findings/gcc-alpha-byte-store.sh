#!/usr/bin/env bash
# gcc for Alpha: an atomic store of a byte loads eight bytes and stores eight, so it takes back what others stored
# there.
#
# Expected: "Two threads of execution can update and access separate memory locations without interfering with each
# other" (C11, 3.14); where a machine has no store of a byte, a loop of ldq_l and stq_c, as gcc makes for an exchange
# of a byte, or a call of libatomic. gcc says that a byte is always lock-free there. Seen, for Debian's Alpha (no
# -mbwx): `ldq_u`, `mskbl`, `stq_u` for a store of every order, without a warning, and for a plain store, too: a store
# between the two to any of the other seven bytes is lost, be it by a lock's owner or by a successful atomic exchange.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fetch() { apt-get -qq download "$@" 2>/dev/null; }
package=cpp-12-alpha-linux-gnu=12.2.0-13cross1
fetch $package || { apt-get -qq update; fetch $package; }
dpkg -x ./*.deb root
cat > a.c <<'C'
_Static_assert(__atomic_always_lock_free(1, 0) && __GCC_ATOMIC_CHAR_LOCK_FREE == 2, "always lock-free");
void store(char *p) { __atomic_store_n(p, 1, __ATOMIC_RELAXED); }
void store_seq_cst(char *p) { __atomic_store_n(p, 1, __ATOMIC_SEQ_CST); }
void plain(char *p) { *p = 1; }
char exchange(char *p) { return __atomic_exchange_n(p, 1, __ATOMIC_RELAXED); }
C
for options in -mno-bwx -mbwx; do
    root/usr/lib/gcc-cross/alpha-linux-gnu/12/cc1 -quiet -Wall -Wextra -O2 $options a.c -o a$options.s 2>> warnings
done
echo "gcc 12.2 of Debian: $package; $(wc -l < warnings) warnings"
body() {
    awk -v n="$2:" '$1 == n { on = 1; next } on && /\.end/ { exit } on && /^\t[a-z]/' "a$1.s" |
        tr -s '\t' ' ' | paste -sd';'
}
for name in store store_seq_cst plain exchange; do echo "$name: $(body -mno-bwx $name)"; done
echo "with -mbwx, store: $(body -mbwx store)"
root/usr/lib/gcc-cross/alpha-linux-gnu/12/cc1 -quiet -O2 a.c -o default.s
diff <(grep -v '\.arch' default.s) <(grep -v '\.arch' a-mno-bwx.s) > /dev/null &&
    body -mno-bwx store | grep -q 'ldq_u.*mskbl.*stq_u' &&
    body -mno-bwx store_seq_cst | grep -q 'mb;.*ldq_u.*mskbl.*stq_u.*mb' &&
    body -mno-bwx plain | grep -q 'ldq_u.*mskbl.*stq_u' &&
    body -mno-bwx exchange | grep -q 'ldq_l.*mskbl.*stq_c' &&
    body -mbwx store | grep -q 'stb' &&
    [ ! -s warnings ] && echo "as stated" || { echo CHANGED; exit 1; }
