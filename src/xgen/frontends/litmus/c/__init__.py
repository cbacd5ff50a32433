"""Litmus tests in C: functions `P0(...) { ... }` in, threads out.

body   the language as herd reads it, in one pass
c11    the functions of <stdatomic.h>; linux: those of the kernel
"""
