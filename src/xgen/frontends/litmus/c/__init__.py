"""Litmus tests in C: functions `P0(...) { ... }` in, threads out.

body   the language as herd reads it, in one pass; expressions: values, and the places that they speak of
c11    the functions of <stdatomic.h>; linux: those of the kernel; opencl: OpenCL C
"""
