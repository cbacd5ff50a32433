#!/usr/bin/env bash
# SPIRV-Cross: an atomic minimum with a sign, of a variable without one, has none in GLSL and HLSL.
#
# Expected: OpAtomicSMin takes its operands as signed integers whatever the sign of their type is; compilers of OpenCL C
# have one type of integers, without a sign, so they have nothing else to write. The smaller of 5 and -1 is -1. Seen:
# `atomicMin(x, 4294967295u)` and `InterlockedMin(..., 4294967295u, ...)` of a uint, which keep 5; and OpAtomicUMax of an
# int is one of signed numbers. In Metal's text both are right, by a cast of the pointer. Nothing is said.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
version=2021.01.15+1.3.239.0-1
tools=2023.1-2
fetch() { apt-get -qq download "$@" 2>/dev/null; }
packages=("spirv-cross=$version" "spirv-tools=$tools")
fetch "${packages[@]}" || { apt-get -qq update; fetch "${packages[@]}"; }
for file in *.deb; do dpkg -x "$file" root; done
cat > a.spvasm <<'SPIRV'
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpName %all "all"
OpName %block "block"
OpMemberName %block 0 "unsigned_one"
OpMemberName %block 1 "signed_one"
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpMemberDecorate %block 1 Offset 4
OpDecorate %all DescriptorSet 0
OpDecorate %all Binding 0
%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%int = OpTypeInt 32 1
%block = OpTypeStruct %uint %int
%of_block = OpTypePointer StorageBuffer %block
%of_uint = OpTypePointer StorageBuffer %uint
%of_int = OpTypePointer StorageBuffer %int
%all = OpVariable %of_block StorageBuffer
%first = OpConstant %int 0
%second = OpConstant %int 1
%device = OpConstant %uint 1
%relaxed = OpConstant %uint 0
%minus_one = OpConstant %uint 4294967295
%minus = OpConstant %int -1
%main = OpFunction %void None %function
%label = OpLabel
%p = OpAccessChain %of_uint %all %first
%q = OpAccessChain %of_int %all %second
%r = OpAtomicSMin %uint %p %device %relaxed %minus_one
%s = OpAtomicUMax %int %q %device %relaxed %minus
OpReturn
OpFunctionEnd
SPIRV
bin=root/usr/bin
"$bin/spirv-as" --target-env vulkan1.1 a.spvasm -o a.spv
"$bin/spirv-val" --target-env vulkan1.1 a.spv
echo "SPIRV-Cross $version"
glsl=$("$bin/spirv-cross" --version 450 a.spv | grep -oE 'atomic(Min|Max)\(.*')
hlsl=$("$bin/spirv-cross" --hlsl --shader-model 50 a.spv | grep -oE 'Interlocked(Min|Max)\(.*')
metal=$("$bin/spirv-cross" --msl a.spv | grep -oE 'atomic_fetch.*')
printf '%s\n' "$glsl" "$hlsl" "$metal" | tee told
diff told - <<'END' && echo "as stated" || { echo CHANGED; exit 1; }
atomicMin(_all.unsigned_one, 4294967295u);
atomicMax(_all.signed_one, -1);
InterlockedMin(0, 4294967295u, _20);
InterlockedMax(4, -1, _21);
atomic_fetch_min_explicit((device atomic_int*)&_all.unsigned_one, int(4294967295u), memory_order_relaxed));
atomic_fetch_max_explicit((device atomic_uint*)&_all.signed_one, uint(-1), memory_order_relaxed));
END
