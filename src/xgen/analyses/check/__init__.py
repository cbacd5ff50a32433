"""Can a program go wrong? One question, and the ways to explore for its answer.

check        the question: strategies, and the result
portfolio    executions and classes of them, in turns
independent  programs whose parts share nothing: the product of their runs
cones        what can go wrong in a thread, from the part of the program that it depends on
"""
