"""C itself, without its library.

types, scope, initial            what declarations say; syntax: what is in a part of the tree
constants                        numbers, characters, string literals
memory, places                   objects and their addresses, values
arithmetic, reals                integers; floating point numbers; printed: those of which all is for output
facts                            what is learned while translating, and would have to be known from the start
flow                             the steps of a thread, and what is known where they end
accesses, lvalues, expressions, statements, body
                                 one class on top of `scope`, a layer a file: translates a thread, with all calls
                                 inlined; of the library it knows what it asks of it (`KnownFunctions`)
parted, copies, initial          what a body has beside it: accesses of parts, copies, atomic accesses of structures,
                                 first values
"""
