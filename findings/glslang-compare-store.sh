#!/usr/bin/env bash
# glslang: HLSL's InterlockedCompareStore is left out of the SPIR-V, and the compiler succeeds.
#
# Expected: an OpAtomicCompareExchange whose result nobody uses, as for InterlockedCompareExchange, or an error. Seen:
# the exit code is 0, the module is valid and has nothing at all in the place of the store; among what is printed is
# `Missing functionality: unknown glslang aggregate`, without a line and without the name of the function. So a lock
# that is taken or given back by it never changes.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
version=12.0.0-2
tools=2023.1-2
fetch() { apt-get -qq download "$@" 2>/dev/null; }
packages=("glslang-tools=$version" "spirv-tools=$tools")
fetch "${packages[@]}" || { apt-get -qq update; fetch "${packages[@]}"; }
for file in *.deb; do dpkg -x "$file" root; done
for name in Store Exchange; do
    result=$([ $name = Store ] || echo ", old")
    cat > $name.comp <<HLSL
RWStructuredBuffer<uint> words;
[numthreads(1, 1, 1)] void main() {
    uint old;
    InterlockedCompare$name(words[0], 2, 3$result);
}
HLSL
    code=0
    root/usr/bin/glslangValidator -V -D --target-env vulkan1.1 -e main $name.comp -o $name.spv > $name.text || code=$?
    root/usr/bin/spirv-val --target-env vulkan1.1 $name.spv
    root/usr/bin/spirv-dis $name.spv > $name.spvasm
    echo "InterlockedCompare$name: exit code $code, $(grep -c OpAtomic $name.spvasm || true) OpAtomic"
    grep -h Missing $name.text || true
done | tee told
diff told - <<'END' && echo "as stated" || { echo CHANGED; exit 1; }
InterlockedCompareStore: exit code 0, 0 OpAtomic
Missing functionality: unknown glslang aggregate
InterlockedCompareExchange: exit code 0, 1 OpAtomic
END
