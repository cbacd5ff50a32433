#!/usr/bin/env bash
# LDC (D) for machines of 32 bits: atomicFetchAdd of -1 to a shared long adds 4294967295.
#
# Expected: one less, as on 64 bits, and as atomicOp!"+=" of the same two makes it. Seen: the parameter is a size_t, of
# whatever type the variable is; an int of -1 becomes one without a word, as in C, and then, without its sign, a long.
# So a counter goes up by almost 2^32 where it should go down by one, and atomicFetchSub(n, -1) makes it go down.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
version=1:1.30.0-1+b1
fetch() { apt-get -qq download "$@" 2>/dev/null; }
packages=("ldc=$version" "libphobos2-ldc-shared-dev=$version" "libphobos2-ldc-shared100=$version" libllvm14)
fetch "${packages[@]}" || { apt-get -qq update; fetch "${packages[@]}"; }
for file in *.deb; do dpkg -x "$file" root; done
cat > a.d <<'D'
import core.atomic;
shared long n;
extern (C) long fetch_add() { return atomicFetchAdd(n, -1); }
extern (C) long fetch_sub() { return atomicFetchSub(n, -1); }
extern (C) long operator() { return atomicOp!"+="(n, -1); }
D
export LD_LIBRARY_PATH=$work/root/usr/lib/x86_64-linux-gnu
ldc() { root/usr/bin/ldc2 -conf= -I root/usr/lib/ldc/x86_64-linux-gnu/include/d "$@" 2> /dev/null; }
ldc --version | sed -n 1p
updates() { sed -n "/^define.* @$1(/,/^}/p" a.ll | grep -oE 'atomicrmw (add|sub)|i64 -?[0-9]+ seq_cst|add i64 %get[^ ]*, -1'; }
for machine in i686 armv7 x86_64; do
    ldc -mtriple=$machine-linux-gnu -O1 -output-ll -of=a.ll a.d
    for name in fetch_add fetch_sub operator; do echo "$machine, $name: $(updates $name | paste -sd' ')"; done
done | tee told
diff told - <<'END' && echo "as stated" || { echo CHANGED; exit 1; }
i686, fetch_add: atomicrmw add i64 4294967295 seq_cst
i686, fetch_sub: atomicrmw sub i64 4294967295 seq_cst
i686, operator: add i64 %get.0.i, -1
armv7, fetch_add: atomicrmw add i64 4294967295 seq_cst
armv7, fetch_sub: atomicrmw sub i64 4294967295 seq_cst
armv7, operator: add i64 %get.0.i, -1
x86_64, fetch_add: atomicrmw add i64 -1 seq_cst
x86_64, fetch_sub: atomicrmw sub i64 -1 seq_cst
x86_64, operator: atomicrmw add i64 -1 seq_cst
END
