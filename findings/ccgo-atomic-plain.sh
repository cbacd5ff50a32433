#!/usr/bin/env bash
# ccgo (C to Go): an _Atomic variable is a plain one of Go, and `n += 1` a load and a store; volatile ones are atomic.
#
# Expected: `n += 1` and `n++` of an `_Atomic int` are one update each (C11, 6.5.16.2), so that no thread's is lost;
# sync/atomic has what it takes, and ccgo calls its library for __atomic_fetch_add. Seen: `n = n + 1`, and `return n`
# for a load, data races in Go, without a word. A `volatile int`, which C does not make atomic, is read by AtomicLoad.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
version=v4.39.3
GOBIN=$work go install modernc.org/ccgo/v4@$version 2> /dev/null
cat > a.c <<'C'
_Atomic int n;
int plain;
volatile int flag;
void add(void) { n += 1; }
int old(void) { return n++; }
int load(void) { return n; }
int builtin(void) { return __atomic_fetch_add(&plain, 1, __ATOMIC_SEQ_CST); }
int flagged(void) { return flag; }
C
echo "ccgo $version"
./ccgo -c -o a.o.go a.c
for name in add old load builtin flagged; do
    body=$(sed -n "/^func X$name(/,/^}/p" a.o.go |
        grep -oE 'Xn = Xn \+ .*|return (Xn|ccv1)|AtomicLoad[A-Za-z0-9]*|__atomic_[A-Za-z0-9_]*')
    echo "$name: $(paste -sd';' <<< "$body")"
done | tee told
diff told - <<'END' && echo "as stated" || { echo CHANGED; exit 1; }
add: Xn = Xn + ppint32(1)
old: Xn = Xn + 1;return ccv1
load: return Xn
builtin: __atomic_fetch_addInt32
flagged: AtomicLoadPInt32
END
