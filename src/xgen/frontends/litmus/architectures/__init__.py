"""The instruction sets of litmus tests: a column of instructions in, statements of one thread out.

columns     programs written in columns of instructions: what an architecture is
operands, arithmetic, flags   numbers and how many operands; expressions; Arm's condition flags
x86, aarch64, arm, ppc, riscv, ptx, vulkan  one module an architecture
gpu, hierarchy                what PTX and Vulkan have in common; where threads of GPUs stand
"""
