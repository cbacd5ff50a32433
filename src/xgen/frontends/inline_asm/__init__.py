"""Assembly that stands in programs, for any reader of a language: what its text says, without a syntax tree.

machines               what machines there are, how their operands are written, lines and labels
x86                    what instructions of x86-64 do with their operands; what is known on any machine
statements             a statement as a thread of a litmus test of its machine
sharing                registers that two operands may have in common
exclusives             loops that a failed store exclusive leads back to
"""
