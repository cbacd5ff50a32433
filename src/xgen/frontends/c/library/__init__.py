"""What the functions of the library do, layers on top of those of language/.

atomics                <stdatomic.h>, __atomic_*, __sync_*
bits, heap             functions on bits; allocated memory, memcpy and its like
waiting, pthreads      what threads wait for; threads and mutexes
library                assertions, what verification tools add, and what does nothing here
"""
