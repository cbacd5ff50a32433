"""From programs to the code that the engines run: a checked Program in, frozen Code out.

threads      the automaton of each process as instructions, one after the other
expressions  what computes values; accesses: what touches shared variables
known        addresses that are known before an access
private      cells that one thread alone uses, as its locals
counters     cells in which threads only count, as one for each thread
code         the data classes; dump: Code -> text, for debugging
analysis     what is known of code before it runs
"""
