#!/usr/bin/env bash
# Slang: loads that acquire and stores that release are plain ones in CUDA, GLSL and HLSL, without a word.
#
# Expected: `flag.load(MemoryOrder.Acquire)` of an Atomic<uint> is an atomic load with that order, or a plain one with
# a fence (`__threadfence()` in CUDA), or an error. Seen: `*(&flag)` and `flag[0]`, which nvcc may take out of a loop
# that waits, and which order nothing; updates lose their order as well (`add(1, MemoryOrder.SeqCst)` is `atomicAdd`,
# which is relaxed). For Metal each order is memory_order_seq_cst.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check --no-deps slangtorch==1.3.22
slang=$(echo venv/lib/python3*/site-packages/slangtorch/bin)
chmod +x "$slang/slangc"
cat > post.slang <<'SLANG'
RWStructuredBuffer<Atomic<uint>> flag;
RWStructuredBuffer<uint> data;

[shader("compute")]
[numthreads(2, 1, 1)]
void post(uint3 id : SV_DispatchThreadID)
{
    if (id.x == 0)
    {
        data[0] = 1;
        flag[0].store(1, MemoryOrder.Release);
    }
    else if (flag[0].load(MemoryOrder.Acquire) == 1)
        data[1] = data[0];
    flag[1].add(1, MemoryOrder.SeqCst);
}
SLANG
"$slang/slangc" -v 2>&1 | sed 's/^/slangc /'
ok=true
for target in cuda glsl hlsl metal; do
    "$slang/slangc" post.slang -target $target -entry post -stage compute -line-directive-mode none -o out.$target \
        2> words
    grep -v 'has been renamed' words | grep -qi 'warning\|error' && ok=false
    sed -n '/__global__ void post\|kernel.. void post\|^void main\|^void post/,$p' out.$target > body
    grep -E 'flag_[0-9]+(._data|\)?\[)|memory_order' body | tr -s ' ' | sed "s/^/$target:/" | tee -a seen
    if [ $target = metal ]; then
        [ "$(grep -c memory_order_seq_cst body)" = 3 ] || ok=false
    elif grep -qiE 'fence|barrier|acquire|release|volatile|__ldcg|cuda::' body; then
        ok=false
    fi
done
for plain in '^cuda: \*\(&\(.*flag_0\)\[.*\]\) = 1U;' '^cuda: uint _S1 = \*\(&\(.*flag_0\)\[.*\]\);' \
    '^glsl: flag_0\._data\[.*\] = 1U;' '^glsl: uint _S1 = flag_0\._data' '^hlsl: flag_0\[.*\] = 1U;' \
    '^hlsl: uint _S1 = flag_0\['; do
    grep -qE "$plain" seen || ok=false
done
$ok && echo "as stated" || { echo CHANGED; exit 1; }
