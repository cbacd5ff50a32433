"""What the functions of the library do in C. What threads wait in is in frontends/library, for any reader.

dispatch               which function a name is: a table NAME -> handler, put together from those of the other modules
call                   a call, as the handlers here are given it; counts: how many arguments there are
atomics, wholes        <stdatomic.h>, __atomic_*, __sync_*; those of structures
heap, output           allocated memory, memcpy and its like; what is printed
numbers                bits of numbers; <math.h>
arguments              va_list
assembly               asm of x86, as frontends/inline_asm reads it for any reader
instructions           asm that means what litmus tests mean
unknown                what has values that nobody knows; stubs
primitives             what the handlers of frontends/library ask of a reader
cells, pthreads        what is known of who waits where; threads; thread_state: what each knows for itself
"""
