#!/usr/bin/env bash
# Slang for Metal: a barrier of memory becomes a barrier of threads.
#
# Expected: DeviceMemoryBarrier() orders a thread's own accesses and waits for no other thread (DeviceMemoryBarrierWith-
# GroupSync() is what waits), so that one thread alone may come to it. For CUDA and GLSL it is `__threadfence()` and
# `memoryBarrier(...)`. Seen: for Metal both are the same `threadgroup_barrier(...)`, which all threads of the group
# have to reach: in a branch that one thread takes its behaviour is undefined.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check --no-deps slangtorch==1.3.22
slang=$(echo venv/lib/python3*/site-packages/slangtorch/bin)
chmod +x "$slang/slangc"
cat > fence.slang <<'SLANG'
RWStructuredBuffer<uint> data;

[shader("compute")]
[numthreads(64, 1, 1)]
void publish(uint3 id : SV_DispatchThreadID)
{
    if (id.x == 0)
    {
        data[0] = 1;
        DeviceMemoryBarrier();
        data[1] = 1;
    }
}
SLANG
"$slang/slangc" -v 2>&1 | sed 's/^/slangc /'
for target in cuda glsl metal; do
    "$slang/slangc" fence.slang -target $target -entry publish -stage compute -line-directive-mode none \
        -o out.$target 2> /dev/null
    sed -n '/^void publish\|__global__ void publish\|void main\|void publish/,$p' out.$target |
        grep -E 'arrier|fence' | tr -s ' ' | sed "s/^/$target:/" | tee -a seen
done
grep -q '^cuda: __threadfence();' seen && grep -q '^glsl: memoryBarrier(' seen &&
    grep -q '^metal: threadgroup_barrier(' seen && echo "as stated" || { echo CHANGED; exit 1; }
