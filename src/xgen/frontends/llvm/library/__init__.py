"""What functions of the library do in IR. What threads wait in is in frontends/library, for any reader.

threads        threads: created, joined, ended, and what each has of its own
assembly       assembly of x86, as frontends/inline_asm reads it for any reader
instructions   assembly that means what litmus tests of its machine mean
standard       what libc++ does by means of the system: waiting for atomics, the time
streams        what programs print by std::cout and its like
meeting        barriers and latches of libraries at which threads meet
primitives     what the handlers of frontends/library ask of a reader; which function a name is; the whole thread
"""
