"""From a file of CUDA to PTX, by a compiler of NVIDIA's. No GPU is needed.

compilers   the compiler that is there: nvcc from PATH, or NVRTC as the extra `cuda` has it
compile     a file and its flags, a text in PTX, and the files that were read for it
nvrtc       the program that calls NVRTC, a process of its own, which can be ended
"""
