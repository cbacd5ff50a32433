#!/usr/bin/env bash
# Slang for Metal: a compare-exchange is one weak compare-exchange, whose failure looks like success.
#
# Expected: InterlockedCompareExchange gives the value before, and where that is the one that was asked for, the new one
# is there. Metal has only the weak function, which "may fail spuriously" and so belongs in a loop. Seen: there is no
# loop, and what the weak function did is not looked at: where it fails for no reason, the value before is the one that
# was asked for, and nothing is stored, so that two threads take one lock.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check --no-deps slangtorch==1.3.22
slang=$(echo venv/lib/python3*/site-packages/slangtorch/bin)
chmod +x "$slang/slangc"
cat > lock.slang <<'SLANG'
RWStructuredBuffer<uint> held;
RWStructuredBuffer<uint> taken;

[shader("compute")]
[numthreads(2, 1, 1)]
void take(uint3 id : SV_DispatchThreadID)
{
    uint before;
    InterlockedCompareExchange(held[0], 0, 1, before);
    taken[id.x] = uint(before == 0);
}
SLANG
"$slang/slangc" -v 2>&1 | sed 's/^/slangc /'
"$slang/slangc" lock.slang -target metal -entry take -stage compute -line-directive-mode none -o out.metal 2> /dev/null
sed -n '/void take/,$p' out.metal | tr -s ' ' | tee body
# One statement of its own, whose result nobody takes, and no loop around it.
[ "$(grep -c compare_exchange body)" = 1 ] && grep -qE '^ ?atomic_compare_exchange_weak_explicit\(.*\);$' body &&
    ! grep -qE 'while|for ?\(|do ?\{' body && echo "as stated" || { echo CHANGED; exit 1; }
