"""Kernels in HIP, for AMD's GPUs: as CUDA's are (frontends/ptx), under the model `hip`.

include      the headers that a kernel gets in place of AMD's
compiling    the text as PTX, by clang; what is atomic there is an instruction of these headers
thread       a thread: what it does at these instructions, and which tags accesses have
sources      a file: its text, what is asked of it, and the program that comes of both
"""
