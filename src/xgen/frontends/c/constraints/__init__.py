"""What C forbids whatever a program does: constraints on declarations, assignments and calls (C11, 6.5 to 6.9).

qualified    types that are const, types that are compatible
typing       the types of expressions, nothing of which is evaluated
check        the walk over a file: functions that nobody calls, and what is never reached, are looked at too

What is not understood has no type here, and nothing is said of it: the translation refuses it where it matters. What
compilers only warn of (a pointer of another type, one that loses a const) is let alone.
"""
