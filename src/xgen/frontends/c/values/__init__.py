"""What values of C are, without objects, statements and functions.

types, layout, data_model    types; where members are; how wide `long` and pointers are
constants                    numbers, characters, string literals
places                       values, and places that hold some
arithmetic, bitfields        conversions and operators of integers; of bit fields
reals, int128                floating point numbers; numbers of two words
"""
