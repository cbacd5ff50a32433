"""What the functions of the library do in C, layers on top of those of language/. What threads wait in is in
frontends/library, for any reader.

atomics                <stdatomic.h>, __atomic_*, __sync_*
bits, heap             functions on bits; allocated memory, memcpy and its like
cells, pthreads        what is known of who waits where; threads
calling                a call, as the handlers of frontends/library see it
library                calls; what does nothing here
"""
