"""A thread of IR, without the library: what each instruction does, and where it goes on.

translation                    what all threads of a program share; the steps of one
known_bytes                    what is known of a thread's own bytes, on all ways to a place
few                            pointers to a few local objects of the thread
events                         accesses as events, of one cell or of parts
accesses, arithmetic, instructions, exceptions, lifetimes, interpreter, calls
                               one class, a layer a file. Main runs alone until threads share something
numbers                        functions on the bits of a number, and on floating point numbers
unknown_sizes                  functions on bytes whose number is not known
output                         what is printed
choices                        the few numbers that an expression may be
wholes                         atomic accesses of 16 bytes
"""
