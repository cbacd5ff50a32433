#!/usr/bin/env bash
# SDCC: an atomic_flag of zero bytes is set for the Z80 and the STM8, and clear for the 8051.
#
# Expected: a flag that is static in a struct, or in memory from calloc, and has no ATOMIC_FLAG_INIT, is clear, as with
# gcc and clang everywhere; C11 (7.17.8) says of it only that it is indeterminate. Seen: for the Z80, STM8 and other
# machines whose instruction for it is a shift to the right, clear is 1 and set is 0, so the first test-and-set of a
# flag of zero bytes gives true, and who waits for it waits for ever; for the 8051, whose exchange stores 1, it gives
# false. The same source is right on one and wrong on the other, and nothing warns.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fetch() { apt-get -qq download "$@" 2>/dev/null; }
packages="sdcc=4.2.0+dfsg-1 sdcc-libraries=4.2.0+dfsg-1 sdcc-ucsim=4.2.0+dfsg-1"
# shellcheck disable=SC2086
fetch $packages || { apt-get -qq update; fetch $packages; }
for package in ./*.deb; do dpkg -x "$package" root; done
export PATH=$work/root/usr/bin:$PATH SDCC_HOME=$work/root/usr
cat > a.c <<'C'
#include <stdatomic.h>
static struct { atomic_flag held; } zero;
static atomic_flag said = ATOMIC_FLAG_INIT;
volatile unsigned char seen[3];
void main(void) {
    seen[0] = atomic_flag_test_and_set(&zero.held);
    seen[1] = atomic_flag_test_and_set(&said);
    atomic_flag_clear(&said);
    seen[2] = *(unsigned char *)&said;
    for (;;) {}
}
C
sdcc --version | head -1 | grep -oE '4\.2\.0.*'
look() { # the machine, its simulator, the simulator's name of the memory
    sdcc "-m$1" a.c -o "$1.ihx"
    local at
    at=$(awk '$2 == "_seen" || $3 == "_seen" { print $2 == "_seen" ? $1 : $2; exit }' "$1.map")
    printf 'step 5000\ndump %s 0x%s 0x%x\nquit\n' "$3" "$at" $((0x$at + 2)) | "$2" "$1.ihx" 2>&1 |
        sed -nE 's/^0x[0-9a-f]+ +(([0-9a-f]{2} )+).*/\1/p' | xargs | awk '{ print $(NF - 2), $(NF - 1), $NF }'
}
for line in "z80 sz80 rom" "stm8 sstm8 rom" "mcs51 s51 iram"; do
    # shellcheck disable=SC2086
    echo "${line%% *}: zero bytes, initializer, byte when clear: $(look $line)"
done | tee told
diff told - <<'END' && echo "as stated" || { echo CHANGED; exit 1; }
z80: zero bytes, initializer, byte when clear: 01 00 01
stm8: zero bytes, initializer, byte when clear: 01 00 01
mcs51: zero bytes, initializer, byte when clear: 00 00 00
END
