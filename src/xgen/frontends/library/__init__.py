"""What functions of C's library that threads wait in do, for any reader: tables NAME -> handler, without a syntax tree.

call                   what a handler is given: the arguments, and what it may do at the place of the call
mutexes                mutexes, spin locks
waiting                barriers, locks for readers and writers, semaphores, `pthread_once`
sleeping               condition variables
syscalls               `syscall` of Linux, and with it futexes
threads                threads: created, joined, detached
formats                what `snprintf` makes of a format
surroundings           the numbers of the process, processors, any numbers
verification           assertions, assumptions, how a program ends
table                  all of them by name, with the numbers of their arguments
"""
