#!/usr/bin/env bash
# avr-gcc 5.4.0: __sync_lock_release of an int is nothing at all, without a warning.
#
# Expected: it stores 0, or calls a function that does, as __sync_lock_test_and_set, which takes the lock, calls
# __sync_lock_test_and_set_2. Seen: of an int (2 bytes) and a long (4 bytes) the body is `ret`, so a lock that was taken
# is never given back; a char is stored. The atomic store that means the same calls __atomic_store_2.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
packages=("gcc-avr=1:5.4.0+Atmel3.6.2-3" libisl23 libmpc3 libmpfr6 libgmp10)
fetch() { apt-get -qq download "${packages[@]}" 2>/dev/null; }
fetch || { apt-get -qq update; fetch; }
for package in *.deb; do dpkg -x "$package" root; done
cat > a.c <<'C'
void release_char(signed char *p) { __sync_lock_release(p); }
void release_int(int *p) { __sync_lock_release(p); }
void release_long(long *p) { __sync_lock_release(p); }
int take_int(int *p) { return __sync_lock_test_and_set(p, 1); }
void store_int(int *p) { __atomic_store_n(p, 0, __ATOMIC_RELEASE); }
C
echo "avr-gcc, Debian's gcc-avr 1:5.4.0+Atmel3.6.2-3"
LD_LIBRARY_PATH=root/usr/lib/x86_64-linux-gnu root/usr/lib/gcc/avr/5.4.0/cc1 -mmcu=avr5 -quiet -Wall -Wextra -O2 a.c \
    -o a.s 2> told
[ ! -s told ]
body() {
    awk -v n="$1:" '$1 == n { on = 1; next } on && /\.size/ { exit } on && /^\t[a-z]/' a.s | tr -s '\t' ' ' | paste -sd';'
}
for name in release_char release_int release_long take_int store_int; do echo "$name:$(body $name)"; done | tee out
diff out - <<'SEEN' && echo "as stated" || { echo CHANGED; exit 1; }
release_char: movw r30,r24; st Z,__zero_reg__; ret
release_int: ret
release_long: ret
take_int: ldi r22,lo8(1); ldi r23,0; jmp __sync_lock_test_and_set_2
store_int: ldi r20,lo8(3); ldi r21,0; ldi r22,0; ldi r23,0; jmp __atomic_store_2
SEEN
